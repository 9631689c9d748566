/* SPDX-License-Identifier: MIT
 *
 * Many runs of one lab as a trade-off: what was varied between them, and the settings that nothing beats in both cost and error.  Plain data, any thread.  */
#pragma once

#include "core/base/packed.h"
#include "core/lab/lab.h"

/* The parameters that have more than one value among `n` settings, in the order of the lab; returns
 * how many.  */
unsigned sl_tradeoff_varied (const SlLab *lab, const SlPacked *const *settings, unsigned n,
                             unsigned varied[SL_PARAMS_MAX]);

/* Their values: "rank 8, gate noisy", without `names` "8, noisy"; "" where nothing was varied.  Free
 * with g_free().  */
char *sl_tradeoff_text (const SlLab *lab, const SlPacked *settings, const unsigned *varied,
                        unsigned n_varied, bool names);

/* A setting: the smaller both, the better. */
typedef struct
{
  double cost, error;
  bool   best; /* on the front: no other one is as good in one and better in the other */
  bool   knee; /* where more cost begins to buy little: the point of the front that lies farthest
                * below the straight line between its ends, both axes counted from end to end.  A
                * front that bends the other way has none.  Satopää, Albrecht, Irwin, Raghavan
                * 2011, "Finding a 'Kneedle' in a Haystack" */
} SlTradeoff;

/* Marks the front and its knee among n settings; one without both numbers is neither.  `order` (n)
 * gets their numbers in rising order of cost, unless it is NULL.  */
void sl_tradeoff_front (SlTradeoff *setting, unsigned n, unsigned *order);
