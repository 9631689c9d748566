/* SPDX-License-Identifier: MIT
 *
 * A refusal leaves libpng by longjmp(); what was allocated until then is the writer's.  */
#include "core/data/image/png-write.h"

#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "core/data/text/text.h"

typedef struct
{
  uint8_t *bytes, *row;
  size_t   size, room;
  SlStatus status;
} Writer;

static void
refuse_write (png_structp png, png_const_charp message)
{
  Writer *writer = png_get_error_ptr (png);
  char    found[100];

  if (sl_ok (&writer->status))
    {
      sl_text_printable (message, strlen (message), found, sizeof found);
      writer->status = sl_status_new (SL_EINVAL, "PNG", sl_message_verbatim (found), SL_NO_MESSAGE);
    }
  png_longjmp (png, 1);
}

static void
ignore_warning (png_structp png, png_const_charp message)
{
}

static void
no_memory (png_structp png, Writer *writer)
{
  writer->status = sl_status_no_memory ("PNG");
  png_longjmp (png, 1);
}

static void
append_bytes (png_structp png, png_bytep from, size_t n)
{
  Writer *writer = png_get_io_ptr (png);

  if (n > writer->room - writer->size)
    {
      size_t   room = 2 * writer->room + n;
      uint8_t *larger = realloc (writer->bytes, room);

      if (larger == NULL)
        no_memory (png, writer);
      writer->bytes = larger;
      writer->room = room;
    }
  memcpy (writer->bytes + writer->size, from, n);
  writer->size += n;
}

static void
flush_bytes (png_structp png)
{
}

static void
add_text (png_structp png, png_infop info, const SlPngText *text)
{
  char     empty[] = "";
  png_text chunk = { .compression = PNG_ITXT_COMPRESSION_NONE, .lang = empty, .lang_key = empty };

  if (text->text == NULL)
    return;
  /* libpng takes these as writable and copies them. */
  chunk.key = (char *) text->key;
  chunk.text = (char *) text->text;
  chunk.itxt_length = strlen (text->text);
  png_set_text (png, info, &chunk, 1);
}

/* Everything that libpng may jump out of. */
static bool
write_all (Writer *writer, const SlPngImage *image, png_structp png, png_infop info)
{
  png_uint_32 per_metre = (png_uint_32) lround (image->dpi / 0.0254);

  if (setjmp (png_jmpbuf (png)) != 0)
    return false;
  png_set_write_fn (png, writer, append_bytes, flush_bytes);
  png_set_IHDR (png, info, image->width, image->height, 8,
                image->alpha ? PNG_COLOR_TYPE_RGBA : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (image->dpi > 0.0)
    png_set_pHYs (png, info, per_metre, per_metre, PNG_RESOLUTION_METER);
  for (unsigned i = 0; i < image->n_texts; i++)
    add_text (png, info, &image->texts[i]);
  png_write_info (png, info);
  writer->row = malloc ((size_t) image->width * (image->alpha ? 4 : 3));
  if (writer->row == NULL)
    no_memory (png, writer);
  for (unsigned y = 0; y < image->height; y++)
    {
      image->row (image->from, y, writer->row);
      png_write_row (png, writer->row);
    }
  png_write_end (png, info);
  return true;
}

SlStatus
sl_png_encode (const SlPngImage *image, uint8_t **bytes, size_t *size)
{
  Writer      writer = { 0 };
  png_structp png
    = png_create_write_struct (PNG_LIBPNG_VER_STRING, &writer, refuse_write, ignore_warning);
  png_infop info = png != NULL ? png_create_info_struct (png) : NULL;
  bool      good = false;

  if (info == NULL)
    writer.status = sl_status_no_memory ("PNG");
  else
    good = write_all (&writer, image, png, info);
  png_destroy_write_struct (&png, &info);
  free (writer.row);
  if (!good)
    free (writer.bytes);
  *bytes = good ? writer.bytes : NULL;
  *size = good ? writer.size : 0;
  return writer.status;
}

static void
copy_row (const void *from, unsigned y, uint8_t *to)
{
  const SlBitmap *bitmap = from;
  size_t          n = 3 * (size_t) bitmap->width;

  memcpy (to, bitmap->rgb + y * n, n);
}

SlStatus
sl_bitmap_encode (const SlBitmap *bitmap, const char *title, const char *recipe, uint8_t **bytes,
                  size_t *size)
{
  const SlPngText  texts[] = { { "Title", title }, { "sluice-recipe", recipe } };
  const SlPngImage image = { .width = bitmap->width,
                             .height = bitmap->height,
                             .texts = texts,
                             .n_texts = 2,
                             .row = copy_row,
                             .from = bitmap };

  return sl_png_encode (&image, bytes, size);
}
