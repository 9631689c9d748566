/* SPDX-License-Identifier: MIT */
#include "core/nn/gater/sparsity.h"

#include <string.h>
#include <tgmath.h>

#include "core/nn/kernels/clones.h"
#include "core/nn/kernels/vector.h"

static const double guard = 1e-6;

SL_CLONES static void
add_fired (bool rooted, size_t n, const sl_real *p, sl_real *sum)
{
  for (size_t i = 0; i < n; i++)
    sum[i] += rooted ? sqrt (p[i]) : p[i];
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

sl_real
sl_gater_threshold (size_t n, sl_real *values, double s)
{
  size_t  above = (size_t) (s * (double) n + 0.5);
  sl_real largest;

  if (above >= n)
    return sl_vector_select (n, values, 0) - 1;
  largest = sl_vector_select (n, values, n - 1 - above);
  if (above == 0)
    return largest;
  return (sl_vector_select (above, values + (n - above), 0) + largest) / 2;
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
