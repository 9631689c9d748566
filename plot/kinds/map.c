/* SPDX-License-Identifier: MIT
 *
 * What a network does over a plane of inputs: cells as pixels, and over them the lines between regions
 * and the examples, so that an export stays sharp where it matters.  */
#include <glib.h>
#include <glib/gi18n.h>

#include "core/run/base/language.h"
#include "plot/draw/cells.h"
#include "plot/kinds/kinds.h"
#include "plot/layout/laying.h"
#include "plot/screen/cells.h"

enum {
  NARROW = 24,
  WIDEST = 7
}; /* widths of a plot that has room for names, and of a name, in type */

static bool
empty (const SlFigure *figure)
{
  return figure->plane.side == 0;
}

static void
take (SlFigure *figure, const SlRecord *record, const SlSnapshot *snapshot)
{
  sl_plane_of (&figure->plane, snapshot);
  figure->matrix.tiles = figure->matrix.depth = 1;
  figure->matrix.rows = figure->matrix.columns = figure->plane.side;
  /* A slice through more than two features says in the note which it is. */
  if (snapshot->note.packed[0] != '\0')
    {
      figure->x.label = N_ ("1st direction");
      figure->y.label = N_ ("2nd direction");
    }
}

/* The sentence on the colours and the line.  Numbers have a key beside the map. */
static const char *
legend_of (SlPlaneMode mode)
{
  switch (mode)
    {
    case SL_PLANE_PATTERN: return N_ ("Colour: what is on. Line: class boundary.");
    case SL_PLANE_TOP: return N_ ("Colour: what counts most. Line: class boundary.");
    case SL_PLANE_DECISION: return N_ ("Colour: the class, paler where it is close.");
    default: return N_ ("Line: class boundary.");
    }
}

/* The note is about the one region that is shown; else it is the legend, and which plane this is. */
static void
set_note (SlFigure *figure)
{
  const char *(*words) (const char *) = figure->translated ? sl_words : NULL;
  const char *legend = sl_figure_words (figure, legend_of (figure->view.plane));
  size_t      used;

  if (figure->view.alone > 0)
    {
      SlMessage region = sl_plane_region_text (&figure->plane, figure->view.alone - 1);

      sl_message_show (region.packed, words, figure->note, sizeof figure->note);
      return;
    }
  used = g_strlcpy (figure->note, legend, sizeof figure->note);
  if (figure->plane.note[0] == '\0' || used + 2 >= sizeof figure->note)
    return;
  figure->note[used++] = ' ';
  sl_message_show (figure->plane.note, words, figure->note + used, sizeof figure->note - used);
}

static void
prepare_fit (SlFigure *figure)
{
  figure->z = (SlAxis) {
    .label = sl_figure_words (figure, sl_plane_mode_key (figure->view.plane)),
    .unit = "",
  };
  if (empty (figure))
    return;
  if (figure->plane.axis[0][0] != '\0')
    {
      figure->x.label = figure->plane.axis[0];
      figure->y.label = figure->plane.axis[1];
    }
  set_note (figure);
  sl_plane_range (&figure->plane, figure->view.plane, &figure->z.lo, &figure->z.hi);
}

static bool
fit_x (const SlFigure *figure, SlRange *range)
{
  *range = (SlRange) { figure->plane.left, figure->plane.right };
  return !empty (figure);
}

static bool
fit_y (const SlFigure *figure, SlRange *range)
{
  *range = (SlRange) { figure->plane.bottom, figure->plane.top };
  return !empty (figure);
}

/* Names of colours in a column at the right edge, as many as there is room for. */
static double
lay_side (const SlLaying *job, SlFrame *frame, double top, double bottom)
{
  const SlFigure *figure = job->figure;
  double          type = job->theme->type, row = 1.15 * job->line, widest = 0.0;
  SlPlaneName     name[SL_PLANE_NAMES];
  unsigned        n, most = (unsigned) MAX ((bottom - top) / row - 0.5, 0.0);

  if (frame->width < NARROW * type)
    return 0.0;
  n = sl_plane_legend (&figure->plane, figure->view.plane, most, name);
  for (unsigned i = 0; i < n; i++)
    {
      SlSwatch *swatch = &frame->swatch[i];
      char      words[SL_TICK_LABEL];

      sl_message_show (name[i].name, figure->translated ? sl_words : NULL, words, sizeof words);
      widest = MAX (widest, sl_text_ellipsise (job->text, words, type, false, WIDEST * type,
                                               swatch->text, sizeof swatch->text));
      swatch->colour = name[i].colour;
      swatch->baseline = top + i * row + job->ascent;
    }
  frame->n_swatches = n;
  widest += n > 0 ? 1.4 * type : 0.0;
  for (unsigned i = 0; i < n; i++)
    frame->swatch[i].box
      = (SlRect) { frame->width - job->pad - widest, frame->swatch[i].baseline - 0.8 * type,
                   0.9 * type, 0.9 * type };
  return n > 0 ? widest + 0.7 * type : 0.0;
}

static void
draw_names (const SlDrawing *d)
{
  double type = d->theme->type;

  for (unsigned i = 0; i < d->frame->n_swatches; i++)
    {
      const SlSwatch *swatch = &d->frame->swatch[i];

      d->canvas->rect (d->canvas, &swatch->box,
                       sl_plane_named (d->theme, d->figure->view.plane, swatch->colour));
      sl_draw_words (d, swatch->box.x + 1.4 * type, swatch->baseline, swatch->text, type, false,
                     SL_ANCHOR_START, d->theme->soft);
    }
}

/* The colours of all cells, (side, side); free with g_free(). */
static uint32_t *
colours_of (const SlFigure *figure, const SlTheme *theme)
{
  uint32_t *cells = g_new (uint32_t, (size_t) figure->plane.side * figure->plane.side);

  sl_plane_fill (&figure->plane, theme, figure->view.plane, (int) figure->view.alone - 1, cells);
  return cells;
}

static void
draw (const SlDrawing *d)
{
  unsigned             side = d->figure->plane.side;
  g_autofree uint32_t *cells = colours_of (d->figure, d->theme);

  sl_draw_group (d, "cells", NULL, 1.0);
  sl_draw_pixels (d, &d->frame->plot, cells, side, side);
  sl_draw_end (d);
}

static void
draw_edges (const SlDrawing *d, SlEdges edges, SlRgba colour, double width)
{
  const SlRect *plot = &d->frame->plot;
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (SlXY));

  sl_plane_edges (&d->figure->plane, edges, points);
  for (guint i = 0; i < points->len; i++)
    {
      SlXY *at = &g_array_index (points, SlXY, i);

      at->x = plot->x + at->x * plot->w;
      at->y = plot->y + at->y * plot->h;
    }
  if (points->len > 0)
    d->canvas->line (d->canvas, (const SlXY *) (const void *) points->data, points->len, colour,
                     width, NULL);
}

/* Dots of the classes' colours, with a rim of paper so that they stand off any ground. */
static void
draw_examples (const SlDrawing *d)
{
  const SlPlane *plane = &d->figure->plane;
  double         radius = plane->n > 300 ? 0.28 * d->theme->marker : 0.38 * d->theme->marker;

  for (size_t i = 0; i < plane->n; i++)
    {
      double x = sl_frame_x (d->frame, plane->x[i]), y = sl_frame_y (d->frame, plane->y[i]);

      if (!(x >= d->frame->plot.x && x <= d->frame->plot.x + d->frame->plot.w
            && y >= d->frame->plot.y && y <= d->frame->plot.y + d->frame->plot.h))
        continue;
      d->canvas->disc (d->canvas, x, y, radius + 0.9, d->theme->plot, 0.0);
      d->canvas->disc (d->canvas, x, y, radius,
                       sl_plane_class (d->theme, (unsigned) plane->label[i]), 0.0);
    }
}

static void
draw_over (const SlDrawing *d)
{
  SlPlaneMode mode = d->figure->view.plane;

  sl_draw_group (d, "borders", &d->frame->plot, 1.0);
  if (mode == SL_PLANE_PATTERN || mode == SL_PLANE_TOP)
    draw_edges (d, mode == SL_PLANE_TOP ? SL_EDGES_TOP : SL_EDGES_PATTERN,
                sl_mix (d->theme->plot, d->theme->ink, 0.45), 0.4 * d->theme->line);
  sl_draw_end (d);
  sl_draw_group (d, "decision", &d->frame->plot, 1.0);
  /* Seen on light and on dark ground alike. */
  draw_edges (d, SL_EDGES_DECISION, d->theme->plot, 2.4 * d->theme->line);
  draw_edges (d, SL_EDGES_DECISION, d->theme->ink, 1.3 * d->theme->line);
  sl_draw_end (d);
  sl_draw_group (d, "examples", &d->frame->plot, 1.0);
  draw_examples (d);
  sl_draw_end (d);
  sl_draw_group (d, "legend", NULL, 1.0);
  draw_names (d);
  sl_draw_end (d);
}

/* Fills each pixel with the colour of the nearest cell. */
static void
raster (const SlScreen *screen)
{
  const SlPixels      *pixels = screen->pixels;
  SlBox                box = sl_pixels_box (pixels, &screen->frame->plot);
  unsigned             side = screen->figure->plane.side;
  g_autofree uint32_t *cell = colours_of (screen->figure, screen->theme);

  for (int y = box.y0; y < box.y1; y++)
    {
      size_t    r = (size_t) (y - box.y0) * side / (size_t) (box.y1 - box.y0);
      uint32_t *row = sl_pixels_line (pixels, y);

      for (int x = box.x0; x < box.x1; x++)
        row[x] = cell[r * side + (size_t) (x - box.x0) * side / (size_t) (box.x1 - box.x0)];
    }
}

/* clang-format off */
const SlFigureKind sl_kind_map = {
  .words = "a map",
  .axes = true, .cells = true, .tinted = true, .named_tint = true, .legend_from = 2,
  .empty = empty, .take = take, .prepare_fit = prepare_fit, .fit_x = fit_x, .fit_y = fit_y,
  .lay_side = lay_side, .draw = draw, .draw_over = draw_over, .raster = raster,
};
/* clang-format on */
