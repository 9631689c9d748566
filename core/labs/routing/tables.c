/* SPDX-License-Identifier: MIT
 *
 * The knobs of the lab `routing`, in words.  */
#include "core/labs/routing/tables.h"

#include "core/lab/kit/params.h"

#include "core/nn/routing/routes.h"

#define GROUP_RECORDING "Recording"
#define GROUP_WHAT_IF "What if"
#define GROUP_COMPARISON "Comparison"

/* clang-format off */
const SlParam sl_routing_params[N_PARAMS] = {
  [P_LAYER] = { .id = "layer", .title = "Layer", .group = GROUP_RECORDING, .kind = SL_INTEGER,
    .lo = 1, .hi = 512, .step = 1, .fallback = 1, .effect = SL_RESTART,
    .help = "The layer that is replayed: 1 is the first that was recorded. A click on its row in the "
            "plot of all layers chooses it too; a number beyond the last one is the last." },
  [P_WINDOW] = { .id = "window", .title = "Window", .unit = "tokens", .group = GROUP_RECORDING,
    .kind = SL_INTEGER, .lo = 1, .hi = 1e6, .step = 1, .fallback = 256, .logarithmic = true,
    .effect = SL_RESTART, .needs = "by=window",
    .help = "Tokens that are counted together, one window a step. Small windows are uneven by chance "
            "alone, which the floor shows; rows of counts are windows as they are." },
  [P_BY] = { .id = "by", .title = "Counted by", .group = GROUP_RECORDING, .kind = SL_CHOICE,
    .fallback = BY_WINDOW, .effect = SL_RESTART,
    .help = "What a step is: so many tokens, or a forward pass as it was recorded. A pass is what "
            "devices and caches really see at once.",
    SL_CHOICES ({ "window", "Windows" }, { "pass", "Passes" }) },
  [P_PHASE] = { .id = "phase", .title = "Phase", .group = GROUP_RECORDING, .kind = SL_CHOICE,
    .fallback = PHASE_ALL, .effect = SL_RESTART, .needs = "data.phases",
    .help = "Which tokens are looked at: all, those of prompts, or those that were decoded one by "
            "one. Prompts are often more uneven, as their tokens come from one text.",
    SL_CHOICES ({ "all", "All" }, { "prefill", "Prompts" }, { "decode", "Decoding" }) },
  [P_REQUEST] = { .id = "request", .title = "Request", .group = GROUP_RECORDING, .kind = SL_INTEGER,
    .lo = 0, .hi = 1e6, .step = 1, .fallback = 0, .effect = SL_RESTART, .needs = "data.requests",
    .help = "Which request's tokens are looked at, numbered from 1 as they appear; 0 is all, and a "
            "number beyond the last one is the last. One text uses experts more unevenly than many." },
  [P_WARM_UP] = { .id = "warm-up", .title = "Count the warm-up", .group = GROUP_RECORDING,
    .kind = SL_BOOLEAN, .fallback = 0, .effect = SL_RESTART,
    .help = "Engines run thousands of equal tokens before they serve, and record them with the rest. "
            "They are found and left out; on, they are counted, as published summaries have done.",
    .formula = "a run of m ≥ 64 equal routes is warm-up if ln T + m ln q < ln 10⁻⁶,  q: frequency of "
               "the route elsewhere  (ours)",
    .source = "ours" },
  [P_EXPERT] = { .id = "expert", .title = "Selected expert", .group = SL_GROUP_VIEW, .view = true,
    .kind = SL_INTEGER, .lo = 1, .hi = SL_ROUTES_EXPERTS, .step = 1, .fallback = 1,
    .help = "The expert that the sentences of some plots speak of; a click on its row chooses it too. "
            "It is counted from 1: 1 is expert 0 of the recording." },
  [P_PACE] = { .id = "pace", .title = "Steps a second", .group = SL_GROUP_VIEW, .view = true, .kind = SL_REAL,
    .lo = 0, .hi = 1000, .step = 1, .fallback = 4,
    .help = "How fast the recording is replayed in a window. 0 is as fast as the machine can, which "
            "the command line always is." },
  [P_HOT] = { .id = "hot", .title = "Hot set", .unit = "%", .group = SL_GROUP_VIEW, .view = true, .kind = SL_REAL,
    .lo = 0, .hi = 100, .step = 1, .fallback = 10,
    .help = "The busiest experts that count as hot, in % of all, at least one. What they serve is held "
            "against what as many experts serve on the average.",
    .formula = "m = max (1, ⌈hot · n⌉)" },
  [P_CACHE] = { .id = "cache", .title = "Cache", .unit = "experts", .group = GROUP_WHAT_IF,
    .kind = SL_INTEGER, .lo = 0, .hi = SL_ROUTES_EXPERTS, .step = 1, .fallback = 0,
    .help = "Experts of a layer that fit into fast memory. 0 is a quarter of them; larger caches miss "
            "less and cost more." },
  [P_CAPACITY] = { .id = "capacity", .title = "Capacity factor", .group = GROUP_WHAT_IF,
    .kind = SL_REAL, .lo = 0.25, .hi = 8, .step = 0.05, .fallback = 1.25, .logarithmic = true,
    .help = "Tokens that an expert takes in a window, in even shares. What is beyond is dropped; a "
            "larger factor drops less and reserves more memory.",
    .formula = "c = ⌈CF · B k ÷ n⌉", .source = "Fedus et al. 2021, §2.2: 1 to 1.25" },
  [P_DEVICES] = { .id = "devices", .title = "Devices", .group = GROUP_WHAT_IF, .kind = SL_INTEGER,
    .lo = 1, .hi = SL_ROUTES_EXPERTS, .step = 1, .fallback = 8, .logarithmic = true,
    .help = "How many devices share the experts of a layer; all wait for the slowest one. More than "
            "there are experts are as many as there are." },
  [P_EXTRA] = { .id = "extra", .title = "Spare places", .group = GROUP_WHAT_IF, .kind = SL_INTEGER,
    .lo = 0, .hi = SL_ROUTES_EXPERTS, .step = 1, .fallback = 8,
    .help = "Places for second copies of busy experts, on all devices together. They are filled up to "
            "the same number a device.",
    .formula = "P = ⌈(n + extra) ÷ g⌉ g", .source = "DeepSeek, expert parallelism load balancer" },
  [P_NODES] = { .id = "nodes", .title = "Nodes", .group = GROUP_WHAT_IF, .kind = SL_INTEGER, .lo = 1,
    .hi = 64, .step = 1, .fallback = 1,
    .help = "Machines that the devices are in. With several, groups of experts are first dealt out to "
            "nodes; numbers that do not divide evenly are treated as one node." },
  [P_GROUPS] = { .id = "groups", .title = "Groups", .group = GROUP_WHAT_IF, .kind = SL_INTEGER,
    .lo = 1, .hi = 256, .step = 1, .fallback = 1, .needs = "nodes>1",
    .help = "Equal runs of experts that stay on one node. It matters only with several nodes." },
  [P_REPLAN] = { .id = "replan", .title = "Plan anew every", .unit = "windows",
    .group = GROUP_WHAT_IF, .kind = SL_INTEGER, .lo = 1, .hi = 10000, .step = 1, .fallback = 4,
    .logarithmic = true,
    .help = "Windows between two plans of the placement, each made from as many windows before it. A "
            "plan of the past misses what has moved since." },
  [P_BIAS_RATE] = { .id = "bias-rate", .title = "Rate of the bias", .group = GROUP_WHAT_IF,
    .kind = SL_REAL, .lo = 1e-6, .hi = 1, .step = 0.001, .fallback = 0.001, .logarithmic = true,
    .needs = "data.scores",
    .help = "By how much the bias of an expert rises after a window with less than the mean load, or "
            "falls after one with more. Larger ones balance sooner and swing more.",
    .formula = "bᵢ ← bᵢ + u · sign (mean load − Lᵢ)", .source = "Wang et al. 2024: 0.001" },
  [P_SCORE] = { .id = "score", .title = "Scores", .group = GROUP_WHAT_IF, .kind = SL_CHOICE,
    .fallback = 0, .needs = "data.scores",
    .help = "What the bias is added to: the scores as they were recorded, or what softmax or sigmoid "
            "makes of them.",
    /* In the order of SlScoresKind. */
    SL_CHOICES ({ "recorded", "As recorded" }, { "softmax", "Softmax" }, { "sigmoid", "Sigmoid" }) },
  [P_PAIRED] = { .id = "paired", .title = "Tokens correspond", .group = GROUP_COMPARISON,
    .kind = SL_BOOLEAN, .fallback = 0, .needs = "data.other",
    .help = "Whether token t of one recording is token t of the other. Then it is counted how many "
            "tokens go elsewhere, not only how loads differ." },
};
/* clang-format on */
