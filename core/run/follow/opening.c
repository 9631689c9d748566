/* SPDX-License-Identifier: MIT */
#include "core/run/follow/opening.h"

#include <glib/gi18n.h>
#include <math.h>

#include "core/run/base/error.h"
#include "core/run/store/about/same.h"

static const SlStoreRun *
last_of (const GPtrArray *runs)
{
  return g_ptr_array_index (runs, runs->len - 1);
}

/* The run of the file that was at work last. */
static char *
choose_run (SlStore *file, const GPtrArray *runs)
{
  char *last = sl_store_last_open (file);

  return last != NULL ? last : g_strdup (last_of (runs)->uuid);
}

/* The runs of the file, of SlStoreRun. */
static GPtrArray *
runs_in (SlStore *file, GError **error)
{
  g_autoptr (GPtrArray) runs = sl_store_list (file, NULL, FALSE, error);

  if (runs == NULL || runs->len > 0)
    return g_steal_pointer (&runs);
  sl_fail (error, SL_EINVAL, sl_store_path (file), _ ("no runs in it"), NULL);
  return NULL;
}

/* The store has these runs of a file. */
static void
list (SlOpening *opening, const GPtrArray *runs)
{
  opening->listed = runs->len;
  opening->uuids = g_new0 (char *, runs->len + 1);
  for (guint i = 0; i < runs->len; i++)
    opening->uuids[i] = g_strdup (((const SlStoreRun *) g_ptr_array_index (runs, i))->uuid);
}

/* The time that was stored with a run, if there is one. */
static void
read_times (SlStore *store, const char *uuid, SlTimes *times)
{
  g_autoptr (SlStoreRun) row = sl_store_find (store, uuid, NULL);
  SlOutcome outcome;

  if (row == NULL)
    return;
  sl_store_run_outcome (row, &outcome);
  if (isfinite (outcome.timed))
    *times = (SlTimes) { .batch = MAX (outcome.batch, 1),
                         .share = { sl_counted (NAN),
                                    { outcome.timed / 100, outcome.timed_spread / 100 } } };
}

/* What was measured last on validation examples ends the curve of it, which may have stopped long before. */
static void
read_error (SlStore *store, const char *uuid, SlRecord *record, uint64_t last)
{
  g_autoptr (SlStoreRun) row = sl_store_find (store, uuid, NULL);
  const char   *id = record->lab->valid;
  int           channel = id != NULL ? sl_layout_find (&record->layout, id) : -1;
  SlSeries     *series = channel >= 0 ? &record->series[channel] : NULL;
  SlStoreErrors errors;

  if (row == NULL || series == NULL || record->lab->error == NULL)
    return;
  sl_store_run_errors (row, &errors);
  if (isfinite (errors.valid) && isfinite (errors.valid_at) && errors.valid_at <= (double) last
      && (series->n == 0 || series->step[series->n - 1] < errors.valid_at))
    sl_series_append (series, errors.valid_at, errors.valid);
}

/* The curves of a run that cannot go on, as far as update `last`.  It has none if that fails. */
static void
load_curves (SlOpening *opening, SlStore *store, const char *uuid, uint64_t last)
{
  SlStoredRun stored;

  if (!sl_store_load (store, uuid, FALSE, UINT64_MAX, &stored, NULL))
    return;
  for (unsigned c = 0; c < stored.record.layout.n; c++)
    sl_series_truncate (&stored.record.series[c], (double) last);
  read_times (store, uuid, &stored.record.times);
  read_error (store, uuid, &stored.record, last);
  sl_record_clear (&opening->run.record);
  opening->run.record = stored.record;
  stored.record = (SlRecord) { 0 };
  sl_stored_run_clear (&stored);
}

/* Whether the store has the run exactly as far as the file, and its state if that has one. */
static gboolean
is_the_same (SlStore *store, SlStore *file, const char *uuid)
{
  SlStoreRun *ours = sl_store_find (store, uuid, NULL);
  SlStoreRun *theirs = sl_store_find (file, uuid, NULL);
  gboolean    same = ours != NULL && theirs != NULL && ours->step == theirs->step
                  && ours->status != SL_RUN_RUNNING && (ours->resumable || !theirs->resumable);

  sl_store_run_free (ours);
  sl_store_run_free (theirs);
  return same;
}

/* Whether others train n runs in a file, or have it open and no run in it yet. */
static gboolean
is_written (SlStore *file, gboolean open, int *n)
{
  *n = sl_store_at_work (file, NULL);
  if (*n == 0 && open)
    {
      g_autoptr (GPtrArray) runs = sl_store_list (file, NULL, TRUE, NULL);

      return runs != NULL && runs->len == 0;
    }
  return *n > 0;
}

/* The run of a file, which the store has too where it is `merged`.  Where the store is further with it, what the file
 * has becomes a run of its own.  */
static gboolean
load_run (SlOpening *opening, SlStore *file, gboolean merged, GError **error)
{
  gboolean same = merged && is_the_same (opening->store, file, opening->uuid);
  SlStore *from = same ? opening->store : file;

  if (!sl_store_load (from, opening->uuid, TRUE, UINT64_MAX, &opening->run, error))
    return FALSE;
  if (opening->run.checkpoint.data == NULL)
    {
      opening->looked_up = TRUE;
      load_curves (opening, from, opening->uuid, opening->run.recipe.step);
    }
  else
    read_error (from, opening->uuid, &opening->run.record, opening->run.checkpoint.step);
  if (!same)
    opening->run.uuid[0] = '\0';
  return TRUE;
}

/* A file's runs come into the store, so that going on with one leaves the file as it is.  While others write the file,
 * none of its runs is taken up, nor where there are several.  */
static gboolean
load_file (SlOpening *opening, GError **error)
{
  gboolean open = sl_store_is_open (opening->path), merged;
  g_autoptr (SlStore) file = sl_store_open_to_read (opening->path, error);
  g_autoptr (GPtrArray) runs = NULL;

  if (file != NULL && opening->store != NULL)
    opening->written = is_written (file, open, &opening->at_work);
  if (opening->written)
    return sl_store_merge (opening->store, opening->path, NULL, error);
  runs = file != NULL ? runs_in (file, error) : NULL;
  if (runs == NULL)
    return FALSE;
  merged = opening->store != NULL
           && (sl_store_is_at (opening->store, opening->path)
               || sl_store_merge (opening->store, opening->path, NULL, NULL));
  if (merged && runs->len > 1)
    {
      list (opening, runs);
      return TRUE;
    }
  opening->uuid = choose_run (file, runs);
  return load_run (opening, file, merged, error);
}

/* The recipe of a figure, and the curves of its run where the store has it. */
static gboolean
load_figure (SlOpening *opening, GError **error)
{
  g_autofree char *text = sl_recipe_find (opening->path, error);

  if (text == NULL || !sl_recipe_read (text, &opening->run.recipe, error))
    return FALSE;
  if (opening->store != NULL)
    {
      sl_store_flush (opening->store, NULL);
      opening->uuid = sl_store_find_recipe (opening->store, &opening->run.recipe);
    }
  if (opening->uuid != NULL)
    load_curves (opening, opening->store, opening->uuid, opening->run.recipe.step);
  return TRUE;
}

gboolean
sl_opening_load (SlOpening *opening, GError **error)
{
  if (opening->figure)
    return load_figure (opening, error);
  if (opening->path != NULL)
    return load_file (opening, error);
  sl_store_flush (opening->store, NULL);
  if (!sl_store_is_free (opening->store, opening->uuid, error)
      || !sl_store_load (opening->store, opening->uuid, TRUE, UINT64_MAX, &opening->run, error))
    return FALSE;
  if (opening->looked_up && opening->run.checkpoint.data == NULL)
    load_curves (opening, opening->store, opening->uuid, opening->run.recipe.step);
  return TRUE;
}

void
sl_opening_clear (SlOpening *opening)
{
  g_clear_object (&opening->store);
  g_free (opening->path);
  g_free (opening->uuid);
  g_strfreev (opening->uuids);
  sl_stored_run_clear (&opening->run);
}
