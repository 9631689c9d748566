/* SPDX-License-Identifier: MIT
 *
 * A layer of long short-term memory with forget gates (Hochreiter and Schmidhuber 1997; Gers,
 * Schmidhuber and Cummins 2000), as the language models of Shazeer et al. 2017, appendix C.1, use
 * it.  For an example with the input x (d), the last state H (h) and the last cell C (h):
 *
 *   i = σ (W_i x + U_i H + b_i),  f = σ (W_f x + U_f H + b_f),  o = σ (W_o x + U_o H + b_o)
 *   g = tanh (W_g x + U_g H + b_g)
 *   C' = f ⊙ C + i ⊙ g,  H' = o ⊙ tanh (C')
 *
 * Letters: T steps, B batch, d inputs, h units.  The four gates lie side by side in the order i, f,
 * o, g, so that a step is one product: W is (d, 4 h), U (h, 4 h), b (4 h).
 *
 * Threads: as for mat.h; results do not depend on how many there are.  Nothing allocates after
 * the arenas were.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/base/arena.h"
#include "core/base/real.h"
#include "core/base/rng.h"

typedef struct
{
  size_t inputs, units;    /* d, h */
  size_t n;                /* numbers in the block of weights */
  size_t at_w, at_u, at_b; /* where W, U and b begin in it */
} SlLstm;

/* U cut for the products of single steps; W and its gradient need no cutting, as all steps share
 * one product.  */
typedef struct
{
  sl_real *forward;  /* strips of U */
  sl_real *backward; /* strips of U'; NULL without a backward pass */
} SlLstmPacked;

/* What a forward pass leaves for the backward pass.  A row is t B + e. */
typedef struct
{
  size_t   batch, steps; /* B, T there is room for; rows are always `batch` to a step */
  sl_real *gate;         /* (T, B, 4 h): i, f, o, g; after the backward pass the gradients of their
                          * arguments */
  sl_real *cell;         /* (T + 1, B, h): C before the step */
  sl_real *state;        /* (T + 1, B, h): H before the step */
  sl_real *squashed;     /* (T, B, h): tanh (C') */
  sl_real *dcell;        /* (B, h): gradients of the cell and of the state before the first step; */
  sl_real *dstate;       /* NULL without a backward pass */
} SlLstmTape;

/* Fixes the shape. */
void sl_lstm_shape (SlLstm *lstm, size_t inputs, size_t units);

/* Glorot for W and U (each gate's part by its own fans), biases of 0 but for the forget gate's,
 * which are `forget` (1 keeps the cell at first: Gers et al. 2000, Józefowicz et al. 2015), into w
 * (n).  */
void sl_lstm_init (const SlLstm *lstm, sl_real forget, SlRng *rng, sl_real *w);

/* Carves room for the packed weights, and packs them: before the first pass and after each
 * update.  */
void sl_lstm_pack_carve (SlLstmPacked *packed, const SlLstm *lstm, bool backward, SlArena *scratch);
void sl_lstm_pack (const SlLstm *lstm, const sl_real *w, SlLstmPacked *packed);

/* Carves a tape; its first state and cell are 0 as the arena is. */
void sl_lstm_tape_carve (SlLstmTape *tape, const SlLstm *lstm, size_t batch, size_t steps,
                         bool backward, SlArena *scratch);

/* States (T, B, h) that the steps led to. */
static inline sl_real *
sl_lstm_output (const SlLstm *lstm, const SlLstmTape *tape)
{
  return tape->state + tape->batch * lstm->units;
}

/* `steps` <= T steps over x (steps, B, d) from the first state and cell of the tape. */
void sl_lstm_forward (const SlLstm *lstm, const sl_real *w, const SlLstmPacked *packed,
                      SlLstmTape *tape, size_t steps, const sl_real *x);

/* From dout (steps, B, h), the gradient of the states after each step but for what later steps make
 * of them, writes the gradient of all weights over dw (n), dx (steps, B, d) unless NULL, and dcell
 * and dstate of the tape.  Uses up the gates of the tape.  */
void sl_lstm_backward (const SlLstm *lstm, const sl_real *w, const SlLstmPacked *packed,
                       SlLstmTape *tape, size_t steps, const sl_real *x, const sl_real *dout,
                       sl_real *dw, sl_real *dx);

/* Lets the next pass begin where one of `steps` steps ended. */
void sl_lstm_carry (const SlLstm *lstm, SlLstmTape *tape, size_t steps);
/* Lets `count` examples from `first` on begin the next pass with a state and a cell of 0. */
void sl_lstm_rest (const SlLstm *lstm, SlLstmTape *tape, size_t first, size_t count);

/* Multiply-adds of one example's step. */
double sl_lstm_macs (const SlLstm *lstm);
