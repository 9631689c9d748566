/* SPDX-License-Identifier: MIT
 *
 * The session that the window shows: another one takes its place, and what it reports reaches the
 * controllers.  */
#include "ui/window/controllers.h"
#include "ui/window/private.h"

/* How far the run is, and what can be done with it now. */
static void
show_progress (SlWindow *self)
{
  sl_window_show_status (self);
  sl_window_update_actions (self);
  sl_window_health_changed (self);
  sl_window_offer_changed (self);
  sl_window_show_offer (self);
  sl_window_keep_workspace (self); /* a run has a name there after its first update */
  if (sl_window_shows_overview (self))
    return;
  sl_window_runs_changed (self);
  sl_window_view_follow (self);
}

void
sl_window_changed (SlWindow *self)
{
  sl_window_show_page (self);
  sl_window_show_title (self);
  sl_window_show_banners (self);
  sl_window_show_running (self);
  sl_window_pair_changed (self);
  show_progress (self);
}

static void
on_state (SlWindow *self)
{
  if (!sl_window_shows_overview (self))
    sl_window_changed (self);
}

static void
on_progress (SlWindow *self)
{
  if (!sl_window_shows_overview (self))
    show_progress (self);
}

/* Keys belong to the plots, unless the user is at work elsewhere: Space on a header button
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
  if (sl_window_shows_overview (self))
    return;
  self->stated = 0;
  sl_window_keep_view (self);
  sl_window_view_follow (self);
  if (self->session == self->own)
    {
      sl_window_remake_restarted (self);
      sl_window_unseen_follow (self);
    }
  sl_window_paint_restarted (self);
  sl_window_changed (self);
  focus_plots (self);
}

static void
connect_session (SlWindow *self, SlSession *session)
{
  g_signal_connect_swapped (session, "state", G_CALLBACK (on_state), self);
  g_signal_connect_swapped (session, "progress", G_CALLBACK (on_progress), self);
  g_signal_connect_swapped (session, "restarted", G_CALLBACK (on_restarted), self);
  g_signal_connect_swapped (session, "pictured", G_CALLBACK (sl_window_pictured), self);
  sl_sidebar_set_session (self->sidebar, session);
  sl_plot_grid_set_session (self->grid, session);
  sl_timeline_set_session (self->timeline, session);
  g_signal_connect_swapped (session, "restarted", G_CALLBACK (sl_window_arrange_panels), self);
  g_signal_connect_swapped (session, "restarted", G_CALLBACK (sl_window_pins_restarted), self);
  g_signal_connect_swapped (session, "restarted", G_CALLBACK (sl_window_view_restarted), self);
  g_signal_connect_swapped (session, "restarted", G_CALLBACK (sl_window_offer_back), self);
  /* After sidebar and plots: no frame may show what a question asks the user to guess. */
  g_signal_connect_swapped (session, "restarted", G_CALLBACK (sl_window_lesson_set_stage), self);
}

void
sl_window_set_session (SlWindow *self, SlSession *session)
{
  sl_window_keep_view (self);
  sl_window_view_forget (self);
  sl_window_pair_left (self, session);
  if (self->session != session)
    {
      if (self->session != NULL)
        g_signal_handlers_disconnect_by_data (self->session, self);
      sl_window_pins_left (self);
      g_set_object (&self->session, session);
      connect_session (self, session);
      sl_window_arrange_panels (self);
    }
  on_restarted (self);
}
