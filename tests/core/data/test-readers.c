/* SPDX-License-Identifier: MIT
 *
 * Readers of files: small ones made here, good and bad, and real collections where they are
 * at hand.  */
#include <glib/gstdio.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "core/base/rng.h"
#include "core/data/source/source.h"
#include "tests/support/close.h"
#include "tests/support/english.h"

/* Everything is written to one folder, which each test empties. */
static char *folder;

/* The path of a file in it, or with "." its own. */
static char *
file_path (const char *name)
{
  return strcmp (name, ".") == 0 ? g_strdup (folder) : g_build_filename (folder, name, NULL);
}

static void
empty_folder (void)
{
  GDir *dir = g_dir_open (folder, 0, NULL);

  g_assert_nonnull (dir);
  for (const char *name = g_dir_read_name (dir); name != NULL; name = g_dir_read_name (dir))
    {
      g_autofree char *path = file_path (name);

      g_assert_cmpint (g_remove (path), ==, 0);
    }
  g_dir_close (dir);
}

static void
write_file (const char *name, const void *data, size_t size)
{
  g_autofree char *path = file_path (name);

  g_assert_true (g_file_set_contents (path, data, (gssize) size, NULL));
}

static void
write_text (const char *name, const char *text)
{
  write_file (name, text, strlen (text));
}

/* The same compressed; the last `cut` bytes are left out. */
static void
write_gzip (const char *name, const void *data, size_t size, size_t cut)
{
  g_autofree char *path = file_path (name), *content = NULL;
  gzFile           file = gzopen (path, "wb");
  gsize            length;

  g_assert_nonnull (file);
  g_assert_cmpint (gzwrite (file, data, (unsigned) size), ==, (int) size);
  g_assert_cmpint (gzclose (file), ==, Z_OK);
  if (cut > 0)
    {
      g_assert_true (g_file_get_contents (path, &content, &length, NULL));
      write_file (name, content, length - cut);
    }
}

static SlDataset *
open_path (const char *name)
{
  g_autofree char *path = file_path (name);
  SlDataset       *dataset;
  SlStatus         status = sl_source_open (path, &dataset);
  char             text[512];

  if (!sl_ok (&status))
    g_error ("%s", sl_status_text (&status, text, sizeof text));
  return dataset;
}

/* Opening `name` fails with exactly these facts about the file `subject`. */
static void
refused (const char *name, const char *subject, SlCode code, SlPlace place, uint64_t position,
         const char *found, const char *expected)
{
  g_autofree char *path = file_path (name), *subject_path = file_path (subject);
  SlDataset       *dataset = (SlDataset *) &path;
  SlStatus         status = sl_source_open (path, &dataset);

  g_assert_null (dataset);
  g_assert_cmpstr (sl_english (&status.found), ==, found);
  g_assert_cmpstr (sl_english (&status.expected), ==, expected);
  g_assert_cmpstr (status.subject, ==, subject_path);
  g_assert_cmpint (status.code, ==, code);
  g_assert_cmpint (status.place, ==, place);
  g_assert_cmpuint (status.position, ==, position);
}

/* Opening `name` fails, with words for what the file `subject` has and should have. */
static void
turned_down (const char *name, const char *subject)
{
  g_autofree char *path = file_path (name), *subject_path = file_path (subject);
  SlDataset       *dataset = (SlDataset *) &path;
  SlStatus         status = sl_source_open (path, &dataset);

  g_assert_null (dataset);
  g_assert_true (status.code == SL_EFORMAT || status.code == SL_ENOMEM);
  g_assert_cmpstr (status.subject, ==, subject_path);
  g_assert_cmpstr (sl_english (&status.found), !=, "");
  g_assert_cmpstr (sl_english (&status.expected), !=, "");
}

/* An IDX file: magic number, dimensions up to a 0 behind the last, and `size` bytes. */
static GByteArray *
idx (uint32_t magic, const uint32_t *dim, unsigned dims, const uint8_t *data, size_t size)
{
  GByteArray *bytes = g_byte_array_new ();
  uint32_t    word = GUINT32_TO_BE (magic);

  g_byte_array_append (bytes, (const uint8_t *) &word, 4);
  for (unsigned i = 0; i < dims; i++)
    {
      word = GUINT32_TO_BE (dim[i]);
      g_byte_array_append (bytes, (const uint8_t *) &word, 4);
    }
  if (size > 0)
    g_byte_array_append (bytes, data, (guint) size);
  return bytes;
}

static void
write_bytes (const char *name, GByteArray *bytes)
{
  write_file (name, bytes->data, bytes->len);
  g_byte_array_unref (bytes);
}

/* `n` images of 2 x 3 whose pixels are 6 i + j + shift, and their labels i mod 3. */
static void
write_images (const char *name, uint32_t n, uint8_t shift)
{
  uint32_t            dim[3] = { n, 2, 3 };
  g_autofree uint8_t *pixels = g_malloc (6 * n);

  for (uint32_t i = 0; i < 6 * n; i++)
    pixels[i] = (uint8_t) (i + shift);
  write_bytes (name, idx (0x803, dim, 3, pixels, 6 * n));
}

static void
write_labels (const char *name, uint32_t n)
{
  g_autofree uint8_t *label = g_malloc (n);

  for (uint32_t i = 0; i < n; i++)
    label[i] = (uint8_t) (i % 3);
  write_bytes (name, idx (0x801, &n, 1, label, n));
}

/* The examples of a split data set are those of the file, each once and with its label. */
static void
assert_same_images (const SlDataset *dataset, uint32_t n)
{
  g_autofree bool *seen = g_new0 (bool, n);

  g_assert_cmpuint (dataset->n[0] + dataset->n[1] + dataset->n[2], ==, n);
  g_assert_cmpuint (dataset->features, ==, 6);
  for (uint32_t i = 0; i < n; i++)
    {
      const uint8_t *image = dataset->bytes + 6 * i;
      uint32_t       was = image[0] / 6;

      for (int j = 0; j < 6; j++)
        g_assert_cmpuint (image[j], ==, 6 * was + (unsigned) j);
      g_assert_cmpuint (dataset->label[i], ==, was % 3);
      g_assert_false (seen[was]);
      seen[was] = true;
    }
}

static void
test_idx_pair (void)
{
  static const char *const names[][2] = {
    { "train-images-idx3-ubyte", "train-labels-idx1-ubyte" },
    { "t10k-images.idx3-ubyte", "t10k-labels.idx1-ubyte" },
    { "clothes-images.idx", "clothes-labels.idx" },
    { "clothes.idx3-ubyte", "clothes.idx1-ubyte" },
    { "a-40x2x3-images-idx3-ubyte", "a-40-labels-idx1-ubyte" },
    { "images of things.idx", "labels of things.idx" },
    { "images.dat", "labels.dat" },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (names); i++)
    {
      SlDataset *dataset, *again;

      empty_folder ();
      write_images (names[i][0], 40, 0);
      write_labels (names[i][1], 40);
      /* Another pair in the same folder must not confuse. */
      write_labels ("zz-labels-idx1-ubyte", 7);
      dataset = open_path (names[i][0]);
      assert_same_images (dataset, 40);
      g_assert_cmpuint (dataset->n[SL_TRAIN], ==, 32);
      g_assert_cmpuint (dataset->n[SL_VALID], ==, 4);
      g_assert_cmpuint (dataset->n[SL_TEST], ==, 4);
      g_assert_cmpuint (dataset->width, ==, 3);
      g_assert_cmpuint (dataset->height, ==, 2);
      g_assert_cmpuint (dataset->channels, ==, 1);
      g_assert_cmpuint (dataset->classes, ==, 3);
      g_assert_null (dataset->class_title);
      g_assert_cmpstr (dataset->title, ==, names[i][0]);
      g_assert_true (dataset->scale == (sl_real) 1 / 128 && dataset->offset == -1);

      g_assert_cmpint (sl_source_open (dataset->id, &again).code, ==, SL_OK);
      g_assert_cmpstr (again->id, ==, dataset->id);
      g_assert_cmphex (again->hash, ==, dataset->hash);
      sl_dataset_free (again);
      sl_dataset_free (dataset);
    }
}

/* Raw or compressed, in one member or several, the data are the same. */
static void
test_idx_gzip (void)
{
  g_autofree char *raw = NULL, *first = NULL, *second = NULL, *path = NULL;
  g_autoptr (GByteArray) joined = g_byte_array_new ();
  SlDataset *plain, *packed;
  gsize      length, first_length, second_length;

  empty_folder ();
  write_images ("a-images.idx", 40, 0);
  write_labels ("a-labels.idx", 40);
  plain = open_path ("a-images.idx");

  path = file_path ("a-images.idx");
  g_assert_true (g_file_get_contents (path, &raw, &length, NULL));
  write_gzip ("a-images.idx.gz", raw, length, 0);
  packed = open_path ("a-images.idx.gz");
  g_assert_cmphex (packed->hash, ==, plain->hash);
  sl_dataset_free (packed);

  g_free (path);
  path = file_path ("part.gz");
  write_gzip ("part.gz", raw, 100, 0);
  g_assert_true (g_file_get_contents (path, &first, &first_length, NULL));
  write_gzip ("part.gz", raw + 100, length - 100, 0);
  g_assert_true (g_file_get_contents (path, &second, &second_length, NULL));
  g_byte_array_append (joined, (uint8_t *) first, (guint) first_length);
  g_byte_array_append (joined, (uint8_t *) second, (guint) second_length);
  write_file ("a-images.idx.gz", joined->data, joined->len);
  packed = open_path ("a-images.idx.gz");
  g_assert_cmphex (packed->hash, ==, plain->hash);
  sl_dataset_free (packed);
  sl_dataset_free (plain);
}

/* Colour images come channel-major, whichever way they are stored. */
static void
test_idx_colour (void)
{
  uint32_t   first[4] = { 6, 3, 2, 4 }, last[4] = { 6, 2, 4, 3 };
  uint8_t    planes[6 * 24], mixed[6 * 24];
  SlDataset *a, *b;

  empty_folder ();
  for (int n = 0; n < 6; n++)
    for (int c = 0; c < 3; c++)
      for (int i = 0; i < 8; i++)
        planes[24 * n + 8 * c + i] = mixed[24 * n + 3 * i + c] = (uint8_t) (40 * n + 10 * c + i);
  write_bytes ("a-images.idx", idx (0x804, first, 4, planes, sizeof planes));
  write_bytes ("b-images.idx", idx (0x804, last, 4, mixed, sizeof mixed));
  write_labels ("a-labels.idx", 6);
  write_labels ("b-labels.idx", 6);
  a = open_path ("a-images.idx");
  b = open_path ("b-images.idx");
  g_assert_cmpuint (b->channels, ==, 3);
  g_assert_cmpuint (b->height, ==, 2);
  g_assert_cmpuint (b->width, ==, 4);
  g_assert_cmphex (a->hash, ==, b->hash);
  for (int i = 0; i < 24; i++)
    g_assert_cmpuint (b->bytes[i] % 40, ==, 10 * (i / 8) + i % 8);
  sl_dataset_free (a);
  sl_dataset_free (b);
}

/* Labels with gaps are renumbered and keep their numbers as names. */
static void
test_idx_label_gaps (void)
{
  uint32_t   n = 6;
  uint8_t    label[6] = { 7, 3, 255, 3, 7, 3 };
  SlDataset *dataset;

  empty_folder ();
  write_images ("a-images.idx", n, 0);
  write_bytes ("a-labels.idx", idx (0x801, &n, 1, label, n));
  dataset = open_path ("a-images.idx");
  g_assert_cmpuint (dataset->classes, ==, 3);
  g_assert_cmpstr (dataset->class_title[0], ==, "3");
  g_assert_cmpstr (dataset->class_title[1], ==, "7");
  g_assert_cmpstr (dataset->class_title[2], ==, "255");
  for (uint32_t i = 0; i < n; i++)
    {
      uint8_t was = label[dataset->bytes[6 * i] / 6];

      g_assert_cmpuint (dataset->label[i], ==, was == 3 ? 0 : was == 7 ? 1 : 2);
    }
  sl_dataset_free (dataset);
}

static void
test_idx_bad_images (void)
{
  uint32_t    dim[4] = { 40, 2, 3, 5 };
  uint8_t     pixels[240] = { 0 };
  const char *name = "a-images.idx";
  GByteArray *bytes;

  empty_folder ();
  write_labels ("a-labels.idx", 40);

  write_file (name, "", 0);
  turned_down (name, name);
  write_file (name, "\0\0", 2);
  turned_down (name, name);
  write_bytes (name, idx (0xd03, dim, 3, pixels, 240));
  turned_down (name, name);
  write_bytes (name, idx (0x801, dim, 1, pixels, 40));
  turned_down (name, name);
  write_bytes (name, idx (0x803, dim, 2, NULL, 0));
  turned_down (name, name);
  write_bytes (name, idx (0x804, dim, 4, pixels, 240));
  turned_down (name, name);

  write_bytes (name, idx (0x803, dim, 3, pixels, 239));
  turned_down (name, name);
  write_bytes (name, idx (0x803, dim, 3, pixels, 240));
  bytes = idx (0x803, dim, 3, pixels, 240);
  g_byte_array_append (bytes, pixels, 1);
  write_bytes (name, bytes);
  turned_down (name, name);

  dim[1] = 0;
  write_bytes (name, idx (0x803, dim, 3, pixels, 240));
  turned_down (name, name);
  dim[0] = 0;
  dim[1] = 2;
  write_bytes (name, idx (0x803, dim, 3, pixels, 0));
  turned_down (name, name);
}

/* Sizes whose product overflows or does not fit are refused before memory is asked for. */
static void
test_idx_bad_sizes (void)
{
  static const uint32_t dims[][4] = {
    { 0xffffffff, 0xffffffff, 0xffffffff, 0 },
    { 1u << 31, 1u << 16, 1u << 17, 0 },
    { 3, 1u << 31, 1u << 31, 0 },
    { 0x80000001, 1, 1, 0 },
    { 1u << 22, 32, 32, 0 },
  };
  const char *name = "a-images.idx";

  empty_folder ();
  write_labels ("a-labels.idx", 40);
  for (size_t i = 0; i < G_N_ELEMENTS (dims); i++)
    {
      write_bytes (name, idx (0x803, dims[i], 3, NULL, 0));
      turned_down (name, name);
    }

  /* In four dimensions the product of two may fit and that of three not. */
  write_bytes (name, idx (0x804, (uint32_t[]) { 2, 4, 1u << 19, 1 }, 4, NULL, 0));
  turned_down (name, name);

  /* A small compressed file cannot hold a gigabyte, and need not be tried. */
  {
    g_autoptr (GByteArray) huge = idx (0x803, (uint32_t[]) { 1u << 20, 32, 32 }, 3, NULL, 0);

    write_gzip ("a-images.idx.gz", huge->data, huge->len, 0);
  }
  {
    g_autofree char *path = file_path ("a-images.idx.gz");
    SlDataset       *dataset;
    SlStatus         status = sl_source_open (path, &dataset);

    g_assert_false (sl_ok (&status));
    g_assert_null (dataset);
  }
}

static void
test_idx_bad_labels (void)
{
  uint32_t    n = 40;
  uint8_t     label[41] = { 0 };
  const char *images = "a-images.idx", *labels = "a-labels.idx";
  GByteArray *bytes;

  empty_folder ();
  write_images (images, n, 0);
  refused (images, images, SL_EIO, SL_NOWHERE, 0, "no labels file beside it",
           "a-labels.idx in the same folder");
  write_labels (labels, 40);
  refused (labels, labels, SL_EIO, SL_NOWHERE, 0, "labels without their images",
           "the file of the images, which finds its labels itself");
  write_bytes (labels, idx (0x803, &n, 1, label, 40));
  turned_down (images, labels);
  write_labels (labels, 39);
  turned_down (images, labels);
  write_bytes (labels, idx (0x801, &n, 1, label, 12));
  turned_down (images, labels);
  bytes = idx (0x801, &n, 1, label, 41);
  write_bytes (labels, bytes);
  turned_down (images, labels);
  write_bytes (labels, idx (0x801, &n, 1, label, 40));
  turned_down (images, labels);

  write_images (images, 2, 0);
  write_labels (labels, 2);
  turned_down (images, images);
}

static void
test_bad_gzip (void)
{
  g_autoptr (GByteArray) bytes = NULL;
  g_autofree char    *path = NULL, *content = NULL;
  g_autofree uint8_t *noise = g_malloc (6000);
  uint32_t            dim[3] = { 1000, 2, 3 };
  const char         *name = "a-images.idx.gz";
  gsize               length;
  SlDataset          *dataset;
  SlStatus            status;
  SlRng               rng;

  empty_folder ();
  write_labels ("a-labels.idx", 1000);
  sl_rng_init (&rng, 1, "noise");
  for (uint32_t i = 0; i < 6000; i++)
    noise[i] = (uint8_t) sl_rng_next (&rng);
  bytes = idx (0x803, dim, 3, noise, 6000);

  /* Without the checksum, all of the data are there, but nobody knows whether they are right. */
  write_gzip (name, bytes->data, bytes->len, 5);
  refused (name, name, SL_EFORMAT, SL_BYTE, 6016, "the end of the file within compressed data",
           "a complete gzip file");

  /* Cut in the middle: the position is that of the last byte that could be read. */
  write_gzip (name, bytes->data, bytes->len, 2000);
  path = file_path (name);
  status = sl_source_open (path, &dataset);
  g_assert_cmpint (status.code, ==, SL_EFORMAT);
  g_assert_cmpint (status.place, ==, SL_BYTE);
  g_assert_cmpuint (status.position, >, 2000);
  g_assert_cmpuint (status.position, <, 6016);
  g_assert_cmpstr (status.subject, ==, path);

  write_gzip (name, bytes->data, bytes->len, 0);
  g_assert_true (g_file_get_contents (path, &content, &length, NULL));
  content[length - 6] ^= 1;
  write_file (name, content, length);
  refused (name, name, SL_EFORMAT, SL_BYTE, 6016, "incorrect data check", "a complete gzip file");
  content[length - 6] ^= 1;

  {
    g_autofree char *longer = g_malloc (length + 3);

    memcpy (longer, content, length);
    memcpy (longer + length, "end", 3);
    write_file (name, longer, length + 3);
  }
  refused (name, name, SL_EFORMAT, SL_BYTE, 6016, "other bytes after the compressed data",
           "a complete gzip file");

  write_file (name, "\x1f\x8b\x08", 3);
  refused (name, name, SL_EFORMAT, SL_BYTE, 0, "the end of the file within compressed data",
           "a complete gzip file");
  write_file (name, "\x1f\x8b\x07\0\0\0\0\0\0\0\0\0", 12);
  refused (name, name, SL_EFORMAT, SL_BYTE, 0, "unknown compression method",
           "a complete gzip file");
}

static void
write_four (uint32_t train, uint32_t test)
{
  write_images ("train-images-idx3-ubyte", train, 0);
  write_labels ("train-labels-idx1-ubyte", train);
  write_images ("t10k-images-idx3-ubyte", test, 100);
  write_labels ("t10k-labels-idx1-ubyte", test);
}

/* A folder of four files keeps their order; the last sixth of the first is for validation. */
static void
test_idx_folder (void)
{
  g_autofree char *spec = NULL;
  SlDataset       *dataset;
  SlStatus         status;

  empty_folder ();
  write_four (30, 6);
  dataset = open_path (".");
  g_assert_cmpuint (dataset->n[SL_TRAIN], ==, 25);
  g_assert_cmpuint (dataset->n[SL_VALID], ==, 5);
  g_assert_cmpuint (dataset->n[SL_TEST], ==, 6);
  for (unsigned i = 0; i < 36; i++)
    {
      g_assert_cmpuint (dataset->bytes[6 * i], ==, i < 30 ? 6 * i : 6 * (i - 30) + 100);
      g_assert_cmpuint (dataset->label[i], ==, i % 3);
    }
  g_assert_cmpstr (dataset->id, ==, folder);
  sl_dataset_free (dataset);

  spec = g_strconcat (folder, ":valid=0.2", NULL);
  status = sl_source_open (spec, &dataset);
  g_assert_cmpint (status.code, ==, SL_EINVAL);
  g_assert_cmpstr (status.subject, ==, "valid");
  g_assert_null (dataset);
}

/* A folder with images and their labels is as good as the file of the images; with two of them
 * nobody knows which.  */
static void
test_idx_pair_folder (void)
{
  SlDataset *dataset;
  SlStatus   status;

  empty_folder ();
  write_images ("faces-images-idx3-ubyte", 40, 0);
  write_labels ("faces-labels-idx1-ubyte", 40);
  status = sl_source_open (folder, &dataset);
  g_assert_true (sl_ok (&status));
  g_assert_cmpuint (dataset->n[SL_TRAIN] + dataset->n[SL_VALID] + dataset->n[SL_TEST], ==, 40);
  g_assert_cmpuint (dataset->n[SL_TEST], >, 0);
  sl_dataset_free (dataset);
  write_images ("more-images-idx3-ubyte", 40, 0);
  refused (".", ".", SL_EIO, SL_NOWHERE, 0, "no files of a known collection",
           "train-images-idx3-ubyte etc., or a folder for each class");
}

static void
test_idx_bad_folder (void)
{
  uint32_t         dim[3] = { 6, 3, 3 };
  uint8_t          data[54] = { 0 };
  g_autofree char *path = g_build_filename (folder, "t10k-labels-idx1-ubyte", NULL);

  empty_folder ();
  refused (".", ".", SL_EIO, SL_NOWHERE, 0, "no files of a known collection",
           "train-images-idx3-ubyte etc., or a folder for each class");
  write_four (30, 6);
  g_assert_cmpint (g_remove (path), ==, 0);
  refused (".", ".", SL_EIO, SL_NOWHERE, 0, "no test labels",
           "train-images-idx3-ubyte, train-labels-idx1-ubyte and t10k-...");

  write_four (30, 6);
  write_bytes ("t10k-images-idx3-ubyte", idx (0x803, dim, 3, data, 54));
  turned_down (".", "t10k-images-idx3-ubyte");

  write_four (30, 6);
  data[4] = 3;
  write_bytes ("t10k-labels-idx1-ubyte", idx (0x801, dim, 1, data, 6));
  turned_down (".", "t10k-labels-idx1-ubyte");

  write_four (30, 6);
  write_labels ("train-labels-idx1-ubyte", 31);
  turned_down (".", "train-labels-idx1-ubyte");

  write_four (1, 6);
  turned_down (".", "t10k-labels-idx1-ubyte");
}

/* `n` CIFAR records with the label i mod 10 and pixels that tell i and the channel. */
static void
write_cifar (const char *name, unsigned n, unsigned shift)
{
  GByteArray *bytes = g_byte_array_new ();

  for (unsigned i = 0; i < n; i++)
    {
      uint8_t record[3073];

      record[0] = (uint8_t) (i % 10);
      for (unsigned c = 0; c < 3; c++)
        memset (record + 1 + 1024 * c, (int) (3 * (i + shift) + c), 1024);
      g_byte_array_append (bytes, record, sizeof record);
    }
  if (g_str_has_suffix (name, ".gz"))
    {
      write_gzip (name, bytes->data, bytes->len, 0);
      g_byte_array_unref (bytes);
    }
  else
    write_bytes (name, bytes);
}

static void
test_cifar (void)
{
  SlDataset *raw, *packed;

  empty_folder ();
  write_cifar ("some.bin", 40, 0);
  write_cifar ("other.bin.gz", 40, 0);
  write_cifar ("without-a-name", 40, 0);
  raw = open_path ("some.bin");
  packed = open_path ("other.bin.gz");
  g_assert_cmphex (raw->hash, ==, packed->hash);
  sl_dataset_free (packed);
  packed = open_path ("without-a-name");
  g_assert_cmphex (raw->hash, ==, packed->hash);
  sl_dataset_free (packed);

  g_assert_cmpuint (raw->n[SL_TRAIN], ==, 32);
  g_assert_cmpuint (raw->features, ==, 3072);
  g_assert_cmpuint (raw->width, ==, 32);
  g_assert_cmpuint (raw->channels, ==, 3);
  g_assert_cmpuint (raw->classes, ==, 10);
  g_assert_cmpstr (raw->class_title[9], ==, "truck");
  for (int i = 0; i < 40; i++)
    {
      const uint8_t *image = raw->bytes + 3072 * i;

      g_assert_cmpuint (raw->label[i], ==, image[0] / 3 % 10);
      g_assert_cmpuint (image[1023], ==, image[0]);
      g_assert_cmpuint (image[1024], ==, image[0] + 1);
      g_assert_cmpuint (image[3071], ==, image[0] + 2);
    }
  sl_dataset_free (raw);
}

static void
test_cifar_folder (void)
{
  SlDataset *dataset;

  empty_folder ();
  write_cifar ("data_batch_1.bin", 20, 0);
  write_cifar ("data_batch_2.bin.gz", 15, 20);
  write_cifar ("test_batch.bin", 10, 35);
  dataset = open_path (".");
  g_assert_cmpuint (dataset->n[SL_TRAIN], ==, 20);
  g_assert_cmpuint (dataset->n[SL_VALID], ==, 15);
  g_assert_cmpuint (dataset->n[SL_TEST], ==, 10);
  for (int i = 0; i < 45; i++)
    g_assert_cmpuint (dataset->bytes[3072 * i], ==, 3 * i);
  sl_dataset_free (dataset);

  empty_folder ();
  write_cifar ("data_batch_1.bin", 24, 0);
  write_cifar ("test_batch.bin", 10, 24);
  dataset = open_path (".");
  g_assert_cmpuint (dataset->n[SL_TRAIN], ==, 20);
  g_assert_cmpuint (dataset->n[SL_VALID], ==, 4);
  g_assert_cmpuint (dataset->n[SL_TEST], ==, 10);
  sl_dataset_free (dataset);
}

static void
test_cifar_bad (void)
{
  g_autofree uint8_t *records = g_malloc0 (5 * 3073);
  const char         *name = "a.bin";

  empty_folder ();
  write_file (name, records, 3072);
  turned_down (name, name);
  write_file (name, records, 2 * 3073 + 1);
  turned_down (name, name);
  write_file (name, records, 5 * 3073);
  turned_down (name, name);
  records[3 * 3073] = 10;
  write_file (name, records, 5 * 3073);
  turned_down (name, name);

  write_cifar ("data_batch_1.bin", 4, 0);
  refused (".", ".", SL_EIO, SL_NOWHERE, 0, "no test_batch.bin",
           "data_batch_1.bin and so on, and test_batch.bin");
  write_file ("test_batch.bin", records, 5 * 3073);
  turned_down (".", "test_batch.bin");
  write_cifar ("data_batch_1.bin", 1, 0);
  write_cifar ("test_batch.bin", 3, 0);
  turned_down (".", "data_batch_1.bin");
}

/* The same table in every dress that the reader knows. */
static void
test_csv_dresses (void)
{
  static const char *const tables[] = {
    "1,10,cat\n2,10.5,dog\n3,9e0,cat\n4,-1,dog\n5,0.25,owl\n",
    "1;10;cat\r\n2;10.5;dog\r\n3;9e0;cat\r\n4;-1;dog\r\n5;.25;owl",
    "\xef\xbb\xbf"
    "a\tb\tclass\n1\t10\tcat\n2\t10.5\tdog\n3\t9\tcat\n4\t-1\tdog\n5\t0.25\towl\n\n",
    "a,\"b, or not\",kind\n\n1,\"10\",\"cat\"\n2,10.5, dog \n"
    "3,\" 9\",cat\n4,-1,dog\n5,+0.25,\"owl\"\n",
    "label,a,b\rcat,1,10\rdog,2,10.5\rcat,3,9\rdog,4,-1\rowl,5,2.5e-1\r",
    "a,Class,b\n1,cat,10\n2,dog,10.5\n3,cat,9\n4,dog,-1\n5,owl,0.25\n",
    "\n\n1,10,\"cat\"\n2,10.5,dog\n3,9,cat\n4,-1,dog\n5,25E-2,owl\n",
  };
  uint64_t hash = 0;

  for (size_t i = 0; i < G_N_ELEMENTS (tables); i++)
    for (int packed = 0; packed < 2; packed++)
      {
        SlDataset *dataset;

        empty_folder ();
        if (packed)
          write_gzip ("t.csv.gz", tables[i], strlen (tables[i]), 0);
        else
          write_text ("t.csv", tables[i]);
        dataset = open_path (packed ? "t.csv.gz" : "t.csv");
        if (i == 0 && !packed)
          hash = dataset->hash;
        g_assert_cmphex (dataset->hash, ==, hash);
        g_assert_cmpuint (dataset->n[SL_TRAIN], ==, 3);
        g_assert_cmpuint (dataset->features, ==, 2);
        g_assert_cmpuint (dataset->classes, ==, 3);
        g_assert_cmpuint (dataset->width, ==, 0);
        g_assert_cmpstr (dataset->class_title[0], ==, "cat");
        g_assert_cmpstr (dataset->class_title[2], ==, "owl");
        sl_dataset_free (dataset);
      }
}

/* Features are standardised over the training examples; a constant one carries nothing. */
static void
test_csv_standardised (void)
{
  g_autoptr (GString) text = g_string_new ("when,same,x,label\n");
  g_autofree char *path = file_path ("t.csv");
  g_autofree char *spec = g_strconcat (path, ":valid=0.2,seed=4", NULL);
  SlDataset       *dataset;
  double           mean[3] = { 0 }, square[3] = { 0 };
  size_t           n;

  empty_folder ();
  for (int i = 0; i < 100; i++)
    g_string_append_printf (text, "%d,7,%d,%d\n", 1600000000 + i, i * i % 17, i % 4);
  write_text ("t.csv", text->str);
  g_assert_cmpint (sl_source_open (spec, &dataset).code, ==, SL_OK);
  g_assert_cmpuint (dataset->n[SL_VALID], ==, 20);
  g_assert_true (g_str_has_suffix (dataset->id, "t.csv:valid=0.2,test=0.1,seed=4,"
                                                "standardise=yes,text=auto"));
  n = dataset->n[SL_TRAIN];
  for (size_t i = 0; i < n; i++)
    for (int j = 0; j < 3; j++)
      {
        double x = (double) dataset->values[3 * i + j];

        mean[j] += x / (double) n;
        square[j] += x * x / (double) n;
      }
  for (int j = 0; j < 3; j++)
    {
      sl_assert_near (mean[j], 0.0, 0.0, 1e-6);
      sl_assert_near (square[j], j == 1 ? 0.0 : 1.0, 0.0, 1e-6);
    }
  g_assert_null (dataset->class_title);

  /* The order of seconds is kept, though they are far from 0. */
  for (size_t i = 0; i < 100; i++)
    {
      size_t was = (size_t) lrint ((double) (dataset->values[3 * i] - dataset->values[0]) * 1e3);

      for (size_t k = 0; k < i; k++)
        g_assert_true (
          was != (size_t) lrint ((double) (dataset->values[3 * k] - dataset->values[0]) * 1e3));
    }
  sl_dataset_free (dataset);

  /* What training never saw may lie anywhere, but stays finite. */
  g_string_assign (text, "0,0,a\n");
  for (int i = 0; i < 40; i++)
    g_string_append_printf (text, "%s,%d,%c\n",
                            i % 8 == 0 ? "3e38"
                            : i % 2    ? "1e-30"
                                       : "0",
                            i, i % 2 ? 'a' : 'b');
  write_text ("t.csv", text->str);
  g_free (spec);
  spec = g_strconcat (path, ":valid=0.45,test=0.45", NULL);
  g_assert_cmpint (sl_source_open (spec, &dataset).code, ==, SL_OK);
  for (size_t i = 0; i < 82; i++)
    g_assert_true (fabs ((double) dataset->values[i]) <= 1e6);
  sl_dataset_free (dataset);
}

/* A table of numbers is one under the name of a text, and prose is none. */
static void
test_csv_name (void)
{
  SlDataset *dataset;

  empty_folder ();
  write_text ("t.txt", "# x y label\n1.5e+00 2 0\n2.5e+00 3 1\n3.5e+00 1 0\n-1e-3 0 1\n");
  dataset = open_path ("t.txt");
  g_assert_false (dataset->stream);
  g_assert_cmpuint (dataset->features, ==, 2);
  sl_dataset_free (dataset);
  write_text (
    "t.txt",
    "Chapter 1\n1, 2, 3: so they counted for hours, and then\nwent on and on to the end of it.\n");
  dataset = open_path ("t.txt");
  g_assert_true (dataset->stream);
  sl_dataset_free (dataset);
}

/* Classes that are numbers are put in the order of numbers, equal ones are one. */
static void
test_csv_classes (void)
{
  SlDataset *dataset;

  empty_folder ();
  write_text ("t.csv", "1,10\n2,9\n3,9.0\n4,-1\n5,010\n6,9e0\n");
  dataset = open_path ("t.csv");
  g_assert_cmpuint (dataset->classes, ==, 3);
  g_assert_cmpstr (dataset->class_title[0], ==, "-1");
  g_assert_cmpstr (dataset->class_title[1], ==, "9");
  g_assert_cmpstr (dataset->class_title[2], ==, "10");
  sl_dataset_free (dataset);

  write_text ("t.csv", "1,1\n2,0\n3,2\n4,1\n");
  dataset = open_path ("t.csv");
  g_assert_cmpuint (dataset->classes, ==, 3);
  g_assert_null (dataset->class_title);
  sl_dataset_free (dataset);

  write_text ("t.csv", "1,\"\xc3\xa4 \"\"b\"\"\nc\"\n2,x\n3,x\n4,x\n");
  dataset = open_path ("t.csv");
  g_assert_cmpstr (dataset->class_title[1], ==, "\xc3\xa4 \"b\"\nc");
  sl_dataset_free (dataset);
}

/* Headings are names of features, all of them or none. */
static void
test_csv_features (void)
{
  static const char *const nameless[]
    = { "1,2,x\n2,3,y\n3,4,x\n", "age,,label\n1,2,x\n2,3,y\n3,4,x\n",
        "age,01234567890123456789012345678901234567890,label\n1,2,x\n2,3,y\n3,4,x\n" };
  SlDataset *dataset;

  empty_folder ();
  write_text ("t.csv", "age,label,income in k\xe2\x82\xac\n1,x,2\n2,y,3\n3,x,4\n");
  dataset = open_path ("t.csv");
  g_assert_cmpuint (dataset->features, ==, 2);
  g_assert_cmpstr (dataset->feature_title[0], ==, "age");
  g_assert_cmpstr (dataset->feature_title[1], ==, "income in k\xe2\x82\xac");
  g_assert_true (dataset->standardised);
  sl_dataset_free (dataset);
  for (size_t i = 0; i < G_N_ELEMENTS (nameless); i++)
    {
      write_text ("t.csv", nameless[i]);
      dataset = open_path ("t.csv");
      g_assert_null (dataset->feature_title);
      sl_dataset_free (dataset);
    }
}

/* A column that only numbers the rows, from any number on, is left out and named. */
static void
test_csv_row_numbers (void)
{
  static const struct
  {
    double   first, step;
    bool     last; /* the numbers stand behind the feature */
    unsigned features;
  } cases[] = { { 0, 1, false, 1 },  { 1, 1, false, 1 }, { 1, 1, true, 1 },
                { 52, 1, false, 1 }, { 0, 2, false, 2 }, { 0, 0, false, 2 } };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GString) text = g_string_new (cases[i].last ? "a,id,label\n" : "id,a,label\n");
      SlDataset *dataset;
      char       note[SL_MESSAGE_SIZE];

      for (int row = 0; row < 20; row++)
        {
          double number = cases[i].first + cases[i].step * row, value = 7 * row % 5;

          g_string_append_printf (text, "%g,%g,%s\n", cases[i].last ? value : number,
                                  cases[i].last ? number : value, row % 2 > 0 ? "x" : "y");
        }
      write_text ("t.csv", text->str);
      dataset = open_path ("t.csv");
      g_assert_cmpuint (dataset->features, ==, cases[i].features);
      if (cases[i].features == 1)
        {
          g_assert_cmpuint (dataset->reading.n_notes, ==, 1);
          sl_message_show (dataset->reading.note[0].packed, NULL, note, sizeof note);
          g_assert_nonnull (strstr (note, "\"id\""));
        }
      sl_dataset_free (dataset);
    }
}

/* Spreadsheets write Windows-1252, which is said. */
static void
test_csv_windows (void)
{
  SlDataset *dataset;
  bool       said = false;

  write_file ("a.csv", "L\xe4nge;label\n1;S\xfc\xdf\n2;\x80\n3;S\xfc\xdf\n4;\x80\n", 32);
  dataset = open_path ("a.csv");
  g_assert_cmpstr (dataset->feature_title[0], ==, "Länge");
  g_assert_cmpstr (dataset->class_title[0], ==, "Süß");
  g_assert_cmpstr (dataset->class_title[1], ==, "€");
  for (unsigned i = 0; i < dataset->reading.n_notes; i++)
    said |= strstr (sl_english (&dataset->reading.note[i]), "Windows-1252") != NULL;
  g_assert_true (said);
  sl_dataset_free (dataset);
}

static void
test_csv_bad (void)
{
  static const struct
  {
    const char *text;
    uint64_t    line; /* 0: none */
    const char *found, *expected;
  } cases[] = {
    { "1,2,a\n3,,b\n5,6,a\n", 2, "a missing value in column 2", "a value in each cell" },
    { "x,width,label\n1,2,a\n,NaN,b\n5,?,b\n", 3, "a missing value in \"x\", 3 in 2 columns",
      "a value in each cell" },
    { "1,2,a\n3,inf,b\n", 2, "\"inf\" in column 2", "a finite number" },
    { "1,2,a\n3,-Infinity,b\n", 2, "\"-Infinity\" in column 2", "a finite number" },
    { "1,2,a\n3,1e39,b\n3,1,b\n", 0, "1e+39 in column 2", "numbers of single precision" },
    { "1,2,a\n3,1e999,b\n", 2, "\"1e999\" in column 2", "a finite number" },
    { "1,2,a\n3,4,b\n5,6\n", 3, "2 cells", "3 as in line 1" },
    { "\n1,2,a\n3,4,b,\n5,6\n", 3, "4 cells", "3 as in line 2" },
    { "1,2,a\n3,4,\n5,6,b\n", 2, "a missing value in column 3", "a value in each cell" },
    { "x,y,label\n1,2,a\n3,4,?\n5,6,b\n", 3, "a missing value in \"label\"",
      "a value in each cell" },
    { "1,2,a\n3,4,\"b\n5,6,a\n", 2, "a quote that does not close", "quotes around the whole cell" },
    { "1,2,a\n3,\"4\"5,b\n5,6,a\n", 2, "text behind a closing quote",
      "quotes around the whole cell" },
    { "1\n2\n3\n", 0, "one column", "a table of features and a class" },
    { "a,b,c\n", 0, "no examples", "a line for each example" },
    { "x,l\n1,a\n\"1,234\",b\n", 3, "\"1,234\" in column 1, \"x\"", "no signs between thousands" },
    { "x;y;l\n1.300;0,5;a\n950;1,5;b\n", 2, "\"1.300\" in column 1, \"x\"",
      "no signs between thousands" },
    { "x;l\n950;a\n1.300;b\n2.100;a\n", 1, "\"1.234\", whose sign may be decimal",
      "no signs between thousands" },
    { "x;l\n950;a\n1,300;b\n2,100;a\n", 1, "\"1,234\", whose sign may be decimal",
      "no signs between thousands" },
    { "x;l\n1.5;a\n2,5;b\n", 3, "\"2,5\" in column 1, \"x\"", "the decimal sign '.' everywhere" },
  };
  const char *name = "t.csv";
  g_autoptr (GString) text = g_string_new (NULL);

  empty_folder ();
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      write_text (name, cases[i].text);
      refused (name, name, SL_EFORMAT, cases[i].line > 0 ? SL_LINE : SL_NOWHERE, cases[i].line,
               cases[i].found, cases[i].expected);
    }

  write_text ("w.arff", "@relation w\n@attribute a real\n@attribute b {x,y}\n@data\n1,x\n2,y\n");
  refused ("w.arff", "w.arff", SL_EFORMAT, SL_LINE, 1, "a file of Weka (ARFF)", "rows alone");
  write_text ("w.svm", "1 1:2.5 3:1\n0 1:2.25\n1 2:7\n");
  refused ("w.svm", "w.svm", SL_EFORMAT, SL_LINE, 1, "index:value pairs (libsvm)", "as many cells");
  write_file (name, "1,2,a\n3,\0,b\n", 12);
  refused (name, name, SL_EFORMAT, SL_LINE, 2, "a zero byte", "text");
  write_file (name, "1,2,a\n3,4,\"\0\"\n", 14);
  refused (name, name, SL_EFORMAT, SL_LINE, 2, "a zero byte", "text");
  write_text (name, "1,2,a\n3,4,a\n5,6,a\n");
  refused (name, name, SL_EFORMAT, SL_NOWHERE, 0, "one class only", "at least 2 different classes");
  write_text (name, "1,2,a\n3,4,b\n");
  refused (name, name, SL_EFORMAT, SL_NOWHERE, 0, "2 examples",
           "at least 3, one each to train, validate and test");
  for (int i = 0; i < 300; i++)
    g_string_append_printf (text, "%d,%d\n", i, i);
  write_text (name, text->str);
  refused (name, name, SL_EFORMAT, SL_NOWHERE, 0, "more than 256 different numbers in column 2",
           "a column of classes (class=)");
  g_string_assign (text, "x,label\n");
  for (int i = 0; i < 60; i++)
    g_string_append_printf (text, i == 40 ? "%dO,%d\n" : "%d,%d\n", i, i % 3);
  write_text (name, text->str);
  refused (name, name, SL_EFORMAT, SL_NOWHERE, 0, "\"40O\" among the numbers of \"x\"", "numbers");
}

/* A quantity in the last column is taken for classes only where somebody says so. */
/* Examples as JSON are no table. */
static void
test_json (void)
{
  static const char *const names[] = { "a.json", "a.jsonl", "A.JSON" };

  for (size_t i = 0; i < G_N_ELEMENTS (names); i++)
    {
      empty_folder ();
      write_text (names[i], "{\"a\": 1, \"b\": 2.5, \"class\": \"x\"}\n");
      refused (names[i], names[i], SL_EFORMAT, SL_NOWHERE, 0, "JSON, whose examples are not read",
               "a table with a line for each example, as CSV, or arrays as npz");
    }
}

static void
test_csv_quantity (void)
{
  g_autoptr (GString) text = g_string_new (NULL), few = g_string_new (NULL);
  g_autofree char *named = NULL;
  const char      *name = "t.csv";

  empty_folder ();
  for (int i = 0; i < 60; i++)
    g_string_append_printf (text, "%d,%d\n", i, i % 30);
  write_text (name, text->str);
  refused (name, name, SL_EFORMAT, SL_NOWHERE, 0, "30 different numbers in 60 rows of column 2",
           "a column of classes (class=)");
  named = g_strconcat ("x,label\n", text->str, NULL);
  write_text (name, named);
  sl_dataset_free (open_path (name));
  for (int i = 0; i < 60; i++)
    g_string_append_printf (few, "%d,%d\n", i, i % 20);
  write_text (name, few->str);
  sl_dataset_free (open_path (name));
}

/* The decimal point does not depend on the language of the user. */
static void
test_csv_locale (void)
{
  SlDataset *dataset;
  uint64_t   hash;

  empty_folder ();
  write_text ("t.csv", "1.5,a\n2.25,b\n3.5,a\n4.75,b\n");
  dataset = open_path ("t.csv");
  hash = dataset->hash;
  sl_dataset_free (dataset);
  if (setlocale (LC_ALL, "de_DE.UTF-8") == NULL)
    {
      g_test_skip ("the locale de_DE.UTF-8 is not installed");
      return;
    }
  dataset = open_path ("t.csv");
  g_assert_cmphex (dataset->hash, ==, hash);
  sl_dataset_free (dataset);
  setlocale (LC_ALL, "C");
}

static void
test_not_files (void)
{
  g_autofree char *fifo = file_path ("pipe.csv"), *loop = file_path ("loop.csv");

  empty_folder ();
  refused ("nothing.csv", "nothing.csv", SL_EIO, SL_NOWHERE, 0, "No such file or directory",
           "a readable file");
  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
  refused ("pipe.csv", "pipe.csv", SL_EFORMAT, SL_NOWHERE, 0, "a pipe or device", "a file");
  write_file ("program",
              "\x7f"
              "ELF\0\0\0\0",
              8);
  refused ("program", "program", SL_EFORMAT, SL_NOWHERE, 0, "a file that begins with 0x7f454c46",
           "images, arrays, a table or text");
  for (int older = 0; older < 2; older++)
    {
      char mat[200] = "MATLAB 5.0 MAT-file, Platform: GLNXA64";

      memcpy (mat + 124, older ? "\1\0MI" : "\0\1IM", 4);
      write_file ("digits.mat", mat, sizeof mat);
      turned_down ("digits.mat", "digits.mat");
    }
  g_assert_cmpint (symlink ("loop.csv", loop), ==, 0);
  refused ("loop.csv", "loop.csv", SL_EIO, SL_NOWHERE, 0, "Too many levels of symbolic links",
           "a readable file");
}

static void
test_unreadable (void)
{
  g_autofree char *secret = file_path ("secret.csv");

  empty_folder ();
  write_text ("secret.csv", "1,2\n");
  g_assert_cmpint (chmod (secret, 0), ==, 0);
  if (access (secret, R_OK) == 0)
    g_test_skip ("this user may read everything");
  else
    refused ("secret.csv", "secret.csv", SL_EIO, SL_NOWHERE, 0, "Permission denied",
             "a readable file");
}

/* Colons, commas and equals signs may be part of a path. */
static void
test_strange_names (void)
{
  static const char *const names[]
    = { "a:b.csv", "a:valid=0.2", "digits", "x=y,z.csv", "tab\tname\xff.csv" };

  for (size_t i = 0; i < G_N_ELEMENTS (names); i++)
    {
      SlDataset *dataset, *again;

      empty_folder ();
      write_text (names[i], "1,a\n2,b\n3,a\n4,b\n");
      dataset = open_path (names[i]);
      g_assert_cmpint (sl_source_open (dataset->id, &again).code, ==, SL_OK);
      g_assert_cmpstr (again->id, ==, dataset->id);
      g_assert_true (g_utf8_validate (dataset->title, -1, NULL));
      sl_dataset_free (again);
      sl_dataset_free (dataset);
    }
}

/* Fashion-MNIST is found in the user's data folder; its labels are known. */
static void
test_fashion_folder (void)
{
  g_autofree char *path = g_build_filename (folder, "sluice", "fashion-mnist", NULL);
  g_autofree char *sluice = g_path_get_dirname (path);
  char            *old = folder;
  uint32_t         n = 12;
  uint8_t          label[12] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1 };
  SlDataset       *dataset;
  SlStatus         status;

  empty_folder ();
  g_assert_cmpint (g_mkdir_with_parents (path, 0700), ==, 0);
  g_setenv ("XDG_DATA_HOME", old, TRUE);
  folder = path;
  write_four (12, 6);
  write_bytes ("train-labels-idx1-ubyte", idx (0x801, &n, 1, label, 12));
  status = sl_source_open ("fashion-mnist", &dataset);
  g_assert_cmpint (status.code, ==, SL_OK);
  g_assert_cmpuint (dataset->n[SL_TRAIN], ==, 10);
  g_assert_cmpuint (dataset->classes, ==, 10);
  g_assert_cmpstr (dataset->class_title[9], ==, "Ankle boot");
  g_assert_cmpstr (dataset->id, ==, "fashion-mnist");
  g_assert_cmpstr (dataset->title, ==, "Fashion-MNIST");
  g_assert_cmpstr (sl_source_default (), ==, "fashion-mnist");
  sl_dataset_free (dataset);

  label[7] = 10;
  write_bytes ("train-labels-idx1-ubyte", idx (0x801, &n, 1, label, 12));
  status = sl_source_open ("fashion-mnist", &dataset);
  g_assert_cmpint (status.code, ==, SL_EFORMAT);
  g_assert_cmpint (status.place, ==, SL_RECORD);
  g_assert_cmpuint (status.position, ==, 7);
  g_assert_cmpstr (sl_english (&status.found), ==, "label 10");
  g_assert_cmpstr (sl_english (&status.expected), ==, "a label from 0 to 9");

  empty_folder ();
  g_assert_cmpint (g_rmdir (path), ==, 0);
  g_assert_cmpint (g_rmdir (sluice), ==, 0);
  folder = old;
  g_unsetenv ("XDG_DATA_HOME");
}

/* A path in the folder of real data, or NULL after a skip. */
static char *
shared (const char *name)
{
  const char *base = g_getenv ("SLUICE_SHARED_DATA"), *source = g_getenv ("SLUICE_SOURCE");
  char       *path = base != NULL ? g_build_filename (base, name, NULL)
                                  : g_build_filename (source != NULL ? source : ".", "..", "shared",
                                                "data", name, NULL);

  if (g_file_test (path, G_FILE_TEST_EXISTS))
    return path;
  g_test_skip ("the folder of real data is not here");
  g_free (path);
  return NULL;
}

static void
assert_md5 (const uint8_t *data, size_t size, const char *prefix)
{
  g_autofree char *sum = g_compute_checksum_for_data (G_CHECKSUM_MD5, data, size);

  g_assert_cmpint (strncmp (sum, prefix, strlen (prefix)), ==, 0);
}

/* The md5 of an images file in IDX: its header and what was read. */
static void
assert_images_md5 (const SlDataset *dataset, size_t first, uint32_t n, const char *prefix)
{
  uint32_t dim[3] = { n, dataset->height, dataset->width };
  g_autoptr (GByteArray) bytes
    = idx (0x803, dim, 3, dataset->bytes + first * dataset->features, n * dataset->features);

  assert_md5 (bytes->data, bytes->len, prefix);
}

static void
assert_labels_md5 (const SlDataset *dataset, size_t first, uint32_t n, const char *prefix)
{
  g_autoptr (GByteArray) bytes = idx (0x801, &n, 1, dataset->label + first, n);

  assert_md5 (bytes->data, bytes->len, prefix);
}

static void
test_mnist (void)
{
  static const size_t histogram[10]
    = { 5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949 };
  g_autofree char *path = shared ("mnist");
  size_t           count[10] = { 0 };
  SlDataset       *dataset;

  if (path == NULL)
    return;
  g_assert_cmpint (sl_source_open (path, &dataset).code, ==, SL_OK);
  g_assert_cmpuint (dataset->n[SL_TRAIN], ==, 50000);
  g_assert_cmpuint (dataset->n[SL_VALID], ==, 10000);
  g_assert_cmpuint (dataset->n[SL_TEST], ==, 10000);
  assert_images_md5 (dataset, 0, 60000, "6bbc9ace898e44ae57da46a324031adb");
  for (int i = 0; i < 60000; i++)
    count[dataset->label[i]]++;
  g_assert_cmpmem (count, sizeof count, histogram, sizeof histogram);
  sl_dataset_free (dataset);
}

static void
test_cifar_real (void)
{
  static const uint8_t begin[10] = { 6, 9, 9, 4, 1, 1, 2, 7, 8, 3 };
  g_autofree char     *path = shared ("cifar10/cifar10-lossless-first4000.bin.gz");
  g_autofree uint8_t  *head = NULL;
  SlDataset           *dataset;
  gzFile               file;
  unsigned             found = 0;

  if (path == NULL)
    return;
  g_assert_cmpint (sl_source_open (path, &dataset).code, ==, SL_OK);
  g_assert_cmpuint (dataset->n[SL_TRAIN], ==, 3200);

  /* The split shuffles; the first ten records are somewhere, each with its label. */
  head = g_malloc (10 * 3073);
  file = gzopen (path, "rb");
  g_assert_cmpint (gzread (file, head, 10 * 3073), ==, 10 * 3073);
  gzclose (file);
  for (int r = 0; r < 10; r++)
    {
      g_assert_cmpuint (head[3073 * r], ==, begin[r]);
      for (int i = 0; i < 4000; i++)
        if (memcmp (dataset->bytes + 3072 * i, head + 3073 * r + 1, 3072) == 0)
          {
            g_assert_cmpuint (dataset->label[i], ==, begin[r]);
            found++;
          }
    }
  g_assert_cmpuint (found, ==, 10);
  sl_dataset_free (dataset);
}

/* Nearest neighbour, each against all others: the published figure is 91 %. */
static void
test_faces (void)
{
  g_autofree char *path = shared ("faces/lfw_subset-200x25x25-images-idx3-ubyte.gz");
  SlDataset       *dataset;
  int              right = 0;

  if (path == NULL)
    return;
  g_assert_cmpint (sl_source_open (path, &dataset).code, ==, SL_OK);
  g_assert_cmpuint (dataset->features, ==, 625);
  for (int i = 0; i < 200; i++)
    {
      unsigned least = G_MAXUINT;
      int      nearest = 0;

      for (int j = 0; j < 200; j++)
        {
          unsigned distance = 0;

          for (int k = 0; k < 625; k++)
            {
              int step = dataset->bytes[625 * i + k] - dataset->bytes[625 * j + k];

              distance += (unsigned) (step * step);
            }
          if (j != i && distance < least)
            {
              least = distance;
              nearest = j;
            }
        }
      right += dataset->label[i] == dataset->label[nearest];
    }
  sl_assert_near (right / 200.0, 0.91, 0.0, 0.01);
  sl_dataset_free (dataset);
}

static void
test_fashion (void)
{
  SlDataset *dataset;

  if (!sl_source_find ("fashion-mnist")->available ())
    {
      g_test_skip ("Fashion-MNIST is not installed");
      return;
    }
  g_assert_cmpint (sl_source_open ("fashion-mnist", &dataset).code, ==, SL_OK);
  g_assert_cmpuint (dataset->n[SL_TRAIN], ==, 50000);
  g_assert_cmpuint (dataset->n[SL_VALID], ==, 10000);
  assert_images_md5 (dataset, 0, 60000, "f4a8712d");
  assert_labels_md5 (dataset, 0, 60000, "9018921c");
  assert_images_md5 (dataset, 60000, 10000, "8181f547");
  assert_labels_md5 (dataset, 60000, 10000, "15d48437");
  g_assert_cmpstr (dataset->class_title[0], ==, "T-shirt/top");
  sl_dataset_free (dataset);
}

/* An option that is named as the way out is understood as it stands, and is one. */
static void
test_decimal_advice (void)
{
  static const char *const texts[]
    = { "x;l\n950;a\n1.300;b\n2.100;a\n4.100;b\n", "x;l\n950;a\n1,300;b\n2,100;a\n4,100;b\n" };
  g_autofree char *path = file_path ("signs.csv");

  empty_folder ();
  for (size_t i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      SlDataset       *dataset;
      SlStatus         status;
      const SlAdvice  *way;
      g_autofree char *spec = NULL;

      write_text ("signs.csv", texts[i]);
      status = sl_source_open (path, &dataset);
      g_assert_cmpint (status.code, ==, SL_EFORMAT);
      g_assert_cmpuint (status.n_advice, ==, 2);
      way = &status.advice[1];
      spec = g_strdup_printf ("%s:%s=%s", path, way->option, way->value);
      status = sl_source_open (spec, &dataset);
      g_assert_true (sl_ok (&status));
      sl_dataset_free (dataset);
    }
}

/* What lies beside examples and classes is named. */
static void
test_arrays_beside (void)
{
  static const char head[]
    = "{\"X\":{\"dtype\":\"U8\",\"shape\":[20,2],\"data_offsets\":[0,40]},"
      "\"y\":{\"dtype\":\"U8\",\"shape\":[20],\"data_offsets\":[40,60]},"
      "\"groups\":{\"dtype\":\"U8\",\"shape\":[20],\"data_offsets\":[60,80]}}";
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autofree char *path = file_path ("beside.safetensors");
  uint64_t         n = strlen (head);
  SlDataset       *dataset;
  SlStatus         status;

  g_byte_array_append (bytes, (const guint8 *) &n, sizeof n);
  g_byte_array_append (bytes, (const guint8 *) head, (guint) n);
  for (guint8 i = 0; i < 80; i++)
    g_byte_array_append (bytes, &(guint8) { i < 40 ? i * 7 : i % 2 }, 1);
  empty_folder ();
  write_file ("beside.safetensors", bytes->data, bytes->len);
  status = sl_source_open (path, &dataset);
  g_assert_true (sl_ok (&status));
  g_assert_cmpuint (dataset->reading.n_notes, ==, 1);
  g_assert_nonnull (strstr (dataset->reading.note[0].packed, "groups"));
  sl_dataset_free (dataset);
}

int
main (int argc, char *argv[])
{
  g_autofree char *made = NULL;
  int              result;

  g_test_init (&argc, &argv, NULL);
  made = g_dir_make_tmp ("sluice-readers-XXXXXX", NULL);
  g_assert_nonnull (made);
  /* Data sets are named by canonical paths. */
  folder = realpath (made, NULL);
  g_test_add_func ("/readers/idx/pair", test_idx_pair);
  g_test_add_func ("/readers/arrays-beside", test_arrays_beside);
  g_test_add_func ("/readers/decimal-advice", test_decimal_advice);
  g_test_add_func ("/readers/idx/gzip", test_idx_gzip);
  g_test_add_func ("/readers/idx/colour", test_idx_colour);
  g_test_add_func ("/readers/idx/label-gaps", test_idx_label_gaps);
  g_test_add_func ("/readers/idx/bad-images", test_idx_bad_images);
  g_test_add_func ("/readers/idx/bad-sizes", test_idx_bad_sizes);
  g_test_add_func ("/readers/idx/bad-labels", test_idx_bad_labels);
  g_test_add_func ("/readers/idx/folder", test_idx_folder);
  g_test_add_func ("/readers/idx/pair-folder", test_idx_pair_folder);
  g_test_add_func ("/readers/idx/bad-folder", test_idx_bad_folder);
  g_test_add_func ("/readers/bad-gzip", test_bad_gzip);
  g_test_add_func ("/readers/cifar/file", test_cifar);
  g_test_add_func ("/readers/cifar/folder", test_cifar_folder);
  g_test_add_func ("/readers/cifar/bad", test_cifar_bad);
  g_test_add_func ("/readers/csv/dresses", test_csv_dresses);
  g_test_add_func ("/readers/csv/standardised", test_csv_standardised);
  g_test_add_func ("/readers/csv/row-numbers", test_csv_row_numbers);
  g_test_add_func ("/readers/csv/name", test_csv_name);
  g_test_add_func ("/readers/csv/classes", test_csv_classes);
  g_test_add_func ("/readers/csv/features", test_csv_features);
  g_test_add_func ("/readers/csv/windows", test_csv_windows);
  g_test_add_func ("/readers/csv/bad", test_csv_bad);
  g_test_add_func ("/readers/csv/locale", test_csv_locale);
  g_test_add_func ("/readers/json", test_json);
  g_test_add_func ("/readers/csv/quantity", test_csv_quantity);
  g_test_add_func ("/readers/not-files", test_not_files);
  g_test_add_func ("/readers/unreadable", test_unreadable);
  g_test_add_func ("/readers/strange-names", test_strange_names);
  g_test_add_func ("/readers/fashion-mnist/data-folder", test_fashion_folder);
  g_test_add_func ("/readers/fashion-mnist/real", test_fashion);
  g_test_add_func ("/readers/mnist", test_mnist);
  g_test_add_func ("/readers/cifar/real", test_cifar_real);
  g_test_add_func ("/readers/faces", test_faces);
  result = g_test_run ();
  empty_folder ();
  g_rmdir (folder);
  free (folder);
  return result;
}
