/* SPDX-License-Identifier: MIT
 *
 * A sweep at work: a few threads take run after run from its list, and each run that is over comes
 * to the owner's thread with everything it published.  Functions are for the owner's thread, whose
 * default main context (at the time of sl_sweep_run_new()) delivers the signals:
 *   "arrived"  (const SlSweepResult *) a run is over
 *   "changed"  state or progress changed; a few times a second at most
 *   "ended"    every run is over, or it was cancelled, or it could not begin
 *
 * Small networks gain little from a second thread, and a second run at a time gains nearly all of
 * it (`sluice-bench sweep`), so that by default there are as many runs at a time as there are
 * cores, each with one thread.  What a run computes then does not depend on how many cores there
 * are.  */
#pragma once

#include <glib-object.h>

#include "core/run/base/error.h"
#include "core/run/sweep/job.h"

G_BEGIN_DECLS

#define SL_TYPE_SWEEP_RUN (sl_sweep_run_get_type ())
G_DECLARE_FINAL_TYPE (SlSweepRun, sl_sweep_run, SL, SWEEP_RUN, GObject)

typedef enum {
  SL_SWEEP_READY,   /* not started */
  SL_SWEEP_LOADING, /* opening the data */
  SL_SWEEP_RUNNING,
  SL_SWEEP_PAUSED,
  SL_SWEEP_DONE,
  SL_SWEEP_CANCELLED,
  SL_SWEEP_FAILED, /* no data or no thread to be had; sl_sweep_run_error() says why */
} SlSweepState;

/* How many runs and threads work, and how. */
typedef struct
{
  unsigned at_once; /* runs at a time; 0: as many as there are cores for */
  unsigned threads; /* of each run; 0: one */
  bool     polite;  /* at nice 10, so that a window stays smooth */
  bool     keeps;   /* each run is written into the store while it goes on */
  SlStore *store;   /* The pool with its zeros replaced, for this many runs. */
} SlSweepPool;

/* The crew with its zeros replaced, for so many runs. */
SlSweepPool sl_sweep_pool (const SlSweepPool *pool, unsigned runs);

typedef struct
{
  unsigned runs;     /* in all */
  unsigned over;     /* of them, those that arrived */
  unsigned diverged; /* of those that arrived */
  unsigned refused; /* of those, that could not be made: settings that do not go together, memory */
  double   share;   /* of the way, parts of runs included: 0 … 1 */
  double   seconds; /* since the start, pauses left out */
  double   remaining; /* s, from the part done so far; not-a-number while it is not known */
} SlSweepProgress;

/* Will make `jobs` (of SlSweepJob: all, a shard, or those not done yet) of a checked sweep.  Both are copied.  */
SlSweepRun *sl_sweep_run_new (const SlSweep *sweep, const GArray *jobs, const SlSweepPool *pool);

void sl_sweep_run_start (SlSweepRun *run);

/* Runs under way stop between two updates and go on from there. */
void sl_sweep_run_pause (SlSweepRun *run);
void sl_sweep_run_resume (SlSweepRun *run);

/* Gives up the runs under way; what arrived stays.  "ended" follows when all threads have stopped,
 * but for a last reference dropped meanwhile, which waits for them.  */
void sl_sweep_run_cancel (SlSweepRun *run);

SlSweepState  sl_sweep_run_state (SlSweepRun *run);
const GError *sl_sweep_run_error (SlSweepRun *run);
void          sl_sweep_run_progress (SlSweepRun *run, SlSweepProgress *progress);

G_END_DECLS
