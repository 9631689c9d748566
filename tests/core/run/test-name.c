/* SPDX-License-Identifier: MIT
 *
 * Names and colours of runs: of their UUIDs, unique in a store, the same when it is opened again, also one of an earlier
 * version, and kept where the user changed them.  */
#include <glib.h>
#include <sqlite3.h>
#include <string.h>

#include "core/labs/registry.h"
#include "core/run/record/name.h"
#include "core/run/store/writer.h"
#include "tests/support/folder.h"

enum { MANY = 20000 };

typedef struct
{
  char *folder, *path, *other;
} Place;

static void
set_up (Place *place, gconstpointer unused)
{
  place->folder = g_dir_make_tmp ("sluice-names-XXXXXX", NULL);
  place->path = g_build_filename (place->folder, "runs.sluice", NULL);
  place->other = g_build_filename (place->folder, "other.sluice", NULL);
  g_assert_nonnull (place->folder);
}

static void
tear_down (Place *place, gconstpointer unused)
{
  sl_remove_all (place->folder);
  g_free (place->folder);
  g_free (place->path);
  g_free (place->other);
}

static void
make_uuid (unsigned i, char uuid[SL_UUID])
{
  g_snprintf (uuid, SL_UUID, "%08x-1111-4111-8111-111111111111", i);
  g_assert_true (g_uuid_string_is_valid (uuid));
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
add_run (SlStore *store, const char *uuid)
{
  const SlLab *lab = sl_lab_find ("stochastic-gates");
  SlSettings   settings;
  SlRecipe     recipe;
  SlLayout     layout;
  SlWriter    *writer;

  sl_settings_default (&settings, lab->params, lab->n_params);
  sl_recipe_init (&recipe, lab, &settings, NULL, 1);
  sl_layout_init (&layout, lab, &settings);
  writer = sl_writer_new (store, uuid, &recipe, &layout, NULL, 0);
  sl_writer_status (writer, SL_RUN_FINISHED, NULL);
  sl_writer_free (writer);
  sl_recipe_clear (&recipe);
  flush (store);
}

static SlStoreRun *
find (SlStore *store, const char *name)
{
  GError     *error = NULL;
  SlStoreRun *run = sl_store_find (store, name, &error);

  g_assert_no_error (error);
  return run;
}

static void
assert_called (SlStore *store, const char *uuid, const char *name)
{
  g_autoptr (SlStoreRun) run = find (store, uuid);

  g_assert_cmpstr (run->name, ==, name);
}

/* Two ids that have the same name. */
static void
find_namesakes (char first[SL_UUID], char second[SL_UUID])
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (unsigned i = 1; i < MANY; i++)
    {
      char *name;

      make_uuid (i, second);
      name = sl_run_name (second);
      if (g_hash_table_contains (seen, name))
        {
          make_uuid (GPOINTER_TO_UINT (g_hash_table_lookup (seen, name)), first);
          g_free (name);
          return;
        }
      g_hash_table_insert (seen, name, GUINT_TO_POINTER (i));
    }
  g_assert_not_reached ();
}

/* The name with the next number. */
static char *
next_name (const char *uuid)
{
  g_autofree char *words = sl_run_words (uuid);

  return g_strdup_printf ("%s %u", words, sl_run_number (uuid) + 1);
}

/* What an earlier version wrote. */
static void
forget_names (const char *path)
{
  sqlite3 *db;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (
    sqlite3_exec (db, "UPDATE run SET name = '', colour = 0; DROP INDEX IF EXISTS run_name", NULL,
                  NULL, NULL),
    ==, SQLITE_OK);
  sqlite3_close (db);
}

/* ---- tests ---- */

/* The same in every version: stores of this one may be read without their names by another. */
static void
test_always_the_same (void)
{
  g_autofree char *name = sl_run_name ("6f9619ff-8b86-4d01-b42d-00cf4fc964ff");

  g_assert_cmpstr (name, ==, "honest penguin 48");
  g_assert_cmpuint (sl_run_colour ("6f9619ff-8b86-4d01-b42d-00cf4fc964ff"), ==, 8);
}

/* Words of a place differ within three letters, and every word, number and colour comes about as often. */
static void
test_told_apart (void)
{
  GHashTable *words[2], *heads[2];
  unsigned    numbers[SL_RUN_NUMBERS + 1] = { 0 }, colours[SL_RUN_COLOURS + 1] = { 0 };

  for (int w = 0; w < 2; w++)
    {
      words[w] = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
      heads[w] = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    }
  for (unsigned i = 0; i < MANY; i++)
    {
      char             uuid[SL_UUID];
      g_autofree char *both = NULL;
      g_auto (GStrv) each = NULL;

      make_uuid (i, uuid);
      both = sl_run_words (uuid);
      each = g_strsplit (both, " ", -1);
      g_assert_cmpuint (g_strv_length (each), ==, 2);
      for (int w = 0; w < 2; w++)
        {
          g_hash_table_add (words[w], g_strdup (each[w]));
          g_hash_table_add (heads[w], g_strndup (each[w], 3));
        }
      numbers[sl_run_number (uuid)]++;
      colours[sl_run_colour (uuid)]++;
    }
  for (int w = 0; w < 2; w++)
    {
      g_assert_cmpuint (g_hash_table_size (words[w]), ==, 64);
      g_assert_cmpuint (g_hash_table_size (heads[w]), ==, 64);
      g_hash_table_unref (words[w]);
      g_hash_table_unref (heads[w]);
    }
  for (unsigned n = 1; n <= SL_RUN_NUMBERS; n++)
    g_assert_cmpuint (numbers[n], >, MANY / SL_RUN_NUMBERS / 2);
  for (unsigned c = 1; c <= SL_RUN_COLOURS; c++)
    g_assert_cmpuint (colours[c], >, MANY / SL_RUN_COLOURS * 9 / 10);
}

static void
test_unique (Place *place, gconstpointer unused)
{
  SlStore         *store = open_store (place->path);
  char             first[SL_UUID], second[SL_UUID];
  g_autofree char *name = NULL, *next = NULL, *dashed = NULL;

  find_namesakes (first, second);
  name = sl_run_name (first);
  next = next_name (first);
  add_run (store, first);
  add_run (store, second);
  assert_called (store, first, name);
  assert_called (store, second, next);
  /* By name, too. */
  dashed = g_strdelimit (g_strdup (next), " ", '-');
  g_autoptr (SlStoreRun) by_name = find (store, next);
  g_autoptr (SlStoreRun) by_dashes = find (store, dashed);
  g_assert_cmpstr (by_name->uuid, ==, second);
  g_assert_cmpstr (by_dashes->uuid, ==, second);
  g_assert_true (sl_store_run_is_called (by_name, dashed));
  g_assert_false (sl_store_run_is_called (by_name, name));
  g_object_unref (store);
  store = open_store (place->path);
  assert_called (store, first, name);
  assert_called (store, second, next);
  g_object_unref (store);
}

/* Runs that follow each other have colours of their own, which stay. */
static void
test_colours (Place *place, gconstpointer unused)
{
  SlStore *store = open_store (place->path);
  unsigned given[3 * SL_RUN_COLOURS];
  char     uuid[SL_UUID];

  for (unsigned i = 0; i < G_N_ELEMENTS (given); i++)
    {
      make_uuid (i, uuid);
      add_run (store, uuid);
      g_autoptr (SlStoreRun) run = find (store, uuid);
      given[i] = run->colour;
      for (unsigned k = i; k > 0 && k + SL_RUN_COLOURS > i + 1; k--)
        g_assert_cmpuint (given[i], !=, given[k - 1]);
    }
  make_uuid (0, uuid);
  sl_store_set_deleted (store, uuid, TRUE);
  sl_store_prune (store, G_MAXUINT);
  flush (store);
  g_object_unref (store);
  store = open_store (place->path);
  for (unsigned i = 1; i < G_N_ELEMENTS (given); i++)
    {
      make_uuid (i, uuid);
      g_autoptr (SlStoreRun) run = find (store, uuid);
      g_assert_cmpuint (run->colour, ==, given[i]);
    }
  g_object_unref (store);
}

/* Names that the user gave stay, also when the run begins anew, and are given back. */
static void
test_renamed (Place *place, gconstpointer unused)
{
  SlStore         *store = open_store (place->path);
  char             uuid[SL_UUID], other[SL_UUID];
  g_autofree char *name = NULL;

  make_uuid (1, uuid);
  name = sl_run_name (uuid);
  add_run (store, uuid);
  g_assert_true (sl_run_name_is_own (uuid, name));
  g_assert_false (sl_run_name_is_own (uuid, "the knee"));
  sl_store_rename (store, uuid, "the knee");
  sl_store_set_colour (store, uuid, 3);
  flush (store);
  g_object_unref (store);
  store = open_store (place->path);
  add_run (store, uuid);
  make_uuid (2, other);
  add_run (store, other);
  g_autoptr (SlStoreRun) run = find (store, "the knee");
  g_assert_cmpuint (run->colour, ==, 3);
  /* What the user named is not removed with what is old. */
  sl_store_prune (store, 1);
  flush (store);
  assert_called (store, uuid, "the knee");
  sl_store_rename (store, uuid, "");
  flush (store);
  assert_called (store, uuid, name);
  sl_store_prune (store, 1);
  flush (store);
  g_assert_null (sl_store_find (store, uuid, NULL));
  g_object_unref (store);
}

/* A store of an earlier version: the same names whether it is read or written. */
static void
test_earlier (Place *place, gconstpointer unused)
{
  SlStore         *store = open_store (place->path);
  char             uuid[3][SL_UUID];
  g_autofree char *name = NULL, *next = NULL, *third = NULL;

  find_namesakes (uuid[0], uuid[1]);
  make_uuid (MANY, uuid[2]);
  name = sl_run_name (uuid[0]);
  next = next_name (uuid[0]);
  third = sl_run_name (uuid[2]);
  for (int i = 0; i < 3; i++)
    add_run (store, uuid[i]);
  g_object_unref (store);
  for (int turn = 0; turn < 3; turn++)
    {
      GError *error = NULL;

      if (turn < 2)
        forget_names (place->path);
      store = turn == 0 ? sl_store_open_to_read (place->path, &error) : open_store (place->path);
      g_assert_no_error (error);
      assert_called (store, uuid[0], name);
      assert_called (store, uuid[1], next);
      assert_called (store, uuid[2], third);
      g_autoptr (SlStoreRun) by_name = find (store, next);
      g_assert_cmpstr (by_name->uuid, ==, uuid[1]);
      g_assert_cmpuint (by_name->colour, >=, 1);
      g_assert_cmpuint (by_name->colour, <=, SL_RUN_COLOURS);
      g_object_unref (store);
    }
}

/* Many at once get the names and colours that they would have had one after the other. */
static void
test_many (Place *place, gconstpointer unused)
{
  enum { N = 60 };
  SlStore *store = open_store (place->path);
  char     uuid[SL_UUID], first[SL_UUID], second[SL_UUID];
  char    *name[N];
  unsigned colour[N];

  find_namesakes (first, second);
  add_run (store, first);
  add_run (store, second);
  for (unsigned i = 0; i < N; i++)
    {
      make_uuid (MANY + i, uuid);
      add_run (store, uuid);
      g_autoptr (SlStoreRun) run = find (store, uuid);
      name[i] = g_strdup (run->name);
      colour[i] = run->colour;
    }
  g_object_unref (store);
  forget_names (place->path);
  for (int turn = 0; turn < 2; turn++)
    {
      g_autofree char *next = next_name (first);

      store = turn == 0 ? sl_store_open_to_read (place->path, NULL) : open_store (place->path);
      g_assert_nonnull (store);
      assert_called (store, second, next);
      for (unsigned i = 0; i < N; i++)
        {
          make_uuid (MANY + i, uuid);
          g_autoptr (SlStoreRun) run = find (store, uuid);
          g_assert_cmpstr (run->name, ==, name[i]);
          g_assert_cmpuint (run->colour, ==, colour[i]);
        }
      g_object_unref (store);
    }
  for (unsigned i = 0; i < N; i++)
    g_free (name[i]);
}

/* Pages of a list, and the runs that were written since they were asked for. */
static void
test_pages (Place *place, gconstpointer unused)
{
  SlStore         *store = open_store (place->path);
  char             uuid[5][SL_UUID];
  g_autofree char *last = NULL;
  g_auto (GStrv) written = sl_store_take_written (store), more = NULL, none = NULL;
  GError *error = NULL;

  g_assert_null (written); /* any may have been */
  for (unsigned i = 0; i < 5; i++)
    {
      make_uuid (i, uuid[i]);
      add_run (store, uuid[i]);
    }
  sl_store_set_deleted (store, uuid[2], TRUE);
  flush (store);
  for (unsigned i = 0, from = 0; i < 3; i++)
    {
      static const unsigned each[] = { 0, 1, 3, 4 };
      g_autoptr (GPtrArray) page = sl_store_list_page (store, last, 2, &error);

      g_assert_no_error (error);
      g_assert_cmpuint (page->len, ==, i < 2 ? 2 : 0);
      for (unsigned k = 0; k < page->len; k++)
        g_assert_cmpstr (((SlStoreRun *) page->pdata[k])->uuid, ==, uuid[each[from++]]);
      g_free (last);
      last = g_strdup (i < 2 ? ((SlStoreRun *) page->pdata[1])->uuid : NULL);
    }
  written = sl_store_take_written (store);
  g_assert_cmpuint (g_strv_length (written), ==, 5);
  g_strfreev (g_steal_pointer (&written));
  sl_store_set_pinned (store, uuid[3], TRUE);
  sl_store_set_deleted (store, uuid[4], TRUE);
  flush (store);
  more = sl_store_take_written (store);
  g_assert_cmpuint (g_strv_length (more), ==, 2);
  g_autoptr (GPtrArray) these = sl_store_list_these (store, (const char *const *) more, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (these->len, ==, 1);
  g_assert_true (((SlStoreRun *) these->pdata[0])->pinned);
  sl_store_prune (store, G_MAXUINT);
  flush (store);
  none = sl_store_take_written (store);
  g_assert_null (none); /* again any */
  g_object_unref (store);
}

/* A run of another store gets another number where its name is taken; a name that the user gave stays. */
static void
test_merged (Place *place, gconstpointer unused)
{
  SlStore         *store = open_store (place->path), *other = open_store (place->other);
  char             first[SL_UUID], second[SL_UUID], mine[SL_UUID], theirs[SL_UUID];
  g_autofree char *name = NULL, *next = NULL;
  GError          *error = NULL;

  find_namesakes (first, second);
  name = sl_run_name (first);
  next = next_name (first);
  make_uuid (MANY, mine);
  make_uuid (MANY + 1, theirs);
  add_run (store, first);
  add_run (store, mine);
  add_run (other, second);
  add_run (other, theirs);
  sl_store_rename (store, mine, "baseline");
  sl_store_rename (other, theirs, "baseline");
  flush (store);
  flush (other);
  assert_called (other, second, name);
  g_object_unref (other);
  g_assert_true (sl_store_merge (store, place->other, NULL, &error));
  g_assert_no_error (error);
  assert_called (store, first, name);
  assert_called (store, second, next);
  assert_called (store, theirs, "baseline");
  g_assert_null (sl_store_find (store, "baseline", &error));
  g_assert_error (error, SL_ERROR, SL_EINVAL);
  g_clear_error (&error);
  g_object_unref (store);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/name/always-the-same", test_always_the_same);
  g_test_add_func ("/name/told-apart", test_told_apart);
  g_test_add ("/name/unique", Place, NULL, set_up, test_unique, tear_down);
  g_test_add ("/name/colours", Place, NULL, set_up, test_colours, tear_down);
  g_test_add ("/name/renamed", Place, NULL, set_up, test_renamed, tear_down);
  g_test_add ("/name/earlier", Place, NULL, set_up, test_earlier, tear_down);
  g_test_add ("/name/many", Place, NULL, set_up, test_many, tear_down);
  g_test_add ("/name/pages", Place, NULL, set_up, test_pages, tear_down);
  g_test_add ("/name/merged", Place, NULL, set_up, test_merged, tear_down);
  return g_test_run ();
}
