/* SPDX-License-Identifier: MIT
 *
 * The passes of long short-term memory over a batch; see lstm.h.  What needs no last state, the
 * inputs' part of the gates and all sums over steps, is one product for all steps.  */
#include <assert.h>
#include <string.h>

#include "core/labs/experts-text/math/lstm.h"
#include "core/nn/dense/act.h"
#include "core/nn/dense/dense.h"
#include "core/nn/kernels/blocks.h"
#include "core/nn/kernels/clones.h"
#include "core/nn/kernels/row-gemm.h"

enum { SHARED = 1 << 14 }; /* numbers of a step from which more threads pay */

/* C' = f ⊙ C + i ⊙ g of one example, gates in the order i, f, o, g. */
SL_CLONES static void
move_cells (size_t h, const sl_real *gate, const sl_real *cell, sl_real *next)
{
  for (size_t u = 0; u < h; u++)
    next[u] = gate[h + u] * cell[u] + gate[u] * gate[3 * h + u];
}

SL_CLONES static void
open_cells (size_t h, const sl_real *gate, const sl_real *squashed, sl_real *state)
{
  for (size_t u = 0; u < h; u++)
    state[u] = gate[2 * h + u] * squashed[u];
}

/* From the gates' arguments to the next cells and states of step t. */
static void
finish_step (const SlLstm *lstm, SlLstmTape *tape, size_t t)
{
  size_t h = lstm->units, batch = tape->batch;

#pragma omp parallel for schedule(static) if (batch * h > SHARED)
  for (size_t e = 0; e < batch; e++)
    {
      size_t   row = t * batch + e, next = row + batch;
      sl_real *gate = tape->gate + row * 4 * h, *squashed = tape->squashed + row * h;

      sl_sigmoid_forward (3 * h, gate, gate);
      sl_tanh_forward (h, gate + 3 * h, gate + 3 * h);
      move_cells (h, gate, tape->cell + row * h, tape->cell + next * h);
      sl_tanh_forward (h, tape->cell + next * h, squashed);
      open_cells (h, gate, squashed, tape->state + next * h);
    }
}

void
sl_lstm_forward (const SlLstm *lstm, const sl_real *w, const SlLstmPacked *packed, SlLstmTape *tape,
                 size_t steps, const sl_real *x)
{
  size_t h = lstm->units, batch = tape->batch, rows = steps * batch;

  assert (steps <= tape->steps);
  for (size_t row = 0; row < rows; row++)
    memcpy (tape->gate + row * 4 * h, w + lstm->at_b, 4 * h * sizeof *w);
  sl_blocks_rows (SL_PLAIN, rows, 4 * h, lstm->inputs, x, w + lstm->at_w, 4 * h, true, tape->gate,
                  4 * h);
  for (size_t t = 0; t < steps; t++)
    {
      sl_row_gemm_all (batch, 4 * h, h, tape->state + t * batch * h, h, packed->forward, true,
                       tape->gate + t * batch * 4 * h);
      finish_step (lstm, tape, t);
    }
}

/* Turns the gates of one example into the gradients of their arguments, and dcell from that of C'
 * into that of C.  `dout` and `dstate` together are the gradient of H'.  */
SL_CLONES static void
turn_gates (size_t h, const sl_real *cell, const sl_real *squashed, const sl_real *dout,
            const sl_real *dstate, sl_real *dcell, sl_real *gate)
{
  for (size_t u = 0; u < h; u++)
    {
      sl_real i = gate[u], f = gate[h + u], o = gate[2 * h + u], g = gate[3 * h + u];
      sl_real dh = dout[u] + dstate[u];
      sl_real dc = dcell[u] + dh * o * (1 - squashed[u] * squashed[u]);

      gate[u] = dc * g * i * (1 - i);
      gate[h + u] = dc * cell[u] * f * (1 - f);
      gate[2 * h + u] = dh * squashed[u] * o * (1 - o);
      gate[3 * h + u] = dc * i * (1 - g * g);
      dcell[u] = dc * f;
    }
}

static void
turn_step (const SlLstm *lstm, SlLstmTape *tape, size_t t, const sl_real *dout)
{
  size_t h = lstm->units, batch = tape->batch;

#pragma omp parallel for schedule(static) if (batch * h > SHARED)
  for (size_t e = 0; e < batch; e++)
    {
      size_t row = t * batch + e;

      turn_gates (h, tape->cell + row * h, tape->squashed + row * h, dout + row * h,
                  tape->dstate + e * h, tape->dcell + e * h, tape->gate + row * 4 * h);
    }
}

void
sl_lstm_backward (const SlLstm *lstm, const sl_real *w, const SlLstmPacked *packed,
                  SlLstmTape *tape, size_t steps, const sl_real *x, const sl_real *dout,
                  sl_real *dw, sl_real *dx)
{
  size_t h = lstm->units, d = lstm->inputs, batch = tape->batch, rows = steps * batch;

  assert (steps <= tape->steps);
  memset (tape->dcell, 0, batch * h * sizeof *tape->dcell);
  memset (tape->dstate, 0, batch * h * sizeof *tape->dstate);
  for (size_t t = steps; t-- > 0;)
    {
      turn_step (lstm, tape, t, dout);
      sl_row_gemm_all (batch, h, 4 * h, tape->gate + t * batch * 4 * h, 4 * h, packed->backward,
                       false, tape->dstate);
    }
  sl_blocks_outer (rows, d, 4 * h, x, tape->gate, dw + lstm->at_w);
  sl_blocks_outer (rows, h, 4 * h, tape->state, tape->gate, dw + lstm->at_u);
  sl_dense_bias_backward (rows, 4 * h, tape->gate, dw + lstm->at_b);
  if (dx != NULL)
    sl_blocks_rows (SL_TRANSPOSED, rows, d, 4 * h, tape->gate, w + lstm->at_w, 4 * h, false, dx, d);
}
