/* SPDX-License-Identifier: MIT
 *
 * The knobs of the lab `routing`, in words.  */
#include "core/labs/routing/tables.h"

#include "core/lab/kit/params.h"

#include "core/labs/routing/math/routes.h"

#define GROUP_RECORDING "Recording"
#define GROUP_CACHE "Cache and pruning"
#define GROUP_DEVICES "Devices"
#define GROUP_COMPARISON "Comparison"

/* clang-format off */
const SlParam sl_routing_params[N_PARAMS] = {
  [P_LAYER] = { .id = "layer", .title = "Layer", .group = GROUP_RECORDING, .kind = SL_INTEGER,
    .lo = 0, .hi = 511, .step = 1, .fallback = 0, .effect = SL_RESTART,
    .needs = "data.layers>1", .most = "data.layers",
    .help = "0 is the first recorded layer; numbers beyond the last are the last." },
  [P_WINDOW] = { .id = "window", .title = "Window", .unit = "tokens", .group = GROUP_RECORDING,
    .kind = SL_INTEGER, .lo = 1, .hi = 1e6, .step = 1, .fallback = 256, .logarithmic = true,
    .effect = SL_RESTART, .needs = "by=window data.tokens",
    .help = "Tokens counted together. Small windows are uneven by chance alone." },
  [P_BY] = { .id = "by", .title = "Counted by", .group = GROUP_RECORDING, .kind = SL_CHOICE,
    .fallback = BY_WINDOW, .effect = SL_RESTART, .needs = "data.tokens",
    .help = "A step is so many tokens, or a recorded forward pass: what devices and caches see "
            "at once.",
    SL_CHOICES ({ "window", "Windows" }, { "pass", "Passes" }) },
  [P_PHASE] = { .id = "phase", .title = "Phase", .group = GROUP_RECORDING, .kind = SL_CHOICE,
    .fallback = PHASE_ALL, .effect = SL_RESTART, .needs = "data.phases",
    .help = "Prompts are often more uneven, as their tokens come from one text.",
    SL_CHOICES ({ "all", "All" }, { "prefill", "Prompts" }, { "decode", "Decoding" }) },
  [P_REQUEST] = { .id = "request", .title = "Request", .group = GROUP_RECORDING, .kind = SL_INTEGER,
    .lo = 0, .hi = 1e6, .step = 1, .fallback = 0, .effect = SL_RESTART, .needs = "data.requests",
    .help = "0 is all requests. One text uses experts more unevenly than many." },
  [P_WARM_UP] = { .id = "warm-up", .title = "Count the warm-up", .group = GROUP_RECORDING,
    .kind = SL_BOOLEAN, .fallback = 0, .effect = SL_RESTART, .needs = "data.tokens",
    .help = "Engines record thousands of equal tokens before they serve. They are left out; on, they count, as in "
            "published summaries.",
    .formula = "a run of m ≥ 64 equal routes is warm-up if ln T + m ln q < ln 10⁻⁶,  q: frequency of "
               "the route elsewhere  (ours)",
    .source = "ours" },
  [P_EXPERT] = { .id = "expert", .title = "Selected expert", .group = SL_GROUP_VIEW, .view = true,
    .kind = SL_INTEGER, .lo = 0, .hi = SL_ROUTES_EXPERTS - 1, .step = 1, .fallback = 0,
    .needs = "data.words", .most = "data.experts",
    .help = "The expert whose words are shown." },
  [P_PACE] = { .id = "pace", .title = "Steps a second", .group = SL_GROUP_VIEW, .view = true, .kind = SL_REAL,
    .lo = 0, .hi = 1000, .step = 1, .fallback = 4,
    .help = "Speed of the replay in the window. 0 is as fast as possible." },
  [P_TINT] = { .id = "tint", .title = "Tint of the words", .group = SL_GROUP_VIEW, .view = true,
    .kind = SL_CHOICE, .fallback = TINT_EXPERT, .needs = "data.tokens",
    .help = "The strongest expert of each token in the chosen layer, how busy it is, or the token's gate value if "
            "recorded.",
    SL_CHOICES ({ "expert", "Expert" }, { "load", "Load of the expert" }, { "gate", "Gate value" }) },
  [P_MEMORY] = { .id = "memory", .title = "Cache", .unit = "GiB", .group = GROUP_CACHE,
    .kind = SL_REAL, .lo = 0.001, .hi = 4096, .step = 1, .fallback = 8, .logarithmic = true,
    .needs = "data.tokens",
    .help = "Fast memory for the experts of all recorded layers." },
  [P_EXPERT_SIZE] = { .id = "expert-size", .title = "Size of an expert", .unit = "MiB",
    .group = GROUP_CACHE, .kind = SL_REAL, .lo = 0.001, .hi = 65536, .step = 1, .fallback = 12,
    .logarithmic = true, .needs = "data.tokens data.size-unknown",
    .help = "Not in the recording: 3 × model width × expert width × bytes of a weight; 12 MiB are 2048 × 1024 of 2 "
            "bytes." },
  [P_BANDWIDTH] = { .id = "bandwidth", .title = "Bandwidth", .unit = "GB/s", .group = GROUP_CACHE,
    .kind = SL_REAL, .lo = 0.01, .hi = 10000, .step = 1, .fallback = 25, .logarithmic = true,
    .needs = "data.tokens",
    .help = "At which missing experts are loaded: about 25 over PCIe 4.0 × 16, 7 from an NVMe disk." },
  [P_KEEP] = { .id = "keep", .title = "Routings to keep", .unit = "%", .group = GROUP_CACHE,
    .kind = SL_REAL, .lo = 1, .hi = 100, .step = 1, .fallback = 95,
    .help = "Share of the routings whose experts stay." },
  [P_DEVICES] = { .id = "devices", .title = "Devices", .group = GROUP_DEVICES, .kind = SL_INTEGER,
    .lo = 1, .hi = SL_ROUTES_EXPERTS, .step = 1, .fallback = 8, .logarithmic = true,
    .most = "data.experts",
    .help = "Devices that share the experts of a layer; all wait for the slowest." },
  [P_EXTRA] = { .id = "extra", .title = "Redundant experts", .group = GROUP_DEVICES, .kind = SL_INTEGER,
    .lo = 0, .hi = SL_ROUTES_EXPERTS, .step = 1, .fallback = 8, .most = "data.experts",
    .help = "Room for second copies of busy experts.",
    .formula = "P = ⌈(n + extra) ÷ g⌉ g", .source = "DeepSeek, expert parallelism load balancer" },
  [P_REPLAN] = { .id = "replan", .title = "Plan again every", .unit = "windows",
    .group = GROUP_DEVICES, .kind = SL_INTEGER, .lo = 1, .hi = 10000, .step = 1, .fallback = 4,
    .logarithmic = true,
    .help = "Windows between two plans of the placement." },
  [P_CAPACITY] = { .id = "capacity", .title = "Capacity factor", .group = GROUP_DEVICES,
    .kind = SL_REAL, .lo = 0.25, .hi = 8, .step = 0.05, .fallback = 1.25, .logarithmic = true,
    .help = "Tokens that an expert takes in a window, in even shares.",
    .formula = "c = ⌈CF · B k ÷ n⌉", .source = "Fedus et al. 2021, §2.2: 1 to 1.25" },
  [P_PAIRED] = { .id = "paired", .title = "Tokens correspond", .group = GROUP_COMPARISON,
    .kind = SL_BOOLEAN, .fallback = 0, .needs = "data.other",
    .help = "Token t of one recording is token t of the other." },
};
/* clang-format on */
