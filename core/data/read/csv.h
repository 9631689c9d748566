/* SPDX-License-Identifier: MIT
 *
 * Tables as text: cells parted by comma, semicolon or tab (whichever is most frequent in the
 * first line), quoted with '"' where needed (RFC 4180), UTF-8 with or without byte order
 * mark, any line ends, raw or gzip.  All columns are numbers with a decimal point but one,
 * the class: "label" or "class" by its heading, or else the last.  A first line without any
 * number among its features is taken for headings.
 *
 * Classes may be numbers or words; they are put in order and numbered from 0.  "?", "NA", "null" and the like are
 * none.  Features may be
 * standardised: mean 0 and standard deviation 1 over the training examples; a feature that is
 * the same in all of them becomes 0.  What lies beyond a million (deviations) is cut there.  */
#pragma once

#include "core/data/set/draft.h"

/* Reads and splits a table.  SL_EFORMAT at the line: cells that are empty, not numbers, not finite or no class, rows of different length, quotes that do not close, more than 256 classes or
 * fewer than two, fewer than 3 examples, words that are not UTF-8.  SL_EIO, SL_ENOMEM.  */
SlStatus sl_csv_open (const char *path, const SlSplitting *splitting, bool standardise,
                      SlDraft *draft);

/* True when the first bytes of a file can be a table: text of printable letters. */
bool sl_csv_likely (const uint8_t *head, size_t size);
