/* SPDX-License-Identifier: MIT
 *
 * A plane as it is seen, with its points.  */
#include <math.h>

#include "core/run/own/own.h"

static double
value_of (const SlDataset *data, size_t example, unsigned axis)
{
  sl_real x[2];

  sl_dataset_range (data, example, 1, x, NULL);
  return (double) x[axis];
}

gboolean
sl_own_plane (SlOwn *self, SlOwnPlane *plane)
{
  const SlDataset *data = sl_own_dataset (self);
  SlSplit          split;

  if (data == NULL || sl_dataset_kind (data) != SL_NEEDS_PLANE)
    return FALSE;
  split = data->n[SL_VALID] > 0 ? SL_VALID : SL_TRAIN;
  *plane = (SlOwnPlane) { sl_dataset_first (data, split),
                          MIN (data->n[split], SL_OWN_POINTS),
                          { HUGE_VAL, HUGE_VAL },
                          { -HUGE_VAL, -HUGE_VAL } };
  for (size_t i = 0; i < plane->n; i++)
    for (unsigned axis = 0; axis < 2; axis++)
      {
        plane->lo[axis] = fmin (plane->lo[axis], value_of (data, plane->first + i, axis));
        plane->hi[axis] = fmax (plane->hi[axis], value_of (data, plane->first + i, axis));
      }
  return TRUE;
}

void
sl_own_place (const SlOwnPlane *plane, const double point[2], double *x, double *y)
{
  double at[2];

  for (int axis = 0; axis < 2; axis++)
    {
      double span = plane->hi[axis] - plane->lo[axis];

      at[axis] = span > 0.0 ? CLAMP ((point[axis] - plane->lo[axis]) / span, 0.0, 1.0) : 0.5;
      at[axis] = SL_OWN_INSET + (1.0 - 2.0 * SL_OWN_INSET) * at[axis];
    }
  *x = at[0];
  *y = 1.0 - at[1];
}

void
sl_own_unplace (const SlOwnPlane *plane, double x, double y, float point[2])
{
  double at[2] = { x, 1.0 - y };

  for (int axis = 0; axis < 2; axis++)
    {
      double part = (at[axis] - SL_OWN_INSET) / (1.0 - 2.0 * SL_OWN_INSET);

      point[axis]
        = (float) (plane->lo[axis] + CLAMP (part, 0.0, 1.0) * (plane->hi[axis] - plane->lo[axis]));
    }
}
