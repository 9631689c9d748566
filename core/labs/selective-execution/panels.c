/* SPDX-License-Identifier: MIT
 *
 * The panels of the lab `selective-execution`, in words.  */
#include "core/lab/kit/panels.h"
#include "core/labs/selective-execution/tables.h"

static const SlTrace graph_traces[] = {
  { "cost", "multiplications", "% of most expensive", "Multiplications of the node.", SL_MEASURED,
    NULL },
};

static const SlTrace trade_traces[] = {
  [T_HERE] = { "here", "this network", "%", "The newest evaluation.", SL_MEASURED, NULL },
  [T_TRAIL] = { "trail", "before", "%",
                "Earlier evaluations, without those that were twice as wrong as any now.",
                SL_MEASURED, NULL },
  [T_STATIC] = { "static", "static nets", "%", "Networks of the same modules without a choice.",
                 SL_REFERENCE, NULL },
  [T_ORACLE]
  = { "oracle", "oracle", "%", "The cheapest right path for every example, as far as there is one.",
      SL_REFERENCE, NULL },
};

static const SlTrace path_traces[MOST_PATHS] = {
  { "path-1", "path 1: no expensive choice", "%",
    "Examples whose controllers always took the cheapest.", SL_MEASURED, NULL },
  { "path-2", "path 2: one expensive choice", "%", "Examples with one expensive choice.",
    SL_MEASURED, NULL },
  { "path-3", "path 3: two expensive choices", "%", "Examples with two.", SL_MEASURED, NULL },
  { "path-4", "path 4: three expensive choices", "%", "Examples with three.", SL_MEASURED, NULL },
  { "path-5", "path 5: four expensive choices", "%", "Examples with four.", SL_MEASURED, NULL },
};

static const SlTrace error_traces[] = {
  [T_TRAIN] = { "train", "training", "%", "Examples of the training batches, exploration included.",
                SL_MEASURED, NULL },
  [T_VALID]
  = { "valid", "validation", "%", "Validation examples, without exploration.", SL_MEASURED, NULL },
  [T_CHEAPEST]
  = { "cheapest", "cheapest static network", "%", "Validation examples.", SL_REFERENCE, NULL },
  [T_DEAREST]
  = { "dearest", "most expensive static network", "%", "Validation examples.", SL_REFERENCE, NULL },
  [T_BEST]
  = { "oracle", "oracle", "%", "Validation examples on which no path is right.", SL_THEORY, NULL },
};

static const SlTrace cost_traces[] = {
  [T_TRAINING]
  = { "training", "in training", "% of most expensive",
      "Multiplications counted, exploration and controllers included.", SL_MEASURED, NULL },
  [T_EXPECTED] = { "expected", "expected in training", "% of most expensive",
                   "Expected from the scores and the share of random decisions.", SL_THEORY, NULL },
  [T_EXECUTED]
  = { "executed", "executed", "% of most expensive",
      "Multiplications counted on validation examples, without exploration.", SL_MEASURED, NULL },
  [T_CHEAPEST_COST] = { "cheapest", "cheapest static network", "% of most expensive",
                        "Without controllers.", SL_REFERENCE, NULL },
  [T_DEAREST_COST] = { "dearest", "most expensive static network", "% of most expensive",
                       "Without controllers.", SL_REFERENCE, NULL },
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
      "Right answers among the examples that took it; 0 where there are none.", SL_MEASURED, NULL },
  [T_STATIC_RIGHT] = { "static", "static network, all examples", "%",
                       "The network of the same modules without a choice.", SL_REFERENCE, NULL },
};

static const SlTrace q_traces[MOST_DECISIONS] = {
  { "controller-1", "1st controller", "", "Root of the mean square.", SL_MEASURED, NULL },
  { "controller-2", "2nd controller", "", "Root of the mean square.", SL_MEASURED, NULL },
  { "controller-3", "3rd controller", "", "Root of the mean square.", SL_MEASURED, NULL },
  { "controller-4", "4th controller", "", "Root of the mean square.", SL_MEASURED, NULL },
};

static const SlTrace entropy_traces[MOST_DECISIONS] = {
  { "controller-1", "1st controller", "bits", "Of the actions with the highest score.", SL_MEASURED,
    NULL },
  { "controller-2", "2nd controller", "bits", "Of the actions with the highest score.", SL_MEASURED,
    NULL },
  { "controller-3", "3rd controller", "bits", "Of the actions with the highest score.", SL_MEASURED,
    NULL },
  { "controller-4", "4th controller", "bits", "Of the actions with the highest score.", SL_MEASURED,
    NULL },
};

static const SlTrace epsilon_traces[] = {
  { "epsilon", "ε", "", "Share of the decisions that are random.", SL_TARGET, NULL },
};

static const SlTrace clock_traces[] = {
  [T_TIMED] = { "timed", "measured time", "× most expensive path",
                "Time of this network ÷ time of its most expensive path for all examples.",
                SL_MEASURED, NULL },
  [T_COUNTED] = { "counted", "by multiplications", "× most expensive path",
                  "The same for multiplications, on the same examples.", SL_REFERENCE, NULL },
};
static const char *const clock_categories[] = { "batch 1", "batch 64", "batch 256", NULL };

static const SlTrace loss_traces[] = {
  [T_CLASSES] = { "classes", "classes", "",
                  "Cross entropy in nats, or the squared difference between class values and the "
                  "reward.",
                  SL_MEASURED, NULL },
  [T_CONTROLLERS]
  = { "controllers", "controllers", "",
      "Squared differences between scores and the reward, weighted.", SL_MEASURED, NULL },
};

#define UPDATES SL_AXIS_UPDATES
#define TRACES(of) .traces = of, .n_traces = sizeof of / sizeof *of

/* clang-format off */
const SlPanel sl_selective_panels[N_PANELS] = {
  [V_GRAPH] = {
    .id = "graph", .title = "The network, as it runs",
    .help = "Circles are nodes, larger the more examples run them and coloured by their "
            "multiplications; lines are as wide as the share of examples that passes. Arrows come "
            "from controllers. Move λ and watch the examples change their path.",
    .source = "Liu and Deng 2017, figure 1", .kind = SL_GRAPH, .x = { .label = "", .unit = "" },
    .y = { .label = "", .unit = "" },
    .z = { .label = "multiplications", .unit = "% of most expensive", .lo = 0, .hi = 100 },
    TRACES (graph_traces), .probe_seconds = 0.4 },
  [V_TRADE] = {
    .id = "trade", .title = "Accuracy against cost",
    .help = "This network, and networks of the same modules that cannot choose. A point above "
            "their line gets more for its cost; the oracle knows which path is right.",
    .formula = "cost: multiplications ÷ those of the regular nodes on the most expensive path",
    .source = "Liu and Deng 2017, figure 2", .kind = SL_PROFILE,
    .x = { .label = "cost", .unit = "% of most expensive", .lo = 0, .hi = 100 },
    .y = { .label = "accuracy or F1", .unit = "%" }, TRACES (trade_traces), .probe_seconds = 1 },
  [V_PATHS] = {
    .id = "paths", .title = "Who takes which path",
    .help = "Share of the training examples by the number of expensive choices on their way, "
            "exploration included. High λ moves them up, low λ down.",
    .source = "Liu and Deng 2017, §5.1", .kind = SL_SHARES, .x = UPDATES,
    .y = { .label = "share of the examples", .unit = "%", .lo = 0, .hi = 100 },
    TRACES (path_traces) },
  [V_ERROR] = {
    .id = "error", .title = "Error",
    .help = "100 % minus accuracy, or minus F1 for one class against the rest. The difference "
            "between the two static networks is what the higher cost buys.",
    .source = "Liu and Deng 2017, figure 2", .kind = SL_SERIES, .x = UPDATES,
    .y = { .label = "error", .unit = "%", .logarithmic = true }, TRACES (error_traces) },
  [V_MAP] = SL_PANEL_MAP (false),
  [V_COST] = {
    .id = "cost", .title = "Cost",
    .help = "Multiplications for one example relative to the most expensive path without "
            "controllers. With controllers it can be a little above 100 %.",
    .formula = "Σ over the nodes that ran ÷ Σ over the regular nodes of the most expensive path",
    .source = "Liu and Deng 2017, §4.1", .kind = SL_SERIES, .x = UPDATES,
    .y = { .label = "multiplications", .unit = "% of most expensive", .lo = 0, .hi = 100 },
    TRACES (cost_traces) },
  [V_PICTURES] = {
    .id = "pictures", .title = "Easy and hard examples",
    .help = "Validation examples sorted by their path, the cheapest first; a cross marks a wrong "
            "answer. Which pictures does the network find easy?",
    .source = "", .kind = SL_IMAGE, .x = { .label = "", .unit = "" },
    .y = { .label = "", .unit = "" }, TRACES (picture_traces), .probe_seconds = 2 },
  [V_CLASSES] = {
    .id = "classes", .title = "Paths of the classes",
    .help = "Share of the examples of each class by the number of expensive choices. Classes that "
            "are confused with others take the expensive path first.",
    .source = "", .kind = SL_HEATMAP, .x = { .label = "class", .unit = "" },
    .y = { .label = "path", .unit = "" },
    .z = { .label = "share", .unit = "", .lo = 0, .hi = 1 },
    .zero = "none", TRACES (class_traces), .probe_seconds = 2 },
  [V_BY_PATH] = {
    .id = "by-path", .title = "How right each path is",
    .help = "Right answers among the examples that took a path, beside the static network of the "
            "same modules on all examples. The cheap path looks good because it gets the easy "
            "examples.",
    .source = "", .kind = SL_BARS, .x = { .label = "expensive choices on the path", .unit = "" },
    .y = { .label = "right", .unit = "%", .lo = 0, .hi = 100 }, TRACES (by_path_traces),
    .probe_seconds = 2 },
  [V_Q] = {
    .id = "q", .title = "Q error",
    .help = "Scores predict the reward. The error that is left is what cannot be known "
            "beforehand, above all whether the answer will be right.",
    .formula = "√ mean (r − Σ Q)² over the bags that a controller saw",
    .source = "Liu and Deng 2017, §4.2", .kind = SL_SERIES, .x = UPDATES,
    .y = { .label = "Q error", .unit = "", .logarithmic = true }, TRACES (q_traces) },
  [V_ENTROPY] = {
    .id = "entropy", .title = "Action entropy",
    .help = "Entropy of the actions that a controller's scores choose over the training examples: "
            "0 when it sends all the same way, 1 bit when half go either way.",
    .formula = "−Σₐ pₐ log₂ pₐ", .source = "", .kind = SL_SERIES, .x = UPDATES,
    .y = { .label = "entropy", .unit = "bits" }, TRACES (entropy_traces) },
  [V_EPSILON] = {
    .id = "epsilon", .title = "Exploration",
    .help = "Share of the decisions that are random. Only these show a controller what it misses.",
    .source = "Liu and Deng 2017, §4.2", .kind = SL_SERIES, .x = UPDATES,
    .y = { .label = "ε", .unit = "", .lo = 0, .hi = 1 }, TRACES (epsilon_traces) },
  [V_CLOCK] = {
    .id = "clock", .title = "Measured cost",
    .help = "Time and multiplications relative to those of the most expensive path. With small "
            "batches and small nodes, gathering takes much of the time; the paper's cascade took "
            "82 % of the time at 53 % of the multiplications.",
    .source = "timed here", .kind = SL_BARS, .x = { .label = "", .unit = "" },
    .y = { .label = "cost", .unit = "× most expensive path", .lo = 0, .hi = 1 }, TRACES (clock_traces),
    .categories = clock_categories, .probe_seconds = 4 },
  [V_LOSS] = {
    .id = "loss", .title = "Loss",
    .help = "The parts of the training loss: the classes, and the predictions of the controllers.",
    .source = "Liu and Deng 2017, §4", .kind = SL_SERIES, .x = UPDATES,
    .y = { .label = "loss", .unit = "", .logarithmic = true }, TRACES (loss_traces) },
};
/* clang-format on */
