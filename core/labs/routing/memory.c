/* SPDX-License-Identifier: MIT
 *
 * The panel of the lab `routing` on caches: one for the experts of all layers that have the same tokens.  */
#include <math.h>

#include "core/labs/routing/probes.h"

enum {
  MOST_LOOKUPS = 1 << 21, /* that are replayed, so that a change of settings is soon seen */
  CURVE = 32,             /* sizes of the curves that are cheap */
};

static SlStatus
read_layer (void *data, unsigned layer, size_t first, size_t n, uint16_t *ids)
{
  return sl_routing_read_layer (data, layer, first, n, ids);
}

SlTurnSource
sl_routing_source (const SlRoutingLab *s)
{
  return (SlTurnSource) { .read = read_layer,
                          .data = (void *) s,
                          .layer = s->aligned,
                          .layers = s->n_aligned,
                          .n = s->n,
                          .k = s->k,
                          .tokens = s->routes.tokens,
                          .pass = s->pass,
                          .passes = s->windows,
                          .decode = s->decode };
}

/* Reads the turns and counts them, once in a run. */
static bool
read_turns (SlProbe *p, SlRoutingLab *s)
{
  SlTurnSource source = sl_routing_source (s);

  if (s->turns.turns > 0)
    return true;
  sl_turns_clear (&s->turns);
  if (!sl_probe_ok (p, sl_turns_read (&source, MOST_LOOKUPS, NULL, NULL, &s->turns))
      || !sl_probe_ok (p, sl_turns_count (&s->turns, &s->counts)))
    sl_turns_clear (&s->turns);
  return s->turns.turns > 0;
}

/* Hits in % of the uses that are no first ones; NaN: there are none. */
static double
steady (const SlRoutingLab *s, const SlTurnHits *hits, SlTurnPhase phase)
{
  return 100.0 * (double) hits->of[phase]
         / (double) (s->counts.lookups[phase] - s->counts.first_uses[phase]);
}

static double
gib_of (const SlRoutingLab *s, size_t places)
{
  return (double) places * sl_routing_bytes (s) / 0x1p30;
}

/* Every so many-th size, the last one that of all experts. */
static size_t
choose_sizes (const SlRoutingLab *s, size_t sizes[CURVE])
{
  size_t items = sl_turns_items (&s->turns), n = 0;

  for (size_t i = 1; i <= CURVE; i++)
    {
      size_t size = (items * i + CURVE - 1) / CURVE;

      if (n == 0 || size > sizes[n - 1])
        sizes[n++] = size;
    }
  return n;
}

static void
add_phase (SlProbe *p, const SlRoutingLab *s, unsigned trace, SlTurnPhase phase, size_t n,
           const double *x, const SlTurnHits *hits)
{
  double y[CURVE];

  for (size_t i = 0; i < n; i++)
    y[i] = steady (s, &hits[i], phase);
  sl_probe_points (p, trace, 0, n > 0 && isfinite (y[0]) ? n : 0, x, y);
}

/* Sizes whose hits take one pass for all. */
static void
add_curves (SlProbe *p, const SlRoutingLab *s)
{
  size_t     sizes[CURVE], n = choose_sizes (s, sizes), items = sl_turns_items (&s->turns);
  SlTurnHits hits[CURVE];
  double     x[CURVE], pinned[CURVE], any[CURVE];

  if (!sl_probe_ok (p, sl_turns_lru (&s->turns, n, sizes, hits))
      || !sl_probe_ok (p, sl_turns_pinned (&s->turns, n, sizes, pinned)))
    return;
  for (size_t i = 0; i < n; i++)
    {
      x[i] = gib_of (s, sizes[i]);
      pinned[i] *= 100.0;
      any[i] = 100.0 * (double) sizes[i] / (double) items;
    }
  add_phase (p, s, T_LRU, SL_TURNS_ALL, n, x, hits);
  add_phase (p, s, T_LRU_PREFILL, SL_TURNS_PREFILL, n, x, hits);
  add_phase (p, s, T_LRU_DECODE, SL_TURNS_DECODE, n, x, hits);
  sl_probe_points (p, T_PINNED, 0, isfinite (pinned[0]) ? n : 0, x, pinned);
  sl_probe_points (p, T_ANY, 0, n, x, any);
}

/* LFU and the best possible one are replayed size by size. */
static void
add_replays (SlProbe *p, const SlRoutingLab *s)
{
  size_t sizes[SL_MEMORY_SIZES];
  size_t n = sl_memory_sizes (sl_turns_items (&s->turns), sl_routing_places (s), sizes);
  double x[SL_MEMORY_SIZES], lfu[SL_MEMORY_SIZES], best[SL_MEMORY_SIZES];

  for (size_t i = 0; i < n; i++)
    {
      SlTurnHits hits;

      if (sl_probe_cancelled (p) || !sl_probe_ok (p, sl_turns_lfu (&s->turns, sizes[i], &hits)))
        return;
      x[i] = gib_of (s, sizes[i]);
      lfu[i] = steady (s, &hits, SL_TURNS_ALL);
      if (!sl_probe_ok (p, sl_turns_best (&s->turns, sizes[i], &hits)))
        return;
      best[i] = steady (s, &hits, SL_TURNS_ALL);
    }
  sl_probe_points (p, T_LFU, 0, isfinite (lfu[0]) ? n : 0, x, lfu);
  sl_probe_points (p, T_BEST, 0, isfinite (best[0]) ? n : 0, x, best);
}

/* What the cache that is set holds and hits, and what loading the rest allows. */
static void
say_cache (SlProbe *p, const SlRoutingLab *s)
{
  size_t      places = sl_routing_places (s), items = sl_turns_items (&s->turns);
  SlTurnPhase phase = s->counts.tokens[SL_TURNS_DECODE] > 0 ? SL_TURNS_DECODE : SL_TURNS_ALL;
  SlTurnHits  hits;
  double      traffic, bandwidth = 1e9 * sl_value_of (&s->base, P_BANDWIDTH);

  if (!sl_probe_ok (p, sl_turns_lru (&s->turns, 1, &places, &hits)))
    return;
  if (sl_value_of (&s->base, P_MEMORY) * 0x1p30 < sl_routing_bytes (s))
    {
      sl_probe_note (p, "%.4g GiB hold no expert of %.4g MiB.", sl_value_of (&s->base, P_MEMORY),
                     sl_routing_bytes (s) / 0x1p20);
      return;
    }
  if (places == items)
    {
      sl_probe_note (p, "All %zu experts of the recorded layers fit: %.4g GiB.", items,
                     gib_of (s, items));
      return;
    }
  sl_probe_note (p, "%.4g GiB: LRU hits %.1f %%", sl_value_of (&s->base, P_MEMORY),
                 steady (s, &hits, SL_TURNS_ALL));
  traffic = sl_memory_traffic (&s->counts, &hits, phase, sl_routing_bytes (s));
  if (traffic > 0.0 && phase == SL_TURNS_DECODE)
    sl_probe_note (p, ", decoding at most %.10g tokens a second",
                   sl_three_digits (bandwidth / traffic));
  else if (traffic > 0.0)
    sl_probe_note (p, ", at most %.10g tokens a second", sl_three_digits (bandwidth / traffic));
  sl_probe_note (p, ". %zu of %zu experts fit.", places, items);
  if (s->turns.cut)
    sl_probe_note (p, " Measured on the first %zu tokens.",
                   (size_t) s->counts.tokens[SL_TURNS_ALL]);
  if (s->n_aligned < s->layers)
    sl_probe_note (p, " Layers with other tokens are left out: %u.", s->layers - s->n_aligned);
}

void
sl_routing_probe_cache (SlProbe *p)
{
  SlRoutingLab *s = sl_routing_lab (p->state);

  if (!sl_routing_has_tokens (p, s) || !read_turns (p, s))
    return;
  add_curves (p, s);
  add_replays (p, s);
  p->snapshot->mark
    = fmin (sl_value_of (&s->base, P_MEMORY), gib_of (s, sl_turns_items (&s->turns)));
  if (sl_ok (&p->status))
    say_cache (p, s);
}
