/* SPDX-License-Identifier: MIT
 *
 * Weight decay that waits for weights to be needed (Cho and Bengio 2014, §3).  A clock adds up
 * what every step would have done to a weight; a weight remembers the clock's reading when it was
 * last brought up to date, and what it missed is the difference.  With a learning rate or a
 * coefficient that changes this is as right as with constant ones.  */
#pragma once

#include <stddef.h>

#include "core/base/real.h"
#include "core/base/status.h"

typedef enum {
  SL_DECAY_NONE,
  SL_DECAY_L1, /* each step w <- sign (w) max (0, |w| - rate lambda) */
  SL_DECAY_L2, /* each step w <- w (1 - rate lambda) */
} SlDecayKind;

/* When the missed decays of a visited weight are made up for.  t' is the step at which this
 * happened last. */
typedef enum {
  SL_DECAY_EXACT,   /* t - t' - 1 before the forward pass, the last one before the update: what
                     * decay at every step gives */
  SL_DECAY_BEFORE,  /* all t - t' before the forward pass: one too early */
  SL_DECAY_PRINTED, /* all t - t' before the update, as the paper says: the forward pass sees old
                     * weights */
} SlDecayRule;

typedef struct
{
  SlDecayKind kind;
  double      now; /* Σ over the steps of log (1 - rate lambda) for L2, of rate lambda for L1 */
} SlDecayClock;

/* What one step adds to the clock.  SL_EINVAL unless 0 <= rate lambda < 1. */
SlStatus sl_decay_tick (SlDecayKind kind, double rate, double lambda, double *tick);

/* to (n) = from (n) after the decays that make up `by` on the clock; in place is fine. */
void sl_decay_apply (SlDecayKind kind, double by, size_t n, const sl_real *from, sl_real *to);
