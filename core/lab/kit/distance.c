/* SPDX-License-Identifier: MIT */
#include "core/lab/kit/distance.h"

#include "core/nn/distance/mmd.h"

SlDistance
sl_distance (size_t dims, size_t n, const sl_real *dense, const sl_real *others,
             const sl_real *gated)
{
  SlKernel   linear = { .kind = SL_KERNEL_LINEAR }, gaussian = { .kind = SL_KERNEL_GAUSSIAN };
  double     square = 0;
  SlDistance distance = { 0 };

  for (size_t i = 0; i < n * dims; i++)
    square += (double) dense[i] * (double) dense[i] / (double) n;
  gaussian.sigma2 = sl_mmd_sigma2 (dims, n, dense, n, others);
  distance.gaussian_floor = sl_mmd_unbiased (&gaussian, dims, n, dense, n, others);
  gaussian.sigma2 = sl_mmd_sigma2 (dims, n, dense, n, gated);
  distance.gaussian = sl_mmd_unbiased (&gaussian, dims, n, dense, n, gated);
  /* A layer that is dead has no scale, and is where it is. */
  if (square > 0.0)
    {
      distance.linear = sl_mmd_unbiased (&linear, dims, n, dense, n, gated) / square;
      distance.linear_floor = sl_mmd_unbiased (&linear, dims, n, dense, n, others) / square;
    }
  return distance;
}

void
sl_distance_show (SlProbe *p, unsigned layers, const SlDistance *distance)
{
  for (unsigned trace = 0; trace < 4 && sl_ok (&p->status); trace++)
    {
      double *curve = sl_probe_curve (p, trace, 0, layers, false);

      for (unsigned l = 0; curve != NULL && l < layers; l++)
        {
          const SlDistance *d = &distance[l];
          /* In the order of the traces. */
          const double y[] = { d->gaussian, d->gaussian_floor, d->linear, d->linear_floor };

          curve[l] = l + 1.0;
          curve[layers + l] = y[trace];
        }
    }
}
