/* SPDX-License-Identifier: MIT
 *
 * The questions of lessons.  */
#include <math.h>

#include <glib/gi18n.h>

#include "core/run/base/language.h"
#include "core/run/lesson/read.h"

static gboolean
read_options (SlLessonReader *r, const SlJson *at, SlQuestion *question)
{
  guint         n = at->n;
  const SlJson *text = at->first;

  if (at->kind != SL_JSON_ARRAY)
    return sl_lesson_refuse_kind (r, at, _ ("an array of texts"));
  if (n < 2 || n > SL_LESSON_OPTIONS)
    return sl_lesson_refuse (r, at, n < 2 ? _ ("less than two texts") : _ ("too many texts"),
                             _ ("2 to 6"));
  question->options = g_new0 (char *, n + 1);
  for (guint i = 0; i < n; i++, text = text->next)
    if (!sl_lesson_text (r, text, &question->options[i]))
      return FALSE;
  return TRUE;
}

static gboolean
read_right (SlLessonReader *r, const SlJson *at, SlQuestion *question)
{
  guint n = g_strv_length (question->options);

  if (at->kind != SL_JSON_NUMBER || at->number != floor (at->number)
      || !(at->number >= 1.0 && at->number <= n))
    return sl_lesson_refuse_value (r, at, _ ("the number of an option, from 1"));
  question->right = (unsigned) at->number;
  return TRUE;
}

/* Two numbers, the first below the second. */
static gboolean
read_range (SlLessonReader *r, const SlJson *at, double *lo, double *hi)
{
  const SlJson *first, *second;

  if (at->kind != SL_JSON_ARRAY || at->n != 2)
    return sl_lesson_refuse_kind (r, at, _ ("an array of two numbers"));
  first = at->first;
  second = first->next;
  if (first->kind != SL_JSON_NUMBER || second->kind != SL_JSON_NUMBER
      || !(first->number < second->number))
    return sl_lesson_refuse (r, at, _ ("something else"), _ ("two numbers, the smaller one first"));
  *lo = first->number;
  *hi = second->number;
  return TRUE;
}

static gboolean
read_positive (SlLessonReader *r, const SlJson *at, double *number)
{
  if (at->kind != SL_JSON_NUMBER || !(at->number > 0.0))
    return sl_lesson_refuse_value (r, at, _ ("a number above 0"));
  *number = at->number;
  return TRUE;
}

static gboolean
read_formula (SlLessonReader *r, const SlJson *at, SlQuestion *question)
{
  if (at->kind != SL_JSON_NUMBER && at->kind != SL_JSON_TEXT)
    return sl_lesson_refuse_kind (r, at, _ ("a formula or a number"));
  question->answer = g_strdup (at->text);
  return at->kind == SL_JSON_NUMBER || sl_lesson_check_formula (r, at);
}

/* Only what is measured has a ghost behind it. */
static gboolean
read_channel (SlLessonReader *r, const SlJson *at, SlQuestion *question)
{
  unsigned panel
    = sl_lab_panel_source (r->state.lab, (unsigned) sl_lab_panel (r->state.lab, question->panel));
  int channel;

  if (!sl_lesson_text (r, at, &question->answer))
    return FALSE;
  channel = sl_layout_find (&r->layout, question->answer);
  if (channel < 0 || r->layout.channel[channel].panel != panel
      || r->state.lab->panels[panel].traces[r->layout.channel[channel].trace].style != SL_MEASURED)
    return sl_lesson_refuse_text (r, at, question->answer, _ ("a channel measured on that panel"));
  return TRUE;
}

static gboolean
read_panel (SlLessonReader *r, const SlJson *at, SlQuestion *question)
{
  SlPanelKind kind;

  if (!sl_lesson_text (r, at, &question->panel) || !sl_lesson_check_panel (r, at, question->panel))
    return FALSE;
  kind = r->state.lab->panels[sl_lab_panel (r->state.lab, question->panel)].kind;
  if (kind != SL_SERIES && kind != SL_PROFILE)
    return sl_lesson_refuse_text (r, at, question->panel, _ ("a panel of curves"));
  return TRUE;
}

static gboolean
read_choice (SlLessonReader *r, const SlJson *at, SlQuestion *question)
{
  static const char *const keys[] = { "kind", "prompt", "options", "answer", NULL };
  const SlJson            *member;

  question->kind = SL_ASK_CHOICE;
  return sl_lesson_keys (r, at, keys) && sl_lesson_need (r, at, "options", &member)
         && read_options (r, member, question) && SL_LESSON_MAYBE ("answer", read_right, question);
}

static gboolean
read_number (SlLessonReader *r, const SlJson *at, SlQuestion *question)
{
  static const char *const keys[]
    = { "kind", "prompt", "range", "step", "unit", "answer", "tolerance", NULL };
  const SlJson *member;

  question->kind = SL_ASK_NUMBER;
  if (!sl_lesson_keys (r, at, keys) || !sl_lesson_need (r, at, "range", &member)
      || !read_range (r, member, &question->lo, &question->hi))
    return FALSE;
  question->step = (question->hi - question->lo) / 100.0;
  return SL_LESSON_MAYBE ("step", read_positive, &question->step)
         && SL_LESSON_MAYBE ("unit", sl_lesson_text, &question->unit)
         && SL_LESSON_MAYBE ("tolerance", read_positive, &question->tolerance)
         && sl_lesson_need (r, at, "answer", &member) && read_formula (r, member, question);
}

/* A curve over updates goes as far as the run does, from its beginning. */
static gboolean
find_along (SlLessonReader *r, const SlJson *at, const SlLessonStep *step, SlQuestion *question)
{
  const SlLab *lab = r->state.lab;

  if (lab->panels[sl_lab_panel (lab, question->panel)].kind != SL_SERIES || step->go != SL_GO_UNTIL
      || !(step->restart || step->lab != NULL))
    return sl_lesson_refuse (r, at, _ ("no \"along\""),
                             _ ("one, unless a new run over a number of updates begins"));
  question->from = 0.0;
  question->to = (double) step->updates;
  return TRUE;
}

static gboolean
read_curve (SlLessonReader *r, const SlJson *at, const SlLessonStep *step, SlQuestion *question)
{
  static const char *const keys[]
    = { "kind", "prompt", "panel", "range", "along", "answer", "tolerance", NULL };
  const SlJson *member;

  question->kind = SL_ASK_CURVE;
  if (r->state.lab == NULL)
    return sl_lesson_refuse (r, at, _ ("a curve"), _ ("a lab with panels for it"));
  if (!sl_lesson_keys (r, at, keys) || !sl_lesson_need (r, at, "panel", &member)
      || !read_panel (r, member, question) || !sl_lesson_need (r, at, "range", &member)
      || !read_range (r, member, &question->lo, &question->hi)
      || !sl_lesson_need (r, at, "answer", &member) || !read_channel (r, member, question)
      || !SL_LESSON_MAYBE ("tolerance", read_positive, &question->tolerance))
    return FALSE;
  member = sl_json_member (at, "along");
  return member != NULL ? read_range (r, member, &question->from, &question->to)
                        : find_along (r, at, step, question);
}

gboolean
sl_lesson_read_question (SlLessonReader *r, const SlJson *at, SlLessonStep *step)
{
  SlQuestion   *question = &step->question;
  const SlJson *kind, *prompt;

  if (at->kind != SL_JSON_OBJECT)
    return sl_lesson_refuse_kind (r, at, _ ("an object"));
  if (!sl_lesson_need (r, at, "kind", &kind) || !sl_lesson_need (r, at, "prompt", &prompt)
      || !sl_lesson_text (r, prompt, &question->prompt) || !sl_lesson_check_asked (r, prompt))
    return FALSE;
  if (g_strcmp0 (kind->text, "choice") == 0)
    return read_choice (r, at, question);
  if (g_strcmp0 (kind->text, "number") == 0)
    return read_number (r, at, question);
  if (g_strcmp0 (kind->text, "curve") == 0)
    return read_curve (r, at, step, question);
  return sl_lesson_refuse_value (r, kind, _ ("choice, number or curve"));
}
