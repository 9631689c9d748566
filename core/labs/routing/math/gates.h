/* SPDX-License-Identifier: MIT
 *
 * What the recorded gate values say: load and importance are different things.  */
#pragma once

#include "core/labs/routing/math/routes.h"

typedef struct
{
  double importance_cv; /* of Σ g of each expert */
  double entropy_bits;  /* mean over the tokens of the entropy of g ÷ Σ g */
  double sum;           /* mean Σ g: not 1 where the model does not normalise */
  double first;         /* mean share of the slot that is first */
} SlRoutesGates;

/* gates (T, k), those of empty slots do not count; NaN without tokens. */
SlRoutesGates sl_routes_gates (const SlRoutes *r, const float *gates);
