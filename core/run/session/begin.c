/* SPDX-License-Identifier: MIT
 *
 * New runs: the newest wish, its loader, and the moment it takes over.  */
#include "core/run/session/private.h"

#include <string.h>

#include "core/data/source/source.h"

static void
load_wanted (SlSession *self)
{
  SlRequest *request = sl_request_copy (self->loading.wanted);

  request->idle = sl_idle_take (&self->idle, request);
  self->loading.version = self->loading.wanted_version;
  self->loading.loader = sl_loader_start (request, self->unseen);
  if (self->loading.loader == NULL)
    {
      SlStatus status = sl_status_new (SL_ENOMEM, SL_MARK ("new run"),
                                       sl_message ("no thread could be created"), SL_NO_MESSAGE);

      sl_session_fail (self, &status);
      g_clear_pointer (&self->loading.wanted, sl_request_free);
      if (self->record.lab == NULL)
        sl_session_set_state (self, SL_FAILED);
    }
}

/* Data of an earlier run stay open for a while, because another lab that needs them may be chosen again.
 * Takes over the use of them.  */
static void
keep_data (SlSession *self, SlSharedData *data)
{
  if (data == NULL || !sl_shared_data_can_keep (data))
    {
      sl_shared_data_leave (data);
      return;
    }
  for (unsigned i = 0; i < SL_DATA_KEPT; i++)
    if (self->earlier_data[i] == data)
      {
        sl_shared_data_leave (data);
        return;
      }
  sl_shared_data_leave (self->earlier_data[SL_DATA_KEPT - 1]);
  memmove (self->earlier_data + 1, self->earlier_data,
           (SL_DATA_KEPT - 1) * sizeof *self->earlier_data);
  self->earlier_data[0] = data;
}

/* Data with this specification that are open, or NULL. */
static SlSharedData *
find_data (SlSession *self, SlSharedData *current, const char *spec)
{
  for (unsigned i = 0; i <= SL_DATA_KEPT; i++)
    {
      SlSharedData *data = i == 0 ? current : self->earlier_data[i - 1];

      if (sl_shared_data_is (data, spec))
        return data;
    }
  return sl_idle_data (&self->idle, spec);
}

/* Whether the trainer of this run is worth keeping: it is left for another lab, and can be
 * resumed.  */
static gboolean
leaves_trainer (SlSession *self, const SlLab *next)
{
  return self->record.lab != NULL && self->record.lab != next && self->stored.store != NULL
         && self->stored.place == 0 && (self->data == NULL || sl_shared_data_can_keep (self->data));
}

/* Replaces everything about the old run by the new one; the worker gets the new run by command and
 * returns the old one.  */
static SlStatus
begin_run (SlSession *self, SlRequest *loaded, SlRun *run)
{
  const SlLab *lab = run->lab;
  SlSettings   asked = loaded->recipe.settings, settings = self->loading.wanted->recipe.settings;
  SlStoredRun *stored = loaded->stored;
  SlRecord     record;
  SlStatus     status = SL_SUCCESS;
  uint64_t     limit = self->info.limit;
  char         left[SL_UUID];
  gboolean     idle = leaves_trainer (self, lab);

  if (stored != NULL)
    {
      record = stored->record;
      record.n_flags = MAX (record.n_flags, stored->marked);
      record.generation = self->generation + 1;
      stored->record = (SlRecord) { 0 };
    }
  else
    status = sl_record_init (&record, lab, &loaded->recipe.settings, self->generation + 1);
  if (!sl_ok (&status))
    {
      sl_run_free (run);
      return status;
    }
  for (unsigned p = 0; p < SL_PANELS_MAX && lab != self->record.lab; p++)
    sl_session_watch (self, p, FALSE);
  sl_kept_moments_write (&self->shown.moments, self->stored.store, sl_session_uuid (self));
  sl_session_keep_leave (self, left);
  sl_session_undo_left (self, loaded, left);
  run->generation = ++self->generation;
  self->is_new = stored == NULL;
  sl_record_clear (self->before);
  *self->before = self->record;
  self->record = record;
  sl_recipe_clear (&self->recipe);
  /* Data that the lab does not use stay open for the next one, and are no part of this run. */
  sl_recipe_init (&self->recipe, lab, &loaded->recipe.settings,
                  lab->data != SL_NEEDS_NOTHING ? loaded->data->set : NULL, loaded->recipe.seed);
  self->record.data = self->recipe.data_hash;
  self->recipe.threads = loaded->recipe.threads;
  self->recipe.changes = g_array_new (FALSE, FALSE, sizeof (SlChange));
  if (stored != NULL && stored->made > 0)
    g_array_append_vals (self->recipe.changes, loaded->recipe.changes->data, stored->made);
  run->plan = loaded->recipe;
  loaded->recipe = (SlRecipe) { 0 };
  self->settings = *self->effective
    = stored != NULL ? sl_recipe_settings (&self->recipe, stored->made) : self->recipe.settings;
  sl_shared_data_use (loaded->data);
  keep_data (self, self->data);
  self->data = loaded->data;
  self->early = NULL;
  self->commands.course = 0;
  self->past.n = 0;
  self->past.visiting = false;
  self->rate.point[0] = (SlRatePoint) { 0 };
  self->rate.n = stored == NULL;
  self->marked.until = 0;
  self->info = (SlSessionInfo) { .limit = limit };
  if (stored != NULL)
    {
      self->info.step = stored->checkpoint.step;
      self->info.seconds = stored->seconds;
    }
  sl_session_keep_begin (self, stored);
  self->drain.fast_until = g_get_monotonic_time () + SL_SESSION_FAST_US;
  sl_session_take_error (self, NULL);
  sl_session_set_state (self, self->loading.wanted->run ? SL_RUNNING : SL_PAUSED);
  self->commands.mode_sent = sl_session_send (
    self, (SlCommand) {
            .kind = SL_COMMAND_BEGIN, .run = run, .on = self->loading.wanted->run, .idle = idle });
  g_debug ("run: %s on %s, seed %" G_GUINT64_FORMAT ", from step %" G_GUINT64_FORMAT, lab->id,
           loaded->spec != NULL ? loaded->spec : "no data", self->recipe.seed, self->info.step);
  g_clear_pointer (&self->shown.predictions, g_free);
  sl_kept_moments_begin (&self->shown.moments, stored);
  self->notices |= SL_NOTICE_RESTARTED | SL_NOTICE_CHANGED;

  /* Live parameters that were changed while it was made. */
  for (unsigned p = 0; p < lab->n_params; p++)
    if (lab->params[p].effect == SL_LIVE && !sl_value_same (&settings.value[p], &asked.value[p]))
      {
        self->settings.value[p] = settings.value[p];
        sl_session_send_set (self, p);
      }
  return SL_SUCCESS;
}

void
sl_session_finish_loading (SlSession *self)
{
  SlRequest *loaded;
  SlRun     *run;
  SlStatus   status = sl_loader_finish (self->loading.loader, &loaded, &run);

  self->loading.loader = NULL;
  if (self->loading.version != self->loading.wanted_version)
    {
      /* Something else is wanted by now; perhaps on the data just opened. */
      if (self->loading.wanted->data == NULL && loaded->data != NULL
          && g_strcmp0 (self->loading.wanted->spec, loaded->spec) == 0)
        self->loading.wanted->data = sl_shared_data_use (loaded->data);
      sl_run_free (run);
      sl_request_free (loaded);
      load_wanted (self);
      return;
    }
  if (sl_ok (&status))
    status = begin_run (self, loaded, run);
  if (!sl_ok (&status))
    {
      sl_session_undo_refused (self, self->loading.wanted->cause);
      sl_session_fail (self, &status);
    }
  if (loaded->refused)
    {
      self->loading.refused = g_steal_pointer (&loaded);
      sl_request_drop_stored (self->loading.refused);
    }
  sl_request_free (loaded);
  g_clear_pointer (&self->loading.wanted, sl_request_free);
  if (self->record.lab == NULL)
    sl_session_set_state (self, SL_FAILED);
  self->notices |= SL_NOTICE_STATE;
}

void
sl_session_settle (SlSession *session)
{
  while (session->loading.loader != NULL && !session->loading.given_up)
    sl_session_finish_loading (session);
  sl_session_notify (session);
}

/* Takes over the request as the newest wish. */
void
sl_session_want (SlSession *self, SlRequest *request)
{
  /* A change that was on its way still leads back to the run that is left. */
  if (self->loading.wanted != NULL && request->cause == SL_FOR_ITSELF)
    request->cause = self->loading.wanted->cause;
  sl_request_free (self->loading.wanted);
  self->loading.wanted = request;
  self->loading.wanted_version++;
  if (self->record.lab == NULL)
    sl_session_set_state (self, SL_LOADING);
  self->notices |= SL_NOTICE_STATE;
  if (self->loading.loader == NULL)
    load_wanted (self);
  sl_session_schedule (self);
}

/* False when data that the user did not choose by name are of a kind that the lab cannot use.
 * Files that are not read yet may be anything.  */
static gboolean
serves (const SlLab *lab, const char *spec, const SlSharedData *data)
{
  const SlSource *source;
  SlSettings      settings;
  SlStatus        status;

  if (data != NULL && data->set != NULL)
    return sl_data_serves (sl_dataset_kind (data->set), lab->data);
  status = sl_source_parse (spec, &source, &settings, NULL);
  return !sl_ok (&status) || source == NULL || sl_data_serves (source->yields, lab->data);
}

/* The data of a request: those that it names, in use or on their way if they serve, or the
 * default.  */
void
sl_session_choose_data (SlSession *self, SlRequest *request, const char *spec)
{
  SlSharedData *current = self->loading.wanted != NULL ? self->loading.wanted->data : self->data;
  const char   *current_spec = self->loading.wanted != NULL ? self->loading.wanted->spec
                               : self->data != NULL         ? self->data->spec
                                                            : NULL;
  bool          named = spec != NULL;

  if (spec == NULL && current_spec != NULL && serves (request->recipe.lab, current_spec, current))
    spec = current_spec;
  if (spec == NULL && request->recipe.lab->data != SL_NEEDS_NOTHING)
    spec = sl_source_default_for (request->recipe.lab->data);
  request->spec = g_strdup (spec);
  if (current == NULL)
    current = self->data;
  if (spec != NULL)
    current = find_data (self, current, spec);
  /* A network is read again when it is named: it may have been edited since. */
  if (named && current != NULL && current->set != NULL && current->set->network != NULL)
    current = NULL;
  if (spec != NULL && current != NULL)
    request->data = sl_shared_data_use (current);
}

gboolean
sl_session_can_begin_anew (SlSession *session)
{
  return session->loading.refused != NULL;
}

gboolean
sl_session_begin_anew (SlSession *session)
{
  SlRequest *request = g_steal_pointer (&session->loading.refused);

  if (request == NULL)
    return FALSE;
  request->run = true;
  sl_session_take_error (session, NULL);
  sl_session_want (session, request);
  sl_session_notify (session);
  return TRUE;
}

/* ---- data that grow while a run goes on with them ---- */

void
sl_session_renew (SlSession *session)
{
  SlRequest *request;

  if (session->data == NULL || session->data->spec == NULL || session->loading.wanted != NULL
      || session->loading.renewal != NULL || session->loading.renewed != NULL)
    return;
  request = sl_request_new (session->record.lab, &session->settings, session->recipe.seed,
                            session->recipe.threads, true);
  request->spec = g_strdup (session->data->spec);
  session->loading.renewing = session->generation;
  session->loading.renewal = sl_loader_start (request, true);
  sl_session_schedule (session);
}

gboolean
sl_session_is_renewing (SlSession *session)
{
  return session->loading.renewal != NULL || session->loading.renewed != NULL;
}

/* The run once more, on data that are there. */
static void
begin_on (SlSession *self, SlSharedData *data)
{
  SlRequest *request = sl_request_new (self->record.lab, &self->settings, self->recipe.seed,
                                       self->recipe.threads, self->state != SL_PAUSED);

  request->spec = g_strdup (data->spec);
  request->data = sl_shared_data_use (data);
  sl_session_want (self, request);
}

/* What cannot be read just now may be in the middle of being written, and says nothing. */
void
sl_session_finish_renewal (SlSession *self, gboolean use)
{
  SlRequest *loaded;
  SlRun     *run;
  SlStatus   status = sl_loader_finish (self->loading.renewal, &loaded, &run);

  self->loading.renewal = NULL;
  use = use && sl_ok (&status) && self->loading.renewing == self->generation
        && self->loading.wanted == NULL && run->data->set->hash != self->data->set->hash;
  if (use && strcmp (run->data->set->facts, self->data->set->facts) == 0)
    {
      run->generation = self->generation;
      self->loading.renewed = sl_shared_data_use (run->data);
      sl_session_send (self, (SlCommand) { .kind = SL_COMMAND_RENEW, .run = run });
    }
  else
    {
      if (use)
        begin_on (self, run->data);
      sl_run_free (run);
    }
  sl_request_free (loaded);
}

void
sl_session_renewed (SlSession *self, const SlEvent *event)
{
  SlSharedData *data = g_steal_pointer (&self->loading.renewed);

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
