/* SPDX-License-Identifier: MIT
 *
 * Sentences about a whole recording that several plots have.  */
#include <stdio.h>
#include <string.h>

#include "core/labs/routing/probes.h"

/* The experts of the first token of a run, rising; returns how many. */
static unsigned
read_route (const SlRoutingLab *s, const SlRoutingRun *run, uint16_t route[SL_ROUTING_SLOTS])
{
  uint16_t ids[SL_ROUTING_SLOTS];
  SlStatus status = sl_routing_read (s->recording, s->layer, true, run->first, 1, ids, NULL);
  unsigned n = 0;

  for (unsigned i = 0; sl_ok (&status) && i < s->recording->k; i++)
    if (ids[i] != SL_ROUTING_NONE)
      {
        unsigned at = n++;

        for (; at > 0 && route[at - 1] > ids[i]; at--)
          route[at] = route[at - 1];
        route[at] = ids[i];
      }
  return n;
}

/* Whether all runs of the warm-up went the same way as the first one. */
static bool
is_one_route (const SlRoutingLab *s, unsigned n, const uint16_t *first)
{
  const SlRoutingLayer *layer = &s->recording->layer[s->layer];
  uint16_t              route[SL_ROUTING_SLOTS];

  for (size_t i = 1; i < layer->n_warm_up; i++)
    if (read_route (s, &layer->warm_up[i], route) != n
        || memcmp (route, first, n * sizeof *route) != 0)
      return false;
  return true;
}

static void
list_experts (unsigned n, const uint16_t *route, char *text, size_t size)
{
  size_t used = 0;

  text[0] = '\0';
  for (unsigned i = 0; i < n && used < size; i++)
    used += (size_t) snprintf (text + used, size - used, i == 0 ? "%u" : ", %u", route[i]);
}

void
sl_routing_say_warm_up (SlProbe *p, const SlRoutingLab *s)
{
  const SlRoutingLayer *layer = &s->recording->layer[s->layer];
  uint16_t              route[SL_ROUTING_SLOTS];
  char                  experts[64];
  unsigned              n;

  if (!s->has_tokens || layer->n_warm_up == 0)
    return;
  n = read_route (s, &layer->warm_up[0], route);
  list_experts (n, route, experts, sizeof experts);
  if (is_one_route (s, n, route))
    sl_probe_note (p, "%zu of %zu tokens all went to experts %s, a warm-up or padding: ",
                   layer->warm_up_tokens, layer->tokens, experts);
  else
    sl_probe_note (p, "%zu of %zu tokens are runs of equal routes, a warm-up or padding: ",
                   layer->warm_up_tokens, layer->tokens);
  if (sl_is_on (&s->base, P_WARM_UP))
    sl_probe_note (p, "counted. ");
  else
    sl_probe_note (p, "left out. ");
}

void
sl_routing_say_cv (SlProbe *p, const SlRoutingLab *s)
{
  SlRoutesBalance b = sl_routing_balance (s, s->layer, NULL);
  char            name[64];

  sl_routing_layer_name (&s->recording->layer[s->layer], name, sizeof name);
  if (b.routings == 0)
    sl_probe_note (p, "Layer %s has no token that counts.", name);
  else if (b.cv > b.chance.floor_95)
    sl_probe_note (p, "Layer %s: CV %.3f, floor %.3f, 95 %% of chance below %.3f: uneven.", name,
                   b.cv, b.chance.floor, b.chance.floor_95);
  else
    sl_probe_note (p,
                   "Layer %s: CV %.3f, floor %.3f, 95 %% of chance below %.3f: as even as chance.",
                   name, b.cv, b.chance.floor, b.chance.floor_95);
}
