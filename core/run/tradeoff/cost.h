/* SPDX-License-Identifier: MIT
 *
 * The x axis of a trade-off: one of the costs of a forward pass that SlOutcome has.  Plain data,
 * any thread.  */
#pragma once

#include "core/lab/lab.h"
#include "core/run/record/outcome.h"

/* The order is that of lists, tables and of the places that windows keep. */
typedef enum {
  SL_COST_EXECUTED,
  SL_COST_EXPECTED,
  SL_COST_TIMED,
  SL_COST_PARAMETERS,
  SL_N_COSTS,
} SlCost;

/* "executed", "expected", "timed", "parameters"; static. */
const char *sl_cost_id (SlCost cost);
/* The cost of such a word, -1 for another word. */
int sl_cost_find (const char *id);

/* Not-a-number where the run does not have it. */
double sl_cost_of (const SlOutcome *outcome, SlCost cost);

/* Whether runs of a lab can have it, as far as the descriptor says. */
bool sl_cost_is_of (const SlLab *lab, SlCost cost);

/* Label and unit. */
SlAxis sl_cost_axis (const SlLab *lab, SlCost cost);
