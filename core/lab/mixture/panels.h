/* SPDX-License-Identifier: MIT
 *
 * Panels of a sparsely-gated mixture of experts (Shazeer et al. 2017), for every lab that has one; `when` is
 * what must hold for there to be one, a `needs` (param.h) or NULL, and `number` how many experts there are, as the
 * `each` of a trace.  What
 * fills them: reports.h as the network trains, margins.h and memory.h when somebody looks.  */
#pragma once

#include "core/lab/lab.h"

enum { SL_MIXTURE_ROWS = 64 }; /* of panels with a row for each expert */

/* Their traces, where there are several. */
enum { SL_CV_IMPORTANCE, SL_CV_LOAD, SL_CV_HARD, SL_CV_FLOOR, SL_CV_COLLAPSE };
enum { SL_EFFECTIVE, SL_EFFECTIVE_USED, SL_EFFECTIVE_THERE };
enum { SL_LOSS_TASK, SL_LOSS_IMPORTANCE, SL_LOSS_LOAD, SL_LOSS_THRESHOLD };
enum { SL_MARGINS_SELECTED, SL_MARGINS_BUSIEST };
enum { SL_MEMORY_AS_SET, SL_MEMORY_PLAIN };
enum { SL_AGREEMENT_SAME, SL_AGREEMENT_MASKS, SL_AGREEMENT_EMPTY };

/* clang-format off */
#define SL_PANEL_USAGE(number, when)                                                             \
  { .id = "usage", .title = "Load of the experts",                                               \
    .group = SL_SHOWS_WORK,                                                                      \
    .kind = SL_HISTORY, .y = { "expert" },                                                       \
    .z = { "load ÷ even share", .lo = 0.2, .hi = 8, .logarithmic = true }, .centre = 1, .zero = "dead", .picks = "expert", \
    .needs = when, .help = "Examples of each expert relative to an even share; hatched is none. " \
                           "Click a row to see its margins.",                                                                                \
    .formula = "Loadᵢ ÷ mean (Load)",                                                            \
    SL_TRACES ({ "load", "load", "× even",                                                       \
      "Examples since the last report ÷ even share; with more than 64 experts each row is "      \
      "the mean of several.", SL_MEASURED, number, SL_MIXTURE_ROWS }) }

#define SL_PANEL_CV(when)                                                                        \
  { .id = "cv", .title = "Load spread (CV)", .group = SL_SHOWS_WORK, .kind = SL_SERIES,          \
    .y = { "CV over the experts", .logarithmic = true },                                         \
    .needs = when, .help = "Coefficient of variation (CV) over the experts, in single "          \
      "batches. Compare it with the lines of chance alone and full collapse.",                   \
    .formula = "CV = standard deviation ÷ mean;  collapse: √(n ÷ k − 1);  chance: √((1 − k "     \
            "÷ n) ÷ (B k ÷ n))",                                                                 \
    .source = "Shazeer et al. 2017, table 6",                                                    \
    SL_TRACES (                                                                                  \
      [SL_CV_IMPORTANCE] = { "importance", "importance", "",                                     \
        "CV of the sums of gate values of a batch." },                                           \
      [SL_CV_LOAD] = { "load", "smooth load", "",                                               \
        "CV of the smooth load estimate, which the load loss uses." },                           \
      [SL_CV_HARD] = { "hard", "load", "",                                              \
        "CV of the numbers of examples that experts computed." },                                \
      [SL_CV_FLOOR] = { "floor", "chance", "",                                             \
        "CV if k of n experts were chosen at random.", SL_THEORY },                              \
      [SL_CV_COLLAPSE] = { "collapse", "full collapse", "", "Full collapse: √(n/k − 1).", \
        SL_REFERENCE }) }

#define SL_PANEL_EFFECTIVE(when)                                                                 \
  { .id = "effective", .title = "Effective experts",                                             \
    .group = SL_SHOWS_WORK,                                                                      \
    .kind = SL_SERIES,                                                                           \
    .y = { "experts", .whole = true },                                                           \
    .needs = when, .help = "The load is as uneven as if this many experts shared it equally.",                                          \
    .formula = "exp (entropy of Load ÷ Σ Load)",                                                 \
    SL_TRACES (                                                                                  \
      [SL_EFFECTIVE] = { "effective", "effective", "",                                           \
        "exp of the entropy of the loads." },                                                    \
      [SL_EFFECTIVE_USED] = { "used", "used", "", "Experts with any example since the last report." }, \
      [SL_EFFECTIVE_THERE] = { "there", "all experts", "", "Number of experts.", SL_REFERENCE }) }

#define SL_PANEL_MARGINS                                                                         \
  { .id = "why", .title = "Margin of the selected expert", .group = SL_SHOWS_GATE,               \
    .kind = SL_BARS, .x = { "margin to the threshold", "σ" }, .y = { "share of the examples", "%" }, \
    .categories = SL_NAMES ("< −100", "−100…−10", "−10…−3", "−3…−1", "−1…0", "0…1", "1…3", "3…10", \
      "10…100", "> 100"),                                                                        \
    .needs = "gate=noisy", .probe_seconds = 1,                                                   \
    .help = "How far the expert is above or below the threshold of being chosen. Beyond "        \
            "three σ the load loss has nearly no gradient: only falling thresholds bring the "   \
            "expert back.",                                                                      \
    .formula = "(cᵢ − tᵢ) ÷ σᵢ, without noise", .source = "Shazeer et al. 2017, appendix A",     \
    SL_TRACES (                                                                                  \
      [SL_MARGINS_SELECTED] = { "watched", "selected expert", "%",                               \
        "Examples with this margin." },                                                          \
      [SL_MARGINS_BUSIEST] = { "busiest", "busiest expert", "%",                                 \
        "The expert with the most examples.", SL_REFERENCE }) }

#define SL_PANEL_MARGIN_VALUES                                                                   \
  { .id = "why-value", .title = "Margin of the selected expert",                                 \
    .group = SL_SHOWS_GATE,                                                                      \
    .kind = SL_PROFILE, .x = { "gate value above the threshold" },                               \
    .y = { "share of the examples", "%" }, .needs = "gate=balanced", .probe_seconds = 1,         \
    .help = "How far the expert's gate value is above or below its learned threshold. An "       \
            "unused expert lowers its threshold.",                                               \
    .formula = "gᵢ − Tᵢ", .source = "Shazeer et al. 2017, appendix F",                           \
    SL_TRACES (                                                                                  \
      [SL_MARGINS_SELECTED] = { "watched", "selected expert", "%",                               \
        "Examples with this margin." },                                                          \
      [SL_MARGINS_BUSIEST] = { "busiest", "busiest expert", "%",                                 \
        "The expert with the most examples.", SL_REFERENCE }) }

#define SL_PANEL_GATE_NOISE                                                                      \
  { .id = "noise", .title = "Gate noise",                                                        \
    .group = SL_SHOWS_GATE,                                                                      \
    .kind = SL_SERIES,                                                                           \
    .y = { "σ", .logarithmic = true }, .needs = "gate=noisy",                                    \
    .help = "The gate learns the scale of its noise. As σ falls, choices become fixed and "      \
            "unused experts are no longer tried.",                                               \
    .formula = "σ = softplus (x W_noise);  ln 2 = 0.693 at first",                               \
    .source = "Shazeer et al. 2017, §2.1",                                                       \
    SL_TRACES ({ "sigma", "mean σ", "", "Mean noise scale; it begins at ln 2 + the least σ." }) }

#define SL_PANEL_AGREEMENT(when)                                                                 \
  { .id = "agreement", .title = "Choices in training and use",                                   \
    .group = SL_SHOWS_GATE,                                                                      \
    .kind = SL_SERIES, .y = { "choices", "%", .lo = 0, .hi = 100 },                              \
    .needs = when, .help = "Training chooses with noise or per batch; in use each example "      \
      "chooses alone. Where the two differ, experts train on examples that they will not "       \
      "get.",                                                                                    \
    .source = "Shazeer et al. 2017, §2.1 and appendix F",                                        \
    SL_TRACES (                                                                                  \
      [SL_AGREEMENT_SAME] = { "same", "same without noise", "%",                                 \
        "Noisy gate: training examples whose experts the noise did not change." },               \
      [SL_AGREEMENT_MASKS] = { "agreement", "masks agree", "%",                                  \
        "Pairs of example and expert that the batch and the rule for single examples decide alike." }, \
      [SL_AGREEMENT_EMPTY] = { "empty", "without expert", "%",                                   \
        "Training examples that no expert computes." }) }

#define SL_PANEL_BALANCE_LOSS                                                                    \
  { .id = "loss", .title = "Loss", .group = SL_SHOWS_QUALITY, .kind = SL_SERIES,                 \
    .y = { "loss", "nats", .logarithmic = true },                                                \
    .help = "Cross entropy of the task, and the costs of uneven importance and load.",           \
    .formula = "task + w_importance CV² (Importance) + w_load CV² (Load)",                       \
    .source = "Shazeer et al. 2017, §4",                                                         \
    SL_TRACES (                                                                                  \
      [SL_LOSS_TASK] = { "task", "cross entropy", "nats",                                        \
        "Mean of the batches since the last report." },                                          \
      [SL_LOSS_IMPORTANCE] = { "importance", "importance", "nats", "w CV² of the importance." }, \
      [SL_LOSS_LOAD] = { "load", "load", "nats", "w CV² of the smooth load." },                  \
      [SL_LOSS_THRESHOLD] = { "threshold", "thresholds", "nats",                                 \
        "Strictly balanced gate: the difference between the two masks." }) }

#define SL_PANEL_MEMORY(when)                                                                    \
  { .id = "memory", .title = "Memory",                                                           \
    .group = SL_SHOWS_COST,                                                                      \
    .kind = SL_BARS, .y = { "memory", "MB" },                                                    \
    .categories = SL_NAMES ("weights", "gradient", "moments", "activations"), .probe_seconds = 2, \
    .needs = when, .help = "Memory for training this layer.",                        \
    .source = "Shazeer et al. 2017, appendix D",                                                 \
    SL_TRACES (                                                                                  \
      [SL_MEMORY_AS_SET] = { "set", "as set", "MB", "With these settings." },                    \
      [SL_MEMORY_PLAIN] = { "plain", "plain Adam", "MB", "Full moments, activations stored.",    \
        SL_REFERENCE }) }

/* clang-format on */
