/* SPDX-License-Identifier: MIT
 *
 * A recursive reader, as deep as SL_JSON_DEPTH; see json.h.  Nodes lie in blocks, and all texts
 * behind each other: none of them is longer, with the byte that ends it, than what it is read from.  */
#include "core/base/json.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/utf8.h"

enum { BLOCK = 256, SORTED = 32, LONG_LINE = 120 };

typedef struct Block Block;

struct Block
{
  Block *before;
  SlJson node[BLOCK];
};

typedef struct
{
  SlJson root; /* first */
  char  *texts;
  Block *last;
} Document;

typedef struct
{
  const char *begin, *at, *end, *subject;
  const char *line_begin;
  uint32_t    line, depth;
  Document   *document;
  unsigned    used; /* nodes of the last block */
  char       *out;  /* where the next text goes */
  locale_t    c_locale;
  SlStatus    status;
} Reader;

static bool read_value (Reader *r, SlJson *json);

static bool
refuse (Reader *r, SlMessage found, const char *expected)
{
  r->status
    = sl_status_at (SL_EFORMAT, r->subject, SL_LINE, r->line, found, sl_message_word (expected));
  return false;
}

/* Refuses the value at the reader's place, naming what was expected; a long line also gets its
 * column.  */
static bool
refuse_here (Reader *r, const char *expected)
{
  size_t length = r->at < r->end ? sl_utf8_length (r->at, (size_t) (r->end - r->at)) : 0;
  size_t column = (size_t) (r->at - r->line_begin) + 1;
  char   found[8];

  if (r->at == r->end)
    return refuse (r, sl_message ("the end"), expected);
  if (length == 0)
    return refuse (r, sl_message ("bytes that are no UTF-8"), SL_MARK ("text"));
  if ((unsigned char) *r->at < ' ')
    return refuse (r, *r->at == '\n' ? sl_message ("a new line") : sl_message ("a control byte"),
                   expected);
  snprintf (found, sizeof found, "\"%.*s\"", (int) length, r->at);
  return refuse (r,
                 column > LONG_LINE ? sl_message ("%s in column %zu", found, column)
                                    : sl_message_verbatim (found),
                 expected);
}

static void
skip_space (Reader *r)
{
  for (; r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\r' || *r->at == '\n');
       r->at++)
    if (*r->at == '\n')
      {
        r->line++;
        r->line_begin = r->at + 1;
      }
}

static bool
take (Reader *r, char c)
{
  skip_space (r);
  if (r->at == r->end || *r->at != c)
    return false;
  r->at++;
  return true;
}

static SlJson *
new_node (Reader *r)
{
  if (r->document->last == NULL || r->used == BLOCK)
    {
      Block *block = malloc (sizeof *block);

      if (block == NULL)
        {
          r->status = sl_status_no_memory (r->subject);
          return NULL;
        }
      block->before = r->document->last;
      r->document->last = block;
      r->used = 0;
    }
  return &r->document->last->node[r->used++];
}

/* ---- texts ---- */

/* Four hexadecimal digits. */
static bool
read_unit (Reader *r, uint32_t *unit)
{
  *unit = 0;
  for (unsigned i = 0; i < 4; i++, r->at++)
    {
      const char *digits = "0123456789abcdef0123456789ABCDEF";
      const char *found = r->at < r->end && *r->at != '\0' ? strchr (digits, *r->at) : NULL;

      if (found == NULL)
        return refuse_here (r, SL_MARK ("four hexadecimal digits"));
      *unit = *unit << 4 | ((uint32_t) (found - digits) & 15);
    }
  return true;
}

/* What follows "\u": one unit, or two that make a pair. */
static bool
read_code (Reader *r)
{
  uint32_t unit, second;

  if (!read_unit (r, &unit))
    return false;
  if (unit >= 0xd800 && unit < 0xdc00 && r->end - r->at >= 2 && r->at[0] == '\\' && r->at[1] == 'u')
    {
      r->at += 2;
      if (!read_unit (r, &second))
        return false;
      if (second < 0xdc00 || second > 0xdfff)
        return refuse (r, sl_message ("half of a surrogate pair after \"\\u\""),
                       SL_MARK ("a letter"));
      unit = 0x10000 + ((unit - 0xd800) << 10) + (second - 0xdc00);
    }
  if (unit == 0 || (unit >= 0xd800 && unit <= 0xdfff))
    return refuse (r, sl_message ("no character with that code after \"\\u\""), NULL);
  r->out += sl_utf8_write (unit, r->out);
  return true;
}

static bool
read_escape (Reader *r)
{
  static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
  const char       *found;

  if (r->at < r->end && *r->at == 'u')
    {
      r->at++;
      return read_code (r);
    }
  found = r->at < r->end && *r->at != '\0' ? strchr (from, *r->at) : NULL;
  if (found == NULL)
    return refuse_here (r, SL_MARK ("one of \" \\ / b f n r t u after a backslash"));
  *r->out++ = to[found - from];
  r->at++;
  return true;
}

/* From after the opening quote. */
static bool
read_text (Reader *r, const char **text)
{
  *text = r->out;
  while (r->at < r->end && *r->at != '"')
    {
      size_t length = sl_utf8_length (r->at, (size_t) (r->end - r->at));

      if (length == 0 || (unsigned char) *r->at < ' ')
        return refuse_here (r, SL_MARK ("the text to go on"));
      if (*r->at == '\\')
        {
          r->at++;
          if (!read_escape (r))
            return false;
          continue;
        }
      memcpy (r->out, r->at, length);
      r->out += length;
      r->at += length;
    }
  if (r->at == r->end)
    return refuse_here (r, SL_MARK ("a closing quote"));
  r->at++;
  *r->out++ = '\0';
  return true;
}

/* ---- numbers and words ---- */

static bool
take_digits (Reader *r)
{
  const char *from = r->at;

  while (r->at < r->end && *r->at >= '0' && *r->at <= '9')
    r->at++;
  return r->at > from;
}

static bool
read_number (Reader *r, SlJson *json)
{
  const char *from = r->at;
  size_t      length;

  r->at += *r->at == '-';
  if (r->at < r->end && *r->at == '0')
    r->at++;
  else if (!take_digits (r))
    return refuse_here (r, SL_MARK ("a digit"));
  if (r->at < r->end && *r->at == '.')
    {
      r->at++;
      if (!take_digits (r))
        return refuse_here (r, SL_MARK ("a digit after the point"));
    }
  if (r->at < r->end && (*r->at == 'e' || *r->at == 'E'))
    {
      r->at++;
      if (r->at < r->end && (*r->at == '+' || *r->at == '-'))
        r->at++;
      if (!take_digits (r))
        return refuse_here (r, SL_MARK ("a digit of the exponent"));
    }
  length = (size_t) (r->at - from);
  json->kind = SL_JSON_NUMBER;
  json->text = memcpy (r->out, from, length);
  r->out[length] = '\0';
  r->out += length + 1;
  json->number = strtod_l (json->text, NULL, r->c_locale);
  return isfinite (json->number) || strcmp (json->text + (*json->text == '-'), "1e999") == 0
         || refuse (r, sl_message ("a number that is too large"), NULL);
}

static bool
read_word (Reader *r, SlJson *json)
{
  static const struct
  {
    const char *word;
    SlJsonKind  kind;
    double      number;
  } words[] = { { "true", SL_JSON_TRUTH, 1.0 },
                { "false", SL_JSON_TRUTH, 0.0 },
                { "null", SL_JSON_NULL, (double) NAN } };

  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    {
      size_t length = strlen (words[i].word);

      if ((size_t) (r->end - r->at) < length || memcmp (r->at, words[i].word, length) != 0)
        continue;
      json->kind = words[i].kind;
      json->number = words[i].number;
      r->at += length;
      return true;
    }
  return refuse_here (r, SL_MARK ("a value"));
}

/* ---- arrays and objects ---- */

static int
by_key (const void *a, const void *b)
{
  const SlJson *x = *(const SlJson *const *) a, *y = *(const SlJson *const *) b;
  int           order = strcmp (x->key, y->key);

  return order != 0 ? order : (x->at > y->at) - (x->at < y->at);
}

/* Refuses a key that comes twice. */
static bool
check_keys (Reader *r, const SlJson *object)
{
  const SlJson  *few[SORTED], *twice = NULL, *member = object->first;
  const SlJson **members = object->n <= SORTED ? few : malloc (object->n * sizeof *members);
  char           found[SL_UTF8_QUOTE + sizeof " a second time"];

  if (members == NULL)
    {
      r->status = sl_status_no_memory (r->subject);
      return false;
    }
  for (uint32_t i = 0; i < object->n; i++, member = member->next)
    members[i] = member;
  qsort (members, object->n, sizeof *members, by_key);
  for (uint32_t i = 1; i < object->n; i++)
    if (strcmp (members[i - 1]->key, members[i]->key) == 0
        && (twice == NULL || members[i]->at < twice->at))
      twice = members[i];
  if (members != few)
    free (members);
  if (twice == NULL)
    return true;
  r->line = twice->line;
  sl_utf8_quote (twice->key, found);
  return refuse (r, sl_message ("%s a second time", found), SL_MARK ("each key once"));
}

static bool
read_key (Reader *r, SlJson *member)
{
  if (!take (r, '"'))
    return refuse_here (r, SL_MARK ("a key in quotes"));
  member->at = (uint32_t) (r->at - 1 - r->begin);
  member->line = r->line;
  if (!read_text (r, &member->key))
    return false;
  return take (r, ':') || refuse_here (r, "\":\"");
}

static bool
read_child (Reader *r, SlJson *parent, const SlJson ***link)
{
  SlJson *child = new_node (r);
  SlJson  key = { 0 };

  if (child == NULL || (parent->kind == SL_JSON_OBJECT && !read_key (r, &key)))
    return false;
  if (!read_value (r, child))
    return false;
  if (key.key != NULL)
    {
      child->key = key.key;
      child->at = key.at;
      child->line = key.line;
    }
  **link = child;
  *link = &child->next;
  parent->n++;
  return true;
}

static bool
read_children (Reader *r, SlJson *parent, SlJsonKind kind)
{
  char           close = kind == SL_JSON_OBJECT ? '}' : ']';
  const SlJson **link = &parent->first;

  parent->kind = kind;
  r->at++;
  if (++r->depth > SL_JSON_DEPTH)
    return refuse (r, sl_message ("values inside each other too deeply"), NULL);
  if (!take (r, close))
    for (;;)
      {
        if (!read_child (r, parent, &link))
          return false;
        if (take (r, close))
          break;
        if (!take (r, ','))
          return refuse_here (r, kind == SL_JSON_OBJECT ? SL_MARK ("\",\" or \"}\"")
                                                        : SL_MARK ("\",\" or \"]\""));
      }
  r->depth--;
  return kind == SL_JSON_ARRAY || check_keys (r, parent);
}

static bool
read_value (Reader *r, SlJson *json)
{
  skip_space (r);
  *json = (SlJson) { .at = (uint32_t) (r->at - r->begin), .line = r->line, .number = NAN };
  if (r->at == r->end)
    return refuse_here (r, SL_MARK ("a value"));
  switch (*r->at)
    {
    case '{': return read_children (r, json, SL_JSON_OBJECT);
    case '[': return read_children (r, json, SL_JSON_ARRAY);
    case '"':
      r->at++;
      json->kind = SL_JSON_TEXT;
      return read_text (r, &json->text);
    default:
      return *r->at == '-' || (*r->at >= '0' && *r->at <= '9') ? read_number (r, json)
                                                               : read_word (r, json);
    }
}

static bool
read_document (Reader *r)
{
  if (!read_value (r, &r->document->root))
    return false;
  skip_space (r);
  return r->at == r->end || refuse_here (r, SL_MARK ("nothing more"));
}

SlStatus
sl_json_read (SlJson **json, const char *text, size_t length, size_t most, const char *subject)
{
  Reader r = { .begin = text,
               .at = text,
               .end = text + length,
               .line_begin = text,
               .line = 1,
               .subject = subject };

  *json = NULL;
  if (length > most)
    return sl_status_new (SL_EFORMAT, subject, sl_message ("more than %zu MiB", most >> 20),
                          sl_message ("a smaller file"));
  r.status = SL_SUCCESS;
  r.document = calloc (1, sizeof *r.document);
  r.out = malloc (length + 1);
  r.c_locale = newlocale (LC_ALL_MASK, "C", (locale_t) 0);
  if (r.document == NULL || r.out == NULL || r.c_locale == (locale_t) 0)
    r.status = sl_status_no_memory (subject);
  if (r.document != NULL)
    r.document->texts = r.out;
  else
    free (r.out);
  if (sl_ok (&r.status) && read_document (&r))
    *json = &r.document->root;
  else
    sl_json_free ((SlJson *) r.document);
  if (r.c_locale != (locale_t) 0)
    freelocale (r.c_locale);
  return r.status;
}

void
sl_json_free (SlJson *json)
{
  Document *document = (Document *) json;

  if (document == NULL)
    return;
  while (document->last != NULL)
    {
      Block *before = document->last->before;

      free (document->last);
      document->last = before;
    }
  free (document->texts);
  free (document);
}

/* ---- asking ---- */

const SlJson *
sl_json_member (const SlJson *object, const char *key)
{
  const SlJson *member = object != NULL && object->kind == SL_JSON_OBJECT ? object->first : NULL;

  while (member != NULL && strcmp (member->key, key) != 0)
    member = member->next;
  return member;
}

const SlJson *
sl_json_member_of (const SlJson *object, const char *key, SlJsonKind kind)
{
  const SlJson *member = sl_json_member (object, key);

  return member != NULL && member->kind == kind ? member : NULL;
}

bool
sl_json_whole (const SlJson *json, uint64_t most, uint64_t *whole)
{
  const char *digit = json != NULL && json->kind == SL_JSON_NUMBER ? json->text : "-";
  uint64_t    value = 0;

  for (; *digit >= '0' && *digit <= '9'; digit++)
    {
      uint64_t unit = (uint64_t) (*digit - '0');

      if (unit > most || value > (most - unit) / 10)
        return false;
      value = value * 10 + unit;
    }
  *whole = value;
  return *digit == '\0';
}

const char *
sl_json_kind_text (const SlJson *json)
{
  static const char *const texts[] = {
    [SL_JSON_NULL] = "null",   [SL_JSON_TRUTH] = "true or false", [SL_JSON_NUMBER] = "a number",
    [SL_JSON_TEXT] = "a text", [SL_JSON_ARRAY] = "an array",      [SL_JSON_OBJECT] = "an object",
  };

  return json != NULL ? texts[json->kind] : "nothing";
}

SlStatus
sl_json_version (const SlJson *object, const char *key, const char *subject)
{
  const SlJson *member = sl_json_member (object, key);
  uint64_t      version = 0;
  bool          whole = sl_json_whole (member, UINT64_MAX, &version);
  char          named[64];
  SlMessage     found, expected;

  if (whole && version == 1)
    return SL_SUCCESS;
  snprintf (named, sizeof named, "\"%s\": 1", key);
  expected = sl_message_verbatim (named);
  if (member == NULL)
    found = sl_message ("no \"%s\"", key);
  else if (member->kind != SL_JSON_NUMBER)
    found = sl_message_word (sl_json_kind_text (member));
  else
    {
      snprintf (named, sizeof named, "\"%s\"", key);
      found = sl_message ("%s with %s", named, member->text);
      expected = sl_message ("version %d, the newest that this program reads", 1);
    }
  return sl_status_at (whole && version > 1 ? SL_EUNSUPPORTED : SL_EFORMAT, subject, SL_LINE,
                       member != NULL ? member->line : object->line, found, expected);
}
