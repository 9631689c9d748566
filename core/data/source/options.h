/* SPDX-License-Identifier: MIT
 *
 * The options that most sources share, so that they read the same everywhere.  */
#pragma once

#include "core/base/param.h"

/* clang-format off */
#define SL_OPTION_VALID                                                                        \
  {                                                                                            \
    .id = "valid", .title = "Validation share", .unit = "", .group = "Data",                   \
    .help = "Share of the examples kept for validation. They never change a weight.", \
    .source = "", .kind = SL_REAL, .lo = 0.01, .hi = 0.45, .step = 0.01, .fallback = 0.1,      \
    .effect = SL_RESTART,                                                                      \
  }

#define SL_OPTION_TEST                                                                         \
  {                                                                                            \
    .id = "test", .title = "Test share", .unit = "", .group = "Data",                          \
    .help = "Share of the examples kept for the final score. Nothing is chosen by them.",     \
    .source = "", .kind = SL_REAL, .lo = 0.01, .hi = 0.45, .step = 0.01, .fallback = 0.1,      \
    .effect = SL_RESTART,                                                                      \
  }

#define SL_OPTION_SEED                                                                         \
  {                                                                                            \
    .id = "seed", .title = "Data seed", .unit = "", .group = "Data",                           \
    .help = "Which examples are drawn and how they are split. The same seed gives the same "   \
            "bytes.",                                                                          \
    .source = "", .kind = SL_INTEGER, .lo = 0, .hi = 4294967295.0, .step = 1, .fallback = 1,   \
    .effect = SL_RESTART,                                                                      \
  }
/* clang-format on */
