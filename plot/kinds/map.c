/* SPDX-License-Identifier: MIT
 *
 * What a network does over a plane of inputs: cells as pixels, and over them the lines between regions
 * and the examples, so that an export stays sharp where it matters.  */
#include <glib.h>
#include <glib/gi18n.h>
#include <math.h>

#include "core/run/base/language.h"
#include "plot/draw/cells.h"
#include "plot/kinds/kinds.h"
#include "plot/layout/plane.h"
#include "plot/screen/cells.h"
#include "plot/screen/plane.h"

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
    case SL_PLANE_PATTERN: return N_ ("Colour: what is on.");
    case SL_PLANE_TOP: return N_ ("Colour: what counts most.");
    case SL_PLANE_DECISION: return N_ ("Grey: the class, paler where it is close.");
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
  if (sl_plane_range (&figure->plane, figure->view.plane, &figure->z.lo, &figure->z.hi)
      && figure->colours.lo < figure->colours.hi)
    {
      figure->z.lo = MIN (figure->z.lo, figure->colours.lo);
      figure->z.hi = MAX (figure->z.hi, figure->colours.hi);
    }
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

static void
lay_x (const SlLaying *job, SlFrame *frame)
{
  sl_lay_numbers (job, frame, false);
  sl_lay_place_plane (job, frame);
}

/* The sign of a class, which stands off any ground. */
static void
draw_class (const SlDrawing *d, unsigned label, double x, double y, double size)
{
  SlRgba fill = sl_plane_class (label);

  sl_canvas_marker (d->canvas, sl_plane_class_marker (label), x, y, size, fill,
                    sl_plane_class (label + 1));
}

/* A field of a ground, as an image where it has stripes. */
static void
draw_ground (const SlDrawing *d, const SlRect *box, const SlGround *ground)
{
  enum { SIZE = 32 };
  uint32_t pixel[SIZE * SIZE];

  if (ground->stripes == 0)
    {
      d->canvas->rect (d->canvas, box, ground->colour);
      return;
    }
  sl_ground_fill_one (&(SlGroundPixels) { pixel, SIZE, SIZE, SIZE, SIZE / box->w }, ground,
                      d->theme);
  sl_draw_pixels (d, box, pixel, SIZE, SIZE);
}

static void
draw_names (const SlDrawing *d)
{
  double type = d->theme->type;

  for (unsigned i = 0; i < d->frame->n_swatches; i++)
    {
      const SlSwatch *swatch = &d->frame->swatch[i];
      SlGround        ground
        = sl_plane_ground (&d->figure->plane, d->theme, d->figure->view.plane, swatch->value);

      if (swatch->symbol)
        draw_class (d, swatch->value, swatch->box.x + 0.5 * swatch->box.w,
                    swatch->box.y + 0.5 * swatch->box.h, 0.6 * type);
      else
        draw_ground (d, &swatch->box, &ground);
      sl_draw_words (d, swatch->box.x + 1.4 * type, swatch->baseline, swatch->text, type, false,
                     SL_ANCHOR_START, d->theme->soft);
    }
}

/* On a plate of the region's own colour, which hides the examples there. */
static void
draw_labels (const SlDrawing *d)
{
  for (unsigned i = 0; i < d->frame->n_labels; i++)
    {
      const SlPlaneLabel *label = &d->frame->label[i];
      SlRgba              colour
        = sl_plane_ground (&d->figure->plane, d->theme, d->figure->view.plane, label->value).colour;
      double width = sl_text_width (d->canvas->text, label->text, label->type, false);
      SlRect plate = { label->x - 0.5 * width - 0.2 * label->type, label->y - 0.6 * label->type,
                       width + 0.4 * label->type, 1.2 * label->type };

      if (d->figure->view.alone > 0 && label->value != d->figure->view.alone - 1)
        colour = sl_plane_pale (d->theme, colour);
      d->canvas->rect (d->canvas, &plate, colour);
      sl_draw_words (d, label->x, label->y + 0.36 * label->type, label->text, label->type, false,
                     SL_ANCHOR_MIDDLE, sl_ink_on (colour));
    }
}

/* An image of so many pixels that no cell is seen, which all canvases take. */
static void
draw (const SlDrawing *d)
{
  enum { PIXELS = 1024 }; /* along the longer edge */
  const SlRect *plot = &d->frame->plot;
  double scale = d->canvas->pixels > 0.0 ? d->canvas->pixels : PIXELS / MAX (plot->w, plot->h);
  int    w = (int) ceil (scale * plot->w), h = (int) ceil (scale * plot->h);
  g_autofree uint32_t *pixel = g_new0 (uint32_t, (size_t) w * (size_t) h);

  sl_draw_group (d, "cells", NULL, 1.0);
  sl_ground_fill (&(SlGroundPixels) { pixel, w, h, w, scale }, d->figure, d->theme);
  for (size_t i = 0; i < (size_t) w * (size_t) h; i++)
    pixel[i] |= 0xff000000U;
  sl_draw_pixels (d, plot, pixel, (unsigned) w, (unsigned) h);
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

static void
draw_examples (const SlDrawing *d)
{
  const SlPlane *plane = &d->figure->plane;
  const SlRect  *p = &d->frame->plot;
  /* Many of them would hide a small map. */
  double room = sqrt (p->w * p->h / (1.0 + (double) plane->n)) / d->theme->type;
  double size = CLAMP (0.45 * room, 0.42, 0.76) * d->theme->marker;

  for (size_t i = 0; i < plane->n; i++)
    {
      double x = sl_frame_x (d->frame, plane->x[i]), y = sl_frame_y (d->frame, plane->y[i]);

      if (x >= p->x && x <= p->x + p->w && y >= p->y && y <= p->y + p->h)
        draw_class (d, (unsigned) sl_plane_whole (plane->label[i]), x, y, size);
    }
}

static void
draw_over (const SlDrawing *d)
{
  /* Greys of neighbours may be alike. */
  double  dark = d->theme->kind == SL_THEME_GREY ? 0.0 : 0.45;
  SlEdges edges;

  sl_draw_group (d, "borders", &d->frame->plot, 1.0);
  if (sl_plane_regions (&d->figure->plane, d->figure->view.plane, &edges))
    draw_edges (d, edges, sl_mix (d->theme->plot, d->theme->ink, dark), 0.4 * d->theme->line);
  sl_draw_end (d);
  sl_draw_group (d, "decision", &d->frame->plot, 1.0);
  /* Seen on light and on dark ground alike. */
  draw_edges (d, SL_EDGES_DECISION, d->theme->plot, 2.4 * d->theme->line);
  draw_edges (d, SL_EDGES_DECISION, d->theme->ink, 1.3 * d->theme->line);
  sl_draw_end (d);
  sl_draw_group (d, "examples", &d->frame->plot, 1.0);
  draw_examples (d);
  sl_draw_end (d);
  sl_draw_group (d, "labels", &d->frame->plot, 1.0);
  draw_labels (d);
  sl_draw_end (d);
  sl_draw_group (d, "legend", NULL, 1.0);
  draw_names (d);
  sl_draw_end (d);
}

static void
raster (const SlScreen *screen)
{
  const SlPixels *pixels = screen->pixels;
  SlBox           box = sl_pixels_box (pixels, &screen->frame->plot);

  sl_ground_fill (&(SlGroundPixels) { sl_pixels_line (pixels, box.y0) + box.x0, box.x1 - box.x0,
                                      box.y1 - box.y0, pixels->stride, pixels->scale },
                  screen->figure, screen->theme);
}

/* clang-format off */
const SlFigureKind sl_kind_map = {
  .words = "a map",
  .axes = true, .equal = true, .cells = true, .tinted = true, .named_tint = true, .legend_from = 2,
  .empty = empty, .take = take, .prepare_fit = prepare_fit, .fit_x = fit_x, .fit_y = fit_y,
  .lay_side = sl_lay_plane, .lay_x = lay_x, .draw = draw, .draw_over = draw_over, .raster = raster,
};
/* clang-format on */
