/* SPDX-License-Identifier: MIT
 *
 * Columns while they are read, cell by cell: numbers in the narrowest type that holds all so far, or texts.  Tables
 * have one cell a row; JSON also has lists, which are as many cells as numbers.  */
#pragma once

#include "core/data/read/containers/array.h"

enum { SL_COLUMN_TEXTS_MAX = 1 << 16 };

typedef enum {
  SL_COLUMN_BYTES,  /* 0 … 255 */
  SL_COLUMN_SHORTS, /* of 32 bits, with a sign */
  SL_COLUMN_LONGS,
  SL_COLUMN_REALS,
  SL_COLUMN_TEXTS, /* codes */
  SL_COLUMN_OTHER, /* cells are only counted */
} SlColumnKind;

typedef struct
{
  uint32_t *number;
  size_t    n, room;
} SlCounts;

typedef struct
{
  SlColumnKind kind;
  uint8_t     *cell; /* (room) of the kind */
  size_t       n, room;
  uint64_t     missing, truths;
  uint64_t     missing_line; /* of the first missing cell */
  char       **text;
  uint32_t    *code; /* (codes) of texts by their hash, or SL_NO_TEXT; a power of two */
  uint32_t     n_texts, codes, text_room;

  /* Where rows may be lists; else all of it is 0. */
  size_t   rows;
  int      rank;                /* lists that a cell lies in; -1: not known yet */
  size_t   axis[SL_ARRAY_AXES]; /* of lists in lists; 0: not known yet */
  SlCounts piece;               /* (rows) rank > 0: elements of each row */
  SlCounts inner;               /* rank > 1: elements of each innermost list */
} SlColumn;

typedef struct
{
  const char *path; /* for failures */
  size_t      used; /* bytes of all columns */
  uint64_t    line; /* of the row in work, or 0 */
} SlColumns;

void sl_column_clear (SlColumn *column);

/* One cell more.  A text makes texts of the numbers before it and behind it; beyond SL_COLUMN_TEXTS_MAX different ones
 * the column is OTHER.  A missing cell makes reals of whole numbers.  SL_ENOMEM, also beyond SL_ARRAYS_BUDGET.  */
SlStatus sl_column_whole (SlColumns *columns, SlColumn *column, int64_t whole);
SlStatus sl_column_real (SlColumns *columns, SlColumn *column, double real);
SlStatus sl_column_truth (SlColumns *columns, SlColumn *column, bool truth);
SlStatus sl_column_text (SlColumns *columns, SlColumn *column, const char *text, size_t n);
SlStatus sl_column_missing (SlColumns *columns, SlColumn *column);

/* The same of 0 … 255, for the columns that have no other: false if this one has, or no room. */
static inline bool
sl_column_byte (SlColumn *column, unsigned byte)
{
  if (column->kind != SL_COLUMN_BYTES || column->n == column->room)
    return false;
  column->cell[column->n++] = (uint8_t) byte;
  return true;
}

/* Lets the column keep nothing but the number of its cells. */
void sl_column_give_up (SlColumns *columns, SlColumn *column);

/* The cells as an array, of one axis if `array` has none yet; the column is empty then. */
SlStatus sl_column_finish (SlColumns *columns, SlColumn *column, SlArrays *arrays, SlArray *array);

/* Bytes of a cell. */
unsigned sl_column_size (const SlColumn *column);

/* Lets the column be at least of this kind.  SL_ENOMEM. */
SlStatus sl_column_widen (SlColumns *columns, SlColumn *column, SlColumnKind kind);

/* ---- rows that are a cell or a list each ---- */

/* A cell follows that lies in `depth` lists of its row, 0: in none.  False: it is not to be given, as rows are not of
 * one kind and the column is OTHER.  SL_ENOMEM.  */
SlStatus sl_column_inside (SlColumns *columns, SlColumn *column, unsigned depth, bool *wanted);

/* A list of `n` elements ends that lies in `depth` - 1 others; with the outermost the row ends.  */
SlStatus sl_column_list (SlColumns *columns, SlColumn *column, unsigned depth, size_t n);

/* Rows without a value up to `rows`. */
SlStatus sl_column_fill (SlColumns *columns, SlColumn *column, size_t rows);

/* The column as an array with all its axes, lists padded to the longest.  `record`, NULL or (rows), is copied; see
 * container.h.  */
SlStatus sl_column_finish_rows (SlColumns *columns, SlColumn *column, const uint32_t *record,
                                SlArrays *arrays, SlArray *array);
