/* SPDX-License-Identifier: MIT
 *
 * See trade.h.  */
#include "app/cli/show/trade.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/run/base/json.h"

enum { CELL = 512 };

static const SlTradeRun *
first_of (const SlTrade *trade, const SlTradePoint *point)
{
  return &g_array_index (trade->runs, SlTradeRun, point->first);
}

static const char *
value_text (const SlTrade *trade, const SlTradePoint *point, unsigned i, char text[CELL])
{
  const SlTradeRun *run = first_of (trade, point);
  unsigned          p = trade->varies[i];
  SlValue           value = sl_packed_value (run->settings, trade->lab->params, p);

  return sl_param_format (&trade->lab->params[p], &value, text, CELL);
}

/* ---- costs ---- */

int
sl_trade_cost_typed (const char *word)
{
  int cost = word != NULL ? sl_cost_find (word) : SL_COST_EXECUTED;

  if (cost < 0)
    sl_cli_report ("--cost takes executed, expected, timed or parameters, not \"%s\"", word);
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
sl_trade_shows_cost (const SlTrade *trade)
{
  g_autofree char *known = NULL;
  bool             there[SL_N_COSTS];

  for (SlCost cost = 0; cost < SL_N_COSTS; cost++)
    there[cost] = sl_trade_has_cost (trade, cost);
  known = list_costs (there);
  if (there[trade->cost])
    return true;
  if (*known != '\0')
    sl_cli_report ("these runs of %s have no cost \"%s\"; they have %s", trade->lab->id,
                   sl_cost_id (trade->cost), known);
  else
    sl_cli_report ("these runs of %s have no costs", trade->lab->id);
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
  if (isnan (value))
    cell (table, g_strdup (""));
  else if (isnan (spread))
    cell (table, g_strdup_printf ("%.4g", value));
  else
    cell (table, g_strdup_printf ("%.4g ± %.2g", value, spread));
}

static void
mean_cell (Table *table, const SlMean *mean, unsigned n)
{
  number_cell (table, mean->mean, n > 1 ? mean->sd : (double) NAN);
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

/* Whether a cost has a column: the first three always, parameters where any run says how many. */
static bool
has_column (const SlTrade *trade, SlCost cost)
{
  for (guint p = 0; cost == SL_COST_PARAMETERS && p < trade->points->len; p++)
    if (isfinite (g_array_index (trade->points, SlTradePoint, p).cost[cost].mean))
      return true;
  return cost != SL_COST_PARAMETERS;
}

/* The error and the costs where the lab has them, else whatever it scores itself by. */
static void
head (const SlTrade *trade, Table *table, bool judged)
{
  const SlTradeRun *run = &g_array_index (trade->runs, SlTradeRun, 0);
  bool              own_costs = trade->lab->costs != NULL && trade->lab->costs->unit != NULL;

  for (unsigned i = 0; i < trade->n_varies; i++)
    cell (table, g_strdup (trade->lab->params[trade->varies[i]].id));
  if (trade->data_varies)
    cell (table, g_strdup ("data"));
  cell (table, g_strdup ("n"));
  if (judged)
    {
      cell (table, g_strdup (trade->lab->error));
      for (SlCost c = 0; c < SL_N_COSTS; c++)
        if (has_column (trade, c))
          cell (table, g_strdup_printf (c == SL_COST_PARAMETERS || own_costs ? "%s" : "%s %%",
                                        sl_cost_id (c)));
    }
  else
    for (unsigned s = 0; s < run->n_scores; s++)
      cell (table, g_strdup (run->score[s].id));
  cell (table, g_strdup (""));
  table->columns = table->cells->len;
}

static void
row (const SlTrade *trade, Table *table, const SlTradePoint *point, bool judged)
{
  const SlTradeRun *run = &g_array_index (trade->runs, SlTradeRun, 0);
  char              text[CELL];

  for (unsigned i = 0; i < trade->n_varies; i++)
    cell (table, g_strdup (value_text (trade, point, i, text)));
  if (trade->data_varies)
    cell (table, g_strdup (first_of (trade, point)->data));
  cell (table, g_strdup_printf ("%u", point->n));
  if (judged)
    {
      mean_cell (table, &point->error, point->n);
      for (SlCost c = 0; c < SL_N_COSTS; c++)
        if (c == SL_COST_TIMED && point->n == 1 && point->diverged == 0)
          number_cell (table, point->cost[c].mean, first_of (trade, point)->outcome.timed_spread);
        else if (has_column (trade, c))
          mean_cell (table, &point->cost[c], point->n);
    }
  else
    for (unsigned s = 0; s < run->n_scores; s++)
      mean_cell (table, &point->score[s], point->n);
  if (point->diverged > 0)
    cell (table, g_strdup_printf ("%u diverged", point->diverged));
  else
    cell (table, g_strdup (point->best ? "*" : ""));
}

void
sl_trade_print (const SlTrade *trade, FILE *stream)
{
  Table table = { .cells = g_ptr_array_new_with_free_func (g_free) };
  bool  judged = trade->lab->error != NULL, front = false;

  if (trade->runs->len > 0)
    {
      head (trade, &table, judged);
      for (guint p = 0; p < trade->points->len; p++)
        {
          const SlTradePoint *point = &g_array_index (trade->points, SlTradePoint, p);

          row (trade, &table, point, judged);
          front = front || point->best;
        }
      print_table (&table, stream);
    }
  if (front)
    fprintf (stream, "* on the front: no other setting costs less (%s) and errs less\n",
             sl_cost_id (trade->cost));
  g_ptr_array_unref (table.cells);
}

/* ---- JSON ---- */

static void
add_settings (SlJsonWriter *w, const SlTrade *trade, const SlPacked *settings)
{
  char text[CELL];

  sl_json_open (w, "settings", '{', SL_JSON_TIGHT);
  for (unsigned i = 0; i < trade->n_varies; i++)
    {
      const SlParam *param = &trade->lab->params[trade->varies[i]];
      SlValue        value = sl_packed_value (settings, trade->lab->params, trade->varies[i]);

      sl_json_add_text (w, param->id, sl_param_format (param, &value, text, CELL));
    }
  sl_json_close (w);
}

static void
add_run (SlJsonWriter *w, const SlTrade *trade, const SlTradeRun *run)
{
  g_autofree char *seed = g_strdup_printf ("%" PRIu64, run->seed);

  sl_json_open (w, NULL, '{', SL_JSON_TIGHT);
  sl_json_add_text (w, "id", run->id);
  sl_json_add_text (w, "seed", seed);
  add_settings (w, trade, run->settings);
  sl_json_add_whole (w, "step", run->step);
  sl_json_add_truth (w, "diverged", run->diverged);
  sl_json_add_number (w, "error", run->outcome.error);
  for (SlCost c = 0; c < SL_N_COSTS; c++)
    sl_json_add_number (w, sl_cost_id (c), sl_cost_of (&run->outcome, c));
  sl_json_add_number (w, "timed-spread", run->outcome.timed_spread);
  sl_json_open (w, "scores", '{', SL_JSON_TIGHT);
  for (unsigned s = 0; s < run->n_scores; s++)
    sl_json_add_number (w, run->score[s].id, run->score[s].value);
  sl_json_close (w);
  sl_json_close (w);
}

static void
add_point (SlJsonWriter *w, const SlTrade *trade, const SlTradePoint *point)
{
  sl_json_open (w, NULL, '{', SL_JSON_TIGHT);
  add_settings (w, trade, first_of (trade, point)->settings);
  sl_json_add_whole (w, "n", point->n);
  sl_json_add_whole (w, "diverged", point->diverged);
  sl_json_add_number (w, "error", point->error.mean);
  sl_json_add_number (w, "error-sd", point->error.sd);
  for (unsigned c = 0; c < SL_N_COSTS; c++)
    {
      g_autofree char *sd = g_strconcat (sl_cost_id ((SlCost) c), "-sd", NULL);

      sl_json_add_number (w, sl_cost_id ((SlCost) c), point->cost[c].mean);
      sl_json_add_number (w, sd, point->cost[c].sd);
    }
  sl_json_add_truth (w, "front", point->best);
  sl_json_close (w);
}

char *
sl_trade_json (const SlTrade *trade, const char *sweep)
{
  SlJsonWriter w;

  sl_json_writer_init (&w);
  sl_json_open (&w, NULL, '{', SL_JSON_LINES);
  sl_json_add_json (&w, "sweep", sweep);
  sl_json_open (&w, "runs", '[', SL_JSON_LINES);
  for (guint i = 0; i < trade->runs->len; i++)
    add_run (&w, trade, &g_array_index (trade->runs, SlTradeRun, i));
  sl_json_close (&w);
  sl_json_open (&w, "points", '[', SL_JSON_LINES);
  for (guint p = 0; p < trade->points->len; p++)
    add_point (&w, trade, &g_array_index (trade->points, SlTradePoint, p));
  return sl_json_writer_end (&w, TRUE);
}

/* ---- a figure ---- */

/* What the colour of a point says: the value of the first number that varies. */
static int
toned (const SlTrade *trade)
{
  for (unsigned i = 0; i < trade->n_varies; i++)
    {
      SlKind kind = trade->lab->params[trade->varies[i]].kind;

      if (kind == SL_REAL || kind == SL_INTEGER || kind == SL_LIST)
        return (int) trade->varies[i];
    }
  return -1;
}

static void
add_point_of (const SlTrade *trade, const SlTradeRun *run, int tone, SlFront *front)
{
  SlFrontRun in = {
    .key = run->point,
    .x = sl_cost_of (&run->outcome, trade->cost),
    .y = run->diverged ? NAN : run->outcome.error,
    .tone = tone >= 0 ? sl_packed_value (run->settings, trade->lab->params, (unsigned) tone).v[0]
                      : (double) NAN,
  };
  g_autofree char *words
    = sl_trade_words (trade, &g_array_index (trade->points, SlTradePoint, run->point));

  g_strlcpy (in.title, words, sizeof in.title);
  sl_front_add (front, &in);
}

bool
sl_trade_figure (const SlTrade *trade, SlFront *front, SlFigure *figure)
{
  const SlLab *lab = trade->lab;
  int          tone = toned (trade);

  if (lab->error == NULL)
    return false;
  front->frontier = true;
  for (guint i = 0; i < trade->runs->len; i++)
    add_point_of (trade, &g_array_index (trade->runs, SlTradeRun, i), tone, front);
  g_snprintf (figure->title, sizeof figure->title, "%s: cost against error", lab->title);
  figure->x = sl_cost_axis (lab, trade->cost);
  figure->y = sl_lab_error_axis (lab);
  if (tone >= 0)
    figure->z = (SlAxis) { .label = lab->params[tone].title,
                           .unit = sl_given (lab->params[tone].unit),
                           .logarithmic = lab->params[tone].logarithmic };
  return front->n > 0 && sl_front_update (front, figure);
}
