/* SPDX-License-Identifier: MIT
 *
 * The knobs, panels and trials of the lab `gated-recurrence`, in words.  */
#include "core/labs/gated-recurrence/tables.h"

#include "core/lab/kit/distance.h"
#include "core/lab/kit/panels.h"
#include "core/lab/kit/params.h"
#include "core/labs/gated-recurrence/math/net.h"

/* clang-format off */
const SlParam sl_recurrence_params[N_PARAMS] = {
  [P_OFFSET] = { .id = "s", .title = "Offset s", .group = SL_GROUP_CONDITIONAL, .kind = SL_REAL,
    .lo = -1.5, .hi = 1, .step = 0.05, .fallback = -0.25,
    .help = "Added to every normalised gate. At lower values more units copy: the network is faster and in the end "
            "predicts worse.",
    .formula = "y = (v − μ) ÷ √(σ² + ε) + s;  z = tanh y where y > 0, else 0.  Eq. 4.7 prints − s "
               "and ÷ σ²  (reading)",
    .source = "Davis 2016, §4.5.2 and §4.5.3: 0 to −0.75, as what is added (eq. 4.7 prints −s)" },
  [P_GATING] = { .id = "gating", .title = "Gates", .group = SL_GROUP_CONDITIONAL, .kind = SL_CHOICE,
    .fallback = 1, .effect = SL_RESTART,
    .help = "Unit by unit saves most for one text. Blocks also save time for many texts at once, "
            "and in training.",
    .formula = "h′ = (1 − z) ⊙ h + z ⊙ ĥ;  ĥ = tanh (x W_h + r ⊙ (h U_h) + b_h)",
    .source = "Davis 2016, §4.4.1, §4.4.2; the third after the outlook of §4.5.4, form ours",
    /* In the order of SlGruGating, which begins with the dense layer. */
    SL_CHOICES ({ "units", "Unit by unit" }, { "blocks", "In blocks" },
      { "mixed", "In blocks, amount per unit" }) },
  [P_GATES] = { .id = "gates", .title = "Gate width g", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_INTEGER, .lo = 1, .hi = 256, .step = 1, .fallback = 16, .logarithmic = true,
    .effect = SL_RESTART,
    .help = "Values that make the gates, or the number of blocks, which divides the units. More decide more finely "
            "and cost more.",
    .formula = "unit by unit: v = f (x W_l + h U_l + b_l) W_z;  blocks: each of g entries for "
               "units ÷ g neighbours",
    .source = "Davis 2016, tables 4.2 and 4.4: 16, 32, 64" },
  [P_BOTTLENECK] = { .id = "bottleneck", .title = "Gate nonlinearity f",
    .group = SL_GROUP_CONDITIONAL, .kind = SL_CHOICE, .fallback = 0, .effect = SL_RESTART,
    .help = "With the rectifier fewer blocks are on than a normal distribution gives.",
    .formula = "f in z_l = f (x W_l + h U_l + b_l)",
    .source = "Davis 2016, §4.4.1, eq. 4.8 (\"such as\" the rectifier)",
    SL_CHOICES ({ "rectifier", "Rectifier" }, { "identity", "None" }) },
  [P_AFFINE] = { .id = "affine", .title = "Trainable γ and β", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_BOOLEAN, .fallback = 0, .effect = SL_RESTART,
    .help = "Each gate learns a scale and a shift; s alone then no longer sets the share of "
            "gates on.",
    .formula = "y = γ (v − μ) ÷ √(σ² + ε) + β + s;  γ = 1 and β = 0 at first",
    .source = "Davis 2016, eq. 2.14, which eq. 4.9 allows" },
  [P_TWIN] = { .id = "twin", .title = "Train a dense baseline", .group = SL_GROUP_CONDITIONAL,
    .kind = SL_BOOLEAN, .fallback = 0, .effect = SL_RESTART,
    .help = "A dense network of the same size shows how many bits copying costs." },
  [P_BASELINE] = { .id = "baseline", .title = "Reset gate of the baseline",
    .group = SL_GROUP_CONDITIONAL, .kind = SL_CHOICE, .fallback = 0, .effect = SL_RESTART,
    .help = "Outside the product every unit can be computed alone, as gates need; inside is standard.",
    .formula = "outside: ĥ = tanh (x W_h + r ⊙ (h U_h) + b_h)  (eq. 4.5);  inside: ĥ = tanh (x W_h + "
               "(r ⊙ h) U_h + b_h)  (eq. 4.3)",
    .source = "Davis 2016, §4.2 and fig. 4.1",
    SL_CHOICES ({ "outside", "Outside the product" }, { "inside", "Inside: standard unit" }) },
  [P_RATE] = { .id = "learning-rate", .title = "Learning rate", .group = SL_GROUP_TRAINING,
    .kind = SL_REAL, .lo = 1e-6, .hi = 1, .step = 1e-4, .fallback = 2e-3, .logarithmic = true,
    .help = "Too large, the loss is no longer finite; too small, nothing is learned.",
    .source = "Davis 2016, tables 4.1 and 4.3: 1e-3; we start higher so that words come sooner" },
  [P_BATCH] = { .id = "batch", .title = "Streams", .group = SL_GROUP_TRAINING, .kind = SL_INTEGER,
    .lo = 2, .hi = 256, .step = 1, .fallback = 32, .logarithmic = true, .effect = SL_RESTART,
    .help = "Positions of the text that are read at once and normalise the gates: better eight or more.",
    .source = "Davis 2016, §4.5.1: 64; we start with half of it so that updates are fast" },
  [P_LENGTH] = { .id = "length", .title = "Letters per update", .group = SL_GROUP_TRAINING,
    .kind = SL_INTEGER, .lo = 1, .hi = 128, .step = 1, .fallback = 32, .logarithmic = true,
    .effect = SL_RESTART,
    .help = "How far back the gradient goes.",
    .source = "Davis 2016, §4.5.1: 50" },
  [P_RESET] = { .id = "reset", .title = "Reset the state every", .unit = "updates",
    .group = SL_GROUP_TRAINING, .kind = SL_INTEGER, .lo = 1, .hi = 1e6, .step = 10, .fallback = 100,
    .logarithmic = true,
    .help = "Updates after which the state of a stream begins at 0 again.",
    .source = "Davis 2016, §4.5.1: 1000" },
  [P_RESET_ALL] = { .id = "reset-all", .title = "Reset all at once", .group = SL_GROUP_TRAINING,
    .kind = SL_BOOLEAN, .fallback = 0,
    .help = "All states begin anew at once, as published. Otherwise the streams take turns.",
    .source = "Davis 2016, §4.5.1; one after the other is ours" },
  [P_LAYERS] = { .id = "layers", .title = "Layers", .group = SL_GROUP_MODEL, .kind = SL_INTEGER,
    .lo = 1, .hi = SL_GRU_LAYERS, .step = 1, .fallback = 1, .effect = SL_RESTART, .one = "layer",
    .help = "Recurrent layers; the second reads the state of the first.",
    .source = "Davis 2016, tables 4.1 and 4.3: 2" },
  [P_UNITS] = { .id = "units", .title = "Units", .group = SL_GROUP_MODEL, .kind = SL_INTEGER,
    .lo = 4, .hi = 2048, .step = 16, .fallback = 256, .logarithmic = true, .effect = SL_RESTART,
    .help = "Wide layers predict better, and more of their work can be saved.",
    .source = "Davis 2016, tables 4.1 and 4.3: 1024" },
  [P_REPORT] = SL_PARAM_REPORT,
  [P_EVALUATE] = SL_PARAM_EVALUATE,
  [P_LETTERS] = { .id = "evaluate-letters", .title = "Evaluate on", .unit = "letters",
    .group = SL_GROUP_VIEW, .view = true, .kind = SL_INTEGER, .lo = 16, .hi = 1e7, .step = 1000,
    .fallback = 10000, .logarithmic = true,
    .help = "Validation letters per evaluation." },
  [P_TEMPERATURE] = { .id = "temperature", .title = "Temperature of samples",
    .group = SL_GROUP_VIEW, .view = true, .kind = SL_REAL, .lo = 0.1, .hi = 2, .step = 0.1, .fallback = 0.8,
    .help = "At 1 letters follow the network's probabilities; lower values repeat the likeliest letters." },
};

const SlPanel sl_recurrence_panels[N_PANELS] = {
  [V_ALIVE] = { .id = "alive", .title = "One letter on its way", .group = SL_SHOWS_WORK, .kind = SL_ALIVE,
    .probe_seconds = 0.07,
    .help = "Which blocks of units were computed for each of the last validation letters, and which copied their "
            "state. A cross is a wrong copy: the units would differ by more than a tenth of the state's norm.",
    .formula = "missed: z = 0 and the root mean square of ĥ − h in the block > 0.1 ‖h‖ of the layer",
    .source = "Davis 2016, §4.4.2" },
  [V_DENSITY] = { .id = "density", .title = "Gates on", .group = SL_SHOWS_WORK, .kind = SL_SERIES,
    .y = { "fraction on", "%" },
    .help = "Share of the gates on in training, and in validation with running statistics.",
    .formula = "normal: Φ (s);  rectified blocks: 1 − Φ (m − s · sd), m = 0.399, sd = 0.584 in "
               "units of sd (ℓ)",
    .source = "Davis 2016, §4.3; the readings of eq. 4.7 in the notes",
    SL_TRACES (
      [T_TRAIN] = { "train", "training", "%", "", SL_MEASURED, "layers" },
      [T_VALID] = { "valid", "validation", "%", "", SL_MEASURED, "layers" },
      [T_NORMAL] = { "normal", "Φ(s)", "%", "", SL_THEORY },
      [T_RECTIFIED] = { "rectified", "rectified normal", "%", "", SL_THEORY }) },
  [V_BITS] = { .id = "bits", .title = "Bits per letter",
    .group = SL_SHOWS_QUALITY,
    .kind = SL_SERIES,
    .y = { "bits per letter" },
    .help = "Bits for the next letter. The lines are n-gram models: uniform, or with the "
            "frequencies of letters, pairs and triples.",
    .formula = "−mean log₂ p (next letter);  uniform over 27 letters: log₂ 27 = 4.755",
    .source = "Davis 2016, figs. A.4 to A.11",
    SL_TRACES (
      [T_BITS_TRAIN] = { "train", "training", "bits", "" },
      [T_BITS_VALID] = { "valid", "validation", "bits", "" },
      [T_BITS_TWIN] = { "twin", "dense baseline, training", "bits", "", SL_REFERENCE },
      [T_UNIFORM] = { "uniform", "uniform", "bits", "", SL_REFERENCE },
      [T_ONE] = { "one", "unigram", "bits", "", SL_REFERENCE },
      [T_TWO] = { "two", "bigram", "bits", "", SL_REFERENCE },
      [T_THREE] = { "three", "trigram", "bits", "", SL_REFERENCE }) },
  [V_SPEED] = { .id = "speed", .title = "Speed-up", .group = SL_SHOWS_COST, .kind = SL_BARS,
    .y = { "times faster than dense", "×" },
    .categories = SL_NAMES ("measured, 1 text", "measured, batch", "bound", "published, 1024 units"),
    .probe_seconds = 3,
    .help = "Measured speed against a dense network of the same size on one thread, for one text and for a training "
            "batch; the bound by counted multiplications; and the published speed for the nearest s and g at 1024 "
            "units.",
    .formula = "bound: 6 h (d + h) ÷ (2 g (d + h) + 2 g h + 4 α h (d + h)), for blocks without 2 g h",
    .source = "Davis 2016, tables 4.2 and 4.4",
    SL_TRACES ({ "speed-up", "speed-up over dense", "×", "" }) },
  [V_SAMPLE] = { .id = "sample", .title = "Generated text",
    .group = SL_SHOWS_WORK,
    .kind = SL_HEATMAP, .y = { "layer" },
    .z = { "units on", "%" }, .zero = "none", .probe_seconds = 2,
    .help = "Letters drawn from the network; under each the share of units on that chose the next one.",
    SL_TRACES ({ "on", "units on", "%", "" }) },
  [V_COST] = { .id = "cost", .title = "Cost", .group = SL_SHOWS_COST, .kind = SL_SERIES,
    .y = { "cost", "% of dense", .lo = 0, .hi = 100 },
    .help = "Multiplications of the forward pass in training.",
    .formula = "dense 6 h (d + h);  unit by unit 2 g (d + h) + 2 g h + 4 α h (d + h);  blocks 2 g "
               "(d + h) + 4 α h (d + h)",
    SL_TRACES (
      [T_EXECUTED] = { "executed", "executed", "% of dense",
        "Counted." },
      [T_DENSE] = { "dense", "dense", "% of dense", "", SL_REFERENCE }) },
  [V_COPIES] = { .id = "copies", .title = "Length of copies",
    .group = SL_SHOWS_WORK,
    .kind = SL_PROFILE,
    .x = { "letters in a row", .logarithmic = true, .whole = true }, .y = { "runs", "%" },
    .probe_seconds = 3,
    .help = "Validation letters in a row for which a gate stays off.",
    .formula = "z = 0: h′ = h",
    SL_TRACES ({ "runs", "runs", "%", "", SL_MEASURED, "layers" }) },
  [V_STUCK] = { .id = "stuck", .title = "Stuck gates", .group = SL_SHOWS_GATE, .kind = SL_SERIES,
    .y = { "of the gates", "%" },
    .help = "Gates that never change in validation.",
    SL_TRACES (
      [T_OFF] = { "off", "never on", "%", "", SL_MEASURED, "layers" },
      [T_ON] = { "on", "always on", "%", "", SL_MEASURED, "layers" }) },
  [V_PRODUCTS] = { .id = "products", .title = "One product for each block", .group = SL_SHOWS_GATE,
    .kind = SL_HEATMAP, .x = { "text of a batch" }, .y = { "block" }, .z = { "gate" }, .zero = "copied",
    .needs = "gating=blocks|gating=mixed", .probe_seconds = 2,
    .help = "For one letter of each text, the computed blocks of the first layer. Each row is one product of "
            "matrices.",
    .formula = "h′ = h where z = 0;  block i: (texts on) × (inputs) times (inputs) × (units of the block)",
    .source = "Davis 2016, figure 4.4",
    SL_TRACES ({ "gate", "gate", "", "" }) },
  [V_CLIPPED] = { .id = "clipped-tanh", .title = "Clipped tanh", .group = SL_SHOWS_GATE,
    .kind = SL_PROFILE, .x = { "normalised gate" }, .y = { "z, slope, share", .lo = 0, .hi = 1 },
    .probe_seconds = 2,
    .help = "How a normalised value makes a gate. Where the gate is 0 the unit copies and "
            "nothing is learned.",
    .formula = "z = tanh (v̂ + s) where v̂ + s > 0, else 0;  slope 1 − z², else 0;  with γ and β, γ v̂ + β "
               "for v̂",
    .source = "Davis 2016, eq. 4.6 and fig. 4.2",
    SL_TRACES (
      [T_CLIPPED] = { "z", "z", "", "", SL_THEORY },
      [T_SLOPE] = { "slope", "slope", "", "", SL_REFERENCE },
      [T_HERE] = { "share", "gates", "", "", SL_MEASURED, "layers" }) },
  [V_DISTANCE] = SL_PANEL_DISTANCE,
};
/* clang-format on */
