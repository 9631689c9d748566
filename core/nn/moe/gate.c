/* SPDX-License-Identifier: MIT */
#include "core/nn/moe/gate.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/nn/dense/topk.h"
#include "core/nn/kernels/blocks.h"
#include "core/nn/kernels/clones.h"
#include "core/nn/kernels/special.h"
#include "core/nn/kernels/vector.h"

/* Sums along a row run in as many columns, so that they vectorise in one defined order. */
enum { LANES = 16 };

size_t
sl_gate_numbers (size_t inputs, size_t experts)
{
  return inputs * 2 * experts;
}

void
sl_gate_carve (SlGate *gate, size_t inputs, size_t experts, size_t most, SlArena *scratch)
{
  *gate = (SlGate) { .inputs = inputs, .experts = experts, .most = most };
  gate->logits = sl_arena_reals (scratch, most * 2 * experts);
  gate->sigma = sl_arena_reals (scratch, most * experts);
  gate->h = sl_arena_reals (scratch, most * experts);
  gate->best = sl_arena_carve (scratch, most * experts, sizeof *gate->best);
  gate->value = sl_arena_reals (scratch, most * experts);
  gate->chosen = sl_arena_carve (scratch, most * experts, sizeof *gate->chosen);
  gate->g = sl_arena_reals (scratch, most * experts);
  gate->load = sl_arena_reals (scratch, experts);
  gate->slope = sl_arena_reals (scratch, most * 2 * experts);
  gate->sums = sl_arena_reals (scratch, sl_blocks_of (most) * 2 * experts);
  gate->bad = sl_arena_carve (scratch, sl_blocks_of (most), sizeof *gate->bad);
}

void
sl_gate_bind (SlGate *gate, const sl_real *weights, sl_real *gradient)
{
  gate->weights = weights;
  gate->gradient = gradient;
}

static const sl_real *
noise_of_row (const SlGateRows *input, size_t r)
{
  if (input->epsilon == NULL)
    return NULL;
  return input->epsilon + (input->which != NULL ? input->which[r] : r) * input->stride;
}

/* How many experts a row keeps in order: one more than it chooses, if there is one. */
static size_t
kept_places (const SlGate *gate)
{
  return sl_least (gate->k + 1, gate->experts);
}

/* σ and H of a row from its logits, with the noise if any.  Returns how many were not finite;
 * those get what an ignored expert has.  */
SL_CLONES static uint32_t
noisy_row (size_t n, sl_real floor, const sl_real *epsilon, sl_real *restrict c,
           sl_real *restrict a, sl_real *restrict sigma, sl_real *restrict h)
{
  uint32_t bad = 0;

  for (size_t i = 0; i < n; i++)
    sigma[i] = sl_softplus (a[i]) + floor;
  for (size_t i = 0; i < n; i++)
    h[i] = epsilon != NULL ? c[i] + epsilon[i] * sigma[i] : c[i];
  for (size_t i = 0; i < n; i++)
    bad += !(fabs (h[i]) <= sl_most_finite && sigma[i] <= sl_most_finite);
  for (size_t i = 0; bad > 0 && i < n; i++)
    if (!(fabs (h[i]) <= sl_most_finite && sigma[i] <= sl_most_finite))
      {
        h[i] = c[i] = -sl_most_finite;
        sigma[i] = sl_softplus (0) + floor;
        a[i] = 0;
      }
  return bad;
}

/* The same where σ is not needed. */
SL_CLONES static uint32_t
plain_row (size_t n, sl_real *restrict c, sl_real *restrict h)
{
  uint32_t bad = 0;

  for (size_t i = 0; i < n; i++)
    {
      bool finite = fabs (c[i]) <= sl_most_finite;

      bad += !finite;
      h[i] = c[i] = finite ? c[i] : -sl_most_finite;
    }
  return bad;
}

/* G of one row: softmax over the chosen, whose numbers are put in rising order. */
static void
choose_row (size_t k, const uint32_t *best, const sl_real *h, uint32_t *chosen, sl_real *g)
{
  sl_real sum = 0, top = h[best[0]];

  for (size_t p = 0; p < k; p++)
    {
      size_t at = p;

      for (; at > 0 && chosen[at - 1] > best[p]; at--)
        chosen[at] = chosen[at - 1];
      chosen[at] = best[p];
    }
  /* With held choices the first is not always the largest. */
  for (size_t p = 1; p < k; p++)
    top = h[best[p]] > top ? h[best[p]] : top;
  for (size_t p = 0; p < k; p++)
    {
      g[p] = sl_exp_fall (top - h[chosen[p]]);
      sum += g[p];
    }
  for (size_t p = 0; p < k; p++)
    g[p] /= sum;
}

static sl_real
bias_of (const SlGate *gate, size_t expert)
{
  return expert < gate->plain ? 0 : gate->bias;
}

/* What the choice compares in a block of rows: H, or a copy with the bias in the work space of the block. */
static const sl_real *
compared (SlGate *gate, size_t first, size_t rows)
{
  size_t   n = gate->experts;
  sl_real *to = gate->slope + first * 2 * n;

  if (gate->bias == 0)
    return gate->h + first * n;
  memcpy (to, gate->h + first * n, rows * n * sizeof *to);
  for (size_t r = 0; r < rows; r++)
    for (size_t i = gate->plain; i < n; i++)
      to[r * n + i] += gate->bias;
  return to;
}

/* What each expert of row r has to exceed to be chosen; only where k < n. */
static void
bars_of_row (const SlGate *gate, size_t r, sl_real *bar)
{
  const sl_real *value = gate->value + r * kept_places (gate);

  for (size_t i = 0; i < gate->experts; i++)
    bar[i] = value[gate->k - 1];
  for (size_t p = 0; p < gate->k; p++)
    bar[gate->chosen[r * gate->k + p]] = value[gate->k];
  for (size_t i = gate->plain; i < gate->experts; i++)
    bar[i] -= gate->bias;
}

/* (c - t) / σ, kept where φ has not underflowed yet, so that no product with it is
 * undefined.  Not-a-number counts as far below.  */
SL_SPECIAL sl_real
normal_distance (sl_real c, sl_real bar, sl_real sigma)
{
  sl_real u = (c - bar) / sigma;

  return u > -40 ? (u < 40 ? u : 40) : -40;
}

/* Adds P of a row to `sum`. */
SL_CLONES static void
add_load (size_t n, const sl_real *restrict c, const sl_real *restrict bar,
          const sl_real *restrict sigma, sl_real *restrict sum)
{
  for (size_t i = 0; i < n; i++)
    {
      sl_real probability;

      sl_normal_density (normal_distance (c[i], bar[i], sigma[i]), &probability);
      sum[i] += probability;
    }
}

/* Everything of a block of rows that comes after their logits. */
static void
decide_block (SlGate *gate, const SlGateSetting *setting, size_t block)
{
  size_t   n = gate->experts, k = gate->k, kept = kept_places (gate);
  size_t   first = block * SL_BLOCK_ROWS;
  size_t   end = sl_least (first + SL_BLOCK_ROWS, gate->input.rows);
  sl_real *sums = gate->sums + block * 2 * n;
  uint32_t bad = 0;

  memset (sums, 0, 2 * n * sizeof *sums);
  for (size_t r = first; r < end; r++)
    {
      sl_real *c = gate->logits + r * 2 * n, *sigma = gate->sigma + r * n, *h = gate->h + r * n;

      if (gate->has_sigma)
        {
          bad += noisy_row (n, setting->floor, noise_of_row (&gate->input, r), c, c + n, sigma, h);
          sl_vector_add (n, sigma, sums + n);
        }
      else
        bad += plain_row (n, c, h);
    }
  if (!setting->frozen)
    sl_topk (end - first, n, kept, compared (gate, first, end - first), gate->best + first * kept,
             gate->value + first * kept);
  for (size_t r = first; r < end; r++)
    {
      const uint32_t *best = gate->best + r * kept;
      const sl_real  *h = gate->h + r * n;
      sl_real        *bar = gate->slope + r * 2 * n;

      for (size_t p = 0; setting->frozen && p < kept; p++)
        gate->value[r * kept + p] = h[best[p]] + bias_of (gate, best[p]);
      choose_row (k, best, h, gate->chosen + r * k, gate->g + r * k);
      if (!gate->has_load || k == n)
        continue;
      bars_of_row (gate, r, bar);
      add_load (n, gate->logits + r * 2 * n, bar, gate->sigma + r * n, sums);
    }
  gate->bad[block] = bad;
}

/* Adds up what the blocks found, in their order. */
static void
gather_sums (SlGate *gate)
{
  size_t n = gate->experts, blocks = sl_blocks_of (gate->input.rows);
  double noise = 0.0, cells = (double) gate->input.rows * (double) n;

  gate->not_finite = 0;
  for (size_t b = 0; b < blocks; b++)
    gate->not_finite += gate->bad[b];
  for (size_t i = 0; i < n; i++)
    {
      double load = 0.0;

      for (size_t b = 0; b < blocks; b++)
        {
          load += (double) gate->sums[b * 2 * n + i];
          noise += (double) gate->sums[b * 2 * n + n + i];
        }
      if (gate->has_load && gate->k == n)
        load = (double) gate->input.rows;
      gate->load[i] = (sl_real) load;
    }
  gate->noise = cells > 0.0 ? noise / cells : 0.0;
}

static void
begin (SlGate *gate, const SlGateSetting *setting, const SlGateRows *input)
{
  gate->input = *input;
  gate->k = setting->k < 1 ? 1 : sl_least (setting->k, gate->experts);
  gate->plain = gate->experts - setting->biased;
  gate->bias = setting->biased > 0 ? setting->bias : 0;
  gate->has_load = setting->load;
  gate->has_sigma = setting->load || input->epsilon != NULL;
}

static void
decide (SlGate *gate, const SlGateSetting *setting)
{
  size_t blocks = sl_blocks_of (gate->input.rows);

#pragma omp parallel for schedule(static) if (blocks > 1)
  for (size_t b = 0; b < blocks; b++)
    decide_block (gate, setting, b);
  gather_sums (gate);
}

void
sl_gate_decide (SlGate *gate, size_t k, size_t rows)
{
  const SlGateSetting setting = { .k = k };

  begin (gate, &setting, &(SlGateRows) { .rows = rows });
  decide (gate, &setting);
}

void
sl_gate_forward (SlGate *gate, const SlGateSetting *setting, const SlGateRows *input)
{
  size_t n = gate->experts;

  begin (gate, setting, input);
  sl_blocks_rows (SL_PLAIN, input->rows, gate->has_sigma ? 2 * n : n, gate->inputs, input->x,
                  gate->weights, 2 * n, false, gate->logits, 2 * n);
  decide (gate, setting);
}

/* A slope below this changes no weight, and its products are numbers so small that processors take a
 * hundred times as long with them.  */
static const sl_real least_slope = (sl_real) 1e-30;

/* The load's part of dloss/dc and dloss/dσ of a row; dsigma (n) has the bars before.  Returns the
 * sum of dc.  */
SL_CLONES static sl_real
load_slopes (size_t n, const sl_real *restrict c, const sl_real *restrict sigma,
             const sl_real *restrict dload, sl_real *restrict dc, sl_real *restrict dsigma)
{
  sl_real lanes[LANES] = { 0 }, sum = 0;

  for (size_t i = 0; i < n; i++)
    {
      sl_real u = normal_distance (c[i], dsigma[i], sigma[i]);

      sl_real d = dload[i] * sl_normal_density (u, NULL) / sigma[i];

      dc[i] = fabs (d) < least_slope ? 0 : d;
      dsigma[i] = -dc[i] * u;
    }
  for (size_t i = 0; i < n; i += LANES)
    for (size_t j = 0; j < sl_least (n - i, LANES); j++)
      lanes[j] += dc[i + j];
  for (int j = 0; j < LANES; j++)
    sum += lanes[j];
  return sum;
}

/* From dloss/dσ to that of what goes into softplus. */
SL_CLONES static void
through_softplus (size_t n, const sl_real *restrict a, sl_real *restrict d)
{
  for (size_t i = 0; i < n; i++)
    d[i] *= sl_sigmoid (a[i]);
}

/* Adds d to dloss/dH of one expert, which its logit and its σ share. */
static void
add_noisy (size_t expert, sl_real d, const sl_real *epsilon, sl_real *dc, sl_real *dsigma)
{
  dc[expert] += d;
  if (epsilon != NULL)
    dsigma[expert] += d * epsilon[expert];
}

static void
slope_row (SlGate *gate, const SlGateSetting *setting, size_t r, const sl_real *dg,
           const sl_real *dload)
{
  size_t          n = gate->experts, k = gate->k;
  const uint32_t *chosen = gate->chosen + r * k, *best = gate->best + r * kept_places (gate);
  const sl_real  *c = gate->logits + r * 2 * n, *g = gate->g + r * k;
  const sl_real  *epsilon = noise_of_row (&gate->input, r);
  sl_real        *dc = gate->slope + r * 2 * n, *dsigma = dc + n, mean = 0;

  if (dload != NULL)
    {
      sl_real others, own = 0;

      bars_of_row (gate, r, dsigma);
      others = load_slopes (n, c, gate->sigma + r * n, dload, dc, dsigma);
      for (size_t p = 0; p < k; p++)
        own += dc[chosen[p]];
      others -= own;
      if (setting->threshold)
        {
          /* The weakest of the chosen is the bar of all others, the best of those that of
           * the chosen.  */
          add_noisy (best[k - 1], -others, epsilon, dc, dsigma);
          add_noisy (best[k], -own, epsilon, dc, dsigma);
        }
    }
  else
    memset (dc, 0, 2 * n * sizeof *dc);
  for (size_t p = 0; p < k; p++)
    mean += g[p] * dg[p];
  for (size_t p = 0; p < k; p++)
    add_noisy (chosen[p], g[p] * (dg[p] - mean), epsilon, dc, dsigma);
  if (gate->has_sigma)
    through_softplus (n, c + n, dsigma);
  /* A logit that is not finite was replaced by a constant, which has no slope. */
  for (size_t i = 0; gate->not_finite > 0 && i < n; i++)
    if (c[i] == -sl_most_finite)
      dc[i] = dsigma[i] = 0;
}

void
sl_gate_backward (SlGate *gate, const SlGateSetting *setting, const sl_real *dg,
                  const sl_real *dload, bool add, sl_real *dx)
{
  size_t n = gate->experts, rows = gate->input.rows;

  if (gate->k == n || !gate->has_load)
    dload = NULL;
#pragma omp parallel for schedule(static, SL_BLOCK_ROWS) if (rows > SL_BLOCK_ROWS)
  for (size_t r = 0; r < rows; r++)
    slope_row (gate, setting, r, dg + r * gate->k, dload);
  sl_blocks_outer (rows, gate->inputs, 2 * n, gate->input.x, gate->slope, gate->gradient);
  if (dx != NULL)
    sl_blocks_rows (SL_TRANSPOSED, rows, gate->inputs, 2 * n, gate->slope, gate->weights, 2 * n,
                    add, dx, gate->inputs);
}

sl_real
sl_gate_margin_of (const SlGate *gate, size_t expert, size_t r)
{
  assert (expert < gate->experts);

  size_t         n = gate->experts, k = gate->k;
  const sl_real *value = gate->value + r * kept_places (gate);
  sl_real        bar = value[k - 1];

  if (k == n || !gate->has_sigma)
    return (sl_real) NAN;
  for (size_t p = 0; p < k; p++)
    if (gate->chosen[r * k + p] == expert)
      bar = value[k];
  bar -= bias_of (gate, expert);
  return (gate->logits[r * 2 * n + expert] - bar) / gate->sigma[r * n + expert];
}
