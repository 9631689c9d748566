/* SPDX-License-Identifier: MIT
 *
 * GGUF, versions 2 and 3: key-values, of which the alignment alone is read, then what the tensors are, then their
 * numbers.  */
#include <string.h>

#include "core/data/read/containers/container.h"
#include "core/data/read/containers/source.h"
#include "core/data/text/bytes.h"
#include "core/data/text/text.h"

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

/* The file from front to back. */
typedef struct
{
  SlArrays *arrays;
  uint64_t  at;
  uint64_t  from; /* of `buffer` */
  size_t    n;
  uint8_t   buffer[BUFFER];
} Reader;

static SlStatus
refuse (const Reader *r, SlMessage found, SlMessage expected)
{
  return sl_arrays_refuse (r->arrays, r->at, found, expected);
}

/* The next `size` <= BUFFER bytes. */
static SlStatus
take (Reader *r, size_t size, const uint8_t **bytes)
{
  uint64_t left;
  SlStatus status = SL_SUCCESS;

  *bytes = r->buffer;
  if (!sl_arrays_inside (r->arrays, r->at, size))
    return refuse (r, sl_message ("the end of the file"), sl_message ("a complete file of GGUF"));
  if (r->at < r->from || r->at + size > r->from + r->n)
    {
      left = r->arrays->size - r->at;
      r->from = r->at;
      r->n = left < BUFFER ? (size_t) left : BUFFER;
      status = sl_arrays_read (r->arrays, r->from, r->buffer, r->n);
    }
  *bytes = r->buffer + (r->at - r->from);
  r->at += size;
  return status;
}

static SlStatus
take_number (Reader *r, size_t size, uint64_t *number)
{
  const uint8_t *bytes = NULL;
  SlStatus       status = take (r, size, &bytes);

  *number = sl_ok (&status) ? sl_little_endian (bytes, size) : 0;
  return status;
}

static SlStatus
skip (Reader *r, uint64_t size)
{
  if (!sl_arrays_inside (r->arrays, r->at, size))
    return refuse (r, sl_message ("a value of %llu bytes", (unsigned long long) size),
                   sl_message ("one that is in the file"));
  r->at += size;
  return SL_SUCCESS;
}

/* A text with its length before it, of which the beginning is kept. */
static SlStatus
take_text (Reader *r, char text[TEXT_MAX], size_t *n)
{
  const uint8_t *bytes = NULL;
  uint64_t       length;
  SlStatus       status = take_number (r, 8, &length);

  *n = length < TEXT_MAX ? (size_t) length : TEXT_MAX - 1;
  if (sl_ok (&status))
    status = take (r, *n, &bytes);
  if (!sl_ok (&status))
    return status;
  memcpy (text, bytes, *n);
  text[*n] = '\0';
  return skip (r, length - *n);
}

static SlStatus
refuse_type (const Reader *r, uint64_t type)
{
  return refuse (r, sl_message ("a value of type %llu", (unsigned long long) type),
                 sl_message ("types from 0 to %d", TYPES - 1));
}

static SlStatus
skip_texts (Reader *r, uint64_t n)
{
  char     text[TEXT_MAX];
  size_t   length;
  SlStatus status = SL_SUCCESS;

  /* Each has eight bytes or more, so that the end of the file ends this. */
  for (uint64_t i = 0; i < n && sl_ok (&status); i++)
    status = take_text (r, text, &length);
  return status;
}

/* `n` values of one type. */
static SlStatus
skip_values (Reader *r, uint64_t type, uint64_t n, unsigned depth)
{
  SlStatus status = SL_SUCCESS;
  uint64_t size;

  if (type >= TYPES)
    return refuse_type (r, type);
  if (type == TYPE_TEXT)
    return skip_texts (r, n);
  if (type != TYPE_ARRAY)
    return skip (r, __builtin_mul_overflow (n, value_size[type], &size) ? UINT64_MAX : size);
  if (depth == DEPTH_MAX)
    return refuse (r, sl_message ("arrays of arrays of arrays"),
                   sl_message ("at most %d levels", DEPTH_MAX));
  for (uint64_t i = 0; i < n && sl_ok (&status); i++)
    {
      uint64_t of, length = 0;

      status = take_number (r, 4, &of);
      if (sl_ok (&status))
        status = take_number (r, 8, &length);
      if (sl_ok (&status))
        status = skip_values (r, of, length, depth + 1);
    }
  return status;
}

static SlStatus
read_pair (Reader *r, uint64_t *alignment)
{
  char     key[TEXT_MAX];
  size_t   n;
  uint64_t type = 0;
  SlStatus status = take_text (r, key, &n);

  if (sl_ok (&status))
    status = take_number (r, 4, &type);
  if (!sl_ok (&status))
    return status;
  if (strcmp (key, "general.alignment") != 0)
    return skip_values (r, type, 1, 0);
  if (type != TYPE_NATURAL_32)
    return refuse_type (r, type);
  status = take_number (r, 4, alignment);
  if (sl_ok (&status)
      && (*alignment == 0 || *alignment > ALIGNMENT_MAX || (*alignment & (*alignment - 1)) != 0))
    return refuse (r, sl_message ("an alignment of %llu", (unsigned long long) *alignment),
                   sl_message ("a power of 2"));
  return status;
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
static SlStatus
read_shape (Reader *r, SlArray *array)
{
  uint64_t axes;
  SlStatus status = take_number (r, 4, &axes);

  if (sl_ok (&status) && axes > AXES)
    return refuse (r, sl_message ("%llu axes", (unsigned long long) axes),
                   sl_message ("at most %d", AXES));
  array->axes = (unsigned) axes;
  for (uint64_t a = 0; a < axes && sl_ok (&status); a++)
    status = take_number (r, 8, &array->shape[axes - 1 - a]);
  return status;
}

/* What a tensor is; its place is from the end of all this on. */
static SlStatus
read_tensor (Reader *r)
{
  char     name[TEXT_MAX];
  size_t   n;
  uint64_t type = 0;
  SlArray *array;
  SlStatus status = take_text (r, name, &n);

  if (sl_ok (&status))
    status = sl_arrays_add (r->arrays, name, n, &array);
  if (sl_ok (&status))
    status = read_shape (r, array);
  if (sl_ok (&status))
    status = take_number (r, 4, &type);
  if (sl_ok (&status))
    status = take_number (r, 8, &array->place);
  if (sl_ok (&status))
    set_type (array, type);
  return status;
}

static SlStatus
place_tensors (Reader *r, uint64_t alignment)
{
  uint64_t begin = (r->at + alignment - 1) & ~(alignment - 1);
  SlStatus status = SL_SUCCESS;

  for (unsigned i = 0; i < r->arrays->n && sl_ok (&status); i++)
    {
      SlArray *array = &r->arrays->array[i];
      uint64_t place;

      if (array->place % alignment != 0 || __builtin_add_overflow (begin, array->place, &place))
        status = sl_array_refuse (
          r->arrays, array, sl_message ("the offset %llu", (unsigned long long) array->place),
          sl_message ("a multiple of %llu", (unsigned long long) alignment));
      else
        status = sl_arrays_place (r->arrays, array, place);
    }
  return status;
}

static SlStatus
read_head (Reader *r, uint64_t *tensors, uint64_t *pairs)
{
  const uint8_t *bytes = NULL;
  uint64_t       version = 0;
  SlStatus       status = take (r, 4, &bytes);

  if (sl_ok (&status) && memcmp (bytes, "GGUF", 4) != 0)
    return refuse (r, sl_message ("another magic number"), sl_message ("a file of GGUF"));
  if (sl_ok (&status))
    status = take_number (r, 4, &version);
  if (sl_ok (&status) && version != 2 && version != 3)
    return refuse (r,
                   version != 0 && (version & 0xffff) == 0
                     ? sl_message ("a file of GGUF with the highest byte first")
                     : sl_message ("GGUF version %llu", (unsigned long long) version),
                   sl_message ("version 2 or 3, the lowest byte first"));
  if (sl_ok (&status))
    status = take_number (r, 8, tensors);
  if (sl_ok (&status))
    status = take_number (r, 8, pairs);
  return status;
}

static SlStatus
read_file (Reader *r)
{
  uint64_t tensors = 0, pairs = 0, alignment = ALIGNMENT;
  SlStatus status = read_head (r, &tensors, &pairs);

  for (uint64_t i = 0; i < pairs && sl_ok (&status); i++)
    status = read_pair (r, &alignment);
  for (uint64_t i = 0; i < tensors && sl_ok (&status); i++)
    status = read_tensor (r);
  if (sl_ok (&status))
    status = place_tensors (r, alignment);
  return sl_ok (&status) ? sl_arrays_differ (r->arrays) : status;
}

SlStatus
sl_gguf_open (SlArrays *arrays, const char *path)
{
  Reader   reader = { .arrays = arrays };
  SlStatus status;

  arrays->path = path;
  status = sl_arrays_source (arrays);
  if (!sl_ok (&status))
    return status;
  sl_arrays_bound (arrays);
  return read_file (&reader);
}
