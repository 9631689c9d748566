/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "core/data/read/safetensors-header.h"
#include "core/data/routing/arrays/arrays.h"

enum { CHUNK = 1 << 16 };

/* Types of a tensor as those of an array. */
static const struct
{
  SlTensorType tensor;
  SlArrayType  array;
} types[] = {
  { SL_TENSOR_F64, SL_ARRAY_REALS },    { SL_TENSOR_F32, SL_ARRAY_REALS },
  { SL_TENSOR_F16, SL_ARRAY_REALS },    { SL_TENSOR_BF16, SL_ARRAY_BRAIN },
  { SL_TENSOR_I64, SL_ARRAY_INTEGERS }, { SL_TENSOR_I32, SL_ARRAY_INTEGERS },
  { SL_TENSOR_I16, SL_ARRAY_INTEGERS }, { SL_TENSOR_I8, SL_ARRAY_INTEGERS },
  { SL_TENSOR_U64, SL_ARRAY_NATURALS }, { SL_TENSOR_U32, SL_ARRAY_NATURALS },
  { SL_TENSOR_U16, SL_ARRAY_NATURALS }, { SL_TENSOR_U8, SL_ARRAY_NATURALS },
  { SL_TENSOR_BOOL, SL_ARRAY_TRUTHS },
};

/* Name, type and shape of a tensor; false for what no array here can be. */
static bool
describe (const SlTensorEntry *entry, SlArray *array)
{
  array->type = SL_ARRAY_OTHER;
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (types[i].tensor == entry->type)
      array->type = types[i].array;
  if (array->type == SL_ARRAY_OTHER || strlen (entry->name) >= sizeof array->name)
    return false;
  strcpy (array->name, entry->name);
  array->size = (unsigned) sl_tensor_type_size (entry->type);
  array->axes = entry->dims;
  for (unsigned a = 0; a < entry->dims; a++)
    array->shape[a] = entry->dim[a];
  return true;
}

static SlStatus
skip_bytes (SlBytes *bytes, uint64_t left)
{
  uint8_t  chunk[CHUNK];
  SlStatus status = SL_SUCCESS;

  while (left > 0 && sl_ok (&status))
    {
      size_t size = left < CHUNK ? (size_t) left : CHUNK;

      status = sl_bytes_exactly (bytes, chunk, size, sl_message ("the numbers of a tensor"));
      left -= size;
    }
  return status;
}

static SlStatus
read_entry (SlArrays *arrays, SlBytes *bytes, const SlTensorEntry *entry)
{
  SlArray  array = { .fd = -1 };
  uint64_t size = entry->end - entry->begin;
  uint8_t *to;
  SlStatus status;

  if (!describe (entry, &array))
    return skip_bytes (bytes, size);
  if (!sl_arrays_known (array.name))
    {
      sl_arrays_add_beside (arrays, &array);
      return skip_bytes (bytes, size);
    }
  status = sl_arrays_add (arrays, &array, &to);
  return sl_ok (&status)
           ? sl_bytes_exactly (bytes, to, (size_t) size, sl_message ("the numbers of a tensor"))
           : status;
}

SlStatus
sl_arrays_open_safetensors (SlArrays *arrays, const char *path)
{
  SlTensorHeader header;
  SlBytes       *bytes;
  SlStatus       status = sl_bytes_open (&bytes, path);

  if (!sl_ok (&status))
    return status;
  status = sl_tensor_header_read (&header, bytes);
  for (size_t i = 0; i < header.n && sl_ok (&status); i++)
    status = read_entry (arrays, bytes, &header.entry[header.order[i]]);
  if (sl_ok (&status))
    status = sl_bytes_end (bytes);
  sl_tensor_header_clear (&header);
  sl_bytes_close (bytes);
  return status;
}

bool
sl_arrays_likely_safetensors (const char *path)
{
  SlTensorHeader header;
  SlBytes       *bytes;
  SlStatus       status = sl_bytes_open (&bytes, path);
  bool           likely;

  if (!sl_ok (&status))
    return false;
  status = sl_tensor_header_read (&header, bytes);
  likely = !sl_ok (&status); /* its reader says what is wrong with it */
  for (size_t i = 0; i < header.n && !likely; i++)
    likely = sl_arrays_known (header.entry[i].name);
  sl_tensor_header_clear (&header);
  sl_bytes_close (bytes);
  return likely;
}
