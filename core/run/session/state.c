/* SPDX-License-Identifier: MIT
 *
 * What a session is in: what it can be asked, what it has to tell, and when it next looks at its worker.  */
#include "core/run/session/private.h"

enum {
  DRAIN_MS = 33,      /* between two drains */
  DRAIN_FAST_MS = 10, /* at the start of a run, while loading, and when much is waiting */
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

const SlRecord *
sl_session_record (SlSession *session)
{
  return &session->record;
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
