/* SPDX-License-Identifier: MIT */
#include "core/data/routing/dataset.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/data/set/hash.h"

/* Whether tokens are of more than one request. */
static bool
has_requests (const SlRoutingLayer *layer)
{
  for (size_t t = 0; layer->request != NULL && t < layer->tokens; t++)
    if (layer->request[t] != layer->request[0])
      return true;
  return false;
}

/* What else there is, for panels that need it. */
static void
write_facts (const SlRouting *routing, bool other, char *facts, size_t size)
{
  const SlRoutingLayer *first = &routing->layer[0];

  snprintf (facts, size, "layers=%u experts=%u%s%s%s%s%s%s%s%s", routing->n_layers,
            routing->experts, routing->kind == SL_ROUTING_IDS ? " tokens" : "",
            first->gates != NULL ? " gates" : "", first->scores != NULL ? " scores" : "",
            first->decode != NULL ? " phases" : "", has_requests (first) ? " requests" : "",
            other ? " other" : "", first->token != NULL ? " words" : "",
            routing->expert_bytes > 0.0 ? "" : " size-unknown");
}

SlStatus
sl_dataset_of_routing (SlRouting *routing, SlRouting *other, const char *title, SlDataset **dataset)
{
  SlDataset *made = calloc (1, sizeof *made);

  *dataset = made;
  if (made == NULL)
    {
      sl_routing_free (routing);
      sl_routing_free (other);
      return sl_status_no_memory (title);
    }
  snprintf (made->title, sizeof made->title, "%s", title);
  made->routing = routing;
  made->routing_other = other;
  made->routing_free = sl_routing_free;
  write_facts (routing, other != NULL, made->facts, sizeof made->facts);
  made->hash = routing->hash;
  made->reading = routing->reading;
  if (other != NULL)
    made->hash = sl_hash (&other->hash, sizeof other->hash, made->hash);
  return SL_SUCCESS;
}
