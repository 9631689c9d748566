/* SPDX-License-Identifier: MIT
 *
 * Images whose every pixel is standardised over the training examples.  */
#pragma once

#include "core/data/set/dataset.h"

/* Brings every feature of a set of bytes to mean 0 and standard deviation 1 over its training examples; one that
 * is the same in all of them becomes 0.  Its features then are numbers, which take four times the memory (eight
 * times in double), and its hash is another.  SL_ENOMEM; a set of numbers stays as it is.  */
SlStatus sl_dataset_standardise (SlDataset *dataset);
