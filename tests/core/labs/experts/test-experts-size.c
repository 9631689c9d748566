/* SPDX-License-Identifier: MIT
 *
 * The lab `experts` at its ends: one expert, all of them for every example, a thousand, and more than
 * memory holds.  */
#include <glib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/core/labs/lab-run.h"
#include "tests/support/close.h"
#include "tests/support/english.h"

static void
run_init (Run *run, const char *data, const char *words)
{
  assert_ok (lab_run_try (run, "experts", data, words));
}

/* Elements that a row stands for: few, and rather so many that all rows have as many. */
static void
test_spans (void)
{
  static const struct
  {
    unsigned n, rows, span;
  } cases[] = { { 64, 64, 1 },    { 65, 64, 2 }, { 66, 64, 2 },   { 128, 64, 2 }, { 1000, 64, 20 },
                { 1024, 64, 16 }, { 5, 0, 1 },   { 997, 64, 16 }, { 1, 64, 1 } };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      unsigned span = sl_layout_span (cases[i].n, cases[i].rows);

      g_assert_cmpuint (span, ==, cases[i].span);
      if (cases[i].rows > 0)
        g_assert_cmpuint ((cases[i].n + span - 1) / span, <=, cases[i].rows);
    }
}

/* With one expert there is nothing to choose: it has everything, and the gate learns nothing. */
static void
test_alone (void)
{
  Run     run;
  SlSpan  weights;
  sl_real gate = 0;

  run_init (&run, "moons:points=300",
            "experts=1 k=2 hidden=5 batch=50 report-every=1 learning-rate=0.02");
  run_steps (&run, 60);
  sl_assert_near (now (&run, "usage.load.1"), 1.0, 0, 1e-6);
  sl_assert_near (now (&run, "cv.hard"), 0.0, 0, 0);
  sl_assert_near (now (&run, "cv.importance"), 0.0, 0, 0);
  sl_assert_near (now (&run, "loss.importance"), 0.0, 0, 0);
  sl_assert_near (now (&run, "loss.load"), 0.0, 0, 0);
  sl_assert_near (now (&run, "effective.effective"), 1.0, 0, 1e-6);
  weights = sl_trainer_weights (run.trainer);
  for (size_t i = 0; i < 2 * 2; i++) /* Wg and Wnoise, which the layer's numbers begin with */
    gate += weights.data[i] * weights.data[i];
  sl_assert_near ((double) gate, 0.0, 0, 0);
  g_assert_cmpfloat (now (&run, "loss.task"), <, log (2.0));
  run_clear (&run);
}

/* A thousand: rows of ranges, whose means are those of all experts, and a set for each example. */
static void
test_many (void)
{
  Run    run;
  double sum = 0.0, share = 0.0;
  SlCell cells[2] = { 0 };

  run_init (&run, "moons:points=300", "experts=1024 k=3 hidden=4 batch=50 report-every=1");
  run_steps (&run, 12);
  for (int row = 0; row < 64; row++)
    {
      g_autofree char *id = g_strdup_printf ("usage.load.%d-%d", 16 * row + 1, 16 * row + 16);

      sum += now (&run, id);
    }
  sl_assert_near (sum, 64.0, 0, 1e-4);
  g_assert_cmpint (sl_layout_find (sl_trainer_layout (run.trainer), "usage.load.1"), <, 0);
  g_assert_cmpfloat (now (&run, "effective.used"), <=, 150.0);
  g_assert_cmpfloat (now (&run, "effective.used"), >, 3.0);

  run_probe (&run, "classes");
  g_assert_cmpuint (run.snapshot.rows, ==, 64);
  g_assert_cmpuint (run.snapshot.span, ==, 16);
  g_assert_true (g_str_has_prefix (run.snapshot.row_names, "1–16\n17–32\n"));
  g_assert_nonnull (strstr (sl_english (&run.snapshot.note), "gets most"));
  for (unsigned r = 0; r < run.snapshot.rows; r++)
    for (unsigned c = 0; c < run.snapshot.columns; c++)
      share += run.snapshot.data[r * run.snapshot.columns + c];
  g_assert_cmpfloat (share, >, 0.0);
  sl_assert_near (share, round (share), 0, 1e-9);

  sl_state_map (sl_trainer_state (run.trainer), (sl_real[]) { 0, 0, 0, 0 }, 2, cells);
  g_assert_cmpuint (cells[0].active, ==, 3);
  g_assert_cmpuint (cells[0].pattern, ==, cells[1].pattern);
  g_assert_cmpuint (cells[0].pattern >> SL_CELL_HASH, ==, 1);
  run_clear (&run);
}

static void
test_all_of_many (void)
{
  Run run;

  run_init (&run, "moons:points=300", "experts=200 k=1024 hidden=2 batch=10 report-every=1");
  run_steps (&run, 3);
  sl_assert_near (now (&run, "usage.load.1-4"), 1.0, 0, 1e-6);
  sl_assert_near (now (&run, "usage.load.197-200"), 1.0, 0, 1e-6);
  run_clear (&run);
}

/* More than memory holds is refused, and the message says how many would fit. */
static void
test_budget (void)
{
  char             text[512];
  Run              run;
  SlStatus         status;
  unsigned         fits = 0;
  g_autofree char *words = NULL;

  status = lab_run_try (&run, "experts", "moons:points=300", "experts=1000 hidden=512 budget=2");
  g_assert_cmpint (status.code, ==, SL_ENOMEM);
  sl_status_text (&status, text, sizeof text);
  g_assert_nonnull (strstr (text, "1000 experts of 2-512-1"));
  g_assert_nonnull (strstr (text, "MiB"));
  g_assert_nonnull (strstr (text, "as set: "));
  g_assert_cmpint (sscanf (strstr (text, "as set: "), "as set: %u experts", &fits), ==, 1);
  run_clear (&run);
  words = g_strdup_printf ("experts=%u hidden=512 budget=2", fits);
  run_init (&run, "moons:points=300", words);
  run_clear (&run);
  g_free (words);
  words = g_strdup_printf ("experts=%u hidden=512 budget=2", fits + 1);
  status = lab_run_try (&run, "experts", "moons:points=300", words);
  g_assert_cmpint (status.code, ==, SL_ENOMEM);
  run_clear (&run);
}

/* The gate value that a caption ends with. */
static double
value_of (const char *caption)
{
  const char *end = strchr (caption, '\n');

  g_assert_nonnull (end);
  while (end[-1] != ' ')
    end--;
  return g_ascii_strtod (end, NULL);
}

/* What an expert gets: pictures, strongest first, with the class in the caption; of points a list. */
static void
test_strongest (void)
{
  Run         run;
  const char *caption;
  double      before = 1.0;

  run_init (&run, "digits:images=2000", "experts=4 k=2 hidden=8 batch=100 expert=2");
  run_probe (&run, "strongest");
  g_assert_cmpuint (run.snapshot.tiles, ==, 0);
  run_steps (&run, 200);
  run_probe (&run, "strongest");
  g_assert_true (g_str_has_prefix (sl_english (&run.snapshot.note), "Expert 2 gets "));
  g_assert_cmpuint (run.snapshot.tiles, ==, 24);
  g_assert_cmpuint (run.snapshot.depth, ==, 3);
  g_assert_cmpuint (run.snapshot.rows, ==, 28);
  caption = run.snapshot.names;
  for (unsigned i = 0; i < run.snapshot.tiles; i++, caption = strchr (caption, '\n') + 1)
    {
      g_assert_cmpfloat (value_of (caption), <=, before);
      g_assert_cmpfloat (value_of (caption), >, 0.0);
      before = value_of (caption);
    }
  g_assert_cmpstr (caption, ==, "");
  run_clear (&run);

  run_init (&run, "moons:points=300", "experts=3 k=2 hidden=8 batch=50 expert=1024");
  run_steps (&run, 50);
  run_probe (&run, "strongest");
  g_assert_cmpuint (run.snapshot.tiles, ==, 0);
  g_assert_nonnull (strstr (sl_english (&run.snapshot.note), "Expert 3 gets "));
  run_clear (&run);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/experts-size/spans", test_spans);
  g_test_add_func ("/experts-size/alone", test_alone);
  g_test_add_func ("/experts-size/many", test_many);
  g_test_add_func ("/experts-size/all-of-many", test_all_of_many);
  g_test_add_func ("/experts-size/budget", test_budget);
  g_test_add_func ("/experts-size/strongest", test_strongest);
  return g_test_run ();
}
