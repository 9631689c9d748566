/* SPDX-License-Identifier: MIT
 *
 * Runs that are compared: intervals and differences of means against numbers by hand and sums of their own, and what is
 * fair: groups, splits, data, lengths, what is left out, and what is said of it.  */
#include <math.h>
#include <string.h>

#include "core/base/student.h"
#include "core/labs/registry.h"
#include "core/run/compare/baseline.h"
#include "core/run/compare/gap.h"
#include "core/run/query/setting.h"
#include "tests/core/run/made-run.h"
#include "tests/support/english.h"

/* ---- means ---- */

/* The share of t's distribution below, by Simpson's rule over its density. */
static double
below (double t, double freedom)
{
  enum { STEPS = 20000 };
  double scale = exp (lgamma ((freedom + 1) / 2) - lgamma (freedom / 2)) / sqrt (freedom * G_PI),
         sum = 0;

  for (int i = 0; i <= STEPS; i++)
    {
      double x = t * i / STEPS;

      sum += pow (1 + x * x / freedom, -(freedom + 1) / 2)
             * (i == 0 || i == STEPS ? 1
                : i % 2              ? 4
                                     : 2);
    }
  return 0.5 + scale * sum * t / STEPS / 3;
}

static void
test_quantile (void)
{
  /* Of tables. */
  static const double known[][3]
    = { { 0.975, 1, 12.706204736 }, { 0.975, 2, 4.302652730 }, { 0.975, 4, 2.776445105 },
        { 0.975, 11, 2.200985160 }, { 0.95, 7, 1.894578605 },  { 0.975, 1e6, 1.959966350 } };

  for (size_t i = 0; i < G_N_ELEMENTS (known); i++)
    {
      g_assert_cmpfloat_with_epsilon (sl_student_quantile (known[i][0], known[i][1]), known[i][2],
                                      1e-8);
      g_assert_cmpfloat_with_epsilon (sl_student_quantile (1 - known[i][0], known[i][1]),
                                      -known[i][2], 1e-8);
    }
  for (double freedom = 1.5; freedom < 50; freedom *= 1.7)
    g_assert_cmpfloat_with_epsilon (below (sl_student_quantile (0.975, freedom), freedom), 0.975,
                                    1e-9);
  g_assert_cmpfloat_with_epsilon (sl_student_quantile (0.5, 3), 0, 1e-9);
  for (int i = 0; i < 4; i++)
    g_assert_true (
      isnan (sl_student_quantile ((const double[]) { 0, 1, NAN, 0.5 }[i], i == 3 ? 0 : 2)));
}

static void
test_means (void)
{
  const double   value[] = { 2, NAN, 5, 4, INFINITY, 9 };
  const unsigned group[] = { 0, 0, 1, 0, 2, 0 };
  SlMean         mean[3] = { { 7, 7, 7, 7 }, { 7, 7, 7, 7 }, { 7, 7, 7, 7 } };

  sl_mean_groups (value, group, G_N_ELEMENTS (value), mean, 3);
  g_assert_cmpuint (mean[0].n, ==, 3);
  g_assert_cmpfloat (mean[0].mean, ==, 5);
  g_assert_cmpfloat_with_epsilon (mean[0].sd, sqrt (13), 1e-12); /* (9 + 1 + 16) ÷ 2 */
  g_assert_cmpfloat_with_epsilon (mean[0].half, 4.302652730 * sqrt (13.0 / 3), 1e-8);
  g_assert_cmpuint (mean[1].n, ==, 1);
  g_assert_cmpfloat (mean[1].mean, ==, 5);
  g_assert_cmpfloat (mean[1].sd, ==, 0);
  g_assert_true (isnan (mean[1].half));
  g_assert_cmpuint (mean[2].n, ==, 0);
  g_assert_true (isnan (mean[2].mean) && isnan (mean[2].half));
}

/* Welch's own form, with its degrees of freedom written out. */
static void
test_gap (void)
{
  const SlMean a = { 5, 10, 2, NAN }, b = { 3, 14, 0.5, NAN }, one = { 1, 3, 0, NAN },
               still = { 4, 12, 0, 0 };
  double u = 4.0 / 5, v = 0.25 / 3, freedom = (u + v) * (u + v) / (u * u / 4 + v * v / 2);
  SlGap  gap = sl_gap (&a, &b);

  g_assert_cmpfloat (gap.value, ==, 4);
  g_assert_cmpfloat_with_epsilon (gap.freedom, freedom, 1e-12);
  g_assert_cmpfloat_with_epsilon (below (gap.half / sqrt (u + v), freedom), 0.975, 1e-9);
  g_assert_true (sl_gap_is_clear (&gap));
  gap = sl_gap (&b, &a);
  g_assert_true (gap.value == -4 && sl_gap_is_clear (&gap));
  gap = sl_gap (&a, &one);
  g_assert_cmpfloat (gap.value, ==, -7);
  g_assert_true (isnan (gap.half));
  g_assert_false (sl_gap_is_clear (&gap));
  /* Two that do not spread differ for sure, or not at all. */
  gap = sl_gap (&still, &still);
  g_assert_true (gap.half == 0 && !sl_gap_is_clear (&gap));
  gap = sl_gap (&still, &(SlMean) { 2, 12.5, 0, 0 });
  g_assert_true (gap.half == 0 && sl_gap_is_clear (&gap));
}

/* ---- comparisons ---- */

typedef struct
{
  GPtrArray *runs; /* of SlStoreRun, owned */
  SlTrade    trade;
} Made;

static SlStoreRun *
add (Made *made, const char *settings, uint64_t seed, double executed, double test, double valid)
{
  SlStoreRun *run = made_run ("experts", settings, NAN, "");

  g_free (run->name);
  run->name = g_strdup_printf ("run %u", made->runs->len + 1);
  g_snprintf (run->uuid, sizeof run->uuid, "%08u", made->runs->len);
  run->created = made->runs->len;
  run->seed = seed;
  run->step = 100;
  run->valid_at = NAN;
  run->colour = 1;
  made_figure (run, "outcome.executed", executed);
  if (!isnan (test))
    made_figure (run, "test.error", test);
  if (!isnan (valid))
    made_figure (run, "valid.error", valid);
  g_ptr_array_add (made->runs, run);
  return run;
}

static void
begin (Made *made)
{
  made->runs = g_ptr_array_new_with_free_func ((GDestroyNotify) sl_store_run_free);
}

static SlTrade *
settle (Made *made, const SlTradeView *view)
{
  sl_trade_clear (&made->trade);
  sl_trade_init (&made->trade, sl_lab_find ("experts"));
  for (guint i = 0; i < made->runs->len; i++)
    sl_trade_add (&made->trade, g_ptr_array_index (made->runs, i), i);
  sl_trade_settle (&made->trade, view);
  return &made->trade;
}

static void
end (Made *made)
{
  sl_trade_clear (&made->trade);
  g_ptr_array_unref (made->runs);
}

static const char *
said (const SlTrade *trade)
{
  static char packed[SL_TRADE_SAID];

  return sl_english_text (sl_trade_say (trade, packed, sizeof packed));
}

/* Seeds of one setting are one point; validation chooses the front of test errors. */
static void
test_front (void)
{
  Made           made = { 0 };
  const SlTrade *trade;

  begin (&made);
  for (unsigned seed = 1; seed <= 2; seed++)
    {
      add (&made, "k=1", seed, 10, 20 + seed, 30 - seed); /* cheap */
      add (&made, "k=2", seed, 20, 18 + seed, 31);        /* better on test, worse on validation */
      add (&made, "k=4", seed, 30, 19 + seed, 25 + seed);
    }
  trade = settle (&made, &(SlTradeView) { 0 });
  g_assert_cmpuint (trade->points->len, ==, 3);
  g_assert_true (trade->frontier && trade->validated);
  g_assert_true (sl_trade_point (trade, 0)->best && sl_trade_point (trade, 2)->best);
  g_assert_false (sl_trade_point (trade, 1)->best);
  g_assert_cmpfloat (sl_trade_point (trade, 0)->y.mean, ==, 21.5);
  g_assert_cmpfloat_with_epsilon (sl_trade_point (trade, 0)->y.half, 12.706204736 * 0.5, 1e-7);
  g_assert_cmpstr (
    said (trade), ==,
    "Means of 2 runs; bars and ±: 95 % intervals. Validation errors choose the front.");
  g_assert_cmpstr (sl_english_text (sl_trade_y (trade).label), ==, "test error");
  end (&made);

  /* Without validation errors the test errors themselves do. */
  made = (Made) { 0 };
  begin (&made);
  add (&made, "k=1", 1, 10, 20, NAN);
  add (&made, "k=2", 1, 20, 18, 3);
  trade = settle (&made, &(SlTradeView) { 0 });
  g_assert_false (trade->validated);
  g_assert_true (sl_trade_point (trade, 0)->best && sl_trade_point (trade, 1)->best);
  g_assert_cmpstr (
    said (trade), ==,
    "Each point is one run. Test errors choose the front: some runs have no validation error.");
  end (&made);
}

/* Test and validation errors are never on one axis; a test error of an earlier update is none. */
static void
test_split (void)
{
  Made           made = { 0 };
  SlStoreRun    *run;
  const SlTrade *trade;

  begin (&made);
  add (&made, "k=1", 1, 10, 20, 21);
  add (&made, "k=2", 1, 20, NAN, 19);
  add (&made, "k=4", 1, 30, NAN, 18);
  trade = settle (&made, &(SlTradeView) { 0 });
  g_assert_cmpint (trade->split, ==, SL_TRADE_VALIDATION);
  g_assert_cmpfloat (sl_trade_run (trade, 0)->y, ==, 21);
  g_assert_cmpstr (sl_english_text (sl_trade_y (trade).label), ==, "validation error");
  g_assert_cmpuint (trade->part[SL_TRADE_IN], ==, 3);
  end (&made);

  made = (Made) { 0 };
  begin (&made);
  run = add (&made, "k=1", 1, 10, 20, NAN);
  add (&made, "k=2", 1, 20, 19, NAN);
  add (&made, "k=4", 1, 30, 18, NAN);
  run->status = SL_RUN_PAUSED;
  made_figure (run, "scored.test", 60);
  trade = settle (&made, &(SlTradeView) { 0 });
  g_assert_cmpint (trade->split, ==, SL_TRADE_TEST);
  g_assert_cmpint (sl_trade_run (trade, 0)->part, ==, SL_TRADE_NO_Y);
  g_assert_cmpstr (said (trade), ==,
                   "Each point is one run. Left out: 1 of 3 runs, without “test error”. "
                   "Test errors choose the front: some runs have no validation error.");
  /* Nor are other test scores of that update. */
  for (guint i = 0; i < 3; i++)
    made_figure (g_ptr_array_index (made.runs, i), "test.violation", 1);
  trade = settle (&made, &(SlTradeView) { .x = "test.violation" });
  g_assert_cmpint (sl_trade_run (trade, 0)->part, ==, SL_TRADE_NO_X);
  g_assert_cmpuint (trade->part[SL_TRADE_IN], ==, 2);
  /* While it goes on, its last evaluation counts. */
  run->status = SL_RUN_RUNNING;
  trade = settle (&made, &(SlTradeView) { .x = "test.violation" });
  g_assert_cmpuint (trade->part[SL_TRADE_IN], ==, 3);
  trade = settle (&made, &(SlTradeView) { 0 });
  g_assert_cmpint (sl_trade_run (trade, 0)->part, ==, SL_TRADE_IN);
  end (&made);
}

static SlRunScore *
figure_of (SlStoreRun *run, const char *name)
{
  unsigned i = 0;

  while (!g_str_equal (run->figure[i].name, name))
    i++;
  return &run->figure[i];
}

/* What has no time, diverged or was pruned has no part, and is counted; lengths are said. */
static void
test_left_out (void)
{
  Made           made = { 0 };
  const SlTrade *trade;

  begin (&made);
  for (unsigned i = 0; i < 6; i++)
    {
      SlStoreRun *run = add (&made, i % 2 ? "k=2" : "k=1", 1 + i / 2, 10, 20, 20);

      if (i > 1)
        made_figure (run, "outcome.timed", 50.0 + i);
      made_figure (run, "outcome.timed-batch", 64);
      run->step = 100 * (i + 1);
    }
  ((SlStoreRun *) g_ptr_array_index (made.runs, 4))->status = SL_RUN_DIVERGED;
  trade = settle (&made, &(SlTradeView) { .x = "timed" });
  g_assert_cmpuint (trade->part[SL_TRADE_IN], ==, 3);
  g_assert_cmpuint (trade->part[SL_TRADE_NO_X], ==, 2);
  g_assert_cmpuint (trade->part[SL_TRADE_DIVERGED], ==, 1);
  g_assert_cmpuint (sl_trade_point (trade, 0)->n, ==, 2);
  g_assert_cmpuint (sl_trade_point (trade, 0)->diverged, ==, 1);
  g_assert_cmpfloat (sl_trade_point (trade, 0)->x.mean, ==, 52);
  g_assert_cmpstr (sl_english_text (sl_trade_x (trade).label), ==,
                   "time of a forward pass (batch 64)");
  /* Of several batches, or where one is not known, none is said. */
  for (unsigned other = 0; other < 2; other++)
    {
      SlRunScore *batch = figure_of (g_ptr_array_index (made.runs, 2), "outcome.timed-batch");

      batch->value = other ? NAN : 32;
      trade = settle (&made, &(SlTradeView) { .x = "timed" });
      g_assert_cmpstr (sl_english_text (sl_trade_x (trade).label), ==, "time of a forward pass");
      batch->value = 64;
    }
  ((SlStoreRun *) g_ptr_array_index (made.runs, 2))->status = SL_RUN_PRUNED;
  trade = settle (&made, &(SlTradeView) { .x = "timed" });
  g_assert_cmpuint (trade->part[SL_TRADE_PRUNED], ==, 1);
  g_assert_nonnull (strstr (said (trade), " Diverged: 1 of 6 runs. Pruned: 1 of 6 runs. "));
  g_assert_cmpuint (sl_trade_point (trade, 0)->n, ==, 1);
  g_assert_cmpuint (sl_trade_point (trade, 0)->x.n, ==, 0);
  g_assert_true (g_str_has_prefix (said (trade), "Means of 2 runs;")); /* of the other point */
  ((SlStoreRun *) g_ptr_array_index (made.runs, 2))->status = SL_RUN_FINISHED;
  g_assert_null (strstr (said (settle (&made, &(SlTradeView) { .x = "timed" })), "Pruned"));
  trade = settle (&made, &(SlTradeView) { .x = "timed" });
  g_assert_cmpuint (sl_trade_point (trade, 0)->x.n, ==, 1);
  g_assert_cmpfloat (sl_trade_point (trade, 0)->x.mean, ==, 52);
  g_assert_cmpstr (
    said (trade), ==,
    "Means of 1 to 2 runs; bars and ±: 95 % intervals. "
    "Left out: 2 of 6 runs, without “time of a forward pass (batch 64)”. Diverged: 1 of 6 runs. "
    "Validation errors choose the front. Runs of 300 to 600 updates.");
  end (&made);
}

/* Any two numbers, by any field; what is no cost and error has no front. */
static void
test_axes (void)
{
  Made             made = { 0 };
  const SlTrade   *trade;
  SlField          field;
  g_autofree char *first = NULL, *second = NULL, *run = NULL;

  begin (&made);
  for (unsigned i = 0; i < 8; i++)
    {
      g_autofree char *settings
        = g_strdup_printf ("gate=%s k=%u", i < 4 ? "noisy" : "bias", 1 + i / 2 % 2);

      made_figure (add (&made, settings, 1 + i % 2, 10, 20 + i, 20), "test.violation", 0.5 * i);
    }
  g_assert_true (sl_field_find ("gate", made.runs, &field));
  trade = settle (&made, &(SlTradeView) { .x = "test.violation", .group = &field });
  g_assert_false (trade->frontier);
  g_assert_cmpuint (trade->points->len, ==, 2);
  g_assert_cmpfloat (sl_trade_point (trade, 1)->x.mean, ==, 2.75);
  g_assert_cmpstr (said (trade), ==,
                   "Means of 4 runs; bars and ±: 95 % intervals. A group has up to 2 settings.");
  g_assert_cmpstr (sl_english_text (sl_trade_x (trade).label), ==,
                   "largest load ÷ mean − 1 (MaxVio), test");
  first = sl_trade_title (trade, 0, true);
  g_assert_cmpstr (first, ==, "gate = noisy");
  trade = settle (&made, &(SlTradeView) { .x = "k", .y = "test.violation" });
  g_assert_cmpuint (trade->points->len, ==, 4);
  g_assert_cmpfloat (sl_trade_point (trade, 3)->x.mean, ==, 2);
  second = sl_trade_title (trade, 3, true);
  g_assert_cmpstr (second, ==, "gate bias, k 2");
  run = sl_trade_run_title (trade, 7, true);
  g_assert_cmpstr (run, ==, "gate bias, k 2, seed 2");
  g_clear_pointer (&run, g_free);
  run = sl_trade_setting (trade, 7, true);
  g_assert_cmpstr (run, ==, "gate bias, k 2");
  g_assert_cmpstr (trade->lab->params[trade->shape].id, ==, "gate");
  g_assert_cmpstr (trade->lab->params[trade->tone].id, ==, "k");
  end (&made);
}

/* What runs are called where nothing varies but the data, and those that have nothing of what groups. */
static void
test_titles (void)
{
  Made             made = { 0 };
  SlTrade         *trade;
  SlField          field;
  g_autofree char *plain = NULL, *group = NULL, *none = NULL, *twin = NULL;
  char             packed[SL_TRADE_SAID];

  begin (&made);
  for (unsigned i = 0; i < 4; i++)
    {
      SlStoreRun *run = add (&made, "k=1", 1, 10, 20, 20);

      run->data = i < 2 ? "/here/rings.csv" : "/here/moons.csv";
      if (i % 2)
        made_figure (run, "test.violation", 0.5);
    }
  g_assert_true (sl_field_find ("test.violation", made.runs, &field));
  trade = settle (&made, &(SlTradeView) { .group = &field });
  plain = sl_trade_setting (trade, 0, true);
  g_assert_cmpstr (plain, ==, "rings.csv");
  none = sl_trade_title (trade, 0, true);
  g_assert_cmpstr (none, ==, "no test.violation");
  group = sl_trade_title (trade, 1, true);
  g_assert_cmpstr (group, ==, "test.violation = 0.5");
  twin = sl_trade_run_title (trade, 0, true);
  g_assert_cmpstr (twin, ==, "rings.csv, run 1");
  /* A setting that has no part is not counted. */
  g_assert_nonnull (strstr (said (trade), "up to 2 settings"));
  ((SlStoreRun *) g_ptr_array_index (made.runs, 0))->status = SL_RUN_DIVERGED;
  ((SlStoreRun *) g_ptr_array_index (made.runs, 1))->status = SL_RUN_DIVERGED;
  trade = settle (&made, &(SlTradeView) { .group = &field });
  g_assert_null (strstr (said (trade), "settings"));
  /* A sentence that there is no room for is left out whole. */
  for (size_t size = 1; size < sizeof packed; size += 7)
    {
      memset (packed, 'x', sizeof packed);
      sl_trade_say (trade, packed, size);
      g_assert_cmpuint (strlen (packed), <, size);
      g_assert_true (packed[size] == 'x');
      if (packed[0] != '\0')
        g_assert_true (g_str_has_suffix (sl_english_text (packed), "."));
    }
  end (&made);
}

/* Runs on other data are on no front, and have its name. */
static void
test_data (void)
{
  Made             made = { 0 };
  SlStoreRun      *run;
  const SlTrade   *trade;
  SlField          field;
  g_autofree char *title = NULL;

  begin (&made);
  run = add (&made, "k=1", 1, 5, 2, 2);
  run->data = g_intern_string ("/here/letters.csv:valid=0.1");
  add (&made, "k=1", 1, 10, 20, 21);
  add (&made, "k=2", 1, 20, 18, 19);
  trade = settle (&made, &(SlTradeView) { 0 });
  g_assert_true (sl_trade_point (trade, 0)->apart && !sl_trade_point (trade, 0)->best);
  g_assert_true (sl_trade_point (trade, 1)->best && sl_trade_point (trade, 2)->best);
  title = sl_trade_title (trade, 0, true);
  g_assert_cmpstr (title, ==, "k 1, letters.csv");
  trade = settle (&made, &(SlTradeView) { .data = "/here/letters.csv" });
  g_assert_true (sl_trade_point (trade, 0)->best && !sl_trade_point (trade, 0)->apart);
  g_assert_true (sl_trade_point (trade, 1)->apart && sl_trade_point (trade, 2)->apart);
  /* On data that no run is on: those of the newest. */
  trade = settle (&made, &(SlTradeView) { .data = "/here/numbers.csv" });
  g_assert_true (sl_trade_point (trade, 0)->apart && sl_trade_point (trade, 1)->best);
  /* What has no part brings no group onto the front. */
  ((SlStoreRun *) g_ptr_array_index (made.runs, 1))->status = SL_RUN_DIVERGED;
  g_assert_true (sl_field_find ("k", NULL, &field));
  trade = settle (&made, &(SlTradeView) { .group = &field });
  g_assert_cmpuint (trade->points->len, ==, 2);
  g_assert_true (sl_trade_point (trade, 0)->apart && !sl_trade_point (trade, 0)->best);
  g_assert_true (sl_trade_point (trade, 1)->best);
  end (&made);
}

/* The same numbers are the same data, whatever they are called; names that two share have their options. */
static void
test_data_sets (void)
{
  static const struct
  {
    const char *data;
    guint64     hash;
    const char *title;
    guint       same; /* the first run on this data */
  } cases[] = {
    { "/a/x.csv:valid=0.1", 1, "x.csv:valid=0.1", 0 },
    { "/b/x.csv:valid=0.1", 1, "x.csv:valid=0.1", 0 },
    { "/a/x.csv:valid=0.2", 2, "x.csv:valid=0.2", 2 },
    { "moons:noise=0.1", 0, "moons", 3 },
    { "moons:noise=0.1", 7, "moons", 3 },
    { "/c/y.csv", 9, "y.csv", 5 },
    { "/c/y.csv", 0, "y.csv", 5 },
    { "/a/x.csv:valid=0.1", 0, "x.csv:valid=0.1", 0 },
  };
  Made       made = { 0 };
  SlDataSets sets;

  begin (&made);
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      SlStoreRun *run = add (&made, "k=1", i, 10, 20, 20);

      run->data = cases[i].data;
      run->data_hash = cases[i].hash;
    }
  sl_data_sets_init (&sets, made.runs);
  g_assert_cmpuint (sl_data_sets_count (&sets), ==, 4);
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_assert_cmpstr (sl_data_sets_title (&sets, made.runs->pdata[i]), ==, cases[i].title);
      g_assert_cmpuint (sl_data_sets_find (&sets, made.runs->pdata[i]), ==,
                        sl_data_sets_find (&sets, made.runs->pdata[cases[i].same]));
    }
  sl_data_sets_clear (&sets);
  end (&made);
}

/* In the order of the sweep, whatever the order in which runs were listed. */
static void
test_order (void)
{
  Made           made = { 0 };
  const SlTrade *trade;

  begin (&made);
  for (unsigned i = 0; i < 6; i++)
    {
      g_autofree char *settings = g_strdup_printf ("k=%u", 6 - i);
      SlStoreRun      *run = add (&made, settings, 1, 10, 20, 20);

      run->sweep = i < 4 ? "one" : "";
      run->cell = i < 4 ? 4 - i : 0;
    }
  trade = settle (&made, &(SlTradeView) { 0 });
  for (guint i = 0; i < 6; i++)
    g_assert_cmpuint (sl_trade_run (trade, i)->tag, ==, i < 4 ? 3 - i : i);
  /* A sweep has the place of its first run, whenever its last one was made. */
  ((SlStoreRun *) g_ptr_array_index (made.runs, 0))->created = 99;
  trade = settle (&made, &(SlTradeView) { 0 });
  for (guint i = 0; i < 6; i++)
    g_assert_cmpuint (sl_trade_run (trade, i)->tag, ==, i < 4 ? 3 - i : i);
  end (&made);
}

/* The row of a group in the table of runs has the mean of the chart's point, whatever its runs lack. */
static void
test_table (void)
{
  enum { TURNS = 60, RUNS = 24 };
  static const char *const by[] = { "setting", "gate", "k", "test.violation" };
  g_autoptr (GRand) rand = g_rand_new_with_seed (55);
  guint seen[2] = { 0 };

  for (unsigned turn = 0; turn < TURNS; turn++)
    {
      Made     made = { 0 };
      double   tested = g_rand_double (rand), validated = g_rand_double (rand);
      unsigned group[RUNS];
      SlField  field;
      g_autoptr (GArray) groups = NULL;
      const SlTrade *trade;

      begin (&made);
      for (unsigned i = 0; i < RUNS; i++)
        {
          g_autofree char *settings
            = g_strdup_printf ("gate=%s k=%d", g_rand_boolean (rand) ? "noisy" : "bias",
                               1 + g_rand_int_range (rand, 0, 3));
          SlStoreRun *run
            = add (&made, settings, i, 10, g_rand_double (rand) < tested ? 20.0 + i : (double) NAN,
                   g_rand_double (rand) < validated ? 50.0 + i : (double) NAN);

          run->status = (SlRunStatus) g_rand_int_range (rand, 0, SL_N_RUN_STATUSES);
          run->data_hash = g_rand_boolean (rand) ? 0 : 7;
          run->data
            = g_intern_static_string (g_rand_int_range (rand, 0, 4) > 0 ? "moons" : "rings");
          made_figure (run, "scored.test", g_rand_boolean (rand) ? 100 : 60);
          if (g_rand_boolean (rand))
            made_figure (run, "test.violation", g_rand_int_range (rand, 0, 3));
          made_figure (run, "outcome.timed",
                       run->status == SL_RUN_DIVERGED || run->status == SL_RUN_PRUNED ? 90 : 30);
        }
      if (!sl_field_find (by[turn % G_N_ELEMENTS (by)], made.runs, &field))
        g_assert_not_reached ();
      groups = sl_run_groups (made.runs, &field, group);
      trade = settle (&made, &(SlTradeView) { .group = &field });
      g_assert_cmpuint (groups->len, ==, trade->points->len);
      for (guint i = 0; i < RUNS; i++)
        {
          const SlTradeRun   *run = sl_trade_run (trade, i);
          const SlTradePoint *point = sl_trade_point (trade, run->point);
          const SlRunGroup   *row = &g_array_index (groups, SlRunGroup, group[run->tag]);

          g_assert_cmpuint (row->error.n, ==, point->y.n);
          g_assert_cmpuint (row->n, >=, point->n + point->diverged);
          g_assert_cmpuint (row->n - row->left_out, ==, point->y.n);
          g_assert_true (row->validation == (trade->split == SL_TRADE_VALIDATION));
          if (point->y.n == 0)
            continue;
          g_assert_cmpfloat_with_epsilon (row->error.mean, point->y.mean, 1e-12);
          if (point->y.n > 1)
            g_assert_cmpfloat_with_epsilon (row->error.half, point->y.half, 1e-9);
          g_assert_true (row->executed.mean == 10 && row->timed.mean == 30);
          seen[row->validation]++;
        }
      end (&made);
    }
  g_assert_true (seen[0] > 0 && seen[1] > 0);
}

/* The runs of a comparison stay, whatever becomes of what they were listed by. */
static void
test_kept (void)
{
  Made             made = { 0 };
  const SlTrade   *trade;
  g_autofree char *title = NULL;

  begin (&made);
  add (&made, "k=1", 1, 10, 20, 21);
  add (&made, "k=2", 1, 20, 18, 19);
  add (&made, "k=2", 1, 20, 18, 19);
  trade = settle (&made, &(SlTradeView) { 0 });
  g_ptr_array_set_size (made.runs, 0);
  title = sl_trade_run_title (trade, 1, true);
  g_assert_cmpstr (title, ==, "k 2, run 2");
  sl_trade_settle (&made.trade, &(SlTradeView) { .x = "k" });
  g_assert_cmpfloat (sl_trade_point (trade, 1)->x.mean, ==, 2);
  end (&made);
}

/* The difference of two groups in all that both have. */
static void
test_gaps (void)
{
  Made           made = { 0 };
  const SlTrade *trade;
  g_autoptr (GArray) gaps = NULL;
  g_autofree char *csv = NULL;
  gboolean         seen = FALSE;

  begin (&made);
  for (unsigned i = 0; i < 6; i++)
    {
      SlStoreRun *run = add (&made, i < 3 ? "gate=noisy" : "gate=bias", 1 + i % 3, 10, 20 + i, 20);

      made_figure (run, "test.violation", i < 3 ? 1.0 + 0.1 * i : 0.2);
      made_figure (run, "test.executed", 10);
    }
  trade = settle (&made, &(SlTradeView) { 0 });
  gaps = sl_trade_gaps (trade, 0, 1);
  g_assert_cmpuint (gaps->len, ==, 3); /* executed, error, MaxVio */
  for (guint i = 0; i < gaps->len; i++)
    {
      const SlTradeGap *gap = &g_array_index (gaps, SlTradeGap, i);

      if (g_str_equal (gap->measure.id, "error"))
        {
          seen = TRUE;
          g_assert_cmpfloat (gap->gap.value, ==, 3);
          g_assert_cmpfloat_with_epsilon (gap->gap.freedom, 4, 1e-12);
          g_assert_cmpfloat_with_epsilon (gap->gap.half, 2.776445105 * sqrt (2.0 / 3), 1e-8);
        }
    }
  g_assert_true (seen);
  csv = sl_trade_gaps_csv (trade, gaps, 0, 1);
  g_assert_nonnull (strstr (csv, "gate bias: mean"));
  g_assert_nonnull (strstr (csv, "\nerror,test error (%),21,"));
  g_assert_nonnull (strstr (csv, "\ntest.violation,\"largest load ÷ mean − 1 (MaxVio), test\","));
  end (&made);
}

/* Groups that mix settings say so, by all runs that came to an end, whatever lies along the axes. */
static void
test_gaps_of_mixtures (void)
{
  static const char mix[] = "# A group has up to 2 settings.\n";
  Made              made = { 0 };
  SlField           field;
  const SlTradeView view = { .group = &field, .x = "test.violation" };

  begin (&made);
  for (unsigned i = 0; i < 8; i++)
    {
      g_autofree char *settings
        = g_strdup_printf ("gate=%s k=%u", i < 4 ? "noisy" : "bias", i < 4 ? 1 + i % 2 : 1);
      SlStoreRun *run = add (&made, settings, 1 + i, 10, 20 + i, 20);

      if (i % 4 == 0)
        made_figure (run, "test.violation", 0.5);
    }
  g_assert_true (sl_field_find ("gate", made.runs, &field));
  for (unsigned turn = 0; turn < 3; turn++)
    {
      const SlTrade *trade;
      g_autoptr (GArray) gaps = NULL;
      g_autofree char *csv = NULL;

      /* The runs of the second setting. */
      for (unsigned i = 1; i < 4 && turn > 0; i += 2)
        ((SlStoreRun *) made.runs->pdata[i])->status = turn == 1 ? SL_RUN_DIVERGED : SL_RUN_PRUNED;
      trade = settle (&made, &view);
      gaps = sl_trade_gaps (trade, trade->pair[0], trade->pair[1]);
      csv = sl_trade_gaps_csv (trade, gaps, trade->pair[0], trade->pair[1]);
      g_assert_true (g_str_has_prefix (csv, turn == 0 ? mix : "name,title,"));
    }
  end (&made);
}

/* The first of two groups is that of the first run, or that which a caller wants. */
static void
test_lead (void)
{
  Made made = { 0 };

  begin (&made);
  for (unsigned i = 0; i < 4; i++)
    add (&made, i < 2 ? "k=1" : "k=2", 1 + i % 2, 10, 20 + i, 20);
  for (size_t tag = 0; tag < 4; tag++)
    {
      SlTrade *trade = (SlTrade *) settle (&made, &(SlTradeView) { 0 });

      g_assert_true (trade->pair[0] == 0 && trade->pair[1] == 1);
      sl_trade_lead (trade, tag);
      g_assert_cmpuint (trade->pair[0], ==, tag / 2);
      g_assert_cmpuint (trade->pair[1], ==, 1 - tag / 2);
    }
  end (&made);
}

/* Networks beside those of the runs, on the split of the errors. */
static void
test_baselines (void)
{
  Made           made = { 0 };
  const SlTrade *trade;
  g_autoptr (GArray) all = NULL, none = NULL;

  begin (&made);
  for (unsigned i = 0; i < 4; i++)
    {
      SlStoreRun *run = add (&made, i < 2 ? "k=1" : "k=2", 1 + i % 2, 10, 20, 20);

      made_figure (run, "test.error-twin", 15 + i);
      made_figure (run, "valid.error-twin", 1);
      made_figure (run, "cost.twin", i < 2 ? 12 : 18);
      made_figure (run, "test.parameters", 5);
      made_figure (run, "outcome.timed", 5);
    }
  trade = settle (&made, &(SlTradeView) { 0 });
  all = sl_trade_baselines (trade);
  g_assert_cmpuint (all->len, ==, 2);
  g_assert_cmpfloat (g_array_index (all, SlTradeBaseline, 1).x.mean, ==, 18);
  g_assert_cmpfloat (g_array_index (all, SlTradeBaseline, 1).y.mean, ==, 17.5);
  for (unsigned i = 0; i < 3; i++)
    {
      trade = settle (&made,
                      &(SlTradeView) { .x = ((const char *[]) { "k", "parameters", "timed" })[i] });
      g_clear_pointer (&none, g_array_unref);
      none = sl_trade_baselines (trade);
      g_assert_cmpuint (none->len, ==, 0);
    }
  /* Of runs that count, on the data of the front. */
  ((SlStoreRun *) made.runs->pdata[2])->status = SL_RUN_DIVERGED;
  ((SlStoreRun *) made.runs->pdata[0])->data = ((SlStoreRun *) made.runs->pdata[1])->data = "rings";
  trade = settle (&made, &(SlTradeView) { 0 });
  g_clear_pointer (&all, g_array_unref);
  all = sl_trade_baselines (trade);
  g_assert_cmpuint (all->len, ==, 1);
  g_assert_cmpfloat (g_array_index (all, SlTradeBaseline, 0).y.mean, ==, 18);
  g_assert_cmpuint (g_array_index (all, SlTradeBaseline, 0).x.n, ==, 1);
  end (&made);
}

/* A list is a number where its elements are the same. */
static void
test_list (void)
{
  static const struct
  {
    const char *settings;
    double      number;
  } cases[] = { { "rank=5-5-5", 5 }, { "rank=5-4-5", NAN }, { "rank=8", 8 } };
  SlMeasure measure;

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GPtrArray) runs
        = g_ptr_array_new_with_free_func ((GDestroyNotify) sl_store_run_free);
      SlStoreRun *run = made_run ("sign-estimator", cases[i].settings, 10, "");
      double      got;

      g_ptr_array_add (runs, run);
      g_assert_true (sl_measure_find (&measure, "rank", run->lab, runs)
                     == !isnan (cases[i].number));
      got = sl_measure_of (&measure, run);
      g_assert_true (got == cases[i].number || (isnan (got) && isnan (cases[i].number)));
    }
}

/* What can lie along an axis is what some run has; a choice is no number. */
static void
test_measures (void)
{
  Made           made = { 0 };
  const SlTrade *trade;
  SlMeasure      measure;
  g_autoptr (GPtrArray) names = NULL;

  begin (&made);
  made_figure (add (&made, "gate=noisy k=1", 1, 10, 20, 20), "cv.hard", 0.5);
  add (&made, "gate=bias k=2", 1, 10, 20, 20);
  trade = settle (&made, &(SlTradeView) { 0 });
  names = sl_measures (trade->lab, made.runs, trade->varies, trade->n_varies);
  for (guint i = 0; i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);

      g_assert_true (sl_measure_find (&measure, name, trade->lab, made.runs));
      g_assert_cmpstr (measure.id, ==, name);
      g_assert_cmpint (strlen (measure.label), >, 0);
      g_assert_cmpstr (name, !=, "gate");
    }
  g_assert_true (g_ptr_array_find_with_equal_func (names, "k", g_str_equal, NULL));
  g_assert_true (g_ptr_array_find_with_equal_func (names, "cv.hard", g_str_equal, NULL));
  g_assert_cmpstr (g_ptr_array_index (names, 0), ==, "executed");
  /* Of costs and errors there are better names. */
  for (guint i = 0; i < names->len; i++)
    g_assert_false (g_str_has_prefix (g_ptr_array_index (names, i), "outcome."));
  /* What is an error of any kind is counted as errors are. */
  made_figure (made.runs->pdata[1], "test.error-twin", 20);
  g_assert_true (sl_measure_find (&measure, "test.error-twin", trade->lab, made.runs));
  g_assert_cmpstr (measure.unit, ==, "%");
  g_assert_false (sl_measure_find (&measure, "timed", trade->lab, made.runs));
  g_assert_false (sl_measure_find (&measure, "gate", trade->lab, made.runs));
  g_assert_false (sl_measure_find (&measure, "no such number", trade->lab, made.runs));
  end (&made);
}

/* Every score that a lab tells is called so, in its unit. */
static void
test_scores (void)
{
  for (int l = 0; sl_labs[l] != NULL; l++)
    for (const SlScore *score = sl_labs[l]->scores; score->id != NULL; score++)
      {
        g_autoptr (GPtrArray) runs
          = g_ptr_array_new_with_free_func ((GDestroyNotify) sl_store_run_free);
        g_autofree char *id = g_strconcat ("test.", score->id, NULL),
                        *expected = g_strconcat (score->title, ", test", NULL);
        SlMeasure measure;

        g_ptr_array_add (runs, made_run (sl_labs[l]->id, "", 10, ""));
        made_figure (runs->pdata[0], id, 1);
        g_assert_true (sl_measure_find (&measure, id, sl_labs[l], runs));
        g_assert_cmpstr (sl_english_text (measure.label), ==, expected);
        g_assert_cmpstr (measure.unit, ==, score->unit);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/compare/quantile", test_quantile);
  g_test_add_func ("/compare/means", test_means);
  g_test_add_func ("/compare/gap", test_gap);
  g_test_add_func ("/compare/front", test_front);
  g_test_add_func ("/compare/split", test_split);
  g_test_add_func ("/compare/left-out", test_left_out);
  g_test_add_func ("/compare/axes", test_axes);
  g_test_add_func ("/compare/titles", test_titles);
  g_test_add_func ("/compare/data", test_data);
  g_test_add_func ("/compare/data-sets", test_data_sets);
  g_test_add_func ("/compare/order", test_order);
  g_test_add_func ("/compare/table", test_table);
  g_test_add_func ("/compare/kept", test_kept);
  g_test_add_func ("/compare/gaps", test_gaps);
  g_test_add_func ("/compare/gaps-of-mixtures", test_gaps_of_mixtures);
  g_test_add_func ("/compare/lead", test_lead);
  g_test_add_func ("/compare/scores", test_scores);
  g_test_add_func ("/compare/baselines", test_baselines);
  g_test_add_func ("/compare/list", test_list);
  g_test_add_func ("/compare/measures", test_measures);
  return g_test_run ();
}
