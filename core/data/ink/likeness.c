/* SPDX-License-Identifier: MIT */
#include "core/data/ink/likeness.h"

#include <math.h>
#include <stdlib.h>

enum { TRAINED = 1000, MEASURED = 500 };

static const double SHARE = 0.99;

struct SlLikeness
{
  unsigned features;
  size_t   n_trained, n_measured;
  float   *trained, *measured; /* (n, features) in one block, which is the first's */
  float    limit;              /* squared distance */
};

static void
copy (const SlDataset *data, size_t first, size_t n, float *to)
{
  size_t from = first * data->features;

  for (size_t i = 0; i < n * data->features; i++)
    to[i] = data->bytes != NULL ? (float) data->bytes[from + i] / 255.0f
                                : (float) data->values[from + i];
}

static size_t
at_most (size_t n, size_t most)
{
  return n < most ? n : most;
}

SlLikeness *
sl_likeness_new (const SlDataset *data)
{
  SlLikeness *l = calloc (1, sizeof *l);

  if (l == NULL)
    return NULL;
  l->features = data->features;
  l->n_trained = at_most (data->n[SL_TRAIN], TRAINED);
  l->n_measured = at_most (data->n[SL_VALID], MEASURED);
  l->trained = calloc ((l->n_trained + l->n_measured) * l->features, sizeof (float));
  if (l->trained == NULL)
    {
      free (l);
      return NULL;
    }
  l->measured = l->trained + l->n_trained * l->features;
  l->limit = HUGE_VALF;
  copy (data, sl_dataset_first (data, SL_TRAIN), l->n_trained, l->trained);
  copy (data, sl_dataset_first (data, SL_VALID), l->n_measured, l->measured);
  return l;
}

void
sl_likeness_free (SlLikeness *l)
{
  if (l != NULL)
    free (l->trained);
  free (l);
}

/* The squared distance; above `enough`, just more than that. */
static float
distance (const float *a, const float *b, unsigned n, float enough)
{
  float sum = 0.0f;

  for (unsigned i = 0; i < n && sum <= enough;)
    for (unsigned end = i + 56 < n ? i + 56 : n; i < end; i++)
      sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

static float
nearest (const SlLikeness *l, const float *x)
{
  float least = HUGE_VALF;

  for (size_t i = 0; i < l->n_trained; i++)
    least = fminf (least, distance (x, l->trained + i * l->features, l->features, least));
  return least;
}

static int
compare (const void *a, const void *b)
{
  float x = *(const float *) a, y = *(const float *) b;

  return (x > y) - (x < y);
}

void
sl_likeness_measure (SlLikeness *l)
{
  float square[MEASURED];

  if (l->n_measured == 0)
    return;
  for (size_t i = 0; i < l->n_measured; i++)
    square[i] = nearest (l, l->measured + i * l->features);
  qsort (square, l->n_measured, sizeof *square, compare);
  l->limit = square[(size_t) ceil (SHARE * (double) l->n_measured) - 1];
}

bool
sl_likeness_is_far (const SlLikeness *l, const float *own)
{
  return nearest (l, own) > l->limit;
}
