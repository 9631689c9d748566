/* SPDX-License-Identifier: MIT
 *
 * The knobs, panels and trials of the lab `sign-estimator`, in words.  */
#include "core/labs/sign-estimator/tables.h"

#include "core/lab/kit/distance.h"
#include "core/lab/kit/panels.h"
#include "core/lab/kit/params.h"
#include "core/nn/dense/net.h"
#include "core/nn/optim/optim.h"

static const SlChoice activations[] = { { "rectifier", "Rectifier" }, { "tanh", "tanh" }, { 0 } };

/* In the order of SlEstimateMode. */
static const SlChoice modes[]
  = { { "off", "Off" }, { "watch", "Watch only" }, { "on", "On" }, { 0 } };

static const SlChoice rank_modes[]
  = { { "fixed", "Fixed per layer" }, { "energy", "By lost energy" }, { 0 } };

/* clang-format off */
const SlParam sl_sign_params[N_PARAMS] = {
  [P_HIDDEN] = {
    .id = "hidden", .title = "Hidden layers", .unit = "units", .group = SL_GROUP_MODEL,
    .help = "Widths of the hidden layers from input to output, joined by dashes. In wider layers "
            "more multiplications can be saved.",
    .source = "Davis 2016, table 3.1: 1000-600-400 for MNIST",
    .kind = SL_LIST, .lo = 1, .hi = 4096, .step = 1, .effect = SL_RESTART, .list = "1000-600-400",
    .one = "layer" },
  [P_ACTIVATION] = {
    .id = "activation", .title = "Activation", .unit = "", .group = SL_GROUP_MODEL,
    .help = "The function of the hidden units. A sign estimate only makes sense for the "
            "rectifier, whose units are exactly zero half of the time; tanh is there for "
            "comparison.",
    .source = "", .kind = SL_CHOICE, .fallback = SL_RECTIFIER, .effect = SL_RESTART,
    .choices = activations },
  [P_RATE] = SL_PARAM_RATE (5e-4, 1e-4, "Davis 2016, table 3.1: 1e-4; we start higher so that a "
                            "change shows sooner"),
  [P_SCHEDULE] = SL_PARAM_SCHEDULE ("Davis 2016, table 3.1: × 0.9 every 50 epochs"),
  [P_SCHEDULE_EPOCHS] = SL_PARAM_SCHEDULE_EPOCHS,
  [P_BATCH] = SL_PARAM_BATCH (MOST_BATCH, 128),
  [P_OPTIMISER] = {
    .id = "optimiser", .title = "Optimiser", .unit = "", .group = SL_GROUP_TRAINING,
    .help = "The rule that turns gradients into updates. Changing it clears its moments.",
    .source = "Davis 2016, table 3.1: Adam (Kingma and Ba 2015)", .kind = SL_CHOICE,
    .fallback = SL_ADAM, .effect = SL_LIVE, .choices = sl_optimisers },
  [P_DECAY] = {
    .id = "weight-decay", .title = "Weight decay", .unit = "", .group = SL_GROUP_TRAINING,
    .help = "Pulls every weight towards zero by this share of the learning rate. The spectrum of "
            "smaller weights falls faster, so a low rank estimates them better.",
    .formula = "w ← w − ε λ w",
    .source = "", .kind = SL_REAL, .lo = 0, .hi = 1, .step = 0.001, .fallback = 0, .effect =
    SL_LIVE },
  [P_INPUT_DROPOUT] = {
    .id = "input-dropout", .title = "Input dropout", .unit = "", .group = SL_GROUP_TRAINING,
    .help = "Share of the inputs set to zero in each training example. "
            "It holds back overfitting; evaluation always sees all of them.",
    .source = "Davis 2016, table 3.1: 0.3 for MNIST", .kind = SL_REAL, .lo = 0, .hi = 0.9,
    .step = 0.05, .fallback = 0.3, .effect = SL_LIVE },
  [P_HIDDEN_DROPOUT] = {
    .id = "hidden-dropout", .title = "Hidden dropout", .unit = "", .group = SL_GROUP_TRAINING,
    .help = "Share of the hidden units set to zero in each training example. "
            "The rest is scaled up, and the estimate sees the same scaled values.",
    .source = "Davis 2016, table 3.1: 0.5", .kind = SL_REAL, .lo = 0, .hi = 0.9, .step = 0.05,
    .fallback = 0.5, .effect = SL_LIVE },
  [P_ESTIMATOR] = {
    .id = "estimator", .title = "Estimator", .unit = "", .group = SL_GROUP_CONDITIONAL,
    .help =
    "On: units whose estimate is not positive are switched off, in training and evaluation. "
            "Watch only: estimates are made and compared, the network stays dense.",
    .formula = "est = U (Σ Vᵀ a) + b − θ;  S = 1[est > 0];  out = S ⊙ max (0, W a + b)",
    .source = "Davis 2016, §3.1.1", .kind = SL_CHOICE, .fallback = SL_ESTIMATE_GATE,
    .effect = SL_LIVE, .choices = modes, .needs = "activation=rectifier" },
  [P_RANK_MODE] = {
    .id = "rank-mode", .title = "Rank is", .unit = "", .group = SL_GROUP_CONDITIONAL,
    .help = "Fixed ranks are set by hand, as published. By lost energy, each refresh takes the "
            "smallest rank "
            "that keeps enough of the weights.",
    .source = "fixed: Davis 2016, §3.1.3", .kind = SL_CHOICE, .fallback = 0, .effect = SL_LIVE,
    .choices = rank_modes, .needs = "activation=rectifier" },
  [P_RANK] = {
    .id = "rank", .title = "Rank", .unit = "", .group = SL_GROUP_CONDITIONAL,
    .help = "Number of singular directions of a layer's weights that the estimate uses. A small "
            "rank is cheap but gets more signs wrong; at full rank the estimate is exact and "
            "saves nothing.",
    .formula = "Ŵ = U Σ Vᵀ with the k largest singular values of W (h × d);  k ≤ min (d, h)",
    .source = "Davis 2016, table 3.3: 50-35-25 to 10-10-5", .kind = SL_LIST, .lo = 0, .hi = 4096,
    .step = 1, .logarithmic = true, .effect = SL_LIVE, .headline = SL_HEADLINE_RANK,
    .list = "50-35-25", .each = "hidden",
    .needs = "rank-mode=fixed", .one = "layer" },
  [P_ENERGY] = {
    .id = "energy-loss", .title = "Lost energy at most", .unit = "", .group = SL_GROUP_CONDITIONAL,
    .help = "Share of the squared singular values that the estimate may leave out. "
            "Smaller means a higher rank and fewer mistakes.",
    .formula = "smallest k with Σ_{i>k} σᵢ² ÷ Σᵢ σᵢ² ≤ this",
    .source = "", .kind = SL_REAL, .lo = 0.001, .hi = 0.9, .step = 0.01, .fallback = 0.3,
    .logarithmic = true, .effect = SL_LIVE, .needs = "rank-mode=energy" },
  [P_THETA] = {
    .id = "theta", .title = "Threshold θ", .unit = "", .group = SL_GROUP_CONDITIONAL,
    .help =
    "Subtracted from every estimate before its sign is read. Above zero, fewer units are computed "
    "and more of the active ones are lost.",
    .formula = "S = 1[U (Σ Vᵀ a) + b − θ > 0]",
    .source = "Davis 2016, §3.4 (the suggested sparsity bias)", .kind = SL_REAL, .lo = 0, .hi = 2,
    .step = 0.05, .fallback = 0, .effect = SL_LIVE, .needs = "activation=rectifier" },
  [P_REFRESH] = {
    .id = "refresh", .title = "Refresh every", .unit = "updates", .group = SL_GROUP_CONDITIONAL,
    .help = "Updates between two singular value decompositions. Between them the weights move "
            "away from their factors, which gives the agreement its saw-tooth shape.",
    .source = "Davis 2016, §3.1.3: once per epoch", .kind = SL_INTEGER, .lo = 1, .hi = 1e6,
    .step = 1, .fallback = 50, .logarithmic = true, .effect = SL_LIVE,
    .needs = "activation=rectifier" },
  [P_TWIN] = {
    .id = "twin", .title = "Train a control network", .unit = "", .group = SL_GROUP_CONDITIONAL,
    .help = "A second network without the estimator, with the same first weights, batches and "
            "dropout. Any difference between the two comes from the estimator.",
    .source = "", .kind = SL_BOOLEAN, .fallback = 0, .effect = SL_RESTART },
  [P_REPORT] = SL_PARAM_REPORT,
  [P_EVALUATE] = SL_PARAM_EVALUATE,
  [P_EXAMPLES] = SL_PARAM_EXAMPLES,
};
/* clang-format on */

static const SlTrace agreement_traces[] = {
  [T_AGREEMENT] = { "agreement", "agreement", "%",
                    "Share of units whose sign was estimated "
                    "correctly.",
                    SL_MEASURED, "hidden" },
  [T_ALL_OFF] = { "all-off", "all off", "%", "Agreement if every unit were guessed \"off\".",
                  SL_REFERENCE, "hidden" },
};

static const SlTrace recall_traces[] = {
  { "recall", "recall", "%", "Share of the active units that are computed.", SL_MEASURED,
    "hidden" },
};

static const SlTrace false_alarm_traces[] = {
  { "false-alarm", "false alarm", "%", "Share of the inactive units that are computed for nothing.",
    SL_MEASURED, "hidden" },
};

static const SlTrace lost_traces[] = {
  { "lost", "lost energy", "%", "Squared activation that the estimate switches off.", SL_MEASURED,
    "hidden" },
};

static const SlTrace error_traces[] = {
  [T_TRAIN]
  = { "train", "train, with dropout", "%",
      "Wrong predictions on the training batches since the last report.", SL_MEASURED, NULL },
  [T_VALID] = { "valid", "validation", "%",
                "Wrong predictions on the validation examples, with the "
                "estimator as set.",
                SL_MEASURED, NULL },
  [T_VALID_DENSE] = { "valid-dense", "same weights, no estimator", "%",
                      "The same weights evaluated densely.", SL_REFERENCE, NULL },
  [T_TWIN] = { "twin", "control network", "%",
               "The control network, trained at the same time "
               "without estimator.",
               SL_REFERENCE, NULL },
};

static const SlTrace loss_traces[] = {
  [T_LOSS] = { "train", "training loss", "nats",
               "Mean cross entropy of the batches since the last report.", SL_MEASURED, NULL },
  [T_TWIN_LOSS]
  = { "twin", "control network", "nats", "The same for the control network.", SL_REFERENCE, NULL },
};

static const SlTrace density_traces[] = {
  [T_ALPHA] = { "alpha", "computed α", "%", "Share of the units that the estimate switches on.",
                SL_MEASURED, "hidden" },
  [T_TRUE_DENSITY] = { "truth", "truly on", "%", "Share of the units with a positive input.",
                       SL_REFERENCE, "hidden" },
};

static const SlTrace cost_traces[] = {
  [T_EXPECTED]
  = { "expected", "expected (eq. 3.8)", "% of dense",
      "Operations that eq. 3.8 predicts from rank and true density.", SL_THEORY, NULL },
  [T_EXECUTED] = { "executed", "executed", "% of dense",
                   "Multiplications counted: the estimate and the units that it switched on.",
                   SL_MEASURED, NULL },
  [T_BREAK_EVEN] = { "dense", "dense", "% of dense",
                     "Above this line the estimate costs more than it saves.", SL_REFERENCE, NULL },
};

static const SlTrace speed_traces[] = {
  { "speed-up", "speed-up over dense", "×", "Dense cost ÷ conditional cost of one forward pass.",
    SL_MEASURED, NULL },
};
static const char *const speed_categories[]
  = { "expected", "executed", "timed, batch 1", "timed, batch 64", NULL };

static const SlTrace rank_agreement_traces[] = {
  { "agreement", "agreement", "%", "Sign agreement if the layer had this rank.", SL_MEASURED,
    "hidden" },
};

static const SlTrace rank_error_traces[] = {
  { "estimate", "value used", "",
    "‖relu (est) − relu (pre)‖ ÷ ‖relu (pre)‖: the estimate itself in place of the layer.",
    SL_REFERENCE, "hidden" },
  { "gated", "sign used", "",
    "‖S ⊙ relu (pre) − relu (pre)‖ ÷ ‖relu (pre)‖: only its sign S, as this lab does.", SL_MEASURED,
    "hidden" },
};

static const SlTrace spectrum_traces[] = {
  { "sigma", "σ", "", "Singular values of the layer's weights.", SL_MEASURED, "hidden" },
  { "cut", "rank", "", "The last direction that the estimate uses.", SL_TARGET, "hidden" },
};

static const SlTrace drift_traces[] = {
  { "drift", "drift", "%",
    "Relative distance of the weights from the weights that were last "
    "factored.",
    SL_MEASURED, "hidden" },
};

static const SlTrace rank_traces[] = {
  { "rank", "rank", "", "Directions in use since the last refresh.", SL_MEASURED, "hidden" },
};

#define UPDATES                                                                                    \
  {                                                                                                \
    .label = "update", .unit = ""                                                                  \
  }
#define PERCENT(name, low, high)                                                                   \
  {                                                                                                \
    .label = name, .unit = "%", .lo = low, .hi = high                                              \
  }
#define TRACES(of) .traces = of, .n_traces = sizeof of / sizeof *of

/* clang-format off */
const SlPanel sl_sign_panels[N_PANELS] = {
  [V_AGREEMENT] = {
    .id = "agreement", .title = "Sign agreement",
    .help = "How often the low-rank estimate has the same sign as the true input, on 128 "
            "validation examples. Look at the recall too: where few units are on, guessing \"all "
            "off\" agrees well and is useless.",
    .formula = "mean of 1[S = 1[W a + b > 0]] over units and examples",
    .source = "Davis 2016, fig. 3.2", .kind = SL_SERIES,
    .x = UPDATES,
    .y = PERCENT ("signs guessed right", 0, 0),
    TRACES (agreement_traces) },
  [V_RECALL] = {
    .id = "recall", .title = "Recall",
    .help = "Active units that are computed. A missed unit is lost to the forward pass and gets "
            "no gradient either.",
    .formula = "tp ÷ (tp + fn)",
    .source = "", .kind = SL_SERIES,
    .x = UPDATES,
    .y = PERCENT ("active units found", 0, 0),
    TRACES (recall_traces) },
  [V_FALSE_ALARM] = {
    .id = "false-alarms", .title = "False alarms",
    .help = "Inactive units that are computed nevertheless. They only cost time: the rectifier "
            "still makes them zero.",
    .formula = "fp ÷ (fp + tn)",
    .source = "", .kind = SL_SERIES,
    .x = UPDATES,
    .y = PERCENT ("inactive units computed", 0, 0),
    TRACES (false_alarm_traces) },
  [V_LOST] = {
    .id = "lost-energy", .title = "Lost energy",
    .help = "Share of the squared activations that the estimate switches off. Of all numbers here "
            "it predicts the loss of accuracy best.",
    .formula = "‖relu (pre) ⊙ (1 − S)‖² ÷ ‖relu (pre)‖²,  pre = W a + b",
    .source = "", .kind = SL_SERIES,
    .x = UPDATES,
    .y = { .label = "lost energy", .unit = "%", .logarithmic = true },
    TRACES (lost_traces) },
  [V_ERROR] = {
    .id = "error", .title = "Error",
    .help = "Wrong predictions in training and on validation examples. The difference between the "
            "validation error and the error of the same weights without estimator is what the "
            "estimate costs.",
    .source = "Davis 2016, table 3.3", .kind = SL_SERIES,
    .x = UPDATES,
    .y = { .label = "wrong predictions", .unit = "%", .logarithmic = true },
    TRACES (error_traces) },
  [V_LOSS] = {
    .id = "loss", .title = "Training loss",
    .help = "Mean cross entropy of the training batches, dropout included.",
    .source = "", .kind = SL_SERIES,
    .x = UPDATES,
    .y = { .label = "cross entropy", .unit = "nats", .logarithmic = true },
    TRACES (loss_traces) },
  [V_DENSITY] = {
    .id = "density", .title = "Units on",
    .help = "Share of the units that the estimate switches on, and share that is truly on. The "
            "closer α is to the truth from above, the less work is wasted.",
    .formula = "α = mean of S;  truth = mean of 1[W a + b > 0]",
    .source = "Davis 2016, §3.2", .kind = SL_SERIES,
    .x = UPDATES,
    .y = PERCENT ("fraction on", 0, 0),
    TRACES (density_traces) },
  [V_COST] = {
    .id = "cost", .title = "Cost",
    .help = "Work of one forward pass relative to the dense network's: by eq. 3.8 if exactly the "
            "active units were computed, and as counted. The cost of refreshing the factors is "
            "not included.",
    .formula = "γ = 2 d h ÷ (k (2 d + 2 h − 1) + 2 α d h)  (eq. 3.8);  cost = 100 ÷ γ of the "
               "network, output layer included",
    .source = "Davis 2016, eq. 3.8", .kind = SL_SERIES,
    .x = UPDATES,
    .y = { .label = "cost", .unit = "% of dense", .lo = 0, .hi = 100 },
    TRACES (cost_traces) },
  [V_SPEED] = {
    .id = "speed", .title = "Speed-up",
    .help = "Speed-up that the formula promises, that counting gives, and that was measured on "
            "this machine with real conditional kernels and the current weights.",
    .formula = "γ = 2 d h ÷ (k (2 d + 2 h − 1) + 2 α d h)  (eq. 3.8);  γ > 1 if k < 2 d h (1 − "
               "α) ÷ (2 d + 2 h − 1)",
    .source = "Davis 2016, §3.1.4; timed here", .kind = SL_BARS,
    .x = { .label = "", .unit = "" },
    .y = { .label = "speed-up over dense", .unit = "×", .lo = 0, .hi = 1 },
    TRACES (speed_traces),
    .categories = speed_categories, .probe_seconds = 2 },
  [V_RANK_AGREEMENT] = {
    .id = "rank-agreement", .title = "Agreement against rank",
    .help = "Sign agreement that each layer would have at each rank, on validation examples with "
            "the current weights.",
    .source = "Davis 2016, fig. 3.3", .kind = SL_PROFILE,
    .x = { .label = "rank", .unit = "", .logarithmic = true },
    .y = PERCENT ("signs guessed right", 0, 0),
    TRACES (rank_agreement_traces), .probe_seconds = 4 },
  [V_RANK_ERROR] = {
    .id = "rank-error", .title = "Error against rank",
    .help = "Relative error of a layer's output if the estimate itself were used, and if only its "
            "sign is used. The sign needs far fewer directions.",
    .formula = "‖relu (est) − relu (pre)‖ ÷ ‖relu (pre)‖  and  ‖S ⊙ relu (pre) − relu (pre)‖ ÷ "
               "‖relu (pre)‖",
    .source = "Davis 2016, fig. 3.3", .kind = SL_PROFILE,
    .x = { .label = "rank", .unit = "", .logarithmic = true },
    .y = { .label = "relative error", .unit = "" },
    TRACES (rank_error_traces), .probe_seconds = 4 },
  [V_SPECTRUM] = {
    .id = "spectrum", .title = "Singular values",
    .help = "The singular values of each layer's weights and the rank in use. The estimate leaves "
            "out everything to the right of the mark.",
    .formula = "W = U Σ Vᵀ, σ₁ ≥ σ₂ ≥ …",
    .source = "Davis 2016, §3.1.1", .kind = SL_PROFILE,
    .x = { .label = "direction", .unit = "", .logarithmic = true },
    .y = { .label = "singular value", .unit = "", .logarithmic = true },
    TRACES (spectrum_traces), .probe_seconds = 3 },
  [V_DRIFT] = {
    .id = "drift", .title = "Drift since refresh",
    .help = "How far the weights have moved since their factors were computed. It falls to zero "
            "at every refresh.",
    .formula = "‖W − W₀‖ ÷ ‖W₀‖, Frobenius;  W₀: the weights last factored",
    .source = "Davis 2016, fig. 3.2", .kind = SL_SERIES,
    .x = UPDATES,
    .y = PERCENT ("‖W − W₀‖ ÷ ‖W₀‖", 0, 0),
    TRACES (drift_traces) },
  [V_RANK] = {
    .id = "rank-used", .title = "Rank in use",
    .help = "Number of directions in each layer's estimate, limited by the size of the layer; "
            "chosen at each refresh when the rank follows the lost energy.",
    .source = "", .kind = SL_SERIES,
    .x = UPDATES,
    .y = { .label = "rank", .unit = "", .logarithmic = true },
    TRACES (rank_traces) },
  [V_FILTERS] = {
    .id = "filters", .title = "First-layer filters",
    .help = "Weights from the image into the first hidden units, each scaled to its own maximum.",
    .source = "", .kind = SL_IMAGE,
    .x = { .label = "", .unit = "" },
    .y = { .label = "weight", .unit = "" }, .probe_seconds = 1 },
  [V_DISTANCE] = SL_PANEL_DISTANCE,
  [V_MAP] = SL_PANEL_MAP (true),
};
/* clang-format on */
