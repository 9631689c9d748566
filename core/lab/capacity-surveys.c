/* SPDX-License-Identifier: MIT
 *
 * The panels of the lab `capacity` that show one network's way down: waterfall, input profile,
 * depths, side inputs, channels, the plane.  Theory is computed anew each time.  */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/lab/capacity.h"
#include "core/lab/common.h"

/* Beyond this excess kurtosis a Gaussian is drawn as not to be trusted. */
static const double TRUSTED = 0.3;

double *
sl_cap_curve (SlSnapshot *snapshot, SlSink *sink, unsigned trace, size_t n, bool spread)
{
  return sl_snapshot_curve (snapshot, sink->layout->first[snapshot->panel][trace], n, spread);
}

bool
sl_cap_profile (SlSnapshot *snapshot, SlSink *sink, unsigned trace, const Design *d,
                const double *profile)
{
  double *xy = sl_cap_curve (snapshot, sink, trace, d->n, false);

  for (size_t x = 0; xy != NULL && x < d->n; x++)
    {
      xy[x] = (double) x - (double) (d->n / 2);
      xy[d->n + x] = profile[x];
    }
  return xy != NULL;
}

void
sl_cap_turn (const Design *d, const double *ring, double *profile)
{
  for (size_t x = 0; x < d->n; x++)
    profile[x] = ring[(x + d->n - (size_t) d->x0) % d->n];
}

double
sl_cap_place (const Design *d)
{
  return (double) d->x0 - (double) (d->n / 2);
}

/* The kernel of the whole way in the limit: all layers' in one spectrum, or one kernel. */
static bool
limit_profile (SlLabState *s, const Design *d, double *out)
{
  double time = (double) d->layers * d->law.scale, leak = d->law.leak + d->law.bias;

  if (d->dilation == DILATION_NONE && d->slope == NULL)
    return sl_capacity_limit (&d->kernel, time, leak, d->n, d->x0, d->edge, 4096.0, out, s->work);
  if (d->edge != SL_EDGE_PERIODIC)
    return false;

  SlCapacitySpectrum spectrum;
  double *whole = s->work + sl_capacity_spectrum_size (d->n);

  sl_capacity_spectrum_init (&spectrum, d->n, s->work);
  for (size_t l = 0; l < d->layers; l++)
    {
      SlCapacityKernel kernel;

      sl_cap_kernel (d, l, &kernel);
      sl_capacity_spectrum_flow (&spectrum, &kernel, d->law.scale, leak);
    }
  sl_capacity_spectrum_profile (&spectrum, whole);
  sl_cap_turn (d, whole, out);
  return true;
}

static SlStatus
survey_waterfall (SlLabState *s, const Design *d, SlSink *sink, SlSnapshot *snapshot)
{
  size_t  last = d->layers * d->n, rows = d->layers + 1;
  double *cells, most = 0.0;

  if (!sl_cap_run (s, d, snapshot->note))
    return SL_SUCCESS;
  cells = sl_snapshot_matrix (snapshot, 1, (unsigned) rows, (unsigned) d->n);
  if (cells == NULL)
    return sl_survey_no_memory ();
  memcpy (cells, s->fall.profile, rows * d->n * sizeof *cells);
  for (size_t x = 0; x < d->n; x++)
    most = fmax (most, s->fall.profile[last + x]);
  /* The first rows are a spike of 1: colours are for what becomes of it. */
  snapshot->hi = fmin (4.0 * most, 1.0);
  snapshot->lo = 1e-4 * snapshot->hi;
  snprintf (snapshot->note, sizeof snapshot->note,
            "%zu layers; at the input mean %.2f, standard deviation %.2f pixels", d->layers,
            drifts (s) ? s->fall.all.mean : 0.0, sqrt (s->fall.all.variance));
  return SL_SUCCESS;
}

/* Mean and 2 standard errors of the measured profile. */
static bool
add_dots (SlLabState *s, const Design *d, SlSink *sink, SlSnapshot *snapshot)
{
  const Field *field = &s->now->field;
  double *xy;

  if (field->networks < 2)
    return true;
  xy = sl_cap_curve (snapshot, sink, T_DOTS, d->n, true);
  for (size_t x = 0; xy != NULL && x < d->n; x++)
    {
      xy[x] = (double) x - (double) (d->n / 2);
      xy[d->n + x] = sum_mean (&field->profile[x], field->networks);
      xy[2 * d->n + x] = 2.0 * sl_cap_error (&field->profile[x], field->networks);
    }
  return xy != NULL;
}

/* Capacity opposite the source says whether the wave has come round. */
static bool
has_wrapped (const Design *d, const double *profile)
{
  double most = 0.0;

  for (size_t x = 0; x < d->n; x++)
    most = fmax (most, profile[x]);
  return d->edge == SL_EDGE_PERIODIC
         && profile[((size_t) d->x0 + d->n / 2) % d->n] > 0.01 * most;
}

static void
note_profile (const Design *d, const SlLabState *s, double trust, bool limit, char *note)
{
  int at = snprintf (note, SL_SNAPSHOT_NOTE, "%llu networks",
                     (unsigned long long) s->now->field.networks);

  if (has_wrapped (d, s->fall.profile + d->layers * d->n))
    at += snprintf (note + at, SL_SNAPSHOT_NOTE - (size_t) at,
                    "; the wave has wrapped: more positions would help");
  if (!limit)
    at += snprintf (note + at, SL_SNAPSHOT_NOTE - (size_t) at, "; no limit for this edge");
  if (fabs (trust) > TRUSTED)
    snprintf (note + at, SL_SNAPSHOT_NOTE - (size_t) at, "; too few moves for a Gaussian (γ = %.2f)",
              trust);
}

static SlStatus
survey_profile (SlLabState *s, const Design *d, SlSink *sink, SlSnapshot *snapshot)
{
  const double *exact = s->fall.profile + d->layers * d->n;
  double *limit = s->work + sl_cap_work (d->n) - d->n, trust, kept;
  bool    good, has_limit;

  if (!sl_cap_run (s, d, snapshot->note))
    return SL_SUCCESS;
  trust = sl_capacity_trust (&s->fall.all);
  has_limit = limit_profile (s, d, limit);
  good = sl_cap_profile (snapshot, sink, T_EXACT, d, exact)
         && (!has_limit || sl_cap_profile (snapshot, sink, T_LIMIT, d, limit));
  if (isfinite (trust))
    {
      kept = sl_capacity_sum (d->n, exact);
      for (size_t x = 0; x < d->n; x++)
        limit[x] = kept * sl_capacity_gaussian ((double) x, (double) d->x0 + s->fall.all.mean,
                                                s->fall.all.variance);
      good = good && sl_cap_profile (snapshot, sink,
                                     fabs (trust) > TRUSTED ? T_POOR_GAUSSIAN : T_GAUSSIAN, d, limit);
    }
  good = good && add_dots (s, d, sink, snapshot);
  snapshot->mark = sl_cap_place (d);
  note_profile (d, s, trust, has_limit, snapshot->note);
  return good ? SL_SUCCESS : sl_survey_no_memory ();
}

double
sl_cap_agreement (SlLabState *s, double *distance)
{
  const Field *field = &s->now->field;
  Design d;
  char   note[SL_SNAPSHOT_NOTE];
  size_t within = 0;

  *distance = NAN;
  sl_cap_design (s, &d);
  if (field->networks < 2 || !sl_cap_run (s, &d, note))
    return NAN;
  *distance = 0.0;
  for (size_t x = 0; x < d.n; x++)
    {
      double mean = sum_mean (&field->profile[x], field->networks);
      double apart = fabs (mean - s->fall.profile[d.layers * d.n + x]);

      *distance += 0.5 * apart;
      within += apart <= 2.0 * sl_cap_error (&field->profile[x], field->networks);
    }
  return (double) within / (double) d.n;
}

/* Every so many depths have a dot with an error bar. */
static size_t
dot_step (size_t layers)
{
  return 1 + (layers - 1) / 48;
}

/* Dots at every so many depths; the squares of widths are what is averaged. */
static bool
add_depth_dots (SlSnapshot *snapshot, SlSink *sink, unsigned trace, const Sum *sum, uint64_t n,
                size_t layers, size_t first, double factor, bool root)
{
  size_t  every = dot_step (layers), dots = (layers - first) / every + 1, i = 0;
  double *xy = n < 2 ? NULL : sl_cap_curve (snapshot, sink, trace, dots, true);

  for (size_t m = first; xy != NULL && i < dots; m += every, i++)
    {
      double mean = factor * sum_mean (&sum[m], n), error = factor * sl_cap_error (&sum[m], n);

      xy[i] = (double) m;
      xy[dots + i] = root ? sqrt (mean) : mean;
      xy[2 * dots + i] = root && mean > 0.0 ? error / sqrt (mean) : 2.0 * error;
    }
  return n < 2 || xy != NULL;
}

static SlStatus
survey_depths (SlLabState *s, const Design *d, SlSink *sink, SlSnapshot *snapshot)
{
  double *std, *mean;
  size_t  n = d->layers;

  if (!sl_cap_run (s, d, snapshot->note))
    return SL_SUCCESS;
  std = sl_cap_curve (snapshot, sink, T_DEPTH_STD, n, false);
  for (size_t m = 1; std != NULL && m <= n; m++)
    {
      std[m - 1] = (double) m;
      std[n + m - 1] = sqrt (s->fall.variance[m]);
    }
  mean = !drifts (s) ? std : sl_cap_curve (snapshot, sink, T_DEPTH_MEAN, n, false);
  for (size_t m = 1; drifts (s) && mean != NULL && m <= n; m++)
    {
      mean[m - 1] = (double) m;
      mean[n + m - 1] = fabs (s->fall.mean[m]);
    }
  if (std == NULL || mean == NULL
      || !add_depth_dots (snapshot, sink, T_DEPTH_DOTS, s->now->field.width, s->now->field.networks,
                          n, 1, 1.0, true))
    return sl_survey_no_memory ();
  return SL_SUCCESS;
}

/* Positions of what leaked: every layer's, and its limits. */
static SlStatus
survey_leaked (SlLabState *s, const Design *d, SlSink *sink, SlSnapshot *snapshot)
{
  double *sum = s->work, *smooth = sum + d->n, time = (double) d->layers * d->law.scale;
  bool    good, plain = d->dilation == DILATION_NONE && d->slope == NULL;

  if (d->law.leak == 0.0)
    {
      snprintf (snapshot->note, sizeof snapshot->note, "There are no side inputs: λ is 0.");
      return SL_SUCCESS;
    }
  if (!sl_cap_run (s, d, snapshot->note))
    return SL_SUCCESS;
  memset (sum, 0, d->n * sizeof *sum);
  for (size_t m = 0; m < d->layers; m++)
    {
      const double *here = s->fall.profile + m * d->n;
      double total = sl_capacity_sum (d->n, here);

      for (size_t x = 0; x < d->n && total > 0.0; x++)
        sum[x] += s->fall.bucket[m].side * here[x] / total;
    }
  good = sl_cap_profile (snapshot, sink, T_LEAKED, d, sum);
  for (size_t x = 0; x < d->n; x++)
    smooth[x] = sl_capacity_leaked ((double) x - (double) d->x0, time,
                                    sl_capacity_diffusion (&d->kernel), d->law.leak + d->law.bias)
                * d->law.leak / (d->law.leak + d->law.bias);
  good = good && (!plain || drifts (s)
                  || sl_cap_profile (snapshot, sink, T_LEAKED_SMOOTH, d, smooth));
  if (plain && d->edge == SL_EDGE_PERIODIC)
    {
      SlCapacitySpectrum spectrum;
      double *whole = smooth + sl_capacity_spectrum_size (d->n);

      sl_capacity_spectrum_init (&spectrum, d->n, smooth);
      sl_capacity_spectrum_flow (&spectrum, &d->kernel, time,
                                 d->law.leak + d->law.bias);
      sl_capacity_spectrum_average (&spectrum, whole);
      sl_cap_turn (d, whole, sum);
      for (size_t x = 0; x < d->n; x++)
        sum[x] *= time * d->law.leak;
      good = good && sl_cap_profile (snapshot, sink, T_LEAKED_LIMIT, d, sum);
    }
  snapshot->mark = sl_cap_place (d);
  return good ? SL_SUCCESS : sl_survey_no_memory ();
}

/* How capacity leaves the probe's own channel: positions do not matter for that, so all of them are
 * one, and the taps all stay.  */
static SlStatus
survey_channels (SlLabState *s, const Design *d, SlSink *sink, SlSnapshot *snapshot)
{
  size_t  c = (size_t) value_of (s, P_CHANNELS), n = d->layers + 1;
  double  mixing = value_of (s, P_MIXING), *mix = s->work, *rate = mix + c * c, *here = rate + c;
  double *next = here + c, *own, *other, *floor_line;
  SlCapacityKernel  kernel = { 1, { { 0, sl_capacity_centre (&d->kernel)
                                           + sl_capacity_moving (&d->kernel) } } };
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
    if (sl_cap_curve (snapshot, sink, t, n, false) == NULL)
      return sl_survey_no_memory ();
  if ((floor_line = sl_cap_curve (snapshot, sink, T_OWN_FLOOR, 2, false)) == NULL)
    return sl_survey_no_memory ();
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
  if (!add_depth_dots (snapshot, sink, T_OWN_DOTS, s->now->field.own, s->now->field.networks,
                       d->layers, 0, 1.0, false))
    return sl_survey_no_memory ();
  if (d->edge == SL_EDGE_ABSORBING)
    snprintf (snapshot->note, sizeof snapshot->note,
              "The theory is without the edge, where the networks lose some.");
  return SL_SUCCESS;
}

/* The same taps in two dimensions, each weaker by how many more there are. */
static SlStatus
survey_plane (SlLabState *s, const Design *d, SlSink *sink, SlSnapshot *snapshot)
{
  SlCapacityPlaneTap tap[MOST_KERNEL * MOST_KERNEL];
  long     radius = (long) value_of (s, P_RADIUS);
  double   q = d->kernel.tap[0].rate / (double) (2 * radius + 1), *out = s->work, *cells;
  unsigned n = 0;

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
    return sl_survey_no_memory ();
  for (size_t y = 0; y < PLANE; y++)
    for (size_t x = 0; x < PLANE; x++)
      cells[y * PLANE + x] = fmax (out[(y + PLANE / 2 + 1) % PLANE * PLANE
                                       + (x + PLANE / 2 + 1) % PLANE], 0.0);
  snapshot->hi = cells[PLANE * PLANE / 2];
  snapshot->lo = 1e-4 * snapshot->hi;
  snprintf (snapshot->note, sizeof snapshot->note,
            "%zu layers of %u taps, squared shares, on a torus of %d × %d", d->layers, n, PLANE,
            PLANE);
  return SL_SUCCESS;
}

SlStatus
sl_cap_survey (SlLabState *s, unsigned panel, SlSink *sink)
{
  SlStatus    status = SL_SUCCESS;
  SlSnapshot *snapshot = sink->open != NULL ? sink->open (sink, panel) : NULL;
  Design      d;

  if (snapshot == NULL)
    return SL_SUCCESS;
  sl_cap_design (s, &d);
  switch (panel)
    {
    case V_WATERFALL: status = survey_waterfall (s, &d, sink, snapshot); break;
    case V_PROFILE: status = survey_profile (s, &d, sink, snapshot); break;
    case V_DEPTHS: status = survey_depths (s, &d, sink, snapshot); break;
    case V_LEAKED: status = survey_leaked (s, &d, sink, snapshot); break;
    case V_CHANNELS: status = survey_channels (s, &d, sink, snapshot); break;
    case V_PLANE: status = survey_plane (s, &d, sink, snapshot); break;
    default: status = sl_cap_survey_curves (s, panel, sink, snapshot); break;
    }
  if (status.code == SL_ECANCELLED)
    return status;
  /* A failed survey shows what it has, and says why. */
  if (!sl_ok (&status))
    sl_status_text (&status, snapshot->note, sizeof snapshot->note);
  sink->publish (sink, snapshot);
  return status;
}
