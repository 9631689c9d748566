/* SPDX-License-Identifier: MIT
 *
 * What controllers learn from (Liu and Deng 2017, §4): a reward for right answers at little cost,
 * given to a bag of examples, and the regression of scores on it.
 *
 * A bag is a stretch of the batch; bags of one are single examples.  */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/base/real.h"

/* r = λ A − (1 − λ) cost.  The paper calls efficiency once the inverse of the cost and once its
 * negative; this is the latter, a ruling of ours.  */
static inline double
sl_reward (double lambda, double accuracy, double cost)
{
  return lambda * accuracy - (1.0 - lambda) * cost;
}

/* How well one class is found among others. */
typedef enum {
  SL_DETECTION_F1,        /* 2 TP ÷ (2 TP + FP + FN) */
  SL_DETECTION_PRECISION, /* TP ÷ (TP + FP) */
  SL_DETECTION_RECALL,    /* TP ÷ (TP + FN) */
} SlDetection;

/* Of n predictions, from 0 to 1; 1 where there is nothing to divide by.  Anything but 0 is positive.  */
double sl_detection_score (SlDetection measure, size_t n, const uint8_t *predicted,
                           const uint8_t *label);
/* The same from counts. */
double sl_detection_score_of (SlDetection measure, double true_positives, double false_positives,
                              double false_negatives);

/* The share of decisions left to chance at update t, from 0: from 1 in a straight line to `least`
 * over `length` updates.  The paper says only that it decreases; the line is ours.  */
double sl_explore (double least, double length, double t);

/* Scores of those of a batch that reached a controller, and what was chosen. */
typedef struct
{
  size_t          n, actions;
  const uint32_t *row;    /* (n) rising rows of the batch; row e is in bag e / bag */
  const uint8_t  *action; /* (n) */
  const sl_real  *q;      /* (n, actions) */
} SlDecisions;

/* Σ over the bags that have a row of (r − Σ Q)², times `scale`; adds its slope to dq (n, actions)
 * unless NULL: the same number for every chosen score of a bag.  The reward (bags) counts as a
 * constant. *bags unless NULL gets how many bags had a row.  */
double sl_q_loss (const SlDecisions *scored, size_t bag, const double *reward, double scale,
                  sl_real *dq, size_t *bags);
