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
  SlCostTerms  update_terms, pass_terms; /* of both by the kernels alone, */
  double update_unsure, pass_unsure;     /* and by how much the logarithms of their sums may be off
                                            * (core/run/cost/fit.h) */
  double dense;                          /* seconds of a dense pass, predicted */
  double timed_update, timed_speed_up;   /* processor seconds of an update; dense ÷ conditional */
  double executed; /* multiply-adds of the pass that was timed, in % of a dense one */
} SlCostTrial;

/* Opens what a lab is tried on: small data of the kind that it needs; NULL for a lab without any. */
SlStatus sl_cost_trial_data (const SlLab *lab, SlDataset **dataset);

/* Sets reports as far apart as can be: what is timed are updates. */
void sl_cost_leave_reports (const SlLab *lab, SlSettings *settings);

/* Draws settings around the lab's defaults until some can be predicted, and predicts them; settings that do not fit
 * together, are refused or whose updates would take longer than `slowest` seconds are drawn anew.  FALSE: none of many
 * could be predicted.  */
gboolean sl_cost_draw (const SlCostModel *model, const SlLab *lab, const SlDataset *dataset,
                       SlRng *rng, double slowest, SlCostTrial *trial);

/* Times what was drawn.  `settling` > 0: the speed-up of the pass, too, after some hundred updates which take so many
 * seconds at most, as gates begin with half of the units on.  FALSE: the run diverged or does not begin. */
gboolean sl_cost_time_trial (const SlLab *lab, const SlDataset *dataset, double settling,
                             SlCostTrial *trial);

/* Once it is timed: makes the terms of the pass those of the units that were on, not of those expected. */
void sl_cost_trial_correct (const SlCostModel *model, const SlLab *lab, const SlDataset *dataset,
                            SlCostTrial *trial);

/* Settings that differ from the defaults: "id=value id=value "; free with g_free(). */
char *sl_cost_trial_text (const SlLab *lab, const SlSettings *settings);
