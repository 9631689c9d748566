/* SPDX-License-Identifier: MIT
 *
 * See sweep-run.h.  What the threads share with the owner is under one lock; it is taken once per
 * update, which is a hundred times slower than that.  Lock and threads are POSIX ones, which the
 * thread sanitizer can see into.  */
#include "core/run/sweep/run.h"

#include <math.h>
#include <pthread.h>

#include "core/nn/kernels/mat.h"
#include "core/run/base/cpu.h"
#include "core/run/record/data.h"
#include "core/run/sweep/store.h"

enum { PERIOD = 200 /* ms between two signs of progress */ };

enum { ARRIVED, CHANGED, ENDED, N_SIGNALS };

static guint signals[N_SIGNALS];

struct _SlSweepRun
{
  GObject       parent;
  SlSweep       sweep;
  GArray       *jobs;
  SlSweepPool   pool;
  GMainContext *context;
  GSource      *timer, *call; /* while it runs; what the threads wake the owner with */
  pthread_t    *thread;       /* (n_threads), NULL before and after */
  unsigned      n_threads;
  GError       *error;
  unsigned      over, diverged, refused, pruned;
  char          title[SL_SWEEP_ID]; /* of a pruned sweep in its store */
  gint64        began, rested;      /* µs; when the clock was started, and time it had before */
  SlSweepState  state;

  pthread_mutex_t lock; /* of what follows */
  pthread_cond_t  news; /* paused, cancelled or opened changed */
  bool            paused, cancelled;
  bool            opening, opened;
  SlStatus        status; /* of opening the data, or of having threads */
  SlDataset      *dataset;
  SlHalving      *halving; /* of a pruned sweep, else NULL */
  GArray         *tasks;   /* of Task: what is made before points are compared again */
  unsigned        next;    /* task */
  unsigned        busy;    /* tasks under way, and one more while points are compared */
  unsigned        working; /* threads that have not ended */
  unsigned        there;   /* runs that the store had, so that they do not arrive */
  double          made;    /* runs of full length that the tasks so far came to, and all will */
  double          expected;
  double         *done; /* (crew.at_once) share of the run that each thread has made of its task */
  GQueue          results; /* of SlSweepResult, on their way to the owner */
};

/* A job, or a stage of it. */
typedef struct
{
  unsigned     job;
  SlSweepStage stage;
  double       before, after; /* shares of the run that are made when it begins and ends */
} Task;

G_DEFINE_TYPE (SlSweepRun, sl_sweep_run, G_TYPE_OBJECT)

/* A thread and its number. */
typedef struct
{
  SlSweepRun *run; /* borrowed: it is joined before that goes */
  unsigned    number;
  Task        task; /* that it is at */
} Worker;

/* ---- threads ---- */

static bool
ask (void *data, const SlHeadlessRun *headless, const SlProgress *progress, double done)
{
  Worker     *worker = data;
  SlSweepRun *run = worker->run;
  bool        go_on;

  pthread_mutex_lock (&run->lock);
  run->done[worker->number] = CLAMP (done * worker->task.after - worker->task.before, 0, 1);
  while (run->paused && !run->cancelled)
    pthread_cond_wait (&run->news, &run->lock);
  go_on = !run->cancelled;
  pthread_mutex_unlock (&run->lock);
  return go_on;
}

/* The first thread opens the data, the others wait for it. */
static void
open_data (SlSweepRun *run)
{
  SlStatus status = SL_SUCCESS;

  pthread_mutex_lock (&run->lock);
  if (!run->opening)
    {
      run->opening = true;
      pthread_mutex_unlock (&run->lock);
      if (run->sweep.data != NULL)
        status = sl_open_data (run->sweep.data, &run->dataset);
      pthread_mutex_lock (&run->lock);
      run->status = status;
      run->opened = true;
      pthread_cond_broadcast (&run->news);
    }
  while (!run->opened)
    pthread_cond_wait (&run->news, &run->lock);
  pthread_mutex_unlock (&run->lock);
}

/* The tasks before points are compared; of a sweep that is not pruned, all runs.  Under the lock. */
static void
list_tasks (SlSweepRun *run)
{
  const SlHalving *halving = run->halving;
  double           steps = halving != NULL ? (double) run->sweep.budget.steps : 0;

  g_array_set_size (run->tasks, 0);
  run->next = 0;
  for (guint i = 0; i < run->jobs->len; i++)
    {
      SlHalvingNext next = halving != NULL ? sl_halving_next (halving, i) : SL_HALVING_FINISH;
      Task          task = { .job = i, .after = 1 };

      if (next == SL_HALVING_OVER)
        continue;
      if (halving != NULL)
        {
          task.before = (double) sl_halving_rung_before (halving) / steps;
          task.after = (double) sl_halving_rung (halving) / steps;
          task.stage.title = run->title;
          task.stage.until = sl_halving_rung (halving);
        }
      if (next == SL_HALVING_GO_ON)
        task.stage.extent = SL_SWEEP_PART;
      else if (next == SL_HALVING_PRUNE)
        {
          task.stage.extent = SL_SWEEP_PRUNED;
          task.stage.until = sl_halving_rung_before (halving);
          task.after = task.before;
        }
      g_array_append_val (run->tasks, task);
    }
  run->expected = halving != NULL ? sl_halving_runs (halving) : run->jobs->len;
}

/* Compares the points when everything before is made and in the store; the lock is held but meanwhile. */
static bool
climb (SlSweepRun *run)
{
  GError *error = NULL;
  bool    flushed, more;

  run->busy++;
  pthread_mutex_unlock (&run->lock);
  flushed = sl_store_flush (run->pool.store, &error);
  pthread_mutex_lock (&run->lock);
  run->busy--;
  if (!flushed)
    {
      run->status
        = sl_status_new (SL_EIO, "store", sl_message ("%s", error->message), SL_NO_MESSAGE);
      g_error_free (error);
    }
  more = flushed && sl_halving_advance (run->halving);
  if (more)
    list_tasks (run);
  else
    g_clear_pointer (&run->halving, sl_halving_free);
  pthread_cond_broadcast (&run->news);
  return more;
}

/* The next thing to make, or false. */
static bool
take_task (SlSweepRun *run, Task *task)
{
  bool there = false;

  pthread_mutex_lock (&run->lock);
  while (!run->cancelled && sl_ok (&run->status) && !there)
    {
      there = run->next < run->tasks->len;
      if (there)
        {
          *task = g_array_index (run->tasks, Task, run->next++);
          run->busy++;
        }
      else if (run->halving == NULL)
        break;
      else if (run->busy > 0)
        pthread_cond_wait (&run->news, &run->lock);
      else if (!climb (run))
        break;
    }
  pthread_mutex_unlock (&run->lock);
  return there;
}

/* Wakes the owner. */
static void
call (SlSweepRun *run)
{
  g_source_set_ready_time (run->call, 0);
}

/* What a part has shown at its rung, from the store where it has been there before.  NULL and no failure: it is
 * there.  */
static SlSweepResult *
perform_part (Worker *worker, const SlSweepJob *job, SlHalvingPoint *figures, bool *failed)
{
  SlSweepRun    *run = worker->run;
  const SlLab   *lab = run->sweep.lab;
  uint64_t       rung = worker->task.stage.until;
  const char    *channel[] = { sl_halving_error_channel (lab), sl_halving_cost_channel (lab) };
  double        *figure[] = { &figures->error, &figures->cost };
  SlSweepResult *result;

  *failed = false;
  if (sl_sweep_shown (run->pool.store, lab, job->id, rung, figures, failed))
    return NULL;
  result = sl_sweep_perform_stage (&run->sweep, job, &worker->task.stage, run->pool.store,
                                   run->dataset, ask, worker);
  *failed = result == NULL || !sl_ok (&result->status);
  for (size_t i = 0; i < G_N_ELEMENTS (channel) && !*failed; i++)
    {
      int at = channel[i] != NULL ? sl_layout_find (&result->record.layout, channel[i]) : -1;

      if (at >= 0)
        *figure[i] = sl_halving_value (&result->record.series[at], rung);
    }
  return result;
}

/* Makes a task, and puts on its way to the owner what is over by it. */
static void
make (Worker *worker)
{
  SlSweepRun       *run = worker->run;
  const SlSweepJob *job = &g_array_index (run->jobs, SlSweepJob, worker->task.job);
  SlSweepStage     *stage = &worker->task.stage;
  bool              part = stage->extent == SL_SWEEP_PART, failed = false, there = false;
  SlHalvingPoint    figures = { NAN, NAN };
  SlSweepResult    *result = NULL;

  if (part)
    {
      result = perform_part (worker, job, &figures, &failed);
      there = failed && result == NULL;
    }
  else if (stage->title != NULL)
    there = sl_sweep_is_there (run->pool.store, job->id,
                               stage->extent == SL_SWEEP_PRUNED ? stage->until : 0);
  if (!part && !there)
    result = sl_sweep_perform_stage (&run->sweep, job, stage, run->pool.store, run->dataset, ask,
                                     worker);
  pthread_mutex_lock (&run->lock);
  if (part)
    sl_halving_tell (run->halving, worker->task.job, &figures, failed);
  run->there += there && !run->cancelled;
  run->done[worker->number] = 0;
  run->made += worker->task.after - worker->task.before;
  run->busy--;
  if (result != NULL && (!part || failed))
    g_queue_push_tail (&run->results, g_steal_pointer (&result));
  pthread_cond_broadcast (&run->news);
  pthread_mutex_unlock (&run->lock);
  sl_sweep_result_free (result);
}

static void *
work (void *data)
{
  Worker     *worker = data;
  SlSweepRun *run = worker->run;

  if (run->pool.polite)
    sl_cpu_be_nice (SL_NICE_BACKGROUND);
  sl_blas_set_threads (run->pool.threads);
  open_data (run);
  call (run);
  while (take_task (run, &worker->task))
    {
      make (worker);
      call (run);
    }
  pthread_mutex_lock (&run->lock);
  run->working--;
  pthread_mutex_unlock (&run->lock);
  call (run);
  g_free (worker);
  return NULL;
}

/* ---- the owner ---- */

static void
stop_clock (SlSweepRun *run)
{
  if (run->began > 0)
    run->rested += g_get_monotonic_time () - run->began;
  run->began = 0;
}

static void
set_state (SlSweepRun *run, SlSweepState state)
{
  run->state = state;
  if (state != SL_SWEEP_RUNNING && state != SL_SWEEP_LOADING)
    stop_clock (run);
  else if (run->began == 0)
    run->began = g_get_monotonic_time ();
  g_signal_emit (run, signals[CHANGED], 0);
}

static void
join (SlSweepRun *run)
{
  for (unsigned i = 0; run->thread != NULL && i < run->n_threads; i++)
    pthread_join (run->thread[i], NULL);
  g_clear_pointer (&run->thread, g_free);
}

static void
end (SlSweepRun *run)
{
  join (run);
  g_source_destroy (run->timer);
  g_clear_pointer (&run->timer, g_source_unref);
  if (!sl_ok (&run->status))
    {
      run->error = sl_status_to_error (&run->status);
      set_state (run, SL_SWEEP_FAILED);
    }
  else
    set_state (run, run->over + run->there < run->jobs->len ? SL_SWEEP_CANCELLED : SL_SWEEP_DONE);
  g_signal_emit (run, signals[ENDED], 0);
}

static void
arrive (SlSweepRun *run, SlSweepResult *result)
{
  run->over++;
  run->diverged += result->status.code == SL_EDIVERGED;
  run->pruned += sl_ok (&result->status) && result->pruned;
  run->refused += !sl_ok (&result->status) && result->status.code != SL_EDIVERGED;
  g_signal_emit (run, signals[ARRIVED], 0, result);
  sl_sweep_result_free (result);
}

/* Something happened in a thread. */
static gboolean
answer (gpointer data)
{
  SlSweepRun    *run = g_object_ref (data);
  SlSweepResult *result;
  bool           opened, working;

  g_source_set_ready_time (run->call, -1);
  do
    {
      pthread_mutex_lock (&run->lock);
      result = g_queue_pop_head (&run->results);
      opened = run->opened;
      working = run->working > 0 || result != NULL;
      pthread_mutex_unlock (&run->lock);
      if (result != NULL)
        arrive (run, result);
    }
  while (result != NULL);
  if (opened && run->state == SL_SWEEP_LOADING)
    set_state (run, SL_SWEEP_RUNNING);
  if (!working && run->thread != NULL)
    end (run);
  g_object_unref (run);
  return G_SOURCE_CONTINUE;
}

static gboolean
tick (gpointer data)
{
  SlSweepRun *run = data;

  g_signal_emit (run, signals[CHANGED], 0);
  return G_SOURCE_CONTINUE;
}

static gboolean
dispatch_call (GSource *source, GSourceFunc callback, gpointer data)
{
  return callback (data);
}

static GSource *
add_source (SlSweepRun *run, GSource *source, GSourceFunc function)
{
  g_source_set_callback (source, function, run, NULL);
  g_source_attach (source, run->context);
  return source;
}

SlSweepPool
sl_sweep_pool (const SlSweepPool *pool, unsigned runs)
{
  unsigned    cores = sl_blas_cores ();
  SlSweepPool full = *pool;

  full.threads = CLAMP (pool->threads, 1, cores);
  if (pool->at_once == 0)
    full.at_once = cores / full.threads;
  full.at_once = CLAMP (full.at_once, 1, MAX (1, runs));
  return full;
}

SlSweepRun *
sl_sweep_run_new (const SlSweep *sweep, const GArray *jobs, const SlSweepPool *pool)
{
  static GSourceFuncs functions = { .dispatch = dispatch_call };
  SlSweepRun         *run = g_object_new (SL_TYPE_SWEEP_RUN, NULL);

  sl_sweep_copy (&run->sweep, sweep);
  run->jobs = g_array_copy ((GArray *) jobs);
  run->pool = sl_sweep_pool (pool, jobs->len);
  run->done = g_new0 (double, run->pool.at_once);
  run->tasks = g_array_new (FALSE, FALSE, sizeof (Task));
  if (sweep->prune > 0)
    {
      run->halving = sl_halving_new (sweep, jobs);
      sl_sweep_title (sweep, run->title);
    }
  list_tasks (run);
  run->context = g_main_context_ref_thread_default ();
  run->call = add_source (run, g_source_new (&functions, sizeof (GSource)), answer);
  return run;
}

/* One thread more, or fewer hands than were wished for. */
static void
add_hand (SlSweepRun *run, unsigned number)
{
  Worker *worker = g_new (Worker, 1);

  *worker = (Worker) { .run = run, .number = number };
  pthread_mutex_lock (&run->lock);
  run->working++;
  pthread_mutex_unlock (&run->lock);
  if (pthread_create (&run->thread[run->n_threads], NULL, work, worker) == 0)
    {
      run->n_threads++;
      return;
    }
  g_free (worker);
  pthread_mutex_lock (&run->lock);
  run->working--;
  pthread_mutex_unlock (&run->lock);
}

void
sl_sweep_run_start (SlSweepRun *run)
{
  if (run->state != SL_SWEEP_READY)
    return;
  run->timer = add_source (run, g_timeout_source_new (PERIOD), tick);
  run->thread = g_new (pthread_t, run->pool.at_once);
  for (unsigned i = 0; i < run->pool.at_once; i++)
    add_hand (run, i);
  if (run->n_threads == 0)
    {
      run->status = sl_status_new (SL_ENOMEM, "sweep", sl_message ("no thread could be created"),
                                   SL_NO_MESSAGE);
      call (run);
    }
  set_state (run, SL_SWEEP_LOADING);
}

static void
tell (SlSweepRun *run, bool paused, bool cancelled)
{
  pthread_mutex_lock (&run->lock);
  run->paused = paused;
  run->cancelled = run->cancelled || cancelled;
  pthread_cond_broadcast (&run->news);
  pthread_mutex_unlock (&run->lock);
}

void
sl_sweep_run_pause (SlSweepRun *run)
{
  if (run->state != SL_SWEEP_RUNNING)
    return;
  tell (run, true, false);
  set_state (run, SL_SWEEP_PAUSED);
}

void
sl_sweep_run_resume (SlSweepRun *run)
{
  if (run->state != SL_SWEEP_PAUSED)
    return;
  tell (run, false, false);
  set_state (run, SL_SWEEP_RUNNING);
}

void
sl_sweep_run_cancel (SlSweepRun *run)
{
  tell (run, false, true);
}

SlSweepState
sl_sweep_run_state (SlSweepRun *run)
{
  return run->state;
}

const GError *
sl_sweep_run_error (SlSweepRun *run)
{
  return run->error;
}

void
sl_sweep_run_progress (SlSweepRun *run, SlSweepProgress *progress)
{
  gint64   time = run->rested + (run->began > 0 ? g_get_monotonic_time () - run->began : 0);
  double   parts, expected;
  unsigned over;

  pthread_mutex_lock (&run->lock);
  parts = run->made;
  expected = run->expected;
  over = run->over + run->there;
  for (unsigned i = 0; i < run->pool.at_once; i++)
    parts += run->done[i];
  pthread_mutex_unlock (&run->lock);
  *progress = (SlSweepProgress) {
    .runs = run->jobs->len,
    .over = over,
    .diverged = run->diverged,
    .pruned = run->pruned,
    .refused = run->refused,
    .share = over < run->jobs->len && expected > 0 ? MIN (parts / expected, 1) : 1,
    .seconds = 1e-6 * (double) time,
  };
  progress->remaining
    = progress->share > 0 ? progress->seconds * (1 - progress->share) / progress->share : NAN;
}

static void
dispose (GObject *object)
{
  SlSweepRun *run = SL_SWEEP_RUN (object);

  sl_sweep_run_cancel (run);
  join (run);
  if (run->timer != NULL)
    g_source_destroy (run->timer);
  if (run->call != NULL)
    g_source_destroy (run->call);
  g_clear_pointer (&run->timer, g_source_unref);
  g_clear_pointer (&run->call, g_source_unref);
  G_OBJECT_CLASS (sl_sweep_run_parent_class)->dispose (object);
}

static void
finalize (GObject *object)
{
  SlSweepRun *run = SL_SWEEP_RUN (object);

  g_queue_clear_full (&run->results, (GDestroyNotify) sl_sweep_result_free);
  sl_dataset_free (run->dataset);
  sl_sweep_clear (&run->sweep);
  g_clear_pointer (&run->jobs, g_array_unref);
  g_clear_pointer (&run->tasks, g_array_unref);
  sl_halving_free (run->halving);
  g_clear_pointer (&run->context, g_main_context_unref);
  g_clear_error (&run->error);
  g_free (run->done);
  pthread_mutex_destroy (&run->lock);
  pthread_cond_destroy (&run->news);
  G_OBJECT_CLASS (sl_sweep_run_parent_class)->finalize (object);
}

static void
sl_sweep_run_class_init (SlSweepRunClass *class)
{
  GObjectClass *object = G_OBJECT_CLASS (class);

  object->dispose = dispose;
  object->finalize = finalize;
  signals[ARRIVED] = g_signal_new ("arrived", SL_TYPE_SWEEP_RUN, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
  signals[CHANGED] = g_signal_new ("changed", SL_TYPE_SWEEP_RUN, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 0);
  signals[ENDED] = g_signal_new ("ended", SL_TYPE_SWEEP_RUN, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 0);
}

static void
sl_sweep_run_init (SlSweepRun *run)
{
  pthread_mutex_init (&run->lock, NULL);
  pthread_cond_init (&run->news, NULL);
  g_queue_init (&run->results);
  run->status = SL_SUCCESS;
}
