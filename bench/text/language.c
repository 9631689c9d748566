/* SPDX-License-Identifier: MIT
 *
 * What more experts cost the language model: a training step with 256 of them against one with 4, and
 * against PyTorch where that is installed (bench/peers/language.py).  With so many, each has but a few
 * rows, and a step cannot be faster than their numbers go through memory.  */
#include "core/labs/experts-text/math/language.h"
#include "bench/bench.h"
#include "core/base/clock.h"
#include "core/nn/kernels/mat.h"

enum {
  UNITS = 128,
  HIDDEN = 512,
  CHOSEN = 4,
  BATCH = 32,
  STEPS = 20,
  ROWS = BATCH * STEPS,
  KINDS = 10000,
  FEW = 4,
  MANY = 256,
  ROUNDS = 9,
};

typedef struct
{
  SlArena        kept, scratch;
  SlLanguage     model;
  SlLanguageRun  run;
  SlLanguagePass pass;
  SlRng          rng;
  uint64_t       t;
  uint16_t       symbol[(STEPS + 1) * BATCH];
} Step;

static void
carve (Step *step)
{
  step->kept.used = step->scratch.used = 0;
  sl_language_carve (&step->model, &step->kept, &step->scratch);
  sl_language_run_carve (&step->run, &step->model, BATCH, STEPS, true, &step->scratch);
}

static void
step_clear (Step *step)
{
  sl_arena_clear (&step->kept);
  sl_arena_clear (&step->scratch);
}

static SlStatus
step_init (Step *step, size_t experts, bool factored)
{
  SlLanguageShape shape = {
    .kinds = KINDS,
    .units = UNITS,
    .experts = { .inputs = UNITS,
                 .hidden = HIDDEN,
                 .outputs = UNITS,
                 .experts = experts,
                 .groups = 1,
                 .most = ROWS,
                 .factored = factored },
    .residual = true,
    .sigmoid = true,
  };
  SlStatus status;

  *step = (Step) { .pass = { .experts = { .k = CHOSEN,
                                          .noise = true,
                                          .floor = (sl_real) 0.01,
                                          .threshold = true,
                                          .w_importance = (sl_real) 0.1,
                                          .w_load = (sl_real) 0.1 },
                             .dropout = 0.1,
                             .training = true } };
  sl_language_shape (&step->model, &shape);
  carve (step);
  status = sl_arena_init (&step->kept, step->kept.used);
  if (sl_ok (&status))
    status = sl_arena_init (&step->scratch, step->scratch.used);
  if (!sl_ok (&status))
    return status;
  carve (step);
  sl_rng_init (&step->rng, 1, "bench");
  sl_language_init (&step->model, &step->rng);
  for (size_t i = 0; i < G_N_ELEMENTS (step->symbol); i++)
    step->symbol[i] = (uint16_t) sl_rng_below (&step->rng, KINDS);
  return SL_SUCCESS;
}

/* One update, as the lab makes it. */
static void
train (Step *step)
{
  SlOptimSetting optim = sl_optim_default ();
  size_t         errors;

  sl_language_draw (&step->model, &step->run, STEPS, &step->pass, &step->rng, &step->rng);
  sl_language_forward (&step->model, &step->run, STEPS, step->symbol, &step->pass);
  sl_language_loss (&step->model, &step->run, STEPS, step->symbol + BATCH, true, &errors);
  sl_language_backward (&step->model, &step->run, STEPS, step->symbol, &step->pass, &optim,
                        ++step->t);
}

/* Milliseconds of an update, computed by the only thread, or passed while several compute. */
static double
time_step (Step *step, unsigned threads)
{
  double begin = threads == 1 ? sl_clock_thread () : sl_clock_wall ();

  train (step);
  return 1e3 * ((threads == 1 ? sl_clock_thread () : sl_clock_wall ()) - begin);
}

static void
compare_peer (SlBench *bench, unsigned threads, double ours)
{
  g_autofree char *name = g_strdup_printf ("language.%u-thread.torch", threads);
  g_autofree char *words = g_strdup_printf ("%u %d %d %d %d %d %d %d", threads, KINDS, UNITS,
                                            HIDDEN, MANY, CHOSEN, BATCH, STEPS);
  g_autofree char *note = NULL;
  double           theirs = sl_bench_peer ("language.py", words);

  if (theirs <= 0)
    {
      sl_bench_note (bench, "%s: python3-torch is not installed", name);
      return;
    }
  note = g_strdup_printf ("the same in PyTorch: %.0f ms", theirs);
  sl_bench_result (bench, name, theirs / ours, "x as fast", SL_BAR_LEAST, 3, note);
}

static void
measure (SlBench *bench, Step *few, Step *many, const char *moments, unsigned threads, bool peer)
{
  double           ratio[ROUNDS], time[ROUNDS], slow;
  g_autofree char *name = g_strdup_printf ("language.%u-thread.%s", threads, moments), *note = NULL;

  sl_blas_set_threads (threads);
  for (int warm = 0; warm < 3; warm++)
    {
      train (few);
      train (many);
    }
  for (int round = 0; round < ROUNDS; round++)
    {
      double short_one = time_step (few, threads);

      time[round] = time_step (many, threads);
      ratio[round] = time[round] / short_one;
    }
  slow = sl_median (time, ROUNDS);
  note = g_strdup_printf ("%d experts / %d, 128-512-128, k = 4, 640 words of 10000: %.1f ms", MANY,
                          FEW, slow);
  sl_bench_result (bench, name, sl_median (ratio, ROUNDS), "x as long", SL_BAR_MOST, 1.4, note);
  if (peer)
    compare_peer (bench, threads, slow);
}

static SlExit
bench_language (SlBench *bench)
{
  SlExit code = SL_EXIT_FINE;

  for (int factored = 0; factored < 2 && code == SL_EXIT_FINE; factored++)
    {
      g_autofree Step *few = g_new0 (Step, 1), *many = g_new0 (Step, 1);
      SlStatus         status = step_init (few, FEW, factored);

      if (sl_ok (&status))
        status = step_init (many, MANY, factored);
      for (unsigned threads = 1; threads <= MIN (2, sl_blas_cores ()) && sl_ok (&status); threads++)
        measure (bench, few, many, factored ? "factored" : "adam", threads, !factored);
      if (!sl_ok (&status))
        code = sl_cli_fail (&status);
      step_clear (few);
      step_clear (many);
    }
  return code;
}

const SlBenchGroup sl_bench_language
  = { "language", "the language model with many experts against few, and PyTorch", false,
      bench_language };
