/* SPDX-License-Identifier: MIT
 *
 * The main thread's side of a run: what it can be told.  */
#include <glib/gi18n.h>

#include "core/run/base/language.h"
#include "core/run/base/threads.h"
#include "core/run/session/private.h"

#include "core/nn/kernels/mat.h"

static const size_t CHECKPOINT_BYTES = (size_t) 512 << 20;

enum {
  STATE,
  PROGRESS,
  SAMPLES,
  CHANGED,
  RESTARTED,
  FLAGGED,
  PICTURED,
  PREDICTED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

/* What GObject can have as an instance; settings and records are large. */
G_STATIC_ASSERT (sizeof (SlSession) <= G_MAXUINT16);

G_DEFINE_FINAL_TYPE (SlSession, sl_session, G_TYPE_OBJECT)

/* All handlers are told of a new run before any is told of a change in it, which a handler of the
 * new run may make.  */
static unsigned
tell_restarted (SlSession *self, unsigned notices)
{
  self->restarting = true;
  do
    {
      g_signal_emit (self, signals[RESTARTED], 0);
      notices = (notices & ~(unsigned) SL_NOTICE_RESTARTED) | self->notices;
      self->notices = 0;
    }
  while (notices & SL_NOTICE_RESTARTED);
  self->restarting = false;
  return notices;
}

/* The last thing in a public function or drain: handlers may do anything. */
void
sl_session_notify (SlSession *self)
{
  unsigned notices = self->notices;

  if (notices == 0 || self->restarting)
    return;
  self->notices = 0;
  g_object_ref (self);
  if (notices & SL_NOTICE_RESTARTED)
    notices = tell_restarted (self, notices);
  if (notices & SL_NOTICE_MARKED)
    g_signal_emit (self, signals[FLAGGED], 0);
  if (notices & SL_NOTICE_PICTURE)
    g_signal_emit (self, signals[PICTURED], 0);
  if (notices & SL_NOTICE_PREDICTED)
    g_signal_emit (self, signals[PREDICTED], 0);
  if (notices & SL_NOTICE_STATE)
    g_signal_emit (self, signals[STATE], 0);
  if (notices & SL_NOTICE_PROGRESS)
    g_signal_emit (self, signals[PROGRESS], 0);
  if (notices & SL_NOTICE_SAMPLES)
    g_signal_emit (self, signals[SAMPLES], 0);
  if (notices & SL_NOTICE_CHANGED)
    g_signal_emit (self, signals[CHANGED], 0);
  g_object_unref (self);
}

/* ---- public ---- */

SlSession *
sl_session_new (void)
{
  return g_object_new (SL_TYPE_SESSION, NULL);
}

/* Threads of a run of this lab that begins now. */
static unsigned
threads_for (const SlSession *session, const SlLab *lab)
{
  return session->threads > 0 ? session->threads : sl_threads_for (lab->id);
}

void
sl_session_start (SlSession *session, const SlLab *lab, const SlSettings *settings,
                  const char *spec, uint64_t seed, gboolean run)
{
  SlRequest *request = sl_request_new (lab, settings, seed, threads_for (session, lab), run);

  sl_session_choose_data (session, request, spec);
  sl_session_want (session, request);
  sl_session_notify (session);
}

/* The settings of the wanted run; of a stored run, with the changes made until its checkpoint. */
static SlSettings
settings_wanted (const SlRequest *wanted)
{
  return wanted->stored != NULL ? sl_recipe_settings (&wanted->recipe, wanted->stored->made)
                                : wanted->recipe.settings;
}

void
sl_session_restart (SlSession *session, const char *spec, uint64_t seed, gboolean run)
{
  const SlRequest *wanted = session->loading.wanted;
  const SlLab     *lab = sl_session_lab_to_come (session);
  SlSettings       settings = wanted != NULL ? settings_wanted (wanted) : session->settings;

  if (lab != NULL)
    sl_session_start (session, lab, &settings, spec, seed, run);
}

static void
begin_from (SlSession *session, const SlRecipe *recipe, SlStoredRun *stored, gboolean run)
{
  SlRequest *request
    = sl_request_new (recipe->lab, &recipe->settings, recipe->seed, recipe->threads, run);

  if (recipe->changes != NULL)
    request->recipe.changes = g_array_copy (recipe->changes);
  sl_session_choose_data (session, request, recipe->data[0] != '\0' ? recipe->data : NULL);
  if (stored != NULL)
    request->stored = sl_stored_run_share (stored);
  sl_session_want (session, request);
  sl_session_notify (session);
}

void
sl_session_replay (SlSession *session, const SlRecipe *recipe, gboolean run)
{
  begin_from (session, recipe, NULL, run);
}

void
sl_session_resume (SlSession *session, SlStoredRun *run, gboolean go)
{
  begin_from (session, &run->recipe, run, go);
}

void
sl_session_run (SlSession *session)
{
  if (session->loading.wanted != NULL)
    session->loading.wanted->run = true;
  if (session->record.lab != NULL && session->state != SL_DIVERGED)
    {
      sl_session_send_mode (session, SL_COMMAND_RUN);
      if (session->state == SL_PAUSED)
        sl_session_set_state (session, SL_RUNNING);
    }
  sl_session_notify (session);
}

void
sl_session_pause (SlSession *session)
{
  if (session->loading.wanted != NULL)
    session->loading.wanted->run = false;
  if (session->record.lab != NULL && session->state == SL_RUNNING)
    {
      sl_session_send_mode (session, SL_COMMAND_PAUSE);
      sl_session_set_state (session, SL_PAUSED);
    }
  sl_session_notify (session);
}

void
sl_session_step (SlSession *session)
{
  if (session->record.lab != NULL && session->state != SL_DIVERGED)
    {
      sl_session_send_mode (session, SL_COMMAND_STEP);
      sl_session_set_state (session, SL_PAUSED);
    }
  sl_session_notify (session);
}

void
sl_session_set_limit (SlSession *session, uint64_t step)
{
  session->info.limit = step;
  session->commands.mode_sent
    = sl_session_send (session, (SlCommand) { .kind = SL_COMMAND_LIMIT, .step = step });
  session->notices |= SL_NOTICE_PROGRESS;
  sl_session_notify (session);
}

void
sl_session_set_threads (SlSession *session, unsigned threads)
{
  session->threads = CLAMP (threads, 1, sl_blas_cores ());
}

void
sl_session_set_scheduler (SlSession *session, SlScheduler *scheduler)
{
  g_return_if_fail (!session->threaded);
  if (!sl_worker_set_scheduler (session->worker, scheduler))
    {
      SlStatus status = sl_status_no_memory ("run");

      sl_session_fail (session, &status);
      sl_session_notify (session);
    }
}

void
sl_session_set_unseen (SlSession *session)
{
  g_return_if_fail (!session->threaded && session->loading.wanted == NULL);
  session->unseen = true;
  sl_worker_set_unseen (session->worker);
}

void
sl_session_set_place (SlSession *session, unsigned place)
{
  session->stored.place = place;
}

void
sl_session_share_data (SlSession *session, SlSession *other)
{
  g_return_if_fail (session->record.lab == NULL && session->loading.wanted == NULL);
  if (other->data == NULL || other->data->set == NULL)
    return;
  sl_shared_data_leave (session->data);
  session->data = sl_shared_data_use (other->data);
}

void
sl_session_ask_to_stop (SlSession *session)
{
  session->loading.given_up = true;
  if (session->threaded)
    sl_worker_ask_to_stop (session->worker);
}

void
sl_session_stop (SlSession *session)
{
  sl_session_end_threads (session);
  if (session->state == SL_RUNNING)
    session->commands.mode_sent
      = sl_session_post (session, (SlCommand) { .kind = SL_COMMAND_PAUSE });
  if (session->state == SL_RUNNING || session->state == SL_LOADING)
    sl_session_set_state (session, SL_PAUSED);
  session->notices |= SL_NOTICE_STATE;
  sl_session_notify (session);
}

/* A run that came to its own end was going until then; where it is begun anew, so is the next one. */
static bool
is_going (const SlSession *session)
{
  return session->state == SL_RUNNING
         || (session->state == SL_FINISHED && session->info.ended.packed[0] != '\0');
}

gboolean
sl_session_set (SlSession *session, const char *id, const SlValue *value, GError **error)
{
  SlRequest   *wanted = session->loading.wanted;
  const SlLab *lab = session->record.lab != NULL ? session->record.lab
                     : wanted != NULL            ? wanted->recipe.lab
                                                 : NULL;
  int          param = lab != NULL ? sl_param_find (lab->params, lab->n_params, id) : -1;
  SlSettings   settings;
  SlStatus     status;

  if (param < 0)
    return sl_fail (error, SL_EINVAL, id,
                    lab != NULL ? _ ("no parameter of this name") : _ ("no run"),
                    lab != NULL ? sl_words (lab->title) : NULL);
  status = sl_param_check (&lab->params[param], value);
  if (!sl_status_good (&status, error))
    return FALSE;
  if (wanted != NULL && wanted->recipe.lab != lab)
    {
      /* A run of another lab is on its way, and is the last one requested. */
      if (lab->params[param].effect == SL_RESTART)
        {
          session->notices |= SL_NOTICE_STATE;
          sl_session_notify (session);
          return TRUE;
        }
      wanted = NULL;
    }

  settings = wanted != NULL ? wanted->recipe.settings : session->settings;
  settings.value[param] = *value;
  sl_settings_settle (&settings, lab->params, lab->n_params);
  if (lab->params[param].effect == SL_RESTART)
    {
      const SlSettings *before = wanted != NULL ? &wanted->recipe.settings : &session->settings;
      SlRequest        *request;

      if (sl_value_same (&settings.value[param], &before->value[param]))
        return TRUE;
      request = sl_request_new (
        lab, &settings, wanted != NULL ? wanted->recipe.seed : session->recipe.seed,
        threads_for (session, lab), wanted != NULL ? wanted->run : is_going (session));
      request->cause = session->edits.busy ? SL_FOR_UNDO
                       : wanted != NULL    ? wanted->cause
                                           : SL_FOR_EDIT;
      /* A call that takes a change back (or makes it again) has stored the lists before; by now
       * they have a change that is only being made.  */
      if (!session->edits.busy)
        sl_session_keep_edits (session);
      if (wanted == NULL)
        sl_session_undo_note (session, (unsigned) param, &session->settings.value[param],
                              &settings.value[param], session->info.step, FALSE);
      sl_session_choose_data (session, request, NULL);
      sl_session_want (session, request);
      sl_session_notify (session);
      return TRUE;
    }

  if (wanted != NULL)
    wanted->recipe.settings.value[param] = settings.value[param];
  if (session->record.lab != NULL)
    {
      settings = session->settings;
      settings.value[param] = *value;
      sl_settings_settle (&settings, lab->params, lab->n_params);
      if (!sl_value_same (&settings.value[param], &session->settings.value[param]))
        {
          session->settings.value[param] = settings.value[param];
          sl_session_send_set (session, (unsigned) param);
        }
    }
  return TRUE;
}

gboolean
sl_session_take_before (SlSession *session, SlRecord *before)
{
  if (session->before->lab == NULL)
    return FALSE;
  *before = *session->before;
  *session->before = (SlRecord) { 0 };
  return TRUE;
}

gboolean
sl_session_go_back (SlSession *session, const SlCommand *command)
{
  sl_session_take_state (session);
  if (session->record.lab == NULL || session->past.n == 0)
    return FALSE;
  session->commands.mode_sent = sl_session_send (session, *command);
  sl_session_take_error (session, NULL);
  sl_session_set_state (session, SL_PAUSED);
  session->notices |= SL_NOTICE_STATE;
  sl_session_notify (session);
  return TRUE;
}

gboolean
sl_session_rescue (SlSession *session, uint64_t step)
{
  return sl_session_go_back (session, &(SlCommand) { .kind = SL_COMMAND_RESCUE, .step = step });
}

gboolean
sl_session_visit (SlSession *session, uint64_t step)
{
  sl_session_take_state (session);
  if (session->record.lab == NULL || session->past.n == 0 || session->state == SL_DIVERGED)
    return FALSE;
  session->commands.mode_sent
    = sl_session_send (session, (SlCommand) { .kind = SL_COMMAND_VISIT, .step = step });
  sl_session_set_state (session, SL_PAUSED);
  sl_session_notify (session);
  return TRUE;
}

void
sl_session_score (SlSession *session, SlSplit split)
{
  if (session->record.lab != NULL)
    sl_session_send (session, (SlCommand) { .kind = SL_COMMAND_SCORE, .split = split });
}

void
sl_session_clear_error (SlSession *session)
{
  if (session->error == NULL)
    return;
  sl_session_take_error (session, NULL);
  sl_session_notify (session);
}

static void
sl_session_init (SlSession *self)
{
  self->worker = sl_worker_new (CHECKPOINT_BYTES);
  self->before = g_new0 (SlRecord, 1);
  self->effective = g_new0 (SlSettings, 1);
  self->shown.stored = g_new0 (SlRecord, 1);
  self->shown.moments.of = sl_moments_new ();
  self->commands.backlog = g_array_new (FALSE, FALSE, sizeof (SlCommand));
  self->stored.journals = g_array_new (FALSE, FALSE, sizeof (SlJournal));
  self->edits.lists.undo = g_array_new (FALSE, FALSE, sizeof (SlEdit));
  self->edits.lists.redo = g_array_new (FALSE, FALSE, sizeof (SlEdit));
  self->edits.left = g_array_new (FALSE, FALSE, sizeof (SlLeft));
  self->state = SL_PAUSED;
}

static void
sl_session_finalize (GObject *object)
{
  SlSession *self = SL_SESSION (object);
  SlRun     *run;

  sl_session_end_threads (self);
  sl_session_keep_nothing (self);
  sl_shared_data_leave (self->loading.renewed);
  while ((run = sl_worker_take_run (self->worker)) != NULL)
    sl_run_free (run);
  for (guint i = 0; i < self->commands.backlog->len; i++)
    sl_run_free (g_array_index (self->commands.backlog, SlCommand, i).run);
  g_array_unref (self->commands.backlog);
  sl_worker_free (self->worker);
  sl_record_clear (&self->record);
  sl_record_clear (self->shown.stored);
  g_free (self->shown.stored);
  sl_recipe_clear (&self->recipe);
  sl_bitmap_clear (&self->picture.bitmap);
  g_free (self->picture.recipe);
  g_free (self->shown.predictions);
  sl_moments_free (self->shown.moments.of);
  sl_shared_data_leave (self->data);
  for (unsigned i = 0; i < SL_DATA_KEPT; i++)
    sl_shared_data_leave (self->earlier_data[i]);
  sl_idle_clear (&self->idle);
  g_clear_pointer (&self->loading.refused, sl_request_free);
  g_array_unref (self->stored.journals);
  sl_record_clear (self->before);
  g_free (self->before);
  g_free (self->effective);
  g_array_unref (self->edits.left);
  sl_edits_clear (&self->edits.lists);
  g_clear_error (&self->error);
  G_OBJECT_CLASS (sl_session_parent_class)->finalize (object);
}

static void
sl_session_class_init (SlSessionClass *klass)
{
  static const char *const names[N_SIGNALS] = {
    [STATE] = "state",       [PROGRESS] = "progress",   [SAMPLES] = "samples",
    [CHANGED] = "changed",   [RESTARTED] = "restarted", [FLAGGED] = "flagged",
    [PICTURED] = "pictured", [PREDICTED] = "predicted",
  };
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = sl_session_finalize;
  for (unsigned i = 0; i < N_SIGNALS; i++)
    signals[i]
      = g_signal_new (names[i], type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}
