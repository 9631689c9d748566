/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "core/data/routing/arrays/arrays.h"
#include "core/data/routing/arrays/npy-header.h"
#include "core/data/routing/arrays/zip.h"
#include "core/data/text/bytes.h"

enum { HEAD = 1024 /* bytes that the header of a plain array fits into */ };

/* The name of an array, which is the member's without ".npy"; false if it is none. */
static bool
array_name (const SlZipMember *member, char name[sizeof ((SlArray *) NULL)->name])
{
  size_t n = strlen (member->name);

  if (n < 5 || strcmp (member->name + n - 4, ".npy") != 0
      || n - 4 >= sizeof ((SlArray *) NULL)->name)
    return false;
  memcpy (name, member->name, n - 4);
  name[n - 4] = '\0';
  return true;
}

/* Reads type and shape of an array of another name from its header. */
static void
look_at_member (SlArrays *arrays, const SlZip *zip, const SlZipMember *member, SlArray *array)
{
  uint8_t  head[HEAD];
  size_t   n = sl_zip_head (zip, member, head, sizeof head), length = 0;
  SlStatus status;

  if (n < SL_NPY_HEAD)
    return;
  status = sl_npy_length (head, n, arrays->path, &length);
  if (sl_ok (&status) && length > 0 && length <= n)
    {
      status = sl_npy_header (head, length, arrays->path, array);
      if (sl_ok (&status))
        sl_arrays_add_beside (arrays, array);
    }
}

static SlStatus
refuse_size (const SlArrays *arrays, const SlArray *array, uint64_t found, uint64_t expected)
{
  return sl_status_new (
    SL_EFORMAT, arrays->path,
    sl_message ("%s: %llu bytes of numbers", array->name, (unsigned long long) found),
    sl_message ("%llu", (unsigned long long) expected));
}

/* Header and numbers of a member that was unpacked. */
static SlStatus
read_array (SlArrays *arrays, SlArray *array, const uint8_t *bytes, size_t size)
{
  size_t   length;
  uint64_t want;
  uint8_t *to;
  SlStatus status = sl_npy_length (bytes, size, arrays->path, &length);

  if (sl_ok (&status) && length > size)
    status = refuse_size (arrays, array, size, length);
  if (sl_ok (&status))
    status = sl_npy_header (bytes, length, arrays->path, array);
  if (!sl_ok (&status))
    return status;
  arrays->objects = arrays->objects || array->type == SL_ARRAY_OBJECTS;
  if (array->type == SL_ARRAY_OBJECTS || array->type == SL_ARRAY_OTHER)
    return SL_SUCCESS;
  if (!sl_array_extent (array, &want) || want != size - length)
    return refuse_size (arrays, array, size - length, want);
  status = sl_arrays_add (arrays, array, &to);
  if (sl_ok (&status))
    memcpy (to, bytes + length, want);
  return status;
}

static SlStatus
read_member (SlArrays *arrays, const SlZip *zip, const SlZipMember *member)
{
  SlArray  array = { .fd = -1 };
  uint8_t *bytes;
  SlStatus status;

  if (!array_name (member, array.name))
    return SL_SUCCESS;
  if (!sl_arrays_known (array.name))
    {
      look_at_member (arrays, zip, member, &array);
      return SL_SUCCESS;
    }
  status = sl_zip_unpack (zip, member, SL_ROUTING_BUDGET - arrays->used, &bytes);
  if (!sl_ok (&status))
    return status;
  status = read_array (arrays, &array, bytes, member->size);
  free (bytes);
  return status;
}

/* Of members of other names only the header is unpacked. */
SlStatus
sl_arrays_open_npz (SlArrays *arrays, const char *path)
{
  uint8_t *bytes;
  size_t   size;
  SlZip    zip = { .n = 0 };
  SlStatus status = sl_bytes_file (path, SL_ROUTING_BUDGET, &bytes, &size);

  if (!sl_ok (&status))
    return status;
  status = sl_zip_read (&zip, path, bytes, size);
  for (unsigned i = 0; i < zip.n && sl_ok (&status); i++)
    status = read_member (arrays, &zip, &zip.member[i]);
  sl_zip_clear (&zip);
  free (bytes);
  return status;
}
