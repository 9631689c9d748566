/* SPDX-License-Identifier: MIT */
#include "core/data/text/text.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

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

bool
sl_text_wide (const uint8_t *head, size_t size)
{
  return size >= 2 && (memcmp (head, "\xff\xfe", 2) == 0 || memcmp (head, "\xfe\xff", 2) == 0);
}

/* Copies what fits; returns how many bytes of `text` were dealt with. */
static size_t
copy_printable (const char *text, size_t length, char *to, size_t size)
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
  copy_printable (text, length, to, size);
  return to;
}

const char *
sl_text_quote (const char *text, size_t length, char *to, size_t size)
{
  char   shown[44];
  size_t seen = copy_printable (text, length, shown, sizeof shown);

  snprintf (to, size, "\"%s%s\"", shown, seen < length ? "..." : "");
  return to;
}
