/* SPDX-License-Identifier: MIT
 *
 * Power that is lost while a store is written: whatever part of the writes since the last sync the disk
 * kept, the file opens, is whole, and has every run that was stored before that sync.  ROUNDS stores, LONG
 * times as many with SLUICE_LONG set.  */
#include <math.h>
#include <sqlite3.h>

#include "core/labs/registry.h"
#include "core/run/store/writer.h"
#include "tests/support/fault-vfs.h"
#include "tests/support/folder.h"

enum {
  ROUNDS = 5,
  LONG = 40,
  RUNS = 6,     /* in a store */
  STEPS = 700,  /* of a run: a block and a piece */
  CRASHES = 25, /* of a store, about */
  EVENTS = 1500 /* writes and so on of a store, about */
};

/* What a crash left, and what it must have left. */
typedef struct
{
  char *folder;
  guint safe; /* runs */
} Left;

typedef struct
{
  char   *folder;
  char    uuid[RUNS][SL_UUID];
  gint    stored; /* runs that the store said it had written; atomic */
  guint   safe;   /* of them, before the last sync of the log */
  GArray *left;   /* of Left */
  SlRng   rng;
} Round;

static double
value_at (guint run, uint64_t step)
{
  return sin ((double) step * 0.1 + run);
}

static void
event (gboolean syncs_log, gpointer data)
{
  Round *round = data;

  if (sl_rng_below (&round->rng, EVENTS) < CRASHES)
    {
      Left left = { .folder = g_strdup_printf ("%s/%u", round->folder, round->left->len),
                    .safe = round->safe };

      g_assert_cmpint (g_mkdir (left.folder, 0700), ==, 0);
      sl_fault_vfs_crash (left.folder, &round->rng);
      g_array_append_val (round->left, left);
    }
  if (syncs_log)
    round->safe = (guint) g_atomic_int_get (&round->stored);
}

static SlStore *
open_store (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "runs.sluice", NULL);
  g_autoptr (GError) error = NULL;
  SlStore *store = sl_store_open (path, &error);

  g_assert_no_error (error);
  return store;
}

static void
write_run (SlStore *store, Round *round, guint number)
{
  const SlLab *lab = sl_lab_find ("stochastic-gates");
  SlCheckpoint checkpoint = { .step = STEPS, .data = calloc (1, 20000), .bytes = 20000 };
  SlSettings   settings;
  SlRecipe     recipe;
  SlLayout     layout;
  SlWriter    *writer;
  GError      *error = NULL;

  sl_settings_default (&settings, lab->params, lab->n_params);
  sl_recipe_init (&recipe, lab, &settings, NULL, number);
  sl_layout_init (&layout, lab, &settings);
  writer = sl_writer_new (store, NULL, &recipe, &layout, NULL, 0);
  for (uint64_t step = 1; step <= STEPS; step++)
    sl_writer_sample (writer, &(SlSample) { .step = step, .value = value_at (number, step) });
  sl_writer_checkpoint (writer, &checkpoint, 0, 0, 1.0);
  sl_writer_status (writer, SL_RUN_FINISHED, NULL);
  g_strlcpy (round->uuid[number], sl_writer_uuid (writer), SL_UUID);
  sl_writer_free (writer);
  sl_recipe_clear (&recipe);
  sl_store_flush (store, &error);
  g_assert_no_error (error);
  g_atomic_int_set (&round->stored, (gint) number + 1);
}

/* Puts the log into the file, as SQLite does when the log is long. */
static void
put_log_away (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "runs.sluice", NULL);
  sqlite3         *db;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_wal_checkpoint_v2 (db, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL), ==,
                   SQLITE_OK);
  sqlite3_close (db);
}

static void
write_all (Round *round)
{
  g_autofree char *folder = g_build_filename (round->folder, "store", NULL);
  SlStore         *store;

  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  sl_fault_vfs_use (TRUE);
  sl_fault_vfs_record (event, round);
  store = open_store (folder);
  for (guint run = 0; run < RUNS; run++)
    {
      write_run (store, round, run);
      if (run % 3 == 1)
        put_log_away (folder);
      if (run % 3 == 2)
        {
          g_assert_finalize_object (store);
          store = open_store (folder);
        }
    }
  g_assert_finalize_object (store);
  sl_fault_vfs_use (FALSE);
}

static void
check_run (SlStore *store, const char *uuid, guint number)
{
  SlStoredRun run;
  GError     *error = NULL;

  sl_store_load (store, uuid, FALSE, UINT64_MAX, &run, &error);
  g_assert_no_error (error);
  g_assert_cmpint (run.status, ==, SL_RUN_FINISHED);
  g_assert_cmpuint (run.checkpoint.bytes, ==, 20000);
  g_assert_cmpuint (run.record.series[0].n, ==, STEPS);
  for (uint64_t step = 1; step <= STEPS; step++)
    g_assert_true (run.record.series[0].value[step - 1] == value_at (number, step));
  sl_stored_run_clear (&run);
}

static void
check_left (const Round *round, const Left *left)
{
  g_autoptr (SlStore) store = open_store (left->folder);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) runs = sl_store_list (store, NULL, TRUE, &error);

  g_assert_no_error (error);
  sl_store_check (store, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (runs->len, >=, left->safe);
  for (guint run = 0; run < left->safe; run++)
    check_run (store, round->uuid[run], run);
  for (guint i = 0; i < runs->len; i++)
    {
      SlStoredRun run;

      sl_store_load (store, ((SlStoreRun *) runs->pdata[i])->uuid, TRUE, UINT64_MAX, &run, &error);
      g_assert_no_error (error);
      sl_stored_run_clear (&run);
    }
}

static void
left_clear (gpointer data)
{
  g_free (((Left *) data)->folder);
}

static void
test_crash (void)
{
  guint rounds = g_getenv ("SLUICE_LONG") != NULL ? ROUNDS * LONG : ROUNDS, crashes = 0, safe = 0;

  for (guint n = 0; n < rounds; n++)
    {
      Round round = { .folder = g_dir_make_tmp ("sluice-crash-XXXXXX", NULL),
                      .left = g_array_new (FALSE, FALSE, sizeof (Left)) };

      g_array_set_clear_func (round.left, left_clear);
      sl_rng_init (&round.rng, n + 1, "crashes");
      write_all (&round);
      for (guint i = 0; i < round.left->len; i++)
        {
          const Left *left = &g_array_index (round.left, Left, i);

          check_left (&round, left);
          crashes++;
          safe += left->safe;
        }
      g_array_unref (round.left);
      sl_remove_all (round.folder);
      g_free (round.folder);
    }
  g_test_message ("%u crashes, %u runs that had to be there", crashes, safe);
  g_assert_cmpuint (crashes, >, 0);
  g_assert_cmpuint (safe, >, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  sl_remember_only ();
  g_test_add_func ("/store/crash", test_crash);
  return g_test_run ();
}
