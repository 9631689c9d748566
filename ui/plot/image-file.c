/* SPDX-License-Identifier: MIT
 *
 * PNG through libpng, into memory; see image-file.h.  */
#include "ui/plot/image-file.h"

#include <math.h>
#include <png.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static void
append (png_structp png, png_bytep bytes, png_size_t n)
{
  g_byte_array_append (png_get_io_ptr (png), bytes, (guint) n);
}

static void
flush (png_structp png)
{
}

static bool
opaque (const unsigned char *pixels, int width, int height, int stride)
{
  for (int y = 0; y < height; y++)
    {
      const uint32_t *row = (const uint32_t *) (const void *) (pixels + (size_t) y * stride);

      for (int x = 0; x < width; x++)
        if (row[x] >> 24 != 255)
          return false;
    }
  return true;
}

/* From premultiplied native words to bytes in the order of the file. */
static void
convert (const uint32_t *from, unsigned char *to, int width, bool alpha)
{
  for (int x = 0; x < width; x++)
    {
      uint32_t p = from[x], a = alpha ? p >> 24 : 255;

      for (int shift = 16; shift >= 0; shift -= 8)
        {
          uint32_t c = p >> shift & 255;

          *to++ = (unsigned char) (a == 0 ? 0 : a == 255 ? c : MIN ((c * 255 + a / 2) / a, 255));
        }
      if (alpha)
        *to++ = (unsigned char) a;
    }
}

/* Texts are UTF-8 and come before the pixels, so that a reader finds them early. */
static void
add_text (png_structp png, png_infop info, const char *key, const char *content)
{
  char empty[] = "";
  png_text text = { .compression = PNG_ITXT_COMPRESSION_NONE, .lang = empty, .lang_key = empty };

  if (content == NULL)
    return;
  text.key = (char *) key;
  text.text = (char *) content;
  text.itxt_length = strlen (content);
  png_set_text (png, info, &text, 1);
}

GBytes *
sl_png_write (cairo_surface_t *image, double dpi, const char *title, const char *recipe)
{
  int width = cairo_image_surface_get_width (image);
  int height = cairo_image_surface_get_height (image);
  int stride = cairo_image_surface_get_stride (image);
  const unsigned char *pixels;
  GByteArray *out = g_byte_array_new ();
  png_structp png = png_create_write_struct (PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  png_infop info = png != NULL ? png_create_info_struct (png) : NULL;
  unsigned char *volatile row = NULL;
  bool alpha;

  cairo_surface_flush (image);
  pixels = cairo_image_surface_get_data (image);
  if (info == NULL || setjmp (png_jmpbuf (png)) != 0)
    {
      png_destroy_write_struct (&png, &info);
      g_free (row);
      g_byte_array_unref (out);
      return NULL;
    }
  alpha = cairo_image_surface_get_format (image) == CAIRO_FORMAT_ARGB32
          && !opaque (pixels, width, height, stride);
  row = g_malloc ((gsize) width * 4);
  png_set_write_fn (png, out, append, flush);
  png_set_IHDR (png, info, (png_uint_32) width, (png_uint_32) height, 8,
                alpha ? PNG_COLOR_TYPE_RGBA : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (dpi > 0.0)
    png_set_pHYs (png, info, (png_uint_32)lround (dpi / 0.0254), (png_uint_32)lround (dpi / 0.0254),
                  PNG_RESOLUTION_METER);
  add_text (png, info, "Title", title);
  add_text (png, info, "sluice-recipe", recipe);
  png_write_info (png, info);
  for (int y = 0; y < height; y++)
    {
      convert ((const uint32_t *) (const void *) (pixels + (size_t) y * stride), row, width, alpha);
      png_write_row (png, row);
    }
  png_write_end (png, info);
  png_destroy_write_struct (&png, &info);
  g_free (row);
  return g_byte_array_free_to_bytes (out);
}
