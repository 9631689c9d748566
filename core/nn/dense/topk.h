/* SPDX-License-Identifier: MIT
 *
 * The largest numbers of a row, as routing needs them: few of few hundred, with defined ties.  */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/base/real.h"

/* Where the k largest of each row of v (rows, n) are and what they are, largest first; among equal
 * ones the lowest index comes first.  Not-a-number counts as -∞ (and is given as that).
 * 1 <= k <= n.  index and value (rows, k).  */
void sl_topk (size_t rows, size_t n, size_t k, const sl_real *v, uint32_t *index, sl_real *value);
