/* SPDX-License-Identifier: MIT
 *
 * Recorded routing: formulas of chance and placements against golden numbers, and the cases at the
 * edge.  The numbers of whole recordings are in tests/core/run/test-trace.c.  */
#include <stdlib.h>
#include <string.h>

#include "core/labs/routing/math/bias.h"
#include "core/labs/routing/math/compare.h"
#include "core/labs/routing/math/drop.h"
#include "core/labs/routing/math/gates.h"
#include "core/labs/routing/math/load.h"
#include "core/labs/routing/math/memory/cache.h"
#include "core/labs/routing/math/next.h"
#include "core/labs/routing/math/placement.h"
#include "core/labs/routing/math/together.h"
#include "core/labs/routing/math/windows.h"
#include "tests/support/close.h"
#include "tests/support/golden.h"

static JsonObject *golden;

/* Of a printed number: 12 digits. */
static void
assert_golden (double got, double want)
{
  sl_assert_near (got, want, 1e-9, 1e-12);
}

static double
element (JsonObject *o, const char *name, guint i)
{
  return json_array_get_double_element (json_object_get_array_member (o, name), i);
}

static SlRoutes
routes (unsigned n, unsigned k, size_t tokens, const uint8_t *ids)
{
  return (SlRoutes) { .n = n, .k = k, .bytes = 1, .tokens = tokens, .ids = ids };
}

static uint64_t
lfu_hits (const SlRoutes *r, unsigned size)
{
  uint64_t hits;
  SlStatus status = sl_routes_lfu (r, size, &hits);

  g_assert_true (sl_ok (&status));
  return hits;
}

/* ---- Chance ---- */

static void
test_floor (void)
{
  JsonArray *rows = json_object_get_array_member (golden, "floor");

  g_assert_cmpuint (json_array_get_length (rows), ==, 7);
  for (guint i = 0; i < json_array_get_length (rows); i++)
    {
      JsonObject    *o = json_array_get_object_element (rows, i);
      unsigned       n = (unsigned) sl_golden_number (o, "n");
      double         k = sl_golden_number (o, "k"), T = sl_golden_number (o, "tokens");
      JsonArray     *even = json_object_get_array_member (o, "even");
      SlRoutesChance c = sl_routes_chance (n, k * T, k);

      assert_golden (c.floor, element (o, "floor", 0));
      assert_golden (c.floor_mean, element (o, "mean", 0));
      assert_golden (c.floor_95, element (o, "upper_95", 0));
      assert_golden (c.peak, element (o, "peak", 0));
      assert_golden (c.effective, element (o, "effective", 0));
      for (guint j = 0; j < json_array_get_length (even); j++)
        {
          JsonArray *e = json_array_get_array_element (even, j);

          assert_golden (
            sl_placement_even (n, (unsigned) json_array_get_int_element (e, 0), k, (size_t) T),
            json_array_get_double_element (e, 1));
        }
    }
  sl_assert_near (sl_normal_quantile (0.975), 1.959963984540054, 0, 1e-12);
}

/* ---- Placement ---- */

/* The example in EPLB's own description. */
static void
test_eplb (void)
{
  JsonObject        *o = json_object_get_object_member (golden, "eplb");
  JsonArray         *loads = json_object_get_array_member (o, "loads");
  JsonArray         *slots = json_object_get_array_member (o, "slots");
  SlPlacementSetting s
    = { (unsigned) sl_golden_number (o, "devices"), (unsigned) sl_golden_number (o, "extra"),
        (unsigned) sl_golden_number (o, "nodes"), (unsigned) sl_golden_number (o, "groups") };
  SlPlacement p;
  uint64_t    load[12];

  g_assert_cmpuint (json_array_get_length (loads), ==, 2);
  for (guint l = 0; l < 2; l++)
    {
      JsonArray *want = json_array_get_array_element (slots, l);

      for (guint i = 0; i < 12; i++)
        load[i]
          = (uint64_t) json_array_get_int_element (json_array_get_array_element (loads, l), i);
      sl_placement_make (SL_PLACE_REPLICATED, &s, 12, load, &p);
      g_assert_cmpuint (p.first[p.devices], ==, 16);
      for (guint i = 0; i < 16; i++)
        g_assert_cmpint (p.expert[i], ==, json_array_get_int_element (want, i));
    }
}

static uint64_t
draw (uint64_t *x, uint64_t below)
{
  *x = *x * UINT64_C (6364136223846793005) + UINT64_C (1442695040888963407);
  return (*x >> 33) % below;
}

static uint64_t
add_byte (uint64_t hash, uint8_t byte)
{
  return (hash ^ byte) * UINT64_C (0x100000001b3);
}

/* Case c of a thousand; adds its places to the hash. */
static uint64_t
hash_case (unsigned c, uint64_t *random, uint64_t hash)
{
  static const unsigned cases[4][3] = { { 4, 4, 1 }, { 8, 8, 1 }, { 8, 8, 2 }, { 4, 6, 2 } };
  const unsigned       *of = cases[c % 4];
  unsigned              places = of[0] * of[1], n = c % 4 == 2 ? places * 7 / 8 : places * 3 / 4;
  unsigned nodes = of[2], groups = nodes == 1 ? 1 : n % (2 * nodes) == 0 ? 2 * nodes : nodes;
  SlPlacementSetting s = { of[0], places - n, nodes, groups };
  SlPlacement        p;
  uint64_t           load[64];

  for (unsigned i = 0; i < n; i++)
    {
      load[i] = draw (random, 100);
      load[i] *= draw (random, 100);
    }
  sl_placement_make (SL_PLACE_REPLICATED, &s, n, load, &p);
  for (unsigned d = 0; d < p.devices; d++)
    {
      for (unsigned i = p.first[d]; i < p.first[d + 1]; i++)
        hash = add_byte (hash, (uint8_t) p.expert[i]);
      hash = add_byte (hash, 0xff);
    }
  return hash;
}

static void
test_placements (void)
{
  JsonObject      *o = json_object_get_object_member (golden, "placements");
  uint64_t         random = 7, hash = UINT64_C (0xcbf29ce484222325);
  g_autofree char *text = NULL;

  for (unsigned c = 0; c < 1000; c++)
    hash = hash_case (c, &random, hash);
  text = g_strdup_printf ("%016" G_GINT64_MODIFIER "x", hash);
  g_assert_cmpstr (text, ==, json_object_get_string_member (o, "fnv1a64"));
}

static void
test_placement_edges (void)
{
  uint64_t     load[] = { 5, 0, 3, 9 }, windows[] = { 5, 0, 3, 9, 0, 0, 0, 0, 1, 1, 1, 1 };
  SlPlacement  p;
  SlDeviceTime time = { 0 };

  /* More devices than experts: one each. */
  for (SlPlacementKind kind = 0; kind < SL_N_PLACEMENTS; kind++)
    {
      sl_placement_make (kind, &(SlPlacementSetting) { 9, 0, 1, 1 }, 4, load, &p);
      g_assert_cmpuint (p.devices, ==, 4);
      for (unsigned d = 0; d < 4; d++)
        g_assert_cmpuint (p.expert[p.first[d]], ==, d);
    }
  /* One device is always balanced. */
  sl_placement_make (SL_PLACE_REPLICATED, &(SlPlacementSetting) { 1, 3, 1, 1 }, 4, load, &p);
  sl_placement_add_time (&p, load, &time);
  sl_assert_near (sl_device_time_share (time), 1.0, 0, 1e-15);
  /* More spare places than experts: all are used, and everybody keeps one. */
  sl_placement_make (SL_PLACE_REPLICATED, &(SlPlacementSetting) { 2, 10, 1, 1 }, 4, load, &p);
  g_assert_cmpuint (p.first[2], ==, 14);
  g_assert_cmpuint (p.copies[0] + p.copies[1] + p.copies[2] + p.copies[3], ==, 14);
  g_assert_cmpuint (p.copies[1], ==, 1);
  /* Groups that do not divide: as one node. */
  SlPlacement q;

  sl_placement_make (SL_PLACE_REPLICATED, &(SlPlacementSetting) { 2, 2, 2, 3 }, 4, load, &q);
  sl_placement_make (SL_PLACE_REPLICATED, &(SlPlacementSetting) { 2, 2, 1, 1 }, 4, load, &p);
  g_assert_cmpmem (p.expert, 6 * sizeof *p.expert, q.expert, 6 * sizeof *q.expert);
  /* A window without routings takes no time; one window can neither be held out nor followed. */
  SlPlacementScores s = sl_placement_score (SL_PLACE_GREEDY, &(SlPlacementSetting) { 2, 0, 1, 1 },
                                            4, 3, windows, 4, &p);

  g_assert_true (s.windows > 0.0 && s.windows <= 1.0 && s.held_out > 0.0 && isnan (s.followed));
  s = sl_placement_score (SL_PLACE_GREEDY, &(SlPlacementSetting) { 2, 0, 1, 1 }, 4, 1, windows, 4,
                          &p);
  g_assert_true (isnan (s.held_out) && s.windows == s.whole);
}

/* ---- Loads at the edge ---- */

static void
test_load_edges (void)
{
  uint64_t        one = 7, none[3] = { 0 };
  double          coverage[3];
  SlRoutesBalance b = sl_load_balance (1, &one, 1.0, coverage);

  g_assert_true (b.cv == 0.0 && b.chance.floor == 0.0 && b.peak == 1.0 && b.effective == 1.0);
  b = sl_load_balance (3, none, 0.0, coverage);
  g_assert_true (b.cv == 0.0 && b.peak == 1.0 && b.dead == 3 && b.effective == 0.0);
  g_assert_true (coverage[2] == 0.0 && b.serve_80 == 0);
  g_assert_cmpuint (sl_load_hot (3, 0.0), ==, 1);
  g_assert_cmpuint (sl_load_hot (60, 10.0), ==, 6);
  g_assert_cmpuint (sl_load_hot (4, 200.0), ==, 4);
}

/* All experts at each token. */
static void
test_all_chosen (void)
{
  const uint8_t  ids[] = { 0, 1, 2, 2, 0, 1, 1, 2, 0, 0, 1, 2, 2, 1, 0 };
  SlRoutes       r = routes (3, 3, 5, ids);
  uint32_t       both[9];
  uint64_t       hits[3], best;
  SlRoutesChance c = sl_routes_chance (3, 15.0, sl_routes_slots (&r));
  SlStatus       status = sl_routes_best (&r, 3, &best);

  g_assert_true (c.floor == 0.0 && c.peak == 1.0);
  g_assert_true (sl_routes_dead_by_chance (&r) == 0.0);
  sl_routes_together (&r, both);
  for (unsigned i = 0; i < G_N_ELEMENTS (both); i++)
    g_assert_cmpuint (both[i], ==, 5);
  sl_assert_near (sl_together_summary (3, 3, 5, both).by_chance, 1.0, 0, 0);
  g_assert_cmpuint (sl_routes_lru (&r, hits), ==, 3);
  g_assert_cmpuint (hits[2], ==, 12);
  g_assert_cmpuint (lfu_hits (&r, 3), ==, 12);
  g_assert_true (sl_ok (&status) && best == 12);
}

/* One expert a token, and all the same one. */
static void
test_one_route (void)
{
  uint8_t     ids[50];
  SlRoutes    r = routes (4, 1, 50, memset (ids, 2, sizeof ids));
  uint32_t    both[16];
  uint64_t    hits[4];
  SlTogether  t;
  SlNextLayer next;
  SlStatus    status = sl_routes_next (&r, &r, true, &next);

  sl_routes_together (&r, both);
  for (unsigned i = 0; i < G_N_ELEMENTS (both); i++)
    g_assert_cmpuint (both[i], ==, i == 2 * 4 + 2 ? 50 : 0);
  t = sl_together_summary (4, 1, 50, both);
  g_assert_true (t.pairs == 0 && isnan (t.by_chance));
  g_assert_cmpuint (sl_routes_lru (&r, hits), ==, 1);
  g_assert_cmpuint (hits[0], ==, 49);
  g_assert_true (sl_ok (&status));
  sl_assert_near (next.information.plain, 0.0, 0, 1e-15);
  g_assert_true (next.top1 == 1.0 && next.top1_always == 1.0 && next.recall == 1.0);
}

/* Nothing, a token, and less than a window. */
static void
test_few_tokens (void)
{
  const uint8_t ids[] = { 1, UINT8_MAX, UINT8_MAX, UINT8_MAX, 0, 1 };
  SlRoutes none = routes (3, 2, 0, ids), one = routes (3, 2, 1, ids), all = routes (3, 2, 3, ids);
  uint64_t loads[3], hits[3], best;
  SlRoutesHot hot;
  SlNextLayer next;
  SlStatus    status;

  g_assert_true (sl_routes_slots (&none) == 0.0 && sl_routes_slots (&one) == 1.0);
  sl_assert_near (sl_routes_slots (&all), 5.0 / 3.0, 1e-15, 0);
  g_assert_true (isnan (sl_routes_touched (&one, 2)) && sl_routes_touched (&one, 1) == 1.0);
  sl_routes_windows (&one, 256, loads);
  g_assert_cmpuint (loads[1], ==, 1);
  hot = sl_routes_hot_mean (3, 1, 1, loads, NULL);
  g_assert_true (isnan (hot.jaccard) && isnan (hot.carry));
  g_assert_true (sl_routes_dropped (&none, 256, 1.0).dropped == 0.0);
  g_assert_cmpuint (sl_routes_lru (&none, hits) + lfu_hits (&none, 1), ==, 0);
  status = sl_routes_best (&none, 1, &best);
  g_assert_true (sl_ok (&status) && best == 0);
  status = sl_routes_next (&all, &all, true, &next);
  g_assert_true (sl_ok (&status) && next.tokens == 2 && isnan (next.recall));
}

/* The window after has no routings: its hot set says nothing. */
static void
test_empty_window (void)
{
  uint64_t    loads[] = { 3, 1, 0, 0, 1, 3 };
  SlRoutesHot hot = sl_routes_hot_mean (2, 1, 3, loads, NULL);

  g_assert_true (hot.carry == 0.25 && hot.inside == 0.75);
  /* Nobody waits for a device when there was nothing to do. */
  g_assert_true (sl_device_time_share ((SlDeviceTime) { 0 }) == 1.0);
  g_assert_true (sl_device_time_share ((SlDeviceTime) { .mean = 3, .most = 4 }) == 0.75);
}

/* ---- Caches ---- */

/* An LRU cache as one would write it. */
static uint64_t
slow_lru (const SlRoutes *r, unsigned size)
{
  uint16_t stack[64], row[SL_ROUTES_SLOTS];
  unsigned held = 0, at;
  uint64_t hits = 0;

  for (size_t t = 0; t < r->tokens; t++)
    {
      unsigned k = sl_routes_row (r, t, row);

      for (unsigned s = 0; s < k; s++)
        for (unsigned i = 0; i < MIN (held, size); i++)
          hits += stack[i] == row[s];
      for (unsigned s = 0; s < k; s++)
        {
          for (at = 0; at < held && stack[at] != row[s];)
            at++;
          held += at == held;
          memmove (stack + 1, stack, at * sizeof *stack);
          stack[0] = row[s];
        }
    }
  return hits;
}

static void
fill_random (unsigned n, unsigned k, size_t tokens, uint64_t *x, uint8_t *ids)
{
  for (size_t t = 0; t < tokens; t++)
    for (unsigned s = 0; s < k; s++)
      do
        ids[t * k + s] = (uint8_t) (draw (x, n) * draw (x, n) / n);
      while (memchr (ids + t * k, ids[t * k + s], s) != NULL);
}

static void
test_caches (void)
{
  uint8_t  ids[3 * 400] = { 0 };
  SlRoutes r = routes (20, 3, 400, ids);
  uint64_t x = 5, hits[20], best, first;

  fill_random (20, 3, 400, &x, ids);
  first = sl_routes_lru (&r, hits);
  for (unsigned c = 1; c <= 20; c++)
    {
      SlStatus status = sl_routes_best (&r, c, &best);

      g_assert_true (sl_ok (&status));
      g_assert_cmpuint (hits[c - 1], ==, slow_lru (&r, c));
      g_assert_cmpuint (best, <=, 1200 - first);
      if (c >= 3)
        g_assert_cmpuint (best, >=, MAX (hits[c - 1], lfu_hits (&r, c)));
    }
  g_assert_cmpuint (lfu_hits (&r, 20), ==, 1200 - first);
}

/* In hindsight is what a plan from the second half alone does in its own windows; held out is judged on the same. */
static void
test_hindsight (void)
{
  enum { N = 12, WINDOWS = 9, HALF = WINDOWS / 2 };
  const SlPlacementSetting setting = { .devices = 4, .extra = 4, .nodes = 1, .groups = 1 };
  g_autofree SlPlacement  *placement = g_new (SlPlacement, 1);
  uint64_t                 loads[WINDOWS * N], x = 11;

  for (unsigned i = 0; i < WINDOWS * N; i++)
    {
      x = x * 6364136223846793005U + 1442695040888963407U;
      loads[i] = (x >> 33) % 50 * (1 + i % N);
    }
  for (SlPlacementKind kind = 0; kind < SL_N_PLACEMENTS; kind++)
    {
      SlPlacementScores all = sl_placement_score (kind, &setting, N, WINDOWS, loads, 2, placement);
      SlPlacementScores second
        = sl_placement_score (kind, &setting, N, WINDOWS - HALF, loads + HALF * N, 2, placement);

      sl_assert_near (all.hindsight, second.windows, 1e-15, 0);
      if (kind == SL_PLACE_STATIC)
        sl_assert_near (all.hindsight, all.held_out, 1e-15, 0);
      else
        g_assert_cmpfloat (all.hindsight, !=, all.held_out);
    }
}

/* ---- The largest there is ---- */

static void
test_largest (void)
{
  enum { N = SL_ROUTES_EXPERTS, K = SL_ROUTES_SLOTS, T = 130 };
  uint16_t    *ids = g_new (uint16_t, T * K);
  SlRoutes     r = { .n = N, .k = K, .bytes = 2, .tokens = T, .ids = ids };
  uint64_t    *load = g_new (uint64_t, N), *hits = g_new (uint64_t, N), best;
  SlPlacement *p = g_new (SlPlacement, 1);
  SlNextLayer  next;
  SlStatus     status;

  for (size_t i = 0; i < T * K; i++)
    ids[i] = (uint16_t) (i % N);
  sl_routes_load (&r, load);
  sl_placement_make (SL_PLACE_REPLICATED, &(SlPlacementSetting) { N - 1, N, 1, 1 }, N, load, p);
  g_assert_cmpuint (p->first[p->devices], ==, 3 * (N - 1));
  g_assert_cmpuint (sl_routes_lru (&r, hits), ==, N);
  g_assert_cmpuint (hits[N - 1], ==, T * K - N);
  status = sl_routes_best (&r, N / 4, &best);
  g_assert_true (sl_ok (&status) && best >= hits[N / 4 - 1]);
  status = sl_routes_next (&r, &r, false, &next);
  g_assert_true (sl_ok (&status) && next.tokens == T && next.recall >= 0.0);
  g_assert_cmpfloat (sl_load_balance (N, load, K, NULL).cv, <, 1.0);
  g_free (p);
  g_free (hits);
  g_free (load);
  g_free (ids);
}

/* ---- Comparison, bias, gates ---- */

static void
test_compare (void)
{
  uint8_t          ids[2 * 40] = { 0 };
  SlRoutes         r = routes (5, 2, 40, ids), few = routes (5, 2, 39, ids);
  uint64_t         x = 3;
  double           half[5];
  SlLoadComparison c;

  /* 20 blocks of 2 tokens; one fewer is too few. */
  fill_random (5, 2, 40, &x, ids);
  c = sl_routes_compare (&r, &r, NULL, NULL, half);
  g_assert_true (c.has_interval && c.beyond == 0 && c.total_variation == 0.0 && half[0] > 0.0);
  c = sl_routes_compare (&r, &few, NULL, NULL, half);
  g_assert_true (!c.has_interval && isnan (half[0]));

  SlPairedRoutes same = sl_routes_compare_paired (&r, &r);
  const uint8_t  a[] = { 0, 1, 2, 3 }, b[] = { 1, 0, 2, 4 };
  SlRoutes       ra = routes (5, 2, 2, a), rb = routes (5, 2, 2, b);
  SlPairedRoutes pairs = sl_routes_compare_paired (&ra, &rb);

  g_assert_true (same.flip == 0.0 && same.same_set == 1.0 && same.top1_flip == 0.0);
  g_assert_true (pairs.flip == 0.25 && pairs.same_set == 0.5 && pairs.top1_flip == 0.5);
}

static void
test_bias (void)
{
  /* Order-preserving scales change no choice without a bias. */
  const float scores[] = { 3, 1, 2, 2, 9, -4, 0.5f, 0.25f, 0.125f, 1, 1, 1 };

  for (SlScoresKind kind = 0; kind < SL_N_SCORES; kind++)
    {
      double       bias[3] = { 0 };
      uint64_t     load[3] = { 0 };
      SlBiasReplay replay = { 3, 2, kind, 0.5, bias };
      SlBiasWindow window = sl_bias_window (&replay, 4, scores, load);

      g_assert_cmpuint (load[0], ==, 4); /* ties to the lower: { 0, 2 }, { 0, 1 } three times */
      g_assert_cmpuint (load[1], ==, 3);
      g_assert_true (window.moved == 0 && window.before == window.after);
      g_assert_true (bias[0] == -0.5 && bias[1] == -0.5 && bias[2] == 0.5);
    }
}

/* Of one slot, the expert with the highest score, wherever it stands. */
static void
test_bias_alone (void)
{
  const float  scores[] = { 3, 1, 2, 2, 9, -4, 0.5f, 0.25f, 0.125f, 1, 1, 4 };
  double       bias[3] = { 0 };
  uint64_t     load[3] = { 0 };
  SlBiasReplay replay = { 3, 1, (SlScoresKind) 0, 0.5, bias };

  (void) sl_bias_window (&replay, 4, scores, load);
  g_assert_cmpuint (load[0], ==, 2);
  g_assert_cmpuint (load[1], ==, 1);
  g_assert_cmpuint (load[2], ==, 1);
}

/* An expert that gets the mean keeps its bias; loads are added to what was there. */
static void
test_bias_at_the_mean (void)
{
  const float  scores[] = { 3, 1, 2, 1, 9, -4, 0.5f, 0.25f, 4 };
  double       bias[3] = { 0 };
  uint64_t     load[3] = { 5, 6, 7 };
  SlBiasReplay replay = { 3, 1, (SlScoresKind) 0, 0.5, bias };
  SlBiasWindow window = sl_bias_window (&replay, 3, scores, load);

  g_assert_true (window.before == 0.0 && window.after == 0.0);
  for (unsigned i = 0; i < 3; i++)
    {
      g_assert_cmpfloat (bias[i], ==, 0.0);
      g_assert_cmpuint (load[i], ==, 6 + i);
    }
}

static void
test_gates (void)
{
  const uint8_t ids[] = { 0, 1, 1, UINT8_MAX };
  const float   gates[] = { 0.75f, 0.25f, 0.5f, 9.0f };
  SlRoutes      r = routes (2, 2, 2, ids);
  SlRoutesGates g = sl_routes_gates (&r, gates);

  sl_assert_near (g.importance_cv, 0.0, 0, 1e-12);
  sl_assert_near (g.sum, 0.75, 0, 1e-12);
  sl_assert_near (g.first, 0.875, 0, 1e-12);
  sl_assert_near (g.entropy_bits, (2.0 - 0.75 * log2 (3.0)) / 2.0, 0, 1e-12);
}

static void
test_capacity (void)
{
  g_assert_cmpuint (sl_expert_capacity (1.1, 100, 1, 10), ==, 11);
  g_assert_cmpuint (sl_expert_capacity (1.25, 256, 4, 60), ==, 22);
  g_assert_cmpuint (sl_expert_capacity (1.0, 0, 4, 60), ==, 0);
}

/* ---- Six tokens, counted by hand ---- */

static const uint8_t six[] = { 0, 1, 1, 2, 0, UINT8_MAX, 3, 0, 1, 0, 0, 2 };

static void
assert_numbers (unsigned n, const double *got, const double *want)
{
  for (unsigned i = 0; i < n; i++)
    sl_assert_near (got[i], want[i], 1e-14, 1e-15);
}

static void
assert_dropped (SlDropped got, double lost, double hurt, double stranded)
{
  sl_assert_near (got.dropped, lost / 11, 1e-14, 0);
  sl_assert_near (got.hurt, hurt / 6, 1e-14, 0);
  sl_assert_near (got.stranded, stranded / 6, 1e-14, 0);
}

static void
test_six_dropped (void)
{
  const SlRoutes r = routes (4, 2, 6, six);
  const uint64_t load[] = { 1, 2, 1, 0, 4, 1, 1, 1 }, none[4] = { 0 };

  assert_dropped (sl_routes_dropped (&r, 3, 1.0), 1, 1, 0);
  assert_dropped (sl_routes_dropped (&r, 6, 1.0), 2, 2, 0);
  assert_dropped (sl_routes_dropped (&r, 6, 0.34), 4, 3, 1);
  assert_dropped (sl_routes_dropped (&r, 4, 0.0), 11, 6, 6);
  assert_dropped (sl_routes_dropped_in (&r, 2, (size_t[]) { 0, 2, 6 }, 0.5), 4, 4, 0);
  sl_assert_near (sl_loads_dropped (4, 2, 2, load, (size_t[]) { 2, 4 }, 0.5), 4.0 / 11, 1e-14, 0);
  g_assert_cmpfloat (sl_loads_dropped (4, 2, 1, none, (size_t[]) { 2 }, 0.5), ==, 0);
  g_assert_cmpuint (sl_load_beyond (4, load + 4, 2), ==, 2);
}

static void
test_six_windows (void)
{
  const SlRoutes  r = routes (4, 2, 6, six);
  const uint64_t  want[] = { 3, 2, 1, 1, 2, 1, 1, 0 };
  const uint64_t  moving[] = { 5, 3, 1, 0, 1, 0, 4, 3, 4, 1, 3, 0 };
  uint64_t        loads[8];
  double          jaccard[2], quartiles[5], served[4];
  SlRoutesHot     hot;
  SlPassesTouched touched[3];
  SlStatus        status;
  size_t          n;

  sl_routes_windows (&r, 4, loads);
  g_assert_cmpmem (loads, sizeof loads, want, sizeof want);
  hot = sl_routes_hot (4, 2, moving, moving + 8);
  assert_numbers (3, (double[]) { hot.jaccard, hot.carry, hot.inside },
                  (double[]) { 1.0 / 3, 5.0 / 8, 7.0 / 8 });
  hot = sl_routes_hot_mean (4, 2, 3, moving, jaccard);
  assert_numbers (3, (double[]) { hot.jaccard, hot.carry, hot.inside },
                  (double[]) { 1.0 / 6, 0.25, 7.0 / 8 });
  assert_numbers (2, jaccard, (double[]) { 0, 1.0 / 3 });
  sl_assert_near (sl_routes_jaccard_by_chance (8, 2), 2.0 / 14, 1e-15, 0);
  sl_assert_near (sl_routes_touched (&r, 2), 8.0 / 3, 1e-15, 0);
  g_assert_cmpfloat (sl_routes_touched (&r, 4), ==, 4);
  g_assert_cmpfloat (sl_routes_touched_by_chance (4, 2, 3), ==, 3.5);

  status = sl_routes_passes_touched (&r, 4, (uint32_t[]) { 2, 1, 2, 1 }, 3, touched, &n);
  g_assert_true (sl_ok (&status) && n == 2);
  g_assert_true (touched[0].size == 1 && touched[0].passes == 2 && touched[0].mean == 1.5);
  g_assert_true (touched[1].size == 2 && touched[1].passes == 2 && touched[1].mean == 3.0);
  status = sl_routes_passes_touched (&r, 3, (uint32_t[]) { 3, 2, 1 }, 2, touched, &n);
  g_assert_true (sl_ok (&status) && n == 2);
  g_assert_true (touched[0].size == 1 && touched[0].passes == 1 && touched[0].mean == 2.0);
  g_assert_true (touched[1].size == 2 && touched[1].passes == 1 && touched[1].mean == 3.0);

  g_assert_cmpuint (sl_median_tokens (3, (size_t[]) { 5, 1, 4 }), ==, 4);
  g_assert_cmpuint (sl_median_tokens (4, (size_t[]) { 7, 1, 4, 6 }), ==, 5);
  sl_quartiles (4, (double[]) { 4, 1, 3, 2 }, quartiles);
  assert_numbers (5, quartiles, (double[]) { 1, 1.75, 2.5, 3.25, 4 });
  sl_quartiles (1, (double[]) { 5 }, quartiles);
  assert_numbers (5, quartiles, (double[]) { 5, 5, 5, 5, 5 });
  sl_routes_static (&r, served);
  assert_numbers (4, served, (double[]) { 3.0 / 6, 4.0 / 6, 5.0 / 6, 1 });
}

static void
test_six_pairs (void)
{
  const SlRoutes r = routes (4, 2, 6, six);
  const uint32_t together[] = { 5, 2, 1, 1, 2, 3, 1, 0, 1, 1, 2, 0, 1, 0, 0, 1 };
  uint32_t       both[16];
  unsigned       sizes[SL_CACHE_SIZES];

  sl_routes_together (&r, both);
  g_assert_cmpmem (both, sizeof both, together, sizeof together);
  g_assert_cmpfloat (sl_together_lift (20, 6, 10, 12), ==, 1.0);
  g_assert_cmpfloat (sl_together_lift (20, 4, 10, 10), ==, 0.8);
  g_assert_true (isnan (sl_together_lift (20, 6, 10, 9)));
  g_assert_cmpuint (sl_cache_places (0, 8), ==, 2);
  g_assert_cmpuint (sl_cache_places (0, 9), ==, 3);
  g_assert_cmpuint (sl_cache_places (5, 8), ==, 5);
  g_assert_cmpuint (sl_cache_places (9, 8), ==, 8);
  g_assert_cmpuint (sl_cache_sizes (16, 2, sizes), ==, 4);
  g_assert_cmpmem (sizes, 4 * sizeof *sizes, ((unsigned[]) { 2, 4, 8, 12 }), 4 * sizeof *sizes);
  g_assert_cmpuint (sl_cache_sizes (60, 4, sizes), ==, 5);
  g_assert_cmpmem (sizes, 5 * sizeof *sizes, ((unsigned[]) { 4, 8, 15, 30, 45 }),
                   5 * sizeof *sizes);
}

int
main (int argc, char **argv)
{
  g_autoptr (JsonNode) root = NULL;

  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (argc, ==, 2);
  root = sl_golden_load (argv[1]);
  golden = json_node_get_object (root);
  g_test_add_func ("/routing/placement/hindsight", test_hindsight);
  g_test_add_func ("/routing/floor", test_floor);
  g_test_add_func ("/routing/eplb", test_eplb);
  g_test_add_func ("/routing/placements", test_placements);
  g_test_add_func ("/routing/placement-edges", test_placement_edges);
  g_test_add_func ("/routing/load-edges", test_load_edges);
  g_test_add_func ("/routing/all-chosen", test_all_chosen);
  g_test_add_func ("/routing/one-route", test_one_route);
  g_test_add_func ("/routing/few-tokens", test_few_tokens);
  g_test_add_func ("/routing/empty-window", test_empty_window);
  g_test_add_func ("/routing/caches", test_caches);
  g_test_add_func ("/routing/largest", test_largest);
  g_test_add_func ("/routing/compare", test_compare);
  g_test_add_func ("/routing/bias", test_bias);
  g_test_add_func ("/routing/bias-alone", test_bias_alone);
  g_test_add_func ("/routing/bias-at-the-mean", test_bias_at_the_mean);
  g_test_add_func ("/routing/gates", test_gates);
  g_test_add_func ("/routing/capacity", test_capacity);
  g_test_add_func ("/routing/six-dropped", test_six_dropped);
  g_test_add_func ("/routing/six-windows", test_six_windows);
  g_test_add_func ("/routing/six-pairs", test_six_pairs);
  return g_test_run ();
}
