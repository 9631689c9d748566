/* SPDX-License-Identifier: MIT */
#include "ui/runs/opened.h"

#include <glib/gi18n.h>

static void
free_file (gpointer data)
{
  SlOpenedFile *file = data;

  g_free (file->path);
  g_hash_table_unref (file->uuids);
  g_free (file);
}

GPtrArray *
sl_opened_files_new (void)
{
  return g_ptr_array_new_with_free_func (free_file);
}

guint
sl_opened_files_keep (GPtrArray *files, const char *path, const char *const *uuids)
{
  SlOpenedFile *file = g_new0 (SlOpenedFile, 1);
  guint         at = 0;

  while (at < files->len
         && !g_str_equal (((SlOpenedFile *) g_ptr_array_index (files, at))->path, path))
    at++;
  if (at < files->len)
    g_ptr_array_remove_index (files, at);
  file->path = g_strdup (path);
  file->uuids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (; *uuids != NULL; uuids++)
    g_hash_table_add (file->uuids, g_strdup (*uuids));
  g_ptr_array_insert (files, (int) at, file);
  return at;
}

static guint
count_runs (SlOpenedFile *file, SlRunList *list)
{
  GHashTableIter iter;
  gpointer       uuid;
  guint          n = 0;

  g_hash_table_iter_init (&iter, file->uuids);
  while (list != NULL && g_hash_table_iter_next (&iter, &uuid, NULL))
    n += sl_run_list_find (list, uuid) != NULL;
  file->there |= n > 0;
  return file->there ? n : g_hash_table_size (file->uuids);
}

char *
sl_opened_file_title (SlOpenedFile *file, SlRunList *list)
{
  g_autofree char *name = g_filename_display_basename (file->path);
  guint            n = count_runs (file, list);
  g_autofree char *count = g_strdup_printf (ngettext ("%u run", "%u runs", n), n);

  return g_strdup_printf ("%s, %s", name, count);
}
