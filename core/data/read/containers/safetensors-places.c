/* SPDX-License-Identifier: MIT
 *
 * Where the tensors of a .safetensors file lie: without overlaps, gaps or anything behind them; see
 * safetensors-header.h.  */
#include "core/data/read/containers/safetensors-header.h"

#include <stdlib.h>

/* An entry's place in the file, to be sorted. */
typedef struct
{
  uint64_t begin, end;
  uint32_t entry;
} Span;

/* Empty ones before those that begin at the same byte. */
static int
by_place (const void *a, const void *b)
{
  const Span *x = a, *y = b;

  if (x->begin != y->begin)
    return x->begin < y->begin ? -1 : 1;
  return (x->end > y->end) - (x->end < y->end);
}

/* That the spans follow one another from 0 on, and how far. */
static SlStatus
check_spans (const char *path, SlTensorHeader *header, Span *span, uint64_t *end)
{
  for (size_t i = 0; i < header->n; i++)
    span[i] = (Span) { header->entry[i].begin, header->entry[i].end, (uint32_t) i };
  qsort (span, header->n, sizeof *span, by_place);
  *end = 0;
  for (size_t i = 0; i < header->n; i++)
    {
      header->order[i] = span[i].entry;
      if (span[i].begin != *end)
        {
          unsigned long long begin = span[i].begin, before = *end;

          return sl_tensor_entry_fail (path, &header->entry[span[i].entry],
                                       begin < before
                                         ? sl_message ("an overlap at offset %llu", begin)
                                         : sl_message ("a gap at offset %llu", before),
                                       sl_message ("its numbers from %llu on", before));
        }
      *end = span[i].end;
    }
  return SL_SUCCESS;
}

SlStatus
sl_tensor_places_check (SlTensorHeader *header, SlBytes *bytes)
{
  const char *path = sl_bytes_path (bytes);
  uint64_t    end, left = sl_bytes_left (bytes);
  Span       *span = malloc ((header->n + 1) * sizeof *span);
  SlStatus    status;

  header->order = malloc ((header->n + 1) * sizeof *header->order);
  if (span == NULL || header->order == NULL)
    {
      free (span);
      return sl_status_no_memory (path);
    }
  status = check_spans (path, header, span, &end);
  free (span);
  if (!sl_ok (&status) || (sl_bytes_plain (bytes) ? end == left : end <= left))
    return status;
  return sl_status_at (
    SL_EFORMAT, path, SL_BYTE, sl_bytes_position (bytes),
    sl_message ("%llu bytes of numbers", (unsigned long long) end),
    sl_bytes_plain (bytes)
      ? sl_message ("%llu, which follow the header", (unsigned long long) left)
      : sl_message ("no more than %llu, which follow the header", (unsigned long long) left));
}
