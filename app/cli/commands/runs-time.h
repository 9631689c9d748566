/* SPDX-License-Identifier: MIT
 *
 * Times the runs of a store that have no time of a forward pass.  */
#pragma once

#include "app/cli/commands/runs-export.h"

/* The runs that are named, or all without a time that --lab and --filter leave.  Ctrl+C ends it between two updates;
 * what was timed until then is stored.  Complains.  */
SlExit sl_runs_time (SlStore *store, char **words, SlRunsTyped *typed);
