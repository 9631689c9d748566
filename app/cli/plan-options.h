/* SPDX-License-Identifier: MIT
 *
 * The options that describe a run, as typed: those that every command has that trains, and those of
 * a single run.  */
#pragma once

#include "app/cli/plan.h"

typedef struct
{
  char    *data, *seed;
  char   **set, **at;
  gint64   steps;
  double   epochs, seconds;
  int      threads;
  gboolean quiet;
} SlPlanOptions;

/* --data, --set, --steps, --epochs, --seconds and --quiet. */
void sl_plan_options_add (SlPlanOptions *options, GOptionContext *context);

/* --at, --seed and --threads. */
void sl_plan_options_add_single (SlPlanOptions *options, GOptionContext *context);

/* Reads them into a plan that is as sl_plan_init() left it.  Without a limit it gets one of 2000
 * updates.  Complains.  */
SlExit sl_plan_options_read (const SlPlanOptions *options, SlPlan *plan);

void sl_plan_options_clear (SlPlanOptions *options);
