/* SPDX-License-Identifier: MIT */
#include "core/nn/moe/balance.h"

#include <math.h>

static double
mean_of (size_t n, const sl_real *v)
{
  double sum = 0.0;

  for (size_t i = 0; i < n; i++)
    sum += (double) v[i];
  return n > 0 ? sum / (double) n : 0.0;
}

double
sl_balance_cv2 (size_t n, const sl_real *v, sl_real *gradient)
{
  double mean = mean_of (n, v), squares = 0.0, deviations = 0.0;

  if (n <= 1 || mean == 0.0)
    {
      for (size_t i = 0; gradient != NULL && i < n; i++)
        gradient[i] = 0;
      return 0.0;
    }
  for (size_t i = 0; i < n; i++)
    {
      squares += (double) v[i] * (double) v[i];
      deviations += ((double) v[i] - mean) * ((double) v[i] - mean);
    }
  for (size_t i = 0; gradient != NULL && i < n; i++)
    gradient[i] = (sl_real) (2.0 / ((double) n * mean * mean)
                             * ((double) v[i] - squares / (double) n / mean));
  return deviations / (double) n / (mean * mean);
}

double
sl_balance_cv (size_t n, const sl_real *v)
{
  return sqrt (sl_balance_cv2 (n, v, NULL));
}

double
sl_balance_peak (size_t n, const sl_real *v)
{
  double mean = mean_of (n, v), most = 0.0;

  if (n <= 1 || mean == 0.0)
    return 1.0;
  for (size_t i = 0; i < n; i++)
    if (!((double) v[i] <= most))
      most = (double) v[i];
  return most / mean;
}

double
sl_balance_effective (size_t n, const sl_real *v)
{
  double sum = mean_of (n, v) * (double) n, entropy = 0.0;

  if (sum == 0.0)
    return 0.0;
  for (size_t i = 0; i < n; i++)
    if (v[i] != 0)
      entropy -= (double) v[i] / sum * log ((double) v[i] / sum);
  return exp (entropy);
}

double
sl_balance_collapse (size_t n, double k)
{
  return k < (double) n ? sqrt ((double) n / k - 1.0) : 0.0;
}

double
sl_balance_floor (size_t n, double k, size_t batch)
{
  double share = k < (double) n ? k / (double) n : 1.0;

  return sqrt ((1.0 - share) / ((double) batch * share));
}

void
sl_balance_group_load (size_t b, sl_real primary, size_t rows, sl_real *load)
{
  for (size_t j = 0; j < b; j++)
    load[j] = rows > 0 ? primary * load[j] / (sl_real) rows : 0;
}

/* The integral of x n φ Φⁿ⁻¹: the trapezoid rule, which is exact to rounding where all derivatives vanish
 * at the ends.  */
static double
mean_of_largest (size_t n)
{
  static const double end = 10.0, step = 0.01;
  double              sum = 0.0;

  for (int i = 0; i <= 2000; i++)
    {
      double x = -end + step * i;

      sum += x * exp (-0.5 * x * x) * pow (0.5 * erfc (-x * M_SQRT1_2), (double) n - 1.0);
    }
  return sum * step * (double) n / sqrt (2.0 * M_PI);
}

double
sl_balance_violation_floor (size_t n, double k, size_t batch)
{
  if (n <= 1 || k >= (double) n)
    return 0.0;
  return mean_of_largest (n) * sqrt ((double) n / ((double) n - 1.0))
         * sl_balance_floor (n, k, batch);
}

static unsigned
count_bits (uint64_t word)
{
  unsigned n = 0;

  for (; word != 0; word &= word - 1)
    n++;
  return n;
}

double
sl_balance_flips (size_t examples, size_t words, const uint64_t *before, const uint64_t *after,
                  size_t *changed)
{
  double sum = 0.0;

  *changed = 0;
  for (size_t e = 0; e < examples; e++)
    {
      unsigned both = 0, first = 0, second = 0, most;

      for (size_t w = e * words; w < (e + 1) * words; w++)
        {
          both += count_bits (before[w] & after[w]);
          first += count_bits (before[w]);
          second += count_bits (after[w]);
        }
      most = first > second ? first : second;
      *changed += both < most;
      sum += most > 0 ? 1.0 - (double) both / (double) most : 0.0;
    }
  return examples > 0 ? sum / (double) examples : 0.0;
}
