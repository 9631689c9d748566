/* SPDX-License-Identifier: MIT
 *
 * Data that grow while a run goes on with them.  */
#include "core/run/session/private.h"

void
sl_session_renew (SlSession *session)
{
  SlRequest *request;

  if (session->data == NULL || session->data->spec == NULL || session->loading.wanted != NULL
      || session->renewal.loader != NULL || session->renewal.data != NULL)
    return;
  request = sl_request_new (session->record.lab, &session->settings, session->recipe.seed,
                            session->recipe.threads, true);
  request->spec = g_strdup (session->data->spec);
  session->renewal.generation = session->generation;
  session->renewal.loader = sl_loader_start (request, true);
  sl_session_schedule (session);
}

gboolean
sl_session_is_renewing (SlSession *session)
{
  return session->renewal.loader != NULL || session->renewal.data != NULL;
}

/* What cannot be read just now may be in the middle of being written, and says nothing. */
void
sl_session_finish_renewal (SlSession *self, gboolean use)
{
  SlRequest *loaded;
  SlRun     *run;
  SlStatus   status = sl_loader_finish (self->renewal.loader, &loaded, &run);

  self->renewal.loader = NULL;
  if (use && sl_ok (&status) && self->renewal.generation == self->generation
      && self->loading.wanted == NULL && run->data->set->hash != self->data->set->hash)
    {
      run->generation = self->generation;
      self->renewal.data = sl_shared_data_use (run->data);
      sl_session_send (self, (SlCommand) { .kind = SL_COMMAND_RENEW, .run = run });
    }
  else
    sl_run_free (run);
  sl_request_free (loaded);
}

void
sl_session_renewed (SlSession *self, const SlEvent *event)
{
  SlSharedData *data = g_steal_pointer (&self->renewal.data);

  if (event->generation != self->generation || !sl_ok (&event->status))
    {
      sl_shared_data_leave (data);
      return;
    }
  sl_shared_data_leave (self->data);
  self->data = data;
  self->recipe.data_hash = self->record.data = data->set->hash;
  self->notices |= SL_NOTICE_CHANGED;
}
