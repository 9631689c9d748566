/* SPDX-License-Identifier: MIT
 *
 * Texts of JSON, and the arrays of numbers that some writers put into them.  */
#pragma once

#include "core/data/read/containers/array.h"

/* Writes the text as it is meant to `to`, of n + 1 bytes: escapes resolved, '?' for broken UTF-8 and zero bytes, a zero
 * byte behind it.  Returns its length.  */
size_t sl_json_unescape (const char *text, size_t n, char *to);

/* Whether a text is the base 64 of a .npy. */
bool sl_json_is_npy (const char *text, size_t n);

/* The array in `size` bytes of a .npy, which `array` points into.  SL_EFORMAT with `path`. */
SlStatus sl_json_npy (uint8_t *bytes, size_t size, const char *path, SlArray *array);

/* Type and size of numbers by their name: "int32", "<i4", "torch.float16", "bfloat16".  False: another. */
bool sl_json_dtype (const char *name, size_t n, SlArray *array);
