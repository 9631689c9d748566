/* SPDX-License-Identifier: MIT */
#include "core/labs/routing/report/tokens.h"

#include <string.h>

void
sl_trace_tokens_clear (SlTraceTokens *tokens)
{
  g_clear_pointer (&tokens->ids, g_free);
  g_clear_pointer (&tokens->gates, g_free);
}

SlStatus
sl_trace_tokens_read (const SlRouting *recording, unsigned layer, gboolean warm_up,
                      SlTraceTokens *tokens)
{
  const SlRouting *r = recording;
  size_t           n = sl_routing_tokens (r, layer, warm_up), slots = n * r->k;

  *tokens = (SlTraceTokens) { .ids = g_try_new (uint16_t, slots + 1) };
  if (r->layer[layer].gates != NULL)
    tokens->gates = g_try_new (float, slots + 1);
  if (tokens->ids == NULL || (r->layer[layer].gates != NULL && tokens->gates == NULL))
    return sl_status_no_memory (r->name);
  tokens->routes
    = (SlRoutes) { .n = r->experts, .k = r->k, .bytes = 2, .tokens = n, .ids = tokens->ids };
  return sl_routing_read (r, layer, warm_up, 0, n, tokens->ids, tokens->gates);
}

SlStatus
sl_trace_loads (const SlRouting *recording, unsigned layer, gboolean warm_up, uint64_t *load)
{
  size_t        n = recording->experts;
  SlTraceTokens tokens;
  SlStatus      status = SL_SUCCESS;

  if (recording->kind == SL_ROUTING_COUNTS)
    {
      memset (load, 0, n * sizeof *load);
      for (size_t i = 0; i < recording->rows * n; i++)
        load[i % n] += recording->layer[layer].counts[i];
      return status;
    }
  status = sl_trace_tokens_read (recording, layer, warm_up, &tokens);
  if (sl_ok (&status))
    sl_routes_load (&tokens.routes, load);
  sl_trace_tokens_clear (&tokens);
  return status;
}

/* How many of the tokens from `first` on are left out. */
static size_t
count_left_out (const SlRoutingLayer *layer, size_t first, size_t tokens)
{
  size_t left_out = 0;

  for (size_t i = 0; i < layer->n_warm_up; i++)
    {
      size_t begin = MAX (layer->warm_up[i].first, first);
      size_t end = MIN (layer->warm_up[i].first + layer->warm_up[i].tokens, first + tokens);

      left_out += end > begin ? end - begin : 0;
    }
  return left_out;
}

size_t
sl_trace_passes (const SlRouting *recording, unsigned layer, gboolean warm_up, uint32_t *sizes)
{
  const SlRoutingLayer *each = &recording->layer[layer];
  size_t                n = 0, first = 0;

  for (size_t p = 0; p < each->n_passes; first += each->pass[p++])
    {
      size_t left_out = warm_up ? 0 : count_left_out (each, first, each->pass[p]);

      if (each->pass[p] > left_out)
        sizes[n++] = each->pass[p] - (uint32_t) left_out;
    }
  return n;
}
