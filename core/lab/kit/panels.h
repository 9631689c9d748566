/* SPDX-License-Identifier: MIT
 *
 * Panels that are the same in several labs, word for word.  */
#pragma once

#include "core/lab/lab.h"

#define SL_AXIS_UPDATES                                                                            \
  {                                                                                                \
    .label = "update", .unit = ""                                                                  \
  }

/* The gating map, for every lab with map(); `many` as in the panel. */
/* clang-format off */
#define SL_PANEL_MAP(many_units)                                                                  \
  { .id = "map", .title = "Gating map",                                                           \
    .help = "The plane of the inputs, coloured by what the network does there: which units or "   \
            "experts are on, how many, at what cost, and which class it predicts. The thick line "\
            "is the decision boundary; the dots are training examples.",                          \
    .source = "", .kind = SL_MAP, .x = { .label = "x₁", .unit = "" },                             \
    .y = { .label = "x₂", .unit = "" }, .traces = sl_map_traces, .n_traces = 1,                   \
    .probe_seconds = 0.12, .many = many_units }
/* clang-format on */

extern const SlTrace sl_map_traces[1];
