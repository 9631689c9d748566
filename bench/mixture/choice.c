/* SPDX-License-Identifier: MIT
 *
 * What choosing costs: a whole step of a layer with each gate against one with noisy top-k of as many experts, in
 * turn.  Gates that run all experts, or mix examples, are held to as much more as they multiply.  */
#include "bench/bench.h"
#include "bench/mixture/layer.h"
#include "core/base/clock.h"
#include "core/nn/kernels/mat.h"

enum {
  INPUTS = 784,
  HIDDEN = 32,
  OUTPUTS = 10,
  EXPERTS = 16,
  CHOSEN = 2,
  BATCH = 200,
  ROUNDS = 61,
};

static const struct
{
  const char *name;
  SlMoeGate   gate;
  size_t      shared; /* of CHOSEN */
  bool        costs;  /* is held to what it multiplies */
  size_t      groups; /* half of them for an example; 0: none */
  size_t      over;   /* batches of the balance */
  size_t      zero;   /* zero-computation experts beside the others */
} gates[] = {
  { "noisy", SL_MOE_NOISY, 0, false },
  { "balanced", SL_MOE_BALANCED, 0, false },
  { "dense", SL_MOE_DENSE, 0, true },
  { "soft", SL_MOE_SOFT, 0, true },
  { "base", SL_MOE_BASE, 0, false },
  { "relu", SL_MOE_RELU, 0, false },
  { "expert-choice", SL_MOE_EXPERT_CHOICE, 0, false },
  { "switch", SL_MOE_SWITCH, 0, false },
  { "bias", SL_MOE_BIAS, 0, false },
  { "bias-shared", SL_MOE_BIAS, 1, false },
  { "bias-groups", SL_MOE_BIAS, 0, false, .groups = 4 },
  { "switch-over", SL_MOE_SWITCH, 0, false, .over = SL_CHOOSER_OVER },
  { "top-p", SL_MOE_TOP_P, 0, false },
  { "zero", SL_MOE_NOISY, 0, false, .zero = 8 },
};

enum { GATES = G_N_ELEMENTS (gates) };

static bool
make_layer (SlBenchLayer *layer, unsigned g)
{
  SlMoeShape   shape = { .gate = gates[g].gate,
                         .inputs = INPUTS,
                         .hidden = HIDDEN,
                         .outputs = OUTPUTS,
                         .experts = EXPERTS,
                         .groups = 1,
                         .most = BATCH,
                         .first_layer = true,
                         .lambda = 1e-8,
                         .shared = gates[g].shared,
                         .zero = gates[g].zero,
                         .slots = CHOSEN * BATCH / EXPERTS };
  SlMoeSetting setting = {
    .k = CHOSEN - gates[g].shared,
    .k_groups = gates[g].groups / 2,
    .noise = true,
    .floor = (sl_real) 0.01,
    .threshold = true,
    .w_importance = (sl_real) 0.1,
    .w_load = (sl_real) 0.1,
    .gate_rate = gates[g].gate == SL_MOE_TOP_P ? 0.0 : 1.0, /* on noise it would soon be sure */
    .zero_target = CHOSEN,
    .zero_rate = 0.1,
    .choice
    = { .p = 0.5,
        .w_entropy = 0.01,
        .capacity = 1.25,
        .sum_to_one = gates[g].gate == SL_MOE_BIAS,
        .w_balance = gates[g].gate == SL_MOE_SWITCH || gates[g].gate == SL_MOE_TOP_P ? 0.3 : 0.0,
        .w_z = 0.001,
        .bias_rate = 0.001,
        .gain = 1.2,
        .follow = 0.01,
        .groups = gates[g].groups,
        .over = gates[g].over },
  };

  return sl_bench_layer_init (layer, &shape, &setting);
}

static double
macs_of (const SlBenchLayer *layer)
{
  return sl_moe_gate_macs (&layer->moe, &layer->setting) + sl_moe_batch_macs (&layer->moe)
         + layer->moe.balance.executed / BATCH * sl_moe_expert_macs (&layer->moe);
}

/* Whether examples have as many experts as with noisy top-k, or fewer. */
static bool
is_settled (const SlBenchLayer *layer)
{
  return layer->moe.balance.executed <= 1.05 * CHOSEN * BATCH;
}

/* Updates until a layer has as many experts for an example as noisy top-k: the penalty of a rectifier's gate and the bias of
 * zero-computation experts see to it, and p is moved.  */
static void
settle (SlBenchLayer *layer, const SlOptimSetting *adam)
{
  enum { LEAST = 5, MOST = 2000 };
  SlMoeGate gate = layer->moe.shape.gate;
  bool      moves = gate == SL_MOE_RELU || gate == SL_MOE_TOP_P || layer->moe.shape.zero > 0;

  for (int i = 0; i < LEAST || (moves && i < MOST && !is_settled (layer)); i++)
    {
      sl_bench_layer_step (layer, BATCH, adam);
      if (gate == SL_MOE_TOP_P && !is_settled (layer))
        layer->setting.choice.p *= 0.98;
    }
}

static void
report (SlBench *bench, const SlBenchLayer *layers, double seconds[GATES][ROUNDS],
        double ratios[GATES][ROUNDS])
{
  double noisy_ms = 1e3 * sl_median (seconds[0], ROUNDS);

  for (unsigned g = 1; g < GATES; g++)
    {
      double           macs = macs_of (&layers[g]) / macs_of (&layers[0]);
      double           ratio = sl_median (ratios[g], ROUNDS);
      g_autofree char *name = g_strdup_printf ("choice.%s", gates[g].name);
      g_autofree char *note = g_strdup_printf (
        "step with %d experts of %d-%d-%d, k = %d, batch %d: %.2f ms, %.2f × noisy top-k's "
        "%.2f ms with %.2f × its multiplications",
        EXPERTS, INPUTS, HIDDEN, OUTPUTS, CHOSEN, BATCH, 1e3 * sl_median (seconds[g], ROUNDS),
        ratio, noisy_ms, macs);

      sl_bench_result (bench, name, gates[g].costs ? ratio / macs : ratio,
                       gates[g].costs ? "x per multiplication" : "x", SL_BAR_MOST, 1.2, note);
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
  if (fine)
    {
      for (unsigned g = 0; g < GATES; g++)
        settle (&layers[g], &adam);
      for (int round = 0; round < ROUNDS; round++)
        for (unsigned g = 0; g < GATES; g++)
          {
            seconds[g][round] = sl_bench_layer_seconds (&layers[g], BATCH, &adam);
            ratios[g][round] = seconds[g][round] / seconds[0][round];
          }
      report (bench, layers, seconds, ratios);
    }
  while (made > 0)
    sl_bench_layer_clear (&layers[--made]);
  return fine ? SL_EXIT_FINE : SL_EXIT_FAILED;
}

const SlBenchGroup sl_bench_choice
  = { "choice", "a step with each gate of a mixture of experts against noisy top-k", false,
      bench_choice };
