/* SPDX-License-Identifier: MIT */
#include "core/data/text/shown.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "core/base/utf8.h"

typedef struct
{
  uint32_t first, last;
} Codes;

/* Control characters, ends of lines, and what sets a direction without being seen. */
static const Codes hidden[] = {
  { 0x00, 0x1f },     { 0x7f, 0x9f },     { 0xad, 0xad },       { 0x61c, 0x61c },
  { 0x200b, 0x200b }, { 0x200e, 0x200f }, { 0x2028, 0x202e },   { 0x2060, 0x206f },
  { 0xfeff, 0xfeff }, { 0xfff9, 0xfffb }, { 0xe0000, 0xe007f },
};

/* Scripts that are written from right to left. */
static const Codes leftwards[] = {
  { 0x590, 0x8ff },     { 0xfb1d, 0xfdff },   { 0xfe70, 0xfefe },
  { 0x10800, 0x10fff }, { 0x1e800, 0x1efff },
};

static bool
is_in (const Codes *codes, size_t n, uint32_t code)
{
  for (size_t i = 0; i < n; i++)
    if (code >= codes[i].first && code <= codes[i].last)
      return true;
  return false;
}

/* Writes one character at the beginning of `text`, whose `bytes` are 0 where it is none; returns what that took. */
static size_t
write_one (const char *text, size_t bytes, char *to, size_t size)
{
  uint32_t code = bytes > 0 ? sl_utf8_code (text, bytes) : '?';

  if (is_in (hidden, sizeof hidden / sizeof *hidden, code))
    return (size_t) snprintf (to, size, code < 0x100 ? "\\x%02x" : "\\u%04x", (unsigned) code);
  return (size_t) snprintf (to, size, "%.*s", bytes > 0 ? (int) bytes : 1, bytes > 0 ? text : "?");
}

static bool
has_leftwards (const char *text)
{
  size_t size = strlen (text), bytes;

  for (; (bytes = sl_utf8_length (text, size)) > 0; text += bytes, size -= bytes)
    if (is_in (leftwards, sizeof leftwards / sizeof *leftwards, sl_utf8_code (text, bytes)))
      return true;
  return false;
}

const char *
sl_text_shown (const char *text, char to[SL_TEXT_SHOWN])
{
  char   plain[SL_TEXT_SHOWN] = "";
  size_t left = strlen (text), used = 0, bytes;

  if (strspn (text, " ") == left)
    text = "␣";
  left = strlen (text);
  for (unsigned letters = 0; left > 0; letters++, text += bytes, left -= bytes)
    {
      size_t length = sl_utf8_length (text, left);

      if (letters == SL_TEXT_SHOWN_LETTERS)
        {
          used += (size_t) snprintf (plain + used, sizeof plain - used, "…");
          break;
        }
      bytes = length > 0 ? length : 1;
      used += write_one (text, length, plain + used, sizeof plain - used);
    }
  snprintf (to, SL_TEXT_SHOWN, has_leftwards (plain) ? "\u2068%s\u2069" : "%s", plain);
  return to;
}

uint32_t
sl_text_sign (uint32_t code)
{
  enum { RETURN = 0x21b5, ARROW = 0x2192, PICTURES = 0x2400, DELETE = 0x2421, UNSHOWN = 0xfffd };

  return code == '\n'                                           ? RETURN
         : code == '\t'                                         ? ARROW
         : code < 0x20                                          ? PICTURES + code
         : code == 0x7f                                         ? DELETE
         : is_in (hidden, sizeof hidden / sizeof *hidden, code) ? UNSHOWN
                                                                : code;
}

const char *
sl_text_signs (const char *text, size_t length, char *to, size_t size)
{
  static const char dots[] = "…";
  size_t            used = 0, whole = 0; /* written, and with room for the dots behind */

  while (length > 0)
    {
      char   sign[4];
      size_t bytes = sl_utf8_length (text, length);
      size_t n
        = sl_utf8_write (bytes > 0 ? sl_text_sign (sl_utf8_code (text, bytes)) : 0xfffd, sign);

      if (used + n >= size)
        {
          memcpy (to + whole, dots, sizeof dots);
          return to;
        }
      memcpy (to + used, sign, n);
      used += n;
      whole = used + sizeof dots <= size ? used : whole;
      bytes = bytes > 0 ? bytes : 1;
      text += bytes;
      length -= bytes;
    }
  to[used] = '\0';
  return to;
}
