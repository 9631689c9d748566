/* SPDX-License-Identifier: MIT
 *
 * The panels of the lab `routing`, in words.  */
#include "core/labs/routing/tables.h"

#define LOAD "load ÷ even share"
#define PLACEMENTS(what)                                                                           \
  [T_STATIC] = { "static", "in order", what, "Consecutive experts on a device." },                 \
  [T_GREEDY]                                                                                       \
    = { "greedy", "by load", what, "By falling load, each to the device with the least." },        \
  [T_REPLICATED] = { "replicated", "with replicas", what,                                          \
                     "With second copies of the busiest experts in the spare places." }

/* clang-format off */
const SlPanel sl_routing_panels[N_PANELS] = {
  [V_USAGE] = { .id = "usage", .title = "Use of the experts", .group = SL_SHOWS_WORK,
    .kind = SL_HEATMAP, .x = { "window", .whole = true }, .y = { "expert" }, .z = { LOAD },
    .centre = 1, .zero = "idle", .picks = "expert", .probe_seconds = 0.3,
    .help = "Routings of each expert over the windows replayed so far, relative to an even share. In a "
            "small window experts are idle by chance too.",
    .formula = "n Lᵢ ÷ R" },
  [V_LAYERS] = { .id = "layers", .title = "All layers", .group = SL_SHOWS_WORK, .kind = SL_HEATMAP,
    .x = { "expert", .whole = true }, .y = { "layer" }, .z = { LOAD }, .centre = 1, .zero = "dead",
    .picks = "layer", .probe_seconds = 2,
    .help = "Routings of each expert in each layer of the whole recording, relative to an even share; "
            "hatched is dead. A click on a row replays that layer. Numbers of experts in two layers "
            "have nothing to do with each other.",
    .formula = "n Lᵢ ÷ R" },
  [V_CV] = { .id = "cv", .title = "Imbalance (CV)", .group = SL_SHOWS_WORK, .kind = SL_SERIES,
    .y = { "CV over the experts", .logarithmic = true },
    .help = "Standard deviation ÷ mean of the loads of each window. A router without preference is at "
            "the floor; real tokens come in texts, so windows are above it even if the whole is not.",
    .formula = "floor = √((n − s) ÷ R),  s = Σ kₜ² ÷ Σ kₜ  (ours)",
    SL_TRACES (
      [T_CV] = { "cv", "this layer", "", "CV of the loads of the window." },
      [T_CV_FLOOR] = { "floor", "chance", "", "Root of the mean CV² of a router without preference.",
        SL_THEORY },
      [T_CV_95] = { "p95", "95 % of chance", "", "95 % of such routers stay below this.", SL_THEORY },
      [T_CV_SAME] = { "same", "always the same k", "", "Full collapse: √(n/k − 1).", SL_REFERENCE },
      [T_CV_MEDIAN] = { "median", "median layer", "",
        "Median of the CV over the layers that have the same tokens." },
      [T_CV_GREATEST] = { "greatest", "most uneven layer", "",
        "Greatest CV over the layers that have the same tokens." }) },
  [V_PEAK] = { .id = "peak", .title = "Largest load", .group = SL_SHOWS_WORK, .kind = SL_SERIES,
    .y = { "largest ÷ mean load", .logarithmic = true },
    .help = "Load of the busiest expert of each window relative to the mean. Where each expert has a "
            "device of its own, all others wait for this one.",
    .formula = "n max L ÷ R = MaxVio + 1", .source = "Wang et al. 2024",
    SL_TRACES (
      [T_PEAK] = { "peak", "this layer", "× mean", "Largest ÷ mean load of the window." },
      [T_PEAK_CHANCE] = { "chance", "chance, about", "× mean",
        "What a router without preference reaches, about; good from 8 routings an expert on.",
        SL_THEORY },
      [T_PEAK_SAME] = { "same", "always the same k", "× mean", "Full collapse: n/k.",
        SL_REFERENCE }) },
  [V_EFFECTIVE] = { .id = "effective", .title = "Effective experts", .group = SL_SHOWS_WORK,
    .kind = SL_SERIES, .y = { "experts", .whole = true },
    .help = "As many experts with equal loads would have the same entropy. Beside it how many were "
            "used at all.",
    .formula = "exp (−Σ p ln p),  p = L ÷ R",
    SL_TRACES (
      [T_EFFECTIVE] = { "effective", "effective", "", "exp of the entropy of the window's loads." },
      [T_EFFECTIVE_CHANCE] = { "chance", "chance, about", "",
        "The same of a router without preference, about.", SL_THEORY },
      [T_USED] = { "used", "used", "", "Experts with any routing in the window." },
      [T_THERE] = { "there", "all experts", "", "Number of experts.", SL_REFERENCE }) },
  [V_BY_LAYER] = { .id = "by-layer", .title = "Layer by layer", .group = SL_SHOWS_WORK,
    .kind = SL_PROFILE, .x = { "layer", .whole = true }, .y = { "" }, .probe_seconds = 2,
    .help = "Numbers of each layer, of the whole recording; the mark is the chosen layer. How uneven "
            "layers are differs more between them than between windows.",
    SL_TRACES (
      [T_LAYER_CV] = { "cv", "CV", "", "CV of the loads of the layer." },
      [T_LAYER_FLOOR] = { "floor", "CV by chance", "", "What a router without preference has.",
        SL_THEORY },
      [T_LAYER_HOT] = { "hot", "hot set", "", "Share of the routings that the hot set serves." },
      [T_LAYER_EFFECTIVE] = { "effective", "effective ÷ n", "",
        "Effective experts, as a share of all." }) },
  [V_REQUESTS] = { .id = "requests", .title = "Request by request", .group = SL_SHOWS_WORK,
    .kind = SL_PROFILE, .x = { "request", .whole = true }, .y = { "CV over the experts" },
    .needs = "data.requests", .probe_seconds = 2,
    .help = "How uneven the loads of each request are, beside what chance makes of as many tokens. "
            "Single texts can be far from it where all together are near.",
    SL_TRACES (
      [T_REQUEST_CV] = { "cv", "requests", "", "CV of the loads of the request's tokens." },
      [T_REQUEST_FLOOR] = { "floor", "chance", "", "What a router without preference has.",
        SL_THEORY }) },
  [V_COVERAGE] = { .id = "coverage", .title = "How much the busiest serve", .group = SL_SHOWS_WORK,
    .kind = SL_PROFILE, .x = { "busiest experts", .whole = true }, .y = { "share of the routings", "%" },
    .probe_seconds = 1,
    .help = "Share of the routings that the m busiest experts get, chosen in hindsight. The mark is "
            "the hot set.",
    SL_TRACES (
      [T_COVERED] = { "coverage", "busiest", "%", "Served by the m busiest." },
      [T_COVERED_EVEN] = { "even", "even", "%", "Were all equally busy: m/n.", SL_REFERENCE }) },
  [V_HOT] = { .id = "hot", .title = "Does the hot set stay", .group = SL_SHOWS_WORK,
    .kind = SL_SERIES, .y = { "share", "%" },
    .help = "The hot set of each window beside that of the window before. A hot set that serves its "
            "own window but not the next one is noise.",
    .formula = "Jaccard = |A ∩ B| ÷ |A ∪ B|,  by chance m ÷ (2n − m)",
    SL_TRACES (
      [T_JACCARD] = { "jaccard", "the same experts", "%", "Shared experts ÷ experts of both sets." },
      [T_JACCARD_CHANCE] = { "chance", "the same by chance", "%", "Of two random sets.", SL_THEORY },
      [T_CARRY] = { "carry", "served by the last one's", "%",
        "Share of the window's routings that the hot set of the window before serves." },
      [T_INSIDE] = { "inside", "served by its own", "%",
        "Share that the window's own hot set serves, in hindsight." }) },
  [V_TOUCHED] = { .id = "touched", .title = "Experts that a batch needs", .group = SL_SHOWS_COST,
    .kind = SL_PROFILE, .x = { "tokens in a row", .logarithmic = true }, .y = { "different experts" },
    .probe_seconds = 2,
    .help = "How many different experts so many tokens need: the weights that a decoding step must "
            "read. Counted by passes, those that were recorded stand beside it.",
    .formula = "by chance n (1 − (1 − k/n)ᵇ)",
    SL_TRACES (
      [T_TOUCHED] = { "touched", "recorded", "", "Mean over groups of so many tokens." },
      [T_TOUCHED_CHANCE] = { "chance", "chance", "", "Of a router without preference.", SL_THEORY },
      [T_TOUCHED_PASSES] = { "passes", "passes", "", "Mean over recorded passes of this size." }) },
  [V_TOGETHER] = { .id = "together", .title = "Experts of the same token", .group = SL_SHOWS_GATE,
    .kind = SL_HEATMAP, .x = { "expert", .whole = true }, .y = { "expert" },
    .z = { "log₂ (lift ÷ chance)" }, .zero = "too few to tell", .picks = "expert", .probe_seconds = 3,
    .help = "How much more, or less, often two experts get the same token than by chance. Pairs that "
            "would meet less than 5 times are hatched.",
    .formula = "lift = N_ij T ÷ (Lᵢ Lⱼ),  by chance n (k − 1) ÷ (k (n − 1))" },
  [V_NEXT] = { .id = "next", .title = "To the next layer", .group = SL_SHOWS_GATE,
    .kind = SL_HEATMAP, .x = { "expert of the next layer", .whole = true }, .y = { "expert" },
    .z = { "log₂ lift" }, .zero = "too few to tell", .picks = "expert", .probe_seconds = 3,
    .help = "Where the tokens of each expert go in the next recorded layer, relative to where all go. "
            "A bright cell can be fetched ahead.",
    .formula = "log₂ (C_ij N ÷ (Cᵢ Cⱼ))" },
  [V_PREDICT] = { .id = "predict", .title = "Guessing the next layer", .group = SL_SHOWS_GATE,
    .kind = SL_PROFILE, .x = { "pair of layers", .whole = true }, .y = { "guessed", "%" },
    .probe_seconds = 5,
    .help = "Share of the next layer's experts that are guessed from this layer's, learned on the first "
            "half of the tokens and judged on the second. Always naming the busiest needs no layer at "
            "all.",
    SL_TRACES (
      [T_RECALL] = { "recall", "from this layer", "%", "Guessed among those of the next layer." },
      [T_RECALL_ALWAYS] = { "always", "always the busiest", "%",
        "The busiest of the first half, whatever the token.", SL_REFERENCE },
      [T_RECALL_CHANCE] = { "chance", "chance", "%", "k/n.", SL_THEORY },
      [T_TOP1] = { "top1", "first expert", "%",
        "The first expert of the next layer, guessed from the first of this one." }) },
  [V_INFORMATION] = { .id = "information", .title = "What a layer tells of the next",
    .group = SL_SHOWS_GATE, .kind = SL_PROFILE, .x = { "pair of layers", .whole = true },
    .y = { "bits" }, .probe_seconds = 5,
    .help = "Mutual information of the first experts of two layers, corrected for few tokens. What "
            "unrelated tokens seem to tell is what the correction leaves of chance.",
    .formula = "I + (mₓ + m_y − mₓ_y − 1) ÷ (2 N ln 2)", .source = "Miller and Madow 1955",
    SL_TRACES (
      [T_TOLD] = { "told", "told", "bits", "By the first expert of the layer." },
      [T_TOLD_UNRELATED] = { "unrelated", "by unrelated tokens", "bits",
        "The same with tokens that lie half the recording apart.", SL_REFERENCE },
      [T_TO_TELL] = { "all", "all there is to tell", "bits", "Entropy of the next layer's first expert.",
        SL_REFERENCE }) },
  [V_CACHE] = { .id = "cache", .title = "Caches of all sizes", .group = SL_SHOWS_COST,
    .kind = SL_PROFILE, .drags = "cache", .x = { "experts in the cache", .whole = true },
    .y = { "hits", "%" }, .probe_seconds = 1,
    .help = "Share of the routings whose expert is already in fast memory, over the whole recording. "
            "Drag the mark to choose a size. The best possible cache knows the future and is only a "
            "bound.",
    .source = "Belady 1966",
    SL_TRACES (
      [T_LRU] = { "lru", "LRU", "%", "What was used last stays." },
      [T_LFU] = { "lfu", "LFU", "%", "What was used most often stays." },
      [T_BEST] = { "best", "best possible", "%", "What is needed again last goes.", SL_REFERENCE },
      [T_HINDSIGHT] = { "hindsight", "fixed, in hindsight", "%",
        "The busiest of the whole recording.", SL_REFERENCE },
      [T_HELD_OUT] = { "held-out", "fixed, held out", "%",
        "The busiest of the first half, judged on the second." },
      [T_ANY] = { "any", "any", "%", "Any C of n: C/n.", SL_THEORY }) },
  [V_HITS] = { .id = "hits", .title = "Hits at this size", .group = SL_SHOWS_COST, .kind = SL_SERIES,
    .y = { "hits", "%" }, .needs = "data.tokens",
    .help = "Hits in each window with the cache as it is set; a change counts from the next window "
            "on. The first windows fill the cache.",
    SL_TRACES (
      [T_HITS_LRU] = { "lru", "LRU", "%", "What was used last stays." },
      [T_HITS_LFU] = { "lfu", "LFU", "%", "What was used most often stays." },
      [T_HITS_ANY] = { "any", "any", "%", "Any C of n: C/n, which is also the memory it costs.",
        SL_THEORY }) },
  [V_CAPACITY] = { .id = "capacity", .title = "Capacity of an expert", .group = SL_SHOWS_COST,
    .kind = SL_PROFILE, .drags = "capacity", .x = { "capacity factor", .logarithmic = true },
    .y = { "dropped", "%" }, .probe_seconds = 1,
    .help = "Share of the routings beyond what their expert takes in a window, over the whole "
            "recording. Drag the mark to choose a factor.",
    .formula = "Σ max (0, L − c) ÷ Σ L,  c = ⌈CF · B k ÷ n⌉", .source = "Fedus et al. 2021",
    SL_TRACES (
      [T_DROPPED] = { "dropped", "routings", "%", "Dropped, whatever is dropped." },
      [T_HURT] = { "hurt", "tokens that lose one", "%",
        "If the first to come is served first." }) },
  [V_DROPPED] = { .id = "dropped", .title = "Dropped at this factor", .group = SL_SHOWS_COST,
    .kind = SL_SERIES, .y = { "dropped", "%" },
    .help = "What is dropped in each window with the capacity factor as it is set.",
    SL_TRACES (
      [T_DROPPED] = { "dropped", "routings", "%", "Beyond the capacity of their expert." },
      [T_HURT] = { "hurt", "tokens that lose one", "%",
        "If the first to come is served first." }) },
  [V_DEVICES] = { .id = "devices", .title = "Load of the devices", .group = SL_SHOWS_COST,
    .kind = SL_PROFILE, .x = { "device", .whole = true }, .y = { "load ÷ mean" }, .probe_seconds = 2,
    .help = "Load of each device under three placements that are planned in hindsight from all "
            "complete windows. The whole recording flatters: what devices wait for is each window.",
    .source = "DeepSeek, expert parallelism load balancer", SL_TRACES (PLACEMENTS ("× mean")) },
  [V_BALANCE] = { .id = "balance", .title = "Work in this window", .group = SL_SHOWS_COST,
    .kind = SL_SERIES, .y = { "share of the time that is work", "%" },
    .help = "Mean ÷ largest load of the devices in each window, if all wait for the slowest one. Plans "
            "are made from the windows before; until there are enough of them, there is none.",
    .formula = "Σ mean D ÷ Σ max D",
    SL_TRACES (PLACEMENTS ("%"),
      [T_EVEN] = { "even", "even experts", "%",
        "What a router without preference would reach, placed in order.", SL_THEORY }) },
  [V_SPARE] = { .id = "spare", .title = "What spare places buy", .group = SL_SHOWS_COST,
    .kind = SL_PROFILE, .drags = "extra", .x = { "spare places", .whole = true },
    .y = { "share of the time that is work", "%" }, .probe_seconds = 2,
    .help = "Share of the devices' time that is work, window by window, against the places for "
            "copies: planned in hindsight, and planned from the first half and judged on the second. "
            "Drag the mark to choose a number.",
    SL_TRACES (
      [T_SPARE_HINDSIGHT] = { "hindsight", "in hindsight", "%", "Planned from all, judged on all.",
        SL_REFERENCE },
      [T_SPARE_HELD_OUT] = { "held-out", "held out", "%",
        "Planned from the first half, judged on the second." }) },
  [V_BIAS] = { .id = "bias", .title = "Balance by a bias", .group = SL_SHOWS_GATE,
    .kind = SL_SERIES, .y = { "MaxVio, share" }, .needs = "data.scores",
    .help = "Largest load above the mean with and without a bias on the scores that is moved after "
            "each window. It says how large the bias must be, not how training would go: the model "
            "behind it does not react.",
    .formula = "bᵢ ← bᵢ + u · sign (mean load − Lᵢ)", .source = "Wang et al. 2024; DeepSeek-V3",
    SL_TRACES (
      [T_BIAS_WITHOUT] = { "without", "as recorded", "", "MaxVio without a bias.", SL_REFERENCE },
      [T_BIAS_WITH] = { "with", "with the bias", "", "MaxVio with it." },
      [T_BIAS_MOVED] = { "moved", "moved routings", "",
        "Share of the window's routings that go to another expert with the bias." },
      [T_BIAS_LARGEST] = { "largest", "largest bias", "",
        "Largest bias of an expert after the window, up or down, in the unit of the scores." }) },
  [V_COMPARE] = { .id = "compare", .title = "One against the other", .group = SL_SHOWS_QUALITY,
    .kind = SL_PROFILE, .x = { "expert", .whole = true }, .y = { "difference, even shares" },
    .probe_seconds = 3,
    .help = "Difference of the experts' loads between two recordings; where there is one, between "
            "prompts and decoding, or between its halves. Bars are 95 % intervals that know that "
            "tokens of a text hang together.",
    .formula = "n (pᵢ − qᵢ)",
    SL_TRACES ({ "difference", "difference", "", "Of the shares, in even shares." }) },
  [V_GATES] = { .id = "gates", .title = "Gate values", .group = SL_SHOWS_GATE, .kind = SL_SERIES,
    .y = { "" }, .needs = "data.gates",
    .help = "What the gate values of each window say: how uneven their sums are, how spread they are in "
            "a token, and what they add up to. Load and importance are different things.",
    SL_TRACES (
      [T_IMPORTANCE] = { "importance", "CV of importance", "", "CV of the sums of gate values." },
      [T_ENTROPY] = { "entropy", "entropy", "bits", "Mean entropy of a token's gate values." },
      [T_GATE_SUM] = { "sum", "sum", "", "Mean sum of a token's gate values." }) },
};
/* clang-format on */
