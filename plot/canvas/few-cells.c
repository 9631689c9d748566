/* SPDX-License-Identifier: MIT */
#include "plot/canvas/few-cells.h"

#include <glib.h>
#include <math.h>

/* At most `limit` pixels, along the longer side first. */
static cairo_surface_t *
reduce (cairo_surface_t *pixels, unsigned limit)
{
  int    w = cairo_image_surface_get_width (pixels), h = cairo_image_surface_get_height (pixels);
  double side = sqrt (limit), across = w, down = h;
  cairo_surface_t *fewer;
  cairo_t         *cr;

  if ((double) w * h <= limit)
    return pixels;
  if (h <= side)
    across = floor (limit / down);
  else if (w <= side)
    down = floor (limit / across);
  else
    {
      double times = sqrt (limit / (across * down));

      across = MAX (floor (across * times), 1.0);
      down = MAX (floor (down * times), 1.0);
    }
  fewer = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int) across, (int) down);
  cr = cairo_create (fewer);
  cairo_scale (cr, across / w, down / h);
  cairo_set_source_surface (cr, pixels, 0.0, 0.0);
  cairo_pattern_set_extend (cairo_get_source (cr), CAIRO_EXTEND_PAD);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_GOOD);
  cairo_paint (cr);
  cairo_destroy (cr);
  cairo_surface_destroy (pixels);
  return fewer;
}

/* Fewer colours: more neighbours are equal, and fewer have to be defined. */
static void
coarsen (cairo_surface_t *pixels)
{
  unsigned char *data = cairo_image_surface_get_data (pixels);
  gsize          n = (gsize) cairo_image_surface_get_stride (pixels)
            * (gsize) cairo_image_surface_get_height (pixels);

  for (gsize i = 0; i < n; i++)
    data[i] = (unsigned char) (((data[i] * 63 + 127) / 255 * 255 + 31) / 63);
  cairo_surface_mark_dirty (pixels);
}

cairo_surface_t *
sl_few_cells (cairo_surface_t *pixels, unsigned limit)
{
  cairo_surface_t *few = reduce (pixels, limit);

  cairo_surface_flush (few);
  if (cairo_surface_status (few) == CAIRO_STATUS_SUCCESS)
    coarsen (few);
  return few;
}
