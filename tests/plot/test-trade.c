/* SPDX-License-Identifier: MIT
 *
 * Comparisons of runs as figures: points, bars, curves and differences against the comparison itself.  */
#include <math.h>
#include <string.h>

#include "core/labs/registry.h"
#include "core/run/base/fit.h"
#include "plot/charts/gap.h"
#include "plot/charts/parts.h"
#include "plot/charts/runs.h"
#include "plot/charts/trade.h"
#include "plot/draw/curves.h"
#include "tests/core/run/made-run.h"
#include "tests/support/english.h"

/* A finished run with cost and errors of its own. */
static SlStoreRun *
add (SlTrade *trade, const char *settings, uint64_t seed, double executed, double test,
     double valid)
{
  SlStoreRun *run = made_run (trade->lab->id, settings, NAN, "");
  guint       at = trade->runs->len;

  g_snprintf (run->uuid, sizeof run->uuid, "%08u", at);
  run->created = at;
  run->seed = seed;
  run->colour = 1;
  run->valid_at = NAN;
  made_figure (run, "outcome.executed", executed);
  made_figure (run, "test.error", test);
  made_figure (run, "valid.error", valid);
  sl_trade_add (trade, run, at);
  sl_store_run_free (run);
  return run; /* the trade's */
}

/* The points of the figure are those of the comparison, with the same front. */
static void
test_points (void)
{
  enum { TURNS = 30, RUNS = 30 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);

  for (unsigned turn = 0; turn < TURNS; turn++)
    {
      SlTrade  trade;
      SlFront  front = { 0 };
      SlFigure figure = { 0 };
      SlField  field;
      unsigned drawn = 0;

      sl_trade_init (&trade, sl_lab_find ("experts"));
      for (unsigned i = 0; i < RUNS; i++)
        {
          g_autofree char *settings = g_strdup_printf ("k=%d", g_rand_int_range (rand, 1, 9));
          SlStoreRun      *run
            = add (&trade, settings, i, g_rand_double_range (rand, 1, 99), g_rand_double (rand),
                   turn % 2 ? g_rand_double (rand) : (double) NAN);

          run->data = g_rand_int_range (rand, 0, 9) > 0 ? "moons" : "rings";
          if (g_rand_int_range (rand, 0, 9) == 0)
            run->status = SL_RUN_DIVERGED;
        }
      g_assert_true (sl_field_find ("k", NULL, &field));
      /* A group by a field may have runs on both data. */
      sl_trade_settle (&trade, &(SlTradeView) { .group = turn % 3 == 0 ? &field : NULL });
      sl_trade_figure (&trade, &front, &figure);
      g_assert_true (sl_front_update (&front, &figure));
      for (unsigned i = 0; i < front.n; i++)
        {
          const SlFrontPoint *shown = &front.point[i];
          const SlTradePoint *point
            = sl_trade_point (&trade, sl_trade_run (&trade, (guint) shown->tag)->point);

          g_assert_cmpuint (shown->n, ==, point->y.n);
          g_assert_cmpfloat_with_epsilon (shown->x, point->x.mean, 1e-9);
          g_assert_cmpfloat_with_epsilon (shown->y, point->y.mean, 1e-9);
          g_assert_cmpfloat_with_epsilon (shown->y_half, shown->n > 1 ? point->y.half : 0.0, 1e-9);
          g_assert_true (shown->best == point->best && shown->knee == point->knee);
          g_assert_true (shown->apart == point->apart);
        }
      for (guint p = 0; p < trade.points->len; p++)
        drawn += sl_trade_point (&trade, p)->y.n > 0;
      g_assert_cmpuint (drawn, ==, front.n);
      sl_figure_clear (&figure);
      sl_front_clear (&front);
      sl_trade_clear (&trade);
    }
}

/* Against a parameter every setting has a point, whatever its runs are grouped by. */
static void
test_parameter (void)
{
  SlTrade                 trade;
  SlFront                 front = { 0 };
  SlFigure                figure = { 0 };
  SlField                 field;
  g_autofree const char **names = NULL;
  int                     at[2] = { -1, -1 };

  sl_trade_init (&trade, sl_lab_find ("experts"));
  for (unsigned i = 0; i < 48; i++)
    {
      g_autofree char *settings
        = g_strdup_printf ("gate=%s k=%u", i % 2 ? "bias" : "noisy", 1 + i / 2 % 8);

      add (&trade, settings, i / 16, 10, 20 + i % 16, NAN);
    }
  g_assert_true (sl_field_find ("gate", NULL, &field));
  sl_trade_settle (&trade, &(SlTradeView) { .group = &field });
  g_assert_cmpuint (trade.points->len, ==, 2);
  for (unsigned i = 0; i < trade.n_varies; i++)
    at[trade.lab->params[trade.varies[i]].kind == SL_CHOICE] = (int) i;
  g_assert_true (at[0] >= 0 && at[1] >= 0);
  sl_trade_parameter (&trade, (unsigned) at[0], &front, &figure, &names);
  g_assert_true (names == NULL && sl_front_update (&front, &figure));
  g_assert_cmpuint (front.n, ==, 16);
  for (unsigned i = 0; i < front.n; i++)
    {
      const SlFrontPoint *point = &front.point[i];
      const SlStoreRun   *run = sl_trade_run (&trade, (guint) point->tag)->run;

      g_assert_cmpuint (point->n, ==, 3);
      g_assert_cmpfloat (point->x, ==, sl_store_run_value (run, trade.varies[at[0]]).v[0]);
      g_assert_cmpfloat (point->y, ==, sl_store_run_score (run, "test.error"));
      g_assert_false (point->best && front.frontier);
    }
  sl_trade_parameter (&trade, (unsigned) at[1], &front, &figure, &names);
  g_assert_nonnull (names);
  g_assert_cmpuint (g_strv_length ((char **) names), ==, figure.categories.n);
  sl_figure_clear (&figure);
  sl_front_clear (&front);
  sl_trade_clear (&trade);
}

/* The axis reaches the dense network where some run costs nearly as much; twins have intervals of their own. */
static void
test_dense (void)
{
  static const double cost[] = { 50, 80, 130 };

  for (unsigned i = 0; i < G_N_ELEMENTS (cost); i++)
    {
      SlTrade              trade;
      SlFront              front = { 0 };
      SlFigure             figure = { 0 };
      const SlFrontBeside *beside;

      sl_trade_init (&trade, sl_lab_find ("experts"));
      for (unsigned seed = 0; seed < 2; seed++)
        {
          SlStoreRun *run = add (&trade, "k=1", seed, cost[i], 20, NAN);

          made_figure (run, "test.error-twin", 15 + 2 * seed);
          made_figure (run, "cost.twin", 40);
        }
      sl_trade_settle (&trade, &(SlTradeView) { 0 });
      sl_trade_figure (&trade, &front, &figure);
      g_assert_true (front.dense);
      g_assert_true ((figure.x.hi == 100) == (i == 1));
      g_assert_cmpuint (front.beside->len, ==, 1);
      beside = &g_array_index (front.beside, SlFrontBeside, 0);
      g_assert_true (beside->x == 40 && beside->y == 16 && beside->x_half == 0);
      g_assert_cmpfloat_with_epsilon (beside->y_half, 12.706204736, 1e-7);
      sl_figure_clear (&figure);
      sl_front_clear (&front);
      sl_trade_clear (&trade);
    }
}

/* A name that is too long is cut between letters. */
static void
test_names (void)
{
  g_autoptr (GString) path = g_string_new ("/here/");
  SlTrade  trade;
  SlFront  front = { 0 };
  SlFigure figure = { 0 };
  char     room[8];

  g_assert_cmpstr (sl_fit (room, "1234567", sizeof room), ==, "1234567");
  g_assert_cmpstr (sl_fit (room, "12345678", sizeof room), ==, "1234567");
  g_assert_cmpstr (sl_fit (room, "123456ä", sizeof room), ==, "123456");
  g_assert_cmpstr (sl_fit (room, "12345ä", sizeof room), ==, "12345ä");
  for (unsigned i = 0; i < 100; i++)
    g_string_append (path, i % 3 ? "ß" : "€");
  for (unsigned shift = 0; shift < 4; shift++)
    {
      sl_trade_init (&trade, sl_lab_find ("experts"));
      add (&trade, "k=1", 1, 10, 20, NAN);
      add (&trade, "k=2", 1, 20, 10, NAN)->data = g_intern_string (path->str);
      sl_trade_settle (&trade, &(SlTradeView) { 0 });
      sl_trade_figure (&trade, &front, &figure);
      g_assert_cmpuint (front.n, ==, 2);
      for (unsigned i = 0; i < front.n; i++)
        g_assert_true (g_utf8_validate (front.point[i].title, -1, NULL));
      g_assert_cmpuint (strlen (front.point[1].title), >=, SL_FRONT_TITLE - 4);
      g_string_insert_c (path, 6, 'a');
      sl_trade_clear (&trade);
    }
  sl_figure_clear (&figure);
  sl_front_clear (&front);
}

/* A bar for each setting, in rising order, with the means of the runs that count. */
static void
test_parts (void)
{
  g_autofree SlPartBars   *parts = g_new0 (SlPartBars, 1);
  static const char *const lambda[] = { "lambda=0.9", "lambda=0.5", "lambda=0.5", "lambda=0.9" };
  SlTrade                  trade;
  SlFigure                 figure = { 0 };

  sl_trade_init (&trade, sl_lab_find ("selective-execution"));
  for (unsigned i = 0; i < 4; i++)
    {
      SlStoreRun *run = add (&trade, lambda[i], i, 10, 20, NAN);

      made_figure (run, "test.way-1", 10.0 * i);
      made_figure (run, "test.way-2", 100.0 - 10.0 * i);
      if (i == 3)
        run->status = SL_RUN_DIVERGED;
    }
  sl_trade_settle (&trade, &(SlTradeView) { 0 });
  g_assert_true (sl_part_bars_update (parts, &trade, &figure));
  g_assert_cmpuint (parts->n_bars, ==, 2);
  g_assert_cmpuint (parts->n_parts, ==, 2);
  g_assert_cmpstr (parts->names[0], ==, "0.5");
  g_assert_cmpstr (parts->names[1], ==, "0.9");
  g_assert_cmpfloat (parts->y[0][0], ==, 15); /* of runs 1 and 2 */
  g_assert_cmpfloat (parts->y[0][1], ==, 0);  /* of run 0 alone */
  g_assert_cmpfloat (parts->y[1][1], ==, 100);
  sl_figure_clear (&figure);
  sl_trade_clear (&trade);
}

/* Series of the runs; those of one run are not there yet. */
typedef struct
{
  SlSeries series;
  guint    absent;
} Curves;

static const SlSeries *
series_of (void *data, guint run, const char *channel)
{
  Curves *curves = data;

  return run == curves->absent ? NULL : &curves->series;
}

static unsigned
first_curves (const SlLab *lab)
{
  unsigned p = 0;

  while (lab->panels[p].kind != SL_SERIES)
    p++;
  return p;
}

/* Of very many runs the latest are drawn, and that is said; a group waits for all of its runs, groups are in the order of
 * their values, and the curves of one have one marker.  */
static void
test_curves (void)
{
  Curves      curves = { .absent = G_MAXUINT };
  SlTrade     trade;
  SlFigure    figure = { 0 };
  SlRunsChart chart = { .trade = &trade, .series = series_of, .data = &curves };

  for (unsigned i = 0; i < 5; i++)
    g_assert_true (sl_series_append (&curves.series, i, i));
  sl_trade_init (&trade, sl_lab_find ("experts"));
  for (unsigned i = 0; i < SL_RUNS_MOST + 50; i++)
    add (&trade, i % 2 ? "k=1" : "k=2", i, 10, 20, NAN);
  sl_trade_settle (&trade, &(SlTradeView) { 0 });
  chart.panel = first_curves (trade.lab);
  sl_overlay_begin (&figure, trade.lab, chart.panel);
  sl_runs_chart_draw (&chart, &figure);
  sl_overlay_end (&figure);
  sl_runs_chart_say (&chart, &figure);
  g_assert_cmpstr (figure.curve[0].group_title, ==, "k 2, seed 50");
  g_assert_true (g_str_has_prefix (sl_english_text (figure.note), "The latest 200 of 250 runs."));

  chart.kind = SL_RUNS_INTERVAL;
  for (unsigned waits = 0; waits < 2; waits++)
    {
      curves.absent = waits ? 4 : G_MAXUINT; /* of the second group */
      sl_overlay_begin (&figure, trade.lab, chart.panel);
      g_assert_true (sl_runs_chart_draw (&chart, &figure));
      sl_overlay_end (&figure);
      g_assert_cmpuint (chart.n_bands, ==, (2 - waits) * chart.n_lines);
      g_assert_cmpuint (chart.band[0].n, ==, 125);
      for (unsigned c = 0; c < figure.n_curves; c++)
        {
          const SlCurve *first = &figure.curve[c - c % chart.n_lines];

          g_assert_cmpstr (figure.curve[c].group_title, ==,
                           c < chart.n_lines ? "k 1 (n = 125)" : "k 2 (n = 125)");
          g_assert_cmpint (sl_draw_marker (&figure.curve[c]), ==, sl_draw_marker (first));
        }
    }

  /* What diverged has no part in the mean, and that is said, as how long the runs are. */
  curves.absent = G_MAXUINT;
  ((SlStoreRun *) sl_trade_run (&trade, 0)->run)->status = SL_RUN_DIVERGED;
  ((SlStoreRun *) sl_trade_run (&trade, 0)->run)->step = 3;
  ((SlStoreRun *) sl_trade_run (&trade, 1)->run)->step = 7;
  sl_trade_settle (&trade, &(SlTradeView) { 0 });
  sl_overlay_begin (&figure, trade.lab, chart.panel);
  g_assert_true (sl_runs_chart_draw (&chart, &figure));
  sl_overlay_end (&figure);
  sl_runs_chart_say (&chart, &figure);
  g_assert_cmpuint (chart.band[chart.n_lines].n, ==, 124);
  g_assert_nonnull (strstr (sl_english_text (figure.note), "Lines: "));
  g_assert_nonnull (strstr (sl_english_text (figure.note), "Diverged: 1 of 250 runs."));
  g_assert_nonnull (strstr (sl_english_text (figure.note), "Runs of 0 to 7 updates."));
  sl_figure_clear (&figure);
  sl_runs_chart_clear (&chart);
  sl_trade_clear (&trade);
  sl_series_clear (&curves.series);
}

/* Each difference in % of the size of the first mean, whatever its sign. */
static void
test_gaps (void)
{
  SlTrade    trade;
  SlFigure   figure = { 0 };
  SlGapChart chart = { 0 };
  SlField    field;
  g_autoptr (GArray) gaps = NULL;
  guint seen = 0, known = 0;

  sl_trade_init (&trade, sl_lab_find ("experts"));
  for (unsigned i = 0; i < 6; i++)
    {
      SlStoreRun *run = add (&trade, i < 3 ? "k=1" : "k=2", i, 10, i < 3 ? 40 + i : 20 + i, NAN);

      made_figure (run, "test.violation", i < 3 ? -2 : -1);
      made_figure (run, "test.zero", i < 3 ? 0 : 1);
      if (i == 0 || i == 3)
        made_figure (run, "test.once", 4 + i);
    }
  sl_trade_settle (&trade, &(SlTradeView) { 0 });
  gaps = sl_trade_gaps (&trade, 0, 1);
  g_assert_true (sl_gap_chart_update (&chart, &trade, gaps, 0, 1, &figure));
  g_assert_cmpuint (figure.categories.n, ==, gaps->len - 1); /* of nothing there are no percents */
  for (unsigned c = 0; c < figure.n_curves; c++)
    for (size_t i = 0; i < figure.curve[c].n; i++)
      {
        const SlCurve *curve = &figure.curve[c];
        const char    *name = sl_english_text (
             figure.categories.name[figure.categories.n - 1 - (size_t) curve->y[i]]);

        g_assert_true (isfinite (curve->spread_x[i]));
        if (g_str_equal (name, "largest load ÷ mean − 1 (MaxVio), test"))
          g_assert_cmpfloat_with_epsilon (curve->x[i], 50, 1e-9);
        else if (g_str_equal (name, "test error"))
          g_assert_cmpfloat_with_epsilon (curve->x[i], 100.0 * (24 - 41) / 41, 1e-9);
        else if (g_str_equal (name, "once, test"))
          g_assert_cmpfloat (curve->spread_x[i], ==, 0);
        seen++;
        known += g_str_has_suffix (name, "MaxVio), test") || g_str_equal (name, "test error")
                 || g_str_equal (name, "once, test");
      }
  g_assert_cmpuint (seen, ==, figure.categories.n);
  g_assert_cmpuint (known, ==, 3);
  g_assert_cmpstr (sl_english_text (figure.note), ==,
                   "n = at most 3 and 3; bars: 95 % intervals by Welch.");
  g_array_set_size (gaps, 1);
  sl_gap_chart_update (&chart, &trade, gaps, 0, 1, &figure);
  g_assert_cmpstr (sl_english_text (figure.note), ==,
                   "n = 3 and 3; bars: 95 % intervals by Welch.");

  /* Groups that mix settings say so, in the order that is wanted. */
  for (unsigned i = 0; i < 2; i++)
    add (&trade, "gate=bias k=4", 7 + i, 10, 30, NAN);
  g_assert_true (sl_field_find ("gate", NULL, &field));
  sl_trade_settle (&trade, &(SlTradeView) { .group = &field });
  sl_trade_lead (&trade, 7);
  g_clear_pointer (&gaps, g_array_unref);
  gaps = sl_trade_gaps (&trade, trade.pair[0], trade.pair[1]);
  sl_gap_chart_update (&chart, &trade, gaps, trade.pair[0], trade.pair[1], &figure);
  g_assert_cmpstr (sl_english_text (figure.note), ==,
                   "n = 2 and 6; bars: 95 % intervals by Welch. A group has up to 2 settings.");
  g_assert_cmpstr (sl_english_text (figure.title), ==, "gate = noisy minus gate = bias");
  sl_figure_clear (&figure);
  sl_gap_chart_clear (&chart);
  sl_trade_clear (&trade);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trade/points", test_points);
  g_test_add_func ("/trade/parameter", test_parameter);
  g_test_add_func ("/trade/dense", test_dense);
  g_test_add_func ("/trade/names", test_names);
  g_test_add_func ("/trade/parts", test_parts);
  g_test_add_func ("/trade/curves", test_curves);
  g_test_add_func ("/trade/gaps", test_gaps);
  return g_test_run ();
}
