/* SPDX-License-Identifier: MIT
 *
 * Taking back changes of parameters, and making them again: one entry for each drag of a slider.
 */
#include "core/run/session/private.h"

enum { UNDO_MOST = 200 };

void
sl_session_undo_note (SlSession *self, unsigned param, const SlValue *from, const SlValue *to,
                      uint64_t step, gboolean same_drag)
{
  GArray *undo = self->edits.undo;
  SlEdit  edit = { .param = param, .from = *from, .to = *to, .step = step };

  if (self->edits.busy)
    return;
  g_array_set_size (self->edits.redo, 0);
  if (same_drag && undo->len > 0 && g_array_index (undo, SlEdit, undo->len - 1).param == param)
    {
      g_array_index (undo, SlEdit, undo->len - 1).to = *to;
      return;
    }
  if (undo->len == UNDO_MOST)
    g_array_remove_index (undo, 0);
  g_array_append_val (undo, edit);
}

/* The changes made from `step` on were taken back with the updates. */
void
sl_session_undo_restored (SlSession *self, uint64_t step)
{
  while (self->edits.undo->len > 0
         && g_array_index (self->edits.undo, SlEdit, self->edits.undo->len - 1).step >= step)
    g_array_set_size (self->edits.undo, self->edits.undo->len - 1);
}

void
sl_session_undo_forget (SlSession *self)
{
  g_array_set_size (self->edits.undo, 0);
  g_array_set_size (self->edits.redo, 0);
}

/* Sets a value without that being something to take back. */
static gboolean
put (SlSession *self, const SlEdit *edit, const SlValue *value)
{
  gboolean fine;

  self->edits.busy = true;
  fine = sl_session_set (self, self->record.lab->params[edit->param].id, value, NULL);
  self->edits.busy = false;
  self->edits.sent = self->commands.set_sent[edit->param];
  self->asked.until = 0; /* what is changed next is no part of it */
  self->notices |= SL_NOTICE_STATE;
  sl_session_notify (self);
  return fine;
}

static gboolean
take_last (GArray *from, SlEdit *edit)
{
  if (from->len == 0)
    return FALSE;
  *edit = g_array_index (from, SlEdit, from->len - 1);
  g_array_set_size (from, from->len - 1);
  return TRUE;
}

gboolean
sl_session_undo (SlSession *session, gboolean rewind, char text[SL_CHANGE_MARKER_TEXT])
{
  const SlLab *lab = session->record.lab;
  gboolean     running = session->state == SL_RUNNING;
  SlEdit       edit;

  if (lab == NULL || session->loading.wanted != NULL || !take_last (session->edits.undo, &edit))
    return FALSE;
  sl_change_marker_text (&lab->params[edit.param], &edit.to, &edit.from, text);
  g_array_append_val (session->edits.redo, edit);
  /* By the step itself: how many updates that is, only the trainer knows. */
  if (rewind && lab->params[edit.param].effect == SL_LIVE
      && sl_session_go_back (session, &(SlCommand) { .kind = SL_COMMAND_REWIND,
                                                     .step = edit.step,
                                                     .param = edit.param,
                                                     .value = edit.from }))
    {
      session->edits.sent = session->commands.mode_sent;
      if (running)
        sl_session_run (session);
      return TRUE;
    }
  return put (session, &edit, &edit.from);
}

gboolean
sl_session_redo (SlSession *session, char text[SL_CHANGE_MARKER_TEXT])
{
  const SlLab *lab = session->record.lab;
  SlEdit       edit;

  if (lab == NULL || session->loading.wanted != NULL || !take_last (session->edits.redo, &edit))
    return FALSE;
  sl_change_marker_text (&lab->params[edit.param], &edit.from, &edit.to, text);
  edit.step = session->info.step;
  g_array_append_val (session->edits.undo, edit);
  return put (session, &edit, &edit.to);
}

gboolean
sl_session_can_undo (SlSession *session)
{
  return session->edits.undo->len > 0 && session->loading.wanted == NULL;
}

gboolean
sl_session_can_redo (SlSession *session)
{
  return session->edits.redo->len > 0 && session->loading.wanted == NULL;
}
