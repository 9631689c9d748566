/* SPDX-License-Identifier: MIT
 *
 * Strict JSON; see json.h.  */
#include "core/data/text/json.h"

#include <stdio.h>
#include <string.h>

#include "core/data/text/text.h"

SlStatus
sl_json_read_fail (const SlJsonReader *json, const char *found, const char *expected)
{
  return sl_status_at (SL_EFORMAT, json->path, SL_BYTE, json->begin + json->at, found, expected);
}

static void
skip_space (SlJsonReader *json)
{
  while (json->at < json->size && json->text[json->at] != '\0'
         && strchr (" \t\r\n", json->text[json->at]) != NULL)
    json->at++;
}

/* A failure that shows what is next. */
static SlStatus
unexpected (const SlJsonReader *json, const char *expected)
{
  char   found[128];
  size_t left = json->size - json->at;

  if (left == 0)
    return sl_json_read_fail (json, "the end of the header", expected);
  return sl_json_read_fail (
    json, sl_text_quote (json->text + json->at, left < 24 ? left : 24, found, sizeof found),
    expected);
}

bool
sl_json_read_char (SlJsonReader *json, char c)
{
  skip_space (json);
  if (json->at == json->size || json->text[json->at] != c)
    return false;
  json->at++;
  return true;
}

SlStatus
sl_json_read_expected (SlJsonReader *json, char c, const char *expected)
{
  return sl_json_read_char (json, c) ? SL_SUCCESS : unexpected (json, expected);
}

SlStatus
sl_json_read_end (SlJsonReader *json)
{
  skip_space (json);
  return json->at == json->size ? SL_SUCCESS : unexpected (json, "the end of the header");
}

SlStatus
sl_json_read_size (SlJsonReader *json, uint64_t *number, const char *expected)
{
  const uint64_t most = (uint64_t) 1 << 53;
  size_t         begin, digits = 0;

  skip_space (json);
  begin = json->at;
  *number = 0;
  for (; begin + digits < json->size && json->text[begin + digits] >= '0'
         && json->text[begin + digits] <= '9';
       digits++)
    {
      *number = *number * 10 + (uint64_t) (json->text[begin + digits] - '0');
      if (*number > most)
        return sl_json_read_fail (json, "a number above 2^53", expected);
    }
  if (digits == 0 || (digits > 1 && json->text[begin] == '0'))
    return unexpected (json, expected);
  /* A fraction or an exponent makes it another number. */
  if (begin + digits < json->size && json->text[begin + digits] != '\0'
      && strchr (".eE", json->text[begin + digits]) != NULL)
    return unexpected (json, expected);
  json->at = begin + digits;
  return SL_SUCCESS;
}

/* Four hexadecimal digits behind \u. */
static bool
take_hex (SlJsonReader *json, uint32_t *code)
{
  *code = 0;
  if (json->size - json->at < 4)
    return false;
  for (int i = 0; i < 4; i++)
    {
      char c = json->text[json->at + (size_t) i];

      *code <<= 4;
      if (c >= '0' && c <= '9')
        *code |= (uint32_t) (c - '0');
      else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
        *code |= (uint32_t) ((c | 0x20) - 'a' + 10);
      else
        return false;
    }
  json->at += 4;
  return true;
}

static size_t
put_utf8 (uint32_t code, char *to)
{
  size_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;

  if (length == 1)
    {
      to[0] = (char) code;
      return 1;
    }
  for (size_t i = length; i-- > 1; code >>= 6)
    to[i] = (char) (0x80 | (code & 0x3f));
  to[0] = (char) ((length == 2 ? 0xc0 : length == 3 ? 0xe0 : 0xf0) | code);
  return length;
}

/* What follows \u: one number, or the two halves of one beyond 0xffff. */
static bool
take_unicode (SlJsonReader *json, char *to, size_t *used)
{
  uint32_t code, low;

  if (!take_hex (json, &code) || (code >= 0xdc00 && code <= 0xdfff))
    return false;
  if (code >= 0xd800 && code <= 0xdbff)
    {
      if (json->size - json->at < 2 || json->text[json->at] != '\\'
          || json->text[json->at + 1] != 'u')
        return false;
      json->at += 2;
      if (!take_hex (json, &low) || low < 0xdc00 || low > 0xdfff)
        return false;
      code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
  *used += put_utf8 (code, to + *used);
  return true;
}

static bool
take_escape (SlJsonReader *json, char *to, size_t *used)
{
  static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
  const char       *letter;
  char              c;

  if (json->at == json->size)
    return false;
  c = json->text[json->at++];
  if (c == 'u')
    return take_unicode (json, to, used);
  letter = c != '\0' ? strchr (letters, c) : NULL;
  if (letter == NULL)
    return false;
  to[(*used)++] = meant[letter - letters];
  return true;
}

SlStatus
sl_json_read_string (SlJsonReader *json, char *to, size_t *length, const char *expected)
{
  SlStatus status = sl_json_read_expected (json, '"', expected);

  *length = 0;
  if (!sl_ok (&status))
    return status;
  while (json->at < json->size)
    {
      size_t begin = json->at, bytes = sl_utf8_length (json->text + begin, json->size - begin);
      char   c = json->text[begin];

      if (bytes == 0)
        return sl_json_read_fail (json, "a byte that is not UTF-8", expected);
      if (bytes == 1 && (unsigned char) c < 0x20)
        return sl_json_read_fail (json, "a control character in a text", expected);
      json->at += bytes;
      if (c == '"')
        {
          to[*length] = '\0';
          return SL_SUCCESS;
        }
      if (c == '\\')
        {
          if (!take_escape (json, to, length))
            {
              json->at = begin;
              return unexpected (json, "an escape that JSON knows");
            }
          continue;
        }
      memcpy (to + *length, json->text + begin, bytes);
      *length += bytes;
    }
  return sl_json_read_fail (json, "a text that does not close", expected);
}
