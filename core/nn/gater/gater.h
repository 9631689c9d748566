/* SPDX-License-Identifier: MIT
 *
 * A layer whose units are switched by a gater (Bengio, Léonard and Courville 2013, supplement):
 *
 *   u = tanh (x W1' + b1)     the gater's hidden layer            (B, M)
 *   a = u W2' + b2            one logit per gate                  (B, N)
 *   h = gate (a + shift)      units.h                             (B, N)
 *   e = x W0' + b0            linear experts                      (B, N)
 *   o = (h ⊙ e) W3 + b3       softmax over C classes              (B, C)
 *
 * with forward and backward side by side.  Layers can be stacked: one with C = 0 ends at h ⊙ e, the x of the
 * layer that stands on it.  W1 (M, D), W2 (N, M) and W0 (N, D) have one row per
 * unit, so that a unit can be computed alone; W3 (N, C) has one row per expert for the same
 * reason. Nothing allocates after the cuts.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/real.h"
#include "core/base/rng.h"
#include "core/nn/gater/units.h"

enum {
  SL_GATER_HIDDEN,  /* W1 */
  SL_GATER_LOGITS,  /* W2 */
  SL_GATER_EXPERTS, /* W0 */
  SL_GATER_OUTPUT,  /* W3 */
  SL_GATER_LAYERS,
};

typedef struct
{
  size_t   inputs, hidden, units, outputs; /* D, M, N, C */
  size_t   at[SL_GATER_LAYERS];            /* where W of a layer begins in the block; b follows */
  size_t   bias[SL_GATER_LAYERS];          /* where b begins */
  size_t   n;                              /* numbers in the block */
  sl_real *weights, *velocity;             /* (n) velocity is that of the momentum */
  sl_real *gradient;                       /* (n) */
} SlGater;

/* Activations and draws of one batch. */
typedef struct
{
  size_t   most;      /* examples there is room for */
  sl_real *x;         /* (B, D) of an upper layer: g of the one below */
  sl_real *u;         /* (B, M) */
  sl_real *z, *p, *h; /* (B, N) a + shift, σ (z), the gates */
  uint8_t *on;        /* (B, N) decisions of binary gates */
  sl_real *e, *g;     /* (B, N) experts, h ⊙ e */
  sl_real *o;         /* (B, C) */
  sl_real *loss;      /* (B) of each example, in nats */
  sl_real *dout;      /* (B, C) */
  sl_real *dx;        /* (B, D) dloss/dx, which is dg of the layer below; NULL: there is none */
  sl_real *dg;        /* (B, N) dloss/dg of a layer without outputs, by the one above; else NULL */
  sl_real *dh;        /* (B, N) dloss/dh, then the estimate of dloss/da */
  sl_real *de;        /* (B, N) */
  sl_real *du;        /* (B, M) */
  sl_real *shift;     /* (B, N) additive noise, or that of concrete.h, drawn by the caller */
  sl_real *uniform;   /* (B, N) draws that decide, by the caller */
  sl_real
    *soft; /* (B, N) of gates of concrete.h; in the place of `uniform`, which they do not keep */
} SlGaterTape;

/* How to learn: plain descent or momentum, and a bound on incoming weights. */
typedef struct
{
  sl_real rate;     /* of experts and output */
  sl_real factor;   /* the gater's rate as a share of it */
  sl_real momentum; /* v = momentum v + g; w -= rate v.  0: none */
  sl_real most;     /* largest norm of the weights into a unit; 0: no bound */
} SlGaterLearning;

/* Fixes the sizes: D, M, N, C.  C = 0: another layer stands on this one. */
void sl_gater_shape (SlGater *gater, size_t inputs, size_t hidden, size_t units, size_t outputs);

/* Cuts weights and velocity from `kept`, the gradient from `scratch`. */
void sl_gater_carve (SlGater *gater, SlArena *kept, SlArena *scratch);
/* `below`: the tape of the layer that this one stands on, or NULL. */
void sl_gater_tape_carve (SlGaterTape *tape, const SlGater *gater, size_t most,
                          const SlGaterTape *below, SlArena *scratch);

/* Glorot weights and zero biases, with W2 as in the authors' code: four times as large for gates
 * with a probability, 15 standard normals per unit for rectifiers.  Zero velocity.  */
void sl_gater_init (SlGater *gater, SlGaterKind kind, SlRng *rng);

static inline sl_real *
sl_gater_weight (const SlGater *gater, unsigned layer)
{
  return gater->weights + gater->at[layer];
}

static inline sl_real *
sl_gater_bias (const SlGater *gater, unsigned layer)
{
  return gater->weights + gater->bias[layer];
}

/* u and z = a + shift of the x on the tape. */
void sl_gater_logits (const SlGater *gater, sl_real shift, SlGaterTape *tape, size_t batch);

/* From x to the gates h as in training.  shifted: z = a + tape->shift, or a (1 + tape->shift)
 * or, with noise apart, a, as the unit says.  frozen: the decisions in
 * tape->on are kept, else binary gates decide by tape->uniform.  Gates of concrete.h always have
 * tape->shift for their noise, and z = a.  */
void sl_gater_decide (const SlGater *gater, const SlGaterUnit *unit, SlGaterTape *tape,
                      size_t batch, bool shifted, bool frozen);

/* The same, and from x and h to o, with all units computed. */
void sl_gater_forward (const SlGater *gater, const SlGaterUnit *unit, SlGaterTape *tape,
                       size_t batch, bool shifted, bool frozen);

/* From x and h to o with only the units computed that are on.  Without outputs: to g, and
 * tape->on is lost.  */
void sl_gater_run (const SlGater *gater, const SlGaterUnit *unit, SlGaterTape *tape, size_t batch);

/* Mean loss of o, each example's in tape->loss and the gradient, of the mean, in tape->dout;
 * *errors gets the wrong predictions.  */
double sl_gater_loss (const SlGater *gater, SlGaterTape *tape, size_t batch, const uint8_t *label,
                      size_t *errors);

/* From tape->dout or tape->dg: dloss/dh in tape->dh and dloss/de in tape->de.  sl_gater_backward() begins with
 * it.  */
void sl_gater_feedback (const SlGater *gater, SlGaterTape *tape, size_t batch);

/* Backward from tape->dout or tape->dg through the experts and, by the gate's estimator, the gater, and to
 * tape->dx.  With `learning` every layer is updated in place, which saves writing the gradient; else the gradient
 * of all n numbers is written.  */
void sl_gater_backward (SlGater *gater, const SlGaterUnit *unit, SlGaterTape *tape, size_t batch,
                        const SlGaterSignal *signal, const SlGaterLearning *learning);

/* From x to o as a deployed network computes it: no chance, `shift` (the mean of the noise) added
 * to the logits, binary gates on above `cut`, and only the units that are on computed.  Leaves the
 * shifted logits in tape->z and the gates in tape->h.  */
void sl_gater_deploy (const SlGater *gater, const SlGaterUnit *unit, sl_real shift, sl_real cut,
                      SlGaterTape *tape, size_t batch);

/* Multiply-adds of the gater, for one example. */
double sl_gater_macs (const SlGater *gater);
/* Multiply-adds of experts and output with a share `density` of the units, for one example. */
double sl_gater_expert_macs (const SlGater *gater, double density);
