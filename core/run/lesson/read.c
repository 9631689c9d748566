/* SPDX-License-Identifier: MIT
 *
 * The reader of lessons: strict, so that a teacher finds a mistyped key while writing and not in
 * front of the class.  Keys are read in the order of their dependences, whatever their order in the
 * file.  */
#include "core/run/lesson/lesson.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/data/source/source.h"
#include "core/labs/registry.h"
#include "core/run/base/error.h"
#include "core/run/base/language.h"
#include "core/run/base/load.h"
#include "core/run/lesson/read.h"
#include "core/run/record/recipe-json.h"

static gboolean
read_text_of (SlLessonReader *r, const SlJson *object, const char *key, char **text)
{
  const SlJson *member;

  return sl_lesson_need (r, object, key, &member) && sl_lesson_text (r, member, text);
}

/* ---- what depends on the lab ---- */

static const char *const overview_roles[] = { "s", "rank", "k", NULL };

static gboolean
check_param (SlLessonReader *r, const SlJson *at, const char *id)
{
  const SlLab *lab = r->state.lab;

  if (lab == NULL)
    return g_strv_contains (overview_roles, id)
             ? TRUE
             : sl_lesson_refuse_text (r, at, id, _ ("one of s, rank and k"));
  return sl_param_find (lab->params, lab->n_params, id) >= 0
           ? TRUE
           : sl_lesson_refuse_text (r, at, id, _ ("the id of a parameter of the lab"));
}

gboolean
sl_lesson_check_panel (SlLessonReader *r, const SlJson *at, const char *id)
{
  return r->state.lab != NULL && sl_lab_panel (r->state.lab, id) >= 0
           ? TRUE
           : sl_lesson_refuse_text (r, at, id, _ ("the id of a panel of the lab"));
}

typedef gboolean (*Check) (SlLessonReader *r, const SlJson *at, const char *id);

static gboolean
read_ids (SlLessonReader *r, const SlJson *at, Check check, char ***ids)
{
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func (g_free);

  if (at->kind != SL_JSON_ARRAY)
    return sl_lesson_refuse_kind (r, at, _ ("an array of ids"));
  if (at->n > SL_LESSON_LIST)
    return sl_lesson_refuse (r, at, _ ("too many ids"), _ ("at most 40"));
  for (const SlJson *id = at->first; id != NULL; id = id->next)
    {
      if (id->kind != SL_JSON_TEXT)
        return sl_lesson_refuse (r, at, sl_words (sl_json_kind_text (id)), _ ("ids as texts"));
      if (!check (r, id, id->text))
        return FALSE;
      g_ptr_array_add (list, g_strdup (id->text));
    }
  g_ptr_array_add (list, NULL);
  *ids = (char **) g_ptr_array_free (g_steal_pointer (&list), FALSE);
  return TRUE;
}

static gboolean
check_value (SlLessonReader *r, const SlJson *at, const char *value)
{
  const SlLab *lab = r->state.lab;
  SlStatus     status = SL_SUCCESS;

  if (lab != NULL)
    status = sl_settings_set (&r->state.settings, lab->params, lab->n_params, at->key, value);
  else if (at->kind != SL_JSON_NUMBER)
    return sl_lesson_refuse_kind (r, at, _ ("a number"));
  return sl_ok (&status) ? TRUE : sl_lesson_refuse_status (r, at, &status);
}

/* The parameter of the lab; NULL without a lab. */
static const SlParam *
param_of (const SlLessonReader *r, const char *id)
{
  const SlLab *lab = r->state.lab;
  int          param = lab != NULL ? sl_param_find (lab->params, lab->n_params, id) : -1;

  return param >= 0 ? &lab->params[param] : NULL;
}

static gboolean
read_settings (SlLessonReader *r, const SlJson *at, SlLessonStep *step)
{
  if (at->kind != SL_JSON_OBJECT)
    return sl_lesson_refuse_kind (r, at, _ ("an object"));
  for (const SlJson *child = at->first; child != NULL; child = child->next)
    {
      g_autofree char *value = NULL;
      SlLessonSetting *setting;

      if (r->state.lab != NULL && sl_lab_had (r->state.lab, child->key))
        continue;
      if (!check_param (r, child, child->key))
        return FALSE;
      value = sl_json_value_text (child, param_of (r, child->key));
      if (value == NULL)
        return sl_lesson_refuse_kind (r, child, _ ("a value"));
      if (!check_value (r, child, value))
        return FALSE;
      setting = g_new0 (SlLessonSetting, 1);
      setting->id = g_strdup (child->key);
      setting->value = g_steal_pointer (&value);
      g_ptr_array_add (step->settings, setting);
    }
  return TRUE;
}

static gboolean
read_highlight (SlLessonReader *r, const SlJson *at, SlLessonStep *step)
{
  static const char *const kinds[] = { "param", "panel", "control", NULL };
  const SlJson            *what;

  if (at->kind != SL_JSON_OBJECT || at->n != 1)
    return sl_lesson_refuse (
      r, at, at->kind == SL_JSON_OBJECT ? _ ("not one key") : sl_words (sl_json_kind_text (at)),
      _ ("an object with one of param, panel and control"));
  if (!sl_lesson_keys (r, at, kinds))
    return FALSE;
  what = at->first;
  if (!sl_lesson_text (r, what, &step->pointed))
    return FALSE;
  if (g_str_equal (what->key, "param"))
    {
      step->point = SL_POINT_PARAM;
      return check_param (r, what, step->pointed);
    }
  if (g_str_equal (what->key, "panel"))
    {
      step->point = SL_POINT_PANEL;
      return sl_lesson_check_panel (r, what, step->pointed);
    }
  step->point = SL_POINT_CONTROL;
  return g_strv_contains (sl_lesson_controls, step->pointed)
           ? TRUE
           : sl_lesson_refuse_text (r, what, step->pointed, _ ("the id of a control"));
}

static gboolean
read_go (SlLessonReader *r, const SlJson *at, SlLessonStep *step)
{
  if (at->kind == SL_JSON_TRUTH)
    {
      step->go = at->number != 0.0 ? SL_GO_RUN : SL_GO_PAUSE;
      return TRUE;
    }
  if (at->kind != SL_JSON_NUMBER || r->state.lab == NULL)
    return sl_lesson_refuse_kind (
      r, at, r->state.lab == NULL ? _ ("true or false") : _ ("true, false or a number of updates"));
  step->go = SL_GO_UNTIL;
  return sl_lesson_whole (r, at, 1, &step->updates);
}

/* ---- values for later steps ---- */

static gboolean
is_kept_name (const char *name)
{
  if (!g_ascii_islower (*name))
    return FALSE;
  for (const char *c = name; *c != '\0'; c++)
    if (!g_ascii_islower (*c) && !g_ascii_isdigit (*c) && *c != '-')
      return FALSE;
  return !g_str_equal (name, "guess") && !g_str_equal (name, "answer")
         && !g_str_equal (name, "off");
}

/* Names are known from the next step on. */
static gboolean
read_keep (SlLessonReader *r, const SlJson *at, SlLessonStep *step)
{
  if (at->kind != SL_JSON_OBJECT)
    return sl_lesson_refuse_kind (r, at, _ ("an object"));
  for (const SlJson *child = at->first; child != NULL; child = child->next)
    {
      SlLessonKept *kept;

      if (!is_kept_name (child->key))
        return sl_lesson_refuse_text (r, at, child->key,
                                      _ ("a name of lower-case letters, digits and hyphens"));
      if (child->kind != SL_JSON_TEXT)
        return sl_lesson_refuse_kind (r, child, _ ("a formula"));
      if (!sl_lesson_check_formula (r, child))
        return FALSE;
      kept = g_new0 (SlLessonKept, 1);
      kept->name = g_strdup (child->key);
      kept->formula = g_strdup (child->text);
      g_ptr_array_add (step->keep, kept);
    }
  for (guint i = 0; i < step->keep->len; i++)
    g_hash_table_add (r->kept,
                      g_strdup (((SlLessonKept *) g_ptr_array_index (step->keep, i))->name));
  return TRUE;
}

/* ---- steps ---- */

static gboolean
read_lab (SlLessonReader *r, const SlJson *at, SlLessonStep *step)
{
  if (at->kind != SL_JSON_TEXT)
    return sl_lesson_refuse_kind (r, at, _ ("the id of a lab"));
  step->overview = g_str_equal (at->text, SL_LESSON_OVERVIEW);
  step->lab = sl_lab_find (at->text);
  return step->overview || step->lab != NULL
           ? TRUE
           : sl_lesson_refuse_text (r, at, at->text, _ ("the id of a lab, or glance"));
}

static gboolean
read_data (SlLessonReader *r, const SlJson *at, SlLessonStep *step)
{
  const SlSource *source;
  SlSettings      settings;
  SlStatus        status;

  if (!sl_lesson_text (r, at, &step->data))
    return FALSE;
  if (r->state.lab == NULL || r->state.lab->data == SL_NEEDS_NOTHING)
    return sl_lesson_refuse_text (r, at, step->data, _ ("no data for this lab"));
  status = sl_source_parse (step->data, &source, &settings, NULL);
  if (!sl_ok (&status))
    return sl_lesson_refuse_status (r, at, &status);
  return source == NULL || sl_data_serves (source->yields, r->state.lab->data)
           ? TRUE
           : sl_lesson_refuse (r, at, sl_words (sl_data_title (source->yields)),
                               sl_words (sl_data_title (r->state.lab->data)));
}

static gboolean
read_seed (SlLessonReader *r, const SlJson *at, SlLessonStep *step)
{
  step->has_seed = TRUE;
  return sl_lesson_whole (r, at, 0, &step->seed);
}

static gboolean
read_speed (SlLessonReader *r, const SlJson *at, SlLessonStep *step)
{
  uint64_t speed;

  if (!sl_lesson_whole (r, at, 0, &speed))
    return FALSE;
  if (speed > SL_LESSON_SPEED)
    return sl_lesson_refuse_value (r, at, _ ("at most 10000 updates a second"));
  step->has_speed = TRUE;
  step->speed = (unsigned) speed;
  return TRUE;
}

static gboolean
read_level (SlLessonReader *r, const SlJson *at, SlLevel *level)
{
  for (SlLevel i = SL_LEVEL_WHAT; i < SL_N_LEVELS; i++)
    if (at->kind == SL_JSON_TEXT && g_str_equal (at->text, sl_level_ids[i]))
      *level = i;
  return *level != SL_LEVEL_NONE ? TRUE
                                 : sl_lesson_refuse_value (r, at, _ ("what, why or how-much"));
}

/* The start page has four runs of its own, of which a lesson moves the three sliders. */
static gboolean
check_overview (SlLessonReader *r, const SlJson *at)
{
  static const char *const without[]
    = { "data", "seed", "restart", "speed", "show", "offer", "hides", "locks", NULL };

  for (unsigned i = 0; r->state.lab == NULL && without[i] != NULL; i++)
    {
      const SlJson *member = sl_json_member (at, without[i]);

      if (member != NULL)
        return sl_lesson_refuse (r, member, _ ("a value"), _ ("none on the start page"));
    }
  return TRUE;
}

/* What holds when this step begins, but for its own settings. */
static gboolean
find_state (SlLessonReader *r, const SlJson *at, unsigned number)
{
  SlStatus status;

  g_clear_pointer (&r->state.data, g_free);
  status = sl_lesson_state (r->lesson, number, &r->state);
  if (!sl_ok (&status))
    return sl_lesson_refuse_status (r, at, &status);
  return TRUE;
}

static gboolean
read_step (SlLessonReader *r, const SlJson *at, unsigned number)
{
  static const char *const keys[]
    = { "title",   "text",     "level",  "lab",       "data",  "seed",  "settings",
        "restart", "run",      "speed",  "highlight", "show",  "offer", "hides",
        "locks",   "question", "reveal", "keep",      "holds", NULL };
  SlLessonStep *step;
  const SlJson *member;

  if (at->kind != SL_JSON_OBJECT)
    return sl_lesson_refuse_kind (r, at, _ ("an object for each step"));
  step = sl_lesson_add (r->lesson);
  r->asked = r->drawn = FALSE;
  if (!sl_lesson_keys (r, at, keys) || !read_text_of (r, at, "title", &step->title)
      || !read_text_of (r, at, "text", &step->text)
      || !SL_LESSON_MAYBE ("level", read_level, &step->level)
      || !SL_LESSON_MAYBE ("lab", read_lab, step))
    return FALSE;
  if (number == 0 && step->lab == NULL && !step->overview)
    return sl_lesson_refuse (r, at, _ ("no \"lab\" in the first step"), _ ("one"));
  if (!find_state (r, at, number) || !check_overview (r, at)
      || !SL_LESSON_MAYBE ("data", read_data, step) || !SL_LESSON_MAYBE ("seed", read_seed, step)
      || !SL_LESSON_MAYBE ("settings", read_settings, step) || !find_state (r, at, number))
    return FALSE;
  if (r->state.lab != NULL)
    sl_layout_init (&r->layout, r->state.lab, &r->state.settings);
  if (!SL_LESSON_MAYBE ("restart", sl_lesson_truth, &step->restart)
      || !SL_LESSON_MAYBE ("run", read_go, step) || !SL_LESSON_MAYBE ("speed", read_speed, step)
      || !SL_LESSON_MAYBE ("highlight", read_highlight, step)
      || !SL_LESSON_MAYBE ("show", read_ids, sl_lesson_check_panel, &step->show)
      || !SL_LESSON_MAYBE ("offer", read_ids, check_param, &step->offer)
      || !SL_LESSON_MAYBE ("hides", read_ids, check_param, &step->hides)
      || !SL_LESSON_MAYBE ("locks", read_ids, check_param, &step->locks)
      || !sl_lesson_check_filled (r, sl_json_member (at, "text"))
      || !SL_LESSON_MAYBE ("question", sl_lesson_read_question, step))
    return FALSE;
  r->asked = step->question.kind == SL_ASK_NUMBER || step->question.kind == SL_ASK_CURVE;
  r->drawn = step->question.kind == SL_ASK_CURVE;
  if (!SL_LESSON_MAYBE ("reveal", sl_lesson_text, &step->reveal))
    return FALSE;
  if (step->reveal != NULL && !sl_lesson_check_filled (r, sl_json_member (at, "reveal")))
    return FALSE;
  return SL_LESSON_MAYBE ("keep", read_keep, step)
         && SL_LESSON_MAYBE ("holds", sl_lesson_read_claims, step);
}

static gboolean
read_steps (SlLessonReader *r, const SlJson *at)
{
  if (at->kind != SL_JSON_ARRAY || at->n == 0)
    return sl_lesson_refuse (
      r, at, at->kind == SL_JSON_ARRAY ? _ ("no step") : sl_words (sl_json_kind_text (at)),
      _ ("an array of steps"));
  if (at->n > SL_LESSON_STEPS)
    return sl_lesson_refuse (r, at, _ ("too many steps"), _ ("at most 64"));
  for (const SlJson *step = at->first; step != NULL; step = step->next)
    if (!read_step (r, step, r->lesson->steps->len))
      return FALSE;
  return TRUE;
}

static gboolean
read_thousand (SlLessonReader *r, const SlJson *at, unsigned *number)
{
  uint64_t whole;

  if (!sl_lesson_whole (r, at, 1, &whole))
    return FALSE;
  *number = (unsigned) MIN (whole, 1000);
  return TRUE;
}

static gboolean
read_lesson (SlLessonReader *r, const SlJson *at)
{
  static const char *const keys[]
    = { "sluice-lesson", "order", "title",         "summary", "author", "goal",
        "minutes",       "level", "misconception", "notes",   "steps",  NULL };
  const SlJson *member, *steps;
  SlStatus      version;

  if (at->kind != SL_JSON_OBJECT)
    return sl_lesson_refuse_kind (r, at, _ ("a lesson"));
  version = sl_json_version (at, "sluice-lesson", r->subject);
  return sl_status_good (&version, r->error) && sl_lesson_keys (r, at, keys)
         && SL_LESSON_MAYBE ("order", read_thousand, &r->lesson->order)
         && read_text_of (r, at, "title", &r->lesson->title)
         && read_text_of (r, at, "summary", &r->lesson->summary)
         && SL_LESSON_MAYBE ("author", sl_lesson_text, &r->lesson->author)
         && SL_LESSON_MAYBE ("goal", sl_lesson_text, &r->lesson->goal)
         && SL_LESSON_MAYBE ("minutes", read_thousand, &r->lesson->minutes)
         && SL_LESSON_MAYBE ("level", read_level, &r->lesson->level)
         && SL_LESSON_MAYBE ("misconception", sl_lesson_text, &r->lesson->misconception)
         && SL_LESSON_MAYBE ("notes", sl_lesson_text, &r->lesson->notes)
         && sl_lesson_need (r, at, "steps", &steps) && read_steps (r, steps);
}

/* Infinity is for the files of runs. */
static gboolean
check_finite (SlLessonReader *r, const SlJson *at)
{
  if (at->kind == SL_JSON_NUMBER && !isfinite (at->number))
    return sl_lesson_refuse (r, at, _ ("a number that is too large"), NULL);
  for (const SlJson *child = at->first; child != NULL; child = child->next)
    if (!check_finite (r, child))
      return FALSE;
  return TRUE;
}

SlLesson *
sl_lesson_parse (const char *text, gsize length, const char *subject, const char *folder,
                 GError **error)
{
  g_autoptr (SlJson) json = sl_json_parse (text, length, SL_LESSON_BYTES, subject, error);
  g_autoptr (SlLesson) lesson = sl_lesson_new ("", "");
  g_autoptr (GHashTable) kept = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  SlLessonReader r = { .lesson = lesson, .subject = subject, .kept = kept, .error = error };
  gboolean       good;

  if (json == NULL)
    return NULL;
  lesson->folder = g_strdup (folder);
  good = check_finite (&r, json) && read_lesson (&r, json);
  g_free (r.state.data);
  return good ? g_steal_pointer (&lesson) : NULL;
}

SlLesson *
sl_lesson_load (GFile *file, GError **error)
{
  g_autofree char *text = NULL, *name = g_file_get_basename (file);
  g_autofree char *path = g_file_get_path (file);
  g_autofree char *folder = path != NULL ? g_path_get_dirname (path) : NULL;
  gsize            length;

  if (path != NULL)
    text = sl_load (path, SL_LESSON_BYTES, &length, error);
  else /* one of our own, which are part of the program */
    g_file_load_contents (file, NULL, &text, &length, NULL, error);
  if (text == NULL)
    return NULL;
  return sl_lesson_parse (text, length, name, folder, error);
}
