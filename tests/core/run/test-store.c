/* SPDX-License-Identifier: MIT
 *
 * The store of runs: what is written comes back to the bit, from files that are whole and as a
 * sentence from those that are not.  */
#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/labs/registry.h"
#include "core/run/base/temporary.h"
#include "core/run/follow/follow.h"
#include "core/run/store/about/picture.h"
#include "core/run/store/writer.h"
#include "tests/support/close.h"
#include "tests/support/folder.h"
#include "tests/support/stored-steps.h"

enum { LONG = 1300 }; /* steps: more than two blocks, and not a multiple */

typedef struct
{
  char *folder, *path;
} Place;

static void
set_up (Place *place, gconstpointer unused)
{
  place->folder = g_dir_make_tmp ("sluice-store-XXXXXX", NULL);
  place->path = g_build_filename (place->folder, "a", "runs.sluice", NULL);
  g_assert_nonnull (place->folder);
}

static void
tear_down (Place *place, gconstpointer unused)
{
  sl_remove_all (place->folder);
  g_free (place->folder);
  g_free (place->path);
}

static void
sql (const char *path, const char *text)
{
  sqlite3 *db = NULL;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, text, NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_close (db);
}

static SlStore *
open_store (const char *path)
{
  GError  *error = NULL;
  SlStore *store = sl_store_open (path, &error);

  g_assert_no_error (error);
  g_assert_nonnull (store);
  return store;
}

static void
flush (SlStore *store)
{
  GError *error = NULL;

  sl_store_flush (store, &error);
  g_assert_no_error (error);
}

static const SlLab *
lab (void)
{
  return sl_lab_find ("stochastic-gates");
}

static void
make_recipe (SlRecipe *recipe, uint64_t seed)
{
  SlSettings settings;

  sl_settings_default (&settings, lab ()->params, lab ()->n_params);
  sl_recipe_init (recipe, lab (), &settings, NULL, seed);
  g_strlcpy (recipe->data, "moons:noise=0.2", sizeof recipe->data);
  recipe->data_hash = UINT64_C (0xfedcba9876543210);
}

/* The value of a channel at a step: any bits, gaps too. */
static double
value_at (unsigned channel, uint64_t step)
{
  return step % 97 == 5 ? (double) NAN : sin ((double) step * 0.1 + channel) / 3.0;
}

/* Whether the channel has a sample there: some at every step, some at every third, some at random
 * distances.  */
static gboolean
is_sampled (unsigned channel, uint64_t step)
{
  return channel % 3 == 0 || (channel % 3 == 1 && step % 3 == 0)
         || (channel % 3 == 2 && step * 2654435761U % 7 < 3);
}

static void
write_samples (SlWriter *writer, const SlLayout *layout, uint64_t first, uint64_t last)
{
  for (uint64_t step = first; step <= last; step++)
    for (unsigned c = 0; c < layout->n; c++)
      if (layout->channel[c].series && is_sampled (c, step))
        {
          SlSample sample = { .step = step, .channel = c, .value = value_at (c, step) };

          sl_writer_sample (writer, &sample);
        }
  sl_writer_tick (writer, last, (double) last * 0.01);
}

/* A run of LONG steps; returns its name. */
static char *
write_run (SlStore *store, uint64_t seed, SlRunStatus status)
{
  SlRecipe  recipe;
  SlLayout  layout;
  SlWriter *writer;
  char     *uuid;

  make_recipe (&recipe, seed);
  sl_layout_init (&layout, lab (), &recipe.settings);
  writer = sl_writer_new (store, NULL, &recipe, &layout, NULL, 0);
  uuid = g_strdup (sl_writer_uuid (writer));
  write_samples (writer, &layout, 1, LONG);
  sl_writer_status (writer, status, NULL);
  sl_writer_free (writer);
  sl_recipe_clear (&recipe);
  flush (store);
  return uuid;
}

static void
check_series (const SlSeries *series, unsigned channel, uint64_t last)
{
  size_t n = 0;

  for (uint64_t step = 1; step <= last; step++)
    if (is_sampled (channel, step))
      {
        double value = value_at (channel, step);

        g_assert_cmpuint (n, <, series->n);
        g_assert_true (series->step[n] == (double) step);
        g_assert_cmpmem (&series->value[n], sizeof value, &value, sizeof value);
        n++;
      }
  g_assert_cmpuint (series->n, ==, n);
}

static void
load (SlStore *store, const char *uuid, gboolean to_resume, SlStoredRun *run)
{
  GError *error = NULL;

  sl_store_load (store, uuid, to_resume, UINT64_MAX, run, &error);
  g_assert_no_error (error);
}

static void
check_run (SlStore *store, const char *uuid, uint64_t last)
{
  SlStoredRun run;

  load (store, uuid, FALSE, &run);
  for (unsigned c = 0; c < run.record.layout.n; c++)
    if (run.record.layout.channel[c].series)
      check_series (&run.record.series[c], c, last);
  sl_stored_run_clear (&run);
}

/* ---- tests ---- */

static void
test_round_trip (Place *place, gconstpointer unused)
{
  g_autoptr (SlStore) store = open_store (place->path);
  g_autofree char *uuid = write_run (store, UINT64_MAX - 3, SL_RUN_FINISHED);
  g_autoptr (GPtrArray) runs = NULL;
  SlStoreRun *row;
  SlSettings  settings;
  SlLayout    layout;
  SlSeries    series;
  GError     *error = NULL;

  check_run (store, uuid, LONG);
  g_clear_object (&store);
  store = open_store (place->path);
  check_run (store, uuid, LONG);

  sl_store_rename (store, uuid, "Größe");
  sl_store_set_colour (store, uuid, 3);
  sl_store_set_pinned (store, uuid, TRUE);
  sl_store_set_score (store, uuid, "test.error", 0.125);
  sl_store_set_view (store, uuid, "{\"x\": 1}");
  flush (store);
  runs = sl_store_list (store, NULL, FALSE, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (runs->len, ==, 1);
  row = runs->pdata[0];
  g_assert_cmpstr (row->uuid, ==, uuid);
  g_assert_cmpstr (row->name, ==, "Größe");
  g_assert_cmpuint (row->colour, ==, 3);
  g_assert_true (row->pinned && !row->deleted && !row->resumable);
  g_assert_true (row->lab == lab ());
  g_assert_cmpuint (row->seed, ==, UINT64_MAX - 3);
  g_assert_cmpuint (row->data_hash, ==, UINT64_C (0xfedcba9876543210));
  g_assert_cmpint (row->status, ==, SL_RUN_FINISHED);
  g_assert_cmpuint (row->step, ==, LONG);
  g_assert_true (row->seconds == LONG * 0.01);
  g_assert_true (sl_store_run_score (row, "test.error") == 0.125);
  g_assert_true (isnan (sl_store_run_score (row, "nothing")));

  sl_store_run_settings (row, &settings);
  sl_layout_init (&layout, lab (), &settings);
  for (unsigned c = 0; c < layout.n; c++)
    {
      const char *id = layout.channel[c].id;

      if (!layout.channel[c].series)
        continue;
      sl_store_load_channel (store, uuid, id, &series, &error);
      g_assert_no_error (error);
      check_series (&series, c, LONG);
      if (series.n > 0 && !isnan (series.value[series.n - 1]))
        g_assert_true (sl_store_run_score (row, id) == series.value[series.n - 1]);
      sl_series_clear (&series);
    }
  g_assert_false (sl_store_load_channel (store, uuid, "no.such", &series, &error));
  g_assert_error (error, SL_ERROR, SL_EINVAL);
  g_clear_error (&error);
}

/* A hundred small batches end as one large one does, and partly filled blocks fill up. */
static void
test_batches (Place *place, gconstpointer unused)
{
  g_autoptr (SlStore) store = open_store (place->path);
  SlRecipe  recipe;
  SlLayout  layout;
  SlWriter *writer;
  char      uuid[SL_UUID];

  make_recipe (&recipe, 1);
  sl_layout_init (&layout, lab (), &recipe.settings);
  writer = sl_writer_new (store, NULL, &recipe, &layout, NULL, 0);
  g_strlcpy (uuid, sl_writer_uuid (writer), sizeof uuid);
  for (uint64_t step = 1; step <= LONG; step += 13)
    {
      write_samples (writer, &layout, step, step + 12);
      sl_writer_status (writer, SL_RUN_RUNNING, NULL);
    }
  sl_writer_free (writer);
  flush (store);
  check_run (store, uuid, LONG);
  sl_recipe_clear (&recipe);
}

/* Taking back to any step, in the middle of a block and at its ends, and going on. */
static void
test_truncate (Place *place, gconstpointer unused)
{
  static const uint64_t cuts[] = { 0, 1, 499, 500, 501, 1000, 1299 };
  g_autoptr (SlStore) store = open_store (place->path);

  for (guint i = 0; i < G_N_ELEMENTS (cuts); i++)
    {
      SlRecipe  recipe;
      SlLayout  layout;
      SlWriter *writer;
      char      uuid[SL_UUID];

      make_recipe (&recipe, i);
      sl_layout_init (&layout, lab (), &recipe.settings);
      writer = sl_writer_new (store, NULL, &recipe, &layout, NULL, 0);
      g_strlcpy (uuid, sl_writer_uuid (writer), sizeof uuid);
      write_samples (writer, &layout, 1, LONG);
      sl_writer_truncate (writer, cuts[i], 0);
      flush (store);
      check_run (store, uuid, cuts[i]);
      write_samples (writer, &layout, cuts[i] + 1, LONG);
      sl_writer_status (writer, SL_RUN_FINISHED, NULL);
      flush (store);
      check_run (store, uuid, LONG);
      sl_writer_free (writer);
      sl_recipe_clear (&recipe);
    }
}

static void
write_checkpoint (SlWriter *writer, uint64_t step, size_t bytes, unsigned flags)
{
  SlCheckpoint checkpoint = { .step = step, .bytes = bytes, .data = malloc (bytes) };

  memset (checkpoint.data, (int) step & 0xff, bytes);
  sl_writer_checkpoint (writer, &checkpoint, 0, flags, (double) step);
  g_assert_null (checkpoint.data);
}

static void
test_checkpoints (Place *place, gconstpointer unused)
{
  g_autoptr (SlStore) store = open_store (place->path);
  g_autoptr (GArray) steps = NULL;
  SlRecipe    recipe;
  SlLayout    layout;
  SlWriter   *writer;
  SlRecord    record;
  SlStoredRun run;
  SlStatus    status;
  char        uuid[SL_UUID];

  make_recipe (&recipe, 1);
  status = sl_record_init (&record, lab (), &recipe.settings, 1);
  g_assert_true (sl_ok (&status));
  sl_layout_init (&layout, lab (), &recipe.settings);
  writer = sl_writer_new (store, NULL, &recipe, &layout, NULL, 0);
  g_strlcpy (uuid, sl_writer_uuid (writer), sizeof uuid);
  sl_record_mark (&record, 3.0, "Rank 1 → 2");
  sl_writer_markers (writer, &record);
  for (uint64_t step = 0; step < 1000; step += 50)
    {
      write_samples (writer, &layout, step + 1, step + 50);
      write_checkpoint (writer, step + 50, 1000, record.n_flags);
    }
  sl_record_mark (&record, 1001.0, "Rank 2 → 3");
  sl_writer_markers (writer, &record);
  write_samples (writer, &layout, 1001, LONG);
  flush (store);
  steps = sl_stored_steps (store, uuid);
  g_assert_cmpuint (steps->len, ==, 8);
  g_assert_cmpuint (g_array_index (steps, guint64, 7), ==, 1000);

  load (store, uuid, FALSE, &run);
  g_assert_cmpuint (run.record.n_flags, ==, 2);
  sl_stored_run_clear (&run);
  load (store, uuid, TRUE, &run);
  g_assert_cmpuint (run.checkpoint.step, ==, 1000);
  g_assert_cmpuint (run.checkpoint.bytes, ==, 1000);
  g_assert_cmpuint (run.checkpoint.data[999], ==, 1000 & 0xff);
  g_assert_true (run.seconds == 1000.0);
  g_assert_cmpuint (run.record.n_flags, ==, 1);
  g_assert_cmpstr (run.record.flag[0].text, ==, "Rank 1 → 2");
  check_series (&run.record.series[0], 0, 1000);

  /* Going on from there with another pen. */
  sl_writer_status (writer, SL_RUN_PAUSED, NULL);
  sl_writer_free (writer);
  writer = sl_writer_resume (store, uuid, &run.record, run.checkpoint.step, run.seconds, 0);
  sl_writer_tick (writer, run.checkpoint.step, run.seconds);
  sl_writer_status (writer, SL_RUN_PAUSED, NULL);
  flush (store);
  check_run (store, uuid, LONG);
  sl_writer_status (writer, SL_RUN_RUNNING, NULL);
  flush (store);
  check_run (store, uuid, 1000);
  write_samples (writer, &layout, 1001, LONG);
  sl_writer_status (writer, SL_RUN_FINISHED, NULL);
  sl_writer_free (writer);
  flush (store);
  check_run (store, uuid, LONG);
  sl_stored_run_clear (&run);

  sl_record_clear (&record);
  sl_recipe_clear (&recipe);
}

/* ---- channels of another version ---- */

/* A version with other numbers, one channel that is gone and without one that is new. */
static const char other_numbers[]
  = "UPDATE block SET channel = 1000 - channel; UPDATE channel SET number = 1000 - number;"
    "UPDATE channel SET name = 'gone.gone' WHERE number = 1000;";

static unsigned
n_channels_named (const SlLayout *layout, const char *path)
{
  g_autoptr (SlStore) store = open_store (path);
  g_autoptr (GPtrArray) runs = sl_store_list (store, NULL, FALSE, NULL);
  unsigned n = 0;

  g_assert_cmpuint (runs->len, ==, 1);
  for (unsigned c = 0; c < layout->n; c++)
    {
      SlSeries series = { 0 };

      n += layout->channel[c].series
           && sl_store_load_channel (store, ((SlStoreRun *) runs->pdata[0])->uuid,
                                     layout->channel[c].id, &series, NULL);
      sl_series_clear (&series);
    }
  return n;
}

/* They are read by their names, and going on writes them under the numbers of this version. */
static void
test_other_channels (Place *place, gconstpointer unused)
{
  g_autoptr (SlStore) store = open_store (place->path);
  g_autofree char *uuid = write_run (store, 5, SL_RUN_PAUSED);
  SlStoredRun      run;
  SlWriter        *writer;
  unsigned         there, first = 0;

  g_clear_object (&store);
  sql (place->path, other_numbers);
  store = open_store (place->path);
  load (store, uuid, FALSE, &run);
  while (!run.record.layout.channel[first].series)
    first++;
  g_assert_cmpuint (first, ==, 0);
  g_assert_cmpuint (run.record.series[0].n, ==, 0);
  for (unsigned c = 1; c < run.record.layout.n; c++)
    if (run.record.layout.channel[c].series)
      check_series (&run.record.series[c], c, LONG);

  writer = sl_writer_resume (store, uuid, &run.record, 600, 6.0, 0);
  write_samples (writer, &run.record.layout, 601, LONG);
  sl_writer_status (writer, SL_RUN_FINISHED, NULL);
  sl_writer_free (writer);
  flush (store);
  there = 0;
  for (unsigned c = 0; c < run.record.layout.n; c++)
    there += run.record.layout.channel[c].series;
  g_assert_cmpuint (n_channels_named (&run.record.layout, place->path), ==, there);
  sl_stored_run_clear (&run);
  load (store, uuid, FALSE, &run);
  for (unsigned c = 1; c < run.record.layout.n; c++)
    if (run.record.layout.channel[c].series)
      check_series (&run.record.series[c], c, LONG);
  g_assert_true (run.record.series[0].n > 0 && run.record.series[0].step[0] == 601.0);
  sl_stored_run_clear (&run);
}

/* What had another name before is found by it. */
static void
test_former_names (Place *place, gconstpointer unused)
{
  for (const SlLab *const *l = sl_labs; *l != NULL; l++)
    {
      SlSettings settings;
      SlLayout   layout;

      sl_settings_default (&settings, (*l)->params, (*l)->n_params);
      sl_settings_settle (&settings, (*l)->params, (*l)->n_params);
      sl_layout_init (&layout, *l, &settings);
      for (unsigned c = 0; c < layout.n; c++)
        {
          const SlChannel *channel = &layout.channel[c];
          const SlTrace   *trace = &(*l)->panels[channel->panel].traces[channel->trace];

          g_assert_cmpint (sl_layout_find_stored (&layout, *l, channel->id), ==, (int) c);
          if (trace->formerly != NULL && trace->each == NULL)
            g_assert_cmpint (sl_layout_find_stored (&layout, *l, trace->formerly), ==, (int) c);
        }
      g_assert_cmpint (sl_layout_find_stored (&layout, *l, ""), ==, -1);
    }
}

/* A run of the time before a channel was renamed is read by the name of today. */
static void
test_load_former (Place *place, gconstpointer unused)
{
  const SlLab *signs = sl_lab_find ("sign-estimator");
  g_autoptr (SlStore) store = open_store (place->path);
  g_autofree char *uuid = NULL;
  SlSettings       settings;
  SlRecipe         recipe;
  SlLayout         layout;
  SlWriter        *writer;
  SlSeries         series;
  GError          *error = NULL;
  SlSample         sample = { .step = 7, .value = 0.25 };

  sl_settings_default (&settings, signs->params, signs->n_params);
  sl_recipe_init (&recipe, signs, &settings, NULL, 1);
  sl_layout_init (&layout, signs, &recipe.settings);
  sample.channel = (uint16_t) sl_layout_find (&layout, "recall.precision");
  writer = sl_writer_new (store, NULL, &recipe, &layout, NULL, 0);
  uuid = g_strdup (sl_writer_uuid (writer));
  sl_writer_sample (writer, &sample);
  sl_writer_tick (writer, 7, 0.07);
  sl_writer_status (writer, SL_RUN_FINISHED, NULL);
  sl_writer_free (writer);
  sl_recipe_clear (&recipe);
  flush (store);
  sql (place->path, "UPDATE channel SET name = 'precision.precision'"
                    " WHERE name = 'recall.precision'");

  for (unsigned i = 0; i < 2; i++)
    {
      sl_store_load_channel (store, uuid, i == 0 ? "recall.precision" : "precision.precision",
                             &series, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (series.n, ==, 1);
      g_assert_true (series.value[0] == 0.25);
      sl_series_clear (&series);
    }
  g_assert_false (sl_store_load_channel (store, uuid, "recall.nothing", &series, &error));
  g_assert_error (error, SL_ERROR, SL_EINVAL);
  g_clear_error (&error);
}

static void
test_delete_and_prune (Place *place, gconstpointer unused)
{
  g_autoptr (SlStore) store = open_store (place->path);
  char      *uuid[6];
  GPtrArray *runs;

  for (unsigned i = 0; i < 6; i++)
    uuid[i] = write_run (store, i, SL_RUN_FINISHED);
  sl_store_rename (store, uuid[0], "the first");
  sl_store_set_pinned (store, uuid[1], TRUE);
  sl_store_set_deleted (store, uuid[5], TRUE);
  sl_store_set_deleted (store, uuid[4], TRUE);
  sl_store_set_deleted (store, uuid[4], FALSE);
  flush (store);
  runs = sl_store_list (store, NULL, FALSE, NULL);
  g_assert_cmpuint (runs->len, ==, 5);
  g_ptr_array_unref (runs);
  runs = sl_store_list (store, NULL, TRUE, NULL);
  g_assert_cmpuint (runs->len, ==, 6);
  g_ptr_array_unref (runs);

  /* The named and the pinned one stay, and the newest other one. */
  sl_store_prune (store, 1);
  flush (store);
  runs = sl_store_list (store, NULL, TRUE, NULL);
  g_assert_cmpuint (runs->len, ==, 3);
  for (unsigned i = 0; i < 3; i++)
    g_assert_cmpstr (((SlStoreRun *) runs->pdata[i])->uuid, ==, uuid[i == 2 ? 4 : i]);
  g_ptr_array_unref (runs);
  for (unsigned i = 0; i < 6; i++)
    g_free (uuid[i]);
}

static void
test_merge (Place *place, gconstpointer unused)
{
  g_autofree char *other_path = g_build_filename (place->folder, "other.sluice", NULL);
  g_autofree char *third_path = g_build_filename (place->folder, "third #1?.sluice", NULL);
  g_autoptr (SlStore) store = open_store (place->path), other = open_store (other_path),
                      third = NULL;
  g_autofree char *ours = write_run (store, 1, SL_RUN_FINISHED);
  g_autofree char *theirs = write_run (other, 2, SL_RUN_FINISHED);
  const char      *unknown[] = { ours, "no such run", NULL }, *one[] = { ours, NULL };
  unsigned         added;
  GError          *error = NULL;
  GPtrArray       *runs;

  g_assert_true (sl_store_merge (store, other_path, &added, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (added, ==, 1);
  check_run (store, theirs, LONG);
  check_run (store, ours, LONG);
  g_assert_true (sl_store_merge (store, other_path, &added, &error));
  g_assert_cmpuint (added, ==, 0);
  g_assert_true (sl_store_merge (other, place->path, &added, &error));
  g_assert_cmpuint (added, ==, 1);
  runs = sl_store_list (other, NULL, FALSE, NULL);
  g_assert_cmpuint (runs->len, ==, 2);
  g_ptr_array_unref (runs);

  g_assert_false (sl_store_export (store, unknown, third_path, &error));
  g_assert_error (error, SL_ERROR, SL_EINVAL);
  g_clear_error (&error);
  g_assert_false (g_file_test (third_path, G_FILE_TEST_EXISTS));
  sl_store_export (store, one, third_path, &error);
  g_assert_no_error (error);
  g_assert_true (sl_store_is_store (third_path));
  /* Again, over it. */
  g_assert_true (sl_store_export (store, NULL, third_path, &error));
  g_assert_no_error (error);

  /* From a folder in which nothing can be made. */
  g_chmod (place->folder, 0500);
  g_chmod (third_path, 0400);
  added = 0;
  sl_store_set_deleted (other, ours, TRUE);
  sl_store_prune (other, G_MAXUINT);
  g_assert_true (sl_store_merge (other, third_path, &added, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (added, ==, 1);
  g_chmod (place->folder, 0700);
  check_run (other, ours, LONG);
  third = open_store (third_path);
  check_run (third, theirs, LONG);

  g_assert_false (sl_store_merge (store, "/dev/null", &added, &error));
  g_assert_error (error, SL_ERROR, SL_EFORMAT);
  g_assert_true (g_str_has_prefix (error->message, "/dev/null: "));
  g_clear_error (&error);
  check_run (store, theirs, LONG);
  flush (store);
}

static void
expect_no_export (SlStore *store, const char *path, SlCode code)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (sl_store_export (store, NULL, path, &error));
  g_assert_error (error, SL_ERROR, (int) code);
}

/* Runs are not written over the file that they are in, whatever it is called there. */
static void
test_export_into_itself (Place *place, gconstpointer unused)
{
  g_autofree char *hard = g_build_filename (place->folder, "hard.sluice", NULL);
  g_autofree char *soft = g_build_filename (place->folder, "soft.sluice", NULL);
  g_autofree char *way = g_build_filename (place->folder, "a", "..", "a", "runs.sluice", NULL);
  g_autoptr (SlStore) store = open_store (place->path);
  g_autofree char *kept = write_run (store, 1, SL_RUN_FINISHED);

  g_assert_cmpint (link (place->path, hard), ==, 0);
  g_assert_cmpint (symlink (place->path, soft), ==, 0);
  expect_no_export (store, place->path, SL_EINVAL);
  expect_no_export (store, way, SL_EINVAL);
  expect_no_export (store, hard, SL_EINVAL);
  expect_no_export (store, soft, SL_EINVAL);
  g_object_unref (store);
  g_assert_cmpint (g_remove (hard), ==, 0);
  store = open_store (place->path);
  check_run (store, kept, LONG);
}

/* A store that is open is not replaced: what was written into it would be lost, and its log would be read as one
 * of the new file.  A log that a killed program left goes.  */
static void
test_export_over_open (Place *place, gconstpointer unused)
{
  g_autofree char *other_path = g_build_filename (place->folder, "other.sluice", NULL);
  g_autofree char *log = g_strconcat (other_path, "-wal", NULL);
  g_autofree char *copy = g_build_filename (place->folder, "copy.sluice", NULL);
  g_autofree char *copied_log = g_strconcat (copy, "-wal", NULL);
  g_autofree char *bytes = NULL, *logged = NULL;
  gsize            n, n_logged;
  g_autoptr (SlStore) store = open_store (place->path), other = open_store (other_path);
  g_autofree char *ours = write_run (store, 1, SL_RUN_FINISHED);
  g_autofree char *theirs = write_run (other, 2, SL_RUN_FINISHED);

  flush (other);
  expect_no_export (store, other_path, SL_EIO);
  check_run (other, theirs, LONG);

  g_assert_true (g_file_get_contents (other_path, &bytes, &n, NULL));
  g_assert_true (g_file_get_contents (log, &logged, &n_logged, NULL));
  g_assert_cmpuint (n_logged, >, 0);
  g_assert_true (g_file_set_contents (copy, bytes, (gssize) n, NULL));
  g_assert_true (g_file_set_contents (copied_log, logged, (gssize) n_logged, NULL));
  g_assert_true (sl_store_export (store, NULL, copy, NULL));
  g_assert_false (g_file_test (copied_log, G_FILE_TEST_EXISTS));
  g_object_unref (other);
  other = open_store (copy);
  check_run (other, ours, LONG);
}

/* Whether another process finds a lock of ours on the file. */
static bool
is_locked (const char *path)
{
  int   status;
  pid_t other = fork ();

  if (other == 0)
    {
      struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
      int          file = open (path, O_RDWR | O_CLOEXEC);

      _exit (file < 0 || fcntl (file, F_GETLK, &lock) != 0 ? 2 : lock.l_type != F_UNLCK);
    }
  g_assert_cmpint (waitpid (other, &status, 0), ==, other);
  g_assert_true (WIFEXITED (status) && WEXITSTATUS (status) < 2);
  return WEXITSTATUS (status) == 1;
}

/* To look at a store that this process has open does not end the locks on it. */
static void
test_look_keeps_locks (Place *place, gconstpointer unused)
{
  SlStore *store = open_store (place->path);

  g_free (write_run (store, 1, SL_RUN_FINISHED));
  flush (store);
  g_assert_true (is_locked (place->path));
  g_assert_true (sl_store_is_store (place->path));
  g_assert_true (is_locked (place->path));
  g_object_unref (store);
  g_assert_false (is_locked (place->path));
  g_assert_true (sl_store_is_store (place->path));
}

/* Reading leaves nothing beside a file, and what a program that has it open needs stays. */
static void
test_read_leaves_nothing (Place *place, gconstpointer unused)
{
  g_autofree char *log = g_strconcat (place->path, "-wal", NULL);
  SlStore         *store = open_store (place->path);
  g_autofree char *uuid = write_run (store, 1, SL_RUN_FINISHED);

  flush (store);
  for (int closed = 0; closed < 2; closed++)
    {
      SlStore *reader = sl_store_open_to_read (place->path, NULL);

      check_run (reader, uuid, LONG);
      g_object_unref (reader);
      g_assert_cmpint (g_file_test (log, G_FILE_TEST_EXISTS), ==, closed == 0);
      if (closed == 0)
        g_object_unref (store);
    }
}

static void
expect_refusal (const char *path, SlCode code)
{
  GError  *error = NULL;
  SlStore *store = sl_store_open (path, &error);

  g_assert_null (store);
  g_assert_error (error, SL_ERROR, (int) code);
  g_assert_cmpuint (strlen (error->message), >, 20);
  g_clear_error (&error);
}

static void
test_foreign (Place *place, gconstpointer unused)
{
  g_autofree char *path = g_build_filename (place->folder, "file", NULL);

  g_assert_true (g_file_set_contents (path, "x1,x2,class\n1,2,3\n", -1, NULL));
  expect_refusal (path, SL_EFORMAT);
  g_remove (path);
  sql (path, "CREATE TABLE mine (a); INSERT INTO mine VALUES (1)");
  expect_refusal (path, SL_EFORMAT);
  sql (path, "PRAGMA application_id = 1399616867; PRAGMA user_version = 3");
  expect_refusal (path, SL_EUNSUPPORTED);
  sql (path, "PRAGMA user_version = 2");
  expect_refusal (path, SL_EFORMAT);
  expect_refusal (place->folder, SL_EFORMAT);
  expect_refusal ("/proc/nothing/here.sluice", SL_EIO);
  g_remove (path);
  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  expect_refusal (path, SL_EFORMAT);
  g_remove (path);
  g_assert_cmpint (symlink (path, path), ==, 0);
  expect_refusal (path, SL_EIO);
}

/* A trigger in a store of somebody else's does nothing here. */
static void
test_trigger (Place *place, gconstpointer unused)
{
  g_autofree char *uuid = NULL, *second = NULL;
  SlStore         *store = open_store (place->path);

  uuid = write_run (store, 1, SL_RUN_FINISHED);
  g_object_unref (store);
  sql (place->path, "CREATE TRIGGER hostile AFTER INSERT ON run BEGIN DELETE FROM run; END");
  store = open_store (place->path);
  second = write_run (store, 2, SL_RUN_FINISHED);
  check_run (store, uuid, LONG);
  check_run (store, second, LONG);
  g_object_unref (store);
}

/* Steps that fall are damage, and no want of memory. */
static void
test_falling_steps (Place *place, gconstpointer unused)
{
  SlStore         *store = open_store (place->path);
  g_autofree char *uuid = write_run (store, 1, SL_RUN_FINISHED);
  SlStoredRun      run;
  g_autoptr (GError) error = NULL;

  g_object_unref (store);
  sql (place->path, "UPDATE block SET stride = -1 WHERE stride > 0");
  store = open_store (place->path);
  g_assert_false (sl_store_load (store, uuid, FALSE, UINT64_MAX, &run, &error));
  g_assert_error (error, SL_ERROR, SL_EFORMAT);
  g_object_unref (store);
}

/* A program that was stopped while it made the file left a first page without tables. */
static void
test_begun (Place *place, gconstpointer unused)
{
  g_autofree char *path = g_build_filename (place->folder, "begun.sluice", NULL);
  g_autofree char *uuid = NULL;
  SlStore         *store;

  sql (path, "PRAGMA page_size = 8192; PRAGMA auto_vacuum = 2; VACUUM");
  g_assert_false (sl_store_is_store (path));
  store = open_store (path);
  uuid = write_run (store, 1, SL_RUN_FINISHED);
  g_object_unref (store);
  g_assert_true (sl_store_is_store (path));
}

/* A file as a process leaves it that ends while it writes one. */
static void
leave_behind (const char *path, const char *suffix)
{
  pid_t child = fork ();
  int   state;

  if (child == 0)
    {
      g_autofree char *name = sl_temporary_name (path);
      g_autofree char *left = g_strconcat (name, suffix, NULL);

      _exit (g_file_set_contents (left, "x", 1, NULL) ? 0 : 1);
    }
  g_assert_cmpint (waitpid (child, &state, 0), ==, child);
  g_assert_cmpint (state, ==, 0);
}

static guint
count_files (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

/* What saves left that were stopped half way goes with the next one; what others are at, or have,
 * stays.  */
static void
test_left_behind (Place *place, gconstpointer unused)
{
  g_autofree char *path = g_build_filename (place->folder, "saved.sluice", NULL);
  g_autofree char *other = g_build_filename (place->folder, ".sluice-1.1-1-1.0", NULL);
  guint            before;

  g_assert_true (g_file_set_contents (other, "x", 1, NULL));
  leave_behind (path, "");
  leave_behind (path, "-journal"); /* which clears the first away */
  before = count_files (place->folder);
  {
    g_autoptr (SlStore) store = open_store (place->path);

    g_free (write_run (store, 1, SL_RUN_FINISHED));
    g_assert_true (sl_store_export (store, NULL, path, NULL));
  }
  g_assert_cmpuint (before, ==, 2);
  g_assert_cmpuint (count_files (place->folder), ==,
                    3); /* the folder of the store, the export, the other's */
  g_assert_true (g_file_test (other, G_FILE_TEST_EXISTS));
  g_remove (other);
  g_remove (path);
}

/* Every run that can be read is as it was; whatever cannot is refused in words. */
static void
check_damaged (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SlStore) store = sl_store_open (path, &error);
  g_autoptr (GPtrArray) runs = store != NULL ? sl_store_list (store, NULL, TRUE, &error) : NULL;

  if (runs == NULL)
    g_assert_cmpint (error->code, !=, 0);
  for (guint i = 0; runs != NULL && i < runs->len; i++)
    {
      const SlStoreRun *row = runs->pdata[i];
      SlStoredRun       run;
      g_autoptr (GError) why = NULL;

      if (!sl_store_load (store, row->uuid, FALSE, UINT64_MAX, &run, &why))
        g_assert_cmpuint (strlen (why->message), >, 10);
      else
        {
          for (unsigned c = 0; c < run.record.layout.n; c++)
            for (size_t j = 0; j < run.record.series[c].n; j++)
              {
                double value = value_at (c, (uint64_t) run.record.series[c].step[j]);

                g_assert_cmpmem (&run.record.series[c].value[j], sizeof value, &value,
                                 sizeof value);
              }
          sl_stored_run_clear (&run);
        }
    }
}

static void
test_damaged (Place *place, gconstpointer unused)
{
  g_autofree char *path = g_build_filename (place->folder, "file.sluice", NULL);
  g_autofree char *bytes = NULL;
  SlStore         *store = open_store (place->path);
  gsize            n;

  g_free (write_run (store, 1, SL_RUN_FINISHED));
  g_assert_true (sl_store_export (store, NULL, path, NULL));
  g_object_unref (store);
  g_assert_true (g_file_get_contents (path, &bytes, &n, NULL));
  for (guint i = 0; i < 24; i++)
    {
      gsize at = n * i / 24 + 37 * i;

      g_assert_true (g_file_set_contents (path, bytes, (gssize) at, NULL));
      check_damaged (path);
      for (gsize j = 0; j < 64 && at + j < n; j++)
        bytes[at + j] = (char) ~bytes[at + j];
      g_assert_true (g_file_set_contents (path, bytes, (gssize) n, NULL));
      check_damaged (path);
      for (gsize j = 0; j < 64 && at + j < n; j++)
        bytes[at + j] = (char) ~bytes[at + j];
    }
}

static void
test_read_only (Place *place, gconstpointer unused)
{
  g_autofree char *path = g_build_filename (place->folder, "file.sluice", NULL);
  SlStore         *store = open_store (place->path);
  g_autofree char *uuid = write_run (store, 1, SL_RUN_FINISHED);

  if (geteuid () == 0)
    {
      g_test_skip ("nothing is read-only for the superuser");
      g_object_unref (store);
      return;
    }
  g_assert_true (sl_store_export (store, NULL, path, NULL));
  g_object_unref (store);
  g_chmod (path, 0400);
  g_chmod (place->folder, 0500);
  store = open_store (path);
  check_run (store, uuid, LONG);
  g_assert_error (sl_store_error (store), SL_ERROR, SL_EIO);
  sl_store_rename (store, uuid, "not possible");
  g_assert_false (sl_store_flush (store, NULL));
  g_object_unref (store);
  g_chmod (place->folder, 0700);
}

/* Where no byte more fits, the store says so, and has everything when there is room. */
static void
test_full (Place *place, gconstpointer unused)
{
  SlStore         *store = open_store (place->path);
  g_autofree char *uuid = write_run (store, 1, SL_RUN_FINISHED), *second = NULL;
  g_autofree char *waited = NULL;
  struct rlimit    limit, less;
  SlRecipe         recipe;
  SlLayout         layout;
  SlWriter        *writer;
  GStatBuf         file;
  GError          *error = NULL;

  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  g_assert_cmpint (g_stat (place->path, &file), ==, 0);
  less = limit;
  less.rlim_cur = (rlim_t) file.st_size + 1000;
  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &less), ==, 0);
  make_recipe (&recipe, 2);
  sl_layout_init (&layout, lab (), &recipe.settings);
  writer = sl_writer_new (store, NULL, &recipe, &layout, NULL, 0);
  write_samples (writer, &layout, 1, 40000);
  sl_writer_status (writer, SL_RUN_RUNNING, NULL);
  g_assert_false (sl_store_flush (store, &error));
  g_assert_error (error, SL_ERROR, SL_EIO);
  g_clear_error (&error);
  g_assert_nonnull (sl_store_error (store));
  g_assert_false (sl_writer_lost (writer));
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);

  write_samples (writer, &layout, 40001, 40010);
  waited = g_strdup (sl_writer_uuid (writer));
  sl_writer_free (writer);
  sl_store_retry (store);
  flush (store);
  g_assert_null (sl_store_error (store));
  check_run (store, waited, 40010);
  check_run (store, uuid, LONG);
  second = write_run (store, 3, SL_RUN_FINISHED);
  check_run (store, second, LONG);
  sl_recipe_clear (&recipe);
  g_object_unref (store);
  store = open_store (place->path);
  check_run (store, uuid, LONG);
  check_run (store, second, LONG);
  g_object_unref (store);
}

/* Two pens in two connections, as from two programs. */
static void
test_shared (Place *place, gconstpointer unused)
{
  g_autoptr (SlStore) a = open_store (place->path), b = open_store (place->path);
  SlWriter *pen[8];
  SlRecipe  recipe;
  SlLayout  layout;

  make_recipe (&recipe, 1);
  sl_layout_init (&layout, lab (), &recipe.settings);
  for (guint i = 0; i < G_N_ELEMENTS (pen); i++)
    pen[i] = sl_writer_new (i % 2 == 0 ? a : b, NULL, &recipe, &layout, NULL, 0);
  for (uint64_t step = 1; step <= LONG; step += 100)
    for (guint i = 0; i < G_N_ELEMENTS (pen); i++)
      {
        write_samples (pen[i], &layout, step, step + 99);
        sl_writer_status (pen[i], SL_RUN_RUNNING, NULL);
      }
  for (guint i = 0; i < G_N_ELEMENTS (pen); i++)
    sl_writer_status (pen[i], SL_RUN_FINISHED, NULL);
  flush (a);
  flush (b);
  for (guint i = 0; i < G_N_ELEMENTS (pen); i++)
    {
      check_run (i % 3 == 0 ? a : b, sl_writer_uuid (pen[i]), LONG);
      sl_writer_free (pen[i]);
    }
  sl_recipe_clear (&recipe);
}

/* A run whose program went away in the middle is known as such. */
static void
test_cut_off (Place *place, gconstpointer unused)
{
  SlStore         *store = open_store (place->path);
  g_autofree char *uuid = write_run (store, 1, SL_RUN_RUNNING), *last = NULL;
  SlStoreRun      *row = sl_store_find (store, uuid, NULL);

  g_assert_cmpint (row->status, ==, SL_RUN_RUNNING);
  sl_store_run_free (row);
  g_assert_null (sl_store_last_open (store));
  g_object_unref (store);
  sql (place->path, "UPDATE run SET owner = '1 1 ' || substr (owner, 1 + instr (substr (owner, 1 +"
                    " instr (owner, ' ')), ' ') + instr (owner, ' '))");
  store = open_store (place->path);
  row = sl_store_find (store, uuid, NULL);
  g_assert_cmpint (row->status, ==, SL_RUN_CUT_OFF);
  sl_store_run_free (row);
  last = sl_store_last_open (store);
  g_assert_cmpstr (last, ==, uuid);
  g_object_unref (store);
}

/* The parent of this process, as a store names it, with the status: it is at work for sure. */
static void
give_to_parent (const char *path)
{
  g_autofree char *name = g_strdup_printf ("/proc/%d/stat", getppid ()), *stat = NULL,
                  *steal = NULL;
  g_auto (GStrv) field = NULL;

  g_assert_true (g_file_get_contents (name, &stat, NULL, NULL));
  field = g_strsplit (strrchr (stat, ')'), " ", -1);
  steal = g_strdup_printf ("UPDATE run SET owner = '%d %s %s', status = 'running'", getppid (),
                           field[20], g_get_host_name ());
  sql (path, steal);
}

/* A run that another process trains is neither gone on with nor deleted; one that went silent on
 * another computer is.  */
static void
test_one_writer (Place *place, gconstpointer unused)
{
  g_autofree char *uuid = NULL;
  SlStore         *store = open_store (place->path);
  g_autoptr (GError) error = NULL;

  uuid = write_run (store, 1, SL_RUN_RUNNING);
  g_assert_true (sl_store_is_free (store, uuid, NULL));
  g_assert_cmpint (sl_store_at_work (store, NULL), ==, 0);
  g_object_unref (store);
  give_to_parent (place->path);
  store = open_store (place->path);
  g_assert_false (sl_store_is_free (store, uuid, &error));
  g_assert_error (error, SL_ERROR, SL_EINVAL);
  g_assert_cmpint (sl_store_at_work (store, NULL), ==, 1);
  sl_store_set_deleted (store, uuid, TRUE);
  sl_store_prune (store, G_MAXUINT);
  flush (store);
  check_run (store, uuid, LONG);
  sql (place->path, "UPDATE run SET owner = '1 1 elsewhere', touched = 1");
  g_assert_true (sl_store_is_free (store, uuid, NULL));
  g_assert_cmpint (sl_store_at_work (store, NULL), ==, 0);
  g_object_unref (store);
}

static void
expect_status (SlStore *store, const char *uuid, SlRunStatus status, uint64_t step)
{
  g_autoptr (SlStoreRun) run = sl_store_find (store, uuid, NULL);

  g_assert_nonnull (run);
  g_assert_cmpint (run->status, ==, status);
  g_assert_cmpuint (run->step, ==, step);
}

static void
wait_for (SlStore *store, const char *uuid, SlRunStatus status, uint64_t step)
{
  gboolean there = FALSE;

  while (!there)
    {
      g_autoptr (SlStoreRun) run = sl_store_find (store, uuid, NULL);

      there = run->status == status && run->step == step;
      if (!there)
        g_main_context_iteration (NULL, TRUE);
    }
}

static void
on_ended (gpointer loop, SlFollow *follow, const GError *error)
{
  g_assert_error (error, SL_ERROR, SL_EIO);
  g_main_loop_quit (loop);
}

/* What another process trains in another file comes in as it goes on, stays that process's own, and ends as it does. */
static void
test_follow (Place *place, gconstpointer unused)
{
  g_autofree char *other_path = g_build_filename (place->folder, "other.sluice", NULL);
  g_autofree char *away = g_build_filename (place->folder, "away.sluice", NULL);
  g_autofree char *uuid = NULL, *killed = NULL;
  g_autoptr (SlStore) store = open_store (place->path);
  SlStore *other = open_store (other_path);
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  SlFollow *follow;
  uint64_t  step;

  uuid = write_run (other, 1, SL_RUN_RUNNING);
  {
    g_autoptr (SlStoreRun) run = sl_store_find (other, uuid, NULL);

    step = run->step;
  }
  g_object_unref (other);
  give_to_parent (other_path);
  g_assert_true (sl_store_merge (store, other_path, NULL, NULL));
  expect_status (store, uuid, SL_RUN_RUNNING, step);
  g_assert_false (sl_store_is_free (store, uuid, NULL));
  check_run (store, uuid, LONG);
  sql (other_path, "UPDATE run SET step = step + 7");
  g_assert_true (sl_store_merge (store, other_path, NULL, NULL));
  expect_status (store, uuid, SL_RUN_RUNNING, step + 7);

  follow = sl_follow_new (store, other_path, on_ended, loop);
  g_assert_cmpstr (sl_follow_path (follow), ==, other_path);
  sql (other_path, "UPDATE run SET status = 'paused', owner = ''");
  wait_for (store, uuid, SL_RUN_PAUSED, step + 7);
  g_assert_true (sl_store_is_free (store, uuid, NULL));
  sql (other_path, "UPDATE run SET step = step + 1");
  wait_for (store, uuid, SL_RUN_PAUSED, step + 8);
  g_rename (other_path, away);
  g_main_loop_run (loop);
  sl_follow_free (follow);
  g_rename (away, other_path);

  /* One that is trained here is never replaced, and one whose process is gone was cut off. */
  give_to_parent (place->path);
  sql (other_path, "UPDATE run SET step = step + 7");
  g_assert_true (sl_store_merge (store, other_path, NULL, NULL));
  expect_status (store, uuid, SL_RUN_RUNNING, step + 8);
  other = open_store (other_path);
  killed = write_run (other, 2, SL_RUN_RUNNING);
  g_object_unref (other);
  sql (other_path, "UPDATE run SET owner = '1 1 elsewhere' || char (9), status = 'running',"
                   " touched = 1"); /* a copy itself */
  g_assert_true (sl_store_merge (store, other_path, NULL, NULL));
  expect_status (store, killed, SL_RUN_CUT_OFF, step);
}

#define OLD "0b9d3a52-6f0e-4c6b-9b54-8d2f7a1c3e40"

/* A file from before pictures were kept: its runs have none, it can be merged, and one that is
 * opened for writing can keep some.  */
static void
test_before_pictures (Place *place, gconstpointer unused)
{
  g_autofree char *other_path = g_build_filename (place->folder, "other.sluice", NULL);
  g_autoptr (SlStore) store = sl_store_open (place->path, NULL);
  g_autoptr (SlStore) other = NULL;
  g_autoptr (GBytes) png = g_bytes_new_static ("png", 3), kept = NULL;
  unsigned added = 0;
  GError  *error = NULL;

  g_assert_true (sl_store_export (store, NULL, other_path, &error));
  sql (other_path, "DROP TABLE picture; INSERT INTO run (uuid, lab, recipe, seed, kernel, threads,"
                   " version, status, created, touched)"
                   " VALUES ('" OLD "', 'style', '{}', '1', 'any', 1, '0', 'finished', 1, 1)");
  other = sl_store_open_to_read (other_path, &error);
  g_assert_no_error (error);
  g_assert_null (sl_store_picture (other, OLD, &error));
  g_assert_no_error (error);
  g_assert_true (sl_store_merge (store, other_path, &added, &error));
  g_assert_cmpuint (added, ==, 1);
  g_clear_object (&other);

  other = sl_store_open (other_path, &error);
  g_assert_no_error (error);
  sl_store_set_picture (other, OLD, png);
  g_assert_true (sl_store_flush (other, &error));
  kept = sl_store_picture (other, OLD, &error);
  g_assert_true (kept != NULL && g_bytes_equal (kept, png));
  g_clear_object (&other);
}

/* Names of runs become those of folders and files, so that a store of others has nothing else in their place; and
 * none is merged.  */
static void
test_odd_names (Place *place, gconstpointer unused)
{
  static const char *const odd[] = { "../..", "/tmp", "", "run 1", OLD "0" };
  g_autofree char         *other_path = g_build_filename (place->folder, "other.sluice", NULL);
  g_autoptr (SlStore) store = sl_store_open (place->path, NULL);
  GError *error = NULL;

  g_free (write_run (store, 2, SL_RUN_FINISHED));
  for (size_t i = 0; i < G_N_ELEMENTS (odd); i++)
    {
      g_autofree char *change = g_strdup_printf ("UPDATE run SET uuid = '%s'", odd[i]);

      g_assert_true (sl_store_export (store, NULL, other_path, &error));
      sql (other_path, change);
      g_assert_null (sl_store_open_to_read (other_path, &error));
      g_assert_error (error, SL_ERROR, SL_EFORMAT);
      g_clear_error (&error);
      g_assert_null (sl_store_open (other_path, &error));
      g_assert_error (error, SL_ERROR, SL_EFORMAT);
      g_clear_error (&error);
      g_assert_false (sl_store_merge (store, other_path, NULL, &error));
      g_assert_error (error, SL_ERROR, SL_EFORMAT);
      g_clear_error (&error);
    }
}

#define ADD(name, test) g_test_add (name, Place, NULL, set_up, test, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/store/round-trip", test_round_trip);
  ADD ("/store/batches", test_batches);
  ADD ("/store/truncate", test_truncate);
  ADD ("/store/checkpoints", test_checkpoints);
  ADD ("/store/delete-and-prune", test_delete_and_prune);
  ADD ("/store/other-channels", test_other_channels);
  ADD ("/store/former-names", test_former_names);
  ADD ("/store/load-former", test_load_former);
  ADD ("/store/merge", test_merge);
  ADD ("/store/export-into-itself", test_export_into_itself);
  ADD ("/store/export-over-open", test_export_over_open);
  ADD ("/store/read-leaves-nothing", test_read_leaves_nothing);
  ADD ("/store/look-keeps-locks", test_look_keeps_locks);
  ADD ("/store/before-pictures", test_before_pictures);
  ADD ("/store/odd-names", test_odd_names);
  ADD ("/store/foreign", test_foreign);
  ADD ("/store/trigger", test_trigger);
  ADD ("/store/falling-steps", test_falling_steps);
  ADD ("/store/begun", test_begun);
  ADD ("/store/left-behind", test_left_behind);
  ADD ("/store/damaged", test_damaged);
  ADD ("/store/read-only", test_read_only);
  ADD ("/store/full", test_full);
  ADD ("/store/shared", test_shared);
  ADD ("/store/cut-off", test_cut_off);
  ADD ("/store/follow", test_follow);
  ADD ("/store/one-writer", test_one_writer);
  return g_test_run ();
}
