/* SPDX-License-Identifier: MIT
 *
 * What passes and updates of the lab `selective-execution` are made of: every node for the examples that come to
 * it.  */
#include "core/lab/kit/cost.h"

#include <math.h>
#include <stdlib.h>

#include "core/labs/selective-execution/lab.h"

enum { TIMED = 256 /* examples of a pass, as the lab's clock has them */ };

/* Numbers of a loop that sending an example to a node, or past it, takes. */
static const double sent = 16;

/* How likely a controller takes an action: as often as its rank allows or, where it is to be learned, as any
 * other.  */
static double
chance_of (const SlSelectiveLab *s, unsigned controller, unsigned action)
{
  double share = sl_value_of (&s->base, P_SHARE);

  if (s->net.ranked)
    return action == 0 ? 1 - share : share;
  return 1.0 / s->dag.facts.n_actions[controller];
}

/* The share of the examples that come to each node, over all ways through the net. */
static void
find_shares (const SlSelectiveLab *s, double share[SL_DAG_NODES])
{
  const SlDagFacts *facts = &s->dag.facts;
  bool              runs[SL_DAG_NODES];

  for (unsigned i = 0; i < s->net.plan.n_nodes; i++)
    share[i] = 0;
  for (unsigned w = 0; w < s->n_ways; w++)
    {
      double chance = 1;

      sl_dag_trace (&s->net.plan, facts, s->way[w].action, runs, NULL);
      for (unsigned c = 0; c < facts->n_controllers; c++)
        if (runs[facts->controller[c]])
          chance *= chance_of (s, c, s->way[w].action[c]);
      for (unsigned i = 0; i < s->net.plan.n_nodes; i++)
        share[i] += runs[i] ? chance : 0;
    }
}

static SlConv
conv_of (const SlDagLayer *layer, SlDagShape in)
{
  return (SlConv) { .inputs = in.channels,
                    .outputs = layer->units,
                    .height = in.height,
                    .width = in.width,
                    .tall = 3,
                    .wide = 3,
                    .stride = layer->stride,
                    .pad = 1 };
}

/* A layer forward, and with an optimiser backward too; `below`: for what is below as well. */
static void
add_layer (SlWorkload *work, const SlDagLayer *layer, SlDagShape in, SlDagShape out, size_t rows,
           const SlCostKind *optimiser, bool below)
{
  size_t inputs = sl_dag_width (in), outputs = sl_dag_width (out), numbers = 0;

  if (layer->kind == SL_DAG_DENSE || layer->kind == SL_DAG_ROUTER || layer->kind == SL_DAG_GUESS)
    {
      sl_cost_add_layer (work, rows, inputs, outputs);
      if (optimiser != NULL)
        sl_cost_add_layer_backward (work, rows, inputs, outputs, below);
      numbers = (inputs + 1) * outputs;
    }
  else if (layer->kind == SL_DAG_CONV)
    {
      SlConv conv = conv_of (layer, in);

      sl_cost_add_conv (work, &conv, rows,
                        optimiser == NULL
                          ? SL_CONV_FORWARD
                          : SL_CONV_FORWARD | SL_CONV_TO_WEIGHTS | (below ? SL_CONV_TO_INPUT : 0u));
      numbers = (9 * in.channels + 1) * layer->units;
    }
  else
    sl_cost_add (work, SL_COST_LOOP, optimiser != NULL ? 1 : 0.5, rows, inputs, 1);
  if (layer->rectified)
    sl_cost_add (work, SL_COST_RELU, optimiser != NULL ? 2 : 1, rows, outputs, 1);
  if (optimiser != NULL)
    sl_cost_add (work, *optimiser, 1, numbers, 1, 1);
}

/* A node for so many rows, with what it reads and what comes back. */
static void
add_node (SlWorkload *work, const SlDag *dag, unsigned node, size_t rows,
          const SlCostKind *optimiser)
{
  const SlDagNode *n = &dag->plan.node[node];
  SlDagShape       in = dag->facts.in[node];
  bool             first = true;

  for (unsigned e = 0; e < dag->plan.n_edges; e++)
    if (dag->plan.edge[e].to == node && !dag->plan.edge[e].control)
      first = first && dag->plan.node[dag->plan.edge[e].from].kind == SL_DAG_INPUT;
  sl_cost_add (work, SL_COST_COPY, optimiser != NULL ? 2 : 1, rows, sl_dag_width (in), 1);
  for (unsigned l = 0; l < n->n_layers; l++)
    {
      add_layer (work, &n->layer[l], in, dag->facts.layer[node][l], rows, optimiser,
                 !first || l > 0);
      in = dag->facts.layer[node][l];
    }
}

/* All nodes of a net; `share` of the rows of each, or NULL for all.  */
static void
add_net (SlWorkload *work, const SlDag *dag, size_t batch, const double *share,
         const SlCostKind *optimiser)
{
  for (unsigned i = 0; i < dag->plan.n_nodes; i++)
    {
      double part = share != NULL ? share[i] : 1;

      sl_cost_add (work, SL_COST_LOOP, sent, batch, 1, 1);
      if (part > 0)
        add_node (work, dag, i, (size_t) fmax (1, round (part * (double) batch)), optimiser);
    }
}

/* The dearest way without its controllers. */
static void
add_dearest (const SlSelectiveLab *s, const SlDag *dag, SlWorkload *work)
{
  bool runs[SL_DAG_NODES];

  sl_dag_trace (&dag->plan, &dag->facts, dag->facts.dearest, runs, NULL);
  for (unsigned i = 0; i < dag->plan.n_nodes; i++)
    if (runs[i] && !s->net.aside[i] && dag->plan.node[i].kind == SL_DAG_REGULAR)
      add_node (work, dag, i, TIMED, NULL);
}

/* An update; where all exits or controllers are taught, their nodes run for everybody. */
static void
add_step (const SlSelectiveLab *s, const SlDag *dag, SlWorkload *work, const double *share)
{
  static const SlCostKind of[] = { SL_COST_DESCENT, SL_COST_MOMENTUM, SL_COST_ADAM };
  size_t                  batch = sl_count_of (&s->base, P_BATCH);
  SlCostKind              optimiser = of[sl_count_of (&s->base, P_OPTIMISER)];
  double                  everything = 1 + s->n_twins;

  sl_cost_begin (work, SL_COST_OF_STEP);
  sl_cost_add (work, SL_COST_COPY, everything, batch, s->inputs, 1);
  add_net (work, dag, batch, sl_selective_runs_all (s, batch) ? NULL : share, &optimiser);
  for (unsigned i = 0; i < s->n_twins; i++)
    add_net (work, &s->twin[i], batch, NULL, &optimiser);
  sl_cost_add (work, SL_COST_SOFTMAX, everything, batch, s->classes, 1);
  sl_cost_add (work, SL_COST_LOOP, 80 * (1 + dag->facts.n_controllers), batch, 1, 1);
}

void
sl_selective_work (const SlLabState *state, SlWorkload *work)
{
  const SlSelectiveLab *s = (const SlSelectiveLab *) state;
  SlDag                *dag = calloc (1, sizeof *dag);
  double                share[SL_DAG_NODES];

  if (dag == NULL)
    return;
  dag->plan = s->net.plan;
  dag->facts = s->dag.facts;
  find_shares (s, share);
  work->batch = TIMED;
  sl_cost_begin (work, SL_COST_OF_DENSE);
  add_dearest (s, dag, work);
  sl_cost_begin (work, SL_COST_OF_PASS);
  add_net (work, dag, TIMED, share, NULL);
  if (!s->net.ranked)
    sl_cost_refuse (work, SL_COST_OF_PASS,
                    sl_message ("Which way an example takes is learned, and not known before."));
  add_step (s, dag, work, share);
  free (dag);
}
