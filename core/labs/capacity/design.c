/* SPDX-License-Identifier: MIT
 *
 * From the settings of the lab `capacity` to kernels, laws and a run through all layers.  */
#include "core/labs/capacity/lab.h"

#include <math.h>
#include <string.h>

#include "core/labs/capacity/math/shatter.h"

double
sl_capacity_error (const Sum *sum, uint64_t n)
{
  double mean, spread;

  if (n < 2)
    return 0.0;
  mean = sum->sum / (double) n;
  spread = (sum->squares - (double) n * mean * mean) / (double) (n - 1);
  return spread > 0.0 ? sqrt (spread / (double) n) : 0.0;
}

static void
choose_kernel (const SlCapacityLab *s, SlCapacityKernel *kernel)
{
  long     radius = (long) sl_value_of (&s->base, P_RADIUS);
  unsigned shape = (unsigned) sl_value_of (&s->base, P_KERNEL);
  double   q
    = sl_value_of (&s->base, P_RATE) / (double) (shape == KERNEL_CAUSAL ? radius : 2 * radius);

  if (sl_value_of (&s->base, P_CHANNEL_SCALE) == CHANNELS_UNSCALED)
    q *= sl_value_of (&s->base, P_CHANNELS);
  kernel->n = 0;
  for (long k = -radius; k <= (shape == KERNEL_CAUSAL ? -1 : radius); k++)
    if (k != 0 || shape == KERNEL_WITH_CENTRE)
      kernel->tap[kernel->n++] = (SlCapacityTap) { k, q };
}

/* A rate per unit of s of what is scaled otherwise than the weights are. */
static double
rate_at (const SlCapacityLab *s, unsigned rate, unsigned choice, double scale)
{
  double value = sl_value_of (&s->base, rate);

  switch ((unsigned) sl_value_of (&s->base, choice))
    {
    case SCALE_NONE: return value / scale;
    case SCALE_TWICE: return value * scale;
    default: return value;
    }
}

void
sl_capacity_design_at (const SlCapacityLab *s, size_t layers, double a, Design *d)
{
  long n = (long) sl_value_of (&s->base, P_POSITIONS),
       x0 = n / 2 + (long) sl_value_of (&s->base, P_POSITION);

  *d = (Design) { .layers = layers,
                  .n = (size_t) n,
                  .x0 = x0 < 0    ? 0
                        : x0 >= n ? n - 1
                                  : x0,
                  .a = a,
                  .edge = (SlCapacityEdge) sl_value_of (&s->base, P_EDGE),
                  .dilation = (unsigned) sl_value_of (&s->base, P_DILATION),
                  .reach = sl_value_of (&s->base, P_REACH),
                  .activation = (SlShatter) sl_value_of (&s->base, P_ACTIVATION),
                  .omega = sl_value_of (&s->base, P_OMEGA) };
  choose_kernel (s, &d->kernel);
  d->law = (SlCapacityLaw) { .rule = (SlCapacityRule) sl_value_of (&s->base, P_RULE),
                             .scale = pow ((double) layers, -2.0 * a) };
  d->law.leak = rate_at (s, P_LEAK, P_LEAK_SCALE, d->law.scale);
  d->law.bias = rate_at (s, P_BIAS, P_BIAS_SCALE, d->law.scale);
}

/* How much of each layer's rates a tanh lets through.  Its inputs have variance 1 at first, and
 * layers keep the sum of what they read, normalised as the live networks are.  */
static void
find_slopes (const Design *d, double *slope)
{
  double variance = 1.0, s = d->law.scale;
  double rates = sl_capacity_centre (&d->kernel) + sl_capacity_moving (&d->kernel);
  double others = s * (d->law.leak + d->law.bias);

  for (size_t l = 0; l < d->layers; l++)
    {
      double energy = sl_shatter_energy (d->activation, d->omega, variance);

      slope[l] = sl_shatter_slope (d->activation, variance);
      variance = (variance + s * rates * energy + others) / (1.0 + s * rates * slope[l] + others);
    }
}

void
sl_capacity_design (SlCapacityLab *s, Design *d)
{
  sl_capacity_design_at (s, sl_count_of (&s->base, P_LAYERS), sl_value_of (&s->base, P_EXPONENT),
                         d);
  d->whole = true;
  if (d->activation == SL_SHATTER_TANH)
    {
      find_slopes (d, s->slope);
      d->slope = s->slope;
    }
}

double
sl_capacity_design_log10_skip (const Design *d)
{
  SlCapacityLaw bare = { .scale = d->law.scale };

  return sl_capacity_log10_skip (&d->kernel, &bare, (double) d->layers);
}

double
sl_capacity_design_dilation (const Design *d, size_t l)
{
  unsigned doublings;
  double   smooth;

  switch (d->dilation)
    {
    case DILATION_SMOOTH:
      smooth = pow (d->reach, ((double) l + 0.5) / (double) d->layers);
      return d->whole ? round (smooth) : smooth;
    case DILATION_BLOCKS:
      doublings = (unsigned) floor (log2 (d->reach) + 1e-9) + 1;
      return (double) (1u << (l % doublings));
    default: return 1.0;
    }
}

void
sl_capacity_kernel (const Design *d, size_t l, SlCapacityKernel *kernel)
{
  /* At most 17 taps, which dilation doubles: there is room. */
  if (d->dilation == DILATION_NONE)
    *kernel = d->kernel;
  else
    sl_capacity_dilate (&d->kernel, sl_capacity_design_dilation (d, l), kernel);
  for (unsigned i = 0; d->slope != NULL && i < kernel->n; i++)
    kernel->tap[i].rate *= d->slope[l];
}

bool
sl_capacity_run (SlCapacityLab *s, const Design *d, SlMessage *note)
{
  Fall *fall = &s->fall;

  fall->all = (SlCapacityMoments) { 0 };
  fall->mean[0] = fall->variance[0] = 0.0;
  memset (fall->profile, 0, d->n * sizeof *fall->profile);
  fall->profile[d->x0] = 1.0;
  for (size_t m = 0; m < d->layers; m++)
    {
      SlCapacityKernel  kernel;
      SlCapacityShares  shares;
      SlCapacityMoments moments;

      sl_capacity_kernel (d, d->layers - 1 - m, &kernel);
      if (!sl_capacity_shares (&kernel, &d->law, &shares))
        {
          /* Why rule M cannot be used, and what would help. */
          *note = sl_message ("P = I + A/L would move %.2f of a position's capacity in one layer. "
                              "Lower a rate, or take more layers or squared shares.",
                              sl_capacity_moved (&d->kernel, &d->law));
          return false;
        }
      moments = sl_capacity_moments (&kernel, &shares);
      fall->all.mean += moments.mean;
      fall->all.variance += moments.variance;
      fall->all.fourth += moments.fourth;
      fall->mean[m + 1] = fall->all.mean;
      fall->variance[m + 1] = fall->all.variance;
      fall->bucket[m] = (SlCapacityBuckets) { 0 };
      sl_capacity_step (&kernel, &shares, d->n, d->edge, fall->profile + m * d->n,
                        fall->profile + (m + 1) * d->n, &fall->bucket[m]);
    }
  return true;
}

double
sl_capacity_std (const Design *d)
{
  double variance = 0.0;
  bool   same = d->dilation == DILATION_NONE && d->slope == NULL;

  for (size_t l = 0; l < d->layers; l++)
    {
      SlCapacityKernel kernel;
      SlCapacityShares shares;

      sl_capacity_kernel (d, l, &kernel);
      if (!sl_capacity_shares (&kernel, &d->law, &shares))
        return NAN;
      variance += sl_capacity_moments (&kernel, &shares).variance;
      if (same)
        return sqrt (variance * (double) d->layers);
    }
  return sqrt (variance);
}

size_t
sl_capacity_work (size_t positions)
{
  size_t limit = 4 * positions + sl_capacity_limit_work (positions);
  size_t plane = PLANE * PLANE + sl_capacity_plane_work (PLANE);

  return limit > plane ? limit : plane;
}
