/* SPDX-License-Identifier: MIT
 *
 * A trade-off for people, for programs and as a picture; see trade.h.  */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "app/cli/trade.h"
#include "core/run/base/number.h"

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

  return sl_param_format (&trade->lab->params[p], &run->settings.value[p], text, CELL);
}

char *
sl_trade_words (const SlTrade *trade, const SlTradePoint *point)
{
  GString *words = g_string_new (NULL);
  char     text[CELL];

  for (unsigned i = 0; i < trade->n_varies; i++)
    g_string_append_printf (words, "%s%s %s", i > 0 ? ", " : "",
                            trade->lab->params[trade->varies[i]].id,
                            value_text (trade, point, i, text));
  if (trade->data_varies)
    g_string_append_printf (words, "%s%s", words->len > 0 ? ", " : "",
                            first_of (trade, point)->data);
  if (words->len == 0)
    g_string_append (words, trade->lab->id);
  return g_string_free (words, FALSE);
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

static void
mean_cell (Table *table, double mean, double sd, unsigned n)
{
  if (isnan (mean))
    cell (table, g_strdup (""));
  else if (n > 1)
    cell (table, g_strdup_printf ("%.4g ± %.2g", mean, sd));
  else
    cell (table, g_strdup_printf ("%.4g", mean));
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

/* The error and three costs where the lab has them, else whatever it scores itself by. */
static void
head (const SlTrade *trade, Table *table, bool judged)
{
  const SlTradeRun *run = &g_array_index (trade->runs, SlTradeRun, 0);

  for (unsigned i = 0; i < trade->n_varies; i++)
    cell (table, g_strdup (trade->lab->params[trade->varies[i]].id));
  if (trade->data_varies)
    cell (table, g_strdup ("data"));
  cell (table, g_strdup ("n"));
  if (judged)
    {
      cell (table, g_strdup (trade->lab->error));
      for (unsigned c = 0; c < SL_N_COSTS; c++)
        cell (table, g_strdup_printf ("%s %%", sl_cost_id ((SlCost) c)));
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
      mean_cell (table, point->error, point->error_sd, point->n);
      for (unsigned c = 0; c < SL_N_COSTS; c++)
        mean_cell (table, point->cost[c], point->cost_sd[c], point->n);
    }
  else
    for (unsigned s = 0; s < run->n_scores; s++)
      mean_cell (table, point->score[s], point->score_sd[s], point->n);
  cell (table, point->diverged > 0 ? g_strdup_printf ("%u diverged", point->diverged)
                                   : g_strdup (point->best ? "*" : ""));
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
number_member (GString *json, const char *name, double value)
{
  g_string_append_printf (json, ", \"%s\": ", name);
  sl_json_number (json, value);
}

static void
values_member (GString *json, const SlTrade *trade, const SlSettings *settings)
{
  char text[CELL];

  g_string_append (json, "\"settings\": {");
  for (unsigned i = 0; i < trade->n_varies; i++)
    {
      const SlParam *param = &trade->lab->params[trade->varies[i]];

      g_string_append_printf (json, "%s\"%s\": ", i > 0 ? ", " : "", param->id);
      sl_json_string (json,
                      sl_param_format (param, &settings->value[trade->varies[i]], text, CELL));
    }
  g_string_append_c (json, '}');
}

static void
append_run (GString *json, const SlTrade *trade, const SlTradeRun *run)
{
  g_string_append_printf (json, "\n    {\"id\": \"%s\", \"seed\": \"%" PRIu64 "\", ", run->id,
                          run->seed);
  values_member (json, trade, &run->settings);
  g_string_append_printf (json, ", \"step\": %" PRIu64 ", \"diverged\": %s", run->step,
                          run->diverged ? "true" : "false");
  number_member (json, "error", run->outcome.error);
  number_member (json, "executed", run->outcome.executed);
  number_member (json, "timed", run->outcome.timed);
  number_member (json, "expected", run->outcome.expected);
  g_string_append (json, ", \"scores\": {");
  for (unsigned s = 0; s < run->n_scores; s++)
    {
      g_string_append_printf (json, "%s\"%s\": ", s > 0 ? ", " : "", run->score[s].id);
      sl_json_number (json, run->score[s].value);
    }
  g_string_append (json, "}}");
}

static void
append_point (GString *json, const SlTrade *trade, const SlTradePoint *point)
{
  g_string_append (json, "\n    {");
  values_member (json, trade, &first_of (trade, point)->settings);
  g_string_append_printf (json, ", \"n\": %u, \"diverged\": %u", point->n, point->diverged);
  number_member (json, "error", point->error);
  number_member (json, "error-sd", point->error_sd);
  for (unsigned c = 0; c < SL_N_COSTS; c++)
    {
      g_autofree char *sd = g_strconcat (sl_cost_id ((SlCost) c), "-sd", NULL);

      number_member (json, sl_cost_id ((SlCost) c), point->cost[c]);
      number_member (json, sd, point->cost_sd[c]);
    }
  g_string_append_printf (json, ", \"front\": %s}", point->best ? "true" : "false");
}

char *
sl_trade_json (const SlTrade *trade)
{
  GString *json = g_string_new ("\"runs\": [");

  for (guint i = 0; i < trade->runs->len; i++)
    {
      g_string_append (json, i > 0 ? "," : "");
      append_run (json, trade, &g_array_index (trade->runs, SlTradeRun, i));
    }
  g_string_append (json, "\n  ],\n  \"points\": [");
  for (guint p = 0; p < trade->points->len; p++)
    {
      g_string_append (json, p > 0 ? "," : "");
      append_point (json, trade, &g_array_index (trade->points, SlTradePoint, p));
    }
  g_string_append (json, "\n  ]");
  return g_string_free (json, FALSE);
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
add_point_of (SlTrade *trade, const SlTradeRun *run, int tone)
{
  const double costs[SL_N_COSTS]
    = { run->outcome.executed, run->outcome.timed, run->outcome.expected };
  SlFrontRun in = {
    .key = run->point,
    .x = costs[trade->cost],
    .y = run->diverged ? NAN : run->outcome.error,
    .tone = tone >= 0 ? run->settings.value[tone].v[0] : NAN,
  };
  g_autofree char *words
    = sl_trade_words (trade, &g_array_index (trade->points, SlTradePoint, run->point));

  g_strlcpy (in.title, words, sizeof in.title);
  sl_front_add (&trade->front, &in);
}

bool
sl_trade_figure (SlTrade *trade, SlFigure *figure)
{
  static const char *const titles[SL_N_COSTS]
    = { "executed multiplications", "time by the clock", "expected multiplications" };
  const SlLab *lab = trade->lab;
  int          tone = toned (trade);

  if (lab->error == NULL)
    return false;
  sl_front_empty (&trade->front);
  for (guint i = 0; i < trade->runs->len; i++)
    add_point_of (trade, &g_array_index (trade->runs, SlTradeRun, i), tone);
  g_snprintf (figure->title, sizeof figure->title, "%s: cost against error", lab->title);
  figure->x = (SlAxis) { .label = titles[trade->cost], .unit = "% of dense" };
  /* The panel of the error's name, where there is one, knows its words and unit. */
  figure->y = (SlAxis) { .label = lab->error, .unit = "" };
  if (sl_lab_panel (lab, lab->error) >= 0)
    {
      const SlAxis *known = &lab->panels[sl_lab_panel (lab, lab->error)].y;

      figure->y = (SlAxis) { .label = known->label, .unit = known->unit };
    }
  if (tone >= 0)
    figure->z = (SlAxis) { .label = lab->params[tone].title,
                           .unit = lab->params[tone].unit,
                           .logarithmic = lab->params[tone].logarithmic };
  return trade->front.n > 0 && sl_front_update (&trade->front, figure);
}
