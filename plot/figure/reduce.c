/* SPDX-License-Identifier: MIT
 *
 * Extremes and means per column over sorted points; see reduce.h.  */
#include "plot/figure/reduce.h"

#include <assert.h>
#include <math.h>

SlPoints
sl_points_of_series (const SlSeries *series)
{
  return (SlPoints) { series->step, series->value, series->n, series };
}

SlPoints
sl_points_of_curve (const SlCurve *curve)
{
  if (curve->series != NULL)
    return sl_points_of_series (curve->series);
  return (SlPoints) { curve->x, curve->y, curve->n, NULL };
}

size_t
sl_points_find (const SlPoints *points, double x, size_t near)
{
  size_t low = 0, high = points->n, stride = 1;

  if (near > points->n)
    near = points->n;
  /* Strides that double bracket the answer in a few steps when it is close. */
  if (near < points->n && points->x[near] < x)
    {
      low = near + 1;
      while (low + stride < points->n && points->x[low + stride - 1] < x)
        {
          low += stride;
          stride *= 2;
        }
      if (low + stride < points->n)
        high = low + stride;
    }
  else
    {
      high = near;
      while (high >= stride && !(points->x[high - stride] < x))
        {
          high -= stride;
          stride *= 2;
        }
      if (high >= stride)
        low = high - stride;
    }
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;

      if (points->x[middle] < x)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* Comparisons with not-a-number are false, so that it never becomes an extremum. */
static void
scan (const double *low, const double *high, size_t first, size_t last, SlRange *range)
{
  double lo = range->lo, hi = range->hi;

  for (size_t i = first; i < last; i++)
    {
      lo = low[i] < lo ? low[i] : lo;
      hi = high[i] > hi ? high[i] : hi;
    }
  range->lo = lo;
  range->hi = hi;
}

/* The same as sl_series_range(), for many short ranges: up the pyramid at both ends of the range
 * at once.  Infinite values are taken in.  */
static void
climb (const SlSeries *series, size_t first, size_t last, SlRange *range)
{
  const double *low = series->value, *high = series->value;
  size_t        fan = SL_PYRAMID_LEAF;

  for (unsigned above = 0;; above++)
    {
      size_t head = (first + fan - 1) / fan, tail = last / fan;

      if (above < series->levels && tail > series->level[above].n)
        tail = series->level[above].n;
      if (above == series->levels || head >= tail)
        {
          scan (low, high, first, last, range);
          return;
        }
      scan (low, high, first, head * fan, range);
      scan (low, high, tail * fan, last, range);
      first = head;
      last = tail;
      low = series->level[above].lo;
      high = series->level[above].hi;
      fan = SL_PYRAMID_FANOUT;
    }
}

bool
sl_points_range (const SlPoints *points, size_t first, size_t last, double *lo, double *hi)
{
  SlRange range = { HUGE_VAL, -HUGE_VAL };

  last = last < points->n ? last : points->n;
  if (first >= last)
    return false;
  if (points->series != NULL)
    climb (points->series, first, last, &range);
  else
    scan (points->y, points->y, first, last, &range);
  /* An infinite value hides the finite ones; that is rare, and then every one is looked at. */
  if (isinf (range.lo) || isinf (range.hi))
    {
      if (points->series != NULL)
        return sl_series_range (points->series, first, last, lo, hi);
      range = (SlRange) { HUGE_VAL, -HUGE_VAL };
      for (size_t i = first; i < last; i++)
        if (isfinite (points->y[i]))
          scan (points->y, points->y, i, i + 1, &range);
    }
  if (!(range.lo <= range.hi))
    return false;
  *lo = range.lo;
  *hi = range.hi;
  return true;
}

void
sl_points_visible (const SlPoints *points, const SlScale *scale, size_t *first, size_t *last)
{
  *first = sl_points_find (points, sl_scale_least (scale), 0);
  *last = sl_points_find (points, nextafter (scale->hi, HUGE_VAL), points->n);
}

void
sl_reduce (const SlPoints *points, const SlScale *scale, unsigned columns, SlColumn *out)
{
  size_t begin, stop, stride = 1;

  assert (columns > 0 && scale->lo < scale->hi);
  sl_points_visible (points, scale, &begin, &stop);
  for (unsigned c = 0; c < columns; c++)
    {
      size_t end = stop;
      double lo, hi;

      if (c + 1 < columns)
        {
          double edge = sl_scale_unmap (scale, (double) (c + 1) / columns);
          size_t guess = begin + stride < stop ? begin + stride : stop;

          end = sl_points_find (points, edge, guess);
          end = end > stop ? stop : end < begin ? begin : end;
        }
      out[c] = (SlColumn) {
        .begin = begin, .n = end - begin, .lo = NAN, .hi = NAN, .first = NAN, .last = NAN
      };
      if (end > begin)
        {
          out[c].first = points->y[begin];
          out[c].last = points->y[end - 1];
          if (sl_points_range (points, begin, end, &lo, &hi))
            {
              out[c].lo = lo;
              out[c].hi = hi;
            }
          stride = end - begin;
        }
      begin = end;
    }
}

void
sl_edges (const SlScale *scale, unsigned columns, double *edge)
{
  assert (columns > 0);
  for (unsigned c = 0; c <= columns; c++)
    edge[c] = sl_scale_unmap (scale, (double) c / columns);
  edge[0] = sl_scale_least (scale);
  edge[columns] = nextafter (scale->hi, HUGE_VAL);
}

/* The mean of the finite values in [first, last), and whether all of them are exactly 0. */
static void
average (const SlPoints *points, size_t first, size_t last, SlCellMean *out)
{
  double lo, hi, sum = 0.0;
  size_t n = 0;

  if (points->series != NULL)
    {
      if (!sl_series_mean (points->series, first, last, &out->mean))
        return;
    }
  else
    {
      for (size_t i = first; i < last; i++)
        if (isfinite (points->y[i]))
          {
            sum += points->y[i];
            n++;
          }
      if (n == 0)
        return;
      out->mean = sum / (double) n;
    }
  /* Values of both signs may cancel. */
  out->zero
    = out->mean == 0.0 && sl_points_range (points, first, last, &lo, &hi) && lo == 0.0 && hi == 0.0;
}

/* The sample that a column around x without any shows: one of those on either side of it, of which
 * `after` is the second.  points->n: none.  */
static size_t
nearest (const SlPoints *points, size_t after, double x)
{
  const double *at = points->x;
  size_t        n = points->n;
  double        reach = 0.5;

  if (n == 0)
    return n;
  if (after > 0 && after < n)
    return x - at[after - 1] <= at[after] - x ? after - 1 : after;
  if (after == 0)
    {
      if (n > 1)
        reach = 0.5 * (at[1] - at[0]);
      return at[0] - x <= reach ? 0 : n;
    }
  if (n > 1)
    reach = 0.5 * (at[n - 1] - at[n - 2]);
  return x - at[n - 1] <= reach ? n - 1 : n;
}

void
sl_means (const SlPoints *points, const double *edge, unsigned columns, SlCellMean *out)
{
  size_t begin = sl_points_find (points, edge[0], 0), stride = 1;

  for (unsigned c = 0; c < columns; c++)
    {
      size_t guess = begin + stride < points->n ? begin + stride : points->n;
      size_t end = sl_points_find (points, edge[c + 1], guess), first;

      end = end < begin ? begin : end;
      out[c] = (SlCellMean) { .mean = NAN, .n = end - begin };
      if (end > begin)
        {
          average (points, begin, end, &out[c]);
          stride = end - begin;
        }
      else
        {
          first = nearest (points, begin, 0.5 * (edge[c] + edge[c + 1]));
          if (first < points->n)
            average (points, first, first + 1, &out[c]);
        }
      begin = end;
    }
}
