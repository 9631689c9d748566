/* SPDX-License-Identifier: MIT
 *
 * Runs of a session on their way into a store.  An earlier run keeps its pen until the worker has
 * given it back, because its last samples and checkpoint come after the new one was begun.  */
#include "core/run/session/private.h"

#include <math.h>
#include <stdlib.h>

#include "core/run/record/outcome.h"

static SlPen *
pen_of (SlSession *self, unsigned generation)
{
  for (guint i = self->pens->len; i-- > 0;)
    if (g_array_index (self->pens, SlPen, i).generation == generation)
      return &g_array_index (self->pens, SlPen, i);
  return NULL;
}

static void
put_status (SlPen *pen, SlRunStatus status, const char *problem)
{
  pen->running = status == SL_RUN_RUNNING;
  sl_keeper_status (pen->keeper, status, problem);
}

static SlKeeper *
pen_new (SlSession *self, const char *uuid)
{
  return sl_keeper_new (self->store, uuid, &self->recipe, &self->record.layout, NULL, self->place);
}

/* The pen of this run, written as `uuid` (NULL: a new name) with all that there is so far. */
static void
begin_late (SlSession *self, const char *uuid)
{
  SlPen pen = { .generation = self->generation, .steps = self->info.step };

  pen.keeper = pen_new (self, uuid);
  sl_keeper_record (pen.keeper, &self->record);
  sl_keeper_tick (pen.keeper, self->info.step, self->info.seconds);
  put_status (&pen,
              self->state == SL_RUNNING    ? SL_RUN_RUNNING
              : self->state == SL_FINISHED ? SL_RUN_FINISHED
              : self->state == SL_DIVERGED ? SL_RUN_DIVERGED
                                           : SL_RUN_PAUSED,
              NULL);
  g_array_append_val (self->pens, pen);
}

static void
write_scores (SlPen *pen, unsigned split, bool known)
{
  static const char *const splits[SL_N_SPLITS]
    = { [SL_TRAIN] = "train", [SL_VALID] = "valid", [SL_TEST] = "test" };

  for (unsigned i = 0; i < pen->n_scores[split]; i++)
    {
      const SlScore   *score = &pen->score[split][i];
      g_autofree char *name = g_strconcat (splits[split], ".", score->id, NULL);

      sl_keeper_figure (pen->keeper, name, known ? score->value : NAN);
    }
}

/* Scores of an earlier state than the run is left in are none of it. */
static void
forget_scores (SlPen *pen, uint64_t before)
{
  for (unsigned split = 0; split < SL_N_SPLITS; split++)
    if (pen->scored[split] < before)
      {
        write_scores (pen, split, false);
        pen->n_scores[split] = 0;
      }
}

static void
drop_pen (SlSession *self, SlPen *pen)
{
  forget_scores (pen, pen->steps);
  if (pen->running)
    put_status (pen, SL_RUN_PAUSED, NULL);
  if (pen->steps == 0)
    sl_keeper_discard (pen->keeper);
  sl_keeper_free (pen->keeper);
  g_array_remove_index (self->pens, (guint) (pen - (SlPen *) self->pens->data));
}

/* Changes and flags that the file does not have. */
static void
write_changes (SlSession *self, SlPen *pen)
{
  if (pen->generation != self->generation)
    return;
  sl_keeper_flags (pen->keeper, &self->record);
  if (pen->recipe_due)
    sl_keeper_recipe (pen->keeper, &self->recipe);
  pen->recipe_due = false;
}

void
sl_session_keep_leave (SlSession *self)
{
  SlPen *pen = pen_of (self, self->generation);

  if (pen != NULL)
    write_changes (self, pen);
}

static void
ask_for_checkpoints (SlSession *self)
{
  SlCommand command = { .kind = SL_COMMAND_KEEP, .on = self->store != NULL };

  if (self->record.lab != NULL)
    sl_session_send (self, command);
  else
    sl_session_post (self, command);
}

void
sl_session_keep_nothing (SlSession *self)
{
  sl_session_keep_leave (self);
  while (self->pens->len > 0)
    drop_pen (self, &g_array_index (self->pens, SlPen, 0));
  if (self->store != NULL)
    g_signal_handlers_disconnect_by_data (self->store, self);
  g_clear_object (&self->store);
}

void
sl_session_set_store (SlSession *session, SlStore *store)
{
  if (session->store == store)
    return;
  sl_session_keep_nothing (session);
  if (store != NULL)
    {
      session->store = g_object_ref (store);
      /* A drain looks whether there is something to write again. */
      g_signal_connect_swapped (store, "trouble", G_CALLBACK (sl_session_schedule), session);
    }
  if (store != NULL && session->record.lab != NULL)
    begin_late (session, NULL);
  ask_for_checkpoints (session);
}

SlStore *
sl_session_store (SlSession *session)
{
  return session->store;
}

const char *
sl_session_uuid (SlSession *session)
{
  SlPen *pen = pen_of (session, session->generation);

  return pen != NULL ? sl_keeper_uuid (pen->keeper) : NULL;
}

void
sl_session_keep_now (SlSession *session)
{
  if (session->store != NULL && session->record.lab != NULL)
    ask_for_checkpoints (session);
}

unsigned
sl_session_kept (SlSession *session)
{
  SlPen *pen = pen_of (session, session->generation);

  return pen != NULL ? pen->checkpoints : 0;
}

void
sl_session_take_record (SlSession *self, SlStoredRun *stored, SlRecord *record)
{
  *record = stored->record;
  record->generation = self->generation + 1;
  stored->record = (SlRecord) { 0 };
}

static void
copy_checkpoint (SlPen *pen, const SlStoredRun *stored, unsigned flags)
{
  SlCheckpoint copy = { .step = stored->checkpoint.step, .bytes = stored->checkpoint.bytes };

  copy.data = copy.bytes > 0 ? malloc (copy.bytes) : NULL;
  if (copy.data == NULL)
    return;
  memcpy (copy.data, stored->checkpoint.data, copy.bytes);
  sl_keeper_checkpoint (pen->keeper, &copy, stored->changes, flags, stored->seconds);
}

void
sl_session_keep_begin (SlSession *self, const SlStoredRun *stored)
{
  SlPen pen = { .generation = self->generation, .running = true };

  if (self->store == NULL)
    return;
  for (guint i = self->pens->len; stored != NULL && i-- > 0;)
    {
      SlPen *earlier = &g_array_index (self->pens, SlPen, i);

      /* The same run from another point: one pen at a time. */
      if (strcmp (sl_keeper_uuid (earlier->keeper), stored->uuid) == 0)
        drop_pen (self, earlier);
    }
  if (stored != NULL && stored->uuid[0] == '\0')
    {
      pen.keeper = pen_new (self, NULL);
      pen.steps = stored->checkpoint.step;
      sl_keeper_record (pen.keeper, &self->record);
      sl_keeper_tick (pen.keeper, stored->checkpoint.step, stored->seconds);
      copy_checkpoint (&pen, stored, self->record.n_flags);
    }
  else if (stored != NULL)
    {
      pen.keeper = sl_keeper_resume (self->store, stored->uuid, &self->record,
                                     stored->checkpoint.step, stored->seconds);
      pen.steps = stored->checkpoint.step;
    }
  else
    pen.keeper = pen_new (self, NULL);
  g_array_append_val (self->pens, pen);
}

void
sl_session_keep_sample (SlSession *self, const SlSample *sample)
{
  SlPen *pen = self->pens->len > 0 ? pen_of (self, sample->generation) : NULL;

  if (pen == NULL)
    return;
  pen->steps = sample->step;
  sl_keeper_sample (pen->keeper, sample);
}

static void
keep_checkpoint (SlSession *self, const SlEvent *event)
{
  SlPen *pen = pen_of (self, event->generation);

  /* How many changes an earlier run had when it was left is known no more; its samples are. */
  if (pen != NULL && event->generation == self->generation)
    {
      write_changes (self, pen);
      pen->steps = event->step;
      pen->checkpoints++;
      sl_keeper_tick (pen->keeper, event->step, event->seconds);
      sl_keeper_checkpoint (pen->keeper, event->checkpoint, self->recipe.changes->len,
                            self->record.n_flags, event->seconds);
    }
  sl_checkpoint_clear (event->checkpoint);
  free (event->checkpoint);
}

/* The worker has given a run back. */
static void
keep_retired (SlSession *self, SlRun *run)
{
  SlPen *pen = pen_of (self, run->generation);

  if (pen != NULL)
    drop_pen (self, pen);
  sl_run_free (run);
}

static void
keep_mode (SlSession *self, SlPen *pen, const SlEvent *event)
{
  static const SlRunStatus statuses[] = {
    [SL_WORKER_PAUSED] = SL_RUN_PAUSED,
    [SL_WORKER_RUNNING] = SL_RUN_RUNNING,
    [SL_WORKER_DIVERGED] = SL_RUN_DIVERGED,
    [SL_WORKER_FINISHED] = SL_RUN_FINISHED,
  };
  char sentence[512];

  write_changes (self, pen);
  if (!event->visiting)
    sl_keeper_tick (pen->keeper, event->step, event->seconds);
  put_status (pen, statuses[event->mode],
              sl_ok (&event->status) ? NULL
                                     : sl_status_text (&event->status, sentence, sizeof sentence));
}

/* With them goes what the clock said, if anybody had asked it. */
static void
keep_scores (SlSession *self, SlPen *pen, const SlEvent *event)
{
  SlOutcome outcome;

  if (event->visiting || !sl_ok (&event->status))
    return;
  pen->scored[event->split] = event->step;
  pen->n_scores[event->split] = event->n_scores;
  memcpy (pen->score[event->split], event->score, sizeof event->score);
  write_scores (pen, event->split, true);
  if (event->generation != self->generation)
    return;
  sl_outcome_read (&outcome, &self->record, NULL, 0);
  if (isfinite (outcome.timed))
    sl_keeper_figure (pen->keeper, "outcome.timed", outcome.timed);
}

void
sl_session_keep_event (SlSession *self, const SlEvent *event)
{
  SlPen *pen = pen_of (self, event->generation);

  if (event->kind == SL_EVENT_RETIRED)
    keep_retired (self, event->run);
  else if (event->kind == SL_EVENT_KEPT)
    keep_checkpoint (self, event);
  else if (pen != NULL)
    switch (event->kind)
      {
      case SL_EVENT_MODE: keep_mode (self, pen, event); break;
      case SL_EVENT_SET:
        pen->recipe_due = sl_ok (&event->status) || pen->recipe_due;
        forget_scores (pen, UINT64_MAX);
        break;
      case SL_EVENT_SCORED: keep_scores (self, pen, event); break;
      case SL_EVENT_RESTORED:
        forget_scores (pen, UINT64_MAX);
        sl_keeper_truncate (pen->keeper, event->step, self->record.n_flags);
        pen->steps = event->step;
        pen->recipe_due = true;
        write_changes (self, pen);
        break;
      case SL_EVENT_PICTURED:
      case SL_EVENT_RETIRED:
      case SL_EVENT_KEPT: break;
      }
}

/* The store was in trouble and works again: the run is written once more, from the beginning. */
static void
write_again (SlSession *self, SlPen *pen)
{
  char uuid[SL_UUID];

  g_strlcpy (uuid, sl_keeper_uuid (pen->keeper), sizeof uuid);
  sl_keeper_free (pen->keeper);
  g_array_remove_index (self->pens, (guint) (pen - (SlPen *) self->pens->data));
  begin_late (self, uuid);
  ask_for_checkpoints (self);
}

void
sl_session_keep_up (SlSession *self)
{
  SlPen *pen = self->pens->len > 0 ? pen_of (self, self->generation) : NULL;

  if (pen == NULL)
    return;
  if (sl_keeper_lost (pen->keeper) && sl_store_trouble (self->store) == NULL)
    write_again (self, pen);
  else
    {
      if (sl_keeper_is_due (pen->keeper))
        write_changes (self, pen);
      sl_keeper_tick (pen->keeper, sl_session_present (self), self->info.seconds);
    }
}

void
sl_session_keep_end (SlSession *self)
{
  SlPen *pen = pen_of (self, self->generation);

  if (pen == NULL)
    return;
  write_changes (self, pen);
  sl_keeper_tick (pen->keeper, sl_session_present (self), self->info.seconds);
  if (pen->running)
    put_status (pen, SL_RUN_PAUSED, NULL);
}

void
sl_session_resume (SlSession *session, SlStoredRun *run, gboolean go)
{
  SlRequest *request = sl_request_new (run->recipe.lab, &run->recipe.settings, run->recipe.seed);

  request->run = go;
  request->recipe.threads = run->recipe.threads;
  if (run->recipe.changes != NULL)
    request->recipe.changes = g_array_copy (run->recipe.changes);
  sl_session_choose_data (session, request, run->recipe.data[0] != '\0' ? run->recipe.data : NULL);
  request->stored = sl_stored_run_share (run);
  sl_session_want (session, request);
  sl_session_tell (session);
}
