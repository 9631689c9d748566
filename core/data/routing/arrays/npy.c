/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/data/routing/arrays/arrays.h"
#include "core/data/routing/arrays/npy-header.h"
#include "core/data/text/bytes.h"

static SlStatus
refuse_objects (const char *path)
{
  return sl_status_new (
    SL_EFORMAT, path,
    sl_message ("Python objects (a pickle), which can run code and are never loaded"),
    sl_message ("numbers: in Python, np.savez (\"trace.npz\", topk_ids=ids)"));
}

static SlStatus
check_extent (const SlBytes *bytes, const char *path, size_t length, SlArray *array)
{
  uint64_t want, left = sl_bytes_left (bytes);

  if (!sl_array_extent (array, &want))
    return sl_routing_too_large (path);
  if (sl_bytes_plain (bytes) ? left == want : left >= want)
    return SL_SUCCESS;
  return sl_status_at (SL_EFORMAT, path, SL_BYTE, length,
                       sl_message ("%llu bytes of numbers", (unsigned long long) left),
                       sl_message ("%llu", (unsigned long long) want));
}

/* Type and shape, with the bytes up to the numbers read. */
static SlStatus
read_header (SlBytes *bytes, SlArray *array)
{
  uint8_t     head[SL_NPY_HEAD], *header;
  const char *path = sl_bytes_path (bytes);
  size_t      length, got;
  SlStatus    status = sl_bytes_some (bytes, head, sizeof head, &got);

  if (sl_ok (&status))
    status = sl_npy_length (head, got, path, &length);
  if (!sl_ok (&status))
    return status;
  header = malloc (length + sizeof head);
  if (header == NULL)
    return sl_status_no_memory (path);
  memcpy (header, head, sizeof head);
  if (length > got)
    status = sl_bytes_exactly (bytes, header + got, length - got, sl_message ("a header"));
  if (sl_ok (&status) && length < got)
    status = sl_status_at (SL_EFORMAT, path, SL_BYTE, length, sl_message ("a short header"),
                           sl_message ("a dictionary of descr, fortran_order and shape"));
  if (sl_ok (&status))
    status = sl_npy_header (header, length, path, array);
  free (header);
  if (sl_ok (&status) && array->type == SL_ARRAY_OBJECTS)
    return refuse_objects (path);
  array->place = length;
  return sl_ok (&status) ? check_extent (bytes, path, length, array) : status;
}

/* The numbers of a compressed file come into memory. */
static SlStatus
inflate_numbers (SlArrays *arrays, SlBytes *bytes, const SlArray *array)
{
  uint8_t *to;
  SlStatus status = sl_arrays_add (arrays, array, &to);

  if (sl_ok (&status))
    status = sl_bytes_exactly (bytes, to, (size_t) (array->n * array->size),
                               sl_message ("the numbers of the array"));
  return sl_ok (&status) ? sl_bytes_end (bytes) : status;
}

static SlStatus
keep_open (SlArrays *arrays, SlArray *array)
{
  array->fd = open (arrays->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (array->fd < 0)
    return sl_status_new (SL_EIO, arrays->path, sl_message ("no file"),
                          sl_message ("a readable file"));
  arrays->array[arrays->n++] = *array;
  return SL_SUCCESS;
}

SlStatus
sl_arrays_open_npy (SlArrays *arrays, const char *path)
{
  SlArray  array = { .fd = -1 };
  SlBytes *bytes;
  SlStatus status = sl_bytes_open (&bytes, path);

  if (!sl_ok (&status))
    return status;
  status = read_header (bytes, &array);
  if (sl_ok (&status))
    status = sl_bytes_plain (bytes) ? keep_open (arrays, &array)
                                    : inflate_numbers (arrays, bytes, &array);
  sl_bytes_close (bytes);
  return status;
}
