/* SPDX-License-Identifier: MIT
 *
 * The parameters and panels of the lab `experts-text` by number, and what is said about them.  */
#pragma once

#include "core/lab/lab.h"
#include "core/lab/mixture/panels.h"
#include "core/lab/mixture/setting.h"

/* The order is that of the form and of the plots. */
enum {
  P_LAYER,
  P_GATE,
  P_K,
  P_K_GROUPS,
  P_W_IMPORTANCE,
  P_W_LOAD,
  P_NOISE,
  P_NOISE_FLOOR,
  P_THRESHOLD,
  P_RATE,
  P_SCHEDULE,
  P_WARM_UP,
  P_FLAT,
  P_BATCH,
  P_LENGTH,
  P_OPTIMISER,
  P_FACTORED,
  P_RECOMPUTE,
  P_DROPOUT,
  P_SYMBOLS,
  P_VOCABULARY,
  P_UNITS,
  P_HIDDEN,
  P_EXPERTS,
  P_GROUPS,
  P_BASELINE,
  P_MATCHED,
  P_RESIDUAL,
  P_SIGMOID,
  P_EXPERT,
  P_REPORT,
  P_EVALUATE,
  P_EXAMPLES,
  N_PARAMS,
};

enum {
  V_ALIVE,
  V_PERPLEXITY,
  V_USAGE,
  V_READS,
  V_COST,
  V_CV,
  V_BITS,
  V_SIZE,
  V_EFFECTIVE,
  V_WHY,
  V_NOISE,
  V_LOSS,
  V_MEMORY,
  V_AGREEMENT,
  V_WHY_VALUE,
  N_PANELS,
};

/* The traces of the panels with several. */
enum { T_TRAIN, T_VALID, T_BASELINE, T_SINGLE }; /* of perplexity and bits */
enum { T_EXECUTED, T_MIDDLE, T_DENSE, T_COST_BASELINE };
enum { T_NUMBERS, T_NUMBERS_BASELINE };

extern const SlParam sl_experts_text_params[N_PARAMS];
extern const SlPanel sl_experts_text_panels[N_PANELS];

enum {
  MOST_MEMORY = 8192,    /* MiB of the experts with their moments */
  READERS = 16,          /* streams that evaluation cuts a text into, at most */
  STRETCH = 20,          /* symbols of a pass of theirs */
  WARM_UP = 2 * STRETCH, /* symbols before each that they read first, where there are any */
  MOST_STREAMS = 256,
  MOST_LENGTH = 128,
};
