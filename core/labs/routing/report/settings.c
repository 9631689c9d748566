/* SPDX-License-Identifier: MIT */
#include "core/labs/routing/report/trace.h"

enum {
  WINDOW,
  HOT,
  CACHE,
  CAPACITY,
  DEVICES,
  EXTRA,
  NODES,
  GROUPS,
  REPLAN,
  RATE,
  SCORE,
  MEMORY,
  EXPERT_SIZE,
  BANDWIDTH,
  BY,
  N
};

/* As SlScoresKind. */
static const SlChoice scores[]
  = { { "recorded", "recorded" }, { "softmax", "softmax" }, { "sigmoid", "sigmoid" }, { 0 } };

static const SlChoice groups[] = { { "token", "token" }, { "pass", "pass" }, { 0 } };

const SlParam sl_trace_params[] = {
  [WINDOW] = { .id = "window", .kind = SL_INTEGER, .lo = 1, .hi = 1e6, .fallback = 256 },
  [HOT] = { .id = "hot", .kind = SL_REAL, .lo = 0, .hi = 100, .fallback = 10 },
  [CACHE] = { .id = "cache", .kind = SL_INTEGER, .lo = 0, .hi = SL_ROUTES_EXPERTS },
  [CAPACITY] = { .id = "capacity", .kind = SL_REAL, .lo = 0.25, .hi = 8, .fallback = 1.25 },
  [DEVICES]
  = { .id = "devices", .kind = SL_INTEGER, .lo = 1, .hi = SL_ROUTES_EXPERTS, .fallback = 8 },
  [EXTRA] = { .id = "extra", .kind = SL_INTEGER, .lo = 0, .hi = SL_ROUTES_EXPERTS, .fallback = 8 },
  [NODES] = { .id = "nodes", .kind = SL_INTEGER, .lo = 1, .hi = SL_ROUTES_EXPERTS, .fallback = 1 },
  [GROUPS]
  = { .id = "groups", .kind = SL_INTEGER, .lo = 1, .hi = SL_ROUTES_EXPERTS, .fallback = 1 },
  [REPLAN] = { .id = "replan", .kind = SL_INTEGER, .lo = 1, .hi = 1e6, .fallback = 4 },
  [SCORE] = { .id = "score", .kind = SL_CHOICE, .choices = scores, .fallback = SL_SCORES_RECORDED },
  [RATE] = { .id = "bias-rate", .kind = SL_REAL, .lo = 0, .hi = 1, .fallback = 0.001 },
  [MEMORY] = { .id = "memory", .kind = SL_REAL, .lo = 0, .hi = 1e6, .fallback = 8 },
  [EXPERT_SIZE] = { .id = "expert-size", .kind = SL_REAL, .lo = 0, .hi = 1e6 },
  [BANDWIDTH] = { .id = "bandwidth", .kind = SL_REAL, .lo = 1e-3, .hi = 1e6, .fallback = 25 },
  [BY] = { .id = "by", .kind = SL_CHOICE, .choices = groups },
};
const unsigned sl_n_trace_params = N;

SlTraceSettings
sl_trace_settings (const SlSettings *settings)
{
  double v[N];

  for (unsigned i = 0; i < N; i++)
    v[i] = settings->value[i].v[0];
  return (SlTraceSettings) {
    .window = (size_t) v[WINDOW],
    .hot = v[HOT],
    .placement = { .devices = (unsigned) v[DEVICES],
                   .extra = (unsigned) v[EXTRA],
                   .nodes = (unsigned) v[NODES],
                   .groups = (unsigned) v[GROUPS] },
    .replan = (size_t) v[REPLAN],
    .rate = v[RATE],
    .score = (SlScoresKind) v[SCORE],
    .cache = (unsigned) v[CACHE],
    .capacity = v[CAPACITY],
    .memory = v[MEMORY],
    .expert_size = v[EXPERT_SIZE],
    .bandwidth = v[BANDWIDTH],
    .by_pass = v[BY] == 1,
  };
}
