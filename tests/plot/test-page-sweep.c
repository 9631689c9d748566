/* SPDX-License-Identifier: MIT
 *
 * The web page of runs that are compared: that it has what the comparison has, is small, and is safe whatever names there
 * are.  What it does in a browser is in tests/page.  */
#include <math.h>
#include <string.h>

#include "core/labs/registry.h"
#include "plot/charts/trade.h"
#include "plot/page/sweep.h"
#include "tests/core/run/made-run.h"
#include "tests/plot/page-text.h"

static const char hostile[] = "</script><img src=x onerror=alert(1)>\"'&\xf0\x9f\xa6\xa6";

/* A trade and the samples of its runs: of each the same, of the error of the validation examples. */
typedef struct
{
  SlTrade   trade;
  SlSeries *series; /* (runs) */
} Runs;

static SlStoreRun *
add (SlTrade *trade, const char *settings, uint64_t seed, double executed, double test)
{
  SlStoreRun *run = made_run (trade->lab->id, settings, NAN, "");
  guint       at = trade->runs->len;

  g_snprintf (run->uuid, sizeof run->uuid, "%08u", at);
  run->created = at;
  run->seed = seed;
  run->colour = 1 + at % 8;
  run->valid_at = NAN;
  made_figure (run, "outcome.executed", executed);
  made_figure (run, "test.error", test);
  made_figure (run, "valid.error", test + 1);
  sl_trade_add (trade, run, at);
  sl_store_run_free (run);
  return run; /* the trade's */
}

/* k from 1, each with three seeds. */
static void
begin (Runs *runs, unsigned settings)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);

  sl_trade_init (&runs->trade, sl_lab_find ("experts"));
  for (unsigned i = 0; i < 3 * settings; i++)
    {
      g_autofree char *words = g_strdup_printf ("k=%u", 1 + i / 3);

      add (&runs->trade, words, i % 3, 5.0 + i / 3, g_rand_double_range (rand, 5, 30));
    }
}

static void
settle (Runs *runs, unsigned samples)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);

  sl_trade_settle (&runs->trade, &(SlTradeView) { 0 });
  runs->series = g_new0 (SlSeries, runs->trade.runs->len);
  for (guint i = 0; i < runs->trade.runs->len; i++)
    for (unsigned s = 0; s < samples; s++)
      g_assert_true (sl_series_append (&runs->series[i], s, g_rand_double_range (rand, 1, 100)));
}

static void
clear (Runs *runs)
{
  for (guint i = 0; i < runs->trade.runs->len; i++)
    sl_series_clear (&runs->series[i]);
  g_free (runs->series);
  sl_trade_clear (&runs->trade);
}

static const SlSeries *
series_of (void *data, guint run, const char *channel)
{
  Runs *runs = data;

  return strcmp (channel, runs->trade.lab->valid) == 0 ? &runs->series[run] : NULL;
}

static char *
command_of (void *data, guint run)
{
  return g_strdup_printf ("run %u %s", run, hostile);
}

static void
make (Runs *runs, PageText *page, gsize *size)
{
  GError *error = NULL;
  g_autoptr (GBytes) bytes = sl_page_sweep (&(SlPageSweep) { .trade = &runs->trade,
                                                             .series = series_of,
                                                             .command = command_of,
                                                             .data = runs,
                                                             .sweep = hostile },
                                            &error);

  g_assert_no_error (error);
  page_text_read (page, bytes);
  *size = g_bytes_get_size (bytes);
}

static const SlJson *
list (const SlJson *object, const char *key)
{
  const SlJson *member = sl_json_member_of (object, key, SL_JSON_ARRAY);

  g_assert_nonnull (member);
  return member;
}

static void
assert_near (const SlJson *json, double value)
{
  if (isnan (value))
    g_assert_cmpint (json->kind, ==, SL_JSON_NULL);
  else
    g_assert_cmpfloat_with_epsilon (json->number, value, 1e-5 * fabs (value) + 1e-12);
}

static unsigned
field_of (const PageText *page, const char *id)
{
  unsigned at = 0;

  for (const SlJson *field = list (page->data, "fields")->first; field != NULL;
       field = field->next, at++)
    if (strcmp (page_text_words (field, "id"), id) == 0)
      return at;
  g_assert_not_reached ();
}

static void
assert_points (const PageText *page, const SlTrade *trade)
{
  const SlJson *points = list (page->data, "points");

  g_assert_cmpuint (points->n, ==, trade->points->len);
  for (unsigned i = 0; i < points->n; i++)
    {
      const SlJson       *point = page_text_at (points, i);
      const SlTradePoint *of = sl_trade_point (trade, (guint) page_text_number (point, "point"));
      const SlJson       *best = sl_json_member_of (point, "best", SL_JSON_TRUTH);

      assert_near (sl_json_member (point, "x"), of->x.mean);
      assert_near (sl_json_member (point, "y"), of->y.mean);
      g_assert_cmpfloat (best->number, ==, of->best ? 1.0 : 0.0);
      g_assert_cmpint (strstr (page_text_words (point, "text"), "knee") != NULL, ==, of->knee);
    }
}

static void
assert_rows (const PageText *page, const SlTrade *trade)
{
  const SlJson  *rows = list (page->data, "runs");
  const unsigned error = field_of (page, "error"), cost = field_of (page, "executed"),
                 valid = field_of (page, "valid.error"), seed = field_of (page, "seed"),
                 k = field_of (page, "k");

  g_assert_cmpuint (rows->n, ==, trade->runs->len);
  for (unsigned i = 0; i < rows->n; i++)
    {
      const SlTradeRun *run = sl_trade_run (trade, i);
      const SlJson     *values = list (page_text_at (rows, i), "values");
      SlSettings        settings;

      sl_store_run_settings (run->run, &settings);
      g_assert_cmpuint (values->n, ==, list (page->data, "fields")->n);
      g_assert_cmpfloat (page_text_number (page_text_at (rows, i), "point"), ==, run->point);
      assert_near (page_text_at (values, error), run->y);
      assert_near (page_text_at (values, cost), run->x);
      assert_near (page_text_at (values, valid), sl_store_run_score (run->run, "valid.error"));
      assert_near (page_text_at (values, seed), (double) run->run->seed);
      assert_near (page_text_at (values, k), 1 + i / 3);
    }
}

/* Every run is a curve with its samples, in its own place. */
static void
assert_curves (const PageText *page, const Runs *runs)
{
  const SlJson *panels = list (page->data, "panels"), *curves, *columns;

  g_assert_cmpuint (panels->n, ==, 1);
  curves = list (panels->first, "curves");
  columns = list (page->data, "columns");
  g_assert_cmpuint (curves->n, ==, runs->trade.runs->len);
  for (unsigned i = 0; i < curves->n; i++)
    {
      const SlJson   *curve = page_text_at (curves, i);
      const SlJson   *y = list (curve, "y");
      const SlJson   *x = page_text_at (columns, (unsigned) page_text_number (curve, "x"));
      const SlSeries *series;
      unsigned        run;

      g_assert_cmpint (sscanf (page_text_words (curve, "id"), "run-%u.", &run), ==, 1);
      g_assert_cmpuint (run, ==, i + 1);
      g_assert_cmpstr (page_text_words (curve, "title"), ==,
                       page_text_words (page_text_at (list (page->data, "runs"), i), "title"));
      series = &runs->series[run - 1];
      g_assert_cmpuint (x->n, ==, y->n);
      for (unsigned s = 0; s < y->n; s++)
        assert_near (page_text_at (y, s), series->value[(size_t) page_text_at (x, s)->number]);
      g_assert_cmpfloat (page_text_at (x, x->n - 1)->number, ==, (double) (series->n - 1));
    }
}

static void
test_numbers (void)
{
  Runs     runs;
  PageText page;
  gsize    size;

  begin (&runs, 6);
  settle (&runs, 40);
  make (&runs, &page, &size);
  assert_points (&page, &runs.trade);
  assert_rows (&page, &runs.trade);
  assert_curves (&page, &runs);
  page_text_assert_safe (&page);
  g_assert_cmpstr (page_text_words (page.data, "caption"), ==,
                   "18 runs: 6 settings, 3 seeds, on moons.");
  page_text_clear (&page);
  clear (&runs);
}

/* What has no part in the points is in the table, and said. */
static void
test_left_out (void)
{
  Runs        runs;
  PageText    page;
  gsize       size;
  const char *caption;

  begin (&runs, 2);
  add (&runs.trade, "k=7", 1, 9.0, 9.0)->status = SL_RUN_DIVERGED;
  add (&runs.trade, "k=8", 1, NAN, 9.0);
  settle (&runs, 2);
  make (&runs, &page, &size);
  caption = page_text_words (page.data, "caption");
  g_assert_cmpuint (list (page.data, "runs")->n, ==, 8);
  g_assert_cmpuint (list (page.data, "points")->n, ==, 2);
  g_assert_nonnull (strstr (caption, "8 runs: 4 settings, 3 seeds"));
  g_assert_nonnull (strstr (caption, "1 diverged, 1 without executed multiplications"));
  g_assert_cmpstr (page_text_at (list (page_text_at (list (page.data, "runs"), 6), "values"),
                                 field_of (&page, "status"))
                     ->text,
                   ==, "diverged");
  page_text_clear (&page);
  clear (&runs);
}

/* Names of others stay texts. */
static void
test_hostile (void)
{
  Runs        runs;
  PageText    page;
  gsize       size;
  SlStoreRun *run[2];
  unsigned    name;

  begin (&runs, 2);
  run[0] = add (&runs.trade, "k=7", 1, 9.0, 9.0);
  g_free (run[0]->name);
  run[0]->name = g_strdup (hostile);
  run[0]->data = hostile;
  run[1] = add (&runs.trade, "k=7", 1, 9.0, 9.0);
  g_free (run[1]->name);
  run[1]->name = g_strnfill (10000, 'x');
  settle (&runs, 2);
  make (&runs, &page, &size);
  page_text_assert_safe (&page);
  name = field_of (&page, "name");
  g_assert_cmpstr (
    page_text_at (list (page_text_at (list (page.data, "runs"), 6), "values"), name)->text, ==,
    hostile);
  g_assert_cmpuint (
    strlen (page_text_at (list (page_text_at (list (page.data, "runs"), 7), "values"), name)->text),
    ==, 10000);
  g_assert_cmpstr (page_text_words (page.data, "command"), ==, hostile);
  page_text_clear (&page);
  clear (&runs);
}

/* Sixty runs of two thousand noisy samples in a page of 2 MB, thinned and said so. */
static void
test_size (void)
{
  Runs          runs;
  PageText      page;
  gsize         size;
  const SlJson *curve;

  begin (&runs, 20);
  settle (&runs, 2000);
  make (&runs, &page, &size);
  g_test_message ("%" G_GSIZE_FORMAT " bytes", size);
  g_assert_cmpuint (size, <, 2000000);
  g_assert_cmpuint (size, >, 100000);
  curve = list (list (page.data, "panels")->first, "curves")->first;
  g_assert_cmpfloat (page_text_number (curve, "every"), >, 1);
  g_assert_cmpfloat (page_text_number (curve, "every") * list (curve, "y")->n, >=, 2000);
  assert_curves (&page, &runs);
  page_text_clear (&page);
  clear (&runs);
}

/* Runs without a cost have a table and curves. */
static void
test_no_points (void)
{
  Runs     runs;
  PageText page;
  gsize    size;

  sl_trade_init (&runs.trade, sl_lab_find ("experts"));
  add (&runs.trade, "k=1", 1, NAN, NAN);
  add (&runs.trade, "k=2", 1, NAN, NAN);
  settle (&runs, 10);
  make (&runs, &page, &size);
  g_assert_cmpuint (list (page.data, "trade")->n, ==, 0);
  g_assert_cmpuint (list (page.data, "points")->n, ==, 0);
  g_assert_cmpuint (list (page.data, "runs")->n, ==, 2);
  assert_curves (&page, &runs);
  page_text_clear (&page);
  clear (&runs);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/page-sweep/numbers", test_numbers);
  g_test_add_func ("/page-sweep/left-out", test_left_out);
  g_test_add_func ("/page-sweep/hostile", test_hostile);
  g_test_add_func ("/page-sweep/size", test_size);
  g_test_add_func ("/page-sweep/no-points", test_no_points);
  return g_test_run ();
}
