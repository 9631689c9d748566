/* SPDX-License-Identifier: MIT
 *
 * A sweep for other machines: what to hand to a scheduler, and how to put the parts together.  */
#pragma once

#include "app/cli/cli.h"
#include "core/run/sweep/sweep.h"

/* Prints a Slurm array job ("slurm") or a command line for GNU parallel ("parallel") that makes the
 * sweep in `shards` parts, each into a store beside `store` ("runs.sluice": "runs-1.sluice"…).
 * Complains about another kind.  */
SlExit sl_print_jobs (const SlSweep *sweep, const char *kind, unsigned shards, const char *store);
