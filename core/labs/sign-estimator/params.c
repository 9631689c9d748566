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
    .help = "Widths of the hidden layers from input to output, joined by dashes. In wider layers "
            "more multiplications can be saved.",
    .source = "Davis 2016, table 3.1: 1000-600-400 for MNIST; we start smaller so that it trains fast" },
  [P_CONVOLUTIONS] = { .id = "convolutions", .title = "Convolutions", .unit = "layers",
    .group = SL_GROUP_MODEL, .kind = SL_INTEGER, .lo = 0, .hi = 4, .step = 1, .fallback = 0,
    .effect = SL_RESTART,
    .help = "How many of the hidden layers, from the first on, are convolutions over the picture; their "
            "widths are then channels. The estimate of a kernel's weights decides at every place which "
            "channels are computed. 0 is a fully connected network, as published.",
    .formula = "x: what lies under the kernel at a place;  q = U Σ Vᵀ x + b;  y = 1[q > θ] ⊙ max (0, W x + b)",
    .source = "Davis 2016, §3.2.3: \"can be easily extended to be used with convolutional neural networks\"" },
  [P_KERNEL] = { .id = "kernel", .title = "Kernel", .unit = "pixels", .group = SL_GROUP_MODEL,
    .kind = SL_INTEGER, .lo = 1, .hi = 11, .step = 1, .fallback = 5, .effect = SL_RESTART,
    .needs = "convolutions>0",
    .help = "Side of the square that each convolution looks at. It moves by two pixels, without a border, "
            "so that each layer's picture has half the side of the one before.",
    .formula = "side of the next picture: ⌊(side − kernel) ÷ 2⌋ + 1" },
  [P_ACTIVATION] = { .id = "activation", .title = "Activation", .group = SL_GROUP_MODEL,
    .kind = SL_CHOICE, .fallback = SL_RECTIFIER, .effect = SL_RESTART,
    .help = "The function of the hidden units. A sign estimate makes sense where what is below zero "
            "passes as nothing, or as little: rectifiers. A unit that is estimated off is exactly 0, also "
            "where its own function would let a little through. tanh is there for comparison.",
    .formula = "rectifier max (0, z);  leaky z or 0.01 z;  ELU z or exp (z) − 1;  gated S ⊙ φ (z)",
    .source = "Davis 2016, §3.2.3 and figure 2.2",
    /* In the order of SlActivation. */
    SL_CHOICES ({ "rectifier", "Rectifier" }, { "tanh", "tanh" }, { "leaky", "Leaky rectifier" },
      { "elu", "ELU" }) },
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
            "up, and the estimate sees the same scaled values. With low ranks much of it leaves few "
            "units on, and the network underfits.",
    .source = "Davis 2016, table 3.1: 0.5" },
  [P_ESTIMATOR] = { .id = "estimator", .title = "Estimator", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_CHOICE, .fallback = SL_ESTIMATE_GATE, .needs = "activation!=tanh",
    .help = "On: units whose estimate is not positive are switched off, in training and "
            "evaluation. Watch only: estimates are made and compared, the network stays dense.",
    .formula = "q: scores of a predictor;  S = 1[q > θ];  out = S ⊙ max (0, W a + b)",
    .source = "Davis 2016, §3.1.3, eqs. 3.3 and 3.4",
    /* In the order of SlEstimateMode. */
    SL_CHOICES ({ "off", "Off" }, { "watch", "Watch only" }, { "on", "On" }) },
  [P_PREDICTOR] = { .id = "predictor", .title = "Predictor", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_CHOICE, .fallback = SL_PREDICTOR_SVD, .needs = "activation!=tanh",
    .help = "What says which units will be on: the weights' largest singular values, a product of "
            "low rank that is trained for it, or votes of signs, counted 64 at a time. The oracle "
            "computes everything first: no predictor can decide better.",
    .formula = "svd: q = U Σ Vᵀ a + b;  learned: q = Bᵀ Aᵀ a + c;  sign bits: q = (α n⁺ − n⁻) ÷ d, on "
               "where q ≥ θ;  oracle: q = W a + b, on where q > 0",
    .source = "Davis 2016; Deja Vu, arXiv 2310.17157; SparseInfer, arXiv 2411.12692",
    /* In the order of SlPredictorKind. */
    SL_CHOICES ({ "svd", "Singular values" }, { "learned", "Learned, low rank" },
      { "sign-bits", "Sign bits" }, { "oracle", "Oracle" }) },
  [P_RANK_MODE] = { .id = "rank-mode", .title = "Rank is", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_CHOICE, .fallback = 0, .needs = "activation!=tanh",
    .help = "Fixed ranks are set by hand, as published. By lost energy, each refresh takes the "
            "smallest rank that keeps enough of the weights.",
    .source = "fixed: Davis 2016, §3.2.1; by the spectrum: suggested in §3.2.3",
    SL_CHOICES ({ "fixed", "Fixed per layer" }, { "energy", "By lost energy" }) },
  [P_RANK] = { .id = "rank", .title = "Rank", .group = SL_GROUP_CONDITIONAL, .kind = SL_LIST,
    .lo = 0, .hi = 4096, .step = 1, .logarithmic = true, .headline = SL_HEADLINE_RANK,
    .list = "25-18-12", .each = "hidden", .needs = "rank-mode=fixed", .one = "layer",
    .help = "Number of singular directions of a layer's weights that the estimate uses, and of "
            "directions of the learned predictor (at most 128). A small rank is cheap but gets more "
            "signs wrong; at full rank the estimate is exact and saves nothing.",
    .formula = "Ŵ = U Σ Vᵀ with the k largest singular values of W (h × d);  k ≤ min (d, h)",
    .source = "Davis 2016, table 3.3: 50-35-25 to 10-10-5" },
  [P_ENERGY] = { .id = "energy-loss", .title = "Lost energy at most", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_REAL, .lo = 0.001, .hi = 0.9, .step = 0.01, .fallback = 0.3, .logarithmic = true,
    .needs = "rank-mode=energy",
    .help = "Share of the squared singular values that the estimate may leave out. Smaller means a "
            "higher rank and fewer mistakes.",
    .formula = "smallest k with Σ_{i>k} σᵢ² ÷ Σᵢ σᵢ² ≤ this" },
  [P_AIM] = { .id = "aim", .title = "Threshold aims at", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_CHOICE, .fallback = SL_AIM_NONE,
    .needs = "activation!=tanh predictor!=oracle",
    .help = "Chooses the threshold of each layer at every evaluation, and at a refresh once per epoch, on 512 "
            "validation examples: so that a share of the active units is found, or so that a share of all "
            "units is computed. Predictors are then compared at equal recall or at equal density.",
    .formula = "recall v: the largest θ that keeps ⌈v P⌉ of the P pairs (example, unit) that are truly "
               "on;  density v: of all pairs",
    /* In the order of SlAim. */
    SL_CHOICES ({ "none", "Nothing: θ as set" }, { "recall", "Recall" },
      { "density", "Units on" }) },
  [P_AIM_VALUE] = { .id = "aim-value", .title = "Aim", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_REAL, .lo = 0.01, .hi = 1, .step = 0.01, .fallback = 0.95, .needs = "aim!=none",
    .help = "Share of the active units that are to be found, or of all units that are to be computed. "
            "Scores that are equal go together, so a little more can be switched on, never less." },
  [P_THETA] = { .id = "theta", .title = "Threshold θ", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_LIST, .lo = -2, .hi = 2, .step = 0.05, .list = "0", .each = "hidden", .one = "layer",
    .needs = "aim=none predictor!=oracle",
    .help = "A unit is computed where its score is above this. Above zero, fewer units are computed "
            "and more of the active ones are lost; below zero, more are found for more work. It is "
            "in the unit of the scores: inputs of units, log odds, or share of votes.",
    .formula = "S = 1[q > θ], for each layer its own",
    .source = "Davis 2016, §3.2.3 (the suggested sparsity bias)" },
  [P_BIAS] = { .id = "estimate-bias", .title = "Biases in the estimate",
    .group = SL_GROUP_CONDITIONAL, .kind = SL_BOOLEAN, .fallback = 1, .needs = "predictor=svd",
    .help = "Whether the estimate adds the biases of the units. The printed one does not: it asks for the "
            "sign of W a, where the unit's input is W a + b. Where biases are below zero, more units are "
            "computed without them and fewer active ones are lost.",
    .formula = "with: q = U Σ Vᵀ a + b (reading);  without, as printed: q = U Σ Vᵀ a",
    .source = "Davis 2016, eq. 3.4" },
  [P_REFRESH_WHEN] = { .id = "refresh-when", .title = "Refresh", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_CHOICE, .fallback = REFRESH_UPDATES, .needs = "activation!=tanh",
    .help = "When the weights are decomposed anew: after a number of updates, each time from the factors "
            "before, or as published, as each pass through the training data begins.",
    .source = "Davis 2016, §3.1.3 and §3.2: once per epoch; more often: suggested in §3.2.3",
    SL_CHOICES ({ "updates", "Every so many updates" }, { "epoch", "Once per epoch" }) },
  [P_REFRESH] = { .id = "refresh", .title = "Refresh every", .unit = "updates",
    .group = SL_GROUP_CONDITIONAL, .kind = SL_INTEGER, .lo = 1, .hi = 1e6, .step = 1,
    .fallback = 50, .logarithmic = true, .needs = "refresh-when=updates",
    .help = "Updates between two singular value decompositions. Between them the weights move away "
            "from their factors, which gives the agreement its saw-tooth shape.",
    .source = "Davis 2016, figure 3.2" },
  [P_BETWEEN] = { .id = "between", .title = "Between its factors", .group = SL_GROUP_PREDICTOR,
    .kind = SL_CHOICE, .fallback = 0, .effect = SL_RESTART, .needs = "predictor=learned|compare=yes",
    .help = "What the learned predictor has between its two matrices. Linear, a rank means the same as "
            "for singular values and both cost the same.",
    .formula = "linear: q = Bᵀ Aᵀ a + c;  rectifier: q = Bᵀ max (0, Aᵀ a) + c",
    SL_CHOICES ({ "linear", "Nothing" }, { "rectifier", "Rectifier" }) },
  [P_LEARN_RATE] = { .id = "learn-rate", .title = "Its learning rate", .group = SL_GROUP_PREDICTOR,
    .kind = SL_REAL, .lo = 1e-5, .hi = 0.1, .step = 1e-4, .fallback = 1e-3, .logarithmic = true,
    .needs = "predictor=learned|compare=yes",
    .help = "Size of the learned predictor's updates, by an Adam of its own on every batch. It begins as "
            "the singular values of that moment.",
    .source = "Deja Vu, authors' code: AdamW, 1e-4" },
  [P_LEARN_WEIGHT] = { .id = "learn-weight", .title = "Its errors weigh",
    .group = SL_GROUP_PREDICTOR, .kind = SL_CHOICE, .fallback = SL_LEARNED_BALANCED,
    .needs = "predictor=learned|compare=yes",
    .help = "Balanced, a false alarm weighs as much as the share of units that are on, so that misses "
            "count more where few are on. By lost energy, a miss weighs as much as the square of what it "
            "loses, and every unit that is on has a price.",
    .formula = "mean of ω [softplus (q) − t q], t = 1[W a + b > 0];  ω = 1 where t = 1, else 1 (plain) or "
               "mean (t) + 0.005 (balanced);  energy: mean of r (1 − σ (q))² + σ (q) ÷ 4, r = relu (W a + b)² "
               "over its mean (reading)",
    .source = "Deja Vu, authors' code: balanced; Davis 2016, §3.2.3: minimise ‖σ (aW) − σ (aW) S‖",
    /* In the order of SlLearnedWeight. */
    SL_CHOICES ({ "plain", "All the same" }, { "balanced", "Balanced" },
      { "energy", "By lost energy" }) },
  [P_LOOKAHEAD] = { .id = "lookahead", .title = "Looks a layer ahead", .group = SL_GROUP_PREDICTOR,
    .kind = SL_BOOLEAN, .fallback = 0, .needs = "predictor=learned|compare=yes",
    .help = "The learned predictor reads the input of the layer before its own, so that it could work "
            "while that layer is computed. The first layer has none before it.",
    .source = "Deja Vu, arXiv 2310.17157" },
  [P_SIGNS] = { .id = "signs", .title = "Inputs of exactly 0", .group = SL_GROUP_PREDICTOR,
    .kind = SL_CHOICE, .fallback = SIGNS_TERNARY, .needs = "predictor=sign-bits|compare=yes",
    .help = "Whether an input of 0 votes. As published it counts as positive; behind a rectifier all "
            "signs are then equal, and the mask is the same for every example.",
    .formula = "n⁻: inputs whose sign differs from that of their weight;  n⁺: those that agree;  n⁺ + n⁻ = "
               "inputs that vote",
    .source = "SparseInfer, arXiv 2411.12692: 0 is positive",
    SL_CHOICES ({ "ternary", "No vote" }, { "bits", "Positive" }) },
  [P_CAUTION] = { .id = "caution", .title = "Caution α", .group = SL_GROUP_PREDICTOR,
    .kind = SL_REAL, .lo = 0.5, .hi = 3, .step = 0.05, .fallback = 1,
    .needs = "predictor=sign-bits|compare=yes",
    .help = "Weight of a vote for a unit against a vote against it. Above 1, more units are computed and "
            "fewer active ones are lost.",
    .formula = "q = (α n⁺ − n⁻) ÷ d", .source = "SparseInfer, arXiv 2411.12692: α" },
  [P_COMPARE] = { .id = "compare", .title = "Compare predictors", .group = SL_GROUP_PREDICTOR,
    .kind = SL_BOOLEAN, .fallback = 0, .needs = "activation!=tanh",
    .help = "Trains the learned predictor whichever is in use, and shows all of them on the same inputs: "
            "what they find, what they miss, and the time they take." },
  [P_L1] = { .id = "l1", .title = "L1 of the activations", .group = SL_GROUP_SPARSITY,
    .kind = SL_REAL, .lo = 0, .hi = 10, .step = 0.1, .fallback = 0,
    .needs = "activation!=tanh",
    .help = "Final weight of an L1 term that pushes activations to exactly 0. Fewer units are then on, and "
            "whatever predicts has more to save.",
    .formula = "L ← L + λ (t) Σ over layers of mean |a|", .source = "ProSparse, arXiv 2402.13516" },
  [P_L1_WARM_UP] = { .id = "l1-warm-up", .title = "First stage", .unit = "updates",
    .group = SL_GROUP_SPARSITY, .kind = SL_INTEGER, .lo = 0, .hi = 1e5, .step = 10, .fallback = 200,
    .logarithmic = true, .needs = "l1>0",
    .help = "Updates during which the weight stays at its first and smallest value." },
  [P_L1_LENGTH] = { .id = "l1-length", .title = "Other stages", .unit = "updates",
    .group = SL_GROUP_SPARSITY, .kind = SL_INTEGER, .lo = 1, .hi = 1e6, .step = 100,
    .fallback = 2000, .logarithmic = true, .needs = "l1>0",
    .help = "Updates from the end of the first stage until the weight has its final value. The stages "
            "between are of equal length." },
  [P_KL] = { .id = "kl", .title = "KL of the activity", .group = SL_GROUP_SPARSITY,
    .kind = SL_REAL, .lo = 0, .hi = 10, .step = 0.1, .fallback = 0, .needs = "activation!=tanh",
    .help = "Weight of a term that pulls how active each unit is over a batch towards the wished "
            "activity. Unlike L1 it also wakes units that are on too seldom.",
    .formula = "L ← L + λ Σ over layers of mean KL (ρ ‖ ρ̂ᵢ);  ρ̂ᵢ: mean of 1 − exp (−a) over the batch "
               "(reading)",
    .source = "Davis 2016, §2.5.5, eq. 2.22" },
  [P_KL_TARGET] = { .id = "kl-target", .title = "Wished activity ρ", .group = SL_GROUP_SPARSITY,
    .kind = SL_REAL, .lo = 0.01, .hi = 0.5, .step = 0.01, .fallback = 0.1, .needs = "kl>0",
    .help = "How active a unit should be on average, from 0, always off, to 1.",
    .source = "Davis 2016, §2.5.5: the target sparsity" },
  [P_CUT] = { .id = "cut", .title = "Rectifier's threshold τ", .group = SL_GROUP_SPARSITY,
    .kind = SL_REAL, .lo = 0, .hi = 2, .step = 0.01, .fallback = 0, .needs = "activation=rectifier",
    .help = "The rectifier passes only what is above this. It can also be moved after training.",
    .formula = "a = z if z > τ, else 0;  z = W a + b;  slope 1[z > τ]",
    .source = "FATReLU, as in ProSparse, arXiv 2402.13516" },
  [P_SKIP] = { .id = "skip", .title = "Training skips", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_BOOLEAN, .fallback = 0,
    .needs = "activation!=tanh estimator=on predictor!=learned predictor!=oracle compare=no",
    .help = "As published, training computes every unit and then masks. On, the mask is made first, and "
            "only what it leaves is computed, forward and backward; units that dropout drops are left "
            "out too. Convolutions skip in the forward pass alone. The numbers are the same but for rounding.",
    .source = "Davis 2016, §3.2: \"to simplify prototyping, the feed-forward is calculated\"" },
  [P_SKIP_SHARE] = { .id = "skip-below", .title = "Skip units below", .unit = "of the batch",
    .group = SL_GROUP_CONDITIONAL, .kind = SL_REAL, .lo = 0, .hi = 0.5, .step = 0.01, .fallback = 0,
    .needs = "skip=yes",
    .help = "A unit that is predicted on for less than this share of a batch is skipped for the whole "
            "batch. At 0 nothing is lost; above, rare units lose what they had to say.",
    .formula = "S[:, i] ← 0 where mean over the batch of S[:, i] < this (ours)" },
  [P_TWIN] = { .id = "twin", .title = "Train a control network", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_BOOLEAN, .fallback = 0, .effect = SL_RESTART,
    .help = "A second network without the estimator, with the same first weights, batches and "
            "dropout. Any difference between the two comes from the estimator." },
  [P_REPORT] = SL_PARAM_REPORT,
  [P_EVALUATE] = SL_PARAM_EVALUATE,
  [P_EXAMPLES] = SL_PARAM_EXAMPLES,
};
/* clang-format on */
