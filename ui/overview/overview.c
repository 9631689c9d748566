/* SPDX-License-Identifier: MIT */
#include "ui/overview/overview.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/run/base/language.h"
#include "core/run/group/summary.h"
#include "core/run/record/outcome.h"
#include "ui/grid/pace.h"
#include "ui/kit/type-size.h"
#include "ui/kit/widget.h"

/* px where text has its usual size: from these on, four or two plots stand beside each other, and the
 * bars beside the sliders */
enum { ONE_ROW = 900, TWO_COLUMNS = 620, BARS_BESIDE = 880, LOW = 570, NARROWEST = 300 };
enum { FOUR = 4, TWO = 2, BARS_US = 400000 };

#define LEAD N_ ("These networks skip most of their work. Draw something and watch.")

struct _SlOverview
{
  GtkWidget parent_instance;

  AdwToastOverlay *hints;
  GtkGrid         *plots;
  GtkBox          *lead, *sliders, *beside, *below;
  GtkWidget       *costs; /* the bars and what tells more of them */
  SlOverviewBand  *band;
  SlFigureBars    *bars;
  GtkLabel        *lead_words, *details_text;

  SlGroup         *group;
  GPtrArray       *cards;                    /* of SlOverviewCard, borrowed */
  SlPlotPace      *pace;                     /* of the cards */
  SlHeadlineScale *headline[SL_N_HEADLINES]; /* borrowed */
  GtkSizeGroup    *heads;                    /* of the sliders */
  gint64           counted;                  /* when the bars were last brought up to date, µs */
  guint            tick, later;
  int              width, height; /* that the arrangement is for */
  unsigned         columns;       /* of curves */
  gboolean         seen;          /* probes are wished for */
};

G_DEFINE_FINAL_TYPE (SlOverview, sl_overview, GTK_TYPE_WIDGET)

static SlOverviewCard *
card_at (SlOverview *self, unsigned i)
{
  return g_ptr_array_index (self->cards, i);
}

/* ---- what is watched ---- */

static void
watch (SlOverview *self, SlSession *session)
{
  const SlLab *lab = sl_session_lab (session);
  int          panel;

  if (lab == NULL)
    return;
  panel = sl_lab_panel (lab, lab->overview->panel);
  if (panel >= 0 && !sl_panel_is_series (lab->panels[panel].kind))
    sl_session_watch (session, (unsigned) panel, self->seen);
}

static void
watch_all (SlOverview *self)
{
  for (unsigned i = 0; self->group != NULL && i < sl_group_size (self->group); i++)
    watch (self, sl_group_session (self->group, i));
}

/* ---- arrangement ---- */

static void
place (SlOverview *self, GtkWidget *child, int column, int row)
{
  GtkLayoutManager   *layout = gtk_widget_get_layout_manager (GTK_WIDGET (self->plots));
  GtkGridLayoutChild *at
    = GTK_GRID_LAYOUT_CHILD (gtk_layout_manager_get_layout_child (layout, child));

  gtk_grid_layout_child_set_column (at, column);
  gtk_grid_layout_child_set_row (at, row);
}

static void
move_costs (SlOverview *self, GtkBox *to)
{
  GtkWidget *from = gtk_widget_get_parent (self->costs);

  if (from == GTK_WIDGET (to))
    return;
  g_object_ref (self->costs);
  gtk_box_remove (GTK_BOX (from), self->costs);
  gtk_box_append (to, self->costs);
  g_object_unref (self->costs);
  gtk_widget_set_visible (GTK_WIDGET (self->beside), to == self->beside);
  gtk_widget_set_visible (GTK_WIDGET (self->below), to == self->below);
}

static unsigned
columns_for (SlOverview *self, double room)
{
  if (self->width >= ONE_ROW * room)
    return FOUR;
  return self->width >= TWO_COLUMNS * room ? TWO : 1;
}

static void
arrange (SlOverview *self)
{
  static const SlBandForm forms[]
    = { [1] = SL_BAND_COLUMN, [TWO] = SL_BAND_ROWS, [FOUR] = SL_BAND_ROW };
  double   room = sl_type_size_room (GTK_WIDGET (self));
  unsigned columns = self->columns = columns_for (self, room);

  for (unsigned i = 0; i < self->cards->len; i++)
    {
      place (self, GTK_WIDGET (card_at (self, i)), (int) (i % columns), (int) (i / columns));
      sl_overview_card_set_low (card_at (self, i), columns == TWO && self->height < LOW * room);
    }
  sl_overview_band_set_form (self->band, forms[columns]);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->lead), columns == 1
                                                                 ? GTK_ORIENTATION_VERTICAL
                                                                 : GTK_ORIENTATION_HORIZONTAL);
  move_costs (self, self->width >= BARS_BESIDE * room ? self->beside : self->below);
}

static gboolean
on_later (gpointer data)
{
  SlOverview *self = data;

  self->later = 0;
  arrange (self);
  gtk_widget_set_opacity (GTK_WIDGET (self), 1.0);
  return G_SOURCE_REMOVE;
}

/* Widgets must not come and go in the middle of a layout. */
static void
arrange_later (SlOverview *self)
{
  if (self->later == 0)
    self->later = g_idle_add_full (G_PRIORITY_HIGH_IDLE, on_later, self, NULL);
}

static void
sl_overview_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  SlOverview *self = SL_OVERVIEW (widget);
  GtkWidget  *child = gtk_widget_get_first_child (widget);
  int         least;

  GTK_WIDGET_CLASS (sl_overview_parent_class)->size_allocate (widget, width, height, baseline);
  gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  gtk_widget_allocate (child, MAX (width, least), height, baseline, NULL);
  if (width == self->width && height == self->height)
    return;
  self->width = width;
  self->height = height;
  arrange_later (self);
}

static void
sl_overview_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                     int *natural, int *minimum_baseline, int *natural_baseline)
{
  SlOverview *self = SL_OVERVIEW (widget);
  int         narrowest = (int) (NARROWEST * sl_type_size_room (widget));

  gtk_widget_measure (gtk_widget_get_first_child (widget), orientation, for_size, minimum, natural,
                      NULL, NULL);
  /* A window can become narrower than what is beside each other in it now. */
  if (orientation == GTK_ORIENTATION_HORIZONTAL && self->columns > 1)
    *minimum = MIN (*minimum, narrowest);
}

/* ---- drawing ---- */

/* What the bars do not say. */
static char *
more_words (const SlRecord *record, const SlBar *wrong)
{
  GString  *text = g_string_new (NULL);
  char      number[32];
  SlOutcome outcome;

  sl_outcome_read (&outcome, record, NULL, 0, NAN);
  if (isfinite (outcome.expected))
    /* Translators: behind "work 12 %, time here 15 %, wrong 9 %": the work that the gates' probabilities say. */
    g_string_append_printf (text, _ ("; by its gates work %s %%"),
                            sl_percent_text (outcome.expected, number, sizeof number));
  if (isfinite (wrong->mark))
    g_string_append_printf (text, _ ("; wrong when nothing is skipped %s %%"),
                            sl_percent_text (wrong->mark, number, sizeof number));
  return g_string_free (text, FALSE);
}

/* Free row->more. */
static void
read_row (SlBarsRow *row, const SlLab *lab, const SlRecord *record)
{
  row->name = sl_words (lab->title);
  row->n = sl_outcome_bars (record, row->bar);
  row->more = more_words (record, &row->bar[row->n - 1]);
}

static void
show_bars (SlOverview *self, gint64 now)
{
  SlBarsRow rows[SL_BARS_ROWS];
  unsigned  n = 0;

  if (self->cards->len == 0 || now - self->counted < BARS_US)
    return;
  self->counted = now;
  watch_all (self);
  for (unsigned i = 0; i < sl_group_size (self->group) && n < SL_BARS_ROWS; i++)
    {
      const SlLab    *lab = sl_group_lab (self->group, i);
      const SlRecord *record = sl_session_record (sl_group_session (self->group, i));

      if (lab->overview->executed == NULL || record->lab == NULL)
        continue;
      rows[n].slot = i;
      read_row (&rows[n++], lab, record);
    }
  sl_figure_bars_show (self->bars, rows, n);
  for (unsigned i = 0; i < n; i++)
    g_free ((char *) rows[i].more);
  if (strcmp (gtk_label_get_label (self->details_text), sl_figure_bars_text (self->bars)) != 0)
    gtk_label_set_label (self->details_text, sl_figure_bars_text (self->bars));
}

static gboolean
update_card (gpointer card)
{
  return sl_overview_card_update (card);
}

static gboolean
on_tick (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  SlOverview *self = SL_OVERVIEW (widget);
  gint64      now = gdk_frame_clock_get_frame_time (clock);

  gboolean news = sl_overview_band_tick (self->band, now);

  show_bars (self, now);
  if (sl_plot_pace_tick (self->pace, now) || news)
    return G_SOURCE_CONTINUE;
  self->tick = 0;
  return G_SOURCE_REMOVE;
}

static void
wake (SlOverview *self)
{
  if (self->tick == 0 && gtk_widget_get_mapped (GTK_WIDGET (self)))
    self->tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), on_tick, NULL, NULL);
}

/* ---- news ---- */

static void
on_group (SlOverview *self)
{
  for (unsigned r = 0; r < SL_N_HEADLINES; r++)
    if (self->headline[r] != NULL)
      sl_headline_scale_update (self->headline[r]);
  wake (self);
}

static void
on_restarted (SlSession *session, SlOverview *self)
{
  for (unsigned i = 0; i < self->cards->len; i++)
    if (sl_overview_card_get_session (card_at (self, i)) == session)
      sl_overview_card_restart (card_at (self, i));
  sl_overview_band_restart (self->band, session);
  watch (self, session);
  wake (self);
}

/* ---- the group ---- */

static void
clear (SlOverview *self)
{
  if (self->group == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->group, self);
  for (unsigned i = 0; i < sl_group_size (self->group); i++)
    g_signal_handlers_disconnect_by_data (sl_group_session (self->group, i), self);
  for (unsigned i = 0; i < self->cards->len; i++)
    gtk_grid_remove (self->plots, GTK_WIDGET (card_at (self, i)));
  g_ptr_array_set_size (self->cards, 0);
  for (unsigned r = 0; r < SL_N_HEADLINES; r++)
    if (self->headline[r] != NULL)
      gtk_box_remove (self->sliders, GTK_WIDGET (self->headline[r]));
  memset (self->headline, 0, sizeof self->headline);
}

void
sl_overview_set_group (SlOverview *self, SlGroup *group)
{
  g_return_if_fail (SL_IS_OVERVIEW (self));
  g_return_if_fail (group == NULL || SL_IS_GROUP (group));
  clear (self);
  g_set_object (&self->group, group);
  sl_overview_band_set_group (self->band, group);
  if (group == NULL)
    return;
  for (unsigned i = 0; i < sl_group_size (group); i++)
    {
      SlSession      *session = sl_group_session (group, i);
      SlOverviewCard *card = sl_overview_card_new (session, sl_group_lab (group, i), i);

      g_ptr_array_add (self->cards, card);
      gtk_grid_attach (self->plots, GTK_WIDGET (card), (int) (i % TWO), (int) (i / TWO), 1, 1);
      g_signal_connect (session, "restarted", G_CALLBACK (on_restarted), self);
      g_signal_connect_swapped (session, "flagged", G_CALLBACK (wake), self);
    }
  for (SlHeadline r = SL_HEADLINE_NONE + 1; r < SL_N_HEADLINES; r++)
    {
      SlHeadlineRange range;

      if (!sl_group_headline (group, r, &range))
        continue;
      self->headline[r] = sl_headline_scale_new (group, r);
      sl_headline_scale_align (self->headline[r], self->heads);
      gtk_box_append (self->sliders, GTK_WIDGET (self->headline[r]));
    }
  g_signal_connect_swapped (group, "changed", G_CALLBACK (on_group), self);
  arrange (self);
  watch_all (self);
  wake (self);
}

SlGroup *
sl_overview_get_group (SlOverview *self)
{
  g_return_val_if_fail (SL_IS_OVERVIEW (self), NULL);
  return self->group;
}

void
sl_overview_set_resting (SlOverview *self, gboolean resting)
{
  g_return_if_fail (SL_IS_OVERVIEW (self));
  gtk_label_set_label (self->lead_words,
                       resting ? _ ("Training pauses while you are in another window.") : _ (LEAD));
}

void
sl_overview_set_rate (SlOverview *self, double rate)
{
  g_return_if_fail (SL_IS_OVERVIEW (self));
  sl_plot_pace_set_rate (self->pace, rate);
}

unsigned
sl_overview_get_n_cards (SlOverview *self)
{
  g_return_val_if_fail (SL_IS_OVERVIEW (self), 0);
  return self->cards->len;
}

SlOverviewCard *
sl_overview_get_card (SlOverview *self, unsigned i)
{
  g_return_val_if_fail (SL_IS_OVERVIEW (self), NULL);
  return i < self->cards->len ? card_at (self, i) : NULL;
}

SlHeadlineScale *
sl_overview_get_headline (SlOverview *self, SlHeadline headline)
{
  g_return_val_if_fail (SL_IS_OVERVIEW (self), NULL);
  return self->headline[headline];
}

SlOverviewBand *
sl_overview_get_band (SlOverview *self)
{
  g_return_val_if_fail (SL_IS_OVERVIEW (self), NULL);
  return self->band;
}

AdwToastOverlay *
sl_overview_get_hints (SlOverview *self)
{
  g_return_val_if_fail (SL_IS_OVERVIEW (self), NULL);
  return self->hints;
}

/* ---- widget ---- */

static void
sl_overview_map (GtkWidget *widget)
{
  SlOverview *self = SL_OVERVIEW (widget);

  GTK_WIDGET_CLASS (sl_overview_parent_class)->map (widget);
  self->seen = TRUE;
  sl_overview_band_set_seen (self->band, TRUE);
  watch_all (self);
  wake (self);
}

static void
sl_overview_unmap (GtkWidget *widget)
{
  SlOverview *self = SL_OVERVIEW (widget);

  if (self->tick != 0)
    gtk_widget_remove_tick_callback (widget, self->tick);
  self->tick = 0;
  self->seen = FALSE;
  sl_overview_band_set_seen (self->band, FALSE);
  watch_all (self);
  GTK_WIDGET_CLASS (sl_overview_parent_class)->unmap (widget);
}

static void
sl_overview_dispose (GObject *object)
{
  SlOverview *self = SL_OVERVIEW (object);

  g_clear_handle_id (&self->later, g_source_remove);
  if (self->plots != NULL)
    sl_overview_set_group (self, NULL);
  sl_widget_dispose (object);
}

static void
sl_overview_finalize (GObject *object)
{
  SlOverview *self = SL_OVERVIEW (object);

  g_ptr_array_unref (self->cards);
  g_object_unref (self->heads);
  sl_plot_pace_free (self->pace);
  G_OBJECT_CLASS (sl_overview_parent_class)->finalize (object);
}

static void
sl_overview_class_init (SlOverviewClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = sl_overview_dispose;
  G_OBJECT_CLASS (klass)->finalize = sl_overview_finalize;
  widget->map = sl_overview_map;
  widget->unmap = sl_overview_unmap;
  widget->measure = sl_overview_measure;
  widget->size_allocate = sl_overview_size_allocate;
  g_type_ensure (SL_TYPE_FIGURE_BARS);
  g_type_ensure (SL_TYPE_OVERVIEW_BAND);
  sl_widget_class_set_template (widget, "overview/overview.ui");
  sl_widget_class_bind_children (widget, SL_CHILD (SlOverview, hints), SL_CHILD (SlOverview, plots),
                                 SL_CHILD (SlOverview, sliders), SL_CHILD (SlOverview, beside),
                                 SL_CHILD (SlOverview, lead), SL_CHILD (SlOverview, lead_words),
                                 SL_CHILD (SlOverview, below), SL_CHILD (SlOverview, costs),
                                 SL_CHILD (SlOverview, band), SL_CHILD (SlOverview, bars),
                                 SL_CHILD (SlOverview, details_text), NULL);
}

static void
sl_overview_init (SlOverview *self)
{
  self->cards = g_ptr_array_new ();
  self->heads = gtk_size_group_new (GTK_SIZE_GROUP_HORIZONTAL);
  self->pace = sl_plot_pace_new (self->cards, NULL, update_card);
  gtk_widget_init_template (GTK_WIDGET (self));
  sl_overview_set_resting (self, FALSE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  /* The first frame comes before there is an arrangement for its size. */
  gtk_widget_set_opacity (GTK_WIDGET (self), 0.0);
}
