/* SPDX-License-Identifier: MIT
 *
 * The panels of the lab `experts`, in words.  */
#include "core/lab/kit/panels.h"
#include "core/labs/experts/tables.h"

static const SlTrace usage_traces[] = {
  { "load", "load", "× even", "Examples since the last report, as a multiple of an even share.",
    SL_MEASURED, "experts" },
};

static const SlTrace cv_traces[] = {
  [T_CV_IMPORTANCE]
  = { "importance", "importance", "",
      "CV of the sums of gate values of a batch, mean since the last report.", SL_MEASURED, NULL },
  [T_CV_LOAD] = { "load", "load, smooth", "",
                  "The same for the smooth estimate of the load, which the load loss uses.",
                  SL_MEASURED, NULL },
  [T_CV_HARD] = { "hard", "load, counted", "",
                  "The same for the examples that experts really "
                  "got.",
                  SL_MEASURED, NULL },
  [T_CV_FLOOR]
  = { "floor", "chance alone", "",
      "What choosing k of n by chance would show: √((1 − k/n) ÷ (B k/n)).", SL_THEORY, NULL },
  [T_CV_COLLAPSE]
  = { "collapse", "always the same k", "", "Full collapse: √(n/k − 1).", SL_REFERENCE, NULL },
};

static const SlTrace peak_traces[] = {
  [T_PEAK_LOAD] = { "load", "smooth", "× mean", "Largest ÷ mean of the smooth load of a batch.",
                    SL_MEASURED, NULL },
  [T_PEAK_HARD] = { "hard", "counted", "× mean", "Largest ÷ mean of the examples of a batch.",
                    SL_MEASURED, NULL },
  [T_PEAK_COLLAPSE]
  = { "collapse", "always the same k", "× mean", "Full collapse: n/k.", SL_REFERENCE, NULL },
};

static const SlTrace effective_traces[] = {
  [T_EFFECTIVE]
  = { "effective", "effective", "",
      "exp of the entropy of the loads: as many experts with equal loads would have this entropy.",
      SL_MEASURED, NULL },
  [T_USED]
  = { "used", "used", "", "Experts with any example since the last report.", SL_MEASURED, NULL },
  [T_THERE] = { "there", "there are", "", "All experts.", SL_REFERENCE, NULL },
};

static const SlTrace error_traces[] = {
  [T_TRAIN]
  = { "train", "train, with noise", "%",
      "Wrong predictions on the training batches since the last report.", SL_MEASURED, NULL },
  [T_VALID] = { "valid", "validation", "%",
                "Wrong predictions on the validation examples, without noise.", SL_MEASURED, NULL },
};

static const SlTrace loss_traces[] = {
  [T_TASK] = { "task", "cross entropy", "nats",
               "Mean cross entropy of the batches since the last report.", SL_MEASURED, NULL },
  [T_IMPORTANCE]
  = { "importance", "importance", "nats", "w CV² of the importance.", SL_MEASURED, NULL },
  [T_LOAD] = { "load", "load", "nats", "w CV² of the smooth load.", SL_MEASURED, NULL },
  [T_BATCHWISE]
  = { "threshold", "thresholds", "nats",
      "Strictly balanced gate: the difference between the two masks.", SL_MEASURED, NULL },
};

static const SlTrace entropy_traces[] = {
  [T_ENTROPY] = { "entropy", "gate entropy", "bits",
                  "How evenly an example spreads over the experts it chose.", SL_MEASURED, NULL },
  [T_ENTROPY_MOST] = { "most", "most possible", "bits", "log₂ k.", SL_REFERENCE, NULL },
  [T_INFORMATION] = { "information", "expert tells class", "",
                      "Mutual information of expert and class ÷ entropy of the class, validation "
                      "examples: 1 when the expert determines the class.",
                      SL_MEASURED, NULL },
};

static const SlTrace noise_traces[] = {
  { "sigma", "mean σ", "", "Mean noise scale; it begins at ln 2 + the least σ.", SL_MEASURED,
    NULL },
};

static const SlTrace cost_traces[] = {
  [T_EXPECTED] = { "expected", "expected", "% of dense",
                   "By the probabilities P of each choice, gates included.", SL_THEORY, NULL },
  [T_EXECUTED] = { "executed", "executed", "% of dense", "Multiplications counted, gates included.",
                   SL_MEASURED, NULL },
  [T_DENSE] = { "dense", "dense, same parameters", "% of dense", "All experts for every example.",
                SL_REFERENCE, NULL },
  [T_SHARE] = { "share", "k/n", "% of dense", "The experts alone, if gates cost nothing.",
                SL_REFERENCE, NULL },
};

static const SlTrace speed_traces[] = {
  [T_SAME_PARAMETERS] = { "parameters", "against the same parameters", "×",
                          "Time of a dense layer with all the experts' units ÷ time of this layer.",
                          SL_MEASURED, NULL },
  [T_SAME_WORK] = { "work", "against the same multiplications", "×",
                    "Time of a dense layer with as many multiplications ÷ time of this layer.",
                    SL_REFERENCE, NULL },
};
static const char *const speed_categories[] = { "batch 1", "batch 64", "batch 1024", NULL };

static const SlTrace why_traces[] = {
  [T_WATCHED] = { "watched", "expert looked at", "%", "Share of the examples with this margin.",
                  SL_MEASURED, NULL },
  [T_BUSIEST] = { "busiest", "busiest expert", "%",
                  "The same for the expert with the most "
                  "examples.",
                  SL_REFERENCE, NULL },
};

static const SlTrace classes_traces[] = {
  { "share", "share", "", "Share of the expert's examples that have the class.", SL_MEASURED,
    NULL },
};

static const SlTrace memory_traces[] = {
  [T_AS_SET] = { "set", "as set", "MB", "With these settings.", SL_MEASURED, NULL },
  [T_PLAIN]
  = { "plain", "plain Adam", "MB", "Full moments, and activations kept.", SL_REFERENCE, NULL },
};
static const char *const memory_categories[]
  = { "weights", "gradient", "moments", "activations", NULL };

static const SlTrace agreement_traces[] = {
  [T_SAME]
  = { "same", "same without noise", "%",
      "Noisy gate: training examples whose experts the noise did not change.", SL_MEASURED, NULL },
  [T_AGREES] = { "agreement", "masks agree", "%",
                 "Balanced gate: pairs of example and expert on which the batch and the "
                 "thresholds agree.",
                 SL_MEASURED, NULL },
  [T_EMPTY] = { "empty", "without expert", "%",
                "Balanced gate: training examples that no expert took.", SL_MEASURED, NULL },
};

#define UPDATES SL_AXIS_UPDATES
#define TRACES(of) .traces = of, .n_traces = sizeof of / sizeof *of
#define EXPERTS                                                                                    \
  {                                                                                                \
    .label = "expert", .unit = ""                                                                  \
  }

/* clang-format off */
const SlPanel sl_experts_panels[N_PANELS] = {
  [V_USAGE] = {
    .id = "usage", .title = "Use of the experts",
    .help = "Examples of each expert over time, relative to an even share: 1 is balanced, 2 is "
            "twice the even share, hatched is none. Set both loss weights to 0 and begin anew to "
            "see collapse; click a row to see why an expert is used or not.",
    .formula = "Loadᵢ ÷ mean (Load), in examples counted",
    .source = "", .kind = SL_HISTORY, .x = UPDATES, .y = EXPERTS,
    .z = { .label = "load ÷ even share", .unit = "", .lo = 0, .hi = 3 }, .centre = 1,
    .zero = "dead", .picks = "expert", TRACES (usage_traces) },
  [V_CV] = {
    .id = "cv", .title = "Imbalance (CV)",
    .help = "Spread of importance and load over the experts, standard deviation ÷ mean, of single "
            "batches. Random choices are never quite even either: the lower line is what chance "
            "alone gives, the upper line is full collapse.",
    .formula = "CV = standard deviation ÷ mean;  collapse: √(n ÷ k − 1);  chance alone: √((1 − k "
               "÷ n) ÷ (B k ÷ n))",
    .source = "Shazeer et al. 2017, table 6", .kind = SL_SERIES, .x = UPDATES,
    .y = { .label = "CV over the experts", .unit = "", .logarithmic = true }, TRACES (cv_traces) },
  [V_ERROR] = {
    .id = "error", .title = "Error",
    .help = "Wrong predictions in training and on validation examples. At this size an uneven "
            "load hardly hurts the error: the published 39.8 against 35.6 perplexity needs far "
            "more experts and data.",
    .source = "Shazeer et al. 2017, table 6", .kind = SL_SERIES, .x = UPDATES,
    .y = { .label = "wrong predictions", .unit = "%", .logarithmic = true },
    TRACES (error_traces) },
  [V_PEAK] = {
    .id = "peak", .title = "Largest load",
    .help = "Load of the busiest expert relative to the mean, of single batches. Where each "
            "expert has a machine of its own, all others wait for this one.",
    .formula = "max (Load) ÷ mean (Load);  collapse: n ÷ k",
    .source = "Shazeer et al. 2017, table 6", .kind = SL_SERIES, .x = UPDATES,
    .y = { .label = "largest ÷ mean load", .unit = "", .logarithmic = true },
    TRACES (peak_traces) },
  [V_EFFECTIVE] = {
    .id = "effective", .title = "Effective experts",
    .help = "How many experts are in use, counted and weighted by their load. The parameters of "
            "the others cost memory and are not used.",
    .formula = "exp (entropy of Load ÷ Σ Load)",
    .source = "", .kind = SL_SERIES, .x = UPDATES, .y = { .label = "experts", .unit = "" },
    TRACES (effective_traces) },
  [V_SHARES] = {
    .id = "shares", .title = "Shares",
    .help = "Each expert's share of all the work. Even bands are a balanced load; in a collapse a "
            "few bands push the others out.",
    .source = "", .kind = SL_SHARES, .x = UPDATES,
    .y = { .label = "share of the load", .unit = "%", .lo = 0, .hi = 100 }, .of = "usage",
    .picks = "expert" },
  [V_WHY] = {
    .id = "why", .title = "Why is this expert (not) used?",
    .help = "By how many σ of the noise the expert is above, or below, the threshold of being "
            "chosen, over validation examples without noise. The load loss pulls with φ of this "
            "margin: beyond three σ nothing is left of it, and the expert is used again only if "
            "the thresholds fall. With the balanced gate: gate value minus learned threshold.",
    .formula = "(cᵢ − tᵢ) ÷ σᵢ, without noise",
    .source = "Shazeer et al. 2017, appendix A", .kind = SL_PROFILE,
    .x = { .label = "margin to the threshold", .unit = "σ or gate value" },
    .y = { .label = "share of the examples", .unit = "%" }, TRACES (why_traces),
    .probe_seconds = 1 },
  [V_CLASSES] = {
    .id = "classes", .title = "Who gets which class",
    .help = "Share of each class among an expert's validation examples. Rows with one strong cell "
            "are specialists; a row that is hatched throughout belongs to an unused expert.",
    .formula = "share of class c among the examples of expert i",
    .source = "", .kind = SL_HEATMAP, .x = { .label = "class", .unit = "" }, .y = EXPERTS,
    .z = { .label = "share", .unit = "" },
    .zero = "none", .picks = "expert", TRACES (classes_traces), .probe_seconds = 2 },
  [V_ENTROPY] = {
    .id = "entropy", .title = "Sharpness of the gate",
    .help = "Entropy of an example's gate values: 0 when one expert has all the weight, log₂ k "
            "when all have the same. The other curve shows how much the expert tells about the "
            "class.",
    .formula = "−Σᵢ Gᵢ log₂ Gᵢ;  at most log₂ k",
    .source = "", .kind = SL_SERIES, .x = UPDATES, .y = { .label = "bits; share", .unit = "" },
    TRACES (entropy_traces) },
  [V_NOISE] = {
    .id = "noise", .title = "Noise of the gate",
    .help = "The gate learns the scale of its noise. When σ falls, choices become fixed, and "
            "experts that were left out are no longer tried.",
    .formula = "σ = softplus (x W_noise);  ln 2 = 0.693 at first",
    .source = "Shazeer et al. 2017, §2.1", .kind = SL_SERIES, .x = UPDATES,
    .y = { .label = "σ", .unit = "", .logarithmic = true }, .needs = "gate=noisy",
    TRACES (noise_traces) },
  [V_LOSS] = {
    .id = "loss", .title = "Loss",
    .help = "The parts of the training loss: cross entropy of the task, and the costs of uneven "
            "importance and load.",
    .formula = "task + w_importance CV² (Importance) + w_load CV² (Load)",
    .source = "Shazeer et al. 2017, §4", .kind = SL_SERIES, .x = UPDATES,
    .y = { .label = "loss", .unit = "nats", .logarithmic = true }, TRACES (loss_traces) },
  [V_COST] = {
    .id = "cost", .title = "Cost",
    .help = "Multiplications of this layer for one example relative to a dense layer with the "
            "same parameters. The difference to k/n is what choosing costs.",
    .formula = "k · 2 · d · hidden + 2 · d · n, of n · 2 · d · hidden",
    .source = "Shazeer et al. 2017, §3", .kind = SL_SERIES, .x = UPDATES,
    .y = { .label = "multiplications", .unit = "% of dense", .lo = 0, .hi = 100 },
    TRACES (cost_traces) },
  [V_SPEED] = {
    .id = "speed", .title = "Measured speed",
    .help = "Time of this layer's forward pass on this machine against two dense layers. The "
            "layer with the same parameters shows what skipping saves; the one with the same "
            "multiplications shows what choosing and gathering cost.",
    .source = "timed here", .kind = SL_BARS, .x = { .label = "", .unit = "" },
    .y = { .label = "speed-up over dense", .unit = "×", .lo = 0, .hi = 1 }, TRACES (speed_traces),
    .categories = speed_categories, .probe_seconds = 4 },
  [V_MEMORY] = {
    .id = "memory", .title = "Memory",
    .help = "Bytes that training this layer needs, as set and with plain Adam. Factored moments "
            "and recomputed activations are how the published model fits billions of parameters.",
    .source = "Shazeer et al. 2017, appendix D", .kind = SL_BARS, .x = { .label = "", .unit = "" },
    .y = { .label = "memory", .unit = "MB" }, TRACES (memory_traces),
    .categories = memory_categories, .probe_seconds = 2 },
  [V_AGREEMENT] = {
    .id = "agreement", .title = "Are the choices those of training?",
    .help = "Training chooses with noise, or for a whole batch at once; a deployed network "
            "chooses without noise, one example at a time. Where the two differ, the experts are "
            "trained for other examples than they will get.",
    .source = "Shazeer et al. 2017, §2.1 and appendix F", .kind = SL_SERIES, .x = UPDATES,
    .y = { .label = "choices", .unit = "%", .lo = 0, .hi = 100 }, TRACES (agreement_traces) },
  [V_MAP] = SL_PANEL_MAP (false),
};
/* clang-format on */
