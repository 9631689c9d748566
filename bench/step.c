/* SPDX-License-Identifier: MIT
 *
 * A training step of the published network against its bare matrix products: what
 * everything but the products costs.  */
#include "bench/bench.h"
#include "bench/run.h"
#include "core/base/clock.h"
#include "core/nn/kernels/mat.h"

enum { BATCH = 128, LAYERS = 4, ROUNDS = 15, REPEATS = 6, TURNS = 4, UPDATES = 60 };

static const size_t width[LAYERS + 1] = { 784, 1000, 600, 400, 10 };

static const char settings[]
  = "hidden=1000-600-400 batch=128 optimiser=adam input-dropout=0.3 hidden-dropout=0.5 "
    "estimator=off evaluate-every=1000000";

/* One set of everything a step multiplies. */
typedef struct
{
  sl_real *x[LAYERS + 1], *w[LAYERS], *dw[LAYERS], *dx[LAYERS + 1];
} Products;

static sl_real *
filled (size_t n)
{
  sl_real *numbers = g_new (sl_real, n);

  for (size_t i = 0; i < n; i++)
    numbers[i] = (sl_real) ((double) (i * 7919 % 1009) / 1009.0 - 0.5);
  return numbers;
}

static void
products_init (Products *p)
{
  for (int l = 0; l <= LAYERS; l++)
    {
      p->x[l] = filled (BATCH * width[l]);
      p->dx[l] = filled (BATCH * width[l]);
    }
  for (int l = 0; l < LAYERS; l++)
    {
      p->w[l] = filled (width[l] * width[l + 1]);
      p->dw[l] = filled (width[l] * width[l + 1]);
    }
}

static void
products_clear (Products *p)
{
  for (int l = 0; l <= LAYERS; l++)
    {
      g_free (p->x[l]);
      g_free (p->dx[l]);
    }
  for (int l = 0; l < LAYERS; l++)
    {
      g_free (p->w[l]);
      g_free (p->dw[l]);
    }
}

/* The products of one step: forward, then weights' gradients and, but for the first layer,
 * the inputs' gradients.  */
static void
multiply (const Products *p)
{
  for (int l = 0; l < LAYERS; l++)
    sl_mat_mul (SL_PLAIN, SL_TRANSPOSED, BATCH, width[l + 1], width[l], 1, p->x[l], width[l],
                p->w[l], width[l], 0, p->x[l + 1], width[l + 1]);
  for (int l = LAYERS - 1; l >= 0; l--)
    {
      sl_mat_mul (SL_TRANSPOSED, SL_PLAIN, width[l + 1], width[l], BATCH, 1, p->dx[l + 1],
                  width[l + 1], p->x[l], width[l], 0, p->dw[l], width[l]);
      if (l > 0)
        sl_mat_mul (SL_PLAIN, SL_PLAIN, BATCH, width[l], width[l + 1], 1, p->dx[l + 1],
                    width[l + 1], p->w[l], width[l], 0, p->dx[l], width[l]);
    }
}

/* Median over rounds of the time of the products over that of the steps. */
static SlExit
compare (SlHeadlessRun *run, const Products *products, double (*clock) (void), double *ratio,
         double *step_ms)
{
  double ratios[ROUNDS], steps[ROUNDS];

  for (int round = 0; round < ROUNDS; round++)
    {
      double begin = clock (), middle, end;
      SlExit code = sl_bench_train (run, REPEATS);

      if (code != SL_EXIT_FINE)
        return code;
      middle = clock ();
      for (int i = 0; i < REPEATS; i++)
        multiply (products);
      end = clock ();
      ratios[round] = (end - middle) / (middle - begin);
      steps[round] = 1e3 * (middle - begin) / REPEATS;
    }
  *ratio = sl_median (ratios, ROUNDS);
  *step_ms = sl_median (steps, ROUNDS);
  return SL_EXIT_FINE;
}

static SlExit
measure (SlBench *bench, SlHeadlessRun *run, const Products *products, unsigned threads)
{
  g_autofree char *name = NULL, *note = NULL;
  double           ratio, step_ms;
  SlExit           code;

  threads = sl_blas_set_threads (threads);
  code = sl_bench_train (run, REPEATS);
  multiply (products);
  /* Helping threads do not show on the thread's own clock. */
  if (code == SL_EXIT_FINE)
    code
      = compare (run, products, threads == 1 ? sl_clock_thread : sl_clock_wall, &ratio, &step_ms);
  if (code != SL_EXIT_FINE)
    return code;
  name = g_strdup_printf ("step.threads-%u", threads);
  note = g_strdup_printf ("bare products / step; a step takes %.2f ms", step_ms);
  sl_bench_result (bench, name, ratio, "", SL_BAR_LEAST, 0.75, note);
  return SL_EXIT_FINE;
}

/* Seconds of each of UPDATES updates, after some that bring what they need into the caches. */
static SlExit
train (SlHeadlessRun *run, unsigned threads, double *seconds)
{
  SlExit code;

  sl_blas_set_threads (threads);
  code = sl_bench_train (run, REPEATS);
  for (int i = 0; i < UPDATES && code == SL_EXIT_FINE; i++)
    {
      double begin = sl_clock_wall ();

      code = sl_bench_train (run, 1);
      seconds[i] = sl_clock_wall () - begin;
    }
  return code;
}

/* How many times as fast an update is on all cores, with nothing else between them: medians, by turns. */
static SlExit
compare_threads (SlBench *bench, SlHeadlessRun *run, unsigned threads)
{
  double           one[TURNS * UPDATES], all[TURNS * UPDATES];
  g_autofree char *note = NULL;

  for (int turn = 0; turn < TURNS; turn++)
    {
      SlExit code = train (run, 1, one + turn * UPDATES);

      if (code == SL_EXIT_FINE)
        code = train (run, threads, all + turn * UPDATES);
      if (code != SL_EXIT_FINE)
        return code;
    }
  note = g_strdup_printf ("times as fast on %u threads as on one", threads);
  sl_bench_result (bench, "step.speed-up",
                   sl_median (one, TURNS * UPDATES) / sl_median (all, TURNS * UPDATES), "x",
                   threads == 2 ? SL_BAR_LEAST : SL_BAR_NONE, 1.75, note);
  return SL_EXIT_FINE;
}

static SlExit
bench_step (SlBench *bench)
{
  Products      products;
  SlHeadlessRun run;
  SlExit        code = sl_bench_open (&run, "sign-estimator", "digits", settings, 1);

  if (code != SL_EXIT_FINE)
    return code;
  products_init (&products);
  code = measure (bench, &run, &products, 1);
  if (code == SL_EXIT_FINE && sl_blas_cores () > 1)
    code = measure (bench, &run, &products, sl_blas_cores ());
  if (code == SL_EXIT_FINE && sl_blas_cores () > 1)
    code = compare_threads (bench, &run, sl_blas_cores ());
  products_clear (&products);
  sl_headless_clear (&run);
  return code;
}

const SlBenchGroup sl_bench_step
  = { "step", "a training step against its bare matrix products", false, bench_step };
