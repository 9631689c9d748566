/* SPDX-License-Identifier: MIT
 *
 * What a store takes: states come back to the bit from less than they are, and over budget old runs lose them, in
 * an order, and never a curve.  */
#include <glib/gstdio.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "core/labs/registry.h"
#include "core/run/store/pack.h"
#include "core/run/store/writer.h"
#include "tests/support/folder.h"

enum { STATE = 1 << 20, STATES = 4, RUNS = 4, SAMPLES = 700 };

/* ---- states ---- */

/* Small numbers, as weights are, behind a text of any length. */
static unsigned char *
make_state (size_t n, uint64_t seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed ((guint32) seed);
  unsigned char *state = malloc (n);

  memset (state, 'S', n);
  for (size_t at = n % 64; at + sizeof (float) <= n; at += sizeof (float))
    {
      float weight = (float) g_rand_double_range (rand, -0.1, 0.1);

      memcpy (state + at, &weight, sizeof weight);
    }
  return state;
}

static void
check_pack (const void *state, size_t n, gboolean smaller)
{
  SlPackedState packed = sl_store_pack_state (state, n);
  size_t        bytes = 0;
  void         *back = sl_store_unpack_state (packed.data, packed.n, &bytes);

  g_assert_true (smaller == (packed.frame != NULL));
  g_assert_true (smaller == (packed.n < n));
  g_assert_nonnull (back);
  g_assert_cmpmem (back, bytes, state, n);
  free (back);
  free (packed.frame);
}

static void
test_pack (void)
{
  static const size_t sizes[] = { 1, 3, 4, 5, 1000, 4099, STATE, STATE + 1, STATE + 2, STATE + 3 };
  g_autofree guint32 *noise = g_new (guint32, 1000);

  for (size_t i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      unsigned char *state = make_state (sizes[i], i);

      check_pack (state, sizes[i], sizes[i] >= 1000);
      free (state);
    }
  for (unsigned i = 0; i < 1000; i++)
    noise[i] = g_random_int ();
  memcpy (noise, "Slui", 4); /* a state begins with text */
  check_pack (noise, 4000, FALSE);
}

/* Frames that are cut, changed, or grow without measure are no states. */
static void
test_hostile (void)
{
  unsigned char *state = make_state (STATE, 1);
  SlPackedState  packed = sl_store_pack_state (state, STATE), zeros;
  size_t         bytes;

  for (size_t n = 0; n < packed.n; n += n < 40 ? 1 : packed.n / 50)
    {
      void *back = sl_store_unpack_state (packed.data, n, &bytes);

      g_assert_true (back == NULL || n < 4); /* less than a mark is what it is */
      free (back);
    }
  memset (state, 0, STATE);
  zeros = sl_store_pack_state (state, STATE);
  g_assert_null (zeros.frame);
  free (packed.frame);
  free (state);
}

/* ---- the budget ---- */

typedef struct
{
  char    *folder, *path;
  SlStore *store;
  char    *uuid[RUNS];
} Place;

static const SlLab *
lab (void)
{
  return sl_lab_find ("stochastic-gates");
}

/* A run with four states of so many bytes. */
static void
write_run (Place *place, unsigned i, size_t bytes, SlRunStatus status)
{
  SlSettings settings;
  SlRecipe   recipe;
  SlLayout   layout;
  SlWriter  *writer;

  sl_settings_default (&settings, lab ()->params, lab ()->n_params);
  sl_recipe_init (&recipe, lab (), &settings, NULL, i);
  sl_layout_init (&layout, lab (), &settings);
  writer = sl_writer_new (place->store, NULL, &recipe, &layout, NULL, 0);
  g_free (place->uuid[i]);
  place->uuid[i] = g_strdup (sl_writer_uuid (writer));
  for (uint64_t step = 1; step <= SAMPLES; step++)
    sl_writer_sample (writer, &(SlSample) { .step = step, .channel = 0, .value = (double) step });
  for (unsigned state = 1; state <= STATES; state++)
    {
      SlCheckpoint checkpoint
        = { .step = state * SAMPLES / STATES, .data = make_state (bytes, state), .bytes = bytes };

      sl_writer_checkpoint (writer, &checkpoint, 0, 0, 1.0);
    }
  sl_writer_tick (writer, SAMPLES, 1.0);
  sl_writer_status (writer, status, NULL);
  sl_writer_free (writer);
  sl_recipe_clear (&recipe);
  g_assert_true (sl_store_flush (place->store, NULL));
}

static void
set_up (Place *place, gconstpointer unused)
{
  GError *error = NULL;

  place->folder = g_dir_make_tmp ("sluice-room-XXXXXX", NULL);
  place->path = g_build_filename (place->folder, "runs.sluice", NULL);
  place->store = sl_store_open (place->path, &error);
  g_assert_no_error (error);
  for (unsigned i = 0; i < RUNS; i++)
    write_run (place, i, STATE, SL_RUN_FINISHED);
}

static void
tear_down (Place *place, gconstpointer unused)
{
  g_clear_object (&place->store);
  for (unsigned i = 0; i < RUNS; i++)
    g_free (place->uuid[i]);
  sl_remove_all (place->folder);
  g_free (place->folder);
  g_free (place->path);
}

static gint64
number (const Place *place, const char *text)
{
  sqlite3      *db = NULL;
  sqlite3_stmt *row = NULL;
  gint64        value;

  g_assert_cmpint (sqlite3_open (place->path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_prepare_v2 (db, text, -1, &row, NULL), ==, SQLITE_OK);
  value = sqlite3_step (row) == SQLITE_ROW ? sqlite3_column_int64 (row, 0) : -1;
  sqlite3_finalize (row);
  sqlite3_close (db);
  return value;
}

static gint64
in_use (const Place *place)
{
  return number (place, "SELECT (page_count - freelist_count) * page_size"
                        " FROM pragma_page_count, pragma_freelist_count, pragma_page_size");
}

/* A figure of the states of a run. */
static gint64
states (const Place *place, const char *figure, unsigned run)
{
  g_autofree char *text = g_strdup_printf ("SELECT %s FROM checkpoint JOIN run"
                                           " ON run.id = checkpoint.run WHERE uuid = '%s'",
                                           figure, place->uuid[run]);

  return number (place, text);
}

/* How many states each run has, under a budget. */
static void
check_states (Place *place, gint64 budget, const unsigned want[RUNS])
{
  sl_store_set_budget (place->store, (guint64) budget);
  sl_store_prune (place->store, G_MAXUINT);
  g_assert_true (sl_store_flush (place->store, NULL));
  for (unsigned i = 0; i < RUNS; i++)
    {
      g_assert_cmpint (states (place, "count (*)", i), ==, want[i]);
      if (want[i] > 0) /* the last one goes last */
        g_assert_cmpint (states (place, "max (checkpoint.step)", i), ==, SAMPLES);
    }
}

static void
check_curves (Place *place)
{
  for (unsigned i = 0; i < RUNS; i++)
    {
      GError     *error = NULL;
      SlStoredRun run;

      sl_store_load (place->store, place->uuid[i], FALSE, UINT64_MAX, &run, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (run.record.series[0].n, ==, SAMPLES);
      sl_stored_run_clear (&run);
    }
}

/* Whether going on is going on, or another run. */
static void
check_resumes_as (Place *place, unsigned i, gboolean another)
{
  SlStoredRun run;

  g_assert_true (sl_store_load (place->store, place->uuid[i], TRUE, UINT64_MAX, &run, NULL));
  g_assert_true (run.curves_only == another);
  g_assert_cmpstr (run.uuid, ==, another ? "" : place->uuid[i]);
  sl_stored_run_clear (&run);
}

static void
test_budget (Place *place, gconstpointer unused)
{
  gint64 all = in_use (place), one = all / (RUNS * STATES);

  sl_store_set_pinned (place->store, place->uuid[1], TRUE);
  check_states (place, all, (const unsigned[]) { 4, 4, 4, 4 });
  /* Earlier states of the run that is oldest, and then of the next one. */
  check_states (place, all - one, (const unsigned[]) { 2, 4, 4, 4 });
  check_states (place, all - 4 * one, (const unsigned[]) { 1, 2, 4, 4 });
  /* Last states, but those of the pinned and of the newest run. */
  check_states (place, 7 * one, (const unsigned[]) { 0, 1, 1, 4 });
  check_states (place, 1, (const unsigned[]) { 0, 1, 0, 4 });
  check_curves (place);
  for (unsigned i = 0; i < RUNS; i++)
    {
      g_autoptr (SlStoreRun) run = sl_store_find (place->store, place->uuid[i], NULL);

      g_assert_true (sl_store_run_is_curves_only (run) == (i % 2 == 0));
      check_resumes_as (place, i, i % 2 == 0);
    }
  g_assert_true (sl_store_check (place->store, NULL));
}

/* What was deleted goes before what is older, and is not the run that was trained last. */
static void
test_deleted (Place *place, gconstpointer unused)
{
  gint64 all = in_use (place), one = all / (RUNS * STATES);

  sl_store_set_deleted (place->store, place->uuid[3], TRUE);
  sl_store_set_budget (place->store, (guint64) (all + 2 * one));
  write_run (place, 1, STATE, SL_RUN_FINISHED);
  g_assert_cmpint (states (place, "count (*)", 3), <, STATES);
  g_assert_cmpint (states (place, "count (*)", 0), ==, STATES);
}

/* One that is trained keeps all, and the budget is looked at when it stops. */
static void
test_running (Place *place, gconstpointer unused)
{
  sl_store_set_budget (place->store, 1);
  write_run (place, 0, STATE, SL_RUN_RUNNING);
  check_states (place, 1, (const unsigned[]) { 4, 0, 0, 0 });
}

/* Earlier states of a run take a fixed sum, however many there are. */
static void
test_large_states (Place *place, gconstpointer unused)
{
  g_assert_cmpint (number (place, "SELECT max (sum) FROM (SELECT sum (length (data)) AS sum"
                                  " FROM checkpoint GROUP BY run)"),
                   <, STATES * STATE);
  write_run (place, 0, 5 * STATE, SL_RUN_FINISHED);
  g_assert_cmpint (states (place, "count (*)", 0), ==, 2);
}

/* Free pages go back to the disk while there is nothing to do. */
static void
test_shrink (Place *place, gconstpointer unused)
{
  gint64 before = number (place, "SELECT page_count FROM pragma_page_count"), end;

  check_states (place, 1, (const unsigned[]) { 0, 0, 0, 4 });
  end = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;
  while (number (place, "SELECT freelist_count FROM pragma_freelist_count") > 0
         && g_get_monotonic_time () < end)
    g_usleep (10000);
  g_assert_cmpint (number (place, "SELECT page_count FROM pragma_page_count"), <, before / 2);
  check_curves (place);
}

/* A store of the version before has states as they are, and is of this one once it was opened to be written. */
static void
test_version_1 (Place *place, gconstpointer unused)
{
  unsigned char *state = make_state (STATE, 5);
  sqlite3       *db = NULL;
  sqlite3_stmt  *row = NULL;
  SlStoredRun    run;
  GError        *error = NULL;

  g_clear_object (&place->store);
  g_assert_cmpint (sqlite3_open (place->path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, "PRAGMA user_version = 1", NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_prepare_v2 (db, "UPDATE checkpoint SET data = ?, sum = ?", -1, &row, NULL);
  sqlite3_bind_blob (row, 1, state, STATE, SQLITE_STATIC);
  sqlite3_bind_int64 (row, 2, (sqlite3_int64) crc32_z (0, state, STATE));
  g_assert_cmpint (sqlite3_step (row), ==, SQLITE_DONE);
  sqlite3_finalize (row);
  sqlite3_close (db);

  for (unsigned write = 0; write < 2; write++)
    {
      place->store
        = write ? sl_store_open (place->path, &error) : sl_store_open_to_read (place->path, &error);
      g_assert_no_error (error);
      sl_store_load (place->store, place->uuid[0], TRUE, UINT64_MAX, &run, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (run.checkpoint.step, ==, SAMPLES);
      g_assert_cmpmem (run.checkpoint.data, run.checkpoint.bytes, state, STATE);
      sl_stored_run_clear (&run);
      g_clear_object (&place->store);
      g_assert_cmpint (number (place, "PRAGMA user_version"), ==, write ? 2 : 1);
    }
  free (state);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, run) g_test_add (name, Place, NULL, set_up, run, tear_down)
  g_test_add_func ("/store-room/pack", test_pack);
  g_test_add_func ("/store-room/hostile", test_hostile);
  ADD ("/store-room/budget", test_budget);
  ADD ("/store-room/deleted", test_deleted);
  ADD ("/store-room/running", test_running);
  ADD ("/store-room/large-states", test_large_states);
  ADD ("/store-room/shrink", test_shrink);
  ADD ("/store-room/version-1", test_version_1);
  return g_test_run ();
}
