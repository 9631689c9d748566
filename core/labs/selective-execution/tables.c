/* SPDX-License-Identifier: MIT
 *
 * The knobs, trials and readings of the lab `selective-execution`, in words.  */
#include "core/labs/selective-execution/tables.h"

#include "core/lab/kit/params.h"
#include "core/nn/dag/exits.h"
#include "core/nn/dag/file.h"
#include "core/nn/dag/promise.h"
#include "core/nn/dag/reward.h"
#include "core/nn/optim/optim.h"

/* Each node before the output is an answer alone, and answers learn by cross entropy. */
#define EXITS                                                                                      \
  "teach=cross-entropy architecture!=hierarchy architecture!=chain architecture!=exits "           \
  "architecture!=depths"

/* What is decided by controllers, by a threshold, and by the rank in a batch. */
#define CONTROLLERS "architecture!=exits|plan!=none architecture!=depths|plan!=none"
#define THRESHOLD "architecture=exits"
#define DEPTHS "architecture=depths"
#define FIXED "plan=none"
#define CHOOSES FIXED " architecture!=depths"

/* clang-format off */
const SlParam sl_selective_params[N_PARAMS] = {
  [P_LAMBDA] = { .id = "lambda", .title = "Weight of accuracy λ", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_REAL, .lo = 0, .hi = 1, .step = 0.01, .fallback = 0.95,
    .needs = CONTROLLERS,
    .help = "Weight of accuracy against low cost in the reward. At 0 only low cost counts and all "
            "examples take the cheap path; at 1 only correct answers count, and examples take the "
            "expensive path where it is more accurate. Between 0.7 and 0.98 the examples divide. A "
            "cascade reacts to λ much sooner when every exit is trained and the rewards of every "
            "action are learned.",
    .formula = "r = λ A − (1 − λ) cost;  A: accuracy, or the measure of the one class, cost: share "
               "of the most expensive path (reading: the paper also writes 1 ÷ cost)",
    .source = "Liu and Deng 2017, on experiments: 0 to 1" },
  [P_COST] = { .id = "cost", .title = "Cost in the reward", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_CHOICE, .fallback = COST_COUNTED,
    .needs = CONTROLLERS,
    .help = "Multiplications are counted and are the same everywhere. Time is measured for each "
            "node on this machine now and then: such a run cannot be repeated to the last digit.",
    .source = "Liu and Deng 2017: multiplications; running time is named there as another measure",
    SL_CHOICES ({ "multiplications", "Multiplications" }, { "time", "Time on this machine" }) },
  [P_BAG] = { .id = "bag", .title = "Examples in a bag", .unit = "examples",
    .group = SL_GROUP_CONDITIONAL, .kind = SL_INTEGER, .lo = 1, .hi = MOST_BATCH, .step = 1,
    .fallback = 1, .logarithmic = true,
    .needs = CONTROLLERS,
    .help = "How many examples share one reward. With 1 each has its own; a measure of sets such "
            "as F1 needs 32 or more, and then it takes longer to learn which example earned it.",
    .formula = "(r − Σᵢ Q (sᵢ, aᵢ))² ÷ m over the m examples of a bag (the division is ours)",
    .source = "Liu and Deng 2017, on learning: mini-bags, no size given" },
  [P_EPSILON] = { .id = "epsilon", .title = "Least exploration ε", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_REAL, .lo = 0, .hi = 1, .step = 0.01, .fallback = 0.05,
    .needs = CONTROLLERS,
    .help = "Share of the decisions that stay random for good. It keeps giving examples to "
            "branches that are never chosen; at 0 they get none, and after a later change of λ "
            "they are untrained.",
    .formula = "ε = max (least, 1 − (1 − least) · t ÷ length)  (ours: a line)",
    .source = "ours: Liu and Deng 2017 say that it decreases" },
  [P_EXPLORE] = { .id = "explore-for", .title = "Exploration", .unit = "updates",
    .group = SL_GROUP_CONDITIONAL, .kind = SL_INTEGER, .lo = 0, .hi = 1e6, .step = 100,
    .fallback = 1000,
    .needs = CONTROLLERS,
    .help = "Updates over which the share of random decisions falls linearly from 1. A shorter "
            "time shows the effect of λ sooner; a longer one trains all branches well first.",
    .source = "ours: half of the planned run" },
  [P_Q_WEIGHT] = { .id = "controller-weight", .title = "Weight of the controllers' loss",
    .group = SL_GROUP_CONDITIONAL, .kind = SL_REAL, .lo = 0, .hi = 100, .step = 0.1, .fallback = 1,
    .needs = CONTROLLERS,
    .help = "Weight of the regression of rewards relative to the classes. It also changes the "
            "features that controllers share with the network.",
    .source = "Liu and Deng 2017: the losses must be balanced; 1" },
  [P_TEACH] = { .id = "teach", .title = "Loss of the regular nodes", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_CHOICE, .fallback = TEACH_CLASSES,
    .needs = CONTROLLERS,
    .help = "Cross entropy trains the classes on labels and is stable. With action values the "
            "score of the predicted class is fitted to its reward, as controllers do.",
    .formula = "cross entropy, or (S (predicted) − r)²",
    .source = "Liu and Deng 2017, on learning: both; cross entropy is the default here",
    SL_CHOICES ({ "cross-entropy", "Cross entropy" },
      { "action-values", "Class scores as action values" }) },
  [P_EVERY_EXIT] = { .id = "every-exit", .title = "Training of every exit",
    .group = SL_GROUP_CONDITIONAL, .kind = SL_REAL, .lo = 0, .hi = 1, .step = 0.05, .fallback = 0,
    .needs = EXITS,
    .help = "Share of the regular nodes' loss that comes from all branches or exits on all "
            "examples, beside the paths that were taken. Above 0 every branch gets examples of "
            "every kind. It costs time in training only; high or low and cascades have such exits.",
    .formula = "(1 − share) · loss of the paths + share · mean loss of all exits",
    .source = "ours: Liu and Deng 2017 teach what ran, 0" },
  [P_REWARDS] = { .id = "rewards", .title = "Learned rewards", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_CHOICE, .fallback = REWARDS_TAKEN, .needs = EXITS " bag=1",
    .help = "Where every action counts, all exits run in training, so that controllers learn what "
            "each action would have earned and need no random decisions. Expected: the probability "
            "that an exit gives to the correct class, which separates hard from easy examples "
            "better than correct or wrong. For high or low and cascades, with bags of one.",
    .formula = "(r − Q (s, a))², or Σₐ (rₐ − Q (s, a))² ÷ actions, where going on earns the value "
               "that the later controllers predict; A: correct or wrong, or the probability of the "
               "correct class",
    .source = "Liu and Deng 2017, on learning: of the action taken; the others are ours",
    SL_CHOICES ({ "taken", "Action taken" }, { "every", "Every action" },
      { "expected", "Every, expected" }) },
  [P_TWINS] = { .id = "static-nets", .title = "Static networks to compare with",
    .group = SL_GROUP_CONDITIONAL, .kind = SL_BOOLEAN, .fallback = 1, .effect = SL_RESTART,
    .help = "Trains networks of the same modules without a choice on the same batches, one for "
            "each path: the curve has to beat them. They cost training time and are not counted.",
    .source = "Liu and Deng 2017, figure 2" },
  [P_CONFIDENCE] = { .id = "confidence", .title = "Sureness of an exit", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_CHOICE, .fallback = SL_EXIT_MARGIN, .needs = THRESHOLD,
    .help = "What is compared with the threshold: how far the probability of the answer is above the "
            "next one, the entropy of all classes, or the probability of the answer. An exit whose "
            "scores are not numbers is never left at.",
    .formula = "margin: p₍₁₎ − p₍₂₎ ≥ λ;  entropy: −Σ p log p < τ;  top: p₍₁₎ ≥ λ",
    .source = "Schuster et al. 2022 (margin); Teerapittayanon et al. 2016 (entropy)",
    SL_CHOICES ({ "margin", "Margin" }, { "entropy", "Entropy" }, { "top", "Largest probability" }) },
  [P_THRESHOLD] = { .id = "exit-threshold", .title = "Threshold of the exits",
    .group = SL_GROUP_CONDITIONAL, .kind = SL_REAL, .lo = 0, .hi = 1, .step = 0.01, .fallback = 0.8,
    .needs = THRESHOLD,
    .help = "An example leaves at the first exit that is sure enough; the last one takes the rest. It "
            "can be moved after training. Margin and largest probability: a larger threshold lets "
            "fewer leave, 0 lets all leave at the first exit. Entropy: a share of that of equal "
            "probabilities; a smaller one lets fewer leave, 0 none.",
    .formula = "one threshold for all exits (ours);  entropy: τ = threshold · ln C",
    .source = "Schuster et al. 2022; Teerapittayanon et al. 2016 have one for each exit" },
  [P_PROMISE] = { .id = "promise", .title = "Promise about", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_CHOICE, .fallback = PROMISE_ANSWERS, .needs = THRESHOLD,
    .help = "What is to happen for few examples: another answer than that of the last exit, or a wrong "
            "answer where the last exit is right.",
    .formula = "R (λ) = mean of 1[answer ≠ last answer], or of max (0, 1[wrong] − 1[last wrong])",
    .source = "Schuster et al. 2022, §3",
    SL_CHOICES ({ "answers", "Other answers" }, { "errors", "More errors" }) },
  [P_TOLERANCE] = { .id = "tolerance", .title = "Tolerance δ", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_REAL, .lo = 0.001, .hi = 0.2, .step = 0.001, .fallback = 0.01, .logarithmic = true,
    .needs = THRESHOLD,
    .help = "For how large a share of new examples that may happen.",
    .formula = "P (R (λ̂) ≤ δ) ≥ 1 − ε", .source = "Schuster et al. 2022, §3" },
  [P_BOUND] = { .id = "bound", .title = "Chance of the losses by", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_CHOICE, .fallback = SL_PROMISE_BINOMIAL, .needs = THRESHOLD,
    .help = "The binomial distribution is exact for losses of 0 or 1. Hoeffding's inequality needs many "
            "more examples: at δ = 1 % it promises nothing with fewer than 14 979.",
    .formula = "p = P (Bin (n, δ) ≤ k), or exp (−2 n max (0, δ − k ÷ n)²)",
    .source = "Angelopoulos et al. 2021; ours: binomial",
    SL_CHOICES ({ "binomial", "Binomial" }, { "hoeffding", "Hoeffding" }) },
  [P_SHARE] = { .id = "share", .title = "Share that goes through", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_REAL, .lo = 0, .hi = 1, .step = 0.005, .fallback = 0.125,
    .needs = DEPTHS,
    .help = "Share of a training batch that goes through a routed block: those with the largest "
            "numbers. The others pass by unchanged. Alone an example has no batch to be ranked in, and "
            "a predictor that learned from the batches decides.",
    .formula = "C = ⌈γ B⌉ places", .source = "Raposo et al. 2024: 12.5 %" },
  [P_RATE] = SL_PARAM_RATE (1e-3, 1e-4, ""),
  [P_SCHEDULE] = SL_PARAM_SCHEDULE (""),
  [P_SCHEDULE_EPOCHS] = SL_PARAM_SCHEDULE_EPOCHS,
  [P_BATCH] = SL_PARAM_BATCH (MOST_BATCH, 128),
  [P_OPTIMISER] = SL_PARAM_OPTIMISER (
    "The rule that turns gradients into updates; changing it clears its moments. A node that no "
    "example reached does not change.",
    ""),
  [P_PLAN] = { .id = "plan", .title = "Your own network", .group = SL_GROUP_MODEL, .kind = SL_TEXT,
    .effect = SL_RESTART, .accepts = sl_dag_accepts,
    .help = "A graph of your own as a file of JSON: nodes, layers, edges, controllers and their actions, "
            "values by default. It takes the place of the architecture below; that one, exported, is a "
            "file to begin with. Of each controller, name the cheapest action first and the most "
            "expensive one last.",
    .source = "Liu and Deng 2017, §3: any directed acyclic graph" },
  [P_ARCHITECTURE] = { .id = "architecture", .title = "Architecture", .group = SL_GROUP_MODEL,
    .kind = SL_CHOICE, .fallback = ARCHITECTURE_HIGH_LOW, .effect = SL_RESTART, .needs = FIXED,
    .help = "High or low: one choice between two branches. Cascade: leave at one of several exits. "
            "Chain: each link chooses how much it computes. Hierarchy: branches for kinds of "
            "classes, each on or off. Exits: a cascade without controllers, where an example leaves at the "
            "first exit that is sure enough; all exits are trained on all examples. Depths: residual blocks, some "
            "of which only a share of each batch goes through.",
    .source = "Liu and Deng 2017, figure 3; depths: Raposo et al. 2024",
    SL_CHOICES ({ "high-low", "High or low" }, { "hierarchy", "Hierarchy" },
      { "cascade", "Cascade" }, { "chain", "Chain" }, { "exits", "Exits by a threshold" },
      { "depths", "Mixture of depths" }) },
  [P_MODULES] = { .id = "modules", .title = "Modules", .group = SL_GROUP_MODEL, .kind = SL_CHOICE,
    .fallback = MODULES_DENSE, .effect = SL_RESTART, .needs = CHOOSES,
    .help = "What the nodes compute: fully connected layers, or 3 × 3 convolutions, which see more "
            "in pictures and take longer.",
    .source = "Liu and Deng 2017, on experiments: convolutional",
    SL_CHOICES ({ "dense", "Dense" }, { "convolutional", "Convolutional" }) },
  [P_DECISIONS] = { .id = "decisions", .title = "Decisions", .group = SL_GROUP_MODEL,
    .kind = SL_INTEGER, .lo = 1, .hi = MOST_DECISIONS, .step = 1, .fallback = 3,
    .effect = SL_RESTART, .needs = "architecture>hierarchy architecture!=depths",
    .help = "Controllers of a cascade or a chain, exits before the last one. One more is another exit, or "
            "another link.",
    .source = "Liu and Deng 2017, on the cascade: 3" },
  [P_LINKS] = { .id = "links", .title = "Links of a chain", .group = SL_GROUP_MODEL, .kind = SL_CHOICE,
    .fallback = LINKS_RESIDUAL, .effect = SL_RESTART, .needs = "architecture=chain",
    .help = "What a link chooses is added to what passes, and it may choose nothing; or it chooses between "
            "little and much, which takes the place of what came. In the second case the static network of "
            "the cheapest path has the cheap branch in every link.",
    .formula = "x + (0 | low (x) | high (x)), or low (x) | high (x), merged by a sum with 0 by default",
    .source = "Liu and Deng 2017, on the chain: low or high; residual: ours",
    SL_CHOICES ({ "residual", "Nothing, little or much is added" }, { "either", "Low or high" }) },
  [P_LEVELS] = { .id = "levels", .title = "Levels of the hierarchy", .group = SL_GROUP_MODEL,
    .kind = SL_INTEGER, .lo = 2, .hi = 3, .step = 1, .fallback = 2, .effect = SL_RESTART,
    .needs = "architecture=hierarchy",
    .help = "With 2, branches for kinds of classes stand behind a coarse answer. With 3, a branch for each "
            "half of the classes, and behind it branches for groups of them, each with a controller of its own "
            "that runs only where the half did.",
    .source = "Liu and Deng 2017, figure 3 (d)" },
  [P_BLOCKS] = { .id = "blocks", .title = "Blocks", .group = SL_GROUP_MODEL, .kind = SL_INTEGER,
    .lo = 1, .hi = MOST_CONTROLLERS, .step = 1, .fallback = 4, .effect = SL_RESTART, .needs = DEPTHS,
    .help = "Residual blocks one behind the other, each of one hidden layer that adds to what passes." },
  [P_ROUTED_EVERY] = { .id = "routed-every", .title = "A routed block every", .unit = "blocks",
    .group = SL_GROUP_MODEL, .kind = SL_INTEGER, .lo = 1, .hi = 4, .step = 1, .fallback = 2,
    .effect = SL_RESTART, .needs = DEPTHS,
    .help = "With 2 every other block is routed and the others run for all; with 1 all are. Where there "
            "are fewer blocks, none is.",
    .source = "Raposo et al. 2024: every other block" },
  [P_WEIGHT] = { .id = "weight", .title = "Weight of a routed block", .group = SL_GROUP_MODEL,
    .kind = SL_CHOICE, .fallback = WEIGHT_RAW, .effect = SL_RESTART, .needs = DEPTHS,
    .help = "What a block adds is weighted by the router's number, so that the router learns. As it is, "
            "a chosen example with a negative number gets the block backwards; behind a sigmoid it does "
            "not.",
    .formula = "x + r f (x), or x + σ (r) f (x)", .source = "Raposo et al. 2024: raw",
    SL_CHOICES ({ "raw", "Raw" }, { "sigmoid", "Sigmoid" }) },
  [P_LOW] = { .id = "low", .title = "Units of the cheap branch", .unit = "units",
    .group = SL_GROUP_MODEL, .kind = SL_INTEGER, .lo = 1, .hi = 4096, .step = 1, .fallback = 16,
    .logarithmic = true, .effect = SL_RESTART, .needs = CHOOSES,
    .help = "Width of the hidden layer of cheap branches and exits. It sets how good a cheap "
            "answer can be." },
  [P_HIGH] = { .id = "high", .title = "Units of the expensive branch", .unit = "units",
    .group = SL_GROUP_MODEL, .kind = SL_INTEGER, .lo = 1, .hi = 4096, .step = 1, .fallback = 256,
    .logarithmic = true, .effect = SL_RESTART, .needs = FIXED,
    .help = "Width of the last hidden layer of the expensive branch, or of each block of a mixture of "
            "depths. It sets how much can be gained, and what that costs." },
  [P_WIDTH] = { .id = "width", .title = "Units between", .unit = "units", .group = SL_GROUP_MODEL,
    .kind = SL_INTEGER, .lo = 1, .hi = 1024, .step = 1, .fallback = 32, .logarithmic = true,
    .effect = SL_RESTART, .needs = "modules=dense|architecture=depths",
    .help = "Width of what passes from node to node where modules are dense: what controllers and "
            "cheap branches see." },
  [P_CHANNELS] = { .id = "channels", .title = "Channels", .group = SL_GROUP_MODEL,
    .kind = SL_INTEGER, .lo = 1, .hi = 128, .step = 1, .fallback = 8, .logarithmic = true,
    .effect = SL_RESTART, .needs = "modules=convolutional",
    .help = "Channels of the first convolution; later ones have two and four times as many." },
  [P_CONTROLLER] = { .id = "controller", .title = "Units of a controller", .unit = "units",
    .group = SL_GROUP_MODEL, .kind = SL_INTEGER, .lo = 1, .hi = 512, .step = 1, .fallback = 16,
    .logarithmic = true, .effect = SL_RESTART,
    .needs = "architecture!=exits architecture!=depths",
    .help = "Width of the hidden layers of each controller. A larger controller judges examples "
            "better, but every example pays for it." },
  [P_CONTROLLER_LAYERS] = { .id = "controller-layers", .title = "Layers of a controller",
    .unit = "layers", .group = SL_GROUP_MODEL, .kind = SL_INTEGER, .lo = 1, .hi = 3, .step = 1,
    .fallback = 1, .effect = SL_RESTART,
    .needs = "architecture!=exits architecture!=depths",
    .help = "Hidden layers of each controller. Whether an example is hard depends on several "
            "features at once, and two layers learn that much better than a single wide one." },
  [P_TASK] = { .id = "task", .title = "Task", .group = SL_GROUP_MODEL, .kind = SL_CHOICE,
    .fallback = TASK_CLASSES, .effect = SL_RESTART,
    .help = "All classes are scored by accuracy. One class against the rest is scored by F1, "
            "precision or recall, in the reward too if a bag has more than one example.",
    .source = "Liu and Deng 2017, on the high-low network: faces against the rest, F1",
    SL_CHOICES ({ "classes", "All classes" }, { "one", "One class against the rest" }) },
  [P_POSITIVE] = { .id = "positive", .title = "The one class", .group = SL_GROUP_MODEL,
    .kind = SL_INTEGER, .lo = 0, .hi = MOST_CLASSES - 1, .step = 1, .fallback = 0,
    .effect = SL_RESTART, .needs = "task=one",
    .help = "Number of the class to be found, from 0 in the order of the data." },
  [P_MEASURE] = { .id = "measure", .title = "Measure of the one class", .group = SL_GROUP_MODEL,
    .kind = SL_CHOICE, .fallback = SL_DETECTION_F1, .effect = SL_RESTART, .needs = "task=one",
    .help = "What the reward of a bag and all errors count: F1, the share of the found examples that "
            "are of the class (precision), or the share of the class that is found (recall). Precision "
            "alone rewards finding nothing, recall alone finding everything.",
    .formula = "F1 = 2 TP ÷ (2 TP + FP + FN);  precision = TP ÷ (TP + FP);  recall = TP ÷ (TP + FN)",
    .source = "Liu and Deng 2017: F1; any measure of a set may take its place",
    /* In the order of SlDetection. */
    SL_CHOICES ({ "f1", "F1" }, { "precision", "Precision: right of the found" },
      { "recall", "Recall: found of the class" }) },
  [P_REPORT] = SL_PARAM_REPORT,
  [P_EVALUATE] = SL_PARAM_EVALUATE,
  [P_EXAMPLES] = SL_PARAM_EXAMPLES,
};
/* clang-format on */
