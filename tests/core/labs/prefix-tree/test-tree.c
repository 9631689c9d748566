/* SPDX-License-Identifier: MIT
 *
 * The tree of tables against a naive walk through it, its gradients against central differences,
 * the worth of bits against turning them, gains, medians, and decay that waits against decay at
 * every step.  In the product's precision and in double.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/labs/prefix-tree/math/bits.h"
#include "core/labs/prefix-tree/math/credit.h"
#include "core/labs/prefix-tree/math/paths.h"
#include "tests/support/close.h"

enum { MOST = 40 };

#ifdef SL_DOUBLE
static const double tight = 1e-12;
#else
static const double tight = 1e-5;
#endif

typedef struct
{
  size_t       inputs, units;
  unsigned     k;
  bool         flat;
  SlTreeWindow window;
} Shape;

static const Shape shapes[] = {
  { 5, 3, 0, false, SL_TREE_SHARED },  { 5, 3, 1, false, SL_TREE_SHARED },
  { 6, 4, 3, false, SL_TREE_SHARED },  { 7, 5, 2, false, SL_TREE_SLIDING },
  { 9, 4, 4, false, SL_TREE_SLIDING }, { 6, 4, 3, true, SL_TREE_SHARED },
  { 7, 3, 2, true, SL_TREE_SLIDING },  { 3, 2, 3, false, SL_TREE_SLIDING },
  { 4, 17, 4, false, SL_TREE_SHARED }, { 9, 4, 3, false, SL_TREE_RANDOM },
  { 8, 3, 2, true, SL_TREE_RANDOM },
};

/* A tree with random weights everywhere and a random batch on its way through it. */
typedef struct
{
  SlArena  arena;
  SlTree   tree;
  SlRng    rng;
  size_t   batch;
  sl_real *weights, *m, *v, *gradient;
  sl_real *x, *a, *delta, *dx, *gain, *part, *worth;
  uint8_t *bit;
} Fixture;

static void
fill (Fixture *f, sl_real *to, size_t n)
{
  for (size_t i = 0; i < n; i++)
    to[i] = (sl_real) (sl_rng_normal (&f->rng) * 0.5);
}

static void
fixture_init (Fixture *f, const Shape *shape, size_t batch)
{
  SlTreeShape s = { shape->inputs, shape->units, shape->k, shape->flat, shape->window, MOST };

  memset (f, 0, sizeof *f);
  sl_tree_shape (&f->tree, &s);
  f->batch = batch;
  for (int pass = 0; pass < 2; pass++)
    {
      size_t gains = MOST * f->tree.windows * (f->tree.shape.k + 1);

      f->weights = sl_arena_reals (&f->arena, f->tree.n);
      f->m = sl_arena_reals (&f->arena, f->tree.n);
      f->v = sl_arena_reals (&f->arena, f->tree.n);
      f->gradient = sl_arena_reals (&f->arena, f->tree.n);
      f->x = sl_arena_reals (&f->arena, MOST * s.inputs);
      f->dx = sl_arena_reals (&f->arena, MOST * s.inputs);
      f->a = sl_arena_reals (&f->arena, MOST * s.units);
      f->delta = sl_arena_reals (&f->arena, MOST * s.units);
      f->gain = sl_arena_reals (&f->arena, gains);
      f->part = sl_arena_reals (&f->arena, gains);
      f->worth = sl_arena_reals (&f->arena, MOST * (f->tree.bits + 1));
      f->bit = sl_arena_carve (&f->arena, MOST * (f->tree.bits + 1), 1);
      sl_tree_carve (&f->tree, &f->arena, &f->arena);
      if (pass == 0)
        {
          SlStatus status = sl_arena_init (&f->arena, f->arena.used);

          g_assert_true (sl_ok (&status));
        }
    }
  sl_rng_init (&f->rng, 5, "tree");
  sl_tree_bind (&f->tree, f->weights, f->m, f->v);
  sl_tree_init (&f->tree, &f->rng);
  sl_tree_choose (&f->tree, shape->window == SL_TREE_RANDOM, &f->rng);
  fill (f, f->weights, f->tree.n);
  fill (f, f->x, batch * s.inputs);
  fill (f, f->delta, batch * s.units);
  for (size_t i = 0; i < batch * f->tree.bits; i++)
    f->bit[i] = sl_rng_below (&f->rng, 3) == 0;
  sl_tree_route (&f->tree, batch, f->bit);
}

static void
fixture_clear (Fixture *f)
{
  sl_arena_clear (&f->arena);
}

/* Which bit a window has at a place: the neighbours from its own number on, unless they are drawn. */
static size_t
bit_at (const SlTree *tree, size_t window, unsigned i)
{
  return tree->shape.window == SL_TREE_RANDOM ? tree->chosen[window * tree->shape.k + i]
                                              : MIN (window, tree->bits - tree->shape.k) + i;
}

/* One example by the definition, F_j bit by bit; `bit` (K) its bits. */
static void
naive (const Fixture *f, const sl_real *weights, const sl_real *x, const uint8_t *bit,
       const sl_real *gain, double *a)
{
  const SlTree *tree = &f->tree;
  size_t        p = tree->shape.inputs, q = tree->shape.units;
  unsigned      k = tree->shape.k;

  for (size_t i = 0; i < q; i++)
    a[i] = (double) weights[tree->n - q + i];
  for (size_t j = 0; j < p; j++)
    {
      size_t window = tree->shape.window != SL_TREE_SHARED ? j / k : 0, node = 0;

      for (unsigned level = 0; level <= k; level++)
        {
          if (level > 0)
            node = 2 * node + 1 + bit[bit_at (tree, window, level - 1)];
          for (size_t i = 0; i < q && node >= tree->first; i++)
            a[i] += (double) x[j] * (double) weights[((node - tree->first) * p + j) * q + i]
                    * (gain != NULL ? (double) gain[window * (k + 1) + level] : 1.0);
        }
    }
}

static void
assert_forward (Fixture *f, const sl_real *gain)
{
  size_t q = f->tree.shape.units;

  sl_tree_forward (&f->tree, f->x, gain, NULL, f->a);
  for (size_t e = 0; e < f->batch; e++)
    {
      double want[32];

      naive (f, f->weights, f->x + e * f->tree.shape.inputs, f->bit + e * f->tree.bits,
             gain != NULL ? gain + e * f->tree.windows * (f->tree.shape.k + 1) : NULL, want);
      sl_assert_close (f->a + e * q, want, q, tight, tight);
    }
}

static void
test_forward (gconstpointer data)
{
  static const size_t batches[] = { 0, 1, 2, 7, MOST };

  for (size_t b = 0; b < G_N_ELEMENTS (batches); b++)
    {
      Fixture f;

      fixture_init (&f, data, batches[b]);
      assert_forward (&f, NULL);
      fill (&f, f.gain, f.batch * f.tree.windows * (f.tree.shape.k + 1));
      assert_forward (&f, f.gain);
      fixture_clear (&f);
    }
}

/* One product per level: (k + 1) B p q, or B p q without the prefixes, whatever the bits. */
static void
test_counts (gconstpointer data)
{
  const Shape *shape = data;
  Fixture      f;

  fixture_init (&f, shape, MOST);
  f.tree.macs = 0;
  sl_tree_forward (&f.tree, f.x, NULL, NULL, f.a);
  g_assert_cmpfloat (
    f.tree.macs, ==,
    (double) (MOST * shape->inputs * shape->units * (shape->flat ? 1 : f.tree.shape.k + 1)));
  g_assert_cmpuint (f.tree.nodes, ==,
                    shape->flat ? (size_t) 1 << f.tree.shape.k : sl_tree_nodes (f.tree.shape.k));
  fixture_clear (&f);
}

#ifdef SL_DOUBLE
/* Σ delta · a, the gradient of which is what backward() computes from delta. */
static double
objective (Fixture *f, const sl_real *gain)
{
  double sum = 0.0;

  sl_tree_forward (&f->tree, f->x, gain, NULL, f->a);
  for (size_t i = 0; i < f->batch * f->tree.shape.units; i++)
    sum += (double) f->delta[i] * (double) f->a[i];
  return sum;
}

/* ‖gradient − central difference‖ ÷ ‖difference‖ over n numbers. */
static void
assert_gradient (Fixture *f, const sl_real *gain, sl_real *at, const sl_real *gradient, size_t n)
{
  double wrong = 0.0, norm = 0.0;

  for (size_t i = 0; i < n; i++)
    {
      sl_real kept = at[i];
      double  above, difference;

      at[i] = kept + 1e-6;
      above = objective (f, gain);
      at[i] = kept - 1e-6;
      difference = (above - objective (f, gain)) / 2e-6;
      at[i] = kept;
      wrong += (gradient[i] - difference) * (gradient[i] - difference);
      norm += difference * difference;
    }
  g_assert_true (norm > 0.0);
  g_assert_true (sqrt (wrong / norm) < 1e-6);
}

static void
test_gradient (gconstpointer data)
{
  for (int with_gain = 0; with_gain < 2; with_gain++)
    {
      Fixture  f;
      sl_real *gain;
      size_t   gains;

      fixture_init (&f, data, 12);
      gain = with_gain ? f.gain : NULL;
      gains = f.batch * f.tree.windows * (f.tree.shape.k + 1);
      fill (&f, f.gain, gains);
      sl_tree_backward (&f.tree, f.x, f.delta, gain, f.part, f.dx, NULL, f.gradient);
      assert_gradient (&f, gain, f.weights, f.gradient, f.tree.n);
      assert_gradient (&f, gain, f.x, f.dx, f.batch * f.tree.shape.inputs);
      if (with_gain)
        assert_gradient (&f, gain, f.gain, f.part, gains);
      fixture_clear (&f);
    }
}

/* The whole way from x through gains to the loss, for both kinds of modulation. */
static void
test_modulation_gradient (gconstpointer data)
{
  for (int kind = SL_MODULATE_SUPPRESS; kind <= SL_MODULATE_AMPLIFY; kind++)
    for (int root = 0; root < 2; root++)
      {
        Fixture f;
        double  wrong = 0.0, norm = 0.0;

        fixture_init (&f, data, 9);
        for (size_t i = 0; i < f.batch * f.tree.shape.inputs; i++)
          f.x[i] = i % 5 == 0 ? 0 : fabs (f.x[i]) + 0.05;
        sl_tree_gain (&f.tree, (SlModulate) kind, root, f.x, f.gain);
        sl_tree_backward (&f.tree, f.x, f.delta, f.gain, f.part, f.dx, NULL, NULL);
        sl_tree_gain_backward (&f.tree, (SlModulate) kind, f.x, f.gain, f.part, f.dx);
        for (size_t i = 0; i < f.batch * f.tree.shape.inputs; i++)
          {
            double  above, difference;
            sl_real kept = f.x[i];

            /* At 0 a rectified input can only grow, and has a kink. */
            if (kept == 0)
              continue;
            f.x[i] = kept + 1e-6;
            sl_tree_gain (&f.tree, (SlModulate) kind, root, f.x, f.gain);
            above = objective (&f, f.gain);
            f.x[i] = kept - 1e-6;
            sl_tree_gain (&f.tree, (SlModulate) kind, root, f.x, f.gain);
            difference = (above - objective (&f, f.gain)) / 2e-6;
            f.x[i] = kept;
            wrong += (f.dx[i] - difference) * (f.dx[i] - difference);
            norm += difference * difference;
          }
        g_assert_true (norm > 0.0 || (root == 0 && f.tree.shape.k == 0));
        g_assert_true (norm == 0.0 || sqrt (wrong / norm) < 1e-6);
        fixture_clear (&f);
      }
}
#endif

/* A bit is 1 above its threshold, not at it; a gain is the root of the product of the factors down to its level. */
static void
test_gains (gconstpointer data)
{
  Fixture f;

  fixture_init (&f, data, 9);

  size_t   k = f.tree.shape.k, inputs = f.tree.shape.inputs, bits = f.tree.bits;
  sl_real *v = f.worth, *tau = g_newa (sl_real, bits + 1);

  for (size_t i = 0; i < bits; i++)
    tau[i] = f.x[f.tree.source[i]]; /* of the first example */
  sl_tree_threshold (&f.tree, f.batch, f.x, tau, v, f.bit);
  for (size_t e = 0; e < f.batch; e++)
    for (size_t i = 0; i < bits; i++)
      {
        sl_real above = f.x[e * inputs + f.tree.source[i]] - tau[i];

        g_assert_cmpfloat (v[e * bits + i], ==, above);
        g_assert_cmpint (f.bit[e * bits + i], ==, above > 0);
      }
  sl_tree_route (&f.tree, f.batch, f.bit);
  for (int way = 0; way < 4; way++)
    {
      bool amplified = way & 1, root = way & 2;

      sl_tree_gain (&f.tree, amplified ? SL_MODULATE_AMPLIFY : SL_MODULATE_SUPPRESS, root, f.x,
                    f.gain);
      for (size_t at = 0; at < f.batch * f.tree.windows; at++)
        {
          size_t         e = at / f.tree.windows, window = at % f.tree.windows;
          const sl_real *gain = f.gain + at * (k + 1);
          double         product = 1.0;

          g_assert_cmpfloat (gain[0], ==, root);
          for (unsigned i = 0; i < k; i++)
            {
              size_t bit = bit_at (&f.tree, window, i);
              double on = tanh (fmax (0.0, (double) f.x[e * inputs + f.tree.source[bit]]));

              product *= amplified && f.bit[e * bits + bit] ? fmax (on, 0.01) : 1.0 - on;
              sl_assert_near ((double) gain[i + 1], pow (product, 1.0 / (i + 1)), 20 * tight, 0);
            }
        }
    }
  fixture_clear (&f);
}

/* Negative inputs count as 0, so no gain exceeds 1; amplified units near 0 have bounded slopes. */
static void
test_modulation_limits (void)
{
  Fixture              f;
  static const sl_real extremes[] = { -3, 0, (sl_real) 1e-30, 1, 200 };

  fixture_init (&f, &shapes[2], 10);
  for (int kind = SL_MODULATE_SUPPRESS; kind <= SL_MODULATE_AMPLIFY; kind++)
    {
      for (size_t i = 0; i < f.batch * f.tree.shape.inputs; i++)
        f.x[i] = extremes[(i * 7 + i / 5) % 5];
      sl_tree_gain (&f.tree, (SlModulate) kind, true, f.x, f.gain);
      sl_tree_backward (&f.tree, f.x, f.delta, f.gain, f.part, f.dx, NULL, NULL);
      sl_tree_gain_backward (&f.tree, (SlModulate) kind, f.x, f.gain, f.part, f.dx);
      for (size_t i = 0; i < f.batch * (f.tree.shape.k + 1); i++)
        g_assert_true (f.gain[i] >= 0 && f.gain[i] <= 1);
      for (size_t i = 0; i < f.batch * f.tree.shape.inputs; i++)
        g_assert_true (isfinite (f.dx[i]));
    }
  fixture_clear (&f);
}

/* The worth of a bit is what turning it changes. */
static void
test_worth (gconstpointer data)
{
  Fixture f;
  double  plain = 0.0;

  fixture_init (&f, data, 11);
  sl_tree_worth (&f.tree, f.x, f.delta, NULL, f.worth);
  for (size_t e = 0; e < f.batch; e++)
    for (unsigned i = 0; i < f.tree.bits; i++)
      {
        const sl_real *x = f.x + e * f.tree.shape.inputs;
        uint8_t       *bit = f.bit + e * f.tree.bits, kept = bit[i];
        double         on[32], off[32], want = 0.0;

        bit[i] = 1;
        naive (&f, f.weights, x, bit, NULL, on);
        bit[i] = 0;
        naive (&f, f.weights, x, bit, NULL, off);
        bit[i] = kept;
        for (size_t u = 0; u < f.tree.shape.units; u++)
          want += (double) f.delta[e * f.tree.shape.units + u] * (on[u] - off[u]);
        plain += fabs (want);
        sl_assert_near ((double) f.worth[e * f.tree.bits + i], want, tight, 4 * tight);
      }
  g_assert_true (plain > 0.0 || f.tree.bits == 0);
  fixture_clear (&f);
}

/* Only what the batch reached changes: weights, moments, clocks and counts. */
static void
test_untouched (gconstpointer data)
{
  Fixture        f;
  sl_real       *before;
  SlOptimSetting optim = sl_optim_default ();
  SlTreeUpdate update = { .optim = &optim, .clock = { SL_DECAY_L2, -0.25 }, .t = 9, .moments = 9 };
  size_t       reached = 0;

  fixture_init (&f, data, 2);
  before = g_memdup2 (f.weights, f.tree.n * sizeof *before);
  sl_tree_backward (&f.tree, f.x, f.delta, NULL, NULL, f.dx, &update, f.gradient);
  for (unsigned w = 0; w < f.tree.windows; w++)
    for (size_t i = 0; i < f.tree.nodes; i++)
      {
        size_t node = f.tree.first + i, cell = sl_tree_cell (&f.tree, w, node);
        size_t n
          = (sl_tree_window (&f.tree, w + 1) - sl_tree_window (&f.tree, w)) * f.tree.shape.units;
        size_t at = (size_t) (sl_tree_table (&f.tree, f.weights, w, node) - f.weights);
        bool   moved = memcmp (f.weights + at, before + at, n * sizeof *before) != 0;
        bool   visited = false;

        for (size_t e = 0; e < f.batch; e++)
          for (unsigned level = f.tree.top; level <= f.tree.shape.k; level++)
            visited
              = visited
                || sl_tree_node (&f.tree, f.tree.leaf[w * f.tree.shape.most + e], level) == node;
        g_assert_cmpint (moved, ==, visited);
        g_assert_cmpuint (f.tree.touched[cell], ==, visited ? 9 : 0);
        g_assert_cmpuint (f.tree.updates[cell], ==, visited ? 1 : 0);
        g_assert_cmpfloat (f.tree.seen[cell], ==, visited ? -0.25 : 0.0);
        for (size_t j = 0; j < n; j++)
          {
            g_assert_true (visited || f.gradient[at + j] == 0);
            g_assert_true (visited || (f.m[at + j] == 0 && f.v[at + j] == 0));
          }
        reached += visited;
      }
  g_assert_cmpuint (reached, >, 0);
  g_free (before);
  fixture_clear (&f);
}

/* Gradient descent on changing paths with decay that waits, in two stages, against decay of
 * everything at every step; rate and coefficient change on the way.  Evaluation in between sees the
 * same weights and changes nothing.  */
static void
test_lazy (gconstpointer data)
{
  for (int kind = SL_DECAY_L1; kind <= SL_DECAY_L2; kind++)
    {
      Fixture      lazy, eager;
      SlDecayClock clock = { (SlDecayKind) kind, 0.0 };
      sl_real     *a;

      fixture_init (&lazy, data, 3);
      fixture_init (&eager, data, 3);
      a = g_new (sl_real, 3 * lazy.tree.shape.units);
      for (int t = 1; t <= 30; t++)
        {
          double         rate = 0.1 / t, lambda = t < 15 ? 0.5 : 0.05, tick;
          SlOptimSetting optim = { .kind = SL_SGD, .rate = (sl_real) rate };
          SlTreeUpdate   update = { .optim = &optim, .t = (uint64_t) t, .moments = (uint64_t) t };
          SlDecayClock   none = { SL_DECAY_NONE, 0.0 };
          SlStatus       status = sl_decay_tick (clock.kind, rate, lambda, &tick);

          g_assert_true (sl_ok (&status));
          for (size_t i = 0; i < 3 * lazy.tree.bits; i++)
            lazy.bit[i] = sl_rng_below (&lazy.rng, 2) == 0;
          sl_tree_route (&lazy.tree, 3, lazy.bit);
          sl_tree_route (&eager.tree, 3, lazy.bit);

          sl_tree_forward (&lazy.tree, lazy.x, NULL, &clock, a);
          sl_tree_refresh (&lazy.tree, clock.kind, clock.now);
          sl_tree_forward (&lazy.tree, lazy.x, NULL, NULL, lazy.a);
          g_assert_cmpmem (a, 3 * lazy.tree.shape.units * sizeof *a, lazy.a,
                           3 * lazy.tree.shape.units * sizeof *a);
          clock.now += tick;
          update.clock = clock;
          sl_tree_backward (&lazy.tree, lazy.x, lazy.a, NULL, NULL, lazy.dx, &update, NULL);

          sl_tree_forward (&eager.tree, eager.x, NULL, NULL, eager.a);
          sl_decay_apply (clock.kind, tick, eager.tree.n - eager.tree.shape.units, eager.weights,
                          eager.weights);
          update.clock = none;
          sl_tree_backward (&eager.tree, eager.x, eager.a, NULL, NULL, eager.dx, &update, NULL);
        }
      for (size_t node = lazy.tree.first; node < lazy.tree.first + lazy.tree.nodes; node++)
        sl_assert_near (sl_tree_norm (&lazy.tree, node, &clock),
                        sl_tree_norm (&eager.tree, node, &(SlDecayClock) { 0 }), 10 * tight,
                        10 * tight);
      sl_tree_flush (&lazy.tree, &clock);
      for (size_t i = 0; i < lazy.tree.n; i++)
        sl_assert_near ((double) lazy.weights[i], (double) eager.weights[i], 10 * tight,
                        10 * tight);
      g_free (a);
      fixture_clear (&lazy);
      fixture_clear (&eager);
    }
}

/* The length of all weights of a node, whatever window they belong to. */
static void
test_norm (gconstpointer data)
{
  Fixture      f;
  SlDecayClock clock = { SL_DECAY_NONE, 0.0 };

  fixture_init (&f, data, 3);
  for (size_t node = f.tree.first; node < f.tree.first + f.tree.nodes; node++)
    {
      double sum = 0.0;

      for (unsigned w = 0; w < f.tree.windows; w++)
        {
          const sl_real *t = sl_tree_current (&f.tree, w, node, &clock);

          for (size_t i = 0; i < sl_tree_window_inputs (&f.tree, w) * f.tree.shape.units; i++)
            sum += (double) t[i] * (double) t[i];
        }
      g_assert_true (sum > 0.0);
      sl_assert_near (sl_tree_norm (&f.tree, node, &clock), sqrt (sum), 1e-9, 1e-9);
    }
  fixture_clear (&f);
}

/* 0 <= ελ < 1 or nothing; zero is never crossed. */
static void
test_decay_limits (void)
{
  static const double bad[][2]
    = { { 1, 1 }, { 10, 0.2 }, { -1, 0.1 }, { NAN, 0.1 }, { HUGE_VAL, 1 } };
  sl_real w[5] = { (sl_real) 0.12, (sl_real) -0.12, 0, 2, -2 };
  double  tick;

  for (size_t i = 0; i < G_N_ELEMENTS (bad); i++)
    for (int kind = SL_DECAY_NONE; kind <= SL_DECAY_L2; kind++)
      {
        SlStatus status = sl_decay_tick ((SlDecayKind) kind, bad[i][0], bad[i][1], &tick);

        g_assert_cmpint (status.code, ==, SL_EINVAL);
      }
  sl_decay_apply (SL_DECAY_L1, 0.5, 5, w, w);
  for (int i = 0; i < 3; i++)
    g_assert_true (w[i] == 0);
  g_assert_true (w[3] == (sl_real) 1.5 && w[4] == (sl_real) -1.5);
  sl_decay_apply (SL_DECAY_NONE, 0.5, 5, w, w);
  g_assert_true (w[3] == (sl_real) 1.5);
}

static int
rising (const void *a, const void *b)
{
  sl_real x = *(const sl_real *) a, y = *(const sl_real *) b;

  return (x > y) - (x < y);
}

static void
test_median (void)
{
  SlRng   rng;
  sl_real x[3 * 200], work[200], sorted[200];

  sl_rng_init (&rng, 3, "median");
  for (int round = 0; round < 300; round++)
    {
      size_t n = 1 + (size_t) sl_rng_below (&rng, 200);
      double want;

      /* With many ties in every other round. */
      for (size_t i = 0; i < n; i++)
        sorted[i] = x[3 * i]
          = (sl_real) (round % 2 == 0 ? sl_rng_normal (&rng) : (double) sl_rng_below (&rng, 4));
      qsort (sorted, n, sizeof *sorted, rising);
      want
        = n % 2 == 1 ? (double) sorted[n / 2] : (double) ((sorted[n / 2 - 1] + sorted[n / 2]) / 2);
      g_assert_cmpfloat ((double) sl_tree_median (n, x, 3, work), ==, want);
    }
  for (size_t i = 0; i < 200; i++)
    x[i] = (sl_real) (i % 3 == 0 ? NAN : (double) i);
  (void) sl_tree_median (200, x, 1, work);
}

/* What was never visited: a tree adds nothing below its root, flat leaves are all alike. */
static void
test_start (void)
{
  for (int flat = 0; flat < 2; flat++)
    {
      Fixture f;
      sl_real first[4];

      fixture_init (&f, &(Shape) { 6, 4, 3, flat, false }, 1);
      sl_tree_init (&f.tree, &f.rng);
      for (uint8_t leaf = 0; leaf < 8; leaf++)
        {
          uint8_t bit[3] = { leaf >> 2 & 1, leaf >> 1 & 1, leaf & 1 };

          sl_tree_route (&f.tree, 1, bit);
          g_assert_cmpuint (f.tree.leaf[0], ==, leaf);
          sl_tree_forward (&f.tree, f.x, NULL, NULL, f.a);
          if (leaf == 0)
            memcpy (first, f.a, sizeof first);
          g_assert_cmpmem (first, sizeof first, f.a, sizeof first);
        }
      g_assert_true (first[0] != 0);
      fixture_clear (&f);
    }
}

/* More bits than inputs are clamped; windows and bits as the specification counts them. */
static void
test_shapes (void)
{
  SlTree tree;

  sl_tree_shape (&tree, &(SlTreeShape) { 3, 2, 6, false, SL_TREE_SHARED, 1 });
  g_assert_cmpuint (tree.shape.k, ==, 3);
  g_assert_cmpuint (tree.nodes, ==, 15);
  sl_tree_shape (&tree, &(SlTreeShape) { 784, 2, 4, false, SL_TREE_SLIDING, 1 });
  g_assert_cmpuint (tree.bits, ==, 199);
  g_assert_cmpuint (tree.windows, ==, 196);
  g_assert_cmpuint (sl_tree_window (&tree, 196), ==, 784);
  sl_tree_shape (&tree, &(SlTreeShape) { 7, 2, 0, true, SL_TREE_SLIDING, 1 });
  g_assert_cmpuint (tree.windows, ==, 1);
  g_assert_cmpuint (tree.nodes, ==, 1);
  g_assert_cmpfloat (sl_tree_bytes (&(SlTreeShape) { 784, 500, 8, false, SL_TREE_SHARED, 1 }), ==,
                     3.0 * (200312000.0 + 500.0) * sizeof (sl_real));
}

static void
add (const char *name, GTestDataFunc function)
{
  for (size_t i = 0; i < G_N_ELEMENTS (shapes); i++)
    {
      g_autofree char *path = g_strdup_printf ("/tree/%s/%zu", name, i);

      g_test_add_data_func (path, &shapes[i], function);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add ("forward", test_forward);
  add ("counts", test_counts);
#ifdef SL_DOUBLE
  add ("gradient", test_gradient);
  add ("modulation", test_modulation_gradient);
#endif
  add ("gains", test_gains);
  add ("worth", test_worth);
  add ("untouched", test_untouched);
  add ("lazy", test_lazy);
  add ("norm", test_norm);
  g_test_add_func ("/tree/modulation-limits", test_modulation_limits);
  g_test_add_func ("/tree/decay-limits", test_decay_limits);
  g_test_add_func ("/tree/median", test_median);
  g_test_add_func ("/tree/start", test_start);
  g_test_add_func ("/tree/shapes", test_shapes);
  return g_test_run ();
}
