/* SPDX-License-Identifier: MIT
 *
 * The truncated singular value decomposition that follows a matrix in training, against
 * LAPACK's whole one: time, and whether the two switch the same units on.  */
#include "bench/bench.h"
#include "bench/gesdd.h"
#include "bench/run.h"
#include "core/base/arena.h"
#include "core/base/clock.h"
#include "core/nn/dense/lowrank.h"
#include "core/nn/kernels/mat.h"

/* The layer is followed through its training, as the lab does.  Until it has learned something, its
 * singular values lie so close that the exact truncation at a rank is itself an accident. */
enum {
  UNITS = 1000,
  RANK = 50,
  EXAMPLES = 500,
  REFRESH = 100, /* updates between two refreshes */
  DEGREE = 1,    /* of a refresh's polynomial, as in the lab */
  FOLLOWED = 16, /* refreshes before the first one that is timed */
  ROUNDS = 5,
};

typedef struct
{
  SlHeadlessRun run;
  SlArena       arena;
  SlLowRank     factors;
  SlRng         rng;
  size_t        inputs, least;
  sl_real      *u, *s, *vt;            /* of LAPACK */
  sl_real      *x, *low, *exact, *est; /* real inputs, scratch and the two estimates */
} Svd;

/* The first layer's weights (H, D) and, behind them, its biases. */
static const sl_real *
weights (Svd *svd)
{
  return sl_trainer_weights (svd->run.trainer).data;
}

static SlStatus
prepare (Svd *svd)
{
  const SlDataset *data = svd->run.dataset;
  SlStatus         status;

  svd->inputs = data->features;
  svd->least = UNITS < svd->inputs ? UNITS : svd->inputs;
  svd->u = g_new (sl_real, UNITS * svd->least);
  svd->s = g_new (sl_real, svd->least);
  svd->vt = g_new (sl_real, svd->least * svd->inputs);
  svd->x = g_new (sl_real, EXAMPLES * svd->inputs);
  svd->low = g_new (sl_real, EXAMPLES * RANK);
  svd->exact = g_new (sl_real, EXAMPLES * UNITS);
  svd->est = g_new (sl_real, EXAMPLES * UNITS);
  sl_dataset_range (data, sl_dataset_first (data, SL_TEST), EXAMPLES, svd->x, NULL);
  sl_rng_init (&svd->rng, 1, "bench");
  sl_lowrank_init (&svd->factors, UNITS, svd->inputs, &svd->arena, &svd->arena);
  status = sl_arena_init (&svd->arena, svd->arena.used);
  if (!sl_ok (&status))
    return status;
  sl_lowrank_init (&svd->factors, UNITS, svd->inputs, &svd->arena, &svd->arena);
  sl_lowrank_reset (&svd->factors);
  return sl_lowrank_refresh (&svd->factors, weights (svd), RANK, DEGREE, &svd->rng);
}

/* The estimate by LAPACK's factors, cut at the same rank. */
static void
estimate_exactly (Svd *svd)
{
  const sl_real *b = weights (svd) + UNITS * svd->inputs;

  sl_mat_mul (SL_PLAIN, SL_TRANSPOSED, EXAMPLES, RANK, svd->inputs, 1, svd->x, svd->inputs, svd->vt,
              svd->inputs, 0, svd->low, RANK);
  for (size_t e = 0; e < EXAMPLES; e++)
    {
      for (size_t k = 0; k < RANK; k++)
        svd->low[e * RANK + k] *= svd->s[k];
      for (size_t i = 0; i < UNITS; i++)
        svd->exact[e * UNITS + i] = b[i];
    }
  sl_mat_mul (SL_PLAIN, SL_TRANSPOSED, EXAMPLES, UNITS, RANK, 1, svd->low, RANK, svd->u, svd->least,
              1, svd->exact, UNITS);
}

static double
mask_agreement (Svd *svd)
{
  size_t same = 0;

  estimate_exactly (svd);
  sl_lowrank_estimate (&svd->factors, EXAMPLES, svd->x, weights (svd) + UNITS * svd->inputs, 0,
                       svd->low, svd->est);
  for (size_t i = 0; i < EXAMPLES * UNITS; i++)
    same += (svd->exact[i] > 0) == (svd->est[i] > 0);
  return (double) same / (EXAMPLES * UNITS);
}

/* Trains to the next refresh and does it; *seconds gets its time. */
static SlExit
follow (Svd *svd, double *seconds)
{
  SlExit   code = sl_bench_train (&svd->run, REFRESH);
  double   begin = sl_clock_thread ();
  SlStatus status;

  if (code != SL_EXIT_FINE)
    return code;
  status = sl_lowrank_refresh (&svd->factors, weights (svd), RANK, DEGREE, &svd->rng);
  *seconds = sl_clock_thread () - begin;
  return sl_ok (&status) ? SL_EXIT_FINE : sl_cli_fail (&status);
}

static SlExit
measure (Svd *svd, double *ratios, double *agreements, double *refresh_ms)
{
  double refreshes[ROUNDS], untimed;
  SlExit code = SL_EXIT_FINE;

  for (int i = 0; i < FOLLOWED && code == SL_EXIT_FINE; i++)
    code = follow (svd, &untimed);
  for (int round = 0; round < ROUNDS && code == SL_EXIT_FINE; round++)
    {
      double   begin;
      SlStatus status;

      code = follow (svd, &refreshes[round]);
      begin = sl_clock_thread ();
      status = sl_mat_svd (UNITS, svd->inputs, weights (svd), svd->u, svd->s, svd->vt);
      ratios[round] = (sl_clock_thread () - begin) / refreshes[round];
      if (!sl_ok (&status))
        code = sl_cli_fail (&status);
      agreements[round] = mask_agreement (svd);
    }
  if (code == SL_EXIT_FINE)
    *refresh_ms = 1e3 * sl_median (refreshes, ROUNDS);
  return code;
}

static void
clear (Svd *svd)
{
  sl_real *owned[] = { svd->u, svd->s, svd->vt, svd->x, svd->low, svd->exact, svd->est };

  for (size_t i = 0; i < G_N_ELEMENTS (owned); i++)
    g_free (owned[i]);
  sl_arena_clear (&svd->arena);
  sl_headless_clear (&svd->run);
}

static SlExit
bench_svd (SlBench *bench)
{
  g_autofree char *settings
    = g_strdup_printf ("hidden=%d-600-400 estimator=off evaluate-every=1000000", UNITS);
  double   ratios[ROUNDS], agreements[ROUNDS], refresh_ms = 0;
  Svd      svd = { 0 };
  SlStatus status;
  SlExit   code = sl_bench_open (&svd.run, "sign-estimator", "digits", settings, 1);

  if (code != SL_EXIT_FINE)
    return code;
  status = prepare (&svd);
  code = sl_ok (&status) ? measure (&svd, ratios, agreements, &refresh_ms) : sl_cli_fail (&status);
  if (code == SL_EXIT_FINE)
    {
      g_autofree char *note
        = g_strdup_printf ("sgesdd / refresh, %d x %zu layer followed through %d updates, rank %d; "
                           "a refresh takes %.2f ms",
                           UNITS, svd.inputs, FOLLOWED * REFRESH, RANK, refresh_ms);

      sl_bench_result (bench, "svd.speed", sl_median (ratios, ROUNDS), "times", SL_BAR_LEAST, 10,
                       note);
      sl_median (agreements, ROUNDS); /* puts them into order */
      sl_bench_result (bench, "svd.agreement", agreements[0], "of units", SL_BAR_LEAST, 0.995,
                       "with the mask of the exact truncation, on test images; the worst refresh");
    }
  clear (&svd);
  return code;
}

const SlBenchGroup sl_bench_svd
  = { "svd", "the low-rank factors' refresh against sgesdd", false, bench_svd };
