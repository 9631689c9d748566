/* SPDX-License-Identifier: MIT
 *
 * Reads .safetensors files, raw or gzip: a header of JSON that gives each tensor a type, a shape
 * and its place in the block of numbers that follows (huggingface.co/docs/safetensors, "Format").
 * Nothing in a file is trusted; a file that does not follow the format to the letter is refused,
 * with the byte where it goes wrong.
 *
 * Types F64, F32, F16 and BF16 are converted.  Tensors of other types may be in a file as long as
 * the caller does not want them.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/status.h"
#include "core/base/tensors.h"

/* Whether the caller wants the tensor of that name. */
typedef bool SlTensorWanted (const char *name);

/* Reads the tensors that are `wanted` (NULL: all); a large file of which few are costs only the
 * time to read it.  SL_EIO; SL_EFORMAT: header too long, malformed, with a name twice or empty, an
 * unknown type; a shape whose product does not agree with its place or does not fit into memory;
 * places that overlap, leave gaps or do not end with the file; broken or cut-off gzip; a wanted
 * tensor of another type.  SL_ENOMEM: what is wanted exceeds SL_DATA_BUDGET (nothing was
 * allocated for it).  On failure *tensors is NULL.  */
SlStatus sl_safetensors_open (SlTensors **tensors, const char *path, SlTensorWanted *wanted);

/* True when the first bytes of a file look like one. */
bool sl_safetensors_likely (const uint8_t *head, size_t size);
