/* SPDX-License-Identifier: MIT
 *
 * Data of a run.  */
#pragma once

#include "core/data/set/dataset.h"

/* sl_source_open(), with a message for debugging: what was read, how much of it and how long it took.
 * Any thread.  */
SlStatus sl_open_data (const char *spec, SlDataset **dataset);
