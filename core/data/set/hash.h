/* SPDX-License-Identifier: MIT
 *
 * XXH64, the 64-bit xxHash (Yann Collet, specification 0.1.1): a fingerprint of data that
 * is the same on every machine.  Some gigabytes a second.  Not for secrets.  */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/base/real.h"

/* The hash of `n` bytes; `seed` chains one block to the next. */
uint64_t sl_hash (const void *data, size_t n, uint64_t seed);

/* That of `n` numbers as little-endian floats, so that the precision of the build and the machine do
 * not matter.  */
uint64_t sl_hash_reals (const sl_real *values, size_t n, uint64_t seed);
