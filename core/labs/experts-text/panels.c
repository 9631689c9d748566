/* SPDX-License-Identifier: MIT
 *
 * The panels of the lab `experts-text`, in words.  */
#include "core/labs/experts-text/tables.h"

#include <math.h>

#define WITH_EXPERTS "layer=experts"

/* clang-format off */
const SlPanel sl_experts_text_panels[N_PANELS] = {
  [V_ALIVE] = { .id = "alive", .title = "One word on its way", .group = SL_SHOWS_WORK, .kind = SL_ALIVE,
    .needs = WITH_EXPERTS, .probe_seconds = 0.07,
    .help = "The framed word (or letter) of the validation text at the gate: the experts' scores, the chosen ones "
            "and their weights, and the word expected next. Every word has the colour of its strongest expert.",
    .formula = "y = Σ Gᵢ (x) Eᵢ (x)",
    .source = "Shazeer et al. 2017, §3.1" },
  [V_PERPLEXITY] = { .id = "perplexity", .title = "Perplexity", .group = SL_SHOWS_QUALITY,
    .kind = SL_SERIES, .y = { "perplexity", .logarithmic = true, .least = 1, .most = HUGE_VAL },
    .help = "The next symbol is as hard to guess as one of this many equally likely ones.",
    .formula = "exp (mean of −ln p (next symbol))",
    .source = "Shazeer et al. 2017, figure 2 and table 7",
    SL_TRACES (
      [T_TRAIN] = { "train", "training, with noise and dropout", "", "" },
      [T_VALID] = { "valid", "validation", "", "Without noise." },
      [T_BASELINE] = { "baseline", "baseline, validation", "", "", SL_REFERENCE },
      [T_SINGLE] = { "single", "frequencies alone", "",
        "Symbols guessed by their frequency in the training text.", SL_REFERENCE }) },
  [V_BITS] = { .id = "bits", .title = "Bits per letter", .group = SL_SHOWS_QUALITY,
    .kind = SL_SERIES, .y = { "bits per letter" },
    .help = "The loss per letter, blanks included, compares models of words and letters. Unknown words "
            "count as known, which flatters small vocabularies.",
    .formula = "loss in nats per symbol ÷ ln 2 · symbols ÷ letters",
    SL_TRACES (
      [T_TRAIN] = { "train", "training, with noise and dropout", "", "" },
      [T_VALID] = { "valid", "validation", "", "Without noise." },
      [T_BASELINE] = { "baseline", "baseline, validation", "", "", SL_REFERENCE },
      [T_SINGLE] = { "single", "frequencies alone", "",
        "Symbols guessed by their frequency in the training text.", SL_REFERENCE }) },
  [V_USAGE] = SL_PANEL_USAGE ("experts", WITH_EXPERTS),
  [V_READS] = { .id = "reads", .title = "Examples of the selected expert", .group = SL_SHOWS_WORK,
    .kind = SL_HEATMAP, .x = { "gate value" }, .y = { "context" }, .z = { "gate value" },
    .needs = WITH_EXPERTS, .probe_seconds = 2,
    .help = "Where the expert's gate value is largest in the validation text; it computes the "
            "symbol in brackets.",
    .formula = "symbols by falling Gᵢ (x), i the selected expert",
    .source = "Shazeer et al. 2017, table 9",
    SL_TRACES ({ "gate", "gate value", "", "" }) },
  [V_CV] = SL_PANEL_CV (WITH_EXPERTS),
  [V_EFFECTIVE] = SL_PANEL_EFFECTIVE (WITH_EXPERTS),
  [V_WHY] = SL_PANEL_MARGINS,
  [V_WHY_VALUE] = SL_PANEL_MARGIN_VALUES,
  [V_NOISE] = SL_PANEL_GATE_NOISE,
  [V_LOSS] = SL_PANEL_BALANCE_LOSS,
  [V_COST] = { .id = "cost", .title = "Cost per symbol", .group = SL_SHOWS_COST,
    .kind = SL_SERIES, .y = { "multiplications", "thousand", .logarithmic = true },
    .help = "Multiplications without the softmax, as the paper counts.",
    .formula = "LSTMs: 8 d² each;  experts: k · 2 · d · hidden;  gates: 2 · d · n, balanced d · n;  in a "
               "groups: a + chosen groups · n ÷ a for n",
    .source = "Shazeer et al. 2017, table 7: operations per time step",
    SL_TRACES (
      [T_EXECUTED] = { "executed", "executed", "thousand", "Multiplications counted." },
      [T_MIDDLE] = { "middle", "middle layer", "thousand",
        "Experts and gates, or what replaces them." },
      [T_DENSE] = { "dense", "with all experts", "thousand", "", SL_REFERENCE },
      [T_COST_BASELINE] = { "baseline", "baseline", "thousand", "", SL_REFERENCE }) },
  [V_SIZE] = { .id = "size", .title = "Parameters", .group = SL_SHOWS_COST, .kind = SL_BARS,
    .y = { "parameters", "thousand" },
    .categories = SL_NAMES ("embedding", "LSTMs", "middle layer", "softmax"), .probe_seconds = 2,
    .help = "Parameters of each part.",
    .source = "Shazeer et al. 2017, table 7",
    SL_TRACES (
      [T_NUMBERS] = { "model", "model", "thousand", "" },
      [T_NUMBERS_BASELINE] = { "baseline", "baseline", "thousand", "", SL_REFERENCE }) },
  [V_MEMORY] = SL_PANEL_MEMORY (WITH_EXPERTS),
  [V_AGREEMENT] = SL_PANEL_AGREEMENT (WITH_EXPERTS),
};
/* clang-format on */
