/* SPDX-License-Identifier: MIT
 *
 * The lab `experts-text` as a whole: that it learns, what a baseline beside it changes, costs and sizes
 * by hand, words that an expert gets, texts with next to nothing in them, and what it refuses.  */
#include <glib/gstdio.h>
#include <math.h>

#include "tests/core/labs/lab-run.h"
#include "tests/support/close.h"

static const char text[] = "grammar:length=20000";

#define SMALL "units=12 hidden=8 batch=8 length=10 vocabulary=60 report-every=1 evaluate-every=5 "

static void
begin (Run *run, const char *data, const char *settings)
{
  assert_ok (lab_run_try (run, "experts-text", data, settings));
}

/* From a guess among all words to better than by frequencies, in training and for other words. */
static void
test_learns (void)
{
  Run run;

  begin (&run, text, SMALL "experts=8 k=2 learning-rate=0.01 dropout=0");
  run_steps (&run, 1);
  sl_assert_near (now (&run, "perplexity.train"), 60, 0.25, 0);
  run_steps (&run, 299);
  g_assert_cmpfloat (now (&run, "perplexity.train"), <, now (&run, "perplexity.single"));
  g_assert_cmpfloat (now (&run, "perplexity.valid"), <, 0.5 * now (&run, "perplexity.single"));
  g_assert_cmpfloat (now (&run, "bits.valid"), <, 2);
  g_assert_cmpfloat (score_of (&run, SL_TEST, "perplexity"), <, 30);
  run_clear (&run);
}

/* A baseline beside it changes nothing that the model does, and does what its own run would. */
static void
test_baseline (void)
{
  static const char *const same[]
    = { "perplexity.train", "perplexity.valid", "cv.importance", "cost.executed" };
  Run alone, beside;

  begin (&alone, text, SMALL "experts=6 k=2 matched=2");
  begin (&beside, text, SMALL "experts=6 k=2 matched=2 baseline=wide");
  run_steps (&alone, 20);
  run_steps (&beside, 20);
  for (size_t i = 0; i < G_N_ELEMENTS (same); i++)
    g_assert_cmpfloat (now (&alone, same[i]), ==, now (&beside, same[i]));
  g_assert_false (has (&alone, "perplexity.baseline"));
  g_assert_cmpfloat (now (&beside, "perplexity.baseline"), <, 60);
  /* As many multiplications but for the gate. */
  sl_assert_near (now (&beside, "cost.baseline"),
                  now (&beside, "cost.executed") - 2.0 * 12 * 6 / 1e3, 1e-9, 0);
  run_clear (&alone);
  run_clear (&beside);
}

/* Two recurrent layers of 8 d², experts of 2 d hidden, gates of 2 d n. */
static void
test_sizes (void)
{
  const double d = 12, hidden = 8, n = 6, k = 2;
  Run          run;

  SlProgress progress;

  begin (&run, text, SMALL "experts=6 k=2");
  run_steps (&run, 2);
  /* 80 words each; the letters of the text are about six times as many. */
  sl_trainer_progress (run.trainer, &progress);
  g_assert_cmpfloat (progress.examples, ==, 160);
  g_assert_cmpfloat (progress.epochs, >, 160.0 / 20000 * 4);
  sl_assert_near (1e3 * now (&run, "cost.executed"), 16 * d * d + k * 2 * d * hidden + 2 * d * n,
                  1e-9, 0);
  sl_assert_near (1e3 * score_of (&run, SL_TEST, "operations"),
                  16 * d * d + k * 2 * d * hidden + 2 * d * n, 1e-9, 0);
  sl_assert_near (1e3 * score_of (&run, SL_TEST, "parameters"),
                  2 * (8 * d * d + 4 * d) + n * (2 * d * hidden + hidden + d) + 2 * d * n, 1e-9, 0);
  run_clear (&run);
}

/* The places that an expert gets, the strongest first, each ending with its symbol. */
static void
test_reads (void)
{
  Run run;

  begin (&run, text, SMALL "experts=4 k=2 expert=2");
  run_steps (&run, 30);
  run_probe (&run, "reads");
  g_assert_cmpuint (run.snapshot.rows, ==, 12);
  g_assert_cmpuint (run.snapshot.columns, ==, 1);
  for (unsigned i = 0; i < run.snapshot.rows; i++)
    {
      g_assert_cmpfloat (run.snapshot.data[i], >, 0);
      g_assert_cmpfloat (run.snapshot.data[i], <=, i > 0 ? run.snapshot.data[i - 1] : 1);
    }

  g_auto (GStrv) names = g_strsplit (run.snapshot.row_names, "\n", -1);

  g_assert_cmpuint (g_strv_length (names), ==, 13); /* an empty one behind the last */
  for (unsigned i = 0; i < 12; i++)
    g_assert_true (g_str_has_suffix (names[i], "]"));
  run_clear (&run);
}

/* Writes a text to a file of its own; g_unlink() and g_free(). */
static char *
write_text (const char *word, unsigned times)
{
  g_autoptr (GString) content = g_string_new (NULL);
  char *path = g_strdup_printf ("%s/sluice-text-%d.txt", g_get_tmp_dir (), (int) g_random_int ());

  for (unsigned i = 0; i < times; i++)
    g_string_append (content, word);
  g_assert_true (g_file_set_contents (path, content->str, -1, NULL));
  return path;
}

/* The same word all over is learned at once; a vocabulary of one known word works. */
static void
test_one_word (void)
{
  g_autofree char *path = write_text ("on ", 900);
  Run              run;

  begin (&run, path, SMALL "experts=3 k=1 learning-rate=0.05");
  run_steps (&run, 40);
  sl_assert_near (now (&run, "perplexity.valid"), 1, 0.02, 0);
  g_assert_cmpfloat (score_of (&run, SL_VALID, "error"), ==, 0);
  run_clear (&run);
  g_unlink (path);

  begin (&run, text, SMALL "experts=3 k=2 vocabulary=2");
  run_steps (&run, 10);
  g_assert_cmpfloat (now (&run, "perplexity.valid"), <, 2.5);
  run_clear (&run);
}

static void
expect_refused (const char *data, const char *settings, SlCode code)
{
  Run      run;
  SlStatus status = lab_run_try (&run, "experts-text", data, settings);

  g_assert_cmpint (status.code, ==, code);
  run_clear (&run);
}

static void
test_refused (void)
{
  g_autofree char *path = write_text ("a b ", 40);

  expect_refused (text, SMALL "experts=7 groups=2", SL_EINVAL);
  expect_refused (path, "batch=32 length=20", SL_EUNSUPPORTED);
  g_unlink (path);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/experts-text/learns", test_learns);
  g_test_add_func ("/experts-text/baseline", test_baseline);
  g_test_add_func ("/experts-text/sizes", test_sizes);
  g_test_add_func ("/experts-text/reads", test_reads);
  g_test_add_func ("/experts-text/one-word", test_one_word);
  g_test_add_func ("/experts-text/refused", test_refused);
  return g_test_run ();
}
