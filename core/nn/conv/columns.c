/* SPDX-License-Identifier: MIT */
#include "core/nn/conv/columns.h"

#include <stdbool.h>
#include <string.h>

#include "core/nn/kernels/clones.h"

/* The outputs of a row whose input, `at` columns right of the padding's edge, lies inside. */
typedef struct
{
  size_t begin, end; /* outputs */
  size_t from;       /* the input of the first of them */
} Inside;

static Inside
is_inside (const SlColumns *columns, size_t at)
{
  size_t left = columns->left, stride = columns->stride, beyond = columns->width + left;
  Inside in = { 0 };

  in.begin = at < left ? (left - at + stride - 1) / stride : 0;
  in.end = at < beyond ? (beyond - at + stride - 1) / stride : 0;
  if (in.end > columns->across)
    in.end = columns->across;
  if (in.begin > in.end)
    in.begin = in.end;
  in.from = in.begin < in.end ? in.begin * stride + at - left : 0;
  return in;
}

/* Whether the input row under a row of the kernel is inside; *begin gets where it starts. */
static inline bool
find_row (const SlColumns *columns, size_t output, size_t at, size_t *begin)
{
  size_t row = output * columns->stride + at;

  if (row < columns->above || row - columns->above >= columns->height)
    return false;
  *begin = (row - columns->above) * columns->width;
  return true;
}

static inline void
take_row (const SlColumns *columns, Inside in, const sl_real *row, sl_real *to)
{
  size_t count = in.end - in.begin;

  for (size_t i = 0; i < in.begin; i++)
    to[i] = 0;
  if (columns->stride == 1)
    memcpy (to + in.begin, row + in.from, count * sizeof *to);
  else
    for (size_t i = 0; i < count; i++)
      to[in.begin + i] = row[in.from + i * columns->stride];
  for (size_t i = in.end; i < columns->across; i++)
    to[i] = 0;
}

/* The output rows from *begin up to *end whose input, for a row of the kernel, is inside. */
static inline void
rows_inside (const SlColumns *columns, size_t first, size_t rows, size_t at, size_t *begin,
             size_t *end)
{
  size_t least = columns->above > at ? columns->above - at : 0;
  size_t most = columns->height + columns->above > at ? columns->height + columns->above - at : 0;

  *begin = least > first ? least : first;
  *end = most < first + rows ? most : first + rows;
  if (*begin > first + rows)
    *begin = first + rows;
  if (*end < *begin)
    *end = *begin;
}

/* Rows of an output that is as wide as the picture: what lies between the first number inside and
 * the last one is one piece, in which the rows' ends are put right.  */
static inline void
take_rows (const SlColumns *columns, Inside in, size_t rows, const sl_real *from, sl_real *to)
{
  size_t across = columns->across;

  memcpy (to + in.begin, from + in.from, ((rows - 1) * across + in.end - in.begin) * sizeof *to);
  for (size_t r = 0; r < rows; r++, to += across)
    {
      for (size_t i = 0; i < in.begin; i++)
        to[i] = 0;
      for (size_t i = in.end; i < across; i++)
        to[i] = 0;
    }
}

/* The rows of columns that belong to one number of the kernel, in row `at` of it. */
static inline void
gather_one (const SlColumns *columns, Inside in, size_t at, const sl_real *plane, size_t first,
            size_t rows, sl_real *to)
{
  size_t across = columns->across, begin, end;

  rows_inside (columns, first, rows, at, &begin, &end);
  memset (to, 0, (begin - first) * across * sizeof *to);
  if (begin < end && in.begin < in.end)
    take_rows (columns, in, end - begin, plane + (begin + at - columns->above) * columns->width,
               to + (begin - first) * across);
  else
    memset (to + (begin - first) * across, 0, (end - begin) * across * sizeof *to);
  memset (to + (end - first) * across, 0, (first + rows - end) * across * sizeof *to);
}

void
sl_columns_gather (const SlColumns *columns, size_t channels, const sl_real *picture, size_t first,
                   size_t rows, sl_real *to)
{
  size_t plane = columns->height * columns->width, begin;
  bool   same = columns->stride == 1 && columns->across == columns->width;

  for (size_t c = 0; c < channels; c++)
    for (size_t r = 0; r < columns->tall; r++)
      for (size_t s = 0; s < columns->wide; s++)
        {
          Inside in = is_inside (columns, s);

          if (same)
            {
              gather_one (columns, in, r, picture + c * plane, first, rows, to);
              to += rows * columns->across;
              continue;
            }
          for (size_t p = first; p < first + rows; p++, to += columns->across)
            if (find_row (columns, p, r, &begin))
              take_row (columns, in, picture + c * plane + begin, to);
            else
              memset (to, 0, columns->across * sizeof *to);
        }
}

static inline void
add_row (size_t n, size_t stride, const sl_real *from, sl_real *to)
{
  if (stride == 1)
    for (size_t i = 0; i < n; i++)
      to[i] += from[i];
  else
    for (size_t i = 0; i < n; i++)
      to[i * stride] += from[i];
}

SL_CLONES void
sl_columns_add (const SlColumns *columns, size_t channels, const sl_real *from, size_t first,
                size_t rows, sl_real *picture)
{
  size_t plane = columns->height * columns->width, begin;

  for (size_t c = 0; c < channels; c++)
    for (size_t r = 0; r < columns->tall; r++)
      for (size_t s = 0; s < columns->wide; s++)
        {
          Inside in = is_inside (columns, s);

          for (size_t p = first; p < first + rows; p++, from += columns->across)
            if (find_row (columns, p, r, &begin))
              add_row (in.end - in.begin, columns->stride, from + in.begin,
                       picture + c * plane + begin + in.from);
        }
}
