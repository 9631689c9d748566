/* SPDX-License-Identifier: MIT
 *
 * How a mixture of experts spread its examples since the last report, and what is published of it.  */
#pragma once

#include "core/lab/mixture/panels.h"
#include "core/lab/mixture/setting.h"

/* Sums over the batches since the last report; plain memory that a checkpoint may keep. */
typedef struct
{
  double batches, assignments, empty;
  double importance_loss, load_loss, threshold_loss;
  double cv_importance, cv_load, cv_hard, peak_load;
  double noise, expected, agreement;
  double executed; /* inputs of experts, shared ones too */
  double hard[SL_MIXTURE_EXPERTS];
} SlMixtureSums;

/* Numbers of the lab's panels (panels.h). */
typedef struct
{
  unsigned usage, cv, effective, noise, agreement, loss;
} SlMixturePanels;

/* Adds the last forward pass. */
void sl_mixture_sum (SlMixtureSums *sums, const SlMoe *moe);

/* What a report is about besides the sums. */
typedef struct
{
  const SlMixturePanels *panels;
  const SlMoe           *moe;
  SlMoeSetting           setting;
  size_t                 batch;    /* examples of a batch, for the CV of random choices */
  double                 examples; /* of all batches of the sums */
  double same; /* share of the examples for which the noise did not change the choice, or NaN */
} SlMixtureReport;

/* Publishes the sums but for the task's loss, which is the lab's; they stay. */
void sl_mixture_report (const SlMixtureSums *sums, const SlMixtureReport *report, SlSink *sink);

/* Multiply-adds of a dense layer with the parameters of all experts, the shared ones too, for one example. */
double sl_mixture_dense_macs (const SlMoe *moe);

/* Multiply-adds of the layer with so many experts for one example, and its gates, in % of that. */
double sl_mixture_cost (const SlMixtureReport *report, double experts);

/* Multiply-adds of the layer for one example since the last report, in % of that: as the gates'
 * probabilities have it, and as counted over so many examples, with what training does for a batch besides.  */
double sl_mixture_expected_cost (const SlMixtureSums *sums, const SlMixtureReport *report);
double sl_mixture_executed_cost (const SlMixtureSums *sums, const SlMixtureReport *report);
