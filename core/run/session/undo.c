/* SPDX-License-Identifier: MIT
 *
 * Taking back changes of parameters, and making them again: one entry for each drag of a slider.
 */
#include "core/run/session/private.h"

#include <string.h>

enum { UNDO_MOST = 200 };

/* The oldest give way. */
static void
append (GArray *edits, const SlEdit *edit)
{
  if (edits->len == UNDO_MOST)
    g_array_remove_index (edits, 0);
  g_array_append_vals (edits, edit, 1);
}

void
sl_session_undo_note (SlSession *self, unsigned param, const SlValue *from, const SlValue *to,
                      uint64_t step, gboolean same_drag)
{
  GArray *undo = self->edits.undo;
  SlEdit  edit = { .param = param,
                   .from = *from,
                   .to = *to,
                   .step = step,
                   .ended = self->record.lab->params[param].effect == SL_RESTART };

  if (self->edits.busy)
    return;
  g_array_set_size (self->edits.redo, 0);
  if (same_drag && undo->len > 0 && g_array_index (undo, SlEdit, undo->len - 1).param == param)
    {
      g_array_index (undo, SlEdit, undo->len - 1).to = *to;
      return;
    }
  append (undo, &edit);
}

/* The newest of a list, which has one. */
static SlEdit *
last_of (GArray *edits)
{
  return &g_array_index (edits, SlEdit, edits->len - 1);
}

/* The changes of this run made from `step` on were taken back with the updates. */
void
sl_session_undo_restored (SlSession *self, uint64_t step)
{
  GArray *undo = self->edits.undo;

  while (undo->len > 0 && !last_of (undo)->ended && last_of (undo)->step >= step)
    g_array_set_size (undo, undo->len - 1);
}

/* The run that the newest change of a list ended, where it is stored; else NULL. */
static const char *
run_of (GArray *edits)
{
  return edits->len > 0 && last_of (edits)->run[0] != '\0' ? last_of (edits)->run : NULL;
}

/* The newest change of `from` was taken back (or made again): the other way leads to `left`. */
static void
turn_back (GArray *from, GArray *to, const char *left)
{
  SlEdit edit = *last_of (from);

  g_array_set_size (from, from->len - 1);
  g_strlcpy (edit.run, left, SL_UUID);
  if (left[0] != '\0' || edit.param != SL_EDIT_RUN)
    append (to, &edit);
}

/* The change that begins another run was noted when it was asked for; this is the run that it ended. */
static void
name_ended (GArray *undo, const char *left)
{
  while (undo->len > 0 && !last_of (undo)->ended)
    g_array_set_size (undo, undo->len - 1);
  if (undo->len > 0)
    g_strlcpy (last_of (undo)->run, left, SL_UUID);
}

void
sl_left_free (gpointer data)
{
  SlLeft *left = data;

  g_array_unref (left->undo);
  g_array_unref (left->redo);
  g_free (left);
}

static SlLeft *
find_left (SlSession *self, const SlLab *lab)
{
  for (guint i = 0; i < self->edits.left->len; i++)
    {
      SlLeft *left = g_ptr_array_index (self->edits.left, i);

      if (left->lab == lab)
        return left;
    }
  return NULL;
}

/* What can be taken back belongs to a lab: that of the old one is put aside with its run, that of the
 * new one is there again if its run is the one that was left.  */
static void
change_lab (SlSession *self, const SlLab *lab, const char *begun, const char *left)
{
  SlLeft *old = g_new0 (SlLeft, 1), *now;

  *old = (SlLeft) { .lab = self->record.lab,
                    .running = self->state == SL_RUNNING,
                    .undo = self->edits.undo,
                    .redo = self->edits.redo };
  g_strlcpy (old->uuid, left, sizeof old->uuid);
  self->edits.undo = g_array_new (FALSE, FALSE, sizeof (SlEdit));
  self->edits.redo = g_array_new (FALSE, FALSE, sizeof (SlEdit));
  now = find_left (self, lab);
  if (now != NULL && begun[0] != '\0' && strcmp (now->uuid, begun) == 0)
    {
      GArray *undo = g_steal_pointer (&self->edits.undo), *redo = self->edits.redo;

      self->edits.undo = now->undo;
      self->edits.redo = now->redo;
      now->undo = undo;
      now->redo = redo;
    }
  if (now != NULL)
    g_ptr_array_remove_fast (self->edits.left, now);
  if (left[0] != '\0')
    g_ptr_array_add (self->edits.left, old);
  else
    sl_left_free (old);
}

const char *
sl_session_run_left (SlSession *session, const SlLab *lab, gboolean *running)
{
  const SlLeft *left = find_left (session, lab);

  if (left != NULL)
    *running = left->running;
  return left != NULL ? left->uuid : NULL;
}

void
sl_session_forget_left (SlSession *session, const SlLab *lab)
{
  SlLeft *left = find_left (session, lab);

  if (left != NULL)
    g_ptr_array_remove_fast (session->edits.left, left);
}

void
sl_session_undo_branched (SlSession *self, const char *left)
{
  SlEdit edit = { .param = SL_EDIT_RUN, .ended = true, .step = sl_session_present (self) };

  g_array_set_size (self->edits.redo, 0);
  g_strlcpy (edit.run, left, SL_UUID);
  append (self->edits.undo, &edit);
}

void
sl_session_undo_left (SlSession *self, const SlRequest *begun, const char *left)
{
  GArray     *undo = self->edits.undo, *redo = self->edits.redo;
  const char *uuid = begun->stored != NULL ? begun->stored->uuid : "";

  if (self->record.lab != NULL && begun->recipe.lab != self->record.lab)
    change_lab (self, begun->recipe.lab, uuid, left);
  else if (uuid[0] != '\0' && g_strcmp0 (run_of (undo), uuid) == 0)
    turn_back (undo, redo, left);
  else if (uuid[0] != '\0' && g_strcmp0 (run_of (redo), uuid) == 0)
    turn_back (redo, undo, left);
  else if (begun->cause == SL_FOR_EDIT)
    name_ended (undo, left);
  else if (begun->cause == SL_FOR_UNDO)
    name_ended (self->edits.turned, left);
  else if (left[0] != '\0')
    sl_session_undo_branched (self, left);
  else
    sl_session_undo_forget (self);
}

const char *
sl_session_undo_run (SlSession *session)
{
  return run_of (session->edits.undo);
}

const char *
sl_session_redo_run (SlSession *session)
{
  return run_of (session->edits.redo);
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

  if (lab == NULL || session->loading.wanted != NULL || sl_session_undo_run (session) != NULL
      || !take_last (session->edits.undo, &edit))
    return FALSE;
  sl_change_marker_text (&lab->params[edit.param], &edit.to, &edit.from, text);
  append (session->edits.redo, &edit);
  session->edits.turned = session->edits.redo;
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

  if (lab == NULL || session->loading.wanted != NULL || sl_session_redo_run (session) != NULL
      || !take_last (session->edits.redo, &edit))
    return FALSE;
  sl_change_marker_text (&lab->params[edit.param], &edit.from, &edit.to, text);
  edit.step = session->info.step;
  append (session->edits.undo, &edit);
  session->edits.turned = session->edits.undo;
  return put (session, &edit, &edit.to);
}

/* A run that is still being written can be gone back to in a moment. */
static gboolean
can_take (SlSession *session, GArray *edits)
{
  return edits->len > 0 && session->loading.wanted == NULL
         && (run_of (edits) == NULL || !sl_session_keeps_earlier (session, run_of (edits)));
}

gboolean
sl_session_can_undo (SlSession *session)
{
  return can_take (session, session->edits.undo);
}

gboolean
sl_session_can_redo (SlSession *session)
{
  return can_take (session, session->edits.redo);
}
