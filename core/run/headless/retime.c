/* SPDX-License-Identifier: MIT */
#include "core/run/headless/retime.h"

#include <glib/gi18n.h>
#include <math.h>

#include "core/run/base/error.h"

gboolean
sl_retime_is_due (const SlStoreRun *run)
{
  return run->lab != NULL && run->lab->clock != NULL && run->status != SL_RUN_RUNNING
         && run->status != SL_RUN_DIVERGED && run->status != SL_RUN_FAILED
         && isnan (sl_store_run_score (run, "outcome.timed"));
}

/* From the newest state on, without an update; without a state from the beginning to the last update. */
static gboolean
read_plan (SlStore *store, const SlStoreRun *row, SlPlan *plan, GError **error)
{
  SlStoredRun *stored = &plan->stored;

  if (!sl_store_is_free (store, row->uuid, error)
      || !sl_store_load (store, row->uuid, row->resumable, UINT64_MAX, stored, error))
    return FALSE;
  if (stored->checkpoint.data != NULL)
    {
      sl_plan_recipe (plan, &stored->recipe, stored->changes);
      return TRUE;
    }
  sl_plan_recipe (plan, &stored->recipe, 0);
  plan->budget.steps = row->step;
  sl_record_clear (&stored->record);
  return TRUE;
}

static SlStatus
check_data (const SlHeadlessRun *run, uint64_t hash)
{
  if (run->dataset == NULL || hash == 0 || run->dataset->hash == hash)
    return SL_SUCCESS;
  return sl_status_new (SL_EINVAL, run->dataset->id, sl_message ("other data"),
                        sl_message ("the data that the run was made with"));
}

static SlStatus
bring_back_and_time (SlHeadlessRun *run, const SlPlan *plan, uint64_t hash, SlHeadlessAsk ask,
                     void *data)
{
  SlStatus status = check_data (run, hash);

  if (sl_ok (&status) && plan->budget.steps > 0)
    status = sl_headless_train (run, ask, data);
  if (sl_ok (&status))
    status = sl_headless_time (run, ask, data);
  if (sl_ok (&status) && run->record.times.never)
    status = sl_status_new (SL_EINVAL, run->record.lab->id,
                            sl_message ("nothing dense to be timed against"), SL_NO_MESSAGE);
  return status;
}

gboolean
sl_retime (SlStore *store, const char *uuid, SlHeadlessAsk ask, void *data, SlOutcome *outcome,
           GError **error)
{
  g_autoptr (SlStoreRun) row = sl_store_find (store, uuid, error);
  SlHeadlessRun run = { 0 };
  SlStatus      status;
  SlPlan        plan;

  sl_outcome_init (outcome);
  if (row == NULL)
    return FALSE;
  if (row->lab == NULL || row->lab->clock == NULL)
    return sl_fail (error, SL_EINVAL, row->lab_id, _ ("nothing dense to be timed against"), NULL);
  sl_plan_init (&plan, row->lab);
  if (!read_plan (store, row, &plan, error))
    {
      sl_plan_clear (&plan);
      return FALSE;
    }
  status = sl_headless_open (&run, &plan, NULL);
  if (sl_ok (&status))
    status = bring_back_and_time (&run, &plan, row->data_hash, ask, data);
  if (sl_ok (&status))
    sl_outcome_read (outcome, &run.record, NULL, 0, NAN);
  if (isfinite (outcome->timed))
    sl_store_set_times (store, row->uuid, &run.record.times);
  sl_headless_clear (&run);
  sl_plan_clear (&plan);
  return sl_status_good (&status, error);
}
