/* SPDX-License-Identifier: MIT */
#include "core/nn/dense/net.h"

#include <assert.h>
#include <string.h>

#include "core/nn/dense/act.h"
#include "core/nn/dense/dense.h"
#include "core/nn/dense/dropout.h"
#include "core/nn/dense/init.h"
#include "core/nn/dense/loss.h"
#include "core/nn/kernels/clones.h"

void
sl_net_shape (SlNet *net, SlActivation activation, const size_t *widths, unsigned layers)
{
  *net = (SlNet) { .activation = activation, .layers = layers };
  memcpy (net->width, widths, (layers + 1) * sizeof *widths);
  for (unsigned l = 0; l < layers; l++)
    {
      net->at[l] = net->n;
      net->n += (widths[l] + 1) * widths[l + 1];
    }
}

void
sl_net_carve (SlNet *net, SlArena *kept, SlArena *scratch)
{
  net->weights = sl_arena_reals (kept, net->n);
  net->m = sl_arena_reals (kept, net->n);
  net->v = sl_arena_reals (kept, net->n);
  net->gradient = sl_arena_reals (scratch, net->n);
}

void
sl_net_init (SlNet *net, SlRng *rng)
{
  memset (net->weights, 0, net->n * sizeof *net->weights);
  memset (net->m, 0, net->n * sizeof *net->m);
  memset (net->v, 0, net->n * sizeof *net->v);
  for (unsigned l = 0; l < net->layers; l++)
    sl_init_glorot (rng, net->width[l], net->width[l + 1], net->width[l] * net->width[l + 1],
                    sl_net_weight (net, l));
}

void
sl_tape_carve (SlTape *tape, const SlNet *net, size_t most, SlArena *scratch)
{
  size_t widest = 0;

  tape->most = most;
  for (unsigned l = 0; l <= net->layers; l++)
    {
      tape->x[l] = sl_arena_reals (scratch, most * net->width[l]);
      if (net->width[l] > widest)
        widest = net->width[l];
    }
  for (unsigned l = 0; l < net->layers; l++)
    {
      tape->mask[l] = sl_arena_carve (scratch, most * net->width[l], 1);
      if (l + 1 == net->layers)
        break;
      tape->pre[l] = sl_arena_reals (scratch, most * net->width[l + 1]);
      tape->est[l] = sl_arena_reals (scratch, most * net->width[l + 1]);
    }
  tape->delta[0] = sl_arena_reals (scratch, most * widest);
  tape->delta[1] = sl_arena_reals (scratch, most * widest);
  tape->low = sl_arena_reals (scratch, most * widest);
}

static double
rate_of (const SlDropout *dropout, unsigned layer)
{
  if (dropout == NULL)
    return 0.0;
  return layer == 0 ? dropout->input : dropout->hidden;
}

void
sl_net_draw (const SlNet *net, SlTape *tape, size_t batch, const SlDropout *dropout, SlRng *rng)
{
  assert (batch <= tape->most);
  for (unsigned l = 0; l < net->layers; l++)
    if (rate_of (dropout, l) > 0.0)
      sl_dropout_draw (rng, rate_of (dropout, l), batch * net->width[l], tape->mask[l]);
}

void
sl_net_mask_input (const SlNet *net, SlTape *tape, size_t batch, const SlDropout *dropout)
{
  if (rate_of (dropout, 0) > 0.0)
    sl_dropout_apply (batch * net->width[0], dropout->input, tape->mask[0], tape->x[0], tape->x[0]);
}

/* The activation of a hidden layer with its gate and the dropout of what follows. */
static void
activate_layer (const SlNet *net, SlTape *tape, unsigned l, size_t batch, const SlDropout *dropout,
                bool gated)
{
  size_t   n = batch * net->width[l + 1];
  sl_real *y = tape->x[l + 1];

  if (net->activation == SL_TANH)
    sl_tanh_forward (n, tape->pre[l], y);
  else if (net->cut > 0)
    sl_cut_relu (n, tape->pre[l], gated ? tape->est[l] : NULL, net->cut, y);
  else if (gated)
    sl_gated_relu (n, tape->pre[l], tape->est[l], y);
  else
    sl_relu_forward (n, tape->pre[l], y);
  if (rate_of (dropout, l + 1) > 0.0)
    sl_dropout_apply (n, dropout->hidden, tape->mask[l + 1], y, y);
}

void
sl_net_forward (const SlNet *net, SlTape *tape, size_t batch, const SlDropout *dropout,
                const SlEstimate *estimate)
{
  assert (batch <= tape->most);
  for (unsigned l = 0; l < net->layers; l++)
    {
      bool           last = l + 1 == net->layers;
      const sl_real *bias = sl_net_bias (net, l);

      sl_dense_forward (batch, net->width[l], net->width[l + 1], tape->x[l], sl_net_weight (net, l),
                        bias, last ? tape->x[l + 1] : tape->pre[l]);
      if (!last && (estimate->mode == SL_ESTIMATE_WATCH || estimate->mode == SL_ESTIMATE_GATE))
        estimate->predict (estimate->data, tape, l, batch);
      if (!last)
        activate_layer (net, tape, l, batch, dropout,
                        estimate->mode == SL_ESTIMATE_GATE || estimate->mode == SL_ESTIMATE_HELD);
    }
}

double
sl_net_loss (const SlNet *net, SlTape *tape, size_t batch, const uint8_t *label, bool slope,
             size_t *errors)
{
  const sl_real *out = tape->x[net->layers];
  sl_real       *delta = slope ? tape->delta[0] : NULL;

  assert (batch <= tape->most);
  if (net->width[net->layers] == 1)
    return sl_logistic_loss (batch, out, label, delta, errors);
  return sl_softmax_loss (batch, net->width[net->layers], out, label, delta, errors);
}

double
sl_net_l1_loss (const SlNet *net, const SlTape *tape, size_t batch)
{
  double loss = 0.0;

  for (unsigned l = 1; net->activation == SL_RECTIFIER && net->l1 > 0 && l < net->layers; l++)
    {
      size_t n = batch * net->width[l];
      double sum = 0.0;

      for (size_t i = 0; i < n; i++)
        sum += (double) tape->x[l][i];
      loss += (double) net->l1 * sum / (double) n;
    }
  return loss;
}

SL_CLONES void
sl_l1_backward (size_t n, sl_real by, const sl_real *x, sl_real *dx)
{
  for (size_t i = 0; i < n; i++)
    dx[i] += x[i] > 0 ? by : 0;
}

/* Turns dloss/dx[l] in `delta`, 0 < l < layers, into dloss/dpre of the layer below. */
static void
activation_backward (const SlNet *net, const SlTape *tape, unsigned l, size_t batch,
                     const SlDropout *dropout, sl_real *delta)
{
  size_t n = batch * net->width[l];
  double rate = rate_of (dropout, l);

  if (net->activation == SL_RECTIFIER && net->l1 > 0)
    sl_l1_backward (n, net->l1 / (sl_real) n, tape->x[l], delta);
  if (rate > 0.0)
    sl_dropout_apply (n, rate, tape->mask[l], delta, delta);
  if (net->activation == SL_RECTIFIER)
    {
      /* A dropped unit is 0 in x and got no gradient just now, a gated one is 0 as well. */
      sl_relu_backward (n, tape->x[l], delta, delta);
      return;
    }
  if (rate > 0.0)
    sl_tanh_forward (n, tape->pre[l - 1], tape->x[l]); /* before its dropout */
  sl_tanh_backward (n, tape->x[l], delta, delta);
}

void
sl_net_backward (SlNet *net, SlTape *tape, size_t batch, const SlDropout *dropout,
                 const SlOptimSetting *optim, uint64_t t)
{
  assert (batch <= tape->most);
  sl_real *above = tape->delta[0], *below = tape->delta[1], *spare;

  for (unsigned l = net->layers; l-- > 0;)
    {
      size_t   inputs = net->width[l], units = net->width[l + 1], n = (inputs + 1) * units;
      sl_real *dw = net->gradient + net->at[l];

      sl_dense_backward (batch, inputs, units, tape->x[l], sl_net_weight (net, l), above, dw,
                         dw + inputs * units, l > 0 ? below : NULL);
      if (l > 0)
        activation_backward (net, tape, l, batch, dropout, below);
      if (optim != NULL)
        sl_optim_step (optim, t, n, dw, sl_net_weight (net, l), net->m + net->at[l],
                       net->v + net->at[l]);
      spare = above;
      above = below;
      below = spare;
    }
}

double
sl_net_macs (const SlNet *net)
{
  double macs = 0.0;

  for (unsigned l = 0; l < net->layers; l++)
    macs += (double) net->width[l] * (double) net->width[l + 1];
  return macs;
}
