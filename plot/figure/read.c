/* SPDX-License-Identifier: MIT
 *
 * Reads values off a figure, and says them; see figure.h.  */
#include "plot/figure/figure.h"

#include <assert.h>
#include <glib.h>
#include <glib/gi18n.h>
#include <math.h>

#include "core/run/base/language.h"
#include "plot/figure/reduce.h"
#include "plot/figure/smooth.h"

/* The band of a curve at a sample; not-a-number without one. */
static double
edge_at (const SlSeries *edge, size_t i)
{
  return edge != NULL && i < edge->n ? edge->value[i] : (double) NAN;
}

unsigned
sl_figure_read (const SlFigure *figure, double x, double width, SlReading *readings, unsigned max)
{
  unsigned n = 0;

  for (unsigned c = 0; c < figure->n_curves && n < max; c++)
    {
      const SlCurve *curve = &figure->curve[c];
      SlPoints       points = sl_points_of_curve (curve);
      SlReading     *reading = &readings[n];
      size_t         first, last, nearest;

      if (curve->hidden || points.n == 0)
        continue;
      if (sl_figure_kind (figure)->bars)
        {
          /* The category under the pointer. */
          if (!(x >= 0.0) || x >= (double) points.n)
            continue;
          nearest = (size_t) x;
          first = nearest;
          last = nearest + 1;
        }
      else if (curve->scatter)
        {
          nearest = 0;
          for (size_t i = 1; i < points.n; i++)
            if (fabs (points.x[i] - x) < fabs (points.x[nearest] - x))
              nearest = i;
          if (!(fabs (points.x[nearest] - x) <= width))
            continue;
          first = nearest;
          last = nearest + 1;
        }
      else
        {
          first = sl_points_find (&points, x - width / 2.0, 0);
          last = sl_points_find (&points, x + width / 2.0, first);
          nearest = sl_points_find (&points, x, first);
          if (nearest == points.n
              || (nearest > 0 && x - points.x[nearest - 1] <= points.x[nearest] - x))
            nearest = nearest > 0 ? nearest - 1 : 0;
          if (last == first)
            {
              if (x < points.x[0] - width || x > points.x[points.n - 1] + width)
                continue;
              first = nearest;
              last = nearest + 1;
            }
        }
      *reading
        = (SlReading) { .curve = c,
                        .x = points.x[nearest],
                        .value = points.y[nearest],
                        .smooth = sl_smooth_at (curve, points.x[nearest]),
                        .lo = NAN,
                        .hi = NAN,
                        .low = edge_at (curve->low, nearest),
                        .high = edge_at (curve->high, nearest),
                        .spread = curve->spread != NULL ? curve->spread[nearest] : (double) NAN,
                        .n = last - first };
      sl_points_range (&points, first, last, &reading->lo, &reading->hi);
      n++;
    }
  return n;
}

const char *
sl_reading_text (const SlFigure *figure, const SlReading *reading, char *text, size_t size)
{
  const SlCurve *curve = &figure->curve[reading->curve];
  const char    *unit = curve->unit;
  char           a[40], b[40], smooth[64] = "", band[96] = "", title[SL_CURVE_TITLE];

  assert (reading->curve < figure->n_curves);
  sl_message_show (curve->title, figure->translated ? sl_words : NULL, title, sizeof title);
  if (isfinite (reading->smooth))
    {
      sl_number_text (reading->smooth, 4, a, sizeof a);
      g_snprintf (smooth, sizeof smooth, _ (" (mean %s)"), a);
    }
  if (isfinite (reading->low) && isfinite (reading->high))
    {
      sl_number_text (reading->low, 4, a, sizeof a);
      sl_number_text (reading->high, 4, b, sizeof b);
      g_snprintf (band, sizeof band, _ (" (%s to %s)"), a, b);
    }
  if (reading->n <= 1 && isnan (reading->value))
    {
      g_snprintf (text, size, "%s: %s%s%s", title,
                  sl_figure_kind (figure)->bars ? _ ("not measured") : _ ("not a number"), smooth,
                  band);
      return text;
    }
  /* Where a pixel has many samples, what they scatter around says more than their ends. */
  if (reading->n > 1 && isfinite (reading->smooth))
    {
      sl_number_text (reading->smooth, 3, a, sizeof a);
      g_snprintf (text, size, _ ("%s: mean %s%s%s"), title, a, *unit != '\0' ? "\302\240" : "",
                  unit);
      return text;
    }
  if (reading->n > 1)
    sl_number_text (reading->lo, 4, a, sizeof a);
  else
    sl_spread_text (reading->value, reading->spread, 4, a, sizeof a);
  sl_number_text (reading->hi, 4, b, sizeof b);
  if (reading->n > 1 && strcmp (a, b) != 0)
    g_snprintf (text, size, _ ("%s: %s to %s%s%s%s%s"), title, a, b,
                *unit != '\0' ? "\302\240" : "", unit, smooth, band);
  else
    g_snprintf (text, size, "%s: %s%s%s%s%s", title, a, *unit != '\0' ? "\302\240" : "", unit,
                smooth, band);
  return text;
}
