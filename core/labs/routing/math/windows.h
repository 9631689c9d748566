/* SPDX-License-Identifier: MIT
 *
 * How routing moves from one window of tokens to the next, and how many experts tokens that come
 * together need.  */
#pragma once

#include "core/labs/routing/math/routes.h"

/* Loads (⌈T/w⌉, n) of windows of w tokens, the last of which may be short. */
void sl_routes_windows (const SlRoutes *r, size_t w, uint64_t *loads);

/* The median of the sizes of n > 0 windows, which it sorts; half way between the two of the middle. */
size_t sl_median_tokens (size_t n, size_t *tokens);

/* The m busiest experts of two windows: how many they share ÷ how many they are together; what share
 * of the later window's routings those of the earlier one have (NaN: it has none), and its own.  */
typedef struct
{
  double jaccard, carry, inside;
} SlRoutesHot;

SlRoutesHot sl_routes_hot (unsigned n, unsigned m, const uint64_t *before, const uint64_t *after);

/* The same as means over the neighbours among windows (windows, n), NaN where there are none;
 * unless NULL, jaccard (windows - 1) gets the values of each pair.  */
SlRoutesHot sl_routes_hot_mean (unsigned n, unsigned m, size_t windows, const uint64_t *loads,
                                double *jaccard);

/* The jaccard of two sets drawn at random, about: m ÷ (2 n - m). */
double sl_routes_jaccard_by_chance (unsigned n, unsigned m);

/* Mean number of different experts that b tokens in a row need, over complete groups; NaN: there is
 * none.  By chance: n (1 - (1 - k/n)^b).  */
double sl_routes_touched (const SlRoutes *r, size_t b);
double sl_routes_touched_by_chance (unsigned n, unsigned k, size_t b);

/* The same of recorded passes: those of one size together. */
typedef struct
{
  size_t size;   /* tokens of each */
  size_t passes; /* how many have this size */
  double mean;
} SlPassesTouched;

/* Of passes with so many tokens each, which follow one another; by rising size, at most `most` of
 * them, the number in *n.  SL_ENOMEM.  */
SlStatus sl_routes_passes_touched (const SlRoutes *r, size_t passes, const uint32_t *tokens,
                                   size_t most, SlPassesTouched *touched, size_t *n);
