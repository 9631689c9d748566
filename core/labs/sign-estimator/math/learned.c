/* SPDX-License-Identifier: MIT */
#include "core/labs/sign-estimator/math/learned.h"

#include <math.h>
#include <string.h>

#include "core/nn/dense/act.h"
#include "core/nn/kernels/clones.h"
#include "core/nn/kernels/mat.h"
#include "core/nn/kernels/vector.h"

void
sl_learned_init (SlLearned *p, size_t units, size_t most_inputs, size_t most, SlArena *kept,
                 SlArena *scratch)
{
  size_t n = most * (most_inputs + units) + units;

  *p = (SlLearned) { .units = units, .most_inputs = most_inputs, .most = most };
  p->weights = sl_arena_reals (kept, n);
  p->m = sl_arena_reals (kept, n);
  p->v = sl_arena_reals (kept, n);
  p->gradient = sl_arena_reals (scratch, n);
}

static size_t
rank_of (const SlLearned *p, const SlLowRank *svd)
{
  return svd->rank < p->most ? svd->rank : p->most;
}

/* B and c of the factors; A has been written. */
static void
begin_above (SlLearned *p, const SlLowRank *svd, const sl_real *bias)
{
  sl_real *b = sl_learned_b (p);
  size_t   n = sl_learned_numbers (p);

  for (size_t k = 0; k < p->rank; k++)
    for (size_t i = 0; i < p->units; i++)
      b[k * p->units + i] = svd->u[i * svd->kept + k];
  memcpy (sl_learned_c (p), bias, p->units * sizeof *bias);
  memset (p->m, 0, n * sizeof *p->m);
  memset (p->v, 0, n * sizeof *p->v);
}

void
sl_learned_begin (SlLearned *p, const SlLowRank *svd, const sl_real *bias)
{
  p->inputs = svd->inputs;
  p->rank = rank_of (p, svd);
  for (size_t j = 0; j < p->inputs; j++)
    memcpy (p->weights + j * p->rank, svd->v + j * svd->kept, p->rank * sizeof *p->weights);
  begin_above (p, svd, bias);
}

void
sl_learned_begin_ahead (SlLearned *p, const SlLowRank *svd, const sl_real *bias,
                        size_t earlier_inputs, const sl_real *w, const sl_real *earlier_bias)
{
  p->inputs = earlier_inputs;
  p->rank = rank_of (p, svd);
  begin_above (p, svd, bias);
  if (p->rank == 0)
    return;
  /* A = W' V; c += U V' of the earlier bias. */
  sl_mat_mul (SL_TRANSPOSED, SL_PLAIN, p->inputs, p->rank, svd->inputs, 1, w, p->inputs, svd->v,
              svd->kept, 0, p->weights, p->rank);
  for (size_t k = 0; k < p->rank; k++)
    {
      const sl_real *b = sl_learned_b (p) + k * p->units;
      sl_real        low = 0;

      for (size_t j = 0; j < svd->inputs; j++)
        low += svd->v[j * svd->kept + k] * earlier_bias[j];
      for (size_t i = 0; i < p->units; i++)
        sl_learned_c (p)[i] += low * b[i];
    }
}

void
sl_learned_scores (const SlLearned *p, size_t batch, const sl_real *x, sl_real *low, sl_real *q)
{
  const sl_real *c = sl_learned_c (p);

  for (size_t e = 0; e < batch; e++)
    memcpy (q + e * p->units, c, p->units * sizeof *q);
  if (p->rank == 0)
    return;
  sl_mat_mul (SL_PLAIN, SL_PLAIN, batch, p->rank, p->inputs, 1, x, p->inputs, p->weights, p->rank,
              0, low, p->rank);
  if (p->rectifies)
    sl_relu_forward (batch * p->rank, low, low);
  sl_mat_mul (SL_PLAIN, SL_PLAIN, batch, p->units, p->rank, 1, low, p->rank, sl_learned_b (p),
              p->units, 1, q, p->units);
}

SL_CLONES static size_t
count_on (size_t n, const sl_real *pre, sl_real cut)
{
  size_t on = 0;

  for (size_t i = 0; i < n; i++)
    on += pre[i] > cut;
  return on;
}

/* s: σ(q) on entry, ω (σ(q) - t) by `by` afterwards. */
SL_CLONES static void
slope_of (size_t n, const sl_real *pre, sl_real cut, sl_real off, sl_real by, sl_real *s)
{
  for (size_t i = 0; i < n; i++)
    s[i] = pre[i] > cut ? by * (s[i] - 1) : by * off * s[i];
}

/* Σ ω (softplus (q) - t q). */
static double
loss_of (size_t n, const sl_real *pre, sl_real cut, double off, const sl_real *q)
{
  double sum = 0.0;

  for (size_t i = 0; i < n; i++)
    {
      double z = (double) q[i], rest = log1p (exp (-fabs (z)));

      sum += pre[i] > cut ? fmax (-z, 0.0) + rest : off * (fmax (z, 0.0) + rest);
    }
  return sum;
}

/* 1 ÷ the mean of relu (pre)²; 0 where nothing is on. */
static double
energy_scale (size_t n, const sl_real *pre)
{
  double sum = 0.0;

  for (size_t i = 0; i < n; i++)
    if (pre[i] > 0)
      sum += (double) pre[i] * (double) pre[i];
  return sum > 0.0 ? (double) n / sum : 0.0;
}

/* s: σ(q) on entry, its slope in the lost energy and the price by `by` afterwards.  Returns their sum. */
static double
energy_slope (size_t n, const sl_real *pre, double scale, double by, sl_real *s)
{
  double sum = 0.0;

  for (size_t i = 0; i < n; i++)
    {
      double on = (double) s[i], r = pre[i] > 0 ? scale * (double) pre[i] * (double) pre[i] : 0.0;

      sum += r * (1.0 - on) * (1.0 - on) + SL_LEARNED_PRICE * on;
      s[i] = (sl_real) (by * on * (1.0 - on) * (SL_LEARNED_PRICE - 2.0 * r * (1.0 - on)));
    }
  return sum;
}

/* The gradient of c, and of B and A behind it, from dq. */
static void
gradient_of (SlLearned *p, size_t batch, const sl_real *x, const sl_real *dq, sl_real *low)
{
  sl_real *da = p->gradient, *db = da + p->inputs * p->rank, *dc = db + p->rank * p->units;

  memset (dc, 0, p->units * sizeof *dc);
  for (size_t e = 0; e < batch; e++)
    for (size_t i = 0; i < p->units; i++)
      dc[i] += dq[e * p->units + i];
  if (p->rank == 0)
    return;
  sl_mat_mul (SL_TRANSPOSED, SL_PLAIN, p->rank, p->units, batch, 1, low, p->rank, dq, p->units, 0,
              db, p->units);
  /* dlow in place of low, which is 0 where a rectifier was off. */
  if (!p->rectifies)
    sl_mat_mul (SL_PLAIN, SL_TRANSPOSED, batch, p->rank, p->units, 1, dq, p->units,
                sl_learned_b (p), p->units, 0, low, p->rank);
  else
    for (size_t e = 0; e < batch; e++)
      for (size_t k = 0; k < p->rank; k++)
        {
          const sl_real *b = sl_learned_b (p) + k * p->units, *d = dq + e * p->units;

          low[e * p->rank + k] = low[e * p->rank + k] > 0 ? sl_vector_dot (p->units, d, b) : 0;
        }
  sl_mat_mul (SL_TRANSPOSED, SL_PLAIN, p->inputs, p->rank, batch, 1, x, p->inputs, low, p->rank, 0,
              da, p->rank);
}

void
sl_learned_backward (SlLearned *p, size_t batch, const sl_real *x, const sl_real *pre, sl_real cut,
                     SlLearnedWeight weight, sl_real *low, sl_real *q, double *loss)
{
  size_t n = batch * p->units;
  double off = 1.0, by = 1.0 / (double) n, sum;

  if (weight == SL_LEARNED_ENERGY)
    {
      sl_sigmoid_forward (n, q, q);
      sum = energy_slope (n, pre, energy_scale (n, pre), by, q);
      if (loss != NULL)
        *loss = sum * by;
      gradient_of (p, batch, x, q, low);
      return;
    }
  if (weight == SL_LEARNED_BALANCED)
    off = (double) count_on (n, pre, cut) / (double) n + 0.005;
  if (loss != NULL)
    *loss = loss_of (n, pre, cut, off, q) * by;
  sl_sigmoid_forward (n, q, q);
  slope_of (n, pre, cut, (sl_real) off, (sl_real) by, q);
  gradient_of (p, batch, x, q, low);
}

void
sl_learned_credit (SlLearned *p, size_t batch, const sl_real *x, const sl_real *dq, sl_real *low)
{
  gradient_of (p, batch, x, dq, low);
}

void
sl_learned_update (SlLearned *p, sl_real rate, uint64_t t)
{
  SlOptimSetting adam = sl_optim_default ();

  adam.rate = rate;
  sl_optim_step (&adam, t, sl_learned_numbers (p), p->gradient, p->weights, p->m, p->v);
}
