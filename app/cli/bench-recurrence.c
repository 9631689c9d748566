/* SPDX-License-Identifier: MIT
 *
 * Tables 4.2 and 4.4 of Davis 2016: how much faster the network 27-1024-1024-27 of gated
 * recurrent units is when a share of its units is copied.  The shares are forced: the gates are
 * computed, then replaced by as many at random as a normal input leaves on, Φ (s).  Both sides
 * run on one thread.  */
#include <math.h>
#include <string.h>

#include "app/cli/bench.h"
#include "app/cli/clock.h"
#include "core/base/arena.h"
#include "core/nn/batchnorm.h"
#include "core/nn/gru-net.h"
#include "core/nn/mat.h"
#include "core/nn/optim.h"

enum
{
  SYMBOLS = 27, LAYERS = 2, UNITS = 1024, BATCH = 64, STEPS = 6,
  CHOICES = 8, /* of gates, taken in turn, so that no choice is at home in the caches */
  ROUNDS = 5,
};

static const double offsets[] = { 0, -0.25, -0.5, -0.75 };
static const size_t gate_counts[] = { 16, 32, 64 };

/* Rows: s; columns: 16, 32, 64 gates. */
static const double published_units[4][3]
    = { { 1.55, 1.38, 1.43 }, { 1.87, 1.67, 1.63 }, { 1.86, 1.66, 1.99 }, { 2.55, 2.18, 2.29 } };
static const double published_blocks[4][3]
    = { { 1.20, 1.06, 0.73 }, { 1.68, 1.72, 1.88 }, { 1.68, 1.62, 1.72 }, { 1.95, 1.62, 1.57 } };

/* A network with everything it takes to run it in each of the three ways. */
typedef struct
{
  SlArena  arena;
  SlGruNet net;
  SlGruRun train, deploy;
  sl_real *state, *z, *logits, *work, *given; /* given (CHOICES, STEPS, LAYERS, BATCH, columns) */
  sl_real  *spare; /* (STEPS, BATCH, 3 UNITS) */
  uint32_t *rows;
  uint8_t  *symbol; /* (STEPS + 1, BATCH) */
  unsigned  turn;
} Model;

static size_t
columns_of (const SlGruNet *net)
{
  return net->gru[0].columns;
}

/* Numbers of one choice: what training takes in a stretch. */
static size_t
choice_size (const SlGruNet *net)
{
  return (size_t) LAYERS * STEPS * BATCH * columns_of (net);
}

static void
cut (Model *model)
{
  SlGruNet *net = &model->net;
  SlArena  *arena = &model->arena;

  sl_gru_net_cut (net, true, arena, arena);
  sl_gru_run_cut (&model->train, net, BATCH, STEPS, true, arena);
  sl_gru_run_cut (&model->deploy, net, BATCH, 1, false, arena);
  model->state = sl_arena_reals (arena, sl_gru_net_state (net));
  model->z = sl_arena_reals (arena, (size_t) LAYERS * UNITS);
  model->logits = sl_arena_reals (arena, SYMBOLS);
  model->work = sl_arena_reals (arena, sl_gru_net_work (net));
  model->given = sl_arena_reals (arena, CHOICES * choice_size (net));
  model->spare = sl_arena_reals (arena, (size_t) STEPS * BATCH * 3 * UNITS);
  model->rows = sl_arena_cut (arena, UNITS, sizeof *model->rows);
  model->symbol = sl_arena_cut (arena, (STEPS + 1) * BATCH, 1);
}

static SlStatus
model_init (Model *model, SlGruGating gating, size_t gates)
{
  SlStatus status;
  SlRng    rng;

  *model = (Model) { 0 };
  sl_gru_net_shape (&model->net, gating, true, SYMBOLS, LAYERS, UNITS, gates);
  cut (model);
  status = sl_arena_init (&model->arena, model->arena.used);
  if (!sl_ok (&status))
    return status;
  cut (model);
  sl_rng_init (&rng, 1, "bench");
  status = sl_gru_net_init (&model->net, &rng);
  sl_gru_net_pack (&model->net);
  for (size_t i = 0; i < (STEPS + 1) * BATCH; i++)
    model->symbol[i] = (uint8_t) sl_rng_below (&rng, SYMBOLS);
  return status;
}

/* In every row of every choice exactly the share `alpha` of the gates is on. */
static void
force (Model *model, double alpha)
{
  size_t   c = columns_of (&model->net), on = (size_t) lrint (alpha * (double) c);
  uint32_t order[UNITS];
  SlRng    rng;

  sl_rng_init (&rng, 2, "bench");
  for (uint32_t i = 0; i < c; i++)
    order[i] = i;
  for (size_t at = 0; at < CHOICES * choice_size (&model->net); at += c)
    {
      sl_rng_shuffle (&rng, order, c);
      for (size_t i = 0; i < c; i++)
        model->given[at + order[i]] = i < on ? (sl_real) 0.5 : 0;
    }
}

static SlGruGates
gates_of (Model *model, bool given)
{
  const sl_real *z = model->given + model->turn++ % CHOICES * choice_size (&model->net);
  SlGruGates     gates = { .epsilon = 1e-5, .given = given };

  if (columns_of (&model->net) > 0)
    for (unsigned l = 0; l < LAYERS; l++)
      gates.z[l] = z + l * STEPS * BATCH * columns_of (&model->net);
  return gates;
}

/* One symbol, one example.  The choices of a training stretch serve as those of many steps. */
static void
pass_one (Model *model)
{
  SlGruGates gates = { .epsilon = 1e-5, .given = true };
  size_t     used = (size_t) LAYERS * UNITS, n = CHOICES * choice_size (&model->net) / used;
  bool       units = model->net.gru[0].gating == SL_GRU_UNITS;
  unsigned   turn = model->turn++;

  sl_gru_net_one (&model->net, &gates, model->state, model->symbol[turn % (STEPS * BATCH)],
                  units ? model->given + turn % n * used : NULL, model->z, model->logits,
                  model->work, model->rows);
}

/* One symbol, a batch. */
static void
pass_batch (Model *model)
{
  SlGruGates gates = gates_of (model, true);

  sl_gru_net_forward (&model->net, &model->deploy, 1, model->symbol, &gates);
  sl_gru_net_carry (&model->net, &model->deploy, 1);
}

/* One update over a stretch of symbols. */
static void
pass_train (Model *model)
{
  SlGruGates     gates = gates_of (model, false);
  SlGruNet      *net = &model->net;
  SlOptimSetting optim = sl_optim_default ();

  /* A rate of 0 moves nothing and takes the same time, so that all rounds are alike. */
  optim.rate = 0;
  sl_gru_net_pack (net);
  sl_gru_net_forward (net, &model->train, STEPS, model->symbol, &gates);
  sl_gru_net_loss (net, &model->train, STEPS, model->symbol + BATCH, true);
  sl_gru_net_backward (net, &model->train, STEPS, model->symbol);
  sl_optim_step (&optim, 1, net->n, net->gradient, net->weights, net->m, net->v);
  sl_gru_net_carry (net, &model->train, STEPS);
}

/* Median over rounds of the time of the dense network over that of the other one. */
static double
faster (Model *dense, Model *gated, void (*pass) (Model *), int repeats)
{
  double ratios[ROUNDS];

  pass (dense);
  pass (gated);
  for (int round = 0; round < ROUNDS; round++)
    {
      double begin = sl_clock_thread (), middle, end;

      for (int i = 0; i < repeats; i++)
        pass (dense);
      middle = sl_clock_thread ();
      for (int i = 0; i < repeats; i++)
        pass (gated);
      end = sl_clock_thread ();
      ratios[round] = (middle - begin) / (end - middle);
    }
  return sl_median (ratios, ROUNDS);
}

/* The cell of a table at this s, forced to the density Φ (s). */
static void
report_cell (SlBench *bench, Model *dense, Model *gated, size_t row, size_t column, bool blocks)
{
  double alpha = sl_norm_share_on (offsets[row], false), both[LAYERS] = { alpha, alpha };
  double bound = sl_gru_net_bound (&gated->net, both), ours, train;
  double published = blocks ? published_blocks[row][column] : published_units[row][column];
  double goal = blocks ? 0.75 : 0.85;
  size_t g = gate_counts[column];
  g_autofree char *cell = NULL, *name = NULL, *of_bound = NULL, *step = NULL, *note = NULL;

  force (gated, alpha);
  ours = faster (dense, gated, blocks ? pass_batch : pass_one, blocks ? 4 : 8);
  train = faster (dense, gated, pass_train, 1);
  cell = blocks ? g_strdup_printf ("%zu/%zu.s%g", UNITS / g, g, offsets[row])
                : g_strdup_printf ("g%zu.s%g", g, offsets[row]);
  name = g_strdup_printf ("recurrence.%s", cell);
  of_bound = g_strdup_printf ("recurrence.%s.share", cell);
  step = g_strdup_printf ("recurrence.%s.train", cell);
  note = g_strdup_printf ("forced to %.1f %% on, batch %d; bound %.2f, published %.2f", 100 * alpha,
                          blocks ? BATCH : 1, bound, published);
  sl_bench_figure (bench, name, ours, "x dense", SL_BAR_LEAST, published, note);
  sl_bench_figure (bench, of_bound, ours / bound, "of bound", SL_BAR_LEAST, goal, "");
  if (blocks && row == 1 && column > 0)
    sl_bench_figure (bench, step, train, "x dense", SL_BAR_LEAST, 2, "a training step, batch 64");
  else
    sl_bench_figure (bench, step, train, "x dense", SL_BAR_NONE, 0, "a training step, batch 64");
}

/* The products of a dense update with nothing around them. */
static void
bare_products (const Model *model)
{
  size_t         h = UNITS, three = 3 * h, rows = (size_t) STEPS * BATCH;
  sl_real       *a = model->train.tape[1].in, *c = model->train.tape[0].r;
  const sl_real *w = model->net.weights;

  for (int l = 0; l < LAYERS; l++)
    for (int t = 0; t < STEPS; t++)
      {
        sl_mat_mul (SL_PLAIN, SL_TRANSPOSED, BATCH, three, h, 1, a, h, w, h, 0, c, three);
        sl_mat_mul (SL_PLAIN, SL_PLAIN, BATCH, h, three, 1, a, three, w, h, 0, c, h);
      }
  /* Of the second layer's inputs, for all steps at once, and the gradients of the weights. */
  sl_mat_mul (SL_PLAIN, SL_TRANSPOSED, rows, three, h, 1, a, h, w, h, 0, model->spare, three);
  sl_mat_mul (SL_PLAIN, SL_PLAIN, rows, h, three, 1, model->spare, three, w, h, 0, c, h);
  for (int i = 0; i < 2 * LAYERS - 1; i++)
    sl_mat_mul (SL_TRANSPOSED, SL_PLAIN, three, h, rows, 1, model->spare, three, a, h, 0,
                model->net.gradient, h);
}

static void
report_dense (SlBench *bench, Model *dense)
{
  double ratios[ROUNDS];

  for (int round = 0; round < ROUNDS; round++)
    {
      double begin = sl_clock_thread (), middle;

      pass_train (dense);
      middle = sl_clock_thread ();
      bare_products (dense);
      ratios[round] = (sl_clock_thread () - middle) / (middle - begin);
    }
  sl_bench_figure (bench, "recurrence.dense-step", sl_median (ratios, ROUNDS), "", SL_BAR_LEAST,
                   0.75, "bare products of the library / step of the dense twin");
}

static SlExit
bench_tables (SlBench *bench, Model *dense)
{
  SlStatus status = SL_SUCCESS;

  for (int blocks = 0; blocks <= 1; blocks++)
    for (size_t column = 0; column < G_N_ELEMENTS (gate_counts); column++)
      {
        Model gated;

        status = model_init (&gated, blocks ? SL_GRU_BLOCKS : SL_GRU_UNITS, gate_counts[column]);
        for (size_t row = 0; sl_ok (&status) && row < G_N_ELEMENTS (offsets); row++)
          report_cell (bench, dense, &gated, row, column, blocks != 0);
        sl_arena_clear (&gated.arena);
        if (!sl_ok (&status))
          return sl_cli_fail (&status);
      }
  return SL_EXIT_FINE;
}

static SlExit
bench_recurrence (SlBench *bench)
{
  Model    dense;
  SlStatus status;
  SlExit   code = SL_EXIT_FINE;

  sl_blas_set_threads (1);
  status = model_init (&dense, SL_GRU_DENSE, 0);
  if (!sl_ok (&status))
    code = sl_cli_fail (&status);
  else
    {
      report_dense (bench, &dense);
      code = bench_tables (bench, &dense);
    }
  sl_arena_clear (&dense.arena);
  return code;
}

const SlBenchGroup sl_bench_recurrence
  = { "recurrence", "gated recurrent units that copy (Davis' tables 4.2 and 4.4)", false,
      bench_recurrence };
