/* SPDX-License-Identifier: MIT
 *
 * The parameters and panels of the lab `routing` by number, and what is said about them.  */
#pragma once

#include "core/lab/lab.h"

/* The order is that of the form and of the plots. */
enum {
  P_LAYER,
  P_WINDOW,
  P_BY,
  P_PHASE,
  P_REQUEST,
  P_WARM_UP,
  P_CACHE,
  P_CAPACITY,
  P_DEVICES,
  P_EXTRA,
  P_NODES,
  P_GROUPS,
  P_REPLAN,
  P_BIAS_RATE,
  P_SCORE,
  P_PAIRED,
  P_EXPERT,
  P_PACE,
  P_HOT,
  P_TINT,
  N_PARAMS,
};

/* What the tint of a token shows. */
enum { TINT_EXPERT, TINT_LOAD, TINT_GATE };

enum {
  V_ALIVE,
  V_USAGE,
  V_LAYERS,
  V_CV,
  V_PEAK,
  V_EFFECTIVE,
  V_BY_LAYER,
  V_REQUESTS,
  V_COVERAGE,
  V_HOT,
  V_TOUCHED,
  V_TOGETHER,
  V_NEXT,
  V_PREDICT,
  V_INFORMATION,
  V_CACHE,
  V_HITS,
  V_CAPACITY,
  V_DROPPED,
  V_DEVICES,
  V_BALANCE,
  V_SPARE,
  V_BIAS,
  V_COMPARE,
  V_GATES,
  N_PANELS,
};

/* The traces of the panels with several. */
enum { T_CV, T_CV_FLOOR, T_CV_95, T_CV_SAME, T_CV_MEDIAN, T_CV_GREATEST };
enum { T_PEAK, T_PEAK_CHANCE, T_PEAK_SAME };
enum { T_EFFECTIVE, T_EFFECTIVE_CHANCE, T_USED, T_THERE };
enum { T_LAYER_CV, T_LAYER_FLOOR, T_LAYER_HOT, T_LAYER_EFFECTIVE };
enum { T_REQUEST_CV, T_REQUEST_FLOOR };
enum { T_COVERED, T_COVERED_EVEN };
enum { T_JACCARD, T_JACCARD_CHANCE, T_CARRY, T_INSIDE };
enum { T_TOUCHED, T_TOUCHED_CHANCE, T_TOUCHED_PASSES };
enum { T_RECALL, T_RECALL_ALWAYS, T_RECALL_CHANCE, T_TOP1 };
enum { T_TOLD, T_TOLD_UNRELATED, T_TO_TELL };
enum { T_LRU, T_LFU, T_BEST, T_HINDSIGHT, T_HELD_OUT, T_ANY };
enum { T_HITS_LRU, T_HITS_LFU, T_HITS_ANY };
enum { T_DROPPED, T_HURT };
enum { T_STATIC, T_GREEDY, T_REPLICATED, T_EVEN }; /* as SlPlacementKind */
enum { T_SPARE_HINDSIGHT, T_SPARE_HELD_OUT };
enum { T_BIAS_WITHOUT, T_BIAS_WITH, T_BIAS_MOVED, T_BIAS_LARGEST };
enum { T_IMPORTANCE, T_ENTROPY, T_GATE_SUM };

/* Choices. */
enum { BY_WINDOW, BY_PASS };
enum { PHASE_ALL, PHASE_PREFILL, PHASE_DECODE };

extern const SlParam sl_routing_params[N_PARAMS];
extern const SlPanel sl_routing_panels[N_PANELS];
