/* SPDX-License-Identifier: MIT
 *
 * See class.h.  */
#include "plot/charts/class.h"

#include <glib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/run/base/language.h"
#include "plot/base/scale.h"

void
sl_class_chart_clear (SlClassChart *chart)
{
  g_strfreev (chart->names);
  g_free (chart->x);
  g_free (chart->y);
  g_free (chart->mean);
  g_free (chart->mark);
  *chart = (SlClassChart) { 0 };
}

/* The first answer to a step, which has the question. */
static const SlAnswer *
question_of (const SlClass *class, unsigned step)
{
  const SlAnswer *answer = NULL;

  for (guint i = 0; answer == NULL && i < class->people->len; i++)
    answer = sl_class_answer (class, i, step);
  return answer;
}

/* ---- bars ---- */

/* Bars of one colour over the same categories, `n` values from `y` on. */
static void
add_bars (const SlClassChart *chart, SlFigure *figure, const char *id, const char *title,
          const double *y, unsigned slot)
{
  SlCurve *bars = sl_figure_curve (figure, id);

  if (bars == NULL)
    return;
  g_strlcpy (bars->title, title, sizeof bars->title);
  bars->slot = slot;
  bars->x = chart->x;
  bars->y = y;
  bars->n = figure->categories.n;
}

/* Bars for n categories; `y` has room for twice as many. */
static void
begin_bars (SlClassChart *chart, SlFigure *figure, unsigned n)
{
  chart->names = g_new0 (char *, n + 1);
  chart->x = g_new0 (double, n);
  chart->y = g_new0 (double, 2 * n);
  for (unsigned i = 0; i < n; i++)
    chart->x[i] = i; /* as the names are counted */
  figure->kind = SL_BARS;
  figure->x = (SlAxis) { .label = SL_MARK ("answer") };
  figure->y = (SlAxis) { .label = SL_MARK ("people"), .whole = true, .lo = 0.0, .hi = 1.0 };
  figure->categories.name = (const char *const *) chart->names;
  figure->categories.n = n;
  figure->categories.stacked = false;
}

/* Where the answers are counted: so many bins from `lo` on, each so wide. */
typedef struct
{
  unsigned n;
  double   lo, width;
  bool     whole; /* a bin for each whole number, in its middle */
} Bins;

/* Numbers of a class. */
typedef struct
{
  const SlAnswer *question;
  GArray         *guesses, *measured; /* of double */
  double          truth;              /* median of what was measured; not-a-number: nothing */
} Numbers;

static bool
is_whole (double value)
{
  return value == round (value);
}

/* Around what was measured, as wide as what is right, from the smallest to the largest guess, so that a guess that is right
 * never shares a bin with one that is not.  Where that is too many, an odd number of them is one.  */
static Bins
bins_around (const Numbers *numbers, double tolerance)
{
  double least = numbers->truth, most = numbers->truth, width = 2.0 * tolerance;
  double below, above;

  for (guint i = 0; i < numbers->guesses->len; i++)
    {
      double guess = CLAMP (g_array_index (numbers->guesses, double, i), numbers->question->lo,
                            numbers->question->hi);

      least = MIN (least, guess);
      most = MAX (most, guess);
    }
  do
    {
      below = MAX (ceil ((numbers->truth - least) / width - 0.5), 1.0);
      above = MAX (ceil ((most - numbers->truth) / width - 0.5), 1.0);
      width *= below + above + 1.0 > SL_CLASS_MOST ? 3.0 : 1.0;
    }
  while (below + above + 1.0 > SL_CLASS_MOST);
  return (Bins) { (unsigned) (below + above) + 1, numbers->truth - (below + 0.5) * width, width,
                  false };
}

/* A bin for each answer where a few whole numbers are all there is. */
static Bins
bins_of (const Numbers *numbers)
{
  const SlAnswer *question = numbers->question;
  double          span = question->hi - question->lo;
  bool            whole = is_whole (question->lo) && is_whole (span) && span < SL_CLASS_WHOLE;

  for (guint i = 0; i < numbers->guesses->len && whole; i++)
    whole = is_whole (g_array_index (numbers->guesses, double, i));
  if (whole)
    return (Bins) { (unsigned) span + 1, question->lo - 0.5, 1.0, true };
  if (fabs (numbers->truth - question->lo) < SL_CLASS_MOST * span && isfinite (SL_CLASS_MOST * span)
      && question->tolerance > 0.0 && question->tolerance <= span)
    return bins_around (numbers, question->tolerance);
  return (Bins) { SL_CLASS_BINS, question->lo, span / SL_CLASS_BINS, false };
}

static unsigned
bin_of (const Bins *bins, double value)
{
  return (unsigned) CLAMP ((value - bins->lo) / bins->width, 0.0, bins->n - 1.0);
}

static void
name_bins (SlClassChart *chart, const Bins *bins)
{
  double   last = bins->lo + bins->width * bins->n;
  unsigned digits = fmax (fabs (bins->lo), fabs (last)) < 1000.0 ? 3 : 6;
  char     from[40], to[40];

  for (unsigned i = 0; i < bins->n; i++)
    {
      double lo = bins->lo + bins->width * i;

      sl_number_text (bins->whole ? round (lo + 0.5) : lo, digits, from, sizeof from);
      sl_number_text (lo + bins->width, digits, to, sizeof to);
      chart->names[i] = bins->whole ? g_strdup (from) : g_strdup_printf ("%s–%s", from, to);
    }
}

static int
compare (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static double
median (GArray *values)
{
  if (values->len == 0)
    return (double) NAN;
  qsort (values->data, values->len, sizeof (double), compare);
  return (g_array_index (values, double, values->len / 2)
          + g_array_index (values, double, (values->len - 1) / 2))
         / 2.0;
}

static char *
number_text (double value, const char *unit)
{
  char number[40];

  sl_number_text (value, 3, number, sizeof number);
  return g_strjoin (unit[0] != '\0' ? " " : "", number, unit, NULL);
}

/* The runs of a class may have measured different numbers: the note has their median, too. */
static void
note_numbers (SlClassChart *chart, SlFigure *figure, const Numbers *numbers, const Bins *bins)
{
  g_autofree char *guess = number_text (median (numbers->guesses), numbers->question->unit);

  if (!isfinite (numbers->truth))
    {
      sl_message_print (figure->note, sizeof figure->note, "median of the guesses %s", guess);
      return;
    }
  chart->mark = number_text (numbers->truth, numbers->question->unit);
  figure->mark = (numbers->truth - bins->lo) / bins->width;
  figure->mark_label = chart->mark;
  sl_message_print (figure->note, sizeof figure->note, "measured %s, median of the guesses %s",
                    chart->mark, guess);
}

static void
take_numbers (Numbers *numbers, const SlClass *class, unsigned step)
{
  for (guint i = 0; i < class->people->len; i++)
    {
      const SlAnswer *answer = sl_class_answer (class, i, step);

      if (answer == NULL)
        continue;
      g_array_append_val (numbers->guesses, answer->number);
      if (isfinite (answer->measured))
        g_array_append_val (numbers->measured, answer->measured);
    }
  numbers->truth = median (numbers->measured);
}

static void
count_numbers (SlClassChart *chart, const SlClass *class, unsigned step, SlFigure *figure)
{
  g_autoptr (GArray) guesses = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) measured = g_array_new (FALSE, FALSE, sizeof (double));
  Numbers numbers = { question_of (class, step), guesses, measured, (double) NAN };
  double  most = 0.0;
  Bins    bins;

  take_numbers (&numbers, class, step);
  bins = bins_of (&numbers);
  begin_bars (chart, figure, bins.n);
  figure->x.unit = numbers.question->unit[0] != '\0' ? numbers.question->unit : NULL;
  name_bins (chart, &bins);
  for (guint i = 0; i < guesses->len; i++)
    chart->y[bin_of (&bins, g_array_index (guesses, double, i))] += 1.0;
  for (unsigned i = 0; i < bins.n; i++)
    most = MAX (most, chart->y[i]);
  figure->y.hi = 1.2 * most; /* room for what stands at the top of the line */
  add_bars (chart, figure, "people", SL_MARK ("people"), chart->y, 0);
  if (figure->n_curves > 0)
    figure->curve[0].bare = true; /* numbers on the bars would stand on that line */
  note_numbers (chart, figure, &numbers, &bins);
}

/* The right option has a colour of its own. */
static void
count_options (SlClassChart *chart, const SlClass *class, unsigned step, SlFigure *figure)
{
  const SlAnswer *question = question_of (class, step);
  unsigned        n = g_strv_length (question->options);

  begin_bars (chart, figure, n);
  for (unsigned i = 0; i < n; i++)
    chart->names[i] = g_strdup (question->options[i]);
  for (guint i = 0; i < class->people->len; i++)
    {
      const SlAnswer *answer = sl_class_answer (class, i, step);

      if (answer != NULL)
        chart->y[answer->option - 1 + (answer->option == question->right ? n : 0)] += 1.0;
    }
  if (question->right == 0)
    {
      add_bars (chart, figure, "people", SL_MARK ("people"), chart->y, 0);
      return;
    }
  figure->categories.stacked = true;
  add_bars (chart, figure, "right", SL_MARK ("right"), chart->y + n, 2);
  add_bars (chart, figure, "wrong", SL_MARK ("wrong"), chart->y, 1);
  sl_message_print (figure->note, sizeof figure->note, "right: %s",
                    sl_message_word (question->options[question->right - 1]).packed);
}

/* ---- curves ---- */

static void
add_curve (SlFigure *figure, const char *id, const char *title, const double *x, const double *y,
           bool guess)
{
  SlCurve *curve = sl_figure_curve (figure, id);

  if (curve == NULL)
    return;
  g_strlcpy (curve->title, title, sizeof curve->title);
  curve->style = SL_MEASURED;
  curve->slot = guess ? 0 : 1;
  curve->ghost = guess;
  curve->bare = true;
  if (guess)
    {
      curve->group = 1;
      g_strlcpy (curve->group_title, SL_MARK ("guesses"), sizeof curve->group_title);
    }
  curve->x = x;
  curve->y = y;
  for (curve->n = SL_SKETCH_POINTS; curve->n > 0 && !isfinite (y[curve->n - 1]);)
    curve->n--; /* runs that ended early measured nothing there */
}

/* The mean of what was measured, place by place. */
static double *
mean_of (const SlClass *class, unsigned step)
{
  double *mean = g_new0 (double, SL_SKETCH_POINTS);

  for (unsigned p = 0; p < SL_SKETCH_POINTS; p++)
    {
      unsigned n = 0;

      for (guint i = 0; i < class->people->len; i++)
        {
          const SlAnswer *answer = sl_class_answer (class, i, step);

          if (answer == NULL || !isfinite (answer->curve[p]))
            continue;
          mean[p] += answer->curve[p];
          n++;
        }
      mean[p] = n > 0 ? mean[p] / n : (double) NAN;
    }
  return mean;
}

/* Answers do not say what their axes are; the program's own lessons do.  A file may lie about its lesson. */
static void
name_axes (SlFigure *figure, const SlAnswers *answers, unsigned step)
{
  g_autoptr (SlLesson) lesson = sl_answers_find_lesson (answers);
  const SlQuestion *question = lesson != NULL && step <= lesson->steps->len
                                 ? &sl_lesson_step (lesson, step - 1)->question
                                 : NULL;
  SlLessonState     state;
  const SlPanel    *panel;

  if (question == NULL || question->kind != SL_ASK_CURVE)
    return;
  sl_lesson_state (lesson, step - 1, &state);
  panel = &state.lab->panels[sl_lab_panel (state.lab, question->panel)];
  figure->x.label = panel->x.label != NULL         ? panel->x.label
                    : state.lab->each_step != NULL ? state.lab->each_step
                                                   : "update";
  figure->x.unit = panel->x.unit;
  figure->y.label = panel->y.label != NULL ? panel->y.label : panel->title;
  figure->y.unit = panel->y.unit;
  g_free (state.data);
}

static void
draw_curves (SlClassChart *chart, const SlClass *class, unsigned step, SlFigure *figure)
{
  const SlAnswer *question = question_of (class, step);
  SlClassMarks    marks = sl_class_step_marks (class, step);

  figure->kind = SL_PROFILE;
  figure->x = (SlAxis) { .lo = question->from, .hi = question->to };
  figure->y = (SlAxis) { .lo = question->lo, .hi = question->hi };
  name_axes (figure, g_ptr_array_index (class->people, 0), step);
  chart->x = g_new (double, SL_SKETCH_POINTS);
  for (unsigned p = 0; p < SL_SKETCH_POINTS; p++)
    chart->x[p] = question->from + (question->to - question->from) * p / (SL_SKETCH_POINTS - 1.0);
  for (guint i = 0; i < class->people->len; i++)
    {
      const SlAnswer  *answer = sl_class_answer (class, i, step);
      g_autofree char *id = g_strdup_printf ("guess-%u", i + 1);

      if (answer != NULL)
        add_curve (figure, id, ((SlAnswers *) g_ptr_array_index (class->people, i))->name, chart->x,
                   answer->sketch, true);
    }
  if (marks.marked > 0)
    sl_message_print (figure->note, sizeof figure->note, "%u of %u right", marks.right,
                      marks.marked);
  chart->mean = mean_of (class, step);
  add_curve (figure, "measured", SL_MARK ("measured"), chart->x, chart->mean, false);
}

void
sl_class_chart_title (const char *prompt, char *title, size_t size)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (const char *c = prompt; *c != '\0'; c++)
    if (*c == '{' && strchr (c, '}') != NULL)
      {
        g_string_append (text, "…");
        c = strchr (c, '}');
        c += c[1] == '.'; /* that ends the sentence, as the dots do */
      }
    else
      g_string_append_c (text, *c);
  g_strlcpy (title, text->str, size);
}

void
sl_class_chart_update (SlClassChart *chart, const SlClass *class, unsigned step, SlFigure *figure)
{
  const SlAnswer *question = question_of (class, step);

  sl_class_chart_clear (chart);
  sl_figure_begin (figure);
  figure->mark = (double) NAN;
  figure->mark_label = NULL;
  figure->note[0] = '\0';
  sl_class_chart_title (figure->translated ? sl_words (question->prompt) : question->prompt,
                        figure->title, sizeof figure->title);
  switch (question->kind)
    {
    case SL_ASK_CHOICE: count_options (chart, class, step, figure); break;
    case SL_ASK_NUMBER: count_numbers (chart, class, step, figure); break;
    default: draw_curves (chart, class, step, figure); break;
    }
  sl_figure_end (figure);
  figure->version++;
}

unsigned
sl_class_chart_across (unsigned n)
{
  return n > SL_CLASS_PAGE ? 2 : 1;
}
