/* SPDX-License-Identifier: MIT
 *
 * Times that can be believed: the statistic on rounds that are made up, a ratio on a machine that
 * was made busy, and a panel.  */
#include <math.h>

#include "core/base/clock.h"
#include "core/lab/kit/timing.h"
#include "core/nn/kernels/mat.h"
#include "tests/core/labs/lab-run.h"

enum { N = SL_TIMED_ROUNDS };

/* Rounds of a true ratio of 2, each side off by as much as a share of its time. */
static void
make_rounds (double *reference, double *timed, double share)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);

  for (unsigned i = 0; i < N; i++)
    {
      reference[i] = 2e-3 * (1 + share * g_rand_double (rand));
      timed[i] = 1e-3 * (1 + share * g_rand_double (rand));
    }
}

static void
assert_withheld (SlMeasured m)
{
  g_assert_true (isnan (m.value) && isnan (m.spread));
}

static void
test_summary (void)
{
  double     reference[N], timed[N];
  SlMeasured m, inverse;

  make_rounds (reference, timed, 0);
  m = sl_timing_summary (reference, timed, N);
  g_assert_cmpfloat (m.value, ==, 2);
  g_assert_cmpfloat (m.spread, ==, 0);

  make_rounds (reference, timed, 0.04);
  m = sl_timing_summary (reference, timed, N);
  g_assert_cmpfloat (fabs (m.value - 2), <, 0.05);
  g_assert_true (m.spread > 0 && m.spread < 0.05);
  inverse = sl_measured_inverse (m, 100);
  g_assert_cmpfloat (inverse.value, ==, 100 / m.value);
  g_assert_cmpfloat (fabs (inverse.spread / inverse.value - m.spread / m.value), <, 1e-12);

  /* What goes wrong in half of the rounds does not count, whichever side it hits. */
  for (unsigned i = 0; i < N / 2; i++)
    *(i % 3 == 0 ? &reference[i] : &timed[i]) *= 5;
  g_assert_cmpfloat (fabs (sl_timing_summary (reference, timed, N).value - 2), <, 0.05);
}

static void
test_withheld (void)
{
  double reference[N], timed[N];

  /* In every round one side is three times as slow. */
  make_rounds (reference, timed, 0);
  for (unsigned i = 0; i < N; i++)
    *(i % 2 == 0 ? &reference[i] : &timed[i]) *= 3;
  assert_withheld (sl_timing_summary (reference, timed, N));

  /* Rounds that disagree by a tenth, which is more than a cost may be off. */
  for (unsigned i = 0; i < N; i++)
    {
      reference[i] = 4 * (1 + 3 * (i % 3) / 64.0);
      timed[i] = 1 + 3 * (2 - i % 3) / 64.0;
    }
  assert_withheld (sl_timing_summary (reference, timed, N));
  for (unsigned i = 0; i < N; i++)
    {
      reference[i] = 4 * (1 + (i % 3) / 64.0);
      timed[i] = 1 + (2 - i % 3) / 64.0;
    }
  g_assert_cmpfloat (sl_timing_summary (reference, timed, N).spread, >, 0.1);

  /* They agree, but one side was a twelfth faster once: were both, it would be the machine. */
  make_rounds (reference, timed, 0);
  reference[3] /= 1 + 1 / 12.0;
  assert_withheld (sl_timing_summary (reference, timed, N));
  timed[7] /= 1 + 1 / 12.0;
  g_assert_cmpfloat (sl_timing_summary (reference, timed, N).value, ==, 2);

  /* Few rounds that were not disturbed on either side tell the ratio, and most tell another. */
  make_rounds (reference, timed, 0);
  for (unsigned i = 2; i < N; i++)
    timed[i] *= 1.5;
  assert_withheld (sl_timing_summary (reference, timed, N));
}

static void
test_no_number (void)
{
  double reference[N], timed[N];

  make_rounds (reference, timed, 0);
  assert_withheld (sl_timing_summary (reference, timed, 0));
  assert_withheld (sl_timing_summary (reference, timed, SL_TIMED_FEWEST - 1));
  for (unsigned i = 0; i + SL_TIMED_FEWEST < N; i++)
    timed[i] = (double[]) { NAN, 0, -1, INFINITY }[i % 4];
  g_assert_cmpfloat (sl_timing_summary (reference, timed, N).value, ==, 2);
  reference[N - 1] = NAN;
  assert_withheld (sl_timing_summary (reference, timed, N));
}

static bool
at_once (void *data)
{
  return true;
}

static void
count (void *data)
{
  ++*(unsigned *) data;
}

/* Takes a millisecond. */
static void
burn (void *data)
{
  double begin = sl_clock_thread ();

  while (sl_clock_thread () - begin < 1e-3)
    ;
}

static bool
count_rounds (void *asked)
{
  count (asked);
  return false;
}

/* Before each side of each round it is asked whether to stop, and twice before. */
static void
test_asks (void)
{
  unsigned asked = 0;
  SlTiming timing = { burn, burn, NULL, count_rounds, &asked };

  sl_timing_ratio (&timing);
  g_assert_cmpuint (asked, ==, 2 + 2 * SL_TIMED_ROUNDS);
}

static void
test_cancelled (void)
{
  unsigned calls = 0;
  SlTiming timing = { count, count, &calls, at_once, NULL };

  assert_withheld (sl_timing_ratio (&timing));
  g_assert_cmpuint (calls, ==, 0);
}

/* ---- a busy machine ---- */

enum { BUSY = 4, TRIES = 8, LOADED = 6, TIMES = 8 };

static const double well_known = 0.05, tolerance = 0.15;

static gpointer
keep_busy (gpointer stop)
{
  volatile double number = 0;

  while (!g_atomic_int_get ((gint *) stop))
    for (int i = 0; i < 1000; i++)
      number = number + i;
  return NULL;
}

/* One product and several of the same: both sides use the processor alike, so their ratio is known. */
typedef struct
{
  size_t   side;
  sl_real *a, *b, *c; /* (side, side) */
} Products;

static void
once (void *data)
{
  Products *p = data;

  sl_mat_mul (SL_PLAIN, SL_PLAIN, p->side, p->side, p->side, 1, p->a, p->side, p->b, p->side, 0,
              p->c, p->side);
}

static void
often (void *data)
{
  for (int i = 0; i < TIMES; i++)
    once (data);
}

/* A ratio that is known well is waited for; not-a-number when the machine never becomes quiet. */
static SlMeasured
measure_quiet (const SlTiming *timing)
{
  for (int try = 0; try < TRIES; try++)
    {
      SlMeasured m = sl_timing_ratio (timing);

      if (m.spread < well_known * m.value)
        return m;
    }
  return sl_counted (NAN);
}

/* While others compute, the ratio is what it was, or it is withheld. */
static void
check_load (size_t side)
{
  unsigned   before = sl_blas_threads (), withheld = 0;
  GThread   *busy[BUSY];
  gint       stop = 0;
  SlMeasured quiet, loaded[LOADED];
  Products   products = { side, g_new0 (sl_real, side * side), g_new0 (sl_real, side * side),
                          g_new (sl_real, side * side) };
  SlTiming   timing = { often, once, &products, NULL, NULL };

  sl_blas_set_threads (1);
  quiet = measure_quiet (&timing);
  for (unsigned i = 0; i < BUSY; i++)
    busy[i] = g_thread_new ("busy", keep_busy, &stop);
  for (unsigned i = 0; i < LOADED; i++)
    loaded[i] = sl_timing_ratio (&timing);
  g_atomic_int_set (&stop, 1);
  for (unsigned i = 0; i < BUSY; i++)
    g_thread_join (busy[i]);
  sl_blas_set_threads (before);
  g_free (products.a);
  g_free (products.b);
  g_free (products.c);

  for (unsigned i = 0; i < LOADED; i++)
    {
      g_test_message ("quiet %.3g (%.2g), loaded %.3g (%.2g)", quiet.value, quiet.spread,
                      loaded[i].value, loaded[i].spread);
      withheld += isnan (loaded[i].value);
      g_assert_true (isnan (quiet.value) || isnan (loaded[i].value)
                     || fabs (loaded[i].value / quiet.value - 1) < tolerance);
    }
  if (isnan (quiet.value))
    g_test_skip ("never quiet enough to compare");
  else
    g_test_message ("%u of %u withheld", withheld, LOADED);
}

static void
test_load (void)
{
  check_load (64);
}

/* Products that do not fit into the caches next to the processor. */
static void
test_large_load (void)
{
  check_load (256);
}

/* ---- a panel ---- */

/* The probe fills counted bars, which have no spread, and leaves those of the clock empty. */
static void
test_panel (void)
{
  enum { TIMED = 2, BARS = 4 };

  Run           run;
  const double *value;

  assert_ok (lab_run_try (&run, "sign-estimator", "digits:images=600", "hidden=100-50"));
  run_steps (&run, 5);
  run_probe (&run, "speed");
  g_assert_cmpuint (run.snapshot.n_curves, ==, 1);
  g_assert_cmpuint (run.snapshot.curve[0].n, ==, BARS);
  g_assert_true (run.snapshot.curve[0].has_spread);
  value = run.snapshot.data + run.snapshot.curve[0].offset + BARS;
  for (unsigned i = 0; i < BARS; i++)
    {
      g_assert_true (isnan (value[BARS + i]));
      g_assert_cmpint (isfinite (value[i]), ==, i < TIMED);
    }
  run_clear (&run);
}

/* ---- the clock of a lab ---- */

static bool
in_a_hurry (SlSink *sink)
{
  return true;
}

/* Five rounds at least, in goes of one round where there is no time for more; nothing in a hurry. */
static void
test_rounds (void)
{
  Run           run;
  SlClockRounds rounds = { 0 };
  SlSink        hurry = { .hurry = in_a_hurry };
  SlTimes       times;

  assert_ok (
    lab_run_try (&run, "experts", "digits:images=300", "experts=8 k=2 hidden=16 batch=20"));
  g_assert_cmpint (sl_trainer_time (run.trainer, &rounds, 1, &hurry), ==, SL_CLOCK_MORE);
  g_assert_cmpuint (rounds.n, ==, 0);
  for (unsigned i = 1; i < SL_CLOCK_FEWEST; i++)
    {
      g_assert_cmpint (sl_trainer_time (run.trainer, &rounds, 0, NULL), ==, SL_CLOCK_MORE);
      g_assert_cmpuint (rounds.n, ==, i);
    }
  g_assert_cmpint (sl_trainer_time (run.trainer, &rounds, 0, NULL), ==, SL_CLOCK_DONE);
  times = sl_clock_times (&rounds);
  g_assert_true (times.batch == 20 && !times.never);
  g_assert_cmpint (sl_trainer_time (run.trainer, &rounds, 10, NULL), ==, SL_CLOCK_DONE);
  g_assert_cmpuint (rounds.n, ==, SL_TIMED_ROUNDS);
  run_clear (&run);
}

/* Gates that are made by the first update are there before it; where none is ever off, nothing is timed. */
static void
test_first (void)
{
  Run           run;
  SlClockRounds rounds = { 0 };

  assert_ok (lab_run_try (&run, "sign-estimator", "digits:images=600", "hidden=50"));
  g_assert_cmpint (sl_trainer_time (run.trainer, &rounds, 1, NULL), ==, SL_CLOCK_DONE);
  g_assert_cmpuint (sl_trainer_steps (run.trainer), ==, 0);
  run_clear (&run);
  assert_ok (lab_run_try (&run, "stochastic-gates", "digits:images=600", "gate=sigmoid"));
  g_assert_cmpint (sl_trainer_time (run.trainer, &rounds, 1, NULL), ==, SL_CLOCK_NOTHING);
  run_clear (&run);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/timing/summary", test_summary);
  g_test_add_func ("/timing/withheld", test_withheld);
  g_test_add_func ("/timing/no-number", test_no_number);
  g_test_add_func ("/timing/asks", test_asks);
  g_test_add_func ("/timing/rounds", test_rounds);
  g_test_add_func ("/timing/first", test_first);
  g_test_add_func ("/timing/cancelled", test_cancelled);
  g_test_add_func ("/timing/load", test_load);
  g_test_add_func ("/timing/large-load", test_large_load);
  g_test_add_func ("/timing/panel", test_panel);
  return g_test_run ();
}
