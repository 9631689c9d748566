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
  [V_ALIVE] = { .id = "alive", .title = "One example on its way", .group = SL_SHOWS_WORK, .kind = SL_ALIVE,
    .probe_seconds = 0.07,
    .help = "What the gate thinks of each expert for one validation example (pale: one standard deviation of its noise), "
            "which experts it chooses, and how much each gives to the sum. Hatched experts got none of the validation examples when they were last evaluated.",
    .formula = "y = Σᵢ Gᵢ Eᵢ (x)", .source = "Shazeer et al. 2017, figure 1" },
  [V_USAGE] = SL_PANEL_USAGE (NUMBER, NULL),
  [V_CV] = SL_PANEL_CV (NULL),
  [V_ERROR] = { .id = "error", .title = "Error", .group = SL_SHOWS_QUALITY, .kind = SL_SERIES,
    .y = { "wrong predictions", "%", .logarithmic = true },
    .help = "Wrong predictions. At this size an uneven load hardly hurts: the published gap, perplexity "
            "39.8 against 35.6, needs far more experts and data.",
    .source = "Shazeer et al. 2017, table 6",
    SL_TRACES (
      [T_TRAIN] = { "train", "training, with noise", "%",
        "Training batches since the last report, as the gate chooses in training." },
      [T_VALID] = { "valid", "validation", "%",
        "Validation examples, one at a time and without noise." },
      [T_ERROR_WIDE] = { "wide", "one wide expert", "%",
        "A dense layer with the multiplications of the chosen experts.",
        SL_REFERENCE },
      [T_ERROR_DEEP] = { "deep", "one deep expert", "%",
        "Several dense layers with as many multiplications.", SL_REFERENCE },
      [T_ERROR_TWIN] = { "twin", "baseline of equal cost", "%",
        "A network without a gate and with as many multiplications, the gate's included.",
        SL_REFERENCE },
      [T_ERROR_TOGETHER] = { "together", "validation, in batches", "%",
        "Soft mixture: validation examples mixed in batches, as in training." }) },
  [V_EFFECTIVE] = SL_PANEL_EFFECTIVE (NULL),
  [V_WHY] = SL_PANEL_MARGINS,
  [V_WHY_VALUE] = { .id = "why-value", .title = "Margin of the selected expert",
    .group = SL_SHOWS_GATE,
    .kind = SL_PROFILE, .x = { "score above the threshold" },
    .y = { "share of the examples", "%" }, .needs = "gate!=noisy gate!=dense", .probe_seconds = 1,
    .help = "How far the expert is above or below its threshold (strictly balanced, expert choice), the "
            "k-th best of the others (balanced assignment, Switch, bias), or 0 (ReLU).",
    .formula = "gᵢ − Tᵢ;  sᵢ + bᵢ − the k-th largest without i;  uᵢ",
    .source = "Shazeer et al. 2017, appendix F; the others are ours",
    SL_TRACES (
      [SL_MARGINS_SELECTED] = { "watched", "selected expert", "%",
        "Examples with this margin." },
      [SL_MARGINS_BUSIEST] = { "busiest", "busiest expert", "%",
        "The expert with the most examples.", SL_REFERENCE }) },
  [V_VIOLATION] = { .id = "violation", .title = "Largest load (MaxVio)",
    .group = SL_SHOWS_WORK, .kind = SL_SERIES,
    .y = { "largest ÷ mean load − 1", .logarithmic = true },
    .help = "Maximal violation (MaxVio): how far the busiest expert is above an even share. The lower line "
            "is chance alone, the upper one full collapse.",
    .formula = "MaxVio = max (Load) ÷ mean (Load) − 1;  chance: Mₙ √(n ÷ (n − 1)) √((1 − k ÷ n) ÷ (B k "
               "÷ n)), Mₙ: mean of the largest of n normals;  collapse: n ÷ k − 1",
    .source = "Wang et al. 2024, arXiv 2408.15664: 0.04 without a loss, 0.72 with one (1B parameters); Shazeer et "
              "al. 2017, table 6, has largest ÷ mean",
    SL_TRACES (
      [T_VIOLATION] = { "batch", "batches", "",
        "Training batches, before any example is dropped." },
      [T_VIOLATION_VALID] = { "valid", "validation", "",
        "All validation examples, one at a time." },
      [T_VIOLATION_CHANCE] = { "chance", "chance", "",
        "Expected of batches of random choices.", SL_THEORY },
      [T_VIOLATION_SMOOTH] = { "smooth", "batches, smooth", "",
        "Training batches, by the smooth estimate that the load loss of a noisy gate uses." },
      [T_VIOLATION_COLLAPSE] = { "collapse", "full collapse", "", "Full collapse: n/k − 1.",
        SL_REFERENCE }) },
  [V_DROPPED] = { .id = "dropped", .title = "Dropped and without expert",
    .group = SL_SHOWS_WORK, .kind = SL_SERIES, .y = { "share", "%" },
    .needs = "gate=balanced|gate=base|gate=relu|gate=expert-choice|gate=switch",
    .help = "Choices that full experts drop, and examples that no expert computes: the layer gives 0 for them.",
    .formula = "dropped: 1 − computed ÷ chosen pairs of example and expert",
    .source = "Fedus et al. 2021: typically below 1 %",
    SL_TRACES (
      [T_DROPPED] = { "dropped", "dropped choices", "%",
        "Pairs of example and expert over capacity." },
      [T_UNSERVED] = { "unserved", "examples without expert", "%",
        "Training examples that no expert computed." }) },
  [V_PER_EXAMPLE] = { .id = "per-example", .title = "Experts per example",
    .group = SL_SHOWS_WORK, .kind = SL_HISTORY, .y = { "experts per example" },
    .z = { "examples", "%", .lo = 0, .hi = 100 }, .zero = "none",
    .needs = "gate=balanced|gate=relu|gate=expert-choice|gate=switch",
    .help = "Row 2 is the share of examples with two experts. Where experts or a rectifier choose, hard "
            "examples may get more.",
    .source = "Zhou et al. 2022; Wang et al. 2024, ReMoE",
    SL_TRACES ({ "share", "examples", "%",
      "Training examples with this many experts; with more than 64 experts each row is a range.", SL_MEASURED, NUMBER, SL_MIXTURE_ROWS }) },
  [V_FLIPS] = { .id = "flips", .title = "Changed choices",
    .group = SL_SHOWS_GATE, .kind = SL_SERIES, .y = { "share", "%", .lo = 0, .hi = 100 },
    .help = "Choices for the same validation examples that differ from the last evaluation. Experts whose "
            "examples keep changing cannot specialise.",
    .formula = "mean of 1 − |S ∩ S′| ÷ max (|S|, |S′|) over the first 512 validation examples",
    SL_TRACES (
      [T_FLIPS] = { "choices", "choices", "%", "Mean share of an example's experts that changed." },
      [T_FLIPS_CHANGED] = { "examples", "examples", "%", "Examples with any changed expert." }) },
  [V_BIAS] = { .id = "bias", .title = "Bias of each expert",
    .group = SL_SHOWS_GATE, .kind = SL_HISTORY, .y = { "expert" }, .z = { "bias b" }, .picks = "expert",
    .needs = "gate=bias",
    .help = "What is added to each expert's score before the choice. Underloaded experts are pushed up, "
            "without any loss.",
    .formula = "bᵢ += u · sign (c̄ − cᵢ)", .source = "Wang et al. 2024, arXiv 2408.15664",
    SL_TRACES ({ "b", "bias", "",
      "Bias; with more than 64 experts each row is the mean of several.",
      SL_MEASURED, NUMBER, SL_MIXTURE_ROWS }) },
  [V_SPREAD] = { .id = "bias-spread", .title = "Bias against scores",
    .group = SL_SHOWS_GATE, .kind = SL_SERIES, .y = { "largest − smallest" }, .needs = "gate=bias",
    .help = "How far apart the biases and the scores of one example are. Once the biases are further apart, "
            "they alone decide.",
    .formula = "max b − min b;  mean of max s − min s over the examples of a batch",
    SL_TRACES (
      [T_SPREAD_BIAS] = { "bias", "biases", "", "Largest less smallest bias." },
      [T_SPREAD_SCORE] = { "score", "scores of an example", "",
        "Largest less smallest score, mean of the last batch." }) },
  [V_CONTROLLER] = { .id = "controller", .title = "Penalty weight λ",
    .group = SL_SHOWS_GATE, .kind = SL_SERIES, .y = { "λ", .logarithmic = true }, .needs = "gate=relu",
    .help = "λ grows until enough gate values are 0, then oscillates.",
    .formula = "λ ← λ · gain^sign (target − zeros)", .source = "Wang et al. 2024, ReMoE",
    SL_TRACES ({ "lambda", "λ", "", "After the update." }) },
  [V_ZEROS] = { .id = "zeros", .title = "Pairs off",
    .group = SL_SHOWS_GATE, .kind = SL_SERIES, .y = { "pairs of example and expert", "%", .lo = 0, .hi = 100 },
    .needs = "gate=relu",
    .help = "Gate values that are 0, and how many there would be with k experts per example.",
    .formula = "zeros ÷ (n B);  target: 1 − k ÷ n", .source = "Wang et al. 2024, ReMoE",
    SL_TRACES (
      [T_ZEROS] = { "zeros", "off", "%", "Gate values of 0 since the last report." },
      [T_ZEROS_TARGET] = { "target", "target", "%", "1 − k/n.", SL_TARGET }) },
  [V_CLASSES] = { .id = "classes", .title = "Classes of each expert",
    .group = SL_SHOWS_WORK,
    .kind = SL_HEATMAP,
    .x = { "class" }, .y = { "expert" }, .z = { "share" }, .zero = "none", .picks = "expert",
    .probe_seconds = 2,
    .help = "Classes of an expert's validation examples, paler where it has less than a quarter of an even share. "
            "A row with one strong cell is a specialist; a hatched row is an unused expert.",
    .formula = "examples of class c of expert i ÷ max (all of expert i, even share ÷ 4)",
    SL_TRACES ({ "share", "share", "", "Share of the expert's examples with this class." }) },
  [V_STRONGEST] = { .id = "strongest", .title = "Examples of the selected expert",
    .group = SL_SHOWS_WORK, .kind = SL_IMAGE, .probe_seconds = 2,
    .help = "The validation examples with the largest gate values, each with its class. The note lists points.",
    .formula = "inputs by falling Gᵢ (x)", .source = "Shazeer et al. 2017, table 9",
    SL_TRACES ({ "examples", "examples", "", "Examples with the largest gate values." }) },
  [V_NOISE] = SL_PANEL_GATE_NOISE,
  [V_LOSS] = { .id = "loss", .title = "Loss", .group = SL_SHOWS_QUALITY, .kind = SL_SERIES,
    .y = { "loss", "nats", .logarithmic = true },
    .help = "Cross entropy of the task and the gate's own losses. Loss-free bias, balanced assignment and "
            "expert choice have none.",
    .formula = "noisy: task + w_importance CV² (Importance) + w_load CV² (Load);  Switch: task + α n Σᵢ fᵢ "
               "Pᵢ + w_z mean (log Σ exp u)²;  ReLU: task + λ mean (Σᵢ fᵢ Rᵢ)",
    .source = "Shazeer et al. 2017, §4; Fedus et al. 2021; Zoph et al. 2022; Wang et al. 2024",
    SL_TRACES (
      [SL_LOSS_TASK] = { "task", "cross entropy", "nats",
        "Mean of the batches since the last report." },
      [SL_LOSS_IMPORTANCE] = { "importance", "importance", "nats", "w_importance CV² (Importance)." },
      [SL_LOSS_LOAD] = { "load", "load", "nats", "w_load CV² (Load), by the smooth estimate." },
      [SL_LOSS_THRESHOLD] = { "threshold", "thresholds", "nats",
        "Strictly balanced gate: loss of the thresholds." },
      [T_LOSS_BALANCE] = { "balance", "balance", "nats", "Switch." },
      [T_LOSS_Z] = { "z", "z-loss", "nats", "Switch." },
      [T_LOSS_L1] = { "l1", "penalty", "nats", "ReLU routing." }) },
  [V_COST] = { .id = "cost", .title = "Cost", .group = SL_SHOWS_COST, .kind = SL_SERIES,
    .y = { "multiplications", "% of dense", .lo = 0, .hi = 100 },
    .help = "Multiplications per example. What exceeds (k + m)/(n + m) is the cost of choosing; soft "
            "mixtures pay most, for mixing examples.",
    .formula = "(k + m) · hidden · (d + o) + 2 · d · n, of (n + m) · hidden · (d + o), for d inputs and o "
               "outputs; no noise: d · n; soft, p slots: 2 · d · n · p + (n p ÷ B + m) · hidden · (d + o) + n · "
               "p · o; balanced assignment: + 16 n in training",
    .source = "Shazeer et al. 2017, §3",
    SL_TRACES (
      [T_EXPECTED] = { "expected", "expected", "% of dense",
        "By the probabilities of each choice, gates included.", SL_THEORY },
      [T_EXECUTED] = { "executed", "executed", "% of dense",
        "Multiplications counted, gates included." },
      [T_DENSE] = { "dense", "dense, same parameters", "% of dense",
        "All experts for every example.", SL_REFERENCE },
      [T_SHARE] = { "share", "experts alone", "% of dense", "(k + m)/(n + m), if gates cost nothing.",
        SL_REFERENCE },
      [T_COST_WIDE] = { "wide", "one wide expert", "% of dense",
        "The wide baseline in place of this layer.", SL_REFERENCE },
      [T_COST_DEEP] = { "deep", "one deep expert", "% of dense",
        "The deep baseline in place of this layer.", SL_REFERENCE },
      [T_RESERVED] = { "reserved", "reserved capacity", "% of dense",
        "Switch: every expert computes its full capacity, used or not.", SL_REFERENCE },
      [T_COST_TWIN] = { "twin", "baseline of equal cost", "% of dense",
        "The dense baseline, sized when the run began.", SL_REFERENCE }) },
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
