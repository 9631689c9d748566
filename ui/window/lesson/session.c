/* SPDX-License-Identifier: MIT
 *
 * The session that lessons run in.  It is not the window's own, so that data, seeds, limits and changes of
 * a lesson stay in it.  */
#include "core/run/lesson/walk.h"
#include "ui/window/lesson/private.h"

/* Each lesson begins with one that has made no run. */
void
sl_window_lesson_renew (SlWindow *self)
{
  Lesson *lesson = sl_window_lesson (self);
  g_autoptr (SlSession) old = g_steal_pointer (&lesson->session);

  lesson->session = sl_session_new ();
  sl_session_set_threads (lesson->session, SL_LESSON_THREADS);
  lesson->held = FALSE;
  sl_session_set_store (lesson->session, sl_window_get_store (self));
  if (old == NULL)
    return;
  sl_session_ask_to_stop (old);
  if (sl_window_get_session (self) == old)
    sl_window_set_session (self, lesson->session);
}

void
sl_window_lesson_show (SlWindow *self)
{
  Lesson *lesson = sl_window_lesson (self);

  if (lesson->session == NULL)
    sl_window_lesson_renew (self);
  sl_window_show_other (self, lesson->session);
  if (lesson->held)
    sl_session_run (lesson->session);
  lesson->held = FALSE;
}

SlSession *
sl_window_get_lesson_session (SlWindow *self)
{
  return sl_window_lesson (self)->session;
}

gboolean
sl_window_is_lesson (SlWindow *self)
{
  SlSession *session = sl_window_get_lesson_session (self);

  return session != NULL && sl_window_get_session (self) == session
         && !sl_window_shows_overview (self);
}

/* A lesson that goes to another place by itself is not left. */
void
sl_window_leave_lesson_for (SlWindow *self, SlSession *shown)
{
  Lesson *lesson = sl_window_lesson (self);

  if (shown != NULL && shown == lesson->session)
    return;
  gtk_widget_activate_action (GTK_WIDGET (self), "win.lesson-leave", NULL);
  if (lesson->session == NULL || !sl_session_goes (lesson->session))
    return;
  lesson->held = TRUE;
  sl_session_pause (lesson->session);
}

gboolean
sl_window_lesson_goes (SlWindow *self)
{
  Lesson *lesson = sl_window_lesson (self);

  return lesson->session != NULL
         && (lesson->held || sl_session_state (lesson->session) == SL_RUNNING);
}
