/* SPDX-License-Identifier: MIT */
#include "ui/charts/gap-view.h"

#include <glib/gi18n.h>
#include <math.h>

#include "core/run/base/language.h"
#include "plot/base/scale.h"
#include "ui/kit/widget.h"

/* ---- the chart ---- */

#define SL_TYPE_GAP_PICTURE (sl_gap_picture_get_type ())
G_DECLARE_FINAL_TYPE (SlGapPicture, sl_gap_picture, SL, GAP_PICTURE, SlChart)

/* Nothing is read from it: the numbers are beside it. */
struct _SlGapPicture
{
  SlChart parent_instance;
};

G_DEFINE_FINAL_TYPE (SlGapPicture, sl_gap_picture, SL_TYPE_CHART)

static void
sl_gap_picture_class_init (SlGapPictureClass *klass)
{
}

static void
sl_gap_picture_init (SlGapPicture *self)
{
}

/* ---- chart and numbers ---- */

struct _SlGapView
{
  GtkWidget parent_instance;

  SlChart   *view;
  GtkGrid   *table;
  SlGapChart chart;
};

G_DEFINE_FINAL_TYPE (SlGapView, sl_gap_view, GTK_TYPE_WIDGET)

enum { NAME, FIRST, SECOND, GAP, COLUMNS, MARGIN = 12, WIDEST = 22 };

SlFigure *
sl_gap_view_get_figure (SlGapView *self)
{
  g_return_val_if_fail (SL_IS_GAP_VIEW (self), NULL);
  return sl_chart_get_figure (self->view);
}

static void
put (SlGapView *self, int row, int column, const char *text, const char *class)
{
  GtkLabel *label = GTK_LABEL (gtk_label_new (text));

  gtk_label_set_xalign (label, column == NAME ? 0.0f : 1.0f);
  gtk_label_set_selectable (label, row > 0);
  gtk_label_set_ellipsize (label, row == 0 ? PANGO_ELLIPSIZE_END : PANGO_ELLIPSIZE_NONE);
  gtk_label_set_max_width_chars (label, row == 0 ? WIDEST : -1);
  if (row == 0)
    gtk_widget_set_tooltip_text (GTK_WIDGET (label), text);
  if (class != NULL)
    gtk_widget_add_css_class (GTK_WIDGET (label), class);
  gtk_grid_attach (self->table, GTK_WIDGET (label), column, row, 1, 1);
}

static void
put_number (SlGapView *self, int row, int column, double value, double half, const char *class)
{
  char text[48];

  if (isfinite (half))
    sl_interval_text (value, half, 4, text, sizeof text);
  else
    sl_number_text (value, 4, text, sizeof text);
  put (self, row, column, text, class);
}

static void
put_row (SlGapView *self, int row, const SlTrade *trade, const SlTradeGap *gap)
{
  SlAxis      axis = sl_trade_axis (trade, &gap->measure);
  char        label[SL_MEASURE_LABEL], text[2 * SL_MEASURE_LABEL];
  const char *unit = sl_words (axis.unit);

  sl_message_show (axis.label, sl_words, label, sizeof label);
  g_snprintf (text, sizeof text, *unit != '\0' ? "%s (%s)" : "%s", label, unit);
  put (self, row, NAME, text, NULL);
  put_number (self, row, FIRST, gap->mean[0].mean, gap->mean[0].half, "numeric");
  put_number (self, row, SECOND, gap->mean[1].mean, gap->mean[1].half, "numeric");
  put_number (self, row, GAP, gap->gap.value, gap->gap.half,
              sl_gap_is_clear (&gap->gap) ? "heading" : "numeric");
}

/* What bold numbers are, and whether groups mix settings, below all columns. */
static void
put_foot (SlGapView *self, int row, const SlTrade *trade)
{
  char             mix[SL_MESSAGE_SIZE];
  g_autofree char *text = g_strconcat (
    _ ("Bold: 0 is not in the interval. By chance alone that is about 1 of 20 rows."),
    sl_message_show (sl_trade_say_mix (trade, sl_trade_counts).packed, sl_words, mix, sizeof mix),
    NULL);
  GtkWidget *foot = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (foot), 0.0f);
  gtk_label_set_wrap (GTK_LABEL (foot), TRUE);
  gtk_widget_add_css_class (foot, "caption");
  gtk_widget_add_css_class (foot, "dim-label");
  gtk_grid_attach (self->table, foot, NAME, row, COLUMNS, 1);
}

static void
empty_table (SlGapView *self)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->table))) != NULL)
    gtk_grid_remove (self->table, child);
}

static void
fill_table (SlGapView *self, const SlTrade *trade, const GArray *gaps)
{
  g_autofree char *first = sl_trade_title (trade, trade->pair[0], TRUE),
                  *second = sl_trade_title (trade, trade->pair[1], TRUE);

  empty_table (self);
  put (self, 0, NAME, /* xgettext:no-c-format */ _ ("Mean ± 95 % interval"), "dim-label");
  put (self, 0, FIRST, first, "dim-label");
  put (self, 0, SECOND, second, "dim-label");
  put (self, 0, GAP, _ ("Second minus first"), "dim-label");
  for (guint i = 0; i < gaps->len; i++)
    put_row (self, (int) i + 1, trade, &g_array_index (gaps, SlTradeGap, i));
  put_foot (self, (int) gaps->len + 1, trade);
}

void
sl_gap_view_show (SlGapView *self, const SlTrade *trade)
{
  SlFigure *figure;
  g_autoptr (GArray) gaps = NULL;

  g_return_if_fail (SL_IS_GAP_VIEW (self));
  figure = sl_chart_get_figure (self->view);
  if (trade == NULL)
    {
      sl_figure_clear (figure);
      sl_gap_chart_clear (&self->chart);
      empty_table (self);
    }
  else
    {
      gaps = sl_trade_gaps (trade, trade->pair[0], trade->pair[1]);
      sl_gap_chart_update (&self->chart, trade, gaps, trade->pair[0], trade->pair[1], figure);
      fill_table (self, trade, gaps);
    }
  sl_chart_refresh (self->view);
}

static void
on_copy (SlGapView *self)
{
  g_signal_emit_by_name (self, "copy");
}

static void
on_export (SlGapView *self)
{
  g_signal_emit_by_name (self, "export");
}

static void
sl_gap_view_dispose (GObject *object)
{
  SlGapView *self = SL_GAP_VIEW (object);
  GtkWidget *child;

  if (self->view != NULL)
    sl_gap_view_show (self, NULL);
  self->view = NULL;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (sl_gap_view_parent_class)->dispose (object);
}

static void
sl_gap_view_class_init (SlGapViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = sl_gap_view_dispose;
  sl_signal_new (SL_TYPE_GAP_VIEW, "copy", 0);
  sl_signal_new (SL_TYPE_GAP_VIEW, "export", 0);
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BOX_LAYOUT);
}

static void
sl_gap_view_init (SlGapView *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new (), *table = gtk_grid_new ();

  self->view = g_object_new (SL_TYPE_GAP_PICTURE, NULL);
  self->table = GTK_GRID (table);
  gtk_grid_set_column_spacing (self->table, MARGIN);
  gtk_grid_set_row_spacing (self->table, MARGIN / 3);
  gtk_widget_set_margin_start (table, MARGIN);
  gtk_widget_set_margin_end (table, MARGIN);
  gtk_widget_set_valign (table, GTK_ALIGN_CENTER);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), table);
  gtk_scrolled_window_set_propagate_natural_width (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_widget_set_parent (GTK_WIDGET (self->view), GTK_WIDGET (self));
  gtk_widget_set_parent (scrolled, GTK_WIDGET (self));
  g_signal_connect_swapped (self->view, "copy", G_CALLBACK (on_copy), self);
  g_signal_connect_swapped (self->view, "export", G_CALLBACK (on_export), self);
}
