/* SPDX-License-Identifier: MIT
 *
 * What the window is made of: the stage, its widgets, which follow the session that is shown, and its
 * controllers.  */
#include "ui/window/window.h"

#include "ui/form/rail.h"
#include "ui/kit/widget.h"
#include "ui/lesson/bar.h"
#include "ui/window/services/inside.h"

G_DEFINE_FINAL_TYPE (SlWindow, sl_window, ADW_TYPE_APPLICATION_WINDOW)

void
sl_window_each_session (SlWindow *self, SlForSession what, gpointer data)
{
  sl_stage_each (self->stage, what, data);
}

static void
on_trouble_closed (SlWindow *self)
{
  sl_session_clear_error (sl_window_get_session (self));
  if (sl_window_shows_overview (self))
    sl_group_clear_errors (sl_stage_shown_group (self->stage));
  sl_window_report (self, NULL);
}

/* ---- the session that is shown ---- */

static void
set_session (SlWindow *self, SlSession *session)
{
  sl_sidebar_set_session (self->sidebar, session);
  sl_plot_grid_set_session (self->grid, session);
  sl_timeline_set_session (self->timeline, session);
}

static void
on_session (SlWindow *self)
{
  set_session (self, sl_window_get_session (self));
}

/* Keys belong to the plots, unless the user is at work elsewhere: Space on a header button
 * would press it.  The button of a choice is its entry.  */
static void
focus_plots (SlWindow *self)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));
  unsigned   panels[SL_PANELS_MAX];

  if (focus != NULL && gtk_widget_get_ancestor (focus, GTK_TYPE_DROP_DOWN) != NULL)
    return;
  if (!sl_window_shows_overview (self) && (focus == NULL || GTK_IS_BUTTON (focus))
      && sl_plot_grid_get_shown (self->grid, panels) > 0)
    gtk_widget_grab_focus (GTK_WIDGET (sl_plot_grid_get_view (self->grid, panels[0])));
}

static void
note_plots (SlWindow *self)
{
  self->plots = sl_plot_grid_get_lab (self->grid);
}

/* Plots of another lab have no focus yet: what is exported or copied are all of them. */
static void
on_restarted (SlWindow *self)
{
  if (self->plots != NULL)
    focus_plots (self);
}

/* ---- the widget ---- */

static void
on_rate (SlWindow *self)
{
  double rate = sl_prefs_get_double (self->prefs, "redraw-rate");

  sl_plot_grid_set_rate (self->grid, rate);
  sl_overview_set_rate (self->overview, rate);
}

/* Runs of labs that are left go on so. */
static void
on_labs (SlWindow *self)
{
  sl_stage_set_going_on (self->stage, sl_prefs_get_boolean (self->prefs, "labs-go-on"));
  sl_stage_set_unseen (self->stage, sl_prefs_get_boolean (self->prefs, "labs-train-unseen"));
}

static void
set_prefs (SlWindow *self, SlPrefs *prefs)
{
  self->prefs = g_object_ref (prefs);
  gtk_window_set_default_size (GTK_WINDOW (self), sl_prefs_get_int (prefs, "window-width"),
                               sl_prefs_get_int (prefs, "window-height"));
  if (sl_prefs_get_boolean (prefs, "window-maximized"))
    gtk_window_maximize (GTK_WINDOW (self));
  g_signal_connect_swapped (prefs, "notify::redraw-rate", G_CALLBACK (on_rate), self);
  g_signal_connect_swapped (prefs, "notify::labs-go-on", G_CALLBACK (on_labs), self);
  g_signal_connect_swapped (prefs, "notify::labs-train-unseen", G_CALLBACK (on_labs), self);
  g_signal_connect_swapped (prefs, "notify::sidebar", G_CALLBACK (sl_window_fold), self);
  on_rate (self);
  sl_window_fold (self);
  sl_window_follow_classroom (self);
}

/* An open popover outlives its window for a moment, which GTK 4.8 complains about. */
static void
close_popovers (GtkWidget *widget)
{
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      if (GTK_IS_POPOVER (child) && gtk_widget_get_visible (child))
        gtk_popover_popdown (GTK_POPOVER (child));
      close_popovers (child);
    }
}

/* Its threads end, or are left behind after a moment, and what the next one needs is in the store. */
static gboolean
sl_window_close_request (GtkWindow *window)
{
  SlWindow *self = SL_WINDOW (window);

  sl_window_remember_size (self);
  sl_window_hold_workspace (self);
  close_popovers (GTK_WIDGET (self));
  sl_window_keep_view (self);
  sl_runs_page_stop (self->runs);
  sl_stage_leave (self->stage);
  sl_window_keep_workspace (self);
  return GTK_WINDOW_CLASS (sl_window_parent_class)->close_request (window);
}

static void
sl_window_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (sl_window_parent_class)->css_changed (widget, change);
  sl_window_fit_type (SL_WINDOW (widget));
}

static void
sl_window_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  GTK_WIDGET_CLASS (sl_window_parent_class)->size_allocate (widget, width, height, baseline);
  sl_window_fit_size (SL_WINDOW (widget), width, height);
}

/* Once: it may be disposed of again. */
static void
drop_parts (SlWindow *self)
{
  g_cancellable_cancel (self->closing);
  g_signal_handlers_disconnect_by_data (self->stage, self);
  set_session (self, NULL);
  sl_overview_set_group (self->overview, NULL);
  sl_window_drop_lesson (self);
  sl_window_drop_files (self);
  sl_window_drop_away (self);
  sl_window_drop_pair (self);
  sl_window_drop_pins (self);
  sl_window_drop_export (self);
  sl_window_drop_carry (self);
  sl_window_drop_picture (self);
  sl_window_drop_network (self);
  sl_window_drop_import (self);
  sl_window_drop_paint (self);
  sl_window_drop_look (self);
  sl_window_drop_runs (self);
  sl_window_drop_banners (self);
  sl_window_drop_layout (self);
  sl_window_drop_open (self);
  sl_window_drop_undo (self);
  sl_window_drop_workspace (self);
  sl_window_drop_save (self);
  sl_window_drop_store (self);
}

static void
sl_window_dispose (GObject *object)
{
  SlWindow *self = SL_WINDOW (object);

  g_clear_handle_id (&self->later, g_source_remove);
  if (self->prefs != NULL)
    g_signal_handlers_disconnect_by_data (self->prefs, self);
  if (self->parts.save != NULL)
    drop_parts (self);
  g_clear_object (&self->stage);
  g_clear_object (&self->closing);
  g_clear_object (&self->prefs);
  g_clear_pointer (&self->complaint, g_free);
  sl_widget_dispose (object);
}

static void
bind_children (GtkWidgetClass *widget)
{
  /* Objects that controllers find by their id. */
  static const char *const found[]
    = { "step",        "rewind", "export",    "leave",          "unstored",
        "health",      "offer",  "untrained", "menu",           "flap",
        "runs_button", "side",   "console",   "header",         "pair_bar",
        "pair_place",  "recent", "history",   "lesson_bar",     "begin_again",
        "drop",        "rail",   "rail_edge", "sidebar_button", "pace" };

  for (unsigned i = 0; i < G_N_ELEMENTS (found); i++)
    gtk_widget_class_bind_template_child_full (widget, found[i], FALSE, 0);
  sl_widget_class_bind_children (
    widget, SL_CHILD (SlWindow, toasts), SL_CHILD (SlWindow, title), SL_CHILD (SlWindow, failed),
    SL_CHILD (SlWindow, toggle), SL_CHILD (SlWindow, pages), SL_CHILD (SlWindow, spinner),
    SL_CHILD (SlWindow, sidebar), SL_CHILD (SlWindow, diverged), SL_CHILD (SlWindow, trouble),
    SL_CHILD (SlWindow, timeline), SL_CHILD (SlWindow, overview), SL_CHILD (SlWindow, grid),
    SL_CHILD (SlWindow, runs), SL_CHILD (SlWindow, status), NULL);
  sl_widget_class_bind_callbacks (
    widget, SL_CALLBACK (on_trouble_closed), SL_CALLBACK (sl_window_health_closed),
    SL_CALLBACK (sl_window_offer_closed), SL_CALLBACK (sl_window_dropped),
    SL_CALLBACK (sl_window_copy_plot), SL_CALLBACK (sl_window_offer_plot),
    SL_CALLBACK (sl_window_export_plot), SL_CALLBACK (sl_window_pick), SL_CALLBACK (sl_window_drag),
    SL_CALLBACK (sl_window_paint_dab), SL_CALLBACK (sl_window_paint_stroke),
    SL_CALLBACK (sl_window_noted), SL_CALLBACK (sl_window_panels_arranged),
    SL_CALLBACK (sl_window_toast), SL_CALLBACK (sl_window_flapped),
    SL_CALLBACK (sl_window_runs_open), SL_CALLBACK (sl_window_runs_sweeping),
    SL_CALLBACK (sl_window_runs_deleted), SL_CALLBACK (sl_window_keep_workspace), NULL);
}

static void
sl_window_class_init (SlWindowClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = sl_window_dispose;
  widget->css_changed = sl_window_css_changed;
  widget->size_allocate = sl_window_size_allocate;
  GTK_WINDOW_CLASS (klass)->close_request = sl_window_close_request;
  g_type_ensure (SL_TYPE_BANNER);
  g_type_ensure (SL_TYPE_OVERVIEW);
  g_type_ensure (SL_TYPE_PLOT_GRID);
  g_type_ensure (SL_TYPE_RAIL);
  g_type_ensure (SL_TYPE_RUNS_PAGE);
  g_type_ensure (SL_TYPE_SIDEBAR);
  g_type_ensure (SL_TYPE_STATUS_LINE);
  g_type_ensure (SL_TYPE_TIMELINE);
  g_type_ensure (SL_TYPE_LESSON_BAR);
  sl_widget_class_set_template (widget, "window/window.ui");
  bind_children (widget);
}

static void
add_parts (SlWindow *self)
{
  sl_window_add_actions (self);
  sl_window_add_overview (self);
  sl_window_add_runs (self);
  sl_window_add_banners (self);
  sl_window_add_layout (self);
  sl_window_add_save (self);
  sl_window_add_store (self);
  sl_window_add_files (self);
  sl_window_add_open (self);
  sl_window_add_workspace (self);
  sl_window_add_undo (self);
  sl_window_add_away (self);
  sl_window_add_pace (self);
  sl_window_add_pair (self);
  sl_window_add_pins (self);
  sl_window_add_look (self);
  sl_window_add_paint (self);
  sl_window_add_export (self);
  sl_window_add_carry (self);
  sl_window_add_picture (self);
  sl_window_add_network (self);
  sl_window_add_import (self);
  sl_window_add_state (self);
  sl_window_add_lesson (self);
  sl_window_add_show (self);
}

static void
sl_window_init (SlWindow *self)
{
  GType files = GDK_TYPE_FILE_LIST;

  self->stage = sl_stage_new ();
  self->closing = g_cancellable_new ();
  add_parts (self);
  sl_window_watch (self, "notify::session", on_session);
  sl_window_watch (self, "shown", focus_plots);
  sl_window_watch (self, "leaving", note_plots);
  sl_window_watch (self, "restarted", on_restarted);
  gtk_widget_init_template (GTK_WIDGET (self));
  sl_window_watch_layout (self);
  sl_window_show_lessons (self);
  sl_window_list_recent (self);
  gtk_drop_target_set_gtypes (sl_window_child (self, "drop"), &files, 1);
  sl_widget_tell_when_cut (GTK_WIDGET (self->title));
}

SlWindow *
sl_window_new (GtkApplication *application, SlSession *session, SlPrefs *prefs)
{
  SlWindow *self;

  g_return_val_if_fail (SL_IS_SESSION (session) && SL_IS_PREFS (prefs), NULL);
  self = g_object_new (SL_TYPE_WINDOW, "application", application, NULL);
  set_prefs (self, prefs);
  sl_stage_set_own (self->stage, session);
  on_labs (self);
  return self;
}
