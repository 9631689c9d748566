/* SPDX-License-Identifier: MIT */
#include "core/lab/kit/thumbnails.h"

#include <math.h>

bool
sl_probe_has_images (SlProbe *p, const SlDataset *data)
{
  if (data->width == 0)
    sl_probe_note (p, "These data are no pictures.");
  return data->width > 0;
}

bool
sl_probe_thumbnails (SlProbe *p, const SlDataset *data, const sl_real *x, size_t n,
                     const unsigned *chosen, unsigned tiles)
{
  size_t  plane = (size_t) data->width * data->height, inputs = data->features;
  double *to, lo = HUGE_VAL, hi = -HUGE_VAL;

  to = sl_probe_pictures (p, tiles, data->height, data->width);
  if (to == NULL)
    return false;
  for (size_t i = 0; i < n * inputs; i++)
    {
      lo = fmin (lo, (double) x[i]);
      hi = fmax (hi, (double) x[i]);
    }
  for (unsigned t = 0; t < tiles; t++)
    for (size_t i = 0; i < 3 * plane; i++)
      {
        size_t at = data->channels == 3 ? i : i % plane;

        to[t * 3 * plane + i]
          = hi > lo ? ((double) x[chosen[t] * inputs + at] - lo) / (hi - lo) : 0.0;
      }
  return true;
}
