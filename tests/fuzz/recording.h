/* SPDX-License-Identifier: MIT
 *
 * What the fuzzers of recordings share.  */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Writes a file of this name and opens it as a recording under options that `choice` chooses: what
 * comes back keeps the promises of routing.h, or a failure those of status.h.  */
void fuzz_recording (const char *name, uint8_t choice, const uint8_t *data, size_t size);
