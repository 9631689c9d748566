/* SPDX-License-Identifier: MIT
 *
 * Any number of points as smallest and largest value per pixel column.  With a series' pyramid
 * the cost follows the columns, not the points; a spike of one sample always survives.  Screen and
 * export reduce with the same functions.  */
#pragma once

#include "plot/base/scale.h"
#include "plot/figure/figure.h"

/* Borrowed points, x increasing.  `series` is where x and y came from, for its pyramid, or
 * NULL.  */
typedef struct
{
  const double   *x, *y; /* (n) */
  size_t          n;
  const SlSeries *series;
} SlPoints;

typedef struct
{
  size_t begin, n;    /* samples [begin, begin + n) fall into this column */
  double lo, hi;      /* of the finite ones; not-a-number when there are none */
  double first, last; /* values of the first and last sample, finite or not; NaN when n = 0 */
} SlColumn;

SlPoints sl_points_of_series (const SlSeries *series);
SlPoints sl_points_of_curve (const SlCurve *curve); /* raw values */

/* Index of the first point with x >= `x`, n if there is none.  `near` is where to begin
 * looking.  */
size_t sl_points_find (const SlPoints *points, double x, size_t near);

/* Smallest and largest finite value in [first, last); false if there is none. */
bool sl_points_range (const SlPoints *points, size_t first, size_t last, double *lo, double *hi);

/* The points inside a scale: [*first, *last). */
void sl_points_visible (const SlPoints *points, const SlScale *scale, size_t *first, size_t *last);

/* Fills `columns` columns of equal width that cover the scale from 0 to 1; the last one takes
 * the point at the very end too.  */
void sl_reduce (const SlPoints *points, const SlScale *scale, unsigned columns, SlColumn *out);

/* What a pixel column of a heat map over steps shows. */
typedef struct
{
  double mean; /* of the finite values; not-a-number: a gap */
  bool   zero; /* all of them are exactly 0 */
  size_t n;    /* samples that fall into the column; 0: it shows the nearest one */
} SlCellMean;

/* Ends of `columns` columns of equal width that cover the scale, in data units. */
void sl_edges (const SlScale *scale, unsigned columns, double *edge /* (columns + 1) */);

/* Means per column.  A column without a sample shows the nearest one, as far out as half the
 * distance to the next; beyond is a gap.  */
void sl_means (const SlPoints *points, const double *edge, unsigned columns, SlCellMean *out);
