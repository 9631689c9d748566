/* SPDX-License-Identifier: MIT */
#include "core/data/routing/draft.h"

#include <stdlib.h>
#include <string.h>

#include "core/data/routing/words.h"
#include "core/data/text/grow.h"

enum { FIRST_ROOM = 256 };

void
sl_routing_draft_init (SlRoutingDraft *draft, const char *path, const SlRoutingOptions *options)
{
  *draft = (SlRoutingDraft) { .path = path, .options = *options };
}

static void
clear_layer (SlRoutingDraftLayer *layer)
{
  free (layer->ids);
  free (layer->gates);
  if (!layer->lent)
    free (layer->scores);
  free (layer->decode);
  free (layer->request);
  free (layer->token);
  free (layer->zeros);
  free (layer->pass);
  free (layer->counts);
}

void
sl_routing_draft_clear (SlRoutingDraft *draft)
{
  for (unsigned l = 0; l < draft->n_layers; l++)
    clear_layer (&draft->layer[l]);
  free (draft->layer);
  free (draft->token);
  sl_routing_words_clear (&draft->words_of);
  draft->token = NULL;
  free (draft->step);
  draft->step = NULL;
  draft->layer = NULL;
  draft->n_layers = 0;
  draft->layers_room = 0;
}

SlStatus
sl_routing_too_large (const char *path)
{
  return sl_status_new (SL_ENOMEM, path,
                        sl_message ("more than %zu MiB of numbers", SL_ROUTING_BUDGET >> 20),
                        sl_message ("a part (from=, most=) of a plain .npy"));
}

SlStatus
sl_routing_draft_fail (const SlRoutingDraft *draft, const SlRoutingDraftLayer *layer, size_t token,
                       SlMessage found, SlMessage expected)
{
  SlMessage place = layer->mtp < 0
                      ? sl_message ("layer %d, token %zu: %s", layer->number, token, found.packed)
                      : sl_message ("mtp %d layer %d, token %zu: %s", layer->mtp, layer->number,
                                    token, found.packed);

  return sl_status_new (SL_EFORMAT, draft->path, place, expected);
}

static SlStatus
make_layer (SlRoutingDraft *draft, int number, int mtp, SlRoutingDraftLayer **layer)
{
  if (draft->n_layers == SL_ROUTING_LAYERS)
    return sl_status_new (SL_EFORMAT, draft->path,
                          sl_message ("more than %d layers", SL_ROUTING_LAYERS),
                          sl_message ("at most %d", SL_ROUTING_LAYERS));
  if (!sl_grow (&draft->layer, &draft->layers_room, draft->n_layers + 1, sizeof *draft->layer))
    return sl_status_no_memory (draft->path);
  *layer = &draft->layer[draft->n_layers++];
  **layer = (SlRoutingDraftLayer) { .number = number, .mtp = mtp };
  return SL_SUCCESS;
}

SlStatus
sl_routing_draft_layer (SlRoutingDraft *draft, int number, int mtp, SlRoutingDraftLayer **layer)
{
  for (unsigned l = 0; l < draft->n_layers; l++)
    if (draft->layer[l].number == number && draft->layer[l].mtp == mtp)
      {
        *layer = &draft->layer[l];
        return SL_SUCCESS;
      }
  return make_layer (draft, number, mtp, layer);
}

/* Moves rows of `from` slots apart to `to` slots, in place. */
static void
spread (SlRoutingDraftLayer *layer, unsigned from, unsigned to)
{
  for (size_t t = layer->tokens; t-- > 0;)
    for (unsigned s = to; s-- > 0;)
      {
        layer->ids[t * to + s] = s < from ? layer->ids[t * from + s] : SL_RAW_NONE;
        if (layer->gates != NULL)
          layer->gates[t * to + s] = s < from ? layer->gates[t * from + s] : 0;
      }
}

static bool
resize (void **block, size_t n, size_t size)
{
  void *larger = realloc (*block, n * size + 1);

  if (larger != NULL)
    *block = larger;
  return larger != NULL;
}

/* Bytes of one token of a layer with everything that is kept of it. */
static size_t
token_size (const SlRoutingDraft *draft, const SlRoutingDraftLayer *layer, unsigned k)
{
  return k * (sizeof (uint16_t) + (draft->gates ? sizeof (float) : 0))
         + (draft->scores && !layer->lent ? draft->experts * sizeof (float) : 0)
         + (draft->decode ? 1 : 0) + (draft->requests ? sizeof (uint32_t) : 0)
         + (draft->words ? sizeof (uint32_t) : 0);
}

/* Memory for `room` tokens of `k` slots. */
static SlStatus
reserve (SlRoutingDraft *draft, SlRoutingDraftLayer *layer, size_t room, unsigned k)
{
  size_t before = layer->room * token_size (draft, layer, draft->k);

  if (room > SL_ROUTING_BUDGET / (token_size (draft, layer, k) + 1)
      || draft->used - before + room * token_size (draft, layer, k) > SL_ROUTING_BUDGET)
    return sl_routing_too_large (draft->path);
  if (!resize ((void **) &layer->ids, room * k, sizeof *layer->ids)
      || (draft->gates && !resize ((void **) &layer->gates, room * k, sizeof *layer->gates))
      || (draft->scores && !layer->lent
          && !resize ((void **) &layer->scores, room * draft->experts, sizeof *layer->scores))
      || (draft->decode && !resize ((void **) &layer->decode, room, 1))
      || (draft->requests && !resize ((void **) &layer->request, room, sizeof *layer->request))
      || (draft->words && !resize ((void **) &layer->token, room, sizeof *layer->token)))
    return sl_status_no_memory (draft->path);
  draft->used += room * token_size (draft, layer, k) - before;
  layer->room = room;
  return SL_SUCCESS;
}

void
sl_routing_draft_lend (SlRoutingDraftLayer *layer, const float *scores)
{
  layer->scores = (float *) scores;
  layer->lent = true;
}

SlStatus
sl_routing_draft_slots (SlRoutingDraft *draft, unsigned k)
{
  SlStatus status = SL_SUCCESS;

  if (k > SL_ROUTING_SLOTS)
    return sl_status_new (SL_EFORMAT, draft->path, sl_message ("%u experts of a token", k),
                          sl_message ("at most %d", SL_ROUTING_SLOTS));
  if (k <= draft->k)
    return SL_SUCCESS;
  for (unsigned l = 0; l < draft->n_layers && sl_ok (&status); l++)
    status = reserve (draft, &draft->layer[l], draft->layer[l].room, k);
  if (!sl_ok (&status))
    return status;
  for (unsigned l = 0; l < draft->n_layers; l++)
    spread (&draft->layer[l], draft->k, k);
  draft->k = k;
  return SL_SUCCESS;
}

SlStatus
sl_routing_draft_room (SlRoutingDraft *draft, SlRoutingDraftLayer *layer, size_t tokens)
{
  size_t room = layer->tokens + tokens;

  return room <= layer->room ? SL_SUCCESS : reserve (draft, layer, room, draft->k);
}

SlStatus
sl_routing_draft_pass (SlRoutingDraft *draft, SlRoutingDraftLayer *layer, size_t tokens,
                       bool begins)
{
  if (layer->n_passes > 0 && !begins)
    {
      layer->pass[layer->n_passes - 1] += (uint32_t) tokens;
      return SL_SUCCESS;
    }
  if (!sl_grow (&layer->pass, &layer->passes_room, layer->n_passes + 1, sizeof *layer->pass))
    return sl_status_no_memory (draft->path);
  layer->pass[layer->n_passes++] = (uint32_t) tokens;
  return SL_SUCCESS;
}

static SlStatus
bad_number (const SlRoutingDraft *draft, const SlRoutingDraftLayer *layer, int64_t id)
{
  return sl_routing_draft_fail (draft, layer, layer->tokens,
                                sl_message ("expert %lld", (long long) id),
                                sl_message ("-1 (none) or 0 to %d", SL_ROUTING_EXPERTS - 1));
}

SlStatus
sl_routing_draft_token (SlRoutingDraft *draft, SlRoutingDraftLayer *layer, const int64_t *ids,
                        const float *gates, unsigned k, bool begins)
{
  SlStatus  status = SL_SUCCESS;
  uint16_t *to;
  size_t    t = layer->tokens;

  if (t == UINT32_MAX)
    return sl_routing_too_large (draft->path);
  if (k > draft->k)
    status = sl_routing_draft_slots (draft, k);
  if (sl_ok (&status) && t == layer->room)
    status = sl_routing_draft_room (draft, layer, t > 0 ? t : FIRST_ROOM);
  if (!sl_ok (&status))
    return status;
  to = layer->ids + t * draft->k;
  for (unsigned s = 0; s < draft->k; s++)
    {
      int64_t id = s < k ? ids[s] : -1;

      if (id < -1 || id > SL_RAW_TOP)
        return bad_number (draft, layer, id);
      to[s] = id < 0 ? SL_RAW_NONE : (uint16_t) id;
    }
  if (draft->gates)
    for (unsigned s = 0; s < draft->k; s++)
      layer->gates[t * draft->k + s] = gates != NULL && s < k ? gates[s] : 0;
  if (draft->decode)
    layer->decode[t] = 0;
  if (draft->requests)
    layer->request[t] = SL_ROUTING_NO_REQUEST;
  if (draft->words)
    layer->token[t] = SL_ROUTING_NO_WORD;
  layer->tokens++;
  return sl_routing_draft_pass (draft, layer, 1, begins);
}

SlStatus
sl_routing_draft_counts (SlRoutingDraft *draft)
{
  size_t cells, most = (SL_ROUTING_BUDGET - draft->used) / sizeof (uint64_t);

  if (draft->experts > 0 && draft->rows > most / draft->experts)
    return sl_routing_too_large (draft->path);
  cells = draft->rows * draft->experts;
  if (draft->n_layers > 0 && cells > most / draft->n_layers)
    return sl_routing_too_large (draft->path);
  draft->used += draft->n_layers * cells * sizeof (uint64_t);
  for (unsigned l = 0; l < draft->n_layers; l++)
    {
      draft->layer[l].counts = calloc (cells + 1, sizeof (uint64_t));
      if (draft->layer[l].counts == NULL)
        return sl_status_no_memory (draft->path);
    }
  return SL_SUCCESS;
}

void
sl_routing_draft_drop (SlRoutingDraft *draft)
{
  clear_layer (&draft->layer[--draft->n_layers]);
}

static int
by_number (const void *a, const void *b)
{
  const SlRoutingDraftLayer *x = a, *y = b;

  return x->mtp != y->mtp ? (x->mtp > y->mtp) - (x->mtp < y->mtp)
                          : (x->number > y->number) - (x->number < y->number);
}

void
sl_routing_draft_sort (SlRoutingDraft *draft)
{
  if (draft->n_layers > 1)
    qsort (draft->layer, draft->n_layers, sizeof *draft->layer, by_number);
}

static bool
same_passes (const SlRoutingDraftLayer *a, const SlRoutingDraftLayer *b)
{
  return a->n_passes == b->n_passes
         && (a->n_passes == 0 || memcmp (a->pass, b->pass, a->n_passes * sizeof *a->pass) == 0);
}

unsigned *
sl_routing_draft_groups (const SlRoutingDraft *draft)
{
  unsigned *group = malloc (draft->n_layers * sizeof *group + 1);

  for (unsigned l = 0; group != NULL && l < draft->n_layers; l++)
    {
      group[l] = l;
      for (unsigned first = 0; first < l && group[l] == l; first++)
        if (group[first] == first && same_passes (&draft->layer[first], &draft->layer[l]))
          group[l] = first;
    }
  return group;
}
