/* SPDX-License-Identifier: MIT
 *
 * The panels of the lab `sign-estimator` that need a computation of their own: what other ranks
 * would do, the spectrum, filters.  They read the weights and use the tape as
 * scratch, which every step fills anew.  */
#include "core/labs/sign-estimator/lab.h"

#include <float.h>
#include <math.h>

#include "core/lab/kit/probe.h"
#include "core/nn/kernels/mat.h"

enum {
  PROBE = 256, /* validation examples for the curves against rank */
  RANKS = 64,  /* points of these curves, at most */
  TILES = 64,  /* filters shown */
};

/* Ranks worth a point: roughly eight a decade, and both ends. */
static unsigned
rank_grid (size_t most, size_t *rank, unsigned room)
{
  unsigned n = 0;
  size_t   last = 0;

  for (unsigned i = 0; n + 1 < room; i++)
    {
      size_t r = (size_t) lrint (pow (10.0, i / 8.0));

      if (r >= most)
        break;
      if (r != last)
        rank[n++] = last = r;
    }
  rank[n++] = most;
  return n;
}

/* The best estimates of every rank at once.  With the eigenvectors of W'W (or of WW' if that
 * is smaller) as `basis` (r, r) rows, W a = Σ_i left_i right_i'a; partial sums of it are the
 * estimates.  `left` (H, r), `low` (n, r).  */
static void
split_layer (SlSignLab *s, unsigned l, size_t n, const sl_real *basis, sl_real *left, sl_real *low)
{
  size_t         inputs = s->net.inputs[l], units = sl_net_units (&s->net, l);
  const sl_real *w = sl_net_weight (&s->net, l), *x = s->tape.read[l];

  if (units >= inputs)
    {
      sl_mat_mul (SL_PLAIN, SL_TRANSPOSED, units, inputs, inputs, 1, w, inputs, basis, inputs, 0,
                  left, inputs);
      sl_mat_mul (SL_PLAIN, SL_TRANSPOSED, n, inputs, inputs, 1, x, inputs, basis, inputs, 0, low,
                  inputs);
      return;
    }
  /* pre - b = W a; its coordinates along the left singular directions. */
  sl_real *product = s->tape.delta[0];

  sl_mat_mul (SL_PLAIN, SL_TRANSPOSED, n, units, inputs, 1, x, inputs, w, inputs, 0, product,
              units);
  sl_mat_mul (SL_PLAIN, SL_TRANSPOSED, n, units, units, 1, product, units, basis, units, 0, low,
              units);
  for (size_t i = 0; i < units; i++)
    for (size_t j = 0; j < units; j++)
      left[i * units + j] = basis[j * units + i];
}

/* W'W or WW', whichever is smaller, (r, r). */
static size_t
gram (const SlSignLab *s, unsigned l, sl_real *square)
{
  size_t         inputs = s->net.inputs[l], units = sl_net_units (&s->net, l);
  const sl_real *w = sl_net_weight (&s->net, l);

  if (units >= inputs)
    sl_mat_mul (SL_TRANSPOSED, SL_PLAIN, inputs, inputs, units, 1, w, inputs, w, inputs, 0, square,
                inputs);
  else
    sl_mat_mul (SL_PLAIN, SL_TRANSPOSED, units, units, inputs, 1, w, inputs, w, inputs, 0, square,
                units);
  return units >= inputs ? inputs : units;
}

/* True where the relative error is undefined. */
static bool
probe_layer_ranks (SlProbe *p, SlSignLab *s, unsigned l, size_t examples)
{
  size_t   units = sl_net_units (&s->net, l), most = s->predictor[l].svd.most;
  size_t   n = examples * s->net.places[l], rank[RANKS], done = 0;
  unsigned n_ranks = rank_grid (most, rank, RANKS);
  sl_real *basis = sl_probe_room (p, most * most, sizeof *basis);
  sl_real *values = sl_probe_room (p, most, sizeof *values);
  sl_real *left = sl_probe_room (p, units * most, sizeof *left);
  sl_real *low = sl_probe_room (p, n * most, sizeof *low);
  sl_real *est = sl_probe_room (p, n * units, sizeof *est);
  double   x[RANKS], y[RANKS], gated[RANKS];
  bool     undefined = false;

  if (!sl_ok (&p->status))
    return false;
  gram (s, l, basis);
  if (!sl_probe_ok (p, sl_mat_eigen (most, basis, values, true)))
    return false;
  split_layer (s, l, n, basis, left, low);
  for (size_t e = 0; e < n; e++)
    for (size_t i = 0; i < units; i++)
      est[e * units + i] = (sl_sign_bias (s, l) != NULL ? sl_sign_bias (s, l)[i] : 0)
                           - (sl_real) s->base.settings.value[P_THETA].v[l];
  for (unsigned r = 0; r < n_ranks && !sl_probe_cancelled (p); r++)
    {
      SlSigns signs = { 0 };

      sl_mat_mul (SL_PLAIN, SL_TRANSPOSED, n, units, rank[r] - done, 1, low + done, most,
                  left + done, most, 1, est, units);
      done = rank[r];
      sl_signs_count (n * units, s->tape.pre[l], est, &signs);
      x[r] = (double) rank[r];
      y[r] = sl_signs_estimate_error (&signs);
      gated[r] = sl_signs_gated_error (&signs);
      undefined |= isnan (gated[r]);
    }
  if (!sl_ok (&p->status))
    return false;
  sl_probe_points (p, 0, l, n_ranks, x, y);
  sl_probe_points (p, 1, l, n_ranks, x, gated);
  return undefined;
}

bool
sl_sign_probe_rectifies (SlProbe *p)
{
  SlSignLab *s = sl_sign_lab (p->state);
  bool       rectifies = sl_activation_has_sign (s->net.activation);

  if (sl_sign_has_gates (s))
    sl_probe_note (p, "Gated units have no sign that matters.");
  else if (!rectifies)
    sl_probe_note (p, "tanh is never off, so its signs are not estimated.");
  return rectifies;
}

static void
probe_ranks (SlProbe *p)
{
  SlSignLab *s = sl_sign_lab (p->state);
  SlEstimate none = { .mode = SL_ESTIMATE_OFF };
  bool       undefined = false;
  size_t     n;

  if (!sl_sign_probe_rectifies (p))
    return;
  n = sl_sign_run_validation (s, PROBE, &none);
  sl_probe_note (p, "%zu validation examples, weights after update %llu", n,
                 (unsigned long long) s->base.now.t);
  for (unsigned l = 0; l < s->hidden && !sl_probe_cancelled (p); l++)
    undefined |= probe_layer_ranks (p, s, l, n);
  if (undefined)
    sl_probe_note (p, "; undefined where nothing is on");
}

/* Singular values come from the squares of the weights, so those below are rounding. */
static double
rounding_of (double largest)
{
  return sqrt (sizeof (sl_real) == sizeof (float) ? FLT_EPSILON : DBL_EPSILON) * largest;
}

/* *lost: below this, values are lost to rounding; 0 as long as none is. */
static void
probe_layer_spectrum (SlProbe *p, SlSignLab *s, unsigned l, double *lost)
{
  size_t   most = s->predictor[l].svd.most, rank = s->predictor[l].svd.rank;
  sl_real *square = sl_probe_room (p, most * most, sizeof *square);
  sl_real *values = sl_probe_room (p, most, sizeof *values);
  double  *curve, at;

  if (!sl_ok (&p->status))
    return;
  gram (s, l, square);
  if (!sl_probe_ok (p, sl_mat_eigen (most, square, values, false)))
    return;
  curve = sl_probe_curve (p, 0, l, most, false);
  for (size_t i = 0; curve != NULL && i < most; i++)
    {
      curve[i] = (double) (i + 1);
      curve[most + i] = sqrt (values[i] > 0 ? values[i] : 0.0);
    }
  if (curve != NULL && curve[most + most - 1] < rounding_of (curve[most]))
    *lost = fmax (*lost, rounding_of (curve[most]));
  /* The rank in use, as one point on its curve. */
  if (curve == NULL || !s->now->factored || rank == 0)
    return;
  at = curve[most + rank - 1];
  sl_probe_points (p, 1, l, 1, &(double) { (double) rank }, &at);
}

static void
probe_spectrum (SlProbe *p)
{
  SlSignLab *s = sl_sign_lab (p->state);
  double     lost = 0.0;

  for (unsigned l = 0; sl_sign_probe_rectifies (p) && l < s->hidden && !sl_probe_cancelled (p); l++)
    probe_layer_spectrum (p, s, l, &lost);
  if (lost > 0.0)
    sl_probe_note (p, "below %.2g, values are lost to rounding", lost);
}

bool
sl_sign_probe_estimate (SlProbe *p, SlEstimate *gated)
{
  SlSignLab *s = sl_sign_lab (p->state);

  *gated = sl_sign_estimate (s);
  if (!sl_sign_has_gates (s) && !sl_sign_probe_rectifies (p))
    return false;
  if (gated->mode == SL_ESTIMATE_OFF)
    {
      sl_probe_note (p, "The estimator is off.");
      return false;
    }
  gated->mode = SL_ESTIMATE_GATE;
  return true;
}

static void
probe_filters (SlProbe *p)
{
  SlSignLab       *s = sl_sign_lab (p->state);
  const SlDataset *d = s->base.dataset;
  bool             kernels = s->net.convolutions > 0;
  size_t           side = s->net.patches[0].side, units = sl_net_units (&s->net, 0);
  size_t           height = kernels ? side : d->height, width = kernels ? side : d->width;
  size_t           area = height * width;
  unsigned         tiles = (unsigned) (units < TILES ? units : TILES);
  double          *pixels;

  if (area == 0)
    {
      sl_probe_note (p, "The data are not images.");
      return;
    }
  pixels = sl_probe_matrix (p, tiles, height, width);
  if (pixels == NULL)
    return;
  p->snapshot->lo = -1.0;
  p->snapshot->hi = 1.0;
  for (unsigned t = 0; t < tiles; t++)
    {
      const sl_real *w = sl_net_weight (&s->net, 0) + t * s->net.inputs[0];
      double        *tile = pixels + t * area, largest = 0.0;

      /* Colour images show the mean over their channels. */
      for (size_t i = 0; i < area; i++)
        {
          for (unsigned c = 0; c < d->channels; c++)
            tile[i] += (double) w[kernels ? i * d->channels + c : c * area + i];
          if (fabs (tile[i]) > largest)
            largest = fabs (tile[i]);
        }
      for (size_t i = 0; largest > 0.0 && i < area; i++)
        tile[i] /= largest;
    }
}

const SlProbePanel sl_sign_probes[N_PANELS] = {
  [V_SPEED] = sl_sign_probe_speed,
  [V_ALIVE] = sl_sign_probe_alive,
  [V_MAGNITUDE] = sl_sign_probe_magnitude,
  [V_PREDICTORS] = sl_sign_probe_predictors,
  [V_CURVES] = sl_sign_probe_curves,
  [V_TIMES] = sl_sign_probe_times,
  [V_RANK_ERROR] = probe_ranks,
  [V_SPECTRUM] = probe_spectrum,
  [V_FILTERS] = probe_filters,
};
