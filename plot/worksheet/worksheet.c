/* SPDX-License-Identifier: MIT
 *
 * See worksheet.h.  The type is as large as two pages allow.  */
#include "plot/worksheet/worksheet.h"

#include <cairo-pdf.h>
#include <glib/gi18n.h>
#include <math.h>

#include "core/run/base/error.h"
#include "core/run/base/language.h"
#include "core/run/lesson/ask.h"
#include "core/run/state/state.h"
#include "plot/base/theme.h"
#include "plot/base/xml.h"
#include "plot/worksheet/private.h"

#define PT_PER_PX 0.75

static const double LARGEST = 14.0, READABLE = 12.5, SMALLEST = 9.5,
                    SMALLER = 0.25; /* px of the running text */

SlText *
sl_worksheet_text (void)
{
  return sl_text_new (sl_theme_get (SL_THEME_LIGHT).family);
}

/* ---- parts ---- */

/* The line of the state of a step; NULL where there is none. */
static char *
state_line (const SlLesson *lesson, unsigned step)
{
  SlState       state = { .panel = -1 };
  SlLessonState at;
  SlStatus      status = sl_lesson_state (lesson, step, &at);
  char         *line = NULL;

  state.lab = at.lab;
  state.settings = at.settings;
  state.seed = at.seed;
  if (at.data != NULL)
    g_strlcpy (state.data, at.data, sizeof state.data);
  if (sl_ok (&status) && at.lab != NULL)
    line = sl_state_write (&state, NULL);
  g_free (at.data);
  return line;
}

void
sl_worksheet_head (SlPaper *paper, const SlLesson *lesson, bool key)
{
  const char      *title = sl_words (lesson->title);
  g_autofree char *whole = key ? g_strdup_printf (_ ("Key: %s"), title) : g_strdup (title);
  g_autofree char *goal
    = *lesson->goal != '\0' ? g_strdup_printf (_ ("Goal: %s"), sl_words (lesson->goal)) : NULL;
  g_autofree char *minutes
    = lesson->minutes > 0 ? g_strdup_printf (_ ("Time: %u minutes"), lesson->minutes) : NULL;

  sl_paper_words (paper, whole, 0.0, 1.5, true, key ? 0.3 : 0.5);
  if (!key)
    {
      sl_paper_words (paper, _ ("Name or code:"), 0.0, 1.0, false, 0.5);
      sl_paper_rule (paper,
                     paper->left
                       + sl_text_width (paper->text, _ ("Name or code:"), paper->type, false) + 6.0,
                     paper->y - 0.7 * paper->type, paper->left + SL_PAPER_PX (95.0),
                     paper->y - 0.7 * paper->type, 0.6, 0.3);
    }
  sl_paper_words (paper, sl_words (lesson->summary), 0.0, 1.0, false, 0.3);
  if (goal != NULL)
    sl_paper_words (paper, goal, 0.0, 1.0, false, 0.3);
  if (minutes != NULL)
    sl_paper_words (paper, minutes, 0.0, 1.0, false, 0.3);
  if (sl_worksheet_has_times (lesson))
    sl_paper_words (paper,
                    key ? _ ("* marks a time measured on this machine; yours has another.")
                        : _ ("* marks a time: measure it on your machine."),
                    0.0, 1.0, false, 0.3);
  paper->y += 0.4 * paper->type;
}

void
sl_worksheet_heading (SlPaper *paper, const SlLesson *lesson, unsigned number)
{
  const SlLessonStep *step = sl_lesson_step (lesson, number);
  const char         *level = sl_level_titles[step->level];
  g_autofree char    *heading
    = *level != '\0'
        ? g_strdup_printf ("%u  %s  (%s)", number + 1, sl_words (step->title), gettext (level))
        : g_strdup_printf ("%u  %s", number + 1, sl_words (step->title));

  sl_paper_need (paper, 4.0 * paper->type);
  sl_paper_words (paper, heading, 0.0, 1.1, true, 0.1);
}

static void
write_options (SlPaper *paper, const SlLesson *lesson, unsigned number)
{
  const SlQuestion *question = &sl_lesson_step (lesson, number)->question;
  unsigned          options = g_strv_length (question->options);
  double            indent = 3.4 * paper->type;

  for (unsigned place = 0, option; place < options; place++)
    {
      double      box = 0.75 * paper->type, x = paper->left + 0.9 * paper->type, y;
      char        letter[] = { sl_worksheet_option (lesson, number, place, &option), '\0' };
      const char *words = sl_words (question->options[option]);

      sl_paper_need (paper, sl_paper_height (paper, words, indent, 1.0, 0.15));
      y = paper->y + 0.27 * paper->type;
      sl_paper_rule (paper, x, y, x + box, y, 0.8, 0.0);
      sl_paper_rule (paper, x, y + box, x + box, y + box, 0.8, 0.0);
      sl_paper_rule (paper, x, y, x, y + box, 0.8, 0.0);
      sl_paper_rule (paper, x + box, y, x + box, y + box, 0.8, 0.0);
      sl_paper_put (paper, x + 1.2 * paper->type, paper->y + paper->type, letter, paper->type,
                    false, 0.0);
      sl_paper_words (paper, words, indent, 1.0, false, 0.15);
    }
}

/* Two places for numbers, and how near the first has to be to the second. */
static void
write_numbers (SlPaper *paper, const SlLesson *lesson, unsigned number)
{
  const SlQuestion *question = &sl_lesson_step (lesson, number)->question;
  g_autofree char  *within = sl_question_tolerance (question);
  g_autofree char  *right = within != NULL ? g_strdup_printf ("      (%s)", within) : g_strdup ("");
  const char       *unit = sl_words (question->unit);
  const char       *star = sl_worksheet_asks_time (lesson, number) ? "*" : "";
  g_autofree char  *places
    = g_strdup_printf (_ ("My guess: __________ %s      Measured: __________ %s"), unit, unit);
  g_autofree char *line = g_strconcat (places, star, right, NULL);

  sl_paper_words (paper, line, 0.9 * paper->type, 1.0, false, 0.3);
}

static void
write_axes (SlPaper *paper, const SlLesson *lesson, unsigned number)
{
  const SlQuestion *question = &sl_lesson_step (lesson, number)->question;
  g_autofree char  *within = sl_question_tolerance (question);
  const char       *ask = _ ("Draw your guess, then the measured curve in another colour");
  g_autofree char  *line
    = g_strconcat (ask, within != NULL ? " (" : ":", within, within != NULL ? "):" : NULL, NULL);
  SlLessonState state;

  sl_lesson_state (lesson, number, &state);
  sl_paper_words (paper, line, 0.9 * paper->type, 1.0, false, 0.3);
  sl_worksheet_axes (paper, question, state.lab, NULL);
  g_free (state.data);
}

static void
write_place (SlPaper *paper, const SlLesson *lesson, unsigned number)
{
  switch (sl_lesson_step (lesson, number)->question.kind)
    {
    case SL_ASK_CHOICE: write_options (paper, lesson, number); break;
    case SL_ASK_NUMBER: write_numbers (paper, lesson, number); break;
    case SL_ASK_CURVE: write_axes (paper, lesson, number); break;
    default: break;
    }
}

/* Room for a reason. */
static void
write_why (SlPaper *paper)
{
  double      left = paper->left + 0.9 * paper->type;
  const char *because = _ ("because");

  sl_paper_need (paper, 1.7 * paper->type);
  sl_paper_words (paper, because, 0.9 * paper->type, 1.0, false, 0.4);
  sl_paper_rule (paper, left + sl_text_width (paper->text, because, paper->type, false) + 6.0,
                 paper->y - 0.6 * paper->type, paper->right, paper->y - 0.6 * paper->type, 0.6,
                 0.3);
}

static void
write_parts (SlPaper *paper, const SlLesson *lesson, unsigned number)
{
  const SlLessonStep *step = sl_lesson_step (lesson, number);
  bool                asked = step->question.kind != SL_ASK_NOTHING;
  g_autofree char    *text = sl_worksheet_blanks (lesson, number, step->text, false);
  g_autofree char    *prompt
    = asked ? sl_worksheet_blanks (lesson, number, step->question.prompt, false) : NULL;
  g_autofree char *line = NULL;

  sl_worksheet_heading (paper, lesson, number);
  sl_paper_words (paper, text, 0.0, 1.0, false, 0.2);
  if (step->lab != NULL)
    line = state_line (lesson, number);
  if (line != NULL)
    {
      g_autofree char *state = g_strdup_printf (_ ("State: %s"), line);

      sl_paper_words (paper, state, 0.0, 0.9, false, 0.2);
    }
  if (asked)
    {
      sl_paper_words (paper, prompt, 0.0, 1.0, true, 0.2);
      write_place (paper, lesson, number);
      write_why (paper);
    }
  paper->y += 0.4 * paper->type;
}

static double
step_height (const SlPaper *paper, const SlLesson *lesson, unsigned number)
{
  SlPaper dry = *paper;

  dry.cr = NULL;
  dry.y = dry.top;
  dry.bottom = HUGE_VAL;
  write_parts (&dry, lesson, number);
  return dry.y - dry.top;
}

/* On one page, so that a question and its answer are not on two sides of a sheet. */
static void
write_step (SlPaper *paper, const SlLesson *lesson, unsigned number)
{
  sl_paper_need (paper, step_height (paper, lesson, number));
  write_parts (paper, lesson, number);
}

/* ---- pages ---- */

static unsigned
write_pages (const SlLesson *lesson, cairo_t *cr, SlText *text, double type, unsigned only)
{
  SlPaper paper;

  sl_paper_begin (&paper, cr, text, type, sl_words (lesson->title));
  paper.only = only;
  sl_worksheet_head (&paper, lesson, false);
  for (unsigned i = 0; i < lesson->steps->len; i++)
    write_step (&paper, lesson, i);
  sl_paper_end (&paper);
  return paper.pages;
}

/* The largest type, down to `least`, with which it fits on so many pages. */
static double
fit_type (const SlLesson *lesson, SlText *text, double least, unsigned pages)
{
  double type = LARGEST;

  while (type > least && write_pages (lesson, NULL, text, type, 0) > pages)
    type -= SMALLER;
  return type;
}

/* A slightly smaller type is better than a second page with a few lines. */
static double
find_type (const SlLesson *lesson, SlText *text)
{
  double type = fit_type (lesson, text, READABLE, 1);

  return write_pages (lesson, NULL, text, type, 0) == 1
           ? type
           : fit_type (lesson, text, SMALLEST, SL_WORKSHEET_PAGES);
}

static void
draw_all (cairo_t *cr, gpointer data)
{
  const SlLesson *lesson = data;
  SlText         *text = sl_worksheet_text ();

  write_pages (lesson, cr, text, find_type (lesson, text), 0);
  sl_text_free (text);
}

static cairo_status_t
collect (void *closure, const unsigned char *data, unsigned length)
{
  g_byte_array_append (closure, data, length);
  return CAIRO_STATUS_SUCCESS;
}

GBytes *
sl_worksheet_pdf (const char *title, SlWorksheetDraw draw, gpointer data, GError **error)
{
  GByteArray      *out = g_byte_array_new ();
  cairo_surface_t *pdf = cairo_pdf_surface_create_for_stream (
    collect, out, SL_PAPER_PX (210.0) * PT_PER_PX, SL_PAPER_PX (297.0) * PT_PER_PX);
  cairo_t         *cr = cairo_create (pdf);
  g_autofree char *holdable = sl_text_holdable (title);
  cairo_status_t   status;

  cairo_pdf_surface_set_metadata (pdf, CAIRO_PDF_METADATA_TITLE, holdable);
  cairo_pdf_surface_set_metadata (pdf, CAIRO_PDF_METADATA_CREATOR, "Sluice " SL_VERSION);
  /* The time would make every file different. */
  cairo_pdf_surface_set_metadata (pdf, CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z");
  cairo_scale (cr, PT_PER_PX, PT_PER_PX);
  draw (cr, data);
  cairo_destroy (cr);
  cairo_surface_finish (pdf);
  status = cairo_surface_status (pdf);
  cairo_surface_destroy (pdf);
  if (status == CAIRO_STATUS_SUCCESS)
    return g_byte_array_free_to_bytes (out);
  g_byte_array_unref (out);
  sl_fail (error, SL_ENOMEM, "PDF", cairo_status_to_string (status), NULL);
  return NULL;
}

GBytes *
sl_worksheet_write (const SlLesson *lesson, GError **error)
{
  return sl_worksheet_pdf (sl_words (lesson->title), draw_all, (gpointer) lesson, error);
}

unsigned
sl_worksheet_draw (const SlLesson *lesson, cairo_t *cr, unsigned page)
{
  SlText  *text = sl_worksheet_text ();
  double   type = find_type (lesson, text);
  unsigned pages = write_pages (lesson, NULL, text, type, 0);

  if (cr != NULL)
    {
      cairo_save (cr);
      cairo_scale (cr, PT_PER_PX, PT_PER_PX);
      write_pages (lesson, cr, text, type, page + 1);
      cairo_restore (cr);
    }
  sl_text_free (text);
  return pages;
}
