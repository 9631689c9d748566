/* SPDX-License-Identifier: MIT
 *
 * How many threads compute the products of a lab's runs where the run itself has no number: as many
 * as the user chose for all; else what timed updates of the lab said
 * (core/run/headless/thread-trial.h), remembered per processor, version of the library and kernel
 * in a file of the cache folder that may be deleted.  */
#pragma once

#include <glib.h>

/* Sets the threads of all labs, from the command line or the preferences; 0: as measured for each
 * lab.  Measurements are not used before the first call.  Any thread.  */
void sl_threads_choose (unsigned threads);

/* For a new run of the lab of this id: what was chosen, else what was measured, else those of the calling
 * thread.  */
unsigned sl_threads_for (const char *lab);

/* What was measured for a lab; 0: nothing, or for another processor, library, kernel or number of cores. */
unsigned sl_threads_remembered (const char *lab);

/* True where measuring again would say no more: it was tried while the machine did nothing else, or within
 * the last day. */
gboolean sl_threads_are_known (void);

typedef struct
{
  const char *lab; /* its id */
  unsigned    threads;
} SlThreadChoice;

/* Replaces what is remembered by n choices for products of `kernel`.  `quiet`: the
 * machine did nothing else, and trying again would say no more.  */
void sl_threads_remember (const char *kernel, const SlThreadChoice *choice, unsigned n,
                          gboolean quiet);
