/* SPDX-License-Identifier: MIT */
#include "core/run/follow/opening.h"

#include <glib/gi18n.h>

#include "core/run/base/error.h"
#include "core/run/store/about/same.h"

/* The run of the file that was at work last. */
static char *
choose_run (SlStore *file, GError **error)
{
  g_autoptr (GPtrArray) runs = sl_store_list (file, NULL, FALSE, error);
  char *last = runs != NULL ? sl_store_last_open (file) : NULL;

  if (last != NULL || runs == NULL)
    return last;
  if (runs->len == 0)
    {
      sl_fail (error, SL_EINVAL, sl_store_path (file), _ ("no runs in it"), NULL);
      return NULL;
    }
  return g_strdup (((SlStoreRun *) g_ptr_array_index (runs, runs->len - 1))->uuid);
}

/* Whether the store has the run exactly as far as the file. */
static gboolean
is_the_same (SlStore *store, SlStore *file, const char *uuid)
{
  SlStoreRun *ours = sl_store_find (store, uuid, NULL);
  SlStoreRun *theirs = sl_store_find (file, uuid, NULL);
  gboolean    same = ours != NULL && theirs != NULL && ours->step == theirs->step
                  && ours->status != SL_RUN_RUNNING;

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

/* A file's runs come into the store, so that going on with one leaves the file as it is.  Where the
 * store has the run and is further, what the file has becomes a run of its own.  While others write the file,
 * none of its runs is taken up.  */
static gboolean
load_file (SlOpening *opening, GError **error)
{
  gboolean open = sl_store_is_open (opening->path), same;
  g_autoptr (SlStore) file = sl_store_open_to_read (opening->path, error);

  if (file != NULL && opening->store != NULL)
    opening->written = is_written (file, open, &opening->at_work);
  if (opening->written)
    return sl_store_merge (opening->store, opening->path, NULL, error);
  opening->uuid = file != NULL ? choose_run (file, error) : NULL;
  if (opening->uuid == NULL)
    return FALSE;
  same = opening->store != NULL && sl_store_merge (opening->store, opening->path, NULL, NULL)
         && is_the_same (opening->store, file, opening->uuid);
  if (!sl_store_load (same ? opening->store : file, opening->uuid, TRUE, UINT64_MAX, &opening->run,
                      error))
    return FALSE;
  if (!same)
    opening->run.uuid[0] = '\0';
  return TRUE;
}

/* The curves of a run that cannot go on, as far as update `last`.  It has none if that fails. */
static void
load_curves (SlOpening *opening, const char *uuid, uint64_t last)
{
  SlStoredRun stored;

  if (!sl_store_load (opening->store, uuid, FALSE, UINT64_MAX, &stored, NULL))
    return;
  for (unsigned c = 0; c < stored.record.layout.n; c++)
    sl_series_truncate (&stored.record.series[c], (double) last);
  sl_record_clear (&opening->run.record);
  opening->run.record = stored.record;
  stored.record = (SlRecord) { 0 };
  sl_stored_run_clear (&stored);
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
    load_curves (opening, opening->uuid, opening->run.recipe.step);
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
    load_curves (opening, opening->uuid, opening->run.recipe.step);
  return TRUE;
}

void
sl_opening_clear (SlOpening *opening)
{
  g_clear_object (&opening->store);
  g_free (opening->path);
  g_free (opening->uuid);
  sl_stored_run_clear (&opening->run);
}
