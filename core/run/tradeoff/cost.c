/* SPDX-License-Identifier: MIT */
#include "core/run/tradeoff/cost.h"

#include <string.h>

#include <glib/gi18n.h>

static const struct
{
  const char *id, *label;
} costs[SL_N_COSTS] = {
  [SL_COST_EXECUTED] = { "executed", N_ ("executed multiplications") },
  [SL_COST_EXPECTED] = { "expected", N_ ("expected multiplications") },
  [SL_COST_TIMED] = { "timed", N_ ("time of a forward pass") },
  [SL_COST_PARAMETERS] = { "parameters", N_ ("parameters") },
};

const char *
sl_cost_id (SlCost cost)
{
  return costs[cost].id;
}

int
sl_cost_find (const char *id)
{
  for (int cost = 0; cost < SL_N_COSTS; cost++)
    if (strcmp (costs[cost].id, id) == 0)
      return cost;
  return -1;
}

double
sl_cost_of (const SlOutcome *outcome, SlCost cost)
{
  const double value[SL_N_COSTS] = { [SL_COST_EXECUTED] = outcome->executed,
                                     [SL_COST_EXPECTED] = outcome->expected,
                                     [SL_COST_TIMED] = outcome->timed,
                                     [SL_COST_PARAMETERS] = outcome->parameters };

  return value[cost];
}

bool
sl_cost_is_of (const SlLab *lab, SlCost cost)
{
  const SlCosts has = sl_lab_costs (lab);
  const bool    there[SL_N_COSTS] = { [SL_COST_EXECUTED] = has.executed != NULL,
                                      [SL_COST_EXPECTED] = has.expected != NULL,
                                      [SL_COST_TIMED] = lab->clock != NULL,
                                      [SL_COST_PARAMETERS] = has.parameters };

  return there[cost];
}

SlAxis
sl_cost_axis (const SlLab *lab, SlCost cost)
{
  if (cost == SL_COST_PARAMETERS)
    return (SlAxis) { .label = costs[cost].label, .unit = N_ ("thousand") };
  return sl_lab_cost_axis (lab, costs[cost].label);
}
