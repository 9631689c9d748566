/* SPDX-License-Identifier: MIT
 *
 * Numbers and strings as files have them.  */
#include "core/run/base/number.h"

#include <math.h>
#include <string.h>

const char *
sl_number_format (double value, char text[SL_NUMBER_SIZE])
{
  /* Steps and counts: most of a table, and the digits cost nothing to find. */
  if (fabs (value) < 1e15 && value == rint (value) && !(value == 0.0 && signbit (value)))
    {
      g_snprintf (text, SL_NUMBER_SIZE, "%" G_GINT64_FORMAT, (gint64) value);
      return text;
    }
  g_ascii_formatd (text, SL_NUMBER_SIZE, "%.15g", value);
  if (isfinite (value) && g_ascii_strtod (text, NULL) != value)
    g_ascii_formatd (text, SL_NUMBER_SIZE, "%.17g", value);
  return text;
}

void
sl_json_number (GString *json, double value)
{
  char text[SL_NUMBER_SIZE];

  if (isnan (value))
    g_string_append (json, "null");
  else if (isinf (value))
    g_string_append (json, value > 0 ? "1e999" : "-1e999");
  else if (value == 0.0 && signbit (value))
    g_string_append (json, "-0.0"); /* "-0" would be read as a whole number, which has no sign */
  else
    g_string_append (json, sl_number_format (value, text));
}

void
sl_json_string (GString *json, const char *text)
{
  char *valid = g_utf8_make_valid (text, -1);

  g_string_append_c (json, '"');
  for (const char *c = valid; *c != '\0'; c++)
    switch (*c)
      {
      case '"': g_string_append (json, "\\\""); break;
      case '\\': g_string_append (json, "\\\\"); break;
      case '\n': g_string_append (json, "\\n"); break;
      case '\r': g_string_append (json, "\\r"); break;
      case '\t': g_string_append (json, "\\t"); break;
      default:
        if ((unsigned char) *c < 0x20)
          g_string_append_printf (json, "\\u%04x", (unsigned) *c);
        else
          g_string_append_c (json, *c);
      }
  g_string_append_c (json, '"');
  g_free (valid);
}
