/* SPDX-License-Identifier: MIT
 *
 * The inside of a sweep at work, shared by run.c (its owner's side: state, signals, progress) and tasks.c
 * (the threads: which run or part of one is made next, and what comes of it).  What the threads share with
 * the owner is under one lock; it is taken once per update, which is a hundred times slower than that.
 * Lock and threads are POSIX ones, which the thread sanitizer can see into.  */
#pragma once

#include <pthread.h>

#include "core/run/sweep/halving.h"
#include "core/run/sweep/run.h"

/* A job, or a stage of it. */
typedef struct
{
  unsigned     job;
  SlSweepStage stage;
  double       before, after; /* shares of the run that are made when it begins and ends */
} SlSweepTask;

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
  GArray         *tasks;   /* of SlSweepTask: what is made before points are compared again */
  unsigned        next;    /* task */
  unsigned        busy;    /* tasks under way, and one more while points are compared */
  unsigned        working; /* threads that have not ended */
  unsigned        there;   /* runs that the store had, so that they do not arrive */
  double          made;    /* runs of full length that the tasks so far came to, and all will */
  double          expected;
  double         *done; /* (crew.at_once) share of the run that each thread has made of its task */
  GQueue          results; /* of SlSweepResult, on their way to the owner */
};

/* Lists what is made before points are compared; of a sweep that is not pruned, all runs.  Under the
 * lock, or before there are threads.  */
void sl_sweep_tasks_list (SlSweepRun *run);

/* One thread more that makes tasks until there is none left, or fewer than were wished for. */
void sl_sweep_tasks_add_thread (SlSweepRun *run, unsigned number);

/* Wakes the owner.  Any thread. */
void sl_sweep_run_call (SlSweepRun *run);
