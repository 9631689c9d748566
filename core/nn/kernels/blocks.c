/* SPDX-License-Identifier: MIT */
#include "core/nn/kernels/blocks.h"

enum { OUTER_ROWS = 128, OUTER_COLUMNS = 256 };

void
sl_blocks_rows (SlOrder order_b, size_t rows, size_t n, size_t k, const sl_real *a,
                const sl_real *b, size_t ldb, bool add, sl_real *c, size_t ldc)
{
#pragma omp parallel for schedule(static) if (rows > SL_BLOCK_ROWS)
  for (size_t r = 0; r < rows; r += SL_BLOCK_ROWS)
    sl_mat_mul (SL_PLAIN, order_b, sl_least (rows - r, SL_BLOCK_ROWS), n, k, 1, a + r * k, k, b,
                ldb, add ? 1 : 0, c + r * ldc, ldc);
}

void
sl_blocks_outer (size_t rows, size_t m, size_t n, const sl_real *a, const sl_real *b, sl_real *c)
{
#pragma omp parallel for collapse(2) schedule(static) if (m > OUTER_ROWS || n > OUTER_COLUMNS)
  for (size_t i = 0; i < m; i += OUTER_ROWS)
    for (size_t j = 0; j < n; j += OUTER_COLUMNS)
      sl_mat_mul (SL_TRANSPOSED, SL_PLAIN, sl_least (m - i, OUTER_ROWS),
                  sl_least (n - j, OUTER_COLUMNS), rows, 1, a + i, m, b + j, n, 0, c + i * n + j,
                  n);
}
