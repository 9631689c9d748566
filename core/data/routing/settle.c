/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "core/data/routing/clean.h"
#include "core/data/routing/zeros.h"

static unsigned
largest_of (const uint16_t *ids, size_t n)
{
  unsigned most = 0;

  for (size_t i = 0; i < n; i++)
    if (ids[i] != SL_RAW_NONE && ids[i] > most)
      most = ids[i];
  return most;
}

unsigned
sl_routing_draft_largest (const SlRoutingDraft *draft)
{
  unsigned most = 0;

  for (unsigned l = 0; l < draft->n_layers; l++)
    {
      unsigned of = largest_of (draft->layer[l].ids, draft->layer[l].tokens * draft->k);

      most = of > most ? of : most;
    }
  return most;
}

static SlStatus
refuse_beyond (const SlRoutingDraft *draft)
{
  char said[16];

  snprintf (said, sizeof said, "%u", draft->experts);
  for (unsigned l = 0; l < draft->n_layers; l++)
    for (size_t t = 0; t < draft->layer[l].tokens; t++)
      {
        unsigned id = largest_of (draft->layer[l].ids + t * draft->k, draft->k);

        if (id >= draft->experts)
          return sl_status_try (
            sl_routing_draft_fail (draft, &draft->layer[l], t, sl_message ("expert %u", id),
                                   sl_message ("one of 0 to %u", draft->experts - 1)),
            "experts", said);
      }
  return SL_SUCCESS;
}

static SlStatus
settle_experts (SlRoutingDraft *draft, SlRoutingFrom *from)
{
  unsigned most = sl_routing_draft_largest (draft);

  *from = draft->options.experts > 0 ? SL_ROUTING_SAID
          : draft->experts > 0       ? SL_ROUTING_FILE
                                     : SL_ROUTING_LARGEST;
  if (*from == SL_ROUTING_SAID)
    draft->experts = draft->options.experts;
  if (*from == SL_ROUTING_LARGEST)
    draft->experts = most + 1;
  if (draft->experts > SL_ROUTING_EXPERTS)
    return sl_status_new (SL_EFORMAT, draft->path, sl_message ("%u experts", draft->experts),
                          sl_message ("at most %d", SL_ROUTING_EXPERTS));
  if (most >= draft->experts && *from == SL_ROUTING_SAID)
    return sl_routing_empty_zeros (draft);
  if (most >= draft->experts)
    return refuse_beyond (draft);
  return SL_SUCCESS;
}

static SlStatus
refuse_twice (const SlRoutingDraft *draft, const SlRoutingDraftLayer *layer)
{
  unsigned k = draft->k;

  for (size_t t = 0; t < layer->tokens; t++)
    {
      const uint16_t *row = layer->ids + t * k;
      uint64_t        seen[SL_ROUTING_EXPERTS / 64];

      for (unsigned s = 0; s < k; s++)
        if (row[s] != SL_RAW_NONE)
          seen[row[s] / 64] = 0;
      for (unsigned s = 0; s < k; s++)
        {
          uint64_t bit = (uint64_t) 1 << row[s] % 64;

          if (row[s] == SL_RAW_NONE)
            continue;
          if (seen[row[s] / 64] & bit)
            return sl_routing_draft_fail (
              draft, layer, t, sl_message ("expert %u twice", row[s]),
              sl_message ("%u different ones (are these counts? as=loads)", k));
          seen[row[s] / 64] |= bit;
        }
    }
  return SL_SUCCESS;
}

/* The gates of a row in falling order, empty slots last; equal ones stay as they were recorded. */
static void
rank_row (uint16_t *ids, float *gates, unsigned k)
{
  for (unsigned s = 1; s < k; s++)
    {
      uint16_t id = ids[s];
      float    gate = gates[s];
      unsigned at = s;

      if (id == SL_RAW_NONE)
        continue;
      for (; at > 0 && (ids[at - 1] == SL_RAW_NONE || gates[at - 1] < gate); at--)
        {
          ids[at] = ids[at - 1];
          gates[at] = gates[at - 1];
        }
      ids[at] = id;
      gates[at] = gate;
    }
}

/* Gates of empty slots are nothing. */
static void
rank_slots (const SlRoutingDraft *draft, SlRoutingDraftLayer *layer)
{
  for (size_t t = 0; layer->gates != NULL && t < layer->tokens; t++)
    {
      uint16_t *ids = layer->ids + t * draft->k;
      float    *gates = layer->gates + t * draft->k;

      for (unsigned s = 0; s < draft->k; s++)
        if (ids[s] == SL_RAW_NONE)
          gates[s] = 0;
      rank_row (ids, gates, draft->k);
    }
}

SlStatus
sl_routing_settle (SlRoutingDraft *draft, SlRoutingFrom *from)
{
  SlStatus status = settle_experts (draft, from);

  for (unsigned l = 0; l < draft->n_layers && sl_ok (&status); l++)
    {
      status = refuse_twice (draft, &draft->layer[l]);
      if (sl_ok (&status))
        rank_slots (draft, &draft->layer[l]);
    }
  return status;
}
