/* SPDX-License-Identifier: MIT
 *
 * What one window publishes.  Allocates nothing.  */
#include <math.h>

#include "core/labs/routing/lab.h"
#include "core/labs/routing/math/drop.h"
#include "core/labs/routing/math/gates.h"
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
  publish (sink, V_PEAK, T_PEAK, b.peak);
  publish (sink, V_PEAK, T_PEAK_CHANCE, b.chance.peak);
  publish (sink, V_PEAK, T_PEAK_SAME, (double) s->n / s->k);
  publish (sink, V_EFFECTIVE, T_EFFECTIVE, b.effective);
  publish (sink, V_EFFECTIVE, T_EFFECTIVE_CHANCE, b.chance.effective);
  publish (sink, V_EFFECTIVE, T_USED, (double) (s->n - b.dead));
  publish (sink, V_EFFECTIVE, T_THERE, (double) s->n);
}

static void
publish_hot (SlRoutingLab *s, SlSink *sink, size_t w)
{
  unsigned    m = sl_routing_hot (s);
  SlRoutesHot hot = { NAN, NAN, NAN };

  if (w > 0)
    hot = sl_routes_hot (s->n, m, sl_routing_window_load (s, w - 1), sl_routing_window_load (s, w));
  publish (sink, V_HOT, T_JACCARD, 100.0 * hot.jaccard);
  publish (sink, V_HOT, T_JACCARD_CHANCE, 100.0 * sl_routes_jaccard_by_chance (s->n, m));
  publish (sink, V_HOT, T_CARRY, 100.0 * hot.carry);
  publish (sink, V_HOT, T_INSIDE, 100.0 * hot.inside);
}

/* ---- What if ---- */

/* The caches see all tokens in their order, whoever looks. */
static void
publish_hits (SlRoutingLab *s, SlSink *sink, const SlRoutes *window)
{
  unsigned places = sl_routing_places (s);
  uint64_t routings = 0, lru = 0, lfu = 0;
  uint16_t row[SL_ROUTES_SLOTS], place[SL_ROUTES_SLOTS];

  for (size_t t = 0; t < window->tokens; t++)
    {
      unsigned k = sl_routes_row (window, t, row);

      routings += k;
      lfu += sl_lfu_token (&s->lfu, k, row);
      sl_lru_token (&s->lru, k, row, place);
      for (unsigned i = 0; i < k; i++)
        lru += place[i] < places;
    }
  publish (sink, V_HITS, T_HITS_LRU, 100.0 * (double) lru / (double) routings);
  publish (sink, V_HITS, T_HITS_LFU, 100.0 * (double) lfu / (double) routings);
  publish (sink, V_HITS, T_HITS_ANY, 100.0 * places / s->n);
}

static void
publish_dropped (SlRoutingLab *s, SlSink *sink, size_t w, const SlRoutes *window)
{
  double factor = sl_value_of (&s->base, P_CAPACITY);

  if (s->has_tokens)
    {
      SlDropped d = sl_routes_dropped_in (window, 1, (size_t[]) { 0, window->tokens }, factor);

      publish (sink, V_DROPPED, T_DROPPED, 100.0 * d.dropped);
      publish (sink, V_DROPPED, T_HURT, 100.0 * d.hurt);
    }
  else
    publish (
      sink, V_DROPPED, T_DROPPED,
      100.0
        * sl_loads_dropped (s->n, s->k, 1, sl_routing_window_load (s, w), &s->tokens[w], factor));
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

static void
publish_gates (SlRoutingLab *s, SlSink *sink, size_t w, const SlRoutes *window)
{
  SlRoutesGates g = sl_routes_gates (window, s->gates + s->first[w] * s->k);

  publish (sink, V_GATES, T_IMPORTANCE, g.importance_cv);
  publish (sink, V_GATES, T_ENTROPY, g.entropy_bits);
  publish (sink, V_GATES, T_GATE_SUM, g.sum);
}

SlStatus
sl_routing_step (SlLabState *state, SlSink *sink)
{
  SlRoutingLab *s = sl_routing_lab (state);
  size_t        w = state->now.t;
  SlRoutes      window = { 0 };
  SlStatus      status;

  if (s->has_tokens)
    window = sl_routing_window (s, w);
  publish_balance (s, sink, w);
  status = publish_layers (s, sink, w);
  publish_hot (s, sink, w);
  publish_dropped (s, sink, w, &window);
  publish_placements (s, sink, w);
  if (s->has_tokens)
    publish_hits (s, sink, &window);
  if (s->gates != NULL)
    publish_gates (s, sink, w, &window);
  if (s->bias != NULL && s->tokens[w] > 0)
    sl_routing_publish_bias (s, sink, w);
  state->now.t++;
  state->now.examples += s->tokens[w];
  return status;
}
