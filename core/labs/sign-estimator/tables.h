/* SPDX-License-Identifier: MIT
 *
 * The parameters and panels of the lab `sign-estimator` by number, and what is said about them.  */
#pragma once

#include "core/lab/lab.h"
#include "core/labs/sign-estimator/math/predictor.h"

/* The order is that of the form and of the plots. */
enum {
  P_ESTIMATOR,
  P_PREDICTOR,
  P_SPARSITY,
  P_RANK_MODE,
  P_RANK,
  P_ENERGY,
  P_AIM,
  P_AIM_VALUE,
  P_AIM_BY,
  P_THETA,
  P_BIAS,
  P_REFRESH_WHEN,
  P_REFRESH,
  P_BETWEEN,
  P_LEARN_RATE,
  P_LEARN_WEIGHT,
  P_LOOKAHEAD,
  P_SIGNS,
  P_CAUTION,
  P_COMPARE,
  P_L1,
  P_L1_WARM_UP,
  P_L1_LENGTH,
  P_KL,
  P_KL_TARGET,
  P_CUT,
  P_SKIP,
  P_SKIP_SHARE,
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
  P_CONVOLUTIONS,
  P_KERNEL,
  P_ACTIVATION,
  P_REPORT,
  P_EVALUATE,
  P_EXAMPLES,
  N_PARAMS,
};

enum {
  V_ALIVE,
  V_AGREEMENT,
  V_ERROR,
  V_RECALL,
  V_LOST,
  V_COST,
  V_SPEED,
  V_TRAINING_WORK,
  V_MAGNITUDE,
  V_MAP,
  V_PREDICTORS,
  V_CURVES,
  V_TIMES,
  V_DENSITY,
  V_L1,
  V_RANK_ERROR,
  V_SPECTRUM,
  V_DRIFT,
  V_LOSS,
  V_RANK,
  V_FILTERS,
  N_PANELS,
};

/* The traces of the panels with several. */
enum { T_AGREEMENT, T_ALL_OFF };
enum { T_RECALL, T_PRECISION };
enum { T_TRAIN, T_VALID, T_VALID_DENSE, T_TWIN };
enum { T_LOSS, T_TWIN_LOSS };
enum { T_ALPHA, T_TRUE_DENSITY };
enum { T_EXPECTED, T_EXECUTED, T_REFRESHED, T_FREE, T_BREAK_EVEN };
enum { T_FORWARD, T_BACKWARD };
enum {
  T_CURVE,
  T_IN_USE = SL_PREDICTOR_ORACLE
}; /* of each predictor but the oracle, in its order */
enum { T_JUDGED_RECALL, T_JUDGED_PRECISION, T_JUDGED_ALARM, T_JUDGED_LOST };
enum { T_SHARE_ERROR, T_SHARE_COUNTED, T_SHARE_ONE, T_SHARE_MANY };
enum { T_TIME_COUNTED, T_TIME_ONE, T_TIME_MANY };

/* Choices of P_SIGNS. */
enum { SIGNS_TERNARY, SIGNS_BITS };

/* Choices of P_AIM_BY. */
enum { AIM_BY_LAYER, AIM_BY_UNIT };

/* Choices of P_REFRESH_WHEN. */
enum { REFRESH_UPDATES, REFRESH_EPOCH };

extern const SlParam sl_sign_params[N_PARAMS];
extern const SlPanel sl_sign_panels[N_PANELS];

enum {
  MOST_HIDDEN = SL_LIST_MAX, /* hidden layers */
  MOST_BATCH = 1024,         /* examples in one pass of the tape */
  MOST_LEARNED = 128,        /* directions of a learned predictor */
  WATCHED = 128,             /* validation examples of the traces per layer */
  AIMED = 512,               /* of the thresholds that meet an aim */
  CALIBRATED = 512,          /* training examples of those of gated units */
  CONVOLUTION_STRIDE = 2,    /* pixels from place to place */
};
