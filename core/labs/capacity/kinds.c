/* SPDX-License-Identifier: MIT
 *
 * The panels of the lab `capacity` about kinds of networks: side inputs, channels, skip connections to
 * the output.  */
#include <math.h>
#include <string.h>

#include "core/labs/capacity/probes.h"

/* The mean over all times of infinitely many layers on the same lattice; `work` is room for it. */
static void
average_limit (const Design *d, double time, double *work, double *average /* (n) */)
{
  SlCapacitySpectrum spectrum;
  double            *whole = work + sl_capacity_spectrum_size (d->n);

  sl_capacity_spectrum_init (&spectrum, d->n, work);
  sl_capacity_spectrum_flow (&spectrum, &d->kernel, time, d->law.leak + d->law.bias);
  sl_capacity_spectrum_average (&spectrum, whole);
  sl_capacity_rotate (d, whole, average);
}

/* Positions of what leaked: every layer's, and its limits. */
void
sl_capacity_probe_leaked (SlProbe *p)
{
  SlCapacityLab *s = sl_capacity_lab (p->state);
  double        *sum = s->work, *smooth, time;
  bool           plain;
  Design         d;

  sl_capacity_design (s, &d);
  if (d.law.leak == 0.0)
    {
      sl_probe_note (p, "No side inputs: λ is 0.");
      return;
    }
  if (!sl_capacity_fall (p, &d))
    return;
  smooth = sum + d.n;
  time = (double) d.layers * d.law.scale;
  plain = d.dilation == DILATION_NONE && d.slope == NULL;
  memset (sum, 0, d.n * sizeof *sum);
  for (size_t m = 0; m < d.layers; m++)
    {
      const double *here = s->fall.profile + m * d.n;
      double        total = sl_capacity_sum (d.n, here);

      for (size_t x = 0; x < d.n && total > 0.0; x++)
        sum[x] += s->fall.bucket[m].side * here[x] / total;
    }
  sl_capacity_profile (p, T_LEAKED, &d, sum);
  for (size_t x = 0; x < d.n; x++)
    smooth[x] = sl_capacity_leaked ((double) x - (double) d.x0, time,
                                    sl_capacity_diffusion (&d.kernel), d.law.leak + d.law.bias)
                * d.law.leak / (d.law.leak + d.law.bias);
  if (plain && !drifts (s))
    sl_capacity_profile (p, T_LEAKED_SMOOTH, &d, smooth);
  if (plain && d.edge == SL_EDGE_PERIODIC)
    {
      average_limit (&d, time, smooth, sum);
      for (size_t x = 0; x < d.n; x++)
        sum[x] *= time * d.law.leak;
      sl_capacity_profile (p, T_LEAKED_LIMIT, &d, sum);
    }
  p->snapshot->mark = sl_capacity_set_place (&d);
}

/* How capacity leaves the probe's own channel: positions do not matter for that, so all of them are
 * one, and the taps all stay.  */
void
sl_capacity_probe_channels (SlProbe *p)
{
  SlCapacityLab    *s = sl_capacity_lab (p->state);
  size_t            c = sl_count_of (&s->base, P_CHANNELS), n;
  double            mixing = sl_value_of (&s->base, P_MIXING), even = 1.0 / (double) c;
  double           *mix = s->work, *rate = mix + c * c, *here = rate + c, *next = here + c;
  double            own[MOST_LAYERS + 1], other[MOST_LAYERS + 1], taps;
  SlCapacityKernel  kernel = { 1, { { 0, 0.0 } } };
  SlCapacityBuckets buckets = { 0 };
  Design            d;

  sl_capacity_design (s, &d);
  n = d.layers + 1;
  taps = sl_capacity_centre (&d.kernel) + sl_capacity_moving (&d.kernel);
  for (size_t i = 0; i < c * c; i++)
    mix[i] = mixing / (double) c + (i % (c + 1) == 0 ? 1.0 - mixing : 0.0);
  for (size_t i = 0; i < c; i++)
    {
      rate[i] = 1.0;
      here[i] = i == 0;
    }
  for (size_t m = 0; m < n; m++)
    {
      own[m] = here[0];
      other[m] = c > 1 ? here[1] : 0.0;
      kernel.tap[0].rate = taps;
      if (d.slope != NULL && m < d.layers)
        kernel.tap[0].rate *= d.slope[d.layers - 1 - m];
      sl_capacity_step_channels (&kernel, &d.law, 1, c, SL_EDGE_PERIODIC, mix, rate, here, next,
                                 &buckets);
      memcpy (here, next, c * sizeof *here);
    }
  sl_probe_values (p, T_OWN, 0, 0, n, own);
  sl_probe_values (p, T_OTHER, 0, 0, n, other);
  sl_probe_points (p, T_OWN_FLOOR, 0, 2, (double[]) { 0.0, (double) d.layers },
                   (double[]) { even, even });
  sl_capacity_dots (p, T_OWN_DOTS,
                    &(SlCapacityDots) { .sum = s->now->field.own,
                                        .networks = s->now->field.networks,
                                        .n = n,
                                        .dx = 1.0,
                                        .factor = 1.0 });
  if (d.edge == SL_EDGE_ABSORBING)
    sl_probe_note (p, "The theory leaves out the boundary, where networks lose capacity.");
}

/* Runs `here` through layer m; a constant is added to all positions, or one to the output's. */
static void
feed (const Design *d, size_t m, bool everywhere, double *here, double *next)
{
  SlCapacityBuckets buckets = { 0 };
  SlCapacityKernel  kernel;
  SlCapacityShares  shares;

  sl_capacity_kernel (d, d->layers - 1 - m, &kernel);
  sl_capacity_shares (&kernel, &d->law, &shares);
  sl_capacity_step (&kernel, &shares, d->n, d->edge, here, next, &buckets);
  for (size_t x = 0; x < d->n && everywhere; x++)
    next[x] += 1.0 / (double) d->n;
  if (!everywhere)
    next[d->x0] += 1.0;
  memcpy (here, next, d->n * sizeof *here);
}

void
sl_capacity_probe_skips (SlProbe *p)
{
  SlCapacityLab *s = sl_capacity_lab (p->state);
  double        *average = s->work, *own, *next, *smooth, sources, time, variance, mean;
  bool           plain;
  Design         d;

  if (!sl_capacity_fall (p, &d))
    return;
  own = average + d.n;
  next = smooth = own + d.n;
  sources = (double) d.layers + 1.0;
  time = (double) d.layers * d.law.scale;
  plain = d.dilation == DILATION_NONE && d.slope == NULL;
  memset (average, 0, 2 * d.n * sizeof *average);
  average[d.x0] = own[d.x0] = 1.0;
  for (size_t m = 0; m < d.layers; m++)
    {
      feed (&d, m, false, average, next);
      feed (&d, m, true, own, next);
    }
  for (size_t x = 0; x < d.n; x++)
    {
      average[x] /= sources;
      own[x] /= sources;
    }
  sl_capacity_spread (d.n, average, d.x0, d.edge == SL_EDGE_PERIODIC, &mean, &variance);
  sl_capacity_profile (p, T_SINGLE, &d, s->fall.profile + d.layers * d.n);
  sl_capacity_profile (p, T_AVERAGE, &d, average);
  sl_capacity_dots_near (p, T_AVERAGE_DOTS, average,
                         (SlCapacityDots) { .sum = s->now->field.skips,
                                            .networks = s->now->field.skip_networks,
                                            .n = d.n,
                                            .factor = 1.0 / sources });
  sl_capacity_profile (p, T_CUMULATED, &d, own);
  if (plain && d.edge == SL_EDGE_PERIODIC)
    {
      average_limit (&d, time, smooth, average);
      sl_capacity_profile (p, T_AVERAGE_LIMIT, &d, average);
    }
  if (plain && !drifts (s) && d.law.leak + d.law.bias == 0.0)
    {
      for (size_t x = 0; x < d.n; x++)
        smooth[x]
          = sl_capacity_skips ((double) x - (double) d.x0, time, sl_capacity_diffusion (&d.kernel))
            / time;
      sl_capacity_profile (p, T_AVERAGE_SMOOTH, &d, smooth);
    }
  p->snapshot->mark = sl_capacity_set_place (&d);
  sl_probe_note (p, "Variance %.3g averaged, %.3g from the output alone; %zu sources", variance,
                 s->fall.all.variance, d.layers + 1);
}
