/* SPDX-License-Identifier: MIT
 *
 * Capacity propagation through dilated, several-channel, two-dimensional and recurrent
 * networks, at edges, and the mean field of gradient correlations: every printed number.  */
#include "core/labs/capacity/math/shatter.h"
#include "tests/core/labs/capacity/capacity-help.h"

/* One layer with this dilation. */
static void
dilated_layer (const SlCapacityKernel *kernel, const SlCapacityLaw *law, double d, size_t n,
               double *profile)
{
  SlCapacityKernel wide;

  g_assert_true (sl_capacity_dilate (kernel, d, &wide));
  run (&wide, law, 1, n, SL_EDGE_PERIODIC, profile);
}

/* Variance of L layers with dilations R^((l + shift) / L), from the input; `whole` rounds them. */
static double
dilated_variance (double L, double R, double shift, bool whole)
{
  SlCapacityKernel kernel = even_kernel (1, 1.0), wide;
  SlCapacityLaw    law = law_of (SL_CAPACITY_MARKOV, 0.5, L);
  SlCapacityShares shares;
  double           variance = 0;

  for (double l = 0; l < L; l++)
    {
      double d = pow (R, (l + shift) / L);

      g_assert_true (sl_capacity_dilate (&kernel, whole ? round (d) : d, &wide));
      /* A tap moves by a whole number as it is, and is else shared by two. */
      if (whole)
        g_assert_cmpuint (wide.n, ==, kernel.n);
      g_assert_true (sl_capacity_shares (&wide, &law, &shares));
      variance += sl_capacity_moments (&wide, &shares).variance;
    }
  return variance;
}

/* Dilation of smooth exponential growth, from 1 at the input to R at the output: D (t) ÷ D, and
 * its integral ÷ D over 0 … t.  R > 0; R = 1 gives 1 and t.  */
static double
dilation_at (double t, double R)
{
  return pow (R, 2.0 * (1.0 - t));
}

static double
dilated_time (double t, double R)
{
  double rate = 2.0 * log (R);

  /* R² (1 - e^(-rate t)) ÷ rate, which is t for R = 1. */
  return rate == 0.0 ? t : -R * R * expm1 (-rate * t) / rate;
}

static void
test_dilation (void)
{
  JsonObject  *o = group ("dilation");
  const double t[] = { 0, 0.25, 0.5, 1 };
  double       deff = dilated_time (1, 16), twice = 2 * dilated_time (1, 64);

  for (guint i = 0; i < 4; i++)
    {
      sl_assert_near (dilation_at (t[i], 16), number (o, "D", i), 1e-14, 0);
      if (i > 0)
        sl_assert_near (dilated_time (t[i], 16), number (o, "Deff", i - 1), 0, SIX);
    }
  sl_assert_near (sl_capacity_gaussian (0, 0, 2 * deff), number (o, "kappa", 0), 0, SIX);
  sl_assert_near (sl_capacity_gaussian (10, 0, 2 * deff), number (o, "kappa", 1), 0, SIX);
  sl_assert_near (sqrt (4 * deff), sl_golden_number (o, "field"), 0, SIX);
  for (guint i = 0; i < length (o, "R"); i++)
    {
      double R = number (o, "R", i);

      sl_assert_near (sqrt (2 * dilated_time (1, R)) * sqrt (log (R)) / R, number (o, "ratio", i),
                      0, SIX);
    }
  /* R = 1 is a limit, and R < 1 allowed. */
  g_assert_cmpfloat (dilated_time (0.7, 1), ==, 0.7);
  sl_assert_near (dilated_time (0.7, 1 + 1e-9), 0.7, 1e-8, 0);
  sl_assert_near (dilated_time (1, 0.5), (0.25 - 1) / (2 * log (0.5)), 1e-14, 0);

  for (guint i = 0; i < length (o, "L"); i++)
    {
      double L = number (o, "L", i), midpoint = dilated_variance (L, 64, 0.5, false);

      sl_assert_near (dilated_variance (L, 64, 0, false), number (o, "endpoint", i), 0, 5.1e-5);
      sl_assert_near (midpoint, number (o, "midpoint", i), 0, 5.1e-5);
      sl_assert_near (fabs (midpoint / twice - 1), number (o, "midpoint-error", i), 3e-2, 0);
      sl_assert_near (fabs (dilated_variance (L, 64, 0.5, true) / twice - 1),
                      number (o, "rounded-error", i), 3e-2, 0);
    }
  sl_assert_near (twice, sl_golden_number (o, "twice-Deff"), 0, 5.1e-5);
}

/* The literal ladder of doublings, whose sum is not the smooth integral and whose shape is not
 * Gaussian.  */
static void
test_ladder (void)
{
  JsonArray *ladders = json_object_get_array_member (group ("dilation"), "ladder");

  for (guint i = 0; i < json_array_get_length (ladders); i++)
    {
      JsonObject       *o = json_array_get_object_element (ladders, i);
      double            L = sl_golden_number (o, "L"), R = pow (2, L), mean, variance;
      SlCapacityKernel  kernel = even_kernel (1, 1.0), wide;
      SlCapacityLaw     law = law_of (SL_CAPACITY_SQUARED, 0.5, L);
      SlCapacityShares  shares;
      SlCapacityMoments sum = { 0 };
      static double     profile[MOST];

      delta (profile, MOST, MOST / 2);
      for (double l = L - 1; l >= 0; l--)
        {
          SlCapacityMoments one;

          dilated_layer (&kernel, &law, pow (2, l), MOST, profile);
          g_assert_true (sl_capacity_dilate (&kernel, pow (2, l), &wide));
          g_assert_true (sl_capacity_shares (&wide, &law, &shares));
          one = sl_capacity_moments (&wide, &shares);
          sum.variance += one.variance;
          sum.fourth += one.fourth;
        }
      sl_capacity_spread (MOST, profile, MOST / 2, false, &mean, &variance);
      sl_assert_near (variance, sl_golden_number (o, "variance"), 0, SIX);
      sl_assert_near (sum.variance, sl_golden_number (o, "variance"), 0, SIX);
      sl_assert_near (sqrt (variance), sl_golden_number (o, "std"), 0, SIX);
      sl_assert_near (2 * dilated_time (1, R) / variance, sl_golden_number (o, "ratio"), 0, SIX);
      sl_assert_near (sl_capacity_trust (&sum), sl_golden_number (o, "kurtosis"), 0, 5.1e-5);
      sl_assert_near (profile[MOST / 2], sl_golden_number (o, "kappa"), 0, SIX);
      sl_assert_near (sl_capacity_gaussian (0, 0, variance), sl_golden_number (o, "peak"), 0, SIX);
    }
}

/* Smooth growth to R = 64: even in many layers its shape is Gaussian only for many moves. */
static void
test_dilated_shape (void)
{
  JsonObject *o = json_object_get_object_member (group ("dilation"), "shape");
  enum { WIDE = 2049, L = 2048 };
  static double profile[WIDE], normal[WIDE], waves[WIDE], work[4 * WIDE];

  for (guint i = 0; i < length (o, "Q"); i++)
    {
      SlCapacityKernel   kernel = even_kernel (1, number (o, "Q", i) / 2), wide;
      SlCapacityLaw      law = law_of (SL_CAPACITY_MARKOV, 0.5, L);
      SlCapacityMoments  sum = { 0 }, one;
      SlCapacityShares   shares;
      SlCapacitySpectrum spectrum;

      sl_capacity_spectrum_init (&spectrum, WIDE, work);
      delta (profile, WIDE, WIDE / 2);
      for (int l = L - 1; l >= 0; l--)
        {
          g_assert_true (sl_capacity_dilate (&kernel, pow (64, (l + 0.5) / L), &wide));
          g_assert_true (sl_capacity_shares (&wide, &law, &shares));
          one = sl_capacity_moments (&wide, &shares);
          sum.variance += one.variance;
          sum.fourth += one.fourth;
          run (&wide, &law, 1, WIDE, SL_EDGE_PERIODIC, profile);
          sl_capacity_spectrum_flow (&spectrum, &wide, 1.0 / L, 0.0);
        }
      sl_assert_near (sl_capacity_trust (&sum), number (o, "kurtosis", i), 0, 1.1e-3);
      gaussian (WIDE, WIDE / 2, sum.variance, normal);
      sl_assert_near (distance (WIDE, profile, normal), number (o, "tv", i), 0, 5.1e-4);
      /* The limit of infinitely many layers is hardly another curve. */
      sl_capacity_spectrum_profile (&spectrum, waves);
      for (int x = 0; x < WIDE; x++)
        normal[x] = waves[(x + WIDE - WIDE / 2) % WIDE];
      sl_assert_near (distance (WIDE, profile, normal), 0, 0, 2e-3);
    }
}

static void
test_bare_ladder (void)
{
  JsonObject *o = group ("dilation");
  double      profile[32], next[32], mean, variance, blocks = 0;

  /* No skip path: each tap, the one in place too, gets half. */
  delta (profile, 32, 0);
  for (int d = 8; d >= 1; d /= 2)
    {
      SlCapacityKernel  kernel = { 1, { { d, 1.0 } } };
      SlCapacityShares  half = { .stay = 0.5, .unit = 0.5 };
      SlCapacityBuckets buckets = { 0 };

      sl_capacity_step (&kernel, &half, 32, SL_EDGE_PERIODIC, profile, next, &buckets);
      memcpy (profile, next, sizeof next);
    }
  for (int x = 0; x < 32; x++)
    g_assert_cmpfloat (profile[x], ==, x < 16 ? sl_golden_number (o, "bare") : 0.0);
  sl_capacity_spread (32, profile, 0, false, &mean, &variance);
  sl_assert_near (variance, sl_golden_number (o, "bare-variance"), 0, 1e-12);

  for (int d = 1; d <= 32; d *= 2)
    blocks += d * d / 6.0;
  sl_assert_near (blocks, sl_golden_number (o, "blocks"), 0, 1e-12);
  sl_assert_near (dilated_time (1, 32), sl_golden_number (o, "smooth"), 0, SIX);
}

enum { C = 4, N = 33 };

/* Eight layers of four channels; all capacity in channel 0 at the centre. */
static void
run_channels (const double *mix, const double *rate, double *profile)
{
  SlCapacityKernel  kernel = even_kernel (1, 1.0);
  SlCapacityLaw     law = law_of (SL_CAPACITY_SQUARED, 0.5, 8);
  SlCapacityBuckets buckets = { 0 };
  double            next[C * N];

  kernel.tap[kernel.n++] = (SlCapacityTap) { 0, 1.0 };
  delta (profile, C * N, N / 2);
  for (int l = 0; l < 8; l++)
    {
      sl_capacity_step_channels (&kernel, &law, N, C, SL_EDGE_PERIODIC, mix, rate, profile, next,
                                 &buckets);
      memcpy (profile, next, sizeof next);
      sl_assert_near (sl_capacity_sum (C * N, profile), 1, 0, 1e-12);
    }
}

static void
collapse (const double *profile, double *summed)
{
  memset (summed, 0, N * sizeof *summed);
  for (int i = 0; i < C * N; i++)
    summed[i % N] += profile[i];
}

static void
test_channels (void)
{
  JsonObject      *o = group ("channels");
  const double     ones[] = { 1, 1, 1, 1 };
  double           mix[C * C], rate[C], profile[C * N], summed[N], single[N];
  SlCapacityKernel kernel = even_kernel (1, 1.0);
  SlCapacityLaw    law = law_of (SL_CAPACITY_SQUARED, 0.5, 8);

  for (guint i = 0; i < C * C; i++)
    mix[i] = number (o, "mix", i);
  run_channels (mix, ones, profile);
  for (guint c = 0; c < C; c++)
    sl_assert_near (sl_capacity_sum (N, profile + c * N), number (o, "totals", c), 0, SIX);
  collapse (profile, summed);
  expect (summed + N / 2, o, "summed", SIX);

  /* All channels together are one channel with a centre tap. */
  kernel.tap[kernel.n++] = (SlCapacityTap) { 0, 1.0 };
  delta (single, N, N / 2);
  run (&kernel, &law, 8, N, SL_EDGE_PERIODIC, single);
  for (int x = 0; x < N; x++)
    sl_assert_near (summed[x], single[x], 0, 1e-15);

  for (guint i = 0; i < C * C; i++)
    mix[i] = 1.0 / C;
  run_channels (mix, ones, profile);
  for (guint c = 0; c < C; c++)
    sl_assert_near (sl_capacity_sum (N, profile + c * N), number (o, "uniform", c > 0), 0, SIX);
  sl_assert_near (sl_capacity_sum (N, profile),
                  1.0 / C + (1 - 1.0 / C) * pow (10, sl_capacity_log10_skip (&kernel, &law, 8)), 0,
                  1e-14);

  /* … but not where the channels' rates differ. */
  for (guint c = 0; c < C; c++)
    rate[c] = number (o, "rates", c);
  run_channels (mix, rate, profile);
  collapse (profile, summed);
  expect (summed + N / 2, o, "uneven", SIX);
}

/* The 3 × 3 block, its centre ignored, or the cross of five. */
static unsigned
plane_taps (bool cross, double rate, SlCapacityPlaneTap *tap)
{
  unsigned n = 0;

  for (long dy = -1; dy <= 1; dy++)
    for (long dx = -1; dx <= 1; dx++)
      if ((dx != 0 || dy != 0) && !(cross && dx != 0 && dy != 0))
        tap[n++] = (SlCapacityPlaneTap) { dx, dy, rate };
  return n;
}

/* One layer on a periodic n × n lattice, rule SQUARED: here → next, (n, n). */
static void
plane_step (const SlCapacityPlaneTap *tap, unsigned n_taps, double s, size_t n, const double *here,
            double *next)
{
  double z = 1.0;

  for (unsigned i = 0; i < n_taps; i++)
    z += s * tap[i].rate;
  for (size_t x = 0; x < n * n; x++)
    next[x] = here[x] / z;
  for (unsigned i = 0; i < n_taps; i++)
    for (long y = 0; y < (long) n; y++)
      {
        long down = sl_capacity_place (y + tap[i].dy, (long) n, SL_EDGE_PERIODIC);

        for (long x = 0; x < (long) n; x++)
          next[down * (long) n + sl_capacity_place (x + tap[i].dx, (long) n, SL_EDGE_PERIODIC)]
            += s * tap[i].rate / z * here[y * (long) n + x];
      }
}

static void
expect_plane (const double *got, JsonObject *o, const char *name)
{
  for (guint i = 0; i < length (o, name); i++)
    sl_assert_near (got[(guint) number (o, "at", 2 * i) * N + (guint) number (o, "at", 2 * i + 1)],
                    number (o, name, i), 0, SIX);
}

static void
test_plane (void)
{
  JsonObject        *o = group ("plane");
  static double      profile[N * N], next[N * N], work[2 * N * N + N], limits[N * N];
  SlCapacityPlaneTap tap[8];
  unsigned           n = plane_taps (false, 1.0 / 3, tap);

  g_assert_cmpuint (sl_capacity_plane_work (N), <=, G_N_ELEMENTS (work));
  /* Layer by layer, and by its waves. */
  delta (profile, N * N, 0);
  for (int l = 0; l < 8; l++)
    {
      plane_step (tap, n, 0.125, N, profile, next);
      memcpy (profile, next, sizeof next);
    }
  expect_plane (profile, o, "squared");
  sl_capacity_plane (tap, n, 0.125, 8, N, next, work);
  for (int i = 0; i < N * N; i++)
    sl_assert_near (next[i], profile[i], 0, 1e-14);
  sl_capacity_plane (tap, n, 0, 0, N, limits, work);
  expect_plane (limits, o, "limit");
  for (guint i = 0; i < length (o, "gaussian"); i++)
    sl_assert_near (sl_capacity_gaussian (number (o, "at", 2 * i), 0, 2)
                      * sl_capacity_gaussian (number (o, "at", 2 * i + 1), 0, 2),
                    number (o, "gaussian", i), 0, SIX);

  for (guint i = 0; i < length (o, "squared-tv"); i++)
    {
      double L = 8 * pow (2, i), s = 1 / L, rates = 8.0 / 3;

      sl_capacity_plane (tap, n, s, L, N, next, work);
      sl_assert_near (distance (N * N, next, limits), number (o, "squared-tv", i), 6e-3, 0);
      /* Rule M has the shares s q: those of rule S with the scale s / (1 - s Q). */
      sl_capacity_plane (tap, n, s / (1 - s * rates), L, N, next, work);
      sl_assert_near (distance (N * N, next, limits), number (o, "markov-tv", i), 6e-3, 0);
    }

  n = plane_taps (true, 1.0, tap);
  g_assert_cmpuint (n, ==, 4);
  sl_capacity_plane (tap, n, 0.125, 8, N, next, work);
  expect_plane (next, o, "cross");
  sl_capacity_plane (tap, n, 0, 0, N, next, work);
  sl_assert_near (next[0], sl_golden_number (o, "cross-limit"), 0, SIX);
}

/* One layer of rule SQUARED over a periodic cube of CUBE^3 positions, each tap of the 3 × 3 × 3 at `rate`. */
enum { CUBE = 9 };

static void
cube_step (double rate, bool with_centre, double s, double (*here)[CUBE][CUBE],
           double (*next)[CUBE][CUBE])
{
  double z = 1.0 + s * rate * (with_centre ? 27 : 26);

  for (int at = 0; at < CUBE * CUBE * CUBE; at++)
    {
      int    x = at % CUBE, y = at / CUBE % CUBE, w = at / (CUBE * CUBE);
      double sum = here[w][y][x];

      for (int tap = 0; tap < 27; tap++)
        if (with_centre || tap != 13)
          sum += s * rate
                 * here[(w + tap / 9 + CUBE - 1) % CUBE][(y + tap / 3 % 3 + CUBE - 1) % CUBE]
                       [(x + tap % 3 + CUBE - 1) % CUBE];
      next[w][y][x] = sum / z;
    }
}

/* Along one axis, a cube does what sl_capacity_axis() says, and is as wide as a line in the limit. */
static void
test_axis (void)
{
  static double    here[CUBE][CUBE][CUBE], next[CUBE][CUBE][CUBE];
  SlCapacityKernel kernels[]
    = { { 2, { { -1, 0.9 }, { 1, 0.9 } } }, { 3, { { -1, 0.9 }, { 0, 0.9 }, { 1, 0.9 } } } };

  for (unsigned k = 0; k < G_N_ELEMENTS (kernels); k++)
    {
      const double     s = 0.25;
      SlCapacityLaw    law = { .rule = SL_CAPACITY_SQUARED, .scale = s };
      SlCapacityKernel axis;
      double           line[CUBE], sum[CUBE] = { 0 };

      g_assert_true (sl_capacity_axis (&kernels[k], 3, &axis));
      g_assert_cmpfloat (sl_capacity_diffusion (&axis), ==, sl_capacity_diffusion (&kernels[k]));
      memset (here, 0, sizeof here);
      here[0][0][4] = 1.0;
      for (int l = 0; l < 4; l++)
        {
          cube_step (0.9 / 9, k == 1, s, here, next);
          memcpy (here, next, sizeof here);
        }
      for (int at = 0; at < CUBE * CUBE * CUBE; at++)
        sum[at % CUBE] += (&here[0][0][0])[at];
      delta (line, CUBE, 4);
      run (&axis, &law, 4, CUBE, SL_EDGE_PERIODIC, line);
      for (int x = 0; x < CUBE; x++)
        sl_assert_near (line[x], sum[x], 0, 1e-14);
      /* In one dimension it is the kernel itself. */
      g_assert_true (sl_capacity_axis (&kernels[k], 1, &axis));
      g_assert_cmpuint (axis.n, ==, kernels[k].n);
    }
}

/* No tap is added where there is no room, nor to a kernel of none. */
static void
test_axis_full (void)
{
  SlCapacityKernel kernel = { .n = SL_CAPACITY_TAPS }, axis;

  for (unsigned i = 0; i < SL_CAPACITY_TAPS; i++)
    kernel.tap[i] = (SlCapacityTap) { (long) i + 1, 0.1 };
  g_assert_false (sl_capacity_axis (&kernel, 2, &axis));
  kernel.n = 0;
  g_assert_true (sl_capacity_axis (&kernel, 2, &axis));
  g_assert_cmpuint (axis.n, ==, 0);
}

/* How far the lattice is from the Gaussian in two dimensions falls as 1/D. */
static void
test_plane_gauss (void)
{
  JsonObject *o = group ("plane");
  enum { WIDE = 129 };
  g_autofree double *profile = g_new (double, WIDE *WIDE);
  g_autofree double *work = g_new (double, sl_capacity_plane_work (WIDE));
  SlCapacityPlaneTap tap[8];

  for (guint i = 0; i < length (o, "gauss-D"); i++)
    {
      double   D = number (o, "gauss-D", i), sum = 0, square = 0;
      unsigned n = plane_taps (false, D / 3, tap);

      sl_capacity_plane (tap, n, 0, 0, WIDE, profile, work);
      for (int y = 0; y < WIDE; y++)
        for (int x = 0; x < WIDE; x++)
          {
            double u = y <= WIDE / 2 ? y : y - WIDE, v = x <= WIDE / 2 ? x : x - WIDE;

            sum
              += 0.5
                 * fabs (profile[y * WIDE + x]
                         - sl_capacity_gaussian (u, 0, 2 * D) * sl_capacity_gaussian (v, 0, 2 * D));
            square += u * u * profile[y * WIDE + x];
          }
      sl_assert_near (sum, number (o, "gauss-tv", i), 5e-2, 0);
      if (D < 32)
        sl_assert_near (square / 2, D, 1e-6, 0); /* D of each axis is the one-dimensional one */
    }
}

static void
test_memory (void)
{
  JsonObject      *o = group ("memory");
  double           sum = 0, profile[129], next[129];
  SlCapacityKernel kernel = even_kernel (1, 1.0);
  SlCapacityLaw    law = { .rule = SL_CAPACITY_MARKOV, .scale = 1.0 / 64, .leak = 1 };
  SlCapacityShares shares;

  for (guint i = 0; i < length (o, "lags"); i++)
    for (int leak = 1; leak <= 4; leak += 3)
      sl_assert_near (memory_share (SL_CAPACITY_MARKOV, number (o, "lags", i), 64, 2, leak),
                      number (o, leak == 1 ? "leak-1" : "leak-4", i), 0, SIX);
  for (int lag = 0; lag < 64; lag++)
    sum += memory_share (SL_CAPACITY_MARKOV, lag, 64, 2, 1);
  sl_assert_near (sum, sl_golden_number (o, "sum-1"), 0, SIX);
  g_assert_true (sl_capacity_shares (&kernel, &law, &shares));
  sl_assert_near (share_left (&shares, 64), sl_golden_number (o, "state-1"), 0, SIX);
  sl_assert_near (log (0.5) / log (1 - 1.0 / 64), sl_golden_number (o, "half-life"), 0, 5.1e-5);
  sl_assert_near (64 * log (2), sl_golden_number (o, "half-life-limit"), 0, 5.1e-5);

  /* Space and time: what leaks at each place after half of the memory. */
  delta (profile, 129, 64);
  for (int m = 0; m < 32; m++)
    {
      SlCapacityBuckets buckets = { 0 };

      sl_capacity_step (&kernel, &shares, 129, SL_EDGE_PERIODIC, profile, next, &buckets);
      memcpy (profile, next, sizeof next);
      sl_assert_near (buckets.side, memory_share (SL_CAPACITY_MARKOV, m, 64, 2, 1), 0, 1e-14);
    }
  for (guint i = 0; i < 2; i++)
    {
      double limits[129], work[6 * 2 * 130];

      sl_assert_near (64 * shares.side * profile[64 + 2 * i], number (o, "space", i), 0, SIX);
      g_assert_true (
        sl_capacity_limit (&kernel, 0.5, 1.0, 129, 64, SL_EDGE_PERIODIC, 1e4, limits, work));
      sl_assert_near (limits[64 + 2 * i], number (o, "space-limit", i), 0, SIX);
    }
  law.leak = 4;
  g_assert_true (sl_capacity_shares (&kernel, &law, &shares));
  sl_assert_near (share_left (&shares, 64), sl_golden_number (o, "state-4"), 0, SIX);

  for (guint i = 0; i < length (o, "T"); i++)
    {
      double T = number (o, "T", i), worst = 0;

      for (double lag = 0; lag < T; lag++)
        worst = fmax (worst,
                      fabs (T * memory_share (SL_CAPACITY_MARKOV, lag, T, 2, 1) - exp (-lag / T)));
      sl_assert_near (worst, number (o, "distance", i), 4e-2, 0);
    }
  /* The side input's scale 1/T instead of 1/√T: the network never listens. */
  law = (SlCapacityLaw) { .scale = 1.0 / 64, .leak = 1.0 / 64 };
  kernel.n = 0;
  g_assert_true (sl_capacity_shares (&kernel, &law, &shares));
  sl_assert_near (share_left (&shares, 64), sl_golden_number (o, "state-over"), 0, SIX);
  /* With the scale 1 and rule S, half goes to the newest input. */
  sl_assert_near (memory_share (SL_CAPACITY_SQUARED, 0, 64, 0, 64), 0.5, 0, 1e-15);
}

/* What the live networks are compared with: K = 5, β₀ = 2, L = 64. */
static void
test_demo (void)
{
  JsonObject      *o = group ("demo");
  SlCapacityKernel kernel = even_kernel (2, 0.8);
  double           profile[129], mean, variance;

  kernel.tap[kernel.n++] = (SlCapacityTap) { 0, 0.8 };
  for (guint i = 0; i < length (o, "a"); i++)
    {
      SlCapacityLaw law = law_of (SL_CAPACITY_SQUARED, number (o, "a", i), 64);

      delta (profile, 129, 64);
      run (&kernel, &law, 64, 129, SL_EDGE_PERIODIC, profile);
      sl_capacity_spread (129, profile, 64, true, &mean, &variance);
      sl_assert_near (sqrt (variance), number (o, "std", i), 0, 5.1e-5);
      sl_assert_near (profile[64], number (o, "at-centre", i), 0, 5.1e-6);
      sl_assert_near (-sl_capacity_log10_skip (&kernel, &law, 64), number (o, "log10-gain", i), 0,
                      5.1e-5);
      if (i != 2)
        continue;
      expect (profile + 64, o, "kappa", SIX);
      sl_assert_near (pow (10, -sl_capacity_log10_skip (&kernel, &law, 64)),
                      sl_golden_number (o, "gain"), 0, SIX);
      sl_assert_near (pow (10, sl_capacity_log10_skip (&kernel, &law, 64)),
                      sl_golden_number (o, "skip"), 0, SIX);
    }
}

static void
test_padding (void)
{
  JsonObject      *o = group ("padding");
  SlCapacityKernel kernel = even_kernel (1, 4.0 / 3);
  SlCapacityLaw    law = law_of (SL_CAPACITY_SQUARED, 0.5, 32);
  double           profile[N], gain;

  kernel.tap[kernel.n++] = (SlCapacityTap) { 0, 4.0 / 3 };
  gain = pow (10, -sl_capacity_log10_skip (&kernel, &law, 32));
  delta (profile, N, 2);
  run (&kernel, &law, 32, N, SL_EDGE_ABSORBING, profile);
  for (int x = 0; x < N; x++)
    profile[x] *= gain;
  expect (profile, o, "kappa", SIX);
  sl_assert_near (sl_capacity_sum (N, profile), sl_golden_number (o, "total"), 0, 5.1e-5);
  sl_assert_near (gain, sl_golden_number (o, "unbounded"), 0, 5.1e-5);
}

static void
test_edges (void)
{
  JsonArray *edges = json_object_get_array_member (golden, "edges");

  for (guint i = 0; i < json_array_get_length (edges); i++)
    {
      JsonObject *o = json_array_get_object_element (edges, i);
      size_t      n = (size_t) sl_golden_number (o, "n"), x0 = (size_t) sl_golden_number (o, "x0");
      double      L = sl_golden_number (o, "L"), radius = sl_golden_number (o, "radius");
      SlCapacityEdge   edge = (SlCapacityEdge) sl_golden_number (o, "edge");
      SlCapacityKernel kernel = even_kernel ((long) radius, 1 / radius);
      SlCapacityLaw    law = law_of (SL_CAPACITY_SQUARED, 0.5, L);
      double           profile[8], limits[8], moves[8], work[6 * 2 * 9];

      delta (profile, n, x0);
      run (&kernel, &law, (size_t) L, n, edge, profile);
      expect (profile, o, "kappa", SIX);
      sl_assert_near (sl_capacity_sum (n, profile), sl_golden_number (o, "sum"), 0, SIX);

      /* In the limit: by images or waves where there are such, and always by counting moves. */
      g_assert_true (sl_capacity_limit (&kernel, 1, 0, n, (long) x0, edge, 1e4, limits, work));
      if (json_object_has_member (o, "limit"))
        {
          expect (limits, o, "limit", SIX);
          sl_assert_near (sl_capacity_sum (n, limits), sl_golden_number (o, "limit-sum"), 0, SIX);
        }
      law.scale = 1e-4;
      delta (moves, n, x0);
      run (&kernel, &law, 10000, n, edge, moves);
      sl_assert_near (distance (n, moves, limits), 0, 0, 2e-4);
    }
}

/* The sum over moves against the sum over waves, with a leak: the same but for rounding.  An
 * unsymmetric kernel far from the edge takes the first way, on a ring the second.  */
static void
test_limit_ways (void)
{
  SlCapacityKernel kernel = { 3, { { -1, 0.5 }, { 1, 1.5 }, { 2, 0.25 } } };
  SlCapacityKernel still = { 4, { { 0, 0.0 }, { -1, 0.5 }, { 1, 1.5 }, { 2, 0.25 } } };
  static double    wave[201], moves[201], work[6 * 2 * 202];

  g_assert_true (sl_capacity_limit (&kernel, 2, 0.3, 201, 100, SL_EDGE_PERIODIC, 1e4, wave, work));
  g_assert_true (
    sl_capacity_limit (&kernel, 2, 0.3, 201, 100, SL_EDGE_ABSORBING, 1e4, moves, work));
  sl_assert_near (distance (201, wave, moves), 0, 0, 1e-13);
  sl_assert_near (sl_capacity_sum (201, wave), exp (-0.6), 0, 1e-13);
  /* Mirrors are for symmetric kernels, whichever tap says that this is none. */
  g_assert_true (sl_capacity_limit (&kernel, 2, 0.3, 201, 2, SL_EDGE_REFLECTING, 1e4, moves, work));
  g_assert_true (sl_capacity_limit (&still, 2, 0.3, 201, 2, SL_EDGE_REFLECTING, 1e4, wave, work));
  sl_assert_near (distance (201, wave, moves), 0, 0, 1e-13);
  /* Too many moves are refused, not waited for. */
  g_assert_false (
    sl_capacity_limit (&kernel, 1e5, 0, 201, 100, SL_EDGE_ABSORBING, 1e4, moves, work));
}

/* Shares of T steps with side inputs, B = 2/T: what remains, and T × the bucket at three lags. */
static void
test_shares_of_leak (void)
{
  JsonArray *cases = json_object_get_array_member (golden, "shares-of-leak");

  for (guint i = 0; i < json_array_get_length (cases); i++)
    {
      JsonObject      *o = json_array_get_object_element (cases, i);
      double           T = sl_golden_number (o, "T"), lags[] = { 0, T / 2, T - 1 };
      SlCapacityKernel kernel = even_kernel (1, 2.0 / 3);
      SlCapacityLaw    law = { .scale = 1 / T, .leak = 1 };
      SlCapacityShares shares;

      kernel.tap[kernel.n++] = (SlCapacityTap) { 0, 2.0 / 3 };
      g_assert_true (sl_capacity_shares (&kernel, &law, &shares));
      sl_assert_near (share_left (&shares, T), sl_golden_number (o, "state"), 0, 5.1e-5);
      sl_assert_near (1 - share_left (&shares, T), sl_golden_number (o, "inputs"), 0, 5.1e-5);
      for (guint k = 0; k < 3; k++)
        sl_assert_near (T * memory_share (SL_CAPACITY_SQUARED, lags[k], T, 2, 1),
                        number (o, "lags", k), 0, SIX);
    }
}

static void
expect_correlations (const char *name, const double *delta_of, double atol)
{
  for (guint i = 0; i < count (name); i++)
    {
      JsonObject *o = element (name, i);
      bool        finite = json_object_has_member (o, "L");
      double      L = finite ? sl_golden_number (o, "L") : 65536;
      double      a = finite ? sl_golden_number (o, "a") : 0.5;

      for (guint k = 0; k < length (o, "R"); k++)
        sl_assert_near (sl_shatter_correlation ((SlShatter) sl_golden_number (o, "activation"),
                                                sl_golden_number (o, "omega"), pow (L, -2 * a),
                                                (size_t) L, delta_of[k]),
                        number (o, "R", k), 0, finite ? atol : 2e-5);
    }
}

static void
test_correlation (void)
{
  const double angles[] = { G_PI / 32, G_PI / 8, G_PI / 4, G_PI / 2, G_PI };
  const double lags[] = { G_PI / 32, G_PI / 8, G_PI / 2, G_PI };
  JsonObject  *o = group ("feed-forward");

  expect_correlations ("correlation", angles, SIX);
  expect_correlations ("correlation-limits", angles, SIX);
  expect_correlations ("correlation-lags", lags, 5.1e-5);
  for (guint i = 0; i < length (o, "L"); i++)
    sl_assert_near (sl_shatter_feed_forward ((size_t) number (o, "L", i), G_PI / 32),
                    number (o, "R", i), 0, 5.1e-4);

  /* A linear network never shatters; tanh is odd, so opposite inputs share their gradient. */
  for (guint k = 0; k < 5; k++)
    {
      double r = sl_shatter_correlation (SL_SHATTER_TANH, 1, 1, 16, angles[k]);

      g_assert_cmpfloat (sl_shatter_correlation (SL_SHATTER_LINEAR, 1, 1, 64, angles[k]), ==, 1.0);
      g_assert_true (r > 0 && r <= 1 + 1e-9);
    }
  sl_assert_near (sl_shatter_correlation (SL_SHATTER_TANH, 1, 1, 16, G_PI), 1, 0, 1e-9);

  /* Far apart, the sine's correlation is the skip path's share of capacity. */
  SlCapacityKernel kernel = even_kernel (1, 0.5);
  SlCapacityLaw    law = law_of (SL_CAPACITY_SQUARED, 0.5, 64);

  sl_assert_near (log10 (sl_shatter_correlation (SL_SHATTER_SINE, 32, 1.0 / 64, 64, G_PI)),
                  sl_capacity_log10_skip (&kernel, &law, 64), 0, 1e-12);
}

/* Small cases in closed form: nearly linear tanh, all-equal and white matrices of cosines. */
static void
test_shatter_means (void)
{
  double same[64], white[64];

  for (int i = 0; i < 64; i++)
    {
      same[i] = 1;
      white[i] = i % 9 == 0;
    }
  sl_assert_near (sl_shatter_whiteness (8, same), 0.125, 0, 1e-15);
  sl_assert_near (sl_shatter_whiteness (8, white), 1, 0, 1e-15);
  for (int a = 0; a < 3; a++)
    g_assert_cmpfloat (sl_shatter_slope ((SlShatter) a, 3), ==, 1.0);
  /* E tanh² = v - 2v² + …, E (1 - tanh²)² = 1 - 2v + … */
  sl_assert_near (sl_shatter_slope (SL_SHATTER_TANH, 1e-4), 1 - 2e-4, 0, 1e-7);
  sl_assert_near (sl_shatter_energy (SL_SHATTER_TANH, 1, 1e-4), 1e-4 - 2e-8, 0, 1e-11);
  sl_assert_near (sl_shatter_energy (SL_SHATTER_SINE, 8, 5), 1.0 / 64, 0, 1e-15);
  sl_assert_near (sl_shatter_energy (SL_SHATTER_RECTIFIER, 8, 5), 5, 0, 0);
}

int
main (int argc, char **argv)
{
  JsonNode *root;
  int       code;

  g_test_init (&argc, &argv, NULL);
  root = sl_golden_load (argv[1]);
  golden = json_node_get_object (root);
  g_test_add_func ("/capacity-nets/dilation", test_dilation);
  g_test_add_func ("/capacity-nets/ladder", test_ladder);
  g_test_add_func ("/capacity-nets/dilated-shape", test_dilated_shape);
  g_test_add_func ("/capacity-nets/bare-ladder", test_bare_ladder);
  g_test_add_func ("/capacity-nets/channels", test_channels);
  g_test_add_func ("/capacity-nets/plane", test_plane);
  g_test_add_func ("/capacity-nets/plane-gauss", test_plane_gauss);
  g_test_add_func ("/capacity-nets/axis", test_axis);
  g_test_add_func ("/capacity-nets/axis-full", test_axis_full);
  g_test_add_func ("/capacity-nets/memory", test_memory);
  g_test_add_func ("/capacity-nets/demo", test_demo);
  g_test_add_func ("/capacity-nets/padding", test_padding);
  g_test_add_func ("/capacity-nets/edges", test_edges);
  g_test_add_func ("/capacity-nets/limit-ways", test_limit_ways);
  g_test_add_func ("/capacity-nets/shares-of-leak", test_shares_of_leak);
  g_test_add_func ("/capacity-nets/correlation", test_correlation);
  g_test_add_func ("/capacity-nets/shatter-means", test_shatter_means);
  code = g_test_run ();
  json_node_unref (root);
  return code;
}
