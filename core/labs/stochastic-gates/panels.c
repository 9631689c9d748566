/* SPDX-License-Identifier: MIT
 *
 * What the lab `stochastic-gates` shows, in words.  */
#include "core/labs/stochastic-gates/tables.h"

#include <math.h>

#include "core/lab/kit/panels.h"

/* One name per estimator, in the order of SlGaterEstimator, short enough for eight in a narrow window. */
static const char *const estimators[] = {
  "SBN bare", "SBN mean", "SBN best", "ST", "ST × σ′", "STS", "GS", "HC", NULL,
};

/* clang-format off */
const SlPanel sl_gates_panels[N_PANELS] = {
  [V_DENSITY] = { .id = "density", .title = "Gates on", .group = SL_SHOWS_WORK, .kind = SL_SERIES,
    .y = { "fraction on", "%" },
    .help = "The target density and the measured density, in training and in use. In use binary "
            "gates meet the target by their threshold, whatever happens in training. Units that are "
            "never or always on decide nothing.",
    .formula = "mean over batch and units of 1[h ≠ 0]",
    .source = "Bengio, Léonard and Courville 2013, supplement A.1 and A.3",
    SL_TRACES (
      [T_TARGET] = { "target", "target", "%", "The target density.", SL_TARGET },
      [T_TRAIN_DENSITY] = { "train", "in training", "%",
        "Gates that were on in the batches since the last report, as drawn." },
      [T_VALID_DENSITY] = { "valid", "in use", "%",
        "Gates that are on for validation examples, without sampling." },
      [T_EXPECTED_DENSITY] = { "expected", "expected", "%",
        "Mean probability of being on, of Gumbel-sigmoid and hard concrete gates.", SL_THEORY },
      [T_DEAD] = { "dead", "units never on", "%",
        "Units that are on for less than a thousandth of the inputs; a boost of the bias revives them.",
        SL_REFERENCE, .formerly = "dead.dead" },
      [T_ALWAYS_ON] = { "always-on", "units always on", "%",
        "Units that are on for all but a thousandth of the inputs.", SL_REFERENCE,
        .formerly = "dead.always-on" }) },
  [V_ERROR] = { .id = "error", .title = "Error", .group = SL_SHOWS_QUALITY, .kind = SL_SERIES,
    .y = { "wrong predictions", "%", .logarithmic = true },
    .help = "Wrong predictions in training, with sampled gates, and on validation examples, "
            "without sampling.",
    .source = "Bengio, Léonard and Courville 2013, table 1",
    SL_TRACES (
      [T_TRAIN] = { "train", "train, gates sampled", "%",
        "Training batches since the last report." },
      [T_VALID] = { "valid", "validation", "%",
        "Wrong predictions on the validation examples, gates without sampling." }) },
  [V_COST] = { .id = "cost", .title = "Cost", .group = SL_SHOWS_COST, .kind = SL_SERIES,
    .y = { "cost", "% of dense", .lo = 0, .hi = 100 },
    .help = "Multiplications per input relative to all experts without a gater. The gater itself "
            "is most of it: at the published sizes a saving of 1.25 is left of the tenfold saving.",
    .formula = "(D M + M N + s (D N + N C)) ÷ (D N + N C)",
    .source = "the paper leaves the gater out",
    SL_TRACES (
      [T_EXPECTED] = { "expected", "expected", "% of dense",
        "Multiplications expected from the gates' probabilities, gater included.", SL_THEORY },
      [T_EXECUTED] = { "executed", "executed", "% of dense",
        "Multiplications counted on validation examples, gater included." },
      [T_EXPECTED_BARE] = { "expected-bare", "expected, without gater", "% of dense",
        "The same without the gater, as the paper counts.", SL_THEORY },
      [T_EXECUTED_BARE] = { "executed-bare", "executed, without gater", "% of dense",
        "The same without the gater, as the paper counts.", SL_REFERENCE },
      [T_BREAK_EVEN] = { "dense", "break-even", "% of dense",
        "All experts without a gater: above this line the gates cost more than they save.",
        SL_REFERENCE }) },
  [V_SPEED] = { .id = "speed", .title = "Speed-up", .group = SL_SHOWS_COST, .kind = SL_BARS,
    .y = { "speed-up over dense", "×", .lo = 0, .hi = 1 },
    .categories = SL_NAMES ("expected", "executed", "timed, batch 1", "timed, batch 64"),
    .probe_seconds = 2,
    .help = "Speed-up by the probabilities, by counted multiplications, and measured on one "
            "thread with real conditional kernels and the current weights.",
    .source = "timed here",
    SL_TRACES (
      [T_WITH_GATER] = { "with", "with the gater", "×",
        "Cost of all experts without a gater ÷ cost of gater and gated experts." },
      [T_WITHOUT_GATER] = { "without", "without the gater", "×",
        "The same if the gates are already known.", SL_REFERENCE }) },
  [V_USE] = { .id = "uses", .title = "Three ways to use the gates", .group = SL_SHOWS_QUALITY,
    .kind = SL_BARS, .y = { "share", "%", .lo = 0, .hi = 1 },
    .categories = SL_NAMES ("threshold", "p > ½", "drawn"), .probe_seconds = 2,
    .needs = "gate=sts|gate=sbn|gate=straight-through|gate=gumbel",
    .help = "The same network on validation examples with the threshold at which the wished share of "
            "gates is on, with gates that are on above one half, and with gates drawn as in training.",
    .formula = "p > θ, p > ½, u < p",
    .source = "Bengio, Léonard and Courville 2013, supplement A.3",
    SL_TRACES (
      [T_USE_ERROR] = { "error", "error", "%", "Wrong predictions." },
      [T_USE_DENSITY] = { "density", "gates on", "%", "Gates that are on.", SL_REFERENCE }) },
  [V_RATES] = { .id = "rates", .title = "Rates of the units",
    .group = SL_SHOWS_WORK,
    .kind = SL_HISTORY,
    .y = { "√ rate", .lo = 0, .hi = 1 }, .z = { "units", "%" },
    .help = "How often the units are on, as a histogram over time: units in low rows are rarely "
            "on. If all units are in the row of the target, the gates either do the same for every "
            "input or share the inputs evenly.",
    SL_TRACES ({ "units", "units", "%", "Share of the units whose rate is in this bin.",
      SL_MEASURED, "rate-bins" }) },
  [V_LOSS] = { .id = "loss", .title = "Training loss", .group = SL_SHOWS_QUALITY, .kind = SL_SERIES,
    .y = { "loss", "nats", .logarithmic = true },
    .help = "Mean cross entropy of the training batches, and the density term beside it.",
    SL_TRACES (
      [T_LOSS] = { "train", "cross entropy", "nats",
        "Mean of the training batches since the last report, as drawn." },
      [T_TERM] = { "sparsity", "density term", "nats",
        "What is added to it for the density. Its least value is not 0.", SL_REFERENCE }) },
  [V_DECIDED] = { .id = "decided", .title = "Decided gates",
    .group = SL_SHOWS_WORK,
    .kind = SL_SERIES,
    .y = { "gates", "%" },
    .help = "Gates with a probability above one half. If all of them had the target density the "
            "share would be 0; better are a few gates that are surely on and many that are surely "
            "off.",
    .formula = "share of p > ½", .source = "Bengio, Léonard and Courville 2013, supplement A.2",
    SL_TRACES (
      [T_SHARE] = { "above-half", "p > ½", "%",
        "Gates of the batch with a probability above one half." },
      [T_SHARE_TARGET] = { "target", "target", "%", "The share if all gates had decided.",
        SL_TARGET }) },
  [V_DIRECTION] = { .id = "direction", .title = "Direction of the estimates",
    .group = SL_SHOWS_GATE,
    .kind = SL_BARS,
    .y = { "cosine", .lo = 0, .hi = 1, .least = -1, .most = 1 }, .categories = estimators,
    .probe_seconds = 1,
    .help = "For a few gates of real inputs all states are computed: the direction of each "
            "estimate against the exact gradient, for the mean of all draws and for a single one. "
            "1 is the exact direction; below 0 the loss would increase. STS is compared with the "
            "gradient of its own gates, all others with that of gates that are 0 or 1. GS is Gumbel-sigmoid, HC hard concrete; SBN is REINFORCE "
            "without a baseline, with the mean loss and with the best baseline, ST straight-through. "
            "Gumbel-sigmoid and hard concrete, whose noise is continuous, are means over 2000 draws.",
    .formula = "cos (estimate, ∂E[L] ÷ ∂a)", .source = "computed by enumeration and by draws",
    SL_TRACES (
      { "mean", "mean of all draws", "", "Cosine of the estimate's mean to the exact gradient." },
      { "draw", "a single draw", "", "Mean of the cosine of one draw to the exact gradient.",
        SL_REFERENCE }) },
  [V_NOISE] = { .id = "noise", .title = "Bias and deviation",
    .group = SL_SHOWS_GATE,
    .kind = SL_BARS,
    .y = { "÷ exact gradient", .lo = 0, .hi = 1, .least = 0, .most = INFINITY }, .categories = estimators, .probe_seconds = 1,
    .help = "Bias of each estimate, and deviation of one draw from its mean, both relative to the "
            "length of the exact gradient. REINFORCE without a baseline is unusable. Gumbel-sigmoid and "
            "hard concrete are means over 2000 draws.",
    .formula = "‖E[estimate] − g‖ ÷ ‖g‖  and  √(E ‖estimate − E[estimate]‖²) ÷ ‖g‖,  g = ∂E[L] ÷ "
               "∂a",
    .source = "computed by enumeration and by draws",
    SL_TRACES (
      { "bias", "bias", "", "‖mean of the estimate - exact gradient‖ ÷ ‖exact gradient‖." },
      { "deviation", "deviation", "",
        "Root of the summed variances of one draw ÷ ‖exact gradient‖.", SL_REFERENCE }) },
  [V_TOY] = { .id = "toy", .title = "Exact gradient and estimates",
    .group = SL_SHOWS_GATE,
    .kind = SL_PROFILE,
    .x = { "gate", .whole = true }, .y = { "gradient", "nats" }, .probe_seconds = 1,
    .help = "One input, gate by gate: the exact gradient of the expected loss with respect to the "
            "logits, and its estimates; bars are one standard deviation.",
    .formula = "g = Σ over all 2ⁿ states of L · ∂P ÷ ∂a;  REINFORCE: (hᵢ − pᵢ) (L − L̄ᵢ)",
    .source = "computed by enumeration",
    SL_TRACES (
      { "exact", "exact", "nats", "The gradient of the expected loss, from all states.",
        SL_THEORY },
      { "sbn", "REINFORCE", "nats", "With the baseline of least variance; mean and deviation." },
      { "straight-through", "straight-through", "nats", "Mean and deviation." },
      { "slope", "straight-through × σ′", "nats", "Mean and deviation." },
      { "gumbel", "Gumbel-sigmoid", "nats", "Mean and deviation over 2000 draws." },
      { "hard-concrete", "hard concrete", "nats", "Mean and deviation over 2000 draws." }) },
  [V_WIDTH] = { .id = "width", .title = "Cost of the gater",
    .group = SL_SHOWS_COST,
    .kind = SL_PROFILE,
    .x = { "gater's hidden units", .logarithmic = true, .whole = true },
    .y = { "cost", "% of dense" },
    .probe_seconds = 2,
    .help = "Cost against the width of the gater. To the right of the mark a gater costs more than "
            "its gates can save.",
    .formula = "break-even: M = (1 − s) (D N + N C) ÷ (D + N)",
    SL_TRACES (
      { "measured", "at this density", "% of dense",
        "Cost at the density measured now." },
      { "target", "at the target", "% of dense", "Cost at the target density.",
        SL_TARGET },
      { "here", "this gater", "% of dense", "The width of this run.", SL_REFERENCE }) },
  [V_UNIT] = { .id = "unit", .title = "The gate",
    .group = SL_SHOWS_GATE,
    .kind = SL_PROFILE, .x = { "logit" },
    .probe_seconds = 1,
    .help = "The gate as a function of its logit: the probability of being on, its mean, and the "
            "value in use, where binary gates have a threshold (the mark).",
    .formula = "SBN, ST: P (on) = σ (a);  STS: P (on) = √σ (a), value √σ (a);  rectifier: max (0, "
               "a + z);  hard concrete: P (on) = σ (a − β log (−γ ÷ ζ))",
    .source = "Bengio, Léonard and Courville 2013, propositions 1 and 2; Louizos, Welling and Kingma 2018",
    SL_TRACES (
      { "active", "P (on)", "", "Probability of not being 0.", SL_THEORY },
      { "mean", "mean", "", "Expected value of the gate.", SL_THEORY },
      { "use", "in use", "", "Value without sampling." }) },
  [V_STS] = { .id = "sts-bias", .title = "Bias of the STS gradient",
    .group = SL_SHOWS_GATE,
    .kind = SL_PROFILE,
    .x = { "logit" }, .y = { "derivative of f" }, .probe_seconds = 10,
    .help = "A smooth times stochastic gate h before f (h) = (h - 0.3)². Where the curves have "
            "different signs, backpropagation increases the loss.",
    .formula = "true: ½ √p (1 − p) [f (√p) − f (0) + √p f′ (√p)];  backpropagation: ½ p (1 − p) f′ "
               "(√p)",
    .source = "derived from proposition 2 of the paper",
    SL_TRACES (
      { "true", "true", "", "Derivative of the expected value of f.", SL_THEORY },
      { "backprop", "backpropagation", "", "What backpropagation gives on average." }) },
  [V_MAP] = SL_PANEL_MAP (true),
};
/* clang-format on */
