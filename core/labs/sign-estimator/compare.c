/* SPDX-License-Identifier: MIT
 *
 * All predictors of the lab `sign-estimator` on the same inputs: those that the network meets with the one in
 * use.  */
#include "core/labs/sign-estimator/lab.h"

#include <math.h>
#include <string.h>

enum {
  POINTS = 60,                       /* of a curve */
  COMPARED = SL_PREDICTOR_ORACLE + 1 /* predictors */
};

bool
sl_sign_probe_compares (SlProbe *p, SlEstimate *gated)
{
  SlSignLab *s = sl_sign_lab (p->state);

  if (!sl_sign_probe_rectifies (p) || !sl_sign_probe_estimate (p, gated))
    return false;
  if (sl_sign_kind (s) == SL_PREDICTOR_TASK)
    {
      sl_probe_note (p, "The task trains what would be the learned predictor's factors.");
      return false;
    }
  if (!sl_sign_has_learned (s))
    {
      sl_probe_note (p, "The learned predictor begins with the next update.");
      return false;
    }
  sl_sign_pack (s);
  return true;
}

/* Scores of all hidden layers, each less its threshold as it decides, behind each other: est; and pre. */
static void
gather (SlSignLab *s, SlPredictorKind kind, size_t n, sl_real *q, sl_real *est, sl_real *pre)
{
  for (unsigned l = 0; l < s->hidden; l++)
    {
      size_t  numbers = n * s->net.width[l + 1];
      SlTheta theta;

      sl_sign_scores (s, kind, l, n, q);
      theta = sl_sign_threshold (s, l, kind, n, q);
      memcpy (est, q, numbers * sizeof *q);
      sl_sign_decide (s, kind, theta, l, n, est);
      memcpy (pre, s->tape.pre[l], numbers * sizeof *pre);
      q += numbers;
      est += numbers;
      pre += numbers;
    }
}

/* Every predictor's scores in turn. */
typedef struct
{
  size_t   n, total; /* examples; pairs of them and units */
  sl_real *q, *est, *pre;
} Scores;

static bool
begin (SlProbe *p, Scores *scores)
{
  SlSignLab *s = sl_sign_lab (p->state);
  SlEstimate gated;

  if (!sl_sign_probe_compares (p, &gated))
    return false;
  *scores = (Scores) { .n = sl_sign_run_validation (s, WATCHED, &gated) };
  for (unsigned l = 0; l < s->hidden; l++)
    scores->total += scores->n * s->net.width[l + 1];
  scores->q = sl_probe_room (p, scores->total, sizeof *scores->q);
  scores->est = sl_probe_room (p, scores->total, sizeof *scores->est);
  scores->pre = sl_probe_room (p, scores->total, sizeof *scores->pre);
  sl_probe_note (p, "%zu validation examples, all hidden layers together", scores->n);
  return sl_ok (&p->status);
}

void
sl_sign_probe_curves (SlProbe *p)
{
  SlSignLab    *s = sl_sign_lab (p->state);
  Scores        scores;
  SlScoredPair *room;

  if (!begin (p, &scores))
    return;
  room = sl_probe_room (p, scores.total, sizeof *room);
  for (unsigned k = 0; k < SL_PREDICTOR_ORACLE && !sl_probe_cancelled (p); k++)
    {
      SlSigns signs = { 0 };
      double  recall[POINTS], alarm[POINTS], at, found;
      size_t  points;

      gather (s, (SlPredictorKind) k, scores.n, scores.q, scores.est, scores.pre);
      points = sl_threshold_curve (scores.total, scores.q, scores.pre, POINTS, recall, alarm, room);
      for (size_t i = 0; i < points; i++)
        {
          recall[i] *= 100.0;
          alarm[i] *= 100.0;
        }
      sl_probe_points (p, T_CURVE + k, 0, points, alarm, recall);
      sl_signs_count (scores.total, scores.pre, scores.est, &signs);
      at = 100.0 * sl_signs_false_alarm (&signs);
      found = 100.0 * sl_signs_recall (&signs);
      if (points > 0)
        sl_probe_points (p, T_IN_USE + k, 0, 1, &at, &found);
    }
}

void
sl_sign_probe_predictors (SlProbe *p)
{
  SlSignLab *s = sl_sign_lab (p->state);
  Scores     scores;
  double     recall[COMPARED], precision[COMPARED], alarm[COMPARED];
  double     lost[COMPARED], sum = 0.0;

  if (!begin (p, &scores))
    return;
  for (unsigned k = 0; k < COMPARED; k++)
    {
      SlSigns signs = { 0 };

      gather (s, (SlPredictorKind) k, scores.n, scores.q, scores.est, scores.pre);
      sl_signs_count (scores.total, scores.pre, scores.est, &signs);
      recall[k] = 100.0 * sl_signs_recall (&signs);
      precision[k] = 100.0 * sl_signs_precision (&signs);
      alarm[k] = 100.0 * sl_signs_false_alarm (&signs);
      lost[k] = 100.0 * sl_signs_lost (&signs);
      sum += recall[k] + precision[k] + alarm[k] + lost[k];
    }
  sl_probe_values (p, T_JUDGED_RECALL, 0, 0, COMPARED, recall);
  sl_probe_values (p, T_JUDGED_PRECISION, 0, 0, COMPARED, precision);
  sl_probe_values (p, T_JUDGED_ALARM, 0, 0, COMPARED, alarm);
  sl_probe_values (p, T_JUDGED_LOST, 0, 0, COMPARED, lost);
  if (!isfinite (sum))
    sl_probe_note (p, "; undefined where nothing is on");
}
