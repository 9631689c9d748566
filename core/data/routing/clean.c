/* SPDX-License-Identifier: MIT */
#include "core/data/routing/clean.h"

#include <stdlib.h>
#include <string.h>

enum { SHARED_LEAST = 64, PADDING_LEAST = 8 };

static uint16_t *
row_of (const SlRoutingDraft *draft, const SlRoutingDraftLayer *layer, size_t token)
{
  return layer->ids + token * draft->k;
}

static void
empty_row (const SlRoutingDraft *draft, SlRoutingDraftLayer *layer, size_t token)
{
  memset (row_of (draft, layer, token), 0xff, draft->k * sizeof *layer->ids);
}

static unsigned
count_of (const uint16_t *row, unsigned k, uint16_t id)
{
  unsigned n = 0;

  for (unsigned s = 0; s < k; s++)
    n += row[s] == id;
  return n;
}

/* Where some token has the largest number of its type twice, that number is no expert. */
static void
empty_tops (const SlRoutingDraft *draft, SlRoutingDraftLayer *layer)
{
  unsigned n = draft->options.experts > 0 ? draft->options.experts : draft->experts;
  uint16_t top = (uint16_t) draft->top;
  bool     twice = false;

  if (top == 0 || n > top)
    return;
  for (size_t t = 0; t < layer->tokens && !twice; t++)
    twice = count_of (row_of (draft, layer, t), draft->k, top) > 1;
  for (size_t i = 0; twice && i < layer->tokens * draft->k; i++)
    if (layer->ids[i] == top)
      layer->ids[i] = SL_RAW_NONE;
}

static void
empty_zeros (const SlRoutingDraft *draft, SlRoutingDraftLayer *layer)
{
  for (size_t t = 0; draft->k > 1 && t < layer->tokens; t++)
    if (count_of (row_of (draft, layer, t), draft->k, 0) == draft->k)
      empty_row (draft, layer, t);
}

static bool
counts_up (const uint16_t *row, unsigned k)
{
  for (unsigned s = 0; s < k; s++)
    if (row[s] != s)
      return false;
  return true;
}

/* Whether the token is 0, 1, … in this layer and all that have the same tokens. */
static bool
is_padding (const SlRoutingDraft *draft, const unsigned *group, unsigned first, size_t token)
{
  for (unsigned l = first; l < draft->n_layers; l++)
    if (group[l] == first && !counts_up (row_of (draft, &draft->layer[l], token), draft->k))
      return false;
  return true;
}

static size_t
empty_padding_of (SlRoutingDraft *draft, const unsigned *group, unsigned first)
{
  unsigned layers = 0;
  size_t   n = 0;

  for (unsigned l = first; l < draft->n_layers; l++)
    layers += group[l] == first;
  if (layers < 2 || layers * draft->k < PADDING_LEAST)
    return 0;
  for (size_t t = 0; t < draft->layer[first].tokens; t++)
    if (is_padding (draft, group, first, t))
      {
        n++;
        for (unsigned l = first; l < draft->n_layers; l++)
          if (group[l] == first)
            empty_row (draft, &draft->layer[l], t);
      }
  return n;
}

static SlStatus
empty_padding (SlRoutingDraft *draft)
{
  unsigned *group = sl_routing_draft_groups (draft);
  size_t    n = 0;

  if (group == NULL)
    return sl_status_no_memory (draft->path);
  for (unsigned l = 0; l < draft->n_layers; l++)
    if (group[l] == l)
      n += empty_padding_of (draft, group, l);
  free (group);
  if (n > 0)
    sl_reading_note (
      &draft->reading,
      sl_message ("left out as padding: %zu tokens at experts 0, 1, … everywhere", n));
  return SL_SUCCESS;
}

static bool
has_routing (const SlRoutingDraft *draft, const SlRoutingDraftLayer *layer)
{
  for (size_t i = 0; i < layer->tokens * draft->k; i++)
    if (layer->ids[i] != SL_RAW_NONE)
      return true;
  return false;
}

static bool
has_counts (const SlRoutingDraft *draft, const SlRoutingDraftLayer *layer)
{
  for (size_t i = 0; i < draft->rows * draft->experts; i++)
    if (layer->counts[i] > 0)
      return true;
  return false;
}

/* Keeps the layers that have something, in their order. */
static SlStatus
drop_layers (SlRoutingDraft *draft,
             bool (*keep) (const SlRoutingDraft *, const SlRoutingDraftLayer *))
{
  unsigned n = 0, all = draft->n_layers;

  for (unsigned l = 0; l < all; l++)
    if (keep (draft, &draft->layer[l]))
      {
        SlRoutingDraftLayer kept = draft->layer[l];

        draft->layer[l] = draft->layer[n];
        draft->layer[n++] = kept;
      }
  while (draft->n_layers > n)
    sl_routing_draft_drop (draft);
  if (n == 0)
    return sl_status_new (SL_EFORMAT, draft->path, sl_message ("no routings"),
                          sl_message ("expert numbers or loads"));
  if (n < all)
    sl_reading_note (&draft->reading,
                     sl_message ("left out: %u of %u layers without routings", all - n, all));
  return SL_SUCCESS;
}

/* Whether every token of every layer has its largest number last, beyond all others: `least` is the
 * smallest of those.  */
static bool
has_shared (const SlRoutingDraft *draft, unsigned *least)
{
  unsigned k = draft->k, most = 0;

  *least = SL_RAW_NONE;
  for (unsigned l = 0; l < draft->n_layers; l++)
    {
      const SlRoutingDraftLayer *layer = &draft->layer[l];

      if (layer->tokens < SHARED_LEAST)
        return false;
      for (size_t t = 0; t < layer->tokens; t++)
        {
          const uint16_t *row = row_of (draft, layer, t);

          if (row[k - 1] == SL_RAW_NONE)
            return false;
          if (row[k - 1] < *least)
            *least = row[k - 1];
          for (unsigned s = 0; s + 1 < k; s++)
            if (row[s] != SL_RAW_NONE && row[s] > most)
              most = row[s];
        }
    }
  return *least > most;
}

/* Cuts the last slot off every row, in place. */
static void
cut_slot (SlRoutingDraft *draft)
{
  unsigned k = draft->k;

  for (unsigned l = 0; l < draft->n_layers; l++)
    for (size_t t = 0; t < draft->layer[l].tokens; t++)
      {
        SlRoutingDraftLayer *layer = &draft->layer[l];

        memmove (layer->ids + t * (k - 1), layer->ids + t * k, (k - 1) * sizeof *layer->ids);
        if (layer->gates != NULL)
          memmove (layer->gates + t * (k - 1), layer->gates + t * k,
                   (k - 1) * sizeof *layer->gates);
      }
  draft->k = k - 1;
}

static void
cut_shared (SlRoutingDraft *draft)
{
  unsigned least;

  if (draft->k < 2 || draft->scores || !has_shared (draft, &least))
    return;
  cut_slot (draft);
  if (draft->experts > least && draft->options.experts == 0)
    draft->experts = least;
  sl_reading_note (&draft->reading, sl_message ("left out: a shared expert in the last slot"));
}

SlStatus
sl_routing_clean (SlRoutingDraft *draft)
{
  SlStatus status = SL_SUCCESS;

  for (unsigned l = 0; l < draft->n_layers; l++)
    {
      empty_tops (draft, &draft->layer[l]);
      empty_zeros (draft, &draft->layer[l]);
    }
  status = empty_padding (draft);
  if (sl_ok (&status))
    status = drop_layers (draft, has_routing);
  if (sl_ok (&status))
    cut_shared (draft);
  return status;
}

/* Leaves out rows that are zero in every layer. */
static void
drop_rows (SlRoutingDraft *draft)
{
  size_t n = draft->experts, kept = 0, all = draft->rows;

  for (size_t row = 0; row < all; row++)
    {
      bool some = false;

      for (unsigned l = 0; l < draft->n_layers; l++)
        for (size_t i = 0; i < n && !some; i++)
          some = draft->layer[l].counts[row * n + i] > 0;
      for (unsigned l = 0; some && l < draft->n_layers; l++)
        memmove (draft->layer[l].counts + kept * n, draft->layer[l].counts + row * n,
                 n * sizeof (uint64_t));
      if (some && draft->step != NULL)
        draft->step[kept] = draft->step[row];
      kept += some;
    }
  draft->rows = kept;
  if (kept < all)
    sl_reading_note (&draft->reading,
                     sl_message ("left out: %zu of %zu rows, all zeros", all - kept, all));
}

SlStatus
sl_routing_clean_counts (SlRoutingDraft *draft)
{
  drop_rows (draft);
  return drop_layers (draft, has_counts);
}
