/* SPDX-License-Identifier: MIT
 *
 * A block of a mixture of depths as nodes of a graph; see depths.h.  */
#include "core/labs/selective-execution/math/dag.h"

static unsigned
add_layer (SlDagPlan *plan, SlDagKind kind, SlDagLayer layer)
{
  return sl_dag_add (plan, &(SlDagNode) { .kind = kind, .n_layers = 1, .layer = { layer } });
}

unsigned
sl_dag_add_residual (SlDagPlan *plan, size_t width, size_t hidden)
{
  return sl_dag_add (plan,
                     &(SlDagNode) { .kind = SL_DAG_REGULAR,
                                    .n_layers = 2,
                                    .layer = { { SL_DAG_DENSE, .units = hidden, .rectified = true },
                                               { SL_DAG_DENSE, .units = width } } });
}

SlDagBlock
sl_dag_add_block (SlDagPlan *plan, unsigned from, size_t width, size_t hidden, bool squashed,
                  const SlDepthRank *rank, const SlOptimSetting *optim)
{
  SlDagBlock b;

  b.router = add_layer (plan, SL_DAG_REGULAR, (SlDagLayer) { SL_DAG_ROUTER, .units = 1 });
  b.guess = add_layer (plan, SL_DAG_REGULAR, (SlDagLayer) { SL_DAG_GUESS, .units = 1 });
  plan->node[b.guess].optim = optim;
  b.rank = add_layer (plan, SL_DAG_CONTROL, (SlDagLayer) { SL_DAG_RANK, .units = 2, .rank = rank });
  plan->node[b.rank].beside = true;
  b.past = sl_dag_add (plan, &(SlDagNode) { .kind = SL_DAG_DUMMY, .shape = { width, 1, 1 } });
  b.block = sl_dag_add_residual (plan, width, hidden);
  b.weighed = add_layer (plan, SL_DAG_REGULAR,
                         (SlDagLayer) { SL_DAG_WEIGH, .units = width, .squashed = squashed });
  plan->node[b.weighed].beside = true;
  b.sum = sl_dag_add (plan, &(SlDagNode) { .kind = SL_DAG_REGULAR });
  sl_dag_join (plan, from, b.router);
  sl_dag_join (plan, from, b.guess);
  sl_dag_join (plan, b.router, b.rank);
  sl_dag_join (plan, b.guess, b.rank);
  sl_dag_control (plan, b.rank, b.past);
  sl_dag_control (plan, b.rank, b.block);
  sl_dag_join (plan, from, b.block);
  sl_dag_join (plan, b.router, b.weighed);
  sl_dag_join (plan, b.block, b.weighed);
  sl_dag_join (plan, from, b.sum);
  sl_dag_default (plan, b.past, b.sum);
  sl_dag_default (plan, b.weighed, b.sum);
  return b;
}
