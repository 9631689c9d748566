/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/data/read/containers/array.h"
#include "core/data/text/grow.h"
#include "core/data/text/text.h"

void
sl_arrays_init (SlArrays *arrays, const char *path)
{
  *arrays = (SlArrays) { .path = path, .fd = -1, .budget = SL_ARRAYS_BUDGET };
}

static void
clear_array (SlArray *array)
{
  if (array->owned)
    free (array->bytes);
  for (uint32_t i = 0; i < array->n_texts; i++)
    free (array->text[i]);
  free (array->text);
  free (array->piece);
  free (array->record);
}

void
sl_arrays_drop (SlArrays *arrays)
{
  for (unsigned i = 0; i < arrays->n; i++)
    {
      if (arrays->array[i].owned)
        arrays->used -= arrays->array[i].n * arrays->array[i].size;
      clear_array (&arrays->array[i]);
    }
  arrays->n = 0;
}

void
sl_arrays_clear (SlArrays *arrays)
{
  sl_arrays_drop (arrays);
  free (arrays->array);
  free (arrays->unpacked);
  if (arrays->fd >= 0)
    close (arrays->fd);
  sl_arrays_init (arrays, arrays->path);
}

void
sl_arrays_note (SlArrays *arrays, SlMessage note)
{
  if (arrays->n_notes < SL_ARRAYS_NOTES)
    arrays->note[arrays->n_notes++] = note;
}

SlStatus
sl_arrays_add (SlArrays *arrays, const char *name, size_t length, SlArray **array)
{
  unsigned most = arrays->columns ? SL_COLUMNS_MAX : SL_ARRAYS_MAX;

  *array = NULL;
  if (arrays->n == most)
    return sl_status_new (SL_EFORMAT, arrays->path,
                          arrays->columns ? sl_message ("more than %u columns", most)
                                          : sl_message ("more than %u arrays", most),
                          sl_message ("at most %u", most));
  if (!sl_grow (&arrays->array, &arrays->room, arrays->n + 1, sizeof **array))
    return sl_status_no_memory (arrays->path);
  *array = &arrays->array[arrays->n++];
  **array = (SlArray) { .fd = -1 };
  sl_text_printable (name, length, (*array)->name, sizeof (*array)->name);
  return SL_SUCCESS;
}

SlArray *
sl_arrays_find (const SlArrays *arrays, const char *name)
{
  for (unsigned i = 0; i < arrays->n; i++)
    if (strcmp (arrays->array[i].name, name) == 0)
      return &arrays->array[i];
  return NULL;
}

SlStatus
sl_array_reserve (SlArrays *arrays, SlArray *array)
{
  uint64_t bytes;

  if (!sl_array_extent (array, &bytes) || bytes > arrays->budget - arrays->used)
    return sl_status_new (SL_ENOMEM, arrays->path,
                          sl_message ("more than %zu MiB of numbers", arrays->budget >> 20),
                          sl_message ("fewer"));
  array->bytes = malloc (bytes + 1);
  if (array->bytes == NULL)
    return sl_status_no_memory (arrays->path);
  array->owned = true;
  arrays->used += bytes;
  return SL_SUCCESS;
}
