/* SPDX-License-Identifier: MIT
 *
 * IDX, the format of MNIST (Yann LeCun): two zero bytes, a type (8: unsigned bytes), the
 * number of dimensions, each of them as a big-endian 32-bit number, then the bytes.
 * Images are (N, H, W), or (N, C, H, W) or (N, H, W, C) with 1, 3 or 4 channels; labels
 * (N).  Raw or gzip.  */
#pragma once

#include "core/data/set/draft.h"

/* True for the first bytes of an IDX file of any type. */
bool sl_idx_likely (const uint8_t *head, size_t size);

/* One images file and its labels, not split yet.  SL_EFORMAT (magic number, a dimension of 0, more
 * than the file holds, other labels than images), SL_ENOMEM, SL_EIO.  */
SlStatus sl_idx_open_pair (const char *images, const char *labels, SlDraft *draft);

/* The four files of a collection laid out like MNIST, in the order train images, train
 * labels, test images, test labels: the last sixth of the train file (10 000 of 60 000) is
 * for validation.  `classes` is how many labels there may be, or 0: those that occur in
 * the train file.  */
SlStatus sl_idx_open_four (char *const path[4], unsigned classes, SlDraft *draft);
