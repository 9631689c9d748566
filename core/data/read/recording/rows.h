/* SPDX-License-Identifier: MIT
 *
 * Rows that say which layer they are of: their columns by role, and one cell after the other.  */
#pragma once

#include "core/data/read/recording/private.h"
#include "core/data/read/recording/words.h"

typedef struct
{
  SlRecordingFile *file;
  SlRoutingDraft  *draft;
  uint64_t         n;      /* rows */
  bool            *inner;  /* (arrays) whether a column has a value of its own for each row */
  uint32_t        *record; /* (n) for the others: which of theirs is of each row; NULL: none is */
  SlArray *layer, *token, *word, *slot, *expert, *count, *phase, *request, *gates, *block, *mtp,
    *ids, *loads;
  SlArray **wide; /* (n_wide) one number each */
  unsigned  n_wide;
  unsigned  last; /* layer of the draft that the row before was of */
} SlRows;

/* The columns of a file, all in memory.  SL_EIO, SL_ENOMEM.  To be cleared also after a failure. */
SlStatus sl_rows_init (SlRows *rows, SlRecordingFile *file);
void     sl_rows_clear (SlRows *rows);

/* A number of a column; NaN where there is none. */
double sl_rows_number (const SlRows *rows, const SlArray *column, uint64_t row);

/* The code of a column's text, or SL_NO_TEXT. */
uint32_t sl_rows_text (const SlRows *rows, const SlArray *column, uint64_t row);

/* The word of a row's token, or its id, or SL_ROUTING_NO_WORD.  SL_ENOMEM. */
SlStatus sl_rows_word (const SlRows *rows, uint64_t row, uint32_t *token);

/* Whether a column has a value of its own for each row. */
bool sl_rows_are_of (const SlRows *rows, const SlArray *column);

/* Whether the phase of a row is decoding, by its word or 1. */
bool sl_rows_decoding (const SlRows *rows, uint64_t row);

/* The layer of a row in the draft, made if need be; *found is false where the row names none.  SL_EFORMAT. */
SlStatus sl_rows_layer (SlRows *rows, uint64_t row, unsigned *layer, bool *found);

/* Reads the rows as tokens with a list of experts, or several columns of them. */
SlStatus sl_rows_tokens (SlRows *rows);

/* Rows of one routing each: with a token and a slot, or every k of a layer are a token, or they are counted. */
SlStatus sl_rows_routings (SlRows *rows);

/* Rows of a layer and expert with how often it was chosen; or with the loads of all experts of a layer, in a list or in
 * a column each.  */
SlStatus sl_rows_loads (SlRows *rows);

/* A row's value that is not what its column is for. */
SlStatus sl_rows_refuse (const SlRows *rows, uint64_t row, const SlArray *column,
                         SlMessage expected);
