/* SPDX-License-Identifier: MIT
 *
 * The writer of lessons: one key per line, so that people can go on by hand.  */
#include "core/run/lesson/lesson.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/run/base/error.h"
#include "core/run/base/number.h"
#include "core/run/files/table.h"

/* Begins a member at a depth; what stood before gets its comma. */
static void
key (GString *json, unsigned depth, const char *name)
{
  char last = json->str[json->len - 1];

  g_string_append (json, last == '{' || last == '[' ? "\n" : ",\n");
  for (unsigned i = 0; i < depth; i++)
    g_string_append (json, "  ");
  sl_json_string (json, name);
  g_string_append (json, ": ");
}

static void
text (GString *json, unsigned depth, const char *name, const char *value)
{
  if (value == NULL)
    return;
  key (json, depth, name);
  sl_json_string (json, value);
}

static void
number (GString *json, unsigned depth, const char *name, double value)
{
  key (json, depth, name);
  sl_json_number (json, value);
}

static void
whole (GString *json, unsigned depth, const char *name, uint64_t value)
{
  key (json, depth, name);
  g_string_append_printf (json, "%" PRIu64, value);
}

static void
list (GString *json, unsigned depth, const char *name, char *const *values)
{
  if (values == NULL)
    return;
  key (json, depth, name);
  g_string_append (json, "[");
  for (unsigned i = 0; values[i] != NULL; i++)
    {
      if (i > 0)
        g_string_append (json, ", ");
      sl_json_string (json, values[i]);
    }
  g_string_append (json, "]");
}

static void
range (GString *json, unsigned depth, const char *name, double lo, double hi)
{
  key (json, depth, name);
  g_string_append (json, "[");
  sl_json_number (json, lo);
  g_string_append (json, ", ");
  sl_json_number (json, hi);
  g_string_append (json, "]");
}

static void
close_at (GString *json, unsigned depth)
{
  g_string_append_c (json, '\n');
  for (unsigned i = 0; i < depth; i++)
    g_string_append (json, "  ");
  g_string_append_c (json, '}');
}

/* A value as the kind of its parameter is written in JSON; the start page has numbers. */
static void
write_value (GString *json, const SlLab *lab, const SlLessonSetting *setting)
{
  int    i = lab != NULL ? sl_param_find (lab->params, lab->n_params, setting->id) : -1;
  SlKind kind = i >= 0 ? lab->params[i].kind : SL_REAL;
  g_auto (GStrv) elements = NULL;

  switch (kind)
    {
    case SL_REAL:
    case SL_INTEGER: sl_json_number (json, g_ascii_strtod (setting->value, NULL)); return;
    case SL_BOOLEAN:
      g_string_append (
        json, strcmp (setting->value, "yes") == 0 || strcmp (setting->value, "1") == 0 ? "true"
                                                                                       : "false");
      return;
    case SL_CHOICE: sl_json_string (json, setting->value); return;
    case SL_LIST: break;
    }
  elements = g_strsplit (setting->value, "-", -1);
  g_string_append_c (json, '[');
  for (unsigned k = 0; elements[k] != NULL; k++)
    {
      if (k > 0)
        g_string_append (json, ", ");
      sl_json_number (json, g_ascii_strtod (elements[k], NULL));
    }
  g_string_append_c (json, ']');
}

static void
write_settings (GString *json, const SlLab *lab, const SlLessonStep *step)
{
  if (step->settings->len == 0)
    return;
  key (json, 3, "settings");
  g_string_append_c (json, '{');
  for (guint i = 0; i < step->settings->len; i++)
    {
      const SlLessonSetting *setting = g_ptr_array_index (step->settings, i);

      key (json, 4, setting->id);
      write_value (json, lab, setting);
    }
  close_at (json, 3);
}

static void
write_question (GString *json, const SlQuestion *question)
{
  static const char *const kinds[] = { "", "choice", "number", "curve" };

  if (question->kind == SL_ASK_NOTHING)
    return;
  key (json, 3, "question");
  g_string_append_c (json, '{');
  text (json, 4, "kind", kinds[question->kind]);
  text (json, 4, "prompt", question->prompt);
  if (question->kind == SL_ASK_CHOICE)
    {
      list (json, 4, "options", question->options);
      if (question->right > 0)
        whole (json, 4, "answer", question->right);
      close_at (json, 3);
      return;
    }
  text (json, 4, "panel", question->panel);
  range (json, 4, "range", question->lo, question->hi);
  if (question->kind == SL_ASK_CURVE)
    range (json, 4, "along", question->from, question->to);
  else
    {
      number (json, 4, "step", question->step);
      text (json, 4, "unit", question->unit);
    }
  text (json, 4, "answer", question->answer);
  if (!isnan (question->tolerance))
    number (json, 4, "tolerance", question->tolerance);
  close_at (json, 3);
}

static void
write_go (GString *json, const SlLessonStep *step)
{
  if (step->restart)
    {
      key (json, 3, "restart");
      g_string_append (json, "true");
    }
  if (step->go == SL_GO_UNTIL)
    whole (json, 3, "run", step->updates);
  else if (step->go != SL_GO_ON)
    {
      key (json, 3, "run");
      g_string_append (json, step->go == SL_GO_RUN ? "true" : "false");
    }
}

static void
write_point (GString *json, const SlLessonStep *step)
{
  static const char *const kinds[] = { "", "param", "panel", "control" };

  if (step->point == SL_POINT_NOWHERE)
    return;
  key (json, 3, "highlight");
  g_string_append (json, "{ ");
  sl_json_string (json, kinds[step->point]);
  g_string_append (json, ": ");
  sl_json_string (json, step->pointed);
  g_string_append (json, " }");
}

static void
write_keep (GString *json, const SlLessonStep *step)
{
  if (step->keep->len == 0)
    return;
  key (json, 3, "keep");
  g_string_append_c (json, '{');
  for (guint i = 0; i < step->keep->len; i++)
    {
      const SlLessonKept *kept = g_ptr_array_index (step->keep, i);

      text (json, 4, kept->name, kept->formula);
    }
  close_at (json, 3);
}

static void
write_step (GString *json, const SlLesson *lesson, unsigned i)
{
  const SlLessonStep *step = sl_lesson_step (lesson, i);
  const SlLab        *lab = NULL;

  for (unsigned k = 0; k <= i; k++)
    if (sl_lesson_step (lesson, k)->overview || sl_lesson_step (lesson, k)->lab != NULL)
      lab = sl_lesson_step (lesson, k)->lab;
  g_string_append (json, i > 0 ? ",\n    {" : "\n    {");
  text (json, 3, "title", step->title);
  text (json, 3, "text", step->text);
  text (json, 3, "lab",
        step->overview      ? SL_LESSON_OVERVIEW
        : step->lab != NULL ? step->lab->id
                            : NULL);
  text (json, 3, "data", step->data);
  if (step->has_seed)
    whole (json, 3, "seed", step->seed);
  write_settings (json, lab, step);
  write_go (json, step);
  write_point (json, step);
  list (json, 3, "show", step->show);
  list (json, 3, "offer", step->offer);
  list (json, 3, "hides", step->hides);
  list (json, 3, "locks", step->locks);
  write_question (json, &step->question);
  text (json, 3, "reveal", step->reveal);
  write_keep (json, step);
  close_at (json, 2);
}

char *
sl_lesson_write (const SlLesson *lesson)
{
  GString *json = g_string_new ("{");

  whole (json, 1, "sluice-lesson", 1);
  text (json, 1, "title", lesson->title);
  text (json, 1, "summary", lesson->summary);
  if (*lesson->author != '\0')
    text (json, 1, "author", lesson->author);
  key (json, 1, "steps");
  g_string_append_c (json, '[');
  for (guint i = 0; i < lesson->steps->len; i++)
    write_step (json, lesson, i);
  g_string_append (json, "\n  ]");
  close_at (json, 0);
  g_string_append_c (json, '\n');
  return g_string_free (json, FALSE);
}

gboolean
sl_lesson_save (const SlLesson *lesson, const char *path, GError **error)
{
  g_autofree char *json = sl_lesson_write (lesson);

  return sl_table_save (path, json, strlen (json), error);
}
