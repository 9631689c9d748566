/* SPDX-License-Identifier: MIT */
#include "core/labs/experts-text/math/lstm.h"

#include <string.h>

#include "core/nn/dense/init.h"
#include "core/nn/kernels/row-gemm.h"

void
sl_lstm_shape (SlLstm *lstm, size_t inputs, size_t units)
{
  *lstm = (SlLstm) { .inputs = inputs, .units = units };
  lstm->at_u = inputs * 4 * units;
  lstm->at_b = lstm->at_u + units * 4 * units;
  lstm->n = lstm->at_b + 4 * units;
}

void
sl_lstm_init (const SlLstm *lstm, sl_real forget, SlRng *rng, sl_real *w)
{
  size_t h = lstm->units;

  sl_init_glorot (rng, lstm->inputs, h, lstm->inputs * 4 * h, w + lstm->at_w);
  sl_init_glorot (rng, h, h, h * 4 * h, w + lstm->at_u);
  memset (w + lstm->at_b, 0, 4 * h * sizeof *w);
  for (size_t u = 0; u < h; u++)
    w[lstm->at_b + h + u] = forget;
}

void
sl_lstm_pack_carve (SlLstmPacked *packed, const SlLstm *lstm, bool backward, SlArena *scratch)
{
  size_t h = lstm->units;

  *packed = (SlLstmPacked) { .forward = sl_arena_reals (scratch, sl_row_gemm_size (h, 4 * h)) };
  if (backward)
    packed->backward = sl_arena_reals (scratch, sl_row_gemm_size (4 * h, h));
}

void
sl_lstm_pack (const SlLstm *lstm, const sl_real *w, SlLstmPacked *packed)
{
  size_t h = lstm->units;

  sl_row_gemm_pack (SL_PLAIN, h, 4 * h, w + lstm->at_u, 4 * h, packed->forward);
  if (packed->backward != NULL)
    sl_row_gemm_pack (SL_TRANSPOSED, 4 * h, h, w + lstm->at_u, 4 * h, packed->backward);
}

void
sl_lstm_tape_carve (SlLstmTape *tape, const SlLstm *lstm, size_t batch, size_t steps, bool backward,
                    SlArena *scratch)
{
  size_t state = batch * lstm->units;

  *tape = (SlLstmTape) { .batch = batch, .steps = steps };
  tape->gate = sl_arena_reals (scratch, steps * 4 * state);
  tape->cell = sl_arena_reals (scratch, (steps + 1) * state);
  tape->state = sl_arena_reals (scratch, (steps + 1) * state);
  tape->squashed = sl_arena_reals (scratch, steps * state);
  if (backward)
    {
      tape->dcell = sl_arena_reals (scratch, state);
      tape->dstate = sl_arena_reals (scratch, state);
    }
}

void
sl_lstm_carry (const SlLstm *lstm, SlLstmTape *tape, size_t steps)
{
  size_t state = tape->batch * lstm->units;

  memcpy (tape->cell, tape->cell + steps * state, state * sizeof *tape->cell);
  memcpy (tape->state, tape->state + steps * state, state * sizeof *tape->state);
}

void
sl_lstm_rest (const SlLstm *lstm, SlLstmTape *tape, size_t first, size_t count)
{
  size_t h = lstm->units;

  memset (tape->cell + first * h, 0, count * h * sizeof *tape->cell);
  memset (tape->state + first * h, 0, count * h * sizeof *tape->state);
}

double
sl_lstm_macs (const SlLstm *lstm)
{
  return 4 * (double) lstm->units * (double) (lstm->inputs + lstm->units);
}
