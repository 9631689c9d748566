/* SPDX-License-Identifier: MIT
 *
 * Style losses and their distances: golden values, the identity of Gram matching with MMD², every
 * gradient against differences, naive twins, and the edges (one position, constant channels,
 * samples that are all the same, not-a-number).  In double.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/labs/style/math/style.h"
#include "core/nn/distance/mmd.h"
#include "core/nn/kernels/mat.h"
#include "tests/support/close.h"
#include "tests/support/golden.h"

enum { N = 3, M = 4 };

static JsonObject *golden;

static JsonObject *
section (const char *name)
{
  return json_object_get_object_member (golden, name);
}

static size_t
copy (JsonObject *object, const char *member, sl_real *to, size_t room)
{
  g_autoptr (GArray) numbers = sl_golden_numbers (object, member);

  g_assert_cmpuint (numbers->len, <=, room);
  for (size_t i = 0; i < numbers->len; i++)
    to[i] = (sl_real) g_array_index (numbers, double, i);
  return numbers->len;
}

static void
expect (const sl_real *got, JsonObject *object, const char *member, size_t n)
{
  sl_golden_expect (got, object, member, n, 0, 1e-10);
}

static void
expect_number (double got, JsonObject *object, const char *member)
{
  sl_assert_near (got, sl_golden_number (object, member), 0, 1e-10);
}

/* Two sets of features with everything that is known of them. */
typedef struct
{
  SlArena      arena;
  SlStyleStats f, s;
  SlStylePairs pairs;
  sl_real     *work;
  size_t       n, m, m_s;
  sl_real     *at, *to; /* (N, M), (N, M_S) */
} Pair;

static void
pair_init (Pair *pair, size_t n, size_t m, size_t m_s)
{
  *pair = (Pair) { .n = n, .m = m, .m_s = m_s };
  for (int pass = 0; pass < 2; pass++)
    {
      sl_style_stats_carve (&pair->f, n, &pair->arena);
      sl_style_stats_carve (&pair->s, n, &pair->arena);
      sl_style_pairs_carve (&pair->pairs, MAX (m, m_s), &pair->arena);
      pair->work = sl_arena_reals (&pair->arena, n * n);
      pair->at = sl_arena_reals (&pair->arena, n * m);
      pair->to = sl_arena_reals (&pair->arena, n * m_s);
      if (pass == 0)
        {
          SlStatus status = sl_arena_init (&pair->arena, pair->arena.used);

          g_assert_true (sl_ok (&status));
        }
    }
}

static void
pair_measure (Pair *pair, double epsilon)
{
  sl_style_moments (pair->m, pair->at, epsilon, &pair->f);
  sl_style_moments (pair->m_s, pair->to, epsilon, &pair->s);
  sl_style_gram (pair->m, pair->at, &pair->f);
  sl_style_gram (pair->m_s, pair->to, &pair->s);
}

static void
pair_golden (Pair *pair, double epsilon)
{
  pair_init (pair, N, M, M);
  g_assert_cmpuint (copy (section ("gram_mmd"), "F", pair->at, N * M), ==, N * M);
  g_assert_cmpuint (copy (section ("gram_mmd"), "S", pair->to, N * M), ==, N * M);
  pair_measure (pair, epsilon);
}

static void
pair_random (Pair *pair, size_t n, size_t m, size_t m_s, uint64_t seed)
{
  SlRng rng;

  pair_init (pair, n, m, m_s);
  sl_rng_init (&rng, seed, "features");
  for (size_t i = 0; i < n * m; i++)
    pair->at[i] = fmax (0.0, 0.3 + sl_rng_normal (&rng));
  for (size_t i = 0; i < n * m_s; i++)
    pair->to[i] = fmax (0.0, 0.7 * sl_rng_normal (&rng) - 0.2);
  pair_measure (pair, SL_STYLE_EPSILON);
}

/* Samples as rows, as mmd.h wants them. */
static sl_real *
rows (const sl_real *features, size_t n, size_t m)
{
  sl_real *x = g_new (sl_real, n * m);

  for (size_t i = 0; i < n; i++)
    for (size_t p = 0; p < m; p++)
      x[p * n + i] = features[i * m + p];
  return x;
}

static double
measure (const Pair *pair, SlKernel kernel, bool biased)
{
  g_autofree sl_real *x = rows (pair->at, pair->n, pair->m);
  g_autofree sl_real *y = rows (pair->to, pair->n, pair->m_s);

  return biased ? sl_mmd_biased (&kernel, pair->n, pair->m, x, pair->m_s, y)
                : sl_mmd_unbiased (&kernel, pair->n, pair->m, x, pair->m_s, y);
}

static void
expect_gradient (Pair *pair, SlStyleMethod method, double c, const char *where)
{
  sl_real df[N * M] = { 0 };

  sl_style_backward (method, c, 1.0, &pair->f, &pair->s, pair->at, pair->work, df);
  expect (df, section (where), "grad_F", N * M);
}

static void
test_gram (void)
{
  JsonObject *gram = section ("gram_mmd");
  sl_real     g[N * N], a[N * N];
  Pair        pair;
  double      loss, mmd;

  pair_golden (&pair, 0);
  for (int i = 0; i < N * N; i++)
    {
      g[i] = pair.f.gram[i] * M;
      a[i] = pair.s.gram[i] * M;
    }
  expect (g, gram, "G", N * N);
  expect (a, gram, "A", N * N);
  loss = sl_style_loss (SL_STYLE_GRAM, 0, &pair.f, &pair.s);
  mmd = measure (&pair, (SlKernel) { SL_KERNEL_POLY, 0, 0 }, true);
  expect_number (loss, gram, "gram_loss");
  expect_number (mmd, gram, "mmd2_poly_c0");
  expect_number (mmd / (4.0 * N * N), gram, "mmd2_over_4N2");
  sl_assert_near (4.0 * N * N * loss, mmd, 1e-10, 0);
  expect_gradient (&pair, SL_STYLE_GRAM, 0, "gram_mmd");
  sl_arena_clear (&pair.arena);
}

static void
test_unequal (void)
{
  JsonObject *unequal = section ("gram_mmd_unequal");
  Pair        pair;

  pair_init (&pair, N, M, 6);
  copy (section ("gram_mmd"), "F", pair.at, N * M);
  g_assert_cmpuint (copy (unequal, "S", pair.to, N * 6), ==, N * 6);
  pair_measure (&pair, 0);
  expect_number (4.0 * N * N * sl_style_loss (SL_STYLE_GRAM, 0, &pair.f, &pair.s), unequal,
                 "normalised_gram");
  expect_number (measure (&pair, (SlKernel) { SL_KERNEL_POLY, 0, 0 }, true), unequal, "mmd2");
  sl_arena_clear (&pair.arena);
}

static void
test_linear_and_poly (void)
{
  Pair pair;

  pair_golden (&pair, 0);
  expect_number (sl_style_loss (SL_STYLE_LINEAR, 0, &pair.f, &pair.s), section ("linear"), "mmd2");
  expect_number (measure (&pair, (SlKernel) { SL_KERNEL_LINEAR, 0, 0 }, true), section ("linear"),
                 "mmd2_direct");
  expect_gradient (&pair, SL_STYLE_LINEAR, 0, "linear");
  for (int c = 0; c < 2; c++)
    {
      const char *name = c == 0 ? "poly_c0" : "poly_c1";

      expect_number (sl_style_loss (SL_STYLE_POLY, c, &pair.f, &pair.s), section (name),
                     "closed_form");
      expect_number (measure (&pair, (SlKernel) { SL_KERNEL_POLY, c, 0 }, true), section (name),
                     "mmd2");
      expect_gradient (&pair, SL_STYLE_POLY, c, name);
    }
  sl_arena_clear (&pair.arena);
}

static void
test_gaussian (void)
{
  JsonObject *gauss = section ("gauss_linear_time");
  g_autoptr (GArray) pairs_f = sl_golden_numbers (gauss, "pairs_F");
  g_autoptr (GArray) pairs_s = sl_golden_numbers (gauss, "pairs_S");
  sl_real  df[N * M] = { 0 };
  SlKernel kernel = { .kind = SL_KERNEL_GAUSSIAN };
  Pair     pair;

  pair_golden (&pair, 0);
  g_assert_cmpuint (pairs_f->len, ==, M);
  g_assert_cmpuint (pairs_s->len, ==, M);
  pair.pairs.n = M / 2;
  for (int i = 0; i < M; i++)
    {
      pair.pairs.f[i] = (uint32_t) g_array_index (pairs_f, double, i);
      pair.pairs.s[i] = (uint32_t) g_array_index (pairs_s, double, i);
    }
  expect_number (sl_style_gaussian (&pair.pairs, N, M, pair.at, M, pair.to, false), gauss, "value");
  expect_number (pair.pairs.sigma2, gauss, "sigma2");
  sl_style_gaussian_backward (&pair.pairs, N, 1.0, M, pair.at, M, pair.to, df);
  expect (df, gauss, "grad_F", N * M);
  kernel.sigma2 = pair.pairs.sigma2;
  expect_number (measure (&pair, kernel, true), gauss, "full_V_statistic");
  expect_number (measure (&pair, kernel, false), gauss, "U_statistic");
  sl_arena_clear (&pair.arena);
}

/* Pairs are disjoint, in range, drawn anew, as many as the smaller picture has; and their mean is
 * the U-statistic, which the golden value calls the mean over all pairings.  */
static void
test_pairs (void)
{
  enum { DRAWS = 4000 };
  Pair     pair;
  SlRng    rng;
  double   sum = 0, sigma2;
  bool     differs = false;
  uint32_t first[6];

  sl_rng_init (&rng, 3, "pairs");
  pair_random (&pair, 5, 9, 6, 3);
  sigma2 = measure (&pair, (SlKernel) { .kind = SL_KERNEL_LINEAR }, true);
  {
    g_autofree sl_real *x = rows (pair.at, 5, 9), *y = rows (pair.to, 5, 6);

    sigma2 = sl_mmd_sigma2 (5, 9, x, 6, y);
  }
  for (int draw = 0; draw < DRAWS; draw++)
    {
      unsigned in_f = 0, in_s = 0;

      sl_style_pairs_draw (&pair.pairs, &rng, 9, 6);
      g_assert_cmpuint (pair.pairs.n, ==, 3);
      for (int i = 0; i < 6; i++)
        {
          g_assert_cmpuint (pair.pairs.f[i], <, 9);
          g_assert_cmpuint (pair.pairs.s[i], <, 6);
          in_f |= 1u << pair.pairs.f[i];
          in_s |= 1u << pair.pairs.s[i];
        }
      g_assert_cmpint (__builtin_popcount (in_f), ==, 6);
      g_assert_cmpint (__builtin_popcount (in_s), ==, 6);
      if (draw == 0)
        memcpy (first, pair.pairs.f, sizeof first);
      else
        differs = differs || memcmp (first, pair.pairs.f, sizeof first) != 0;
      pair.pairs.sigma2 = sigma2;
      sum += sl_style_gaussian (&pair.pairs, 5, 9, pair.at, 6, pair.to, true);
    }
  g_assert_true (differs);
  sl_assert_near (sum / DRAWS, measure (&pair, (SlKernel) { SL_KERNEL_GAUSSIAN, 0, sigma2 }, false),
                  0, 0.02);
  sl_arena_clear (&pair.arena);
}

/* σ² by sums is σ² by pairs. */
static void
test_sigma2 (void)
{
  enum { DIMS = 4, A = 7, B = 5 };
  sl_real x[A * DIMS], y[B * DIMS];
  double  sum[3] = { 0 };
  SlRng   rng;

  sl_rng_init (&rng, 4, "samples");
  for (int i = 0; i < A * DIMS; i++)
    x[i] = sl_rng_normal (&rng);
  for (int i = 0; i < B * DIMS; i++)
    y[i] = 2.0 + sl_rng_normal (&rng);
  for (int i = 0; i < A + B; i++)
    for (int j = 0; j < A + B; j++)
      for (int c = 0; c < DIMS && i != j; c++)
        {
          double a = i < A ? x[i * DIMS + c] : y[(i - A) * DIMS + c];
          double b = j < A ? x[j * DIMS + c] : y[(j - A) * DIMS + c];

          sum[(i >= A) + (j >= A)] += (a - b) * (a - b);
        }
  sl_assert_near (sl_mmd_sigma2 (DIMS, A, x, B, y),
                  (sum[0] / (A * (A - 1.0)) + sum[2] / (B * (B - 1.0)) + sum[1] / (A * B)) / 4.0,
                  1e-12, 0);
}

static void
test_moments (void)
{
  JsonObject *bn = section ("bn"), *constant = section ("bn_zero_variance");
  int         channel = (int) sl_golden_number (constant, "channel");
  sl_real     df[N * M] = { 0 };
  Pair        pair;

  pair_golden (&pair, 0);
  expect (pair.f.mean, bn, "mu_F", N);
  expect (pair.s.mean, bn, "mu_S", N);
  expect (pair.f.sd, bn, "sd_F", N);
  expect (pair.s.sd, bn, "sd_S", N);
  expect_number (sl_style_loss (SL_STYLE_MOMENTS, 0, &pair.f, &pair.s), bn, "loss");
  expect_gradient (&pair, SL_STYLE_MOMENTS, 0, "bn");

  for (int p = 0; p < M; p++)
    pair.at[channel * M + p] = sl_golden_number (constant, "value");
  pair_measure (&pair, 0);
  expect_number (sl_style_loss (SL_STYLE_MOMENTS, 0, &pair.f, &pair.s), constant, "loss");
  sl_style_backward (SL_STYLE_MOMENTS, 0, 1.0, &pair.f, &pair.s, pair.at, NULL, df);
  /* The mean's slope is left, the same at each position. */
  for (int p = 0; p < M; p++)
    sl_assert_near (df[channel * M + p],
                    2.0 / (N * M) * (pair.f.mean[channel] - pair.s.mean[channel]), 0, 1e-12);
  sl_arena_clear (&pair.arena);
}

static void
test_content (void)
{
  sl_real f[N * M], p[N * M], df[N * M] = { 0 };

  copy (section ("gram_mmd"), "F", f, N * M);
  copy (section ("content"), "P", p, N * M);
  expect_number (sl_style_content (N * M, f, p, 1.0, df), section ("content"), "loss");
  expect (df, section ("content"), "grad_F", N * M);
  expect_number (sl_style_content (N * M, f, p, 1.0, NULL), section ("content"), "loss");
}

/* The identity on features as a network makes them, pictures of the same size or not. */
static void
test_identity (void)
{
  static const size_t sizes[][3] = { { 16, 64, 64 }, { 24, 121, 50 }, { 1, 2, 3 }, { 40, 7, 1 } };

  for (size_t i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      Pair   pair;
      double n = (double) sizes[i][0], gram, mmd;

      pair_random (&pair, sizes[i][0], sizes[i][1], sizes[i][2], 10 + i);
      gram = sl_style_loss (SL_STYLE_GRAM, 0, &pair.f, &pair.s);
      mmd = measure (&pair, (SlKernel) { SL_KERNEL_POLY, 0, 0 }, true);
      sl_assert_near (4.0 * n * n * gram, mmd, 1e-10, 0);
      for (int c = 0; c < 3; c++)
        sl_assert_near (sl_style_loss (SL_STYLE_POLY, c, &pair.f, &pair.s),
                        measure (&pair, (SlKernel) { SL_KERNEL_POLY, c, 0 }, true), 1e-10, 0);
      sl_assert_near (sl_style_loss (SL_STYLE_LINEAR, 0, &pair.f, &pair.s),
                      measure (&pair, (SlKernel) { SL_KERNEL_LINEAR, 0, 0 }, true), 1e-10, 0);
      sl_arena_clear (&pair.arena);
    }
}

/* The naive twin of the Gram matrix. */
static void
test_twin (void)
{
  Pair pair;

  pair_random (&pair, 7, 33, 21, 5);
  for (size_t i = 0; i < 7; i++)
    for (size_t j = 0; j < 7; j++)
      {
        double sum = 0;

        for (size_t p = 0; p < 33; p++)
          sum += pair.at[i * 33 + p] * pair.at[j * 33 + p];
        sl_assert_near (pair.f.gram[i * 7 + j], sum / 33.0, 1e-12, 0);
      }
  sl_arena_clear (&pair.arena);
}

static double
loss_of (Pair *pair, SlStyleMethod method, double c, bool keep)
{
  pair_measure (pair, SL_STYLE_EPSILON);
  return method == SL_STYLE_GAUSSIAN
           ? sl_style_gaussian (&pair->pairs, pair->n, pair->m, pair->at, pair->m_s, pair->to, keep)
           : sl_style_loss (method, c, &pair->f, &pair->s);
}

/* Every loss's gradient against central differences, scaled and added to what is there. */
static void
test_gradients (void)
{
  static const size_t sizes[][3] = { { 6, 10, 10 }, { 5, 12, 7 }, { 3, 7, 15 }, { 9, 2, 2 } };
  const double        h = 1e-6, scale = 2.5;

  for (size_t i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (int method = 0; method < SL_N_STYLES; method++)
      {
        Pair                pair;
        SlRng               rng;
        double              wrong = 0, norm = 0, c = 0.7;
        g_autofree sl_real *df = NULL;

        pair_random (&pair, sizes[i][0], sizes[i][1], sizes[i][2], 30 + i);
        df = g_new (sl_real, pair.n * pair.m);
        sl_rng_init (&rng, 30 + i, "pairs");
        sl_style_pairs_draw (&pair.pairs, &rng, pair.m, pair.m_s);
        for (size_t k = 0; k < pair.n * pair.m; k++)
          df[k] = 1.0;
        loss_of (&pair, (SlStyleMethod) method, c, false);
        if (method == SL_STYLE_GAUSSIAN)
          sl_style_gaussian_backward (&pair.pairs, pair.n, scale, pair.m, pair.at, pair.m_s,
                                      pair.to, df);
        else
          sl_style_backward ((SlStyleMethod) method, c, scale, &pair.f, &pair.s, pair.at, pair.work,
                             df);
        for (size_t k = 0; k < pair.n * pair.m; k++)
          {
            sl_real kept = pair.at[k];
            double  above, below, slope;

            pair.at[k] = kept + h;
            above = loss_of (&pair, (SlStyleMethod) method, c, true);
            pair.at[k] = kept - h;
            below = loss_of (&pair, (SlStyleMethod) method, c, true);
            pair.at[k] = kept;
            slope = scale * (above - below) / (2.0 * h);
            wrong += (df[k] - 1.0 - slope) * (df[k] - 1.0 - slope);
            norm += slope * slope;
          }
        g_test_message ("%zu %d: %.3g of %.3g", i, method, sqrt (wrong), sqrt (norm));
        g_assert_true (norm > 0.0);
        g_assert_true (sqrt (wrong) <= 1e-6 * sqrt (norm));
        sl_arena_clear (&pair.arena);
      }
}

/* One position: no deviation, no pairs.  Samples that are all the same: nothing to say. */
static void
test_edges (void)
{
  Pair    pair;
  SlRng   rng;
  sl_real df[8] = { 0 };

  sl_rng_init (&rng, 1, "pairs");
  pair_random (&pair, 4, 1, 1, 8);
  sl_style_pairs_draw (&pair.pairs, &rng, 1, 1);
  g_assert_cmpuint (pair.pairs.n, ==, 0);
  sl_style_moments (1, pair.at, 0, &pair.f);
  for (int i = 0; i < 4; i++)
    g_assert_cmpfloat (pair.f.sd[i], ==, 0.0);
  g_assert_cmpfloat (sl_style_gaussian (&pair.pairs, 4, 1, pair.at, 1, pair.to, false), ==, 0.0);
  sl_style_gaussian_backward (&pair.pairs, 4, 1.0, 1, pair.at, 1, pair.to, df);
  for (int i = 0; i < 4; i++)
    g_assert_cmpfloat (df[i], ==, 0.0);
  g_assert_cmpfloat (measure (&pair, (SlKernel) { SL_KERNEL_GAUSSIAN, 0, 1 }, false), ==, 0.0);
  sl_arena_clear (&pair.arena);

  pair_init (&pair, 2, 4, 4);
  for (int i = 0; i < 8; i++)
    pair.at[i] = pair.to[i] = 0.25 * (1 + i / 4);
  sl_style_pairs_draw (&pair.pairs, &rng, 4, 4);
  g_assert_cmpfloat (sl_style_gaussian (&pair.pairs, 2, 4, pair.at, 4, pair.to, false), ==, 0.0);
  g_assert_cmpfloat (pair.pairs.sigma2, ==, 0.0);
  sl_style_gaussian_backward (&pair.pairs, 2, 1.0, 4, pair.at, 4, pair.to, df);
  for (int i = 0; i < 8; i++)
    g_assert_cmpfloat (df[i], ==, 0.0);
  sl_assert_near (measure (&pair, (SlKernel) { SL_KERNEL_GAUSSIAN, 0, 0 }, true), 0, 0, 1e-12);
  sl_arena_clear (&pair.arena);
}

/* Features that are not numbers show in every loss. */
static void
test_not_a_number (void)
{
  Pair  pair;
  SlRng rng;

  sl_rng_init (&rng, 2, "pairs");
  pair_random (&pair, 3, 8, 8, 9);
  sl_style_pairs_draw (&pair.pairs, &rng, 8, 8);
  pair.at[5] = NAN;
  for (int method = 0; method < SL_N_STYLES; method++)
    g_assert_true (isnan (loss_of (&pair, (SlStyleMethod) method, 1.0, false)));
  g_assert_true (isnan (sl_style_content (8, pair.at, pair.to, 1, NULL)));
  sl_arena_clear (&pair.arena);
}

/* The same bytes for one thread and for two. */
static void
test_threads (void)
{
  enum { CHANNELS = 32, POSITIONS = 4096 };
  g_autofree sl_real *df[2]
    = { g_new0 (sl_real, CHANNELS * POSITIONS), g_new0 (sl_real, CHANNELS * POSITIONS) };
  double loss[2];

  for (int t = 0; t < 2; t++)
    {
      Pair  pair;
      SlRng rng;

      sl_blas_set_threads (1 + (unsigned) t);
      pair_random (&pair, CHANNELS, POSITIONS, POSITIONS, 77);
      sl_rng_init (&rng, 77, "pairs");
      sl_style_pairs_draw (&pair.pairs, &rng, POSITIONS, POSITIONS);
      loss[t] = loss_of (&pair, SL_STYLE_GAUSSIAN, 0, false);
      sl_style_gaussian_backward (&pair.pairs, CHANNELS, 1, POSITIONS, pair.at, POSITIONS, pair.to,
                                  df[t]);
      loss[t] += loss_of (&pair, SL_STYLE_MOMENTS, 0, false);
      sl_style_backward (SL_STYLE_MOMENTS, 0, 1, &pair.f, &pair.s, pair.at, NULL, df[t]);
      sl_arena_clear (&pair.arena);
    }
  sl_blas_set_threads (1);
  g_assert_cmpfloat (loss[0], ==, loss[1]);
  g_assert_cmpmem (df[0], sizeof (sl_real) * CHANNELS * POSITIONS, df[1],
                   sizeof (sl_real) * CHANNELS * POSITIONS);
  g_free (df[1]);
}

/* Products with what the Gram matrix is worked out from and its gradient takes, each way; the others go over
 * the features a few times.  */
static void
test_macs (void)
{
  const double n = 16, m = 100;

  g_assert_cmpfloat (sl_style_macs (SL_STYLE_GRAM, 16, 100), ==, 2 * n * n * m);
  g_assert_cmpfloat (sl_style_macs (SL_STYLE_POLY, 16, 100), ==, 2 * n * n * m + 2 * n * m);
  g_assert_cmpfloat (sl_style_macs (SL_STYLE_LINEAR, 16, 100), ==, 2 * n * m);
  g_assert_cmpfloat (sl_style_macs (SL_STYLE_GAUSSIAN, 16, 100), ==, 4 * n * m);
  g_assert_cmpfloat (sl_style_macs (SL_STYLE_MOMENTS, 16, 100), ==, 3 * n * m);
}

int
main (int argc, char **argv)
{
  JsonNode *root;
  int       result;

  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (argc, ==, 2);
  root = sl_golden_load (argv[1]);
  golden = json_node_get_object (root);
  g_test_add_func ("/style/gram", test_gram);
  g_test_add_func ("/style/unequal", test_unequal);
  g_test_add_func ("/style/linear-and-poly", test_linear_and_poly);
  g_test_add_func ("/style/gaussian", test_gaussian);
  g_test_add_func ("/style/pairs", test_pairs);
  g_test_add_func ("/style/sigma2", test_sigma2);
  g_test_add_func ("/style/moments", test_moments);
  g_test_add_func ("/style/content", test_content);
  g_test_add_func ("/style/identity", test_identity);
  g_test_add_func ("/style/twin", test_twin);
  g_test_add_func ("/style/gradients", test_gradients);
  g_test_add_func ("/style/edges", test_edges);
  g_test_add_func ("/style/not-a-number", test_not_a_number);
  g_test_add_func ("/style/threads", test_threads);
  g_test_add_func ("/style/macs", test_macs);
  result = g_test_run ();
  json_node_unref (root);
  return result;
}
