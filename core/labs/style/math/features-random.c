/* SPDX-License-Identifier: MIT
 *
 * The network of features that needs no file: random filters at several scales; see features.h.  */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/rng.h"
#include "core/labs/style/math/features-private.h"

enum {
  SIZES = 4,
  EACH = 24,   /* filters of one size; fewer than the 27 numbers of the smallest */
  COLOURS = 6, /* brighter and darker than the middle, of each colour */
  LARGEST = 11,
};

static const size_t sizes[SIZES] = { 3, 5, 7, LARGEST };

/* Numbers of all the filters, which every scale shares. */
static size_t
n_weights (void)
{
  size_t n = COLOURS * 3;

  for (unsigned i = 0; i < SIZES; i++)
    n += EACH * 3 * sizes[i] * sizes[i];
  return n + SIZES * EACH + COLOURS;
}

/* Takes out of `filter` (n) what it has in common with the unit vectors of `before`. */
static void
make_orthogonal (size_t n, const double *filter_before, size_t before, double *filter)
{
  for (size_t b = 0; b < before; b++)
    {
      const double *other = filter_before + b * n;
      double        dot = 0;

      for (size_t i = 0; i < n; i++)
        dot += other[i] * filter[i];
      for (size_t i = 0; i < n; i++)
        filter[i] -= dot * other[i];
    }
}

/* Without a mean in any colour, so that it answers to structure and not to brightness. */
static void
take_mean (size_t plane, double *filter)
{
  for (size_t c = 0; c < 3; c++)
    {
      double sum = 0;

      for (size_t i = 0; i < plane; i++)
        sum += filter[c * plane + i];
      for (size_t i = 0; i < plane; i++)
        filter[c * plane + i] -= sum / (double) plane;
    }
}

/* Noise that all colours share and, half as strong, noise of each, strongest in the middle, so that
 * filters find edges and strokes rather than grain.  */
static void
draw_one (SlRng *rng, size_t side, double *filter)
{
  const double middle = (double) (side - 1) / 2, deviation = (double) side / 4;
  size_t       plane = side * side;

  for (size_t i = 0; i < plane; i++)
    {
      double y = (double) (i / side) - middle, x = (double) (i % side) - middle;
      double window = exp (-(x * x + y * y) / (2 * deviation * deviation));
      double shared = sl_rng_normal (rng);

      for (size_t c = 0; c < 3; c++)
        filter[c * plane + i] = window * (shared + 0.5 * sl_rng_normal (rng));
    }
}

/* Orthonormal filters (EACH, 3, side, side); by Gram and Schmidt, twice over, in plain sums, so
 * that every machine makes the same ones.  */
static void
draw_filters (SlRng *rng, size_t side, sl_real *to)
{
  double filter[EACH * 3 * LARGEST * LARGEST];
  size_t plane = side * side, n = 3 * plane;

  for (size_t f = 0; f < EACH; f++)
    {
      double *one = filter + f * n, length = 0;

      draw_one (rng, side, one);
      take_mean (plane, one);
      make_orthogonal (n, filter, f, one);
      make_orthogonal (n, filter, f, one);
      for (size_t i = 0; i < n; i++)
        length += one[i] * one[i];
      length = sqrt (length);
      for (size_t i = 0; i < n; i++)
        to[f * n + i] = (sl_real) (one[i] /= length);
    }
}

static void
add_scale (SlFeatures *features, unsigned picture, const SlFeatureStep *group, size_t n_groups)
{
  unsigned to = sl_features_add_value (features, SIZES * EACH + COLOURS, true);
  size_t   first = 0;
  char     name[SL_FEATURE_NAME];

  for (size_t g = 0; g < n_groups; g++)
    {
      sl_features_add_conv (features, picture, to, first, &group[g]);
      first += group[g].outputs;
    }
  snprintf (name, sizeof name, "scale%u", features->n_taps + 1);
  sl_features_add_tap (features, to, name);
}

SlStatus
sl_features_random (SlFeatures **features, uint64_t seed, unsigned scales)
{
  SlFeatureStep group[SIZES + 1];
  size_t        at = 0;
  unsigned      picture = 0;
  SlRng         rng;
  SlStatus      status;

  *features = NULL;
  if (scales < 1 || scales > SL_FEATURE_SCALES)
    return sl_status_new (SL_EINVAL, "scales", sl_message ("%u", scales),
                          sl_message ("1 to %d", SL_FEATURE_SCALES));
  status = sl_features_new (features, n_weights ());
  if (!sl_ok (&status))
    return status;
  sl_rng_init (&rng, seed, "filters");
  for (unsigned i = 0; i < SIZES; i++)
    {
      size_t side = sizes[i];

      group[i] = (SlFeatureStep) { .outputs = EACH,
                                   .side = side,
                                   .stride = 1,
                                   .pad = side / 2,
                                   .w = at,
                                   .b = at + EACH * 3 * side * side };
      draw_filters (&rng, side, (*features)->weights + at);
      at = group[i].b + EACH;
    }
  group[SIZES] = (SlFeatureStep) {
    .outputs = COLOURS, .side = 1, .stride = 1, .w = at, .b = at + COLOURS * 3
  };
  for (unsigned c = 0; c < 3; c++)
    {
      (*features)->weights[at + c * 3 + c] = 1;
      (*features)->weights[at + (c + 3) * 3 + c] = -1;
      (*features)->scale[c] = 2;
      (*features)->offset[c] = -1;
    }
  for (unsigned s = 0; s < scales; s++)
    {
      if (s > 0)
        picture = sl_features_add_pool (*features, picture, SL_STEP_MEAN, 2, 2, false);
      add_scale (*features, picture, group, SIZES + 1);
    }
  (*features)->title = scales == 1 ? sl_message ("random filters at 1 scale")
                                   : sl_message ("random filters at %u scales", scales);
  return SL_SUCCESS;
}
