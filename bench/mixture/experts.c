/* SPDX-License-Identifier: MIT
 *
 * What experts cost: with many examples, where more of them should be nearly free, and with few,
 * where all that counts is how often their numbers go through memory.  Whole layers: gate, forward
 * and backward pass, with the gradient of the inputs.  */
#include <string.h>

#include "bench/bench.h"
#include "bench/mixture/layer.h"
#include "core/base/clock.h"
#include "core/nn/kernels/mat.h"

enum {
  SIDE = 256, /* inputs and outputs */
  HIDDEN = 512,
  CHOSEN = 4,
  BATCH = 4096,
  SMALL_BATCH = 256,
  SIZES = 3,
  MOST_EXPERTS = 256,
  ROUNDS = 7,
};

static const size_t sizes[SIZES] = { 4, 32, MOST_EXPERTS };

static bool
make_layer (SlBenchLayer *layer, size_t experts, size_t most, bool factored)
{
  SlMoeShape   shape = { .gate = SL_MOE_NOISY,
                         .inputs = SIDE,
                         .hidden = HIDDEN,
                         .outputs = SIDE,
                         .experts = experts,
                         .groups = 1,
                         .most = most,
                         .factored = factored };
  SlMoeSetting setting = {
    .k = CHOSEN,
    .noise = true,
    .floor = (sl_real) 0.01,
    .threshold = true,
    .w_importance = (sl_real) 0.1,
    .w_load = (sl_real) 0.1,
  };

  return sl_bench_layer_init (layer, &shape, &setting);
}

/* Multiplications and additions of a step: products forward, and twice as many backward. */
static double
flops (const SlBenchLayer *layer, size_t batch)
{
  double macs
    = sl_moe_gate_macs (&layer->moe, &layer->setting) + CHOSEN * sl_moe_expert_macs (&layer->moe);

  return 2.0 * 3.0 * (double) batch * macs;
}

/* The large batch: layers of all sizes in turn. */
static void
compare_sizes (SlBench *bench, SlBenchLayer *layers, unsigned threads, const char *name)
{
  double           seconds[SIZES][ROUNDS], ratios[SIZES][ROUNDS];
  g_autofree char *note = NULL;

  sl_blas_set_threads (threads);
  for (int s = 0; s < SIZES; s++)
    sl_bench_layer_step (&layers[s], BATCH, NULL); /* the first one also finds its memory */
  for (int round = 0; round < ROUNDS; round++)
    for (int s = 0; s < SIZES; s++)
      {
        seconds[s][round] = sl_bench_layer_seconds (&layers[s], BATCH, NULL);
        ratios[s][round] = seconds[s][round] / seconds[0][round];
      }
  for (int s = 0; s < SIZES; s++)
    {
      double time = sl_median (seconds[s], ROUNDS);

      sl_bench_note (bench,
                     "%3zu experts of %d-%d-%d: %6.1f million numbers, batch %d, %7.1f ms, "
                     "%5.0f GFLOP/s, %u threads",
                     sizes[s], SIDE, HIDDEN, SIDE, (double) layers[s].moe.n / 1e6, BATCH,
                     1e3 * time, flops (&layers[s], BATCH) / time / 1e9, threads);
    }
  note = g_strdup_printf ("step with %d experts to step with %zu, batch %d, %d of them chosen; "
                          "threads: %u",
                          MOST_EXPERTS, sizes[0], BATCH, CHOSEN, threads);
  sl_bench_result (bench, name, sl_median (ratios[SIZES - 1], ROUNDS), "x", SL_BAR_MOST, 1.5, note);
}

/* Bytes per second, read and written, of copying the weights over the gradient. */
static double
copy_rate (const SlBenchLayer *layer, unsigned threads)
{
  size_t n = layer->moe.n, share = n / threads;
  double begin = sl_clock_wall ();

#pragma omp parallel for schedule(static)
  for (unsigned t = 0; t < threads; t++)
    memcpy (layer->gradient + t * share, layer->weights + t * share,
            (t + 1 < threads ? share : n - t * share) * sizeof (sl_real));
  return 2.0 * (double) (n * sizeof (sl_real)) / (sl_clock_wall () - begin);
}

static size_t
busy (const SlBenchLayer *layer)
{
  size_t count = 0;

  for (size_t i = 0; i < layer->moe.shape.experts; i++)
    count += layer->moe.balance.hard[i] > 0;
  return count;
}

/* The small batch: how near to the time that memory alone takes.  `passes` is how often the
 * numbers of a busy expert have to go through it in a step.  */
static double
share_of_bound (SlBenchLayer *layer, const SlBenchLayer *copied, unsigned threads, double passes,
                double *rate, double *ms)
{
  SlOptimSetting adam = sl_optim_default ();
  double         rates[ROUNDS], shares[ROUNDS], times[ROUNDS];

  sl_bench_layer_step (layer, SMALL_BATCH, &adam);
  for (int round = 0; round < ROUNDS; round++)
    {
      double bytes;

      rates[round] = copy_rate (copied, threads);
      times[round] = sl_bench_layer_seconds (layer, SMALL_BATCH, &adam);
      bytes = passes * (double) (busy (layer) * layer->moe.experts.each * sizeof (sl_real));
      shares[round] = bytes / rates[round] / times[round];
    }
  *rate = sl_median (rates, ROUNDS);
  *ms = 1e3 * sl_median (times, ROUNDS);
  return sl_median (shares, ROUNDS);
}

static void
report_bound (SlBench *bench, SlBenchLayer *plain, SlBenchLayer *factored, unsigned threads)
{
  double           rate, ms;
  g_autofree char *note = NULL, *copy = NULL, *other = NULL;

  sl_blas_set_threads (threads);
  /* Weights read forward and backward and written, two moments read and written.  The gradient
   * never leaves the cache; written out and with the weights updated elsewhere it would be as many
   * again.  */
  double share = share_of_bound (plain, plain, threads, 7, &rate, &ms);

  copy = g_strdup_printf ("a copy of %.0f MB, read and written, just before each step; threads: %u",
                          (double) (plain->moe.n * sizeof (sl_real)) / 1e6, threads);
  sl_bench_result (bench, "experts.copy", rate / 1e9, "GB/s", SL_BAR_NONE, 0, copy);
  note = g_strdup_printf ("step with Adam, %d experts, batch %d, %.1f ms, against 7 passes through "
                          "memory; threads: %u",
                          MOST_EXPERTS, SMALL_BATCH, ms, threads);
  sl_bench_result (bench, "experts.bound", share, "of memory", SL_BAR_LEAST, 0.6, note);
  share = share_of_bound (factored, plain, threads, 3, &rate, &ms);
  other = g_strdup_printf ("the same with factored moments, %.1f ms, against 3 passes", ms);
  sl_bench_result (bench, "experts.bound-factored", share, "of memory", SL_BAR_NONE, 0, other);
}

static double
total (const SlBenchLayer *layer, size_t batch, bool recompute)
{
  SlMoeSetting setting = layer->setting;
  SlMoeMemory  memory;

  setting.recompute = recompute;
  memory = sl_moe_memory (&layer->moe, &setting, batch, SL_ADAM);
  return memory.weights + memory.gradient + memory.moments + memory.activations;
}

static void
report_memory (SlBench *bench, const SlBenchLayer *plain, const SlBenchLayer *factored)
{
  g_autofree char *moments = NULL, *again = NULL;

  moments = g_strdup_printf ("training %d experts, batch %d: %.0f MB, with plain Adam %.0f MB",
                             MOST_EXPERTS, SMALL_BATCH, total (factored, SMALL_BATCH, false) / 1e6,
                             total (plain, SMALL_BATCH, false) / 1e6);
  sl_bench_result (bench, "experts.memory-factored",
                   total (factored, SMALL_BATCH, false) / total (plain, SMALL_BATCH, false),
                   "of plain", SL_BAR_NONE, 0, moments);
  again
    = g_strdup_printf ("batch %d, factored: activations made again save %.0f MB of %.0f MB", BATCH,
                       (total (factored, BATCH, false) - total (factored, BATCH, true)) / 1e6,
                       total (factored, BATCH, false) / 1e6);
  sl_bench_result (bench, "experts.memory-recompute",
                   total (factored, BATCH, true) / total (factored, BATCH, false), "of kept",
                   SL_BAR_NONE, 0, again);
}

static SlExit
bench_experts (SlBench *bench)
{
  unsigned     threads = sl_blas_set_threads (sl_blas_cores ());
  SlBenchLayer layers[SIZES], factored;
  int          made = 0;
  bool         fine = true;

  while (fine && made < SIZES)
    {
      fine = make_layer (&layers[made], sizes[made], BATCH, false);
      made += fine;
    }
  if (fine)
    {
      SlBenchLayer *largest = &layers[SIZES - 1];

      compare_sizes (bench, layers, threads, "experts.growth");
      if (threads > 1)
        compare_sizes (bench, layers, 1, "experts.growth-alone");
      fine = make_layer (&factored, MOST_EXPERTS, SMALL_BATCH, true);
      if (fine)
        {
          report_bound (bench, largest, &factored, threads);
          report_memory (bench, largest, &factored);
          sl_bench_layer_clear (&factored);
        }
    }
  while (made > 0)
    sl_bench_layer_clear (&layers[--made]);
  return fine ? SL_EXIT_FINE : SL_EXIT_FAILED;
}

const SlBenchGroup sl_bench_experts
  = { "experts", "more experts against fewer, and against what memory can do", false,
      bench_experts };
