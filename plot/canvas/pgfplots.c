/* SPDX-License-Identifier: MIT
 *
 * Axes with curves as an axis of pgfplots.  The values of all curves of a page are in one table, of
 * which each curve reads two columns; curves over the same x share that column.  The paper may
 * restyle everything: "sluice" is a style of all axes, "sluice curve N" one of a curve.  */
#include <math.h>

#include "plot/base/tex.h"
#include "plot/canvas/tikz.h"

static void
append_font (GString *out, double size)
{
  sl_canvas_put (out, "font=\\fontsize{@}{@}\\selectfont", size * SL_TEX_PT_PER_PX,
                 1.2 * size * SL_TEX_PT_PER_PX);
}

/* A key of the axis on a line of its own, begun with a separator. */
static void
key (SlTikz *self, const char *name)
{
  g_string_append (self->out, ",\n");
  sl_tikz_indent (self->out, self->depth + 1);
  g_string_append_printf (self->out, "%s=", name);
}

static void
append_range (SlTikz *self, char axis, const SlScale *scale)
{
  GString *out = self->out;

  key (self, axis == 'x' ? "xmode" : "ymode");
  g_string_append_printf (out, "%s, %cmin=", scale->logarithmic ? "log" : "linear", axis);
  sl_value_append (out, scale->lo);
  g_string_append_printf (out, ", %cmax=", axis);
  sl_value_append (out, scale->hi);
}

static void
append_ticks (SlTikz *self, char axis, const SlTick *ticks, unsigned n, bool minor)
{
  GString *out = self->out;
  unsigned shown = 0;
  char     name[24];

  g_snprintf (name, sizeof name, minor ? "minor %ctick" : "%ctick", axis);
  key (self, name);
  g_string_append_c (out, '{');
  for (unsigned i = 0; i < n; i++)
    if (ticks[i].minor == minor)
      {
        g_string_append (out, shown++ > 0 ? "," : "");
        sl_value_append (out, ticks[i].value);
      }
  g_string_append_c (out, '}');
  if (minor)
    return;
  g_snprintf (name, sizeof name, "%cticklabels", axis);
  key (self, name);
  g_string_append_c (out, '{');
  for (unsigned i = 0; i < n; i++)
    if (!ticks[i].minor)
      {
        g_string_append_c (out, '{');
        sl_tex_append (out, ticks[i].label);
        g_string_append (out, "},");
      }
  g_string_append_c (out, '}');
}

/* The words along an axis, their baseline where the figure has it. */
static void
append_label (SlTikz *self, const SlCanvasAxes *axes, char axis)
{
  const SlRect *p = &axes->plot;
  const char   *label = axis == 'x' ? axes->x_label : axes->y_label;

  if (*label == '\0')
    return;
  key (self, axis == 'x' ? "xlabel" : "ylabel");
  g_string_append_c (self->out, '{');
  sl_tex_append (self->out, label);
  g_string_append_c (self->out, '}');
  key (self, axis == 'x' ? "xlabel style" : "ylabel style");
  g_string_append (self->out, "{at={(axis description cs:");
  if (axis == 'x')
    g_string_append (self->out, "0.5,");
  else
    sl_value_append (self->out, (axes->y_label_x - p->x) / p->w);
  if (axis == 'x')
    sl_value_append (self->out, (p->y + p->h - axes->x_label_y) / p->h);
  else
    g_string_append (self->out, ",0.5");
  g_string_append (self->out, ")}, anchor=base, ");
  append_font (self->out, axes->type);
  g_string_append (self->out, ", text=");
  sl_tikz_paint (self, self->out, axes->ink);
  g_string_append_c (self->out, '}');
}

/* The corner is given in lengths: numbers without a unit would be of the axis. */
void
sl_tikz_axes (SlCanvas *canvas, const SlCanvasAxes *axes)
{
  SlTikz       *self = (SlTikz *) canvas;
  GString      *out = self->out;
  const SlRect *p = &axes->plot;
  double        hair = axes->hair * SL_TEX_BP_PER_PX;

  sl_tikz_indent (out, self->depth);
  sl_canvas_put (out,
                 "\\begin{axis}[at={(@bp,@bp)}, anchor=south west, scale only axis, width=@bp, "
                 "height=@bp",
                 p->x * SL_TEX_BP_PER_PX, -(p->y + p->h) * SL_TEX_BP_PER_PX,
                 p->w * SL_TEX_BP_PER_PX, p->h * SL_TEX_BP_PER_PX);
  append_range (self, 'x', &axes->x);
  append_range (self, 'y', &axes->y);
  key (self, "axis lines*");
  g_string_append (
    out, "left, tick align=outside, unbounded coords=jump, grid=major, clip mode=individual");
  key (self, "axis line style");
  g_string_append_c (out, '{');
  sl_tikz_paint (self, out, axes->axis);
  sl_canvas_put (out, ", line width=@bp}", hair);
  key (self, "tick style");
  g_string_append_c (out, '{');
  sl_tikz_paint (self, out, axes->axis);
  sl_canvas_put (out, ", line width=@bp}, major tick length=2.6bp, minor tick length=1.5bp", hair);
  key (self, "grid style");
  g_string_append_c (out, '{');
  sl_tikz_paint (self, out, axes->grid);
  sl_canvas_put (out, ", line width=@bp}", hair);
  key (self, "tick label style");
  g_string_append_c (out, '{');
  append_font (out, axes->type);
  g_string_append (out, ", text=");
  sl_tikz_paint (self, out, axes->soft);
  g_string_append (out, ", inner sep=1.9bp}");
  append_ticks (self, 'x', axes->x_tick, axes->n_x_ticks, false);
  append_ticks (self, 'x', axes->x_tick, axes->n_x_ticks, true);
  append_ticks (self, 'y', axes->y_tick, axes->n_y_ticks, false);
  append_ticks (self, 'y', axes->y_tick, axes->n_y_ticks, true);
  append_label (self, axes, 'x');
  append_label (self, axes, 'y');
  g_string_append (out, ",\n");
  sl_tikz_indent (out, ++self->depth);
  g_string_append (out, "sluice/.try]\n");
}

static void
append_mark (SlTikz *self, const SlCanvasCurve *curve)
{
  static const char *const shapes[SL_N_MARKERS] = {
    [SL_MARKER_DISC] = "*",           [SL_MARKER_SQUARE] = "square*", [SL_MARKER_UP] = "triangle*",
    [SL_MARKER_DIAMOND] = "diamond*", [SL_MARKER_DOWN] = "triangle*", [SL_MARKER_PLUS] = "+",
    [SL_MARKER_CROSS] = "x",          [SL_MARKER_RING] = "o",
  };
  /* From the middle to the edge or the corner, as sl_canvas_marker() draws them. */
  static const double reach[SL_N_MARKERS] = { 0.53, 0.47, 0.7, 0.65, 0.7, 0.58, 0.58, 0.4 };
  bool                open = curve->marker == SL_MARKER_PLUS || curve->marker == SL_MARKER_CROSS
              || curve->marker == SL_MARKER_RING;

  g_string_append_printf (self->out, ", mark=%s, mark options={solid, %s", shapes[curve->marker],
                          curve->marker == SL_MARKER_DOWN ? "rotate=180, " : "");
  if (open)
    sl_canvas_put (self->out, "line width=@bp}", 0.3 * curve->mark_size * SL_TEX_BP_PER_PX);
  else
    {
      g_string_append (self->out, "draw=");
      sl_tikz_paint (self, self->out, curve->rim);
      sl_canvas_put (self->out, ", line width=@bp}", 0.12 * curve->mark_size * SL_TEX_BP_PER_PX);
    }
  sl_canvas_put (self->out, ", mark size=@bp",
                 reach[curve->marker] * curve->mark_size * SL_TEX_BP_PER_PX);
}

void
sl_tikz_curve (SlCanvas *canvas, const SlCanvasCurve *curve)
{
  SlTikz     *self = (SlTikz *) canvas;
  GString    *out = self->out;
  const char *x = sl_value_table_x (&self->table, curve->id, curve->points, curve->n);
  const char *y = sl_value_table_y (&self->table, curve->id, curve->points, curve->n);

  sl_tikz_indent (out, self->depth);
  g_string_append (out, "\\addplot[");
  sl_tikz_paint (self, out, curve->colour);
  if (curve->opacity < 1.0)
    sl_canvas_put (out, ", opacity=@", curve->opacity);
  if (curve->width > 0.0)
    {
      sl_canvas_put (out, ", line width=@bp", curve->width * SL_TEX_BP_PER_PX);
      sl_tikz_dash (out, curve->dash);
    }
  else
    g_string_append (out, ", only marks");
  if (curve->marked)
    append_mark (self, curve);
  else
    g_string_append (out, ", no marks");
  sl_tikz_style (self, out);
  g_string_append_printf (out, "] table[x=%s, y=%s] {" SL_TEX_TABLE_NAME "};\n", x, y);
}

void
sl_tikz_end_axes (SlCanvas *canvas)
{
  SlTikz *self = (SlTikz *) canvas;

  sl_tikz_indent (self->out, --self->depth);
  g_string_append (self->out, "\\end{axis}\n");
}
