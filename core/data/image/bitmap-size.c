/* SPDX-License-Identifier: MIT
 *
 * Bringing pictures to a size: two passes of weighted sums in linear light.  */
#include <math.h>
#include <stdlib.h>

#include "core/data/image/bitmap.h"

/* Which samples make up one of the result, and how much each counts. */
typedef struct
{
  size_t  first, n;
  double *weight; /* (n), sum 1 */
} Mix;

typedef struct
{
  Mix    *mix; /* (n) */
  double *weights;
  size_t  n;
} Filter;

static double
sinc (double x)
{
  return fabs (x) < 1e-9 ? 1.0 : sin (M_PI * x) / (M_PI * x);
}

static double
lanczos_weight (double x)
{
  return fabs (x) < 3.0 ? sinc (x) * sinc (x / 3.0) : 0.0;
}

/* Keys 1981, a = -1/2: through all samples, third order. */
static double
cubic_weight (double x)
{
  x = fabs (x);
  if (x < 1.0)
    return (1.5 * x - 2.5) * x * x + 1.0;
  return x < 2.0 ? ((-0.5 * x + 2.5) * x - 4.0) * x + 2.0 : 0.0;
}

static void
filter_clear (Filter *filter)
{
  free (filter->mix);
  free (filter->weights);
}

/* From `size` samples, the stretch [start, start + length) becomes `n`. */
static bool
filter_init (Filter *filter, size_t size, double start, double length, size_t n)
{
  double  scale = length / (double) n, wide = scale > 1.0 ? scale : 1.0;
  double  reach = (scale > 1.0 ? 3.0 : 2.0) * wide;
  size_t  room = (size_t) ceil (2.0 * reach) + 2;
  double *weight;

  *filter = (Filter) { .mix = malloc (n * sizeof *filter->mix),
                       .weights = malloc (n * room * sizeof *filter->weights),
                       .n = n };
  if (filter->mix == NULL || filter->weights == NULL)
    return false;
  weight = filter->weights;
  for (size_t i = 0; i < n; i++, weight += room)
    {
      double centre = start + ((double) i + 0.5) * scale - 0.5;
      double low = ceil (centre - reach), high = floor (centre + reach), sum = 0.0;
      Mix   *mix = &filter->mix[i];

      low = low < 0.0 ? 0.0 : low;
      high = high > (double) size - 1.0 ? (double) size - 1.0 : high;
      *mix = (Mix) { .first = (size_t) low, .n = (size_t) (high - low) + 1, .weight = weight };
      for (size_t k = 0; k < mix->n; k++)
        {
          double x = ((double) (mix->first + k) - centre) / wide;

          weight[k] = scale > 1.0 ? lanczos_weight (x) : cubic_weight (x);
          sum += weight[k];
        }
      for (size_t k = 0; k < mix->n; k++)
        weight[k] /= sum;
    }
  return true;
}

/* IEC 61966-2-1. */
static double
to_light (double v)
{
  return v <= 0.04045 ? v / 12.92 : pow ((v + 0.055) / 1.055, 2.4);
}

static double
from_light (double v)
{
  return v <= 0.0031308 ? v * 12.92 : 1.055 * pow (v, 1.0 / 2.4) - 0.055;
}

static uint8_t
to_byte (double light)
{
  double v = 255.0 * from_light (light < 0.0 ? 0.0 : light > 1.0 ? 1.0 : light);

  return (uint8_t) (v + 0.5);
}

static void
mix_columns (const SlBitmap *from, const Filter *across, const double light[256], float *middle)
{
  for (size_t y = 0; y < from->height; y++)
    for (size_t x = 0; x < across->n; x++)
      {
        const Mix     *mix = &across->mix[x];
        const uint8_t *p = from->rgb + 3 * (y * from->width + mix->first);
        double         sum[3] = { 0 };

        for (size_t k = 0; k < mix->n; k++)
          for (size_t c = 0; c < 3; c++)
            sum[c] += mix->weight[k] * light[p[3 * k + c]];
        for (size_t c = 0; c < 3; c++)
          middle[3 * (y * across->n + x) + c] = (float) sum[c];
      }
}

static void
mix_rows (const float *middle, const Filter *down, SlBitmap *to)
{
  size_t width = 3 * (size_t) to->width;

  for (size_t y = 0; y < down->n; y++)
    for (size_t x = 0; x < width; x++)
      {
        const Mix *mix = &down->mix[y];
        double     sum = 0.0;

        for (size_t k = 0; k < mix->n; k++)
          sum += mix->weight[k] * (double) middle[(mix->first + k) * width + x];
        to->rgb[y * width + x] = to_byte (sum);
      }
}

SlStatus
sl_bitmap_cover (const SlBitmap *from, unsigned width, unsigned height, SlBitmap *to)
{
  double   w = from->width, h = from->height, scale = fmin (w / width, h / height);
  double   cut_w = scale * width, cut_h = scale * height, light[256];
  float   *middle = NULL;
  Filter   across = { 0 }, down = { 0 };
  SlStatus status = sl_bitmap_init (to, "picture", width, height);

  if (!sl_ok (&status))
    return status;
  for (int i = 0; i < 256; i++)
    light[i] = to_light (i / 255.0);
  if (filter_init (&across, from->width, (w - cut_w) / 2, cut_w, width)
      && filter_init (&down, from->height, (h - cut_h) / 2, cut_h, height))
    middle = malloc ((size_t) width * from->height * 3 * sizeof *middle);
  if (middle != NULL)
    {
      mix_columns (from, &across, light, middle);
      mix_rows (middle, &down, to);
    }
  else
    {
      status = sl_status_no_memory ("picture");
      sl_bitmap_clear (to);
    }
  filter_clear (&across);
  filter_clear (&down);
  free (middle);
  return status;
}
