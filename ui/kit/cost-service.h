/* SPDX-License-Identifier: MIT
 *
 * What all windows predict times by: the model of this machine, timed in the background where there is none
 * yet.  */
#pragma once

#include <gio/gio.h>

#include "core/run/cost/model.h"

#define SL_TYPE_COST_SERVICE (sl_cost_service_get_type ())
G_DECLARE_FINAL_TYPE (SlCostService, sl_cost_service, SL, COST_SERVICE, GObject)

/* Signal "changed": there is another model, or timing began or ended. */

/* The program's own, which has read what was timed here before. */
SlCostService *sl_cost_service_get (void);

/* NULL: nothing was timed here. */
const SlCostModel *sl_cost_service_model (SlCostService *self);

/* Takes another model over. */
void sl_cost_service_take (SlCostService *self, SlCostModel *model);

/* Begins timing in the background unless there is a model; and gives it up.  Runs that begin meanwhile leave
 * a core to it (core/run/base/threads.h).  */
void     sl_cost_service_measure (SlCostService *self);
void     sl_cost_service_stop (SlCostService *self);
gboolean sl_cost_service_is_measuring (SlCostService *self);

/* The time of a forward pass with these settings in % of the dense one's, as predicted; not-a-number
 * without a model, without data that the lab needs, and for what is not predicted.  */
SlPrediction sl_cost_service_share (SlCostService *self, const SlLab *lab,
                                    const SlSettings *settings, const SlDataset *dataset);
