/* SPDX-License-Identifier: MIT
 *
 * What a lab does beside its kernels, and how far from its timed runs a prediction may be; shared by the
 * files of core/run/cost.  */
#pragma once

#include "core/run/cost/model.h"

/* Times a few random runs of each lab and corrects the model by what they took.  FALSE when cancelled. */
gboolean sl_cost_learn (SlCostModel *model, GCancellable *cancellable);
