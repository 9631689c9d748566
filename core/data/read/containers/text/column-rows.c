/* SPDX-License-Identifier: MIT
 *
 * Rows of a column that are a cell or a list each; see columns.h.  */
#include <stdlib.h>
#include <string.h>

#include "core/data/read/containers/text/columns.h"
#include "core/data/text/grow.h"

static SlStatus
push (SlColumns *columns, SlCounts *counts, size_t number)
{
  if (number > UINT32_MAX
      || !sl_grow (&counts->number, &counts->room, counts->n + 1, sizeof *counts->number))
    return sl_status_no_memory (columns->path);
  counts->number[counts->n++] = (uint32_t) number;
  return SL_SUCCESS;
}

/* One row without a value. */
static SlStatus
skip_row (SlColumns *columns, SlColumn *column)
{
  if (column->rank == 0)
    return sl_column_missing (columns, column);
  return push (columns, &column->piece, 0);
}

/* The rows so far had no value. */
static SlStatus
settle_rank (SlColumns *columns, SlColumn *column, unsigned rank)
{
  SlStatus status = SL_SUCCESS;

  column->rank = (int) rank;
  for (size_t i = 0; i < column->rows && sl_ok (&status); i++)
    status = skip_row (columns, column);
  return status;
}

SlStatus
sl_column_fill (SlColumns *columns, SlColumn *column, size_t rows)
{
  SlStatus status = SL_SUCCESS;

  if (column->kind == SL_COLUMN_OTHER || column->rank < 0)
    column->rows = column->rows > rows ? column->rows : rows;
  for (; column->rows < rows && sl_ok (&status); column->rows++)
    status = skip_row (columns, column);
  return status;
}

SlStatus
sl_column_inside (SlColumns *columns, SlColumn *column, unsigned depth, bool *wanted)
{
  SlStatus status = SL_SUCCESS;

  if (column->kind != SL_COLUMN_OTHER && column->rank < 0 && depth <= SL_ARRAY_AXES)
    status = settle_rank (columns, column, depth);
  if (column->kind != SL_COLUMN_OTHER && column->rank != (int) depth)
    sl_column_give_up (columns, column);
  *wanted = column->kind != SL_COLUMN_OTHER;
  return status;
}

static SlStatus
end_list (SlColumns *columns, SlColumn *column, unsigned depth, size_t n)
{
  SlStatus status = SL_SUCCESS;
  unsigned rank;

  if (column->rank < 0 && depth > 1 && depth <= SL_ARRAY_AXES)
    status = settle_rank (columns, column, depth);
  /* An empty list does not tell how deep the others are. */
  if (column->rank < 0 && depth == 1)
    return SL_SUCCESS;
  rank = column->rank < 0 ? 0 : (unsigned) column->rank;
  if (depth > rank || (depth > 1 && depth < rank && n == 0))
    sl_column_give_up (columns, column);
  else if (depth > 1 && depth < rank && column->axis[depth - 1] == 0)
    column->axis[depth - 1] = n;
  else if (depth > 1 && depth < rank && column->axis[depth - 1] != n)
    sl_column_give_up (columns, column);
  else if (depth > 1 && depth == rank && sl_ok (&status))
    status = push (columns, &column->inner, n);
  else if (depth == 1 && sl_ok (&status))
    status = push (columns, &column->piece, n);
  return status;
}

SlStatus
sl_column_list (SlColumns *columns, SlColumn *column, unsigned depth, size_t n)
{
  SlStatus status
    = column->kind != SL_COLUMN_OTHER ? end_list (columns, column, depth, n) : SL_SUCCESS;

  column->rows += depth == 1;
  return status;
}

/* ---- to arrays ---- */

static void
put_padding (const SlColumn *column, uint8_t *to)
{
  static const double  no_real = __builtin_nan ("");
  static const int64_t no_long = SL_NO_INTEGER;
  static const int32_t no_short = SL_NO_INTEGER;

  memcpy (to,
          column->kind == SL_COLUMN_REALS    ? (const void *) &no_real
          : column->kind == SL_COLUMN_SHORTS ? (const void *) &no_short
                                             : (const void *) &no_long,
          sl_column_size (column));
}

/* Lists of `lists` become as long as the longest. */
static SlStatus
pad (SlColumns *columns, SlColumn *column, const SlCounts *lists, size_t longest)
{
  SlStatus status = sl_column_widen (columns, column, SL_COLUMN_SHORTS);
  size_t   size = sl_column_size (column), bytes, from = 0;
  uint8_t *padded = NULL, *to;

  if (!sl_ok (&status))
    return status;
  if (!__builtin_mul_overflow (lists->n, longest * size, &bytes) && bytes <= SL_ARRAYS_BUDGET
      && columns->used <= SL_ARRAYS_BUDGET - bytes)
    padded = malloc (bytes + 1);
  if (padded == NULL)
    {
      sl_column_give_up (columns, column);
      return SL_SUCCESS;
    }
  to = padded;
  for (size_t i = 0; i < lists->n; i++)
    {
      size_t n = lists->number[i];

      memcpy (to, column->cell + from * size, n * size);
      from += n;
      to += n * size;
      for (; n < longest; n++, to += size)
        put_padding (column, to);
    }
  free (column->cell);
  columns->used = columns->used + bytes - column->room * size;
  column->cell = padded;
  column->n = column->room = lists->n * longest;
  return SL_SUCCESS;
}

static size_t
sum (const SlCounts *counts)
{
  size_t all = 0;

  for (size_t i = 0; i < counts->n; i++)
    all += counts->number[i];
  return all;
}

/* Shapes an array of `column`'s cells, all lists of the same length `longest`. */
static void
shape (const SlColumn *column, size_t longest, SlArray *array)
{
  unsigned rank = (unsigned) column->rank;

  array->axes = rank < 2 ? 2 : rank;
  array->shape[0] = rank < 2 ? column->rows : sum (&column->piece);
  for (unsigned a = 1; a + 1 < rank; a++)
    array->shape[a] = column->axis[a];
  array->shape[array->axes - 1] = longest;
}

/* Which record each row is of, and how much of the first axis it has. */
static SlStatus
tell_records (const SlColumns *columns, const SlColumn *column, const uint32_t *record,
              SlArray *array)
{
  bool in_pieces = column->rank > 1 && column->kind != SL_COLUMN_OTHER;

  if (!in_pieces && record == NULL)
    return SL_SUCCESS;
  array->piece = malloc (column->rows * sizeof *array->piece + 1);
  array->record = malloc (column->rows * sizeof *array->record + 1);
  if (array->piece == NULL || array->record == NULL)
    return sl_status_no_memory (columns->path);
  array->pieces = column->rows;
  for (size_t i = 0; i < column->rows; i++)
    {
      array->piece[i] = in_pieces ? column->piece.number[i] : 1;
      array->record[i] = record != NULL ? record[i] : (uint32_t) i;
    }
  return SL_SUCCESS;
}

SlStatus
sl_column_finish_rows (SlColumns *columns, SlColumn *column, const uint32_t *record,
                       SlArrays *arrays, SlArray *array)
{
  const SlCounts *lists = column->rank > 1 ? &column->inner : &column->piece;
  size_t          longest = 0;
  bool            equal = true;
  SlStatus        status = SL_SUCCESS;

  if (column->rank < 0 && column->kind != SL_COLUMN_OTHER)
    status = settle_rank (columns, column, 0);
  if (column->kind != SL_COLUMN_OTHER && column->rank > 0)
    {
      for (size_t i = 0; i < lists->n; i++)
        {
          equal = equal && lists->number[i] == lists->number[0];
          longest = lists->number[i] > longest ? lists->number[i] : longest;
        }
      if (!equal && sl_ok (&status))
        status = pad (columns, column, lists, longest);
    }
  /* Lists that cannot be padded are OTHER now. */
  if (column->kind == SL_COLUMN_OTHER)
    column->n = column->rows;
  if (sl_ok (&status))
    status = tell_records (columns, column, record, array);
  if (sl_ok (&status) && column->kind != SL_COLUMN_OTHER && column->rank > 0)
    shape (column, longest, array);
  if (sl_ok (&status))
    status = sl_column_finish (columns, column, arrays, array);
  return status;
}
