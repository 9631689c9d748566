/* SPDX-License-Identifier: MIT */
#include "core/data/routing/routing.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
clear_layer (SlRoutingLayer *layer)
{
  free ((void *) layer->ids);
  free ((void *) layer->gates);
  if (!layer->lent)
    free ((void *) layer->scores);
  free ((void *) layer->pass);
  free ((void *) layer->decode);
  free ((void *) layer->request);
  free ((void *) layer->zeros);
  free ((void *) layer->counts);
  free (layer->warm_up);
}

/* Layers of a group may share a block with the group's first, which comes before them. */
static void
free_tokens (SlRouting *routing)
{
  for (unsigned l = routing->layer != NULL ? routing->n_layers : 0; l-- > 0;)
    {
      unsigned first = routing->group != NULL ? routing->group[l] : l;

      if (first == l || routing->layer[l].token != routing->layer[first].token)
        free ((void *) routing->layer[l].token);
    }
}

void
sl_routing_free (SlRouting *routing)
{
  if (routing == NULL)
    return;
  free_tokens (routing);
  for (uint32_t i = 0; i < routing->n_words; i++)
    free (routing->word[i]);
  free (routing->word);
  for (unsigned l = 0; routing->layer != NULL && l < routing->n_layers; l++)
    clear_layer (&routing->layer[l]);
  free (routing->layer);
  free ((void *) routing->group);
  free ((void *) routing->step);
  free (routing);
}

size_t
sl_routing_tokens (const SlRouting *routing, unsigned layer, bool warm_up)
{
  const SlRoutingLayer *each = &routing->layer[layer];

  return each->tokens - (warm_up ? 0 : each->warm_up_tokens);
}

size_t
sl_routing_place (const SlRouting *routing, unsigned layer, bool warm_up, size_t token)
{
  const SlRoutingLayer *each = &routing->layer[layer];

  for (size_t i = 0; !warm_up && i < each->n_warm_up && each->warm_up[i].first <= token; i++)
    token += each->warm_up[i].tokens;
  return token;
}

uint64_t
sl_routing_zeros (const SlRouting *routing, unsigned layer, bool warm_up)
{
  const SlRoutingLayer *each = &routing->layer[layer];
  uint64_t              zero = each->zero;

  for (size_t i = 0; !warm_up && each->zeros != NULL && i < each->n_warm_up; i++)
    for (size_t t = 0; t < each->warm_up[i].tokens; t++)
      zero -= each->zeros[each->warm_up[i].first + t];
  return zero;
}

/* Tokens from the place `first` on, at most `n`, before the next that does not count. */
static size_t
run_length (const SlRoutingLayer *layer, bool warm_up, size_t first, size_t n)
{
  for (size_t i = 0; !warm_up && i < layer->n_warm_up; i++)
    if (layer->warm_up[i].first > first)
      return layer->warm_up[i].first - first < n ? layer->warm_up[i].first - first : n;
  return n;
}

static void
widen (const void *from, unsigned bytes, size_t first, size_t n, uint16_t *to)
{
  const uint8_t  *narrow = (const uint8_t *) from + first;
  const uint16_t *wide = (const uint16_t *) from + first;

  if (bytes == 2)
    memcpy (to, wide, n * sizeof *to);
  for (size_t i = 0; bytes == 1 && i < n; i++)
    to[i] = narrow[i] == UINT8_MAX ? SL_ROUTING_NONE : narrow[i];
}

SlStatus
sl_routing_read (const SlRouting *routing, unsigned layer, bool warm_up, size_t first, size_t n,
                 uint16_t *ids, float *gates)
{
  const SlRoutingLayer *each = &routing->layer[layer];
  size_t                k = routing->k;

  assert (routing->kind == SL_ROUTING_IDS
          && first + n <= sl_routing_tokens (routing, layer, warm_up));
  while (n > 0)
    {
      size_t place = sl_routing_place (routing, layer, warm_up, first);
      size_t part = run_length (each, warm_up, place, n);

      widen (each->ids, routing->bytes, place * k, part * k, ids);
      if (gates != NULL)
        {
          memcpy (gates, each->gates + place * k, part * k * sizeof *gates);
          gates += part * k;
        }
      ids += part * k;
      first += part;
      n -= part;
    }
  return SL_SUCCESS;
}

const char *
sl_routing_layer_name (const SlRoutingLayer *layer, char *text, size_t size)
{
  if (layer->mtp < 0)
    snprintf (text, size, "%d", layer->number);
  else
    snprintf (text, size, "mtp %d layer %d", layer->mtp, layer->number);
  return text;
}
