/* SPDX-License-Identifier: MIT
 *
 * Comparisons that not-a-number cannot pass.  */
#pragma once

#include <glib.h>
#include <math.h>

#include "core/base/real.h"

/* Every |got - want| <= atol + rtol |want|; fails on the worst one with its index and both
 * values to the last digit, and when n is 0.  */
static inline void
sl_assert_close (const sl_real *got, const double *want, size_t n, double rtol, double atol)
{
  size_t worst = 0;
  double excess = -HUGE_VAL;

  g_assert_cmpuint (n, >, 0);
  for (size_t i = 0; i < n; i++)
    {
      double over = fabs ((double) got[i] - want[i]) - (atol + rtol * fabs (want[i]));

      if (!(over <= excess))
        {
          excess = over;
          worst = i;
        }
    }
  if (!(excess <= 0.0))
    g_error ("element %zu of %zu: got %.17g, want %.17g (rtol %g, atol %g)", worst, n,
             (double) got[worst], want[worst], rtol, atol);
}

/* The same for one number. */
static inline void
sl_assert_near (double got, double want, double rtol, double atol)
{
  if (!(fabs (got - want) <= atol + rtol * fabs (want)))
    g_error ("got %.17g, want %.17g (rtol %g, atol %g)", got, want, rtol, atol);
}
