/* SPDX-License-Identifier: MIT
 *
 * How far values spread around a curve: bars with caps where points are few, a band where they are
 * many.  */
#include <math.h>

#include "plot/draw/private.h"
#include "plot/figure/reduce.h"

enum { FEW = 40 };

/* A bar with a cap at either end, up and down or left and right. */
static void
draw_bar (const SlDrawing *d, SlXY from, SlXY to, SlRgba colour, double width)
{
  double cap = SL_SPREAD_CAP * d->theme->marker, length = hypot (to.x - from.x, to.y - from.y);
  double across = length > 0.0 ? cap * (to.y - from.y) / length : 0.0;
  double along = length > 0.0 ? cap * (to.x - from.x) / length : 0.0;

  if (!isfinite (length) || length == 0.0)
    return;
  sl_draw_segment (d, from.x, from.y, to.x, to.y, colour, width, NULL);
  sl_draw_segment (d, from.x - across, from.y - along, from.x + across, from.y + along, colour,
                   width, NULL);
  sl_draw_segment (d, to.x - across, to.y - along, to.x + across, to.y + along, colour, width,
                   NULL);
}

bool
sl_draw_is_band (const SlCurve *curve)
{
  return (curve->low != NULL && curve->high != NULL)
         || (curve->series == NULL && curve->spread != NULL && curve->n > FEW && !curve->scatter);
}

bool
sl_draw_has_bars (const SlCurve *curve)
{
  return curve->series == NULL && !sl_draw_is_band (curve)
         && (curve->spread != NULL || curve->spread_x != NULL);
}

/* The colour of a tone may be close to the paper's, which would leave a bar unseen. */
SlRgba
sl_draw_spread_colour (const SlDrawing *d, const SlCurve *curve, const SlPen *pen)
{
  return curve->tone != NULL
           ? sl_mix (d->theme->soft, d->theme->plot, curve->ghost ? SL_GHOST_PALE : 0.2)
           : pen->colour;
}

static void
draw_bars (const SlDrawing *d, const SlCurve *curve, const SlPen *pen)
{
  const SlFrame *f = d->frame;
  const SlRect  *p = &f->plot;
  double         width = SL_SPREAD_WIDTH * pen->width;
  SlRgba         colour = sl_draw_spread_colour (d, curve, pen);

  for (size_t i = 0; i < curve->n; i++)
    {
      double x = sl_frame_x (f, curve->x[i]), y = sl_frame_y (f, curve->y[i]);

      if (curve->spread != NULL)
        draw_bar (
          d, (SlXY) { x, sl_frame_y (f, curve->y[i] + curve->spread[i]) },
          (SlXY) { x, MIN (sl_frame_y (f, curve->y[i] - curve->spread[i]), p->y + 2.0 * p->h) },
          colour, width);
      if (curve->spread_x != NULL)
        draw_bar (d,
                  (SlXY) { MAX (sl_frame_x (f, curve->x[i] - curve->spread_x[i]), p->x - p->w), y },
                  (SlXY) { sl_frame_x (f, curve->x[i] + curve->spread_x[i]), y }, colour, width);
    }
}

/* Adds a corner, cut far outside of the plot so that a logarithmic axis may end there. */
static void
add_corner (const SlDrawing *d, GArray *outline, double px, double value)
{
  const SlRect *p = &d->frame->plot;
  SlXY          at = { px, CLAMP (sl_frame_y (d->frame, value), p->y - p->h, p->y + 2.0 * p->h) };

  if (isfinite (at.x) && !isnan (value))
    g_array_append_val (outline, at);
}

static void
fill (const SlDrawing *d, GArray *upper, GArray *lower, SlRgba colour)
{
  for (unsigned i = lower->len; i > 0; i--)
    g_array_append_val (upper, g_array_index (lower, SlXY, i - 1));
  if (upper->len > 2)
    d->canvas->area (d->canvas, (SlXY *) (void *) upper->data, upper->len, colour);
  g_array_set_size (upper, 0);
  g_array_set_size (lower, 0);
}

/* Half widths of many points. */
static void
draw_outline (const SlDrawing *d, const SlCurve *curve, SlRgba colour)
{
  g_autoptr (GArray) upper = g_array_new (FALSE, FALSE, sizeof (SlXY));
  g_autoptr (GArray) lower = g_array_new (FALSE, FALSE, sizeof (SlXY));

  for (size_t i = 0; i < curve->n; i++)
    {
      double px = sl_frame_x (d->frame, curve->x[i]);

      add_corner (d, upper, px, curve->y[i] + curve->spread[i]);
      add_corner (d, lower, px, curve->y[i] - curve->spread[i]);
    }
  fill (d, upper, lower, colour);
}

/* Between two series, two corners per px at most; a gap in either cuts the band. */
static void
draw_band (const SlDrawing *d, const SlCurve *curve, SlRgba colour)
{
  const SlFrame *f = d->frame;
  SlPoints       low = sl_points_of_series (curve->low), high = sl_points_of_series (curve->high);
  unsigned       columns = (unsigned) MAX (f->plot.w, 1.0);
  g_autoptr (GArray) upper = g_array_new (FALSE, FALSE, sizeof (SlXY));
  g_autoptr (GArray) lower = g_array_new (FALSE, FALSE, sizeof (SlXY));
  size_t first, last;

  sl_points_visible (&low, &f->x, &first, &last);
  if (last - first <= columns)
    {
      first -= first > 0;
      last = MIN (last + (last < low.n), high.n);
      for (size_t i = first; i < last; i++)
        {
          double px = sl_frame_x (f, low.x[i]);

          if (!isfinite (low.y[i]) || !isfinite (high.y[i]))
            {
              fill (d, upper, lower, colour);
              continue;
            }
          add_corner (d, upper, px, high.y[i]);
          add_corner (d, lower, px, low.y[i]);
        }
    }
  else
    {
      g_autofree SlColumn *down = g_new (SlColumn, columns);
      g_autofree SlColumn *up = g_new (SlColumn, columns);

      sl_reduce (&low, &f->x, columns, down);
      sl_reduce (&high, &f->x, columns, up);
      for (unsigned c = 0; c < columns; c++)
        {
          double px = f->plot.x + (c + 0.5) * f->plot.w / columns;

          if (down[c].n == 0)
            continue;
          if (!(down[c].lo <= up[c].hi))
            {
              fill (d, upper, lower, colour);
              continue;
            }
          add_corner (d, upper, px, up[c].hi);
          add_corner (d, lower, px, down[c].lo);
        }
    }
  fill (d, upper, lower, colour);
}

static SlRgba
veil_of (const SlPen *pen)
{
  SlRgba veil = pen->colour;

  veil.a = 0.2F;
  return veil;
}

void
sl_draw_spread (const SlDrawing *d, const SlCurve *curve)
{
  SlPen pen = sl_curve_pen (d->theme, curve);

  if (curve->low != NULL && curve->high != NULL)
    {
      g_autofree char *name = g_strdup_printf ("%s-band", curve->id);

      sl_draw_group (d, name, &d->frame->plot, 1.0);
      draw_band (d, curve, veil_of (&pen));
      sl_draw_end (d);
    }
  else if (sl_draw_is_band (curve))
    draw_outline (d, curve, veil_of (&pen));
  else if (sl_draw_has_bars (curve))
    draw_bars (d, curve, &pen);
}

/* Columns of a band in units of the axes. */
typedef struct
{
  GArray *x, *low, *high; /* of double */
} Band;

static void
add_place (Band *band, double x, double low, double high)
{
  bool gap = !isfinite (low) || !isfinite (high);

  if (gap)
    low = high = NAN;
  g_array_append_val (band->x, x);
  g_array_append_val (band->low, low);
  g_array_append_val (band->high, high);
}

/* Between two series, as they are or as their extremes in columns. */
static void
take_series (const SlDrawing *d, const SlCurve *curve, unsigned columns, Band *band)
{
  const SlFrame *f = d->frame;
  SlPoints       low = sl_points_of_series (curve->low), high = sl_points_of_series (curve->high);
  g_autofree SlColumn *down = NULL, *up = NULL;
  size_t               first, last;

  sl_points_visible (&low, &f->x, &first, &last);
  if (last - first <= 2 * (size_t) columns)
    {
      first -= first > 0;
      last = MIN (last + (last < low.n), high.n);
      for (size_t i = first; i < last; i++)
        add_place (band, low.x[i], low.y[i], high.y[i]);
      return;
    }
  down = g_new (SlColumn, columns);
  up = g_new (SlColumn, columns);
  sl_reduce (&low, &f->x, columns, down);
  sl_reduce (&high, &f->x, columns, up);
  for (unsigned c = 0; c < columns; c++)
    if (down[c].n > 0)
      add_place (band, sl_frame_value_x (f, f->plot.x + (c + 0.5) * f->plot.w / columns),
                 down[c].lo, up[c].hi);
}

void
sl_draw_band_values (const SlDrawing *d, const SlCurve *curve, unsigned columns)
{
  g_autofree char *id = g_strdup_printf ("%s-band", curve->id);
  Band             band
    = { g_array_new (FALSE, FALSE, sizeof (double)), g_array_new (FALSE, FALSE, sizeof (double)),
        g_array_new (FALSE, FALSE, sizeof (double)) };
  SlPen pen = sl_curve_pen (d->theme, curve);

  if (curve->low != NULL && curve->high != NULL)
    take_series (d, curve, columns, &band);
  else if (sl_draw_is_band (curve))
    for (size_t i = 0; i < curve->n; i++)
      add_place (&band, curve->x[i], curve->y[i] - curve->spread[i],
                 curve->y[i] + curve->spread[i]);
  if (band.x->len > 0)
    d->canvas->band (d->canvas, &(SlCanvasBand) { .id = id,
                                                  .x = (double *) (void *) band.x->data,
                                                  .low = (double *) (void *) band.low->data,
                                                  .high = (double *) (void *) band.high->data,
                                                  .n = band.x->len,
                                                  .colour = veil_of (&pen) });
  g_array_unref (band.x);
  g_array_unref (band.low);
  g_array_unref (band.high);
}
