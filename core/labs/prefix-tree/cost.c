/* SPDX-License-Identifier: MIT
 *
 * What passes and updates of the lab `prefix-tree` are made of.  */
#include "core/lab/kit/cost.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/rng.h"
#include "core/labs/prefix-tree/lab.h"

enum {
  TIMED = 256, /* examples of a pass, as the lab's clock has them */
  LOOKED = 64, /* examples that are looked at, */
  TURNS = 6,   /* bits of a path that they are sent along, */
  DRAWS = 4,   /* and paths that are drawn for each */
};

/* Numbers of a loop that moving an example, and calling what works on a cell, take. */
static const double each_moved = 10, each_cell = 20;

/* The same of finding a median. */
static const double selecting = 5;

/* Nodes of level l that are in use: 2 to l to this, of bits that are drawn, and of hidden units where the data cannot
 * be looked at.  */
static const double drawn = 0.92, hidden = 0.7;

/* Share of the nodes of a level that are in use where bits are pixels. */
static const double used = 0.6;

/* A tree, and how many of its nodes are in use: of bits that are pixels by how much one tells, from 0 to 1; of
 * others by the power of the level above.  */
typedef struct
{
  const SlTree *tree;
  bool          pixels;
  double        telling, power;
} Paths;

/* Examples at the nodes of a level: nodes with any, and how many one of them has. */
typedef struct
{
  double busy;
  size_t each;
} Spread;

/* How many of these nodes get one of so many examples. */
static double
visited (double nodes, double examples)
{
  return nodes * (1 - pow (1 - 1 / nodes, examples));
}

static Spread
spread_of (const Paths *paths, unsigned level, size_t batch)
{
  double nodes = level == 0      ? 1
                 : paths->pixels ? fmax (1, used * exp2 (level * paths->telling))
                                 : exp2 (pow (level, paths->power));
  double all = (double) batch;
  Spread spread = { .busy = visited (nodes, all) };

  spread.each = (size_t) fmax (1, round (all / spread.busy));
  return spread;
}

static double
entropy (double p)
{
  return p > 0 && p < 1 ? -p * log2 (p) - (1 - p) * log2 (1 - p) : 0;
}

/* The first examples (*n, D), at most LOOKED; NULL where they cannot be had.  To be freed. */
static sl_real *
look_at (const SlDataset *data, size_t *n)
{
  size_t   d = data->features;
  sl_real *x;
  uint8_t *label = malloc (LOOKED);

  *n = data->n[SL_TRAIN] < LOOKED ? data->n[SL_TRAIN] : LOOKED;
  x = label != NULL ? malloc (LOOKED * d * sizeof *x) : NULL;
  if (x != NULL)
    sl_dataset_range (data, 0, *n, x, label);
  free (label);
  return x;
}

/* Entropy of what pixels from the first to the last one say under the fixed threshold, of some examples; 1 where
 * the data cannot be looked at.  */
static double
look_at_pixels (const SlPrefixLab *s, size_t last)
{
  size_t   n, d = s->base.dataset->features;
  sl_real *x = look_at (s->base.dataset, &n), tau = (sl_real) sl_value_of (&s->base, P_TAU);
  double   sum = 0;

  for (size_t j = 0; x != NULL && j < last; j++)
    {
      double on = 0;

      for (size_t e = 0; e < n; e++)
        on += x[e * d + j] > tau;
      sum += entropy (on / (double) n);
    }
  free (x);
  return x != NULL ? sum / (double) last : 1;
}

/* Puts a bit more at the end of each path: whether an example (n, D) is beyond the median along a direction that is
 * drawn.  */
static void
turn (SlRng *rng, size_t n, size_t d, const sl_real *x, unsigned path[LOOKED])
{
  double along[LOOKED] = { 0 }, sorted[LOOKED], middle;

  for (size_t j = 0; j < d; j++)
    {
      double w = 2 * sl_rng_uniform (rng) - 1;

      for (size_t e = 0; e < n; e++)
        along[e] += w * (double) x[e * d + j];
    }
  memcpy (sorted, along, sizeof sorted);
  middle = sl_median (sorted, n);
  for (size_t e = 0; e < n; e++)
    path[e] = 2 * path[e] + (along[e] > middle);
}

/* To what power of the level the logarithm of the nodes in use grows, behind hidden units with first weights:
 * examples are alike, and each bit splits fewer of them.  */
static double
look_at_paths (const SlPrefixLab *s)
{
  size_t   n, d = s->base.dataset->features;
  sl_real *x = look_at (s->base.dataset, &n);
  double   seen = 0, least = 1, most = 1 << TURNS, nodes;
  SlRng    rng;

  if (x == NULL)
    return hidden;
  sl_rng_init (&rng, 1, "paths");
  for (unsigned i = 0; i < DRAWS; i++)
    {
      unsigned path[LOOKED] = { 0 };
      bool     at[1 << TURNS] = { false };

      for (unsigned bit = 0; bit < TURNS; bit++)
        turn (&rng, n, d, x, path);
      for (size_t e = 0; e < n; e++)
        {
          seen += !at[path[e]];
          at[path[e]] = true;
        }
    }
  free (x);
  for (unsigned i = 0; i < 40; i++)
    {
      nodes = sqrt (least * most);
      if (visited (nodes, (double) n) < seen / DRAWS)
        least = nodes;
      else
        most = nodes;
    }
  return log (fmax (log2 (least), 1)) / log (TURNS);
}

static Paths
paths_of (const SlPrefixLab *s, const SlPrefixLayer *layer)
{
  const SlTree *tree = &layer->tree;
  Paths         paths = { tree, layer->raw && !is_sampled (s), 1, drawn };
  bool          first = sl_value_of (&s->base, P_SOURCES) == SOURCES_FIRST;

  /* Thresholds that follow the median are on for half of the examples. */
  if (paths.pixels && sl_value_of (&s->base, P_THRESHOLD) == THRESHOLD_FIXED)
    paths.telling = look_at_pixels (s, first ? tree->bits : tree->shape.inputs);
  else if (!layer->raw && !is_sampled (s))
    paths.power = look_at_paths (s);
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
