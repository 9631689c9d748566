/* SPDX-License-Identifier: MIT
 *
 * Which words are typical of an expert: those whose tokens it gets more often than others, beyond what chance explains
 * (log-likelihood ratio: Dunning 1993).  Tokens of a text hang together, so the bound is a floor.  */
#pragma once

#include "core/labs/routing/math/routes.h"

enum { SL_WORD_NONE = UINT32_MAX }; /* a token without a word */

/* Tokens by word, of the tokens that have one. */
typedef struct
{
  size_t    tokens, words, different; /* T', size of the vocabulary, those that occur */
  double    bound; /* of the ratio: by chance 1 expert of 20 has a word above it */
  uint32_t *count; /* (words) */
} SlWordCounts;

/* word (T) below `words`, or SL_WORD_NONE.  Free it with sl_typical_clear().  SL_ENOMEM. */
SlStatus sl_typical_count (size_t tokens, const uint32_t *word, size_t words, SlWordCounts *counts);
void     sl_typical_clear (SlWordCounts *counts);

typedef struct
{
  uint32_t word;
  uint32_t both, count;    /* its tokens that the expert gets, and all */
  double   expected, lift; /* both ÷ expected */
  double   ratio;          /* log-likelihood ratio, above the bound */
} SlTypicalWord;

/* The most typical words of an expert, at most `most`, by falling ratio, of equal ones the lower word; *n of them.
 * SL_ENOMEM.  */
SlStatus sl_typical_words (const SlRoutes *r, const uint32_t *word, const SlWordCounts *counts,
                           unsigned expert, unsigned most, SlTypicalWord *typical, unsigned *n);

/* Tokens that have a word, by expert (n); and those of one word. */
void sl_typical_load (const SlRoutes *r, const uint32_t *word, const SlWordCounts *counts,
                      uint64_t *load);
void sl_typical_experts (const SlRoutes *r, const uint32_t *word, uint32_t of, uint64_t *load);
