/* SPDX-License-Identifier: MIT
 *
 * Many standard normal numbers.  */
#pragma once

#include <stddef.h>

#include "core/base/real.h"
#include "core/base/rng.h"

/* Fills x (n) with independent standard normals (Box and Muller 1958).  Takes one word of `rng`,
 * whatever n, which starts many generators that run side by side; the numbers are the same for any
 * number of threads.  In float |x| < 6.67, one in 4e10 of all draws being farther out.  */
void sl_normal_fill (SlRng *rng, size_t n, sl_real *x);
