/* SPDX-License-Identifier: MIT
 *
 * What the files of the lab `routing` share; nobody else includes this.
 *
 * Letters: T tokens of the chosen layer that count, n experts, k slots of a token, W windows, L layers,
 * A layers with the same tokens as the chosen one.  */
#pragma once

#include "core/data/routing/routing.h"
#include "core/lab/kit/state.h"
#include "core/labs/routing/math/load.h"
#include "core/labs/routing/math/memory/keep.h"
#include "core/labs/routing/math/memory/memory.h"
#include "core/labs/routing/math/placement.h"
#include "core/labs/routing/tables.h"

enum { READ_AT_ONCE = 4096, SL_ROUTING_CURVE = 32 };

/* Hits of caches of several sizes, and of the one that is set.  */
typedef struct
{
  size_t     n, size[SL_ROUTING_CURVE]; /* of what takes one pass for all */
  SlTurnHits lru[SL_ROUTING_CURVE];
  double     pinned[SL_ROUTING_CURVE];

  bool       counted;                                     /* what is above is there */
  size_t     n_replayed, done, replayed[SL_MEMORY_SIZES]; /* of what is replayed size by size */
  SlTurnHits lfu[SL_MEMORY_SIZES], best[SL_MEMORY_SIZES];

  size_t     chosen; /* 0: not made yet */
  SlTurnHits chosen_lru, chosen_lfu, chosen_best;
} SlRoutingCaches;

typedef struct
{
  SlLabState       base;
  const SlRouting *recording;
  unsigned         n, k, layers, layer; /* k: at least 1 */
  uint32_t         request;             /* that is looked at, from 1; 0: all */
  bool             has_tokens;          /* else only rows of counts were recorded */

  /* The chosen layer. */
  SlRoutes  routes; /* of ids */
  uint16_t *ids;    /* (T, k) */
  float    *gates;  /* (T, k) or NULL */
  uint32_t *token;  /* (T) their numbers among those that count, or NULL: 0 … T - 1 */
  uint64_t *load;   /* (n) */
  double    slots;  /* as for sl_load_balance() */

  size_t windows; /* W */
  size_t
    complete; /* of them, those that are not cut short by the end, the last perhaps with a rest */
  size_t   *first;   /* (W + 1) their tokens */
  size_t   *tokens;  /* (W) how many */
  uint64_t *loads;   /* (W, n) */
  size_t    longest; /* the most tokens of a window */

  /* All layers. */
  uint64_t *layer_load;  /* (L, n) */
  uint64_t *layer_first; /* (L, n) of the first half of their tokens or rows */
  double   *layer_slots; /* (L) */

  /* The layers that share a cache. */
  unsigned *aligned;   /* (A) */
  unsigned  n_aligned; /* A */
  uint8_t  *decode;    /* (T) or NULL: phases are not known */
  uint32_t *pass;      /* (W) tokens of each pass, or NULL: tokens come one by one */

  /* Room of a step. */
  uint16_t    *block; /* (longest or READ_AT_ONCE, k) */
  uint64_t    *sum;   /* (n) */
  double      *value; /* (L) */
  SlPlacement *placement;
  SlTurnRoom   room;

  /* What goes on from step to step. */
  SlRecent recent;

  /* What does not change in a run, made when it is first looked at. */
  SlTurns         turns; /* of memory.c; no turns: not made yet */
  SlTurnCounts    counts;
  SlRoutingCaches caches;
} SlRoutingLab;

static inline SlRoutingLab *
sl_routing_lab (SlLabState *state)
{
  return (SlRoutingLab *) state;
}

/* The tokens of window w. */
static inline SlRoutes
sl_routing_window (const SlRoutingLab *s, size_t w)
{
  return sl_routes_part (&s->routes, s->first[w], s->tokens[w]);
}

static inline const uint64_t *
sl_routing_window_load (const SlRoutingLab *s, size_t w)
{
  return s->loads + w * s->n;
}

/* Bytes of an expert, as recorded or set; places of the cache for all layers that share it; and what the settings say
 * of placements.  */
double             sl_routing_bytes (const SlRoutingLab *s);
size_t             sl_routing_places (const SlRoutingLab *s);
SlPlacementSetting sl_routing_placing (const SlRoutingLab *s);
SlRoutesBalance    sl_routing_balance (const SlRoutingLab *s, unsigned layer, double *coverage);

/* tokens.c: whether only some of the tokens are looked at, and how many of a layer are. */
bool   sl_routing_chooses (const SlRoutingLab *s);
size_t sl_routing_count (const SlRoutingLab *s, unsigned layer);

/* Sizes up the windows, before anything is laid out; then fills them and reads the chosen layer. */
SlStatus sl_routing_measure (SlRoutingLab *s);
SlStatus sl_routing_fill (SlRoutingLab *s);

/* Whether a layer has the same tokens as the chosen one. */
bool sl_routing_aligned (const SlRoutingLab *s, unsigned layer);

/* Reads `n` of the chosen layer's tokens as another layer has them, which is aligned with it. */
SlStatus sl_routing_read_layer (const SlRoutingLab *s, unsigned layer, size_t first, size_t n,
                                uint16_t *ids);

/* The experts (k) of one of the chosen layer's tokens in a layer that is aligned with it, and its gates (k) unless
 * that is NULL.  */
SlStatus sl_routing_read_token (const SlRoutingLab *s, unsigned layer, size_t token, uint16_t *ids,
                                float *gates);

/* step.c */
SlStatus sl_routing_step (SlLabState *state, SlSink *sink);

/* memory.c: where the turns of the layers that share a cache come from. */
SlTurnSource sl_routing_source (const SlRoutingLab *s);

/* reports.c */
extern const SlScore sl_routing_score_names[];
void sl_routing_score (SlLabState *state, SlSplit split, SlScore *scores, unsigned *n);
