/* SPDX-License-Identifier: MIT
 *
 * The main thread's side of a run: what of it is to be shown, and with what input.  */
#include "core/run/session/private.h"

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
  return session->predictions;
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
