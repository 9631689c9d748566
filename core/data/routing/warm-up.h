/* SPDX-License-Identifier: MIT
 *
 * Finds tokens that belong to no request: engines run a pass of thousands of equal tokens before
 * they serve, and record it with the requests.
 *
 * The route of a token is its set of experts in each layer.  A run of at least 64 tokens of equal
 * route is warm-up if ln T + m ln q < ln 1e-6, where m is its length, T the tokens and q = (1 + r)
 * ÷ (1 + R) with R the tokens in no run and r those of them with this route: so many in a row is
 * not what chance with that frequency gives.  A router that collapsed has q near 1 and is kept.  */
#pragma once

#include "core/data/routing/routing.h"

/* Where routes come from: tokens of `slots` numbers, in equal parts of `k`, one for each layer. */
typedef struct
{
  size_t   tokens;
  unsigned slots, k;
  void    *of;
  SlStatus (*read) (void *of, size_t first, size_t n, uint16_t *to /* (n, slots) */);
} SlRouteRows;

/* *runs, *n and *tokens of all of them; the caller frees *runs, which is NULL after a failure and
 * where there are none.  SL_ENOMEM, and what `read` says.  */
SlStatus sl_warm_up_find (const SlRouteRows *routes, const char *subject, SlRoutingRun **runs,
                          size_t *n, size_t *tokens);
