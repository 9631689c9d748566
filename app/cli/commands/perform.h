/* SPDX-License-Identifier: MIT
 *
 * A planned run from the opening of its data to its last file: what run and
 * replay have in common.  */
#pragma once

#include "app/cli/show/film.h"
#include "app/cli/show/outputs.h"
#include "core/run/headless/plan.h"

typedef struct
{
  SlOutputs      *outputs;
  uint64_t        data_hash; /* that the data must have; 0: any will do */
  const SlRecord *expected;  /* that the run has to repeat bit for bit; NULL: none */
  bool            quiet;     /* without a progress line */
  SlFilmChoice   *film;      /* to be made of the run's moments; its path NULL: none */
  int             moments;   /* the most that are kept for what is made of them; 0: none */
} SlPerform;

/* Performs a plan; threads 0 are all cores.  Whether it repeats what is expected is said, and
 * SL_EXIT_FAILED if not.  Complains.  */
SlExit sl_cli_perform (SlPlan *plan, const SlPerform *how);
