/* SPDX-License-Identifier: MIT
 *
 * Sparsity of gates; see gater-sparsity.h.  */
#include "core/nn/gater/sparsity.h"

#include <string.h>
#include <tgmath.h>

#include "core/nn/kernels/clones.h"

static const double guard = 1e-6;

SL_CLONES static void
add_fired (bool rooted, size_t n, const sl_real *p, sl_real *sum)
{
  if (rooted)
    for (size_t i = 0; i < n; i++)
      sum[i] += sqrt (p[i]);
  else
    for (size_t i = 0; i < n; i++)
      sum[i] += p[i];
}

double
sl_gater_kl (const SlGaterUnit *unit, size_t batch, size_t units, const sl_real *p, double s,
             double lambda, sl_real *mean, sl_real *pull)
{
  bool   rooted = unit->kind == SL_GATER_STS && !unit->thin;
  double term = 0.0;

  memset (mean, 0, units * sizeof *mean);
  for (size_t e = 0; e < batch; e++)
    add_fired (rooted, units, p + e * units, mean);
  for (size_t i = 0; i < units; i++)
    {
      double q = (double) mean[i] / (double) batch;

      mean[i] = (sl_real) q;
      term -= s * log (fmax (q, guard)) + (1.0 - s) * log (fmax (1.0 - q, guard));
      pull[i] = (sl_real) (lambda * (q - s) / fmax (q * (1.0 - q), guard) / (double) batch);
    }
  return lambda * term;
}

double
sl_gater_l1 (size_t n, const sl_real *h, double lambda)
{
  double sum = 0.0;

  for (size_t i = 0; i < n; i++)
    sum += (double) h[i];
  return lambda * sum;
}

double
sl_gater_lambda (double lambda, double density, double s, double kappa)
{
  if (density > s + 0.01)
    lambda *= 1.0 + kappa;
  else if (density < s - 0.01)
    lambda *= 1.0 - kappa;
  return fmin (fmax (lambda, 1e-13), 1.0);
}

SL_CLONES static void
add_active (size_t n, const sl_real *h, sl_real *sum)
{
  for (size_t i = 0; i < n; i++)
    sum[i] += h[i] != 0;
}

double
sl_gater_rates (size_t batch, size_t units, const sl_real *h, sl_real *rate)
{
  double total = 0.0;

  memset (rate, 0, units * sizeof *rate);
  for (size_t e = 0; e < batch; e++)
    add_active (units, h + e * units, rate);
  for (size_t i = 0; i < units; i++)
    {
      rate[i] /= (sl_real) batch;
      total += (double) rate[i];
    }
  return total / (double) units;
}

static void
swap_values (sl_real *a, sl_real *b)
{
  sl_real t = *a;

  *a = *b;
  *b = t;
}

/* Puts the k-th largest value (from 0) in its place, with none larger behind it and none smaller
 * before it: Hoare's selection with the median of three as pivot.  */
static void
select_largest (size_t n, sl_real *v, size_t k)
{
  size_t first = 0, last = n - 1;

  while (first < last)
    {
      size_t  middle = first + (last - first) / 2, i = first, j = last;
      sl_real pivot;

      if (v[middle] > v[first])
        swap_values (&v[middle], &v[first]);
      if (v[last] > v[first])
        swap_values (&v[last], &v[first]);
      if (v[last] > v[middle])
        swap_values (&v[last], &v[middle]);
      pivot = v[middle];
      for (;;)
        {
          while (v[i] > pivot)
            i++;
          while (pivot > v[j])
            j--;
          if (i >= j)
            break;
          swap_values (&v[i++], &v[j--]);
        }
      /* Now v[first … j] >= pivot >= v[j + 1 … last]. */
      if (k <= j)
        last = j;
      else
        first = j + 1;
    }
}

sl_real
sl_gater_threshold (size_t n, sl_real *values, double s)
{
  size_t  above = (size_t) (s * (double) n + 0.5);
  sl_real largest;

  if (above >= n)
    {
      select_largest (n, values, n - 1);
      return values[n - 1] - 1;
    }
  select_largest (n, values, above);
  if (above == 0)
    return values[0];
  largest = values[above];
  /* The smallest of those above. */
  select_largest (above, values, above - 1);
  return (values[above - 1] + largest) / 2;
}

SL_CLONES static sl_real
square_norm (size_t n, const sl_real *w)
{
  enum { LANES = 16 };
  sl_real lane[LANES] = { 0 }, sum = 0;
  size_t  i = 0;

  for (; i + LANES <= n; i += LANES)
    for (size_t j = 0; j < LANES; j++)
      lane[j] += w[i + j] * w[i + j];
  for (; i < n; i++)
    sum += w[i] * w[i];
  for (size_t j = 0; j < LANES; j++)
    sum += lane[j];
  return sum;
}

void
sl_gater_bound_rows (size_t units, size_t inputs, sl_real most, sl_real *w)
{
  for (size_t i = 0; i < units; i++)
    {
      sl_real square = square_norm (inputs, w + i * inputs), scale;

      if (!(square > most * most))
        continue;
      scale = most / sqrt (square);
      for (size_t j = 0; j < inputs; j++)
        w[i * inputs + j] *= scale;
    }
}

void
sl_gater_bound_columns (size_t inputs, size_t units, sl_real most, sl_real *w, sl_real *work)
{
  memset (work, 0, units * sizeof *work);
  for (size_t j = 0; j < inputs; j++)
    for (size_t i = 0; i < units; i++)
      work[i] += w[j * units + i] * w[j * units + i];
  for (size_t i = 0; i < units; i++)
    work[i] = work[i] > most * most ? most / sqrt (work[i]) : 1;
  for (size_t j = 0; j < inputs; j++)
    for (size_t i = 0; i < units; i++)
      w[j * units + i] *= work[i];
}
