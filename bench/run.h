/* SPDX-License-Identifier: MIT
 *
 * A lab made ready for timing: what the benches that train have in common.  */
#pragma once

#include "app/cli/run.h"
#include "bench/bench.h"

/* Opens a run of `lab` on `data` with the settings "id=value id=value …" and `threads`.
 * Complains; on failure nothing is to be cleared.  */
SlExit sl_bench_open (SlHeadlessRun *run, const char *lab, const char *data, const char *settings,
                      unsigned threads);

/* So many updates; complains. */
SlExit sl_bench_train (SlHeadlessRun *run, unsigned updates);
