/* SPDX-License-Identifier: MIT
 *
 * The inside of the worker, shared by worker.c (its thread, and the owner's side),
 * worker-command.c, worker-update.c, worker-probe.c, worker-clock.c and worker-out.c.  Functions
 * are for the worker's thread.  */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "core/base/clock.h"
#include "core/base/spsc.h"
#include "core/run/base/scheduler.h"
#include "core/run/record/history.h"
#include "core/run/session/latest.h"
#include "core/run/session/worker.h"

/* A sample of this channel says: the next thing is an event. */
#define SL_EVENT_CHANNEL UINT32_MAX

/* Seconds after a change in which a running trainer makes no probe: the next change of a drag
 * must not wait for a picture.  */
#define SL_PROBE_QUIET 0.3

typedef struct
{
  SlLatest   latest;
  SlSnapshot snapshot[3];
  bool       watched;
  bool       failed; /* its probe does not work; not tried again in this run */
  uint64_t   shown;  /* `version` of the last probe, 0: none */
  bool       coarse; /* MAP: made while running, so that pausing makes a finer one */
  double     due;    /* when the next one is wished for while running */
} SlWorkerPanel;

struct SlWorker
{
  SlSink sink; /* first: the lab's way back to us */

  /* The owner's side. */
  pthread_t    thread;
  bool         started;
  SlTimeSlice *slice; /* NULL: it shares the cores with no other */
  bool         unseen;

  /* Both sides. */
  SlSpsc samples, events, commands;
  struct
  {
    SlLatest      latest;
    SlWorkerState of[3];
  } state;
  SlWorkerPanel panel[SL_PANELS_MAX];
  _Atomic bool  stop, ended;
  struct
  {
    SlLatest  latest;
    SlSubject of[3];
  } subject; /* of pictures of one example */
  _Atomic uint64_t settled;
  pthread_mutex_t  mutex;
  pthread_cond_t   wake;

  /* The thread's side. */
  SlRun       *run;
  SlWorkerMode mode;
  bool         step_once;
  uint64_t     number;  /* of the last command */
  uint64_t     version; /* of what probes would show: goes up with every update and change */
  uint64_t     limit;
  uint64_t     waits;
  unsigned     next_change; /* of the plan */
  double       seconds;     /* in updates */
  double       mark;        /* since when they are counted */
  double       published;   /* when the state was */
  double       took;        /* the last update; 0: none yet in this run */
  struct
  {
    double updates; /* a second for the owner; 0: as many as can be made */
    double next;    /* on the clock, where the run has a pace */
  } pace;
  SlMapView view; /* of the gating map; side 0: none was chosen */
  SlHistory history;

  struct
  {
    bool         visiting; /* the trainer is at an earlier checkpoint */
    SlCheckpoint present;  /* where it was before that; its memory stays */
    uint64_t     course;   /* goes up when updates are taken back */
  } past;

  struct
  {
    double last, cost; /* when the last one ended, and how long it took */
    double first_free; /* since when there may be the first of a panel */
  } probe;

  struct
  {
    bool     known; /* the owner has a figure of the settings of now, if only that it is too busy */
    bool     over;  /* nothing is timed any more until the next change or update */
    unsigned tries; /* figures in a row that were too noisy */
    uint64_t step;  /* of the last figure */
    double   due, spent; /* on the clock; in rounds since the last figure */
    SlClockRounds rounds;
  } clock;

  struct
  {
    double memory_due,
      memory_wait;   /* on the clock, of those in memory: also a slow run can be looked back on */
    bool     wanted; /* by the owner */
    uint64_t step;   /* of the last one that it got; UINT64_MAX: none of this course */
    uint64_t
           visited; /* the same of earlier states that the run showed; UINT64_MAX: it shows none */
    double due;     /* in `seconds` */
    double spare_due;          /* the same of a spare one */
    _Atomic (SlEvent *) spare; /* both sides: sl_worker_take_spare() */
  } keep;                      /* checkpoints for the owner */
};

/* worker-out.c */
void sl_worker_init_sink (SlWorker *worker);
void sl_worker_publish_state (SlWorker *worker, double now);
void sl_worker_push_event (SlWorker *worker, SlEvent *event);
void sl_worker_push_mode (SlWorker *worker, SlWorkerMode mode, const SlStatus *status);

/* ---- worker-update.c ---- */

/* One update with all that belongs to it. */
void sl_worker_update (SlWorker *worker);
/* A parameter was changed; sends the event, too. */
void sl_worker_changed (SlWorker *worker, unsigned param, const SlValue *value, uint64_t drag);
void sl_worker_save_checkpoint (SlWorker *worker);
/* Gives the owner a checkpoint, if it takes them. */
void sl_worker_keep_checkpoint (SlWorker *worker);
/* The same of an earlier state that is shown. */
void sl_worker_keep_visited (SlWorker *worker);
/* Frees the spare copy: the run does not go on from there any more. */
void sl_worker_drop_spare (SlWorker *worker);
/* The update that the run would go on from; the run may show an earlier one. */
uint64_t sl_worker_present_step (const SlWorker *worker);
/* Whether the run is at its limit, or nothing is left to do. */
bool sl_worker_at_limit (const SlWorker *worker);
/* Tells the owner that the run is over, and why, where nothing is left to do. */
void sl_worker_push_finished (SlWorker *worker);

/* ---- worker-probe.c ---- */

/* Marks all panels of a kind as never made, so that they are made at once. */
void sl_worker_expire (SlWorker *worker, SlPanelKind kind);

/* Makes at most one probe: while running, one that is due, within the share of time that all of them
 * may take (the first of each panel may come sooner); while pausing, one that does not show the
 * present.  True when one was made.  */
bool sl_worker_probe_one (SlWorker *worker, double now);
/* While running, before an update: as many as are due, for about as long as the update before it
 * took.  */
void sl_worker_probe_some (SlWorker *worker);

/* ---- worker-clock.c ---- */

/* From now on the measured speed-up is one of other settings. */
void sl_worker_clock_reset (SlWorker *worker);
/* Whether rounds are due at a time on the clock: while running before an update, else while the run
 * is paused.  */
bool sl_worker_clock_due (SlWorker *worker, double now);
/* Times some rounds. */
void sl_worker_clock_go (SlWorker *worker);
/* Until when the thread of a paused run may sleep; HUGE_VAL: until a command comes. */
double sl_worker_clock_next (SlWorker *worker);

/* ---- worker-visit.c ---- */

/* Goes to the checkpoint at or before a step, or to the present. */
void sl_worker_visit (SlWorker *worker, uint64_t step);
/* Goes to the earlier state that a stored run was left at, and empties `visited`. */
void sl_worker_visit_stored (SlWorker *worker, SlCheckpoint *visited);
/* The run goes on from where it is, if that is the past. */
void sl_worker_settle (SlWorker *worker);
/* The run goes back to a checkpoint. */
SlStatus sl_worker_go_back (SlWorker *worker, uint64_t step);

/* worker-command.c: carries out what is waiting, up to an update that is to be made first. */
void sl_worker_read_commands (SlWorker *worker);

/* At the end: without updates, scores or pictures. */
void sl_worker_read_last_commands (SlWorker *worker);

/* worker.c: whether the thread has been asked to end.  Any thread. */
bool sl_worker_stops (SlWorker *worker);
