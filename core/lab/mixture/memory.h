/* SPDX-License-Identifier: MIT
 *
 * The panel of what training a mixture of experts keeps in memory.  */
#pragma once

#include "core/lab/kit/probe.h"
#include "core/lab/mixture/setting.h"

/* Fills SL_PANEL_MEMORY; `adam` is whether the optimiser of the run is. */
void sl_mixture_probe_memory (SlProbe *p, const SlMoe *moe, const SlMoeSetting *setting,
                              size_t batch, bool adam);
