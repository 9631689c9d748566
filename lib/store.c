/* SPDX-License-Identifier: MIT
 *
 * Runs in files: into a store, and out of it; see sluice.h.  */
#include <string.h>

#include "core/run/query/query.h"
#include "core/run/query/table.h"
#include "lib/run-private.h"

/* ---- into a store ---- */

static SlRunStatus
status_of (const SluiceRun *run)
{
  if (run->over)
    return SL_RUN_DIVERGED;
  return run->run.trainer != NULL && sl_trainer_ended (run->run.trainer, NULL) ? SL_RUN_FINISHED
                                                                               : SL_RUN_PAUSED;
}

/* What is stored beside the curves: the state, so that the run can go on, and the scores of now. */
typedef struct
{
  SlCheckpoint state;
  SlScore      score[SL_N_SPLITS][SL_SCORES_MAX];
  unsigned     n[SL_N_SPLITS];
} Kept;

static SluiceCode
take (SluiceRun *run, Kept *kept)
{
  static const SlSplit splits[] = { SL_TEST, SL_VALID };
  SluiceCode           code = SLUICE_FINE;
  SlStatus             status;

  *kept = (Kept) { 0 };
  if (run->over || run->run.trainer == NULL)
    return SLUICE_FINE;
  for (size_t i = 0; i < G_N_ELEMENTS (splits) && code == SLUICE_FINE; i++)
    if (sl_dataset_scores (run->run.dataset, splits[i]))
      code = sl_lib_score (run, splits[i], kept->score[splits[i]], &kept->n[splits[i]]);
  if (code != SLUICE_FINE)
    return code;
  status = sl_trainer_save (run->run.trainer, &kept->state);
  return sl_lib_fail (&status);
}

/* All that there is of the run, in the place of what the store has under this name. */
static SluiceCode
write_run (SluiceRun *run, SlStore *store, const char *uuid, Kept *kept)
{
  SlRecipe  recipe = run->run.recipe;
  GError   *error = NULL;
  SlWriter *writer;

  recipe.step = sluice_run_updates (run);
  writer = sl_writer_new (store, uuid, &recipe, &run->run.record.layout, NULL, 0);
  sl_writer_record (writer, &run->run.record);
  sl_writer_recipe (writer, &recipe);
  sl_writer_tick (writer, recipe.step, run->run.seconds);
  if (kept->state.data != NULL)
    sl_writer_checkpoint (writer, &kept->state, recipe.changes->len, run->run.record.n_flags,
                          run->run.seconds);
  for (unsigned split = 0; split < SL_N_SPLITS; split++)
    if (kept->n[split] > 0)
      sl_writer_scores (writer, (SlSplit) split, kept->score[split], kept->n[split], recipe.step);
  if (run->run.record.times.batch > 0)
    sl_store_set_times (store, uuid, &run->run.record.times);
  sl_writer_status (writer, status_of (run), NULL);
  sl_writer_free (writer);
  return sl_store_settle (store, &error) ? SLUICE_FINE : sl_lib_fail_error (error);
}

/* Whether the store has the run, which can only be looked at, already: with its state, which the run has not. */
static gboolean
has_past (const SluiceRun *run, SlStore *store, const char *uuid)
{
  g_autoptr (SlStoreRun) row = NULL;

  if (run->run.trainer == NULL)
    row = sl_store_find (store, uuid, NULL);
  return row != NULL;
}

SluiceCode
sluice_run_keep (SluiceRun *run, const char *path, char **id)
{
  GError *error = NULL;
  g_autoptr (SlStore) store = NULL;
  char       uuid[SL_UUID];
  Kept       kept;
  SluiceCode code = SLUICE_FINE;

  *id = NULL;
  SL_LIB_ENTER ();
  store = sl_store_open (path, &error);
  if (store == NULL)
    return sl_lib_fail_error (error);
  if (sl_store_error (store) != NULL)
    return sl_lib_fail_error (g_error_copy (sl_store_error (store)));
  if (run->uuid != NULL && g_strcmp0 (run->store, path) == 0)
    {
      g_strlcpy (uuid, run->uuid, sizeof uuid);
      if (!sl_store_is_free (store, uuid, &error))
        return sl_lib_fail_error (error);
    }
  else
    sl_store_new_uuid (uuid);
  if (!has_past (run, store, uuid))
    {
      code = take (run, &kept);
      if (code == SLUICE_FINE)
        code = write_run (run, store, uuid, &kept);
    }
  if (code != SLUICE_FINE)
    return code;
  g_free (run->uuid);
  g_free (run->store);
  run->uuid = g_strdup (uuid);
  run->store = g_strdup (path);
  *id = g_strdup (uuid);
  return SLUICE_FINE;
}

/* ---- out of a store ---- */

/* Looking for a run makes no store. */
static SlStore *
open_to_read (const char *path, SluiceCode *code)
{
  GError  *error = NULL;
  SlStore *store = NULL;

  *code = SLUICE_FINE;
  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    *code = sl_lib_refuse (SLUICE_IO, "there is no store %s", path);
  else
    store = sl_store_open_to_read (path, &error);
  if (error != NULL)
    *code = sl_lib_fail_error (error);
  return store;
}

SluiceCode
sluice_store_table (const char *path, const char *where, char **json)
{
  GError    *error = NULL;
  SluiceCode code;
  g_autoptr (SlStore) store = NULL;
  g_autoptr (GPtrArray) runs = NULL;

  *json = NULL;
  SL_LIB_ENTER ();
  store = open_to_read (path, &code);
  if (store == NULL)
    return code;
  runs = sl_store_list (store, NULL, FALSE, &error);
  if (runs != NULL && (where == NULL || sl_query_filter (where, runs, &error)))
    *json = sl_store_table_json (store, runs, &error);
  return *json != NULL ? SLUICE_FINE : sl_lib_fail_error (error);
}

/* A stored run to be looked at: all that it published, and no trainer. */
static SluiceCode
look_back (SluiceRun *run, SlStore *store, const char *uuid)
{
  SlStoredRun stored = { 0 };
  GError     *error = NULL;

  if (!sl_store_load (store, uuid, FALSE, UINT64_MAX, &stored, &error))
    return sl_lib_fail_error (error);
  run->past = g_strdup (sluice_error ());
  if (run->run.trainer != NULL)
    sl_headless_clear (&run->run);
  run->run = (SlHeadlessRun) { 0 };
  run->run.record = stored.record;
  run->run.recipe = stored.recipe;
  run->run.seconds = stored.seconds;
  stored.record = (SlRecord) { 0 };
  stored.recipe = (SlRecipe) { 0 };
  sl_stored_run_clear (&stored);
  return SLUICE_FINE;
}

/* Goes on where the stored run is, or where that is not possible shows what there is of it. */
static SluiceCode
take_up (SlStore *store, const SlStoreRun *row, const SluiceData *data, const SluiceGate *gate,
         SluiceRun **run)
{
  GError    *error = NULL;
  SlPlan     plan;
  SluiceCode code = SLUICE_FINE;

  sl_plan_init (&plan, row->lab);
  if (!sl_store_load (store, row->uuid, TRUE, UINT64_MAX, &plan.stored, &error))
    {
      sl_plan_clear (&plan);
      return sl_lib_fail_error (error);
    }
  sl_plan_recipe (&plan, &plan.stored.recipe, plan.stored.changes);
  if (plan.stored.curves_only)
    code = sl_lib_refuse (SLUICE_UNSUPPORTED,
                          "the stored run has only its curves left; its recipe makes it anew");
  *run = sl_lib_run (&plan, data);
  (*run)->plan.own = sl_lib_gate (&(*run)->gate, gate);
  if (data != NULL && sl_lib_check_data (*run, row->data_hash) != SLUICE_FINE)
    return SLUICE_INVALID;
  if (code == SLUICE_FINE)
    code = sl_lib_open (*run);
  if (code == SLUICE_FINE)
    code = sl_lib_check_data (*run, row->data_hash);
  if (code != SLUICE_FINE)
    code = look_back (*run, store, row->uuid);
  return code;
}

SluiceCode
sluice_store_run (const char *path, const char *name, const SluiceData *data,
                  const SluiceGate *gate, SluiceRun **run)
{
  GError    *error = NULL;
  SluiceCode code;
  g_autoptr (SlStore) store = NULL;
  g_autoptr (SlStoreRun) row = NULL;

  *run = NULL;
  SL_LIB_ENTER ();
  store = open_to_read (path, &code);
  if (store == NULL)
    return code;
  row = sl_store_find (store, name, &error);
  if (row == NULL)
    return sl_lib_fail_error (error);
  if (row->lab == NULL)
    return sl_lib_refuse (SLUICE_UNSUPPORTED, "this version has no lab %s", row->lab_id);
  code = take_up (store, row, data, gate, run);
  if (code == SLUICE_FINE)
    {
      (*run)->store = g_strdup (path);
      (*run)->uuid = g_strdup (row->uuid);
      return SLUICE_FINE;
    }
  sluice_run_free (*run);
  *run = NULL;
  return code;
}
