/* SPDX-License-Identifier: MIT
 *
 * A gating map: its cells as an image, and over them the lines between regions and the examples,
 * so that an export stays sharp where it matters.  */
#include <string.h>

#include "plot/draw/private.h"

void
sl_draw_plane (const SlDrawing *d)
{
  const SlFigure      *figure = d->figure;
  int                  side = (int) figure->plane.side;
  cairo_surface_t     *image = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, side, side);
  int                  stride = cairo_image_surface_get_stride (image) / 4;
  g_autofree uint32_t *cells = g_new (uint32_t, (size_t) side * (size_t) side);

  if (cairo_surface_status (image) == CAIRO_STATUS_SUCCESS)
    {
      uint32_t *pixels = (uint32_t *) (void *) cairo_image_surface_get_data (image);

      sl_plane_fill (&figure->plane, d->theme, figure->view.plane, (int) figure->view.alone - 1,
                     cells);
      for (int r = 0; r < side; r++)
        memcpy (pixels + (size_t) r * (size_t) stride, cells + (size_t) r * (size_t) side,
                (size_t) side * sizeof *cells);
      cairo_surface_mark_dirty (image);
      sl_draw_group (d, "cells", NULL, 1.0);
      d->canvas->image (d->canvas, &d->frame->plot, image);
      sl_draw_end (d);
    }
  cairo_surface_destroy (image);
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

void
sl_draw_plane_over (const SlDrawing *d)
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
}
