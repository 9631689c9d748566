/* SPDX-License-Identifier: MIT
 *
 * How the text of a table is to be cut, seen from its first rows.  */
#pragma once

#include "core/data/read/containers/container.h"
#include "core/data/read/containers/text/numbers.h"

enum { SL_TABLE_LOOK_ROWS = 100 };

typedef struct
{
  char  *text; /* in place, without quotes and the blanks around it; a zero byte ends it */
  size_t n;
} SlTableCell;

/* Takes the next cell off the row *at, which is written to; *at is NULL after the last.  A text behind a closing quote,
 * or a quote that does not close, is returned as *wrong.  */
SlTableCell sl_table_cell (char **at, char separator, const char **wrong);

/* Whether the row ends within quotes, so that the next line belongs to it. */
bool sl_table_goes_on (const char *row, const char *separators);

/* Whether it is a row after '#', which is no cell of a spreadsheet. */
bool sl_table_is_note (const char *row);

/* A row as it was read. */
typedef struct
{
  char    *text; /* owned */
  size_t   n;
  uint64_t line;
} SlTableRow;

typedef enum {
  SL_TABLE_NUMBER,
  SL_TABLE_MISSING,
  SL_TABLE_ENDLESS,   /* "inf" */
  SL_TABLE_THOUSANDS, /* 1.234,56 */
  SL_TABLE_TURNED,    /* with the other decimal sign */
  SL_TABLE_WORD,
} SlTableKind;

SlTableKind sl_table_kind (const SlNumbers *numbers, char separator, const SlTableCell *cell,
                           SlNumber *number);

typedef struct
{
  char separator, decimal;
  bool headed;   /* the first row is a heading */
  bool noted;    /* the note before it is */
  bool shifted;  /* the heading has no cell for the first column */
  bool trailing; /* a separator ends each row */
  bool points;   /* numbers with a decimal point were seen */
  char
    either; /* a sign that is decimal or stands between thousands, which cannot be told; 0: none */
} SlTableLook;

/* Looks at `n` rows; `note` is the line with '#' before them, without it, or NULL.  SL_ENOMEM. */
SlStatus sl_table_look (const SlTableRow *row, unsigned n, const char *note,
                        const SlTableForm *form, const char *path, SlTableLook *look);
