/* SPDX-License-Identifier: MIT
 *
 * One example through gated recurrent units, reading only the weights of units that are on; see
 * gru.h.  */
#include <string.h>

#include "core/labs/gated-recurrence/math/gru.h"
#include "core/nn/dense/act.h"
#include "core/nn/dense/batchnorm.h"
#include "core/nn/kernels/clones.h"
#include "core/nn/kernels/gather.h"
#include "core/nn/kernels/mat.h"
#include "core/nn/kernels/vector.h"

size_t
sl_gru_one_work (const SlGru *gru)
{
  return 4 * gru->units + gru->gates;
}

/* y (n) = Σ_j a[j] V[j] over the rows of V (m, n); those whose factor is 0 cost nothing. */
SL_CLONES static void
weigh_rows (size_t m, size_t n, const sl_real *a, const sl_real *v, sl_real *y)
{
  memset (y, 0, n * sizeof *y);
  for (size_t j = 0; j < m; j++)
    if (a[j] != 0)
      for (size_t i = 0; i < n; i++)
        y[i] += a[j] * v[j * n + i];
}

/* Normalises v (columns) in place and turns it into gates. */
static void
normalise_one (const SlGru *gru, const sl_real *w, const SlGruNorm *norm, sl_real *v)
{
  size_t c = gru->columns;

  sl_norm_given (1, c, norm->epsilon, norm->mean, norm->variance, v);
  if (gru->affine)
    sl_norm_scale (1, c, w + gru->at_gamma, w + gru->at_beta, v, v);
  sl_clipped_tanh_forward (c, norm->s, v, v);
}

/* The gates unit by unit, z (h). */
static void
one_gates (const SlGru *gru, const sl_real *w, const SlGruNorm *norm, const sl_real *in,
           uint8_t symbol, sl_real *z, sl_real *gate, sl_real *v)
{
  size_t g = gru->gates, h = gru->units;

  sl_mat_vec (g, gru->wide, w + gru->at_l, gru->wide, in, gate);
  sl_vector_add (g, w + gru->bias_l, gate);
  if (gru->one_hot)
    sl_vector_add (g, w + gru->table_l + symbol * g, gate);
  if (sl_gru_is_dense (gru))
    {
      sl_sigmoid_forward (h, gate, z);
      return;
    }
  if (gru->rectify)
    sl_relu_forward (g, gate, gate);
  if (gru->gating == SL_GRU_UNITS)
    {
      weigh_rows (g, h, gate, w + gru->at_v, z);
      normalise_one (gru, w, norm, z);
      return;
    }
  if (gru->gating == SL_GRU_MIXED)
    {
      weigh_rows (g, h, gate, w + gru->at_v, v);
      sl_vector_add (h, w + gru->bias_v, v);
      sl_sigmoid_forward (h, v, v);
    }
  normalise_one (gru, w, norm, gate);
  for (size_t i = 0; i < h; i++)
    z[i] = gate[i / gru->group] * (gru->gating == SL_GRU_MIXED ? v[i] : 1);
}

/* y[i] = W[i]·x + b[i] for the chosen rows; all of them by the library. */
static void
chosen_rows (size_t n, size_t k, const sl_real *w, const sl_real *b, const sl_real *x,
             const uint32_t *rows, size_t n_rows, sl_real *y)
{
  if (n_rows < n)
    {
      sl_gather_vec (k, w, b, x, rows, n_rows, y);
      return;
    }
  sl_mat_vec (n, k, w, k, x, y);
  sl_vector_add (n, b, y);
}

/* The reset gates of all units, and with them the state as the standard layer's product sees it. */
static void
reset_state (const SlGru *gru, const sl_real *w, const sl_real *in, uint8_t symbol, sl_real *r,
             sl_real *reset)
{
  size_t         h = gru->units, k = gru->wide;
  const sl_real *state = in + (k - h);

  sl_mat_vec (h, k, w + gru->at_r, k, in, r);
  sl_vector_add (h, w + gru->bias_r, r);
  if (gru->one_hot)
    sl_vector_add (h, w + gru->table_r + symbol * h, r);
  sl_sigmoid_forward (h, r, r);
  for (size_t i = 0; i < h; i++)
    reset[i] = r[i] * state[i];
}

/* Packs the chosen numbers together, adding what the symbol gives. */
static void
pick_rows (size_t n_rows, const uint32_t *rows, const sl_real *table, sl_real *y)
{
  for (size_t l = 0; l < n_rows; l++)
    y[l] = y[rows[l]] + (table != NULL ? table[rows[l]] : 0);
}

size_t
sl_gru_one (const SlGru *gru, const sl_real *w, const SlGruNorm *norm, sl_real *in, uint8_t symbol,
            const sl_real *given_z, sl_real *z, sl_real *work, uint32_t *rows)
{
  size_t   h = gru->units, k = gru->wide, d = k - h, n_rows = 0;
  sl_real *r = work, *q = r + h, *a = q + h, *v = a + h, *gate = v + h, *state = in + d;
  bool standard = gru->gating == SL_GRU_STANDARD; /* its r is of all units, and in r ⊙ H already */

  one_gates (gru, w, norm, in, symbol, z, gate, v);
  if (given_z != NULL)
    memcpy (z, given_z, h * sizeof *z);
  for (size_t i = 0; i < h; i++)
    {
      rows[n_rows] = (uint32_t) i;
      n_rows += z[i] != 0;
    }
  memset (v, 0, h * sizeof *v); /* the product with U_h has no bias */
  if (standard)
    reset_state (gru, w, in, symbol, r, gate);
  else
    chosen_rows (h, k, w + gru->at_r, w + gru->bias_r, in, rows, n_rows, r);
  chosen_rows (h, h, w + gru->at_q, v, standard ? gate : state, rows, n_rows, q);
  if (gru->one_hot)
    memcpy (a, w + gru->bias_a, h * sizeof *a);
  else
    chosen_rows (h, d, w + gru->at_a, w + gru->bias_a, in, rows, n_rows, a);
  if (!standard)
    {
      pick_rows (n_rows, rows, gru->one_hot ? w + gru->table_r + symbol * h : NULL, r);
      sl_sigmoid_forward (n_rows, r, r);
    }
  pick_rows (n_rows, rows, gru->one_hot ? w + gru->table_a + symbol * h : NULL, a);
  pick_rows (n_rows, rows, NULL, q);
  for (size_t l = 0; l < n_rows; l++)
    a[l] += standard ? q[l] : r[l] * q[l];
  sl_tanh_forward (n_rows, a, a);
  for (size_t l = 0; l < n_rows; l++)
    state[rows[l]] += z[rows[l]] * (a[l] - state[rows[l]]);
  return n_rows;
}
