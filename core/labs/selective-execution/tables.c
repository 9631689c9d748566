/* SPDX-License-Identifier: MIT
 *
 * The knobs, trials and readings of the lab `selective-execution`, in words.  */
#include "core/labs/selective-execution/tables.h"

#include "core/lab/kit/params.h"
#include "core/labs/selective-execution/math/exits.h"
#include "core/labs/selective-execution/math/promise.h"
#include "core/labs/selective-execution/math/reward.h"
#include "core/nn/optim/optim.h"

/* Each node before the output is an answer alone, and answers learn by cross entropy. */
#define EXITS "teach=cross-entropy architecture=high-low|architecture=cascade"

/* What is decided by controllers, by a threshold, and by the rank in a batch. */
#define CONTROLLERS "architecture!=exits architecture!=depths"
#define THRESHOLD "architecture=exits"
#define DEPTHS "architecture=depths"

/* What a network of the data replaces. */
#define BUILT "data.network=0"

/* What has sizes of its own; and of that, what is made of modules. */
#define SIZED "architecture>figure-1-right " BUILT
#define CHOOSES SIZED " architecture!=depths"

/* clang-format off */
const SlParam sl_selective_params[N_PARAMS] = {
  [P_LAMBDA] = { .id = "lambda", .title = "Accuracy weight λ", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_REAL, .lo = 0, .hi = 1, .step = 0.01, .fallback = 0.95,
    .needs = CONTROLLERS,
    .help = "At 0 all examples take the cheap path, at 1 the expensive one where it is more accurate. Between 0.7 "
            "and 0.98 they divide.",
    .formula = "r = λ A − (1 − λ) cost;  A: accuracy, or the measure of the one class, cost: share of the "
            "most expensive path",
    .source = "Liu and Deng 2017, on experiments: 0 to 1" },
  [P_COST] = { .id = "cost", .title = "Reward cost", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_CHOICE, .fallback = COST_COUNTED,
    .needs = CONTROLLERS,
    .help = "Time is measured on this machine: such a run cannot be repeated exactly.",
    .source = "Liu and Deng 2017: multiplications; running time is named there as another measure",
    SL_CHOICES ({ "multiplications", "Multiplications" }, { "time", "Time on this machine" }) },
  [P_BAG] = { .id = "bag", .title = "Bag size", .unit = "examples",
    .group = SL_GROUP_CONDITIONAL, .kind = SL_INTEGER, .lo = 1, .hi = MOST_BATCH, .step = 1,
    .fallback = 1, .logarithmic = true,
    .needs = CONTROLLERS,
    .help = "Examples that share one reward. F1 and other measures of sets need 32 or more, and learning takes "
            "longer.",
    .formula = "(r − Σᵢ Q (sᵢ, aᵢ))² ÷ m over the m examples of a bag (the division is ours)",
    .source = "Liu and Deng 2017, on learning: mini-bags, no size given" },
  [P_EPSILON] = { .id = "epsilon", .title = "Least exploration ε", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_REAL, .lo = 0, .hi = 1, .step = 0.01, .fallback = 0.05,
    .needs = CONTROLLERS,
    .help = "Share of decisions that stays random, so that rarely chosen branches still train.",
    .formula = "ε = max (least, 1 − (1 − least) · t ÷ length)  (ours)",
    .source = "ours: Liu and Deng 2017 say that it decreases" },
  [P_EXPLORE] = { .id = "explore-for", .title = "Exploration", .unit = "updates",
    .group = SL_GROUP_CONDITIONAL, .kind = SL_INTEGER, .lo = 0, .hi = 1e6, .step = 100,
    .fallback = 1000,
    .needs = CONTROLLERS,
    .help = "Updates over which random decisions fall from all to the least share.",
    .source = "ours: half of the planned run" },
  [P_Q_WEIGHT] = { .id = "controller-weight", .title = "Controller loss weight",
    .group = SL_GROUP_CONDITIONAL, .kind = SL_REAL, .lo = 0, .hi = 100, .step = 0.1, .fallback = 1,
    .needs = CONTROLLERS,
    .help = "Weight of the reward regression relative to the class loss.",
    .source = "Liu and Deng 2017: the losses must be balanced; 1" },
  [P_TEACH] = { .id = "teach", .title = "Class loss", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_CHOICE, .fallback = TEACH_CLASSES,
    .needs = CONTROLLERS,
    .help = "Cross entropy trains on labels and is stable. With action values, the predicted class's score is "
            "fitted to its reward, as in controllers.",
    .formula = "cross entropy, or (S (predicted) − r)²",
    .source = "Liu and Deng 2017, on learning: both; cross entropy is the default here",
    SL_CHOICES ({ "cross-entropy", "Cross entropy" },
      { "action-values", "Action values" }) },
  [P_EVERY_EXIT] = { .id = "every-exit", .title = "Train every exit",
    .group = SL_GROUP_CONDITIONAL, .kind = SL_REAL, .lo = 0, .hi = 1, .step = 0.05, .fallback = 0,
    .needs = EXITS,
    .help = "Share of the class loss that trains all branches on all examples.",
    .formula = "(1 − share) · loss of the paths + share · mean loss of all exits",
    .source = "ours: Liu and Deng 2017 teach what ran, 0" },
  [P_REWARDS] = { .id = "rewards", .title = "Learned rewards", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_CHOICE, .fallback = REWARDS_TAKEN, .needs = EXITS " bag=1",
    .help = "Every action: all exits run in training. Expected: by the probability of the correct class, which "
            "separates hard from easy examples better.",
    .formula = "(r − Q (s, a))², or Σₐ (rₐ − Q (s, a))² ÷ actions, where going on earns the value that the "
            "later controllers predict",
    .source = "Liu and Deng 2017, on learning: of the action taken; the others are ours",
    SL_CHOICES ({ "taken", "Action taken" }, { "every", "Every action" },
      { "expected", "Every, expected" }) },
  [P_TWINS] = { .id = "static-nets", .title = "Static networks",
    .group = SL_GROUP_CONDITIONAL, .kind = SL_BOOLEAN, .fallback = 1, .effect = SL_RESTART,
    .help = "Trains a network without a choice for each path: the curve to beat.",
    .source = "Liu and Deng 2017, figure 2" },
  [P_CONFIDENCE] = { .id = "confidence", .title = "Confidence of an exit", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_CHOICE, .fallback = SL_EXIT_MARGIN, .needs = THRESHOLD,
    .help = "What the threshold compares: the lead of the largest probability, the entropy, or the largest "
            "probability.",
    .formula = "margin: p₍₁₎ − p₍₂₎ ≥ λ;  entropy: −Σ p log p < τ;  top: p₍₁₎ ≥ λ",
    .source = "Schuster et al. 2022 (margin); Teerapittayanon et al. 2016 (entropy)",
    SL_CHOICES ({ "margin", "Margin" }, { "entropy", "Entropy" }, { "top", "Largest probability" }) },
  [P_THRESHOLD] = { .id = "exit-threshold", .title = "Exit threshold",
    .group = SL_GROUP_CONDITIONAL, .kind = SL_REAL, .lo = 0, .hi = 1, .step = 0.01, .fallback = 0.8,
    .needs = THRESHOLD,
    .help = "An example leaves at the first exit that is sure enough. Fewer leave early with a larger margin or "
            "probability, or a smaller entropy.",
    .formula = "one threshold for all exits (ours);  entropy: τ = threshold · ln C",
    .source = "Schuster et al. 2022; Teerapittayanon et al. 2016 have one for each exit" },
  [P_PROMISE] = { .id = "promise", .title = "Promised risk", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_CHOICE, .fallback = PROMISE_ANSWERS, .needs = THRESHOLD,
    .help = "What may happen to few examples only: another answer than the last exit's, or a wrong one where it is "
            "right.",
    .formula = "R (λ) = mean of 1[answer ≠ last answer], or of max (0, 1[wrong] − 1[last wrong])",
    .source = "Schuster et al. 2022, §3",
    SL_CHOICES ({ "answers", "Other answers" }, { "errors", "More errors" }) },
  [P_TOLERANCE] = { .id = "tolerance", .title = "Tolerance δ", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_REAL, .lo = 0.001, .hi = 0.2, .step = 0.001, .fallback = 0.01, .logarithmic = true,
    .needs = THRESHOLD,
    .help = "Largest share of new examples to which that may happen.",
    .formula = "P (R (λ̂) ≤ δ) ≥ 1 − ε", .source = "Schuster et al. 2022, §3" },
  [P_BOUND] = { .id = "bound", .title = "Probability bound", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_CHOICE, .fallback = SL_PROMISE_BINOMIAL, .needs = THRESHOLD,
    .help = "The binomial distribution is exact. Hoeffding's inequality needs at least 14 979 examples to promise δ "
            "= 1 %.",
    .formula = "p = P (Bin (n, δ) ≤ k), or exp (−2 n max (0, δ − k ÷ n)²)",
    .source = "Angelopoulos et al. 2021; ours: binomial",
    SL_CHOICES ({ "binomial", "Binomial" }, { "hoeffding", "Hoeffding" }) },
  [P_SHARE] = { .id = "share", .title = "Routed share", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_REAL, .lo = 0, .hi = 1, .step = 0.005, .fallback = 0.125,
    .needs = DEPTHS,
    .help = "Share of a training batch, the highest scores, that a routed block computes. A predictor learned from "
            "batches decides for single examples.",
    .formula = "C = ⌈γ B⌉ examples", .source = "Raposo et al. 2024: 12.5 %" },
  [P_RATE] = SL_PARAM_RATE (1e-3, 1e-4, ""),
  [P_SCHEDULE] = SL_PARAM_SCHEDULE (""),
  [P_SCHEDULE_EPOCHS] = SL_PARAM_SCHEDULE_EPOCHS,
  [P_BATCH] = SL_PARAM_BATCH (MOST_BATCH, 128),
  [P_OPTIMISER] = SL_PARAM_OPTIMISER (
    "How gradients become updates; a change clears the moments.", ""),
  [P_ARCHITECTURE] = { .id = "architecture", .title = "Architecture", .group = SL_GROUP_MODEL,
    .kind = SL_CHOICE, .fallback = ARCHITECTURE_HIGH_LOW, .effect = SL_RESTART,
    .help = "High or low: one choice of two branches. Cascade: leave at one of several exits. Chain: each "
            "link chooses how much it computes. Hierarchy: branches for kinds of classes. Exits: thresholds, not "
            "controllers. Depths: blocks for a share of each batch. A network of the data takes their place.",
    .source = "Liu and Deng 2017, figures 1 and 3; depths: Raposo et al. 2024",
    SL_CHOICES ({ "figure-1-left", "Figure 1, left" }, { "figure-1-right", "Figure 1, right" },
      { "high-low", "High or low" }, { "hierarchy", "Hierarchy" },
      { "cascade", "Cascade" }, { "chain", "Chain" }, { "exits", "Exits by a threshold" },
      { "depths", "Mixture of depths" }) },
  [P_MODULES] = { .id = "modules", .title = "Modules", .group = SL_GROUP_MODEL, .kind = SL_CHOICE,
    .fallback = MODULES_DENSE, .effect = SL_RESTART, .needs = CHOOSES,
    .help = "Fully connected layers, or 3 × 3 convolutions, which see more and take longer.",
    .source = "Liu and Deng 2017, on experiments: convolutional",
    SL_CHOICES ({ "dense", "Dense" }, { "convolutional", "Convolutional" }) },
  [P_DECISIONS] = { .id = "decisions", .title = "Decisions", .group = SL_GROUP_MODEL,
    .kind = SL_INTEGER, .lo = 1, .hi = MOST_DECISIONS, .step = 1, .fallback = 3,
    .effect = SL_RESTART, .needs = "architecture>hierarchy architecture!=depths " BUILT,
    .help = "Controllers of a cascade or chain, or exits before the last one.",
    .source = "Liu and Deng 2017, on the cascade: 3" },
  [P_LINKS] = { .id = "links", .title = "Chain links", .group = SL_GROUP_MODEL, .kind = SL_CHOICE,
    .fallback = LINKS_RESIDUAL, .effect = SL_RESTART, .needs = "architecture=chain " BUILT,
    .help = "Residual links add what they choose to what passes; the others replace it.",
    .formula = "x + (0 | low (x) | high (x)), or low (x) | high (x), merged by a sum with 0 by default",
    .source = "Liu and Deng 2017, on the chain: low or high; residual: ours",
    SL_CHOICES ({ "residual", "Residual: nothing, low or high" }, { "either", "Low or high" }) },
  [P_LEVELS] = { .id = "levels", .title = "Hierarchy levels", .group = SL_GROUP_MODEL,
    .kind = SL_INTEGER, .lo = 2, .hi = 3, .step = 1, .fallback = 2, .effect = SL_RESTART,
    .needs = "architecture=hierarchy " BUILT,
    .help = "With 2, branches for kinds of classes follow a coarse answer; with 3, a branch for each half comes "
            "between.",
    .source = "Liu and Deng 2017, figure 3 (d)" },
  [P_BLOCKS] = { .id = "blocks", .title = "Blocks", .group = SL_GROUP_MODEL, .kind = SL_INTEGER,
    .lo = 1, .hi = MOST_CONTROLLERS, .step = 1, .fallback = 4, .effect = SL_RESTART, .needs = DEPTHS,
    .help = "Residual blocks in sequence, with one hidden layer each." },
  [P_ROUTED_EVERY] = { .id = "routed-every", .title = "Routed block every", .unit = "blocks",
    .group = SL_GROUP_MODEL, .kind = SL_INTEGER, .lo = 1, .hi = 4, .step = 1, .fallback = 2,
    .effect = SL_RESTART, .needs = DEPTHS,
    .help = "With 2 every other block is routed, with 1 all are.",
    .source = "Raposo et al. 2024: every other block" },
  [P_WEIGHT] = { .id = "weight", .title = "Routed block weight", .group = SL_GROUP_MODEL,
    .kind = SL_CHOICE, .fallback = WEIGHT_RAW, .effect = SL_RESTART, .needs = DEPTHS,
    .help = "The router's score weights what a block adds, so that it learns. A raw negative score reverses the "
            "block; a sigmoid prevents that.",
    .formula = "x + r f (x), or x + σ (r) f (x)", .source = "Raposo et al. 2024: raw",
    SL_CHOICES ({ "raw", "Raw" }, { "sigmoid", "Sigmoid" }) },
  [P_LOW] = { .id = "low", .title = "Cheap branch units", .unit = "units",
    .group = SL_GROUP_MODEL, .kind = SL_INTEGER, .lo = 1, .hi = 4096, .step = 1, .fallback = 16,
    .logarithmic = true, .effect = SL_RESTART, .needs = CHOOSES,
    .help = "Width of the hidden layer of cheap branches and exits." },
  [P_HIGH] = { .id = "high", .title = "Expensive branch units", .unit = "units",
    .group = SL_GROUP_MODEL, .kind = SL_INTEGER, .lo = 1, .hi = 4096, .step = 1, .fallback = 256,
    .logarithmic = true, .effect = SL_RESTART, .needs = SIZED,
    .help = "Width of the last hidden layer of the expensive branch, or of each block." },
  [P_WIDTH] = { .id = "width", .title = "Units between nodes", .unit = "units", .group = SL_GROUP_MODEL,
    .kind = SL_INTEGER, .lo = 1, .hi = 1024, .step = 1, .fallback = 32, .logarithmic = true,
    .effect = SL_RESTART, .needs = "modules=dense|architecture=depths " BUILT,
    .help = "Width between dense nodes: what controllers and cheap branches read." },
  [P_CHANNELS] = { .id = "channels", .title = "Channels", .group = SL_GROUP_MODEL,
    .kind = SL_INTEGER, .lo = 1, .hi = 128, .step = 1, .fallback = 8, .logarithmic = true,
    .effect = SL_RESTART, .needs = "modules=convolutional " BUILT,
    .help = "Channels of the first convolution; later ones have two and four times as many." },
  [P_CONTROLLER] = { .id = "controller", .title = "Controller units", .unit = "units",
    .group = SL_GROUP_MODEL, .kind = SL_INTEGER, .lo = 1, .hi = 512, .step = 1, .fallback = 16,
    .logarithmic = true, .effect = SL_RESTART,
    .needs = SIZED " " CONTROLLERS,
    .help = "Width of the hidden layers of each controller." },
  [P_CONTROLLER_LAYERS] = { .id = "controller-layers", .title = "Controller layers",
    .unit = "layers", .group = SL_GROUP_MODEL, .kind = SL_INTEGER, .lo = 1, .hi = 3, .step = 1,
    .fallback = 1, .effect = SL_RESTART,
    .needs = SIZED " " CONTROLLERS,
    .help = "Two layers learn much better than a wide one which examples are hard." },
  [P_TASK] = { .id = "task", .title = "Task", .group = SL_GROUP_MODEL, .kind = SL_CHOICE,
    .fallback = TASK_CLASSES, .effect = SL_RESTART,
    .help = "All classes are scored by accuracy, one class by F1, precision or recall, in the reward too if a bag "
            "has several examples.",
    .source = "Liu and Deng 2017, on the high-low network: faces against the rest, F1",
    SL_CHOICES ({ "classes", "All classes" }, { "one", "One against all others" }) },
  [P_POSITIVE] = { .id = "positive", .title = "The one class", .group = SL_GROUP_MODEL,
    .kind = SL_INTEGER, .lo = 0, .hi = MOST_CLASSES - 1, .step = 1, .fallback = 0,
    .effect = SL_RESTART, .needs = "task=one",
    .help = "Number of the class to find, from 0." },
  [P_MEASURE] = { .id = "measure", .title = "Measure", .group = SL_GROUP_MODEL,
    .kind = SL_CHOICE, .fallback = SL_DETECTION_F1, .effect = SL_RESTART, .needs = "task=one",
    .help = "Precision alone rewards finding nothing, recall alone finding everything.",
    .formula = "F1 = 2 TP ÷ (2 TP + FP + FN);  precision = TP ÷ (TP + FP);  recall = TP ÷ (TP + FN)",
    .source = "Liu and Deng 2017: F1; any measure of a set may take its place",
    /* In the order of SlDetection. */
    SL_CHOICES ({ "f1", "F1" }, { "precision", "Precision" },
      { "recall", "Recall" }) },
  [P_REPORT] = SL_PARAM_REPORT,
  [P_EVALUATE] = SL_PARAM_EVALUATE,
  [P_EXAMPLES] = SL_PARAM_EXAMPLES,
};
/* clang-format on */
