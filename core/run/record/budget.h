/* SPDX-License-Identifier: MIT
 *
 * How long a run without a window goes on.  */
#pragma once

#include "core/lab/lab.h"

/* Limits, whichever comes first; 0: none.  With none at all a run does not end. */
typedef struct
{
  uint64_t steps;
  double   epochs;  /* passes over the training split */
  double   seconds; /* of training */
} SlBudget;

/* The share of the way to the nearest limit; 1 or more when it is reached. */
double sl_budget_share (const SlBudget *budget, uint64_t step, const SlProgress *progress,
                        double seconds);
