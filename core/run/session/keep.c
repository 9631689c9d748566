/* SPDX-License-Identifier: MIT
 *
 * Runs of a session on their way into a store.  An earlier run keeps its journal until the worker has
 * given it back, because its last samples and checkpoint come after the new one was begun.  */
#include "core/run/session/private.h"

#include <math.h>
#include <stdlib.h>

#include "core/run/record/outcome.h"
#include "core/run/session/look.h"
#include "core/run/store/workspace.h"

static SlJournal *
journal_of (SlSession *self, unsigned generation)
{
  for (guint i = self->stored.journals->len; i-- > 0;)
    if (g_array_index (self->stored.journals, SlJournal, i).generation == generation)
      return &g_array_index (self->stored.journals, SlJournal, i);
  return NULL;
}

static void
put_status (SlJournal *journal, SlRunStatus status, const char *problem)
{
  journal->running = status == SL_RUN_RUNNING;
  sl_writer_status (journal->writer, status, problem);
}

static SlWriter *
writer_new (SlSession *self, const char *uuid)
{
  return sl_writer_new (self->stored.store, uuid, &self->recipe, &self->record.layout, NULL,
                        self->stored.place);
}

/* Whether the present run is one that a store may do without if it stays short. */
static bool
is_look (const SlSession *self)
{
  return self->recipe.changes->len == 0 && sl_recipe_is_as_it_comes (&self->recipe);
}

/* Writes this run as `uuid` (NULL: a new name), beginning with everything recorded so far. */
void
sl_session_keep_late (SlSession *self, const char *uuid)
{
  SlJournal journal
    = { .generation = self->generation, .steps = self->info.step, .look = is_look (self) };

  journal.writer = writer_new (self, uuid);
  self->shown.moments.written = 0;
  sl_writer_record (journal.writer, &self->record);
  sl_writer_tick (journal.writer, self->info.step, self->info.seconds);
  put_status (&journal,
              self->state == SL_RUNNING    ? SL_RUN_RUNNING
              : self->state == SL_FINISHED ? SL_RUN_FINISHED
              : self->state == SL_DIVERGED ? SL_RUN_DIVERGED
                                           : SL_RUN_PAUSED,
              NULL);
  g_array_append_val (self->stored.journals, journal);
}

/* Frees the writer, which has passed on everything that it gathered. */
static void
forget_pen (SlSession *self, SlJournal *journal)
{
  sl_writer_free (journal->writer);
  g_array_remove_index (self->stored.journals,
                        (guint) (journal - (SlJournal *) self->stored.journals->data));
}

static void
drop_journal (SlSession *self, SlJournal *journal)
{
  if (journal->running)
    put_status (journal, SL_RUN_PAUSED, NULL);
  if (journal->steps == 0)
    sl_writer_discard (journal->writer);
  else if (journal->look && journal->steps < SL_LOOK && sl_store_drops_looks (self->stored.store))
    sl_store_set_aside (self->stored.store, sl_writer_uuid (journal->writer));
  forget_pen (self, journal);
}

void
sl_session_keep_edits (SlSession *self)
{
  SlJournal       *journal = journal_of (self, self->generation);
  g_autofree char *json = NULL;

  if (journal == NULL || !self->edits.due
      || (self->loading.wanted != NULL && self->loading.wanted->cause != SL_FOR_ITSELF))
    return;
  json = sl_edits_write (&self->edits.lists, self->record.lab);
  sl_store_set_edits (self->stored.store, sl_writer_uuid (journal->writer), json);
  self->edits.due = false;
}

/* The run no longer shows an earlier state. */
static void
forget_visit (SlSession *self, SlJournal *journal)
{
  if (journal->visited)
    sl_store_set_visit (self->stored.store, sl_writer_uuid (journal->writer), NULL);
  journal->visited = false;
}

/* Writes the changes and flags that the file does not have yet. */
static void
write_changes (SlSession *self, SlJournal *journal)
{
  if (journal->generation != self->generation)
    return;
  sl_writer_markers (journal->writer, &self->record);
  if (journal->recipe_due)
    sl_writer_recipe (journal->writer, &self->recipe);
  journal->recipe_due = false;
  sl_session_keep_edits (self);
}

void
sl_session_keep_leave (SlSession *self, char left[SL_UUID])
{
  SlJournal *journal = journal_of (self, self->generation);

  left[0] = '\0';
  if (journal == NULL)
    return;
  write_changes (self, journal);
  journal->changes = self->recipe.changes->len;
  journal->markers = self->record.n_flags;
  sl_session_take_state (self);
  if (sl_session_present (self) > 0)
    g_strlcpy (left, sl_writer_uuid (journal->writer), SL_UUID);
}

gboolean
sl_session_keeps_earlier (SlSession *session, const char *uuid)
{
  for (guint i = 0; i < session->stored.journals->len; i++)
    {
      const SlJournal *journal = &g_array_index (session->stored.journals, SlJournal, i);

      if (journal->generation != session->generation
          && strcmp (sl_writer_uuid (journal->writer), uuid) == 0)
        return TRUE;
    }
  return FALSE;
}

static void
ask_for_checkpoints (SlSession *self)
{
  sl_session_send (self, (SlCommand) { .kind = SL_COMMAND_KEEP, .on = self->stored.store != NULL });
}

void
sl_session_keep_nothing (SlSession *self)
{
  if (journal_of (self, self->generation) != NULL)
    write_changes (self, journal_of (self, self->generation));
  while (self->stored.journals->len > 0)
    drop_journal (self, &g_array_index (self->stored.journals, SlJournal, 0));
  if (self->stored.store != NULL)
    g_signal_handlers_disconnect_by_data (self->stored.store, self);
  g_clear_object (&self->stored.store);
}

void
sl_session_set_store (SlSession *session, SlStore *store)
{
  if (session->stored.store == store)
    return;
  sl_session_keep_nothing (session);
  if (store != NULL)
    {
      session->stored.store = g_object_ref (store);
      /* A drain tests whether the store can be written again. */
      g_signal_connect_swapped (store, "trouble", G_CALLBACK (sl_session_schedule), session);
    }
  if (store != NULL && session->record.lab != NULL)
    sl_session_keep_late (session, NULL);
  ask_for_checkpoints (session);
}

SlStore *
sl_session_store (SlSession *session)
{
  return session->stored.store;
}

const char *
sl_session_uuid (SlSession *session)
{
  SlJournal *journal = journal_of (session, session->generation);

  return journal != NULL ? sl_writer_uuid (journal->writer) : NULL;
}

void
sl_session_keep_now (SlSession *session)
{
  if (session->stored.store != NULL && session->record.lab != NULL)
    ask_for_checkpoints (session);
}

unsigned
sl_session_kept (SlSession *session)
{
  SlJournal *journal = journal_of (session, session->generation);

  return journal != NULL ? journal->checkpoints : 0;
}

static void
copy_checkpoint (SlJournal *journal, const SlStoredRun *stored, unsigned flags)
{
  SlCheckpoint copy = { .step = stored->checkpoint.step, .bytes = stored->checkpoint.bytes };

  copy.data = copy.bytes > 0 ? malloc (copy.bytes) : NULL;
  if (copy.data == NULL)
    return;
  memcpy (copy.data, stored->checkpoint.data, copy.bytes);
  sl_writer_checkpoint (journal->writer, &copy, stored->changes, flags, stored->seconds);
}

void
sl_session_keep_begin (SlSession *self, const SlStoredRun *stored)
{
  SlJournal journal = { .generation = self->generation, .running = true };

  if (self->stored.store == NULL)
    return;
  journal.visited = stored != NULL && stored->checkpoint.data != NULL;
  for (guint i = self->stored.journals->len; stored != NULL && i-- > 0;)
    {
      SlJournal *earlier = &g_array_index (self->stored.journals, SlJournal, i);

      /* The same run from another point: a run has one writer at a time. */
      if (strcmp (sl_writer_uuid (earlier->writer), stored->uuid) == 0)
        drop_journal (self, earlier);
    }
  if (stored != NULL && stored->uuid[0] == '\0')
    {
      journal.writer = writer_new (self, NULL);
      journal.steps = stored->checkpoint.step;
      sl_writer_record (journal.writer, &self->record);
      sl_writer_tick (journal.writer, stored->checkpoint.step, stored->seconds);
      copy_checkpoint (&journal, stored, self->record.n_flags);
    }
  else if (stored != NULL)
    {
      journal.writer
        = sl_writer_resume (self->stored.store, stored->uuid, &self->record,
                            stored->checkpoint.step, stored->seconds, self->stored.place);
      journal.steps = stored->checkpoint.step;
      journal.look = stored->deleted && is_look (self);
    }
  else
    {
      journal.writer = writer_new (self, NULL);
      journal.look = is_look (self);
    }
  g_array_append_val (self->stored.journals, journal);
}

void
sl_session_keep_sample (SlSession *self, const SlSample *sample)
{
  SlJournal *journal
    = self->stored.journals->len > 0 ? journal_of (self, sample->generation) : NULL;

  if (journal == NULL)
    return;
  journal->steps = sample->step;
  sl_writer_sample (journal->writer, sample);
}

/* Writes the checkpoint and its samples.  Of an earlier run the number of changes is that of when
 * it was left.  */
static void
keep_checkpoint (SlSession *self, SlJournal *journal, const SlEvent *event)
{
  gboolean present = event->generation == self->generation;

  /* The last checkpoint of an earlier run is kept unless the run has a change that was not
   * written.  */
  if (!present && journal->changed_late)
    return;
  write_changes (self, journal);
  journal->steps = event->checkpoint->step;
  journal->checkpoints++;
  sl_writer_tick (journal->writer, journal->steps, event->seconds);
  sl_writer_checkpoint (journal->writer, event->checkpoint,
                        present ? self->recipe.changes->len : journal->changes,
                        present ? self->record.n_flags : journal->markers, event->seconds);
}

uint64_t
sl_session_keep_steps (SlSession *self)
{
  SlJournal *journal = journal_of (self, self->generation);

  return journal != NULL ? journal->steps : 0;
}

/* Stores the state before the changes that were made at its step. */
void
sl_session_keep_spare (SlSession *self, const SlEvent *event)
{
  SlJournal *journal = journal_of (self, event->generation);
  unsigned   changes = 0, flags = 0;

  if (journal == NULL || event->generation != self->generation)
    return;
  while (changes < self->recipe.changes->len
         && g_array_index (self->recipe.changes, SlChange, changes).step < event->step)
    changes++;
  while (flags < self->record.n_flags && self->record.flag[flags].step <= (double) event->step)
    flags++;
  sl_writer_checkpoint (journal->writer, event->checkpoint, changes, flags, event->seconds);
}

void
sl_session_keep_branch (SlSession *self, char left[SL_UUID])
{
  SlJournal *journal = journal_of (self, self->generation);

  left[0] = '\0';
  if (journal == NULL)
    return;
  g_strlcpy (left, sl_writer_uuid (journal->writer), SL_UUID);
  write_changes (self, journal);
  forget_visit (self, journal);
  drop_journal (self, journal);
}

void
sl_session_keep_unchanged (SlSession *self, unsigned generation)
{
  SlJournal *journal = journal_of (self, generation);

  if (journal == NULL)
    return;
  forget_visit (self, journal);
  drop_journal (self, journal);
}

static void
keep_visit (SlSession *self, SlJournal *journal, const SlEvent *event)
{
  sl_store_set_visit (self->stored.store, sl_writer_uuid (journal->writer), event->checkpoint);
  journal->visited = true;
}

static void
keep_mode (SlSession *self, SlJournal *journal, const SlEvent *event)
{
  static const SlRunStatus statuses[] = {
    [SL_WORKER_PAUSED] = SL_RUN_PAUSED,
    [SL_WORKER_RUNNING] = SL_RUN_RUNNING,
    [SL_WORKER_DIVERGED] = SL_RUN_DIVERGED,
    [SL_WORKER_FINISHED] = SL_RUN_FINISHED,
  };
  char sentence[512];

  write_changes (self, journal);
  if (!event->visiting)
    forget_visit (self, journal);
  if (!event->visiting)
    sl_writer_tick (journal->writer, event->step, event->seconds);
  put_status (journal, statuses[event->mode],
              sl_ok (&event->status) ? NULL
                                     : sl_status_text (&event->status, sentence, sizeof sentence));
}

/* Writes the measured times; the last one is also a score of the run. */
static void
keep_times (SlSession *self, SlJournal *journal, const SlEvent *event)
{
  if (!event->visiting)
    sl_store_set_times (self->stored.store, sl_writer_uuid (journal->writer), &event->times);
}

static void
keep_scores (SlJournal *journal, const SlEvent *event)
{
  if (!event->visiting && sl_ok (&event->status))
    sl_writer_scores (journal->writer, event->split, event->score, event->n_scores, event->step);
}

void
sl_session_keep_event (SlSession *self, const SlEvent *event)
{
  SlJournal *journal = journal_of (self, event->kind == SL_EVENT_RETIRED ? event->run->generation
                                                                         : event->generation);

  if (journal == NULL)
    return;
  switch (event->kind)
    {
    case SL_EVENT_MODE: keep_mode (self, journal, event); break;
    case SL_EVENT_SET:
      journal->recipe_due = sl_ok (&event->status) || journal->recipe_due;
      journal->look = false;
      journal->changed_late = event->generation != self->generation;
      sl_store_forget_scores (self->stored.store, sl_writer_uuid (journal->writer));
      break;
    case SL_EVENT_SCORED: keep_scores (journal, event); break;
    case SL_EVENT_TIMED: keep_times (self, journal, event); break;
    case SL_EVENT_RESTORED:
      forget_visit (self, journal);
      sl_writer_truncate (journal->writer, event->step, self->record.n_flags);
      journal->steps = event->step;
      journal->recipe_due = true;
      journal->look = false;
      write_changes (self, journal);
      break;
    case SL_EVENT_RENEWED: journal->recipe_due = true; break;
    case SL_EVENT_BRANCHED:
    case SL_EVENT_PREDICTED:
    case SL_EVENT_PICTURED: break;
    case SL_EVENT_RETIRED:
      drop_journal (self, journal);
      self->notices |= SL_NOTICE_STATE; /* it can be gone back to */
      break;
    case SL_EVENT_KEPT: keep_checkpoint (self, journal, event); break;
    case SL_EVENT_VISITED: keep_visit (self, journal, event); break;
    }
}

/* Writes the run once more, from the beginning: the store was in trouble and works again. */
static void
write_again (SlSession *self, SlJournal *journal)
{
  char uuid[SL_UUID];

  g_strlcpy (uuid, sl_writer_uuid (journal->writer), sizeof uuid);
  forget_pen (self, journal);
  sl_session_keep_late (self, uuid);
  self->edits.due = true;
  ask_for_checkpoints (self);
}

void
sl_session_keep_up (SlSession *self)
{
  SlJournal *journal = self->stored.journals->len > 0 ? journal_of (self, self->generation) : NULL;

  if (journal == NULL)
    return;
  if (sl_writer_lost (journal->writer) && sl_store_error (self->stored.store) == NULL)
    write_again (self, journal);
  else
    {
      gboolean changed = self->edits.due || (journal->recipe_due && self->state != SL_RUNNING);

      /* A paused run may have no drain for a long time, and what the user did must survive a
       * crash.  */
      if (changed || self->state != SL_RUNNING || sl_writer_is_due (journal->writer))
        write_changes (self, journal);
      sl_writer_tick (journal->writer, sl_session_present (self), self->info.seconds);
      if (changed)
        sl_writer_hand_over (journal->writer);
    }
}

void
sl_session_keep_end (SlSession *self)
{
  SlJournal *journal = journal_of (self, self->generation);

  if (journal == NULL)
    return;
  write_changes (self, journal);
  sl_writer_tick (journal->writer, sl_session_present (self), self->info.seconds);
  if (journal->running)
    put_status (journal, SL_RUN_PAUSED, NULL);
}
