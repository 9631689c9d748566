/* SPDX-License-Identifier: MIT */
#include "ui/overview/cost-strip.h"

#include <glib/gi18n.h>
#include <math.h>

#include "plot/base/scale.h"
#include "ui/kit/widget.h"

enum {
  TIMED = 2,
  PREDICTED,
  N_COSTS,
  GAP = 8,
  TIGHT_GAP = 4,
  SHOWN_MOST = 999,
  SCALE_LEAST = 5 /* sizes of the type */
};

typedef struct
{
  char    *name;
  double   cost[N_COSTS], spread, error, dense;
  double   least, most; /* of what is predicted */
  gboolean busy, paired;
} Row;

struct _SlCostStrip
{
  GtkWidget parent_instance;

  unsigned n;
  Row      row[SL_COST_ROWS];
  SlTheme  theme;
  char    *text;
};

/* Where everything stands, px from the left. */
typedef struct
{
  double   error, dense;      /* right ends of columns; dense 0: there is none */
  double   left, right;       /* of the scale; left = right: there is no room for it */
  unsigned costs;             /* that are shown: all, or those before PREDICTED */
  double   figure[N_COSTS];   /* right ends */
  double   key;               /* the key's left end */
  gboolean spread, two_lines; /* figures with their spread, a key on a line of its own */
} Columns;

G_DEFINE_FINAL_TYPE (SlCostStrip, sl_cost_strip, GTK_TYPE_WIDGET)

static const char *
title_of (unsigned which)
{
  static const char *const titles[N_COSTS]
    = { N_ ("expected"), N_ ("executed"), N_ ("timed"), N_ ("predicted") };

  return _ (titles[which]);
}

static char *
percent (double value)
{
  char text[32];

  return g_strdup (isfinite (value) ? sl_percent_text (value, text, sizeof text) : "…");
}

/* A cost as it is written: the timed one with its spread if asked, or that there is none to be had. */
static char *
cost_text (const Row *row, unsigned which, gboolean spread)
{
  double value = row->cost[which];
  char   text[48];

  if (which == TIMED && row->busy)
    return g_strdup (C_ ("timed cost", "busy"));
  if (which == TIMED && spread && value < SHOWN_MOST)
    return g_strdup (sl_spread_text (value, row->spread, 3, text, sizeof text));
  return percent (value);
}

static char *
error_text (double error)
{
  return isfinite (error) ? g_strdup_printf ("%.1f", error) : g_strdup ("…");
}

static void
describe_row (const Row *row, GString *text)
{
  g_autofree char *error = error_text (row->error);
  g_autofree char *dense = error_text (row->dense);
  g_autofree char *expected = percent (row->cost[0]);
  g_autofree char *executed = percent (row->cost[1]);
  g_autofree char *timed = cost_text (row, TIMED, TRUE);

  if (row->paired)
    g_string_append_printf (
      text,
      _ ("%s: error %s %%, dense %s %%; expected %s %%, executed %s %%, timed %s %% of dense"),
      row->name, error, dense, expected, executed, timed);
  else
    g_string_append_printf (
      text, _ ("%s: error %s %%; expected %s %%, executed %s %%, timed %s %% of dense"), row->name,
      error, expected, executed, timed);
  if (isfinite (row->cost[PREDICTED]))
    {
      g_autofree char *predicted = percent (row->cost[PREDICTED]);
      g_autofree char *least = percent (row->least), *most = percent (row->most);

      g_string_append_printf (text, _ (", predicted %s %% (%s to %s %%)"), predicted, least, most);
    }
}

static void
describe (SlCostStrip *self)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (unsigned i = 0; i < self->n; i++)
    {
      if (i > 0)
        g_string_append_c (text, '\n');
      describe_row (&self->row[i], text);
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
  static const unsigned slots[N_COSTS] = { 2, 0, 1, 3 };

  return theme->curve[slots[which]];
}

/* What is predicted, a line between two ends. */
static void
interval (SlCostStrip *self, GtkSnapshot *snapshot, double left, double right, double y)
{
  GdkRGBA colour = rgba (colour_of (&self->theme, PREDICTED), 1.0f);
  double  end = floor (0.32 * self->theme.type);

  left = floor (left);
  right = fmax (ceil (right), left + 3);
  bar (snapshot, colour, left, y - 1.5, right - left, 3);
  bar (snapshot, colour, left, y - end, 2, 2 * end);
  bar (snapshot, colour, right - 2, y - end, 2, 2 * end);
}

/* Told apart by shape as well as by colour: a ring, a disc, an upright bar, a line between two ends. */
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
  else if (which == TIMED)
    bar (snapshot, colour, x - w, y - 1.25 * r, 2 * w, 2.5 * r);
  else
    interval (self, snapshot, x - r, x + r, y);
}

static double
row_height (SlCostStrip *self)
{
  return ceil (1.5 * self->theme.type);
}

/* ---- columns ---- */

/* Room for the longest figure, and between two. */
static double
figure_width (SlCostStrip *self)
{
  return width_of (self, "> 999") + 0.4 * self->theme.type;
}

/* The widest timed figure as it stands, so that none is cut; with spreads or without. */
static double
timed_width (SlCostStrip *self, gboolean spread)
{
  double widest = figure_width (self);

  for (unsigned i = 0; i < self->n; i++)
    {
      g_autofree char *text = cost_text (&self->row[i], TIMED, spread);

      widest = fmax (widest, width_of (self, text) + self->theme.type);
    }
  return widest;
}

static double
key_width (SlCostStrip *self, unsigned costs)
{
  double width = width_of (self, _ ("% of dense"));

  for (unsigned which = 0; which < costs; which++)
    width += width_of (self, title_of (which)) + 2.2 * self->theme.type;
  return width;
}

static double
error_width (SlCostStrip *self, const char *title)
{
  return fmax (width_of (self, title), width_of (self, "100.0"));
}

/* What all columns but the scale and the last take, from the left. */
static double
lay_names (SlCostStrip *self, double gap, Columns *at)
{
  double   x = 0.0;
  gboolean paired = FALSE;

  for (unsigned i = 0; i < self->n; i++)
    {
      x = fmax (x, width_of (self, self->row[i].name));
      paired = paired || self->row[i].paired;
    }
  at->error = x += GAP + gap + error_width (self, _ ("error, %"));
  at->dense = 0.0;
  if (paired)
    at->dense = x += GAP + gap + error_width (self, _ ("dense"));
  return x + 2.0 * GAP;
}

/* How many costs there are to show where there is room. */
static unsigned
wished_costs (SlCostStrip *self)
{
  for (unsigned i = 0; i < self->n; i++)
    if (isfinite (self->row[i].cost[PREDICTED]))
      return N_COSTS;
  return PREDICTED;
}

static Columns
lay_columns (SlCostStrip *self, double width)
{
  Columns at = { .costs = wished_costs (self) };
  double  left = lay_names (self, GAP, &at), figure = figure_width (self), room, last = 0.0;

  if (left - GAP + 2.0 * figure + timed_width (self, FALSE) > width)
    left = lay_names (self, TIGHT_GAP, &at);
  /* A prediction is left out before the scale is. */
  if (left + GAP + 3.0 * figure + timed_width (self, FALSE) + SCALE_LEAST * self->theme.type > width
      || key_width (self, at.costs) > width)
    at.costs = PREDICTED;
  if (at.costs > PREDICTED)
    last = figure;
  at.left = at.key = left;
  at.two_lines = left + key_width (self, at.costs) > width;
  room = width - 2.0 * figure - last - GAP - left;
  /* Spreads stand where the scale stays long enough to be read. */
  at.spread = room - timed_width (self, TRUE) >= SCALE_LEAST * self->theme.type;
  at.right = left + room - timed_width (self, at.spread);
  if (at.right - left < 2.0 * self->theme.type)
    at.right = left - GAP;
  for (unsigned which = 0; which < TIMED; which++)
    at.figure[which] = at.right + GAP + (which + 1.0) * figure;
  at.figure[TIMED] = width - last;
  at.figure[PREDICTED] = width;
  if (at.two_lines)
    at.key = 0.0;
  return at;
}

/* ---- parts ---- */

/* What the figures are: errors, and marks of costs with what they are a share of. */
static double
draw_head (SlCostStrip *self, GtkSnapshot *snapshot, const Columns *at, double y)
{
  const SlTheme *theme = &self->theme;
  double         x = at->key;

  write_text (self, snapshot, _ ("error, %"), theme->ink, at->error, y, 1.0);
  if (at->dense > 0.0)
    write_text (self, snapshot, _ ("dense"), theme->soft, at->dense, y, 1.0);
  if (at->two_lines)
    y += row_height (self);
  for (unsigned which = 0; which < at->costs; which++)
    {
      mark (self, snapshot, which, x + 0.5 * theme->type, y);
      x += 1.3 * theme->type;
      x += write_text (self, snapshot, title_of (which), colour_of (theme, which), x, y, 0.0)
           + 0.9 * theme->type;
    }
  write_text (self, snapshot, _ ("% of dense"), theme->soft, x, y, 0.0);
  return y;
}

/* Where a cost stands on the scale. */
static double
place_of (const Columns *at, double cost)
{
  return at->left + (at->right - at->left) * CLAMP (cost, 0.0, 100.0) / 100.0;
}

/* What is beyond the scale stands at its end, with an arrow. */
static void
draw_scale (SlCostStrip *self, GtkSnapshot *snapshot, const Row *row, const Columns *at, double y)
{
  const SlTheme *theme = &self->theme;
  double         length = at->right - at->left;

  bar (snapshot, rgba (theme->axis, 0.8f), at->left, y - 0.5, length, 1.0);
  for (int tick = 0; tick <= 4; tick++)
    bar (snapshot, rgba (theme->axis, 0.8f), floor (at->left + length * tick / 4.0), y - 3, 1, 7);
  if (at->costs > PREDICTED && isfinite (row->cost[PREDICTED]))
    interval (self, snapshot, place_of (at, row->least), place_of (at, row->most), y);
  for (unsigned which = 0; which < PREDICTED; which++)
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
draw_row (SlCostStrip *self, GtkSnapshot *snapshot, const Row *row, const Columns *at, double y)
{
  const SlTheme   *theme = &self->theme;
  g_autofree char *error = error_text (row->error);
  g_autofree char *dense = row->paired ? error_text (row->dense) : g_strdup ("–");

  write_text (self, snapshot, row->name, theme->ink, 0.0, y, 0.0);
  write_text (self, snapshot, error, theme->ink, at->error, y, 1.0);
  if (at->dense > 0.0)
    write_text (self, snapshot, dense, theme->soft, at->dense, y, 1.0);
  if (at->right > at->left)
    draw_scale (self, snapshot, row, at, y);
  for (unsigned which = 0; which < at->costs; which++)
    {
      g_autofree char *figure = cost_text (row, which, at->spread);

      write_text (self, snapshot, figure, colour_of (theme, which), at->figure[which], y, 1.0);
    }
}

static void
sl_cost_strip_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  SlCostStrip *self = SL_COST_STRIP (widget);
  double       height = row_height (self), y;
  Columns      at;

  if (!(self->theme.type > 0.0))
    return;
  at = lay_columns (self, gtk_widget_get_width (widget));
  y = draw_head (self, snapshot, &at, height / 2.0);
  for (unsigned i = 0; i < self->n; i++)
    draw_row (self, snapshot, &self->row[i], &at, y += height);
}

/* Names and figures without a scale; and with one that can be read. */
static void
measure_width (SlCostStrip *self, int *minimum, int *natural)
{
  Columns  at;
  unsigned costs = wished_costs (self);
  double   figure = figure_width (self), key = key_width (self, costs);
  double   tight = lay_names (self, TIGHT_GAP, &at), names = lay_names (self, GAP, &at);
  double   busy = width_of (self, C_ ("timed cost", "busy")) + self->theme.type;
  double   timed = fmax (width_of (self, "100 ± 10") + self->theme.type, busy);

  *minimum = (int) ceil (
    fmax (tight + 2.0 * figure - GAP + fmax (figure, busy), key_width (self, PREDICTED)));
  names += (costs - 1.0) * figure;
  *natural = (int) ceil (fmax (names + GAP + timed + (SCALE_LEAST + 2.0) * self->theme.type,
                               names - (costs - 1.0) * figure + key));
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
      measure_width (self, minimum, natural);
      return;
    }
  two_lines = for_size > 0 && lay_columns (self, for_size).two_lines;
  *minimum = *natural = (int) ((self->n + (two_lines ? 2 : 1)) * row_height (self));
}

/* ---- public ---- */

static void
keep (Row *row, const SlCostRow *from)
{
  const SlOutcome *outcome = &from->outcome;

  *row = (Row) {
    .name = g_strdup (from->name),
    .cost = { outcome->expected, outcome->executed, outcome->timed, from->predicted.seconds },
    .spread = outcome->timed_spread,
    .error = outcome->error,
    .dense = from->dense,
    .least = from->predicted.least,
    .most = from->predicted.most,
    .busy = outcome->busy,
    .paired = from->paired,
  };
}

void
sl_cost_strip_show (SlCostStrip *self, const SlCostRow *rows, unsigned n, const SlTheme *theme)
{
  unsigned costs;
  gboolean resize;

  g_return_if_fail (SL_IS_COST_STRIP (self));
  if (n > SL_COST_ROWS)
    n = SL_COST_ROWS;
  costs = wished_costs (self);
  resize = n != self->n || theme->type != self->theme.type;
  for (unsigned i = 0; i < SL_COST_ROWS; i++)
    {
      g_clear_pointer (&self->row[i].name, g_free);
      if (i < n)
        keep (&self->row[i], &rows[i]);
    }
  self->n = n;
  self->theme = *theme;
  if (resize || wished_costs (self) != costs)
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
