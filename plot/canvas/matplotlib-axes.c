/* SPDX-License-Identifier: MIT
 *
 * Axes of matplotlib with what is in them, by values that are columns of a table.  */
#include <math.h>
#include <string.h>

#include "plot/canvas/matplotlib.h"

enum { RAMP = 33 };

static void
put_ticks (SlScript *self, const SlCanvasAxes *axes, bool of_y)
{
  const SlTick *tick = of_y ? axes->y_tick : axes->x_tick;
  unsigned      n = of_y ? axes->n_y_ticks : axes->n_x_ticks;
  GString      *minor = g_string_new (NULL);

  g_string_append_printf (self->out, "ticks(ax.%caxis, [", of_y ? 'y' : 'x');
  for (unsigned i = 0; i < n; i++)
    {
      g_autofree char *label = sl_script_tick_label (axes, of_y, i);
      GString         *out = tick[i].minor ? minor : self->out;

      if (!tick[i].minor)
        g_string_append_c (out, '(');
      sl_value_append (out, sl_script_tick (axes, of_y, i));
      g_string_append (out, ", ");
      if (tick[i].minor)
        continue;
      sl_matplotlib_string (out, label);
      g_string_append (out, "), ");
    }
  g_string_append_printf (self->out, "], [%s]", minor->str);
  g_string_free (minor, TRUE);
  sl_canvas_put (self->out, ", @", (of_y ? axes->type : axes->x_type) * SL_SCRIPT_PT_PER_PX);
  if (!of_y && axes->upright)
    g_string_append (self->out, ", rotation=90");
  if (!of_y && axes->categories)
    g_string_append (self->out, ", length=0");
  g_string_append (self->out, ")\n");
}

static void
put_range (GString *out, char axis, const SlScale *scale)
{
  g_string_append_printf (out, "ax.set_%cscale(\"%s\")\nax.set_%clim(", axis,
                          scale->logarithmic ? "log" : "linear", axis);
  sl_value_append (out, scale->lo);
  g_string_append (out, ", ");
  sl_value_append (out, scale->hi);
  g_string_append (out, ")\n");
}

static void
put_title (SlScript *self, const SlCanvasAxes *axes, bool of_y)
{
  const SlRect *p = &axes->plot;
  const char   *label = of_y ? axes->y_label : axes->x_label;
  char          text[8];

  if (*label == '\0')
    return;
  sl_canvas_put (self->out, "words(@, @, ", of_y ? axes->y_label_x : p->x + 0.5 * p->w,
                 of_y ? p->y + 0.5 * p->h : axes->x_label_y);
  sl_matplotlib_string (self->out, label);
  sl_canvas_put (self->out, ", @, ", axes->type * SL_SCRIPT_PT_PER_PX);
  g_string_append_printf (self->out, "\"%s\", \"center\"%s)\n", sl_script_colour (axes->ink, text),
                          of_y ? ", rotation=90" : "");
}

void
sl_matplotlib_axes (SlCanvas *canvas, const SlCanvasAxes *axes)
{
  SlScript     *self = (SlScript *) canvas;
  SlXY          at = sl_script_place (self, axes->plot.x, axes->plot.y);
  SlXY          titles = sl_script_place (self, axes->y_label_x, axes->x_label_y);
  const SlRect *p = &axes->plot;
  char          ink[8], grid[8], soft[8];

  self->axes = *axes;
  self->axes.plot.x = at.x;
  self->axes.plot.y = at.y;
  self->axes.y_label_x = titles.x;
  self->axes.x_label_y = titles.y;
  sl_canvas_put (self->out, "\nax = axes(@, @, @, @, ", at.x, at.y, p->w, p->h);
  g_string_append_printf (self->out, "\"%s\", \"%s\", \"%s\", ", sl_script_colour (axes->axis, ink),
                          axes->bare ? "none" : sl_script_colour (axes->grid, grid),
                          sl_script_colour (axes->soft, soft));
  sl_script_pt (self->out, axes->hair);
  g_string_append_printf (self->out, ", \"%s\")\n", axes->categories ? "y" : "both");
  put_range (self->out, 'x', &axes->x);
  put_range (self->out, 'y', &axes->y);
  put_ticks (self, axes, false);
  put_ticks (self, axes, true);
  put_title (self, &self->axes, false);
  put_title (self, &self->axes, true);
}

/* ", 0.1, 8, LogNorm, ["#…", …]": the scale of tones and its colours. */
static void
put_tint (SlScript *self, const SlTint *tint, const SlTheme *theme, double pale)
{
  char text[8];

  g_string_append (self->out, ", ");
  sl_value_append (self->out, tint->scale.lo);
  g_string_append (self->out, ", ");
  sl_value_append (self->out, tint->scale.hi);
  g_string_append (self->out, tint->scale.logarithmic ? ", LogNorm, [" : ", Normalize, [");
  for (unsigned i = 0; i < RAMP; i++)
    g_string_append_printf (
      self->out, "%s\"%s\"",
      i == 0       ? ""
      : i % 8 == 0 ? ",\n      "
                   : ", ",
      sl_script_colour (sl_mix (sl_tint_at (theme, tint, i / (RAMP - 1.0)), theme->plot, pale),
                        text));
  g_string_append (self->out, "]");
}

/* "TABLE["…"]", or None. */
static void
put_column (SlScript *self, const char *name)
{
  if (name != NULL)
    g_string_append_printf (self->out, ", TABLE[\"%s\"]", name);
  else
    g_string_append (self->out, ", None");
}

/* A colour, that of the curve only where it is the same. */
static void
put_own_colour (SlScript *self, SlRgba colour)
{
  const SlScriptLook *look = sl_script_look (self);
  char                own[8], of_curve[8];

  if (look != NULL
      && strcmp (sl_script_colour (colour, own), sl_script_colour (look->colour, of_curve)) == 0)
    sl_matplotlib_fill (self, colour);
  else
    g_string_append_printf (self->out, "\"%s\"", sl_script_colour (colour, own));
}

static void
put_errors (SlScript *self, const SlCanvasCurve *given, const char *name[2])
{
  const SlCanvasErrors *errors = given->errors;

  g_string_append (self->out, "errors(ax");
  put_column (self, name[0]);
  put_column (self, name[1]);
  put_column (self, sl_script_errors (self, given->id, false, errors->along_x, given->n));
  put_column (self, sl_script_errors (self, given->id, true, errors->along_y, given->n));
  g_string_append (self->out, ", ");
  sl_script_pt (self->out, errors->width);
  g_string_append (self->out, ", ");
  sl_script_pt (self->out, errors->cap);
  g_string_append (self->out, ", ");
  put_own_colour (self, errors->colour);
  g_string_append (self->out, ")\n");
}

static void
put_rings (SlScript *self, const SlCanvasCurve *given, const char *name[2])
{
  char text[8];

  g_string_append (self->out, "rings(ax");
  put_column (self, name[0]);
  put_column (self, name[1]);
  g_string_append_printf (self->out, ", \"%s\", ", sl_script_colour (given->colour, text));
  sl_script_pt (self->out, 2.0 * given->mark_size);
  g_string_append (self->out, ", ");
  sl_script_pt (self->out, given->ring);
  g_string_append (self->out, ")\n");
}

/* Markers in colours of their own: a column of tones. */
static void
put_tones (SlScript *self, const SlCanvasCurve *given, const SlScriptLook *look,
           const char *name[2])
{
  const SlCanvasTones *tones = given->tones;
  g_autofree char     *id = g_strconcat (given->id, "-tone", NULL);
  GArray              *column = g_array_sized_new (FALSE, FALSE, sizeof (double), (guint) given->n);
  char                 text[8];

  g_array_append_vals (column, tones->value, (guint) given->n);
  g_string_append_printf (self->out, "points(ax, CURVES[%u]", look->key);
  put_column (self, name[0]);
  put_column (self, name[1]);
  put_column (self, sl_value_table_add (&self->table, id, column));
  put_tint (self, tones->tint, tones->theme, tones->pale);
  g_string_append_printf (self->out, ", \"%s\"", sl_script_colour (given->rim, text));
  sl_canvas_put (self->out, ", times=@)\n", given->mark_size / look->mark_size);
}

void
sl_matplotlib_curve (SlCanvas *canvas, const SlCanvasCurve *given)
{
  SlScript     *self = (SlScript *) canvas;
  const char   *name[2];
  SlScriptLook *look = sl_script_curve (self, given, name);

  if (look == NULL)
    return;
  if (given->errors != NULL)
    put_errors (self, given, name);
  if (given->ring > 0.0)
    put_rings (self, given, name);
  else if (given->tones != NULL)
    put_tones (self, given, look, name);
  if (given->ring > 0.0 || given->tones != NULL || (!(given->width > 0.0) && !given->marked))
    return;
  g_string_append_printf (
    self->out, "curve(ax, CURVES[%u], TABLE[\"%s\"], TABLE[\"%s\"]%s", look->key, name[0], name[1],
    given->width > 0.0 ? given->marked ? ", marks=True" : "" : ", marks=True, line=False");
  if (given->marked && fabs (given->mark_size / look->mark_size - 1.0) > 0.01)
    sl_canvas_put (self->out, ", times=@", given->mark_size / look->mark_size);
  if (given->opacity < 1.0)
    sl_canvas_put (self->out, ", alpha=@", given->opacity);
  g_string_append (self->out, ")\n");
}

void
sl_matplotlib_band (SlCanvas *canvas, const SlCanvasBand *given)
{
  SlScript   *self = (SlScript *) canvas;
  const char *name[3];

  sl_script_band (self, given, name);
  g_string_append (self->out, "band(ax");
  for (unsigned i = 0; i < 3; i++)
    put_column (self, name[i]);
  g_string_append (self->out, ", ");
  sl_matplotlib_fill (self, given->colour);
  g_string_append (self->out, ")\n");
}

void
sl_matplotlib_bars (SlCanvas *canvas, const SlCanvasBars *given)
{
  SlScript   *self = (SlScript *) canvas;
  const char *name[3];

  sl_script_bars (self, given, name);
  g_string_append_printf (self->out, "bars(ax, TABLE[\"%s\"], TABLE[\"%s\"], TABLE[\"%s\"], ",
                          name[0], name[1], name[2]);
  sl_value_append (self->out, given->width);
  g_string_append (self->out, ", ");
  sl_matplotlib_fill (self, given->colour);
  g_string_append (self->out, ")\n");
}

void
sl_matplotlib_cells (SlCanvas *canvas, const SlCanvasCells *given)
{
  SlScript *self = (SlScript *) canvas;
  unsigned  block = sl_script_matrix (self, given->value, given->rows, given->columns);
  char      text[8];

  g_string_append_printf (self->out, "cells(ax, MATRICES[%u]", block);
  put_tint (self, given->tint, given->theme, 0.0);
  g_string_append_printf (self->out, ", \"%s\")\n",
                          (double) given->missing.a > 0.0 ? sl_script_colour (given->missing, text)
                                                          : "none");
}
