/* SPDX-License-Identifier: MIT */
#include "ui/kit/number.h"

#include <glib/gi18n.h>
#include <math.h>

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

char *
sl_span_text (double seconds)
{
  guint whole = (guint) ceil (CLAMP (seconds, 1.0, 8.64e8));

  if (whole < 60)
    return g_strdup_printf (_ ("%u s"), whole);
  if (whole < 3600)
    return g_strdup_printf (_ ("%u min %u s"), whole / 60, whole % 60);
  return g_strdup_printf (_ ("%u h %u min"), whole / 3600, whole / 60 % 60);
}
