/* SPDX-License-Identifier: MIT
 *
 * What skipping branches of a network saves by the clock, against what it saves in multiplications:
 * a high-low net of convolutions whose dear branch takes more than ten million of them.  */
#include "bench/bench.h"
#include "core/base/clock.h"
#include "core/labs/selective-execution/math/dag.h"
#include "core/nn/kernels/mat.h"

enum { BATCH = 256, SIDE = 28, CHANNELS = 36, CLASSES = 10, ROUNDS = 7 };

/* The share of the examples that goes the dear way, and what has to be left of the saving. */
static const double dear_share = 0.4, bar = 0.8;

typedef struct
{
  SlArena  kept, scratch;
  SlDag    dag;
  sl_real *weights, *gradient;
} Net;

static void
make_plan (SlDagPlan *plan)
{
  const SlDagNode nodes[] = {
    { .name = "in", .kind = SL_DAG_INPUT, .shape = { 1, SIDE, SIDE } },
    { .name = "N1",
      .kind = SL_DAG_REGULAR,
      .n_layers = 1,
      .layer = { { .kind = SL_DAG_CONV, .units = CHANNELS, .stride = 2, .rectified = true } } },
    { .name = "Q",
      .kind = SL_DAG_CONTROL,
      .n_layers = 3,
      .layer = { { .kind = SL_DAG_POOL, .stride = 2 },
                 { .kind = SL_DAG_DENSE, .units = 16, .rectified = true },
                 { .kind = SL_DAG_DENSE, .units = 2 } } },
    { .name = "low",
      .kind = SL_DAG_REGULAR,
      .n_layers = 3,
      .layer = { { .kind = SL_DAG_POOL, .stride = 2 },
                 { .kind = SL_DAG_DENSE, .units = 32, .rectified = true },
                 { .kind = SL_DAG_DENSE, .units = CLASSES } } },
    { .name = "high",
      .kind = SL_DAG_REGULAR,
      .n_layers = 5,
      .layer = { { .kind = SL_DAG_CONV, .units = 2 * CHANNELS, .stride = 1, .rectified = true },
                 { .kind = SL_DAG_POOL, .stride = 2 },
                 { .kind = SL_DAG_CONV, .units = 4 * CHANNELS, .stride = 1, .rectified = true },
                 { .kind = SL_DAG_DENSE, .units = 256, .rectified = true },
                 { .kind = SL_DAG_DENSE, .units = CLASSES } } },
    { .name = "out", .kind = SL_DAG_OUTPUT },
  };
  enum { IN, STEM, Q, LOW, HIGH, OUT };

  *plan = (SlDagPlan) { 0 };
  for (size_t i = 0; i < G_N_ELEMENTS (nodes); i++)
    sl_dag_add (plan, &nodes[i]);
  sl_dag_join (plan, IN, STEM);
  sl_dag_join (plan, STEM, Q);
  sl_dag_join (plan, STEM, LOW);
  sl_dag_join (plan, STEM, HIGH);
  sl_dag_control (plan, Q, LOW);
  sl_dag_control (plan, Q, HIGH);
  sl_dag_default (plan, LOW, OUT);
  sl_dag_default (plan, HIGH, OUT);
}

static void
cut (Net *net, const SlDagPlan *plan, const SlDagFacts *facts)
{
  sl_dag_carve (&net->dag, plan, facts, BATCH, &net->kept, &net->scratch);
  net->weights = sl_arena_reals (&net->kept, net->dag.n);
  net->gradient = sl_arena_reals (&net->kept, net->dag.n);
}

static void
net_clear (Net *net)
{
  sl_arena_clear (&net->kept);
  sl_arena_clear (&net->scratch);
}

static SlStatus
net_init (Net *net, const SlDagPlan *plan)
{
  SlDagFacts facts;
  SlRng      rng;
  size_t     kept, scratch;
  SlStatus   status = sl_dag_check (plan, &facts);

  *net = (Net) { 0 };
  if (!sl_ok (&status))
    return status;
  cut (net, plan, &facts);
  kept = net->kept.used;
  scratch = net->scratch.used;
  status = sl_arena_init (&net->kept, kept);
  if (sl_ok (&status))
    status = sl_arena_init (&net->scratch, scratch);
  if (!sl_ok (&status))
    return status;
  cut (net, plan, &facts);
  sl_dag_bind (&net->dag, net->weights, net->gradient);
  sl_rng_init (&rng, 1, "bench");
  sl_dag_init (&net->dag, &rng);
  return SL_SUCCESS;
}

static double
seconds_of (Net *net, const sl_real *x, const uint8_t *forced)
{
  /* On one thread only what it computes is counted, so that others on the machine do not matter. */
  double (*clock) (void) = sl_blas_threads () > 1 ? sl_clock_wall : sl_clock_thread;
  double begin = clock ();

  sl_dag_forward (&net->dag, BATCH, x, forced);
  return clock () - begin;
}

static void
compare (SlBench *bench, Net *chooses, Net *high, const sl_real *x, const uint8_t *forced,
         unsigned threads, const char *name)
{
  double           ratio[ROUNDS], dear = high->dag.facts.dearest_macs, counted, timed;
  g_autofree char *note = NULL;

  sl_blas_set_threads (threads);
  seconds_of (chooses, x, forced);
  seconds_of (high, x, NULL);
  for (int round = 0; round < ROUNDS; round++)
    {
      double own = seconds_of (chooses, x, forced);

      ratio[round] = own / seconds_of (high, x, NULL);
    }
  timed = 1.0 - sl_median (ratio, ROUNDS);
  counted = 1.0 - sl_dag_executed (&chooses->dag) / (BATCH * dear);
  note = g_strdup_printf ("%.0f %% of the examples on a branch of %.1f million multiplications, "
                          "batch %d: %.1f %% of the time saved, %.1f %% of the multiplications; "
                          "threads: %u",
                          100.0 * dear_share, high->dag.facts.macs[2] / 1e6, BATCH, 100.0 * timed,
                          100.0 * counted, threads);
  sl_bench_result (bench, name, timed / counted, "of counted", SL_BAR_LEAST, bar, note);
}

static SlExit
bench_path (SlBench *bench)
{
  unsigned            threads = sl_blas_set_threads (sl_blas_cores ());
  g_autofree sl_real *x = g_new (sl_real, BATCH * SIDE * SIDE);
  uint8_t             forced[BATCH];
  SlDagPlan           plan, fixed;
  Net                 chooses, high = { 0 };
  SlStatus            status;
  SlRng               rng;

  make_plan (&plan);
  status = net_init (&chooses, &plan);
  if (sl_ok (&status))
    {
      sl_dag_fix (&plan, &chooses.dag.facts, &(uint8_t) { 1 }, &fixed);
      status = net_init (&high, &fixed);
    }
  if (sl_ok (&status))
    {
      sl_rng_init (&rng, 1, "examples");
      for (size_t i = 0; i < BATCH * SIDE * SIDE; i++)
        x[i] = (sl_real) sl_rng_uniform (&rng);
      for (size_t e = 0; e < BATCH; e++)
        forced[e] = sl_rng_uniform (&rng) < dear_share;
      compare (bench, &chooses, &high, x, forced, 1, "path.saving-alone");
      if (threads > 1)
        compare (bench, &chooses, &high, x, forced, threads, "path.saving");
    }
  net_clear (&chooses);
  net_clear (&high);
  return sl_ok (&status) ? SL_EXIT_FINE : sl_cli_fail (&status);
}

const SlBenchGroup sl_bench_path
  = { "path", "what a net that chooses its path saves by the clock", false, bench_path };
