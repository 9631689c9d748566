/* SPDX-License-Identifier: MIT
 *
 * What a figure keeps up to date beside its curves, looking at new samples only: where they are
 * not finite; see figure.h.  */
#include "plot/figure/figure.h"

#include <glib.h>
#include <math.h>

void
sl_figure_follow (SlCurve *curve, const SlSeries *series)
{
  curve->x = curve->y = curve->spread = curve->spread_x = curve->tone = NULL;
  curve->low = curve->high = NULL;
  curve->n = 0;
  if (curve->series == series)
    return;
  curve->series = series;
  curve->scanned = 0;
  curve->n_holes = 0;
  curve->smooth.n = 0;
  curve->smooth.share = 0.0;
}

void
sl_figure_take_points (SlCurve *curve, const SlSnapshot *snapshot, const SlSnapshotCurve *from)
{
  sl_figure_follow (curve, NULL);
  curve->x = snapshot->data + from->offset;
  curve->y = curve->x + from->n;
  curve->spread = from->has_spread ? curve->y + from->n : NULL;
  curve->n = from->n;
  /* A line needs its points in order. */
  curve->scatter = false;
  for (size_t k = 1; k < curve->n && !curve->scatter; k++)
    curve->scatter = !(curve->x[k] >= curve->x[k - 1]);
}

/* Remembers where the series is not finite, looking at new samples only. */
static void
find_holes (SlCurve *curve)
{
  const SlSeries *series = curve->series;

  if (curve->cuts != series->cuts || curve->scanned > series->n)
    {
      curve->n_holes = 0;
      curve->scanned = 0;
      curve->cuts = series->cuts;
    }
  for (size_t i = curve->scanned; i < series->n; i++)
    {
      if (isfinite (series->value[i]))
        continue;
      if (curve->n_holes > 0 && curve->hole[curve->n_holes - 1].last + 1 == i)
        {
          curve->hole[curve->n_holes - 1].last = i;
          continue;
        }
      if (curve->n_holes == curve->holes_capacity)
        {
          curve->holes_capacity = MAX (2 * curve->holes_capacity, 16);
          curve->hole = g_renew (SlHole, curve->hole, curve->holes_capacity);
        }
      curve->hole[curve->n_holes++] = (SlHole) { i, i };
    }
  curve->scanned = series->n;
}

void
sl_figure_refresh (SlFigure *figure)
{
  /* Rows and bands show means per pixel; a gap is left empty in them. */
  for (unsigned c = 0; c < figure->n_curves; c++)
    if (figure->curve[c].series != NULL && !sl_figure_kind (figure)->rows)
      find_holes (&figure->curve[c]);
}
