/* SPDX-License-Identifier: MIT
 *
 * Runs to points; see trade.h.  */
#include "core/run/compare/trade.h"

#include <math.h>
#include <string.h>

#include "core/run/query/group.h"
#include "core/run/query/setting.h"
#include "core/run/query/split.h"

enum { SHAPES = 6 }; /* values that have a marker each */

static void
drop_run (gpointer run)
{
  sl_store_run_free ((SlStoreRun *) ((SlTradeRun *) run)->run);
}

void
sl_trade_init (SlTrade *trade, const SlLab *lab)
{
  *trade = (SlTrade) { .lab = lab, .tone = -1, .shape = -1 };
  trade->runs = g_array_new (FALSE, FALSE, sizeof (SlTradeRun));
  g_array_set_clear_func (trade->runs, drop_run);
  trade->points = g_array_new (FALSE, FALSE, sizeof (SlTradePoint));
}

void
sl_trade_clear (SlTrade *trade)
{
  g_clear_pointer (&trade->runs, g_array_unref);
  g_clear_pointer (&trade->points, g_array_unref);
  sl_data_sets_clear (&trade->data);
  *trade = (SlTrade) { 0 };
}

SlTradeRun *
sl_trade_run (const SlTrade *trade, guint i)
{
  return &g_array_index (trade->runs, SlTradeRun, i);
}

SlTradePoint *
sl_trade_point (const SlTrade *trade, guint p)
{
  return &g_array_index (trade->points, SlTradePoint, p);
}

void
sl_trade_add (SlTrade *trade, const SlStoreRun *run, size_t tag)
{
  SlTradeRun added = { .run = sl_store_run_share (run), .tag = tag };

  g_array_append_val (trade->runs, added);
}

GPtrArray *
sl_trade_list (const SlTrade *trade)
{
  GPtrArray *runs = g_ptr_array_sized_new (trade->runs->len);

  for (guint i = 0; i < trade->runs->len; i++)
    g_ptr_array_add (runs, (gpointer) sl_trade_run (trade, i)->run);
  return runs;
}

/* ---- order ---- */

/* When the sweep of each run began; of no sweep, the run. */
static GHashTable *
find_sweeps (const SlTrade *trade)
{
  GHashTable *begun = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);

  for (guint i = 0; i < trade->runs->len; i++)
    {
      const SlStoreRun *run = sl_trade_run (trade, i)->run;
      double           *first = g_hash_table_lookup (begun, run->sweep);

      if (first == NULL)
        g_hash_table_insert (begun, (gpointer) run->sweep,
                             g_memdup2 (&run->created, sizeof run->created));
      else
        *first = fmin (*first, run->created);
    }
  return begun;
}

static double
begin_of (GHashTable *begun, const SlStoreRun *run)
{
  return run->sweep[0] != '\0' ? *(double *) g_hash_table_lookup (begun, run->sweep) : run->created;
}

/* Sweeps as they began, in them the runs by their number, else as they were made. */
static int
by_order (gconstpointer a, gconstpointer b, gpointer begun)
{
  const SlStoreRun *x = ((const SlTradeRun *) a)->run, *y = ((const SlTradeRun *) b)->run;
  double            p = begin_of (begun, x), q = begin_of (begun, y);

  if (p != q)
    return p < q ? -1 : 1;
  if (strcmp (x->sweep, y->sweep) != 0)
    return strcmp (x->sweep, y->sweep);
  if (x->sweep[0] != '\0' && x->cell != y->cell)
    return x->cell < y->cell ? -1 : 1;
  return strcmp (x->uuid, y->uuid);
}

static void
sort (SlTrade *trade)
{
  g_autoptr (GHashTable) begun = find_sweeps (trade);

  g_array_sort_with_data (trade->runs, by_order, begun);
}

/* ---- what differs ---- */

/* How many values a parameter has among the runs, counted no further than `most`. */
static unsigned
count_values (const SlTrade *trade, unsigned param, unsigned most)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < trade->runs->len && g_hash_table_size (seen) < most; i++)
    g_hash_table_add (seen, sl_tradeoff_text (trade->lab, sl_trade_run (trade, i)->run->settings,
                                              &param, 1, false));
  return g_hash_table_size (seen);
}

static gboolean
is_named (const SlTrade *trade, unsigned param)
{
  SlKind kind = trade->lab->params[param].kind;

  return kind == SL_CHOICE || kind == SL_BOOLEAN;
}

/* The number with most values is the colour, names are markers; a second number is a marker when it has few values. */
static void
choose_looks (SlTrade *trade)
{
  unsigned most = 0;

  trade->tone = trade->shape = -1;
  for (unsigned i = 0; i < trade->n_varies; i++)
    {
      unsigned param = trade->varies[i];
      bool     named = is_named (trade, param);
      unsigned n = named ? 0 : count_values (trade, param, trade->runs->len);

      if (named && trade->shape < 0)
        trade->shape = (int) param;
      else if (n > most)
        {
          trade->tone = (int) param;
          most = n;
        }
    }
  for (unsigned i = 0; i < trade->n_varies && trade->shape < 0; i++)
    if ((int) trade->varies[i] != trade->tone
        && count_values (trade, trade->varies[i], SHAPES + 1) <= SHAPES)
      trade->shape = (int) trade->varies[i];
}

/* The one parameter that groups, if it is one. */
static void
choose_looks_of_field (SlTrade *trade)
{
  const SlParam *param = sl_field_param (&trade->field);
  int p = param != NULL ? sl_param_find (trade->lab->params, trade->lab->n_params, param->id) : -1;

  trade->shape = p >= 0 && is_named (trade, (unsigned) p) ? p : -1;
  trade->tone = trade->shape < 0 ? p : -1;
}

static void
find_what_varies (SlTrade *trade, const GPtrArray *runs)
{
  g_autofree const SlPacked **settings = g_new (const SlPacked *, MAX (runs->len, 1));

  for (guint i = 0; i < runs->len; i++)
    settings[i] = ((const SlStoreRun *) g_ptr_array_index (runs, i))->settings;
  sl_data_sets_clear (&trade->data);
  sl_data_sets_init (&trade->data, runs);
  trade->n_varies
    = runs->len > 0 ? sl_tradeoff_varied (trade->lab, settings, runs->len, trade->varies) : 0;
}

/* ---- data ---- */

/* The newest run, of those on this data if there are some; NULL: there is none. */
static const SlStoreRun *
find_newest (const SlTrade *trade, const char *data)
{
  g_autofree char  *full = data != NULL ? sl_data_sets_full_spec (data) : NULL;
  const SlStoreRun *newest = NULL;

  for (guint i = 0; i < trade->runs->len; i++)
    {
      const SlStoreRun *run = sl_trade_run (trade, i)->run;

      if ((newest == NULL || run->created >= newest->created)
          && (full == NULL || sl_run_is_on (run, full)))
        newest = run;
    }
  return newest == NULL && data != NULL ? find_newest (trade, NULL) : newest;
}

static void
set_apart (SlTrade *trade, const char *data)
{
  const SlStoreRun *newest = find_newest (trade, data);

  for (guint i = 0; i < trade->runs->len; i++)
    sl_trade_run (trade, i)->apart = sl_run_is_on_other_data (sl_trade_run (trade, i)->run, newest);
}

/* ---- values ---- */

static void
choose_split (SlTrade *trade)
{
  SlErrorCount count = { 0 };

  for (guint i = 0; i < trade->runs->len; i++)
    sl_error_count_add (&count, sl_trade_run (trade, i)->run);
  trade->split = sl_error_count_is_validation (&count) ? SL_TRADE_VALIDATION : SL_TRADE_TEST;
  trade->validated = trade->split == SL_TRADE_TEST && count.test > 0 && count.both == count.test;
}

double
sl_trade_error (const SlTrade *trade, const SlStoreRun *run)
{
  return sl_run_error (run, trade->split == SL_TRADE_VALIDATION);
}

double
sl_trade_value (const SlTrade *trade, const SlMeasure *measure, const SlStoreRun *run)
{
  if (measure->kind == SL_MEASURE_ERROR)
    return sl_trade_error (trade, run);
  if (g_str_has_prefix (measure->id, "test.") && !sl_run_is_tested (run))
    return (double) NAN;
  return sl_measure_of (measure, run);
}

/* A run counts on both axes or on none. */
static void
read_values (SlTrade *trade, SlTradeRun *run)
{
  run->x = run->y = run->choice = (double) NAN;
  if (!sl_run_counts (run->run))
    return;
  run->x = sl_trade_value (trade, &trade->x, run->run);
  run->y = sl_trade_value (trade, &trade->y, run->run);
  if (isfinite (run->x) && isfinite (run->y))
    {
      run->choice = trade->validated ? sl_run_error (run->run, true) : run->y;
      return;
    }
  run->part = isfinite (run->x) ? SL_TRADE_NO_Y : SL_TRADE_NO_X;
  run->x = run->y = (double) NAN;
}

static void
read_runs (SlTrade *trade)
{
  memset (trade->part, 0, sizeof trade->part);
  for (guint i = 0; i < trade->runs->len; i++)
    {
      SlTradeRun *run = sl_trade_run (trade, i);

      run->part = run->run->status == SL_RUN_DIVERGED ? SL_TRADE_DIVERGED
                  : run->run->status == SL_RUN_PRUNED ? SL_TRADE_PRUNED
                                                      : SL_TRADE_IN;
    }
  choose_split (trade);
  for (guint i = 0; i < trade->runs->len; i++)
    {
      read_values (trade, sl_trade_run (trade, i));
      trade->part[sl_trade_run (trade, i)->part]++;
    }
}

/* ---- points ---- */

/* Puts a run to those of its group; the first of its kind makes the point.  `place` has 1 + the number of the point of each
 * group.  */
static void
settle_run (SlTrade *trade, guint i, guint *place)
{
  SlTradeRun   *run = sl_trade_run (trade, i);
  SlTradePoint *point, fresh = { .first = i, .apart = true };

  if (*place == 0)
    {
      g_array_append_val (trade->points, fresh);
      *place = trade->points->len;
    }
  run->point = *place - 1;
  point = sl_trade_point (trade, run->point);
  point->n += sl_run_counts (run->run);
  point->diverged += run->part == SL_TRADE_DIVERGED;
  point->apart = point->apart && (run->apart || run->part != SL_TRADE_IN);
}

static void
settle_points (SlTrade *trade, const GPtrArray *runs)
{
  g_autofree unsigned *setting = g_new (unsigned, runs->len + 1);
  g_autofree unsigned *group = g_new (unsigned, runs->len + 1);
  g_autofree guint    *place = g_new0 (guint, runs->len + 1);

  sl_run_number_settings (runs, &trade->data, setting);
  if (trade->grouped)
    g_array_unref (sl_run_groups (runs, &trade->field, group));
  g_array_set_size (trade->points, 0);
  for (guint i = 0; i < runs->len; i++)
    {
      sl_trade_run (trade, i)->setting = setting[i];
      settle_run (trade, i, &place[trade->grouped ? group[i] : setting[i]]);
    }
}

/* Means over the points of value[i] (runs). */
static void
average (const SlTrade *trade, const double *value, SlMean *mean)
{
  g_autofree unsigned *group = g_new (unsigned, trade->runs->len + 1);

  for (guint i = 0; i < trade->runs->len; i++)
    group[i] = sl_trade_run (trade, i)->point;
  sl_mean_groups (value, group, trade->runs->len, mean, trade->points->len);
}

void
sl_trade_means (const SlTrade *trade, const SlMeasure *measure, SlMean *mean)
{
  g_autofree double *value = g_new (double, trade->runs->len + 1);

  for (guint i = 0; i < trade->runs->len; i++)
    value[i] = sl_run_counts (sl_trade_run (trade, i)->run)
                 ? sl_trade_value (trade, measure, sl_trade_run (trade, i)->run)
                 : (double) NAN;
  average (trade, value, mean);
}

static void
settle_means (SlTrade *trade)
{
  guint              n = trade->runs->len;
  g_autofree double *value = g_new (double, n + 1);
  g_autofree SlMean *mean = g_new (SlMean, trade->points->len + 1);

  for (int which = 0; which < 3; which++)
    {
      for (guint i = 0; i < n; i++)
        {
          const SlTradeRun *run = sl_trade_run (trade, i);

          value[i] = which == 0 ? run->x : which == 1 ? run->y : run->choice;
        }
      average (trade, value, mean);
      for (guint p = 0; p < trade->points->len; p++)
        {
          SlTradePoint *point = sl_trade_point (trade, p);

          *(which == 0 ? &point->x : which == 1 ? &point->y : &point->choice) = mean[p];
        }
    }
}

/* What is on other data beats nothing. */
static void
find_front (SlTrade *trade)
{
  guint                  n = trade->points->len;
  g_autofree SlTradeoff *setting = g_new0 (SlTradeoff, n + 1);

  trade->frontier = trade->x.kind == SL_MEASURE_COST && trade->y.kind == SL_MEASURE_ERROR;
  if (!trade->frontier)
    return;
  for (guint p = 0; p < n; p++)
    {
      const SlTradePoint *point = sl_trade_point (trade, p);

      setting[p] = (SlTradeoff) { .cost = point->x.mean,
                                  .error = point->apart ? (double) NAN : point->choice.mean };
    }
  sl_tradeoff_front (setting, n, NULL);
  for (guint p = 0; p < n; p++)
    {
      sl_trade_point (trade, p)->best = setting[p].best;
      sl_trade_point (trade, p)->knee = setting[p].knee;
    }
}

static void
choose_axes (SlTrade *trade, const GPtrArray *runs, const SlTradeView *view)
{
  const char *x = view->x != NULL ? view->x : sl_cost_id (SL_COST_EXECUTED);

  sl_measure_find (&trade->x, x, trade->lab, runs);
  sl_measure_find (&trade->y, view->y != NULL ? view->y : "error", trade->lab, runs);
}

void
sl_trade_settle (SlTrade *trade, const SlTradeView *view)
{
  g_autoptr (GPtrArray) runs = NULL;

  sort (trade);
  runs = sl_trade_list (trade);
  find_what_varies (trade, runs);
  choose_axes (trade, runs, view);
  set_apart (trade, view->data);
  read_runs (trade);
  trade->grouped = view->group != NULL && !sl_field_is_setting (view->group);
  if (trade->grouped)
    {
      trade->field = *view->group;
      choose_looks_of_field (trade);
    }
  else
    choose_looks (trade);
  settle_points (trade, runs);
  trade->pair[0] = 0;
  trade->pair[1] = 1;
  settle_means (trade);
  find_front (trade);
}

void
sl_trade_lead (SlTrade *trade, size_t tag)
{
  for (guint i = 0; i < trade->runs->len; i++)
    if (sl_trade_run (trade, i)->tag == tag && trade->points->len == 2)
      {
        trade->pair[0] = sl_trade_run (trade, i)->point;
        trade->pair[1] = 1 - trade->pair[0];
      }
}
