/* SPDX-License-Identifier: MIT
 *
 * Files that hold arrays, each recognised by its first bytes; see array.h.  A container that is
 * compressed with gzip is unpacked on the way.  */
#pragma once

#include "core/data/read/containers/array.h"

/* How a table is cut into cells; 0 where the table shall tell. */
typedef struct
{
  char     separator; /* ',', ';', '\t' or ' ' */
  char     decimal;   /* '.' or ',' */
  int      header;    /* 1: the first row is one, -1: it is not */
  unsigned skip;      /* lines before the table */
  size_t   most;      /* read no more than so many bytes, to look at what it is; 0: all */
} SlTableForm;

typedef enum {
  SL_CONTAINER_NONE,
  SL_CONTAINER_NPY,
  SL_CONTAINER_NPZ,
  SL_CONTAINER_SAFETENSORS,
  SL_CONTAINER_GGUF,
  SL_CONTAINER_TORCH, /* of torch.save, zip or legacy; or any other pickle, which its reader refuses */
  SL_CONTAINER_IDX,
  SL_CONTAINER_CIFAR,
  SL_CONTAINER_JSON, /* a document, or one in each line */
  SL_CONTAINER_TABLE,
  SL_CONTAINER_EVENTS, /* of TensorBoard; also a folder of them */
} SlContainer;

/* What a file is by its first bytes (at least 512, of gzip the unpacked ones), and by its name only where
 * bytes cannot tell.  */
SlContainer sl_container_of (const char *path, const uint8_t *head, size_t size);

/* The same of a file, whose first bytes are read.  SL_EIO, SL_EFORMAT. */
SlStatus sl_container_find (const char *path, SlContainer *container);

/* Whether the first bytes can be of such a file, of CIFAR-10 the first 3074. */
bool sl_safetensors_likely (const uint8_t *head, size_t size);
bool sl_idx_arrays_likely (const uint8_t *head, size_t size);
bool sl_cifar_arrays_likely (const uint8_t *head, size_t size);

/* Reads names, types and shapes; numbers stay in the file where they can.  `arrays` is to be cleared also
 * after a failure.  SL_EIO, SL_EFORMAT, SL_ENOMEM.  */
SlStatus sl_arrays_open (SlArrays *arrays, const char *path, SlContainer container,
                         const SlTableForm *form);

/* Each of arrays that sl_arrays_init() made. */
SlStatus sl_npy_open (SlArrays *arrays, const char *path);
SlStatus sl_npz_open (SlArrays *arrays, const char *path);
SlStatus sl_safetensors_arrays_open (SlArrays *arrays, const char *path);
SlStatus sl_gguf_open (SlArrays *arrays, const char *path);
SlStatus sl_torch_open (SlArrays *arrays, const char *path);
SlStatus sl_idx_arrays_open (SlArrays *arrays, const char *path); /* one array, named "idx" */
/* "images" (N, 3, 32, 32), "labels" (N), and of CIFAR-100 "coarse" (N) too. */
SlStatus sl_cifar_arrays_open (SlArrays *arrays, const char *path);

/* JSON: a document, several behind each other, or one in each line, as columns.  Each object that stands alone, in a
 * line or in the outermost list is a record; `rows` counts them.  A member is a column whose name is its path,
 * "meta_info.id"; columns are in the order in which members first appear.
 *
 * A list of objects in a member has rows of its own, one for each object, over all records: {"choices": [{"index": 0},
 * {"index": 1}]} gives "choices.index" of 2 rows.  Its columns have `record`: which row of the objects around, those of
 * the outermost records or of another such list, each row lies in, and `pieces` is the number of its rows.
 *
 * By what a member has in each row the column is
 *   numbers (JSON's true and false alone: TRUTHS) or texts: (rows), `missing` where it is null or absent;
 *   lists of them: (rows, longest), padded with SL_NO_INTEGER, NaN or SL_NO_TEXT; a row that lacks it is all padding;
 *   lists of lists of any depth: (sum of piece, …, longest): one row behind the other along the first axis, `piece` is how
 *     much of it each row brought, 0 where it lacks it, `record` as above or the number of the row;
 *   OTHER, (rows) without numbers, where rows differ in more than this.
 * A .npy in base 64, and an object {data: base 64, shape, dtype}, are such lists.  A bare list or number is of the column
 * "".  Lists in lists of objects are as if they were not there.
 *
 * SL_EFORMAT at the line, or at the byte of a document: no JSON, more than 64 deep, a member twice, an array whose size
 * is not that of its shape.  `most`: as of a table.  */
SlStatus sl_json_arrays_open (SlArrays *arrays, const char *path, size_t most);

/* Event files of TensorBoard: of a folder those of the one run that is in it.  "step" has all steps, rising; each tag is a
 * column of its numbers, by rising steps, `record` says at which of the steps each of them was recorded, `piece` is 1; a
 * tag of anything else is OTHER, without numbers.  SL_EFORMAT at the byte of the wrong record; `most`: as of a table, of
 * each file.  */
SlStatus sl_events_arrays_open (SlArrays *arrays, const char *path, size_t most);

/* Text as columns; "# name=12" before them is an array without axes.  Columns of whole numbers or reals, NaN where a cell is missing, or of texts where any cell is a word; OTHER
 * beyond 65,536 different texts.  Whatever `form` leaves open is seen from the first 100 rows.  SL_EFORMAT at the line:
 * rows of different length, quotes that do not close, cells that are not finite, words that are not UTF-8, separators
 * of thousands, ARFF, libsvm.  */
SlStatus sl_table_open (SlArrays *arrays, const char *path, const SlTableForm *form);
