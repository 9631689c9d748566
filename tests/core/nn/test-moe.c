/* SPDX-License-Identifier: MIT
 *
 * The mixture of experts: gradients against central differences, the cases at the edge, what an
 * update leaves alone, and that the number of threads is not in the result.  In double.  */
#include <glib.h>
#include <string.h>

#include "core/nn/kernels/mat.h"
#include "core/nn/kernels/normal.h"
#include "core/nn/moe/balance.h"
#include "tests/core/nn/moe-mix.h"
#include "tests/support/close.h"

static SlMoeSetting
setting_of (size_t k, size_t k_groups)
{
  return (SlMoeSetting) {
    .k = k,
    .k_groups = k_groups,
    .noise = true,
    .floor = (sl_real) 0.01,
    .threshold = true,
    .w_importance = (sl_real) 0.3,
    .w_load = (sl_real) 0.7,
  };
}

static SlMoeShape
shape_of (SlMoeGate gate, size_t experts, size_t groups)
{
  return (SlMoeShape) { gate,         .inputs = 5,        .hidden = 4,
                        .outputs = 3, .experts = experts, .groups = groups,
                        .most = 24 };
}

/* ‖analytic - numeric‖ ÷ ‖numeric‖ of the objective's slope in v (n), choices held. */
static double
deviation (Mix *mix, size_t n, sl_real *v, const sl_real *slope)
{
  const double h = 1e-6;
  double       error = 0.0, norm = 0.0;

  for (size_t i = 0; i < n; i++)
    {
      sl_real was = v[i];
      double  above, numeric;

      v[i] = was + (sl_real) h;
      above = mix_objective (mix, true);
      v[i] = was - (sl_real) h;
      numeric = (above - mix_objective (mix, true)) / (2 * h);
      v[i] = was;
      error += ((double) slope[i] - numeric) * ((double) slope[i] - numeric);
      norm += numeric * numeric;
    }
  return norm > 0.0 ? sqrt (error / norm) : sqrt (error);
}

/* Gradients of gates, experts and inputs, with activations kept and made again. */
static void
check_gradients (const SlMoeShape *shape, const SlMoeSetting *setting)
{
  Mix mix;

  mix_init (&mix, shape, setting);
  for (guint64 seed = 1; seed <= 3; seed++)
    {
      g_autofree sl_real *slope = NULL, *dx = NULL;

      mix_randomise (&mix, 13 + seed, seed);
      mix.setting.recompute = seed == 2;
      mix_train (&mix);
      slope = g_memdup2 (mix.gradient, mix.moe.n * sizeof *slope);
      dx = g_memdup2 (mix.dx, mix.batch * shape->inputs * sizeof *dx);
      g_assert_cmpfloat (deviation (&mix, mix.moe.n_gates, mix.weights, slope), <, 1e-6);
      g_assert_cmpfloat (deviation (&mix, mix.moe.n - mix.moe.n_gates,
                                    mix.weights + mix.moe.n_gates, slope + mix.moe.n_gates),
                         <, 1e-6);
      g_assert_cmpfloat (deviation (&mix, mix.batch * shape->inputs, mix.x, dx), <, 1e-6);
    }
  mix_clear (&mix);
}

static void
test_gradient_flat (void)
{
  SlMoeShape shape = shape_of (SL_MOE_NOISY, 6, 1), alone = shape_of (SL_MOE_NOISY, 1, 1);

  for (size_t k = 1; k <= 7; k += 1 + (k == 3) * 2) /* 1, 2, 3, all 6, 7 */
    {
      SlMoeSetting setting = setting_of (k, 1);

      check_gradients (&shape, &setting);
      setting.noise = false;
      check_gradients (&shape, &setting);
      setting.w_load = 0;
      check_gradients (&shape, &setting);
      if (k == 1)
        check_gradients (&alone, &setting);
    }
}

static void
test_gradient_groups (void)
{
  static const size_t cases[][4] = {
    /* experts, groups, k, k_groups */
    { 6, 2, 2, 1 }, { 6, 2, 1, 2 }, { 8, 4, 2, 2 }, { 12, 3, 2, 2 }, { 4, 4, 1, 2 }, { 6, 3, 9, 9 },
  };

  for (size_t c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      SlMoeShape   shape = shape_of (SL_MOE_NOISY, cases[c][0], cases[c][1]);
      SlMoeSetting setting = setting_of (cases[c][2], cases[c][3]);

      check_gradients (&shape, &setting);
    }
}

static void
test_gradient_balanced (void)
{
  SlMoeShape shape = shape_of (SL_MOE_BALANCED, 6, 1);

  for (size_t k = 1; k <= 6; k += 1 + (k == 2) * 3)
    {
      SlMoeSetting setting = setting_of (k, 1);

      check_gradients (&shape, &setting);
    }
}

static void
test_gradient_balanced_groups (void)
{
  static const size_t cases[][4] = {
    /* experts, groups, k, k_groups */
    { 6, 2, 2, 1 }, { 6, 2, 1, 2 }, { 8, 4, 2, 2 }, { 12, 3, 2, 2 }, { 6, 3, 9, 9 },
  };

  for (size_t c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      SlMoeShape   shape = shape_of (SL_MOE_BALANCED, cases[c][0], cases[c][1]);
      SlMoeSetting setting = setting_of (cases[c][2], cases[c][3]);

      check_gradients (&shape, &setting);
    }
}

/* The path through the threshold expert is part of the truth: without it the difference must
 * not agree, and what it leaves out must be in the gates alone.  */
static void
test_threshold_path (void)
{
  for (size_t groups = 1; groups <= 2; groups++)
    {
      SlMoeShape          shape = shape_of (SL_MOE_NOISY, 8, groups);
      SlMoeSetting        setting = setting_of (2, 1);
      g_autofree sl_real *slope = NULL;
      Mix                 mix;

      mix_init (&mix, &shape, &setting);
      mix_randomise (&mix, 20, groups);
      mix.setting.threshold = false;
      mix_train (&mix);
      slope = g_memdup2 (mix.gradient, mix.moe.n * sizeof *slope);
      g_assert_cmpfloat (deviation (&mix, mix.moe.n_gates, mix.weights, slope), >, 1e-3);
      mix.setting.threshold = true;
      mix_train (&mix);
      g_assert_cmpmem (mix.gradient + mix.moe.n_gates,
                       (mix.moe.n - mix.moe.n_gates) * sizeof *slope, slope + mix.moe.n_gates,
                       (mix.moe.n - mix.moe.n_gates) * sizeof *slope);
      mix_clear (&mix);
    }
}

/* P against counting: one noise is drawn anew many times, the others stay. */
static void
test_probability (void)
{
  enum { DRAWS = 20000, N = 5 };
  SlMoeShape   shape = { SL_MOE_NOISY, 3, 2, 2, N, .groups = 1, .most = DRAWS };
  SlMoeSetting setting = setting_of (2, 1);
  sl_real      p[N], epsilon[N], x[3], w;
  SlRng        rng;
  Mix          mix;

  mix_init (&mix, &shape, &setting);
  mix_randomise (&mix, 1, 4);
  mix_objective (&mix, false);
  memcpy (p, mix.moe.balance.load, sizeof p);
  memcpy (epsilon, mix.moe.epsilon, sizeof epsilon);
  memcpy (x, mix.x, sizeof x);
  sl_rng_init (&rng, 5, "again");
  mix.batch = DRAWS;
  for (size_t i = 0; i < N; i++)
    {
      g_autofree sl_real *again = g_new (sl_real, DRAWS);

      sl_normal_fill (&rng, DRAWS, again);
      for (size_t e = 0; e < DRAWS; e++)
        {
          memcpy (mix.x + e * 3, x, sizeof x);
          memcpy (mix.moe.epsilon + e * N, epsilon, sizeof epsilon);
          mix.moe.epsilon[e * N + i] = again[e];
        }
      mix_objective (&mix, false);
      w = (sl_real) mix.moe.balance.hard[i] / DRAWS;
      g_assert_cmpfloat (fabs ((double) (w - p[i])), <, 0.015);
    }
  mix_clear (&mix);
}

/* A batch of none: nothing to say, nothing to learn, nothing moved. */
static void
test_no_examples (void)
{
  SlOptimSetting optim = sl_optim_default ();

  for (int kind = 0; kind < 3; kind++)
    {
      SlMoeShape shape
        = shape_of (kind == 2 ? SL_MOE_BALANCED : SL_MOE_NOISY, 6, kind == 1 ? 3 : 1);
      SlMoeSetting        setting = setting_of (2, 2);
      g_autofree sl_real *before = NULL;
      Mix                 mix;

      mix_init (&mix, &shape, &setting);
      mix_randomise (&mix, 0, 1);
      g_assert_cmpfloat (mix_objective (&mix, false), ==, 0.0);
      mix_train (&mix);
      for (size_t i = 0; i < mix.moe.n; i++)
        g_assert_cmpfloat (mix.gradient[i], ==, 0);
      before = g_memdup2 (mix.weights, mix.moe.n * sizeof *before);
      sl_moe_backward (&mix.moe, &mix.setting, mix.dy, mix.dx, &optim);
      g_assert_cmpmem (before, mix.moe.n * sizeof *before, mix.weights, mix.moe.n * sizeof *before);
      g_assert_cmpuint (mix.moe.updates, ==, 0);
      mix_clear (&mix);
    }
}

/* One expert: everything goes there, no loss speaks of balance, and the gate learns nothing. */
static void
test_one_expert (void)
{
  SlMoeShape   shape = shape_of (SL_MOE_NOISY, 1, 1);
  SlMoeSetting setting = setting_of (3, 1);
  sl_real      margin[24];
  Mix          mix;

  mix_init (&mix, &shape, &setting);
  mix_randomise (&mix, 10, 1);
  mix_train (&mix);
  g_assert_cmpfloat (mix.moe.balance.importance_loss + mix.moe.balance.load_loss, ==, 0.0);
  g_assert_cmpfloat (mix.moe.balance.load[0], ==, 10);
  for (size_t i = 0; i < mix.moe.n_gates; i++)
    g_assert_cmpfloat (mix.gradient[i], ==, 0);
  sl_moe_margin (&mix.moe, 0, margin);
  for (size_t e = 0; e < 10; e++)
    g_assert_true (isnan (margin[e]));
  mix_clear (&mix);
}

/* Puts a logit of `c` for gate number i, whatever the input, by way of an input that is always 1. */
static void
steer (Mix *mix, sl_real *wg, size_t n, size_t i, sl_real c)
{
  size_t d = mix->moe.shape.inputs;

  for (size_t e = 0; e < mix->batch; e++)
    mix->x[e * d] = 1;
  wg[i] = c;
}

/* An expert that nobody goes to has no importance and no gradient, and an update of the others
 * leaves its weights and moments to the bit, although they have momentum.  */
static void
test_idle_expert (void)
{
  SlMoeShape          shape = shape_of (SL_MOE_NOISY, 4, 1);
  SlMoeSetting        setting = setting_of (2, 1);
  SlOptimSetting      optim = sl_optim_default ();
  g_autofree sl_real *before = NULL, *moved = NULL;
  size_t              each, at;
  Mix                 mix;

  mix_init (&mix, &shape, &setting);
  mix_randomise (&mix, 24, 7);
  each = mix.moe.experts.each;
  at = mix.moe.n_gates + 2 * each;
  mix_objective (&mix, false);
  g_assert_cmpuint (mix.moe.balance.hard[2], >, 0);
  sl_moe_backward (&mix.moe, &mix.setting, mix.dy, mix.dx, &optim); /* gives it momentum */

  steer (&mix, mix.weights, 4, 2, -1000);
  mix_train (&mix);
  g_assert_cmpuint (mix.moe.balance.hard[2], ==, 0);
  g_assert_cmpfloat (mix.moe.balance.importance[2], ==, 0);
  g_assert_cmpfloat (mix.moe.balance.load[2], ==, 0);
  for (size_t i = 0; i < each; i++)
    g_assert_cmpfloat (mix.gradient[at + i], ==, 0);
  before = g_memdup2 (mix.weights, mix.moe.n * sizeof *before);
  moved = g_memdup2 (mix.moe.experts.m, 4 * each * sizeof *moved);
  sl_moe_backward (&mix.moe, &mix.setting, mix.dy, mix.dx, &optim);
  g_assert_cmpmem (before + at, each * sizeof *before, mix.weights + at, each * sizeof *before);
  g_assert_cmpmem (moved + 2 * each, each * sizeof *moved, mix.moe.experts.m + 2 * each,
                   each * sizeof *moved);
  g_assert_cmpint (memcmp (before + at - each, mix.weights + at - each, each * sizeof *before), !=,
                   0);
  g_assert_cmpuint (mix.moe.updates, ==, 2);
  mix_clear (&mix);
}

/* A group that nobody reaches: its row of loads is zeros, and its gate is left alone. */
static void
test_idle_group (void)
{
  SlMoeShape          shape = shape_of (SL_MOE_NOISY, 6, 3);
  SlMoeSetting        setting = setting_of (2, 1);
  SlOptimSetting      optim = sl_optim_default ();
  g_autofree sl_real *before = NULL;
  sl_real             margin[24];
  size_t              own, numbers;
  Mix                 mix;

  mix_init (&mix, &shape, &setting);
  mix_randomise (&mix, 24, 3);
  own = sl_gate_numbers (5, 3) + sl_gate_numbers (5, 2);
  numbers = sl_gate_numbers (5, 2);
  mix_objective (&mix, false);
  sl_moe_backward (&mix.moe, &mix.setting, mix.dy, mix.dx, &optim);
  steer (&mix, mix.weights, 3, 1, -1000);
  mix_train (&mix);
  g_assert_cmpuint (mix.moe.gates[2].input.rows, ==, 0);
  for (size_t i = 0; i < numbers; i++)
    g_assert_cmpfloat (mix.gradient[own + i], ==, 0);
  for (size_t i = 2; i < 4; i++)
    {
      g_assert_cmpfloat (mix.moe.balance.load[i], ==, 0);
      g_assert_cmpfloat (mix.moe.balance.importance[i], ==, 0);
      g_assert_cmpuint (mix.moe.balance.hard[i], ==, 0);
    }
  g_assert_true (isfinite (mix.moe.balance.load_loss));

  /* Its experts are as far off as the group is; others have what is less. */
  sl_moe_margin (&mix.moe, 2, margin);
  for (size_t e = 0; e < 24; e++)
    g_assert_true (margin[e] == sl_gate_margin_of (&mix.moe.gates[0], 1, e));
  sl_moe_margin (&mix.moe, 0, margin);
  for (size_t e = 0; e < 24; e++)
    g_assert_cmpfloat (margin[e], <=, sl_gate_margin_of (&mix.moe.gates[0], 0, e));

  before = g_memdup2 (mix.weights, mix.moe.n * sizeof *before);
  sl_moe_backward (&mix.moe, &mix.setting, mix.dy, mix.dx, &optim);
  g_assert_cmpmem (before + own, numbers * sizeof *before, mix.weights + own,
                   numbers * sizeof *before);
  g_assert_cmpint (memcmp (before, mix.weights, sl_gate_numbers (5, 3) * sizeof *before), !=, 0);
  mix_clear (&mix);
}

/* Loads of two levels from those of the gates, as appendix B has it; their weights as well. */
static void
test_two_levels (void)
{
  SlMoeShape   shape = shape_of (SL_MOE_NOISY, 12, 3);
  SlMoeSetting setting = setting_of (2, 2);
  double       sum = 0.0;
  Mix          mix;

  mix_init (&mix, &shape, &setting);
  mix_randomise (&mix, 24, 9);
  mix_objective (&mix, false);
  g_assert_cmpuint (mix.moe.dispatch.total, ==, 24 * 2 * 2);
  for (size_t i = 0; i < 3; i++)
    {
      const SlGate *within = &mix.moe.gates[1 + i];

      g_assert_cmpuint (within->input.rows, >, 0);
      for (size_t j = 0; j < 4; j++)
        {
          sl_assert_near ((double) mix.moe.balance.load[i * 4 + j],
                          (double) (mix.moe.gates[0].load[i] * within->load[j])
                            / (double) within->input.rows,
                          1e-12, 0);
          sum += (double) mix.moe.balance.load[i * 4 + j];
        }
    }
  sl_assert_near (mix.moe.balance.expected, sum / 24, 1e-12, 0);
  sum = 0.0;
  for (size_t i = 0; i < 12; i++)
    sum += (double) mix.moe.balance.importance[i];
  sl_assert_near (sum, 24, 1e-12, 0);
  mix_clear (&mix);
}

/* H of a gate is c + ε σ with the ε that is its own in the batch; `stride` 0: without. */
static void
check_noise (const SlGate *gate, const uint32_t *which, const sl_real *epsilon, size_t stride)
{
  size_t n = gate->experts;

  for (size_t r = 0; r < gate->input.rows; r++)
    for (size_t i = 0; i < n; i++)
      {
        sl_real own = stride > 0 ? epsilon[(which != NULL ? which[r] : r) * stride + i] : 0;

        g_assert_true (stride == 0 || own != 0);
        sl_assert_near ((double) gate->h[r * n + i],
                        (double) (gate->logits[r * 2 * n + i] + own * gate->sigma[r * n + i]), 0,
                        1e-12);
      }
}

static void
test_noise (void)
{
  SlMoeShape   shape = shape_of (SL_MOE_NOISY, 12, 3);
  SlMoeSetting setting = setting_of (2, 2);
  Mix          mix;

  mix_init (&mix, &shape, &setting);
  mix_randomise (&mix, 24, 9);
  for (int noise = 0; noise < 2; noise++)
    {
      mix.setting.noise = noise;
      mix_objective (&mix, false);
      check_noise (&mix.moe.gates[0], NULL, mix.moe.epsilon_groups, noise ? 3 : 0);
      for (size_t i = 0; i < 3; i++)
        check_noise (&mix.moe.gates[1 + i], mix.moe.reach + i * 24, mix.moe.epsilon + i * 4,
                     noise ? 12 : 0);
    }
  mix_clear (&mix);
}

/* Logits that are no numbers count as the least and are counted; the rest goes on. */
static void
test_not_finite (void)
{
  for (int balanced = 0; balanced < 2; balanced++)
    {
      SlMoeShape   shape = shape_of (balanced ? SL_MOE_BALANCED : SL_MOE_NOISY, 4, 1);
      SlMoeSetting setting = setting_of (2, 1);
      Mix          mix;

      mix_init (&mix, &shape, &setting);
      mix_randomise (&mix, 8, 5);
      if (balanced)
        mix.weights[1] = (sl_real) NAN;
      else
        mix.moe.epsilon[4 + 1] = (sl_real) NAN;
      mix_objective (&mix, false);
      g_assert_cmpuint (mix.moe.balance.not_finite, ==, balanced ? 8 : 1);
      g_assert_true (isfinite (mix.moe.balance.importance_loss));
      g_assert_true (isfinite (mix.moe.balance.load_loss));
      for (size_t i = 0; i < 8 * 3; i++)
        g_assert_true (isfinite (mix.y[i]));
      for (size_t a = mix.moe.dispatch.start[1]; !balanced && a < mix.moe.dispatch.start[2]; a++)
        g_assert_cmpuint (mix.moe.dispatch.row[a], !=, 1);
      mix_clear (&mix);
    }
}

/* Balanced: ⌊k B / n⌋ each, lowest rows among equals, rows without an expert give 0. */
static void
test_balanced (void)
{
  SlMoeShape   shape = shape_of (SL_MOE_BALANCED, 6, 1);
  SlMoeSetting setting = setting_of (2, 1);
  Mix          mix;

  mix_init (&mix, &shape, &setting);
  mix_randomise (&mix, 23, 2);
  mix_objective (&mix, false);
  for (size_t i = 0; i < 6; i++)
    g_assert_cmpuint (mix.moe.balance.hard[i], ==, 2 * 23 / 6);
  g_assert_cmpfloat (mix.moe.balance.threshold_loss, >, 0.0);
  g_assert_cmpfloat (mix.moe.balance.agreement, <, 1.0);

  memset (mix.weights, 0, 6 * 5 * sizeof (sl_real)); /* all gates equal */
  mix_objective (&mix, false);
  g_assert_cmpuint (mix.moe.balance.empty, ==, 23 - 7);
  for (size_t e = 0; e < 23; e++)
    for (size_t i = 0; i < 6; i++)
      g_assert_cmpuint (mix.moe.strict[0].mask[e * 6 + i], ==, e < 7);
  for (size_t i = 7 * 3; i < 23 * 3; i++)
    g_assert_cmpfloat (mix.y[i], ==, 0);
  mix_clear (&mix);
}

/* One strictly balanced gate over some rows, written down as appendix F has it: Gσ (m, n) of x, and the
 * mask M of the top ⌊k m / n⌋ of each column, or of what is above the thresholds.  Then G in place of
 * Gσ.  */
static void
naive_gate (const sl_real *w, size_t n, size_t k, bool training, size_t m, const size_t *row,
            const Mix *mix, double *g, bool *mask)
{
  size_t d = mix->moe.shape.inputs, take = MIN (k, n) * m / n;

  for (size_t r = 0; r < m; r++)
    {
      double sum = 0.0;

      for (size_t i = 0; i < n; i++)
        {
          double logit = 0.0;

          for (size_t j = 0; j < d; j++)
            logit += (double) mix->x[row[r] * d + j] * (double) w[j * n + i];
          sum += g[r * n + i] = exp (logit);
        }
      for (size_t i = 0; i < n; i++)
        g[r * n + i] /= sum;
    }
  for (size_t r = 0; r < m; r++)
    for (size_t i = 0; i < n; i++)
      {
        size_t better = 0;

        for (size_t other = 0; other < m; other++)
          better += g[other * n + i] > g[r * n + i];
        mask[r * n + i] = training ? better < take : g[r * n + i] > (double) w[d * n + i];
      }
  for (size_t r = 0; r < m; r++)
    {
      double sum = 0.0;

      for (size_t i = 0; i < n; i++)
        sum += g[r * n + i] *= mask[r * n + i];
      for (size_t i = 0; i < n && sum > 0.0; i++)
        g[r * n + i] /= sum;
    }
}

/* The gate values of all experts of two levels of it. */
static void
naive_groups (const Mix *mix, bool training, double *want /* (B, n) */)
{
  enum { MOST = 64 };
  size_t         a = mix->moe.shape.groups, n = mix->moe.shape.experts, b = n / a;
  size_t         row[MOST], d = mix->moe.shape.inputs;
  double         primary[MOST * 8], within[MOST * 8];
  bool           reaches[MOST * 8], mask[MOST * 8];
  const sl_real *w = mix->weights;

  for (size_t e = 0; e < mix->batch; e++)
    row[e] = e;
  naive_gate (w, a, mix->setting.k_groups, training, mix->batch, row, mix, primary, reaches);
  memset (want, 0, mix->batch * n * sizeof *want);
  w += (d + 1) * a;
  for (size_t i = 0; i < a; i++, w += (d + 1) * b)
    {
      size_t m = 0;

      for (size_t e = 0; e < mix->batch; e++)
        if (reaches[e * a + i])
          row[m++] = e;
      naive_gate (w, b, mix->setting.k, training, m, row, mix, within, mask);
      for (size_t r = 0; r < m; r++)
        for (size_t j = 0; j < b; j++)
          want[row[r] * n + i * b + j] = primary[row[r] * a + i] * within[r * b + j];
    }
}

/* Two levels of balanced gates against the same written down naively. */
static void
test_balanced_groups (void)
{
  SlMoeShape   shape = shape_of (SL_MOE_BALANCED, 12, 3);
  SlMoeSetting setting = setting_of (2, 2);
  Mix          mix;

  mix_init (&mix, &shape, &setting);
  for (guint64 seed = 1; seed <= 6; seed++)
    {
      double            want[24 * 12];
      const SlDispatch *dispatch = &mix.moe.dispatch;

      mix_randomise (&mix, 23, seed);
      for (int training = 1; training >= 0; training--)
        {
          size_t some = 0;

          sl_moe_forward (&mix.moe, &mix.setting, mix.batch, mix.x, training, false, mix.y);
          naive_groups (&mix, training, want);
          for (size_t i = 0; i < 12; i++)
            for (uint32_t q = dispatch->start[i]; q < dispatch->start[i + 1]; q++)
              {
                double *at = &want[dispatch->row[q] * 12 + i];

                sl_assert_near ((double) dispatch->weight[q], *at, 0, 1e-5);
                *at = 0.0;
                some++;
              }
          for (size_t i = 0; i < mix.batch * 12; i++)
            sl_assert_near (want[i], 0.0, 0, 0);
          g_assert_cmpuint (some, >, 0);
          if (training)
            for (size_t i = 0; i < 12; i++)
              g_assert_cmpuint (mix.moe.balance.hard[i], ==, 2 * (2 * 23 / 3) / 4);
        }
    }
  mix_clear (&mix);
}

/* From the first weights on, every example passes a threshold and none passes all, and learning
 * brings the thresholds to where the masks agree.  */
static void
test_thresholds (void)
{
  SlMoeShape     shape = shape_of (SL_MOE_BALANCED, 6, 1);
  SlMoeSetting   setting = setting_of (2, 1);
  SlOptimSetting optim = sl_optim_default ();
  SlRng          rng;
  double         first, last = 0.0;
  Mix            mix;

  mix_init (&mix, &shape, &setting);
  mix_randomise (&mix, 24, 2);
  sl_rng_init (&rng, 3, "init");
  sl_moe_init (&mix.moe, &rng);
  sl_moe_forward (&mix.moe, &mix.setting, 24, mix.x, false, false, mix.y);
  g_assert_cmpuint (mix.moe.balance.empty, ==, 0);
  g_assert_cmpuint (mix.moe.dispatch.total, <, 24 * 6);
  g_assert_true (isnan (mix.moe.balance.agreement));

  memset (mix.dy, 0, 24 * 3 * sizeof *mix.dy);
  mix.setting.w_importance = 0;
  first = mix_objective (&mix, false);
  for (int step = 0; step < 400; step++)
    {
      last = mix_objective (&mix, false);
      sl_moe_backward (&mix.moe, &mix.setting, mix.dy, NULL, &optim);
    }
  g_assert_cmpfloat (first, >, 0.0);
  g_assert_cmpfloat (last, <, first / 20);
  g_assert_cmpfloat (mix.moe.balance.agreement, >, 0.98);
  mix_clear (&mix);
}

/* The fused update is the gradient and then the optimiser. */
static void
test_update (void)
{
  for (int kind = 0; kind < 3; kind++)
    {
      SlMoeShape shape
        = shape_of (kind == 2 ? SL_MOE_BALANCED : SL_MOE_NOISY, 6, kind == 1 ? 2 : 1);
      SlMoeSetting        setting = setting_of (2, 2);
      SlOptimSetting      optim = sl_optim_default ();
      g_autofree sl_real *want = NULL, *m = NULL, *v = NULL;
      size_t              n;
      Mix                 mix;

      mix_init (&mix, &shape, &setting);
      mix_randomise (&mix, 24, 6);
      mix_train (&mix);
      n = mix.moe.n_gates;
      want = g_memdup2 (mix.weights, n * sizeof *want);
      m = g_new0 (sl_real, n);
      v = g_new0 (sl_real, n);
      sl_optim_step (&optim, 1, n, mix.gradient, want, m, v);
      sl_moe_backward (&mix.moe, &mix.setting, mix.dy, NULL, &optim);
      for (size_t i = 0; i < n; i++)
        sl_assert_near ((double) mix.weights[i], (double) want[i], 1e-12, 1e-15);
      g_assert_cmpuint (mix.moe.updates, ==, 1);
      sl_moe_clear_moments (&mix.moe);
      g_assert_cmpuint (mix.moe.updates, ==, 0);
      for (size_t i = 0; i < n; i++)
        g_assert_cmpfloat (mix.moe.m[i], ==, 0);
      mix_clear (&mix);
    }
}

/* Leaving the smooth load out changes nothing else. */
static void
test_skipped_load (void)
{
  SlMoeShape          shape = shape_of (SL_MOE_NOISY, 6, 1);
  SlMoeSetting        setting = setting_of (2, 1);
  g_autofree sl_real *slope = NULL;
  sl_real             margin[24];
  double              whole;
  Mix                 mix;

  setting.w_load = 0;
  mix_init (&mix, &shape, &setting);
  mix_randomise (&mix, 24, 8);
  whole = mix_objective (&mix, false);
  mix_train (&mix);
  g_assert_true (isfinite (mix.moe.balance.expected));
  slope = g_memdup2 (mix.gradient, mix.moe.n * sizeof *slope);
  mix.setting.skip_load = true;
  g_assert_cmpfloat (mix_objective (&mix, false), ==, whole);
  mix_train (&mix);
  g_assert_true (isnan (mix.moe.balance.expected));
  g_assert_cmpmem (slope, mix.moe.n * sizeof *slope, mix.gradient, mix.moe.n * sizeof *slope);

  /* A pass without noise then has no use for σ. */
  sl_moe_forward (&mix.moe, &mix.setting, 24, mix.x, false, false, mix.y);
  g_assert_cmpfloat (mix.moe.balance.noise, ==, 0.0);
  sl_moe_margin (&mix.moe, 1, margin);
  g_assert_true (isnan (margin[0]));
  mix.setting.skip_load = false;
  sl_moe_forward (&mix.moe, &mix.setting, 24, mix.x, false, false, mix.y);
  sl_moe_margin (&mix.moe, 1, margin);
  for (size_t e = 0; e < 24; e++)
    {
      bool chosen = false;

      for (size_t a = mix.moe.dispatch.start[1]; a < mix.moe.dispatch.start[2]; a++)
        chosen |= mix.moe.dispatch.row[a] == e;
      g_assert_cmpint (margin[e] > 0, ==, chosen);
    }
  mix_clear (&mix);
}

/* More examples than one block has, with one thread and with two. */
static void
test_threads (void)
{
  for (int kind = 0; kind < 3; kind++)
    {
      SlMoeShape shape = { kind == 2 ? SL_MOE_BALANCED : SL_MOE_NOISY,
                           150,
                           8,
                           7,
                           40,
                           .groups = kind == 1 ? 4 : 1,
                           .most = 700 };
      SlMoeSetting        setting = setting_of (3, 2);
      g_autofree sl_real *slope = NULL, *dx = NULL, *y = NULL, *epsilon = NULL;
      unsigned            threads = sl_blas_threads ();
      double              first;
      Mix                 mix;

      mix_init (&mix, &shape, &setting);
      sl_blas_set_threads (1);
      mix_randomise (&mix, 700, 11);
      epsilon = g_memdup2 (kind < 2 ? mix.moe.epsilon : mix.x, 700 * 40 * sizeof *epsilon);
      first = mix_objective (&mix, false);
      mix_train (&mix);
      slope = g_memdup2 (mix.gradient, mix.moe.n * sizeof *slope);
      dx = g_memdup2 (mix.dx, 700 * 150 * sizeof *dx);
      y = g_memdup2 (mix.y, 700 * 7 * sizeof *y);

      sl_blas_set_threads (2);
      mix_randomise (&mix, 700, 11);
      g_assert_cmpmem (epsilon, 700 * 40 * sizeof *epsilon, kind < 2 ? mix.moe.epsilon : mix.x,
                       700 * 40 * sizeof *epsilon);
      g_assert_cmpfloat (mix_objective (&mix, false), ==, first);
      mix_train (&mix);
      g_assert_cmpmem (slope, mix.moe.n * sizeof *slope, mix.gradient, mix.moe.n * sizeof *slope);
      g_assert_cmpmem (dx, 700 * 150 * sizeof *dx, mix.dx, 700 * 150 * sizeof *dx);
      g_assert_cmpmem (y, 700 * 7 * sizeof *y, mix.y, 700 * 7 * sizeof *y);
      sl_blas_set_threads (threads);
      mix_clear (&mix);
    }
}

/* What one batch needs grows with what is kept. */
static void
test_memory (void)
{
  SlMoeShape   shape = shape_of (SL_MOE_NOISY, 6, 1);
  SlMoeSetting setting = setting_of (2, 1);
  SlMoeMemory  stored, again;
  Mix          mix;

  mix_init (&mix, &shape, &setting);
  stored = sl_moe_memory (&mix.moe, &setting, 24, SL_ADAM);
  g_assert_cmpfloat (stored.weights, ==, (double) (mix.moe.n * sizeof (sl_real)));
  g_assert_cmpfloat (stored.moments, ==, 2 * stored.weights);
  setting.recompute = true;
  again = sl_moe_memory (&mix.moe, &setting, 24, SL_ADAM);
  g_assert_cmpfloat (stored.activations - again.activations, ==,
                     (double) ((24 * 2 - 24 * 2 / 6) * 4 * sizeof (sl_real)));
  g_assert_cmpfloat (sl_moe_memory (&mix.moe, &setting, 24, SL_SGD).moments, ==, 0.0);
  g_assert_cmpfloat (sl_moe_memory (&mix.moe, &setting, 24, SL_MOMENTUM).moments, >, 0.0);
  mix_clear (&mix);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/moe/gradient/flat", test_gradient_flat);
  g_test_add_func ("/moe/gradient/groups", test_gradient_groups);
  g_test_add_func ("/moe/gradient/balanced-groups", test_gradient_balanced_groups);
  g_test_add_func ("/moe/balanced-groups", test_balanced_groups);
  g_test_add_func ("/moe/gradient/balanced", test_gradient_balanced);
  g_test_add_func ("/moe/gradient/threshold-path", test_threshold_path);
  g_test_add_func ("/moe/probability", test_probability);
  g_test_add_func ("/moe/no-examples", test_no_examples);
  g_test_add_func ("/moe/one-expert", test_one_expert);
  g_test_add_func ("/moe/idle-expert", test_idle_expert);
  g_test_add_func ("/moe/idle-group", test_idle_group);
  g_test_add_func ("/moe/two-levels", test_two_levels);
  g_test_add_func ("/moe/noise", test_noise);
  g_test_add_func ("/moe/not-finite", test_not_finite);
  g_test_add_func ("/moe/balanced", test_balanced);
  g_test_add_func ("/moe/thresholds", test_thresholds);
  g_test_add_func ("/moe/update", test_update);
  g_test_add_func ("/moe/skipped-load", test_skipped_load);
  g_test_add_func ("/moe/threads", test_threads);
  g_test_add_func ("/moe/memory", test_memory);
  return g_test_run ();
}
