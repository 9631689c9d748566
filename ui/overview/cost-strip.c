/* SPDX-License-Identifier: MIT */
#include "ui/overview/cost-strip.h"

#include <glib/gi18n.h>
#include <math.h>

#include "ui/kit/widget.h"
#include "ui/overview/cost-columns.h"

struct _SlCostStrip
{
  GtkWidget parent_instance;

  unsigned   n;
  SlStripRow row[SL_COST_ROWS];
  SlTheme    theme;
  char      *text;
};

G_DEFINE_FINAL_TYPE (SlCostStrip, sl_cost_strip, GTK_TYPE_WIDGET)

static void
describe (SlCostStrip *self)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (unsigned i = 0; i < self->n; i++)
    {
      if (i > 0)
        g_string_append_c (text, '\n');
      sl_strip_describe (&self->row[i], text);
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
width_of (gpointer widget, const char *text)
{
  SlCostStrip *self = widget;
  g_autoptr (PangoLayout) layout = lay_out (self, text, self->theme.type);
  int width;

  pango_layout_get_pixel_size (layout, &width, NULL);
  return width;
}

static SlStripSizes
sizes_of (SlCostStrip *self)
{
  return (SlStripSizes) { self->row, self->n, self->theme.type, width_of, self };
}

static SlStripColumns
columns_of (SlCostStrip *self, double width)
{
  SlStripSizes sizes = sizes_of (self);

  return sl_strip_columns (&sizes, width);
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
  static const unsigned slots[SL_STRIP_COSTS] = { 2, 0, 1 };

  return theme->curve[slots[which]];
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
  return ceil (1.5 * self->theme.type);
}

/* ---- parts ---- */

/* What the figures are: errors, and marks of costs with what they are a share of. */
static double
draw_head (SlCostStrip *self, GtkSnapshot *snapshot, const SlStripColumns *at, double y)
{
  const SlTheme *theme = &self->theme;
  double         x = at->key;

  write_text (self, snapshot, _ ("error, %"), theme->ink, at->error, y, 1.0);
  if (at->dense > 0.0)
    write_text (self, snapshot, _ ("dense"), theme->soft, at->dense, y, 1.0);
  if (at->two_lines)
    y += row_height (self);
  for (unsigned which = 0; which < SL_STRIP_COSTS; which++)
    {
      mark (self, snapshot, which, x + 0.5 * theme->type, y);
      x += 1.3 * theme->type;
      x += write_text (self, snapshot, sl_strip_title (which), colour_of (theme, which), x, y, 0.0)
           + 0.9 * theme->type;
    }
  write_text (self, snapshot, _ ("% of dense"), theme->soft, x, y, 0.0);
  return y;
}

/* The place of a cost on the scale. */
static double
place_of (const SlStripColumns *at, double cost)
{
  return at->left + (at->right - at->left) * CLAMP (cost, 0.0, 100.0) / 100.0;
}

/* A cost beyond the scale is drawn at its end, with an arrow. */
static void
draw_scale (SlCostStrip *self, GtkSnapshot *snapshot, const SlStripRow *row,
            const SlStripColumns *at, double y)
{
  const SlTheme *theme = &self->theme;
  double         length = at->right - at->left;

  bar (snapshot, rgba (theme->axis, 0.8f), at->left, y - 0.5, length, 1.0);
  for (int tick = 0; tick <= 4; tick++)
    bar (snapshot, rgba (theme->axis, 0.8f), floor (at->left + length * tick / 4.0), y - 3, 1, 7);
  for (unsigned which = 0; which < SL_STRIP_COSTS; which++)
    {
      double value = row->cost[which];

      if (!isfinite (value))
        continue;
      mark (self, snapshot, which, place_of (at, value), y);
      if (value > 100.0)
        write_text (self, snapshot, "›", theme->ink, at->right + 0.35 * theme->type, y, 0.0);
    }
}

static void
draw_row (SlCostStrip *self, GtkSnapshot *snapshot, const SlStripRow *row, const SlStripColumns *at,
          double y)
{
  const SlTheme   *theme = &self->theme;
  g_autofree char *error = sl_strip_error_text (row->error);
  g_autofree char *dense = row->paired ? sl_strip_error_text (row->dense) : g_strdup ("–");

  write_text (self, snapshot, row->name, theme->ink, 0.0, y, 0.0);
  write_text (self, snapshot, error, theme->ink, at->error, y, 1.0);
  if (at->dense > 0.0)
    write_text (self, snapshot, dense, theme->soft, at->dense, y, 1.0);
  if (at->right > at->left)
    draw_scale (self, snapshot, row, at, y);
  for (unsigned which = 0; which < SL_STRIP_COSTS; which++)
    {
      g_autofree char *figure = sl_strip_cost_text (row, which, at->spread);

      write_text (self, snapshot, figure, colour_of (theme, which), at->figure[which], y, 1.0);
    }
}

static void
sl_cost_strip_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  SlCostStrip   *self = SL_COST_STRIP (widget);
  double         height = row_height (self), y;
  SlStripColumns at;

  if (!(self->theme.type > 0.0))
    return;
  at = columns_of (self, gtk_widget_get_width (widget));
  y = draw_head (self, snapshot, &at, height / 2.0);
  for (unsigned i = 0; i < self->n; i++)
    draw_row (self, snapshot, &self->row[i], &at, y += height);
}

static GtkSizeRequestMode
sl_cost_strip_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
sl_cost_strip_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                       int *natural, int *minimum_baseline, int *natural_baseline)
{
  SlCostStrip *self = SL_COST_STRIP (widget);
  gboolean     two_lines;

  *minimum = *natural = 0;
  if (!(self->theme.type > 0.0))
    return;
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      SlStripSizes sizes = sizes_of (self);

      sl_strip_measure_width (&sizes, minimum, natural);
      return;
    }
  two_lines = for_size > 0 && columns_of (self, for_size).two_lines;
  *minimum = *natural = (int) ((self->n + (two_lines ? 2 : 1)) * row_height (self));
}

/* ---- public ---- */

void
sl_cost_strip_show (SlCostStrip *self, const SlCostRow *rows, unsigned n, const SlTheme *theme)
{
  gboolean resize;

  g_return_if_fail (SL_IS_COST_STRIP (self));
  if (n > SL_COST_ROWS)
    n = SL_COST_ROWS;
  resize = n != self->n || theme->type != self->theme.type;
  for (unsigned i = 0; i < SL_COST_ROWS; i++)
    {
      if (i < n)
        sl_strip_row_set (&self->row[i], &rows[i]);
      else
        g_clear_pointer (&self->row[i].name, g_free);
    }
  self->n = n;
  self->theme = *theme;
  if (resize)
    gtk_widget_queue_resize (GTK_WIDGET (self));
  describe (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
sl_cost_strip_finalize (GObject *object)
{
  SlCostStrip *self = SL_COST_STRIP (object);

  for (unsigned i = 0; i < SL_COST_ROWS; i++)
    g_free (self->row[i].name);
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
  widget->get_request_mode = sl_cost_strip_get_request_mode;
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
sl_cost_strip_init (SlCostStrip *self)
{
  self->text = g_strdup ("");
  sl_widget_label (GTK_WIDGET (self), _ ("Error, and cost in percent of dense"));
}
