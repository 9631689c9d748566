/* SPDX-License-Identifier: MIT
 *
 * The writer of lessons: one key per line, so that a teacher can edit the file.  */
#include "core/run/lesson/lesson.h"

#include <math.h>
#include <string.h>

#include "core/data/set/hash.h"
#include "core/run/base/error.h"
#include "core/run/base/save.h"
#include "core/run/record/recipe-json.h"

static void
add_text (SlJsonWriter *w, const char *name, const char *text)
{
  if (text != NULL)
    sl_json_add_text (w, name, text);
}

static void
add_list (SlJsonWriter *w, const char *name, char *const *texts)
{
  if (texts == NULL)
    return;
  sl_json_open (w, name, '[', SL_JSON_TIGHT);
  for (; *texts != NULL; texts++)
    sl_json_add_text (w, NULL, *texts);
  sl_json_close (w);
}

static void
add_range (SlJsonWriter *w, const char *name, double lo, double hi)
{
  sl_json_add_numbers (w, name, (double[]) { lo, hi }, 2, SL_JSON_TIGHT);
}

/* A value as the kind of its parameter is written in JSON; the start page has numbers. */
static void
add_setting (SlJsonWriter *w, const SlLab *lab, const SlLessonSetting *setting)
{
  int     i = lab != NULL ? sl_param_find (lab->params, lab->n_params, setting->id) : -1;
  SlValue value;

  if (i < 0)
    sl_json_add_number (w, setting->id, g_ascii_strtod (setting->value, NULL));
  else
    {
      SlStatus status = sl_param_parse (&lab->params[i], setting->value, &value);

      if (sl_ok (&status))
        sl_json_add_value (w, setting->id, &lab->params[i], &value);
      else
        sl_json_add_text (w, setting->id, setting->value);
    }
}

static void
write_settings (SlJsonWriter *w, const SlLab *lab, const SlLessonStep *step)
{
  if (step->settings->len == 0)
    return;
  sl_json_open (w, "settings", '{', SL_JSON_LINES);
  for (guint i = 0; i < step->settings->len; i++)
    add_setting (w, lab, g_ptr_array_index (step->settings, i));
  sl_json_close (w);
}

static void
write_question (SlJsonWriter *w, const SlQuestion *question)
{
  static const char *const kinds[] = { "", "choice", "number", "curve" };

  if (question->kind == SL_ASK_NOTHING)
    return;
  sl_json_open (w, "question", '{', SL_JSON_LINES);
  sl_json_add_text (w, "kind", kinds[question->kind]);
  sl_json_add_text (w, "prompt", question->prompt);
  if (question->kind == SL_ASK_CHOICE)
    {
      add_list (w, "options", question->options);
      if (question->right > 0)
        sl_json_add_whole (w, "answer", question->right);
      sl_json_close (w);
      return;
    }
  add_text (w, "panel", question->panel);
  add_range (w, "range", question->lo, question->hi);
  if (question->kind == SL_ASK_CURVE)
    add_range (w, "along", question->from, question->to);
  else
    {
      sl_json_add_number (w, "step", question->step);
      sl_json_add_text (w, "unit", question->unit);
    }
  add_text (w, "answer", question->answer);
  if (!isnan (question->tolerance))
    sl_json_add_number (w, "tolerance", question->tolerance);
  sl_json_close (w);
}

static void
write_go (SlJsonWriter *w, const SlLessonStep *step)
{
  if (step->restart)
    sl_json_add_truth (w, "restart", TRUE);
  if (step->go == SL_GO_UNTIL)
    sl_json_add_whole (w, "run", step->updates);
  else if (step->go != SL_GO_ON)
    sl_json_add_truth (w, "run", step->go == SL_GO_RUN);
  if (step->has_speed)
    sl_json_add_whole (w, "speed", step->speed);
}

static void
write_point (SlJsonWriter *w, const SlLessonStep *step)
{
  static const char *const kinds[] = { "", "param", "panel", "control" };

  if (step->point == SL_POINT_NOWHERE)
    return;
  sl_json_open (w, "highlight", '{', SL_JSON_LOOSE);
  sl_json_add_text (w, kinds[step->point], step->pointed);
  sl_json_close (w);
}

static void
write_keep (SlJsonWriter *w, const SlLessonStep *step)
{
  if (step->keep->len == 0)
    return;
  sl_json_open (w, "keep", '{', SL_JSON_LINES);
  for (guint i = 0; i < step->keep->len; i++)
    {
      const SlLessonKept *kept = g_ptr_array_index (step->keep, i);

      add_text (w, kept->name, kept->formula);
    }
  sl_json_close (w);
}

static void
write_claims (SlJsonWriter *w, const SlLessonStep *step)
{
  if (step->holds->len == 0)
    return;
  sl_json_open (w, "holds", '[', SL_JSON_LINES);
  for (guint i = 0; i < step->holds->len; i++)
    sl_json_add_text (w, NULL, ((SlClaim *) g_ptr_array_index (step->holds, i))->text);
  sl_json_close (w);
}

/* Left out when nothing was said. */
static void
add_given (SlJsonWriter *w, const char *key, const char *text)
{
  if (*text != '\0')
    sl_json_add_text (w, key, text);
}

static void
write_step (SlJsonWriter *w, const SlLesson *lesson, unsigned i)
{
  const SlLessonStep *step = sl_lesson_step (lesson, i);
  const SlLab        *lab = NULL;

  for (unsigned k = 0; k <= i; k++)
    if (sl_lesson_step (lesson, k)->overview || sl_lesson_step (lesson, k)->lab != NULL)
      lab = sl_lesson_step (lesson, k)->lab;
  sl_json_open (w, NULL, '{', SL_JSON_LINES);
  sl_json_add_text (w, "title", step->title);
  sl_json_add_text (w, "text", step->text);
  add_given (w, "level", sl_level_ids[step->level]);
  add_text (w, "lab",
            step->overview      ? SL_LESSON_OVERVIEW
            : step->lab != NULL ? step->lab->id
                                : NULL);
  add_text (w, "data", step->data);
  if (step->has_seed)
    sl_json_add_whole (w, "seed", step->seed);
  write_settings (w, lab, step);
  write_go (w, step);
  write_point (w, step);
  add_list (w, "show", step->show);
  add_list (w, "offer", step->offer);
  add_list (w, "hides", step->hides);
  add_list (w, "locks", step->locks);
  write_question (w, &step->question);
  add_text (w, "reveal", step->reveal);
  write_keep (w, step);
  write_claims (w, step);
  sl_json_close (w);
}

char *
sl_lesson_write (const SlLesson *lesson)
{
  SlJsonWriter w;

  sl_json_writer_init (&w);
  sl_json_open (&w, NULL, '{', SL_JSON_LINES);
  sl_json_add_whole (&w, "sluice-lesson", 1);
  if (lesson->order > 0)
    sl_json_add_whole (&w, "order", lesson->order);
  sl_json_add_text (&w, "title", lesson->title);
  sl_json_add_text (&w, "summary", lesson->summary);
  add_given (&w, "author", lesson->author);
  add_given (&w, "goal", lesson->goal);
  if (lesson->minutes > 0)
    sl_json_add_whole (&w, "minutes", lesson->minutes);
  add_given (&w, "level", sl_level_ids[lesson->level]);
  add_given (&w, "misconception", lesson->misconception);
  add_given (&w, "notes", lesson->notes);
  sl_json_open (&w, "steps", '[', SL_JSON_LINES);
  for (guint i = 0; i < lesson->steps->len; i++)
    write_step (&w, lesson, i);
  return sl_json_writer_end (&w, TRUE);
}

uint64_t
sl_lesson_hash (const SlLesson *lesson)
{
  g_autofree char *json = sl_lesson_write (lesson);

  return sl_hash (json, strlen (json), 0);
}

SlLesson *
sl_lesson_copy (const SlLesson *lesson)
{
  g_autofree char *json = sl_lesson_write (lesson);

  return sl_lesson_parse (json, strlen (json), "lesson", lesson->folder, NULL);
}

gboolean
sl_lesson_save (const SlLesson *lesson, const char *path, GError **error)
{
  g_autofree char *json = sl_lesson_write (lesson);

  return sl_save (path, json, strlen (json), error);
}
