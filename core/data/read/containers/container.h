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
} SlContainer;

/* What a file is by its first bytes (at least 512, of gzip the unpacked ones), and by its name only where
 * bytes cannot tell.  */
SlContainer sl_container_of (const char *path, const uint8_t *head, size_t size);

/* Whether the first bytes can be of such a file, of CIFAR-10 the first 3074. */
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

/* One document, or several behind each other, as columns: a list of objects, or lines of them, has a row for
 * each; members of members have names with dots.  Scalars become (rows), lists (rows, longest), lists of
 * equal lists what they are, one behind the other along the first axis with `piece` and `record`.  A .npy
 * in base 64, or {data, shape, dtype}, is such a list.  `most`: as of a table.  */
SlStatus sl_json_open (SlArrays *arrays, const char *path, size_t most);

/* Columns of numbers (the narrowest type that holds all), or of texts where any cell is none. */
SlStatus sl_table_open (SlArrays *arrays, const char *path, const SlTableForm *form);
