/* SPDX-License-Identifier: MIT */
#include "core/run/compare/baseline.h"

#include <math.h>
#include <string.h>

enum { NUMBERED = 9 }; /* most of one kind */

static const double DENSE = 100.0; /* % */

/* A score of the split that the errors are of, or a channel.  `number` 0: it has none. */
static double
figure_of (const SlTrade *trade, const SlStoreRun *run, const char *id, unsigned number)
{
  g_autofree char *name = number > 0 ? g_strdup_printf ("%s%u", id, number) : g_strdup (id);
  g_autofree char *score
    = g_strconcat (trade->split == SL_TRADE_TEST ? "test." : "valid.", name, NULL);
  double value = sl_store_run_score (run, score);

  return isfinite (value) ? value : sl_store_run_score (run, name);
}

static void
read_run (const SlTrade *trade, const SlBaseline *of, unsigned number, const SlTradeRun *run,
          double *x, double *y)
{
  *x = *y = (double) NAN;
  if (run->part != SL_TRADE_IN)
    return;
  *x = of->cost != NULL ? figure_of (trade, run->run, of->cost, number) : DENSE;
  *y = isfinite (*x) ? figure_of (trade, run->run, of->error, number) : (double) NAN;
  *x = isfinite (*y) ? *x : (double) NAN;
}

static void
add (const SlTrade *trade, const SlBaseline *of, unsigned number, GArray *out)
{
  guint                n = trade->runs->len, points = trade->points->len;
  g_autofree double   *x = g_new (double, n + 1), *y = g_new (double, n + 1);
  g_autofree unsigned *group = g_new (unsigned, n + 1);
  g_autofree SlMean   *mean = g_new (SlMean, 2 * points + 1);

  for (guint i = 0; i < n; i++)
    {
      group[i] = sl_trade_run (trade, i)->point;
      read_run (trade, of, number, sl_trade_run (trade, i), &x[i], &y[i]);
    }
  sl_mean_groups (x, group, n, mean, points);
  sl_mean_groups (y, group, n, mean + points, points);
  for (guint p = 0; p < points; p++)
    if (mean[p].n > 0 && !sl_trade_point (trade, p)->apart)
      g_array_append_val (out, ((SlTradeBaseline) { of->title, p, mean[p], mean[points + p] }));
}

/* Whether the axes have a place for it. */
static bool
is_placed (const SlTrade *trade, const SlBaseline *of)
{
  if (!trade->frontier || trade->x.cost == SL_COST_PARAMETERS)
    return false;
  return trade->x.cost != SL_COST_TIMED || of->cost == NULL;
}

GArray *
sl_trade_baselines (const SlTrade *trade)
{
  GArray *out = g_array_new (FALSE, FALSE, sizeof (SlTradeBaseline));

  for (const SlBaseline *of = trade->lab->baseline; of != NULL && of->title != NULL; of++)
    {
      bool numbered = g_str_has_suffix (of->error, "-");

      if (!is_placed (trade, of))
        continue;
      for (unsigned i = numbered; i <= (numbered ? NUMBERED : 0); i++)
        add (trade, of, i, out);
    }
  return out;
}
