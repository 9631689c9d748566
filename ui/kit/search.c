/* SPDX-License-Identifier: MIT */
#include "ui/kit/search.h"

#include <glib/gi18n.h>
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

void
sl_search_show_none (GtkListBox *list)
{
  GtkWidget *none = gtk_label_new (_ ("Nothing found"));

  gtk_widget_add_css_class (none, "dim-label");
  gtk_widget_set_margin_top (none, 12);
  gtk_widget_set_margin_bottom (none, 12);
  gtk_list_box_set_placeholder (list, none);
}
