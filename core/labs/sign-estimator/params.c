/* SPDX-License-Identifier: MIT
 *
 * The knobs of the lab `sign-estimator`, in words.  */
#include "core/labs/sign-estimator/tables.h"

#include "core/lab/kit/params.h"
#include "core/nn/dense/l1.h"
#include "core/nn/dense/net.h"
#include "core/nn/optim/optim.h"

#define SL_GROUP_PREDICTOR "Learned predictor and sign bits"
#define SL_GROUP_SPARSITY "Sparsity of the network"

/* clang-format off */
const SlParam sl_sign_params[N_PARAMS] = {
  [P_HIDDEN] = { .id = "hidden", .title = "Hidden layers", .unit = "units", .group = SL_GROUP_MODEL,
    .kind = SL_LIST, .lo = 1, .hi = 4096, .step = 1, .effect = SL_RESTART, .list = "400-300-200",
    .one = "layer",
    .help = "Widths of the hidden layers from input to output, joined by dashes.",
    .source = "Davis 2016, table 3.1: 1000-600-400 for MNIST; we start smaller so that it trains fast" },
  [P_CONVOLUTIONS] = { .id = "convolutions", .title = "Convolutions", .unit = "layers",
    .group = SL_GROUP_MODEL, .kind = SL_INTEGER, .lo = 0, .hi = 4, .step = 1, .fallback = 0,
    .effect = SL_RESTART, .needs = "activation!=swiglu",
    .help = "How many of the first hidden layers are convolutions, with widths as channels.",
    .formula = "x: what lies under the kernel at a place;  q = U Σ Vᵀ x + b;  y = 1[q > θ] ⊙ max (0, W x + b)",
    .source = "Davis 2016, §3.2.3: \"can be easily extended to be used with convolutional neural networks\"" },
  [P_KERNEL] = { .id = "kernel", .title = "Kernel", .unit = "pixels", .group = SL_GROUP_MODEL,
    .kind = SL_INTEGER, .lo = 1, .hi = 11, .step = 1, .fallback = 5, .effect = SL_RESTART,
    .needs = "convolutions>0",
    .help = "Side of the square that each convolution reads.",
    .formula = "side of the next picture: ⌊(side − kernel) ÷ 2⌋ + 1" },
  [P_ACTIVATION] = { .id = "activation", .title = "Activation", .group = SL_GROUP_MODEL,
    .kind = SL_CHOICE, .fallback = SL_RECTIFIER, .effect = SL_RESTART,
    .help = "Sign estimates suit rectifiers, where little or nothing passes below zero. Gated units are skipped "
            "where their gates are small; tanh is for comparison.",
    .formula = "rectifier max (0, z);  leaky z or 0.01 z;  PReLU z or α z, α trained;  ELU z or exp (z) − 1;  gated S ⊙ φ (z);  SwiGLU "
               "SiLU (W₁ a + b₁) ⊙ (W₂ a + b₂)",
    .source = "Davis 2016, §3.2.3 and figure 2.2; SwiGLU: Shazeer 2020, arXiv 2002.05202",
    /* In the order of SlActivation. */
    SL_CHOICES ({ "rectifier", "Rectifier" }, { "tanh", "tanh" }, { "leaky", "Leaky rectifier" },
      { "elu", "ELU" }, { "prelu", "PReLU" }, { "swiglu", "Gated (SwiGLU)" }) },
  [P_RATE] = SL_PARAM_RATE (5e-4, 1e-4,
    "Davis 2016, table 3.1: 1e-4; we start higher so that a change shows sooner"),
  [P_SCHEDULE] = SL_PARAM_SCHEDULE ("Davis 2016, table 3.1: × 0.9 every 50 epochs"),
  [P_SCHEDULE_EPOCHS] = SL_PARAM_SCHEDULE_EPOCHS,
  [P_BATCH] = SL_PARAM_BATCH (MOST_BATCH, 128),
  [P_OPTIMISER] = SL_PARAM_OPTIMISER (
    "How gradients become updates; a change clears the moments.",
    "Davis 2016, table 3.1: Adam (Kingma and Ba 2015)"),
  [P_DECAY] = { .id = "weight-decay", .title = "Weight decay", .group = SL_GROUP_TRAINING,
    .kind = SL_REAL, .lo = 0, .hi = 1, .step = 0.001, .fallback = 0,
    .help = "Pulls weights towards zero by this share of the learning rate. Their spectrum becomes steeper, "
            "so a low rank estimates them better.",
    .formula = "w ← w − ε λ w" },
  [P_INPUT_DROPOUT] = { .id = "input-dropout", .title = "Input dropout", .group = SL_GROUP_TRAINING,
    .kind = SL_REAL, .lo = 0, .hi = 0.9, .step = 0.05, .fallback = 0.3,
    .help = "Share of the inputs set to 0 in each training example, against overfitting.",
    .source = "Davis 2016, table 3.1: 0.3 for MNIST" },
  [P_HIDDEN_DROPOUT] = { .id = "hidden-dropout", .title = "Hidden dropout",
    .group = SL_GROUP_TRAINING, .kind = SL_REAL, .lo = 0, .hi = 0.9, .step = 0.05, .fallback = 0.5,
    .help = "Share of the hidden units set to 0 in each training example.",
    .source = "Davis 2016, table 3.1: 0.5" },
  [P_ESTIMATOR] = { .id = "estimator", .title = "Estimator", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_CHOICE, .fallback = SL_ESTIMATE_GATE, .needs = "activation!=tanh",
    .help = "On: units whose estimate is not positive are switched off. Watch only: estimates are made, but "
            "the network stays dense.",
    .formula = "q: scores of a predictor;  S = 1[q > θ];  out = S ⊙ max (0, W a + b)",
    .source = "Davis 2016, §3.1.3, eqs. 3.3 and 3.4",
    /* In the order of SlEstimateMode. */
    SL_CHOICES ({ "off", "Off" }, { "watch", "Watch only" }, { "on", "On" }) },
  [P_PREDICTOR] = { .id = "predictor", .title = "Predictor", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_CHOICE, .fallback = SL_PREDICTOR_SVD, .needs = "activation!=tanh activation!=swiglu",
    .help = "By the weights' largest singular values, a product of low rank that learns signs or is trained by the "
            "task, or votes of signs. The oracle computes everything first and cannot be beaten.",
    .formula = "svd: q = U Σ Vᵀ a + b;  learned: q = Bᵀ Aᵀ a + c;  sign bits: q = (α n⁺ − n⁻) ÷ d, on "
               "where q ≥ θ;  oracle: q = W a + b, on where q > 0;  by the task: q as learned, in training on "
               "with probability σ (q)",
    .source = "Davis 2016, by the task: §3.1.1; Deja Vu, arXiv 2310.17157; SparseInfer, arXiv 2411.12692",
    /* In the order of SlPredictorKind. */
    SL_CHOICES ({ "svd", "Singular values" }, { "learned", "Learned, low rank" },
      { "sign-bits", "Sign bits" }, { "oracle", "Oracle" }, { "task", "Trained by the task" }) },
  [P_SPARSITY] = { .id = "sparsity", .title = "Units to skip", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_REAL, .lo = 0, .hi = 0.95, .step = 0.05, .fallback = 0.5, .needs = "activation=swiglu",
    .help = "Share of the gated units that are skipped: those with the smallest gates. Gates are computed in "
            "full.",
    .formula = "S = 1[|SiLU (W₁ a + b₁)| ≥ t];  t: this quantile of a layer over 512 training examples",
    .source = "CATS, arXiv 2404.08763; TEAL, arXiv 2408.14690" },
  [P_RANK_MODE] = { .id = "rank-mode", .title = "Choice of rank", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_CHOICE, .fallback = 0, .needs = "activation!=tanh activation!=swiglu",
    .help = "Fixed ranks are set per layer, as published. By lost energy, each refresh takes the smallest "
            "rank that keeps enough of the weights.",
    .source = "fixed: Davis 2016, §3.2.1; by the spectrum: suggested in §3.2.3",
    SL_CHOICES ({ "fixed", "Fixed per layer" }, { "energy", "By lost energy" }) },
  [P_RANK] = { .id = "rank", .title = "Rank", .group = SL_GROUP_CONDITIONAL, .kind = SL_LIST,
    .lo = 0, .hi = 4096, .step = 1, .logarithmic = true, .headline = SL_HEADLINE_RANK,
    .list = "25-18-12", .each = "hidden", .needs = "rank-mode=fixed", .one = "layer",
    .help = "Directions of a layer's estimate or learned predictor (at most 128). A small rank is cheap but "
            "gets more signs wrong; full rank saves nothing.",
    .formula = "Ŵ = U Σ Vᵀ with the k largest singular values of W (h × d);  k ≤ min (d, h)",
    .source = "Davis 2016, table 3.3: 50-35-25 to 10-10-5" },
  [P_ENERGY] = { .id = "energy-loss", .title = "Lost energy at most", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_REAL, .lo = 0.001, .hi = 0.9, .step = 0.01, .fallback = 0.3, .logarithmic = true,
    .needs = "rank-mode=energy",
    .help = "Share of the squared singular values that the estimate may leave out.",
    .formula = "smallest k with Σ_{i>k} σᵢ² ÷ Σᵢ σᵢ² ≤ this" },
  [P_AIM] = { .id = "aim", .title = "Threshold aim", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_CHOICE, .fallback = SL_AIM_NONE,
    .needs = "predictor!=oracle",
    .help = "Sets the thresholds on 512 validation examples, to compare predictors at equal recall "
            "or density.",
    .formula = "recall v: the largest θ that keeps ⌈v P⌉ of the P pairs (example, unit) that are truly "
               "on;  density v: of all pairs",
    /* In the order of SlAim. */
    SL_CHOICES ({ "none", "None: θ as set" }, { "recall", "Recall" },
      { "density", "Units on" }) },
  [P_AIM_VALUE] = { .id = "aim-value", .title = "Aim", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_REAL, .lo = 0.01, .hi = 1, .step = 0.01, .fallback = 0.95, .needs = "aim!=none",
    .help = "Share of the active units to find, or of all units to compute." },
  [P_AIM_BY] = { .id = "aim-by", .title = "Thresholds", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_CHOICE, .fallback = AIM_BY_LAYER, .needs = "aim!=none",
    .help = "One per unit finds the same share of every unit's active examples, or switches every unit on equally "
            "often.",
    .formula = "per unit: S = 1[q > θᵢ], θᵢ from that unit's pairs alone",
    .source = "Davis 2016, §3.2.3: sgn (a U V − b)",
    SL_CHOICES ({ "layer", "One per layer" }, { "unit", "One per unit" }) },
  [P_THETA] = { .id = "theta", .title = "Threshold θ", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_LIST, .lo = -2, .hi = 2, .step = 0.05, .list = "0", .each = "hidden", .one = "layer",
    .needs = "aim=none predictor!=oracle",
    .help = "Higher values compute fewer units and lose more active ones.",
    .formula = "S = 1[q > θ], for each layer its own",
    .source = "Davis 2016, §3.2.3 (the suggested sparsity bias)" },
  [P_BIAS] = { .id = "estimate-bias", .title = "Biases in the estimate",
    .group = SL_GROUP_CONDITIONAL, .kind = SL_BOOLEAN, .fallback = 1, .needs = "predictor=svd",
    .help = "Adds the biases, which the printed estimate leaves out. Without negative ones, more units are "
            "computed and fewer active ones lost.",
    .formula = "with: q = U Σ Vᵀ a + b (reading);  without, as printed: q = U Σ Vᵀ a",
    .source = "Davis 2016, eq. 3.4" },
  [P_REFRESH_WHEN] = { .id = "refresh-when", .title = "Refresh", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_CHOICE, .fallback = REFRESH_UPDATES, .needs = "activation!=tanh",
    .help = "When factors, or thresholds of gated units, are made again: after some updates, or at each epoch, as "
            "published.",
    .source = "Davis 2016, §3.1.3 and §3.2: once per epoch; more often: suggested in §3.2.3",
    SL_CHOICES ({ "updates", "After some updates" }, { "epoch", "Once per epoch" }) },
  [P_REFRESH] = { .id = "refresh", .title = "Refresh every", .unit = "updates",
    .group = SL_GROUP_CONDITIONAL, .kind = SL_INTEGER, .lo = 1, .hi = 1e6, .step = 1,
    .fallback = 50, .logarithmic = true, .needs = "refresh-when=updates",
    .help = "Updates between two refreshes. The weights move away from their factors in between, which "
            "makes a saw-tooth of the agreement.",
    .source = "Davis 2016, figure 3.2" },
  [P_BETWEEN] = { .id = "between", .title = "Predictor activation", .group = SL_GROUP_PREDICTOR,
    .kind = SL_CHOICE, .fallback = 0, .effect = SL_RESTART,
    .needs = "predictor=learned|predictor=task|compare=yes",
    .help = "The function between the learned predictor's two matrices.",
    .formula = "linear: q = Bᵀ Aᵀ a + c;  rectifier: q = Bᵀ max (0, Aᵀ a) + c",
    SL_CHOICES ({ "linear", "Linear" }, { "rectifier", "Rectifier" }) },
  [P_LEARN_RATE] = { .id = "learn-rate", .title = "Predictor learning rate", .group = SL_GROUP_PREDICTOR,
    .kind = SL_REAL, .lo = 1e-5, .hi = 0.1, .step = 1e-4, .fallback = 1e-3, .logarithmic = true,
    .needs = "predictor=learned|predictor=task|compare=yes",
    .help = "Learning rate of a trained predictor, which has its own Adam and begins as the current "
            "singular values.",
    .source = "Deja Vu, authors' code: AdamW, 1e-4" },
  [P_LEARN_WEIGHT] = { .id = "learn-weight", .title = "Predictor loss",
    .group = SL_GROUP_PREDICTOR, .kind = SL_CHOICE, .fallback = SL_LEARNED_BALANCED,
    .needs = "predictor=learned|compare=yes",
    .help = "Balanced: misses count more where few units are on. By lost energy: a miss counts as the "
            "square of what it loses, and every unit on has a price.",
    .formula = "mean of ω [softplus (q) − t q], t = 1[W a + b > 0];  ω = 1 where t = 1, else 1 (plain) or "
               "mean (t) + 0.005 (balanced);  energy: mean of r (1 − σ (q))² + σ (q) ÷ 4, r = relu (W a + b)² "
               "over its mean (reading)",
    .source = "Deja Vu, authors' code: balanced; Davis 2016, §3.2.3: minimise ‖σ (aW) − σ (aW) S‖",
    /* In the order of SlLearnedWeight. */
    SL_CHOICES ({ "plain", "Equal" }, { "balanced", "Balanced" },
      { "energy", "By lost energy" }) },
  [P_LOOKAHEAD] = { .id = "lookahead", .title = "Look a layer ahead", .group = SL_GROUP_PREDICTOR,
    .kind = SL_BOOLEAN, .fallback = 0, .needs = "predictor=learned|compare=yes",
    .help = "The learned predictor reads the input of the layer before, so that it could run at the same time.",
    .source = "Deja Vu, arXiv 2310.17157" },
  [P_SIGNS] = { .id = "signs", .title = "Inputs of exactly 0", .group = SL_GROUP_PREDICTOR,
    .kind = SL_CHOICE, .fallback = SIGNS_TERNARY, .needs = "predictor=sign-bits|compare=yes",
    .help = "Whether an input of 0 votes. As published it counts as positive; behind a rectifier the mask "
            "is then the same for every example.",
    .formula = "n⁻: inputs whose sign differs from that of their weight;  n⁺: those that agree;  n⁺ + n⁻ = "
               "inputs that vote",
    .source = "SparseInfer, arXiv 2411.12692: 0 is positive",
    SL_CHOICES ({ "ternary", "No vote" }, { "bits", "Positive" }) },
  [P_CAUTION] = { .id = "caution", .title = "Caution α", .group = SL_GROUP_PREDICTOR,
    .kind = SL_REAL, .lo = 0.5, .hi = 3, .step = 0.05, .fallback = 1,
    .needs = "predictor=sign-bits|compare=yes",
    .help = "Weight of a vote for a unit against one against it. Above 1, more units are computed and fewer "
            "active ones lost.",
    .formula = "q = (α n⁺ − n⁻) ÷ d", .source = "SparseInfer, arXiv 2411.12692: α" },
  [P_COMPARE] = { .id = "compare", .title = "Compare predictors", .group = SL_GROUP_PREDICTOR,
    .kind = SL_BOOLEAN, .fallback = 0, .needs = "activation!=tanh activation!=swiglu predictor!=task",
    .help = "Trains the learned predictor in any case and compares all predictors on the same inputs." },
  [P_L1] = { .id = "l1", .title = "L1 of the activations", .group = SL_GROUP_SPARSITY,
    .kind = SL_REAL, .lo = 0, .hi = 10, .step = 0.1, .fallback = 0,
    .needs = "activation!=tanh activation!=swiglu",
    .help = "Final weight of an L1 term that pushes activations to exactly 0.",
    .formula = "L ← L + λ (t) Σ over layers of mean |a|", .source = "ProSparse, arXiv 2402.13516" },
  [P_L1_WARM_UP] = { .id = "l1-warm-up", .title = "First stage", .unit = "updates",
    .group = SL_GROUP_SPARSITY, .kind = SL_INTEGER, .lo = 0, .hi = 1e5, .step = 10, .fallback = 200,
    .logarithmic = true, .needs = "l1>0",
    .help = "Updates with the first, smallest weight." },
  [P_L1_LENGTH] = { .id = "l1-length", .title = "Other stages", .unit = "updates",
    .group = SL_GROUP_SPARSITY, .kind = SL_INTEGER, .lo = 1, .hi = 1e6, .step = 100,
    .fallback = 2000, .logarithmic = true, .needs = "l1>0",
    .help = "Updates from the end of the first stage to the final weight, in stages of equal length." },
  [P_KL] = { .id = "kl", .title = "KL of the activity", .group = SL_GROUP_SPARSITY,
    .kind = SL_REAL, .lo = 0, .hi = 10, .step = 0.1, .fallback = 0,
    .needs = "activation!=tanh activation!=swiglu",
    .help = "Weight of a term that pulls each unit's activity towards a target. Unlike L1 it also activates "
            "units that are on too rarely. Of gates that the task trains it pulls the probability.",
    .formula = "L ← L + λ Σ over layers of mean KL (ρ ‖ ρ̂ᵢ);  ρ̂ᵢ: mean of 1 − exp (−a) over the batch "
               "(reading), or of σ (q)",
    .source = "Davis 2016, §2.5.5, eq. 2.22; gates: Bengio et al. 2013, A.1" },
  [P_KL_TARGET] = { .id = "kl-target", .title = "Target activity ρ", .group = SL_GROUP_SPARSITY,
    .kind = SL_REAL, .lo = 0.01, .hi = 0.5, .step = 0.01, .fallback = 0.1, .needs = "kl>0",
    .help = "Wanted mean activity of a unit, from 0, always off, to 1.",
    .source = "Davis 2016, §2.5.5: the target sparsity" },
  [P_CUT] = { .id = "cut", .title = "Rectifier's threshold τ", .group = SL_GROUP_SPARSITY,
    .kind = SL_REAL, .lo = 0, .hi = 2, .step = 0.01, .fallback = 0, .needs = "activation=rectifier",
    .help = "The rectifier passes only inputs above this.",
    .formula = "a = z if z > τ, else 0;  z = W a + b;  slope 1[z > τ]",
    .source = "FATReLU, as in ProSparse, arXiv 2402.13516" },
  [P_SKIP] = { .id = "skip", .title = "Training skips", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_BOOLEAN, .fallback = 0,
    .needs = "estimator=on predictor!=learned predictor!=task predictor!=oracle compare=no",
    .help = "On, only predicted units are computed, backward too except in convolutions. Off, "
            "every unit is computed, then masked, as published.",
    .source = "Davis 2016, §3.2: \"to simplify prototyping, the feed-forward is calculated\"" },
  [P_SKIP_SHARE] = { .id = "skip-below", .title = "Skip units below", .unit = "of the batch",
    .group = SL_GROUP_CONDITIONAL, .kind = SL_REAL, .lo = 0, .hi = 0.5, .step = 0.01, .fallback = 0,
    .needs = "skip=yes",
    .help = "A unit predicted on for a smaller share of a batch is skipped for the whole batch. Above 0, "
            "rare units are lost.",
    .formula = "S[:, i] ← 0 where mean over the batch of S[:, i] < this (ours)" },
  [P_TWIN] = { .id = "twin", .title = "Train a control network", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_BOOLEAN, .fallback = 0, .effect = SL_RESTART,
    .help = "Trains a second network without the estimator, with the same first weights, batches and dropout." },
  [P_REPORT] = SL_PARAM_REPORT,
  [P_EVALUATE] = SL_PARAM_EVALUATE,
  [P_EXAMPLES] = SL_PARAM_EXAMPLES,
};
/* clang-format on */
