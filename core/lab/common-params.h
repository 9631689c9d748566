/* SPDX-License-Identifier: MIT
 *
 * Rows of the form that are the same in several labs, word for word.  */
#pragma once

#include "core/lab/param.h"

/* Headings. */
#define SL_GROUP_CONDITIONAL "Conditional computation"
#define SL_GROUP_TRAINING "Training"
#define SL_GROUP_MODEL "Model"
#define SL_GROUP_MEASURING "Measuring"

#define SL_PARAM_BATCH(most, usual)                                                               \
  { .id = "batch", .title = "Batch", .unit = "examples", .group = SL_GROUP_TRAINING,              \
    .help = "Examples per update. Larger batches use the processor better and give a smoother, "  \
            "less exploring descent.",                                                            \
    .source = "", .kind = SL_INTEGER, .lo = 1, .hi = most, .step = 1, .fallback = usual,          \
    .logarithmic = true, .effect = SL_LIVE }

#define SL_PARAM_REPORT                                                                           \
  { .id = "report-every", .title = "Report every", .unit = "updates",                             \
    .group = SL_GROUP_MEASURING,                                                                  \
    .help = "Updates between two points of the curves; losses are means over them. "              \
            "Small nets take thousands of updates a second and want a larger number.",            \
    .source = "", .kind = SL_INTEGER, .lo = 1, .hi = 1e6, .step = 1, .fallback = 10,              \
    .logarithmic = true, .effect = SL_LIVE }

#define SL_PARAM_EVALUATE                                                                         \
  { .id = "evaluate-every", .title = "Evaluate every", .unit = "updates",                         \
    .group = SL_GROUP_MEASURING,                                                                  \
    .help = "Updates between two measurements on the validation examples. "                       \
            "They take time from training.",                                                      \
    .source = "", .kind = SL_INTEGER, .lo = 1, .hi = 1e6, .step = 1, .fallback = 100,             \
    .logarithmic = true, .effect = SL_LIVE }

#define SL_PARAM_EXAMPLES                                                                         \
  { .id = "evaluate-examples", .title = "Evaluate on", .unit = "examples",                        \
    .group = SL_GROUP_MEASURING,                                                                  \
    .help = "Validation examples of each such measurement. The final scores always use whole "    \
            "splits.",                                                                            \
    .source = "", .kind = SL_INTEGER, .lo = 1, .hi = 1e6, .step = 100, .fallback = 1000,          \
    .logarithmic = true, .effect = SL_LIVE }
