/* SPDX-License-Identifier: MIT
 *
 * What is added to the loss so that few units are on (Davis 2016, §2.5.5): the mean of the activations, and
 * the Kullback-Leibler divergence of a wished activity from each unit's own.
 *
 * The activity of a unit is the mean of 1 - exp (-a) over the batch, from 0, where it is always off, to 1: the
 * dissertation asks for "some measure of average sparsity".  What is below 0 counts as 0.  */
#pragma once

#include <stddef.h>

#include "core/base/real.h"

/* Sum over a (n) of |a|, and by times its slope, added to da. */
double sl_l1_sum (size_t n, const sl_real *a);
void   sl_l1_backward (size_t n, sl_real by, const sl_real *a, sl_real *da);

/* Activations a (B, H) behind dropout, of which a share `kept` was kept and divided by it. */
typedef struct
{
  size_t         batch, units;
  double         kept;
  const sl_real *a;
} SlActivations;

/* rate (H): the activity of each unit, kept within 1e-4 of 0 and of 1. */
void sl_kl_rates (const SlActivations *of, sl_real *rate);

/* The mean over units of KL(target ‖ rate); 0 < target < 1. */
double sl_kl_mean (size_t units, double target, const sl_real *rate);

/* Adds `by` times the slope of that mean to da (B, H). */
void sl_kl_backward (const SlActivations *of, double target, double by, const sl_real *rate,
                     sl_real *da);
