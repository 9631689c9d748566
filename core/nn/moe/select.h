/* SPDX-License-Identifier: MIT
 *
 * What gates do with rows of logits and columns of gate values.  */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/base/real.h"

enum {
  SL_SELECT_COLUMNS = 64 / sizeof (sl_real), /* columns that are looked through together */
  SL_SELECT_GROUPS = 64,                     /* the most groups of a row */
};

/* Softmax of c (n) over the experts in `mask` (n), or over all when that is NULL; zeros elsewhere. */
void sl_select_softmax (size_t n, const sl_real *c, const uint8_t *mask, sl_real *out);

/* The largest of v (n), n >= 1. */
sl_real sl_select_most (size_t n, const sl_real *v);

/* Logits c (n) that are not finite become the least finite number, which replaces -∞; returns how
 * many.  */
uint32_t sl_select_finite (size_t n, sl_real *c);

/* The score of each of `groups` equal parts of q (n): the sum of its two largest, or its one where all others are
 * -∞.  score (groups).  */
void sl_select_scores (size_t n, size_t groups, const sl_real *q, sl_real *score);

/* Outside the `best` groups with the largest scores q (n) becomes -∞; ties go to the lowest group. */
void sl_select_groups (size_t n, size_t groups, size_t best, sl_real *q);

/* The m-th largest of each column of non-negative numbers, 0 for m = 0 or more than there are;
 * column (rows, SL_SELECT_COLUMNS), cut (SL_SELECT_COLUMNS).  */
void sl_select_cuts (size_t rows, size_t m, const sl_real *column, sl_real *cut);

/* Marks in `mask` (n) the fewest of the non-negative numbers v (n), the largest first and among equal ones the lowest
 * index, whose sum is at least `reach`; all where they do not come to as much.  */
void sl_select_reach (size_t n, const sl_real *v, double reach, uint8_t *mask);
