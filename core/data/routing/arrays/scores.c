/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "core/data/routing/arrays/parts.h"

typedef struct
{
  const SlArrays *arrays;
  const SlArray  *array;
  SlRoutingDraft *draft;
  uint64_t        tokens, layers;
  unsigned        n;
  double         *row;
} Reader;

/* The k largest of a row, the lower number first where they are equal. */
static void
choose (const double *row, unsigned n, unsigned k, int64_t *chosen)
{
  unsigned have = 0;

  for (unsigned i = 0; i < n; i++)
    {
      unsigned at = have;

      if (have == k && row[i] <= row[chosen[k - 1]])
        continue;
      if (have < k)
        have++;
      else
        at = k - 1;
      for (; at > 0 && row[i] > row[chosen[at - 1]]; at--)
        chosen[at] = chosen[at - 1];
      chosen[at] = i;
    }
}

static SlStatus
check_row (const Reader *r, const SlRoutingDraftLayer *layer)
{
  for (unsigned i = 0; i < r->n; i++)
    if (!(r->row[i] - r->row[i] == 0))
      return sl_routing_draft_fail (r->draft, layer, layer->tokens,
                                    sl_message ("a score that is no finite number"),
                                    sl_message ("scores of all experts"));
  return SL_SUCCESS;
}

static SlStatus
put_scores (Reader *r, SlRoutingDraftLayer *layer)
{
  int64_t  chosen[SL_ROUTING_SLOTS];
  SlStatus status = check_row (r, layer);

  if (!sl_ok (&status))
    return status;
  choose (r->row, r->n, r->draft->k, chosen);
  status = sl_routing_draft_token (r->draft, layer, chosen, NULL, r->draft->k, false);
  for (unsigned i = 0; i < r->n && sl_ok (&status); i++)
    layer->scores[(layer->tokens - 1) * r->n + i] = (float) r->row[i];
  return status;
}

/* The experts of the mask that are on. */
static SlStatus
put_mask (Reader *r, SlRoutingDraftLayer *layer)
{
  int64_t  ids[SL_ROUTING_SLOTS];
  unsigned k = 0;

  for (unsigned i = 0; i < r->n; i++)
    if (r->row[i] != 0 && k++ < SL_ROUTING_SLOTS)
      ids[k - 1] = i;
  if (k > SL_ROUTING_SLOTS)
    return sl_routing_draft_slots (r->draft, k);
  return sl_routing_draft_token (r->draft, layer, ids, NULL, k, false);
}

/* A row of the array as numbers; truths are bytes. */
static SlStatus
fetch_row (Reader *r, uint64_t row)
{
  SlArray  bytes = *r->array;
  int64_t  truth[SL_ROUTING_EXPERTS];
  SlStatus status;

  if (r->array->type != SL_ARRAY_TRUTHS)
    return sl_array_reals (r->array, r->arrays->path, row * r->n, r->n, r->row);
  bytes.type = SL_ARRAY_NATURALS;
  status = sl_array_integers (&bytes, r->arrays->path, row * r->n, r->n, truth);
  for (unsigned i = 0; i < r->n && sl_ok (&status); i++)
    r->row[i] = truth[i] != 0;
  return status;
}

static SlStatus
read_all (Reader *r)
{
  SlStatus status = sl_arrays_layers (r->arrays, r->draft, r->layers);

  r->row = malloc (r->n * sizeof *r->row);
  if (r->row == NULL)
    return sl_status_no_memory (r->arrays->path);
  for (unsigned l = 0; l < r->draft->n_layers && sl_ok (&status); l++)
    status = sl_routing_draft_room (r->draft, &r->draft->layer[l], r->tokens);
  for (uint64_t row = 0; row < r->tokens * r->layers && sl_ok (&status); row++)
    {
      SlRoutingDraftLayer *layer = &r->draft->layer[row % r->layers];

      status = fetch_row (r, row);
      if (sl_ok (&status))
        status = r->draft->mask ? put_mask (r, layer) : put_scores (r, layer);
    }
  free (r->row);
  return sl_ok (&status) ? sl_arrays_read_passes (r->arrays, r->draft) : status;
}

/* The sizes of (T, n) or (T, L, n). */
static SlStatus
measure (Reader *r)
{
  const SlArray *array = r->array;
  uint64_t       n = array->axes > 0 ? array->shape[array->axes - 1] : 0;

  if ((array->axes != 2 && array->axes != 3) || array->n == 0)
    return sl_status_new (SL_EFORMAT, r->arrays->path,
                          sl_message ("scores of %u axes or of no tokens", array->axes),
                          sl_message ("tokens × layers × experts"));
  if (n > SL_ROUTING_EXPERTS)
    return sl_status_new (SL_EFORMAT, r->arrays->path,
                          sl_message ("%llu experts", (unsigned long long) n),
                          sl_message ("at most %d", SL_ROUTING_EXPERTS));
  r->n = (unsigned) n;
  r->tokens = array->shape[0];
  r->layers = array->axes == 3 ? array->shape[1] : 1;
  r->draft->experts = r->n;
  return SL_SUCCESS;
}

SlStatus
sl_arrays_read_mask (const SlArrays *arrays, const SlArray *mask, SlRoutingDraft *draft)
{
  Reader   r = { .arrays = arrays, .array = mask, .draft = draft };
  unsigned said = draft->experts;
  SlStatus status = measure (&r);

  draft->mask = true;
  if (sl_ok (&status))
    {
      sl_arrays_note_order (arrays, mask, draft);
      status = read_all (&r);
    }
  draft->experts = said > 0 ? said : draft->experts;
  return status;
}

SlStatus
sl_arrays_read_scores (const SlArrays *arrays, const SlArray *scores, SlRoutingDraft *draft)
{
  Reader   r = { .arrays = arrays, .array = scores, .draft = draft };
  unsigned k = draft->options.k;
  SlStatus status = measure (&r);

  if (!sl_ok (&status))
    return status;
  if (k == 0 || k > r.n)
    return sl_status_new (
      SL_EFORMAT, arrays->path, sl_message ("fractions: scores of all %u experts", r.n),
      sl_message ("k= (how many are chosen), or .astype ('int16') of expert numbers"));
  if (draft->options.experts > 0 && draft->options.experts != r.n)
    return sl_status_new (SL_EFORMAT, arrays->path, sl_message ("scores of %u experts", r.n),
                          sl_message ("%u (experts=)", draft->options.experts));
  draft->scores = true;
  sl_arrays_note_order (arrays, scores, draft);
  status = sl_routing_draft_slots (draft, k);
  return sl_ok (&status) ? read_all (&r) : status;
}
