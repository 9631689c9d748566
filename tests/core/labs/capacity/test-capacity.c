/* SPDX-License-Identifier: MIT
 *
 * Capacity of linear models, and its propagation through plain residual layers, skip connections,
 * side inputs and biases: every printed number of two independent computations, and
 * conservation, which the code asserts nowhere and so has to have.  */
#include "core/labs/capacity/math/linear.h"
#include "tests/core/labs/capacity/capacity-help.h"

static void
test_direction (void)
{
  SlCapacityKernel kernel = { 1, { { 1, 2.0 } } };
  SlCapacityLaw    law = law_of (SL_CAPACITY_MARKOV, 0.5, 16);
  double           profile[33], mean, variance;

  delta (profile, 33, 16);
  run (&kernel, &law, 16, 33, SL_EDGE_PERIODIC, profile);
  expect (profile + 16, golden, "direction", SIX);
  for (int x = 0; x < 16; x++)
    g_assert_cmpfloat (profile[x], ==, 0.0);
  sl_capacity_spread (33, profile, 16, false, &mean, &variance);
  sl_assert_near (mean, 2.0, 0, 1e-12);
  sl_assert_near (variance, 1.75, 0, 1e-12);

  /* Cumulants of a layer foretell those of the run. */
  SlCapacityShares  shares;
  SlCapacityMoments moments;

  g_assert_true (sl_capacity_shares (&kernel, &law, &shares));
  moments = sl_capacity_moments (&kernel, &shares);
  sl_assert_near (16 * moments.mean, 2.0, 0, 1e-12);
  sl_assert_near (16 * moments.variance, 1.75, 0, 1e-12);
}

/* Of nothing there is no width; what is half way round is as far forward or back as it was counted. */
static void
test_spread_at_its_ends (void)
{
  double profile[4] = { 0 }, mean, variance;

  sl_capacity_spread (4, profile, 1, true, &mean, &variance);
  g_assert_true (mean == 0.0 && variance == 0.0);
  profile[2] = 0.5;
  sl_capacity_spread (4, profile, 0, true, &mean, &variance);
  g_assert_true (mean == 2.0 && variance == 0.0);
  sl_capacity_spread (4, profile, 3, true, &mean, &variance);
  g_assert_true (mean == -1.0 && variance == 0.0);
  profile[1] = 0.5;
  sl_capacity_spread (4, profile, 3, true, &mean, &variance);
  g_assert_true (mean == -1.5 && variance == 0.25);
}

static void
test_linear (void)
{
  double c[9], k[9], J[9];

  for (guint i = 0; i < count ("linear"); i++)
    {
      JsonObject *o = element ("linear", i);
      size_t      p = (size_t) sl_golden_number (o, "p"), rank;

      sl_linear_covariance (3, sl_golden_number (o, "correlation"), c);
      for (guint j = 0; j < 3 * p; j++)
        J[j] = number (o, "J", j);
      rank = sl_linear_capacity (3, p, c, J, (SlLinearMetric) sl_golden_number (o, "metric"), k);
      g_assert_cmpuint (rank, ==, (size_t) sl_golden_number (o, "rank"));
      expect ((double[]) { k[0], k[4], k[8] }, o, "kappa", SIX);
      /* A projector of this rank. */
      sl_assert_near (k[0] + k[4] + k[8], (double) rank, 0, 1e-12);
      for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
          {
            sl_assert_near (k[3 * a + b], k[3 * b + a], 0, 1e-13);
            sl_assert_near (k[3 * a] * k[b] + k[3 * a + 1] * k[3 + b] + k[3 * a + 2] * k[6 + b],
                            k[3 * a + b], 0, 1e-12);
          }
    }
}

/* κ of the direction s (n), which need not have length 1. */
static double
share_of (size_t n, const double *k, const double *s)
{
  double sum = 0.0, square = 0.0;

  for (size_t i = 0; i < n; i++)
    {
      square += s[i] * s[i];
      for (size_t j = 0; j < n; j++)
        sum += s[i] * k[i * n + j] * s[j];
    }
  return sum / square;
}

static void
test_linear_directions (void)
{
  const double J[] = { 1, 0, 0, 1, 1, 0 }, set[] = { 1, 1, 1, 1, -1, 0, 1, 1, -2 };
  double       c[9], k[9], sum = 0.0;
  JsonArray   *ridge = json_object_get_array_member (golden, "ridge");

  sl_linear_covariance (3, 0.5, c);
  sl_linear_capacity (3, 2, c, J, SL_METRIC_WEIGHTS, k);
  for (int i = 0; i < 3; i++)
    sum += share_of (3, k, set + 3 * i);
  sl_assert_near (share_of (3, k, set), number (golden, "tied-directions", 0), 0, SIX);
  sl_assert_near (share_of (3, k, set + 3), number (golden, "tied-directions", 1), 0, SIX);
  sl_assert_near (sum, number (golden, "tied-directions", 2), 0, 1e-12);

  for (guint i = 0; i < json_array_get_length (ridge); i++)
    {
      JsonObject *o = json_array_get_object_element (ridge, i);

      sl_linear_capacity_ridge (3, 2, c, J, sl_golden_number (o, "rho"), k);
      expect ((double[]) { k[0], k[4], k[8] }, o, "kappa", SIX);
      sl_assert_near (k[0] + k[4] + k[8], sl_golden_number (o, "total"), 0, SIX);
    }
}

/* Free weights: ones; none: zeros; sixteen inputs. */
static void
test_linear_extremes (void)
{
  double c[256], k[256], J[256], none[16] = { 0 };

  sl_linear_covariance (16, 0.9, c);
  for (int i = 0; i < 256; i++)
    J[i] = i % 17 == 0;
  for (int metric = 0; metric < 2; metric++)
    {
      g_assert_cmpuint (sl_linear_capacity (16, 16, c, J, (SlLinearMetric) metric, k), ==, 16);
      for (int i = 0; i < 16; i++)
        sl_assert_near (k[17 * i], 1.0, 0, 1e-12);
      g_assert_cmpuint (sl_linear_capacity (16, 1, c, none, (SlLinearMetric) metric, k), ==, 0);
      g_assert_cmpuint (sl_linear_capacity (16, 0, c, J, (SlLinearMetric) metric, k), ==, 0);
      for (int i = 0; i < 256; i++)
        g_assert_cmpfloat (k[i], ==, 0.0);
    }
}

static void
test_residual (void)
{
  JsonObject      *o = group ("residual");
  SlCapacityKernel kernel = even_kernel (1, 1.0);
  double           profile[33], mean, variance;
  const char      *names[] = { "squared", "markov" };
  const char      *variances[] = { "squared-variance", "markov-variance" };

  for (int rule = 0; rule < 2; rule++)
    {
      SlCapacityLaw law = law_of ((SlCapacityRule) rule, 0.5, 8);

      delta (profile, 33, 16);
      run (&kernel, &law, 8, 33, SL_EDGE_PERIODIC, profile);
      expect (profile + 16, o, names[rule], SIX);
      sl_capacity_spread (33, profile, 16, true, &mean, &variance);
      sl_assert_near (variance, sl_golden_number (o, variances[rule]), 0, 1e-12);
    }
  limit (&kernel, 0, 33, 16, profile);
  expect (profile + 16, o, "limit", SIX);
  gaussian (33, 16, 2.0, profile);
  expect (profile + 16, o, "gaussian", SIX);

  /* Weights whose shares are rule M's exactly. */
  SlCapacityKernel exact = even_kernel (1, 8.0 / 6.0);
  SlCapacityLaw    law = law_of (SL_CAPACITY_SQUARED, 0.5, 8);
  SlCapacityShares shares;

  g_assert_true (sl_capacity_shares (&exact, &law, &shares));
  sl_assert_near (shares.unit * exact.tap[0].rate, 0.125, 0, 1e-14);

  /* What rule M cannot do is refused. */
  exact = even_kernel (1, 4.1);
  law = law_of (SL_CAPACITY_MARKOV, 0.5, 8);
  g_assert_false (sl_capacity_shares (&exact, &law, &shares));
  sl_assert_near (sl_capacity_moved (&exact, &law), 8.2 / 8, 0, 1e-14);
}

static void
test_wide (void)
{
  JsonObject      *o = group ("wide");
  SlCapacityKernel kernel = even_kernel (8, 0.5);
  SlCapacityLaw    law = law_of (SL_CAPACITY_MARKOV, 0.5, 16);
  double           profile[129];

  sl_assert_near (sl_capacity_moving (&kernel), 8, 0, 1e-14);
  sl_assert_near (sl_capacity_diffusion (&kernel), 102, 0, 1e-12);
  delta (profile, 129, 64);
  run (&kernel, &law, 16, 129, SL_EDGE_PERIODIC, profile);
  for (guint i = 0; i < length (o, "x"); i++)
    {
      double x = number (o, "x", i);

      sl_assert_near (profile[64 + (int) x], number (o, "markov", i), 0, SIX);
      sl_assert_near (sl_capacity_gaussian (x, 0, 204), number (o, "gaussian", i), 0, SIX);
    }
}

static void
test_convergence (void)
{
  JsonObject      *o = group ("convergence"), *floors = group ("floor-of-gaussian");
  SlCapacityKernel kernel = even_kernel (1, 1.0);
  double           profile[257], limits[257], normal[257];
  const char      *to_limit[] = { "squared-limit", "markov-limit" };
  const char      *to_gauss[] = { "squared-gauss", "markov-gauss" };

  limit (&kernel, 0, 129, 64, limits);
  gaussian (129, 64, 2.0, normal);
  for (guint i = 0; i < length (o, "L"); i++)
    for (int rule = 0; rule < 2; rule++)
      {
        double        L = number (o, "L", i);
        SlCapacityLaw law = law_of ((SlCapacityRule) rule, 0.5, L);

        delta (profile, 129, 64);
        run (&kernel, &law, (size_t) L, 129, SL_EDGE_PERIODIC, profile);
        sl_assert_near (distance (129, profile, limits), number (o, to_limit[rule], i), 6e-4, 0);
        sl_assert_near (distance (129, profile, normal), number (o, to_gauss[rule], i), 6e-4, 0);
      }
  for (guint i = 0; i < length (floors, "Q"); i++)
    {
      double Q = number (floors, "Q", i);

      kernel = even_kernel (1, Q / 2);
      limit (&kernel, 0, 257, 128, limits);
      gaussian (257, 128, Q, normal);
      sl_assert_near (distance (257, limits, normal), number (floors, "tv", i), 3e-3, 0);
    }
}

/* For nearest neighbours the Gaussian fits best at L = 3 Q, and worse again beyond. */
static void
test_fourth_cumulant (void)
{
  JsonObject      *o = group ("fourth-cumulant"), *sums = group ("sampled-gaussian");
  SlCapacityKernel kernel = even_kernel (1, 16.0);
  double           profile[257], normal[257];

  gaussian (257, 128, 32.0, normal);
  for (guint i = 0; i < length (o, "L"); i++)
    {
      double            L = number (o, "L", i);
      SlCapacityLaw     law = law_of (SL_CAPACITY_MARKOV, 0.5, L);
      SlCapacityShares  shares;
      SlCapacityMoments sum;

      delta (profile, 257, 128);
      run (&kernel, &law, (size_t) L, 257, SL_EDGE_PERIODIC, profile);
      sl_assert_near (distance (257, profile, normal), number (o, "tv", i), 1e-2, 0);
      g_assert_true (sl_capacity_shares (&kernel, &law, &shares));
      sum = sl_capacity_moments (&kernel, &shares);
      sum.variance *= L;
      sum.fourth *= L;
      if (L != 96)
        sl_assert_near (0.0583 * fabs (sl_capacity_trust (&sum)), number (o, "tv", i), 0.06, 0);
      else
        sl_assert_near (sl_capacity_trust (&sum), 0, 0, 1e-12);
    }
  for (guint i = 0; i < length (sums, "Dt"); i++)
    {
      gaussian (257, 128, 2 * number (sums, "Dt", i), normal);
      sl_assert_near (sl_capacity_sum (257, normal), number (sums, "sum", i), 0, 5.1e-5);
    }
}

/* The PDE: many small steps on a refined grid. */
static void
test_joint_limit (void)
{
  JsonObject *o = group ("joint");
  enum { L = 16384 };

  for (guint i = 0; i <= length (o, "n"); i++)
    {
      bool             squared = i == length (o, "n");
      size_t           n = squared ? 512 : (size_t) number (o, "n", i);
      double           h = 1.0 / (double) n, profile[512], exact[512];
      SlCapacityKernel kernel = even_kernel (1, 0.002 / (h * h));
      SlCapacityLaw    law = law_of (squared ? SL_CAPACITY_SQUARED : SL_CAPACITY_MARKOV, 0.5, L);

      for (size_t x = 0; x < n; x++)
        {
          profile[x] = exact[x] = 0.0;
          for (int image = -2; image <= 2; image++)
            {
              double at = (double) x * h - 0.5 + image;

              profile[x] += h * sl_capacity_gaussian (at, 0, 0.05 * 0.05);
              exact[x] += h * sl_capacity_gaussian (at, 0, 0.05 * 0.05 + 2 * 0.002);
            }
        }
      run (&kernel, &law, L, n, SL_EDGE_PERIODIC, profile);
      sl_assert_near (distance (n, profile, exact),
                      squared ? sl_golden_number (o, "squared-512") : number (o, "tv", i), 6e-3, 0);
    }
}

static double
std_at (double a, double L)
{
  SlCapacityKernel kernel = even_kernel (1, 1.0);
  SlCapacityLaw    law = law_of (SL_CAPACITY_SQUARED, a, L);
  SlCapacityShares shares;

  g_assert_true (sl_capacity_shares (&kernel, &law, &shares));
  return sqrt (L * sl_capacity_moments (&kernel, &shares).variance);
}

/* Slope of the least-squares line of log std over log L = 8 … 512. */
static double
slope_of (double a)
{
  double sx = 0, sy = 0, sxx = 0, sxy = 0, n = 0;

  for (double L = 8; L <= 512; L *= 2, n++)
    {
      double x = log (L), y = log (std_at (a, L));

      sx += x;
      sy += y;
      sxx += x * x;
      sxy += x * y;
    }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

static void
test_sqrt_law (void)
{
  JsonObject      *o = group ("sqrt-law");
  SlCapacityKernel kernel = even_kernel (1, 1.0);
  SlCapacityLaw    law = law_of (SL_CAPACITY_SQUARED, 0.5, 256);
  double           mean, variance, profile[129];

  for (guint i = 0; i < length (o, "m"); i++)
    {
      delta (profile, 129, 64);
      run (&kernel, &law, (size_t) number (o, "m", i), 129, SL_EDGE_PERIODIC, profile);
      sl_capacity_spread (129, profile, 64, true, &mean, &variance);
      sl_assert_near (sqrt (variance), number (o, "std", i), 0, SIX);
    }
  for (int i = 0; i < 3; i++)
    sl_assert_near (slope_of (0.5 * i), number (o, "slopes", (guint) i), 0, 5.1e-5);
}

static int
falling (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x < y) - (x > y);
}

static void
test_slider (void)
{
  SlCapacityKernel kernel = even_kernel (1, 1.0);

  for (guint i = 0; i < count ("slider"); i++)
    {
      JsonObject   *o = element ("slider", i);
      double        a = sl_golden_number (o, "a"), L = sl_golden_number (o, "L"), skip;
      double        profile[257], mean, variance, square = 0, held = 0;
      SlCapacityLaw law = law_of (SL_CAPACITY_SQUARED, a, L);
      int           n95 = 0;

      delta (profile, 257, 128);
      run (&kernel, &law, (size_t) L, 257, SL_EDGE_PERIODIC, profile);
      sl_assert_near (profile[128], number (o, "numbers", 0), 0, SIX);
      sl_capacity_spread (257, profile, 128, true, &mean, &variance);
      sl_assert_near (sqrt (variance), number (o, "numbers", 1), 0, SIX);
      skip = number (o, "numbers", 2);
      sl_assert_near (sl_capacity_log10_skip (&kernel, &law, L), log10 (skip), 0, 3e-7);
      for (int x = 0; x < 257; x++)
        square += profile[x] * profile[x];
      sl_assert_near (1 / square, number (o, "numbers", 3), 0, 5.1e-5);
      qsort (profile, 257, sizeof *profile, falling);
      while (held < 0.95)
        held += profile[n95++];
      g_assert_cmpint (n95, ==, (int) number (o, "numbers", 4));
    }

  /* It says so where the number itself is zero. */
  SlCapacityLaw law = law_of (SL_CAPACITY_SQUARED, 0, 1024);

  sl_assert_near (sl_capacity_log10_skip (&kernel, &law, 1024), -1024 * log10 (3), 1e-12, 0);
}

static void
test_skips (void)
{
  JsonObject        *o = group ("skips");
  SlCapacityKernel   kernel = even_kernel (1, 1.0);
  SlCapacityLaw      law = law_of (SL_CAPACITY_SQUARED, 0.5, 8);
  double             profile[129], sum[129], work[4 * 129];
  SlCapacitySpectrum spectrum;

  delta (profile, 33, 16);
  for (int m = 1; m <= 8; m++)
    {
      run (&kernel, &law, 1, 33, SL_EDGE_PERIODIC, profile);
      profile[16] += 1.0;
    }
  sl_assert_near (sl_capacity_sum (33, profile), sl_golden_number (o, "total"), 0, 1e-12);
  expect (profile + 16, o, "squared", SIX);
  for (int x = 0; x < 33; x++)
    profile[x] /= 9;
  expect (profile + 16, o, "mean", SIX);

  sl_capacity_spectrum_init (&spectrum, 129, work);
  sl_capacity_spectrum_flow (&spectrum, &kernel, 1.0, 0.0);
  sl_capacity_spectrum_average (&spectrum, sum);
  expect (sum, o, "limit", SIX);
  sl_assert_near (sl_capacity_sum (129, sum), 1.0, 0, 1e-12);
  for (int x = 0; x < 5; x++)
    sl_assert_near (sl_capacity_skips (x, 1, 1), number (o, "gaussian", (guint) x), 0, SIX);
  sl_assert_near (sl_capacity_skips (1.3, 0.7, 2), sl_golden_number (o, "point"), 0, 5.1e-10);
  /* A Gaussian source of variance v0 is a point source that began v0 / 2D earlier. */
  sl_assert_near (sl_capacity_skips (1.5, 0.8 + 0.75, 2) - sl_capacity_skips (1.5, 0.75, 2),
                  sl_golden_number (o, "from"), 0, 5.1e-10);
  /* Without diffusion the solution is t × the source, exactly. */
  g_assert_cmpfloat (sl_capacity_skips (0, 0.8, 0), ==, 0.8);

  for (int x = 0; x < 129; x++)
    profile[x] = sum[(x + 129 - 64) % 129];
  memcpy (sum, profile, sizeof sum);
  for (int rule = 0; rule < 2; rule++)
    for (guint i = 0; i < length (o, "L"); i++)
      {
        double L = number (o, "L", i), tv;

        law = law_of ((SlCapacityRule) rule, 0.5, L);
        delta (profile, 129, 64);
        for (int m = 1; m <= (int) L; m++)
          {
            run (&kernel, &law, 1, 129, SL_EDGE_PERIODIC, profile);
            profile[64] += 1.0;
          }
        for (int x = 0; x < 129; x++)
          profile[x] /= L + 1;
        tv = distance (129, profile, sum);
        if (rule == SL_CAPACITY_MARKOV)
          sl_assert_near (tv, number (o, "markov-tv", i), 3e-2, 0);
        else if (i == 0 || i + 1 == length (o, "L"))
          sl_assert_near (tv, number (o, "squared-tv-ends", i > 0), 2e-2, 0);
      }
}

/* The averaged profile keeps an unmoved spike, which no Gaussian has; and layers' own capacity. */
static void
test_skips_spike (void)
{
  JsonObject        *o = group ("skips");
  SlCapacityKernel   kernel = even_kernel (8, 0.5);
  double             profile[257], smooth[257], work[4 * 257];
  SlCapacitySpectrum spectrum;

  sl_assert_near (-expm1 (-8) / 8, sl_golden_number (o, "spike"), 0, 1e-3);
  sl_capacity_spectrum_init (&spectrum, 257, work);
  sl_capacity_spectrum_flow (&spectrum, &kernel, 1.0, 0.0);
  sl_capacity_spectrum_average (&spectrum, profile);
  for (int x = 0; x < 257; x++)
    smooth[x] = sl_capacity_skips (x <= 128 ? x : x - 257, 1, 102);
  sl_assert_near (distance (257, profile, smooth), sl_golden_number (o, "spike-tv"), 0, 1e-3);

  SlCapacityLaw law = law_of (SL_CAPACITY_SQUARED, 0.5, 8);

  kernel = even_kernel (1, 1.0);
  delta (profile, 33, 16);
  for (int m = 1; m <= 8; m++)
    {
      run (&kernel, &law, 1, 33, SL_EDGE_PERIODIC, profile);
      for (int x = 0; x < 33; x++)
        profile[x] += 1.0 / 33;
    }
  expect (profile + 16, o, "cumulated", SIX);
  sl_assert_near (sl_capacity_sum (33, profile), sl_golden_number (o, "total"), 0, 1e-12);
}

static void
test_leak (void)
{
  JsonObject      *o = group ("leak");
  SlCapacityKernel kernel = even_kernel (1, 1.0);
  const char      *names[] = { "squared", "markov" };
  double           profile[33], next[33], work[4 * 33], left, limits[33];

  for (guint i = 0; i < length (o, "values"); i++)
    sl_assert_near (
      sl_capacity_leaked (number (o, "arguments", 4 * i), number (o, "arguments", 4 * i + 1),
                          number (o, "arguments", 4 * i + 2), number (o, "arguments", 4 * i + 3)),
      number (o, "values", i), 0, 5.1e-10);
  /* Far out and long after, neither overflow nor not-a-number: it tends to (r/2) e^(-r|x|). */
  sl_assert_near (sl_capacity_leaked (3, 4000, 1, 1), 0.5 * exp (-3), 1e-12, 0);
  g_assert_cmpfloat (sl_capacity_leaked (1, 1, 1, 0), ==, 0.0);
  sl_assert_near (sl_capacity_leaked (0, 1, 0, 1), -expm1 (-1), 1e-15, 0);
  g_assert_cmpfloat (sl_capacity_leaked (1, 1, 0, 1), ==, 0.0);

  for (int rule = 0; rule < 2; rule++)
    {
      SlCapacityLaw     law = law_of ((SlCapacityRule) rule, 0.5, 8);
      SlCapacityBuckets buckets;
      SlCapacityShares  shares;
      g_autofree char  *remaining = g_strconcat (names[rule], "-remaining", NULL);
      g_autofree char  *leaked = g_strconcat (names[rule], "-leaked", NULL);
      g_autofree char  *table = g_strconcat ("remaining-", names[rule], NULL);
      g_autofree char  *errors = g_strconcat ("error-", names[rule], NULL);

      law.leak = 1.0;
      delta (profile, 33, 16);
      buckets = run (&kernel, &law, 8, 33, SL_EDGE_PERIODIC, profile);
      expect (profile + 16, o, names[rule], SIX);
      sl_assert_near (sl_capacity_sum (33, profile), sl_golden_number (o, remaining), 0, SIX);
      sl_assert_near (buckets.side, sl_golden_number (o, leaked), 0, SIX);
      for (guint i = 0; i < length (o, "L"); i++)
        {
          double L = number (o, "L", i);

          law.scale = 1 / L;
          g_assert_true (sl_capacity_shares (&kernel, &law, &shares));
          left = share_left (&shares, L);
          sl_assert_near (left, number (o, table, i), 0, SIX);
          sl_assert_near (fabs (left - exp (-1)), number (o, errors, i), 3e-2, 0);
        }
    }

  limit (&kernel, 1.0, 33, 16, limits);
  expect (limits + 16, o, "limit", SIX);
  sl_assert_near (sl_capacity_sum (33, limits), sl_golden_number (o, "limit-remaining"), 0, SIX);
  sl_assert_near (1 - sl_capacity_sum (33, limits), sl_golden_number (o, "limit-leaked"), 0, SIX);

  /* What the side inputs get, layer by layer, and in the limit position by position: λ times the
   * average over time.  */
  SlCapacityLaw      law = { .rule = SL_CAPACITY_MARKOV, .scale = 0.125, .leak = 1.0 };
  SlCapacityShares   shares;
  SlCapacitySpectrum spectrum;

  g_assert_true (sl_capacity_shares (&kernel, &law, &shares));
  delta (profile, 33, 16);
  for (guint m = 0; m < 8; m++)
    {
      SlCapacityBuckets buckets = { 0 };

      sl_capacity_step (&kernel, &shares, 33, SL_EDGE_PERIODIC, profile, next, &buckets);
      memcpy (profile, next, sizeof next);
      sl_assert_near (buckets.side, number (o, "markov-buckets", m), 0, SIX);
      sl_assert_near (buckets.side, memory_share (SL_CAPACITY_MARKOV, (double) m, 8, 2, 1), 0,
                      1e-14);
    }
  sl_capacity_spectrum_init (&spectrum, 33, work);
  sl_capacity_spectrum_flow (&spectrum, &kernel, 1.0, 1.0);
  sl_capacity_spectrum_average (&spectrum, profile);
  expect (profile, o, "profile", SIX);
}

/* Side inputs and biases share what leaks; unscaled biases starve the input. */
static void
test_bias (void)
{
  JsonObject      *o = group ("leak");
  SlCapacityKernel kernel = even_kernel (1, 1.0);
  const char      *tables[] = { "bias-scale-1", "bias-scale-half", "bias-scale-whole" };
  SlCapacityShares shares;

  for (int power = 0; power < 3; power++)
    for (guint i = 0; i < length (o, "bias-L"); i++)
      {
        double        L = number (o, "bias-L", i);
        SlCapacityLaw law = law_of (SL_CAPACITY_SQUARED, 0.5, L);
        double        want = number (o, tables[power], i);

        law.bias = pow (L, 1.0 - power); /* the bias' scale² is b s */
        g_assert_true (sl_capacity_shares (&kernel, &law, &shares));
        sl_assert_near (share_left (&shares, L), want, 0, power == 0 ? 2e-7 * want : SIX);
      }

  SlCapacityLaw     law = { .scale = 0.125, .leak = 3, .bias = 1 };
  SlCapacityBuckets buckets;
  double            profile[33];

  delta (profile, 33, 16);
  buckets = run (&kernel, &law, 8, 33, SL_EDGE_PERIODIC, profile);
  sl_assert_near (buckets.side, 3 * buckets.bias, 1e-13, 0);
}

int
main (int argc, char **argv)
{
  JsonNode *root;
  int       code;

  g_test_init (&argc, &argv, NULL);
  root = sl_golden_load (argv[1]);
  golden = json_node_get_object (root);
  g_test_add_func ("/capacity/direction", test_direction);
  g_test_add_func ("/capacity/spread-at-its-ends", test_spread_at_its_ends);
  g_test_add_func ("/capacity/linear", test_linear);
  g_test_add_func ("/capacity/linear-directions", test_linear_directions);
  g_test_add_func ("/capacity/linear-extremes", test_linear_extremes);
  g_test_add_func ("/capacity/residual", test_residual);
  g_test_add_func ("/capacity/wide", test_wide);
  g_test_add_func ("/capacity/convergence", test_convergence);
  g_test_add_func ("/capacity/fourth-cumulant", test_fourth_cumulant);
  g_test_add_func ("/capacity/joint-limit", test_joint_limit);
  g_test_add_func ("/capacity/sqrt-law", test_sqrt_law);
  g_test_add_func ("/capacity/slider", test_slider);
  g_test_add_func ("/capacity/skips", test_skips);
  g_test_add_func ("/capacity/skips-spike", test_skips_spike);
  g_test_add_func ("/capacity/leak", test_leak);
  g_test_add_func ("/capacity/bias", test_bias);
  code = g_test_run ();
  json_node_unref (root);
  return code;
}
