/* SPDX-License-Identifier: MIT
 *
 * Sweeps for the tests of sweeps.  */
#pragma once

#include "core/run/sweep/sweep.h"

/* The lab of this id, which there is. */
const SlLab *sweep_lab (const char *id);

/* Base settings from "id=value id=value …". */
void sweep_set (SlSweep *sweep, const char *words);

/* Small enough for every build: 2 ranks, 2 rates and 2 seeds of an estimator on 300 points, 40
 * updates each.  */
void sweep_small (SlSweep *sweep);
