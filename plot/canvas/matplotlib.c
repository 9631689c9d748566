/* SPDX-License-Identifier: MIT
 *
 * The page as a script for matplotlib, 3.6 or newer, which needs NumPy beside it and no display; its axes are in
 * matplotlib-axes.c.  */
#include <math.h>
#include <string.h>

#include "plot/canvas/matplotlib.h"

enum { A_LINE = 5 };

void
sl_matplotlib_string (GString *out, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  g_string_append_c (out, '"');
  for (const char *p = valid; *p != '\0'; p++)
    if (*p == '\n')
      g_string_append (out, "\\n");
    else
      {
        if (*p == '"' || *p == '\\')
          g_string_append_c (out, '\\');
        g_string_append_c (out, g_ascii_iscntrl (*p) ? ' ' : *p);
      }
  g_string_append_c (out, '"');
}

static void
put_points (GString *out, const SlXY *points, size_t n)
{
  g_string_append_c (out, '[');
  for (size_t i = 0; i < n; i++)
    {
      if (isfinite (points[i].x) && isfinite (points[i].y))
        sl_canvas_put (out, "(@, @)", points[i].x, points[i].y);
      else
        g_string_append (out, "GAP");
      g_string_append (out, i + 1 == n ? "" : i % A_LINE == A_LINE - 1 ? ",\n      " : ", ");
    }
  g_string_append_c (out, ']');
}

/* ", 0.25" for what is not opaque. */
static void
put_alpha (SlScript *self, SlRgba colour)
{
  double alpha = sl_script_alpha (self, colour);

  if (alpha < 1.0)
    sl_canvas_put (self->out, ", alpha=@", alpha);
}

void
sl_matplotlib_fill (SlScript *self, SlRgba colour)
{
  SlScriptLook *look = sl_script_look (self);
  char          text[8];

  if (look != NULL)
    {
      sl_script_look_line (look, colour, 0.0, NULL);
      g_string_append_printf (self->out, "CURVES[%u][\"color\"]", look->key);
    }
  else
    g_string_append_printf (self->out, "\"%s\"", sl_script_colour (colour, text));
  put_alpha (self, colour);
}

static void
put_dash (GString *out, const double *dash, double width)
{
  if (dash == NULL || !(dash[0] > 0.0))
    {
      g_string_append (out, "\"-\"");
      return;
    }
  g_string_append (out, "(0, (");
  for (unsigned i = 0; dash[i] > 0.0; i++)
    sl_canvas_put (out, i > 0 ? ", @" : "@", dash[i] / width);
  g_string_append (out, "))");
}

static void
put_pen (SlScript *self, SlRgba colour, double width, const double *dash)
{
  SlScriptLook *look = sl_script_look (self);
  char          text[8];

  if (look != NULL)
    {
      sl_script_look_line (look, colour, width, dash);
      g_string_append_printf (self->out, "CURVES[%u]", look->key);
      return;
    }
  g_string_append_printf (self->out, "pen(\"%s\", ", sl_script_colour (colour, text));
  sl_script_pt (self->out, width);
  if (dash != NULL && dash[0] > 0.0)
    {
      g_string_append (self->out, ", ");
      put_dash (self->out, dash, width);
    }
  g_string_append_c (self->out, ')');
}

static void
rect (SlCanvas *canvas, const SlRect *r, SlRgba colour)
{
  SlScript *self = (SlScript *) canvas;
  SlRect    at;

  if (!sl_script_rect (self, r, &at))
    return;
  sl_canvas_put (self->out, "rect(@, @, @, @, ", at.x, at.y, at.w, at.h);
  sl_matplotlib_fill (self, colour);
  g_string_append (self->out, ")\n");
}

static void
line (SlCanvas *canvas, const SlXY *points, size_t n, SlRgba colour, double width,
      const double *dash)
{
  SlScript *self = (SlScript *) canvas;
  GArray   *path = sl_script_cut_line (self, points, n);

  if (path->len > 0)
    {
      g_string_append (self->out, "line(");
      put_points (self->out, (const SlXY *) (void *) path->data, path->len);
      g_string_append (self->out, ", ");
      put_pen (self, colour, width, dash);
      put_alpha (self, colour);
      g_string_append (self->out, ")\n");
    }
  g_array_unref (path);
}

static void
area (SlCanvas *canvas, const SlXY *points, size_t n, SlRgba colour)
{
  SlScript *self = (SlScript *) canvas;
  GArray   *path = sl_script_cut_area (self, points, n);

  if (path->len > 2)
    {
      g_string_append (self->out, "area(");
      put_points (self->out, (const SlXY *) (void *) path->data, path->len);
      g_string_append (self->out, ", ");
      sl_matplotlib_fill (self, colour);
      g_string_append (self->out, ")\n");
    }
  g_array_unref (path);
}

static void
disc (SlCanvas *canvas, double x, double y, double radius, SlRgba colour, double width)
{
  SlScript *self = (SlScript *) canvas;
  SlXY      at = sl_script_place (self, x, y);

  if (width > 0.0)
    {
      sl_canvas_put (self->out, "ring(@, @, @, ", at.x, at.y, radius);
      put_pen (self, colour, width, NULL);
      put_alpha (self, colour);
    }
  else
    {
      sl_canvas_put (self->out, "disc(@, @, @, ", at.x, at.y, radius);
      sl_matplotlib_fill (self, colour);
    }
  g_string_append (self->out, ")\n");
}

/* Matplotlib's names, and its size for a marker of size 1 as sl_canvas_marker() draws it. */
static const struct
{
  const char *name;
  double      size;
} shapes[SL_N_MARKERS] = {
  [SL_MARKER_DISC] = { "o", 1.06 }, [SL_MARKER_SQUARE] = { "s", 0.94 },
  [SL_MARKER_UP] = { "^", 1.3 },    [SL_MARKER_DIAMOND] = { "D", 0.91 },
  [SL_MARKER_DOWN] = { "v", 1.3 },  [SL_MARKER_PLUS] = { "P", 1.2 },
  [SL_MARKER_CROSS] = { "X", 1.2 }, [SL_MARKER_RING] = { "o", 0.8 },
};

/* The keys of a marker in the looks of a curve. */
static void
put_marker (GString *out, SlMarker marker, double size, SlRgba rim)
{
  char text[8];

  g_string_append_printf (out, "marker=\"%s\", markersize=", shapes[marker].name);
  sl_script_pt (out, size * shapes[marker].size);
  if (marker == SL_MARKER_RING)
    {
      g_string_append (out, ", markerfacecolor=\"none\", markeredgewidth=");
      sl_script_pt (out, 0.22 * size);
      return;
    }
  g_string_append_printf (
    out, ", markeredgecolor=\"%s\", markeredgewidth=", sl_script_colour (rim, text));
  sl_script_pt (out, 0.12 * size);
}

static void
marker (SlCanvas *canvas, SlMarker kind, double x, double y, double size, SlRgba colour, SlRgba rim)
{
  SlScript     *self = (SlScript *) canvas;
  SlScriptLook *look = sl_script_look (self);
  SlXY          at = sl_script_place (self, x, y);
  char          text[8];

  sl_canvas_put (self->out, "mark(@, @, ", at.x, at.y);
  if (look != NULL)
    {
      sl_script_look_marker (look, kind, size, colour, rim);
      g_string_append_printf (self->out, "CURVES[%u]", look->key);
      if (fabs (size / look->mark_size - 1.0) > 0.01)
        sl_canvas_put (self->out, ", times=@", size / look->mark_size);
    }
  else
    {
      g_string_append_printf (self->out, "dict(color=\"%s\", ", sl_script_colour (colour, text));
      put_marker (self->out, kind, size, rim);
      g_string_append_c (self->out, ')');
    }
  g_string_append (self->out, ")\n");
}

static void
words (SlCanvas *canvas, double x, double y, const char *string, const SlLettering *lettering)
{
  static const char *const anchors[] = { "left", "center", "right" };
  SlScript                *self = (SlScript *) canvas;
  SlXY                     at = sl_script_place (self, x, y);
  char                     text[8];

  if (*string == '\0')
    return;
  sl_canvas_put (self->out, "words(@, @, ", at.x, at.y);
  sl_matplotlib_string (self->out, string);
  sl_canvas_put (self->out, ", @, ", lettering->size * SL_SCRIPT_PT_PER_PX);
  g_string_append_printf (self->out, "\"%s\", \"%s\"", sl_script_colour (lettering->colour, text),
                          anchors[lettering->anchor]);
  sl_canvas_put (self->out, ", room=@",
                 sl_text_width (canvas->text, string, lettering->size, lettering->bold));
  if (lettering->bold)
    g_string_append (self->out, ", weight=\"bold\"");
  if (lettering->upwards)
    g_string_append (self->out, ", rotation=90");
  put_alpha (self, lettering->colour);
  g_string_append (self->out, ")\n");
}

static void
image (SlCanvas *canvas, const SlRect *r, cairo_surface_t *pixels)
{
  SlScript *self = (SlScript *) canvas;
  SlXY      at = sl_script_place (self, r->x, r->y);

  sl_canvas_put (self->out, "image(@, @, @, @, ", at.x, at.y, r->w, r->h);
  g_string_append_printf (self->out, "MATRICES[%u], %d)\n", sl_script_pixels (self, pixels),
                          cairo_image_surface_get_width (pixels));
}

static void
end_axes (SlCanvas *canvas)
{
  (void) canvas;
}

SlCanvas *
sl_canvas_matplotlib_new (const SlScriptPage *page)
{
  SlScript *self = g_new0 (SlScript, 1);

  sl_script_init (self, page);
  self->canvas = (SlCanvas) { .text = page->text,
                              .begin = sl_script_begin,
                              .shift = sl_script_shift,
                              .end = sl_script_end,
                              .rect = rect,
                              .line = line,
                              .area = area,
                              .disc = disc,
                              .marker = marker,
                              .words = words,
                              .image = image,
                              .axes = sl_matplotlib_axes,
                              .band = sl_matplotlib_band,
                              .curve = sl_matplotlib_curve,
                              .bars = sl_matplotlib_bars,
                              .cells = sl_matplotlib_cells,
                              .end_axes = end_axes,
                              .points_max = SL_SCRIPT_POINTS,
                              .points_px = SL_SCRIPT_POINTS_PX,
                              .takes_tones = true };
  return &self->canvas;
}

static void
put_looks (SlScript *self, GString *all)
{
  char text[8];

  if (self->looks->len == 0)
    return;
  g_string_append (all, "\n# How each curve looks: in its line, its markers and the legend.\n"
                        "CURVES = {\n");
  for (unsigned i = 0; i < self->looks->len; i++)
    {
      const SlScriptLook *look = &g_array_index (self->looks, SlScriptLook, i);

      g_string_append_printf (all, "    %u: dict(color=\"%s\"", look->key,
                              sl_script_colour (look->colour, text));
      if (look->width > 0.0)
        {
          g_string_append (all, ", linewidth=");
          sl_script_pt (all, look->width);
          g_string_append (all, ", linestyle=");
          put_dash (all, look->dash, look->width);
        }
      if (look->has_marker)
        {
          g_string_append (all, ",\n              ");
          put_marker (all, look->marker, look->mark_size, look->rim);
        }
      g_string_append (all, "),");
      if (look->id[0] != '\0')
        {
          g_string_append_c (all, ' ');
          sl_canvas_comment (all, " #", look->id);
        }
      else
        g_string_append_c (all, '\n');
    }
  g_string_append (all, "}\n");
}

static void
put_head (SlScript *self, GString *all)
{
  g_auto (GStrv) families = sl_script_families (self->page.family);

  g_string_append (all, "#!/usr/bin/env python3\n"
                        "#" SL_SCRIPT_MARK "matplotlib: python3 FIGURE.py [OUT.pdf, OUT.svg or "
                        "OUT.png]\n");
  if (self->page.title != NULL)
    sl_canvas_comment (all, "#", self->page.title);
  if (self->page.description != NULL)
    sl_canvas_comment (all, "#", self->page.description);
  if (self->page.recipe != NULL)
    sl_canvas_recipe (all, "#", self->page.recipe);
  sl_canvas_put (all, "\nWIDTH, HEIGHT = @, @  # mm\n", self->page.width_mm, self->page.height_mm);
  sl_canvas_put (all, "DPI = @  # of a PNG\nFONTS = [", self->page.dpi);
  for (unsigned i = 0; families[i] != NULL; i++)
    {
      g_string_append (all, i > 0 ? ", " : "");
      sl_matplotlib_string (all, families[i]);
    }
  g_string_append (all, "]\n");
  put_looks (self, all);
  sl_canvas_put (all,
                 "\nUNITS = (@, @)  # the page in the units of all places below, y downwards\n",
                 self->page.width, self->page.height);
}

GBytes *
sl_canvas_matplotlib_finish (SlCanvas *canvas)
{
  SlScript        *self = (SlScript *) canvas;
  GString         *all = g_string_new (NULL);
  g_autofree char *data = sl_script_data (self);

  put_head (self, all);
  sl_script_helpers (all);
  if (*data != '\0')
    {
      g_string_append (all, "\n" SL_MATPLOTLIB_BEGIN);
      g_string_append (all, data);
      g_string_append_printf (all, SL_MATPLOTLIB_END "TABLE, MATRICES = read(DATA, %s)\n",
                              self->table.columns->len > 0 ? "True" : "False");
    }
  g_string_append_len (all, self->out->str, (gssize) self->out->len);
  g_string_append (all, "\nsave(");
  sl_matplotlib_string (all, self->page.title != NULL ? self->page.title : "");
  g_string_append (all, ")\n");
  sl_script_clear (self);
  g_free (self);
  return g_string_free_to_bytes (all);
}
