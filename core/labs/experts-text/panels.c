/* SPDX-License-Identifier: MIT
 *
 * The panels of the lab `experts-text`, in words.  */
#include "core/labs/experts-text/tables.h"

#include <math.h>

#define WITH_EXPERTS "layer=experts"

/* clang-format off */
const SlPanel sl_experts_text_panels[N_PANELS] = {
  [V_PERPLEXITY] = { .id = "perplexity", .title = "Perplexity", .group = SL_SHOWS_QUALITY,
    .kind = SL_SERIES, .y = { "perplexity", .logarithmic = true, .least = 1, .most = HUGE_VAL },
    .help = "As many equally likely symbols as would be as hard to guess as the next one is. A "
            "baseline does as many multiplications; what is below it is what experts are good for.",
    .formula = "exp (mean of −ln p (next symbol))",
    .source = "Shazeer et al. 2017, figure 2 and table 7",
    SL_TRACES (
      [T_TRAIN] = { "train", "train, with noise and dropout", "",
        "Of the training symbols since the last report." },
      [T_VALID] = { "valid", "validation", "", "Of the validation symbols, without noise." },
      [T_BASELINE] = { "baseline", "baseline, validation", "",
        "The same of the model beside it.", SL_REFERENCE },
      [T_SINGLE] = { "single", "frequencies alone", "",
        "Of a guess by how frequent each symbol is in the training text.", SL_REFERENCE }) },
  [V_BITS] = { .id = "bits", .title = "Bits per letter", .group = SL_SHOWS_QUALITY,
    .kind = SL_SERIES, .y = { "bits per letter" },
    .help = "The same loss spread over the letters of the text, blanks among them, so that models of "
            "words and of letters can be compared. An unknown word is counted as if it were known, "
            "which flatters small vocabularies.",
    .formula = "loss in nats per symbol ÷ ln 2 · symbols ÷ letters",
    SL_TRACES (
      [T_TRAIN] = { "train", "train, with noise and dropout", "",
        "Of the training symbols since the last report." },
      [T_VALID] = { "valid", "validation", "", "Of the validation symbols, without noise." },
      [T_BASELINE] = { "baseline", "baseline, validation", "",
        "The same of the model beside it.", SL_REFERENCE },
      [T_SINGLE] = { "single", "frequencies alone", "",
        "Of a guess by how frequent each symbol is in the training text.", SL_REFERENCE }) },
  [V_USAGE] = SL_PANEL_USAGE ("experts", WITH_EXPERTS),
  [V_READS] = { .id = "reads", .title = "Examples of the selected expert", .group = SL_SHOWS_WORK,
    .kind = SL_HEATMAP, .x = { "gate value" }, .y = { "context" }, .z = { "gate value" },
    .needs = WITH_EXPERTS, .probe_seconds = 2,
    .help = "The places of the validation text with the largest gate value of the selected expert, "
            "strongest first: the symbols before it, and last, in brackets, the one that it works "
            "on. Experts turn to a kind of word, or to words behind a kind of word.",
    .formula = "symbols by falling Gᵢ (x), i the selected expert",
    .source = "Shazeer et al. 2017, table 9",
    SL_TRACES ({ "gate", "gate value", "", "Weight of the expert's answer." }) },
  [V_CV] = SL_PANEL_CV (WITH_EXPERTS),
  [V_EFFECTIVE] = SL_PANEL_EFFECTIVE (WITH_EXPERTS),
  [V_WHY] = SL_PANEL_MARGINS,
  [V_WHY_VALUE] = SL_PANEL_MARGIN_VALUES,
  [V_NOISE] = SL_PANEL_GATE_NOISE,
  [V_LOSS] = SL_PANEL_BALANCE_LOSS,
  [V_COST] = { .id = "cost", .title = "Cost of a symbol", .group = SL_SHOWS_COST,
    .kind = SL_SERIES, .y = { "multiplications", "thousand", .logarithmic = true },
    .help = "Multiplications of a forward pass for one symbol, without the softmax, as the paper "
            "counts. Experts that are not chosen add parameters and no work.",
    .formula = "LSTMs: 8 d² each;  experts: k · 2 · d · hidden;  gates: 2 · d · n, balanced d · n;  in a "
               "groups: a + chosen groups · n ÷ a for n",
    .source = "Shazeer et al. 2017, table 7: operations per time step",
    SL_TRACES (
      [T_EXECUTED] = { "executed", "executed", "thousand", "Multiplications counted." },
      [T_MIDDLE] = { "middle", "of them the middle layer", "thousand",
        "Experts and gates, or what stands in for them." },
      [T_DENSE] = { "dense", "with all experts", "thousand",
        "As many as a dense middle layer with the same parameters takes.", SL_REFERENCE },
      [T_COST_BASELINE] = { "baseline", "baseline", "thousand",
        "Those of the model beside it.", SL_REFERENCE }) },
  [V_SIZE] = { .id = "size", .title = "Parameters", .group = SL_SHOWS_COST, .kind = SL_BARS,
    .y = { "parameters", "thousand" },
    .categories = SL_NAMES ("embedding", "LSTMs", "middle layer", "softmax"), .probe_seconds = 2,
    .help = "Where the numbers are that the model learns. The paper compares models by those of the "
            "LSTMs and the middle layer.",
    .source = "Shazeer et al. 2017, table 7",
    SL_TRACES (
      [T_NUMBERS] = { "model", "model", "thousand", "Numbers of this part." },
      [T_NUMBERS_BASELINE] = { "baseline", "baseline", "thousand",
        "The same of the model beside it.", SL_REFERENCE }) },
  [V_MEMORY] = SL_PANEL_MEMORY (WITH_EXPERTS),
  [V_AGREEMENT] = SL_PANEL_AGREEMENT (WITH_EXPERTS),
};
/* clang-format on */
