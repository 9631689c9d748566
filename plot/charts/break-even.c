/* SPDX-License-Identifier: MIT */
#include "plot/charts/break-even.h"

#include <glib/gi18n.h>
#include <math.h>

/* Ends of the colours, so that maps of different settings look alike. */
static const double least = 0.25, most = 4;

static void
append_name (GString *names, double value)
{
  char text[32];

  g_string_append_printf (names, "%s\n", sl_number_text (value, 2, text, sizeof text));
}

static SlCurve *
add_line (SlFigure *figure, const char *id, const char *title, const double *x, const double *y,
          size_t n)
{
  SlCurve *curve = sl_figure_curve (figure, id);

  if (curve == NULL)
    return NULL;
  sl_figure_follow (curve, NULL);
  g_strlcpy (curve->title, title, sizeof curve->title);
  curve->bare = true;
  curve->x = x;
  curve->y = y;
  curve->n = n;
  return curve;
}

/* Around the cell of the settings, a little inside it. */
static void
mark_cell (SlBreakEven *chart)
{
  static const double right[] = { -1, 1, 1, -1, -1 }, down[] = { -1, -1, 1, 1, -1 };
  const double        half = 0.42;
  const SlCostMap    *map = &chart->map;

  for (unsigned i = 0; i < SL_BREAK_EVEN_CELL; i++)
    {
      chart->cell_x[i] = map->x_now + 1 + half * right[i];
      chart->cell_y[i] = map->rows - map->y_now + half * down[i];
    }
}

static void
name_cells (SlBreakEven *chart)
{
  const SlCostMap *map = &chart->map;

  chart->columns = g_string_new (NULL);
  chart->rows = g_string_new (NULL);
  for (unsigned i = 0; i < map->columns; i++)
    append_name (chart->columns, map->x_value[i]);
  for (unsigned i = map->rows; i-- > 0;)
    append_name (chart->rows, map->y_value[i]);
}

void
sl_break_even_update (SlBreakEven *chart, const SlCostMap *map, SlFigure *figure)
{
  sl_break_even_clear (chart);
  chart->map = *map;
  map = &chart->map;
  name_cells (chart);
  mark_cell (chart);
  figure->kind = SL_HEATMAP;
  g_strlcpy (figure->title, N_ ("Where skipping pays"), sizeof figure->title);
  g_strlcpy (figure->note, N_ ("Predicted from kernels timed on this machine, one thread."),
             sizeof figure->note);
  figure->x = (SlAxis) { .label = map->x->title, .unit = sl_given (map->x->unit) };
  figure->y = (SlAxis) { .label = map->y->title, .unit = sl_given (map->y->unit) };
  figure->z = (SlAxis) { .label = N_ ("predicted speed-up"), .unit = "", .logarithmic = true };
  figure->tiles = figure->depth = 1;
  figure->rows = map->rows;
  figure->columns = map->columns;
  figure->matrix = map->speed_up;
  figure->names = chart->columns->str;
  figure->row_names = chart->rows->str;
  figure->lo = least;
  figure->hi = most;
  figure->centre = 1;
  figure->view.log_y = true;
  figure->view_set = true;
  sl_figure_begin (figure);
  if (map->n > 0)
    add_line (figure, "even", N_ ("line: breaks even"), map->line_x, map->line_y, map->n);
  add_line (figure, "now", N_ ("box: these settings"), chart->cell_x, chart->cell_y,
            SL_BREAK_EVEN_CELL);
  sl_figure_end (figure);
  figure->version++;
}

void
sl_break_even_clear (SlBreakEven *chart)
{
  if (chart->columns != NULL)
    g_string_free (chart->columns, TRUE);
  if (chart->rows != NULL)
    g_string_free (chart->rows, TRUE);
  *chart = (SlBreakEven) { 0 };
}
