/* SPDX-License-Identifier: MIT
 *
 * The knobs, panels and trials of the lab `prefix-tree`, in words.  */
#include "core/labs/prefix-tree/tables.h"

#include "core/lab/kit/panels.h"
#include "core/lab/kit/params.h"
#include "core/labs/prefix-tree/math/decay.h"
#include "core/nn/optim/optim.h"

/* clang-format off */
const SlParam sl_prefix_params[N_PARAMS] = {
  [P_K] = { .id = "k", .title = "Bits k", .group = SL_GROUP_CONDITIONAL, .kind = SL_INTEGER,
    .lo = 0, .hi = MOST_K, .step = 1, .fallback = 4, .effect = SL_RESTART,
    .headline = SL_HEADLINE_ACTIVE, .one = "bit",
    .help = "Bits that choose a path; each example uses k + 1 matrices. At 0 the layer is dense; "
            "k cannot exceed the units before the tree.",
    .formula = "leaves 2ᵏ;  matrices 2ᵏ⁺¹ − 1;  on each path k + 1",
    .source = "Cho and Bengio 2014, §2" },
  [P_TABLE] = { .id = "weights", .title = "Weights", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_CHOICE, .fallback = TABLE_TREE, .effect = SL_RESTART,
    .help = "In a sum along the path, rare paths share what their prefixes learned. One matrix "
            "per leaf shares nothing.",
    .formula = "F (b) = Σ_{l=0…k} T[n_l],  n₀ = 0, n_l = 2 n_{l−1} + 1 + b_l;  or F (b) = T[leaf "
               "(b)]",
    .source = "Cho and Bengio 2014, §3 and §2",
    SL_CHOICES ({ "tree", "Sum along the path" }, { "flat", "One per leaf" }) },
  [P_WINDOW] = { .id = "window", .title = "Window", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_CHOICE, .fallback = 0, .effect = SL_RESTART,
    .help = "Bits that each input follows: the same k bits for all, the k bits from ⌊j/k⌋ on, or "
            "k drawn bits for each run of k inputs. The last two make far more combinations, in "
            "many small products.",
    .formula = "S_j: the first k of K bits, those from min (⌊j ÷ k⌋, K − k) on, or k drawn ones",
    .source = "Cho and Bengio 2014, §2",
    /* In the order of SlTreeWindow. */
    SL_CHOICES ({ "shared", "Shared" }, { "sliding", "Sliding" }, { "random", "Random" }) },
  [P_SOURCES] = { .id = "gating-units", .title = "Source of bits", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_CHOICE, .fallback = SOURCES_FIRST, .effect = SL_RESTART, .needs = "bits=threshold",
    .help = "Units of the layer before the tree that decide the bits. It matters on the input, "
            "where the first pixels of an image are its empty corner.",
    .formula = "gᵢ = 1[x_π(i) > τ]", .source = "Cho and Bengio 2014, §4.3: π is free",
    SL_CHOICES ({ "first", "The first units" }, { "drawn", "Drawn units" }) },
  [P_BITS] = { .id = "bits", .title = "Kind of bits", .group = SL_GROUP_CONDITIONAL, .kind = SL_CHOICE,
    .fallback = BITS_THRESHOLD, .effect = SL_RESTART,
    .help = "Whether a unit exceeds its threshold, or a draw with probability σ (xU) from a "
            "matrix U. Evaluation takes the likelier value.",
    .formula = "gᵢ = 1[xᵢ > τ], or 1[u < σ ((x U)ᵢ)], u uniform",
    .source = "Cho and Bengio 2014, §2",
    SL_CHOICES ({ "threshold", "Unit above threshold" }, { "sampled", "Sampled" }) },
  [P_THRESHOLD] = { .id = "threshold", .title = "Threshold", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_CHOICE, .fallback = THRESHOLD_MEDIAN, .needs = "bits=threshold",
    .help = "The running median keeps every bit on for half of the examples. With a fixed "
            "threshold some leaves get no examples.",
    .source = "fixed: Cho and Bengio 2014, §2",
    SL_CHOICES ({ "median", "Running median" }, { "fixed", "Fixed" }) },
  [P_TAU] = { .id = "tau", .title = "Threshold τ", .group = SL_GROUP_CONDITIONAL, .kind = SL_REAL,
    .lo = -5, .hi = 5, .step = 0.05, .fallback = 0, .needs = "threshold=fixed",
    .help = "A bit is on where its unit is above this. The unit is read before its rectifier, "
            "which matters only below zero.",
    .formula = "gᵢ = 1[xᵢ > τ]", .source = "Cho and Bengio 2014, §2" },
  [P_CREDIT] = { .id = "credit", .title = "Training of the bits", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_CHOICE, .fallback = CREDIT_NONE,
    .help = "How the choice of the path is trained: not at all (enough, by the paper's "
            "hypothesis), by the loss, by the effect of changing one bit, or by tanh modulation. "
            "REINFORCE needs sampled bits, modulation thresholds.",
    .formula = "REINFORCE: (gᵢ − σ (vᵢ)) (L − L̄ᵢ);  straight-through: δ · Σⱼ xⱼ [F (gᵢ = 1) − F "
               "(gᵢ = 0)];  tanh: F = Σ_l T[n_l] G_l, G_l = (Π_{i≤l} (1 − tanh xᵢ))^(1 ÷ l)",
    .source = "Cho and Bengio 2014, §4",
    /* In the order of Credit. */
    SL_CHOICES ({ "none", "None" }, { "reinforce", "REINFORCE" },
      { "straight-through", "Straight-through" },
      { "straight-through-slope", "Straight-through × σ′" }, { "tanh", "tanh, as printed" },
      { "tanh-amplifying", "tanh, amplifying" }) },
  [P_ROOT] = { .id = "root", .title = "Keep the root", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_BOOLEAN, .fallback = 1, .needs = "credit=tanh|credit=tanh-amplifying",
    .help = "As printed, tanh modulation begins below the root and drops the default weights; "
            "switch off to see that.",
    .formula = "l from 0 with G₀ = 1  (reading), or from 1 as printed",
    .source = "Cho and Bengio 2014, §4.3, against §3" },
  [P_DECAY_KIND] = { .id = "decay-kind", .title = "Decay of the tables",
    .group = SL_GROUP_CONDITIONAL, .kind = SL_CHOICE, .fallback = SL_DECAY_L2,
    .help = "Pulls the matrices towards zero. It affects rarely visited matrices most, because "
            "no gradient pulls them back.",
    .source = "Cho and Bengio 2014, §3",
    /* In the order of SlDecayKind. */
    SL_CHOICES ({ "none", "None" }, { "l1", "L1" }, { "l2", "L2" }) },
  [P_DECAY] = { .id = "decay", .title = "Decay coefficient λ", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_REAL, .lo = 0, .hi = 1, .step = 0.001, .fallback = 0.01,
    .help = "Strength of the decay per unit of learning rate. Larger values keep the tree close "
            "to its root; the product with the rate stays below 1.",
    .formula = "L2: w ← w (1 − ε λ)^Δt;  L1: w ← sign (w) max (0, |w| − ε λ Δt)",
    .source = "Cho and Bengio 2014 give no value" },
  [P_DECAY_RULE] = { .id = "decay-rule", .title = "Missed decay", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_CHOICE, .fallback = SL_DECAY_EXACT,
    .help = "When a matrix catches up on decay that it missed. Exact gives what decay at every "
            "update gives; before the pass is one update too early; as printed, the forward pass "
            "sees weights that are too large.",
    .formula = "exact: Δt − 1 decays before the forward pass, one after  (ours)",
    .source = "Cho and Bengio 2014, §3; the exact rule is ours",
    /* In the order of SlDecayRule. */
    SL_CHOICES ({ "exact", "Exact" }, { "before", "Before the pass" },
      { "printed", "As printed" }) },
  [P_RATE] = SL_PARAM_RATE (2e-3, 1e-4, ""),
  [P_SCHEDULE] = SL_PARAM_SCHEDULE (""),
  [P_SCHEDULE_EPOCHS] = SL_PARAM_SCHEDULE_EPOCHS,
  [P_BATCH] = SL_PARAM_BATCH (MOST_BATCH, 128),
  [P_OPTIMISER] = SL_PARAM_OPTIMISER (
    "Matrices that no path of a batch uses do not change, nor do their moments. A new rule "
    "clears the moments.",
    ""),
  [P_ON_INPUT] = { .id = "on-input", .title = "Tree on the input", .group = SL_GROUP_MODEL,
    .kind = SL_BOOLEAN, .fallback = 0, .effect = SL_RESTART,
    .help = "No layer before the tree: the inputs choose the path and are weighted.",
    .source = "Cho and Bengio 2014, §2" },
  [P_HIDDEN] = { .id = "hidden", .title = "Layers before the tree", .unit = "units",
    .group = SL_GROUP_MODEL, .kind = SL_LIST, .lo = 1, .hi = 4096, .step = 1, .effect = SL_RESTART,
    .list = "128", .one = "layer", .needs = "on-input=no",
    .help = "Widths of the rectified layers from the input to the tree, joined by dashes." },
  [P_UNITS] = { .id = "units", .title = "Units of a tree", .unit = "units",
    .group = SL_GROUP_MODEL, .kind = SL_INTEGER, .lo = 1, .hi = 4096, .step = 1, .fallback = 64,
    .logarithmic = true, .effect = SL_RESTART,
    .help = "Columns of each matrix. Memory grows with it 2ᵏ⁺¹ times." },
  [P_TREES] = { .id = "trees", .title = "Tree layers", .unit = "trees", .group = SL_GROUP_MODEL,
    .kind = SL_INTEGER, .lo = 1, .hi = MOST_TREES, .step = 1, .fallback = 1, .effect = SL_RESTART,
    .one = "tree",
    .help = "Trees in a row. Units of one choose the path through the next; their numbers of "
            "paths multiply.",
    .source = "Cho and Bengio 2014, §1: layers of deep networks" },
  [P_BUDGET] = { .id = "budget", .title = "Memory for tables", .unit = "MiB",
    .group = SL_GROUP_MODEL, .kind = SL_INTEGER, .lo = 1, .hi = 65536, .step = 1, .fallback = 512,
    .logarithmic = true, .effect = SL_RESTART,
    .help = "For the matrices and their moments. If the bits need more, the run is refused." },
  [P_SHOWN] = { .id = "tree", .title = "Tree shown", .group = SL_GROUP_VIEW, .view = true, .kind = SL_INTEGER,
    .lo = 1, .hi = MOST_TREES, .step = 1, .fallback = 1, .needs = "trees>1",
    .help = "The tree that panels and gating map show, from the input." },
  [P_REPORT] = SL_PARAM_REPORT,
  [P_EVALUATE] = SL_PARAM_EVALUATE,
  [P_EXAMPLES] = SL_PARAM_EXAMPLES,
};

const SlPanel sl_prefix_panels[N_PANELS] = {
  [V_ALIVE] = { .id = "alive", .title = "One example on its way", .group = SL_SHOWS_WORK, .kind = SL_ALIVE,
    .probe_seconds = 0.07,
    .help = "The bits of one validation example, the first on top, and the path that they choose. Filled nodes are "
            "computed, the stronger the more they add. A subtree has more shade the more training examples came to "
            "it before the last report; all alike means evenly used.",
    .formula = "a = bias + Σⱼ xⱼ Σ_{l=0…k} T[n_l]ⱼ", .source = "Cho and Bengio 2014, §3" },
  [V_MAP] = SL_PANEL_MAP (false),
  [V_ERROR] = { .id = "error", .title = "Error", .group = SL_SHOWS_QUALITY, .kind = SL_SERIES,
    .y = { "wrong predictions", "%", .logarithmic = true },
    .help = "With many bits training and validation move apart, because each leaf sees few "
            "examples.",
    SL_TRACES (
      [T_TRAIN] = { "train", "train", "%",
        "Wrong predictions on the training batches since the last report." },
      [T_VALID] = { "valid", "validation", "%",
        "" }) },
  [V_EFFECTIVE] = { .id = "leaves-used", .title = "Effective leaves",
    .group = SL_SHOWS_WORK,
    .kind = SL_SERIES,
    .y = { "leaves", .logarithmic = true, .whole = true },
    .help = "Leaves in use, of 2ᵏ. Leaves that no example reaches add no capacity.",
    .formula = "exp (entropy of the leaves' shares)",
    SL_TRACES (
      [T_EFFECTIVE] = { "effective", "effective leaves", "",
        "" },
      [T_VISITED] = { "visited", "visited since the last report", "",
        "" },
      [T_TRAINED] = { "trained", "visited at least once", "",
        "" },
      [T_ALL] = { "leaves", "2ᵏ", "", "", SL_REFERENCE }) },
  [V_LEAVES] = { .id = "occupancy", .title = "Leaf occupancy",
    .group = SL_SHOWS_WORK,
    .kind = SL_PROFILE,
    .x = { "leaf by rank", .whole = true }, .y = { "examples", "%", .logarithmic = true },
    .probe_seconds = 1,
    .help = "Validation examples in each leaf, fullest first. A steep fall: few leaves do most "
            "of the work.",
    SL_TRACES (
      [T_SHARE] = { "share", "share of examples", "%",
        "" },
      [T_EVEN] = { "even", "even", "%", "", SL_REFERENCE }) },
  [V_BITS] = { .id = "bit-rates", .title = "Bits on", .group = SL_SHOWS_WORK, .kind = SL_SERIES,
    .y = { "examples", "%", .lo = 0, .hi = 100 },
    .help = "How often each bit is 1. A constant bit halves the tree; the running median keeps "
            "every bit at one half.",
    SL_TRACES (
      [T_RATE] = { "on", "on", "%", "",
        SL_MEASURED, "k" },
      [T_HALF] = { "half", "half", "%", "",
        SL_REFERENCE }) },
  [V_NORM] = { .id = "norms", .title = "Norm by depth", .group = SL_SHOWS_GATE, .kind = SL_PROFILE,
    .x = { "depth", .whole = true },
    .y = { "norm" }, .probe_seconds = 1,
    .help = "Norm of the matrices at each depth. With decay, long prefixes make small "
            "corrections to what short ones learned.",
    .formula = "‖T[n]‖ by depth of n", .source = "Cho and Bengio 2014, §3",
    SL_TRACES (
      [T_NORM] = { "norm", "mean", "",
        "" },
      [T_LARGEST] = { "largest", "largest", "", "" }) },
  [V_CAPACITY] = { .id = "capacity", .title = "Capacity against computation",
    .group = SL_SHOWS_COST,
    .kind = SL_PROFILE,
    .x = { "k", .whole = true }, .y = { "relative to dense", "×", .logarithmic = true },
    .probe_seconds = 5,
    .help = "Parameters and cost relative to a dense layer of the same width. The vertical line "
            "is this run's k.",
    .formula = "parameters p q (2ᵏ⁺¹ − 1), free p q 2ᵏ, products p q, additions k p q",
    .source = "Cho and Bengio 2014, §2 and §3, node count corrected",
    SL_TRACES (
      [T_PARAMETERS] = { "parameters", "parameters", "× dense",
        "The paper prints 2ᵏ⁺¹ matrices.", SL_THEORY },
      [T_FREEDOM] = { "freedom", "degrees of freedom", "× dense",
        "", SL_THEORY },
      [T_MULTIPLIED] = { "multiplications", "multiplications", "× dense",
        "With a sum of tables 1 product and k pq additions.", SL_THEORY },
      [T_ADDED] = { "additions", "additions of prefix sums", "× dense",
        "If the sums were made before one product.", SL_THEORY },
      [T_RATIO] = { "ratio", "2ᵏ/k", "× dense", "",
        SL_THEORY }) },
  [V_LOSS] = { .id = "loss", .title = "Loss", .group = SL_SHOWS_QUALITY, .kind = SL_SERIES,
    .y = { "cross entropy", "nats", .logarithmic = true },
    .help = "Mean cross entropy in training and validation.",
    SL_TRACES (
      [T_TRAIN] = { "train", "training loss", "nats",
        "Mean cross entropy of the batches since the last report." },
      [T_VALID] = { "valid", "validation loss", "nats",
        "" }) },
  [V_LETTERS] = { .id = "letters", .title = "Bits per letter", .group = SL_SHOWS_QUALITY,
    .kind = SL_SERIES, .y = { "bits per letter", "bits" }, .needs = "data.letters",
    .help = "Bits for the next validation letter, by the tree and by n-grams. Where a long "
            "context is rare, both fall back on a shorter one.",
    .formula = "tree: loss ÷ log 2;  n-grams: p (x | c) = (n (c x) + t (c) p (x | c′)) ÷ (n (c) + t (c))",
    .source = "Cho and Bengio 2014, §3: n-grams and back-off; smoothing by Witten and Bell 1991",
    SL_TRACES (
      [T_LETTERS_TREE] = { "tree", "tree", "bits", "" },
      [T_LETTERS_NONE] = { "context-0", "frequencies alone", "bits",
        "", SL_REFERENCE },
      [T_LETTERS_ONE] = { "context-1", "after one letter", "bits",
        "", SL_REFERENCE },
      [T_LETTERS_TWO] = { "context-2", "after two letters", "bits",
        "", SL_REFERENCE },
      [T_LETTERS_THREE] = { "context-3", "after three letters", "bits",
        "", SL_REFERENCE }) },
  [V_AGE] = { .id = "age", .title = "Updates since the last visit",
    .group = SL_SHOWS_GATE,
    .kind = SL_PROFILE,
    .x = { "Δt", "updates", .logarithmic = true, .whole = true },
    .y = { "matrices", .whole = true }, .probe_seconds = 1,
    .help = "Decay has to make up for this Δt. Classes double; matrices that were never visited "
            "are not counted.",
    .source = "Cho and Bengio 2014, §3",
    SL_TRACES ({ "matrices", "matrices", "",
      "" }) },
  [V_DECAY] = { .id = "decay-rules", .title = "Rules for missed decay",
    .group = SL_SHOWS_GATE,
    .kind = SL_PROFILE,
    .x = { "Δt", "updates", .logarithmic = true, .whole = true },
    .y = { "weight", .lo = 0, .hi = 1, .least = 0, .most = 1 },
    .probe_seconds = 2,
    .help = "What the forward pass sees of a weight of 1 that was last visited Δt updates ago. "
            "The vertical line is this run's median Δt.",
    .formula = "w (1 − ε λ)^Δt",
    .source = "Cho and Bengio 2014, §3",
    SL_TRACES (
      [T_LOOKED] = { "eager", "decay at every update", "",
        "", SL_THEORY },
      [T_EXACT] = { "exact", "exact", "", "Δt − 1 decays before the forward pass." },
      [T_BEFORE] = { "before", "all before the forward pass", "", "Δt decays: one too early." },
      [T_PRINTED] = { "printed", "as printed", "",
        "No decay before the forward pass." }) },
  [V_COST] = { .id = "cost", .title = "Cost", .group = SL_SHOWS_COST, .kind = SL_SERIES,
    .y = { "cost", "% of dense", .lo = 0, .hi = 100 },
    .help = "Multiplications of a training step against one dense matrix in place of the tree.",
    .formula = "(k + 1) B p q multiply-adds for a batch of B",
    .source = "Cho and Bengio 2014, §3",
    SL_TRACES (
      [T_EXPECTED] = { "expected", "expected", "% of dense",
        "", SL_THEORY },
      [T_EXECUTED] = { "executed", "executed", "% of dense",
        "Counted, training of the bits included." },
      [T_DENSE] = { "dense", "dense", "% of dense", "",
        SL_REFERENCE }) },
  [V_SPEED] = { .id = "speed", .title = "Cost of the layer",
    .group = SL_SHOWS_COST,
    .kind = SL_BARS,
    .y = { "cost", "× dense", .lo = 0, .hi = 1 },
    .categories = SL_NAMES ("look-up of a sum", "bound k + 1", "counted", "measured, 1 example",
      "measured, batch"),
    .probe_seconds = 2,
    .help = "The tree against one dense matrix of its size: as the paper counts, by the bound of "
            "one product per level, counted, and timed for one example and for a batch as in "
            "training.",
    .formula = "p q multiply-adds + k p q additions for each example;  by levels (k + 1) p q",
    .source = "Cho and Bengio 2014, §2 and §3; timed here",
    SL_TRACES ({ "cost", "cost of the layer", "× dense",
      "" }) },
  [V_CORRELATION] = { .id = "correlation", .title = "Correlation of the bits",
    .group = SL_SHOWS_GATE,
    .kind = SL_HEATMAP,
    .x = { "bit" }, .y = { "bit" }, .z = { "correlation", .lo = -1, .hi = 1 }, .probe_seconds = 2,
    .help = "Bits that agree leave some leaves empty.",
    SL_TRACES ({ "correlation", "correlation", "",
      "" }) },
};
/* clang-format on */
