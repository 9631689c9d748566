/* SPDX-License-Identifier: MIT
 *
 * See budget.h.  */
#include "core/run/record/budget.h"

#include <math.h>

double
sl_budget_share (const SlBudget *budget, uint64_t step, const SlProgress *progress, double seconds)
{
  double done = 0;

  if (budget->steps > 0)
    done = fmax (done, (double) step / (double) budget->steps);
  if (budget->epochs > 0)
    done = fmax (done, progress->epochs / budget->epochs);
  if (budget->seconds > 0)
    done = fmax (done, seconds / budget->seconds);
  return done;
}
