/* SPDX-License-Identifier: MIT */
#include "core/labs/capacity/math/capacity.h"

#include <math.h>

double
sl_capacity_centre (const SlCapacityKernel *kernel)
{
  double sum = 0.0;

  for (unsigned i = 0; i < kernel->n; i++)
    sum += kernel->tap[i].offset == 0 ? kernel->tap[i].rate : 0.0;
  return sum;
}

double
sl_capacity_moving (const SlCapacityKernel *kernel)
{
  double sum = 0.0;

  for (unsigned i = 0; i < kernel->n; i++)
    sum += kernel->tap[i].offset != 0 ? kernel->tap[i].rate : 0.0;
  return sum;
}

double
sl_capacity_diffusion (const SlCapacityKernel *kernel)
{
  double sum = 0.0;

  for (unsigned i = 0; i < kernel->n; i++)
    sum += pow ((double) kernel->tap[i].offset, 2.0) * kernel->tap[i].rate;
  return 0.5 * sum;
}

bool
sl_capacity_dilate (const SlCapacityKernel *kernel, double d, SlCapacityKernel *dilated)
{
  long   low = (long) floor (d);
  double above = (d * d - (double) (low * low)) / (double) (2 * low + 1);

  dilated->n = 0;
  for (unsigned i = 0; i < kernel->n; i++)
    {
      const SlCapacityTap *tap = &kernel->tap[i];
      bool                 split = above > 0.0 && tap->offset != 0;

      if (dilated->n + (split ? 2 : 1) > SL_CAPACITY_TAPS)
        return false;
      dilated->tap[dilated->n++]
        = (SlCapacityTap) { tap->offset * low, split ? tap->rate * (1.0 - above) : tap->rate };
      if (split)
        dilated->tap[dilated->n++] = (SlCapacityTap) { tap->offset * (low + 1), tap->rate * above };
    }
  return true;
}

bool
sl_capacity_axis (const SlCapacityKernel *kernel, unsigned dimensions, SlCapacityKernel *axis)
{
  double centre = sl_capacity_centre (kernel), side = kernel->n + (centre > 0.0 ? 0 : 1);

  *axis = *kernel;
  if (centre > 0.0 || dimensions == 1 || kernel->n == 0)
    return true;
  if (axis->n == SL_CAPACITY_TAPS)
    return false;
  axis->tap[axis->n++]
    = (SlCapacityTap) { 0, kernel->tap[0].rate * (1.0 - pow (side, -(double) (dimensions - 1))) };
  return true;
}

double
sl_capacity_moved (const SlCapacityKernel *kernel, const SlCapacityLaw *law)
{
  return law->scale * (sl_capacity_moving (kernel) + law->leak + law->bias);
}

bool
sl_capacity_shares (const SlCapacityKernel *kernel, const SlCapacityLaw *law,
                    SlCapacityShares *shares)
{
  double s = law->scale, moved = sl_capacity_moved (kernel, law);
  double centre = s * sl_capacity_centre (kernel), z = 1.0 + centre + moved;

  if (law->rule == SL_CAPACITY_MARKOV)
    {
      *shares = (SlCapacityShares) { .stay = 1.0 - moved,
                                     .identity = 1.0 - moved,
                                     .unit = s,
                                     .side = s * law->leak,
                                     .bias = s * law->bias };
      return moved <= 1.0;
    }
  *shares = (SlCapacityShares) { .stay = (1.0 + centre) / z,
                                 .identity = 1.0 / z,
                                 .unit = s / z,
                                 .side = s * law->leak / z,
                                 .bias = s * law->bias / z };
  return isfinite (z);
}

long
sl_capacity_place (long x, long n, SlCapacityEdge edge)
{
  long period;

  if (x >= 0 && x < n)
    return x;
  switch (edge)
    {
    case SL_EDGE_PERIODIC: return (x % n + n) % n;
    case SL_EDGE_REFLECTING:
      period = 2 * n;
      x = (x % period + period) % period;
      return x < n ? x : period - 1 - x;
    case SL_EDGE_ABSORBING:
    case SL_EDGE_RENORMALISED:
    case SL_EDGE_STAYING: break;
    }
  return -1;
}

/* What a row's shares add up to when those that leave are dropped. */
static double
row_sum (const SlCapacityKernel *kernel, const SlCapacityShares *shares, long y, long n)
{
  double sum = shares->stay + shares->side + shares->bias;

  for (unsigned i = 0; i < kernel->n; i++)
    if (kernel->tap[i].offset != 0 && y + kernel->tap[i].offset >= 0
        && y + kernel->tap[i].offset < n)
      sum += kernel->tap[i].rate * shares->unit;
  return sum;
}

/* The moves of one tap that begin at [from, to) and leave the lattice. */
static double
cross_edge (double share, long offset, long from, long to, long n, SlCapacityEdge edge,
            const double *here, double *next)
{
  double lost = 0.0;

  for (long y = from; y < to; y++)
    {
      long x = sl_capacity_place (y + offset, n, edge);

      if (x >= 0)
        next[x] += share * here[y];
      else if (edge == SL_EDGE_STAYING)
        next[y] += share * here[y];
      else
        lost += share * here[y];
    }
  return lost;
}

static long
clamp_index (long x, long lo, long hi)
{
  return x < lo ? lo : x > hi ? hi : x;
}

/* All moves of one tap; returns what is lost.  The inner loop has no edge in it. */
static double
move_tap (double share, long offset, long n, SlCapacityEdge edge, const double *restrict here,
          double *restrict next)
{
  long   first = clamp_index (-offset, 0, n), last = clamp_index (n - offset, first, n);
  double lost = cross_edge (share, offset, 0, first, n, edge, here, next);

  for (long y = first; y < last; y++)
    next[y + offset] += share * here[y];
  return lost + cross_edge (share, offset, last, n, n, edge, here, next);
}

/* Rows at the edge are rescaled, so here each row has its own shares. */
static void
step_renormalised (const SlCapacityKernel *kernel, const SlCapacityShares *shares, long n,
                   const double *here, double *next, SlCapacityBuckets *buckets)
{
  for (long x = 0; x < n; x++)
    next[x] = 0.0;
  for (long y = 0; y < n; y++)
    {
      double row = here[y] / row_sum (kernel, shares, y, n);

      next[y] += row * shares->stay;
      buckets->side += row * shares->side;
      buckets->bias += row * shares->bias;
      for (unsigned i = 0; i < kernel->n; i++)
        {
          long offset = kernel->tap[i].offset;

          if (offset != 0 && y + offset >= 0 && y + offset < n)
            next[y + offset] += row * kernel->tap[i].rate * shares->unit;
        }
    }
}

void
sl_capacity_step (const SlCapacityKernel *kernel, const SlCapacityShares *shares, size_t n,
                  SlCapacityEdge edge, const double *here, double *next, SlCapacityBuckets *buckets)
{
  double total = 0.0;

  if (edge == SL_EDGE_RENORMALISED)
    {
      step_renormalised (kernel, shares, (long) n, here, next, buckets);
      return;
    }
  for (size_t x = 0; x < n; x++)
    {
      next[x] = shares->stay * here[x];
      total += here[x];
    }
  for (unsigned i = 0; i < kernel->n; i++)
    if (kernel->tap[i].offset != 0 && kernel->tap[i].rate > 0.0)
      buckets->edge += move_tap (kernel->tap[i].rate * shares->unit, kernel->tap[i].offset,
                                 (long) n, edge, here, next);
  buckets->side += total * shares->side;
  buckets->bias += total * shares->bias;
}

void
sl_capacity_step_channels (const SlCapacityKernel *kernel, const SlCapacityLaw *law, size_t n,
                           size_t channels, SlCapacityEdge edge, const double *mix,
                           const double *rate, const double *here, double *next,
                           SlCapacityBuckets *buckets)
{
  double rates = sl_capacity_centre (kernel) + sl_capacity_moving (kernel);

  for (size_t i = 0; i < channels * n; i++)
    next[i] = 0.0;
  for (size_t j = 0; j < channels; j++)
    {
      const double *from = here + j * n;
      double        s = law->scale, total = sl_capacity_sum (n, from);
      double        z = 1.0 + s * (rate[j] * rates + law->leak + law->bias);

      for (size_t x = 0; x < n; x++)
        next[j * n + x] += from[x] / z;
      buckets->side += total * s * law->leak / z;
      buckets->bias += total * s * law->bias / z;
      for (size_t i = 0; i < channels; i++)
        for (unsigned k = 0; k < kernel->n; k++)
          buckets->edge += move_tap (s * rate[j] * kernel->tap[k].rate * mix[j * channels + i] / z,
                                     kernel->tap[k].offset, (long) n, edge, from, next + i * n);
    }
}

SlCapacityMoments
sl_capacity_moments (const SlCapacityKernel *kernel, const SlCapacityShares *shares)
{
  double kept = 1.0 - shares->side - shares->bias, m[5] = { 0.0 };

  for (unsigned i = 0; i < kernel->n; i++)
    {
      double power = kernel->tap[i].rate * shares->unit / kept;

      for (int p = 1; p <= 4; p++)
        m[p] += power *= (double) kernel->tap[i].offset;
    }

  double variance = m[2] - m[1] * m[1];
  double fourth = m[4] - 4.0 * m[1] * m[3] + 6.0 * m[1] * m[1] * m[2] - 3.0 * pow (m[1], 4.0);

  return (SlCapacityMoments) { .mean = m[1],
                               .variance = variance,
                               .fourth = fourth - 3.0 * variance * variance };
}

double
sl_capacity_log10_skip (const SlCapacityKernel *kernel, const SlCapacityLaw *law, double L)
{
  double moved = sl_capacity_moved (kernel, law);

  if (law->rule == SL_CAPACITY_MARKOV)
    return L * log1p (-moved) / M_LN10;
  return -L * log1p (moved + law->scale * sl_capacity_centre (kernel)) / M_LN10;
}

double
sl_capacity_sum (size_t n, const double *profile)
{
  double sum = 0.0;

  for (size_t x = 0; x < n; x++)
    sum += profile[x];
  return sum;
}

void
sl_capacity_spread (size_t n, const double *profile, long centre, bool wraps, double *mean,
                    double *variance)
{
  double total = 0.0, first = 0.0, second = 0.0;
  long   half = (long) n / 2;

  for (long x = 0; x < (long) n; x++)
    {
      long away = x - centre;

      if (wraps && away > half)
        away -= (long) n;
      else if (wraps && away < -half)
        away += (long) n;
      total += profile[x];
      first += (double) away * profile[x];
      second += (double) (away * away) * profile[x];
    }
  *mean = total > 0.0 ? first / total : 0.0;
  *variance = total > 0.0 ? fmax (second / total - *mean * *mean, 0.0) : 0.0;
}
