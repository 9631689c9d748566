/* SPDX-License-Identifier: MIT */
#include "core/lab/kit/distance.h"

#include <stdio.h>

#include "core/lab/kit/common.h"
#include "core/nn/style/mmd.h"

enum { T_GAUSSIAN, T_GAUSSIAN_FLOOR, T_LINEAR, T_LINEAR_FLOOR };

const SlTrace sl_gauge_traces[SL_GAUGE_TRACES] = {
  [T_GAUSSIAN] = { "gaussian", "Gaussian", "",
                   "Gated from dense activations, by a Gaussian kernel "
                   "of the width of the data: from 0, alike, to 2.",
                   SL_MEASURED, NULL },
  [T_GAUSSIAN_FLOOR] = { "gaussian-floor", "Gaussian, dense", "",
                         "Dense from dense ones of other examples.", SL_REFERENCE, NULL },
  [T_LINEAR] = { "linear", "means", "",
                 "Squared distance of the means, in units of the mean square "
                 "of the dense activations.",
                 SL_MEASURED, NULL },
  [T_LINEAR_FLOOR] = { "linear-floor", "means, dense", "",
                       "Dense from dense ones of other examples.", SL_REFERENCE, NULL },
};

SlGauge
sl_gauge (size_t dims, size_t n, const sl_real *dense, const sl_real *others, const sl_real *gated)
{
  SlKernel linear = { .kind = SL_KERNEL_LINEAR }, gaussian = { .kind = SL_KERNEL_GAUSSIAN };
  double   square = 0;
  SlGauge  gauge = { 0 };

  for (size_t i = 0; i < n * dims; i++)
    square += (double) dense[i] * (double) dense[i] / (double) n;
  gaussian.sigma2 = sl_mmd_sigma2 (dims, n, dense, n, others);
  gauge.gaussian_floor = sl_mmd_unbiased (&gaussian, dims, n, dense, n, others);
  gaussian.sigma2 = sl_mmd_sigma2 (dims, n, dense, n, gated);
  gauge.gaussian = sl_mmd_unbiased (&gaussian, dims, n, dense, n, gated);
  /* A layer that is dead has no scale, and is where it is. */
  if (square > 0.0)
    {
      gauge.linear = sl_mmd_unbiased (&linear, dims, n, dense, n, gated) / square;
      gauge.linear_floor = sl_mmd_unbiased (&linear, dims, n, dense, n, others) / square;
    }
  return gauge;
}

SlStatus
sl_gauge_show (SlSnapshot *snapshot, uint16_t first, unsigned layers, const SlGauge *gauge)
{
  for (unsigned trace = 0; trace < SL_GAUGE_TRACES; trace++)
    {
      double *curve = sl_snapshot_curve (snapshot, first + trace, layers, false);

      if (curve == NULL)
        return sl_survey_no_memory ();
      for (unsigned l = 0; l < layers; l++)
        {
          const double y[SL_GAUGE_TRACES] = { [T_GAUSSIAN] = gauge[l].gaussian,
                                              [T_GAUSSIAN_FLOOR] = gauge[l].gaussian_floor,
                                              [T_LINEAR] = gauge[l].linear,
                                              [T_LINEAR_FLOOR] = gauge[l].linear_floor };

          curve[l] = l + 1.0;
          curve[layers + l] = y[trace];
        }
    }
  return SL_SUCCESS;
}
