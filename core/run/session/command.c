/* SPDX-License-Identifier: MIT
 *
 * Commands from the session to its worker.  */
#include "core/run/session/private.h"

void
sl_session_flush (SlSession *self)
{
  guint n = 0;

  while (n < self->commands.backlog->len
         && sl_worker_send (self->worker, &g_array_index (self->commands.backlog, SlCommand, n)))
    n++;
  if (n > 0)
    g_array_remove_range (self->commands.backlog, 0, n);
}

/* Where the worker is so far behind that its ring is full, only the newest value of each
 * parameter is kept for it.  */
static void
put_off (SlSession *self, const SlCommand *command)
{
  for (guint i = self->commands.backlog->len; command->kind == SL_COMMAND_SET && i-- > 0;)
    {
      const SlCommand *earlier = &g_array_index (self->commands.backlog, SlCommand, i);

      if (earlier->kind != SL_COMMAND_SET)
        break;
      if (earlier->param == command->param)
        {
          g_array_remove_index (self->commands.backlog, i);
          break;
        }
    }
  g_array_append_val (self->commands.backlog, *command);
}

/* Numbers a command and puts it on its way, without waiting. */
uint64_t
sl_session_post (SlSession *self, SlCommand command)
{
  command.number = ++self->commands.sent;
  sl_session_flush (self);
  if (self->commands.backlog->len > 0 || !sl_worker_send (self->worker, &command))
    put_off (self, &command);
  return command.number;
}

/* The same to a worker that is awake. */
uint64_t
sl_session_send (SlSession *self, SlCommand command)
{
  uint64_t number = sl_session_post (self, command);

  if (!self->threaded && self->record.lab != NULL)
    {
      SlStatus status = sl_worker_start (self->worker);

      self->threaded = sl_ok (&status);
      if (self->threaded)
        sl_session_flush (self);
      else
        {
          sl_session_fail (self, &status);
          sl_session_set_state (self, SL_FAILED);
        }
    }
  sl_session_schedule (self);
  return number;
}

void
sl_session_send_mode (SlSession *self, SlCommandKind kind)
{
  self->commands.mode_sent = sl_session_send (self, (SlCommand) { .kind = kind });
}

/* Changes of one parameter in quick succession are one drag.  What counts is when the caller makes
 * them: a slow run may carry them out a long time apart.  */
static uint64_t
drag_of (SlSession *self, unsigned param)
{
  gint64 now = g_get_monotonic_time ();

  if (now >= self->asked.until || param != self->asked.param)
    self->asked.drag = self->commands.sent + 1;
  self->asked.param = param;
  self->asked.until = now + SL_SESSION_DRAG_US;
  return self->asked.drag;
}

void
sl_session_send_set (SlSession *self, unsigned param)
{
  self->commands.set_sent[param]
    = sl_session_send (self, (SlCommand) { .kind = SL_COMMAND_SET,
                                           .param = param,
                                           .value = self->settings.value[param],
                                           .drag = drag_of (self, param) });
}
