/* SPDX-License-Identifier: MIT
 *
 * Counts of what follows what in a text, and how well they predict another text: interpolated n-grams.
 * The rarer a context was seen, the more weight its shorter form has (Witten and Bell 1991),
 *   p (x | c) = (n (c x) + t (c) p (x | c')) / (n (c) + t (c)),
 * with t (c) the number of different symbols that followed c, c' without its oldest symbol, and below the
 * empty context all symbols alike.  */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"

enum { SL_NGRAMS_CONTEXT = 3 };

typedef struct
{
  unsigned  kinds;   /* of symbols, C */
  unsigned  context; /* longest, at most SL_NGRAMS_CONTEXT */
  uint32_t *count[SL_NGRAMS_CONTEXT
                  + 1]; /* (C^(c + 1)) by context of c symbols, oldest first, and symbol */
} SlNgrams;

/* Lays out the counts; kinds^(context + 1) numbers must fit into memory. */
void sl_ngrams_carve (SlNgrams *ngrams, unsigned kinds, unsigned context, SlArena *arena);

/* Counts a text (n) of symbols below C; counts are zeros before. */
void sl_ngrams_count (SlNgrams *ngrams, const uint8_t *text, size_t n);

/* Mean bits of the symbols text[first] … text[first + n - 1] from the `context` symbols before each; there have
 * to be that many before the first.  n >= 1.  */
double sl_ngrams_bits (const SlNgrams *ngrams, unsigned context, const uint8_t *text, size_t first,
                       size_t n);
