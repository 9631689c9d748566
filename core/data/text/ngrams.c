/* SPDX-License-Identifier: MIT */
#include "core/data/text/ngrams.h"

#include <math.h>

void
sl_ngrams_carve (SlNgrams *ngrams, unsigned kinds, unsigned context, SlArena *arena)
{
  size_t n = kinds;

  *ngrams = (SlNgrams) { .kinds = kinds, .context = context };
  for (unsigned c = 0; c <= context; c++, n *= kinds)
    ngrams->count[c] = sl_arena_carve (arena, n, sizeof *ngrams->count[c]);
}

/* Where the counts of what followed the c symbols before text[i] begin. */
static const uint32_t *
counts_at (const SlNgrams *ngrams, unsigned c, const uint8_t *text, size_t i)
{
  size_t at = 0;

  for (unsigned back = c; back > 0; back--)
    at = at * ngrams->kinds + text[i - back];
  return ngrams->count[c] + at * ngrams->kinds;
}

void
sl_ngrams_count (SlNgrams *ngrams, const uint8_t *text, size_t n)
{
  for (unsigned c = 0; c <= ngrams->context; c++)
    for (size_t i = c; i < n; i++)
      ((uint32_t *) counts_at (ngrams, c, text, i))[text[i]]++;
}

static double
chance_of (const SlNgrams *ngrams, unsigned context, const uint8_t *text, size_t i)
{
  double chance = 1.0 / ngrams->kinds;

  for (unsigned c = 0; c <= context; c++)
    {
      const uint32_t *count = counts_at (ngrams, c, text, i);
      double          seen = 0.0, different = 0.0;

      for (unsigned k = 0; k < ngrams->kinds; k++)
        {
          seen += count[k];
          different += count[k] > 0;
        }
      if (seen > 0.0)
        chance = (count[text[i]] + different * chance) / (seen + different);
    }
  return chance;
}

double
sl_ngrams_bits (const SlNgrams *ngrams, unsigned context, const uint8_t *text, size_t first,
                size_t n)
{
  double sum = 0.0;

  for (size_t i = first; i < first + n; i++)
    sum -= log2 (chance_of (ngrams, context, text, i));
  return sum / (double) n;
}
