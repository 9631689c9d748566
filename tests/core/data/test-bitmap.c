/* SPDX-License-Identifier: MIT
 *
 * Pictures in memory: every kind of PNG and JPEG that libpng and libjpeg can write comes back as
 * what it shows, damaged ones are refused with a place, and sizes change without colours.  */
#include <glib.h>
#include <math.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <zlib.h>

#include <jpeglib.h>

#include "core/data/image/bitmap-formats.h"
#include "core/data/image/png-write.h"
#include "tests/support/english.h"

/* Four colours that tell rows from columns, in quarters of a picture. */
static const uint8_t quarter[2][2][3]
  = { { { 200, 30, 40 }, { 40, 180, 60 } }, { { 50, 60, 190 }, { 230, 220, 70 } } };

static SlBitmap
quarters (unsigned width, unsigned height)
{
  SlBitmap bitmap;
  SlStatus status = sl_bitmap_init (&bitmap, "quarters", width, height);

  g_assert_true (sl_ok (&status));
  for (unsigned y = 0; y < height; y++)
    for (unsigned x = 0; x < width; x++)
      memcpy (bitmap.rgb + 3 * (y * width + x), quarter[2 * y >= height][2 * x >= width], 3);
  return bitmap;
}

static SlBitmap
decode (GByteArray *file)
{
  SlBitmap bitmap;
  SlStatus status = sl_bitmap_decode (file->data, file->len, "file", &bitmap);
  char     text[512];

  if (!sl_ok (&status))
    g_error ("%s", sl_status_text (&status, text, sizeof text));
  return bitmap;
}

static void
assert_pixel (const SlBitmap *bitmap, unsigned x, unsigned y, const uint8_t rgb[3], int tolerance)
{
  const uint8_t *at = bitmap->rgb + 3 * (y * bitmap->width + x);

  for (int c = 0; c < 3; c++)
    g_assert_cmpint (abs (at[c] - rgb[c]), <=, tolerance);
}

/* Refused, with a sentence, and nothing left behind. */
static SlStatus
refusal (const uint8_t *bytes, size_t size)
{
  SlBitmap bitmap = { .width = 7 };
  uint8_t *exact = g_memdup2 (bytes, size); /* so that a sanitizer sees a read beyond */
  SlStatus status = sl_bitmap_decode (exact, size, "file", &bitmap);

  g_free (exact);
  g_assert_false (sl_ok (&status));
  g_assert_null (bitmap.rgb);
  g_assert_cmpstr (status.subject, ==, "file");
  g_assert_cmpstr (sl_english (&status.found), !=, "");
  return status;
}

/* Writing PNG of any kind, as the product does not. */

static void
append (png_structp png, png_bytep bytes, png_size_t n)
{
  g_byte_array_append (png_get_io_ptr (png), bytes, (guint) n);
}

static void
flush (png_structp png)
{
}

typedef struct
{
  int              type, depth;
  bool             interlaced;
  const png_color *palette; /* (4) */
  const png_byte  *opacity; /* (4), of the palette */
} PngKind;

/* `rows` are `height` rows of packed samples. */
static GByteArray *
png_of (const PngKind *kind, unsigned width, unsigned height, const uint8_t *rows, size_t stride)
{
  GByteArray           *file = g_byte_array_new ();
  png_structp           png = png_create_write_struct (PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  png_infop             info = png_create_info_struct (png);
  g_autofree png_bytepp row = g_new (png_bytep, height);

  for (unsigned y = 0; y < height; y++)
    row[y] = (png_bytep) rows + y * stride;
  png_set_write_fn (png, file, append, flush);
  png_set_IHDR (png, info, width, height, kind->depth, kind->type,
                kind->interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
                PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (kind->palette != NULL)
    png_set_PLTE (png, info, kind->palette, 4);
  if (kind->opacity != NULL)
    png_set_tRNS (png, info, kind->opacity, 4, NULL);
  png_write_info (png, info);
  png_write_image (png, row);
  png_write_end (png, info);
  png_destroy_write_struct (&png, &info);
  return file;
}

static void
test_png_own (void)
{
  SlBitmap bitmap = quarters (7, 5), again;
  uint8_t *bytes, *same;
  size_t   size, same_size;
  SlStatus status
    = sl_bitmap_encode (&bitmap, "Zwei Bilder – 画", "{ \"sluice-recipe\": 1 }", &bytes, &size);

  g_assert_true (sl_ok (&status));
  status
    = sl_bitmap_encode (&bitmap, "Zwei Bilder – 画", "{ \"sluice-recipe\": 1 }", &same, &same_size);
  g_assert_true (sl_ok (&status));
  g_assert_cmpmem (bytes, size, same, same_size);
  g_assert_nonnull (memmem (bytes, size, "sluice-recipe\0", 14));
  g_assert_true (sl_bitmap_likely (bytes, size));
  status = sl_bitmap_decode (bytes, size, "file", &again);
  g_assert_true (sl_ok (&status));
  g_assert_cmpuint (again.width, ==, 7);
  g_assert_cmpuint (again.height, ==, 5);
  g_assert_cmpmem (again.rgb, 7 * 5 * 3, bitmap.rgb, 7 * 5 * 3);
  free (bytes);
  free (same);
  sl_bitmap_clear (&bitmap);
  sl_bitmap_clear (&again);
}

/* Grey of every depth: black, white and what is between. */
static void
test_png_grey (void)
{
  static const struct
  {
    int     depth;
    uint8_t row[8]; /* four pixels: 0, the most, 0, the most; 16 bits: one between */
    uint8_t grey[4];
  } kinds[] = {
    { 1, { 0x50 }, { 0, 255, 0, 255 } },
    { 2, { 0x1b }, { 0, 85, 170, 255 } },
    { 4, { 0x0f, 0x3c }, { 0, 255, 51, 204 } },
    { 8, { 0, 255, 7, 99 }, { 0, 255, 7, 99 } },
    { 16, { 0, 0, 0xff, 0xff, 0x80, 0x80, 0x12, 0x12 }, { 0, 255, 128, 18 } },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      const PngKind kind = { PNG_COLOR_TYPE_GRAY, kinds[i].depth, false, NULL, NULL };
      g_autoptr (GByteArray) file = png_of (&kind, 4, 1, kinds[i].row, 8);
      SlBitmap bitmap = decode (file);

      for (unsigned x = 0; x < 4; x++)
        {
          const uint8_t grey[3] = { kinds[i].grey[x], kinds[i].grey[x], kinds[i].grey[x] };

          assert_pixel (&bitmap, x, 0, grey, 0);
        }
      sl_bitmap_clear (&bitmap);
    }
}

/* What is not there is white; half of it is half white. */
static void
test_png_alpha (void)
{
  static const uint8_t   rgba[] = { 10, 20, 30, 255, 10, 20, 30, 0, 0, 100, 200, 128 };
  static const uint8_t   deep[] = { 10, 10, 20, 20, 30, 30, 0x80, 0x80 };
  static const uint8_t   grey[] = { 40, 255, 40, 0 };
  static const png_color palette[4] = { { 1, 2, 3 }, { 200, 100, 50 }, { 0, 0, 0 }, { 9, 9, 9 } };
  static const png_byte  opacity[4] = { 255, 255, 0, 255 };
  const PngKind          kinds[] = { { PNG_COLOR_TYPE_RGBA, 8, false, NULL, NULL },
                                     { PNG_COLOR_TYPE_RGBA, 16, false, NULL, NULL },
                                     { PNG_COLOR_TYPE_GRAY_ALPHA, 8, false, NULL, NULL },
                                     { PNG_COLOR_TYPE_PALETTE, 2, false, palette, opacity } };
  g_autoptr (GByteArray) a = png_of (&kinds[0], 3, 1, rgba, sizeof rgba);
  g_autoptr (GByteArray) b = png_of (&kinds[1], 1, 1, deep, sizeof deep);
  g_autoptr (GByteArray) c = png_of (&kinds[2], 2, 1, grey, sizeof grey);
  g_autoptr (GByteArray) d = png_of (&kinds[3], 4, 1, (const uint8_t[]) { 0x1b }, 1);
  SlBitmap bitmap = decode (a);

  assert_pixel (&bitmap, 0, 0, (const uint8_t[]) { 10, 20, 30 }, 0);
  assert_pixel (&bitmap, 1, 0, (const uint8_t[]) { 255, 255, 255 }, 0);
  assert_pixel (&bitmap, 2, 0, (const uint8_t[]) { 127, 177, 227 }, 0);
  sl_bitmap_clear (&bitmap);
  bitmap = decode (b);
  assert_pixel (&bitmap, 0, 0, (const uint8_t[]) { 132, 137, 142 }, 1);
  sl_bitmap_clear (&bitmap);
  bitmap = decode (c);
  assert_pixel (&bitmap, 0, 0, (const uint8_t[]) { 40, 40, 40 }, 0);
  assert_pixel (&bitmap, 1, 0, (const uint8_t[]) { 255, 255, 255 }, 0);
  sl_bitmap_clear (&bitmap);
  bitmap = decode (d);
  assert_pixel (&bitmap, 0, 0, (const uint8_t[]) { 1, 2, 3 }, 0);
  assert_pixel (&bitmap, 1, 0, (const uint8_t[]) { 200, 100, 50 }, 0);
  assert_pixel (&bitmap, 2, 0, (const uint8_t[]) { 255, 255, 255 }, 0);
  assert_pixel (&bitmap, 3, 0, (const uint8_t[]) { 9, 9, 9 }, 0);
  sl_bitmap_clear (&bitmap);
}

static void
test_png_interlaced (void)
{
  const PngKind kind = { PNG_COLOR_TYPE_RGB, 8, true, NULL, NULL };
  SlBitmap      bitmap = quarters (19, 13), again;
  g_autoptr (GByteArray) file = png_of (&kind, 19, 13, bitmap.rgb, 3 * 19);

  again = decode (file);
  g_assert_cmpmem (again.rgb, 3 * 19 * 13, bitmap.rgb, 3 * 19 * 13);
  sl_bitmap_clear (&bitmap);
  sl_bitmap_clear (&again);
}

static void
test_png_damaged (void)
{
  SlBitmap bitmap = quarters (40, 30);
  uint8_t *bytes;
  size_t   size;
  SlStatus status = sl_bitmap_encode (&bitmap, NULL, NULL, &bytes, &size);

  g_assert_true (sl_ok (&status));
  /* Wherever it is cut. */
  for (size_t cut = 0; cut < size; cut++)
    {
      status = refusal (bytes, cut);
      g_assert_cmpint (status.code, ==, SL_EFORMAT);
      if (cut > 40)
        {
          g_assert_cmpint (status.place, ==, SL_BYTE);
          g_assert_cmpuint (status.position, ==, cut);
          g_assert_cmpstr (sl_english (&status.found), ==, "the end of the file");
        }
    }
  /* Header and pixels have checksums, and so has every bit of them. */
  for (size_t at = 4; at < size - 12; at++)
    {
      bytes[at] ^= 0x10;
      status = refusal (bytes, size);
      g_assert_cmpint (status.code, ==, SL_EFORMAT);
      bytes[at] ^= 0x10;
    }
  free (bytes);
  sl_bitmap_clear (&bitmap);
}

/* The size in the header of a file, with its checksum. */
static void
set_png_size (GByteArray *file, uint32_t width, uint32_t height)
{
  const uint32_t size[2] = { GUINT32_TO_BE (width), GUINT32_TO_BE (height) };
  uint32_t       crc = 0xffffffff;

  memcpy (file->data + 16, size, sizeof size);
  for (int i = 12; i < 29; i++)
    {
      crc ^= file->data[i];
      for (int bit = 0; bit < 8; bit++)
        crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
    }
  crc = GUINT32_TO_BE (~crc);
  memcpy (file->data + 29, &crc, sizeof crc);
}

/* The most memory that this program has had so far. */
static size_t
most_memory (void)
{
  struct rusage used;

  g_assert_cmpint (getrusage (RUSAGE_SELF, &used), ==, 0);
  return (size_t) used.ru_maxrss << 10;
}

static void
append_chunk (GByteArray *file, const char *type, const uint8_t *bytes, uint32_t n)
{
  uint32_t crc = (uint32_t) crc32 (crc32 (0, (const uint8_t *) type, 4), bytes, n);

  n = GUINT32_TO_BE (n);
  crc = GUINT32_TO_BE (crc);
  g_byte_array_append (file, (const uint8_t *) &n, sizeof n);
  g_byte_array_append (file, (const uint8_t *) type, 4);
  g_byte_array_append (file, bytes, GUINT32_FROM_BE (n));
  g_byte_array_append (file, (const uint8_t *) &crc, sizeof crc);
}

/* A chunk that says it is longer than the file takes no memory, and a text that inflates to 64 MiB none for its
 * letters.  What follows the end of the picture is not looked at.  */
static void
test_png_chunks (void)
{
  enum { AFTER_HEADER = 33, LETTERS = 64 << 20, LITTLE = 32 << 20 };
  static const char keyword[] = "Comment\0\1\0\0"; /* compressed, no language */
  SlBitmap          bitmap = quarters (40, 30), again;
  g_autoptr (GByteArray) longest = g_byte_array_new (), bomb = g_byte_array_new ();
  g_autoptr (GByteArray) text = g_byte_array_new ();
  g_autofree uint8_t *letters = g_malloc0 (LETTERS), *packed = g_malloc (1 << 20);
  uLongf              n_packed = 1 << 20;
  uint8_t            *bytes;
  size_t              size, before;
  SlStatus            status = sl_bitmap_encode (&bitmap, NULL, NULL, &bytes, &size);

  g_assert_true (sl_ok (&status));
  g_assert_cmpint (compress (packed, &n_packed, letters, LETTERS), ==, Z_OK);
  g_byte_array_append (text, (const uint8_t *) keyword, sizeof keyword);
  g_byte_array_append (text, packed, (guint) n_packed);
  g_byte_array_append (bomb, bytes, AFTER_HEADER);
  append_chunk (bomb, "iTXt", text->data, text->len);
  g_byte_array_append (bomb, bytes + AFTER_HEADER, (guint) size - AFTER_HEADER);
  g_byte_array_append (bomb, (const uint8_t *) "\x7f\xff\xff\xffiTXt and more", 17);
  g_byte_array_append (longest, bytes, AFTER_HEADER);
  append_chunk (longest, "iTXt", text->data, 75);
  memset (longest->data + AFTER_HEADER, 0x7f, 1);
  memset (longest->data + AFTER_HEADER + 1, 0xff, 3);

  before = most_memory ();
  status = refusal (longest->data, longest->len);
  g_assert_cmpuint (status.position, ==, longest->len);
  g_assert_true (g_str_has_suffix (sl_english (&status.expected), " more bytes"));
  again = decode (bomb);
  g_assert_cmpmem (again.rgb, 3 * 40 * 30, bitmap.rgb, 3 * 40 * 30);
  g_assert_cmpuint (most_memory (), <, before + LITTLE);
  sl_bitmap_clear (&again);
  sl_bitmap_clear (&bitmap);
  free (bytes);
}

/* Refused before there is an attempt to find room. */
static void
test_huge (void)
{
  const PngKind       kind = { PNG_COLOR_TYPE_RGB, 8, false, NULL, NULL };
  g_autofree uint8_t *noise = g_malloc (3 * 300 * 300);
  g_autoptr (GByteArray) file = NULL;
  SlBitmap bitmap;
  SlStatus status;
  GRand   *rand = g_rand_new_with_seed (1);

  for (size_t i = 0; i < 3 * 300 * 300; i++)
    noise[i] = (uint8_t) g_rand_int (rand);
  g_rand_free (rand);
  file = png_of (&kind, 300, 300, noise, 900);
  set_png_size (file, 300, 300);
  bitmap = decode (file); /* the checksum is right */
  sl_bitmap_clear (&bitmap);
  set_png_size (file, 60000, 60000);
  g_assert_cmpint (refusal (file->data, file->len).code, ==, SL_EFORMAT);
  set_png_size (file, 40000, 40000);
  status = refusal (file->data, file->len);
  g_assert_cmpint (status.code, ==, SL_ENOMEM);
  g_assert_cmpstr (sl_english (&status.found), ==, "40000 × 40000 pixels");
  set_png_size (file, 70000, 10);
  g_assert_cmpint (refusal (file->data, file->len).code, ==, SL_EFORMAT);
  set_png_size (file, 0, 10);
  g_assert_cmpint (refusal (file->data, file->len).code, ==, SL_EFORMAT);

  status = sl_bitmap_init (&bitmap, "x", SL_BITMAP_SIDE, SL_BITMAP_SIDE);
  g_assert_cmpint (status.code, ==, SL_ENOMEM);
  status = sl_bitmap_init (&bitmap, "x", 10, 0);
  g_assert_cmpint (status.code, ==, SL_EFORMAT);
  status = sl_bitmap_init (&bitmap, "x", SIZE_MAX, SIZE_MAX);
  g_assert_cmpint (status.code, ==, SL_EFORMAT);
  g_assert_null (bitmap.rgb);
}

/* JPEG of any kind: what libjpeg can write. */
typedef struct
{
  J_COLOR_SPACE space;
  bool          progressive;
  unsigned      orientation; /* 0: no Exif */
  bool          big;         /* the order of its bytes */
} JpegKind;

static void
write_exif (struct jpeg_compress_struct *jpeg, unsigned orientation, bool big)
{
  /* One entry before it, as cameras have. */
  static const uint8_t little[] = "Exif\0\0II*\0\x08\0\0\0\x02\0\x0f\x01\x02\0\x04\0\0\0abc\0"
                                  "\x12\x01\x03\0\x01\0\0\0?\0\0\0\0\0\0\0";
  static const uint8_t large[] = "Exif\0\0MM\0*\0\0\0\x08\0\x02\x01\x0f\0\x02\0\0\0\x04"
                                 "abc\0"
                                 "\x01\x12\0\x03\0\0\0\x01\0?\0\0\0\0\0\0";
  uint8_t              block[sizeof little];

  memcpy (block, big ? large : little, sizeof block);
  block[sizeof block - 1 - (big ? 7 : 8)] = (uint8_t) orientation;
  jpeg_write_marker (jpeg, JPEG_APP0 + 1, block, sizeof block - 1);
}

static GByteArray *
jpeg_of (const JpegKind *kind, unsigned width, unsigned height, const uint8_t *rows)
{
  struct jpeg_compress_struct jpeg;
  struct jpeg_error_mgr       errors;
  unsigned char              *bytes = NULL;
  unsigned long               size = 0;
  GByteArray                 *file = g_byte_array_new ();

  jpeg.err = jpeg_std_error (&errors);
  jpeg_create_compress (&jpeg);
  jpeg_mem_dest (&jpeg, &bytes, &size);
  jpeg.image_width = width;
  jpeg.image_height = height;
  jpeg.in_color_space = kind->space;
  jpeg.input_components = kind->space == JCS_GRAYSCALE ? 1 : kind->space == JCS_CMYK ? 4 : 3;
  jpeg_set_defaults (&jpeg);
  jpeg_set_quality (&jpeg, 98, TRUE);
  if (kind->progressive)
    jpeg_simple_progression (&jpeg);
  jpeg_start_compress (&jpeg, TRUE);
  if (kind->orientation > 0)
    write_exif (&jpeg, kind->orientation, kind->big);
  while (jpeg.next_scanline < height)
    {
      JSAMPROW row
        = (JSAMPROW) rows + (size_t) jpeg.next_scanline * width * (unsigned) jpeg.input_components;

      jpeg_write_scanlines (&jpeg, &row, 1);
    }
  jpeg_finish_compress (&jpeg);
  jpeg_destroy_compress (&jpeg);
  g_byte_array_append (file, bytes, (guint) size);
  free (bytes);
  return file;
}

/* The colours of the quarters, counted from the top left. */
static void
assert_quarters (const SlBitmap *bitmap, const int order[4])
{
  unsigned       w = bitmap->width, h = bitmap->height;
  const unsigned at[4][2]
    = { { w / 4, h / 4 }, { 3 * w / 4, h / 4 }, { w / 4, 3 * h / 4 }, { 3 * w / 4, 3 * h / 4 } };

  for (int i = 0; i < 4; i++)
    assert_pixel (bitmap, at[i][0], at[i][1], quarter[order[i] / 2][order[i] % 2], 6);
}

static void
test_jpeg_kinds (void)
{
  static const int upright[4] = { 0, 1, 2, 3 };
  SlBitmap         quads = quarters (64, 48), bitmap;
  uint8_t         *ink = g_malloc (64 * 48 * 4);

  for (int progressive = 0; progressive < 2; progressive++)
    {
      g_autoptr (GByteArray) file
        = jpeg_of (&(JpegKind) { JCS_RGB, progressive != 0, 0, false }, 64, 48, quads.rgb);

      g_assert_true (sl_bitmap_likely (file->data, file->len));
      bitmap = decode (file);
      g_assert_cmpuint (bitmap.width, ==, 64);
      g_assert_cmpuint (bitmap.height, ==, 48);
      assert_quarters (&bitmap, upright);
      sl_bitmap_clear (&bitmap);
    }

  for (size_t i = 0; i < 64 * 48; i++)
    ink[i] = 90;
  {
    g_autoptr (GByteArray) file = jpeg_of (&(JpegKind) { .space = JCS_GRAYSCALE }, 64, 48, ink);

    bitmap = decode (file);
    assert_pixel (&bitmap, 30, 30, (const uint8_t[]) { 90, 90, 90 }, 2);
    sl_bitmap_clear (&bitmap);
  }

  /* libjpeg marks CMYK as Adobe's, where 255 is no ink. */
  for (size_t i = 0; i < 64 * 48; i++)
    memcpy (ink + 4 * i, (const uint8_t[]) { 255, 128, 0, 204 }, 4);
  {
    g_autoptr (GByteArray) file = jpeg_of (&(JpegKind) { .space = JCS_CMYK }, 64, 48, ink);

    bitmap = decode (file);
    assert_pixel (&bitmap, 30, 30, (const uint8_t[]) { 204, 102, 0 }, 3);
    sl_bitmap_clear (&bitmap);
  }
  g_free (ink);
  sl_bitmap_clear (&quads);
}

static void
test_jpeg_orientation (void)
{
  /* Where each quarter of the file is after turning, by the tables of the standard. */
  static const int shown[9][4]
    = { { 0, 1, 2, 3 }, { 0, 1, 2, 3 }, { 1, 0, 3, 2 }, { 3, 2, 1, 0 }, { 2, 3, 0, 1 },
        { 0, 2, 1, 3 }, { 2, 0, 3, 1 }, { 3, 1, 2, 0 }, { 1, 3, 0, 2 } };
  SlBitmap quads = quarters (64, 48);

  for (unsigned orientation = 1; orientation <= 9; orientation++)
    for (int big = 0; big < 2; big++)
      {
        g_autoptr (GByteArray) file
          = jpeg_of (&(JpegKind) { JCS_RGB, false, orientation, big != 0 }, 64, 48, quads.rgb);
        SlBitmap bitmap = decode (file);
        bool     across = orientation >= 5 && orientation <= 8;

        g_assert_cmpuint (bitmap.width, ==, across ? 48 : 64);
        g_assert_cmpuint (bitmap.height, ==, across ? 64 : 48);
        assert_quarters (&bitmap, shown[orientation <= 8 ? orientation : 0]);
        sl_bitmap_clear (&bitmap);
      }
  sl_bitmap_clear (&quads);
  g_assert_cmpuint (sl_exif_orientation ((const uint8_t *) "II*\0\xff\xff\xff\xff", 8), ==, 1);
  g_assert_cmpuint (sl_exif_orientation ((const uint8_t *) "II*\0\x06\0\0\0", 8), ==, 1);
  g_assert_cmpuint (sl_exif_orientation ((const uint8_t *) "", 0), ==, 1);
}

static void
test_jpeg_damaged (void)
{
  SlBitmap quads = quarters (64, 48);
  char     text[512];

  for (int progressive = 0; progressive < 2; progressive++)
    {
      g_autoptr (GByteArray) file
        = jpeg_of (&(JpegKind) { JCS_RGB, progressive != 0, 6, false }, 64, 48, quads.rgb);

      /* The last two bytes only say that it is over. */
      for (guint cut = 0; cut < file->len - 2; cut++)
        {
          SlStatus status = refusal (file->data, cut);

          g_assert_cmpint (status.code, ==, SL_EFORMAT);
          if (cut > 20)
            g_assert_nonnull (strstr (sl_status_text (&status, text, sizeof text), "byte "));
        }
    }
  sl_bitmap_clear (&quads);
}

static void
test_no_picture (void)
{
  SlStatus status = refusal ((const uint8_t *) "GIF89a..", 8);

  g_assert_cmpstr (sl_english (&status.found), ==, "a file that begins with 0x47494638");
  status = refusal ((const uint8_t *) "", 0);
  g_assert_cmpstr (sl_english (&status.found), ==, "0 bytes");
  status = refusal ((const uint8_t *) "x", 1);
  g_assert_cmpstr (sl_english (&status.found), ==, "1 byte");
}

static void
fill (SlBitmap *bitmap, const uint8_t rgb[3])
{
  for (size_t i = 0; i < (size_t) bitmap->width * bitmap->height; i++)
    memcpy (bitmap->rgb + 3 * i, rgb, 3);
}

/* A plain picture stays what it is at any size, to the byte. */
static void
test_cover_plain (void)
{
  static const unsigned sizes[][4]
    = { { 10, 10, 3, 3 }, { 3, 5, 40, 7 }, { 1, 1, 9, 2 }, { 100, 1, 7, 13 }, { 8, 8, 8, 8 } };

  for (size_t i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (unsigned level = 0; level < 256; level += 15)
      {
        const uint8_t rgb[3] = { (uint8_t) level, (uint8_t) (255 - level), 77 };
        SlBitmap      from, to;
        SlStatus      status = sl_bitmap_init (&from, "x", sizes[i][0], sizes[i][1]);

        g_assert_true (sl_ok (&status));
        fill (&from, rgb);
        status = sl_bitmap_cover (&from, sizes[i][2], sizes[i][3], &to);
        g_assert_true (sl_ok (&status));
        for (unsigned y = 0; y < to.height; y++)
          for (unsigned x = 0; x < to.width; x++)
            assert_pixel (&to, x, y, rgb, 0);
        sl_bitmap_clear (&from);
        sl_bitmap_clear (&to);
      }
}

/* The middle is kept and the rest cut off.  Edges ring, and where there is no light at all a little
 * of it is seen.  */
static void
test_cover_cut (void)
{
  static const uint8_t red[3] = { 255, 0, 0 }, blue[3] = { 0, 0, 255 };
  SlBitmap             wide, to;
  SlStatus             status = sl_bitmap_init (&wide, "x", 120, 30);

  g_assert_true (sl_ok (&status));
  fill (&wide, red);
  for (unsigned y = 0; y < 30; y++)
    for (unsigned x = 45; x < 75; x++)
      memcpy (wide.rgb + 3 * (y * 120 + x), blue, 3);
  status = sl_bitmap_cover (&wide, 10, 10, &to);
  g_assert_true (sl_ok (&status));
  for (unsigned y = 0; y < 10; y++)
    for (unsigned x = 2; x < 8; x++)
      assert_pixel (&to, x, y, blue, 24);
  sl_bitmap_clear (&to);
  status = sl_bitmap_cover (&wide, 40, 10, &to);
  g_assert_true (sl_ok (&status));
  assert_pixel (&to, 5, 5, red, 24);
  assert_pixel (&to, 20, 5, blue, 24);
  assert_pixel (&to, 35, 5, red, 24);
  sl_bitmap_clear (&to);
  sl_bitmap_clear (&wide);
}

/* Black and white pixels in turn are seen as half the light, which is 188 of 255. */
static void
test_cover_light (void)
{
  SlBitmap from, to;
  SlStatus status = sl_bitmap_init (&from, "x", 256, 256);

  g_assert_true (sl_ok (&status));
  for (unsigned y = 0; y < 256; y++)
    for (unsigned x = 0; x < 256; x++)
      memset (from.rgb + 3 * (y * 256 + x), (x + y) % 2 == 0 ? 0 : 255, 3);
  status = sl_bitmap_cover (&from, 32, 32, &to);
  g_assert_true (sl_ok (&status));
  for (unsigned y = 4; y < 28; y++)
    for (unsigned x = 4; x < 28; x++)
      assert_pixel (&to, x, y, (const uint8_t[]) { 188, 188, 188 }, 1);
  sl_bitmap_clear (&from);
  sl_bitmap_clear (&to);
}

/* A smooth picture comes back from a third of its size and back. */
static void
test_cover_and_back (void)
{
  SlBitmap from, small, back;
  SlStatus status = sl_bitmap_init (&from, "x", 96, 72);
  double   worst = 0.0;

  g_assert_true (sl_ok (&status));
  for (unsigned y = 0; y < 72; y++)
    for (unsigned x = 0; x < 96; x++)
      for (unsigned c = 0; c < 3; c++)
        from.rgb[3 * (y * 96 + x) + c]
          = (uint8_t) lrint (128 + 90 * sin (x / 9.0 + c) * cos (y / 11.0));
  status = sl_bitmap_cover (&from, 32, 24, &small);
  g_assert_true (sl_ok (&status));
  status = sl_bitmap_cover (&small, 96, 72, &back);
  g_assert_true (sl_ok (&status));
  for (unsigned y = 6; y < 66; y++)
    for (unsigned x = 6; x < 90; x++)
      for (unsigned c = 0; c < 3; c++)
        worst = fmax (worst, abs (from.rgb[3 * (y * 96 + x) + c] - back.rgb[3 * (y * 96 + x) + c]));
  g_test_message ("at most %g of 255 apart", worst);
  g_assert_true (worst <= 4.0);
  sl_bitmap_clear (&from);
  sl_bitmap_clear (&small);
  sl_bitmap_clear (&back);
}

static void
test_planes (void)
{
  SlBitmap bitmap = quarters (5, 3), again = quarters (5, 3);
  sl_real  planes[3 * 15], odd[3] = { (sl_real) NAN, (sl_real) -INFINITY, (sl_real) 7 };

  sl_bitmap_planes (&bitmap, planes);
  for (int i = 0; i < 15; i++)
    for (int c = 0; c < 3; c++)
      g_assert_true (planes[15 * c + i] == (sl_real) bitmap.rgb[3 * i + c] / 255);
  memset (again.rgb, 0, 45);
  sl_bitmap_from_planes (planes, &again);
  g_assert_cmpmem (again.rgb, 45, bitmap.rgb, 45);
  sl_bitmap_clear (&again);
  again = quarters (1, 1);
  sl_bitmap_from_planes (odd, &again);
  g_assert_cmpmem (again.rgb, 3, ((const uint8_t[]) { 0, 0, 255 }), 3);
  sl_bitmap_clear (&again);
  sl_bitmap_clear (&bitmap);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/bitmap/png/own", test_png_own);
  g_test_add_func ("/bitmap/png/grey", test_png_grey);
  g_test_add_func ("/bitmap/png/alpha", test_png_alpha);
  g_test_add_func ("/bitmap/png/interlaced", test_png_interlaced);
  g_test_add_func ("/bitmap/png/damaged", test_png_damaged);
  g_test_add_func ("/bitmap/png/chunks", test_png_chunks);
  g_test_add_func ("/bitmap/huge", test_huge);
  g_test_add_func ("/bitmap/jpeg/kinds", test_jpeg_kinds);
  g_test_add_func ("/bitmap/jpeg/orientation", test_jpeg_orientation);
  g_test_add_func ("/bitmap/jpeg/damaged", test_jpeg_damaged);
  g_test_add_func ("/bitmap/no-picture", test_no_picture);
  g_test_add_func ("/bitmap/cover/plain", test_cover_plain);
  g_test_add_func ("/bitmap/cover/cut", test_cover_cut);
  g_test_add_func ("/bitmap/cover/light", test_cover_light);
  g_test_add_func ("/bitmap/cover/and-back", test_cover_and_back);
  g_test_add_func ("/bitmap/planes", test_planes);
  return g_test_run ();
}
