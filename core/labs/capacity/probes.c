/* SPDX-License-Identifier: MIT
 *
 * The panels of the lab `capacity` that show one network's way down: waterfall, input profile,
 * depths.  Theory is computed anew each time.  */
#include <math.h>
#include <string.h>

#include "core/labs/capacity/probes.h"

/* Beyond this excess kurtosis a Gaussian is drawn as not to be trusted. */
static const double TRUSTED = 0.3;

void
sl_capacity_profile (SlProbe *p, unsigned trace, const Design *d, const double *profile)
{
  double *xy = sl_probe_curve (p, trace, 0, d->n, false);

  for (size_t x = 0; xy != NULL && x < d->n; x++)
    {
      xy[x] = (double) x - (double) (d->n / 2);
      xy[d->n + x] = profile[x];
    }
}

bool
sl_capacity_fall (SlProbe *p, Design *d)
{
  SlCapacityLab *s = sl_capacity_lab (p->state);

  sl_capacity_design (s, d);
  return sl_capacity_run (s, d, &p->snapshot->note);
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
limit_profile (SlCapacityLab *s, const Design *d, double *out)
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
static void
add_sigma (SlProbe *p, const SlCapacityLab *s, const Design *d)
{
  size_t  last = d->layers, n = 2 * last + 1;
  double *xy = sl_probe_curve (p, T_SIGMA, 0, n, false);

  for (size_t i = 0; xy != NULL && i < n; i++)
    {
      size_t m = i < last ? last - i : i - last;
      double std = sqrt (s->fall.variance[m]);

      xy[i] = sl_capacity_set_place (d) + s->fall.mean[m] + (i < last ? -std : std);
      xy[n + i] = (double) m / (double) last;
    }
}

/* The power of ten from it up; colours whose ends are such can be read, and stay while one slides. */
static double
power_above (double value)
{
  return pow (10.0, ceil (log10 (value) - 1e-9));
}

static void
probe_waterfall (SlProbe *p)
{
  SlCapacityLab *s = sl_capacity_lab (p->state);
  size_t         last, rows;
  double        *cells, left, early;
  Design         d;

  if (!sl_capacity_fall (p, &d))
    return;
  last = d.layers * d.n;
  rows = d.layers + 1;
  cells = sl_probe_matrix (p, 1, rows, d.n);
  if (cells == NULL)
    return;
  memcpy (cells, s->fall.profile, rows * d.n * sizeof *cells);
  /* The first rows are a spike of 1: colours are for what becomes of it, down to what is left at the
   * input where much is lost on the way.  */
  left = largest (&d, s->fall.profile + last);
  early = largest (&d, s->fall.profile + d.layers / 8 * d.n);
  p->snapshot->hi = fmin (power_above (fmax (4.0 * left, d.layers < 8 ? 0.0 : early)), 1.0);
  p->snapshot->lo = fmin (1e-4 * p->snapshot->hi, 0.1 * power_above (left));
  p->snapshot->lo = fmax (p->snapshot->lo, 1e-12 * p->snapshot->hi);
  p->snapshot->left = -0.5 * (double) d.n;
  p->snapshot->right = 0.5 * (double) d.n;
  p->snapshot->mark = sl_capacity_set_place (&d);
  sl_probe_note (p, "%zu layers; at the input mean %.2f, spread %.2f pixels", d.layers,
                 drifts (s) ? s->fall.all.mean : 0.0, sqrt (s->fall.all.variance));
  add_sigma (p, s, &d);
}

void
sl_capacity_dots (SlProbe *p, unsigned trace, const SlCapacityDots *dots)
{
  size_t  every = 1 + (dots->n - 1) / MOST_DOTS, n = dots->n == 0 ? 0 : (dots->n - 1) / every + 1;
  double *xy = dots->networks < 2 || n == 0 ? NULL : sl_probe_curve (p, trace, 0, n, true);

  for (size_t i = 0; xy != NULL && i < n; i++)
    {
      size_t at = (n - 1 - i) * every;
      double mean = dots->factor * sum_mean (&dots->sum[at], dots->networks);
      double error = dots->factor * sl_capacity_error (&dots->sum[at], dots->networks);

      xy[i] = dots->x0 + dots->dx * (double) at;
      xy[n + i] = dots->root ? sqrt (mean) : mean;
      xy[2 * n + i] = !dots->root ? 2.0 * error : mean > 0.0 ? error / sqrt (mean) : 0.0;
    }
}

void
sl_capacity_dots_near (SlProbe *p, unsigned trace, const double *exact, SlCapacityDots dots)
{
  size_t first = 0, last = dots.n - 1;
  double least = 0.0;

  for (size_t x = 0; x < dots.n; x++)
    least = fmax (least, 1e-6 * exact[x]);
  while (first < last && !(exact[first] > least))
    first++;
  while (last > first && !(exact[last] > least))
    last--;
  dots.sum += first;
  dots.x0 = (double) first - (double) (dots.n / 2);
  dots.dx = 1.0;
  dots.n = last - first + 1;
  sl_capacity_dots (p, trace, &dots);
}

/* Capacity opposite the source says whether the wave has come round. */
static bool
has_wrapped (const Design *d, const double *profile)
{
  return d->edge == SL_EDGE_PERIODIC
         && profile[((size_t) d->x0 + d->n / 2) % d->n] > 0.01 * largest (d, profile);
}

static void
note_profile (SlProbe *p, const Design *d, const SlCapacityLab *s, double trust, bool limit)
{
  sl_probe_note (p, "%llu networks", (unsigned long long) s->now->field.networks);
  if (has_wrapped (d, s->fall.profile + d->layers * d->n))
    sl_probe_note (p, "; wider than the lattice: use more positions");
  if (!limit)
    sl_probe_note (p, "; no known limit for this boundary");
  if (fabs (trust) > TRUSTED)
    sl_probe_note (p, "; too few moves for a Gaussian (γ = %.2f)", trust);
}

static void
probe_profile (SlProbe *p)
{
  SlCapacityLab *s = sl_capacity_lab (p->state);
  Design         d;
  double        *exact, *limit, trust, kept;
  bool           has_limit;

  if (!sl_capacity_fall (p, &d))
    return;
  exact = s->fall.profile + d.layers * d.n;
  limit = s->work + sl_capacity_work (d.n) - d.n;
  trust = sl_capacity_trust (&s->fall.all);
  has_limit = limit_profile (s, &d, limit);
  sl_capacity_profile (p, T_EXACT, &d, exact);
  if (has_limit)
    sl_capacity_profile (p, T_LIMIT, &d, limit);
  if (isfinite (trust))
    {
      kept = sl_capacity_sum (d.n, exact);
      for (size_t x = 0; x < d.n; x++)
        limit[x] = kept
                   * sl_capacity_gaussian ((double) x, (double) d.x0 + s->fall.all.mean,
                                           s->fall.all.variance);
      sl_capacity_profile (p, fabs (trust) > TRUSTED ? T_POOR_GAUSSIAN : T_GAUSSIAN, &d, limit);
    }
  sl_capacity_dots_near (
    p, T_DOTS, exact,
    (SlCapacityDots) {
      .sum = s->now->field.profile, .networks = s->now->field.networks, .n = d.n, .factor = 1.0 });
  p->snapshot->mark = sl_capacity_set_place (&d);
  note_profile (p, &d, s, trust, has_limit);
}

double
sl_capacity_agreement (SlCapacityLab *s, double *distance)
{
  const Field *field = &s->now->field;
  Design       d;
  SlMessage    note;
  size_t       within = 0;

  *distance = NAN;
  sl_capacity_design (s, &d);
  if (field->networks < 2 || !sl_capacity_run (s, &d, &note))
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

/* clang-format off */
const SlProbePanel sl_capacity_probes[N_PANELS] = {
  [V_ALIVE] = sl_capacity_probe_alive,
  [V_WATERFALL] = probe_waterfall, [V_PROFILE] = probe_profile,
  [V_SPREAD] = sl_capacity_probe_spread, [V_WHERE] = sl_capacity_probe_where,
  [V_MEMORY] = sl_capacity_probe_memory, [V_TRANSFER] = sl_capacity_probe_transfer,
  [V_TOY] = sl_capacity_probe_toy,
  [V_SKIP] = sl_capacity_probe_skip, [V_TRACE] = sl_capacity_probe_trace,
  [V_COSINES] = sl_capacity_probe_cosines, [V_ANGLE] = sl_capacity_probe_angle,
  [V_LEAKED] = sl_capacity_probe_leaked, [V_CHANNELS] = sl_capacity_probe_channels,
  [V_PLANE] = sl_capacity_probe_plane, [V_AXIS] = sl_capacity_probe_axis, [V_SKIPS] = sl_capacity_probe_skips,
};
/* clang-format on */
