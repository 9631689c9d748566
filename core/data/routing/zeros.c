/* SPDX-License-Identifier: MIT */
#include "core/data/routing/zeros.h"

#include <stdlib.h>

static SlStatus
empty_layer (SlRoutingDraft *draft, SlRoutingDraftLayer *layer)
{
  if (layer->tokens > SL_ROUTING_BUDGET - draft->used)
    return sl_routing_too_large (draft->path);
  layer->zeros = calloc (layer->tokens + 1, 1);
  if (layer->zeros == NULL)
    return sl_status_no_memory (draft->path);
  draft->used += layer->tokens;
  for (size_t t = 0; t < layer->tokens; t++)
    for (unsigned s = 0; s < draft->k; s++)
      {
        uint16_t *id = &layer->ids[t * draft->k + s];

        if (*id == SL_RAW_NONE || *id < draft->experts)
          continue;
        *id = SL_RAW_NONE;
        layer->zeros[t]++;
      }
  return SL_SUCCESS;
}

SlStatus
sl_routing_empty_zeros (SlRoutingDraft *draft)
{
  SlStatus status = SL_SUCCESS;

  for (unsigned l = 0; l < draft->n_layers && sl_ok (&status); l++)
    status = empty_layer (draft, &draft->layer[l]);
  return status;
}

bool
sl_routing_fold_zeros (SlRoutingDraft *draft)
{
  unsigned n = draft->options.experts, all = draft->experts;

  if (n == 0 || n >= all)
    return false;
  for (unsigned l = 0; l < draft->n_layers; l++)
    for (size_t row = 0; row < draft->rows; row++)
      for (unsigned i = 0; i < all; i++)
        {
          SlRoutingDraftLayer *layer = &draft->layer[l];
          uint64_t             count = layer->counts[row * all + i];

          if (i < n)
            layer->counts[row * n + i] = count;
          else
            layer->zero += count;
        }
  draft->experts = n;
  draft->experts_from = SL_ROUTING_SAID;
  return true;
}

/* Routings of a layer to experts that compute, and its tokens with any routing. */
static uint64_t
count_layer (const SlRoutingDraft *draft, SlRoutingDraftLayer *layer, uint64_t *tokens)
{
  uint64_t real = 0;

  for (size_t i = 0; draft->kind == SL_ROUTING_COUNTS && i < draft->rows * draft->experts; i++)
    real += layer->counts[i];
  for (size_t t = 0; t < layer->tokens; t++)
    {
      unsigned of = 0, zeros = layer->zeros != NULL ? layer->zeros[t] : 0;

      for (unsigned s = 0; s < draft->k; s++)
        of += layer->ids[t * draft->k + s] != SL_RAW_NONE;
      real += of;
      layer->zero += zeros;
      *tokens += of + zeros > 0;
    }
  return real;
}

void
sl_routing_note_zeros (SlRoutingDraft *draft)
{
  uint64_t real = 0, zero = 0, tokens = 0;
  double   percent;

  for (unsigned l = 0; l < draft->n_layers; l++)
    {
      real += count_layer (draft, &draft->layer[l], &tokens);
      zero += draft->layer[l].zero;
    }
  percent = 100 * (double) zero / (double) (real + zero);
  if (zero > 0 && tokens > 0)
    sl_reading_note (&draft->reading,
                     sl_message ("%.3g %% of the routings go to experts beyond number %u, which "
                                 "compute nothing; on average %.1f of %u experts compute",
                                 percent, draft->experts - 1, (double) real / (double) tokens,
                                 draft->k));
  else if (zero > 0)
    sl_reading_note (&draft->reading,
                     sl_message ("%.3g %% of the routings go to experts beyond number %u, which "
                                 "compute nothing",
                                 percent, draft->experts - 1));
}
