/* SPDX-License-Identifier: MIT
 *
 * Capacity of linear models.  A few inputs, so plain loops; and in
 * double whatever the build, since ranks are decided here.  */
#include "core/labs/capacity/math/linear.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST = SL_LINEAR_MOST, SWEEPS = 60 };

void
sl_linear_covariance (size_t n, double correlation, double *c)
{
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      c[i * n + j] = i == j ? 1.0 : pow (correlation, fabs ((double) i - (double) j));
}

/* out (m, n) = a (m, k) b (k, n) */
static void
multiply_matrices (size_t m, size_t k, size_t n, const double *a, const double *b, double *out)
{
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < n; j++)
      {
        double sum = 0.0;

        for (size_t l = 0; l < k; l++)
          sum += a[i * k + l] * b[l * n + j];
        out[i * n + j] = sum;
      }
}

/* One Jacobi rotation that clears a_pq, kept in the columns of v. */
static void
jacobi_rotate (size_t n, double *a, double *v, size_t p, size_t q)
{
  double theta = (a[q * n + q] - a[p * n + p]) / (2.0 * a[p * n + q]);
  double t = (theta >= 0.0 ? 1.0 : -1.0) / (fabs (theta) + hypot (theta, 1.0));
  double c = 1.0 / hypot (t, 1.0), s = t * c;

  for (size_t i = 0; i < n; i++)
    {
      double x = a[i * n + p], y = a[i * n + q], u = v[i * n + p], w = v[i * n + q];

      a[i * n + p] = c * x - s * y;
      a[i * n + q] = s * x + c * y;
      v[i * n + p] = c * u - s * w;
      v[i * n + q] = s * u + c * w;
    }
  for (size_t i = 0; i < n; i++)
    {
      double x = a[p * n + i], y = a[q * n + i];

      a[p * n + i] = c * x - s * y;
      a[q * n + i] = s * x + c * y;
    }
}

/* The positive root of a symmetric matrix, by Jacobi's eigenvalues. */
static void
square_root (size_t n, const double *c, double *root)
{
  double a[MOST * MOST], v[MOST * MOST], largest = 0.0;

  memcpy (a, c, n * n * sizeof *a);
  for (size_t i = 0; i < n * n; i++)
    v[i] = i % (n + 1) == 0;
  for (int sweep = 0; sweep < SWEEPS; sweep++)
    for (size_t p = 0; p < n; p++)
      for (size_t q = p + 1; q < n; q++)
        if (fabs (a[p * n + q]) > DBL_MIN)
          jacobi_rotate (n, a, v, p, q);
  for (size_t l = 0; l < n; l++)
    largest = fmax (largest, a[l * n + l]);
  memset (root, 0, n * n * sizeof *root);
  for (size_t l = 0; l < n; l++)
    {
      double value = a[l * n + l];

      /* The root of what rounding leaves of 0 would count as a direction. */
      for (size_t i = 0; value > (double) n * DBL_EPSILON * largest && i < n; i++)
        for (size_t j = 0; j < n; j++)
          root[i * n + j] += v[i * n + l] * sqrt (value) * v[j * n + l];
    }
}

static double
length_of_column (size_t n, size_t p, const double *m, size_t j)
{
  double sum = 0.0;

  for (size_t i = 0; i < n; i++)
    sum += m[i * p + j] * m[i * p + j];
  return sqrt (sum);
}

/* Takes the column `q` out of all columns of m, twice, for the digits that the first time loses. */
static void
project_out (size_t n, size_t p, double *m, const double *q)
{
  for (size_t j = 0; j < p; j++)
    for (int again = 0; again < 2; again++)
      {
        double dot = 0.0;

        for (size_t i = 0; i < n; i++)
          dot += q[i] * m[i * p + j];
        for (size_t i = 0; i < n; i++)
          m[i * p + j] -= dot * q[i];
      }
}

/* k = the projector on the range of m (n, p), which is overwritten: Gram-Schmidt that always takes
 * the longest column left.  Returns the rank.  */
static size_t
project_on (size_t n, size_t p, double *m, double *k)
{
  double longest = 0.0, least = 0.0, q[MOST];
  size_t rank = 0;

  memset (k, 0, n * n * sizeof *k);
  for (; rank < p && rank < n; rank++)
    {
      size_t best = 0;

      longest = 0.0;
      for (size_t j = 0; j < p; j++)
        if (length_of_column (n, p, m, j) > longest)
          {
            longest = length_of_column (n, p, m, j);
            best = j;
          }
      if (rank == 0)
        least = (double) (n > p ? n : p) * DBL_EPSILON * longest;
      if (!(longest > least))
        break;
      for (size_t i = 0; i < n; i++)
        q[i] = m[i * p + best] / longest;
      project_out (n, p, m, q);
      for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
          k[i * n + j] += q[i] * q[j];
    }
  return rank;
}

size_t
sl_linear_capacity (size_t n, size_t p, const double *c, const double *jacobian,
                    SlLinearMetric metric, double *k)
{
  double root[MOST * MOST], m[MOST * MOST];

  if (metric == SL_METRIC_WHITENED)
    square_root (n, c, root);
  multiply_matrices (n, n, p, metric == SL_METRIC_WHITENED ? root : c, jacobian, m);
  return project_on (n, p, m, k);
}

/* Solves a (p, p) x = b (p, n) in place, a symmetric and positive definite. */
static void
solve_cholesky (size_t p, size_t n, double *a, double *b)
{
  for (size_t j = 0; j < p; j++)
    for (size_t i = j + 1; i < p; i++)
      {
        double f = a[i * p + j] / a[j * p + j];

        for (size_t l = j; l < p; l++)
          a[i * p + l] -= f * a[j * p + l];
        for (size_t l = 0; l < n; l++)
          b[i * n + l] -= f * b[j * n + l];
      }
  for (size_t i = p; i-- > 0;)
    for (size_t l = 0; l < n; l++)
      {
        for (size_t j = i + 1; j < p; j++)
          b[i * n + l] -= a[i * p + j] * b[j * n + l];
        b[i * n + l] /= a[i * p + i];
      }
}

void
sl_linear_capacity_ridge (size_t n, size_t p, const double *c, const double *jacobian, double ridge,
                          double *k)
{
  double root[MOST * MOST], g[MOST * MOST], gt[MOST * MOST], gram[MOST * MOST];

  square_root (n, c, root);
  multiply_matrices (n, n, p, root, jacobian, g);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < p; j++)
      gt[j * n + i] = g[i * p + j];
  multiply_matrices (p, n, p, gt, g, gram);
  for (size_t j = 0; j < p; j++)
    gram[j * p + j] += ridge;
  solve_cholesky (p, n, gram, gt);
  multiply_matrices (n, p, n, g, gt, k);
}
