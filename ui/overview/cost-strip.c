/* SPDX-License-Identifier: MIT */
#include "ui/overview/cost-strip.h"

#include <glib/gi18n.h>
#include <math.h>

#include "plot/base/scale.h"
#include "ui/kit/widget.h"

enum { TIMED = 2, N_COSTS, GAP = 8, SHOWN_MOST = 999, SCALE_LEAST = 5 /* sizes of the type */ };

struct _SlCostStrip
{
  GtkWidget parent_instance;

  unsigned  n;
  char     *name[SL_COST_ROWS];
  SlOutcome cost[SL_COST_ROWS];
  SlTheme   theme;
  char     *text;
};

G_DEFINE_FINAL_TYPE (SlCostStrip, sl_cost_strip, GTK_TYPE_WIDGET)

static double
cost_of (const SlOutcome *outcome, unsigned which)
{
  return which == 0 ? outcome->expected : which == 1 ? outcome->executed : outcome->timed;
}

static const char *
title_of (unsigned which)
{
  return which == 0 ? _ ("expected") : which == 1 ? _ ("executed") : _ ("timed");
}

static char *
percent (double value)
{
  char text[32];

  return g_strdup (isfinite (value) ? sl_percent_text (value, text, sizeof text) : "…");
}

/* A cost as it is written: the timed one with its spread if asked, or that there is none to be had. */
static char *
cost_text (const SlOutcome *outcome, unsigned which, gboolean spread)
{
  double value = cost_of (outcome, which);
  char   text[48];

  if (which == TIMED && outcome->busy)
    return g_strdup (C_ ("timed cost", "busy"));
  if (which == TIMED && spread && value < SHOWN_MOST)
    return g_strdup (sl_spread_text (value, outcome->timed_spread, 3, text, sizeof text));
  return percent (value);
}

static void
describe (SlCostStrip *self)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (unsigned i = 0; i < self->n; i++)
    {
      g_autofree char *expected = percent (self->cost[i].expected);
      g_autofree char *executed = percent (self->cost[i].executed);
      g_autofree char *timed = cost_text (&self->cost[i], TIMED, TRUE);

      g_string_append_printf (text, _ ("%s: expected %s %%, executed %s %%, timed %s %% of dense"),
                              self->name[i], expected, executed, timed);
      if (i + 1 < self->n)
        g_string_append_c (text, '\n');
    }
  if (g_strcmp0 (text->str, self->text) == 0)
    return;
  g_free (self->text);
  self->text = g_strdup (text->str);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  self->text, -1);
}

/* ---- drawing ---- */

static GdkRGBA
rgba (SlRgba colour, float alpha)
{
  return (GdkRGBA) { colour.r, colour.g, colour.b, colour.a * alpha };
}

static PangoLayout *
lay_out (SlCostStrip *self, const char *text, double size)
{
  PangoLayout          *layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
  PangoFontDescription *font = pango_font_description_new ();

  pango_font_description_set_absolute_size (font, size * PANGO_SCALE);
  pango_layout_set_font_description (layout, font);
  pango_font_description_free (font);
  return layout;
}

/* Text at x (align 0: from there on, 1: up to there), in the middle of a row.  Its width. */
static int
write_text (SlCostStrip *self, GtkSnapshot *snapshot, const char *text, SlRgba colour, double x,
            double y, double align)
{
  g_autoptr (PangoLayout) layout = lay_out (self, text, self->theme.type);
  GdkRGBA ink = rgba (colour, 1.0f);
  int     width, height;

  pango_layout_get_pixel_size (layout, &width, &height);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) floor (x - align * width),
                                                          (float) floor (y - height / 2.0)));
  gtk_snapshot_append_layout (snapshot, layout, &ink);
  gtk_snapshot_restore (snapshot);
  return width;
}

static int
width_of (SlCostStrip *self, const char *text)
{
  g_autoptr (PangoLayout) layout = lay_out (self, text, self->theme.type);
  int width;

  pango_layout_get_pixel_size (layout, &width, NULL);
  return width;
}

static void
bar (GtkSnapshot *snapshot, GdkRGBA colour, double x, double y, double w, double h)
{
  gtk_snapshot_append_color (snapshot, &colour,
                             &GRAPHENE_RECT_INIT ((float) x, (float) y, (float) w, (float) h));
}

static SlRgba
colour_of (const SlTheme *theme, unsigned which)
{
  return theme->curve[which == 0 ? 2 : which == 1 ? 0 : 1];
}

/* Room for the longest figure, and between two. */
static double
column_width (SlCostStrip *self)
{
  return width_of (self, "> 999") + 0.4 * self->theme.type;
}

/* The widest timed figure as it stands, so that none is cut; with spreads or without. */
static double
timed_width (SlCostStrip *self, gboolean spread)
{
  double widest = column_width (self);

  for (unsigned i = 0; i < self->n; i++)
    {
      g_autofree char *text = cost_text (&self->cost[i], TIMED, spread);

      widest = fmax (widest, width_of (self, text) + self->theme.type);
    }
  return widest;
}

/* Told apart by shape as well as by colour: a ring, a disc, an upright bar. */
static void
mark (SlCostStrip *self, GtkSnapshot *snapshot, unsigned which, double x, double y)
{
  const SlTheme  *theme = &self->theme;
  float           r = (float) (0.38 * theme->type), w = (float) (0.16 * theme->type);
  graphene_rect_t box = GRAPHENE_RECT_INIT ((float) x - r, (float) y - r, 2 * r, 2 * r);
  GskRoundedRect  round;
  GdkRGBA         colour = rgba (colour_of (theme, which), 1.0f);

  gsk_rounded_rect_init_from_rect (&round, &box, r);
  if (which == 0)
    gtk_snapshot_append_border (snapshot, &round, (float[4]) { w, w, w, w },
                                (GdkRGBA[4]) { colour, colour, colour, colour });
  else if (which == 1)
    {
      gtk_snapshot_push_rounded_clip (snapshot, &round);
      gtk_snapshot_append_color (snapshot, &colour, &box);
      gtk_snapshot_pop (snapshot);
    }
  else
    bar (snapshot, colour, x - w, y - 1.25 * r, 2 * w, 2.5 * r);
}

static double
row_height (SlCostStrip *self)
{
  return ceil (1.6 * self->theme.type);
}

/* What the marks are, and of what the figures are a share where there is room to say it. */
static void
draw_key (SlCostStrip *self, GtkSnapshot *snapshot, double y)
{
  const char *unit = _ ("% of dense");
  double      x = 0.0, end = gtk_widget_get_width (GTK_WIDGET (self));

  for (unsigned which = 0; which < N_COSTS; which++)
    {
      mark (self, snapshot, which, x + 0.5 * self->theme.type, y);
      x += 1.3 * self->theme.type;
      x += write_text (self, snapshot, title_of (which), colour_of (&self->theme, which), x, y, 0.0)
           + 1.2 * self->theme.type;
    }
  if (x + width_of (self, unit) <= end)
    write_text (self, snapshot, unit, self->theme.soft, end, y, 1.0);
}

/* What is beyond the scale stands at its end, with an arrow. */
static void
draw_row (SlCostStrip *self, GtkSnapshot *snapshot, unsigned i, double left, double right, double y,
          gboolean spread)
{
  const SlTheme *theme = &self->theme;
  double         column = column_width (self), at = right + GAP + column;

  write_text (self, snapshot, self->name[i], theme->ink, 0.0, y, 0.0);
  for (unsigned which = 0; which < N_COSTS; which++, at += column)
    {
      g_autofree char *figure = cost_text (&self->cost[i], which, spread);

      if (which == TIMED)
        at = gtk_widget_get_width (GTK_WIDGET (self));
      write_text (self, snapshot, figure, colour_of (theme, which), at, y, 1.0);
    }
  bar (snapshot, rgba (theme->axis, 0.8f), left, y - 0.5, right - left, 1.0);
  for (int tick = 0; tick <= 4; tick++)
    bar (snapshot, rgba (theme->axis, 0.8f), floor (left + (right - left) * tick / 4.0), y - 3, 1,
         7);
  for (unsigned which = 0; which < N_COSTS; which++)
    {
      double value = cost_of (&self->cost[i], which);

      if (!isfinite (value))
        continue;
      mark (self, snapshot, which, left + (right - left) * CLAMP (value, 0.0, 100.0) / 100.0, y);
      if (value > 100.0)
        write_text (self, snapshot, "›", theme->ink, right + 0.35 * theme->type, y, 0.0);
    }
}

static void
sl_cost_strip_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  SlCostStrip *self = SL_COST_STRIP (widget);
  double       height = row_height (self), left = 0.0, right, y = height / 2.0, room;
  gboolean     spread;

  if (!(self->theme.type > 0.0))
    return;
  for (unsigned i = 0; i < self->n; i++)
    left = fmax (left, width_of (self, self->name[i]));
  left += 1.5 * GAP;
  room = gtk_widget_get_width (widget) - (N_COSTS - 1) * column_width (self) - GAP - left;
  /* Spreads stand where the scale stays long enough to be read. */
  spread = room - timed_width (self, TRUE) >= SCALE_LEAST * self->theme.type;
  right = left + room - timed_width (self, spread);
  draw_key (self, snapshot, y);
  if (right <= left)
    return;
  for (unsigned i = 0; i < self->n; i++)
    draw_row (self, snapshot, i, left, right, y += height, spread);
}

static void
sl_cost_strip_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                       int *natural, int *minimum_baseline, int *natural_baseline)
{
  SlCostStrip *self = SL_COST_STRIP (widget);
  double       type = self->theme.type > 0.0 ? self->theme.type : 12.0;

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = (int) (20.0 * type);
      *natural = (int) (27.0 * type);
    }
  else
    *minimum = *natural = (int) ((self->n + 1) * ceil (1.6 * type));
}

/* ---- public ---- */

void
sl_cost_strip_show (SlCostStrip *self, const char *const *names, const SlOutcome *costs, unsigned n,
                    const SlTheme *theme)
{
  g_return_if_fail (SL_IS_COST_STRIP (self));
  if (n > SL_COST_ROWS)
    n = SL_COST_ROWS;
  if (n != self->n || theme->type != self->theme.type)
    gtk_widget_queue_resize (GTK_WIDGET (self));
  for (unsigned i = 0; i < SL_COST_ROWS; i++)
    {
      g_free (self->name[i]);
      self->name[i] = i < n ? g_strdup (names[i]) : NULL;
      if (i < n)
        self->cost[i] = costs[i];
    }
  self->n = n;
  self->theme = *theme;
  describe (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
sl_cost_strip_finalize (GObject *object)
{
  SlCostStrip *self = SL_COST_STRIP (object);

  for (unsigned i = 0; i < SL_COST_ROWS; i++)
    g_free (self->name[i]);
  g_free (self->text);
  G_OBJECT_CLASS (sl_cost_strip_parent_class)->finalize (object);
}

static void
sl_cost_strip_class_init (SlCostStripClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = sl_cost_strip_finalize;
  widget->snapshot = sl_cost_strip_snapshot;
  widget->measure = sl_cost_strip_measure;
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
sl_cost_strip_init (SlCostStrip *self)
{
  self->text = g_strdup ("");
  sl_widget_label (GTK_WIDGET (self), _ ("Cost in percent of dense"));
}
