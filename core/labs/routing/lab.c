/* SPDX-License-Identifier: MIT
 *
 * Lab `routing`: a recording of which experts the tokens of a real model went to, replayed window by
 * window.  Nothing is trained.  This file has the state, tokens.c which tokens count, step.c and bias.c
 * what a window publishes, reports.c the figures of a whole recording, sentences.c and offer.c what is
 * said about them; loads.c, requests.c, follow.c, memory.c, devices.c and compare.c have the panels,
 * tables.c and panels.c their words.  */
#include "core/labs/routing/lab.h"

#include <string.h>

#include "core/labs/routing/offer.h"
#include "core/labs/routing/probes.h"

unsigned
sl_routing_hot (const SlRoutingLab *s)
{
  return sl_load_hot (s->n, sl_value_of (&s->base, P_HOT));
}

unsigned
sl_routing_places (const SlRoutingLab *s)
{
  return sl_cache_places ((unsigned) sl_count_of (&s->base, P_CACHE), s->n);
}

SlPlacementSetting
sl_routing_placing (const SlRoutingLab *s)
{
  return (SlPlacementSetting) { .devices = (unsigned) sl_count_of (&s->base, P_DEVICES),
                                .extra = (unsigned) sl_count_of (&s->base, P_EXTRA),
                                .nodes = (unsigned) sl_count_of (&s->base, P_NODES),
                                .groups = (unsigned) sl_count_of (&s->base, P_GROUPS) };
}

SlRoutesBalance
sl_routing_balance (const SlRoutingLab *s, unsigned layer, double *coverage)
{
  return sl_load_balance (s->n, s->layer_load + (size_t) layer * s->n, s->layer_slots[layer],
                          coverage);
}

/* The request that is looked at: none where the recording has none, and at most the last one. */
static uint32_t
choose_request (const SlRoutingLab *s)
{
  const SlRoutingLayer *layer = &s->recording->layer[s->layer];
  size_t                chosen = sl_count_of (&s->base, P_REQUEST);
  uint32_t              last = 0;

  for (size_t t = 0; chosen > 0 && layer->request != NULL && t < layer->tokens; t++)
    if (layer->request[t] != SL_ROUTING_NO_REQUEST && layer->request[t] >= last)
      last = layer->request[t] + 1;
  return chosen < last ? (uint32_t) chosen : last;
}

static SlStatus
shape (SlLabState *state)
{
  SlRoutingLab *s = sl_routing_lab (state);
  size_t        layer = sl_count_of (state, P_LAYER) - 1;

  s->recording = state->dataset->routing;
  s->n = s->recording->experts;
  s->k = s->recording->k > 0 ? s->recording->k : 1;
  s->layers = s->recording->n_layers;
  s->layer = layer < s->layers ? (unsigned) layer : s->layers - 1;
  s->has_tokens = s->recording->kind == SL_ROUTING_IDS;
  s->request = choose_request (s);
  return sl_routing_measure (s);
}

static void
carve (SlLabState *state)
{
  SlRoutingLab *s = sl_routing_lab (state);
  SlArena      *scratch = &state->scratch;
  size_t        n = s->n, slots = s->routes.tokens * s->k;
  size_t        block = s->longest > READ_AT_ONCE ? s->longest : READ_AT_ONCE;

  sl_lru_carve (&s->lru, &state->kept, s->n);
  sl_lfu_carve (&s->lfu, &state->kept, s->n);
  s->cache = sl_arena_carve (&state->kept, 1, sizeof *s->cache);

  if (s->has_tokens && s->recording->layer[s->layer].scores != NULL)
    {
      s->bias = sl_arena_carve (&state->kept, n, sizeof *s->bias);
      s->scores = sl_arena_carve (scratch, s->longest * n, sizeof *s->scores);
    }

  s->ids = sl_arena_carve (scratch, slots, sizeof *s->ids);
  if (s->has_tokens && s->recording->layer[s->layer].gates != NULL)
    s->gates = sl_arena_carve (scratch, slots, sizeof *s->gates);
  if (sl_routing_chooses (s))
    s->token = sl_arena_carve (scratch, s->routes.tokens, sizeof *s->token);
  s->first = sl_arena_carve (scratch, s->windows + 1, sizeof *s->first);
  s->tokens = sl_arena_carve (scratch, s->windows, sizeof *s->tokens);
  s->loads = sl_arena_carve (scratch, s->windows * n, sizeof *s->loads);
  s->layer_load = sl_arena_carve (scratch, s->layers * n, sizeof *s->layer_load);
  s->layer_slots = sl_arena_carve (scratch, s->layers, sizeof *s->layer_slots);
  s->block = sl_arena_carve (scratch, block * s->k, sizeof *s->block);
  s->sum = sl_arena_carve (scratch, n, sizeof *s->sum);
  s->value = sl_arena_carve (scratch, s->layers, sizeof *s->value);
  s->placement = sl_arena_carve (scratch, 1, sizeof *s->placement);
  s->next = sl_arena_carve (scratch, s->layers, sizeof *s->next);
  s->lru_share = sl_arena_carve (scratch, n, sizeof *s->lru_share);
}

/* The tables of the caches are kept with the run, their few numbers beside them. */
static void
keep_cache (SlRoutingLab *s)
{
  *s->cache = (SlRoutingCache) { .size = s->lfu.size, .held = s->lfu.held, .now = s->lfu.now };
}

static SlStatus
init (SlLabState *state, uint64_t seed)
{
  SlRoutingLab *s = sl_routing_lab (state);

  (void) seed;
  sl_lru_begin (&s->lru);
  sl_lfu_begin (&s->lfu, sl_routing_places (s));
  keep_cache (s);
  return sl_routing_fill (s);
}

static SlStatus
set (SlLabState *state, unsigned param, const SlValue *before)
{
  SlRoutingLab *s = sl_routing_lab (state);

  (void) before;
  if (param == P_CACHE)
    sl_lfu_resize (&s->lfu, sl_routing_places (s));
  keep_cache (s);
  return SL_SUCCESS;
}

static SlStatus
step (SlLabState *state, SlSink *sink)
{
  SlStatus status = sl_routing_step (state, sink);

  keep_cache (sl_routing_lab (state));
  return status;
}

static SlMessage
ended (const SlLabState *state)
{
  const SlRoutingLab *s = (const SlRoutingLab *) state;

  if (state->now.t < s->windows)
    return SL_NO_MESSAGE;
  if (s->windows == 0)
    return sl_message ("Nothing to replay: no token of layer %u is left.", s->layer + 1);
  if (s->recording->step != NULL)
    return sl_message ("End of the recording at training step %.15g; it goes on as its file grows.",
                       s->recording->step[s->windows - 1]);
  return sl_value_of (state, P_BY) == BY_PASS || !s->has_tokens
           ? sl_message ("End of the recording: all %zu passes were replayed.", s->windows)
           : sl_message ("End of the recording: all %zu windows were replayed.", s->windows);
}

static SlStatus
restored (SlLabState *state)
{
  SlRoutingLab   *s = sl_routing_lab (state);
  SlRoutingCache *cache = s->cache;
  unsigned        held = 0;

  for (unsigned i = 0; i < s->n; i++)
    {
      held += s->lfu.cached[i] != UINT64_MAX;
      if (s->lru.place[i] > s->n)
        return sl_out_of_range ();
    }
  if (state->now.t > s->windows || cache->size < 1 || cache->size > s->n || cache->held != held
      || held > cache->size)
    return sl_out_of_range ();
  s->lfu.size = cache->size;
  s->lfu.held = cache->held;
  s->lfu.now = cache->now;
  return SL_SUCCESS;
}

/* clang-format off */
const SlLab sl_lab_routing = {
  .id = "routing", .title = "Recorded routing",
  .summary = "Which experts the tokens of a real model went to. How even the loads are beside chance alone, "
             "and what caches, capacities and placements would do.",
  .reference = "Recordings as vLLM, SGLang, Megatron-LM and llama.cpp write them; measures after Wang "
               "et al. 2024, Fedus et al. 2021 and DeepSeek's load balancer",
  .params = sl_routing_params, .n_params = N_PARAMS, .panels = sl_routing_panels,
  .n_panels = N_PANELS,
  .front = &(const SlFrontPage) {
    .panels = "alive usage cv hits balance",
    .knobs = "layer window cache devices capacity",
    .bars = {
      { SL_MARK ("cache hits"), "hits.lru", "hits.any", "%" },
      { SL_MARK ("dropped"), "dropped.dropped", NULL, "%" },
      { SL_MARK ("devices busy"), "balance.static", "balance.even", "%" },
    },
  },
  .data = SL_NEEDS_ROUTING, .error = "lru-miss",
  .error_axis = &(const SlAxis) { .label = "misses of a cache, LRU", .unit = "%" }, .each_step = "window",
  .pace = "pace",
  .costs = &(const SlCosts) { .executed = "hits.any", .label = "memory", .unit = "% of the experts" },
  .state_bytes = sizeof (SlRoutingLab), .state_version = 3, .shape = shape, .carve = carve,
  .init = init, .set = set, .step = step, .probes = sl_routing_probes, .score = sl_routing_score,
  .ended = ended, .restored = restored, .offer = sl_routing_offer, .caption = sl_routing_caption,
  SL_SWEEPS (
    { .id = "cache", .title = "Sweep the cache",
      .help = "Misses against the size of the cache.",
      .axes = "cache=4,8,16,24,32,48", .seeds = "1", .steps = 1000 },
    { .id = "extra", .title = "Sweep redundant experts",
      .help = "Gain by second copies of busy experts, on tokens that the plan has not seen.",
      .axes = "extra=0,8,16,32,64", .seeds = "1", .steps = 1000 },
    { .id = "capacity", .title = "Sweep the capacity",
      .help = "Dropped routings with less and with more capacity.",
      .axes = "capacity=1,1.25,1.5,2,4", .seeds = "1", .steps = 1000 }),
  SL_PRESETS (
    { "published", "As in published summaries",
      .help = "Counts the warm-up: a few experts then seem to handle half of everything.",
      .settings = "warm-up=yes" },
    { "passes", "Pass by pass",
      .help = "A step is a recorded forward pass.",
      .settings = "by=pass" },
    { "large", "Many devices",
      .help = "32 devices with one redundant expert each, as large models are served.",
      .settings = "devices=32 extra=32" }),
  .readings = SL_NAMES (
    "Ours: the floor of chance is that of k different experts for each token; formulas for "
    "drawing with return are too high. Real tokens come in texts: it is a floor, not a test.",
    "Ours: a run of equal tokens that chance does not explain is a warm-up or padding and left out, "
    "until you count it.",
    "Reading: numbers of experts in two layers are unrelated, so their overlap is not shown; "
    "what one layer tells of the next is.",
    "Convention: all experts of a token are looked up in a cache before any is loaded, and first uses "
    "are misses.",
    "Open: caches shared by all layers, and placement that counts traffic between devices."),
  SL_TRIALS (
    { "router:tokens=2048,warm-up=128,layers=3,experts=24", "window=32" },
    { "router:tokens=1024,experts=16,k=2,warm-up=0", "window=16 layer=4 cache=5 devices=4 extra=4" },
    { "router:tokens=900,experts=12,k=1,layers=1,warm-up=64", "window=13 warm-up=yes hot=30" },
    { "router:tokens=40000,experts=8,k=8,layers=2", "by=pass nodes=2 groups=2 devices=4 replan=2" }),
};
/* clang-format on */
