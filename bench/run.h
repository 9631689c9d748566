/* SPDX-License-Identifier: MIT
 *
 * A lab made ready for timing: what the benches that train have in common.  */
#pragma once

#include "bench/bench.h"
#include "core/run/headless/headless.h"

/* Opens a run of `lab` on `data` with the settings "id=value id=value …" and `threads`.
 * Complains; on failure nothing is to be cleared.  */
SlExit sl_bench_open (SlHeadlessRun *run, const char *lab, const char *data, const char *settings,
                      unsigned threads);

/* Fills a panel of the record; complains. */
SlExit sl_bench_probe (SlHeadlessRun *run, unsigned panel);

/* So many updates; complains. */
SlExit sl_bench_train (SlHeadlessRun *run, unsigned updates);
