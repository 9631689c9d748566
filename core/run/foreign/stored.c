/* SPDX-License-Identifier: MIT */
#include "core/run/foreign/stored.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <math.h>

#include "core/run/base/error.h"
#include "core/run/base/save.h"
#include "core/run/foreign/events.h"
#include "core/run/foreign/wide.h"

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

static char *
name_of (const char *uuid)
{
  return g_strndup (uuid, SL_STORED_NAME);
}

char *
sl_stored_wide (SlStore *store, const char *const *uuids, GError **error)
{
  unsigned n = g_strv_length ((char **) uuids);
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (free_run);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autofree const SlRecord **records = g_new (const SlRecord *, n + 1);

  for (unsigned i = 0; i < n; i++)
    {
      SlStoredRun *run = load (store, uuids[i], error);

      if (run == NULL)
        return NULL;
      g_ptr_array_add (runs, run);
      g_ptr_array_add (names, name_of (uuids[i]));
      records[i] = &run->record;
    }
  return sl_wide_csv (records, (const char *const *) names->pdata, n);
}

/* TensorBoard calls the run as its folder is called. */
static gboolean
save_events (const SlRecord *record, const SlStoreRun *run, const char *folder, GError **error)
{
  g_autofree char *file = g_strdup_printf ("events.out.tfevents.%.0f.sluice", floor (run->created));
  g_autofree char *name = name_of (run->uuid);
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
  gboolean done = TRUE;

  for (; done && *uuids != NULL; uuids++)
    {
      g_autoptr (SlStoreRun) run = sl_store_find (store, *uuids, error);
      SlStoredRun *whole = run != NULL ? load (store, *uuids, error) : NULL;

      done = whole != NULL && save_events (&whole->record, run, folder, error);
      if (whole != NULL)
        free_run (whole);
    }
  return done;
}
