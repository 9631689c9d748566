/* SPDX-License-Identifier: MIT
 *
 * XXH64, the 64-bit xxHash (Yann Collet, specification 0.1.1): a fingerprint of data that
 * is the same on every machine.  Some gigabytes a second.  Not for secrets.  */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The hash of `n` bytes; `seed` chains one block to the next. */
uint64_t sl_hash (const void *data, size_t n, uint64_t seed);
