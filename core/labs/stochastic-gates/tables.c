/* SPDX-License-Identifier: MIT
 *
 * The knobs and trials of the lab `stochastic-gates`, in words.  */
#include "core/labs/stochastic-gates/tables.h"

#include "core/lab/kit/params.h"
#include "core/nn/gater/units.h"

#define SUPPLEMENT "Bengio, Léonard and Courville 2013, supplement "

/* clang-format off */
const SlParam sl_gates_params[N_PARAMS] = {
  [P_GATE] = { .id = "gate", .title = "Gate", .group = SL_GROUP_CONDITIONAL, .kind = SL_CHOICE,
    .fallback = SL_GATER_ST, .effect = SL_RESTART,
    .help = "How a gate passes the gradient on: exactly (rectifiers), by REINFORCE (binary neuron), as if "
            "smooth (straight-through), both (smooth times stochastic), or with noise before a sigmoid.",
    .formula = "h = f (a, noise);  output = softmax ((h ⊙ H) W₃ + b₃),  a: logits of the gater, H: "
               "the linear experts",
    .source = "Bengio, Léonard and Courville 2013, §2 to §4",
    /* In the order of SlGaterKind. */
    SL_CHOICES ({ "rectifier", "Rectifier" }, { "noisy-rectifier", "Noisy rectifier" },
      { "sts", "Smooth times stochastic" }, { "sbn", "Stochastic binary neuron" },
      { "straight-through", "Straight-through" }, { "sigmoid", "Sigmoid" },
      { "gumbel", "Gumbel-sigmoid" }, { "hard-concrete", "Hard concrete" }) },
  [P_DENSITY] = { .id = "target-density", .title = "Target density s",
    .group = SL_GROUP_CONDITIONAL, .kind = SL_REAL, .lo = 0.01, .hi = 0.9, .step = 0.01,
    .fallback = 0.1, .logarithmic = true, .headline = SL_HEADLINE_SPARSITY,
    .help = "Share of the gates that should be on. In training the density term moves binary gates towards "
            "it; in use a threshold sets it.",
    .formula = "s of all gates on;  binary gates: threshold θ = the (1 − s) quantile of p",
    .source = SUPPLEMENT "A.1: 0.1" },
  [P_USE] = { .id = "use", .title = "Gates in use", .group = SL_GROUP_CONDITIONAL, .kind = SL_CHOICE,
    .fallback = USE_THRESHOLD,
    .needs = "gate=sts|gate=sbn|gate=straight-through|gate=gumbel",
    .help = "When a gate is on in evaluation: above the threshold that gives the target density, which the "
            "paper found best, above one half, or drawn as in training.",
    .formula = "p > θ, p > ½, or u < p with u uniform;  STS: of √p",
    .source = SUPPLEMENT "A.3: optimised threshold",
    /* In the order of SlGatesUse. */
    SL_CHOICES ({ "threshold", "Optimised threshold" }, { "half", "Above one half" },
      { "sampled", "Drawn" }) },
  [P_WEIGHT] = { .id = "sparsity-weight", .title = "Density weight", .unit = "× published",
    .group = SL_GROUP_CONDITIONAL, .kind = SL_REAL, .lo = 1e-4, .hi = 1000, .step = 0.1,
    .fallback = 1, .logarithmic = true,
    .help = "How strongly the density term moves each binary gate's mean towards the target; 1 is the "
            "authors' λ. Too large, all gates do the same for every input.",
    .formula = "−λ Σᵢ [s log p̄ᵢ + (1 − s) log (1 − p̄ᵢ)],  p̄ᵢ: batch mean of unit i;  STS: of √p",
    .source = "the authors' code: λ = 0.1 straight-through, 1 SBN, 0.001 STS; ours: 0.01 for the others" },
  [P_L1_START] = { .id = "l1-start", .title = "First L1 weight", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_REAL, .lo = 1e-13, .hi = 1, .step = 1e-6, .fallback = 1e-5, .logarithmic = true,
    .effect = SL_RESTART,
    .help = "First weight of a rectifier's L1 term, which a controller changes. It depends on the batch size.",
    .formula = "λ Σ |h|;  λ grows while more than s + 0.01 are on and shrinks below s − 0.01",
    .source = "the authors' code: 1e-5 for batches of 32" },
  [P_KAPPA] = { .id = "controller-gain", .title = "Controller gain κ",
    .group = SL_GROUP_CONDITIONAL, .kind = SL_REAL, .lo = 0, .hi = 0.95, .step = 0.01,
    .fallback = 0.1,
    .help = "How fast the L1 weight changes while the density is more than 0.01 off. Large gains oscillate; "
            "0 keeps it constant.",
    .formula = "λ ← λ (1 + κ) or λ (1 − κ), within 10⁻¹³ … 1", .source = "the authors' code: 0.1" },
  [P_NUDGE] = { .id = "nudge", .title = "Bias boost for dead units", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_REAL, .lo = 0, .hi = 1, .step = 0.01, .fallback = 0,
    .help = "Raises the bias of gates that are on less than a tenth as often as they should be. It revives "
            "units without gradient; 0 is off." },
  [P_SLOPE] = { .id = "slope", .title = "Multiply by σ′", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_BOOLEAN, .fallback = 0, .needs = "gate=straight-through",
    .help = "Multiplies the straight-through gradient by the sigmoid's slope. It is closer to the true "
            "gradient, but the paper found that it learns worse.",
    .formula = "da = dh, or dh · p (1 − p)", .source = SUPPLEMENT "A.4: off" },
  [P_FIRING] = { .id = "firing", .title = "Probability of being on", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_CHOICE, .fallback = FIRE_ROOT, .needs = "gate=sts",
    .help = "How often a smooth times stochastic gate is on, with value √p. The paper says √p, which makes "
            "the mean p; the authors' code has p.",
    .formula = "P (on) = √p and value √p: mean p  (reading);  the authors' code: P (on) = p, mean "
               "p^1.5",
    .source = "Bengio, Léonard and Courville 2013, proposition 2",
    SL_CHOICES ({ "root", "√p" }, { "plain", "p" }) },
  [P_BETA_NOISE] = { .id = "beta-noise", .title = "Beta noise", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_CHOICE, .fallback = BETA_PAPER, .needs = "gate=sts",
    .help = "Skewed noise on the logits in training, which pushes gates towards a decision; in use its mean "
            "replaces it.",
    .source = SUPPLEMENT "A.2",
    SL_CHOICES ({ "off", "Off" }, { "paper", "As in the paper" }, { "code", "As in the code" }) },
  [P_BETA] = { .id = "beta", .title = "β of the noise", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_REAL, .lo = 1.1, .hi = 200, .step = 1, .fallback = 40.1, .logarithmic = true,
    .needs = "gate=sts",
    .help = "Second parameter of the Beta distribution; the first puts the mode at the target density. "
            "Larger is narrower.",
    .formula = "B ~ Beta (α, β),  α = (s (β − 2) + 1) ÷ (1 − s): the mode is s",
    .source = SUPPLEMENT "A.2: 40.1, of 1.1 to 160.1" },
  [P_STS_NOISE] = { .id = "sts-noise-sd", .title = "Gaussian noise", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_REAL, .lo = 0, .hi = 7, .step = 0.1, .fallback = 0, .needs = "gate=sts",
    .help = "Standard deviation of Gaussian noise on the logits in training, in addition to Beta noise. 0 is off.",
    .source = SUPPLEMENT "A.2: tried, without a value" },
  [P_NOISE_HALF] = { .id = "noise-half", .title = "Noise affects", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_CHOICE, .fallback = NOISE_ALL, .needs = "gate=sts",
    .help = "A smooth times stochastic gate is a value times a decision. Noise affects both, as in the "
            "authors' code, or only the decision, as in the supplement.",
    .formula = "h = √σ (a + z) or √σ (a), with probability √σ (a + z), else 0",
    .source = SUPPLEMENT "A.4: the stochastic half",
    SL_CHOICES ({ "both", "Value and decision" }, { "decision", "Decision only" }) },
  [P_NOISE] = { .id = "noise", .title = "Noise distribution", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_CHOICE, .fallback = NOISE_GAUSSIAN, .needs = "gate=noisy-rectifier",
    .help = "Noise of noisy rectifiers. With logistic noise a unit is on with probability σ (a).",
    .formula = "Gaussian: P (on) = Φ (a ÷ sd), mean a Φ (a ÷ sd) + sd φ (a ÷ sd);  logistic: P "
               "(on) = σ (a), mean softplus (a)",
    .source = SUPPLEMENT "A.4: Gaussian",
    SL_CHOICES ({ "gaussian", "Gaussian" }, { "logistic", "Logistic" }) },
  [P_NOISE_SCALE] = { .id = "noise-sd", .title = "Noise scale", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_REAL, .lo = 0, .hi = 7, .step = 0.1, .fallback = 1,
    .help = "Standard deviation of Gaussian noise of rectifiers and sigmoids, scale of logistic noise. 0 is off.",
    .source = SUPPLEMENT "A.4: 1" },
  [P_NOISE_ACTS] = { .id = "noise-acts", .title = "Noise form", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_CHOICE, .fallback = NOISE_PLUS,
    .needs = "gate=noisy-rectifier|gate=sigmoid noise-sd>0",
    .help = "Added to the logit, or a factor around 1. A factor leaves a logit of 0 as it is.",
    .formula = "z = a + ε  or  z = a (1 + ε);  P (on) = P (1 + ε > 0) for a > 0",
    .source = "Bengio, Léonard and Courville 2013, abstract: additive or multiplicative",
    SL_CHOICES ({ "added", "Added" }, { "factor", "Factor" }) },
  [P_HARD] = { .id = "hard", .title = "Straight-through", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_BOOLEAN, .fallback = 1, .needs = "gate=gumbel",
    .help = "On, training uses gates of 0 or 1 with the gradient of soft ones. Off, it uses soft gates and "
            "computes every unit; in use they are still 0 or 1, which costs accuracy.",
    .formula = "h = 1[a + ℓ > 0] or h = σ ((a + ℓ) ÷ τ);  da = dh · s (1 − s) ÷ τ in both",
    .source = "Jang, Gu and Poole 2016, §2.2" },
  [P_TEMPERATURE] = { .id = "temperature", .title = "Temperature τ", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_REAL, .lo = 0.05, .hi = 5, .step = 0.05, .fallback = 1, .logarithmic = true,
    .needs = "gate=gumbel",
    .help = "Low temperatures give a correct but noisy gradient, high ones a steady but biased one, for "
            "rare gates even of the wrong sign.",
    .formula = "s = σ ((a + ℓ) ÷ τ),  ℓ = log v − log (1 − v), v uniform",
    .source = "Maddison, Mnih and Teh 2016; Jang, Gu and Poole 2016" },
  [P_TEMPERATURE_END] = { .id = "temperature-end", .title = "Lowest temperature",
    .group = SL_GROUP_CONDITIONAL, .kind = SL_REAL, .lo = 0.05, .hi = 5, .step = 0.05,
    .fallback = 0.5, .logarithmic = true, .needs = "gate=gumbel temperature-half>0",
    .help = "Where the temperature stops falling.", .formula = "τ = max (end, start · 2^(−t ÷ half))" },
  [P_TEMPERATURE_HALF] = { .id = "temperature-half", .title = "Temperature half-life",
    .unit = "updates", .group = SL_GROUP_CONDITIONAL, .kind = SL_INTEGER, .lo = 0, .hi = 1e6,
    .step = 100, .fallback = 0, .needs = "gate=gumbel",
    .help = "Updates in which the temperature halves; 0 keeps it constant." },
  [P_L0_TERM] = { .id = "l0-term", .title = "Density term", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_CHOICE, .fallback = L0_TARGET, .needs = "gate=hard-concrete",
    .help = "A pull of each gate's probability towards the target, or a weight times the expected number of "
            "gates on, as published and without a target.",
    .formula = "−λ Σᵢ [s log q̄ᵢ + (1 − s) log (1 − q̄ᵢ)]  or  λ · mean of q,  q = σ (a − β log (−γ ÷ ζ))",
    .source = "Louizos, Welling and Kingma 2018, eq. 12; the mean is ours",
    SL_CHOICES ({ "target", "Towards target" }, { "published", "Expected L0 (published)" }) },
  [P_L0_WEIGHT] = { .id = "l0-weight", .title = "L0 weight λ", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_REAL, .lo = 0.01, .hi = 1000, .step = 1, .fallback = 10, .logarithmic = true,
    .needs = "gate=hard-concrete l0-term=published",
    .help = "Weight of the expected share of gates on. Larger weights switch more off; the density follows." },
  [P_RATE] = SL_PARAM_RATE (0.1, 0.01, SUPPLEMENT "A.4: 0.1"),
  [P_FACTOR] = { .id = "gater-rate", .title = "Gater learning rate", .unit = "× published",
    .group = SL_GROUP_TRAINING, .kind = SL_REAL, .lo = 1e-4, .hi = 100, .step = 0.1, .fallback = 1,
    .logarithmic = true,
    .help = "Relative to the experts' learning rate, for the binary neuron to a hundredth of it, because "
            "its gradient is noisy. Too large, the gates learn nothing.",
    .source = SUPPLEMENT "A.4: 0.01 of the experts' for SBN, else the same" },
  [P_MOMENTUM] = { .id = "momentum", .title = "Momentum", .group = SL_GROUP_TRAINING,
    .kind = SL_REAL, .lo = 0, .hi = 0.95, .step = 0.05, .fallback = 0,
    .help = "Share of the last update that is repeated. The paper uses it for smooth times stochastic gates "
            "(STS) only and found it harmful for binary neurons (SBN).",
    .source = SUPPLEMENT "A.4; the authors' code begins with 0.5" },
  [P_MAX_NORM] = { .id = "max-norm", .title = "Maximum norm", .group = SL_GROUP_TRAINING,
    .kind = SL_REAL, .lo = 0, .hi = 20, .step = 0.1, .fallback = 2,
    .help = "Largest length of the weights into a unit; longer ones are scaled back after each update. 0 is "
            "no bound.",
    .formula = "w ← w · min (1, c ÷ ‖w‖), column by column", .source = SUPPLEMENT "A.4: 2" },
  [P_SCHEDULE] = SL_PARAM_SCHEDULE (""),
  [P_SCHEDULE_EPOCHS] = SL_PARAM_SCHEDULE_EPOCHS,
  [P_BATCH] = SL_PARAM_BATCH (MOST_BATCH, 32),
  [P_UNITS] = { .id = "experts", .title = "Experts", .unit = "units", .group = SL_GROUP_MODEL,
    .kind = SL_INTEGER, .lo = 1, .hi = 4096, .step = 1, .fallback = 1000, .logarithmic = true,
    .effect = SL_RESTART, .one = "expert",
    .help = "Linear units, each with a gate.",
    .source = SUPPLEMENT "A: 2000, 200 for the sigmoid; we start with half, so that it trains fast" },
  [P_HIDDEN] = { .id = "gater-hidden", .title = "Gater hidden units", .unit = "units",
    .group = SL_GROUP_MODEL, .kind = SL_INTEGER, .lo = 1, .hi = 2048, .step = 1, .fallback = 200,
    .logarithmic = true, .effect = SL_RESTART, .one = "unit",
    .help = "tanh units between input and gates. All are always computed, so a wide gater costs as much as "
            "its gates save.",
    .formula = "the gater costs D M + M N, the experts save (1 − s) (D N + N C)",
    .source = SUPPLEMENT "A: 400; we start with half" },
  [P_TOY] = { .id = "toy-gates", .title = "Exact gradient gates", .group = SL_GROUP_VIEW, .view = true,
    .kind = SL_INTEGER, .lo = 1, .hi = 12, .step = 1, .fallback = 8, .one = "gate",
    .help = "Number of gates, those closest to one half, that compare estimates with the exact gradient. "
            "All 2ⁿ states are computed." },
  [P_BINS] = { .id = "rate-bins", .title = "Rate bins", .group = SL_GROUP_VIEW, .view = true,
    .kind = SL_INTEGER, .lo = 4, .hi = 60, .step = 1, .fallback = 20, .effect = SL_RESTART,
    .one = "bin",
    .help = "Rows of the histogram of rates. Bin i of n holds rates from ((i − 1) ÷ n)² to (i ÷ n)², so "
            "that small rates are told apart." },
  [P_REPORT] = SL_PARAM_REPORT,
  [P_EVALUATE] = SL_PARAM_EVALUATE,
  [P_EXAMPLES] = SL_PARAM_EXAMPLES,
};
/* clang-format on */
