/* SPDX-License-Identifier: MIT
 *
 * Products that threads share out in fixed blocks, each done whole by one of them, so that the
 * result is the same bytes for any number of threads.  (A threaded product of the library splits
 * long sums differently.)  Row major and dense but for the distances given.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/base/real.h"
#include "core/nn/kernels/mat.h"

enum { SL_BLOCK_ROWS = 256 }; /* rows of a block, for loops that go with these products */

static inline size_t
sl_least (size_t a, size_t b)
{
  return a < b ? a : b;
}

static inline size_t
sl_most (size_t a, size_t b)
{
  return a > b ? a : b;
}

/* Blocks that so many rows are. */
static inline size_t
sl_blocks_of (size_t rows)
{
  return (rows + SL_BLOCK_ROWS - 1) / SL_BLOCK_ROWS;
}

/* C (rows, n) = A (rows, k) op(B) + (add ? C : 0); B is (k, n) or, transposed, (n, k). */
void sl_blocks_rows (SlOrder order_b, size_t rows, size_t n, size_t k, const sl_real *a,
                     const sl_real *b, size_t ldb, bool add, sl_real *c, size_t ldc);

/* C (m, n) = A' B with A (rows, m) and B (rows, n): sums over many rows. */
void sl_blocks_outer (size_t rows, size_t m, size_t n, const sl_real *a, const sl_real *b,
                      sl_real *c);
