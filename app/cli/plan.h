/* SPDX-License-Identifier: MIT
 *
 * The options that describe a run, as typed: those that every command has that trains, and those of a
 * single run.  */
#pragma once

#include "app/cli/cli.h"
#include "core/run/headless/headless.h"

typedef struct
{
  char       *seed, *preset;
  char      **data, **set, **at;
  gboolean    several; /* data may be typed more than once */
  char       *store;   /* file, NULL: the run is not written */
  char       *resume;  /* the beginning of a run's name, or "last"; NULL: a new run */
  const char *lab;     /* that was typed, borrowed; NULL: none was */
  char       *state;   /* a line of core/run/state/state.h, NULL: none */
  gint64      steps;
  double      epochs, seconds, patience;
  int         threads; /* 0: all cores */
  gboolean    quiet;
} SlPlanOptions;

/* --data, --preset and --set.  Sets limits and threads to "not typed". */
void sl_plan_options_add_settings (SlPlanOptions *options, GOptionContext *context);

/* Those, and --steps, --epochs, --seconds, --patience and --quiet. */
void sl_plan_options_add (SlPlanOptions *options, GOptionContext *context);

/* --at, --seed, --state, --threads, --store and --resume. */
void sl_plan_options_add_single (SlPlanOptions *options, GOptionContext *context);

/* Reads them into a plan that is as sl_plan_init() left it.  Without a limit it gets one of 2000
 * updates.  With a run to resume the plan is taken from that, but for its budget and the changes of --at, which
 * come behind its own; other words about what is trained are refused.  Complains.  */
SlExit sl_plan_options_read (const SlPlanOptions *options, SlPlan *plan);

/* Puts what --state says, if it was typed, into a plan that is as sl_plan_init() left it, before
 * sl_plan_options_read(): lab, settings, and data and seed where they were not typed.  A lab that was
 * typed is refused then.  Complains.  */
SlExit sl_plan_options_state (SlPlanOptions *options, SlPlan *plan);

/* The first limit that was typed, "--steps" for one; NULL: none.  Static. */
const char *sl_plan_options_limit (const SlPlanOptions *options);

void sl_plan_options_clear (SlPlanOptions *options);

/* Reads "id=value" into the settings.  Complains. */
SlExit sl_plan_set (SlPlan *plan, const char *text);

/* The same for several with blanks between them. */
SlExit sl_plan_set_words (SlPlan *plan, const char *words);

/* Sets a live parameter of a run under way by "id=value".  Complains. */
SlExit sl_cli_change_run (SlHeadlessRun *run, const char *text);
