/* SPDX-License-Identifier: MIT
 *
 * See sweep-job.h.  */
#include "core/run/sweep/job.h"

#include <stdlib.h>

#include "core/data/image/png-write.h"

/* A sink that can be told to hurry through a probe. */
typedef struct
{
  SlRecordSink record; /* first */
  SlSweepAsk   ask;
  void        *data;
} Sink;

static bool
hurry (SlSink *sink)
{
  Sink *self = (Sink *) sink;

  return !self->ask (self->data, 1);
}

/* Trains to the end of the budget; *gave_up when somebody said so. */
static SlStatus
train (SlTrainer *trainer, const SlBudget *budget, Sink *sink, double *seconds, bool *gave_up)
{
  for (;;)
    {
      SlProgress progress;
      SlStatus   status;
      double     done;
      gint64     began;

      sl_trainer_progress (trainer, &progress);
      done = sl_budget_share (budget, sl_trainer_steps (trainer), &progress, *seconds);
      *gave_up = !sink->ask (sink->data, MIN (done, 1));
      if (*gave_up || done >= 1)
        return SL_SUCCESS;
      began = g_get_monotonic_time ();
      status = sl_trainer_step (trainer, &sink->record.sink);
      *seconds += 1e-6 * (double) (g_get_monotonic_time () - began);
      if (sink->record.failed)
        status = sl_status_new (SL_ENOMEM, "the record of the run", NULL, NULL);
      if (!sl_ok (&status))
        return status;
    }
}

static SlStatus
judge (SlTrainer *trainer, const SlDataset *dataset, SlSweepResult *result)
{
  static const SlSplit splits[] = { SL_TEST, SL_VALID };
  SlStatus             status = SL_SUCCESS;

  for (size_t i = 0; i < G_N_ELEMENTS (splits) && sl_ok (&status); i++)
    if (sl_dataset_scores (dataset, splits[i]))
      status = sl_trainer_score (trainer, splits[i], result->score[splits[i]],
                                 &result->n_scores[splits[i]]);
  return status;
}

/* The picture that the run has made, in the file that is kept of it. */
static SlStatus
picture (SlTrainer *trainer, SlSweepResult *result)
{
  g_autofree char *recipe = NULL;
  SlBitmap         bitmap;
  uint8_t         *bytes;
  size_t           size;
  SlStatus         status;

  if (result->recipe.lab->picture == NULL)
    return SL_SUCCESS;
  status = sl_trainer_picture (trainer, &bitmap);
  if (!sl_ok (&status))
    return status;
  recipe = sl_recipe_write (&result->recipe);
  status = sl_bitmap_encode (&bitmap, result->recipe.lab->title, recipe, &bytes, &size);
  sl_bitmap_clear (&bitmap);
  if (sl_ok (&status))
    result->picture = g_bytes_new_with_free_func (bytes, size, free, bytes);
  return status;
}

/* Everything but what needs the trainer to be made and freed.  */
static SlStatus
perform (const SlSweep *sweep, const SlDataset *dataset, SlTrainer *trainer, Sink *sink,
         SlSweepResult *result, bool *gave_up)
{
  int      panel = sl_outcome_panel (sweep->lab, &result->job.settings);
  SlStatus status = train (trainer, &sweep->budget, sink, &result->seconds, gave_up);

  result->recipe.step = sl_trainer_steps (trainer);
  if (!sl_ok (&status) || *gave_up)
    return status;
  if (panel >= 0)
    status = sl_trainer_probe (trainer, (unsigned) panel, &sink->record.sink);
  if (status.code == SL_ECANCELLED)
    {
      *gave_up = true;
      return SL_SUCCESS;
    }
  if (sl_ok (&status))
    status = picture (trainer, result);
  return sl_ok (&status) ? judge (trainer, dataset, result) : status;
}

SlSweepResult *
sl_sweep_perform (const SlSweep *sweep, const SlSweepJob *job, const SlDataset *dataset,
                  SlSweepAsk ask, void *data)
{
  SlSweepResult *result = g_new0 (SlSweepResult, 1);
  SlTrainer     *trainer = NULL;
  Sink           sink = { .ask = ask, .data = data };
  bool           gave_up = false;

  result->job = *job;
  sl_outcome_init (&result->outcome);
  sl_recipe_init (&result->recipe, sweep->lab, &job->settings, dataset, job->seed);
  result->status = sl_trainer_new (&trainer, sweep->lab, &job->settings, dataset, job->seed);
  if (sl_ok (&result->status))
    result->status = sl_record_init (&result->record, sweep->lab, &job->settings, 1);
  if (sl_ok (&result->status))
    {
      sl_record_sink_init (&sink.record, &result->record);
      sink.record.sink.hurry = hurry;
      result->status = perform (sweep, dataset, trainer, &sink, result, &gave_up);
      sl_record_sink_clear (&sink.record);
      sl_outcome_read (&result->outcome, &result->record, result->score[SL_TEST],
                       result->n_scores[SL_TEST]);
    }
  sl_trainer_free (trainer);
  if (!gave_up)
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
