/* SPDX-License-Identifier: MIT
 *
 * What the fuzzers of columns share.  */
#pragma once

#include "core/data/read/containers/container.h"

/* Checks the promises of array.h and container.h for columns, or those of status.h for a failure; clears them. */
void fuzz_columns (SlArrays *arrays, SlStatus status);
