/* SPDX-License-Identifier: MIT
 *
 * Load balancing without a loss (Wang et al. 2024; DeepSeek-V3), replayed on recorded scores of all
 * experts: tokens choose the k largest s + b, and after each window b rises by a step where the load
 * was below the mean and falls where it was above.  It says how large b must be, not how training
 * would go: the model behind does not react.  */
#pragma once

#include "core/labs/routing/math/routes.h"

typedef enum {
  SL_SCORES_RECORDED, /* s as it is */
  SL_SCORES_SOFTMAX,
  SL_SCORES_SIGMOID,
  SL_N_SCORES,
} SlScoresKind;

typedef struct
{
  unsigned     n, k; /* k <= n */
  SlScoresKind kind;
  double       rate; /* by which b moves after a window */
  double      *bias; /* (n), zeros at first; the caller's */
} SlBiasReplay;

typedef struct
{
  double   before, after; /* MaxVio without b and with it; NaN in an empty window */
  uint64_t moved;         /* routings that go elsewhere than without b */
} SlBiasWindow;

/* The next window: scores (tokens, n).  Loads with b are added to load (n). */
SlBiasWindow sl_bias_window (SlBiasReplay *replay, size_t tokens, const float *scores,
                             uint64_t *load);
