/* SPDX-License-Identifier: MIT
 *
 * Named arrays from files as people have them, and from files made by hand to be hard to read.  */
#include <glib.h>
#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>
#include <zlib.h>

#include "core/data/read/containers/container.h"
#include "core/data/text/bytes.h"
#include "tests/support/folder.h"

static char *folder;

static char *
case_path (const char *name)
{
  return g_build_filename (g_getenv ("SLUICE_SOURCE"), "tests", "fixtures", "files", name, NULL);
}

static SlStatus
open_path (SlArrays *arrays, const char *path)
{
  guint8   head[4096];
  gsize    size = 0;
  SlBytes *bytes;
  SlStatus status = sl_bytes_open (&bytes, path);

  g_assert_true (sl_ok (&status));
  status = sl_bytes_some (bytes, head, sizeof head, &size);
  g_assert_true (sl_ok (&status));
  sl_bytes_close (bytes);
  return sl_arrays_open (arrays, path, sl_container_of (path, head, size), NULL);
}

static void
require_good (const SlStatus *status)
{
  char text[1024];

  if (!sl_ok (status))
    g_error ("%s", sl_status_text (status, text, sizeof text));
}

/* An array's numbers, with its shape in a text: "6x200x16". */
static double *
load (SlArrays *arrays, const char *name, const char *shape)
{
  SlArray *array = sl_arrays_find (arrays, name);
  g_autoptr (GString) found = g_string_new (NULL);
  double  *numbers;
  SlStatus status;

  g_assert_nonnull (array);
  for (unsigned a = 0; a < array->axes; a++)
    g_string_append_printf (found, "%s%" G_GUINT64_FORMAT, a > 0 ? "x" : "", array->shape[a]);
  g_assert_cmpstr (found->str, ==, shape);
  status = sl_array_load (arrays, array);
  require_good (&status);
  numbers = g_new (double, array->n + 1);
  status = sl_array_reals (array, arrays->path, 0, array->n, numbers);
  require_good (&status);
  return numbers;
}

static double *
load_case (const char *file, const char *name, const char *shape)
{
  g_autofree char *path = case_path (file);
  SlArrays         arrays;
  SlStatus         status = open_path (&arrays, path);
  double          *numbers;

  require_good (&status);
  numbers = load (&arrays, name, shape);
  sl_arrays_clear (&arrays);
  return numbers;
}

static void
assert_near (double a, double b, double relative)
{
  g_assert_true (fabs (a - b) <= relative * fabs (b));
}

enum { LAYERS = 6, TOKENS = 200, WIDTH = 16 };

/* One truth in six containers: layers first, tokens first, named, one array a layer, rounded. */
static void
test_numpy (void)
{
  g_autofree double *first = load_case ("01-router-logits-layers-first/stack0.npy", "", "6x200x16");
  g_autofree double *named
    = load_case ("01-router-logits-layers-first/named.npz", "router_logits", "6x200x16");
  g_autofree double *second
    = load_case ("01-router-logits-layers-first/stack1.npy", "", "200x6x16");
  g_autofree double *brain = load_case ("07-bfloat16-npy/v2.npy", "", "200x6x16");

  for (int l = 0; l < LAYERS; l++)
    {
      g_autofree char   *name = g_strdup_printf ("arr_%d", l);
      g_autofree double *layer = load_case ("02-savez-star-layers/logits.npz", name, "200x16");

      for (int t = 0; t < TOKENS; t++)
        for (int e = 0; e < WIDTH; e++)
          {
            double truth = first[(l * TOKENS + t) * WIDTH + e];

            g_assert_true (named[(l * TOKENS + t) * WIDTH + e] == truth);
            g_assert_true (second[(t * LAYERS + l) * WIDTH + e] == truth);
            g_assert_true (layer[t * WIDTH + e] == truth);
            assert_near (brain[(t * LAYERS + l) * WIDTH + e], truth, 1.0 / 128);
          }
    }
}

static JsonNode *
expected (const char *file)
{
  g_autofree char *path = case_path (file);
  g_autoptr (JsonParser) parser = json_parser_new ();

  g_assert_true (json_parser_load_from_file (parser, path, NULL));
  return json_parser_steal_root (parser);
}

static void
test_gguf (void)
{
  g_autoptr (JsonNode) root = expected ("08-imatrix-gguf/expected.json");
  JsonArray *layers = json_node_get_array (root);

  g_assert_cmpuint (json_array_get_length (layers), ==, 4);
  for (guint l = 0; l < json_array_get_length (layers); l++)
    {
      JsonObject        *layer = json_array_get_object_element (layers, l);
      JsonArray         *counts = json_object_get_array_member (layer, "counts");
      g_autofree char   *name = g_strdup_printf ("blk.%u.ffn_gate_exps.weight.counts", l);
      g_autofree double *found = load_case ("08-imatrix-gguf/imatrix.gguf", name, "32x1");

      for (guint e = 0; e < 32; e++)
        g_assert_cmpint ((int) found[e], ==, (int) json_array_get_int_element (counts, e));
    }
}

/* How often each of the two largest of a row is each column. */
static void
count_best (const double *scores, int counts[WIDTH])
{
  memset (counts, 0, WIDTH * sizeof *counts);
  for (int t = 0; t < TOKENS; t++)
    {
      const double *row = scores + t * WIDTH;
      int           best = 0, next = -1;

      for (int e = 1; e < WIDTH; e++)
        if (row[e] > row[best])
          {
            next = best;
            best = e;
          }
        else if (next < 0 || row[e] > row[next])
          next = e;
      counts[best]++;
      counts[next]++;
    }
}

static void
check_counts (JsonNode *truth, int layer, const int counts[WIDTH])
{
  JsonArray *all = json_object_get_array_member (json_node_get_object (truth), "counts");
  JsonArray *row = json_array_get_array_element (all, (guint) layer);

  for (guint e = 0; e < WIDTH; e++)
    g_assert_cmpint (counts[e], ==, (int) json_array_get_int_element (row, e));
}

static void
test_torch (void)
{
  g_autoptr (JsonNode) truth = expected ("23-torch-save/expected.json");
  g_autofree double *archive = load_case ("23-torch-save/router_logits.pt", "", "6x200x16");
  g_autofree double *legacy = load_case ("23-torch-save/legacy.pth", "", "6x200x16");
  g_autofree double *ids = load_case ("23-torch-save/topk_ids.pt", "", "200x6x2");
  g_autofree double *loads
    = load_case ("23-torch-save/expert_distribution_recorder.pt", "logical_count", "6x16");
  g_autofree double *rank = load_case ("23-torch-save/expert_distribution_recorder.pt", "rank", "");

  g_assert_true (rank[0] == 0);
  for (int l = 0; l < LAYERS; l++)
    {
      g_autofree char   *name = g_strdup_printf ("router_logits.%d", l);
      g_autofree double *half = load_case ("23-torch-save/outputs.pt", name, "200x16");
      int                counts[WIDTH] = { 0 };

      for (int t = 0; t < 2 * TOKENS; t++)
        counts[(int) ids[(t / 2 * LAYERS + l) * 2 + t % 2]]++;
      check_counts (truth, l, counts);
      count_best (archive + l * TOKENS * WIDTH, counts);
      check_counts (truth, l, counts);
      for (int i = 0; i < TOKENS * WIDTH; i++)
        {
          g_assert_true (legacy[l * TOKENS * WIDTH + i] == archive[l * TOKENS * WIDTH + i]);
          g_assert_cmpfloat (fabs (half[i] - archive[l * TOKENS * WIDTH + i]), <, 0.01);
        }
      for (int e = 0; e < WIDTH; e++)
        counts[e] = (int) loads[l * WIDTH + e];
      check_counts (truth, l, counts);
    }
}

static void
test_others (void)
{
  g_autofree double *rank
    = load_case ("09-trtllm-expert-statistic/rank1.safetensors", "104_5", "16");
  g_autofree double *labels
    = load_case ("21-idx-variants/labels-int32/train-labels-idx1-ubyte", "idx", "200");
  g_autofree double *pictures
    = load_case ("21-idx-variants/labels-int32/train-images-idx3-ubyte", "idx", "200x8x8");
  g_autofree double *data = load_case ("22-other-collections/digits.npz", "data", "200x64");
  g_autofree double *target = load_case ("22-other-collections/digits.npz", "target", "200");

  g_assert_true (rank[0] == 5 && rank[3] == 21);
  for (int i = 0; i < 200; i++)
    g_assert_true (labels[i] == target[i]);
  for (int i = 0; i < 200 * 64; i++)
    g_assert_true (pictures[i] == data[i]);
}

static char *
write_file (const char *name, const GByteArray *file)
{
  char *path = g_build_filename (folder, name, NULL);

  g_assert_true (g_file_set_contents (path, (const char *) file->data, file->len, NULL));
  return path;
}

static void
put (GByteArray *file, const void *from, gsize n)
{
  g_byte_array_append (file, from, (guint) n);
}

static void
put_text (GByteArray *file, const char *text)
{
  put (file, text, strlen (text));
}

static void
put_number (GByteArray *file, guint64 number, gsize n)
{
  guint64 lowest = GUINT64_TO_LE (number);

  put (file, &lowest, n);
}

/* The failure's sentence has these words. */
static void
assert_refused (const char *path, const char *words)
{
  SlArrays arrays;
  SlStatus status = open_path (&arrays, path);
  char     text[1024];

  for (unsigned i = 0; i < arrays.n && sl_ok (&status); i++)
    status = sl_array_load (&arrays, &arrays.array[i]);
  g_assert_false (sl_ok (&status));
  sl_status_text (&status, text, sizeof text);
  if (strstr (text, words) == NULL)
    g_error ("\"%s\" in: %s", words, text);
  sl_arrays_clear (&arrays);
}

static void
assert_bytes_refused (const char *name, GByteArray *file, const char *words)
{
  g_autofree char *path = write_file (name, file);

  assert_refused (path, words);
}

/* Nothing of a pickle runs. */
static void
test_code (void)
{
  g_autofree char *path = case_path ("23-torch-save/not-a-tensor.pt");

  assert_refused (path, "posix.system");
  g_assert_false (g_file_test ("executed-by-pickle", G_FILE_TEST_EXISTS));
}

static void
put_whole (GByteArray *pickle, guint32 whole)
{
  put_text (pickle, "J");
  put_number (pickle, whole, 4);
}

static void
put_string (GByteArray *pickle, const char *text)
{
  put_text (pickle, "X");
  put_number (pickle, strlen (text), 4);
  put_text (pickle, text);
}

/* A tuple of `n` whole numbers. */
static void
put_tuple (GByteArray *pickle, const guint32 *whole, int n)
{
  put_text (pickle, "(");
  for (int i = 0; i < n; i++)
    put_whole (pickle, whole[i]);
  put_text (pickle, "t");
}

/* A matrix of singles, of which the storage "7" has `count`. */
static void
put_tensor (GByteArray *pickle, guint32 count, guint32 offset, const guint32 shape[2],
            const guint32 stride[2])
{
  put_text (pickle, "ctorch._utils\n_rebuild_tensor_v2\n((");
  put_string (pickle, "storage");
  put_text (pickle, "ctorch\nFloatStorage\n");
  put_string (pickle, "7");
  put_string (pickle, "cpu");
  put_whole (pickle, count);
  put_text (pickle, "NtQ");
  put_whole (pickle, offset);
  put_tuple (pickle, shape, 2);
  put_tuple (pickle, stride, 2);
  put_text (pickle, "\x89"
                    "ccollections\nOrderedDict\n)RtR");
}

/* A legacy file of what `put_object` writes and of six numbers. */
static GByteArray *
legacy (const GByteArray *object)
{
  static const guint8 head[] = "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19."
                               "\x80\x02M\xe9\x03.\x80\x02}.\x80\x02";
  GByteArray         *file = g_byte_array_new ();
  const float         number[] = { 0, 1, 2, 3, 4, 5 };

  put (file, head, sizeof head - 1);
  put (file, object->data, object->len);
  put_text (file, ".\x80\x02](");
  put_string (file, "7");
  put_text (file, "e.");
  put_number (file, G_N_ELEMENTS (number), 8);
  put (file, number, sizeof number);
  return file;
}

static void
test_strides (void)
{
  g_autoptr (GByteArray) object = g_byte_array_new ();
  g_autoptr (GByteArray) file = NULL;
  g_autofree char   *path = NULL;
  g_autofree double *rows = NULL, *columns = NULL;
  SlArrays           arrays;
  SlStatus           status;

  put_text (object, "}(");
  put_string (object, "features.0.weight");
  put_tensor (object, 6, 0, (guint32[]) { 3, 2 }, (guint32[]) { 2, 1 });
  put_string (object, "turned");
  put_tensor (object, 6, 0, (guint32[]) { 3, 2 }, (guint32[]) { 1, 3 });
  put_text (object, "u");
  file = legacy (object);
  path = write_file ("strides.pth", file);
  status = open_path (&arrays, path);
  require_good (&status);
  rows = load (&arrays, "features.0.weight", "3x2");
  columns = load (&arrays, "turned", "3x2");
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 2; j++)
      {
        g_assert_true (rows[2 * i + j] == 2 * i + j);
        g_assert_true (columns[2 * i + j] == i + 3 * j);
      }
  sl_arrays_clear (&arrays);
}

static void
refuse_tensor (guint32 count, guint32 offset, const guint32 shape[2], const guint32 stride[2],
               const char *words)
{
  g_autoptr (GByteArray) object = g_byte_array_new ();
  g_autoptr (GByteArray) file = NULL;

  put_tensor (object, count, offset, shape, stride);
  file = legacy (object);
  assert_bytes_refused ("tensor.pt", file, words);
}

static void
test_places (void)
{
  static const guint32 plain[] = { 3, 2 }, rows[] = { 2, 1 };

  refuse_tensor (6, 1, plain, rows, "beyond the end of their storage");
  refuse_tensor (6, 0, (guint32[]) { 3, 3 }, (guint32[]) { 1, 0 }, "expanded");
  refuse_tensor (6, 0, (guint32[]) { 4, 3 }, (guint32[]) { 1, 1 }, "expanded");
  refuse_tensor (6, 0, (guint32[]) { 0x7fffffff, 0x7fffffff }, rows, "memory can have");
  refuse_tensor (6, 0, plain, (guint32[]) { 0x7fffffff, 1 }, "beyond the end");
  refuse_tensor (6, 0, plain, (guint32[]) { 0xffffffff, 1 }, "unknown way"); /* -1 */
}

static void
refuse_pickle (const char *code, gsize n, const char *words)
{
  g_autoptr (GByteArray) object = g_byte_array_new ();
  g_autoptr (GByteArray) file = NULL;

  put (object, code, n);
  file = legacy (object);
  assert_bytes_refused ("pickle.pt", file, words);
}

#define REFUSE_PICKLE(code, words) refuse_pickle (code, sizeof (code) - 1, words)

static void
test_pickles (void)
{
  g_autoptr (GByteArray) doubled = g_byte_array_new (), many = g_byte_array_new ();

  REFUSE_PICKLE ("cos\nsystem\n", "os.system");
  REFUSE_PICKLE ("\x8c\x08"
                 "builtins\x8c\x04"
                 "eval\x93",
                 "builtins.eval");
  REFUSE_PICKLE ("I1\n", "0x49");
  REFUSE_PICKLE ("]q\x01h\x01"
                 "a",
                 "levels");
  REFUSE_PICKLE ("Nr\xff\xff\xff\x7f", "memory");
  REFUSE_PICKLE ("h\x05", "broken pickle");
  REFUSE_PICKLE ("ta", "broken pickle");
  REFUSE_PICKLE ("(N\x85", "broken pickle");
  REFUSE_PICKLE ("N(\x85", "broken pickle");
  REFUSE_PICKLE ("N\x85", "without tensors");
  REFUSE_PICKLE ("}(X\x01\0\0\0aK\x01X\x01\0\0\0aK\x02u", "same name twice");
  REFUSE_PICKLE ("X\xff\xff\xff\xff", "end of the pickle");
  /* Thirty lists, each of twice the one before: two to the thirtieth. */
  put_text (doubled, "]q");
  put_number (doubled, 0, 1);
  for (guint i = 0; i < 30; i++)
    {
      put_text (doubled, "](h");
      put_number (doubled, i, 1);
      put_text (doubled, "h");
      put_number (doubled, i, 1);
      put_text (doubled, "eq");
      put_number (doubled, i + 1, 1);
    }
  refuse_pickle ((char *) doubled->data, doubled->len, "values within");
  for (int i = 0; i < 200000; i++)
    put_text (many, "N");
  refuse_pickle ((char *) many->data, many->len, "memory");
}

/* Whatever a byte becomes, and wherever the file ends, it is read or refused, and takes little. */
static void
mutate (const char *file, const char *name, gsize first, gsize last, gsize step)
{
  static const guint8 bytes[] = { 0, 1, 0x28, 0x7f, 0x80, 0xff };
  g_autofree char    *from = case_path (file), *to = g_build_filename (folder, name, NULL);
  g_autofree char    *content = NULL;
  gsize               size;
  unsigned            read = 0, refused = 0;

  g_assert_true (g_file_get_contents (from, &content, &size, NULL));
  for (gsize at = first; at < last && at < size; at += step)
    for (gsize b = 0; b <= G_N_ELEMENTS (bytes); b++)
      {
        char     before = content[at];
        SlArrays arrays;
        SlStatus status;

        content[at] = b < G_N_ELEMENTS (bytes) ? (char) bytes[b] : before;
        g_assert_true (
          g_file_set_contents (to, content, (gssize) (b < G_N_ELEMENTS (bytes) ? size : at), NULL));
        content[at] = before;
        status = open_path (&arrays, to);
        for (unsigned i = 0; i < arrays.n && sl_ok (&status); i++)
          sl_array_load (&arrays, &arrays.array[i]);
        g_assert_cmpuint (arrays.used, <=, 2 * arrays.size);
        read += sl_ok (&status);
        refused += !sl_ok (&status);
        sl_arrays_clear (&arrays);
      }
  g_assert_cmpuint (read, >, 0);
  g_assert_cmpuint (refused, >, 0);
}

static void
test_mutations (void)
{
  mutate ("23-torch-save/expert_distribution_recorder.pt", "m.pt", 0, 2000, 3);
  mutate ("08-imatrix-gguf/imatrix.gguf", "m.gguf", 0, 1400, 5);
  mutate ("02-savez-star-layers/ids.npz", "m.npz", 0, 7000, 29);
}

/* A file of GGUF with one tensor. */
static void
refuse_gguf (guint32 version, guint64 pairs, const GByteArray *pair, guint64 extent, guint64 offset,
             guint tensors, const char *words)
{
  g_autoptr (GByteArray) file = g_byte_array_new ();

  put_text (file, "GGUF");
  put_number (file, version, 4);
  put_number (file, tensors, 8);
  put_number (file, pairs, 8);
  if (pair != NULL)
    put (file, pair->data, pair->len);
  for (guint i = 0; i < tensors; i++)
    {
      put_number (file, 1, 8);
      put_text (file, "a");
      put_number (file, 1, 4);
      put_number (file, extent, 8);
      put_number (file, 24, 4); /* bytes */
      put_number (file, offset, 8);
    }
  while (file->len % 64 != 0)
    put_number (file, 0, 1);
  assert_bytes_refused ("a.gguf", file, words);
}

static void
test_bad_gguf (void)
{
  g_autoptr (GByteArray) nested = g_byte_array_new (), odd = g_byte_array_new ();

  refuse_gguf (1, 0, NULL, 1, 0, 1, "GGUF version 1");
  refuse_gguf (0x03000000, 0, NULL, 1, 0, 1, "highest byte first");
  refuse_gguf (3, G_MAXUINT64, NULL, 1, 0, 1, "");
  refuse_gguf (3, 0, NULL, (guint64) 1 << 40, 0, 1, "from byte 64 on of");
  refuse_gguf (3, 0, NULL, (guint64) 1 << 63, 0, 1, "memory can have");
  refuse_gguf (3, 0, NULL, 1, 1, 1, "a multiple of 32");
  refuse_gguf (3, 0, NULL, 1, G_MAXUINT64 - 31, 1, "a multiple of 32");
  refuse_gguf (3, 0, NULL, 1, 0, 2, "same name twice");
  put_number (nested, 1, 8);
  put_text (nested, "k");
  put_number (nested, 9, 4);
  for (int i = 0; i < 20; i++)
    {
      put_number (nested, 9, 4);
      put_number (nested, 1, 8);
    }
  refuse_gguf (3, 1, nested, 1, 0, 1, "levels");
  put_number (odd, 17, 8);
  put_text (odd, "general.alignment");
  put_number (odd, 4, 4);
  put_number (odd, 24, 4);
  refuse_gguf (3, 1, odd, 1, 0, 1, "a power of 2");
}

/* An array of NumPy. */
static GByteArray *
npy (const char *type, const char *order, const char *shape, const void *data, gsize n)
{
  GByteArray      *file = g_byte_array_new ();
  g_autofree char *text
    = g_strdup_printf ("{'descr': %s, 'fortran_order': %s, 'shape': %s, }\n", type, order, shape);

  put_text (file, "\x93NUMPY\x01");
  put_number (file, 0, 1);
  put_number (file, strlen (text), 2);
  put_text (file, text);
  put (file, data, n);
  return file;
}

/* Compresses a file. */
static void
pack (GByteArray *file)
{
  uLong    room = file->len + 1024;
  guint8  *packed = g_malloc (room);
  z_stream z = {
    .next_in = file->data, .avail_in = file->len, .next_out = packed, .avail_out = (uInt) room
  };

  g_assert_cmpint (deflateInit2 (&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), ==, Z_OK);
  g_assert_cmpint (deflate (&z, Z_FINISH), ==, Z_STREAM_END);
  g_byte_array_set_size (file, 0);
  put (file, packed, z.total_out);
  deflateEnd (&z);
  g_free (packed);
}

static void
test_columns_first (void)
{
  static const gint16 number[] = { 0, 10, 1, 11, 2, 12 };
  g_autoptr (GByteArray) file = npy ("'<i2'", "True", "(2, 3)", number, sizeof number);

  for (int i = 0; i < 2; i++)
    {
      g_autofree char   *path = write_file (i == 0 ? "columns.npy" : "columns.npy.gz", file);
      g_autofree double *found = NULL;
      SlArrays           arrays;
      SlStatus           status = open_path (&arrays, path);

      require_good (&status);
      found = load (&arrays, "", "2x3");
      for (int j = 0; j < 6; j++)
        g_assert_true (found[j] == j / 3 * 10 + j % 3);
      sl_arrays_clear (&arrays);
      pack (file);
    }
}

static void
test_types (void)
{
  static const guint32 letters[] = { 'a', 0x263a, 'b', 0, 'a', 0x263a };
  g_autoptr (GByteArray) words = npy ("'<U2'", "False", "(3,)", letters, sizeof letters);
  g_autoptr (GByteArray) eighth = npy ("'|V1'", "False", "(2,)", "ab", 2);
  g_autoptr (GByteArray) objects = npy ("'|O'", "False", "(2,)", "\x80\x04.", 3);
  g_autoptr (GByteArray) record
    = npy ("[('a', '<i4'), ('b]', '<f4', (2,))]", "False", "(2,)", letters, 24);
  g_autofree char   *path = write_file ("words.npy", words);
  g_autofree double *codes = NULL;
  SlArrays           arrays;
  SlStatus           status = open_path (&arrays, path);

  require_good (&status);
  g_assert_cmpint (arrays.array[0].type, ==, SL_ARRAY_TEXTS);
  codes = load (&arrays, "", "3");
  g_assert_true (codes[0] == 0 && codes[1] == 1 && codes[2] == 0);
  g_assert_cmpstr (arrays.array[0].text[0], ==, "a☺");
  g_assert_cmpstr (arrays.array[0].text[1], ==, "b");
  sl_arrays_clear (&arrays);
  assert_bytes_refused ("eighth.npy", eighth, "float8");
  assert_bytes_refused ("objects.npy", objects, "a pickle");
  assert_bytes_refused ("record.npy", record, "no plain numbers");
  pack (record);
  assert_bytes_refused ("record.npy.gz", record, "no plain numbers");
}

/* A byte of the numbers of a .npz changes: its sum says so, whatever it is. */
static void
test_sums (void)
{
  g_autofree char *from = case_path ("02-savez-star-layers/ids.npz"), *content = NULL;
  gsize            size;

  g_assert_true (g_file_get_contents (from, &content, &size, NULL));
  for (gsize at = 300; at < 900; at += 60)
    {
      g_autoptr (GByteArray) file = g_byte_array_new ();

      put (file, content, size);
      file->data[at] ^= 1;
      assert_bytes_refused ("sums.npz", file, "check sum");
    }
}

static void
put_picture (GByteArray *file, const guint8 *labels, gsize n, guint8 pixel)
{
  put (file, labels, n);
  for (int i = 0; i < 3072; i++)
    put_number (file, (guint8) (pixel + i / 1024), 1);
}

static void
test_cifar (void)
{
  g_autoptr (GByteArray) hundred = g_byte_array_new (), bad = g_byte_array_new ();
  g_autofree char   *path = NULL;
  g_autofree double *images = NULL, *fine = NULL, *coarse = NULL;
  SlArrays           arrays;
  SlStatus           status;

  put_picture (hundred, (const guint8[]) { 3, 80 }, 2, 10);
  put_picture (hundred, (const guint8[]) { 19, 99 }, 2, 20);
  path = write_file ("train.bin", hundred);
  status = open_path (&arrays, path);
  require_good (&status);
  images = load (&arrays, "images", "2x3x32x32");
  fine = load (&arrays, "labels", "2");
  coarse = load (&arrays, "coarse", "2");
  g_assert_true (fine[0] == 80 && fine[1] == 99 && coarse[0] == 3 && coarse[1] == 19);
  g_assert_true (images[0] == 10 && images[1023] == 10 && images[3071] == 12 && images[3072] == 20);
  sl_arrays_clear (&arrays);
  put_picture (bad, (const guint8[]) { 20, 80 }, 2, 10);
  assert_bytes_refused ("bad.bin", bad, "CIFAR");
}

static void
test_idx (void)
{
  static const guint8 head[] = { 0, 0, 0x0b, 2, 0, 0, 0, 2, 0, 0, 0, 1, 0xff, 0xfe, 1, 2 };
  g_autoptr (GByteArray) file = g_byte_array_new ();
  g_autofree char   *path = NULL;
  g_autofree double *numbers = NULL;
  SlArrays           arrays;
  SlStatus           status;

  put (file, head, sizeof head);
  path = write_file ("short.idx", file);
  status = open_path (&arrays, path);
  require_good (&status);
  numbers = load (&arrays, "idx", "2x1");
  g_assert_true (numbers[0] == -2 && numbers[1] == 258);
  sl_arrays_clear (&arrays);
  put_number (file, 0, 1);
  assert_bytes_refused ("long.idx", file, "5 bytes of numbers");
  g_byte_array_set_size (file, sizeof head - 1);
  assert_bytes_refused ("cut.idx", file, "the file");
}

/* Bytes go before names, and names count where bytes do not tell. */
static void
test_kinds (void)
{
  static const struct
  {
    const char *name, *head;
    SlContainer container;
  } files[] = {
    { "a.npy", "<html>", SL_CONTAINER_NONE },
    { "a.csv", "<!DOCTYPE html>, a, b", SL_CONTAINER_NONE },
    { "a.npy", "version https://git-lfs.github.com/spec/v1\n", SL_CONTAINER_NONE },
    { "a.csv", "one\ntwo\n", SL_CONTAINER_TABLE },
    { "a.data", "5.1,3.5,Iris-setosa\n", SL_CONTAINER_TABLE },
    { "a.txt", "# a comment, with a comma\n1.0e+00 2 3\n", SL_CONTAINER_TABLE },
    { "a.txt", "Once upon a time, there was a table\n", SL_CONTAINER_NONE },
    { "a", "  {\"a\": 1}", SL_CONTAINER_JSON },
    { "a.bin", "\x80\x02}q", SL_CONTAINER_TORCH },
    { "a.bin", "\x07\x01\x01\x01", SL_CONTAINER_CIFAR },
    { "a.idx", "\x01\x02", SL_CONTAINER_IDX },
    { "a", "", SL_CONTAINER_NONE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    g_assert_cmpint (
      sl_container_of (files[i].name, (const guint8 *) files[i].head, strlen (files[i].head)), ==,
      files[i].container);
}

int
main (int argc, char *argv[])
{
  int code;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("sluice-containers-XXXXXX", NULL);
  g_test_add_func ("/containers/numpy", test_numpy);
  g_test_add_func ("/containers/gguf", test_gguf);
  g_test_add_func ("/containers/torch", test_torch);
  g_test_add_func ("/containers/others", test_others);
  g_test_add_func ("/containers/torch/code", test_code);
  g_test_add_func ("/containers/torch/strides", test_strides);
  g_test_add_func ("/containers/torch/places", test_places);
  g_test_add_func ("/containers/torch/pickles", test_pickles);
  g_test_add_func ("/containers/mutations", test_mutations);
  g_test_add_func ("/containers/gguf/bad", test_bad_gguf);
  g_test_add_func ("/containers/numpy/columns-first", test_columns_first);
  g_test_add_func ("/containers/numpy/types", test_types);
  g_test_add_func ("/containers/numpy/sums", test_sums);
  g_test_add_func ("/containers/cifar", test_cifar);
  g_test_add_func ("/containers/idx", test_idx);
  g_test_add_func ("/containers/kinds", test_kinds);
  code = g_test_run ();
  sl_remove_all (folder);
  g_free (folder);
  return code;
}
