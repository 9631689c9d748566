/* SPDX-License-Identifier: MIT */
#include "core/run/lesson/ask.h"

#include <glib/gi18n.h>
#include <math.h>

#include "core/base/rng.h"
#include "core/run/base/language.h"

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
