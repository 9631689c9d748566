/* SPDX-License-Identifier: MIT */
#include "ui/kit/bars.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/run/base/language.h"
#include "plot/base/scale.h"
#include "ui/kit/type-size.h"
#include "ui/kit/widget.h"

enum { NAME_SIZE = 64, SPREAD_BELOW = 999 };

/* Parts of the size of type. */
static const double LINE = 1.75, GAP = 0.6, LEAST_BAR = 2.5, USUAL_BAR = 5.0, THICK = 0.5;

typedef struct
{
  char     name[NAME_SIZE];
  unsigned slot;
  SlBar    bar[SL_FRONT_BARS];
} Row;

struct _SlFigureBars
{
  GtkWidget parent_instance;

  unsigned n, n_bars; /* rows, and bars in each */
  gboolean tight;     /* too narrow for bars and spreads */
  Row      row[SL_BARS_ROWS];
  double   widest[2][SL_FRONT_BARS]; /* figures so far; where tight */
  SlTheme  theme;
  char    *text;
};

G_DEFINE_FINAL_TYPE (SlFigureBars, sl_figure_bars, GTK_TYPE_WIDGET)

/* ---- words ---- */

static char *
number_text (const SlBar *bar, double value)
{
  char     text[48];
  gboolean percent = strcmp (bar->unit, "%") == 0;

  if (!isfinite (value))
    return g_strdup (bar->never ? "–" : "…");
  if (percent)
    return g_strdup_printf ("%s %%", sl_percent_text (value, text, sizeof text));
  return g_strdup_printf ("%s %s", sl_number_text (value, 3, text, sizeof text),
                          sl_words (bar->unit));
}

static char *
value_text (const SlBar *bar, bool spread)
{
  char text[48];

  if (bar->busy)
    return g_strdup (C_ ("measured time", "busy"));
  if (spread && isfinite (bar->spread) && bar->value < SPREAD_BELOW)
    return g_strdup_printf ("%s %s", sl_spread_text (bar->value, bar->spread, 3, text, sizeof text),
                            sl_words (bar->unit));
  return g_strchomp (number_text (bar, bar->value));
}

/* "Experts: work 19 %, time here 15.4 ± 0.1 %, wrong 12 %" */
static void
describe_row (const SlFigureBars *self, const Row *row, const char *more, GString *text)
{
  if (text->len > 0)
    g_string_append_c (text, '\n');
  if (row->name[0] != '\0')
    g_string_append_printf (text, "%s: ", row->name);
  for (unsigned b = 0; b < self->n_bars; b++)
    {
      g_autofree char *value = value_text (&row->bar[b], true);

      g_string_append_printf (text, "%s%s %s", b > 0 ? ", " : "", sl_words (row->bar[b].title),
                              value);
    }
  if (more != NULL)
    g_string_append (text, more);
}

static void
describe (SlFigureBars *self, const SlBarsRow *rows)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (unsigned i = 0; i < self->n; i++)
    describe_row (self, &self->row[i], rows[i].more, text);
  if (g_strcmp0 (text->str, self->text) == 0)
    return;
  g_free (self->text);
  self->text = g_strdup (text->str);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  self->text, -1);
}

/* ---- places ---- */

static PangoLayout *
lay_out (SlFigureBars *self, const char *text)
{
  PangoLayout          *layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
  PangoFontDescription *font = pango_font_description_new ();

  pango_font_description_set_absolute_size (font, self->theme.type * PANGO_SCALE);
  pango_layout_set_font_description (layout, font);
  pango_font_description_free (font);
  return layout;
}

static int
width_of (SlFigureBars *self, const char *text)
{
  g_autoptr (PangoLayout) layout = lay_out (self, text);
  int width;

  pango_layout_get_pixel_size (layout, &width, NULL);
  return width;
}

/* Where things begin, px. */
typedef struct
{
  double bar[SL_FRONT_BARS], length, figure[SL_FRONT_BARS], end[SL_FRONT_BARS];
} Places;

static const char *
title_of (SlFigureBars *self, unsigned bar)
{
  return sl_words (self->row[0].bar[bar].title);
}

/* The widest figures so far and that are usual, so that nothing moves while they change. */
static double
figure_width (SlFigureBars *self, unsigned bar, gboolean tight)
{
  const SlBar     *of = &self->row[0].bar[bar];
  g_autofree char *usual = g_strdup_printf (
    "%s %s", isfinite (of->spread) && !tight ? "88.8 ± 0.8" : "88.8", sl_words (of->unit));
  int most = width_of (self, usual);

  for (unsigned i = 0; i < self->n; i++)
    {
      g_autofree char *figure = value_text (&self->row[i].bar[bar], !tight);

      most = MAX (most, width_of (self, figure));
    }
  return self->widest[tight][bar] = MAX (self->widest[tight][bar], most);
}

static double
names_width (SlFigureBars *self)
{
  int widest = 0;

  for (unsigned i = 0; i < self->n; i++)
    widest = MAX (widest, width_of (self, self->row[i].name));
  return widest;
}

/* The width of all but the bars; where it is tight there are none, and no spreads. */
static double
fixed_width (SlFigureBars *self, gboolean tight)
{
  double sum = names_width (self);

  for (unsigned b = 0; b < self->n_bars; b++)
    sum += figure_width (self, b, tight) + (tight ? 1.5 : 2.5) * GAP * self->theme.type;
  return sum;
}

/* How much a title is wider than its figures. */
static double
lack_of (SlFigureBars *self, unsigned bar)
{
  return MAX (width_of (self, title_of (self, bar)) - figure_width (self, bar, self->tight), 0.0);
}

/* What is left is the bars' or, where it is tight, that of titles which need it. */
static Places
places_of (SlFigureBars *self, double width)
{
  double type = self->theme.type, x = names_width (self), gap = self->tight ? 0.0 : GAP * type;
  double left = MAX (width - fixed_width (self, self->tight), 0.0), lack = 0.0;
  Places at = { .length = self->tight ? 0.0 : left / MAX (self->n_bars, 1) };

  for (unsigned b = 0; b < self->n_bars; b++)
    lack += lack_of (self, b);
  for (unsigned b = 0; b < self->n_bars; b++)
    {
      at.bar[b] = x += 1.5 * GAP * type;
      at.figure[b] = x += at.length + gap;
      x += figure_width (self, b, self->tight);
      if (self->tight && lack > 0.0)
        x += lack_of (self, b) * MIN (left / lack, 1.0);
      at.end[b] = x;
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
write_text (SlFigureBars *self, GtkSnapshot *snapshot, const char *text, SlRgba colour, double x,
            double end, double y)
{
  g_autoptr (PangoLayout) layout = lay_out (self, text);
  GdkRGBA ink = rgba (colour, 1.0F);
  int     height;

  pango_layout_set_width (layout, (int) (MAX (end - x, 0.0) * PANGO_SCALE));
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
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

/* All rows have one scale. */
static double
full_scale (SlFigureBars *self, unsigned bar)
{
  double most = 0.0;

  for (unsigned i = 0; i < self->n; i++)
    most = fmax (most, self->row[i].bar[bar].full);
  return most > 0.0 ? most : 1.0;
}

static void
draw_bar (SlFigureBars *self, GtkSnapshot *snapshot, const Row *row, unsigned b, double x, double y,
          double length)
{
  const SlTheme *theme = &self->theme;
  const SlBar   *bar = &row->bar[b];
  double         full = full_scale (self, b), thick = THICK * theme->type;

  if (length < 1.0)
    return;
  fill (snapshot, rgba (theme->ink, 0.12F), x, y - thick / 2.0, length, thick);
  if (bar->value > 0.0)
    fill (snapshot, rgba (theme->curve[row->slot % SL_THEME_COLOURS], 1.0F), x, y - thick / 2.0,
          fmax (fmin (bar->value / full, 1.0) * length, thick), thick);
  if (bar->mark >= 0.0 && bar->mark <= full)
    fill (snapshot, rgba (theme->ink, 0.9F), x + bar->mark / full * length - 1.0, y - thick, 2.0,
          2.0 * thick);
}

static void
sl_figure_bars_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  SlFigureBars *self = SL_FIGURE_BARS (widget);
  Places        at = places_of (self, gtk_widget_get_width (widget));
  double        line = LINE * self->theme.type, y = line / 2.0;

  for (unsigned b = 0; b < self->n_bars; b++)
    write_text (self, snapshot, title_of (self, b), self->theme.soft, at.bar[b], at.end[b], y);
  for (unsigned i = 0; i < self->n; i++)
    {
      y += line;
      write_text (self, snapshot, self->row[i].name, self->theme.ink, 0.0, at.bar[0], y);
      for (unsigned b = 0; b < self->n_bars; b++)
        {
          g_autofree char *figure = value_text (&self->row[i].bar[b], !self->tight);

          draw_bar (self, snapshot, &self->row[i], b, at.bar[b], y, at.length);
          write_text (self, snapshot, figure, self->theme.ink, at.figure[b],
                      at.end[b] + GAP * self->theme.type, y);
        }
    }
}

static void
sl_figure_bars_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                        int *natural, int *minimum_baseline, int *natural_baseline)
{
  SlFigureBars *self = SL_FIGURE_BARS (widget);
  double        type = self->theme.type;

  if (orientation == GTK_ORIENTATION_VERTICAL)
    {
      *minimum = *natural = (int) ceil ((self->n + 1) * LINE * type);
      return;
    }
  *minimum = (int) ceil (fixed_width (self, TRUE));
  *natural
    = MAX (*minimum, (int) ceil (fixed_width (self, FALSE) + self->n_bars * USUAL_BAR * type));
}

static void
sl_figure_bars_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  SlFigureBars *self = SL_FIGURE_BARS (widget);

  self->tight = width < fixed_width (self, FALSE) + self->n_bars * LEAST_BAR * self->theme.type;
}

/* Whether the bars are those of another lab. */
static gboolean
has_other_titles (SlFigureBars *self, const SlBarsRow *rows, unsigned n)
{
  for (unsigned b = 0; n > 0 && b < rows[0].n; b++)
    if (g_strcmp0 (rows[0].bar[b].title, self->row[0].bar[b].title) != 0
        || g_strcmp0 (rows[0].bar[b].unit, self->row[0].bar[b].unit) != 0)
      return TRUE;
  return FALSE;
}

/* Whether a figure is wider than any before. */
static gboolean
has_grown (SlFigureBars *self)
{
  gboolean grown = FALSE;

  for (unsigned b = 0; b < self->n_bars; b++)
    for (unsigned tight = 0; tight < 2; tight++)
      {
        double before = self->widest[tight][b];

        grown = figure_width (self, b, tight > 0) > before || grown;
      }
  return grown;
}

void
sl_figure_bars_show (SlFigureBars *self, const SlBarsRow *rows, unsigned n)
{
  unsigned n_bars = n > 0 ? rows[0].n : 0;
  gboolean resize;

  g_return_if_fail (SL_IS_FIGURE_BARS (self));
  n = MIN (n, SL_BARS_ROWS);
  resize = self->n != n || self->n_bars != n_bars || has_other_titles (self, rows, n);
  if (resize)
    memset (self->widest, 0, sizeof self->widest);
  self->n = n;
  self->n_bars = n_bars;
  for (unsigned i = 0; i < n; i++)
    {
      Row *row = &self->row[i];

      resize = resize || strcmp (row->name, rows[i].name) != 0;
      row->slot = rows[i].slot;
      memcpy (row->bar, rows[i].bar, sizeof row->bar);
      g_strlcpy (row->name, rows[i].name, sizeof row->name);
    }
  describe (self, rows);
  if (has_grown (self) || resize)
    gtk_widget_queue_resize (GTK_WIDGET (self));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

const char *
sl_figure_bars_text (SlFigureBars *self)
{
  g_return_val_if_fail (SL_IS_FIGURE_BARS (self), "");
  return self->text != NULL ? self->text : "";
}

static void
choose_theme (SlFigureBars *self)
{
  double type = self->theme.type;

  self->theme = sl_type_size_theme (GTK_WIDGET (self));
  gtk_widget_queue_draw (GTK_WIDGET (self));
  if (self->theme.type == type)
    return;
  memset (self->widest, 0, sizeof self->widest);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

static void
sl_figure_bars_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (sl_figure_bars_parent_class)->css_changed (widget, change);
  choose_theme (SL_FIGURE_BARS (widget));
}

static void
sl_figure_bars_root (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (sl_figure_bars_parent_class)->root (widget);
  choose_theme (SL_FIGURE_BARS (widget));
}

static void
sl_figure_bars_finalize (GObject *object)
{
  g_free (SL_FIGURE_BARS (object)->text);
  G_OBJECT_CLASS (sl_figure_bars_parent_class)->finalize (object);
}

static void
sl_figure_bars_class_init (SlFigureBarsClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = sl_figure_bars_finalize;
  widget->measure = sl_figure_bars_measure;
  widget->size_allocate = sl_figure_bars_size_allocate;
  widget->snapshot = sl_figure_bars_snapshot;
  widget->css_changed = sl_figure_bars_css_changed;
  widget->root = sl_figure_bars_root;
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
sl_figure_bars_init (SlFigureBars *self)
{
  AdwStyleManager *style = adw_style_manager_get_default ();

  choose_theme (self);
  g_signal_connect_object (style, "notify::dark", G_CALLBACK (choose_theme), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (style, "notify::high-contrast", G_CALLBACK (choose_theme), self,
                           G_CONNECT_SWAPPED);
  sl_widget_label (GTK_WIDGET (self), _ ("Figures of the run"));
}
