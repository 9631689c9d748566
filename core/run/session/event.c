/* SPDX-License-Identifier: MIT
 *
 * What the worker reports: settings, flags, states and scores follow.  */
#include <stdlib.h>

#include "core/run/record/coming.h"
#include "core/run/session/private.h"

/* ---- flags ---- */

static void
flag_change (SlSession *self, const SlEvent *event, const SlValue *from)
{
  unsigned       param = event->param;
  const SlValue *to = &event->value;
  uint64_t       step = event->step;
  const SlParam *what = &self->record.lab->params[param];
  SlRecord      *record = &self->record;
  gint64         now = g_get_monotonic_time ();
  gboolean       going_on
    = event->drag != 0 ? event->drag == self->marked.drag : now < self->marked.until;
  gboolean undone = event->number == self->edits.sent, same_drag;
  char     text[SL_CHANGE_MARKER_TEXT];

  same_drag = going_on && !undone && self->marked.param == param && record->n_flags > 0;
  if (!same_drag)
    self->marked.from = *from;
  self->marked.param = param;
  self->marked.drag = undone ? 0 : event->drag;
  self->marked.until = undone ? 0 : now + SL_SESSION_DRAG_US;
  /* A run that was gone on with brought what can be taken back of the changes it makes again. */
  if (!undone && (event->drag != 0 || self->is_new))
    sl_session_undo_note (self, param, from, to, step, same_drag);
  sl_change_marker_text (what, &self->marked.from, to, text);
  if (!same_drag)
    sl_record_mark (record, (double) step + 1.0, text);
  else
    memcpy (record->flag[record->n_flags - 1].text, text, sizeof text);
  self->notices |= SL_NOTICE_MARKED | SL_NOTICE_STATE;
}

/* ---- events ---- */

static void
on_mode (SlSession *self, const SlEvent *event)
{
  static const SlSessionState states[] = {
    [SL_WORKER_PAUSED] = SL_PAUSED,
    [SL_WORKER_RUNNING] = SL_RUNNING,
    [SL_WORKER_DIVERGED] = SL_DIVERGED,
    [SL_WORKER_FINISHED] = SL_FINISHED,
  };

  if (!sl_ok (&event->status))
    sl_session_fail (self, &event->status);
  self->info.ended = event->mode == SL_WORKER_FINISHED ? event->status.found : SL_NO_MESSAGE;
  /* Later commands will be reported, too. */
  if (event->number >= self->commands.mode_sent)
    sl_session_set_state (self, states[event->mode]);
}

static void
on_set (SlSession *self, const SlEvent *event)
{
  unsigned param = event->param;
  SlValue  before = self->effective->value[param];
  SlChange change = { .step = event->step, .param = param, .value = event->value };
  gboolean newest = event->number >= self->commands.set_sent[param];

  if (!sl_ok (&event->status))
    sl_session_fail (self, &event->status);
  else
    {
      self->effective->value[param] = event->value;
      sl_record_schedule (&self->record, self->effective);
      g_array_append_val (self->recipe.changes, change);
      if (!sl_lab_only_looks (self->record.lab, param))
        flag_change (self, event, &before);
      else
        self->notices |= SL_NOTICE_STATE;
    }
  if (newest && !sl_value_same (&self->settings.value[param], &self->effective->value[param]))
    {
      self->settings.value[param] = self->effective->value[param];
      self->notices |= SL_NOTICE_STATE;
    }
}

/* The worker went back to after `step` updates, before any change made there. */
static void
restore (SlSession *self, const SlEvent *event)
{
  GArray *changes = self->recipe.changes;
  guint   kept = 0;

  self->commands.restored = event->number;
  self->commands.course = event->course;
  sl_record_truncate (&self->record, (double) event->step);
  sl_moments_truncate (self->shown.moments.of, event->step);
  sl_kept_moments_write (&self->shown.moments, self->stored.store, sl_session_uuid (self));
  while (kept < changes->len && g_array_index (changes, SlChange, kept).step < event->step)
    kept++;
  g_array_set_size (changes, kept);
  *self->effective = sl_recipe_settings (&self->recipe, kept);
  sl_record_schedule (&self->record, self->effective);
  for (unsigned p = 0; p < self->record.lab->n_params; p++)
    if (event->number >= self->commands.set_sent[p])
      self->settings.value[p] = self->effective->value[p];
  self->rate.n = 0;
  self->marked.drag = 0;
  self->marked.until = 0;
  self->notices |= SL_NOTICE_CHANGED | SL_NOTICE_MARKED;
}

static void
on_restored (SlSession *self, const SlEvent *event)
{
  restore (self, event);
  sl_session_undo_restored (self, event->step);
}

/* What came after is a run of its own from now on, which the store has, and this one begins where it was
 * left: with a mark there.  */
static void
on_branched (SlSession *self, const SlEvent *event)
{
  char left[SL_UUID];

  sl_session_keep_branch (self, left);
  if (left[0] == '\0')
    {
      on_restored (self, event);
      return;
    }
  sl_session_undo_replaced (self, SL_EDIT_BRANCH, event->step, left);
  sl_record_clear (self->before);
  sl_record_copy (self->before, &self->record, &self->recipe.settings);
  restore (self, event);
  sl_record_mark (&self->record, (double) event->step + 1.0,
                  sl_message ("from update %llu", (unsigned long long) event->step).packed);
  self->info.step = event->step;
  self->info.seconds = event->seconds;
  self->past.visiting = false;
  self->is_new = true;
  sl_session_keep_late (self, NULL);
  self->notices |= SL_NOTICE_RESTARTED;
}

static void
on_scored (SlSession *self, const SlEvent *event)
{
  if (!sl_ok (&event->status))
    sl_session_fail (self, &event->status);
}

static void
on_timed (SlSession *self, const SlEvent *event)
{
  sl_record_time (&self->record, &event->times);
  self->notices |= SL_NOTICE_SAMPLES | SL_NOTICE_PROGRESS;
}

/* Keeps the recipe up to the update that the picture shows, however far the run is when the picture
 * is taken.  */
static void
on_pictured (SlSession *self, const SlEvent *event)
{
  if (!sl_ok (&event->status))
    {
      sl_session_fail (self, &event->status);
      return;
    }
  sl_bitmap_clear (&self->picture.bitmap);
  g_free (self->picture.recipe);
  self->picture.bitmap = *event->picture;
  *event->picture = (SlBitmap) { 0 };
  self->recipe.step = event->step;
  self->picture.recipe = sl_recipe_write (&self->recipe);
  self->notices |= SL_NOTICE_PICTURE;
}

static void
on_predicted (SlSession *self, const SlEvent *event)
{
  if (event->predictions == NULL || event->predictions->n == 0)
    return;
  g_free (self->shown.predictions);
  self->shown.predictions = g_memdup2 (event->predictions, sizeof *event->predictions);
  self->notices |= SL_NOTICE_PREDICTED;
}

void
sl_session_free_event (const SlEvent *event)
{
  if (event->picture != NULL)
    sl_bitmap_clear (event->picture);
  free (event->picture);
  free (event->predictions);
  if (event->checkpoint != NULL)
    sl_checkpoint_clear (event->checkpoint);
  free (event->checkpoint);
  sl_run_free (event->run);
}

static void
on_retired (SlSession *self, const SlEvent *event)
{
  if (event->run->trainer == NULL)
    return;
  sl_idle_put (&self->idle, g_memdup2 (event->run, sizeof *event->run));
  *event->run = (SlRun) { 0 };
}

void
sl_session_on_event (SlSession *self, const SlEvent *event)
{
  gboolean own = event->generation == self->generation;
  gboolean late = event->kind == SL_EVENT_RETIRED || event->kind == SL_EVENT_KEPT
                  || event->kind == SL_EVENT_VISITED;

  /* The run went back to its past, but another run had begun before this event was read. */
  if (!own && (event->kind == SL_EVENT_RESTORED || event->kind == SL_EVENT_BRANCHED))
    sl_session_keep_unchanged (self, event->generation);
  if (late || own)
    {
      switch (event->kind)
        {
        case SL_EVENT_MODE: on_mode (self, event); break;
        case SL_EVENT_SET: on_set (self, event); break;
        case SL_EVENT_RESTORED: on_restored (self, event); break;
        case SL_EVENT_BRANCHED: on_branched (self, event); break;
        case SL_EVENT_SCORED: on_scored (self, event); break;
        case SL_EVENT_TIMED: on_timed (self, event); break;
        case SL_EVENT_PICTURED: on_pictured (self, event); break;
        case SL_EVENT_PREDICTED: on_predicted (self, event); break;
        case SL_EVENT_RENEWED:
        case SL_EVENT_RETIRED:
        case SL_EVENT_VISITED:
        case SL_EVENT_KEPT: break;
        }
      sl_session_keep_event (self, event);
    }
  if (event->kind == SL_EVENT_RETIRED)
    on_retired (self, event);
  if (event->kind == SL_EVENT_RENEWED)
    sl_session_renewed (self, event);
  sl_session_free_event (event);
}
