/* SPDX-License-Identifier: MIT */
#include "tests/fuzz/store.h"

#include <unistd.h>
#include <zlib.h>

#include "core/labs/registry.h"
#include "core/run/query/table.h"
#include "core/run/store/about/picture.h"
#include "core/run/store/workspace.h"
#include "core/run/store/writer.h"
#include "tests/fuzz/error.h"

enum { RUNS_MOST = 4 }; /* that are looked at one by one */

static void
remove_file (const char *name)
{
  static const char *const ends[] = { "", "-wal", "-shm", "-journal" };
  char                     path[512];

  fuzz_path (name, path, sizeof path);
  for (unsigned i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      g_autofree char *whole = g_strconcat (path, ends[i], NULL);

      unlink (whole);
    }
}

/* Either it went well, or there is a sentence. */
static gboolean
check (gboolean fine, GError **error)
{
  if (fine)
    fuzz_require (*error == NULL);
  else
    fuzz_check_error (*error);
  g_clear_error (error);
  return fine;
}

static void
load (SlStore *store, const char *uuid, gboolean to_resume)
{
  SlStoredRun run;
  GError     *error = NULL;

  if (!check (sl_store_load (store, uuid, to_resume, UINT64_MAX, &run, &error), &error))
    return;
  fuzz_require (run.recipe.lab != NULL && run.record.layout.n > 0);
  for (unsigned c = 0; c < run.record.layout.n; c++)
    for (size_t i = 1; i < run.record.series[c].n; i++)
      fuzz_require (run.record.series[c].step[i] >= run.record.series[c].step[i - 1]);
  if (to_resume)
    {
      SlWriter *writer = sl_writer_resume (store, uuid, &run.record, run.checkpoint.step, 1.0, 0);
      SlSample  sample = { .step = run.checkpoint.step + 1, .value = 0.5 };

      sl_writer_sample (writer, &sample);
      sl_writer_free (writer);
    }
  sl_stored_run_clear (&run);
}

static void
look_at (SlStore *store, const SlStoreRun *run)
{
  g_autofree char  *recipe = sl_store_recipe (store, run->uuid, NULL);
  const char *const texts[] = { run->name,   run->lab_id,  sl_given (recipe), run->data,
                                run->kernel, run->version, run->problem,      run->sweep };
  g_autoptr (GBytes) picture = NULL;
  SlOutcome outcome;
  SlSeries  series;
  GError   *error = NULL;

  for (unsigned i = 0; i < G_N_ELEMENTS (texts); i++)
    fuzz_require (g_utf8_validate (texts[i], -1, NULL));
  sl_store_run_outcome (run, &outcome);
  check (sl_store_goes_on (store, run->uuid, &error), &error);
  check (sl_store_is_free (store, run->uuid, &error), &error);
  if (check (sl_store_load_channel (store, run->uuid, "loss.train", &series, &error), &error))
    sl_series_clear (&series);
  picture = sl_store_picture (store, run->uuid, NULL);
  load (store, run->uuid, FALSE);
}

static void
look (SlStore *store)
{
  GError *error = NULL;
  g_autoptr (GPtrArray) runs = sl_store_list (store, NULL, TRUE, &error);
  g_autofree char *csv = NULL, *json = NULL, *last = NULL, *workspace = NULL;

  if (!check (runs != NULL, &error))
    return;
  csv = sl_store_table_csv (runs);
  json = sl_store_table_json (store, runs, NULL);
  last = sl_store_last_open (store);
  workspace = sl_store_workspace (store);
  for (guint i = 0; i < runs->len && i < RUNS_MOST; i++)
    look_at (store, runs->pdata[i]);
}

/* What changes the file; whoever cannot write says so afterwards. */
static void
change (SlStore *store)
{
  g_autoptr (GPtrArray) runs = sl_store_list (store, NULL, TRUE, NULL);
  GError *error = NULL;

  for (guint i = 0; runs != NULL && i < runs->len && i < RUNS_MOST; i++)
    {
      const SlStoreRun *run = runs->pdata[i];

      load (store, run->uuid, TRUE);
      sl_store_rename (store, run->uuid, "other");
      sl_store_set_deleted (store, run->uuid, i % 2 == 0);
    }
  check (sl_store_flush (store, &error), &error);
  sl_store_retry (store);
  sl_store_set_budget (store, 1 << 20);
  sl_store_prune (store, 1);
  check (sl_store_flush (store, &error), &error);
}

static void
copy (SlStore *store, const char *path)
{
  char    saved[512], merged[512];
  GError *error = NULL;
  g_autoptr (SlStore) other = NULL;

  fuzz_path ("saved.sluice", saved, sizeof saved);
  fuzz_path ("merged.sluice", merged, sizeof merged);
  check (sl_store_export (store, NULL, saved, &error), &error);
  other = sl_store_open (merged, &error);
  fuzz_require (other != NULL);
  check (sl_store_merge (other, path, NULL, &error), &error);
  g_clear_object (&other);
  remove_file ("saved.sluice");
  remove_file ("merged.sluice");
}

static gboolean
is_changed (const uint8_t *input, size_t size)
{
  const char *share = g_getenv ("SLUICE_FUZZ_SHARE");

  return share == NULL
         || crc32_z (0, input, size) % MAX (1, g_ascii_strtoull (share, NULL, 10)) == 0;
}

void
fuzz_use_store (const char *name, const uint8_t *input, size_t size)
{
  gboolean changed = is_changed (input, size);
  char     path[512];
  GError  *error = NULL;
  g_autoptr (SlStore) store = NULL;

  fuzz_path (name, path, sizeof path);
  store = sl_store_open_to_read (path, &error);
  if (check (store != NULL, &error))
    {
      look (store);
      if (changed)
        copy (store, path);
    }
  g_clear_object (&store);
  store = changed ? sl_store_open (path, &error) : NULL;
  if (changed && check (store != NULL, &error))
    {
      look (store);
      change (store);
      look (store);
    }
  g_clear_object (&store);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  remove_file (name);
}
