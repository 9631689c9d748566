/* SPDX-License-Identifier: MIT
 *
 * The panels of the lab `capacity` about kinds of networks: side inputs, channels, two dimensions,
 * skip connections to the output.  */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/lab/kit/common.h"
#include "core/labs/capacity/lab.h"

/* Positions of what leaked: every layer's, and its limits. */
static SlStatus
probe_leaked (SlLabState *s, const Design *d, SlSink *sink, SlSnapshot *snapshot)
{
  double *sum = s->work, *smooth = sum + d->n, time = (double) d->layers * d->law.scale;
  bool    good, plain = d->dilation == DILATION_NONE && d->slope == NULL;

  if (d->law.leak == 0.0)
    {
      snprintf (snapshot->note, sizeof snapshot->note, "There are no side inputs: λ is 0.");
      return SL_SUCCESS;
    }
  if (!sl_capacity_run (s, d, snapshot->note))
    return SL_SUCCESS;
  memset (sum, 0, d->n * sizeof *sum);
  for (size_t m = 0; m < d->layers; m++)
    {
      const double *here = s->fall.profile + m * d->n;
      double        total = sl_capacity_sum (d->n, here);

      for (size_t x = 0; x < d->n && total > 0.0; x++)
        sum[x] += s->fall.bucket[m].side * here[x] / total;
    }
  good = sl_capacity_profile (snapshot, sink, T_LEAKED, d, sum);
  for (size_t x = 0; x < d->n; x++)
    smooth[x] = sl_capacity_leaked ((double) x - (double) d->x0, time,
                                    sl_capacity_diffusion (&d->kernel), d->law.leak + d->law.bias)
                * d->law.leak / (d->law.leak + d->law.bias);
  good
    = good
      && (!plain || drifts (s) || sl_capacity_profile (snapshot, sink, T_LEAKED_SMOOTH, d, smooth));
  if (plain && d->edge == SL_EDGE_PERIODIC)
    {
      SlCapacitySpectrum spectrum;
      double            *whole = smooth + sl_capacity_spectrum_size (d->n);

      sl_capacity_spectrum_init (&spectrum, d->n, smooth);
      sl_capacity_spectrum_flow (&spectrum, &d->kernel, time, d->law.leak + d->law.bias);
      sl_capacity_spectrum_average (&spectrum, whole);
      sl_capacity_rotate (d, whole, sum);
      for (size_t x = 0; x < d->n; x++)
        sum[x] *= time * d->law.leak;
      good = good && sl_capacity_profile (snapshot, sink, T_LEAKED_LIMIT, d, sum);
    }
  snapshot->mark = sl_capacity_set_place (d);
  return good ? SL_SUCCESS : sl_probe_no_memory ();
}

/* How capacity leaves the probe's own channel: positions do not matter for that, so all of them are
 * one, and the taps all stay.  */
static SlStatus
probe_channels (SlLabState *s, const Design *d, SlSink *sink, SlSnapshot *snapshot)
{
  size_t  c = (size_t) value_of (s, P_CHANNELS), n = d->layers + 1;
  double  mixing = value_of (s, P_MIXING), *mix = s->work, *rate = mix + c * c, *here = rate + c;
  double *next = here + c, *own, *other, *floor_line;
  SlCapacityKernel kernel
    = { 1, { { 0, sl_capacity_centre (&d->kernel) + sl_capacity_moving (&d->kernel) } } };
  SlCapacityBuckets buckets = { 0 };

  for (size_t i = 0; i < c * c; i++)
    mix[i] = mixing / (double) c + (i % (c + 1) == 0 ? 1.0 - mixing : 0.0);
  for (size_t i = 0; i < c; i++)
    {
      rate[i] = 1.0;
      here[i] = i == 0;
    }
  /* Places first: later curves may move earlier ones. */
  for (unsigned t = T_OWN; t <= T_OTHER; t++)
    if (sl_capacity_curve (snapshot, sink, t, n, false) == NULL)
      return sl_probe_no_memory ();
  if ((floor_line = sl_capacity_curve (snapshot, sink, T_OWN_FLOOR, 2, false)) == NULL)
    return sl_probe_no_memory ();
  floor_line[0] = 0.0;
  floor_line[1] = (double) d->layers;
  floor_line[2] = floor_line[3] = 1.0 / (double) c;
  own = snapshot->data + snapshot->curve[0].offset;
  other = snapshot->data + snapshot->curve[1].offset;
  for (size_t m = 0; m < n; m++)
    {
      own[m] = other[m] = (double) m;
      own[n + m] = here[0];
      other[n + m] = c > 1 ? here[1] : 0.0;
      kernel.tap[0].rate = sl_capacity_centre (&d->kernel) + sl_capacity_moving (&d->kernel);
      if (d->slope != NULL && m < d->layers)
        kernel.tap[0].rate *= d->slope[d->layers - 1 - m];
      sl_capacity_step_channels (&kernel, &d->law, 1, c, SL_EDGE_PERIODIC, mix, rate, here, next,
                                 &buckets);
      memcpy (here, next, c * sizeof *here);
    }
  if (!sl_capacity_dots (snapshot, sink, T_OWN_DOTS,
                         &(SlCapacityDots) { .sum = s->now->field.own,
                                             .networks = s->now->field.networks,
                                             .n = n,
                                             .dx = 1.0,
                                             .factor = 1.0 }))
    return sl_probe_no_memory ();
  if (d->edge == SL_EDGE_ABSORBING)
    snprintf (snapshot->note, sizeof snapshot->note,
              "The theory is without the edge, where the networks lose some.");
  return SL_SUCCESS;
}

/* The same taps in two dimensions, each weaker by how many more there are. */
static SlStatus
probe_plane (SlLabState *s, const Design *d, SlSink *sink, SlSnapshot *snapshot)
{
  SlCapacityPlaneTap tap[MOST_KERNEL * MOST_KERNEL];
  long               radius = (long) value_of (s, P_RADIUS);
  double             q = d->kernel.tap[0].rate / (double) (2 * radius + 1), *out = s->work, *cells;
  unsigned           n = 0;

  if (value_of (s, P_KERNEL) == KERNEL_CAUSAL || d->dilation != DILATION_NONE)
    {
      snprintf (snapshot->note, sizeof snapshot->note,
                "Only for kernels that look to both sides, without dilation.");
      return SL_SUCCESS;
    }
  for (long y = -radius; y <= radius; y++)
    for (long x = -radius; x <= radius; x++)
      if (x != 0 || y != 0 || value_of (s, P_KERNEL) == KERNEL_WITH_CENTRE)
        tap[n++] = (SlCapacityPlaneTap) { x, y, q };
  sl_capacity_plane (tap, n, d->law.scale, (double) d->layers, PLANE, out, out + PLANE * PLANE);
  cells = sl_snapshot_matrix (snapshot, 1, PLANE, PLANE);
  if (cells == NULL)
    return sl_probe_no_memory ();
  for (size_t y = 0; y < PLANE; y++)
    for (size_t x = 0; x < PLANE; x++)
      cells[y * PLANE + x]
        = fmax (out[(y + PLANE / 2 + 1) % PLANE * PLANE + (x + PLANE / 2 + 1) % PLANE], 0.0);
  snapshot->hi = cells[PLANE * PLANE / 2];
  snapshot->lo = 1e-4 * snapshot->hi;
  snprintf (snapshot->note, sizeof snapshot->note,
            "%zu layers of %u taps, squared shares, on a torus of %d × %d", d->layers, n, PLANE,
            PLANE);
  return SL_SUCCESS;
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

static SlStatus
probe_skips (SlLabState *s, const Design *d, SlSink *sink, SlSnapshot *snapshot)
{
  double *average = s->work, *own = average + d->n, *next = own + d->n, *smooth = next;
  double  sources = (double) d->layers + 1.0, time = (double) d->layers * d->law.scale;
  double  variance, mean;
  bool    good, plain = d->dilation == DILATION_NONE && d->slope == NULL;

  if (!sl_capacity_run (s, d, snapshot->note))
    return SL_SUCCESS;
  memset (average, 0, 2 * d->n * sizeof *average);
  average[d->x0] = own[d->x0] = 1.0;
  for (size_t m = 0; m < d->layers; m++)
    {
      feed (d, m, false, average, next);
      feed (d, m, true, own, next);
    }
  for (size_t x = 0; x < d->n; x++)
    {
      average[x] /= sources;
      own[x] /= sources;
    }
  sl_capacity_spread (d->n, average, d->x0, d->edge == SL_EDGE_PERIODIC, &mean, &variance);
  good = sl_capacity_profile (snapshot, sink, T_SINGLE, d, s->fall.profile + d->layers * d->n)
         && sl_capacity_profile (snapshot, sink, T_AVERAGE, d, average)
         && sl_capacity_profile (snapshot, sink, T_CUMULATED, d, own);
  if (plain && d->edge == SL_EDGE_PERIODIC)
    {
      SlCapacitySpectrum spectrum;
      double            *whole = smooth + sl_capacity_spectrum_size (d->n);

      sl_capacity_spectrum_init (&spectrum, d->n, smooth);
      sl_capacity_spectrum_flow (&spectrum, &d->kernel, time, d->law.leak + d->law.bias);
      sl_capacity_spectrum_average (&spectrum, whole);
      sl_capacity_rotate (d, whole, average);
      good = good && sl_capacity_profile (snapshot, sink, T_AVERAGE_LIMIT, d, average);
    }
  if (plain && !drifts (s) && d->law.leak + d->law.bias == 0.0)
    {
      for (size_t x = 0; x < d->n; x++)
        smooth[x] = sl_capacity_skips ((double) x - (double) d->x0, time,
                                       sl_capacity_diffusion (&d->kernel))
                    / time;
      good = good && sl_capacity_profile (snapshot, sink, T_AVERAGE_SMOOTH, d, smooth);
    }
  snapshot->mark = sl_capacity_set_place (d);
  snprintf (snapshot->note, sizeof snapshot->note,
            "Variance %.3g averaged, %.3g from the output alone; %zu sources", variance,
            s->fall.all.variance, d->layers + 1);
  return good ? SL_SUCCESS : sl_probe_no_memory ();
}

SlStatus
sl_capacity_probe_kinds (SlLabState *s, unsigned panel, SlSink *sink, SlSnapshot *snapshot)
{
  Design d;

  sl_capacity_design (s, &d);
  switch (panel)
    {
    case V_LEAKED: return probe_leaked (s, &d, sink, snapshot);
    case V_CHANNELS: return probe_channels (s, &d, sink, snapshot);
    case V_PLANE: return probe_plane (s, &d, sink, snapshot);
    case V_SKIPS: return probe_skips (s, &d, sink, snapshot);
    default: return SL_SUCCESS;
    }
}
