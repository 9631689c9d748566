/* SPDX-License-Identifier: MIT
 *
 * A stored run that no store has, for tests of what is asked of runs.  */
#pragma once

#include "core/run/store/store.h"

/* A finished run of a lab under settings ("k=2 gate=noisy"), with one figure, "outcome.error".  Free with
 * sl_store_run_free().  */
SlStoreRun *made_run (const char *lab, const char *settings, double error, const char *tags);

/* Adds a figure. */
void made_figure (SlStoreRun *run, const char *name, double value);
