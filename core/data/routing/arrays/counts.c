/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "core/data/routing/arrays/parts.h"

/* More than any recording can have, and safe to add up. */
static const int64_t COUNT_MAX = (int64_t) 1 << 48;

typedef struct
{
  const SlArrays *arrays;
  const SlArray  *counts;
  SlRoutingDraft *draft;
  uint64_t        layers, rows, width; /* width: experts, or copies of them */
  bool            layers_first;
  int64_t        *copies; /* (layers, width) or NULL */
  int64_t        *row;
} Reader;

static SlStatus
put_row (Reader *r, uint64_t layer, uint64_t row)
{
  uint64_t *to = r->draft->layer[layer].counts + row * r->draft->experts;

  for (uint64_t i = 0; i < r->width; i++)
    {
      if (r->row[i] < 0 || r->row[i] > COUNT_MAX)
        return sl_status_new (SL_EFORMAT, r->arrays->path,
                              sl_message ("a count of %lld", (long long) r->row[i]),
                              sl_message ("counts from 0 on"));
      to[r->copies != NULL ? (uint64_t) r->copies[layer * r->width + i] : i]
        += (uint64_t) r->row[i];
    }
  return SL_SUCCESS;
}

static SlStatus
read_all (Reader *r)
{
  SlStatus status = sl_routing_draft_counts (r->draft);

  r->row = malloc (r->width * sizeof *r->row + 1);
  if (r->row == NULL)
    return sl_status_no_memory (r->arrays->path);
  for (uint64_t i = 0; i < r->layers * r->rows && sl_ok (&status); i++)
    {
      uint64_t layer = r->layers_first ? i / r->rows : i % r->layers;
      uint64_t row = r->layers_first ? i % r->rows : i / r->layers;

      status = sl_array_integers (r->counts, r->arrays->path, i * r->width, r->width, r->row);
      if (sl_ok (&status))
        status = put_row (r, layer, row);
    }
  free (r->row);
  return status;
}

/* n: where the copies lead, else how long a row is. */
static SlStatus
settle_experts (Reader *r)
{
  const SlArray *map = sl_arrays_copies (r->arrays, r->layers);
  uint64_t       n = r->width;
  unsigned       experts;
  SlStatus       status = SL_SUCCESS;

  if (map != NULL && map->shape[1] == r->width)
    {
      status = sl_arrays_read_copies (r->arrays, map, &r->copies, &experts);
      n = experts;
    }
  if (!sl_ok (&status))
    return status;
  if (n > SL_ROUTING_EXPERTS)
    return sl_status_new (SL_EFORMAT, r->arrays->path,
                          sl_message ("counts of %llu experts", (unsigned long long) n),
                          sl_message ("1 to %d", SL_ROUTING_EXPERTS));
  if (r->draft->options.experts > 0 && r->draft->options.experts != (unsigned) n)
    return sl_status_new (SL_EFORMAT, r->arrays->path,
                          sl_message ("counts of %llu experts", (unsigned long long) n),
                          sl_message ("%u (experts=)", r->draft->options.experts));
  r->draft->experts = (unsigned) n;
  r->draft->experts_from = SL_ROUTING_FILE;
  return SL_SUCCESS;
}

SlStatus
sl_arrays_read_counts (const SlArrays *arrays, const SlArray *counts, bool layers_first,
                       SlRoutingDraft *draft)
{
  Reader   r = { .arrays = arrays, .counts = counts, .draft = draft, .layers_first = layers_first };
  SlStatus status;

  if (counts->axes != 3 || counts->n == 0)
    return sl_status_new (SL_EFORMAT, arrays->path,
                          counts->n == 0 ? sl_message ("no counts")
                                         : sl_message ("counts of %u axes", counts->axes),
                          sl_message ("rows × layers × experts"));
  r.rows = counts->shape[layers_first];
  r.layers = counts->shape[!layers_first];
  r.width = counts->shape[2];
  draft->kind = SL_ROUTING_COUNTS;
  status = sl_arrays_layers (arrays, draft, r.layers);
  if (sl_ok (&status))
    status = settle_experts (&r);
  draft->rows = r.rows;
  if (sl_ok (&status))
    status = read_all (&r);
  free (r.copies);
  return status;
}
