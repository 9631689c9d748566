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
    .help = "The function that turns a logit into a gate, and so how the gradient is passed back. "
            "Rectifiers pass it on exactly; the binary neuron learns by REINFORCE; "
            "straight-through treats the decision as if it were smooth; smooth times stochastic "
            "combines both; the sigmoid is always on. Gumbel-sigmoid and hard concrete add noise "
            "before a sigmoid, so that the gradient has a smooth way through; hard concrete is cut off at "
            "0 and 1, so that some gates are exactly 0.",
    .formula = "h = f (a, noise);  output = softmax ((h ⊙ H) W₃ + b₃),  a: logits of the gater, H: "
               "the linear experts",
    .source = "Bengio, Léonard and Courville 2013, §2 to §4",
    /* In the order of SlGaterKind. */
    SL_CHOICES ({ "rectifier", "Rectifier" }, { "noisy-rectifier", "Noisy rectifier" },
      { "sts", "Smooth times stochastic" }, { "sbn", "Stochastic binary neuron" },
      { "straight-through", "Straight-through" }, { "sigmoid", "Sigmoid" },
      { "gumbel", "Gumbel-sigmoid" }, { "hard-concrete", "Hard concrete" }) },
  [P_DENSITY] = { .id = "target-density", .title = "Density s",
    .group = SL_GROUP_CONDITIONAL, .kind = SL_REAL, .lo = 0.01, .hi = 0.9, .step = 0.01,
    .fallback = 0.1, .logarithmic = true, .headline = SL_HEADLINE_SPARSITY,
    .help = "Share of the gates that should be on. A larger s keeps more gates on. In training the "
            "density term moves binary gates towards this share; when the network is used, a "
            "threshold sets it at once.",
    .formula = "s of all gates on;  binary gates: threshold θ = the (1 − s) quantile of p",
    .source = SUPPLEMENT "A.1: 0.1" },
  [P_USE] = { .id = "use", .title = "Gates in use", .group = SL_GROUP_CONDITIONAL, .kind = SL_CHOICE,
    .fallback = USE_THRESHOLD,
    .needs = "gate=sts|gate=sbn|gate=straight-through|gate=gumbel",
    .help = "What a gate with a probability does when the network is evaluated: it is on above the "
            "threshold at which the wished share of gates is on; on where its probability is above one "
            "half, which is rarely that share; or drawn as in training, noise and all. The paper found "
            "the first to be the best. The gating map is never drawn.",
    .formula = "p > θ, p > ½, or u < p with u uniform;  STS: of √p",
    .source = SUPPLEMENT "A.3: optimised threshold",
    /* In the order of SlGatesUse. */
    SL_CHOICES ({ "threshold", "Optimised threshold" }, { "half", "On above one half" },
      { "sampled", "Drawn" }) },
  [P_WEIGHT] = { .id = "sparsity-weight", .title = "Weight of the density term", .unit =
    "× published",
    .group = SL_GROUP_CONDITIONAL, .kind = SL_REAL, .lo = 1e-4, .hi = 1000, .step = 0.1,
    .fallback = 1, .logarithmic = true,
    .help = "How strongly the density term (the paper's sparsity regulariser) moves the mean of "
            "each binary gate towards the target density; 1 is the λ of the authors' code for this "
            "gate, and 0.01 for Gumbel-sigmoid and hard concrete, whose papers have no such term. If it is too small, the density drifts; if it is too large, all gates do the "
            "same for every input.",
    .formula = "−λ Σᵢ [s log p̄ᵢ + (1 − s) log (1 − p̄ᵢ)],  p̄ᵢ: batch mean of unit i;  STS: of √p",
    .source = "the authors' code: λ = 0.1 straight-through, 1 SBN, 0.001 STS; ours: 0.01 for the others" },
  [P_L1_START] = { .id = "l1-start", .title = "L1 weight at first", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_REAL, .lo = 1e-13, .hi = 1, .step = 1e-6, .fallback = 1e-5, .logarithmic = true,
    .effect = SL_RESTART,
    .help = "First value of the weight of a rectifier's L1 term; a controller changes it during "
            "the run. It multiplies a sum over the batch, so the right value depends on the batch "
            "size.",
    .formula = "λ Σ |h|;  λ grows while more than s + 0.01 are on and shrinks below s − 0.01",
    .source = "the authors' code: 1e-5 for batches of 32" },
  [P_KAPPA] = { .id = "controller-gain", .title = "Controller gain κ",
    .group = SL_GROUP_CONDITIONAL, .kind = SL_REAL, .lo = 0, .hi = 0.95, .step = 0.01,
    .fallback = 0.1,
    .help = "By how much the L1 weight of rectifiers grows or shrinks per update while the density "
            "is more than 0.01 off. Large gains make it oscillate; 0 keeps it as it is.",
    .formula = "λ ← λ (1 + κ) or λ (1 − κ), within 10⁻¹³ … 1", .source = "the authors' code: 0.1" },
  [P_NUDGE] = { .id = "nudge", .title = "Bias boost for dead units", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_REAL, .lo = 0, .hi = 1, .step = 0.01, .fallback = 0,
    .help = "Added to the bias of a gate that is on less than a tenth as often as it should be, "
            "times the missing share. It revives units that no gradient reaches any more; 0 is "
            "off." },
  [P_SLOPE] = { .id = "slope", .title = "Multiply by σ′", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_BOOLEAN, .fallback = 0, .needs = "gate=straight-through",
    .help = "Multiplies the straight-through gradient by the slope of the sigmoid. The result is "
            "closer to the true gradient, but the paper found that learning works better without "
            "it.",
    .formula = "da = dh, or dh · p (1 − p)", .source = SUPPLEMENT "A.4: off" },
  [P_FIRING] = { .id = "firing", .title = "Probability of being on", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_CHOICE, .fallback = FIRE_ROOT, .needs = "gate=sts",
    .help = "The probability with which a smooth times stochastic gate is on; on, it gives √p. The "
            "paper says √p, so that the mean is p; the authors' code has p.",
    .formula = "P (on) = √p and value √p: mean p  (reading);  the authors' code: P (on) = p, mean "
               "p^1.5",
    .source = "Bengio, Léonard and Courville 2013, proposition 2",
    SL_CHOICES ({ "root", "√p" }, { "plain", "p" }) },
  [P_BETA_NOISE] = { .id = "beta-noise", .title = "Beta noise", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_CHOICE, .fallback = BETA_PAPER, .needs = "gate=sts",
    .help = "Skewed noise on the logits in training, which pushes gates towards a decision; in use "
            "its mean replaces it. The paper and the authors' code scale it differently.",
    .source = SUPPLEMENT "A.2",
    SL_CHOICES ({ "off", "Off" }, { "paper", "As in the paper" }, { "code", "As in the code" }) },
  [P_BETA] = { .id = "beta", .title = "β of the noise", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_REAL, .lo = 1.1, .hi = 200, .step = 1, .fallback = 40.1, .logarithmic = true,
    .needs = "gate=sts",
    .help = "Second parameter of the Beta distribution; the first follows so that the mode is at "
            "the target density. Larger is narrower.",
    .formula = "B ~ Beta (α, β),  α = (s (β − 2) + 1) ÷ (1 − s): the mode is s",
    .source = SUPPLEMENT "A.2: 40.1, of 1.1 to 160.1" },
  [P_STS_NOISE] = { .id = "sts-noise-sd", .title = "Gaussian noise", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_REAL, .lo = 0, .hi = 7, .step = 0.1, .fallback = 0, .needs = "gate=sts",
    .help = "Standard deviation of Gaussian noise on the logits in training, added to the Beta noise or, "
            "with that off, in its place. 0 is none.",
    .source = SUPPLEMENT "A.2: tried, without a value" },
  [P_NOISE_HALF] = { .id = "noise-half", .title = "Noise reaches", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_CHOICE, .fallback = NOISE_ALL, .needs = "gate=sts",
    .help = "A smooth times stochastic gate is a value times a decision. The noise reaches both, as in "
            "the authors' code, or only the probability of the decision, as the supplement says.",
    .formula = "h = √σ (a + z) or √σ (a), with probability √σ (a + z), else 0",
    .source = SUPPLEMENT "A.4: the stochastic half",
    SL_CHOICES ({ "both", "Both halves" }, { "decision", "The decision alone" }) },
  [P_NOISE] = { .id = "noise", .title = "Noise is", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_CHOICE, .fallback = NOISE_GAUSSIAN, .needs = "gate=noisy-rectifier",
    .help = "Distribution of the noise of noisy rectifiers. With logistic noise a unit is on with "
            "probability σ (a).",
    .formula = "Gaussian: P (on) = Φ (a ÷ sd), mean a Φ (a ÷ sd) + sd φ (a ÷ sd);  logistic: P "
               "(on) = σ (a), mean softplus (a)",
    .source = SUPPLEMENT "A.4: Gaussian",
    SL_CHOICES ({ "gaussian", "Gaussian" }, { "logistic", "Logistic" }) },
  [P_NOISE_SCALE] = { .id = "noise-sd", .title = "Noise scale", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_REAL, .lo = 0, .hi = 7, .step = 0.1, .fallback = 1,
    .help = "Standard deviation of the Gaussian noise of noisy rectifiers and of sigmoids, scale "
            "of the logistic one. Other gates have none of it; 0 is off.",
    .source = SUPPLEMENT "A.4: 1" },
  [P_NOISE_ACTS] = { .id = "noise-acts", .title = "Noise acts as", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_CHOICE, .fallback = NOISE_PLUS,
    .needs = "gate=noisy-rectifier|gate=sigmoid noise-sd>0",
    .help = "Added to the logit, or a factor that varies around 1. A factor leaves a logit of 0 as it is, "
            "so a rectifier changes its mind only where the factor is negative.",
    .formula = "z = a + ε  or  z = a (1 + ε);  P (on) = P (1 + ε > 0) for a > 0",
    .source = "Bengio, Léonard and Courville 2013, abstract: additive or multiplicative",
    SL_CHOICES ({ "added", "A summand" }, { "factor", "A factor" }) },
  [P_HARD] = { .id = "hard", .title = "Straight-through", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_BOOLEAN, .fallback = 1, .needs = "gate=gumbel",
    .help = "The gate is 0 or 1 and the gradient is that of the soft gate. Off, training uses the soft "
            "gate itself, so every unit is computed in training; in use the gates are 0 or 1 anyway, "
            "and the difference costs accuracy.",
    .formula = "h = 1[a + ℓ > 0] or h = σ ((a + ℓ) ÷ τ);  da = dh · s (1 − s) ÷ τ in both",
    .source = "Jang, Gu and Poole 2016, §2.2" },
  [P_TEMPERATURE] = { .id = "temperature", .title = "Temperature τ", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_REAL, .lo = 0.05, .hi = 5, .step = 0.05, .fallback = 1, .logarithmic = true,
    .needs = "gate=gumbel",
    .help = "How soft the gate is. At a low temperature the gradient points the right way on average "
            "but varies much from draw to draw; at a high one it varies little and is biased, for rare "
            "gates even of the wrong sign. Hard gates are on with probability σ (a) at any τ.",
    .formula = "s = σ ((a + ℓ) ÷ τ),  ℓ = log v − log (1 − v), v uniform",
    .source = "Maddison, Mnih and Teh 2016; Jang, Gu and Poole 2016" },
  [P_TEMPERATURE_END] = { .id = "temperature-end", .title = "Lowest temperature",
    .group = SL_GROUP_CONDITIONAL, .kind = SL_REAL, .lo = 0.05, .hi = 5, .step = 0.05,
    .fallback = 0.5, .logarithmic = true, .needs = "gate=gumbel temperature-half>0",
    .help = "Where the falling temperature stops.", .formula = "τ = max (end, start · 2^(−t ÷ half))" },
  [P_TEMPERATURE_HALF] = { .id = "temperature-half", .title = "Temperature halves in",
    .unit = "updates", .group = SL_GROUP_CONDITIONAL, .kind = SL_INTEGER, .lo = 0, .hi = 1e6,
    .step = 100, .fallback = 0, .needs = "gate=gumbel",
    .help = "Updates after which the temperature is half of what it was; 0 keeps it constant." },
  [P_L0_TERM] = { .id = "l0-term", .title = "Density term is", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_CHOICE, .fallback = L0_TARGET, .needs = "gate=hard-concrete",
    .help = "What is added to the loss for the density: the term of the other gates, which moves the "
            "probability of being open towards the target, or the expected number of open gates times "
            "a fixed weight, as published, which has no target.",
    .formula = "−λ Σᵢ [s log q̄ᵢ + (1 − s) log (1 − q̄ᵢ)]  or  λ · mean of q,  q = σ (a − β log (−γ ÷ ζ))",
    .source = "Louizos, Welling and Kingma 2018, eq. 12; the mean is ours",
    SL_CHOICES ({ "target", "Towards the target" }, { "published", "Expected L0, as published" }) },
  [P_L0_WEIGHT] = { .id = "l0-weight", .title = "L0 weight λ", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_REAL, .lo = 0.01, .hi = 1000, .step = 1, .fallback = 10, .logarithmic = true,
    .needs = "gate=hard-concrete l0-term=published",
    .help = "Weight of the expected share of open gates. A larger one closes more of them; the "
            "density follows from it." },
  [P_RATE] = SL_PARAM_RATE (0.1, 0.01, SUPPLEMENT "A.4: 0.1"),
  [P_FACTOR] = { .id = "gater-rate", .title = "Gater's learning rate", .unit = "× published",
    .group = SL_GROUP_TRAINING, .kind = SL_REAL, .lo = 1e-4, .hi = 100, .step = 0.1, .fallback = 1,
    .logarithmic = true,
    .help = "Learning rate of the gater; 1 is that of the experts, and a hundredth of it for the "
            "binary neuron, whose gradient is noisy. A larger value trains the gates sooner, or "
            "not at all if it is too large.",
    .source = SUPPLEMENT "A.4: 0.01 of the experts' for SBN, else the same" },
  [P_MOMENTUM] = { .id = "momentum", .title = "Momentum", .group = SL_GROUP_TRAINING,
    .kind = SL_REAL, .lo = 0, .hi = 0.95, .step = 0.05, .fallback = 0,
    .help = "Share of the last update that is repeated. The paper uses it for STS only and found "
            "it harmful for SBN.",
    .source = SUPPLEMENT "A.4; the authors' code begins with 0.5" },
  [P_MAX_NORM] = { .id = "max-norm", .title = "Maximum norm", .group = SL_GROUP_TRAINING,
    .kind = SL_REAL, .lo = 0, .hi = 20, .step = 0.1, .fallback = 2,
    .help = "After each update the weights into a unit are scaled back to this length where they "
            "are longer. 0 is no bound.",
    .formula = "w ← w · min (1, c ÷ ‖w‖), column by column", .source = SUPPLEMENT "A.4: 2" },
  [P_SCHEDULE] = SL_PARAM_SCHEDULE (""),
  [P_SCHEDULE_EPOCHS] = SL_PARAM_SCHEDULE_EPOCHS,
  [P_BATCH] = SL_PARAM_BATCH (MOST_BATCH, 32),
  [P_UNITS] = { .id = "experts", .title = "Experts", .unit = "units", .group = SL_GROUP_MODEL,
    .kind = SL_INTEGER, .lo = 1, .hi = 4096, .step = 1, .fallback = 1000, .logarithmic = true,
    .effect = SL_RESTART, .one = "expert",
    .help = "Linear units, each with a gate. With more of them more can be left out.",
    .source = SUPPLEMENT "A: 2000, 200 for the sigmoid; we start with half, so that it trains fast" },
  [P_HIDDEN] = { .id = "gater-hidden", .title = "Gater's hidden units", .unit = "units",
    .group = SL_GROUP_MODEL, .kind = SL_INTEGER, .lo = 1, .hi = 2048, .step = 1, .fallback = 200,
    .logarithmic = true, .effect = SL_RESTART, .one = "unit",
    .help = "tanh units between the input and the gates. All of them are always computed, so a "
            "wide gater costs as much as the gates save.",
    .formula = "the gater costs D M + M N, the experts save (1 − s) (D N + N C)",
    .source = SUPPLEMENT "A: 400; we start with half" },
  [P_TOY] = { .id = "toy-gates", .title = "Gates of the exact gradient", .group = SL_GROUP_VIEW, .view = true,
    .kind = SL_INTEGER, .lo = 1, .hi = 12, .step = 1, .fallback = 8, .one = "gate",
    .help = "This many gates of an input, those closest to one half, are used to compare estimates "
            "with the exact gradient. All their 2ⁿ states are computed." },
  [P_BINS] = { .id = "rate-bins", .title = "Bins of the rates", .group = SL_GROUP_VIEW, .view = true,
    .kind = SL_INTEGER, .lo = 4, .hi = 60, .step = 1, .fallback = 20, .effect = SL_RESTART,
    .one = "bin",
    .help = "Rows of the histogram over time. Bin i of n counts the units that are on for a share "
            "of ((i - 1) ÷ n)² to (i ÷ n)² of the inputs, so small rates are told apart." },
  [P_REPORT] = SL_PARAM_REPORT,
  [P_EVALUATE] = SL_PARAM_EVALUATE,
  [P_EXAMPLES] = SL_PARAM_EXAMPLES,
};
/* clang-format on */
