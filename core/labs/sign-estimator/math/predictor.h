/* SPDX-License-Identifier: MIT
 *
 * What says, before a layer is computed, which of its units will be on.  All behind one interface: each
 * gives a score q to every unit of every example, and a unit is on where its score is
 * above a threshold.  Only one gets a gradient through the task.  */
#pragma once

#include "core/labs/sign-estimator/math/learned.h"
#include "core/labs/sign-estimator/math/sign-bits.h"
#include "core/labs/sign-estimator/math/threshold.h"

typedef enum {
  SL_PREDICTOR_SVD,     /* a low-rank product of the weights; on where q > theta */
  SL_PREDICTOR_LEARNED, /* a low-rank product that was trained for it; q > theta */
  SL_PREDICTOR_BITS,    /* votes of signs; q >= theta */
  SL_PREDICTOR_ORACLE,  /* the truth, after computing everything; q > 0 whatever theta is */
  SL_PREDICTOR_TASK,    /* a low-rank product that the network's loss trains; q > theta */
  SL_PREDICTORS,
  SL_PREDICTOR_MAGNITUDE = SL_PREDICTORS, /* of gated units: |SiLU| of their gates, which the layer
                                           * scores itself; q >= theta */
} SlPredictorKind;

/* Whether it is a product of weights of its own. */
static inline bool
sl_predictor_is_trained (SlPredictorKind kind)
{
  return kind == SL_PREDICTOR_LEARNED || kind == SL_PREDICTOR_TASK;
}

/* All of one layer. */
typedef struct
{
  SlLowRank  svd;
  SlLearned  learned; /* of either kind that is trained */
  SlSignBits bits;    /* packed anew whenever the weights may have moved */
} SlPredictor;

typedef struct
{
  SlPredictorKind kind;
  bool            abstain; /* inputs of 0 have no vote */
  double          caution; /* weight of votes for a unit */
} SlPredictorSetting;

/* What a layer meets. */
typedef struct
{
  size_t         batch;
  const sl_real *x;    /* (B, D) inputs of the layer; those of the layer before for a predictor that
                         * looks ahead */
  const sl_real *bias; /* (H), or NULL: none */
  const sl_real *pre;  /* (B, H), read by the oracle only */
  sl_real       *low;  /* (B, rank) scratch */
} SlPredictorInput;

/* q (B, H). */
void sl_predictor_scores (SlPredictor *p, const SlPredictorSetting *setting,
                          const SlPredictorInput *in, sl_real *q);

/* q (B, H) turned into estimates, > 0 where a unit is on. */
void sl_predictor_decide (const SlPredictorSetting *setting, SlTheta theta, size_t batch,
                          size_t units, sl_real *q);

/* The units of one example that are on, rising, as one deploys it; est (H) is scratch.  Returns how
 * many.  Not for the oracle.  */
size_t sl_predictor_rows (SlPredictor *p, const SlPredictorSetting *setting,
                          const SlPredictorInput *in, SlTheta theta, sl_real *est, uint32_t *rows);

/* Multiply-adds by which one example in a layer of this size is predicted.  A word of 64 bits counts as one.  */
double sl_predictor_macs (SlPredictorKind kind, double inputs, double units, double rank);
