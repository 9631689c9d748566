/* SPDX-License-Identifier: MIT */
#include "core/run/lesson/ask.h"

#include <glib/gi18n.h>
#include <math.h>

#include "core/base/rng.h"
#include "core/run/base/language.h"
#include "core/run/lesson/formula.h"

unsigned
sl_question_order (const SlQuestion *question, unsigned step, uint64_t seed,
                   unsigned order[SL_LESSON_OPTIONS])
{
  unsigned n = question->options != NULL ? g_strv_length (question->options) : 0;
  uint32_t drawn[SL_LESSON_OPTIONS];
  SlRng    rng;

  for (unsigned i = 0; i < n; i++)
    drawn[i] = i;
  sl_rng_init (&rng, seed + step, "options");
  sl_rng_shuffle (&rng, drawn, n);
  for (unsigned i = 0; i < n; i++)
    order[i] = drawn[i];
  return n;
}

char *
sl_question_tolerance (const SlQuestion *question)
{
  g_autofree char *within = g_strdup_printf ("%g", question->tolerance);

  if (question->kind == SL_ASK_CHOICE || question->kind == SL_ASK_NOTHING
      || isnan (question->tolerance))
    return NULL;
  if (question->kind == SL_ASK_CURVE)
    return g_strdup_printf (_ ("within %s on average"), within);
  if (g_str_equal (question->unit, "%"))
    return g_strdup_printf (_ ("within %s points"), within);
  if (*question->unit == '\0')
    return g_strdup_printf (_ ("within %s"), within);
  return g_strdup_printf (_ ("within %s %s"), within, sl_words (question->unit));
}

typedef struct
{
  const SlLesson *lesson;
  unsigned        step;
  gboolean        timed;
} Clocked;

static gboolean
note_clock (const char *name, double at, double *value, gpointer data)
{
  Clocked *clocked = data;

  *value = (double) NAN;
  clocked->timed = clocked->timed || g_str_has_prefix (name, "speed.");
  for (unsigned i = clocked->step; i-- > 0 && !clocked->timed;)
    {
      GPtrArray *keep = sl_lesson_step (clocked->lesson, i)->keep;

      for (guint k = 0; k < keep->len && !clocked->timed; k++)
        {
          const SlLessonKept *kept = g_ptr_array_index (keep, k);

          clocked->timed = g_str_equal (kept->name, name)
                           && sl_formula_is_timed (clocked->lesson, i, kept->formula);
        }
    }
  return TRUE;
}

gboolean
sl_formula_is_timed (const SlLesson *lesson, unsigned step, const char *formula)
{
  Clocked clocked = { lesson, step, FALSE };
  double  value;

  sl_formula_value (formula, note_clock, &clocked, &value, NULL);
  return clocked.timed;
}
