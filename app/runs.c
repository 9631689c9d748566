/* SPDX-License-Identifier: MIT */
#include "app/runs.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>

/* A name beside `path` that nothing has. */
static char *
aside (const char *path)
{
  char *name = NULL;

  for (unsigned i = 1; name == NULL || g_file_test (name, G_FILE_TEST_EXISTS); i++)
    {
      g_free (name);
      name = g_strdup_printf ("%s.damaged-%u", path, i);
    }
  return name;
}

static SlStore *
begin_anew (const char *path, GError **error)
{
  g_autofree char *name = aside (path), *log = g_strconcat (path, "-wal", NULL);
  g_autofree char *map = g_strconcat (path, "-shm", NULL);
  SlStore         *store;

  if (g_rename (path, name) != 0)
    return NULL;
  /* Log and map belong to the file that was put aside and say nothing about a new file. */
  g_unlink (log);
  g_unlink (map);
  g_clear_error (error);
  store = sl_store_open (path, error);
  if (store != NULL)
    g_set_error (error, SL_ERROR, SL_EFORMAT,
                 _ ("The store of runs was damaged. It is now %s; a new one was begun"), name);
  return store;
}

/* Painted data that no run was made on; the names are what recipes have.  */
static void
clean_painted (SlStore *store, SlPrefs *prefs)
{
  g_autofree char *path = sl_prefs_dup_data (prefs, "painted");
  g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
  const char *name;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    {
      g_autofree char *file = g_build_filename (path, name, NULL);

      if (!sl_store_uses_data (store, name))
        g_unlink (file);
    }
}

SlStore *
sl_runs_open (SlPrefs *prefs, GError **error)
{
  g_autofree char *path = sl_prefs_dup_data (prefs, "runs.sluice");
  g_autoptr (GError) trouble = NULL;
  SlStore *store = sl_store_open (path, &trouble);

  if (store == NULL && g_error_matches (trouble, SL_ERROR, SL_EFORMAT))
    store = begin_anew (path, &trouble);
  if (trouble != NULL)
    g_propagate_error (error, g_steal_pointer (&trouble));
  if (store == NULL || sl_store_error (store) != NULL)
    return store;
  clean_painted (store, prefs);
  sl_store_set_drops_looks (store, TRUE);
  sl_runs_tidy (store, prefs);
  return store;
}

void
sl_runs_tidy (SlStore *store, SlPrefs *prefs)
{
  if (store == NULL || sl_store_error (store) != NULL)
    return;
  sl_store_set_budget (store, (guint64) sl_prefs_get_int (prefs, "keep-mebibytes") << 20);
  sl_store_prune (store, (unsigned) sl_prefs_get_int (prefs, "keep-runs"));
}
