/* SPDX-License-Identifier: MIT
 *
 * Answers as data and as text; see answers.h.  */
#include "core/run/answers/answers.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/run/answers/private.h"
#include "core/run/base/error.h"
#include "core/run/base/json.h"

const char *const sl_answer_kinds[] = { "", "choice", "number", "curve", NULL };

static void
free_answer (SlAnswer *answer)
{
  g_free (answer->prompt);
  g_strfreev (answer->options);
  g_free (answer->unit);
  g_free (answer);
}

SlAnswer *
sl_answers_append (SlAnswers *answers)
{
  SlAnswer *answer = g_new0 (SlAnswer, 1);

  answer->unit = g_strdup ("");
  answer->measured = answer->tolerance = (double) NAN;
  for (unsigned i = 0; i < SL_SKETCH_POINTS; i++)
    answer->curve[i] = (double) NAN;
  g_ptr_array_add (answers->answers, answer);
  return answer;
}

SlAnswers *
sl_answers_empty (void)
{
  SlAnswers *answers = g_new0 (SlAnswers, 1);

  answers->answers = g_ptr_array_new_with_free_func ((GDestroyNotify) free_answer);
  return answers;
}

SlAnswers *
sl_answers_new (const SlLesson *lesson, const char *name)
{
  SlAnswers *answers = sl_answers_empty ();

  answers->lesson = g_strdup (lesson->title);
  answers->of = sl_lesson_hash (lesson);
  answers->name = g_strdup (name);
  return answers;
}

SlLesson *
sl_answers_find_lesson (const SlAnswers *answers)
{
  g_auto (GStrv) names = sl_lesson_names ();

  for (char **name = names; *name != NULL; name++)
    {
      g_autoptr (GFile) file = sl_lesson_file (*name);
      SlLesson *lesson = sl_lesson_load (file, NULL);

      if (lesson != NULL && sl_lesson_hash (lesson) == answers->of)
        return lesson;
      g_clear_pointer (&lesson, sl_lesson_free);
    }
  return NULL;
}

void
sl_answers_free (SlAnswers *answers)
{
  if (answers == NULL)
    return;
  g_free (answers->lesson);
  g_free (answers->name);
  g_ptr_array_unref (answers->answers);
  g_free (answers);
}

SlAnswer *
sl_answers_add (SlAnswers *answers, const SlLesson *lesson, unsigned step)
{
  const SlQuestion *question = &sl_lesson_step (lesson, step)->question;
  SlAnswer         *answer = sl_answers_append (answers);

  answer->step = step + 1;
  answer->kind = question->kind;
  answer->prompt = g_strdup (question->prompt);
  answer->options = g_strdupv (question->options);
  g_free (answer->unit);
  answer->unit = g_strdup (question->unit);
  answer->lo = question->lo;
  answer->hi = question->hi;
  answer->from = question->from;
  answer->to = question->to;
  answer->right = question->right;
  answer->tolerance = question->tolerance;
  return answer;
}

gboolean
sl_answers_check_name (const char *name, GError **error)
{
  gboolean plain = TRUE;

  for (const char *c = name; *c != '\0'; c++)
    plain = plain && !g_ascii_iscntrl (*c);
  return plain && *name != '\0' && strlen (name) <= SL_ANSWERS_NAME
           ? TRUE
           : sl_fail (error, SL_EINVAL, _ ("The name"),
                      *name == '\0' ? _ ("nothing")
                      : plain       ? _ ("more than 60 bytes")
                                    : _ ("control characters"),
                      _ ("a short name or code"));
}

/* ---- marks ---- */

double
sl_answer_distance (const SlAnswer *answer)
{
  double   sum = 0.0;
  unsigned n = 0;

  if (isfinite (answer->measured))
    return answer->measured;
  for (unsigned i = 0; i < SL_SKETCH_POINTS; i++)
    if (isfinite (answer->curve[i]))
      {
        sum += fabs (answer->curve[i] - answer->sketch[i]);
        n++;
      }
  return n > 0 ? sum / n : (double) NAN;
}

SlAnswerMark
sl_mark_option (unsigned right, unsigned option)
{
  return right == 0 ? SL_ANSWER_OPEN : right == option ? SL_ANSWER_RIGHT : SL_ANSWER_WRONG;
}

SlAnswerMark
sl_mark_distance (double off, double tolerance)
{
  if (isnan (tolerance) || !isfinite (off))
    return SL_ANSWER_OPEN;
  return off <= tolerance ? SL_ANSWER_RIGHT : SL_ANSWER_WRONG;
}

SlAnswerMark
sl_answer_mark (const SlAnswer *answer)
{
  if (answer->kind == SL_ASK_CHOICE)
    return sl_mark_option (answer->right, answer->option);
  return sl_mark_distance (answer->kind == SL_ASK_CURVE ? sl_answer_distance (answer)
                                                        : fabs (answer->number - answer->measured),
                           answer->tolerance);
}

/* ---- writing ---- */

static void
write_numbers (SlJsonWriter *w, const char *key, const double *value, size_t n)
{
  sl_json_open (w, key, '[', SL_JSON_PACKED);
  for (size_t i = 0; i < n; i++)
    if (isfinite (value[i]))
      sl_json_add_number (w, NULL, value[i]);
    else
      sl_json_add_text (w, NULL, NULL);
  sl_json_close (w);
}

static void
write_known (SlJsonWriter *w, const char *key, double value)
{
  if (isfinite (value))
    sl_json_add_number (w, key, value);
}

static void
write_guess (SlJsonWriter *w, const SlAnswer *answer)
{
  const double range[] = { answer->lo, answer->hi }, along[] = { answer->from, answer->to };

  if (answer->kind == SL_ASK_CHOICE)
    {
      sl_json_open (w, "options", '[', SL_JSON_TIGHT);
      for (char **option = answer->options; *option != NULL; option++)
        sl_json_add_text (w, NULL, *option);
      sl_json_close (w);
      if (answer->right > 0)
        sl_json_add_whole (w, "right", answer->right);
      sl_json_add_whole (w, "guess", answer->option);
      return;
    }
  write_numbers (w, "range", range, 2);
  if (answer->kind == SL_ASK_NUMBER)
    {
      sl_json_add_text (w, "unit", answer->unit);
      write_known (w, "tolerance", answer->tolerance);
      sl_json_add_number (w, "guess", answer->number);
      write_known (w, "measured", answer->measured);
      return;
    }
  write_numbers (w, "along", along, 2);
  write_known (w, "tolerance", answer->tolerance);
  write_known (w, "off", answer->measured);
  write_numbers (w, "guess", answer->sketch, SL_SKETCH_POINTS);
  write_numbers (w, "measured", answer->curve, SL_SKETCH_POINTS);
}

char *
sl_answers_write (const SlAnswers *answers)
{
  SlJsonWriter w;
  char         hash[20];

  snprintf (hash, sizeof hash, "%016" PRIx64, answers->of);
  sl_json_writer_init (&w);
  sl_json_open (&w, NULL, '{', SL_JSON_LINES);
  sl_json_add_whole (&w, "sluice-answers", 1);
  sl_json_add_text (&w, "lesson", answers->lesson);
  sl_json_add_text (&w, "of", hash);
  sl_json_add_text (&w, "name", answers->name);
  sl_json_open (&w, "answers", '[', SL_JSON_LINES);
  for (guint i = 0; i < answers->answers->len; i++)
    {
      const SlAnswer *answer = g_ptr_array_index (answers->answers, i);

      sl_json_open (&w, NULL, '{', SL_JSON_LINES);
      sl_json_add_whole (&w, "step", answer->step);
      sl_json_add_text (&w, "kind", sl_answer_kinds[answer->kind]);
      sl_json_add_text (&w, "prompt", answer->prompt);
      write_guess (&w, answer);
      sl_json_close (&w);
    }
  return sl_json_writer_end (&w, TRUE);
}
