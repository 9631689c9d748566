/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "core/data/read/containers/container.h"
#include "core/data/read/containers/npy-header.h"
#include "core/data/read/containers/source.h"

static SlStatus
refuse_objects (const char *path)
{
  return sl_status_line (
    sl_status_new (
      SL_EFORMAT, path,
      sl_message ("Python objects (a pickle), which can run code and are never loaded"),
      sl_message ("numbers, written where the objects were made")),
    "np.save(\"numbers.npy\", np.array(list(a), dtype=float))");
}

static SlStatus
refuse_float8 (const char *path)
{
  return sl_status_line (
    sl_status_new (SL_EFORMAT, path,
                   sl_message ("numbers of one byte of a type of its own, such as float8"),
                   sl_message ("float16, bfloat16, float32 or whole numbers")),
    "np.save(\"float32.npy\", a.astype(np.float32))");
}

/* Type and shape, and how long the header is. */
static SlStatus
read_header (SlArrays *arrays, SlArray *array, size_t *length)
{
  uint8_t  head[SL_NPY_HEAD] = { 0 }, *header;
  size_t   size = arrays->size < sizeof head ? (size_t) arrays->size : sizeof head;
  SlStatus status = sl_arrays_read (arrays, 0, head, size);

  if (sl_ok (&status))
    status = sl_npy_length (head, size, arrays->path, length);
  if (!sl_ok (&status))
    return status;
  header = malloc (*length + sizeof head);
  if (header == NULL)
    return sl_status_no_memory (arrays->path);
  status = sl_arrays_read (arrays, 0, header, *length);
  if (sl_ok (&status))
    status = sl_npy_header (header, *length, arrays->path, array);
  free (header);
  return status;
}

static SlStatus
check_extent (const SlArrays *arrays, const SlArray *array, size_t length)
{
  uint64_t want = array->n * array->size;

  if (array->size == 0 || arrays->size - length == want)
    return SL_SUCCESS;
  return sl_arrays_refuse (
    arrays, length,
    sl_message ("%llu bytes of numbers", (unsigned long long) (arrays->size - length)),
    sl_message ("%llu", (unsigned long long) want));
}

SlStatus
sl_npy_open (SlArrays *arrays, const char *path)
{
  SlArray *array;
  size_t   length = 0;
  SlStatus status;

  arrays->path = path;
  status = sl_arrays_source (arrays);
  if (sl_ok (&status))
    status = sl_arrays_add (arrays, "", 0, &array);
  if (sl_ok (&status))
    status = read_header (arrays, array, &length);
  if (!sl_ok (&status))
    return status;
  if (array->type == SL_ARRAY_OBJECTS)
    return refuse_objects (path);
  if (sl_npy_float8 (array))
    return refuse_float8 (path);
  status = check_extent (arrays, array, length);
  if (sl_ok (&status))
    status = sl_arrays_place (arrays, array, length);
  if (sl_ok (&status) && array->type == SL_ARRAY_TEXTS)
    status = sl_npy_texts (arrays, array);
  return status;
}
