/* SPDX-License-Identifier: MIT
 *
 * The header of a .npy array (numpy.lib.format): a Python dictionary of descr, fortran_order and
 * shape, read by a parser of just that grammar and never evaluated.  */
#pragma once

#include "core/data/read/containers/array.h"

enum {
  SL_NPY_HEAD = 12,            /* bytes that tell how long the header is */
  SL_NPY_HEADER_MAX = 1 << 20, /* ours */
};

/* True when the first bytes of a file look like one. */
bool sl_npy_likely (const uint8_t *head, size_t size);

/* Bytes up to the numbers, from the first `size` >= 10 of a file; 0: it is no header that can be read,
 * SL_EFORMAT says why.  */
SlStatus sl_npy_length (const uint8_t *head, size_t size, const char *path, size_t *length);

/* Reads a header of `length` bytes, that sl_npy_length() told, into type, size, byte order, shape and, where
 * columns come first, strides.  SL_EFORMAT: not this grammar, an extent beyond 2^63.  Objects and other types
 * are told by array->type; of records no size is known; TEXTS have the size of one.  */
SlStatus sl_npy_header (const uint8_t *header, size_t length, const char *path, SlArray *array);

/* Reads the header whose file or member of an archive begins with the `n` bytes of `head`, SL_NPY_READ of them or
 * all that there are, into `array`, and how long it is.  SL_EFORMAT.  */
enum { SL_NPY_READ = 1 << 13 };
SlStatus sl_npy_describe (SlArrays *arrays, SlArray *array, const uint8_t *head, size_t n,
                          size_t *length);

/* Reads the TEXTS of an array, whose place in the file or in `from` is known, into codes and what they stand for;
 * an array of more than SL_NPY_TEXTS_MAX bytes becomes OTHER.  SL_EFORMAT, SL_EIO, SL_ENOMEM.  */
enum { SL_NPY_TEXTS_MAX = 1 << 26 };
SlStatus sl_npy_texts (SlArrays *arrays, SlArray *array);

/* Whether numbers of one byte, of a type that NumPy has no own name for, are those of float8. */
bool sl_npy_float8 (const SlArray *array);
