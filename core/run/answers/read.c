/* SPDX-License-Identifier: MIT
 *
 * The reader of answers: strict, because a class's figures are made of what it lets through.  */
#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/base/utf8.h"
#include "core/run/answers/private.h"
#include "core/run/base/error.h"
#include "core/run/base/json.h"
#include "core/run/base/language.h"
#include "core/run/base/load.h"

typedef struct
{
  const char *subject;
  GError    **error;
} Reader;

static gboolean
refuse (Reader *r, const SlJson *at, const char *found, const char *expected)
{
  g_autofree char *with
    = at->key != NULL ? g_strdup_printf (_ ("%s with %s"), at->key, found) : g_strdup (found);
  SlStatus status = sl_status_at (SL_EFORMAT, r->subject, SL_LINE, at->line,
                                  sl_message_verbatim (with), sl_message_verbatim (expected));

  g_propagate_error (r->error, sl_status_to_error (&status));
  return FALSE;
}

/* A member of that kind. */
static const SlJson *
need (Reader *r, const SlJson *object, const char *key, SlJsonKind kind, const char *expected)
{
  const SlJson *member = sl_json_member (object, key);

  if (member != NULL && member->kind == kind)
    return member;
  if (member == NULL)
    {
      g_autofree char *found = g_strdup_printf (_ ("no \"%s\""), key);

      refuse (r, object, found, _ ("one"));
    }
  else
    refuse (r, member, sl_words (sl_json_kind_text (member)), expected);
  return NULL;
}

static gboolean
check_text (Reader *r, const SlJson *at, char **text)
{
  if (strlen (at->text) > SL_LESSON_TEXT)
    return refuse (r, at, _ ("a text of more than 2000 bytes"), _ ("a shorter one"));
  g_free (*text);
  *text = g_strdup (at->text);
  return TRUE;
}

static gboolean
read_text (Reader *r, const SlJson *object, const char *key, char **text)
{
  const SlJson *member = need (r, object, key, SL_JSON_TEXT, _ ("a text"));

  return member != NULL && check_text (r, member, text);
}

static gboolean
read_number (Reader *r, const SlJson *object, const char *key, double *number)
{
  const SlJson *member = need (r, object, key, SL_JSON_NUMBER, _ ("a number"));

  if (member == NULL)
    return FALSE;
  *number = member->number;
  return isfinite (*number) ? TRUE
                            : refuse (r, member, _ ("a number that is too large"), _ ("a number"));
}

static gboolean
read_whole (Reader *r, const SlJson *object, const char *key, unsigned most, unsigned *whole)
{
  const SlJson *member = need (r, object, key, SL_JSON_NUMBER, _ ("a whole number"));
  uint64_t      value;

  if (member == NULL)
    return FALSE;
  if (!sl_json_whole (member, most, &value) || value == 0)
    return refuse (r, member, member->text, _ ("a whole number from 1 that the lesson has"));
  *whole = (unsigned) value;
  return TRUE;
}

/* Reads n numbers; where `gaps` are allowed, null becomes not-a-number. */
static gboolean
read_numbers (Reader *r, const SlJson *object, const char *key, unsigned n, gboolean gaps,
              double *value)
{
  const SlJson *member = need (r, object, key, SL_JSON_ARRAY, _ ("an array of numbers"));
  const SlJson *element = member != NULL ? member->first : NULL;

  if (member == NULL)
    return FALSE;
  if (member->n != n)
    return refuse (r, member, _ ("a different number of values"), n == 2 ? "2" : "33");
  for (unsigned i = 0; i < n; i++, element = element->next)
    {
      gboolean gap = gaps && element->kind == SL_JSON_NULL;

      if (!gap && (element->kind != SL_JSON_NUMBER || !isfinite (element->number)))
        return refuse (r, element, sl_words (sl_json_kind_text (element)), _ ("a number"));
      value[i] = gap ? (double) NAN : element->number;
    }
  return TRUE;
}

static gboolean
read_range (Reader *r, const SlJson *object, const char *key, double *lo, double *hi)
{
  double range[2] = { 0.0, 0.0 };

  if (!read_numbers (r, object, key, 2, FALSE, range))
    return FALSE;
  *lo = range[0];
  *hi = range[1];
  return *lo < *hi ? TRUE
                   : refuse (r, sl_json_member (object, key), _ ("something else"),
                             _ ("two numbers, the smaller one first"));
}

static gboolean
read_choice (Reader *r, const SlJson *at, SlAnswer *answer)
{
  const SlJson *options = need (r, at, "options", SL_JSON_ARRAY, _ ("an array of texts"));
  const SlJson *option = options != NULL ? options->first : NULL;

  if (options == NULL)
    return FALSE;
  if (options->n < 2 || options->n > SL_LESSON_OPTIONS)
    return refuse (r, options, _ ("a different number of texts"), _ ("2 to 6"));
  answer->options = g_new0 (char *, options->n + 1);
  for (unsigned i = 0; i < options->n; i++, option = option->next)
    {
      if (option->kind != SL_JSON_TEXT)
        return refuse (r, option, sl_words (sl_json_kind_text (option)), _ ("a text"));
      if (!check_text (r, option, &answer->options[i]))
        return FALSE;
    }
  return (sl_json_member (at, "right") == NULL
          || read_whole (r, at, "right", options->n, &answer->right))
         && read_whole (r, at, "guess", options->n, &answer->option);
}

/* A number that may be left out. */
static gboolean
read_known (Reader *r, const SlJson *at, const char *key, double *value)
{
  return sl_json_member (at, key) == NULL || read_number (r, at, key, value);
}

/* The same, not below 0. */
static gboolean
read_distance (Reader *r, const SlJson *at, const char *key, double *value)
{
  if (!read_known (r, at, key, value))
    return FALSE;
  return *value < 0.0
           ? refuse (r, sl_json_member (at, key), _ ("a number below 0"), _ ("a distance"))
           : TRUE;
}

static gboolean
read_value (Reader *r, const SlJson *at, SlAnswer *answer)
{
  return read_range (r, at, "range", &answer->lo, &answer->hi)
         && read_text (r, at, "unit", &answer->unit)
         && read_distance (r, at, "tolerance", &answer->tolerance)
         && read_number (r, at, "guess", &answer->number)
         && read_known (r, at, "measured", &answer->measured);
}

static gboolean
read_curve (Reader *r, const SlJson *at, SlAnswer *answer)
{
  return read_range (r, at, "range", &answer->lo, &answer->hi)
         && read_range (r, at, "along", &answer->from, &answer->to)
         && read_distance (r, at, "tolerance", &answer->tolerance)
         && read_distance (r, at, "off", &answer->measured)
         && read_numbers (r, at, "guess", SL_SKETCH_POINTS, FALSE, answer->sketch)
         && (sl_json_member (at, "measured") == NULL
             || read_numbers (r, at, "measured", SL_SKETCH_POINTS, TRUE, answer->curve));
}

static gboolean
read_answer (Reader *r, const SlJson *at, SlAnswers *answers)
{
  static gboolean (*const readers[]) (Reader *, const SlJson *, SlAnswer *)
    = { NULL, read_choice, read_value, read_curve };
  unsigned last
    = answers->answers->len > 0
        ? ((SlAnswer *) g_ptr_array_index (answers->answers, answers->answers->len - 1))->step
        : 0;
  SlAnswer     *answer = sl_answers_append (answers);
  const SlJson *kind;

  if (at->kind != SL_JSON_OBJECT)
    return refuse (r, at, sl_words (sl_json_kind_text (at)), _ ("an object for each answer"));
  kind = need (r, at, "kind", SL_JSON_TEXT, _ ("choice, number or curve"));
  if (kind == NULL || !read_whole (r, at, "step", SL_LESSON_STEPS, &answer->step)
      || !read_text (r, at, "prompt", &answer->prompt))
    return FALSE;
  if (answer->step <= last)
    return refuse (r, sl_json_member (at, "step"), _ ("a step not after the one before"),
                   _ ("each step once, in order"));
  for (unsigned i = 1; sl_answer_kinds[i] != NULL; i++)
    if (g_str_equal (kind->text, sl_answer_kinds[i]))
      {
        answer->kind = i;
        return readers[i](r, at, answer);
      }
  return refuse (r, kind, _ ("another kind"), _ ("choice, number or curve"));
}

static gboolean
read_file (Reader *r, const SlJson *at, SlAnswers *answers)
{
  SlStatus         version = sl_json_version (at, "sluice-answers", r->subject);
  const SlJson    *list;
  g_autofree char *of = NULL;
  guint64          hash;
  GError          *wrong = NULL;

  if (!sl_status_good (&version, r->error) || !read_text (r, at, "lesson", &answers->lesson)
      || !read_text (r, at, "of", &of) || !read_text (r, at, "name", &answers->name))
    return FALSE;
  if (!sl_answers_check_name (answers->name, &wrong))
    {
      gboolean bad = refuse (r, sl_json_member (at, "name"), wrong->message, NULL);

      g_error_free (wrong);
      return bad;
    }
  if (strlen (of) != 16 || !g_ascii_string_to_unsigned (of, 16, 0, G_MAXUINT64, &hash, NULL))
    return refuse (r, sl_json_member (at, "of"), _ ("something else"), _ ("16 hexadecimal digits"));
  answers->of = hash;
  list = need (r, at, "answers", SL_JSON_ARRAY, _ ("an array of answers"));
  if (list == NULL)
    return FALSE;
  if (list->n == 0 || list->n > SL_LESSON_STEPS)
    return refuse (r, list, list->n == 0 ? _ ("no answer") : _ ("too many answers"),
                   _ ("one for each question"));
  for (const SlJson *answer = list->first; answer != NULL; answer = answer->next)
    if (!read_answer (r, answer, answers))
      return FALSE;
  return TRUE;
}

SlAnswers *
sl_answers_parse (const char *text, gsize length, const char *subject, GError **error)
{
  g_autoptr (SlJson) json = sl_json_parse_object (text, length, SL_ANSWERS_BYTES, subject, error);
  g_autoptr (SlAnswers) answers = sl_answers_empty ();
  Reader r = { .subject = subject, .error = error };

  return json != NULL && read_file (&r, json, answers) ? g_steal_pointer (&answers) : NULL;
}

SlAnswers *
sl_answers_load (const char *path, GError **error)
{
  gsize            length;
  g_autofree char *text = sl_load (path, SL_ANSWERS_BYTES, &length, error);
  g_autofree char *name = g_path_get_basename (path);

  return text != NULL ? sl_answers_parse (text, length, name, error) : NULL;
}
