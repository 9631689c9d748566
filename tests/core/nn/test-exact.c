/* SPDX-License-Identifier: MIT
 *
 * Estimates of gradients through a few gates: the sums over all states against the definitions, and exact
 * gradients against central differences of the expected loss.  */
#include "core/nn/gater/exact.h"

#include <glib.h>
#include <math.h>

#include "tests/support/close.h"

enum { GATES = 4, OUTPUTS = 3, STATES = 1 << GATES };

static const double a[GATES] = { -0.7, 0.2, 1.1, -1.9 };
static const double rest[OUTPUTS] = { 0.3, -0.4, 0.9 };
static const double effect[GATES * OUTPUTS]
  = { 1.2, -0.5, 0.1, -0.3, 0.8, -1.1, 0.6, 0.6, -0.2, -1.4, 0.7, 0.25 };
static const SlGaterToy toy = { GATES, OUTPUTS, a, rest, effect, 1 };

static double
sigmoid (double x)
{
  return 1.0 / (1.0 + exp (-x));
}

static double
logit_of (const double *h, int c)
{
  double o = rest[c];

  for (int k = 0; k < GATES; k++)
    o += h[k] * effect[k * OUTPUTS + c];
  return o;
}

static double
loss_of (const double *h)
{
  double sum = 0.0;

  for (int c = 0; c < OUTPUTS; c++)
    sum += exp (logit_of (h, c));
  return log (sum) - logit_of (h, (int) toy.label);
}

/* dL/dh_k by central differences. */
static double
slope_of (const double *h, int k)
{
  const double step = 1e-6;
  double       moved[GATES], above;

  for (int i = 0; i < GATES; i++)
    moved[i] = h[i];
  moved[k] = h[k] + step;
  above = loss_of (moved);
  moved[k] = h[k] - step;
  return (above - loss_of (moved)) / (2 * step);
}

/* What a gate with probability p of σ is on with, and what it is then. */
static double
level (double p, bool smooth)
{
  return smooth ? sqrt (p) : p;
}

/* The probability of a state, and its gates. */
static double
state_of (int state, const double *logits, bool smooth, double *h)
{
  double weight = 1.0;

  for (int k = 0; k < GATES; k++)
    {
      double chance = level (sigmoid (logits[k]), smooth);

      weight *= state >> k & 1 ? chance : 1.0 - chance;
      h[k] = state >> k & 1 ? (smooth ? chance : 1.0) : 0.0;
    }
  return weight;
}

static double
expected_loss (const double *logits, bool smooth)
{
  double sum = 0.0, h[GATES];

  for (int state = 0; state < STATES; state++)
    {
      double weight = state_of (state, logits, smooth, h);

      sum += weight * loss_of (h);
    }
  return sum;
}

static void
check_exact (bool smooth, const double *exact)
{
  const double step = 1e-6;

  for (int k = 0; k < GATES; k++)
    {
      double moved[GATES] = { a[0], a[1], a[2], a[3] }, above;

      moved[k] = a[k] + step;
      above = expected_loss (moved, smooth);
      moved[k] = a[k] - step;
      sl_assert_near (exact[k], (above - expected_loss (moved, smooth)) / (2 * step), 1e-7, 1e-9);
    }
}

/* What an estimator says of gate k in a state with the gates h. */
static double
estimate_of (SlGaterEstimator estimator, const SlGaterExact *exact, const double *h, int k)
{
  double p = sigmoid (a[k]), loss = loss_of (h);

  switch (estimator)
    {
    case SL_GATER_BARE: return (h[k] - p) * loss;
    case SL_GATER_MEAN_LOSS: return (h[k] - p) * (loss - exact->loss);
    case SL_GATER_BEST: return (h[k] - p) * (loss - exact->baseline[k]);
    case SL_GATER_STRAIGHT: return slope_of (h, k);
    case SL_GATER_SLOPED: return slope_of (h, k) * p * (1 - p);
    case SL_GATER_SMOOTH: return h[k] > 0 ? slope_of (h, k) * 0.5 * sqrt (p) * (1 - p) : 0.0;
    case SL_GATER_NOISED:
    case SL_GATER_CLIPPED:
    case SL_GATER_ESTIMATORS:
    default: g_assert_not_reached ();
    }
}

static void
check_estimator (const SlGaterExact *exact, SlGaterEstimator estimator)
{
  const double *truth = sl_gater_truth (exact, estimator);
  double        mean[GATES] = { 0 }, square[GATES] = { 0 }, cosine = 0.0, spread = 0.0, h[GATES];

  g_assert_true (truth == (estimator == SL_GATER_SMOOTH ? exact->exact_smooth : exact->exact));
  for (int state = 0; state < STATES; state++)
    {
      double weight = state_of (state, a, estimator == SL_GATER_SMOOTH, h);
      double product = 0.0, norm = 0.0, length = 0.0;

      for (int k = 0; k < GATES; k++)
        {
          double estimate = estimate_of (estimator, exact, h, k);

          mean[k] += weight * estimate;
          square[k] += weight * estimate * estimate;
          product += estimate * truth[k];
          norm += estimate * estimate;
          length += truth[k] * truth[k];
        }
      if (norm > 0.0)
        {
          cosine += weight * product / sqrt (norm * length);
          spread += weight * product * product / (norm * length);
        }
    }
  for (int k = 0; k < GATES; k++)
    {
      sl_assert_near (exact->mean[estimator][k], mean[k], 1e-6, 1e-8);
      sl_assert_near (exact->variance[estimator][k], square[k] - mean[k] * mean[k], 1e-6, 1e-8);
    }
  sl_assert_near (exact->cosine[estimator], cosine, 1e-6, 1e-8);
  sl_assert_near (exact->spread[estimator], sqrt (spread - cosine * cosine), 1e-6, 1e-7);
}

static void
test_enumerate (void)
{
  SlGaterExact exact;
  double       work[OUTPUTS], h[GATES];

  sl_gater_enumerate (&toy, work, &exact);
  sl_assert_near (exact.loss, expected_loss (a, false), 1e-13, 0);
  check_exact (false, exact.exact);
  check_exact (true, exact.exact_smooth);
  for (int k = 0; k < GATES; k++)
    {
      double over = 0.0, under = 0.0;

      for (int state = 0; state < STATES; state++)
        {
          double weight = state_of (state, a, false, h);

          over += weight * pow (h[k] - sigmoid (a[k]), 2) * loss_of (h);
          under += weight * pow (h[k] - sigmoid (a[k]), 2);
        }
      sl_assert_near (exact.baseline[k], over / under, 1e-12, 0);
    }
  for (int estimator = 0; estimator <= SL_GATER_SMOOTH; estimator++)
    check_estimator (&exact, (SlGaterEstimator) estimator);
}

/* Gates that are always on or always off: nothing divides by 0. */
static void
test_ends (void)
{
  const double     ends[2] = { 800, -800 }, none[2] = { 0, 0 }, some[4] = { 1, 0, 0, 1 };
  const SlGaterToy sure = { 2, 2, ends, none, some, 0 };
  SlGaterExact     exact;
  double           work[2];

  sl_gater_enumerate (&sure, work, &exact);
  sl_assert_near (exact.loss, log (1 + exp (-1.0)), 1e-14, 0);
  for (int k = 0; k < 2; k++)
    {
      g_assert_cmpfloat (exact.exact[k], ==, 0);
      g_assert_cmpfloat (exact.exact_smooth[k], ==, 0);
      sl_assert_near (exact.baseline[k], exact.loss, 1e-14, 0);
      g_assert_cmpfloat (exact.variance[SL_GATER_BEST][k], ==, 0);
    }
  g_assert_cmpfloat (exact.cosine[SL_GATER_BEST], ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/exact/enumerate", test_enumerate);
  g_test_add_func ("/exact/ends", test_ends);
  return g_test_run ();
}
