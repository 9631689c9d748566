/* SPDX-License-Identifier: MIT */
#include "ui/overview/bars.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "plot/base/scale.h"
#include "ui/kit/widget.h"

enum { WORK, TIME, WRONG, N_BARS };
enum { NAME_SIZE = 64, SPREAD_BELOW = 999 };

/* Parts of the size of type. */
static const double LINE = 1.75, GAP = 0.6, LEAST_BAR = 2.5, USUAL_BAR = 5.0, THICK = 0.5;

typedef struct
{
  char     name[NAME_SIZE];
  unsigned slot;
  double   value[N_BARS], spread, expected, dense;
  gboolean busy, paired;
} Row;

struct _SlOutcomeBars
{
  GtkWidget parent_instance;

  unsigned n;
  gboolean tight;
  Row      row[SL_BARS_ROWS];
  SlTheme  theme;
  char    *text;
};

G_DEFINE_FINAL_TYPE (SlOutcomeBars, sl_outcome_bars, GTK_TYPE_WIDGET)

/* ---- words ---- */

static const char *
title_of (unsigned bar)
{
  static const char *const titles[N_BARS] = { N_ ("work"), N_ ("time here"), N_ ("wrong") };

  return _ (titles[bar]);
}

static char *
percent (double value)
{
  char text[32];

  return isfinite (value) ? g_strdup_printf ("%s %%", sl_percent_text (value, text, sizeof text))
                          : g_strdup ("…");
}

static char *
value_text (const Row *row, unsigned bar, bool spread)
{
  char text[48];

  if (bar == TIME && row->busy)
    return g_strdup (C_ ("measured time", "busy"));
  if (bar == TIME && spread && row->value[TIME] < SPREAD_BELOW)
    return g_strdup_printf ("%s %%",
                            sl_spread_text (row->value[TIME], row->spread, 3, text, sizeof text));
  return percent (row->value[bar]);
}

static void
describe_row (const Row *row, GString *text)
{
  g_autofree char *expected = percent (row->expected), *dense = percent (row->dense);
  g_autofree char *work = value_text (row, WORK, true), *time = value_text (row, TIME, true);
  g_autofree char *wrong = value_text (row, WRONG, true);

  if (text->len > 0)
    g_string_append_c (text, '\n');
  /* Translators: a network; its share of the dense network's multiplications, as counted and as its gates say, and of
   * its time on this machine; how many answers are wrong.  */
  g_string_append_printf (
    text, _ ("%s: %s of the multiplications (%s by its gates), %s of the time, %s wrong"),
    row->name, work, expected, time, wrong);
  if (row->paired)
    g_string_append_printf (text, _ (" (%s when nothing is skipped)"), dense);
}

static void
describe (SlOutcomeBars *self)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (unsigned i = 0; i < self->n; i++)
    describe_row (&self->row[i], text);
  if (g_strcmp0 (text->str, self->text) == 0)
    return;
  g_free (self->text);
  self->text = g_strdup (text->str);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  self->text, -1);
}

/* ---- places ---- */

static PangoLayout *
lay_out (SlOutcomeBars *self, const char *text)
{
  PangoLayout          *layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
  PangoFontDescription *font = pango_font_description_new ();

  pango_font_description_set_absolute_size (font, self->theme.type * PANGO_SCALE);
  pango_layout_set_font_description (layout, font);
  pango_font_description_free (font);
  return layout;
}

static int
width_of (SlOutcomeBars *self, const char *text)
{
  g_autoptr (PangoLayout) layout = lay_out (self, text);
  int width;

  pango_layout_get_pixel_size (layout, &width, NULL);
  return width;
}

/* Where things begin, px. */
typedef struct
{
  double bar[N_BARS], length, figure[N_BARS];
} Places;

/* The widest figures that are usual, so that nothing moves while they change; where there are no bars, also the title
 * above them.  */
static double
figure_width (SlOutcomeBars *self, unsigned bar)
{
  int figure = width_of (self, bar == TIME && !self->tight ? "88.8 ± 0.8 %" : "88.8 %");

  return self->tight ? MAX (figure, width_of (self, title_of (bar))) : figure;
}

static double
names_width (SlOutcomeBars *self)
{
  int widest = 0;

  for (unsigned i = 0; i < self->n; i++)
    widest = MAX (widest, width_of (self, self->row[i].name));
  return widest;
}

/* The width of all but the bars; where it is tight there are none, and no spreads. */
static double
fixed_width (SlOutcomeBars *self)
{
  double sum = names_width (self);

  for (unsigned b = 0; b < N_BARS; b++)
    sum += figure_width (self, b) + (self->tight ? 1.5 : 2.5) * GAP * self->theme.type;
  return sum;
}

static Places
places_of (SlOutcomeBars *self, double width)
{
  double type = self->theme.type, x = names_width (self);
  double gap = self->tight ? 0.0 : GAP * type;
  Places at = { .length = self->tight ? 0.0 : MAX (width - fixed_width (self), 0.0) / N_BARS };

  for (unsigned b = 0; b < N_BARS; b++)
    {
      at.bar[b] = x += 1.5 * GAP * type;
      at.figure[b] = x += at.length + gap;
      x += figure_width (self, b);
    }
  return at;
}

/* ---- drawing ---- */

static GdkRGBA
rgba (SlRgba colour, float alpha)
{
  return (GdkRGBA) { colour.r, colour.g, colour.b, colour.a * alpha };
}

static void
write_text (SlOutcomeBars *self, GtkSnapshot *snapshot, const char *text, SlRgba colour, double x,
            double y)
{
  g_autoptr (PangoLayout) layout = lay_out (self, text);
  GdkRGBA ink = rgba (colour, 1.0F);
  int     height;

  pango_layout_get_pixel_size (layout, NULL, &height);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (
    snapshot, &GRAPHENE_POINT_INIT ((float) floor (x), (float) floor (y - height / 2.0)));
  gtk_snapshot_append_layout (snapshot, layout, &ink);
  gtk_snapshot_restore (snapshot);
}

static void
fill (GtkSnapshot *snapshot, GdkRGBA colour, double x, double y, double w, double h)
{
  graphene_rect_t box = GRAPHENE_RECT_INIT ((float) x, (float) y, (float) w, (float) h);
  GskRoundedRect  round;

  gsk_rounded_rect_init_from_rect (&round, &box, (float) (MIN (w, h) / 2.0));
  gtk_snapshot_push_rounded_clip (snapshot, &round);
  gtk_snapshot_append_color (snapshot, &colour, &box);
  gtk_snapshot_pop (snapshot);
}

/* What a full bar means, %: time has the dense network's in the middle; errors share what is needed. */
static double
full_scale (SlOutcomeBars *self, unsigned bar)
{
  double most = 20.0;

  for (unsigned i = 0; bar == WRONG && i < self->n; i++)
    most = fmax (most, fmax (self->row[i].value[WRONG], self->row[i].dense));
  return bar == WORK ? 100.0 : bar == TIME ? 200.0 : most;
}

static void
draw_bar (SlOutcomeBars *self, GtkSnapshot *snapshot, const Row *row, unsigned bar, double x,
          double y, double length)
{
  const SlTheme *theme = &self->theme;
  double full = full_scale (self, bar), value = row->value[bar], thick = THICK * theme->type;
  double mark = bar == TIME ? 100.0 : bar == WRONG && row->paired ? row->dense : (double) NAN;

  if (length < 1.0)
    return;
  fill (snapshot, rgba (theme->ink, 0.12F), x, y - thick / 2.0, length, thick);
  if (value > 0.0)
    fill (snapshot, rgba (theme->curve[row->slot % SL_THEME_COLOURS], 1.0F), x, y - thick / 2.0,
          fmax (fmin (value / full, 1.0) * length, thick), thick);
  if (isfinite (mark))
    fill (snapshot, rgba (theme->ink, 0.9F), x + mark / full * length - 1.0, y - thick, 2.0,
          2.0 * thick);
}

static void
sl_outcome_bars_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  SlOutcomeBars *self = SL_OUTCOME_BARS (widget);
  Places         at = places_of (self, gtk_widget_get_width (widget));
  double         line = LINE * self->theme.type, y = line / 2.0;

  for (unsigned b = 0; b < N_BARS; b++)
    write_text (self, snapshot, title_of (b), self->theme.soft, at.bar[b], y);
  for (unsigned i = 0; i < self->n; i++)
    {
      y += line;
      write_text (self, snapshot, self->row[i].name, self->theme.ink, 0.0, y);
      for (unsigned b = 0; b < N_BARS; b++)
        {
          g_autofree char *figure = value_text (&self->row[i], b, !self->tight);

          draw_bar (self, snapshot, &self->row[i], b, at.bar[b], y, at.length);
          write_text (self, snapshot, figure, self->theme.ink, at.figure[b], y);
        }
    }
}

static void
sl_outcome_bars_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                         int *natural, int *minimum_baseline, int *natural_baseline)
{
  SlOutcomeBars *self = SL_OUTCOME_BARS (widget);
  double         type = self->theme.type;

  if (orientation == GTK_ORIENTATION_VERTICAL)
    {
      *minimum = *natural = (int) ceil ((self->n + 1) * LINE * type);
      return;
    }
  *minimum = (int) ceil (fixed_width (self) + (self->tight ? 0.0 : N_BARS * LEAST_BAR * type));
  *natural = (int) ceil (fixed_width (self) + (self->tight ? 0.0 : N_BARS * USUAL_BAR * type));
}

void
sl_outcome_bars_show (SlOutcomeBars *self, const SlBarsRow *rows, unsigned n, const SlTheme *theme)
{
  gboolean resize;

  g_return_if_fail (SL_IS_OUTCOME_BARS (self));
  n = MIN (n, SL_BARS_ROWS);
  resize = self->n != n || self->theme.type != theme->type;
  self->n = n;
  self->theme = *theme;
  for (unsigned i = 0; i < n; i++)
    {
      Row *row = &self->row[i];

      resize = resize || strcmp (row->name, rows[i].name) != 0;
      *row = (Row) {
        .slot = rows[i].slot,
        .value = { rows[i].outcome.executed, rows[i].outcome.timed, rows[i].outcome.error },
        .spread = rows[i].outcome.timed_spread,
        .expected = rows[i].outcome.expected,
        .dense = rows[i].dense,
        .busy = rows[i].outcome.busy,
        .paired = rows[i].paired,
      };
      g_strlcpy (row->name, rows[i].name, sizeof row->name);
    }
  describe (self);
  if (resize)
    gtk_widget_queue_resize (GTK_WIDGET (self));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
sl_outcome_bars_set_tight (SlOutcomeBars *self, gboolean tight)
{
  g_return_if_fail (SL_IS_OUTCOME_BARS (self));
  if (self->tight == tight)
    return;
  self->tight = tight;
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

const char *
sl_outcome_bars_text (SlOutcomeBars *self)
{
  g_return_val_if_fail (SL_IS_OUTCOME_BARS (self), "");
  return self->text != NULL ? self->text : "";
}

static void
sl_outcome_bars_finalize (GObject *object)
{
  g_free (SL_OUTCOME_BARS (object)->text);
  G_OBJECT_CLASS (sl_outcome_bars_parent_class)->finalize (object);
}

static void
sl_outcome_bars_class_init (SlOutcomeBarsClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = sl_outcome_bars_finalize;
  widget->measure = sl_outcome_bars_measure;
  widget->snapshot = sl_outcome_bars_snapshot;
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
sl_outcome_bars_init (SlOutcomeBars *self)
{
  self->theme.type = 12.0;
  sl_widget_label (GTK_WIDGET (self), _ ("Work, time and wrong answers"));
}
