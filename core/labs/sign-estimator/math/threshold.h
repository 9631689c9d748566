/* SPDX-License-Identifier: MIT
 *
 * From scores of units to units that are computed: thresholds, and thresholds that meet an aim.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/base/real.h"

/* Turns scores q (n) into estimates, which are > 0 where a unit is on: q > theta, or with `at_least`
 * q >= theta.  */
void sl_threshold_apply (size_t n, double theta, bool at_least, sl_real *q);

/* The same for the scores q (B, H) of units with a threshold each. */
void sl_threshold_apply_each (size_t batch, size_t units, const double *theta, bool at_least,
                              sl_real *q);

/* Thresholds of a layer: one, or in its place one of each unit. */
typedef struct
{
  double        one;
  const double *each; /* (H), or NULL */
} SlTheta;

typedef enum {
  SL_AIM_NONE,
  SL_AIM_RECALL,  /* this share of the pairs that are truly on, pre > 0 */
  SL_AIM_DENSITY, /* this share of all pairs */
} SlAim;

/* The largest threshold that keeps ⌈value P⌉ of the P pairs (example, unit) that the aim speaks of:
 * halfway between the last of them and the next smaller score of any pair, 1 below where there is
 * none, and infinity where none is to be kept.  room (n) is scratch.  */
double sl_threshold_for (SlAim aim, double value, size_t n, const sl_real *q, const sl_real *pre,
                         sl_real *room);

/* The same for each unit, of q and pre (B, H); room (B) and column (2, B) are scratch. */
void sl_threshold_for_each (SlAim aim, double value, size_t batch, size_t units, const sl_real *q,
                            const sl_real *pre, sl_real *room, sl_real *column, double *theta);

/* One pair (example, unit), to be sorted. */
typedef struct
{
  sl_real q;
  bool    on;
} SlScoredPair;

/* All thresholds at once: shares of the pairs with pre > 0 that are found (recall), and of the others (false
 * alarm), for at most `most` >= 2 thresholds from the highest score down, spread evenly over the pairs, the
 * first above all scores.  Pairs of equal scores go together.  room (n) is scratch.  Returns how many; none where
 * all pairs are on or none is.  */
size_t sl_threshold_curve (size_t n, const sl_real *q, const sl_real *pre, size_t most,
                           double *recall, double *false_alarm, SlScoredPair *room);
