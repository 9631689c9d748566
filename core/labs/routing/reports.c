/* SPDX-License-Identifier: MIT
 *
 * The figures of a whole recording, in the chosen layer.  What there is none of is left out.  */
#include <math.h>
#include <stdlib.h>

#include "core/labs/routing/lab.h"
#include "core/labs/routing/math/drop.h"
#include "core/labs/routing/math/next.h"

enum { MOST_LOOKUPS = 1 << 24 };

typedef struct
{
  SlScore  *score;
  unsigned *n;
} Report;

static void
add (Report *report, const char *id, const char *title, const char *unit, double value)
{
  if (isfinite (value) && *report->n < SL_SCORES_MAX)
    report->score[(*report->n)++] = (SlScore) { id, title, unit, value };
}

static void
add_loads (SlRoutingLab *s, Report *report)
{
  SlRoutesBalance b = sl_routing_balance (s, s->layer, NULL);

  add (report, "cv", SL_MARK ("CV of the loads"), "", b.cv);
  add (report, "floor", SL_MARK ("CV by chance"), "", b.chance.floor);
  add (report, "cv-excess", SL_MARK ("CV beyond chance"), "", b.cv_excess);
  add (report, "gini", SL_MARK ("Gini coefficient of the loads"), "", b.gini);
  add (report, "peak", SL_MARK ("largest ÷ mean load"), "", b.peak);
  add (report, "effective", SL_MARK ("effective experts"), "%", 100.0 * b.effective / s->n);
  add (report, "dead", SL_MARK ("dead experts"), "%", 100.0 * b.dead / s->n);
}

/* How well the experts are told by those of the layer before. */
static void
add_recall (SlRoutingLab *s, Report *report)
{
  uint16_t   *before = malloc ((s->routes.tokens * s->k + 1) * sizeof *before);
  SlRoutes    routes = s->routes;
  SlNextLayer next;
  SlStatus    status;

  if (before == NULL)
    return;
  routes.ids = before;
  status = sl_routing_read_layer (s, s->layer - 1, 0, routes.tokens, before);
  if (sl_ok (&status))
    status = sl_routes_next (&routes, &s->routes, false, &next);
  if (sl_ok (&status) && next.tokens >= 4)
    {
      add (report, "recall", SL_MARK ("experts guessed from the layer before"), "%",
           100.0 * next.recall);
      add (report, "recall-always", SL_MARK ("guessed by always naming the busiest"), "%",
           100.0 * next.recall_always);
    }
  free (before);
}

/* Of the cache that is set, once each expert was used. */
static void
add_misses (SlRoutingLab *s, Report *report)
{
  SlTurnSource source = sl_routing_source (s);
  size_t       places = sl_routing_places (s);
  SlTurns      turns = { 0 };
  SlTurnCounts counts;
  SlTurnHits   lru, lfu;
  SlStatus     status = sl_turns_read (&source, MOST_LOOKUPS, NULL, NULL, &turns);
  double       uses;

  if (sl_ok (&status))
    status = sl_turns_count (&turns, &counts);
  if (sl_ok (&status))
    status = sl_turns_lru (&turns, 1, &places, &lru);
  if (sl_ok (&status))
    status = sl_turns_lfu (&turns, places, &lfu);
  sl_turns_clear (&turns);
  if (!sl_ok (&status))
    return;
  uses = (double) (counts.lookups[SL_TURNS_ALL] - counts.first_uses[SL_TURNS_ALL]);
  add (report, "lru-miss", SL_MARK ("misses of a cache, LRU"), "%",
       100.0 * (1.0 - (double) lru.of[SL_TURNS_ALL] / uses));
  add (report, "lfu-miss", SL_MARK ("misses of a cache, LFU"), "%",
       100.0 * (1.0 - (double) lfu.of[SL_TURNS_ALL] / uses));
}

static double
share_dropped (SlRoutingLab *s)
{
  double factor = sl_value_of (&s->base, P_CAPACITY);

  return s->has_tokens ? sl_routes_dropped_in (&s->routes, s->windows, s->first, factor).dropped
                       : sl_loads_dropped (s->n, s->k, s->windows, s->loads, s->tokens, factor);
}

static void
add_placements (SlRoutingLab *s, Report *report)
{
  static const char *const ids[] = { "static", "greedy", "replicated" };
  static const char *const titles[]
    = { SL_MARK ("balance held out, static"), SL_MARK ("balance held out, greedy"),
        SL_MARK ("balance held out, with replicas") };
  SlPlacementSetting setting = sl_routing_placing (s);

  for (SlPlacementKind kind = 0; kind < SL_N_PLACEMENTS && s->complete > 0; kind++)
    add (report, ids[kind], titles[kind], "%",
         100.0
           * sl_placement_score (kind, &setting, s->n, s->complete, s->loads,
                                 sl_count_of (&s->base, P_REPLAN), s->placement)
               .held_out);
}

void
sl_routing_score (SlLabState *state, SlSplit split, SlScore *scores, unsigned *n)
{
  SlRoutingLab *s = sl_routing_lab (state);
  Report        report = { scores, n };

  (void) split;
  if (sl_load_sum (s->n, s->load) == 0)
    return;
  add_loads (s, &report);
  if (s->layer > 0 && sl_routing_aligned (s, s->layer - 1))
    add_recall (s, &report);
  if (s->has_tokens)
    add_misses (s, &report);
  add (&report, "dropped", SL_MARK ("dropped routings"), "%", 100.0 * share_dropped (s));
  add_placements (s, &report);
}
