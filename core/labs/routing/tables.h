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
  P_MEMORY,
  P_EXPERT_SIZE,
  P_BANDWIDTH,
  P_KEEP,
  P_DEVICES,
  P_EXTRA,
  P_REPLAN,
  P_CAPACITY,
  P_PAIRED,
  P_EXPERT,
  P_PACE,
  P_TINT,
  N_PARAMS,
};

/* What the tint of a token shows. */
enum { TINT_EXPERT, TINT_LOAD, TINT_GATE };

enum {
  V_CV,
  V_BY_LAYER,
  V_REQUESTS,
  V_COMPARE,
  V_ALIVE,
  V_WORDS,
  V_LAYERS,
  V_USAGE,
  V_TOGETHER,
  V_CACHE,
  V_HITS,
  V_COVERAGE,
  V_BALANCE,
  V_SPARE,
  V_CAPACITY,
  N_PANELS,
};

/* The traces of the panels with several. */
enum { T_CV, T_CV_FLOOR, T_CV_95, T_CV_SAME, T_CV_MEDIAN, T_CV_GREATEST };
enum { T_LAYER_CV, T_LAYER_FLOOR, T_LAYER_95, T_LAYER_GINI };
enum { T_REQUEST_CV, T_REQUEST_FLOOR };
enum { T_LRU, T_LFU, T_PINNED, T_BEST, T_ANY, T_LRU_PREFILL, T_LRU_DECODE };
enum { T_HITS_LRU, T_HITS_ANY };
enum { T_COVERED, T_KEPT_EQUAL, T_KEPT_FREE, T_COVERED_EVEN };
enum { T_STATIC, T_GREEDY, T_REPLICATED, T_EVEN }; /* as SlPlacementKind */
enum { T_SPARE_HINDSIGHT, T_SPARE_HELD_OUT };
enum { T_DROPPED, T_HURT };

/* Choices. */
enum { BY_WINDOW, BY_PASS };
enum { PHASE_ALL, PHASE_PREFILL, PHASE_DECODE };

extern const SlParam sl_routing_params[N_PARAMS];
extern const SlPanel sl_routing_panels[N_PANELS];
