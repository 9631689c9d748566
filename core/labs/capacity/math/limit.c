/* SPDX-License-Identifier: MIT */
#include "core/labs/capacity/math/limit.h"

#include <math.h>
#include <stdlib.h>

#include "core/nn/kernels/clones.h"

size_t
sl_capacity_spectrum_size (size_t n)
{
  return 4 * n;
}

static void
fill_cosines (size_t n, double *cosine)
{
  for (size_t j = 0; j < n; j++)
    cosine[j] = cos (2.0 * M_PI * (double) j / (double) n);
}

void
sl_capacity_spectrum_init (SlCapacitySpectrum *spectrum, size_t n, double *work)
{
  *spectrum = (SlCapacitySpectrum) {
    .n = n, .re = work, .im = work + n, .cosine = work + 2 * n, .sine = work + 3 * n
  };
  for (size_t j = 0; j < 2 * n; j++)
    work[j] = 0.0;
  fill_cosines (n, spectrum->cosine);
  for (size_t j = 0; j < n; j++)
    spectrum->sine[j] = sin (2.0 * M_PI * (double) j / (double) n);
}

/* Where in a table of θ the angle k θ_j is. */
static size_t
angle_index (long k, size_t j, size_t n)
{
  long step = k % (long) n;

  return (size_t) (step < 0 ? step + (long) n : step) * j % n;
}

void
sl_capacity_spectrum_flow (SlCapacitySpectrum *spectrum, const SlCapacityKernel *kernel, double t,
                           double leak)
{
  size_t n = spectrum->n, half = n / 2 + 1;
  double *restrict re = spectrum->re, *restrict im = spectrum->im;
  const double *cosine = spectrum->cosine, *sine = spectrum->sine;

  for (size_t j = 0; j < half; j++)
    re[j] -= t * leak;
  for (unsigned i = 0; i < kernel->n; i++)
    {
      const SlCapacityTap *tap = &kernel->tap[i];
      size_t               step = angle_index (tap->offset, 1, n), at = 0;
      double               rate = t * tap->rate;

      for (size_t j = 0; j < half; j++)
        {
          re[j] += rate * (cosine[at] - 1.0);
          im[j] -= rate * sine[at];
          at += step;
          at -= at >= n ? n : 0;
        }
    }
}

/* out[x] = 1/n Σ_j re_j cos (x θ_j) - im_j sin (x θ_j).  The second half of the sum mirrors the
 * first, since what it gives is real.  */
static void
invert_spectrum (const SlCapacitySpectrum *spectrum, double *out)
{
  size_t n = spectrum->n;

  for (size_t x = 0; x < n; x++)
    out[x] = spectrum->re[0] / (double) n;
  for (size_t j = 1; j <= n / 2; j++)
    {
      double twice = 2 * j == n ? 1.0 : 2.0;
      double a = twice * spectrum->re[j] / (double) n, b = twice * spectrum->im[j] / (double) n;

      for (size_t x = 0, at = 0; x < n; x++)
        {
          out[x] += a * spectrum->cosine[at] - b * spectrum->sine[at];
          at += j;
          at -= at >= n ? n : 0;
        }
    }
}

void
sl_capacity_spectrum_profile (const SlCapacitySpectrum *spectrum, double *out)
{
  size_t  n = spectrum->n;
  double *re = spectrum->re, *im = spectrum->im;

  for (size_t j = 0; j <= n / 2; j++)
    {
      double size = exp (re[j]), phase = im[j];

      re[j] = size * cos (phase);
      im[j] = size * sin (phase);
    }
  invert_spectrum (spectrum, out);
}

void
sl_capacity_spectrum_average (const SlCapacitySpectrum *spectrum, double *out)
{
  size_t  n = spectrum->n;
  double *re = spectrum->re, *im = spectrum->im;

  for (size_t j = 0; j <= n / 2; j++)
    {
      /* (e^z - 1) / z, whose numerator loses all digits near 0. */
      double r = re[j], i = im[j], norm = r * r + i * i;
      double grown = expm1 (r) - exp (r) * 2.0 * pow (sin (0.5 * i), 2.0);
      double turned = exp (r) * sin (i);

      re[j] = norm > 0.0 ? (grown * r + turned * i) / norm : 1.0;
      im[j] = norm > 0.0 ? (turned * r - grown * i) / norm : 0.0;
    }
  invert_spectrum (spectrum, out);
}

size_t
sl_capacity_limit_work (size_t n)
{
  size_t ring = 2 * (n + 1);

  return sl_capacity_spectrum_size (ring) + ring;
}

static bool
is_symmetric (const SlCapacityKernel *kernel)
{
  for (unsigned i = 0; i < kernel->n; i++)
    {
      double balance = 0.0;

      for (unsigned j = 0; j < kernel->n; j++)
        balance += kernel->tap[j].offset == kernel->tap[i].offset    ? kernel->tap[j].rate
                   : kernel->tap[j].offset == -kernel->tap[i].offset ? -kernel->tap[j].rate
                                                                     : 0.0;
      if (kernel->tap[i].offset != 0 && balance != 0.0)
        return false;
    }
  return true;
}

static long
radius_of (const SlCapacityKernel *kernel)
{
  long radius = 0;

  for (unsigned i = 0; i < kernel->n; i++)
    if (labs (kernel->tap[i].offset) > radius)
      radius = labs (kernel->tap[i].offset);
  return radius;
}

/* exp (tA) = Σ_m Poisson (m; t Q) P^m: every term is a profile, so nothing cancels.  The leak is a
 * factor of its own.  work (2 n).  */
static bool
limit_by_moves (const SlCapacityKernel *kernel, double t, double leak, size_t n, long x0,
                SlCapacityEdge edge, double most, double *out, double *work)
{
  double  moves = t * sl_capacity_moving (kernel), last = moves + 8.0 * sqrt (moves) + 40.0;
  double *here = work, *next = work + n;
  SlCapacityBuckets buckets = { 0 };
  SlCapacityShares  jump = { .unit = moves > 0.0 ? t / moves : 0.0 };

  if (!(last <= most))
    return false;
  for (size_t x = 0; x < n; x++)
    out[x] = here[x] = 0.0;
  here[x0] = 1.0;
  for (double m = 0.0; m <= last; m++)
    {
      /* The first factor underflows for many moves, so each weight comes from its logarithm. */
      double weight = moves > 0.0 ? exp (m * log (moves) - moves - lgamma (m + 1.0)) : m == 0.0;

      for (size_t x = 0; x < n; x++)
        out[x] += weight * exp (-leak * t) * here[x];
      sl_capacity_step (kernel, &jump, n, edge, here, next, &buckets);
      for (size_t x = 0; x < n; x++)
        here[x] = next[x];
    }
  return true;
}

bool
sl_capacity_limit (const SlCapacityKernel *kernel, double t, double leak, size_t n, long x0,
                   SlCapacityEdge edge, double most_moves, double *out, double *work)
{
  SlCapacitySpectrum spectrum;
  bool               folds = edge == SL_EDGE_REFLECTING && is_symmetric (kernel);
  bool    images = edge == SL_EDGE_ABSORBING && is_symmetric (kernel) && radius_of (kernel) <= 1;
  size_t  ring = edge == SL_EDGE_PERIODIC ? n : folds ? 2 * n : 2 * (n + 1);
  long    r = (long) ring;
  double *whole = work + sl_capacity_spectrum_size (ring);

  if (edge != SL_EDGE_PERIODIC && !folds && !images)
    return limit_by_moves (kernel, t, leak, n, x0,
                           edge == SL_EDGE_RENORMALISED ? SL_EDGE_STAYING : edge, most_moves, out,
                           work);
  sl_capacity_spectrum_init (&spectrum, ring, work);
  sl_capacity_spectrum_flow (&spectrum, kernel, t, leak);
  sl_capacity_spectrum_profile (&spectrum, whole);
  for (long x = 0; x < (long) n; x++)
    {
      out[x] = whole[((x - x0) % r + r) % r];
      if (folds)
        out[x] += whole[(x + x0 + 1) % r];
      else if (images)
        out[x] -= whole[(x + x0 + 2) % r];
    }
  return true;
}

size_t
sl_capacity_plane_work (size_t n)
{
  return 2 * n * n + n;
}

/* out = 1/n A C, C_jx = cos (j x θ). */
SL_CLONES static void
cosine_transform (size_t n, const double *restrict a, const double *restrict cosine,
                  double *restrict out)
{
  for (size_t i = 0; i < n; i++)
    {
      double *restrict row = out + i * n;

      for (size_t x = 0; x < n; x++)
        row[x] = 0.0;
      for (size_t j = 0; j < n; j++)
        for (size_t x = 0; x < n; x++)
          row[x] += a[i * n + j] / (double) n * cosine[j * n + x];
    }
}

static void
transpose_matrix (size_t n, double *a)
{
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < i; j++)
      {
        double kept = a[i * n + j];

        a[i * n + j] = a[j * n + i];
        a[j * n + i] = kept;
      }
}

/* What one layer, or all of the limit, multiplies the wave (i, j) with. */
static double
plane_factor (const SlCapacityPlaneTap *tap, unsigned n_taps, double s, double L, size_t n,
              const double *cosine, size_t i, size_t j)
{
  double rates = 0.0, waves = 0.0;

  for (unsigned k = 0; k < n_taps; k++)
    {
      rates += tap[k].rate;
      waves += tap[k].rate
               * cosine[(angle_index (tap[k].dx, j, n) + angle_index (tap[k].dy, i, n)) % n];
    }
  return L > 0.0 ? pow ((1.0 + s * waves) / (1.0 + s * rates), L) : exp (waves - rates);
}

void
sl_capacity_plane (const SlCapacityPlaneTap *tap, unsigned n_taps, double s, double L, size_t n,
                   double *out, double *work)
{
  double *cosine = work, *table = work + n, *half = table + n * n;

  fill_cosines (n, cosine);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      {
        table[i * n + j] = cosine[i * j % n];
        out[i * n + j] = plane_factor (tap, n_taps, s, L, n, cosine, i, j);
      }
  cosine_transform (n, out, table, half);
  transpose_matrix (n, half);
  cosine_transform (n, half, table, out);
  transpose_matrix (n, out);
}
