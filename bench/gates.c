/* SPDX-License-Identifier: MIT
 *
 * Stochastic gates of the published size in use: what the clock leaves of the saving that counting
 * the multiplications promises, for the gated experts alone and with their gater.  */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "core/base/clock.h"
#include "core/nn/dense/dense.h"
#include "core/nn/gater/gater.h"
#include "core/nn/gater/sparsity.h"
#include "core/nn/kernels/clones.h"
#include "core/nn/kernels/gather.h"
#include "core/nn/kernels/mat.h"

enum { INPUTS = 784, HIDDEN = 400, UNITS = 2000, CLASSES = 10, EXAMPLES = 64, ROUNDS = 101 };
/* Columns that are gone through together: of as many, the inputs of all examples stay in the first cache. */
enum { COLUMNS = 112, PARTS = INPUTS / COLUMNS };

static const double density = 0.1;

/* A gater with first weights, and examples whose gates are all different. */
typedef struct
{
  SlArena     arena; /* aligns, as it does for a lab's weights */
  SlGater     gater;
  SlGaterTape tape;
  SlGaterUnit unit;
  sl_real     cut, on; /* threshold, and the share of gates above it */
  /* To time loads alone. */
  _Alignas(64) sl_real x[PARTS][EXAMPLES][COLUMNS];
  uint8_t   wanted[EXAMPLES * UNITS], count[UNITS]; /* the examples of each unit, and how many */
  long long loaded;                                 /* so that the compiler leaves the loads in */
} Gates;

typedef void (*Pass) (Gates *gates, const SlGaterTape *tape, size_t batch);

static void
cut (Gates *g)
{
  g->arena.used = 0;
  sl_gater_carve (&g->gater, &g->arena, &g->arena);
  sl_gater_tape_carve (&g->tape, &g->gater, EXAMPLES, NULL, &g->arena);
}

static void
fill (Gates *g)
{
  size_t  n = (size_t) EXAMPLES * UNITS;
  sl_real rate[UNITS];
  SlRng   rng;

  sl_rng_init (&rng, 1, "bench");
  sl_gater_init (&g->gater, g->unit.kind, &rng);
  for (size_t i = 0; i < (size_t) EXAMPLES * INPUTS; i++)
    g->tape.x[i] = (sl_real) sl_rng_normal (&rng);
  sl_gater_logits (&g->gater, 0, &g->tape, EXAMPLES);
  memcpy (g->tape.p, g->tape.z, n * sizeof *g->tape.z);
  g->cut = sl_gater_threshold (n, g->tape.p, density);
  sl_gater_settle (&g->unit, g->cut, n, g->tape.z, g->tape.h);
  g->on = (sl_real) sl_gater_rates (EXAMPLES, UNITS, g->tape.h, rate);
}

/* All experts without a gater. */
static void
pass_dense (Gates *g, const SlGaterTape *tape, size_t batch)
{
  const sl_real *w = sl_gater_weight (&g->gater, SL_GATER_EXPERTS);
  const sl_real *b = sl_gater_bias (&g->gater, SL_GATER_EXPERTS);
  const sl_real *top = sl_gater_bias (&g->gater, SL_GATER_OUTPUT);

  if (batch == 1)
    {
      sl_mat_vec (UNITS, INPUTS, w, INPUTS, tape->x, tape->e);
      for (size_t i = 0; i < UNITS; i++)
        tape->e[i] += b[i];
    }
  else
    sl_dense_forward (batch, INPUTS, UNITS, tape->x, w, b, tape->e);
  for (size_t e = 0; e < batch; e++)
    memcpy (tape->o + e * CLASSES, top, CLASSES * sizeof *top);
  sl_mat_mul (SL_PLAIN, SL_PLAIN, batch, CLASSES, UNITS, 1, tape->e, UNITS,
              sl_gater_weight (&g->gater, SL_GATER_OUTPUT), CLASSES, 1, tape->o, CLASSES);
}

/* The experts that are on. */
static void
pass_bare (Gates *g, const SlGaterTape *tape, size_t batch)
{
  sl_gather_gated (batch, INPUTS, UNITS, CLASSES, sl_gater_weight (&g->gater, SL_GATER_EXPERTS),
                   sl_gater_bias (&g->gater, SL_GATER_EXPERTS), tape->x, tape->h,
                   sl_gater_weight (&g->gater, SL_GATER_OUTPUT),
                   sl_gater_bias (&g->gater, SL_GATER_OUTPUT), tape->o);
}

/* The whole network. */
static void
pass_gated (Gates *g, const SlGaterTape *tape, size_t batch)
{
  SlGaterTape here = *tape;

  sl_gater_deploy (&g->gater, &g->unit, 0, g->cut, &here, batch);
}

/* All examples, `batch` at a time: with one, each finds the rows of weights that it needs no more
 * at home in the cache than the dense product does.  */
static void
go_through (Gates *g, Pass pass, size_t batch)
{
  for (size_t e = 0; e < EXAMPLES; e += batch)
    {
      SlGaterTape here = g->tape;

      here.x += e * INPUTS;
      here.u += e * HIDDEN;
      here.z += e * UNITS;
      here.h += e * UNITS;
      here.e += e * UNITS;
      here.o += e * CLASSES;
      pass (g, &here, batch);
    }
}

/* ---- what a pass must load ---- */

/* Bits that are loaded, and the half of them that a loop carries on: compilers keep wider ones in memory where the
 * processor has no such registers.  */
typedef long long Loaded __attribute__ ((vector_size (64), may_alias, aligned (4)));
typedef long long Half __attribute__ ((vector_size (32)));
enum { STEP = sizeof (Loaded) / sizeof (sl_real) };

/* COLUMNS numbers. */
static inline __attribute__ ((always_inline)) void
load (const sl_real *from, Half *sum)
{
  Loaded all = *(const Loaded *) from;
  Half   half[2];

#pragma GCC unroll 8
  for (size_t i = STEP; i < COLUMNS; i += STEP)
    all |= *(const Loaded *) (from + i);
  memcpy (half, &all, sizeof half);
  *sum |= half[0] | half[1];
}

/* Loads the gates, each unit's weights, and with them the inputs of each example whose gates have
 * the unit, without computing anything.  With an input in a register for one unit only, as each
 * example has others, and the weights in registers for all examples, no order of the products needs
 * fewer loads.  */
SL_CLONES static long long
load_wanted (const Gates *g, const sl_real *w)
{
  Half sum = { 0 };

  for (size_t i = 0; i + COLUMNS <= (size_t) EXAMPLES * UNITS; i += COLUMNS)
    load (g->tape.h + i, &sum);
  for (size_t part = 0; part < PARTS; part++)
    for (size_t i = 0, pair = 0; i < UNITS; i++)
      {
        load (w + i * INPUTS + part * COLUMNS, &sum);
        for (size_t end = pair + g->count[i]; pair < end; pair++)
          load (g->x[part][g->wanted[pair]], &sum);
      }
  return sum[0] | sum[1] | sum[2] | sum[3];
}

static void
pass_load (Gates *g, const SlGaterTape *tape, size_t batch)
{
  g->loaded = load_wanted (g, sl_gater_weight (&g->gater, SL_GATER_EXPERTS));
}

/* Lists which example has which unit, and copies each part of the inputs together. */
static void
list_wanted (Gates *g)
{
  size_t pairs = 0;

  for (size_t i = 0; i < UNITS; i++)
    {
      size_t first = pairs;

      for (size_t e = 0; e < EXAMPLES; e++)
        if (g->tape.h[e * UNITS + i] > 0)
          g->wanted[pairs++] = (uint8_t) e;
      g->count[i] = (uint8_t) (pairs - first);
    }
  for (size_t e = 0; e < EXAMPLES; e++)
    for (size_t part = 0; part < PARTS; part++)
      memcpy (g->x[part][e], g->tape.x + e * INPUTS + part * COLUMNS, sizeof g->x[part][e]);
}

/* ---- timings ---- */

/* Median over rounds of the time of all experts over that of `pass`. */
static double
speed_up (Gates *g, Pass pass, size_t batch)
{
  double ratios[ROUNDS];

  for (int round = 0; round < ROUNDS; round++)
    {
      double begin = sl_clock_thread (), middle, end;

      go_through (g, pass_dense, batch);
      middle = sl_clock_thread ();
      go_through (g, pass, batch);
      end = sl_clock_thread ();
      ratios[round] = (middle - begin) / (end - middle);
    }
  return sl_median (ratios, ROUNDS);
}

/* The least time that a pass of the experts that are on can take: that of its multiplications at the speed
 * of the dense product, or of its loads, whichever is longer.  */
static void
report_bound (SlBench *bench, Gates *g, double bare, double times)
{
  double           bound = fmin (bare, speed_up (g, pass_load, EXAMPLES));
  g_autofree char *note = g_strdup_printf (
    "loading weights, gates and wanted inputs alone allows %.2f times, timed %.2f times", bound,
    times);

  sl_bench_result (bench, "gates.of-bound-64", times / bound, "of bound", SL_BAR_LEAST, 0.85, note);
}

static void
report (SlBench *bench, Gates *g, size_t batch, SlBarKind kind)
{
  double dense = sl_gater_expert_macs (&g->gater, 1.0);
  double bare = dense / sl_gater_expert_macs (&g->gater, (double) g->on);
  double whole = dense / (dense / bare + sl_gater_macs (&g->gater));
  double times = speed_up (g, pass_bare, batch), with_gater = speed_up (g, pass_gated, batch);
  g_autofree char *name = g_strdup_printf ("gates.batch-%zu", batch);
  g_autofree char *whole_name = g_strdup_printf ("gates.with-gater-%zu", batch);
  g_autofree char *note = g_strdup_printf (
    "784 x 2000 x 10, %.3g %% on: counted %.2f times, timed %.2f times, one thread",
    100.0 * (double) g->on, bare, times);
  g_autofree char *whole_note = g_strdup_printf (
    "with a gater of 400: counted %.2f times, timed %.2f times", whole, with_gater);

  sl_bench_result (bench, name, times / bare, "of counted", kind, 0.8, note);
  if (batch > 1)
    report_bound (bench, g, bare, times);
  sl_bench_result (bench, whole_name, with_gater / whole, "of counted", SL_BAR_NONE, 0, whole_note);
}

static SlExit
bench_gates (SlBench *bench)
{
  static Gates g = { .unit = { .kind = SL_GATER_ST } };
  SlStatus     status;

  sl_gater_shape (&g.gater, INPUTS, HIDDEN, UNITS, CLASSES);
  cut (&g);
  status = sl_arena_init (&g.arena, g.arena.used);
  if (!sl_ok (&status))
    return sl_cli_fail (&status);
  cut (&g);
  sl_blas_set_threads (1);
  fill (&g);
  list_wanted (&g);
  report (bench, &g, 1, SL_BAR_LEAST);
  report (bench, &g, EXAMPLES, SL_BAR_NONE);
  sl_arena_clear (&g.arena);
  return SL_EXIT_FINE;
}

const SlBenchGroup sl_bench_gates
  = { "gates", "gated experts in use against the saving that is counted", false, bench_gates };
