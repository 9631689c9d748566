/* SPDX-License-Identifier: MIT
 *
 * The knobs, panels and trials of the lab `prefix-tree`, in words.  */
#include "core/labs/prefix-tree/tables.h"

#include "core/lab/kit/panels.h"
#include "core/lab/kit/params.h"
#include "core/nn/optim/optim.h"
#include "core/nn/tree/decay.h"

static const SlChoice tables[]
  = { { "tree", "Sum along the path" }, { "flat", "One per leaf" }, { 0 } };

static const SlChoice windows[] = { { "shared", "Shared" }, { "sliding", "Sliding" }, { 0 } };

static const SlChoice bit_kinds[]
  = { { "threshold", "Unit above threshold" }, { "sampled", "Sampled" }, { 0 } };

static const SlChoice thresholds[]
  = { { "median", "Running median" }, { "fixed", "Fixed" }, { 0 } };

/* In the order of Credit. */
static const SlChoice credits[] = {
  { "none", "None" },
  { "reinforce", "REINFORCE" },
  { "straight-through", "Straight-through" },
  { "straight-through-slope", "Straight-through × σ′" },
  { "tanh", "tanh, as printed" },
  { "tanh-amplifying", "tanh, amplifying" },
  { 0 },
};

/* In the order of SlDecayKind and SlDecayRule. */
static const SlChoice decays[] = { { "none", "None" }, { "l1", "L1" }, { "l2", "L2" }, { 0 } };

static const SlChoice rules[] = {
  { "exact", "Exact" },
  { "before", "Before the pass" },
  { "printed", "As printed" },
  { 0 },
};

/* clang-format off */
const SlParam sl_prefix_params[N_PARAMS] = {
  [P_K] = {
    .id = "k", .title = "Bits k", .unit = "", .group = SL_GROUP_CONDITIONAL,
    .help = "Bits that choose a path: 2ᵏ leaves, 2ᵏ⁺¹ − 1 matrices, k + 1 of them for each "
            "example. At 0 the layer is dense; there are no more bits than units before the tree.",
    .formula = "leaves 2ᵏ;  matrices 2ᵏ⁺¹ − 1;  on each path k + 1",
    .source = "Cho and Bengio 2014, §2", .kind = SL_INTEGER, .lo = 0, .hi = MOST_K, .step = 1,
    .fallback = 4, .effect = SL_RESTART, .headline = SL_HEADLINE_ACTIVE, .one = "bit" },
  [P_TABLE] = {
    .id = "weights", .title = "Weights are", .unit = "", .group = SL_GROUP_CONDITIONAL,
    .help = "The sum of the matrices along the path, so that rare paths share what their prefixes "
            "learned; or one matrix per leaf, which shares nothing.",
    .formula = "F (b) = Σ_{l=0…k} T[n_l],  n₀ = 0, n_l = 2 n_{l−1} + 1 + b_l;  or F (b) = T[leaf "
               "(b)]",
    .source = "Cho and Bengio 2014, §3 and §2", .kind = SL_CHOICE, .fallback = TABLE_TREE,
    .effect = SL_RESTART, .choices = tables },
  [P_WINDOW] = {
    .id = "window", .title = "Window", .unit = "", .group = SL_GROUP_CONDITIONAL,
    .help = "All inputs follow the same k bits, or input j follows the bits from ⌊j/k⌋ on. "
            "Sliding windows make far more combinations, in many small products.",
    .formula = "w_j = 0, or min (⌊j ÷ k⌋, K − k) for input j from 0",
    .source = "Cho and Bengio 2014, §2", .kind = SL_CHOICE, .fallback = 0, .effect = SL_RESTART,
    .choices = windows },
  [P_BITS] = {
    .id = "bits", .title = "Bits are", .unit = "", .group = SL_GROUP_CONDITIONAL,
    .help = "Whether a unit before the tree exceeds its threshold; or drawn with probability "
            "σ (xU) from a matrix U of their own. Evaluation takes the likelier value.",
    .formula = "gᵢ = 1[xᵢ > τ], or 1[u < σ ((x U)ᵢ)], u uniform",
    .source = "Cho and Bengio 2014, §2", .kind = SL_CHOICE, .fallback = BITS_THRESHOLD,
    .effect = SL_RESTART, .choices = bit_kinds },
  [P_THRESHOLD] = {
    .id = "threshold", .title = "Threshold", .unit = "", .group = SL_GROUP_CONDITIONAL,
    .help = "The running median of each gating unit keeps every bit on for half of the examples. "
            "With a fixed threshold some leaves get no examples.",
    .source = "fixed: Cho and Bengio 2014, §2", .kind = SL_CHOICE, .fallback = THRESHOLD_MEDIAN,
    .effect = SL_LIVE, .choices = thresholds, .needs = "bits=threshold" },
  [P_TAU] = {
    .id = "tau", .title = "Threshold τ", .unit = "", .group = SL_GROUP_CONDITIONAL,
    .help = "A bit is on where its unit is above this. The unit is read before its rectifier, "
            "which only matters below zero.",
    .formula = "gᵢ = 1[xᵢ > τ]",
    .source = "Cho and Bengio 2014, §2", .kind = SL_REAL, .lo = -5, .hi = 5, .step = 0.05,
    .fallback = 0, .effect = SL_LIVE, .needs = "threshold=fixed" },
  [P_CREDIT] = {
    .id = "credit", .title = "Credit for the bits", .unit = "", .group = SL_GROUP_CONDITIONAL,
    .help = "How the choice of the path is trained: not at all (the paper's hypothesis is that "
            "this is enough), by the loss alone, by the exact effect of changing one bit, or by "
            "gates that fade. REINFORCE needs sampled bits and modulation needs thresholds; "
            "otherwise nothing trains it.",
    .formula = "REINFORCE: (gᵢ − σ (vᵢ)) (L − L̄ᵢ);  straight-through: δ · Σⱼ xⱼ [F (gᵢ = 1) − F "
               "(gᵢ = 0)];  tanh: F = Σ_l T[n_l] G_l, G_l = (Π_{i≤l} (1 − tanh xᵢ))^(1 ÷ l)",
    .source = "Cho and Bengio 2014, §4", .kind = SL_CHOICE, .fallback = CREDIT_NONE,
    .effect = SL_LIVE, .choices = credits },
  [P_ROOT] = {
    .id = "root", .title = "Keep the root", .unit = "", .group = SL_GROUP_CONDITIONAL,
    .help = "Only for tanh modulation. As printed its sum begins below the root, which drops the "
            "default weights; switch off to see that.",
    .formula = "l from 0 with G₀ = 1  (reading), or from 1 as printed",
    .source = "Cho and Bengio 2014, §4.3, against §3", .kind = SL_BOOLEAN, .fallback = 1,
    .effect = SL_LIVE },
  [P_DECAY_KIND] = {
    .id = "decay-kind", .title = "Decay of the tables", .unit = "", .group = SL_GROUP_CONDITIONAL,
    .help = "Pulls the matrices towards zero: by a share of themselves (L2) or by a fixed amount "
            "(L1). It affects rarely visited matrices most, because no gradient pulls them back.",
    .source = "Cho and Bengio 2014, §3", .kind = SL_CHOICE, .fallback = SL_DECAY_L2,
    .effect = SL_LIVE, .choices = decays },
  [P_DECAY] = {
    .id = "decay", .title = "Decay coefficient λ", .unit = "", .group = SL_GROUP_CONDITIONAL,
    .help = "Strength of the decay per unit of learning rate. Larger values keep corrections small "
            "and the tree close to its root; the product with the rate stays below 1.",
    .formula = "L2: w ← w (1 − ε λ)^Δt;  L1: w ← sign (w) max (0, |w| − ε λ Δt)",
    .source = "Cho and Bengio 2014 give no value", .kind = SL_REAL, .lo = 0, .hi = 1, .step = 0.001,
    .fallback = 0.01, .effect = SL_LIVE },
  [P_DECAY_RULE] = {
    .id = "decay-rule", .title = "Missed decay", .unit = "", .group = SL_GROUP_CONDITIONAL,
    .help = "When a matrix catches up on the decay of the updates that did not visit it. Exact, "
            "in two stages, gives what decay at every update gives; all before the pass is one "
            "update too early; as printed, before the update, the forward pass sees weights that "
            "are too large.",
    .formula = "exact: Δt − 1 decays before the forward pass, one after it  (ours)",
    .source = "Cho and Bengio 2014, §3; the exact rule is ours", .kind = SL_CHOICE,
    .fallback = SL_DECAY_EXACT, .effect = SL_LIVE, .choices = rules },
  [P_RATE] = SL_PARAM_RATE (2e-3, 1e-4, ""),
  [P_SCHEDULE] = SL_PARAM_SCHEDULE (""),
  [P_SCHEDULE_EPOCHS] = SL_PARAM_SCHEDULE_EPOCHS,
  [P_BATCH] = SL_PARAM_BATCH (MOST_BATCH, 128),
  [P_OPTIMISER] = {
    .id = "optimiser", .title = "Optimiser", .unit = "", .group = SL_GROUP_TRAINING,
    .help = "The rule that turns gradients into updates. Matrices that no path of a batch uses, "
            "and their moments, do not change. Changing the rule clears the moments.",
    .source = "", .kind = SL_CHOICE, .fallback = SL_ADAM, .effect = SL_LIVE,
    .choices = sl_optimisers },
  [P_HIDDEN] = {
    .id = "hidden", .title = "Layers before the tree", .unit = "units", .group = SL_GROUP_MODEL,
    .help = "Widths of the rectified layers from the input to the tree, joined by dashes. The "
            "first units of the last one choose the path.",
    .source = "", .kind = SL_LIST, .lo = 1, .hi = 4096, .step = 1, .effect = SL_RESTART,
    .list = "128", .one = "layer" },
  [P_UNITS] = {
    .id = "units", .title = "Units of the tree", .unit = "units", .group = SL_GROUP_MODEL,
    .help = "Outputs of the layer whose weights are a tree. Each matrix has this many columns, so "
            "memory grows with it 2ᵏ⁺¹ times.",
    .source = "", .kind = SL_INTEGER, .lo = 1, .hi = 4096, .step = 1, .fallback = 64,
    .logarithmic = true, .effect = SL_RESTART },
  [P_BUDGET] = {
    .id = "budget", .title = "Memory for tables", .unit = "MiB", .group = SL_GROUP_MODEL,
    .help = "Memory for the matrices and their moments. If the bits need more, the run is "
            "refused, and the message says how many fit.",
    .source = "", .kind = SL_INTEGER, .lo = 1, .hi = 65536, .step = 1, .fallback = 512,
    .logarithmic = true, .effect = SL_RESTART },
  [P_REPORT] = SL_PARAM_REPORT,
  [P_EVALUATE] = SL_PARAM_EVALUATE,
  [P_EXAMPLES] = SL_PARAM_EXAMPLES,
};
/* clang-format on */

static const SlTrace error_traces[] = {
  [T_TRAIN]
  = { "train", "train", "%", "Wrong predictions on the training batches since the last report.",
      SL_MEASURED, NULL },
  [T_VALID] = { "valid", "validation", "%", "Wrong predictions on the validation examples.",
                SL_MEASURED, NULL },
};

static const SlTrace loss_traces[] = {
  [T_TRAIN] = { "train", "training loss", "nats",
                "Mean cross entropy of the batches since the last report.", SL_MEASURED, NULL },
  [T_VALID] = { "valid", "validation loss", "nats",
                "Mean cross entropy of the validation examples.", SL_MEASURED, NULL },
};

static const SlTrace gap_traces[] = {
  { "gap", "validation − train", "%",
    "Difference of the two errors with the same weights and without sampling, on equally many "
    "examples.",
    SL_MEASURED, NULL },
};

static const SlTrace effective_traces[] = {
  [T_EFFECTIVE] = { "effective", "effective leaves", "",
                    "exp of the entropy of the leaf shares: how many equally used leaves would "
                    "spread the examples as much.",
                    SL_MEASURED, NULL },
  [T_VISITED]
  = { "visited", "visited since the last report", "",
      "Leaves that some training example reached since the last report.", SL_MEASURED, NULL },
  [T_TRAINED] = { "trained", "visited at least once", "",
                  "Leaves that any training example has reached so far.", SL_MEASURED, NULL },
  [T_ALL] = { "leaves", "2ᵏ", "", "Leaves that there are.", SL_REFERENCE, NULL },
};

static const SlTrace bit_traces[] = {
  [T_RATE]
  = { "on", "on", "%", "Share of the training examples for which the bit is 1.", SL_MEASURED, "k" },
  [T_HALF]
  = { "half", "half", "%", "The share at which a bit tells the most.", SL_REFERENCE, NULL },
};

static const SlTrace leaf_traces[] = {
  [T_SHARE] = { "share", "share of examples", "%",
                "Share of the validation examples that end in the leaf.", SL_MEASURED, NULL },
  [T_EVEN] = { "even", "even", "%", "All leaves alike.", SL_REFERENCE, NULL },
};

static const SlTrace norm_traces[] = {
  [T_NORM] = { "norm", "mean", "", "Mean norm of the matrices at this depth, with its spread.",
               SL_MEASURED, NULL },
  [T_LARGEST] = { "largest", "largest", "", "The largest norm at this depth.", SL_MEASURED, NULL },
};

static const SlTrace capacity_traces[] = {
  [T_PARAMETERS] = { "parameters", "parameters", "× dense",
                     "2ᵏ⁺¹ − 1 matrices (the paper prints "
                     "2ᵏ⁺¹).",
                     SL_THEORY, NULL },
  [T_FREEDOM] = { "freedom", "degrees of freedom", "× dense",
                  "2ᵏ: what the leaves could be by themselves.", SL_THEORY, NULL },
  [T_MULTIPLIED] = { "multiplications", "multiplications", "× dense",
                     "k + 1 products per example, level by level, whatever 2ᵏ; with a sum of "
                     "tables it would be 1, and k pq additions.",
                     SL_THEORY, NULL },
  [T_ADDED] = { "additions", "additions of prefix sums", "× dense",
                "k pq per example, if the sums were made before one product.", SL_THEORY, NULL },
  [T_RATIO]
  = { "ratio", "2ᵏ/k", "× dense", "Degrees of freedom for the computation.", SL_THEORY, NULL },
};

static const SlTrace age_traces[] = {
  { "matrices", "matrices", "", "Number of matrices that were last visited this many updates ago.",
    SL_MEASURED, NULL },
};

static const SlTrace decay_traces[] = {
  [T_LOOKED] = { "eager", "decay at every update", "",
                 "What the forward pass would see with decay at every update.", SL_THEORY, NULL },
  [T_EXACT] = { "exact", "exact", "", "Δt − 1 decays before the forward pass.", SL_MEASURED, NULL },
  [T_BEFORE]
  = { "before", "all before the forward pass", "", "Δt decays: one too early.", SL_MEASURED, NULL },
  [T_PRINTED] = { "printed", "as printed", "",
                  "None before the forward pass: they come before the update.", SL_MEASURED, NULL },
};

static const SlTrace cost_traces[] = {
  [T_EXPECTED] = { "expected", "expected", "% of dense",
                   "A training step with k + 1 products in place of one.", SL_THEORY, NULL },
  [T_EXECUTED] = { "executed", "executed", "% of dense",
                   "Multiplications counted, credit for the bits included.", SL_MEASURED, NULL },
  [T_DENSE]
  = { "dense", "dense", "% of dense", "The same network with one matrix.", SL_REFERENCE, NULL },
};

static const SlTrace speed_traces[] = {
  { "cost", "cost of the layer", "× dense", "Cost of the tree ÷ cost of one dense matrix, forward.",
    SL_MEASURED, NULL },
};
static const char *const speed_categories[]
  = { "look-up of a sum", "bound k + 1", "executed", "timed, batch 1", "timed, batch 256", NULL };

static const SlTrace tree_traces[] = {
  { "tree", "tree", "", "Nodes and branches.", SL_MEASURED, NULL },
};

static const SlTrace correlation_traces[] = {
  { "correlation", "correlation", "", "Correlation of two bits over the validation examples.",
    SL_MEASURED, NULL },
};

#define UPDATES SL_AXIS_UPDATES
#define NOTHING                                                                                    \
  {                                                                                                \
    .label = "", .unit = ""                                                                        \
  }
#define TRACES(of) .traces = of, .n_traces = sizeof of / sizeof *of

/* clang-format off */
const SlPanel sl_prefix_panels[N_PANELS] = {
  [V_TREE] = {
    .id = "tree", .title = "The tree",
    .help = "Every prefix of the bits with its matrix. The larger a circle and the wider a "
            "branch, the more validation examples pass there; the colour is the norm of the "
            "matrix. Left is 0, right is 1.",
    .formula = "a = bias + Σⱼ xⱼ Σ_{l=0…k} T[n_l]ⱼ",
    .source = "Cho and Bengio 2014, §3", .kind = SL_GRAPH, .x = NOTHING, .y = NOTHING,
    .z = { .label = "norm", .unit = "" },
    TRACES (tree_traces), .probe_seconds = 0.5 },
  [V_MAP] = SL_PANEL_MAP (false),
  [V_ERROR] = {
    .id = "error", .title = "Error",
    .help = "Wrong predictions in training and on validation examples. With many bits the two "
            "move apart, because each leaf sees few examples.",
    .source = "", .kind = SL_SERIES, .x = UPDATES,
    .y = { .label = "wrong predictions", .unit = "%", .logarithmic = true },
    TRACES (error_traces) },
  [V_EFFECTIVE] = {
    .id = "leaves-used", .title = "Effective leaves",
    .help = "How many of the 2ᵏ leaves are in use. Leaves that no example reaches add no "
            "capacity.",
    .formula = "exp (entropy of the occupancy of leaves)",
    .source = "", .kind = SL_SERIES, .x = UPDATES,
    .y = { .label = "leaves", .unit = "", .logarithmic = true },
    TRACES (effective_traces) },
  [V_LEAVES] = {
    .id = "occupancy", .title = "Leaf occupancy",
    .help = "Share of the validation examples in each leaf, fullest first. The steeper it falls, "
            "the fewer leaves do the work.",
    .source = "", .kind = SL_PROFILE, .x = { .label = "leaf by rank", .unit = "" },
    .y = { .label = "examples", .unit = "%", .logarithmic = true },
    TRACES (leaf_traces), .probe_seconds = 1 },
  [V_BITS] = {
    .id = "bit-rates", .title = "Bits on",
    .help = "How often each bit is 1. A bit that is always the same halves the tree; the running "
            "median keeps all of them at one half.",
    .source = "", .kind = SL_SERIES, .x = UPDATES,
    .y = { .label = "examples", .unit = "%", .lo = 0, .hi = 100 },
    TRACES (bit_traces) },
  [V_NORM] = {
    .id = "norms", .title = "Norm by depth",
    .help = "How large the matrices at each depth are. With decay, long prefixes make small "
            "corrections to what short ones learned.",
    .formula = "‖T[n]‖ by depth of n",
    .source = "Cho and Bengio 2014, §3", .kind = SL_PROFILE,
    .x = { .label = "depth", .unit = "" }, .y = { .label = "norm", .unit = "", .lo = 0, .hi = 0 },
    TRACES (norm_traces), .probe_seconds = 1 },
  [V_CAPACITY] = {
    .id = "capacity", .title = "Capacity against computation",
    .help = "Parameters and cost of k bits, relative to the dense layer of the same width. The "
            "vertical line is the k of this run.",
    .formula = "parameters p q (2ᵏ⁺¹ − 1), free p q 2ᵏ, products p q, additions k p q;  the "
               "paper prints 2ᵏ⁺¹ matrices",
    .source = "Cho and Bengio 2014, §2 and §3, node count corrected", .kind = SL_PROFILE,
    .x = { .label = "k", .unit = "" },
    .y = { .label = "relative to dense", .unit = "×", .logarithmic = true },
    TRACES (capacity_traces), .probe_seconds = 5 },
  [V_GAP] = {
    .id = "gap", .title = "Train–test gap",
    .help = "How much higher the validation error is than the training error, with the same "
            "weights. Decay of the tables is there to reduce it.",
    .formula = "error (validation) − error (training)",
    .source = "", .kind = SL_SERIES, .x = UPDATES,
    .y = { .label = "validation − train", .unit = "%" },
    TRACES (gap_traces) },
  [V_LOSS] = {
    .id = "loss", .title = "Loss",
    .help = "Mean cross entropy of the training batches and of the validation examples.",
    .source = "", .kind = SL_SERIES, .x = UPDATES,
    .y = { .label = "cross entropy", .unit = "nats", .logarithmic = true },
    TRACES (loss_traces) },
  [V_AGE] = {
    .id = "age", .title = "Updates since the last visit",
    .help = "How long ago the matrices were last visited, in classes that double: decay has to "
            "make up for this Δt. Matrices that were never visited are not counted.",
    .source = "Cho and Bengio 2014, §3", .kind = SL_PROFILE,
    .x = { .label = "Δt", .unit = "updates", .logarithmic = true },
    .y = { .label = "matrices", .unit = "" },
    TRACES (age_traces), .probe_seconds = 1 },
  [V_DECAY] = {
    .id = "decay-rules", .title = "Rules for missed decay",
    .help = "What the forward pass sees of a weight of 1 that was last visited Δt updates ago, "
            "under each rule, at the present rate and λ. The vertical line is the median Δt of "
            "the matrices of this run.",
    .formula = "w (1 − ε λ)^Δt, and what each rule has of it by then",
    .source = "Cho and Bengio 2014, §3", .kind = SL_PROFILE,
    .x = { .label = "Δt", .unit = "updates", .logarithmic = true },
    .y = { .label = "weight", .unit = "", .lo = 0, .hi = 1 },
    TRACES (decay_traces), .probe_seconds = 2 },
  [V_COST] = {
    .id = "cost", .title = "Cost",
    .help = "Multiplications of a training step against the same network with one dense matrix in "
            "place of the tree.",
    .formula = "(k + 1) B p q multiply-adds for a batch of B, whatever 2ᵏ is",
    .source = "Cho and Bengio 2014, §3", .kind = SL_SERIES, .x = UPDATES,
    .y = { .label = "cost", .unit = "% of dense", .lo = 0, .hi = 100 },
    TRACES (cost_traces) },
  [V_SPEED] = {
    .id = "speed", .title = "Cost of the layer",
    .help = "The tree alone against one dense matrix of its size: as the paper counts, the bound "
            "of one product per level, the count, and the measured time on this machine.",
    .formula = "p q multiply-adds + k p q additions for each example;  by levels (k + 1) p q",
    .source = "Cho and Bengio 2014, §2 and §3; timed here", .kind = SL_BARS, .x = NOTHING,
    .y = { .label = "cost", .unit = "× dense", .lo = 0, .hi = 1 },
    TRACES (speed_traces), .categories = speed_categories, .probe_seconds = 2 },
  [V_CORRELATION] = {
    .id = "correlation", .title = "Correlation of the bits",
    .help = "Bits with the same values leave some leaves empty. A bit that never changes has no "
            "correlation and is shown as 0.",
    .source = "", .kind = SL_HEATMAP, .x = { .label = "bit", .unit = "" },
    .y = { .label = "bit", .unit = "" },
    .z = { .label = "correlation", .unit = "", .lo = -1, .hi = 1 },
    TRACES (correlation_traces), .probe_seconds = 2 },
};
/* clang-format on */
