/* SPDX-License-Identifier: MIT
 *
 * The parameters and panels of the lab `gated-recurrence` by number, and what is said about them.  */
#pragma once

#include "core/lab/lab.h"

/* The order is that of the form and of the plots. */
enum {
  P_OFFSET,
  P_GATING,
  P_GATES,
  P_BOTTLENECK,
  P_AFFINE,
  P_TWIN,
  P_BASELINE,
  P_RATE,
  P_BATCH,
  P_LENGTH,
  P_RESET,
  P_RESET_ALL,
  P_LAYERS,
  P_UNITS,
  P_REPORT,
  P_EVALUATE,
  P_LETTERS,
  P_TEMPERATURE,
  N_PARAMS,
};

enum {
  V_ALIVE,
  V_DENSITY,
  V_BITS,
  V_SPEED,
  V_SAMPLE,
  V_COST,
  V_COPIES,
  V_STUCK,
  V_PRODUCTS,
  V_CLIPPED,
  V_DISTANCE,
  N_PANELS,
};

/* The traces of the panels with several. */
enum { T_TRAIN, T_VALID, T_NORMAL, T_RECTIFIED };
enum { T_BITS_TRAIN, T_BITS_VALID, T_BITS_TWIN, T_UNIFORM, T_ONE, T_TWO, T_THREE };
enum { T_EXECUTED, T_DENSE };
enum { T_OFF, T_ON };
enum { T_CLIPPED, T_SLOPE, T_HERE };

extern const SlParam sl_recurrence_params[N_PARAMS];
extern const SlPanel sl_recurrence_panels[N_PANELS];

enum {
  READERS = 32,          /* streams that evaluation cuts a text into, at most */
  STRETCH = 16,          /* letters of a pass of theirs */
  WARM_UP = 3 * STRETCH, /* letters before each that they read first, where there are any */
  ORDERS = 3,            /* of the n-gram lines */
};
