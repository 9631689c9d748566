/* SPDX-License-Identifier: MIT
 *
 * The row-gathered matrix-vector product against the dense one of the library: how much of
 * the ideal gain 1/α is there.  */
#include "core/nn/kernels/gather.h"
#include "bench/bench.h"
#include "core/base/arena.h"
#include "core/base/clock.h"
#include "core/base/rng.h"
#include "core/nn/kernels/mat.h"

/* Every round goes through several choices of rows, so that the rows are no more at home in the
 * cache than those of the dense product.  */
enum { SIDE = 1024, CHOICES = 16, ROUNDS = 301 };

typedef struct
{
  SlArena   arena; /* aligns, as it does for a lab's weights */
  sl_real  *w, *b, *x, *y;
  uint32_t *rows[CHOICES];
  size_t    n_rows;
} Gather;

static void
cut (Gather *g)
{
  g->w = sl_arena_reals (&g->arena, SIDE * SIDE);
  g->b = sl_arena_reals (&g->arena, SIDE);
  g->x = sl_arena_reals (&g->arena, SIDE);
  g->y = sl_arena_reals (&g->arena, SIDE);
  for (int c = 0; c < CHOICES; c++)
    g->rows[c] = sl_arena_carve (&g->arena, SIDE, sizeof (uint32_t));
}

static int
rising (const void *a, const void *b)
{
  uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;

  return (x > y) - (x < y);
}

static void
choose_rows (Gather *g, double alpha, SlRng *rng)
{
  g->n_rows = (size_t) (alpha * SIDE + 0.5);
  for (int c = 0; c < CHOICES; c++)
    {
      for (uint32_t i = 0; i < SIDE; i++)
        g->rows[c][i] = i;
      sl_rng_shuffle (rng, g->rows[c], SIDE);
      qsort (g->rows[c], g->n_rows, sizeof (uint32_t), rising);
    }
}

static double
share_of_ideal (const Gather *g)
{
  double shares[ROUNDS];

  for (int round = 0; round < ROUNDS; round++)
    {
      double begin = sl_clock_thread (), middle, end;

      for (int c = 0; c < CHOICES; c++)
        sl_mat_vec (SIDE, SIDE, g->w, SIDE, g->x, g->y);
      middle = sl_clock_thread ();
      for (int c = 0; c < CHOICES; c++)
        sl_gather_vec (SIDE, g->w, g->b, g->x, g->rows[c], g->n_rows, g->y);
      end = sl_clock_thread ();
      shares[round] = (middle - begin) / (end - middle) * (double) g->n_rows / SIDE;
    }
  return sl_median (shares, ROUNDS);
}

static SlExit
bench_gather (SlBench *bench)
{
  static const struct
  {
    const char *name;
    double      alpha;
  } densities[]
    = { { "gather.alpha-0.5", 0.5 }, { "gather.alpha-0.25", 0.25 }, { "gather.alpha-0.1", 0.1 } };
  Gather   g = { 0 };
  SlStatus status;
  SlRng    rng;

  cut (&g);
  status = sl_arena_init (&g.arena, g.arena.used);
  if (!sl_ok (&status))
    return sl_cli_fail (&status);
  cut (&g);
  sl_rng_init (&rng, 1, "bench");
  for (size_t i = 0; i < SIDE * SIDE; i++)
    g.w[i] = (sl_real) sl_rng_normal (&rng);
  for (size_t i = 0; i < SIDE; i++)
    g.x[i] = (sl_real) sl_rng_normal (&rng);
  sl_blas_set_threads (1);
  for (size_t i = 0; i < G_N_ELEMENTS (densities); i++)
    {
      choose_rows (&g, densities[i].alpha, &rng);
      sl_bench_result (bench, densities[i].name, share_of_ideal (&g), "of 1/alpha", SL_BAR_LEAST,
                       0.95, "against sgemv, 1024 x 1024, one thread");
    }
  sl_arena_clear (&g.arena);
  return SL_EXIT_FINE;
}

const SlBenchGroup sl_bench_gather
  = { "gather", "row-gathered matrix-vector products against sgemv", false, bench_gather };
