/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "core/labs/routing/math/drop.h"
#include "core/labs/routing/math/memory/cache.h"
#include "core/labs/routing/math/next.h"
#include "core/labs/routing/report/tokens.h"
#include "core/labs/routing/report/trace.h"

static double
lru_hits (const SlRoutes *r, unsigned size, uint64_t routings)
{
  uint64_t *hits = g_new (uint64_t, r->n);
  double    share;

  sl_routes_lru (r, hits);
  share = routings > 0 ? (double) hits[size - 1] / (double) routings : NAN;
  g_free (hits);
  return share;
}

/* Recall of the experts of layer l from those of the layer before, where they have the same tokens. */
static SlStatus
find_recall (const SlRouting *recording, unsigned layer, gboolean warm_up, const SlRoutes *here,
             double *recall)
{
  SlTraceTokens before;
  SlNextLayer   next;
  SlStatus      status;

  if (layer == 0 || recording->group[layer] != recording->group[layer - 1])
    return SL_SUCCESS;
  status = sl_trace_tokens_read (recording, layer - 1, warm_up, &before);
  if (sl_ok (&status))
    status = sl_routes_next (&before.routes, here, false, &next);
  if (sl_ok (&status) && next.tokens >= 4)
    *recall = next.recall;
  sl_trace_tokens_clear (&before);
  return status;
}

static SlStatus
fill_tokens (const SlRouting *recording, unsigned layer, gboolean warm_up,
             const SlTraceSettings *settings, SlTraceLine *line, double *coverage)
{
  SlTraceTokens tokens;
  SlStatus      status = sl_trace_tokens_read (recording, layer, warm_up, &tokens);

  if (sl_ok (&status))
    {
      uint64_t *load = g_new (uint64_t, recording->experts);

      sl_routes_load (&tokens.routes, load);
      line->tokens = tokens.routes.tokens;
      line->balance
        = sl_load_balance (recording->experts, load, sl_routes_slots (&tokens.routes), coverage);
      line->lru = lru_hits (&tokens.routes, line->cache, line->balance.routings);
      line->dropped
        = sl_routes_dropped (&tokens.routes, settings->window, settings->capacity).dropped;
      status = find_recall (recording, layer, warm_up, &tokens.routes, &line->recall);
      g_free (load);
    }
  sl_trace_tokens_clear (&tokens);
  return status;
}

static SlStatus
fill_counts (const SlRouting *recording, unsigned layer, SlTraceLine *line, double *coverage)
{
  unsigned  k = MAX (recording->k, 1);
  uint64_t *load = g_new (uint64_t, recording->experts);
  SlStatus  status = sl_trace_loads (recording, layer, TRUE, load);

  if (sl_ok (&status))
    {
      line->balance
        = sl_load_balance (recording->experts, load, recording->shares ? NAN : k, coverage);
      line->tokens = recording->k > 0 ? line->balance.routings / k : 0;
    }
  g_free (load);
  return status;
}

SlStatus
sl_trace_line (const SlRouting *recording, unsigned layer, gboolean warm_up,
               const SlTraceSettings *settings, SlTraceLine *line)
{
  unsigned n = recording->experts;
  double  *coverage = g_new0 (double, n);
  SlStatus status;

  *line = (SlTraceLine) {
    .hot_set = sl_load_hot (n, settings->hot),
    .cache = sl_cache_places (settings->cache, n),
    .lru = NAN,
    .recall = NAN,
    .dropped = NAN,
  };
  status = recording->kind == SL_ROUTING_IDS
             ? fill_tokens (recording, layer, warm_up, settings, line, coverage)
             : fill_counts (recording, layer, line, coverage);
  line->hot = coverage[line->hot_set - 1];
  g_free (coverage);
  return status;
}
