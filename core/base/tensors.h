/* SPDX-License-Identifier: MIT
 *
 * Named blocks of numbers: the weights of a network that another program trained.  A reader
 * (core/data/read/weights.h) makes them, a network is built from them.  Immutable once
 * made.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/base/real.h"

enum { SL_TENSOR_DIMS = 8 }; /* most dimensions of one */

typedef struct
{
  const char    *name;                /* UTF-8 that can be shown */
  unsigned       dims;                /* at most SL_TENSOR_DIMS; 0 is a single number */
  size_t         dim[SL_TENSOR_DIMS]; /* the last one runs fastest */
  size_t         n;                   /* their product */
  const sl_real *data;                /* (n) */
} SlTensor;

typedef struct SlTensors
{
  char     *subject; /* where they are from, for failures: the path of the file */
  SlTensor *tensor;  /* (n) by rising name, no two alike */
  size_t    n;
  void     *storage; /* names and numbers lie in it */
} SlTensors;

/* The tensor of that name, or NULL. */
const SlTensor *sl_tensors_find (const SlTensors *tensors, const char *name);

/* Whether layers of the published image networks (VGG, torchvision's VGG, SqueezeNet) have a tensor of
 * that name: a reader may skip the others.  */
bool sl_tensor_is_image_layer (const char *name);

/* Frees them; NULL is fine. */
void sl_tensors_free (SlTensors *tensors);
