/* SPDX-License-Identifier: MIT
 *
 * Taking back changes of parameters, and making them again: one entry for each drag of a slider.
 */
#include "core/run/session/private.h"

#include <string.h>

/* The oldest are dropped. */
static void
append (GArray *edits, const SlEdit *edit)
{
  if (edits->len == SL_EDITS_MOST)
    g_array_remove_index (edits, 0);
  g_array_append_vals (edits, edit, 1);
}

void
sl_session_undo_note (SlSession *self, unsigned param, const SlValue *from, const SlValue *to,
                      uint64_t step, gboolean same_drag)
{
  GArray *undo = self->edits.lists.undo;
  SlEdit  edit = { .param = param,
                   .from = *from,
                   .to = *to,
                   .step = step,
                   .ended = self->record.lab->params[param].effect == SL_RESTART };

  if (self->edits.busy)
    return;
  self->edits.due = true;
  g_array_set_size (self->edits.lists.redo, 0);
  if (same_drag && undo->len > 0 && g_array_index (undo, SlEdit, undo->len - 1).param == param)
    {
      g_array_index (undo, SlEdit, undo->len - 1).to = *to;
      return;
    }
  append (undo, &edit);
}

/* The place of the change that another run is being made for, behind which are later ones of the old run; the length
 * where none is.  */
static guint
being_made (SlSession *self)
{
  const SlRequest *wanted = self->loading.wanted;
  GArray          *undo = self->edits.lists.undo;
  guint            i = undo->len;

  if (wanted == NULL
      || (wanted->cause != SL_FOR_EDIT
          && (wanted->cause != SL_FOR_UNDO || self->edits.turned != undo)))
    return undo->len;
  while (i > 0 && !g_array_index (undo, SlEdit, i - 1).ended)
    i--;
  return i > 0 ? i - 1 : undo->len;
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
  GArray *undo = self->edits.lists.undo;

  self->edits.due = true;
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
  if (left[0] != '\0' || edit.kind == SL_EDIT_VALUE)
    append (to, &edit);
}

/* The change that begins another run was noted when it was made; this is the run that it ended. */
static void
name_ended (GArray *undo, const char *left)
{
  while (undo->len > 0 && !last_of (undo)->ended)
    g_array_set_size (undo, undo->len - 1);
  if (undo->len > 0)
    g_strlcpy (last_of (undo)->run, left, SL_UUID);
}

/* No run could be made for the change: it is in no list, or again in the one it came from.  What was changed
 * of the run meanwhile stays, as that goes on.  */
void
sl_session_undo_refused (SlSession *self, SlRequestCause cause)
{
  GArray *undo = self->edits.lists.undo, *redo = self->edits.lists.redo;
  GArray *noted = cause == SL_FOR_UNDO ? self->edits.turned : undo;
  guint   i = noted != NULL ? noted->len : 0;
  SlEdit  edit;

  while (i > 0 && !g_array_index (noted, SlEdit, i - 1).ended)
    i--;
  if (cause == SL_FOR_ITSELF || i == 0 || g_array_index (noted, SlEdit, i - 1).run[0] != '\0')
    return;
  edit = g_array_index (noted, SlEdit, i - 1);
  g_array_remove_index (noted, i - 1);
  if (cause == SL_FOR_UNDO)
    append (noted == redo ? undo : redo, &edit);
  self->edits.due = true;
}

static guint
find_left (SlSession *self, const SlLab *lab)
{
  guint i = 0;

  while (i < self->edits.left->len && g_array_index (self->edits.left, SlLeft, i).lab != lab)
    i++;
  return i;
}

const char *
sl_session_run_left (SlSession *session, const SlLab *lab, gboolean *running)
{
  guint i = find_left (session, lab);

  if (i == session->edits.left->len)
    return NULL;
  *running = g_array_index (session->edits.left, SlLeft, i).running;
  return g_array_index (session->edits.left, SlLeft, i).uuid;
}

void
sl_session_forget_left (SlSession *session, const SlLab *lab)
{
  guint i = find_left (session, lab);

  if (i < session->edits.left->len)
    g_array_remove_index_fast (session->edits.left, i);
}

void
sl_session_set_left (SlSession *session, const SlLab *lab, const char *uuid, gboolean running)
{
  SlLeft left = { .lab = lab, .running = running };

  g_strlcpy (left.uuid, uuid, sizeof left.uuid);
  sl_session_forget_left (session, lab);
  g_array_append_val (session->edits.left, left);
}

/* What can be taken back belongs to a lab: that of the old run is in the store with it, and so is that of
 * a run that was stored.  */
static void
change_lab (SlSession *self, SlRequest *begun, const char *left)
{
  if (left[0] != '\0')
    sl_session_set_left (self, self->record.lab, left, self->state == SL_RUNNING);
  sl_session_forget_left (self, begun->recipe.lab);
  sl_session_undo_forget (self);
  if (begun->stored == NULL || begun->stored->edits.undo == NULL)
    return;
  sl_edits_clear (&self->edits.lists);
  self->edits.lists = begun->stored->edits;
  begun->stored->edits = (SlEdits) { 0 };
  self->edits.due = false;
}

void
sl_session_undo_replaced (SlSession *self, SlEditKind kind, uint64_t step, const char *left)
{
  SlEdit edit = { .kind = kind, .ended = true, .step = step };
  guint  at = being_made (self);

  g_array_set_size (self->edits.lists.redo, 0);
  g_strlcpy (edit.run, left, SL_UUID);
  g_array_insert_val (self->edits.lists.undo, at, edit);
  if (self->edits.lists.undo->len > SL_EDITS_MOST)
    g_array_remove_index (self->edits.lists.undo, 0);
  self->edits.due = true;
}

/* The kind of edit that the user would call the change from this run to the one that begins. */
static SlEditKind
kind_of (SlSession *self, const SlRequest *begun)
{
  const char *data = begun->data != NULL && begun->data->set != NULL ? begun->data->set->id : "";

  if (begun->stored != NULL)
    return SL_EDIT_OPENED;
  if (self->recipe.data[0] != '\0' && strcmp (self->recipe.data, data) != 0)
    return SL_EDIT_DATA;
  return self->recipe.seed != begun->recipe.seed ? SL_EDIT_SEED : SL_EDIT_ANEW;
}

void
sl_session_undo_left (SlSession *self, SlRequest *begun, const char *left)
{
  GArray     *undo = self->edits.lists.undo, *redo = self->edits.lists.redo;
  const char *uuid = begun->stored != NULL ? begun->stored->uuid : "";

  self->edits.due = true;
  if (begun->recipe.lab != self->record.lab)
    change_lab (self, begun, left);
  else if (uuid[0] != '\0' && g_strcmp0 (run_of (undo), uuid) == 0)
    turn_back (undo, redo, left);
  else if (uuid[0] != '\0' && g_strcmp0 (run_of (redo), uuid) == 0)
    turn_back (redo, undo, left);
  else if (begun->cause == SL_FOR_EDIT)
    name_ended (undo, left);
  else if (begun->cause == SL_FOR_UNDO)
    name_ended (self->edits.turned, left);
  else if (left[0] != '\0')
    sl_session_undo_replaced (self, kind_of (self, begun), sl_session_present (self), left);
  else
    sl_session_undo_forget (self);
}

const char *
sl_session_undo_run (SlSession *session)
{
  return run_of (session->edits.lists.undo);
}

const char *
sl_session_redo_run (SlSession *session)
{
  return run_of (session->edits.lists.redo);
}

void
sl_session_undo_forget (SlSession *self)
{
  g_array_set_size (self->edits.lists.undo, 0);
  g_array_set_size (self->edits.lists.redo, 0);
  self->edits.due = true;
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

  if (lab == NULL || session->loading.wanted != NULL || sl_session_undo_run (session) != NULL)
    return FALSE;
  sl_session_keep_edits (session);
  if (!take_last (session->edits.lists.undo, &edit))
    return FALSE;
  session->edits.due = true;
  sl_change_marker_text (&lab->params[edit.param], &edit.to, &edit.from, text);
  append (session->edits.lists.redo, &edit);
  session->edits.turned = session->edits.lists.redo;
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

  if (lab == NULL || session->loading.wanted != NULL || sl_session_redo_run (session) != NULL)
    return FALSE;
  sl_session_keep_edits (session);
  if (!take_last (session->edits.lists.redo, &edit))
    return FALSE;
  session->edits.due = true;
  sl_change_marker_text (&lab->params[edit.param], &edit.from, &edit.to, text);
  edit.step = session->info.step;
  append (session->edits.lists.undo, &edit);
  session->edits.turned = session->edits.lists.undo;
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
  return can_take (session, session->edits.lists.undo);
}

gboolean
sl_session_can_redo (SlSession *session)
{
  return can_take (session, session->edits.lists.redo);
}
