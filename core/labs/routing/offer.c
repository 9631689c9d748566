/* SPDX-License-Identifier: MIT
 *
 * What is said of the warm-up of a recording: which tokens it has, where they went, and the offer to
 * count them or to leave them out.  */
#include <stdio.h>
#include <string.h>

#include "core/labs/routing/lab.h"
#include "core/labs/routing/offer.h"

enum { LISTED = 8 }; /* experts of a route that a sentence can list */

/* The experts of the first token of a run, rising; returns how many. */
static unsigned
read_route (const SlRouting *r, unsigned layer, const SlRoutingRun *run,
            uint16_t route[SL_ROUTING_SLOTS])
{
  uint16_t ids[SL_ROUTING_SLOTS];
  SlStatus status = sl_routing_read (r, layer, true, run->first, 1, ids, NULL);
  unsigned n = 0;

  for (unsigned i = 0; sl_ok (&status) && i < r->k; i++)
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
is_one_route (const SlRouting *r, unsigned l, unsigned n, const uint16_t *first)
{
  const SlRoutingLayer *layer = &r->layer[l];
  uint16_t              route[SL_ROUTING_SLOTS];

  for (size_t i = 1; i < layer->n_warm_up; i++)
    if (read_route (r, l, &layer->warm_up[i], route) != n
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

/* Whether nothing that counts is before the end of the warm-up. */
static bool
is_at_beginning (const SlRoutingLayer *layer)
{
  size_t end = 0;

  for (size_t i = 0; i < layer->n_warm_up; i++)
    {
      if (layer->warm_up[i].first != end)
        return false;
      end += layer->warm_up[i].tokens;
    }
  return true;
}

SlMessage
sl_routing_warm_up_words (const SlRouting *r, unsigned l)
{
  const SlRoutingLayer *layer = &r->layer[l];
  uint16_t              route[SL_ROUTING_SLOTS];
  char                  experts[LISTED * 6];
  unsigned              n;

  if (r->kind != SL_ROUTING_IDS || layer->n_warm_up == 0)
    return SL_NO_MESSAGE;
  n = read_route (r, l, &layer->warm_up[0], route);
  if (!is_one_route (r, l, n, route))
    return sl_message ("%zu of %zu tokens are runs of equal routes: a warm-up or padding.",
                       layer->warm_up_tokens, layer->tokens);
  if (n > LISTED)
    return sl_message ("%zu of %zu tokens all went to the same %u experts: a warm-up or padding.",
                       layer->warm_up_tokens, layer->tokens, n);
  list_experts (n, route, experts, sizeof experts);
  if (is_at_beginning (layer))
    return sl_message (
      "%zu of %zu tokens, at the beginning, all went to experts %s: a warm-up or padding.",
      layer->warm_up_tokens, layer->tokens, experts);
  return sl_message ("%zu of %zu tokens all went to experts %s: a warm-up or padding.",
                     layer->warm_up_tokens, layer->tokens, experts);
}

SlOffer
sl_routing_offer (const SlDataset *dataset, const SlSettings *settings)
{
  const SlRouting *r = dataset->routing;
  size_t           layer = (size_t) settings->value[P_LAYER].v[0];
  SlOffer          offer = { .words = SL_NO_MESSAGE };

  if (r == NULL)
    return offer;
  offer.words
    = sl_routing_warm_up_words (r, layer < r->n_layers ? (unsigned) layer : r->n_layers - 1);
  if (offer.words.packed[0] == '\0')
    return offer;
  if (settings->value[P_WARM_UP].v[0] != 0.0)
    {
      sl_message_add (&offer.words, " They are counted.");
      offer.title = SL_MARK ("Leave them out");
      offer.settings = "warm-up=no";
    }
  else
    {
      sl_message_add (&offer.words, " They are left out.");
      offer.title = SL_MARK ("Count them");
      offer.settings = "warm-up=yes";
    }
  return offer;
}

SlMessage
sl_routing_caption (const SlSettings *settings)
{
  return settings->value[P_WARM_UP].v[0] != 0.0 ? sl_message ("With the warm-up, if any.")
                                                : SL_NO_MESSAGE;
}
