/* SPDX-License-Identifier: MIT
 *
 * The canvas that draws nothing and makes one number of what it is given.  */
#include "plot/canvas/canvas.h"

#include <string.h>

typedef struct
{
  SlCanvas canvas; /* first */
  uint64_t sum;
} Digest;

/* Every bit of a word reaches every bit of the sum. */
static void
add (SlCanvas *canvas, const void *bytes, size_t n)
{
  Digest  *self = (Digest *) canvas;
  uint64_t word = n;

  for (size_t at = 0;; at += sizeof word)
    {
      self->sum = (self->sum ^ word) * 0x9e3779b97f4a7c15U;
      self->sum ^= self->sum >> 29;
      if (at >= n)
        return;
      word = 0;
      memcpy (&word, (const char *) bytes + at, MIN (sizeof word, n - at));
    }
}

static void
add_numbers (SlCanvas *canvas, char what, SlRgba colour, double a, double b)
{
  double numbers[]
    = { what, (double) colour.r, (double) colour.g, (double) colour.b, (double) colour.a, a, b };

  add (canvas, numbers, sizeof numbers);
}

static void
begin (SlCanvas *canvas, const char *id, const SlRect *clip, double opacity)
{
  add_numbers (canvas, 'b', (SlRgba) { 0 }, opacity, 0.0);
  add (canvas, clip, clip != NULL ? sizeof *clip : 0);
}

static void
shift (SlCanvas *canvas, const char *id, double x, double y)
{
  add_numbers (canvas, 's', (SlRgba) { 0 }, x, y);
}

static void
end (SlCanvas *canvas)
{
  add_numbers (canvas, 'e', (SlRgba) { 0 }, 0.0, 0.0);
}

static void
rect (SlCanvas *canvas, const SlRect *r, SlRgba colour)
{
  add_numbers (canvas, 'r', colour, 0.0, 0.0);
  add (canvas, r, sizeof *r);
}

static void
line (SlCanvas *canvas, const SlXY *points, size_t n, SlRgba colour, double width,
      const double *dash)
{
  size_t dashes = 0;

  while (dash != NULL && dash[dashes] > 0.0)
    dashes++;
  add_numbers (canvas, 'l', colour, width, 0.0);
  add (canvas, points, n * sizeof *points);
  add (canvas, dash, dashes * sizeof *dash);
}

static void
area (SlCanvas *canvas, const SlXY *points, size_t n, SlRgba colour)
{
  add_numbers (canvas, 'a', colour, 0.0, 0.0);
  add (canvas, points, n * sizeof *points);
}

static void
disc (SlCanvas *canvas, double x, double y, double radius, SlRgba colour, double width)
{
  add_numbers (canvas, 'd', colour, radius, width);
  add (canvas, &(SlXY) { x, y }, sizeof (SlXY));
}

static void
words (SlCanvas *canvas, double x, double y, const char *string, const SlLettering *lettering)
{
  add_numbers (canvas, 'w', lettering->colour, lettering->size,
               4 * lettering->anchor + 2 * lettering->upwards + lettering->bold);
  add (canvas, &(SlXY) { x, y }, sizeof (SlXY));
  add (canvas, string, strlen (string));
}

static void
image (SlCanvas *canvas, const SlRect *r, cairo_surface_t *pixels)
{
  int height = cairo_image_surface_get_height (pixels);
  int stride = cairo_image_surface_get_stride (pixels);

  add_numbers (canvas, 'i', (SlRgba) { 0 }, cairo_image_surface_get_width (pixels), height);
  add (canvas, r, sizeof *r);
  add (canvas, cairo_image_surface_get_data (pixels), (size_t) height * (size_t) stride);
}

SlCanvas *
sl_canvas_digest_new (void)
{
  Digest *self = g_new0 (Digest, 1);

  self->canvas = (SlCanvas) { .begin = begin,
                              .shift = shift,
                              .end = end,
                              .rect = rect,
                              .line = line,
                              .area = area,
                              .disc = disc,
                              .words = words,
                              .image = image };
  return &self->canvas;
}

uint64_t
sl_canvas_digest_finish (SlCanvas *canvas)
{
  uint64_t sum = ((Digest *) canvas)->sum;

  g_free (canvas);
  return sum;
}
