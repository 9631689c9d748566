/* SPDX-License-Identifier: MIT
 *
 * What one cache for the experts of all layers would do with a recording: math/memory.h over the layers that have the
 * tokens of its first one.  */
#pragma once

#include "core/labs/routing/math/memory/memory.h"
#include "core/labs/routing/report/trace.h"

/* Where the bytes of an expert are from. */
typedef enum { SL_BYTES_SET, SL_BYTES_RECORDED, SL_BYTES_ASSUMED } SlBytesFrom;

typedef enum { SL_TRACE_LRU, SL_TRACE_LFU, SL_TRACE_BEST, SL_N_TRACE_CACHES } SlTraceCache;

typedef struct
{
  unsigned     layers, layer[SL_ROUTING_LAYERS]; /* of the recording, in order */
  size_t       items;                            /* N */
  double       bytes;                            /* of an expert */
  SlBytesFrom  from;
  size_t       groups;
  gboolean     cut;       /* only the first lookups are looked at */
  gboolean     phases;    /* are known */
  unsigned     n, chosen; /* numbers of places; which of them the memory of the settings holds */
  size_t       places[SL_MEMORY_SIZES]; /* rising */
  SlTurnCounts counts;
  SlTurnHits   hits[SL_N_TRACE_CACHES][SL_MEMORY_SIZES];
  double       pinned[SL_MEMORY_SIZES]; /* shares; NaN: nothing to judge by */
} SlTraceCaches;

/* Of a recording with tokens; without `all` only what LRU does.  SL_EIO, SL_ENOMEM. */
SlStatus sl_trace_caches (const SlRouting *recording, gboolean warm_up,
                          const SlTraceSettings *settings, gboolean all, SlTraceCaches *caches);

/* Share of the lookups that hit; `steady`: of those that are no first uses.  NaN: there are none. */
double sl_trace_hit_share (const SlTraceCaches *caches, SlTraceCache cache, unsigned size,
                           SlTurnPhase phase, gboolean steady);

/* The most tokens a second that LRU can have, infinite if it loads nothing; NaN without tokens. */
double sl_trace_tokens_per_second (const SlTraceCaches *caches, unsigned size, SlTurnPhase phase,
                                   double bandwidth);

/* A CSV table with a row for each number of places, empty where there is no number; free with g_free(). */
char *sl_trace_caches_table (const SlTraceCaches *caches, double bandwidth);
