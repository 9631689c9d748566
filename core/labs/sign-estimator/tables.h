/* SPDX-License-Identifier: MIT
 *
 * The parameters and panels of the lab `sign-estimator` by number, and what is said about them.  */
#pragma once

#include "core/lab/lab.h"

/* The order is that of the form and of the plots. */
enum {
  P_ESTIMATOR,
  P_RANK_MODE,
  P_RANK,
  P_ENERGY,
  P_THETA,
  P_REFRESH,
  P_TWIN,
  P_RATE,
  P_SCHEDULE,
  P_SCHEDULE_EPOCHS,
  P_BATCH,
  P_OPTIMISER,
  P_DECAY,
  P_INPUT_DROPOUT,
  P_HIDDEN_DROPOUT,
  P_HIDDEN,
  P_ACTIVATION,
  P_REPORT,
  P_EVALUATE,
  P_EXAMPLES,
  N_PARAMS,
};

enum {
  V_AGREEMENT,
  V_ERROR,
  V_RECALL,
  V_LOST,
  V_COST,
  V_SPEED,
  V_MAP,
  V_DENSITY,
  V_FALSE_ALARM,
  V_RANK_AGREEMENT,
  V_RANK_ERROR,
  V_SPECTRUM,
  V_DRIFT,
  V_LOSS,
  V_RANK,
  V_DISTANCE,
  V_FILTERS,
  N_PANELS,
};

/* The traces of the panels with several. */
enum { T_AGREEMENT, T_ALL_OFF };
enum { T_TRAIN, T_VALID, T_VALID_DENSE, T_TWIN };
enum { T_LOSS, T_TWIN_LOSS };
enum { T_ALPHA, T_TRUE_DENSITY };
enum { T_EXPECTED, T_EXECUTED, T_BREAK_EVEN };

extern const SlParam sl_sign_params[N_PARAMS];
extern const SlPanel sl_sign_panels[N_PANELS];

enum {
  MOST_HIDDEN = SL_LIST_MAX, /* hidden layers */
  MOST_BATCH = 1024,         /* examples in one pass of the tape */
  WATCHED = 128,             /* validation examples of the traces per layer */
};
