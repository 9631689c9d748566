/* SPDX-License-Identifier: MIT
 *
 * The panels of the lab `experts`, in words.  */
#include "core/lab/kit/panels.h"
#include "core/labs/experts/tables.h"

/* clang-format off */
const SlPanel sl_experts_panels[N_PANELS] = {
  [V_USAGE] = { .id = "usage", .title = "Use of the experts",
    .group = SL_SHOWS_WORK,
    .kind = SL_HISTORY, .y = { "expert" },
    .z = { "load ÷ even share", .lo = 0, .hi = 3 }, .centre = 1, .zero = "dead", .picks = "expert",
    .help = "Examples of each expert over time, relative to an even share: 1 is balanced, 2 is "
            "twice the even share, hatched is none. Set both loss weights to 0 and restart the run "
            "to see collapse; click a row to see in the plot of margins why an expert is used or "
            "not.",
    .formula = "Loadᵢ ÷ mean (Load), in examples counted",
    SL_TRACES ({ "load", "load", "× even",
      "Examples since the last report, as a multiple of an even share.", SL_MEASURED,
      "experts" }) },
  [V_CV] = { .id = "cv", .title = "Imbalance (CV)", .group = SL_SHOWS_WORK, .kind = SL_SERIES,
    .y = { "CV over the experts", .logarithmic = true },
    .help = "Spread of importance and load over the experts, standard deviation ÷ mean, of single "
            "batches. The load of random choices is not exactly even either: the lower line is the "
            "CV of random choices, the upper line is full collapse.",
    .formula = "CV = standard deviation ÷ mean;  collapse: √(n ÷ k − 1);  random choice: √((1 − k "
               "÷ n) ÷ (B k ÷ n))",
    .source = "Shazeer et al. 2017, table 6",
    SL_TRACES (
      [T_CV_IMPORTANCE] = { "importance", "importance", "",
        "CV of the sums of gate values of a batch, mean since the last report." },
      [T_CV_LOAD] = { "load", "load, smooth", "",
        "The same for the smooth estimate of the load, which the load loss uses." },
      [T_CV_HARD] = { "hard", "load, counted", "",
        "The same for the examples that experts really got." },
      [T_CV_FLOOR] = { "floor", "random choice", "",
        "CV if k of n experts were chosen at random: √((1 − k/n) ÷ (B k/n)).", SL_THEORY },
      [T_CV_COLLAPSE] = { "collapse", "always the same k", "", "Full collapse: √(n/k − 1).",
        SL_REFERENCE }) },
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
        "Wrong predictions on the validation examples, without noise." }) },
  [V_PEAK] = { .id = "peak", .title = "Largest load", .group = SL_SHOWS_WORK, .kind = SL_SERIES,
    .y = { "largest ÷ mean load", .logarithmic = true },
    .help = "Load of the busiest expert relative to the mean, of single batches. Where each expert "
            "has a machine of its own, all others wait for this one.",
    .formula = "max (Load) ÷ mean (Load);  collapse: n ÷ k",
    .source = "Shazeer et al. 2017, table 6",
    SL_TRACES (
      [T_PEAK_LOAD] = { "load", "smooth", "× mean",
        "Largest ÷ mean of the smooth load of a batch." },
      [T_PEAK_HARD] = { "hard", "counted", "× mean", "Largest ÷ mean of the examples of a batch." },
      [T_PEAK_COLLAPSE] = { "collapse", "always the same k", "× mean", "Full collapse: n/k.",
        SL_REFERENCE }) },
  [V_EFFECTIVE] = { .id = "effective", .title = "Effective experts",
    .group = SL_SHOWS_WORK,
    .kind = SL_SERIES,
    .y = { "experts", .whole = true },
    .help = "How many experts are in use, counted and weighted by their load. The parameters of "
            "the others cost memory and are not used.",
    .formula = "exp (entropy of Load ÷ Σ Load)",
    SL_TRACES (
      [T_EFFECTIVE] = { "effective", "effective", "",
        "exp of the entropy of the loads: as many experts with equal loads would have this "
        "entropy." },
      [T_USED] = { "used", "used", "", "Experts with any example since the last report." },
      [T_THERE] = { "there", "all experts", "", "Number of experts.", SL_REFERENCE }) },
  [V_SHARES] = { .id = "shares", .title = "Shares", .group = SL_SHOWS_WORK, .kind = SL_SHARES,
    .y = { "share of the load", "%", .lo = 0, .hi = 100 }, .of = "usage", .picks = "expert",
    .help = "Each expert's share of all the work. Even bands are a balanced load; in a collapse a "
            "few bands fill the plot." },
  [V_WHY] = { .id = "why", .title = "Margin of the selected expert",
    .group = SL_SHOWS_GATE,
    .kind = SL_PROFILE,
    .x = { "margin to the threshold", "σ" }, .y = { "share of the examples", "%" },
    .needs = "gate=noisy", .probe_seconds = 1,
    .help = "By how many σ of the noise the expert is above, or below, the threshold of being "
            "chosen, over validation examples without noise. The gradient of the load loss is "
            "proportional to φ of this margin: beyond three σ it is nearly 0, and the expert is "
            "used again only if the thresholds fall. What is farther than 20 σ stands at the edges of "
            "the plot.",
    .formula = "(cᵢ − tᵢ) ÷ σᵢ, without noise", .source = "Shazeer et al. 2017, appendix A",
    SL_TRACES (
      [T_WATCHED] = { "watched", "selected expert", "%",
        "Share of the examples with this margin." },
      [T_BUSIEST] = { "busiest", "busiest expert", "%",
        "The same for the expert with the most examples.", SL_REFERENCE }) },
  [V_WHY_VALUE] = { .id = "why-value", .title = "Margin of the selected expert",
    .group = SL_SHOWS_GATE,
    .kind = SL_PROFILE, .x = { "gate value above the threshold" },
    .y = { "share of the examples", "%" }, .needs = "gate=balanced", .probe_seconds = 1,
    .help = "How far the gate value of the expert is above, or below, its learned threshold, over "
            "validation examples. An expert that no example reaches lowers its threshold.",
    .formula = "gᵢ − Tᵢ", .source = "Shazeer et al. 2017, appendix F",
    SL_TRACES (
      [T_WATCHED] = { "watched", "selected expert", "%",
        "Share of the examples with this margin." },
      [T_BUSIEST] = { "busiest", "busiest expert", "%",
        "The same for the expert with the most examples.", SL_REFERENCE }) },
  [V_CLASSES] = { .id = "classes", .title = "Classes of each expert",
    .group = SL_SHOWS_WORK,
    .kind = SL_HEATMAP,
    .x = { "class" }, .y = { "expert" }, .z = { "share" }, .zero = "none", .picks = "expert",
    .probe_seconds = 2,
    .help = "Share of each class among an expert's validation examples. Rows with one strong cell "
            "are specialists; a row that is hatched throughout belongs to an unused expert.",
    .formula = "share of class c among the examples of expert i",
    SL_TRACES ({ "share", "share", "", "Share of the expert's examples that have the class." }) },
  [V_ENTROPY] = { .id = "entropy", .title = "Sharpness of the gate",
    .group = SL_SHOWS_GATE,
    .kind = SL_SERIES,
    .y = { "entropy", "bits" },
    .help = "Entropy of an example's gate values: 0 when one expert has all the weight, log₂ k "
            "when all have the same.",
    .formula = "−Σᵢ Gᵢ log₂ Gᵢ;  at most log₂ k",
    SL_TRACES (
      [T_ENTROPY] = { "entropy", "gate entropy", "bits",
        "How evenly an example spreads over the experts it chose." },
      [T_ENTROPY_MOST] = { "most", "maximum", "bits", "log₂ k.", SL_REFERENCE }) },
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
  [V_NOISE] = { .id = "noise", .title = "Noise of the gate",
    .group = SL_SHOWS_GATE,
    .kind = SL_SERIES,
    .y = { "σ", .logarithmic = true }, .needs = "gate=noisy",
    .help = "The gate learns the scale of its noise. When σ falls, choices become fixed, and "
            "experts that were left out are no longer tried.",
    .formula = "σ = softplus (x W_noise);  ln 2 = 0.693 at first",
    .source = "Shazeer et al. 2017, §2.1",
    SL_TRACES ({ "sigma", "mean σ", "", "Mean noise scale; it begins at ln 2 + the least σ." }) },
  [V_LOSS] = { .id = "loss", .title = "Loss", .group = SL_SHOWS_QUALITY, .kind = SL_SERIES,
    .y = { "loss", "nats", .logarithmic = true },
    .help = "The parts of the training loss: cross entropy of the task, and the costs of uneven "
            "importance and load.",
    .formula = "task + w_importance CV² (Importance) + w_load CV² (Load)",
    .source = "Shazeer et al. 2017, §4",
    SL_TRACES (
      [T_TASK] = { "task", "cross entropy", "nats",
        "Mean cross entropy of the batches since the last report." },
      [T_IMPORTANCE] = { "importance", "importance", "nats", "w CV² of the importance." },
      [T_LOAD] = { "load", "load", "nats", "w CV² of the smooth load." },
      [T_BATCHWISE] = { "threshold", "thresholds", "nats",
        "Strictly balanced gate: the difference between the two masks." }) },
  [V_COST] = { .id = "cost", .title = "Cost", .group = SL_SHOWS_COST, .kind = SL_SERIES,
    .y = { "multiplications", "% of dense", .lo = 0, .hi = 100 },
    .help = "Multiplications of this layer for one example relative to a dense layer with the same "
            "parameters. The difference to k/n is what choosing costs.",
    .formula = "k · 2 · d · hidden + 2 · d · n, of n · 2 · d · hidden",
    .source = "Shazeer et al. 2017, §3",
    SL_TRACES (
      [T_EXPECTED] = { "expected", "expected", "% of dense",
        "By the probabilities P of each choice, gates included.", SL_THEORY },
      [T_EXECUTED] = { "executed", "executed", "% of dense",
        "Multiplications counted, gates included." },
      [T_DENSE] = { "dense", "dense, same parameters", "% of dense",
        "All experts for every example.", SL_REFERENCE },
      [T_SHARE] = { "share", "k/n", "% of dense", "The experts alone, if gates cost nothing.",
        SL_REFERENCE }) },
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
  [V_MEMORY] = { .id = "memory", .title = "Memory",
    .group = SL_SHOWS_COST,
    .kind = SL_BARS, .y = { "memory", "MB" },
    .categories = SL_NAMES ("weights", "gradient", "moments", "activations"), .probe_seconds = 2,
    .help = "Bytes that training this layer needs, as set and with plain Adam. Factored moments "
            "and recomputed activations are how the published model fits billions of parameters.",
    .source = "Shazeer et al. 2017, appendix D",
    SL_TRACES (
      [T_AS_SET] = { "set", "as set", "MB", "With these settings." },
      [T_PLAIN] = { "plain", "plain Adam", "MB", "Full moments, and activations kept.",
        SL_REFERENCE }) },
  [V_AGREEMENT] = { .id = "agreement", .title = "Choices in training and in use",
    .group = SL_SHOWS_GATE,
    .kind = SL_SERIES, .y = { "choices", "%", .lo = 0, .hi = 100 },
    .help = "Training chooses with noise, or for a whole batch at once; a deployed network chooses "
            "without noise, one example at a time. Where the two differ, the experts are trained "
            "for other examples than they will get.",
    .source = "Shazeer et al. 2017, §2.1 and appendix F",
    SL_TRACES (
      [T_SAME] = { "same", "same without noise", "%",
        "Noisy gate: training examples whose experts the noise did not change." },
      [T_AGREES] = { "agreement", "masks agree", "%",
        "Balanced gate: pairs of example and expert on which the batch and the thresholds agree." },
      [T_EMPTY] = { "empty", "without expert", "%",
        "Balanced gate: training examples that no expert took." }) },
  [V_MAP] = SL_PANEL_MAP (false),
};
/* clang-format on */
