/* SPDX-License-Identifier: MIT
 *
 * The panels of the lab `prefix-tree` that need a computation of their own: leaves and norms, what k costs, the rules of decay, timed products.  They read the weights and use the
 * activations and paths as scratch, which every step fills anew.  */
#include "core/labs/prefix-tree/lab.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/lab/kit/clock.h"
#include "core/nn/kernels/blocks.h"
#include "core/nn/kernels/mat.h"

enum {
  MOST_SHOWN = 32, /* bits whose correlations are shown */
  AGES = 24,       /* classes of Δt, each twice the last */
  GAPS = 60,       /* points of the curves against Δt */
};

/* What is to be said of the whole tree, above all when it is not what was asked for. */
static void
note_tree (SlProbe *p, SlPrefixLab *s)
{
  const SlTree *tree = &sl_prefix_shown (s)->tree;
  unsigned      asked = (unsigned) sl_value_of (&s->base, P_K);

  if (s->layers > 1)
    sl_probe_note (p, "Tree %u of %u. ", (unsigned) (sl_prefix_shown (s) - s->layer) + 1,
                   s->layers);
  if (tree->shape.k < asked)
    sl_probe_note (p, "k is set to %u, but %u is used: the layer before the tree has %zu units. ",
                   asked, tree->shape.k, tree->shape.inputs);
  else if (tree->shape.window != SL_TREE_SHARED)
    sl_probe_note (p, "All %u windows of the %u bits: ", tree->windows, tree->bits);
}

static int
falling (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x < y) - (x > y);
}

static void
probe_leaves (SlProbe *p)
{
  SlPrefixLab  *s = sl_prefix_lab (p->state);
  const SlTree *tree = &sl_prefix_shown (s)->tree;
  size_t  leaves = (size_t) 1 << tree->shape.k, n = sl_prefix_route_validation (s), nonzero = 0;
  double *sorted = sl_probe_room (p, leaves, sizeof *sorted), even = 100.0 / (double) leaves;

  if (sorted == NULL)
    return;
  for (unsigned w = 0; w < tree->windows; w++)
    for (size_t e = 0; e < n; e++)
      sorted[tree->leaf[w * tree->shape.most + e]] += 100.0 / ((double) n * tree->windows);
  qsort (sorted, leaves, sizeof *sorted, falling);
  while (nonzero < leaves && sorted[nonzero] > 0.0)
    nonzero++;
  /* Empty leaves have no place on a logarithmic axis; their number is in the note. */
  sl_probe_values (p, T_SHARE, 0, 1, nonzero, sorted);
  sl_probe_points (p, T_EVEN, 0, 2, (double[]) { 1.0, (double) leaves }, (double[]) { even, even });
  note_tree (p, s);
  sl_probe_note (p, "%zu of %zu leaves reached by %zu validation examples", nonzero, leaves, n);
}

static void
probe_norms (SlProbe *p)
{
  SlPrefixLab *s = sl_prefix_lab (p->state);
  SlTree      *tree = &sl_prefix_shown (s)->tree;
  SlDecayClock clock = sl_prefix_clock (s);
  size_t       n = tree->shape.k + 1 - tree->top;
  double       largest[MOST_K + 1] = { 0 }, *mean = sl_probe_curve (p, T_NORM, 0, n, true);

  for (size_t i = 0; mean != NULL && i < n && !sl_probe_cancelled (p); i++)
    {
      unsigned level = tree->top + (unsigned) i;
      size_t   count = (size_t) 1 << level;
      double   sum = 0.0, squares = 0.0;

      for (size_t j = 0; j < count; j++)
        {
          double norm = sl_tree_norm (tree, count - 1 + j, &clock);

          sum += norm;
          squares += norm * norm;
          largest[i] = fmax (largest[i], norm);
        }
      sum /= (double) count;
      mean[i] = level;
      mean[n + i] = sum;
      mean[2 * n + i] = sqrt (fmax (0.0, squares / (double) count - sum * sum));
    }
  sl_probe_values (p, T_LARGEST, 0, tree->top, n, largest);
}

static void
probe_capacity (SlProbe *p)
{
  const SlTree *tree = &sl_prefix_shown (sl_prefix_lab (p->state))->tree;
  double        bytes = 3.0 * (double) tree->n * sizeof (sl_real), y[T_RATIO + 1][MOST_K + 1];

  for (unsigned k = 0; k <= MOST_K; k++)
    {
      double leaves = (double) (1u << k);

      y[T_PARAMETERS][k] = (double) sl_tree_nodes (k);
      y[T_FREEDOM][k] = leaves;
      y[T_MULTIPLIED][k] = k + 1.0;
      y[T_ADDED][k] = k;
      y[T_RATIO][k] = leaves / k;
    }
  for (unsigned trace = T_PARAMETERS; trace <= T_RATIO; trace++)
    {
      /* There is nothing to divide by, or to add, without bits. */
      unsigned from = trace == T_RATIO || trace == T_ADDED ? 1 : 0;

      sl_probe_values (p, trace, 0, from, MOST_K + 1 - from, y[trace] + from);
    }
  p->snapshot->mark = tree->shape.k;
  sl_probe_note (p, "%zu tables of %zu × %zu, %zu numbers, %.1f MiB with their moments",
                 tree->nodes, tree->shape.inputs, tree->shape.units, tree->n - tree->shape.units,
                 bytes / 1048576.0);
}

/* The class of a matrix's age: 0 for 1 update, i for up to 2^i. */
static unsigned
age_class (uint64_t age)
{
  unsigned i = 0;

  while (i + 1 < AGES && (uint64_t) 1 << i < age)
    i++;
  return i;
}

/* Counts the visited cells by age; returns how many there are. */
static size_t
count_ages (const SlPrefixLab *s, const SlTree *tree, size_t *count /* (AGES) */)
{
  size_t cells = tree->windows * tree->nodes, visited = 0;

  memset (count, 0, AGES * sizeof *count);
  for (size_t cell = 0; cell < cells; cell++)
    if (tree->touched[cell] > 0)
      {
        count[age_class (s->base.now.t + 1 - tree->touched[cell])]++;
        visited++;
      }
  return visited;
}

static void
probe_ages (SlProbe *p)
{
  SlPrefixLab  *s = sl_prefix_lab (p->state);
  const SlTree *tree = &sl_prefix_shown (s)->tree;
  size_t        count[AGES], visited = count_ages (s, tree, count);
  size_t        cells = tree->windows * tree->nodes;
  unsigned      n = age_class (s->base.now.t + 1) + 1;
  double       *curve = sl_probe_curve (p, 0, 0, n, false);

  if (curve == NULL)
    return;
  for (unsigned i = 0; i < n; i++)
    {
      curve[i] = (double) ((uint64_t) 1 << i);
      curve[n + i] = (double) count[i];
    }
  sl_probe_note (p, "Δt at update %llu, to the next power of two; %zu of %zu were never visited",
                 (unsigned long long) s->base.now.t + 1, cells - visited, cells);
}

/* The class in which half of the visited matrices are reached, as an age. */
static double
median_age (SlPrefixLab *s)
{
  size_t   count[AGES], visited = count_ages (s, &sl_prefix_shown (s)->tree, count), below = 0;
  unsigned i = 0;

  for (; i + 1 < AGES; i++)
    {
      below += count[i];
      if (2 * below >= visited)
        break;
    }
  return (double) ((uint64_t) 1 << i);
}

static void
probe_decay (SlProbe *p)
{
  SlPrefixLab *s = sl_prefix_lab (p->state);
  SlDecayKind  kind = (SlDecayKind) sl_value_of (&s->base, P_DECAY_KIND);
  double       rate = sl_value_of (&s->base, P_RATE), decay = sl_value_of (&s->base, P_DECAY);
  double       by = rate * decay, tick, most, x[GAPS], y[GAPS];

  if (!sl_probe_ok (p, sl_decay_tick (kind, rate, decay, &tick)) || tick == 0.0)
    {
      sl_probe_note (p, "The tables do not decay.");
      return;
    }
  /* Far enough for the weight to be all but gone. */
  most = fmin (ceil (3.0 / by) + 2.0, 1e9);
  for (unsigned trace = T_LOOKED; trace <= T_PRINTED; trace++)
    {
      for (int i = 0; i < GAPS; i++)
        {
          double  gap = round (pow (most, (double) i / (GAPS - 1)));
          double  done = trace == T_EXACT ? gap - 1.0 : trace == T_BEFORE ? gap : 0.0;
          sl_real w = 1;

          sl_decay_apply (kind, done * tick, 1, &w, &w);
          x[i] = gap;
          y[i] = (double) w;
          if (trace == T_LOOKED)
            y[i] = kind == SL_DECAY_L2 ? pow (1.0 - by, gap - 1.0)
                                       : fmax (0.0, 1.0 - by * (gap - 1.0));
        }
      sl_probe_points (p, trace, 0, GAPS, x, y);
    }
  p->snapshot->mark = median_age (s);
  sl_probe_note (p, "Learning rate × λ = %.3g per update", by);
}

/* The tree on the examples routed last. */
static void
run_tree (SlPrefixLayer *layer, size_t batch)
{
  /* As deployed: a network that is not trained has no decay to make up for. */
  sl_tree_route (&layer->tree, batch, layer->bit);
  sl_tree_forward (&layer->tree, layer->x, NULL, NULL, layer->a);
}

static size_t
clock_begin (SlPasses *passes)
{
  SlPrefixLab *s = sl_prefix_lab (passes->probe.state);

  passes->own = sl_prefix_shown (s);
  return sl_least (sl_prefix_route_validation (s), sl_count_of (&s->base, P_BATCH));
}

static void
clock_conditional (SlPasses *passes)
{
  run_tree (passes->own, passes->batch);
}

/* One matrix. */
static void
clock_dense (SlPasses *passes)
{
  SlPrefixLayer *layer = passes->own;
  const SlTree  *tree = &layer->tree;
  size_t         p = tree->shape.inputs, q = tree->shape.units;

  for (size_t e = 0; e < passes->batch; e++)
    memcpy (layer->a + e * q, tree->bias, q * sizeof *layer->a);
  sl_mat_mul (SL_PLAIN, SL_PLAIN, passes->batch, q, p, 1, layer->x, p, tree->table, q, 1, layer->a,
              q);
}

const SlClock sl_prefix_passes = { .channel = "speed.cost",
                                   .bar = 3,
                                   .begin = clock_begin,
                                   .dense = clock_dense,
                                   .conditional = clock_conditional };

static void
probe_speed (SlProbe *p)
{
  SlPrefixLab   *s = sl_prefix_lab (p->state);
  SlPrefixLayer *layer = sl_prefix_shown (s);
  SlTree        *tree = &layer->tree;
  size_t         n = sl_prefix_route_validation (s);
  double         before = tree->macs, dense = (double) n * sl_prefix_dense_layer (layer);
  SlMeasured     bars[5]
    = { sl_counted (1.0), sl_counted (tree->shape.flat ? 1.0 : tree->shape.k + 1.0),
        [3] = sl_counted (NAN), [4] = sl_counted (NAN) };

  run_tree (layer, n);
  bars[2] = sl_counted ((tree->macs - before) / dense);
  sl_probe_bars (p, 0, 5, bars);
  sl_probe_note (p, "Kernel %s", sl_probe_kernel (p));
}

static void
probe_correlation (SlProbe *p)
{
  SlPrefixLab         *s = sl_prefix_lab (p->state);
  const SlPrefixLayer *layer = sl_prefix_shown (s);
  size_t               n = sl_prefix_route_validation (s), bits = layer->tree.bits;
  unsigned             shown = (unsigned) (bits < MOST_SHOWN ? bits : MOST_SHOWN);
  double              *cells, mean[MOST_SHOWN] = { 0 };

  if (bits == 0)
    {
      sl_probe_note (p, "There are no bits.");
      return;
    }
  cells = sl_probe_matrix (p, 1, shown, shown);
  if (cells == NULL)
    return;
  p->snapshot->lo = -1.0;
  p->snapshot->hi = 1.0;
  for (size_t e = 0; e < n; e++)
    for (unsigned i = 0; i < shown; i++)
      {
        mean[i] += layer->bit[e * bits + i] / (double) n;
        for (unsigned j = 0; j < shown; j++)
          cells[i * shown + j]
            += (layer->bit[e * bits + i] & layer->bit[e * bits + j]) / (double) n;
      }
  for (unsigned i = 0; i < shown; i++)
    for (unsigned j = 0; j < shown; j++)
      {
        double scale = sqrt (mean[i] * (1.0 - mean[i]) * mean[j] * (1.0 - mean[j]));

        cells[i * shown + j]
          = scale > 1e-6 ? (cells[i * shown + j] - mean[i] * mean[j]) / scale : 0.0;
      }
  if (shown < bits)
    sl_probe_note (p, "The first %u of %zu bits", shown, bits);
}

const SlProbePanel sl_prefix_probes[N_PANELS] = {
  [V_ALIVE] = sl_prefix_probe_alive,
  [V_LEAVES] = probe_leaves,
  [V_NORM] = probe_norms,
  [V_CAPACITY] = probe_capacity,
  [V_AGE] = probe_ages,
  [V_DECAY] = probe_decay,
  [V_SPEED] = probe_speed,
  [V_CORRELATION] = probe_correlation,
};
