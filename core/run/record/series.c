/* SPDX-License-Identifier: MIT
 *
 * Growing columns with a pyramid of extremes and sums.  Only whole nodes are stored, so that an append
 * touches the pyramid once in sixteen and a truncation only has to forget nodes.  */
#include "core/run/record/series.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool
is_finite (double value)
{
  return fabs (value) <= DBL_MAX;
}

void
sl_series_clear (SlSeries *series)
{
  free (series->step);
  free (series->value);
  for (unsigned l = 0; l < SL_PYRAMID_LEVELS; l++)
    {
      free (series->level[l].lo);
      free (series->level[l].hi);
      free (series->level[l].sum);
      free (series->level[l].count);
    }
  *series = (SlSeries) { 0 };
}

static bool
grow_column (double **column, size_t capacity)
{
  double *larger
    = capacity <= SIZE_MAX / sizeof (double) ? realloc (*column, capacity * sizeof (double)) : NULL;

  if (larger == NULL)
    return false;
  *column = larger;
  return true;
}

/* Makes room in the columns and, for as many samples, in every level above them, so that
 * nothing can fail later.  */
static bool
grow (SlSeries *series)
{
  size_t capacity = series->capacity > 0 ? 2 * series->capacity : 64;
  size_t nodes = capacity / SL_PYRAMID_LEAF;

  for (unsigned l = 0; l < SL_PYRAMID_LEVELS && nodes > 0; l++, nodes /= SL_PYRAMID_FANOUT)
    {
      SlPyramidLevel *level = &series->level[l];

      if (!grow_column (&level->lo, nodes) || !grow_column (&level->hi, nodes)
          || !grow_column (&level->sum, nodes) || !grow_column (&level->count, nodes))
        return false;
      level->capacity = nodes;
      if (series->levels < l + 1)
        series->levels = l + 1;
    }
  if (!grow_column (&series->step, capacity) || !grow_column (&series->value, capacity))
    return false;
  series->capacity = capacity;
  return true;
}

/* Plain comparisons: fmin() and fmax() are calls here, and not-a-number fails them anyway. */
static void
widen (double value, double *lo, double *hi)
{
  if (!is_finite (value))
    return;
  if (value < *lo)
    *lo = value;
  if (value > *hi)
    *hi = value;
}

/* A node has limits of its own; one without a finite value has none (lo > hi). */
static void
join (const SlPyramidLevel *level, size_t node, double *lo, double *hi)
{
  if (level->lo[node] < *lo)
    *lo = level->lo[node];
  if (level->hi[node] > *hi)
    *hi = level->hi[node];
}

/* Adds a finite value to the sum. */
static void
add (double value, double *sum, double *count)
{
  if (!is_finite (value))
    return;
  *sum += value;
  *count += 1.0;
}

static void
add_node (const SlPyramidLevel *level, size_t node, double *sum, double *count)
{
  *sum += level->sum[node];
  *count += level->count[node];
}

/* Adds the leaf that the last sample completed and the nodes above that it completes. */
static void
close_nodes (SlSeries *series)
{
  double lo = HUGE_VAL, hi = -HUGE_VAL, sum = 0.0, count = 0.0;

  for (size_t i = series->n - SL_PYRAMID_LEAF; i < series->n; i++)
    {
      widen (series->value[i], &lo, &hi);
      add (series->value[i], &sum, &count);
    }
  for (unsigned l = 0; l < series->levels; l++)
    {
      SlPyramidLevel *level = &series->level[l];

      level->lo[level->n] = lo;
      level->hi[level->n] = hi;
      level->sum[level->n] = sum;
      level->count[level->n] = count;
      level->n++;
      if (level->n % SL_PYRAMID_FANOUT != 0)
        return;
      sum = count = 0.0;
      for (size_t i = level->n - SL_PYRAMID_FANOUT; i < level->n; i++)
        {
          join (level, i, &lo, &hi);
          add_node (level, i, &sum, &count);
        }
    }
}

bool
sl_series_append (SlSeries *series, double step, double value)
{
  if (series->n == series->capacity && !grow (series))
    return false;
  series->step[series->n] = step;
  series->value[series->n] = value;
  series->n++;
  series->version++;
  if (series->n % SL_PYRAMID_LEAF == 0)
    close_nodes (series);
  return true;
}

void
sl_series_truncate (SlSeries *series, double step)
{
  size_t n = sl_series_find (series, nextafter (step, HUGE_VAL));

  if (n == series->n)
    return;
  series->n = n;
  n /= SL_PYRAMID_LEAF;
  for (unsigned l = 0; l < series->levels; l++, n /= SL_PYRAMID_FANOUT)
    series->level[l].n = n;
  series->version++;
  series->cuts++;
}

/* The largest whole node that begins at sample i and ends by `last`: its level + 1, or 0 for the
 * sample itself.  *span gets how many samples it has.  */
static unsigned
node_at (const SlSeries *series, size_t i, size_t last, size_t *span)
{
  unsigned above = 0;

  *span = 1;
  for (size_t next = SL_PYRAMID_LEAF; above < series->levels && i % next == 0 && next <= last - i;
       next *= SL_PYRAMID_FANOUT)
    {
      *span = next;
      above++;
    }
  return above;
}

bool
sl_series_range (const SlSeries *series, size_t first, size_t last, double *lo, double *hi)
{
  double least = HUGE_VAL, most = -HUGE_VAL;
  size_t i = first, span;

  if (last > series->n)
    last = series->n;
  for (; i < last; i += span)
    {
      unsigned above = node_at (series, i, last, &span);

      if (above == 0)
        widen (series->value[i], &least, &most);
      else
        join (&series->level[above - 1], i / span, &least, &most);
    }
  if (!(least <= most))
    return false;
  *lo = least;
  *hi = most;
  return true;
}

/* Up the pyramid from both ends of the range at once: a picture has many short ones. */
bool
sl_series_mean (const SlSeries *series, size_t first, size_t last, double *mean)
{
  double sum = 0.0, count = 0.0;
  size_t head, tail;

  if (last > series->n)
    last = series->n;
  head = (first + SL_PYRAMID_LEAF - 1) / SL_PYRAMID_LEAF;
  tail = last / SL_PYRAMID_LEAF;
  for (size_t i = first; i < last && (i < head * SL_PYRAMID_LEAF || head >= tail); i++)
    add (series->value[i], &sum, &count);
  for (size_t i = tail * SL_PYRAMID_LEAF; i < last && head < tail; i++)
    add (series->value[i], &sum, &count);
  for (unsigned l = 0; l < series->levels && head < tail; l++)
    {
      size_t begin = head, end = tail;

      head = (begin + SL_PYRAMID_FANOUT - 1) / SL_PYRAMID_FANOUT;
      tail = end / SL_PYRAMID_FANOUT;
      /* The last level has nothing above it that could take the middle. */
      if (l + 1 == series->levels)
        tail = head;
      for (size_t i = begin; i < end && (i < head * SL_PYRAMID_FANOUT || head >= tail); i++)
        add_node (&series->level[l], i, &sum, &count);
      for (size_t i = tail * SL_PYRAMID_FANOUT; i < end && head < tail; i++)
        add_node (&series->level[l], i, &sum, &count);
    }
  if (!(count > 0.0) || !is_finite (sum))
    return false;
  *mean = sum / count;
  return true;
}

size_t
sl_series_find (const SlSeries *series, double step)
{
  size_t first = 0, last = series->n;

  while (first < last)
    {
      size_t middle = first + (last - first) / 2;

      if (series->step[middle] < step)
        first = middle + 1;
      else
        last = middle;
    }
  return first;
}
