/* SPDX-License-Identifier: MIT
 *
 * Planes through the input space; see slice.h.  */
#include "core/lab/map/slice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/rng.h"
#include "core/nn/kernels/mat.h"

enum {
  SAMPLE = 1000, /* training examples for the components and the rectangle */
  ROUNDS = 20,   /* of subspace iteration */
};

/* Room around the data, as a share of their extent. */
#define MARGIN 0.12

/* One side of the rectangle is at most so many times the other: units are as long both ways. */
#define LONGEST 1.6

SlStatus
sl_slice_init (SlSlice *slice, const SlDataset *dataset)
{
  size_t   d = dataset->features;
  sl_real *block = calloc (6 * d, sizeof *block);

  *slice = (SlSlice) { .dataset = dataset };
  if (block == NULL)
    return sl_status_no_memory ("map");
  slice->origin = block;
  for (int i = 0; i < 2; i++)
    {
      slice->direction[i] = block + (size_t) (1 + i) * d;
      slice->component[i] = block + (size_t) (3 + i) * d;
    }
  slice->mean = block + 5 * d;
  sl_slice_set_view (slice, &(SlMapView) { .slice = SL_SLICE_COMPONENTS, .axis = { 0, 1 } });
  return SL_SUCCESS;
}

void
sl_slice_clear (SlSlice *slice)
{
  free (slice->origin);
  *slice = (SlSlice) { 0 };
}

/* Makes two columns of length 1 at right angles. */
static void
orthonormalise (size_t d, sl_real *a, sl_real *b)
{
  double aa = 0.0, ab = 0.0, bb = 0.0;

  for (size_t i = 0; i < d; i++)
    aa += (double) a[i] * (double) a[i];
  for (size_t i = 0; i < d; i++)
    a[i] /= (sl_real) (sqrt (aa) + 1e-30);
  for (size_t i = 0; i < d; i++)
    ab += (double) a[i] * (double) b[i];
  for (size_t i = 0; i < d; i++)
    b[i] -= (sl_real) ab * a[i];
  for (size_t i = 0; i < d; i++)
    bb += (double) b[i] * (double) b[i];
  for (size_t i = 0; i < d; i++)
    b[i] /= (sl_real) (sqrt (bb) + 1e-30);
}

/* The two leading eigenvectors of the covariance of a sample, by subspace iteration. */
static void
find_components (SlSlice *slice)
{
  size_t   d = slice->dataset->features, all = slice->dataset->n[SL_TRAIN];
  size_t   n = all < SAMPLE ? all : SAMPLE;
  sl_real *x = malloc (n * d * sizeof *x), *basis = malloc (2 * d * sizeof *basis);
  sl_real *along = malloc (2 * n * sizeof *along);
  double   total = 0.0, found = 0.0;
  SlRng    rng;

  if (x == NULL || basis == NULL || along == NULL)
    goto out; /* The plane stays at the axes. */
  memset (slice->mean, 0, d * sizeof *slice->mean);
  for (size_t e = 0; e < n; e++)
    {
      uint8_t label;

      sl_dataset_range (slice->dataset, e * all / n, 1, x + e * d, &label);
      for (size_t i = 0; i < d; i++)
        slice->mean[i] += x[e * d + i] / (sl_real) n;
    }
  for (size_t e = 0; e < n; e++)
    for (size_t i = 0; i < d; i++)
      {
        x[e * d + i] -= slice->mean[i];
        total += (double) x[e * d + i] * (double) x[e * d + i];
      }
  sl_rng_init (&rng, 1, "components");
  for (size_t i = 0; i < 2 * d; i++)
    basis[i] = (sl_real) sl_rng_normal (&rng);
  for (int round = 0; round < ROUNDS; round++)
    {
      orthonormalise (d, basis, basis + d);
      sl_mat_mul (SL_PLAIN, SL_TRANSPOSED, n, 2, d, 1, x, d, basis, d, 0, along, 2);
      if (round + 1 < ROUNDS)
        sl_mat_mul (SL_TRANSPOSED, SL_PLAIN, 2, d, n, 1, along, 2, x, d, 0, basis, d);
    }
  for (size_t i = 0; i < 2 * n; i++)
    found += (double) along[i] * (double) along[i];
  memcpy (slice->component[0], basis, d * sizeof *basis);
  memcpy (slice->component[1], basis + d, d * sizeof *basis);
  slice->share = total > 0.0 ? found / total : 0.0;
  slice->has_components = true;
out:
  free (x);
  free (basis);
  free (along);
}

/* The rectangle that the data fill, with some room. */
static void
measure_rectangle (SlSlice *slice)
{
  size_t   all = slice->dataset->n[SL_TRAIN], n = all < SAMPLE ? all : SAMPLE;
  sl_real *input = malloc (slice->dataset->features * sizeof *input);
  double   lo[2] = { HUGE_VAL, HUGE_VAL }, hi[2] = { -HUGE_VAL, -HUGE_VAL };

  for (size_t e = 0; input != NULL && e < n; e++)
    {
      double  at[2];
      uint8_t label;

      sl_dataset_range (slice->dataset, e * all / n, 1, input, &label);
      sl_slice_place (slice, input, &at[0], &at[1]);
      for (int i = 0; i < 2; i++)
        {
          lo[i] = fmin (lo[i], at[i]);
          hi[i] = fmax (hi[i], at[i]);
        }
    }
  for (int i = 0; i < 2; i++)
    {
      double room = hi[i] > lo[i] ? MARGIN * (hi[i] - lo[i]) : 1.0;

      lo[i] = lo[i] <= hi[i] ? lo[i] - room : -1.0;
      hi[i] = lo[i] < hi[i] ? hi[i] + room : 1.0;
    }
  for (int i = 0; i < 2; i++)
    {
      double more = (hi[1 - i] - lo[1 - i]) / LONGEST - (hi[i] - lo[i]);

      lo[i] -= fmax (0.5 * more, 0.0);
      hi[i] += fmax (0.5 * more, 0.0);
    }
  slice->left = lo[0];
  slice->right = hi[0];
  slice->bottom = lo[1];
  slice->top = hi[1];
  free (input);
}

static void
along_axes (SlSlice *slice)
{
  size_t  d = slice->dataset->features;
  uint8_t label;

  memset (slice->direction[0], 0, d * sizeof (sl_real));
  memset (slice->direction[1], 0, d * sizeof (sl_real));
  sl_dataset_range (slice->dataset, slice->through, 1, slice->origin, &label);
  /* A single feature runs across, and nothing changes upwards. */
  for (size_t i = 0; i < 2 && i < d; i++)
    {
      slice->direction[i][slice->axis[i]] = 1;
      slice->origin[slice->axis[i]] = 0;
    }
}

void
sl_slice_set_view (SlSlice *slice, const SlMapView *view)
{
  const SlDataset *data = slice->dataset;
  size_t           n = 0;

  for (int s = 0; s < SL_N_SPLITS; s++)
    n += data->n[s];
  slice->kind = data->features > 2 ? view->slice : SL_SLICE_AXES;
  slice->through = view->through < n ? view->through : 0;
  for (int i = 0; i < 2; i++)
    {
      slice->axis[i] = data->features > 2 ? view->axis[i] : (unsigned) i;
      if (slice->axis[i] >= data->features)
        slice->axis[i] = data->features - 1;
    }
  if (slice->axis[0] == slice->axis[1] && data->features > 1)
    slice->axis[1] = slice->axis[0] > 0 ? slice->axis[0] - 1 : 1;

  if (slice->kind == SL_SLICE_COMPONENTS && !slice->has_components)
    find_components (slice);
  if (slice->kind == SL_SLICE_COMPONENTS && slice->has_components)
    {
      size_t bytes = data->features * sizeof (sl_real);

      memcpy (slice->origin, slice->mean, bytes);
      memcpy (slice->direction[0], slice->component[0], bytes);
      memcpy (slice->direction[1], slice->component[1], bytes);
    }
  else
    {
      slice->kind = SL_SLICE_AXES;
      along_axes (slice);
    }
  measure_rectangle (slice);
}

void
sl_slice_points (const SlSlice *slice, unsigned side, size_t first, size_t n, sl_real *x)
{
  size_t d = slice->dataset->features;

  for (size_t k = 0; k < n; k++)
    {
      size_t  row = (first + k) / side, column = (first + k) % side;
      double  across = ((double) column + 0.5) / side, down = ((double) row + 0.5) / side;
      sl_real u = (sl_real) (slice->left + across * (slice->right - slice->left));
      sl_real v = (sl_real) (slice->top - down * (slice->top - slice->bottom));

      for (size_t i = 0; i < d; i++)
        x[k * d + i] = slice->origin[i] + u * slice->direction[0][i] + v * slice->direction[1][i];
    }
}

void
sl_slice_place (const SlSlice *slice, const sl_real *input, double *x, double *y)
{
  size_t d = slice->dataset->features;

  *x = *y = 0.0;
  for (size_t i = 0; i < d; i++)
    {
      double off = (double) (input[i] - slice->origin[i]);

      *x += off * (double) slice->direction[0][i];
      *y += off * (double) slice->direction[1][i];
    }
}

void
sl_slice_rectangle (const SlSlice *slice, double *left, double *right, double *bottom, double *top)
{
  *left = slice->left;
  *right = slice->right;
  *bottom = slice->bottom;
  *top = slice->top;
}

bool
sl_slice_axes (const SlSlice *slice, unsigned axis[2])
{
  bool plane = slice->dataset->features == 2;

  axis[0] = plane ? 0 : slice->axis[0];
  axis[1] = plane ? 1 : slice->axis[1];
  return plane || (slice->dataset->features > 2 && slice->kind == SL_SLICE_AXES);
}

SlMessage
sl_slice_text (const SlSlice *slice)
{
  if (slice->dataset->features <= 2)
    return SL_NO_MESSAGE;
  if (slice->kind == SL_SLICE_COMPONENTS)
    return sl_message ("Slice along 2 principal components, %.0f %% of the variance",
                       100.0 * slice->share);
  return sl_message ("Slice along features %u and %u through example %u", slice->axis[0] + 1,
                     slice->axis[1] + 1, slice->through + 1);
}
