/* SPDX-License-Identifier: MIT
 *
 * A run without a window, on the calling thread: opens data, trains up to a limit, changes
 * parameters on the way, goes into a store while it goes on.  With the same kernel and number of
 * threads every program that runs the same plan publishes the same samples, to the last bit.
 *
 *   status = sl_headless_open (&run, &plan, NULL);
 *   if (sl_ok (&status))
 *     status = sl_headless_train (&run, ask, data);
 *   …  run.record has what was published; scores and pictures come from run.trainer
 *   sl_headless_clear (&run);
 */
#pragma once

#include "core/run/headless/plan.h"
#include "core/run/store/writer.h"
#include "core/train/trainer.h"

G_BEGIN_DECLS

/* The smallest validation error so far, and where it was. */
typedef struct
{
  size_t samples; /* that were looked at */
  double least, step;
} SlHeadlessBest;

typedef struct
{
  SlDataset       *opened;  /* owned; NULL where the data are the caller's */
  const SlDataset *dataset; /* NULL for labs that need none */
  SlTrainer       *trainer;
  SlRecord         record;
  SlRecordSink     sink;
  SlRecipe         recipe; /* with the changes made so far; its step is that of the last training */
  SlBudget         budget;
  GArray          *waiting; /* of SlPlannedChange: still to come */
  double           seconds; /* in updates, those before a stored run was gone on with included */
  SlWriter        *writer;  /* NULL: the run is not written */
  void (*record_sample) (SlSink *sink, const SlSample *sample);
  SlHeadlessBest best;           /* of a run that has patience */
  double         checkpoint_due; /* in `seconds` */
  uint64_t       checkpoint_step;
} SlHeadlessRun;

/* Opens the plan's data, unless `dataset` is given (which the caller keeps), and makes the trainer;
 * of a stored run, as it was: its record moves out of the plan.  To be cleared also after a
 * failure.  */
SlStatus sl_headless_open (SlHeadlessRun *run, SlPlan *plan, const SlDataset *dataset);
void     sl_headless_clear (SlHeadlessRun *run);

/* Asked before every update, and once more at the end: false stops.  `done` is the share of the way
 * to the nearest limit, at most 1.  The time that it takes is not counted.  */
typedef bool (*SlHeadlessAsk) (void *data, const SlHeadlessRun *run, const SlProgress *progress,
                               double done);

/* Trains to the nearest limit.  SL_ECANCELLED when `ask` (or NULL) stopped it, SL_EDIVERGED, SL_EGATE; what was
 * measured until then is in the record.  */
SlStatus sl_headless_train (SlHeadlessRun *run, SlHeadlessAsk ask, void *data);

/* Changes a live parameter from the next update on, with a flag in the record and a change in the recipe.  SL_EINVAL as
 * sl_trainer_set().  */
SlStatus sl_headless_change (SlHeadlessRun *run, unsigned param, const SlValue *value);

/* Fills a costly panel of the record, about the subject of the run's sink.  `ask` (or NULL) may cut it short: SL_ECANCELLED. */
SlStatus sl_headless_probe (SlHeadlessRun *run, unsigned panel, SlHeadlessAsk ask, void *data);

/* Times a forward pass of the run as it is now, a few times where the machine is too busy; nothing for a lab
 * without a dense twin.  SL_ECANCELLED as above.  */
SlStatus sl_headless_time (SlHeadlessRun *run, SlHeadlessAsk ask, void *data);

/* From now on what is published goes into the plan's store too, if it has one: a new run, or that
 * which it goes on with.  sl_headless_train() writes after every update; a caller that makes
 * updates in another way calls sl_headless_write().  */
void sl_headless_write_begin (SlHeadlessRun *run, const SlPlan *plan);
void sl_headless_write (SlHeadlessRun *run);

/* What there is still to write, and how the run ended.  sl_store_flush() waits for the disk. */
void sl_headless_write_end (SlHeadlessRun *run, SlRunStatus status);

/* Hands over what was published, and how: the caller clears both.  The run can only be cleared. */
void sl_headless_take (SlHeadlessRun *run, SlRecord *record, SlRecipe *recipe);

G_END_DECLS
