/* SPDX-License-Identifier: MIT
 *
 * One run of a sweep from its first weights to its scores, on the calling thread.  With the same
 * kernel and number of threads it publishes what `sluice-cli run` of its recipe does, to the last
 * bit.  */
#pragma once

#include "core/run/headless/headless.h"
#include "core/run/record/outcome.h"
#include "core/run/sweep/sweep.h"

/* A run that is over. */
typedef struct
{
  SlSweepJob job;
  SlStatus   status; /* fine; SL_EDIVERGED: as far as it came; else it could not be made, and there
                       * is no record and no score */
  SlRecipe   recipe; /* its step is how far it came */
  SlRecord   record;
  SlScore   score[SL_N_SPLITS][SL_SCORES_MAX]; /* of validation and test data; of a lab without data
                                              * under SL_TEST.  None after a divergence */
  unsigned  n_scores[SL_N_SPLITS];
  SlOutcome outcome; /* by the test data */
  GBytes   *picture; /* PNG with the recipe in it, of a lab that makes one; else NULL */
  double    seconds; /* of training */
  double    epochs;  /* the same in passes over the training split */
  bool      written; /* it is in the store already */
} SlSweepResult;

/* Makes the run; NULL when it was given up.  `dataset` is what the job's `data` says, or NULL for labs that
 * need none.  With a `store` (or NULL) the run is written there under its name while it goes on, and goes
 * on from there if it is there already: one that is over is only scored again.  */
SlSweepResult *sl_sweep_perform (const SlSweep *sweep, const SlSweepJob *job, SlStore *store,
                                 const SlDataset *dataset, SlHeadlessAsk ask, void *data);

/* NULL is fine. */
void sl_sweep_result_free (SlSweepResult *result);
