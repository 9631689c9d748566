/* SPDX-License-Identifier: MIT */
#include "tests/plot/film-reader.h"

#include <gif_lib.h>
#include <png.h>
#include <string.h>
#include <zlib.h>

static void
begin (FilmRead *film, unsigned most, unsigned width, unsigned height)
{
  *film = (FilmRead) { .width = width,
                       .height = height,
                       .pixel = g_new0 (guint32 *, most),
                       .seconds = g_new0 (double, most),
                       .comments = g_ptr_array_new_with_free_func (g_free) };
}

/* A copy of the frame before, to be painted on. */
static guint32 *
next_frame (FilmRead *film, double seconds)
{
  gsize n = (gsize) film->width * film->height * sizeof (guint32);

  film->pixel[film->n] = film->n > 0 ? g_memdup2 (film->pixel[film->n - 1], n) : g_malloc0 (n);
  film->seconds[film->n] = seconds;
  return film->pixel[film->n++];
}

void
film_read_clear (FilmRead *film)
{
  for (unsigned i = 0; i < film->n; i++)
    g_free (film->pixel[i]);
  g_free (film->pixel);
  g_free (film->seconds);
  g_ptr_array_unref (film->comments);
}

/* ---- GIF ---- */

typedef struct
{
  const guint8 *at;
  gsize         left;
} Source;

static int
take (GifFileType *file, GifByteType *to, int n)
{
  Source *source = file->UserData;
  gsize   taken = MIN ((gsize) n, source->left);

  memcpy (to, source->at, taken);
  source->at += taken;
  source->left -= taken;
  return (int) taken;
}

static void
read_extensions (FilmRead *film, const SavedImage *image)
{
  GString *comment = NULL;

  for (int e = 0; e < image->ExtensionBlockCount; e++)
    {
      const ExtensionBlock *block = &image->ExtensionBlocks[e];

      if (block->Function == APPLICATION_EXT_FUNC_CODE)
        {
          const ExtensionBlock *next = block + 1;

          g_assert_cmpmem (block->Bytes, block->ByteCount, "NETSCAPE2.0", 11);
          g_assert_cmpint (e + 1, <, image->ExtensionBlockCount);
          g_assert_cmpmem (next->Bytes, next->ByteCount, "\1\0\0", 3);
          film->for_ever = TRUE;
          e++;
        }
      else if (block->Function == COMMENT_EXT_FUNC_CODE)
        {
          comment = g_string_new_len ((const char *) block->Bytes, block->ByteCount);
          for (; e + 1 < image->ExtensionBlockCount
                 && image->ExtensionBlocks[e + 1].Function == CONTINUE_EXT_FUNC_CODE;
               e++)
            g_string_append_len (comment, (const char *) block[1].Bytes, block[1].ByteCount),
              block++;
          g_ptr_array_add (film->comments, g_string_free (comment, FALSE));
        }
    }
}

void
film_read_gif (FilmRead *film, GBytes *bytes)
{
  Source       source = { g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes) };
  GifFileType *file = DGifOpen (&source, take, NULL);

  g_assert_nonnull (file);
  g_assert_cmpint (DGifSlurp (file), ==, GIF_OK);
  g_assert_cmpuint (source.left, ==, 0);
  begin (film, (unsigned) file->ImageCount, (unsigned) file->SWidth, (unsigned) file->SHeight);
  film->colours = (unsigned) file->SColorMap->ColorCount;
  for (int i = 0; i < file->ImageCount; i++)
    {
      const SavedImage    *image = &file->SavedImages[i];
      const GifImageDesc  *place = &image->ImageDesc;
      GraphicsControlBlock control;
      guint32             *frame;

      g_assert_null (place->ColorMap);
      g_assert_cmpint (DGifSavedExtensionToGCB (file, i, &control), ==, GIF_OK);
      g_assert_cmpint (control.DisposalMode, ==, DISPOSE_DO_NOT);
      g_assert_true (place->Left + place->Width <= file->SWidth
                     && place->Top + place->Height <= file->SHeight);
      frame = next_frame (film, control.DelayTime / 100.0);
      for (int y = 0; y < place->Height; y++)
        for (int x = 0; x < place->Width; x++)
          {
            int                 c = image->RasterBits[y * place->Width + x];
            const GifColorType *colour = &file->SColorMap->Colors[c];

            g_assert_cmpint (c, <, file->SColorMap->ColorCount);
            if (c != control.TransparentColor)
              frame[(place->Top + y) * file->SWidth + place->Left + x]
                = (guint32) colour->Red << 16 | (guint32) colour->Green << 8 | colour->Blue;
          }
      read_extensions (film, image);
    }
  g_assert_cmpint (DGifCloseFile (file, NULL), ==, GIF_OK);
}

/* ---- PNG ---- */

guint32 *
film_read_png (const void *bytes, gsize n, unsigned *width, unsigned *height)
{
  png_image          image = { .version = PNG_IMAGE_VERSION };
  g_autofree guint8 *rgb = NULL;
  guint32           *pixel;

  g_assert_true (png_image_begin_read_from_memory (&image, bytes, n));
  image.format = PNG_FORMAT_RGB;
  rgb = g_malloc (PNG_IMAGE_SIZE (image));
  g_assert_true (png_image_finish_read (&image, NULL, rgb, 0, NULL));
  *width = image.width;
  *height = image.height;
  pixel = g_new (guint32, (gsize) image.width * image.height);
  for (gsize i = 0; i < (gsize) image.width * image.height; i++)
    pixel[i] = (guint32) rgb[3 * i] << 16 | (guint32) rgb[3 * i + 1] << 8 | rgb[3 * i + 2];
  return pixel;
}

static guint32
number_at (const guint8 *at)
{
  return (guint32) at[0] << 24 | (guint32) at[1] << 16 | (guint32) at[2] << 8 | at[3];
}

static void
put_number (GByteArray *to, guint32 number)
{
  guint32 big = GUINT32_TO_BE (number);

  g_byte_array_append (to, (const guint8 *) &big, 4);
}

static void
put_chunk (GByteArray *to, const char *type, const guint8 *data, guint32 n)
{
  guint32 check = (guint32) crc32 (crc32 (0, (const Bytef *) type, 4), data, n);

  put_number (to, n);
  g_byte_array_append (to, (const guint8 *) type, 4);
  g_byte_array_append (to, data, n);
  put_number (to, n > 0 ? check : (guint32) crc32 (0, (const Bytef *) type, 4));
}

/* The frame under way, as a PNG of its own that has no end yet. */
typedef struct
{
  GByteArray *png;
  guint32     x, y, w, h;
} Frame;

static void
end_frame (FilmRead *film, Frame *frame)
{
  unsigned            width, height;
  g_autofree guint32 *part = NULL;

  if (frame->png == NULL)
    return;
  put_chunk (frame->png, "IEND", NULL, 0);
  part = film_read_png (frame->png->data, frame->png->len, &width, &height);
  g_assert_cmpuint (width, ==, frame->w);
  g_assert_cmpuint (height, ==, frame->h);
  g_assert_true (frame->x + width <= film->width && frame->y + height <= film->height);
  for (unsigned y = 0; y < height; y++)
    memcpy (film->pixel[film->n - 1] + (frame->y + y) * film->width + frame->x, part + y * width,
            width * sizeof *part);
  g_clear_pointer (&frame->png, g_byte_array_unref);
}

static void
begin_frame (FilmRead *film, Frame *frame, const guint8 *signature, const guint8 *head,
             const guint8 *control)
{
  guint8 sized[13];

  *frame = (Frame) { g_byte_array_new (), number_at (control + 12), number_at (control + 16),
                     number_at (control + 4), number_at (control + 8) };
  memcpy (sized, head, sizeof sized);
  memcpy (sized, control + 4, 8);
  g_byte_array_append (frame->png, signature, 8);
  put_chunk (frame->png, "IHDR", sized, sizeof sized);
  g_assert_cmpuint (control[24], ==, 0); /* stays */
  g_assert_cmpuint (control[25], ==, 0); /* and replaces */
  next_frame (film, (double) (control[20] << 8 | control[21]) / (control[22] << 8 | control[23]));
}

void
film_read_apng (FilmRead *film, GBytes *bytes)
{
  gsize         n;
  const guint8 *data = g_bytes_get_data (bytes, &n);
  guint32       sequence = 0, frames = 0;
  Frame         frame = { 0 };

  begin (film, 1000, number_at (data + 16), number_at (data + 20));
  for (gsize at = 8; at < n; at += 12 + number_at (data + at))
    {
      const guint8 *chunk = data + at, *content = chunk + 8;
      guint32       length = number_at (chunk);
      char type[5] = { (char) chunk[4], (char) chunk[5], (char) chunk[6], (char) chunk[7] };

      g_assert_cmpuint (at + 12 + length, <=, n);
      g_assert_cmpuint (number_at (content + length), ==, crc32 (0, chunk + 4, length + 4));
      if (strcmp (type, "acTL") == 0)
        {
          frames = number_at (content);
          film->for_ever = number_at (content + 4) == 0;
        }
      if (strcmp (type, "fcTL") == 0)
        {
          end_frame (film, &frame);
          g_assert_cmpuint (number_at (content), ==, sequence++);
          begin_frame (film, &frame, data, data + 16, content);
        }
      if (strcmp (type, "IDAT") == 0)
        {
          g_assert_cmpuint (film->n, ==, 1);
          put_chunk (frame.png, "IDAT", content, length);
        }
      if (strcmp (type, "fdAT") == 0)
        {
          g_assert_cmpuint (film->n, >, 1);
          g_assert_cmpuint (number_at (content), ==, sequence++);
          put_chunk (frame.png, "IDAT", content + 4, length - 4);
        }
    }
  end_frame (film, &frame);
  g_assert_cmpuint (film->n, ==, frames);
}

void
film_read_frames (FilmRead *film, const GPtrArray *files)
{
  begin (film, files->len, 0, 0);
  for (guint i = 0; i < files->len; i++)
    film->pixel[film->n++]
      = film_read_png (g_bytes_get_data (files->pdata[i], NULL), g_bytes_get_size (files->pdata[i]),
                       &film->width, &film->height);
}
