/* SPDX-License-Identifier: MIT
 *
 * The panels of the lab `experts`, in words.  */
#include "core/lab/kit/panels.h"
#include "core/lab/mixture/panels.h"
#include "core/labs/experts/tables.h"

/* clang-format off */
const SlPanel sl_experts_panels[N_PANELS] = {
  [V_USAGE] = SL_PANEL_USAGE (NULL),
  [V_CV] = SL_PANEL_CV (NULL),
  [V_ERROR] = { .id = "error", .title = "Error", .group = SL_SHOWS_QUALITY, .kind = SL_SERIES,
    .y = { "wrong predictions", "%", .logarithmic = true },
    .help = "Wrong predictions in training and on validation examples. At this size an uneven load "
            "hardly hurts the error: the published 39.8 against 35.6 perplexity needs far more "
            "experts and data.",
    .source = "Shazeer et al. 2017, table 6",
    SL_TRACES (
      [T_TRAIN] = { "train", "train, with gate noise", "%",
        "Wrong predictions on the training batches since the last report." },
      [T_VALID] = { "valid", "validation", "%",
        "Wrong predictions on the validation examples, without noise." },
      [T_ERROR_WIDE] = { "wide", "one wide expert", "%",
        "The same of a dense layer with the multiplications of the chosen experts.",
        SL_REFERENCE },
      [T_ERROR_DEEP] = { "deep", "one deep expert", "%",
        "The same of several dense layers with as many multiplications.", SL_REFERENCE }) },
  [V_PEAK] = SL_PANEL_PEAK (NULL),
  [V_EFFECTIVE] = SL_PANEL_EFFECTIVE (NULL),
  [V_SHARES] = SL_PANEL_SHARES (NULL),
  [V_WHY] = SL_PANEL_MARGINS,
  [V_WHY_VALUE] = SL_PANEL_MARGIN_VALUES,
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
  [V_ENTROPY] = SL_PANEL_GATE_ENTROPY (NULL),
  [V_INFORMATION] = { .id = "information", .title = "Information on the class",
    .group = SL_SHOWS_WORK,
    .kind = SL_SERIES,
    .y = { "share of the entropy", .lo = 0, .hi = 1 },
    .help = "How much an example's experts say about its class: 0 where every expert gets all "
            "classes alike, 1 where the expert determines the class.",
    .formula = "I (expert; class) ÷ H (class)",
    SL_TRACES ({ "class", "information on the class", "",
        "Mutual information of expert and class ÷ entropy of the class, validation examples.",
        .formerly = "entropy.information" }) },
  [V_NOISE] = SL_PANEL_GATE_NOISE,
  [V_LOSS] = SL_PANEL_BALANCE_LOSS,
  [V_COST] = { .id = "cost", .title = "Cost", .group = SL_SHOWS_COST, .kind = SL_SERIES,
    .y = { "multiplications", "% of dense", .lo = 0, .hi = 100 },
    .help = "Multiplications of this layer for one example relative to a dense layer with the same "
            "parameters. The difference to k/n is what choosing costs; a strictly balanced gate has "
            "half of that, as it needs no noise.",
    .formula = "k · hidden · (d + o) + 2 · d · n, of n · hidden · (d + o), for d inputs and o outputs",
    .source = "Shazeer et al. 2017, §3",
    SL_TRACES (
      [T_EXPECTED] = { "expected", "expected", "% of dense",
        "By the probabilities P of each choice, gates included.", SL_THEORY },
      [T_EXECUTED] = { "executed", "executed", "% of dense",
        "Multiplications counted, gates included." },
      [T_DENSE] = { "dense", "dense, same parameters", "% of dense",
        "All experts for every example.", SL_REFERENCE },
      [T_SHARE] = { "share", "k/n", "% of dense", "The experts alone, if gates cost nothing.",
        SL_REFERENCE },
      [T_COST_WIDE] = { "wide", "one wide expert", "% of dense",
        "Multiplications of the wide baseline in place of this layer.", SL_REFERENCE },
      [T_COST_DEEP] = { "deep", "one deep expert", "% of dense",
        "Multiplications of the deep baseline in place of this layer.", SL_REFERENCE }) },
  [V_SPEED] = { .id = "speed", .title = "Measured speed", .group = SL_SHOWS_COST, .kind = SL_BARS,
    .y = { "speed-up over dense", "×", .lo = 0, .hi = 1 },
    .categories = SL_NAMES ("batch 1", "batch 64", "batch 1024"), .probe_seconds = 4,
    .help = "Time of this layer's forward pass on one thread against two dense layers. The layer with "
            "the same parameters shows what skipping saves; the one with the same "
            "multiplications shows what choosing and gathering cost.",
    .source = "timed here",
    SL_TRACES (
      [T_SAME_PARAMETERS] = { "parameters", "against the same parameters", "×",
        "Time of a dense layer with all the experts' units ÷ time of this layer." },
      [T_SAME_WORK] = { "work", "against the same multiplications", "×",
        "Time of a dense layer with as many multiplications ÷ time of this layer.",
        SL_REFERENCE }) },
  [V_MEMORY] = SL_PANEL_MEMORY (NULL),
  [V_AGREEMENT] = SL_PANEL_AGREEMENT (NULL),
  [V_MAP] = SL_PANEL_MAP (false),
};
/* clang-format on */
