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
  const uint8_t *key;
  uint32_t       key_n;
  uint64_t       place, size; /* in bytes */
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

/* Whether a pickle may name it. */
bool sl_torch_known (const char *global);

/* Bytes of a number of a storage, which a tuple of the pickle tells of; 0: it is none. */
unsigned sl_torch_storage_size (const SlPickle *pickle, const SlPickleValue *outer);

/* The key of such a storage, or NULL. */
const SlPickleValue *sl_torch_storage_key (const SlPickle *pickle, const SlPickleValue *outer);

/* Adds an array for each tensor, and for numbers and lists of them, named by its path: keys and positions joined by
 * dots.  SL_EFORMAT: outside of its storage, expanded, too deep; SL_ENOMEM.  */
SlStatus sl_torch_take (SlTorch *torch);
