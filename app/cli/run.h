/* SPDX-License-Identifier: MIT
 *
 * A run without a window: opens the data, trains on the calling thread up to a
 * limit, changes parameters on the way, surveys, scores.  */
#pragma once

#include <stdio.h>

#include "app/cli/plan.h"
#include "app/cli/run-keep.h"
#include "core/run/record/recipe.h"
#include "core/run/record/record.h"
#include "core/train/trainer.h"

struct SlRun
{
  SlDataset   *dataset;
  SlTrainer   *trainer;
  SlRecord     record;
  SlRecordSink sink;
  GArray      *changes; /* of SlChange: those that were made */
  unsigned     threads;
  SlKeep      *keep; /* while it is trained, if it is kept */
};

/* Opens the data, if the plan has any, and makes the trainer; of a run to go on with, as it was.
 * Its record moves from the plan to the run.  Complains.  */
SlExit sl_run_open (SlRun *run, SlPlan *plan);

/* Trains to the nearest limit, or until Ctrl+C (SL_EXIT_STOPPED), or divergence
 * (SL_EXIT_DIVERGED, complains); what was measured until then is in the record.  */
SlExit sl_run_train (SlRun *run, const SlPlan *plan);

/* Fills a costly panel of the record.  Complains. */
SlExit sl_run_survey (SlRun *run, unsigned panel);

/* Evaluates test and validation data, or the run itself where there are none; prints a table. */
SlExit sl_run_print_scores (SlRun *run, FILE *stream);

/* The recipe of this run as JSON; free with g_free(). */
char *sl_run_recipe (const SlRun *run, const SlPlan *plan);

void sl_run_clear (SlRun *run);
