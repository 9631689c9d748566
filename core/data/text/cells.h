/* SPDX-License-Identifier: MIT
 *
 * Cuts delimited text into cells, in place.  */
#pragma once

#include "core/base/status.h"

typedef struct
{
  const char *path;     /* for failures */
  char       *at, *end; /* what is left; *end is a zero byte */
  char        delimiter;
  uint64_t    line;      /* of `at`, from 1 */
  bool        row_ended; /* the last cell was the last of its row */
} SlCells;

typedef struct
{
  char    *text; /* zero-terminated, without quotes and the blanks around it */
  size_t   length;
  uint64_t line; /* where it begins */
} SlTextCell;

/* Starts at the first byte of `size` bytes of text, which is followed by a zero byte and
 * will be written to.  Chooses the delimiter.  */
void sl_cells_init (SlCells *cells, const char *path, char *text, size_t size);

/* Skips empty lines; false at the end of the text. */
bool sl_cells_row (SlCells *cells);

/* The next cell of the row.  SL_EFORMAT: a quote that does not close, or text behind it; a
 * zero byte.  */
SlStatus sl_cells_next (SlCells *cells, SlTextCell *cell);
