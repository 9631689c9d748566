/* SPDX-License-Identifier: MIT */
#include "ui/window/frame/frame.h"

#include <glib/gi18n.h>

#include "ui/form/rail.h"
#include "ui/kit/type-size.h"
#include "ui/kit/widget.h"

enum {
  SIDEBAR_WIDTH = 316,
  FOLDED = 900, /* below, there is no room for a sidebar; at the usual size of type */
  TIGHT = 58,   /* % of that width, below which buttons of the header go */
  LOW = 840,    /* px; a projector of 1280 × 720 is */
};

typedef struct SlWindowLayout
{
  gboolean presenting;
  gboolean filled;       /* the whole screen, before it presented */
  gboolean front;        /* the picture of the lab alone */
  gboolean front_filled; /* the whole screen, before that */
  guint    awake;        /* what keeps the screen from going dark, or 0 */
  gboolean narrow;       /* too narrow for plots beside the sidebar */
  gboolean tight;        /* too narrow for every button of the header */
  gboolean low;          /* so low that an audience's type takes the plots' place */
  gboolean folded;       /* as `narrow` when the sidebar was folded or unfolded last */
  guint    folding;      /* idle source that folds or unfolds */
} Layout;

static Layout *
layout_of (SlWindow *self)
{
  return sl_window_parts (self)->layout;
}

/* ---- width ---- */

/* A presentation has its few sliders in a strip below the plots, which leaves the plots their width. */
static void
place_form (SlWindow *self, gboolean sidebar)
{
  gboolean strip = layout_of (self)->presenting && !layout_of (self)->front && !sidebar;
  SlStage *stage = sl_window_stage (self);

  sl_sidebar_lend_form (sl_window_get_sidebar (self),
                        strip ? sl_window_child (self, "console") : NULL);
  gtk_widget_set_visible (sl_window_child (self, "console"), strip
                                                               && !sl_stage_shows_overview (stage)
                                                               && !sl_stage_shows_list (stage));
}

/* Before an audience it comes and goes with the sidebar. */
static void
place_rail (SlWindow *self, gboolean sidebar)
{
  const Layout *layout = layout_of (self);
  gboolean      shown = sidebar || !(layout->presenting || layout->front);

  gtk_widget_set_visible (sl_window_child (self, "rail"), shown);
  gtk_widget_set_visible (sl_window_child (self, "rail_edge"), shown);
  sl_rail_set_names (sl_window_child (self, "rail"), !layout->narrow && !layout->presenting);
}

/* No setting is shown twice. */
static void
follow_flap (SlWindow *self, gboolean shown)
{
  place_form (self, shown);
  place_rail (self, shown);
  sl_plot_grid_set_knobs (sl_window_get_grid (self), !shown || layout_of (self)->narrow);
  sl_window_set_state (self, "sidebar", g_variant_new_boolean (shown));
}

static void
show_sidebar (SlWindow *self, gboolean wished)
{
  gboolean shown = wished && g_action_get_enabled (sl_window_action (self, "sidebar"));

  adw_flap_set_reveal_flap (sl_window_child (self, "flap"), shown);
  follow_flap (self, shown);
}

/* A click beside a sidebar that lies over the plots closes it. */
void
sl_window_flapped (SlWindow *self)
{
  follow_flap (self, adw_flap_get_reveal_flap (sl_window_child (self, "flap")));
}

/* Before an audience sliders are below the plots. */
void
sl_window_fold (SlWindow *self)
{
  const Layout *layout = layout_of (self);

  show_sidebar (self, !layout->narrow && !layout->presenting && !layout->front
                        && (sl_window_in_lesson (self)
                            || sl_prefs_get_boolean (sl_window_get_prefs (self), "sidebar")));
}

static void
on_sidebar (GSimpleAction *action, GVariant *state, gpointer data)
{
  const Layout *layout = layout_of (data);
  gboolean      shown = g_variant_get_boolean (state);

  show_sidebar (data, shown);
  /* A choice made in a narrow window, beside a picture alone or before an audience is not stored. */
  if (!layout->narrow && !layout->presenting && !layout->front)
    g_object_set (sl_window_get_prefs (data), "sidebar", shown, NULL);
}

/* A tight header leaves out buttons whose actions the menu has, and words. */
static void
fit_header (SlWindow *self)
{
  const Layout *layout = layout_of (self);
  gboolean      all = !layout->tight && !layout->presenting;

  if (layout->tight)
    gtk_button_set_icon_name (sl_window_child (self, "begin_again"),
                              "media-skip-backward-symbolic");
  else
    gtk_button_set_label (sl_window_child (self, "begin_again"), _ ("Begin again"));
  sl_widget_tip (sl_window_child (self, "begin_again"), layout->tight ? _ ("Begin again") : NULL);
  gtk_widget_set_visible (sl_window_child (self, "rewind"), !layout->tight || layout->presenting);
  gtk_widget_set_visible (sl_window_child (self, "step"), all);
  gtk_widget_set_visible (sl_window_child (self, "pace"), !layout->narrow);
  gtk_widget_set_visible (sl_window_child (self, "export"), all);
  gtk_widget_set_visible (sl_window_child (self, "runs_button"), all);
}

static void
set_class (SlWindow *self, const char *name, gboolean has)
{
  if (has)
    gtk_widget_add_css_class (GTK_WIDGET (self), name);
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), name);
}

static void
on_folding (SlWindow *self)
{
  Layout *layout = layout_of (self);

  layout->folding = 0;
  fit_header (self);
  place_rail (self, adw_flap_get_reveal_flap (sl_window_child (self, "flap")));
  set_class (self, "low", layout->low);
  adw_flap_set_fold_policy (sl_window_child (self, "flap"), layout->narrow
                                                              ? ADW_FLAP_FOLD_POLICY_ALWAYS
                                                              : ADW_FLAP_FOLD_POLICY_NEVER);
  /* What the user shows in a narrow window stays while the window becomes a little narrower. */
  if (layout->narrow != layout->folded)
    sl_window_fold (self);
  layout->folded = layout->narrow;
}

/* Widgets must not come and go in the middle of a layout. */
void
sl_window_fit_size (SlWindow *self, int width, int height)
{
  Layout  *layout = layout_of (self);
  int      folded = (int) (sl_type_size_room (GTK_WIDGET (self)) * FOLDED);
  gboolean narrow = width < folded, tight = 100 * width < TIGHT * folded, low = height < LOW;

  if (narrow == layout->narrow && tight == layout->tight && low == layout->low)
    return;
  layout->narrow = narrow;
  layout->tight = tight;
  layout->low = low;
  if (layout->folding == 0 && sl_window_get_prefs (self) != NULL)
    layout->folding = g_idle_add_once ((GSourceOnceFunc) on_folding, self);
}

void
sl_window_remember_size (SlWindow *self)
{
  int      width, height;
  SlPrefs *prefs = sl_window_get_prefs (self);
  gboolean maximized = gtk_window_is_maximized (GTK_WINDOW (self));

  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  g_object_set (prefs, "window-maximized", maximized, NULL);
  if (!maximized && width > 0 && height > 0)
    g_object_set (prefs, "window-width", width, "window-height", height, NULL);
}

/* ---- before an audience ---- */

/* The screen does not go dark in the middle of a lesson. */
static void
keep_awake (SlWindow *self, gboolean awake)
{
  Layout         *layout = layout_of (self);
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));

  if (application == NULL)
    return;
  if (layout->awake != 0)
    gtk_application_uninhibit (application, layout->awake);
  layout->awake = awake ? gtk_application_inhibit (application, GTK_WINDOW (self),
                                                   GTK_APPLICATION_INHIBIT_IDLE, _ ("Presenting"))
                        : 0;
}

static void
show_presented (SlWindow *self)
{
  gboolean presenting = layout_of (self)->presenting;

  set_class (self, "present", presenting);
  adw_header_bar_set_show_start_title_buttons (sl_window_child (self, "header"), !presenting);
  adw_header_bar_set_show_end_title_buttons (sl_window_child (self, "header"), !presenting);
  gtk_widget_set_visible (sl_window_child (self, "status"), !presenting);
  fit_header (self);
  gtk_widget_set_visible (sl_window_child (self, "leave"), presenting);
  sl_sidebar_set_brief (sl_window_get_sidebar (self), presenting);
  sl_plot_grid_set_bare (sl_window_get_grid (self), presenting);
  sl_window_fold (self);
}

/* ---- the picture alone ---- */

/* Who presents keeps the screen. */
gboolean
sl_window_leave_front (SlWindow *self)
{
  Layout *layout = layout_of (self);

  if (!layout->front)
    return FALSE;
  layout->front = FALSE;
  sl_plot_grid_maximise (sl_window_get_grid (self), -1);
  sl_window_fold (self);
  if (layout->presenting)
    layout->filled &= layout->front_filled;
  else if (!layout->front_filled)
    gtk_window_unfullscreen (GTK_WINDOW (self));
  return TRUE;
}

static void
on_all_settings (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_action_change_state (sl_window_action (data, "sidebar"), g_variant_new_boolean (TRUE));
}

static void
on_all_plots (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlPlotGrid *grid = sl_window_get_grid (data);

  sl_plot_grid_set_all (grid, !sl_plot_grid_shows_all (grid));
}

static void
on_front (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  Layout      *layout = layout_of (data);
  SlStage     *stage = sl_window_stage (data);
  const SlLab *lab = sl_session_lab (sl_window_get_session (data));

  if (sl_window_leave_front (data) || lab == NULL || sl_lab_picture (lab) < 0
      || sl_stage_shows_overview (stage) || sl_stage_shows_list (stage))
    return;
  layout->front = TRUE;
  layout->front_filled = gtk_window_is_fullscreen (data);
  sl_plot_grid_maximise (sl_window_get_grid (data), sl_lab_picture (lab));
  sl_window_fold (data);
  gtk_window_fullscreen (data);
}

/* ---- other pages and labs ---- */

/* A lab that is chosen in a narrow window is to be seen. */
static void
on_lab (SlWindow *self)
{
  sl_window_leave_front (self);
  if (layout_of (self)->narrow)
    show_sidebar (self, FALSE);
}

static void
on_page (SlWindow *self)
{
  sl_window_leave_front (self);
  if (layout_of (self)->presenting)
    sl_window_fold (self);
}

static void
set_presenting (SlWindow *self, gboolean presenting, GdkMonitor *monitor)
{
  Layout *layout = layout_of (self);

  if (presenting && !layout->presenting)
    layout->filled = gtk_window_is_fullscreen (GTK_WINDOW (self));
  if (presenting != layout->presenting)
    {
      layout->presenting = presenting;
      show_presented (self);
      keep_awake (self, presenting);
      sl_window_set_state (self, "present", g_variant_new_boolean (presenting));
    }
  if (presenting && monitor != NULL)
    gtk_window_fullscreen_on_monitor (GTK_WINDOW (self), monitor);
  else if (presenting)
    gtk_window_fullscreen (GTK_WINDOW (self));
  else if (!layout->filled)
    gtk_window_unfullscreen (GTK_WINDOW (self));
}

static void
on_present (GSimpleAction *action, GVariant *state, gpointer data)
{
  set_presenting (data, g_variant_get_boolean (state), NULL);
}

static void
on_present_second (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_autoptr (GdkMonitor) monitor = sl_window_dup_other_monitor (data);

  set_presenting (data, TRUE, monitor);
}

/* type-larger, type-smaller, type-usual */
static void
on_type (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const char *name = g_action_get_name (G_ACTION (action));
  int         by = g_str_equal (name, "type-larger") - g_str_equal (name, "type-smaller");

  sl_type_size_change (sl_window_get_prefs (data), by);
}

static void
on_monitors (SlWindow *self)
{
  GListModel *monitors = gdk_display_get_monitors (gtk_widget_get_display (GTK_WIDGET (self)));

  sl_window_enable (self, "present-second", g_list_model_get_n_items (monitors) > 1);
}

void
sl_window_fit_type (SlWindow *self)
{
  AdwClamp *side = sl_window_child (self, "side");
  int       width = (int) (sl_type_size_room (GTK_WIDGET (self)) * SIDEBAR_WIDTH);

  /* As wide in one lab as in another, however long their words are. */
  gtk_widget_set_size_request (GTK_WIDGET (sl_window_get_sidebar (self)), width, -1);
  adw_clamp_set_maximum_size (side, width);
  adw_clamp_set_tightening_threshold (side, width);
}

void
sl_window_add_layout (SlWindow *self)
{
  static const GActionEntry entries[] = {
    { .name = "sidebar", .state = "true", .change_state = on_sidebar },
    { .name = "present", .state = "false", .change_state = on_present },
    { .name = "front", .activate = on_front },
    { .name = "all-settings", .activate = on_all_settings },
    { .name = "all-plots", .activate = on_all_plots },
    { .name = "present-second", .activate = on_present_second },
    { .name = "type-larger", .activate = on_type },
    { .name = "type-smaller", .activate = on_type },
    { .name = "type-usual", .activate = on_type },
  };
  GListModel *monitors = gdk_display_get_monitors (gtk_widget_get_display (GTK_WIDGET (self)));

  sl_window_parts (self)->layout = g_new0 (Layout, 1);
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  g_signal_connect_object (monitors, "items-changed", G_CALLBACK (on_monitors), self,
                           G_CONNECT_SWAPPED);
  on_monitors (self);
}

void
sl_window_watch_layout (SlWindow *self)
{
  g_signal_connect_object (sl_window_child (self, "pages"), "notify::visible-child",
                           G_CALLBACK (on_page), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (sl_rail_get_list (sl_window_child (self, "rail")), "row-activated",
                           G_CALLBACK (on_lab), self, G_CONNECT_SWAPPED);
}

void
sl_window_drop_layout (SlWindow *self)
{
  g_signal_handlers_disconnect_by_func (sl_window_child (self, "pages"), on_page, self);
  g_clear_handle_id (&layout_of (self)->folding, g_source_remove);
  g_clear_pointer (&sl_window_parts (self)->layout, g_free);
}
