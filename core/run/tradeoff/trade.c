/* SPDX-License-Identifier: MIT
 *
 * Runs to points; see trade.h.  */
#include "core/run/tradeoff/trade.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void
sl_trade_init (SlTrade *trade, const SlLab *lab, SlCost cost)
{
  *trade = (SlTrade) { .lab = lab, .cost = cost };
  trade->runs = g_array_new (FALSE, FALSE, sizeof (SlTradeRun));
  trade->points = g_array_new (FALSE, FALSE, sizeof (SlTradePoint));
}

static SlTradeRun *
run_at (const SlTrade *trade, guint i)
{
  return &g_array_index (trade->runs, SlTradeRun, i);
}

static SlTradePoint *
point_at (const SlTrade *trade, guint p)
{
  return &g_array_index (trade->points, SlTradePoint, p);
}

static void
drop_points (SlTrade *trade)
{
  for (guint p = 0; p < trade->points->len; p++)
    g_free (point_at (trade, p)->score);
  g_array_set_size (trade->points, 0);
}

void
sl_trade_clear (SlTrade *trade)
{
  for (guint i = 0; i < trade->runs->len; i++)
    {
      free (run_at (trade, i)->settings);
      g_free (run_at (trade, i)->data);
      g_free (run_at (trade, i)->score);
    }
  drop_points (trade);
  g_array_unref (trade->runs);
  g_array_unref (trade->points);
  *trade = (SlTrade) { 0 };
}

void
sl_trade_add (SlTrade *trade, const SlTradeRun *run)
{
  g_array_append_vals (trade->runs, run, 1);
  trade->n_scores = MAX (trade->n_scores, run->n_scores);
}

bool
sl_trade_add_stored (SlTrade *trade, const SlStoreRun *stored)
{
  static const char test[] = "test.";
  SlScore           score[SL_SCORES_MAX];
  SlTradeRun        run;

  if (stored->lab != trade->lab
      || (stored->status != SL_RUN_FINISHED && stored->status != SL_RUN_DIVERGED))
    return false;
  run = (SlTradeRun) {
    .number = stored->sweep[0] != '\0' ? stored->cell : trade->runs->len,
    .settings = sl_packed_copy (stored->settings),
    .data = g_strdup (stored->data),
    .seed = stored->seed,
    .step = stored->step,
    .colour = stored->colour,
    .diverged = stored->status == SL_RUN_DIVERGED,
  };
  g_strlcpy (run.id, stored->uuid, sizeof run.id);
  sl_store_run_outcome (stored, &run.outcome);
  if (run.outcome.validation)
    run.outcome.error = NAN; /* not to be compared with those of the test */
  /* Names of figures live as long as the program. */
  for (unsigned f = 0; f < stored->n_figures && run.n_scores < SL_SCORES_MAX; f++)
    if (g_str_has_prefix (stored->figure[f].name, test))
      {
        const char *id = stored->figure[f].name + strlen (test);

        score[run.n_scores++] = (SlScore) { id, id, "", stored->figure[f].value };
      }
  run.score = g_memdup2 (score, run.n_scores * sizeof *score);
  sl_trade_add (trade, &run);
  return true;
}

bool
sl_trade_has_cost (const SlTrade *trade, SlCost cost)
{
  for (guint i = 0; i < trade->runs->len; i++)
    if (isfinite (sl_cost_of (&run_at (trade, i)->outcome, cost)))
      return true;
  return false;
}

/* The same for all runs that differ in nothing but the seed.  Free with g_free(). */
static char *
key_of (const SlTrade *trade, const SlTradeRun *run)
{
  g_autofree char *words
    = sl_tradeoff_text (trade->lab, run->settings, trade->varies, trade->n_varies, false);

  return g_strconcat (words, "\n", trade->data_varies ? run->data : "", NULL);
}

static void
find_what_varies (SlTrade *trade)
{
  guint                       n = trade->runs->len;
  g_autofree const SlPacked **settings = g_new (const SlPacked *, MAX (n, 1));

  trade->data_varies = false;
  for (guint i = 0; i < n; i++)
    {
      settings[i] = run_at (trade, i)->settings;
      trade->data_varies
        = trade->data_varies || strcmp (run_at (trade, 0)->data, run_at (trade, i)->data) != 0;
    }
  trade->n_varies = sl_tradeoff_varied (trade->lab, settings, n, trade->varies);
}

/* Puts a run to those of its setting; the first of its kind makes the point.  `place` has 1 + the number of the point of
 * each key.  */
static void
settle_run (SlTrade *trade, guint i, GHashTable *place)
{
  GArray       *points = trade->points;
  SlTradeRun   *run = run_at (trade, i);
  char         *key = key_of (trade, run);
  guint         found = GPOINTER_TO_UINT (g_hash_table_lookup (place, key));
  SlTradePoint *point, fresh = { .first = i };

  run->point = found > 0 ? found - 1 : points->len;
  if (found > 0)
    g_free (key);
  else
    {
      fresh.score = g_new0 (SlMean, trade->n_scores);
      g_array_append_val (points, fresh);
      g_hash_table_insert (place, key, GUINT_TO_POINTER (points->len));
    }
  point = point_at (trade, run->point);
  point->n += !run->diverged;
  point->diverged += run->diverged;
}

static double
value_of (const SlTradeRun *run, unsigned which)
{
  if (run->diverged)
    return NAN;
  if (which == 0)
    return run->outcome.error;
  if (which <= SL_N_COSTS)
    return sl_cost_of (&run->outcome, (SlCost) (which - 1));
  return which - 1 - SL_N_COSTS < run->n_scores ? run->score[which - 1 - SL_N_COSTS].value : NAN;
}

/* Means of the error, then of the costs, then of the scores. */
static void
settle_means (SlTrade *trade)
{
  guint                n = trade->runs->len, points = trade->points->len;
  g_autofree double   *value = g_new (double, n);
  g_autofree unsigned *group = g_new (unsigned, n);
  g_autofree SlMean   *mean = g_new (SlMean, points);

  for (unsigned which = 0; which < 1 + SL_N_COSTS + trade->n_scores; which++)
    {
      for (guint i = 0; i < n; i++)
        {
          value[i] = value_of (run_at (trade, i), which);
          group[i] = run_at (trade, i)->point;
        }
      sl_tradeoff_means (value, group, n, mean, points);
      for (guint p = 0; p < points; p++)
        {
          SlTradePoint *point = point_at (trade, p);

          *(which == 0            ? &point->error
            : which <= SL_N_COSTS ? &point->cost[which - 1]
                                  : &point->score[which - 1 - SL_N_COSTS])
            = mean[p];
        }
    }
}

static int
by_number (const void *a, const void *b)
{
  const SlTradeRun *x = a, *y = b;

  return (x->number > y->number) - (x->number < y->number);
}

void
sl_trade_settle (SlTrade *trade)
{
  g_autofree SlTradeoff *setting = NULL;
  g_autoptr (GHashTable) place = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  g_array_sort (trade->runs, by_number);
  find_what_varies (trade);
  drop_points (trade);
  for (guint i = 0; i < trade->runs->len; i++)
    settle_run (trade, i, place);
  settle_means (trade);
  setting = g_new0 (SlTradeoff, trade->points->len);
  for (guint p = 0; p < trade->points->len; p++)
    setting[p] = (SlTradeoff) { .cost = point_at (trade, p)->cost[trade->cost].mean,
                                .error = point_at (trade, p)->error.mean };
  sl_tradeoff_front (setting, trade->points->len, NULL);
  for (guint p = 0; p < trade->points->len; p++)
    point_at (trade, p)->best = setting[p].best;
}

char *
sl_trade_words (const SlTrade *trade, const SlTradePoint *point)
{
  const SlTradeRun *run = run_at (trade, point->first);
  g_autofree char  *words
    = sl_tradeoff_text (trade->lab, run->settings, trade->varies, trade->n_varies, true);

  if (trade->data_varies)
    return g_strconcat (words, *words != '\0' ? ", " : "", run->data, NULL);
  return g_strdup (*words != '\0' ? words : trade->lab->id);
}
