/* SPDX-License-Identifier: MIT
 *
 * The canvas as a picture of TikZ, for \input into a paper; axes with curves are in pgfplots.c.  Text is set in the paper's own font, condensed where that is wider than the one that the figure was laid out with; lengths are px in
 * a picture whose unit is one px, y downwards.
 */
#include "plot/canvas/tikz.h"

#include <math.h>
#include <string.h>

#include "plot/base/tex.h"

#define BP_PER_PX SL_TEX_BP_PER_PX
#define PT_PER_PX SL_TEX_PT_PER_PX
#define FARTHEST 12000.0 /* px; TeX's lengths end at 16384 pt */
#define SLACK 1.05       /* as wide as on the screen and a little more */

enum {
  ALL_POINTS = 8000,
  POINTS_A_LINE = 6,
  UNITS_A_LINE = 24,
};

static GString *
out_of (SlCanvas *canvas)
{
  return ((SlTikz *) canvas)->out;
}

void
sl_tikz_indent (GString *out, unsigned depth)
{
  for (unsigned i = 0; i < depth; i++)
    g_string_append (out, "  ");
}

static void
point (GString *out, double x, double y)
{
  sl_canvas_put (out, "(@,@)", CLAMP (x, -FARTHEST, FARTHEST), CLAMP (y, -FARTHEST, FARTHEST));
}

static void
rectangle (GString *out, const SlRect *r)
{
  point (out, r->x, r->y);
  g_string_append (out, " rectangle ");
  point (out, r->x + r->w, r->y + r->h);
}

static unsigned
part (float value)
{
  return (unsigned) lround ((double) value * 255.0);
}

void
sl_tikz_paint (SlTikz *self, GString *out, SlRgba c)
{
  guint rgb = part (c.r) << 16 | part (c.g) << 8 | part (c.b);
  guint id = GPOINTER_TO_UINT (g_hash_table_lookup (self->colour_ids, GUINT_TO_POINTER (rgb + 1)));

  if (id == 0)
    {
      id = g_hash_table_size (self->colour_ids) + 1;
      g_hash_table_insert (self->colour_ids, GUINT_TO_POINTER (rgb + 1), GUINT_TO_POINTER (id));
      g_string_append_printf (self->colours, "  \\definecolor{sluice%u}{RGB}{%u,%u,%u}\n", id,
                              rgb >> 16, rgb >> 8 & 255, rgb & 255);
    }
  g_string_append_printf (out, "sluice%u", id);
  if ((double) c.a < 1.0)
    sl_canvas_put (out, ", opacity=@", (double) c.a);
}

static void
open_scope (SlCanvas *canvas, const char *id)
{
  SlTikz *self = (SlTikz *) canvas;

  sl_tikz_indent (self->out, self->depth);
  sl_canvas_comment (self->out, "%", id);
  sl_tikz_indent (self->out, self->depth++);
  g_string_append (self->out, "\\begin{scope}");
}

static void
begin (SlCanvas *canvas, const char *id, const SlRect *clip, double opacity)
{
  GString *out = out_of (canvas);

  open_scope (canvas, id);
  if (opacity < 1.0)
    sl_canvas_put (out, "[opacity=@, transparency group]", opacity);
  g_string_append_c (out, '\n');
  if (clip == NULL)
    return;
  sl_tikz_indent (out, ((SlTikz *) canvas)->depth);
  g_string_append (out, "\\clip ");
  rectangle (out, clip);
  g_string_append (out, ";\n");
}

static void
shift (SlCanvas *canvas, const char *id, double x, double y)
{
  GString *out = out_of (canvas);

  open_scope (canvas, id);
  g_string_append (out, "[shift={");
  point (out, x, y);
  g_string_append (out, "}]\n");
}

static void
end (SlCanvas *canvas)
{
  SlTikz *self = (SlTikz *) canvas;

  sl_tikz_indent (self->out, --self->depth);
  g_string_append (self->out, "\\end{scope}\n");
}

void
sl_tikz_style (const SlTikz *self, GString *out)
{
  if (self->canvas.style > 0)
    g_string_append_printf (out, ", /pgfplots/sluice curve %u/.try", self->canvas.style);
}

static void
fill (SlTikz *self, GString *out, unsigned depth, SlRgba colour)
{
  sl_tikz_indent (out, depth);
  g_string_append (out, "\\fill[");
  sl_tikz_paint (self, out, colour);
  sl_tikz_style (self, out);
  g_string_append (out, "] ");
}

void
sl_tikz_fill_rect (SlTikz *self, GString *out, unsigned depth, const SlRect *r, SlRgba colour)
{
  fill (self, out, depth, colour);
  rectangle (out, r);
  g_string_append (out, ";\n");
}

static void
stroke (SlCanvas *canvas, SlRgba colour, double width)
{
  sl_tikz_indent (out_of (canvas), ((SlTikz *) canvas)->depth);
  g_string_append (out_of (canvas), "\\draw[");
  sl_tikz_paint ((SlTikz *) canvas, out_of (canvas), colour);
  sl_canvas_put (out_of (canvas), ", line width=@bp", width * BP_PER_PX);
}

static void
rect (SlCanvas *canvas, const SlRect *r, SlRgba colour)
{
  SlTikz *self = (SlTikz *) canvas;

  sl_tikz_fill_rect (self, self->out, self->depth, r, colour);
}

/* Lines of a file that an editor can show. */
static void
fold (SlCanvas *canvas, size_t i)
{
  if (i % POINTS_A_LINE != POINTS_A_LINE - 1)
    return;
  g_string_append_c (out_of (canvas), '\n');
  sl_tikz_indent (out_of (canvas), ((SlTikz *) canvas)->depth + 1);
}

static bool
drawable (SlXY p)
{
  return isfinite (p.x) && isfinite (p.y);
}

void
sl_tikz_dash (GString *out, const double *dash)
{
  if (!(dash[0] > 0.0))
    return;
  g_string_append (out, ", line cap=butt, dash pattern=");
  for (int i = 0; dash[i] > 0.0; i++)
    {
      sl_canvas_put (out, i % 2 == 0 ? "on @bp" : "off @bp", dash[i] * BP_PER_PX);
      if (dash[i + 1] > 0.0)
        g_string_append_c (out, ' ');
    }
}

static void
line (SlCanvas *canvas, const SlXY *points, size_t n, SlRgba colour, double width,
      const double *dash)
{
  GString *out = out_of (canvas);
  bool     down = false;
  size_t   first = 0;

  while (first < n && !drawable (points[first]))
    first++;
  if (first == n)
    return;
  stroke (canvas, colour, width);
  if (dash != NULL)
    sl_tikz_dash (out, dash);
  sl_tikz_style ((SlTikz *) canvas, out);
  g_string_append_c (out, ']');
  for (size_t i = first; i < n; i++)
    {
      if (!drawable (points[i]))
        {
          down = false;
          continue;
        }
      g_string_append (out, down ? " -- " : " ");
      fold (canvas, i - first);
      point (out, points[i].x, points[i].y);
      /* A single point is a dot. */
      if (!down && (i + 1 == n || !drawable (points[i + 1])))
        g_string_append (out, " -- cycle");
      down = true;
    }
  g_string_append (out, ";\n");
}

static void
area (SlCanvas *canvas, const SlXY *points, size_t n, SlRgba colour)
{
  GString *out = out_of (canvas);

  fill ((SlTikz *) canvas, out, ((SlTikz *) canvas)->depth, colour);
  for (size_t i = 0; i < n; i++)
    {
      point (out, points[i].x, points[i].y);
      g_string_append (out, " -- ");
      fold (canvas, i);
    }
  g_string_append (out, "cycle;\n");
}

static void
disc (SlCanvas *canvas, double x, double y, double radius, SlRgba colour, double width)
{
  GString *out = out_of (canvas);

  if (width > 0.0)
    {
      stroke (canvas, colour, width);
      g_string_append (out, "] ");
    }
  else
    fill ((SlTikz *) canvas, out, ((SlTikz *) canvas)->depth, colour);
  point (out, x, y);
  sl_canvas_put (out, " circle[radius=@bp];\n", radius * BP_PER_PX);
}

static void
words (SlCanvas *canvas, double x, double y, const char *string, const SlLettering *lettering)
{
  static const char *const anchors[] = { "base west", "base", "base east" };
  GString                 *out = out_of (canvas);

  if (*string == '\0')
    return;
  sl_tikz_indent (out, ((SlTikz *) canvas)->depth);
  g_string_append (out, "\\node[");
  sl_tikz_paint ((SlTikz *) canvas, out, lettering->colour);
  g_string_append_printf (out, ", anchor=%s, font=", anchors[lettering->anchor]);
  if (lettering->bold)
    g_string_append (out, "\\bfseries");
  sl_canvas_put (out, "\\fontsize{@}{@}\\selectfont", lettering->size * PT_PER_PX,
                 1.2 * lettering->size * PT_PER_PX);
  if (lettering->upwards)
    g_string_append (out, ", rotate=90");
  g_string_append (out, "] at ");
  point (out, x, y);
  sl_canvas_put (out, " {\\sluicefit{@bp}{",
                 SLACK * sl_text_width (canvas->text, string, lettering->size, lettering->bold)
                   * BP_PER_PX);
  sl_tex_append (out, string);
  g_string_append (out, "}};\n");
}

SlCanvas *
sl_canvas_tikz_new (SlText *text, double width, double height, const char *title,
                    const char *description, const char *recipe)
{
  SlTikz *self = g_new0 (SlTikz, 1);

  self->canvas = (SlCanvas) { .text = text,
                              .begin = begin,
                              .shift = shift,
                              .end = end,
                              .rect = rect,
                              .line = line,
                              .area = area,
                              .disc = disc,
                              .words = words,
                              .image = sl_tikz_image,
                              .axes = sl_tikz_axes,
                              .band = sl_tikz_band,
                              .curve = sl_tikz_curve,
                              .end_axes = sl_tikz_end_axes,
                              .points_max = ALL_POINTS,
                              .points_px = 4 };
  self->head = g_string_new (NULL);
  self->colours = g_string_new (NULL);
  self->out = g_string_new (NULL);
  self->colour_ids = g_hash_table_new (NULL, NULL);
  self->pictures = sl_tikz_pictures_new ();
  sl_value_table_init (&self->table);
  self->depth = 1;
  if (title != NULL)
    sl_canvas_comment (self->head, "%", title);
  if (description != NULL)
    {
      sl_canvas_comment (self->head, "%", description);
      self->description = g_strdup (description);
    }
  if (recipe != NULL)
    sl_canvas_recipe (self->head, "%", recipe);
  g_string_append (self->out, "  \\useasboundingbox ");
  rectangle (self->out, &(SlRect) { 0.0, 0.0, width, height });
  g_string_append (self->out, ";\n");
  return &self->canvas;
}

/* The description as marked content with /Alt, in UTF-16 as PDF has it, which pdfTeX writes by itself. */
static void
append_alt (GString *out, const char *description)
{
  g_autofree char      *valid = g_utf8_make_valid (description, -1);
  g_autofree gunichar2 *units = g_utf8_to_utf16 (valid, -1, NULL, NULL, NULL);

  g_string_append (out, "\\leavevmode\\ifdefined\\pdfliteral\\pdfliteral page{/Span <</Alt <FEFF");
  for (glong i = 0; units[i] != 0; i++)
    g_string_append_printf (out, "%s%04X", i % UNITS_A_LINE == 0 ? "\n" : "", units[i]);
  g_string_append (out, "\n>>> BDC}\\fi%\n");
}

/* Appends the packages that the picture needs, which are known when everything is drawn. */
static void
append_opening (SlTikz *self)
{
  bool curves = self->table.columns->len > 0;

  sl_canvas_comment (self->head, "%",
                     curves ? SL_TEX_MARK
                       "pgfplots}\\pgfplotsset{compat=1.16}, and a font of any size, as with "
                       "\\usepackage{lmodern}."
                            : SL_TEX_MARK "tikz}, and a "
                                          "font of any size, as with \\usepackage{lmodern}.");
  if (curves)
    {
      sl_canvas_comment (
        self->head, "%",
        "The paper restyles all axes with \\pgfplotsset{sluice/.style={...}} and a curve with "
        "\\pgfplotsset{sluice curve 1/.style={red, thick}}.");
      sl_canvas_comment (
        self->head, "%",
        "A table in another folder is found with \\pgfplotsset{table/search path={.,FOLDER}}.");
      g_string_append (self->head, SL_TEX_TABLE_BEGIN);
      sl_value_table_append (&self->table, ' ', self->head);
      g_string_append (self->head, SL_TEX_TABLE_END);
    }
  if (self->description != NULL)
    append_alt (self->head, self->description);
  g_string_append (self->head,
                   "\\begin{tikzpicture}[x=0.75bp, y=-0.75bp, line cap=round, line join=round,\n"
                   "    every node/.style={inner sep=0pt, outer sep=0pt}]\n"
                   "  \\def\\sluicefit#1#2{\\setbox0\\hbox{#2}\\ifdim\\wd0>#1\\relax"
                   "\\resizebox{#1}{\\height}{\\box0}\\else\\box0\\fi}\n");
}

GBytes *
sl_canvas_tikz_finish (SlCanvas *canvas)
{
  SlTikz  *self = (SlTikz *) canvas;
  GString *body = g_string_new (NULL), *all = self->head;

  sl_tikz_append_body (self, body);
  append_opening (self);
  g_string_append (all, self->colours->str);
  g_string_append_len (all, body->str, (gssize) body->len);
  g_string_append (all, "\\end{tikzpicture}%\n");
  if (self->description != NULL)
    g_string_append (all, "\\ifdefined\\pdfliteral\\pdfliteral page{EMC}\\fi%\n");
  g_free (self->description);
  g_string_free (body, TRUE);
  g_string_free (self->colours, TRUE);
  g_string_free (self->out, TRUE);
  g_hash_table_unref (self->colour_ids);
  g_array_unref (self->pictures);
  sl_value_table_clear (&self->table);
  g_free (self);
  return g_string_free_to_bytes (all);
}
