/* SPDX-License-Identifier: MIT
 *
 * The panels of the lab `sign-estimator` that need a computation of their own: what other
 * ranks would do, the spectrum, timed kernels, filters.  They read the weights and use the
 * tape as scratch, which every step fills anew.  */
#include "core/labs/sign-estimator/lab.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/lab/kit/common.h"
#include "core/lab/kit/distance.h"
#include "core/nn/dense/act.h"
#include "core/nn/dense/dense.h"
#include "core/nn/kernels/gather.h"
#include "core/nn/kernels/mat.h"

enum {
  PROBE = 256, /* validation examples for the curves against rank */
  TILES = 64,  /* filters shown */
  TIMED = 64,  /* the larger batch of the timings */
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
split_layer (SlLabState *s, unsigned l, size_t n, const sl_real *basis, sl_real *left, sl_real *low)
{
  size_t         inputs = s->net.width[l], units = s->net.width[l + 1];
  const sl_real *w = sl_net_weight (&s->net, l), *x = s->tape.x[l];

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
gram (const SlLabState *s, unsigned l, sl_real *square)
{
  size_t         inputs = s->net.width[l], units = s->net.width[l + 1];
  const sl_real *w = sl_net_weight (&s->net, l);

  if (units >= inputs)
    sl_mat_mul (SL_TRANSPOSED, SL_PLAIN, inputs, inputs, units, 1, w, inputs, w, inputs, 0, square,
                inputs);
  else
    sl_mat_mul (SL_PLAIN, SL_TRANSPOSED, units, units, inputs, 1, w, inputs, w, inputs, 0, square,
                units);
  return units >= inputs ? inputs : units;
}

static SlStatus
probe_layer_ranks (SlLabState *s, unsigned panel, unsigned l, size_t n, SlSink *sink,
                   SlSnapshot *snapshot)
{
  size_t   units = s->net.width[l + 1], most = s->factors[l].most, rank[64], done = 0;
  unsigned n_ranks = rank_grid (most, rank, 64), curves = panel == V_RANK_ERROR ? 2 : 1;
  SlArena  arena = { 0 };
  sl_real *basis, *values, *left, *low, *est, theta = (sl_real) value_of (s, P_THETA);
  double  *out[2];
  size_t   numbers = most * most + most + units * most + n * most + n * units;
  SlStatus status = sl_arena_init (&arena, numbers * sizeof (sl_real) + 5 * 64);

  if (!sl_ok (&status))
    return status;
  basis = sl_arena_reals (&arena, most * most);
  values = sl_arena_reals (&arena, most);
  left = sl_arena_reals (&arena, units * most);
  low = sl_arena_reals (&arena, n * most);
  est = sl_arena_reals (&arena, n * units);
  gram (s, l, basis);
  status = sl_mat_eigen (most, basis, values, true);
  if (!sl_ok (&status))
    goto out;
  split_layer (s, l, n, basis, left, low);

  for (size_t e = 0; e < n; e++)
    for (size_t i = 0; i < units; i++)
      est[e * units + i] = sl_net_bias (&s->net, l)[i] - theta;
  /* The second curve may move the first, so both places are taken before writing. */
  for (unsigned c = 0; c < curves; c++)
    if (sl_snapshot_curve (snapshot, sink->layout->first[panel][c] + l, n_ranks, false) == NULL)
      {
        status = sl_probe_no_memory ();
        goto out;
      }
  for (unsigned c = 0; c < curves; c++)
    out[c] = snapshot->data + snapshot->curve[snapshot->n_curves - curves + c].offset;
  for (unsigned r = 0; r < n_ranks; r++)
    {
      SlSigns signs = { 0 };

      if (sl_sink_hurry (sink))
        {
          status = sl_probe_cancelled ();
          goto out;
        }

      sl_mat_mul (SL_PLAIN, SL_TRANSPOSED, n, units, rank[r] - done, 1, low + done, most,
                  left + done, most, 1, est, units);
      done = rank[r];
      sl_signs_count (n * units, s->tape.pre[l], est, &signs);
      for (unsigned c = 0; c < curves; c++)
        out[c][r] = (double) rank[r];
      if (panel == V_RANK_AGREEMENT)
        out[0][n_ranks + r] = 100.0 * sl_signs_agreement (&signs);
      else
        {
          out[0][n_ranks + r] = sl_signs_estimate_error (&signs);
          out[1][n_ranks + r] = sl_signs_gated_error (&signs);
        }
    }
out:
  sl_arena_clear (&arena);
  return status;
}

static SlStatus
probe_ranks (SlLabState *s, unsigned panel, SlSink *sink, SlSnapshot *snapshot)
{
  SlEstimate none = { .mode = SL_ESTIMATE_OFF };
  SlStatus   status = SL_SUCCESS;
  size_t     n = sl_sign_run_validation (s, PROBE, &none);

  snprintf (snapshot->note, sizeof snapshot->note,
            "%zu validation examples, weights after update %llu", n, (unsigned long long) s->now.t);
  for (unsigned l = 0; l < s->hidden && sl_ok (&status); l++)
    status = sl_sink_hurry (sink) ? sl_probe_cancelled ()
                                  : probe_layer_ranks (s, panel, l, n, sink, snapshot);
  return status;
}

static SlStatus
probe_spectrum (SlLabState *s, SlSink *sink, SlSnapshot *snapshot)
{
  SlStatus status = SL_SUCCESS;

  for (unsigned l = 0; l < s->hidden && sl_ok (&status); l++)
    {
      size_t   most = s->factors[l].most, cut = s->factors[l].rank;
      sl_real *square = malloc ((most + 1) * most * sizeof *square), *values = square + most * most;
      double  *curve, *mark;

      if (square == NULL)
        return sl_probe_no_memory ();
      if (sl_sink_hurry (sink))
        {
          free (square);
          return sl_probe_cancelled ();
        }
      gram (s, l, square);
      status = sl_mat_eigen (most, square, values, false);
      curve = sl_ok (&status)
                ? sl_snapshot_curve (snapshot, sink->layout->first[V_SPECTRUM][0] + l, most, false)
                : NULL;
      if (sl_ok (&status) && curve == NULL)
        status = sl_probe_no_memory ();
      for (size_t i = 0; curve != NULL && i < most; i++)
        {
          curve[i] = (double) (i + 1);
          curve[most + i] = sqrt (values[i] > 0 ? values[i] : 0.0);
        }
      /* The rank in use, as one point on its curve. */
      if (curve != NULL && s->now.factored && cut > 0)
        {
          double at = curve[most + cut - 1];

          mark = sl_snapshot_curve (snapshot, sink->layout->first[V_SPECTRUM][1] + l, 1, false);
          if (mark != NULL)
            {
              mark[0] = (double) cut;
              mark[1] = at;
            }
        }
      free (square);
    }
  return status;
}

/* A forward pass as one would deploy it, dense. */
static void
run_dense (SlLabState *s, size_t batch)
{
  const SlNet *net = &s->net;

  for (unsigned l = 0; l < net->layers; l++)
    {
      size_t         inputs = net->width[l], units = net->width[l + 1];
      sl_real       *y = s->tape.x[l + 1];
      const sl_real *bias = sl_net_bias (net, l);

      if (batch == 1)
        {
          sl_mat_vec (units, inputs, sl_net_weight (net, l), inputs, s->tape.x[l], y);
          for (size_t i = 0; i < units; i++)
            y[i] += bias[i];
        }
      else
        sl_dense_forward (batch, inputs, units, s->tape.x[l], sl_net_weight (net, l), bias, y);
      if (l < s->hidden)
        sl_relu_forward (batch * units, y, y);
    }
}

/* The same with estimates first and then only the units that they switch on. */
static void
run_conditional (SlLabState *s, size_t batch, const SlEstimate *estimate)
{
  const SlNet *net = &s->net;

  for (unsigned l = 0; l < net->layers; l++)
    {
      size_t         inputs = net->width[l], units = net->width[l + 1];
      sl_real       *x = s->tape.x[l], *y = s->tape.x[l + 1], *est = s->tape.est[l];
      const sl_real *w = sl_net_weight (net, l), *bias = sl_net_bias (net, l);

      if (l == s->hidden)
        {
          sl_dense_forward (batch, inputs, units, x, w, bias, y);
          continue;
        }
      sl_lowrank_estimate (&s->factors[l], batch, x, bias, estimate->theta, s->tape.low, est);
      if (batch == 1)
        {
          size_t n_rows = sl_gather_rows (units, est, s->rows);

          memset (y, 0, units * sizeof *y);
          sl_gather_vec (inputs, w, bias, x, s->rows, n_rows, y);
          sl_relu_forward (units, y, y);
          continue;
        }
      for (size_t i = 0; i < batch * units; i++)
        s->gate[i] = est[i] > 0;
      sl_gather_relu (batch, inputs, units, w, bias, x, s->gate, y);
    }
}

/* What the two sides of a timing run. */
typedef struct
{
  SlLabState       *s;
  size_t            batch;
  const SlEstimate *estimate;
} Pass;

static void
pass_dense (void *data)
{
  Pass *pass = data;

  run_dense (pass->s, pass->batch);
}

static void
pass_conditional (void *data)
{
  Pass *pass = data;

  run_conditional (pass->s, pass->batch, pass->estimate);
}

static SlStatus
probe_speed (SlLabState *s, SlSink *sink, SlSnapshot *snapshot)
{
  SlEstimate estimate = sl_sign_estimate (s), gated = estimate;
  double     computed[MOST_HIDDEN], truth[MOST_HIDDEN], *bars;
  size_t     n;

  if (estimate.mode == SL_ESTIMATE_OFF)
    {
      snprintf (snapshot->note, sizeof snapshot->note, "The estimator is off.");
      return SL_SUCCESS;
    }
  gated.mode = SL_ESTIMATE_GATE;
  n = sl_sign_run_validation (s, TIMED, &gated);
  for (unsigned l = 0; l < s->hidden; l++)
    {
      SlSigns signs = { 0 };

      sl_signs_count (n * s->net.width[l + 1], s->tape.pre[l], s->tape.est[l], &signs);
      computed[l] = sl_signs_density (&signs);
      truth[l] = sl_signs_truth (&signs);
    }
  bars = sl_snapshot_curve (snapshot, sink->layout->first[V_SPEED][0], 4, false);
  if (bars == NULL)
    return sl_probe_no_memory ();
  for (int i = 0; i < 4; i++)
    bars[i] = i;
  bars[4] = 1.0 / sl_sign_expected (s, truth);
  bars[5] = 1.0 / sl_sign_executed (s, computed);
  bars[6] = sl_time_ratio (pass_dense, pass_conditional, &(Pass) { s, 1, &gated }, sink);
  bars[7] = sl_time_ratio (pass_dense, pass_conditional, &(Pass) { s, n, &gated }, sink);
  if (!isfinite (bars[6]) || !isfinite (bars[7]))
    return sl_probe_cancelled ();
  snprintf (snapshot->note, sizeof snapshot->note,
            "Kernel %s, %u thread%s; weights after update %llu", sl_blas_kernel (),
            sl_blas_threads (), sl_blas_threads () == 1 ? "" : "s", (unsigned long long) s->now.t);
  return SL_SUCCESS;
}

static SlStatus
probe_filters (SlLabState *s, SlSnapshot *snapshot)
{
  const SlDataset *d = s->dataset;
  size_t           area = (size_t) d->width * d->height, units = s->net.width[1];
  unsigned         tiles = (unsigned) (units < TILES ? units : TILES);
  double          *pixels;

  if (area == 0)
    {
      snprintf (snapshot->note, sizeof snapshot->note, "The data are not images.");
      return SL_SUCCESS;
    }
  pixels = sl_snapshot_matrix (snapshot, tiles, d->height, d->width);
  if (pixels == NULL)
    return sl_probe_no_memory ();
  snapshot->lo = -1.0;
  snapshot->hi = 1.0;
  for (unsigned t = 0; t < tiles; t++)
    {
      const sl_real *w = sl_net_weight (&s->net, 0) + t * s->net.width[0];
      double        *tile = pixels + t * area, largest = 0.0;

      /* Colour images show the mean over their channels. */
      for (size_t i = 0; i < area; i++)
        {
          for (unsigned c = 0; c < d->channels; c++)
            tile[i] += (double) w[c * area + i];
          if (fabs (tile[i]) > largest)
            largest = fabs (tile[i]);
        }
      for (size_t i = 0; largest > 0.0 && i < area; i++)
        tile[i] /= largest;
    }
  return SL_SUCCESS;
}

/* Dense activations of one half of the probe against gated ones of the other. */
static SlStatus
probe_distance (SlLabState *s, SlSink *sink, SlSnapshot *snapshot)
{
  SlEstimate none = { .mode = SL_ESTIMATE_OFF }, gated = sl_sign_estimate (s);
  SlDistance distance[MOST_HIDDEN];
  SlArena    arena = { 0 };
  sl_real   *kept[MOST_HIDDEN];
  SlStatus   status = SL_SUCCESS;
  size_t     n;

  if (gated.mode == SL_ESTIMATE_OFF)
    {
      snprintf (snapshot->note, sizeof snapshot->note, "The estimator is off.");
      return SL_SUCCESS;
    }
  gated.mode = SL_ESTIMATE_GATE;
  n = sl_sign_run_validation (s, 2 * SL_DISTANCE_SAMPLES, &none);
  for (int pass = 0; pass < 2 && sl_ok (&status); pass++)
    {
      arena.used = 0;
      for (unsigned l = 0; l < s->hidden; l++)
        kept[l] = sl_arena_reals (&arena, n * s->net.width[l + 1]);
      if (pass == 0)
        status = sl_arena_init (&arena, arena.used);
    }
  if (!sl_ok (&status))
    return status;
  for (unsigned l = 0; l < s->hidden; l++)
    memcpy (kept[l], s->tape.x[l + 1], n * s->net.width[l + 1] * sizeof *kept[l]);
  sl_sign_run_validation (s, n, &gated);
  for (unsigned l = 0; l < s->hidden && sl_ok (&status); l++)
    {
      size_t units = s->net.width[l + 1], half = n / 2;

      if (sl_sink_hurry (sink))
        status = sl_probe_cancelled ();
      else
        distance[l] = sl_distance (units, half, kept[l], kept[l] + half * units,
                                   s->tape.x[l + 1] + half * units);
    }
  sl_arena_clear (&arena);
  if (sl_ok (&status))
    status = sl_distance_show (snapshot, sink->layout->first[V_DISTANCE][0], s->hidden, distance);
  snprintf (snapshot->note, sizeof snapshot->note, "%zu validation examples on either side", n / 2);
  return status;
}

SlStatus
sl_sign_probe (SlLabState *s, unsigned panel, SlSink *sink)
{
  SlStatus    status = SL_SUCCESS;
  SlSnapshot *snapshot = sink->open != NULL ? sink->open (sink, panel) : NULL;
  bool        needs_rectifier = panel != V_FILTERS;

  if (snapshot == NULL)
    return SL_SUCCESS;
  if (needs_rectifier && s->net.activation != SL_RECTIFIER)
    snprintf (snapshot->note, sizeof snapshot->note, "Signs are estimated for rectifiers only.");
  else if (panel == V_RANK_AGREEMENT || panel == V_RANK_ERROR)
    status = probe_ranks (s, panel, sink, snapshot);
  else if (panel == V_SPECTRUM)
    status = probe_spectrum (s, sink, snapshot);
  else if (panel == V_SPEED)
    status = probe_speed (s, sink, snapshot);
  else if (panel == V_DISTANCE)
    status = probe_distance (s, sink, snapshot);
  else if (panel == V_FILTERS)
    status = probe_filters (s, snapshot);
  if (status.code == SL_ECANCELLED)
    return status;
  /* A failed probe shows what it has, and says why. */
  if (!sl_ok (&status))
    sl_status_text (&status, snapshot->note, sizeof snapshot->note);
  sink->publish (sink, snapshot);
  return status;
}
