/* SPDX-License-Identifier: MIT
 *
 * What a run without a window is made of.  */
#pragma once

#include "core/base/own-gate.h"
#include "core/lab/lab.h"
#include "core/run/store/store.h"

G_BEGIN_DECLS

/* Limits, whichever comes first; 0: none.  With none at all a run does not end. */
typedef struct
{
  uint64_t steps;
  double   epochs;  /* passes over the training split */
  double   seconds; /* of training */
  double
    patience; /* epochs without a validation error (SlLab.valid) below all before: ends where one
                      * is measured that many epochs after the smallest */
} SlBudget;

/* A live parameter to be set when that many updates, or epochs, are done. */
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
  unsigned     threads; /* of products; 0: as the calling thread has them */
  SlBudget     budget;
  GArray      *changes; /* of SlPlannedChange in any order */
  SlStore     *store;   /* where the run is written while it goes on, a reference; or NULL */
  char        *uuid;    /* its name there when it is a new one, owned; NULL: any */
  char        *sweep;   /* the sweep there that a new run belongs to, owned; NULL: none */
  unsigned     cell;    /* its number in it */
  SlStoredRun  stored;  /* a run to go on with; without a lab: none */
  const SlOwnGate
    *own; /* a gate that a program brings, borrowed until the run is cleared; NULL: none */
} SlPlan;

/* A plan for a lab with its defaults and seed 1. */
void sl_plan_init (SlPlan *plan, const SlLab *lab);
void sl_plan_clear (SlPlan *plan);

/* Takes lab, settings, seed, threads and data from a recipe, and its changes from number `first` on;
 * the budget stays.  */
void sl_plan_recipe (SlPlan *plan, const SlRecipe *recipe, unsigned first);

G_END_DECLS
