/* SPDX-License-Identifier: MIT
 *
 * What every part of a lesson is held to: its keys, kinds and formulas, and the sentence about what
 * is wrong with it.  */
#include <math.h>
#include <string.h>

#include <glib/gi18n.h>

#include "core/run/base/error.h"
#include "core/run/base/language.h"
#include "core/run/lesson/formula.h"
#include "core/run/lesson/read.h"

static gboolean
refuse_plain (SlLessonReader *r, const SlJson *at, const char *found, const char *expected)
{
  SlStatus status = sl_status_at (SL_EFORMAT, r->subject, SL_LINE, at->line,
                                  sl_message_verbatim (found), sl_message_verbatim (expected));

  g_propagate_error (r->error, sl_status_to_error (&status));
  return FALSE;
}

gboolean
sl_lesson_refuse (SlLessonReader *r, const SlJson *at, const char *found, const char *expected)
{
  char key[SL_UTF8_QUOTE];
  /* Translators: a key of a file and its value: "steps" with an empty array. */
  g_autofree char *with
    = at->key != NULL ? g_strdup_printf (_ ("%s with %s"), sl_utf8_quote (at->key, key), found)
                      : g_strdup (found);

  return refuse_plain (r, at, with, expected);
}

gboolean
sl_lesson_refuse_status (SlLessonReader *r, const SlJson *at, const SlStatus *status)
{
  char found[2 * SL_MESSAGE_SIZE], expected[2 * SL_MESSAGE_SIZE];

  return sl_lesson_refuse (
    r, at, sl_message_show (status->found.packed, sl_words, found, sizeof found),
    sl_message_show (status->expected.packed, sl_words, expected, sizeof expected));
}

gboolean
sl_lesson_refuse_text (SlLessonReader *r, const SlJson *at, const char *found, const char *expected)
{
  char quoted[SL_UTF8_QUOTE];

  return sl_lesson_refuse (r, at, sl_utf8_quote (found, quoted), expected);
}

gboolean
sl_lesson_refuse_kind (SlLessonReader *r, const SlJson *at, const char *expected)
{
  return sl_lesson_refuse (r, at, sl_words (sl_json_kind_text (at)), expected);
}

gboolean
sl_lesson_refuse_value (SlLessonReader *r, const SlJson *at, const char *expected)
{
  return at->text != NULL ? sl_lesson_refuse (r, at, at->text, expected)
                          : sl_lesson_refuse_kind (r, at, expected);
}

gboolean
sl_lesson_keys (SlLessonReader *r, const SlJson *object, const char *const *keys)
{
  for (const SlJson *child = object->first; child != NULL; child = child->next)
    {
      char             quoted[SL_UTF8_QUOTE];
      g_autofree char *found = NULL, *list = NULL;

      if (g_strv_contains (keys, child->key))
        continue;
      found = g_strdup_printf (_ ("the unknown key %s"), sl_utf8_quote (child->key, quoted));
      list = g_strjoinv (", ", (char **) keys);
      return refuse_plain (r, child, found, list);
    }
  return TRUE;
}

gboolean
sl_lesson_need (SlLessonReader *r, const SlJson *object, const char *key, const SlJson **member)
{
  g_autofree char *found = g_strdup_printf (_ ("no \"%s\""), key);

  *member = sl_json_member (object, key);
  return *member != NULL ? TRUE : sl_lesson_refuse (r, object, found, _ ("one"));
}

gboolean
sl_lesson_text (SlLessonReader *r, const SlJson *at, char **text)
{
  if (at->kind != SL_JSON_TEXT)
    return sl_lesson_refuse_kind (r, at, _ ("a text"));
  if (strlen (at->text) > SL_LESSON_TEXT)
    return sl_lesson_refuse (r, at, _ ("a text of more than 2000 bytes"), _ ("a shorter one"));
  g_free (*text);
  *text = g_strdup (at->text);
  return TRUE;
}

gboolean
sl_lesson_truth (SlLessonReader *r, const SlJson *at, gboolean *truth)
{
  if (at->kind != SL_JSON_TRUTH)
    return sl_lesson_refuse_kind (r, at, _ ("true or false"));
  *truth = at->number != 0.0;
  return TRUE;
}

gboolean
sl_lesson_whole (SlLessonReader *r, const SlJson *at, uint64_t lo, uint64_t *whole)
{
  if (!sl_json_whole (at, UINT64_MAX, whole) || *whole < lo)
    return sl_lesson_refuse (
      r, at, at->kind == SL_JSON_NUMBER ? at->text : sl_words (sl_json_kind_text (at)),
      lo == 0 ? _ ("a whole number from 0") : _ ("a whole number from 1"));
  return TRUE;
}

/* ---- formulas ---- */

/* Every name of a formula must be one that a run can publish; there are no values yet. */
static gboolean
is_name (const char *name, double at, double *value, gpointer data)
{
  SlLessonReader *r = data;

  *value = (double) NAN;
  if (r->asked && (g_str_equal (name, "guess") || g_str_equal (name, "answer")))
    return TRUE;
  if (r->drawn && g_str_equal (name, "off"))
    return TRUE;
  return g_hash_table_contains (r->kept, name)
         || (r->state.lab != NULL && sl_layout_find (&r->layout, name) >= 0);
}

/* The sentence of formula.h, with the line and key before it. */
static gboolean
pass_on (SlLessonReader *r, const SlJson *at, GError *reason)
{
  char key[SL_UTF8_QUOTE];

  g_set_error (r->error, SL_ERROR, SL_EFORMAT, "%s, line %u: %s: %s", r->subject, at->line,
               at->key != NULL ? sl_utf8_quote (at->key, key) : "", reason->message);
  g_error_free (reason);
  return FALSE;
}

gboolean
sl_lesson_check_formula (SlLessonReader *r, const SlJson *at)
{
  GError *reason = NULL;
  double  value;

  return sl_formula_value (at->text, is_name, r, &value, &reason) ? TRUE : pass_on (r, at, reason);
}

gboolean
sl_lesson_read_claims (SlLessonReader *r, const SlJson *at, SlLessonStep *step)
{
  if (at->kind != SL_JSON_ARRAY || at->n > SL_LESSON_LIST)
    return sl_lesson_refuse_kind (r, at, _ ("an array of at most 40 claims"));
  for (const SlJson *claim = at->first; claim != NULL; claim = claim->next)
    {
      GError  *reason = NULL;
      SlClaim *read = NULL;

      if (claim->kind != SL_JSON_TEXT)
        return sl_lesson_refuse (r, at, sl_words (sl_json_kind_text (claim)),
                                 _ ("claims as texts"));
      read = sl_claim_read (claim->text, is_name, r, &reason);
      if (read == NULL)
        return pass_on (r, at, reason);
      g_ptr_array_add (step->holds, read);
    }
  return TRUE;
}

gboolean
sl_lesson_check_filled (SlLessonReader *r, const SlJson *at)
{
  GError          *reason = NULL;
  g_autofree char *filled = sl_formula_fill (at->text, is_name, r, &reason);

  return filled != NULL ? TRUE : pass_on (r, at, reason);
}

typedef struct
{
  SlLessonReader *reader;
  char changing[SL_UTF8_QUOTE]; /* the first name of a value that changes, in quotes; else "" */
} Frozen;

static gboolean
note_changing (const char *name, double at, double *value, gpointer data)
{
  Frozen *frozen = data;

  *value = (double) NAN;
  if (frozen->changing[0] == '\0' && !g_hash_table_contains (frozen->reader->kept, name))
    sl_utf8_quote (name, frozen->changing);
  return TRUE;
}

gboolean
sl_lesson_check_asked (SlLessonReader *r, const SlJson *at)
{
  Frozen           frozen = { .reader = r };
  g_autofree char *filled = NULL, *found = NULL;

  if (!sl_lesson_check_filled (r, at))
    return FALSE;
  filled = sl_formula_fill (at->text, note_changing, &frozen, NULL);
  if (frozen.changing[0] == '\0')
    return TRUE;
  /* Translators: the name of a value. */
  found = g_strdup_printf (_ ("%s, which changes"), frozen.changing);
  return sl_lesson_refuse (r, at, found, _ ("values that an earlier step keeps"));
}
