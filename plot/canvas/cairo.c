/* SPDX-License-Identifier: MIT
 *
 * The canvas on a cairo context: screen, PNG and PDF.  */
#include "plot/canvas/canvas.h"

#include <math.h>

typedef struct
{
  SlCanvas canvas; /* first */
  cairo_t *cr;
  GArray  *opacity; /* of the open groups, double */
} Cairo;

static cairo_t *
cr_of (SlCanvas *canvas)
{
  return ((Cairo *) canvas)->cr;
}

static void
set_colour (cairo_t *cr, SlRgba c)
{
  cairo_set_source_rgba (cr, (double) c.r, (double) c.g, (double) c.b, (double) c.a);
}

static void
begin (SlCanvas *canvas, const char *id, const SlRect *clip, double opacity)
{
  cairo_t *cr = cr_of (canvas);

  cairo_save (cr);
  if (clip != NULL)
    {
      cairo_rectangle (cr, clip->x, clip->y, clip->w, clip->h);
      cairo_clip (cr);
    }
  if (opacity < 1.0)
    cairo_push_group (cr);
  g_array_append_val (((Cairo *) canvas)->opacity, opacity);
}

static void
shift (SlCanvas *canvas, const char *id, double x, double y)
{
  begin (canvas, id, NULL, 1.0);
  cairo_translate (cr_of (canvas), x, y);
}

static void
end (SlCanvas *canvas)
{
  GArray  *stack = ((Cairo *) canvas)->opacity;
  double   opacity = g_array_index (stack, double, stack->len - 1);
  cairo_t *cr = cr_of (canvas);

  g_array_set_size (stack, stack->len - 1);
  if (opacity < 1.0)
    {
      cairo_pop_group_to_source (cr);
      cairo_paint_with_alpha (cr, opacity);
    }
  cairo_restore (cr);
}

static void
rect (SlCanvas *canvas, const SlRect *r, SlRgba colour)
{
  cairo_t *cr = cr_of (canvas);

  set_colour (cr, colour);
  cairo_rectangle (cr, r->x, r->y, r->w, r->h);
  cairo_fill (cr);
}

static void
line (SlCanvas *canvas, const SlXY *points, size_t n, SlRgba colour, double width,
      const double *dash)
{
  /* Cairo's stroker is superlinear in the length of a path that crosses itself, and curves of
   * noise do nothing else; short strokes with round ends look the same where they are solid.  */
  enum { STROKE = 48 };
  cairo_t *cr = cr_of (canvas);
  bool     solid = dash == NULL || dash[0] == 0.0;
  bool     split = solid && (double) colour.a >= 1.0
               && cairo_surface_get_type (cairo_get_group_target (cr)) == CAIRO_SURFACE_TYPE_IMAGE;
  bool     down = false;
  unsigned length = 0;
  int      dashes = 0;

  set_colour (cr, colour);
  cairo_set_line_width (cr, width);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap (cr, solid ? CAIRO_LINE_CAP_ROUND : CAIRO_LINE_CAP_BUTT);
  while (!solid && dash[dashes] > 0.0)
    dashes++;
  cairo_set_dash (cr, dash, dashes, 0.0);
  for (size_t i = 0; i < n; i++)
    {
      if (!isfinite (points[i].x) || !isfinite (points[i].y))
        {
          down = false;
          continue;
        }
      if (!down)
        cairo_move_to (cr, points[i].x, points[i].y);
      /* A lone point still makes a dot. */
      if (down || i + 1 == n || !isfinite (points[i + 1].y))
        cairo_line_to (cr, points[i].x, points[i].y);
      down = true;
      if (split && ++length == STROKE)
        {
          cairo_stroke (cr);
          cairo_move_to (cr, points[i].x, points[i].y);
          length = 0;
        }
    }
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0.0);
}

static void
area (SlCanvas *canvas, const SlXY *points, size_t n, SlRgba colour)
{
  cairo_t *cr = cr_of (canvas);

  set_colour (cr, colour);
  for (size_t i = 0; i < n; i++)
    cairo_line_to (cr, points[i].x, points[i].y);
  cairo_close_path (cr);
  cairo_fill (cr);
}

static void
disc (SlCanvas *canvas, double x, double y, double radius, SlRgba colour, double width)
{
  cairo_t *cr = cr_of (canvas);

  set_colour (cr, colour);
  cairo_new_sub_path (cr);
  cairo_arc (cr, x, y, radius, 0.0, 2.0 * M_PI);
  cairo_close_path (cr);
  if (width > 0.0)
    {
      cairo_set_line_width (cr, width);
      cairo_stroke (cr);
    }
  else
    cairo_fill (cr);
}

static void
words (SlCanvas *canvas, double x, double y, const char *string, const SlLettering *lettering)
{
  cairo_t *cr = cr_of (canvas);
  double   width = lettering->anchor == SL_ANCHOR_START
                     ? 0.0
                     : sl_text_width (canvas->text, string, lettering->size, lettering->bold);

  cairo_save (cr);
  set_colour (cr, lettering->colour);
  cairo_translate (cr, x, y);
  if (lettering->upwards)
    cairo_rotate (cr, -M_PI_2);
  cairo_move_to (cr, lettering->anchor == SL_ANCHOR_END ? -width : -width / 2.0, 0.0);
  sl_text_show (canvas->text, cr, string, lettering->size, lettering->bold);
  cairo_restore (cr);
  cairo_new_path (cr);
}

static void
image (SlCanvas *canvas, const SlRect *r, cairo_surface_t *pixels)
{
  cairo_t *cr = cr_of (canvas);
  double   across = 1.0, down = 1.0;
  bool     smaller;

  cairo_save (cr);
  cairo_translate (cr, r->x, r->y);
  cairo_scale (cr, r->w / cairo_image_surface_get_width (pixels),
               r->h / cairo_image_surface_get_height (pixels));
  cairo_set_source_surface (cr, pixels, 0.0, 0.0);
  /* Cells stay square; what has more of them than there are pixels is averaged. */
  cairo_user_to_device_distance (cr, &across, &down);
  smaller = cairo_surface_get_type (cairo_get_group_target (cr)) == CAIRO_SURFACE_TYPE_IMAGE
            && (fabs (across) < 1.0 || fabs (down) < 1.0);
  cairo_pattern_set_filter (cairo_get_source (cr),
                            smaller ? CAIRO_FILTER_GOOD : CAIRO_FILTER_NEAREST);
  cairo_paint (cr);
  cairo_restore (cr);
}

SlCanvas *
sl_canvas_cairo_new (cairo_t *cr, SlText *text)
{
  Cairo *self = g_new0 (Cairo, 1);

  self->canvas = (SlCanvas) { .text = text,
                              .begin = begin,
                              .shift = shift,
                              .end = end,
                              .rect = rect,
                              .line = line,
                              .area = area,
                              .disc = disc,
                              .words = words,
                              .image = image };
  self->cr = cr;
  self->opacity = g_array_new (FALSE, FALSE, sizeof (double));
  return &self->canvas;
}

void
sl_canvas_cairo_free (SlCanvas *canvas)
{
  Cairo *self = (Cairo *) canvas;

  g_array_unref (self->opacity);
  g_free (self);
}
