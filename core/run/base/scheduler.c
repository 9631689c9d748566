/* SPDX-License-Identifier: MIT
 *
 * A ring of the threads that take part, under one lock that is held for a few comparisons; each
 * waits on a condition of its own, so that a free slot wakes only the thread that gets it.  */
#include "core/run/base/scheduler.h"

#include <pthread.h>
#include <stdlib.h>

#include "core/base/clock.h"

struct SlScheduler
{
  pthread_mutex_t mutex;
  unsigned        users; /* references */
  unsigned        slots, held;
  double          seconds; /* of a slice */
  bool            level;   /* slices are of one update instead, and all of them level */
  uint64_t        tickets; /* handed out at the end of a slice: the lowest goes next */
  SlTimeSlice    *first;
};

struct SlTimeSlice
{
  SlScheduler   *scheduler;
  SlTimeSlice   *next;
  pthread_cond_t wake;
  bool           active; /* at work: waits or holds, or will ask again at once */
  bool           over;   /* the others no longer wait for it */
  bool           waits, holds;
  bool           called; /* sl_time_slice_call() woke it */
  bool           urgent; /* goes before those that merely wait */
  uint64_t       ticket;
  uint64_t       slices; /* where they are level: the updates it has made */
  double         begin;  /* of this slice */
};

static SlScheduler *
turns_new (unsigned slots, double seconds, bool level)
{
  SlScheduler *scheduler = calloc (1, sizeof *scheduler);

  if (scheduler == NULL)
    return NULL;
  scheduler->users = 1;
  scheduler->slots = slots > 0 ? slots : 1;
  scheduler->seconds = seconds;
  scheduler->level = level;
  pthread_mutex_init (&scheduler->mutex, NULL);
  return scheduler;
}

SlScheduler *
sl_scheduler_new (unsigned slots, double seconds)
{
  return turns_new (slots, seconds, false);
}

SlScheduler *
sl_scheduler_new_level (unsigned slots)
{
  return turns_new (slots, 0.0, true);
}

SlScheduler *
sl_scheduler_use (SlScheduler *scheduler)
{
  pthread_mutex_lock (&scheduler->mutex);
  scheduler->users++;
  pthread_mutex_unlock (&scheduler->mutex);
  return scheduler;
}

void
sl_scheduler_leave (SlScheduler *scheduler)
{
  bool last;

  if (scheduler == NULL)
    return;
  pthread_mutex_lock (&scheduler->mutex);
  last = --scheduler->users == 0;
  pthread_mutex_unlock (&scheduler->mutex);
  if (!last)
    return;
  pthread_mutex_destroy (&scheduler->mutex);
  free (scheduler);
}

/* ---- with the lock held ---- */

/* Where slices are level: the updates that the slowest one has made. */
static uint64_t
level_of (const SlScheduler *scheduler)
{
  uint64_t least = UINT64_MAX;

  for (const SlTimeSlice *slice = scheduler->first; slice != NULL; slice = slice->next)
    if (!slice->over && slice->slices < least)
      least = slice->slices;
  return least;
}

static bool
goes_before (const SlTimeSlice *a, const SlTimeSlice *b)
{
  return a->urgent != b->urgent ? a->urgent : a->ticket < b->ticket;
}

/* The next thread to work: the first of those that wait.  Where slices are level, the first active
 * thread that is not ahead; the others wait for it even before it waits itself.  NULL: none.  */
static SlTimeSlice *
next_one (const SlScheduler *scheduler)
{
  uint64_t     least = scheduler->level ? level_of (scheduler) : 0;
  SlTimeSlice *best = NULL;

  for (SlTimeSlice *slice = scheduler->first; slice != NULL; slice = slice->next)
    {
      bool may = scheduler->level ? slice->active && !slice->holds && slice->slices <= least
                                  : slice->waits;

      if (may && (best == NULL || goes_before (slice, best)))
        best = slice;
    }
  return best != NULL && best->waits ? best : NULL;
}

static void
hand_out (SlScheduler *scheduler)
{
  SlTimeSlice *slice;

  while (scheduler->held < scheduler->slots && (slice = next_one (scheduler)) != NULL)
    {
      slice->waits = slice->urgent = false;
      slice->holds = true;
      scheduler->held++;
      pthread_cond_signal (&slice->wake);
    }
}

static void
begin_slice (SlTimeSlice *slice)
{
  if (!slice->scheduler->level)
    slice->begin = sl_clock_wall ();
}

static void
let_go (SlTimeSlice *slice)
{
  if (!slice->holds)
    return;
  slice->holds = false;
  slice->scheduler->held--;
}

void
sl_scheduler_set_slots (SlScheduler *scheduler, unsigned slots)
{
  pthread_mutex_lock (&scheduler->mutex);
  scheduler->slots = slots > 0 ? slots : 1;
  hand_out (scheduler);
  pthread_mutex_unlock (&scheduler->mutex);
}

/* ---- one who takes part ---- */

SlTimeSlice *
sl_time_slice_new (SlScheduler *scheduler)
{
  SlTimeSlice *slice = calloc (1, sizeof *slice);

  if (slice == NULL)
    return NULL;
  slice->scheduler = sl_scheduler_use (scheduler);
  pthread_cond_init (&slice->wake, NULL);
  pthread_mutex_lock (&scheduler->mutex);
  slice->next = scheduler->first;
  scheduler->first = slice;
  pthread_mutex_unlock (&scheduler->mutex);
  return slice;
}

void
sl_time_slice_free (SlTimeSlice *slice)
{
  SlScheduler  *scheduler;
  SlTimeSlice **link;

  if (slice == NULL)
    return;
  scheduler = slice->scheduler;
  pthread_mutex_lock (&scheduler->mutex);
  for (link = &scheduler->first; *link != slice; link = &(*link)->next)
    ;
  *link = slice->next;
  let_go (slice);
  hand_out (scheduler);
  pthread_mutex_unlock (&scheduler->mutex);
  pthread_cond_destroy (&slice->wake);
  free (slice);
  sl_scheduler_leave (scheduler);
}

bool
sl_time_slice_take (SlTimeSlice *slice)
{
  SlScheduler *scheduler = slice->scheduler;
  bool         taken;

  /* Only its own thread takes the slot away again, so it may look without the lock. */
  if (slice->holds)
    return true;
  pthread_mutex_lock (&scheduler->mutex);
  if (!slice->called)
    {
      /* A newcomer is served next. */
      if (!slice->active)
        {
          slice->active = true;
          slice->over = false;
          slice->urgent = !scheduler->level;
          slice->ticket = scheduler->tickets++;
        }
      slice->waits = true;
      hand_out (scheduler);
      while (!slice->holds && !slice->called)
        pthread_cond_wait (&slice->wake, &scheduler->mutex);
      if (slice->holds)
        begin_slice (slice);
      slice->waits = false;
    }
  taken = slice->holds;
  if (!taken)
    slice->urgent = !scheduler->level;
  slice->called = false;
  pthread_mutex_unlock (&scheduler->mutex);
  return taken;
}

/* At the end of the queue again.  A slot that no other thread waits for is kept, unless there are
 * fewer than before or the others are to catch up first.  */
static void
finish_slice (SlTimeSlice *slice)
{
  SlScheduler *scheduler = slice->scheduler;

  slice->slices++;
  slice->ticket = scheduler->tickets++;
  if (scheduler->level || scheduler->held > scheduler->slots || next_one (scheduler) != NULL)
    {
      let_go (slice);
      hand_out (scheduler);
    }
  else if (slice->holds)
    begin_slice (slice);
}

void
sl_time_slice_done (SlTimeSlice *slice)
{
  SlScheduler *scheduler = slice->scheduler;

  if (!scheduler->level && sl_clock_wall () - slice->begin < scheduler->seconds)
    return;
  pthread_mutex_lock (&scheduler->mutex);
  finish_slice (slice);
  pthread_mutex_unlock (&scheduler->mutex);
}

void
sl_time_slice_at (SlTimeSlice *slice, uint64_t updates)
{
  /* Only its own thread counts, so it may look without the lock. */
  if (!slice->scheduler->level || slice->slices == updates)
    return;
  pthread_mutex_lock (&slice->scheduler->mutex);
  slice->slices = updates;
  hand_out (slice->scheduler);
  pthread_mutex_unlock (&slice->scheduler->mutex);
}

static void
stop_work (SlTimeSlice *slice, bool active, bool over)
{
  SlScheduler *scheduler = slice->scheduler;

  pthread_mutex_lock (&scheduler->mutex);
  slice->active = active;
  slice->over = over;
  let_go (slice);
  hand_out (scheduler);
  pthread_mutex_unlock (&scheduler->mutex);
}

void
sl_time_slice_pass (SlTimeSlice *slice)
{
  stop_work (slice, true, false);
}

void
sl_time_slice_rest (SlTimeSlice *slice, bool over)
{
  stop_work (slice, false, over);
}

void
sl_time_slice_call (SlTimeSlice *slice)
{
  SlScheduler *scheduler = slice->scheduler;

  pthread_mutex_lock (&scheduler->mutex);
  if (!slice->holds)
    {
      slice->called = true;
      pthread_cond_signal (&slice->wake);
    }
  pthread_mutex_unlock (&scheduler->mutex);
}

void
sl_scheduler_count (SlScheduler *scheduler, unsigned *held, unsigned *waiting)
{
  *waiting = 0;
  pthread_mutex_lock (&scheduler->mutex);
  *held = scheduler->held;
  for (const SlTimeSlice *slice = scheduler->first; slice != NULL; slice = slice->next)
    *waiting += slice->waits;
  pthread_mutex_unlock (&scheduler->mutex);
}
