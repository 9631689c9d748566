/* SPDX-License-Identifier: MIT
 *
 * Streams of symbols made of text: any bytes under an alphabet.  What a model of text learns
 * from: a data set with one feature, the symbol, whose label is the symbol that follows.  The
 * splits are not shuffled: training takes the beginning, then come validation and test.  */
#pragma once

#include "core/data/set/draft.h"
#include "core/data/text/bytes.h"

typedef enum {
  SL_ALPHABET_LETTERS, /* a to z and space, case ignored; anything else is a space, and several
                        * spaces are one (the rules of text8, but for its spelled-out digits) */
  SL_ALPHABET_OWN,     /* the letters that occur, at most 256, in the order of Unicode */
  SL_ALPHABET_BYTES,   /* all 256 */
} SlAlphabet;

/* The fewest symbols that make a stream. */
enum { SL_STREAM_LEAST = 64 };

/* Makes a split stream of `size` bytes of text, which is overwritten.  SL_EFORMAT: nothing in
 * it; for alphabets of letters a zero byte or what is not UTF-8, at the byte; more letters than
 * 256; fewer than two or too few symbols.  SL_ENOMEM.  */
SlStatus sl_stream_make (SlDraft *draft, const char *subject, uint8_t *text, size_t size,
                         SlAlphabet alphabet, const SlSplitting *splitting);

/* Reads a file of text, raw or gzip: all of it, or the verses of the text of Debian's package
 * bible-kjv-text without their numbers.  SL_EIO, SL_EFORMAT, SL_ENOMEM.  */
SlStatus sl_stream_open (const char *path, SlAlphabet alphabet, const SlSplitting *splitting,
                         SlDraft *draft);

/* True when the first bytes of a file can only be text: letters, and no delimiter of a table in
 * the first line.  */
bool sl_stream_likely (const uint8_t *head, size_t size);
