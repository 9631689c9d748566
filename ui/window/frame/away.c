/* SPDX-License-Identifier: MIT
 *
 * The runs of the start page rest while the person is at work in another window.  */
#include <glib/gi18n.h>

#include "ui/window/frame/frame.h"

enum { REST_AFTER = 60 /* s */ };

typedef struct SlWindowAway
{
  guint    timer;
  SlGroup *resting; /* what was paused for this, or NULL */
} Away;

static Away *
away_of (SlWindow *self)
{
  return sl_window_parts (self)->away;
}

static void
come_back (SlWindow *self)
{
  Away *away = away_of (self);

  g_clear_handle_id (&away->timer, g_source_remove);
  if (away->resting != NULL && away->resting == sl_stage_shown_group (sl_window_stage (self))
      && sl_window_shows_overview (self) && !sl_group_is_running (away->resting))
    sl_group_run (away->resting);
  if (away->resting != NULL)
    sl_overview_set_resting (sl_window_get_overview (self), FALSE);
  g_clear_object (&away->resting);
}

static gboolean
on_timer (gpointer window)
{
  Away    *away = away_of (window);
  SlGroup *group = sl_stage_shown_group (sl_window_stage (window));

  away->timer = 0;
  if (sl_window_shows_overview (window) && sl_group_is_running (group))
    {
      away->resting = g_object_ref (group);
      sl_group_pause (group);
      sl_overview_set_resting (sl_window_get_overview (window), TRUE);
    }
  return G_SOURCE_REMOVE;
}

/* A window that never had the focus is not one that was left. */
static void
on_active (SlWindow *self)
{
  if (gtk_window_is_active (GTK_WINDOW (self)))
    come_back (self);
  else if (away_of (self)->timer == 0)
    away_of (self)->timer = g_timeout_add_seconds (REST_AFTER, on_timer, self);
}

void
sl_window_add_away (SlWindow *self)
{
  sl_window_parts (self)->away = g_new0 (Away, 1);
  g_signal_connect (self, "notify::is-active", G_CALLBACK (on_active), NULL);
}

void
sl_window_drop_away (SlWindow *self)
{
  Away *away = away_of (self);

  g_signal_handlers_disconnect_by_func (self, on_active, NULL);
  g_clear_handle_id (&away->timer, g_source_remove);
  g_clear_object (&away->resting);
  g_clear_pointer (&sl_window_parts (self)->away, g_free);
}
