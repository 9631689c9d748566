/* SPDX-License-Identifier: MIT
 *
 * See run.h: the owner's side.  */
#include <math.h>

#include "core/nn/kernels/mat.h"
#include "core/run/sweep/store.h"
#include "core/run/sweep/tasks.h"

enum { PERIOD = 200 /* ms between two signs of progress */ };

enum { ARRIVED, CHANGED, ENDED, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_TYPE (SlSweepRun, sl_sweep_run, G_TYPE_OBJECT)

void
sl_sweep_run_call (SlSweepRun *run)
{
  g_source_set_ready_time (run->call, 0);
}

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
    set_state (run, run->over < run->jobs->len ? SL_SWEEP_CANCELLED : SL_SWEEP_DONE);
  g_signal_emit (run, signals[ENDED], 0);
}

static void
arrive (SlSweepRun *run, SlSweepResult *result)
{
  run->over++;
  run->diverged += result->status.code == SL_EDIVERGED;
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
  run->dataset = g_new0 (SlDataset *, sl_sweep_n_data (sweep));
  run->pool = sl_sweep_pool (pool, jobs->len);
  run->done = g_new0 (double, run->pool.at_once);
  run->context = g_main_context_ref_thread_default ();
  run->call = add_source (run, g_source_new (&functions, sizeof (GSource)), answer);
  return run;
}

void
sl_sweep_run_start (SlSweepRun *run)
{
  if (run->state != SL_SWEEP_READY)
    return;
  run->timer = add_source (run, g_timeout_source_new (PERIOD), tick);
  run->thread = g_new (pthread_t, run->pool.at_once);
  for (unsigned i = 0; i < run->pool.at_once; i++)
    sl_sweep_tasks_add_thread (run, i);
  if (run->n_threads == 0)
    {
      run->status = sl_status_new (SL_ENOMEM, "sweep", sl_message ("no thread could be created"),
                                   SL_NO_MESSAGE);
      sl_sweep_run_call (run);
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
  unsigned runs = run->jobs->len;
  double   parts;

  pthread_mutex_lock (&run->lock);
  parts = run->made;
  for (unsigned i = 0; i < run->pool.at_once; i++)
    parts += run->done[i];
  pthread_mutex_unlock (&run->lock);
  *progress = (SlSweepProgress) {
    .runs = runs,
    .over = run->over,
    .diverged = run->diverged,
    .refused = run->refused,
    .share = run->over < runs ? MIN (parts / runs, 1) : 1,
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
  for (unsigned i = 0; i < sl_sweep_n_data (&run->sweep); i++)
    sl_dataset_free (run->dataset[i]);
  g_free (run->dataset);
  sl_sweep_clear (&run->sweep);
  g_clear_pointer (&run->jobs, g_array_unref);
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
