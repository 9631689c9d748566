/* SPDX-License-Identifier: MIT
 *
 * See headless.h.  */
#include "core/run/headless/headless.h"

#include <math.h>

#include "core/base/clock.h"
#include "core/run/base/cpu.h"
#include "core/run/record/data.h"

enum { TIMINGS = 3 };

/* s of rounds in one go */
static const double at_once = 0.15;

/* Brings the run to where it was when it was stored. */
static SlStatus
go_to (SlHeadlessRun *run, SlStoredRun *stored)
{
  run->record = stored->record;
  stored->record = (SlRecord) { 0 };
  run->seconds = stored->seconds;
  if (stored->changes > 0)
    g_array_append_vals (run->recipe.changes, stored->recipe.changes->data, stored->changes);
  return stored->checkpoint.data != NULL ? sl_trainer_restore (run->trainer, &stored->checkpoint)
                                         : SL_SUCCESS;
}

SlStatus
sl_headless_open (SlHeadlessRun *run, SlPlan *plan, const SlDataset *dataset)
{
  SlStatus status = SL_SUCCESS;

  *run = (SlHeadlessRun) { .dataset = dataset, .budget = plan->budget };
  if (plan->threads > 0)
    sl_cpu_use_threads (plan->threads);
  if (dataset == NULL && plan->data != NULL)
    {
      status = sl_open_data (plan->data, &run->opened);
      run->dataset = run->opened;
    }
  sl_recipe_init (&run->recipe, plan->lab, &plan->settings, run->dataset, plan->seed);
  run->recipe.changes = g_array_new (FALSE, FALSE, sizeof (SlChange));
  run->waiting = g_array_copy (plan->changes);
  if (sl_ok (&status))
    status = sl_trainer_new_own (&run->trainer, plan->lab, &plan->settings, run->dataset,
                                 plan->seed, plan->own);
  if (sl_ok (&status) && plan->stored.record.lab != NULL)
    status = go_to (run, &plan->stored);
  else if (sl_ok (&status))
    status = sl_record_init (&run->record, plan->lab, &plan->settings, 1);
  if (sl_ok (&status))
    sl_record_sink_init (&run->sink, &run->record);
  return status;
}

void
sl_headless_clear (SlHeadlessRun *run)
{
  sl_writer_free (run->writer);
  sl_record_sink_clear (&run->sink);
  if (run->record.lab != NULL)
    sl_record_clear (&run->record);
  sl_trainer_free (run->trainer);
  sl_dataset_free (run->opened);
  g_clear_pointer (&run->waiting, g_array_unref);
  sl_recipe_clear (&run->recipe);
}

void
sl_headless_take (SlHeadlessRun *run, SlRecord *record, SlRecipe *recipe)
{
  *record = run->record;
  *recipe = run->recipe;
  run->record = (SlRecord) { 0 };
  run->recipe = (SlRecipe) { 0 };
}

/* ---- training ---- */

SlStatus
sl_headless_change (SlHeadlessRun *run, unsigned param, const SlValue *value)
{
  uint64_t      step = sl_trainer_steps (run->trainer);
  SlChange      change = { .step = step, .param = param, .value = *value };
  const SlValue old = sl_trainer_settings (run->trainer)->value[param];
  SlStatus      status = sl_trainer_set (run->trainer, param, value);
  char          text[SL_CHANGE_MARKER_TEXT];

  if (!sl_ok (&status))
    return status;
  sl_change_marker_text (&run->record.lab->params[param], &old, value, text);
  sl_record_mark (&run->record, (double) step + 1, text);
  g_array_append_val (run->recipe.changes, change);
  return SL_SUCCESS;
}

/* The recipe so far with, behind it, the changes that wait for a step; to be cleared. */
static SlRecipe
whole_recipe (const SlHeadlessRun *run)
{
  SlRecipe recipe = run->recipe;

  recipe.step = sl_trainer_steps (run->trainer);
  recipe.changes = g_array_copy (run->recipe.changes);
  for (guint i = 0; i < run->waiting->len; i++)
    {
      const SlPlannedChange *planned = &g_array_index (run->waiting, SlPlannedChange, i);
      SlChange               change
        = { .step = (uint64_t) planned->when, .param = planned->param, .value = planned->value };

      if (!planned->by_epoch)
        g_array_append_val (recipe.changes, change);
    }
  return recipe;
}

static void
write_changes (SlHeadlessRun *run)
{
  SlRecipe recipe = whole_recipe (run);

  sl_writer_markers (run->writer, &run->record);
  sl_writer_recipe (run->writer, &recipe);
  sl_recipe_clear (&recipe);
}

/* Makes the changes that are due, in the order they were given. */
static SlStatus
make_changes (SlHeadlessRun *run, const SlProgress *progress)
{
  double step = (double) sl_trainer_steps (run->trainer);
  guint  before = run->waiting->len;

  for (guint i = 0; i < run->waiting->len;)
    {
      const SlPlannedChange *planned = &g_array_index (run->waiting, SlPlannedChange, i);
      SlStatus               status;

      if (!((planned->by_epoch ? progress->epochs : step) >= planned->when))
        {
          i++;
          continue;
        }
      status = sl_headless_change (run, planned->param, &planned->value);
      if (!sl_ok (&status))
        return status;
      g_array_remove_index (run->waiting, i);
    }
  if (run->writer != NULL && run->waiting->len != before)
    write_changes (run);
  return SL_SUCCESS;
}

/* Epochs from the smallest validation error to the newest one that was measured. */
static double
epochs_since_best (SlHeadlessRun *run, const SlProgress *progress)
{
  const SlLab    *lab = run->record.lab;
  SlHeadlessBest *best = &run->best;
  int channel = lab->valid != NULL ? sl_layout_find (&run->record.layout, lab->valid) : -1;
  const SlSeries *errors = channel >= 0 ? &run->record.series[channel] : NULL;
  double          step = (double) sl_trainer_steps (run->trainer);

  for (; errors != NULL && best->samples < errors->n; best->samples++)
    if (best->samples == 0 || errors->value[best->samples] < best->least)
      {
        best->least = errors->value[best->samples];
        best->step = errors->step[best->samples];
      }
  return best->samples > 0 && step > 0
           ? (errors->step[best->samples - 1] - best->step) * progress->epochs / step
           : 0;
}

/* The share of the way to the nearest limit; 1 or more when it is reached. */
static double
share_of_budget (SlHeadlessRun *run, const SlProgress *progress)
{
  const SlBudget *budget = &run->budget;
  double          done = 0;

  if (budget->steps > 0)
    done = fmax (done, (double) sl_trainer_steps (run->trainer) / (double) budget->steps);
  if (budget->epochs > 0)
    done = fmax (done, progress->epochs / budget->epochs);
  if (budget->seconds > 0)
    done = fmax (done, run->seconds / budget->seconds);
  if (budget->patience > 0)
    done = fmax (done, epochs_since_best (run, progress) / budget->patience);
  return done;
}

static SlStatus
train (SlHeadlessRun *run, SlHeadlessAsk ask, void *data)
{
  for (;;)
    {
      SlProgress progress;
      SlStatus   status;
      double     done, began;

      sl_trainer_progress (run->trainer, &progress);
      done = share_of_budget (run, &progress);
      if (ask != NULL && !ask (data, run, &progress, MIN (done, 1)))
        return sl_status_new (SL_ECANCELLED, NULL, SL_NO_MESSAGE, SL_NO_MESSAGE);
      if (done >= 1 || sl_trainer_ended (run->trainer, NULL))
        return SL_SUCCESS;
      status = make_changes (run, &progress);
      if (!sl_ok (&status))
        return status;
      began = sl_clock_wall ();
      status = sl_trainer_step (run->trainer, &run->sink.sink);
      run->seconds += sl_clock_wall () - began;
      if (run->sink.failed)
        status = sl_status_no_memory (SL_MARK ("the record of the run"));
      if (!sl_ok (&status))
        return status;
      sl_headless_write (run);
    }
}

SlStatus
sl_headless_train (SlHeadlessRun *run, SlHeadlessAsk ask, void *data)
{
  SlStatus status = train (run, ask, data);

  run->recipe.step = sl_trainer_steps (run->trainer);
  return status;
}

/* A sink that can be told to hurry. */
typedef struct
{
  SlRecordSink         record; /* first */
  const SlHeadlessRun *run;
  SlHeadlessAsk        ask;
  void                *data;
} AskingSink;

static bool
hurry (SlSink *sink)
{
  AskingSink *self = (AskingSink *) sink;
  SlProgress  progress;

  sl_trainer_progress (self->run->trainer, &progress);
  return !self->ask (self->data, self->run, &progress, 1);
}

SlStatus
sl_headless_probe (SlHeadlessRun *run, unsigned panel, SlHeadlessAsk ask, void *data)
{
  AskingSink sink = { .run = run, .ask = ask, .data = data };
  SlStatus   status;

  sl_record_sink_init (&sink.record, &run->record);
  sink.record.sink.subject = run->sink.sink.subject;
  sink.record.sink.hurry = ask != NULL ? hurry : NULL;
  status = sl_trainer_probe (run->trainer, panel, &sink.record.sink);
  sl_record_sink_clear (&sink.record);
  return status;
}

/* A figure, or that there is none; SL_CLOCK_MORE: stopped. */
static SlClockAnswer
time_once (SlHeadlessRun *run, AskingSink *sink, SlTimes *times)
{
  SlClockRounds rounds = { 0 };
  SlSink       *hurried = &sink->record.sink;
  SlClockAnswer answer = SL_CLOCK_MORE;

  while (answer == SL_CLOCK_MORE && !sl_sink_hurry (hurried))
    answer = sl_trainer_time (run->trainer, &rounds, at_once, hurried);
  if (answer == SL_CLOCK_DONE)
    *times = sl_clock_times (&rounds);
  else
    *times = (SlTimes) { .never = answer != SL_CLOCK_MORE };
  return answer;
}

/* The machine was too busy to time one example, or the batch. */
static bool
is_busy (const SlTimes *times)
{
  return isnan (times->share[0].value) || isnan (times->share[1].value);
}

SlStatus
sl_headless_time (SlHeadlessRun *run, SlHeadlessAsk ask, void *data)
{
  AskingSink    sink = { .run = run, .ask = ask, .data = data };
  SlClockAnswer answer = SL_CLOCK_DONE;
  SlTimes       times = { .share = { sl_counted (NAN), sl_counted (NAN) } };

  if (run->record.lab->clock == NULL)
    return SL_SUCCESS;
  sink.record.sink.hurry = ask != NULL ? hurry : NULL;
  for (unsigned i = 0; i < TIMINGS && answer == SL_CLOCK_DONE && is_busy (&times); i++)
    answer = time_once (run, &sink, &times);
  sl_record_time (&run->record, &times);
  return answer == SL_CLOCK_MORE ? sl_status_new (SL_ECANCELLED, NULL, SL_NO_MESSAGE, SL_NO_MESSAGE)
                                 : SL_SUCCESS;
}

/* ---- into a store ---- */

static void
record_and_write (SlSink *sink, const SlSample *sample)
{
  SlHeadlessRun *run = (SlHeadlessRun *) ((char *) sink - G_STRUCT_OFFSET (SlHeadlessRun, sink));

  run->record_sample (sink, sample);
  sl_writer_sample (run->writer, sample);
}

void
sl_headless_write_begin (SlHeadlessRun *run, const SlPlan *plan)
{
  const SlStoredRun *stored = &plan->stored;

  if (plan->store == NULL)
    return;
  if (stored->uuid[0] != '\0')
    {
      run->writer = sl_writer_resume (plan->store, stored->uuid, &run->record,
                                      stored->checkpoint.step, stored->seconds, 0);
      if (run->waiting->len > 0)
        write_changes (run);
    }
  else
    {
      SlRecipe recipe = whole_recipe (run);

      run->writer = sl_writer_new (plan->store, plan->uuid, &recipe, &run->record.layout,
                                   plan->sweep, plan->cell);
      sl_recipe_clear (&recipe);
    }
  run->record_sample = run->sink.sink.take;
  run->sink.sink.take = record_and_write;
  run->checkpoint_due = run->seconds + sl_writer_checkpoint_seconds (0);
  run->checkpoint_step = stored->checkpoint.step;
}

static void
write_checkpoint (SlHeadlessRun *run)
{
  SlCheckpoint checkpoint = { 0 };
  SlStatus     status = sl_trainer_save (run->trainer, &checkpoint);

  /* Without memory for one, the run goes on from an earlier one some day. */
  if (!sl_ok (&status))
    return;
  run->checkpoint_step = checkpoint.step;
  run->checkpoint_due = run->seconds + sl_writer_checkpoint_seconds (checkpoint.bytes);
  sl_writer_checkpoint (run->writer, &checkpoint, run->recipe.changes->len, run->record.n_flags,
                        run->seconds);
}

void
sl_headless_write (SlHeadlessRun *run)
{
  if (run->writer == NULL)
    return;
  sl_writer_tick (run->writer, sl_trainer_steps (run->trainer), run->seconds);
  if (run->seconds >= run->checkpoint_due)
    write_checkpoint (run);
}

void
sl_headless_write_end (SlHeadlessRun *run, SlRunStatus status)
{
  uint64_t step = sl_trainer_steps (run->trainer);

  if (run->writer == NULL)
    return;
  write_changes (run);
  sl_writer_tick (run->writer, step, run->seconds);
  if (status != SL_RUN_DIVERGED && step != run->checkpoint_step)
    write_checkpoint (run);
  sl_writer_status (run->writer, status, NULL);
  run->sink.sink.take = run->record_sample;
  g_clear_pointer (&run->writer, sl_writer_free);
}
