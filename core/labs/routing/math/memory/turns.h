/* SPDX-License-Identifier: MIT
 *
 * What a model needs of its experts in the order in which it computes: group after group of tokens (one token, or a
 * forward pass), in each layer after layer.  The different experts that a group needs in a layer are a turn: they are
 * looked up together, before any of them is loaded.
 *
 * An item is an expert of a layer: place of the layer · n + expert.  Letters: L layers, n experts, N = L n items, G
 * groups.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/status.h"

typedef enum {
  SL_TURNS_ALL,
  SL_TURNS_PREFILL,
  SL_TURNS_DECODE, /* groups whose first token was decoded */
  SL_N_TURN_PHASES,
} SlTurnPhase;

/* Reads the experts (n, k) of tokens from `first` on in a layer, SL_ROUTING_NONE in empty slots. */
typedef SlStatus SlTurnReader (void *data, unsigned layer, size_t first, size_t n, uint16_t *ids);

/* Where turns are from. */
typedef struct
{
  SlTurnReader   *read;
  void           *data;
  const unsigned *layer; /* (layers) handed to `read` */
  unsigned        layers, n, k;
  size_t          tokens;
  const uint32_t
    *pass; /* (passes) tokens of each group, their sum is `tokens`; NULL: each token by itself */
  size_t         passes;
  const uint8_t *decode; /* (tokens) or NULL: phases are not known */
} SlTurnSource;

/* Takes a turn of `k` items, none of them twice; k may be 0.  False: it is enough. */
typedef bool SlTurnTaker (void *data, size_t group, const uint32_t *item, unsigned k);

/* What reading needs, so that no step allocates. */
typedef struct
{
  size_t    tokens; /* that are read at once */
  uint16_t *ids;    /* (L, tokens, k) */
  uint32_t *seen;   /* (n) */
  uint32_t *item;   /* (n) */
} SlTurnRoom;

/* How many tokens are worth reading at once. */
size_t sl_turn_block (unsigned layers, unsigned k);

/* Hands the turns of groups `first` … `first` + groups - 1, which begin with token `token`, to `take`.  Allocates
 * nothing.  Failures are those of `read`.  */
SlStatus sl_turns_each (const SlTurnSource *source, SlTurnRoom *room, size_t first, size_t groups,
                        size_t token, SlTurnTaker *take, void *data);

/* Turns in memory. */
typedef struct
{
  unsigned  layers, n;
  size_t    groups;
  size_t    turns;
  size_t   *first;  /* (turns + 1) of their items */
  uint32_t *item;   /* (lookups) */
  uint32_t *group;  /* (turns) */
  uint32_t *tokens; /* (groups) */
  uint8_t  *phase;  /* (groups) SL_TURNS_PREFILL or SL_TURNS_DECODE; SL_TURNS_ALL: not known */
  bool      cut;    /* there are more groups than these */
} SlTurns;

/* Reads whole groups with at most `most` lookups, at least one group; empty turns are left out.  Free it with
 * sl_turns_clear(), also after a failure.  Blocks; `hurry`, unless NULL, is asked now and then and ends it, with what
 * there is until then.  SL_ENOMEM, and failures of `read`.  */
SlStatus sl_turns_read (const SlTurnSource *source, size_t most, bool (*hurry) (void *data),
                        void *data, SlTurns *turns);
void     sl_turns_clear (SlTurns *turns);

static inline size_t
sl_turns_items (const SlTurns *turns)
{
  return (size_t) turns->layers * turns->n;
}

static inline size_t
sl_turns_lookups (const SlTurns *turns)
{
  return turns->first[turns->turns];
}
