/* SPDX-License-Identifier: MIT
 *
 * A copy of everything that changes in a run.  The state is a block of bytes: a signature, then the
 * state's blobs in order.  The signature is text, a line each, the last one "data":
 *
 *   Sluice checkpoint
 *   experts, state 2                          id of the lab and SlLab.state_version
 *   counters: 80 bytes                        name and size of each blob
 *   weights and what follows them: 91024 bytes
 *   data
 *
 * Settings are no part of the block: the caller that stores a checkpoint keeps them by name.  */
#pragma once

#include "core/lab/lab.h"

/* Reusable. */
typedef struct
{
  uint64_t       step;
  SlSettings     settings;
  unsigned char *data; /* (bytes) signature and blobs, owned */
  size_t         bytes;
} SlCheckpoint;

/* Copies the n pieces of a state of `lab` into the checkpoint.  SL_ENOMEM. */
SlStatus sl_checkpoint_pack (SlCheckpoint *checkpoint, const SlLab *lab, const SlBlob *piece,
                             unsigned n);

/* Copies them back.  SL_EUNSUPPORTED, with the first difference, when the signature is not that of
 * these pieces; SL_EFORMAT when it is and the bytes behind it are too few or too many.  Nothing was
 * copied then.  */
SlStatus sl_checkpoint_unpack (const SlCheckpoint *checkpoint, const SlLab *lab,
                               const SlBlob *piece, unsigned n);

/* Checks only what can be checked without a state: the lab and the version of its state.  `head` are
 * the first n bytes of a block, some hundred are enough.  SL_EUNSUPPORTED.  */
SlStatus sl_checkpoint_check (const void *head, size_t n, const SlLab *lab);

void sl_checkpoint_clear (SlCheckpoint *checkpoint);
