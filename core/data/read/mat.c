/* SPDX-License-Identifier: MIT */
#include "core/data/read/mat.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "core/data/text/bytes.h"

enum {
  HEADER = 128,
  TAG = 8,
  INPUT = 1 << 14,
  RATIO = 1032, /* deflate makes at most so many bytes of one */
};

/* Types of elements. */
enum {
  INT8 = 1,
  UINT8,
  INT16,
  UINT16,
  INT32,
  UINT32,
  SINGLE,
  DOUBLE = 9,
  MATRIX = 14,
  COMPRESSED = 15,
};

/* Classes of arrays that hold numbers, and the flag of those with imaginary parts. */
enum { FIRST_CLASS = 6, LAST_CLASS = 13, COMPLEX = 0x0800 };

struct SlMat
{
  SlBytes *bytes;
  uint64_t left;   /* bytes of the file in the variable that is being read */
  bool     packed; /* it is compressed */
  bool     begun;  /* z has been */
  z_stream z;
  unsigned type;    /* of the array's numbers */
  uint64_t numbers; /* that have not been read */
  uint8_t  input[INPUT];
};

/* What stands before the data of an element. */
typedef struct
{
  unsigned type;
  uint64_t size;
  bool     small; /* the data are within the tag */
  uint8_t  data[4];
} Tag;

static SlStatus
wrong (const SlMat *mat, SlMessage found, SlMessage expected)
{
  return sl_status_at (SL_EFORMAT, sl_bytes_path (mat->bytes), SL_BYTE,
                       sl_bytes_position (mat->bytes), found, expected);
}

static SlStatus
cut_off (const SlMat *mat)
{
  return wrong (mat, sl_message ("the end of a variable"), sl_message ("more of its numbers"));
}

bool
sl_mat_likely (const uint8_t *head, size_t size)
{
  static const uint8_t tail[][4]
    = { { 0, 1, 'I', 'M' }, { 1, 0, 'M', 'I' }, { 0, 2, 'I', 'M' }, { 2, 0, 'M', 'I' } };

  for (size_t i = 0; size >= HEADER && i < 4; i++)
    if (memcmp (head + HEADER - 4, tail[i], 4) == 0)
      return true;
  return false;
}

static SlStatus
check_header (SlMat *mat)
{
  SlMessage expected = sl_message ("a file of MATLAB, version 5 to 7 (save -v7)");
  uint8_t   head[HEADER];
  size_t    got;
  SlStatus  status = sl_bytes_some (mat->bytes, head, sizeof head, &got);

  if (!sl_ok (&status))
    return status;
  if (got >= 4 && memcmp (head, "\x89HDF", 4) == 0)
    return sl_status_new (SL_EFORMAT, sl_bytes_path (mat->bytes), sl_message ("HDF5"), expected);
  if (!sl_mat_likely (head, got))
    return sl_status_new (SL_EFORMAT, sl_bytes_path (mat->bytes),
                          sl_message ("no header of 128 bytes that ends in IM"), expected);
  if (head[HEADER - 4] == 2 || head[HEADER - 3] == 2)
    return sl_status_new (SL_EFORMAT, sl_bytes_path (mat->bytes),
                          sl_message ("version 7.3, which is HDF5"), expected);
  if (head[HEADER - 2] == 'M')
    return sl_status_new (SL_EFORMAT, sl_bytes_path (mat->bytes),
                          sl_message ("numbers with their highest byte first"),
                          sl_message ("the lowest byte first"));
  return SL_SUCCESS;
}

SlStatus
sl_mat_open (SlMat **result, const char *path)
{
  SlMat   *mat = calloc (1, sizeof *mat);
  SlStatus status;

  *result = NULL;
  if (mat == NULL)
    return sl_status_no_memory (path);
  status = sl_bytes_open (&mat->bytes, path);
  if (sl_ok (&status))
    status = check_header (mat);
  if (!sl_ok (&status))
    {
      sl_mat_close (mat);
      return status;
    }
  *result = mat;
  return SL_SUCCESS;
}

void
sl_mat_close (SlMat *mat)
{
  if (mat == NULL)
    return;
  if (mat->begun)
    inflateEnd (&mat->z);
  sl_bytes_close (mat->bytes);
  free (mat);
}

/* `n` bytes of the file that belong to the variable. */
static SlStatus
take_raw (SlMat *mat, void *to, size_t n)
{
  if (n > mat->left)
    return cut_off (mat);
  mat->left -= n;
  return sl_bytes_exactly (mat->bytes, to, n, sl_message ("%zu bytes of a variable", n));
}

static SlStatus
refill (SlMat *mat)
{
  size_t   n = mat->left < INPUT ? (size_t) mat->left : INPUT;
  SlStatus status = take_raw (mat, mat->input, n);

  mat->z.next_in = mat->input;
  mat->z.avail_in = sl_ok (&status) ? (uInt) n : 0;
  return status;
}

/* The next `n` bytes of the variable. */
static SlStatus
take (SlMat *mat, void *to, size_t n)
{
  SlStatus status = SL_SUCCESS;

  if (!mat->packed)
    return take_raw (mat, to, n);
  mat->z.next_out = to;
  while (n > 0)
    {
      uInt some = n < 1u << 30 ? (uInt) n : 1u << 30;
      int  code;

      if (mat->z.avail_in == 0 && mat->left > 0)
        status = refill (mat);
      if (!sl_ok (&status))
        return status;
      mat->z.avail_out = some;
      code = inflate (&mat->z, Z_NO_FLUSH);
      if (code == Z_MEM_ERROR)
        return sl_status_no_memory (sl_bytes_path (mat->bytes));
      if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
        return wrong (mat, sl_message ("a damaged variable"),
                      sl_message ("one that can be unpacked"));
      if (mat->z.avail_out == some && mat->z.avail_in == 0 && mat->left == 0)
        return cut_off (mat);
      n -= some - mat->z.avail_out;
      if (code == Z_STREAM_END && n > 0)
        return cut_off (mat);
    }
  return SL_SUCCESS;
}

/* No more than this can follow in the variable. */
static uint64_t
most_left (const SlMat *mat)
{
  uint64_t file = sl_bytes_left (mat->bytes), left = mat->left < file ? mat->left : file;

  return mat->packed ? (left + mat->z.avail_in) * RATIO + (1u << 15) : left;
}

static SlStatus
skip (SlMat *mat, uint64_t n)
{
  uint8_t  buffer[4096];
  SlStatus status = SL_SUCCESS;

  while (n > 0 && sl_ok (&status))
    {
      size_t some = n < sizeof buffer ? (size_t) n : sizeof buffer;

      status = take (mat, buffer, some);
      n -= some;
    }
  return status;
}

static SlStatus
take_tag (SlMat *mat, Tag *tag)
{
  uint8_t  bytes[TAG];
  SlStatus status = take (mat, bytes, sizeof bytes);

  if (!sl_ok (&status))
    return status;
  tag->type = (unsigned) sl_little_endian (bytes, 4);
  tag->size = sl_little_endian (bytes + 4, 4);
  tag->small = tag->type >> 16 != 0;
  if (tag->small)
    {
      tag->size = tag->type >> 16;
      tag->type &= 0xffff;
      memcpy (tag->data, bytes + 4, sizeof tag->data);
    }
  if (tag->small ? tag->size > sizeof tag->data : tag->size > most_left (mat))
    return wrong (mat, sl_message ("an element of %llu bytes", (unsigned long long) tag->size),
                  sl_message ("no more than there are"));
  return SL_SUCCESS;
}

/* An element of at most `most` bytes; elements are filled up to whole numbers of 8 bytes. */
static SlStatus
take_element (SlMat *mat, unsigned type, uint8_t *to, size_t most, size_t *size)
{
  Tag      tag;
  SlStatus status = take_tag (mat, &tag);

  if (!sl_ok (&status))
    return status;
  if (tag.type != type || tag.size > most)
    return wrong (
      mat,
      sl_message ("an element of type %u and %llu bytes", tag.type, (unsigned long long) tag.size),
      sl_message ("type %u and at most %zu bytes", type, most));
  *size = (size_t) tag.size;
  if (tag.small)
    {
      memcpy (to, tag.data, *size);
      return SL_SUCCESS;
    }
  status = take (mat, to, *size);
  return sl_ok (&status) ? skip (mat, (TAG - *size % TAG) % TAG) : status;
}

/* Bytes of one number of a type, or 0. */
static size_t
size_of (unsigned type)
{
  switch (type)
    {
    case INT8:
    case UINT8: return 1;
    case INT16:
    case UINT16: return 2;
    case INT32:
    case UINT32:
    case SINGLE: return 4;
    case DOUBLE: return 8;
    default: return 0;
    }
}

/* Axes and name; *numbers is false for what holds something else. */
static SlStatus
take_shape (SlMat *mat, SlMatArray *array, bool *numbers)
{
  uint8_t  flags[TAG], axes[4 * SL_MAT_AXES];
  size_t   size, length = 0;
  SlStatus status = take_element (mat, UINT32, flags, sizeof flags, &size);

  if (!sl_ok (&status))
    return status;
  *numbers = size == sizeof flags && flags[0] >= FIRST_CLASS && flags[0] <= LAST_CLASS
             && (sl_little_endian (flags, 4) & COMPLEX) == 0;
  if (!*numbers)
    return SL_SUCCESS;
  status = take_element (mat, INT32, axes, sizeof axes, &size);
  if (!sl_ok (&status))
    return status;
  array->axes = (unsigned) (size / 4);
  array->numbers = 1;
  for (unsigned i = 0; i < array->axes; i++)
    {
      array->size[i] = sl_little_endian (axes + 4 * i, 4);
      if (array->size[i] > INT32_MAX
          || __builtin_mul_overflow (array->numbers, array->size[i], &array->numbers))
        return wrong (mat, sl_message ("axes that cannot be"), sl_message ("axes of an array"));
    }
  status = take_element (mat, INT8, (uint8_t *) array->name, sizeof array->name - 1, &length);
  array->name[sl_ok (&status) ? length : 0] = '\0';
  return status;
}

/* Up to the numbers. */
static SlStatus
take_array (SlMat *mat, SlMatArray *array, bool *numbers)
{
  Tag      tag;
  SlStatus status;

  *array = (SlMatArray) { 0 };
  status = take_shape (mat, array, numbers);
  if (!sl_ok (&status) || !*numbers)
    return status;
  status = take_tag (mat, &tag);
  if (!sl_ok (&status))
    return status;
  /* What fits into a tag is no data set. */
  *numbers = !tag.small;
  if (tag.small)
    return SL_SUCCESS;
  if (size_of (tag.type) == 0 || array->axes == 0 || tag.size % size_of (tag.type) != 0
      || tag.size / size_of (tag.type) != array->numbers)
    return wrong (mat,
                  sl_message ("%llu bytes of type %u", (unsigned long long) tag.size, tag.type),
                  sl_message ("%llu numbers", (unsigned long long) array->numbers));
  mat->type = tag.type;
  mat->numbers = array->numbers;
  array->bytes = tag.type == UINT8;
  return SL_SUCCESS;
}

/* Into the variable of this tag, which stands for itself or is compressed. */
static SlStatus
enter (SlMat *mat, unsigned type)
{
  Tag      tag;
  SlStatus status;

  mat->packed = type == COMPRESSED;
  if (!mat->packed)
    return SL_SUCCESS;
  mat->z.avail_in = 0;
  if ((mat->begun ? inflateReset (&mat->z) : inflateInit (&mat->z)) != Z_OK)
    return sl_status_no_memory (sl_bytes_path (mat->bytes));
  mat->begun = true;
  status = take_tag (mat, &tag);
  if (sl_ok (&status) && tag.type != MATRIX)
    status = wrong (mat, sl_message ("an element of type %u", tag.type), sl_message ("an array"));
  return status;
}

SlStatus
sl_mat_next (SlMat *mat, SlMatArray *array, bool *found)
{
  SlStatus status = SL_SUCCESS;

  *found = false;
  while (sl_ok (&status) && !*found)
    {
      uint8_t  tag[TAG];
      unsigned type;
      size_t   got;

      mat->packed = false;
      mat->numbers = 0;
      status = skip (mat, mat->left);
      if (sl_ok (&status))
        status = sl_bytes_some (mat->bytes, tag, sizeof tag, &got);
      if (!sl_ok (&status) || got == 0)
        return status;
      type = (unsigned) sl_little_endian (tag, 4);
      mat->left = sl_little_endian (tag + 4, 4);
      if (got < sizeof tag || mat->left > sl_bytes_left (mat->bytes))
        return wrong (mat, sl_message ("a file that is cut off"), sl_message ("all of a variable"));
      if (type != MATRIX && type != COMPRESSED)
        continue;
      status = enter (mat, type);
      if (sl_ok (&status))
        status = take_array (mat, array, found);
    }
  return status;
}

SlStatus
sl_mat_bytes (SlMat *mat, uint8_t *to, size_t n)
{
  if (mat->type != UINT8 || n > mat->numbers)
    return cut_off (mat);
  mat->numbers -= n;
  return take (mat, to, n);
}

static double
number_of (unsigned type, const uint8_t *bytes)
{
  uint64_t raw = sl_little_endian (bytes, size_of (type));
  uint32_t half = (uint32_t) raw;
  float    single;
  double   number;

  switch (type)
    {
    case INT8: return (int8_t) raw;
    case INT16: return (int16_t) raw;
    case INT32: return (int32_t) raw;
    case SINGLE: memcpy (&single, &half, sizeof single); return (double) single;
    case DOUBLE: memcpy (&number, &raw, sizeof number); return number;
    default: return (double) raw;
    }
}

SlStatus
sl_mat_doubles (SlMat *mat, double *to, size_t n)
{
  SlStatus status = SL_SUCCESS;

  if (n > mat->numbers)
    return cut_off (mat);
  for (size_t i = 0; i < n && sl_ok (&status); i++)
    {
      uint8_t bytes[8] = { 0 };

      status = take (mat, bytes, size_of (mat->type));
      to[i] = sl_ok (&status) ? number_of (mat->type, bytes) : 0.0;
    }
  mat->numbers -= n;
  return status;
}
