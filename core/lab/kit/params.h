/* SPDX-License-Identifier: MIT
 *
 * Rows of the form that are the same in several labs, word for word.  */
#pragma once

#include "core/base/param.h"
#include "core/lab/kit/schedule.h"

/* Headings. */
#define SL_GROUP_CONDITIONAL "Conditional computation"
#define SL_GROUP_TRAINING "Training"
#define SL_GROUP_MODEL "Model"
#define SL_GROUP_VIEW "View" /* of those that only say what is measured and looked at */

/* clang-format off */
#define SL_PARAM_RATE(usual, arrow, from)                                                        \
  { .id = "learning-rate", .title = "Learning rate", .group = SL_GROUP_TRAINING,                 \
    .help = "Too large, the loss is no longer finite; too small, nothing is learned.",                                                                       \
    .source = from, .kind = SL_REAL, .lo = 1e-6, .hi = 10, .step = arrow, .fallback = usual,     \
    .logarithmic = true }

#define SL_PARAM_SCHEDULE(from)                                                                  \
  { .id = "schedule", .title = "Schedule", .group = SL_GROUP_TRAINING,                           \
    .help = "A constant rate has no end; cosine ends at zero and gives the lowest error.",                                                       \
    .source = from, .kind = SL_CHOICE, .fallback = SL_CONSTANT,                                  \
    /* In the order of SlSchedule. */                                                            \
    SL_CHOICES ({ "constant", "Constant" }, { "cosine", "Cosine to zero" },                      \
      { "steps", "× 0.9 in steps" }) }

#define SL_PARAM_SCHEDULE_EPOCHS                                                                 \
  { .id = "schedule-epochs", .title = "Schedule length", .unit = "epochs",                       \
    .group = SL_GROUP_TRAINING,                                                                  \
    .help = "Epochs until the cosine reaches zero, or between two steps.",                                                        \
    .kind = SL_INTEGER, .lo = 1, .hi = 10000, .step = 1, .fallback = 50, .logarithmic = true }

#define SL_PARAM_BATCH(most, usual)                                                              \
  { .id = "batch", .title = "Batch", .unit = "examples", .group = SL_GROUP_TRAINING,             \
    .help = "Examples per update. Larger batches use the processor better and give less "        \
            "noisy gradients.",                                                                  \
    .kind = SL_INTEGER, .lo = 1, .hi = most, .step = 1, .fallback = usual, .logarithmic = true }

#define SL_PARAM_OPTIMISER(text, from)                                                            \
  { .id = "optimiser", .title = "Optimiser", .group = SL_GROUP_TRAINING, .help = text,            \
    .source = from, .kind = SL_CHOICE, .fallback = SL_ADAM,                                       \
    .choices = (const SlChoice[]) { SL_OPTIMISERS (SL_OPTIMISER_CHOICE) { 0 } } }

#define SL_PARAM_REPORT                                                                          \
  { .id = "report-every", .title = "Report every", .unit = "updates", .group = SL_GROUP_VIEW, .view = true, \
    .help = "Updates between two points of the curves; losses are means over them.",                                                    \
    .kind = SL_INTEGER, .lo = 1, .hi = 1e6, .step = 1, .fallback = 10, .logarithmic = true }

#define SL_PARAM_EVALUATE                                                                        \
  { .id = "evaluate-every", .title = "Evaluate every", .unit = "updates",                        \
    .group = SL_GROUP_VIEW, .view = true,                                                        \
    .help = "Updates between two evaluations, which take time from training.",                   \
    .kind = SL_INTEGER, .lo = 1, .hi = 1e6, .step = 1, .fallback = 100, .logarithmic = true }

#define SL_PARAM_EXAMPLES                                                                        \
  { .id = "evaluate-examples", .title = "Evaluate on", .unit = "examples",                       \
    .group = SL_GROUP_VIEW, .view = true,                                                        \
    .help = "Validation examples per evaluation.",                \
    .kind = SL_INTEGER, .lo = 1, .hi = 1e6, .step = 100, .fallback = 1000, .logarithmic = true }
/* clang-format on */
