/* SPDX-License-Identifier: MIT
 *
 * What fills which panel of the lab `routing`, and what they have in common.  */
#include "core/labs/routing/probes.h"

#include <stdio.h>
#include <string.h>

enum { ENOUGH = 1 << 20, NAMED_ROWS = 1000, ROWS_OF_MANY = 400 };

bool
sl_routing_has_tokens (SlProbe *p, const SlRoutingLab *s)
{
  if (!s->has_tokens)
    sl_probe_note (p, "Only counts were recorded: this needs the experts of each token.");
  else if (s->routes.tokens == 0)
    sl_probe_note (p, "No token of this layer is left.");
  return s->has_tokens && s->routes.tokens > 0;
}

/* All names fit into a snapshot. */
unsigned
sl_routing_span (const SlRoutingLab *s)
{
  return s->n <= NAMED_ROWS ? 1 : (s->n + ROWS_OF_MANY - 1) / ROWS_OF_MANY;
}

void
sl_routing_name_experts (SlProbe *p, const SlRoutingLab *s)
{
  unsigned span = sl_routing_span (s);
  char     name[16];

  p->snapshot->span = span;
  for (unsigned i = 0; i < s->n; i += span)
    {
      if (span == 1 || i + 1 == s->n)
        snprintf (name, sizeof name, "%u", i);
      else
        snprintf (name, sizeof name, "%u–%u", i, i + span < s->n ? i + span - 1 : s->n - 1);
      sl_snapshot_row_name (p->snapshot, name);
    }
}

void
sl_routing_number_columns (SlProbe *p, double first, size_t columns)
{
  p->snapshot->left = first - 0.5;
  p->snapshot->right = first + (double) columns - 0.5;
}

unsigned
sl_routing_expert (const SlRoutingLab *s)
{
  size_t expert = sl_count_of (&s->base, P_EXPERT);

  return expert < s->n ? (unsigned) expert : s->n - 1;
}

size_t
sl_routing_enough (SlProbe *p, const SlRoutingLab *s)
{
  if (s->routes.tokens <= ENOUGH)
    return s->routes.tokens;
  sl_probe_note (p, "Of the first %d tokens. ", ENOUGH);
  return ENOUGH;
}

/* clang-format off */
const SlProbePanel sl_routing_probes[N_PANELS] = {
  [V_BY_LAYER] = sl_routing_probe_by_layer, [V_REQUESTS] = sl_routing_probe_requests,
  [V_COMPARE] = sl_routing_probe_compare, [V_ALIVE] = sl_routing_probe_alive,
  [V_WORDS] = sl_routing_probe_words, [V_LAYERS] = sl_routing_probe_layers,
  [V_USAGE] = sl_routing_probe_usage, [V_TOGETHER] = sl_routing_probe_together,
  [V_CACHE] = sl_routing_probe_cache, [V_COVERAGE] = sl_routing_probe_coverage,
  [V_SPARE] = sl_routing_probe_spare, [V_CAPACITY] = sl_routing_probe_capacity,
};
/* clang-format on */
