/* SPDX-License-Identifier: MIT
 *
 * What passes and updates of the lab `prefix-tree` are made of.  */
#include "core/lab/kit/cost.h"

#include <math.h>

#include "core/labs/prefix-tree/lab.h"

enum { TIMED = 256 /* examples of a pass, as the lab's clock has them */ };

/* Numbers of a loop that moving an example, and calling what works on a cell, take. */
static const double each_moved = 10, each_cell = 20;

/* The same of finding a median. */
static const double selecting = 5;

/* Share of the nodes of a level that are in use where bits are not independent. */
static const double used = 0.6;

/* Examples at the nodes of a level: nodes with any, and how many one of them has. */
typedef struct
{
  double busy;
  size_t each;
} Spread;

static Spread
spread_of (unsigned level, size_t batch)
{
  double nodes = level == 0 ? 1 : fmax (1, used * ldexp (1, (int) level)), all = (double) batch;
  Spread spread = { .busy = nodes * (1 - pow (1 - 1 / nodes, all)) };

  spread.each = (size_t) fmax (1, round (all / spread.busy));
  return spread;
}

static size_t
window_inputs (const SlTree *tree)
{
  return (tree->shape.inputs + tree->windows - 1) / tree->windows;
}

/* Numbers of all cells that examples of a batch get to. */
static size_t
cells_of (const SlTree *tree, size_t batch)
{
  double cells = 0;

  for (unsigned level = tree->top; level <= tree->shape.k; level++)
    cells += spread_of (level, batch).busy;
  return (size_t) (cells * tree->windows) * tree->shape.units * window_inputs (tree);
}

/* Products of the levels from `from` on, in all windows. */
static void
add_levels (const SlTree *tree, SlWorkload *work, size_t batch, unsigned from)
{
  for (unsigned level = from > tree->top ? from : tree->top; level <= tree->shape.k; level++)
    {
      Spread spread = spread_of (level, batch);

      sl_cost_add (work, SL_COST_DOWN, tree->windows * spread.busy, spread.each, tree->shape.units,
                   window_inputs (tree));
    }
}

/* Sorting the examples of every window, and moving what they have one by one; a few numbers more for every
 * cell.  */
static void
add_loops (const SlTree *tree, SlWorkload *work, size_t batch)
{
  double cells = 0;

  for (unsigned level = tree->top; level <= tree->shape.k; level++)
    cells += spread_of (level, batch).busy;
  sl_cost_add (work, SL_COST_LOOP, (double) tree->windows * (tree->shape.k + each_moved), batch, 1,
               1);
  sl_cost_add (work, SL_COST_LOOP, (double) tree->windows * each_cell, (size_t) cells, 1, 1);
}

/* The tree alone, examples sorted by their paths. */
static void
add_forward (const SlTree *tree, SlWorkload *work, size_t batch)
{
  size_t q = tree->shape.units;

  add_loops (tree, work, batch);
  sl_cost_add (work, SL_COST_COPY, 1, batch, q + tree->shape.inputs, 1);
  add_levels (tree, work, batch, 0);
  sl_cost_add (work, SL_COST_READ, 1, cells_of (tree, batch), 1, 1);
  sl_cost_add (work, SL_COST_RELU, tree->windows, batch, q, 1);
}

static SlCostKind
optimiser (const SlPrefixLab *s)
{
  static const SlCostKind of[] = { SL_COST_DESCENT, SL_COST_MOMENTUM, SL_COST_ADAM };

  return of[(SlOptimiser) sl_value_of (&s->base, P_OPTIMISER)];
}

/* How often an update goes through the cells of its batch after the forward pass: for the gradient of
 * their inputs, and to change them, once more for each moment.  */
static const double passes = 4;

/* What the levels from `from` on give towards a gradient, example by example. */
static void
add_weighing (const SlTree *tree, SlWorkload *work, size_t batch, unsigned from)
{
  unsigned first = from > tree->top ? from : tree->top;

  add_levels (tree, work, batch, from);
  if (first <= tree->shape.k)
    sl_cost_add (work, SL_COST_DOT, (double) tree->windows * (tree->shape.k + 1 - first), batch,
                 tree->shape.units, 1);
}

/* What each bit is worth: all levels below it, along the path that it turns away from. */
static void
add_worth (const SlTree *tree, SlWorkload *work, size_t batch)
{
  add_weighing (tree, work, batch, 1);
  for (unsigned bit = 0; bit < tree->shape.k; bit++)
    add_weighing (tree, work, batch, bit + 1);
  sl_cost_add (work, SL_COST_READ, tree->shape.k + 1, cells_of (tree, batch), 1, 1);
  sl_cost_add (work, SL_COST_COPY, tree->windows * (tree->shape.k + 1), batch, window_inputs (tree),
               1);
}

static void
add_backward (const SlPrefixLab *s, const SlTree *tree, SlWorkload *work, size_t batch)
{
  size_t q = tree->shape.units, inputs = window_inputs (tree);

  add_loops (tree, work, batch);
  sl_cost_add (work, SL_COST_COPY, 2, batch, q + tree->shape.inputs, 1);
  sl_cost_add (work, SL_COST_READ, passes, cells_of (tree, batch), 1, 1);
  for (unsigned level = tree->top; level <= tree->shape.k; level++)
    {
      Spread spread = spread_of (level, batch);
      double cells = tree->windows * spread.busy;

      sl_cost_add (work, SL_COST_FORWARD, cells, spread.each, inputs, q);
      sl_cost_add (work, SL_COST_WEIGHTS, cells, inputs, q, spread.each);
      sl_cost_add (work, SL_COST_RELU, 2 * cells, inputs, q, 1);
      sl_cost_add (work, optimiser (s), cells, inputs, q, 1);
    }
}

/* A dense layer with its update. */
static void
add_layer (const SlPrefixLab *s, SlWorkload *work, size_t inputs, size_t units, bool below)
{
  size_t batch = sl_count_of (&s->base, P_BATCH);

  sl_cost_add_layer (work, batch, inputs, units);
  sl_cost_add_layer_backward (work, batch, inputs, units, below);
  sl_cost_add (work, SL_COST_RELU, 2, batch, units, 1);
  sl_cost_add (work, optimiser (s), 1, inputs + 1, units, 1);
}

/* A tree of a step, forward and backward. */
static void
add_tree (const SlPrefixLab *s, const SlPrefixLayer *layer, SlWorkload *work, size_t batch)
{
  const SlTree *tree = &layer->tree;

  if (is_sampled (s))
    {
      add_layer (s, work, tree->shape.inputs, tree->bits, true);
      sl_cost_add (work, SL_COST_DRAW, 1, batch, tree->bits, 1);
      sl_cost_add (work, SL_COST_LOOP, 4, batch, tree->bits, 1);
    }
  else if (sl_value_of (&s->base, P_THRESHOLD) == THRESHOLD_MEDIAN)
    sl_cost_add (work, SL_COST_LOOP, selecting, batch, tree->bits, 1);
  add_forward (tree, work, batch);
  if (sl_prefix_credit (s) == CREDIT_THROUGH || sl_prefix_credit (s) == CREDIT_THROUGH_SLOPE)
    add_worth (tree, work, batch);
  add_backward (s, tree, work, batch);
}

void
sl_prefix_work (const SlLabState *state, SlWorkload *work)
{
  const SlPrefixLab *s = (const SlPrefixLab *) state;
  const SlTree      *tree = &s->layer[0].tree;
  size_t             batch = sl_count_of (state, P_BATCH);

  work->batch = TIMED;
  sl_cost_begin (work, SL_COST_OF_DENSE);
  sl_cost_add (work, SL_COST_COPY, 1, TIMED, tree->shape.units, 1);
  sl_cost_add (work, SL_COST_DOWN, 1, TIMED, tree->shape.units, tree->shape.inputs);
  sl_cost_begin (work, SL_COST_OF_PASS);
  add_forward (tree, work, TIMED);
  sl_cost_begin (work, SL_COST_OF_STEP);
  sl_cost_add (work, SL_COST_COPY, 1, batch, s->body.width[0], 1);
  for (unsigned l = 0; l < s->body.layers; l++)
    add_layer (s, work, s->body.width[l], s->body.width[l + 1], l > 0);
  for (unsigned l = 0; l < s->layers; l++)
    add_tree (s, &s->layer[l], work, batch);
  add_layer (s, work, tree->shape.units, s->outputs, true);
  sl_cost_add (work, SL_COST_SOFTMAX, 1, batch, s->outputs, 1);
}
