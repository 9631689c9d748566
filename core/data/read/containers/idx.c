/* SPDX-License-Identifier: MIT
 *
 * IDX: two zero bytes, a type, the number of axes, then each axis in four bytes and the numbers, the highest byte
 * first.  */
#include "core/data/read/containers/container.h"
#include "core/data/read/containers/source.h"
#include "core/data/text/bytes.h"

enum { FIRST_TYPE = 8, LAST_TYPE = 14 };

static const struct
{
  SlArrayType type;
  unsigned    size;
} types[] = {
  { SL_ARRAY_NATURALS, 1 }, { SL_ARRAY_INTEGERS, 1 }, { SL_ARRAY_OTHER, 0 },
  { SL_ARRAY_INTEGERS, 2 }, { SL_ARRAY_INTEGERS, 4 }, { SL_ARRAY_REALS, 4 },
  { SL_ARRAY_REALS, 8 },
};

bool
sl_idx_arrays_likely (const uint8_t *head, size_t size)
{
  return size >= 8 && head[0] == 0 && head[1] == 0 && head[2] >= FIRST_TYPE && head[2] <= LAST_TYPE
         && types[head[2] - FIRST_TYPE].size > 0 && head[3] >= 1 && head[3] <= SL_ARRAY_AXES;
}

static SlStatus
read_header (SlArrays *arrays, SlArray *array, uint64_t *length)
{
  uint8_t  head[4 + 4 * SL_ARRAY_AXES] = { 0 };
  SlStatus status = sl_arrays_read (arrays, 0, head, 4);

  if (!sl_ok (&status))
    return status;
  if (!sl_idx_arrays_likely (head, sizeof head))
    return sl_arrays_refuse (arrays, 0,
                             sl_message ("magic number 0x%08x", (unsigned) sl_big_endian (head, 4)),
                             sl_message ("0x00000803 or 0x00000801"));
  array->axes = head[3];
  array->type = types[head[2] - FIRST_TYPE].type;
  array->size = types[head[2] - FIRST_TYPE].size;
  array->big = true;
  *length = 4 + 4 * array->axes;
  status = sl_arrays_read (arrays, 0, head, *length);
  for (unsigned a = 0; a < array->axes; a++)
    array->shape[a] = sl_big_endian (head + 4 + 4 * a, 4);
  return status;
}

SlStatus
sl_idx_arrays_open (SlArrays *arrays, const char *path)
{
  SlArray *array;
  uint64_t length = 0;
  SlStatus status = sl_arrays_source (arrays);

  if (sl_ok (&status))
    status = sl_arrays_add (arrays, "idx", 3, &array);
  if (sl_ok (&status))
    status = read_header (arrays, array, &length);
  if (sl_ok (&status))
    status = sl_arrays_place (arrays, array, length);
  return sl_ok (&status) ? sl_array_fills (arrays, array, arrays->size - length) : status;
}
