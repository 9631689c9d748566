/* SPDX-License-Identifier: MIT
 *
 * How alike two short words are, for "did you mean" where a name is not known.  */
#pragma once

/* Levenshtein distance: letters to put in, take out or exchange to make `b` from `a`.
 * Only the first 64 letters of `b` count.  */
unsigned sl_word_distance (const char *a, const char *b);
