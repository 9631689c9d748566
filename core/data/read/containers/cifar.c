/* SPDX-License-Identifier: MIT
 *
 * Records of CIFAR-10, a label and 3 x 32 x 32 bytes, and of CIFAR-100, a coarse and a fine label before them.  */
#include <string.h>

#include "core/data/read/containers/container.h"
#include "core/data/read/containers/source.h"

enum { SIDE = 32, CHANNELS = 3, PIXELS = CHANNELS * SIDE * SIDE, MOST_LABELS = 2 };

/* The labels of a record, in their order. */
typedef struct
{
  unsigned    labels;
  const char *name[MOST_LABELS];
  uint8_t     below[MOST_LABELS];
} Kind;

static const Kind kinds[]
  = { { 1, { "labels" }, { 10 } }, { 2, { "coarse", "labels" }, { 20, 100 } } };

bool
sl_cifar_arrays_likely (const uint8_t *head, size_t size)
{
  return size > 1 + PIXELS && head[0] < kinds[0].below[0] && head[1 + PIXELS] < kinds[0].below[0];
}

static SlStatus
add_images (SlArrays *arrays, uint64_t n, uint64_t record)
{
  SlArray *array;
  SlStatus status = sl_arrays_add (arrays, "images", strlen ("images"), &array);

  if (!sl_ok (&status))
    return status;
  array->type = SL_ARRAY_NATURALS;
  array->size = 1;
  array->axes = 4;
  memcpy (array->shape, (const uint64_t[]) { n, CHANNELS, SIDE, SIDE }, 4 * sizeof (uint64_t));
  memcpy (array->stride, (const uint64_t[]) { record, SIDE * SIDE, SIDE, 1 },
          4 * sizeof (uint64_t));
  array->strided = true;
  return sl_arrays_place (arrays, array, record - PIXELS);
}

/* One label of each record; *fit: none is too large. */
static SlStatus
add_labels (SlArrays *arrays, const Kind *kind, unsigned which, uint64_t n, bool *fit)
{
  SlArray *array;
  SlStatus status = sl_arrays_add (arrays, kind->name[which], strlen (kind->name[which]), &array);

  if (!sl_ok (&status))
    return status;
  array->type = SL_ARRAY_NATURALS;
  array->size = 1;
  array->axes = 1;
  array->shape[0] = n;
  array->stride[0] = kind->labels + PIXELS;
  array->strided = true;
  status = sl_arrays_place (arrays, array, which);
  if (sl_ok (&status))
    status = sl_array_load (arrays, array);
  for (uint64_t i = 0; i < n && sl_ok (&status); i++)
    *fit = *fit && array->bytes[i] < kind->below[which];
  return status;
}

/* Whether the file is of that kind, whose arrays are then there. */
static SlStatus
try_kind (SlArrays *arrays, const Kind *kind, bool *fits)
{
  uint64_t record = kind->labels + PIXELS, n = arrays->size / record;
  SlStatus status;

  *fits = n > 0 && arrays->size % record == 0;
  if (!*fits)
    return SL_SUCCESS;
  status = add_images (arrays, n, record);
  for (unsigned i = 0; i < kind->labels && sl_ok (&status); i++)
    status = add_labels (arrays, kind, i, n, fits);
  return status;
}

SlStatus
sl_cifar_arrays_open (SlArrays *arrays, const char *path)
{
  bool     fits = false;
  SlStatus status = sl_arrays_source (arrays);

  for (size_t i = 0; i < sizeof kinds / sizeof *kinds && sl_ok (&status) && !fits; i++)
    {
      sl_arrays_drop (arrays);
      status = try_kind (arrays, &kinds[i], &fits);
    }
  if (!sl_ok (&status) || fits)
    return status;
  return sl_status_new (SL_EFORMAT, path,
                        sl_message ("%llu bytes", (unsigned long long) arrays->size),
                        sl_message ("records of CIFAR, 3073 or 3074 bytes each"));
}
