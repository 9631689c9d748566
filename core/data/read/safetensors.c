/* SPDX-License-Identifier: MIT */
#include "core/data/read/safetensors.h"

#include <stdlib.h>
#include <string.h>

#include "core/data/read/containers/container.h"
#include "core/data/set/draft.h"
#include "core/data/text/text.h"

enum { CHUNK = 4096 /* numbers */ };

static bool
is_wanted (const SlArray *array, SlTensorWanted *wanted)
{
  return wanted == NULL || wanted (array->name);
}

static SlStatus
refuse_type (const char *path, const SlArray *array)
{
  char shown[64];

  return sl_status_new (
    SL_EFORMAT, path,
    sl_message ("%s: numbers of another type",
                sl_text_quote (array->name, strlen (array->name), shown, sizeof shown)),
    sl_message ("F32, F16, BF16 or F64"));
}

/* Memory for what is wanted: the numbers, then the names. */
static SlStatus
make_tensors (const SlArrays *arrays, SlTensorWanted *wanted, SlTensors *tensors, char **names)
{
  uint64_t numbers = 0;
  size_t   letters = 0, most = SL_DATA_BUDGET / sizeof (sl_real);

  for (unsigned i = 0; i < arrays->n; i++)
    {
      const SlArray *array = &arrays->array[i];

      if (!is_wanted (array, wanted))
        continue;
      if (!sl_array_real (array))
        return refuse_type (arrays->path, array);
      if (array->n > most - numbers)
        return sl_status_new (SL_ENOMEM, arrays->path,
                              sl_message ("more than %zu MiB of weights", SL_DATA_BUDGET >> 20),
                              sl_message ("at most %zu MiB", SL_DATA_BUDGET >> 20));
      tensors->n++;
      numbers += array->n;
      letters += strlen (array->name) + 1;
    }
  tensors->subject = strdup (arrays->path);
  tensors->tensor = calloc (tensors->n + 1, sizeof *tensors->tensor);
  tensors->storage = malloc (numbers * sizeof (sl_real) + letters + 1);
  if (tensors->subject == NULL || tensors->tensor == NULL || tensors->storage == NULL)
    return sl_status_no_memory (arrays->path);
  *names = (char *) tensors->storage + numbers * sizeof (sl_real);
  return SL_SUCCESS;
}

static SlStatus
read_numbers (const SlArrays *arrays, const SlArray *array, sl_real *to)
{
  double   chunk[CHUNK];
  SlStatus status = SL_SUCCESS;

  for (uint64_t at = 0, n; at < array->n && sl_ok (&status); at += n)
    {
      n = array->n - at < CHUNK ? array->n - at : CHUNK;
      status = sl_array_reals (array, arrays->path, at, (size_t) n, chunk);
      for (size_t i = 0; sl_ok (&status) && i < n; i++)
        to[at + i] = (sl_real) chunk[i];
    }
  return status;
}

static int
by_name (const void *a, const void *b)
{
  return strcmp (((const SlTensor *) a)->name, ((const SlTensor *) b)->name);
}

static SlStatus
read_tensors (const SlArrays *arrays, SlTensorWanted *wanted, SlTensors *tensors)
{
  SlTensor *tensor;
  sl_real  *to;
  char     *name = NULL;
  SlStatus  status = make_tensors (arrays, wanted, tensors, &name);

  tensor = tensors->tensor;
  to = tensors->storage;
  for (unsigned i = 0; i < arrays->n && sl_ok (&status); i++)
    {
      const SlArray *array = &arrays->array[i];

      if (!is_wanted (array, wanted))
        continue;
      *tensor = (SlTensor) { .name = name, .dims = array->axes, .n = array->n, .data = to };
      for (unsigned a = 0; a < array->axes; a++)
        tensor->dim[a] = array->shape[a];
      status = read_numbers (arrays, array, to);
      name = stpcpy (name, array->name) + 1;
      to += array->n;
      tensor++;
    }
  if (sl_ok (&status))
    qsort (tensors->tensor, tensors->n, sizeof *tensors->tensor, by_name);
  return status;
}

SlStatus
sl_safetensors_open (SlTensors **tensors, const char *path, SlTensorWanted *wanted)
{
  SlTensors *made = calloc (1, sizeof *made);
  SlArrays   arrays;
  SlStatus   status;

  *tensors = NULL;
  sl_arrays_init (&arrays, path);
  status = made != NULL ? sl_safetensors_arrays_open (&arrays, path) : sl_status_no_memory (path);
  if (sl_ok (&status))
    status = read_tensors (&arrays, wanted, made);
  sl_arrays_clear (&arrays);
  if (sl_ok (&status))
    *tensors = made;
  else
    sl_tensors_free (made);
  return status;
}
