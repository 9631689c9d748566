/* SPDX-License-Identifier: MIT
 *
 * Expert numbers of more tokens than memory may have: counted in one pass, window by window.  */
#include <stdlib.h>
#include <string.h>

#include "core/data/read/recording/private.h"
#include "core/data/routing/zeros.h"

enum { BLOCK_NUMBERS = 1 << 15, CELLS = 1 << 23, WINDOWS = 1024 };

_Static_assert(SL_ROUTING_LAYERS *SL_ROUTING_SLOTS <= BLOCK_NUMBERS, "a token fits into a block");

/* Eight numbers of a row, and the same bits as two halves. */
typedef uint16_t Eight __attribute__ ((vector_size (16)));
typedef uint64_t Halves __attribute__ ((vector_size (16), may_alias, aligned (2)));

typedef struct
{
  const char     *path;
  const SlArray  *ids;
  SlRoutingDraft *draft;
  unsigned k, n, layers; /* n: of the counts; numbers beyond are of experts that compute nothing */
  unsigned most;         /* more than any number may be */
  int64_t  top;          /* of a type without a sign, or -2 */
  bool     top_twice;
  uint64_t window; /* tokens */
  int64_t  block[BLOCK_NUMBERS];
  uint16_t index[BLOCK_NUMBERS];
  uint64_t seen[SL_ROUTING_EXPERTS]; /* the last row that had each expert, from 1 */
  uint64_t row;                      /* how many rows `seen` knows */
} Counter;

/* Tokens of one window that are counted at once. */
typedef struct
{
  uint64_t first;
  size_t   tokens;
  size_t   offset; /* of the window's counts */
} Chunk;

static SlStatus
refuse (const Counter *c, const SlRoutingDraftLayer *layer, uint64_t token, int64_t id, bool twice)
{
  if (twice)
    return sl_routing_draft_fail (
      c->draft, layer, token, sl_message ("expert %lld twice", (long long) id),
      sl_message ("%u different ones (are these counts? as=loads)", c->k));
  return sl_routing_draft_fail (c->draft, layer, token, sl_message ("expert %lld", (long long) id),
                                sl_message ("-1 (none) or 0 to %u", c->most - 1));
}

static bool
is_zeros (const int64_t *row, unsigned k)
{
  int64_t any = 0;

  for (unsigned s = 0; s < k; s++)
    any |= row[s];
  return any == 0 && k > 1;
}

/* False at a number that cannot be: *wrong, which is there twice if it is an expert's. */
static bool
count_row (Counter *c, SlRoutingDraftLayer *layer, size_t offset, const int64_t *row,
           int64_t *wrong)
{
  c->row++;
  if (is_zeros (row, c->k))
    return true;
  for (unsigned s = 0; s < c->k; s++)
    {
      int64_t id = row[s];
      bool    twice;

      if (id == -1)
        continue;
      *wrong = id;
      if (id < -1 || id >= c->most)
        return false;
      twice = c->seen[id] == c->row;
      if (twice && id != c->top)
        return false;
      c->top_twice = c->top_twice || twice;
      c->seen[id] = c->row;
      if (id < c->n)
        layer->counts[offset + (size_t) id]++;
      else
        layer->zero++;
    }
  return true;
}

/* Number by number, in the order of the file: whatever there may be in it. */
static SlStatus
count_with_care (Counter *c, const Chunk *chunk)
{
  size_t   row = 0;
  SlStatus status = sl_array_integers (c->ids, c->path, chunk->first * c->layers * c->k,
                                       chunk->tokens * c->layers * c->k, c->block);

  for (size_t t = 0; t < chunk->tokens && sl_ok (&status); t++)
    for (unsigned l = 0; l < c->layers && sl_ok (&status); l++, row++)
      {
        SlRoutingDraftLayer *layer = &c->draft->layer[l];
        int64_t              wrong;

        if (!count_row (c, layer, chunk->offset, c->block + row * c->k, &wrong))
          status = refuse (c, layer, chunk->first + t, wrong, wrong >= 0 && wrong < c->most);
      }
  return status;
}

static bool
are_zeros (const uint16_t *row, unsigned k)
{
  unsigned any = 0;

  for (unsigned s = 0; s < k; s++)
    any |= row[s];
  return any == 0 && k > 1;
}

/* Whether each row has k different numbers, or zeros alone, which are no routing. */
static inline bool
are_different (const uint16_t *row, size_t rows, unsigned k, uint16_t *seen)
{
  for (size_t i = 0; i < rows; i++, row += k)
    {
      unsigned twice = 0;

      for (unsigned s = 0; s < k; s++)
        {
          twice |= seen[row[s]] == i + 1;
          seen[row[s]] = (uint16_t) (i + 1);
        }
      if (twice && !are_zeros (row, k))
        return false;
    }
  return true;
}

static inline Halves
turned (Halves x, unsigned places)
{
  return x >> 16 * places | x << (64 - 16 * places);
}

/* In which places two rows of eight have one number: ones there, else zeros. */
static inline Halves
where_same (Halves x, Halves y)
{
  return (Halves) ((Eight) x == (Eight) y);
}

/* The same of eight numbers, the most usual, without memory: a half beside itself turned by one and by two
 * places; each half beside the other turned by none, one and two (three is one the other way round).  False,
 * too, at zeros alone.  */
static bool
are_eight_different (const uint16_t *row, size_t rows)
{
  Halves twice = { 0 };

  for (size_t i = 0; i < rows; i++, row += 8)
    {
      Halves r = *(const Halves *) row, swapped = { r[1], r[0] };

      twice |= where_same (r, turned (r, 1)) | where_same (r, turned (r, 2))
               | where_same (r, swapped) | where_same (r, turned (swapped, 1))
               | where_same (r, turned (swapped, 2));
    }
  return (twice[0] | twice[1]) == 0;
}

/* All tokens of a layer, then the next layer: its counts stay in the cache.  Two zeros are zeros alone. */
static inline void
count_layer (const uint16_t *row, size_t tokens, size_t stride, unsigned k, uint64_t *counts)
{
  uint64_t zeros = 0;

  for (size_t t = 0; t < tokens; t++, row += stride)
    {
      zeros += k > 1 && row[0] == 0 && row[1] == 0;
      for (unsigned s = 0; s < k; s++)
        counts[row[s]]++;
    }
  counts[0] -= zeros * k;
}

static inline bool
count_numbers (Counter *c, const Chunk *chunk, unsigned k)
{
  uint16_t seen[SL_ROUTING_EXPERTS];
  size_t   stride = (size_t) c->layers * k, rows = chunk->tokens * c->layers;

  memset (seen, 0, c->n * sizeof *seen);
  if (!(k == 8 && are_eight_different (c->index, rows)) && !are_different (c->index, rows, k, seen))
    return false;
  for (unsigned l = 0; l < c->layers; l++)
    count_layer (c->index + l * k, chunk->tokens, stride, k,
                 c->draft->layer[l].counts + chunk->offset);
  return true;
}

/* False, with nothing counted, where anything is in it but different experts and rows of zeros.  The usual
 * numbers for each token have loops of their own, unrolled by the compiler.  */
static bool
count_plainly (Counter *c, const Chunk *chunk)
{
  switch (c->k)
    {
    case 1: return count_numbers (c, chunk, 1);
    case 2: return count_numbers (c, chunk, 2);
    case 4: return count_numbers (c, chunk, 4);
    case 6: return count_numbers (c, chunk, 6);
    case 8: return count_numbers (c, chunk, 8);
    default: return count_numbers (c, chunk, c->k);
    }
}

static SlStatus
count_chunk (Counter *c, const Chunk *chunk)
{
  bool     below;
  SlStatus status = sl_array_indices (c->ids, c->path, chunk->first * c->layers * c->k,
                                      chunk->tokens * c->layers * c->k, c->n, c->index, &below);

  return !sl_ok (&status) || (below && count_plainly (c, chunk)) ? status
                                                                 : count_with_care (c, chunk);
}

static SlStatus
count_tokens (Counter *c, uint64_t tokens)
{
  size_t   most = BLOCK_NUMBERS / (c->k * c->layers);
  Chunk    chunk = { 0 };
  SlStatus status = SL_SUCCESS;

  for (uint64_t left_of_window = c->window; chunk.first < tokens && sl_ok (&status);
       chunk.first += chunk.tokens)
    {
      uint64_t left = tokens - chunk.first;

      left = left < left_of_window ? left : left_of_window;
      chunk.tokens = left < most ? (size_t) left : most;
      status = count_chunk (c, &chunk);
      left_of_window -= chunk.tokens;
      if (left_of_window == 0)
        {
          left_of_window = c->window;
          chunk.offset += c->n;
        }
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
sl_recording_count (SlRecordingFile *file, const SlMeant *meant)
{
  SlRoutingDraft *draft = file->draft;
  const SlArray  *ids = meant->array;
  uint64_t        tokens = sl_meant_length (meant, 't'), layers = sl_meant_length (meant, 'l');
  unsigned        said = draft->options.experts;
  Counter        *c = calloc (1, sizeof *c);
  SlStatus        status;

  if (c == NULL)
    return sl_status_no_memory (file->arrays.path);
  c->path = file->arrays.path;
  c->ids = ids;
  c->draft = draft;
  c->k = (unsigned) ids->shape[ids->axes - 1];
  c->layers = (unsigned) layers;
  c->n = said > 0 ? said : ids->size == 1 ? UINT8_MAX + 1 : SL_ROUTING_EXPERTS;
  c->most = said > 0 ? SL_ROUTING_EXPERTS : c->n;
  c->top = ids->type == SL_ARRAY_NATURALS && ids->size == 1 && c->n > UINT8_MAX ? UINT8_MAX : -2;
  choose_windows (c, tokens, layers);
  status = sl_routing_draft_counts (draft);
  if (sl_ok (&status))
    status = count_tokens (c, tokens);
  if (sl_ok (&status))
    {
      empty_top (c);
      if (said == 0)
        shrink (c);
      sl_routing_note_zeros (draft);
      sl_reading_note (&draft->reading,
                       sl_message ("too many tokens for memory: counts of %zu windows of %llu",
                                   draft->rows, (unsigned long long) c->window));
      sl_reading_other (&draft->reading, "most", "1000000", sl_message ("a part with its tokens"));
    }
  free (c);
  return status;
}
