/* SPDX-License-Identifier: MIT
 *
 * How the weight of an L1 term rises while a network is trained (ProSparse, arXiv 2402.13516).  */
#pragma once

enum { SL_L1_STAGES = 5 };

/* The weight after `t` updates: weight[0] before end[0]; in stage i from weight[i - 1] to weight[i] along
 * half a wave, from end[i - 1] to end[i]; weight[stages - 1] afterwards.  */
double sl_l1_at (unsigned stages, const double *weight, const double *end, double t);

/* The same with stages of equal length: the first ends after `warm_up` updates, the last one
 * `length` later at `last`, and each has four times the weight of the one before.  One stage is
 * constant.  */
double sl_l1_staged (unsigned stages, double last, double warm_up, double length, double t);
