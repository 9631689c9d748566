/* SPDX-License-Identifier: MIT
 *
 * Votes of signs as a predictor of one layer, batch 1: what predicting costs beside the dense product, and
 * how much of the gain is left that a predictor for nothing would give.  */
#include <string.h>

#include "bench/bench.h"
#include "core/base/clock.h"
#include "core/base/rng.h"
#include "core/nn/kernels/gather.h"
#include "core/nn/kernels/mat.h"
#include "core/nn/kernels/vector.h"
#include "core/nn/predictor/predictor.h"

/* Every round goes through several inputs, so that the rows they want are no more at home in the
 * cache than those of the dense product.  */
enum { SIDE = 1024, CHOICES = 16, ROUNDS = 301 };

static const double on = 0.1;

typedef struct
{
  SlArena    arena; /* aligns, as it does for a lab's weights */
  sl_real   *w, *b, *x[CHOICES], *y, *q;
  double     theta[CHOICES]; /* at which this input has its share of units on */
  uint32_t  *rows;
  SlSignBits bits;
} Votes;

static void
cut (Votes *v)
{
  v->w = sl_arena_reals (&v->arena, SIDE * SIDE);
  v->b = sl_arena_reals (&v->arena, SIDE);
  v->y = sl_arena_reals (&v->arena, SIDE);
  v->q = sl_arena_reals (&v->arena, SIDE);
  v->rows = sl_arena_carve (&v->arena, SIDE, sizeof *v->rows);
  for (int c = 0; c < CHOICES; c++)
    v->x[c] = sl_arena_reals (&v->arena, SIDE);
  sl_sign_bits_init (&v->bits, SIDE, SIDE, &v->arena);
}

/* Inputs as behind a rectifier, half of them 0, of both signs; thresholds leave a tenth of the units. */
static void
fill (Votes *v)
{
  SlRng rng;

  sl_rng_init (&rng, 1, "bench");
  for (size_t i = 0; i < SIDE * SIDE; i++)
    v->w[i] = (sl_real) sl_rng_normal (&rng);
  sl_sign_bits_pack (&v->bits, v->w);
  for (int c = 0; c < CHOICES; c++)
    {
      for (size_t i = 0; i < SIDE; i++)
        v->x[c][i] = sl_rng_uniform (&rng) < 0.5 ? 0 : (sl_real) sl_rng_normal (&rng);
      sl_sign_bits_scores (&v->bits, 1, v->x[c], true, 1.0, v->q);
      v->theta[c] = (double) sl_vector_select (SIDE, v->q, (size_t) ((1.0 - on) * SIDE));
    }
}

static size_t
predict (Votes *v, int c)
{
  return sl_sign_bits_rows (&v->bits, v->x[c], true, 1.0, v->theta[c], v->rows);
}

typedef struct
{
  double share;   /* time of predicting ÷ that of the dense product */
  double gain;    /* time of the dense product ÷ that of predicting and the units that are on */
  double density; /* units that are on */
} Timed;

static Timed
time_votes (Votes *v)
{
  double shares[ROUNDS], gains[ROUNDS], rows = 0.0;

  for (int round = 0; round < ROUNDS; round++)
    {
      double begin = sl_clock_thread (), dense, predicted, end;

      for (int c = 0; c < CHOICES; c++)
        sl_mat_vec (SIDE, SIDE, v->w, SIDE, v->x[c], v->y);
      dense = sl_clock_thread ();
      for (int c = 0; c < CHOICES; c++)
        rows += (double) predict (v, c);
      predicted = sl_clock_thread ();
      for (int c = 0; c < CHOICES; c++)
        {
          size_t n_rows = predict (v, c);

          memset (v->y, 0, SIDE * sizeof *v->y);
          sl_gather_vec (SIDE, v->w, v->b, v->x[c], v->rows, n_rows, v->y);
        }
      end = sl_clock_thread ();
      shares[round] = (predicted - dense) / (dense - begin);
      gains[round] = (dense - begin) / (end - predicted);
    }
  return (Timed) { sl_median (shares, ROUNDS), sl_median (gains, ROUNDS),
                   rows / (double) (ROUNDS * CHOICES * SIDE) };
}

static SlExit
bench_predictor (SlBench *bench)
{
  Votes            v = { 0 };
  SlStatus         status;
  Timed            timed;
  g_autofree char *note = NULL;

  cut (&v);
  status = sl_arena_init (&v.arena, v.arena.used);
  if (!sl_ok (&status))
    return sl_cli_fail (&status);
  cut (&v);
  fill (&v);
  sl_blas_set_threads (1);
  timed = time_votes (&v);
  note = g_strdup_printf ("1024 x 1024, %.3g %% on: timed %.2f times, for nothing %.2f times",
                          100.0 * timed.density, timed.gain, 1.0 / timed.density);
  sl_bench_result (bench, "predictor.sign-bits", timed.share, "of dense", SL_BAR_MOST, 0.03,
                   "votes of signs against sgemv, 1024 x 1024, one thread");
  sl_bench_result (bench, "predictor.gated", timed.gain * timed.density, "of bound", SL_BAR_LEAST,
                   0.85, note);
  sl_arena_clear (&v.arena);
  return SL_EXIT_FINE;
}

const SlBenchGroup sl_bench_predictor
  = { "predictor", "units guessed from signs against the dense product", false, bench_predictor };
