/* SPDX-License-Identifier: MIT
 *
 * Tensors from files made by hand: what is read, and what is refused in which words.  */
#include <glib.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "core/data/read/weights.h"
#include "tests/support/close.h"

static char *folder;

/* A file of a header and the bytes behind it. */
static GByteArray *
make (const char *header, const void *data, size_t size)
{
  GByteArray *file = g_byte_array_new ();
  guint64     length = GUINT64_TO_LE (strlen (header));

  g_byte_array_append (file, (const guint8 *) &length, 8);
  g_byte_array_append (file, (const guint8 *) header, (guint) strlen (header));
  g_byte_array_append (file, data, (guint) size);
  return file;
}

static char *
write_plain (const char *name, const GByteArray *file)
{
  char *path = g_build_filename (folder, name, NULL);

  g_assert_true (g_file_set_contents (path, (const char *) file->data, file->len, NULL));
  return path;
}

static char *
write_gzip (const char *name, const GByteArray *file)
{
  char  *path = g_build_filename (folder, name, NULL);
  gzFile out = gzopen (path, "wb");

  g_assert_nonnull (out);
  g_assert_cmpint (gzwrite (out, file->data, file->len), ==, (int) file->len);
  g_assert_cmpint (gzclose (out), ==, Z_OK);
  return path;
}

static SlTensors *
open_good (const char *path, SlTensorWanted *wanted)
{
  SlTensors *tensors;
  SlStatus   status = sl_safetensors_open (&tensors, path, wanted);
  char       text[512];

  if (!sl_ok (&status))
    g_error ("%s", sl_status_text (&status, text, sizeof text));
  return tensors;
}

/* Refused with that code, in a sentence that has `part`. */
static void
check_refused (const char *path, SlTensorWanted *wanted, SlCode code, const char *part)
{
  SlTensors *tensors;
  SlStatus   status = sl_safetensors_open (&tensors, path, wanted);
  char       text[512];

  g_assert_null (tensors);
  g_assert_false (sl_ok (&status));
  sl_status_text (&status, text, sizeof text);
  g_assert_cmpint (status.code, ==, code);
  if (strstr (text, part) == NULL)
    g_error ("\"%s\" is not in: %s", part, text);
}

/* Types, shapes, order, remarks, padding, an escaped name. */
static void
test_types (void)
{
  static const char header[]
    = "{\"__metadata__\":{\"made\":\"by hand \\u00e9\"},"
      "\"w\":{\"dtype\":\"F32\",\"shape\":[2,2],\"data_offsets\":[8,24]},"
      "\"b\\u00e9\\ud83d\\ude00\\/\":{\"shape\":[],\"dtype\":\"F64\",\"data_offsets\":[0,8]},"
      "\"half\":{\"dtype\":\"F16\",\"data_offsets\":[24,38],\"shape\":[7]},"
      "\"brain\" : {\"dtype\":\"BF16\",\"shape\":[1,2,1],\"data_offsets\":[38,42]},"
      "\"none\":{\"dtype\":\"F32\",\"shape\":[3,0],\"data_offsets\":[24,24]}}  ";
  struct __attribute__ ((packed))
  {
    double  d;
    float   f[4];
    guint16 h[7], b[2];
  } data = { -2.5,
             { 1, -2, 0.5f, 3 },
             { 0x3c00, 0xc000, 0x0001, 0x7bff, 0x8000, 0x7c00, 0x3555 },
             { 0x3f80, 0xc040 } };
  const double halves[] = { 1, -2, 5.9604644775390625e-8, 65504, 0 };
  g_autoptr (GByteArray) file = make (header, &data, sizeof data);
  g_autofree char *plain = write_plain ("types.safetensors", file);
  g_autofree char *gzip = write_gzip ("types.safetensors.gz", file);

  g_assert_true (sl_safetensors_likely (file->data, file->len));
  for (int i = 0; i < 2; i++)
    {
      SlTensors      *tensors = open_good (i == 0 ? plain : gzip, NULL);
      const SlTensor *t;

      g_assert_cmpuint (tensors->n, ==, 5);
      g_assert_cmpstr (tensors->subject, ==, i == 0 ? plain : gzip);
      g_assert_null (sl_tensors_find (tensors, "x"));
      t = sl_tensors_find (tensors, "w");
      g_assert_nonnull (t);
      g_assert_cmpuint (t->dims, ==, 2);
      g_assert_cmpuint (t->dim[1], ==, 2);
      sl_assert_close (t->data, (const double[]) { 1, -2, 0.5, 3 }, 4, 0, 0);
      t = sl_tensors_find (tensors, "bé😀/");
      g_assert_nonnull (t);
      g_assert_cmpuint (t->dims, ==, 0);
      g_assert_cmpuint (t->n, ==, 1);
      g_assert_cmpfloat (t->data[0], ==, -2.5);
      t = sl_tensors_find (tensors, "half");
      g_assert_nonnull (t);
      sl_assert_close (t->data, halves, 5, 0, 0);
      g_assert_true (signbit (t->data[4]));
      g_assert_true (isinf (t->data[5]));
      sl_assert_near ((double) t->data[6], 1 / 3.0, 0, 1e-3);
      t = sl_tensors_find (tensors, "brain");
      g_assert_nonnull (t);
      g_assert_cmpuint (t->dims, ==, 3);
      sl_assert_close (t->data, (const double[]) { 1, -3 }, 2, 0, 0);
      t = sl_tensors_find (tensors, "none");
      g_assert_nonnull (t);
      g_assert_cmpuint (t->n, ==, 0);
      sl_tensors_free (tensors);
    }
}

static bool
wants_w (const char *name)
{
  return strcmp (name, "w") == 0;
}

static bool
wants_counter (const char *name)
{
  return strcmp (name, "counter") == 0;
}

/* Whole numbers may lie beside the weights. */
static void
test_wanted (void)
{
  static const char header[]
    = "{\"counter\":{\"dtype\":\"I64\",\"shape\":[],\"data_offsets\":[0,8]},"
      "\"v\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[8,12]},"
      "\"w\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[12,16]}}";
  const float data[] = { 1, 2, 3, 4 };
  g_autoptr (GByteArray) file = make (header, data, sizeof data);
  g_autofree char *path = write_plain ("wanted.safetensors", file);
  SlTensors       *tensors = open_good (path, wants_w);

  g_assert_cmpuint (tensors->n, ==, 1);
  g_assert_cmpfloat (tensors->tensor[0].data[0], ==, 4);
  sl_tensors_free (tensors);
  check_refused (path, wants_counter, SL_EFORMAT, "numbers of another type");
  check_refused (path, NULL, SL_EFORMAT, "\"counter\"");
}

static const struct
{
  const char *header, *part;
} bad[] = {
  { "[]", "a header in JSON" },
  { "{ ", "found the end, expected a key in quotes" },
  { "{}x", "expected nothing more" },
  { "{} {}", "expected nothing more" },
  { "{\"a\":1}", "\"dtype\", \"shape\" and \"data_offsets\"" },
  { "{\"a\":[[[[[[[[[[[[[[[[[[[[[[[[", "too deeply" },
  { "{\"a\":{\"dtype\":{\"dtype\":{}},\"shape\":[2],\"data_offsets\":[0,8]}}", "a type such as" },
  { "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]},}", "a key in quotes" },
  { "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8],}}", "a key in quotes" },
  { "{\"a\":{\"dtype\":\"F32\",\"shape\":[2,],\"data_offsets\":[0,8]}}", "expected a value" },
  { "{\"a\":{\"dtype\":\"F32\",\"shape\":[2]}}", "an entry without all of its keys" },
  { "{\"a\":{\"dtype\":\"F32\",\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}",
    "each key once" },
  { "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8],\"x\":1}}", "another key" },
  { "{\"a\":{\"dtype\":\"F31\",\"shape\":[2],\"data_offsets\":[0,8]}}", "F31" },
  { "{\"a\":{\"dtype\":\"F32\",\"shape\":[-2],\"data_offsets\":[0,8]}}", "dimensions" },
  { "{\"a\":{\"dtype\":\"F32\",\"shape\":[02],\"data_offsets\":[0,8]}}", "found \"2\"" },
  { "{\"a\":{\"dtype\":\"F32\",\"shape\":[2.0],\"data_offsets\":[0,8]}}", "dimensions" },
  { "{\"a\":{\"dtype\":\"F32\",\"shape\":[2e0],\"data_offsets\":[0,8]}}", "dimensions" },
  { "{\"a\":{\"dtype\":\"F32\",\"shape\":[1,1,1,1,1,1,1,1,2],\"data_offsets\":[0,8]}}",
    "more than 8 dimensions" },
  { "{\"a\":{\"dtype\":\"F32\",\"shape\":[18446744073709551618],\"data_offsets\":[0,8]}}", "2^53" },
  { "{\"a\":{\"dtype\":\"F32\",\"shape\":[9007199254740992,4096],\"data_offsets\":[0,8]}}",
    "more numbers than memory" },
  { "{\"a\":{\"dtype\":\"F32\",\"shape\":[0,9007199254740992,4096],\"data_offsets\":[0,0]}}",
    "more numbers than memory" },
  { "{\"a\":{\"dtype\":\"F32\",\"shape\":[3],\"data_offsets\":[0,8]}}", "12 for its shape" },
  { "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[8,0]}}", "backwards" },
  { "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,8]}}", "a gap at offset 0" },
  { "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}", "expected 8" },
  { "{\"a\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[0,16]}}", "16 bytes of numbers" },
  { "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]},"
    "\"b\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,8]}}",
    "an overlap at offset 4" },
  { "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]},"
    "\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,8]}}",
    "each key once" },
  { "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]},"
    "\"\\u0061\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,8]}}",
    "each key once" },
  { "{\"__metadata__\":{},\"__metadata__\":{}}", "each key once" },
  { "{\"__metadata__\":{\"a\":1}}", "texts in" },
  { "{\"\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}", "without a name" },
  { "{\"a\\u0000b\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}",
    "no character with that code" },
  { "{\"a\\ud83d\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}",
    "no character with that code" },
  { "{\"a\\x\":{}}", "after a backslash" },
  { "{\"a\nb\":{}}", "found a new line" },
  { "{\"a\xff\":{}}", "no UTF-8" },
  { "{\"a", "a closing quote" },
};

static void
test_bad_headers (void)
{
  const float data[] = { 1, 2 };

  for (size_t i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GByteArray) file = make (bad[i].header, data, sizeof data);
      g_autofree char *path = write_plain ("bad.safetensors", file);

      check_refused (path, NULL, SL_EFORMAT, bad[i].part);
    }
}

static void
test_lengths (void)
{
  static const char header[] = "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}";
  const float       data[] = { 1, 2 };
  g_autoptr (GByteArray) file = make (header, data, sizeof data);
  guint32          whole = file->len;
  g_autofree char *path = NULL, *gzip = NULL, *bytes = NULL;
  gsize            size;

  /* Every file that ends too early is refused, whatever is missing. */
  for (guint32 cut = 0; cut < whole; cut++)
    {
      SlTensors *tensors;
      SlStatus   status;

      file->len = cut;
      g_free (path);
      path = write_plain ("cut.safetensors", file);
      status = sl_safetensors_open (&tensors, path, NULL);
      g_assert_cmpint (status.code, ==, SL_EFORMAT);
      g_assert_null (tensors);
    }
  file->len = whole;
  g_free (path);

  gzip = write_gzip ("whole.safetensors.gz", file);
  g_assert_true (g_file_get_contents (gzip, &bytes, &size, NULL));
  path = g_build_filename (folder, "cut.safetensors.gz", NULL);
  for (gsize cut = 12; cut < size; cut++)
    {
      g_assert_true (g_file_set_contents (path, bytes, (gssize) cut, NULL));
      check_refused (path, NULL, SL_EFORMAT, "cut.safetensors.gz");
    }
  g_byte_array_append (file, (const guint8 *) "x", 1);
  g_free (gzip);
  gzip = write_gzip ("more.safetensors.gz", file);
  check_refused (gzip, NULL, SL_EFORMAT, "more.safetensors.gz");
  memset (file->data, 0xff, 8);
  g_free (gzip);
  gzip = write_plain ("long.safetensors", file);
  check_refused (gzip, NULL, SL_EFORMAT, "18446744073709551615 bytes");
  check_refused ("/nowhere/net.safetensors", NULL, SL_EIO, "net.safetensors");
}

/* 3 GB of zeros that take no room: refused before memory is taken, unless nobody wants them. */
static void
test_budget (void)
{
  static const char header[]
    = "{\"v\":{\"dtype\":\"BF16\",\"shape\":[1500000000],\"data_offsets\":[0,3000000000]}}";
  g_autoptr (GByteArray) file = make (header, NULL, 0);
  g_autofree char *path = write_plain ("big.safetensors", file);

  g_assert_cmpint (truncate (path, (off_t) file->len + 3000000000), ==, 0);
  check_refused (path, NULL, SL_ENOMEM, "at most 2048 MiB");
  g_assert_cmpint (g_unlink (path), ==, 0);
}

/* A state_dict of torch.save inside of something else: the layers that are wanted, under their own names. */
static void
test_state_dict (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("SLUICE_SOURCE"), "tests", "fixtures",
                                            "files", "weights", "state-dict.pth", NULL);
  SlTensors       *tensors;
  const SlTensor  *weight, *bias;
  SlStatus         status = sl_weights_open (&tensors, path, sl_tensor_is_image_layer);

  g_assert_true (sl_ok (&status));
  g_assert_cmpuint (tensors->n, ==, 2);
  weight = sl_tensors_find (tensors, "features.0.weight");
  bias = sl_tensors_find (tensors, "features.0.bias");
  g_assert_cmpuint (weight->dims, ==, 4);
  g_assert_cmpuint (weight->dim[0], ==, 2);
  g_assert_cmpuint (weight->dim[3], ==, 3);
  for (size_t i = 0; i < 18; i++)
    g_assert_true (weight->data[i] == (sl_real) i / 4);
  g_assert_true (bias->data[0] == (sl_real) 0.5 && bias->data[1] == -1);
  sl_tensors_free (tensors);
  g_assert_true (sl_weights_likely (path, sl_tensor_is_image_layer));
}

int
main (int argc, char **argv)
{
  GError *error = NULL;
  GDir   *dir;
  int     result;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("sluice-tensors-XXXXXX", &error);
  g_assert_no_error (error);
  g_test_add_func ("/safetensors/types", test_types);
  g_test_add_func ("/safetensors/wanted", test_wanted);
  g_test_add_func ("/safetensors/bad-headers", test_bad_headers);
  g_test_add_func ("/safetensors/lengths", test_lengths);
  g_test_add_func ("/safetensors/budget", test_budget);
  g_test_add_func ("/safetensors/state-dict", test_state_dict);
  result = g_test_run ();

  dir = g_dir_open (folder, 0, NULL);
  for (const char *name; (name = g_dir_read_name (dir)) != NULL;)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_unlink (path);
    }
  g_dir_close (dir);
  g_rmdir (folder);
  g_free (folder);
  return result;
}
