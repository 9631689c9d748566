/* SPDX-License-Identifier: MIT
 *
 * The most that a core can compute.  */
#pragma once

/* Billions of multiplications and additions a second of one core that does nothing but multiply and add
 * what is in its registers, as wide as it has them: the largest of a few rounds.  */
double sl_bench_peak (void);
