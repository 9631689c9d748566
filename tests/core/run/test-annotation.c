/* SPDX-License-Identifier: MIT
 *
 * Notes and tags of stored runs: they come back, go with the run into other files, and a file from before them
 * is read and written.  What another program writes is told.  */
#include <glib.h>
#include <sqlite3.h>
#include <string.h>

#include "core/labs/registry.h"
#include "core/run/query/query.h"
#include "core/run/store/about/annotation.h"
#include "core/run/store/writer.h"
#include "tests/support/folder.h"

typedef struct
{
  char *folder, *path;
} Place;

static void
set_up (Place *place, gconstpointer unused)
{
  place->folder = g_dir_make_tmp ("sluice-notes-XXXXXX", NULL);
  place->path = g_build_filename (place->folder, "runs.sluice", NULL);
  g_assert_nonnull (place->folder);
}

static void
tear_down (Place *place, gconstpointer unused)
{
  sl_remove_all (place->folder);
  g_free (place->folder);
  g_free (place->path);
}

static SlStore *
open_store (const char *path)
{
  GError  *error = NULL;
  SlStore *store = sl_store_open (path, &error);

  g_assert_no_error (error);
  return store;
}

static void
flush (SlStore *store)
{
  GError *error = NULL;

  sl_store_flush (store, &error);
  g_assert_no_error (error);
}

/* A run without samples. */
static void
add_run (SlStore *store, char uuid[SL_UUID])
{
  const SlLab *lab = sl_lab_find ("stochastic-gates");
  SlSettings   settings;
  SlRecipe     recipe;
  SlLayout     layout;
  SlWriter    *writer;

  sl_settings_default (&settings, lab->params, lab->n_params);
  sl_recipe_init (&recipe, lab, &settings, NULL, 1);
  sl_layout_init (&layout, lab, &settings);
  sl_store_new_uuid (uuid);
  writer = sl_writer_new (store, uuid, &recipe, &layout, NULL, 0);
  sl_writer_status (writer, SL_RUN_FINISHED, NULL);
  sl_writer_free (writer);
  sl_recipe_clear (&recipe);
  flush (store);
}

static void
assert_annotated (SlStore *store, const char *uuid, const char *note, const char *tags)
{
  GError *error = NULL;
  g_autoptr (SlStoreRun) run = sl_store_find (store, uuid, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (sl_given (run->note), ==, note);
  g_assert_cmpstr (sl_given (run->tags), ==, tags);
}

static void
test_tidy (void)
{
  g_autofree char *tidy = sl_tags_tidy (" b, a ,,b,Ü x "), *more = NULL, *less = NULL, *none = NULL;
  g_autoptr (GString) long_text = g_string_new (NULL);

  g_assert_cmpstr (tidy, ==, "a,b,Ü x");
  more = sl_tags_with (tidy, "c", TRUE);
  g_assert_cmpstr (more, ==, "a,b,c,Ü x");
  less = sl_tags_with (more, "b", FALSE);
  g_assert_cmpstr (less, ==, "a,c,Ü x");
  none = sl_tags_with (NULL, "b", FALSE);
  g_assert_cmpstr (none, ==, "");
  for (int i = 0; i < 1000; i++)
    g_string_append_printf (long_text, "tag %d,", i);
  g_free (none);
  none = sl_tags_tidy (long_text->str);
  g_assert_cmpuint (strlen (none), <=, SL_TAGS_BYTES);
}

static void
test_comes_back (Place *place, gconstpointer unused)
{
  g_autoptr (SlStore) store = open_store (place->path);
  g_autoptr (GString) much = g_string_new ("x");
  char uuid[SL_UUID], other[SL_UUID];

  add_run (store, uuid);
  add_run (store, other);
  sl_store_set_note (store, uuid, "odd at step 20");
  sl_store_set_tags (store, uuid, "paper, best");
  sl_store_set_tags (store, "nobody", "best");
  flush (store);
  assert_annotated (store, uuid, "odd at step 20", "best,paper");
  assert_annotated (store, other, "", "");
  sl_store_set_note (store, uuid, "");
  flush (store);
  assert_annotated (store, uuid, "", "best,paper");
  while (much->len < 2 * SL_NOTE_BYTES)
    g_string_append (much, "ü");
  sl_store_set_note (store, other, much->str);
  flush (store);
  g_clear_object (&store);
  store = open_store (place->path);
  {
    g_autoptr (SlStoreRun) run = sl_store_find (store, other, NULL);

    g_assert_cmpuint (strlen (run->note), ==, SL_NOTE_BYTES - 1); /* letters are whole */
    g_assert_true (g_utf8_validate (run->note, -1, NULL));
  }
}

static void
test_goes_along (Place *place, gconstpointer unused)
{
  g_autoptr (SlStore) store = open_store (place->path), other = NULL;
  g_autofree char *path = g_build_filename (place->folder, "other.sluice", NULL);
  g_autofree char *third = g_build_filename (place->folder, "third.sluice", NULL);
  GError          *error = NULL;
  unsigned         added;
  char             uuid[SL_UUID];

  add_run (store, uuid);
  sl_store_set_note (store, uuid, "seen");
  sl_store_set_tags (store, uuid, "good");
  flush (store);
  g_assert_true (sl_store_export (store, NULL, path, &error));
  other = open_store (third);
  g_assert_true (sl_store_merge (other, path, &added, &error));
  g_assert_cmpuint (added, ==, 1);
  assert_annotated (other, uuid, "seen", "good");
}

/* As files of earlier versions are: without the table. */
static void
test_earlier_file (Place *place, gconstpointer unused)
{
  char     uuid[SL_UUID];
  SlStore *store = open_store (place->path);
  sqlite3 *db = NULL;

  add_run (store, uuid);
  g_object_unref (store);
  g_assert_cmpint (sqlite3_open (place->path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, "DROP TABLE annotation", NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_close (db);
  store = sl_store_open_to_read (place->path, NULL);
  assert_annotated (store, uuid, "", "");
  g_object_unref (store);
  store = open_store (place->path);
  sl_store_set_tags (store, uuid, "late");
  flush (store);
  assert_annotated (store, uuid, "", "late");
  g_object_unref (store);
}

static gboolean
on_late (gpointer data)
{
  *(int *) data = -1;
  return G_SOURCE_REMOVE;
}

static void
on_elsewhere (SlStore *store, int *told)
{
  *told = *told < 0 ? *told : 1;
}

static void
on_trouble (SlStore *store, int *told)
{
  *told = -1;
}

/* What another connection writes is told to who watches, and to nobody else; what went on since can be read alone. */
static void
test_seen_elsewhere (Place *place, gconstpointer unused)
{
  g_autoptr (SlStore) store = open_store (place->path), other = open_store (place->path);
  g_autoptr (GPtrArray) since = NULL;
  int    told = 0;
  guint  late;
  char   first[SL_UUID], second[SL_UUID];
  double touched;

  add_run (store, first);
  g_signal_connect (store, "changed-elsewhere", G_CALLBACK (on_elsewhere), &told);
  g_signal_connect (store, "trouble", G_CALLBACK (on_trouble), &told);
  sl_store_watch (store, TRUE);
  {
    g_autoptr (SlStoreRun) run = sl_store_find (store, first, NULL);

    touched = run->touched;
  }
  g_usleep (1500000); /* the version of now is known by then */
  sl_store_set_tags (store, first, "own");
  flush (store);
  add_run (other, second);
  late = g_timeout_add_seconds (60, on_late, &told);
  while (told == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpint (told, ==, 1);
  g_source_remove (late);
  since = sl_store_list_since (store, touched, NULL);
  g_assert_cmpuint (since->len, ==, 1);
  g_assert_cmpstr (((SlStoreRun *) since->pdata[0])->uuid, ==, second);
  sl_store_watch (store, FALSE);
}

int
main (int argc, char **argv)
{
  sl_remember_only ();
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/annotation/tidy", test_tidy);
  g_test_add ("/annotation/comes-back", Place, NULL, set_up, test_comes_back, tear_down);
  g_test_add ("/annotation/goes-along", Place, NULL, set_up, test_goes_along, tear_down);
  g_test_add ("/annotation/earlier-file", Place, NULL, set_up, test_earlier_file, tear_down);
  g_test_add ("/annotation/seen-elsewhere", Place, NULL, set_up, test_seen_elsewhere, tear_down);
  return g_test_run ();
}
