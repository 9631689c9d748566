/* SPDX-License-Identifier: MIT
 *
 * One cache for the experts of all layers, of models that do not fit into memory.  C places hold C experts of whatever
 * layer.  First uses are misses.  Policies, for the turns of turns.h:
 *
 *   LRU     what was used last stays: of a turn, its last item is the most recent
 *   LFU     what was used most often over the whole past stays; of equal ones, what was used last
 *   BEST    what is needed again first stays (Belady 1966); of equal ones the lower item
 *   pinned  a fixed set: the items used most often in the first half of the groups, judged on the second
 *
 * Items of a turn are let in one after the other and do not drive out one another.  */
#pragma once

#include "core/base/arena.h"
#include "core/labs/routing/math/memory/turns.h"

/* Lookups, those of items never looked up before, and tokens, by phase. */
typedef struct
{
  uint64_t lookups[SL_N_TURN_PHASES], first_uses[SL_N_TURN_PHASES], tokens[SL_N_TURN_PHASES];
} SlTurnCounts;

/* SL_ENOMEM. */
SlStatus sl_turns_count (const SlTurns *turns, SlTurnCounts *counts);

/* Hits by phase. */
typedef struct
{
  uint64_t of[SL_N_TURN_PHASES];
} SlTurnHits;

/* Hits (n) with each of n rising numbers of places, at least 1.  SL_ENOMEM. */
SlStatus sl_turns_lru (const SlTurns *turns, size_t n, const size_t *places, SlTurnHits *hits);

/* Hits with so many places, 1 … N.  SL_ENOMEM. */
SlStatus sl_turns_lfu (const SlTurns *turns, size_t places, SlTurnHits *hits);
SlStatus sl_turns_best (const SlTurns *turns, size_t places, SlTurnHits *hits);

/* Share (n) of the second half's lookups that a fixed set of so many places serves; NaN: it has none.  SL_ENOMEM. */
SlStatus sl_turns_pinned (const SlTurns *turns, size_t n, const size_t *places, double *share);

/* How many experts of `bytes` fit into `gib` · 2³⁰ bytes: 1 … items. */
size_t sl_memory_places (double gib, double bytes, size_t items);

/* Different numbers of places to compare, rising: ⌈items i ÷ 16⌉ for i = 1, 2, 4, 8, 12, 16, and `chosen` unless it is
 * 0.  Returns how many.  */
enum { SL_MEMORY_SIZES = 7 };
unsigned sl_memory_sizes (size_t items, size_t chosen, size_t places[SL_MEMORY_SIZES]);

/* To three digits, to be shown without a power of ten; x > 0. */
double sl_three_digits (double x);

/* Bytes that a token loads once every item was used; NaN: there is no token of this phase. */
double sl_memory_traffic (const SlTurnCounts *counts, const SlTurnHits *hits, SlTurnPhase phase,
                          double bytes);

/* One cache that goes on from step to step: a list of the items by their last use, of which the first C are held. */
typedef struct
{
  uint32_t  items;
  uint32_t *next, *before; /* (N + 1) the ring; place N is its head */
  uint8_t  *held;          /* (N) */
  uint32_t *at;            /* (3) places, held, and the last item that is held */
} SlRecent;

void sl_recent_carve (SlRecent *recent, SlArena *arena, uint32_t items);
void sl_recent_begin (SlRecent *recent, uint32_t places);

/* From now on there are so many places; a larger cache holds what it would have held. */
void sl_recent_resize (SlRecent *recent, uint32_t places);

/* Hits of a turn of k items. */
unsigned sl_recent_turn (SlRecent *recent, const uint32_t *item, unsigned k);

/* Whether the numbers can be those of such a list, as a checkpoint may have any. */
bool sl_recent_is_sound (const SlRecent *recent);
