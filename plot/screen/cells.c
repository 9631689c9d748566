/* SPDX-License-Identifier: MIT
 *
 * See cells.h.  */
#include "plot/screen/cells.h"

#include <glib.h>
#include <string.h>

#include "plot/figure/rows.h"

/* The lines x + y = a multiple of the pitch over the colour of a zero. */
static void
prepare_hatching (SlShades *shades, const SlScreen *screen)
{
  const SlPixels *pixels = screen->pixels;
  int             n = pixels->width + pixels->height;
  double   pitch = sl_hatch_pitch (screen->theme), half = 0.5 * sl_hatch_width (screen->theme);
  SlRgba   zero = sl_tint_colour (screen->theme, &screen->figure->colours.tint, 0.0);
  uint32_t under = sl_packed (zero), ink = sl_packed (sl_hatch_ink (zero));

  shades->hatch = g_new (uint32_t, n);
  for (int i = 0; i < n; i++)
    {
      double along = fmod ((i + 1.0) / pixels->scale, pitch);
      double apart = MIN (along, pitch - along) * M_SQRT1_2;
      double covered = CLAMP ((half - apart) * pixels->scale + 0.5, 0.0, 1.0);

      shades->hatch[i] = sl_blend (under, ink, (uint32_t) lround (256.0 * covered));
    }
}

void
sl_shades_init (SlShades *shades, const SlScreen *screen)
{
  const SlTint *tint = &screen->figure->colours.tint;

  for (int i = 0; i < SL_SHADES; i++)
    shades->shade[i] = sl_packed (sl_tint_at (screen->theme, tint, i / (SL_SHADES - 1.0)));
  shades->missing = sl_packed (sl_tint_colour (screen->theme, tint, NAN));
  shades->hatch = NULL;
  if (screen->figure->colours.zero != NULL && sl_frame_kind (screen->frame)->row_axis)
    prepare_hatching (shades, screen);
}

void
sl_shades_clear (SlShades *shades)
{
  g_free (shades->hatch);
}

SlBox
sl_pixels_box (const SlPixels *pixels, const SlRect *r)
{
  return (SlBox) { MAX ((int) lround (r->x * pixels->scale), 0),
                   MIN ((int) lround ((r->x + r->w) * pixels->scale), pixels->width),
                   MAX ((int) lround (r->y * pixels->scale), 0),
                   MIN ((int) lround ((r->y + r->h) * pixels->scale), pixels->height) };
}

void
sl_pixels_repeat (const SlPixels *pixels, int x0, int x1, int from, int to)
{
  for (int y = from + 1; y < to && x1 > x0; y++)
    memcpy (sl_pixels_line (pixels, y) + x0, sl_pixels_line (pixels, from) + x0,
            (size_t) (x1 - x0) * sizeof *pixels->data);
}

void
sl_raster_tile (const SlScreen *screen, const SlShades *shades, unsigned tile, const SlRect *place)
{
  const SlPixels *pixels = screen->pixels;
  const SlFigure *figure = screen->figure;
  const double   *cell
    = figure->matrix.cell + (size_t) tile * figure->matrix.rows * figure->matrix.columns;
  int   left = (int) lround (place->x * pixels->scale);
  int   right = (int) lround ((place->x + place->w) * pixels->scale);
  int   top = (int) lround (place->y * pixels->scale);
  int   bottom = (int) lround ((place->y + place->h) * pixels->scale);
  SlBox box = sl_pixels_box (pixels, place);

  for (int y = box.y0, next; y < box.y1; y = next)
    {
      int       r = (int) ((int64_t) (y - top) * figure->matrix.rows / (bottom - top));
      uint32_t *line = sl_pixels_line (pixels, y);
      bool      hatched = false;

      for (int x = box.x0; x < box.x1; x++)
        {
          int    c = (int) ((int64_t) (x - left) * figure->matrix.columns / (right - left));
          double value = cell[(size_t) r * figure->matrix.columns + (size_t) c];

          if (shades->hatch != NULL && value == 0.0)
            {
              line[x] = shades->hatch[x + y];
              hatched = true;
            }
          else
            line[x] = isfinite (value) ? sl_shade (shades, &figure->colours.tint, value)
                                       : shades->missing;
        }
      next = y + 1;
      while (!hatched && next < box.y1
             && (int) ((int64_t) (next - top) * figure->matrix.rows / (bottom - top)) == r)
        next++;
      sl_pixels_repeat (pixels, box.x0, box.x1, y, next);
    }
}

SlCellMean *
sl_raster_means (const SlScreen *screen, unsigned columns)
{
  g_autofree double *edge = g_new (double, columns + 1);
  SlCellMean        *mean = g_new (SlCellMean, (size_t) screen->figure->rows.n * columns);

  if (columns == 0)
    return mean;
  sl_edges (&screen->frame->x, columns, edge);
  sl_rows_means (screen->figure, edge, columns, mean);
  return mean;
}
