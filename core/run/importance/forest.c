/* SPDX-License-Identifier: MIT
 *
 * See forest.h.  */
#include "core/run/importance/forest.h"

#include <glib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/rng.h"

/* A side of a box. */
typedef struct
{
  double   lo, hi; /* of a number */
  uint64_t some;   /* of a category: those inside */
} Side;

typedef struct
{
  Side   side[SL_FOREST_COLUMNS];
  double mean;   /* of the rows inside */
  double volume; /* share of the whole, 0 … 1 */
} Box;

/* A tree that grows, and what it grows on. */
typedef struct
{
  const SlForestColumn *column;
  unsigned              columns;
  const double         *y;
  Side                  whole[SL_FOREST_COLUMNS];
  SlRng                 rng;
  GArray               *leaves;                 /* of Box */
  unsigned              sorted[SL_FOREST_ROWS]; /* scratch */
} Tree;

typedef struct
{
  unsigned column;
  double   at;    /* a number: below goes left; a category goes left alone */
  double   error; /* sum of squares on both sides */
} Split;

static bool
goes_left (const Tree *tree, const Split *split, unsigned row)
{
  double value = tree->column[split->column].value[row];

  return tree->column[split->column].categories > 0 ? value == split->at : value < split->at;
}

static double
squares (double sum, double sum_of_squares, double n)
{
  return n > 0 ? fmax (sum_of_squares - sum * sum / n, 0.0) : 0.0;
}

/* ---- splits ---- */

static int
by_value (const void *a, const void *b, void *data)
{
  const double *value = data;
  unsigned      x = *(const unsigned *) a, y = *(const unsigned *) b;

  if (value[x] != value[y])
    return value[x] < value[y] ? -1 : 1;
  return (x > y) - (x < y);
}

static void
keep_better (Split *best, unsigned column, double at, double error)
{
  if (error < best->error)
    *best = (Split) { column, at, error };
}

/* Between two neighbours in the order of their values. */
static void
split_number (Tree *tree, unsigned c, const unsigned *row, unsigned n, double sum, double all,
              Split *best)
{
  const double *value = tree->column[c].value;
  double        left = 0, left_squares = 0;

  memcpy (tree->sorted, row, n * sizeof *row);
  qsort_r (tree->sorted, n, sizeof *row, by_value, (void *) value);
  for (unsigned i = 0; i + 1 < n; i++)
    {
      double y = tree->y[tree->sorted[i]], here = value[tree->sorted[i]],
             next = value[tree->sorted[i + 1]];

      left += y;
      left_squares += y * y;
      if (here < next)
        keep_better (best, c, here + (next - here) / 2,
                     squares (left, left_squares, i + 1)
                       + squares (sum - left, all - left_squares, n - i - 1));
    }
}

/* One category against the others. */
static void
split_category (Tree *tree, unsigned c, const unsigned *row, unsigned n, double sum, double all,
                Split *best)
{
  double   part[SL_FOREST_CATEGORIES] = { 0 }, part_squares[SL_FOREST_CATEGORIES] = { 0 };
  unsigned count[SL_FOREST_CATEGORIES] = { 0 };

  for (unsigned i = 0; i < n; i++)
    {
      unsigned k = (unsigned) tree->column[c].value[row[i]];

      part[k] += tree->y[row[i]];
      part_squares[k] += tree->y[row[i]] * tree->y[row[i]];
      count[k]++;
    }
  for (unsigned k = 0; k < tree->column[c].categories; k++)
    if (count[k] > 0 && count[k] < n)
      keep_better (best, c, k,
                   squares (part[k], part_squares[k], count[k])
                     + squares (sum - part[k], all - part_squares[k], n - count[k]));
}

/* The best split of rows, columns in random order so that none wins all ties; false: they are all alike. */
static bool
find_split (Tree *tree, const unsigned *row, unsigned n, Split *best)
{
  uint32_t order[SL_FOREST_COLUMNS];
  double   sum = 0, all = 0;

  for (unsigned i = 0; i < n; i++)
    {
      sum += tree->y[row[i]];
      all += tree->y[row[i]] * tree->y[row[i]];
    }
  *best = (Split) { .error = squares (sum, all, n) };
  if (n < 2 || !(best->error > 1e-12 * all))
    return false;
  best->error = INFINITY;
  for (unsigned c = 0; c < tree->columns; c++)
    order[c] = c;
  sl_rng_shuffle (&tree->rng, order, tree->columns);
  for (unsigned i = 0; i < tree->columns; i++)
    (tree->column[order[i]].categories > 0 ? split_category : split_number) (tree, order[i], row, n,
                                                                             sum, all, best);
  return isfinite (best->error);
}

/* ---- growing ---- */

static double
length_of (const Tree *tree, const Side *side, unsigned c)
{
  const Side *whole = &tree->whole[c];

  if (tree->column[c].categories > 0)
    return (double) __builtin_popcountll (side->some) / __builtin_popcountll (whole->some);
  return whole->hi > whole->lo ? (side->hi - side->lo) / (whole->hi - whole->lo) : 1.0;
}

static void
add_leaf (Tree *tree, const Side *side, const unsigned *row, unsigned n)
{
  Box box = { .volume = 1.0 };

  memcpy (box.side, side, tree->columns * sizeof *side);
  for (unsigned i = 0; i < n; i++)
    box.mean += tree->y[row[i]] / n;
  for (unsigned c = 0; c < tree->columns; c++)
    box.volume *= length_of (tree, &side[c], c);
  g_array_append_val (tree->leaves, box);
}

/* Rows of the left side first; how many these are. */
static unsigned
partition (const Tree *tree, const Split *split, unsigned *row, unsigned n)
{
  unsigned left = 0;

  for (unsigned i = 0; i < n; i++)
    if (goes_left (tree, split, row[i]))
      {
        unsigned swap = row[left];

        row[left++] = row[i];
        row[i] = swap;
      }
  return left;
}

static void
cut_side (const Tree *tree, const Split *split, bool left, Side *side)
{
  uint64_t one
    = tree->column[split->column].categories > 0 ? UINT64_C (1) << (unsigned) split->at : 0;

  if (one != 0)
    side->some = left ? one : side->some & ~one;
  else if (left)
    side->hi = split->at;
  else
    side->lo = split->at;
}

/* As deep as there are rows at most. */
static void
grow (Tree *tree, const Side *side, unsigned *row, unsigned n)
{
  Side     half[SL_FOREST_COLUMNS];
  Split    split;
  unsigned left;

  if (!find_split (tree, row, n, &split))
    {
      add_leaf (tree, side, row, n);
      return;
    }
  left = partition (tree, &split, row, n);
  memcpy (half, side, tree->columns * sizeof *side);
  cut_side (tree, &split, true, &half[split.column]);
  grow (tree, half, row, left);
  half[split.column] = side[split.column];
  cut_side (tree, &split, false, &half[split.column]);
  grow (tree, half, row + left, n - left);
}

/* ---- variances ---- */

static int
by_number (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static bool
is_inside (const Tree *tree, const Side *side, unsigned c, double at)
{
  if (tree->column[c].categories > 0)
    return (side->some >> (unsigned) at & 1) != 0;
  return at >= side->lo && at < side->hi;
}

/* The mean over all other columns where this one is at a value. */
static double
mean_at (const Tree *tree, unsigned c, double at)
{
  double mean = 0;

  for (guint l = 0; l < tree->leaves->len; l++)
    {
      const Box *box = &g_array_index (tree->leaves, Box, l);
      double     length = length_of (tree, &box->side[c], c);

      if (is_inside (tree, &box->side[c], c, at) && length > 0)
        mean += box->mean * box->volume / length;
    }
  return mean;
}

/* Places between which the tree does not change along a column: where leaves begin, and the end. */
static unsigned
places (const Tree *tree, unsigned c, double *place /* (leaves + 1) */)
{
  unsigned n = 0, kept = 0;

  for (guint l = 0; l < tree->leaves->len; l++)
    place[n++] = g_array_index (tree->leaves, Box, l).side[c].lo;
  place[n++] = tree->whole[c].hi;
  qsort (place, n, sizeof *place, by_number);
  for (unsigned i = 0; i < n; i++)
    if (kept == 0 || place[i] > place[kept - 1])
      place[kept++] = place[i];
  return kept;
}

/* The variance of the mean along one column. */
static double
variance_of (const Tree *tree, unsigned c)
{
  g_autofree double *place = g_new (double, tree->leaves->len + 1);
  bool               named = tree->column[c].categories > 0;
  unsigned           n = named ? tree->column[c].categories : places (tree, c, place) - 1;
  double             sum = 0, sum_of_squares = 0, weights = 0;

  for (unsigned i = 0; i < n; i++)
    {
      double weight = named ? (double) (tree->whole[c].some >> i & 1) : place[i + 1] - place[i];
      double mean = mean_at (tree, c, named ? i : place[i] + (place[i + 1] - place[i]) / 2);

      weights += weight;
      sum += weight * mean;
      sum_of_squares += weight * mean * mean;
    }
  return weights > 0 ? fmax (sum_of_squares / weights - sum * sum / (weights * weights), 0.0) : 0.0;
}

static double
whole_variance (const Tree *tree)
{
  double sum = 0, sum_of_squares = 0;

  for (guint l = 0; l < tree->leaves->len; l++)
    {
      const Box *box = &g_array_index (tree->leaves, Box, l);

      sum += box->volume * box->mean;
      sum_of_squares += box->volume * box->mean * box->mean;
    }
  return fmax (sum_of_squares - sum * sum, 0.0);
}

static void
measure_whole (Tree *tree, unsigned rows)
{
  for (unsigned c = 0; c < tree->columns; c++)
    {
      Side *side = &tree->whole[c];

      *side = (Side) { .lo = INFINITY, .hi = -INFINITY };
      for (unsigned i = 0; i < rows; i++)
        {
          double value = tree->column[c].value[i];

          side->lo = fmin (side->lo, value);
          side->hi = fmax (side->hi, value);
          if (tree->column[c].categories > 0)
            side->some |= UINT64_C (1) << (unsigned) value;
        }
    }
}

void
sl_forest_shares (const SlForestColumn *column, unsigned columns, const double *y, unsigned rows,
                  uint64_t seed, double *share, double *spread)
{
  g_autofree Tree     *tree = g_new0 (Tree, 1);
  g_autofree unsigned *row = g_new (unsigned, rows);
  double               sum = 0, squares[SL_FOREST_COLUMNS] = { 0 };

  g_assert (columns >= 1 && columns <= SL_FOREST_COLUMNS && rows >= 2 && rows <= SL_FOREST_ROWS);
  tree->column = column;
  tree->columns = columns;
  tree->y = y;
  measure_whole (tree, rows);
  sl_rng_init (&tree->rng, seed, "importance");
  memset (share, 0, columns * sizeof *share);
  for (int t = 0; t < SL_FOREST_TREES; t++)
    {
      double all;

      tree->leaves = g_array_new (FALSE, FALSE, sizeof (Box));
      for (unsigned i = 0; i < rows; i++)
        row[i] = (unsigned) sl_rng_below (&tree->rng, rows);
      grow (tree, tree->whole, row, rows);
      all = whole_variance (tree);
      for (unsigned c = 0; c < columns && all > 0; c++)
        {
          double part = variance_of (tree, c) / all;

          share[c] += part;
          squares[c] += part * part;
        }
      g_array_unref (tree->leaves);
    }
  for (unsigned c = 0; c < columns; c++)
    sum += share[c];
  for (unsigned c = 0; c < columns; c++)
    {
      double mean = share[c] / SL_FOREST_TREES;

      spread[c] = sum > 0 ? sqrt (fmax (squares[c] / SL_FOREST_TREES - mean * mean, 0))
                              * SL_FOREST_TREES / sum
                          : 0;
      share[c] = sum > 0 ? share[c] / sum : 0;
    }
}
