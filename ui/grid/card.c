/* SPDX-License-Identifier: MIT */
#include "ui/grid/card.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/run/base/language.h"
#include "ui/help/popover.h"
#include "ui/kit/widget.h"

struct _SlPlotCard
{
  GtkWidget parent_instance;

  GtkLabel      *title;
  SlHelpPopover *explanation;
  GtkWidget     *follow, *play, *help, *menu;
  SlMapBar      *bar;
  SlPlotView    *view;
  SlMomentsBar  *moments;
  gboolean       pinned, wide, brief;

  const SlRecord *record; /* borrowed */
  unsigned        panel;
};

G_DEFINE_FINAL_TYPE (SlPlotCard, sl_plot_card, GTK_TYPE_WIDGET)

static void
on_title (SlPlotCard *self, int presses)
{
  if (presses == 2)
    gtk_widget_activate_action (GTK_WIDGET (self->view), "plot.maximise", NULL);
}

static void
on_follow (SlPlotCard *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self->view), "plot.follow", NULL);
}

/* Behind a click the keys are for the picture. */
static void
on_play (SlPlotCard *self)
{
  if (!gtk_widget_is_focus (self->play))
    gtk_widget_grab_focus (GTK_WIDGET (self->view));
  gtk_widget_activate_action (GTK_WIDGET (self->view), "plot.play", NULL);
}

static void
on_menu (SlPlotCard *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self->view), "plot.menu", NULL);
}

static void
on_brush (SlPlotCard *self)
{
  int brush;

  g_object_get (self->bar, "brush", &brush, NULL);
  sl_plot_view_set_brush (self->view, brush);
}

static void
on_following (SlPlotCard *self)
{
  gboolean following;

  g_object_get (self->view, "following", &following, NULL);
  gtk_widget_set_visible (self->follow, !following);
}

/* The view shows a moment instead of what the run is now. */
static void
on_moment (SlPlotCard *self)
{
  const SlRecord *moment = sl_moments_bar_get_record (self->moments);

  sl_plot_view_set_panel (self->view, moment != NULL ? moment : self->record, self->panel);
}

/* What is done to the picture is done to the run as it is now. */
static void
on_touched (SlPlotCard *self)
{
  sl_moments_bar_go_to_now (self->moments);
}

static gboolean
on_escape (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  return sl_moments_bar_go_to_now (SL_PLOT_CARD (widget)->moments);
}

static void
on_arrange (GtkWidget *widget, const char *name, GVariant *parameter)
{
  SlCardMove how = g_str_equal (name, "panel.hide") ? SL_CARD_HIDE
                   : g_str_equal (name, "panel.up") ? SL_CARD_UP
                                                    : SL_CARD_DOWN;

  g_signal_emit_by_name (widget, "arrange", how);
}

void
sl_plot_card_set_place (SlPlotCard *self, gboolean pin, gboolean hide, gboolean up, gboolean down,
                        gboolean pinned)
{
  GtkWidget *widget = GTK_WIDGET (self);

  g_return_if_fail (SL_IS_PLOT_CARD (self));
  gtk_widget_action_set_enabled (widget, "panel.hide", hide);
  gtk_widget_action_set_enabled (widget, "panel.pin", pin);
  gtk_widget_action_set_enabled (widget, "panel.up", up);
  gtk_widget_action_set_enabled (widget, "panel.down", down);
  if (pinned == self->pinned)
    return;
  self->pinned = pinned;
  g_object_notify (G_OBJECT (self), "pinned");
}

enum { PROPERTY_PINNED = 1 };

static void
sl_plot_card_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  g_value_set_boolean (value, SL_PLOT_CARD (object)->pinned);
}

/* The menu emits a signal; the grid answers by sl_plot_card_set_place(). */
static void
sl_plot_card_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  g_signal_emit_by_name (object, "arrange",
                         g_value_get_boolean (value) ? SL_CARD_PIN : SL_CARD_UNPIN);
}

static void
name_buttons (SlPlotCard *self, const char *title)
{
  g_autofree char *help = g_strdup_printf (_ ("About %s"), title);
  g_autofree char *menu = g_strdup_printf (_ ("Menu of %s"), title);
  g_autofree char *play = g_strdup_printf (_ ("Slow motion of %s"), title);
  g_autofree char *follow = g_strdup_printf (_ ("Reset the view of %s"), title);

  sl_widget_label (self->help, help);
  sl_widget_label (self->menu, menu);
  sl_widget_label (self->play, play);
  sl_widget_label (self->follow, follow);
}

/* What the panel says and, curve by curve, what its traces say. */
static void
explain (SlPlotCard *self, const SlPanel *panel)
{
  g_autofree char *help = g_markup_escape_text (sl_words (panel->help), -1);
  g_autoptr (GString) text = g_string_new (help);

  for (unsigned i = 0; i < sl_panel_n_traces (panel); i++)
    if (panel->traces[i].help != NULL && *panel->traces[i].help != '\0')
      {
        g_autofree char *line = g_markup_printf_escaped (
          "\n<b>%s</b>: %s", sl_words (panel->traces[i].title), sl_words (panel->traces[i].help));

        g_string_append (text, line);
      }
  sl_help_popover_describe (self->explanation, text->str, sl_words (panel->formula),
                            sl_words (panel->source), panel);
}

/* Over the picture of a front page stands what the lab is about: the first sentence of its summary. */
static void
show_title (SlPlotCard *self)
{
  const SlLab *lab = self->record != NULL ? self->record->lab : NULL;
  gboolean     leads = self->brief && self->wide;
  const char  *summary, *end;

  if (lab == NULL || self->panel >= lab->n_panels)
    return;
  summary = sl_words (lab->summary);
  end = strstr (summary, ". ");
  gtk_label_set_wrap (self->title, leads);
  gtk_label_set_lines (self->title, leads ? 2 : -1);
  if (leads)
    {
      g_autofree char *sentence
        = g_strndup (summary, end != NULL ? (gsize) (end + 1 - summary) : strlen (summary));

      gtk_label_set_label (self->title, sentence);
    }
  else
    gtk_label_set_label (self->title, sl_words (lab->panels[self->panel].title));
}

static void
show_bar (SlPlotCard *self)
{
  const SlLab *lab = self->record != NULL ? self->record->lab : NULL;

  gtk_widget_set_visible (GTK_WIDGET (self->bar), lab != NULL && !self->brief
                                                    && self->panel < lab->n_panels
                                                    && lab->panels[self->panel].kind == SL_MAP);
}

void
sl_plot_card_set_brief (SlPlotCard *self, gboolean brief)
{
  g_return_if_fail (SL_IS_PLOT_CARD (self));
  if (brief == self->brief)
    return;
  self->brief = brief;
  show_title (self);
  show_bar (self);
}

void
sl_plot_card_set_panel (SlPlotCard *self, const SlRecord *record, unsigned panel)
{
  const SlPanel *of = record != NULL && record->lab != NULL && panel < record->lab->n_panels
                        ? &record->lab->panels[panel]
                        : NULL;

  g_return_if_fail (SL_IS_PLOT_CARD (self));
  self->record = record;
  self->panel = panel;
  sl_plot_view_set_panel (self->view, record, panel);
  sl_moments_bar_set_session (self->moments, NULL, 0);
  on_following (self);
  show_bar (self);
  self->wide = of != NULL && of->kind == SL_ALIVE;
  gtk_widget_set_visible (self->play, self->wide);
  gtk_widget_queue_resize (GTK_WIDGET (self));
  if (of == NULL)
    return;
  show_title (self);
  explain (self, of);
  name_buttons (self, sl_words (of->title));
}

void
sl_plot_card_set_session (SlPlotCard *self, SlSession *session)
{
  g_return_if_fail (SL_IS_PLOT_CARD (self));
  sl_moments_bar_set_session (self->moments, self->wide ? session : NULL, self->panel);
}

SlPlotView *
sl_plot_card_get_view (SlPlotCard *self)
{
  g_return_val_if_fail (SL_IS_PLOT_CARD (self), NULL);
  return self->view;
}

gboolean
sl_plot_card_is_wide (SlPlotCard *self)
{
  g_return_val_if_fail (SL_IS_PLOT_CARD (self), FALSE);
  return self->wide;
}

GtkWidget *
sl_plot_card_get_title (SlPlotCard *self)
{
  g_return_val_if_fail (SL_IS_PLOT_CARD (self), NULL);
  return GTK_WIDGET (self->title);
}

SlMapBar *
sl_plot_card_get_bar (SlPlotCard *self)
{
  g_return_val_if_fail (SL_IS_PLOT_CARD (self), NULL);
  return self->bar;
}

SlMomentsBar *
sl_plot_card_get_moments (SlPlotCard *self)
{
  g_return_val_if_fail (SL_IS_PLOT_CARD (self), NULL);
  return self->moments;
}

static void
sl_plot_card_class_init (SlPlotCardClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);
  GObjectClass   *object = G_OBJECT_CLASS (klass);

  object->get_property = sl_plot_card_get_property;
  object->set_property = sl_plot_card_set_property;
  g_object_class_install_property (
    object, PROPERTY_PINNED,
    g_param_spec_boolean ("pinned", NULL, NULL, FALSE,
                          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY));
  gtk_widget_class_install_action (widget, "panel.hide", NULL, on_arrange);
  gtk_widget_class_install_action (widget, "panel.up", NULL, on_arrange);
  gtk_widget_class_install_action (widget, "panel.down", NULL, on_arrange);
  gtk_widget_class_install_property_action (widget, "panel.pin", "pinned");
  g_type_ensure (SL_TYPE_HELP_POPOVER);
  g_type_ensure (SL_TYPE_MAP_BAR);
  g_type_ensure (SL_TYPE_MOMENTS_BAR);
  g_type_ensure (SL_TYPE_PLOT_VIEW);
  sl_widget_class_set_template (widget, "grid/card.ui");
  sl_widget_class_bind_children (widget, SL_CHILD (SlPlotCard, title),
                                 SL_CHILD (SlPlotCard, explanation), SL_CHILD (SlPlotCard, follow),
                                 SL_CHILD (SlPlotCard, play), SL_CHILD (SlPlotCard, help),
                                 SL_CHILD (SlPlotCard, menu), SL_CHILD (SlPlotCard, bar),
                                 SL_CHILD (SlPlotCard, view), SL_CHILD (SlPlotCard, moments), NULL);
  sl_widget_class_bind_callbacks (widget, SL_CALLBACK (on_brush), SL_CALLBACK (on_title),
                                  SL_CALLBACK (on_follow), SL_CALLBACK (on_menu),
                                  SL_CALLBACK (on_play), SL_CALLBACK (on_following),
                                  SL_CALLBACK (on_moment), SL_CALLBACK (on_touched), NULL);
  gtk_widget_class_add_binding (widget, GDK_KEY_Escape, 0, on_escape, NULL);
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_GROUP);
  sl_signal_new (SL_TYPE_PLOT_CARD, "arrange", 1, G_TYPE_INT);
}

static void
sl_plot_card_init (SlPlotCard *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  g_object_bind_property (self->view, "plane", self->bar, "plane",
                          G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
}
