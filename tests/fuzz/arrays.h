/* SPDX-License-Identifier: MIT
 *
 * What the fuzzers of containers share.  */
#pragma once

#include "core/data/read/containers/container.h"

/* Writes a file, opens it as such a container and loads all of its arrays: what comes back keeps the promises of
 * array.h, or a failure those of status.h.  `bounded`: numbers take no more than twice the size of the file.  */
void fuzz_arrays (const char *name, SlContainer container, bool bounded, const uint8_t *data,
                  size_t size);
