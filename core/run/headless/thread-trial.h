/* SPDX-License-Identifier: MIT
 *
 * Whether an update of each lab's default size is quicker on all cores or on one: timed in turn by the clock
 * on the wall, in a process of its own, as the kernel has to be the one that is going to be used.  */
#pragma once

#include <gio/gio.h>

#include "core/lab/lab.h"

/* The word that makes this program such a process; the seconds it may take follow. */
#define SL_THREAD_CHILD "--measure-threads"

enum { SL_THREAD_ROUNDS = 3, SL_THREAD_LABS = 32 };

typedef struct
{
  const SlLab *lab;
  double one[SL_THREAD_ROUNDS], all[SL_THREAD_ROUNDS]; /* seconds of an update, round by round */
} SlThreadTimes;

typedef struct
{
  SlThreadTimes lab[SL_THREAD_LABS];
  unsigned      n;       /* labs that all rounds were timed of */
  unsigned      threads; /* what "all" were */
  double others; /* cores that other programs used meanwhile; not-a-number where the system does not
                  * tell */
} SlThreadTrial;

/* Exits where the program was started as such a process, which it tells by its words. */
void sl_thread_child (char **argv);

/* FALSE where products have a single thread. */
gboolean sl_thread_trial_is_possible (void);

/* Times the labs with products of `kernel` for about `seconds`; those that there is no time for are left
 * out.  FALSE where it could not be done.  */
gboolean sl_thread_try (SlThreadTrial *trial, const char *kernel, double seconds, GError **error);

/* Fills *trial with what such a process printed.  FALSE: it is something else. */
gboolean sl_thread_read (SlThreadTrial *trial, const char *text);

/* FALSE where others computed so much that nothing may be concluded. */
gboolean sl_thread_trial_is_quiet (const SlThreadTrial *trial);

/* Threads for lab number `i` of the trial: all where they are quicker by more than a twentieth in every round, 1
 * where they are in none; 0 where the rounds say different things.  */
unsigned sl_thread_verdict (const SlThreadTrial *trial, unsigned i);

/* Remembers what the trial says (core/run/base/threads.h); from a busy one, that it was tried. */
void sl_thread_remember (const SlThreadTrial *trial, const char *kernel);
