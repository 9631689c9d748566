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

  self->scale[0] = axes->x;
  self->scale[1] = axes->y;
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

/* The half length of an error bar, which TeX has to be a number, or with `lower` that of its lower half, which ends
 * below the plot where a logarithmic axis could not show it.  */
static double
error_length (const SlTikz *self, const SlCanvasCurve *curve, unsigned axis, size_t i, bool lower)
{
  const double  *length = axis == 0 ? curve->errors->along_x : curve->errors->along_y;
  const SlScale *scale = &self->scale[axis];
  double         value = axis == 0 ? curve->points[i].x : curve->points[i].y, most = HUGE_VAL;

  if (!isfinite (length[i]))
    return 0.0;
  if (lower && scale->logarithmic)
    most = MAX (value - 0.1 * MIN (scale->lo, scale->hi), 0.0);
  return MIN (length[i], most);
}

/* The error bars along an axis as a column of the table, or as two; what is to be read goes to `columns`. */
static void
add_errors (SlTikz *self, const SlCanvasCurve *curve, unsigned axis, GString *columns)
{
  static const char *const ending[2][2]
    = { { "-x-error", "-x-error-below" }, { "-error", "-error-below" } };
  static const char *const key[2][2]
    = { { "error", "error plus" }, { "error minus", "error minus" } };
  const double *length = axis == 0 ? curve->errors->along_x : curve->errors->along_y;
  bool          uneven = false;

  if (length == NULL)
    return;
  for (size_t i = 0; i < curve->n; i++)
    uneven
      = uneven
        || error_length (self, curve, axis, i, true) < error_length (self, curve, axis, i, false);
  for (unsigned lower = 0; lower <= (uneven ? 1 : 0); lower++)
    {
      g_autofree char *id = g_strconcat (curve->id, ending[axis][lower], NULL);
      GArray          *column = g_array_new (FALSE, FALSE, sizeof (double));

      for (size_t i = 0; i < curve->n; i++)
        {
          double half = error_length (self, curve, axis, i, lower);

          g_array_append_val (column, half);
        }
      g_string_append_printf (columns, ", %c %s=%s", axis == 0 ? 'x' : 'y', key[lower][uneven],
                              sl_value_table_add (&self->table, id, column));
    }
}

/* The last of the options, as they are of a folder of their own. */
static void
append_errors (SlTikz *self, const SlCanvasErrors *errors)
{
  GString *out = self->out;

  g_string_append_printf (out, ", error bars/.cd%s%s, error bar style={solid, ",
                          errors->along_x != NULL ? ", x dir=both, x explicit" : "",
                          errors->along_y != NULL ? ", y dir=both, y explicit" : "");
  sl_tikz_paint (self, out, errors->colour);
  sl_canvas_put (out, ", line width=@bp}", errors->width * SL_TEX_BP_PER_PX);
  sl_canvas_put (out, ", error mark options={solid, rotate=90, mark size=@bp, line width=@bp}",
                 errors->cap * SL_TEX_BP_PER_PX, errors->width * SL_TEX_BP_PER_PX);
}

/* A line, markers, or neither where there is nothing but error bars. */
static void
append_looks (SlTikz *self, const SlCanvasCurve *curve)
{
  GString *out = self->out;

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
  if (curve->ring > 0.0)
    sl_canvas_put (out, ", mark=o, mark options={solid, line width=@bp}, mark size=@bp",
                   curve->ring * SL_TEX_BP_PER_PX, curve->mark_size * SL_TEX_BP_PER_PX);
  else if (curve->marked)
    append_mark (self, curve);
  else
    g_string_append (out, ", no marks");
}

void
sl_tikz_curve (SlCanvas *canvas, const SlCanvasCurve *curve)
{
  SlTikz     *self = (SlTikz *) canvas;
  const char *x = sl_value_table_x (&self->table, curve->id, curve->points, curve->n);
  const char *y = sl_value_table_y (&self->table, curve->id, curve->points, curve->n);
  g_autoptr (GString) columns = g_string_new (NULL);

  sl_tikz_indent (self->out, self->depth);
  g_string_append (self->out, "\\addplot[");
  append_looks (self, curve);
  sl_tikz_style (self, self->out);
  if (curve->errors != NULL)
    {
      append_errors (self, curve->errors);
      add_errors (self, curve, 0, columns);
      add_errors (self, curve, 1, columns);
    }
  g_string_append_printf (self->out, "] table[x=%s, y=%s%s] {" SL_TEX_TABLE_NAME "};\n", x, y,
                          columns->str);
}

/* The outlines of the parts of a band one after the other: along the upper edge and back along the lower one. */
static GArray *
outline_of (const SlCanvasBand *band)
{
  GArray *out = g_array_new (FALSE, FALSE, sizeof (SlXY));
  SlXY    gap = { NAN, NAN };

  for (size_t i = 0, from = 0; i <= band->n; i++)
    {
      if (i < band->n && isfinite (band->low[i]) && isfinite (band->high[i]))
        continue;
      for (size_t k = from; k < i; k++)
        g_array_append_val (out, ((SlXY) { band->x[k], band->high[k] }));
      for (size_t k = i; k > from; k--)
        g_array_append_val (out, ((SlXY) { band->x[k - 1], band->low[k - 1] }));
      if (i > from && i < band->n)
        g_array_append_val (out, gap);
      from = i + 1;
    }
  return out;
}

void
sl_tikz_band (SlCanvas *canvas, const SlCanvasBand *band)
{
  SlTikz     *self = (SlTikz *) canvas;
  GString    *out = self->out;
  GArray     *outline = outline_of (band);
  const SlXY *points = (const SlXY *) (void *) outline->data;
  const char *x = sl_value_table_x (&self->table, band->id, points, outline->len);
  const char *y = sl_value_table_y (&self->table, band->id, points, outline->len);

  sl_tikz_indent (out, self->depth);
  g_string_append (out, "\\addplot[draw=none, no marks, fill=");
  sl_tikz_paint (self, out, band->colour);
  g_string_append_printf (out, "] table[x=%s, y=%s] {" SL_TEX_TABLE_NAME "};\n", x, y);
  g_array_unref (outline);
}

void
sl_tikz_end_axes (SlCanvas *canvas)
{
  SlTikz *self = (SlTikz *) canvas;

  sl_tikz_indent (self->out, --self->depth);
  g_string_append (self->out, "\\end{axis}\n");
}
