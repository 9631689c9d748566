/* SPDX-License-Identifier: MIT
 *
 * PNG of what cairo painted, through the core's writer; see image-file.h.  */
#include "plot/canvas/image-file.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "core/data/image/png-write.h"
#include "plot/canvas/canvas.h"

typedef struct
{
  const unsigned char *pixels;
  int                  width, height, stride;
  bool                 alpha;
} Image;

static const uint32_t *
row_of (const Image *image, unsigned y)
{
  return (const uint32_t *) (const void *) (image->pixels + (size_t) y * (size_t) image->stride);
}

static bool
opaque (const Image *image)
{
  for (int y = 0; y < image->height; y++)
    {
      const uint32_t *row = row_of (image, (unsigned) y);

      for (int x = 0; x < image->width; x++)
        if (row[x] >> 24 != 255)
          return false;
    }
  return true;
}

/* From premultiplied native words to bytes in the order of the file. */
static void
convert (const void *from, unsigned y, uint8_t *to)
{
  const Image    *image = from;
  const uint32_t *row = row_of (image, y);

  for (int x = 0; x < image->width; x++)
    {
      uint32_t p = row[x], a = image->alpha ? p >> 24 : 255;

      for (int shift = 16; shift >= 0; shift -= 8)
        {
          uint32_t c = p >> shift & 255;

          *to++ = (uint8_t) (a == 0 ? 0 : a == 255 ? c : MIN ((c * 255 + a / 2) / a, 255));
        }
      if (image->alpha)
        *to++ = (uint8_t) a;
    }
}

GBytes *
sl_png_write (cairo_surface_t *surface, double dpi, const char *title, const char *description,
              const char *recipe)
{
  const SlPngText texts[] = { { "Title", title },
                              { "Description", description },
                              { "sluice-recipe", recipe },
                              { SL_PNG_SOFTWARE, "Sluice" } };
  Image           image = { .width = cairo_image_surface_get_width (surface),
                            .height = cairo_image_surface_get_height (surface),
                            .stride = cairo_image_surface_get_stride (surface) };
  SlPngImage      png = { .width = (unsigned) image.width,
                          .height = (unsigned) image.height,
                          .dpi = dpi,
                          .texts = texts,
                          .n_texts = G_N_ELEMENTS (texts),
                          .row = convert,
                          .from = &image };
  uint8_t        *bytes;
  size_t          size;

  cairo_surface_flush (surface);
  image.pixels = cairo_image_surface_get_data (surface);
  image.alpha = cairo_image_surface_get_format (surface) == CAIRO_FORMAT_ARGB32 && !opaque (&image);
  png.alpha = image.alpha;
  sl_png_encode (&png, &bytes, &size);
  return bytes != NULL ? g_bytes_new_with_free_func (bytes, size, free, bytes) : NULL;
}
