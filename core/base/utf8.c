/* SPDX-License-Identifier: MIT */
#include "core/base/utf8.h"

#include <stdio.h>

size_t
sl_utf8_length (const char *text, size_t size)
{
  const uint8_t *at = (const uint8_t *) text;
  size_t         length;
  uint32_t       code, least;

  if (size == 0)
    return 0;
  if (at[0] < 0x80)
    return 1;
  if ((at[0] & 0xe0) == 0xc0)
    length = 2, code = at[0] & 0x1f, least = 0x80;
  else if ((at[0] & 0xf0) == 0xe0)
    length = 3, code = at[0] & 0x0f, least = 0x800;
  else if ((at[0] & 0xf8) == 0xf0)
    length = 4, code = at[0] & 0x07, least = 0x10000;
  else
    return 0;
  if (length > size)
    return 0;
  for (size_t i = 1; i < length; i++)
    {
      if ((at[i] & 0xc0) != 0x80)
        return 0;
      code = code << 6 | (at[i] & 0x3f);
    }
  return code < least || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? 0 : length;
}

uint32_t
sl_utf8_code (const char *text, size_t bytes)
{
  uint32_t code = (uint8_t) text[0];

  if (bytes > 1)
    code &= 0x7fU >> bytes;
  for (size_t i = 1; i < bytes; i++)
    code = code << 6 | ((uint8_t) text[i] & 0x3f);
  return code;
}

size_t
sl_utf8_write (uint32_t code, char *to)
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

const char *
sl_utf8_quote (const char *text, char to[SL_UTF8_QUOTE])
{
  const char *end = text;

  for (unsigned letters = 0; letters < SL_UTF8_QUOTED && *end != '\0'; letters++)
    end += sl_utf8_length (end, 4);
  snprintf (to, SL_UTF8_QUOTE, "\"%.*s%s\"", (int) (end - text), text, *end != '\0' ? "…" : "");
  return to;
}
