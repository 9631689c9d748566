/* SPDX-License-Identifier: MIT
 *
 * Runs to points; see trade.h.  */
#include "app/cli/trade.h"

#include <math.h>
#include <string.h>

#include "core/run/sweep/store.h"

static const char *const cost_ids[SL_N_COSTS] = { "executed", "timed", "expected" };

const char *
sl_cost_id (SlCost cost)
{
  return cost_ids[cost];
}

int
sl_cost_find (const char *id)
{
  for (int cost = 0; cost < SL_N_COSTS; cost++)
    if (strcmp (cost_ids[cost], id) == 0)
      return cost;
  return -1;
}

static double
cost_of (const SlOutcome *outcome, SlCost cost)
{
  const double costs[SL_N_COSTS] = { [SL_COST_EXECUTED] = outcome->executed,
                                     [SL_COST_TIMED] = outcome->timed,
                                     [SL_COST_EXPECTED] = outcome->expected };

  return costs[cost];
}

void
sl_trade_init (SlTrade *trade, const SlLab *lab, SlCost cost)
{
  *trade = (SlTrade) { .lab = lab, .cost = cost, .front = { .frontier = true } };
  trade->runs = g_array_new (FALSE, FALSE, sizeof (SlTradeRun));
  trade->points = g_array_new (FALSE, FALSE, sizeof (SlTradePoint));
}

static SlTradeRun *
run_at (const SlTrade *trade, guint i)
{
  return &g_array_index (trade->runs, SlTradeRun, i);
}

void
sl_trade_clear (SlTrade *trade)
{
  for (guint i = 0; i < trade->runs->len; i++)
    g_free (run_at (trade, i)->data);
  g_array_unref (trade->runs);
  g_array_unref (trade->points);
  sl_front_clear (&trade->front);
  *trade = (SlTrade) { 0 };
}

void
sl_trade_add_result (SlTrade *trade, const SlSweepResult *result)
{
  SlTradeRun run = {
    .number = result->job.number,
    .settings = result->job.settings,
    .data = g_strdup (result->recipe.data),
    .seed = result->job.seed,
    .step = result->recipe.step,
    .diverged = !sl_ok (&result->status),
    .outcome = result->outcome,
    .n_scores = result->n_scores[SL_TEST],
  };

  g_strlcpy (run.id, result->job.id, sizeof run.id);
  memcpy (run.score, result->score[SL_TEST], sizeof run.score);
  g_array_append_val (trade->runs, run);
}

bool
sl_trade_add_stored (SlTrade *trade, const SlStoreRun *stored)
{
  static const char test[] = "test.";
  SlTradeRun        run;

  if (stored->lab != trade->lab
      || (stored->status != SL_RUN_FINISHED && stored->status != SL_RUN_DIVERGED))
    return false;
  run = (SlTradeRun) {
    .number = stored->sweep[0] != '\0' ? stored->cell : trade->runs->len,
    .settings = stored->settings,
    .data = g_strdup (stored->data),
    .seed = stored->seed,
    .step = stored->step,
    .diverged = stored->status == SL_RUN_DIVERGED,
  };
  g_strlcpy (run.id, stored->uuid, sizeof run.id);
  sl_sweep_outcome (stored, &run.outcome);
  /* Names of figures live as long as the program. */
  for (unsigned f = 0; f < stored->n_figures && run.n_scores < SL_SCORES_MAX; f++)
    if (g_str_has_prefix (stored->figure[f].name, test))
      {
        const char *id = stored->figure[f].name + strlen (test);

        run.score[run.n_scores++] = (SlScore) { id, id, "", stored->figure[f].value };
      }
  g_array_append_val (trade->runs, run);
  return true;
}

/* Everything but the seed. */
static bool
same_setting (const SlTrade *trade, const SlTradeRun *a, const SlTradeRun *b)
{
  for (unsigned i = 0; i < trade->n_varies; i++)
    if (!sl_value_same (&a->settings.value[trade->varies[i]], &b->settings.value[trade->varies[i]]))
      return false;
  return !trade->data_varies || strcmp (a->data, b->data) == 0;
}

static void
find_what_varies (SlTrade *trade)
{
  trade->n_varies = 0;
  trade->data_varies = false;
  for (unsigned p = 0; p < trade->lab->n_params; p++)
    for (guint i = 1; i < trade->runs->len; i++)
      if (!sl_value_same (&run_at (trade, 0)->settings.value[p],
                          &run_at (trade, i)->settings.value[p]))
        {
          trade->varies[trade->n_varies++] = p;
          break;
        }
  for (guint i = 1; i < trade->runs->len; i++)
    trade->data_varies
      = trade->data_varies || strcmp (run_at (trade, 0)->data, run_at (trade, i)->data) != 0;
}

/* Mean and deviation of what `value` says of the runs of a setting, those without it left out. */
typedef double (*Value) (const SlTradeRun *run, unsigned which);

static void
average (const SlTrade *trade, guint point, Value value, unsigned which, double *mean, double *sd)
{
  double   sum = 0, squares = 0;
  unsigned n = 0;

  for (int pass = 0; pass < 2; pass++)
    for (guint i = 0; i < trade->runs->len; i++)
      {
        const SlTradeRun *run = run_at (trade, i);
        double            v = run->point == point && !run->diverged ? value (run, which) : NAN;

        if (!isfinite (v))
          continue;
        if (pass == 0)
          {
            sum += v;
            n++;
          }
        else
          squares += (v - sum / n) * (v - sum / n);
      }
  *mean = n > 0 ? sum / n : NAN;
  *sd = n > 1 ? sqrt (squares / (n - 1)) : 0;
}

static double
error_value (const SlTradeRun *run, unsigned which)
{
  return run->outcome.error;
}

static double
cost_value (const SlTradeRun *run, unsigned which)
{
  return cost_of (&run->outcome, (SlCost) which);
}

static double
score_value (const SlTradeRun *run, unsigned which)
{
  return which < run->n_scores ? run->score[which].value : NAN;
}

static void
settle_point (const SlTrade *trade, guint p)
{
  SlTradePoint *point = &g_array_index (trade->points, SlTradePoint, p);

  average (trade, p, error_value, 0, &point->error, &point->error_sd);
  for (unsigned c = 0; c < SL_N_COSTS; c++)
    average (trade, p, cost_value, c, &point->cost[c], &point->cost_sd[c]);
  for (unsigned s = 0; s < SL_SCORES_MAX; s++)
    average (trade, p, score_value, s, &point->score[s], &point->score_sd[s]);
}

/* Puts a run to those of its setting; the first of its kind makes the point. */
static void
settle_run (SlTrade *trade, guint i)
{
  GArray       *points = trade->points;
  SlTradeRun   *run = run_at (trade, i);
  SlTradePoint *point, fresh = { .first = i };

  for (run->point = 0; run->point < points->len; run->point++)
    if (same_setting (trade, run_at (trade, g_array_index (points, SlTradePoint, run->point).first),
                      run))
      break;
  if (run->point == points->len)
    g_array_append_val (points, fresh);
  point = &g_array_index (points, SlTradePoint, run->point);
  point->n += !run->diverged;
  point->diverged += run->diverged;
}

static bool
beats (const SlTradePoint *a, const SlTradePoint *b, SlCost cost)
{
  return a->cost[cost] <= b->cost[cost] && a->error <= b->error
         && (a->cost[cost] < b->cost[cost] || a->error < b->error);
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
  GArray *points = trade->points;

  g_array_sort (trade->runs, by_number);
  find_what_varies (trade);
  g_array_set_size (points, 0);
  for (guint i = 0; i < trade->runs->len; i++)
    settle_run (trade, i);
  for (guint p = 0; p < points->len; p++)
    settle_point (trade, p);
  for (guint p = 0; p < points->len; p++)
    {
      SlTradePoint *point = &g_array_index (points, SlTradePoint, p);

      point->best = isfinite (point->cost[trade->cost]) && isfinite (point->error);
      for (guint q = 0; q < points->len && point->best; q++)
        point->best = !beats (&g_array_index (points, SlTradePoint, q), point, trade->cost);
    }
}
