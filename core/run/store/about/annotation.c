/* SPDX-License-Identifier: MIT
 *
 * See annotation.h.  */
#include "core/run/store/about/annotation.h"
#include "core/run/store/query.h"

#include <string.h>

static int
compare (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

char *
sl_tags_tidy (const char *typed)
{
  g_autofree char *valid = g_utf8_make_valid (typed, -1);
  g_auto (GStrv) words = g_strsplit (valid, ",", -1);
  g_autoptr (GPtrArray) tags = g_ptr_array_new ();
  GString *text = g_string_new (NULL);

  for (char **word = words; *word != NULL; word++)
    if (g_strstrip (*word)[0] != '\0')
      g_ptr_array_add (tags, *word);
  g_ptr_array_sort (tags, compare);
  for (guint i = 0; i < tags->len; i++)
    {
      const char *tag = g_ptr_array_index (tags, i);

      if ((i > 0 && g_str_equal (tag, g_ptr_array_index (tags, i - 1)))
          || text->len + strlen (tag) + 1 > SL_TAGS_BYTES)
        continue;
      g_string_append_printf (text, "%s%s", text->len > 0 ? "," : "", tag);
    }
  return g_string_free (text, FALSE);
}

char *
sl_tags_with (const char *tags, const char *tag, gboolean there)
{
  g_autofree char *tidy = sl_tags_tidy (tag);
  g_auto (GStrv) each = g_strsplit (tags != NULL ? tags : "", ",", -1);
  g_autoptr (GString) text = g_string_new (there ? tidy : "");

  for (char **one = each; *one != NULL; one++)
    if (!g_str_equal (*one, tidy))
      g_string_append_printf (text, ",%s", *one);
  return sl_tags_tidy (text->str);
}

/* At most so many bytes of whole letters; free with g_free(). */
static char *
cut (const char *text, gsize most)
{
  char *valid = g_utf8_make_valid (text, -1);

  if (strlen (valid) > most)
    *g_utf8_find_prev_char (valid, valid + most + 1) = '\0';
  return valid;
}

void
sl_store_set_note (SlStore *store, const char *uuid, const char *note)
{
  g_autofree char *kept = cut (note, SL_NOTE_BYTES);

  sl_store_ask_sql (store,
                    "INSERT INTO annotation (run, note) SELECT id, ?2 FROM run WHERE uuid = ?1"
                    " ON CONFLICT DO UPDATE SET note = excluded.note",
                    uuid, kept, 0, NULL);
}

void
sl_store_set_tags (SlStore *store, const char *uuid, const char *tags)
{
  g_autofree char *kept = sl_tags_tidy (tags);

  sl_store_ask_sql (store,
                    "INSERT INTO annotation (run, tags) SELECT id, ?2 FROM run WHERE uuid = ?1"
                    " ON CONFLICT DO UPDATE SET tags = excluded.tags",
                    uuid, kept, 0, NULL);
}
