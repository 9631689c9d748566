/* SPDX-License-Identifier: MIT
 *
 * The panel of the lab `routing` on caches: one for the experts of all layers that have the same tokens.  */
#include <math.h>

#include "core/labs/routing/probes.h"

/* That are replayed, so that a change of settings is soon seen. */
enum { MOST_LOOKUPS = 1 << 21 };

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

/* Every so many-th size, the last one that of all experts. */
static void
choose_sizes (SlRoutingLab *s)
{
  SlRoutingCaches *c = &s->caches;
  size_t           items = sl_turns_items (&s->turns);

  for (size_t i = 1; i <= SL_ROUTING_CURVE; i++)
    {
      size_t size = (items * i + SL_ROUTING_CURVE - 1) / SL_ROUTING_CURVE;

      if (c->n == 0 || size > c->size[c->n - 1])
        c->size[c->n++] = size;
    }
  c->n_replayed = sl_memory_sizes (items, 0, c->replayed);
}

static bool
replay (SlProbe *p, const SlRoutingLab *s, size_t size, SlTurnHits *lfu, SlTurnHits *best)
{
  return !sl_probe_cancelled (p) && sl_probe_ok (p, sl_turns_lfu (&s->turns, size, lfu))
         && sl_probe_ok (p, sl_turns_best (&s->turns, size, best));
}

/* What does not depend on the size that is set; goes on where it was cut short. */
static bool
fill_curves (SlProbe *p, SlRoutingLab *s)
{
  SlRoutingCaches *c = &s->caches;

  c->counted = c->counted
               || (sl_probe_ok (p, sl_turns_count (&s->turns, &s->counts))
                   && sl_probe_ok (p, sl_turns_lru (&s->turns, c->n, c->size, c->lru))
                   && sl_probe_ok (p, sl_turns_pinned (&s->turns, c->n, c->size, c->pinned)));
  while (c->counted && c->done < c->n_replayed
         && replay (p, s, c->replayed[c->done], &c->lfu[c->done], &c->best[c->done]))
    c->done++;
  return c->counted && c->done == c->n_replayed;
}

static bool
fill_chosen (SlProbe *p, SlRoutingLab *s)
{
  SlRoutingCaches *c = &s->caches;
  size_t           places = sl_routing_places (s);
  bool             good = c->chosen == places
              || (sl_probe_ok (p, sl_turns_lru (&s->turns, 1, &places, &c->chosen_lru))
                  && replay (p, s, places, &c->chosen_lfu, &c->chosen_best));

  c->chosen = good ? places : 0;
  return good;
}

/* Reads the turns and replays them, once in a run and then where another size was set. */
static bool
fill_caches (SlProbe *p, SlRoutingLab *s)
{
  SlTurnSource source = sl_routing_source (s);

  if (s->turns.turns == 0)
    {
      sl_turns_clear (&s->turns);
      s->caches = (SlRoutingCaches) { 0 };
      if (!sl_probe_ok (p, sl_turns_read (&source, MOST_LOOKUPS, NULL, NULL, &s->turns))
          || s->turns.turns == 0)
        {
          sl_turns_clear (&s->turns);
          return false;
        }
      choose_sizes (s);
    }
  return fill_curves (p, s) && fill_chosen (p, s);
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

/* A curve of a phase that is there. */
static void
add_phase (SlProbe *p, const SlRoutingLab *s, unsigned trace, SlTurnPhase phase)
{
  const SlRoutingCaches *c = &s->caches;
  double                 x[SL_ROUTING_CURVE], y[SL_ROUTING_CURVE];

  for (size_t i = 0; i < c->n; i++)
    {
      x[i] = gib_of (s, c->size[i]);
      y[i] = steady (s, &c->lru[i], phase);
    }
  sl_probe_points (p, trace, 0, isfinite (y[0]) ? c->n : 0, x, y);
}

static void
add_fixed (SlProbe *p, const SlRoutingLab *s)
{
  const SlRoutingCaches *c = &s->caches;
  double                 x[SL_ROUTING_CURVE], y[SL_ROUTING_CURVE];

  for (size_t i = 0; i < c->n; i++)
    {
      x[i] = gib_of (s, c->size[i]);
      y[i] = 100.0 * c->pinned[i];
    }
  sl_probe_points (p, T_PINNED, 0, isfinite (y[0]) ? c->n : 0, x, y);
  for (size_t i = 0; i < c->n; i++)
    y[i] = 100.0 * (double) c->size[i] / (double) sl_turns_items (&s->turns);
  sl_probe_points (p, T_ANY, 0, c->n, x, y);
}

/* Points of a few sizes, the one that is set among them. */
static void
add_replayed (SlProbe *p, const SlRoutingLab *s, unsigned trace, const SlTurnHits *hits,
              const SlTurnHits *chosen)
{
  const SlRoutingCaches *c = &s->caches;
  double                 x[SL_MEMORY_SIZES + 1], y[SL_MEMORY_SIZES + 1];
  size_t                 n = 0;
  bool                   there = false;

  for (size_t i = 0; i < c->n_replayed; i++)
    {
      if (!there && c->chosen < c->replayed[i])
        {
          x[n] = gib_of (s, c->chosen);
          y[n++] = steady (s, chosen, SL_TURNS_ALL);
        }
      there = there || c->chosen <= c->replayed[i];
      x[n] = gib_of (s, c->replayed[i]);
      y[n++] = steady (s, &hits[i], SL_TURNS_ALL);
    }
  sl_probe_points (p, trace, 0, isfinite (y[0]) ? n : 0, x, y);
}

/* What the cache that is set holds and hits, and what loading the rest allows. */
static void
say_cache (SlProbe *p, const SlRoutingLab *s)
{
  size_t      places = s->caches.chosen, items = sl_turns_items (&s->turns);
  SlTurnPhase phase = s->counts.tokens[SL_TURNS_DECODE] > 0 ? SL_TURNS_DECODE : SL_TURNS_ALL;
  double      traffic, bandwidth = 1e9 * sl_value_of (&s->base, P_BANDWIDTH);

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
                 steady (s, &s->caches.chosen_lru, SL_TURNS_ALL));
  traffic = sl_memory_traffic (&s->counts, &s->caches.chosen_lru, phase, sl_routing_bytes (s));
  if (traffic > 0.0 && phase == SL_TURNS_DECODE)
    sl_probe_note (p, ", decoding at most %.10g tokens a second",
                   sl_three_digits (bandwidth / traffic));
  else if (traffic > 0.0)
    sl_probe_note (p, ", at most %.10g tokens a second", sl_three_digits (bandwidth / traffic));
  sl_probe_note (p, ". %zu of %zu experts fit; at random they hit %.1f %%.", places, items,
                 100.0 * (double) places / (double) items);
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

  if (!sl_routing_has_tokens (p, s) || !fill_caches (p, s))
    return;
  add_phase (p, s, T_LRU, SL_TURNS_ALL);
  add_phase (p, s, T_LRU_PREFILL, SL_TURNS_PREFILL);
  add_phase (p, s, T_LRU_DECODE, SL_TURNS_DECODE);
  add_replayed (p, s, T_LFU, s->caches.lfu, &s->caches.chosen_lfu);
  add_replayed (p, s, T_BEST, s->caches.best, &s->caches.chosen_best);
  add_fixed (p, s);
  p->snapshot->mark
    = fmin (sl_value_of (&s->base, P_MEMORY), gib_of (s, sl_turns_items (&s->turns)));
  if (sl_ok (&p->status))
    say_cache (p, s);
}
