/* SPDX-License-Identifier: MIT
 *
 * Files of runs that were opened: the store has their runs, and the list of sweeps an item for each file, behind
 * "All runs", until the window is closed.  */
#include <glib/gi18n.h>

#include "ui/runs/private.h"

#define OPENED "sl-opened-files" /* of File, set on the list of sweeps */

typedef struct
{
  char       *path;
  GHashTable *uuids; /* of its runs when it was opened */
  gboolean    there; /* some were in the list of runs */
} File;

static void
free_file (gpointer data)
{
  File *file = data;

  g_free (file->path);
  g_hash_table_unref (file->uuids);
  g_free (file);
}

static GPtrArray *
files_of (SlRunsPage *self)
{
  return g_object_get_data (G_OBJECT (self->scope), OPENED);
}

guint
sl_runs_page_first_sweep (SlRunsPage *self)
{
  const GPtrArray *files = files_of (self);

  return 1 + (files != NULL ? files->len : 0);
}

GHashTable *
sl_runs_page_opened_at (SlRunsPage *self, guint at)
{
  return at > 0 && at < sl_runs_page_first_sweep (self)
           ? ((File *) g_ptr_array_index (files_of (self), at - 1))->uuids
           : NULL;
}

/* How many of its runs are in the list; before the list is read, all. */
static guint
count_runs (SlRunsPage *self, File *file)
{
  GHashTableIter iter;
  gpointer       uuid;
  guint          n = 0;

  g_hash_table_iter_init (&iter, file->uuids);
  while (self->list != NULL && g_hash_table_iter_next (&iter, &uuid, NULL))
    n += sl_run_list_find (self->list, uuid) != NULL;
  file->there |= n > 0;
  return file->there ? n : g_hash_table_size (file->uuids);
}

void
sl_runs_page_append_opened (SlRunsPage *self, GtkStringList *names)
{
  for (guint i = 0; i + 1 < sl_runs_page_first_sweep (self); i++)
    {
      File            *file = g_ptr_array_index (files_of (self), i);
      g_autofree char *name = g_filename_display_basename (file->path);
      guint            n = count_runs (self, file);
      g_autofree char *count = g_strdup_printf (ngettext ("%u run", "%u runs", n), n);
      g_autofree char *title = g_strdup_printf ("%s, %s", name, count);

      gtk_string_list_append (names, title);
    }
}

/* The place of a file among them, with what it has now. */
static guint
keep (SlRunsPage *self, const char *path, const char *const *uuids)
{
  GPtrArray *files = files_of (self);
  File      *file = g_new0 (File, 1);
  guint      at = 0;

  if (files == NULL)
    {
      files = g_ptr_array_new_with_free_func (free_file);
      g_object_set_data_full (G_OBJECT (self->scope), OPENED, files,
                              (GDestroyNotify) g_ptr_array_unref);
    }
  while (at < files->len && !g_str_equal (((File *) g_ptr_array_index (files, at))->path, path))
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

void
sl_runs_page_show_file (SlRunsPage *self, const char *path, const char *const *uuids)
{
  guint at;

  g_return_if_fail (SL_IS_RUNS_PAGE (self) && path != NULL && uuids != NULL);
  sl_runs_page_want_sweep (self, NULL);
  /* What is chosen now would have another place. */
  gtk_drop_down_set_selected (self->scope, 0);
  at = keep (self, path, uuids);
  sl_runs_page_fill_scopes (self);
  gtk_drop_down_set_selected (self->scope, 1 + at);
}
