/* SPDX-License-Identifier: MIT
 *
 * The canvas as SVG: real text, groups with names, numbers in the C locale with at most two
 * decimals, nothing that changes from one run to the next.  */
#include "plot/canvas/canvas.h"

#include <math.h>

#include "plot/base/xml.h"
#include "plot/canvas/image-file.h"

typedef struct
{
  SlCanvas canvas; /* first */
  GString *out;
  unsigned depth, clips;
  bool     small;
} Svg;

static GString *
out_of (SlCanvas *canvas)
{
  return ((Svg *) canvas)->out;
}

static void
bounds (GString *out, const SlRect *r)
{
  sl_canvas_put (out, " x=\"@\" y=\"@\" width=\"@\" height=\"@\"", r->x, r->y, r->w, r->h);
}

static void
indent (SlCanvas *canvas)
{
  for (unsigned i = 0; i < ((Svg *) canvas)->depth; i++)
    g_string_append (out_of (canvas), "  ");
}

static void
paint (GString *out, const char *what, SlRgba c)
{
  g_string_append_printf (
    out, " %s=\"#%02x%02x%02x\"", what, (unsigned) lround ((double) c.r * 255.0),
    (unsigned) lround ((double) c.g * 255.0), (unsigned) lround ((double) c.b * 255.0));
  if ((double) c.a < 1.0)
    {
      g_string_append_printf (out, " %s-opacity", what);
      sl_canvas_put (out, "=\"@\"", (double) c.a);
    }
}

/* The begin of a group's tag; names of curves come from files. */
static void
open_group (GString *out, const char *id)
{
  g_string_append (out, "<g id=\"");
  sl_xml_append (out, id);
  g_string_append_c (out, '"');
}

static void
begin (SlCanvas *canvas, const char *id, const SlRect *clip, double opacity)
{
  Svg     *self = (Svg *) canvas;
  GString *out = self->out;

  if (clip != NULL)
    {
      indent (canvas);
      g_string_append_printf (out, "<clipPath id=\"clip-%u\"><rect", ++self->clips);
      bounds (out, clip);
      g_string_append (out, "/></clipPath>\n");
    }
  indent (canvas);
  open_group (out, id);
  if (clip != NULL)
    g_string_append_printf (out, " clip-path=\"url(#clip-%u)\"", self->clips);
  if (opacity < 1.0)
    sl_canvas_put (out, " opacity=\"@\"", opacity);
  g_string_append (out, ">\n");
  self->depth++;
}

static void
shift (SlCanvas *canvas, const char *id, double x, double y)
{
  GString *out = out_of (canvas);

  indent (canvas);
  open_group (out, id);
  sl_canvas_put (out, " transform=\"translate(@ @)\">\n", x, y);
  ((Svg *) canvas)->depth++;
}

static void
end (SlCanvas *canvas)
{
  ((Svg *) canvas)->depth--;
  indent (canvas);
  g_string_append (out_of (canvas), "</g>\n");
}

static void
rect (SlCanvas *canvas, const SlRect *r, SlRgba colour)
{
  GString *out = out_of (canvas);

  indent (canvas);
  g_string_append (out, "<rect");
  bounds (out, r);
  paint (out, "fill", colour);
  g_string_append (out, "/>\n");
}

static void
line (SlCanvas *canvas, const SlXY *points, size_t n, SlRgba colour, double width,
      const double *dash)
{
  GString *out = out_of (canvas);
  bool     solid = dash == NULL || dash[0] == 0.0, down = false;

  indent (canvas);
  g_string_append (out, "<path fill=\"none\"");
  paint (out, "stroke", colour);
  sl_canvas_put (out, " stroke-width=\"@\"", width);
  g_string_append_printf (out, " stroke-linejoin=\"round\" stroke-linecap=\"%s\"",
                          solid ? "round" : "butt");
  if (!solid)
    {
      g_string_append (out, " stroke-dasharray=\"");
      for (int i = 0; dash[i] > 0.0; i++)
        sl_canvas_put (out, i > 0 ? " @" : "@", dash[i]);
      g_string_append_c (out, '"');
    }
  g_string_append (out, " d=\"");
  for (size_t i = 0; i < n; i++)
    {
      if (!isfinite (points[i].x) || !isfinite (points[i].y))
        {
          down = false;
          continue;
        }
      sl_canvas_put (out, down ? "L@ @" : "M@ @", points[i].x, points[i].y);
      if (!down && (i + 1 == n || !isfinite (points[i + 1].y)))
        g_string_append (out, "h0");
      down = true;
    }
  g_string_append (out, "\"/>\n");
}

static void
area (SlCanvas *canvas, const SlXY *points, size_t n, SlRgba colour)
{
  GString *out = out_of (canvas);

  indent (canvas);
  g_string_append (out, "<path");
  paint (out, "fill", colour);
  g_string_append (out, " d=\"");
  for (size_t i = 0; i < n; i++)
    sl_canvas_put (out, i == 0 ? "M@ @" : "L@ @", points[i].x, points[i].y);
  g_string_append (out, "Z\"/>\n");
}

static void
disc (SlCanvas *canvas, double x, double y, double radius, SlRgba colour, double width)
{
  GString *out = out_of (canvas);

  indent (canvas);
  sl_canvas_put (out, "<circle cx=\"@\" cy=\"@\" r=\"@\"", x, y, radius);
  if (width > 0.0)
    {
      g_string_append (out, " fill=\"none\"");
      paint (out, "stroke", colour);
      sl_canvas_put (out, " stroke-width=\"@\"", width);
    }
  else
    paint (out, "fill", colour);
  g_string_append (out, "/>\n");
}

static void
words (SlCanvas *canvas, double x, double y, const char *string, const SlLettering *lettering)
{
  static const char *const anchors[] = { "start", "middle", "end" };
  GString                 *out = out_of (canvas);

  if (*string == '\0')
    return;
  indent (canvas);
  sl_canvas_put (out,
                 lettering->upwards
                   ? "<text transform=\"translate(@ @) rotate(-90)\" font-size=\"@\""
                   : "<text x=\"@\" y=\"@\" font-size=\"@\"",
                 x, y, lettering->size);
  if (lettering->bold)
    g_string_append (out, " font-weight=\"bold\"");
  if (lettering->anchor != SL_ANCHOR_START)
    g_string_append_printf (out, " text-anchor=\"%s\"", anchors[lettering->anchor]);
  paint (out, "fill", lettering->colour);
  g_string_append_c (out, '>');
  sl_xml_append (out, string);
  g_string_append (out, "</text>\n");
}

/* The pixels many times as large, because not every viewer leaves them square; those of few rows or columns the more. */
static int
times_for (int pixels)
{
  return CLAMP (512 / MAX (pixels, 1), 1, 128);
}

static cairo_surface_t *
enlarge (cairo_surface_t *small)
{
  int w = cairo_image_surface_get_width (small), h = cairo_image_surface_get_height (small);
  int across = times_for (w), down = times_for (h);
  cairo_surface_t *large = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, w * across, h * down);
  cairo_t         *cr = cairo_create (large);

  cairo_scale (cr, across, down);
  cairo_set_source_surface (cr, small, 0.0, 0.0);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_paint (cr);
  cairo_destroy (cr);
  return large;
}

static void
image (SlCanvas *canvas, const SlRect *r, cairo_surface_t *pixels)
{
  GString *out = out_of (canvas);
  /* A picture with more pixels than there is room for is left to the viewer, which smoothes it. */
  bool             smaller = cairo_image_surface_get_width (pixels) > 2.0 * r->w;
  cairo_surface_t *large
    = ((Svg *) canvas)->small ? cairo_surface_reference (pixels) : enlarge (pixels);
  g_autoptr (GBytes) png = sl_png_write (large, 0.0, NULL, NULL, NULL);

  cairo_surface_destroy (large);
  if (png == NULL)
    return;
  indent (canvas);
  g_string_append (out, "<image");
  bounds (out, r);
  {
    g_autofree char *base64
      = g_base64_encode (g_bytes_get_data (png, NULL), g_bytes_get_size (png));

    g_string_append_printf (out,
                            " preserveAspectRatio=\"none\"%s"
                            " xlink:href=\"data:image/png;base64,%s\"/>\n",
                            smaller ? "" : " style=\"image-rendering:pixelated\"", base64);
  }
}

SlCanvas *
sl_canvas_svg_new (SlText *text, double width_mm, double height_mm, double width, double height,
                   const char *family, const char *title, const char *description,
                   const char *recipe)
{
  Svg     *self = g_new0 (Svg, 1);
  GString *out = g_string_new (SL_SVG_BEGIN);

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
  self->out = out;
  sl_canvas_put (out, "@mm\" height=\"@mm\" viewBox=\"0 0 @ @\"", width_mm, height_mm, width,
                 height);
  g_string_append (out, " role=\"img\" aria-labelledby=\"title description\" font-family=\"");
  sl_xml_append (out, family);
  g_string_append (out, "\">\n  <title id=\"title\">");
  sl_xml_append (out, title != NULL ? title : "");
  g_string_append (out, "</title>\n  <desc id=\"description\">");
  sl_xml_append (out, description != NULL ? description : "");
  g_string_append (out, "</desc>\n");
  if (recipe != NULL)
    {
      g_string_append (out, "  <metadata id=\"sluice-recipe\">");
      sl_xml_append (out, recipe);
      g_string_append (out, "</metadata>\n");
    }
  self->depth = 1;
  return &self->canvas;
}

void
sl_canvas_svg_for_screen (SlCanvas *canvas)
{
  static const double fine = 1.4;
  enum { SHADES = 24 };

  canvas->pixels = fine;
  canvas->shades = SHADES;
  ((Svg *) canvas)->small = true;
}

GBytes *
sl_canvas_svg_finish (SlCanvas *canvas)
{
  Svg     *self = (Svg *) canvas;
  GString *out = self->out;

  g_string_append (out, "</svg>\n");
  g_free (self);
  return g_string_free_to_bytes (out);
}
