/* SPDX-License-Identifier: MIT */
#include "reproduce/orders.h"

#include <math.h>

static void
judge (SlReproduction *r, const SlTableOrder *order)
{
  double a = sl_reproduction_mean (r, order->a, order->column);
  double b = sl_reproduction_mean (r, order->b, order->column);
  double apart = sl_reproduction_errors_below (r, order->a, order->b, order->column);

  /* Less than two standard errors may be chance either way; one seed says nothing of it. */
  sl_reproduction_claim (r, a < b, "%s: here %.2f, %.2f%s", order->published, a, b,
                         isnan (apart)       ? " (one run each)"
                         : fabs (apart) >= 2 ? " (clear)"
                                             : " (may be chance)");
}

void
sl_reproduction_orders (SlReproduction *r, const SlTableOrder *orders, unsigned n)
{
  for (unsigned i = 0; i < n; i++)
    judge (r, &orders[i]);
  r->is_toy = true;
}

void
sl_reproduction_error_and_cost (SlReproduction *r, unsigned row, const SlSweepResult *result)
{
  sl_reproduction_ours (r, row, 0, result->outcome.error);
  if (isfinite (result->outcome.executed))
    sl_reproduction_ours (r, row, 1, result->outcome.executed);
}
