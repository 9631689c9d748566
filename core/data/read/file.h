/* SPDX-License-Identifier: MIT
 *
 * A data set from a file or folder: finds out what it is and calls its reader.  */
#pragma once

#include "core/base/param.h"
#include "core/data/set/draft.h"

/* Whether a file is text, and under which alphabet (stream.h). */
typedef enum {
  SL_TEXT_AUTO, /* by its name, or when it cannot be a table: letters */
  SL_TEXT_LETTERS,
  SL_TEXT_OWN,
  SL_TEXT_BYTES,
} SlTextMode;

/* Gives shares of 0 what suits the file: a text, or examples. */
void sl_file_settle_shares (bool text, SlSplitting *splitting);

/* Opens `path`.  *split tells whether the examples came in one heap, so that `splitting`
 * mattered; a collection with a test part of its own is split by its files.  A share of 0 becomes what
 * suits the file: of a text 4 % to validate and 1 % to test (Davis 2016, §4.5.1, trains on 95 %),
 * else a tenth each.  Only tables are standardised; images have a scale of their own.  SL_EIO,
 * SL_EFORMAT, SL_ENOMEM.  */
SlStatus sl_file_open (const char *path, SlSplitting *splitting, bool standardise, SlTextMode text,
                       bool *split, SlDataset **dataset);
