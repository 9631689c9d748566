/* SPDX-License-Identifier: MIT
 *
 * Texts of NumPy: '<U' has four bytes for each letter and is padded with zeros; see npy-header.h.  */
#include <stdlib.h>
#include <string.h>

#include "core/base/utf8.h"
#include "core/data/read/containers/npy-header.h"
#include "core/data/read/containers/source.h"
#include "core/data/read/containers/text/columns.h"
#include "core/data/text/bytes.h"
#include "core/data/text/shown.h"

enum { TEXT_MAX = 256 };

/* One text as UTF-8, cut to TEXT_MAX bytes with its end. */
static void
read_text (const SlArray *array, const uint8_t *from, char to[TEXT_MAX])
{
  size_t used = 0;

  for (unsigned i = 0; i < array->size && used + 5 < TEXT_MAX; i += 4)
    {
      uint64_t letter = array->big ? sl_big_endian (from + i, 4) : sl_little_endian (from + i, 4);

      if (letter == 0)
        break;
      if (letter > 0x10ffff || (letter >= 0xd800 && letter < 0xe000))
        letter = '?';
      used += sl_utf8_write (sl_text_sign ((uint32_t) letter), to + used);
    }
  to[used] = '\0';
}

/* All texts as a column, in place of what `raw` has; its shape stays. */
static SlStatus
put_texts (SlArrays *arrays, SlArray *array, const SlArray *raw)
{
  SlColumns columns = { .path = arrays->path };
  SlColumn  column = { 0 };
  char      text[TEXT_MAX];
  SlStatus  status = SL_SUCCESS;

  for (uint64_t i = 0; i < raw->n && sl_ok (&status); i++)
    {
      read_text (raw, raw->bytes + i * raw->size, text);
      status = sl_column_text (&columns, &column, text, strlen (text));
    }
  if (sl_ok (&status))
    status = sl_column_finish (&columns, &column, arrays, array);
  array->axes = raw->axes; /* also of one text alone */
  sl_column_clear (&column);
  return status;
}

SlStatus
sl_npy_texts (SlArrays *arrays, SlArray *array)
{
  SlArray  raw = *array;
  SlStatus status;

  if (raw.n * raw.size > SL_NPY_TEXTS_MAX || raw.n == 0)
    {
      array->type = SL_ARRAY_OTHER;
      array->bytes = NULL; /* which were not its own */
      return SL_SUCCESS;
    }
  status = sl_array_load (arrays, &raw);
  if (!sl_ok (&status))
    return status;
  array->strided = false;
  array->packed = 0;
  status = put_texts (arrays, array, &raw);
  if (raw.owned)
    {
      arrays->used -= raw.n * raw.size;
      free (raw.bytes);
    }
  return status;
}

bool
sl_npy_float8 (const SlArray *array)
{
  return array->type == SL_ARRAY_OTHER && array->size == 1;
}
