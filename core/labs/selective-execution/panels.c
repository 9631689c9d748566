/* SPDX-License-Identifier: MIT
 *
 * The panels of the lab `selective-execution`, in words.  */
#include "core/lab/kit/panels.h"
#include "core/labs/selective-execution/tables.h"

/* clang-format off */
const SlPanel sl_selective_panels[N_PANELS] = {
  [V_GRAPH] = { .id = "graph", .title = "The network, as it runs",
    .group = SL_SHOWS_WORK,
    .kind = SL_GRAPH,
    .z = { "multiplications", "% of most expensive", .lo = 0, .hi = 100 }, .probe_seconds = 0.4,
    .help = "Circles are nodes, larger the more examples run them and coloured by their "
            "multiplications; lines are as wide as the share of examples that passes. Arrows come "
            "from controllers. Move λ and watch the examples change their path.",
    .source = "Liu and Deng 2017, figure 1",
    SL_TRACES ({ "cost", "multiplications", "% of most expensive",
      "Multiplications of the node." }) },
  [V_TRADE] = { .id = "trade", .title = "Accuracy against cost",
    .group = SL_SHOWS_QUALITY,
    .kind = SL_PROFILE,
    .x = { "cost", "% of most expensive", .lo = 0, .hi = 100 }, .y = { "accuracy or F1", "%" },
    .probe_seconds = 1,
    .help = "This network, and networks of the same modules that cannot choose. A point above "
            "their line gets more for its cost; the oracle takes the cheapest correct path of each "
            "example. For one class against the rest it is F1, or precision or recall if that is the "
            "measure.",
    .formula = "cost: multiplications ÷ those of the regular nodes on the most expensive path",
    .source = "Liu and Deng 2017, figure 2",
    SL_TRACES (
      [T_HERE] = { "here", "this network", "%", "The newest evaluation." },
      [T_TRAIL] = { "trail", "before", "%",
        "Earlier evaluations, except those with more than twice the largest error shown now." },
      [T_STATIC] = { "static", "static nets", "%", "Networks of the same modules without a choice.",
        SL_REFERENCE },
      [T_ORACLE] = { "oracle", "oracle", "%",
        "The cheapest correct path of every example that has one.", SL_REFERENCE },
      [T_CURVE] = { "curve", "every threshold", "%",
        "Exits by a threshold: what each threshold would give, on the second half of the validation "
        "examples." }) },
  [V_THRESHOLDS] = { .id = "thresholds", .title = "Every threshold",
    .group = SL_SHOWS_QUALITY,
    .kind = SL_PROFILE, .drags = "exit-threshold", .x = { "threshold", .lo = 0, .hi = 1 },
    .y = { "share", "%", .lo = 0, .hi = 100, .least = 0, .most = 200 }, .probe_seconds = 1,
    .needs = "architecture=exits",
    .help = "Error, cost and changed answers at every threshold, from one pass over the second half of "
            "the validation examples. The mark is the threshold in use: drag it, no training is needed.",
    .formula = "the exit at λ is the first with a sureness of at least λ",
    .source = "Schuster et al. 2022; Teerapittayanon et al. 2016",
    SL_TRACES (
      [T_ERRORS_AT] = { "error", "error", "%", "Wrong answers." },
      [T_COST_AT] = { "cost", "cost", "% of most expensive",
        "Multiplications, all exits on the way included." },
      [T_DISAGREE_AT] = { "changed", "other answer than the last exit", "%",
        "Examples whose answer is not that of the last exit." }) },
  [V_PROMISE] = { .id = "promise", .title = "Promised threshold",
    .group = SL_SHOWS_QUALITY,
    .kind = SL_PROFILE, .drags = "exit-threshold", .x = { "threshold", .lo = 0, .hi = 1 },
    .y = { "probability", .lo = 1e-4, .hi = 1, .logarithmic = true }, .probe_seconds = 1,
    .needs = "architecture=exits",
    .help = "The tests that choose a threshold on the first half of the validation examples: from the "
            "strictest on, each has to make losses above the tolerance unlikely, and the first that "
            "does not ends the sequence, even if a later one would pass again. Values below 0.0001 "
            "are drawn there. The mark is the threshold in use.",
    .formula = "λ̂ = the last λ before the first p > ε;  then P (R (λ̂) ≤ δ) ≥ 1 − ε for new examples",
    .source = "Angelopoulos et al. 2021; Schuster et al. 2022",
    SL_TRACES (
      [T_CHANCE] = { "p", "p", "", "How likely so few losses are where the risk is δ." },
      [T_LOSSES] = { "losses", "losses k ÷ n", "", "Share of the first half that lost." },
      [T_DOUBT] = { "doubt", "doubt ε", "", "p has to be at most this.", SL_TARGET },
      [T_TOLERANCE] = { "tolerance", "tolerance δ", "", "What the risk is not to exceed.",
        SL_REFERENCE },
      [T_CHOSEN] = { "chosen", "chosen", "", "The threshold that keeps the promise." }) },
  [V_PATHS] = { .id = "paths", .title = "Examples on each path",
    .group = SL_SHOWS_WORK,
    .kind = SL_SHARES,
    .y = { "share of the examples", "%", .lo = 0, .hi = 100 },
    .help = "Share of the training examples by the number of expensive choices on their way, "
            "exploration included. A high λ moves them to expensive paths, a low λ to cheap ones.",
    .source = "Liu and Deng 2017, figure 4",
    SL_TRACES (
      { "path-1", "path 1: no expensive choice", "%",
        "Examples whose controllers always took the cheapest." },
      { "path-2", "path 2: one expensive choice", "%", "Examples with one expensive choice." },
      { "path-3", "path 3: two expensive choices", "%", "Examples with two." },
      { "path-4", "path 4: three expensive choices", "%", "Examples with three." },
      { "path-5", "path 5: four expensive choices", "%", "Examples with four." },
      { "path-6", "path 6: five expensive choices", "%", "Examples with five." },
      { "path-7", "path 7: six expensive choices", "%", "Examples with six." },
      { "path-8", "path 8: seven expensive choices", "%", "Examples with seven." },
      { "path-9", "path 9: eight expensive choices", "%", "Examples with eight." }) },
  [V_DEPTH] = { .id = "depth", .title = "Depth of the examples",
    .group = SL_SHOWS_WORK,
    .kind = SL_BARS, .needs = "architecture=depths",
    .x = { "routed blocks on the way" }, .y = { "examples", "%", .lo = 0, .hi = 100 },
    .probe_seconds = 2,
    .help = "Through how many routed blocks validation examples go: alone, where the predictor decides, "
            "and ranked in batches as large as those of training, where the share is kept exactly.",
    .source = "Raposo et al. 2024",
    SL_TRACES (
      [T_DEPTH_ALONE] = { "alone", "alone", "%", "The predictor decides." },
      [T_DEPTH_IN_BATCHES] = { "in-batches", "in batches", "%", "The rank in the batch decides.",
        SL_REFERENCE }) },
  [V_ROUTED] = { .id = "routed", .title = "Routed by class",
    .group = SL_SHOWS_WORK,
    .kind = SL_HEATMAP, .needs = "architecture=depths",
    .x = { "class" }, .y = { "routed block" }, .z = { "share", .lo = 0, .hi = 1 }, .zero = "none",
    .probe_seconds = 2,
    .help = "Share of the validation examples of each class that go through each routed block, alone. "
            "Who goes through need not be who is hard to classify.",
    .source = "Raposo et al. 2024",
    SL_TRACES ({ "share", "share", "", "Share of the class that goes through the block." }) },
  [V_AGREE] = { .id = "agreement", .title = "Agreement of the predictor",
    .group = SL_SHOWS_GATE,
    .kind = SL_SERIES, .needs = "architecture=depths",
    .y = { "agreement", "%", .most = 100 },
    .help = "Share of the training examples for which the predictor alone says what the rank in the "
            "batch said. Always saying no already agrees with all that pass by: 1 − share.",
    .source = "Raposo et al. 2024",
    SL_TRACES (
      { "block-1", "1st routed block", "%", "Of the examples of the training batches." },
      { "block-2", "2nd routed block", "%", "Of the examples of the training batches." },
      { "block-3", "3rd routed block", "%", "Of the examples of the training batches." },
      { "block-4", "4th routed block", "%", "Of the examples of the training batches." },
      { "block-5", "5th routed block", "%", "Of the examples of the training batches." },
      { "block-6", "6th routed block", "%", "Of the examples of the training batches." },
      { "block-7", "7th routed block", "%", "Of the examples of the training batches." },
      { "block-8", "8th routed block", "%", "Of the examples of the training batches." }) },
  [V_ERROR] = { .id = "error", .title = "Error", .group = SL_SHOWS_QUALITY, .kind = SL_SERIES,
    .y = { "error", "%", .logarithmic = true },
    .help = "100 % minus accuracy, or minus the measure of one class against the rest. The difference "
            "between the two static networks is what the higher cost buys.",
    .source = "Liu and Deng 2017, figure 2",
    SL_TRACES (
      [T_TRAIN] = { "train", "training", "%",
        "Examples of the training batches, exploration included." },
      [T_VALID] = { "valid", "validation", "%", "Validation examples, without exploration." },
      [T_CHEAPEST] = { "cheapest", "cheapest static network", "%", "Validation examples.",
        SL_REFERENCE },
      [T_DEAREST] = { "dearest", "most expensive static network", "%", "Validation examples.",
        SL_REFERENCE },
      [T_BEST] = { "oracle", "oracle", "%", "Validation examples on which every path is wrong.",
        SL_THEORY },
      [T_IN_BATCHES] = { "in-batches", "validation, in batches", "%",
        "Mixture of depths: validation examples ranked in batches as large as those of training." }) },
  [V_MAP] = SL_PANEL_MAP (false),
  [V_COST] = { .id = "cost", .title = "Cost", .group = SL_SHOWS_COST, .kind = SL_SERIES,
    .y = { "multiplications", "% of most expensive", .lo = 0, .hi = 100 },
    .help = "Multiplications for one example relative to the most expensive path without "
            "controllers. With controllers it can be a little above 100 %.",
    .formula = "Σ over the nodes that ran ÷ Σ over the regular nodes of the most expensive path",
    .source = "Liu and Deng 2017, on costs and rewards",
    SL_TRACES (
      [T_TRAINING] = { "training", "in training", "% of most expensive",
        "Multiplications counted, exploration and controllers included." },
      [T_EXPECTED] = { "expected", "expected in training", "% of most expensive",
        "Expected from the scores and the share of random decisions.", SL_THEORY },
      [T_EXECUTED] = { "executed", "executed", "% of most expensive",
        "Multiplications counted on validation examples, without exploration." },
      [T_CHEAPEST_COST] = { "cheapest", "cheapest static network", "% of most expensive",
        "Without controllers.", SL_REFERENCE },
      [T_DEAREST_COST] = { "dearest", "most expensive static network", "% of most expensive",
        "Without controllers.", SL_REFERENCE }) },
  [V_PICTURES] = { .id = "pictures", .title = "Easy and hard examples",
    .group = SL_SHOWS_WORK,
    .kind = SL_IMAGE,
    .probe_seconds = 2,
    .help = "Validation examples sorted by their path, the cheapest first; a cross marks a wrong "
            "answer. The first rows show which pictures are easy for the network.",
    SL_TRACES ({ "examples", "examples", "", "Validation examples." }) },
  [V_CLASSES] = { .id = "classes", .title = "Paths of the classes",
    .group = SL_SHOWS_WORK,
    .kind = SL_HEATMAP,
    .x = { "class" }, .y = { "path" }, .z = { "share", .lo = 0, .hi = 1 }, .zero = "none",
    .probe_seconds = 2,
    .help = "Share of the examples of each class by the number of expensive choices. Classes that "
            "are confused with others take the expensive path first.",
    SL_TRACES ({ "share", "share", "", "Share of the class that takes the path." }) },
  [V_BY_PATH] = { .id = "by-path", .title = "Accuracy of each path",
    .group = SL_SHOWS_QUALITY,
    .kind = SL_BARS,
    .x = { "expensive choices on the path" }, .y = { "right", "%", .lo = 0, .hi = 100 },
    .probe_seconds = 2,
    .help = "Correct answers among the examples that took a path, beside the static network of the "
            "same modules on all examples. The cheap path looks good because it gets the easy "
            "examples.",
    SL_TRACES (
      [T_SHARE_RIGHT] = { "right", "accuracy on this path", "%",
        "Correct answers among the examples that took it; 0 where there are none." },
      [T_STATIC_RIGHT] = { "static", "static network, all examples", "%",
        "The network of the same modules without a choice.", SL_REFERENCE }) },
  [V_Q] = { .id = "q", .title = "Q error", .group = SL_SHOWS_GATE, .kind = SL_SERIES,
    .y = { "Q error", .logarithmic = true },
    .needs = "architecture!=exits|plan!=none architecture!=depths|plan!=none",
    .help = "Scores predict the reward. The error that is left is what cannot be known beforehand, "
            "above all whether the answer will be correct.",
    .formula = "√ mean (r − Σ Q)² over the bags that a controller saw",
    .source = "Liu and Deng 2017, on learning",
    SL_TRACES (
      { "controller-1", "1st controller", "", "Root of the mean square." },
      { "controller-2", "2nd controller", "", "Root of the mean square." },
      { "controller-3", "3rd controller", "", "Root of the mean square." },
      { "controller-4", "4th controller", "", "Root of the mean square." },
      { "controller-5", "5th controller", "", "Root of the mean square." },
      { "controller-6", "6th controller", "", "Root of the mean square." },
      { "controller-7", "7th controller", "", "Root of the mean square." },
      { "controller-8", "8th controller", "", "Root of the mean square." }) },
  [V_CLOCK] = { .id = "clock", .title = "Measured cost", .group = SL_SHOWS_COST, .kind = SL_BARS,
    .y = { "cost", "× most expensive path", .lo = 0, .hi = 1 },
    .categories = SL_NAMES ("1 example", "batch"), .probe_seconds = 4,
    .help = "Measured time on one thread and counted multiplications, relative to those of the most expensive "
            "path: for one example, and for a batch as large as in training. With small "
            "batches and small nodes, gathering takes much of the time; the paper's cascade took "
            "82 % of the time at 53 % of the multiplications.",
    .source = "timed here",
    SL_TRACES (
      [T_TIMED] = { "timed", "measured time", "× most expensive path",
        "Time of this network ÷ time of its most expensive path for all examples." },
      [T_COUNTED] = { "counted", "counted multiplications", "× most expensive path",
        "The same for multiplications, on the same examples.", SL_REFERENCE }) },
  [V_LOSS] = { .id = "loss", .title = "Loss", .group = SL_SHOWS_QUALITY, .kind = SL_SERIES,
    .y = { "loss", .logarithmic = true },
    .help = "The parts of the training loss: the classes, and the predictions of the controllers.",
    .source = "Liu and Deng 2017, on learning",
    SL_TRACES (
      [T_CLASSES] = { "classes", "classes", "",
        "Cross entropy in nats, or the squared difference between class values and the reward." },
      [T_CONTROLLERS] = { "controllers", "controllers", "",
        "Squared differences between scores and the reward, weighted." }) },
};
/* clang-format on */
