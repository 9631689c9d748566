/* SPDX-License-Identifier: MIT
 *
 * Axes in a script for gnuplot, and what is drawn between them by its values: curves, bars and cells.  They are a
 * plot of their own on the page.  */
#include "plot/canvas/gnuplot.h"

enum { RAMP = 33 };

static void
put_ticks (GString *out, const SlCanvasAxes *axes, bool of_y)
{
  const SlTick *tick = of_y ? axes->y_tick : axes->x_tick;
  unsigned      n = of_y ? axes->n_y_ticks : axes->n_x_ticks;
  char          text[8];

  g_string_append_printf (out, "set %ctics out nomirror offset %s scale %s %s (", of_y ? 'y' : 'x',
                          of_y            ? "0.6,0"
                          : axes->upright ? "0,0"
                                          : "0,0.5",
                          !of_y && axes->categories ? "0,0" : "0.5,0.3",
                          !of_y && axes->upright ? "rotate" : "norotate");
  for (unsigned i = 0; i < n; i++)
    {
      g_autofree char *label = sl_script_tick_label (axes, of_y, i);
      g_auto (GStrv) parts = g_strsplit (label, "%", -1);
      g_autofree char *format = g_strjoinv ("%%", parts); /* which a label of a tick is */

      if (i > 0)
        g_string_append (out, ", ");
      sl_gnuplot_string (out, format);
      g_string_append_c (out, ' ');
      sl_value_append (out, sl_script_tick (axes, of_y, i));
      if (tick[i].minor)
        g_string_append (out, " 1");
    }
  g_string_append (out, ") font ',");
  sl_script_pt (out, of_y ? axes->type : axes->x_type);
  g_string_append_printf (out, "' textcolor rgb '%s'\n", sl_script_colour (axes->soft, text));
}

static void
put_range (GString *out, char axis, const SlScale *scale)
{
  if (scale->logarithmic)
    g_string_append_printf (out, "set logscale %c\n", axis);
  g_string_append_printf (out, "set %crange [", axis);
  sl_value_append (out, scale->lo);
  g_string_append_c (out, ':');
  sl_value_append (out, scale->hi);
  g_string_append (out, "]\n");
}

static void
begin_axes (SlCanvas *canvas, const SlCanvasAxes *axes)
{
  SlGnuplot    *self = (SlGnuplot *) canvas;
  SlLettering   lettering = { .size = axes->type, .anchor = SL_ANCHOR_MIDDLE, .colour = axes->ink };
  const SlRect *p = &axes->plot;
  SlXY          at = sl_script_place (&self->script, p->x, p->y);

  sl_gnuplot_words (canvas, p->x + 0.5 * p->w, axes->x_label_y, axes->x_label, &lettering);
  lettering.upwards = true;
  sl_gnuplot_words (canvas, axes->y_label_x, p->y + 0.5 * p->h, axes->y_label, &lettering);
  sl_gnuplot_flush (self);
  self->script.axes = *axes;
  self->corner = at;
  g_string_truncate (self->plots, 0);
}

static void
next_plot (SlGnuplot *self)
{
  if (self->plots->len > 0)
    g_string_append (self->plots, ", \\\n  ");
}

static void
curve (SlCanvas *canvas, const SlCanvasCurve *given)
{
  SlGnuplot    *self = (SlGnuplot *) canvas;
  const char   *name[2];
  SlScriptLook *look = sl_script_curve (&self->script, given, name);

  if (look == NULL)
    return;
  next_plot (self);
  g_string_append_printf (self->plots, "DATA index 0 using '%s':'%s' with %s linetype %u", name[0],
                          name[1],
                          !(given->width > 0.0) ? "points"
                          : given->marked       ? "linespoints"
                                                : "lines",
                          look->key);
  if (given->opacity < 1.0)
    {
      SlRgba pale = given->colour;

      pale.a = (float) given->opacity;
      g_string_append (self->plots, " linecolor ");
      sl_gnuplot_opaque (&self->script, self->plots, pale);
    }
}

static void
bars (SlCanvas *canvas, const SlCanvasBars *given)
{
  SlGnuplot    *self = (SlGnuplot *) canvas;
  SlScriptLook *look = sl_script_look (&self->script);
  const char   *name[3];

  sl_script_bars (&self->script, given, name);
  next_plot (self);
  g_string_append_printf (self->plots,
                          "DATA index 0 using (column('%s')):(column('%s')):(column('%s') - ",
                          name[0], name[2], name[0]);
  sl_value_append (self->plots, 0.5 * given->width);
  g_string_append_printf (self->plots, "):(column('%s') + ", name[0]);
  sl_value_append (self->plots, 0.5 * given->width);
  g_string_append_printf (self->plots, "):(column('%s')):(column('%s')) with boxxyerror ", name[1],
                          name[2]);
  if (look != NULL)
    {
      sl_script_look_line (look, given->colour, 0.0, NULL);
      g_string_append_printf (self->plots, "linetype %u", look->key);
    }
}

static void
put_place (SlGnuplot *self)
{
  const SlRect *p = &self->script.axes.plot;

  sl_canvas_put (self->script.out, "eval PLACE(@, @, @, @)\n", self->corner.x, self->corner.y, p->w,
                 p->h);
}

/* Cells are a plot of their own, below the axes, which may be logarithmic. */
static void
cells (SlCanvas *canvas, const SlCanvasCells *given)
{
  SlGnuplot    *self = (SlGnuplot *) canvas;
  GString      *out = self->script.out;
  const SlTint *tint = given->tint;
  unsigned      block = sl_script_matrix (&self->script, given->value, given->rows, given->columns);
  char          text[8];

  put_place (self);
  g_string_append_printf (out,
                          "set xrange [-0.5:%u.5]\nset yrange [%u.5:-0.5]\nset palette defined (",
                          given->columns - 1, given->rows - 1);
  for (unsigned i = 0; i < RAMP; i++)
    g_string_append_printf (
      out, "%s%u '%s'",
      i == 0       ? ""
      : i % 8 == 0 ? ", \\\n  "
                   : ", ",
      i, sl_script_colour (sl_tint_at (given->theme, tint, i / (RAMP - 1.0)), text));
  g_string_append (out, tint->scale.logarithmic ? ")\nset logscale cb\nset cbrange ["
                                                : ")\nset cbrange [");
  sl_value_append (out, tint->scale.lo);
  g_string_append_c (out, ':');
  sl_value_append (out, tint->scale.hi);
  g_string_append (out, "]\n");
  if ((double) given->missing.a > 0.0)
    g_string_append_printf (out,
                            "set object 1 rectangle from graph 0,0 to graph 1,1 fillcolor rgb "
                            "'%s' fillstyle solid noborder behind\n",
                            sl_script_colour (given->missing, text));
  g_string_append_printf (out, "plot DATA index TABLE + %u matrix with image\n", block);
}

static void
end_axes (SlCanvas *canvas)
{
  SlGnuplot          *self = (SlGnuplot *) canvas;
  GString            *out = self->script.out;
  const SlCanvasAxes *axes = &self->script.axes;
  char                text[8];

  put_place (self);
  put_range (out, 'x', &axes->x);
  put_range (out, 'y', &axes->y);
  g_string_append_printf (out, "set border 3 linecolor rgb '%s' linewidth ",
                          sl_script_colour (axes->axis, text));
  sl_script_pt (out, axes->hair);
  g_string_append_c (out, '\n');
  put_ticks (out, axes, false);
  put_ticks (out, axes, true);
  if (!axes->bare)
    {
      g_string_append_printf (out, "set grid %s back linecolor rgb '%s' linetype 1 linewidth ",
                              axes->categories ? "noxtics ytics" : "xtics ytics",
                              sl_script_colour (axes->grid, text));
      sl_script_pt (out, axes->hair);
      g_string_append_c (out, '\n');
    }
  g_string_append_printf (out, "plot %s\n", self->plots->len > 0 ? self->plots->str : "NaN");
}

void
sl_gnuplot_add_axes (SlCanvas *canvas)
{
  canvas->axes = begin_axes;
  canvas->curve = curve;
  canvas->bars = bars;
  canvas->cells = cells;
  canvas->end_axes = end_axes;
}
