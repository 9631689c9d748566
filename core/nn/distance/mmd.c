/* SPDX-License-Identifier: MIT */
#include "core/nn/distance/mmd.h"

#include <math.h>
#include <stdbool.h>

#include "core/nn/kernels/clones.h"
#include "core/nn/kernels/vector.h"

SL_CLONES static double
squared_distance (size_t dims, const sl_real *x, const sl_real *y)
{
  double sum = 0;

  for (size_t i = 0; i < dims; i++)
    sum += ((double) x[i] - (double) y[i]) * ((double) x[i] - (double) y[i]);
  return sum;
}

static double
kernel_value (const SlKernel *kernel, size_t dims, const sl_real *x, const sl_real *y)
{
  double product;

  switch (kernel->kind)
    {
    case SL_KERNEL_GAUSSIAN:
      return kernel->sigma2 > 0 ? exp (-squared_distance (dims, x, y) / (2.0 * kernel->sigma2))
                                : 1.0;
    case SL_KERNEL_POLY:
      product = sl_vector_inner (dims, x, y) + kernel->c;
      return product * product;
    default: return sl_vector_inner (dims, x, y);
    }
}

/* Mean of the kernel over the pairs of one set. */
static double
mean_within (const SlKernel *kernel, size_t dims, size_t m, const sl_real *x, bool itself)
{
  double sum = 0, n = itself ? (double) m * (double) m : (double) m * ((double) m - 1.0);

  for (size_t i = 0; i < m; i++)
    {
      for (size_t j = 0; j < i; j++)
        sum += 2.0 * kernel_value (kernel, dims, x + i * dims, x + j * dims);
      if (itself)
        sum += kernel_value (kernel, dims, x + i * dims, x + i * dims);
    }
  return sum / n;
}

static double
mean_between (const SlKernel *kernel, size_t dims, size_t m, const sl_real *x, size_t l,
              const sl_real *y)
{
  double sum = 0;

  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < l; j++)
      sum += kernel_value (kernel, dims, x + i * dims, y + j * dims);
  return sum / ((double) m * (double) l);
}

double
sl_mmd_biased (const SlKernel *kernel, size_t dims, size_t m, const sl_real *x, size_t l,
               const sl_real *y)
{
  return mean_within (kernel, dims, m, x, true) + mean_within (kernel, dims, l, y, true)
         - 2.0 * mean_between (kernel, dims, m, x, l, y);
}

double
sl_mmd_unbiased (const SlKernel *kernel, size_t dims, size_t m, const sl_real *x, size_t l,
                 const sl_real *y)
{
  if (m < 2 || l < 2)
    return 0.0;
  return mean_within (kernel, dims, m, x, false) + mean_within (kernel, dims, l, y, false)
         - 2.0 * mean_between (kernel, dims, m, x, l, y);
}

/* Σ over the samples of their components, and of their squares: enough for mean squared
 * distances, without a look at every pair.  */
static void
centre_and_spread (size_t dims, size_t m, const sl_real *x, size_t component, double *mean,
                   double *square)
{
  double sum = 0, squares = 0;

  for (size_t i = 0; i < m; i++)
    sum += (double) x[i * dims + component];
  *mean = sum / (double) m;
  for (size_t i = 0; i < m; i++)
    squares
      += ((double) x[i * dims + component] - *mean) * ((double) x[i * dims + component] - *mean);
  *square = squares;
}

double
sl_mmd_sigma2 (size_t dims, size_t m, const sl_real *x, size_t l, const sl_real *y)
{
  double sum = 0;

  if (m < 2 || l < 2)
    return 0.0;
  for (size_t c = 0; c < dims; c++)
    {
      double a, b, in_x, in_y;

      centre_and_spread (dims, m, x, c, &a, &in_x);
      centre_and_spread (dims, l, y, c, &b, &in_y);
      /* E (x − x')² of different samples is 2 Σ (x − a)² / (m − 1). */
      sum += 2.0 * in_x / ((double) m - 1.0) + 2.0 * in_y / ((double) l - 1.0)
             + 2.0 * (in_x / (double) m + in_y / (double) l + (a - b) * (a - b));
    }
  return sum / 4.0;
}
