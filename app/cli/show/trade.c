/* SPDX-License-Identifier: MIT
 *
 * See trade.h.  */
#include "app/cli/show/trade.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/run/base/json.h"
#include "plot/base/scale.h"

static const SlStoreRun *
first_of (const SlTrade *trade, guint point)
{
  return sl_trade_run (trade, sl_trade_point (trade, point)->first)->run;
}

/* The value of the setting number i of those that vary. */
static char *
value_text (const SlTrade *trade, const SlStoreRun *run, unsigned i)
{
  return sl_tradeoff_text (trade->lab, run->settings, &trade->varies[i], 1, false);
}

/* ---- costs ---- */

int
sl_trade_cost_typed (const char *word)
{
  int cost = word != NULL ? sl_cost_find (word) : SL_COST_EXECUTED;

  if (cost < 0)
    sl_cli_report ("%s takes %s, not \"%s\"", "--cost", "executed, expected, timed, parameters",
                   word);
  return cost;
}

/* The costs that are there, "executed, timed". */
static char *
list_costs (const bool there[SL_N_COSTS])
{
  GString *list = g_string_new (NULL);

  for (SlCost cost = 0; cost < SL_N_COSTS; cost++)
    if (there[cost])
      g_string_append_printf (list, "%s%s", list->len > 0 ? ", " : "", sl_cost_id (cost));
  return g_string_free (list, FALSE);
}

bool
sl_trade_offers_cost (const SlLab *lab, SlCost cost)
{
  g_autofree char *known = NULL;
  bool             there[SL_N_COSTS];

  for (SlCost other = 0; other < SL_N_COSTS; other++)
    there[other] = sl_cost_is_of (lab, other);
  known = list_costs (there);
  if (there[cost])
    return true;
  if (*known != '\0')
    sl_cli_report ("%s has no cost \"%s\"; it has %s", lab->id, sl_cost_id (cost), known);
  else
    sl_cli_report ("%s has no costs", lab->id);
  return false;
}

bool
sl_trade_shows (const SlTrade *trade, const SlMeasure *measure)
{
  enum { LISTED = 24 };
  g_autoptr (GPtrArray) runs = sl_trade_list (trade), names = NULL;
  g_autoptr (GString) list = g_string_new (NULL);

  for (guint i = 0; i < runs->len; i++)
    if (isfinite (sl_measure_of (measure, g_ptr_array_index (runs, i))))
      return true;
  names = sl_measures (trade->lab, runs, trade->varies, trade->n_varies);
  for (guint i = 0; i < names->len && i < LISTED; i++)
    g_string_append_printf (list, "%s%s", i > 0 ? ", " : "", (char *) g_ptr_array_index (names, i));
  if (names->len > LISTED)
    g_string_append (list, ", …");
  if (names->len > 0)
    sl_cli_report ("these runs of %s have no number \"%s\"; they have %s", trade->lab->id,
                   measure->id, list->str);
  else
    sl_cli_report ("these runs of %s have no numbers to compare", trade->lab->id);
  return false;
}

/* ---- a table ---- */

/* Columns of text, as wide as their widest cell. */
typedef struct
{
  GPtrArray *cells; /* row by row */
  unsigned   columns;
} Table;

static void
cell (Table *table, char *text)
{
  g_ptr_array_add (table->cells, text);
}

/* A spread that is not a number is not shown. */
static void
number_cell (Table *table, double value, double spread)
{
  char text[48];

  cell (table,
        g_strdup (isnan (value) ? "" : sl_interval_text (value, spread, 4, text, sizeof text)));
}

static void
mean_cell (Table *table, const SlMean *mean)
{
  number_cell (table, mean->mean, mean->half);
}

static void
print_table (const Table *table, FILE *stream)
{
  unsigned rows = table->cells->len / table->columns;

  for (unsigned r = 0; r < rows; r++)
    {
      GString *line = g_string_new (NULL);

      for (unsigned c = 0; c < table->columns; c++)
        {
          const char *text = g_ptr_array_index (table->cells, r * table->columns + c);
          glong       widest = 0;

          for (unsigned other = 0; other < rows; other++)
            widest = MAX (
              widest,
              g_utf8_strlen (g_ptr_array_index (table->cells, other * table->columns + c), -1));
          g_string_append_printf (line, "%s%s%*s", c > 0 ? "  " : "", text,
                                  (int) (widest - g_utf8_strlen (text, -1)), "");
        }
      fprintf (stream, "%s\n", g_strchomp (line->str));
      g_string_free (line, TRUE);
    }
}

/* The columns with numbers: the error and the costs where the lab has them, else whatever it scores itself by. */
typedef struct
{
  SlMeasure measure;
  char     *title;
  SlMean   *mean; /* (points) */
} Column;

static void
clear_column (gpointer column)
{
  g_free (((Column *) column)->title);
  g_free (((Column *) column)->mean);
}

static void
add_column (const SlTrade *trade, const GPtrArray *runs, const char *id, char *title, bool always,
            GArray *columns)
{
  Column column = { .title = title, .mean = g_new (SlMean, trade->points->len + 1) };

  if (!sl_measure_find (&column.measure, id, trade->lab, runs) && !always)
    {
      clear_column (&column);
      return;
    }
  sl_trade_means (trade, &column.measure, column.mean);
  g_array_append_val (columns, column);
}

static GArray *
columns_of (const SlTrade *trade)
{
  GArray *columns = g_array_new (FALSE, FALSE, sizeof (Column));
  bool    own_costs = trade->lab->costs != NULL && trade->lab->costs->unit != NULL;
  g_autoptr (GPtrArray) runs = sl_trade_list (trade), names = NULL;

  g_array_set_clear_func (columns, clear_column);
  if (trade->lab->error != NULL)
    {
      add_column (trade, runs, "error", g_strdup (trade->lab->error), true, columns);
      for (SlCost c = 0; c < SL_N_COSTS; c++)
        add_column (
          trade, runs, sl_cost_id (c),
          g_strdup_printf (c == SL_COST_PARAMETERS || own_costs ? "%s" : "%s %%", sl_cost_id (c)),
          c != SL_COST_PARAMETERS, columns);
      return columns;
    }
  names = sl_measures (trade->lab, runs, NULL, 0);
  for (guint i = 0; i < names->len; i++)
    if (g_str_has_prefix (g_ptr_array_index (names, i), "test."))
      add_column (trade, runs, g_ptr_array_index (names, i),
                  g_strdup (strchr (g_ptr_array_index (names, i), '.') + 1), false, columns);
  return columns;
}

static void
head (const SlTrade *trade, const GArray *columns, Table *table)
{
  for (unsigned i = 0; i < trade->n_varies; i++)
    cell (table, g_strdup (trade->lab->params[trade->varies[i]].id));
  if (sl_data_sets_count (&trade->data) > 1)
    cell (table, g_strdup ("data"));
  cell (table, g_strdup ("n"));
  for (guint c = 0; c < columns->len; c++)
    cell (table, g_strdup (g_array_index (columns, Column, c).title));
  cell (table, g_strdup (""));
  table->columns = table->cells->len;
}

/* The time of a single run has the spread of its measurement. */
static void
column_cell (const SlTrade *trade, guint p, const Column *column, Table *table)
{
  const SlMean *mean = &column->mean[p];
  SlOutcome     outcome;

  if (column->measure.kind != SL_MEASURE_COST || column->measure.cost != SL_COST_TIMED
      || mean->n != 1 || sl_trade_point (trade, p)->n + sl_trade_point (trade, p)->diverged != 1)
    {
      mean_cell (table, mean);
      return;
    }
  sl_store_run_outcome (first_of (trade, p), &outcome);
  number_cell (table, mean->mean, outcome.timed_spread);
}

static void
row (const SlTrade *trade, guint p, const GArray *columns, Table *table)
{
  const SlTradePoint *point = sl_trade_point (trade, p);
  const SlStoreRun   *first = first_of (trade, p);

  for (unsigned i = 0; i < trade->n_varies; i++)
    cell (table, value_text (trade, first, i));
  if (sl_data_sets_count (&trade->data) > 1)
    cell (table, g_strdup (first->data));
  cell (table, g_strdup_printf ("%u", point->n));
  for (guint c = 0; c < columns->len; c++)
    column_cell (trade, p, &g_array_index (columns, Column, c), table);
  if (point->diverged > 0)
    cell (table, g_strdup_printf ("%u diverged", point->diverged));
  else
    cell (table, g_strdup (point->best ? "*" : ""));
}

static void
print_said (const SlTrade *trade, FILE *stream)
{
  char packed[SL_TRADE_SAID], text[SL_TRADE_SAID];

  sl_trade_say (trade, packed, sizeof packed);
  fprintf (stream, "%s\n", sl_message_show (packed, NULL, text, sizeof text));
}

/* The front is of a single kind of data: other data beat nothing. */
static void
print_front (const SlTrade *trade, const SlStoreRun *on_it, FILE *stream)
{
  bool several = sl_data_sets_count (&trade->data) > 1;

  fprintf (stream, "* on the front%s%s: no other setting costs less (%s) and errs less\n",
           several ? " of " : "", several ? on_it->data : "", trade->x.id);
}

void
sl_trade_print (const SlTrade *trade, FILE *stream)
{
  g_autoptr (GArray) columns = columns_of (trade);
  Table             table = { .cells = g_ptr_array_new_with_free_func (g_free) };
  const SlStoreRun *best = NULL;

  if (trade->runs->len > 0)
    {
      head (trade, columns, &table);
      for (guint p = 0; p < trade->points->len; p++)
        {
          row (trade, p, columns, &table);
          best = sl_trade_point (trade, p)->best ? first_of (trade, p) : best;
        }
      print_table (&table, stream);
    }
  if (trade->part[SL_TRADE_IN] > 0)
    print_said (trade, stream);
  if (best != NULL)
    print_front (trade, best, stream);
  g_ptr_array_unref (table.cells);
}

/* ---- JSON ---- */

/* What makes a run or a point another one: its data where there are several, and its settings. */
static void
add_settings (SlJsonWriter *w, const SlTrade *trade, const SlStoreRun *run)
{
  if (sl_data_sets_count (&trade->data) > 1)
    sl_json_add_text (w, "data", run->data);
  sl_json_open (w, "settings", '{', SL_JSON_TIGHT);
  for (unsigned i = 0; i < trade->n_varies; i++)
    {
      g_autofree char *text = value_text (trade, run, i);

      sl_json_add_text (w, trade->lab->params[trade->varies[i]].id, text);
    }
  sl_json_close (w);
}

static void
add_run (SlJsonWriter *w, const SlTrade *trade, const SlStoreRun *run)
{
  static const char test[] = "test.";
  g_autofree char  *seed = g_strdup_printf ("%" PRIu64, run->seed);
  SlOutcome         outcome;

  sl_store_run_outcome (run, &outcome);
  sl_json_open (w, NULL, '{', SL_JSON_TIGHT);
  sl_json_add_text (w, "id", run->uuid);
  sl_json_add_text (w, "seed", seed);
  add_settings (w, trade, run);
  sl_json_add_whole (w, "step", run->step);
  sl_json_add_truth (w, "diverged", run->status == SL_RUN_DIVERGED);
  sl_json_add_number (w, "error", sl_trade_error (trade, run));
  for (SlCost c = 0; c < SL_N_COSTS; c++)
    sl_json_add_number (w, sl_cost_id (c), sl_cost_of (&outcome, c));
  sl_json_add_number (w, "timed-spread", outcome.timed_spread);
  sl_json_open (w, "scores", '{', SL_JSON_TIGHT);
  for (unsigned f = 0; f < run->n_figures; f++)
    if (g_str_has_prefix (run->figure[f].name, test))
      sl_json_add_number (w, run->figure[f].name + strlen (test), run->figure[f].value);
  sl_json_close (w);
  sl_json_close (w);
}

static void
add_mean (SlJsonWriter *w, const char *name, const SlMean *mean)
{
  g_autofree char *sd = g_strconcat (name, "-sd", NULL), *half = g_strconcat (name, "-ci95", NULL);

  sl_json_add_number (w, name, mean->mean);
  sl_json_add_number (w, sd, mean->sd);
  sl_json_add_number (w, half, mean->half);
}

static void
add_point (SlJsonWriter *w, const SlTrade *trade, guint p, const GArray *columns)
{
  const SlTradePoint *point = sl_trade_point (trade, p);

  sl_json_open (w, NULL, '{', SL_JSON_TIGHT);
  add_settings (w, trade, first_of (trade, p));
  sl_json_add_whole (w, "n", point->n);
  sl_json_add_whole (w, "diverged", point->diverged);
  for (guint c = 0; c < columns->len; c++)
    {
      const Column *column = &g_array_index (columns, Column, c);

      add_mean (w, column->measure.id, &column->mean[p]);
    }
  sl_json_add_truth (w, "front", point->best);
  sl_json_close (w);
}

char *
sl_trade_json (const SlTrade *trade, const char *sweep)
{
  g_autoptr (GArray) columns = columns_of (trade);
  SlJsonWriter w;

  sl_json_writer_init (&w);
  sl_json_open (&w, NULL, '{', SL_JSON_LINES);
  sl_json_add_json (&w, "sweep", sweep);
  sl_json_add_text (&w, "error-of", trade->split == SL_TRADE_TEST ? "test" : "validation");
  sl_json_open (&w, "runs", '[', SL_JSON_LINES);
  for (guint i = 0; i < trade->runs->len; i++)
    add_run (&w, trade, sl_trade_run (trade, i)->run);
  sl_json_close (&w);
  sl_json_open (&w, "points", '[', SL_JSON_LINES);
  for (guint p = 0; p < trade->points->len; p++)
    add_point (&w, trade, p, columns);
  return sl_json_writer_end (&w, TRUE);
}
