/* SPDX-License-Identifier: MIT */
#include "ui/runs/set.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

/* The lab that the caller wants, if some run is of it; else that of the last. */
static const SlLab *
lab_of (GPtrArray *items, const SlLab *asked)
{
  const SlLab *last = NULL;

  for (guint i = items->len; i > 0; i--)
    {
      const SlLab *lab = sl_run_item_run (g_ptr_array_index (items, i - 1))->lab;

      if (asked != NULL && lab == asked)
        return asked;
      last = last == NULL ? lab : last;
    }
  return last;
}

void
sl_run_set_init (SlRunSet *set, GPtrArray *items, const SlLab *lab, const SlTradeView *view)
{
  static const SlTradeView plain = { 0 };

  *set = (SlRunSet) { .items = g_ptr_array_new_with_free_func (g_object_unref) };
  set->lab = lab_of (items, lab);
  if (set->lab == NULL)
    return;
  sl_trade_init (&set->trade, set->lab);
  for (guint i = 0; i < items->len; i++)
    if (sl_run_item_run (g_ptr_array_index (items, i))->lab == set->lab)
      {
        g_ptr_array_add (set->items, g_object_ref (g_ptr_array_index (items, i)));
        sl_trade_add (&set->trade, sl_run_item_run (g_ptr_array_index (items, i)),
                      set->items->len - 1);
      }
  sl_trade_settle (&set->trade, view != NULL ? view : &plain);
}

void
sl_run_set_clear (SlRunSet *set)
{
  if (set->lab != NULL)
    sl_trade_clear (&set->trade);
  g_clear_pointer (&set->items, g_ptr_array_unref);
  *set = (SlRunSet) { 0 };
}

SlRunItem *
sl_run_set_item (const SlRunSet *set, guint i)
{
  return g_ptr_array_index (set->items, sl_trade_run (&set->trade, i)->tag);
}

SlLayout *
sl_run_set_layout (GPtrArray *items)
{
  const SlStoreRun *run = sl_run_item_run (g_ptr_array_index (items, 0));
  SlLayout         *layout = g_new (SlLayout, 1);
  SlSettings        settings;

  sl_store_run_settings (run, &settings);
  sl_layout_init (layout, run->lab, &settings);
  return layout;
}

/* Results that are shown beside the parameters. */
enum { EXECUTED, TIMED, WRONG, RESULTS };

/* One line: the parameters (n), the data where there are several, the results. */
static void
read_line (const SlRunSet *set, SlRunItem *item, unsigned n, double line[SL_PARALLEL_AXES])
{
  const SlTrade    *trade = &set->trade;
  const SlStoreRun *run = sl_run_item_run (item);
  const SlOutcome  *outcome = sl_run_item_outcome (item);
  bool              mixed = sl_data_sets_count (&trade->data) > 1;

  for (unsigned a = 0; a < n; a++)
    line[a] = sl_store_run_value (run, trade->varies[a]).v[0];
  if (mixed)
    line[n] = sl_data_sets_find (&trade->data, run);
  line[n + mixed + EXECUTED] = outcome->executed;
  line[n + mixed + TIMED] = outcome->timed;
  line[n + mixed + WRONG] = sl_trade_error (trade, run);
}

/* Of the runs' own word for it, which says what it is measured on where that is just "error". */
static SlAxis
error_axis (const SlTrade *trade)
{
  SlAxis axis = sl_lab_error_axis (trade->lab);

  if (g_str_equal (axis.label, "error"))
    axis.label = trade->split == SL_TRADE_TEST ? N_ ("test error") : N_ ("validation error");
  return axis;
}

/* Of the times of a run when they are measured again, over the runs. */
static double
mean_spread (const SlRunSet *set)
{
  double   sum = 0.0;
  unsigned n = 0;

  for (guint i = 0; i < set->items->len; i++)
    {
      double spread = sl_run_item_outcome (g_ptr_array_index (set->items, i))->timed_spread;

      sum += isfinite (spread) ? spread : 0.0;
      n += isfinite (spread);
    }
  return n > 0 ? sum / n : 0.0;
}

void
sl_run_set_parallel (const SlRunSet *set, SlParallel *parallel)
{
  const SlTrade *trade = &set->trade;
  SlParallel     before = *parallel;
  bool           mixed = set->lab != NULL && sl_data_sets_count (&trade->data) > 1;
  unsigned       n = MIN (trade->n_varies, SL_PARALLEL_AXES - RESULTS - mixed), results = n + mixed;
  double         line[SL_PARALLEL_AXES];
  SlAxis         error;

  *parallel = (SlParallel) { 0 };
  if (set->lab == NULL)
    {
      sl_parallel_clear (&before);
      return;
    }
  for (unsigned a = 0; a < n; a++)
    {
      const SlParam  *param = &set->lab->params[trade->varies[a]];
      SlParallelAxis *axis
        = sl_parallel_axis (parallel, param->title, sl_given (param->unit), param->logarithmic);

      axis->choices = param->kind == SL_CHOICE ? param->choices : NULL;
    }
  if (mixed)
    sl_parallel_axis (parallel, N_ ("Data"), "", false)->choices
      = sl_data_sets_names (&trade->data);
  error = error_axis (trade);
  sl_parallel_axis (parallel, N_ ("executed"), "%", false);
  sl_parallel_axis (parallel, N_ ("timed"), "%", false);
  sl_parallel_axis (parallel, error.label, error.unit, false);
  for (unsigned r = 0; r < RESULTS; r++)
    parallel->axis[results + r].measured = true;
  parallel->axis[results + TIMED].spread = mean_spread (set);
  parallel->colour = results + WRONG;
  for (unsigned a = 0; a < parallel->n_axes; a++)
    for (unsigned b = 0; b < before.n_axes; b++)
      if (before.axis[b].brushed && g_str_equal (before.axis[b].title, parallel->axis[a].title))
        sl_parallel_brush (parallel, a, before.axis[b].from, before.axis[b].to);
  for (guint i = 0; i < set->items->len; i++)
    {
      read_line (set, g_ptr_array_index (set->items, i), n, line);
      if (!sl_parallel_line (parallel, line))
        break;
    }
  parallel->marked = before.marked <= parallel->n ? before.marked : 0;
  sl_parallel_clear (&before);
}
