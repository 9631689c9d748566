/* SPDX-License-Identifier: MIT
 *
 * The inside of a sweep at work, shared by run.c (its owner's side: state, signals, progress) and tasks.c
 * (the threads, which take one run after another).  What the threads share with the owner is under one lock; it
 * is taken once per update, which is a hundred times slower than that.  Lock and threads are POSIX ones, which
 * the thread sanitizer can see into.  */
#pragma once

#include <pthread.h>

#include "core/run/sweep/run.h"

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
  unsigned      over, diverged, refused;
  gint64        began, rested; /* µs; when the clock was started, and time it had before */
  SlSweepState  state;

  pthread_mutex_t lock; /* of what follows */
  pthread_cond_t  news; /* paused, cancelled or opened changed */
  bool            paused, cancelled;
  bool            opening, opened;
  SlStatus        status;  /* of opening the data, or of having threads */
  SlDataset     **dataset; /* (n) of the sweep, NULL where none is needed */
  unsigned        next;    /* job that no thread has taken yet */
  unsigned        made;    /* jobs that are over, arrived or not */
  unsigned        working; /* threads that have not ended */
  double         *done;    /* (pool.at_once) share that each thread has made of its run */
  GQueue          results; /* of SlSweepResult, on their way to the owner */
};

/* One thread more that makes runs until there is none left, or fewer than were wished for. */
void sl_sweep_tasks_add_thread (SlSweepRun *run, unsigned number);

/* Wakes the owner.  Any thread. */
void sl_sweep_run_call (SlSweepRun *run);
