/* SPDX-License-Identifier: MIT */
#include "core/labs/routing/report/keep.h"

#include <math.h>
#include <string.h>

#include "core/labs/routing/report/tokens.h"

enum { NAME = 64 };

/* ---- loads ---- */

/* Tokens or rows of a layer that count. */
static size_t
count_rows (const SlRouting *r, unsigned layer, gboolean warm_up)
{
  return r->kind == SL_ROUTING_COUNTS ? r->rows : sl_routing_tokens (r, layer, warm_up);
}

static void
add_counts (const SlRouting *r, unsigned layer, size_t half, uint64_t *first, uint64_t *second)
{
  size_t n = r->experts;

  memset (first, 0, n * sizeof *first);
  memset (second, 0, n * sizeof *second);
  for (size_t i = 0; i < r->rows * n; i++)
    (i < half * n ? first : second)[i % n] += r->layer[layer].counts[i];
}

static SlStatus
add_tokens (const SlRouting *r, unsigned layer, gboolean warm_up, size_t half, uint64_t *first,
            uint64_t *second, double *by_chance)
{
  SlTraceTokens tokens;
  SlStatus      status = sl_trace_tokens_read (r, layer, warm_up, &tokens);

  if (sl_ok (&status))
    {
      SlRoutes a = sl_routes_part (&tokens.routes, 0, half);
      SlRoutes b = sl_routes_part (&tokens.routes, half, tokens.routes.tokens - half);

      sl_routes_load (&a, first);
      sl_routes_load (&b, second);
      *by_chance = sl_routes_dead_by_chance (&tokens.routes);
    }
  sl_trace_tokens_clear (&tokens);
  return status;
}

/* Loads of both parts of a layer, and how many experts chance leaves without any. */
static SlStatus
fill_layer (const SlRouting *r, unsigned layer, gboolean warm_up, size_t half, SlTraceKeep *keep)
{
  uint64_t *first = keep->first + (size_t) layer * r->experts;
  uint64_t *second = keep->second + (size_t) layer * r->experts;
  double    slots = r->shares ? NAN : MAX (r->k, 1);

  if (r->kind == SL_ROUTING_IDS)
    return add_tokens (r, layer, warm_up, half, first, second, &keep->by_chance[layer]);
  add_counts (r, layer, half, first, second);
  keep->by_chance[layer]
    = sl_routes_chance (
        r->experts, (double) (sl_load_sum (r->experts, first) + sl_load_sum (r->experts, second)),
        slots)
        .dead;
  return SL_SUCCESS;
}

static SlStatus
fill_loads (const SlRouting *r, gboolean warm_up, SlTraceKeep *keep)
{
  SlStatus status = SL_SUCCESS;
  gboolean judged = FALSE;

  for (unsigned l = 0; l < r->n_layers; l++)
    judged = judged || count_rows (r, l, warm_up) >= 2;
  for (unsigned l = 0; l < r->n_layers && sl_ok (&status); l++)
    {
      size_t rows = count_rows (r, l, warm_up);

      status = fill_layer (r, l, warm_up, judged ? rows / 2 : rows, keep);
    }
  keep->loads = (SlKeepLoads) { .layers = r->n_layers,
                                .n = r->experts,
                                .least = MIN (r->experts, MAX (1, r->k)),
                                .first = keep->first,
                                .second = judged ? keep->second : NULL };
  return status;
}

/* ---- what is kept ---- */

static void
choose (SlTraceKeep *keep)
{
  g_autofree SlKeepRank *ranking = g_new (SlKeepRank, (size_t) keep->loads.layers * keep->loads.n);

  sl_keep_order (&keep->loads, keep->order);
  sl_keep_rank (&keep->loads, ranking);
  keep->per_layer = sl_keep_equal_for (&keep->loads, keep->order, keep->target, &keep->equal);
  sl_keep_free_for (&keep->loads, keep->order, ranking, keep->target, &keep->free);
}

SlStatus
sl_trace_keep (const SlRouting *recording, gboolean warm_up, double target, SlTraceKeep *keep)
{
  size_t   layers = recording->n_layers, items = layers * recording->experts;
  SlStatus status;

  *keep = (SlTraceKeep) { .target = target,
                          .first = g_new (uint64_t, items),
                          .second = g_new (uint64_t, items),
                          .by_chance = g_new (double, layers),
                          .order = g_new (uint16_t, items),
                          .equal = { .count = g_new0 (unsigned, layers) },
                          .free = { .count = g_new0 (unsigned, layers) } };
  status = fill_loads (recording, warm_up, keep);
  if (sl_ok (&status))
    choose (keep);
  return status;
}

void
sl_trace_keep_clear (SlTraceKeep *keep)
{
  g_free (keep->first);
  g_free (keep->second);
  g_free (keep->by_chance);
  g_free (keep->order);
  g_free (keep->equal.count);
  g_free (keep->free.count);
}

/* ---- JSON ---- */

static void
add_kept (SlJsonWriter *w, const SlRouting *r, const SlTraceKeep *keep, unsigned layer,
          unsigned count)
{
  const uint16_t      *order = keep->order + (size_t) layer * r->experts;
  g_autofree gboolean *kept = g_new0 (gboolean, r->experts);
  char                 name[NAME];

  for (unsigned i = 0; i < count; i++)
    kept[order[i]] = TRUE;
  sl_json_open (w, sl_routing_layer_name (&r->layer[layer], name, NAME), '[', SL_JSON_PACKED);
  for (unsigned e = 0; e < r->experts; e++)
    if (kept[e])
      sl_json_add_whole (w, NULL, e);
  sl_json_close (w);
}

/* Members of the object that is open. */
static void
add_part (SlJsonWriter *w, const SlRouting *r, const SlTraceKeep *keep, const SlKept *kept)
{
  sl_json_add_whole (w, "experts", kept->experts);
  sl_trace_add_real (w, "coverage", kept->coverage);
  sl_trace_add_real (w, "judged", kept->judged);
  sl_trace_add_real (w, "judged_least", kept->judged_least);
  sl_json_open (w, "keep", '{', SL_JSON_LINES);
  for (unsigned l = 0; l < r->n_layers; l++)
    add_kept (w, r, keep, l, kept->count[l]);
  sl_json_close (w);
}

static void
add_never_used (SlJsonWriter *w, const SlRouting *r, const SlTraceKeep *keep)
{
  char name[NAME];

  sl_json_open (w, "never_used", '{', SL_JSON_LINES);
  for (unsigned l = 0; l < r->n_layers; l++)
    {
      size_t place = (size_t) l * r->experts;

      sl_json_open (w, sl_routing_layer_name (&r->layer[l], name, NAME), '{', SL_JSON_TIGHT);
      sl_json_open (w, "experts", '[', SL_JSON_PACKED);
      for (unsigned e = 0; e < r->experts; e++)
        if (keep->first[place + e] + keep->second[place + e] == 0)
          sl_json_add_whole (w, NULL, e);
      sl_json_close (w);
      sl_trace_add_real (w, "by_chance", keep->by_chance[l]);
      sl_json_close (w);
    }
  sl_json_close (w);
}

SlStatus
sl_trace_write_keep (SlJsonWriter *w, const SlRouting *recording, gboolean warm_up, double target)
{
  SlTraceKeep keep;
  SlStatus    status = sl_trace_keep (recording, warm_up, target, &keep);

  if (sl_ok (&status))
    {
      sl_json_add_number (w, "target", target);
      sl_json_add_text (w, "learned", keep.loads.second != NULL ? "first half" : "everything");
      sl_json_add_whole (w, "experts", recording->experts);
      sl_trace_add_names (w, recording);
      sl_json_open (w, "equal", '{', SL_JSON_LINES);
      sl_json_add_whole (w, "per_layer", keep.per_layer);
      add_part (w, recording, &keep, &keep.equal);
      sl_json_close (w);
      sl_json_open (w, "free", '{', SL_JSON_LINES);
      add_part (w, recording, &keep, &keep.free);
      sl_json_close (w);
      add_never_used (w, recording, &keep);
    }
  sl_trace_keep_clear (&keep);
  return status;
}
