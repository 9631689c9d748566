/* SPDX-License-Identifier: MIT
 *
 * The panels of the lab `selective-execution`, in words.  */
#include "core/lab/kit/panels.h"
#include "core/labs/selective-execution/lab.h"

static const SlTrace graph_traces[] = {
  { "cost", "multiplications", "% of dearest", "Multiplications of the node.", SL_MEASURED, NULL },
};

static const SlTrace trade_traces[] = {
  [T_HERE] = { "here", "this network", "%", "The newest evaluation.", SL_MEASURED, NULL },
  [T_TRAIL] = { "trail", "before", "%",
                "Earlier evaluations, without those that were twice as wrong as any now.",
                SL_MEASURED, NULL },
  [T_STATIC] = { "static", "static nets", "%", "Nets of the same modules without a choice.",
                 SL_REFERENCE, NULL },
  [T_ORACLE]
  = { "oracle", "oracle", "%", "The cheapest right path for every example, as far as there is one.",
      SL_REFERENCE, NULL },
};

static const SlTrace path_traces[MOST_PATHS] = {
  { "path-1", "path 1: no dear choice", "%", "Examples whose controllers always took the cheapest.",
    SL_MEASURED, NULL },
  { "path-2", "path 2: one dear choice", "%", "Examples with one dear choice.", SL_MEASURED, NULL },
  { "path-3", "path 3: two dear choices", "%", "Examples with two.", SL_MEASURED, NULL },
  { "path-4", "path 4: three dear choices", "%", "Examples with three.", SL_MEASURED, NULL },
  { "path-5", "path 5: four dear choices", "%", "Examples with four.", SL_MEASURED, NULL },
};

static const SlTrace error_traces[] = {
  [T_TRAIN] = { "train", "training", "%", "Examples of the training batches, exploration included.",
                SL_MEASURED, NULL },
  [T_VALID]
  = { "valid", "validation", "%", "Validation examples, without exploration.", SL_MEASURED, NULL },
  [T_CHEAPEST]
  = { "cheapest", "cheapest static net", "%", "Validation examples.", SL_REFERENCE, NULL },
  [T_DEAREST]
  = { "dearest", "dearest static net", "%", "Validation examples.", SL_REFERENCE, NULL },
  [T_BEST]
  = { "oracle", "oracle", "%", "Validation examples on which no path is right.", SL_THEORY, NULL },
};

static const SlTrace cost_traces[] = {
  [T_TRAINING]
  = { "training", "in training", "% of dearest",
      "Multiplications counted, exploration and controllers included.", SL_MEASURED, NULL },
  [T_EXPECTED] = { "expected", "expected in training", "% of dearest",
                   "By what the scores want and the share of chance.", SL_THEORY, NULL },
  [T_EXECUTED]
  = { "executed", "executed", "% of dearest",
      "Multiplications counted on validation examples, without exploration.", SL_MEASURED, NULL },
  [T_CHEAPEST_COST] = { "cheapest", "cheapest static net", "% of dearest", "Without controllers.",
                        SL_REFERENCE, NULL },
  [T_DEAREST_COST]
  = { "dearest", "dearest static net", "% of dearest", "Without controllers.", SL_REFERENCE, NULL },
};

static const SlTrace picture_traces[] = {
  { "examples", "examples", "", "Validation examples.", SL_MEASURED, NULL },
};

static const SlTrace class_traces[] = {
  { "share", "share", "", "Share of the class that takes the path.", SL_MEASURED, NULL },
};

static const SlTrace by_path_traces[] = {
  [T_SHARE_RIGHT]
  = { "right", "right on this path", "%",
      "Right answers among the examples that took it; 0 where nobody did.", SL_MEASURED, NULL },
  [T_STATIC_RIGHT] = { "static", "static net, all examples", "%",
                       "The net of the same modules without a choice.", SL_REFERENCE, NULL },
};

static const SlTrace q_traces[MOST_DECISIONS] = {
  { "controller-1", "1st controller", "", "Root of the mean square.", SL_MEASURED, NULL },
  { "controller-2", "2nd controller", "", "Root of the mean square.", SL_MEASURED, NULL },
  { "controller-3", "3rd controller", "", "Root of the mean square.", SL_MEASURED, NULL },
  { "controller-4", "4th controller", "", "Root of the mean square.", SL_MEASURED, NULL },
};

static const SlTrace entropy_traces[MOST_DECISIONS] = {
  { "controller-1", "1st controller", "bits", "Of the actions that its scores want.", SL_MEASURED,
    NULL },
  { "controller-2", "2nd controller", "bits", "Of the actions that its scores want.", SL_MEASURED,
    NULL },
  { "controller-3", "3rd controller", "bits", "Of the actions that its scores want.", SL_MEASURED,
    NULL },
  { "controller-4", "4th controller", "bits", "Of the actions that its scores want.", SL_MEASURED,
    NULL },
};

static const SlTrace epsilon_traces[] = {
  { "epsilon", "ε", "", "Share of the decisions left to chance.", SL_TARGET, NULL },
};

static const SlTrace clock_traces[] = {
  [T_TIMED]
  = { "timed", "by the clock", "× dearest path",
      "Time of this network ÷ time of its dearest path for all examples.", SL_MEASURED, NULL },
  [T_COUNTED] = { "counted", "by multiplications", "× dearest path",
                  "The same of multiplications, on the same examples.", SL_REFERENCE, NULL },
};
static const char *const clock_categories[] = { "batch 1", "batch 64", "batch 256", NULL };

static const SlTrace loss_traces[] = {
  [T_CLASSES] = { "classes", "classes", "",
                  "Cross entropy in nats, or the square of what class values miss the reward by.",
                  SL_MEASURED, NULL },
  [T_CONTROLLERS] = { "controllers", "controllers", "",
                      "Squares of what scores miss the reward by, weighted.", SL_MEASURED, NULL },
};

#define UPDATES SL_AXIS_UPDATES
#define TRACES(of) .traces = of, .n_traces = sizeof of / sizeof *of

/* clang-format off */
const SlPanel sl_selective_panels[N_PANELS] = {
  [V_GRAPH] = {
    .id = "graph", .title = "The network, as it runs",
    .help = "Circles are nodes, larger the more examples run them and coloured by their "
            "multiplications; lines are as wide as the share of examples that passes. Arrows come "
            "from controllers. Move λ and watch the crowd change sides.",
    .source = "Liu and Deng 2017, figure 1", .kind = SL_GRAPH, .x = { .label = "", .unit = "" },
    .y = { .label = "", .unit = "" },
    .z = { .label = "multiplications", .unit = "% of dearest", .lo = 0, .hi = 100 },
    TRACES (graph_traces), .probe_seconds = 0.4 },
  [V_TRADE] = {
    .id = "trade", .title = "Accuracy against cost",
    .help = "Where this network stands, and where nets of the same modules stand that cannot "
            "choose. A point above their line gets more for its cost; the oracle knows which path "
            "is right.",
    .formula = "cost: multiplications ÷ those of the regular nodes on the dearest path",
    .source = "Liu and Deng 2017, figure 2", .kind = SL_PROFILE,
    .x = { .label = "cost", .unit = "% of dearest", .lo = 0, .hi = 100 },
    .y = { .label = "accuracy or F1", .unit = "%" }, TRACES (trade_traces), .probe_seconds = 1 },
  [V_PATHS] = {
    .id = "paths", .title = "Who takes which path",
    .help = "Share of the training examples by the number of dear choices on their way, "
            "exploration included. High λ moves them up, low λ down.",
    .source = "Liu and Deng 2017, §5.1", .kind = SL_SHARES, .x = UPDATES,
    .y = { .label = "share of the examples", .unit = "%", .lo = 0, .hi = 100 },
    TRACES (path_traces) },
  [V_ERROR] = {
    .id = "error", .title = "Error",
    .help = "100 % minus accuracy, or minus F1 for one class against the rest. Between the two "
            "static nets is what the price buys.",
    .source = "Liu and Deng 2017, figure 2", .kind = SL_SERIES, .x = UPDATES,
    .y = { .label = "error", .unit = "%", .logarithmic = true }, TRACES (error_traces) },
  [V_MAP] = SL_PANEL_MAP (false),
  [V_COST] = {
    .id = "cost", .title = "Cost",
    .help = "Multiplications for one example against the dearest path without controllers. With "
            "those it can be a little above 100 %.",
    .formula = "Σ over the nodes that ran ÷ Σ over the regular nodes of the dearest path",
    .source = "Liu and Deng 2017, §4.1", .kind = SL_SERIES, .x = UPDATES,
    .y = { .label = "multiplications", .unit = "% of dearest", .lo = 0, .hi = 100 },
    TRACES (cost_traces) },
  [V_PICTURES] = {
    .id = "pictures", .title = "Easy and hard examples",
    .help = "Validation examples sorted by their path, the cheapest first; a cross marks a wrong "
            "answer. Which pictures does the network find easy?",
    .source = "", .kind = SL_IMAGE, .x = { .label = "", .unit = "" },
    .y = { .label = "", .unit = "" }, TRACES (picture_traces), .probe_seconds = 2 },
  [V_CLASSES] = {
    .id = "classes", .title = "Paths of the classes",
    .help = "Share of the examples of each class by the number of dear choices. Classes that are "
            "confused with others go the dear way first.",
    .source = "", .kind = SL_HEATMAP, .x = { .label = "class", .unit = "" },
    .y = { .label = "path", .unit = "" },
    .z = { .label = "share", .unit = "", .lo = 0, .hi = 1 },
    .zero = "none", TRACES (class_traces), .probe_seconds = 2 },
  [V_BY_PATH] = {
    .id = "by-path", .title = "How right each path is",
    .help = "Right answers among the examples that took a path, beside the static net of the same "
            "modules on all examples. The cheap path looks good because it gets the easy ones.",
    .source = "", .kind = SL_BARS, .x = { .label = "dear choices on the path", .unit = "" },
    .y = { .label = "right", .unit = "%", .lo = 0, .hi = 100 }, TRACES (by_path_traces),
    .probe_seconds = 2 },
  [V_Q] = {
    .id = "q", .title = "Q error",
    .help = "Scores are forecasts of the reward. What is left is what cannot be told beforehand, "
            "above all whether the answer will be right.",
    .formula = "√ mean (r − Σ Q)² over the bags that a controller saw",
    .source = "Liu and Deng 2017, §4.2", .kind = SL_SERIES, .x = UPDATES,
    .y = { .label = "Q error", .unit = "", .logarithmic = true }, TRACES (q_traces) },
  [V_ENTROPY] = {
    .id = "entropy", .title = "Action entropy",
    .help = "Entropy of the actions that a controller wants over the training examples: 0 when it "
            "sends all the same way, 1 bit when half go either way.",
    .formula = "−Σₐ pₐ log₂ pₐ", .source = "", .kind = SL_SERIES, .x = UPDATES,
    .y = { .label = "entropy", .unit = "bits" }, TRACES (entropy_traces) },
  [V_EPSILON] = {
    .id = "epsilon", .title = "Exploration",
    .help = "Share of the decisions that are left to chance. Only these tell a controller what it "
            "misses.",
    .source = "Liu and Deng 2017, §4.2", .kind = SL_SERIES, .x = UPDATES,
    .y = { .label = "ε", .unit = "", .lo = 0, .hi = 1 }, TRACES (epsilon_traces) },
  [V_CLOCK] = {
    .id = "clock", .title = "Cost by the clock",
    .help = "What is left of the time of the dearest path, and of its multiplications. Small "
            "batches and small nodes pay for gathering; the paper's cascade took 82 % of the time "
            "at 53 % of the multiplications.",
    .source = "timed here", .kind = SL_BARS, .x = { .label = "", .unit = "" },
    .y = { .label = "cost", .unit = "× dearest path", .lo = 0, .hi = 1 }, TRACES (clock_traces),
    .categories = clock_categories, .probe_seconds = 4 },
  [V_LOSS] = {
    .id = "loss", .title = "Loss",
    .help = "What training adds up: the classes, and the forecasts of the controllers.",
    .source = "Liu and Deng 2017, §4", .kind = SL_SERIES, .x = UPDATES,
    .y = { .label = "loss", .unit = "", .logarithmic = true }, TRACES (loss_traces) },
};
/* clang-format on */
