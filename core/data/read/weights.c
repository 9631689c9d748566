/* SPDX-License-Identifier: MIT */
#include "core/data/read/weights.h"

#include <stdlib.h>
#include <string.h>

#include "core/data/read/containers/container.h"
#include "core/data/set/draft.h"
#include "core/data/text/bytes.h"
#include "core/data/text/text.h"

enum { HEAD = 1024, BLOCK = 4096 };

/* An array that is wanted, and its name without what stands before it. */
typedef struct
{
  SlArray    *array;
  const char *name;
} Wanted;

static SlStatus
find_container (const char *path, SlContainer *container)
{
  uint8_t  head[HEAD];
  size_t   size = 0;
  SlBytes *bytes;
  SlStatus status = sl_bytes_open (&bytes, path);

  if (sl_ok (&status))
    status = sl_bytes_some (bytes, head, sizeof head, &size);
  sl_bytes_close (bytes);
  *container = sl_ok (&status) ? sl_container_of (path, head, size) : SL_CONTAINER_NONE;
  return status;
}

/* The name from where it is wanted on, or NULL. */
static const char *
wanted_name (const SlArray *array, SlTensorWanted *wanted)
{
  const char *name = array->name;

  while (name != NULL && wanted != NULL && !wanted (name))
    {
      name = strchr (name, '.');
      name = name != NULL ? name + 1 : NULL;
    }
  return name;
}

static SlStatus
refuse_type (const char *path, const char *name)
{
  char shown[64];

  return sl_status_new (SL_EFORMAT, path,
                        sl_message ("%s: numbers of another type",
                                    sl_text_quote (name, strlen (name), shown, sizeof shown)),
                        sl_message ("F32, F16, BF16 or F64"));
}

static int
by_name (const void *a, const void *b)
{
  return strcmp (((const Wanted *) a)->name, ((const Wanted *) b)->name);
}

/* The wanted arrays by rising name (*n of them), new memory. */
static SlStatus
choose (const SlArrays *arrays, SlTensorWanted *wanted, Wanted **chosen, size_t *n, size_t *numbers,
        size_t *letters)
{
  *chosen = calloc (arrays->n + 1, sizeof **chosen);
  *n = *numbers = *letters = 0;
  if (*chosen == NULL)
    return sl_status_no_memory (arrays->path);
  for (unsigned i = 0; i < arrays->n; i++)
    {
      const char *name = wanted_name (&arrays->array[i], wanted);

      /* What was saved beside the weights, such as how often it was trained, is no weight. */
      if (name == NULL
          || (wanted == NULL && arrays->array[i].axes == 0 && !sl_array_real (&arrays->array[i])))
        continue;
      if (!sl_array_real (&arrays->array[i]))
        return refuse_type (arrays->path, name);
      (*chosen)[(*n)++] = (Wanted) { &arrays->array[i], name };
      *letters += strlen (name) + 1;
      if (arrays->array[i].n > SL_DATA_BUDGET / sizeof (sl_real) - *numbers)
        return sl_status_new (SL_ENOMEM, arrays->path,
                              sl_message ("more than %zu MiB of weights", SL_DATA_BUDGET >> 20),
                              sl_message ("at most %zu MiB", SL_DATA_BUDGET >> 20));
      *numbers += arrays->array[i].n;
    }
  qsort (*chosen, *n, sizeof **chosen, by_name);
  for (size_t i = 1; i < *n; i++)
    if (strcmp ((*chosen)[i].name, (*chosen)[i - 1].name) == 0)
      return sl_status_new (SL_EFORMAT, arrays->path, sl_message ("%.80s twice", (*chosen)[i].name),
                            sl_message ("one network"));
  return SL_SUCCESS;
}

static SlStatus
copy_numbers (SlArrays *arrays, SlArray *array, sl_real *to)
{
  double   block[BLOCK];
  SlStatus status = sl_array_load (arrays, array);

  for (uint64_t i = 0, n; i < array->n && sl_ok (&status); i += n)
    {
      n = array->n - i < BLOCK ? array->n - i : BLOCK;
      status = sl_array_reals (array, arrays->path, i, n, block);
      for (uint64_t j = 0; j < n; j++)
        to[i + j] = (sl_real) block[j];
    }
  return status;
}

static SlStatus
fill (SlArrays *arrays, const Wanted *chosen, size_t numbers, size_t letters, SlTensors *made)
{
  sl_real *data;
  char    *name;
  SlStatus status = SL_SUCCESS;

  made->subject = strdup (arrays->path);
  made->tensor = calloc (made->n + 1, sizeof *made->tensor);
  made->storage = malloc (numbers * sizeof (sl_real) + letters + 1);
  if (made->subject == NULL || made->tensor == NULL || made->storage == NULL)
    return sl_status_no_memory (arrays->path);
  data = made->storage;
  name = (char *) (data + numbers);
  for (size_t i = 0; i < made->n && sl_ok (&status); i++)
    {
      SlArray  *array = chosen[i].array;
      SlTensor *tensor = &made->tensor[i];

      *tensor = (SlTensor) { .name = name, .dims = array->axes, .n = array->n, .data = data };
      for (unsigned a = 0; a < array->axes; a++)
        tensor->dim[a] = array->shape[a];
      name = stpcpy (name, chosen[i].name) + 1;
      status = copy_numbers (arrays, array, data);
      data += array->n;
    }
  return status;
}

static SlStatus
open_arrays (SlTensors **tensors, SlArrays *arrays, SlTensorWanted *wanted)
{
  Wanted    *chosen = NULL;
  size_t     n, numbers, letters;
  SlTensors *made = NULL;
  SlStatus   status = choose (arrays, wanted, &chosen, &n, &numbers, &letters);

  if (sl_ok (&status))
    {
      made = calloc (1, sizeof *made);
      status = made != NULL ? SL_SUCCESS : sl_status_no_memory (arrays->path);
    }
  if (sl_ok (&status))
    {
      made->n = n;
      status = fill (arrays, chosen, numbers, letters, made);
    }
  free (chosen);
  if (sl_ok (&status))
    *tensors = made;
  else
    sl_tensors_free (made);
  return status;
}

SlStatus
sl_weights_open (SlTensors **tensors, const char *path, SlTensorWanted *wanted)
{
  SlContainer container;
  SlArrays    arrays;
  SlStatus    status = find_container (path, &container);

  *tensors = NULL;
  if (!sl_ok (&status))
    return status;
  if (container != SL_CONTAINER_TORCH && container != SL_CONTAINER_NPZ)
    container = SL_CONTAINER_SAFETENSORS; /* whose reader says what is wrong with it */
  sl_arrays_init (&arrays, path);
  status = sl_arrays_open (&arrays, path, container, NULL);
  if (sl_ok (&status))
    status = open_arrays (tensors, &arrays, wanted);
  sl_arrays_clear (&arrays);
  return status;
}

bool
sl_weights_likely (const char *path, SlTensorWanted *wanted)
{
  SlContainer container;
  SlArrays    arrays;
  bool        likely = false;
  SlStatus    status = find_container (path, &container);

  if (!sl_ok (&status) || container != SL_CONTAINER_TORCH)
    return false;
  sl_arrays_init (&arrays, path);
  status = sl_arrays_open (&arrays, path, container, NULL);
  for (unsigned i = 0; i < arrays.n && sl_ok (&status) && !likely; i++)
    likely = sl_array_real (&arrays.array[i]) && wanted_name (&arrays.array[i], wanted) != NULL;
  sl_arrays_clear (&arrays);
  return likely;
}
