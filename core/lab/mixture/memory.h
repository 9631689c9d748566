/* SPDX-License-Identifier: MIT
 *
 * The panel of what training a mixture of experts keeps in memory.  */
#pragma once

#include "core/lab/kit/probe.h"
#include "core/lab/mixture/setting.h"

/* Fills SL_PANEL_MEMORY, for the optimiser of the run and for Adam. */
void sl_mixture_probe_memory (SlProbe *p, const SlMoe *moe, const SlMoeSetting *setting,
                              size_t batch, SlOptimiser optimiser);
