/* SPDX-License-Identifier: MIT
 *
 * The figures of a whole recording, in the chosen layer.  What there is none of is left out.  */
#include <math.h>
#include <stdlib.h>

#include "core/labs/routing/lab.h"
#include "core/labs/routing/math/drop.h"
#include "core/labs/routing/math/next.h"

/* What score() tells. */
const SlScore sl_routing_score_names[] = {
  { "cv", SL_MARK ("CV of the loads"), "", 0 },
  { "floor", SL_MARK ("CV by chance"), "", 0 },
  { "cv-excess", SL_MARK ("CV beyond chance"), "", 0 },
  { "gini", SL_MARK ("Gini coefficient of the loads"), "", 0 },
  { "peak", SL_MARK ("largest ÷ mean load"), "", 0 },
  { "effective", SL_MARK ("effective experts"), "%", 0 },
  { "dead", SL_MARK ("dead experts"), "%", 0 },
  { "recall", SL_MARK ("experts guessed from the layer before"), "%", 0 },
  { "recall-always", SL_MARK ("guessed by always naming the busiest"), "%", 0 },
  { "lru-miss", SL_MARK ("misses of a cache, LRU"), "%", 0 },
  { "lfu-miss", SL_MARK ("misses of a cache, LFU"), "%", 0 },
  { "dropped", SL_MARK ("dropped routings"), "%", 0 },
  { "static", SL_MARK ("balance held out, static"), "%", 0 },
  { "greedy", SL_MARK ("balance held out, greedy"), "%", 0 },
  { "replicated", SL_MARK ("balance held out, with replicas"), "%", 0 },
  { 0 },
};

enum { MOST_LOOKUPS = 1 << 24 };

typedef struct
{
  SlScore  *score;
  unsigned *n;
} Report;

static void
add (Report *report, const char *id, double value)
{
  if (isfinite (value) && *report->n < SL_SCORES_MAX)
    report->score[(*report->n)++] = sl_score (sl_routing_score_names, id, value);
}

static void
add_loads (SlRoutingLab *s, Report *report)
{
  SlRoutesBalance b = sl_routing_balance (s, s->layer, NULL);

  add (report, "cv", b.cv);
  add (report, "floor", b.chance.floor);
  add (report, "cv-excess", b.cv_excess);
  add (report, "gini", b.gini);
  add (report, "peak", b.peak);
  add (report, "effective", 100.0 * b.effective / s->n);
  add (report, "dead", 100.0 * b.dead / s->n);
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
      add (report, "recall", 100.0 * next.recall);
      add (report, "recall-always", 100.0 * next.recall_always);
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
  add (report, "lru-miss", 100.0 * (1.0 - (double) lru.of[SL_TURNS_ALL] / uses));
  add (report, "lfu-miss", 100.0 * (1.0 - (double) lfu.of[SL_TURNS_ALL] / uses));
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
  SlPlacementSetting       setting = sl_routing_placing (s);

  for (SlPlacementKind kind = 0; kind < SL_N_PLACEMENTS && s->complete > 0; kind++)
    add (report, ids[kind],
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
  add (&report, "dropped", 100.0 * share_dropped (s));
  add_placements (s, &report);
}
