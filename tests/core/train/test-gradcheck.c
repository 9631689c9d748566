/* SPDX-License-Identifier: MIT
 *
 * The check of gradients itself, on a lab whose gradient is known and can be made wrong.  In double.  */
#include <glib.h>
#include <math.h>

#include "core/lab/kit/state.h"
#include "core/train/gradcheck.h"
#include "tests/support/close.h"

enum { N = 100 };

/* Half the sum of (i + 1) w_i². */
static struct
{
  double   lie;    /* added to the gradient of the first weight */
  double   drift;  /* the objective grows by so much each time it is asked for */
  unsigned calls;  /* of the objective */
  unsigned fails;  /* the call that is not finite; 0: none */
  unsigned frozen; /* how often a batch was frozen */
} quadratic;

static void
freeze (SlLabState *state)
{
  quadratic.frozen++;
}

static double
objective (SlLabState *state, sl_real *gradient)
{
  double loss = 0.0;

  for (size_t i = 0; i < state->weights.n; i++)
    {
      double w = (double) state->weights.data[i];

      loss += 0.5 * (double) (i + 1) * w * w;
      if (gradient != NULL)
        gradient[i] = (sl_real) ((double) (i + 1) * w + (i == 0 ? quadratic.lie : 0.0));
    }
  quadratic.calls++;
  return quadratic.calls == quadratic.fails ? (double) NAN
                                            : loss + quadratic.drift * quadratic.calls;
}

static const SlLab lab = { .id = "quadratic", .freeze = freeze, .objective = objective };

/* The weights are sines, but that of every tenth is 0; they stay to the bit, and the batch is let go. */
static SlStatus
check (size_t n, size_t most, SlGradcheck *result)
{
  sl_real    w[N], before[N];
  SlLabState state = { .lab = &lab, .weights = { w, n } };
  SlStatus   status;

  for (size_t i = 0; i < n; i++)
    w[i] = before[i] = (sl_real) (i % 10 == 9 ? 0.0 : sin ((double) i + 1));
  quadratic.calls = quadratic.frozen = 0;
  status = sl_gradcheck (&state, 1e-4, most, result);
  g_assert_cmpmem (w, n * sizeof *w, before, n * sizeof *w);
  g_assert_cmpuint (quadratic.frozen, ==, 1);
  g_assert_false (state.frozen);
  return status;
}

static void
test_right (void)
{
  static const struct
  {
    size_t n, most, tried, nonzero;
  } cases[] = { { 100, 0, 100, 90 }, { 100, 100, 100, 90 }, { 10, 20, 10, 9 }, { 100, 7, 7, 7 },
                { 100, 99, 50, 50 }, { 1, 1, 1, 1 },        { 100, 1, 1, 1 } };

  for (unsigned i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      SlGradcheck result;
      SlStatus    status = check (cases[i].n, cases[i].most, &result);

      g_assert_true (sl_ok (&status));
      g_assert_cmpuint (result.tried, ==, cases[i].tried);
      g_assert_cmpuint (result.nonzero, ==, cases[i].nonzero);
      g_assert_cmpuint (quadratic.calls, ==, 2 + 2 * cases[i].tried);
      sl_assert_near (result.error, 0.0, 0.0, 1e-8);
      g_assert_true (result.frozen == 0.0);
    }
}

/* ‖gradient - difference‖ ÷ ‖difference‖ of a gradient with one wrong number. */
static void
test_wrong (void)
{
  SlGradcheck result;
  SlStatus    status;
  double      norm = 0.0;

  for (unsigned i = 0; i < 9; i++)
    norm += pow ((i + 1) * sin (i + 1.0), 2);
  quadratic.lie = 0.25;
  status = check (10, 0, &result);
  quadratic.lie = 0.0;
  g_assert_true (sl_ok (&status));
  sl_assert_near (result.error, 0.25 / sqrt (norm), 1e-8, 0.0);
}

/* What is frozen and does not stay is told. */
static void
test_drift (void)
{
  SlGradcheck result;
  SlStatus    status;

  quadratic.drift = -0.5;
  status = check (10, 0, &result);
  quadratic.drift = 0.0;
  g_assert_true (sl_ok (&status));
  sl_assert_near (result.frozen, 0.5, 1e-12, 0.0);
}

/* Whichever loss is not finite, it ends there. */
static void
test_fails (void)
{
  for (unsigned call = 1; call <= 6; call++)
    {
      SlGradcheck result;
      SlStatus    status;

      quadratic.fails = call;
      status = check (10, 0, &result);
      g_assert_cmpint (status.code, ==, SL_EDIVERGED);
      g_assert_cmpuint (quadratic.calls, ==, call);
    }
  quadratic.fails = 0;
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gradcheck/right", test_right);
  g_test_add_func ("/gradcheck/wrong", test_wrong);
  g_test_add_func ("/gradcheck/drift", test_drift);
  g_test_add_func ("/gradcheck/fails", test_fails);
  return g_test_run ();
}
