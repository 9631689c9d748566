/* SPDX-License-Identifier: MIT
 *
 * Gated units, SwiGLU (Shazeer 2020, arXiv 2002.05202): y = SiLU (g) ⊙ u with SiLU (g) = g σ (g), where g and u
 * are two products of the same inputs.  Units whose SiLU (g) is small can be skipped (CATS, arXiv 2404.08763).  */
#pragma once

#include <stddef.h>

#include "core/base/real.h"

/* y (n) = SiLU (g) u; with `est` only where that is > 0, else 0. */
void sl_glu_forward (size_t n, const sl_real *g, const sl_real *u, const sl_real *est, sl_real *y);

/* From dy (n), which becomes dg, and u (n), which becomes du. */
void sl_glu_backward (size_t n, const sl_real *g, const sl_real *est, sl_real *u, sl_real *dy);

/* q (n) = |SiLU (g)|. */
void sl_glu_magnitude (size_t n, const sl_real *g, sl_real *q);

/* kept (n) = SiLU (g) where its magnitude is at least `least`, else 0. */
void sl_glu_keep (size_t n, const sl_real *g, sl_real least, sl_real *kept);

/* The quantile `share` of n magnitudes q, which it reorders, with a straight line between two of them; 0
 * where share is 0, so that nothing is below.  n >= 1.  */
double sl_glu_threshold (double share, size_t n, sl_real *q);
