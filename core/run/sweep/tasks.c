/* SPDX-License-Identifier: MIT
 *
 * See tasks.h.  */
#include "core/run/sweep/tasks.h"

#include "core/nn/kernels/mat.h"
#include "core/run/base/cpu.h"
#include "core/run/record/data.h"
#include "core/run/sweep/store.h"

/* A thread and its number. */
typedef struct
{
  SlSweepRun *run; /* borrowed: it is joined before that goes */
  unsigned    number;
} Worker;

static bool
ask (void *data, const SlHeadlessRun *headless, const SlProgress *progress, double done)
{
  Worker     *worker = data;
  SlSweepRun *run = worker->run;
  bool        go_on;

  pthread_mutex_lock (&run->lock);
  run->done[worker->number] = CLAMP (done, 0, 1);
  while (run->paused && !run->cancelled)
    pthread_cond_wait (&run->news, &run->lock);
  go_on = !run->cancelled;
  pthread_mutex_unlock (&run->lock);
  return go_on;
}

static SlStatus
open_all (SlSweepRun *run)
{
  SlStatus status = SL_SUCCESS;

  for (unsigned i = 0; i < sl_sweep_n_data (&run->sweep) && sl_ok (&status); i++)
    if (sl_sweep_data (&run->sweep, i) != NULL)
      status = sl_open_data (sl_sweep_data (&run->sweep, i), &run->dataset[i]);
  return status;
}

/* The first thread opens the data, the others wait for it. */
static void
open_data (SlSweepRun *run)
{
  SlStatus status;

  pthread_mutex_lock (&run->lock);
  if (!run->opening)
    {
      run->opening = true;
      pthread_mutex_unlock (&run->lock);
      status = open_all (run);
      pthread_mutex_lock (&run->lock);
      run->status = status;
      run->opened = true;
      pthread_cond_broadcast (&run->news);
    }
  while (!run->opened)
    pthread_cond_wait (&run->news, &run->lock);
  pthread_mutex_unlock (&run->lock);
}

/* The next run to make, or NULL. */
static const SlSweepJob *
take_job (SlSweepRun *run)
{
  const SlSweepJob *job = NULL;

  pthread_mutex_lock (&run->lock);
  if (!run->cancelled && sl_ok (&run->status) && run->next < run->jobs->len)
    job = &g_array_index (run->jobs, SlSweepJob, run->next++);
  pthread_mutex_unlock (&run->lock);
  return job;
}

/* Where a run is written while it goes on: in the store if the pool keeps runs, or if an earlier sweep has left it there
 * unfinished, as then it goes on from that.  */
static SlStore *
store_of (const SlSweepRun *run, const SlSweepJob *job)
{
  SlStore *store = run->pool.store;

  return store != NULL && (run->pool.keeps || sl_sweep_waits (store, job->id)) ? store : NULL;
}

/* Makes a run, and puts it on its way to the owner. */
static void
make (Worker *worker, const SlSweepJob *job)
{
  SlSweepRun    *run = worker->run;
  SlSweepResult *result = sl_sweep_perform (&run->sweep, job, store_of (run, job),
                                            run->dataset[job->data], ask, worker);

  pthread_mutex_lock (&run->lock);
  run->done[worker->number] = 0;
  run->made++;
  if (result != NULL)
    g_queue_push_tail (&run->results, result);
  pthread_mutex_unlock (&run->lock);
}

static void *
work (void *data)
{
  Worker           *worker = data;
  SlSweepRun       *run = worker->run;
  const SlSweepJob *job;

  if (run->pool.polite)
    sl_cpu_be_nice (SL_NICE_BACKGROUND);
  sl_blas_set_threads (run->pool.threads);
  open_data (run);
  sl_sweep_run_call (run);
  while ((job = take_job (run)) != NULL)
    {
      make (worker, job);
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
