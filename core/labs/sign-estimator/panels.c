/* SPDX-License-Identifier: MIT
 *
 * The panels of the lab `sign-estimator`, in words.  */
#include "core/labs/sign-estimator/tables.h"

#include <math.h>

#include "core/lab/kit/panels.h"

/* clang-format off */
const SlPanel sl_sign_panels[N_PANELS] = {
  [V_AGREEMENT] = { .id = "agreement", .title = "Sign agreement",
    .group = SL_SHOWS_WORK,
    .kind = SL_SERIES,
    .y = { "correct signs", "%" },
    .help = "How often the predictor is right that a unit is on, on 128 validation examples. Check recall "
      "too: where few units are on, \"all off\" also agrees well.",
    .formula = "mean of 1[S = 1[W a + b > 0]] over units and examples",
    .source = "Davis 2016, fig. 3.2",
    SL_TRACES (
      [T_AGREEMENT] = { "agreement", "agreement", "%",
        "Units whose sign was estimated correctly.", SL_MEASURED, "hidden" },
      [T_ALL_OFF] = { "all-off", "all off", "%", "If every unit were predicted \"off\".",
        SL_REFERENCE, "hidden" }) },
  [V_RECALL] = { .id = "recall", .title = "Recall and precision", .group = SL_SHOWS_WORK,
    .kind = SL_SERIES, .y = { "share", "%" },
    .help = "Recall: active units that are computed; a missed unit is lost and gets no gradient. Precision: "
      "computed units that are active; the others are computed for nothing.",
    .formula = "recall tp ÷ (tp + fn);  precision tp ÷ (tp + fp)",
    SL_TRACES (
      [T_RECALL] = { "recall", "recall", "%", "Active units that are computed.",
        SL_MEASURED, "hidden" },
      [T_PRECISION] = { "precision", "precision", "%", "Computed units that are active.",
        SL_REFERENCE, .formerly = "precision.precision" }) },
  [V_LOST] = { .id = "lost-energy", .title = "Lost energy",
    .group = SL_SHOWS_WORK,
    .kind = SL_SERIES,
    .y = { "lost energy", "%", .logarithmic = true },
    .help = "Share of the squared activations that the estimate switches off. It predicts the loss of "
      "accuracy best.",
    .formula = "‖relu (pre) ⊙ (1 − S)‖² ÷ ‖relu (pre)‖²,  pre = W a + b",
    SL_TRACES ({ "lost", "lost energy", "%", "Squared activation that is switched off.",
      SL_MEASURED, "hidden" }) },
  [V_ERROR] = { .id = "error", .title = "Error", .group = SL_SHOWS_QUALITY, .kind = SL_SERIES,
    .y = { "wrong predictions", "%", .logarithmic = true },
    .help = "Wrong predictions. The gap between validation and the same weights without estimator is the "
      "cost of the estimate.",
    .source = "Davis 2016, table 3.3",
    SL_TRACES (
      [T_TRAIN] = { "train", "training, with dropout", "%",
        "Training batches since the last report." },
      [T_VALID] = { "valid", "validation", "%",
        "Validation examples, with the estimator as set." },
      [T_VALID_DENSE] = { "valid-dense", "same weights, no estimator", "%",
        "The same weights evaluated densely.", SL_REFERENCE },
      [T_TWIN] = { "twin", "control network", "%",
        "Trained at the same time without estimator.", SL_REFERENCE }) },
  [V_LOSS] = { .id = "loss", .title = "Training loss", .group = SL_SHOWS_QUALITY, .kind = SL_SERIES,
    .y = { "cross entropy", "nats", .logarithmic = true },
    .help = "Training batches, with dropout.",
    SL_TRACES (
      [T_LOSS] = { "train", "training loss", "nats",
        "Mean of the batches since the last report." },
      [T_TWIN_LOSS] = { "twin", "control network", "nats", "The control network.",
        SL_REFERENCE }) },
  [V_DENSITY] = { .id = "density", .title = "Units on", .group = SL_SHOWS_WORK, .kind = SL_SERIES,
    .y = { "fraction on", "%" },
    .help = "Share of the units that the estimate switches on, and that are truly on. The closer the first "
      "is to the second from above, the fewer units are computed for nothing.",
    .formula = "α = mean of S;  truth = mean of 1[W a + b > 0]", .source = "Davis 2016, §3.1.4",
    SL_TRACES (
      [T_ALPHA] = { "alpha", "computed α", "%", "Units that the estimate switches on.",
        SL_MEASURED, "hidden" },
      [T_TRUE_DENSITY] = { "truth", "truly on", "%", "Units with a positive input.",
        SL_REFERENCE, "hidden" }) },
  [V_COST] = { .id = "cost", .title = "Cost", .group = SL_SHOWS_COST, .kind = SL_SERIES,
    .y = { "cost", "% of dense", .lo = 0, .hi = 100 },
    .help = "Multiplications of a forward pass relative to the dense network. Training a predictor is not "
      "counted; 64 sign bits count as one multiplication, which flatters them.",
    .formula = "γ_l = 2 d h ÷ (k (2 d + 2 h − 1) + 2 α d h)  (eq. 3.8);  γ_NN = Σ F_nn ÷ Σ F_ae  (eq. 3.9);  "
               "cost = 100 ÷ γ_NN, output layer included",
    .source = "Davis 2016, eqs. 3.8 and 3.9",
    SL_TRACES (
      [T_EXPECTED] = { "expected", "expected (eq. 3.9)", "% of dense",
        "Predicted by eq. 3.9 from rank and true density.", SL_THEORY },
      [T_EXECUTED] = { "executed", "executed", "% of dense",
        "Multiplications counted: the estimate and the units that it switched on." },
      [T_REFRESHED] = { "refreshed", "executed, with refreshing", "% of dense",
        "With a refresh shared among the training examples until the next one." },
      [T_FREE] = { "free", "if predicting were free", "% of dense",
        "Exactly the active units: the least without losing some.", SL_REFERENCE },
      [T_BREAK_EVEN] = { "dense", "dense", "% of dense",
        "Above this line the estimate costs more than it saves.", SL_REFERENCE }) },
  [V_SPEED] = { .id = "speed", .title = "Speed-up", .group = SL_SHOWS_COST, .kind = SL_BARS,
    .y = { "speed-up over dense", "×", .lo = 0, .hi = 1 },
    .categories = SL_NAMES ("expected", "executed", "timed, batch 1", "timed, batch 64",
      "masks given, batch 64"),
    .probe_seconds = 2,
    .help = "Speed-up by the formula, by counted multiplications, and measured on one "
            "thread with real conditional kernels and the current weights. The last bar is given its "
            "masks: what it is above the one before is the predictor's own time.",
    .formula = "γ = 2 d h ÷ (k (2 d + 2 h − 1) + 2 α d h)  (eq. 3.8);  γ > 1 if k < 2 d h (1 − α) "
               "÷ (2 d + 2 h − 1)",
    .source = "Davis 2016, §3.1.4; timed here",
    SL_TRACES ({ "speed-up", "speed-up over dense", "×",
      "Dense cost ÷ conditional cost of one forward pass." }) },
  [V_TRAINING_WORK] = { .id = "training-work", .title = "Cost of training", .group = SL_SHOWS_COST,
    .kind = SL_SERIES, .y = { "multiplications", "% of dense", .lo = 0, .hi = 100 },
    .needs = "skip=yes",
    .help = "Multiplications of an update relative to a dense one, without predicting. Units that are not "
      "predicted on, or dropped, are skipped; the backward pass also skips slopes of 0.",
    SL_TRACES (
      [T_FORWARD] = { "forward", "forward", "% of dense", "In the forward pass." },
      [T_BACKWARD] = { "backward", "backward", "% of dense", "In the backward pass." }) },
  [V_TRAINING_SPEED] = { .id = "training-speed", .title = "Training against dense, timed",
    .group = SL_SHOWS_COST, .kind = SL_BARS, .y = { "speed-up over dense", "×", .lo = 0, .hi = 1 },
    .needs = "skip=yes", .probe_seconds = 4,
    .categories = SL_NAMES ("forward", "whole update"),
    .help = "Time of an update of the network without estimator ÷ time of the same update with it, on "
            "one thread: computed and masked as published, and skipping. Below the line at 1 the "
            "dense network trains faster.",
    SL_TRACES (
      [T_STEP_MASKED] = { "masked", "computed, then masked", "×", "All is computed, and the estimate on top." },
      [T_STEP_SKIPPED] = { "skipped", "skipping", "×", "Only what the mask leaves is computed." }) },
  [V_SCHEMATIC] = { .id = "schematic", .title = "Estimate and layers",
    .group = SL_SHOWS_WORK, .kind = SL_GRAPH, .needs = "activation!=tanh estimator!=off",
    .z = { "value", "% of largest", .lo = 0, .hi = 100 }, .probe_seconds = 1,
    .help = "One example from left to right, with a few units per layer; the estimates are below. Dashed "
      "arrows lead to computed units; hollow units are not computed. Point at a unit to see whether that "
      "was right.",
    .formula = "out = S ⊙ max (0, W a + b);  S from the estimate",
    .source = "Davis 2016, figure 3.1",
    SL_TRACES ({ "value", "value", "% of largest",
      "Value relative to the largest shown of its layer; of an estimate, units on." }) },
  [V_PREDICTORS] = { .id = "predictors", .title = "Predictors compared", .group = SL_SHOWS_WORK,
    .kind = SL_BARS, .y = { "share", "%", .lo = 0, .hi = 100 }, .needs = "compare=yes",
    .categories = SL_NAMES ("singular values", "learned", "sign bits", "oracle"),
    .probe_seconds = 2,
    .help = "All predictors on the same inputs, each at its own threshold. Shares are undefined and not "
      "drawn where nothing is on.",
    .formula = "recall tp ÷ (tp + fn);  precision tp ÷ (tp + fp);  false alarm fp ÷ (fp + tn);  lost energy "
               "‖relu (pre) ⊙ (1 − S)‖² ÷ ‖relu (pre)‖²",
    SL_TRACES (
      [T_JUDGED_RECALL] = { "recall", "recall", "%", "Active units that are computed." },
      [T_JUDGED_PRECISION] = { "precision", "precision", "%",
        "Computed units that are on." },
      [T_JUDGED_ALARM] = { "false-alarm", "false alarm", "%",
        "Inactive units that are computed." },
      [T_JUDGED_LOST] = { "lost", "lost energy", "%", "Squared activation that is switched off." }) },
  [V_CURVES] = { .id = "thresholds", .title = "Recall against false alarms",
    .group = SL_SHOWS_WORK, .kind = SL_PROFILE, .needs = "compare=yes",
    .x = { "inactive units computed", "%", .lo = 0, .hi = 100 },
    .y = { "active units found", "%", .lo = 0, .hi = 100 }, .probe_seconds = 3,
    .help = "Every threshold of each predictor; marks are the thresholds in use. The further up and left a "
      "curve runs, the better the predictor.",
    SL_TRACES (
      [T_CURVE + SL_PREDICTOR_SVD] = { "svd", "singular values", "%", "All thresholds of this predictor." },
      [T_CURVE + SL_PREDICTOR_LEARNED] = { "learned", "learned", "%", "All thresholds of this predictor." },
      [T_CURVE + SL_PREDICTOR_BITS] = { "sign-bits", "sign bits", "%",
        "All thresholds of this predictor." },
      [T_IN_USE + SL_PREDICTOR_SVD] = { "svd-used", "singular values, in use", "%",
        "At its threshold.", SL_TARGET },
      [T_IN_USE + SL_PREDICTOR_LEARNED] = { "learned-used", "learned, in use", "%",
        "At its threshold.", SL_TARGET },
      [T_IN_USE + SL_PREDICTOR_BITS] = { "sign-bits-used", "sign bits, in use", "%",
        "At its threshold.", SL_TARGET }) },
  [V_TIMES] = { .id = "times", .title = "What predicting costs", .group = SL_SHOWS_COST,
    .kind = SL_BARS, .y = { "of the dense pass", "%", .least = 0, .most = HUGE_VAL },
    .needs = "compare=yes",
    .categories = SL_NAMES ("singular values", "learned", "sign bits"), .probe_seconds = 4,
    .help = "Multiplications and time of predicting all layers, without the units that are then computed. A "
            "word of 64 sign bits counts as one multiplication; believe the clock.",
    SL_TRACES (
      [T_TIME_COUNTED] = { "counted", "counted", "%", "Multiplications, words of sign bits for one each." },
      [T_TIME_ONE] = { "one", "timed, batch 1", "%", "Time of one example on one thread." },
      [T_TIME_MANY] = { "many", "timed, batch 64", "%", "Time of 64 examples on one thread." }) },
  [V_L1] = { .id = "l1", .title = "L1 weight", .group = SL_SHOWS_GATE,
    .kind = SL_SERIES, .y = { "λ", .least = 0, .most = HUGE_VAL }, .needs = "l1>0",
    .help = "The weight rises in stages to its final value.",
    .source = "ProSparse, arXiv 2402.13516",
    SL_TRACES ({ "weight", "λ (t)", "", "At this update." }) },
  [V_RANK_ERROR] = { .id = "rank-error", .title = "Error against rank",
    .group = SL_SHOWS_GATE,
    .kind = SL_PROFILE,
    .x = { "rank", .logarithmic = true, .whole = true }, .y = { "relative error" },
    .probe_seconds = 4,
    .help = "Relative error of a layer's output if the estimate replaced it, and if only its sign is used. "
      "The sign needs far fewer directions.",
    .formula = "‖relu (est) − relu (pre)‖ ÷ ‖relu (pre)‖  and  ‖S ⊙ relu (pre) − relu (pre)‖ ÷ "
               "‖relu (pre)‖",
    .source = "Davis 2016, fig. 3.3",
    SL_TRACES (
      { "estimate", "value used", "",
        "The estimate itself in place of the layer.",
        SL_REFERENCE, "hidden" },
      { "gated", "sign used", "",
        "Only its sign S, as in this lab.",
        SL_MEASURED, "hidden" }) },
  [V_SPECTRUM] = { .id = "spectrum", .title = "Singular values",
    .group = SL_SHOWS_GATE,
    .kind = SL_PROFILE,
    .x = { "direction", .logarithmic = true, .whole = true },
    .y = { "singular value", .logarithmic = true },
    .probe_seconds = 3,
    .help = "Singular values of each layer's weights. The estimate leaves out those to the right of the mark.",
    .formula = "W = U Σ Vᵀ, σ₁ ≥ σ₂ ≥ …", .source = "Davis 2016, §3.1.3, eq. 3.5",
    SL_TRACES (
      { "sigma", "σ", "", "Singular values of the layer's weights.", SL_MEASURED, "hidden" },
      { "cut", "rank", "", "The last direction that the estimate uses.", SL_TARGET, "hidden" }) },
  [V_DRIFT] = { .id = "drift", .title = "Drift since refresh",
    .group = SL_SHOWS_GATE,
    .kind = SL_SERIES,
    .y = { "‖W − W₀‖ ÷ ‖W₀‖", "%", .least = 0, .most = HUGE_VAL },
    .help = "How far the weights have moved since they were factored. A refresh resets it to zero.",
    .formula = "‖W − W₀‖ ÷ ‖W₀‖, Frobenius;  W₀: the weights last factored",
    .source = "Davis 2016, fig. 3.2",
    SL_TRACES ({ "drift", "drift", "%",
      "Distance of the weights from those last factored.", SL_MEASURED,
      "hidden" }) },
  [V_RANK] = { .id = "rank-used", .title = "Rank in use", .group = SL_SHOWS_GATE, .kind = SL_SERIES,
    .y = { "rank", .logarithmic = true, .whole = true }, .needs = "rank-mode=energy",
    .help = "Directions in each layer's estimate. By lost energy, each refresh chooses them.",
    SL_TRACES ({ "rank", "rank", "", "Since the last refresh.", SL_MEASURED,
      "hidden" }) },
  [V_FILTERS] = { .id = "filters", .title = "First-layer filters",
    .group = SL_SHOWS_GATE,
    .kind = SL_IMAGE,
    .y = { "weight" }, .probe_seconds = 1,
    .help = "Weights of the first hidden units, each scaled to its own maximum." },
  [V_MAP] = SL_PANEL_MAP (true),
};
/* clang-format on */
