/* SPDX-License-Identifier: MIT
 *
 * What a session is in: what it can be asked, what it has to tell, and when it next looks at its worker.  */
#include "core/run/session/private.h"

enum {
  DRAIN_MS = 33, /* between two drains */
  DRAIN_FAST_MS
  = 5, /* at the start of a run, while loading, while one draws, and when much is waiting */
};

void
sl_session_take_error (SlSession *self, GError *error)
{
  g_clear_error (&self->error);
  g_clear_pointer (&self->loading.refused, sl_request_free);
  self->error = error;
  self->notices |= SL_NOTICE_STATE;
}

void
sl_session_fail (SlSession *self, const SlStatus *status)
{
  sl_session_take_error (self, sl_status_to_error (status));
}

void
sl_session_set_state (SlSession *self, SlSessionState state)
{
  if (self->state != state)
    self->notices |= SL_NOTICE_STATE;
  self->state = state;
}

void
sl_session_schedule (SlSession *self)
{
  gboolean fast = self->loading.loader != NULL || g_get_monotonic_time () < self->drain.fast_until
                  || sl_worker_waiting (self->worker) > 0.25;

  if (self->drain.timer == 0)
    self->drain.timer = g_timeout_add (fast ? DRAIN_FAST_MS : DRAIN_MS, sl_session_drain, self);
}

SlSessionState
sl_session_state (SlSession *session)
{
  return session->state;
}

gboolean
sl_session_is_loading (SlSession *session)
{
  return session->loading.wanted != NULL;
}

gboolean
sl_session_goes (SlSession *session)
{
  const SlRequest *wanted = session->loading.wanted;

  return wanted != NULL ? wanted->run : session->state == SL_RUNNING;
}

gboolean
sl_session_waits (SlSession *session)
{
  const GArray *changes = session->recipe.changes;
  SlSettings    used;
  guint         n = changes != NULL ? changes->len : 0, kept = n;

  while (kept > 0 && g_array_index (changes, SlChange, kept - 1).step >= session->info.step)
    kept--;
  if (session->state != SL_PAUSED || kept == n)
    return FALSE;
  used = sl_recipe_settings (&session->recipe, kept);
  for (guint i = kept; i < n; i++)
    {
      unsigned param = g_array_index (changes, SlChange, i).param;

      if (!sl_lab_only_looks (session->record.lab, param)
          && !sl_value_same (&session->effective->value[param], &used.value[param]))
        return TRUE;
    }
  return FALSE;
}

const GError *
sl_session_error (SlSession *session)
{
  return session->error;
}

const SlSessionInfo *
sl_session_info (SlSession *session)
{
  return &session->info;
}

const SlLab *
sl_session_lab (SlSession *session)
{
  return session->record.lab;
}

const SlLab *
sl_session_lab_to_come (SlSession *session)
{
  const SlRequest *wanted = session->loading.wanted;

  return wanted != NULL ? wanted->recipe.lab : session->record.lab;
}

const SlSettings *
sl_session_settings (SlSession *session)
{
  return &session->settings;
}

const SlDataset *
sl_session_dataset (SlSession *session)
{
  const SlLab *lab = session->record.lab;

  return session->data != NULL && lab != NULL && lab->data != SL_NEEDS_NOTHING ? session->data->set
                                                                               : NULL;
}

const char *
sl_session_spec (SlSession *session)
{
  return session->data != NULL ? session->data->spec : NULL;
}

uint64_t
sl_session_seed (SlSession *session)
{
  return session->recipe.seed;
}

unsigned
sl_session_threads (SlSession *session)
{
  return session->recipe.threads;
}

void
sl_session_show_stored (SlSession *session, SlRecord *stored, uint64_t step)
{
  sl_record_clear (session->shown.stored);
  *session->shown.stored = *stored;
  session->shown.stored->stored = true;
  session->shown.stored_of = session->generation;
  session->shown.stored_step = step;
  *stored = (SlRecord) { 0 };
}

gboolean
sl_session_shows_stored (SlSession *session)
{
  return session->shown.stored->lab != NULL && session->shown.stored_of == session->generation
         && session->state == SL_PAUSED && sl_session_present (session) == 0;
}

uint64_t
sl_session_stored_step (SlSession *session)
{
  return session->shown.stored_step;
}

const SlRecord *
sl_session_record (SlSession *session)
{
  return sl_session_shows_stored (session) ? session->shown.stored : &session->record;
}

unsigned
sl_session_generation (SlSession *session)
{
  return session->generation;
}

char *
sl_session_recipe (SlSession *session)
{
  if (session->record.lab == NULL)
    return NULL;
  session->recipe.step = session->info.step;
  return sl_recipe_write (&session->recipe);
}

const SlEdits *
sl_session_edits (SlSession *session)
{
  return &session->edits.lists;
}

gboolean
sl_session_is_new (SlSession *session)
{
  return session->is_new;
}

const uint64_t *
sl_session_checkpoints (SlSession *session, unsigned *n)
{
  *n = session->past.n;
  return session->past.step;
}

gboolean
sl_session_is_visiting (SlSession *session)
{
  return session->past.visiting;
}

uint64_t
sl_session_present (SlSession *session)
{
  return session->past.visiting ? session->past.present : session->info.step;
}

/* ---- what is to be shown, and with what input ---- */

void
sl_session_ask_picture (SlSession *session)
{
  if (session->record.lab != NULL && session->record.lab->picture != NULL)
    sl_session_send (session, (SlCommand) { .kind = SL_COMMAND_PICTURE });
}

gboolean
sl_session_take_picture (SlSession *session, SlBitmap *picture, char **recipe)
{
  if (session->picture.bitmap.rgb == NULL)
    return FALSE;
  *picture = session->picture.bitmap;
  *recipe = g_steal_pointer (&session->picture.recipe);
  session->picture.bitmap = (SlBitmap) { 0 };
  return TRUE;
}

void
sl_session_ask_predictions (SlSession *session)
{
  if (session->record.lab != NULL && session->record.lab->map != NULL)
    sl_session_send (session, (SlCommand) { .kind = SL_COMMAND_PREDICT });
}

const SlPredictions *
sl_session_predictions (SlSession *session)
{
  return session->shown.predictions;
}

void
sl_session_watch (SlSession *session, unsigned panel, gboolean watched)
{
  if (session->record.lab == NULL || panel >= session->record.lab->n_panels
      || session->watched[panel] == (bool) watched)
    return;
  session->watched[panel] = watched;
  sl_session_send (session,
                   (SlCommand) { .kind = SL_COMMAND_WATCH, .panel = panel, .on = watched });
}

void
sl_session_set_view (SlSession *session, const SlMapView *view)
{
  sl_session_send (session, (SlCommand) { .kind = SL_COMMAND_VIEW, .view = *view });
}

const SlMoments *
sl_session_moments (SlSession *session)
{
  return session->shown.moments.of;
}

void
sl_session_set_subject (SlSession *session, const SlSubject *subject)
{
  session->subject = *subject;
  sl_worker_set_subject (session->worker, subject);
  session->drain.fast_until = g_get_monotonic_time () + SL_SESSION_FAST_US;
  sl_session_send (session, (SlCommand) { .kind = SL_COMMAND_SUBJECT });
}

const SlSubject *
sl_session_subject (SlSession *session)
{
  return &session->subject;
}

void
sl_session_switch_off (SlSession *session, unsigned field, unsigned unit)
{
  SlSubject subject = session->subject;

  sl_subject_switch (&subject, field, unit);
  sl_session_set_subject (session, &subject);
}

void
sl_session_set_pace (SlSession *session, double updates)
{
  session->pace = updates;
  sl_session_send (session, (SlCommand) { .kind = SL_COMMAND_PACE, .pace = updates });
}

double
sl_session_pace (SlSession *session)
{
  return session->pace;
}

void
sl_session_set_example (SlSession *session, unsigned example)
{
  SlSubject subject = session->subject;

  subject.example = example;
  subject.n_own = 0;
  sl_session_set_subject (session, &subject);
}

unsigned
sl_session_example (SlSession *session)
{
  return session->subject.example;
}
