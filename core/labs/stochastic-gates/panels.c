/* SPDX-License-Identifier: MIT
 *
 * What the lab `stochastic-gates` shows, in words.  */
#include "core/labs/stochastic-gates/tables.h"

#include "core/lab/kit/panels.h"

static const SlTrace density_traces[] = {
  [T_TARGET] = { "target", "target", "%", "The density that was asked for.", SL_TARGET, NULL },
  [T_TRAIN_DENSITY]
  = { "train", "in training", "%",
      "Gates that were on in the batches since the last report, as drawn.", SL_MEASURED, NULL },
  [T_VALID_DENSITY]
  = { "valid", "in use", "%", "Gates that are on for validation examples, without sampling.",
      SL_MEASURED, NULL },
};

static const SlTrace error_traces[] = {
  [T_TRAIN]
  = { "train", "train, with chance", "%",
      "Wrong predictions on the training batches since the last report.", SL_MEASURED, NULL },
  [T_VALID]
  = { "valid", "validation", "%",
      "Wrong predictions on the validation examples, gates without sampling.", SL_MEASURED, NULL },
};

static const SlTrace cost_traces[] = {
  [T_EXPECTED]
  = { "expected", "expected", "% of dense",
      "Multiplications expected from the gates' probabilities, gater included.", SL_THEORY, NULL },
  [T_EXECUTED]
  = { "executed", "executed", "% of dense",
      "Multiplications counted on validation examples, gater included.", SL_MEASURED, NULL },
  [T_EXPECTED_BARE] = { "expected-bare", "expected, gater free", "% of dense",
                        "The same without the gater, as the paper counts.", SL_THEORY, NULL },
  [T_EXECUTED_BARE] = { "executed-bare", "executed, gater free", "% of dense",
                        "The same without the gater, as the paper counts.", SL_REFERENCE, NULL },
  [T_BREAK_EVEN] = { "dense", "break-even", "% of dense",
                     "All experts without a gater: above this line the gates cost more than they "
                     "save.",
                     SL_REFERENCE, NULL },
};

static const SlTrace speed_traces[] = {
  [T_WITH_GATER]
  = { "with", "with the gater", "×",
      "Cost of all experts without a gater ÷ cost of gater and gated experts.", SL_MEASURED, NULL },
  [T_WITHOUT_GATER] = { "without", "gater free", "×", "The same if the gates are already known.",
                        SL_REFERENCE, NULL },
};
static const char *const speed_categories[]
  = { "expected", "executed", "timed, batch 1", "timed, batch 64", NULL };

static const SlTrace rate_traces[] = {
  { "units", "units", "%", "Share of the units whose rate is in this bin.", SL_MEASURED,
    "rate-bins" },
};

static const SlTrace dead_traces[] = {
  [T_DEAD] = { "dead", "dead", "%", "Units that are on for less than 0.1 % of the inputs.",
               SL_MEASURED, NULL },
  [T_ALWAYS_ON] = { "always-on", "always on", "%",
                    "Units that are on for more than 99.9 % of the inputs.", SL_MEASURED, NULL },
};

static const SlTrace lambda_traces[] = {
  { "lambda", "λ", "",
    "Weight of the sparsity term: as set for binary gates, the controller's for rectifiers.",
    SL_MEASURED, NULL },
};

static const SlTrace loss_traces[] = {
  [T_LOSS] = { "train", "cross entropy", "nats",
               "Mean of the training batches since the last report, as drawn.", SL_MEASURED, NULL },
  [T_TERM]
  = { "sparsity", "sparsity term", "nats",
      "What is added to it for the density. Its least value is not 0.", SL_REFERENCE, NULL },
};

static const SlTrace decided_traces[] = {
  [T_SHARE] = { "above-half", "p > ½", "%", "Gates of the batch with a probability above one half.",
                SL_MEASURED, NULL },
  [T_SHARE_TARGET]
  = { "target", "target", "%", "The share if all gates had decided.", SL_TARGET, NULL },
};

static const SlTrace spread_traces[] = {
  [T_SPREAD_P] = { "p", "over inputs and units", "",
                   "Standard deviation of p. Undecided gates have little.", SL_MEASURED, NULL },
  [T_SPREAD_RATE]
  = { "rate", "of the rates", "", "Standard deviation over the units of how often they are on.",
      SL_MEASURED, NULL },
};

static const SlTrace baseline_traces[] = {
  [T_BASELINE] = { "mean", "mean", "nats", "Mean of the units' baselines.", SL_MEASURED, NULL },
  [T_BASELINE_LOW] = { "lowest", "lowest", "nats", "The lowest of them.", SL_REFERENCE, NULL },
  [T_BASELINE_HIGH] = { "highest", "highest", "nats", "The highest of them.", SL_REFERENCE, NULL },
  [T_BASELINE_LOSS]
  = { "loss", "loss", "nats", "Mean cross entropy since the last report.", SL_MEASURED, NULL },
};

static const SlTrace direction_traces[] = {
  { "mean", "mean of all draws", "", "Cosine of the estimate's mean to the exact gradient.",
    SL_MEASURED, NULL },
  { "draw", "a single draw", "", "Mean of the cosine of one draw to the exact gradient.",
    SL_REFERENCE, NULL },
};

static const SlTrace noise_traces[] = {
  { "bias", "bias", "", "‖mean of the estimate - exact gradient‖ ÷ ‖exact gradient‖.", SL_MEASURED,
    NULL },
  { "deviation", "deviation", "", "Root of the summed variances of one draw ÷ ‖exact gradient‖.",
    SL_REFERENCE, NULL },
};

static const SlTrace toy_traces[] = {
  { "exact", "exact", "nats", "The gradient of the expected loss, from all states.", SL_THEORY,
    NULL },
  { "sbn", "REINFORCE", "nats", "With the baseline of least variance; mean and deviation.",
    SL_MEASURED, NULL },
  { "straight-through", "straight-through", "nats", "Mean and deviation.", SL_MEASURED, NULL },
  { "slope", "straight-through × σ′", "nats", "Mean and deviation.", SL_MEASURED, NULL },
};

static const SlTrace width_traces[] = {
  { "measured", "at this density", "% of dense", "Cost with the share of gates that is on now.",
    SL_MEASURED, NULL },
  { "target", "at the target", "% of dense", "Cost with the share that is asked for.", SL_TARGET,
    NULL },
  { "here", "this gater", "% of dense", "The width of this run.", SL_REFERENCE, NULL },
};

static const SlTrace unit_traces[] = {
  { "active", "P (on)", "", "Probability of not being 0.", SL_THEORY, NULL },
  { "mean", "mean", "", "Expected value of the gate.", SL_THEORY, NULL },
  { "use", "in use", "", "Value without chance.", SL_MEASURED, NULL },
};

static const SlTrace sts_traces[] = {
  { "true", "true", "", "Derivative of the expected value of f.", SL_THEORY, NULL },
  { "backprop", "backpropagation", "", "What backpropagation gives on average.", SL_MEASURED,
    NULL },
};

#define UPDATES SL_AXIS_UPDATES
#define PERCENT(name)                                                                              \
  {                                                                                                \
    .label = name, .unit = "%"                                                                     \
  }
#define TRACES(of) .traces = of, .n_traces = sizeof of / sizeof *of

/* One name per estimator, in the order of SlGaterEstimator. */
static const char *const estimators[] = {
  "REINFORCE, no baseline",
  "REINFORCE, mean loss",
  "REINFORCE, best baseline",
  "straight-through",
  "straight-through × σ′",
  "STS",
  NULL,
};

/* clang-format off */
const SlPanel sl_gates_panels[N_PANELS] = {
  [V_DENSITY] = {
    .id = "density", .title = "Gates on",
    .help = "The target density and the measured density, in training and in use. In use binary "
            "gates meet the target by their threshold, whatever happens in training.",
    .formula = "mean over batch and units of 1[h ≠ 0]",
    .source = "Bengio, Léonard and Courville 2013, supplement A.1 and A.3", .kind = SL_SERIES,
    .x = UPDATES, .y = PERCENT ("fraction on"), TRACES (density_traces) },
  [V_ERROR] = {
    .id = "error", .title = "Error",
    .help = "Wrong predictions in training, with sampled gates, and on validation examples, "
            "without sampling.",
    .source = "Bengio, Léonard and Courville 2013, table 1", .kind = SL_SERIES, .x = UPDATES,
    .y = { .label = "wrong predictions", .unit = "%", .logarithmic = true },
    TRACES (error_traces) },
  [V_COST] = {
    .id = "cost", .title = "Cost",
    .help = "Multiplications per input relative to all experts without a gater. The gater itself "
            "is most of it: at the published sizes a saving of 1.25 is left of the tenfold "
            "saving.",
    .formula = "(D M + M N + s (D N + N C)) ÷ (D N + N C)",
    .source = "the paper leaves the gater out", .kind = SL_SERIES, .x = UPDATES,
    .y = { .label = "cost", .unit = "% of dense", .lo = 0, .hi = 100 }, TRACES (cost_traces) },
  [V_SPEED] = {
    .id = "speed", .title = "Speed-up",
    .help = "Speed-up that the probabilities promise, that counting gives, and that was measured "
            "on this machine with real conditional kernels and the current weights.",
    .source = "timed here", .kind = SL_BARS, .x = { .label = "", .unit = "" },
    .y = { .label = "speed-up over dense", .unit = "×", .lo = 0, .hi = 1 }, TRACES (speed_traces),
    .categories = speed_categories, .probe_seconds = 2 },
  [V_RATES] = {
    .id = "rates", .title = "Rates of the units",
    .help = "How often the units are on, as a histogram over time: units in low rows are rarely "
            "on. If all units are in the row of the target, the gates either do the same for "
            "every input or share the inputs evenly.",
    .source = "", .kind = SL_HISTORY, .x = UPDATES,
    .y = { .label = "√ rate", .unit = "", .lo = 0, .hi = 1 },
    .z = { .label = "units", .unit = "%" }, TRACES (rate_traces) },
  [V_DEAD] = {
    .id = "dead", .title = "Dead and always on",
    .help = "Units that no input switches on, and units that no input switches off. Neither kind "
            "decides anything; the nudge revives the first kind.",
    .formula = "running rate below 0.001, and above 0.999",
    .source = "", .kind = SL_SERIES, .x = UPDATES, .y = PERCENT ("units"), TRACES (dead_traces) },
  [V_LAMBDA] = {
    .id = "lambda", .title = "Weight of sparsity",
    .help = "λ over time. For rectifiers a controller raises it while too many gates are on and "
            "lowers it while too few are; with a large gain it oscillates.",
    .formula = "λ ← λ (1 ± κ) outside s ± 0.01;  10⁻¹³ ≤ λ ≤ 1",
    .source = "Bengio, Léonard and Courville 2013, supplement A.1", .kind = SL_SERIES,
    .x = UPDATES, .y = { .label = "λ", .unit = "", .logarithmic = true }, TRACES (lambda_traces) },
  [V_LOSS] = {
    .id = "loss", .title = "Training loss",
    .help = "Mean cross entropy of the training batches, and the sparsity term beside it.",
    .source = "", .kind = SL_SERIES, .x = UPDATES,
    .y = { .label = "loss", .unit = "nats", .logarithmic = true }, TRACES (loss_traces) },
  [V_DECIDED] = {
    .id = "decided", .title = "Gates that have decided",
    .help = "Gates with a probability above one half. If all of them had the target density the "
            "share would be 0; better are a few gates that are surely on and many that are surely "
            "off.",
    .formula = "share of p > ½",
    .source = "Bengio, Léonard and Courville 2013, supplement A.2", .kind = SL_SERIES,
    .x = UPDATES, .y = PERCENT ("gates"), TRACES (decided_traces) },
  [V_SPREAD] = {
    .id = "spread", .title = "Spread of the gates",
    .help = "How different the probabilities are over inputs and units, and how different the "
            "units' rates are. If rates hardly differ but p does, the units share the inputs "
            "evenly.",
    .source = "", .kind = SL_SERIES, .x = UPDATES,
    .y = { .label = "standard deviation", .unit = "" }, TRACES (spread_traces) },
  [V_BASELINE] = {
    .id = "baseline", .title = "Baselines",
    .help = "Number that is subtracted from the loss before a binary neuron learns from it, one "
            "per unit, chosen for the least variance. Only this gate has it.",
    .formula = "L̄ᵢ = E[(hᵢ − pᵢ)² L] ÷ E[(hᵢ − pᵢ)²]",
    .source = "Bengio, Léonard and Courville 2013, corollary 1", .kind = SL_SERIES, .x = UPDATES,
    .y = { .label = "baseline", .unit = "nats" }, TRACES (baseline_traces), .needs = "gate=sbn" },
  [V_DIRECTION] = {
    .id = "direction", .title = "Direction of the estimates",
    .help = "For a few gates of real inputs all states are computed: the direction of each "
            "estimate against the exact gradient, for the mean of all draws and for a single one. "
            "1 is right, below 0 is uphill. STS is compared with the gradient of its own gates.",
    .formula = "cos (estimate, ∂E[L] ÷ ∂a)",
    .source = "computed by enumeration", .kind = SL_BARS, .x = { .label = "", .unit = "" },
    .y = { .label = "cosine", .unit = "", .lo = 0, .hi = 1 }, TRACES (direction_traces),
    .categories = estimators, .probe_seconds = 1 },
  [V_NOISE] = {
    .id = "noise", .title = "Bias and deviation",
    .help = "Bias of each estimate, and deviation of one draw from its mean, both relative to the "
            "length of the exact gradient. REINFORCE without a baseline is unusable.",
    .formula = "‖E[estimate] − g‖ ÷ ‖g‖  and  √(E ‖estimate − E[estimate]‖²) ÷ ‖g‖,  g = ∂E[L] ÷ "
               "∂a",
    .source = "computed by enumeration", .kind = SL_BARS, .x = { .label = "", .unit = "" },
    .y = { .label = "÷ exact gradient", .unit = "", .lo = 0, .hi = 1 }, TRACES (noise_traces),
    .categories = estimators, .probe_seconds = 1 },
  [V_TOY] = {
    .id = "toy", .title = "Exact gradient and estimates",
    .help = "One input, gate by gate: the exact gradient of the expected loss with respect to the "
            "logits, and its estimates; bars are one standard deviation.",
    .formula = "g = Σ over all 2ⁿ states of L · ∂P ÷ ∂a;  REINFORCE: (hᵢ − pᵢ) (L − L̄ᵢ)",
    .source = "computed by enumeration", .kind = SL_PROFILE, .x = { .label = "gate", .unit = "" },
    .y = { .label = "gradient", .unit = "nats" }, TRACES (toy_traces), .probe_seconds = 1 },
  [V_WIDTH] = {
    .id = "width", .title = "Cost of the gater",
    .help = "Cost against the width of the gater. To the right of the mark a gater costs more "
            "than its gates can save.",
    .formula = "break-even: M = (1 − s) (D N + N C) ÷ (D + N)",
    .source = "", .kind = SL_PROFILE,
    .x = { .label = "gater's hidden units", .unit = "", .logarithmic = true },
    .y = { .label = "cost", .unit = "% of dense" }, TRACES (width_traces), .probe_seconds = 2 },
  [V_UNIT] = {
    .id = "unit", .title = "The gate",
    .help = "The gate as a function of its logit: the probability of being on, its mean, and the "
            "value in use, where binary gates have a threshold (the mark).",
    .formula = "SBN, ST: P (on) = σ (a);  STS: P (on) = √σ (a), value √σ (a);  rectifier: max "
               "(0, a + z)",
    .source = "Bengio, Léonard and Courville 2013, propositions 1 and 2", .kind = SL_PROFILE,
    .x = { .label = "logit", .unit = "" }, .y = { .label = "", .unit = "" }, TRACES (unit_traces),
    .probe_seconds = 1 },
  [V_STS] = {
    .id = "sts-bias", .title = "Where STS goes wrong",
    .help = "A smooth times stochastic gate h before f (h) = (h - 0.3)². Where the curves have "
            "different signs, backpropagation goes uphill.",
    .formula = "true: ½ √p (1 − p) [f (√p) − f (0) + √p f′ (√p)];  backpropagation: ½ p (1 − p) "
               "f′ (√p)",
    .source = "derived from proposition 2 of the paper", .kind = SL_PROFILE,
    .x = { .label = "logit", .unit = "" }, .y = { .label = "derivative of f", .unit = "" },
    TRACES (sts_traces), .probe_seconds = 10 },
  [V_MAP] = SL_PANEL_MAP (true),
};
/* clang-format on */
