/* SPDX-License-Identifier: MIT
 *
 * The key: what the teacher should know, what was measured, and the curves of one run.  Figures are
 * recorded while the lesson goes on, because its runs end before the page is written.  */
#include "plot/worksheet/worksheet.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/run/base/error.h"
#include "core/run/base/language.h"
#include "core/run/lesson/ask.h"
#include "core/run/lesson/walk.h"
#include "plot/base/scale.h"
#include "plot/export/export.h"
#include "plot/figure/panel.h"
#include "plot/worksheet/private.h"

enum { ACROSS = 2, FIGURES_MAX = 8 };

static const double FIGURE_WIDTH = 85.0, FIGURE_HEIGHT = 58.0, CAPTION_HEIGHT = 6.0; /* mm */

/* Of a step, as the walk tells it. */
typedef struct
{
  char   *text, *answer, *reveal, *prompt; /* NULL: none */
  double *curve;                           /* (SL_SKETCH_POINTS) of a CURVE, else NULL */
} Measured;

typedef struct
{
  const SlLesson  *lesson;
  Measured        *measured; /* (steps) */
  cairo_surface_t *figure[FIGURES_MAX];
  unsigned         step[FIGURES_MAX]; /* that the figure is about */
  unsigned         n_figures;
} Key;

/* ---- what the walk tells ---- */

static cairo_surface_t *
record_figure (const SlRecord *record, unsigned panel)
{
  SlExportOptions  options = sl_export_options (SL_PRESET_COLUMN, 1);
  SlFigure         figure = { .translated = true }, *figures = &figure;
  cairo_surface_t *surface;

  options.width = FIGURE_WIDTH;
  options.height = FIGURE_HEIGHT;
  sl_panel_update (&figure, record, panel, NULL, 0);
  surface = sl_export_record (&figures, 1, &options);
  sl_figure_clear (&figure);
  return surface;
}

/* The panel that a step's question is about: the highlighted one, the first shown.  A drawn curve has axes of its
 * own, those of the sheet.  */
static int
panel_of (const SlLessonStep *step, const SlLab *lab)
{
  const char *id = step->point == SL_POINT_PANEL ? step->pointed
                   : step->show != NULL          ? step->show[0]
                                                 : NULL;

  return id != NULL && step->question.kind != SL_ASK_CURVE ? sl_lab_panel (lab, id) : -1;
}

static char *
option_text (const SlLesson *lesson, unsigned step)
{
  const SlQuestion *question = &sl_lesson_step (lesson, step)->question;
  unsigned          option = 0, place = 0;
  char              letter;

  if (question->right == 0)
    return NULL;
  do
    letter = sl_worksheet_option (lesson, step, place++, &option);
  while (option + 1 != question->right);
  return g_strdup_printf (_ ("Answer: %c  %s"), letter, sl_words (question->options[option]));
}

static char *
answer_text (const SlLesson *lesson, unsigned step, double answer)
{
  const SlQuestion *question = &sl_lesson_step (lesson, step)->question;
  g_autofree char  *within = sl_question_tolerance (question), *measured = NULL;
  char              number[40];

  if (question->kind == SL_ASK_CHOICE)
    return option_text (lesson, step);
  if (question->kind == SL_ASK_NOTHING || !isfinite (answer))
    return NULL;
  sl_number_text (answer, 3, number, sizeof number);
  measured = question->kind == SL_ASK_CURVE
               ? g_strdup_printf (_ ("Measured at the end of the curve: %s"), number)
               : g_strdup_printf (_ ("Measured: %s %s"), number, sl_words (question->unit));
  g_strchomp (measured);
  return g_strconcat (measured, sl_worksheet_asks_time (lesson, step) ? "*" : "",
                      within != NULL ? " (" : "", within, within != NULL ? ")" : NULL, NULL);
}

static void
on_step (const SlLessonResult *result, gpointer data)
{
  Key                *key = data;
  unsigned            number = result->number;
  const SlLessonStep *step = sl_lesson_step (key->lesson, number);
  int                 panel = result->record != NULL ? panel_of (step, result->record->lab) : -1;
  Measured           *measured = &key->measured[number];

  measured->text = g_strdup (result->text);
  measured->answer = answer_text (key->lesson, number, result->answer);
  measured->reveal = g_strdup (result->reveal);
  measured->prompt = g_strdup (result->prompt);
  if (step->question.kind == SL_ASK_CURVE && result->record != NULL)
    {
      measured->curve = g_new (double, SL_SKETCH_POINTS);
      sl_lesson_curve (&step->question, result->record, measured->curve);
    }
  if (panel >= 0 && step->question.kind != SL_ASK_NOTHING && key->n_figures < FIGURES_MAX)
    {
      key->step[key->n_figures] = number;
      key->figure[key->n_figures++] = record_figure (result->record, (unsigned) panel);
    }
}

/* ---- pages ---- */

static void
write_section (SlPaper *paper, const char *heading, const char *text)
{
  if (*text == '\0')
    return;
  sl_paper_need (paper, 4.0 * paper->type);
  sl_paper_words (paper, heading, 0.0, 1.1, true, 0.1);
  sl_paper_words (paper, sl_words (text), 0.0, 1.0, false, 0.5);
}

static void
write_parts (SlPaper *paper, const Key *key, unsigned number)
{
  const SlLessonStep *step = sl_lesson_step (key->lesson, number);
  const Measured     *measured = &key->measured[number];
  double              indent = 0.9 * paper->type;
  SlLessonState       state;

  sl_worksheet_heading (paper, key->lesson, number);
  if (strstr (measured->text, SL_PAPER_FILLED) != NULL)
    sl_paper_words (paper, measured->text, 0.0, 1.0, false, 0.2);
  if (measured->prompt != NULL)
    sl_paper_words (paper, measured->prompt, 0.0, 1.0, false, 0.2);
  if (measured->answer != NULL)
    sl_paper_words (paper, measured->answer, indent, 1.0, true, 0.2);
  if (measured->curve != NULL)
    {
      sl_lesson_state (key->lesson, number, &state);
      sl_worksheet_axes (paper, &step->question, state.lab, measured->curve);
      g_free (state.data);
    }
  if (measured->reveal != NULL)
    sl_paper_words (paper, measured->reveal, indent, 1.0, false, 0.0);
  paper->y += 0.5 * paper->type;
}

/* On one page, as on the sheet.  A step without blanks and without a question is not in the key. */
static void
write_step (SlPaper *paper, const Key *key, unsigned number)
{
  SlPaper dry = *paper;

  if (key->measured[number].prompt == NULL
      && strstr (key->measured[number].text, SL_PAPER_FILLED) == NULL)
    return;
  dry.cr = NULL;
  dry.y = dry.top;
  dry.bottom = HUGE_VAL;
  write_parts (&dry, key, number);
  sl_paper_need (paper, dry.y - dry.top);
  write_parts (paper, key, number);
}

/* A figure below the number and title of its step, because several steps may ask about one panel. */
static void
write_figure (SlPaper *paper, const Key *key, unsigned i, double x)
{
  double              width = SL_PAPER_PX (FIGURE_WIDTH), caption = SL_PAPER_PX (CAPTION_HEIGHT);
  const SlLessonStep *step = sl_lesson_step (key->lesson, key->step[i]);
  g_autofree char    *words = g_strdup_printf ("%u  %s", key->step[i] + 1, sl_words (step->title));

  cairo_save (paper->cr);
  cairo_rectangle (paper->cr, x, paper->y, width, caption + SL_PAPER_PX (FIGURE_HEIGHT));
  cairo_clip (paper->cr);
  sl_paper_put (paper, x, paper->y + paper->type, words, paper->type, true, 0.0);
  cairo_set_source_surface (paper->cr, key->figure[i], x, paper->y + caption);
  cairo_paint (paper->cr);
  cairo_restore (paper->cr);
}

static double
figures_height (const Key *key)
{
  return ceil (key->n_figures / (double) ACROSS)
         * SL_PAPER_PX (CAPTION_HEIGHT + FIGURE_HEIGHT + 3.0);
}

static void
write_figures (SlPaper *paper, const Key *key)
{
  double right = paper->right - SL_PAPER_PX (FIGURE_WIDTH);

  for (unsigned i = 0; i < key->n_figures; i++)
    {
      if (i % ACROSS == 0 && i > 0)
        paper->y += SL_PAPER_PX (CAPTION_HEIGHT + FIGURE_HEIGHT + 3.0);
      if (paper->cr != NULL)
        write_figure (paper, key, i, i % ACROSS == 0 ? paper->left : right);
    }
}

static void
draw_key (cairo_t *cr, gpointer data)
{
  const Key *key = data;
  SlText    *text = sl_worksheet_text ();
  SlPaper    paper;

  sl_paper_begin (&paper, cr, text, 12.5, sl_words (key->lesson->title));
  sl_worksheet_head (&paper, key->lesson, true);
  write_section (&paper, _ ("Misconception"), key->lesson->misconception);
  write_section (&paper, _ ("Teacher's notes"), key->lesson->notes);
  for (unsigned i = 0; i < key->lesson->steps->len; i++)
    write_step (&paper, key, i);
  if (key->n_figures > 0)
    {
      sl_paper_need (&paper, 3.0 * paper.type + figures_height (key));
      sl_paper_words (&paper, _ ("Plots of one run"), 0.0, 1.2, true, 0.5);
      write_figures (&paper, key);
    }
  sl_paper_end (&paper);
  sl_text_free (text);
}

static void
clear (Key *key)
{
  for (unsigned i = 0; i < key->lesson->steps->len; i++)
    {
      g_free (key->measured[i].text);
      g_free (key->measured[i].answer);
      g_free (key->measured[i].reveal);
      g_free (key->measured[i].prompt);
      g_free (key->measured[i].curve);
    }
  for (unsigned i = 0; i < key->n_figures; i++)
    cairo_surface_destroy (key->figure[i]);
  g_free (key->measured);
}

GBytes *
sl_worksheet_key (const SlLesson *lesson, GError **error)
{
  Measured *measured = g_new0 (Measured, lesson->steps->len);
  Key       key = { .lesson = lesson, .measured = measured };
  g_autoptr (SlLesson) marked = sl_worksheet_mark (lesson);
  SlStatus         status = sl_lesson_walk (marked, 0, on_step, &key);
  g_autofree char *title = g_strdup_printf (_ ("Key: %s"), sl_words (lesson->title));
  GBytes          *bytes = NULL;

  if (sl_status_good (&status, error))
    bytes = sl_worksheet_pdf (title, draw_key, &key, error);
  clear (&key);
  return bytes;
}
