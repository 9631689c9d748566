/* SPDX-License-Identifier: MIT
 *
 * How good a sign estimate is and what it costs (Davis 2016, §3.2).  */
#pragma once

#include <stddef.h>

#include "core/base/real.h"

/* Counts over batch and units of one layer.  "On" means > 0; a zero is off. */
typedef struct
{
  double both, only_estimate, only_truth, neither; /* tp, fp, fn, tn */
  double energy;                                   /* ‖relu (pre)‖² */
  double lost_energy;    /* the part of it that the estimate switches off */
  double estimate_error; /* ‖relu (est) - relu (pre)‖² */
} SlSigns;

/* Compares est with pre, (n) each, and adds to *signs. */
void sl_signs_count (size_t n, const sl_real *pre, const sl_real *est, SlSigns *signs);

/* The figures that a sign estimate is judged by, not-a-number where nothing was counted. */
double sl_signs_agreement (const SlSigns *signs);   /* share of equal signs */
double sl_signs_all_off (const SlSigns *signs);     /* agreement of the estimate "all off" */
double sl_signs_recall (const SlSigns *signs);      /* tp / (tp + fn) */
double sl_signs_precision (const SlSigns *signs);   /* tp / (tp + fp) */
double sl_signs_false_alarm (const SlSigns *signs); /* fp / (fp + tn) */
double sl_signs_lost (const SlSigns *signs);        /* lost energy ÷ energy */
double sl_signs_density (const SlSigns *signs);     /* α: share that is computed */
double sl_signs_truth (const SlSigns *signs);       /* share that should be */

/* What a rectifier that passes only what is above `cut` keeps of pre (n): the share of units that are
 * on, and the share of the energy ‖relu (pre)‖² that is lost.  */
void sl_signs_cut (size_t n, const sl_real *pre, sl_real cut, double *density, double *lost);

/* The two curves of figure 3.3: the relative error of relu (est), and of the gated
 * layer S ⊙ relu (pre).  Not-a-number where no unit is on.  */
double sl_signs_estimate_error (const SlSigns *signs);
double sl_signs_gated_error (const SlSigns *signs);

/* ‖w - anchor‖ ÷ ‖anchor‖ over n numbers. */
double sl_signs_drift (size_t n, const sl_real *w, const sl_real *anchor);

/* Floating-point operations per example of a layer (D inputs, H units), dense and with an
 * estimate of rank K that switches on a share α: §3.1.4 with eq. 3.7's stray factor h left
 * out, as eq. 3.8 needs.  */
double sl_signs_dense_flops (double inputs, double units);
double sl_signs_gated_flops (double inputs, double units, double rank, double density);
