/* SPDX-License-Identifier: MIT
 *
 * Times a kernel call of given shape by running it; shared by the files of core/run/cost.  */
#pragma once

#include <glib.h>

#include "core/base/real.h"
#include "core/base/rng.h"
#include "core/lab/kit/cost.h"

/* Sizes that fit; larger ones are not timed. */
enum { SL_COST_NUMBERS = 1600 * 1600, SL_COST_CLASSES = 10 };

typedef struct
{
  sl_real *a, *b, *c, *d; /* (SL_COST_NUMBERS), one after the other */
  uint8_t *mask;          /* (SL_COST_NUMBERS) */
  SlRng    rng;
} SlCostBuffers;

void sl_cost_buffers_init (SlCostBuffers *buffers);
void sl_cost_buffers_clear (SlCostBuffers *buffers);

/* Processor seconds of one call on this thread, of the quicker rounds of a few; not-a-number for what does
 * not fit.  Products use the threads that are set, so set one.  */
double sl_cost_time_call (SlCostBuffers *buffers, const SlCostCall *call);
