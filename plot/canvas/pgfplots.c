/* SPDX-License-Identifier: MIT
 *
 * Axes with curves as an axis of pgfplots.  The values of all curves of a page stand in one table, of
 * which each curve reads two columns; curves over the same x share that column.  The paper may
 * restyle everything: "sluice" is a style of all axes, "sluice curve N" one of a curve.  */
#include <math.h>
#include <string.h>

#include "plot/base/tex.h"
#include "plot/canvas/tikz.h"

void
sl_tex_table_init (SlTexTable *table)
{
  table->names = g_ptr_array_new_with_free_func (g_free);
  table->columns = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
}

void
sl_tex_table_clear (SlTexTable *table)
{
  g_ptr_array_unref (table->names);
  g_ptr_array_unref (table->columns);
}

/* Adds a column; its name is made of a curve's id, of signs that pgfplots takes, and no other column's. */
static const char *
add_column (SlTexTable *table, const char *id, const char *ending, GArray *values)
{
  g_autofree char *plain = g_strcanon (
    g_strdup (id), "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", '-');
  char *name = g_strconcat (plain, ending, NULL);

  for (unsigned again = 2; g_ptr_array_find_with_equal_func (table->names, name, g_str_equal, NULL);
       again++)
    {
      g_free (name);
      name = g_strdup_printf ("%s-%u%s", plain, again, ending);
    }
  g_ptr_array_add (table->names, name);
  g_ptr_array_add (table->columns, values);
  return name;
}

/* One coordinate of some points. */
static GArray *
coordinates (const SlXY *points, size_t n, bool of_y)
{
  GArray *values = g_array_sized_new (FALSE, FALSE, sizeof (double), (guint) n);

  for (size_t i = 0; i < n; i++)
    g_array_append_val (values, *(of_y ? &points[i].y : &points[i].x));
  return values;
}

/* The column with the same values in a table, or a new one, which takes them over. */
static const char *
x_column (SlTexTable *table, const char *id, GArray *values)
{
  for (unsigned c = 0; c < table->columns->len; c++)
    {
      const char   *name = g_ptr_array_index (table->names, c);
      const GArray *column = g_ptr_array_index (table->columns, c);

      if (g_str_has_suffix (name, "-x") && column->len == values->len
          && memcmp (column->data, values->data, values->len * sizeof (double)) == 0)
        {
          g_array_unref (values);
          return name;
        }
    }
  return add_column (table, id, "-x", values);
}

static void
append_value (GString *out, const GArray *column, unsigned row)
{
  double value = row < column->len ? g_array_index (column, double, row) : (double) NAN;
  char   text[48];

  g_string_append (out,
                   isfinite (value) ? g_ascii_formatd (text, sizeof text, "%.8g", value) : "nan");
}

void
sl_tex_table_append (const SlTexTable *table, GString *out)
{
  unsigned rows = 0, n = table->columns->len;

  if (n == 0)
    return;
  for (unsigned c = 0; c < n; c++)
    rows = MAX (rows, ((GArray *) g_ptr_array_index (table->columns, c))->len);
  g_string_append (out, SL_TEX_TABLE_BEGIN);
  for (unsigned c = 0; c < n; c++)
    g_string_append_printf (out, "%s%c", (char *) g_ptr_array_index (table->names, c),
                            c + 1 < n ? ' ' : '\n');
  for (unsigned row = 0; row < rows; row++)
    for (unsigned c = 0; c < n; c++)
      {
        append_value (out, g_ptr_array_index (table->columns, c), row);
        g_string_append_c (out, c + 1 < n ? ' ' : '\n');
      }
  g_string_append (out, SL_TEX_TABLE_END);
}

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
append_double (GString *out, double value)
{
  char text[48];

  g_string_append (out, g_ascii_formatd (text, sizeof text, "%.8g", value + 0.0)); /* no -0 */
}

static void
append_range (SlTikz *self, char axis, const SlScale *scale)
{
  GString *out = self->out;

  key (self, axis == 'x' ? "xmode" : "ymode");
  g_string_append_printf (out, "%s, %cmin=", scale->logarithmic ? "log" : "linear", axis);
  append_double (out, scale->lo);
  g_string_append_printf (out, ", %cmax=", axis);
  append_double (out, scale->hi);
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
        append_double (out, ticks[i].value);
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
    append_double (self->out, (axes->y_label_x - p->x) / p->w);
  if (axis == 'x')
    append_double (self->out, (p->y + p->h - axes->x_label_y) / p->h);
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
    [SL_MARKER_DISC] = "*",
    [SL_MARKER_SQUARE] = "square*",
    [SL_MARKER_UP] = "triangle*",
    [SL_MARKER_DIAMOND] = "diamond*",
    [SL_MARKER_DOWN] = "triangle*, every mark/.append style={rotate=180}",
    [SL_MARKER_PLUS] = "+",
    [SL_MARKER_CROSS] = "x",
    [SL_MARKER_RING] = "o",
  };
  /* From the middle to the edge or the corner, as sl_canvas_marker() draws them. */
  static const double reach[SL_N_MARKERS] = { 0.53, 0.47, 0.7, 0.65, 0.7, 0.58, 0.58, 0.4 };
  bool                open = curve->marker == SL_MARKER_PLUS || curve->marker == SL_MARKER_CROSS
              || curve->marker == SL_MARKER_RING;

  g_string_append_printf (self->out, ", mark=%s, mark options={solid, ", shapes[curve->marker]);
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
  const char *x = x_column (&self->table, curve->id, coordinates (curve->points, curve->n, false));
  const char *y
    = add_column (&self->table, curve->id, "", coordinates (curve->points, curve->n, true));

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
  if (curve->mark_size > 0.0)
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
