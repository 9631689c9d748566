/* SPDX-License-Identifier: MIT
 *
 * See query.h.  A line becomes a list of steps in the order of reverse Polish notation, which one pass
 * with a small stack of truths carries out.  */
#include "core/run/query/query.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/base/utf8.h"
#include "core/base/words.h"
#include "core/run/query/private.h"
#include "core/run/query/setting.h"

typedef enum { TEST, AND, OR, NOT } StepKind;

typedef struct
{
  StepKind kind;
  SlField  field;
  SlSign   sign;
  char    *text;          /* folded */
  double   number, until; /* of a date the end of its day; not-a-number: the text is no number */
} Step;

struct SlQuery
{
  char   *words; /* folded: the words to find literally; NULL: the steps count */
  GArray *steps; /* of Step; none: all pass */
};

enum { STACK = SL_QUERY_TESTS + 1 };

typedef struct
{
  const char      *line;
  SlToken          token; /* the next one */
  unsigned         depth, tests;
  const GPtrArray *runs;
  GArray          *steps;
  GError         **error;
} Reader;

static gboolean read_any (Reader *r);

/* ---- reading ---- */

static gboolean
refuse_at (Reader *r, const char *at, const char *found, const char *expected)
{
  char where[64];

  g_snprintf (where, sizeof where, _ ("the filter, character %ld"),
              g_utf8_pointer_to_offset (r->line, at) + 1);
  return sl_fail (r->error, SL_EFORMAT, where, found, expected);
}

/* The next word in quotes, for a sentence. */
static const char *
found (const Reader *r, char quoted[SL_UTF8_QUOTE])
{
  g_autofree char *text = g_strndup (r->token.from, r->token.n);

  return r->token.kind == SL_TOKEN_END ? _ ("its end") : sl_utf8_quote (text, quoted);
}

static gboolean
refuse (Reader *r, const char *expected)
{
  char quoted[SL_UTF8_QUOTE];

  if (r->token.kind == SL_TOKEN_WRONG && r->token.from[0] != '!')
    return refuse_at (r, r->token.from, _ ("a quote without its end"), NULL);
  return refuse_at (r, r->token.from, found (r, quoted), expected);
}

static void
advance (Reader *r)
{
  r->token = sl_token_read (r->token.next);
}

static void
add_step (Reader *r, StepKind kind)
{
  Step step = { .kind = kind };

  g_array_append_val (r->steps, step);
}

static const char *
nearest_name (const char *word, const GPtrArray *runs)
{
  g_autoptr (GPtrArray) names = sl_field_names (runs);
  const char *nearest = g_ptr_array_index (names, 0);

  for (guint i = 1; i < names->len; i++)
    if (sl_word_distance (word, g_ptr_array_index (names, i)) < sl_word_distance (word, nearest))
      nearest = g_ptr_array_index (names, i);
  return nearest;
}

static gboolean
read_name (Reader *r, SlField *field)
{
  g_autofree char *word = g_strndup (r->token.from, r->token.n);
  g_autofree char *small = g_ascii_strdown (word, -1), *expected = NULL;

  if (r->token.kind != SL_TOKEN_WORD || sl_token_is (&r->token, "and")
      || sl_token_is (&r->token, "or") || sl_token_is (&r->token, "contains"))
    return refuse (r, _ ("a name, \"not\" or \"(\""));
  if (!sl_field_find (word, r->runs, field) && !sl_field_find (small, r->runs, field))
    {
      expected = g_strdup_printf (_ ("the name of a setting, score or fact, perhaps %s"),
                                  nearest_name (small, r->runs));
      return refuse (r, expected);
    }
  advance (r);
  return TRUE;
}

/* ---- values ---- */

static gboolean
read_number (const char *text, double *number)
{
  static const char *const yes[] = { "yes", "true" }, *const no[] = { "no", "false" };
  char *end;

  for (size_t i = 0; i < G_N_ELEMENTS (yes); i++)
    if (strcmp (text, yes[i]) == 0 || strcmp (text, no[i]) == 0)
      {
        *number = strcmp (text, yes[i]) == 0;
        return TRUE;
      }
  *number = g_ascii_strtod (text, &end);
  return end != text && *end == '\0' && isfinite (*number);
}

/* A day, or a time of it, as what it covers in seconds. */
static gboolean
read_date (const char *text, double *from, double *until)
{
  g_autoptr (GTimeZone) utc = g_time_zone_new_utc ();
  g_autoptr (GDateTime) now = g_date_time_new_now_utc (), at = NULL;
  g_autofree char *day = NULL, *whole = NULL;
  const char      *time;

  if (strcmp (text, "today") == 0)
    day = g_date_time_format (now, "%Y-%m-%d");
  else if (strcmp (text, "yesterday") == 0)
    {
      g_autoptr (GDateTime) before = g_date_time_add_days (now, -1);

      day = g_date_time_format (before, "%Y-%m-%d");
    }
  else
    day = g_strdup (text);
  time = strchr (day, 't');
  if (time == NULL)
    whole = g_strconcat (day, "T00:00:00", NULL);
  else
    whole = strlen (time) == strlen ("t00:00") ? g_strconcat (day, ":00", NULL) : g_strdup (day);
  at = g_date_time_new_from_iso8601 (whole, utc);
  if (at == NULL)
    return FALSE;
  *from = (double) g_date_time_to_unix (at);
  *until = *from
           + (strlen (day) == strlen ("2026-11-24")         ? 86400.0
              : strlen (day) == strlen ("2026-11-24t18:30") ? 60.0
                                                            : 1.0);
  return TRUE;
}

/* A choice that no lab has is a typing error. */
static gboolean
check_choice (Reader *r, const Step *step)
{
  const SlParam *param = sl_field_param (&step->field);
  g_autoptr (GPtrArray) values = NULL;
  g_autofree char *expected = NULL;
  const char      *nearest;

  if (param == NULL || step->text[0] == '\0' || step->sign == SL_SIGN_CONTAINS
      || !isnan (step->number))
    return TRUE;
  values = sl_field_values (&step->field, NULL);
  if (values->len == 0)
    return TRUE;
  nearest = g_ptr_array_index (values, 0);
  for (guint i = 0; i < values->len; i++)
    {
      const char *value = g_ptr_array_index (values, i);

      if (g_ascii_strcasecmp (value, step->text) == 0)
        return TRUE;
      if (sl_word_distance (step->text, value) < sl_word_distance (step->text, nearest))
        nearest = value;
    }
  expected = g_strdup_printf (_ ("a value of %s, perhaps %s"), step->field.id, nearest);
  return refuse (r, expected);
}

static gboolean
check_value (Reader *r, const Step *step)
{
  SlFieldKind kind = step->field.kind;
  bool        ordered = step->sign >= SL_SIGN_BELOW && step->sign <= SL_SIGN_LEAST;

  if (step->text[0] == '\0' && (step->sign == SL_SIGN_SAME || step->sign == SL_SIGN_OTHER))
    return TRUE;
  if (kind == SL_FIELD_DATE && step->sign != SL_SIGN_CONTAINS && isnan (step->number))
    return refuse (r, _ ("a date, for example 2026-11-24 or today"));
  if ((kind == SL_FIELD_NUMBER || kind == SL_FIELD_TRUTH || (kind == SL_FIELD_ANY && ordered))
      && step->sign != SL_SIGN_CONTAINS && isnan (step->number))
    return refuse (r, _ ("a number"));
  return check_choice (r, step);
}

static gboolean
read_value (Reader *r, Step *step)
{
  g_autofree char *word = g_strndup (r->token.from, r->token.n);

  if (r->token.kind != SL_TOKEN_WORD && r->token.kind != SL_TOKEN_QUOTED)
    return refuse (r, _ ("a value"));
  step->text = g_utf8_casefold (word, -1);
  step->number = step->until = NAN;
  if (step->field.kind == SL_FIELD_DATE)
    {
      if (!read_date (step->text, &step->number, &step->until))
        step->number = NAN;
    }
  else if (!read_number (step->text, &step->number))
    step->number = NAN;
  if (!check_value (r, step))
    return FALSE;
  advance (r);
  return TRUE;
}

static gboolean
read_test (Reader *r)
{
  Step     step = { .kind = TEST, .sign = SL_SIGN_HAS };
  SlToken  sign;
  gboolean fine;

  if (++r->tests > SL_QUERY_TESTS)
    return refuse_at (r, r->token.from, _ ("too many conditions"), NULL);
  if (!read_name (r, &step.field))
    return FALSE;
  sign = r->token;
  if (sl_token_is (&sign, "contains"))
    step.sign = SL_SIGN_CONTAINS;
  else if (sign.kind == SL_TOKEN_SIGN)
    step.sign = sign.sign;
  else
    {
      g_array_append_val (r->steps, step);
      return TRUE;
    }
  if (step.sign >= SL_SIGN_BELOW && step.sign <= SL_SIGN_LEAST
      && (step.field.kind == SL_FIELD_TEXT || step.field.kind == SL_FIELD_TAGS))
    return refuse (r, _ ("=, != or contains: it is a text"));
  advance (r);
  fine = read_value (r, &step);
  g_array_append_val (r->steps, step);
  return fine;
}

/* ---- the grammar ---- */

static gboolean
read_deeper (Reader *r, gboolean (*read) (Reader *r))
{
  gboolean fine;

  if (++r->depth > SL_QUERY_DEPTH)
    return refuse_at (r, r->token.from, _ ("too many parentheses"), NULL);
  advance (r);
  fine = read (r);
  r->depth--;
  return fine;
}

static gboolean
read_each (Reader *r)
{
  if (sl_token_is (&r->token, "not"))
    {
      if (!read_deeper (r, read_each))
        return FALSE;
      add_step (r, NOT);
      return TRUE;
    }
  if (r->token.kind != SL_TOKEN_OPEN)
    return read_test (r);
  if (!read_deeper (r, read_any))
    return FALSE;
  if (r->token.kind != SL_TOKEN_CLOSE)
    return refuse (r, _ ("\"and\", \"or\" or \")\""));
  advance (r);
  return TRUE;
}

static gboolean
read_all (Reader *r)
{
  if (!read_each (r))
    return FALSE;
  while (sl_token_is (&r->token, "and"))
    {
      advance (r);
      if (!read_each (r))
        return FALSE;
      add_step (r, AND);
    }
  return TRUE;
}

static gboolean
read_any (Reader *r)
{
  if (!read_all (r))
    return FALSE;
  while (sl_token_is (&r->token, "or"))
    {
      advance (r);
      if (!read_all (r))
        return FALSE;
      add_step (r, OR);
    }
  return TRUE;
}

/* Whether anything in the line is more than words. */
static gboolean
has_grammar (const char *line)
{
  static const char *const words[] = { "and", "or", "not", "contains" };

  for (SlToken t = sl_token_read (line); t.kind != SL_TOKEN_END; t = sl_token_read (t.next))
    {
      if (t.kind != SL_TOKEN_WORD)
        return TRUE;
      for (size_t i = 0; i < G_N_ELEMENTS (words); i++)
        if (sl_token_is (&t, words[i]))
          return TRUE;
    }
  return FALSE;
}

static void
clear_step (gpointer data)
{
  g_free (((Step *) data)->text);
}

SlQuery *
sl_query_new (const char *line, const GPtrArray *runs, GError **error)
{
  g_autoptr (SlQuery) query = g_new0 (SlQuery, 1);
  g_autofree char *stripped = g_strstrip (g_strdup (line));
  Reader           r = { .line = line, .runs = runs, .error = error };

  query->steps = r.steps = g_array_new (FALSE, FALSE, sizeof (Step));
  g_array_set_clear_func (query->steps, clear_step);
  if (strlen (line) > SL_QUERY_BYTES || !g_utf8_validate (line, -1, NULL))
    {
      sl_fail (error, SL_EFORMAT, _ ("the filter"), _ ("too long a line, or no text"), NULL);
      return NULL;
    }
  if (!has_grammar (line))
    {
      if (stripped[0] != '\0')
        query->words = g_utf8_casefold (stripped, -1);
      return g_steal_pointer (&query);
    }
  r.token = sl_token_read (line);
  if (!read_any (&r))
    return NULL;
  if (r.token.kind != SL_TOKEN_END)
    {
      refuse (&r, _ ("\"and\", \"or\" or its end"));
      return NULL;
    }
  return g_steal_pointer (&query);
}

void
sl_query_free (SlQuery *query)
{
  if (query == NULL)
    return;
  g_array_unref (query->steps);
  g_free (query->words);
  g_free (query);
}

/* ---- carrying out ---- */

static gboolean
holds_words (const SlQuery *query, const SlStoreRun *run)
{
  g_autofree char *settings = sl_run_settings_text (run, NULL, " ", "=");
  g_autofree char *text = g_strjoin (
    " ", run->name, run->lab != NULL ? run->lab->title : "", run->lab_id, settings, run->data,
    sl_run_status_text (run->status), sl_given (run->tags), sl_given (run->note), NULL);
  g_autofree char *folded = g_utf8_casefold (text, -1);

  return strstr (folded, query->words) != NULL;
}

static gboolean
has_tag (const char *tags, const char *tag)
{
  g_auto (GStrv) each = g_strsplit (tags, ",", -1);

  for (char **one = each; *one != NULL; one++)
    {
      g_autofree char *folded = g_utf8_casefold (*one, -1);

      if (strcmp (folded, tag) == 0)
        return TRUE;
    }
  return FALSE;
}

static gboolean
same_text (const Step *step, const SlFieldValue *value)
{
  g_autofree char *folded = NULL;

  if (value->kind == SL_FIELD_TAGS)
    return has_tag (value->text, step->text);
  folded = g_utf8_casefold (value->text, -1);
  return strcmp (folded, step->text) == 0;
}

static gboolean
contains (const Step *step, const SlFieldValue *value)
{
  char             text[SL_FIELD_TEXT_SIZE];
  bool             written = value->kind == SL_FIELD_TEXT || value->kind == SL_FIELD_TAGS;
  g_autofree char *folded
    = g_utf8_casefold (written ? value->text : sl_field_text (value, text), -1);

  return strstr (folded, step->text) != NULL;
}

/* Numbers that were written and read again are the same but for a last bit. */
static bool
same_number (double a, double b)
{
  return a == b || fabs (a - b) <= 1e-12 * fmax (fabs (a), fabs (b));
}

static gboolean
holds_number (const Step *step, double number)
{
  bool day = step->field.kind == SL_FIELD_DATE;
  bool same
    = day ? number >= step->number && number < step->until : same_number (number, step->number);
  double beyond = day ? step->until : step->number;

  switch (step->sign)
    {
    case SL_SIGN_SAME: return same;
    case SL_SIGN_OTHER: return !same;
    case SL_SIGN_BELOW: return number < step->number && !(same && !day);
    case SL_SIGN_MOST: return number < beyond || same;
    case SL_SIGN_ABOVE: return day ? number >= beyond : number > beyond && !same;
    default: return number >= step->number || same;
    }
}

static gboolean
holds (const Step *step, const SlStoreRun *run)
{
  SlFieldValue value;
  bool         text;

  sl_field_read (&step->field, run, &value);
  text = value.kind == SL_FIELD_TEXT || value.kind == SL_FIELD_TAGS;
  if (step->sign == SL_SIGN_HAS)
    return value.kind != SL_FIELD_NOTHING && (text || value.number != 0);
  if (step->text[0] == '\0' && step->sign != SL_SIGN_CONTAINS)
    return (value.kind == SL_FIELD_NOTHING) == (step->sign == SL_SIGN_SAME);
  if (value.kind == SL_FIELD_NOTHING)
    return FALSE;
  if (step->sign == SL_SIGN_CONTAINS)
    return contains (step, &value);
  if (text)
    return step->sign == SL_SIGN_SAME    ? same_text (step, &value)
           : step->sign == SL_SIGN_OTHER ? !same_text (step, &value)
                                         : FALSE;
  return !isnan (step->number) ? holds_number (step, value.number) : step->sign == SL_SIGN_OTHER;
}

gboolean
sl_query_passes (const SlQuery *query, const SlStoreRun *run)
{
  gboolean truth[STACK] = { TRUE };
  unsigned n = 0;

  if (query->words != NULL)
    return holds_words (query, run);
  for (guint i = 0; i < query->steps->len; i++)
    {
      const Step *step = &g_array_index (query->steps, Step, i);

      switch (step->kind)
        {
        case TEST: truth[n++] = holds (step, run); break;
        case NOT: truth[n - 1] = !truth[n - 1]; break;
        case AND:
          n--;
          truth[n - 1] = truth[n - 1] && truth[n];
          break;
        case OR:
          n--;
          truth[n - 1] = truth[n - 1] || truth[n];
          break;
        }
    }
  return truth[0];
}

const char *
sl_query_words (const SlQuery *query)
{
  return query->words;
}

gboolean
sl_query_filter (const char *line, GPtrArray *runs, GError **error)
{
  g_autoptr (SlQuery) query = line != NULL ? sl_query_new (line, runs, error) : NULL;
  g_autoptr (GPtrArray) kept = NULL;

  if (line == NULL)
    return TRUE;
  if (query == NULL)
    return FALSE;
  kept = g_ptr_array_new_with_free_func ((GDestroyNotify) sl_store_run_free);
  for (guint i = 0; i < runs->len; i++)
    if (sl_query_passes (query, g_ptr_array_index (runs, i)))
      g_ptr_array_add (kept, g_steal_pointer (&g_ptr_array_index (runs, i)));
  g_ptr_array_set_size (runs, 0);
  g_ptr_array_extend_and_steal (runs, g_steal_pointer (&kept));
  return TRUE;
}
