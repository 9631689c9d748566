/* SPDX-License-Identifier: MIT
 *
 * The knobs and trials of the lab `experts`, in words.  */
#include "core/labs/experts/tables.h"

#include "core/lab/mixture/params.h"

/* clang-format off */
const SlParam sl_experts_params[N_PARAMS] = {
  [P_GATE] = { .id = "gate", .title = "Gate", .group = SL_GROUP_CONDITIONAL, .kind = SL_CHOICE,
    .fallback = SL_MOE_NOISY, .effect = SL_RESTART,
    .help = "How experts are chosen and their load is kept even: by noise and losses, batches, a loss and a "
            "capacity limit (Switch), a bias or a penalty (ReLU). Top-p gives unsure examples more experts. Dense "
            "and soft mixtures choose nothing.",
    .formula = "noisy: softmax of the k largest of x W_g + noise;  with u = x W_g, dense: softmax (u);  "
               "soft: y = K E (Δᵀ X), Δ and K the softmax of X Φ over examples and over slots;  balanced assignment: the k largest of a plan with even columns;  ReLU: max (u, 0);  expert "
               "choice: the k B ÷ n largest of each column of softmax (u);  Switch: the k largest of "
               "softmax (u);  bias: the k largest of σ (u) + b, weighed without b;  top-p: the fewest of "
               "falling softmax (u) whose sum reaches p",
    .source = "Shazeer et al. 2017; Jacobs et al. 1991; Puigcerver et al. 2023 (soft); Lewis et al. 2021; Wang et al. 2024 (ReMoE; "
              "loss-free); Zhou et al. 2022; Fedus et al. 2021; Huang et al. 2024 (top-p)",
    /* In the order of SlMoeGate. */
    SL_CHOICES ({ "noisy", "Noisy top-k" }, { "balanced", "Strictly balanced" },
      { "dense", "Dense mixture" }, { "soft", "Soft mixture" }, { "base", "Balanced assignment" }, { "relu", "ReLU routing" },
      { "expert-choice", "Expert choice" }, { "switch", "Switch" }, { "bias", "Loss-free bias" },
      { "top-p", "Top-p" }) },
  [P_K] = SL_PARAM_K (MOST_EXPERTS, 2, "gate!=dense gate!=top-p"),
  [P_P] = { .id = "p", .title = "Probability p", .group = SL_GROUP_CONDITIONAL, .kind = SL_REAL,
    .lo = 0.05, .hi = 1, .step = 0.05, .fallback = 0.8, .needs = "gate=top-p",
    .help = "The likeliest experts are taken until their probabilities add up to p: few where the gate is "
            "sure, many where it is not.",
    .formula = "S = the fewest of falling P = softmax (u) with Σ P ≥ p;  G = P on S, else 0",
    .source = "Huang et al. 2024, arXiv 2403.07652: 0.4; here that soon leaves one expert" },
  [P_W_ENTROPY] = { .id = "w-entropy", .title = "Entropy loss weight", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_REAL, .lo = 0, .hi = 1, .step = 0.001, .fallback = 0.01, .needs = "gate=top-p",
    .help = "Makes the gate sure of its choice, so that fewer experts reach p.",
    .formula = "w · mean over the batch of −Σᵢ Pᵢ ln Pᵢ", .source = "Huang et al. 2024; the first value is ours" },
  [P_K_GROUPS] = SL_PARAM_K_GROUPS (64, 2),
  [P_SCORE] = { .id = "score", .title = "Score", .group = SL_GROUP_CONDITIONAL, .kind = SL_CHOICE,
    .fallback = 0, .effect = SL_RESTART, .needs = "gate=bias",
    .help = "What the bias is added to. Sigmoid scores are independent; softmax scores compete, and the "
            "same bias moves them more.",
    .formula = "s = σ (u) or softmax (u);  S = the k largest of s + b",
    .source = "Wang et al. 2024, arXiv 2408.15664: sigmoid",
    SL_CHOICES ({ "sigmoid", "Sigmoid" }, { "softmax", "Softmax" }) },
  [P_VALUES] = { .id = "values", .title = "Gate values", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_CHOICE, .fallback = 0, .needs = "gate=switch|gate=bias",
    .help = "Whether the chosen scores are divided by their sum. With one expert choose raw: otherwise the "
            "value is always 1 and the task does not train the gate.",
    .formula = "raw: G = s;  sum to 1: G = s ÷ Σ of s over the chosen",
    .source = "Switch: raw; bias: raw in Wang et al. 2024, sum to 1 in DeepSeek-V3, which is taken here",
    SL_CHOICES ({ "published", "As published" }, { "sum", "Sum to 1" }, { "raw", "Raw" }) },
  [P_BIAS_RULE] = { .id = "bias-rule", .title = "Bias rule", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_CHOICE, .fallback = 0, .needs = "gate=bias",
    .help = "After each update underloaded experts gain bias and overloaded ones lose it, by a fixed step "
            "or in proportion.",
    .formula = "sign: bᵢ += u · sign (c̄ − cᵢ);  proportional: bᵢ += u (1 − cᵢ ÷ c̄);  c̄ = k B ÷ n",
    .source = "Wang et al. 2024, arXiv 2408.15664: sign; that proportional is relative to c̄ is ours",
    /* In the order of SlChooserBias. */
    SL_CHOICES ({ "sign", "Sign" }, { "proportional", "Proportional" }, { "off", "Off" }) },
  [P_BIAS_RATE] = { .id = "bias-rate", .title = "Bias rate u", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_REAL, .lo = 1e-5, .hi = 1, .step = 0.001, .fallback = 0.001, .logarithmic = true,
    .needs = "gate=bias bias-rule!=off",
    .help = "Too small, the load becomes even late; too large, it swings between the experts.",
    .formula = "bᵢ += u · sign (c̄ − cᵢ)",
    .source = "Wang et al. 2024: 0.001; 0.0001 balances too late, 0.01 swings late in training" },
  [P_GATE_RATE] = { .id = "gate-rate", .title = "Gate learning rate", .unit = "× usual",
    .group = SL_GROUP_CONDITIONAL, .kind = SL_REAL, .lo = 0.001, .hi = 100, .step = 0.1,
    .fallback = 1, .logarithmic = true, .needs = "gate!=noisy gate!=balanced",
    .help = "Relative to the usual rate. With a bias the usual rate is a tenth, so that the bias can follow "
            "the scores.",
    .formula = "rate of W_g = learning rate · this · (bias: 0.1, else 1)  (ours)" },
  [P_CAPACITY] = { .id = "capacity", .title = "Capacity factor", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_REAL, .lo = 0, .hi = 4, .step = 0.05, .fallback = 1.25, .needs = "gate=switch",
    .help = "Examples that an expert accepts from a training batch, relative to an even share. The others "
            "are dropped; 0 is no limit. A single example is never dropped.",
    .formula = "C = ⌈factor · k B ÷ n⌉, at least 1, at most B",
    .source = "Fedus et al. 2021, table 1: 1 to 2" },
  [P_DROP] = { .id = "drop", .title = "Which examples are kept", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_CHOICE, .fallback = 0, .needs = "gate=switch capacity>0",
    .help = "Which examples an overfull expert keeps.",
    .source = "Fedus et al. 2021: arrival",
    SL_CHOICES ({ "arrival", "First in the batch" }, { "value", "Largest gate values" }) },
  [P_W_BALANCE] = { .id = "w-balance", .title = "Balance loss weight α",
    .group = SL_GROUP_CONDITIONAL, .kind = SL_REAL, .lo = 0, .hi = 10, .step = 0.01, .fallback = 0.3,
    .needs = "gate=switch|gate=top-p",
    .help = "At 0 a few experts are overloaded, and Switch drops examples.",
    .formula = "α n Σᵢ fᵢ Pᵢ,  fᵢ: share of the pairs that choose expert i, a constant;  Pᵢ: mean of pᵢ",
    .source = "Fedus et al. 2021: 0.01, of 0.00001 to 0.1 tried; Huang et al. 2024" },
  [P_W_Z] = { .id = "w-z", .title = "z-loss weight", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_REAL, .lo = 0, .hi = 1, .step = 0.001, .fallback = 0.001, .needs = "gate=switch",
    .help = "Keeps the gate's logits small, so that its softmax stays smooth.",
    .formula = "w · mean over the batch of (log Σᵢ exp uᵢ)²", .source = "Zoph et al. 2022, ST-MoE: 0.001" },
  [P_L1_START] = { .id = "l1-start", .title = "First penalty weight λ₀",
    .group = SL_GROUP_CONDITIONAL, .kind = SL_REAL, .lo = 1e-12, .hi = 1, .step = 1e-8,
    .fallback = 1e-8, .logarithmic = true, .effect = SL_RESTART, .needs = "gate=relu",
    .help = "The smaller, the longer about half of the experts compute every example. If the task switches "
            "off too many experts (drawn digits), only a slower gate, at a tenth of its rate, keeps them.",
    .formula = "λ · mean over the batch of Σᵢ fᵢ Rᵢ,  fᵢ = n ÷ (k B) · examples with Rᵢ > 0, a constant",
    .source = "Wang et al. 2024, ReMoE, their code: 1e-8" },
  [P_L1_GAIN] = { .id = "l1-gain", .title = "Penalty gain", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_REAL, .lo = 1.01, .hi = 2, .step = 0.01, .fallback = 1.2, .needs = "gate=relu",
    .help = "Factor by which λ grows per update while too many experts are on, and shrinks while too few "
            "are. Large gains overshoot.",
    .formula = "λ ← λ · gain^sign (target − zeros),  target = (n − k) B;  10⁻¹² ≤ λ ≤ 10⁴",
    .source = "Wang et al. 2024, ReMoE, their code: 1.2" },
  [P_W_IMPORTANCE] = SL_PARAM_W_IMPORTANCE (0.1, "gate=noisy|gate=balanced"),
  [P_W_LOAD] = SL_PARAM_W_LOAD (0.1),
  [P_NOISE] = SL_PARAM_GATE_NOISE,
  [P_NOISE_FLOOR] = SL_PARAM_NOISE_FLOOR (0.01),
  [P_THRESHOLD] = SL_PARAM_THRESHOLD_GRADIENT,
  [P_ZERO] = { .id = "zero", .title = "Zero-computation experts", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_INTEGER, .lo = 0, .hi = SL_MIXTURE_ZERO, .step = 1, .fallback = 0, .effect = SL_RESTART,
    .needs = "gate=noisy groups=1",
    .help = "Experts that compute nothing, which a flat noisy gate can choose too: an example with one of them "
            "has a real expert less. Constant experts and gating residuals are left out.",
    .formula = "the k largest of all n + z logits;  G = softmax over the chosen",
    .source = "Jin et al. 2024, MoE++, arXiv 2410.07348; LongCat-Flash 2025" },
  [P_ZERO_KIND] = { .id = "zero-kind", .title = "What they give", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_CHOICE, .fallback = 0, .effect = SL_RESTART, .needs = "zero>0",
    .help = "Nothing, or their input as it is. Identity needs an embedding, so that inputs and outputs have the "
            "same width.",
    .formula = "E (x) = 0 or x", .source = "Jin et al. 2024: zero and copy experts; LongCat-Flash: identity",
    SL_CHOICES ({ "nothing", "Nothing" }, { "identity", "Identity" }) },
  [P_ZERO_TARGET] = { .id = "zero-target", .title = "Real experts per example, target", .unit = "experts",
    .group = SL_GROUP_CONDITIONAL, .kind = SL_REAL, .lo = 0, .hi = 64, .step = 0.1, .fallback = 1.5,
    .needs = "zero>0",
    .help = "Mean number of experts that compute a training example, which a bias of the others aims at. The gate decides which "
            "examples get more.",
    .formula = "b += u · sign (mean real k − target),  added to the zero-computation experts' logits in the choice, "
               "not in G",
    .source = "ours: LongCat-Flash 2025 moves the biases of its real experts instead" },
  [P_ZERO_RATE] = { .id = "zero-rate", .title = "Bias rate u", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_REAL, .lo = 0, .hi = 1, .step = 0.01, .fallback = 0.05, .needs = "zero>0",
    .help = "How fast the bias of zero-computation experts follows. At 0 the task alone decides how many real ones "
            "there are.",
    .formula = "b += u · sign (mean real k − target)", .source = "ours" },
  [P_EXPERT] = SL_PARAM_EXPERT (MOST_EXPERTS, NULL),
  [P_TWIN] = { .id = "twin", .title = "Dense baseline of equal cost", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_CHOICE, .fallback = 0, .effect = SL_RESTART, .needs = "gate!=top-p",
    .help = "Trains a network without a gate with as many multiplications.",
    .formula = "M = gate + (k + m) · hidden · (d + o);  wide: ⌊M ÷ (d + o)⌋ units;  deep: two layers of the "
               "largest u with u (d + o) + u² ≤ M;  soft: M as executed in training",
    .source = "Shazeer et al. 2017, table 7: MoE-1-Wide and -Deep; that the gate is in the budget is ours",
    SL_CHOICES ({ "none", "None" }, { "wide", "One hidden layer" }, { "deep", "Two hidden layers" }) },
  [P_BASELINES] = { .id = "baselines", .title = "Train dense baselines",
    .group = SL_GROUP_CONDITIONAL, .kind = SL_BOOLEAN, .fallback = 0, .needs = "match>0",
    .help = "Trains one wide and one deep network with as many multiplications as the chosen "
            "experts.",
    .formula = "wide: one layer of k · hidden units;  deep: k layers, at most 4, of u units, d u + "
               "(k − 1) u² + u o = k · hidden · (d + o)",
    .source = "Shazeer et al. 2017, appendix C.1: MoE-1-Wide and MoE-1-Deep" },
  [P_RATE] = SL_PARAM_RATE (1e-3, 1e-4, ""),
  [P_SCHEDULE] = SL_PARAM_WARM_SCHEDULE (0),
  [P_WARM_UP] = SL_PARAM_WARM_UP (1000),
  [P_FLAT] = SL_PARAM_FLAT (0),
  [P_BATCH] = SL_PARAM_BATCH (MOST_BATCH, 200),
  [P_OPTIMISER] = SL_PARAM_OPTIMISER (
    "How gradients become updates; a change clears the moments. Experts without examples are not updated.",
    "Shazeer et al. 2017, appendix C.1: Adam; that idle experts are skipped is ours"),
  [P_FACTORED] = SL_PARAM_FACTORED (NULL),
  [P_RECOMPUTE] = SL_PARAM_RECOMPUTE (NULL),
  [P_DROPOUT] = { .id = "dropout", .title = "Dropout", .group = SL_GROUP_TRAINING, .kind = SL_REAL,
    .lo = 0, .hi = 0.9, .step = 0.05, .fallback = 0, .needs = "embedding>0",
    .help = "Share of the layer's outputs set to 0 in each training example.",
    .source = "Shazeer et al. 2017, appendix C.1: 0.1 to 0.4" },
  [P_EXPERTS] = SL_PARAM_EXPERTS (1, MOST_EXPERTS, 16, NULL),
  [P_SHARED] = { .id = "shared", .title = "Shared experts m", .group = SL_GROUP_MODEL, .kind = SL_INTEGER,
    .lo = 0, .hi = 8, .step = 1, .fallback = 0, .effect = SL_RESTART,
    .help = "Experts that compute every example, with weight 1, beside the k chosen ones.",
    .formula = "y = Σⱼ Sⱼ (x) + Σᵢ Gᵢ Eᵢ (x)", .source = "Dai et al. 2024, DeepSeekMoE, arXiv 2401.06066: 1, 2" },
  [P_SPLIT] = { .id = "split", .title = "Fine-grained split", .unit = "parts", .group = SL_GROUP_MODEL,
    .kind = SL_INTEGER, .lo = 1, .hi = 8, .step = 1, .fallback = 1, .effect = SL_RESTART,
    .help = "Cuts each expert into smaller ones and chooses as many times more: the same cost with more "
            "combinations. It must divide the units and give at most 64 experts.",
    .formula = "n → n f,  k → k f,  hidden → hidden ÷ f",
    .source = "Dai et al. 2024, DeepSeekMoE: 4 in the model of 16B" },
  [P_GROUPS] = SL_PARAM_GROUPS (64, 1, "gate=noisy|gate=balanced"),
  [P_HIDDEN] = SL_PARAM_HIDDEN (4096, 32),
  [P_EMBEDDING] = { .id = "embedding", .title = "Embedding", .unit = "units",
    .group = SL_GROUP_MODEL, .kind = SL_INTEGER, .lo = 0, .hi = 512, .step = 16, .fallback = 0,
    .effect = SL_RESTART,
    .help = "Width of a dense layer before the experts; an output layer follows them. At 0 the experts read "
            "the inputs and give the class scores.",
    .source = "ours, in place of the recurrent layers around the published experts" },
  [P_RESIDUAL] = { .id = "residual", .title = "Residual connection", .group = SL_GROUP_MODEL,
    .kind = SL_BOOLEAN, .fallback = 0, .effect = SL_RESTART, .needs = "embedding>0",
    .help = "Adds the embedding to the output of the experts, so that examples that no expert computes "
            "still get through.",
    .source = "Shazeer et al. 2017, appendix C.1" },
  [P_SIGMOID] = { .id = "sigmoid", .title = "Sigmoid after the experts", .group = SL_GROUP_MODEL,
    .kind = SL_BOOLEAN, .fallback = 0, .effect = SL_RESTART, .needs = "embedding>0",
    .help = "Applies a sigmoid to the sum of the experts, before dropout and residual connection.",
    .source = "Shazeer et al. 2017, appendix C.1" },
  [P_MATCH] = { .id = "match", .title = "Experts matched by baselines", .unit = "experts",
    .group = SL_GROUP_MODEL, .kind = SL_INTEGER, .lo = 0, .hi = 64, .step = 1, .fallback = 2,
    .effect = SL_RESTART,
    .help = "Experts per example that the baselines equal in multiplications; with groups, of all chosen "
            "groups. 0 is no baselines.",
    .source = "Shazeer et al. 2017, appendix C.1: 4" },
  [P_BUDGET] = SL_PARAM_BUDGET (4096),
  [P_REPORT] = SL_PARAM_REPORT,
  [P_EVALUATE] = SL_PARAM_EVALUATE,
  [P_EXAMPLES] = SL_PARAM_EXAMPLES,
};
/* clang-format on */
