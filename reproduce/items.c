/* SPDX-License-Identifier: MIT
 *
 * The list of what a work has, of items/davis-2016.items; see reproduce.h.  */
#include <gio/gio.h>

#include "reproduce/reproduce.h"

static void
print_item (GKeyFile *file, const char *name, bool markdown, FILE *stream)
{
  g_autofree char *about = g_key_file_get_value (file, name, "about", NULL);
  g_autofree char *verdict = g_key_file_get_value (file, name, "verdict", NULL);
  g_autofree char *table = g_key_file_get_value (file, name, "table", NULL);
  g_autofree char *how = g_key_file_get_value (file, name, "how", NULL);

  if (markdown)
    fprintf (stream, "| %s | %s | %s | %s | %s |\n", name, about, verdict,
             table != NULL ? table : "", how);
  else
    fprintf (stream, "%-14s %s: %s%s%s%s; %s\n", name, about, verdict, table != NULL ? " (" : "",
             table != NULL ? table : "", table != NULL ? ")" : "", how);
}

void
sl_items_print (bool markdown, FILE *stream)
{
  g_autoptr (GBytes) bytes
    = g_resources_lookup_data ("/org/sluice/Sluice/items/davis-2016.items", 0, NULL);
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_auto (GStrv) names = NULL;

  if (bytes == NULL || !g_key_file_load_from_bytes (file, bytes, G_KEY_FILE_NONE, NULL))
    return;
  if (markdown)
    fputs ("| Davis 2016 | About | Here | Made by | How, or why not |\n"
           "| --- | --- | --- | --- | --- |\n",
           stream);
  else
    fputs ("\nDavis 2016, chapters 3 and 4 and appendix:\n", stream);
  names = g_key_file_get_groups (file, NULL);
  for (char **name = names; *name != NULL; name++)
    print_item (file, *name, markdown, stream);
}
