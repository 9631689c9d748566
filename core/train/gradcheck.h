/* SPDX-License-Identifier: MIT
 *
 * A lab's gradient against central differences of its objective, on one frozen batch.
 * Meant for the double build: in float the differences themselves are wrong by per
 * cents.  */
#pragma once

#include "core/lab/lab.h"

typedef struct
{
  double error;   /* ‖gradient - difference‖ ÷ ‖difference‖ over the weights tried */
  size_t tried;   /* weights compared */
  size_t nonzero; /* of them, with a gradient that is not zero */
  double frozen;  /* |loss - loss again|, at the same weights: 0 if what is frozen stays */
} SlGradcheck;

/* Compares every weight, or an even spread of `most` of them when there are more.  The
 * state's weights are as before afterwards.  SL_ENOMEM; whatever objective() returns.  */
SlStatus sl_gradcheck (SlLabState *state, double step, size_t most, SlGradcheck *result);
