/* SPDX-License-Identifier: MIT */
#include "core/train/gradcheck.h"

#include <math.h>
#include <stdlib.h>

#include "core/lab/kit/state.h"

SlStatus
sl_gradcheck (SlLabState *state, double step, size_t most, SlGradcheck *result)
{
  SlSpan   weights = state->weights;
  size_t   stride = most > 0 && weights.n > most ? (weights.n + most - 1) / most : 1;
  sl_real *gradient = malloc ((weights.n + 1) * sizeof *gradient);
  double   loss = 0.0, above = 0.0, below = 0.0, wrong = 0.0, norm = 0.0;
  SlStatus status;

  *result = (SlGradcheck) { 0 };
  if (gradient == NULL)
    return sl_status_no_memory (SL_MARK ("gradient check"));
  sl_state_freeze (state, true);
  status = sl_state_objective (state, &loss, gradient);
  if (sl_ok (&status))
    status = sl_state_objective (state, &above, NULL);
  result->frozen = fabs (above - loss);
  for (size_t i = 0; sl_ok (&status) && i < weights.n; i += stride)
    {
      sl_real kept = weights.data[i];
      double  difference;

      weights.data[i] = kept + (sl_real) step;
      status = sl_state_objective (state, &above, NULL);
      weights.data[i] = kept - (sl_real) step;
      if (sl_ok (&status))
        status = sl_state_objective (state, &below, NULL);
      weights.data[i] = kept;
      difference = (above - below) / (2.0 * step);
      wrong += (gradient[i] - difference) * (gradient[i] - difference);
      norm += difference * difference;
      result->tried++;
      result->nonzero += gradient[i] != 0;
    }
  sl_state_freeze (state, false);
  result->error = sqrt (wrong / norm);
  free (gradient);
  return status;
}
