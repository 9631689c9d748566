/* SPDX-License-Identifier: MIT
 *
 * Runs to points; see trade.h.  */
#include "app/cli/trade.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/run/record/data.h"
#include "core/run/sweep/store.h"

static const char *const cost_ids[SL_N_COSTS]
  = { "executed", "timed", "expected", "parameters", "predicted" };

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

double
sl_trade_cost (const SlTradeRun *run, SlCost cost)
{
  const double costs[SL_N_COSTS] = { [SL_COST_EXECUTED] = run->outcome.executed,
                                     [SL_COST_TIMED] = run->outcome.timed,
                                     [SL_COST_EXPECTED] = run->outcome.expected,
                                     [SL_COST_PARAMETERS] = run->outcome.parameters,
                                     [SL_COST_PREDICTED] = run->predicted.seconds };

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

static SlTradePoint *
point_at (const SlTrade *trade, guint p)
{
  return &g_array_index (trade->points, SlTradePoint, p);
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
    .predicted = sl_cost_nothing,
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
    .predicted = sl_cost_nothing,
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

        run.score[run.n_scores++] = (SlScore) { id, id, "", stored->figure[f].value };
      }
  g_array_append_val (trade->runs, run);
  return true;
}

SlExit
sl_trade_predict (SlTrade *trade)
{
  g_autoptr (SlCostModel) model = sl_cost_model_load ();
  g_autofree char *spec = NULL; /* of the data that are open */
  SlDataset       *dataset = NULL;
  SlStatus         status = SL_SUCCESS;
  bool             found = false;

  if (model == NULL)
    {
      sl_cli_report (_ ("this machine was not timed yet: sluice-cli cost %s does"), trade->lab->id);
      return SL_EXIT_FAILED;
    }
  for (guint i = 0; i < trade->runs->len && sl_ok (&status); i++)
    {
      SlTradeRun *run = run_at (trade, i);

      if (trade->lab->data != SL_NEEDS_NOTHING && g_strcmp0 (spec, run->data) != 0)
        {
          sl_dataset_free (g_steal_pointer (&dataset));
          g_free (spec);
          spec = g_strdup (run->data);
          status = sl_open_data (spec, &dataset);
        }
      if (sl_ok (&status))
        run->predicted = sl_cost_share (model, trade->lab, &run->settings, dataset);
      found = found || isfinite (run->predicted.seconds);
    }
  sl_dataset_free (dataset);
  if (!sl_ok (&status))
    return sl_cli_fail (&status);
  if (found)
    return SL_EXIT_FINE;
  sl_cli_report (_ ("%s: no speed-up is predicted for these settings"), trade->lab->id);
  return SL_EXIT_FAILED;
}

static bool
any_cost (const SlTrade *trade, SlCost cost)
{
  for (guint i = 0; i < trade->runs->len; i++)
    if (isfinite (sl_trade_cost (run_at (trade, i), cost)))
      return true;
  return false;
}

bool
sl_trade_lab_has_cost (const SlLab *lab, SlCost cost)
{
  const SlCosts costs = sl_lab_costs (lab);
  const bool    has[SL_N_COSTS] = { [SL_COST_EXECUTED] = costs.executed != NULL,
                                    [SL_COST_TIMED] = lab->clock != NULL,
                                    [SL_COST_EXPECTED] = costs.expected != NULL,
                                    [SL_COST_PARAMETERS] = costs.parameters,
                                    [SL_COST_PREDICTED] = lab->cost != NULL };
  g_autoptr (GString) known = g_string_new (NULL);

  if (has[cost])
    return true;
  for (SlCost other = 0; other < SL_N_COSTS; other++)
    if (has[other])
      g_string_append_printf (known, "%s%s", known->len > 0 ? ", " : "", sl_cost_id (other));
  if (known->len > 0)
    sl_cli_report ("%s has no cost \"%s\"; it has %s", lab->id, sl_cost_id (cost), known->str);
  else
    sl_cli_report ("%s has no costs", lab->id);
  return false;
}

bool
sl_trade_has_cost (const SlTrade *trade)
{
  g_autoptr (GString) known = g_string_new (NULL);

  if (any_cost (trade, trade->cost))
    return true;
  for (SlCost cost = 0; cost < SL_N_COSTS; cost++)
    if (any_cost (trade, cost))
      g_string_append_printf (known, "%s%s", known->len > 0 ? ", " : "", sl_cost_id (cost));
  if (known->len > 0)
    sl_cli_report ("these runs of %s have no cost \"%s\"; they have %s", trade->lab->id,
                   sl_cost_id (trade->cost), known->str);
  else
    sl_cli_report ("these runs of %s have no costs", trade->lab->id);
  return false;
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
  guint                         n = trade->runs->len;
  g_autofree const SlSettings **settings = g_new (const SlSettings *, MAX (n, 1));

  trade->data_varies = false;
  for (guint i = 0; i < n; i++)
    {
      settings[i] = &run_at (trade, i)->settings;
      trade->data_varies
        = trade->data_varies || strcmp (run_at (trade, 0)->data, run_at (trade, i)->data) != 0;
    }
  trade->n_varies = sl_tradeoff_varied (trade->lab, settings, n, trade->varies);
}

/* Puts a run to those of its setting; the first of its kind makes the point. */
static void
settle_run (SlTrade *trade, guint i)
{
  GArray       *points = trade->points;
  SlTradeRun   *run = run_at (trade, i);
  SlTradePoint *point, fresh = { .first = i };

  for (run->point = 0; run->point < points->len; run->point++)
    if (same_setting (trade, run_at (trade, point_at (trade, run->point)->first), run))
      break;
  if (run->point == points->len)
    g_array_append_val (points, fresh);
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
    return sl_trade_cost (run, (SlCost) (which - 1));
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

  for (unsigned which = 0; which < 1 + SL_N_COSTS + SL_SCORES_MAX; which++)
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

  g_array_sort (trade->runs, by_number);
  find_what_varies (trade);
  g_array_set_size (trade->points, 0);
  for (guint i = 0; i < trade->runs->len; i++)
    settle_run (trade, i);
  settle_means (trade);
  setting = g_new0 (SlTradeoff, trade->points->len);
  for (guint p = 0; p < trade->points->len; p++)
    setting[p] = (SlTradeoff) { .cost = point_at (trade, p)->cost[trade->cost].mean,
                                .error = point_at (trade, p)->error.mean };
  sl_tradeoff_front (setting, trade->points->len, NULL);
  for (guint p = 0; p < trade->points->len; p++)
    point_at (trade, p)->best = setting[p].best;
}
