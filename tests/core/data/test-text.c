/* SPDX-License-Identifier: MIT
 *
 * Streams of symbols: alphabets, splits, refusals, the sources of text.  */
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "core/base/rng.h"
#include "core/data/read/bible.h"
#include "core/data/read/stream.h"
#include "core/data/source/source.h"
#include "core/data/text/lzw.h"
#include "core/data/text/words.h"
#include "tests/support/english.h"

static char *folder;

static char *
write_file (const char *name, const void *data, size_t size)
{
  char *path = g_build_filename (folder, name, NULL);

  g_assert_true (g_file_set_contents (path, data, (gssize) size, NULL));
  return path;
}

static SlDataset *
open_spec (const char *spec)
{
  SlDataset *dataset;
  SlStatus   status = sl_source_open (spec, &dataset);
  char       text[512];

  if (!sl_ok (&status))
    g_error ("%s", sl_status_text (&status, text, sizeof text));
  return dataset;
}

static size_t
length_of (const SlDataset *dataset)
{
  return dataset->n[SL_TRAIN] + dataset->n[SL_VALID] + dataset->n[SL_TEST];
}

/* What every stream promises. */
static void
check_stream (const SlDataset *dataset)
{
  size_t n = length_of (dataset);

  g_assert_true (dataset->stream);
  g_assert_true (sl_dataset_kind (dataset) == SL_NEEDS_TEXT);
  g_assert_cmpuint (dataset->features, ==, 1);
  for (size_t i = 0; i < n; i++)
    {
      g_assert_cmpuint (dataset->bytes[i], <, dataset->classes);
      g_assert_cmpuint (dataset->label[i], <, dataset->classes);
      g_assert_true (i + 1 == n || dataset->label[i] == dataset->bytes[i + 1]);
    }
  for (int split = 0; split < SL_N_SPLITS; split++)
    g_assert_cmpuint (dataset->n[split], >, 0);
}

/* The stream and its last label as text. */
static char *
read_back (const SlDataset *dataset)
{
  GString *text = g_string_new (NULL);

  for (size_t i = 0; i < length_of (dataset); i++)
    g_string_append (text, dataset->class_title[dataset->bytes[i]]);
  g_string_append (text, dataset->class_title[dataset->label[length_of (dataset) - 1]]);
  return g_string_free (text, FALSE);
}

static void
expect_text (const char *path, const char *options, unsigned classes, const char *want)
{
  g_autofree char *spec = g_strconcat (path, options, NULL), *got = NULL;
  SlDataset       *dataset = open_spec (spec), *again;

  check_stream (dataset);
  g_assert_cmpuint (dataset->classes, ==, classes);
  got = read_back (dataset);
  g_assert_cmpstr (got, ==, want);
  again = open_spec (dataset->id);
  g_assert_cmphex (again->hash, ==, dataset->hash);
  g_assert_cmpstr (again->id, ==, dataset->id);
  sl_dataset_free (again);
  sl_dataset_free (dataset);
}

static const char prose[] = "It was -- 12 o'clock!\n\nThe CLOCK said so; nobody else did, "
                            "and the door stood open all the while.\n";

static void
test_alphabets (void)
{
  g_autofree char  *text = write_file ("a.txt", prose, sizeof prose - 1);
  g_autofree char  *accents = write_file ("b.txt",
                                          "Übermut tut selten gut, sagt man in Zürich am "
                                           "See und anderswo auch gern.",
                                          75);
  g_autofree char  *raw = write_file ("c.bin", prose, sizeof prose - 1);
  static const char letters[]
    = "it was o clock the clock said so nobody else did and the door stood "
      "open all the while ";
  g_autofree char *own = NULL;
  GString         *bytes = g_string_new (NULL);

  expect_text (text, "", 27, letters);
  expect_text (raw, ":text=letters", 27, letters);
  own = g_strdelimit (g_strdup (prose), "\n", '~');
  {
    g_auto (GStrv) lines = g_strsplit (own, "~", -1);
    g_autofree char *joined = g_strjoinv ("⏎", lines);
    GHashTable      *seen = g_hash_table_new (NULL, NULL);

    for (const char *at = prose; *at != '\0'; at++)
      g_hash_table_add (seen, GINT_TO_POINTER (*at));
    expect_text (raw, ":text=own", g_hash_table_size (seen), joined);
    g_hash_table_unref (seen);
  }
  for (const char *at = prose; *at != '\0'; at++)
    if (*at == '\n')
      g_string_append (bytes, "\\x0a");
    else
      g_string_append_c (bytes, *at);
  expect_text (raw, ":text=bytes", 256, bytes->str);
  g_string_free (bytes, TRUE);
  expect_text (accents, ":text=own", 24,
               "Übermut tut selten gut, sagt man in Zürich am See und "
               "anderswo auch gern.");
}

static void
expect_refusal (const char *name, const void *data, size_t size, const char *options,
                const char *found, const char *expected)
{
  g_autofree char *path = write_file (name, data, size), *spec = g_strconcat (path, options, NULL);
  SlDataset       *dataset;
  SlStatus         status = sl_source_open (spec, &dataset);

  g_assert_cmpint (status.code, ==, SL_EFORMAT);
  g_assert_null (dataset);
  g_assert_cmpstr (sl_english (&status.found), ==, found);
  g_assert_cmpstr (sl_english (&status.expected), ==, expected);
}

static void
test_refused (void)
{
  static const char utf8[] = "text in UTF-8 (text=bytes: any)";
  g_autofree char  *long_text = g_strnfill (200, 'a'), *broken = g_strdup (long_text);
  GString          *many = g_string_new (NULL);

  expect_refusal ("r.txt", "", 0, ":text=bytes", "nothing", "text");
  expect_refusal ("r.txt", "short", 5, "", "5 symbols of 27 kinds", "at least 64 of two kinds");
  expect_refusal ("r.txt", "one", 3, ":text=own", "3 symbols of 3 kinds",
                  "at least 64 of two kinds");
  expect_refusal ("r.txt", long_text, 200, ":text=own", "200 symbols of 1 kind",
                  "at least 64 of two kinds");
  broken[100] = '\xff';
  expect_refusal ("r.txt", broken, 200, "", "the byte 0xff", utf8);
  broken[100] = '\0';
  expect_refusal ("r.txt", broken, 200, ":text=own", "the byte 0x00", utf8);
  for (gunichar c = 0x4e00; c < 0x4e00 + 300; c++)
    g_string_append_unichar (many, c);
  expect_refusal ("r.txt", many->str, many->len, ":text=own", "300 different letters",
                  "at most 256 (text=bytes: any)");
  g_string_free (many, TRUE);
}

static void
test_grammar (void)
{
  SlDataset       *dataset = open_spec ("grammar:length=20000"), *again = open_spec (dataset->id);
  SlDataset       *other = open_spec ("grammar:length=20000,seed=2");
  g_autofree char *text = read_back (dataset);

  check_stream (dataset);
  g_assert_cmpuint (dataset->classes, ==, 27);
  g_assert_cmpuint (length_of (dataset), >, 19900);
  g_assert_cmpuint ((dataset->n[SL_TRAIN] * 100 + 50) / length_of (dataset), ==, 95);
  g_assert_nonnull (strstr (text, " the "));
  g_assert_cmphex (dataset->hash, ==, again->hash);
  g_assert_cmphex (dataset->hash, !=, other->hash);
  sl_dataset_free (dataset);
  sl_dataset_free (again);
  sl_dataset_free (other);
}

static void
test_bible (void)
{
  SlDataset       *dataset;
  g_autofree char *text = NULL;

  if (!sl_source_find ("bible")->available ())
    {
      g_test_skip ("bible-kjv-text is not installed");
      return;
    }
  g_assert_cmpstr (sl_source_default_for (SL_NEEDS_TEXT), ==, "bible");
  dataset = open_spec ("bible");
  check_stream (dataset);
  text = read_back (dataset);
  g_assert_true (g_str_has_prefix (text,
                                   "in the beginning god created the heaven and the earth and "
                                   "the earth was without form and void"));
  g_assert_true (g_str_has_suffix (text, "christ be with you all amen "));
  g_assert_cmpuint (strlen (text), >, 4000000);
  sl_dataset_free (dataset);
}

/* A window of the Bible's file: the codes of "ababababa…" by hand, forgetting in between. */
static void
test_lzw (void)
{
  /* 9 bits each, lowest first: a, b, 257 (ab), 259 (aba), CLEAR, then, in a new group, a, b. */
  static const unsigned codes[] = { 'a', 'b', 257, 259, 256, 'a', 'b' };
  uint8_t               packed[18] = { 0 }, out[64];
  size_t                got;

  for (size_t i = 0; i < G_N_ELEMENTS (codes); i++)
    for (unsigned bit = 0; bit < 9; bit++)
      {
        size_t at = (i < 5 ? 9 * i : 72 + 9 * (i - 5)) + bit;

        packed[at / 8] |= (uint8_t) ((codes[i] >> bit & 1) << at % 8);
      }
  g_assert_true (sl_lzw_expand (packed, sizeof packed, out, sizeof out, &got));
  g_assert_cmpuint (got, >=, 9);
  g_assert_cmpmem (out, 9, "abababaab", 9);
  g_assert_false (sl_lzw_expand (packed, sizeof packed, out, 5, &got));
  packed[0] = 0xff; /* a code that stands for nothing yet */
  packed[1] |= 1;
  g_assert_false (sl_lzw_expand (packed, sizeof packed, out, sizeof out, &got));
}

static void
test_kinds (void)
{
  g_assert_true (sl_data_serves (SL_NEEDS_IMAGES, SL_NEEDS_LABELS));
  g_assert_true (sl_data_serves (SL_NEEDS_PLANE, SL_NEEDS_LABELS));
  g_assert_false (sl_data_serves (SL_NEEDS_TEXT, SL_NEEDS_LABELS));
  g_assert_false (sl_data_serves (SL_NEEDS_IMAGES, SL_NEEDS_TEXT));
  g_assert_false (sl_data_serves (SL_NEEDS_LABELS, SL_NEEDS_PLANE));
  g_assert_true (sl_data_serves (SL_NEEDS_TEXT, SL_NEEDS_NOTHING));
  for (const SlSource *const *source = sl_sources; *source != NULL; source++)
    {
      SlDataset *dataset;

      if ((*source)->available != NULL && !(*source)->available ())
        continue;
      dataset = open_spec ((*source)->id);
      g_assert_true (sl_data_serves (sl_dataset_kind (dataset), (*source)->yields));
      sl_dataset_free (dataset);
    }
}

/* Of a text nineteen twentieths are trained on, of a table eight tenths, when nobody says otherwise; and
 * what is said of one share leaves the other.  */
static void
test_shares (void)
{
  static const struct
  {
    const char *name, *options, *said;
    size_t      n[SL_N_SPLITS];
  } files[] = {
    { "a.txt", "", ":valid=0.04,test=0.01,", { 949, 40, 10 } },
    { "a.txt", ":text=bytes", ":valid=0.04,test=0.01,", { 949, 40, 10 } },
    { "a.txt", ":valid=0.2", ":valid=0.2,test=0.01,", { 789, 200, 10 } },
    { "a.csv", "", ":valid=0.1,test=0.1,", { 200, 25, 25 } },
    { "a.csv", ":test=0.2", ":valid=0.1,test=0.2,", { 175, 25, 50 } },
  };
  g_autoptr (GString) text = g_string_new (NULL), table = g_string_new ("x,y\n");
  g_autofree char *text_path = NULL, *table_path = NULL;

  for (int i = 0; i < 250; i++)
    {
      g_string_append (text, i % 2 == 0 ? "abc " : "bca ");
      g_string_append_printf (table, "%d.5,%d\n", i, i % 3);
    }
  text_path = write_file ("a.txt", text->str, text->len);
  table_path = write_file ("a.csv", table->str, table->len);
  for (size_t i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = g_build_filename (folder, files[i].name, NULL);
      g_autofree char *spec = g_strconcat (path, files[i].options, NULL);
      SlDataset       *dataset = open_spec (spec);

      g_test_message ("%s: %s", spec, dataset->id);
      g_assert_nonnull (strstr (dataset->id, files[i].said));
      for (int split = 0; split < SL_N_SPLITS; split++)
        g_assert_cmpuint (dataset->n[split], ==, files[i].n[split]);
      sl_dataset_free (dataset);
    }
  g_remove (text_path);
  g_remove (table_path);
}

/* ---- words ---- */

/* A text whose three parts are `train`, `valid` and `test`. */
static SlDataset *
parts (SlAlphabet alphabet, const char *train, const char *valid, const char *test)
{
  g_autofree char *text = g_strconcat (train, valid, test, ".", NULL);
  SlSplitting      splitting = { .valid = 0.2, .test = 0.2 };
  SlDraft          draft = { 0 };
  SlDataset       *dataset = NULL;
  SlStatus         status
    = sl_stream_make (&draft, "parts", (uint8_t *) text, strlen (text), alphabet, &splitting);

  g_assert_true (sl_ok (&status));
  status = sl_draft_deliver (&draft, status, "parts", &dataset);
  g_assert_true (sl_ok (&status));
  dataset->n[SL_TRAIN] = strlen (train);
  dataset->n[SL_VALID] = strlen (valid);
  dataset->n[SL_TEST] = strlen (test);
  return dataset;
}

static void
expect_words (const SlWords *words, SlSplit split, const char *want)
{
  g_autoptr (GString) got = g_string_new (NULL);

  for (size_t i = 0; i < words->n[split]; i++)
    g_string_append_printf (got, "%s%s", i > 0 ? "|" : "",
                            words->title[words->symbol[sl_words_first (words, split) + i]]);
  g_assert_cmpstr (got->str, ==, want);
}

static const char long_text[]
  = "the cat, the dog and the cat's tail; the end of it, and the cat. \n"
    "so it goes on and on, the cat and the dog, as ever. \n";

static void
test_words (void)
{
  SlDataset *dataset = parts (SL_ALPHABET_OWN, long_text, "the new dog, and on ", "cat the");
  SlWords    words;
  SlStatus   status = sl_words_read (&words, dataset, 6);

  g_assert_true (sl_ok (&status));
  /* the 7, "," 4, and 4, cat 3, dog 2: the last of equals that were met first. */
  g_assert_cmpuint (words.kinds, ==, 6);
  g_assert_cmpstr (words.title[0], ==, "‹unk›");
  g_assert_cmpstr (words.title[1], ==, "the");
  g_assert_cmpstr (words.title[2], ==, ",");
  g_assert_cmpstr (words.title[3], ==, "and");
  g_assert_cmpstr (words.title[4], ==, "cat");
  expect_words (&words, SL_VALID, "the|‹unk›|dog|,|and|‹unk›");
  expect_words (&words, SL_TEST, "cat|the");
  g_assert_cmpuint (words.unknown[SL_VALID], ==, 2);
  g_assert_cmpuint (words.letters[SL_VALID], ==, dataset->n[SL_VALID]);
  sl_words_clear (&words);

  /* More room than there are words: none is unknown where all were met. */
  status = sl_words_read (&words, dataset, SL_VOCABULARY_MAX);
  g_assert_true (sl_ok (&status));
  g_assert_cmpuint (words.unknown[SL_TRAIN], ==, 0);
  g_assert_cmpuint (words.unknown[SL_VALID], ==, 1);
  expect_words (&words, SL_VALID, "the|‹unk›|dog|,|and|on");
  sl_words_clear (&words);

  status = sl_words_letters (&words, dataset);
  g_assert_true (sl_ok (&status));
  g_assert_cmpuint (words.kinds, ==, dataset->classes);
  expect_words (&words, SL_TEST, "c|a|t| |t|h|e");
  sl_words_clear (&words);
  sl_dataset_free (dataset);
}

/* Texts of one word, of none, and with a part without words. */
static void
test_few_words (void)
{
  g_autofree char *same = g_strnfill (90, 'a'), *blanks = g_strnfill (90, ' ');
  SlDataset       *dataset = parts (
          SL_ALPHABET_LETTERS, "on on on on on on on on on on on on on on on on on on on on on on on ",
          "on on ", "on on off");
  SlWords  words;
  SlStatus status = sl_words_read (&words, dataset, 100);

  g_assert_true (sl_ok (&status));
  g_assert_cmpuint (words.kinds, ==, 2);
  expect_words (&words, SL_TEST, "on|on|‹unk›");
  sl_words_clear (&words);
  sl_dataset_free (dataset);

  dataset = parts (SL_ALPHABET_LETTERS, same, "a b ", "a b");
  status = sl_words_read (&words, dataset, 100);
  g_assert_cmpint (status.code, ==, SL_EUNSUPPORTED);
  sl_dataset_free (dataset);

  dataset = parts (SL_ALPHABET_OWN, long_text, blanks, "a b");
  status = sl_words_read (&words, dataset, 100);
  g_assert_cmpint (status.code, ==, SL_EUNSUPPORTED);
  sl_dataset_free (dataset);
}

int
main (int argc, char **argv)
{
  int result;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("sluice-text-XXXXXX", NULL);
  g_assert_nonnull (folder);
  g_test_add_func ("/text/alphabets", test_alphabets);
  g_test_add_func ("/text/refused", test_refused);
  g_test_add_func ("/text/grammar", test_grammar);
  g_test_add_func ("/text/bible", test_bible);
  g_test_add_func ("/text/lzw", test_lzw);
  g_test_add_func ("/text/kinds", test_kinds);
  g_test_add_func ("/text/shares", test_shares);
  g_test_add_func ("/text/words", test_words);
  g_test_add_func ("/text/few-words", test_few_words);
  result = g_test_run ();
  for (const char *const *name = (const char *const[]) { "a.txt", "b.txt", "c.bin", "r.txt", NULL };
       *name != NULL; name++)
    {
      g_autofree char *path = g_build_filename (folder, *name, NULL);

      g_remove (path);
    }
  g_rmdir (folder);
  g_free (folder);
  return result;
}
