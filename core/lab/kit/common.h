/* SPDX-License-Identifier: MIT
 *
 * What more than one lab needs to run and to probe itself.  */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/base/status.h"
#include "core/lab/lab.h"
#include "core/lab/sink.h"

/* True for update `t` (from 1) when something is to happen every so many updates: on the first
 * and on the multiples.  */
bool sl_due (uint64_t t, double every);

/* True when the validation examples are to be looked at after update `t`: every so many updates, as
 * sl_due(), and soon after somebody asked for it (*asked, which it clears), but not more often than
 * every ten updates, however often something changes.  *last is the update of the last time.  */
bool sl_evaluation_due (bool *asked, uint64_t *last, uint64_t t, double every);

/* What progress() says after so many examples of a training split of `n`, and multiply-adds. */
SlProgress sl_progress (uint64_t examples, size_t n, double multiplications);

/* What objective() returns without a held batch. */
SlStatus sl_not_frozen (void);

/* What step() returns for a loss that is not finite. */
SlStatus sl_diverged (double loss);

/* What restored() returns for an index or a count that cannot be. */
SlStatus sl_out_of_range (void);

/* What probe() returns without memory, and when sl_sink_hurry() cut it short. */
SlStatus sl_probe_no_memory (void);
SlStatus sl_probe_cancelled (void);

/* One side of a comparison by the clock. */
typedef void (*SlTimed) (void *data);

/* Median over a few rounds of the time of `reference` ÷ the time of `timed`, taken in turn;
 * each round lasts about a millisecond a side or one call.  Of slow ones there are fewer rounds.
 * Not-a-number when `sink` hurried.  */
double sl_time_ratio (SlTimed reference, SlTimed timed, void *data, SlSink *sink);
