/* SPDX-License-Identifier: MIT
 *
 * The parameters and panels of the lab `selective-execution` by number, and what is said about them.  */
#pragma once

#include "core/lab/lab.h"

/* The order is that of the form and of the plots. */
enum {
  P_LAMBDA,
  P_COST,
  P_BAG,
  P_EPSILON,
  P_EXPLORE,
  P_Q_WEIGHT,
  P_TEACH,
  P_EVERY_EXIT,
  P_REWARDS,
  P_TWINS,
  P_CONFIDENCE,
  P_THRESHOLD,
  P_PROMISE,
  P_TOLERANCE,
  P_BOUND,
  P_SHARE,
  P_RATE,
  P_SCHEDULE,
  P_SCHEDULE_EPOCHS,
  P_BATCH,
  P_OPTIMISER,
  P_ARCHITECTURE,
  P_MODULES,
  P_DECISIONS,
  P_LINKS,
  P_LEVELS,
  P_BLOCKS,
  P_ROUTED_EVERY,
  P_WEIGHT,
  P_LOW,
  P_HIGH,
  P_WIDTH,
  P_CHANNELS,
  P_CONTROLLER,
  P_CONTROLLER_LAYERS,
  P_TASK,
  P_POSITIVE,
  P_MEASURE,
  P_REPORT,
  P_EVALUATE,
  P_EXAMPLES,
  N_PARAMS,
};

enum {
  V_ALIVE,
  V_TRADE,
  V_THRESHOLDS,
  V_PROMISE,
  V_PATHS,
  V_DEPTH,
  V_ROUTED,
  V_AGREE,
  V_ERROR,
  V_MAP,
  V_COST,
  V_PICTURES,
  V_CLASSES,
  V_BY_PATH,
  V_Q,
  V_CLOCK,
  V_LOSS,
  N_PANELS,
};

/* The traces of the panels with several. */
enum { T_HERE, T_TRAIL, T_STATIC, T_ORACLE, T_CURVE };
enum { T_ERRORS_AT, T_COST_AT, T_DISAGREE_AT };
enum { T_CHANCE, T_LOSSES, T_DOUBT, T_TOLERANCE, T_CHOSEN };
enum { T_TRAIN, T_VALID, T_CHEAPEST, T_DEAREST, T_BEST, T_IN_BATCHES };
enum { T_TRAINING, T_EXPECTED, T_EXECUTED, T_CHEAPEST_COST, T_DEAREST_COST };
enum { T_SHARE_RIGHT, T_STATIC_RIGHT };
enum { T_TIMED, T_COUNTED };
enum { T_DEPTH_ALONE, T_DEPTH_IN_BATCHES };
enum { T_CLASSES, T_CONTROLLERS };

extern const SlParam sl_selective_params[N_PARAMS];
extern const SlPanel sl_selective_panels[N_PANELS];

enum {
  ARCHITECTURE_FIGURE_1_LEFT,
  ARCHITECTURE_FIGURE_1_RIGHT,
  ARCHITECTURE_HIGH_LOW,
  ARCHITECTURE_HIERARCHY,
  ARCHITECTURE_CASCADE,
  ARCHITECTURE_CHAIN,
  ARCHITECTURE_EXITS,
  ARCHITECTURE_DEPTHS,
};
enum { LINKS_RESIDUAL, LINKS_EITHER };
enum { WEIGHT_RAW, WEIGHT_SIGMOID };
enum { PROMISE_ANSWERS, PROMISE_ERRORS };
enum { MODULES_DENSE, MODULES_CONVOLUTIONAL };
enum { TASK_CLASSES, TASK_ONE };
enum { COST_COUNTED, COST_TIMED };
enum { TEACH_CLASSES, TEACH_VALUES };
enum { REWARDS_TAKEN, REWARDS_EVERY, REWARDS_EXPECTED };

enum {
  MOST_DECISIONS = 4,   /* of the architectures with choices */
  MOST_CONTROLLERS = 8, /* of a network from a file, or routed blocks of a mixture of depths */
  MOST_PATHS = MOST_CONTROLLERS + 1,
  SHARED_WAYS = 9,  /* with a score of their own */
  MOST_WAYS = 256,  /* of deciding */
  MOST_BATCH = 512, /* examples in one pass */
  MOST_CLASSES = 256,
  TIME_APART = 500, /* updates between two measurements of the nodes by the clock */
  TIMED_ROWS = 64,  /* rows of such a measurement */
  TRAIL = 48,       /* evaluations that are remembered for the picture of the trade-off */
  PROBE = 512,      /* validation examples of a probe */
  GRID = 101,       /* thresholds of a promise: 0, 0.01, … 1 */
};
