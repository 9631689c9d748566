/* SPDX-License-Identifier: MIT
 *
 * The main thread's side of a run: keeps the record and the recipe, hands commands to the
 * worker, and a loader at work for the next run.  */
#include "core/run/session.h"

#include <string.h>

#include "core/data/source.h"
#include "core/nn/mat.h"
#include "core/run/loader.h"
#include "core/run/worker.h"

enum
{
  DRAIN_MS = 33,      /* between two drains */
  DRAIN_FAST_MS = 10, /* at the start of a run, while loading, and when much is waiting */
  DRAIN_BATCH = 4096, /* samples between two looks at the clock */
  DRAIN_MAX_US = 8000,
  FAST_US = 1000000,
  MERGE_US = 500000,  /* changes closer together than this belong to one drag */
  RATE_POINTS = 128,
};

static const size_t CHECKPOINT_BYTES = (size_t) 512 << 20;

/* What to tell at the end of a drain. */
typedef enum
{
  NEWS_CHANGED = 1 << 0,
  NEWS_RESTARTED = 1 << 1,
  NEWS_FLAGGED = 1 << 2,
  NEWS_SCORED = 1 << 3, /* and one bit further per split */
} News;

enum
{
  CHANGED,
  RESTARTED,
  FLAGGED,
  SCORED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

typedef struct
{
  double   seconds, multiplications;
  uint64_t step;
} RatePoint;

struct _SlSession
{
  GObject parent;

  SlWorker *worker;
  gboolean  threaded; /* the worker's thread was started */
  guint     timer;
  gint64    fast_until;
  unsigned  news;

  /* The next run. */
  SlRequest *wanted; /* NULL: none is on its way */
  unsigned   wanted_version, loading_version;
  SlLoader  *loader;

  /* Commands: their numbers, and what did not fit into the ring. */
  uint64_t sent, mode_sent, set_sent[SL_PARAMS_MAX];
  GArray  *backlog; /* of SlCommand */

  /* This run. */
  SlRecord       record; /* its lab is NULL before the first run */
  SlRecipe       recipe; /* with the changes made so far */
  SlSettings     settings;  /* as asked for */
  SlSettings     effective; /* as the worker has them */
  SlSharedData  *data;
  unsigned       generation;
  unsigned       checkpoints;
  bool           watched[SL_PANELS_MAX];
  unsigned       threads; /* of products, in runs to come */
  SlScore        score[SL_N_SPLITS][SL_SCORES_MAX];
  unsigned       n_scores[SL_N_SPLITS];
  SlSessionState state;
  SlSessionInfo  info;
  GError        *error;

  RatePoint rate[RATE_POINTS];
  unsigned  n_rate;

  /* The drag that the last flag is about. */
  gint64   drag_until;
  unsigned drag_param;
  SlValue  drag_from;
};

G_DEFINE_FINAL_TYPE (SlSession, sl_session, G_TYPE_OBJECT)

static gboolean drain (gpointer data);

/* ---- small things ---- */

static gboolean
same_value (const SlValue *a, const SlValue *b)
{
  return a->n == b->n && memcmp (a->v, b->v, a->n * sizeof *a->v) == 0;
}

static void
take_error (SlSession *self, GError *error)
{
  g_clear_error (&self->error);
  self->error = error;
  self->news |= NEWS_CHANGED;
}

static void
set_state (SlSession *self, SlSessionState state)
{
  if (self->state != state)
    self->news |= NEWS_CHANGED;
  self->state = state;
}

/* The last thing in a public function or drain: handlers may do anything. */
static void
tell (SlSession *self)
{
  unsigned news = self->news;

  self->news = 0;
  if (news == 0)
    return;
  g_object_ref (self);
  if (news & NEWS_RESTARTED)
    g_signal_emit (self, signals[RESTARTED], 0);
  if (news & NEWS_FLAGGED)
    g_signal_emit (self, signals[FLAGGED], 0);
  for (unsigned s = 0; s < SL_N_SPLITS; s++)
    if (news & (NEWS_SCORED << s))
      g_signal_emit (self, signals[SCORED], 0, s);
  if (news & NEWS_CHANGED)
    g_signal_emit (self, signals[CHANGED], 0);
  g_object_unref (self);
}

static void
schedule (SlSession *self)
{
  gboolean fast = self->loader != NULL || g_get_monotonic_time () < self->fast_until
                  || sl_worker_waiting (self->worker) > sl_worker_capacity (self->worker) / 4;

  if (self->timer == 0)
    self->timer = g_timeout_add (fast ? DRAIN_FAST_MS : DRAIN_MS, drain, self);
}

/* ---- commands ---- */

static void
flush_backlog (SlSession *self)
{
  guint n = 0;

  while (n < self->backlog->len
         && sl_worker_send (self->worker, &g_array_index (self->backlog, SlCommand, n)))
    n++;
  if (n > 0)
    g_array_remove_range (self->backlog, 0, n);
}

/* Where the worker is so far behind that its ring is full, only the newest value of each
 * parameter is kept for it.  */
static void
put_off (SlSession *self, const SlCommand *command)
{
  for (guint i = self->backlog->len; command->kind == SL_COMMAND_SET && i-- > 0;)
    {
      const SlCommand *earlier = &g_array_index (self->backlog, SlCommand, i);

      if (earlier->kind != SL_COMMAND_SET)
        break;
      if (earlier->param == command->param)
        {
          g_array_remove_index (self->backlog, i);
          break;
        }
    }
  g_array_append_val (self->backlog, *command);
}

/* Numbers a command and puts it on its way, without waiting. */
static uint64_t
post (SlSession *self, SlCommand command)
{
  command.number = ++self->sent;
  flush_backlog (self);
  if (self->backlog->len > 0 || !sl_worker_send (self->worker, &command))
    put_off (self, &command);
  return command.number;
}

/* The same to a worker that is awake. */
static uint64_t
send (SlSession *self, SlCommand command)
{
  uint64_t number = post (self, command);

  if (!self->threaded && self->record.lab != NULL)
    {
      self->threaded = sl_worker_start (self->worker);
      if (!self->threaded)
        {
          SlStatus status = sl_status_new (SL_ENOMEM, "run", "no thread could be had", NULL);

          take_error (self, sl_status_to_error (&status));
        }
    }
  schedule (self);
  return number;
}

static void
send_mode (SlSession *self, SlCommandKind kind)
{
  self->mode_sent = send (self, (SlCommand) { .kind = kind });
}

static void
send_set (SlSession *self, unsigned param)
{
  self->set_sent[param] = send (self, (SlCommand) { .kind = SL_COMMAND_SET, .param = param,
                                                    .value = self->settings.value[param] });
}

/* ---- flags ---- */

/* Whether a parameter only says what the panels look at, which is no event of the run. */
static gboolean
only_looks (const SlLab *lab, unsigned param)
{
  for (unsigned p = 0; p < lab->n_panels; p++)
    if (g_strcmp0 (lab->panels[p].picks, lab->params[param].id) == 0)
      return TRUE;
  return FALSE;
}

static void
flag_change (SlSession *self, uint64_t step, unsigned param, const SlValue *from, const SlValue *to)
{
  const SlParam *what = &self->record.lab->params[param];
  SlRecord      *record = &self->record;
  gint64         now = g_get_monotonic_time ();
  gboolean       same_drag = now < self->drag_until && self->drag_param == param && record->n_flags > 0;
  char           text[SL_FLAG_TEXT];

  if (!same_drag)
    self->drag_from = *from;
  self->drag_param = param;
  self->drag_until = now + MERGE_US;
  sl_flag_text (what, &self->drag_from, to, text);
  if (!same_drag)
    sl_record_flag (record, (double) step + 1.0, text);
  else
    memcpy (record->flag[record->n_flags - 1].text, text, sizeof text);
  self->news |= NEWS_FLAGGED;
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
    take_error (self, sl_status_to_error (&event->status));
  /* What was asked for later will be reported too. */
  if (event->number >= self->mode_sent)
    set_state (self, states[event->mode]);
}

static void
on_set (SlSession *self, const SlEvent *event)
{
  unsigned param = event->param;
  SlValue  before = self->effective.value[param];
  SlChange change = { .step = event->step, .param = param, .value = event->value };
  gboolean newest = event->number >= self->set_sent[param];

  if (!sl_ok (&event->status))
    take_error (self, sl_status_to_error (&event->status));
  else
    {
      self->effective.value[param] = event->value;
      g_array_append_val (self->recipe.changes, change);
      if (!only_looks (self->record.lab, param))
        flag_change (self, event->step, param, &before, &event->value);
      else
        self->news |= NEWS_CHANGED;
    }
  if (newest && !same_value (&self->settings.value[param], &self->effective.value[param]))
    {
      self->settings.value[param] = self->effective.value[param];
      self->news |= NEWS_CHANGED;
    }
}

/* The worker went back to after `step` updates, before any change made there. */
static void
on_restored (SlSession *self, const SlEvent *event)
{
  GArray *changes = self->recipe.changes;
  guint   kept = 0;

  sl_record_truncate (&self->record, (double) event->step);
  self->effective = self->recipe.settings;
  for (; kept < changes->len && g_array_index (changes, SlChange, kept).step < event->step; kept++)
    {
      const SlChange *change = &g_array_index (changes, SlChange, kept);

      self->effective.value[change->param] = change->value;
    }
  g_array_set_size (changes, kept);
  for (unsigned p = 0; p < self->record.lab->n_params; p++)
    if (event->number >= self->set_sent[p])
      self->settings.value[p] = self->effective.value[p];
  self->n_rate = 0;
  self->drag_until = 0;
  self->news |= NEWS_CHANGED | NEWS_FLAGGED;
}

static void
on_scored (SlSession *self, const SlEvent *event)
{
  if (!sl_ok (&event->status))
    {
      take_error (self, sl_status_to_error (&event->status));
      return;
    }
  self->n_scores[event->split] = event->n_scores;
  memcpy (self->score[event->split], event->score, sizeof event->score);
  self->news |= NEWS_SCORED << event->split;
}

static void
on_event (SlSession *self, const SlEvent *event)
{
  if (event->kind == SL_EVENT_RETIRED)
    sl_run_free (event->run);
  else if (event->generation == self->generation)
    switch (event->kind)
      {
      case SL_EVENT_MODE: on_mode (self, event); break;
      case SL_EVENT_SET: on_set (self, event); break;
      case SL_EVENT_RESTORED: on_restored (self, event); break;
      case SL_EVENT_SCORED: on_scored (self, event); break;
      case SL_EVENT_RETIRED: break;
      }
}

/* ---- what comes out ---- */

static void
out_of_memory (SlSession *self)
{
  SlStatus status = sl_status_new (SL_ENOMEM, "record", "no room for more samples", NULL);

  if (self->error == NULL)
    take_error (self, sl_status_to_error (&status));
  if (self->state == SL_RUNNING)
    {
      send_mode (self, SL_COMMAND_PAUSE);
      set_state (self, SL_PAUSED);
    }
}

/* Takes up to DRAIN_BATCH samples and events.  FALSE when there were no more. */
static gboolean
take_batch (SlSession *self)
{
  SlSample sample;
  SlEvent  event;
  bool     stored = true;

  for (unsigned i = 0; i < DRAIN_BATCH; i++)
    switch (sl_worker_take (self->worker, &sample, &event))
      {
      case SL_TOOK_NOTHING: return FALSE;
      case SL_TOOK_EVENT: on_event (self, &event); break;
      case SL_TOOK_SAMPLE:
        stored = sl_record_take (&self->record, &sample) && stored;
        self->news |= NEWS_CHANGED;
        break;
      }
  if (!stored)
    out_of_memory (self);
  return TRUE;
}

static void
measure_rate (SlSession *self)
{
  SlSessionInfo *info = &self->info;
  const RatePoint *first;
  RatePoint now = { info->seconds, info->progress.multiplications, info->step };
  unsigned  old = 0;

  /* A run that was taken back begins a new count. */
  if (self->n_rate > 0 && now.step < self->rate[self->n_rate - 1].step)
    self->n_rate = 0;
  if (self->n_rate == RATE_POINTS)
    old = 1;
  while (old + 1 < self->n_rate && self->rate[old + 1].seconds < now.seconds - 1.0)
    old++;
  self->n_rate -= old;
  memmove (self->rate, self->rate + old, self->n_rate * sizeof *self->rate);
  self->rate[self->n_rate++] = now;

  first = &self->rate[0];
  if (now.seconds > first->seconds)
    {
      double seconds = now.seconds - first->seconds;

      info->steps_per_second = (double) (now.step - first->step) / seconds;
      info->gflops = 2e-9 * (now.multiplications - first->multiplications) / seconds;
    }
}

static void
take_state (SlSession *self)
{
  const SlWorkerState *state = sl_worker_state (self->worker);

  if (state == NULL || state->generation != self->generation)
    return;
  self->info.step = state->step;
  self->info.progress = state->progress;
  self->info.seconds = state->seconds;
  self->info.waits = state->waits;
  self->checkpoints = state->checkpoints;
  self->news |= NEWS_CHANGED;
  measure_rate (self);
}

static void
take_snapshots (SlSession *self)
{
  for (unsigned p = 0; p < SL_PANELS_MAX; p++)
    {
      const SlSnapshot *snapshot = sl_worker_snapshot (self->worker, p);

      if (snapshot == NULL)
        continue;
      if (!sl_record_show (&self->record, snapshot))
        out_of_memory (self);
      self->news |= NEWS_CHANGED;
    }
}

/* ---- new runs ---- */

static void
load_wanted (SlSession *self)
{
  self->loading_version = self->wanted_version;
  self->loader = sl_loader_start (sl_request_copy (self->wanted));
  if (self->loader == NULL)
    {
      SlStatus status = sl_status_new (SL_ENOMEM, "new run", "no thread could be had", NULL);

      take_error (self, sl_status_to_error (&status));
      g_clear_pointer (&self->wanted, sl_request_free);
      if (self->record.lab == NULL)
        set_state (self, SL_FAILED);
    }
}

/* Everything about the old run gives way to the new one; the worker gets it by command and
 * gives the old one back.  */
static void
begin_run (SlSession *self, SlRequest *loaded, SlRun *run)
{
  const SlLab *lab = run->lab;
  SlSettings   settings = self->wanted->recipe.settings;
  SlRecord     record;
  SlStatus     status;
  uint64_t     limit = self->info.limit;

  status = sl_record_init (&record, lab, &loaded->recipe.settings, self->generation + 1);
  if (!sl_ok (&status))
    {
      take_error (self, sl_status_to_error (&status));
      sl_run_free (run);
      return;
    }
  for (unsigned p = 0; p < SL_PANELS_MAX && lab != self->record.lab; p++)
    sl_session_watch (self, p, FALSE);
  run->generation = ++self->generation;
  sl_record_clear (&self->record);
  self->record = record;
  sl_recipe_clear (&self->recipe);
  /* Data that the lab does not use stay open for the next one, and are no part of this run. */
  sl_recipe_init (&self->recipe, lab, &loaded->recipe.settings,
                  lab->data != SL_NEEDS_NOTHING ? loaded->data->set : NULL, loaded->recipe.seed);
  self->recipe.threads = loaded->recipe.threads;
  self->recipe.changes = g_array_new (FALSE, FALSE, sizeof (SlChange));
  run->plan = loaded->recipe;
  loaded->recipe = (SlRecipe) { 0 };
  self->settings = self->effective = self->recipe.settings;
  sl_shared_data_use (loaded->data);
  sl_shared_data_leave (self->data);
  self->data = loaded->data;
  self->checkpoints = 0;
  self->rate[0] = (RatePoint) { 0 };
  self->n_rate = 1;
  self->drag_until = 0;
  memset (self->n_scores, 0, sizeof self->n_scores);
  self->info = (SlSessionInfo) { .limit = limit };
  self->fast_until = g_get_monotonic_time () + FAST_US;
  g_clear_error (&self->error);
  self->mode_sent = send (self, (SlCommand) { .kind = SL_COMMAND_BEGIN, .run = run,
                                              .on = self->wanted->run });
  set_state (self, self->wanted->run ? SL_RUNNING : SL_PAUSED);
  self->news |= NEWS_RESTARTED | NEWS_CHANGED;

  /* Live parameters that were changed while it was made. */
  for (unsigned p = 0; p < lab->n_params; p++)
    if (lab->params[p].effect == SL_LIVE
        && !same_value (&settings.value[p], &self->settings.value[p]))
      {
        self->settings.value[p] = settings.value[p];
        send_set (self, p);
      }
}

static void
finish_loading (SlSession *self)
{
  SlRequest *loaded;
  SlRun     *run;
  SlStatus   status = sl_loader_finish (self->loader, &loaded, &run);

  self->loader = NULL;
  if (self->loading_version != self->wanted_version)
    {
      /* Something else is wanted by now; perhaps on the data just opened. */
      if (self->wanted->data == NULL && loaded->data != NULL
          && g_strcmp0 (self->wanted->spec, loaded->spec) == 0)
        self->wanted->data = sl_shared_data_use (loaded->data);
      sl_run_free (run);
      sl_request_free (loaded);
      load_wanted (self);
      return;
    }
  if (sl_ok (&status))
    begin_run (self, loaded, run);
  else
    take_error (self, sl_status_to_error (&status));
  sl_request_free (loaded);
  g_clear_pointer (&self->wanted, sl_request_free);
  if (self->record.lab == NULL)
    set_state (self, SL_FAILED);
  self->news |= NEWS_CHANGED;
}

/* Takes over the request as the newest wish. */
static void
want (SlSession *self, SlRequest *request)
{
  sl_request_free (self->wanted);
  self->wanted = request;
  self->wanted_version++;
  if (self->record.lab == NULL)
    set_state (self, SL_LOADING);
  self->news |= NEWS_CHANGED;
  if (self->loader == NULL)
    load_wanted (self);
  schedule (self);
}

/* False when data that nobody asked for by name are of a kind that the lab has no use for.  Files
 * that are not read yet may be anything.  */
static gboolean
serves (const SlLab *lab, const char *spec, const SlSharedData *data)
{
  const SlSource *source;
  SlSettings      settings;
  SlStatus        status;

  if (data != NULL && data->set != NULL)
    return sl_data_serves (sl_dataset_kind (data->set), lab->data);
  status = sl_source_parse (spec, &source, &settings);
  return !sl_ok (&status) || source == NULL || sl_data_serves (source->yields, lab->data);
}

/* The data of a request: those asked for, in use or on their way if they serve, or the default. */
static void
choose_data (SlSession *self, SlRequest *request, const char *spec)
{
  SlSharedData *current = self->wanted != NULL ? self->wanted->data : self->data;
  const char   *current_spec = self->wanted != NULL ? self->wanted->spec
                               : self->data != NULL ? self->data->spec
                                                    : NULL;

  if (spec == NULL && current_spec != NULL && serves (request->recipe.lab, current_spec, current))
    spec = current_spec;
  if (spec == NULL && request->recipe.lab->data != SL_NEEDS_NOTHING)
    spec = sl_source_default_for (request->recipe.lab->data);
  request->spec = g_strdup (spec);
  if (current == NULL)
    current = self->data;
  if (current != NULL && spec != NULL
      && (g_strcmp0 (spec, current->spec) == 0
          || (current->set != NULL && strcmp (spec, current->set->id) == 0)))
    request->data = sl_shared_data_use (current);
}

/* ---- the drain ---- */

static gboolean
drain (gpointer data)
{
  SlSession *self = data;
  uint64_t   settled = sl_worker_settled (self->worker); /* before looking at what came */
  gint64     end = g_get_monotonic_time () + DRAIN_MAX_US;

  self->timer = 0;
  flush_backlog (self);
  while (take_batch (self) && g_get_monotonic_time () < end)
    ;
  take_snapshots (self);
  take_state (self);
  if (self->loader != NULL && sl_loader_done (self->loader))
    finish_loading (self);
  if (self->loader != NULL || sl_worker_waiting (self->worker) > 0
      || (self->threaded && settled != self->sent))
    schedule (self);
  tell (self);
  return G_SOURCE_REMOVE;
}

/* ---- public ---- */

SlSession *
sl_session_new (void)
{
  return g_object_new (SL_TYPE_SESSION, NULL);
}

void
sl_session_start (SlSession *session, const SlLab *lab, const SlSettings *settings,
                  const char *spec, uint64_t seed, gboolean run)
{
  SlRequest *request = sl_request_new (lab, settings, seed);

  request->run = run;
  request->recipe.threads = session->threads;
  choose_data (session, request, spec);
  want (session, request);
  tell (session);
}

void
sl_session_replay (SlSession *session, const SlRecipe *recipe, gboolean run)
{
  SlRequest *request = sl_request_new (recipe->lab, &recipe->settings, recipe->seed);

  request->run = run;
  request->recipe.threads = recipe->threads;
  if (recipe->changes != NULL)
    request->recipe.changes = g_array_copy (recipe->changes);
  choose_data (session, request, recipe->data[0] != '\0' ? recipe->data : NULL);
  want (session, request);
  tell (session);
}

void
sl_session_run (SlSession *session)
{
  if (session->wanted != NULL)
    session->wanted->run = true;
  if (session->record.lab != NULL && session->state != SL_DIVERGED)
    {
      send_mode (session, SL_COMMAND_RUN);
      if (session->state == SL_PAUSED)
        set_state (session, SL_RUNNING);
    }
  tell (session);
}

void
sl_session_pause (SlSession *session)
{
  if (session->wanted != NULL)
    session->wanted->run = false;
  if (session->record.lab != NULL && session->state == SL_RUNNING)
    {
      send_mode (session, SL_COMMAND_PAUSE);
      set_state (session, SL_PAUSED);
    }
  tell (session);
}

void
sl_session_step (SlSession *session)
{
  if (session->record.lab != NULL && session->state != SL_DIVERGED)
    {
      send_mode (session, SL_COMMAND_STEP);
      set_state (session, SL_PAUSED);
    }
  tell (session);
}

void
sl_session_set_limit (SlSession *session, uint64_t step)
{
  SlCommand command = { .kind = SL_COMMAND_LIMIT, .step = step };

  session->info.limit = step;
  session->mode_sent = session->record.lab != NULL ? send (session, command) : post (session, command);
  session->news |= NEWS_CHANGED;
  tell (session);
}

void
sl_session_set_threads (SlSession *session, unsigned threads)
{
  session->threads = CLAMP (threads, 1, sl_blas_cores ());
}

/* The order matters.  Ask first: the thread ends after its update.  Keep draining until it
 * has: it may be waiting for room in the queue.  Join; drain what it left.  Nothing is lost and
 * nothing is touched by two threads.  */
static void
end_threads (SlSession *self)
{
  SlRequest *loaded;
  SlRun     *run;

  g_clear_handle_id (&self->timer, g_source_remove);
  if (self->threaded)
    {
      sl_worker_ask_to_stop (self->worker);
      while (!sl_worker_ended (self->worker))
        if (!take_batch (self))
          g_usleep (200);
      sl_worker_join (self->worker);
      self->threaded = FALSE;
      while (take_batch (self))
        ;
      take_snapshots (self);
      take_state (self);
    }
  if (self->loader != NULL)
    {
      sl_loader_finish (self->loader, &loaded, &run);
      sl_run_free (run);
      sl_request_free (loaded);
      self->loader = NULL;
    }
  g_clear_pointer (&self->wanted, sl_request_free);
  /* Whatever the end brought, nothing is scheduled any more. */
  g_clear_handle_id (&self->timer, g_source_remove);
}

void
sl_session_stop (SlSession *session)
{
  end_threads (session);
  if (session->state == SL_RUNNING)
    session->mode_sent = post (session, (SlCommand) { .kind = SL_COMMAND_PAUSE });
  if (session->state == SL_RUNNING || session->state == SL_LOADING)
    set_state (session, SL_PAUSED);
  session->news |= NEWS_CHANGED;
  tell (session);
}

gboolean
sl_session_set (SlSession *session, const char *id, const SlValue *value, GError **error)
{
  SlRequest   *wanted = session->wanted;
  const SlLab *lab = session->record.lab != NULL ? session->record.lab
                     : wanted != NULL            ? wanted->recipe.lab
                                                 : NULL;
  int          param = lab != NULL ? sl_param_find (lab->params, lab->n_params, id) : -1;
  SlSettings   settings;
  SlStatus     status;

  if (param < 0)
    return sl_fail (error, SL_EINVAL, id, lab != NULL ? "no parameter of this name" : "no run",
                    lab != NULL ? lab->title : NULL);
  status = sl_param_check (&lab->params[param], value);
  if (!sl_ok (&status))
    {
      g_propagate_error (error, sl_status_to_error (&status));
      return FALSE;
    }
  if (wanted != NULL && wanted->recipe.lab != lab)
    wanted = NULL;

  settings = wanted != NULL ? wanted->recipe.settings : session->settings;
  settings.value[param] = *value;
  sl_settings_settle (&settings, lab->params, lab->n_params);
  if (lab->params[param].effect == SL_RESTART)
    {
      SlRequest *request = sl_request_new (
        lab, &settings, wanted != NULL ? wanted->recipe.seed : session->recipe.seed);

      if (wanted != NULL ? same_value (&settings.value[param], &wanted->recipe.settings.value[param])
                         : same_value (&settings.value[param], &session->settings.value[param]))
        {
          sl_request_free (request);
          return TRUE;
        }
      request->recipe.threads = session->threads;
      request->run = wanted != NULL ? wanted->run : session->state == SL_RUNNING;
      choose_data (session, request, NULL);
      want (session, request);
      tell (session);
      return TRUE;
    }

  if (wanted != NULL)
    wanted->recipe.settings.value[param] = settings.value[param];
  if (session->record.lab != NULL)
    {
      settings = session->settings;
      settings.value[param] = *value;
      sl_settings_settle (&settings, lab->params, lab->n_params);
      if (!same_value (&settings.value[param], &session->settings.value[param]))
        {
          session->settings.value[param] = settings.value[param];
          send_set (session, (unsigned) param);
        }
    }
  return TRUE;
}

gboolean
sl_session_rescue (SlSession *session, uint64_t steps)
{
  take_state (session);
  if (session->record.lab == NULL || session->checkpoints == 0)
    return FALSE;
  session->mode_sent = send (session, (SlCommand) { .kind = SL_COMMAND_RESCUE, .step = steps });
  g_clear_error (&session->error);
  set_state (session, SL_PAUSED);
  session->news |= NEWS_CHANGED;
  tell (session);
  return TRUE;
}

void
sl_session_score (SlSession *session, SlSplit split)
{
  if (session->record.lab != NULL)
    send (session, (SlCommand) { .kind = SL_COMMAND_SCORE, .split = split });
}

const SlScore *
sl_session_scores (SlSession *session, SlSplit split, unsigned *n)
{
  *n = session->n_scores[split];
  return *n > 0 ? session->score[split] : NULL;
}

void
sl_session_watch (SlSession *session, unsigned panel, gboolean watched)
{
  if (session->record.lab == NULL || panel >= session->record.lab->n_panels
      || session->watched[panel] == (bool) watched)
    return;
  session->watched[panel] = watched;
  send (session, (SlCommand) { .kind = SL_COMMAND_WATCH, .panel = panel, .on = watched });
}

void
sl_session_look (SlSession *session, const SlMapView *view)
{
  send (session, (SlCommand) { .kind = SL_COMMAND_LOOK, .view = *view });
}

SlSessionState
sl_session_state (SlSession *session)
{
  return session->state;
}

gboolean
sl_session_is_loading (SlSession *session)
{
  return session->wanted != NULL;
}

const GError *
sl_session_error (SlSession *session)
{
  return session->error;
}

void
sl_session_clear_error (SlSession *session)
{
  if (session->error == NULL)
    return;
  take_error (session, NULL);
  tell (session);
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

static void
sl_session_init (SlSession *self)
{
  self->worker = sl_worker_new (CHECKPOINT_BYTES);
  if (self->worker == NULL)
    g_error ("no memory for a session"); /* as GLib itself does for far less */
  self->backlog = g_array_new (FALSE, FALSE, sizeof (SlCommand));
  self->state = SL_PAUSED;
  self->threads = sl_blas_threads ();
}

static void
sl_session_finalize (GObject *object)
{
  SlSession *self = SL_SESSION (object);
  SlRun     *run;

  end_threads (self);
  while ((run = sl_worker_take_run (self->worker)) != NULL)
    sl_run_free (run);
  for (guint i = 0; i < self->backlog->len; i++)
    sl_run_free (g_array_index (self->backlog, SlCommand, i).run);
  g_array_unref (self->backlog);
  sl_worker_free (self->worker);
  sl_record_clear (&self->record);
  sl_recipe_clear (&self->recipe);
  sl_shared_data_leave (self->data);
  g_clear_error (&self->error);
  G_OBJECT_CLASS (sl_session_parent_class)->finalize (object);
}

static void
sl_session_class_init (SlSessionClass *klass)
{
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = sl_session_finalize;
  signals[CHANGED] = g_signal_new ("changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
  signals[RESTARTED] = g_signal_new ("restarted", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                     G_TYPE_NONE, 0);
  signals[FLAGGED] = g_signal_new ("flagged", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
  signals[SCORED] = g_signal_new ("scored", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_UINT);
}
