/* SPDX-License-Identifier: MIT
 *
 * Arrays that a program has in memory.  */
#include "core/data/read/containers/npy-header.h"
#include "core/data/read/containers/source.h"

static bool
is_known (const SlArray *array)
{
  unsigned size = array->size;

  if (array->type == SL_ARRAY_TEXTS)
    return size > 0 && size % 4 == 0;
  if (size != 1 && size != 2 && size != 4 && size != 8)
    return false;
  return sl_array_whole (array) || (array->type == SL_ARRAY_REALS && size > 1)
         || (array->type == SL_ARRAY_TRUTHS && size == 1);
}

/* Whether numbers that follow one another along the axes have these strides. */
static bool
is_plain (const SlArray *array)
{
  uint64_t step = 1;

  for (unsigned a = array->axes; a-- > 0; step *= array->shape[a])
    if (array->shape[a] > 1 && array->stride[a] != step)
      return false;
  return true;
}

static SlStatus
refuse_stride (const SlArrays *arrays, const SlArray *array, int64_t bytes, unsigned axis)
{
  return sl_status_line (
    sl_array_refuse (arrays, array,
                     sl_message ("steps of %lld bytes along axis %u", (long long) bytes, axis),
                     sl_message ("0 or more, and a multiple of %u", array->size)),
    "np.ascontiguousarray (a)");
}

static SlStatus
take_strides (const SlArrays *arrays, SlArray *array, const int64_t *strides)
{
  for (unsigned a = 0; a < array->axes; a++)
    {
      if (strides[a] < 0 || strides[a] % array->size != 0)
        return refuse_stride (arrays, array, strides[a], a);
      array->stride[a] = (uint64_t) strides[a] / array->size;
    }
  array->strided = array->n > 0 && !is_plain (array);
  return SL_SUCCESS;
}

SlStatus
sl_array_lend (SlArrays *arrays, SlArray *array, const void *numbers, const int64_t *strides)
{
  static const uint8_t none;
  uint64_t             bytes;
  SlStatus             status = SL_SUCCESS;

  if (!is_known (array))
    return sl_array_refuse (arrays, array, sl_message ("numbers of %u bytes each", array->size),
                            sl_message ("whole numbers of 1, 2, 4 or 8 bytes, reals of 2, 4 or 8"));
  if (!sl_array_extent (array, &bytes) || array->n > SL_LENT_MOST)
    return sl_array_refuse (arrays, array, sl_message ("too many numbers"),
                            sl_message ("at most %llu", (unsigned long long) SL_LENT_MOST));
  if (array->n > 0 && numbers == NULL)
    return sl_array_refuse (arrays, array, sl_message ("no memory"),
                            sl_message ("%llu numbers", (unsigned long long) array->n));
  array->big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
  array->bytes = numbers != NULL ? (uint8_t *) numbers : (uint8_t *) &none;
  if (strides != NULL)
    status = take_strides (arrays, array, strides);
  if (!sl_ok (&status) || array->type != SL_ARRAY_TEXTS)
    return status;
  if (array->strided)
    return sl_array_refuse (arrays, array, sl_message ("texts with gaps"),
                            sl_message ("texts in rows"));
  return sl_npy_texts (arrays, array);
}
