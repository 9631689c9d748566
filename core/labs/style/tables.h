/* SPDX-License-Identifier: MIT
 *
 * The parameters and panels of the lab `style` by number, and what is said about them.  */
#pragma once

#include "core/lab/lab.h"

/* The order is that of the form and of the plots. */
enum {
  P_METHOD,
  P_SECOND,
  P_FUSION,
  P_C,
  P_GAMMA,
  P_WEIGHTS,
  P_EQUAL,
  P_GOAL,
  P_SMOOTH,
  P_OPTIMISER,
  P_RATE,
  P_START,
  P_NOISE,
  P_STOP,
  P_LEVELS,
  P_TAPS,
  P_CONTENT_LEVEL,
  P_SCALES,
  P_FILTERS,
  P_BUDGET,
  P_REPORT,
  P_EVALUATE,
  P_SAMPLE,
  P_SHOWN,
  N_PARAMS,
};

enum {
  V_ALIVE,
  V_PICTURE,
  V_TOTAL,
  V_LOSSES,
  V_MMD,
  V_GAUSSIAN,
  V_LEVELS,
  V_RATIO,
  V_CHANGE,
  V_MEANS,
  V_DEVIATIONS,
  V_IDENTITY,
  V_COST,
  V_WORK,
  N_PANELS,
};

/* The traces of the panels with several. */
enum { T_TOTAL, T_CONTENT, T_STYLE };
enum { T_LOSS_GRAM, T_LOSS_LINEAR, T_LOSS_POLY, T_LOSS_MOMENTS, T_LOSS_CONTENT };
enum { T_LINEAR, T_POLY0, T_POLY }; /* MMD */
enum { T_PAIRS, T_BIASED };         /* GAUSSIAN */
enum { T_RATIO, T_ASKED };
enum { T_CHANGE, T_STOP };
enum { T_BEFORE, T_AFTER, T_SAME };
enum { T_GRAM, T_DIRECT };
enum { T_COUNTED, T_TIMED };
enum { T_NETWORK, T_LOSSES };

/* Choices. */
enum { SECOND_NONE }; /* then SlStyleMethod + 1 */
enum { GOAL_BOTH, GOAL_STYLE, GOAL_CONTENT };
enum { OPTIMISER_LBFGS, OPTIMISER_ADAM };
enum { START_NOISE, START_CONTENT, START_STYLE };
enum { TAPS_FIRST, TAPS_LAST };

extern const SlParam sl_style_params[N_PARAMS];
extern const SlPanel sl_style_panels[N_PANELS];

enum {
  MOST_LEVELS = 8,
  HISTORY = 8,         /* pairs that L-BFGS keeps */
  LONGEST = 1000,      /* updates after which the paper stops at the latest */
  PUBLISHED_LEVEL = 4, /* of the content: relu4_2 */
};
