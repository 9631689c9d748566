/* SPDX-License-Identifier: MIT
 *
 * The window closes: its threads end, and what the next one needs is in the store.  */
#include "ui/window/controllers.h"

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
each_of_group (SlGroup *group, SlForSession what, gpointer data)
{
  for (unsigned i = 0; group != NULL && i < sl_group_size (group); i++)
    what (sl_group_session (group, i), data);
}

void
sl_window_each_session (SlWindow *self, SlForSession what, gpointer data)
{
  SlPair *pair;

  g_return_if_fail (SL_IS_WINDOW (self) && what != NULL);
  pair = sl_window_get_pair (self);
  what (sl_window_get_own (self), data);
  for (unsigned i = 0; pair != NULL && i < SL_PAIR_RUNS; i++)
    what (sl_pair_session (pair, i), data);
  each_of_group (sl_window_get_own_group (self), what, data);
  each_of_group (sl_window_get_lesson_group (self), what, data);
  if (sl_window_get_lesson_session (self) != NULL)
    what (sl_window_get_lesson_session (self), data);
  sl_window_unseen_each (self, what, data);
}

static void
ask_to_stop (SlSession *session, gpointer data)
{
  sl_session_ask_to_stop (session);
}

static void
leave (SlSession *session, gpointer deadline)
{
  sl_session_leave (session, *(const gint64 *) deadline);
}

static void
leave_group (SlGroup *group, gint64 deadline)
{
  if (group != NULL)
    sl_group_leave (group, deadline);
}

/* A window that closes waits this long for its threads, µs. */
enum { PATIENCE = 500000 };

/* All threads at once are asked to end, then waited for together. */
static void
leave_sessions (SlWindow *self)
{
  gint64 deadline = g_get_monotonic_time () + PATIENCE;

  sl_window_each_session (self, ask_to_stop, NULL);
  leave_group (sl_window_get_own_group (self), deadline);
  leave_group (sl_window_get_lesson_group (self), deadline);
  sl_window_each_session (self, leave, &deadline);
}

void
sl_window_leave (SlWindow *self)
{
  sl_window_remember_size (self);
  sl_window_hold_workspace (self);
  close_popovers (GTK_WIDGET (self));
  sl_window_keep_view (self);
  sl_runs_page_stop (sl_window_child (self, "runs"));
  leave_sessions (self);
  sl_window_keep_workspace (self);
}
