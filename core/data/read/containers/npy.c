/* SPDX-License-Identifier: MIT */
#include "core/data/read/containers/container.h"
#include "core/data/read/containers/npy-header.h"
#include "core/data/read/containers/source.h"

static SlStatus
refuse_float8 (const char *path)
{
  return sl_status_line (sl_status_new (SL_EFORMAT, path,
                                        sl_message ("numbers of one byte such as float8"),
                                        sl_message ("float16, bfloat16, float32 or whole numbers")),
                         "np.save(\"float32.npy\", a.astype(np.float32))");
}

SlStatus
sl_npy_describe (SlArrays *arrays, SlArray *array, const uint8_t *head, size_t n, size_t *length)
{
  SlStatus status = sl_npy_length (head, n, arrays->path, length);

  if (!sl_ok (&status))
    return status;
  if (*length > n)
    return sl_array_refuse (arrays, array, sl_message ("a header of %zu bytes", *length),
                            sl_message ("at most %zu", n));
  return sl_npy_header (head, *length, arrays->path, array);
}

static SlStatus
read_header (SlArrays *arrays, SlArray *array, size_t *length)
{
  uint8_t  head[SL_NPY_READ];
  size_t   n = arrays->size < sizeof head ? (size_t) arrays->size : sizeof head;
  SlStatus status = sl_arrays_read (arrays, 0, head, n);

  return sl_ok (&status) ? sl_npy_describe (arrays, array, head, n, length) : status;
}

SlStatus
sl_npy_open (SlArrays *arrays, const char *path)
{
  SlArray *array;
  size_t   length = 0;
  SlStatus status = sl_arrays_source (arrays);

  if (sl_ok (&status))
    status = sl_arrays_add (arrays, "", 0, &array);
  if (sl_ok (&status))
    status = read_header (arrays, array, &length);
  if (!sl_ok (&status))
    return status;
  if (array->type == SL_ARRAY_OBJECTS)
    return sl_arrays_refuse_objects (arrays);
  if (sl_npy_float8 (array))
    return refuse_float8 (path);
  status = sl_array_fills (arrays, array, arrays->size - length);
  if (sl_ok (&status))
    status = sl_arrays_place (arrays, array, length);
  if (sl_ok (&status) && array->type == SL_ARRAY_TEXTS)
    status = sl_npy_texts (arrays, array);
  return status;
}
