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
