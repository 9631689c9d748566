/* SPDX-License-Identifier: MIT */
#include "ui/kit/number.h"

char *
sl_grouped (guint64 number)
{
  char digits[24];
  g_autoptr (GString) text = g_string_new (NULL);
  int n = g_snprintf (digits, sizeof digits, "%" G_GUINT64_FORMAT, number);

  for (int i = 0; i < n; i++)
    {
      if (i > 0 && (n - i) % 3 == 0)
        g_string_append (text, "\u202f");
      g_string_append_c (text, digits[i]);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}
