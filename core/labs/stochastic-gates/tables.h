/* SPDX-License-Identifier: MIT
 *
 * The parameters and panels of the lab `stochastic-gates` by number, and what is said about them.  */
#pragma once

#include "core/lab/lab.h"

/* The order is that of the form and of the plots. */
enum {
  P_GATE,
  P_DENSITY,
  P_USE,
  P_WEIGHT,
  P_L1_START,
  P_KAPPA,
  P_NUDGE,
  P_SLOPE,
  P_FIRING,
  P_BETA_NOISE,
  P_BETA,
  P_STS_NOISE,
  P_NOISE_HALF,
  P_NOISE,
  P_NOISE_SCALE,
  P_NOISE_ACTS,
  P_HARD,
  P_TEMPERATURE,
  P_TEMPERATURE_END,
  P_TEMPERATURE_HALF,
  P_L0_TERM,
  P_L0_WEIGHT,
  P_RATE,
  P_FACTOR,
  P_MOMENTUM,
  P_MAX_NORM,
  P_SCHEDULE,
  P_SCHEDULE_EPOCHS,
  P_BATCH,
  P_UNITS,
  P_LAYERS,
  P_HIDDEN,
  P_TOY,
  P_BINS,
  P_REPORT,
  P_EVALUATE,
  P_EXAMPLES,
  N_PARAMS,
};

enum {
  V_ALIVE,
  V_DENSITY,
  V_ERROR,
  V_MAP,
  V_COST,
  V_RATES,
  V_SPEED,
  V_LOSS,
  V_USE,
  V_DECIDED,
  V_DIRECTION,
  V_NOISE,
  V_TOY,
  V_WIDTH,
  V_UNIT,
  V_STS,
  N_PANELS,
};

/* The traces of the panels with several. */
enum {
  T_TARGET,
  T_TRAIN_DENSITY,
  T_VALID_DENSITY,
  T_EXPECTED_DENSITY,
  T_DEAD,
  T_ALWAYS_ON,
};
enum { T_TRAIN, T_VALID };
enum { T_EXPECTED, T_EXECUTED, T_EXPECTED_BARE, T_EXECUTED_BARE, T_BREAK_EVEN };
enum { T_WITH_GATER, T_WITHOUT_GATER };
enum { T_LOSS, T_TERM };
enum { T_SHARE, T_SHARE_TARGET };
enum { T_USE_ERROR, T_USE_DENSITY };

/* Choices of P_BETA_NOISE, P_NOISE, P_NOISE_ACTS, P_NOISE_HALF, P_FIRING and P_L0_TERM. */
enum { BETA_OFF, BETA_PAPER, BETA_CODE };
enum { NOISE_GAUSSIAN, NOISE_LOGISTIC };
enum { NOISE_PLUS, NOISE_TIMES };
enum { NOISE_ALL, NOISE_DECIDES };
enum { FIRE_ROOT, FIRE_PLAIN };
enum { L0_TARGET, L0_PUBLISHED };

/* How gates with a probability are used: choices of P_USE, in its order. */
typedef enum {
  USE_THRESHOLD, /* on above the threshold at which the wished share is on */
  USE_HALF,      /* on where p > ½ */
  USE_SAMPLED,   /* drawn as in training, noise and all */
  N_USES,
} SlGatesUse;

extern const SlParam sl_gates_params[N_PARAMS];
extern const SlPanel sl_gates_panels[N_PANELS];

enum {
  MOST_BATCH = 512, /* examples in one pass of the tape */
  MOST_LAYERS = 3,
  WATCHED = 32, /* examples of a batch whose probabilities are looked at */
};
