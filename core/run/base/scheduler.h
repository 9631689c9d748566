/* SPDX-License-Identifier: MIT
 *
 * Taking turns: several threads that compute on fewer cores.  At most `slots` of them work at once,
 * each until its slice is over, and the thread that waited longest goes next.  A thread that is
 * idle, sleeps or has left delays no other.
 *
 * A slice is a stretch of time, or one update.  With updates all stay level: no thread makes its
 * next update before all have made as many, whatever their updates cost, and idle threads are
 * waited for too.
 *
 * Functions with a SlTimeSlice are for the thread that works, but for sl_time_slice_call().  Plain
 * C and pthreads.  */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct SlScheduler SlScheduler; /* the slots and the threads that share them; counted, from
                                         * any thread */
typedef struct SlTimeSlice SlTimeSlice; /* a thread that takes part */

/* `slots` from 1.  NULL: no memory. */
SlScheduler *sl_scheduler_new (unsigned slots, double seconds);
SlScheduler *sl_scheduler_new_level (unsigned slots);
SlScheduler *sl_scheduler_use (SlScheduler *scheduler);
void         sl_scheduler_leave (SlScheduler *scheduler); /* the last one frees; NULL is fine */

/* Another number of slots, from any thread: a thread that holds one too many gives it up when its
 * slice is over.  */
void sl_scheduler_set_slots (SlScheduler *scheduler, unsigned slots);

/* Takes part, resting at first.  NULL: no memory. */
SlTimeSlice *sl_time_slice_new (SlScheduler *scheduler);

/* Where slices are level: how many updates it has made, when it was not sl_time_slice_done() that made
 * it so.  Costs nothing when it is so already.  */
void sl_time_slice_at (SlTimeSlice *slice, uint64_t updates);

/* Gives up whatever it holds and takes no part any more.  NULL is fine.  The thread that works
 * has ended, or calls this itself.  */
void sl_time_slice_free (SlTimeSlice *slice);

/* Waits for a slot, unless it holds one.  False when sl_time_slice_call() came instead: look at what
 * was called for and ask again; it will be the next one.  */
bool sl_time_slice_take (SlTimeSlice *slice);

/* After an update: counts it, and lets the next one have the slot when the slice is over and
 * another thread waits.  */
void sl_time_slice_done (SlTimeSlice *slice);

/* Call before a wait in the middle of an update: other threads may have the slot meanwhile.  The
 * thread is still at work, so where slices are level no other runs ahead.  */
void sl_time_slice_pass (SlTimeSlice *slice);

/* Nothing to do for now: the thread holds no slot and, where slices are of time, delays no other,
 * until it asks again.  With `over` the others do not wait for it where slices are level
 * either.  */
void sl_time_slice_rest (SlTimeSlice *slice, bool over);

/* From any thread: there is something to look at.  Ends a wait, or the next one before it begins,
 * and puts the turn before all others that wait.  */
void sl_time_slice_call (SlTimeSlice *slice);

/* How many hold a slot, and how many wait for one, at this moment. */
void sl_scheduler_count (SlScheduler *scheduler, unsigned *held, unsigned *waiting);
