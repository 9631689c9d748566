/* SPDX-License-Identifier: MIT
 *
 * A text as a model of language reads it: its letters, or its words, as numbers.
 *
 * A word is the text between blanks; a punctuation mark is one of its own.  The vocabulary is that
 * of the training text, the most frequent words first; every other word is the unknown one.  */
#pragma once

#include "core/data/set/dataset.h"

enum { SL_VOCABULARY_MAX = 50000 };

typedef struct
{
  size_t       kinds;                /* C >= 2 */
  size_t       n[SL_N_SPLITS];       /* symbols of each split; train, then validation, test */
  uint16_t    *symbol;               /* (N) below C; words: 0 is the unknown one */
  const char **title;                /* (C) what each is called */
  size_t       letters[SL_N_SPLITS]; /* letters of each split, blanks too */
  size_t       unknown[SL_N_SPLITS]; /* unknown words of each split */
  char        *titles;               /* what `title` points into */
} SlWords;

/* The letters of a text.  SL_EUNSUPPORTED where a split has fewer than two; SL_ENOMEM.  On failure
 * there is nothing to clear.  */
SlStatus sl_words_letters (SlWords *words, const SlDataset *dataset);

/* Its words, of the `most` - 1 most frequent ones and the unknown one.  SL_EUNSUPPORTED where a split
 * has fewer than two words; SL_ENOMEM.  On failure there is nothing to clear.  */
SlStatus sl_words_read (SlWords *words, const SlDataset *dataset, size_t most);

/* Frees it; zeros are fine. */
void sl_words_clear (SlWords *words);

/* Index of the first symbol of a split. */
static inline size_t
sl_words_first (const SlWords *words, SlSplit split)
{
  size_t first = 0;

  for (int s = 0; s < (int) split; s++)
    first += words->n[s];
  return first;
}
