/* SPDX-License-Identifier: MIT
 *
 * The curves of the lab `prefix-tree`.  */
#include "core/labs/prefix-tree/lab.h"

#include <math.h>
#include <string.h>

/* How the leaves of the tree that is shown are used. */
static void
report_leaves (const SlPrefixLab *s, const SlPrefixLayer *layer, SlSink *sink)
{
  const SlTree *tree = &layer->tree;
  size_t        leaves = (size_t) 1 << tree->shape.k, visited = 0, trained = 0;
  double        entropy = 0.0, paths = s->base.now.seen * tree->windows;

  for (size_t i = 0; i < leaves; i++)
    {
      double share = layer->visits[i] / paths;
      size_t node = leaves - 1 + i;
      bool   touched = false;

      if (share > 0.0)
        entropy -= share * log (share);
      visited += share > 0.0;
      for (unsigned w = 0; w < tree->windows; w++)
        touched = touched || tree->touched[sl_tree_cell (tree, w, node)] > 0;
      trained += touched;
    }
  sl_sink_value (sink, V_EFFECTIVE, T_EFFECTIVE, 0, exp (entropy));
  sl_sink_value (sink, V_EFFECTIVE, T_VISITED, 0, (double) visited);
  sl_sink_value (sink, V_EFFECTIVE, T_TRAINED, 0, (double) trained);
  sl_sink_value (sink, V_EFFECTIVE, T_ALL, 0, (double) leaves);
}

static void
report_cost (const SlPrefixLab *s, SlSink *sink)
{
  double dense = sl_prefix_dense_step (s), expected = dense;

  for (unsigned l = 0; l < s->layers; l++)
    {
      const SlPrefixLayer *layer = &s->layer[l];
      double               levels = layer->tree.shape.flat ? 1.0 : layer->tree.shape.k + 1.0;

      double passes = sl_prefix_passes_down (s, layer) ? 3.0 : 2.0;

      expected += (passes * levels - (layer->raw ? 2.0 : 3.0)) * sl_prefix_dense_layer (layer);
    }
  sl_sink_value (sink, V_COST, T_EXPECTED, 0, 100.0 * expected / dense);
  sl_sink_value (sink, V_COST, T_EXECUTED, 0, 100.0 * s->now->step_macs / s->base.now.seen / dense);
  sl_sink_value (sink, V_COST, T_DENSE, 0, 100.0);
}

void
sl_prefix_report (SlPrefixLab *s, SlSink *sink)
{
  const SlPrefixLayer *shown = sl_prefix_shown (s);
  double               seen = s->base.now.seen;

  report_leaves (s, shown, sink);
  for (unsigned i = 0; i < shown->tree.shape.k; i++)
    sl_sink_value (sink, V_BITS, T_RATE, i, 100.0 * shown->ones[i] / seen);
  sl_sink_value (sink, V_BITS, T_HALF, 0, 50.0);
  sl_sink_value (sink, V_ERROR, T_TRAIN, 0, 100.0 * s->base.now.errors / seen);
  sl_sink_value (sink, V_LOSS, T_TRAIN, 0, s->base.now.loss / seen);
  report_cost (s, sink);
  for (unsigned l = 0; l < s->layers; l++)
    {
      SlPrefixLayer *layer = &s->layer[l];
      size_t         leaves = (size_t) 1 << layer->tree.shape.k;

      memcpy (layer->reported, layer->visits, leaves * sizeof *layer->visits);
      memset (layer->visits, 0, leaves * sizeof *layer->visits);
      memset (layer->ones, 0, layer->tree.bits * sizeof *layer->ones);
    }
  s->base.now.loss = s->base.now.errors = s->base.now.seen = s->now->step_macs = 0.0;
}

double
sl_prefix_ngram_bits (const SlPrefixLab *s, unsigned context, size_t first, size_t n)
{
  /* The first letters of all have none before them. */
  size_t skipped = first < context ? context - first : 0;

  return sl_ngrams_bits (&s->ngrams, context, s->base.dataset->label, first + skipped, n - skipped);
}

static void
report_letters (const SlPrefixLab *s, size_t first, size_t n, double loss, SlSink *sink)
{
  sl_sink_value (sink, V_LETTERS, T_LETTERS_TREE, 0, loss / log (2.0));
  for (unsigned context = 0; context <= s->ngrams.context; context++)
    sl_sink_value (sink, V_LETTERS, T_LETTERS_NONE + context, 0,
                   sl_prefix_ngram_bits (s, context, first, n));
}

/* Validation, and as many training examples with the same weights for the gap. */
void
sl_prefix_report_validation (SlPrefixLab *s, SlSink *sink)
{
  const SlDataset *data = s->base.dataset;
  size_t           n = sl_examples (&s->base, SL_VALID, sl_value_of (&s->base, P_EXAMPLES));
  SlEvaluation     valid;

  if (n == 0)
    return;
  valid = sl_prefix_evaluate (s, sl_dataset_first (data, SL_VALID), n);
  sl_sink_value (sink, V_ERROR, T_VALID, 0, valid.error);
  sl_sink_value (sink, V_LOSS, T_VALID, 0, valid.loss);
  if (sl_prefix_has_letters (s))
    report_letters (s, sl_dataset_first (data, SL_VALID), n, valid.loss, sink);
}
