/* SPDX-License-Identifier: MIT
 *
 * One pass over n numbers, on the calling thread.  */
#pragma once

#include <stddef.h>

#include "core/base/real.h"

/* to += from, to += by from, and to = by from, which may be in place. */
void sl_vector_add (size_t n, const sl_real *from, sl_real *to);
void sl_vector_add_scaled (size_t n, sl_real by, const sl_real *from, sl_real *to);
void sl_vector_scale (size_t n, sl_real by, const sl_real *from, sl_real *to);

/* a·b, summed in sl_real or in double. */
sl_real sl_vector_dot (size_t n, const sl_real *a, const sl_real *b);
double  sl_vector_inner (size_t n, const sl_real *a, const sl_real *b);

/* Puts the number of this rank, 0 the least, in its place, with none above it before it and none
 * below it behind it, and returns it.  Not-a-number has no rank, but does no harm.  n >= 1.  */
sl_real sl_vector_select (size_t n, sl_real *a, size_t rank);
