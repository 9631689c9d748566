/* SPDX-License-Identifier: MIT
 *
 * Where the tensors of a .safetensors file lie: without overlaps, gaps or anything behind them; see
 * safetensors-header.h.  */
#include "core/data/read/safetensors-header.h"

#include <stdio.h>
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
  char found[80], expected[80];

  for (size_t i = 0; i < header->n; i++)
    span[i] = (Span) { header->entry[i].begin, header->entry[i].end, (uint32_t) i };
  qsort (span, header->n, sizeof *span, by_place);
  *end = 0;
  for (size_t i = 0; i < header->n; i++)
    {
      header->order[i] = span[i].entry;
      if (span[i].begin != *end)
        {
          snprintf (found, sizeof found, "%s at offset %llu",
                    span[i].begin < *end ? "an overlap" : "a gap",
                    (unsigned long long) (span[i].begin < *end ? span[i].begin : *end));
          snprintf (expected, sizeof expected, "its numbers from %llu on",
                    (unsigned long long) *end);
          return sl_tensor_entry_fail (path, &header->entry[span[i].entry], found, expected);
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
  char        found[80], expected[80];
  SlStatus    status;

  header->order = malloc ((header->n + 1) * sizeof *header->order);
  if (span == NULL || header->order == NULL)
    {
      free (span);
      return sl_status_new (SL_ENOMEM, path, NULL, NULL);
    }
  status = check_spans (path, header, span, &end);
  free (span);
  if (!sl_ok (&status) || (sl_bytes_plain (bytes) ? end == left : end <= left))
    return status;
  snprintf (found, sizeof found, "%llu bytes of numbers", (unsigned long long) end);
  snprintf (expected, sizeof expected, "%s%llu, which follow the header",
            sl_bytes_plain (bytes) ? "" : "no more than ", (unsigned long long) left);
  return sl_status_at (SL_EFORMAT, path, SL_BYTE, sl_bytes_position (bytes), found, expected);
}
