/* SPDX-License-Identifier: MIT
 *
 * What the two parts of the reader of torch.save share: the file, and the tensors that its pickle tells of.  */
#pragma once

#include "core/data/read/containers/source.h"
#include "core/data/read/containers/torch/pickle.h"
#include "core/data/read/containers/zip.h"

/* Where the numbers of tensors are; its key is a text of the pickle of all keys. */
typedef struct
{
  const SlPickleValue *key;
  uint64_t             place, size; /* in bytes */
} SlTorchStorage;

typedef struct
{
  SlArrays       *arrays;
  SlPickle        pickle; /* of what was saved */
  bool            big;    /* numbers have the highest byte first */
  SlZip           zip;    /* of a file that is an archive */
  char            prefix[SL_ZIP_NAME];
  SlTorchStorage *storage; /* (storages) of a legacy file */
  unsigned        storages;
} SlTorch;

/* The number of what a pickle may name, or -1. */
int sl_torch_global (const char *name);

/* Bytes of a number of a storage that is outside of the pickle; 0: it is none. */
unsigned sl_torch_storage_size (const SlPickleValue *outer);

/* The key of such a storage, or NULL. */
const SlPickleValue *sl_torch_storage_key (const SlPickleValue *outer);

bool sl_torch_same_key (const SlPickleValue *a, const SlPickleValue *b);

/* Adds an array for each tensor, and for numbers and lists of them, named by its path: keys and positions joined by
 * dots.  SL_EFORMAT: outside of its storage, expanded, too deep; SL_ENOMEM.  */
SlStatus sl_torch_take (SlTorch *torch);
