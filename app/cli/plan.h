/* SPDX-License-Identifier: MIT
 *
 * What a run without a window is asked to do.  */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "app/cli/cli.h"
#include "core/lab/lab.h"
#include "core/run/record/budget.h"
#include "core/run/store/store.h"

/* A live parameter to be set when that many steps, or epochs, are done. */
typedef struct
{
  bool     by_epoch;
  double   when;
  unsigned param;
  SlValue  value;
} SlPlannedChange;

typedef struct
{
  const SlLab *lab;
  SlSettings   settings;
  char        *data; /* specification, NULL for labs that need none; owned */
  uint64_t     seed;
  unsigned     threads; /* 0: as many as there are cores */
  SlBudget     budget;
  GArray      *changes; /* of SlPlannedChange in any order */
  bool         quiet;
  SlStore     *store;  /* where it is kept while it goes on, owned; or NULL */
  SlStoredRun  stored; /* a run to go on with; without a name: none */
} SlPlan;

/* A plan for a lab with its defaults. */
void sl_plan_init (SlPlan *plan, const SlLab *lab);
void sl_plan_clear (SlPlan *plan);

/* Reads "id=value" into the settings. */
SlExit sl_plan_set (SlPlan *plan, const char *text);

/* Reads "STEP:id=value" or "EPOCHe:id=value" (also 0.5e); after every sl_plan_set(). */
SlExit sl_plan_change (SlPlan *plan, const char *text);
