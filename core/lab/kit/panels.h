/* SPDX-License-Identifier: MIT
 *
 * Panels that are the same in several labs, word for word.  */
#pragma once

#include "core/lab/lab.h"

/* clang-format off */
/* The gating map, for every lab with map(); `many` as in the panel. */
#define SL_PANEL_MAP(many_units)                                                                 \
  { .id = "map", .title = "Gating map", .group = SL_SHOWS_WORK,                                  \
    .help = "The plane of the inputs, coloured by active units or experts, cost or predicted " \
            "class. The thick line is the decision boundary; the dots are training examples, " \
            "each class with its shape.",     \
    .kind = SL_MAP, .x = { "x₁" }, .y = { "x₂" }, .probe_seconds = 0.12, .many = many_units,     \
    SL_TRACES ({ "examples", "training examples", "",                                            \
      "Their positions, or their projections onto the plane." }) }
/* clang-format on */
