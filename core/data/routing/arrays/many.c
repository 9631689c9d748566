/* SPDX-License-Identifier: MIT
 *
 * Expert numbers of more tokens than memory may have: counted in one pass, window by window.  */
#include <stdlib.h>

#include "core/data/routing/arrays/parts.h"

enum { BLOCK_NUMBERS = 1 << 15, CELLS = 1 << 23, WINDOWS = 1024 };

typedef struct
{
  const SlArrays *arrays;
  const SlArray  *ids;
  SlRoutingDraft *draft;
  unsigned        k, n; /* n: more than any number may be */
  int64_t         top;  /* of a type without a sign, or -2 */
  bool            top_twice;
  uint64_t        window; /* tokens */
  int64_t         block[BLOCK_NUMBERS];
  uint64_t        seen[SL_ROUTING_EXPERTS]; /* the last row that had each expert, from 1 */
} Counter;

static SlStatus
refuse (const Counter *c, const SlRoutingDraftLayer *layer, uint64_t token, int64_t id, bool twice)
{
  if (twice)
    return sl_routing_draft_fail (
      c->draft, layer, token, sl_message ("expert %lld twice", (long long) id),
      sl_message ("%u different ones (are these counts? as=counts)", c->k));
  return sl_routing_draft_fail (c->draft, layer, token, sl_message ("expert %lld", (long long) id),
                                sl_message ("-1 (none) or 0 to %u", c->n - 1));
}

static bool
is_zeros (const int64_t *row, unsigned k)
{
  int64_t any = 0;

  for (unsigned s = 0; s < k; s++)
    any |= row[s];
  return any == 0 && k > 1;
}

/* Where the counting is: divisions for each row would take longer than all else. */
typedef struct
{
  uint64_t token, row; /* the row from 1, which tells those of other rows apart */
  unsigned layer;
  uint64_t in_window; /* tokens of it so far */
  size_t   offset;    /* of the window's counts */
} Cursor;

static inline void
go_on (const Counter *c, Cursor *cursor, unsigned layers)
{
  cursor->row++;
  if (++cursor->layer < layers)
    return;
  cursor->layer = 0;
  cursor->token++;
  if (++cursor->in_window < c->window)
    return;
  cursor->in_window = 0;
  cursor->offset += c->n;
}

/* False at a number that cannot be: *wrong, which is there twice if it is an expert's. */
static inline bool
count_row (Counter *c, const Cursor *cursor, const int64_t *row, int64_t *wrong)
{
  uint64_t *counts = c->draft->layer[cursor->layer].counts + cursor->offset;

  if (is_zeros (row, c->k))
    return true;
  for (unsigned s = 0; s < c->k; s++)
    {
      int64_t id = row[s];
      bool    twice;

      if (id == -1)
        continue;
      *wrong = id;
      if (id < -1 || id >= c->n)
        return false;
      twice = c->seen[id] == cursor->row;
      if (twice && id != c->top)
        return false;
      c->top_twice = c->top_twice || twice;
      c->seen[id] = cursor->row;
      counts[id]++;
    }
  return true;
}

static SlStatus
count_block (Counter *c, Cursor *cursor, size_t rows, unsigned layers)
{
  int64_t wrong;

  for (size_t i = 0; i < rows; i++)
    {
      if (!count_row (c, cursor, c->block + i * c->k, &wrong))
        return refuse (c, &c->draft->layer[cursor->layer], cursor->token, wrong,
                       wrong >= 0 && wrong < c->n);
      go_on (c, cursor, layers);
    }
  return SL_SUCCESS;
}

static SlStatus
count_rows (Counter *c, uint64_t rows, unsigned layers)
{
  uint64_t most = BLOCK_NUMBERS / c->k;
  Cursor   cursor = { .row = 1 };
  SlStatus status = SL_SUCCESS;

  for (uint64_t row = 0; row < rows && sl_ok (&status); row += most)
    {
      size_t n = rows - row < most ? (size_t) (rows - row) : (size_t) most;

      status = sl_array_integers (c->ids, c->arrays->path, row * c->k, n * c->k, c->block);
      if (sl_ok (&status))
        status = count_block (c, &cursor, n, layers);
    }
  return status;
}

/* Where some token had the largest number of its type twice, that number is no expert. */
static void
empty_top (Counter *c)
{
  for (unsigned l = 0; c->top_twice && l < c->draft->n_layers; l++)
    for (size_t row = 0; row < c->draft->rows; row++)
      c->draft->layer[l].counts[row * c->n + (size_t) c->top] = 0;
}

static unsigned
largest (const Counter *c)
{
  unsigned most = 0;

  for (unsigned l = 0; l < c->draft->n_layers; l++)
    for (size_t i = 0; i < c->draft->rows * c->n; i++)
      if (c->draft->layer[l].counts[i] > 0 && i % c->n > most)
        most = (unsigned) (i % c->n);
  return most;
}

/* Rows of n experts become rows of those that there are. */
static void
shrink (Counter *c)
{
  unsigned n = largest (c) + 1;

  for (unsigned l = 0; l < c->draft->n_layers; l++)
    for (size_t row = 0; row < c->draft->rows; row++)
      for (unsigned i = 0; i < n; i++)
        c->draft->layer[l].counts[row * n + i] = c->draft->layer[l].counts[row * c->n + i];
  c->draft->experts = n;
  c->draft->experts_from = SL_ROUTING_LARGEST;
}

/* Windows as fine as memory allows. */
static void
choose_windows (Counter *c, uint64_t tokens, uint64_t layers)
{
  uint64_t rows = CELLS / (layers * c->n);

  rows = rows < 1 ? 1 : rows > WINDOWS ? WINDOWS : rows;
  c->window = (tokens + rows - 1) / rows;
  c->draft->rows = (size_t) ((tokens + c->window - 1) / c->window);
  c->draft->kind = SL_ROUTING_COUNTS;
  c->draft->experts = c->n;
  c->draft->experts_from = SL_ROUTING_SAID;
  c->draft->options.k = c->k;
}

SlStatus
sl_arrays_count_ids (const SlArrays *arrays, const SlArray *ids, uint64_t tokens, uint64_t layers,
                     unsigned k, SlRoutingDraft *draft)
{
  unsigned said = draft->options.experts;
  Counter *c = calloc (1, sizeof *c);
  SlStatus status;

  if (c == NULL)
    return sl_status_no_memory (arrays->path);
  c->arrays = arrays;
  c->ids = ids;
  c->draft = draft;
  c->k = k;
  c->n = said > 0 ? said : ids->size == 1 ? UINT8_MAX + 1 : SL_ROUTING_EXPERTS;
  c->top = ids->type == SL_ARRAY_NATURALS && ids->size == 1 && c->n > UINT8_MAX ? UINT8_MAX : -2;
  choose_windows (c, tokens, layers);
  status = sl_routing_draft_counts (draft);
  if (sl_ok (&status))
    status = count_rows (c, tokens * layers, (unsigned) layers);
  if (sl_ok (&status))
    {
      empty_top (c);
      if (said == 0)
        shrink (c);
      sl_routing_draft_note (
        draft,
        sl_message ("more tokens than fit into memory: only counts, in %zu windows of %llu tokens; "
                    "from= and most= read a part with its tokens",
                    draft->rows, (unsigned long long) c->window));
    }
  free (c);
  return status;
}
