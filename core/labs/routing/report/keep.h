/* SPDX-License-Identifier: MIT
 *
 * Which experts of a recording to keep (math/keep.h): learned on the first half of the tokens or rows that count, judged
 * on the other; with less than two of them learned on everything.  */
#pragma once

#include "core/labs/routing/math/memory/keep.h"
#include "core/labs/routing/report/trace.h"

typedef struct
{
  double      target; /* share of the routings, 0 … 1 */
  SlKeepLoads loads;  /* its arrays are below */
  uint64_t   *first, *second;
  double     *by_chance; /* (L) experts without a routing in the whole */
  uint16_t   *order;     /* (L, n) */
  unsigned    per_layer; /* of `equal` */
  SlKept      equal, free;
} SlTraceKeep;

/* Free it with sl_trace_keep_clear(), also after a failure.  SL_EIO, SL_ENOMEM. */
SlStatus sl_trace_keep (const SlRouting *recording, gboolean warm_up, double target,
                        SlTraceKeep *keep);
void     sl_trace_keep_clear (SlTraceKeep *keep);
