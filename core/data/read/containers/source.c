/* SPDX-License-Identifier: MIT */
#include "core/data/read/containers/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/data/text/bytes.h"

static SlStatus
unpack (SlArrays *arrays)
{
  size_t   size;
  SlStatus status = sl_bytes_file (arrays->path, arrays->budget, &arrays->unpacked, &size);

  arrays->size = arrays->used = size;
  return status;
}

SlStatus
sl_arrays_source (SlArrays *arrays)
{
  SlBytes *bytes;
  SlStatus status = sl_bytes_open (&bytes, arrays->path);
  bool     plain;

  if (!sl_ok (&status))
    return status;
  plain = sl_bytes_plain (bytes);
  arrays->size = sl_bytes_left (bytes);
  sl_bytes_close (bytes);
  if (!plain)
    return unpack (arrays);
  arrays->fd = open (arrays->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  return arrays->fd >= 0 ? SL_SUCCESS
                         : sl_status_new (SL_EIO, arrays->path, sl_message ("no file"),
                                          sl_message ("a readable file"));
}

void
sl_arrays_bound (SlArrays *arrays)
{
  if (arrays->budget / 2 > arrays->size)
    arrays->budget = 2 * arrays->size;
}

bool
sl_arrays_inside (const SlArrays *arrays, uint64_t place, uint64_t size)
{
  return place <= arrays->size && size <= arrays->size - place;
}

SlStatus
sl_source_read (int fd, const char *path, uint64_t place, uint8_t *to, size_t size)
{
  for (size_t done = 0; done < size;)
    {
      ssize_t got = pread (fd, to + done, size - done, (off_t) (place + done));
      char    found[128];

      if (got < 0 && errno == EINTR)
        continue;
      if (got < 0)
        return sl_status_new (SL_EIO, path,
                              sl_message_verbatim (strerror_r (errno, found, sizeof found)),
                              sl_message ("a readable file"));
      if (got == 0)
        return sl_status_at (SL_EFORMAT, path, SL_BYTE, place + done,
                             sl_message ("the end of the file"),
                             sl_message ("as many bytes as when it was opened"));
      done += (size_t) got;
    }
  return SL_SUCCESS;
}

SlStatus
sl_arrays_read (const SlArrays *arrays, uint64_t place, void *to, size_t size)
{
  if (!sl_arrays_inside (arrays, place, size))
    return sl_arrays_refuse (
      arrays, arrays->size, sl_message ("the end of the file"),
      sl_message ("%zu bytes from byte %llu on", size, (unsigned long long) place));
  if (arrays->unpacked == NULL)
    return sl_source_read (arrays->fd, arrays->path, place, to, size);
  memcpy (to, arrays->unpacked + place, size);
  return SL_SUCCESS;
}

SlStatus
sl_arrays_refuse (const SlArrays *arrays, uint64_t place, SlMessage found, SlMessage expected)
{
  return sl_status_at (SL_EFORMAT, arrays->path, SL_BYTE, place, found, expected);
}

SlStatus
sl_arrays_refuse_objects (const SlArrays *arrays)
{
  return sl_status_line (
    sl_status_new (SL_EFORMAT, arrays->path,
                   sl_message ("Python objects (a pickle), which can run code"),
                   sl_message ("plain numbers")),
    "np.save(\"numbers.npy\", np.array(list(a), dtype=float))");
}

SlStatus
sl_array_refuse (const SlArrays *arrays, const SlArray *array, SlMessage found, SlMessage expected)
{
  return sl_status_new (
    SL_EFORMAT, arrays->path,
    array->name[0] != '\0' ? sl_message ("%s: %s", array->name, found.packed) : found, expected);
}

/* Numbers from the first to the last one in the file, both included. */
static bool
find_span (const SlArray *array, uint64_t *span)
{
  uint64_t more;

  *span = array->n;
  if (!array->strided || array->n == 0)
    return true;
  *span = 1;
  for (unsigned a = 0; a < array->axes; a++)
    if (__builtin_mul_overflow (array->shape[a] - 1, array->stride[a], &more)
        || __builtin_add_overflow (*span, more, span))
      return false;
  return true;
}

SlStatus
sl_arrays_place (const SlArrays *arrays, SlArray *array, uint64_t place)
{
  uint64_t bytes, span;

  if (!sl_array_extent (array, &bytes) || !find_span (array, &span)
      || __builtin_mul_overflow (span, array->size, &bytes))
    return sl_array_refuse (arrays, array, sl_message ("more numbers than memory can have"),
                            sl_message ("at most 2^63 bytes"));
  if (!sl_arrays_inside (arrays, place, bytes))
    return sl_array_refuse (arrays, array,
                            sl_message ("%llu bytes from byte %llu on of %llu",
                                        (unsigned long long) bytes, (unsigned long long) place,
                                        (unsigned long long) arrays->size),
                            sl_message ("numbers inside the file"));
  array->place = place;
  array->fd = arrays->fd;
  if (arrays->unpacked != NULL && !array->strided && array->type != SL_ARRAY_OTHER)
    array->bytes = arrays->unpacked + place;
  return SL_SUCCESS;
}

SlStatus
sl_array_fills (const SlArrays *arrays, const SlArray *array, uint64_t bytes)
{
  if (array->size == 0 || array->n * array->size == bytes)
    return SL_SUCCESS;
  return sl_array_refuse (arrays, array,
                          sl_message ("%llu bytes of numbers", (unsigned long long) bytes),
                          sl_message ("%llu", (unsigned long long) (array->n * array->size)));
}

void
sl_array_columns_first (SlArray *array)
{
  uint64_t step = 1;
  unsigned longer = 0;

  for (unsigned a = 0; a < array->axes; a++)
    {
      array->stride[a] = step;
      step *= array->shape[a] > 0 ? array->shape[a] : 1;
      longer += array->shape[a] > 1;
    }
  array->strided = longer > 1;
}

static int
by_name (const void *a, const void *b)
{
  return strcmp ((*(const SlArray *const *) a)->name, (*(const SlArray *const *) b)->name);
}

SlStatus
sl_arrays_differ (const SlArrays *arrays)
{
  const SlArray **sorted = malloc ((arrays->n + 1) * sizeof (SlArray *));
  SlStatus        status = SL_SUCCESS;

  if (sorted == NULL)
    return sl_status_no_memory (arrays->path);
  for (unsigned i = 0; i < arrays->n; i++)
    sorted[i] = &arrays->array[i];
  qsort (sorted, arrays->n, sizeof (SlArray *), by_name);
  for (unsigned i = 1; i < arrays->n && sl_ok (&status); i++)
    if (by_name (&sorted[i - 1], &sorted[i]) == 0)
      status = sl_array_refuse (arrays, sorted[i], sl_message ("the same name twice"),
                                sl_message ("names that differ"));
  free (sorted);
  return status;
}
