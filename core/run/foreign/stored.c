/* SPDX-License-Identifier: MIT */
#include "core/run/foreign/stored.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <math.h>

#include "core/run/base/error.h"
#include "core/run/base/save.h"
#include "core/run/foreign/events.h"
#include "core/run/foreign/wide.h"
#include "core/run/record/name.h"

static void
free_run (gpointer data)
{
  sl_stored_run_clear (data);
  g_free (data);
}

static SlStoredRun *
load (SlStore *store, const char *uuid, GError **error)
{
  g_autofree SlStoredRun *run = g_new0 (SlStoredRun, 1);

  return sl_store_load (store, uuid, FALSE, G_MAXUINT64, run, error) ? g_steal_pointer (&run)
                                                                     : NULL;
}

/* A name for a column or folder, which no name in `taken` is the same as: it becomes one of them.  Borrowed from it. */
static const char *
name_of (const SlStoreRun *run, GHashTable *taken)
{
  char *name = g_strdelimit (g_strdup (run->name), "/\\:\n", '-');

  if (name[0] == '.')
    name[0] = '-';
  if (g_hash_table_contains (taken, name))
    {
      char *longer = g_strdup_printf ("%s %.*s", name, SL_RUN_ID_SHOWN, run->uuid);

      g_free (name);
      name = longer;
    }
  g_hash_table_add (taken, name);
  return name;
}

char *
sl_stored_wide (SlStore *store, const char *const *uuids, GError **error)
{
  unsigned n = g_strv_length ((char **) uuids);
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (free_run);
  g_autoptr (GHashTable) taken = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree const char     **names = g_new (const char *, n + 1);
  g_autofree const SlRecord **records = g_new (const SlRecord *, n + 1);

  for (unsigned i = 0; i < n; i++)
    {
      g_autoptr (SlStoreRun) row = sl_store_find (store, uuids[i], error);
      SlStoredRun *run = row != NULL ? load (store, uuids[i], error) : NULL;

      if (run == NULL)
        return NULL;
      g_ptr_array_add (runs, run);
      names[i] = name_of (row, taken);
      records[i] = &run->record;
    }
  return sl_wide_csv (records, names, n);
}

/* TensorBoard calls the run as its folder is called. */
static gboolean
save_events (const SlRecord *record, const SlStoreRun *run, const char *name, const char *folder,
             GError **error)
{
  g_autofree char *file = g_strdup_printf ("events.out.tfevents.%.0f.sluice", floor (run->created));
  g_autofree char *within = g_build_filename (folder, name, NULL);
  g_autofree char *path = g_build_filename (within, file, NULL);
  g_autoptr (GBytes) bytes = sl_events_write (record, run->created);

  if (g_mkdir_with_parents (within, 0777) != 0)
    return sl_fail (error, SL_EIO, within, g_strerror (errno), _ ("a folder that can be made"));
  return sl_save (path, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), error);
}

gboolean
sl_stored_events (SlStore *store, const char *const *uuids, const char *folder, GError **error)
{
  g_autoptr (GHashTable) taken = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  gboolean done = TRUE;

  for (; done && *uuids != NULL; uuids++)
    {
      g_autoptr (SlStoreRun) run = sl_store_find (store, *uuids, error);
      SlStoredRun *whole = run != NULL ? load (store, *uuids, error) : NULL;

      done
        = whole != NULL && save_events (&whole->record, run, name_of (run, taken), folder, error);
      if (whole != NULL)
        free_run (whole);
    }
  return done;
}
