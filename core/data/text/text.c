/* SPDX-License-Identifier: MIT */
#include "core/data/text/text.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

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

bool
sl_utf8_valid (const char *text, size_t size)
{
  for (size_t i = 0, length; i < size; i += length)
    {
      length = sl_utf8_length (text + i, size - i);
      if (length == 0)
        return false;
    }
  return true;
}

/* Copies what fits; returns how many bytes of `text` were dealt with. */
static size_t
show (const char *text, size_t length, char *to, size_t size)
{
  size_t used = 0, i = 0;

  while (i < length)
    {
      size_t bytes = sl_utf8_length (text + i, length - i);
      bool   hidden = bytes == 0 || (bytes == 1 && ((uint8_t) text[i] < 0x20 || text[i] == 0x7f));

      if (hidden)
        bytes = 1;
      if (used + bytes >= size)
        break;
      if (hidden)
        to[used] = '?';
      else
        memcpy (to + used, text + i, bytes);
      used += bytes;
      i += bytes;
    }
  to[used] = '\0';
  return i;
}

const char *
sl_text_printable (const char *text, size_t length, char *to, size_t size)
{
  show (text, length, to, size);
  return to;
}

const char *
sl_text_quote (const char *text, size_t length, char *to, size_t size)
{
  char   shown[44];
  size_t seen = show (text, length, shown, sizeof shown);

  snprintf (to, size, "\"%s%s\"", shown, seen < length ? "..." : "");
  return to;
}
