/* SPDX-License-Identifier: MIT
 *
 * What the files of dag.h share.  Private to this folder.  */
#pragma once

#include "core/labs/selective-execution/math/dag.h"

/* A layer's multiplications for one example, and how many trainable numbers it has. */
double sl_dag_layer_macs (const SlDagLayer *layer, SlDagShape in);
size_t sl_dag_layer_count (const SlDagLayer *layer, SlDagShape in);

/* True when a pass needs the slope of a node's input: it does not for examples and constants. */
bool sl_dag_wants_slope (const SlDagPlan *plan, unsigned node);

/* True for an input that delivers some numbers of an example only. */
static inline bool
sl_dag_is_part (const SlDag *dag, unsigned node)
{
  return sl_dag_width (dag->plan.node[node].shape) != dag->facts.width;
}

/* The shape that layer l of a node gets. */
static inline SlDagShape
sl_dag_layer_in (const SlDagFacts *facts, unsigned node, unsigned l)
{
  return l == 0 ? facts->in[node] : facts->layer[node][l - 1];
}

/* One layer over n rows: y from x with its numbers w; `patch` has sl_dag_layer_patch() numbers. */
void sl_dag_layer_forward (const SlDagLayer *layer, SlDagShape in, size_t n, const sl_real *x,
                           const sl_real *w, sl_real *patch, sl_real *y);

/* The way back: from dy, which is overwritten, the numbers' slopes dw and, unless NULL, dx. */
void sl_dag_layer_backward (const SlDagLayer *layer, SlDagShape in, size_t n, const sl_real *x,
                            const sl_real *y, const sl_real *w, sl_real *dy, sl_real *patch,
                            sl_real *dw, sl_real *dx);

/* Numbers of scratch that a layer needs, whatever the rows. */
size_t sl_dag_layer_patch (const SlDagLayer *layer, SlDagShape in);

void sl_dag_layer_init (const SlDagLayer *layer, SlDagShape in, SlRng *rng, sl_real *w);

/* The place at its source of the row of the batch that an edge delivers, or SL_DAG_NULL.  What was
 * computed for teaching alone does not count as delivered to an edge with a default.  */
static inline uint32_t
sl_dag_delivered (const SlDagTurn *from, const SlDagEdge *edge, uint32_t row)
{
  return edge->has_fallback && !from->sent[row] ? SL_DAG_NULL : from->place[row];
}

/* The layers of a node over its n rows, from turn->x. */
void sl_dag_layers (SlDag *dag, unsigned node, size_t n, const sl_real *x);
