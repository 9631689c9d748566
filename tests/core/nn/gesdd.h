/* SPDX-License-Identifier: MIT
 *
 * The whole decomposition by LAPACK: what lowrank.h is compared with, in tests and by the bench.  */
#pragma once

#include "core/base/real.h"
#include "core/base/status.h"

/* Thin SVD of A (m, n): A = U diag (s) VT, U (m, r), s (r) falling, VT (r, n),
 * r = min (m, n), by gesdd.  A is not changed.  Allocates.  SL_ENOMEM, SL_EDIVERGED (no
 * convergence, or not finite).  */
SlStatus sl_mat_svd (size_t m, size_t n, const sl_real *a, sl_real *u, sl_real *s, sl_real *vt);
