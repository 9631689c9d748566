/* SPDX-License-Identifier: MIT
 *
 * Axes and values of a figure with curves, bars or rows, for what a page reads and draws anew.  */
#include <math.h>
#include <string.h>

#include "plot/draw/drawing.h"
#include "plot/export/sheet.h"
#include "plot/figure/smooth.h"
#include "plot/page/private.h"

static void
put_scale (SlPage *page, const char *key, const SlScale *scale, const char *label,
           const SlAxis *axis)
{
  sl_page_open (page, key, '{');
  sl_page_number (page, "lo", scale->lo);
  sl_page_number (page, "hi", scale->hi);
  sl_page_number (page, "foot", scale->foot);
  sl_page_bool (page, "log", scale->logarithmic);
  sl_page_text (page, "label", label);
  sl_page_text (page, "unit", axis->unit);
  sl_page_close (page);
}

static void
name_colour (SlRgba colour, char name[8])
{
  g_snprintf (name, 8, "#%06x", sl_packed (colour) & 0xffffff);
}

static void
put_pen (SlPage *page, const SlCurve *curve)
{
  SlTheme  light = sl_theme_get (SL_THEME_LIGHT), dark = sl_theme_get (SL_THEME_DARK);
  SlPen    pen = sl_curve_pen (&light, curve);
  char     on_light[8], on_dark[8];
  unsigned n = 0;

  name_colour (pen.colour, on_light);
  name_colour (sl_curve_pen (&dark, curve).colour, on_dark);
  sl_page_number (page, "colour", sl_page_colour (page, on_light, on_dark));
  while (n < 7 && pen.dash[n] > 0.0)
    n++;
  sl_page_values (page, "dash", pen.dash, n);
  sl_page_bool (page, "points", curve->scatter);
  sl_page_bool (page, "ghost", curve->ghost);
}

/* Every so manieth sample; the last one is always there. */
static size_t
stride_of (const SlPage *page, size_t n)
{
  return n <= page->most ? 1 : (n + page->most - 1) / page->most;
}

static void
put_column (SlPage *page, const char *key, const double *value, size_t n, bool shared)
{
  size_t             stride = stride_of (page, n), count = 0;
  g_autofree double *kept = g_new (double, n / stride + 2);

  for (size_t i = 0; i < n; i++)
    if (i % stride == 0 || i + 1 == n)
      kept[count++] = value[i];
  if (shared)
    sl_page_column (page, key, kept, count);
  else
    sl_page_values (page, key, kept, count);
}

static void
put_curve (SlPage *page, const SlFigure *figure, unsigned c)
{
  const SlCurve *curve = &figure->curve[c];
  SlPoints       points = sl_points_of_curve (curve), smooth = sl_smooth_points (curve);

  sl_page_open (page, NULL, '{');
  sl_page_text (page, "id", curve->id);
  sl_page_text (page, "title", *curve->title != '\0' ? curve->title : figure->title);
  sl_page_text (page, "group", curve->group_title);
  sl_page_text (page, "unit", curve->unit);
  put_pen (page, curve);
  sl_page_number (page, "every", (double) stride_of (page, points.n));
  sl_page_bool (page, "smooth", smooth.n > 0);
  put_column (page, "x", points.x, points.n, true);
  put_column (page, "y", points.y, points.n, false);
  if (curve->low != NULL && curve->high != NULL)
    {
      put_column (page, "low", curve->low->value, MIN (curve->low->n, points.n), false);
      put_column (page, "high", curve->high->value, MIN (curve->high->n, points.n), false);
    }
  if (curve->spread != NULL)
    put_column (page, "spread", curve->spread, points.n, false);
  sl_page_close (page);
}

static void
put_names (SlPage *page, const SlFigure *figure)
{
  sl_page_open (page, "names", '[');
  for (unsigned i = 0; figure->categories.name != NULL && i < figure->categories.n; i++)
    sl_page_text (page, NULL, sl_figure_label (figure, figure->categories.name[i]));
  sl_page_close (page);
}

static void
put_plot (SlPage *page, const SlFrame *f)
{
  const double plot[] = { f->plot.x, f->plot.y, f->plot.w, f->plot.h, f->inset };

  sl_page_values (page, "plot", plot, G_N_ELEMENTS (plot));
}

/* Curves, or rows from the top. */
static void
put_curves (SlPage *page, const SlFigure *figure)
{
  bool     rows = sl_figure_kind (figure)->rows;
  unsigned n = rows ? figure->rows.n : figure->n_curves;

  sl_page_open (page, "curves", '[');
  for (unsigned i = 0; i < n; i++)
    {
      unsigned c = rows ? figure->rows.curve[i] : i;

      if (!figure->curve[c].hidden)
        put_curve (page, figure, c);
    }
  sl_page_close (page);
}

void
sl_page_curves (SlPage *page, SlFigure *figure)
{
  const SlFigureKind *kind = sl_figure_kind (figure);
  SlExportOptions     options = sl_page_options (figure);
  SlPlotSheet         sheet;
  const SlFrame      *f;

  sl_plot_sheet_init (&sheet, &figure, 1, &options, 0.0);
  f = &sheet.frame[0];
  put_plot (page, f);
  put_scale (page, "x", &f->x, sl_figure_label (figure, figure->x.label), &figure->x);
  put_scale (page, "y", &f->y, f->y_label, kind->row_axis ? &figure->z : &figure->y);
  sl_page_bool (page, "whole", figure->integer_x);
  sl_page_bool (page, "steps", kind->steps);
  sl_page_number (page, "mark", figure->mark);
  sl_page_number (page, "share", figure->view.smooth);
  sl_page_bool (page, "bars", kind->bars);
  sl_page_text (page, "rows", !kind->rows ? "" : kind->row_axis ? "even" : "shares");
  put_names (page, figure);
  put_curves (page, figure);
  sl_plot_sheet_clear (&sheet);
}
