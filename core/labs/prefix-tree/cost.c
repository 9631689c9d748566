/* SPDX-License-Identifier: MIT
 *
 * What passes and updates of the lab `prefix-tree` are made of.  */
#include "core/lab/kit/cost.h"

#include <math.h>
#include <stdlib.h>

#include "core/labs/prefix-tree/lab.h"

enum {
  TIMED = 256, /* examples of a pass, as the lab's clock has them */
  LOOKED = 64, /* examples that pixels are looked at of */
};

/* Numbers of a loop that moving an example, and calling what works on a cell, take. */
static const double each_moved = 10, each_cell = 20;

/* The same of finding a median. */
static const double selecting = 5;

/* What a unit tells under a fixed threshold: examples are alike, and most units on for nearly all of them or for
 * hardly one.  */
static const double alike = 0.45;

/* Share of the nodes of a level that are in use where bits are not independent. */
static const double used = 0.6;

/* A tree and how much a bit tells, from 0 to 1. */
typedef struct
{
  const SlTree *tree;
  double        telling;
} Paths;

/* Examples at the nodes of a level: nodes with any, and how many one of them has. */
typedef struct
{
  double busy;
  size_t each;
} Spread;

static Spread
spread_of (const Paths *paths, unsigned level, size_t batch)
{
  double nodes = level == 0 ? 1 : fmax (1, used * exp2 (level * paths->telling));
  double all = (double) batch;
  Spread spread = { .busy = nodes * (1 - pow (1 - 1 / nodes, all)) };

  spread.each = (size_t) fmax (1, round (all / spread.busy));
  return spread;
}

static double
entropy (double p)
{
  return p > 0 && p < 1 ? -p * log2 (p) - (1 - p) * log2 (1 - p) : 0;
}

/* Entropy of what pixels from the first to the last one say under the fixed threshold, of some examples; 1 where
 * the data cannot be looked at.  */
static double
look_at_pixels (const SlPrefixLab *s, size_t last)
{
  const SlDataset *data = s->base.dataset;
  size_t           n = data->n[SL_TRAIN] < LOOKED ? data->n[SL_TRAIN] : LOOKED, d = data->features;
  sl_real         *x = malloc (n * d * sizeof *x), tau = (sl_real) sl_value_of (&s->base, P_TAU);
  uint8_t         *label = malloc (n);
  double           sum = 0;

  if (x != NULL && label != NULL)
    sl_dataset_range (data, 0, n, x, label);
  for (size_t j = 0; x != NULL && label != NULL && j < last; j++)
    {
      double on = 0;

      for (size_t e = 0; e < n; e++)
        on += x[e * d + j] > tau;
      sum += entropy (on / (double) n);
    }
  free (x);
  free (label);
  return x != NULL && label != NULL ? sum / (double) last : 1;
}

/* Thresholds that follow the median are on for half of the examples. */
static Paths
paths_of (const SlPrefixLab *s, const SlPrefixLayer *layer)
{
  const SlTree *tree = &layer->tree;
  Paths         paths = { tree, 1 };
  bool          first = sl_value_of (&s->base, P_SOURCES) == SOURCES_FIRST;

  if (!is_sampled (s) && sl_value_of (&s->base, P_THRESHOLD) == THRESHOLD_FIXED)
    paths.telling
      = layer->raw ? look_at_pixels (s, first ? tree->bits : tree->shape.inputs) : alike;
  return paths;
}

static size_t
window_inputs (const SlTree *tree)
{
  return (tree->shape.inputs + tree->windows - 1) / tree->windows;
}

/* Numbers of all cells that examples of a batch get to. */
static size_t
cells_of (const Paths *paths, size_t batch)
{
  const SlTree *tree = paths->tree;
  double        cells = 0;

  for (unsigned level = tree->top; level <= tree->shape.k; level++)
    cells += spread_of (paths, level, batch).busy;
  return (size_t) (cells * tree->windows) * tree->shape.units * window_inputs (tree);
}

/* Products of the levels from `from` on, in all windows. */
static void
add_levels (const Paths *paths, SlWorkload *work, size_t batch, unsigned from)
{
  const SlTree *tree = paths->tree;
  for (unsigned level = from > tree->top ? from : tree->top; level <= tree->shape.k; level++)
    {
      Spread spread = spread_of (paths, level, batch);

      sl_cost_add (work, SL_COST_DOWN, tree->windows * spread.busy, spread.each, tree->shape.units,
                   window_inputs (tree));
    }
}

/* Sorting the examples of every window, and moving what they have one by one; a few numbers more for every
 * cell.  */
static void
add_loops (const Paths *paths, SlWorkload *work, size_t batch)
{
  const SlTree *tree = paths->tree;
  double        cells = 0;

  for (unsigned level = tree->top; level <= tree->shape.k; level++)
    cells += spread_of (paths, level, batch).busy;
  sl_cost_add (work, SL_COST_LOOP, (double) tree->windows * (tree->shape.k + each_moved), batch, 1,
               1);
  sl_cost_add (work, SL_COST_LOOP, (double) tree->windows * each_cell, (size_t) cells, 1, 1);
}

/* The tree alone, examples sorted by their paths. */
static void
add_forward (const Paths *paths, SlWorkload *work, size_t batch)
{
  const SlTree *tree = paths->tree;
  size_t        q = tree->shape.units;

  add_loops (paths, work, batch);
  sl_cost_add (work, SL_COST_COPY, 1, batch, q + tree->shape.inputs, 1);
  add_levels (paths, work, batch, 0);
  sl_cost_add (work, SL_COST_READ, 1, cells_of (paths, batch), 1, 1);
  sl_cost_add (work, SL_COST_RELU, tree->windows, batch, q, 1);
}

/* What each level gives is multiplied example by example, and on the way back the factor gets its slope. */
static void
add_gains (const Paths *paths, SlWorkload *work, size_t batch)
{
  const SlTree *tree = paths->tree;
  double        levels = (double) tree->windows * (tree->shape.k + 1 - tree->top);

  sl_cost_add (work, SL_COST_RELU, 3 * levels, batch, tree->shape.units, 1);
  sl_cost_add (work, SL_COST_DOT, levels, batch, window_inputs (tree), 1);
  sl_cost_add (work, SL_COST_RELU, levels, batch, window_inputs (tree), 1);
  sl_cost_add (work, SL_COST_LOOP, levels * each_moved, batch, 1, 1);
}

static SlCostKind
optimiser (const SlPrefixLab *s)
{
  static const SlCostKind of[] = { SL_COST_DESCENT, SL_COST_MOMENTUM, SL_COST_ADAM };

  return of[(SlOptimiser) sl_value_of (&s->base, P_OPTIMISER)];
}

/* How often an update goes through the cells of its batch after the forward pass: for the gradient of their
 * inputs, twice to read and write them as they decay and as they change, and each moment.  */
static double
passes (const SlPrefixLab *s)
{
  SlCostKind kind = optimiser (s);

  return 5 + (kind == SL_COST_ADAM ? 4 : kind == SL_COST_MOMENTUM ? 2 : 0);
}

/* What the levels from `from` on give towards a gradient, example by example. */
static void
add_weighing (const Paths *paths, SlWorkload *work, size_t batch, unsigned from)
{
  const SlTree *tree = paths->tree;
  unsigned      first = from > tree->top ? from : tree->top;

  add_levels (paths, work, batch, from);
  if (first <= tree->shape.k)
    sl_cost_add (work, SL_COST_DOT, (double) tree->windows * (tree->shape.k + 1 - first), batch,
                 tree->shape.units, 1);
}

/* What each bit is worth: all levels below it, along the path that it turns away from. */
static void
add_worth (const Paths *paths, SlWorkload *work, size_t batch)
{
  const SlTree *tree = paths->tree;
  add_weighing (paths, work, batch, 1);
  for (unsigned bit = 0; bit < tree->shape.k; bit++)
    add_weighing (paths, work, batch, bit + 1);
  sl_cost_add (work, SL_COST_READ, tree->shape.k + 1, cells_of (paths, batch), 1, 1);
  sl_cost_add (work, SL_COST_COPY, tree->windows * (tree->shape.k + 1), batch, window_inputs (tree),
               1);
}

static void
add_backward (const SlPrefixLab *s, const Paths *paths, SlWorkload *work, size_t batch)
{
  const SlTree *tree = paths->tree;
  size_t        q = tree->shape.units, inputs = window_inputs (tree);

  add_loops (paths, work, batch);
  sl_cost_add (work, SL_COST_COPY, 2, batch, q + tree->shape.inputs, 1);
  sl_cost_add (work, SL_COST_READ, passes (s), cells_of (paths, batch), 1, 1);
  for (unsigned level = tree->top; level <= tree->shape.k; level++)
    {
      Spread spread = spread_of (paths, level, batch);
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
  Paths         way = paths_of (s, layer), *paths = &way;

  if (is_sampled (s))
    {
      add_layer (s, work, tree->shape.inputs, tree->bits, true);
      sl_cost_add (work, SL_COST_DRAW, 1, batch, tree->bits, 1);
      sl_cost_add (work, SL_COST_LOOP, 4, batch, tree->bits, 1);
    }
  else if (sl_value_of (&s->base, P_THRESHOLD) == THRESHOLD_MEDIAN)
    sl_cost_add (work, SL_COST_LOOP, selecting, batch, tree->bits, 1);
  add_forward (paths, work, batch);
  if (sl_prefix_credit (s) == CREDIT_THROUGH || sl_prefix_credit (s) == CREDIT_THROUGH_SLOPE)
    add_worth (paths, work, batch);
  if (sl_prefix_is_modulated (s))
    add_gains (paths, work, batch);
  add_backward (s, paths, work, batch);
}

void
sl_prefix_work (const SlLabState *state, SlWorkload *work)
{
  const SlPrefixLab *s = (const SlPrefixLab *) state;
  const SlTree      *tree = &s->layer[0].tree;
  Paths              paths = paths_of (s, &s->layer[0]);
  size_t             batch = sl_count_of (state, P_BATCH);

  work->batch = TIMED;
  sl_cost_begin (work, SL_COST_OF_DENSE);
  sl_cost_add (work, SL_COST_COPY, 1, TIMED, tree->shape.units, 1);
  sl_cost_add (work, SL_COST_DOWN, 1, TIMED, tree->shape.units, tree->shape.inputs);
  sl_cost_begin (work, SL_COST_OF_PASS);
  add_forward (&paths, work, TIMED);
  sl_cost_begin (work, SL_COST_OF_STEP);
  sl_cost_add (work, SL_COST_COPY, 1, batch, s->body.width[0], 1);
  for (unsigned l = 0; l < s->body.layers; l++)
    add_layer (s, work, s->body.width[l], s->body.width[l + 1], l > 0);
  for (unsigned l = 0; l < s->layers; l++)
    add_tree (s, &s->layer[l], work, batch);
  add_layer (s, work, tree->shape.units, s->outputs, true);
  sl_cost_add (work, SL_COST_SOFTMAX, 1, batch, s->outputs, 1);
}
