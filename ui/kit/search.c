/* SPDX-License-Identifier: MIT */
#include "ui/kit/search.h"

#include <string.h>

#include "core/base/param.h"
#include "core/run/base/language.h"

char **
sl_search_words (GtkSearchEntry *entry)
{
  g_autofree char *typed = g_utf8_casefold (gtk_editable_get_text (GTK_EDITABLE (entry)), -1);

  return g_strsplit (typed, " ", -1);
}

gboolean
sl_search_has (const char *text, const char *word)
{
  g_autofree char *folded = g_utf8_casefold (sl_words (sl_given (text)), -1);

  return strstr (folded, word) != NULL;
}
