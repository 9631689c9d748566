/* SPDX-License-Identifier: MIT
 *
 * A planned run from the opening of its data to its last file: what run and
 * replay have in common.  */
#pragma once

#include "app/cli/plan.h"
#include "app/cli/show/outputs.h"

/* `data_hash` 0: any data will do; else those opened must have it.  `expected` (or NULL) is a
 * record that the run has to repeat bit for bit; whether it does is said, and SL_EXIT_FAILED if
 * not. Complains.  */
SlExit sl_cli_perform (SlPlan *plan, SlOutputs *outputs, uint64_t data_hash,
                       const SlRecord *expected);
