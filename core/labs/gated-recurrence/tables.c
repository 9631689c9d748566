/* SPDX-License-Identifier: MIT
 *
 * The knobs, panels and trials of the lab `gated-recurrence`, in words.  */
#include "core/labs/gated-recurrence/tables.h"

#include "core/lab/kit/distance.h"
#include "core/lab/kit/panels.h"
#include "core/lab/kit/params.h"
#include "core/nn/gru/net.h"

/* In the order of SlGruGating, which begins with the dense layer. */
static const SlChoice gatings[] = { { "units", "Unit by unit" },
                                    { "blocks", "In blocks" },
                                    { "mixed", "In blocks, units by how much" },
                                    { 0 } };

static const SlChoice bottlenecks[]
  = { { "rectifier", "Rectifier" }, { "identity", "None" }, { 0 } };

/* clang-format off */
const SlParam sl_recurrence_params[N_PARAMS] = {
  [P_OFFSET] = {
    .id = "s", .title = "Offset s", .unit = "", .group = SL_GROUP_CONDITIONAL,
    .help = "Added to every normalised gate before its negative part is cut off. At a lower value "
            "fewer units are computed and more are copied: the network is faster, but at some "
            "point it predicts worse.",
    .formula = "y = (v − μ) ÷ √(σ² + ε) + s;  z = tanh y where y > 0, else 0.  Eq. 4.7 prints − "
               "s and ÷ σ²  (reading)",
    .source = "Davis 2016, §4.5: 0 to −0.75, as what is added (eq. 4.7 prints −s)",
    .kind = SL_REAL, .lo = -1.5, .hi = 1, .step = 0.05, .fallback = -0.25, .effect = SL_LIVE },
  [P_GATING] = {
    .id = "gating", .title = "Gates", .unit = "", .group = SL_GROUP_CONDITIONAL,
    .help = "Unit by unit saves most for one text at a time. Blocks of neighbouring units that "
            "share a gate also save time for many texts at once, and in training.",
    .formula = "h′ = (1 − z) ⊙ h + z ⊙ ĥ;  ĥ = tanh (x W_h + r ⊙ (h U_h) + b_h)",
    .source = "Davis 2016, §4.3.1, §4.3.2; the third after the outlook of §4.5.4, form ours",
    .kind = SL_CHOICE, .fallback = 1, .effect = SL_RESTART, .choices = gatings },
  [P_GATES] = {
    .id = "gates", .title = "Gate width g", .unit = "", .group = SL_GROUP_CONDITIONAL,
    .help = "Number of values that the gates are made from; for blocks, the number of blocks, "
            "which has to divide the number of units. More values decide more finely and cost "
            "more; as many as units save nothing.",
    .formula = "unit by unit: v = f (x W_l + h U_l + b_l) W_z;  blocks: each of g entries for "
               "units ÷ g neighbours",
    .source = "Davis 2016, tables 4.2 and 4.4: 16, 32, 64", .kind = SL_INTEGER, .lo = 1, .hi = 256,
    .step = 1, .fallback = 16, .logarithmic = true, .effect = SL_RESTART },
  [P_BOTTLENECK] = {
    .id = "bottleneck", .title = "Gate nonlinearity f", .unit = "", .group = SL_GROUP_CONDITIONAL,
    .help = "The function that is applied to those values before they are normalised. With the "
            "rectifier fewer blocks are on than a normal distribution would have it.",
    .formula = "f in z_l = f (x W_l + h U_l + b_l)",
    .source = "Davis 2016, eq. 4.6 (\"such as\" the rectifier)", .kind = SL_CHOICE, .fallback = 0,
    .effect = SL_RESTART, .choices = bottlenecks },
  [P_FOLLOW] = {
    .id = "follow", .title = "Statistics follow by", .unit = "", .group = SL_GROUP_CONDITIONAL,
    .help = "How fast the means and variances that evaluation uses follow those of the training "
            "batches, per update. If it is too slow, they are those of an older network.",
    .source = "not given", .kind = SL_REAL, .lo = 0.001, .hi = 1, .step = 0.01, .fallback = 0.05,
    .logarithmic = true, .effect = SL_LIVE },
  [P_EPSILON] = {
    .id = "epsilon", .title = "ε of the variance", .unit = "", .group = SL_GROUP_CONDITIONAL,
    .help = "Avoids a division by zero for a gate that never varies: it gets y = s, off for s up "
            "to 0 and always on above.",
    .formula = "y = (v − μ) ÷ √(σ² + ε) + s",
    .source = "not given", .kind = SL_REAL, .lo = 1e-8, .hi = 0.1, .step = 1e-5, .fallback = 1e-5,
    .logarithmic = true, .effect = SL_LIVE },
  [P_TWIN] = {
    .id = "twin", .title = "Train a dense baseline", .unit = "", .group = SL_GROUP_CONDITIONAL,
    .help = "An ordinary network of the same size learns from the same text at the same time. It "
            "shows how many bits copying costs; training takes several times as long.",
    .source = "", .kind = SL_BOOLEAN, .fallback = 0, .effect = SL_RESTART },
  [P_RATE] = {
    .id = "learning-rate", .title = "Learning rate", .unit = "", .group = SL_GROUP_TRAINING,
    .help = "Size of an update of Adam. If it is too large, the loss is no longer finite; if it "
            "is too small, nothing is learned.",
    .source = "Davis 2016, §4.4: 1e-3; we start higher so that words come sooner",
    .kind = SL_REAL, .lo = 1e-6, .hi = 1, .step = 1e-4, .fallback = 2e-3, .logarithmic = true,
    .effect = SL_LIVE },
  [P_CLIP] = {
    .id = "clip", .title = "Longest gradient", .unit = "", .group = SL_GROUP_TRAINING,
    .help = "A longer gradient is scaled down to this length. Recurrent networks sometimes have "
            "very large gradients, and a single one would undo what was learned.",
    .source = "not given", .kind = SL_REAL, .lo = 0.01, .hi = 1000, .step = 0.1, .fallback = 1,
    .logarithmic = true, .effect = SL_LIVE },
  [P_BATCH] = {
    .id = "batch", .title = "Streams", .unit = "", .group = SL_GROUP_TRAINING,
    .help = "Places of the text that are read at once. The gates are normalised over them, so at "
            "least two are needed; eight or more are better.",
    .source = "Davis 2016, §4.4: 64", .kind = SL_INTEGER, .lo = 2, .hi = 256, .step = 1,
    .fallback = 64, .logarithmic = true, .effect = SL_RESTART },
  [P_LENGTH] = {
    .id = "length", .title = "Letters per update", .unit = "", .group = SL_GROUP_TRAINING,
    .help = "How far back the gradient goes. States are carried on beyond it, gradients are not.",
    .source = "Davis 2016, §4.4: 50", .kind = SL_INTEGER, .lo = 1, .hi = 128, .step = 1,
    .fallback = 32, .logarithmic = true, .effect = SL_RESTART },
  [P_RESET] = {
    .id = "reset", .title = "Forget every", .unit = "updates", .group = SL_GROUP_TRAINING,
    .help = "Updates after which the state of a stream begins at 0 again, one stream after the "
            "other; at the end of the text all do. So the network also learns to begin from "
            "nothing.",
    .source = "Davis 2016, §4.4: 1000, all at once", .kind = SL_INTEGER, .lo = 1, .hi = 1e6,
    .step = 10, .fallback = 100, .logarithmic = true, .effect = SL_LIVE },
  [P_LAYERS] = {
    .id = "layers", .title = "Layers", .unit = "", .group = SL_GROUP_MODEL,
    .help = "Recurrent layers on top of each other. The second reads what the first remembers.",
    .source = "Davis 2016, §4.4: 2", .kind = SL_INTEGER, .lo = 1, .hi = SL_GRU_LAYERS, .step = 1,
    .fallback = 1, .effect = SL_RESTART, .one = "layer" },
  [P_UNITS] = {
    .id = "units", .title = "Units", .unit = "", .group = SL_GROUP_MODEL,
    .help = "Units of each layer. Wide layers predict better, and more of their work can be "
            "saved.",
    .source = "Davis 2016, §4.4: 1024", .kind = SL_INTEGER, .lo = 4, .hi = 2048, .step = 16,
    .fallback = 256, .logarithmic = true, .effect = SL_RESTART },
  [P_REPORT] = SL_PARAM_REPORT,
  [P_EVALUATE] = SL_PARAM_EVALUATE,
  [P_LETTERS] = {
    .id = "evaluate-letters", .title = "Evaluate on", .unit = "letters",
    .group = SL_GROUP_MEASURING,
    .help = "Validation letters in each such evaluation. The final scores always use whole "
            "splits.",
    .source = "", .kind = SL_INTEGER, .lo = 16, .hi = 1e7, .step = 1000, .fallback = 10000,
    .logarithmic = true, .effect = SL_LIVE },
  [P_TEMPERATURE] = {
    .id = "temperature", .title = "Temperature of samples", .unit = "",
    .group = SL_GROUP_MEASURING,
    .help = "How random the network's sample is. At 1 letters are drawn by the network's own "
            "probabilities; a lower value is more careful and repeats itself.",
    .source = "", .kind = SL_REAL, .lo = 0.1, .hi = 2, .step = 0.1, .fallback = 0.8,
    .effect = SL_LIVE },
};
/* clang-format on */

static const SlTrace density_traces[] = {
  [T_TRAIN]
  = { "train", "training", "%", "Share of the gates that are on, normalised by their batch.",
      SL_MEASURED, "layers" },
  [T_VALID] = { "valid", "validation", "%",
                "The same on validation letters, by the statistics followed: what a deployed "
                "network would do.",
                SL_MEASURED, "layers" },
  [T_NORMAL] = { "normal", "Φ(s)", "%", "What a normal distribution of the gates would give.",
                 SL_THEORY, NULL },
  [T_RECTIFIED]
  = { "rectified", "rectified normal", "%",
      "The same for a rectified normal distribution, as behind the rectifier.", SL_THEORY, NULL },
};

static const SlTrace bits_traces[] = {
  [T_BITS_TRAIN] = { "train", "training", "bits", "On the training letters since the last report.",
                     SL_MEASURED, NULL },
  [T_BITS_VALID]
  = { "valid", "validation", "bits", "On the validation letters.", SL_MEASURED, NULL },
  [T_BITS_TWIN] = { "twin", "dense baseline, training", "bits",
                    "The dense baseline on the same letters.", SL_REFERENCE, NULL },
  [T_UNIFORM] = { "uniform", "any letter alike", "bits",
                  "The logarithm of the number of symbols: 4.755 for 27.", SL_REFERENCE, NULL },
  [T_ONE] = { "one", "frequencies of letters", "bits",
              "With the frequency of each letter in the training text.", SL_REFERENCE, NULL },
  [T_TWO]
  = { "two", "of pairs", "bits", "With the frequencies of pairs of letters.", SL_REFERENCE, NULL },
  [T_THREE] = { "three", "of triples", "bits", "With the frequencies of triples of letters.",
                SL_REFERENCE, NULL },
};

static const SlTrace speed_traces[] = {
  { "speed-up", "speed-up over dense", "×",
    "Time of the dense baseline ÷ time of the network, for one letter of each text.", SL_MEASURED,
    NULL },
};
static const char *const speed_categories[]
  = { "timed, batch 1", "timed, batch 64", "bound", "published, 1024 units", NULL };

static const SlTrace sample_traces[] = {
  { "on", "units on", "%", "Share of the units computed for this letter.", SL_MEASURED, NULL },
};

static const SlTrace cost_traces[] = {
  [T_EXECUTED] = { "executed", "executed", "% of dense",
                   "Multiplications counted in training: the gates, the units that they switched "
                   "on and the output.",
                   SL_MEASURED, NULL },
  [T_DENSE] = { "dense", "dense", "% of dense", "The ordinary network.", SL_REFERENCE, NULL },
};

static const SlTrace gate_traces[] = {
  { "z", "gate", "", "How far a unit moves to its new state: 0 copies.", SL_MEASURED, NULL },
};

static const SlTrace copy_traces[] = {
  { "runs", "runs", "%", "Share of the runs of copies that have this length.", SL_MEASURED,
    "layers" },
};

static const SlTrace strength_traces[] = {
  { "strength", "mean gate", "", "Mean of the gates that are on.", SL_MEASURED, "layers" },
};

static const SlTrace stuck_traces[] = {
  [T_OFF] = { "off", "never on", "%", "Gates that no validation letter switched on.", SL_MEASURED,
              "layers" },
  [T_ON] = { "on", "always on", "%", "Gates that every validation letter switched on.", SL_MEASURED,
             "layers" },
};

#define UPDATES                                                                                    \
  {                                                                                                \
    .label = "update", .unit = ""                                                                  \
  }
#define PERCENT(name)                                                                              \
  {                                                                                                \
    .label = name, .unit = "%"                                                                     \
  }
#define TRACES(of) .traces = of, .n_traces = sizeof of / sizeof *of

/* clang-format off */
const SlPanel sl_recurrence_panels[N_PANELS] = {
  [V_DENSITY] = {
    .id = "density", .title = "Gates on",
    .help = "Share of the gates that are on: in training, on validation letters with the "
            "statistics that a deployed network has, and as s alone predicts. The first two "
            "should agree; otherwise the network does something else in use than in training.",
    .formula = "normal: Φ (s);  rectified blocks: 1 − Φ (m − s · sd), m = 0.399, sd = 0.584 in "
               "units of sd (ℓ)",
    .source = "Davis 2016, fig. 4.3; the readings of eq. 4.7 in the notes", .kind = SL_SERIES,
    .x = UPDATES, .y = PERCENT ("fraction on"), TRACES (density_traces) },
  [V_BITS] = {
    .id = "bits", .title = "Bits per letter",
    .help = "How many bits the network needs for the next letter. The lines need no reading: they "
            "know the alphabet, or the frequencies of letters, pairs and triples.",
    .formula = "−mean log₂ p (next letter);  27 letters alike: log₂ 27 = 4.755",
    .source = "Davis 2016, figs. 4.4 to 4.7", .kind = SL_SERIES, .x = UPDATES,
    .y = { .label = "bits per letter", .unit = "" }, TRACES (bits_traces) },
  [V_SPEED] = {
    .id = "speed", .title = "Speed-up",
    .help = "Measured speed of the network against a dense one of the same size on this machine, "
            "for one text and for 64; the bound that counting multiplications gives; and what was "
            "published for the nearest s and g at 1024 units.",
    .formula = "bound: 6 h (d + h) ÷ (2 g (d + h) + 2 g h + 4 α h (d + h)), for blocks without 2 "
               "g h",
    .source = "Davis 2016, tables 4.2 and 4.4", .kind = SL_BARS,
    .x = { .label = "", .unit = "" }, .y = { .label = "times faster than dense", .unit = "×" },
    .categories = speed_categories, .probe_seconds = 3, TRACES (speed_traces) },
  [V_SAMPLE] = {
    .id = "sample", .title = "What it writes",
    .help = "Letters drawn from the network, and under each letter the share of the units of "
            "every layer that were computed to choose the next one.",
    .source = "", .kind = SL_HEATMAP, .x = { .label = "", .unit = "" },
    .y = { .label = "layer", .unit = "" }, .z = { .label = "units on", .unit = "%" },
    .zero = "none", .probe_seconds = 2, TRACES (sample_traces) },
  [V_COST] = {
    .id = "cost", .title = "Cost",
    .help = "Multiplications of the forward pass in training against the dense network's. The "
            "backward pass skips the same units.",
    .formula = "dense 6 h (d + h);  unit by unit 2 g (d + h) + 2 g h + 4 α h (d + h);  blocks 2 "
               "g (d + h) + 4 α h (d + h)",
    .source = "", .kind = SL_SERIES, .x = UPDATES,
    .y = { .label = "of dense", .unit = "%" }, TRACES (cost_traces) },
  [V_GATES] = {
    .id = "gates-over-text", .title = "Gates over text",
    .help = "Which letter switches on which unit: a row for each gate (64 at most of a layer), a "
            "column for each letter of the validation text. Hatched is off: the units copy.",
    .source = "", .kind = SL_HEATMAP, .x = { .label = "", .unit = "" },
    .y = { .label = "gate", .unit = "" }, .z = { .label = "z", .unit = "", .lo = 0, .hi = 1 },
    .zero = "copied", .probe_seconds = 2, TRACES (gate_traces) },
  [V_COPIES] = {
    .id = "copies", .title = "Length of copies",
    .help = "For how many letters in a row a gate stays off, over validation letters. While a "
            "gate is off, its units remember at no cost.",
    .formula = "z = 0: h′ = h",
    .source = "", .kind = SL_PROFILE,
    .x = { .label = "letters in a row", .unit = "", .logarithmic = true },
    .y = PERCENT ("runs"), .probe_seconds = 3, TRACES (copy_traces) },
  [V_STRENGTH] = {
    .id = "strength", .title = "Strength of gates",
    .help = "Mean of the gates that are on, on validation letters. It is always below 1: a state "
            "is never replaced completely.",
    .source = "", .kind = SL_SERIES, .x = UPDATES, .y = { .label = "mean gate", .unit = "" },
    TRACES (strength_traces) },
  [V_STUCK] = {
    .id = "stuck", .title = "Stuck gates",
    .help = "Gates that were off for every validation letter, and gates that were always on. The "
            "first are lost to the network, the second save nothing.",
    .source = "", .kind = SL_SERIES, .x = UPDATES, .y = PERCENT ("of the gates"),
    TRACES (stuck_traces) },
  [V_DISTANCE] = SL_PANEL_DISTANCE,
};
/* clang-format on */
