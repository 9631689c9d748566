/* SPDX-License-Identifier: MIT
 *
 * Rows of the form that belong to a sparsely-gated mixture of experts (Shazeer et al. 2017), for every lab
 * that has one: how it chooses, how it trains, how large it is.  Ranges and first values are the lab's, and
 * so is `when`, what must hold for there to be a mixture: a `needs` (param.h) or NULL; `more` ends a help and
 * `also` a source.  */
#pragma once

#include "core/lab/kit/params.h"
#include "core/nn/moe/moe.h"

/* clang-format off */
#define SL_PARAM_GATE(when)                                                                      \
  { .id = "gate", .title = "Gate", .group = SL_GROUP_CONDITIONAL, .kind = SL_CHOICE,             \
    .fallback = SL_MOE_NOISY, .effect = SL_RESTART,                                              \
    .needs = when, .help = "Noisy top-k: each example uses its k best experts, with noise "      \
      "in training. Strictly balanced: every expert takes equally many examples of a batch; "    \
      "in use, learned thresholds decide.",                                                      \
    .formula = "H = x W_g + ε ⊙ softplus (x W_noise), ε ~ N (0, 1) in training;  G = softmax of " \
               "the k largest of H, else 0;  y = Σᵢ Gᵢ Eᵢ (x)",                                  \
    .source = "Shazeer et al. 2017, §2.1 and appendix F",                                        \
    /* In the order of SlMoeGate. */                                                             \
    SL_CHOICES ({ "noisy", "Noisy top-k" }, { "balanced", "Strictly balanced" }) }

#define SL_PARAM_K(most_experts, usual, when)                                                    \
  { .id = "k", .title = "Experts per example k", .group = SL_GROUP_CONDITIONAL,                  \
    .kind = SL_INTEGER, .lo = 1, .hi = most_experts, .step = 1, .fallback = usual,               \
    .headline = SL_HEADLINE_ACTIVE, .most = "experts",                                           \
    .needs = when, .help = "How many experts compute an example, in a tree per chosen "           \
      "group. With one, every gate value is 1 and the error does not train the gate.",           \
    .source = "Shazeer et al. 2017, §2.1: k > 1; appendix C.1: 4, with two levels 2 and 2" }

#define SL_PARAM_K_GROUPS(most_groups, usual, more)                                              \
  { .id = "k-groups", .title = "Groups per example", .group = SL_GROUP_CONDITIONAL,              \
    .kind = SL_INTEGER, .lo = 1, .hi = most_groups, .step = 1, .fallback = usual, .needs = "groups>1", \
    .help = "Groups that a first gate chooses for an example." more,                                                                        \
    .formula = "y = Σᵢⱼ Gᵢ Gᵢⱼ Eᵢⱼ (x)", .source = "Shazeer et al. 2017, appendix C.1: 2" }

#define SL_PARAM_W_IMPORTANCE(usual, when)                                                       \
  { .id = "w-importance", .title = "Importance loss weight",                                     \
    .group = SL_GROUP_CONDITIONAL, .kind = SL_REAL, .lo = 0, .hi = 1, .step = 0.01, .fallback = usual, \
    .needs = when, .help = "How much uneven sums of gate values cost. Alone, it leaves some "    \
      "experts many examples of small weight; without both losses a few experts take "           \
      "everything.",                                                                             \
    .formula = "w · CV² (Importance),  Importanceᵢ = Σ over the batch of Gᵢ (x)",                \
    .source = "Shazeer et al. 2017, §4 and table 6: 0 to 1" }

#define SL_PARAM_W_LOAD(usual)                                                                   \
  { .id = "w-load", .title = "Load loss weight", .group = SL_GROUP_CONDITIONAL,                  \
    .kind = SL_REAL, .lo = 0, .hi = 1, .step = 0.01, .fallback = usual, .needs = "gate=noisy",   \
    .help = "How much uneven numbers of examples cost, by a smooth estimate. It also "           \
            "reaches unused experts, unless they are many σ away.",                              \
    .formula = "w · CV² (Load),  Loadᵢ = Σ over the batch of Φ ((cᵢ − tᵢ) ÷ σᵢ),  c = x W_g, tᵢ: " \
               "the k-th largest of H without i",                                                \
    .source = "Shazeer et al. 2017, appendix A and table 6: 0 to 1" }

#define SL_PARAM_GATE_NOISE                                                                      \
  { .id = "noise", .title = "Noise in training", .group = SL_GROUP_CONDITIONAL,                  \
    .kind = SL_BOOLEAN, .fallback = 1, .needs = "gate=noisy",                                    \
    .help = "Noise on the gate's logits in training, so that every expert is tried now and then.",                                   \
    .formula = "H = x W_g + ε ⊙ σ,  σ = softplus (x W_noise), ε ~ N (0, 1)  (eq. 4)",            \
    .source = "Shazeer et al. 2017, §2.1, eq. 4" }

#define SL_PARAM_NOISE_FLOOR(usual)                                                              \
  { .id = "noise-floor", .title = "Least noise σ", .group = SL_GROUP_CONDITIONAL,                \
    .kind = SL_REAL, .lo = 0.0001, .hi = 1, .step = 0.01, .fallback = usual, .logarithmic = true, \
    .needs = "gate=noisy",                                                                       \
    .help = "Smallest noise scale, so that the load estimate never becomes a step. Larger "      \
            "values keep more experts in use and make choices less sharp.",                      \
    .formula = "σ = softplus (x W_noise) + floor  (ours)",                                       \
    .source = "ours: Shazeer et al. 2017 have none, and 1/σ then grows without end" }

#define SL_PARAM_THRESHOLD_GRADIENT                                                              \
  { .id = "threshold-gradient", .title = "Threshold gradient",                                   \
    .group = SL_GROUP_CONDITIONAL, .kind = SL_BOOLEAN, .fallback = 1, .needs = "gate=noisy",     \
    .help = "On, the load loss also changes the expert that sets the threshold; off, only "      \
            "the expert itself, a common shortcut.",                                             \
    .formula = "∂P ÷ ∂tᵢ = −φ ((cᵢ − tᵢ) ÷ σᵢ) ÷ σᵢ goes to the expert that supplies tᵢ  (reading)", \
    .source = "ours: the paper does not say; on is the derivative of its formula" }

#define SL_PARAM_EXPERT(most_experts, when)                                                      \
  { .id = "expert", .title = "Selected expert", .group = SL_GROUP_VIEW, .view = true,            \
    .kind = SL_INTEGER, .lo = 1, .hi = most_experts, .step = 1, .fallback = 1,                   \
    .needs = when, .help = "The expert in the plots of margins and examples; a click on its "    \
      "row chooses it too." }

#define SL_PARAM_WARM_SCHEDULE(usual)                                                            \
  { .id = "schedule", .title = "Schedule", .group = SL_GROUP_TRAINING,                           \
    .kind = SL_CHOICE, .fallback = usual,                                                        \
    .help = "With a constant rate, large first updates can leave experts of a noisy gate unused " \
            "for good.",                     \
    .source = "Shazeer et al. 2017, appendices C.1 and E",                                       \
    SL_CHOICES ({ "constant", "Constant" }, { "inverse-root", "Inverse square root" }) }

#define SL_PARAM_WARM_UP(usual)                                                                  \
  { .id = "warm-up", .title = "Warm-up", .unit = "updates",                                      \
    .group = SL_GROUP_TRAINING, .kind = SL_INTEGER, .lo = 0, .hi = 100000, .step = 100,          \
    .fallback = usual, .needs = "schedule=inverse-root",                                         \
    .help = "Updates over which the learning rate rises, so that the first, large gradients "    \
            "do not decide which experts are used.",                                             \
    .source = "Shazeer et al. 2017: 1000 for the language models, 2000 for translation" }

#define SL_PARAM_FLAT(usual)                                                                     \
  { .id = "flat", .title = "Constant phase", .unit = "updates", .group = SL_GROUP_TRAINING,      \
    .kind = SL_INTEGER, .lo = 0, .hi = 100000, .step = 100, .fallback = usual,                   \
    .needs = "schedule=inverse-root",                                                            \
    .help = "Updates at the full learning rate between warm-up and fall.",                       \
    .source = "Shazeer et al. 2017: none for the language models, 8000 for translation" }

#define SL_PARAM_FACTORED(when)                                                                  \
  { .id = "factored", .title = "Factored moments", .group = SL_GROUP_TRAINING,                   \
    .kind = SL_BOOLEAN, .fallback = 0, .effect = SL_RESTART,                                     \
    .needs = when, .help = "Adam keeps no first moment of the experts, and only row and "        \
      "column means of the second. It saves memory; steps are less exact.",                      \
    .formula = "V̂ = r cᵀ ÷ mean (r), r and c the row and column means of V;  β₁ = 0",           \
    .source = "Shazeer et al. 2017, appendix D" }

#define SL_PARAM_RECOMPUTE(when)                                                                 \
  { .id = "recompute", .title = "Recompute activations", .group = SL_GROUP_TRAINING,             \
    .kind = SL_BOOLEAN, .fallback = 0,                                                           \
    .needs = when, .help = "Computes the experts' activations again in the backward pass: it " \
                           "saves memory and costs time.",                                \
    .source = "Shazeer et al. 2017, appendix D" }

#define SL_PARAM_EXPERTS(least, most_experts, usual, when)                                       \
  { .id = "experts", .title = "Experts n", .group = SL_GROUP_MODEL,                              \
    .kind = SL_INTEGER, .lo = least, .hi = most_experts, .step = 1, .fallback = usual,           \
    .effect = SL_RESTART, .one = "expert",                                                       \
    .needs = when, .help = "More experts hold more parameters at nearly the same cost, but "     \
      "each gets fewer examples.",                                                               \
    .formula = "Eᵢ (x) = relu (x Aᵢ + aᵢ) Cᵢ + cᵢ",                                              \
    .source = "Shazeer et al. 2017, table 7: 4, 32, 256 and more" }

#define SL_PARAM_GROUPS(most_groups, usual, when, more, also)                                    \
  { .id = "groups", .title = "Groups", .group = SL_GROUP_MODEL, .kind = SL_INTEGER,              \
    .lo = 1, .hi = most_groups, .step = 1, .fallback = usual, .effect = SL_RESTART, .needs = when, \
    .help = "More than one makes a tree of two levels, with a gate in each group. It must "      \
            "divide the number of experts." more,                                                \
    .source = "Shazeer et al. 2017, appendix C.1: 16" also }

#define SL_PARAM_HIDDEN(most_units, usual)                                                       \
  { .id = "hidden", .title = "Units per expert", .unit = "units",                                \
    .group = SL_GROUP_MODEL, .kind = SL_INTEGER, .lo = 1, .hi = most_units, .step = 1, .fallback = usual, \
    .logarithmic = true, .effect = SL_RESTART,                                                   \
    .help = "Width of each expert's hidden layer.", \
    .formula = "k · hidden · (d + o) multiply-adds for each example",                            \
    .source = "Shazeer et al. 2017, appendix C.1: 1024" }

#define SL_PARAM_BUDGET(usual)                                                                   \
  { .id = "budget", .title = "Memory for experts", .unit = "MiB", .group = SL_GROUP_MODEL,       \
    .kind = SL_INTEGER, .lo = 1, .hi = 65536, .step = 1, .fallback = usual, .logarithmic = true, \
    .effect = SL_RESTART,                                                                        \
    .help = "Memory for the experts' weights and moments. A run that needs more is refused." }

/* clang-format on */
