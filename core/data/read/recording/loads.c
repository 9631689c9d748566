/* SPDX-License-Identifier: MIT
 *
 * Arrays of loads: how often each expert was chosen, row by row.  */
#include <math.h>
#include <stdlib.h>

#include "core/data/read/recording/loads.h"

/* More than any recording can have, and safe to add up. */
static const double COUNT_MAX = (double) ((int64_t) 1 << 48);

typedef struct
{
  SlRecordingFile *file;
  SlRoutingDraft  *draft;
  const SlMeant   *meant;
  unsigned         layer;  /* of the set's array, where that is of one */
  size_t           first;  /* row of the draft that its rows begin with */
  uint64_t         width;  /* experts, or copies of them */
  int64_t         *copies; /* (layers, width) or NULL */
  SlLoads          loads;
  double          *row; /* (width) */
} Reader;

bool
sl_loads_look (SlLoads *loads, double value)
{
  if (!(value >= 0 && value <= COUNT_MAX))
    return false;
  loads->shares = loads->shares || value != floor (value);
  loads->most = fmax (loads->most, value);
  return true;
}

SlStatus
sl_loads_begin (SlLoads *loads)
{
  loads->draft->kind = SL_ROUTING_COUNTS;
  loads->draft->shares = loads->shares;
  loads->scale = loads->shares ? (double) ((uint64_t) 1 << 40) / loads->most : 1;
  return sl_routing_draft_counts (loads->draft);
}

bool
sl_loads_put (SlLoads *loads, unsigned layer, size_t row, uint64_t expert, double value)
{
  uint64_t *count = &loads->draft->layer[layer].counts[row * loads->draft->experts + expert];
  bool      again = *count > 0;

  *count += (uint64_t) llround (value * loads->scale);
  return again;
}

void
sl_loads_note (SlRoutingDraft *draft)
{
  if (draft->shares)
    sl_reading_note (&draft->reading,
                     sl_message ("fractions: tokens are not known, so chance is not"));
}

/* The rows of one array, each handed to `take` with its layer and its row of loads. */
static SlStatus
walk (Reader *r, SlStatus (*take) (Reader *r, unsigned layer, size_t row))
{
  uint64_t rows = r->meant->array->n / r->width, stride = sl_meant_stride (r->meant, 'r');
  SlStatus status = SL_SUCCESS;

  for (uint64_t i = 0; i < rows && sl_ok (&status); i++)
    {
      status
        = sl_array_reals (r->meant->array, r->file->arrays.path, i * r->width, r->width, r->row);
      if (sl_ok (&status))
        status = take (r, sl_recording_layer_of (r->meant, r->layer, i),
                       r->first + (stride > 0 ? i / stride % sl_meant_length (r->meant, 'r') : 0));
    }
  return status;
}

static SlStatus
look (Reader *r, unsigned layer, size_t row)
{
  (void) layer;
  (void) row;
  for (uint64_t i = 0; i < r->width; i++)
    if (!sl_loads_look (&r->loads, r->row[i]))
      return sl_status_new (SL_EFORMAT, r->file->arrays.path,
                            sl_message ("a count of %.6g", r->row[i]),
                            sl_message ("counts from 0 on"));
  return SL_SUCCESS;
}

static SlStatus
put (Reader *r, unsigned layer, size_t row)
{
  for (uint64_t i = 0; i < r->width; i++)
    sl_loads_put (&r->loads, layer, row,
                  r->copies != NULL ? (uint64_t) r->copies[layer * r->width + i] : i, r->row[i]);
  return SL_SUCCESS;
}

/* n: where the copies lead, else how long a row is. */
static SlStatus
settle_experts (Reader *r, uint64_t layers)
{
  SlRoutingDraft *draft = r->draft;
  unsigned        beside = draft->experts;
  uint64_t        n_copies, n = r->width;
  SlStatus        status;

  draft->experts = 0;
  status = sl_recording_copies (r->file, layers, &r->copies, &n_copies);
  if (sl_ok (&status) && r->copies != NULL && n_copies == r->width)
    n = beside > draft->experts ? beside : draft->experts;
  else
    {
      free (r->copies);
      r->copies = NULL;
    }
  if (sl_ok (&status) && (n > SL_ROUTING_EXPERTS || n == 0 || (draft->options.experts > n)))
    return sl_status_new (SL_EFORMAT, r->file->arrays.path,
                          sl_message ("counts of %llu experts", (unsigned long long) n),
                          n > SL_ROUTING_EXPERTS || n == 0
                            ? sl_message ("1 to %d", SL_ROUTING_EXPERTS)
                            : sl_message ("%u (experts=)", draft->options.experts));
  draft->experts = (unsigned) n;
  draft->experts_from = SL_ROUTING_FILE;
  return status;
}

/* The layers of a set, in which several arrays of one layer are rows of it; `layer` and `row` say where each array
 * goes.  */
static SlStatus
place_arrays (SlRecordingFile *file, SlMeant *const *meant, unsigned n, unsigned *layer,
              size_t *row)
{
  SlRoutingDraft *draft = file->draft;
  size_t          rows = 0;
  SlStatus        status = SL_SUCCESS;

  if (n == 1 && meant[0]->numbers == 0)
    {
      status = sl_recording_layers (file, meant, n);
      draft->rows = sl_meant_length (meant[0], 'r');
      return status;
    }
  for (unsigned i = 0; i < n && sl_ok (&status); i++)
    {
      unsigned             before = draft->n_layers;
      SlRoutingDraftLayer *one;

      status
        = sl_routing_draft_layer (draft, (int) meant[i]->number[meant[i]->numbers - 1], -1, &one);
      if (!sl_ok (&status))
        break;
      rows = draft->n_layers > before ? 0 : rows;
      layer[i] = (unsigned) (one - draft->layer);
      row[i] = rows;
      rows += sl_meant_length (meant[i], 'r');
      draft->rows = rows > draft->rows ? rows : draft->rows;
    }
  return status;
}

/* Training steps beside the loads, a rising one for each row. */
static SlStatus
read_steps (Reader *r)
{
  SlMeant *meant = sl_meaning_find (&r->file->meaning, SL_ROLE_TOKEN);
  size_t   rows = r->draft->rows;
  bool     rising = true;
  SlStatus status;

  if (meant == NULL || sl_steps_rank (meant->array->name) < 0 || !sl_array_real (meant->array)
      || meant->array->axes != 1 || meant->array->n != rows)
    return SL_SUCCESS;
  status = sl_array_load (&r->file->arrays, meant->array);
  r->draft->step = malloc ((rows + 1) * sizeof *r->draft->step);
  if (r->draft->step == NULL)
    return sl_status_no_memory (r->file->arrays.path);
  if (sl_ok (&status))
    status = sl_array_reals (meant->array, r->file->arrays.path, 0, rows, r->draft->step);
  for (size_t i = 0; i < rows && sl_ok (&status); i++)
    rising = rising && isfinite (r->draft->step[i])
             && (i == 0 || r->draft->step[i] > r->draft->step[i - 1]);
  if (!rising)
    {
      free (r->draft->step);
      r->draft->step = NULL;
    }
  return status;
}

static void
say (const Reader *r)
{
  SlRoutingDraft *draft = r->draft;

  draft->reading.said
    = sl_message ("loads of %u layers × %u experts", draft->n_layers, draft->experts);
  if (draft->rows > 1)
    sl_message_add (&draft->reading.said, ", %zu rows", draft->rows);
  sl_loads_note (draft);
}

static SlStatus
read_arrays (Reader *r, SlMeant *const *meant, unsigned n, const unsigned *layer, const size_t *row)
{
  SlStatus status = SL_SUCCESS;

  for (int pass = 0; pass < 2 && sl_ok (&status); pass++)
    {
      for (unsigned i = 0; i < n && sl_ok (&status); i++)
        {
          r->meant = meant[i];
          r->layer = layer[i];
          r->first = row[i];
          status = sl_array_load (&r->file->arrays, meant[i]->array);
          if (sl_ok (&status))
            status = walk (r, pass == 0 ? look : put);
        }
      if (pass == 0 && sl_ok (&status))
        status = sl_loads_begin (&r->loads);
    }
  return status;
}

SlStatus
sl_recording_loads (SlRecordingFile *file, SlMeant *const *meant, unsigned n)
{
  const SlArray *array = meant[0]->array;
  Reader         r = { .file = file, .draft = file->draft, .width = array->shape[array->axes - 1] };
  unsigned      *layer = calloc (n, sizeof *layer);
  size_t        *row = calloc (n, sizeof *row);
  SlStatus       status
    = layer != NULL && row != NULL ? SL_SUCCESS : sl_status_no_memory (file->arrays.path);

  r.loads.draft = file->draft;
  for (unsigned i = 0; i < n && sl_ok (&status); i++)
    if (meant[i]->array->n == 0 || meant[i]->array->shape[meant[i]->array->axes - 1] != r.width)
      status = sl_status_new (SL_EFORMAT, file->arrays.path,
                              sl_message ("layers with different experts"),
                              sl_message ("rows × layers × experts"));
  if (sl_ok (&status))
    status = place_arrays (file, meant, n, layer, row);
  if (sl_ok (&status))
    status = settle_experts (&r, file->draft->n_layers);
  if (sl_ok (&status))
    {
      r.row = malloc (r.width * sizeof *r.row + 1);
      status = r.row != NULL ? read_arrays (&r, meant, n, layer, row)
                             : sl_status_no_memory (file->arrays.path);
    }
  if (sl_ok (&status))
    status = read_steps (&r);
  if (sl_ok (&status))
    say (&r);
  free (r.row);
  free (r.copies);
  free (layer);
  free (row);
  return status;
}
