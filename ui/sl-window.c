/* SPDX-License-Identifier: MIT */
#include "ui/sl-window.h"

#include <glib/gi18n.h>
#include <string.h>

#include "ui/sl-export-dialog.h"
#include "ui/sl-export-job.h"
#include "ui/sl-open.h"
#include "ui/sl-window-private.h"
#include "core/run/language.h"

G_DEFINE_FINAL_TYPE (SlWindow, sl_window, ADW_TYPE_APPLICATION_WINDOW)

enum { STATUS_MS = 200, TIGHT = 58 /* % of the width that folds the sidebar */ };

/* libadwaita 1.2 gives the button that closes a toast no name. */
static void
name_button (GtkWidget *widget)
{
  if (GTK_IS_BUTTON (widget))
    gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                    _ ("Close"), -1);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    name_button (child);
}

static void
name_toasts (AdwToastOverlay *toasts)
{
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (toasts)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (child != adw_toast_overlay_get_child (toasts))
      name_button (child);
}

AdwToast *
sl_window_toast_button (SlWindow *self, const char *sentence, const char *label, const char *action)
{
  /* Titles are markup in libadwaita 1.2. */
  g_autofree char *escaped = g_markup_escape_text (sentence, -1);
  AdwToast *toast = adw_toast_new (escaped);

  adw_toast_set_button_label (toast, label);
  adw_toast_set_action_name (toast, action);
  adw_toast_overlay_add_toast (self->toasts, toast);
  name_toasts (self->toasts);
  return toast;
}

void
sl_window_toast (SlWindow *self, const char *sentence)
{
  sl_window_toast_button (self, sentence, NULL, NULL);
}

static void
show_title (SlWindow *self)
{
  const SlLab     *lab = sl_session_lab (self->session);
  const SlDataset *dataset = sl_session_dataset (self->session);
  g_autofree char *data = sl_phrase (dataset != NULL ? dataset->title : "");

  adw_window_title_set_title (self->title, lab != NULL ? sl_words (lab->title) : "Sluice");
  adw_window_title_set_subtitle (self->title, data);
}

static void
show_page (SlWindow *self)
{
  SlSessionState state = sl_session_state (self->session);
  const GError  *error = sl_session_error (self->session);
  const char    *page = self->comparing                        ? "runs"
                        : sl_session_lab (self->session) != NULL ? "plots"
                        : state == SL_FAILED                   ? "failed"
                                                               : "loading";

  gtk_stack_set_visible_child_name (self->pages, page);
  gtk_spinner_set_spinning (self->spinner, g_strcmp0 (page, "loading") == 0);
  if (state == SL_FAILED && error != NULL)
    {
      g_autofree char *escaped = g_markup_escape_text (error->message, -1);

      adw_status_page_set_description (self->failed, escaped);
    }
}

static void
show_banners (SlWindow *self)
{
  const GError *error = sl_session_error (self->session);
  gboolean      diverged = sl_session_state (self->session) == SL_DIVERGED;
  g_autofree char *sentence = NULL;

  if (diverged)
    {
      sentence = g_strdup_printf (_ ("Loss became non-finite at step %llu."),
                                  (unsigned long long) sl_session_info (self->session)->step);
      sl_banner_show (self->diverged, sentence);
      sl_banner_show (self->trouble, NULL);
      return;
    }
  sl_banner_show (self->diverged, NULL);
  sl_banner_show (self->trouble, error != NULL && sl_session_lab (self->session) != NULL
                                   ? error->message : self->complaint);
}

void
sl_window_show_running (SlWindow *self, gboolean running)
{
  gtk_button_set_icon_name (self->toggle, running ? "media-playback-pause-symbolic"
                                                  : "media-playback-start-symbolic");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->toggle), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  running ? _ ("Pause") : _ ("Run"), -1);
}

static gboolean
on_status_due (gpointer data)
{
  SlWindow *self = data;

  self->later = 0;
  self->stated = g_get_monotonic_time ();
  if (self->glancing)
    sl_status_line_sum_up (self->status, self->group);
  else
    sl_status_line_update (self->status, self->session);
  return G_SOURCE_REMOVE;
}

/* Numbers that change thirty times a second cannot be read and cost layout. */
void
sl_window_show_status (SlWindow *self)
{
  if (self->later != 0)
    return;
  if (g_get_monotonic_time () - self->stated >= STATUS_MS * 1000)
    on_status_due (self);
  else
    self->later = g_timeout_add (STATUS_MS, on_status_due, self);
}

static void
on_changed (SlWindow *self)
{
  if (self->glancing)
    return;
  show_page (self);
  sl_window_runs_changed (self);
  show_banners (self);
  sl_window_show_running (self, sl_session_state (self->session) == SL_RUNNING);
  sl_window_show_status (self);
  sl_window_update_actions (self);
  sl_window_twin_changed (self);
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
  if (self->glancing)
    return;
  self->stated = 0;
  sl_window_keep_view (self);
  sl_window_view_follow (self);
  if (self->session == self->own)
    sl_window_runs_restarted (self);
  sl_window_paint_restarted (self);
  show_title (self);
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

void
sl_window_complain (SlWindow *self, const char *sentence)
{
  g_free (self->complaint);
  self->complaint = g_strdup (sentence);
  show_banners (self);
}

static void
on_trouble_closed (SlWindow *self)
{
  sl_window_complain (self, NULL);
  sl_session_clear_error (self->session);
}

static void
on_copy (SlWindow *self, guint panel)
{
  g_autoptr (GError) error = NULL;

  if (sl_export_copy (gtk_widget_get_clipboard (GTK_WIDGET (self)), self->session, self->grid,
                      (int) panel, &error))
    sl_window_toast (self, _ ("Copied as PNG, SVG and CSV"));
  else
    sl_window_toast (self, error->message);
}

static void
on_export (SlWindow *self, guint panel)
{
  sl_export_dialog_open (self, self->prefs, (int) panel);
}

static void
set_number (SlWindow *self, const char *id, double number)
{
  SlValue value = { .n = 1, .v = { number } };
  g_autoptr (GError) error = NULL;

  if (!sl_window_lesson_locks (self, id) && !sl_session_set (self->session, id, &value, &error))
    sl_window_toast (self, error->message);
}

/* A row was clicked: the parameter that says which one to look at follows. */
static void
on_pick (SlWindow *self, guint panel, guint number)
{
  set_number (self, sl_session_lab (self->session)->panels[panel].picks, number);
}

static void
on_drag (SlWindow *self, guint panel, double value)
{
  set_number (self, sl_session_lab (self->session)->panels[panel].drags, value);
}

static gboolean
on_drop (SlWindow *self, const GValue *value)
{
  GSList *files = g_value_get_boxed (value);
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

  return !self->glancing && !self->comparing && sl_session_lab (self->session) != NULL
         && sl_data_group_takes (data, path) && !sl_open_has_recipe (path)
         && sl_data_group_take (data, path);
}

void
sl_window_open_file (SlWindow *self, const char *path)
{
  SlRecipe plan = { .lab = sl_labs[0], .seed = 1 };
  g_autoptr (GError) error = NULL;

  sl_window_complain (self, NULL);
  if (g_str_has_suffix (path, ".lesson"))
    {
      if (!sl_window_open_lesson (self, path, &error))
        sl_window_complain (self, error->message);
      if (error != NULL && !self->glancing && sl_session_lab (self->session) == NULL
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
    case SL_OPENED_NOTHING: sl_window_complain (self, error->message); break;
    case SL_OPENED_DATA: break;
    }
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
  g_signal_connect_swapped (session, "restarted", G_CALLBACK (sl_window_lesson_restarted), self);
}

void
sl_window_set_session (SlWindow *self, SlSession *session)
{
  sl_window_keep_view (self);
  self->view_of[0] = '\0';
  sl_window_twin_left (self, session);
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
  sl_glance_set_rate (self->glance, sl_prefs_get_double (self->prefs, "redraw-rate"));
}

void
sl_window_show_sidebar (SlWindow *self, gboolean shown)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "sidebar");

  gtk_widget_set_visible (GTK_WIDGET (self->sidebar), shown);
  g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_boolean (shown));
}

/* Before an audience the start page has its sliders below the plots, and needs the room. */
void
sl_window_fold (SlWindow *self)
{
  sl_window_show_sidebar (self, !self->narrow && !(self->presenting && self->glancing)
                                  && sl_prefs_get_boolean (self->prefs, "sidebar"));
}

static gboolean
on_folding (gpointer data)
{
  SlWindow *self = data;

  self->folding = 0;
  sl_window_fit_header (self);
  /* What somebody shows in a narrow window stays while it is made a little narrower. */
  if (self->narrow != self->folded)
    sl_window_fold (self);
  self->folded = self->narrow;
  return G_SOURCE_REMOVE;
}

/* Widgets must not come and go in the middle of a layout. */
static void
sl_window_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  SlWindow *self = SL_WINDOW (widget);
  gboolean  narrow = width < sl_window_fold_width (self);
  gboolean  tight = 100 * width < TIGHT * sl_window_fold_width (self);

  GTK_WIDGET_CLASS (sl_window_parent_class)->size_allocate (widget, width, height, baseline);
  if (narrow == self->narrow && tight == self->tight)
    return;
  self->narrow = narrow;
  self->tight = tight;
  if (self->folding == 0 && self->prefs != NULL)
    self->folding = g_idle_add (on_folding, self);
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

static void
remember_size (SlWindow *self)
{
  int      width, height;
  gboolean maximized = gtk_window_is_maximized (GTK_WINDOW (self));

  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  g_object_set (self->prefs, "window-maximized", maximized, NULL);
  if (!maximized && width > 0 && height > 0)
    g_object_set (self->prefs, "window-width", width, "window-height", height, NULL);
}

/* So that the next start goes on with it. */
static void
remember_run (SlWindow *self)
{
  gboolean    running = !self->glancing && sl_session_state (self->own) == SL_RUNNING;
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

  remember_size (self);
  remember_run (self);
  close_popovers (GTK_WIDGET (self));
  sl_window_keep_view (self);
  sl_runs_page_stop (self->runs);
  sl_session_stop (self->own);
  if (self->twin != NULL)
    sl_twin_stop (self->twin);
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
  sl_window_twin_left (self, NULL);
  sl_window_drop_pins (self);
  sl_window_drop_store (self);
  sl_window_drop_group (self);
  g_clear_object (&self->session);
  g_clear_object (&self->prefs);
  g_clear_object (&self->chooser);
  sl_painting_clear (&self->painting);
  g_clear_pointer (&self->painted, g_free);
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
  g_type_ensure (SL_TYPE_GLANCE);
  g_type_ensure (SL_TYPE_PLOT_GRID);
  g_type_ensure (SL_TYPE_RUNS_PAGE);
  g_type_ensure (SL_TYPE_SIDEBAR);
  g_type_ensure (SL_TYPE_STATUS_LINE);
  g_type_ensure (SL_TYPE_TIMELINE);
  g_type_ensure (SL_TYPE_LESSON_BAR);
  gtk_widget_class_set_template_from_resource (widget, "/org/sluice/Sluice/ui/sl-window.ui");
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
  gtk_widget_class_bind_template_child (widget, SlWindow, twin_bar);
  gtk_widget_class_bind_template_child (widget, SlWindow, twin_place);
  gtk_widget_class_bind_template_child (widget, SlWindow, glance);
  gtk_widget_class_bind_template_child (widget, SlWindow, grid);
  gtk_widget_class_bind_template_child (widget, SlWindow, runs);
  gtk_widget_class_bind_template_child (widget, SlWindow, status);
  gtk_widget_class_bind_template_child (widget, SlWindow, lesson_bar);
  gtk_widget_class_bind_template_child (widget, SlWindow, lessons);
  gtk_widget_class_bind_template_child (widget, SlWindow, menu);
  gtk_widget_class_bind_template_callback (widget, on_refused);
  gtk_widget_class_bind_template_callback (widget, on_open_file);
  gtk_widget_class_bind_template_callback (widget, on_trouble_closed);
  gtk_widget_class_bind_template_callback (widget, on_copy);
  gtk_widget_class_bind_template_callback (widget, on_export);
  gtk_widget_class_bind_template_callback (widget, on_pick);
  gtk_widget_class_bind_template_callback (widget, on_drag);
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
  sl_window_add_glance (self);
  sl_window_add_runs (self);
  sl_window_add_present (self);
  sl_window_add_help (self);
  sl_window_add_files (self);
  sl_window_add_undo (self);
  sl_window_add_twin (self);
  sl_window_add_pins (self);
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
