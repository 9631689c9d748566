/* SPDX-License-Identifier: MIT
 *
 * See sweep-estimate.h.  */
#include "core/run/sweep/estimate.h"

#include <math.h>

#include "core/base/clock.h"
#include "core/nn/kernels/mat.h"
#include "core/run/base/background.h"
#include "core/run/base/cpu.h"
#include "core/run/record/data.h"

/* The first updates meet cold caches and factor for the first time. */
enum { WARM_UP = 2, FEWEST = 3, MOST = 200, CORNERS = 1 << SL_SWEEP_AXES_MAX };

static const double long_enough = 0.25; /* s of updates at a corner */

/* The times of one corner. */
typedef struct
{
  SlStatus status;
  double   around; /* s before the first and after the last update */
  double   update; /* s */
  double   epochs; /* per update */
} Corner;

typedef struct
{
  const SlSweep   *sweep;
  const SlDataset *dataset;
  GCancellable    *cancellable;
  unsigned         threads;
  bool             polite;
  Corner           corner[CORNERS];
  unsigned         n;                       /* corners, 1 << axes */
  unsigned         apart[CORNERS], n_apart; /* those that do not lie on each other */
  gint             next;                    /* into `apart`, for the next free thread */
  gint             least;   /* corners to time, some twice, so that all threads have work */
  unsigned         timed;   /* corners, on all data */
  SlStatus         refusal; /* of another one */
} Estimation;

/* The settings at a corner: bit a of its number chooses the end of axis a. */
static SlSettings
settings_at (const SlSweep *sweep, unsigned corner)
{
  unsigned at[SL_SWEEP_AXES_MAX] = { 0 };

  for (unsigned a = 0; a < sweep->n_axes; a++)
    at[a] = corner >> a & 1 ? sweep->axis[a].n - 1 : 0;
  return sl_sweep_settings (sweep, at);
}

/* Times updates until it is long enough. */
static SlStatus
time_updates (SlHeadlessRun *run, GCancellable *cancellable, Corner *corner)
{
  double     began = sl_clock_wall (), first = 0;
  SlProgress progress;
  SlStatus   status = SL_SUCCESS;
  unsigned   i;

  for (i = 0; i < WARM_UP + MOST && sl_ok (&status); i++)
    {
      if (g_cancellable_is_cancelled (cancellable))
        return sl_status_new (SL_ECANCELLED, NULL, SL_NO_MESSAGE, SL_NO_MESSAGE);
      if (i == WARM_UP)
        {
          began = sl_clock_wall ();
          sl_trainer_progress (run->trainer, &progress);
          first = progress.epochs;
        }
      if (i >= WARM_UP + FEWEST && sl_clock_wall () - began > long_enough)
        break;
      status = sl_trainer_step (run->trainer, &run->sink.sink);
    }
  /* One that diverges at once will take no time either. */
  if (status.code == SL_EDIVERGED && i > WARM_UP)
    status = SL_SUCCESS;
  sl_trainer_progress (run->trainer, &progress);
  corner->update = (sl_clock_wall () - began) / MAX (i - WARM_UP, 1);
  corner->epochs = (progress.epochs - first) / MAX (i - WARM_UP, 1);
  return status;
}

static void
time_corner (const Estimation *estimation, unsigned number, Corner *corner)
{
  const SlSweep *sweep = estimation->sweep;
  SlHeadlessRun  run;
  SlPlan         plan;
  SlScore        scores[SL_SCORES_MAX];
  unsigned       n;
  double         began = sl_clock_wall ();

  sl_plan_init (&plan, sweep->lab);
  plan.settings = settings_at (sweep, number);
  plan.seed = g_array_index (sweep->seeds, uint64_t, 0);
  corner->status = sl_headless_open (&run, &plan, estimation->dataset);
  if (sl_ok (&corner->status))
    {
      corner->around = sl_clock_wall () - began;
      corner->status = time_updates (&run, estimation->cancellable, corner);
      began = sl_clock_wall ();
      if (sl_ok (&corner->status))
        corner->status = sl_headless_time (&run, NULL, NULL);
      for (int split = SL_VALID; split <= SL_TEST && sl_ok (&corner->status); split++)
        if (sl_dataset_scores (run.dataset, (SlSplit) split))
          corner->status = sl_trainer_score (run.trainer, (SlSplit) split, scores, &n);
      corner->around += sl_clock_wall () - began;
    }
  sl_headless_clear (&run);
  sl_plan_clear (&plan);
}

static gpointer
time_corners (gpointer data)
{
  Estimation *estimation = data;
  Corner      again;
  gint        i;

  if (estimation->polite)
    sl_cpu_be_nice (SL_NICE_BACKGROUND);
  sl_blas_set_threads (estimation->threads);
  while ((i = g_atomic_int_add (&estimation->next, 1)) < estimation->least)
    {
      unsigned number = estimation->apart[(unsigned) i % estimation->n_apart];

      /* A repeated corner only keeps the other cores busy. */
      time_corner (estimation, number,
                   (unsigned) i < estimation->n_apart ? &estimation->corner[number] : &again);
    }
  return NULL;
}

/* The corner that this one lies on, when an axis has a single value, or itself. */
static unsigned
same_corner (const SlSweep *sweep, unsigned corner)
{
  unsigned last = (1U << sweep->n_axes) - 1;

  for (unsigned a = 0; a < sweep->n_axes; a++)
    if (sweep->axis[a].n == 1)
      corner &= ~(1U << a);
  /* Of drawn points with their many axes, only what lies at all lower and at all upper ends. */
  if (sweep->how != SL_SWEEP_GRID && corner != 0 && corner != last)
    corner = 2 * (unsigned) __builtin_popcount (corner) > sweep->n_axes ? last : 0;
  return corner;
}

/* Seconds and updates of one run, between the corners. */
static void
add_job (const Estimation *estimation, const SlSweepJob *job, double *seconds, double *updates)
{
  const SlSweep  *sweep = estimation->sweep;
  const SlBudget *budget = &sweep->budget;
  double          around = 0, update = 0, epochs = 0, limit = INFINITY;

  for (unsigned c = 0; c < estimation->n; c++)
    {
      const Corner *corner = &estimation->corner[same_corner (sweep, c)];
      double        weight = 1;

      for (unsigned a = 0; a < sweep->n_axes; a++)
        {
          double at = sweep->axis[a].n > 1 ? (double) job->at[a] / (sweep->axis[a].n - 1) : 0;

          weight *= c >> a & 1 ? at : 1 - at;
        }
      around += weight * corner->around;
      update += weight * corner->update;
      epochs += weight * corner->epochs;
    }
  if (budget->steps > 0)
    limit = (double) budget->steps;
  if (budget->epochs > 0 && epochs > 0)
    limit = fmin (limit, ceil (budget->epochs / epochs));
  if (budget->seconds > 0)
    limit = fmin (limit, ceil (budget->seconds / update));
  *seconds += around + limit * update;
  *updates += limit;
}

/* Settings that do not go together, or not with these data, take no time. */
static gboolean
judge (Estimation *estimation, GError **error)
{
  for (unsigned i = 0; i < estimation->n_apart; i++)
    {
      const SlStatus *status = &estimation->corner[estimation->apart[i]].status;

      if (sl_ok (status))
        estimation->timed++;
      else if (status->code == SL_EINVAL || status->code == SL_EUNSUPPORTED)
        estimation->refusal = *status;
      else
        return sl_status_good (status, error);
    }
  return TRUE;
}

static gboolean
time_all (Estimation *estimation, unsigned at_once, GError **error)
{
  g_autofree GThread **thread = g_new0 (GThread *, at_once);

  for (unsigned c = 0; c < estimation->n; c++)
    if (same_corner (estimation->sweep, c) == c)
      estimation->apart[estimation->n_apart++] = c;
  estimation->least = (gint) MAX (estimation->n_apart, at_once);
  for (unsigned i = 0; i < at_once; i++)
    thread[i] = g_thread_new ("estimate", time_corners, estimation);
  for (unsigned i = 0; i < at_once; i++)
    g_thread_join (thread[i]);
  return judge (estimation, error);
}

/* Adds what the runs on one of the data take. */
static gboolean
add_runs_on (Estimation *estimation, unsigned data, unsigned at_once, const GArray *jobs,
             SlSweepEstimate *estimate, GError **error)
{
  const char *spec = sl_sweep_data (estimation->sweep, data);
  SlDataset  *dataset = NULL;
  SlStatus    status = spec != NULL ? sl_open_data (spec, &dataset) : SL_SUCCESS;
  gboolean    good = sl_status_good (&status, error);

  estimation->dataset = dataset;
  estimation->n_apart = 0;
  estimation->next = 0;
  good = good && time_all (estimation, at_once, error);
  for (guint i = 0; good && i < jobs->len; i++)
    {
      const SlSweepJob *job = &g_array_index (jobs, SlSweepJob, i);

      if (job->data == data)
        add_job (estimation, job, &estimate->seconds, &estimate->updates);
    }
  sl_dataset_free (dataset);
  return good;
}

gboolean
sl_sweep_estimate (const SlSweep *sweep, const GArray *jobs, const SlSweepPool *pool,
                   GCancellable *cancellable, SlSweepEstimate *estimate, GError **error)
{
  SlSweepPool full = sl_sweep_pool (pool, jobs->len);
  Estimation *estimation = g_new0 (Estimation, 1);
  gboolean    good = TRUE;

  *estimate = (SlSweepEstimate) { .runs = jobs->len };
  estimation->sweep = sweep;
  estimation->cancellable = cancellable;
  estimation->threads = full.threads;
  estimation->polite = full.polite;
  estimation->n = 1U << sweep->n_axes;
  for (unsigned data = 0; good && data < sl_sweep_n_data (sweep); data++)
    good = add_runs_on (estimation, data, full.at_once, jobs, estimate, error);
  if (good && estimation->timed == 0)
    good = sl_status_good (&estimation->refusal, error);
  /* The last ones leave a core without work. */
  estimate->seconds *= ceil ((double) jobs->len / full.at_once) / MAX (jobs->len, 1);
  g_free (estimation);
  return good;
}

/* Input and result of the background task. */
typedef struct
{
  SlSweep          sweep;
  GArray          *jobs;
  SlSweepPool      pool;
  GCancellable    *cancellable; /* or NULL */
  SlSweepEstimated done;
  SlSweepEstimate  estimate;
} Work;

static void
free_work (gpointer data)
{
  Work *work = data;

  sl_sweep_clear (&work->sweep);
  g_array_unref (work->jobs);
  g_clear_object (&work->cancellable);
  g_free (work);
}

static gboolean
estimate_all (gpointer data, GError **error)
{
  Work *work = data;

  return sl_sweep_estimate (&work->sweep, work->jobs, &work->pool, work->cancellable,
                            &work->estimate, error);
}

static void
on_estimated (gpointer owner, gpointer data, const GError *error)
{
  Work *work = data;

  work->done (owner, error == NULL ? &work->estimate : NULL, error);
}

void
sl_sweep_estimate_async (const SlSweep *sweep, const GArray *jobs, const SlSweepPool *pool,
                         GCancellable *cancellable, SlSweepEstimated done, gpointer owner)
{
  Work *work = g_new0 (Work, 1);

  sl_sweep_copy (&work->sweep, sweep);
  work->jobs = g_array_copy ((GArray *) jobs);
  work->pool = *pool;
  g_set_object (&work->cancellable, cancellable);
  work->done = done;
  sl_background_run (estimate_all, on_estimated, owner, NULL, work, free_work);
}
