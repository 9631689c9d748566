/* SPDX-License-Identifier: MIT
 *
 * Arrays of numbers as files have them: a name, a type, a shape and bytes, which are in memory or,
 * of a plain .npy, in the file.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/status.h"

enum { SL_ARRAY_AXES = 8 };

typedef enum {
  SL_ARRAY_INTEGERS, /* with a sign */
  SL_ARRAY_NATURALS, /* without */
  SL_ARRAY_REALS,
  SL_ARRAY_BRAIN, /* bfloat16: the upper half of a single */
  SL_ARRAY_TRUTHS,
  SL_ARRAY_OTHER,   /* texts, dates, …: passed over */
  SL_ARRAY_OBJECTS, /* a pickle: never loaded */
} SlArrayType;

typedef struct
{
  char        name[64]; /* "" in a plain .npy */
  SlArrayType type;
  unsigned    size; /* bytes of a number: 1, 2, 4 or 8 */
  bool        big;  /* the highest byte first */
  unsigned    axes;
  uint64_t    shape[SL_ARRAY_AXES];
  uint64_t    n; /* numbers: the product of the shape */

  uint8_t *bytes; /* (n * size), or NULL: they are in the file */
  int      fd;
  uint64_t place; /* of the file, where they begin */
} SlArray;

/* Copies `n` numbers from number `first` on.  Bytes in the file are read; SL_EIO, SL_EFORMAT: the file
 * has become shorter.  Naturals beyond 2^63 become -2.  */
SlStatus sl_array_integers (const SlArray *array, const char *path, uint64_t first, size_t n,
                            int64_t *to);
/* The same of numbers that should be below `below`, at most 2^16 - 1: *are says whether all are, without
 * which they are of no use.  */
SlStatus sl_array_indices (const SlArray *array, const char *path, uint64_t first, size_t n,
                           unsigned below, uint16_t *to, bool *are);

SlStatus sl_array_reals (const SlArray *array, const char *path, uint64_t first, size_t n,
                         double *to);

static inline bool
sl_array_whole (const SlArray *array)
{
  return array->type == SL_ARRAY_INTEGERS || array->type == SL_ARRAY_NATURALS;
}

static inline bool
sl_array_real (const SlArray *array)
{
  return array->type == SL_ARRAY_REALS || array->type == SL_ARRAY_BRAIN;
}

/* The product of the shape times the size of a number; false if it does not fit into 63 bits. */
bool sl_array_extent (SlArray *array, uint64_t *bytes);
