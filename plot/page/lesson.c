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
#include "core/run/lesson/ask.h"
#include "core/run/lesson/walk.h"
#include "plot/figure/panel.h"
#include "plot/page/private.h"
#include "plot/page/question.h"

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
  gboolean    kept_only; /* only what earlier steps kept: before the question is answered */
  double      guess;     /* what `guess` and `off` are */
  const char *guessed;   /* which of them the formula has; NULL: none yet */
} Names;

static const char *const guess_names[] = { "guess", "off" };

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
  Names *names = data;

  *value = (double) NAN;
  for (unsigned i = 0; i < G_N_ELEMENTS (guess_names); i++)
    if (g_str_equal (name, guess_names[i]))
      {
        names->guessed = guess_names[i];
        *value = names->guess;
        return TRUE;
      }
  if (!names->kept_only || is_kept (names->lesson, names->result->number, name))
    names->result->named (name, at, value, names->result->values);
  return TRUE;
}

/* Before the question is answered, with what does not depend on it. */
static void
put_text (Writing *writing, const SlLessonResult *result)
{
  const SlLessonStep *step = sl_lesson_step (writing->lesson, result->number);
  Names               names = { writing->lesson, result, .kept_only = TRUE, .guess = (double) NAN };
  g_autofree char    *before = NULL;

  sl_page_text (&writing->page, "text", result->text);
  if (step->question.kind == SL_ASK_NOTHING)
    return;
  before = sl_formula_fill (sl_words (step->text), find_name, &names, NULL);
  sl_page_text (&writing->page, "before", before);
}

static double
value_with (Names *names, const char *formula, double guess)
{
  double value = (double) NAN;

  names->guess = guess;
  sl_formula_value (formula, find_name, names, &value, NULL);
  return value;
}

/* A formula that a line is: what it is where the guess is 0, and by how much it rises with it.  What is none, such as a
 * guess that is divided by, is not told.  */
static void
put_line (SlPage *page, Names *names, const char *formula, const char *decimals)
{
  double at = value_with (names, formula, 0.0), by = value_with (names, formula, 1.0) - at;
  double far = value_with (names, formula, 1000.0);

  if (!(fabs (far - (at + 1000.0 * by)) <= 1e-6 * (fabs (far) + fabs (at))))
    at = (double) NAN;
  sl_page_open (page, NULL, '{');
  sl_page_text (page, "of", names->guessed);
  sl_page_number (page, "at", at);
  sl_page_number (page, "by", by);
  sl_page_number (page, "decimals", g_ascii_strtod (decimals, NULL));
  sl_page_close (page);
}

/* What is in braces with a guess in it is left to the page. */
static void
put_piece (Writing *writing, const SlLessonResult *result, const char *piece)
{
  Names            names = { writing->lesson, result, .guess = (double) NAN };
  const char      *colon = strrchr (piece, ':');
  g_autofree char *filled = sl_formula_fill (piece, find_name, &names, NULL), *formula = NULL;

  if (names.guessed == NULL || colon == NULL)
    {
      sl_page_text (&writing->page, NULL, filled);
      return;
    }
  formula = g_strndup (piece + 1, (gsize) (colon - piece - 1));
  put_line (&writing->page, &names, formula, colon + 1);
}

/* "reveal": texts, and lines over the guess. */
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
  sl_page_close (&writing->page);
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

/* A heat map or shares over updates, as they were at each moment of a step. */
typedef struct
{
  const SlLessonResult *result;
  unsigned              panel;
  SlRecord              record; /* up to the moment */
  SlFigure              figure;
} History;

/* The same axis along x at each moment. */
static void
draw_until (History *history, double step)
{
  SlView view;

  for (unsigned c = 0; c < history->record.layout.n; c++)
    if (history->record.layout.channel[c].series)
      sl_series_truncate (&history->record.series[c], step);
  sl_panel_update (&history->figure, &history->record, history->panel, NULL, 0);
  view = history->figure.view;
  view.zoomed = true;
  view.x_lo = 0.0;
  view.x_hi = (double) history->result->ended;
  sl_figure_set_view (&history->figure, &view);
  sl_figure_fit (&history->figure, HUGE_VAL);
}

static bool
begin_history (History *history)
{
  SlSettings settings = sl_recipe_settings (history->result->recipe, G_MAXUINT);

  sl_figure_clear (&history->figure);
  sl_record_clear (&history->record);
  history->figure = (SlFigure) { 0 };
  return sl_record_copy (&history->record, history->result->record, &settings);
}

static SlFigure *
history_at (unsigned moment, void *data)
{
  History *history = data;

  if (!begin_history (history))
    return NULL;
  draw_until (history, (double) sl_frames_step (history->result->frames, moment));
  return sl_figure_empty (&history->figure) ? NULL : &history->figure;
}

static bool
put_history (Writing *writing, const SlLessonResult *result, unsigned panel)
{
  History history = { .result = result, .panel = panel };
  bool    any = begin_history (&history);

  if (any)
    {
      SlFigure last = { 0 };

      sl_panel_update (&last, &history.record, panel, NULL, 0);
      sl_figure_fit (&last, HUGE_VAL);
      any = !sl_figure_empty (&last);
      if (any)
        sl_page_figures (&writing->page, result->record->lab->panels[panel].id, &last,
                         sl_frames_count (result->frames), history_at, &history);
      sl_figure_clear (&last);
    }
  sl_figure_clear (&history.figure);
  sl_record_clear (&history.record);
  return any;
}

/* Times are taken at the end. */
static bool
is_timed (const SlRecord *record, unsigned panel)
{
  const SlClock *clock = record->lab->clock;
  int            timed = clock != NULL ? sl_layout_find (&record->layout, clock->channel) : -1;

  return timed >= 0 && record->layout.channel[timed].panel == panel;
}

/* With its moments, or where those have nothing as it is at the end. */
static bool
put_panel (Writing *writing, const SlLessonResult *result, unsigned panel)
{
  SlPageRun run = { .record = result->record,
                    .recipe = result->recipe,
                    .frames = is_timed (result->record, panel) ? NULL : result->frames };

  if (sl_page_panel (&writing->page, &run, panel))
    return true;
  run.frames = NULL;
  return sl_page_panel (&writing->page, &run, panel);
}

/* What a panel does while the page waits for an answer, and then. */
static const char *
way_of (const SlLessonStep *step, const SlPanel *panel, bool drawn_on)
{
  bool told = step->question.kind != SL_ASK_NOTHING && sl_question_told_by (step, panel);

  if (sl_panel_is_series (panel->kind))
    return told ? "grows, withheld" : "grows";
  return told ? "withheld" : drawn_on ? "empty" : "";
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
      bool           drawn = on && (panel->kind == SL_SERIES || question->kind == SL_ASK_CURVE);
      bool           put = drawn || panel->kind == SL_SERIES
                             ? put_curves (writing, result->record, result->panel[i], drawn ? question : NULL)
                           : sl_panel_is_series (panel->kind)
                             ? put_history (writing, result, result->panel[i])
                             : put_panel (writing, result, result->panel[i]);

      if (!put)
        continue;
      place = on ? (int) ways->len : place;
      g_ptr_array_add (ways, (gpointer) way_of (step, panel, drawn));
    }
  sl_page_close (&writing->page);
  sl_page_open (&writing->page, "ways", '[');
  for (guint i = 0; i < ways->len; i++)
    sl_page_text (&writing->page, NULL, g_ptr_array_index (ways, i));
  sl_page_close (&writing->page);
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
  sl_page_close (&writing->page);
}

/* ---- steps ---- */

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
put_notes (Writing *writing, unsigned number)
{
  const SlLessonStep *step = sl_lesson_step (writing->lesson, number);

  sl_page_open (&writing->page, "notes", '[');
  if (step->question.kind == SL_ASK_NUMBER
      && sl_formula_is_timed (writing->lesson, number, step->question.answer))
    sl_page_text (&writing->page, NULL,
                  _ ("The time was measured on the computer that made this page; others differ."));
  if (step->go == SL_GO_RUN)
    sl_page_text (&writing->page, NULL,
                  _ ("The plots show a recorded run. In Sluice, its settings can be changed "
                     "while it runs."));
  sl_page_close (&writing->page);
}

static void
on_step (const SlLessonResult *result, gpointer data)
{
  Writing            *writing = data;
  const SlLessonStep *step = sl_lesson_step (writing->lesson, result->number);
  const SlQuestion   *question = &step->question;

  sl_page_open (&writing->page, NULL, '{');
  sl_page_text (&writing->page, "title", sl_words (step->title));
  put_text (writing, result);
  put_reveal (writing, result);
  put_notes (writing, result->number);
  if (question->kind != SL_ASK_NOTHING)
    {
      sl_page_question (&writing->page, question, result);
      add_answer (writing, result);
    }
  if (result->record != NULL)
    {
      sl_page_changes (&writing->page, result->record);
      put_moments (writing, result);
      put_panels (writing, result);
    }
  sl_page_close (&writing->page);
}

/* ---- the page ---- */

/* What the page says of its own, which finds it by its English. */
static const char *const words[] = {
  N_ ("%u of %u"),
  N_ ("%u of %u right"),
  N_ ("A name or code has 1 to 60 bytes, on one line."),
  N_ ("Answer"),
  N_ ("Back"),
  N_ ("Begin again"),
  N_ ("Moment of the training"),
  N_ ("Name or code"),
  N_ ("Next"),
  N_ ("Not marked"),
  N_ ("Not quite."),
  N_ ("Not right"),
  N_ ("Pause"),
  N_ ("Play"),
  N_ ("Right"),
  N_ ("Right."),
  N_ ("Save my answers"),
  N_ ("Saved as %s. Give this file to your teacher."),
  N_ ("Skip"),
  N_ ("Skipped"),
  N_ ("The lesson is over"),
  N_ ("What you answered"),
  N_ ("What you can do now"),
  N_ ("Your guess at %s: %s"),
  N_ ("Your guess, exact value"),
  N_ ("update %s"),
  N_ ("your guess"),
};

static void
put_words (SlPage *page)
{
  sl_page_open (page, "words", '{');
  for (unsigned i = 0; i < G_N_ELEMENTS (words); i++)
    if (!g_str_equal (_ (words[i]), words[i]))
      sl_page_text (page, words[i], _ (words[i]));
  sl_page_close (page);
}

static void
put_head (SlPage *page, const SlLesson *lesson)
{
  sl_page_text (page, "title", sl_words (lesson->title));
  sl_page_text (page, "summary", sl_words (lesson->summary));
  sl_page_text (page, "goal", sl_words (lesson->goal));
  sl_page_text (page, "saving",
                _ ("The file contains only guesses, measurements and this name or code."));
  /* Translators: the code of your language, as in <html lang="de">. */
  sl_page_text (page, "language", _ ("en"));
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
  sl_page_close (&writing.page);
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
