/* SPDX-License-Identifier: MIT */
#include "core/labs/selective-execution/math/dag.h"

#include <string.h>

#include "core/labs/selective-execution/math/private.h"

unsigned
sl_dag_add (SlDagPlan *plan, const SlDagNode *node)
{
  if (plan->n_nodes < SL_DAG_NODES)
    plan->node[plan->n_nodes] = *node;
  return plan->n_nodes++;
}

static void
add_edge (SlDagPlan *plan, SlDagEdge edge)
{
  if (plan->n_edges < SL_DAG_EDGES)
    plan->edge[plan->n_edges] = edge;
  plan->n_edges++;
}

void
sl_dag_join (SlDagPlan *plan, unsigned from, unsigned to)
{
  add_edge (plan, (SlDagEdge) { .from = from, .to = to });
}

void
sl_dag_default (SlDagPlan *plan, unsigned from, unsigned to)
{
  add_edge (plan, (SlDagEdge) { .from = from, .to = to, .has_fallback = true });
}

void
sl_dag_control (SlDagPlan *plan, unsigned from, unsigned to)
{
  add_edge (plan, (SlDagEdge) { .from = from, .to = to, .control = true });
}

bool
sl_dag_wants_slope (const SlDagPlan *plan, unsigned node)
{
  for (unsigned e = 0; e < plan->n_edges; e++)
    {
      const SlDagEdge *edge = &plan->edge[e];
      SlDagKind        kind = plan->node[edge->from].kind;

      if (edge->to == node && !edge->control && kind != SL_DAG_INPUT && kind != SL_DAG_DUMMY)
        return true;
    }
  return false;
}

unsigned
sl_dag_action (const SlDagPlan *plan, unsigned edge)
{
  unsigned action = 0;

  for (unsigned e = 0; e < edge; e++)
    action += plan->edge[e].control && plan->edge[e].from == plan->edge[edge].from;
  return action;
}

unsigned
sl_dag_controller (const SlDagFacts *facts, unsigned node)
{
  unsigned c = 0;

  while (c < facts->n_controllers && facts->controller[c] != node)
    c++;
  return c;
}

double
sl_dag_trace (const SlDagPlan *plan, const SlDagFacts *facts, const uint8_t *action, bool *runs,
              double *regular)
{
  double all = 0.0, useful = 0.0;

  for (unsigned at = 0; at < plan->n_nodes; at++)
    {
      unsigned i = facts->order[at];
      bool     controlled = false, activated = false, fed = true;

      for (unsigned e = 0; e < plan->n_edges; e++)
        {
          const SlDagEdge *edge = &plan->edge[e];

          if (edge->to != i)
            continue;
          if (!edge->control)
            fed &= edge->has_fallback || runs[edge->from];
          else
            {
              controlled = true;
              activated
                |= runs[edge->from]
                   && action[sl_dag_controller (facts, edge->from)] == sl_dag_action (plan, e);
            }
        }
      runs[i] = fed && (activated || !controlled);
      if (!runs[i])
        continue;
      all += facts->macs[i];
      if (plan->node[i].kind == SL_DAG_REGULAR)
        useful += facts->macs[i];
    }
  if (regular != NULL)
    *regular = useful;
  return all;
}

/* Whether a node of the fixed graph has another input than the defaults of what is gone. */
static bool
is_fed (const SlDagPlan *plan, const bool *runs, unsigned node)
{
  for (unsigned e = 0; e < plan->n_edges; e++)
    if (plan->edge[e].to == node && !plan->edge[e].control && runs[plan->edge[e].from])
      return true;
  return false;
}

/* Leaves of what runs only what leads to the output. */
static void
drop_unused (const SlDagPlan *plan, const SlDagFacts *facts, bool *runs)
{
  bool used[SL_DAG_NODES] = { false };

  for (unsigned i = 0; i < plan->n_nodes; i++)
    used[i] = plan->node[i].kind == SL_DAG_OUTPUT && runs[i];
  for (unsigned at = plan->n_nodes; at-- > 0;)
    for (unsigned e = 0; e < plan->n_edges; e++)
      if (plan->edge[e].from == facts->order[at] && !plan->edge[e].control
          && used[plan->edge[e].to])
        used[facts->order[at]] = runs[facts->order[at]];
  for (unsigned i = 0; i < plan->n_nodes; i++)
    runs[i] &= used[i];
}

void
sl_dag_fix (const SlDagPlan *plan, const SlDagFacts *facts, const uint8_t *action, SlDagPlan *fixed)
{
  bool     runs[SL_DAG_NODES];
  unsigned number[SL_DAG_NODES] = { 0 };

  *fixed = (SlDagPlan) { .width = facts->width };
  sl_dag_trace (plan, facts, action, runs, NULL);
  drop_unused (plan, facts, runs);
  for (unsigned i = 0; i < plan->n_nodes; i++)
    if (runs[i] && plan->node[i].kind != SL_DAG_CONTROL)
      number[i] = sl_dag_add (fixed, &plan->node[i]);
  for (unsigned e = 0; e < plan->n_edges; e++)
    {
      const SlDagEdge *edge = &plan->edge[e];

      if (edge->control || !runs[edge->to] || plan->node[edge->to].kind == SL_DAG_CONTROL)
        continue;
      if (runs[edge->from])
        sl_dag_join (fixed, number[edge->from], number[edge->to]);
      else if (edge->fallback != 0 || !is_fed (plan, runs, edge->to))
        {
          SlDagNode constant = { .name = "default",
                                 .kind = SL_DAG_DUMMY,
                                 .shape = facts->out[edge->from],
                                 .value = edge->fallback };

          sl_dag_join (fixed, sl_dag_add (fixed, &constant), number[edge->to]);
        }
    }
}

/* The largest layer of all, for the way back. */
static size_t
widest_layer (const SlDagPlan *plan, const SlDagFacts *facts)
{
  size_t most = 0;

  for (unsigned i = 0; i < plan->n_nodes; i++)
    {
      size_t in = sl_dag_width (facts->in[i]);

      most = in > most ? in : most;
      for (unsigned l = 0; l < plan->node[i].n_layers; l++)
        if (sl_dag_width (facts->layer[i][l]) > most)
          most = sl_dag_width (facts->layer[i][l]);
    }
  return most;
}

static void
cut_node (SlDag *dag, unsigned i, SlArena *scratch)
{
  const SlDagNode *node = &dag->plan.node[i];
  SlDagTurn       *turn = &dag->turn[i];
  size_t           most = dag->most;

  turn->row = sl_arena_carve (scratch, most, sizeof *turn->row);
  turn->place = sl_arena_carve (scratch, most, sizeof *turn->place);
  turn->sent = sl_arena_carve (scratch, most, 1);
  if (node->kind == SL_DAG_INPUT)
    {
      if (sl_dag_is_part (dag, i))
        turn->gathered = sl_arena_reals (scratch, most * sl_dag_width (node->shape));
      return;
    }
  turn->gathered = sl_arena_reals (scratch, most * sl_dag_width (dag->facts.in[i]));
  turn->dy = sl_arena_reals (scratch, most * sl_dag_width (dag->facts.out[i]));
  if (node->kind == SL_DAG_CONTROL)
    turn->action = sl_arena_carve (scratch, most, 1);
  for (unsigned l = 0; l < node->n_layers; l++)
    turn->out[l] = sl_arena_reals (scratch, most * sl_dag_width (dag->facts.layer[i][l]));
}

void
sl_dag_carve (SlDag *dag, const SlDagPlan *plan, const SlDagFacts *facts, size_t most,
              SlArena *kept, SlArena *scratch)
{
  size_t work = most * widest_layer (plan, facts), patch = 0;

  *dag = (SlDag) { .plan = *plan, .facts = *facts, .most = most };
  for (unsigned i = 0; i < plan->n_nodes; i++)
    {
      dag->first[i] = dag->n;
      for (unsigned l = 0; l < plan->node[i].n_layers; l++)
        {
          SlDagShape in = sl_dag_layer_in (facts, i, l);
          size_t     own = sl_dag_layer_patch (&plan->node[i].layer[l], in);

          dag->count[i] += sl_dag_layer_count (&plan->node[i].layer[l], in);
          patch = own > patch ? own : patch;
        }
      dag->n += dag->count[i];
      cut_node (dag, i, scratch);
    }
  dag->m = sl_arena_reals (kept, dag->n);
  dag->v = sl_arena_reals (kept, dag->n);
  dag->updates = sl_arena_carve (kept, plan->n_nodes, sizeof *dag->updates);
  dag->cost = sl_arena_carve (scratch, most, sizeof *dag->cost);
  if (facts->n_outputs > 1)
    {
      dag->answer = sl_arena_reals (scratch, most * sl_dag_width (facts->out[facts->output]));
      dag->dy = sl_arena_reals (scratch, most * sl_dag_width (facts->out[facts->output]));
    }
  else
    dag->dy = dag->turn[facts->output].dy;
  dag->work[0] = sl_arena_reals (scratch, work);
  dag->work[1] = sl_arena_reals (scratch, work);
  dag->patch = sl_arena_reals (scratch, patch);
}

void
sl_dag_bind (SlDag *dag, sl_real *weights, sl_real *gradient)
{
  dag->weights = weights;
  dag->gradient = gradient;
}

void
sl_dag_init (SlDag *dag, SlRng *rng)
{
  for (unsigned i = 0; i < dag->plan.n_nodes; i++)
    {
      sl_real *w = dag->weights + dag->first[i];

      for (unsigned l = 0; l < dag->plan.node[i].n_layers; l++)
        {
          const SlDagLayer *layer = &dag->plan.node[i].layer[l];
          SlDagShape        in = sl_dag_layer_in (&dag->facts, i, l);

          sl_dag_layer_init (layer, in, rng, w);
          w += sl_dag_layer_count (layer, in);
        }
    }
}

void
sl_dag_clear_moments (SlDag *dag)
{
  memset (dag->m, 0, dag->n * sizeof *dag->m);
  memset (dag->v, 0, dag->n * sizeof *dag->v);
  memset (dag->updates, 0, dag->plan.n_nodes * sizeof *dag->updates);
}
