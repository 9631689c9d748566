/* SPDX-License-Identifier: MIT
 *
 * See class.h.  */
#include "core/run/answers/class.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/run/base/error.h"

SlClass *
sl_class_new (void)
{
  SlClass *class = g_new0 (SlClass, 1);

  class->people = g_ptr_array_new_with_free_func ((GDestroyNotify) sl_answers_free);
  return class;
}

void
sl_class_free (SlClass *class)
{
  if (class == NULL)
    return;
  g_ptr_array_unref (class->people);
  g_free (class);
}

static gboolean
is_same (const SlAnswers *a, const SlAnswers *b)
{
  g_autofree char *first = NULL, *second = NULL;

  if (!g_str_equal (a->name, b->name))
    return FALSE;
  first = sl_answers_write (a);
  second = sl_answers_write (b);
  return g_str_equal (first, second);
}

static int
by_name (gconstpointer a, gconstpointer b)
{
  return strcmp ((*(SlAnswers *const *) a)->name, (*(SlAnswers *const *) b)->name);
}

/* Whether two answers are to the same question, with the same right one where both files have it. */
static gboolean
is_same_question (const SlAnswer *a, const SlAnswer *b)
{
  if (a->kind != b->kind || !g_str_equal (a->prompt, b->prompt))
    return FALSE;
  if (a->kind == SL_ASK_CHOICE)
    return g_strv_equal ((const char *const *) a->options, (const char *const *) b->options)
           && (a->right == b->right || a->right == 0 || b->right == 0);
  return a->lo == b->lo && a->hi == b->hi && a->from == b->from && a->to == b->to
         && !(a->tolerance < b->tolerance || a->tolerance > b->tolerance); /* old files have none */
}

/* A file may say that it is of this lesson and have other questions. */
static gboolean
check_questions (const SlClass *class, const SlAnswers *answers, const char *subject,
                 GError **error)
{
  for (guint a = 0; a < answers->answers->len; a++)
    for (guint i = 0; i < class->people->len; i++)
      {
        const SlAnswer *answer = g_ptr_array_index (answers->answers, a);
        const SlAnswer *there = sl_class_answer (class, i, answer->step);

        if (there == NULL)
          continue;
        if (!is_same_question (answer, there))
          return sl_fail (error, SL_EINVAL, subject, _ ("a question that the lesson does not ask"),
                          there->prompt);
        break;
      }
  return TRUE;
}

gboolean
sl_class_take (SlClass *class, SlAnswers *answers, const char *subject, GError **error)
{
  g_autoptr (SlAnswers) taken = answers;
  const SlAnswers *first = class->people->len > 0 ? g_ptr_array_index (class->people, 0) : NULL;

  if (first != NULL && first->of != taken->of)
    return sl_fail (error, SL_EINVAL, subject, _ ("answers to another lesson, or another edition"),
                    first->lesson);
  for (guint i = 0; i < class->people->len; i++)
    if (is_same (g_ptr_array_index (class->people, i), taken))
      return sl_fail (error, SL_EINVAL, subject, _ ("the same answers as in another file"), NULL);
  if (!check_questions (class, taken, subject, error))
    return FALSE;
  g_ptr_array_add (class->people, g_steal_pointer (&taken));
  g_ptr_array_sort (class->people, by_name);
  return TRUE;
}

gboolean
sl_class_load (SlClass *class, const char *path, GError **error)
{
  SlAnswers       *answers = sl_answers_load (path, error);
  g_autofree char *name = g_path_get_basename (path);

  return answers != NULL && sl_class_take (class, answers, name, error);
}

const SlAnswer *
sl_class_answer (const SlClass *class, guint i, unsigned step)
{
  const SlAnswers *person = g_ptr_array_index (class->people, i);

  for (guint a = 0; a < person->answers->len; a++)
    {
      const SlAnswer *answer = g_ptr_array_index (person->answers, a);

      if (answer->step == step)
        return answer;
    }
  return NULL;
}

void
sl_class_steps (const SlClass *class, unsigned steps[SL_LESSON_STEPS + 1])
{
  unsigned n = 0;

  for (unsigned step = 1; step <= SL_LESSON_STEPS; step++)
    for (guint i = 0; i < class->people->len; i++)
      if (sl_class_answer (class, i, step) != NULL)
        {
          steps[n++] = step;
          break;
        }
  steps[n] = 0;
}
