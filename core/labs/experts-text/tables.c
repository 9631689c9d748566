/* SPDX-License-Identifier: MIT
 *
 * The parameters of the lab `experts-text`, in words.  */
#include "core/labs/experts-text/tables.h"

#include "core/lab/mixture/params.h"
#include "core/labs/experts-text/math/language.h"

#define WITH_EXPERTS "layer=experts"

/* clang-format off */
const SlParam sl_experts_text_params[N_PARAMS] = {
  [P_LAYER] = { .id = "layer", .title = "Middle layer", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_CHOICE, .fallback = SL_MIDDLE_EXPERTS, .effect = SL_RESTART,
    .help = "The layer between the two recurrent layers. The other three do as many multiplications per "
            "symbol as the experts, and skip nothing.",
    .formula = "embedding – LSTM – layer – LSTM – softmax;  x ← δ (f (x)) + x at each, δ: dropout",
    .source = "Shazeer et al. 2017, appendix C.1",
    /* In the order of SlMiddle. */
    SL_CHOICES ({ "experts", "Mixture of experts" }, { "wide", "One wide expert" },
      { "deep", "One deep expert" }, { "lstms", "Two more LSTMs" }) },
  [P_GATE] = SL_PARAM_GATE (WITH_EXPERTS),
  [P_K] = SL_PARAM_K (SL_MIXTURE_EXPERTS, 4, WITH_EXPERTS),
  [P_K_GROUPS] = SL_PARAM_K_GROUPS (16, 2),
  [P_W_IMPORTANCE] = SL_PARAM_W_IMPORTANCE (0.1, WITH_EXPERTS),
  [P_W_LOAD] = SL_PARAM_W_LOAD (0.1),
  [P_NOISE] = SL_PARAM_GATE_NOISE,
  [P_NOISE_FLOOR] = SL_PARAM_NOISE_FLOOR (0.01),
  [P_THRESHOLD] = SL_PARAM_THRESHOLD_GRADIENT,
  [P_EXPERT] = SL_PARAM_EXPERT (SL_MIXTURE_EXPERTS, WITH_EXPERTS),
  [P_RATE] = SL_PARAM_RATE (4e-3, 1e-4, "Shazeer et al. 2017 do not print theirs"),
  [P_SCHEDULE] = SL_PARAM_WARM_SCHEDULE (0),
  [P_WARM_UP] = SL_PARAM_WARM_UP (1000),
  [P_FLAT] = SL_PARAM_FLAT (0),
  [P_BATCH] = { .id = "batch", .title = "Streams", .group = SL_GROUP_TRAINING, .kind = SL_INTEGER,
    .lo = 1, .hi = MOST_STREAMS, .step = 1, .fallback = 16, .logarithmic = true,
    .effect = SL_RESTART,
    .help = "More streams give every expert more symbols per update and less noisy gradients.",
    .source = "Shazeer et al. 2017, appendix C.1: about 300 000 words in an update" },
  [P_LENGTH] = { .id = "length", .title = "Symbols per update", .group = SL_GROUP_TRAINING,
    .kind = SL_INTEGER, .lo = 1, .hi = MOST_LENGTH, .step = 1, .fallback = 20, .logarithmic = true,
    .effect = SL_RESTART,
    .help = "How far back the gradient goes; states are carried further.",
    .source = "Shazeer et al. 2017, §3.1 and appendix C.1: 20" },
  [P_OPTIMISER] = SL_PARAM_OPTIMISER (
    "How gradients become updates; a change clears the moments. Experts without symbols are not updated.",
    "Shazeer et al. 2017, appendix C.1: Adam"),
  [P_FACTORED] = SL_PARAM_FACTORED (WITH_EXPERTS),
  [P_RECOMPUTE] = SL_PARAM_RECOMPUTE (WITH_EXPERTS),
  [P_DROPOUT] = { .id = "dropout", .title = "Dropout", .group = SL_GROUP_TRAINING, .kind = SL_REAL,
    .lo = 0, .hi = 0.9, .step = 0.05, .fallback = 0.1,
    .help = "Share of each layer's outputs set to 0 in training.",
    .source = "Shazeer et al. 2017, appendix C.1: 0.1 to 0.4, the best for each model" },
  [P_SYMBOLS] = { .id = "symbols", .title = "Symbols", .group = SL_GROUP_MODEL, .kind = SL_CHOICE,
    .fallback = 1, .effect = SL_RESTART,
    .help = "What the model reads and predicts: letters or words.",
    .source = "Shazeer et al. 2017, appendix C.1: words",
    SL_CHOICES ({ "letters", "Letters" }, { "words", "Words" }) },
  [P_VOCABULARY] = { .id = "vocabulary", .title = "Vocabulary", .unit = "words",
    .group = SL_GROUP_MODEL, .kind = SL_INTEGER, .lo = 2, .hi = 50000, .step = 100, .fallback = 2000,
    .logarithmic = true, .effect = SL_RESTART, .needs = "symbols=words",
    .help = "The most frequent words of the training text; one symbol replaces all others. Perplexities of "
            "two vocabularies cannot be compared.",
    .source = "Shazeer et al. 2017, appendix C.1: 793 471" },
  [P_UNITS] = { .id = "units", .title = "Units per layer", .unit = "units", .group = SL_GROUP_MODEL,
    .kind = SL_INTEGER, .lo = 1, .hi = 512, .step = 16, .fallback = 64, .logarithmic = true,
    .effect = SL_RESTART,
    .help = "Width of the embedding, the recurrent layers and the experts' inputs and outputs.",
    .source = "Shazeer et al. 2017, appendix C.1: 512" },
  [P_HIDDEN] = SL_PARAM_HIDDEN (4096, 128),
  [P_EXPERTS] = SL_PARAM_EXPERTS (1, SL_MIXTURE_EXPERTS, 32, WITH_EXPERTS),
  [P_GROUPS] = SL_PARAM_GROUPS (16, 1, NULL),
  [P_BASELINE] = { .id = "baseline", .title = "Baseline", .group = SL_GROUP_MODEL,
    .kind = SL_CHOICE, .fallback = 0, .effect = SL_RESTART,
    .help = "A second model with another middle layer shows what the experts gain. Updates take twice as long.",
    .source = "Shazeer et al. 2017, appendix C.1: MoE-1-Wide, MoE-1-Deep, 4xLSTM",
    SL_CHOICES ({ "none", "None" }, { "wide", "One wide expert" }, { "deep", "One deep expert" },
      { "lstms", "Two more LSTMs" }) },
  [P_MATCHED] = { .id = "matched", .title = "Experts matched by baseline", .unit = "experts",
    .group = SL_GROUP_MODEL, .kind = SL_INTEGER, .lo = 1, .hi = 64, .step = 1, .fallback = 4,
    .effect = SL_RESTART,
    .help = "How many experts one wide or deep expert equals in multiplications. Set it to k for equal "
            "cost, except for the gate.",
    .formula = "wide: matched · hidden units;  deep: L = min (matched, 4) layers of u units, 2 d u + "
               "(L − 1) u² = matched · 2 d · hidden",
    .source = "Shazeer et al. 2017, appendix C.1: 4096 units, and 4 layers of 1024" },
  [P_RESIDUAL] = { .id = "residual", .title = "Residual connections", .group = SL_GROUP_MODEL,
    .kind = SL_BOOLEAN, .fallback = 1, .effect = SL_RESTART,
    .help = "Adds each layer's input to its output.",
    .source = "Shazeer et al. 2017, appendix C.1" },
  [P_SIGMOID] = { .id = "sigmoid", .title = "Sigmoid after the middle layer",
    .group = SL_GROUP_MODEL, .kind = SL_BOOLEAN, .fallback = 1, .effect = SL_RESTART,
    .needs = "layer!=lstms",
    .help = "Applies a sigmoid to the output of the middle layer, which then lies between 0 and 1.",
    .source = "Shazeer et al. 2017, appendix C.1" },
  [P_REPORT] = SL_PARAM_REPORT,
  [P_EVALUATE] = SL_PARAM_EVALUATE,
  [P_EXAMPLES] = { .id = "evaluate-symbols", .title = "Evaluate on", .unit = "symbols",
    .group = SL_GROUP_VIEW, .view = true, .kind = SL_INTEGER, .lo = 16, .hi = 1e7, .step = 1000,
    .fallback = 4000, .logarithmic = true,
    .help = "Validation symbols per evaluation. Final scores use whole splits." },
};
/* clang-format on */
