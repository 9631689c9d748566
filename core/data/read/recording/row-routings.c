/* SPDX-License-Identifier: MIT
 *
 * Rows of one routing each.  */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/data/read/recording/rows.h"

typedef struct
{
  SlRows  *rows;
  double   last[SL_ROUTING_LAYERS]; /* token of each layer's last row */
  unsigned have[SL_ROUTING_LAYERS]; /* experts of it */
  bool     again;                   /* numbers of tokens go back, without a request that says why */
} Reader;

static SlStatus
expert_of (const SlRows *rows, uint64_t row, int64_t *expert)
{
  double number = sl_rows_number (rows, rows->expert, row);

  if (!(number >= -1 && number < SL_RAW_TOP && number == floor (number)))
    return sl_rows_refuse (rows, row, rows->expert, sl_message ("an expert"));
  *expert = (int64_t) number;
  return SL_SUCCESS;
}

/* One more expert of the layer's last token. */
static SlStatus
add_expert (Reader *r, unsigned index, int64_t expert)
{
  SlRoutingDraft      *draft = r->rows->draft;
  SlRoutingDraftLayer *layer = &draft->layer[index];
  SlStatus             status = SL_SUCCESS;

  if (r->have[index] == draft->k)
    status = sl_routing_draft_slots (draft, draft->k + 1);
  if (sl_ok (&status))
    layer->ids[(layer->tokens - 1) * draft->k + r->have[index]++]
      = expert < 0 ? SL_RAW_NONE : (uint16_t) expert;
  return status;
}

/* Whether a row goes on with the token of the layer's row before. */
static bool
goes_on (const Reader *r, const SlRoutingDraftLayer *layer, unsigned index, uint64_t row)
{
  double slot = sl_rows_number (r->rows, r->rows->slot, row);

  if (r->rows->slot != NULL)
    return slot != 0 && layer->tokens > 0;
  return layer->tokens > 0 && r->rows->token != NULL
         && sl_rows_number (r->rows, r->rows->token, row) == r->last[index];
}

static SlStatus
put_routing (Reader *r, unsigned index, uint64_t row)
{
  SlRows              *rows = r->rows;
  SlRoutingDraftLayer *layer = &rows->draft->layer[index];
  double               token = sl_rows_number (rows, rows->token, row);
  int64_t              expert = 0;
  bool                 begins = layer->tokens > 0 && token <= r->last[index];
  SlStatus             status = expert_of (rows, row, &expert);

  if (!sl_ok (&status))
    return status;
  if (goes_on (r, layer, index, row))
    return add_expert (r, index, expert);
  if (rows->slot != NULL && sl_rows_number (rows, rows->slot, row) != 0)
    return sl_rows_refuse (rows, row, rows->slot, sl_message ("slot 0 of a token first"));
  r->have[index] = 1;
  r->last[index] = token;
  r->again = r->again || (begins && rows->request == NULL);
  status = sl_routing_draft_token (rows->draft, layer, &expert, NULL, 1, begins);
  if (sl_ok (&status) && rows->draft->decode)
    layer->decode[layer->tokens - 1] = sl_rows_decoding (rows, row);
  if (sl_ok (&status) && rows->draft->words)
    status = sl_rows_word (rows, row, &layer->token[layer->tokens - 1]);
  return status;
}

/* Every `k` routings of a layer are a token. */
static SlStatus
fold (SlRoutingDraft *draft, unsigned k)
{
  if (k > SL_ROUTING_SLOTS)
    return sl_routing_draft_slots (draft, k);
  for (unsigned l = 0; l < draft->n_layers; l++)
    {
      SlRoutingDraftLayer *layer = &draft->layer[l];

      if (layer->tokens % k != 0)
        return sl_status_new (SL_EFORMAT, draft->path,
                              sl_message ("layer %d: %zu rows", layer->number, layer->tokens),
                              sl_message ("a multiple of %u (k=)", k));
      layer->tokens /= k;
      layer->room /= k;
      layer->pass[0] = (uint32_t) layer->tokens;
    }
  draft->k = k;
  return SL_SUCCESS;
}

/* Without tokens only loads are known. */
static SlStatus
count (SlRoutingDraft *draft)
{
  SlStatus status = sl_recording_experts (draft, sl_routing_draft_largest (draft) + 1);

  if (!sl_ok (&status))
    return status;
  draft->kind = SL_ROUTING_COUNTS;
  draft->rows = 1;
  status = sl_routing_draft_counts (draft);
  for (unsigned l = 0; l < draft->n_layers && sl_ok (&status); l++)
    for (size_t t = 0; t < draft->layer[l].tokens; t++)
      if (draft->layer[l].ids[t] != SL_RAW_NONE)
        draft->layer[l].counts[draft->layer[l].ids[t]]++;
  for (unsigned l = 0; l < draft->n_layers; l++)
    draft->layer[l].tokens = draft->layer[l].n_passes = 0;
  sl_reading_note (&draft->reading, sl_message ("rows without tokens: only loads are shown"));
  sl_reading_other (&draft->reading, "k", "1", sl_message ("a token for each row"));
  return status;
}

SlStatus
sl_rows_routings (SlRows *rows)
{
  SlRoutingDraft *draft = rows->draft;
  Reader         *r = calloc (1, sizeof *r);
  bool            pairs = rows->token == NULL && rows->slot == NULL;
  SlStatus        status = SL_SUCCESS;

  if (r == NULL)
    return sl_status_no_memory (rows->file->arrays.path);
  r->rows = rows;
  draft->ranked = rows->slot != NULL;
  draft->decode = rows->phase != NULL && !pairs;
  draft->words = rows->word != NULL && !pairs;
  draft->lists = !pairs;
  for (uint64_t row = 0; row < rows->n && sl_ok (&status); row++)
    {
      unsigned index;
      bool     found;

      status = sl_rows_layer (rows, row, &index, &found);
      if (sl_ok (&status) && found)
        status = put_routing (r, index, row);
    }
  if (sl_ok (&status) && r->again && draft->k == 1)
    sl_reading_note (&draft->reading,
                     sl_message ("a token that comes again later is another one: if not, sort "
                                 "the rows by token"));
  free (r);
  if (!sl_ok (&status) || draft->n_layers == 0)
    return status;
  draft->reading.said = sl_message ("rows of one routing each, in %u layers", draft->n_layers);
  if (pairs)
    status = draft->options.k > 0 ? fold (draft, draft->options.k) : count (draft);
  return status;
}
