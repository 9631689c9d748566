/* SPDX-License-Identifier: MIT
 *
 * The picture of the lab `capacity`: the output of one random network as a lamp, its light layer by layer, and what
 * theory says.  */
#include <math.h>

#include "core/lab/kit/alive.h"
#include "core/labs/capacity/probes.h"

enum {
  SLOT = 1,
  MOST_COLUMNS = 36, /* layers that are shown, */
  MOST_ROWS = 61,    /* and positions, or groups of neighbours */
  LEAST_REACH = 8,   /* positions to either side */
};

/* Positions beyond so many standard deviations are not shown. */
static const double REACH = 3.5;

typedef struct
{
  const Design *d;
  const double *light, *theory;      /* (layers + 1, n) */
  size_t        columns, rows, each; /* each: positions of a row */
  long          first;               /* position of the first row, from the lamp */
} Picture;

/* The layer of a column, counted from the output. */
static size_t
layer_of (const Picture *v, size_t column)
{
  return v->columns > 1 ? (column * v->d->layers + (v->columns - 1) / 2) / (v->columns - 1) : 0;
}

/* The positions around the lamp: on a ring each of them once. */
static void
find_range (const Design *d, long *lo, long *hi)
{
  bool ring = d->edge == SL_EDGE_PERIODIC;

  *lo = ring ? -(long) ((d->n - 1) / 2) : -d->x0;
  *hi = *lo + (long) d->n - 1;
}

/* What is in a row of one layer. */
static double
sum_row (const Picture *v, const double *layer, size_t row)
{
  long   n = (long) v->d->n, lo, hi;
  double sum = 0.0;

  find_range (v->d, &lo, &hi);
  for (size_t i = 0; i < v->each; i++)
    {
      long x = v->first + (long) (row * v->each + i);

      if (x >= lo && x <= hi)
        sum += layer[(v->d->x0 + x + n) % n];
    }
  return sum;
}

static double
largest_row (const Picture *v, const double *layer)
{
  double most = 0.0;

  for (size_t row = 0; row < v->rows; row++)
    most = fmax (most, sum_row (v, layer, row));
  return most;
}

/* Where light is, in all layers, with the lamp in the middle of its row. */
static void
choose_rows (Picture *v, const Fall *fall)
{
  double from = -LEAST_REACH, to = LEAST_REACH;
  long   lo, hi, above;

  for (size_t m = 0; m <= v->d->layers; m++)
    {
      double reach = REACH * sqrt (fall->variance[m]);

      from = fmin (from, fall->mean[m] - reach);
      to = fmax (to, fall->mean[m] + reach);
    }
  find_range (v->d, &lo, &hi);
  lo = lrint (fmax (from, (double) lo));
  hi = lrint (fmin (to, (double) hi));
  v->each = 1;
  while ((size_t) (hi - lo) / v->each + 2 > MOST_ROWS)
    v->each += 2;
  above = (-lo + (long) v->each / 2) / (long) v->each; /* rows */
  v->first = -above * (long) v->each - (long) v->each / 2;
  v->rows = (size_t) (hi - v->first) / v->each + 1;
}

static void
add_light (const Picture *v, SlAliveWriter *w)
{
  double most[2][MOST_COLUMNS];

  for (size_t j = 0; j < v->columns; j++)
    {
      size_t m = layer_of (v, j);

      most[0][j] = largest_row (v, v->light + m * v->d->n);
      most[1][j] = largest_row (v, v->theory + m * v->d->n);
    }
  sl_alive_grid (w, SL_ALIVE_LIGHT, v->columns, v->columns, SLOT,
                 sl_message ("%zu layers; lines show theory", v->d->layers));
  for (size_t row = 0; row < v->rows; row++)
    for (size_t j = 0; j < v->columns; j++)
      {
        double here = sum_row (v, v->light + layer_of (v, j) * v->d->n, row);
        double theory = sum_row (v, v->theory + layer_of (v, j) * v->d->n, row);

        sl_alive_cell (w, SL_ALIVE_USED, sqrt (here / most[0][j]), sqrt (theory / most[1][j]),
                       row * v->columns + j);
      }
}

/* In parts of the larger of both, so that bars and line can be compared. */
static void
add_profile (const Picture *v, SlAliveWriter *w)
{
  const double *light = v->light + v->d->layers * v->d->n;
  const double *theory = v->theory + v->d->layers * v->d->n;
  double        most = fmax (largest_row (v, light), largest_row (v, theory));

  sl_alive_group (w, SL_ALIVE_PROFILE, v->rows, SLOT, sl_message ("at the input"));
  for (size_t row = 0; row < v->rows; row++)
    sl_alive_cell (w, SL_ALIVE_USED, sum_row (v, light, row) / most,
                   sum_row (v, theory, row) / most, row);
}

static void
add_sentence (const Picture *v, SlProbe *p)
{
  size_t last = v->d->layers * v->d->n;
  double mean, variance, share = sl_capacity_sum (v->d->n, v->light + last);

  sl_capacity_spread (v->d->n, v->light + last, v->d->x0, v->d->edge == SL_EDGE_PERIODIC, &mean,
                      &variance);
  sl_probe_note (p,
                 "After %zu layers the light is spread over %.2f pixels (theory %.2f); %.0f %% "
                 "arrives (theory %.0f %%).",
                 v->d->layers, sqrt (variance), sl_capacity_std (v->d), 100.0 * share,
                 100.0 * sl_capacity_sum (v->d->n, v->theory + last));
}

void
sl_capacity_probe_alive (SlProbe *p)
{
  SlCapacityLab *s = sl_capacity_lab (p->state);
  unsigned       example = p->sink->subject != NULL ? p->sink->subject->example : 0;
  Picture        v = { 0 };
  SlAliveWriter  w;
  SlRng          seed;
  Design         d;
  double        *light;

  if (!sl_capacity_fall (p, &d))
    return;
  light = sl_probe_room (p, (d.layers + 1) * d.n, sizeof *light);
  if (light == NULL || !sl_alive_begin (&w, p))
    return;
  sl_rng_init (&seed, s->now->seed + example, "lamp");
  sl_capacity_field_light (s, &d, &seed, light);
  v = (Picture) { .d = &d, .light = light, .theory = s->fall.profile };
  v.columns = d.layers + 1 < MOST_COLUMNS ? d.layers + 1 : MOST_COLUMNS;
  choose_rows (&v, &s->fall);
  sl_alive_lamp (&w, sl_message ("network %u", example + 1));
  add_light (&v, &w);
  add_profile (&v, &w);
  add_sentence (&v, p);
  sl_alive_end (&w);
}
