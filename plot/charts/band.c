/* SPDX-License-Identifier: MIT
 *
 * Runs merged step by step; see band.h.  */
#include "plot/charts/band.h"

#include <math.h>
#include <stdlib.h>

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

/* One step of all runs; sums are taken from the first value on, so that large values keep their
 * small differences.  */
static bool
add_step (SlBand *band, const SlSeries *const *runs, const size_t *at, unsigned n, SlBandKind kind,
          double step)
{
  double   base = NAN, sum = 0.0, squares = 0.0, lo = HUGE_VAL, hi = -HUGE_VAL, mean, spread;
  unsigned k = 0;

  for (unsigned r = 0; r < n; r++)
    {
      double value = value_at (runs[r], at[r], step);

      if (!isfinite (value))
        continue;
      if (k++ == 0)
        base = value;
      sum += value - base;
      squares += (value - base) * (value - base);
      lo = fmin (lo, value);
      hi = fmax (hi, value);
    }
  mean = base + sum / k;
  if (kind == SL_BAND_DEVIATION)
    {
      spread = k > 1 ? sqrt (fmax (squares - sum * sum / k, 0.0) / (k - 1)) : 0.0;
      lo = mean - spread;
      hi = mean + spread;
    }
  if (k == 0)
    mean = lo = hi = NAN;
  return sl_series_append (&band->mean, step, mean) && sl_series_append (&band->low, step, lo)
         && sl_series_append (&band->high, step, hi);
}

bool
sl_band_make (SlBand *band, const SlSeries *const *runs, unsigned n, SlBandKind kind)
{
  size_t *at;

  sl_band_clear (band);
  at = calloc (n > 0 ? n : 1, sizeof *at);
  if (at == NULL)
    return false;
  for (unsigned r = 0; r < n; r++)
    band->n += runs[r]->n > 0;
  for (;;)
    {
      double step = HUGE_VAL;

      for (unsigned r = 0; r < n; r++)
        if (at[r] < runs[r]->n)
          step = fmin (step, runs[r]->step[at[r]]);
      if (step == HUGE_VAL)
        break;
      if (!add_step (band, runs, at, n, kind, step))
        {
          free (at);
          sl_band_clear (band);
          return false;
        }
      for (unsigned r = 0; r < n; r++)
        while (at[r] < runs[r]->n && runs[r]->step[at[r]] <= step)
          at[r]++;
    }
  free (at);
  return true;
}

bool
sl_band_difference (SlSeries *out, const SlSeries *first, const SlSeries *second)
{
  size_t i = 0, k = 0;

  sl_series_clear (out);
  while (i < first->n && k < second->n)
    {
      double a = first->step[i], b = second->step[k];

      if (a < b || (i + 1 < first->n && first->step[i + 1] == a))
        i++;
      else if (b < a || (k + 1 < second->n && second->step[k + 1] == b))
        k++;
      else
        {
          if (!sl_series_append (out, a, second->value[k] - first->value[i]))
            {
              sl_series_clear (out);
              return false;
            }
          i++;
          k++;
        }
    }
  return true;
}
