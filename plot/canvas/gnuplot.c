/* SPDX-License-Identifier: MIT
 *
 * The page as a script for gnuplot 5.4 or newer with its Cairo terminals.  Gnuplot draws rectangles and
 * polygons of a plot first, then its lines, then its texts, whatever order they were given in: so the page
 * is several plots on top of each other, a new one wherever a shape comes after a line.  */
#include <math.h>
#include <string.h>

#include "plot/canvas/gnuplot.h"

#define DASH 3.64 /* of gnuplot's units of a dash are the width of a line, or 1 pt of a finer one */

/* In single quotes nothing is special but these, of which one at the very beginning cannot be had by
 * doubling: all become apostrophes.  */
void
sl_gnuplot_string (GString *out, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  g_string_append_c (out, '\'');
  for (const char *p = valid; *p != '\0'; p++)
    if (*p == '\n')
      g_string_append (out, "'.\"\\n\".'");
    else
      {
        if (*p == '\'')
          g_string_append (out, "\342\200\231");
        else
          g_string_append_c (out, g_ascii_iscntrl (*p) ? ' ' : *p);
      }
  g_string_append_c (out, '\'');
}

void
sl_gnuplot_flush (SlGnuplot *self)
{
  GString *out = self->script.out;

  if (self->shapes->len + self->lines->len + self->texts->len == 0)
    return;
  if (self->data->len > 0)
    g_string_append_printf (out, "$page%u << END_OF_DATA\n%sEND_OF_DATA\n", ++self->n_pages,
                            self->data->str);
  g_string_append (out, "eval PAGE\n");
  g_string_append_len (out, self->shapes->str, (gssize) self->shapes->len);
  g_string_append_len (out, self->texts->str, (gssize) self->texts->len);
  g_string_append_printf (out, "plot %s\n", self->lines->len > 0 ? self->lines->str : "-1");
  g_string_truncate (self->shapes, 0);
  g_string_truncate (self->lines, 0);
  g_string_truncate (self->texts, 0);
  g_string_truncate (self->data, 0);
  self->n_shapes = self->n_pens = 0;
  self->pen[0] = '\0';
}

/* Shapes lie below the lines of their plot. */
static void
begin_shape (SlGnuplot *self)
{
  if (self->lines->len > 0)
    sl_gnuplot_flush (self);
  g_string_append_printf (self->shapes, "set object %u ", ++self->n_shapes);
}

static void
put_colour (SlScript *self, GString *out, SlRgba colour)
{
  SlScriptLook *look = sl_script_look (self);
  char          text[8];

  if (look != NULL)
    {
      sl_script_look_line (look, colour, 0.0, NULL);
      g_string_append_printf (out, "lt %u", look->key);
    }
  else
    g_string_append_printf (out, "rgb '%s'", sl_script_colour (colour, text));
}

static void
end_filled (SlGnuplot *self, SlRgba colour)
{
  double alpha = sl_script_alpha (&self->script, colour);

  g_string_append (self->shapes, " fillcolor ");
  put_colour (&self->script, self->shapes, colour);
  if (alpha < 1.0)
    sl_canvas_put (self->shapes, " fillstyle transparent solid @ noborder\n", alpha);
  else
    g_string_append (self->shapes, " fillstyle solid noborder\n");
}

static void
rect (SlCanvas *canvas, const SlRect *r, SlRgba colour)
{
  SlGnuplot *self = (SlGnuplot *) canvas;
  SlRect     at;

  if (!sl_script_rect (&self->script, r, &at))
    return;
  begin_shape (self);
  sl_canvas_put (self->shapes, "rectangle from @,@ to @,@", at.x, at.y, at.x + at.w, at.y + at.h);
  end_filled (self, colour);
}

static void
area (SlCanvas *canvas, const SlXY *points, size_t n, SlRgba colour)
{
  SlGnuplot *self = (SlGnuplot *) canvas;
  GArray    *path = sl_script_cut_area (&self->script, points, n);

  if (path->len > 2)
    {
      SlXY first = g_array_index (path, SlXY, 0);

      begin_shape (self);
      g_string_append (self->shapes, "polygon from ");
      for (unsigned i = 0; i < path->len; i++)
        sl_canvas_put (self->shapes, i % 6 == 5 ? "@,@ \\\n  to " : "@,@ to ",
                       g_array_index (path, SlXY, i).x, g_array_index (path, SlXY, i).y);
      sl_canvas_put (self->shapes, "@,@", first.x, first.y);
      end_filled (self, colour);
    }
  g_array_unref (path);
}

static void
put_dash (GString *out, const double *dash, double width)
{
  g_string_append (out, " dashtype ");
  if (dash == NULL || !(dash[0] > 0.0))
    {
      g_string_append (out, "solid");
      return;
    }
  for (unsigned i = 0; dash[i] > 0.0; i++)
    sl_canvas_put (out, i == 0 ? "(@" : ", @",
                   dash[i] / width * DASH * MIN (width * SL_SCRIPT_PT_PER_PX, 1.0));
  g_string_append_c (out, ')');
}

void
sl_gnuplot_opaque (SlScript *self, GString *out, SlRgba colour)
{
  double alpha = sl_script_alpha (self, colour);
  char   text[8];

  sl_script_colour (colour, text);
  if (alpha < 1.0)
    g_string_append_printf (out, "rgb '#%02x%s'", (unsigned) lround (255.0 * (1.0 - alpha)),
                            text + 1);
  else
    g_string_append_printf (out, "rgb '%s'", text);
}

/* The pen as it stands behind "with lines". */
static char *
pen_of (SlScript *self, SlRgba colour, double width, const double *dash)
{
  GString      *out = g_string_new (NULL);
  SlScriptLook *look = sl_script_look (self);

  if (look != NULL)
    {
      sl_script_look_line (look, colour, width, dash);
      g_string_append_printf (out, "linetype %u", look->key);
      if (sl_script_alpha (self, colour) < 1.0)
        {
          g_string_append (out, " linecolor ");
          sl_gnuplot_opaque (self, out, colour);
        }
      return g_string_free (out, FALSE);
    }
  g_string_append (out, "linecolor ");
  sl_gnuplot_opaque (self, out, colour);
  g_string_append (out, " linewidth ");
  sl_script_pt (out, width);
  put_dash (out, dash, width);
  return g_string_free (out, FALSE);
}

static void
line (SlCanvas *canvas, const SlXY *points, size_t n, SlRgba colour, double width,
      const double *dash)
{
  SlGnuplot       *self = (SlGnuplot *) canvas;
  GArray          *path = sl_script_cut_line (&self->script, points, n);
  g_autofree char *pen = pen_of (&self->script, colour, width, dash);

  if (path->len > 0)
    {
      if (strcmp (pen, self->pen) != 0)
        {
          g_string_append (self->data, self->n_pens > 0 ? "\n\n" : "");
          g_string_append_printf (self->lines, "%s$page%u index %u with lines %s",
                                  self->n_pens > 0 ? ", \\\n  " : "", self->n_pages + 1,
                                  self->n_pens, pen);
          self->n_pens++;
          g_strlcpy (self->pen, pen, sizeof self->pen);
        }
      else
        g_string_append_c (self->data, '\n');
      for (unsigned i = 0; i < path->len; i++)
        {
          SlXY at = g_array_index (path, SlXY, i);

          if (isnan (at.x))
            g_string_append_c (self->data, '\n');
          else
            sl_canvas_put (self->data, "@ @\n", at.x, at.y);
        }
    }
  g_array_unref (path);
}

static void
disc (SlCanvas *canvas, double x, double y, double radius, SlRgba colour, double width)
{
  SlGnuplot *self = (SlGnuplot *) canvas;
  SlXY       at = sl_script_place (&self->script, x, y);
  char       text[8];

  begin_shape (self);
  sl_canvas_put (self->shapes, "circle at @,@ size @", at.x, at.y, radius);
  if (width > 0.0)
    {
      g_string_append_printf (self->shapes, " fillstyle empty border linecolor rgb '%s'",
                              sl_script_colour (colour, text));
      g_string_append (self->shapes, " linewidth ");
      sl_script_pt (self->shapes, width);
      g_string_append_c (self->shapes, '\n');
    }
  else
    end_filled (self, colour);
}

/* Gnuplot's number of a filled marker, and how far one of size 1 reaches. */
static const struct
{
  unsigned type;
  double   size;
} points[SL_N_MARKERS] = {
  [SL_MARKER_DISC] = { 7, 1.0 },  [SL_MARKER_SQUARE] = { 5, 0.88 },
  [SL_MARKER_UP] = { 9, 1.4 },    [SL_MARKER_DIAMOND] = { 13, 1.2 },
  [SL_MARKER_DOWN] = { 11, 1.4 }, [SL_MARKER_PLUS] = { 1, 1.3 },
  [SL_MARKER_CROSS] = { 2, 1.2 }, [SL_MARKER_RING] = { 6, 1.0 },
};

/* Six points are one of gnuplot's sizes, and it draws a line around a marker. */
static void
put_point (GString *out, SlMarker kind, double size, double line)
{
  g_string_append_printf (out, " pointtype %u pointsize ", points[kind].type);
  sl_script_pt (out, MAX (size * points[kind].size - line, 0.5) / 6.0);
}

/* A marker is the point of a label without words, which lies above the lines. */
static void
marker (SlCanvas *canvas, SlMarker kind, double x, double y, double size, SlRgba colour, SlRgba rim)
{
  SlGnuplot    *self = (SlGnuplot *) canvas;
  SlScriptLook *look = sl_script_look (&self->script);
  SlXY          at = sl_script_place (&self->script, x, y);

  if (look != NULL)
    sl_script_look_marker (look, kind, size, colour, rim);
  sl_canvas_put (self->texts, "set label at @,@ point ", at.x, at.y);
  if (look != NULL)
    g_string_append_printf (self->texts, "linetype %u", look->key);
  else
    {
      g_string_append (self->texts, "linecolor ");
      sl_gnuplot_opaque (&self->script, self->texts, colour);
    }
  put_point (self->texts, kind, size, look != NULL ? look->width : 1.0);
  g_string_append_c (self->texts, '\n');
}

static void
put_font (GString *out, const SlLettering *lettering)
{
  g_string_append (out, lettering->bold ? " font FONT.':Bold," : " font ',");
  sl_script_pt (out, lettering->size);
  g_string_append_c (out, '\'');
}

/* Gnuplot puts the middle of a line of text at its place. */
void
sl_gnuplot_words (SlCanvas *canvas, double x, double y, const char *string,
                  const SlLettering *lettering)
{
  static const char *const anchors[] = { "left", "center", "right" };
  SlGnuplot               *self = (SlGnuplot *) canvas;
  SlXY                     at = sl_script_place (&self->script, x, y);
  double                   up = 0.34 * lettering->size;

  if (*string == '\0')
    return;
  if (lettering->upwards)
    at.x -= up;
  else
    at.y -= up;
  g_string_append (self->texts, "set label ");
  sl_gnuplot_string (self->texts, string);
  sl_canvas_put (self->texts, " at @,@ ", at.x, at.y);
  g_string_append (self->texts, anchors[lettering->anchor]);
  put_font (self->texts, lettering);
  g_string_append (self->texts, " textcolor ");
  sl_gnuplot_opaque (&self->script, self->texts, lettering->colour);
  g_string_append (self->texts, lettering->upwards ? " rotate\n" : "\n");
}

/* An image of one row or column, which gnuplot does not take for one, as rectangles that reach a little
 * under the next.  */
static void
put_strip (SlCanvas *canvas, const SlRect *r, cairo_surface_t *pixels)
{
  int w = cairo_image_surface_get_width (pixels), h = cairo_image_surface_get_height (pixels);
  const unsigned char *data;

  cairo_surface_flush (pixels);
  data = cairo_image_surface_get_data (pixels);
  for (int i = 0; i < w * h; i++)
    {
      const unsigned char *row
        = data + (gsize) (i / w) * (gsize) cairo_image_surface_get_stride (pixels);
      guint32 pixel = ((const guint32 *) (const void *) row)[i % w];
      SlRect  cell = { r->x + r->w * (i % w) / w, r->y + r->h * (i / w) / h, r->w / w, r->h / h };

      if (i % w + 1 < w)
        cell.w *= 1.5;
      if (i / w + 1 < h)
        cell.h *= 1.5;
      rect (canvas, &cell,
            (SlRgba) { (float) (pixel >> 16 & 255) / 255.0f, (float) (pixel >> 8 & 255) / 255.0f,
                       (float) (pixel & 255) / 255.0f, 1.0f });
    }
}

static void
image (SlCanvas *canvas, const SlRect *r, cairo_surface_t *pixels)
{
  SlGnuplot *self = (SlGnuplot *) canvas;
  SlScript  *script = &self->script;
  SlXY       at = sl_script_place (script, r->x, r->y);
  unsigned   across = (unsigned) cairo_image_surface_get_width (pixels);
  double     w = r->w / across;
  unsigned   down = (unsigned) cairo_image_surface_get_height (pixels), block;
  double     h = r->h / down;

  block = sl_script_pixels (script, pixels); /* in any case: both scripts have the same data */
  if (across < 2 || down < 2)
    {
      put_strip (canvas, r, pixels);
      return;
    }
  sl_gnuplot_flush (self);
  g_string_append_printf (script->out, "eval PAGE\nplot DATA index TABLE + %u using (", block);
  sl_value_append (script->out, at.x + 0.5 * w);
  g_string_append_printf (script->out, " + int($0) %% %u * ", across);
  sl_value_append (script->out, w);
  g_string_append (script->out, "):(");
  sl_value_append (script->out, at.y + 0.5 * h);
  g_string_append_printf (script->out, " + int($0) / %u * ", across);
  sl_value_append (script->out, h);
  g_string_append (script->out, "):1:2:3:4 with rgbalpha\n");
}

SlCanvas *
sl_canvas_gnuplot_new (const SlScriptPage *page)
{
  SlGnuplot *self = g_new0 (SlGnuplot, 1);

  sl_script_init (&self->script, page);
  self->shapes = g_string_new (NULL);
  self->lines = g_string_new (NULL);
  self->data = g_string_new (NULL);
  self->texts = g_string_new (NULL);
  self->plots = g_string_new (NULL);
  self->script.canvas = (SlCanvas) { .text = page->text,
                                     .begin = sl_script_begin,
                                     .shift = sl_script_shift,
                                     .end = sl_script_end,
                                     .rect = rect,
                                     .line = line,
                                     .area = area,
                                     .disc = disc,
                                     .marker = marker,
                                     .words = sl_gnuplot_words,
                                     .image = image,
                                     .points_max = SL_SCRIPT_POINTS,
                                     .points_px = SL_SCRIPT_POINTS_PX };
  sl_gnuplot_add_axes (&self->script.canvas);
  return &self->script.canvas;
}

static void
put_looks (SlScript *self, GString *all)
{
  char text[8];

  if (self->looks->len > 0)
    g_string_append (all, "\n# How each curve looks: its line, its markers and its sample in the "
                          "legend.\n");
  for (unsigned i = 0; i < self->looks->len; i++)
    {
      const SlScriptLook *look = &g_array_index (self->looks, SlScriptLook, i);

      g_string_append_printf (all, "set linetype %u linecolor rgb '%s'", look->key,
                              sl_script_colour (look->colour, text));
      if (look->width > 0.0)
        {
          g_string_append (all, " linewidth ");
          sl_script_pt (all, look->width);
          put_dash (all, look->dash, look->width);
        }
      if (look->has_marker)
        put_point (all, look->marker, look->mark_size, look->width);
      if (look->id[0] != '\0')
        sl_canvas_comment (all, "  #", look->id);
      else
        g_string_append_c (all, '\n');
    }
}

static void
put_head (SlScript *self, GString *all)
{
  g_auto (GStrv) families = sl_script_families (self->page.family);

  g_string_append (all, "# A figure of Sluice for gnuplot: gnuplot FIGURE.gp, in its folder; "
                        "gnuplot -e \"OUT='OUT.png'\" FIGURE.gp\n");
  if (self->page.title != NULL)
    sl_canvas_comment (all, "#", self->page.title);
  if (self->page.description != NULL)
    sl_canvas_comment (all, "#", self->page.description);
  if (self->page.recipe != NULL)
    sl_canvas_recipe (all, "#", self->page.recipe);
  sl_canvas_put (all, "\nWIDTH = @; HEIGHT = @  # mm\n", self->page.width_mm, self->page.height_mm);
  sl_canvas_put (all, "DPI = @  # of a PNG\nFONT = ", self->page.dpi);
  sl_gnuplot_string (all, families[0] != NULL ? families[0] : "sans");
  sl_canvas_put (all, "\nUNITS_X = @; UNITS_Y = @\n", self->page.width, self->page.height);
}

GBytes *
sl_canvas_gnuplot_finish (SlCanvas *canvas)
{
  SlGnuplot       *self = (SlGnuplot *) canvas;
  SlScript        *script = &self->script;
  GString         *all = g_string_new (NULL);
  g_autofree char *data = sl_script_data (script);

  sl_gnuplot_flush (self);
  put_head (script, all);
  put_looks (script, all);
  sl_script_helpers (all, "gnuplot.gp");
  if (*data != '\0')
    g_string_append_printf (all, SL_GNUPLOT_BEGIN "%s" SL_GNUPLOT_END, data);
  g_string_append_printf (all, "TABLE = %u  # blocks before the matrices\n",
                          script->table.columns->len > 0);
  g_string_append_len (all, script->out->str, (gssize) script->out->len);
  g_string_append (all, "unset multiplot\nset output\n");
  sl_script_clear (script);
  g_string_free (self->shapes, TRUE);
  g_string_free (self->lines, TRUE);
  g_string_free (self->data, TRUE);
  g_string_free (self->texts, TRUE);
  g_string_free (self->plots, TRUE);
  g_free (self);
  return g_string_free_to_bytes (all);
}
