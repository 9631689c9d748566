/* SPDX-License-Identifier: MIT
 *
 * Caches over layers, keep-lists and typical words: against the caches of one layer, against slow and simple
 * replays, and cases by hand.  Whole recordings are compared with an independent program in tests/e2e/oracle.py.  */
#include <math.h>
#include <string.h>

#include "core/labs/routing/math/chance.h"
#include "core/labs/routing/math/load.h"
#include "core/labs/routing/math/memory/cache.h"
#include "core/labs/routing/math/memory/keep.h"
#include "core/labs/routing/math/memory/memory.h"
#include "core/labs/routing/math/typical.h"
#include "tests/support/close.h"

enum { MOST_TOKENS = 300, MOST_LAYERS = 4, MOST_K = 4, MOST_N = 12, NONE = UINT16_MAX };

typedef struct
{
  unsigned layers, n, k;
  size_t   tokens;
  uint16_t ids[MOST_LAYERS][MOST_TOKENS * MOST_K];
  uint32_t pass[MOST_TOKENS];
  size_t   passes;
  uint8_t  decode[MOST_TOKENS];
} Made;

static const unsigned all_layers[] = { 0, 1, 2, 3 };

static SlStatus
read_made (void *data, unsigned layer, size_t first, size_t n, uint16_t *ids)
{
  const Made *m = data;

  memcpy (ids, m->ids[layer] + first * m->k, n * m->k * sizeof *ids);
  return SL_SUCCESS;
}

/* Tokens whose experts are different ones, some slots empty, uneven and with some memory of the last token. */
static void
make (Made *m, guint32 seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);

  m->layers = (unsigned) g_rand_int_range (rand, 1, MOST_LAYERS + 1);
  m->n = (unsigned) g_rand_int_range (rand, 1, MOST_N + 1);
  m->k = (unsigned) g_rand_int_range (rand, 1, (int) MIN (m->n, MOST_K) + 1);
  m->tokens = (size_t) g_rand_int_range (rand, 1, MOST_TOKENS + 1);
  for (unsigned l = 0; l < m->layers; l++)
    for (size_t t = 0; t < m->tokens; t++)
      for (unsigned s = 0; s < m->k; s++)
        {
          uint16_t *row = m->ids[l] + t * m->k;
          bool      taken = true;

          while (taken)
            {
              double u = g_rand_double (rand);

              row[s] = (uint16_t) (u * u * m->n);
              taken = false;
              for (unsigned before = 0; before < s; before++)
                taken = taken || row[before] == row[s];
              if (taken && g_rand_int_range (rand, 0, 4) == 0)
                {
                  row[s] = NONE;
                  break;
                }
            }
        }
  m->passes = 0;
  for (size_t t = 0; t < m->tokens; m->passes++)
    {
      size_t size = (size_t) g_rand_int_range (rand, 1, 6);

      size = MIN (size, m->tokens - t);
      m->pass[m->passes] = (uint32_t) size;
      for (size_t i = 0; i < size; i++)
        m->decode[t + i] = m->passes % 3 != 0;
      t += size;
    }
}

static SlTurnSource
source_of (Made *m, bool by_pass)
{
  return (SlTurnSource) { .read = read_made,
                          .data = m,
                          .layer = all_layers,
                          .layers = m->layers,
                          .n = m->n,
                          .k = m->k,
                          .tokens = m->tokens,
                          .pass = by_pass ? m->pass : NULL,
                          .passes = m->passes,
                          .decode = m->decode };
}

static void
read_turns (Made *m, bool by_pass, size_t most, SlTurns *turns)
{
  SlTurnSource source = source_of (m, by_pass);
  SlStatus     status = sl_turns_read (&source, most, NULL, NULL, turns);

  g_assert_true (sl_ok (&status));
}

/* ---- LFU and the best possible, item by item ---- */

typedef struct
{
  bool   held;
  size_t uses, last;
} Item;

/* The number of the next turn from `turn` on that has an item; SIZE_MAX: none. */
static size_t
next_turn (const SlTurns *turns, size_t turn, uint32_t item)
{
  for (size_t t = turn; t < turns->turns; t++)
    for (size_t j = turns->first[t]; j < turns->first[t + 1]; j++)
      if (turns->item[j] == item)
        return t;
  return SIZE_MAX;
}

static bool
is_of_turn (const SlTurns *turns, size_t turn, uint32_t item)
{
  for (size_t j = turns->first[turn]; j < turns->first[turn + 1]; j++)
    if (turns->item[j] == item)
      return true;
  return false;
}

/* The item that goes, or -1. */
static int
find_victim (const SlTurns *turns, const Item *items, size_t turn, bool best)
{
  int found = -1;

  for (size_t i = 0; i < sl_turns_items (turns); i++)
    {
      if (!items[i].held || is_of_turn (turns, turn, (uint32_t) i))
        continue;
      if (found < 0
          || (best
                ? next_turn (turns, turn + 1, (uint32_t) i)
                    >= next_turn (turns, turn + 1, (uint32_t) found)
                : items[i].uses < items[found].uses
                    || (items[i].uses == items[found].uses && items[i].last < items[found].last)))
        found = (int) i;
    }
  return found;
}

static uint64_t
slow_hits (const SlTurns *turns, size_t places, bool best)
{
  g_autofree Item *items = g_new0 (Item, sl_turns_items (turns));
  uint64_t         hits = 0;
  size_t           held = 0;

  for (size_t t = 0; t < turns->turns; t++)
    {
      for (size_t j = turns->first[t]; j < turns->first[t + 1]; j++)
        {
          Item *item = &items[turns->item[j]];

          hits += item->held;
          item->uses++;
          item->last = j;
        }
      for (size_t j = turns->first[t]; j < turns->first[t + 1]; j++)
        {
          int out = held == places ? find_victim (turns, items, t, best) : -1;

          if (items[turns->item[j]].held || (held == places && out < 0))
            continue;
          if (out >= 0)
            items[out].held = false;
          else
            held++;
          items[turns->item[j]].held = true;
        }
    }
  return hits;
}

static void
test_policies (void)
{
  g_autofree Made *m = g_new0 (Made, 1);

  for (guint32 seed = 0; seed < 24; seed++)
    {
      SlTurns turns;

      make (m, seed);
      m->tokens = MIN (m->tokens, 60);
      m->passes = 0;
      read_turns (m, false, SIZE_MAX, &turns);
      for (size_t c = 1; c <= sl_turns_items (&turns); c += 2)
        {
          SlTurnHits hits;
          SlStatus   status = sl_turns_lfu (&turns, c, &hits);

          g_assert_true (sl_ok (&status));
          g_assert_cmpuint (hits.of[SL_TURNS_ALL], ==, slow_hits (&turns, c, false));
          g_assert_cmpuint (hits.of[SL_TURNS_PREFILL] + hits.of[SL_TURNS_DECODE], ==,
                            hits.of[SL_TURNS_ALL]);
          status = sl_turns_best (&turns, c, &hits);
          g_assert_true (sl_ok (&status));
          g_assert_cmpuint (hits.of[SL_TURNS_ALL], ==, slow_hits (&turns, c, true));
        }
      sl_turns_clear (&turns);
    }
}

/* ---- one layer, token by token: the caches of a layer ---- */

static void
test_one_layer (void)
{
  g_autofree Made *m = g_new0 (Made, 1);

  for (guint32 seed = 0; seed < 60; seed++)
    {
      SlTurns  turns;
      SlRoutes r;
      uint64_t lru[MOST_N];

      make (m, seed);
      m->layers = 1;
      r = (SlRoutes) { .n = m->n, .k = m->k, .bytes = 2, .tokens = m->tokens, .ids = m->ids[0] };
      read_turns (m, false, SIZE_MAX, &turns);
      sl_routes_lru (&r, lru);
      for (size_t c = 1; c <= m->n; c++)
        {
          SlTurnHits hits;
          SlStatus   status = sl_turns_lru (&turns, 1, &c, &hits);

          g_assert_true (sl_ok (&status));
          g_assert_cmpuint (hits.of[SL_TURNS_ALL], ==, lru[c - 1]);
          g_assert_cmpuint (hits.of[SL_TURNS_PREFILL] + hits.of[SL_TURNS_DECODE], ==, lru[c - 1]);
        }
      sl_turns_clear (&turns);
    }
}

/* ---- several layers, by pass: an LRU list that is moved by hand ---- */

static uint64_t
slow_lru (const SlTurns *turns, size_t places, SlTurnPhase phase)
{
  g_autoptr (GArray) list = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  uint64_t hits = 0;

  for (size_t t = 0; t < turns->turns; t++)
    {
      bool counts = phase == SL_TURNS_ALL || turns->phase[turns->group[t]] == phase;

      for (size_t j = turns->first[t]; j < turns->first[t + 1]; j++)
        for (guint i = 0; i < list->len && i < places; i++)
          hits += counts && g_array_index (list, uint32_t, i) == turns->item[j];
      for (size_t j = turns->first[t]; j < turns->first[t + 1]; j++)
        {
          for (guint i = 0; i < list->len; i++)
            if (g_array_index (list, uint32_t, i) == turns->item[j])
              {
                g_array_remove_index (list, i);
                break;
              }
          g_array_prepend_val (list, turns->item[j]);
        }
    }
  return hits;
}

static bool
step_recent (void *data, size_t group, const uint32_t *item, unsigned k)
{
  struct
  {
    SlRecent *recent;
    uint64_t  hits;
  } *live = data;

  (void) group;
  live->hits += sl_recent_turn (live->recent, item, k);
  return true;
}

/* The live cache hits as often as the replay of all sizes, also where its size changes. */
static void
check_recent (Made *m, const SlTurns *turns, bool by_pass)
{
  uint32_t     next[MOST_LAYERS * MOST_N + 1], before[MOST_LAYERS * MOST_N + 1], at[3];
  uint8_t      held[MOST_LAYERS * MOST_N];
  uint16_t     ids[1 << 16];
  uint32_t     seen[MOST_N], item[MOST_N];
  SlRecent     recent = { m->layers * m->n, next, before, held, at };
  SlTurnRoom   room = { sl_turn_block (m->layers, m->k), ids, seen, item };
  SlTurnSource source = source_of (m, by_pass);

  for (uint32_t c = 1; c <= recent.items; c += 3)
    {
      struct
      {
        SlRecent *recent;
        uint64_t  hits;
      } live = { &recent, 0 };
      size_t   groups = by_pass ? m->passes : m->tokens;
      SlStatus status;

      sl_recent_begin (&recent, c);
      status = sl_turns_each (&source, &room, 0, groups, 0, step_recent, &live);
      g_assert_true (sl_ok (&status));
      g_assert_cmpuint (live.hits, ==, slow_lru (turns, c, SL_TURNS_ALL));
      g_assert_true (sl_recent_is_sound (&recent));
      sl_recent_resize (&recent, 1);
      g_assert_true (sl_recent_is_sound (&recent));
      sl_recent_resize (&recent, recent.items);
      g_assert_true (sl_recent_is_sound (&recent));
      next[0] = recent.items + 1;
      g_assert_false (sl_recent_is_sound (&recent));
    }
}

static void
test_layers (void)
{
  g_autofree Made *m = g_new0 (Made, 1);

  for (guint32 seed = 100; seed < 140; seed++)
    for (unsigned by_pass = 0; by_pass < 2; by_pass++)
      {
        SlTurns      turns;
        SlTurnCounts counts;
        SlTurnHits   hits[MOST_LAYERS * MOST_N];
        size_t       places[MOST_LAYERS * MOST_N], items;
        SlStatus     status;

        make (m, seed);
        read_turns (m, by_pass, SIZE_MAX, &turns);
        items = sl_turns_items (&turns);
        for (size_t i = 0; i < items; i++)
          places[i] = i + 1;
        status = sl_turns_lru (&turns, items, places, hits);
        g_assert_true (sl_ok (&status));
        status = sl_turns_count (&turns, &counts);
        g_assert_true (sl_ok (&status));
        for (size_t i = 0; i < items; i++)
          {
            SlTurnHits best, lfu;

            status = sl_turns_best (&turns, places[i], &best);
            g_assert_true (sl_ok (&status));
            status = sl_turns_lfu (&turns, places[i], &lfu);
            g_assert_true (sl_ok (&status));
            for (unsigned phase = 0; phase < SL_N_TURN_PHASES; phase++)
              g_assert_cmpuint (hits[i].of[phase], ==, slow_lru (&turns, places[i], phase));
            g_assert_cmpuint (best.of[SL_TURNS_ALL], >=, hits[i].of[SL_TURNS_ALL]);
            g_assert_cmpuint (best.of[SL_TURNS_ALL], >=, lfu.of[SL_TURNS_ALL]);
          }
        /* Where everything has room, only first uses are missing. */
        g_assert_cmpuint (hits[items - 1].of[SL_TURNS_ALL], ==,
                          counts.lookups[SL_TURNS_ALL] - counts.first_uses[SL_TURNS_ALL]);
        g_assert_cmpuint (counts.tokens[SL_TURNS_ALL], ==, m->tokens);
        sl_assert_near (sl_memory_traffic (&counts, &hits[items - 1], SL_TURNS_ALL, 1e6), 0, 0, 0);
        check_recent (m, &turns, by_pass);
        sl_turns_clear (&turns);
      }
}

/* What is cut is the whole groups before. */
static void
test_cut (void)
{
  g_autofree Made *m = g_new0 (Made, 1);

  for (guint32 seed = 200; seed < 230; seed++)
    {
      SlTurns whole, part;

      make (m, seed);
      read_turns (m, true, SIZE_MAX, &whole);
      for (size_t most = 1; most < sl_turns_lookups (&whole); most += 7)
        {
          read_turns (m, true, most, &part);
          g_assert_true (part.cut);
          g_assert_cmpuint (part.groups, <, whole.groups);
          g_assert_true (sl_turns_lookups (&part) <= most || part.groups == 1);
          g_assert_cmpmem (part.item, sl_turns_lookups (&part) * sizeof *part.item, whole.item,
                           sl_turns_lookups (&part) * sizeof *part.item);
          if (part.turns < whole.turns)
            g_assert_cmpuint (whole.group[part.turns], ==, part.groups);
          sl_turns_clear (&part);
        }
      g_assert_false (whole.cut);
      sl_turns_clear (&whole);
    }
}

static void
test_sizes (void)
{
  size_t places[SL_MEMORY_SIZES];

  g_assert_cmpuint (sl_memory_sizes (64, 10, places), ==, 7);
  g_assert_cmpuint (places[0], ==, 4);
  g_assert_cmpuint (places[2], ==, 10);
  g_assert_cmpuint (places[6], ==, 64);
  g_assert_cmpuint (sl_memory_sizes (64, 16, places), ==, 6);
  g_assert_cmpuint (sl_memory_sizes (1, 1, places), ==, 1);
  g_assert_cmpuint (sl_memory_places (8, 0x1p27, 1000), ==, 64);
  sl_assert_near (sl_three_digits (27.8778901), 27.9, 1e-12, 0);
  sl_assert_near (sl_three_digits (1254.9), 1250, 1e-12, 0);
  sl_assert_near (sl_three_digits (9999), 10000, 1e-12, 0);
  sl_assert_near (sl_three_digits (0.012345), 0.0123, 1e-12, 0);
  g_assert_cmpuint (sl_memory_places (8, 0x1p27, 10), ==, 10);
  g_assert_cmpuint (sl_memory_places (0.01, 0x1p27, 10), ==, 1);
}

/* ---- keep-lists ---- */

static void
test_keep (void)
{
  static const uint64_t first[] = { 50, 30, 15, 5, 0, 25, 25, 50 };
  static const uint64_t second[] = { 10, 10, 0, 0, 0, 0, 0, 7 };
  SlKeepLoads           loads = { 2, 4, 1, first, second };
  uint16_t              order[8];
  SlKeepRank            ranking[8];
  unsigned              count[2];
  SlKept                kept = { .count = count };

  sl_keep_order (&loads, order);
  sl_keep_rank (&loads, ranking);
  g_assert_cmpuint (order[4], ==, 3);
  g_assert_cmpuint (order[5], ==, 1);
  g_assert_cmpuint (ranking[0].item, ==, 0);
  g_assert_cmpuint (ranking[1].item, ==, 7);
  g_assert_cmpuint (ranking[7].item, ==, 4);
  /* Two of each: 80 and 75 %. */
  g_assert_cmpuint (sl_keep_equal_for (&loads, order, 0.775, &kept), ==, 2);
  sl_assert_near (kept.coverage, 0.775, 1e-15, 0);
  sl_assert_near (kept.judged, 1.0, 1e-15, 0);
  g_assert_cmpuint (sl_keep_equal_for (&loads, order, 0.7751, &kept), ==, 3);
  g_assert_cmpuint (sl_keep_equal_for (&loads, order, 1.0, &kept), ==, 4);
  g_assert_cmpuint (kept.experts, ==, 8);
  /* 50 + 50, then 30, then 25 and 25. */
  sl_keep_free_for (&loads, order, ranking, 0.9, &kept);
  g_assert_cmpuint (kept.experts, ==, 5);
  g_assert_cmpuint (count[0], ==, 2);
  g_assert_cmpuint (count[1], ==, 3);
  sl_assert_near (kept.coverage, 0.9, 1e-15, 0);
  sl_keep_free (&loads, order, ranking, 3, &kept);
  sl_assert_near (kept.coverage, 0.65, 1e-15, 0);
  g_assert_cmpuint (count[0], ==, 2);
  loads.least = 3;
  sl_keep_free_for (&loads, order, ranking, 0.5, &kept);
  g_assert_cmpuint (kept.experts, ==, 6);
}

/* A layer without first loads keeps all and takes no part; nothing is judged without a second half. */
static void
test_keep_nothing (void)
{
  static const uint64_t first[] = { 3, 1, 0, 0 };
  SlKeepLoads           loads = { 2, 2, 1, first, NULL };
  uint16_t              order[4];
  SlKeepRank            ranking[4];
  unsigned              count[2];
  SlKept                kept = { .count = count };

  sl_keep_order (&loads, order);
  sl_keep_rank (&loads, ranking);
  g_assert_cmpuint (sl_keep_equal_for (&loads, order, 0.75, &kept), ==, 1);
  g_assert_cmpuint (count[1], ==, 2);
  g_assert_true (isnan (kept.judged) && isnan (kept.judged_least));
  sl_keep_free_for (&loads, order, ranking, 0.8, &kept);
  g_assert_cmpuint (kept.experts, ==, 4);
  sl_assert_near (kept.coverage, 1.0, 0, 0);
}

/* ---- words ---- */

/* Expert 1 gets each of the 20 tokens of word 2, and one of ten of the others. */
static void
test_words (void)
{
  enum { TOKENS = 220, WORDS = 5 };
  uint16_t      ids[TOKENS];
  uint32_t      word[TOKENS];
  SlRoutes      r = { .n = 3, .k = 1, .bytes = 2, .tokens = TOKENS, .ids = ids };
  SlWordCounts  counts;
  SlTypicalWord typical[4];
  uint64_t      load[3];
  unsigned      n;
  SlStatus      status;
  double        expected = 20.0 * 40.0 / 220.0;

  for (unsigned t = 0; t < TOKENS; t++)
    {
      word[t] = t < 20 ? 2 : t % 2;
      ids[t] = t < 20 || t % 10 == 0 ? 1 : 0;
    }
  status = sl_typical_count (TOKENS, word, WORDS, &counts);
  g_assert_true (sl_ok (&status));
  g_assert_cmpuint (counts.different, ==, 3);
  g_assert_cmpuint (counts.tokens, ==, TOKENS);
  sl_assert_near (sqrt (counts.bound), sl_normal_quantile (1 - 0.05 / 3), 1e-12, 0);
  status = sl_typical_words (&r, word, &counts, 1, 4, typical, &n);
  g_assert_true (sl_ok (&status));
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (typical[0].word, ==, 2);
  g_assert_cmpuint (typical[0].both, ==, 20);
  sl_assert_near (typical[0].lift, 20.0 / expected, 1e-12, 0);
  sl_assert_near (typical[0].ratio, 2 * 20 * log (20 / expected), 1e-12, 0);
  status = sl_typical_words (&r, word, &counts, 2, 4, typical, &n);
  g_assert_true (sl_ok (&status) && n == 0);
  sl_typical_experts (&r, word, 2, load);
  g_assert_cmpuint (load[1], ==, 20);
  g_assert_cmpuint (load[0] + load[2], ==, 0);
  sl_typical_clear (&counts);
}

/* Two words of the same ratio come in the order of their numbers, and only as many as there is room for. */
static void
test_words_order (void)
{
  enum { TOKENS = 120 };
  uint16_t      ids[TOKENS];
  uint32_t      word[TOKENS];
  SlRoutes      r = { .n = 2, .k = 1, .bytes = 2, .tokens = TOKENS, .ids = ids };
  SlWordCounts  counts;
  SlTypicalWord typical[1];
  unsigned      n;
  SlStatus      status;

  for (unsigned t = 0; t < TOKENS; t++)
    {
      word[t] = t < 40 ? 3 + t % 2 : t % 3 == 0 ? SL_WORD_NONE : t % 3;
      ids[t] = t < 40;
    }
  status = sl_typical_count (TOKENS, word, 5, &counts);
  g_assert_true (sl_ok (&status));
  status = sl_typical_words (&r, word, &counts, 1, 1, typical, &n);
  g_assert_true (sl_ok (&status) && n == 1);
  g_assert_cmpuint (typical[0].word, ==, 3);
  sl_typical_clear (&counts);
}

/* ---- Gini ---- */

static void
test_gini (void)
{
  static const uint64_t even[] = { 4, 4, 4 }, one[] = { 0, 0, 9, 0 }, some[] = { 3, 1, 2 };

  sl_assert_near (sl_load_balance (3, even, 1, NULL).gini, 0, 0, 0);
  sl_assert_near (sl_load_balance (4, one, 1, NULL).gini, 0.75, 1e-15, 0);
  sl_assert_near (sl_load_balance (3, some, 1, NULL).gini, 4.0 / 18, 1e-15, 0);
  sl_assert_near (sl_load_balance (2, (uint64_t[]) { 0, 0 }, 1, NULL).gini, 0, 0, 0);
}

/* Of routers without preference, the mean is that of the formula within a few per cent. */
static void
test_gini_by_chance (void)
{
  enum { N = 64, TOKENS = 1000, RUNS = 200 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  double sum = 0;

  for (unsigned run = 0; run < RUNS; run++)
    {
      uint64_t load[N] = { 0 };

      for (unsigned t = 0; t < TOKENS; t++)
        load[g_rand_int_range (rand, 0, N)]++;
      sum += sl_load_balance (N, load, 1, NULL).gini;
    }
  sl_assert_near (sum / RUNS, sl_routes_chance (N, TOKENS, 1).gini, 0.02, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/memory/policies", test_policies);
  g_test_add_func ("/memory/one-layer", test_one_layer);
  g_test_add_func ("/memory/layers", test_layers);
  g_test_add_func ("/memory/cut", test_cut);
  g_test_add_func ("/memory/sizes", test_sizes);
  g_test_add_func ("/keep/list", test_keep);
  g_test_add_func ("/keep/nothing", test_keep_nothing);
  g_test_add_func ("/words/typical", test_words);
  g_test_add_func ("/words/order", test_words_order);
  g_test_add_func ("/gini/by-hand", test_gini);
  g_test_add_func ("/gini/chance", test_gini_by_chance);
  return g_test_run ();
}
