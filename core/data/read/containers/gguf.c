/* SPDX-License-Identifier: MIT
 *
 * GGUF, versions 2 and 3: key-values, of which the alignment alone is read, then what the tensors are, then their
 * numbers.  */
#include <string.h>

#include "core/data/read/containers/container.h"
#include "core/data/read/containers/source.h"
#include "core/data/text/bytes.h"

enum {
  BUFFER = 4096,
  TEXT_MAX = 256,
  AXES = 4, /* of a tensor there */
  DEPTH_MAX = 4,
  ALIGNMENT = 32,
  ALIGNMENT_MAX = 1 << 20,
  TYPE_NATURAL_32 = 4,
  TYPE_TEXT = 8,
  TYPE_ARRAY = 9,
  TYPES = 13,
};

/* Bytes of a value by its type; 0: of no fixed size. */
static const uint8_t value_size[TYPES] = { 1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8 };

/* Types of tensors that are plain numbers; all others are packed in blocks. */
static const struct
{
  uint32_t    number;
  SlArrayType type;
  unsigned    size;
} types[] = {
  { 0, SL_ARRAY_REALS, 4 },     { 1, SL_ARRAY_REALS, 2 },     { 24, SL_ARRAY_INTEGERS, 1 },
  { 25, SL_ARRAY_INTEGERS, 2 }, { 26, SL_ARRAY_INTEGERS, 4 }, { 27, SL_ARRAY_INTEGERS, 8 },
  { 28, SL_ARRAY_REALS, 8 },    { 30, SL_ARRAY_BRAIN, 2 },
};

/* The file from front to back; what fails returns false, with the failure in `status`. */
typedef struct
{
  SlArrays *arrays;
  SlStatus  status;
  uint64_t  at;
  uint64_t  from; /* of `buffer` */
  size_t    n;
  uint8_t   buffer[BUFFER];
} Reader;

static bool
refuse (Reader *r, SlMessage found, SlMessage expected)
{
  r->status = sl_arrays_refuse (r->arrays, r->at, found, expected);
  return false;
}

/* The next `size` <= BUFFER bytes. */
static bool
take (Reader *r, size_t size, const uint8_t **bytes)
{
  uint64_t left = r->arrays->size - r->at;

  *bytes = r->buffer;
  if (size > left)
    return refuse (r, sl_message ("the end of the file"), sl_message ("a complete file of GGUF"));
  if (r->at < r->from || r->at + size > r->from + r->n)
    {
      r->from = r->at;
      r->n = left < BUFFER ? (size_t) left : BUFFER;
      r->status = sl_arrays_read (r->arrays, r->from, r->buffer, r->n);
    }
  *bytes = r->buffer + (r->at - r->from);
  r->at += size;
  return sl_ok (&r->status);
}

static bool
take_number (Reader *r, size_t size, uint64_t *number)
{
  const uint8_t *bytes = NULL;

  if (!take (r, size, &bytes))
    return false;
  *number = sl_little_endian (bytes, size);
  return true;
}

static bool
skip (Reader *r, uint64_t size)
{
  if (!sl_arrays_inside (r->arrays, r->at, size))
    return refuse (r, sl_message ("a value of %llu bytes", (unsigned long long) size),
                   sl_message ("one inside the file"));
  r->at += size;
  return true;
}

/* A text with its length before it, of which the beginning is kept. */
static bool
take_text (Reader *r, char text[TEXT_MAX])
{
  const uint8_t *bytes = NULL;
  uint64_t       length;
  size_t         n;

  if (!take_number (r, 8, &length))
    return false;
  n = length < TEXT_MAX ? (size_t) length : TEXT_MAX - 1;
  if (!take (r, n, &bytes))
    return false;
  memcpy (text, bytes, n);
  text[n] = '\0';
  return skip (r, length - n);
}

static bool
refuse_type (Reader *r, uint64_t type)
{
  return refuse (r, sl_message ("a value of type %llu", (unsigned long long) type),
                 sl_message ("types from 0 to %d", TYPES - 1));
}

/* `n` values of one type.  Each text and each array has eight bytes or more, so that the end of the file ends it. */
static bool
skip_values (Reader *r, uint64_t type, uint64_t n, unsigned depth)
{
  char     text[TEXT_MAX];
  uint64_t size;

  if (type >= TYPES)
    return refuse_type (r, type);
  if (type != TYPE_TEXT && type != TYPE_ARRAY)
    return skip (r, __builtin_mul_overflow (n, value_size[type], &size) ? UINT64_MAX : size);
  if (depth == DEPTH_MAX)
    return refuse (r, sl_message ("arrays of arrays of arrays"),
                   sl_message ("at most %d levels", DEPTH_MAX));
  for (uint64_t i = 0, of, length; i < n; i++)
    if (type == TYPE_TEXT ? !take_text (r, text)
                          : !take_number (r, 4, &of) || !take_number (r, 8, &length)
                              || !skip_values (r, of, length, depth + 1))
      return false;
  return true;
}

static bool
read_pair (Reader *r, uint64_t *alignment)
{
  char     key[TEXT_MAX];
  uint64_t type;

  if (!take_text (r, key) || !take_number (r, 4, &type))
    return false;
  if (strcmp (key, "general.alignment") != 0)
    return skip_values (r, type, 1, 0);
  if (type != TYPE_NATURAL_32)
    return refuse_type (r, type);
  if (!take_number (r, 4, alignment))
    return false;
  if (*alignment == 0 || *alignment > ALIGNMENT_MAX || (*alignment & (*alignment - 1)) != 0)
    return refuse (r, sl_message ("an alignment of %llu", (unsigned long long) *alignment),
                   sl_message ("a power of 2"));
  return true;
}

static void
set_type (SlArray *array, uint64_t number)
{
  array->type = SL_ARRAY_OTHER;
  array->size = 0;
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (types[i].number == number)
      {
        array->type = types[i].type;
        array->size = types[i].size;
      }
}

/* The fastest axis is first there, and last here. */
static bool
read_shape (Reader *r, SlArray *array)
{
  uint64_t axes;

  if (!take_number (r, 4, &axes))
    return false;
  if (axes > AXES)
    return refuse (r, sl_message ("%llu axes", (unsigned long long) axes),
                   sl_message ("at most %d", AXES));
  array->axes = (unsigned) axes;
  for (unsigned a = array->axes; a-- > 0;)
    if (!take_number (r, 8, &array->shape[a]))
      return false;
  return true;
}

/* What a tensor is; its place is from the end of all this on. */
static bool
read_tensor (Reader *r)
{
  char     name[TEXT_MAX];
  uint64_t type;
  SlArray *array;

  if (!take_text (r, name))
    return false;
  r->status = sl_arrays_add (r->arrays, name, strlen (name), &array);
  if (!sl_ok (&r->status) || !read_shape (r, array) || !take_number (r, 4, &type)
      || !take_number (r, 8, &array->place))
    return false;
  set_type (array, type);
  return true;
}

static bool
place_tensor (Reader *r, SlArray *array, uint64_t begin, uint64_t alignment)
{
  uint64_t place;

  if (array->place % alignment != 0 || __builtin_add_overflow (begin, array->place, &place))
    r->status = sl_array_refuse (r->arrays, array,
                                 sl_message ("the offset %llu", (unsigned long long) array->place),
                                 sl_message ("a multiple of %llu", (unsigned long long) alignment));
  else
    r->status = sl_arrays_place (r->arrays, array, place);
  return sl_ok (&r->status);
}

static bool
read_head (Reader *r, uint64_t *tensors, uint64_t *pairs)
{
  const uint8_t *bytes = NULL;
  uint64_t       version;

  if (!take (r, 4, &bytes))
    return false;
  if (memcmp (bytes, "GGUF", 4) != 0)
    return refuse (r, sl_message ("another magic number"), sl_message ("a file of GGUF"));
  if (!take_number (r, 4, &version))
    return false;
  if (version != 2 && version != 3)
    return refuse (r,
                   version != 0 && (version & 0xffff) == 0
                     ? sl_message ("GGUF, highest byte first")
                     : sl_message ("GGUF version %llu", (unsigned long long) version),
                   sl_message ("version 2 or 3, lowest byte first"));
  return take_number (r, 8, tensors) && take_number (r, 8, pairs);
}

static bool
read_file (Reader *r)
{
  uint64_t tensors, pairs, alignment = ALIGNMENT, begin;

  if (!read_head (r, &tensors, &pairs))
    return false;
  for (uint64_t i = 0; i < pairs; i++)
    if (!read_pair (r, &alignment))
      return false;
  for (uint64_t i = 0; i < tensors; i++)
    if (!read_tensor (r))
      return false;
  begin = (r->at + alignment - 1) & ~(alignment - 1);
  for (unsigned i = 0; i < r->arrays->n; i++)
    if (!place_tensor (r, &r->arrays->array[i], begin, alignment))
      return false;
  return true;
}

SlStatus
sl_gguf_open (SlArrays *arrays, const char *path)
{
  Reader   reader = { .arrays = arrays };
  SlStatus status = sl_arrays_source (arrays);

  if (!sl_ok (&status))
    return status;
  sl_arrays_bound (arrays);
  return read_file (&reader) ? sl_arrays_differ (arrays) : reader.status;
}
