/* SPDX-License-Identifier: MIT */
#include "core/nn/dense/net.h"

#include <assert.h>
#include <string.h>

#include "core/nn/dense/act.h"
#include "core/nn/dense/dense.h"
#include "core/nn/dense/dropout.h"
#include "core/nn/dense/glu.h"
#include "core/nn/dense/init.h"
#include "core/nn/dense/loss.h"
#include "core/nn/dense/penalty.h"
#include "core/nn/kernels/mat.h"

static const sl_real first_slope = (sl_real) 0.25; /* He et al. 2015 */

/* Numbers of a layer in the block, and whether a slope stands behind them. */
static size_t
numbers_of (const SlNet *net, unsigned layer)
{
  return (net->inputs[layer] + 1) * sl_net_units (net, layer)
         * (sl_net_is_gated (net, layer) ? 2 : 1);
}

static bool
has_slope (const SlNet *net, unsigned layer)
{
  return net->activation == SL_PRELU && layer + 1 < net->layers;
}

void
sl_net_shape (SlNet *net, SlActivation activation, const size_t *widths, unsigned layers)
{
  sl_net_shape_convolutions (net, activation, widths, layers, NULL, 0);
}

bool
sl_net_shape_convolutions (SlNet *net, SlActivation activation, const size_t *widths,
                           unsigned layers, const SlPatches *picture, unsigned convolutions)
{
  SlPatches patches = picture != NULL ? *picture : (SlPatches) { 0 };

  *net = (SlNet) { .activation = activation, .layers = layers, .convolutions = convolutions };
  net->width[0] = widths[0];
  for (unsigned l = 0; l < layers; l++)
    {
      net->at[l] = net->n;
      net->places[l] = 1;
      net->inputs[l] = net->width[l];
      if (l < convolutions)
        {
          if (!sl_patches_valid (&patches))
            return false;
          net->patches[l] = patches;
          patches = (SlPatches) { .channels = widths[l + 1],
                                  .height = sl_patches_down (&net->patches[l]),
                                  .width = sl_patches_across (&net->patches[l]),
                                  .side = patches.side,
                                  .stride = patches.stride };
          net->places[l] = patches.height * patches.width;
          net->inputs[l] = sl_patches_inputs (&net->patches[l]);
        }
      net->width[l + 1] = net->places[l] * widths[l + 1];
      net->n += numbers_of (net, l) + has_slope (net, l);
    }
  return true;
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
    {
      size_t inputs = net->inputs[l], units = sl_net_units (net, l), n = sl_net_in_layer (net, l);

      sl_init_glorot (rng, inputs, units, n, sl_net_weight (net, l));
      if (sl_net_is_gated (net, l))
        sl_init_glorot (rng, inputs, units, n, sl_net_up_weight (net, l));
      if (has_slope (net, l))
        net->weights[sl_net_slope_at (net, l)] = first_slope;
    }
}

static void
carve_patches (SlTape *tape, const SlNet *net, size_t most, SlArena *scratch)
{
  size_t largest = 0;

  for (unsigned l = 0; l < net->layers; l++)
    {
      size_t n = net->places[l] * net->inputs[l];
      bool   gathers = l < net->convolutions;

      tape->read[l] = gathers ? sl_arena_reals (scratch, most * n) : tape->x[l];
      if (gathers && l > 0 && n > largest)
        largest = n;
    }
  tape->spread = sl_arena_reals (scratch, most * largest);
  tape->turned = sl_arena_reals (scratch, net->convolutions > 0 ? most * net->width[0] : 0);
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
      tape->up[l]
        = sl_arena_reals (scratch, sl_net_is_gated (net, l) ? most * net->width[l + 1] : 0);
    }
  tape->delta[0] = sl_arena_reals (scratch, most * widest);
  tape->delta[1] = sl_arena_reals (scratch, most * widest);
  tape->low = sl_arena_reals (scratch, most * widest);
  carve_patches (tape, net, most, scratch);
}

void
sl_tape_carve_skip (SlTape *tape, const SlNet *net, SlArena *scratch)
{
  size_t widest = 0, units = 0, places = 0;

  for (unsigned l = 0; l < net->layers; l++)
    {
      widest = net->width[l + 1] > widest ? net->width[l + 1] : widest;
      units = sl_net_units (net, l) > units ? sl_net_units (net, l) : units;
      places = net->places[l] > places ? net->places[l] : places;
    }
  sl_skip_carve (&tape->skip, tape->most * places, units, tape->most * widest, scratch);
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

/* What passes below 0. */
static sl_real
leak_of (const SlNet *net, unsigned layer)
{
  return net->activation == SL_PRELU ? net->weights[sl_net_slope_at (net, layer)] : SL_LEAK;
}

static void
activate (const SlNet *net, unsigned layer, size_t n, const sl_real *pre, const sl_real *est,
          sl_real *y)
{
  switch (net->activation)
    {
    case SL_TANH: sl_tanh_forward (n, pre, y); break;
    case SL_LEAKY:
    case SL_PRELU: sl_leaky_forward (n, leak_of (net, layer), pre, est, y); break;
    case SL_ELU: sl_elu_forward (n, pre, est, y); break;
    case SL_RECTIFIER:
    default:
      if (net->cut > 0)
        sl_cut_relu (n, pre, est, net->cut, y);
      else if (est != NULL)
        sl_gated_relu (n, pre, est, y);
      else
        sl_relu_forward (n, pre, y);
    }
}

void
sl_net_activate (const SlNet *net, unsigned layer, size_t n, sl_real *y)
{
  activate (net, layer, n, y, NULL, y);
}

/* The activation of a hidden layer with its gate and the dropout of what follows. */
static void
activate_layer (const SlNet *net, SlTape *tape, unsigned l, size_t batch, const SlDropout *dropout)
{
  size_t   n = batch * net->width[l + 1];
  sl_real *y = tape->x[l + 1];

  if (sl_net_is_gated (net, l))
    sl_glu_forward (n, tape->pre[l], tape->up[l], tape->gated ? tape->est[l] : NULL, y);
  else
    activate (net, l, n, tape->pre[l], tape->gated ? tape->est[l] : NULL, y);
  if (rate_of (dropout, l + 1) > 0.0)
    sl_dropout_apply (n, dropout->hidden, tape->mask[l + 1], y, y);
}

void
sl_net_read (const SlNet *net, SlTape *tape, unsigned layer, size_t batch)
{
  const SlPatches *patches = &net->patches[layer];
  const sl_real   *x = tape->x[layer];

  if (layer >= net->convolutions)
    return;
  if (layer == 0 && patches->channels > 1)
    {
      sl_patches_turn (batch, patches->channels, patches->height * patches->width, x, tape->turned);
      x = tape->turned;
    }
  sl_patches_gather (patches, batch, x, tape->read[layer]);
}

/* Whatever a layer has before its activation. */
static void
run_dense (const SlNet *net, SlTape *tape, unsigned l, size_t batch, sl_real *y)
{
  sl_dense_forward (batch * net->places[l], net->inputs[l], sl_net_units (net, l), tape->read[l],
                    sl_net_weight (net, l), sl_net_bias (net, l), y);
  if (sl_net_is_gated (net, l))
    sl_dense_forward (batch, net->inputs[l], sl_net_units (net, l), tape->read[l],
                      sl_net_up_weight (net, l), sl_net_up_bias (net, l), tape->up[l]);
  tape->macs[0] += (double) batch * sl_net_layer_macs (net, l);
}

/* The same of what an estimate switches on, which is asked first. */
static void
run_skipping (const SlNet *net, SlTape *tape, unsigned l, size_t batch, const SlDropout *dropout,
              const SlEstimate *estimate)
{
  size_t   inputs = net->inputs[l], units = sl_net_units (net, l), count;
  size_t   rows = batch * net->places[l];
  sl_real *est = tape->est[l];

  if (estimate->mode == SL_ESTIMATE_GATE)
    {
      estimate->predict (estimate->data, tape, l, batch);
      if (estimate->least_share > 0)
        sl_skip_columns (&tape->skip, rows, units, estimate->least_share, est);
      if (rate_of (dropout, l + 1) > 0.0)
        sl_skip_dropped (rows * units, tape->mask[l + 1], est);
    }
  count = sl_skip_forward (&tape->skip, rows, inputs, units, tape->read[l], sl_net_weight (net, l),
                           sl_net_bias (net, l), est, tape->pre[l]);
  tape->macs[0] += (double) count * (double) inputs;
}

void
sl_net_forward (const SlNet *net, SlTape *tape, size_t batch, const SlDropout *dropout,
                const SlEstimate *estimate)
{
  unsigned last = net->layers - 1;

  assert (batch <= tape->most);
  tape->gated = estimate->mode == SL_ESTIMATE_GATE || estimate->mode == SL_ESTIMATE_HELD;
  tape->skips = tape->gated && estimate->skips;
  tape->credit = estimate->credit;
  tape->credited = estimate->data;
  tape->macs[0] = 0.0;
  for (unsigned l = 0; l < last; l++)
    {
      sl_net_read (net, tape, l, batch);
      if (tape->skips)
        run_skipping (net, tape, l, batch, dropout, estimate);
      else
        {
          run_dense (net, tape, l, batch, tape->pre[l]);
          if (estimate->mode == SL_ESTIMATE_WATCH || estimate->mode == SL_ESTIMATE_GATE)
            estimate->predict (estimate->data, tape, l, batch);
        }
      activate_layer (net, tape, l, batch, dropout);
    }
  run_dense (net, tape, last, batch, tape->x[last + 1]);
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

/* The outputs of hidden layer l - 1 as the penalties see them. */
static SlActivations
activations_of (const SlNet *net, const SlTape *tape, unsigned l, size_t batch,
                const SlDropout *dropout)
{
  return (SlActivations) { batch * net->places[l - 1], sl_net_units (net, l - 1),
                           1.0 - rate_of (dropout, l), tape->x[l] };
}

double
sl_net_penalty (const SlNet *net, const SlTape *tape, size_t batch, const SlDropout *dropout)
{
  double loss = 0.0;

  for (unsigned l = 1; sl_activation_has_sign (net->activation) && l < net->layers; l++)
    {
      size_t        n = batch * net->width[l];
      SlActivations of = activations_of (net, tape, l, batch, dropout);

      if (net->l1 > 0)
        loss += (double) net->l1 * sl_l1_sum (n, tape->x[l]) / (double) n;
      if (net->kl <= 0)
        continue;
      sl_kl_rates (&of, tape->low);
      loss += (double) net->kl * sl_kl_mean (of.units, (double) net->activity, tape->low);
    }
  return loss;
}

/* Adds the slopes of the penalties to dloss/dx[l] in `delta`, 0 < l < layers. */
static void
penalty_backward (const SlNet *net, const SlTape *tape, unsigned l, size_t batch,
                  const SlDropout *dropout, sl_real *delta)
{
  size_t        n = batch * net->width[l];
  SlActivations of = activations_of (net, tape, l, batch, dropout);

  if (!sl_activation_has_sign (net->activation))
    return;
  if (net->l1 > 0)
    sl_l1_backward (n, net->l1 / (sl_real) n, tape->x[l], delta);
  if (net->kl <= 0)
    return;
  sl_kl_rates (&of, tape->low);
  sl_kl_backward (&of, (double) net->activity, (double) net->kl, tape->low, delta);
}

/* Turns dloss/dx[l] in `delta`, 0 < l < layers, into dloss/dpre of the layer below. */
static void
activation_backward (const SlNet *net, SlTape *tape, unsigned l, size_t batch,
                     const SlDropout *dropout, sl_real *delta)
{
  size_t         n = batch * net->width[l];
  double         rate = rate_of (dropout, l);
  const sl_real *pre = tape->pre[l - 1], *est = tape->gated ? tape->est[l - 1] : NULL;

  penalty_backward (net, tape, l, batch, dropout, delta);
  if (rate > 0.0)
    sl_dropout_apply (n, rate, tape->mask[l], delta, delta);
  if (tape->credit != NULL)
    tape->credit (tape->credited, tape, l - 1, batch, delta);
  if (has_slope (net, l - 1))
    net->gradient[sl_net_slope_at (net, l - 1)] = (sl_real) sl_leaky_slope (n, pre, est, delta);
  switch (net->activation)
    {
    case SL_TANH:
      if (rate > 0.0)
        sl_tanh_forward (n, pre, tape->x[l]); /* before its dropout */
      sl_tanh_backward (n, tape->x[l], delta, delta);
      break;
    case SL_LEAKY:
    case SL_PRELU: sl_leaky_backward (n, leak_of (net, l - 1), pre, est, delta, delta); break;
    case SL_ELU: sl_elu_backward (n, pre, est, delta, delta); break;
    case SL_SWIGLU: sl_glu_backward (n, pre, est, tape->up[l - 1], delta); break;
    case SL_RECTIFIER:
    default:
      /* A dropped unit is 0 in x and got no gradient just now, a gated one is 0 as well. */
      sl_relu_backward (n, tape->x[l], delta, delta);
    }
}

/* What gated units gate: its gradient, and its part of dloss/dx (B, D) unless that is NULL. */
static void
up_backward (SlNet *net, SlTape *tape, unsigned l, size_t batch, sl_real *dx)
{
  size_t   inputs = net->inputs[l], units = sl_net_units (net, l);
  sl_real *w = sl_net_up_weight (net, l), *dw = net->gradient + (w - net->weights);

  sl_dense_backward (batch, inputs, units, tape->read[l], w, tape->up[l], dw, dw + inputs * units,
                     NULL);
  if (dx != NULL)
    sl_mat_mul (SL_PLAIN, SL_PLAIN, batch, inputs, units, 1, tape->up[l], units, w, inputs, 1, dx,
                inputs);
}

/* The gradient of a layer from `above`, dloss/dpre; dloss/dx into `below` unless NULL, by way of its
 * patches where it has some.  */
static void
layer_backward (SlNet *net, SlTape *tape, unsigned l, size_t batch, const sl_real *above,
                sl_real *below)
{
  size_t         inputs = net->inputs[l], units = sl_net_units (net, l);
  size_t         rows = batch * net->places[l], slopes = rows * units;
  const sl_real *w = sl_net_weight (net, l);
  sl_real       *dw = net->gradient + net->at[l], *db = dw + inputs * units;
  bool           gathers = l < net->convolutions && below != NULL;
  sl_real       *dx = gathers ? tape->spread : below;

  if (tape->skips)
    slopes
      = sl_skip_backward (&tape->skip, rows, inputs, units, tape->read[l], w, above, dw, db, dx);
  else
    sl_dense_backward (rows, inputs, units, tape->read[l], w, above, dw, db, dx);
  if (sl_net_is_gated (net, l))
    up_backward (net, tape, l, batch, dx);
  if (gathers)
    sl_patches_add (&net->patches[l], batch, dx, below);
  tape->macs[1] += (double) slopes * (double) inputs * (below != NULL ? 2.0 : 1.0)
                   * (sl_net_is_gated (net, l) ? 2.0 : 1.0);
}

/* With products shared out by rows of their result, each thread has read its own units' weights, of all layers but the
 * first the others' as well.  */
static void
layer_update (SlNet *net, unsigned l, const SlOptimSetting *optim, uint64_t t)
{
  SlOptimSetting undecayed = *optim;
  size_t         slope = sl_net_slope_at (net, l);

  (l > 0 ? sl_optim_step_common
         : sl_optim_step) (optim, t, numbers_of (net, l), net->gradient + net->at[l],
                           sl_net_weight (net, l), net->m + net->at[l], net->v + net->at[l]);
  undecayed.decay = 0;
  if (has_slope (net, l))
    sl_optim_step (&undecayed, t, 1, net->gradient + slope, net->weights + slope, net->m + slope,
                   net->v + slope);
}

void
sl_net_backward (SlNet *net, SlTape *tape, size_t batch, const SlDropout *dropout,
                 const SlOptimSetting *optim, uint64_t t)
{
  assert (batch <= tape->most);
  sl_real *above = tape->delta[0], *below = tape->delta[1], *spare;

  tape->macs[1] = 0.0;
  for (unsigned l = net->layers; l-- > 0;)
    {
      layer_backward (net, tape, l, batch, above, l > 0 ? below : NULL);
      if (l > 0)
        activation_backward (net, tape, l, batch, dropout, below);
      if (optim != NULL)
        layer_update (net, l, optim, t);
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
    macs += sl_net_layer_macs (net, l);
  return macs;
}

double
sl_net_backward_macs (const SlNet *net)
{
  return 2.0 * sl_net_macs (net) - sl_net_layer_macs (net, 0);
}
