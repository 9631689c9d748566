/* SPDX-License-Identifier: MIT
 *
 * The panels of the lab `routing`, in words.  */
#include "core/labs/routing/tables.h"

/* Of the four questions (lab.c): how even, what is used where, caches and pruning, devices. */
#define EVEN SL_SHOWS_WORK
#define WHERE SL_SHOWS_QUALITY
#define KEPT SL_SHOWS_COST
#define SERVED SL_SHOWS_GATE

#define LOAD "load ÷ even share"
#define PLACEMENTS(what)                                                                           \
  [T_STATIC] = { "static", "in order", what, "" }, [T_GREEDY] = { "greedy", "by load", what, "" }, \
  [T_REPLICATED] = { "replicated", "with replicas", what, "" }

/* clang-format off */
const SlPanel sl_routing_panels[N_PANELS] = {
  [V_CV] = { .id = "cv", .title = "Imbalance (CV)", .group = EVEN, .kind = SL_SERIES,
    .y = { "CV over the experts", .logarithmic = true },
    .help = "Coefficient of variation (CV) of the loads. Tokens of a text hang together, so windows lie above "
            "chance.",
    .formula = "floor = √((n − s) ÷ R),  s = Σ kₜ² ÷ Σ kₜ  (ours)",
    SL_TRACES (
      [T_CV] = { "cv", "this layer", "", "" },
      [T_CV_FLOOR] = { "floor", "chance", "", "", SL_THEORY },
      [T_CV_95] = { "p95", "95 % chance", "", "95 % of routers without preference stay below.", SL_THEORY },
      [T_CV_SAME] = { "same", "full collapse", "", "Full collapse: √(n/k − 1).", SL_REFERENCE },
      [T_CV_MEDIAN] = { "median", "median", "", "" },
      [T_CV_GREATEST] = { "greatest", "greatest", "", "" }) },
  [V_BY_LAYER] = { .id = "by-layer", .title = "Layer by layer", .group = EVEN,
    .kind = SL_PROFILE, .x = { "layer", .whole = true }, .y = { "CV and Gini", .logarithmic = true },
    .needs = "data.layers>1", .probe_seconds = 2,
    .help = "Load spread over the whole recording, beside chance; the mark is the chosen layer.",
    .formula = "Gini = Σ (2i − n − 1) L₍ᵢ₎ ÷ (n R),  L rising",
    SL_TRACES (
      [T_LAYER_CV] = { "cv", "CV", "", "" },
      [T_LAYER_FLOOR] = { "floor", "CV by chance", "", "", SL_THEORY },
      [T_LAYER_95] = { "p95", "95 % chance", "", "95 % of routers without preference stay below.",
        SL_THEORY },
      [T_LAYER_GINI] = { "gini", "Gini", "", "0: all alike; 1: one expert does everything." }) },
  [V_REQUESTS] = { .id = "requests", .title = "Request by request", .group = EVEN,
    .kind = SL_PROFILE, .x = { "request", .whole = true }, .y = { "CV over the experts" },
    .needs = "data.requests", .probe_seconds = 2,
    .help = "Load spread (CV) of each request.",
    SL_TRACES (
      [T_REQUEST_CV] = { "cv", "requests", "", "" },
      [T_REQUEST_FLOOR] = { "floor", "chance", "", "", SL_THEORY }) },
  [V_COMPARE] = { .id = "compare", .title = "Comparison of loads", .group = EVEN,
    .kind = SL_PROFILE, .x = { "expert", .whole = true }, .y = { "difference, even shares" },
    .probe_seconds = 3,
    .help = "Between two recordings; with one, between prompts and decoding or its halves. Bars are 95 % intervals.",
    .formula = "n (pᵢ − qᵢ)",
    SL_TRACES ({ "difference", "difference", "", "" }) },
  [V_ALIVE] = { .id = "alive", .title = "One token on its way", .group = WHERE, .kind = SL_ALIVE,
    .needs = "data.tokens", .picks = "expert", .probe_seconds = 0.07,
    .help = "The framed token goes from layer to layer to its recorded experts; a line joins the strongest, "
            "or the first listed. Above, the tokens of its request in the colours of their experts in the chosen "
            "layer; click a token or an expert to select it." },
  [V_WORDS] = { .id = "words", .title = "Typical words", .group = WHERE, .kind = SL_HEATMAP,
    .x = { "expert", .whole = true }, .y = { "word" },
    .z = { "tokens ÷ expected", .lo = 0.2, .hi = 8, .logarithmic = true }, .centre = 1,
    .zero = "never", .needs = "data.words", .probe_seconds = 2,
    .help = "The most typical words of the selected expert, with its share of their tokens, and where else they go. "
            "Click an expert in the other maps to select it.",
    .formula = "2 (N ln (N ÷ E) + (c − N) ln ((c − N) ÷ (c − E))) > z²,  E = c Lᵢ ÷ T,  z for 5 % of "
               "all words together",
    .source = "Dunning 1993" },
  [V_LAYERS] = { .id = "layers", .title = "All layers", .group = WHERE, .kind = SL_HEATMAP,
    .x = { "expert", .whole = true }, .y = { "layer" }, .z = { LOAD, .lo = 0.2, .hi = 8, .logarithmic = true }, .centre = 1, .zero = "dead",
    .picks = "layer", .probe_seconds = 2,
    .help = "Relative to an even share; hatched is dead. A click on a row replays that layer.",
    .formula = "n Lᵢ ÷ R" },
  [V_USAGE] = { .id = "usage", .title = "Use of the experts", .group = WHERE,
    .kind = SL_HEATMAP, .x = { "window or step", .whole = true }, .y = { "expert" }, .z = { LOAD, .lo = 0.2, .hi = 8, .logarithmic = true },
    .centre = 1, .zero = "idle", .picks = "expert", .probe_seconds = 0.3,
    .help = "Routings in the windows so far, relative to an even share.",
    .formula = "n Lᵢ ÷ R" },
  [V_TOGETHER] = { .id = "together", .title = "Experts of the same token", .group = WHERE,
    .kind = SL_HEATMAP, .x = { "expert", .whole = true }, .y = { "expert" },
    .z = { "log₂ (lift ÷ chance)" }, .zero = "too few to tell", .picks = "expert", .probe_seconds = 3,
    .help = "How often two experts get the same token, relative to chance. Pairs expected fewer "
            "than 5 times are hatched.",
    .formula = "lift = N_ij T ÷ (Lᵢ Lⱼ),  by chance n (k − 1) ÷ (k (n − 1))" },
  [V_CACHE] = { .id = "cache", .title = "Cache sizes", .group = KEPT,
    .kind = SL_PROFILE, .drags = "memory", .x = { "cache", "GiB", .logarithmic = true },
    .y = { "hits", "%" }, .needs = "data.tokens", .probe_seconds = 1,
    .help = "Needed experts that are in the cache already, first uses aside; one cache for all layers. Drag the "
            "mark to choose a size.",
    .source = "Belady 1966",
    SL_TRACES (
      [T_LRU] = { "lru", "LRU", "%", "Keeps the most recently used." },
      [T_LFU] = { "lfu", "LFU", "%", "Keeps the most often used." },
      [T_PINNED] = { "pinned", "pinned, held out", "%",
        "The busiest of the first half, judged on the second." },
      [T_BEST] = { "best", "best possible", "%", "Drops what is needed latest.",
        SL_REFERENCE },
      [T_ANY] = { "any", "at random", "%", "", SL_THEORY },
      [T_LRU_PREFILL] = { "lru-prefill", "LRU, prompts", "%", "" },
      [T_LRU_DECODE] = { "lru-decode", "LRU, decoding", "%", "" }) },
  [V_HITS] = { .id = "hits", .title = "Hits at this size", .group = KEPT, .kind = SL_SERIES,
    .y = { "hits", "%" }, .needs = "data.tokens",
    .help = "Of each window, first uses included.",
    SL_TRACES (
      [T_HITS_LRU] = { "lru", "LRU", "%", "Keeps the most recently used." },
      [T_HITS_ANY] = { "any", "at random", "%", "", SL_THEORY }) },
  [V_COVERAGE] = { .id = "coverage", .title = "Experts to keep", .group = KEPT,
    .kind = SL_PROFILE, .x = { "experts kept in each layer", .whole = true },
    .y = { "routings kept", "%" }, .probe_seconds = 1,
    .help = "Routings of the busiest experts, over all recorded layers. sluice-cli trace --keep writes the list.",
    SL_TRACES (
      [T_COVERED] = { "coverage", "in hindsight", "%", "", SL_REFERENCE },
      [T_KEPT_EQUAL] = { "held-out", "held out", "%",
        "Chosen by the first half, judged on the second." },
      [T_KEPT_FREE] = { "free", "free per layer", "%",
        "With more in layers that need more; x is their mean." },
      [T_COVERED_EVEN] = { "even", "even", "%", "", SL_THEORY }) },
  [V_BALANCE] = { .id = "balance", .title = "Balance of the devices", .group = SERVED,
    .kind = SL_SERIES, .y = { "time at work", "%" },
    .help = "Mean ÷ largest load of the devices, as all wait for the slowest.",
    .formula = "Σ mean D ÷ Σ max D",
    SL_TRACES (PLACEMENTS ("%"),
      [T_EVEN] = { "even", "even experts", "%", "", SL_THEORY }) },
  [V_SPARE] = { .id = "spare", .title = "Gain by redundant experts", .group = SERVED,
    .kind = SL_PROFILE, .drags = "extra", .x = { "redundant experts", .whole = true },
    .y = { "time at work", "%" }, .probe_seconds = 2,
    .help = "How busy the devices are in the second half. Drag the mark to choose a number.",
    SL_TRACES (
      [T_SPARE_HINDSIGHT] = { "hindsight", "in hindsight", "%", "", SL_REFERENCE },
      [T_SPARE_HELD_OUT] = { "held-out", "held out", "%", "" }) },
  [V_CAPACITY] = { .id = "capacity", .title = "Capacity of an expert", .group = SERVED,
    .kind = SL_PROFILE, .drags = "capacity", .x = { "capacity factor", .logarithmic = true },
    .y = { "dropped", "%" }, .probe_seconds = 1,
    .help = "Routings beyond the capacity of their expert. Drag the mark to choose a factor.",
    .formula = "Σ max (0, L − c) ÷ Σ L,  c = ⌈CF · B k ÷ n⌉", .source = "Fedus et al. 2021",
    SL_TRACES (
      [T_DROPPED] = { "dropped", "routings", "%", "" },
      [T_HURT] = { "hurt", "tokens that lose one", "%", "" }) },
};
/* clang-format on */
