/* SPDX-License-Identifier: MIT
 *
 * A sweep for other machines: what to hand to a scheduler, and how to put the parts together.  */
#pragma once

#include "app/cli/cli.h"
#include "core/run/sweep/sweep.h"

typedef struct
{
  const char *kind;   /* "slurm", an array job, or "parallel", a command line for GNU parallel */
  const char *store;  /* each part has one beside it ("runs.sluice": "runs-1.sluice"…) */
  unsigned    shards; /* parts */
  unsigned    at_once, threads; /* runs of a part at a time, and threads of each; not 0 */
} SlJobs;

/* Prints what makes the sweep in parts.  Complains about another kind. */
SlExit sl_print_jobs (const SlSweep *sweep, const SlJobs *jobs);
