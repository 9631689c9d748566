/* SPDX-License-Identifier: MIT
 *
 * The answers of a class as figures: bars of options, numbers in bins, drawn curves.  */
#include <glib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/charts/class.h"
#include "plot/export/describe.h"
#include "tests/support/close.h"

static void
add_person (SlClass *class, const char *name, const char *answer)
{
  g_autofree char *text
    = g_strdup_printf ("{ \"sluice-answers\": 1, \"lesson\": \"A test\", \"of\": "
                       "\"0123456789abcdef\", \"name\": \"%s\", \"answers\": [ %s ] }",
                       name, answer);
  GError    *error = NULL;
  SlAnswers *answers = sl_answers_parse (text, strlen (text), name, &error);

  g_assert_no_error (error);
  sl_class_take (class, answers, name, &error);
  g_assert_no_error (error);
}

static void
add_number (SlClass *class, const char *name, const char *range, const char *unit, double guess,
            const char *measured)
{
  g_autofree char *answer
    = g_strdup_printf ("{ \"step\": 1, \"kind\": \"number\", \"prompt\": \"It is {a}. How many?\", "
                       "\"range\": [ %s ], \"unit\": \"%s\", \"guess\": %g%s }",
                       range, unit, guess, measured);

  add_person (class, name, answer);
}

static void
add_option (SlClass *class, const char *name, unsigned guess, unsigned right)
{
  g_autofree char *answer
    = g_strdup_printf ("{ \"step\": 2, \"kind\": \"choice\", \"prompt\": \"Which?\", \"options\": "
                       "[ \"yes\", \"no\", \"both\" ], %s \"guess\": %u }",
                       right > 0 ? "\"right\": 2," : "", guess);

  add_person (class, name, answer);
}

static const char *
note_of (const SlFigure *figure, char *text, size_t size)
{
  return sl_message_show (figure->note, NULL, text, size);
}

static SlClass *
numbers (const char *range, double third)
{
  SlClass *class = sl_class_new ();

  add_number (class, "Ada", range, "%", 5.0, ", \"measured\": 3");
  add_number (class, "Ben", range, "%", 8.0, ", \"measured\": 4");
  add_number (class, "Cem", range, "%", third, "");
  add_option (class, "Dilek", 1, 0);
  return class;
}

/* A bar for each whole number, as long as there are at most twenty of them and no other guess. */
static void
test_whole (void)
{
  static const struct
  {
    const char *range;
    double      guess;
    unsigned    bars;
    const char *first, *last;
    unsigned    in_first, in_last;
  } rows[] = {
    { "2, 8", 2.0, 7, "2", "8", 1, 1 },
    { "2, 8", 2.5, SL_CLASS_BINS, "2\342\200\2232.6", "7.4\342\200\2238", 1, 1 },
    { "0, 19", 0.0, 20, "0", "19", 1, 0 },
    { "0, 20", 20.0, SL_CLASS_BINS, "0\342\200\2232", "18\342\200\22320", 0, 1 },
    { "0.5, 8.5", 8.0, SL_CLASS_BINS, "0.5\342\200\2231.3", "7.7\342\200\2238.5", 0, 2 },
    { "0, 8.5", 8.0, SL_CLASS_BINS, "0\342\200\2230.85", "7.65\342\200\2238.5", 0, 2 },
    { "-3, 8", -3.0, 12, "\342\210\2223", "8", 1, 1 },
  };

  for (unsigned i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      SlClass *class = numbers (rows[i].range, rows[i].guess);
      SlClassChart chart = { 0 };
      SlFigure     figure = { 0 };
      double       sum = 0.0;

      sl_class_chart_update (&chart, class, 1, &figure);
      g_assert_cmpuint (figure.categories.n, ==, rows[i].bars);
      g_assert_cmpuint (figure.kind, ==, SL_BARS);
      g_assert_cmpstr (figure.categories.name[0], ==, rows[i].first);
      g_assert_cmpstr (figure.categories.name[rows[i].bars - 1], ==, rows[i].last);
      g_assert_null (figure.categories.name[rows[i].bars]);
      g_assert_cmpfloat (chart.y[0], ==, rows[i].in_first);
      g_assert_cmpfloat (chart.y[rows[i].bars - 1], ==, rows[i].in_last);
      g_assert_cmpuint (figure.n_curves, ==, 1);
      g_assert_cmpuint (figure.curve[0].n, ==, rows[i].bars);
      for (unsigned k = 0; k < rows[i].bars; k++)
        {
          sum += chart.y[k];
          g_assert_cmpfloat (figure.curve[0].x[k], ==, k);
        }
      g_assert_cmpfloat (sum, ==, 3.0);
      sl_figure_clear (&figure);
      sl_class_chart_clear (&chart);
      sl_class_free (class);
    }
}

/* Medians of guesses and measurements, with the unit where there is one. */
static void
test_note (void)
{
  SlClass *class = numbers ("0, 10", 6.0), *bare = sl_class_new ();
  SlClassChart chart = { 0 };
  SlFigure     figure = { .mark = 3.0 };
  uint64_t     version = figure.version;
  char         text[256];

  sl_class_chart_update (&chart, class, 1, &figure);
  g_assert_cmpstr (note_of (&figure, text, sizeof text), ==,
                   "measured 3.5 %, median of the guesses 6 %");
  g_assert_cmpstr (figure.x.unit, ==, "%");
  g_assert_cmpstr (figure.title, ==, "It is … How many?");
  g_assert_cmpfloat (figure.mark, ==, 4.0); /* 3.5, in the middle between the bars of 3 and 4 */
  g_assert_cmpstr (figure.mark_label, ==, "3.5 %");
  g_assert_true (figure.y.whole);
  g_assert_cmpfloat (figure.y.lo, ==, 0.0);
  g_assert_cmpfloat (figure.y.hi, >, 1.0);
  g_assert_cmpuint (figure.version, ==, version + 1);
  add_number (bare, "Ada", "0, 10", "", 1.0, "");
  add_number (bare, "Ben", "0, 10", "", 4.0, "");
  sl_class_chart_update (&chart, bare, 1, &figure);
  g_assert_cmpstr (note_of (&figure, text, sizeof text), ==, "median of the guesses 2.5");
  g_assert_null (figure.x.unit);
  g_assert_true (isnan (figure.mark));
  g_assert_null (figure.mark_label);
  sl_figure_clear (&figure);
  sl_class_chart_clear (&chart);
  sl_class_free (class);
  sl_class_free (bare);
}

static void
test_options (void)
{
  for (unsigned right = 0; right <= 2; right += 2)
    {
      SlClass *class = sl_class_new ();
      SlClassChart     chart = { 0 };
      SlFigure         figure = { 0 };
      SlFigure        *shown = &figure;
      char             text[256];
      g_autofree char *told = NULL;

      add_option (class, "Ada", 1, right);
      add_option (class, "Ben", 3, right);
      add_option (class, "Cem", 3, right);
      add_number (class, "Dilek", "0, 4", "", 2.0, "");
      sl_class_chart_update (&chart, class, 2, &figure);
      g_assert_cmpuint (figure.categories.n, ==, 3);
      g_assert_cmpstr (figure.categories.name[1], ==, "no");
      g_assert_cmpfloat (chart.y[0], ==, 1.0);
      g_assert_cmpfloat (chart.y[1], ==, 0.0);
      g_assert_cmpfloat (chart.y[2], ==, 2.0);
      g_assert_cmpstr (note_of (&figure, text, sizeof text), ==, right > 0 ? "right: no" : "");
      g_assert_cmpuint (figure.n_curves, ==, right > 0 ? 2 : 1);
      g_assert_true (figure.categories.stacked == (right > 0));
      told = sl_export_describe (&shown, 1);
      g_assert_nonnull (strstr (told, "1 at yes, ends with 2 at both; lowest 0 at no"));
      sl_figure_clear (&figure);
      sl_class_chart_clear (&chart);
      sl_class_free (class);
    }
}

/* The right option is counted in bars of its own. */
static void
test_right (void)
{
  SlClass *class = sl_class_new ();
  SlClassChart chart = { 0 };
  SlFigure     figure = { 0 };

  add_option (class, "Ada", 2, 2);
  add_option (class, "Ben", 3, 2);
  add_option (class, "Cem", 2, 2);
  sl_class_chart_update (&chart, class, 2, &figure);
  g_assert_cmpint (sl_figure_find (&figure, "right"), ==, 0);
  for (unsigned i = 0; i < 3; i++)
    {
      g_assert_cmpfloat (figure.curve[0].y[i], ==, i == 1 ? 2.0 : 0.0);
      g_assert_cmpfloat (figure.curve[1].y[i], ==, i == 2 ? 1.0 : 0.0);
    }
  g_assert_cmpuint (figure.curve[0].slot, !=, figure.curve[1].slot);
  sl_figure_clear (&figure);
  sl_class_chart_clear (&chart);
  sl_class_free (class);
}

/* In bins around what was measured a right guess is never with a wrong one, and the line is at its value. */
static void
test_bins (void)
{
  static const struct
  {
    const char *range, *known;
    double      truth, tolerance, guess[4];
  } rows[] = {
    { "0, 200", "\"tolerance\": 3, \"measured\": 104.1", 104.1, 3.0, { 100, 104, 110, 30 } },
    { "0, 100", "\"tolerance\": 4, \"measured\": 27.5", 27.5, 4.0, { 23.4, 23.6, 31.4, 31.6 } },
    { "0, 5", "\"tolerance\": 0.5, \"measured\": 5.25", 5.25, 0.5, { 0, 4.7, 4.8, 5 } },
    { "0, 0.5", "\"tolerance\": 0.04, \"measured\": 0.2", 0.2, 0.04, { 0.1, 0.2, 0.21, 0.25 } },
  };

  for (unsigned r = 0; r < G_N_ELEMENTS (rows); r++)
    {
      SlClass *class = sl_class_new ();
      SlClassChart     chart = { 0 };
      SlFigure         figure = { 0 };
      g_autofree char *known = g_strdup_printf (", %s", rows[r].known);
      double           right = 0.0, sum = 0.0;
      unsigned         at;

      for (unsigned i = 0; i < 4; i++)
        {
          const char name[] = { (char) ('a' + i), '\0' };

          add_number (class, name, rows[r].range, "%", rows[r].guess[i], known);
          right += fabs (rows[r].guess[i] - rows[r].truth) <= rows[r].tolerance;
        }
      sl_class_chart_update (&chart, class, 1, &figure);
      g_assert_cmpuint (figure.categories.n, <=, SL_CLASS_MOST);
      at = (unsigned) figure.mark;
      sl_assert_near (figure.mark, at + 0.5, 0.0, 1e-9);
      g_assert_cmpfloat (chart.y[at], ==, right);
      g_assert_cmpuint (sl_class_step_marks (class, 1).right, ==, (unsigned) right);
      for (unsigned i = 0; i < figure.categories.n; i++)
        sum += chart.y[i];
      g_assert_cmpfloat (sum, ==, 4.0);
      g_assert_true (strtod (figure.mark_label, NULL) > 0.0);
      sl_figure_clear (&figure);
      sl_class_chart_clear (&chart);
      sl_class_free (class);
    }
}

/* Numbers of hostile files end in few bins, and in a line only where there is a place for it. */
static void
test_far (void)
{
  static const char *const known[]
    = { ", \"tolerance\": 1e-300, \"measured\": 50", ", \"tolerance\": 1, \"measured\": 1e300",
        ", \"tolerance\": 0, \"measured\": 50",      ", \"tolerance\": 1e300, \"measured\": -1e300",
        ", \"tolerance\": 1e308, \"measured\": 50",  ", \"tolerance\": 1e308" };

  for (unsigned r = 0; r < G_N_ELEMENTS (known); r++)
    {
      SlClass *class = sl_class_new ();
      SlClassChart chart = { 0 };
      SlFigure     figure = { 0 };

      add_number (class, "Ada", "0, 100", "%", -1e300, known[r]);
      add_number (class, "Ben", "0, 100", "%", 70.5, known[r]);
      sl_class_chart_update (&chart, class, 1, &figure);
      g_assert_cmpuint (figure.categories.n, <=, SL_CLASS_MOST);
      g_assert_false (isinf (figure.mark));
      g_assert_cmpfloat (chart.y[0], ==, 1.0);
      sl_figure_clear (&figure);
      sl_class_chart_clear (&chart);
      sl_class_free (class);
    }
}

/* ---- curves ---- */

/* What a person drew, first + i, and what was measured, twice that, but for the last `missing`. */
static char *
curve_text (double first, unsigned missing)
{
  g_autoptr (GString) guess = g_string_new (NULL);
  g_autoptr (GString) measured = g_string_new (NULL);

  for (unsigned i = 0; i < SL_SKETCH_POINTS; i++)
    {
      g_string_append_printf (guess, "%s%g", i > 0 ? ", " : "", first + i);
      if (i + missing < SL_SKETCH_POINTS)
        g_string_append_printf (measured, "%s%g", i > 0 ? ", " : "", 2.0 * (first + i));
      else
        g_string_append_printf (measured, "%snull", i > 0 ? ", " : "");
    }
  return g_strdup_printf (
    "{ \"step\": 3, \"kind\": \"curve\", \"prompt\": \"How?\", \"range\": [ 1, "
    "100 ], \"along\": [ 8, 72 ], \"guess\": [ %s ], \"measured\": [ %s ] }",
    guess->str, measured->str);
}

static void
test_curves (void)
{
  SlClass *class = sl_class_new ();
  g_autofree char *one = curve_text (0.0, 4), *two = curve_text (10.0, 2);
  SlClassChart     chart = { 0 };
  SlFigure         figure = { 0 };
  const SlCurve   *measured;

  add_person (class, "Ada", one);
  add_option (class, "Ben", 1, 0);
  add_person (class, "Cem", two);
  sl_class_chart_update (&chart, class, 3, &figure);
  g_assert_cmpuint (figure.kind, ==, SL_PROFILE);
  g_assert_cmpfloat (figure.x.lo, ==, 8.0);
  g_assert_cmpfloat (figure.x.hi, ==, 72.0);
  g_assert_cmpfloat (figure.y.lo, ==, 1.0);
  g_assert_cmpfloat (figure.y.hi, ==, 100.0);
  g_assert_cmpuint (figure.n_curves, ==, 3);
  for (unsigned c = 0; c < 3; c++)
    {
      g_assert_true (figure.curve[c].ghost == (c < 2));
      g_assert_cmpuint (figure.curve[c].slot, ==, c < 2 ? 0 : 1);
      g_assert_cmpuint (figure.curve[c].group, ==, c < 2 ? 1 : 0);
      g_assert_true (figure.curve[c].bare);
      g_assert_cmpuint (figure.curve[c].n, ==, c < 2 ? SL_SKETCH_POINTS : SL_SKETCH_POINTS - 2);
    }
  g_assert_cmpstr (figure.note, ==, ""); /* without a tolerance nothing is marked */
  g_assert_cmpstr (figure.curve[1].id, ==, "guess-3");
  g_assert_cmpstr (figure.curve[1].title, ==, "Cem");
  g_assert_cmpfloat (figure.curve[1].y[5], ==, 15.0);
  measured = &figure.curve[2];
  for (unsigned i = 0; i < measured->n; i++)
    {
      /* The mean of both, and where the first run had ended, the other alone. */
      g_assert_cmpfloat (measured->y[i], ==,
                         i < SL_SKETCH_POINTS - 4 ? 10.0 + 2.0 * i : 20.0 + 2.0 * i);
      g_assert_cmpfloat (measured->x[i], ==, 8.0 + 2.0 * i);
    }
  sl_figure_clear (&figure);
  sl_class_chart_clear (&chart);
  sl_class_free (class);
}

/* Of curves the note says how many are right. */
static void
test_right_curves (void)
{
  static const double off[] = { 0.0, 3.9, 4.1 };
  SlClass *class = sl_class_new ();
  SlClassChart chart = { 0 };
  SlFigure     figure = { 0 };
  char         text[256];

  for (unsigned i = 0; i < G_N_ELEMENTS (off); i++)
    {
      g_autofree char *curve = curve_text (i, 0);
      g_autoptr (GString) answer = g_string_new (curve);
      g_autofree char *known = g_strdup_printf ("\"tolerance\": 4, \"off\": %g, \"guess\"", off[i]);
      const char       name[] = { (char) ('a' + i), '\0' };

      g_string_replace (answer, "\"guess\"", known, 1);
      add_person (class, name, answer->str);
    }
  sl_class_chart_update (&chart, class, 3, &figure);
  g_assert_cmpstr (note_of (&figure, text, sizeof text), ==, "2 of 3 right");
  sl_figure_clear (&figure);
  sl_class_chart_clear (&chart);
  sl_class_free (class);
}

/* The lesson knows what the axes are; answers that are not what it asks for have none. */
static void
test_axes (void)
{
  static const char *const labels[][2]
    = { { "update", "CV over the experts" }, { NULL, NULL }, { NULL, NULL } };
  static const unsigned steps[] = { 3, 1, 60 };

  for (unsigned i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      g_autoptr (GFile) file = sl_lesson_file ("4-collapse");
      g_autoptr (SlLesson) own = sl_lesson_load (file, NULL);
      SlAnswers *answers = sl_answers_new (own, "Ada");
      SlAnswer  *answer = sl_answers_add (answers, own, 2);
      SlClass *class = sl_class_new ();
      SlClassChart chart = { 0 };
      SlFigure     figure = { 0 };

      g_assert_cmpint (answer->kind, ==, SL_ASK_CURVE);
      answer->step = steps[i];
      g_assert_true (sl_class_take (class, answers, "a file", NULL));
      sl_class_chart_update (&chart, class, steps[i], &figure);
      g_assert_cmpstr (figure.x.label, ==, labels[i][0]);
      g_assert_cmpstr (figure.y.label, ==, labels[i][1]);
      sl_figure_clear (&figure);
      sl_class_chart_clear (&chart);
      sl_class_free (class);
    }
}

static void
test_title (void)
{
  static const char *const rows[][2] = {
    { "It is {a:1}.", "It is …" },
    { "{a} and {b}?", "… and …?" },
    { "An open { brace", "An open { brace" },
    { "{a}..", "…." },
    { "", "" },
  };
  char title[64];

  for (unsigned i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      sl_class_chart_title (rows[i][0], title, sizeof title);
      g_assert_cmpstr (title, ==, rows[i][1]);
    }
  sl_class_chart_title ("abcdef", title, 4);
  g_assert_cmpstr (title, ==, "abc");
  g_assert_cmpuint (sl_class_chart_across (1), ==, 1);
  g_assert_cmpuint (sl_class_chart_across (SL_CLASS_PAGE), ==, 1);
  g_assert_cmpuint (sl_class_chart_across (SL_CLASS_PAGE + 1), ==, 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/class/whole", test_whole);
  g_test_add_func ("/class/note", test_note);
  g_test_add_func ("/class/options", test_options);
  g_test_add_func ("/class/right", test_right);
  g_test_add_func ("/class/bins", test_bins);
  g_test_add_func ("/class/far", test_far);
  g_test_add_func ("/class/curves", test_curves);
  g_test_add_func ("/class/right-curves", test_right_curves);
  g_test_add_func ("/class/axes", test_axes);
  g_test_add_func ("/class/title", test_title);
  return g_test_run ();
}
