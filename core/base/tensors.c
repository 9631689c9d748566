/* SPDX-License-Identifier: MIT */
#include "core/base/tensors.h"

#include <stdlib.h>
#include <string.h>

static int
compare_names (const void *name, const void *tensor)
{
  return strcmp (name, ((const SlTensor *) tensor)->name);
}

const SlTensor *
sl_tensors_find (const SlTensors *tensors, const char *name)
{
  if (tensors->n == 0)
    return NULL;
  return bsearch (name, tensors->tensor, tensors->n, sizeof *tensors->tensor, compare_names);
}

void
sl_tensors_free (SlTensors *tensors)
{
  if (tensors == NULL)
    return;
  free (tensors->subject);
  free (tensors->tensor);
  free (tensors->storage);
  free (tensors);
}

bool
sl_tensor_is_image_layer (const char *name)
{
  return strncmp (name, "conv", 4) == 0 || strncmp (name, "fire", 4) == 0
         || strncmp (name, "features.", 9) == 0;
}
