/* SPDX-License-Identifier: MIT
 *
 * The knobs and trials of the lab `experts`, in words.  */
#include "core/labs/experts/tables.h"

#include "core/lab/mixture/params.h"

/* clang-format off */
const SlParam sl_experts_params[N_PARAMS] = {
  [P_GATE] = SL_PARAM_GATE (NULL),
  [P_K] = SL_PARAM_K (MOST_EXPERTS, 2, NULL),
  [P_K_GROUPS] = SL_PARAM_K_GROUPS (64, 2),
  [P_W_IMPORTANCE] = SL_PARAM_W_IMPORTANCE (0.1, NULL),
  [P_W_LOAD] = SL_PARAM_W_LOAD (0.1),
  [P_NOISE] = SL_PARAM_GATE_NOISE,
  [P_NOISE_FLOOR] = SL_PARAM_NOISE_FLOOR (0.01),
  [P_THRESHOLD] = SL_PARAM_THRESHOLD_GRADIENT,
  [P_EXPERT] = SL_PARAM_EXPERT (MOST_EXPERTS, NULL),
  [P_BASELINES] = { .id = "baselines", .title = "Train dense baselines",
    .group = SL_GROUP_CONDITIONAL, .kind = SL_BOOLEAN, .fallback = 0, .needs = "match>0",
    .help = "Two networks without a gate learn from the same batches, with as many multiplications "
            "as the chosen experts have: one wide expert that is always on, and a deep one. Whether "
            "experts pay shows in the plot of the error.",
    .formula = "wide: one layer of k · hidden units;  deep: k layers, at most 4, of u units, d u + "
               "(k − 1) u² + u o = k · hidden · (d + o)",
    .source = "Shazeer et al. 2017, appendix C.1: MoE-1-Wide and MoE-1-Deep" },
  [P_RATE] = SL_PARAM_RATE (1e-3, 1e-4, ""),
  [P_SCHEDULE] = SL_PARAM_WARM_SCHEDULE (0),
  [P_WARM_UP] = SL_PARAM_WARM_UP (1000),
  [P_FLAT] = SL_PARAM_FLAT (0),
  [P_BATCH] = SL_PARAM_BATCH (MOST_BATCH, 200),
  [P_OPTIMISER] = { .id = "optimiser", .title = "Optimiser", .group = SL_GROUP_TRAINING,
    .kind = SL_CHOICE, .fallback = 1,
    .help = "The rule that turns gradients into updates; changing it clears its moments. An expert "
            "without examples is not updated, although Adam's momentum would move it.",
    .source = "Shazeer et al. 2017, appendix C.1: Adam; that idle experts are skipped is ours",
    SL_CHOICES ({ "sgd", "Gradient descent" }, { "adam", "Adam" }) },
  [P_FACTORED] = SL_PARAM_FACTORED (NULL),
  [P_RECOMPUTE] = SL_PARAM_RECOMPUTE (NULL),
  [P_DROPOUT] = { .id = "dropout", .title = "Dropout", .group = SL_GROUP_TRAINING, .kind = SL_REAL,
    .lo = 0, .hi = 0.9, .step = 0.05, .fallback = 0, .needs = "embedding>0",
    .help = "Share of the layer's outputs set to zero in each training example. It needs an "
            "embedding: without one the outputs are the class scores themselves.",
    .source = "Shazeer et al. 2017, appendix C.1: 0.1 to 0.4" },
  [P_EXPERTS] = SL_PARAM_EXPERTS (1, MOST_EXPERTS, 16, NULL),
  [P_GROUPS] = SL_PARAM_GROUPS (64, 1),
  [P_HIDDEN] = SL_PARAM_HIDDEN (4096, 32),
  [P_EMBEDDING] = { .id = "embedding", .title = "Embedding", .unit = "units",
    .group = SL_GROUP_MODEL, .kind = SL_INTEGER, .lo = 0, .hi = 512, .step = 16, .fallback = 0,
    .effect = SL_RESTART,
    .help = "Width of a dense rectified layer before the experts, with a dense output layer after "
            "them. 0 is none: the experts see the inputs and give the class scores themselves.",
    .source = "ours, in place of the recurrent layers around the published experts" },
  [P_RESIDUAL] = { .id = "residual", .title = "Residual connection", .group = SL_GROUP_MODEL,
    .kind = SL_BOOLEAN, .fallback = 0, .effect = SL_RESTART, .needs = "embedding>0",
    .help = "The embedding is added to the output of the experts, so that an example that no "
            "expert serves well still gets through. It needs an embedding.",
    .source = "Shazeer et al. 2017, appendix C.1" },
  [P_SIGMOID] = { .id = "sigmoid", .title = "Sigmoid after the experts", .group = SL_GROUP_MODEL,
    .kind = SL_BOOLEAN, .fallback = 0, .effect = SL_RESTART, .needs = "embedding>0",
    .help = "Applies a sigmoid to the sum of the experts before dropout and residual connection. "
            "It needs an embedding.",
    .source = "Shazeer et al. 2017, appendix C.1" },
  [P_MATCH] = { .id = "match", .title = "Experts that the baselines match", .unit = "experts",
    .group = SL_GROUP_MODEL, .kind = SL_INTEGER, .lo = 0, .hi = 64, .step = 1, .fallback = 2,
    .effect = SL_RESTART,
    .help = "How many experts for each example the dense baselines have the multiplications of: k, "
            "with groups k times the groups for each example. It needs memory of its own; 0 is no "
            "baselines.",
    .source = "Shazeer et al. 2017, appendix C.1: 4" },
  [P_BUDGET] = SL_PARAM_BUDGET (4096),
  [P_REPORT] = SL_PARAM_REPORT,
  [P_EVALUATE] = SL_PARAM_EVALUATE,
  [P_EXAMPLES] = SL_PARAM_EXAMPLES,
};
/* clang-format on */
