/* SPDX-License-Identifier: MIT
 *
 * The knobs, panels and trials of the lab `sign-estimator`, in words.  */
#include "core/labs/sign-estimator/tables.h"

#include <math.h>

#include "core/lab/kit/distance.h"
#include "core/lab/kit/panels.h"
#include "core/lab/kit/params.h"
#include "core/nn/dense/net.h"
#include "core/nn/optim/optim.h"

/* clang-format off */
const SlParam sl_sign_params[N_PARAMS] = {
  [P_HIDDEN] = { .id = "hidden", .title = "Hidden layers", .unit = "units", .group = SL_GROUP_MODEL,
    .kind = SL_LIST, .lo = 1, .hi = 4096, .step = 1, .effect = SL_RESTART, .list = "400-300-200",
    .one = "layer",
    .help = "Widths of the hidden layers from input to output, joined by dashes. In wider layers "
            "more multiplications can be saved.",
    .source = "Davis 2016, table 3.1: 1000-600-400 for MNIST; we start smaller so that it trains fast" },
  [P_ACTIVATION] = { .id = "activation", .title = "Activation", .group = SL_GROUP_MODEL,
    .kind = SL_CHOICE, .fallback = SL_RECTIFIER, .effect = SL_RESTART,
    .help = "The function of the hidden units. A sign estimate only makes sense for the rectifier, "
            "whose units are exactly zero half of the time; tanh is there for comparison.",
    SL_CHOICES ({ "rectifier", "Rectifier" }, { "tanh", "tanh" }) },
  [P_RATE] = SL_PARAM_RATE (5e-4, 1e-4,
    "Davis 2016, table 3.1: 1e-4; we start higher so that a change shows sooner"),
  [P_SCHEDULE] = SL_PARAM_SCHEDULE ("Davis 2016, table 3.1: × 0.9 every 50 epochs"),
  [P_SCHEDULE_EPOCHS] = SL_PARAM_SCHEDULE_EPOCHS,
  [P_BATCH] = SL_PARAM_BATCH (MOST_BATCH, 128),
  [P_OPTIMISER] = SL_PARAM_OPTIMISER (
    "The rule that turns gradients into updates. Changing it clears its moments.",
    "Davis 2016, table 3.1: Adam (Kingma and Ba 2015)"),
  [P_DECAY] = { .id = "weight-decay", .title = "Weight decay", .group = SL_GROUP_TRAINING,
    .kind = SL_REAL, .lo = 0, .hi = 1, .step = 0.001, .fallback = 0,
    .help = "Pulls every weight towards zero by this share of the learning rate. The spectrum of "
            "smaller weights falls faster, so a low rank estimates them better.",
    .formula = "w ← w − ε λ w" },
  [P_INPUT_DROPOUT] = { .id = "input-dropout", .title = "Input dropout", .group = SL_GROUP_TRAINING,
    .kind = SL_REAL, .lo = 0, .hi = 0.9, .step = 0.05, .fallback = 0.3,
    .help = "Share of the inputs set to zero in each training example. It holds back overfitting; "
            "evaluation always sees all of them.",
    .source = "Davis 2016, table 3.1: 0.3 for MNIST" },
  [P_HIDDEN_DROPOUT] = { .id = "hidden-dropout", .title = "Hidden dropout",
    .group = SL_GROUP_TRAINING, .kind = SL_REAL, .lo = 0, .hi = 0.9, .step = 0.05, .fallback = 0.5,
    .help = "Share of the hidden units set to zero in each training example. The rest is scaled "
            "up, and the estimate sees the same scaled values.",
    .source = "Davis 2016, table 3.1: 0.5" },
  [P_ESTIMATOR] = { .id = "estimator", .title = "Estimator", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_CHOICE, .fallback = SL_ESTIMATE_GATE, .needs = "activation=rectifier",
    .help = "On: units whose estimate is not positive are switched off, in training and "
            "evaluation. Watch only: estimates are made and compared, the network stays dense.",
    .formula = "est = U (Σ Vᵀ a) + b − θ;  S = 1[est > 0];  out = S ⊙ max (0, W a + b)",
    .source = "Davis 2016, §3.1.1",
    /* In the order of SlEstimateMode. */
    SL_CHOICES ({ "off", "Off" }, { "watch", "Watch only" }, { "on", "On" }) },
  [P_RANK_MODE] = { .id = "rank-mode", .title = "Rank is", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_CHOICE, .fallback = 0, .needs = "activation=rectifier",
    .help = "Fixed ranks are set by hand, as published. By lost energy, each refresh takes the "
            "smallest rank that keeps enough of the weights.",
    .source = "fixed: Davis 2016, §3.1.3",
    SL_CHOICES ({ "fixed", "Fixed per layer" }, { "energy", "By lost energy" }) },
  [P_RANK] = { .id = "rank", .title = "Rank", .group = SL_GROUP_CONDITIONAL, .kind = SL_LIST,
    .lo = 0, .hi = 4096, .step = 1, .logarithmic = true, .headline = SL_HEADLINE_RANK,
    .list = "25-18-12", .each = "hidden", .needs = "rank-mode=fixed", .one = "layer",
    .help = "Number of singular directions of a layer's weights that the estimate uses. A small "
            "rank is cheap but gets more signs wrong; at full rank the estimate is exact and saves "
            "nothing.",
    .formula = "Ŵ = U Σ Vᵀ with the k largest singular values of W (h × d);  k ≤ min (d, h)",
    .source = "Davis 2016, table 3.3: 50-35-25 to 10-10-5" },
  [P_ENERGY] = { .id = "energy-loss", .title = "Lost energy at most", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_REAL, .lo = 0.001, .hi = 0.9, .step = 0.01, .fallback = 0.3, .logarithmic = true,
    .needs = "rank-mode=energy",
    .help = "Share of the squared singular values that the estimate may leave out. Smaller means a "
            "higher rank and fewer mistakes.",
    .formula = "smallest k with Σ_{i>k} σᵢ² ÷ Σᵢ σᵢ² ≤ this" },
  [P_THETA] = { .id = "theta", .title = "Threshold θ", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_REAL, .lo = 0, .hi = 2, .step = 0.05, .fallback = 0, .needs = "activation=rectifier",
    .help = "Subtracted from every estimate before its sign is read. Above zero, fewer units are "
            "computed and more of the active ones are lost.",
    .formula = "S = 1[U (Σ Vᵀ a) + b − θ > 0]",
    .source = "Davis 2016, §3.2.3 (the suggested sparsity bias)" },
  [P_REFRESH] = { .id = "refresh", .title = "Refresh every", .unit = "updates",
    .group = SL_GROUP_CONDITIONAL, .kind = SL_INTEGER, .lo = 1, .hi = 1e6, .step = 1,
    .fallback = 50, .logarithmic = true, .needs = "activation=rectifier",
    .help = "Updates between two singular value decompositions. Between them the weights move away "
            "from their factors, which gives the agreement its saw-tooth shape.",
    .source = "Davis 2016, §3.1.3: once per epoch" },
  [P_TWIN] = { .id = "twin", .title = "Train a control network", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_BOOLEAN, .fallback = 0, .effect = SL_RESTART,
    .help = "A second network without the estimator, with the same first weights, batches and "
            "dropout. Any difference between the two comes from the estimator." },
  [P_REPORT] = SL_PARAM_REPORT,
  [P_EVALUATE] = SL_PARAM_EVALUATE,
  [P_EXAMPLES] = SL_PARAM_EXAMPLES,
};

const SlPanel sl_sign_panels[N_PANELS] = {
  [V_AGREEMENT] = { .id = "agreement", .title = "Sign agreement",
    .group = SL_SHOWS_WORK,
    .kind = SL_SERIES,
    .y = { "correct signs", "%" },
    .help = "How often the low-rank estimate has the same sign as the true input, on 128 "
            "validation examples. Check the recall too: where few units are on, predicting \"all "
            "off\" for every unit gives a high agreement and is useless.",
    .formula = "mean of 1[S = 1[W a + b > 0]] over units and examples",
    .source = "Davis 2016, fig. 3.2",
    SL_TRACES (
      [T_AGREEMENT] = { "agreement", "agreement", "%",
        "Share of units whose sign was estimated correctly.", SL_MEASURED, "hidden" },
      [T_ALL_OFF] = { "all-off", "all off", "%", "Agreement if every unit were predicted \"off\".",
        SL_REFERENCE, "hidden" }) },
  [V_RECALL] = { .id = "recall", .title = "Recall", .group = SL_SHOWS_WORK, .kind = SL_SERIES,
    .y = { "active units found", "%" },
    .help = "Active units that are computed. A missed unit is lost to the forward pass and gets no "
            "gradient either.",
    .formula = "tp ÷ (tp + fn)",
    SL_TRACES ({ "recall", "recall", "%", "Share of the active units that are computed.",
      SL_MEASURED, "hidden" }) },
  [V_FALSE_ALARM] = { .id = "false-alarms", .title = "False alarms",
    .group = SL_SHOWS_WORK,
    .kind = SL_SERIES,
    .y = { "inactive units computed", "%" },
    .help = "Inactive units that are computed nevertheless. They only cost time: the rectifier "
            "still makes them zero.",
    .formula = "fp ÷ (fp + tn)",
    SL_TRACES ({ "false-alarm", "false alarm", "%",
      "Share of the inactive units that are computed for nothing.", SL_MEASURED, "hidden" }) },
  [V_LOST] = { .id = "lost-energy", .title = "Lost energy",
    .group = SL_SHOWS_WORK,
    .kind = SL_SERIES,
    .y = { "lost energy", "%", .logarithmic = true },
    .help = "Share of the squared activations that the estimate switches off. Of all numbers here "
            "it predicts the loss of accuracy best.",
    .formula = "‖relu (pre) ⊙ (1 − S)‖² ÷ ‖relu (pre)‖²,  pre = W a + b",
    SL_TRACES ({ "lost", "lost energy", "%", "Squared activation that the estimate switches off.",
      SL_MEASURED, "hidden" }) },
  [V_ERROR] = { .id = "error", .title = "Error", .group = SL_SHOWS_QUALITY, .kind = SL_SERIES,
    .y = { "wrong predictions", "%", .logarithmic = true },
    .help = "Wrong predictions in training and on validation examples. The difference between the "
            "validation error and the error of the same weights without estimator is what the "
            "estimate costs.",
    .source = "Davis 2016, table 3.3",
    SL_TRACES (
      [T_TRAIN] = { "train", "train, with dropout", "%",
        "Wrong predictions on the training batches since the last report." },
      [T_VALID] = { "valid", "validation", "%",
        "Wrong predictions on the validation examples, with the estimator as set." },
      [T_VALID_DENSE] = { "valid-dense", "same weights, no estimator", "%",
        "The same weights evaluated densely.", SL_REFERENCE },
      [T_TWIN] = { "twin", "control network", "%",
        "The control network, trained at the same time without estimator.", SL_REFERENCE }) },
  [V_LOSS] = { .id = "loss", .title = "Training loss", .group = SL_SHOWS_QUALITY, .kind = SL_SERIES,
    .y = { "cross entropy", "nats", .logarithmic = true },
    .help = "Mean cross entropy of the training batches, dropout included.",
    SL_TRACES (
      [T_LOSS] = { "train", "training loss", "nats",
        "Mean cross entropy of the batches since the last report." },
      [T_TWIN_LOSS] = { "twin", "control network", "nats", "The same for the control network.",
        SL_REFERENCE }) },
  [V_DENSITY] = { .id = "density", .title = "Units on", .group = SL_SHOWS_WORK, .kind = SL_SERIES,
    .y = { "fraction on", "%" },
    .help = "Share of the units that the estimate switches on, and share that is truly on. The "
            "closer α is to the truth from above, the less work is wasted.",
    .formula = "α = mean of S;  truth = mean of 1[W a + b > 0]", .source = "Davis 2016, §3.1.4",
    SL_TRACES (
      [T_ALPHA] = { "alpha", "computed α", "%", "Share of the units that the estimate switches on.",
        SL_MEASURED, "hidden" },
      [T_TRUE_DENSITY] = { "truth", "truly on", "%", "Share of the units with a positive input.",
        SL_REFERENCE, "hidden" }) },
  [V_COST] = { .id = "cost", .title = "Cost", .group = SL_SHOWS_COST, .kind = SL_SERIES,
    .y = { "cost", "% of dense", .lo = 0, .hi = 100 },
    .help = "Work of one forward pass relative to the dense network's: by eq. 3.8 if exactly the "
            "active units were computed, and as counted. The cost of refreshing the factors is not "
            "included.",
    .formula = "γ = 2 d h ÷ (k (2 d + 2 h − 1) + 2 α d h)  (eq. 3.8);  cost = 100 ÷ γ of the "
               "network, output layer included",
    .source = "Davis 2016, eq. 3.8",
    SL_TRACES (
      [T_EXPECTED] = { "expected", "expected (eq. 3.8)", "% of dense",
        "Operations that eq. 3.8 predicts from rank and true density.", SL_THEORY },
      [T_EXECUTED] = { "executed", "executed", "% of dense",
        "Multiplications counted: the estimate and the units that it switched on." },
      [T_BREAK_EVEN] = { "dense", "dense", "% of dense",
        "Above this line the estimate costs more than it saves.", SL_REFERENCE }) },
  [V_SPEED] = { .id = "speed", .title = "Speed-up", .group = SL_SHOWS_COST, .kind = SL_BARS,
    .y = { "speed-up over dense", "×", .lo = 0, .hi = 1 },
    .categories = SL_NAMES ("expected", "executed", "timed, batch 1", "timed, batch 64"),
    .probe_seconds = 2,
    .help = "Speed-up by the formula, by counted multiplications, and measured on one "
            "thread with real conditional kernels and the current weights.",
    .formula = "γ = 2 d h ÷ (k (2 d + 2 h − 1) + 2 α d h)  (eq. 3.8);  γ > 1 if k < 2 d h (1 − α) "
               "÷ (2 d + 2 h − 1)",
    .source = "Davis 2016, §3.1.4; timed here",
    SL_TRACES ({ "speed-up", "speed-up over dense", "×",
      "Dense cost ÷ conditional cost of one forward pass." }) },
  [V_RANK_AGREEMENT] = { .id = "rank-agreement", .title = "Agreement against rank",
    .group = SL_SHOWS_GATE,
    .kind = SL_PROFILE, .x = { "rank", .logarithmic = true, .whole = true },
    .y = { "correct signs", "%" },
    .probe_seconds = 4,
    .help = "Sign agreement that each layer would have at each rank, on validation examples with "
            "the current weights.",
    .source = "Davis 2016, fig. 3.3",
    SL_TRACES ({ "agreement", "agreement", "%", "Sign agreement if the layer had this rank.",
      SL_MEASURED, "hidden" }) },
  [V_RANK_ERROR] = { .id = "rank-error", .title = "Error against rank",
    .group = SL_SHOWS_GATE,
    .kind = SL_PROFILE,
    .x = { "rank", .logarithmic = true, .whole = true }, .y = { "relative error" },
    .probe_seconds = 4,
    .help = "Relative error of a layer's output if the estimate itself were used, and if only its "
            "sign is used. The sign needs far fewer directions.",
    .formula = "‖relu (est) − relu (pre)‖ ÷ ‖relu (pre)‖  and  ‖S ⊙ relu (pre) − relu (pre)‖ ÷ "
               "‖relu (pre)‖",
    .source = "Davis 2016, fig. 3.3",
    SL_TRACES (
      { "estimate", "value used", "",
        "‖relu (est) − relu (pre)‖ ÷ ‖relu (pre)‖: the estimate itself in place of the layer.",
        SL_REFERENCE, "hidden" },
      { "gated", "sign used", "",
        "‖S ⊙ relu (pre) − relu (pre)‖ ÷ ‖relu (pre)‖: only its sign S, as this lab does.",
        SL_MEASURED, "hidden" }) },
  [V_SPECTRUM] = { .id = "spectrum", .title = "Singular values",
    .group = SL_SHOWS_GATE,
    .kind = SL_PROFILE,
    .x = { "direction", .logarithmic = true, .whole = true },
    .y = { "singular value", .logarithmic = true },
    .probe_seconds = 3,
    .help = "The singular values of each layer's weights and the rank in use. The estimate leaves "
            "out everything to the right of the mark.",
    .formula = "W = U Σ Vᵀ, σ₁ ≥ σ₂ ≥ …", .source = "Davis 2016, §3.1.1",
    SL_TRACES (
      { "sigma", "σ", "", "Singular values of the layer's weights.", SL_MEASURED, "hidden" },
      { "cut", "rank", "", "The last direction that the estimate uses.", SL_TARGET, "hidden" }) },
  [V_DRIFT] = { .id = "drift", .title = "Drift since refresh",
    .group = SL_SHOWS_GATE,
    .kind = SL_SERIES,
    .y = { "‖W − W₀‖ ÷ ‖W₀‖", "%", .least = 0, .most = HUGE_VAL },
    .help = "How far the weights have moved since their factors were computed. It falls to zero at "
            "every refresh.",
    .formula = "‖W − W₀‖ ÷ ‖W₀‖, Frobenius;  W₀: the weights last factored",
    .source = "Davis 2016, fig. 3.2",
    SL_TRACES ({ "drift", "drift", "%",
      "Relative distance of the weights from the weights that were last factored.", SL_MEASURED,
      "hidden" }) },
  [V_RANK] = { .id = "rank-used", .title = "Rank in use", .group = SL_SHOWS_GATE, .kind = SL_SERIES,
    .y = { "rank", .logarithmic = true, .whole = true },
    .help = "Number of directions in each layer's estimate, limited by the size of the layer; "
            "chosen at each refresh when the rank follows the lost energy.",
    SL_TRACES ({ "rank", "rank", "", "Directions in use since the last refresh.", SL_MEASURED,
      "hidden" }) },
  [V_FILTERS] = { .id = "filters", .title = "First-layer filters",
    .group = SL_SHOWS_GATE,
    .kind = SL_IMAGE,
    .y = { "weight" }, .probe_seconds = 1,
    .help = "Weights from the image into the first hidden units, each scaled to its own maximum." },
  [V_DISTANCE] = SL_PANEL_DISTANCE,
  [V_MAP] = SL_PANEL_MAP (true),
};
/* clang-format on */
