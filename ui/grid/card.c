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

  GtkBox        *heading;
  GtkLabel      *title;
  GtkWidget     *follow, *play, *menu;
  GtkMenuButton *help;
  SlMapBar      *bar; /* NULL: not made */
  SlPlotView    *view;
  SlMomentsBar  *moments; /* NULL: not made */
  gboolean       pinned, wide, brief;
  unsigned       features, classes; /* of the data, for the bar */

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
  if (self->moments != NULL)
    sl_moments_bar_go_to_now (self->moments);
}

static gboolean
on_escape (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  SlMomentsBar *moments = SL_PLOT_CARD (widget)->moments;

  return moments != NULL && sl_moments_bar_go_to_now (moments);
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

  sl_widget_label (GTK_WIDGET (self->help), help);
  sl_widget_label (self->menu, menu);
  sl_widget_label (self->play, play);
  sl_widget_label (self->follow, follow);
}

/* What the panel says and, curve by curve, what its traces say. */
static void
on_help (GtkMenuButton *button, gpointer card)
{
  SlPlotCard      *self = card;
  const SlPanel   *panel = &self->record->lab->panels[self->panel];
  g_autofree char *help = g_markup_escape_text (sl_words (panel->help), -1);
  g_autoptr (GString) text = g_string_new (help);

  for (unsigned i = 0; i < sl_panel_n_traces (panel); i++)
    if (panel->traces[i].help != NULL && *panel->traces[i].help != '\0')
      {
        g_autofree char *line = g_markup_printf_escaped (
          "\n<b>%s</b>: %s", sl_words (panel->traces[i].title), sl_words (panel->traces[i].help));

        g_string_append (text, line);
      }
  sl_help_popover_describe (sl_help_popover_of (button), text->str, sl_words (panel->formula),
                            sl_words (panel->source), panel);
}

/* Its panel, or NULL. */
static const SlPanel *
panel_of (SlPlotCard *self)
{
  const SlLab *lab = self->record != NULL ? self->record->lab : NULL;

  return lab != NULL && self->panel < lab->n_panels ? &lab->panels[self->panel] : NULL;
}

/* Over the picture of a front page stands what the lab is about: the first sentence of its summary. */
static void
show_title (SlPlotCard *self)
{
  const SlPanel *panel = panel_of (self);
  gboolean       leads = self->brief && self->wide;
  const char    *summary, *end;

  if (panel == NULL)
    return;
  if (!leads)
    {
      gtk_label_set_label (self->title, sl_words (panel->title));
      return;
    }
  summary = sl_words (self->record->lab->summary);
  end = strstr (summary, ". ");

  g_autofree char *sentence
    = g_strndup (summary, end != NULL ? (gsize) (end + 1 - summary) : strlen (summary));

  gtk_label_set_label (self->title, sentence);
}

/* Most cards need no bar. */
static void
show_bar (SlPlotCard *self)
{
  const SlPanel *panel = panel_of (self);
  gboolean       shown = panel != NULL && !self->brief && panel->kind == SL_MAP;

  if (shown || self->bar != NULL)
    gtk_widget_set_visible (GTK_WIDGET (sl_plot_card_get_bar (self)), shown);
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
  const SlPanel *of;

  g_return_if_fail (SL_IS_PLOT_CARD (self));
  self->record = record;
  self->panel = panel;
  of = panel_of (self);
  sl_plot_view_set_panel (self->view, record, panel);
  if (self->moments != NULL)
    sl_moments_bar_set_session (self->moments, NULL, 0);
  on_following (self);
  show_bar (self);
  self->wide = of != NULL && of->kind == SL_ALIVE;
  gtk_widget_set_visible (self->play, self->wide && !record->stored);
  gtk_widget_queue_resize (GTK_WIDGET (self));
  if (of == NULL)
    return;
  show_title (self);
  name_buttons (self, sl_words (of->title));
}

void
sl_plot_card_set_session (SlPlotCard *self, SlSession *session)
{
  g_return_if_fail (SL_IS_PLOT_CARD (self));
  if (self->wide)
    sl_moments_bar_set_session (sl_plot_card_get_moments (self), session, self->panel);
}

void
sl_plot_card_set_data (SlPlotCard *self, unsigned features, unsigned classes)
{
  g_return_if_fail (SL_IS_PLOT_CARD (self));
  self->features = features;
  self->classes = classes;
  if (self->bar != NULL)
    sl_map_bar_set_data (self->bar, features, classes);
}

SlMapView
sl_plot_card_get_look (SlPlotCard *self)
{
  g_return_val_if_fail (SL_IS_PLOT_CARD (self), sl_map_view_usual ());
  return self->bar != NULL ? sl_map_bar_get_view (self->bar) : sl_map_view_usual ();
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

static void
on_look (SlPlotCard *self)
{
  g_signal_emit_by_name (self, "look");
}

static void
make_bar (SlPlotCard *self)
{
  self->bar = g_object_new (SL_TYPE_MAP_BAR, "visible", FALSE, NULL);
  sl_map_bar_set_data (self->bar, self->features, self->classes);
  g_object_bind_property (self->view, "plane", self->bar, "plane",
                          G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
  g_signal_connect_swapped (self->bar, "notify::brush", G_CALLBACK (on_brush), self);
  g_signal_connect_swapped (self->bar, "look", G_CALLBACK (on_look), self);
  gtk_box_insert_child_after (self->heading, GTK_WIDGET (self->bar), GTK_WIDGET (self->title));
}

static void
make_moments (SlPlotCard *self)
{
  self->moments = g_object_new (SL_TYPE_MOMENTS_BAR, NULL);
  g_signal_connect_swapped (self->moments, "moment", G_CALLBACK (on_moment), self);
  gtk_widget_set_parent (GTK_WIDGET (self->moments), GTK_WIDGET (self));
}

SlMapBar *
sl_plot_card_get_bar (SlPlotCard *self)
{
  g_return_val_if_fail (SL_IS_PLOT_CARD (self), NULL);
  if (self->bar == NULL)
    make_bar (self);
  return self->bar;
}

SlMomentsBar *
sl_plot_card_get_moments (SlPlotCard *self)
{
  g_return_val_if_fail (SL_IS_PLOT_CARD (self), NULL);
  if (self->moments == NULL)
    make_moments (self);
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
  g_type_ensure (SL_TYPE_PLOT_VIEW);
  sl_widget_class_set_template (widget, "grid/card.ui");
  sl_widget_class_bind_children (widget, SL_CHILD (SlPlotCard, heading),
                                 SL_CHILD (SlPlotCard, title), SL_CHILD (SlPlotCard, follow),
                                 SL_CHILD (SlPlotCard, play), SL_CHILD (SlPlotCard, help),
                                 SL_CHILD (SlPlotCard, menu), SL_CHILD (SlPlotCard, view), NULL);
  sl_widget_class_bind_callbacks (widget, SL_CALLBACK (on_title), SL_CALLBACK (on_follow),
                                  SL_CALLBACK (on_menu), SL_CALLBACK (on_play),
                                  SL_CALLBACK (on_following), SL_CALLBACK (on_touched), NULL);
  gtk_widget_class_add_binding (widget, GDK_KEY_Escape, 0, on_escape, NULL);
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_GROUP);
  sl_signal_new (SL_TYPE_PLOT_CARD, "arrange", 1, G_TYPE_INT);
  sl_signal_new (SL_TYPE_PLOT_CARD, "look", 0);
}

static void
sl_plot_card_init (SlPlotCard *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->brief = TRUE;
  gtk_menu_button_set_create_popup_func (self->help, on_help, self, NULL);
}
