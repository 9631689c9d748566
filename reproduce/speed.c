/* SPDX-License-Identifier: MIT
 *
 * See speed.h.  */
#include "reproduce/speed.h"

#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/base/clock.h"
#include "core/labs/gated-recurrence/math/net.h"
#include "core/nn/dense/batchnorm.h"
#include "core/nn/kernels/mat.h"
#include "core/nn/optim/optim.h"

enum {
  SYMBOLS = 27,
  LAYERS = 2,
  UNITS = 1024,
  BATCH = 64,
  STEPS = 6,
  CHOICES = 8, /* of gates, taken in turn, so that no choice is at home in the caches */
  ROUNDS = 5,
};

const double sl_speed_offsets[SL_SPEED_OFFSETS] = { 0, -0.25, -0.5, -0.75 };
const size_t sl_speed_gates[SL_SPEED_GATES] = { 16, 32, 64 };

struct SlSpeedModel
{
  SlSpeedKind kind;
  SlArena     arena;
  SlGruNet    net;
  SlGruRun    train, deploy;
  sl_real  *state, *z, *logits, *work, *given; /* given (CHOICES, STEPS, LAYERS, BATCH, columns) */
  sl_real  *spare;                             /* (STEPS, BATCH, 3 UNITS) */
  uint32_t *rows;
  uint8_t  *symbol; /* (STEPS + 1, BATCH) */
  unsigned  turn;
};

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
cut (SlSpeedModel *model)
{
  SlGruNet *net = &model->net;
  SlArena  *arena = &model->arena;

  sl_gru_net_carve (net, true, arena, arena);
  sl_gru_run_carve (&model->train, net, BATCH, STEPS, true, arena);
  sl_gru_run_carve (&model->deploy, net, BATCH, 1, false, arena);
  model->state = sl_arena_reals (arena, sl_gru_net_state (net));
  model->z = sl_arena_reals (arena, (size_t) LAYERS * UNITS);
  model->logits = sl_arena_reals (arena, SYMBOLS);
  model->work = sl_arena_reals (arena, sl_gru_net_work (net));
  model->given = sl_arena_reals (arena, CHOICES * choice_size (net));
  model->spare = sl_arena_reals (arena, (size_t) STEPS * BATCH * 3 * UNITS);
  model->rows = sl_arena_carve (arena, UNITS, sizeof *model->rows);
  model->symbol = sl_arena_carve (arena, (STEPS + 1) * BATCH, 1);
}

static SlStatus
model_init (SlSpeedModel *model, size_t gates)
{
  static const SlGruGating gatings[] = { [SL_SPEED_DENSE] = SL_GRU_DENSE,
                                         [SL_SPEED_UNITS] = SL_GRU_UNITS,
                                         [SL_SPEED_BLOCKS] = SL_GRU_BLOCKS,
                                         [SL_SPEED_MIXED] = SL_GRU_MIXED };
  SlStatus                 status;
  SlRng                    rng;

  sl_gru_net_shape (&model->net, gatings[model->kind], true, false, SYMBOLS, LAYERS, UNITS, gates);
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

SlSpeedModel *
sl_speed_model_new (SlSpeedKind kind, size_t gates, SlStatus *status)
{
  SlSpeedModel *model = g_new0 (SlSpeedModel, 1);

  model->kind = kind;
  *status = model_init (model, gates);
  if (sl_ok (status))
    return model;
  sl_speed_model_free (model);
  return NULL;
}

void
sl_speed_model_free (SlSpeedModel *model)
{
  if (model == NULL)
    return;
  sl_arena_clear (&model->arena);
  g_free (model);
}

/* In every row of every choice exactly the share `alpha` of the gates is on. */
static void
force (SlSpeedModel *model, double alpha)
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
gates_of (SlSpeedModel *model, bool given)
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
pass_one (SlSpeedModel *model)
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
pass_batch (SlSpeedModel *model)
{
  SlGruGates gates = gates_of (model, true);

  sl_gru_net_forward (&model->net, &model->deploy, 1, model->symbol, &gates);
  sl_gru_net_carry (&model->net, &model->deploy, 1);
}

/* One update over a stretch of symbols. */
static void
pass_train (SlSpeedModel *model)
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
faster (SlSpeedModel *dense, SlSpeedModel *gated, void (*pass) (SlSpeedModel *), int repeats)
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

void
sl_speed_measure (SlSpeedModel *dense, SlSpeedModel *gated, unsigned row, bool trains,
                  SlSpeedCell *cell)
{
  bool   blocks = gated->kind == SL_SPEED_BLOCKS || gated->kind == SL_SPEED_MIXED;
  double both[LAYERS];

  cell->alpha = sl_norm_share_on (sl_speed_offsets[row], false);
  for (int l = 0; l < LAYERS; l++)
    both[l] = cell->alpha;
  cell->bound = sl_gru_net_bound (&gated->net, both);
  force (gated, cell->alpha);
  /* Many passes in a row: with the first one the weights come from beyond the caches that the other
   * network had, as they do not in a text.  */
  cell->ours = faster (dense, gated, blocks ? pass_batch : pass_one, 12);
  cell->train = trains ? faster (dense, gated, pass_train, 1) : (double) NAN;
}

/* The products of a dense update with nothing around them. */
static void
bare_products (const SlSpeedModel *model)
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

double
sl_speed_bare_share (SlSpeedModel *dense)
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
  return sl_median (ratios, ROUNDS);
}
