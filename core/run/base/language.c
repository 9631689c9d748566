/* SPDX-License-Identifier: MIT */
#include "core/run/base/language.h"

#include <glib/gi18n.h>
#include <libintl.h>
#include <locale.h>
#include <string.h>

/* Between the values of a flag; see sl_change_marker_text() in record.h. */
#define CHANGE " → "

enum { LAST_WORDS = 2 };

void
sl_language_start (void)
{
  const char *folder = g_getenv ("SLUICE_LOCALEDIR");

  setlocale (LC_ALL, "");
  setlocale (LC_NUMERIC, "C");
  bindtextdomain (GETTEXT_PACKAGE, folder != NULL ? folder : SL_LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
}

const char *
sl_words (const char *text)
{
  /* The catalogue's head is filed under the empty text. */
  return text == NULL || *text == '\0' ? text : gettext (text);
}

/* Length of the number at the beginning of a text: digits with a point and an exponent, and the
 * words for those that are none.  */
static gsize
number_length (const char *text)
{
  const char *at = text;

  if (g_ascii_isdigit (*at))
    {
      while (g_ascii_isdigit (*at) || (*at == '.' && g_ascii_isdigit (at[1])))
        at++;
      if (*at == 'e'
          && (g_ascii_isdigit (at[1])
              || ((at[1] == '-' || at[1] == '+') && g_ascii_isdigit (at[2]))))
        for (at += 2; g_ascii_isdigit (*at); at++)
          ;
    }
  return (gsize) (at - text);
}

/* The text with # for each number, and the numbers. */
static char *
without_numbers (const char *text, GPtrArray *numbers)
{
  GString *key = g_string_new (NULL);

  while (*text != '\0')
    {
      /* A digit inside a word, as in "conv2", belongs to the word. */
      bool  inside = key->len > 0 && g_ascii_isalnum (key->str[key->len - 1]);
      gsize length = inside ? 0 : number_length (text);

      if (length > 0)
        {
          g_ptr_array_add (numbers, g_strndup (text, length));
          g_string_append_c (key, '#');
        }
      else
        {
          length = 1;
          g_string_append_c (key, *text);
        }
      text += length;
    }
  return g_string_free (key, FALSE);
}

static char *
with_numbers (const char *words, const GPtrArray *numbers)
{
  GString *text = g_string_new (NULL);
  guint    next = 0;

  for (; *words != '\0'; words++)
    if (*words == '#' && next < numbers->len)
      g_string_append (text, g_ptr_array_index (numbers, next++));
    else
      g_string_append_c (text, *words);
  return g_string_free (text, FALSE);
}

/* "perhaps rank" by way of "perhaps …", and "at best 3 nats" by way of "at best …"; NULL: not in the
 * catalogue.  */
static char *
with_last_words (const char *text)
{
  static const char ellipsis[] = "…";
  const char       *end = text + strlen (text);

  for (int words = 0; words < LAST_WORDS; words++)
    {
      const char      *gap = g_strrstr_len (text, end - text, " "), *said, *place;
      g_autofree char *key = NULL;

      if (gap == NULL || gap[1] == '\0')
        return NULL;
      key = g_strdup_printf ("%.*s %s", (int) (gap - text), text, ellipsis);
      said = sl_words (key);
      place = said != key ? strstr (said, ellipsis) : NULL;
      if (place != NULL)
        return g_strdup_printf ("%.*s%s%s", (int) (place - said), said, gap + 1,
                                place + strlen (ellipsis));
      end = gap;
    }
  return NULL;
}

/* The whole text, as it is or with its numbers put back; NULL: not in the catalogue. */
static char *
look_up (const char *text)
{
  g_autoptr (GPtrArray) numbers = NULL;
  g_autofree char *key = NULL;
  const char      *words = sl_words (text);

  if (words != text)
    return g_strdup (words);
  numbers = g_ptr_array_new_with_free_func (g_free);
  key = without_numbers (text, numbers);
  words = numbers->len > 0 ? sl_words (key) : key;
  return words != key ? with_numbers (words, numbers) : with_last_words (text);
}

/* "Optimiser Gradient descent" before the arrow of a change: a title and a value. */
static char *
title_and_value (const char *text)
{
  for (const char *end = text + strlen (text); end > text; end--)
    {
      g_autofree char *title = *end == ' ' ? g_strndup (text, (gsize) (end - text)) : NULL;
      const char      *words = sl_words (title);

      if (words != title)
        {
          g_autofree char *value = sl_phrase (end + 1);

          return g_strconcat (words, " ", value, NULL);
        }
    }
  return g_strdup (text);
}

/* Where the first part ends and the second begins, at the last of the coarsest separators. */
static const char *
find_joint (const char *text, gsize *length)
{
  static const char *const joints[] = { CHANGE, ". ", "; ", ": ", ", ", " · ", " (" };

  for (guint i = 0; i < G_N_ELEMENTS (joints); i++)
    {
      const char *at = g_strrstr (text, joints[i]);

      *length = strlen (joints[i]);
      if (at != NULL && at > text && at[*length] != '\0')
        return at;
    }
  return NULL;
}

/* Without one there is no head filed under the empty text either. */
static gboolean
has_catalogue (void)
{
  const char *head = "";

  return *gettext (head) != '\0';
}

char *
sl_phrase (const char *text)
{
  gsize       length, end;
  const char *joint;
  char       *whole;

  if (text == NULL || *text == '\0' || !has_catalogue ())
    return g_strdup (text);
  whole = look_up (text);
  if (whole != NULL)
    return whole;
  joint = find_joint (text, &length);
  if (joint != NULL)
    {
      g_autofree char *head = g_strndup (text, (gsize) (joint - text));
      g_autofree char *left
        = g_str_has_prefix (joint, CHANGE) ? title_and_value (head) : sl_phrase (head);
      g_autofree char *right = sl_phrase (joint + length);
      g_autofree char *between = g_strndup (joint, length);

      return g_strconcat (left, between, right, NULL);
    }
  end = strlen (text) - 1;
  if (end > 0 && strchr (".;:,)", text[end]) != NULL)
    {
      g_autofree char *head = g_strndup (text, end);
      g_autofree char *left = sl_phrase (head);

      return g_strconcat (left, text + end, NULL);
    }
  return g_strdup (text);
}

const char *
sl_phrase_into (const char *text, char *out, gsize size)
{
  g_autofree char *phrase = sl_phrase (text);
  const char      *end;

  g_utf8_validate (phrase, (gssize) MIN (strlen (phrase), size - 1), &end);
  g_strlcpy (out, phrase, MIN (size, (gsize) (end - phrase) + 1));
  return out;
}

/* Where it was: "table.csv, line 4", "line 4", "table.csv" or "". */
static char *
place_of (const SlStatus *status)
{
  unsigned long long at = status->position;
  /* Files and parameters keep the names by which they are typed. */
  const char *subject
    = strchr (status->subject, ' ') != NULL ? sl_words (status->subject) : status->subject;
  bool named = *subject != '\0';

  switch (status->place)
    {
    case SL_NOWHERE: break;
    /* Translators: a place in a file, "train-labels.gz, byte 4". */
    case SL_BYTE:
      return named ? g_strdup_printf (_ ("%s, byte %llu"), subject, at)
                   : g_strdup_printf (_ ("byte %llu"), at);
    case SL_LINE:
      return named ? g_strdup_printf (_ ("%s, line %llu"), subject, at)
                   : g_strdup_printf (_ ("line %llu"), at);
    case SL_RECORD:
      return named ? g_strdup_printf (_ ("%s, example %llu"), subject, at)
                   : g_strdup_printf (_ ("example %llu"), at);
    case SL_STEP:
      return named ? g_strdup_printf (_ ("%s, step %llu"), subject, at)
                   : g_strdup_printf (_ ("step %llu"), at);
    }
  return g_strdup (subject);
}

static char *
facts_of (const SlStatus *status)
{
  g_autofree char *found = sl_phrase (status->found);
  g_autofree char *expected = sl_phrase (status->expected);

  if (*found != '\0' && *expected != '\0')
    return g_strdup_printf (_ ("found %s, expected %s"), found, expected);
  if (*found != '\0')
    return g_steal_pointer (&found);
  if (*expected != '\0')
    return g_strdup_printf (_ ("expected %s"), expected);
  return g_strdup (sl_words (sl_code_text (status->code)));
}

char *
sl_status_sentence (const SlStatus *status)
{
  g_autofree char *place = place_of (status);
  g_autofree char *facts = facts_of (status);

  return *place != '\0' ? g_strdup_printf ("%s: %s", place, facts) : g_steal_pointer (&facts);
}
