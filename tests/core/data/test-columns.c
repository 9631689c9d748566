/* SPDX-License-Identifier: MIT
 *
 * Tables and JSON as columns, and labelled examples made of them, by value.  */
#include <glib.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "core/data/read/examples.h"
#include "tests/support/english.h"
#include "tests/support/folder.h"

static char *folder;

static char *
case_path (const char *name)
{
  return g_build_filename (g_getenv ("SLUICE_SOURCE"), "tests", "fixtures", "files", name, NULL);
}

static char *
write_text (const char *name, const char *text, gssize size)
{
  char *path = g_build_filename (folder, name, NULL);

  g_assert_true (g_file_set_contents (path, text, size, NULL));
  return path;
}

static void
show_number (GString *text, const SlArray *array, const char *path, uint64_t i)
{
  SlStatus status;
  double   number;
  uint32_t code;

  if (array->type == SL_ARRAY_TEXTS)
    {
      memcpy (&code, array->bytes + 4 * i, sizeof code);
      g_string_append_printf (text, " %s", code == SL_NO_TEXT ? "-" : array->text[code]);
      return;
    }
  status = sl_array_reals (array, path, i, 1, &number);
  g_assert_true (sl_ok (&status));
  g_string_append_printf (text, isnan (number) ? " -" : " %.15g", number);
}

/* "a:n1[2x3] 1 2 3 4 5 6 {1@0 1@1}": name, type and bytes, shape, numbers, pieces and records; an array a line. */
static char *
show (const SlArrays *arrays)
{
  static const char *const types[] = { "i", "n", "r", "b", "t", "w", "o", "p" };
  GString                 *text = g_string_new (NULL);

  for (unsigned i = 0; i < arrays->n; i++)
    {
      const SlArray *array = &arrays->array[i];

      g_string_append_printf (text, "%s%s:%s%u[", i > 0 ? "\n" : "", array->name,
                              types[array->type], array->size);
      for (unsigned a = 0; a < array->axes; a++)
        g_string_append_printf (text, "%s%d", a > 0 ? "x" : "", (int) array->shape[a]);
      g_string_append (text, "]");
      for (uint64_t k = 0; k < array->n && array->bytes != NULL; k++)
        show_number (text, array, arrays->path, k);
      for (size_t p = 0; p < array->pieces; p++)
        g_string_append_printf (text, " %s%u@%u%s", p == 0 ? "{" : "", array->piece[p],
                                array->record[p], p + 1 == array->pieces ? "}" : "");
      if (array->missing > 0)
        g_string_append_printf (text, " missing %d", (int) array->missing);
    }
  return g_string_free (text, FALSE);
}

/* ---- tables ---- */

static char *
show_table (const char *path, const SlTableForm *form)
{
  SlArrays arrays;
  SlStatus status;
  char     text[1024], *shown;

  sl_arrays_init (&arrays, path);
  status = sl_table_open (&arrays, path, form);
  g_assert_cmpstr (sl_ok (&status) ? "" : sl_status_text (&status, text, sizeof text), ==, "");
  g_assert_true (arrays.columns);
  shown = show (&arrays);
  sl_arrays_clear (&arrays);
  return shown;
}

static void
test_table (void)
{
  static const struct
  {
    const char *text, *shown;
  } cases[] = {
    { "a,b\n1,2\n3,255\n", "a:n1[2] 1 3\nb:n1[2] 2 255" },
    { "a,b\n1,-2\n256,3000000000\n", "a:i4[2] 1 256\nb:i8[2] -2 3000000000" },
    { "a,b\n1,0.5\n,2e3\n", "a:r8[2] 1 - missing 1\nb:r8[2] 0.5 2000" },
    { "a,b\n?,1\nNA,2\nn/a,3\n#N/A,4\n<NA>,5\nNaN,6\nnull,7\nNone,8\n9,9\n",
      "a:r8[9] - - - - - - - - 9 missing 8\nb:n1[9] 1 2 3 4 5 6 7 8 9" },
    { "a,b\n1,2\n1.50,x\n,x\n", "a:r8[3] 1 1.5 - missing 1\nb:w4[3] 2 x x" },
    { "a,b\nx,1\n,2\nx,3\n7.50,4\n", "a:w4[4] x - x 7.5 missing 1\nb:n1[4] 1 2 3 4" },
    { "x;y\n0,69;-0,92\n1;2\n", "x:r8[2] 0.69 1\ny:r8[2] -0.92 2" },
    { "sep=;\nx;y\n0.5;1\n", "x:r8[1] 0.5\ny:n1[1] 1" },
    { "1\t2\r\n3\t4\r\n", ":n1[2] 1 3\n:n1[2] 2 4" },
    { " 1.5e+00  2 3\n 4 5\t6\n", ":r8[2] 1.5 4\n:n1[2] 2 5\n:n1[2] 3 6" },
    { "# x y\n0.5 1\n2 3\n", "x:r8[2] 0.5 2\ny:n1[2] 1 3" },
    { "\n# made today\n\na,b\n# no\n1,2\n", "a:n1[1] 1\nb:n1[1] 2" },
    { "a,b,\n1,2,\n3,4,\n", "a:n1[2] 1 3\nb:n1[2] 2 4" },
    { "\"x\" \"y\"\n\"1\" 5 a\n\"2\" 6 b\n", ":n1[2] 1 2\nx:n1[2] 5 6\ny:w4[2] a b" },
    { "\"a \"\"b\"\"\nc\",d\n1,\"x\ny, z\"\n", "a \"b\"?c:n1[1] 1\nd:w4[1] x\ny, z" },
    { "a,b\r1,2\r", "a:n1[1] 1\nb:n1[1] 2" },
    { ",a\n0,5\n1,6\n", ":n1[2] 0 1\na:n1[2] 5 6" },
    { "a,b\n1,2\n3,4\n5", "a:n1[2] 1 3\nb:n1[2] 2 4" },
    { "a,b\n123456789012345678,0.1\n007,1e-320\n",
      "a:i8[2] 1.23456789012346e+17 7\nb:r8[2] 0.1 9.99988867182683e-321" },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = write_text ("t.csv", cases[i].text, -1);
      g_autofree char *shown = show_table (path, NULL);

      g_assert_cmpstr (shown, ==, cases[i].shown);
    }
}

/* What a table does not tell can be said. */
static void
test_table_form (void)
{
  g_autofree char *path = write_text ("t.csv", "junk\n1,5;2,5\n3,5;4,5\n", -1);
  g_autofree char *semicolons
    = show_table (path, &(SlTableForm) { .skip = 1, .separator = ';', .decimal = ',' });
  g_autofree char *headed = show_table (path, &(SlTableForm) { .skip = 1, .header = 1 });
  g_autofree char *few = show_table (path, &(SlTableForm) { .skip = 1, .most = 12 });

  g_assert_cmpstr (semicolons, ==, ":r8[2] 1.5 3.5\n:r8[2] 2.5 4.5");
  g_assert_cmpstr (headed, ==, "1,5:r8[1] 3.5\n2,5:r8[1] 4.5");
  g_assert_cmpstr (few, ==, ":r8[1] 1.5\n:r8[1] 2.5");
}

static void
test_table_wide (void)
{
  static const char *const codes[] = { "UTF-16LE", "UTF-16BE" };
  static const char        text[] = "\xef\xbb\xbfL\xc3\xa4nge;\xf0\x9f\x98\x80\n1;2\n";

  for (unsigned i = 0; i < 2; i++)
    {
      gsize            size;
      g_autofree char *wide = g_convert (text, -1, codes[i], "UTF-8", NULL, &size, NULL);
      g_autofree char *path = write_text ("t.csv", wide, (gssize) size);
      g_autofree char *shown = show_table (path, NULL);

      g_assert_cmpstr (shown, ==, "L\xc3\xa4nge:n1[1] 1\n\xf0\x9f\x98\x80:n1[1] 2");
    }
}

/* Beyond 65,536 different texts a column is known by its name alone. */
static void
test_table_many_texts (void)
{
  g_autoptr (GString) text = g_string_new ("a,b\n");
  g_autofree char *path = NULL;
  SlArrays         arrays;
  SlStatus         status;

  for (unsigned i = 0; i < 65537; i++)
    g_string_append_printf (text, "w%u,w%u\n", i, i % 65536);
  path = write_text ("t.csv", text->str, -1);
  sl_arrays_init (&arrays, path);
  status = sl_table_open (&arrays, path, &(SlTableForm) { .header = 1 });
  g_assert_true (sl_ok (&status));
  g_assert_cmpint (arrays.array[0].type, ==, SL_ARRAY_OTHER);
  g_assert_cmpint (arrays.array[1].type, ==, SL_ARRAY_TEXTS);
  g_assert_cmpuint (arrays.array[0].n, ==, 65537);
  g_assert_cmpuint (arrays.array[1].n_texts, ==, 65536);
  sl_arrays_clear (&arrays);
}

/* ---- JSON ---- */

static char *
show_json (const char *text, size_t most)
{
  g_autofree char *path = write_text ("t.json", text, -1);
  SlArrays         arrays;
  SlStatus         status;
  char             words[1024], *shown;

  sl_arrays_init (&arrays, path);
  status = sl_json_arrays_open (&arrays, path, most);
  shown = sl_ok (&status)
            ? show (&arrays)
            : g_strdup (strstr (sl_status_text (&status, words, sizeof words), ".json")
                        + strlen (".json"));
  sl_arrays_clear (&arrays);
  return shown;
}

static const char npy_2_3[]
  = "{\"a\": \"k05VTVBZAQA2AHsnZGVzY3InOid8dTEnLCdmb3J0cmFuX29yZGVyJzpGYWxzZSwnc2hhcGUnOigyLDMp"
    "LH0gCgECAwQFBg==\"}";

static void
test_json (void)
{
  static const struct
  {
    const char *text, *shown;
  } cases[] = {
    { "{\"topk_ids\": [3, 300], \"layer\": 3, \"req_id\": \"r1\", \"w\": [0.5, 1]}\n"
      "{\"layer\": 4, \"topk_ids\": [1], \"req_id\": \"r1\", \"w\": [2, null]}\n",
      "topk_ids:i4[2x2] 3 300 1 -1\nlayer:n1[2] 3 4\nreq_id:w4[2] r1 r1\nw:r8[2x2] 0.5 1 2 - "
      "missing 1" },
    { "{\"top_indices\": [[1, 2], [3, 4]], \"layer\": 3}\n{\"layer\": 4}\n"
      "{\"top_indices\": [[5, 6]], \"layer\": 5}\n",
      "top_indices:n1[3x2] 1 2 3 4 5 6 {2@0 0@1 1@2}\nlayer:n1[3] 3 4 5" },
    { "{\"logical_count\": [[1, 2], [3, 4], [5, 6]]}", "logical_count:n1[3x2] 1 2 3 4 5 6 {3@0}" },
    { "{\n\"epoch\": 3.0, \"best\": null,\n\"log\": [{\"loss\": 1.5, \"step\": 10},\n"
      "{\"step\": 20, \"eval\": NaN}]\n}\n",
      "epoch:r8[1] 3\nbest:r8[1] - missing 1\nlog.loss:r8[2] 1.5 - {1@0 1@0} missing 1\n"
      "log.step:n1[2] 10 20 {1@0 1@0}\nlog.eval:r8[2] - - {1@0 1@0} missing 2" },
    { "[{\"p\": [[1]], \"c\": [{\"e\": [[2]]}, {\"e\": [[3], [4]]}]}, {\"p\": [], \"c\": [{}]}]",
      "p:n1[1x1] 1 {1@0 0@1}\nc.e:n1[3x1] 2 3 4 {1@0 2@0 0@1}" },
    { "{\"a\": {\"b\": {\"c\": true}}, \"d\": [\"x\", \"\\u00e4\\ud83d\\ude00\\n\"]}",
      "a.b.c:t1[1] 1\nd:w4[1x2] x \xc3\xa4\xf0\x9f\x98\x80\n" },
    { "{\"a\": {\"data\": \"AQAAAAIAAAADAAAABAAAAA==\", \"shape\": [2, 2], \"dtype\": \"int32\"}}",
      "a:n1[2x2] 1 2 3 4 {2@0}" },
    { npy_2_3, "a:n1[2x3] 1 2 3 4 5 6 {2@0}" },
    { "{\"a\": 1}\n{\"a\": [2]}\n{\"a\": \"x\"}\n", "a:o1[3]" },
    { "{\"a\": [[1], [2, 3]]}\n", "a:i4[2x2] 1 -1 2 3 {2@0}" },
    { "{\"a\": [[[1], [2]], [[3]]]}\n", "a:o1[1]" },
    { "{\"a\": 1}\n{\"a\": -300}\n{\"a\": 0.5}\n{\"a\": \"x\"}\n{}\n",
      "a:w4[5] 1 -300 0.5 x - missing 1" },
    { "{\"a\": 1}\n\n{\"a\": 2}\n{\"a\": 3", "a:n1[2] 1 2" },
    { "{\"c\": []}\n{\"c\": [{\"i\": 7}]}\n", "c.i:n1[1] 7 {1@1}" },
    { "[[1, 2], [3, 4]]", ":n1[2x2] 1 2 3 4 {2@0}" },
    { "{\"a\": 1, \"a\": 2}", ", line 1: found \"a\" twice, expected each member once" },
    { "{\"a\": 1}\n{\"a\" 2}\n{}\n", ", line 2: found \"2}\", expected JSON, no deeper than 64" },
    { "{\"a\":\n 1,,}", ", byte 9: found \",}\", expected JSON, no deeper than 64" },
    { "{\"a\": {\"data\": \"AQAA\", \"shape\": [2, 2], \"dtype\": \"int32\"}}",
      ", line 1: found data of another size than its shape and dtype, expected base 64 of all "
      "numbers" },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *shown = show_json (cases[i].text, 0);

      g_assert_cmpstr (shown, ==, cases[i].shown);
    }
}

static void
test_json_deep (void)
{
  g_autofree char *open = g_strnfill (100000, '['), *shown = NULL;
  g_autoptr (GString) text = g_string_new (NULL);

  shown = show_json (open, 0);
  g_assert_nonnull (strstr (shown, "no deeper than 64"));
  g_free (shown);
  for (unsigned i = 0; i < 100000; i++)
    g_string_append (text, "{\"a\":");
  shown = show_json (text->str, 0);
  g_assert_nonnull (strstr (shown, "no deeper than 64"));
}

/* The beginning of a document tells what it is. */
static void
test_json_head (void)
{
  g_autofree char *document = show_json ("{\n\"a\": 1,\n\"b\": [1, 2], \"c\": [3, 4]}", 27);
  g_autofree char *lines = show_json ("{\"a\": 1}\n{\"a\": 2}\n{\"a\": 3}\n", 10);

  g_assert_cmpstr (document, ==, "a:n1[1] 1\nb:n1[1x2] 1 2\nc:r8[1] - missing 1");
  g_assert_cmpstr (lines, ==, "a:n1[2] 1 2");
}

/* ---- examples ---- */

static SlStatus
open_examples (const char *file, const char *class, SlMissing missing, SlDraft *draft)
{
  g_autofree char *path = g_path_is_absolute (file) ? g_strdup (file) : case_path (file);

  return sl_examples_open (path, NULL,
                           &(SlExampleOptions) { .class_column = class,
                                                 .missing = missing,
                                                 .standardise = true,
                                                 .splitting = { 0.1, 0.1, 1 } },
                           draft);
}

/* Opens a table, if need be by following the advice literally. */
static SlDataset *
open_advised (const char *file, unsigned advice, unsigned *asked)
{
  char class[64] = "";
  SlMissing missing = SL_MISSING_REFUSE;
  SlDraft   draft;
  SlStatus  status = open_examples (file, class, missing, &draft);

  for (*asked = 0; !sl_ok (&status) && *asked < 4; (*asked)++)
    {
      const SlAdvice *way = &status.advice[advice];

      g_assert_cmpuint (status.n_advice, >, advice);
      if (strcmp (way->option, "missing") == 0)
        missing = strcmp (way->value, "drop") == 0 ? SL_MISSING_DROP : SL_MISSING_REFUSE;
      else
        g_strlcpy (class, way->value, sizeof class);
      status = open_examples (file, class, missing, &draft);
    }
  g_assert_true (sl_ok (&status));
  return sl_draft_finish (&draft);
}

static size_t
count (const SlDataset *data)
{
  return data->n[SL_TRAIN] + data->n[SL_VALID] + data->n[SL_TEST];
}

/* Every note together. */
static char *
notes_of (const SlDataset *data)
{
  GString *text = g_string_new (NULL);
  char     shown[1024];

  g_string_append (text, sl_message_show (data->reading.said.packed, NULL, shown, sizeof shown));
  for (unsigned i = 0; i < data->reading.n_notes; i++)
    g_string_append_printf (
      text, "\n%s", sl_message_show (data->reading.note[i].packed, NULL, shown, sizeof shown));
  return g_string_free (text, FALSE);
}

static void
test_examples_cases (void)
{
  static const struct
  {
    const char *file;
    size_t      n;
    unsigned    features, classes, asked;
    const char *note;
  } cases[] = {
    { "10-class-first-no-heading/spect-like.csv", 267, 22, 2, 1, "class: column 1" },
    { "11-row-numbers-as-feature/pandas-index-label.csv", 300, 4, 3, 0, "column 1" },
    { "11-row-numbers-as-feature/without-index.csv", 300, 4, 3, 0, "\"species\"" },
    { "12-decimal-comma/excel-de.csv", 120, 3, 2, 0, "decimal comma" },
    { "12-decimal-comma/one-feature-no-heading.csv", 120, 1, 2, 0, "decimal comma" },
    { "12-decimal-comma/sep-line.csv", 120, 2, 2, 0, "\"label\"" },
    { "12-decimal-comma/utf16.csv", 120, 2, 2, 0, "UTF-16" },
    { "13-missing-values/NA.csv", 117, 2, 2, 1, "3 rows" },
    { "13-missing-values/class-question-mark.csv", 117, 2, 2, 1, "3 rows" },
    { "13-missing-values/adult-like.csv", 134, 3, 2, 1, "66 rows" },
    { "14-blanks-and-tabs/comment-lines.csv", 120, 2, 2, 0, "\"label\"" },
    { "14-blanks-and-tabs/savetxt.txt", 120, 3, 2, 0, "column 4" },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      unsigned         asked;
      SlDataset       *data = open_advised (cases[i].file, 0, &asked);
      g_autofree char *notes = notes_of (data);

      g_assert_cmpuint (count (data), ==, cases[i].n);
      g_assert_cmpuint (data->features, ==, cases[i].features);
      g_assert_cmpuint (data->classes, ==, cases[i].classes);
      g_assert_cmpuint (asked, ==, cases[i].asked);
      g_assert_nonnull (strstr (notes, cases[i].note));
      sl_dataset_free (data);
    }
}

/* Two files of one truth. */
static void
test_examples_same (void)
{
  static const char *const pairs[][2] = {
    { "11-row-numbers-as-feature/pandas-index-label.csv",
      "11-row-numbers-as-feature/without-index.csv" },
    { "12-decimal-comma/sep-line.csv", "14-blanks-and-tabs/comment-lines.csv" },
    { "12-decimal-comma/sep-line.csv", "12-decimal-comma/utf16.csv" },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (pairs); i++)
    {
      unsigned   asked;
      SlDataset *one = open_advised (pairs[i][0], 0, &asked);
      SlDataset *other = open_advised (pairs[i][1], 0, &asked);

      g_assert_cmphex (one->hash, ==, other->hash);
      sl_dataset_free (one);
      sl_dataset_free (other);
    }
}

/* A table of pixels has a picture's sides; bytes stay bytes, in the order of the rows. */
static void
test_examples_pictures (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *path = NULL;
  unsigned         asked;
  SlDataset       *data = open_advised ("10-class-first-no-heading/pictures-kaggle.csv", 0, &asked);

  g_assert_cmpuint (data->width, ==, 8);
  g_assert_cmpuint (data->height, ==, 8);
  g_assert_cmpuint (data->channels, ==, 1);
  g_assert_cmpuint (data->classes, ==, 3);
  g_assert_cmpuint (asked, ==, 0);
  sl_dataset_free (data);

  /* Three colours a pixel, no heading, the class first: planes afterwards. */
  for (unsigned i = 0; i < 60; i++)
    {
      g_string_append_printf (text, "%u", i % 2);
      for (unsigned p = 0; p < 64; p++)
        g_string_append_printf (text, ",%u,%u,%u", 2 * p, 200, i * 7 % 60);
      g_string_append_c (text, '\n');
    }
  path = write_text ("t.csv", text->str, -1);
  data = open_advised (path, 0, &asked);
  g_assert_cmpuint (data->width, ==, 8);
  g_assert_cmpuint (data->channels, ==, 3);
  g_assert_nonnull (data->bytes);
  for (size_t i = 0; i < 60; i++)
    {
      const uint8_t *picture = data->bytes + 192 * i;

      for (unsigned p = 0; p < 64; p++)
        g_assert_cmpuint (picture[p], ==, 2 * p);
      g_assert_cmpuint (picture[64], ==, 200);
      g_assert_cmpuint (picture[127], ==, 200);
      g_assert_cmpuint (picture[128] * 43 % 60 % 2, ==, data->label[i]);
      g_assert_cmpuint (picture[191], ==, picture[128]);
    }
  sl_dataset_free (data);
}

static void
test_examples_words (void)
{
  g_autoptr (GString) text = g_string_new ("colour,name,same,x,group\n");
  g_autofree char *path = NULL, *notes = NULL;
  unsigned         asked;
  SlDataset       *data;

  for (unsigned i = 0; i < 40; i++)
    g_string_append_printf (text, "%s,n%u,7,%g,%s\n", i % 3 == 0 ? "red" : "green", i, i * 0.5,
                            i % 2 == 0 ? "a" : "b");
  path = write_text ("t.csv", text->str, -1);
  data = open_advised (path, 1, &asked);
  notes = notes_of (data);
  g_assert_cmpuint (asked, ==, 1);
  g_assert_cmpuint (data->features, ==, 4);
  g_assert_cmpstr (data->class_title[1], ==, "b");
  g_assert_cmpstr (data->feature_title[0], ==, "colour=red");
  g_assert_cmpstr (data->feature_title[1], ==, "colour=green");
  g_assert_nonnull (strstr (notes, "\"name\" (40)"));
  g_assert_nonnull (strstr (notes, "the same in all rows: \"same\""));
  for (size_t i = 0; i < 40; i++)
    g_assert_true ((data->values[4 * i] > 0) != (data->values[4 * i + 1] > 0));
  sl_dataset_free (data);
}

/* A quantity is no class; the column that may be one is named, and the advice works. */
static void
test_examples_quantity (void)
{
  g_autoptr (GString) text = g_string_new ("x,group,price\n");
  g_autofree char *path = NULL;
  unsigned         asked;
  SlDataset       *data;
  SlDraft          draft;
  SlStatus         status;

  for (unsigned i = 0; i < 90; i++)
    g_string_append_printf (text, "%g,%u,%g\n", i * 0.37, i % 3, i * 1.25);
  path = write_text ("t.csv", text->str, -1);
  status = open_examples (path, "price", SL_MISSING_REFUSE, &draft);
  g_assert_cmpint (status.code, ==, SL_EFORMAT);
  status = open_examples (path, "none", SL_MISSING_REFUSE, &draft);
  g_assert_cmpint (status.code, ==, SL_EFORMAT);
  status = open_examples (path, "4", SL_MISSING_REFUSE, &draft);
  g_assert_cmpint (status.code, ==, SL_EFORMAT);
  data = open_advised (path, 0, &asked);
  g_assert_cmpuint (asked, ==, 1);
  g_assert_cmpuint (data->classes, ==, 3);
  g_assert_cmpuint (data->features, ==, 2);
  sl_dataset_free (data);
}

/* Numbers of which none comes twice are no classes. */
static void
test_examples_distinct (void)
{
  g_autofree char *path = write_text ("t.csv", "1,2.5,0\n2,3.5,1\n3,1.5,0\n7,2.5,1\n", -1);
  unsigned         asked;
  SlDataset       *data = open_advised (path, 0, &asked);

  g_assert_cmpuint (asked, ==, 0);
  g_assert_cmpuint (data->classes, ==, 2);
  g_assert_null (data->class_title);
  sl_dataset_free (data);
}

/* Words of which none comes twice are names, not classes, where no heading says so; the same words twice are. */
static void
test_examples_names (void)
{
  for (unsigned times = 1; times <= 2; times++)
    {
      g_autoptr (GString) text = g_string_new ("a,b,who\n");
      g_autofree char *path = NULL;
      SlDraft          draft;
      SlStatus         status;

      for (unsigned i = 0; i < 30 * times; i++)
        g_string_append_printf (text, "%g,%g,n%u\n", i * 0.37, i * 1.25, i / times);
      path = write_text ("t.csv", text->str, -1);
      status = open_examples (path, "", SL_MISSING_REFUSE, &draft);
      if (times == 1)
        g_assert_cmpstr (sl_english (&status.found), ==, "another word in each row of \"who\"");
      g_assert_true (sl_ok (&status) == (times == 2));
      if (sl_ok (&status))
        sl_draft_clear (&draft);
    }
}

int
main (int argc, char *argv[])
{
  int code;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("sluice-columns-XXXXXX", NULL);
  g_assert_nonnull (folder);
  g_test_add_func ("/columns/table", test_table);
  g_test_add_func ("/columns/table-form", test_table_form);
  g_test_add_func ("/columns/table-wide", test_table_wide);
  g_test_add_func ("/columns/table-many-texts", test_table_many_texts);
  g_test_add_func ("/columns/json", test_json);
  g_test_add_func ("/columns/json-deep", test_json_deep);
  g_test_add_func ("/columns/json-head", test_json_head);
  g_test_add_func ("/columns/examples-cases", test_examples_cases);
  g_test_add_func ("/columns/examples-same", test_examples_same);
  g_test_add_func ("/columns/examples-pictures", test_examples_pictures);
  g_test_add_func ("/columns/examples-words", test_examples_words);
  g_test_add_func ("/columns/examples-distinct", test_examples_distinct);
  g_test_add_func ("/columns/examples-names", test_examples_names);
  g_test_add_func ("/columns/examples-quantity", test_examples_quantity);
  code = g_test_run ();
  sl_remove_all (folder);
  g_free (folder);
  return code;
}
