/* SPDX-License-Identifier: MIT
 *
 * The panels of the lab `capacity` that show one network's way down: waterfall, input profile,
 * depths.  Theory is computed anew each time.  */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/lab/kit/common.h"
#include "core/labs/capacity/lab.h"

/* Beyond this excess kurtosis a Gaussian is drawn as not to be trusted. */
static const double TRUSTED = 0.3;

double *
sl_capacity_curve (SlSnapshot *snapshot, SlSink *sink, unsigned trace, size_t n, bool spread)
{
  return sl_snapshot_curve (snapshot, sink->layout->first[snapshot->panel][trace], n, spread);
}

bool
sl_capacity_profile (SlSnapshot *snapshot, SlSink *sink, unsigned trace, const Design *d,
                     const double *profile)
{
  double *xy = sl_capacity_curve (snapshot, sink, trace, d->n, false);

  for (size_t x = 0; xy != NULL && x < d->n; x++)
    {
      xy[x] = (double) x - (double) (d->n / 2);
      xy[d->n + x] = profile[x];
    }
  return xy != NULL;
}

void
sl_capacity_rotate (const Design *d, const double *ring, double *profile)
{
  for (size_t x = 0; x < d->n; x++)
    profile[x] = ring[(x + d->n - (size_t) d->x0) % d->n];
}

double
sl_capacity_set_place (const Design *d)
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
  Design             smooth = *d;
  double            *whole = s->work + sl_capacity_spectrum_size (d->n);

  smooth.whole = false;

  sl_capacity_spectrum_init (&spectrum, d->n, s->work);
  for (size_t l = 0; l < d->layers; l++)
    {
      SlCapacityKernel kernel;

      sl_capacity_kernel (&smooth, l, &kernel);
      sl_capacity_spectrum_flow (&spectrum, &kernel, d->law.scale, leak);
    }
  sl_capacity_spectrum_profile (&spectrum, whole);
  sl_capacity_rotate (d, whole, out);
  return true;
}

static double
largest (const Design *d, const double *profile)
{
  double most = 0.0;

  for (size_t x = 0; x < d->n; x++)
    most = fmax (most, profile[x]);
  return most;
}

/* The mean one standard deviation to the left of it from the input up, then to the right of it down:
 * y is the time, and x rises all the way where nothing drifts.  */
static bool
add_sigma (SlLabState *s, const Design *d, SlSink *sink, SlSnapshot *snapshot)
{
  size_t  last = d->layers, n = 2 * last + 1;
  double *xy = sl_capacity_curve (snapshot, sink, T_SIGMA, n, false);

  for (size_t i = 0; xy != NULL && i < n; i++)
    {
      size_t m = i < last ? last - i : i - last;
      double std = sqrt (s->fall.variance[m]);

      xy[i] = sl_capacity_set_place (d) + s->fall.mean[m] + (i < last ? -std : std);
      xy[n + i] = (double) m / (double) last;
    }
  return xy != NULL;
}

/* The power of ten from it up; colours whose ends are such can be read, and stay while one slides. */
static double
power_above (double value)
{
  return pow (10.0, ceil (log10 (value) - 1e-9));
}

static SlStatus
probe_waterfall (SlLabState *s, const Design *d, SlSink *sink, SlSnapshot *snapshot)
{
  size_t  last = d->layers * d->n, rows = d->layers + 1;
  double *cells, left, early;

  if (!sl_capacity_run (s, d, snapshot->note))
    return SL_SUCCESS;
  cells = sl_snapshot_matrix (snapshot, 1, (unsigned) rows, (unsigned) d->n);
  if (cells == NULL)
    return sl_probe_no_memory ();
  memcpy (cells, s->fall.profile, rows * d->n * sizeof *cells);
  /* The first rows are a spike of 1: colours are for what becomes of it, down to what is left at the
   * input where much is lost on the way.  */
  left = largest (d, s->fall.profile + last);
  early = largest (d, s->fall.profile + d->layers / 8 * d->n);
  snapshot->hi = fmin (power_above (fmax (4.0 * left, d->layers < 8 ? 0.0 : early)), 1.0);
  snapshot->lo = fmin (1e-4 * snapshot->hi, 0.1 * power_above (left));
  snapshot->lo = fmax (snapshot->lo, 1e-12 * snapshot->hi);
  snapshot->left = -0.5 * (double) d->n;
  snapshot->right = 0.5 * (double) d->n;
  snapshot->mark = sl_capacity_set_place (d);
  snprintf (snapshot->note, sizeof snapshot->note,
            "%zu layers; at the input mean %.2f, standard deviation %.2f pixels", d->layers,
            drifts (s) ? s->fall.all.mean : 0.0, sqrt (s->fall.all.variance));
  return add_sigma (s, d, sink, snapshot) ? SL_SUCCESS : sl_probe_no_memory ();
}

bool
sl_capacity_dots (SlSnapshot *snapshot, SlSink *sink, unsigned trace, const SlCapacityDots *dots)
{
  size_t  every = 1 + (dots->n - 1) / MOST_DOTS, n = dots->n == 0 ? 0 : (dots->n - 1) / every + 1;
  double *xy;

  if (dots->networks < 2 || n == 0)
    return true;
  xy = sl_capacity_curve (snapshot, sink, trace, n, true);
  for (size_t i = 0; xy != NULL && i < n; i++)
    {
      size_t at = (n - 1 - i) * every;
      double mean = dots->factor * sum_mean (&dots->sum[at], dots->networks);
      double error = dots->factor * sl_capacity_error (&dots->sum[at], dots->networks);

      xy[i] = dots->x0 + dots->dx * (double) at;
      xy[n + i] = dots->root ? sqrt (mean) : mean;
      xy[2 * n + i] = !dots->root ? 2.0 * error : mean > 0.0 ? error / sqrt (mean) : 0.0;
    }
  return xy != NULL;
}

/* Dots where theory has something to compare with: rows of zeros would only hide the axis. */
static bool
add_dots (SlLabState *s, const Design *d, const double *exact, SlSink *sink, SlSnapshot *snapshot)
{
  double least = 1e-6 * largest (d, exact);
  size_t first = 0, last = d->n - 1;

  while (first < last && !(exact[first] > least))
    first++;
  while (last > first && !(exact[last] > least))
    last--;
  return sl_capacity_dots (snapshot, sink, T_DOTS,
                           &(SlCapacityDots) { .sum = s->now->field.profile + first,
                                               .networks = s->now->field.networks,
                                               .n = last - first + 1,
                                               .x0 = (double) first - (double) (d->n / 2),
                                               .dx = 1.0,
                                               .factor = 1.0 });
}

/* Capacity opposite the source says whether the wave has come round. */
static bool
has_wrapped (const Design *d, const double *profile)
{
  return d->edge == SL_EDGE_PERIODIC
         && profile[((size_t) d->x0 + d->n / 2) % d->n] > 0.01 * largest (d, profile);
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
    snprintf (note + at, SL_SNAPSHOT_NOTE - (size_t) at,
              "; too few moves for a Gaussian (γ = %.2f)", trust);
}

static SlStatus
probe_profile (SlLabState *s, const Design *d, SlSink *sink, SlSnapshot *snapshot)
{
  const double *exact = s->fall.profile + d->layers * d->n;
  double       *limit = s->work + sl_capacity_work (d->n) - d->n, trust, kept;
  bool          good, has_limit;

  if (!sl_capacity_run (s, d, snapshot->note))
    return SL_SUCCESS;
  trust = sl_capacity_trust (&s->fall.all);
  has_limit = limit_profile (s, d, limit);
  good = sl_capacity_profile (snapshot, sink, T_EXACT, d, exact)
         && (!has_limit || sl_capacity_profile (snapshot, sink, T_LIMIT, d, limit));
  if (isfinite (trust))
    {
      kept = sl_capacity_sum (d->n, exact);
      for (size_t x = 0; x < d->n; x++)
        limit[x] = kept
                   * sl_capacity_gaussian ((double) x, (double) d->x0 + s->fall.all.mean,
                                           s->fall.all.variance);
      good = good
             && sl_capacity_profile (
               snapshot, sink, fabs (trust) > TRUSTED ? T_POOR_GAUSSIAN : T_GAUSSIAN, d, limit);
    }
  good = good && add_dots (s, d, exact, sink, snapshot);
  snapshot->mark = sl_capacity_set_place (d);
  note_profile (d, s, trust, has_limit, snapshot->note);
  return good ? SL_SUCCESS : sl_probe_no_memory ();
}

double
sl_capacity_agreement (SlLabState *s, double *distance)
{
  const Field *field = &s->now->field;
  Design       d;
  char         note[SL_SNAPSHOT_NOTE];
  size_t       within = 0;

  *distance = NAN;
  sl_capacity_design (s, &d);
  if (field->networks < 2 || !sl_capacity_run (s, &d, note))
    return NAN;
  *distance = 0.0;
  for (size_t x = 0; x < d.n; x++)
    {
      double mean = sum_mean (&field->profile[x], field->networks);
      double apart = fabs (mean - s->fall.profile[d.layers * d.n + x]);

      *distance += 0.5 * apart;
      within += apart <= 2.0 * sl_capacity_error (&field->profile[x], field->networks);
    }
  return (double) within / (double) d.n;
}

static SlStatus
probe_depths (SlLabState *s, const Design *d, SlSink *sink, SlSnapshot *snapshot)
{
  double *std, *mean;
  size_t  n = d->layers;

  if (!sl_capacity_run (s, d, snapshot->note))
    return SL_SUCCESS;
  std = sl_capacity_curve (snapshot, sink, T_DEPTH_STD, n, false);
  for (size_t m = 1; std != NULL && m <= n; m++)
    {
      std[m - 1] = (double) m;
      std[n + m - 1] = sqrt (s->fall.variance[m]);
    }
  mean = !drifts (s) ? std : sl_capacity_curve (snapshot, sink, T_DEPTH_MEAN, n, false);
  for (size_t m = 1; drifts (s) && mean != NULL && m <= n; m++)
    {
      mean[m - 1] = (double) m;
      mean[n + m - 1] = fabs (s->fall.mean[m]);
    }
  if (std == NULL || mean == NULL
      || !sl_capacity_dots (snapshot, sink, T_DEPTH_DOTS,
                            &(SlCapacityDots) { .sum = s->now->field.width + 1,
                                                .networks = s->now->field.networks,
                                                .n = n,
                                                .x0 = 1.0,
                                                .dx = 1.0,
                                                .factor = 1.0,
                                                .root = true }))
    return sl_probe_no_memory ();
  return SL_SUCCESS;
}

SlStatus
sl_capacity_probe (SlLabState *s, unsigned panel, SlSink *sink)
{
  SlStatus    status = SL_SUCCESS;
  SlSnapshot *snapshot = sink->open != NULL ? sink->open (sink, panel) : NULL;
  Design      d;

  if (snapshot == NULL)
    return SL_SUCCESS;
  sl_capacity_design (s, &d);
  switch (panel)
    {
    case V_WATERFALL: status = probe_waterfall (s, &d, sink, snapshot); break;
    case V_PROFILE: status = probe_profile (s, &d, sink, snapshot); break;
    case V_DEPTHS: status = probe_depths (s, &d, sink, snapshot); break;
    default: status = sl_capacity_probe_curves (s, panel, sink, snapshot); break;
    }
  if (status.code == SL_ECANCELLED)
    return status;
  /* A failed probe shows what it has, and says why. */
  if (!sl_ok (&status))
    sl_status_text (&status, snapshot->note, sizeof snapshot->note);
  sink->publish (sink, snapshot);
  return status;
}
