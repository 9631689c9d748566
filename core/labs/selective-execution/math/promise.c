/* SPDX-License-Identifier: MIT */
#include "core/labs/selective-execution/math/promise.h"

#include <assert.h>
#include <math.h>

/* log of P(Bin (n, δ) = k). */
static double
log_chance (size_t n, size_t k, double delta)
{
  double all = (double) n, some = (double) k;

  return lgamma (all + 1.0) - lgamma (some + 1.0) - lgamma (all - some + 1.0) + some * log (delta)
         + (all - some) * log1p (-delta);
}

/* The terms 0 … k: summed from the largest down, each from its neighbour.  Above the mode the sum would be
 * close to 1, and what is missing is summed instead.  */
static double
binomial (size_t n, size_t k, double delta)
{
  double odds = delta / (1.0 - delta), sum = 0.0;
  double term;

  if (k >= n)
    return 1.0;
  if ((double) k <= delta * (double) n)
    {
      term = exp (log_chance (n, k, delta));
      for (size_t i = k; term > 0.0; i--)
        {
          sum += term;
          if (i == 0 || term < 1e-20 * sum)
            break;
          term *= (double) i / ((double) (n - i + 1) * odds);
        }
      return fmin (sum, 1.0);
    }
  term = exp (log_chance (n, k + 1, delta));
  for (size_t i = k + 1; i <= n && term > 0.0; i++)
    {
      sum += term;
      if (term < 1e-20 * sum)
        break;
      term *= (double) (n - i) * odds / (double) (i + 1);
    }
  return fmax (1.0 - sum, 0.0);
}

double
sl_promise_p (SlPromiseBound bound, size_t n, size_t k, double delta)
{
  double gap;

  assert (n > 0 && k <= n && delta > 0.0 && delta < 1.0);
  if (bound == SL_PROMISE_BINOMIAL)
    return binomial (n, k, delta);
  gap = fmax (delta - (double) k / (double) n, 0.0);
  return exp (-2.0 * (double) n * gap * gap);
}

long
sl_promise_most (SlPromiseBound bound, size_t n, double delta, double epsilon)
{
  long most = -1;

  /* p rises with the losses. */
  while (most + 1 <= (long) n && sl_promise_p (bound, n, (size_t) (most + 1), delta) <= epsilon)
    most++;
  return most;
}

long
sl_promise_choose (SlPromiseBound bound, size_t n, double delta, double epsilon, size_t n_grid,
                   const size_t *losses, double *p)
{
  long chosen = -1;
  bool failed = false;

  for (size_t j = 0; j < n_grid; j++)
    {
      p[j] = sl_promise_p (bound, n, losses[j], delta);
      failed |= !(p[j] <= epsilon);
      if (!failed)
        chosen = (long) j;
    }
  return chosen;
}
