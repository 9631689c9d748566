/* SPDX-License-Identifier: MIT
 *
 * PNG through libpng.  A refusal leaves libpng by longjmp() and keeps its words.  */
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "core/data/image/bitmap-formats.h"
#include "core/data/text/bytes.h"
#include "core/data/text/text.h"

/* Pixels of one bit, of which deflate makes at most 1032 bytes out of one. */
enum { DENSEST = 8 * 1032 };

enum { SIGNATURE = 8, AROUND_CHUNK = 12 /* length, type and checksum */ };

typedef struct
{
  const uint8_t *bytes;
  size_t         size, position;
  const char    *subject;
  SlBitmap      *bitmap;
  uint8_t       *rgba; /* all rows, where something is transparent; else NULL */
  uint8_t      **rows;
  SlStatus       status;
} Reader;

bool
sl_png_likely (const uint8_t *head, size_t size)
{
  return size >= 4 && memcmp (head, "\x89PNG", 4) == 0;
}

static void
refuse_read (png_structp png, png_const_charp message)
{
  Reader *reader = png_get_error_ptr (png);
  char    found[100];

  if (sl_ok (&reader->status))
    {
      sl_text_printable (message, strlen (message), found, sizeof found);
      reader->status
        = sl_status_at (SL_EFORMAT, reader->subject, SL_BYTE, reader->position,
                        sl_message_verbatim (found), sl_message ("a whole PNG picture"));
    }
  png_longjmp (png, 1);
}

static void
ignore_warning (png_structp png, png_const_charp message)
{
}

/* libpng makes room for a chunk before it reads it, so each up to the last has to fit into the file. */
static SlStatus
check_chunks (const uint8_t *bytes, size_t size, const char *subject)
{
  for (size_t at = SIGNATURE; at + AROUND_CHUNK <= size;)
    {
      uint64_t length = sl_big_endian (bytes + at, 4), left = size - at - AROUND_CHUNK;

      if (length > left)
        return sl_status_at (SL_EFORMAT, subject, SL_BYTE, size, sl_message ("the end of the file"),
                             sl_message ("%llu more bytes", (unsigned long long) (length - left)));
      if (memcmp (bytes + at + 4, "IEND", 4) == 0)
        break;
      at += AROUND_CHUNK + length;
    }
  return SL_SUCCESS;
}

static void
take_bytes (png_structp png, png_bytep to, size_t n)
{
  Reader *reader = png_get_io_ptr (png);
  size_t  left = reader->size - reader->position;

  if (n > left)
    {
      reader->status = sl_status_at (SL_EFORMAT, reader->subject, SL_BYTE, reader->size,
                                     sl_message ("the end of the file"),
                                     sl_message ("%zu more bytes", n - left));
      png_longjmp (png, 1);
    }
  memcpy (to, reader->bytes + reader->position, n);
  reader->position += n;
}

/* Converts to 8 bits of red, green, blue and, where the file has it, alpha. */
static void
choose_format (png_structp png, png_infop info)
{
  png_set_expand (png);
  png_set_scale_16 (png);
  png_set_gray_to_rgb (png);
  png_set_interlace_handling (png);
  png_read_update_info (png, info);
}

static void
lay_onto_white (const uint8_t *rgba, size_t n, uint8_t *rgb)
{
  for (size_t i = 0; i < n; i++)
    for (size_t c = 0; c < 3; c++)
      {
        unsigned alpha = rgba[4 * i + 3];

        rgb[3 * i + c] = (uint8_t) ((rgba[4 * i + c] * alpha + 255 * (255 - alpha) + 127) / 255);
      }
}

/* Everything that libpng may jump out of.  What it allocates is the reader's or libpng's. */
static bool
read_all (Reader *reader, png_structp png, png_infop info)
{
  SlBitmap *bitmap = reader->bitmap;
  size_t    width, height, channels;

  if (setjmp (png_jmpbuf (png)) != 0)
    return false;
  png_set_read_fn (png, reader, take_bytes);
  png_set_user_limits (png, SL_BITMAP_SIDE, SL_BITMAP_SIDE);
  /* Texts, profiles and the like are passed over, not inflated: nothing here uses them. */
  png_set_keep_unknown_chunks (png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
  png_read_info (png, info);
  width = png_get_image_width (png, info);
  height = png_get_image_height (png, info);
  reader->status
    = sl_bitmap_check (reader->subject, reader->position, width, height, reader->size, DENSEST);
  if (sl_ok (&reader->status))
    reader->status = sl_bitmap_init (bitmap, reader->subject, width, height);
  if (!sl_ok (&reader->status))
    return false;
  choose_format (png, info);
  channels = png_get_channels (png, info);
  reader->rgba = channels == 4 ? malloc (width * height * 4) : NULL;
  reader->rows = malloc (height * sizeof *reader->rows);
  if (reader->rows == NULL || (channels == 4 && reader->rgba == NULL))
    {
      reader->status = sl_status_no_memory (reader->subject);
      return false;
    }
  for (size_t y = 0; y < height; y++)
    reader->rows[y] = (channels == 4 ? reader->rgba : bitmap->rgb) + y * width * channels;
  png_read_image (png, reader->rows);
  png_read_end (png, NULL);
  return true;
}

SlStatus
sl_png_decode (const uint8_t *bytes, size_t size, const char *subject, SlBitmap *bitmap)
{
  Reader      reader = { .bytes = bytes,
                         .size = size,
                         .subject = subject,
                         .bitmap = bitmap,
                         .status = check_chunks (bytes, size, subject) };
  png_structp png
    = png_create_read_struct (PNG_LIBPNG_VER_STRING, &reader, refuse_read, ignore_warning);
  png_infop info = png != NULL ? png_create_info_struct (png) : NULL;
  bool      good = false;

  *bitmap = (SlBitmap) { 0 };
  if (info == NULL)
    reader.status = sl_status_no_memory (subject);
  else if (sl_ok (&reader.status))
    good = read_all (&reader, png, info);
  png_destroy_read_struct (&png, &info, NULL);
  if (good && reader.rgba != NULL)
    lay_onto_white (reader.rgba, (size_t) bitmap->width * bitmap->height, bitmap->rgb);
  free (reader.rgba);
  free (reader.rows);
  if (!good)
    sl_bitmap_clear (bitmap);
  return reader.status;
}
