/* SPDX-License-Identifier: MIT
 *
 * A run without a window that is kept in a store while it goes on, and going on with one.  */
#pragma once

#include "app/cli/plan.h"
#include "core/run/store/writer.h"

/* What the command line says. */
typedef struct
{
  char *store;  /* file, NULL: it is not kept */
  char *resume; /* the beginning of a run's name, or "last"; NULL: a new run */
} SlKeepOptions;

/* --store and --resume. */
void sl_keep_options_add (SlKeepOptions *options, GOptionContext *context);
void sl_keep_options_clear (SlKeepOptions *options);

/* Opens the store of a plan, and brings the plan to the run to resume, if there is one: lab,
 * settings, data, seed, threads and the changes still to come.  Its budget stays.  Complains.  */
SlExit sl_keep_options_read (const SlKeepOptions *options, SlPlan *plan);

typedef struct SlKeep SlKeep;

/* Begins to keep a run (run.h) that was opened for a plan with a store; NULL otherwise.  What is
 * published goes to its record and into the store.  */
typedef struct SlHeadlessRun SlHeadlessRun;
SlKeep                      *sl_keep_begin (SlHeadlessRun *run, const SlPlan *plan);

/* A change was made; `waiting` are those to come.  */
void sl_keep_changed (SlKeep *keep, const GArray *waiting);

/* After every update; `seconds` of training in all. */
void sl_keep_up (SlKeep *keep, double seconds);

/* The run is over or stopped, with what is known then.  Waits for the disk, complains if it
 * refused, and frees.  NULL is fine.  */
SlExit sl_keep_end (SlKeep *keep, SlExit code, const GArray *waiting, double seconds);
