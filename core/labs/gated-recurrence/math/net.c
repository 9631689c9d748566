/* SPDX-License-Identifier: MIT */
#include "core/labs/gated-recurrence/math/net.h"

#include <string.h>

#include "core/nn/dense/batchnorm.h"
#include "core/nn/dense/dense.h"
#include "core/nn/dense/init.h"
#include "core/nn/dense/loss.h"
#include "core/nn/kernels/mat.h"

void
sl_gru_net_shape (SlGruNet *net, SlGruGating gating, bool rectify, bool affine, size_t symbols,
                  unsigned layers, size_t units, size_t gates)
{
  *net = (SlGruNet) { .layers = layers, .symbols = symbols };
  for (unsigned l = 0; l < layers; l++)
    {
      sl_gru_shape (&net->gru[l], gating, l == 0, rectify, l == 0 ? symbols : units, units, gates);
      if (affine)
        sl_gru_shape_affine (&net->gru[l]);
      net->at[l] = net->n;
      net->n += net->gru[l].n;
    }
  net->at_out = net->n;
  net->at_bias = net->at_out + symbols * units;
  net->n = net->at_bias + symbols;
}

void
sl_gru_net_carve (SlGruNet *net, bool backward, SlArena *kept, SlArena *scratch)
{
  net->weights = sl_arena_reals (kept, net->n);
  net->m = sl_arena_reals (kept, backward ? net->n : 0);
  net->v = sl_arena_reals (kept, backward ? net->n : 0);
  net->gradient = backward ? sl_arena_reals (scratch, net->n) : NULL;
  for (unsigned l = 0; l < net->layers; l++)
    {
      net->mean[l] = sl_arena_reals (kept, net->gru[l].columns);
      net->variance[l] = sl_arena_reals (kept, net->gru[l].columns);
      sl_gru_pack_carve (&net->packed[l], &net->gru[l], backward, scratch);
    }
}

SlStatus
sl_gru_net_init (SlGruNet *net, SlRng *rng)
{
  size_t   h = net->gru[0].units;
  SlStatus status = SL_SUCCESS;

  memset (net->weights, 0, net->n * sizeof *net->weights);
  if (net->gradient != NULL)
    {
      memset (net->m, 0, net->n * sizeof *net->m);
      memset (net->v, 0, net->n * sizeof *net->v);
    }
  for (unsigned l = 0; l < net->layers && sl_ok (&status); l++)
    {
      status = sl_gru_init (&net->gru[l], rng, net->weights + net->at[l]);
      for (size_t i = 0; i < net->gru[l].columns; i++)
        {
          net->mean[l][i] = 0;
          net->variance[l][i] = 1;
        }
    }
  sl_init_glorot (rng, h, net->symbols, h * net->symbols, net->weights + net->at_out);
  return status;
}

void
sl_gru_run_carve (SlGruRun *run, const SlGruNet *net, size_t batch, size_t steps, bool backward,
                  SlArena *scratch)
{
  *run = (SlGruRun) { .batch = batch, .steps = steps };
  for (unsigned l = 0; l < net->layers; l++)
    sl_gru_tape_carve (&run->tape[l], &net->gru[l], batch, steps, backward, scratch);
  run->logits = sl_arena_reals (scratch, batch * steps * net->symbols);
  run->dtop = backward ? sl_arena_reals (scratch, batch * steps * net->gru[0].units) : NULL;
}

void
sl_gru_net_pack (SlGruNet *net)
{
  for (unsigned l = 0; l < net->layers; l++)
    sl_gru_pack (&net->gru[l], net->weights + net->at[l], &net->packed[l]);
}

static SlGruNorm
norm_of (const SlGruNet *net, unsigned layer, const SlGruGates *gates)
{
  return (SlGruNorm) { .given = gates->given,
                       .mean = net->mean[layer],
                       .variance = net->variance[layer],
                       .epsilon = (sl_real) gates->epsilon,
                       .s = (sl_real) gates->s };
}

/* The states of all steps of a layer become the inputs of the next one. */
static void
hand_up (const SlGruNet *net, SlGruRun *run, unsigned layer, size_t steps)
{
  const SlGru   *below = &net->gru[layer - 1], *gru = &net->gru[layer];
  const sl_real *from = sl_gru_state (below, &run->tape[layer - 1], 1);
  sl_real       *to = sl_gru_input (gru, &run->tape[layer], 0);

  for (size_t row = 0; row < steps * run->batch; row++)
    memcpy (to + row * gru->stride, from + row * below->stride, below->units * sizeof *to);
}

void
sl_gru_net_forward (const SlGruNet *net, SlGruRun *run, size_t steps, const uint8_t *symbol,
                    const SlGruGates *gates)
{
  const SlGru *top = &net->gru[net->layers - 1];
  size_t       batch = run->batch, rows = batch * steps, c = net->symbols;

  for (unsigned l = 0; l < net->layers; l++)
    {
      SlGruTape     *tape = &run->tape[l];
      const sl_real *w = net->weights + net->at[l];
      SlGruNorm      norm = norm_of (net, l, gates);
      size_t         n = batch * net->gru[l].columns;

      if (l > 0)
        hand_up (net, run, l, steps);
      for (size_t t = 0; t < steps; t++)
        {
          sl_gru_gates (&net->gru[l], w, &net->packed[l], tape, t, symbol + t * batch, &norm);
          if (gates->z[l] != NULL)
            memcpy (tape->z + t * n, gates->z[l] + t * n, n * sizeof *tape->z);
          sl_gru_states (&net->gru[l], w, &net->packed[l], tape, t, symbol + t * batch);
        }
    }
  for (size_t row = 0; row < rows; row++)
    memcpy (run->logits + row * c, net->weights + net->at_bias, c * sizeof *run->logits);
  sl_mat_mul (SL_PLAIN, SL_TRANSPOSED, rows, c, top->units, 1,
              sl_gru_state (top, &run->tape[net->layers - 1], 1), top->stride,
              net->weights + net->at_out, top->units, 1, run->logits, c);
}

double
sl_gru_net_loss (const SlGruNet *net, SlGruRun *run, size_t steps, const uint8_t *label, bool slope)
{
  return sl_softmax_loss (run->batch * steps, net->symbols, run->logits, label,
                          slope ? run->logits : NULL, NULL);
}

void
sl_gru_net_backward (SlGruNet *net, SlGruRun *run, size_t steps, const uint8_t *symbol)
{
  const SlGru   *top = &net->gru[net->layers - 1];
  size_t         rows = run->batch * steps, c = net->symbols, h = top->units, ldd = h;
  const sl_real *dout = run->dtop;

  sl_mat_mul (SL_TRANSPOSED, SL_PLAIN, c, h, rows, 1, run->logits, c,
              sl_gru_state (top, &run->tape[net->layers - 1], 1), top->stride, 0,
              net->gradient + net->at_out, h);
  sl_dense_bias_backward (rows, c, run->logits, net->gradient + net->at_bias);
  sl_mat_mul (SL_PLAIN, SL_PLAIN, rows, h, c, 1, run->logits, c, net->weights + net->at_out, h, 0,
              run->dtop, h);
  for (unsigned l = net->layers; l-- > 0;)
    {
      sl_gru_backward (&net->gru[l], net->weights + net->at[l], &net->packed[l], &run->tape[l],
                       steps, symbol, dout, ldd, net->gradient + net->at[l]);
      dout = run->tape[l].din;
      ldd = net->gru[l].stride;
    }
}

void
sl_gru_net_follow (SlGruNet *net, const SlGruRun *run, size_t steps, double rate)
{
  for (unsigned l = 0; l < net->layers; l++)
    sl_norm_follow (steps, net->gru[l].columns, run->tape[l].mean, run->tape[l].variance,
                    (sl_real) rate, net->mean[l], net->variance[l]);
}

void
sl_gru_net_carry (const SlGruNet *net, SlGruRun *run, size_t steps)
{
  for (unsigned l = 0; l < net->layers; l++)
    memcpy (run->tape[l].in, run->tape[l].in + steps * run->batch * net->gru[l].stride,
            run->batch * net->gru[l].stride * sizeof (sl_real));
}

void
sl_gru_net_rest (const SlGruNet *net, SlGruRun *run, size_t first, size_t count)
{
  for (unsigned l = 0; l < net->layers; l++)
    memset (run->tape[l].in + first * net->gru[l].stride, 0,
            count * net->gru[l].stride * sizeof (sl_real));
}

size_t
sl_gru_net_state (const SlGruNet *net)
{
  size_t n = 0;

  for (unsigned l = 0; l < net->layers; l++)
    n += net->gru[l].wide;
  return n;
}

size_t
sl_gru_net_work (const SlGruNet *net)
{
  return sl_gru_one_work (&net->gru[0]);
}

void
sl_gru_net_full (const SlGruNet *net, unsigned layer, const SlGruGates *gates, sl_real *in,
                 uint8_t symbol, const sl_real *ones, sl_real *z, sl_real *work, uint32_t *rows)
{
  SlGruNorm norm = norm_of (net, layer, gates);

  sl_gru_one (&net->gru[layer], net->weights + net->at[layer], &norm, in, symbol, ones, z, work,
              rows);
}

size_t
sl_gru_net_one (const SlGruNet *net, const SlGruGates *gates, sl_real *state, uint8_t symbol,
                const sl_real *given, sl_real *z, sl_real *logits, sl_real *work, uint32_t *rows)
{
  size_t   h = net->gru[0].units, on = 0;
  sl_real *below = NULL, *bias = net->weights + net->at_bias;

  for (unsigned l = 0; l < net->layers; l++)
    {
      SlGruNorm norm = norm_of (net, l, gates);

      if (below != NULL)
        memcpy (state, below, h * sizeof *state);
      on += sl_gru_one (&net->gru[l], net->weights + net->at[l], &norm, state, symbol,
                        given != NULL ? given + l * h : NULL, z + l * h, work, rows);
      state += net->gru[l].wide;
      below = state - h;
    }
  sl_mat_vec (net->symbols, h, net->weights + net->at_out, h, below, logits);
  for (size_t i = 0; i < net->symbols; i++)
    logits[i] += bias[i];
  return on;
}

double
sl_gru_net_output_macs (const SlGruNet *net)
{
  return (double) net->symbols * (double) net->gru[0].units;
}

double
sl_gru_net_bound (const SlGruNet *net, const double *alpha)
{
  double dense = sl_gru_net_output_macs (net), gated = dense;

  for (unsigned l = 0; l < net->layers; l++)
    {
      const SlGru *gru = &net->gru[l];

      dense += sl_gru_unit_macs (gru) + (double) gru->units * (double) gru->wide;
      gated += sl_gru_gate_macs (gru) + alpha[l] * sl_gru_unit_macs (gru);
    }
  return dense / gated;
}
