/* SPDX-License-Identifier: MIT
 *
 * The panels of the lab `prefix-tree` that need a computation of their own: the tree, its leaves
 * and norms, what k costs, the rules of decay, timed products.  They read the weights and use the
 * activations and paths as scratch, which every step fills anew.  */
#include "core/labs/prefix-tree/lab.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/lab/kit/common.h"
#include "core/nn/kernels/mat.h"

enum {
  TIMED = 256,     /* the larger batch of the timings */
  MOST_SHOWN = 32, /* bits whose correlations are shown */
  AGES = 24,       /* classes of Δt, each twice the last */
  GAPS = 60,       /* points of the curves against Δt */
};

/* Share of the probe's paths that reach each node, shares (2^(k+1) - 1) by heap number. */
static void
share_nodes (const SlLabState *s, size_t n, double *shares)
{
  const SlTree *tree = &s->tree;
  size_t        leaves = (size_t) 1 << tree->shape.k;
  double        each = 1.0 / ((double) n * tree->windows);

  memset (shares, 0, sl_tree_nodes (tree->shape.k) * sizeof *shares);
  for (unsigned w = 0; w < tree->windows; w++)
    for (size_t e = 0; e < n; e++)
      shares[leaves - 1 + tree->leaf[w * tree->shape.most + e]] += each;
  for (size_t node = leaves - 1; node-- > 0;)
    shares[node] = shares[2 * node + 1] + shares[2 * node + 2];
}

/* What is to be said of the whole tree, above all when it is not what was asked for. */
static void
note_tree (const SlLabState *s, SlSnapshot *snapshot)
{
  const SlTree *tree = &s->tree;
  unsigned      asked = (unsigned) value_of (s, P_K);

  if (tree->shape.k < asked)
    snprintf (snapshot->note, sizeof snapshot->note,
              "k = %u was asked for, %u is used: the layer before the tree has %zu units", asked,
              tree->shape.k, tree->shape.inputs);
  else if (sl_prefix_credit (s) != (Credit) value_of (s, P_CREDIT))
    snprintf (snapshot->note, sizeof snapshot->note,
              "The credit that was chosen needs %s bits; there is none.",
              is_sampled (s) ? "threshold" : "sampled");
  else if (tree->shape.sliding)
    snprintf (snapshot->note, sizeof snapshot->note, "All %u windows of the %u bits together",
              tree->windows, tree->bits);
  else if (tree->shape.flat)
    snprintf (snapshot->note, sizeof snapshot->note, "Only leaves have weights.");
}

static SlStatus
probe_tree (SlLabState *s, SlSink *sink, SlSnapshot *snapshot)
{
  SlTree      *tree = &s->tree;
  SlDecayClock clock = sl_prefix_clock (s);
  unsigned     k = tree->shape.k;
  size_t       nodes = sl_tree_nodes (k), used = 0;
  double      *shares = malloc (nodes * sizeof *shares), *row;

  row = shares != NULL
          ? sl_snapshot_matrix (snapshot, 1, (unsigned) (2 * nodes - 1), SL_GRAPH_COLUMNS)
          : NULL;
  if (row == NULL)
    {
      free (shares);
      return sl_probe_no_memory ();
    }
  share_nodes (s, sl_prefix_route_validation (s), shares);
  snapshot->lo = HUGE_VAL;
  for (unsigned level = 0; level <= k; level++)
    for (size_t i = 0; i < (size_t) 1 << level; i++, row += SL_GRAPH_COLUMNS)
      {
        size_t node = ((size_t) 1 << level) - 1 + i;

        if (sl_sink_hurry (sink))
          {
            free (shares);
            return sl_probe_cancelled ();
          }
        row[0] = -1.0;
        row[1] = ((double) i + 0.5) / (double) ((size_t) 1 << level);
        row[2] = k > 0 ? (double) level / k : 0.5;
        row[3] = sqrt (shares[node]); /* so that the area says it */
        row[4] = level >= tree->top ? sl_tree_norm (tree, node, &clock) : 0.0;
        snapshot->lo = fmin (snapshot->lo, row[4]);
        snapshot->hi = fmax (snapshot->hi, row[4]);

        /* The path to the node; what does not fit has no names. */
        for (unsigned b = 0; k < 6 && b < level; b++)
          snapshot->names[used++] = i >> (level - 1 - b) & 1 ? '1' : '0';
        if (k < 6)
          snapshot->names[used++] = '\n';
      }
  snapshot->names[used] = '\0';
  for (size_t node = 1; node < nodes; node++, row += SL_GRAPH_COLUMNS)
    {
      size_t parent = (node - 1) / 2;

      row[0] = (double) parent;
      row[1] = (double) node;
      row[3] = shares[node];
      row[4] = snapshot->data[node * SL_GRAPH_COLUMNS + 4];
    }
  free (shares);
  note_tree (s, snapshot);
  return SL_SUCCESS;
}

static int
falling (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x < y) - (x > y);
}

static SlStatus
probe_leaves (SlLabState *s, SlSink *sink, SlSnapshot *snapshot)
{
  const SlTree *tree = &s->tree;
  size_t   leaves = (size_t) 1 << tree->shape.k, n = sl_prefix_route_validation (s), nonzero = 0;
  double  *share, *even, *sorted = calloc (leaves, sizeof *sorted);
  uint16_t first = sink->layout->first[V_LEAVES][0];

  if (sorted == NULL)
    return sl_probe_no_memory ();
  for (unsigned w = 0; w < tree->windows; w++)
    for (size_t e = 0; e < n; e++)
      sorted[tree->leaf[w * tree->shape.most + e]] += 100.0 / ((double) n * tree->windows);
  qsort (sorted, leaves, sizeof *sorted, falling);
  while (nonzero < leaves && sorted[nonzero] > 0.0)
    nonzero++;
  /* Empty leaves have no place on a logarithmic axis; their number is in the note. */
  share = sl_snapshot_curve (snapshot, first + T_SHARE, nonzero, false);
  for (size_t i = 0; share != NULL && i < nonzero; i++)
    {
      share[i] = (double) (i + 1);
      share[nonzero + i] = sorted[i];
    }
  free (sorted);
  even = share != NULL ? sl_snapshot_curve (snapshot, first + T_EVEN, 2, false) : NULL;
  if (even == NULL)
    return sl_probe_no_memory ();
  even[0] = 1.0;
  even[1] = (double) leaves;
  even[2] = even[3] = 100.0 / (double) leaves;
  snprintf (snapshot->note, sizeof snapshot->note,
            "%zu of %zu leaves reached by %zu validation examples", nonzero, leaves, n);
  return SL_SUCCESS;
}

static SlStatus
probe_norms (SlLabState *s, SlSink *sink, SlSnapshot *snapshot)
{
  SlTree      *tree = &s->tree;
  SlDecayClock clock = sl_prefix_clock (s);
  size_t       n = tree->shape.k + 1 - tree->top;
  uint16_t     first = sink->layout->first[V_NORM][0];
  double      *mean, *largest;

  /* The second curve may move the first, so both places are taken before writing. */
  if (sl_snapshot_curve (snapshot, first + T_NORM, n, true) == NULL
      || sl_snapshot_curve (snapshot, first + T_LARGEST, n, false) == NULL)
    return sl_probe_no_memory ();
  mean = snapshot->data + snapshot->curve[0].offset;
  largest = snapshot->data + snapshot->curve[1].offset;
  for (size_t i = 0; i < n; i++)
    {
      unsigned level = tree->top + (unsigned) i;
      size_t   count = (size_t) 1 << level;
      double   sum = 0.0, squares = 0.0, most = 0.0;

      if (sl_sink_hurry (sink))
        return sl_probe_cancelled ();
      for (size_t j = 0; j < count; j++)
        {
          double norm = sl_tree_norm (tree, count - 1 + j, &clock);

          sum += norm;
          squares += norm * norm;
          most = fmax (most, norm);
        }
      sum /= (double) count;
      mean[i] = largest[i] = level;
      mean[n + i] = sum;
      mean[2 * n + i] = sqrt (fmax (0.0, squares / (double) count - sum * sum));
      largest[n + i] = most;
    }
  return SL_SUCCESS;
}

static SlStatus
probe_capacity (SlLabState *s, SlSink *sink, SlSnapshot *snapshot)
{
  uint16_t first = sink->layout->first[V_CAPACITY][0];
  double   bytes = 3.0 * (double) s->tree.n * sizeof (sl_real);

  for (unsigned trace = T_PARAMETERS; trace <= T_RATIO; trace++)
    {
      /* There is nothing to divide by, or to add, without bits. */
      unsigned from = trace == T_RATIO || trace == T_ADDED ? 1 : 0, n = MOST_K + 1 - from;
      double  *curve = sl_snapshot_curve (snapshot, first + trace, n, false);

      if (curve == NULL)
        return sl_probe_no_memory ();
      for (unsigned i = 0; i < n; i++)
        {
          unsigned k = from + i;
          double   leaves = (double) (1u << k);
          double   y[] = { [T_PARAMETERS] = (double) sl_tree_nodes (k),
                           [T_FREEDOM] = leaves,
                           [T_MULTIPLIED] = k + 1.0,
                           [T_ADDED] = k,
                           [T_RATIO] = leaves / k };

          curve[i] = k;
          curve[n + i] = y[trace];
        }
    }
  snapshot->mark = s->tree.shape.k;
  snprintf (snapshot->note, sizeof snapshot->note,
            "This run: %zu tables of %zu × %zu, %zu numbers, %.1f MiB with their moments",
            s->tree.nodes, s->tree.shape.inputs, s->tree.shape.units,
            s->tree.n - s->tree.shape.units, bytes / 1048576.0);
  return SL_SUCCESS;
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
count_ages (const SlLabState *s, size_t *count /* (AGES) */)
{
  size_t cells = s->tree.windows * s->tree.nodes, visited = 0;

  memset (count, 0, AGES * sizeof *count);
  for (size_t cell = 0; cell < cells; cell++)
    if (s->tree.touched[cell] > 0)
      {
        count[age_class (s->now.t + 1 - s->tree.touched[cell])]++;
        visited++;
      }
  return visited;
}

static SlStatus
probe_ages (SlLabState *s, SlSink *sink, SlSnapshot *snapshot)
{
  size_t   count[AGES], visited = count_ages (s, count);
  size_t   cells = s->tree.windows * s->tree.nodes;
  unsigned n = age_class (s->now.t + 1) + 1;
  double  *curve = sl_snapshot_curve (snapshot, sink->layout->first[V_AGE][0], n, false);

  if (curve == NULL)
    return sl_probe_no_memory ();
  for (unsigned i = 0; i < n; i++)
    {
      curve[i] = (double) ((uint64_t) 1 << i);
      curve[n + i] = (double) count[i];
    }
  snprintf (snapshot->note, sizeof snapshot->note,
            "Δt at update %llu, to the next power of two; %zu of %zu were never visited",
            (unsigned long long) s->now.t + 1, cells - visited, cells);
  return SL_SUCCESS;
}

/* The class in which half of the visited matrices are reached, as an age. */
static double
median_age (const SlLabState *s)
{
  size_t   count[AGES], visited = count_ages (s, count), below = 0;
  unsigned i = 0;

  for (; i + 1 < AGES; i++)
    {
      below += count[i];
      if (2 * below >= visited)
        break;
    }
  return (double) ((uint64_t) 1 << i);
}

static SlStatus
probe_decay (SlLabState *s, SlSink *sink, SlSnapshot *snapshot)
{
  SlDecayKind kind = (SlDecayKind) value_of (s, P_DECAY_KIND);
  double      by = value_of (s, P_RATE) * value_of (s, P_DECAY), tick, most;
  uint16_t    first = sink->layout->first[V_DECAY][0];
  SlStatus    status = sl_decay_tick (kind, value_of (s, P_RATE), value_of (s, P_DECAY), &tick);

  if (!sl_ok (&status) || tick == 0.0)
    {
      snprintf (snapshot->note, sizeof snapshot->note, "The tables do not decay.");
      return status;
    }
  /* Far enough for the weight to be all but gone. */
  most = fmin (ceil (3.0 / by) + 2.0, 1e9);
  for (unsigned trace = T_LOOKED; trace <= T_PRINTED; trace++)
    {
      double *curve = sl_snapshot_curve (snapshot, first + trace, GAPS, false);

      if (curve == NULL)
        return sl_probe_no_memory ();
      for (int i = 0; i < GAPS; i++)
        {
          double  gap = round (pow (most, (double) i / (GAPS - 1)));
          double  done = trace == T_EXACT ? gap - 1.0 : trace == T_BEFORE ? gap : 0.0;
          sl_real w = 1;

          sl_decay_apply (kind, done * tick, 1, &w, &w);
          curve[i] = gap;
          curve[GAPS + i] = (double) w;
          if (trace == T_LOOKED)
            curve[GAPS + i] = kind == SL_DECAY_L2 ? pow (1.0 - by, gap - 1.0)
                                                  : fmax (0.0, 1.0 - by * (gap - 1.0));
        }
    }
  snapshot->mark = median_age (s);
  snprintf (snapshot->note, sizeof snapshot->note, "Learning rate × λ = %.3g per update", by);
  return SL_SUCCESS;
}

/* What the two sides of a timing run: the tree on the examples routed last, and one matrix. */
typedef struct
{
  SlLabState *s;
  size_t      batch;
} Timing;

static void
run_tree (void *data)
{
  Timing     *timing = data;
  SlLabState *s = timing->s;

  /* As deployed: a network that is not trained has no decay to make up for. */
  sl_tree_route (&s->tree, timing->batch, s->bit);
  sl_tree_forward (&s->tree, s->x, NULL, NULL, s->a);
}

static void
run_dense (void *data)
{
  Timing     *timing = data;
  SlLabState *s = timing->s;
  size_t      p = s->tree.shape.inputs, q = s->tree.shape.units;

  for (size_t e = 0; e < timing->batch; e++)
    memcpy (s->a + e * q, s->tree.bias, q * sizeof *s->a);
  sl_mat_mul (SL_PLAIN, SL_PLAIN, timing->batch, q, p, 1, s->x, p, s->tree.table, q, 1, s->a, q);
}

static SlStatus
probe_speed (SlLabState *s, SlSink *sink, SlSnapshot *snapshot)
{
  size_t  n = sl_prefix_route_validation (s), large = n < TIMED ? n : TIMED;
  double *bars = sl_snapshot_curve (snapshot, sink->layout->first[V_SPEED][0], 5, false), before;
  double  levels = s->tree.shape.flat ? 1.0 : s->tree.shape.k + 1.0;

  if (bars == NULL)
    return sl_probe_no_memory ();
  for (int i = 0; i < 5; i++)
    bars[i] = i;
  bars[5] = 1.0;
  bars[6] = levels;
  before = s->tree.macs;
  run_tree (&(Timing) { s, large });
  bars[7] = (s->tree.macs - before) / ((double) large * sl_prefix_dense_layer (s));
  bars[8] = sl_time_ratio (run_tree, run_dense, &(Timing) { s, 1 }, sink);
  bars[9] = sl_time_ratio (run_tree, run_dense, &(Timing) { s, large }, sink);
  if (!isfinite (bars[8]) || !isfinite (bars[9]))
    return sl_probe_cancelled ();
  snprintf (snapshot->note, sizeof snapshot->note,
            "Kernel %s, %u thread%s; the larger batch is %zu", sl_blas_kernel (),
            sl_blas_threads (), sl_blas_threads () == 1 ? "" : "s", large);
  return SL_SUCCESS;
}

static SlStatus
probe_correlation (SlLabState *s, SlSnapshot *snapshot)
{
  size_t   n = sl_prefix_route_validation (s), bits = s->tree.bits;
  unsigned shown = (unsigned) (bits < MOST_SHOWN ? bits : MOST_SHOWN);
  double  *cells, mean[MOST_SHOWN] = { 0 };

  if (bits == 0)
    {
      snprintf (snapshot->note, sizeof snapshot->note, "There are no bits.");
      return SL_SUCCESS;
    }
  cells = sl_snapshot_matrix (snapshot, 1, shown, shown);
  if (cells == NULL)
    return sl_probe_no_memory ();
  snapshot->lo = -1.0;
  snapshot->hi = 1.0;
  for (size_t e = 0; e < n; e++)
    for (unsigned i = 0; i < shown; i++)
      {
        mean[i] += s->bit[e * bits + i] / (double) n;
        for (unsigned j = 0; j < shown; j++)
          cells[i * shown + j] += (s->bit[e * bits + i] & s->bit[e * bits + j]) / (double) n;
      }
  for (unsigned i = 0; i < shown; i++)
    for (unsigned j = 0; j < shown; j++)
      {
        double scale = sqrt (mean[i] * (1.0 - mean[i]) * mean[j] * (1.0 - mean[j]));

        cells[i * shown + j]
          = scale > 1e-6 ? (cells[i * shown + j] - mean[i] * mean[j]) / scale : 0.0;
      }
  if (shown < bits)
    snprintf (snapshot->note, sizeof snapshot->note, "The first %u of %zu bits", shown, bits);
  return SL_SUCCESS;
}

SlStatus
sl_prefix_probe (SlLabState *s, unsigned panel, SlSink *sink)
{
  SlStatus    status = SL_SUCCESS;
  SlSnapshot *snapshot = sink->open != NULL ? sink->open (sink, panel) : NULL;

  if (snapshot == NULL)
    return SL_SUCCESS;
  switch (panel)
    {
    case V_TREE: status = probe_tree (s, sink, snapshot); break;
    case V_LEAVES: status = probe_leaves (s, sink, snapshot); break;
    case V_NORM: status = probe_norms (s, sink, snapshot); break;
    case V_CAPACITY: status = probe_capacity (s, sink, snapshot); break;
    case V_AGE: status = probe_ages (s, sink, snapshot); break;
    case V_DECAY: status = probe_decay (s, sink, snapshot); break;
    case V_SPEED: status = probe_speed (s, sink, snapshot); break;
    case V_CORRELATION: status = probe_correlation (s, snapshot); break;
    default: break;
    }
  if (status.code == SL_ECANCELLED)
    return status;
  /* A failed probe shows what it has, and says why. */
  if (!sl_ok (&status))
    sl_status_text (&status, snapshot->note, sizeof snapshot->note);
  sink->publish (sink, snapshot);
  return status;
}
