/* SPDX-License-Identifier: MIT
 *
 * Recordings as a data set.  */
#pragma once

#include "core/data/routing/routing.h"
#include "core/data/set/dataset.h"

/* A data set of one recording, or of two to compare (`other` may be NULL), which it takes over, also
 * after a failure.  SL_ENOMEM.  */
SlStatus sl_dataset_of_routing (SlRouting *routing, SlRouting *other, const char *title,
                                SlDataset **dataset);
