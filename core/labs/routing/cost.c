/* SPDX-License-Identifier: MIT */
#include "core/lab/kit/cost.h"

#include "core/labs/routing/lab.h"

void
sl_routing_work (const SlLabState *state, SlWorkload *work)
{
  SlMessage why
    = sl_message ("Nothing is computed by kernels in this lab: a step counts in a recording.");

  for (unsigned part = 0; part < SL_N_COST_PARTS; part++)
    sl_cost_refuse (work, (SlCostPart) part, why);
}
