/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "core/data/read/containers/container.h"
#include "core/data/read/containers/safetensors-header.h"
#include "core/data/read/containers/source.h"

/* Types of a tensor as those of an array. */
static const SlArrayType types[] = {
  [SL_TENSOR_F64] = SL_ARRAY_REALS,    [SL_TENSOR_F32] = SL_ARRAY_REALS,
  [SL_TENSOR_F16] = SL_ARRAY_REALS,    [SL_TENSOR_BF16] = SL_ARRAY_BRAIN,
  [SL_TENSOR_I64] = SL_ARRAY_INTEGERS, [SL_TENSOR_I32] = SL_ARRAY_INTEGERS,
  [SL_TENSOR_I16] = SL_ARRAY_INTEGERS, [SL_TENSOR_I8] = SL_ARRAY_INTEGERS,
  [SL_TENSOR_U64] = SL_ARRAY_NATURALS, [SL_TENSOR_U32] = SL_ARRAY_NATURALS,
  [SL_TENSOR_U16] = SL_ARRAY_NATURALS, [SL_TENSOR_U8] = SL_ARRAY_NATURALS,
  [SL_TENSOR_BOOL] = SL_ARRAY_TRUTHS,  [SL_TENSOR_OTHER_1] = SL_ARRAY_OTHER,
};

static SlStatus
take_entry (SlArrays *arrays, const SlTensorEntry *entry, uint64_t begin)
{
  SlArray *array;
  SlStatus status = sl_arrays_add (arrays, entry->name, strlen (entry->name), &array);

  if (!sl_ok (&status))
    return status;
  array->type = types[entry->type];
  array->size = (unsigned) sl_tensor_type_size (entry->type);
  array->axes = entry->dims;
  for (unsigned a = 0; a < entry->dims; a++)
    array->shape[a] = entry->dim[a];
  if (array->type == SL_ARRAY_OTHER)
    sl_arrays_note (arrays, sl_message ("%s: float8", array->name));
  return sl_arrays_place (arrays, array, begin + entry->begin);
}

static SlStatus
read_header (SlTensorHeader *header, const char *path, uint64_t *begin)
{
  SlBytes *bytes;
  SlStatus status = sl_bytes_open (&bytes, path);

  if (!sl_ok (&status))
    return status;
  status = sl_tensor_header_read (header, bytes);
  *begin = sl_bytes_position (bytes);
  sl_bytes_close (bytes);
  return status;
}

SlStatus
sl_safetensors_arrays_open (SlArrays *arrays, const char *path)
{
  SlTensorHeader header = { 0 };
  uint64_t       begin = 0;
  SlStatus       status;

  arrays->path = path;
  status = read_header (&header, path, &begin);
  if (sl_ok (&status))
    status = sl_arrays_source (arrays);
  for (size_t i = 0; i < header.n && sl_ok (&status); i++)
    status = take_entry (arrays, &header.entry[header.order[i]], begin);
  sl_tensor_header_clear (&header);
  return sl_ok (&status) ? sl_arrays_differ (arrays) : status;
}
