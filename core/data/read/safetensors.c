/* SPDX-License-Identifier: MIT */
#include "core/data/read/safetensors.h"

#include <stdlib.h>
#include <string.h>

#include "core/data/read/containers/safetensors-header.h"
#include "core/data/set/draft.h"
#include "core/data/text/bytes.h"
#include "core/data/text/half.h"
#include "core/data/text/text.h"

enum { CHUNK = 1 << 16 };

bool
sl_safetensors_likely (const uint8_t *head, size_t size)
{
  return size >= 9 && head[8] == '{' && sl_little_endian (head, 8) <= SL_TENSOR_HEADER_MAX;
}

/* Memory for the wanted tensors: their numbers, then their names. */
static SlStatus
make_tensors (const SlTensorHeader *header, SlTensorWanted *wanted, const char *path,
              SlTensors *tensors)
{
  size_t numbers = 0, names = 0;
  char  *name;

  for (size_t i = 0; i < header->n; i++)
    {
      SlTensorEntry *entry = &header->entry[i];

      entry->wanted = wanted == NULL || wanted (entry->name);
      if (!entry->wanted)
        continue;
      if (!sl_tensor_type_real (entry->type))
        return sl_tensor_entry_fail (path, entry, sl_message ("numbers of another type"),
                                     sl_message ("F32, F16, BF16 or F64"));
      if (entry->n > SL_DATA_BUDGET / sizeof (sl_real) - numbers)
        return sl_status_new (SL_ENOMEM, path,
                              sl_message ("more than %zu MiB of weights", SL_DATA_BUDGET >> 20),
                              sl_message ("at most %zu MiB", SL_DATA_BUDGET >> 20));
      tensors->n++;
      numbers += entry->n;
      names += strlen (entry->name) + 1;
    }
  tensors->subject = strdup (path);
  tensors->tensor = calloc (tensors->n + 1, sizeof *tensors->tensor);
  tensors->storage = malloc (numbers * sizeof (sl_real) + names + 1);
  if (tensors->subject == NULL || tensors->tensor == NULL || tensors->storage == NULL)
    return sl_status_no_memory (path);

  name = (char *) tensors->storage + numbers * sizeof (sl_real);
  numbers = 0;
  for (size_t i = 0, t = 0; i < header->n; i++)
    {
      SlTensorEntry *entry = &header->entry[i];
      SlTensor      *tensor = &tensors->tensor[t];

      if (!entry->wanted)
        continue;
      entry->to = (sl_real *) tensors->storage + numbers;
      *tensor = (SlTensor) { .name = name, .dims = entry->dims, .n = entry->n, .data = entry->to };
      memcpy (tensor->dim, entry->dim, sizeof tensor->dim);
      name = stpcpy (name, entry->name) + 1;
      numbers += entry->n;
      t++;
    }
  return SL_SUCCESS;
}

static sl_real
number_at (SlTensorType type, const uint8_t *at)
{
  uint64_t bits = sl_little_endian (at, sl_tensor_type_size (type));
  uint32_t single = (uint32_t) bits;
  float    f;
  double   d;

  switch (type)
    {
    case SL_TENSOR_F64: memcpy (&d, &bits, sizeof d); return (sl_real) d;
    case SL_TENSOR_F16: return (sl_real) sl_half_to_double ((uint16_t) bits);
    case SL_TENSOR_BF16: single <<= 16; break;
    default: break;
    }
  memcpy (&f, &single, sizeof f);
  return (sl_real) f;
}

/* Reads the bytes of one tensor, and keeps them as numbers if the caller wants the tensor. */
static SlStatus
read_numbers (SlBytes *bytes, const SlTensorEntry *entry, uint8_t *chunk)
{
  size_t   each = sl_tensor_type_size (entry->type);
  uint64_t left = entry->end - entry->begin;
  sl_real *to = entry->to;
  char     shown[80];

  sl_text_quote (entry->name, strlen (entry->name), shown, sizeof shown);
  while (left > 0)
    {
      size_t   size = left < CHUNK ? (size_t) left : CHUNK;
      SlStatus status
        = sl_bytes_exactly (bytes, chunk, size, sl_message ("the numbers of %s", shown));

      if (!sl_ok (&status))
        return status;
      for (size_t i = 0; entry->wanted && i < size; i += each)
        *to++ = number_at (entry->type, chunk + i);
      left -= size;
    }
  return SL_SUCCESS;
}

/* In the order in which they lie in the file. */
static SlStatus
read_tensors (SlBytes *bytes, const SlTensorHeader *header)
{
  uint8_t *chunk = malloc (CHUNK);
  SlStatus status = SL_SUCCESS;

  if (chunk == NULL)
    return sl_status_no_memory (sl_bytes_path (bytes));
  for (size_t i = 0; i < header->n && sl_ok (&status); i++)
    status = read_numbers (bytes, &header->entry[header->order[i]], chunk);
  free (chunk);
  return sl_ok (&status) ? sl_bytes_end (bytes) : status;
}

static SlStatus
read_file (SlBytes *bytes, SlTensorWanted *wanted, SlTensors *tensors)
{
  SlTensorHeader header;
  SlStatus       status = sl_tensor_header_read (&header, bytes);

  if (sl_ok (&status))
    status = make_tensors (&header, wanted, sl_bytes_path (bytes), tensors);
  if (sl_ok (&status))
    status = read_tensors (bytes, &header);
  sl_tensor_header_clear (&header);
  return status;
}

SlStatus
sl_safetensors_open (SlTensors **tensors, const char *path, SlTensorWanted *wanted)
{
  SlTensors *made;
  SlBytes   *bytes;
  SlStatus   status = sl_bytes_open (&bytes, path);

  *tensors = NULL;
  if (!sl_ok (&status))
    return status;
  made = calloc (1, sizeof *made);
  status = made != NULL ? read_file (bytes, wanted, made) : sl_status_no_memory (path);
  sl_bytes_close (bytes);
  if (sl_ok (&status))
    *tensors = made;
  else
    sl_tensors_free (made);
  return status;
}
