/* SPDX-License-Identifier: MIT
 *
 * The column rasteriser; see raster.h.  A pixel column is cut into `sub` columns.  For each, the
 * trace knows the run of heights that the curve passes through; thickening takes the union
 * with the neighbours' runs, each widened by the height of a round pen at that distance; the
 * share of a pixel that the runs of its sub-columns cover is its opacity.  */
#include "plot/screen/raster.h"

#include <glib.h>
#include <math.h>

#include "plot/draw/curves.h"

enum { SUB_MOST = 4 };

struct SlRaster
{
  size_t    capacity;
  float    *lo, *hi; /* the trace, in pixels downwards; lo > hi: empty */
  float    *thick_lo, *thick_hi;
  SlColumn *column;
};

/* One curve on its way to the pixels. */
typedef struct
{
  SlRaster       *raster;
  const SlPixels *pixels;
  const SlFrame  *frame;
  int             x0, x1, y0, y1; /* the plot rectangle in pixels */
  int             sub, margin, n; /* sub-columns per pixel, on either side, in all */
  double          top, bottom;    /* where heights are cut, far outside */
} Trace;

SlRaster *
sl_raster_new (void)
{
  return g_new0 (SlRaster, 1);
}

void
sl_raster_free (SlRaster *raster)
{
  if (raster == NULL)
    return;
  g_free (raster->lo);
  g_free (raster->hi);
  g_free (raster->thick_lo);
  g_free (raster->thick_hi);
  g_free (raster->column);
  g_free (raster);
}

static void
reserve (SlRaster *raster, size_t n)
{
  if (n <= raster->capacity)
    return;
  raster->lo = g_renew (float, raster->lo, n);
  raster->hi = g_renew (float, raster->hi, n);
  raster->thick_lo = g_renew (float, raster->thick_lo, n);
  raster->thick_hi = g_renew (float, raster->thick_hi, n);
  raster->column = g_renew (SlColumn, raster->column, n);
  raster->capacity = n;
}

static void
include (Trace *t, int j, double a, double b)
{
  float lo = (float) MIN (a, b), hi = (float) MAX (a, b);

  t->raster->lo[j] = MIN (t->raster->lo[j], lo);
  t->raster->hi[j] = MAX (t->raster->hi[j], hi);
}

/* A straight line; x in sub-columns, y in pixels. */
static void
include_line (Trace *t, double xa, double ya, double xb, double yb)
{
  double slope;
  int    first, last;

  if (xa > xb)
    {
      double swap = xa;

      xa = xb;
      xb = swap;
      swap = ya;
      ya = yb;
      yb = swap;
    }
  if (!(xb >= 0.0) || !(xa < t->n))
    return;
  slope = xb > xa ? (yb - ya) / (xb - xa) : 0.0;
  if (xa < 0.0)
    {
      ya -= xa * slope;
      xa = 0.0;
    }
  if (xb > t->n)
    {
      yb -= (xb - t->n) * slope;
      xb = t->n;
    }
  first = (int) xa;
  last = MIN ((int) xb, t->n - 1);
  if (first == last)
    {
      include (t, first, ya, yb);
      return;
    }
  include (t, first, ya, ya + (first + 1 - xa) * slope);
  for (int j = first + 1; j < last; j++)
    include (t, j, ya + (j - xa) * slope, ya + (j + 1 - xa) * slope);
  include (t, last, ya + (last - xa) * slope, yb);
}

static double
height_of (const Trace *t, double value)
{
  return CLAMP (sl_frame_y (t->frame, value) * t->pixels->scale, t->top, t->bottom);
}

static double
across (const Trace *t, double value)
{
  return (sl_frame_x (t->frame, value) * t->pixels->scale - t->x0) * t->sub + t->margin;
}

/* Every sample, joined to the next. */
static void
trace_samples (Trace *t, const SlPoints *points, size_t first, size_t last)
{
  double xa = NAN, ya = NAN;

  first -= first > 0;
  last += last < points->n;
  for (size_t i = first; i < last; i++)
    {
      double x = across (t, points->x[i]), y = NAN;

      if (isfinite (points->y[i]) && isfinite (x))
        {
          x = CLAMP (x, -1e7, 1e7);
          y = height_of (t, points->y[i]);
          include_line (t, isfinite (ya) ? xa : x, isfinite (ya) ? ya : y, x, y);
        }
      xa = x;
      ya = y;
    }
}

/* Many samples per pixel column: lowest to highest, joined to the neighbouring columns.  Where the
 * samples of a column just lead from its first to its last, a line does, which keeps steep
 * clean curves smooth.  */
static void
trace_columns (Trace *t, const SlPoints *points)
{
  int       columns = (t->n - 2 * t->margin) / t->sub;
  SlColumn *column = t->raster->column;
  double    xa = NAN, ya = NAN;

  sl_reduce (points, &t->frame->x, (unsigned) columns, column);
  for (int c = 0; c < columns; c++)
    {
      double left = t->margin + c * t->sub, first = NAN, last = NAN;
      double lo, hi;

      if (column[c].n == 0)
        continue;
      if (isfinite (column[c].first))
        first = height_of (t, column[c].first);
      if (isfinite (column[c].last))
        last = height_of (t, column[c].last);
      if (isfinite (ya) && isfinite (first))
        include_line (t, xa, ya, left + 0.5, first);
      xa = left + t->sub - 0.5;
      ya = last;
      if (!(column[c].lo <= column[c].hi))
        continue;
      lo = height_of (t, column[c].lo);
      hi = height_of (t, column[c].hi);
      if (fabs (hi - lo) <= 0.5 + fabs (last - first))
        include_line (t, left + 0.5, first, xa, last);
      else
        for (int j = 0; j < t->sub; j++)
          include (t, (int) left + j, lo, hi);
    }
}

/* Takes away what a dash leaves out.  Lengths along the curve where it is a clean line, along
 * x where it is a cloud.  */
static void
cut_dashes (Trace *t, const double *dash, double width, double radius, bool clean)
{
  double   length[8], total = 0.0, at = 0.0, before = NAN;
  unsigned n = 0;

  for (; n < 8 && dash[n] > 0.0; n++)
    {
      /* Round ends reach beyond the dash by the radius of the pen. */
      double shift = n % 2 == 0 ? -2.0 * radius : 2.0 * radius;

      length[n] = MAX (dash[n] * width + shift, n % 2 == 0 ? 1.0 / t->sub : 0.5);
      total += length[n];
    }
  if (n == 0)
    return;
  for (int j = 0; j < t->n; j++)
    {
      double   middle = (double) (t->raster->lo[j] + t->raster->hi[j]) / 2.0, phase, rise = 0.0;
      unsigned k = 0;

      if (clean && isfinite (middle) && isfinite (before))
        rise = MIN (fabs (middle - before), 1e4);
      at += sqrt (1.0 / ((double) t->sub * t->sub) + rise * rise);
      before = middle;
      phase = fmod (at, total);
      while (k + 1 < n && phase >= length[k])
        phase -= length[k++];
      if (k % 2 == 1)
        {
          t->raster->lo[j] = HUGE_VALF;
          t->raster->hi[j] = -HUGE_VALF;
        }
    }
}

/* How many sub-columns make the width of a pen come out best: with the neighbours that it takes in,
 * a steep line is 2 k + 1 of them wide.  */
static int
best_sub (double radius, int most)
{
  double least = HUGE_VAL;
  int    best = 2;

  for (int sub = 2; sub <= most; sub++)
    {
      double width = (floor (radius * sub) + 0.5) / sub;

      if (fabs (width - radius) < least)
        {
          least = fabs (width - radius);
          best = sub;
        }
    }
  return best;
}

static void
thicken (Trace *t, double radius)
{
  SlRaster *r = t->raster;
  int       reach = (int) (radius * t->sub);

  for (int j = 0; j < t->n; j++)
    {
      r->thick_lo[j] = r->lo[j] - (float) radius;
      r->thick_hi[j] = r->hi[j] + (float) radius;
    }
  for (int k = 1; k <= reach; k++)
    {
      double distance = (double) k / t->sub;
      float  height = (float) sqrt (radius * radius - distance * distance);

      for (int j = 0; j + k < t->n; j++)
        {
          r->thick_lo[j] = MIN (r->thick_lo[j], r->lo[j + k] - height);
          r->thick_hi[j] = MAX (r->thick_hi[j], r->hi[j + k] + height);
          r->thick_lo[j + k] = MIN (r->thick_lo[j + k], r->lo[j] - height);
          r->thick_hi[j + k] = MAX (r->thick_hi[j + k], r->hi[j] + height);
        }
    }
}

/* One pixel column from the runs of its sub-columns. */
static void
fill_column (const Trace *t, int x, const float *lo, const float *hi, uint32_t colour,
             double opacity)
{
  float outer_lo = HUGE_VALF, outer_hi = -HUGE_VALF, inner_lo = -HUGE_VALF, inner_hi = HUGE_VALF;
  uint32_t *pixel;
  int       first, last, solid_first, solid_last;
  uint32_t  solid = (uint32_t) lround (256.0 * opacity);

  for (int s = 0; s < t->sub; s++)
    {
      if (!(lo[s] < hi[s]))
        {
          inner_hi = -HUGE_VALF;
          continue;
        }
      outer_lo = MIN (outer_lo, lo[s]);
      outer_hi = MAX (outer_hi, hi[s]);
      inner_lo = MAX (inner_lo, lo[s]);
      inner_hi = MIN (inner_hi, hi[s]);
    }
  if (!(outer_lo < outer_hi) || outer_hi <= (float) t->y0 || outer_lo >= (float) t->y1)
    return;
  first = MAX ((int) floorf (outer_lo), t->y0);
  last = MIN ((int) ceilf (outer_hi), t->y1);
  solid_first = solid_last = last;
  if (inner_lo < inner_hi)
    {
      solid_first = (int) ceilf (CLAMP (inner_lo, (float) first, (float) last));
      solid_last = (int) floorf (CLAMP (inner_hi, (float) first, (float) last));
      if (solid_first >= solid_last)
        solid_first = solid_last = last;
    }
  pixel = t->pixels->data + (size_t) first * (size_t) t->pixels->stride + x;
  for (int y = first; y < last; y++, pixel += t->pixels->stride)
    {
      float covered = 0.0F;

      if (y == solid_first)
        {
          for (; y < solid_last; y++, pixel += t->pixels->stride)
            *pixel = solid >= 256 ? colour : sl_blend (*pixel, colour, solid);
          if (y == last)
            return;
        }
      for (int s = 0; s < t->sub; s++)
        {
          float a = MAX (lo[s], (float) y), b = MIN (hi[s], (float) (y + 1));

          covered += b > a ? b - a : 0.0F;
        }
      *pixel = sl_blend (*pixel, colour, (uint32_t) ((float) solid * covered / (float) t->sub));
    }
}

static void
draw_points (const SlScreen *screen, const SlPoints *points, const SlPen *pen, double opacity)
{
  SlRaster       *raster = screen->raster;
  const SlPixels *pixels = screen->pixels;
  const SlFrame  *frame = screen->frame;
  double          scale = pixels->scale, radius = MAX (0.5 * pen->width * scale, 0.4);
  const SlRect   *p = &frame->plot;
  Trace           t = { .raster = raster,
                        .pixels = pixels,
                        .frame = frame,
                        .x0 = MAX ((int) lround (p->x * scale), 0),
                        .x1 = MIN ((int) lround ((p->x + p->w) * scale), pixels->width),
                        .y0 = MAX ((int) lround (p->y * scale), 0),
                        .y1 = MIN ((int) lround ((p->y + p->h) * scale), pixels->height) };
  bool            dashed = pen->dash[0] > 0.0, dense;
  size_t          first, last;
  uint32_t        colour = sl_packed (pen->colour);

  if (t.x1 <= t.x0 || t.y1 <= t.y0 || points->n == 0)
    return;
  sl_points_visible (points, &frame->x, &first, &last);
  dense = last - first > 4 * (size_t) (t.x1 - t.x0);
  t.sub = best_sub (radius, dashed || radius < 1.2 ? SUB_MOST : SUB_MOST - 1);
  t.margin = ((int) radius + 2) * t.sub;
  t.n = (t.x1 - t.x0) * t.sub + 2 * t.margin;
  t.top = t.y0 - 3.0 * (t.y1 - t.y0);
  t.bottom = t.y1 + 3.0 * (t.y1 - t.y0);
  reserve (raster, (size_t) t.n);
  for (int j = 0; j < t.n; j++)
    {
      raster->lo[j] = HUGE_VALF;
      raster->hi[j] = -HUGE_VALF;
    }
  if (dense)
    trace_columns (&t, points);
  else
    trace_samples (&t, points, first, last);
  if (dashed)
    cut_dashes (&t, pen->dash, pen->width * scale, radius, !dense);
  thicken (&t, radius);
  for (int x = t.x0; x < t.x1; x++)
    {
      size_t j = (size_t) (t.margin + (x - t.x0) * t.sub);

      fill_column (&t, x, raster->thick_lo + j, raster->thick_hi + j, colour, opacity);
    }
}

void
sl_raster_curves (const SlScreen *screen)
{
  unsigned order[SL_CURVES_MAX], n = sl_draw_order (screen->figure, order);

  /* Raw values lie behind the lines of all curves. */
  for (unsigned i = 0; i < 2 * n; i++)
    {
      bool           behind = i < n;
      const SlCurve *curve = &screen->figure->curve[order[i % n]];
      SlPen          pen = (behind ? sl_raw_pen : sl_curve_pen) (screen->theme, curve);
      SlPoints       raw, points = sl_draw_points (screen->figure, curve, &raw);

      if (!curve->scatter)
        draw_points (screen, behind ? &raw : &points, &pen, behind ? SL_RAW_OPACITY : 1.0);
    }
}
