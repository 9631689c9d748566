/* SPDX-License-Identifier: MIT
 *
 * The question of a step on the page of a lesson: how it is asked, and what is told afterwards.  */
#include "plot/page/question.h"

#include <glib/gi18n.h>
#include <math.h>

#include "core/run/base/language.h"
#include "core/run/lesson/ask.h"

static void
put_options (SlPage *page, const SlQuestion *question)
{
  sl_page_open (page, "options", '[');
  for (char **option = question->options; option != NULL && *option != NULL; option++)
    sl_page_text (page, NULL, sl_words (*option));
  sl_page_close (page);
}

/* To the last digit, because they are compared. */
static void
put_measured (SlPage *page, const SlQuestion *question, const SlRecord *record)
{
  g_autoptr (GArray) measured = sl_lesson_measured (question, record);

  sl_json_add_numbers (&page->json, "measured", (const double *) (const void *) measured->data,
                       measured->len, SL_JSON_PACKED);
}

static void
put_hint (SlPage *page, const SlQuestion *question)
{
  g_autofree char *hint = sl_question_hint (question);

  sl_page_text (page, "hint", hint);
}

static unsigned
decimals_of (const SlQuestion *question)
{
  return question->kind == SL_ASK_NUMBER
           ? (unsigned) CLAMP (ceil (-log10 (question->step) - 1e-9), 0.0, 6.0)
           : 0;
}

/* "You: %s. Measured: 29.2 %." */
static char *
tell_number (const SlQuestion *question, double measured)
{
  const char      *unit = sl_words (question->unit);
  g_autofree char *number = NULL;

  if (!isfinite (measured))
    return g_strdup_printf (_ ("You: %s. Nothing was measured."), "%s");
  number = g_strdup_printf ("%.*f%s%s", (int) decimals_of (question) + 1, measured,
                            *unit != '\0' ? "\302\240" : "", unit);
  return g_strdup_printf (_ ("You: %s. Measured: %s."), "%s", number);
}

static void
put_told_options (SlPage *page, const SlQuestion *question)
{
  for (unsigned i = 0; question->options[i] != NULL; i++)
    {
      const char      *chosen = sl_words (question->options[i]);
      g_autofree char *told
        = question->right == 0 || question->right == i + 1
            ? g_strdup_printf (_ ("You: %s."), chosen)
            : g_strdup_printf (_ ("You: %s. Right: %s."), chosen,
                               sl_words (question->options[question->right - 1]));

      sl_page_text (page, NULL, told);
    }
}

/* "told": of each option, or one sentence with a place for the guess or its distance. */
static void
put_told (SlPage *page, const SlQuestion *question, double measured, bool any)
{
  g_autofree char *within = sl_question_tolerance (question), *told = NULL, *whole = NULL;

  sl_page_open (page, "told", '[');
  if (question->kind == SL_ASK_CHOICE)
    put_told_options (page, question);
  else
    {
      told = question->kind == SL_ASK_NUMBER ? tell_number (question, measured)
             : any ? g_strdup (_ ("Your curve was off by %.3g on average."))
                   : g_strdup (_ ("Nothing was measured."));
      whole = within != NULL ? g_strdup_printf (_ ("%s Right is %s."), told, within) : NULL;
      sl_page_text (page, NULL, whole != NULL ? whole : told);
    }
  sl_page_close (page);
}

void
sl_page_question (SlPage *page, const SlQuestion *question, const SlLessonResult *result)
{
  bool any = result->record != NULL && isfinite (result->answer);

  sl_page_open (page, "question", '{');
  sl_page_text (page, "prompt", result->prompt);
  sl_page_text (page, "unit", sl_words (question->unit));
  sl_page_number (page, "step", question->step);
  sl_page_number (page, "decimals", decimals_of (question));
  put_hint (page, question);
  put_options (page, question);
  put_told (page, question, result->answer, any);
  if (question->kind == SL_ASK_CURVE && result->record != NULL)
    put_measured (page, question, result->record);
  sl_page_close (page);
}
