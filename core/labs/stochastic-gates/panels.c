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
  [V_ALIVE] = { .id = "alive", .title = "One example on its way", .group = SL_SHOWS_WORK, .kind = SL_ALIVE,
    .probe_seconds = 0.07,
    .help = "Each expert's probability for one validation example, and the experts that are "
            "drawn: framed there, filled beside.",
    .formula = "o = (h ⊙ (x W₀ + b₀)) W₃ + b₃;  h drawn", .source = "Bengio, Léonard and Courville 2013, supplement" },
  [V_DENSITY] = { .id = "density", .title = "Gates on", .group = SL_SHOWS_WORK, .kind = SL_SERIES,
    .y = { "fraction on", "%" },
    .help = "In use, a threshold makes binary gates meet the target.",
    .formula = "mean over batch and units of 1[h ≠ 0]",
    .source = "Bengio, Léonard and Courville 2013, supplement A.1 and A.3",
    SL_TRACES (
      [T_TARGET] = { "target", "target", "%", "The target density.", SL_TARGET },
      [T_TRAIN_DENSITY] = { "train", "in training", "%", "" },
      [T_VALID_DENSITY] = { "valid", "in use", "%", "" },
      [T_EXPECTED_DENSITY] = { "expected", "expected", "%",
        "Mean probability of Gumbel-sigmoid and hard concrete gates.", SL_THEORY },
      [T_DEAD] = { "dead", "units never on", "%",
        "On for less than a thousandth of the inputs.",
        SL_REFERENCE, .formerly = "dead.dead" },
      [T_ALWAYS_ON] = { "always-on", "units always on", "%",
        "On for all but a thousandth.", SL_REFERENCE,
        .formerly = "dead.always-on" }) },
  [V_ERROR] = { .id = "error", .title = "Error", .group = SL_SHOWS_QUALITY, .kind = SL_SERIES,
    .y = { "wrong predictions", "%", .logarithmic = true },
    .help = "Wrong predictions, in training with drawn gates, on validation examples without.",
    .source = "Bengio, Léonard and Courville 2013, table 1",
    SL_TRACES (
      [T_TRAIN] = { "train", "training, with noise", "%", "" },
      [T_VALID] = { "valid", "validation", "%", "" }) },
  [V_COST] = { .id = "cost", .title = "Cost", .group = SL_SHOWS_COST, .kind = SL_SERIES,
    .y = { "cost", "% of dense", .lo = 0, .hi = 100 },
    .help = "Multiplications per input relative to all experts without a gater. The gater costs most: at "
            "the published sizes the tenfold saving shrinks to 1.25.",
    .formula = "(D M + M N + s (D N + N C)) ÷ (D N + N C)",
    .source = "the paper leaves the gater out",
    SL_TRACES (
      [T_EXPECTED] = { "expected", "expected", "% of dense",
        "From the gates' probabilities.", SL_THEORY },
      [T_EXECUTED] = { "executed", "executed", "% of dense",
        "Counted on validation examples." },
      [T_EXPECTED_BARE] = { "expected-bare", "expected, without gater", "% of dense",
        "Without the gater, as the paper counts.", SL_THEORY },
      [T_EXECUTED_BARE] = { "executed-bare", "executed, without gater", "% of dense",
        "Without the gater, as the paper counts.", SL_REFERENCE },
      [T_BREAK_EVEN] = { "dense", "break-even", "% of dense",
        "Above this line the gates cost more than they save.",
        SL_REFERENCE }) },
  [V_SPEED] = { .id = "speed", .title = "Speed-up", .group = SL_SHOWS_COST, .kind = SL_BARS,
    .y = { "speed-up over dense", "×", .lo = 0, .hi = 1 },
    .categories = SL_NAMES ("expected", "counted", "measured, 1 example", "measured, batch"),
    .probe_seconds = 2,
    .help = "Speed-up: predicted, counted, and measured on one thread, for one example and for a training batch.",
    .source = "timed here",
    SL_TRACES (
      [T_WITH_GATER] = { "with", "with the gater", "×", "" },
      [T_WITHOUT_GATER] = { "without", "without the gater", "×", "", SL_REFERENCE }) },
  [V_USE] = { .id = "uses", .title = "Gates in use compared", .group = SL_SHOWS_QUALITY,
    .kind = SL_BARS, .y = { "share", "%", .lo = 0, .hi = 1 },
    .categories = SL_NAMES ("threshold", "p > ½", "drawn"), .probe_seconds = 2,
    .needs = "gate=sts|gate=sbn|gate=straight-through|gate=gumbel",
    .help = "Validation examples, with each way to use the gates.",
    .formula = "p > θ, p > ½, u < p",
    .source = "Bengio, Léonard and Courville 2013, supplement A.3",
    SL_TRACES (
      [T_USE_ERROR] = { "error", "error", "%", "Wrong predictions." },
      [T_USE_DENSITY] = { "density", "gates on", "%", "", SL_REFERENCE }) },
  [V_RATES] = { .id = "rates", .title = "Rates of units",
    .group = SL_SHOWS_WORK,
    .kind = SL_HISTORY,
    .y = { "√ rate", .lo = 0, .hi = 1 }, .z = { "units", "%" },
    .help = "Low rows are rarely on. If all are in the row of the target, gates ignore the input or share the "
            "inputs evenly.",
    SL_TRACES ({ "units", "units", "%", "", SL_MEASURED, "rate-bins" }) },
  [V_LOSS] = { .id = "loss", .title = "Training loss", .group = SL_SHOWS_QUALITY, .kind = SL_SERIES,
    .y = { "loss", "nats", .logarithmic = true },
    .help = "Cross entropy of the training batches, and the density term.",
    SL_TRACES (
      [T_LOSS] = { "train", "cross entropy", "nats", "" },
      [T_TERM] = { "sparsity", "density term", "nats",
        "Its least value is not 0.", SL_REFERENCE }) },
  [V_DECIDED] = { .id = "decided", .title = "Decided gates",
    .group = SL_SHOWS_WORK,
    .kind = SL_SERIES,
    .y = { "gates", "%" },
    .help = "If every gate had the target density the share would be 0.",
    .formula = "share of p > ½", .source = "Bengio, Léonard and Courville 2013, supplement A.2",
    SL_TRACES (
      [T_SHARE] = { "above-half", "p > ½", "%", "" },
      [T_SHARE_TARGET] = { "target", "target", "%", "If all gates had decided.",
        SL_TARGET }) },
  [V_DIRECTION] = { .id = "direction", .title = "Direction of estimates",
    .group = SL_SHOWS_GATE,
    .kind = SL_BARS,
    .y = { "cosine", .lo = 0, .hi = 1, .least = -1, .most = 1 }, .categories = estimators,
    .probe_seconds = 1,
    .help = "Cosine of each gradient estimate to the exact gradient: 1 is exact, below 0 the loss "
            "increases. SBN is REINFORCE without, with the mean and with the best baseline; ST straight-through; "
            "GS Gumbel-sigmoid; HC hard concrete.",
    .formula = "cos (estimate, ∂E[L] ÷ ∂a)", .source = "computed by enumeration and by draws",
    SL_TRACES (
      { "mean", "mean of all draws", "", "Cosine of the estimate's mean; GS and HC over 2000 draws, STS "
        "against the gradient of its own gates." },
      { "draw", "single draw", "", "", SL_REFERENCE }) },
  [V_NOISE] = { .id = "noise", .title = "Bias and deviation",
    .group = SL_SHOWS_GATE,
    .kind = SL_BARS,
    .y = { "÷ exact gradient", .lo = 0, .hi = 1, .least = 0, .most = INFINITY }, .categories = estimators, .probe_seconds = 1,
    .help = "Bias of each estimate and deviation of one draw, relative to the exact gradient. REINFORCE "
            "without a baseline is unusable.",
    .formula = "‖E[estimate] − g‖ ÷ ‖g‖  and  √(E ‖estimate − E[estimate]‖²) ÷ ‖g‖,  g = ∂E[L] ÷ "
               "∂a",
    .source = "computed by enumeration and by draws",
    SL_TRACES (
      { "bias", "bias", "", "‖mean of the estimate − exact gradient‖ ÷ ‖exact gradient‖." },
      { "deviation", "deviation", "",
        "Root of the summed variances of one draw ÷ ‖exact gradient‖.", SL_REFERENCE }) },
  [V_TOY] = { .id = "toy", .title = "Exact gradient and estimates",
    .group = SL_SHOWS_GATE,
    .kind = SL_PROFILE,
    .x = { "gate", .whole = true }, .y = { "gradient", "nats" }, .probe_seconds = 1,
    .help = "One input, gate by gate: the exact gradient of the expected loss by the logits, and its "
            "estimates. Bars are one standard deviation.",
    .formula = "g = Σ over all 2ⁿ states of L · ∂P ÷ ∂a;  REINFORCE: (hᵢ − pᵢ) (L − L̄ᵢ)",
    .source = "computed by enumeration",
    SL_TRACES (
      { "exact", "exact", "nats", "From all states.",
        SL_THEORY },
      { "sbn", "REINFORCE", "nats", "With the baseline of least variance; mean and deviation." },
      { "straight-through", "straight-through", "nats", "Mean and deviation." },
      { "slope", "straight-through × σ′", "nats", "Mean and deviation." },
      { "gumbel", "Gumbel-sigmoid", "nats", "Mean and deviation over 2000 draws." },
      { "hard-concrete", "hard concrete", "nats", "Mean and deviation over 2000 draws." }) },
  [V_WIDTH] = { .id = "width", .title = "Cost of the gater",
    .group = SL_SHOWS_COST,
    .kind = SL_PROFILE,
    .x = { "gater hidden units", .logarithmic = true, .whole = true },
    .y = { "cost", "% of dense" },
    .probe_seconds = 2,
    .help = "To the right of the mark a gater costs more than its gates can save.",
    .formula = "break-even: M = (1 − s) (D N + N C) ÷ (D + N)",
    SL_TRACES (
      { "measured", "at this density", "% of dense", "" },
      { "target", "at the target", "% of dense", "", SL_TARGET },
      { "here", "this gater", "% of dense", "", SL_REFERENCE }) },
  [V_UNIT] = { .id = "unit", .title = "Gate function",
    .group = SL_SHOWS_GATE,
    .kind = SL_PROFILE, .x = { "logit" },
    .probe_seconds = 1,
    .help = "A gate's probability of being on, mean, and value in use, against its logit. The mark is the "
            "threshold of binary gates.",
    .formula = "SBN, ST: P (on) = σ (a);  STS: P (on) = √σ (a), value √σ (a);  rectifier: max (0, "
               "a + z);  hard concrete: P (on) = σ (a − β log (−γ ÷ ζ))",
    .source = "Bengio, Léonard and Courville 2013, propositions 1 and 2; Louizos, Welling and Kingma 2018",
    SL_TRACES (
      { "active", "P (on)", "", "", SL_THEORY },
      { "mean", "mean", "", "", SL_THEORY },
      { "use", "in use", "", "Value without sampling." }) },
  [V_STS] = { .id = "sts-bias", .title = "Bias of the STS gradient",
    .group = SL_SHOWS_GATE,
    .kind = SL_PROFILE,
    .x = { "logit" }, .y = { "derivative of f" }, .probe_seconds = 10,
    .help = "A smooth times stochastic gate (STS) h before f (h) = (h − 0.3)². Where the curves have "
            "different signs, backpropagation increases the loss.",
    .formula = "true: ½ √p (1 − p) [f (√p) − f (0) + √p f′ (√p)];  backpropagation: ½ p (1 − p) f′ "
               "(√p)",
    .source = "derived from proposition 2 of the paper",
    SL_TRACES (
      { "true", "true", "", "", SL_THEORY },
      { "backprop", "backpropagation", "", "Mean of backpropagation." }) },
  [V_MAP] = SL_PANEL_MAP (true),
};
/* clang-format on */
