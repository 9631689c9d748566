/* SPDX-License-Identifier: MIT
 *
 * The parameters and panels of the lab `capacity` by number, and what is said about them.  */
#pragma once

#include "core/lab/lab.h"

/* The order is that of the form and of the plots. */
enum {
  P_EXPONENT,
  P_LAYERS,
  P_RATE,
  P_KERNEL,
  P_RADIUS,
  P_DILATION,
  P_REACH,
  P_RULE,
  P_LEAK,
  P_LEAK_SCALE,
  P_BIAS,
  P_BIAS_SCALE,
  P_EDGE,
  P_ACTIVATION,
  P_OMEGA,
  P_MIXING,
  P_CHANNELS,
  P_CHANNEL_SCALE,
  P_POSITIONS,
  P_TIED,
  P_ALL_LAYERS,
  P_GRADIENTS,
  P_WIDTH,
  P_TRAIN,
  P_TASK,
  P_BALANCED,
  P_STRENGTH,
  P_DISTANCE,
  P_UPDATES,
  P_DEEPEST,
  P_LEARNING_RATE,
  P_TOY_MODEL,
  P_TOY_INPUTS,
  P_TOY_CORRELATION,
  P_TOY_METRIC,
  P_TOY_RIDGE,
  P_POSITION,
  P_IMAGES,
  P_REPORT,
  N_PARAMS,
};

enum {
  V_ALIVE,
  V_WATERFALL,
  V_PROFILE,
  V_SPREAD,
  V_SKIP,
  V_WHERE,
  V_MEMORY,
  V_TRACE,
  V_COSINES,
  V_ANGLE,
  V_SKIPS,
  V_TRANSFER,
  V_LEAKED,
  V_CHANNELS,
  V_PLANE,
  V_AXIS,
  V_TOY,
  V_WIDTH,
  V_LOSS,
  N_PANELS,
};

/* The traces of the panels with several. */
enum { T_EXACT, T_LIMIT, T_GAUSSIAN, T_POOR_GAUSSIAN, T_DOTS }; /* PROFILE */
enum { T_FAN_NONE, T_FAN_HALF, T_FAN_ONE, T_FAN_SET, T_FAN_DOTS };
enum { T_SKIP_SHARE, T_FIELD, T_FIELD_DOTS };
enum { T_CELLS, T_SIGMA };                              /* WATERFALL */
enum { T_INPUT, T_SIDES, T_BIASES, T_EDGES, N_PLACES }; /* WHERE */
enum { T_LAG_EXACT, T_LAG_LIMIT, T_LAG_DOTS };
enum { T_AT_NONE, T_AT_HALF, T_AT_ONE };
enum { T_ANGLE_THEORY, T_ANGLE_DOTS, T_ANGLE_BARE, T_ANGLE_FLOOR };
enum { T_SINGLE, T_AVERAGE, T_AVERAGE_LIMIT, T_AVERAGE_SMOOTH, T_CUMULATED, T_AVERAGE_DOTS };
enum { T_AXIS, T_AXIS_LINE, T_AXIS_CUBE, T_AXIS_DOTS };
enum { T_LEAKED, T_LEAKED_LIMIT, T_LEAKED_SMOOTH };
enum { T_OWN, T_OTHER, T_OWN_DOTS, T_OWN_FLOOR };
enum { T_WIDTH, T_WANDER, T_WIDTH_THEORY };
enum { T_LOSS, T_BASELINE };

/* Choices. */
enum { KERNEL_AROUND, KERNEL_WITH_CENTRE, KERNEL_CAUSAL };
enum { DILATION_NONE, DILATION_SMOOTH, DILATION_BLOCKS };
enum { SCALE_WITH_WEIGHTS, SCALE_NONE, SCALE_TWICE }; /* of side inputs and biases */
enum { TASK_PRODUCT, TASK_RECALL };
enum { CHANNELS_SCALED, CHANNELS_UNSCALED };
enum { TOY_TIED, TOY_ONE, TOY_PRODUCT, TOY_FREE };

extern const SlParam sl_capacity_params[N_PARAMS];
extern const SlPanel sl_capacity_panels[N_PANELS];

enum {
  MOST_LAYERS = 1024,
  MOST_KERNEL = 17, /* taps of a live network */
  MOST_POSITIONS = 1025,
  CIRCLE = 64,   /* inputs of the gradient networks */
  EXPONENTS = 7, /* they take turns with; the last one is that of the slider */
  LAGS = CIRCLE / 2 + 1,
  MOST_GRADIENT = 256, /* layers of theirs */
  DEPTHS = 5,
  SEEDS = 8,  /* of the depth transfer */
  PLANE = 65, /* side of the two-dimensional lattice */
  IMAGE = 33, /* side of that of the random networks over images, */
  IMAGE_CHANNELS = 4,
  IMAGE_RADIUS = 3,  /* the widest of their kernels, */
  IMAGE_LAYERS = 64, /* and the deepest */
  MOST_DOTS = 130,   /* of a curve */
};
