/* SPDX-License-Identifier: MIT
 *
 * Cropped digits in files of MATLAB: made here, raw and compressed, in one file and in two, and everything
 * that is refused.  */
#include <glib/gstdio.h>
#include <string.h>
#include <zlib.h>

#include "core/data/source/source.h"
#include "tests/support/english.h"

enum { SIDE = 32, AREA = 1024, PIXELS = 3072 };

/* Types and classes of the format. */
enum { INT8 = 1, UINT8 = 2, INT32 = 5, UINT32 = 6, DOUBLE = 9, MATRIX = 14, COMPRESSED = 15 };
enum { CELL = 1, DOUBLES = 6, BYTES = 9 };

static char *folder;

static char *
file_path (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

static void
write_file (const char *name, const GByteArray *bytes)
{
  g_autofree char *path = file_path (name);

  g_assert_true (g_file_set_contents (path, (const char *) bytes->data, bytes->len, NULL));
}

static void
empty_folder (void)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);

  for (const char *name = g_dir_read_name (dir); name != NULL; name = g_dir_read_name (dir))
    {
      g_autofree char *path = file_path (name);

      g_assert_cmpint (g_remove (path), ==, 0);
    }
}

static void
add_word (GByteArray *bytes, uint32_t word)
{
  uint32_t little = GUINT32_TO_LE (word);

  g_byte_array_append (bytes, (const uint8_t *) &little, 4);
}

/* An element, its data filled up to whole numbers of 8 bytes. */
static void
add_element (GByteArray *bytes, uint32_t type, const void *data, size_t size)
{
  static const uint8_t zeros[8];

  add_word (bytes, type);
  add_word (bytes, (uint32_t) size);
  g_byte_array_append (bytes, data, (guint) size);
  g_byte_array_append (bytes, zeros, (guint) ((8 - size % 8) % 8));
}

/* An array with a name of one letter, as programs write it: within its tag. */
static GByteArray *
array (char name, uint32_t flags, const uint32_t *axes, unsigned n_axes, uint32_t type,
       const void *data, size_t size)
{
  GByteArray *bytes = g_byte_array_new ();
  uint32_t    words[2] = { GUINT32_TO_LE (flags), 0 };

  add_element (bytes, UINT32, words, sizeof words);
  add_element (bytes, INT32, axes, n_axes * sizeof *axes);
  add_word (bytes, 1 << 16 | INT8);
  add_word (bytes, (uint8_t) name);
  add_element (bytes, type, data, size);
  return bytes;
}

static GByteArray *
header (uint8_t version, const char *order)
{
  GByteArray *bytes = g_byte_array_new ();
  uint8_t     head[128] = "MATLAB 5.0 MAT-file, made by a test";

  head[125] = version;
  memcpy (head + 126, order, 2);
  g_byte_array_append (bytes, head, sizeof head);
  return bytes;
}

/* Adds a variable, which is freed, raw or compressed; its last `cut` compressed bytes are left out. */
static void
add_variable (GByteArray *file, GByteArray *variable, bool packed, size_t cut)
{
  g_autoptr (GByteArray) whole = g_byte_array_new ();
  g_autofree uint8_t *to = NULL;
  uLongf              size;

  add_element (whole, MATRIX, variable->data, variable->len);
  g_byte_array_unref (variable);
  if (!packed)
    {
      g_byte_array_append (file, whole->data, whole->len);
      return;
    }
  size = compressBound (whole->len);
  to = g_malloc (size);
  g_assert_cmpint (compress (to, &size, whole->data, whole->len), ==, Z_OK);
  add_word (file, COMPRESSED);
  add_word (file, (uint32_t) (size - cut));
  g_byte_array_append (file, to, (guint) (size - cut));
}

/* `n` pictures, the pixel of which tells row, column, channel and number. */
static uint8_t
pixel_of (size_t i, size_t channel, size_t row, size_t column)
{
  return (uint8_t) (7 * i + 80 * channel + 3 * row + column);
}

static GByteArray *
pictures (uint32_t n, uint32_t class)
{
  const uint32_t      axes[] = { SIDE, SIDE, 3, n };
  g_autofree uint8_t *data = g_malloc (n * PIXELS);
  uint8_t            *to = data;

  for (size_t i = 0; i < n; i++)
    for (size_t c = 0; c < 3; c++)
      for (size_t column = 0; column < SIDE; column++)
        for (size_t row = 0; row < SIDE; row++)
          *to++ = pixel_of (i, c, row, column);
  return array ('X', class, axes, 4, UINT8, data, n * PIXELS);
}

/* Labels 1, 2 … 10, 1 …, as bytes or doubles. */
static GByteArray *
labels (uint32_t n, bool doubles)
{
  const uint32_t      axes[] = { n, 1 };
  g_autofree uint8_t *bytes = g_malloc (n);
  g_autofree double  *numbers = g_new (double, n);

  for (uint32_t i = 0; i < n; i++)
    {
      bytes[i] = (uint8_t) (i % 10 + 1);
      numbers[i] = i % 10 + 1;
    }
  if (doubles)
    return array ('y', DOUBLES, axes, 2, DOUBLE, numbers, n * sizeof *numbers);
  return array ('y', DOUBLES, axes, 2, UINT8, bytes, n);
}

static void
write_digits (const char *name, uint32_t n, bool packed, bool doubles, bool labels_first)
{
  g_autoptr (GByteArray) file = header (1, "IM");

  if (labels_first)
    add_variable (file, labels (n, doubles), packed, 0);
  add_variable (file, pictures (n, BYTES), packed, 0);
  if (!labels_first)
    add_variable (file, labels (n, doubles), packed, 0);
  write_file (name, file);
}

static SlDataset *
open_name (const char *name)
{
  g_autofree char *path = file_path (name);
  SlDataset       *dataset;
  SlStatus         status = sl_source_open (path, &dataset);
  char             text[512];

  if (!sl_ok (&status))
    g_error ("%s", sl_status_text (&status, text, sizeof text));
  return dataset;
}

static void
check_digits (const SlDataset *d, size_t n)
{
  g_assert_cmpuint (d->features, ==, PIXELS);
  g_assert_cmpuint (d->width, ==, SIDE);
  g_assert_cmpuint (d->channels, ==, 3);
  g_assert_cmpuint (d->classes, ==, 10);
  g_assert_cmpstr (d->class_title[0], ==, "0");
  for (size_t e = 0; e < n; e++)
    {
      const uint8_t *image = d->bytes + PIXELS * e;
      size_t         i;

      /* A heap is shuffled: the first pixel says which picture it was. */
      for (i = 0; i < n && image[0] != pixel_of (i, 0, 0, 0); i++)
        ;
      g_assert_cmpuint (d->label[e], ==, (i % 10 + 1) % 10);
      for (size_t c = 0; c < 3; c++)
        for (size_t row = 0; row < SIDE; row++)
          for (size_t column = 0; column < SIDE; column++)
            g_assert_cmpuint (image[c * AREA + row * SIDE + column], ==,
                              pixel_of (i, c, row, column));
    }
}

static void
test_file (void)
{
  uint64_t hash = 0;

  empty_folder ();
  for (unsigned form = 0; form < 8; form++)
    {
      SlDataset *d;

      write_digits ("some.mat", 30, form & 1, form & 2, form & 4);
      d = open_name ("some.mat");
      check_digits (d, 30);
      g_assert_cmpuint (d->n[SL_TRAIN], ==, 24);
      g_assert_true (form == 0 || d->hash == hash);
      hash = d->hash;
      sl_dataset_free (d);
    }
}

static void
test_folder (void)
{
  SlDataset *d;

  empty_folder ();
  write_digits ("train_32x32.mat", 20, true, false, false);
  write_digits ("test_32x32.mat", 10, false, true, true);
  d = open_name (".");
  g_assert_cmpuint (d->n[SL_TRAIN], ==, 17);
  g_assert_cmpuint (d->n[SL_VALID], ==, 3);
  g_assert_cmpuint (d->n[SL_TEST], ==, 10);
  check_digits (d, 20);
  sl_dataset_free (d);
}

/* Other variables are passed over, whatever they hold. */
static void
test_others (void)
{
  const uint32_t axes[] = { 1, 1 };
  const double   number = 5;
  SlDataset     *d;

  empty_folder ();
  for (unsigned packed = 0; packed < 2; packed++)
    {
      g_autoptr (GByteArray) file = header (1, "IM");

      add_variable (file, array ('a', DOUBLES, axes, 2, DOUBLE, &number, 8), packed, 0);
      add_variable (file, array ('X', CELL, axes, 2, DOUBLE, &number, 8), packed, 0);
      add_variable (file, array ('X', DOUBLES | 0x800, axes, 2, DOUBLE, &number, 8), packed, 0);
      add_element (file, UINT8, "whatever", 8);
      add_variable (file, pictures (12, BYTES), packed, 0);
      add_variable (file, labels (12, true), packed, 0);
      write_file ("no-name-of-its-kind", file);
      d = open_name ("no-name-of-its-kind");
      check_digits (d, 12);
      sl_dataset_free (d);
    }
}

/* Writes and frees the file; opening it fails with these facts. */
static void
refused (GByteArray *file, SlCode code, const char *found, const char *expected)
{
  g_autofree char *path = file_path ("bad.mat");
  SlDataset       *dataset;
  SlStatus         status;

  write_file ("bad.mat", file);
  g_byte_array_unref (file);
  status = sl_source_open (path, &dataset);
  g_assert_null (dataset);
  g_assert_cmpstr (sl_english (&status.found), ==, found);
  g_assert_cmpstr (sl_english (&status.expected), ==, expected);
  g_assert_cmpstr (status.subject, ==, path);
  g_assert_cmpint (status.code, ==, code);
}

static GByteArray *
file_of (GByteArray *first, GByteArray *second, bool packed)
{
  GByteArray *file = header (1, "IM");

  add_variable (file, first, packed, 0);
  if (second != NULL)
    add_variable (file, second, packed, 0);
  return file;
}

static void
test_headers (void)
{
  const char *expected = "a file of MATLAB, version 5 to 7 (save -v7)";
  GByteArray *hdf5 = g_byte_array_new ();

  empty_folder ();
  refused (header (2, "IM"), SL_EFORMAT, "version 7.3, which is HDF5", expected);
  g_byte_array_append (hdf5, (const uint8_t *) "\x89HDF\r\n\x1a\n", 8);
  refused (hdf5, SL_EFORMAT, "HDF5", expected);
  refused (header (1, "??"), SL_EFORMAT, "no header of 128 bytes that ends in IM", expected);
  {
    GByteArray *swapped = header (0, "MI");

    swapped->data[124] = 1;
    refused (swapped, SL_EFORMAT, "numbers with their highest byte first", "the lowest byte first");
  }
  refused (header (1, "IM"), SL_EFORMAT, "no pictures X",
           "cropped digits: X of 32 × 32 × 3 × N bytes and y of N labels");
}

static void
test_shapes (void)
{
  const char         *layout = "X of 32 × 32 × 3 × N bytes (uint8)";
  const uint32_t      turned[] = { 3, SIDE, SIDE, 2 }, flat[] = { PIXELS, 2 };
  const uint32_t      huge[] = { SIDE, SIDE, 3, 0x7fffffff }, none[] = { SIDE, SIDE, 3, 0 };
  const uint32_t      negative[] = { SIDE, SIDE, 3, 0xffffffff }, one[] = { 1, 1 };
  g_autofree uint8_t *zeros = g_malloc0 (2 * PIXELS * 8);

  empty_folder ();
  refused (file_of (array ('X', BYTES, turned, 4, UINT8, zeros, 2 * PIXELS), NULL, true),
           SL_EFORMAT, "X of 4 axes, 3 × 32 × 32", layout);
  refused (file_of (array ('X', BYTES, flat, 2, UINT8, zeros, 2 * PIXELS), NULL, true), SL_EFORMAT,
           "X of 2 axes, 3072 × 2 × 0", layout);
  refused (file_of (array ('X', BYTES, none, 4, UINT8, zeros, 0), NULL, true), SL_EFORMAT,
           "X of 4 axes, 32 × 32 × 3", layout);
  {
    const uint32_t two[] = { SIDE, SIDE, 3, 2 };

    refused (file_of (array ('X', DOUBLES, two, 4, DOUBLE, zeros, 2 * PIXELS * 8), NULL, true),
             SL_EFORMAT, "X of 4 axes, 32 × 32 × 3", layout);
  }
  refused (file_of (array ('X', BYTES, huge, 4, UINT8, zeros, 2 * PIXELS), NULL, true), SL_EFORMAT,
           "6144 bytes of type 2", "6597069763584 numbers");
  refused (file_of (array ('X', BYTES, negative, 4, UINT8, zeros, 2 * PIXELS), NULL, true),
           SL_EFORMAT, "axes that cannot be", "axes of an array");
  refused (file_of (pictures (4, BYTES), NULL, true), SL_EFORMAT, "no labels y",
           "cropped digits: X of 32 × 32 × 3 × N bytes and y of N labels");
  refused (file_of (pictures (4, BYTES), labels (3, true), false), SL_EFORMAT, "3 labels",
           "4, one for each picture");
  for (unsigned i = 0; i < 3; i++)
    {
      static const double      label[] = { 0, 11, 2.5 };
      static const char *const found[] = { "label 0", "label 11", "label 2.5" };

      refused (
        file_of (pictures (4, BYTES), array ('y', DOUBLES, one, 2, DOUBLE, &label[i], 8), true),
        SL_EFORMAT, found[i], "a label from 1 to 10");
    }
}

/* Sizes that lie, and files that end too soon. */
static void
test_cut (void)
{
  g_autoptr (GByteArray) whole = file_of (labels (12, true), pictures (12, BYTES), false);
  GByteArray *file;

  empty_folder ();
  for (guint n = 1; n < whole->len; n += n < 400 ? 1 : 997)
    {
      g_autofree char *path = file_path ("cut.mat");
      SlDataset       *dataset;
      SlStatus         status;

      g_assert_true (g_file_set_contents (path, (const char *) whole->data, n, NULL));
      status = sl_source_open (path, &dataset);
      g_assert_null (dataset);
      g_assert_cmpint (status.code, ==, SL_EFORMAT);
    }
  file = header (1, "IM");
  add_variable (file, pictures (12, BYTES), true, 60);
  refused (file, SL_EFORMAT, "the end of a variable", "more of its numbers");
  file = header (1, "IM");
  add_variable (file, pictures (12, BYTES), true, 0);
  file->data[128 + 8 + 40] ^= 0xff;
  write_file ("damaged.mat", file);
  g_byte_array_unref (file);
  {
    g_autofree char *path = file_path ("damaged.mat");
    SlDataset       *dataset;
    SlStatus         status = sl_source_open (path, &dataset);

    g_assert_null (dataset);
    g_assert_cmpint (status.code, ==, SL_EFORMAT);
  }
  /* The second word of a variable is its size, and that of its numbers comes after 48 bytes more. */
  file = file_of (pictures (2, BYTES), NULL, false);
  memset (file->data + 128 + 4, 0xff, 4);
  refused (file, SL_EFORMAT, "a file that is cut off", "all of a variable");
  file = file_of (pictures (2, BYTES), NULL, false);
  memset (file->data + 128 + 8 + 16 + 24 + 8 + 4, 0xff, 4);
  refused (file, SL_EFORMAT, "an element of 4294967295 bytes", "no more than there are");
}

static void
test_half_a_folder (void)
{
  SlDataset *dataset;
  SlStatus   status;

  empty_folder ();
  write_digits ("test_32x32.mat", 10, false, true, true);
  status = sl_source_open (folder, &dataset);
  g_assert_null (dataset);
  g_assert_cmpint (status.code, ==, SL_EIO);
  g_assert_cmpstr (sl_english (&status.found), ==, "no train_32x32.mat");
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  int result;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("sluice-mat-XXXXXX", &error);
  g_assert_no_error (error);
  g_test_add_func ("/matlab/file", test_file);
  g_test_add_func ("/matlab/folder", test_folder);
  g_test_add_func ("/matlab/others", test_others);
  g_test_add_func ("/matlab/headers", test_headers);
  g_test_add_func ("/matlab/shapes", test_shapes);
  g_test_add_func ("/matlab/cut", test_cut);
  g_test_add_func ("/matlab/half-a-folder", test_half_a_folder);
  result = g_test_run ();
  empty_folder ();
  g_rmdir (folder);
  g_free (folder);
  return result;
}
