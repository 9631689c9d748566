/* SPDX-License-Identifier: MIT
 *
 * Sweeps for the tests of sweeps.  */
#pragma once

#include "core/data/set/dataset.h"
#include "core/run/store/store.h"
#include "core/run/sweep/sweep.h"

/* The lab of this id, which there is. */
const SlLab *sweep_lab (const char *id);

/* Base settings from "id=value id=value …". */
void sweep_set (SlSweep *sweep, const char *words);

/* Small enough for every build: 2 ranks, 2 rates and 2 seeds of an estimator on 300 points, 40
 * updates each.  */
void sweep_small (SlSweep *sweep);

/* A store in a folder of its own, and a sweep with its runs and data. */
typedef struct
{
  char      *folder, *path;
  SlStore   *store;
  SlSweep    sweep;
  SlDataset *dataset;
  GArray    *jobs;
} SweepFixture;

/* An empty store and the small sweep, which can be changed then; its runs and data; and nothing of it. */
void sweep_begin (SweepFixture *f);
void sweep_list (SweepFixture *f);
void sweep_end (SweepFixture *f);

/* All of it for a test, and away with it; `data` is not looked at. */
void sweep_set_up (SweepFixture *f, gconstpointer data);
void sweep_tear_down (SweepFixture *f, gconstpointer data);
