/* SPDX-License-Identifier: MIT */
#include "plot/film/gif.h"

#include <gif_lib.h>
#include <math.h>
#include <string.h>

#include "plot/canvas/canvas.h"
#include "plot/film/part.h"

enum { HUNDREDTHS = 100 /* in a second */, LONGEST = 65535, BITS = 8, BLOCK = 255 /* bytes */ };

struct SlGif
{
  GByteArray          *bytes;
  GifFileType         *file;
  const SlFilmPalette *palette;
  unsigned             width, height;
  uint8_t             *now, *before, *row; /* (height, width), likewise, (width) */
  uint8_t              clear;              /* the number that is no colour */
  gboolean             good, began;
};

static int
append (GifFileType *file, const GifByteType *bytes, int n)
{
  g_byte_array_append (file->UserData, bytes, (guint) n);
  return n;
}

static void
keep (SlGif *self, int result)
{
  self->good = self->good && result == GIF_OK;
}

/* The comment in blocks of what a block holds. */
static void
put_comment (SlGif *self, const char *text)
{
  size_t n = strlen (text);

  keep (self, EGifPutExtensionLeader (self->file, COMMENT_EXT_FUNC_CODE));
  for (size_t at = 0; at < n; at += BLOCK)
    keep (self, EGifPutExtensionBlock (self->file, (int) MIN (n - at, BLOCK), text + at));
  keep (self, EGifPutExtensionTrailer (self->file));
}

static void
put_recipe (SlGif *self, const char *recipe)
{
  g_autofree char *base64 = g_base64_encode ((const guchar *) recipe, strlen (recipe));
  g_autofree char *tagged = g_strconcat ("sluice-recipe:", base64, NULL);

  put_comment (self, tagged);
}

static void
put_loop (SlGif *self)
{
  static const char name[] = "NETSCAPE2.0";
  const guint8      for_ever[] = { 1, 0, 0 };

  keep (self, EGifPutExtensionLeader (self->file, APPLICATION_EXT_FUNC_CODE));
  keep (self, EGifPutExtensionBlock (self->file, (int) strlen (name), name));
  keep (self, EGifPutExtensionBlock (self->file, sizeof for_ever, for_ever));
  keep (self, EGifPutExtensionTrailer (self->file));
}

/* A power of two of colours; the one behind the last is clear, for pixels that did not change. */
static void
put_head (SlGif *self)
{
  uint32_t        colour[SL_FILM_COLOURS];
  unsigned        n = sl_film_palette_colours (self->palette, colour);
  int             size = 1 << GifBitSize ((int) MAX (n + 1, 2));
  ColorMapObject *map = GifMakeMapObject (size, NULL);

  self->clear = (uint8_t) n;
  if (map == NULL)
    {
      self->good = FALSE;
      return;
    }
  for (unsigned i = 0; i < n; i++)
    map->Colors[i] = (GifColorType) { (GifByteType) (colour[i] >> 16),
                                      (GifByteType) (colour[i] >> 8), (GifByteType) colour[i] };
  EGifSetGifVersion (self->file, true);
  keep (self, EGifPutScreenDesc (self->file, (int) self->width, (int) self->height, BITS, 0, map));
  GifFreeMapObject (map);
}

SlGif *
sl_gif_new (const SlFilmPalette *palette, unsigned width, unsigned height, const char *recipe)
{
  SlGif *self = g_new0 (SlGif, 1);
  gsize  n = (gsize) width * height;

  *self = (SlGif) { .bytes = g_byte_array_new (),
                    .palette = palette,
                    .width = width,
                    .height = height,
                    .now = g_try_malloc (n),
                    .before = g_try_malloc (n),
                    .row = g_try_malloc (width) };
  self->file = EGifOpen (self->bytes, append, NULL);
  self->good = self->now != NULL && self->before != NULL && self->row != NULL && self->file != NULL;
  if (self->good)
    {
      put_head (self);
      put_loop (self);
      put_comment (self, SL_GIF_SOFTWARE);
      if (recipe != NULL)
        put_recipe (self, recipe);
    }
  return self;
}

/* The colours of a row, but for those that stay as they are. */
static uint8_t *
row_of (SlGif *self, const SlFilmPart *part, unsigned y)
{
  const uint8_t *now = self->now + (size_t) y * self->width + part->x;
  const uint8_t *before = self->before + (size_t) y * self->width + part->x;

  for (unsigned x = 0; x < part->w; x++)
    self->row[x] = self->began && now[x] == before[x] ? self->clear : now[x];
  return self->row;
}

static void
put_image (SlGif *self, double seconds)
{
  SlFilmPart part = sl_film_changed (self->now, self->began ? self->before : NULL, 1, self->width,
                                     self->width, self->height);
  GraphicsControlBlock control
    = { .DisposalMode = DISPOSE_DO_NOT,
        .DelayTime = (int) CLAMP (lround (HUNDREDTHS * seconds), 0, LONGEST),
        .TransparentColor = self->began ? self->clear : NO_TRANSPARENT_COLOR };
  GifByteType bytes[4];

  EGifGCBToExtension (&control, bytes);
  keep (self, EGifPutExtension (self->file, GRAPHICS_EXT_FUNC_CODE, sizeof bytes, bytes));
  keep (self, EGifPutImageDesc (self->file, (int) part.x, (int) part.y, (int) part.w, (int) part.h,
                                false, NULL));
  for (unsigned y = part.y; y < part.y + part.h; y++)
    keep (self, EGifPutLine (self->file, row_of (self, &part, y), (int) part.w));
}

void
sl_gif_frame (SlGif *gif, const uint32_t *pixels, size_t stride, double seconds)
{
  uint8_t *before = gif->before;

  if (!gif->good)
    return;
  for (unsigned y = 0; y < gif->height; y++)
    sl_film_palette_find (gif->palette, pixels + y * stride, gif->width,
                          gif->now + (size_t) y * gif->width);
  put_image (gif, seconds);
  gif->before = gif->now;
  gif->now = before;
  gif->began = TRUE;
}

GBytes *
sl_gif_finish (SlGif *gif)
{
  GByteArray *bytes = gif->bytes;
  gboolean    closed = gif->file == NULL || EGifCloseFile (gif->file, NULL) == GIF_OK;
  gboolean    good = gif->good && closed;

  g_free (gif->now);
  g_free (gif->before);
  g_free (gif->row);
  g_free (gif);
  if (good)
    return g_byte_array_free_to_bytes (bytes);
  g_byte_array_unref (bytes);
  return NULL;
}
