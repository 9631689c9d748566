/* SPDX-License-Identifier: MIT
 *
 * How good estimates of a gradient through binary gates are, exactly: with a few gates all states
 * can be gone through, so that the true gradient and the mean and variance of every estimate are
 * sums and not samples.  In double whatever sl_real is.  */
#pragma once

#include <stddef.h>

#include "core/nn/gater/units.h"

enum { SL_GATER_TOY_MOST = 12 };

/* One input.  A state h of the K gates has the logits o = rest + Σ_k h_k effect[k], C of them, and
 * the loss -log softmax (o)[label].  */
typedef struct
{
  size_t        gates, outputs; /* 1 <= K <= SL_GATER_TOY_MOST, C */
  const double *a;              /* (K) logits of the gates */
  const double *rest;           /* (C) */
  const double *effect;         /* (K, C) */
  size_t        label;
} SlGaterToy;

/* The estimates.  All but one are of gates that are 1 with probability σ (a), that one of gates that are
 * √p with probability √p.  The noise of the last two is continuous, so they are sampled.  */
typedef enum {
  SL_GATER_BARE,      /* (h - p) L */
  SL_GATER_MEAN_LOSS, /* (h - p) (L - E L) */
  SL_GATER_BEST,      /* (h - p) (L - E[(h - p)² L] / E[(h - p)²]) */
  SL_GATER_STRAIGHT,  /* dL/dh */
  SL_GATER_SLOPED,    /* dL/dh p (1 - p) */
  SL_GATER_SMOOTH,    /* STS: dL/dh on ½ √p (1 - p) */
  SL_GATER_NOISED,    /* Gumbel-sigmoid: dL/dh times its slope */
  SL_GATER_CLIPPED,   /* hard concrete: the same */
  SL_GATER_ESTIMATORS,
} SlGaterEstimator;

typedef struct
{
  double loss;                            /* E L */
  double exact[SL_GATER_TOY_MOST];        /* ∂(E L)/∂a of 0/1 gates */
  double exact_smooth[SL_GATER_TOY_MOST]; /* the same of STS gates */
  double baseline[SL_GATER_TOY_MOST];     /* that of least variance */
  double mean[SL_GATER_ESTIMATORS][SL_GATER_TOY_MOST];
  double variance[SL_GATER_ESTIMATORS][SL_GATER_TOY_MOST];
  double cosine[SL_GATER_ESTIMATORS]; /* of one draw to the exact gradient: its mean, 0 for none */
  double spread[SL_GATER_ESTIMATORS]; /* and its standard deviation */
} SlGaterExact;

/* Goes through the 2^K states, with `work` (C). */
void sl_gater_enumerate (const SlGaterToy *toy, double *work, SlGaterExact *exact);

/* Adds the moments of gates of concrete.h, `unit`, to what sl_gater_enumerate() has made: the same `draws`
 * each time.  Their means err by the root of variance / draws.  */
void sl_gater_sample (const SlGaterToy *toy, const SlGaterUnit *unit, size_t draws, double *work,
                      SlGaterExact *exact);

/* The exact gradient that an estimate is to be compared with. */
static inline const double *
sl_gater_truth (const SlGaterExact *exact, SlGaterEstimator estimator)
{
  return estimator == SL_GATER_SMOOTH ? exact->exact_smooth : exact->exact;
}
