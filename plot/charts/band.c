/* SPDX-License-Identifier: MIT
 *
 * Runs merged step by step; see band.h.  */
#include "plot/charts/band.h"

#include <math.h>
#include <stdlib.h>

#include "core/run/tradeoff/mean.h"

void
sl_band_clear (SlBand *band)
{
  sl_series_clear (&band->mean);
  sl_series_clear (&band->low);
  sl_series_clear (&band->high);
  band->n = 0;
}

/* The value of a run at a step; `at` is its first sample at or behind it. */
static double
value_at (const SlSeries *run, size_t at, double step)
{
  double before, after, t;

  if (at == run->n)
    return NAN;
  if (run->step[at] == step)
    {
      /* Of samples of one step the last one counts. */
      while (at + 1 < run->n && run->step[at + 1] == step)
        at++;
      return run->value[at];
    }
  if (at == 0)
    return NAN;
  before = run->value[at - 1];
  after = run->value[at];
  t = (step - run->step[at - 1]) / (run->step[at] - run->step[at - 1]);
  return isfinite (before) && isfinite (after) ? before + t * (after - before) : (double) NAN;
}

/* Some runs on the way along their steps. */
typedef struct
{
  const SlSeries *const *run;
  unsigned               n;
  size_t  *at;     /* (n) owned: of each its first sample at or behind the step that is next */
  unsigned before; /* values at the last step, and what sl_mean_factor() says of so many */
  double   factor;
} Walk;

static bool
begin (Walk *walk, const SlSeries *const *run, unsigned n)
{
  *walk = (Walk) { run, n, calloc (n > 0 ? n : 1, sizeof *walk->at), 0, (double) NAN };
  return walk->at != NULL;
}

/* HUGE_VAL: there is none. */
static double
next_step (const Walk *walk)
{
  double step = HUGE_VAL;

  for (unsigned r = 0; r < walk->n; r++)
    if (walk->at[r] < walk->run[r]->n)
      step = fmin (step, walk->run[r]->step[walk->at[r]]);
  return step;
}

static void
pass (Walk *walk, double step)
{
  for (unsigned r = 0; r < walk->n; r++)
    while (walk->at[r] < walk->run[r]->n && walk->run[r]->step[walk->at[r]] <= step)
      walk->at[r]++;
}

/* The runs at one step; sums are taken from the first value on, so that large values keep their small differences. */
static SlMean
mean_at (Walk *walk, double step, double *lo, double *hi)
{
  SlMean mean = { .mean = NAN, .half = NAN };
  double base = NAN, sum = 0.0, squares = 0.0;

  *lo = HUGE_VAL;
  *hi = -HUGE_VAL;
  for (unsigned r = 0; r < walk->n; r++)
    {
      double value = value_at (walk->run[r], walk->at[r], step);

      if (!isfinite (value))
        continue;
      if (mean.n++ == 0)
        base = value;
      sum += value - base;
      squares += (value - base) * (value - base);
      *lo = fmin (*lo, value);
      *hi = fmax (*hi, value);
    }
  if (mean.n == 0)
    return mean;
  mean.mean = base + sum / mean.n;
  mean.sd = mean.n > 1 ? sqrt (fmax (squares - sum * sum / mean.n, 0.0) / (mean.n - 1)) : 0.0;
  if (mean.n != walk->before)
    walk->factor = sl_mean_factor (mean.n);
  walk->before = mean.n;
  mean.half = walk->factor * mean.sd;
  return mean;
}

static bool
append (SlBand *band, double step, double mean, double low, double high)
{
  return sl_series_append (&band->mean, step, mean) && sl_series_append (&band->low, step, low)
         && sl_series_append (&band->high, step, high);
}

static bool
add_step (SlBand *band, Walk *walk, SlBandKind kind, double step)
{
  double lo, hi;
  SlMean mean = mean_at (walk, step, &lo, &hi);

  if (mean.n == 0)
    return append (band, step, NAN, NAN, NAN);
  if (kind == SL_BAND_RANGE)
    return append (band, step, mean.mean, lo, hi);
  if (mean.n == 1)
    return append (band, step, mean.mean, mean.mean, mean.mean);
  return append (band, step, mean.mean, mean.mean - mean.half, mean.mean + mean.half);
}

bool
sl_band_make (SlBand *band, const SlSeries *const *runs, unsigned n, SlBandKind kind)
{
  Walk walk;
  bool room = begin (&walk, runs, n);

  sl_band_clear (band);
  for (unsigned r = 0; r < n; r++)
    band->n += runs[r]->n > 0;
  for (double step; room && (step = next_step (&walk)) < HUGE_VAL; pass (&walk, step))
    room = add_step (band, &walk, kind, step);
  free (walk.at);
  if (!room)
    sl_band_clear (band);
  return room;
}

/* Where one of the groups has no run there is no difference. */
static bool
add_gap (SlBand *band, Walk walk[2], double step)
{
  double lo, hi;
  SlMean first = mean_at (&walk[0], step, &lo, &hi), second = mean_at (&walk[1], step, &lo, &hi);
  SlGap  gap = sl_gap (&first, &second);

  return isnan (gap.value)
         || append (band, step, gap.value, gap.value - gap.half, gap.value + gap.half);
}

bool
sl_band_gap (SlBand *band, const SlSeries *const *first, unsigned n_first,
             const SlSeries *const *second, unsigned n_second)
{
  Walk walk[2];
  bool room = begin (&walk[0], first, n_first);

  room = begin (&walk[1], second, n_second) && room;
  sl_band_clear (band);
  band->n = n_first + n_second;
  while (room)
    {
      double step = fmin (next_step (&walk[0]), next_step (&walk[1]));

      if (step == HUGE_VAL)
        break;
      room = add_gap (band, walk, step);
      pass (&walk[0], step);
      pass (&walk[1], step);
    }
  free (walk[0].at);
  free (walk[1].at);
  if (!room)
    sl_band_clear (band);
  return room;
}
