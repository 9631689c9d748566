/* SPDX-License-Identifier: MIT
 *
 * The way back through a graph, on the rows that came: skipped ones cost nothing and teach nothing;
 * see dag.h.  */
#include "core/labs/selective-execution/math/dag.h"

#include <string.h>

#include "core/labs/selective-execution/math/private.h"

void
sl_dag_begin_backward (SlDag *dag)
{
  for (unsigned i = 0; i < dag->plan.n_nodes; i++)
    if (dag->plan.node[i].kind != SL_DAG_INPUT)
      memset (dag->turn[i].dy, 0,
              dag->turn[i].n * sl_dag_width (dag->facts.out[i]) * sizeof (sl_real));
  if (dag->facts.n_outputs > 1)
    memset (dag->dy, 0,
            dag->batch * sl_dag_width (dag->facts.out[dag->facts.output]) * sizeof (sl_real));
}

/* The slope of a sum is that of each of its terms. */
static void
scatter_answer (SlDag *dag)
{
  size_t n = sl_dag_width (dag->facts.out[dag->facts.output]);

  for (unsigned i = 0; i < dag->plan.n_nodes && dag->facts.n_outputs > 1; i++)
    {
      SlDagTurn *turn = &dag->turn[i];

      for (uint32_t k = 0; dag->plan.node[i].kind == SL_DAG_OUTPUT && k < turn->n; k++)
        for (size_t j = 0; j < n; j++)
          turn->dy[k * n + j] += dag->dy[turn->row[k] * n + j];
    }
}

/* Adds the slope of a node's input, (n, in), to what its sources delivered. */
static void
scatter_slope (SlDag *dag, unsigned i, const sl_real *dx)
{
  const SlDagTurn *turn = &dag->turn[i];
  size_t           width = sl_dag_width (dag->facts.in[i]), begin = 0;

  for (unsigned e = 0; e < dag->plan.n_edges; e++)
    {
      const SlDagEdge *edge = &dag->plan.edge[e];
      SlDagTurn       *from = &dag->turn[edge->from];
      size_t           n = sl_dag_width (dag->facts.out[edge->from]), here = begin;

      if (edge->to != i || edge->control)
        continue;
      if (dag->plan.node[i].beside)
        begin += n;
      if (dag->plan.node[edge->from].kind == SL_DAG_INPUT)
        continue;
      for (uint32_t k = 0; k < turn->n; k++)
        {
          uint32_t at = sl_dag_delivered (from, edge, turn->row[k]);
          sl_real *to = at != SL_DAG_NULL ? from->dy + (size_t) at * n : NULL;

          for (size_t j = 0; to != NULL && j < n; j++)
            to[j] += dx[k * width + here + j];
        }
    }
}

/* The layers of a node, last first; returns the slope of its input, or NULL when it is not
 * needed.  */
static const sl_real *
back_through (SlDag *dag, unsigned i)
{
  const SlDagNode *node = &dag->plan.node[i];
  SlDagTurn       *turn = &dag->turn[i];
  bool             wanted = sl_dag_wants_slope (&dag->plan, i);
  size_t           end = dag->first[i] + dag->count[i];
  sl_real         *dy = turn->dy;

  for (unsigned l = node->n_layers; l-- > 0;)
    {
      SlDagShape     in = sl_dag_layer_in (&dag->facts, i, l);
      const sl_real *x = l > 0 ? turn->out[l - 1] : turn->x;
      sl_real       *dx = l > 0 || wanted ? dag->work[l % 2] : NULL;

      end -= sl_dag_layer_count (&node->layer[l], in);
      sl_dag_layer_backward (&node->layer[l], in, turn->n, x, turn->out[l], dag->weights + end, dy,
                             dag->patch, dag->gradient + end, dx);
      dy = dx;
    }
  return wanted ? dy : NULL;
}

void
sl_dag_backward (SlDag *dag, const SlOptimSetting *optim)
{
  scatter_answer (dag);
  for (unsigned at = dag->plan.n_nodes; at-- > 0;)
    {
      unsigned       i = dag->facts.order[at];
      SlDagKind      kind = dag->plan.node[i].kind;
      size_t         first = dag->first[i], count = dag->count[i];
      const sl_real *dx;

      if (kind == SL_DAG_INPUT || kind == SL_DAG_DUMMY)
        continue;
      if (dag->turn[i].n == 0)
        {
          if (optim == NULL)
            memset (dag->gradient + first, 0, count * sizeof *dag->gradient);
          continue;
        }
      dx = back_through (dag, i);
      if (dx != NULL)
        scatter_slope (dag, i, dx);
      if (optim != NULL && count > 0)
        sl_optim_step (dag->plan.node[i].optim != NULL ? dag->plan.node[i].optim : optim,
                       ++dag->updates[i], count, dag->gradient + first, dag->weights + first,
                       dag->m + first, dag->v + first);
    }
}

double
sl_dag_step_macs (const SlDag *dag)
{
  double sum = 3.0 * sl_dag_executed (dag);

  for (unsigned i = 0; i < dag->plan.n_nodes; i++)
    if (dag->plan.node[i].n_layers > 0 && !sl_dag_wants_slope (&dag->plan, i))
      sum -= (double) dag->turn[i].n
             * sl_dag_layer_macs (&dag->plan.node[i].layer[0], dag->facts.in[i]);
  return sum;
}
