/* SPDX-License-Identifier: MIT
 *
 * Random settings of a lab that are predicted and then timed: what the model learns its corrections from,
 * and what it is compared with.  */
#pragma once

#include "core/base/rng.h"
#include "core/data/set/dataset.h"
#include "core/run/cost/model.h"

/* Not-a-number where nothing is predicted or timed. */
typedef struct
{
  SlSettings   settings;
  SlPrediction update, speed_up;         /* as predicted before */
  SlCostTerms  update_terms, pass_terms; /* of both by the kernels alone */
  double       dense;                    /* seconds of a dense pass, predicted */
  double timed_update, timed_speed_up;   /* processor seconds of an update; dense ÷ conditional */
} SlCostTrial;

/* Opens what a lab is tried on: small data of the kind that it needs; NULL for a lab without any. */
SlStatus sl_cost_trial_data (const SlLab *lab, SlDataset **dataset);

/* Sets reports as far apart as can be: what is timed are updates. */
void sl_cost_leave_reports (const SlLab *lab, SlSettings *settings);

/* Times the settings of a trial; FALSE as below. */
gboolean sl_cost_time_trial (const SlCostModel *model, const SlLab *lab, const SlDataset *dataset,
                             bool speed_up, SlCostTrial *trial);

/* Draws settings around the lab's defaults, predicts and times them, the speed-up of the pass only where asked
 * for, which takes longer than the rest.  FALSE: they do not fit together,
 * cannot be predicted, diverged or would take too long.  */
gboolean sl_cost_try (const SlCostModel *model, const SlLab *lab, const SlDataset *dataset,
                      SlRng *rng, bool speed_up, SlCostTrial *trial);

/* Settings that differ from the defaults: "id=value id=value "; free with g_free(). */
char *sl_cost_trial_text (const SlLab *lab, const SlSettings *settings);
