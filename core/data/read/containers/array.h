/* SPDX-License-Identifier: MIT
 *
 * Named arrays, which every container of numbers is read into: .npy, .npz, .safetensors, .gguf, files
 * of torch.save, IDX and CIFAR as they lie in the file; tables and JSON as columns, row by row.  What an
 * array means is not known here.
 *
 * Containers trust nothing in a file: sizes, indices, depth, places and names are checked, and nothing
 * in a file can run.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/message.h"
#include "core/base/status.h"

enum {
  SL_ARRAY_AXES = 8,
  SL_ARRAY_NAME = 160,
  SL_ARRAYS_MAX = 4096,     /* of one file */
  SL_COLUMNS_MAX = 1 << 16, /* of one table */
  SL_ARRAYS_NOTES = 4,
};

/* The code of a text that is not there, and the integer where a list is shorter than the longest; a real
 * is NaN in both cases.  */
#define SL_NO_TEXT UINT32_MAX
#define SL_NO_INTEGER (-1)

typedef enum {
  SL_ARRAY_INTEGERS, /* with a sign */
  SL_ARRAY_NATURALS, /* without */
  SL_ARRAY_REALS,
  SL_ARRAY_BRAIN, /* bfloat16: the upper half of a single */
  SL_ARRAY_TRUTHS,
  SL_ARRAY_TEXTS,   /* codes of 4 bytes into `text`, or SL_NO_TEXT */
  SL_ARRAY_OTHER,   /* dates, float8, records, …: known by name and shape alone */
  SL_ARRAY_OBJECTS, /* a pickle: never loaded */
} SlArrayType;

typedef struct
{
  char name[SL_ARRAY_NAME]; /* printable UTF-8: of the member, the tensor, the column ("" without
                                    * a heading), or the path of a member of JSON ("choices.routed") */
  SlArrayType type;
  unsigned    size; /* bytes of a number: 1, 2, 4 or 8 */
  bool        big;  /* the highest byte first */
  unsigned    axes;
  uint64_t    shape[SL_ARRAY_AXES];
  uint64_t    n; /* numbers: the product of the shape */

  uint8_t *bytes; /* (n * size), or NULL: still in the file */
  bool     owned; /* free()d with the array */

  /* In the file. */
  int      fd;     /* of SlArrays, or -1 */
  uint64_t place;  /* where the numbers, or what they are packed in, begin */
  uint64_t packed; /* bytes of raw deflate from there on, 0: plain */
  uint64_t skip;   /* of a member of an archive: its unpacked bytes before the numbers */
  uint32_t crc;    /* and of all its unpacked bytes, where `skip` > 0 */
  bool     strided;
  uint64_t stride
    [SL_ARRAY_AXES]; /* in numbers, of an array whose rows do not follow one another, also in memory */

  /* Of JSON, where a row has lists of lists, or lies in a list of objects: how much of the first axis each row brought,
   * and which record it was of, see container.h; else NULL, and row i is of record i.  */
  uint32_t *piece, *record; /* (pieces) */
  size_t    pieces;

  char   **text; /* (n_texts) TEXTS: in the order of appearance */
  uint32_t n_texts;
  uint64_t missing;      /* of a column: cells without a value */
  uint64_t missing_line; /* of the first of them, where the file has lines, else 0 */
} SlArray;

/* The arrays of one file. */
typedef struct
{
  const char *path;  /* for failures; the caller's */
  SlArray    *array; /* (n) in the order of the file */
  unsigned    n;
  size_t      room;
  int         fd;
  uint8_t    *unpacked; /* (size) the file, where it was packed with gzip; else NULL */
  uint64_t    size;     /* of the (unpacked) file */
  size_t      used;     /* bytes in memory: `unpacked` and numbers */
  size_t      budget;   /* no more than so many */
  bool        lent;     /* they are a program's arrays and of no file, see sl_array_lend() */
  bool        columns;  /* one array a column; rows belong together */
  bool        headed;   /* and the columns have names of their own */
  uint64_t    rows;
  SlMessage   note[SL_ARRAYS_NOTES]; /* what was decided or left out, as sentences */
  unsigned    n_notes;
} SlArrays;

void sl_arrays_init (SlArrays *arrays, const char *path);
void sl_arrays_clear (SlArrays *arrays);

/* Forgets all arrays but stays open. */
void sl_arrays_drop (SlArrays *arrays);
void sl_arrays_note (SlArrays *arrays, SlMessage note);

/* A new array, all zeros with fd -1, and a printable copy of its name.  SL_EFORMAT: more than SL_ARRAYS_MAX;
 * SL_ENOMEM.  It holds until the next call.  */
SlStatus sl_arrays_add (SlArrays *arrays, const char *name, size_t length, SlArray **array);

/* The array of this name, or NULL. */
SlArray *sl_arrays_find (const SlArrays *arrays, const char *name);

/* Gives an array whose type, size and shape are set numbers of the caller's, in the order of the machine's bytes, which
 * have to stay as they are for as long as the arrays, and a recording that is made of them.  `strides`: bytes from one to
 * the next along each axis; NULL: in rows without gaps.  SL_EFORMAT: no such type, more than SL_LENT_MOST numbers, or
 * strides that are negative or no multiples of the size.  TEXTS of NumPy's kind, 4 bytes a
 * letter, are copied and lie in rows.  */
#define SL_LENT_MOST ((uint64_t) 1 << 31)
SlStatus sl_array_lend (SlArrays *arrays, SlArray *array, const void *numbers,
                        const int64_t *strides);

/* Brings the numbers of an array into memory; one that is there stays, and one of a file is then in rows.  What is `strided` or `packed` in a file
 * has to be loaded before it is read, and sums of members of an archive are checked here alone.  SL_ENOMEM above
 * the budget; SL_EFORMAT: also a wrong sum, and what is OTHER or OBJECTS; SL_EIO.  */
SlStatus sl_array_load (SlArrays *arrays, SlArray *array);

/* Memory for the numbers of an array whose type and shape are set.  SL_ENOMEM, also above the budget for
 * all arrays of a file, which is SL_ARRAYS_BUDGET unless its container knows a smaller one.  */
#define SL_ARRAYS_BUDGET ((size_t) 2 << 30)
SlStatus sl_array_reserve (SlArrays *arrays, SlArray *array);

/* Copies `n` numbers from number `first` on, of an array that is in memory or lies plainly in its file.
 * SL_EIO, SL_EFORMAT: the file has become shorter.  Naturals beyond 2^63 become -2.  */
SlStatus sl_array_integers (const SlArray *array, const char *path, uint64_t first, size_t n,
                            int64_t *to);
SlStatus sl_array_reals (const SlArray *array, const char *path, uint64_t first, size_t n,
                         double *to);

/* The same of numbers that should be below `below`, at most 2^16 - 1: *are says whether all are, without
 * which they are of no use.  */
SlStatus sl_array_indices (const SlArray *array, const char *path, uint64_t first, size_t n,
                           unsigned below, uint16_t *to, bool *are);

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

/* Sets n; false if the bytes do not fit into 63 bits. */
bool sl_array_extent (SlArray *array, uint64_t *bytes);
