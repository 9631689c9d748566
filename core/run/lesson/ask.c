/* SPDX-License-Identifier: MIT */
#include "core/run/lesson/ask.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

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

/* ---- plots ---- */

/* A formula knows the channels of a panel as "panel.trace". */
static gboolean
mentions (const char *formula, const char *panel)
{
  g_autofree char *prefix = g_strconcat (panel, ".", NULL);

  for (const char *at = formula; (at = strstr (at, prefix)) != NULL; at++)
    if (at == formula || !(g_ascii_isalnum (at[-1]) || strchr ("-_.", at[-1]) != NULL))
      return TRUE;
  return FALSE;
}

gboolean
sl_question_told_by (const SlLessonStep *step, const SlPanel *panel)
{
  SlAskKind kind = step->question.kind;
  gboolean  changes = step->restart || step->settings->len > 0;
  gboolean  asked_for = kind == SL_ASK_NUMBER && mentions (step->question.answer, panel->id);

  if (sl_panel_is_series (panel->kind))
    return asked_for && !changes;
  return asked_for || (changes && kind != SL_ASK_CURVE && panel->kind != SL_MAP);
}

/* The answer of a number is a channel, of a place with "@" and that, or a formula, which no plot shows. */
int
sl_question_panel (const SlQuestion *question, const SlLab *lab, const SlLayout *layout,
                   unsigned *channel, double *at)
{
  const char      *answer = question->answer != NULL ? question->answer : "";
  const char      *place = strchr (answer, '@');
  char            *end = NULL;
  g_autofree char *id
    = g_strndup (answer, place != NULL ? (gsize) (place - answer) : strlen (answer));
  int         found = sl_layout_find (layout, id);
  SlPanelKind kind;

  *at = place != NULL ? g_ascii_strtod (place + 1, &end) : 1.0;
  if (found < 0 || (end != NULL && *end != '\0'))
    return -1;
  *channel = (unsigned) found;
  kind = lab->panels[layout->channel[found].panel].kind;
  return kind == SL_SERIES || kind == SL_PROFILE ? (int) layout->channel[found].panel : -1;
}

/* ---- the clock ---- */

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

char *
sl_question_hint (const SlQuestion *question)
{
  const char      *draw = _ ("Draw with the pointer, or select the plot and use the arrow keys.");
  g_autofree char *within = sl_question_tolerance (question);
  g_autofree char *right
    = within != NULL ? g_strdup_printf (_ ("A guess is right %s."), within) : NULL;

  return question->kind == SL_ASK_CURVE ? g_strjoin (" ", draw, right, NULL)
                                        : g_steal_pointer (&right);
}
