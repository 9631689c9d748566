/* SPDX-License-Identifier: MIT
 *
 * Which share of the units the estimate of the lab `sign-estimator` will switch on, guessed before anything is
 * trained.  The numbers are what 320 random settings came to within 300 updates on drawn digits.  */
#include <math.h>

#include "core/labs/sign-estimator/lab.h"

/* Half of what weights at random compute is above zero, and that stays so while they hardly move. */
static const SlSignShare untrained = { 0.47, 0.42, 0.55 };

/* Rates of plain descent below this move the weights too little within some hundred updates. */
static const double moving_rate = 0.1;

/* Momentum adds up some ten gradients.  Dropout scales up what it leaves, and by that the gradients. */
static bool
hardly_moves (const SlSignLab *s)
{
  static const double gain[] = { [SL_SGD] = 1, [SL_MOMENTUM] = 10, [SL_ADAM] = INFINITY };
  double              hidden = 1 - sl_value_of (&s->base, P_HIDDEN_DROPOUT);
  double              inputs = 1 - sl_value_of (&s->base, P_INPUT_DROPOUT);
  double              rate = sl_value_of (&s->base, P_RATE);

  return gain[(unsigned) sl_value_of (&s->base, P_OPTIMISER)] * rate
         < moving_rate * hidden * hidden * inputs;
}

static SlSignShare
between (double share, double least, double most)
{
  return (SlSignShare) { fmin (share, 1), fmin (least * share, 1), fmin (most * share, 1) };
}

/* Share of the hidden units that dropout leaves.  A network in training has about half of such a share on. */
static double
left_by_dropout (const SlSignLab *s)
{
  return 1 - sl_value_of (&s->base, P_HIDDEN_DROPOUT);
}

/* Where a share `value` of the active units is to be found.  A low rank tells little of weights that have hardly
 * moved: as large a share of all units is computed then.  All that are active are found only by computing nearly
 * all.  */
static SlSignShare
by_recall (const SlSignLab *s, double value)
{
  if (hardly_moves (s))
    return between (value, 0.8, 1.1);
  if (value >= 1)
    return (SlSignShare) { 0.9, 0.5, 1 };
  return between (1.2 * value * value * fmax (left_by_dropout (s), 0.3), 0.4, 1.8);
}

/* By the sign of the estimate. */
static SlSignShare
by_sign (const SlSignLab *s)
{
  bool learned = sl_sign_kind (s) == SL_PREDICTOR_LEARNED;

  if (hardly_moves (s))
    return learned ? (SlSignShare) { 0.55, 0.4, 0.85 } : untrained;
  if (learned)
    return (SlSignShare) { 0.4, 0.15, 0.65 };
  return between (0.5 * left_by_dropout (s), 0.4, 1.6);
}

static bool
is_trained_sparse (const SlSignLab *s)
{
  return sl_value_of (&s->base, P_L1) > 0 || sl_value_of (&s->base, P_KL) > 0
         || sl_value_of (&s->base, P_CUT) > 0;
}

static bool
has_threshold (const SlSignLab *s)
{
  const SlValue *theta = &s->base.settings.value[P_THETA];

  for (unsigned l = 0; l < theta->n; l++)
    if (theta->v[l] != 0)
      return true;
  return false;
}

SlSignShare
sl_sign_share (const SlSignLab *s)
{
  double value = sl_value_of (&s->base, P_AIM_VALUE);

  if (sl_value_of (&s->base, P_AIM) == SL_AIM_DENSITY)
    return between (value, 0.9, 1.1);
  if (is_trained_sparse (s))
    return (SlSignShare) { 0.2, 0.02, 0.5 };
  if (sl_value_of (&s->base, P_AIM) == SL_AIM_RECALL)
    return by_recall (s, value);
  if (has_threshold (s))
    return (SlSignShare) { 0.35, 0.05, 0.95 };
  return by_sign (s);
}
