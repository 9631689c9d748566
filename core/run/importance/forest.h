/* SPDX-License-Identifier: MIT
 *
 * How much of the variation of a number is due to each of several columns, by functional ANOVA over a random forest
 * (Hutter, Hoos, Leyton-Brown 2014, "An Efficient Approach for Assessing Hyperparameter Importance"): a regression
 * tree is constant on boxes, so that the mean over all other columns, and with it the variance that one column causes
 * alone, can be computed from the boxes without sampling.  64 trees of bootstrap samples, split by squared error down to
 * single rows.  The same seed gives the same shares.  Plain data, any thread.  */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
  SL_FOREST_TREES = 64,
  SL_FOREST_ROWS = 1000,
  SL_FOREST_COLUMNS = 48,
  SL_FOREST_CATEGORIES = 64,
};

typedef struct
{
  const double *value;      /* (rows) finite; of a category its number from 0 */
  unsigned      categories; /* 0: a number, else how many there are, at most SL_FOREST_CATEGORIES */
} SlForestColumn;

/* share[c]: what part of the variance that single columns cause is due to column c; together 1.  Zeros where y (rows) is
 * the same everywhere.  spread[c]: standard deviation of that share over the trees.  `rows` from 2 to SL_FOREST_ROWS,
 * `columns` from 1 to SL_FOREST_COLUMNS.  */
void sl_forest_shares (const SlForestColumn *column, unsigned columns, const double *y,
                       unsigned rows, uint64_t seed, double *share /* (columns) */,
                       double *spread /* (columns) */);
