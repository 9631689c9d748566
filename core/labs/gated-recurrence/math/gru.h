/* SPDX-License-Identifier: MIT
 *
 * A layer of gated recurrent units in which a gate of 0 copies a unit's last state, so that nothing
 * else of the unit has to be computed (Davis 2016, chapter 4).  For an example with the input x (d)
 * and the last state H (h):
 *
 *   r = σ (W_r x + U_r H + b_r),  q = U_h H,  ĥ = tanh (W_h x + r ⊙ q + b_h)        (eq. 4.5)
 *   ℓ = W_l x + U_l H + b_l (g numbers)
 *   z from ℓ, as SlGruGating says
 *   H' = (1 - z) ⊙ H + z ⊙ ĥ
 *
 * Letters: T steps, B batch, d inputs, h units, g gates, k = d + h.  Where the input is one-hot,
 * W x is the row of a table and k = h.  Weights lie unit by unit, (h, k), so that a unit can be
 * computed alone; what batches need is copied from them by sl_gru_pack().
 *
 * Units are executed in groups: those that share a gate or, where every unit has its own, some
 * neighbours; a group is skipped for an example when none of its gates is on.  Both passes skip
 * it.  Threads: as for mat.h; results do not depend on how many there are.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/real.h"
#include "core/base/rng.h"

typedef enum {
  SL_GRU_STANDARD, /* z = σ (ℓ), g = h, and the reset gate inside the product: q = U_h (r ⊙ H),
                    * ĥ = tanh (W_h x + q + b_h) (eq. 4.3); no unit of it can be computed alone */
  SL_GRU_DENSE,    /* z = σ (ℓ), g = h, never exactly 0 */
  SL_GRU_UNITS,    /* every unit its own: z = ctanh (norm (f (ℓ) W_z) + s) (eqs. 4.6 to 4.9) */
  SL_GRU_BLOCKS,   /* z = ctanh (norm (f (ℓ)) + s), each entry for h / g units (eq. 4.10) */
  SL_GRU_MIXED, /* the same times σ (f (ℓ) W_z + b_z) unit by unit: blocks decide what is computed,
                  * units by how much they move (after §4.5.4, which leaves the form open) */
} SlGruGating;

typedef struct
{
  SlGruGating gating;
  bool        one_hot;              /* the input is a symbol below d */
  bool        rectify;              /* f is the rectifier, else the identity */
  bool        affine;               /* norm (…) is followed by a trainable scale and shift */
  size_t      inputs, units, gates; /* d, h, g */
  size_t      wide;                 /* k */
  size_t      stride;  /* from row to row of [x H]: k and some more, as rows that are a power of two
                   * apart would share the sets of a cache */
  size_t      columns; /* that are normalised: h, g or 0 */
  size_t      group, groups; /* units that are executed together, the last group may have fewer */
  size_t      n;             /* numbers in the block of weights */
  /* Where they begin: R = [W_r U_r] (h, k), A = W_h (h, d), Q = U_h (h, h), L = [W_l U_l] (g,
   * k), V = W_z (g, h); for symbols the tables of R, A (d, h) and L (d, g) instead of W_r, W_h,
   * W_l; biases of R, A (h), L (g), V (h).  */
  size_t at_r, at_a, at_q, at_l, at_v, table_r, table_a, table_l, bias_r, bias_a, bias_l, bias_v;
  size_t at_gamma, at_beta; /* affine: γ and β (columns) */
} SlGru;

/* The weights cut for products with batches. */
typedef struct
{
  bool     backward; /* has the second four */
  sl_real *forward;  /* group by group R, Q and A, in the order in which they are read */
  sl_real *forward_l;
  sl_real *backward_r, *backward_a, *backward_q, *backward_l;
} SlGruPacked;

/* What a forward pass leaves for the backward pass.  A row is t B + e.  What exists only for
 * (row, group) pairs that are on lies group by group, row after row.  */
typedef struct
{
  size_t    batch, steps; /* B, T there is room for; rows are always `batch` to a step */
  sl_real  *in;           /* (T + 1, B, k), rows `stride` apart: [x H], H before the step */
  sl_real  *gate;         /* (T, B, g): f (ℓ); of a dense layer z */
  sl_real  *norm;         /* (T, B, columns): normalised; after the backward pass its gradient */
  sl_real  *mean, *variance, *inverse; /* (T, columns) of the batches */
  sl_real  *z;                         /* (T, B, columns) */
  sl_real  *reset;                     /* (T, B, h), standard: r ⊙ H */
  sl_real  *inner; /* (T, B, h), mixed: σ (…); after the backward pass the gradient before σ */
  uint32_t *row;   /* (groups, T B): rows for which a group is on */
  uint32_t *start; /* (groups, T + 1): how many of them come before each step */
  sl_real  *r, *q, *a; /* pairs: r, q, ĥ; after the backward pass gradients before σ, of q,
                        * before tanh */
  sl_real  *dgate;     /* (T, B, g): the gradient of ℓ */
  sl_real  *din;       /* (T, B, k), rows `stride` apart: that of [x H], without what H' hands
                       * on directly */
  sl_real  *dstate;    /* (B, h): that of the state before the first step */
  sl_real  *dreset;    /* (T, B, h), standard: the gradient of r ⊙ H */
  sl_real  *dz;        /* (B, h): scratch */
  sl_real *strips_x, *strips_h, *strips_reset; /* the inputs, the states and r ⊙ H, cut: scratch */
  double   ds;                                 /* the gradient of s */
} SlGruTape;

/* How the gates are normalised. */
typedef struct
{
  bool           given; /* by `mean` and `variance` (columns) instead of the batch's */
  const sl_real *mean, *variance;
  sl_real        epsilon, s;
} SlGruNorm;

/* Fixes the shape.  `gates` must divide `units` for blocks; dense layers do not read it. */
void sl_gru_shape (SlGru *gru, SlGruGating gating, bool one_hot, bool rectify, size_t inputs,
                   size_t units, size_t gates);

/* Right after sl_gru_shape(): gives the normalised gates a trainable γ and β, z = ctanh (γ norm (…) + β
 * + s) (eq. 2.14, which eq. 4.9 allows).  Dense layers have none.  */
void sl_gru_shape_affine (SlGru *gru);

/* True when z is a logistic function, so that every unit is computed. */
static inline bool
sl_gru_is_dense (const SlGru *gru)
{
  return gru->gating == SL_GRU_STANDARD || gru->gating == SL_GRU_DENSE;
}

/* Units of a group. */
static inline size_t
sl_gru_group_units (const SlGru *gru, size_t group)
{
  size_t left = gru->units - group * gru->group;

  return left < gru->group ? left : gru->group;
}

/* Glorot for W and V, orthogonal for U, γ of 1, zero biases, into w (n).  Allocates.  SL_ENOMEM. */
SlStatus sl_gru_init (const SlGru *gru, SlRng *rng, sl_real *w);

/* Cuts room for packed weights, those of the backward pass only where asked for. */
void sl_gru_pack_carve (SlGruPacked *packed, const SlGru *gru, bool backward, SlArena *scratch);
void sl_gru_pack (const SlGru *gru, const sl_real *w, SlGruPacked *packed);

/* Cuts a tape; without `backward` none of what only that pass needs. */
void sl_gru_tape_carve (SlGruTape *tape, const SlGru *gru, size_t batch, size_t steps,
                        bool backward, SlArena *scratch);

/* The state of example 0 before step t, rows `stride` apart; where step t - 1 leaves its own. */
static inline sl_real *
sl_gru_state (const SlGru *gru, const SlGruTape *tape, size_t t)
{
  return tape->in + t * tape->batch * gru->stride + gru->wide - gru->units;
}

/* The inputs of example 0 at step t, rows `stride` apart; to be filled before the step.  Not for
 * symbols.  */
static inline sl_real *
sl_gru_input (const SlGru *gru, const SlGruTape *tape, size_t t)
{
  return tape->in + t * tape->batch * gru->stride;
}

/* Step t of all examples, in two halves: the gates, then the states they lead to.  Steps go up
 * from 0. `symbol` (B) is read for one-hot input.  Between the halves z may be changed.  */
void sl_gru_gates (const SlGru *gru, const sl_real *w, const SlGruPacked *packed, SlGruTape *tape,
                   size_t t, const uint8_t *symbol, const SlGruNorm *norm);
void sl_gru_states (const SlGru *gru, const sl_real *w, const SlGruPacked *packed, SlGruTape *tape,
                    size_t t, const uint8_t *symbol);

/* Pairs that were on in the first `steps` steps. */
size_t sl_gru_pairs (const SlGru *gru, const SlGruTape *tape, size_t steps);

/* From dout (T, B, h), rows `ldd` apart, the slope of the loss in the states after each of `steps`
 * steps (not through later ones), writes the gradient of all weights over `dw` (n), and din, dstate
 * and ds of the tape.  The gates must have been normalised by their batch.  `symbol` (T, B).  */
void sl_gru_backward (const SlGru *gru, const sl_real *w, const SlGruPacked *packed,
                      SlGruTape *tape, size_t steps, const uint8_t *symbol, const sl_real *dout,
                      size_t ldd, sl_real *dw);

/* One example, one step, straight from the weights: only the rows of units that are on are read.
 * `in` (k) is [x H]; H' is written over its H.  `z` (h) gets the gates unit by unit; with
 * `given_z` it is used instead of the gates that were computed.  `work` (sl_gru_one_work ()) and
 * `rows` (h).  Returns how many units were on.  */
size_t sl_gru_one (const SlGru *gru, const sl_real *w, const SlGruNorm *norm, sl_real *in,
                   uint8_t symbol, const sl_real *given_z, sl_real *z, sl_real *work,
                   uint32_t *rows);
size_t sl_gru_one_work (const SlGru *gru);

/* Multiply-adds of one example's step: when all units are on (the ordinary unit without gates of
 * its own is `gates` = 0), and the gates alone.  A product with a one-hot input is free.  */
double sl_gru_unit_macs (const SlGru *gru);
double sl_gru_gate_macs (const SlGru *gru);
