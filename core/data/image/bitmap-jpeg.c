/* SPDX-License-Identifier: MIT
 *
 * JPEG through libjpeg.  A refusal leaves libjpeg by longjmp() and keeps its words.  */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

#include <jerror.h>

#include "core/data/image/bitmap-formats.h"
#include "core/data/text/text.h"

/* A block of 64 pixels takes a bit at least in its first scan, which makes 512; arithmetic coding,
 * which is rare, can do with less.  */
enum { DENSEST = 2048 };

typedef struct
{
  struct jpeg_error_mgr         errors; /* first, so that libjpeg's pointer is this one */
  struct jpeg_decompress_struct jpeg;
  jmp_buf                       out;
  size_t                        size;
  const char                   *subject;
  SlBitmap                     *bitmap;
  JSAMPLE                      *row; /* four channels, of CMYK; else NULL */
  unsigned                      orientation;
  SlStatus                      status;
} Reader;

bool
sl_jpeg_likely (const uint8_t *head, size_t size)
{
  return size >= 3 && memcmp (head, "\xff\xd8\xff", 3) == 0;
}

static Reader *
reader_of (j_common_ptr jpeg)
{
  return (Reader *) (void *) jpeg->err;
}

static size_t
read_position (const Reader *reader)
{
  size_t left = reader->jpeg.src != NULL ? reader->jpeg.src->bytes_in_buffer : 0;

  return left > reader->size ? reader->size : reader->size - left;
}

static void
refuse_read (j_common_ptr jpeg)
{
  Reader *reader = reader_of (jpeg);
  char    message[JMSG_LENGTH_MAX], found[100];

  reader->errors.format_message (jpeg, message);
  sl_text_printable (message, strlen (message), found, sizeof found);
  reader->status
    = reader->errors.msg_code == JERR_OUT_OF_MEMORY
        ? sl_status_no_memory (reader->subject)
        : sl_status_at (SL_EFORMAT, reader->subject, SL_BYTE, read_position (reader),
                        sl_message_verbatim (found), sl_message ("a whole JPEG picture"));
  longjmp (reader->out, 1);
}

/* libjpeg fills what is missing with grey and only warns; a picture that is damaged is no data.
 * Other warnings are about harmless oddities of old programs.  */
static void
note_warning (j_common_ptr jpeg, int level)
{
  Reader *reader = reader_of (jpeg);

  if (level >= 0)
    return;
  switch (reader->errors.msg_code)
    {
    case JWRN_JPEG_EOF:
      reader->status
        = sl_status_at (SL_EFORMAT, reader->subject, SL_BYTE, reader->size,
                        sl_message ("the end of the file"), sl_message ("more of the picture"));
      longjmp (reader->out, 1);
    case JWRN_HIT_MARKER:
    case JWRN_HUFF_BAD_CODE:
    case JWRN_ARITH_BAD_CODE:
    case JWRN_MUST_RESYNC: refuse_read (jpeg); break;
    default: break;
    }
}

static void
read_orientation (Reader *reader)
{
  static const char name[6] = "Exif";

  reader->orientation = 1;
  for (jpeg_saved_marker_ptr at = reader->jpeg.marker_list; at != NULL; at = at->next)
    if (at->marker == JPEG_APP0 + 1 && at->data_length > sizeof name
        && memcmp (at->data, name, sizeof name) == 0)
      {
        reader->orientation
          = sl_exif_orientation (at->data + sizeof name, at->data_length - sizeof name);
        return;
      }
}

/* Ink on paper to light; Adobe's programs write how much light is left instead of how much ink
 * there is, and nearly all CMYK files are theirs.  */
static void
mix_inks (const JSAMPLE *inks, size_t n, bool inverted, uint8_t *rgb)
{
  for (size_t i = 0; i < n; i++)
    for (size_t c = 0; c < 3; c++)
      {
        unsigned light = inverted ? inks[4 * i + c] : 255U - inks[4 * i + c];
        unsigned black = inverted ? inks[4 * i + 3] : 255U - inks[4 * i + 3];

        rgb[3 * i + c] = (uint8_t) ((light * black + 127) / 255);
      }
}

/* Everything that libjpeg may jump out of. */
static bool
read_all (Reader *reader, const uint8_t *bytes)
{
  struct jpeg_decompress_struct *jpeg = &reader->jpeg;
  SlBitmap                      *bitmap = reader->bitmap;
  size_t                         width, height;
  bool                           cmyk;

  if (setjmp (reader->out) != 0)
    return false;
  jpeg_create_decompress (jpeg);
  jpeg_mem_src (jpeg, bytes, reader->size);
  jpeg_save_markers (jpeg, JPEG_APP0 + 1, 0xffff);
  jpeg_read_header (jpeg, TRUE);
  read_orientation (reader);
  width = jpeg->image_width;
  height = jpeg->image_height;
  reader->status = sl_bitmap_check (reader->subject, read_position (reader), width, height,
                                    reader->size, DENSEST);
  if (sl_ok (&reader->status))
    reader->status = sl_bitmap_init (bitmap, reader->subject, width, height);
  if (!sl_ok (&reader->status))
    return false;
  cmyk = jpeg->num_components == 4;
  jpeg->out_color_space = cmyk ? JCS_CMYK : JCS_RGB;
  jpeg_start_decompress (jpeg);
  reader->row = cmyk ? malloc (width * 4) : NULL;
  if (cmyk && reader->row == NULL)
    {
      reader->status = sl_status_no_memory (reader->subject);
      return false;
    }
  while (jpeg->output_scanline < height)
    {
      uint8_t *to = bitmap->rgb + 3 * width * jpeg->output_scanline;
      JSAMPLE *row = cmyk ? reader->row : to;

      jpeg_read_scanlines (jpeg, &row, 1);
      if (cmyk)
        mix_inks (row, width, jpeg->saw_Adobe_marker, to);
    }
  jpeg_finish_decompress (jpeg);
  return true;
}

SlStatus
sl_jpeg_decode (const uint8_t *bytes, size_t size, const char *subject, SlBitmap *bitmap)
{
  Reader reader = { .size = size, .subject = subject, .bitmap = bitmap };
  bool   good;

  *bitmap = (SlBitmap) { 0 };
  reader.jpeg.err = jpeg_std_error (&reader.errors);
  reader.errors.error_exit = refuse_read;
  reader.errors.emit_message = note_warning;
  good = read_all (&reader, bytes);
  jpeg_destroy_decompress (&reader.jpeg);
  free (reader.row);
  if (good)
    {
      reader.status = sl_bitmap_turn (bitmap, subject, reader.orientation);
      good = sl_ok (&reader.status);
    }
  if (!good)
    sl_bitmap_clear (bitmap);
  return reader.status;
}
