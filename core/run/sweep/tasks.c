/* SPDX-License-Identifier: MIT
 *
 * See tasks.h.  */
#include "core/run/sweep/tasks.h"

#include <math.h>

#include "core/nn/kernels/mat.h"
#include "core/run/base/cpu.h"
#include "core/run/record/data.h"
#include "core/run/sweep/store.h"

/* A thread and its number. */
typedef struct
{
  SlSweepRun *run; /* borrowed: it is joined before that goes */
  unsigned    number;
  SlSweepTask task; /* that it is at */
} Worker;

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

void
sl_sweep_tasks_list (SlSweepRun *run)
{
  const SlHalving *halving = run->halving;
  double           steps = halving != NULL ? (double) run->sweep.budget.steps : 0;

  g_array_set_size (run->tasks, 0);
  run->next = 0;
  for (guint i = 0; i < run->jobs->len; i++)
    {
      SlHalvingNext next = halving != NULL ? sl_halving_next (halving, i) : SL_HALVING_FINISH;
      SlSweepTask   task = { .job = i, .after = 1 };

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
    sl_sweep_tasks_list (run);
  else
    g_clear_pointer (&run->halving, sl_halving_free);
  pthread_cond_broadcast (&run->news);
  return more;
}

/* The next thing to make, or false. */
static bool
take_task (SlSweepRun *run, SlSweepTask *task)
{
  bool there = false;

  pthread_mutex_lock (&run->lock);
  while (!run->cancelled && sl_ok (&run->status) && !there)
    {
      there = run->next < run->tasks->len;
      if (there)
        {
          *task = g_array_index (run->tasks, SlSweepTask, run->next++);
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

/* Where a run is written while it goes on.  One of a sweep that is not pruned is only written there if the pool keeps
 * runs, or if an earlier sweep has left it there unfinished: then it goes on from that.  */
static SlStore *
store_of (const SlSweepRun *run, const SlSweepJob *job, const SlSweepStage *stage)
{
  SlStore *store = run->pool.store;
  bool     kept
    = store != NULL && (run->pool.keeps || stage->title != NULL || sl_sweep_waits (store, job->id));

  return kept ? store : NULL;
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
    result = sl_sweep_perform_stage (&run->sweep, job, stage, store_of (run, job, stage),
                                     run->dataset, ask, worker);
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
  sl_sweep_run_call (run);
  while (take_task (run, &worker->task))
    {
      make (worker);
      sl_sweep_run_call (run);
    }
  pthread_mutex_lock (&run->lock);
  run->working--;
  pthread_mutex_unlock (&run->lock);
  sl_sweep_run_call (run);
  g_free (worker);
  return NULL;
}

void
sl_sweep_tasks_add_thread (SlSweepRun *run, unsigned number)
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
