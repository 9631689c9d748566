/* SPDX-License-Identifier: MIT
 *
 * Images of the LaTeX canvas.  TeX has no pixels without a second file, so an image is drawn as
 * filled rectangles, equal neighbours of a row as one.  TeX keeps a whole picture in memory,
 * therefore an image has at most MOST_CELLS of them and all images together about ALL_CELLS; a
 * larger one is averaged to fewer pixels, along its longer side first, because the rows of a
 * history are units and its columns only time.  For the same reason its channels have 64 levels, a
 * difference that is not visible.  */
#include <math.h>

#include "plot/canvas/tikz.h"

#define OVERLAP 0.4 /* px */

enum { MOST_CELLS = 4096, ALL_CELLS = 8192, LEAST_CELLS = 16 };

/* An image is drawn when it is known how many there are. */
typedef struct
{
  gsize            at; /* in the text */
  unsigned         depth;
  SlRect           rect;
  cairo_surface_t *pixels;
} Picture;

GArray *
sl_tikz_pictures_new (void)
{
  return g_array_new (FALSE, FALSE, sizeof (Picture));
}

void
sl_tikz_image (SlCanvas *canvas, const SlRect *r, cairo_surface_t *pixels)
{
  SlTikz *self = (SlTikz *) canvas;
  int     w = cairo_image_surface_get_width (pixels), h = cairo_image_surface_get_height (pixels);
  cairo_surface_t *copy = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, w, h);
  cairo_t         *cr = cairo_create (copy);
  Picture          picture = { self->out->len, self->depth, *r, copy };

  cairo_set_source_surface (cr, pixels, 0.0, 0.0);
  cairo_paint (cr);
  cairo_destroy (cr);
  g_array_append_val (self->pictures, picture);
}

static unsigned
cells_of (const Picture *picture, unsigned limit)
{
  unsigned w = (unsigned) cairo_image_surface_get_width (picture->pixels);
  unsigned h = (unsigned) cairo_image_surface_get_height (picture->pixels);

  return (unsigned) MIN ((guint64) w * h, limit);
}

/* How many cells an image may have so that all together are not too many. */
static unsigned
share (const GArray *pictures)
{
  unsigned limit = MOST_CELLS;

  for (; limit > LEAST_CELLS; limit /= 2)
    {
      guint64 all = 0;

      for (unsigned i = 0; i < pictures->len; i++)
        all += cells_of (&g_array_index (pictures, Picture, i), limit);
      if (all <= ALL_CELLS)
        break;
    }
  return limit;
}

/* From the premultiplied pixel. */
static SlRgba
colour_of (guint32 pixel)
{
  float a = (float) (pixel >> 24) / 255.0f, whole = a > 0.0f ? 255.0f * a : 255.0f;

  return (SlRgba) { MIN ((float) (pixel >> 16 & 255) / whole, 1.0f),
                    MIN ((float) (pixel >> 8 & 255) / whole, 1.0f),
                    MIN ((float) (pixel & 255) / whole, 1.0f), a };
}

/* Cells that only touch would let the paper shine through between them; so each reaches a little
 * under the next, which is drawn after it.  Not where the next one is translucent.  */
static void
draw_picture (SlTikz *self, GString *out, const Picture *picture)
{
  const unsigned char *data = cairo_image_surface_get_data (picture->pixels);
  int                  w = cairo_image_surface_get_width (picture->pixels);
  int                  h = cairo_image_surface_get_height (picture->pixels);
  int                  stride = cairo_image_surface_get_stride (picture->pixels);
  double               cell_w = picture->rect.w / w, cell_h = picture->rect.h / h;

  for (int y = 0; y < h; y++)
    {
      const guint32 *row = (const guint32 *) (const void *) (data + (gsize) y * (gsize) stride);
      const guint32 *below = row + stride / 4;

      for (int x = 0, next; x < w; x = next)
        {
          bool   covered = y + 1 < h;
          SlRect cell;

          for (next = x; next < w && row[next] == row[x]; next++)
            covered = covered && below[next] >> 24 == 255;
          if (row[x] >> 24 == 0)
            continue;
          cell = (SlRect) { picture->rect.x + x * cell_w, picture->rect.y + y * cell_h,
                            (next - x) * cell_w, cell_h };
          if (next < w && row[next] >> 24 == 255)
            cell.w += OVERLAP;
          if (covered)
            cell.h += OVERLAP;
          sl_tikz_fill_rect (self, out, picture->depth, &cell, colour_of (row[x]));
        }
    }
}

/* Averages an image, which it takes over, to at most `limit` pixels, along its longer side first. */
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

void
sl_tikz_append_body (SlTikz *self, GString *to)
{
  unsigned limit = share (self->pictures);
  gsize    done = 0;

  for (unsigned i = 0; i < self->pictures->len; i++)
    {
      Picture *picture = &g_array_index (self->pictures, Picture, i);

      g_string_append_len (to, self->out->str + done, (gssize) (picture->at - done));
      done = picture->at;
      picture->pixels = reduce (picture->pixels, limit);
      cairo_surface_flush (picture->pixels);
      if (cairo_surface_status (picture->pixels) == CAIRO_STATUS_SUCCESS)
        {
          coarsen (picture->pixels);
          draw_picture (self, to, picture);
        }
      cairo_surface_destroy (picture->pixels);
    }
  g_string_append (to, self->out->str + done);
}
