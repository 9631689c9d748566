/* SPDX-License-Identifier: MIT
 *
 * The curves of the lab `prefix-tree`.  */
#include "core/labs/prefix-tree/lab.h"

#include <math.h>
#include <string.h>

void
sl_prefix_report (SlPrefixLab *s, SlSink *sink)
{
  size_t leaves = (size_t) 1 << s->tree.shape.k, visited = 0, trained = 0;
  double entropy = 0.0, seen = s->base.now.seen, paths = seen * s->tree.windows;

  for (size_t i = 0; i < leaves; i++)
    {
      double share = s->visits[i] / paths;
      size_t node = leaves - 1 + i;
      bool   touched = false;

      if (share > 0.0)
        entropy -= share * log (share);
      visited += share > 0.0;
      for (unsigned w = 0; w < s->tree.windows; w++)
        touched = touched || s->tree.touched[sl_tree_cell (&s->tree, w, node)] > 0;
      trained += touched;
    }
  sl_sink_value (sink, V_EFFECTIVE, T_EFFECTIVE, 0, exp (entropy));
  sl_sink_value (sink, V_EFFECTIVE, T_VISITED, 0, (double) visited);
  sl_sink_value (sink, V_EFFECTIVE, T_TRAINED, 0, (double) trained);
  sl_sink_value (sink, V_EFFECTIVE, T_ALL, 0, (double) leaves);
  for (unsigned i = 0; i < s->tree.shape.k; i++)
    sl_sink_value (sink, V_BITS, T_RATE, i, 100.0 * s->ones[i] / seen);
  sl_sink_value (sink, V_BITS, T_HALF, 0, 50.0);
  sl_sink_value (sink, V_ERROR, T_TRAIN, 0, 100.0 * s->base.now.errors / seen);
  sl_sink_value (sink, V_LOSS, T_TRAIN, 0, s->base.now.loss / seen);

  double dense = sl_prefix_dense_step (s), layer = 3.0 * sl_prefix_dense_layer (s);
  double levels = s->tree.shape.flat ? 1.0 : s->tree.shape.k + 1.0;

  sl_sink_value (sink, V_COST, T_EXPECTED, 0, 100.0 * (dense + (levels - 1.0) * layer) / dense);
  sl_sink_value (sink, V_COST, T_EXECUTED, 0, 100.0 * s->now->step_macs / seen / dense);
  sl_sink_value (sink, V_COST, T_DENSE, 0, 100.0);
  memset (s->visits, 0, leaves * sizeof *s->visits);
  memset (s->ones, 0, s->tree.bits * sizeof *s->ones);
  s->base.now.loss = s->base.now.errors = s->base.now.seen = s->now->step_macs = 0.0;
}

/* Validation, and as many training examples with the same weights for the gap. */
void
sl_prefix_report_validation (SlPrefixLab *s, SlSink *sink)
{
  const SlDataset *data = s->base.dataset;
  size_t           n = sl_examples (&s->base, SL_VALID, sl_value_of (&s->base, P_EXAMPLES));
  SlEvaluation     valid, train;

  if (n == 0)
    return;
  valid = sl_prefix_evaluate (s, sl_dataset_first (data, SL_VALID), n);
  train = sl_prefix_evaluate (s, sl_dataset_first (data, SL_TRAIN),
                              sl_examples (&s->base, SL_TRAIN, (double) n));
  sl_sink_value (sink, V_ERROR, T_VALID, 0, valid.error);
  sl_sink_value (sink, V_LOSS, T_VALID, 0, valid.loss);
  sl_sink_value (sink, V_GAP, 0, 0, valid.error - train.error);
}
