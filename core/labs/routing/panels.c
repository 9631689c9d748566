/* SPDX-License-Identifier: MIT
 *
 * The panels of the lab `routing`, in words.  */
#include "core/labs/routing/tables.h"

#define LOAD "load ÷ even share"
#define PLACEMENTS(what)                                                                           \
  [T_STATIC] = { "static", "in order", what, "" },                                                 \
  [T_GREEDY] = { "greedy", "by load", what, "By falling load, each to the least loaded device." }, \
  [T_REPLICATED] = { "replicated", "with replicas", what, "" }

/* clang-format off */
const SlPanel sl_routing_panels[N_PANELS] = {
  [V_ALIVE] = { .id = "alive", .title = "One token on its way", .group = SL_SHOWS_WORK, .kind = SL_ALIVE,
    .needs = "data.tokens", .probe_seconds = 0.07,
    .help = "The framed token goes from layer to layer to its recorded experts; the line joins "
            "the strongest. Above, the tokens of its request in the colours of their experts in "
            "the chosen layer; click one to follow it." },
  [V_USAGE] = { .id = "usage", .title = "Use of the experts", .group = SL_SHOWS_WORK,
    .kind = SL_HEATMAP, .x = { "window or step", .whole = true }, .y = { "expert" }, .z = { LOAD, .lo = 0.2, .hi = 8, .logarithmic = true },
    .centre = 1, .zero = "idle", .picks = "expert", .probe_seconds = 0.3,
    .help = "Routings of each expert in the windows so far, relative to an even share.",
    .formula = "n Lᵢ ÷ R" },
  [V_LAYERS] = { .id = "layers", .title = "All layers", .group = SL_SHOWS_WORK, .kind = SL_HEATMAP,
    .x = { "expert", .whole = true }, .y = { "layer" }, .z = { LOAD, .lo = 0.2, .hi = 8, .logarithmic = true }, .centre = 1, .zero = "dead",
    .picks = "layer", .probe_seconds = 2,
    .help = "Relative to an even share; hatched is dead. A recording over training shows the step "
            "that was replayed last. A click on a row replays that layer.",
    .formula = "n Lᵢ ÷ R" },
  [V_CV] = { .id = "cv", .title = "Imbalance (CV)", .group = SL_SHOWS_WORK, .kind = SL_SERIES,
    .y = { "CV over the experts", .logarithmic = true },
    .help = "Coefficient of variation (CV) of the loads: standard deviation ÷ mean. Chance alone "
            "is the floor; tokens of a text hang together, so windows lie above it.",
    .formula = "floor = √((n − s) ÷ R),  s = Σ kₜ² ÷ Σ kₜ  (ours)",
    SL_TRACES (
      [T_CV] = { "cv", "this layer", "", "" },
      [T_CV_FLOOR] = { "floor", "chance", "", "",
        SL_THEORY },
      [T_CV_95] = { "p95", "95 % chance", "", "95 % of routers without preference stay below.", SL_THEORY },
      [T_CV_SAME] = { "same", "full collapse", "", "Full collapse: √(n/k − 1).", SL_REFERENCE },
      [T_CV_MEDIAN] = { "median", "median", "",
        "Over the layers with the same tokens." },
      [T_CV_GREATEST] = { "greatest", "greatest", "",
        "Over the layers with the same tokens." }) },
  [V_PEAK] = { .id = "peak", .title = "Largest load", .group = SL_SHOWS_WORK, .kind = SL_SERIES,
    .y = { "largest ÷ mean load", .logarithmic = true },
    .help = "Load of the busiest expert relative to the mean. Where each expert has its own "
            "device, all others wait for this one.",
    .formula = "n max L ÷ R = MaxVio + 1", .source = "Wang et al. 2024",
    SL_TRACES (
      [T_PEAK] = { "peak", "this layer", "× mean", "" },
      [T_PEAK_CHANCE] = { "chance", "chance, about", "× mean",
        "Good from 8 routings an expert on.",
        SL_THEORY },
      [T_PEAK_SAME] = { "same", "full collapse", "× mean", "Full collapse: n/k.",
        SL_REFERENCE }) },
  [V_EFFECTIVE] = { .id = "effective", .title = "Effective experts", .group = SL_SHOWS_WORK,
    .kind = SL_SERIES, .y = { "experts", .whole = true },
    .help = "The load is as uneven as if this many experts shared it equally; beside it, the "
            "experts used at all.",
    .formula = "exp (−Σ p ln p),  p = L ÷ R",
    SL_TRACES (
      [T_EFFECTIVE] = { "effective", "effective", "", "exp of the entropy of the loads." },
      [T_EFFECTIVE_CHANCE] = { "chance", "chance, about", "",
        "", SL_THEORY },
      [T_USED] = { "used", "used", "", "" },
      [T_THERE] = { "there", "all experts", "", "Number of experts.", SL_REFERENCE }) },
  [V_BY_LAYER] = { .id = "by-layer", .title = "Layer by layer", .group = SL_SHOWS_WORK,
    .kind = SL_PROFILE, .x = { "layer", .whole = true }, .y = { "" }, .probe_seconds = 2,
    .help = "Of the whole recording; the mark is the chosen layer.",
    SL_TRACES (
      [T_LAYER_CV] = { "cv", "CV", "", "" },
      [T_LAYER_FLOOR] = { "floor", "CV by chance", "", "",
        SL_THEORY },
      [T_LAYER_HOT] = { "hot", "hot set", "", "Share of the routings." },
      [T_LAYER_EFFECTIVE] = { "effective", "effective ÷ n", "",
        "" }) },
  [V_REQUESTS] = { .id = "requests", .title = "Request by request", .group = SL_SHOWS_WORK,
    .kind = SL_PROFILE, .x = { "request", .whole = true }, .y = { "CV over the experts" },
    .needs = "data.requests", .probe_seconds = 2,
    .help = "Load spread (CV) of each request.",
    SL_TRACES (
      [T_REQUEST_CV] = { "cv", "requests", "", "" },
      [T_REQUEST_FLOOR] = { "floor", "chance", "", "",
        SL_THEORY }) },
  [V_COVERAGE] = { .id = "coverage", .title = "Coverage by the busiest", .group = SL_SHOWS_WORK,
    .kind = SL_PROFILE, .x = { "busiest experts", .whole = true }, .y = { "share of the routings", "%" },
    .probe_seconds = 1,
    .help = "Routings of the m busiest experts, chosen in hindsight. The mark is the hot set.",
    SL_TRACES (
      [T_COVERED] = { "coverage", "busiest", "%", "" },
      [T_COVERED_EVEN] = { "even", "even", "%", "If all were equally busy: m/n.", SL_REFERENCE }) },
  [V_HOT] = { .id = "hot", .title = "Stability of the hot set", .group = SL_SHOWS_WORK,
    .kind = SL_SERIES, .y = { "share", "%" },
    .help = "Compared with the window before.",
    .formula = "Jaccard = |A ∩ B| ÷ |A ∪ B|,  by chance m ÷ (2n − m)",
    SL_TRACES (
      [T_JACCARD] = { "jaccard", "the same experts", "%", "Shared experts ÷ experts of both sets." },
      [T_JACCARD_CHANCE] = { "chance", "the same by chance", "%", "Of two random sets.", SL_THEORY },
      [T_CARRY] = { "carry", "previous hot set", "%",
        "Share of the routings." },
      [T_INSIDE] = { "inside", "own hot set", "%",
        "In hindsight." }) },
  [V_TOUCHED] = { .id = "touched", .title = "Experts that a batch needs", .group = SL_SHOWS_COST,
    .kind = SL_PROFILE, .x = { "tokens in a row", .logarithmic = true }, .y = { "different experts" },
    .probe_seconds = 2,
    .help = "Different experts that so many tokens need: the weights that a decoding step must "
            "read.",
    .formula = "by chance n (1 − (1 − k/n)ᵇ)",
    SL_TRACES (
      [T_TOUCHED] = { "touched", "recorded", "", "" },
      [T_TOUCHED_CHANCE] = { "chance", "chance", "", "", SL_THEORY },
      [T_TOUCHED_PASSES] = { "passes", "passes", "", "" }) },
  [V_TOGETHER] = { .id = "together", .title = "Experts of the same token", .group = SL_SHOWS_GATE,
    .kind = SL_HEATMAP, .x = { "expert", .whole = true }, .y = { "expert" },
    .z = { "log₂ (lift ÷ chance)" }, .zero = "too few to tell", .picks = "expert", .probe_seconds = 3,
    .help = "How often two experts get the same token, relative to chance. Pairs expected fewer "
            "than 5 times are hatched.",
    .formula = "lift = N_ij T ÷ (Lᵢ Lⱼ),  by chance n (k − 1) ÷ (k (n − 1))" },
  [V_NEXT] = { .id = "next", .title = "To the next layer", .group = SL_SHOWS_GATE,
    .kind = SL_HEATMAP, .x = { "expert of the next layer", .whole = true }, .y = { "expert" },
    .z = { "log₂ lift" }, .zero = "too few to tell", .picks = "expert", .probe_seconds = 3,
    .help = "Where the tokens of each expert go in the next recorded layer, relative to all "
            "tokens.",
    .formula = "log₂ (C_ij N ÷ (Cᵢ Cⱼ))" },
  [V_PREDICT] = { .id = "predict", .title = "Guessing the next layer", .group = SL_SHOWS_GATE,
    .kind = SL_PROFILE, .x = { "pair of layers", .whole = true }, .y = { "guessed", "%" },
    .probe_seconds = 5,
    .help = "Experts of the next layer guessed from this one, learned on the first half of the "
            "tokens and tested on the second.",
    SL_TRACES (
      [T_RECALL] = { "recall", "from this layer", "%", "" },
      [T_RECALL_ALWAYS] = { "always", "always the busiest", "%",
        "Of the first half of the tokens.", SL_REFERENCE },
      [T_RECALL_CHANCE] = { "chance", "chance", "%", "k/n.", SL_THEORY },
      [T_TOP1] = { "top1", "first expert", "%",
        "From the first expert of this layer." }) },
  [V_INFORMATION] = { .id = "information", .title = "Information on the next layer",
    .group = SL_SHOWS_GATE, .kind = SL_PROFILE, .x = { "pair of layers", .whole = true },
    .y = { "bits" }, .probe_seconds = 5,
    .help = "Mutual information of the first experts of two layers, corrected for few tokens.",
    .formula = "I + (mₓ + m_y − mₓ_y − 1) ÷ (2 N ln 2)", .source = "Miller and Madow 1955",
    SL_TRACES (
      [T_TOLD] = { "told", "told", "bits", "" },
      [T_TOLD_UNRELATED] = { "unrelated", "by unrelated tokens", "bits",
        "Tokens half the recording apart.", SL_REFERENCE },
      [T_TO_TELL] = { "all", "all there is to tell", "bits", "Entropy of that expert.",
        SL_REFERENCE }) },
  [V_CACHE] = { .id = "cache", .title = "Cache sizes", .group = SL_SHOWS_COST,
    .kind = SL_PROFILE, .drags = "cache", .x = { "experts in the cache", .whole = true },
    .y = { "hits", "%" }, .probe_seconds = 1,
    .help = "Routings whose expert is already in fast memory. Drag the mark to choose a size. "
            "The best possible cache knows the future.",
    .source = "Belady 1966",
    SL_TRACES (
      [T_LRU] = { "lru", "LRU", "%", "Keeps the most recently used." },
      [T_LFU] = { "lfu", "LFU", "%", "Keeps the most often used." },
      [T_BEST] = { "best", "best possible", "%", "Drops what is needed latest.", SL_REFERENCE },
      [T_HINDSIGHT] = { "hindsight", "fixed, planned from all tokens", "%",
        "", SL_REFERENCE },
      [T_HELD_OUT] = { "held-out", "fixed, held out", "%",
        "From the first half, tested on the second." },
      [T_ANY] = { "any", "any", "%", "", SL_THEORY }) },
  [V_HITS] = { .id = "hits", .title = "Hits at this size", .group = SL_SHOWS_COST, .kind = SL_SERIES,
    .y = { "hits", "%" }, .needs = "data.tokens",
    .help = "With the cache that is set; a change counts from the next window on.",
    SL_TRACES (
      [T_HITS_LRU] = { "lru", "LRU", "%", "Keeps the most recently used." },
      [T_HITS_LFU] = { "lfu", "LFU", "%", "Keeps the most often used." },
      [T_HITS_ANY] = { "any", "any", "%", "C/n, which is also the memory it costs.",
        SL_THEORY }) },
  [V_CAPACITY] = { .id = "capacity", .title = "Capacity of an expert", .group = SL_SHOWS_COST,
    .kind = SL_PROFILE, .drags = "capacity", .x = { "capacity factor", .logarithmic = true },
    .y = { "dropped", "%" }, .probe_seconds = 1,
    .help = "Routings beyond the capacity of their expert. Drag the mark to choose a factor.",
    .formula = "Σ max (0, L − c) ÷ Σ L,  c = ⌈CF · B k ÷ n⌉", .source = "Fedus et al. 2021",
    SL_TRACES (
      [T_DROPPED] = { "dropped", "routings", "%", "" },
      [T_HURT] = { "hurt", "tokens that lose one", "%",
        "If earlier tokens are served first." }) },
  [V_DROPPED] = { .id = "dropped", .title = "Dropped at this factor", .group = SL_SHOWS_COST,
    .kind = SL_SERIES, .y = { "dropped", "%" },
    .help = "In each window at the capacity factor that is set.",
    SL_TRACES (
      [T_DROPPED] = { "dropped", "routings", "%", "" },
      [T_HURT] = { "hurt", "tokens that lose one", "%",
        "If earlier tokens are served first." }) },
  [V_DEVICES] = { .id = "devices", .title = "Load of the devices", .group = SL_SHOWS_COST,
    .kind = SL_PROFILE, .x = { "device", .whole = true }, .y = { "load ÷ mean" }, .probe_seconds = 2,
    .help = "Three placements, planned in hindsight from all complete windows. The whole "
            "recording flatters: devices wait in each window.",
    .source = "DeepSeek, expert parallelism load balancer", SL_TRACES (PLACEMENTS ("× mean")) },
  [V_BALANCE] = { .id = "balance", .title = "Balance of the devices", .group = SL_SHOWS_COST,
    .kind = SL_SERIES, .y = { "time at work", "%" },
    .help = "Mean ÷ largest load of the devices: how busy they are if all wait for the slowest.",
    .formula = "Σ mean D ÷ Σ max D",
    SL_TRACES (PLACEMENTS ("%"),
      [T_EVEN] = { "even", "even experts", "%",
        "A router without preference, placed in order.", SL_THEORY }) },
  [V_SPARE] = { .id = "spare", .title = "Gain by redundant experts", .group = SL_SHOWS_COST,
    .kind = SL_PROFILE, .drags = "extra", .x = { "redundant experts", .whole = true },
    .y = { "time at work", "%" }, .probe_seconds = 2,
    .help = "How busy the devices are against the number of copies. Drag the mark to choose a "
            "number.",
    SL_TRACES (
      [T_SPARE_HINDSIGHT] = { "hindsight", "in hindsight", "%", "",
        SL_REFERENCE },
      [T_SPARE_HELD_OUT] = { "held-out", "held out", "%",
        "From the first half, tested on the second." }) },
  [V_BIAS] = { .id = "bias", .title = "Balance by a bias", .group = SL_SHOWS_GATE,
    .kind = SL_SERIES, .y = { "MaxVio, share" }, .needs = "data.scores",
    .help = "Largest load above the mean (MaxVio) with and without a bias on the scores. The "
            "model does not react to the bias, as it would in training.",
    .formula = "bᵢ ← bᵢ + u · sign (mean load − Lᵢ)", .source = "Wang et al. 2024; DeepSeek-V3",
    SL_TRACES (
      [T_BIAS_WITHOUT] = { "without", "as recorded", "", "", SL_REFERENCE },
      [T_BIAS_WITH] = { "with", "with the bias", "", "" },
      [T_BIAS_MOVED] = { "moved", "moved routings", "",
        "Sent to another expert by the bias." },
      [T_BIAS_LARGEST] = { "largest", "largest bias", "",
        "In the unit of the scores." }) },
  [V_COMPARE] = { .id = "compare", .title = "Comparison of loads", .group = SL_SHOWS_QUALITY,
    .kind = SL_PROFILE, .x = { "expert", .whole = true }, .y = { "difference, even shares" },
    .probe_seconds = 3,
    .help = "Between two recordings; with one, between prompts and decoding or its halves. Bars "
            "are 95 % intervals; tokens of a text hang together.",
    .formula = "n (pᵢ − qᵢ)",
    SL_TRACES ({ "difference", "difference", "", "" }) },
  [V_GATES] = { .id = "gates", .title = "Gate values", .group = SL_SHOWS_GATE, .kind = SL_SERIES,
    .y = { "" }, .needs = "data.gates",
    .help = "How uneven their sums are, how spread they are in a token, and what they add up to.",
    SL_TRACES (
      [T_IMPORTANCE] = { "importance", "CV of importance", "", "CV of the sums of gate values." },
      [T_ENTROPY] = { "entropy", "entropy", "bits", "Mean per token." },
      [T_GATE_SUM] = { "sum", "sum", "", "Mean per token." }) },
};
/* clang-format on */
