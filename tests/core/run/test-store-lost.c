/* SPDX-License-Identifier: MIT
 *
 * What other programs do with the files of a store that is open: whatever it is, and whenever, it is noticed at
 * the next write, what was stored and what was in memory is in a store afterwards to the bit, and a file that
 * was put in the place is left alone.  */
#include <errno.h>
#include <math.h>

#include "core/base/rng.h"
#include "core/labs/registry.h"
#include "core/run/files/table.h"
#include "core/run/store/writer.h"
#include "tests/support/store-place.h"

enum { ROUNDS = 100, STEPS = 2000 };

typedef struct
{
  const char  *name;
  SlStorePlace place; /* as it is noticed */
  void (*happen) (const Place *place);
} Event;

/* ---- what happens ---- */

static char *
beside (const Place *place, const char *end)
{
  return g_strconcat (place->path, end, NULL);
}

static void
take_away (const Place *place, const char *end)
{
  g_autofree char *name = beside (place, end);

  g_assert_cmpint (g_unlink (name), ==, 0);
}

static void
cut (const Place *place, const char *end)
{
  g_autofree char *name = beside (place, end);

  g_assert_cmpint (truncate (name, 0), ==, 0);
}

static void
delete_all (const Place *place)
{
  take_away (place, "");
  take_away (place, "-wal");
  take_away (place, "-shm");
}

static void
delete_file (const Place *place)
{
  take_away (place, "");
}

static void
move_file (const Place *place)
{
  g_autofree char *to = beside (place, ".moved");

  g_assert_cmpint (g_rename (place->path, to), ==, 0);
}

static void
delete_folder (const Place *place)
{
  sl_remove_all (place->folder);
}

static void
replace_file (const Place *place)
{
  g_autofree char *other = beside (place, ".other");

  g_assert_cmpint (g_rename (other, place->path), ==, 0);
}

static void
delete_log (const Place *place)
{
  take_away (place, "-wal");
}

static void
delete_index (const Place *place)
{
  take_away (place, "-shm");
}

static void
cut_index (const Place *place)
{
  cut (place, "-shm");
}

static const Event events[] = {
  { "file, log and index deleted", SL_STORE_GONE, delete_all },
  { "file deleted", SL_STORE_GONE, delete_file },
  { "file moved", SL_STORE_GONE, move_file },
  { "folder deleted", SL_STORE_GONE, delete_folder },
  { "file replaced", SL_STORE_REPLACED, replace_file },
  { "log deleted", SL_STORE_THERE, delete_log },
  { "index deleted", SL_STORE_THERE, delete_index },
  { "index cut off", SL_STORE_THERE, cut_index },
};

/* ---- runs ---- */

static SlWriter *
begin_run (SlStore *store, uint64_t seed)
{
  const SlLab *lab = sl_lab_find ("stochastic-gates");
  SlSettings   settings;
  SlRecipe     recipe;
  SlLayout     layout;
  SlWriter    *writer;

  sl_settings_default (&settings, lab->params, lab->n_params);
  sl_recipe_init (&recipe, lab, &settings, NULL, seed);
  sl_layout_init (&layout, lab, &settings);
  writer = sl_writer_new (store, NULL, &recipe, &layout, NULL, 0);
  sl_recipe_clear (&recipe);
  return writer;
}

static void
train (SlWriter *writer, uint64_t from, uint64_t until)
{
  SlCheckpoint checkpoint = { .step = until, .data = calloc (1, 5000), .bytes = 5000 };

  for (uint64_t step = from; step <= until; step++)
    sl_writer_sample (writer, &(SlSample) { .step = step, .value = sin ((double) step) });
  sl_writer_checkpoint (writer, &checkpoint, 0, 0, (double) until);
}

static char *
end_run (SlWriter *writer)
{
  char *uuid = g_strdup (sl_writer_uuid (writer));

  sl_writer_status (writer, SL_RUN_FINISHED, NULL);
  sl_writer_free (writer);
  return uuid;
}

static char *
whole_run (SlStore *store, uint64_t seed)
{
  SlWriter *writer = begin_run (store, seed);

  train (writer, 1, STEPS);
  return end_run (writer);
}

/* That the run has every sample and its last checkpoint. */
static void
check_run (SlStore *store, const char *uuid)
{
  SlStoredRun run;
  GError     *error = NULL;

  sl_store_load (store, uuid, TRUE, UINT64_MAX, &run, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (run.record.series[0].n, ==, STEPS);
  for (size_t i = 0; i < STEPS; i++)
    {
      g_assert_true (run.record.series[0].step[i] == (double) (i + 1));
      g_assert_true (run.record.series[0].value[i] == sin ((double) (i + 1)));
    }
  g_assert_cmpuint (run.checkpoint.step, ==, STEPS);
  g_assert_cmpint (run.status, ==, SL_RUN_FINISHED);
  sl_stored_run_clear (&run);
}

static void
check_store (const char *path, const char *before, const char *made)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SlStore) store = sl_store_open (path, &error);

  g_assert_no_error (error);
  g_assert_true (sl_store_check (store, NULL));
  check_run (store, before);
  check_run (store, made);
}

/* ---- tests ---- */

/* Another store, to be put in the place of this one; the name of its run. */
static char *
make_other (const Place *place)
{
  g_autofree char *other = beside (place, ".other");
  SlStore         *store = sl_store_open (other, NULL);
  char            *uuid = whole_run (store, 9);

  g_assert_true (sl_store_flush (store, NULL));
  g_assert_finalize_object (store);
  return uuid;
}

/* Nothing of ours is in it, nor beside it. */
static void
check_left_alone (const Place *place, const char *uuid)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SlStore) store = sl_store_open (place->path, &error);
  g_autoptr (GPtrArray) runs = NULL;

  g_assert_no_error (error);
  g_assert_true (sl_store_check (store, NULL));
  check_run (store, uuid);
  runs = sl_store_list (store, NULL, TRUE, NULL);
  g_assert_cmpuint (runs->len, ==, 1);
}

/* Opens the store anew, so that its log is empty, and removes a run: made again, the rest of the store has other
 * places in its file than the log knows.  */
static void
leave_gap (Place *place, const char *uuid)
{
  g_assert_finalize_object (place->store);
  open_store (place);
  sl_store_set_deleted (place->store, uuid, TRUE);
  sl_store_prune (place->store, G_MAXUINT);
  g_assert_true (sl_store_flush (place->store, NULL));
}

static void
try (const Event *event, SlRng *rng, gboolean settles)
{
  Place            place;
  GError          *error = NULL;
  g_autofree char *gone = NULL, *before = NULL, *made = NULL, *kept = NULL, *other = NULL;
  SlWriter        *writer;
  uint64_t         moment = 1 + sl_rng_below (rng, STEPS - 2), step = 0;
  gboolean         fine;

  set_up_place (&place, NULL);
  other = make_other (&place);
  gone = whole_run (place.store, 3);
  before = whole_run (place.store, 1);
  leave_gap (&place, gone);
  writer = begin_run (place.store, 2);
  while (step < STEPS)
    {
      uint64_t until = step + 1 + sl_rng_below (rng, 400);

      until = MIN (until, STEPS);
      if (step < moment && until >= moment)
        {
          g_assert_true (sl_store_flush (place.store, NULL));
          event->happen (&place);
        }
      train (writer, step + 1, until);
      fine = sl_store_flush (place.store, NULL);
      g_assert_true (fine == (until < moment || event->place == SL_STORE_THERE));
      g_assert_cmpint (sl_store_place (place.store), ==,
                       until < moment ? SL_STORE_THERE : event->place);
      step = until;
    }
  made = end_run (writer);
  if (settles && sl_store_settle (place.store, &error) != (event->place != SL_STORE_REPLACED))
    g_error ("%s: %s", event->name, error != NULL ? error->message : "nothing said");
  g_clear_error (&error);
  g_assert_finalize_object (place.store);
  kept = event->place == SL_STORE_REPLACED ? g_build_filename (place.folder, "runs-2.sluice", NULL)
                                           : g_strdup (place.path);
  check_store (kept, before, made);
  if (event->place == SL_STORE_REPLACED)
    check_left_alone (&place, other);
  sl_remove_all (place.folder);
  g_free (place.folder);
  g_free (place.path);
}

static void
test_lost (void)
{
  SlRng rng;

  sl_rng_init (&rng, 1, "lost");
  for (unsigned round = 0; round < ROUNDS; round++)
    {
      const Event *event = &events[round % G_N_ELEMENTS (events)];

      g_test_message ("round %u: %s", round, event->name);
      try (event, &rng, sl_rng_below (&rng, 2) == 0);
    }
}

/* A store that is gone is there again when that is asked for, and takes what comes then.  What waited had the newest
 * checkpoint of each run.  */
static void
test_again (Place *place, gconstpointer unused)
{
  g_autofree char *before = whole_run (place->store, 1), *made = NULL, *many = NULL, *later = NULL;
  SlStoredRun      run;
  SlWriter        *writer;

  g_assert_true (sl_store_flush (place->store, NULL));
  delete_all (place);
  made = whole_run (place->store, 2);
  g_assert_false (sl_store_flush (place->store, NULL));
  writer = begin_run (place->store, 4);
  for (uint64_t step = 0; step < STEPS; step += 100)
    train (writer, step + 1, step + 100);
  many = end_run (writer);
  g_assert_false (g_file_test (place->path, G_FILE_TEST_EXISTS));
  sl_store_retry (place->store);
  g_assert_true (sl_store_flush (place->store, NULL));
  g_assert_null (sl_store_error (place->store));
  check_store (place->path, before, made);
  check_store (place->path, before, many);
  g_assert_true (sl_store_load (place->store, many, TRUE, UINT64_MAX, &run, NULL));
  g_assert_cmpuint (run.earlier.n, ==, 0);
  sl_stored_run_clear (&run);
  later = whole_run (place->store, 3);
  g_assert_true (sl_store_flush (place->store, NULL));
  check_store (place->path, made, later);
}

/* One whose place another file has goes on where it is told to. */
static void
test_elsewhere (Place *place, gconstpointer unused)
{
  g_autofree char *before = whole_run (place->store, 1), *made = NULL, *later = NULL;
  g_autofree char *to = g_build_filename (place->folder, "new", "here.sluice", NULL);
  g_autofree char *other = make_other (place);

  g_assert_true (sl_store_flush (place->store, NULL));
  replace_file (place);
  made = whole_run (place->store, 2);
  g_assert_false (sl_store_flush (place->store, NULL));
  sl_store_retry (place->store);
  g_assert_false (sl_store_flush (place->store, NULL));
  sl_store_move (place->store, to);
  g_assert_true (sl_store_flush (place->store, NULL));
  g_assert_cmpstr (sl_store_path (place->store), ==, to);
  later = whole_run (place->store, 3);
  g_assert_true (sl_store_settle (place->store, NULL));
  check_store (to, before, made);
  check_store (to, made, later);
  check_left_alone (place, other);
}

/* Without permission for its folder no store is made, and that is said; root, who needs no permission, becomes another user for it. */
static void
test_forbidden (Place *place, gconstpointer unused)
{
  g_autofree char *folder = g_build_filename (place->folder, "forbidden", NULL);
  g_autofree char *path = g_build_filename (folder, "new.sluice", NULL);
  g_autoptr (GError) error = NULL;
  gboolean root = geteuid () == 0;

  g_assert_cmpint (g_chmod (place->folder, 0755), ==, 0);
  g_assert_cmpint (g_mkdir (folder, 0555), ==, 0);
  g_assert_true (!root || seteuid (65534) == 0);
  g_assert_null (sl_store_open (path, &error));
  g_assert_true (!root || seteuid (0) == 0);
  g_assert_error (error, SL_ERROR, SL_EIO);
  g_assert_nonnull (strstr (error->message, g_strerror (EACCES)));
}

#define ADD(name, test) g_test_add (name, Place, NULL, set_up_place, test, tear_down_place)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  sl_remember_only ();
  g_test_add_func ("/store/lost/at-random-moments", test_lost);
  ADD ("/store/lost/again", test_again);
  ADD ("/store/lost/elsewhere", test_elsewhere);
  ADD ("/store/lost/forbidden", test_forbidden);
  return g_test_run ();
}
