/* SPDX-License-Identifier: MIT
 *
 * Numbers from where a container has them into memory, in rows.  */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "core/data/read/containers/source.h"

enum { CHUNK = 1 << 16 };

/* What a member of an archive is unpacked into. */
typedef struct
{
  uint8_t *to;
  uint64_t skip, n; /* bytes to leave out, then to write */
  uint64_t done;
  bool     over; /* there were more */
  uLong    crc;
} Sink;

/* Takes unpacked bytes; false if there are too many. */
static bool
take_bytes (Sink *sink, const uint8_t *from, size_t n)
{
  uint64_t room = sink->skip + sink->n - sink->done;
  uint64_t out = sink->done < sink->skip ? sink->skip - sink->done : 0;

  sink->over = n > room;
  n = sink->over ? room : n;
  sink->crc = crc32_z (sink->crc, from, n);
  if (out < n)
    memcpy (sink->to + (sink->done + out - sink->skip), from + out, n - out);
  sink->done += n;
  return !sink->over;
}

/* All that the input makes; true at the end of the data, or where they are broken. */
static bool
inflate_chunk (z_stream *z, Sink *sink)
{
  uint8_t chunk[CHUNK];
  int     code = Z_OK;

  do
    {
      z->next_out = chunk;
      z->avail_out = CHUNK;
      code = inflate (z, Z_NO_FLUSH);
      if (!take_bytes (sink, chunk, CHUNK - z->avail_out))
        code = Z_DATA_ERROR;
    }
  while (code == Z_OK && z->avail_out == 0);
  return code != Z_OK && code != Z_BUF_ERROR;
}

static SlStatus
unpack_deflated (const SlArrays *arrays, const SlArray *array, Sink *sink)
{
  uint8_t  chunk[CHUNK];
  z_stream z = { .next_in = NULL };
  bool     ended = false;
  SlStatus status = SL_SUCCESS;

  if (inflateInit2 (&z, -15) != Z_OK)
    return sl_status_no_memory (arrays->path);
  for (uint64_t at = 0, part; at < array->packed && sl_ok (&status) && !ended; at += part)
    {
      part = array->packed - at < CHUNK ? array->packed - at : CHUNK;
      status = sl_arrays_read (arrays, array->place + at, chunk, (size_t) part);
      z.next_in = chunk;
      z.avail_in = (uInt) part;
      ended = sl_ok (&status) && inflate_chunk (&z, sink);
    }
  inflateEnd (&z);
  return status;
}

static SlStatus
copy_stored (const SlArrays *arrays, const SlArray *array, Sink *sink)
{
  uint8_t  chunk[CHUNK];
  uint64_t size = sink->skip + sink->n, begin = array->place - sink->skip;
  SlStatus status = SL_SUCCESS;

  for (uint64_t at = 0, part; at < size && sl_ok (&status); at += part)
    {
      part = size - at < CHUNK ? size - at : CHUNK;
      status = sl_arrays_read (arrays, begin + at, chunk, (size_t) part);
      if (sl_ok (&status))
        take_bytes (sink, chunk, (size_t) part);
    }
  return status;
}

SlStatus
sl_member_read (const SlArrays *arrays, const SlArray *member, uint8_t *to, uint64_t n,
                size_t *head)
{
  Sink     sink = { .to = to, .skip = member->skip, .n = n };
  SlStatus status = member->packed > 0 ? unpack_deflated (arrays, member, &sink)
                                       : copy_stored (arrays, member, &sink);

  if (head != NULL)
    *head = (size_t) sink.done;
  if (!sl_ok (&status) || head != NULL
      || (sink.done == sink.skip + n && !sink.over && sink.crc == member->crc))
    return status;
  return sl_array_refuse (arrays, member, sl_message ("damaged bytes (a wrong check sum)"),
                          sl_message ("those that were written"));
}

/* Bytes from the first to the last number; sl_arrays_place() has seen that they are in the file. */
static size_t
span_of (const SlArray *array)
{
  uint64_t span = 1;

  if (!array->strided)
    return array->n * array->size;
  for (unsigned a = 0; a < array->axes; a++)
    span += (array->shape[a] - 1) * array->stride[a];
  return span * array->size;
}

static SlStatus
read_span (const SlArrays *arrays, const SlArray *array, uint8_t *to, size_t size)
{
  return array->skip > 0 ? sl_member_read (arrays, array, to, size, NULL)
                         : sl_arrays_read (arrays, array->place, to, size);
}

static SlStatus
load_strided (SlArrays *arrays, SlArray *array, uint8_t *to)
{
  size_t   size = span_of (array);
  uint8_t *span;
  SlStatus status;

  if (arrays->unpacked != NULL && array->packed == 0)
    {
      sl_array_gather (array, arrays->unpacked + array->place, 0, array->n, to);
      return SL_SUCCESS;
    }
  if (size > arrays->budget - arrays->used)
    return sl_status_no_memory (arrays->path);
  span = malloc (size);
  if (span == NULL)
    return sl_status_no_memory (arrays->path);
  status = read_span (arrays, array, span, size);
  if (sl_ok (&status))
    sl_array_gather (array, span, 0, array->n, to);
  free (span);
  return status;
}

SlStatus
sl_array_load (SlArrays *arrays, SlArray *array)
{
  SlArray  loaded = *array;
  SlStatus status;

  if (array->type == SL_ARRAY_OBJECTS)
    return sl_arrays_refuse_objects (arrays);
  if (array->type == SL_ARRAY_OTHER)
    return sl_array_refuse (arrays, array, sl_message ("no plain numbers"),
                            sl_message ("whole or real numbers"));
  if (array->bytes != NULL)
    return SL_SUCCESS;
  status = sl_array_reserve (arrays, &loaded);
  if (!sl_ok (&status))
    return status;
  if (array->strided && array->n > 0)
    status = load_strided (arrays, array, loaded.bytes);
  else
    status = read_span (arrays, array, loaded.bytes, array->n * array->size);
  if (sl_ok (&status))
    {
      loaded.strided = false;
      *array = loaded;
      return status;
    }
  free (loaded.bytes);
  arrays->used -= array->n * array->size;
  return status;
}
