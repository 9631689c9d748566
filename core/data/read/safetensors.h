/* SPDX-License-Identifier: MIT
 *
 * Weights from .safetensors files, raw or gzip.  A file that does not follow the format to the letter is refused.
 * Types F64, F32, F16 and BF16 are converted.  Tensors of other types may be in a file as long as
 * the caller does not want them.  */
#pragma once

#include <stdbool.h>

#include "core/base/status.h"
#include "core/base/tensors.h"

/* Whether the caller wants the tensor of that name. */
typedef bool SlTensorWanted (const char *name);

/* Reads the tensors that are `wanted` (NULL: all); a large file of which few are costs nothing
 * but the look at its header.  SL_EIO; SL_EFORMAT: header too long, malformed, with a name twice or empty, an
 * unknown type; a shape whose product does not agree with its place or does not fit into memory;
 * places that overlap, leave gaps or do not end with the file; broken or cut-off gzip; a wanted
 * tensor of another type.  SL_ENOMEM: what is wanted exceeds SL_DATA_BUDGET (nothing was
 * allocated for it).  On failure *tensors is NULL.  */
SlStatus sl_safetensors_open (SlTensors **tensors, const char *path, SlTensorWanted *wanted);
