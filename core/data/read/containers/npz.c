/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "core/data/read/containers/container.h"
#include "core/data/read/containers/npy-header.h"
#include "core/data/read/containers/zip.h"

/* Bytes of the name of an array, which is the member's without ".npy"; 0 if it is none. */
static size_t
name_length (const SlZipMember *member)
{
  size_t n = strlen (member->name);

  return n > 4 && strcmp (member->name + n - 4, ".npy") == 0 ? n - 4 : 0;
}

/* Where the numbers behind a header of `length` bytes are. */
static SlStatus
place_numbers (SlArrays *arrays, const SlZipMember *member, uint64_t place, size_t length,
               SlArray *array)
{
  SlStatus status;

  if (array->type == SL_ARRAY_OBJECTS || array->size == 0)
    return SL_SUCCESS;
  status = sl_array_fills (arrays, array, member->size - length);
  if (!sl_ok (&status))
    return status;
  array->skip = length;
  array->crc = member->crc;
  if (member->method == SL_ZIP_STORED)
    return sl_arrays_place (arrays, array, place + length);
  array->packed = member->packed;
  array->place = place;
  return SL_SUCCESS;
}

static SlStatus
read_array (SlArrays *arrays, const SlZip *zip, const SlZipMember *member, SlArray *array)
{
  uint8_t  head[SL_NPY_READ];
  uint64_t place;
  size_t   n = 0, length = 0;
  SlStatus status = sl_zip_place (zip, member, &place);

  if (sl_ok (&status))
    status = sl_zip_head (zip, member, place, head, sizeof head, &n);
  if (sl_ok (&status))
    status = sl_npy_describe (arrays, array, head, n, &length);
  if (!sl_ok (&status))
    return status;
  if (sl_npy_float8 (array))
    sl_arrays_note (arrays, sl_message ("%s: float8", array->name));
  status = place_numbers (arrays, member, place, length, array);
  return sl_ok (&status) && array->type == SL_ARRAY_TEXTS ? sl_npy_texts (arrays, array) : status;
}

SlStatus
sl_npz_open (SlArrays *arrays, const char *path)
{
  SlZip    zip = { .n = 0 };
  SlStatus status = sl_arrays_source (arrays);

  if (sl_ok (&status))
    status = sl_zip_read (&zip, arrays);
  for (unsigned i = 0; i < zip.n && sl_ok (&status); i++)
    {
      size_t   n = name_length (&zip.member[i]);
      SlArray *array;

      if (n == 0)
        continue;
      status = sl_arrays_add (arrays, zip.member[i].name, n, &array);
      if (sl_ok (&status))
        status = read_array (arrays, &zip, &zip.member[i], array);
    }
  sl_zip_clear (&zip);
  if (sl_ok (&status) && arrays->n == 0)
    return sl_status_new (SL_EFORMAT, path, sl_message ("a zip archive without arrays"),
                          sl_message ("an archive of .npy files (.npz)"));
  return status;
}
