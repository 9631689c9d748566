/* SPDX-License-Identifier: MIT */
#include "core/data/read/containers/array.h"

#include <string.h>

#include "core/data/read/containers/source.h"
#include "core/data/text/bytes.h"
#include "core/data/text/half.h"

enum { CHUNK = 1 << 16 };

/* From the bytes of an array to numbers of one type. */
typedef void Convert (const SlArray *array, const uint8_t *from, size_t n, void *to);

bool
sl_array_extent (SlArray *array, uint64_t *bytes)
{
  bool empty = false;

  array->n = 1;
  for (unsigned a = 0; a < array->axes; a++)
    {
      empty = empty || array->shape[a] == 0;
      if (array->shape[a] > 0 && __builtin_mul_overflow (array->n, array->shape[a], &array->n))
        return false;
    }
  if (empty)
    array->n = 0;
  return !__builtin_mul_overflow (array->n, array->size, bytes) && *bytes <= INT64_MAX;
}

/* In the machine's own order a number is one load; loops of byte by byte are not made so. */
static inline uint64_t
bits_of (const uint8_t *at, unsigned size, bool big)
{
  uint16_t two;
  uint32_t four;
  uint64_t eight;

  if (size == 1)
    return *at;
  if (big != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__))
    return big ? sl_big_endian (at, size) : sl_little_endian (at, size);
  switch (size)
    {
    case 2: memcpy (&two, at, 2); return two;
    case 4: memcpy (&four, at, 4); return four;
    case 8: memcpy (&eight, at, 8); return eight;
    }
  return big ? sl_big_endian (at, size) : sl_little_endian (at, size);
}

static inline void
convert (const uint8_t *from, size_t n, unsigned size, bool big, bool is_signed, int64_t *to)
{
  unsigned shift = 64 - 8 * size;

  for (size_t i = 0; i < n; i++)
    {
      uint64_t bits = bits_of (from + i * size, size, big);

      to[i] = is_signed          ? (int64_t) (bits << shift) >> shift
              : bits > INT64_MAX ? -2
                                 : (int64_t) bits;
    }
}

/* A loop for each size, so that it is fast. */
static void
to_integers (const SlArray *array, const uint8_t *from, size_t n, void *to)
{
  bool is_signed = array->type == SL_ARRAY_INTEGERS;

  switch (array->size)
    {
    case 1: convert (from, n, 1, false, is_signed, to); break;
    case 2: convert (from, n, 2, array->big, is_signed, to); break;
    case 4: convert (from, n, 4, array->big, is_signed, to); break;
    default: convert (from, n, 8, array->big, is_signed, to); break;
    }
}

/* Numbers that are too large or have a minus become large ones. */
static inline void
shorten (const uint8_t *from, size_t n, unsigned size, bool big, uint16_t *to)
{
  for (size_t i = 0; i < n; i++)
    {
      uint64_t bits = bits_of (from + i * size, size, big);

      to[i] = bits > UINT16_MAX ? UINT16_MAX : (uint16_t) bits;
    }
}

static inline void
extend (const uint8_t *from, size_t n, uint16_t *to)
{
  for (size_t i = 0; i < n; i++)
    to[i] = (uint16_t) (int8_t) from[i];
}

static void
to_indices (const SlArray *array, const uint8_t *from, size_t n, void *to)
{
  if (array->size == 1 && array->type == SL_ARRAY_INTEGERS)
    extend (from, n, to);
  else if (array->size == 1)
    shorten (from, n, 1, false, to);
  else if (array->size == 2)
    shorten (from, n, 2, array->big, to);
  else if (array->size == 4)
    shorten (from, n, 4, array->big, to);
  else
    shorten (from, n, 8, array->big, to);
}

static double
real_of (const SlArray *array, const uint8_t *at)
{
  uint64_t bits = bits_of (at, array->size, array->big);
  uint32_t single = (uint32_t) bits;
  float    f;
  double   d;

  if (array->type == SL_ARRAY_INTEGERS)
    return (double) ((int64_t) (bits << (64 - 8 * array->size)) >> (64 - 8 * array->size));
  if (!sl_array_real (array))
    return (double) bits;
  if (array->type == SL_ARRAY_REALS && array->size == 2)
    return sl_half_to_double ((uint16_t) bits);
  if (array->size == 8)
    {
      memcpy (&d, &bits, sizeof d);
      return d;
    }
  if (array->type == SL_ARRAY_BRAIN)
    single <<= 16;
  memcpy (&f, &single, sizeof f);
  return f;
}

static void
to_reals (const SlArray *array, const uint8_t *from, size_t n, void *to)
{
  double *number = to;

  for (size_t i = 0; i < n; i++)
    number[i] = real_of (array, from + i * array->size);
}

/* Converts n numbers of the file from `first` on, a chunk at a time, to `to`, where each takes `each` bytes. */
static SlStatus
read_file (const SlArray *array, const char *path, uint64_t first, size_t n, Convert *to_numbers,
           uint8_t *to, size_t each)
{
  uint8_t  chunk[CHUNK];
  SlStatus status = SL_SUCCESS;

  for (size_t done = 0, part; done < n && sl_ok (&status); done += part)
    {
      part = n - done < CHUNK / array->size ? n - done : CHUNK / array->size;
      status = sl_source_read (array->fd, path, array->place + (first + done) * array->size, chunk,
                               part * array->size);
      if (sl_ok (&status))
        to_numbers (array, chunk, part, to + done * each);
    }
  return status;
}

static inline void
gather_row (const uint8_t *from, uint64_t n, uint64_t step, size_t size, uint8_t *to)
{
  for (uint64_t i = 0; i < n; i++)
    memcpy (to + i * size, from + i * step * size, size);
}

/* One along the last axis, in a loop for each size. */
static void
copy_row (const uint8_t *from, uint64_t n, uint64_t step, unsigned size, uint8_t *to)
{
  if (step == 1)
    memcpy (to, from, n * size);
  else if (size == 1)
    gather_row (from, n, step, 1, to);
  else if (size == 2)
    gather_row (from, n, step, 2, to);
  else if (size == 4)
    gather_row (from, n, step, 4, to);
  else
    gather_row (from, n, step, size, to);
}

void
sl_array_gather (const SlArray *array, const uint8_t *from, uint64_t first, uint64_t n, uint8_t *to)
{
  uint64_t index[SL_ARRAY_AXES], at = 0, rest = first;
  unsigned last = array->axes - 1;

  for (unsigned a = array->axes; a-- > 0; rest /= array->shape[a])
    {
      index[a] = rest % array->shape[a];
      at += index[a] * array->stride[a];
    }
  for (uint64_t done = 0, part; done < n; done += part)
    {
      part = array->shape[last] - index[last];
      part = part < n - done ? part : n - done;
      copy_row (from + at * array->size, part, array->stride[last], array->size,
                to + done * array->size);
      at -= index[last] * array->stride[last];
      index[last] = 0;
      for (unsigned a = last; a-- > 0;)
        {
          at += array->stride[a];
          if (++index[a] < array->shape[a])
            break;
          at -= array->stride[a] * array->shape[a];
          index[a] = 0;
        }
    }
}

/* The same of numbers in memory that do not follow one another. */
static void
read_strided (const SlArray *array, uint64_t first, size_t n, Convert *to_numbers, uint8_t *to,
              size_t each)
{
  uint8_t chunk[CHUNK];

  for (size_t done = 0, part; done < n; done += part)
    {
      part = n - done < CHUNK / array->size ? n - done : CHUNK / array->size;
      sl_array_gather (array, array->bytes, first + done, part, chunk);
      to_numbers (array, chunk, part, to + done * each);
    }
}

static SlStatus
read_numbers (const SlArray *array, const char *path, uint64_t first, size_t n, Convert *to_numbers,
              void *to, size_t each)
{
  if (array->bytes == NULL)
    return read_file (array, path, first, n, to_numbers, to, each);
  if (array->strided)
    read_strided (array, first, n, to_numbers, to, each);
  else
    to_numbers (array, array->bytes + first * array->size, n, to);
  return SL_SUCCESS;
}

SlStatus
sl_array_integers (const SlArray *array, const char *path, uint64_t first, size_t n, int64_t *to)
{
  return read_numbers (array, path, first, n, to_integers, to, sizeof *to);
}

SlStatus
sl_array_indices (const SlArray *array, const char *path, uint64_t first, size_t n, unsigned below,
                  uint16_t *to, bool *are)
{
  SlStatus status = read_numbers (array, path, first, n, to_indices, to, sizeof *to);
  bool     all = array->type == SL_ARRAY_NATURALS && array->size == 1 && below > UINT8_MAX;
  unsigned beyond = 0;

  for (size_t i = 0; !all && i < n; i++)
    beyond |= to[i] >= below;
  *are = sl_ok (&status) && beyond == 0;
  return status;
}

SlStatus
sl_array_reals (const SlArray *array, const char *path, uint64_t first, size_t n, double *to)
{
  return read_numbers (array, path, first, n, to_reals, to, sizeof *to);
}
