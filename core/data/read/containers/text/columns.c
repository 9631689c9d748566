/* SPDX-License-Identifier: MIT */
#include "core/data/read/containers/text/columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/data/read/containers/text/numbers.h"

static const uint8_t sizes[] = { 1, 4, 8, 8, 4, 0 };

unsigned
sl_column_size (const SlColumn *column)
{
  return sizes[column->kind];
}

static SlStatus
no_memory (const SlColumns *columns)
{
  if (columns->used <= SL_ARRAYS_BUDGET)
    return sl_status_no_memory (columns->path);
  return sl_status_new (SL_ENOMEM, columns->path,
                        sl_message ("more than %zu MiB of numbers", SL_ARRAYS_BUDGET >> 20),
                        sl_message ("fewer"));
}

static void
forget_texts (SlColumn *column)
{
  for (uint32_t i = 0; i < column->n_texts; i++)
    free (column->text[i]);
  free (column->text);
  free (column->code);
  column->text = NULL;
  column->code = NULL;
  column->n_texts = column->codes = column->text_room = 0;
}

void
sl_column_clear (SlColumn *column)
{
  forget_texts (column);
  free (column->cell);
  free (column->piece.number);
  free (column->inner.number);
  *column = (SlColumn) { 0 };
}

void
sl_column_give_up (SlColumns *columns, SlColumn *column)
{
  forget_texts (column);
  free (column->cell);
  columns->used -= column->room * sizes[column->kind];
  column->cell = NULL;
  column->room = 0;
  column->kind = SL_COLUMN_OTHER;
}

static bool
take (SlColumns *columns, size_t bytes)
{
  columns->used += bytes;
  return columns->used <= SL_ARRAYS_BUDGET;
}

/* Room for one cell more. */
static SlStatus
make_room (SlColumns *columns, SlColumn *column)
{
  size_t   size = sizes[column->kind], room = column->n < 64 ? 64 : column->n + column->n / 2;
  uint8_t *larger;

  if (column->n < column->room || size == 0)
    return SL_SUCCESS;
  if (!take (columns, (room - column->room) * size))
    return no_memory (columns);
  larger = realloc (column->cell, room * size);
  if (larger == NULL)
    return sl_status_no_memory (columns->path);
  column->cell = larger;
  column->room = room;
  return SL_SUCCESS;
}

static double
number_at (const SlColumn *column, size_t i)
{
  switch (column->kind)
    {
    case SL_COLUMN_BYTES: return column->cell[i];
    case SL_COLUMN_SHORTS: return ((const int32_t *) (const void *) column->cell)[i];
    case SL_COLUMN_LONGS: return (double) ((const int64_t *) (const void *) column->cell)[i];
    default: return ((const double *) (const void *) column->cell)[i];
    }
}

/* ---- texts ---- */

static uint32_t
hash_text (const char *text, size_t n)
{
  uint32_t hash = 2166136261u;

  for (size_t i = 0; i < n; i++)
    hash = (hash ^ (uint8_t) text[i]) * 16777619u;
  return hash ^ hash >> 15;
}

/* The place of a text among the codes: its own or a free one. */
static uint32_t *
place_of (const SlColumn *column, const char *text, size_t n)
{
  uint32_t mask = column->codes - 1, at = hash_text (text, n) & mask;

  for (;; at = (at + 1) & mask)
    {
      uint32_t code = column->code[at];

      if (code == SL_NO_TEXT
          || (strncmp (column->text[code], text, n) == 0 && column->text[code][n] == '\0'))
        return &column->code[at];
    }
}

/* Twice as many codes, and room for half as many texts. */
static bool
grow_codes (SlColumns *columns, SlColumn *column)
{
  uint32_t  codes = column->codes > 0 ? 2 * column->codes : 16;
  uint32_t *code = malloc (codes * sizeof *code);
  char    **text = realloc (column->text, codes / 2 * sizeof *text);

  if (text != NULL)
    column->text = text;
  if (code == NULL || text == NULL)
    {
      free (code);
      return false;
    }
  free (column->code);
  column->code = code;
  column->codes = codes;
  column->text_room = codes / 2;
  for (uint32_t i = 0; i < codes; i++)
    code[i] = SL_NO_TEXT;
  for (uint32_t i = 0; i < column->n_texts; i++)
    *place_of (column, text[i], strlen (text[i])) = i;
  return take (columns, codes * sizeof *code);
}

/* The code of a text; the column is OTHER if there are too many. */
static SlStatus
find_text (SlColumns *columns, SlColumn *column, const char *text, size_t n, uint32_t *code)
{
  uint32_t *place;

  if (column->n_texts == column->text_room && !grow_codes (columns, column))
    return no_memory (columns);
  place = place_of (column, text, n);
  if (*place == SL_NO_TEXT)
    {
      if (column->n_texts == SL_COLUMN_TEXTS_MAX)
        {
          sl_column_give_up (columns, column);
          return SL_SUCCESS;
        }
      if (!take (columns, n + sizes[SL_COLUMN_REALS]))
        return no_memory (columns);
      column->text[column->n_texts] = strndup (text, n);
      if (column->text[column->n_texts] == NULL)
        return sl_status_no_memory (columns->path);
      *place = column->n_texts++;
    }
  *code = *place;
  return SL_SUCCESS;
}

static SlStatus
put_text (SlColumns *columns, SlColumn *column, const char *text, size_t n)
{
  uint32_t code = SL_NO_TEXT;
  SlStatus status = make_room (columns, column);

  if (sl_ok (&status) && column->kind == SL_COLUMN_TEXTS && text != NULL)
    status = find_text (columns, column, text, n, &code);
  if (sl_ok (&status) && column->kind == SL_COLUMN_TEXTS)
    ((uint32_t *) (void *) column->cell)[column->n] = code;
  column->n += sl_ok (&status);
  return status;
}

static SlStatus
put_shown (SlColumns *columns, SlColumn *column, double number)
{
  char text[SL_NUMBER_TEXT];

  sl_number_show (number, text);
  return put_text (columns, column, text, strlen (text));
}

/* ---- wider kinds ---- */

SlStatus
sl_column_widen (SlColumns *columns, SlColumn *column, SlColumnKind kind)
{
  SlColumn before = *column;
  SlStatus status = SL_SUCCESS;

  if (column->kind >= kind)
    return SL_SUCCESS;
  column->kind = kind;
  column->cell = NULL;
  column->n = column->room = column->truths = 0;
  for (size_t i = 0; i < before.n && sl_ok (&status); i++)
    {
      double number = number_at (&before, i);

      status = kind < SL_COLUMN_REALS    ? sl_column_whole (columns, column, (int64_t) number)
               : kind == SL_COLUMN_REALS ? sl_column_real (columns, column, number)
               : isnan (number)          ? put_text (columns, column, NULL, 0)
                                         : put_shown (columns, column, number);
    }
  columns->used -= before.room * sizes[before.kind];
  free (before.cell);
  return status;
}

/* Lets the column be at least of this kind, with room for a cell. */
static SlStatus
prepare (SlColumns *columns, SlColumn *column, SlColumnKind kind)
{
  SlStatus status = SL_SUCCESS;

  if (column->kind < kind)
    status = sl_column_widen (columns, column, kind);
  return sl_ok (&status) && column->n == column->room ? make_room (columns, column) : status;
}

SlStatus
sl_column_real (SlColumns *columns, SlColumn *column, double real)
{
  SlStatus status;

  if (column->kind == SL_COLUMN_TEXTS)
    return put_shown (columns, column, real);
  status = prepare (columns, column, SL_COLUMN_REALS);
  if (!sl_ok (&status))
    return status;
  if (column->kind == SL_COLUMN_REALS)
    ((double *) (void *) column->cell)[column->n] = real;
  column->n++;
  return SL_SUCCESS;
}

SlStatus
sl_column_whole (SlColumns *columns, SlColumn *column, int64_t whole)
{
  SlColumnKind kind = whole >= 0 && whole <= UINT8_MAX           ? SL_COLUMN_BYTES
                      : whole >= INT32_MIN && whole <= INT32_MAX ? SL_COLUMN_SHORTS
                                                                 : SL_COLUMN_LONGS;
  SlStatus     status;

  if (column->kind >= SL_COLUMN_REALS)
    return sl_column_real (columns, column, (double) whole);
  status = prepare (columns, column, kind);
  if (!sl_ok (&status))
    return status;
  if (column->kind == SL_COLUMN_BYTES)
    column->cell[column->n++] = (uint8_t) whole;
  else if (column->kind == SL_COLUMN_SHORTS)
    ((int32_t *) (void *) column->cell)[column->n++] = (int32_t) whole;
  else
    ((int64_t *) (void *) column->cell)[column->n++] = whole;
  return SL_SUCCESS;
}

SlStatus
sl_column_truth (SlColumns *columns, SlColumn *column, bool truth)
{
  column->truths++;
  return sl_column_whole (columns, column, truth);
}

SlStatus
sl_column_text (SlColumns *columns, SlColumn *column, const char *text, size_t n)
{
  SlStatus status = prepare (columns, column, SL_COLUMN_TEXTS);

  return sl_ok (&status) ? put_text (columns, column, text, n) : status;
}

SlStatus
sl_column_missing (SlColumns *columns, SlColumn *column)
{
  if (column->missing++ == 0)
    column->missing_line = columns->line;
  return column->kind >= SL_COLUMN_TEXTS ? put_text (columns, column, NULL, 0)
                                         : sl_column_real (columns, column, (double) NAN);
}

SlStatus
sl_column_finish (SlColumns *columns, SlColumn *column, SlArrays *arrays, SlArray *array)
{
  static const SlArrayType types[] = { SL_ARRAY_NATURALS, SL_ARRAY_INTEGERS, SL_ARRAY_INTEGERS,
                                       SL_ARRAY_REALS,    SL_ARRAY_TEXTS,    SL_ARRAY_OTHER };
  size_t                   bytes = column->n * sizes[column->kind];
  uint8_t *fitting = column->kind != SL_COLUMN_OTHER ? realloc (column->cell, bytes + 1) : NULL;

  if (fitting == NULL && column->kind != SL_COLUMN_OTHER)
    return sl_status_no_memory (columns->path);
  array->type = types[column->kind];
  if (column->kind == SL_COLUMN_BYTES && column->truths > 0 && column->truths == column->n)
    array->type = SL_ARRAY_TRUTHS;
  array->size = column->kind == SL_COLUMN_OTHER ? 1 : sizes[column->kind];
  array->big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ && column->kind != SL_COLUMN_OTHER;
  array->n = column->n;
  if (array->axes == 0)
    {
      array->axes = 1;
      array->shape[0] = column->n;
    }
  array->bytes = fitting;
  array->owned = fitting != NULL;
  array->text = column->text;
  array->n_texts = column->n_texts;
  array->missing = column->missing;
  array->missing_line = column->missing_line;
  arrays->used += bytes;
  column->cell = NULL;
  column->text = NULL;
  column->n_texts = 0;
  columns->used -= column->room * sizes[column->kind];
  sl_column_clear (column);
  return SL_SUCCESS;
}
