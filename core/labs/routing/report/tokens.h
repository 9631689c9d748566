/* SPDX-License-Identifier: MIT
 *
 * The tokens of one layer of a recording that count, in memory.  */
#pragma once

#include <glib.h>

#include "core/data/routing/routing.h"
#include "core/labs/routing/math/routes.h"

typedef struct
{
  SlRoutes  routes;
  uint16_t *ids;
  float    *gates; /* or NULL */
} SlTraceTokens;

/* Reads the tokens of a layer that has ids, with its gates if it has any; sl_trace_tokens_clear() frees
 * them, also after a failure.  SL_EIO, SL_ENOMEM.  */
SlStatus sl_trace_tokens_read (const SlRouting *recording, unsigned layer, gboolean warm_up,
                               SlTraceTokens *tokens);

void sl_trace_tokens_clear (SlTraceTokens *tokens);

/* Sizes of the passes of a layer as far as they count, of n_passes at most; returns how many are left. */
size_t sl_trace_passes (const SlRouting *recording, unsigned layer, gboolean warm_up,
                        uint32_t *sizes);

/* Loads (n) of a layer of either kind.  SL_EIO, SL_ENOMEM. */
SlStatus sl_trace_loads (const SlRouting *recording, unsigned layer, gboolean warm_up,
                         uint64_t *load);
