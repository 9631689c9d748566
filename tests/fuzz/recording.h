/* SPDX-License-Identifier: MIT
 *
 * What the fuzzers of recordings share.  */
#pragma once

#include "core/data/read/recording/open.h"

/* Options that a byte chooses. */
SlRoutingOptions fuzz_options (uint8_t choice);

/* What came of reading a recording keeps the promises of routing.h, or a failure those of status.h; frees it. */
void fuzz_routing (const SlStatus *status, SlRouting *routing);

/* Writes a file of this name and opens it as a recording. */
void fuzz_recording (const char *name, uint8_t choice, const uint8_t *data, size_t size);
