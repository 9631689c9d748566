/* SPDX-License-Identifier: MIT */
#include "ui/overview/card.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/run/base/language.h"
#include "core/run/group/summary.h"
#include "ui/form/headline-scale.h"
#include "ui/kit/widget.h"

enum { WORDS_US = 200000, WORDS_SIZE = 160, CLICK_MAX = 6, HEAD_GAP = 6 };

struct _SlOverviewCard
{
  GtkWidget parent_instance;

  GtkLabel   *idea, *words;
  GtkBox     *head, *headlines;
  GtkWidget  *open;
  SlPlotView *view;

  SlSession   *session;
  const SlLab *lab;
  unsigned     tint;   /* its colour */
  gint64       worded; /* when the words were last brought up to date, µs */
  double       press_x, press_y;
  unsigned     known; /* curves that were looked at whether they are to be shown */
};

G_DEFINE_FINAL_TYPE (SlOverviewCard, sl_overview_card, GTK_TYPE_WIDGET)

static void
look_closer (SlOverviewCard *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.closer", "s", self->lab->id);
}

static void
on_press (SlOverviewCard *self, int presses, double x, double y)
{
  self->press_x = x;
  self->press_y = y;
}

/* A drag zooms and a click on the legend hides a curve; any other click is for a closer look. */
static void
on_release (SlOverviewCard *self, int presses, double x, double y)
{
  const SlFrame *frame = sl_plot_canvas_get_frame (sl_plot_view_get_canvas (self->view));

  if (presses == 1 && hypot (x - self->press_x, y - self->press_y) < CLICK_MAX
      && sl_frame_chip (frame, x, y) < 0)
    look_closer (self);
}

/* Figures that change ten times a second cannot be read. */
static void
show_words (SlOverviewCard *self)
{
  const SlRecord *record = sl_session_record (self->session);
  gint64          now = g_get_monotonic_time ();
  char            text[WORDS_SIZE];

  if (now - self->worded < WORDS_US)
    return;
  self->worded = now;
  sl_summary_text (record, sl_words (self->lab->overview->words), text, sizeof text);
  if (strcmp (gtk_label_get_label (self->words), text) == 0)
    return;
  gtk_label_set_label (self->words, text);
}

/* Curves come with their first values.  What the user switches on or off later stays. */
static void
hide_some (SlOverviewCard *self)
{
  SlFigure       *figure = sl_plot_view_get_figure (self->view);
  const SlLayout *layout = &sl_session_record (self->session)->layout;
  unsigned        before = self->known;

  for (; self->known < figure->n_curves; self->known++)
    {
      int c = sl_layout_find (layout, figure->curve[self->known].id);

      if (c >= 0
          && !sl_summary_shows (
            self->lab,
            self->lab->panels[layout->channel[c].panel].traces[layout->channel[c].trace].id))
        {
          figure->curve[self->known].aside = true;
          sl_figure_hide (figure, self->known, true);
        }
    }
  if (before != self->known)
    sl_plot_view_touch (self->view);
}

gboolean
sl_overview_card_update (SlOverviewCard *self)
{
  g_return_val_if_fail (SL_IS_OVERVIEW_CARD (self), FALSE);

  gboolean news = sl_plot_view_update (self->view);

  hide_some (self);
  if (!news)
    return FALSE;
  show_words (self);
  return TRUE;
}

void
sl_overview_card_restart (SlOverviewCard *self)
{
  g_return_if_fail (SL_IS_OVERVIEW_CARD (self));

  int panel = sl_lab_panel (self->lab, self->lab->overview->panel);

  sl_plot_view_set_panel (self->view, sl_session_record (self->session), (unsigned) MAX (panel, 0));
  sl_figure_set_tint (sl_plot_view_get_figure (self->view), self->tint);
  sl_plot_view_update (self->view);
  hide_some (self);
  self->worded = 0;
  show_words (self);
}

void
sl_overview_card_set_low (SlOverviewCard *self, gboolean low)
{
  g_return_if_fail (SL_IS_OVERVIEW_CARD (self));

  GtkWidget *words = GTK_WIDGET (self->words), *head = GTK_WIDGET (self->head);
  gboolean   beside = gtk_widget_get_parent (words) == head, fits;

  fits = sl_widget_natural_width (head) + (beside ? 0 : sl_widget_natural_width (words) + HEAD_GAP)
         <= gtk_widget_get_width (head);
  if (beside == (low && fits))
    return;
  gtk_widget_set_hexpand (words, !beside);
  gtk_widget_set_hexpand (GTK_WIDGET (self->headlines), beside);
  g_object_ref (words);
  gtk_widget_unparent (words);
  if (beside)
    gtk_widget_insert_after (words, GTK_WIDGET (self), head);
  else
    gtk_widget_insert_after (words, head, GTK_WIDGET (self->headlines));
  g_object_unref (words);
}

SlPlotView *
sl_overview_card_get_view (SlOverviewCard *self)
{
  g_return_val_if_fail (SL_IS_OVERVIEW_CARD (self), NULL);
  return self->view;
}

SlSession *
sl_overview_card_get_session (SlOverviewCard *self)
{
  g_return_val_if_fail (SL_IS_OVERVIEW_CARD (self), NULL);
  return self->session;
}

/* ---- what it is ---- */

static void
show_headlines (SlOverviewCard *self)
{
  for (unsigned i = 0; i < self->lab->n_params; i++)
    if (self->lab->params[i].headline != SL_HEADLINE_NONE)
      {
        GtkWidget *symbol = gtk_label_new (sl_headline_symbol (self->lab->params[i].headline));
        g_autofree char *tip = g_strdup_printf (_ ("Changed by the slider %s"),
                                                sl_headline_symbol (self->lab->params[i].headline));

        gtk_widget_add_css_class (symbol, "role-symbol");
        gtk_widget_set_valign (symbol, GTK_ALIGN_CENTER);
        gtk_widget_set_tooltip_text (symbol, tip);
        gtk_box_append (self->headlines, symbol);
      }
}

static void
explain (SlOverviewCard *self)
{
  g_autofree char *open = g_strdup_printf (_ ("Open %s"), sl_words (self->lab->title));

  gtk_widget_set_tooltip_text (self->open, open);
  sl_widget_label (GTK_WIDGET (self->open), open);
}

static void
sl_overview_card_dispose (GObject *object)
{
  SlOverviewCard *self = SL_OVERVIEW_CARD (object);

  if (self->session != NULL && self->view != NULL)
    sl_plot_view_set_panel (self->view, NULL, 0);
  g_clear_object (&self->session);
  sl_widget_dispose (object);
}

static void
sl_overview_card_class_init (SlOverviewCardClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = sl_overview_card_dispose;
  g_type_ensure (SL_TYPE_PLOT_VIEW);
  sl_widget_class_set_template (widget, "overview/card.ui");
  sl_widget_class_bind_children (
    widget, SL_CHILD (SlOverviewCard, idea), SL_CHILD (SlOverviewCard, words),
    SL_CHILD (SlOverviewCard, head), SL_CHILD (SlOverviewCard, headlines),
    SL_CHILD (SlOverviewCard, open), SL_CHILD (SlOverviewCard, view), NULL);
  sl_widget_class_bind_callbacks (widget, SL_CALLBACK (look_closer), SL_CALLBACK (on_press),
                                  SL_CALLBACK (on_release), NULL);
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
sl_overview_card_init (SlOverviewCard *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  sl_label_tell_when_cut (self->words);
  sl_label_tell_when_cut (self->idea);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self->view), "pointer");
}

SlOverviewCard *
sl_overview_card_new (SlSession *session, const SlLab *lab, unsigned tint)
{
  SlOverviewCard *self = g_object_new (SL_TYPE_OVERVIEW_CARD, NULL);

  g_return_val_if_fail (SL_IS_SESSION (session), NULL);
  self->session = g_object_ref (session);
  self->lab = lab;
  self->tint = tint;
  gtk_label_set_label (self->idea, sl_words (lab->overview->idea));
  sl_widget_label (GTK_WIDGET (self), sl_words (lab->overview->idea));
  show_headlines (self);
  explain (self);
  if (sl_session_lab (session) != NULL)
    sl_overview_card_restart (self);
  return self;
}
