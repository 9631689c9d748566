/* SPDX-License-Identifier: MIT
 *
 * What may come next in a line that chooses runs; see query.h.  */
#include <string.h>

#include "core/run/query/private.h"

/* What the end of a line completes. */
typedef enum { BEFORE_NAME, BEHIND_NAME, BEFORE_VALUE, BEHIND_VALUE } Place;

static Place
next_place (Place place, const SlToken *token)
{
  switch (token->kind)
    {
    case SL_TOKEN_SIGN: return BEFORE_VALUE;
    case SL_TOKEN_OPEN: return BEFORE_NAME;
    case SL_TOKEN_CLOSE:
    case SL_TOKEN_QUOTED: return BEHIND_VALUE;
    default: break;
    }
  if (place == BEFORE_VALUE)
    return BEHIND_VALUE;
  if (sl_token_is (token, "and") || sl_token_is (token, "or") || sl_token_is (token, "not"))
    return BEFORE_NAME;
  return sl_token_is (token, "contains") ? BEFORE_VALUE : BEHIND_NAME;
}

/* A value as it is written in a line. */
static char *
in_line (const char *text)
{
  return strpbrk (text, " \t()'=<>!") != NULL ? g_strdup_printf ("\"%s\"", text) : g_strdup (text);
}

/* Adds the texts of `from` (static or interned) that contain the word: with `first` those that
 * begin with it, else the others.  A word that is whole needs no completion.  */
static void
add_like (GPtrArray *out, const GPtrArray *from, gboolean values, const char *word, gboolean first,
          guint most)
{
  for (guint i = 0; i < from->len && out->len < most; i++)
    {
      const char      *text = g_ptr_array_index (from, i);
      g_autofree char *small = g_utf8_casefold (text, -1);
      gboolean         begins = g_str_has_prefix (small, word);

      if (begins == first && (begins || strstr (small, word) != NULL) && strcmp (small, word) != 0)
        g_ptr_array_add (out, values ? in_line (text) : g_strdup (text));
    }
}

static GPtrArray *
list_of (const char *const *words)
{
  GPtrArray *list = g_ptr_array_new ();

  for (; *words != NULL; words++)
    g_ptr_array_add (list, (gpointer) *words);
  return list;
}

static GPtrArray *
candidates (Place place, const SlToken *name, const GPtrArray *runs)
{
  static const char *const signs[] = { "=", "!=", "<", "<=", ">", ">=", "contains", NULL };
  static const char *const joints[] = { "and", "or", NULL };
  g_autofree char         *word = g_strndup (name->from, name->n);
  SlField                  field;

  switch (place)
    {
    case BEFORE_NAME: return sl_field_names (runs);
    case BEHIND_NAME: return list_of (signs);
    case BEFORE_VALUE:
      return sl_field_find (word, runs, &field) ? sl_field_values (&field, runs)
                                                : g_ptr_array_new ();
    default: return list_of (joints);
    }
}

GPtrArray *
sl_query_complete (const char *line, size_t at, const GPtrArray *runs, guint most, size_t *from)
{
  GPtrArray       *out = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *until = g_strndup (line, at), *word = NULL;
  Place            place = BEFORE_NAME;
  SlToken          name = { .from = until }, token = sl_token_read (until);
  g_autoptr (GPtrArray) list = NULL;

  /* The last word counts as being typed while the line ends with it. */
  while (token.kind != SL_TOKEN_END && !(token.kind == SL_TOKEN_WORD && *token.next == '\0'))
    {
      if (place == BEFORE_NAME && token.kind == SL_TOKEN_WORD)
        name = token;
      place = next_place (place, &token);
      token = sl_token_read (token.next);
    }
  *from = (size_t) (token.from - until);
  word = g_utf8_casefold (token.kind == SL_TOKEN_WORD ? token.from : "", -1);
  list = candidates (place, &name, runs);
  add_like (out, list, place == BEFORE_VALUE, word, TRUE, most);
  if (word[0] != '\0')
    add_like (out, list, place == BEFORE_VALUE, word, FALSE, most);
  return out;
}
