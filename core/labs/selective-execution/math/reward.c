/* SPDX-License-Identifier: MIT */
#include "core/labs/selective-execution/math/reward.h"

double
sl_detection_score_of (SlDetection measure, double true_positives, double false_positives,
                       double false_negatives)
{
  double found = true_positives, all = true_positives;

  if (measure == SL_DETECTION_PRECISION)
    all += false_positives;
  else if (measure == SL_DETECTION_RECALL)
    all += false_negatives;
  else
    {
      found = 2.0 * true_positives;
      all = found + false_positives + false_negatives;
    }
  return all > 0.0 ? found / all : 1.0;
}

double
sl_detection_score (SlDetection measure, size_t n, const uint8_t *predicted, const uint8_t *label)
{
  size_t right = 0, said = 0, there = 0;

  for (size_t e = 0; e < n; e++)
    {
      right += predicted[e] != 0 && label[e] != 0;
      said += predicted[e] != 0;
      there += label[e] != 0;
    }
  return sl_detection_score_of (measure, (double) right, (double) (said - right),
                                (double) (there - right));
}

double
sl_explore (double least, double length, double t)
{
  double epsilon = length > 0.0 ? 1.0 - (1.0 - least) * t / length : least;

  return epsilon > least ? epsilon : least;
}

double
sl_q_loss (const SlDecisions *scored, size_t bag, const double *reward, double scale, sl_real *dq,
           size_t *bags)
{
  double loss = 0.0;
  size_t found = 0;

  for (size_t k = 0; k < scored->n;)
    {
      size_t number = scored->row[k] / bag, end = k;
      double sum = 0.0, short_of;

      for (; end < scored->n && scored->row[end] / bag == number; end++)
        sum += (double) scored->q[end * scored->actions + scored->action[end]];
      short_of = reward[number] - sum;
      loss += scale * short_of * short_of;
      found++;
      for (; k < end; k++)
        if (dq != NULL)
          dq[k * scored->actions + scored->action[k]] -= (sl_real) (2.0 * scale * short_of);
    }
  if (bags != NULL)
    *bags = found;
  return loss;
}
