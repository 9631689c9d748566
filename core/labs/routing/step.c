/* SPDX-License-Identifier: MIT
 *
 * What one window publishes.  Allocates nothing.  */
#include <math.h>

#include "core/labs/routing/lab.h"
#include "core/labs/routing/math/windows.h"

/* What there is none of (a plan before the first windows, a window without routings) is no point. */
static void
publish (SlSink *sink, unsigned panel, unsigned trace, double value)
{
  if (isfinite (value))
    sl_sink_value (sink, panel, trace, 0, value);
}

/* ---- Load ---- */

/* Tokens of an aligned layer in the window, counted into s->sum. */
static SlStatus
count_layer (SlRoutingLab *s, unsigned layer, size_t w)
{
  SlRoutes part = { .n = s->n, .k = s->k, .bytes = 2, .tokens = s->tokens[w], .ids = s->block };
  SlStatus status = sl_routing_read_layer (s, layer, s->first[w], part.tokens, s->block);

  if (sl_ok (&status))
    sl_routes_load (&part, s->sum);
  return status;
}

/* The CV of the window in each layer that has the same tokens, or the same rows. */
static SlStatus
publish_layers (SlRoutingLab *s, SlSink *sink, size_t w)
{
  double   quartiles[5];
  unsigned n = 0;
  SlStatus status = SL_SUCCESS;

  for (unsigned l = 0; l < s->layers && sl_ok (&status); l++)
    if (!s->has_tokens)
      s->value[n++] = sl_load_cv (s->n, s->recording->layer[l].counts + w * s->n);
    else if (sl_routing_aligned (s, l))
      {
        status = count_layer (s, l, w);
        s->value[n++] = sl_load_cv (s->n, s->sum);
      }
  if (!sl_ok (&status) || n < 2)
    return status;
  sl_quartiles (n, s->value, quartiles);
  publish (sink, V_CV, T_CV_MEDIAN, quartiles[2]);
  publish (sink, V_CV, T_CV_GREATEST, quartiles[4]);
  return status;
}

static void
publish_balance (SlRoutingLab *s, SlSink *sink, size_t w)
{
  SlRoutesBalance b = sl_load_balance (s->n, sl_routing_window_load (s, w), s->slots, NULL);

  publish (sink, V_CV, T_CV, b.cv);
  publish (sink, V_CV, T_CV_FLOOR, b.chance.floor);
  publish (sink, V_CV, T_CV_95, b.chance.floor_95);
  publish (sink, V_CV, T_CV_SAME, sqrt (fmax (0.0, (double) s->n / s->k - 1.0)));
}

/* ---- Cache and devices ---- */

typedef struct
{
  SlRecent *recent;
  uint64_t  lookups, hits;
} Hits;

static bool
take_turn (void *data, size_t group, const uint32_t *item, unsigned k)
{
  Hits *hits = data;

  (void) group;
  hits->lookups += k;
  hits->hits += sl_recent_turn (hits->recent, item, k);
  return true;
}

/* The cache of all layers with the same tokens, in their order. */
static SlStatus
publish_hits (SlRoutingLab *s, SlSink *sink, size_t w)
{
  SlTurnSource source = sl_routing_source (s);
  Hits         hits = { .recent = &s->recent };
  size_t       groups = s->pass != NULL ? 1 : s->tokens[w];
  SlStatus     status = sl_turns_each (&source, &s->room, w, groups, s->first[w], take_turn, &hits);

  publish (sink, V_HITS, T_HITS_LRU, 100.0 * (double) hits.hits / (double) hits.lookups);
  publish (sink, V_HITS, T_HITS_ANY,
           100.0 * (double) sl_routing_places (s) / ((double) s->n_aligned * s->n));
  return status;
}

/* The share of work in this window, as it was planned from `replan` windows before; NaN: there are not
 * so many.  */
static double
followed (SlRoutingLab *s, SlPlacementKind kind, size_t w)
{
  SlPlacementSetting setting = sl_routing_placing (s);
  size_t             replan = sl_count_of (&s->base, P_REPLAN), end = w - w % replan;
  SlDeviceTime       time = { 0 };

  if (kind != SL_PLACE_STATIC && end == 0)
    return NAN;
  for (unsigned i = 0; i < s->n; i++)
    {
      s->sum[i] = 0;
      for (size_t past = end > replan ? end - replan : 0; past < end; past++)
        s->sum[i] += sl_routing_window_load (s, past)[i];
    }
  sl_placement_make (kind, &setting, s->n, s->sum, s->placement);
  sl_placement_add_time (s->placement, sl_routing_window_load (s, w), &time);
  return sl_device_time_share (time);
}

static void
publish_placements (SlRoutingLab *s, SlSink *sink, size_t w)
{
  unsigned devices = (unsigned) sl_count_of (&s->base, P_DEVICES);

  for (SlPlacementKind kind = 0; kind < SL_N_PLACEMENTS; kind++)
    publish (sink, V_BALANCE, kind, 100.0 * followed (s, kind, w));
  publish (sink, V_BALANCE, T_EVEN, 100.0 * sl_placement_even (s->n, devices, s->k, s->tokens[w]));
}

SlStatus
sl_routing_step (SlLabState *state, SlSink *sink)
{
  SlRoutingLab *s = sl_routing_lab (state);
  size_t        w = state->now.t;
  SlStatus      status;

  publish_balance (s, sink, w);
  status = publish_layers (s, sink, w);
  publish_placements (s, sink, w);
  if (s->has_tokens && sl_ok (&status))
    status = publish_hits (s, sink, w);
  state->now.t++;
  state->now.examples += s->tokens[w];
  return status;
}
