/* SPDX-License-Identifier: MIT
 *
 * A run without a window: opens the data, trains on the calling thread up to a
 * limit, changes parameters on the way, probes, scores.  */
#pragma once

#include <stdio.h>

#include "app/cli/plan.h"
#include "app/cli/run-keep.h"
#include "core/run/record/recipe.h"
#include "core/run/record/record.h"
#include "core/train/trainer.h"

struct SlHeadlessRun
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
SlExit sl_headless_open (SlHeadlessRun *run, SlPlan *plan);

/* Trains to the nearest limit, or until Ctrl+C (SL_EXIT_STOPPED), or divergence
 * (SL_EXIT_DIVERGED, complains); what was measured until then is in the record.  */
SlExit sl_headless_train (SlHeadlessRun *run, const SlPlan *plan);

/* Fills a costly panel of the record.  Complains. */
SlExit sl_headless_probe (SlHeadlessRun *run, unsigned panel);

/* Evaluates test and validation data, or the run itself where there are none; prints a table. */
SlExit sl_headless_print_scores (SlHeadlessRun *run, FILE *stream);

/* The recipe of this run as JSON; free with g_free(). */
char *sl_headless_recipe (const SlHeadlessRun *run, const SlPlan *plan);

void sl_headless_clear (SlHeadlessRun *run);
