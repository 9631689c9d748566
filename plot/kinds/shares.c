/* SPDX-License-Identifier: MIT
 *
 * What part of their sum each of many channels has, over the updates: stacked bands.  */
#include <glib.h>
#include <math.h>

#include "plot/draw/drawing.h"
#include "plot/figure/rows.h"
#include "plot/kinds/kinds.h"
#include "plot/screen/cells.h"

/* px of a band from which on a line beside it hides little of it. */
enum { THIN = 5 };

static bool
fit_y (const SlFigure *figure, SlRange *range)
{
  *range = (SlRange) { 0.0, 100.0 };
  return true;
}

/* Where each band begins at an x, in px, (n_rows + 1); false where there are none. */
static bool
bands_at (const SlFrame *frame, const SlFigure *figure, double x, double *begin)
{
  g_autofree SlCellMean *mean = g_new (SlCellMean, MAX (figure->rows.n, 1));

  sl_rows_at (figure, x, sl_frame_pixel (frame, x), mean);
  if (!sl_rows_stack (mean, figure->rows.n, 1, begin))
    return false;
  for (unsigned r = 0; r <= figure->rows.n; r++)
    begin[r] = frame->plot.y + begin[r] * frame->plot.h;
  return true;
}

static unsigned
row_at (const SlFrame *frame, const SlFigure *figure, double x, double y)
{
  double   begin[SL_CURVES_MAX + 1];
  unsigned row = 0;

  if (!bands_at (frame, figure, sl_frame_value_x (frame, x), begin))
    return 0;
  while (row < figure->rows.n && begin[row] <= y)
    row++;
  return row;
}

/* One corner per px. */
typedef struct
{
  unsigned columns;
  double  *begin; /* (columns, n_rows + 1) px from the top of the plot; not-a-number: a gap */
} Stack;

static void
stack (const SlDrawing *d, Stack *out)
{
  const SlRect          *plot = &d->frame->plot;
  unsigned               columns = out->columns, n = d->figure->rows.n;
  g_autofree double     *edge = g_new (double, columns + 1);
  g_autofree SlCellMean *mean = g_new (SlCellMean, (size_t) n * columns);

  sl_edges (&d->frame->x, columns, edge);
  sl_rows_means (d->figure, edge, columns, mean);
  for (unsigned c = 0; c < columns; c++)
    {
      double *begin = out->begin + (size_t) c * (n + 1);
      bool    any = sl_rows_stack (mean + c, n, columns, begin);

      for (unsigned r = 0; r <= n; r++)
        begin[r] = any ? plot->y + plot->h * begin[r] : (double) NAN;
    }
}

/* The line between two bands, without which neighbours of many are hard to tell apart. */
static void
separate (const SlDrawing *d, const Stack *s, unsigned r, unsigned first, unsigned last)
{
  const SlRect    *plot = &d->frame->plot;
  unsigned         n = d->figure->rows.n;
  g_autofree SlXY *point = g_new (SlXY, 2 * (size_t) (last - first));
  size_t           at = 0;

  for (unsigned c = first; c < last; c++)
    {
      const double *begin = s->begin + (size_t) c * (n + 1);
      bool          thin = begin[r] - begin[r - 1] < THIN || begin[r + 1] - begin[r] < THIN;

      if (c > first && (thin || !sl_rows_joined (begin - (n + 1), begin, r)))
        point[at++] = (SlXY) { NAN, NAN };
      if (!thin)
        point[at++] = (SlXY) { plot->x + plot->w * (c + 0.5) / s->columns, begin[r] };
    }
  if (at > 0)
    d->canvas->line (d->canvas, point, at, d->theme->plot, 0.8 * sl_draw_hair (d), NULL);
}

/* The band of row r from column `first` to before `last`. */
static void
draw_stretch (const SlDrawing *d, const Stack *s, unsigned r, unsigned first, unsigned last)
{
  const SlRect    *plot = &d->frame->plot;
  unsigned         n = d->figure->rows.n;
  size_t           at = 0, count = 2 * (size_t) (last - first + 1);
  g_autofree SlXY *corner = g_new (SlXY, count);
  double           w = plot->w / s->columns, thickest = 0.0;

  /* The columns' middles, and the ends of the first and last one. */
  for (unsigned c = first; c <= last; c++)
    {
      double        x = plot->x + w * (c == first ? first : c == last ? last : c + 0.5);
      unsigned      from = MIN (c, last - 1);
      const double *begin = s->begin + (size_t) from * (n + 1) + r;

      corner[at] = (SlXY) { x, begin[0] };
      corner[count - 1 - at] = (SlXY) { x, begin[1] };
      thickest = MAX (thickest, begin[1] - begin[0]);
      at++;
    }
  if (!(thickest > 0.0))
    return;
  d->canvas->area (d->canvas, corner, count,
                   sl_rows_colour (d->figure, d->theme, d->figure->rows.curve[r]));
  if (r > 0)
    separate (d, s, r, first, last);
}

static void
draw (const SlDrawing *d)
{
  unsigned n = d->figure->rows.n;
  Stack    s = { .columns = (unsigned) MAX (ceil (d->frame->plot.w), 1.0) };

  if (n == 0)
    return;
  s.begin = g_new (double, (size_t) s.columns *(n + 1));
  stack (d, &s);
  sl_draw_group (d, "shares", &d->frame->plot, 1.0);
  for (unsigned r = 0; r < n; r++)
    {
      sl_draw_group (d, d->figure->curve[d->figure->rows.curve[r]].id, NULL, 1.0);
      for (unsigned from = 0, to; from < s.columns; from = to)
        {
          to = from + 1;
          if (isnan (s.begin[(size_t) from * (n + 1)]))
            continue;
          while (to < s.columns && !isnan (s.begin[(size_t) to * (n + 1)]))
            to++;
          draw_stretch (d, &s, r, from, to);
        }
      sl_draw_end (d);
    }
  sl_draw_end (d);
  g_free (s.begin);
}

/* Bands of one pixel column; a pixel on a border has some of both colours. */
static void
fill_bands (const SlScreen *screen, const uint32_t *colour, const double *begin, int x,
            const SlBox *box)
{
  unsigned n = screen->figure->rows.n, r = 0;
  double   height = box->y1 - box->y0;

  for (int y = box->y0; y < box->y1; y++)
    {
      uint32_t *pixel = sl_pixels_line (screen->pixels, y) + x;
      double    bottom = y + 1.0 - box->y0;

      *pixel = colour[r];
      while (r + 1 < n && begin[r + 1] * height < bottom)
        {
          r++;
          *pixel = sl_blend (*pixel, colour[r],
                             (uint32_t) lround (256.0 * MIN (bottom - begin[r] * height, 1.0)));
        }
    }
}

/* A fine line of paper between two bands, without which neighbours of many are hard to tell
 * apart; joined to the column before where that hides little of them, and left out beside thin
 * bands.  */
static void
separate_bands (const SlScreen *screen, const double *before, const double *begin, int x,
                const SlBox *box)
{
  enum { OPACITY = 205 };
  unsigned n = screen->figure->rows.n;
  uint32_t paper = sl_packed (screen->theme->plot);
  double   height = box->y1 - box->y0, thin = THIN * screen->pixels->scale;

  for (unsigned r = 1; r < n; r++)
    {
      double now = begin[r] * height, then = now;
      int    from, to;

      if (before != NULL && sl_rows_joined (before, begin, r))
        then = before[r] * height;
      from = (int) MIN (now, then);
      to = (int) MAX (now, then);
      if (now - begin[r - 1] * height < thin || begin[r + 1] * height - now < thin)
        continue;
      /* The corner belongs to the column before. */
      if (to > from && now > then)
        from++;
      else if (to > from)
        to--;
      for (int y = from; y <= to && y < (int) height; y++)
        {
          uint32_t *pixel = sl_pixels_line (screen->pixels, box->y0 + y) + x;

          *pixel = sl_blend (*pixel, paper, OPACITY);
        }
    }
}

static void
raster (const SlScreen *screen)
{
  const SlFigure        *figure = screen->figure;
  SlBox                  box = sl_pixels_box (screen->pixels, &screen->frame->plot);
  unsigned               n = figure->rows.n, columns = (unsigned) MAX (box.x1 - box.x0, 0);
  g_autofree SlCellMean *mean = sl_raster_means (screen, columns);
  g_autofree double     *begin = g_new (double, 2 * (n + 1));
  g_autofree uint32_t   *colour = g_new (uint32_t, n);
  const double          *before = NULL;

  for (unsigned r = 0; r < n; r++)
    colour[r] = sl_packed (sl_rows_colour (figure, screen->theme, figure->rows.curve[r]));
  for (unsigned c = 0; c < columns; c++)
    {
      double *now = begin + (c % 2) * (n + 1);
      bool    any = sl_rows_stack (mean + c, n, columns, now);

      if (any)
        {
          fill_bands (screen, colour, now, box.x0 + (int) c, &box);
          separate_bands (screen, before, now, box.x0 + (int) c, &box);
        }
      before = any ? now : NULL;
    }
}

/* clang-format off */
const SlFigureKind sl_kind_shares = {
  .words = "stacked shares", .unit = "%",
  .steps = true, .axes = true, .rows = true, .swatches = true, .legend_from = 2,
  .legend_to = SL_THEME_COLOURS, /* as long as the palette can tell them apart */
  .count = sl_rows_count, .fit_y = fit_y, .row_at = row_at,
  .draw = draw, .raster = raster,
};
/* clang-format on */
