/* SPDX-License-Identifier: MIT
 *
 * Words that are typed into a search, and texts that have them.  */
#pragma once

#include <gtk/gtk.h>

/* Has a list that is searched say so where nothing is found. */
void sl_search_show_none (GtkListBox *list);

/* The words of an entry without the difference between capital and small letters, ended by NULL; free with
 * g_strfreev().  */
char **sl_search_words (GtkSearchEntry *entry);

/* Whether a text (English; it is looked for in the user's language) has one of these words; NULL has none. */
gboolean sl_search_has (const char *text, const char *word);
