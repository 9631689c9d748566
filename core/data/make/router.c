/* SPDX-License-Identifier: MIT
 *
 * The source "router": a made-up recording of routing, so that nothing needs a file.  A token's
 * experts are the k largest of n preferences plus Gumbel noise, which draws k different ones without
 * return; without skew every set of k is as likely as any other.  */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/rng.h"
#include "core/data/routing/dataset.h"
#include "core/data/routing/draft.h"

#include "core/data/source/options.h"
#include "core/data/source/sources.h"

enum { PASS = 512 };

typedef struct
{
  unsigned n, k, layers;
  size_t   tokens, warm_up;
  double   skew, drift, link;
  SlRng    rng;

  uint32_t *rank; /* (layers, n) place of each expert in the order of preference */
  uint32_t *next; /* (layers, n) expert that follows one of the layer before */
  double   *key;  /* (n) preference and noise */
  int64_t   ids[SL_ROUTING_SLOTS], before[SL_ROUTING_SLOTS];
  float     gate[SL_ROUTING_SLOTS];
} Router;

/* ln of the weight of an expert, 1 ÷ (place + 1)^skew; drift moves the places over time. */
static double
preference (const Router *r, unsigned layer, unsigned expert, double time)
{
  unsigned moved = (unsigned) (r->drift * time * r->n);
  unsigned place = (r->rank[layer * r->n + expert] + moved) % r->n;

  return -r->skew * log (place + 1.0);
}

static void
draw_keys (Router *r, unsigned layer, double time)
{
  for (unsigned i = 0; i < r->n; i++)
    r->key[i] = preference (r, layer, i, time) - log (-log (1.0 - sl_rng_uniform (&r->rng)));
}

/* The k experts with the largest keys, the largest first. */
static void
take_largest (Router *r)
{
  unsigned have = 0;

  for (unsigned i = 0; i < r->n; i++)
    {
      unsigned at;

      if (have == r->k && r->key[i] <= r->key[r->ids[r->k - 1]])
        continue;
      have += have < r->k;
      for (at = have - 1; at > 0 && r->key[i] > r->key[r->ids[at - 1]]; at--)
        r->ids[at] = r->ids[at - 1];
      r->ids[at] = i;
    }
}

/* Gates: the softmax of the chosen keys. */
static void
weigh (Router *r)
{
  double sum = 0;

  for (unsigned s = 0; s < r->k; s++)
    sum += exp (r->key[r->ids[s]] - r->key[r->ids[0]]);
  for (unsigned s = 0; s < r->k; s++)
    r->gate[s] = (float) (exp (r->key[r->ids[s]] - r->key[r->ids[0]]) / sum);
}

/* A token that follows the layer before goes to the experts that its own lead to. */
static void
route (Router *r, unsigned layer, double time)
{
  bool follows = sl_rng_uniform (&r->rng) < r->link && layer > 0;

  draw_keys (r, layer, time);
  take_largest (r);
  weigh (r);
  for (unsigned s = 0; s < r->k && follows; s++)
    r->ids[s] = r->next[layer * r->n + r->before[s]];
  memcpy (r->before, r->ids, r->k * sizeof *r->ids);
}

static SlStatus
put (Router *r, SlRoutingDraft *draft, unsigned layer, size_t token)
{
  bool begins
    = token == 0 || token == r->warm_up || (token > r->warm_up && (token - r->warm_up) % PASS == 0);

  return sl_routing_draft_token (draft, &draft->layer[layer], r->ids, r->gate, r->k, begins);
}

/* The same token over and over. */
static SlStatus
warm_up (Router *r, SlRoutingDraft *draft)
{
  SlStatus status = SL_SUCCESS;

  for (unsigned l = 0; l < r->layers; l++)
    {
      route (r, l, 0);
      for (size_t t = 0; t < r->warm_up && sl_ok (&status); t++)
        status = put (r, draft, l, t);
    }
  return status;
}

static SlStatus
record (Router *r, SlRoutingDraft *draft)
{
  SlStatus status = warm_up (r, draft);

  for (size_t t = 0; t < r->tokens; t++)
    for (unsigned l = 0; l < r->layers && sl_ok (&status); l++)
      {
        route (r, l, (double) t / (double) r->tokens);
        status = put (r, draft, l, r->warm_up + t);
      }
  return status;
}

static SlStatus
prepare (Router *r, SlRoutingDraft *draft)
{
  SlStatus             status = sl_routing_draft_slots (draft, r->k);
  SlRoutingDraftLayer *layer;

  r->rank = malloc (2 * (size_t) r->layers * r->n * sizeof *r->rank);
  r->key = malloc (r->n * sizeof *r->key);
  if (r->rank == NULL || r->key == NULL)
    return sl_status_no_memory (draft->path);
  r->next = r->rank + (size_t) r->layers * r->n;
  for (unsigned i = 0; i < 2 * r->layers * r->n; i++)
    r->rank[i] = i % r->n;
  for (unsigned l = 0; l < 2 * r->layers; l++)
    sl_rng_shuffle (&r->rng, r->rank + (size_t) l * r->n, r->n);
  for (unsigned l = 0; l < r->layers && sl_ok (&status); l++)
    {
      status = sl_routing_draft_layer (draft, (int) l, -1, &layer);
      if (sl_ok (&status))
        status = sl_routing_draft_room (draft, layer, r->warm_up + r->tokens);
    }
  return status;
}

static SlStatus
open_router (const SlSource *source, const SlSettings *settings, const SlSourceFiles *files,
             SlDataset **dataset)
{
  Router         r = { .n = (unsigned) sl_source_option (source, settings, "experts"),
                       .k = (unsigned) sl_source_option (source, settings, "k"),
                       .layers = (unsigned) sl_source_option (source, settings, "layers"),
                       .tokens = (size_t) sl_source_option (source, settings, "tokens"),
                       .warm_up = (size_t) sl_source_option (source, settings, "warm-up"),
                       .skew = sl_source_option (source, settings, "skew"),
                       .drift = sl_source_option (source, settings, "drift"),
                       .link = sl_source_option (source, settings, "link") };
  SlRoutingDraft draft;
  SlRouting     *routing = NULL;
  SlStatus       status = SL_SUCCESS;

  if (r.k > r.n)
    return sl_status_new (SL_EINVAL, "k", sl_message ("%u of %u experts", r.k, r.n),
                          sl_message ("at most as many as there are experts"));
  sl_routing_draft_init (&draft, "router", &(SlRoutingOptions) { .experts = r.n });
  draft.gates = true;
  draft.expert_bytes = 128.0 * (1 << 20); /* as of a large model: 32 GiB by default */
  sl_rng_init (&r.rng, (uint64_t) sl_source_option (source, settings, "seed"), "router");
  status = prepare (&r, &draft);
  if (sl_ok (&status))
    status = record (&r, &draft);
  if (sl_ok (&status))
    status = sl_routing_finish (&draft, &routing);
  else
    sl_routing_draft_clear (&draft);
  free (r.rank);
  free (r.key);
  return sl_ok (&status) ? sl_dataset_of_routing (routing, NULL, "Made-up router", dataset)
                         : status;
}

static const SlParam params[] = {
  SL_OPTION ("experts", "Experts", "", "Experts of each layer.", "", .kind = SL_INTEGER, .lo = 1,
             .hi = 4096, .step = 8, .fallback = 64),
  SL_OPTION ("k", "Experts per token", "", "Different experts of each token.", "",
             .kind = SL_INTEGER, .lo = 1, .hi = 64, .step = 1, .fallback = 4),
  SL_OPTION ("layers", "Layers", "", "Layers with a router, each with its own preferences.", "",
             .kind = SL_INTEGER, .lo = 1, .hi = 128, .step = 1, .fallback = 4),
  SL_OPTION ("tokens", "Tokens", "", "Recorded tokens.", "", .kind = SL_INTEGER, .lo = 1, .hi = 1e6,
             .step = 1024, .fallback = 16384),
  SL_OPTION ("skew", "Skew", "",
             "The weights of the experts fall as 1/place^skew. 0: no preference.", "",
             .kind = SL_REAL, .lo = 0, .hi = 3, .step = 0.05, .fallback = 0.3),
  SL_OPTION ("drift", "Drift", "", "How far preferences move: 1 is once around all experts.", "",
             .kind = SL_REAL, .lo = 0, .hi = 4, .step = 0.05, .fallback = 0.25),
  SL_OPTION ("link", "Link of layers", "", "Tokens whose experts follow from the layer before.", "",
             .kind = SL_REAL, .lo = 0, .hi = 1, .step = 0.05, .fallback = 0.2),
  SL_OPTION ("warm-up", "Warm-up tokens", "",
             "Equal tokens at the beginning, as inference engines run them.", "",
             .kind = SL_INTEGER, .lo = 0, .hi = 65536, .step = 1024, .fallback = 2048),
  SL_OPTION_SEED_OF ("Seed of the preferences and tokens."),
};

const SlSource sl_source_router = {
  .id = "router",
  .title = "Made-up router",
  .help = "Made-up routing with unevenness, drift and a link between layers.",
  .yields = SL_NEEDS_ROUTING,
  .params = params,
  .n_params = sizeof params / sizeof *params,
  .open = open_router,
};
