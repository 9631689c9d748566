/* SPDX-License-Identifier: MIT
 *
 * Lab `routing`: a recording of which experts the tokens of a real model went to, replayed window by
 * window.  Nothing is trained.  This file has the state, tokens.c which tokens count, step.c what a window
 * publishes, reports.c the figures of a whole recording, sentences.c and offer.c what is said about them.
 * The panels answer four questions: how even the loads are (loads.c, requests.c, compare.c), what is used
 * where (alive.c, words.c, loads.c, together.c), what a cache or pruning would do (memory.c, keep.c), and
 * what devices would see (devices.c).  */
#include "core/labs/routing/lab.h"

#include <string.h>

#include "core/labs/routing/offer.h"
#include "core/labs/routing/probes.h"

double
sl_routing_bytes (const SlRoutingLab *s)
{
  return s->recording->expert_bytes > 0.0 ? s->recording->expert_bytes
                                          : sl_value_of (&s->base, P_EXPERT_SIZE) * 0x1p20;
}

size_t
sl_routing_places (const SlRoutingLab *s)
{
  return sl_memory_places (sl_value_of (&s->base, P_MEMORY), sl_routing_bytes (s),
                           (size_t) s->n_aligned * s->n);
}

SlPlacementSetting
sl_routing_placing (const SlRoutingLab *s)
{
  return (SlPlacementSetting) { .devices = (unsigned) sl_count_of (&s->base, P_DEVICES),
                                .extra = (unsigned) sl_count_of (&s->base, P_EXTRA),
                                .nodes = 1,
                                .groups = 1 };
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

/* A choice of tokens that the recording does not tell apart would choose none, or all, in silence. */
static SlStatus
check_choice (const SlRoutingLab *s)
{
  const SlRoutingLayer *layer = &s->recording->layer[s->layer];

  if (sl_value_of (&s->base, P_PHASE) != PHASE_ALL && layer->decode == NULL)
    return sl_status_new (SL_EINVAL, "phase", sl_message ("a recording without phases"),
                          sl_message ("phase=all; decode= of the data says which passes decode"));
  if (sl_count_of (&s->base, P_REQUEST) > 0 && layer->request == NULL)
    return sl_status_new (SL_EINVAL, "request", sl_message ("a recording without requests"),
                          sl_message ("request=0, which is all"));
  return SL_SUCCESS;
}

static SlStatus
shape (SlLabState *state)
{
  SlRoutingLab *s = sl_routing_lab (state);
  size_t        layer = sl_count_of (state, P_LAYER);
  SlStatus      status;

  s->recording = state->dataset->routing;
  s->n = s->recording->experts;
  s->k = s->recording->k > 0 ? s->recording->k : 1;
  s->layers = s->recording->n_layers;
  s->layer = layer < s->layers ? (unsigned) layer : s->layers - 1;
  s->has_tokens = s->recording->kind == SL_ROUTING_IDS;
  status = check_choice (s);
  if (!sl_ok (&status))
    return status;
  s->request = choose_request (s);
  s->n_aligned = 0;
  for (unsigned l = 0; l < s->layers; l++)
    s->n_aligned += sl_routing_aligned (s, l);
  return sl_routing_measure (s);
}

static void
carve_cache (SlRoutingLab *s)
{
  SlArena *scratch = &s->base.scratch;

  sl_recent_carve (&s->recent, &s->base.kept, s->n_aligned * s->n);
  s->aligned = sl_arena_carve (scratch, s->n_aligned, sizeof *s->aligned);
  if (s->recording->layer[s->layer].decode != NULL)
    s->decode = sl_arena_carve (scratch, s->routes.tokens, sizeof *s->decode);
  if (sl_value_of (&s->base, P_BY) == BY_PASS)
    s->pass = sl_arena_carve (scratch, s->windows, sizeof *s->pass);
  s->room.tokens = sl_turn_block (s->n_aligned, s->k);
  s->room.ids = sl_arena_carve (scratch, s->n_aligned * s->room.tokens * s->k, sizeof *s->room.ids);
  s->room.seen = sl_arena_carve (scratch, s->n, sizeof *s->room.seen);
  s->room.item = sl_arena_carve (scratch, s->n, sizeof *s->room.item);
}

static void
carve (SlLabState *state)
{
  SlRoutingLab *s = sl_routing_lab (state);
  SlArena      *scratch = &state->scratch;
  size_t        n = s->n, slots = s->routes.tokens * s->k;
  size_t        block = s->longest > READ_AT_ONCE ? s->longest : READ_AT_ONCE;

  if (s->has_tokens)
    carve_cache (s);
  s->ids = sl_arena_carve (scratch, slots, sizeof *s->ids);
  if (s->has_tokens && s->recording->layer[s->layer].gates != NULL)
    s->gates = sl_arena_carve (scratch, slots, sizeof *s->gates);
  if (sl_routing_chooses (s))
    s->token = sl_arena_carve (scratch, s->routes.tokens, sizeof *s->token);
  s->first = sl_arena_carve (scratch, s->windows + 1, sizeof *s->first);
  s->tokens = sl_arena_carve (scratch, s->windows, sizeof *s->tokens);
  s->loads = sl_arena_carve (scratch, s->windows * n, sizeof *s->loads);
  s->layer_load = sl_arena_carve (scratch, s->layers * n, sizeof *s->layer_load);
  s->layer_first = sl_arena_carve (scratch, s->layers * n, sizeof *s->layer_first);
  s->layer_slots = sl_arena_carve (scratch, s->layers, sizeof *s->layer_slots);
  s->block = sl_arena_carve (scratch, block * s->k, sizeof *s->block);
  s->sum = sl_arena_carve (scratch, n, sizeof *s->sum);
  s->value = sl_arena_carve (scratch, s->layers, sizeof *s->value);
  s->placement = sl_arena_carve (scratch, 1, sizeof *s->placement);
}

static SlStatus
init (SlLabState *state, uint64_t seed)
{
  SlRoutingLab *s = sl_routing_lab (state);

  (void) seed;
  if (s->has_tokens)
    sl_recent_begin (&s->recent, (uint32_t) sl_routing_places (s));
  return sl_routing_fill (s);
}

static SlStatus
set (SlLabState *state, unsigned param, const SlValue *before)
{
  SlRoutingLab *s = sl_routing_lab (state);

  (void) before;
  if (s->has_tokens && (param == P_MEMORY || param == P_EXPERT_SIZE))
    sl_recent_resize (&s->recent, (uint32_t) sl_routing_places (s));
  return SL_SUCCESS;
}

static SlMessage
ended (const SlLabState *state)
{
  const SlRoutingLab *s = (const SlRoutingLab *) state;
  char                name[64];

  if (state->now.t < s->windows)
    return SL_NO_MESSAGE;
  if (s->windows == 0)
    return sl_message ("Nothing to replay: no token of layer %s is left.",
                       sl_routing_layer_name (&s->recording->layer[s->layer], name, sizeof name));
  if (s->recording->step != NULL)
    return sl_message ("End of the recording at training step %.15g; it grows with its file.",
                       s->recording->step[s->windows - 1]);
  return sl_value_of (state, P_BY) == BY_PASS || !s->has_tokens
           ? sl_message ("End of the recording: %zu passes.", s->windows)
           : sl_message ("End of the recording: %zu windows.", s->windows);
}

static SlStatus
restored (SlLabState *state)
{
  SlRoutingLab *s = sl_routing_lab (state);

  if (state->now.t > s->windows || (s->has_tokens && !sl_recent_is_sound (&s->recent)))
    return sl_out_of_range ();
  return SL_SUCCESS;
}

static void
clear (SlLabState *state)
{
  sl_turns_clear (&sl_routing_lab (state)->turns);
}

/* clang-format off */
const SlLab sl_lab_routing = {
  .id = "routing", .title = "Recorded routing",
  .summary = "Which experts the tokens of a real model went to: how even the loads are, and what caches, capacities "
             "and placements would do.",
  .reference = "Recordings as vLLM, SGLang, Megatron-LM and llama.cpp write them; measures after Wang "
               "et al. 2024, Fedus et al. 2021 and DeepSeek's load balancer",
  .params = sl_routing_params, .n_params = N_PARAMS, .panels = sl_routing_panels,
  .n_panels = N_PANELS,
  .questions = SL_NAMES ("How even are the loads?", "What is used where?",
                         "What would a cache or pruning do?", "What would devices see?"),
  .front = &(const SlFrontPage) {
    .panels = "alive words by-layer cache coverage layers cv usage",
    .knobs = "layer expert memory expert-size keep devices window",
    .bars = {
      { SL_MARK ("last window's spread (CV)"), "cv.cv", "cv.floor", NULL },
      { SL_MARK ("cache hits"), "hits.lru", "hits.any", "%" },
      { SL_MARK ("devices busy"), "balance.static", "balance.even", "%" },
    },
  },
  .gone = SL_NAMES ("cache", "nodes", "groups", "bias-rate", "score", "hot"),
  .data = SL_NEEDS_ROUTING, .error = "lru-miss",
  .error_axis = &(const SlAxis) { .label = "misses of a cache, LRU", .unit = "%" }, .each_step = "window",
  .pace = "pace",
  .costs = &(const SlCosts) { .executed = "hits.any", .label = "memory", .unit = "% of the experts" },
  .state_bytes = sizeof (SlRoutingLab), .state_version = 4, .shape = shape, .carve = carve,
  .init = init, .set = set, .step = sl_routing_step, .probes = sl_routing_probes, .score = sl_routing_score, .scores = sl_routing_score_names,
  .ended = ended, .restored = restored, .clear = clear, .offer = sl_routing_offer, .caption = sl_routing_caption,
  SL_PRESETS (
    { "published", "As in published summaries",
      .help = "Counts the warm-up, too: a few experts then seem to do more than they do.",
      .settings = "warm-up=yes",
      .holds = SL_NAMES ("5", "coverage.coverage@4 > 12", "warm-up=no 5", "coverage.coverage@4 < 10") },
    { "passes", "Pass by pass",
      .help = "A step is a recorded forward pass.",
      .settings = "by=pass" },
    { "large", "Many devices",
      .help = "32 devices with one redundant expert each, as large models run.",
      .settings = "devices=32 extra=32" }),
  .readings = SL_NAMES (
    "Ours: the floor of chance is that of k different experts for each token. Real tokens come in texts: it is a "
    "floor, not a test.",
    "Ours: a run of equal tokens that chance does not explain is a warm-up or padding and left out.",
    "Convention: all experts that a token, or a pass, needs in a layer are looked up in a cache before any is "
    "loaded.",
    "Open: experts loaded ahead by the next layer's guess, and placement that counts traffic between "
    "devices."),
  SL_TRIALS (
    { "router:tokens=2048,warm-up=128,layers=3,experts=24", "window=32" },
    { "router:tokens=1024,experts=16,k=2,warm-up=0", "window=16 layer=3 memory=1 devices=4 extra=4" },
    { "router:tokens=900,experts=12,k=1,layers=1,warm-up=64", "window=13 warm-up=yes memory=0.3" },
    { "router:tokens=40000,experts=8,k=8,layers=2", "by=pass devices=4 replan=2 memory=0.5" }),
};
/* clang-format on */
