/* SPDX-License-Identifier: MIT */
#include "core/run/files/csv.h"

#include <math.h>
#include <string.h>

#include "core/run/base/number.h"

void
sl_csv_number (GString *csv, double value)
{
  char number[SL_NUMBER_SIZE];

  if (!isnan (value))
    g_string_append (csv, sl_number_format (value, number));
  g_string_append_c (csv, ',');
}

void
sl_csv_whole (GString *csv, uint64_t value)
{
  g_string_append_printf (csv, "%" G_GUINT64_FORMAT ",", value);
}

void
sl_csv_text (GString *csv, const char *text)
{
  if (strpbrk (text, ",;\"\t\r\n") == NULL)
    {
      g_string_append_printf (csv, "%s,", text);
      return;
    }
  g_string_append_c (csv, '"');
  for (; *text != '\0'; text++)
    g_string_append_printf (csv, *text == '"' ? "\"%c" : "%c", *text);
  g_string_append (csv, "\",");
}

void
sl_csv_end (GString *csv)
{
  csv->str[csv->len - 1] = '\n';
}
