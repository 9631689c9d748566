/* SPDX-License-Identifier: MIT */
#include "plot/base/xml.h"

#include <stdbool.h>

static bool
is_holdable (gunichar c)
{
  if (c < 0x20 || (c >= 0x7f && c < 0xa0))
    return c == '\t' || c == '\n';
  return (c & 0xfffe) != 0xfffe && (c < 0xfdd0 || c > 0xfdef);
}

char *
sl_text_holdable (const char *text)
{
  char *valid = g_utf8_make_valid (text, -1), *to = valid;

  for (const char *p = valid, *next; *p != '\0'; p = next)
    {
      next = g_utf8_next_char (p);
      if (!is_holdable (g_utf8_get_char (p)))
        continue;
      while (p < next)
        *to++ = *p++;
    }
  *to = '\0';
  return valid;
}

void
sl_xml_append (GString *out, const char *text)
{
  g_autofree char *holdable = sl_text_holdable (text);

  for (const char *p = holdable; *p != '\0'; p++)
    switch (*p)
      {
      case '&': g_string_append (out, "&amp;"); break;
      case '<': g_string_append (out, "&lt;"); break;
      case '>': g_string_append (out, "&gt;"); break;
      case '"': g_string_append (out, "&quot;"); break;
      default: g_string_append_c (out, *p);
      }
}
