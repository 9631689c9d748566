/* SPDX-License-Identifier: MIT
 *
 * Gates that the task trains (Davis 2016, section 3.1.1): a unit is on with the probability σ (q) of its score, and
 * the loss reaches q straight through the draw S, dloss/dq = dloss/dS (Bengio, Léonard and Courville 2013, of whose
 * estimates this one worked best).  */
#pragma once

#include "core/base/rng.h"
#include "core/labs/sign-estimator/math/learned.h"

/* q (n) becomes σ (q) - u with u uniform: > 0 where a unit is on. */
void sl_task_draw (size_t n, SlRng *rng, sl_real *q);

/* The term that keeps gates off, weight times the mean over units of KL (target ‖ mean over the batch of σ (q)) up to a
 * constant; 0 < target < 1.  */
typedef struct
{
  double weight, target;
} SlTaskPrice;

/* Room for a layer. */
typedef struct
{
  sl_real *value;       /* (B, H) φ (pre) on entry, dloss/dq afterwards */
  sl_real *chance;      /* (B, H) */
  sl_real *mean, *pull; /* (H) */
  sl_real *low;         /* (B, R) */
} SlTaskRoom;

/* From slope (B, H), which is dloss/dy of y = S ⊙ φ (pre), writes the gradient, that of the price included.  Returns
 * that term of the loss.  */
double sl_task_credit (SlLearned *p, size_t batch, const sl_real *x, const sl_real *slope,
                       const SlTaskPrice *price, const SlTaskRoom *room);
