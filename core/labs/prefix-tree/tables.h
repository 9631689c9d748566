/* SPDX-License-Identifier: MIT
 *
 * The parameters and panels of the lab `prefix-tree` by number, and what is said about them.  */
#pragma once

#include "core/lab/lab.h"

/* The order is that of the form and of the plots. */
enum {
  P_K,
  P_TABLE,
  P_WINDOW,
  P_SOURCES,
  P_BITS,
  P_GATING_HIDDEN,
  P_THRESHOLD,
  P_TAU,
  P_CREDIT,
  P_ROOT,
  P_DECAY_KIND,
  P_DECAY,
  P_DECAY_RULE,
  P_RATE,
  P_SCHEDULE,
  P_SCHEDULE_EPOCHS,
  P_BATCH,
  P_OPTIMISER,
  P_ON_INPUT,
  P_HIDDEN,
  P_TREES,
  P_UNITS,
  P_BUDGET,
  P_SHOWN,
  P_REPORT,
  P_EVALUATE,
  P_EXAMPLES,
  N_PARAMS,
};

enum {
  V_ALIVE,
  V_MAP,
  V_ERROR,
  V_EFFECTIVE,
  V_LEAVES,
  V_BITS,
  V_NORM,
  V_CAPACITY,
  V_LOSS,
  V_LETTERS,
  V_AGE,
  V_DECAY,
  V_COST,
  V_SPEED,
  V_CORRELATION,
  N_PANELS,
};

/* The traces of the panels with several. */
enum { T_TRAIN, T_VALID };
enum { T_LETTERS_TREE, T_LETTERS_NONE, T_LETTERS_ONE, T_LETTERS_TWO, T_LETTERS_THREE };
enum { T_EFFECTIVE, T_VISITED, T_TRAINED, T_ALL };
enum { T_SHARE, T_EVEN };
enum { T_RATE, T_HALF };
enum { T_NORM, T_LARGEST };
enum { T_PARAMETERS, T_FREEDOM, T_MULTIPLIED, T_ADDED, T_RATIO };
enum { T_LOOKED, T_EXACT, T_BEFORE, T_PRINTED };
enum { T_EXPECTED, T_EXECUTED, T_DENSE };

extern const SlParam sl_prefix_params[N_PARAMS];
extern const SlPanel sl_prefix_panels[N_PANELS];

enum {
  MOST_K = 10,
  MOST_TREES = 4,
  MOST_BATCH = 1024, /* examples in one pass */
  PROBE = 1024,      /* validation examples of a probe */
};

enum { TABLE_TREE, TABLE_FLAT };
enum { SOURCES_FIRST, SOURCES_DRAWN };
enum { BITS_THRESHOLD, BITS_SAMPLED };
enum { THRESHOLD_MEDIAN, THRESHOLD_FIXED };

/* What tells the bits how they did. */
typedef enum {
  CREDIT_NONE,
  CREDIT_REINFORCE,
  CREDIT_THROUGH,       /* straight-through: the exact worth of each bit */
  CREDIT_THROUGH_SLOPE, /* the same times σ' */
  CREDIT_SUPPRESS,      /* tanh modulation as printed */
  CREDIT_AMPLIFY,
} Credit;
