/* SPDX-License-Identifier: MIT
 *
 * Data that a program has as arrays in memory.  */
#pragma once

#include "core/data/read/containers/array.h"
#include "core/data/set/dataset.h"

/* Makes a data set of arrays that were lent (sl_array_lend()), read as if they were the members of an .npz: examples and
 * classes, or a recording of routing.  `options` are "id=value id=value" of a file, or of a recording; NULL: none.  Its
 * `id` is SL_SOURCE_ARRAYS.  The arrays are cleared, also after a failure; what a recording keeps of their memory is in
 * sl_routing_of_arrays().  SL_EINVAL (options), SL_EFORMAT, SL_ENOMEM.  */
SlStatus sl_dataset_of_arrays (SlArrays *arrays, const char *options, SlDataset **dataset);
