/* SPDX-License-Identifier: MIT
 *
 * What trainers write as JSON: "log_history" of Hugging Face (trainer_state.json), an array of objects, or
 * an object a line.  */
#include <math.h>
#include <string.h>

#include "core/run/base/error.h"
#include "core/run/base/json.h"
#include "core/run/foreign/foreign.h"

enum { JSON_BYTES = 128 << 20 };

#define HISTORY "log_history"

typedef struct
{
  SlForeign  *foreign;
  const char *subject;
} Log;

/* ---- numbers that are no JSON ---- */

/* What Python writes for numbers that JSON has not. */
static const struct
{
  const char *word, *json;
} words[] = { { "NaN", "null" }, { "Infinity", "1e999" } };

/* The text with these numbers as JSON has them, outside of texts; NULL: there are none. */
static char *
in_json (const char *text, gsize length)
{
  g_autoptr (GString) json = NULL;
  gboolean within = FALSE;
  gsize    from = 0;

  if (g_strstr_len (text, (gssize) length, words[0].word) == NULL
      && g_strstr_len (text, (gssize) length, words[1].word) == NULL)
    return NULL;
  json = g_string_sized_new (length);
  for (gsize i = 0; i < length; i++)
    {
      if (within && text[i] == '\\')
        i++;
      else if (text[i] == '"')
        within = !within;
      for (gsize w = 0; !within && i < length && w < G_N_ELEMENTS (words); w++)
        if (strncmp (text + i, words[w].word, strlen (words[w].word)) == 0)
          {
            g_string_append_len (json, text + from, (gssize) (i - from));
            g_string_append (json, words[w].json);
            i += strlen (words[w].word) - 1;
            from = i + 1;
            break;
          }
    }
  g_string_append_len (json, text + from, (gssize) (length - from));
  return g_string_free (g_steal_pointer (&json), FALSE);
}

static SlJson *
parse (const Log *log, const char *text, gsize length, GError **error)
{
  g_autofree char *json = in_json (text, length);

  return sl_json_parse (json != NULL ? json : text, json != NULL ? strlen (json) : length,
                        JSON_BYTES, log->subject, error);
}

/* ---- objects ---- */

/* The member with the best name of steps that is a number; NULL: none. */
static const SlJson *
steps_of (const SlJson *object)
{
  const SlJson *best = NULL;
  int           best_rank = -1;

  for (const SlJson *m = object->first; object->kind == SL_JSON_OBJECT && m != NULL; m = m->next)
    {
      int rank = m->kind == SL_JSON_NUMBER && isfinite (m->number) ? sl_steps_rank (m->key) : -1;

      if (rank >= 0 && (best == NULL || rank < best_rank))
        {
          best = m;
          best_rank = rank;
        }
    }
  return best;
}

static gboolean
fail_full (const Log *log, const SlJson *at, GError **error)
{
  SlStatus status
    = sl_status_at (SL_ENOMEM, log->subject, SL_LINE, at->line, sl_message ("more data than fit"),
                    sl_message ("at most %d numbers", SL_FOREIGN_POINTS_MAX));

  return sl_status_good (&status, error);
}

static gboolean
add_number (const Log *log, const char *name, double step, const SlJson *value, GError **error)
{
  SlForeignCurve *curve = sl_foreign_curve (log->foreign, name);

  return curve == NULL || sl_foreign_add (log->foreign, curve, step, value->number)
         || fail_full (log, value, error);
}

/* The numbers of an object at a step; its objects have theirs under "name/".  Null is no number, once there
 * was one of that name: so it is written without NaN.  */
static gboolean
add_members (const Log *log, const char *before, const SlJson *object, const SlJson *steps,
             GError **error)
{
  gboolean good = TRUE;

  for (const SlJson *m = object->first; m != NULL && good; m = m->next)
    {
      g_autofree char *key = sl_foreign_name (m->key, strlen (m->key));
      g_autofree char *name = g_strconcat (before, key, NULL);
      gboolean         known = g_hash_table_contains (log->foreign->places, name);

      if (m == steps)
        continue;
      if (strlen (name) <= SL_FOREIGN_NAME_MAX
          && (m->kind == SL_JSON_NUMBER || (m->kind == SL_JSON_NULL && known)))
        good = add_number (log, name, steps->number, m, error);
      else if (m->kind == SL_JSON_OBJECT)
        {
          g_autofree char *within = g_strconcat (name, "/", NULL);

          good = add_members (log, within, m, steps, error);
        }
      else if (m->kind != SL_JSON_NULL)
        sl_foreign_leave_out (log->foreign, name);
    }
  return good;
}

/* What the steps are called is what the first object calls them; where one has none of that name, its own best
 * is another count, so it is left out.  */
static gboolean
add_object (const Log *log, const SlJson *object, GError **error)
{
  const SlJson *steps = log->foreign->steps == NULL
                          ? steps_of (object)
                          : sl_json_member_of (object, log->foreign->steps, SL_JSON_NUMBER);

  if (steps == NULL || !isfinite (steps->number))
    {
      log->foreign->no_step++;
      return TRUE;
    }
  if (log->foreign->steps == NULL)
    log->foreign->steps = g_strdup (steps->key);
  return add_members (log, "", object, steps, error);
}

static gboolean
add_array (const Log *log, const SlJson *array, GError **error)
{
  gboolean good = TRUE;

  for (const SlJson *each = array->first; each != NULL && good; each = each->next)
    good = add_object (log, each, error);
  return good;
}

/* ---- files ---- */

/* The length of the line that begins here. */
static gsize
line_of (const char *at, const char *end)
{
  const char *newline = memchr (at, '\n', (gsize) (end - at));

  return newline != NULL ? (gsize) (newline - at) : (gsize) (end - at);
}

static gsize
blank_of (const char *at, gsize n)
{
  gsize blank = 0;

  while (blank < n && g_ascii_isspace (at[blank]))
    blank++;
  return blank;
}

/* An object a line; one that is cut off at the end is not there yet. */
static gboolean
read_lines (const Log *log, const char *text, gsize length, GError **error)
{
  const char *end = text + length;
  gboolean    good = TRUE;
  guint64     line = 1;

  for (const char *at = text; at < end && good; line++)
    {
      gsize n = line_of (at, end);
      g_autoptr (SlJson) json = parse (log, at, n, NULL);

      if (json != NULL && json->kind == SL_JSON_OBJECT)
        good = add_object (log, json, error);
      else if (json == NULL && at + n == end)
        log->foreign->cut = (guint64) (at - text);
      else if (blank_of (at, n) < n)
        {
          SlStatus status
            = sl_status_at (SL_EFORMAT, log->subject, SL_LINE, line, sl_message ("no object"),
                            sl_message ("an object of JSON with numbers"));

          good = sl_status_good (&status, error);
        }
      at += MIN (n + 1, (gsize) (end - at));
    }
  return good;
}

/* One value that is the whole file, or NULL. */
static SlJson *
whole_of (const Log *log, const char *text, gsize length, GError **error)
{
  gsize blank = blank_of (text, length);
  gsize n = line_of (text + blank, text + length);
  g_autoptr (SlJson) first = NULL;

  /* A first line that is a value by itself, and something behind it: lines. */
  if (blank + n < length && blank_of (text + blank + n, length - blank - n) < length - blank - n)
    first = parse (log, text + blank, n, NULL);
  return first == NULL ? parse (log, text, length, error) : NULL;
}

gboolean
sl_foreign_read_log (SlForeign *foreign, const char *subject, const char *text, gsize length,
                     GError **error)
{
  Log log = { foreign, subject };
  g_autoptr (GError) why = NULL;
  g_autoptr (SlJson) json = whole_of (&log, text, length, &why);
  const SlJson *history = json != NULL ? sl_json_member_of (json, HISTORY, SL_JSON_ARRAY) : NULL;

  if (why != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&why));
      return FALSE;
    }
  if (json == NULL)
    return read_lines (&log, text, length, error);
  if (history != NULL)
    return add_array (&log, history, error);
  return json->kind == SL_JSON_ARRAY ? add_array (&log, json, error)
                                     : add_object (&log, json, error);
}

/* Counts the numbers of an object and of those in it; FALSE: it has what recordings of routing have. */
static gboolean
count_numbers (const SlJson *object, guint *numbers)
{
  static const char *const of_recordings[] = { "layer", "expert", "token", NULL };

  for (const SlJson *m = object->first; m != NULL; m = m->next)
    {
      if (m->kind == SL_JSON_ARRAY || g_strv_contains (of_recordings, m->key)
          || (m->kind == SL_JSON_OBJECT && !count_numbers (m, numbers)))
        return FALSE;
      *numbers += m->kind == SL_JSON_NUMBER;
    }
  return TRUE;
}

/* Whether a text is an object with a step and another number. */
static gboolean
is_entry (const char *text, gsize n)
{
  g_autoptr (SlJson) object = parse (&(Log) { NULL, "" }, text, n, NULL);
  guint numbers = 0;

  return object != NULL && steps_of (object) != NULL && count_numbers (object, &numbers)
         && numbers > 1;
}

gboolean
sl_foreign_is_log (const char *text, gsize length)
{
  const char *at = text + blank_of (text, length), *end = text + length;

  if (at < end && *at == '{')
    return g_strstr_len (text, (gssize) length, "\"" HISTORY "\"") != NULL
           || is_entry (at, line_of (at, end));
  if (at < end && *at == '[')
    {
      /* The first object of an array, which has none in it. */
      const char *open = at + 1 + blank_of (at + 1, (gsize) (end - at - 1));
      const char *close = open < end ? memchr (open, '}', (gsize) (end - open)) : NULL;

      return close != NULL && *open == '{' && is_entry (open, (gsize) (close - open) + 1);
    }
  return FALSE;
}
