/* SPDX-License-Identifier: MIT
 *
 * The squared maximum mean discrepancy of two sets of samples (Gretton et al. 2012): how far apart
 * two distributions are, by a kernel.  Measured over all pairs, so meant for a few hundred samples;
 * sums are in double.
 *
 * x (m, D) and y (l, D) row major: a row is a sample.  */
#pragma once

#include <stddef.h>

#include "core/base/real.h"

typedef enum {
  SL_KERNEL_LINEAR, /* x'y */
  SL_KERNEL_POLY,   /* (x'y + c)²; with c = 0 that of Gram matching */
  SL_KERNEL_GAUSSIAN, /* exp (−‖x − y‖² / 2σ²); σ² = 0: all samples are the same, and so is k */
} SlKernelKind;

typedef struct
{
  SlKernelKind kind;
  double       c, sigma2;
} SlKernel;

/* The biased V-statistic, never negative but for rounding: all pairs, a sample with itself too.
 * m, l >= 1.  */
double sl_mmd_biased (const SlKernel *kernel, size_t dims, size_t m, const sl_real *x, size_t l,
                      const sl_real *y);

/* The unbiased U-statistic, which can be negative: no sample with itself.  m, l >= 2; else 0. */
double sl_mmd_unbiased (const SlKernel *kernel, size_t dims, size_t m, const sl_real *x, size_t l,
                        const sl_real *y);

/* σ² for the Gaussian kernel: the mean squared distance of different samples of x, of y, and
 * (twice) of one with the other, as the pairs of style.h would estimate it.  */
double sl_mmd_sigma2 (size_t dims, size_t m, const sl_real *x, size_t l, const sl_real *y);
