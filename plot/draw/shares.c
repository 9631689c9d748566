/* SPDX-License-Identifier: MIT
 *
 * Shares on a canvas: one polygon per band and uninterrupted stretch.  */
#include <math.h>

#include "plot/draw/private.h"
#include "plot/figure/rows.h"

/* One corner per px. */
typedef struct
{
  unsigned columns;
  double  *begin; /* (columns, n_rows + 1) px from the top of the plot; not-a-number: a gap */
} Stack;

static void
stack (const SlDrawing *d, Stack *out)
{
  const SlRect      *plot = &d->frame->plot;
  unsigned           columns = out->columns, n = d->figure->n_rows;
  g_autofree double *edge = g_new (double, columns + 1);
  g_autofree SlMean *mean = g_new (SlMean, (size_t) n * columns);

  sl_edges (&d->frame->x, columns, edge);
  sl_rows_means (d->figure, edge, columns, mean);
  for (unsigned c = 0; c < columns; c++)
    {
      double *begin = out->begin + (size_t) c * (n + 1);
      bool    any = sl_rows_stack (mean + c, n, columns, begin);

      for (unsigned r = 0; r <= n; r++)
        begin[r] = any ? plot->y + plot->h * begin[r] : (double) NAN;
    }
}

/* The line between two bands, without which neighbours of many are hard to tell apart. */
static void
separate (const SlDrawing *d, const Stack *s, unsigned r, unsigned first, unsigned last)
{
  const SlRect    *plot = &d->frame->plot;
  unsigned         n = d->figure->n_rows;
  g_autofree SlXY *point = g_new (SlXY, 2 * (size_t) (last - first));
  size_t           at = 0;

  for (unsigned c = first; c < last; c++)
    {
      const double *begin = s->begin + (size_t) c * (n + 1);

      if (c > first && !sl_rows_joined (begin - (n + 1), begin, r))
        point[at++] = (SlXY) { NAN, NAN };
      point[at++] = (SlXY) { plot->x + plot->w * (c + 0.5) / s->columns, begin[r] };
    }
  d->canvas->line (d->canvas, point, at, d->theme->plot, 0.8 * sl_draw_hair (d), NULL);
}

/* The band of row r from column `first` to before `last`. */
static void
draw_stretch (const SlDrawing *d, const Stack *s, unsigned r, unsigned first, unsigned last)
{
  const SlRect    *plot = &d->frame->plot;
  unsigned         n = d->figure->n_rows;
  size_t           at = 0, count = 2 * (size_t) (last - first + 1);
  g_autofree SlXY *corner = g_new (SlXY, count);
  double           w = plot->w / s->columns, thickest = 0.0;

  /* The columns' middles, and the ends of the first and last one. */
  for (unsigned c = first; c <= last; c++)
    {
      double        x = plot->x + w * (c == first ? first : c == last ? last : c + 0.5);
      unsigned      from = MIN (c, last - 1);
      const double *begin = s->begin + (size_t) from * (n + 1) + r;

      corner[at] = (SlXY) { x, begin[0] };
      corner[count - 1 - at] = (SlXY) { x, begin[1] };
      thickest = MAX (thickest, begin[1] - begin[0]);
      at++;
    }
  if (!(thickest > 0.0))
    return;
  d->canvas->area (d->canvas, corner, count,
                   sl_rows_colour (d->figure, d->theme, d->figure->row[r]));
  if (r > 0)
    separate (d, s, r, first, last);
}

void
sl_draw_shares (const SlDrawing *d)
{
  unsigned n = d->figure->n_rows;
  Stack    s = { .columns = (unsigned) MAX (ceil (d->frame->plot.w), 1.0) };

  if (n == 0)
    return;
  s.begin = g_new (double, (size_t) s.columns *(n + 1));
  stack (d, &s);
  sl_draw_group (d, "shares", &d->frame->plot, 1.0);
  for (unsigned r = 0; r < n; r++)
    {
      sl_draw_group (d, d->figure->curve[d->figure->row[r]].id, NULL, 1.0);
      for (unsigned from = 0, to; from < s.columns; from = to)
        {
          to = from + 1;
          if (isnan (s.begin[(size_t) from * (n + 1)]))
            continue;
          while (to < s.columns && !isnan (s.begin[(size_t) to * (n + 1)]))
            to++;
          draw_stretch (d, &s, r, from, to);
        }
      sl_draw_end (d);
    }
  sl_draw_end (d);
  g_free (s.begin);
}
