/* SPDX-License-Identifier: MIT
 *
 * What layers with tokens and layers of counts have in common.  */
#include <math.h>

#include "core/labs/routing/math/compare.h"
#include "core/labs/routing/math/load.h"
#include "core/labs/routing/math/windows.h"
#include "core/labs/routing/report/trace.h"

enum { NAME = 64 };

void
sl_trace_add_name (SlJsonWriter *w, const SlRoutingLayer *layer)
{
  char name[NAME];

  if (layer->mtp < 0)
    sl_json_add_number (w, NULL, layer->number);
  else
    sl_json_add_text (w, NULL, sl_routing_layer_name (layer, name, NAME));
}

void
sl_trace_add_names (SlJsonWriter *w, const SlRouting *recording)
{
  sl_json_open (w, "layers", '[', SL_JSON_PACKED);
  for (unsigned l = 0; l < recording->n_layers; l++)
    sl_trace_add_name (w, &recording->layer[l]);
  sl_json_close (w);
}

void
sl_trace_add_real (SlJsonWriter *w, const char *key, double value)
{
  if (!isnan (value))
    sl_json_add_number (w, key, value);
}

void
sl_trace_add_counts (SlJsonWriter *w, const char *key, size_t n, const uint64_t *value)
{
  sl_json_open (w, key, '[', SL_JSON_PACKED);
  for (size_t i = 0; i < n; i++)
    sl_json_add_whole (w, NULL, value[i]);
  sl_json_close (w);
}

static void
add_chance (SlJsonWriter *w, const SlRoutesChance *c)
{
  sl_json_open (w, "chance", '{', SL_JSON_TIGHT);
  sl_json_add_number (w, "floor", c->floor);
  sl_json_add_number (w, "floor_mean", c->floor_mean);
  sl_json_add_number (w, "floor_95", c->floor_95);
  sl_json_add_number (w, "peak", c->peak);
  sl_json_add_number (w, "effective", c->effective);
  sl_trace_add_real (w, "gini", c->gini);
  sl_json_add_number (w, "dead", c->dead);
  sl_json_close (w);
}

void
sl_trace_add_balance (SlJsonWriter *w, unsigned n, const uint64_t *load, double slots)
{
  double         *coverage = g_new (double, n);
  SlRoutesBalance b = sl_load_balance (n, load, slots, coverage);

  sl_trace_add_counts (w, "load", n, load);
  sl_json_add_whole (w, "routings", b.routings);
  sl_json_add_number (w, "cv", b.cv);
  sl_json_add_number (w, "gini", b.gini);
  sl_json_add_number (w, "peak", b.peak);
  sl_json_add_number (w, "maxvio", b.maxvio);
  sl_json_add_number (w, "entropy_bits", b.entropy_bits);
  sl_json_add_number (w, "effective", b.effective);
  sl_json_add_whole (w, "dead", b.dead);
  add_chance (w, &b.chance);
  sl_json_add_number (w, "cv_excess", b.cv_excess);
  sl_json_add_numbers (w, "coverage", coverage, b.routings > 0 ? n : 0, SL_JSON_PACKED);
  sl_json_add_whole (w, "serve_50", b.serve_50);
  sl_json_add_whole (w, "serve_80", b.serve_80);
  sl_json_add_whole (w, "serve_90", b.serve_90);
  g_free (coverage);
}

void
sl_trace_add_hot (SlJsonWriter *w, unsigned n, size_t windows, const uint64_t *loads,
                  double percent)
{
  unsigned    m = sl_load_hot (n, percent);
  double     *jaccard = g_new (double, windows + 1);
  SlRoutesHot mean = sl_routes_hot_mean (n, m, windows, loads, jaccard);

  sl_json_open (w, "hot_windows", '{', SL_JSON_TIGHT);
  sl_json_add_whole (w, "m", m);
  sl_json_add_numbers (w, "jaccard", jaccard, windows > 0 ? windows - 1 : 0, SL_JSON_PACKED);
  sl_trace_add_real (w, "jaccard_mean", mean.jaccard);
  sl_json_add_number (w, "jaccard_by_chance", sl_routes_jaccard_by_chance (n, m));
  sl_trace_add_real (w, "carry_mean", mean.carry);
  sl_trace_add_real (w, "inside_mean", mean.inside);
  sl_json_close (w);
  g_free (jaccard);
}

static void
add_devices (SlJsonWriter *w, const SlPlacement *placement)
{
  sl_json_open (w, "placed", '[', SL_JSON_PACKED);
  for (unsigned d = 0; d < placement->devices; d++)
    {
      sl_json_open (w, NULL, '[', SL_JSON_PACKED);
      for (unsigned i = placement->first[d]; i < placement->first[d + 1]; i++)
        sl_json_add_whole (w, NULL, placement->expert[i]);
      sl_json_close (w);
    }
  sl_json_close (w);
  sl_json_open (w, "copies", '[', SL_JSON_PACKED);
  for (unsigned i = 0; i < placement->n; i++)
    sl_json_add_whole (w, NULL, placement->copies[i]);
  sl_json_close (w);
}

static void
add_kind (SlJsonWriter *w, SlPlacementKind kind, unsigned n, size_t windows, const uint64_t *loads,
          const SlTraceSettings *settings)
{
  static const char *const names[] = { "static", "greedy", "replicated" };
  SlPlacement             *placement = g_new (SlPlacement, 1);
  SlPlacementScores scores = sl_placement_score (kind, &settings->placement, n, windows, loads,
                                                 settings->replan, placement);
  double           *device = g_new (double, placement->devices);
  uint64_t         *load = g_new0 (uint64_t, n);

  for (size_t i = 0; i < windows * n; i++)
    load[i % n] += loads[i];
  sl_placement_loads (placement, load, device);
  sl_json_open (w, names[kind], '{', SL_JSON_TIGHT);
  add_devices (w, placement);
  sl_json_add_numbers (w, "load", device, placement->devices, SL_JSON_PACKED);
  sl_json_add_number (w, "whole", scores.whole);
  sl_json_add_number (w, "windows", scores.windows);
  sl_trace_add_real (w, "held_out", scores.held_out);
  sl_trace_add_real (w, "followed", scores.followed);
  sl_json_close (w);
  g_free (load);
  g_free (device);
  g_free (placement);
}

void
sl_trace_add_placement (SlJsonWriter *w, unsigned n, double k, size_t windows,
                        const uint64_t *loads, size_t median_tokens,
                        const SlTraceSettings *settings)
{
  unsigned g = MIN (settings->placement.devices, n);

  sl_json_open (w, "placement", '{', SL_JSON_LINES);
  sl_json_add_whole (w, "devices", g);
  sl_json_add_whole (w, "slots", sl_placement_places (&settings->placement, n));
  for (SlPlacementKind kind = 0; kind < SL_N_PLACEMENTS; kind++)
    add_kind (w, kind, n, windows, loads, settings);
  sl_json_add_number (w, "even", sl_placement_even (n, g, k, median_tokens));
  sl_json_close (w);
}

static void
add_compared (SlJsonWriter *w, unsigned n, const SlLoadComparison *c, const double *difference,
              const double *binomial)
{
  sl_json_add_numbers (w, "difference", difference, n, SL_JSON_PACKED);
  sl_json_add_number (w, "total_variation", c->total_variation);
  sl_json_add_number (w, "total_variation_by_chance", c->total_variation_by_chance);
  sl_json_add_number (w, "jensen_shannon_bits", c->jensen_shannon_bits);
  sl_json_add_numbers (w, "binomial_half_width", binomial, n, SL_JSON_PACKED);
}

void
sl_trace_add_load_comparison (SlJsonWriter *w, const char *key, unsigned n, double k,
                              const uint64_t *a, const uint64_t *b)
{
  double          *arrays = g_new (double, 2 * n);
  SlLoadComparison c = sl_load_compare (n, a, b, k, k, arrays, arrays + n);

  sl_json_open (w, key, '{', SL_JSON_TIGHT);
  add_compared (w, n, &c, arrays, arrays + n);
  sl_json_close (w);
  g_free (arrays);
}

void
sl_trace_write_comparison (SlJsonWriter *w, const char *key, const SlRoutes *a, const SlRoutes *b,
                           gboolean paired, gboolean ranked)
{
  unsigned         n = a->n;
  double          *arrays = g_new (double, 3 * n);
  SlLoadComparison c = sl_routes_compare (a, b, arrays, arrays + n, arrays + 2 * n);

  sl_json_open (w, key, '{', SL_JSON_TIGHT);
  add_compared (w, n, &c, arrays, arrays + n);
  if (c.has_interval)
    {
      sl_json_add_numbers (w, "half_width", arrays + 2 * n, n, SL_JSON_PACKED);
      sl_json_add_whole (w, "beyond", c.beyond);
    }
  if (paired && a->tokens == b->tokens)
    {
      SlPairedRoutes pairs = sl_routes_compare_paired (a, b);

      sl_json_add_number (w, "flip", pairs.flip);
      sl_json_add_number (w, "same_set", pairs.same_set);
      if (ranked)
        sl_json_add_number (w, "top1_flip", pairs.top1_flip);
    }
  sl_json_close (w);
  g_free (arrays);
}
