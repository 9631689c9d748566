/* SPDX-License-Identifier: MIT
 *
 * Each frame is a PNG whose chunks are taken apart: those of the first, with what says that it is animated, then the pixels
 * of the others.  */
#include "plot/film/apng.h"

#include <math.h>
#include <string.h>
#include <zlib.h>

#include "plot/canvas/image-file.h"
#include "plot/film/part.h"

enum { SIGNATURE = 8, CHUNK = 12 /* bytes beside its data */, MILLI = 1000, LONGEST = 65535 };

struct SlApng
{
  GByteArray *bytes, *chunk;
  unsigned    frames, taken, sequence;
  double      dpi;
  const char *title, *description, *recipe;
  guint8     *before; /* (height, stride) */
  gboolean    good;
};

static void
put_number (GByteArray *to, guint32 number)
{
  const guint8 bytes[]
    = { (guint8) (number >> 24), (guint8) (number >> 16), (guint8) (number >> 8), (guint8) number };

  g_byte_array_append (to, bytes, sizeof bytes);
}

static void
begin_chunk (SlApng *self, const char *type)
{
  g_byte_array_set_size (self->chunk, 0);
  g_byte_array_append (self->chunk, (const guint8 *) type, 4);
}

static void
end_chunk (SlApng *self)
{
  put_number (self->bytes, self->chunk->len - 4);
  g_byte_array_append (self->bytes, self->chunk->data, self->chunk->len);
  put_number (self->bytes, (guint32) crc32 (0, self->chunk->data, self->chunk->len));
}

static void
put_animation (SlApng *self)
{
  begin_chunk (self, "acTL");
  put_number (self->chunk, self->frames);
  put_number (self->chunk, 0); /* times: for ever */
  end_chunk (self);
}

static void
put_control (SlApng *self, const SlFilmPart *part, double seconds)
{
  guint16      time = (guint16) CLAMP (lround (MILLI * seconds), 0, LONGEST);
  const guint8 rest[] = { (guint8) (time >> 8),
                          (guint8) time,
                          MILLI >> 8,
                          MILLI & 255,
                          0 /* leave what there is */,
                          0 /* and replace it */ };

  begin_chunk (self, "fcTL");
  put_number (self->chunk, self->sequence++);
  put_number (self->chunk, part->w);
  put_number (self->chunk, part->h);
  put_number (self->chunk, part->x);
  put_number (self->chunk, part->y);
  g_byte_array_append (self->chunk, rest, sizeof rest);
  end_chunk (self);
}

static void
put_pixels (SlApng *self, const guint8 *data, guint32 n)
{
  begin_chunk (self, "fdAT");
  put_number (self->chunk, self->sequence++);
  g_byte_array_append (self->chunk, data, n);
  end_chunk (self);
}

static guint32
number_at (const guint8 *at)
{
  return (guint32) at[0] << 24 | (guint32) at[1] << 16 | (guint32) at[2] << 8 | at[3];
}

/* The chunks of one frame's PNG. */
static void
put_png (SlApng *self, GBytes *png, const SlFilmPart *part, double seconds)
{
  gsize         n;
  const guint8 *data = g_bytes_get_data (png, &n);
  gboolean      first = self->taken == 0, controlled = FALSE;

  if (first)
    g_byte_array_append (self->bytes, data, SIGNATURE);
  for (gsize at = SIGNATURE; at + CHUNK <= n; at += CHUNK + number_at (data + at))
    {
      const guint8 *chunk = data + at;
      guint32       length = number_at (chunk);
      gboolean      pixels = memcmp (chunk + 4, "IDAT", 4) == 0;

      if (pixels && !controlled)
        {
          if (first)
            put_animation (self);
          put_control (self, part, seconds);
          controlled = TRUE;
        }
      if (pixels && !first)
        put_pixels (self, chunk + 8, length);
      else if (first && memcmp (chunk + 4, "IEND", 4) != 0)
        g_byte_array_append (self->bytes, chunk, CHUNK + length);
    }
}

SlApng *
sl_apng_new (unsigned frames, double dpi, const char *title, const char *description,
             const char *recipe)
{
  SlApng *self = g_new0 (SlApng, 1);

  *self = (SlApng) { .bytes = g_byte_array_new (),
                     .chunk = g_byte_array_new (),
                     .frames = frames,
                     .dpi = dpi,
                     .title = title,
                     .description = description,
                     .recipe = recipe,
                     .good = TRUE };
  return self;
}

/* A part of a frame as PNG; of the first, with what there is to say. */
static GBytes *
encode (const SlApng *self, guint8 *pixels, int stride, const SlFilmPart *part)
{
  guint8          *from = pixels + part->y * (gsize) stride + 4 * (gsize) part->x;
  cairo_surface_t *cut = cairo_image_surface_create_for_data (from, CAIRO_FORMAT_RGB24,
                                                              (int) part->w, (int) part->h, stride);
  GBytes          *png = self->taken == 0
                           ? sl_png_write (cut, self->dpi, self->title, self->description, self->recipe)
                           : sl_png_write (cut, 0.0, NULL, NULL, NULL);

  cairo_surface_destroy (cut);
  return png;
}

void
sl_apng_frame (SlApng *apng, cairo_surface_t *image, double seconds)
{
  unsigned   width = (unsigned) cairo_image_surface_get_width (image);
  unsigned   height = (unsigned) cairo_image_surface_get_height (image);
  int        stride = cairo_image_surface_get_stride (image);
  guint8    *pixels;
  SlFilmPart part;
  g_autoptr (GBytes) png = NULL;

  cairo_surface_flush (image);
  pixels = cairo_image_surface_get_data (image);
  part = sl_film_changed (pixels, apng->before, 4, (gsize) stride, width, height);
  png = encode (apng, pixels, stride, &part);
  if (apng->before == NULL)
    apng->before = g_try_malloc ((gsize) stride * height);
  apng->good = apng->good && png != NULL && apng->before != NULL;
  if (!apng->good)
    return;
  put_png (apng, png, &part, seconds);
  memcpy (apng->before, pixels, (gsize) stride * height);
  apng->taken++;
}

GBytes *
sl_apng_finish (SlApng *apng)
{
  GByteArray *bytes = apng->bytes;
  gboolean    good = apng->good && apng->taken == apng->frames;

  begin_chunk (apng, "IEND");
  end_chunk (apng);
  g_byte_array_unref (apng->chunk);
  g_free (apng->before);
  g_free (apng);
  if (good)
    return g_byte_array_free_to_bytes (bytes);
  g_byte_array_unref (bytes);
  return NULL;
}
