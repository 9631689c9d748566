/* SPDX-License-Identifier: MIT
 *
 * The places of a text that wait for a number: empty on the sheet, filled in the key.  */
#include <glib/gi18n.h>
#include <string.h>

#include "core/run/base/language.h"
#include "core/run/lesson/ask.h"
#include "plot/worksheet/private.h"

/* Whether the number in the braces from `open` to `close` is one of the clock. */
static bool
is_timed (const SlLesson *lesson, unsigned step, const char *open, const char *close)
{
  g_autofree char *formula = g_strndup (open + 1, (gsize) (close - open - 1));
  char            *decimals = strchr (formula, ':');

  if (decimals != NULL)
    *decimals = '\0';
  return sl_formula_is_timed (lesson, step, formula);
}

char *
sl_worksheet_blanks (const SlLesson *lesson, unsigned step, const char *text, bool filled)
{
  GString *out = g_string_new (NULL);

  for (const char *c = sl_words (text), *end; *c != '\0'; c++)
    if (*c == '{' && (end = strchr (c, '}')) != NULL)
      {
        if (filled)
          g_string_append_printf (out, SL_PAPER_FILLED "%.*s" SL_PAPER_FILLED_END,
                                  (int) (end + 1 - c), c);
        else
          g_string_append (out, "______");
        g_string_append (out, is_timed (lesson, step, c, end) ? "*" : "");
        c = end;
      }
    else
      g_string_append_c (out, *c);
  return g_string_free (out, FALSE);
}

static void
mark (const SlLesson *lesson, unsigned step, char **text)
{
  char *marked = sl_worksheet_blanks (lesson, step, *text, true);

  g_free (*text);
  *text = marked;
}

SlLesson *
sl_worksheet_mark (const SlLesson *lesson)
{
  SlLesson *copy = sl_lesson_copy (lesson);

  for (unsigned i = 0; i < lesson->steps->len; i++)
    {
      SlLessonStep *step = sl_lesson_step (copy, i);

      mark (lesson, i, &step->text);
      if (step->question.kind != SL_ASK_NOTHING)
        mark (lesson, i, &step->question.prompt);
    }
  return copy;
}

bool
sl_worksheet_asks_time (const SlLesson *lesson, unsigned step)
{
  const SlQuestion *question = &sl_lesson_step (lesson, step)->question;

  return question->kind == SL_ASK_NUMBER && sl_formula_is_timed (lesson, step, question->answer);
}

static bool
has_time (const SlLesson *lesson, unsigned step, const char *text)
{
  for (const char *open = text, *close; open != NULL && (open = strchr (open, '{')) != NULL;
       open = close)
    {
      close = strchr (open, '}');
      if (close != NULL && is_timed (lesson, step, open, close))
        return true;
    }
  return false;
}

bool
sl_worksheet_has_times (const SlLesson *lesson)
{
  for (unsigned i = 0; i < lesson->steps->len; i++)
    {
      const SlLessonStep *step = sl_lesson_step (lesson, i);

      if (sl_worksheet_asks_time (lesson, i) || has_time (lesson, i, step->text)
          || (step->question.kind != SL_ASK_NOTHING && has_time (lesson, i, step->question.prompt)))
        return true;
    }
  return false;
}

char
sl_worksheet_option (const SlLesson *lesson, unsigned step, unsigned place, unsigned *option)
{
  unsigned order[SL_LESSON_OPTIONS];

  sl_question_order (&sl_lesson_step (lesson, step)->question, step, sl_lesson_hash (lesson),
                     order);
  *option = order[place];
  return (char) ('A' + place);
}
