/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "core/labs/routing/math/bias.h"
#include "core/labs/routing/math/drop.h"
#include "core/labs/routing/math/gates.h"
#include "core/labs/routing/math/load.h"
#include "core/labs/routing/math/memory/cache.h"
#include "core/labs/routing/math/next.h"
#include "core/labs/routing/math/together.h"
#include "core/labs/routing/math/windows.h"
#include "core/labs/routing/report/trace.h"

static const double factors[] = { 1.0, 1.25, 1.5, 2.0, 4.0 }; /* of the capacity */

enum { MOST_TOUCHED = 4096, MOST_SIZES = 40 };

/* A row of `n` numbers as an element of an array. */
static void
add_row (SlJsonWriter *w, size_t n, const double *row)
{
  sl_json_add_numbers (w, NULL, row, n, SL_JSON_PACKED);
}

static void
add_windows (SlJsonWriter *w, unsigned n, size_t windows, const uint64_t *loads, double slots,
             const char *cv, const char *floor, const char *idle)
{
  sl_json_open (w, cv, '[', SL_JSON_PACKED);
  for (size_t i = 0; i < windows; i++)
    sl_json_add_number (w, NULL, sl_load_cv (n, loads + i * n));
  sl_json_close (w);
  sl_json_open (w, floor, '[', SL_JSON_PACKED);
  for (size_t i = 0; i < windows; i++)
    sl_json_add_number (w, NULL,
                        sl_routes_chance (n, (double) sl_load_sum (n, loads + i * n), slots).floor);
  sl_json_close (w);
  sl_json_open (w, idle, '[', SL_JSON_PACKED);
  for (size_t i = 0; i < windows; i++)
    {
      unsigned none = 0;

      for (unsigned e = 0; e < n; e++)
        none += loads[i * n + e] == 0;
      sl_json_add_whole (w, NULL, none);
    }
  sl_json_close (w);
}

static void
add_hottest (SlJsonWriter *w, unsigned n, const uint64_t *load, double percent)
{
  uint16_t *order = g_new (uint16_t, n);

  sl_load_order (n, load, order);
  sl_json_open (w, "hot", '[', SL_JSON_PACKED);
  for (unsigned i = 0; i < sl_load_hot (n, percent); i++)
    sl_json_add_whole (w, NULL, order[i]);
  sl_json_close (w);
  g_free (order);
}

static void
add_touched (SlJsonWriter *w, const SlRoutes *r)
{
  sl_json_open (w, "touched", '[', SL_JSON_PACKED);
  for (size_t b = 1; b <= MOST_TOUCHED && b <= r->tokens; b *= 2)
    add_row (w, 3,
             (double[]) { (double) b, sl_routes_touched (r, b),
                          sl_routes_touched_by_chance (r->n, r->k, b) });
  sl_json_close (w);
}

static void
add_pairs (SlJsonWriter *w, const char *key, unsigned n, const SlTogetherPair *pairs)
{
  sl_json_open (w, key, '[', SL_JSON_PACKED);
  for (unsigned p = 0; p < n; p++)
    add_row (w, 4, (double[]) { pairs[p].i, pairs[p].j, pairs[p].both, pairs[p].lift });
  sl_json_close (w);
}

static gboolean
add_together (SlJsonWriter *w, const SlRoutes *r)
{
  uint32_t  *both = g_try_new (uint32_t, (size_t) r->n * r->n);
  SlTogether s;

  if (both == NULL)
    return FALSE;
  sl_routes_together (r, both);
  s = sl_together_summary (r->n, r->k, r->tokens, both);
  g_free (both);
  sl_json_open (w, "coactivation", '{', SL_JSON_TIGHT);
  sl_json_add_whole (w, "pairs", s.pairs);
  sl_json_add_whole (w, "never", s.never);
  sl_json_add_whole (w, "tested", s.tested);
  sl_trace_add_real (w, "lift_by_chance", s.by_chance);
  if (s.tested > 0)
    {
      add_pairs (w, "most", s.n_most, s.most);
      add_pairs (w, "least", s.n_least, s.least);
      sl_json_add_number (w, "mean_log2_abs", s.mean_log2_abs);
    }
  sl_json_close (w);
  return TRUE;
}

static gboolean
add_sizes (SlJsonWriter *w, const SlRoutes *r, double routings)
{
  unsigned size[SL_CACHE_SIZES], n = sl_cache_sizes (r->n, r->k, size);
  double  *served = g_new (double, r->n);
  gboolean good = TRUE;

  sl_routes_static (r, served);
  sl_json_open (w, "sizes", '[', SL_JSON_PACKED);
  for (unsigned i = 0; i < n; i++)
    sl_json_add_whole (w, NULL, size[i]);
  sl_json_close (w);
  sl_json_open (w, "held_out_static", '[', SL_JSON_PACKED);
  for (unsigned i = 0; i < n; i++)
    sl_json_add_number (w, NULL, served[size[i] - 1]);
  sl_json_close (w);
  sl_json_open (w, "lfu", '[', SL_JSON_PACKED);
  for (unsigned i = 0; i < n; i++)
    {
      uint64_t hits;
      SlStatus status = sl_routes_lfu (r, size[i], &hits);

      good = good && sl_ok (&status);
      sl_json_add_number (w, NULL, (double) hits / routings);
    }
  sl_json_close (w);
  sl_json_open (w, "best", '[', SL_JSON_PACKED);
  for (unsigned i = 0; i < n && good; i++)
    {
      uint64_t hits;
      SlStatus status = sl_routes_best (r, size[i], &hits);

      good = sl_ok (&status);
      sl_json_add_number (w, NULL, (double) hits / routings);
    }
  sl_json_close (w);
  g_free (served);
  return good;
}

static gboolean
add_cache (SlJsonWriter *w, const SlRoutes *r, double routings)
{
  uint64_t *hits = g_new (uint64_t, r->n), first;
  double   *lru = g_new (double, r->n);
  gboolean  good;

  first = sl_routes_lru (r, hits);
  for (unsigned c = 0; c < r->n; c++)
    lru[c] = (double) hits[c] / routings;
  sl_json_open (w, "cache", '{', SL_JSON_TIGHT);
  sl_json_add_whole (w, "first_uses", first);
  sl_json_add_numbers (w, "lru", lru, r->n, SL_JSON_PACKED);
  good = add_sizes (w, r, routings);
  sl_json_close (w);
  g_free (lru);
  g_free (hits);
  return good;
}

static void
add_capacity (SlJsonWriter *w, const SlRoutes *r, size_t window)
{
  sl_json_open (w, "capacity", '[', SL_JSON_PACKED);
  for (size_t f = 0; f < G_N_ELEMENTS (factors); f++)
    {
      SlDropped d = sl_routes_dropped (r, window, factors[f]);

      add_row (w, 4, (double[]) { factors[f], d.dropped, d.hurt, d.stranded });
    }
  sl_json_close (w);
}

static void
add_gates (SlJsonWriter *w, const SlRoutes *r, const float *gates)
{
  SlRoutesGates g = sl_routes_gates (r, gates);

  sl_json_open (w, "gates", '{', SL_JSON_TIGHT);
  sl_json_add_number (w, "importance_cv", g.importance_cv);
  sl_json_add_number (w, "entropy_bits", g.entropy_bits);
  sl_json_add_number (w, "sum", g.sum);
  sl_json_add_number (w, "first", g.first);
  sl_json_close (w);
}

static gboolean
add_passes (SlJsonWriter *w, const SlRoutes *r, const uint32_t *passes, size_t n_passes)
{
  SlPassesTouched touched[MOST_SIZES];
  size_t          n;
  SlStatus        status = sl_routes_passes_touched (r, n_passes, passes, MOST_SIZES, touched, &n);

  if (!sl_ok (&status))
    return FALSE;
  sl_json_open (w, "passes_touched", '[', SL_JSON_PACKED);
  for (size_t i = 0; i < n; i++)
    add_row (w, 3,
             (double[]) { (double) touched[i].size, (double) touched[i].passes, touched[i].mean });
  sl_json_close (w);
  return TRUE;
}

/* Experts that compute nothing, where there are any; of `routings` to others. */
static void
add_zero (SlJsonWriter *w, uint64_t zero, double routings, double mean_k)
{
  if (zero == 0)
    return;
  sl_json_open (w, "zero", '{', SL_JSON_TIGHT);
  sl_json_add_whole (w, "routings", zero);
  sl_json_add_number (w, "share", (double) zero / ((double) zero + routings));
  sl_trace_add_real (w, "mean_k", mean_k);
  sl_json_close (w);
}

gboolean
sl_trace_write_layer (SlJsonWriter *w, const char *key, const SlRoutes *r, uint64_t zero,
                      const float *gates, const uint32_t *passes, size_t n_passes,
                      const SlTraceSettings *settings)
{
  size_t    windows = (r->tokens + settings->window - 1) / settings->window;
  size_t    whole = r->tokens / settings->window;
  uint64_t *loads = g_new (uint64_t, (windows + 1) * r->n), *load = loads + windows * r->n;
  double    slots = sl_routes_slots (r);
  gboolean  good = TRUE;

  sl_routes_windows (r, settings->window, loads);
  sl_routes_load (r, load);
  sl_json_open (w, key, '{', SL_JSON_LINES);
  sl_json_add_whole (w, "tokens", r->tokens);
  add_zero (w, zero, (double) sl_load_sum (r->n, load),
            (double) sl_load_sum (r->n, load) / (double) r->tokens);
  sl_trace_add_balance (w, r->n, load, slots);
  sl_json_add_number (w, "dead_by_chance", sl_routes_dead_by_chance (r));
  add_windows (w, r->n, windows, loads, slots, "window_cv", "window_floor", "window_idle");
  add_hottest (w, r->n, load, settings->hot);
  sl_trace_add_hot (w, r->n, whole, loads, settings->hot);
  add_touched (w, r);
  if (r->k > 1)
    good = add_together (w, r);
  good = good && add_cache (w, r, (double) sl_load_sum (r->n, load));
  add_capacity (w, r, settings->window);
  if (whole > 0)
    sl_trace_add_placement (w, r->n, r->k, whole, loads, settings->window, settings);
  if (gates != NULL)
    add_gates (w, r, gates);
  if (n_passes > 1)
    good = good && add_passes (w, r, passes, n_passes);
  sl_json_close (w);
  g_free (loads);
  return good;
}

void
sl_trace_write_counts (SlJsonWriter *w, const char *key, const SlRouting *recording, unsigned layer,
                       const SlTraceSettings *settings)
{
  const uint64_t *counts = recording->layer[layer].counts;
  size_t          rows = recording->rows;
  unsigned        n = recording->experts, k = MAX (recording->k, 1);
  double          slots = recording->shares ? NAN : k;
  uint64_t       *load = g_new0 (uint64_t, n);
  size_t         *tokens = g_new (size_t, rows + 1);

  for (size_t row = 0; row < rows; row++)
    {
      for (unsigned i = 0; i < n; i++)
        load[i] += counts[row * n + i];
      tokens[row] = sl_load_sum (n, counts + row * n) / k;
    }
  sl_json_open (w, key, '{', SL_JSON_LINES);
  add_zero (w, recording->layer[layer].zero, (double) sl_load_sum (n, load), NAN);
  sl_trace_add_balance (w, n, load, slots);
  add_windows (w, n, rows, counts, slots, "row_cv", "row_floor", "row_dead");
  sl_trace_add_hot (w, n, rows, counts, settings->hot);
  sl_json_open (w, "capacity", '[', SL_JSON_PACKED);
  for (size_t f = 0; f < G_N_ELEMENTS (factors); f++)
    add_row (w, 2,
             (double[]) { factors[f], sl_loads_dropped (n, k, rows, counts, tokens, factors[f]) });
  sl_json_close (w);
  sl_trace_add_placement (w, n, k, rows, counts, sl_median_tokens (rows, tokens), settings);
  if (rows > 1)
    sl_trace_add_load_comparison (w, "first_to_last", n, k, counts, counts + (rows - 1) * n);
  sl_json_close (w);
  g_free (tokens);
  g_free (load);
}

gboolean
sl_trace_write_next (SlJsonWriter *w, const char *key, const SlRoutes *here, const SlRoutes *next,
                     gboolean ranked)
{
  SlNextLayer n;
  SlStatus    status = sl_routes_next (here, next, ranked, &n);

  if (!sl_ok (&status))
    return FALSE;
  sl_json_open (w, key, '{', SL_JSON_TIGHT);
  sl_json_add_whole (w, "tokens", n.tokens);
  if (!isnan (n.top1))
    {
      sl_json_open (w, "information", '{', SL_JSON_TIGHT);
      sl_json_add_number (w, "plain", n.information.plain);
      sl_json_add_number (w, "corrected", n.information.corrected);
      sl_json_add_number (w, "h_next", n.information.h_next);
      sl_json_close (w);
      sl_json_add_number (w, "information_unrelated", n.unrelated);
      sl_json_add_number (w, "top1", n.top1);
      sl_json_add_number (w, "top1_always", n.top1_always);
    }
  sl_trace_add_real (w, "recall", n.recall);
  sl_trace_add_real (w, "recall_always", n.recall_always);
  sl_trace_add_real (w, "recall_by_chance", n.recall_by_chance);
  sl_json_close (w);
  return TRUE;
}

void
sl_trace_write_bias (SlJsonWriter *w, const char *key, unsigned n, unsigned k, size_t tokens,
                     const float *scores, const SlTraceSettings *settings)
{
  double      *bias = g_new0 (double, n);
  uint64_t    *load = g_new0 (uint64_t, n), moved = 0;
  SlBiasReplay replay
    = { .n = n, .k = k, .kind = settings->score, .rate = settings->rate, .bias = bias };

  sl_json_open (w, key, '{', SL_JSON_TIGHT);
  sl_json_open (w, "maxvio", '[', SL_JSON_PACKED);
  for (size_t t = 0; t < tokens; t += settings->window)
    {
      SlBiasWindow window
        = sl_bias_window (&replay, MIN (settings->window, tokens - t), scores + t * n, load);

      moved += window.moved;
      add_row (w, 2, (double[]) { window.before, window.after });
    }
  sl_json_close (w);
  sl_json_add_numbers (w, "bias", bias, n, SL_JSON_PACKED);
  sl_trace_add_counts (w, "load", n, load);
  sl_json_add_number (w, "moved", (double) moved / ((double) tokens * k));
  sl_json_close (w);
  g_free (load);
  g_free (bias);
}

void
sl_trace_write_over_layers (SlJsonWriter *w, const char *key, unsigned n, size_t layers,
                            const uint64_t *loads, const double *slots,
                            const SlTraceSettings *settings)
{
  static const char *const names[] = { "cv", "gini", "peak", "effective", "dead", "hot" };
  double *value = g_new (double, G_N_ELEMENTS (names) * layers), *coverage = g_new (double, n);
  double  quartiles[5];

  for (size_t l = 0; l < layers; l++)
    {
      SlRoutesBalance b = sl_load_balance (n, loads + l * n, slots[l], coverage);
      double          of[] = { b.cv,
                               b.gini,
                               b.peak,
                               b.effective / n,
                               (double) b.dead / n,
                               coverage[sl_load_hot (n, settings->hot) - 1] };

      for (size_t i = 0; i < G_N_ELEMENTS (names); i++)
        value[i * layers + l] = of[i];
    }
  sl_json_open (w, key, '{', SL_JSON_TIGHT);
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++)
    {
      sl_quartiles (layers, value + i * layers, quartiles);
      sl_json_add_numbers (w, names[i], quartiles, 5, SL_JSON_PACKED);
    }
  sl_json_close (w);
  g_free (coverage);
  g_free (value);
}
