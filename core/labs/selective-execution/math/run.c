/* SPDX-License-Identifier: MIT
 *
 * The way of a batch through a graph: which node runs for which rows, gather, compute; see
 * dag.h.  */
#include "core/labs/selective-execution/math/dag.h"

#include <assert.h>
#include <string.h>

#include "core/labs/selective-execution/math/private.h"

/* An edge, in the form that the loop over the rows reads. */
typedef struct
{
  const SlDagTurn *from;
  unsigned         action;
} Link;

/* Notes in place, row and sent for which rows of the batch a node runs. */
static void
find_rows (SlDag *dag, unsigned i)
{
  const SlDagPlan *plan = &dag->plan;
  SlDagTurn       *turn = &dag->turn[i];
  Link             control[SL_DAG_EDGES], needed[SL_DAG_EDGES];
  unsigned         n_control = 0, n_needed = 0;
  SlDagKind        kind = plan->node[i].kind;
  bool all = dag->all && (kind == SL_DAG_REGULAR || (dag->ask && kind == SL_DAG_CONTROL));

  for (unsigned e = 0; e < plan->n_edges; e++)
    if (plan->edge[e].to == i && plan->edge[e].control)
      control[n_control++] = (Link) { &dag->turn[plan->edge[e].from], sl_dag_action (plan, e) };
    else if (plan->edge[e].to == i && !plan->edge[e].has_fallback)
      needed[n_needed++] = (Link) { &dag->turn[plan->edge[e].from], 0 };
  turn->n = 0;
  for (uint32_t r = 0; r < dag->batch; r++)
    {
      bool active = n_control == 0, here = all;

      for (unsigned c = 0; c < n_control && !active; c++)
        {
          const SlDagTurn *from = control[c].from;

          active = from->sent[r] && from->action[from->place[r]] == control[c].action;
        }
      for (unsigned c = 0; c < n_needed && active; c++)
        active = needed[c].from->sent[r];
      for (unsigned c = 0; c < n_needed && here; c++)
        here = needed[c].from->place[r] != SL_DAG_NULL;
      here |= active;
      turn->sent[r] = active;
      turn->place[r] = here ? turn->n : SL_DAG_NULL;
      if (here)
        turn->row[turn->n++] = r;
    }
}

static void
fill_values (sl_real *to, size_t n, sl_real value)
{
  for (size_t i = 0; i < n; i++)
    to[i] = value;
}

/* Copies, or adds, what one edge delivers to the rows of a node, from number `at` of each on. */
static void
gather_edge (const SlDag *dag, const SlDagEdge *edge, size_t width, size_t at, bool add)
{
  const SlDagTurn *from = &dag->turn[edge->from], *turn = &dag->turn[edge->to];
  size_t           n = sl_dag_width (dag->facts.out[edge->from]);

  for (uint32_t k = 0; k < turn->n; k++)
    {
      uint32_t       place = sl_dag_delivered (from, edge, turn->row[k]);
      const sl_real *source = place != SL_DAG_NULL ? from->y + (size_t) place * n : NULL;
      sl_real       *to = turn->gathered + k * width + at;

      if (place == SL_DAG_NULL && !add)
        fill_values (to, n, edge->fallback);
      else if (place == SL_DAG_NULL)
        for (size_t j = 0; j < n; j++)
          to[j] += edge->fallback;
      else if (!add)
        memcpy (to, source, n * sizeof *to);
      else
        for (size_t j = 0; j < n; j++)
          to[j] += source[j];
    }
}

static void
gather_inputs (SlDag *dag, unsigned i)
{
  SlDagTurn       *turn = &dag->turn[i];
  size_t           width = sl_dag_width (dag->facts.in[i]), at = 0;
  bool             beside = dag->plan.node[i].beside, first = true;
  const SlDagEdge *only = NULL;
  unsigned         edges = 0;

  for (unsigned e = 0; e < dag->plan.n_edges; e++)
    if (dag->plan.edge[e].to == i && !dag->plan.edge[e].control)
      {
        only = &dag->plan.edge[e];
        edges++;
      }
  /* As many rows as the only source has are all of its rows. */
  if (edges == 1 && !only->has_fallback && dag->turn[only->from].n == turn->n)
    {
      turn->x = dag->turn[only->from].y;
      return;
    }
  turn->x = turn->gathered;
  for (unsigned e = 0; e < dag->plan.n_edges; e++)
    if (dag->plan.edge[e].to == i && !dag->plan.edge[e].control)
      {
        gather_edge (dag, &dag->plan.edge[e], width, at, !first && !beside);
        first = false;
        if (beside)
          at += sl_dag_width (dag->facts.out[dag->plan.edge[e].from]);
      }
}

void
sl_dag_layers (SlDag *dag, unsigned node, size_t n, const sl_real *x)
{
  const SlDagNode *plan = &dag->plan.node[node];
  SlDagTurn       *turn = &dag->turn[node];
  const sl_real   *w = dag->weights + dag->first[node];

  turn->y = x;
  for (unsigned l = 0; l < plan->n_layers && n > 0; l++)
    {
      SlDagShape in = sl_dag_layer_in (&dag->facts, node, l);

      sl_dag_layer_forward (&plan->layer[l], in, n, turn->y, w, dag->patch, turn->out[l]);
      turn->y = turn->out[l];
      w += sl_dag_layer_count (&plan->layer[l], in);
    }
}

/* What the scores say, where nothing is prescribed. */
static void
decide_node (const SlDag *dag, unsigned i, const uint8_t *forced)
{
  const SlDagTurn *turn = &dag->turn[i];
  unsigned         c = sl_dag_controller (&dag->facts, i);
  size_t           actions = dag->facts.n_actions[c];

  for (uint32_t k = 0; k < turn->n; k++)
    {
      const sl_real *q = turn->y + k * actions;
      uint8_t        best = 0;

      for (size_t a = 1; a < actions; a++)
        if (q[a] > q[best])
          best = (uint8_t) a;
      if (forced != NULL && forced[c * dag->most + turn->row[k]] != SL_DAG_FREE)
        best = forced[c * dag->most + turn->row[k]];
      turn->action[k] = best;
    }
}

/* The numbers of the examples that an input delivers. */
static void
take_part (SlDag *dag, unsigned i, const sl_real *x)
{
  SlDagTurn *turn = &dag->turn[i];
  size_t     n = sl_dag_width (dag->plan.node[i].shape);

  turn->y = x;
  if (!sl_dag_is_part (dag, i))
    return;
  for (size_t r = 0; r < dag->batch; r++)
    memcpy (turn->gathered + r * n, x + r * dag->facts.width + dag->plan.node[i].first,
            n * sizeof *x);
  turn->y = turn->gathered;
}

/* What the outputs have for each example, added up where there are several. */
static void
answer (SlDag *dag)
{
  size_t n = sl_dag_width (dag->facts.out[dag->facts.output]);

  dag->y = dag->turn[dag->facts.output].y;
  if (dag->facts.n_outputs == 1)
    return;
  dag->y = dag->answer;
  fill_values (dag->answer, dag->batch * n, 0);
  for (unsigned i = 0; i < dag->plan.n_nodes; i++)
    {
      const SlDagTurn *turn = &dag->turn[i];

      for (uint32_t k = 0; dag->plan.node[i].kind == SL_DAG_OUTPUT && k < turn->n; k++)
        for (size_t j = 0; j < n; j++)
          dag->answer[turn->row[k] * n + j] += turn->y[k * n + j];
    }
}

const sl_real *
sl_dag_forward (SlDag *dag, size_t batch, const sl_real *x, const uint8_t *forced)
{
  assert (batch <= dag->most);
  dag->batch = batch;
  memset (dag->cost, 0, batch * sizeof *dag->cost);
  for (unsigned at = 0; at < dag->plan.n_nodes; at++)
    {
      unsigned   i = dag->facts.order[at];
      SlDagTurn *turn = &dag->turn[i];

      find_rows (dag, i);
      switch (dag->plan.node[i].kind)
        {
        case SL_DAG_INPUT: take_part (dag, i, x); break;
        case SL_DAG_DUMMY:
          fill_values (turn->gathered, turn->n * sl_dag_width (dag->facts.out[i]),
                       dag->plan.node[i].value);
          turn->y = turn->gathered;
          break;
        case SL_DAG_OUTPUT:
        case SL_DAG_REGULAR:
        case SL_DAG_CONTROL:
          gather_inputs (dag, i);
          sl_dag_layers (dag, i, turn->n, turn->x);
          break;
        }
      if (dag->plan.node[i].kind == SL_DAG_CONTROL)
        decide_node (dag, i, forced);
      for (size_t r = 0; r < batch; r++)
        dag->cost[r] += turn->sent[r] ? dag->facts.macs[i] : 0.0;
    }
  answer (dag);
  return dag->y;
}

double
sl_dag_executed (const SlDag *dag)
{
  double sum = 0.0;

  for (unsigned i = 0; i < dag->plan.n_nodes; i++)
    sum += (double) dag->turn[i].n * dag->facts.macs[i];
  return sum;
}

void
sl_dag_run_node (SlDag *dag, unsigned node, size_t rows)
{
  assert (node < dag->plan.n_nodes && rows <= dag->most);
  sl_dag_layers (dag, node, rows, dag->turn[node].gathered);
}
