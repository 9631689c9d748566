/* SPDX-License-Identifier: MIT
 *
 * A disk that refuses, call by call, while a store is used: whatever the call, there is a sentence, what was
 * stored before is still there to the bit, and when the disk is well again so is the store.  A sample of
 * the calls; every one with SLUICE_LONG set.  */
#include <math.h>
#include <sqlite3.h>

#include "core/labs/registry.h"
#include "core/run/files/table.h"
#include "core/run/session/session.h"
#include "core/run/store/writer.h"
#include "tests/support/fault-vfs.h"
#include "tests/support/folder.h"

enum { SAMPLE = 8, STEPS = 600 };

typedef struct
{
  char *folder, *path, *other;
  char *uuid, *csv; /* of the run that is there before */
  char *made, *all; /* of the one that was made, as it is in memory; or NULL */
} Place;

/* Something that is done with the store; FALSE with a sentence when it could not be. */
typedef gboolean (*Act) (Place *place, SlStore *store, GError **error);

static void
make_recipe (SlRecipe *recipe, const char *id, const char *words, uint64_t seed)
{
  const SlLab *lab = sl_lab_find (id);
  SlSettings   settings;
  SlStatus     status;

  sl_settings_default (&settings, lab->params, lab->n_params);
  status = sl_settings_set_words (&settings, lab->params, lab->n_params, words);
  g_assert_true (sl_ok (&status));
  sl_recipe_init (recipe, lab, &settings, NULL, seed);
}

static char *
write_run (SlStore *store, uint64_t seed)
{
  SlCheckpoint checkpoint = { .step = STEPS, .data = calloc (1, 9000), .bytes = 9000 };
  SlRecipe     recipe;
  SlLayout     layout;
  SlWriter    *writer;
  char        *uuid;

  make_recipe (&recipe, "stochastic-gates", "", seed);
  sl_layout_init (&layout, recipe.lab, &recipe.settings);
  writer = sl_writer_new (store, NULL, &recipe, &layout, NULL, 0);
  uuid = g_strdup (sl_writer_uuid (writer));
  for (uint64_t step = 1; step <= STEPS; step++)
    sl_writer_sample (writer, &(SlSample) { .step = step, .value = sin ((double) step) });
  sl_writer_checkpoint (writer, &checkpoint, 0, 0, 1.0);
  sl_writer_status (writer, SL_RUN_FINISHED, NULL);
  sl_writer_free (writer);
  sl_recipe_clear (&recipe);
  return uuid;
}

static char *
csv_of (SlStore *store, const char *uuid)
{
  SlStoredRun run;
  GError     *error = NULL;
  char       *csv;

  sl_store_load (store, uuid, FALSE, UINT64_MAX, &run, &error);
  g_assert_no_error (error);
  csv = sl_table_csv (&run.record, 0.0, HUGE_VAL);
  sl_stored_run_clear (&run);
  return csv;
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
set_up (Place *place)
{
  SlStore *store;

  place->folder = g_dir_make_tmp ("sluice-faults-XXXXXX", NULL);
  place->path = g_build_filename (place->folder, "runs.sluice", NULL);
  place->other = g_build_filename (place->folder, "other.sluice", NULL);
  store = open_store (place->other);
  g_free (write_run (store, 2));
  g_assert_finalize_object (store);
  store = open_store (place->path);
  place->uuid = write_run (store, 1);
  g_assert_true (sl_store_flush (store, NULL));
  place->csv = csv_of (store, place->uuid);
  g_assert_finalize_object (store);
}

static void
tear_down (Place *place)
{
  sl_remove_all (place->folder);
  g_free (place->folder);
  g_free (place->path);
  g_free (place->other);
  g_free (place->uuid);
  g_free (place->csv);
  g_free (place->made);
  g_free (place->all);
}

/* ---- what is done ---- */

static gboolean
act_write (Place *place, SlStore *store, GError **error)
{
  place->made = write_run (store, 3);
  place->all = g_strdup (place->csv); /* samples do not depend on the seed */
  return sl_store_flush (store, error);
}

static gboolean
act_read (Place *place, SlStore *store, GError **error)
{
  g_autoptr (GPtrArray) runs = sl_store_list (store, NULL, FALSE, error);
  SlStoredRun run;

  if (runs == NULL || !sl_store_load (store, place->uuid, TRUE, UINT64_MAX, &run, error))
    return FALSE;
  sl_stored_run_clear (&run);
  return TRUE;
}

static gboolean
act_merge (Place *place, SlStore *store, GError **error)
{
  return sl_store_merge (store, place->other, NULL, error);
}

static gboolean
act_export (Place *place, SlStore *store, GError **error)
{
  g_autofree char *to = g_build_filename (place->folder, "saved.sluice", NULL);

  return sl_store_export (store, NULL, to, error);
}

static gboolean
act_remove (Place *place, SlStore *store, GError **error)
{
  g_autofree char *uuid = write_run (store, 4);

  if (!sl_store_flush (store, error))
    return FALSE;
  sl_store_set_deleted (store, uuid, TRUE);
  sl_store_prune (store, G_MAXUINT);
  return sl_store_flush (store, error);
}

/* A session trains, whatever becomes of its store. */
static gboolean
act_session (Place *place, SlStore *store, GError **error)
{
  SlSession *session = sl_session_new ();
  SlRecipe   recipe;

  make_recipe (&recipe, "sign-estimator", "hidden=12-8", 5);
  g_strlcpy (recipe.data, "moons:points=200", sizeof recipe.data);
  sl_session_set_store (session, store);
  sl_session_set_limit (session, 30);
  sl_session_replay (session, &recipe, TRUE);
  while (sl_session_state (session) != SL_FINISHED || sl_session_is_loading (session))
    g_main_context_iteration (NULL, TRUE);
  g_assert_no_error (sl_session_error (session));
  g_assert_cmpuint (sl_session_info (session)->step, ==, 30);
  place->made = g_strdup (sl_session_uuid (session));
  place->all = sl_table_csv (sl_session_record (session), 0.0, HUGE_VAL);
  sl_recipe_clear (&recipe);
  g_assert_finalize_object (session);
  return sl_store_flush (store, error);
}

/* ---- and what has to hold then ---- */

static void
check_sentence (const GError *error)
{
  g_assert_nonnull (error);
  g_assert_cmpuint (strlen (error->message), >, 10);
  g_assert_null (strstr (error->message, "(null)"));
}

/* With the disk well again, the same store has what could not be stored and works on if it was opened to write, and
 * a new one on the same file.  */
static void
check_store (const Place *place, SlStore *store, gboolean writes)
{
  g_autofree char *csv = NULL, *again = NULL, *all = NULL, *uuid = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (SlStore) new = NULL;

  if (writes)
    {
      uuid = write_run (store, 9);
      sl_store_settle (store, &error);
      g_assert_no_error (error);
    }
  new = open_store (place->path);
  sl_store_check (new, &error);
  g_assert_no_error (error);
  csv = csv_of (new, place->uuid);
  g_assert_cmpstr (csv, ==, place->csv);
  if (uuid != NULL)
    again = csv_of (new, uuid);
  if (writes && place->made != NULL)
    {
      all = csv_of (new, place->made);
      g_assert_cmpstr (all, ==, place->all);
    }
}

/* Nothing but the stores, and what SQLite keeps beside them. */
static void
check_folder (const Place *place)
{
  g_autoptr (GDir) folder = g_dir_open (place->folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (folder)) != NULL)
    if (!g_str_has_prefix (name, "runs.sluice") && !g_str_has_prefix (name, "other.sluice")
        && strcmp (name, "saved.sluice") != 0)
      g_error ("%s is left", name);
}

/* TRUE when no call failed. */
static gboolean
try (Act act, unsigned call, int code, gboolean lasts)
{
  Place    place = { 0 };
  SlStore *store;
  GError  *error = NULL, *opening = NULL;
  gboolean fine, writes = FALSE;
  unsigned faults;

  set_up (&place);
  sl_fault_vfs_use (TRUE);
  sl_fault_vfs_fail (call, code, lasts);
  store = sl_store_open (place.path, &opening);
  if (store == NULL)
    check_sentence (opening);
  else
    {
      writes = sl_store_error (store) == NULL;
      fine = act (&place, store, &error);
      faults = sl_fault_vfs_faults ();
      g_assert_true (fine || faults > 0);
      if (!fine)
        check_sentence (error);
    }
  faults = sl_fault_vfs_faults ();
  sl_fault_vfs_fail (0, 0, FALSE);
  check_store (&place, store, writes);
  if (store != NULL)
    g_assert_finalize_object (store);
  sl_fault_vfs_use (FALSE);
  check_folder (&place);
  g_clear_error (&error);
  g_clear_error (&opening);
  tear_down (&place);
  return faults == 0;
}

/* How many calls it makes when none fails. */
static unsigned
count_calls (Act act)
{
  Place    place = { 0 };
  SlStore *store;
  GError  *error = NULL;
  unsigned calls;

  set_up (&place);
  sl_fault_vfs_use (TRUE);
  sl_fault_vfs_fail (0, 0, FALSE);
  store = open_store (place.path);
  act (&place, store, &error);
  g_assert_no_error (error);
  g_assert_finalize_object (store);
  calls = sl_fault_vfs_calls ();
  sl_fault_vfs_use (FALSE);
  tear_down (&place);
  return calls;
}

static void
test_act (gconstpointer data)
{
  Act      act = *(const Act *) data;
  gboolean all = g_getenv ("SLUICE_LONG") != NULL;
  unsigned calls = count_calls (act), tried = 0;
  SlRng    rng;

  sl_rng_init (&rng, 1, "faults");
  for (unsigned call = 1; call <= calls; call++)
    for (unsigned kind = 0; kind < 4; kind++)
      if (all || sl_rng_below (&rng, calls * 4) < SAMPLE)
        {
          g_test_message ("call %u of %u, kind %u", call, calls, kind);
          try (act, call, kind % 2 == 0 ? SQLITE_IOERR : SQLITE_FULL, kind >= 2);
          tried++;
        }
  g_test_message ("%u faults in %u calls", tried, calls);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name;
    Act         act;
  } acts[] = {
    { "/store/faults/write", act_write },   { "/store/faults/read", act_read },
    { "/store/faults/merge", act_merge },   { "/store/faults/export", act_export },
    { "/store/faults/remove", act_remove }, { "/store/faults/session", act_session },
  };

  g_test_init (&argc, &argv, NULL);
  sl_remember_only ();
  for (unsigned i = 0; i < G_N_ELEMENTS (acts); i++)
    g_test_add_data_func (acts[i].name, &acts[i].act, test_act);
  return g_test_run ();
}
