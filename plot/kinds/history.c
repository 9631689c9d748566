/* SPDX-License-Identifier: MIT
 *
 * Many channels over the updates as rows of a heat map, or as a histogram over time.  */
#include <glib.h>
#include <math.h>

#include "plot/draw/cells.h"
#include "plot/figure/rows.h"
#include "plot/kinds/kinds.h"
#include "plot/screen/cells.h"

static bool
fit_y (const SlFigure *figure, SlRange *range)
{
  *range = sl_kind_axis (&figure->y, figure->rows.n);
  return true;
}

/* Runs of zeros in one row, hatched as one. */
static void
hatch_row (const SlDrawing *d, const SlCellMean *mean, unsigned columns, const SlRect *row,
           GArray *path)
{
  double w = row->w / columns;

  for (unsigned from = 0, to; from < columns; from = to)
    {
      to = from + 1;
      if (!mean[from].zero)
        continue;
      while (to < columns && mean[to].zero)
        to++;
      sl_draw_hatch (d, &(SlRect) { row->x + from * w, row->y, (to - from) * w, row->h }, path);
    }
}

static void
put_cells (const SlDrawing *d, const SlCellMean *mean, unsigned rows, unsigned columns)
{
  size_t             n = (size_t) rows * columns;
  g_autofree double *value = g_new (double, n);

  for (size_t i = 0; i < n; i++)
    value[i] = mean[i].mean;
  sl_draw_cells (d, value, rows, columns, (SlRgba) { 0 });
}

/* One column per px, as on the screen; gaps stay clear. */
static void
draw (const SlDrawing *d)
{
  const SlFigure        *figure = d->figure;
  const SlRect          *plot = &d->frame->plot;
  unsigned               columns = (unsigned) MAX (ceil (plot->w), 1.0), n = figure->rows.n;
  g_autofree double     *edge = g_new (double, columns + 1);
  g_autofree SlCellMean *mean = g_new (SlCellMean, (size_t) MAX (n, 1) * columns);
  g_autofree uint32_t   *pixels = g_new0 (uint32_t, (size_t) MAX (n, 1) * columns);
  g_autoptr (GArray) path = g_array_new (FALSE, FALSE, sizeof (SlXY));

  sl_draw_group (d, "cells", NULL, 1.0);
  sl_edges (&d->frame->x, columns, edge);
  sl_rows_means (figure, edge, columns, mean);
  for (unsigned r = 0; r < n; r++)
    {
      SlRect            row = { plot->x, plot->y + plot->h * r / n, plot->w, plot->h / n };
      const SlCellMean *at = mean + (size_t) r * columns;

      for (unsigned c = 0; c < columns; c++)
        if (!isnan (at[c].mean))
          pixels[(size_t) r * columns + c]
            = sl_packed (sl_tint_colour (d->theme, &figure->colours.tint, at[c].mean));
      if (figure->colours.zero != NULL)
        hatch_row (d, at, columns, &row, path);
    }
  if (sl_draw_by_values (d) && n > 0)
    put_cells (d, mean, n, columns);
  else
    sl_draw_pixels (d, plot, pixels, columns, MAX (n, 1));
  sl_draw_hatching (d, path);
  sl_draw_end (d);
}

/* One row; gaps stay paper. */
static void
raster_row (const SlScreen *screen, const SlShades *shades, const SlCellMean *mean, int x0, int x1,
            int y0, int y1)
{
  uint32_t *line = sl_pixels_line (screen->pixels, y0);
  bool      hatched = false;

  for (int x = x0; x < x1; x++)
    {
      const SlCellMean *at = &mean[x - x0];

      hatched = hatched || (at->zero && shades->hatch != NULL);
      if (!isnan (at->mean))
        line[x] = at->zero && shades->hatch != NULL
                    ? shades->hatch[x + y0]
                    : sl_shade (shades, &screen->figure->colours.tint, at->mean);
    }
  sl_pixels_repeat (screen->pixels, x0, x1, y0, y1);
  for (int y = y0 + 1; y < y1 && hatched; y++)
    for (int x = x0; x < x1; x++)
      if (mean[x - x0].zero)
        sl_pixels_line (screen->pixels, y)[x] = shades->hatch[x + y];
}

static void
raster (const SlScreen *screen)
{
  SlBox                  box = sl_pixels_box (screen->pixels, &screen->frame->plot);
  unsigned               n = screen->figure->rows.n, columns = (unsigned) MAX (box.x1 - box.x0, 0);
  double                 height = box.y1 - box.y0;
  g_autofree SlCellMean *mean = sl_raster_means (screen, columns);
  SlShades               shades;

  sl_shades_init (&shades, screen);
  for (unsigned r = 0; r < n && columns > 0; r++)
    {
      int y0 = box.y0 + (int) lround (height * r / n);
      int y1 = box.y0 + (int) lround (height * (r + 1) / n);

      if (y1 > y0)
        raster_row (screen, &shades, mean + (size_t) r * columns, box.x0, box.x1, y0, y1);
    }
  sl_shades_clear (&shades);
}

/* clang-format off */
const SlFigureKind sl_kind_history = {
  .words = "a history",
  .steps = true, .axes = true, .rows = true, .row_axis = true, .tinted = true, .log_tint = true,
  .count = sl_rows_count, .fit_y = fit_y,
  .draw = draw, .raster = raster,
};
/* clang-format on */
