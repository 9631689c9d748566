/* SPDX-License-Identifier: MIT
 *
 * From what was read to a recording; see draft.h.  */
#include <stdlib.h>
#include <string.h>

#include "core/data/routing/clean.h"
#include "core/data/routing/draft.h"
#include "core/data/routing/hash.h"
#include "core/data/routing/warm-up.h"
#include "core/data/routing/words.h"
#include "core/data/routing/zeros.h"
#include "core/data/text/text.h"

enum { ORDER_LEAST = 32 };

/* ---------------------------------------------------------------------------------- a part */

static void
move_down (void *block, size_t first, size_t n, size_t size)
{
  if (block != NULL)
    memmove (block, (char *) block + first * size, n * size);
}

/* Cuts passes to the tokens from `first` on, `n` of them. */
static void
crop_passes (SlRoutingDraftLayer *layer, size_t first, size_t n)
{
  size_t place = 0, kept = 0;

  for (size_t p = 0; p < layer->n_passes; p++)
    {
      size_t begin = place > first ? place : first, end;

      place += layer->pass[p];
      end = place < first + n ? place : first + n;
      if (end > begin)
        layer->pass[kept++] = (uint32_t) (end - begin);
    }
  layer->n_passes = kept;
}

static void
crop_layer (const SlRoutingDraft *draft, SlRoutingDraftLayer *layer)
{
  size_t first = draft->options.from < layer->tokens ? draft->options.from : layer->tokens;
  size_t n = layer->tokens - first, k = draft->k;

  if (draft->options.most > 0 && n > draft->options.most)
    n = draft->options.most;
  crop_passes (layer, first, n);
  move_down (layer->ids, first * k, n * k, sizeof *layer->ids);
  move_down (layer->gates, first * k, n * k, sizeof *layer->gates);
  if (layer->lent)
    layer->scores += first * draft->experts;
  else
    move_down (layer->scores, first * draft->experts, n * draft->experts, sizeof *layer->scores);
  move_down (layer->decode, first, n, 1);
  move_down (layer->request, first, n, sizeof *layer->request);
  move_down (layer->token, first, n, sizeof *layer->token);
  move_down (layer->zeros, first, n, 1);
  layer->tokens = n;
}

/* The words of all layers, whose tokens are cut alike. */
static void
crop_words (SlRoutingDraft *draft)
{
  size_t first = draft->options.from < draft->n_tokens ? draft->options.from : draft->n_tokens;

  draft->n_tokens -= first;
  if (draft->options.most > 0 && draft->n_tokens > draft->options.most)
    draft->n_tokens = draft->options.most;
  move_down (draft->token, first, draft->n_tokens, sizeof *draft->token);
}

static SlStatus
nothing_left (const SlRoutingDraft *draft)
{
  return sl_status_new (SL_EFORMAT, draft->path,
                        sl_message ("nothing from %zu on", draft->options.from),
                        sl_message ("fewer left out (from=)"));
}

static SlStatus
crop_ids (SlRoutingDraft *draft)
{
  size_t left = 0;

  if (draft->options.from == 0 && draft->options.most == 0)
    return SL_SUCCESS;
  for (unsigned l = 0; l < draft->n_layers; l++)
    {
      crop_layer (draft, &draft->layer[l]);
      left += draft->layer[l].tokens;
    }
  crop_words (draft);
  return left > 0 ? SL_SUCCESS : nothing_left (draft);
}

static SlStatus
crop_counts (SlRoutingDraft *draft)
{
  size_t first = draft->options.from, n = draft->rows - first;

  if (first >= draft->rows)
    return nothing_left (draft);
  if (draft->options.most > 0 && n > draft->options.most)
    n = draft->options.most;
  for (unsigned l = 0; l < draft->n_layers; l++)
    move_down (draft->layer[l].counts, first * draft->experts, n * draft->experts,
               sizeof (uint64_t));
  move_down (draft->step, first, n, sizeof *draft->step);
  draft->rows = n;
  return SL_SUCCESS;
}

/* Tokens with fewer experts than others, which a recording that was cut short has at its end. */
static SlStatus
note_fewer (SlRoutingDraft *draft)
{
  size_t tokens = 0, n = 0;
  bool  *fewer;

  for (unsigned l = 0; l < draft->n_layers; l++)
    tokens = draft->layer[l].tokens > tokens ? draft->layer[l].tokens : tokens;
  fewer = calloc (tokens + 1, sizeof *fewer);
  if (fewer == NULL)
    return sl_status_no_memory (draft->path);
  for (unsigned l = 0; l < draft->n_layers; l++)
    for (size_t t = 0; t < draft->layer[l].tokens; t++)
      {
        const SlRoutingDraftLayer *layer = &draft->layer[l];
        unsigned                   have = layer->zeros != NULL ? layer->zeros[t] : 0;

        for (unsigned s = 0; s < draft->k; s++)
          have += layer->ids[t * draft->k + s] != SL_RAW_NONE;
        n += have > 0 && have < draft->k && !fewer[t];
        fewer[t] = fewer[t] || (have > 0 && have < draft->k);
      }
  free (fewer);
  if (n == 1)
    sl_reading_note (&draft->reading,
                     sl_message ("1 of %zu tokens has fewer than %u experts", tokens, draft->k));
  else if (n > 0)
    sl_reading_note (&draft->reading, sl_message ("%zu of %zu tokens have fewer than %u experts", n,
                                                  tokens, draft->k));
  return SL_SUCCESS;
}

/* Short passes are decoding, if the user says so and the file says nothing. */
static SlStatus
guess_phases (SlRoutingDraft *draft)
{
  if (draft->decode || draft->options.decode == 0)
    return SL_SUCCESS;
  for (unsigned l = 0; l < draft->n_layers; l++)
    {
      SlRoutingDraftLayer *layer = &draft->layer[l];
      uint8_t             *to = malloc (layer->tokens + 1);

      if (to == NULL)
        return sl_status_no_memory (draft->path);
      layer->decode = to;
      for (size_t p = 0; p < layer->n_passes; p++)
        {
          memset (to, layer->pass[p] <= draft->options.decode, layer->pass[p]);
          to += layer->pass[p];
        }
    }
  draft->decode = true;
  return SL_SUCCESS;
}

/* --------------------------------------------------------------------------------- warm-up */

/* The layers of one group. */
typedef struct
{
  const SlRoutingDraft *draft;
  const unsigned       *group;
  unsigned              first, n;
} Group;

static SlStatus
read_group (void *of, size_t first, size_t n, uint16_t *to)
{
  const Group          *group = of;
  const SlRoutingDraft *draft = group->draft;
  size_t                k = draft->k, i = 0;

  for (unsigned l = group->first; l < draft->n_layers; l++)
    if (group->group[l] == group->first)
      {
        for (size_t t = 0; t < n; t++)
          memcpy (to + (t * group->n + i) * k, draft->layer[l].ids + (first + t) * k,
                  k * sizeof *to);
        i++;
      }
  return SL_SUCCESS;
}

static SlStatus
copy_runs (SlRoutingLayer *to, const SlRoutingLayer *from)
{
  to->warm_up = malloc ((from->n_warm_up + 1) * sizeof *to->warm_up);
  if (to->warm_up == NULL)
    return sl_status_no_memory ("warm-up");
  memcpy (to->warm_up, from->warm_up, from->n_warm_up * sizeof *to->warm_up);
  to->n_warm_up = from->n_warm_up;
  to->warm_up_tokens = from->warm_up_tokens;
  return SL_SUCCESS;
}

static SlStatus
find_warm_up (const SlRoutingDraft *draft, SlRouting *routing, unsigned first)
{
  Group           group = { draft, routing->group, first, 0 };
  SlRoutingLayer *layer = &routing->layer[first];
  SlRouteRows     rows = { .tokens = layer->tokens, .k = draft->k, .of = &group };
  SlStatus        status;

  for (unsigned l = first; l < draft->n_layers; l++)
    group.n += routing->group[l] == first;
  rows.slots = group.n * draft->k;
  rows.read = read_group;
  status = sl_warm_up_find (&rows, draft->path, &layer->warm_up, &layer->n_warm_up,
                            &layer->warm_up_tokens);
  for (unsigned l = first + 1; l < draft->n_layers && sl_ok (&status); l++)
    if (routing->group[l] == first && layer->n_warm_up > 0)
      status = copy_runs (&routing->layer[l], layer);
  return status;
}

/* ----------------------------------------------------------------------------------- order */

static bool
ascends (const uint16_t *row, unsigned k)
{
  for (unsigned s = 1; s < k; s++)
    if (row[s] <= row[s - 1])
      return false;
  return true;
}

static bool
is_full (const uint16_t *row, unsigned k)
{
  for (unsigned s = 0; s < k; s++)
    if (row[s] == SL_RAW_NONE)
      return false;
  return true;
}

/* Whether every full row that counts ascends, and there are many of them. */
static bool
layer_ascends (const SlRoutingDraft *draft, const SlRoutingDraftLayer *layer,
               const SlRoutingLayer *runs)
{
  size_t full = 0, run = 0;

  for (size_t t = 0; t < layer->tokens; t++)
    {
      const uint16_t *row = layer->ids + t * draft->k;

      if (run < runs->n_warm_up && runs->warm_up[run].first == t)
        {
          t += runs->warm_up[run++].tokens - 1;
          continue;
        }
      if (is_full (row, draft->k) && !ascends (row, draft->k))
        return false;
      full += is_full (row, draft->k);
    }
  return full >= ORDER_LEAST;
}

static SlRoutingOrder
order_of (const SlRoutingDraft *draft, const SlRouting *routing)
{
  if (draft->scores || draft->ranked || draft->k == 1 || draft->gates)
    return SL_ROUTING_RANKED;
  for (unsigned l = 0; !draft->mask && l < draft->n_layers; l++)
    if (!layer_ascends (draft, &draft->layer[l], &routing->layer[l]))
      return SL_ROUTING_LISTED;
  return SL_ROUTING_ASCENDING;
}

/* ------------------------------------------------------------------------------- the whole */

static uint64_t
hash_layer (const SlRoutingDraft *draft, const SlRoutingDraftLayer *layer)
{
  uint64_t hash = 0;

  for (size_t t = 0; t < layer->tokens; t += SL_ROUTING_HASHED)
    {
      size_t n = layer->tokens - t < SL_ROUTING_HASHED ? layer->tokens - t : SL_ROUTING_HASHED;

      hash = sl_routing_hash_ids (hash, layer->ids + t * draft->k, n * draft->k);
    }
  return hash;
}

/* The ids as they stay in memory: one byte each where that is enough. */
static void *
pack_ids (SlRoutingDraftLayer *layer, unsigned k, unsigned bytes)
{
  size_t   n = layer->tokens * k;
  uint8_t *narrow = (uint8_t *) layer->ids;
  void    *block;

  for (size_t i = 0; bytes == 1 && i < n; i++)
    narrow[i] = (uint8_t) layer->ids[i];
  block = realloc (layer->ids, n * bytes + 1);
  return block != NULL ? block : layer->ids;
}

/* Hands what a layer has over. */
static void
move_layer (const SlRoutingDraft *draft, SlRoutingDraftLayer *from, SlRoutingLayer *to,
            unsigned bytes)
{
  to->number = from->number;
  to->mtp = from->mtp;
  to->tokens = from->tokens;
  to->gates = from->gates;
  to->scores = from->scores;
  to->lent = from->lent;
  to->pass = from->pass;
  to->n_passes = from->n_passes;
  to->decode = from->decode;
  to->request = from->request;
  to->token = from->token;
  to->zeros = from->zeros;
  to->zero = from->zero;
  to->counts = from->counts;
  if (draft->kind == SL_ROUTING_IDS)
    to->ids = pack_ids (from, draft->k, bytes);
  else
    free (from->ids);
  *from = (SlRoutingDraftLayer) { .ids = NULL };
}

static void
describe (const SlRoutingDraft *draft, SlRouting *routing)
{
  const char *name = strrchr (draft->path, '/');

  name = name != NULL ? name + 1 : draft->path;
  sl_text_printable (name, strlen (name), routing->name, sizeof routing->name);
  routing->kind = draft->kind;
  routing->experts = draft->experts;
  routing->k = draft->kind == SL_ROUTING_IDS ? draft->k : draft->options.k;
  routing->bytes = draft->experts <= UINT8_MAX ? 1 : 2;
  routing->rows = draft->rows;
  routing->n_layers = draft->n_layers;
  routing->shares = draft->shares;
  routing->expert_bytes = draft->expert_bytes;
  routing->reading = draft->reading;
  for (unsigned l = 0; l < draft->n_layers; l++)
    {
      routing->layer[l].number = draft->layer[l].number;
      routing->layer[l].mtp = draft->layer[l].mtp;
      routing->layer[l].tokens = draft->layer[l].tokens;
    }
}

static SlStatus
build (SlRoutingDraft *draft, SlRouting *routing)
{
  uint64_t hash[SL_ROUTING_LAYERS];
  SlStatus status = SL_SUCCESS;

  routing->layer = calloc (draft->n_layers, sizeof *routing->layer);
  routing->group = sl_routing_draft_groups (draft);
  if (routing->layer == NULL || routing->group == NULL)
    return sl_status_no_memory (draft->path);
  describe (draft, routing);
  for (unsigned l = 0; l < draft->n_layers && sl_ok (&status) && draft->kind == SL_ROUTING_IDS; l++)
    if (routing->group[l] == l)
      status = find_warm_up (draft, routing, l);
  if (!sl_ok (&status))
    return status;
  if (draft->kind == SL_ROUTING_IDS)
    routing->order = order_of (draft, routing);
  for (unsigned l = 0; l < draft->n_layers; l++)
    {
      hash[l] = hash_layer (draft, &draft->layer[l]);
      move_layer (draft, &draft->layer[l], &routing->layer[l], routing->bytes);
    }
  routing->step = draft->step;
  draft->step = NULL;
  routing->hash = sl_routing_hash (routing, draft->kind == SL_ROUTING_IDS ? hash : NULL);
  return draft->kind == SL_ROUTING_IDS ? sl_routing_words_settle (draft, routing) : SL_SUCCESS;
}

static SlStatus
finish_ids (SlRoutingDraft *draft, SlRoutingFrom *from)
{
  SlStatus status = sl_routing_clean (draft);

  if (sl_ok (&status))
    status = sl_routing_settle (draft, from);
  if (sl_ok (&status))
    status = crop_ids (draft);
  if (sl_ok (&status))
    sl_routing_note_zeros (draft);
  if (sl_ok (&status) && draft->lists)
    status = note_fewer (draft);
  return sl_ok (&status) ? guess_phases (draft) : status;
}

static SlStatus
finish_counts (SlRoutingDraft *draft, SlRoutingFrom *from)
{
  SlStatus status = sl_routing_clean_counts (draft);

  if (sl_ok (&status))
    status = crop_counts (draft);
  if (sl_ok (&status) && sl_routing_fold_zeros (draft))
    {
      sl_routing_note_zeros (draft);
      status = sl_routing_clean_counts (draft);
    }
  *from = draft->experts_from;
  return status;
}

SlStatus
sl_routing_finish (SlRoutingDraft *draft, SlRouting **result)
{
  SlRouting *routing = calloc (1, sizeof *routing);
  SlStatus   status;

  *result = NULL;
  if (routing == NULL)
    status = sl_status_no_memory (draft->path);
  else if (draft->kind == SL_ROUTING_IDS)
    status = finish_ids (draft, &routing->experts_from);
  else
    status = finish_counts (draft, &routing->experts_from);
  if (sl_ok (&status))
    status = build (draft, routing);
  sl_routing_draft_clear (draft);
  if (sl_ok (&status))
    *result = routing;
  else
    sl_routing_free (routing);
  return status;
}
