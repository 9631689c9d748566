/* SPDX-License-Identifier: MIT */
#include "core/nn/gater/gater.h"

#include <assert.h>
#include <string.h>
#include <tgmath.h>

#include "core/nn/dense/act.h"
#include "core/nn/dense/dense.h"
#include "core/nn/dense/init.h"
#include "core/nn/dense/loss.h"
#include "core/nn/gater/concrete.h"
#include "core/nn/gater/sparsity.h"
#include "core/nn/kernels/clones.h"
#include "core/nn/kernels/gather.h"
#include "core/nn/kernels/mat.h"
#include "core/nn/kernels/vector.h"
#include "core/nn/optim/optim.h"

/* Inputs of a rectifier gate that begin with a weight (the authors' code). */
enum { SPARSE_INPUTS = 15 };

/* Units of one example that are listed at a time. */
enum { ALONE = 2048 };

static size_t
layer_inputs (const SlGater *g, unsigned layer)
{
  const size_t inputs[] = { g->inputs, g->hidden, g->inputs, g->units };

  return inputs[layer];
}

static size_t
layer_units (const SlGater *g, unsigned layer)
{
  const size_t units[] = { g->hidden, g->units, g->units, g->outputs };

  return units[layer];
}

void
sl_gater_shape (SlGater *gater, size_t inputs, size_t hidden, size_t units, size_t outputs)
{
  *gater = (SlGater) { .inputs = inputs, .hidden = hidden, .units = units, .outputs = outputs };
  for (unsigned l = 0; l < SL_GATER_LAYERS; l++)
    {
      gater->at[l] = gater->n;
      gater->bias[l] = gater->n + layer_inputs (gater, l) * layer_units (gater, l);
      gater->n = gater->bias[l] + layer_units (gater, l);
    }
}

void
sl_gater_carve (SlGater *gater, SlArena *kept, SlArena *scratch)
{
  gater->weights = sl_arena_reals (kept, gater->n);
  gater->velocity = sl_arena_reals (kept, gater->n);
  gater->gradient = sl_arena_reals (scratch, gater->n);
}

void
sl_gater_tape_carve (SlGaterTape *tape, const SlGater *g, size_t most, const SlGaterTape *below,
                     SlArena *scratch)
{
  sl_real **gates[] = { &tape->z,  &tape->p,  &tape->h,     &tape->e,      &tape->g,
                        &tape->dh, &tape->de, &tape->shift, &tape->uniform };

  tape->most = most;
  tape->x = below != NULL ? below->g : sl_arena_reals (scratch, most * g->inputs);
  tape->dx = below != NULL ? below->dg : NULL;
  tape->dg = g->outputs == 0 ? sl_arena_reals (scratch, most * g->units) : NULL;
  tape->u = sl_arena_reals (scratch, most * g->hidden);
  tape->du = sl_arena_reals (scratch, most * g->hidden);
  for (size_t i = 0; i < sizeof gates / sizeof *gates; i++)
    *gates[i] = sl_arena_reals (scratch, most * g->units);
  tape->soft = tape->uniform;
  tape->on = sl_arena_carve (scratch, most * g->units, 1);
  tape->o = sl_arena_reals (scratch, most * g->outputs);
  tape->dout = sl_arena_reals (scratch, most * g->outputs);
  tape->loss = sl_arena_reals (scratch, most);
}

/* A few standard normals in each row, all others zeros (Martens 2010, §5). */
static void
init_sparse (SlRng *rng, size_t units, size_t inputs, sl_real *w)
{
  for (size_t i = 0; i < units; i++)
    for (size_t given = 0; given < SPARSE_INPUTS && given < inputs;)
      {
        sl_real *at = &w[i * inputs + sl_rng_below (rng, inputs)];

        if (*at != 0)
          continue;
        *at = (sl_real) sl_rng_normal (rng);
        given += *at != 0;
      }
}

void
sl_gater_init (SlGater *gater, SlGaterKind kind, SlRng *rng)
{
  memset (gater->weights, 0, gater->n * sizeof *gater->weights);
  memset (gater->velocity, 0, gater->n * sizeof *gater->velocity);
  for (unsigned l = 0; l < SL_GATER_LAYERS; l++)
    {
      size_t   inputs = layer_inputs (gater, l), units = layer_units (gater, l);
      sl_real *w = sl_gater_weight (gater, l);

      if (l == SL_GATER_LOGITS && !sl_gater_has_probability (kind))
        {
          init_sparse (rng, units, inputs, w);
          continue;
        }
      sl_init_glorot (rng, inputs, units, inputs * units, w);
      for (size_t i = 0; l == SL_GATER_LOGITS && i < inputs * units; i++)
        w[i] *= 4;
    }
}

SL_CLONES static void
add_scalar (size_t n, sl_real by, sl_real *y)
{
  for (size_t i = 0; i < n; i++)
    y[i] += by;
}

SL_CLONES static void
multiply_vectors (size_t n, const sl_real *x, const sl_real *y, sl_real *product)
{
  for (size_t i = 0; i < n; i++)
    product[i] = x[i] * y[i];
}

/* y *= 1 + noise. */
SL_CLONES static void
multiply_noise (size_t n, const sl_real *noise, sl_real *y)
{
  for (size_t i = 0; i < n; i++)
    y[i] *= 1 + noise[i];
}

/* y (B, units) = x W' + b of a layer.  For a single example the library's matrix product would
 * first copy W.  */
static void
run_layer (const SlGater *g, unsigned layer, size_t batch, const sl_real *x, sl_real *y)
{
  size_t         inputs = layer_inputs (g, layer), units = layer_units (g, layer);
  const sl_real *w = sl_gater_weight (g, layer), *b = sl_gater_bias (g, layer);

  if (batch != 1)
    {
      sl_dense_forward (batch, inputs, units, x, w, b, y);
      return;
    }
  sl_mat_vec (units, inputs, w, inputs, x, y);
  sl_vector_add (units, b, y);
}

void
sl_gater_logits (const SlGater *g, sl_real shift, SlGaterTape *tape, size_t batch)
{
  assert (batch <= tape->most);
  run_layer (g, SL_GATER_HIDDEN, batch, tape->x, tape->u);
  sl_tanh_forward (batch * g->hidden, tape->u, tape->u);
  run_layer (g, SL_GATER_LOGITS, batch, tape->u, tape->z);
  if (shift != 0)
    add_scalar (batch * g->units, shift, tape->z);
}

/* g and o from the gates h, with all units. */
static void
run_all (const SlGater *g, SlGaterTape *tape, size_t batch)
{
  const sl_real *bias = sl_gater_bias (g, SL_GATER_OUTPUT);

  run_layer (g, SL_GATER_EXPERTS, batch, tape->x, tape->e);
  multiply_vectors (batch * g->units, tape->h, tape->e, tape->g);
  if (g->outputs == 0)
    return;
  for (size_t e = 0; e < batch; e++)
    memcpy (tape->o + e * g->outputs, bias, g->outputs * sizeof *bias);
  sl_mat_mul (SL_PLAIN, SL_PLAIN, batch, g->outputs, g->units, 1, tape->g, g->units,
              sl_gater_weight (g, SL_GATER_OUTPUT), g->outputs, 1, tape->o, g->outputs);
}

SL_CLONES static void
mark_open (size_t n, const sl_real *h, uint8_t *on)
{
  for (size_t i = 0; i < n; i++)
    on[i] = h[i] != 0;
}

/* e of the units of a single example that are on, which are listed; the others get 0. */
static void
run_listed (const SlGater *g, SlGaterTape *tape)
{
  const sl_real *w = sl_gater_weight (g, SL_GATER_EXPERTS),
                *b = sl_gater_bias (g, SL_GATER_EXPERTS);
  uint32_t rows[ALONE];

  memset (tape->e, 0, g->units * sizeof *tape->e);
  for (size_t first = 0; first < g->units; first += ALONE)
    {
      size_t n = g->units - first < ALONE ? g->units - first : ALONE;

      n = sl_gather_rows (n, tape->h + first, rows);
      sl_gather_vec (g->inputs, w + first * g->inputs, b + first, tape->x, rows, n,
                     tape->e + first);
    }
}

/* g from the gates h, with the units that are on. */
static void
run_open (const SlGater *g, SlGaterTape *tape, size_t batch)
{
  size_t n = batch * g->units;

  if (batch == 1)
    run_listed (g, tape);
  else
    {
      mark_open (n, tape->h, tape->on);
      sl_gather_masked (batch, g->inputs, g->units, sl_gater_weight (g, SL_GATER_EXPERTS),
                        sl_gater_bias (g, SL_GATER_EXPERTS), tape->x, tape->on, tape->e);
    }
  multiply_vectors (n, tape->h, tape->e, tape->g);
}

void
sl_gater_decide (const SlGater *g, const SlGaterUnit *unit, SlGaterTape *tape, size_t batch,
                 bool shifted, bool frozen)
{
  size_t n = batch * g->units;

  sl_gater_logits (g, 0, tape, batch);
  if (sl_gater_is_concrete (unit->kind))
    sl_concrete_fire (unit, n, tape->z, tape->shift, frozen, tape->soft, tape->p, tape->on,
                      tape->h);
  else if (shifted && unit->apart)
    sl_gater_fire_apart (unit, n, tape->z, tape->shift, frozen ? NULL : tape->uniform, tape->p,
                         tape->on, tape->h);
  else
    {
      if (shifted && unit->times)
        multiply_noise (n, tape->shift, tape->z);
      else if (shifted)
        sl_vector_add (n, tape->shift, tape->z);
      sl_gater_fire (unit, n, tape->z, frozen ? NULL : tape->uniform, tape->p, tape->on, tape->h);
    }
}

void
sl_gater_forward (const SlGater *g, const SlGaterUnit *unit, SlGaterTape *tape, size_t batch,
                  bool shifted, bool frozen)
{
  sl_gater_decide (g, unit, tape, batch, shifted, frozen);
  run_all (g, tape, batch);
}

void
sl_gater_run (const SlGater *g, const SlGaterUnit *unit, SlGaterTape *tape, size_t batch)
{
  if (unit->kind == SL_GATER_SIGMOID)
    run_all (g, tape, batch);
  else if (g->outputs == 0)
    run_open (g, tape, batch);
  else
    sl_gather_gated (batch, g->inputs, g->units, g->outputs, sl_gater_weight (g, SL_GATER_EXPERTS),
                     sl_gater_bias (g, SL_GATER_EXPERTS), tape->x, tape->h,
                     sl_gater_weight (g, SL_GATER_OUTPUT), sl_gater_bias (g, SL_GATER_OUTPUT),
                     tape->o);
}

void
sl_gater_deploy (const SlGater *g, const SlGaterUnit *unit, sl_real shift, sl_real cut,
                 SlGaterTape *tape, size_t batch)
{
  sl_gater_logits (g, shift, tape, batch);
  sl_gater_settle (unit, cut, batch * g->units, tape->z, tape->h);
  sl_gater_run (g, unit, tape, batch);
}

double
sl_gater_loss (const SlGater *g, SlGaterTape *tape, size_t batch, const uint8_t *label,
               size_t *errors)
{
  double sum = 0.0;

  assert (batch <= tape->most);
  *errors = 0;
  /* One at a time, since the learning signal of a gate is the loss of its own example. */
  for (size_t e = 0; e < batch; e++)
    {
      sl_real *dout = tape->dout + e * g->outputs;
      size_t   wrong;
      double   loss
        = sl_softmax_loss (1, g->outputs, tape->o + e * g->outputs, label + e, dout, &wrong);

      for (size_t c = 0; c < g->outputs; c++)
        dout[c] /= (sl_real) batch;
      tape->loss[e] = (sl_real) loss;
      sum += loss;
      *errors += wrong;
    }
  return sum / (double) batch;
}

/* What to do with the gradient A' B of a block w (m, n), A (B, m), B (B, n): write it, or go down
 * it at once.  */
static void
descend_layers (SlGater *g, size_t at, size_t batch, size_t m, size_t n, const sl_real *a,
                const sl_real *b, sl_real rate, const SlGaterLearning *learning)
{
  SlOptimSetting sgd = { .kind = SL_SGD, .rate = rate };
  sl_real       *w = g->weights + at, *v = g->velocity + at;

  if (learning == NULL)
    sl_mat_mul (SL_TRANSPOSED, SL_PLAIN, m, n, batch, 1, a, m, b, n, 0, g->gradient + at, n);
  else if (learning->momentum == 0)
    sl_mat_mul (SL_TRANSPOSED, SL_PLAIN, m, n, batch, -rate, a, m, b, n, 1, w, n);
  else
    {
      sl_mat_mul (SL_TRANSPOSED, SL_PLAIN, m, n, batch, 1, a, m, b, n, learning->momentum, v, n);
      sl_optim_step (&sgd, 1, m * n, v, w, NULL, NULL);
    }
}

/* The same for a bias (units), whose gradient is the sum of d (B, units). */
static void
descend_bias (SlGater *g, size_t at, size_t batch, size_t units, const sl_real *d, sl_real rate,
              const SlGaterLearning *learning)
{
  SlOptimSetting optim = { .kind = SL_SGD, .rate = rate };
  sl_real       *db = g->gradient + at;

  sl_dense_bias_backward (batch, units, d, db);
  if (learning == NULL)
    return;
  if (learning->momentum != 0)
    {
      optim.kind = SL_MOMENTUM;
      optim.beta1 = learning->momentum;
    }
  sl_optim_step (&optim, 1, units, db, g->weights + at, g->velocity + at, NULL);
}

/* A layer of one row per unit, from d (B, units) and its input x. */
static void
descend_layer (SlGater *g, unsigned layer, size_t batch, const sl_real *x, const sl_real *d,
               const SlGaterLearning *learning)
{
  size_t  inputs = layer_inputs (g, layer), units = layer_units (g, layer);
  sl_real rate = 0;

  if (learning != NULL)
    rate = learning->rate * (layer == SL_GATER_EXPERTS ? 1 : learning->factor);
  descend_layers (g, g->at[layer], batch, units, inputs, d, x, rate, learning);
  descend_bias (g, g->bias[layer], batch, units, d, rate, learning);
  if (learning != NULL && learning->most > 0)
    sl_gater_bound_rows (units, inputs, learning->most, sl_gater_weight (g, layer));
}

/* W3, which has a row per input. */
static void
descend_output (SlGater *g, SlGaterTape *tape, size_t batch, const SlGaterLearning *learning)
{
  sl_real rate = learning != NULL ? learning->rate : 0;

  if (g->outputs == 0)
    return;
  descend_layers (g, g->at[SL_GATER_OUTPUT], batch, g->units, g->outputs, tape->g, tape->dout, rate,
                  learning);
  descend_bias (g, g->bias[SL_GATER_OUTPUT], batch, g->outputs, tape->dout, rate, learning);
  /* The bias' gradient is used up: its place is free for the norms. */
  if (learning != NULL && learning->most > 0)
    sl_gater_bound_columns (g->units, g->outputs, learning->most,
                            sl_gater_weight (g, SL_GATER_OUTPUT),
                            g->gradient + g->bias[SL_GATER_OUTPUT]);
}

void
sl_gater_feedback (const SlGater *g, SlGaterTape *tape, size_t batch)
{
  size_t         n = batch * g->units;
  const sl_real *dg = tape->dg;

  assert (batch <= tape->most);
  if (g->outputs > 0)
    {
      sl_mat_mul (SL_PLAIN, SL_TRANSPOSED, batch, g->units, g->outputs, 1, tape->dout, g->outputs,
                  sl_gater_weight (g, SL_GATER_OUTPUT), g->outputs, 0, tape->dh, g->units);
      dg = tape->dh;
    }
  multiply_vectors (n, dg, tape->h, tape->de);
  multiply_vectors (n, dg, tape->e, tape->dh);
}

/* dloss/dx through one of the layers that see x, from d (B, units); added to what is there or not. */
static void
feed_below (const SlGater *g, unsigned layer, size_t batch, const sl_real *d, bool add,
            SlGaterTape *tape)
{
  size_t units = layer_units (g, layer);

  if (tape->dx != NULL)
    sl_mat_mul (SL_PLAIN, SL_PLAIN, batch, g->inputs, units, 1, d, units,
                sl_gater_weight (g, layer), g->inputs, add ? 1 : 0, tape->dx, g->inputs);
}

void
sl_gater_backward (SlGater *g, const SlGaterUnit *unit, SlGaterTape *tape, size_t batch,
                   const SlGaterSignal *signal, const SlGaterLearning *learning)
{
  assert (batch <= tape->most);
  /* Each product with weights comes before the update of those weights. */
  sl_gater_feedback (g, tape, batch);
  descend_output (g, tape, batch, learning);
  feed_below (g, SL_GATER_EXPERTS, batch, tape->de, false, tape);
  descend_layer (g, SL_GATER_EXPERTS, batch, tape->x, tape->de, learning);
  sl_gater_credit (unit, batch, g->units, tape->p, tape->on, tape->h, tape->dh, signal, tape->dh);
  if (unit->times)
    multiply_noise (batch * g->units, tape->shift, tape->dh);
  sl_mat_mul (SL_PLAIN, SL_PLAIN, batch, g->hidden, g->units, 1, tape->dh, g->units,
              sl_gater_weight (g, SL_GATER_LOGITS), g->hidden, 0, tape->du, g->hidden);
  sl_tanh_backward (batch * g->hidden, tape->u, tape->du, tape->du);
  descend_layer (g, SL_GATER_LOGITS, batch, tape->u, tape->dh, learning);
  feed_below (g, SL_GATER_HIDDEN, batch, tape->du, true, tape);
  descend_layer (g, SL_GATER_HIDDEN, batch, tape->x, tape->du, learning);
}

double
sl_gater_macs (const SlGater *g)
{
  return (double) g->hidden * (double) (g->inputs + g->units);
}

double
sl_gater_expert_macs (const SlGater *g, double density)
{
  return density * (double) g->units * (double) (g->inputs + g->outputs);
}
