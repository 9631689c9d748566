/* SPDX-License-Identifier: MIT
 *
 * The panels of the lab `experts`, in words.  */
#include "core/lab/kit/panels.h"
#include "core/lab/mixture/panels.h"
#include "core/labs/experts/tables.h"

/* Of experts that there are. */
#define NUMBER "experts*split"

/* clang-format off */
const SlPanel sl_experts_panels[N_PANELS] = {
  [V_USAGE] = SL_PANEL_USAGE (NUMBER, NULL),
  [V_CV] = SL_PANEL_CV (NULL),
  [V_ERROR] = { .id = "error", .title = "Error", .group = SL_SHOWS_QUALITY, .kind = SL_SERIES,
    .y = { "wrong predictions", "%", .logarithmic = true },
    .help = "Wrong predictions in training and on validation examples. At this size an uneven load "
            "hardly hurts the error: the published 39.8 against 35.6 perplexity needs far more "
            "experts and data.",
    .source = "Shazeer et al. 2017, table 6",
    SL_TRACES (
      [T_TRAIN] = { "train", "train, as training decides", "%",
        "Wrong predictions on the training batches since the last report, with what the gate does in training: "
        "noise, or looking at the whole batch." },
      [T_VALID] = { "valid", "validation", "%",
        "Wrong predictions on the validation examples, each decided alone and without noise." },
      [T_ERROR_WIDE] = { "wide", "one wide expert", "%",
        "The same of a dense layer with the multiplications of the chosen experts.",
        SL_REFERENCE },
      [T_ERROR_DEEP] = { "deep", "one deep expert", "%",
        "The same of several dense layers with as many multiplications.", SL_REFERENCE },
      [T_ERROR_TWIN] = { "twin", "baseline of equal cost", "%",
        "The same of a network without a gate that does as many multiplications, the gate's included.",
        SL_REFERENCE },
      [T_ERROR_TOGETHER] = { "together", "validation, in batches", "%",
        "Soft mixture: validation examples in batches, mixed with each other as in training. Alone is what "
        "counts." }) },
  [V_EFFECTIVE] = SL_PANEL_EFFECTIVE (NULL),
  [V_WHY] = SL_PANEL_MARGINS,
  [V_WHY_VALUE] = { .id = "why-value", .title = "Margin of the selected expert",
    .group = SL_SHOWS_GATE,
    .kind = SL_PROFILE, .x = { "score above the bar" },
    .y = { "share of the examples", "%" }, .needs = "gate!=noisy gate!=dense", .probe_seconds = 1,
    .help = "How far the expert is above, or below, what it needs to be chosen, over validation examples: "
            "its learned or followed threshold (strictly balanced, expert choice), the k-th best of the "
            "others (balanced assignment, Switch, bias, with the bias on both sides), or 0 (ReLU).",
    .formula = "gᵢ − Tᵢ;  sᵢ + bᵢ − the k-th largest without i;  uᵢ",
    .source = "Shazeer et al. 2017, appendix F; the others are ours",
    SL_TRACES (
      [SL_MARGINS_SELECTED] = { "watched", "selected expert", "%",
        "Share of the examples with this margin." },
      [SL_MARGINS_BUSIEST] = { "busiest", "busiest expert", "%",
        "The same for the expert with the most examples.", SL_REFERENCE }) },
  [V_VIOLATION] = { .id = "violation", .title = "Violation of balance (MaxVio)",
    .group = SL_SHOWS_WORK, .kind = SL_SERIES,
    .y = { "largest ÷ mean load − 1", .logarithmic = true },
    .help = "By how much the busiest expert is above an even share: of single training batches, before "
            "any example is dropped, and of all validation examples, each decided alone. Chance alone "
            "makes batches uneven: the lower line is that of random choices, the upper one full collapse.",
    .formula = "MaxVio = max (Load) ÷ mean (Load) − 1;  chance: Mₙ √(n ÷ (n − 1)) √((1 − k ÷ n) ÷ (B k "
               "÷ n)), Mₙ: mean of the largest of n normals;  collapse: n ÷ k − 1",
    .source = "Wang et al. 2024, arXiv 2408.15664: 0.04 without a loss, 0.72 with one (1B parameters); Shazeer et "
              "al. 2017, table 6, has largest ÷ mean",
    SL_TRACES (
      [T_VIOLATION] = { "batch", "batches", "",
        "Of what training batches wanted, mean since the last report." },
      [T_VIOLATION_VALID] = { "valid", "validation", "",
        "Of all validation examples, each decided alone." },
      [T_VIOLATION_CHANCE] = { "chance", "random choice", "",
        "What batches of random choices would have.", SL_THEORY },
      [T_VIOLATION_SMOOTH] = { "smooth", "batches, smooth", "",
        "Of the smooth estimate of the load of training batches, which the load loss of a noisy gate uses." },
      [T_VIOLATION_COLLAPSE] = { "collapse", "always the same k", "", "Full collapse: n/k − 1.",
        SL_REFERENCE }) },
  [V_DROPPED] = { .id = "dropped", .title = "Dropped and unserved",
    .group = SL_SHOWS_WORK, .kind = SL_SERIES, .y = { "share", "%" },
    .needs = "gate=balanced|gate=base|gate=relu|gate=expert-choice|gate=switch",
    .help = "Choices for which a full expert had no place, and training examples that nobody works on "
            "at all: the layer gives them 0. A capacity drops examples, choices by the experts forget "
            "some, and ReLU routing may choose nobody.",
    .formula = "dropped: 1 − served ÷ wanted pairs of example and expert",
    .source = "Fedus et al. 2021: typically below 1 %",
    SL_TRACES (
      [T_DROPPED] = { "dropped", "dropped choices", "%",
        "Pairs of example and expert without a place, since the last report." },
      [T_UNSERVED] = { "unserved", "examples without expert", "%",
        "Training examples that no expert worked on." }) },
  [V_PER_EXAMPLE] = { .id = "per-example", .title = "Experts per example",
    .group = SL_SHOWS_WORK, .kind = SL_HISTORY, .y = { "experts that work on an example" },
    .z = { "examples", "%", .lo = 0, .hi = 100 }, .zero = "none",
    .needs = "gate=balanced|gate=relu|gate=expert-choice|gate=switch",
    .help = "How many experts work on an example, over time: row 2 has the share of the examples with two. "
            "Where k is fixed all are in one row; where experts or a rectifier choose, hard examples may "
            "get more. Those without any are in the plot of what is dropped.",
    .source = "Zhou et al. 2022; Wang et al. 2024, ReMoE",
    SL_TRACES ({ "share", "examples", "%",
      "Share of the training examples with so many experts; with more than 64 experts each row is a "
      "range of numbers.", SL_MEASURED, NUMBER, SL_MIXTURE_ROWS }) },
  [V_FLIPS] = { .id = "flips", .title = "Changed choices",
    .group = SL_SHOWS_GATE, .kind = SL_SERIES, .y = { "share", "%", .lo = 0, .hi = 100 },
    .help = "How many choices for the same validation examples differ from those at the last evaluation. "
            "Experts whose examples keep changing cannot specialise.",
    .formula = "mean of 1 − |S ∩ S′| ÷ max (|S|, |S′|) over the first 512 validation examples",
    SL_TRACES (
      [T_FLIPS] = { "choices", "choices", "%", "Part of an example's set that has changed, on average." },
      [T_FLIPS_CHANGED] = { "examples", "examples", "%", "Examples whose set has changed at all." }) },
  [V_BIAS] = { .id = "bias", .title = "Bias of the experts",
    .group = SL_SHOWS_GATE, .kind = SL_HISTORY, .y = { "expert" }, .z = { "bias b" }, .picks = "expert",
    .needs = "gate=bias",
    .help = "What is added to each expert's score before the choice. Experts with too few examples are "
            "pushed up and fan out from the others; no loss does anything.",
    .formula = "bᵢ += u · sign (c̄ − cᵢ)", .source = "Wang et al. 2024, arXiv 2408.15664",
    SL_TRACES ({ "b", "bias", "",
      "Bias of the expert; with more than 64 experts each row is the mean of a range of them.",
      SL_MEASURED, NUMBER, SL_MIXTURE_ROWS }) },
  [V_SPREAD] = { .id = "bias-spread", .title = "Bias against scores",
    .group = SL_SHOWS_GATE, .kind = SL_SERIES, .y = { "largest − smallest" }, .needs = "gate=bias",
    .help = "How far apart the biases are, and the scores of one example. Scores lie between 0 and 1: once "
            "the biases are further apart than the scores, the bias alone chooses and the input no "
            "longer matters.",
    .formula = "max b − min b;  mean of max s − min s over the examples of a batch",
    SL_TRACES (
      [T_SPREAD_BIAS] = { "bias", "biases", "", "Largest less smallest bias." },
      [T_SPREAD_SCORE] = { "score", "scores of an example", "",
        "Largest less smallest score of an example, mean of the last batch." }) },
  [V_CONTROLLER] = { .id = "controller", .title = "Weight of the penalty λ",
    .group = SL_SHOWS_GATE, .kind = SL_SERIES, .y = { "λ", .logarithmic = true }, .needs = "gate=relu",
    .help = "λ grows until enough gate values are 0, and then goes up and down around that. First all "
            "is dense, then experts are switched off one after the other, then the number holds.",
    .formula = "λ ← λ · gain^sign (target − zeros)", .source = "Wang et al. 2024, ReMoE",
    SL_TRACES ({ "lambda", "λ", "", "Weight of the penalty after the update." }) },
  [V_ZEROS] = { .id = "zeros", .title = "Pairs that are off",
    .group = SL_SHOWS_GATE, .kind = SL_SERIES, .y = { "pairs of example and expert", "%", .lo = 0, .hi = 100 },
    .needs = "gate=relu",
    .help = "How many gate values are 0, beside how many there would be with k experts for each example.",
    .formula = "zeros ÷ (n B);  target: 1 − k ÷ n", .source = "Wang et al. 2024, ReMoE",
    SL_TRACES (
      [T_ZEROS] = { "zeros", "off", "%", "Gate values that are 0, since the last report." },
      [T_ZEROS_TARGET] = { "target", "target", "%", "1 − k/n.", SL_TARGET }) },
  [V_CLASSES] = { .id = "classes", .title = "Classes of each expert",
    .group = SL_SHOWS_WORK,
    .kind = SL_HEATMAP,
    .x = { "class" }, .y = { "expert" }, .z = { "share" }, .zero = "none", .picks = "expert",
    .probe_seconds = 2,
    .help = "Share of each class among an expert's validation examples. Rows with one strong cell "
            "are specialists; a row that is hatched throughout belongs to an unused expert.",
    .formula = "share of class c among the examples of expert i",
    SL_TRACES ({ "share", "share", "", "Share of the expert's examples that have the class." }) },
  [V_STRONGEST] = { .id = "strongest", .title = "What the selected expert gets",
    .group = SL_SHOWS_WORK, .kind = SL_IMAGE, .probe_seconds = 2,
    .help = "Validation examples of the selected expert, those with the largest gate values first; "
            "below each its class and the gate value. Of points the first few are in the note.",
    .formula = "inputs by falling Gᵢ (x)", .source = "Shazeer et al. 2017, table 9",
    SL_TRACES ({ "examples", "examples", "", "Examples with the largest gate values." }) },
  [V_NOISE] = SL_PANEL_GATE_NOISE,
  [V_LOSS] = { .id = "loss", .title = "Loss", .group = SL_SHOWS_QUALITY, .kind = SL_SERIES,
    .y = { "loss", "nats", .logarithmic = true },
    .help = "The parts of the training loss: cross entropy of the task, and what the gate's own losses "
            "cost. The bias, balanced assignment and expert choice have none.",
    .formula = "noisy: task + w_importance CV² (Importance) + w_load CV² (Load);  Switch: task + α n Σᵢ fᵢ "
               "Pᵢ + w_z mean (log Σ exp u)²;  ReLU: task + λ mean (Σᵢ fᵢ Rᵢ)",
    .source = "Shazeer et al. 2017, §4; Fedus et al. 2021; Zoph et al. 2022; Wang et al. 2024",
    SL_TRACES (
      [SL_LOSS_TASK] = { "task", "cross entropy", "nats",
        "Mean cross entropy of the batches since the last report." },
      [SL_LOSS_IMPORTANCE] = { "importance", "importance", "nats", "w_importance CV² (Importance)." },
      [SL_LOSS_LOAD] = { "load", "load", "nats", "w_load CV² (Load), by the smooth estimate." },
      [SL_LOSS_THRESHOLD] = { "threshold", "thresholds", "nats",
        "Balanced gate: loss of the thresholds for each example." },
      [T_LOSS_BALANCE] = { "balance", "balance", "nats", "Switch: α n Σᵢ fᵢ Pᵢ." },
      [T_LOSS_Z] = { "z", "z-loss", "nats", "Switch: w_z times the mean of (log Σ exp u)²." },
      [T_LOSS_L1] = { "l1", "penalty", "nats", "ReLU: λ times the mean of Σᵢ fᵢ Rᵢ." }) },
  [V_COST] = { .id = "cost", .title = "Cost", .group = SL_SHOWS_COST, .kind = SL_SERIES,
    .y = { "multiplications", "% of dense", .lo = 0, .hi = 100 },
    .help = "Multiplications of this layer for one example relative to a dense layer with the same "
            "parameters. The difference to (k + m)/(n + m) is what choosing costs; gates without noise have "
            "half of that. Soft mixtures pay most for mixing examples.",
    .formula = "(k + m) · hidden · (d + o) + 2 · d · n, of (n + m) · hidden · (d + o), for d inputs and o "
               "outputs; no noise: d · n; soft, p slots: 2 · d · n · p + (n p ÷ B + m) · hidden · (d + o) + n · "
               "p · o; balanced assignment: + 16 n in training",
    .source = "Shazeer et al. 2017, §3",
    SL_TRACES (
      [T_EXPECTED] = { "expected", "expected", "% of dense",
        "By the probabilities P of each choice, gates included.", SL_THEORY },
      [T_EXECUTED] = { "executed", "executed", "% of dense",
        "Multiplications counted, gates included." },
      [T_DENSE] = { "dense", "dense, same parameters", "% of dense",
        "All experts for every example.", SL_REFERENCE },
      [T_SHARE] = { "share", "experts alone", "% of dense", "(k + m)/(n + m), if gates cost nothing.",
        SL_REFERENCE },
      [T_COST_WIDE] = { "wide", "one wide expert", "% of dense",
        "Multiplications of the wide baseline in place of this layer.", SL_REFERENCE },
      [T_COST_DEEP] = { "deep", "one deep expert", "% of dense",
        "Multiplications of the deep baseline in place of this layer.", SL_REFERENCE },
      [T_RESERVED] = { "reserved", "reserved places", "% of dense",
        "Switch: what a machine does that fills every place, empty or not.", SL_REFERENCE },
      [T_COST_TWIN] = { "twin", "baseline of equal cost", "% of dense",
        "Multiplications of the dense baseline, sized when the run began.", SL_REFERENCE }) },
  [V_SPEED] = { .id = "speed", .title = "Measured speed", .group = SL_SHOWS_COST, .kind = SL_BARS,
    .y = { "speed-up over dense", "×", .lo = 0, .hi = 1 },
    .categories = SL_NAMES ("measured, 1 example", "measured, batch"), .probe_seconds = 4,
    .help = "How many times faster this layer is than a dense one with all the experts' units: time of "
            "the dense forward pass ÷ time of this layer's, on one thread. Once for a single example, "
            "once for a batch as large as in training. Measured again after each change.",
    .source = "timed here",
    SL_TRACES ({ "parameters", "against the same parameters", "×",
      "Time of a dense layer with all the experts' units ÷ time of this layer." }) },
  [V_MEMORY] = SL_PANEL_MEMORY (NULL),
  [V_AGREEMENT] = SL_PANEL_AGREEMENT (NULL),
  [V_MAP] = SL_PANEL_MAP (false),
};
/* clang-format on */
