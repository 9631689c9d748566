/* SPDX-License-Identifier: MIT */
#include "core/base/student.h"

#include <math.h>

/* The fraction that continues the incomplete beta function, by Lentz's method; it converges quickly for
 * x < (a + 1) / (a + b + 2).  */
static double
fraction (double a, double b, double x)
{
  enum { MOST = 10000 };

  static const double least = 1e-300, precise = 1e-15;
  double              c = 1, d = 1 - (a + b) * x / (a + 1), value;

  d = 1 / (fabs (d) < least ? least : d);
  value = d;
  for (int m = 1; m < MOST; m++)
    {
      double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
      double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
      double change;

      d = 1 + even * d;
      c = 1 + even / c;
      d = 1 / (fabs (d) < least ? least : d);
      value *= d * (fabs (c) < least ? least : c);
      d = 1 + odd * d;
      c = 1 + odd / (fabs (c) < least ? least : c);
      d = 1 / (fabs (d) < least ? least : d);
      change = d * (fabs (c) < least ? least : c);
      value *= change;
      if (fabs (change - 1) < precise)
        break;
    }
  return value;
}

/* The incomplete beta function, as a share of the whole one; `rest` is 1 - x, which the caller has more
 * precisely.  */
static double
beta_share (double a, double b, double x, double rest)
{
  double front = exp (lgamma (a + b) - lgamma (a) - lgamma (b) + a * log (x) + b * log (rest));

  if (x < (a + 1) / (a + b + 2))
    return front * fraction (a, b, x) / a;
  return 1 - front * fraction (b, a, rest) / b;
}

double
sl_student_above (double t, double freedom)
{
  double square = t * t, both;

  if (!(freedom > 0) || isnan (t))
    return (double) NAN;
  if (isinf (square))
    both = 0;
  else if (square == 0)
    both = 1;
  else
    both = beta_share (freedom / 2, 0.5, freedom / (freedom + square), square / (freedom + square));
  return t < 0 ? 1 - both / 2 : both / 2;
}

/* By Newton's method from 0, where the share above bends in one way only: it never goes too far. */
double
sl_student_quantile (double share, double freedom)
{
  enum { MOST = 2000 };
  double tail = share < 0.5 ? share : 1 - share, t = 0, scale;

  if (!(freedom > 0) || !(share > 0) || !(share < 1))
    return (double) NAN;
  scale = exp (lgamma ((freedom + 1) / 2) - lgamma (freedom / 2)) / sqrt (freedom * acos (-1.0));
  for (int i = 0; i < MOST; i++)
    {
      double density = scale * pow (1 + t * t / freedom, -(freedom + 1) / 2);
      double step = (sl_student_above (t, freedom) - tail) / density;

      if (!(step > 1e-12 * t))
        break;
      t += step;
    }
  return share < 0.5 ? -t : t;
}
