/* SPDX-License-Identifier: MIT
 *
 * The parameters and panels of the lab `experts` by number, and what is said about them.  */
#pragma once

#include "core/lab/mixture/panels.h"
#include "core/lab/mixture/setting.h"

/* The order is that of the form and of the plots. */
enum {
  P_GATE,
  P_K,
  P_P,
  P_W_ENTROPY,
  P_K_GROUPS,
  P_SCORE,
  P_VALUES,
  P_BIAS_RULE,
  P_BIAS_RATE,
  P_GATE_RATE,
  P_CAPACITY,
  P_DROP,
  P_W_BALANCE,
  P_OVER,
  P_W_Z,
  P_L1_START,
  P_L1_GAIN,
  P_W_IMPORTANCE,
  P_W_LOAD,
  P_NOISE,
  P_NOISE_FLOOR,
  P_THRESHOLD,
  P_ZERO,
  P_ZERO_KIND,
  P_ZERO_TARGET,
  P_ZERO_RATE,
  P_TWIN,
  P_BASELINES,
  P_RATE,
  P_SCHEDULE,
  P_WARM_UP,
  P_FLAT,
  P_BATCH,
  P_OPTIMISER,
  P_FACTORED,
  P_RECOMPUTE,
  P_DROPOUT,
  P_EXPERTS,
  P_SHARED,
  P_SPLIT,
  P_GROUPS,
  P_HIDDEN,
  P_EMBEDDING,
  P_RESIDUAL,
  P_SIGMOID,
  P_MATCH,
  P_BUDGET,
  P_EXPERT,
  P_REPORT,
  P_EVALUATE,
  P_EXAMPLES,
  N_PARAMS,
};

enum {
  V_ALIVE,
  V_USAGE,
  V_MAP,
  V_CV,
  V_WHY,
  V_ERROR,
  V_CLASSES,
  V_STRONGEST,
  V_EFFECTIVE,
  V_NOISE,
  V_COST,
  V_SPEED,
  V_LOSS,
  V_MEMORY,
  V_AGREEMENT,
  V_WHY_VALUE,
  V_VIOLATION,
  V_DROPPED,
  V_PER_EXAMPLE,
  V_ACTIVE,
  V_BY_CLASS,
  V_FLIPS,
  V_BIAS,
  V_SPREAD,
  V_CONTROLLER,
  V_ZEROS,
  V_PRUNING,
  N_PANELS,
};

/* The traces of the lab's own panels with several. */
enum {
  T_LOSS_BALANCE = SL_LOSS_THRESHOLD + 1,
  T_LOSS_Z,
  T_LOSS_L1,
  T_LOSS_ENTROPY,
};
enum { T_TRAIN, T_VALID, T_ERROR_WIDE, T_ERROR_DEEP, T_ERROR_TWIN, T_ERROR_TOGETHER };
enum {
  T_EXPECTED,
  T_EXECUTED,
  T_DENSE,
  T_SHARE,
  T_COST_WIDE,
  T_COST_DEEP,
  T_RESERVED,
  T_COST_TWIN
};
enum {
  T_VIOLATION,
  T_VIOLATION_VALID,
  T_VIOLATION_SMOOTH,
  T_VIOLATION_CHANCE,
  T_VIOLATION_COLLAPSE,
};
enum { T_DROPPED, T_UNSERVED };
enum { T_ACTIVE, T_ACTIVE_LOW, T_ACTIVE_HIGH, T_ACTIVE_TARGET, T_ACTIVE_RIGHT, T_ACTIVE_WRONG };
enum { T_FLIPS, T_FLIPS_CHANGED };
enum { T_SPREAD_BIAS, T_SPREAD_SCORE };
enum { T_ZEROS, T_ZEROS_TARGET };
enum { T_PRUNE_SALIENCY, T_PRUNE_COUNT, T_PRUNE_NORM, T_PRUNE_RANDOM };

extern const SlParam sl_experts_params[N_PARAMS];
extern const SlPanel sl_experts_panels[N_PANELS];

enum {
  MOST_EXPERTS = SL_MIXTURE_EXPERTS,
  MOST_BATCH = 1024, /* examples in one pass */
  WATCHED = 128,     /* training examples of a report that are also run without noise */
  MOST_SPLIT = 64,   /* experts after a split */
  PROBE = 512,       /* validation examples of a probe */
  FLIPS = 512,       /* validation examples whose sets are compared between two evaluations */
};
