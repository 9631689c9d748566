/* SPDX-License-Identifier: MIT */
#include "ui/window/window.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/labs/registry.h"
#include "ui/kit/open.h"
#include "ui/window/private.h"

G_DEFINE_FINAL_TYPE (SlWindow, sl_window, ADW_TYPE_APPLICATION_WINDOW)

static void
on_changed (SlWindow *self)
{
  if (self->in_overview)
    return;
  sl_window_show_page (self);
  sl_window_runs_changed (self);
  sl_window_show_banners (self);
  sl_window_show_running (self, sl_session_state (self->session) == SL_RUNNING);
  sl_window_show_status (self);
  sl_window_update_actions (self);
  sl_window_pair_changed (self);
  sl_window_view_follow (self);
}

/* Keys belong to the plots, unless the person is at work elsewhere: Space on a header button
 * would press it.  */
static void
focus_plots (SlWindow *self)
{
  GtkWidget  *focus = gtk_window_get_focus (GTK_WINDOW (self));
  SlPlotCard *first = sl_plot_grid_get_card (self->grid, 0);

  if (first != NULL && (focus == NULL || GTK_IS_BUTTON (focus)))
    gtk_widget_grab_focus (GTK_WIDGET (sl_plot_card_get_view (first)));
}

static void
on_restarted (SlWindow *self)
{
  if (self->in_overview)
    return;
  self->stated = 0;
  sl_window_keep_view (self);
  sl_window_view_follow (self);
  if (self->session == self->own)
    sl_window_runs_restarted (self);
  sl_window_paint_restarted (self);
  sl_window_show_title (self);
  on_changed (self);
  focus_plots (self);
}

static void
on_refused (SlWindow *self, const char *sentence)
{
  sl_window_toast (self, sentence);
}

static void
on_open_file (SlWindow *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.open", NULL);
}

static void
on_trouble_closed (SlWindow *self)
{
  sl_window_report (self, NULL);
  sl_session_clear_error (self->session);
}

static gboolean
on_drop (SlWindow *self, const GValue *value)
{
  GSList          *files = g_value_get_boxed (value);
  g_autofree char *path = files != NULL ? g_file_get_path (files->data) : NULL;

  if (path == NULL)
    return FALSE;
  sl_window_open_file (self, path);
  return TRUE;
}

/* A picture or the weights of a network, where the data in use have a place for them.  A figure that
 * was exported is a picture, too, but brings its run back.  */
static gboolean
take_part (SlWindow *self, const char *path)
{
  SlDataGroup *data = sl_sidebar_get_data (self->sidebar);

  return !self->in_overview && !self->comparing && sl_session_lab (self->session) != NULL
         && sl_data_group_takes (data, path) && !sl_open_has_recipe (path)
         && sl_data_group_take (data, path);
}

void
sl_window_open_file (SlWindow *self, const char *path)
{
  SlRecipe plan = { .lab = sl_labs[0], .seed = 1 };
  g_autoptr (GError) error = NULL;

  sl_window_report (self, NULL);
  if (g_str_has_suffix (path, ".lesson"))
    {
      if (!sl_window_open_lesson (self, path, &error))
        sl_window_report (self, error->message);
      if (error != NULL && !self->in_overview && sl_session_lab (self->session) == NULL
          && !sl_session_is_loading (self->session))
        gtk_widget_activate_action (GTK_WIDGET (self), "win.start-over", NULL);
      return;
    }
  if (g_str_has_suffix (path, ".sluice") || sl_store_is_store (path))
    {
      sl_window_open_runs (self, path);
      return;
    }
  if (take_part (self, path))
    return;
  sl_settings_default (&plan.settings, plan.lab->params, plan.lab->n_params);
  sl_window_show_own (self);
  switch (sl_open_file (self->session, path, &plan, TRUE, &error))
    {
    case SL_OPENED_RUN: sl_window_toast (self, _ ("The run of this figure begins again")); break;
    case SL_OPENED_NOTHING: sl_window_report (self, error->message); return;
    case SL_OPENED_DATA: break;
    }
  sl_window_leave_runs (self);
  on_changed (self);
}

SlSession *
sl_window_get_session (SlWindow *self)
{
  return self->session;
}

SlPlotGrid *
sl_window_get_grid (SlWindow *self)
{
  return self->grid;
}

SlSidebar *
sl_window_get_sidebar (SlWindow *self)
{
  return self->sidebar;
}

static void
connect_session (SlWindow *self, SlSession *session)
{
  g_signal_connect_swapped (session, "changed", G_CALLBACK (on_changed), self);
  g_signal_connect_swapped (session, "restarted", G_CALLBACK (on_restarted), self);
  g_signal_connect_swapped (session, "pictured", G_CALLBACK (sl_window_pictured), self);
  sl_sidebar_set_session (self->sidebar, session);
  sl_plot_grid_set_session (self->grid, session);
  sl_timeline_set_session (self->timeline, session);
  g_signal_connect_swapped (session, "restarted", G_CALLBACK (sl_window_view_restarted), self);
  /* After sidebar and plots: no frame is to show what a guess is asked about. */
  g_signal_connect_swapped (session, "restarted", G_CALLBACK (sl_window_lesson_set_stage), self);
}

void
sl_window_set_session (SlWindow *self, SlSession *session)
{
  sl_window_keep_view (self);
  self->view_of[0] = '\0';
  sl_window_pair_left (self, session);
  if (self->session != session)
    {
      if (self->session != NULL)
        g_signal_handlers_disconnect_by_data (self->session, self);
      g_set_object (&self->session, session);
      connect_session (self, session);
    }
  on_restarted (self);
}

static void
on_rate (SlWindow *self)
{
  sl_plot_grid_set_rate (self->grid, sl_prefs_get_double (self->prefs, "redraw-rate"));
  sl_overview_set_rate (self->overview, sl_prefs_get_double (self->prefs, "redraw-rate"));
}

static void
sl_window_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  GTK_WIDGET_CLASS (sl_window_parent_class)->size_allocate (widget, width, height, baseline);
  sl_window_fit_width (SL_WINDOW (widget), width);
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
  g_signal_connect_swapped (prefs, "notify::sidebar", G_CALLBACK (sl_window_fold), self);
  on_rate (self);
  sl_window_fold (self);
}

/* So that the next start goes on with it. */
static void
remember_run (SlWindow *self)
{
  gboolean    running = !self->in_overview && sl_session_state (self->own) == SL_RUNNING;
  const char *uuid = running ? sl_session_uuid (self->own) : NULL;

  g_object_set (self->prefs, "last-run", uuid != NULL ? uuid : "", NULL);
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

static void
sl_window_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (sl_window_parent_class)->css_changed (widget, change);
  sl_window_fit_type (SL_WINDOW (widget));
}

static gboolean
sl_window_close_request (GtkWindow *window)
{
  SlWindow *self = SL_WINDOW (window);

  sl_window_remember_size (self);
  remember_run (self);
  close_popovers (GTK_WIDGET (self));
  sl_window_keep_view (self);
  sl_runs_page_stop (self->runs);
  sl_session_stop (self->own);
  if (self->pair != NULL)
    sl_pair_stop (self->pair);
  sl_window_stop_group (self);
  return GTK_WINDOW_CLASS (sl_window_parent_class)->close_request (window);
}

static void
sl_window_dispose (GObject *object)
{
  SlWindow *self = SL_WINDOW (object);

  g_clear_handle_id (&self->later, g_source_remove);
  g_clear_handle_id (&self->folding, g_source_remove);
  sl_window_drop_lessons (self);
  if (self->session != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->session, self);
      sl_sidebar_set_session (self->sidebar, NULL);
      sl_plot_grid_set_session (self->grid, NULL);
      sl_timeline_set_session (self->timeline, NULL);
    }
  if (self->prefs != NULL)
    g_signal_handlers_disconnect_by_data (self->prefs, self);
  sl_window_pair_left (self, NULL);
  sl_window_drop_pins (self);
  sl_window_drop_exported (self);
  sl_window_drop_store (self);
  sl_window_drop_group (self);
  g_clear_object (&self->session);
  g_clear_object (&self->prefs);
  g_clear_object (&self->chooser);
  sl_painting_clear (&self->painting);
  g_clear_pointer (&self->painted, g_free);
  g_clear_pointer (&self->strokes, g_ptr_array_unref);
  g_clear_pointer (&self->complaint, g_free);
  g_clear_pointer (&self->view_kept, g_free);
  g_clear_pointer (&self->view_due, g_free);
  g_clear_pointer (&self->picture_path, g_free);
  gtk_widget_dispose_template (GTK_WIDGET (self), SL_TYPE_WINDOW);
  G_OBJECT_CLASS (sl_window_parent_class)->dispose (object);
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
  g_type_ensure (SL_TYPE_RUNS_PAGE);
  g_type_ensure (SL_TYPE_SIDEBAR);
  g_type_ensure (SL_TYPE_STATUS_LINE);
  g_type_ensure (SL_TYPE_TIMELINE);
  g_type_ensure (SL_TYPE_LESSON_BAR);
  gtk_widget_class_set_template_from_resource (widget, "/org/sluice/Sluice/ui/window/window.ui");
  gtk_widget_class_bind_template_child (widget, SlWindow, toasts);
  gtk_widget_class_bind_template_child (widget, SlWindow, title);
  gtk_widget_class_bind_template_child (widget, SlWindow, failed);
  gtk_widget_class_bind_template_child (widget, SlWindow, toggle);
  gtk_widget_class_bind_template_child (widget, SlWindow, step);
  gtk_widget_class_bind_template_child (widget, SlWindow, rewind);
  gtk_widget_class_bind_template_child (widget, SlWindow, export);
  gtk_widget_class_bind_template_child (widget, SlWindow, leave);
  gtk_widget_class_bind_template_child (widget, SlWindow, drop);
  gtk_widget_class_bind_template_child (widget, SlWindow, pages);
  gtk_widget_class_bind_template_child (widget, SlWindow, spinner);
  gtk_widget_class_bind_template_child (widget, SlWindow, sidebar);
  gtk_widget_class_bind_template_child (widget, SlWindow, diverged);
  gtk_widget_class_bind_template_child (widget, SlWindow, trouble);
  gtk_widget_class_bind_template_child (widget, SlWindow, unstored);
  gtk_widget_class_bind_template_child (widget, SlWindow, timeline);
  gtk_widget_class_bind_template_child (widget, SlWindow, pair_bar);
  gtk_widget_class_bind_template_child (widget, SlWindow, pair_place);
  gtk_widget_class_bind_template_child (widget, SlWindow, overview);
  gtk_widget_class_bind_template_child (widget, SlWindow, grid);
  gtk_widget_class_bind_template_child (widget, SlWindow, runs);
  gtk_widget_class_bind_template_child (widget, SlWindow, status);
  gtk_widget_class_bind_template_child (widget, SlWindow, lesson_bar);
  gtk_widget_class_bind_template_child (widget, SlWindow, lessons);
  gtk_widget_class_bind_template_child (widget, SlWindow, menu);
  gtk_widget_class_bind_template_callback (widget, on_refused);
  gtk_widget_class_bind_template_callback (widget, on_open_file);
  gtk_widget_class_bind_template_callback (widget, on_trouble_closed);
  gtk_widget_class_bind_template_callback (widget, sl_window_copy_plot);
  gtk_widget_class_bind_template_callback (widget, sl_window_export_plot);
  gtk_widget_class_bind_template_callback (widget, sl_window_pick);
  gtk_widget_class_bind_template_callback (widget, sl_window_drag);
  gtk_widget_class_bind_template_callback (widget, sl_window_paint_dab);
  gtk_widget_class_bind_template_callback (widget, sl_window_paint_stroke);
  gtk_widget_class_bind_template_callback (widget, sl_window_noted);
  gtk_widget_class_bind_template_callback (widget, on_drop);
  gtk_widget_class_bind_template_callback (widget, sl_window_toast);
  gtk_widget_class_bind_template_callback (widget, sl_window_open_run);
  gtk_widget_class_bind_template_callback (widget, sl_window_runs_sweeping);
  gtk_widget_class_bind_template_callback (widget, sl_window_runs_deleted);
}

static void
sl_window_init (SlWindow *self)
{
  GType files = GDK_TYPE_FILE_LIST;

  sl_window_add_actions (self);
  sl_window_add_overview (self);
  sl_window_add_runs (self);
  sl_window_add_present (self);
  sl_window_add_help (self);
  sl_window_add_files (self);
  sl_window_add_undo (self);
  sl_window_add_pair (self);
  sl_window_add_pins (self);
  sl_window_add_export (self);
  sl_window_add_command (self);
  sl_window_add_picture (self);
  sl_window_add_lesson_actions (self);
  gtk_widget_init_template (GTK_WIDGET (self));
  sl_window_watch_pages (self);
  sl_window_add_lessons (self);
  gtk_drop_target_set_gtypes (self->drop, &files, 1);
}

SlWindow *
sl_window_new (GtkApplication *application, SlSession *session, SlPrefs *prefs)
{
  SlWindow *self = g_object_new (SL_TYPE_WINDOW, "application", application, NULL);

  set_prefs (self, prefs);
  self->own = g_object_ref (session);
  sl_window_set_session (self, session);
  return self;
}
