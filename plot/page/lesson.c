/* SPDX-License-Identifier: MIT
 *
 * The page of a lesson.  */
#include "plot/page/lesson.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/run/answers/answers.h"
#include "core/run/base/error.h"
#include "core/run/base/language.h"
#include "core/run/base/number.h"
#include "core/run/lesson/ask.h"
#include "core/run/lesson/walk.h"
#include "plot/figure/panel.h"
#include "plot/page/private.h"

enum { MOMENTS = 12 };

typedef struct
{
  SlPage          page;
  const SlLesson *lesson;
  SlAnswers      *answers; /* to all questions, with what was measured and without a guess */
} Writing;

/* ---- texts ---- */

/* Names of formulas at a step: what the run says, or less. */
typedef struct
{
  const SlLesson       *lesson;
  const SlLessonResult *result;
  gboolean kept_only; /* only what earlier steps kept: before the question is answered */
  gboolean guessed;   /* set: a guess is in the formula */
  SlPage  *page;      /* or NULL; gets the names and values */
} Names;

static gboolean
is_kept (const SlLesson *lesson, unsigned before, const char *name)
{
  for (unsigned i = 0; i < before; i++)
    {
      GPtrArray *keep = sl_lesson_step (lesson, i)->keep;

      for (guint k = 0; k < keep->len; k++)
        if (g_str_equal (((SlLessonKept *) g_ptr_array_index (keep, k))->name, name))
          return TRUE;
    }
  return FALSE;
}

static gboolean
find_name (const char *name, double at, double *value, gpointer data)
{
  Names           *names = data;
  gboolean         guess = g_str_equal (name, "guess") || g_str_equal (name, "off");
  char             place[SL_NUMBER_SIZE];
  g_autofree char *key
    = isnan (at) ? g_strdup (name) : g_strconcat (name, "@", sl_number_format (at, place), NULL);

  *value = (double) NAN;
  names->guessed = names->guessed || guess;
  if (!guess && (!names->kept_only || is_kept (names->lesson, names->result->number, name)))
    names->result->named (name, at, value, names->result->values);
  if (names->page != NULL && !guess)
    sl_page_number (names->page, key, *value);
  return TRUE;
}

/* Before the question is answered, with what does not depend on it. */
static void
put_text (Writing *writing, const SlLessonResult *result)
{
  const SlLessonStep *step = sl_lesson_step (writing->lesson, result->number);
  Names               names = { writing->lesson, result, .kept_only = TRUE };
  g_autofree char    *before = NULL;

  sl_page_text (&writing->page, "text", result->text);
  if (step->question.kind == SL_ASK_NOTHING)
    return;
  before = sl_formula_fill (sl_words (step->text), find_name, &names, NULL);
  sl_page_text (&writing->page, "before", before);
}

/* What is in braces with a guess in it is left to the page. */
static void
put_piece (Writing *writing, const SlLessonResult *result, const char *piece)
{
  Names            names = { writing->lesson, result };
  const char      *colon = strrchr (piece, ':');
  g_autofree char *filled = sl_formula_fill (piece, find_name, &names, NULL), *formula = NULL;
  double           value;

  if (!names.guessed || colon == NULL)
    {
      sl_page_text (&writing->page, NULL, filled);
      return;
    }
  formula = g_strndup (piece + 1, (gsize) (colon - piece - 1));
  names.page = &writing->page;
  sl_page_open (&writing->page, NULL, '{');
  sl_page_text (&writing->page, "formula", formula);
  sl_page_number (&writing->page, "decimals", g_ascii_strtod (colon + 1, NULL));
  sl_page_open (&writing->page, "values", '{');
  sl_formula_value (formula, find_name, &names, &value, NULL);
  sl_page_close (&writing->page, '}');
  sl_page_close (&writing->page, '}');
}

/* "reveal": texts, and formulas with a guess in them. */
static void
put_reveal (Writing *writing, const SlLessonResult *result)
{
  const char *text = sl_words (sl_lesson_step (writing->lesson, result->number)->reveal);

  sl_page_open (&writing->page, "reveal", '[');
  while (text != NULL && *text != '\0')
    {
      const char      *end = *text == '{' ? strchr (text, '}') : strchr (text, '{');
      gsize            n = end == NULL ? strlen (text) : (gsize) (end - text) + (*text == '{');
      g_autofree char *piece = g_strndup (text, n);

      put_piece (writing, result, piece);
      text += n;
    }
  sl_page_close (&writing->page, ']');
}

/* ---- plots ---- */

/* As the axes of a drawn guess have to be, or so wide that any guess of a number is in them. */
static SlView
view_for (const SlFigure *figure, const SlQuestion *question)
{
  SlView view = figure->view;

  view.log_x = view.log_y = false;
  if (question == NULL)
    return view;
  view.y_locked = true;
  view.y_lo = question->lo;
  view.y_hi = question->hi;
  if (question->kind == SL_ASK_CURVE)
    {
      view.zoomed = true;
      view.x_lo = question->from;
      view.x_hi = question->to;
    }
  else
    {
      view.y_lo = MIN (view.y_lo, figure->y_range.lo);
      view.y_hi = MAX (view.y_hi, figure->y_range.hi);
    }
  return view;
}

/* Curves have linear axes in a lesson.  `question` is the one that is about the panel, or NULL. */
static bool
put_curves (Writing *writing, const SlRecord *record, unsigned panel, const SlQuestion *question)
{
  SlFigure figure = { 0 };
  SlView   view;
  bool     any;

  sl_panel_update (&figure, record, panel, NULL, 0);
  any = !sl_figure_empty (&figure);
  if (any)
    {
      sl_figure_fit (&figure, HUGE_VAL);
      view = view_for (&figure, question);
      sl_figure_set_view (&figure, &view);
      sl_page_figure (&writing->page, record->lab->panels[panel].id, &figure);
    }
  sl_figure_clear (&figure);
  return any;
}

/* With its moments, or where those have nothing, such as times, as it is at the end. */
static bool
put_panel (Writing *writing, const SlLessonResult *result, unsigned panel)
{
  SlPageRun run = { .record = result->record,
                    .recipe = result->recipe,
                    .frames = result->frames,
                    .dataset = result->dataset };

  if (sl_page_panel (&writing->page, &run, panel))
    return true;
  run.frames = NULL;
  return sl_page_panel (&writing->page, &run, panel);
}

/* What a panel does while the page waits for an answer, and then. */
static const char *
way_of (const SlLessonStep *step, const SlPanel *panel, bool drawn_on)
{
  if (step->question.kind != SL_ASK_NOTHING && sl_question_told_by (step, panel))
    return "withheld";
  if (sl_panel_is_series (panel->kind))
    return "grows";
  return drawn_on ? "empty" : "";
}

static void
put_panels (Writing *writing, const SlLessonResult *result)
{
  const SlLessonStep *step = sl_lesson_step (writing->lesson, result->number);
  const SlQuestion   *question = &step->question;
  const SlLab        *lab = result->record->lab;
  g_autoptr (GPtrArray) ways = g_ptr_array_new ();
  unsigned channel;
  double   at = 1.0;
  int asked = sl_question_panel (question, lab, &result->record->layout, &channel, &at), place = -1;

  sl_page_open (&writing->page, "panels", '[');
  for (unsigned i = 0; i < result->n_panels; i++)
    {
      const SlPanel *panel = &lab->panels[result->panel[i]];
      bool           on = asked == (int) result->panel[i];
      bool           series = sl_panel_is_series (panel->kind);
      bool           drawn = on && (series || question->kind == SL_ASK_CURVE);

      if (!(drawn || series
              ? put_curves (writing, result->record, result->panel[i], drawn ? question : NULL)
              : put_panel (writing, result, result->panel[i])))
        continue;
      place = on ? (int) ways->len : place;
      g_ptr_array_add (ways, (gpointer) way_of (step, panel, drawn));
    }
  sl_page_close (&writing->page, ']');
  sl_page_open (&writing->page, "ways", '[');
  for (guint i = 0; i < ways->len; i++)
    sl_page_text (&writing->page, NULL, g_ptr_array_index (ways, i));
  sl_page_close (&writing->page, ']');
  sl_page_number (&writing->page, "asked", place);
  sl_page_number (&writing->page, "place", at);
}

static void
put_moments (Writing *writing, const SlLessonResult *result)
{
  sl_page_number (&writing->page, "began", (double) result->began);
  sl_page_open (&writing->page, "moments", '[');
  for (unsigned i = 0; i < sl_frames_count (result->frames); i++)
    sl_page_number (&writing->page, NULL, (double) sl_frames_step (result->frames, i));
  sl_page_close (&writing->page, ']');
}

/* ---- questions ---- */

static void
put_options (SlPage *page, const SlQuestion *question)
{
  sl_page_open (page, "options", '[');
  for (char **option = question->options; option != NULL && *option != NULL; option++)
    sl_page_text (page, NULL, sl_words (*option));
  sl_page_close (page, ']');
}

/* To the last digit, because they are compared. */
static void
put_measured (SlPage *page, const SlQuestion *question, const SlRecord *record)
{
  g_autoptr (GArray) measured = sl_lesson_measured (question, record);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < measured->len; i++)
    {
      char number[SL_NUMBER_SIZE];

      g_string_append_printf (text, "%s%s", i > 0 ? " " : "",
                              sl_number_format (g_array_index (measured, double, i), number));
    }
  sl_page_text (page, "measured", text->str);
  g_string_free (text, TRUE);
}

static void
put_question (Writing *writing, const SlLessonResult *result)
{
  const SlQuestion *question = &sl_lesson_step (writing->lesson, result->number)->question;
  SlPage           *page = &writing->page;
  g_autofree char  *within = sl_question_tolerance (question);

  sl_page_open (page, "question", '{');
  sl_page_text (page, "prompt", result->prompt);
  sl_page_text (page, "unit", sl_words (question->unit));
  sl_page_number (page, "step", question->step);
  sl_page_number (page, "decimals",
                  question->kind == SL_ASK_NUMBER
                    ? CLAMP (ceil (-log10 (question->step) - 1e-9), 0.0, 6.0)
                    : 0.0);
  sl_page_text (page, "within", within);
  sl_page_bool (page, "timed",
                question->kind == SL_ASK_NUMBER
                  && sl_formula_is_timed (writing->lesson, result->number, question->answer));
  put_options (page, question);
  if (question->kind == SL_ASK_CURVE && result->record != NULL)
    put_measured (page, question, result->record);
  sl_page_close (page, '}');
}

/* Guesses are filled in by the page, and its distance from a curve. */
static void
add_answer (Writing *writing, const SlLessonResult *result)
{
  const SlQuestion *question = &sl_lesson_step (writing->lesson, result->number)->question;
  SlAnswer         *answer = sl_answers_add (writing->answers, writing->lesson, result->number);

  answer->measured = question->kind == SL_ASK_CURVE ? 0.0 : result->answer;
  if (question->kind == SL_ASK_CURVE && result->record != NULL)
    sl_lesson_curve (question, result->record, answer->curve);
}

static void
on_step (const SlLessonResult *result, gpointer data)
{
  Writing            *writing = data;
  const SlLessonStep *step = sl_lesson_step (writing->lesson, result->number);

  sl_page_open (&writing->page, NULL, '{');
  sl_page_text (&writing->page, "title", sl_words (step->title));
  put_text (writing, result);
  put_reveal (writing, result);
  sl_page_bool (&writing->page, "free", step->go == SL_GO_RUN);
  if (step->question.kind != SL_ASK_NOTHING)
    {
      put_question (writing, result);
      add_answer (writing, result);
    }
  if (result->record != NULL)
    {
      sl_page_changes (&writing->page, result->record);
      put_moments (writing, result);
      put_panels (writing, result);
    }
  sl_page_close (&writing->page, '}');
}

/* ---- the page ---- */

/* What the page says of its own, which finds it by its English. */
static const char *const words[] = {
  N_ ("Answer"),
  N_ ("Skip"),
  N_ ("Back"),
  N_ ("Next"),
  N_ ("Begin again"),
  N_ ("Play"),
  N_ ("Pause"),
  N_ ("update %s"),
  N_ ("Moment of the training"),
  N_ ("%u of %u"),
  N_ ("Your guess"),
  N_ ("your guess"),
  N_ ("Your guess, exact value"),
  N_ ("Your guess at %s: %s"),
  N_ ("A guess is right %s."),
  N_ ("Draw on the plot with the pointer, or select the plot and use the arrow keys."),
  N_ ("Right."),
  N_ ("Not quite."),
  N_ ("Right"),
  N_ ("Not right"),
  N_ ("Not marked"),
  N_ ("Skipped"),
  N_ ("You: %s."),
  N_ ("You: %s. Right: %s."),
  N_ ("You: %s. Measured: %s."),
  N_ ("You: %s. Nothing was measured."),
  N_ ("Nothing was measured."),
  N_ ("Your curve was off by %.3g on average."),
  N_ ("%s Right is %s."),
  N_ ("The lesson is over"),
  N_ ("What you answered"),
  N_ ("%u of %u right"),
  N_ ("What you can do now"),
  N_ ("Save my answers"),
  N_ ("Name or code"),
  N_ ("The file contains only the guesses, what was measured, and this name or code."),
  N_ ("A short name or code, at most 60 bytes long"),
  N_ ("Saved as %s. Give this file to your teacher."),
  N_ ("Answer or skip the question to see what was recorded."),
  N_ ("The plots are of a recorded run. In Sluice this step can be changed while it runs."),
  N_ ("The time was measured on the computer that made this page; another has another one."),
  N_ ("About %u minutes"),
};

static void
put_words (SlPage *page)
{
  sl_page_open (page, "words", '{');
  for (unsigned i = 0; i < G_N_ELEMENTS (words); i++)
    if (!g_str_equal (_ (words[i]), words[i]))
      sl_page_text (page, words[i], _ (words[i]));
  sl_page_close (page, '}');
}

static void
put_head (SlPage *page, const SlLesson *lesson)
{
  sl_page_text (page, "title", sl_words (lesson->title));
  sl_page_text (page, "summary", sl_words (lesson->summary));
  sl_page_text (page, "goal", sl_words (lesson->goal));
  sl_page_number (page, "minutes", lesson->minutes);
  /* Translators: the code of your language, as in <html lang="de">. */
  sl_page_text (page, "language", C_ ("code of the language", "en"));
  put_words (page);
}

GBytes *
sl_page_lesson (const SlLesson *lesson, GError **error)
{
  g_autoptr (SlAnswers) answers = sl_answers_new (lesson, "");
  Writing          writing = { .lesson = lesson, .answers = answers };
  g_autofree char *file = NULL;
  SlStatus         status;
  GBytes          *page;

  sl_page_begin (&writing.page, "lesson");
  put_head (&writing.page, lesson);
  sl_page_open (&writing.page, "steps", '[');
  status = sl_lesson_walk_watched (lesson, MOMENTS, on_step, &writing);
  sl_page_close (&writing.page, ']');
  file = sl_answers_write (answers);
  sl_page_text (&writing.page, "file", file);
  page = sl_page_end (&writing.page, sl_words (lesson->title), NULL, error);
  if (sl_ok (&status))
    return page;
  g_clear_pointer (&page, g_bytes_unref);
  g_clear_error (error);
  sl_status_good (&status, error);
  return NULL;
}
