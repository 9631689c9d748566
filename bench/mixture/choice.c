/* SPDX-License-Identifier: MIT
 *
 * What choosing costs where examples have different numbers of experts: a whole step of a layer with top-p, and with
 * zero-computation experts, against one with noisy top-k of as many experts, in turn.  */
#include "bench/bench.h"
#include "bench/mixture/layer.h"
#include "core/base/clock.h"
#include "core/nn/kernels/mat.h"

enum { SIDE = 256, HIDDEN = 32, EXPERTS = 16, CHOSEN = 2, BATCH = 200, ROUNDS = 61 };

static const struct
{
  const char *name;
  SlMoeGate   gate;
  size_t      zero;
} gates[] = {
  { "noisy", SL_MOE_NOISY, 0 },
  { "top-p", SL_MOE_TOP_P, 0 },
  { "zero", SL_MOE_NOISY, 8 },
};

enum { GATES = G_N_ELEMENTS (gates) };

static bool
make_layer (SlBenchLayer *layer, unsigned g)
{
  SlMoeShape   shape = { .gate = gates[g].gate,
                         .inputs = SIDE,
                         .hidden = HIDDEN,
                         .outputs = SIDE,
                         .experts = EXPERTS,
                         .groups = 1,
                         .most = BATCH,
                         .zero = gates[g].zero,
                         .identity = true };
  SlMoeSetting setting = {
    .k = CHOSEN,
    .noise = true,
    .floor = (sl_real) 0.01,
    .threshold = true,
    .w_importance = (sl_real) 0.1,
    .w_load = (sl_real) 0.1,
    .gate_rate = 0.0, /* of top-p: on noise it would soon be sure */
    .zero_target = CHOSEN,
    .zero_rate = 0.1,
    .choice = { .p = 0.5, .w_balance = 0.3, .w_entropy = 0.01 },
  };

  return sl_bench_layer_init (layer, &shape, &setting);
}

/* Experts of an example in the last step. */
static double
chosen_of (const SlBenchLayer *layer)
{
  return layer->moe.balance.executed / BATCH;
}

/* Updates until examples have as many experts as with noisy top-k: a bias sees to that of zero-computation ones, and p is
 * moved towards it.  */
static void
settle (SlBenchLayer *layer, const SlOptimSetting *adam)
{
  for (int i = 0; i < 100; i++)
    {
      sl_bench_layer_step (layer, BATCH, adam);
      layer->setting.choice.p *= chosen_of (layer) > CHOSEN       ? 0.98
                                 : layer->setting.choice.p < 0.95 ? 1.02
                                                                  : 1.0;
    }
}

static void
report (SlBench *bench, const SlBenchLayer *layers, double seconds[GATES][ROUNDS],
        double ratios[GATES][ROUNDS])
{
  for (unsigned g = 1; g < GATES; g++)
    {
      double           ratio = sl_median (ratios[g], ROUNDS);
      g_autofree char *name = g_strdup_printf ("choice.%s", gates[g].name);
      g_autofree char *note = g_strdup_printf (
        "step with %d experts of %d-%d-%d, batch %d, %.1f per example: %.2f ms, "
        "noisy top-k with %d %.2f ms",
        EXPERTS, SIDE, HIDDEN, SIDE, BATCH, chosen_of (&layers[g]),
        1e3 * sl_median (seconds[g], ROUNDS), CHOSEN, 1e3 * sl_median (seconds[0], ROUNDS));

      sl_bench_result (bench, name, ratio, "x", SL_BAR_MOST, 1.2, note);
    }
}

static SlExit
bench_choice (SlBench *bench)
{
  SlOptimSetting adam = sl_optim_default ();
  SlBenchLayer   layers[GATES];
  double         seconds[GATES][ROUNDS], ratios[GATES][ROUNDS];
  unsigned       made = 0;
  bool           fine = true;

  sl_blas_set_threads (1);
  while (fine && made < GATES)
    {
      fine = make_layer (&layers[made], made);
      made += fine;
    }
  for (unsigned g = 0; fine && g < GATES; g++)
    settle (&layers[g], &adam);
  for (int round = 0; fine && round < ROUNDS; round++)
    for (unsigned g = 0; g < GATES; g++)
      {
        seconds[g][round] = sl_bench_layer_seconds (&layers[g], BATCH, &adam);
        ratios[g][round] = seconds[g][round] / seconds[0][round];
      }
  if (fine)
    report (bench, layers, seconds, ratios);
  while (made > 0)
    sl_bench_layer_clear (&layers[--made]);
  return fine ? SL_EXIT_FINE : SL_EXIT_FAILED;
}

const SlBenchGroup sl_bench_choice
  = { "choice", "steps where examples have different numbers of experts against noisy top-k", false,
      bench_choice };
