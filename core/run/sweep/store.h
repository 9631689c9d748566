/* SPDX-License-Identifier: MIT
 *
 * Runs of a sweep in a store: their names, what a whole run has to show, and which of them are
 * there already.  The names of figures are "test.error", "valid.loss", … for scores, and
 * "outcome.error", "outcome.expected", "outcome.executed" and "outcome.timed" for the axes of a
 * trade-off, with "outcome.timed-spread".  */
#pragma once

#include "core/run/store/store.h"
#include "core/run/sweep/job.h"

/* Writes a run that is over, in the background; of one that was written while it went on, only what it has
 * to show.  One that could not be made is not written.  */
void sl_sweep_store (SlStore *store, const char *sweep, const SlSweepResult *result);

/* A run that is over as a line of a store's table that has no store; free with sl_store_run_free(). */
SlStoreRun *sl_sweep_result_row (const SlSweepResult *result);

/* Takes out of `jobs` those that the store has already, finished or diverged; *there (or NULL)
 * counts them.  Any thread.  FALSE with a sentence.  */
gboolean sl_sweep_skip (SlStore *store, GArray *jobs, unsigned *there, GError **error);

/* Whether a run is there that is not over and can go on in this version.  Any thread. */
bool sl_sweep_waits (SlStore *store, const char *id);

/* A name for a sweep that two programs which make parts of it agree on: that of its first run. */
void sl_sweep_title (const SlSweep *sweep, char title[SL_SWEEP_ID]);
