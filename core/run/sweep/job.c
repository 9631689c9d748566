/* SPDX-License-Identifier: MIT
 *
 * See job.h.  */
#include "core/run/sweep/job.h"

#include <stdlib.h>

#include "core/data/image/png-write.h"

static SlStatus
score (SlHeadlessRun *run, SlSweepResult *result)
{
  static const SlSplit splits[] = { SL_TEST, SL_VALID };
  SlStatus             status = SL_SUCCESS;

  for (size_t i = 0; i < G_N_ELEMENTS (splits) && sl_ok (&status); i++)
    if (sl_dataset_scores (run->dataset, splits[i]))
      status = sl_trainer_score (run->trainer, splits[i], result->score[splits[i]],
                                 &result->n_scores[splits[i]]);
  return status;
}

/* The picture that the run has made, in the file that is kept of it. */
static SlStatus
picture (SlHeadlessRun *run, SlSweepResult *result)
{
  const SlLab     *lab = run->record.lab;
  g_autofree char *recipe = NULL;
  SlBitmap         bitmap;
  uint8_t         *bytes;
  size_t           size;
  SlStatus         status;

  if (lab->picture == NULL)
    return SL_SUCCESS;
  status = sl_trainer_picture (run->trainer, &bitmap);
  if (!sl_ok (&status))
    return status;
  recipe = sl_recipe_write (&run->recipe);
  status = sl_bitmap_encode (&bitmap, lab->title, recipe, &bytes, &size);
  sl_bitmap_clear (&bitmap);
  if (sl_ok (&status))
    result->picture = g_bytes_new_with_free_func (bytes, size, free, bytes);
  return status;
}

static SlStatus
perform (SlHeadlessRun *run, SlHeadlessAsk ask, void *data, SlSweepResult *result)
{
  SlStatus status = sl_headless_train (run, ask, data);

  if (sl_ok (&status))
    status = sl_headless_time (run, ask, data);
  if (sl_ok (&status))
    status = picture (run, result);
  return sl_ok (&status) ? score (run, result) : status;
}

/* Has the run written into the store, from where it got to there, if it was begun. */
static SlStatus
take_up (SlPlan *plan, const SlSweepJob *job, SlStore *store)
{
  GError *error = NULL;
  g_autoptr (SlStoreRun) row = sl_store_find (store, job->id, NULL);

  plan->store = g_object_ref (store);
  plan->uuid = g_strdup (job->id);
  if (row == NULL || !row->resumable)
    return SL_SUCCESS;
  if (sl_store_is_free (store, job->id, &error)
      && sl_store_load (store, job->id, TRUE, UINT64_MAX, &plan->stored, &error))
    return SL_SUCCESS;

  SlStatus status
    = sl_status_new (SL_EIO, job->id, sl_message ("%s", error->message), SL_NO_MESSAGE);

  g_error_free (error);
  return status;
}

static SlRunStatus
how_it_ended (const SlSweepResult *result)
{
  if (sl_ok (&result->status))
    return SL_RUN_FINISHED;
  return result->status.code == SL_EDIVERGED ? SL_RUN_DIVERGED : SL_RUN_PAUSED;
}

/* Into the store, if the run is written there. */
static void
write_end (SlHeadlessRun *run, const SlSweepResult *result)
{
  for (int split = 0; run->writer != NULL && split < SL_N_SPLITS; split++)
    if (result->n_scores[split] > 0)
      sl_writer_scores (run->writer, (SlSplit) split, result->score[split], result->n_scores[split],
                        run->recipe.step);
  sl_headless_write_end (run, how_it_ended (result));
}

SlSweepResult *
sl_sweep_perform (const SlSweep *sweep, const SlSweepJob *job, SlStore *store,
                  const SlDataset *dataset, SlHeadlessAsk ask, void *data)
{
  SlSweepResult *result = g_new0 (SlSweepResult, 1);
  SlHeadlessRun  run = { 0 };
  SlPlan         plan;

  result->job = *job;
  sl_outcome_init (&result->outcome);
  sl_plan_init (&plan, sweep->lab);
  plan.settings = job->settings;
  plan.seed = job->seed;
  plan.budget = job->budget;
  plan.cell = job->number;
  plan.own = sweep->own;
  if (store != NULL)
    result->status = take_up (&plan, job, store);
  if (sl_ok (&result->status))
    result->status = sl_headless_open (&run, &plan, dataset);
  if (sl_ok (&result->status))
    {
      sl_headless_write_begin (&run, &plan);
      result->status = perform (&run, ask, data, result);
      sl_outcome_read (&result->outcome, &run.record, result->score[SL_TEST],
                       result->n_scores[SL_TEST], (double) run.recipe.step);
      write_end (&run, result);
      result->written = store != NULL;
    }
  result->seconds = run.seconds;
  if (run.trainer != NULL)
    {
      SlProgress progress;

      sl_trainer_progress (run.trainer, &progress);
      result->epochs = progress.epochs;
    }
  sl_headless_take (&run, &result->record, &result->recipe);
  sl_headless_clear (&run);
  sl_plan_clear (&plan);
  if (result->status.code != SL_ECANCELLED)
    return result;
  sl_sweep_result_free (result);
  return NULL;
}

void
sl_sweep_result_free (SlSweepResult *result)
{
  if (result == NULL)
    return;
  if (result->record.lab != NULL)
    sl_record_clear (&result->record);
  sl_recipe_clear (&result->recipe);
  g_clear_pointer (&result->picture, g_bytes_unref);
  g_free (result);
}
