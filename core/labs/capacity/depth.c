/* SPDX-License-Identifier: MIT
 *
 * Depth transfer of the lab `capacity`: small rectifier networks on a ring learn y(p) = x(p - d)
 * x(p + d) at a depth of 8, and then, everything else kept, at 16 … 128 with the scale of their
 * layers β (L/8)^(-a).  Or recurrent ones, whose L steps have one layer of weights, learn y(p) = x₁(p - d) of the
 * first of L inputs; the others come with the scale 1/√L, unscaled, or with 1/L.  One update per step of the lab;
 * depths and exponents take turns until every seed had all.  */
#include <math.h>
#include <string.h>

#include "core/labs/capacity/lab.h"
#include "core/nn/kernels/normal.h"
#include "core/nn/optim/optim.h"

/* As the measurement that this repeats had it. */
enum {
  BATCH = 16,
  RING = 32,
  ROWS = BATCH * RING,
  WIDE = 12,
  TAPS = 3,
  LAYER = TAPS * WIDE * WIDE,
  SHALLOWEST = 8,
  DEEPEST = SHALLOWEST << (DEPTHS - 1),
  WEIGHTS = DEEPEST * LAYER + WIDE,
  TAIL = 20, /* last updates whose losses are averaged */
};

/* A loss beyond this counts as diverged, and is recorded as it. */
static const double WORST = 10.0;

/* clang-format off */
const SlResidual sl_capacity_transfer_layer
  = { .activation = SL_SHATTER_RECTIFIER, .rows = ROWS, .channels = WIDE, .taps = TAPS };
/* clang-format on */

size_t
sl_capacity_transfer_layers (unsigned depth)
{
  return (size_t) SHALLOWEST << depth;
}

void
sl_capacity_transfer_carve (SlCapacityLab *s)
{
  s->transfer_w = sl_arena_reals (&s->base.kept, WEIGHTS);
  s->transfer_m = sl_arena_reals (&s->base.kept, WEIGHTS);
  s->transfer_v = sl_arena_reals (&s->base.kept, WEIGHTS);
  s->lift = sl_arena_reals (&s->base.kept, 2 * WIDE);
  s->task_x = sl_arena_reals (&s->base.kept, ROWS);
  s->task_y = sl_arena_reals (&s->base.kept, ROWS);
  s->transfer_g = sl_arena_reals (&s->base.scratch, WEIGHTS);
  s->transfer_scaled = sl_arena_reals (&s->base.scratch, LAYER);
  s->transfer_step = sl_arena_reals (&s->base.scratch, LAYER);
  s->tape_slope = sl_arena_reals (&s->base.scratch, (size_t) DEEPEST * ROWS * WIDE);
  s->tape_value = sl_arena_reals (&s->base.scratch, (size_t) DEEPEST * ROWS * WIDE);
  s->tape_h = sl_arena_reals (&s->base.scratch, ROWS * WIDE);
  s->tape_delta = sl_arena_reals (&s->base.scratch, ROWS * WIDE);
  s->tape_side = sl_arena_reals (&s->base.scratch, ROWS);
  s->tape_extra = sl_arena_reals (&s->base.scratch, ROWS * WIDE);
  s->tape_room
    = sl_arena_reals (&s->base.scratch, sl_residual_work (&sl_capacity_transfer_layer) + ROWS);
  s->task_from = sl_arena_carve (&s->base.scratch, (size_t) ROWS * TAPS, sizeof *s->task_from);
  if (s->task_from == NULL)
    return;
  for (int r = 0; r < ROWS; r++)
    for (int k = 0; k < TAPS; k++)
      s->task_from[r * TAPS + k] = r / RING * RING + (r % RING + k - 1 + RING) % RING;
}

static size_t
layers_of (const SlCapacityLab *s)
{
  return sl_capacity_transfer_layers (s->now->transfer.depth);
}

static bool
is_recurrent (const SlCapacityLab *s)
{
  return sl_value_of (&s->base, P_TASK) == TASK_RECALL;
}

/* Weights of layers that are kept: a recurrent network has one for all. */
static size_t
kept_layers (const SlCapacityLab *s)
{
  return is_recurrent (s) ? 1 : layers_of (s);
}

/* β of a layer of the job at hand. */
static double
strength (const SlCapacityLab *s)
{
  return sl_value_of (&s->base, P_STRENGTH)
         * pow ((double) layers_of (s) / SHALLOWEST, -0.5 * s->now->transfer.exponent);
}

/* What is trained at the depth of the job at hand. */
static void
find_weights (SlCapacityLab *s)
{
  s->base.weights = (SlSpan) { s->transfer_w, kept_layers (s) * LAYER + WIDE };
}

/* First weights of the job: the same stream for each seed, so that exponents compare. */
static void
begin (SlCapacityLab *s)
{
  Transfer *t = &s->now->transfer;
  size_t    layers = kept_layers (s);
  SlRng     init;

  sl_rng_init (&init, s->now->seed + t->seed, "depth transfer");
  sl_normal_fill (&init, 2 * WIDE, s->lift);
  sl_normal_fill (&init, layers * LAYER, s->transfer_w);
  for (size_t i = 0; i < layers * LAYER; i++)
    s->transfer_w[i] *= (sl_real) sqrt (2.0 / (WIDE * TAPS));
  memset (s->transfer_w + layers * LAYER, 0, WIDE * sizeof *s->transfer_w);
  memset (s->transfer_m, 0, WEIGHTS * sizeof *s->transfer_m);
  memset (s->transfer_v, 0, WEIGHTS * sizeof *s->transfer_v);
  sl_rng_init (&t->data, s->now->seed + t->seed, "depth transfer data");
  t->updates = 0;
  t->tail = 0.0;
  t->tail_n = 0;
  t->begun = true;
  find_weights (s);
}

void
sl_capacity_transfer_clear (SlCapacityLab *s)
{
  s->now->transfer = (Transfer) { 0 };
  begin (s);
}

static void
draw_batch (SlCapacityLab *s)
{
  long far = (long) sl_value_of (&s->base, P_DISTANCE);
  bool recurrent = is_recurrent (s);

  sl_normal_fill (&s->now->transfer.data, ROWS, s->task_x);
  for (long r = 0; r < ROWS; r++)
    {
      const sl_real *ring = s->task_x + r / RING * RING;

      s->task_y[r] = ring[(r % RING + RING - far) % RING];
      if (!recurrent)
        s->task_y[r] *= ring[(r % RING + far) % RING];
    }
  s->now->transfer.sides = s->now->transfer.data;
  if (recurrent)
    sl_rng_next (&s->now->transfer.data);
}

static void
scale_layer (SlCapacityLab *s, size_t l, double factor)
{
  const sl_real *w = s->transfer_w + (is_recurrent (s) ? 0 : l) * LAYER;

  for (int i = 0; i < LAYER; i++)
    s->transfer_scaled[i] = (sl_real) factor * w[i];
}

/* The input of a step after the first, as it enters the state; the readout does not see it apart from that. */
static const sl_real *
draw_sides (SlCapacityLab *s, SlRng *rng)
{
  static const double power[]
    = { [SCALE_WITH_WEIGHTS] = -0.5, [SCALE_NONE] = 0.0, [SCALE_TWICE] = -1.0 };
  int     choice = (int) sl_value_of (&s->base, P_LEAK_SCALE);
  sl_real scale = (sl_real) pow ((double) layers_of (s), power[choice]);

  sl_normal_fill (rng, ROWS, s->tape_side);
  for (int r = 0; r < ROWS; r++)
    for (int c = 0; c < WIDE; c++)
      s->tape_extra[r * WIDE + c] = scale * s->tape_side[r] * s->lift[c];
  return s->tape_extra;
}

/* With the blow-up removed, each block is divided by √(1 + β²): here, one factor for both. */
static void
begin_pass (SlCapacityLab *s, double beta, sl_real *norm)
{
  bool    balanced = sl_is_on (&s->base, P_BALANCED);
  sl_real shrink = balanced ? (sl_real) (1.0 / sqrt (1.0 + beta * beta)) : 1;

  for (int r = 0; r < ROWS; r++)
    {
      norm[r] = shrink;
      for (int c = 0; c < WIDE; c++)
        s->tape_h[r * WIDE + c] = s->task_x[r] * s->lift[c] + s->lift[WIDE + c];
    }
}

/* Mean squared error; unless NULL, the gradient of the readout, and in tape_delta that of the state. */
static double
read_out (SlCapacityLab *s, const sl_real *readout, sl_real *gradient)
{
  sl_real root = (sl_real) (1.0 / sqrt ((double) WIDE));
  double  loss = 0.0;

  if (gradient != NULL)
    memset (gradient, 0, WIDE * sizeof *gradient);
  for (int r = 0; r < ROWS; r++)
    {
      sl_real wrong = -s->task_y[r];

      for (int c = 0; c < WIDE; c++)
        wrong += root * s->tape_h[r * WIDE + c] * readout[c];
      loss += (double) wrong * (double) wrong / ROWS;
      wrong *= (sl_real) 2 / ROWS * root;
      for (int c = 0; c < WIDE && gradient != NULL; c++)
        {
          gradient[c] += wrong * s->tape_h[r * WIDE + c];
          s->tape_delta[r * WIDE + c] = wrong * readout[c];
        }
    }
  return loss;
}

/* The loss on the batch; unless NULL, the gradient of all weights. */
static double
pass (SlCapacityLab *s, sl_real *gradient)
{
  size_t     layers = layers_of (s), kept = kept_layers (s);
  double     beta = strength (s), loss;
  sl_real   *norm = s->tape_room, *room = norm + ROWS;
  SlRng      sides = s->now->transfer.sides;
  SlResidual layer = sl_capacity_transfer_layer;

  layer.from = s->task_from;
  layer.norm = norm;
  layer.frozen = s->base.frozen;
  begin_pass (s, beta, norm);
  for (size_t l = 0; l < layers; l++)
    {
      scale_layer (s, l, beta);
      sl_residual_forward (&layer, s->transfer_scaled,
                           is_recurrent (s) ? draw_sides (s, &sides) : NULL, s->tape_h,
                           s->tape_slope + l * ROWS * WIDE, s->tape_value + l * ROWS * WIDE, room);
    }
  loss
    = read_out (s, s->transfer_w + kept * LAYER, gradient != NULL ? gradient + kept * LAYER : NULL);
  if (gradient != NULL)
    memset (gradient, 0, kept * LAYER * sizeof *gradient);
  for (size_t l = layers; gradient != NULL && l-- > 0;)
    {
      sl_real *own = gradient + (is_recurrent (s) ? 0 : l) * LAYER;

      scale_layer (s, l, beta);
      sl_residual_backward (&layer, s->transfer_scaled, s->tape_slope + l * ROWS * WIDE,
                            s->tape_value + l * ROWS * WIDE, s->tape_delta, s->transfer_step, room);
      for (int i = 0; i < LAYER; i++)
        own[i] += (sl_real) beta * s->transfer_step[i];
    }
  return loss;
}

static void
record (SlCapacityLab *s, double loss)
{
  Transfer *t = &s->now->transfer;

  /* At depth 8 all exponents are one network. */
  for (unsigned e = 0; e < 3; e++)
    if (e == t->exponent || t->depth == 0)
      {
        t->loss[t->seed][t->depth][e] = loss;
        t->done[t->depth][e] = t->seed + 1;
      }
}

/* The next job, in the order in which the picture fills up. */
static void
advance (SlCapacityLab *s)
{
  Transfer *t = &s->now->transfer;

  t->exponent = t->depth == 0 ? 3 : t->exponent + 1;
  if (t->exponent == 3)
    {
      t->exponent = 0;
      t->depth++;
    }
  if (t->depth == DEPTHS
      || sl_capacity_transfer_layers (t->depth) > sl_value_of (&s->base, P_DEEPEST))
    {
      t->depth = 0;
      t->seed++;
    }
  t->finished = t->seed == SEEDS;
  if (t->finished)
    t->seed = SEEDS - 1;
  else
    begin (s);
}

void
sl_capacity_transfer_step (SlCapacityLab *s, SlSink *sink, bool report)
{
  Transfer      *t = &s->now->transfer;
  SlOptimSetting optim = sl_optim_default ();
  size_t         layers = layers_of (s), n = s->base.weights.n;
  double         most = sl_value_of (&s->base, P_UPDATES);
  bool           lost;

  if (t->finished)
    return;
  draw_batch (s);
  t->last = pass (s, s->transfer_g);
  t->updates++;
  s->base.now.macs += 3.0 * (double) (ROWS * LAYER * layers);
  lost = !(t->last < WORST);
  if (!lost)
    {
      optim.rate = (sl_real) sl_value_of (&s->base, P_LEARNING_RATE);
      optim.beta2 = (sl_real) 0.99;
      sl_optim_step (&optim, t->updates, n, s->transfer_g, s->transfer_w, s->transfer_m,
                     s->transfer_v);
    }
  if ((double) t->updates + TAIL > most)
    {
      t->tail += fmin (t->last, WORST);
      t->tail_n++;
    }
  if (report)
    {
      sl_sink_value (sink, V_LOSS, T_LOSS, 0, lost ? WORST : t->last);
      sl_sink_value (sink, V_LOSS, T_BASELINE, 0, 1.0);
    }
  if (lost || (double) t->updates >= most)
    {
      record (s, lost ? WORST : t->tail / t->tail_n);
      advance (s);
    }
}

SlStatus
sl_capacity_transfer_restored (SlLabState *state)
{
  SlCapacityLab  *s = sl_capacity_lab (state);
  const Transfer *t = &s->now->transfer;
  bool fine = t->seed < SEEDS && t->depth < DEPTHS && t->exponent < 3 && sl_is_truth (&t->begun)
              && sl_is_truth (&t->finished);

  for (unsigned i = 0; i < DEPTHS; i++)
    for (unsigned e = 0; e < 3; e++)
      fine = fine && t->done[i][e] <= SEEDS;
  if (!fine)
    return sl_out_of_range ();
  find_weights (s);
  return SL_SUCCESS;
}

void
sl_capacity_transfer_freeze (SlLabState *state)
{
  draw_batch (sl_capacity_lab (state));
  pass (sl_capacity_lab (state), NULL);
}

double
sl_capacity_transfer_objective (SlLabState *state, sl_real *gradient)
{
  return pass (sl_capacity_lab (state), gradient);
}
