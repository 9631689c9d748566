/* SPDX-License-Identifier: MIT
 *
 * JSON with lines; see json-tree.h.  */
#include "core/run/base/json-tree.h"

#include <math.h>
#include <string.h>

#include "core/run/base/error.h"

typedef struct
{
  const char *at, *end;
  unsigned    line, depth;
  const char *subject;
  GError    **error;
} Reader;

static gboolean read_value (Reader *r, SlJson **json);

static gboolean
refuse (Reader *r, const char *found, const char *expected)
{
  SlStatus status = sl_status_at (SL_EFORMAT, r->subject, SL_LINE, r->line, found, expected);

  g_propagate_error (r->error, sl_status_to_error (&status));
  return FALSE;
}

/* What stands where something else should. */
static gboolean
refuse_here (Reader *r, const char *expected)
{
  char found[16] = "the end";

  if (r->at < r->end && (unsigned char) *r->at >= ' ')
    {
      g_strlcpy (found, "\"", sizeof found);
      found[1 + g_unichar_to_utf8 (g_utf8_get_char (r->at), found + 1)] = '\0';
      g_strlcat (found, "\"", sizeof found);
    }
  else if (r->at < r->end)
    g_strlcpy (found, *r->at == '\n' ? "a new line" : "a control byte", sizeof found);
  return refuse (r, found, expected);
}

static void
skip_space (Reader *r)
{
  for (; r->at < r->end && strchr (" \t\r\n", *r->at) != NULL && *r->at != '\0'; r->at++)
    r->line += *r->at == '\n';
}

static gboolean
take (Reader *r, char c)
{
  skip_space (r);
  if (r->at == r->end || *r->at != c)
    return FALSE;
  r->at++;
  return TRUE;
}

static SlJson *
new_json (Reader *r, SlJsonKind kind)
{
  SlJson *json = g_new0 (SlJson, 1);

  json->kind = kind;
  json->line = r->line;
  if (kind == SL_JSON_ARRAY || kind == SL_JSON_OBJECT)
    json->children = g_ptr_array_new_with_free_func ((GDestroyNotify) sl_json_free);
  return json;
}

/* Four hexadecimal digits. */
static gboolean
read_unit (Reader *r, gunichar *unit)
{
  *unit = 0;
  for (unsigned i = 0; i < 4; i++, r->at++)
    {
      if (r->at == r->end || !g_ascii_isxdigit (*r->at))
        return refuse_here (r, "four hexadecimal digits");
      *unit = *unit * 16 + (gunichar) g_ascii_xdigit_value (*r->at);
    }
  return TRUE;
}

/* What follows "\u": one unit, or two that make a pair. */
static gboolean
read_code (Reader *r, GString *text)
{
  gunichar unit, second;

  if (!read_unit (r, &unit))
    return FALSE;
  if (unit >= 0xd800 && unit < 0xdc00 && r->end - r->at >= 2 && r->at[0] == '\\' && r->at[1] == 'u')
    {
      r->at += 2;
      if (!read_unit (r, &second))
        return FALSE;
      if (second < 0xdc00 || second > 0xdfff)
        return refuse (r, "half a pair after \"\\u\"", "a letter");
      unit = 0x10000 + ((unit - 0xd800) << 10) + (second - 0xdc00);
    }
  if (unit == 0 || !g_unichar_validate (unit))
    return refuse (r, "no letter of that number after \"\\u\"", NULL);
  g_string_append_unichar (text, unit);
  return TRUE;
}

static gboolean
read_escape (Reader *r, GString *text)
{
  static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
  const char       *found;

  if (r->at < r->end && *r->at == 'u')
    {
      r->at++;
      return read_code (r, text);
    }
  found = r->at < r->end && *r->at != '\0' ? strchr (from, *r->at) : NULL;
  if (found == NULL)
    return refuse_here (r, "one of \" \\ / b f n r t u after a backslash");
  g_string_append_c (text, to[found - from]);
  r->at++;
  return TRUE;
}

/* From after the opening quote; the text is freed by the caller either way. */
static gboolean
read_text (Reader *r, GString *text)
{
  while (r->at < r->end && *r->at != '"')
    {
      if ((unsigned char) *r->at < ' ')
        return refuse_here (r, "the text to go on");
      if (*r->at == '\\')
        {
          r->at++;
          if (!read_escape (r, text))
            return FALSE;
        }
      else
        g_string_append_c (text, *r->at++);
    }
  if (r->at == r->end)
    return refuse_here (r, "a closing quote");
  r->at++;
  return TRUE;
}

static gboolean
read_string (Reader *r, char **string)
{
  GString *text = g_string_new (NULL);

  if (read_text (r, text))
    {
      *string = g_string_free (text, FALSE);
      return TRUE;
    }
  g_string_free (text, TRUE);
  return FALSE;
}

static unsigned
count_digits (Reader *r)
{
  const char *from = r->at;

  while (r->at < r->end && g_ascii_isdigit (*r->at))
    r->at++;
  return (unsigned) (r->at - from);
}

static gboolean
read_number (Reader *r, SlJson *json)
{
  const char *from = r->at;

  r->at += *r->at == '-';
  if (r->at < r->end && *r->at == '0')
    r->at++;
  else if (count_digits (r) == 0)
    return refuse_here (r, "a digit");
  if (r->at < r->end && *r->at == '.')
    {
      r->at++;
      if (count_digits (r) == 0)
        return refuse_here (r, "a digit after the point");
    }
  if (r->at < r->end && (*r->at == 'e' || *r->at == 'E'))
    {
      r->at++;
      if (r->at < r->end && (*r->at == '+' || *r->at == '-'))
        r->at++;
      if (count_digits (r) == 0)
        return refuse_here (r, "a digit of the exponent");
    }
  json->text = g_strndup (from, (gsize) (r->at - from));
  json->number = g_ascii_strtod (json->text, NULL);
  return isfinite (json->number) ? TRUE : refuse (r, "a number that is too large", NULL);
}

static gboolean
read_word (Reader *r, SlJson *json)
{
  static const struct
  {
    const char *word;
    SlJsonKind  kind;
    gboolean    truth;
  } words[] = { { "true", SL_JSON_TRUTH, TRUE },
                { "false", SL_JSON_TRUTH, FALSE },
                { "null", SL_JSON_NULL, FALSE } };

  for (unsigned i = 0; i < G_N_ELEMENTS (words); i++)
    {
      gsize length = strlen (words[i].word);

      if ((gsize) (r->end - r->at) < length || strncmp (r->at, words[i].word, length) != 0)
        continue;
      json->kind = words[i].kind;
      json->truth = words[i].truth;
      r->at += length;
      return TRUE;
    }
  return refuse_here (r, "a value");
}

static gboolean
read_key (Reader *r, const SlJson *object, char **key, unsigned *line)
{
  if (!take (r, '"'))
    return refuse_here (r, "a key in quotes");
  *line = r->line;
  if (!read_string (r, key))
    return FALSE;
  if (sl_json_member (object, *key) != NULL)
    {
      g_autofree char *quoted = sl_json_quote (*key);
      g_autofree char *found = g_strconcat (quoted, " a second time", NULL);

      return refuse (r, found, "each key once");
    }
  if (!take (r, ':'))
    return refuse_here (r, "\":\"");
  return TRUE;
}

static gboolean
read_child (Reader *r, SlJson *parent)
{
  g_autofree char *key = NULL;
  SlJson          *child;
  unsigned         line = 0;

  if (parent->kind == SL_JSON_OBJECT && !read_key (r, parent, &key, &line))
    return FALSE;
  if (!read_value (r, &child))
    return FALSE;
  if (line > 0)
    child->line = line;
  child->key = g_steal_pointer (&key);
  g_ptr_array_add (parent->children, child);
  return TRUE;
}

static gboolean
read_children (Reader *r, SlJson *parent)
{
  char close = parent->kind == SL_JSON_OBJECT ? '}' : ']';

  r->at++;
  if (++r->depth > SL_JSON_DEPTH)
    return refuse (r, "values inside each other too deeply", NULL);
  if (!take (r, close))
    for (;;)
      {
        if (!read_child (r, parent))
          return FALSE;
        if (take (r, close))
          break;
        if (!take (r, ','))
          return refuse_here (r,
                              parent->kind == SL_JSON_OBJECT ? "\",\" or \"}\"" : "\",\" or \"]\"");
      }
  r->depth--;
  return TRUE;
}

static gboolean
fill (Reader *r, SlJson *json)
{
  switch (json->kind)
    {
    case SL_JSON_OBJECT:
    case SL_JSON_ARRAY: return read_children (r, json);
    case SL_JSON_TEXT: r->at++; return read_string (r, &json->text);
    case SL_JSON_NUMBER: return read_number (r, json);
    case SL_JSON_NULL:
    case SL_JSON_TRUTH: break;
    }
  return read_word (r, json);
}

static gboolean
read_value (Reader *r, SlJson **json)
{
  char c;

  skip_space (r);
  if (r->at == r->end)
    return refuse_here (r, "a value");
  c = *r->at;
  *json = new_json (r, c == '{'                          ? SL_JSON_OBJECT
                       : c == '['                        ? SL_JSON_ARRAY
                       : c == '"'                        ? SL_JSON_TEXT
                       : c == '-' || g_ascii_isdigit (c) ? SL_JSON_NUMBER
                                                         : SL_JSON_NULL);
  if (fill (r, *json))
    return TRUE;
  g_clear_pointer (json, sl_json_free);
  return FALSE;
}

SlJson *
sl_json_tree (const char *text, gsize length, const char *subject, GError **error)
{
  Reader  r = { .at = text, .end = text + length, .line = 1, .subject = subject, .error = error };
  SlJson *json;
  const char *bad;

  if (length > SL_JSON_BYTES)
    {
      sl_fail (error, SL_EFORMAT, subject, "more than 1 MiB", "a smaller file");
      return NULL;
    }
  if (!g_utf8_validate_len (text, length, &bad))
    {
      for (; r.at < bad; r.at++)
        r.line += *r.at == '\n';
      refuse (&r, "bytes that are no UTF-8", "text");
      return NULL;
    }
  if (!read_value (&r, &json))
    return NULL;
  skip_space (&r);
  if (r.at == r.end)
    return json;
  refuse_here (&r, "nothing more");
  sl_json_free (json);
  return NULL;
}

void
sl_json_free (SlJson *json)
{
  if (json == NULL)
    return;
  g_free (json->key);
  g_free (json->text);
  g_clear_pointer (&json->children, g_ptr_array_unref);
  g_free (json);
}

const SlJson *
sl_json_member (const SlJson *object, const char *key)
{
  for (guint i = 0; i < object->children->len; i++)
    {
      const SlJson *child = g_ptr_array_index (object->children, i);

      if (g_strcmp0 (child->key, key) == 0)
        return child;
    }
  return NULL;
}

const char *
sl_json_kind_text (const SlJson *json)
{
  switch (json->kind)
    {
    case SL_JSON_NULL: return "null";
    case SL_JSON_TRUTH: return "true or false";
    case SL_JSON_NUMBER: return "a number";
    case SL_JSON_TEXT: return "a text";
    case SL_JSON_ARRAY: return "an array";
    case SL_JSON_OBJECT: return "an object";
    }
  return "something else";
}

char *
sl_json_quote (const char *text)
{
  enum { LETTERS = 24 };

  if (g_utf8_strlen (text, -1) <= LETTERS)
    return g_strdup_printf ("\"%s\"", text);
  return g_strdup_printf ("\"%.*s…\"", (int) (g_utf8_offset_to_pointer (text, LETTERS) - text),
                          text);
}
