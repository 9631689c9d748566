/* SPDX-License-Identifier: MIT
 *
 * The thread that trains.  Commands go in through one ring, read between two updates and
 * carried out in order; samples and events come out through two more; the newest state and
 * the pictures of each panel through latest-wins buffers.  No locks on these ways and no
 * GLib: a condition only wakes a thread that has nothing to do.
 *
 * Functions are for the owner's thread unless they say otherwise.  Private to core/run.  */
#pragma once

#include "core/lab/lab.h"
#include "core/run/base/scheduler.h"
#include "core/run/record/history.h"
#include "core/run/record/recipe.h"
#include "core/train/predict.h"

typedef struct SlWorker     SlWorker;
typedef struct SlSharedData SlSharedData; /* loader.h */

/* A run on its way to the worker.  The owner gives it with SL_COMMAND_BEGIN and has it back with
 * SL_EVENT_RETIRED, when its trainer is freed, unless the owner takes the trainer back too.  */
typedef struct
{
  unsigned      generation;
  const SlLab  *lab;
  SlTrainer    *trainer;
  SlSharedData *data;    /* what the trainer reads; the owner's business */
  SlRecipe      plan;    /* threads, and changes to make on the way */
  unsigned      done;    /* of these changes: they are in the trainer's state already */
  double        seconds; /* of training before, where the trainer does not begin at step 0 */
  SlHistory     earlier; /* checkpoints from before, to look back at; rising */
  SlCheckpoint  visited; /* the one to show, where the run begins paused; data NULL: none */
  SlCheckpoint  first; /* of a retired run that still has its trainer: at step 0; data NULL: none */
} SlRun;

typedef enum {
  SL_WORKER_PAUSED,
  SL_WORKER_RUNNING,
  SL_WORKER_DIVERGED,
  SL_WORKER_FINISHED,
} SlWorkerMode;

typedef enum {
  SL_COMMAND_BEGIN, /* run, on: a new run, let go if `on`; idle: the one before keeps its trainer */
  SL_COMMAND_RENEW, /* run: the same on data that have grown, which goes on where this one is */
  SL_COMMAND_RUN,
  SL_COMMAND_PAUSE,
  SL_COMMAND_STEP,   /* one update, then pause */
  SL_COMMAND_LIMIT,  /* step */
  SL_COMMAND_SET,    /* param, value */
  SL_COMMAND_RESCUE, /* step: to the checkpoint before this one */
  SL_COMMAND_REWIND, /* step: the latest to be back at; param, value: what it then is to be */
  SL_COMMAND_VISIT,  /* step: shows an earlier state, or with UINT64_MAX the present */
  SL_COMMAND_SCORE,  /* split */
  SL_COMMAND_PICTURE,
  SL_COMMAND_PREDICT,
  SL_COMMAND_WATCH,   /* panel, on */
  SL_COMMAND_VIEW,    /* view: of the gating map, in this run and the next ones */
  SL_COMMAND_SUBJECT, /* of sl_worker_set_subject() */
  SL_COMMAND_PACE, /* pace: updates a second, 0: as many as can be made; in this run and the next ones */
  SL_COMMAND_KEEP, /* on: the owner keeps checkpoints of this run and the next ones, and what comes
                     * after a state that a run goes on from, as a run of its own */
} SlCommandKind;

typedef struct
{
  SlCommandKind kind;
  uint64_t      number; /* from 1, rising; comes back in events */
  bool          on, idle;
  unsigned      param, panel;
  double        pace;
  SlSplit       split;
  uint64_t      step;
  SlValue       value;
  uint64_t      drag; /* (set) the same in changes of one drag; comes back */
  SlMapView     view;
  SlRun        *run;
} SlCommand;

typedef enum {
  SL_EVENT_MODE,     /* mode, and why: status */
  SL_EVENT_SET,      /* param, value, or why not: status */
  SL_EVENT_RESTORED, /* everything after `step` is taken back */
  SL_EVENT_BRANCHED, /* the same, and what there was is to stay a run: the last checkpoint is of its end */
  SL_EVENT_SCORED, /* split, scores, or why not: status */
  SL_EVENT_TIMED, /* times: of a forward pass under the settings of now; batch 0: not known any more */
  SL_EVENT_PREDICTED, /* predictions: the owner's from now on; or NULL */
  SL_EVENT_PICTURED,  /* picture: the owner's from now on; or why not: status */
  SL_EVENT_RETIRED,   /* run: its trainer is freed, or idle; all else is the owner's again */
  SL_EVENT_RENEWED, /* run: what it had before, all the owner's; or what it could not take, and why: status */
  SL_EVENT_VISITED, /* checkpoint: the owner's, of the earlier state that the run shows */
  SL_EVENT_KEPT, /* checkpoint: the owner's from now on, of before the changes still to come; of the
                        present where the run shows its past */
} SlEventKind;

typedef struct
{
  SlEventKind    kind;
  uint64_t       number;     /* of the last command carried out */
  unsigned       generation; /* of the run it is about */
  uint64_t       step;       /* updates done */
  double         seconds;    /* in updates */
  bool           visiting;   /* `step` is not the present one */
  uint64_t       course;     /* how often updates of the run were taken back, this time too */
  SlStatus       status;
  SlWorkerMode   mode;
  unsigned       param;
  SlValue        value;
  uint64_t       drag; /* (set) of the command; 0: a change that the run's recipe has here */
  SlSplit        split;
  unsigned       n_scores;
  SlScore        score[SL_SCORES_MAX];
  SlRun         *run;
  SlCheckpoint  *checkpoint;  /* from malloc() */
  SlBitmap      *picture;     /* from malloc() */
  SlPredictions *predictions; /* from malloc() */
  SlTimes        times;
} SlEvent;

typedef struct
{
  unsigned   generation;
  uint64_t   step;
  SlProgress progress;
  double     seconds; /* in updates */
  uint64_t   waits;
  unsigned   checkpoints;
  uint64_t   checkpoint[SL_HISTORY_MAX]; /* (checkpoints) their steps, rising */
  bool       visiting;                   /* `step` is an earlier one than `present` */
  uint64_t   present;
  uint64_t   course; /* as SlEvent.course, and perhaps earlier */
} SlWorkerState;

/* Which of the two the next thing in order is. */
typedef enum {
  SL_TOOK_NOTHING,
  SL_TOOK_SAMPLE,
  SL_TOOK_EVENT,
} SlTaken;

/* A worker without a thread, which takes no command yet.  `checkpoint_bytes` as SlHistory.budget. */
SlWorker *sl_worker_new (size_t checkpoint_bytes);

/* Stops the thread and frees everything that is still inside but the runs; take those with
 * sl_worker_take_run() first.  */
void sl_worker_free (SlWorker *worker);

/* Makes updates in turns with others, from the next start of the thread on, which must not run now.
 * A reference is taken; NULL: alone.  False when there is no memory: alone.  */
bool sl_worker_set_scheduler (SlWorker *worker, SlScheduler *scheduler);

/* Its results are not watched: from the next start of the thread on, which must not run now, it has
 * a lower priority than other work.  */
void sl_worker_set_unseen (SlWorker *worker);

/* Starts the thread unless it runs.  SL_ENOMEM: no memory for its queues, or no thread. */
SlStatus sl_worker_start (SlWorker *worker);

/* Asks the thread to end after the update it is at.  sl_worker_ended() tells when it
 * did; until then, keep taking samples, because it may be waiting for room.  */
void sl_worker_ask_to_stop (SlWorker *worker);
bool sl_worker_ended (SlWorker *worker);
void sl_worker_join (SlWorker *worker);

/* Where updates are slow: the newest state before the one that the thread is at, as an SL_EVENT_KEPT
 * that was not sent, for an owner that does not wait for the end of it.  The caller frees event and
 * checkpoint.  NULL: updates are fast, or the owner has that state or a later one.  */
SlEvent *sl_worker_take_spare (SlWorker *worker);

/* Hands over a command; false when the ring is full.  Never blocks. */
bool sl_worker_send (SlWorker *worker, const SlCommand *command);

/* What pictures of one example show from the next SL_COMMAND_SUBJECT on, in this run and the next ones; copied. */
void sl_worker_set_subject (SlWorker *worker, const SlSubject *subject);

/* Number of the last command before which everything is done and after which nothing goes
 * on: the worker sleeps.  What it published until then can be taken now.  */
uint64_t sl_worker_settled (SlWorker *worker);

/* The next sample or event in the order of their making. */
SlTaken sl_worker_take (SlWorker *worker, SlSample *sample, SlEvent *event);
double  sl_worker_waiting (SlWorker *worker); /* the share of the queue that is not yet taken */

/* The newest picture of a panel or state, if it is newer than the last one taken; good until
 * the next call.  */
const SlSnapshot    *sl_worker_snapshot (SlWorker *worker, unsigned panel);
const SlWorkerState *sl_worker_state (SlWorker *worker);

/* After the thread has ended: the run that it had, or one not yet begun.  NULL when there are
 * no more.  The trainer is not freed.  */
SlRun *sl_worker_take_run (SlWorker *worker);
