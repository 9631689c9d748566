/* SPDX-License-Identifier: MIT
 *
 * What passes and updates of the lab `prefix-tree` are made of.  */
#include "core/lab/kit/cost.h"

#include <math.h>

#include "core/labs/prefix-tree/paths.h"

enum { TIMED = 256 /* examples of a pass, as the lab's clock has them */ };

/* Numbers of a loop that moving an example, and calling what works on a cell, take. */
static const double each_moved = 10, each_cell = 20;

/* The same of finding a median. */
static const double selecting = 5;

/* A tree, and the nodes that a batch reaches. */
typedef struct
{
  const SlTree         *tree;
  const SlPrefixSpread *spread;
} Paths;

static size_t
window_inputs (const SlTree *tree)
{
  return (tree->shape.inputs + tree->windows - 1) / tree->windows;
}

/* The cells of some levels by how many examples they have, each level as often as `times` says. */
static SlPrefixLevel
join_levels (const Paths *paths, const double times[MOST_K + 1])
{
  const SlTree *tree = paths->tree;
  SlPrefixLevel all = { 0 };

  for (unsigned level = tree->top; level <= tree->shape.k; level++)
    for (unsigned c = 0; c < SL_PREFIX_CLASSES; c++)
      {
        all.nodes[c] += times[level] * paths->spread->level[level].nodes[c];
        all.examples[c] += times[level] * paths->spread->level[level].examples[c];
      }
  return all;
}

static SlPrefixLevel
all_levels (const Paths *paths)
{
  double once[MOST_K + 1];

  for (unsigned level = 0; level <= MOST_K; level++)
    once[level] = 1;
  return join_levels (paths, once);
}

static double
sum (const double *numbers)
{
  double all = 0;

  for (unsigned c = 0; c < SL_PREFIX_CLASSES; c++)
    all += numbers[c];
  return all;
}

/* How many examples a cell of a class has. */
static size_t
each_of (const SlPrefixLevel *cells, unsigned class)
{
  double each = round (cells->examples[class] / cells->nodes[class]);

  return each > 1 ? (size_t) each : 1;
}

/* Numbers of all cells that examples of a batch get to. */
static size_t
cells_of (const Paths *paths)
{
  SlPrefixLevel all = all_levels (paths);

  return (size_t) sum (all.nodes) * paths->tree->shape.units * window_inputs (paths->tree);
}

/* The products of these cells. */
static void
add_cells (const Paths *paths, SlWorkload *work, const SlPrefixLevel *cells)
{
  for (unsigned c = 0; c < SL_PREFIX_CLASSES; c++)
    if (cells->nodes[c] > 0)
      sl_cost_add (work, SL_COST_DOWN, cells->nodes[c], each_of (cells, c),
                   paths->tree->shape.units, window_inputs (paths->tree));
}

/* Sorting the examples of every window, and moving what they have one by one; a few numbers more for every
 * cell.  */
static void
add_loops (const Paths *paths, SlWorkload *work, size_t batch)
{
  const SlTree *tree = paths->tree;
  SlPrefixLevel all = all_levels (paths);

  sl_cost_add (work, SL_COST_LOOP, (double) tree->windows * (tree->shape.k + each_moved), batch, 1,
               1);
  sl_cost_add (work, SL_COST_LOOP, each_cell, (size_t) sum (all.nodes), 1, 1);
}

/* The tree alone, examples sorted by their paths. */
static void
add_forward (const Paths *paths, SlWorkload *work, size_t batch)
{
  const SlTree *tree = paths->tree;
  size_t        q = tree->shape.units;
  SlPrefixLevel all = all_levels (paths);

  add_loops (paths, work, batch);
  sl_cost_add (work, SL_COST_COPY, 1, batch, q + tree->shape.inputs, 1);
  add_cells (paths, work, &all);
  sl_cost_add (work, SL_COST_READ, 1, cells_of (paths), 1, 1);
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

/* What each bit is worth: all levels below it, along the path that it turns away from, and all levels but the
 * root along the path itself.  Of both, what a level gives is weighed example by example.  */
static void
add_worth (const Paths *paths, SlWorkload *work, size_t batch)
{
  const SlTree *tree = paths->tree;
  double        times[MOST_K + 1] = { 0 }, weighed = 0;
  SlPrefixLevel cells;

  for (unsigned level = tree->top > 1 ? tree->top : 1; level <= tree->shape.k; level++)
    weighed += times[level] = 1 + level;
  cells = join_levels (paths, times);
  add_cells (paths, work, &cells);
  sl_cost_add (work, SL_COST_DOT, (double) tree->windows * weighed, batch, tree->shape.units, 1);
  sl_cost_add (work, SL_COST_READ, tree->shape.k + 1, cells_of (paths), 1, 1);
  sl_cost_add (work, SL_COST_COPY, tree->windows * (tree->shape.k + 1), batch, window_inputs (tree),
               1);
}

static void
add_backward (const SlPrefixLab *s, const Paths *paths, SlWorkload *work, size_t batch)
{
  const SlTree *tree = paths->tree;
  size_t        q = tree->shape.units, inputs = window_inputs (tree);
  SlPrefixLevel all = all_levels (paths);

  add_loops (paths, work, batch);
  sl_cost_add (work, SL_COST_COPY, 2, batch, q + tree->shape.inputs, 1);
  sl_cost_add (work, SL_COST_READ, passes (s), cells_of (paths), 1, 1);
  for (unsigned c = 0; c < SL_PREFIX_CLASSES; c++)
    if (all.nodes[c] > 0)
      {
        sl_cost_add (work, SL_COST_FORWARD, all.nodes[c], each_of (&all, c), inputs, q);
        sl_cost_add (work, SL_COST_WEIGHTS, all.nodes[c], inputs, q, each_of (&all, c));
      }
  sl_cost_add (work, SL_COST_RELU, 2 * sum (all.nodes), inputs, q, 1);
  sl_cost_add (work, optimiser (s), sum (all.nodes), inputs, q, 1);
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
add_tree (const SlPrefixLab *s, const Paths *paths, SlWorkload *work, size_t batch)
{
  const SlTree *tree = paths->tree;

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
  size_t             batch = sl_count_of (state, P_BATCH);
  SlPrefixSpread     pass, step[MOST_TREES];

  if (!sl_prefix_spread (s, TIMED, &pass, step))
    return;
  work->batch = TIMED;
  sl_cost_begin (work, SL_COST_OF_DENSE);
  sl_cost_add (work, SL_COST_COPY, 1, TIMED, tree->shape.units, 1);
  sl_cost_add (work, SL_COST_DOWN, 1, TIMED, tree->shape.units, tree->shape.inputs);
  sl_cost_begin (work, SL_COST_OF_PASS);
  add_forward (&(Paths) { tree, &pass }, work, TIMED);
  sl_cost_begin (work, SL_COST_OF_STEP);
  sl_cost_add (work, SL_COST_COPY, 1, batch, s->body.width[0], 1);
  for (unsigned l = 0; l < s->body.layers; l++)
    add_layer (s, work, s->body.width[l], s->body.width[l + 1], l > 0);
  for (unsigned l = 0; l < s->layers; l++)
    add_tree (s, &(Paths) { &s->layer[l].tree, &step[l] }, work, batch);
  add_layer (s, work, tree->shape.units, s->outputs, true);
  sl_cost_add (work, SL_COST_SOFTMAX, 1, batch, s->outputs, 1);
}
