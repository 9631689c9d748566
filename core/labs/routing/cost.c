/* SPDX-License-Identifier: MIT */
#include "core/lab/kit/cost.h"

#include "core/labs/routing/lab.h"

void
sl_routing_work (const SlLabState *state, SlWorkload *work)
{
  SlMessage why = sl_message ("This lab counts a recording: no kernels compute.");

  for (unsigned part = 0; part < SL_N_COST_PARTS; part++)
    sl_cost_refuse (work, (SlCostPart) part, why);
}
