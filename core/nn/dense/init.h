/* SPDX-License-Identifier: MIT
 *
 * First weights.  */
#pragma once

#include <stddef.h>

#include "core/base/real.h"
#include "core/base/rng.h"

/* Uniform ±√(6 / (fan_in + fan_out)) (Glorot and Bengio 2010, eq. 16) into w (n). */
void sl_init_glorot (SlRng *rng, size_t fan_in, size_t fan_out, size_t n, sl_real *w);
