/* SPDX-License-Identifier: MIT */
#include "core/nn/dense/l1.h"

#include <assert.h>
#include <math.h>

double
sl_l1_at (unsigned stages, const double *weight, const double *end, double t)
{
  static const double half_turn = 3.14159265358979323846;

  if (t < end[0])
    return weight[0];
  for (unsigned i = 1; i < stages; i++)
    if (t < end[i])
      {
        double way = (t - end[i - 1]) / (end[i] - end[i - 1]);

        return weight[i - 1]
               + (weight[i] - weight[i - 1]) * 0.5 * (1.0 + sin (half_turn * (way - 0.5)));
      }
  return weight[stages - 1];
}

double
sl_l1_staged (unsigned stages, double last, double warm_up, double length, double t)
{
  double weight[SL_L1_STAGES], end[SL_L1_STAGES];

  assert (stages >= 1 && stages <= SL_L1_STAGES);
  for (unsigned i = 0; i < stages; i++)
    {
      weight[i] = last * pow (4.0, (double) i + 1.0 - (double) stages);
      end[i] = warm_up + (stages > 1 ? length * i / (stages - 1.0) : 0.0);
    }
  return sl_l1_at (stages, weight, end, t);
}
