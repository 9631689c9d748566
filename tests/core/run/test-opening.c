/* SPDX-License-Identifier: MIT
 *
 * What a file of runs opens as: the list of several, a single one from its state, or its curves.  */
#include "core/run/follow/opening.h"

#include <glib/gstdio.h>
#include <math.h>

#include "core/run/sweep/store.h"
#include "tests/core/run/sweep-help.h"

typedef SweepFixture Fixture;

/* A file with the first `n` runs of the sweep, with their states or not; its path. */
static char *
write_file (Fixture *f, guint n, gboolean with_states)
{
  char *path = g_build_filename (f->folder, "many.sluice", NULL);
  g_autoptr (SlStore) store = sl_store_open (path, NULL);

  for (guint i = 0; i < n; i++)
    {
      SlSweepResult *result = sl_sweep_perform (&f->sweep, &g_array_index (f->jobs, SlSweepJob, i),
                                                with_states ? store : NULL, f->dataset, NULL, NULL);

      sl_sweep_store (store, "a sweep", result);
      sl_sweep_result_free (result);
    }
  g_assert_true (sl_store_flush (store, NULL));
  return path;
}

static guint
n_stored (Fixture *f)
{
  g_autoptr (GPtrArray) runs = sl_store_list (f->store, NULL, FALSE, NULL);

  return runs->len;
}

static void
open_file (Fixture *f, const char *path, SlStore *store, SlOpening *opening)
{
  GError *error = NULL;

  *opening = (SlOpening) { .path = g_strdup (path) };
  g_set_object (&opening->store, store);
  g_assert_true (sl_opening_load (opening, &error));
  g_assert_no_error (error);
}

static void
test_several (Fixture *f, gconstpointer data)
{
  g_autofree char *path = write_file (f, 3, FALSE);
  SlOpening        opening;

  open_file (f, path, f->store, &opening);
  g_assert_cmpuint (opening.listed, ==, 3);
  g_assert_cmpuint (g_strv_length (opening.uuids), ==, 3);
  for (unsigned i = 0; i < 3; i++)
    {
      g_autoptr (SlStoreRun) run = sl_store_find (f->store, opening.uuids[i], NULL);

      g_assert_nonnull (run);
    }
  g_assert_null (opening.run.recipe.lab);
  g_assert_cmpuint (n_stored (f), ==, 3);
  sl_opening_clear (&opening);
  /* The store itself is such a file. */
  open_file (f, f->path, f->store, &opening);
  g_assert_cmpuint (opening.listed, ==, 3);
  sl_opening_clear (&opening);
  /* Without a store there is no list. */
  open_file (f, path, NULL, &opening);
  g_assert_cmpuint (opening.listed, ==, 0);
  g_assert_nonnull (opening.run.recipe.lab);
  sl_opening_clear (&opening);
}

/* A single run goes on from its state; without one its curves are shown, with the time of its pass. */
static void
test_single (Fixture *f, gconstpointer data)
{
  for (int with_state = 0; with_state <= 1; with_state++)
    {
      g_autofree char *path = write_file (f, 1, with_state);
      const SlRecord  *record;
      SlOpening        opening;
      int              valid;

      open_file (f, path, f->store, &opening);
      record = &opening.run.record;
      valid = sl_layout_find (&record->layout, record->lab->valid);
      g_assert_cmpuint (opening.listed, ==, 0);
      g_assert_cmpint (opening.looked_up, ==, !with_state);
      g_assert_cmpuint (opening.run.checkpoint.step, ==, with_state ? 40 : 0);
      g_assert_cmpuint (record->series[valid].n, >, 0);
      /* The score of the end is there, too. */
      g_assert_cmpfloat (record->series[valid].step[record->series[valid].n - 1], ==, 40);
      if (!with_state)
        g_assert_cmpfloat (record->times.share[1].value, ==, 1);
      sl_opening_clear (&opening);
      g_unlink (path);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, test) g_test_add (name, Fixture, NULL, sweep_set_up, test, sweep_tear_down)
  ADD ("/opening/several", test_several);
  ADD ("/opening/single", test_single);
  return g_test_run ();
}
