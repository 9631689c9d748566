/* SPDX-License-Identifier: MIT
 *
 * The picture of the network of the lab `selective-execution`: who runs for how many.  */
#include "core/labs/selective-execution/probes.h"

#include <math.h>

/* How far along each node stands: one further than the furthest of its sources. */
static unsigned
find_columns (const SlSelectiveLab *s, unsigned *column)
{
  const SlDagPlan *plan = &s->net.plan;
  unsigned         last = 0;

  for (unsigned at = 0; at < plan->n_nodes; at++)
    {
      unsigned i = s->dag.facts.order[at];

      column[i] = 0;
      for (unsigned e = 0; e < plan->n_edges; e++)
        if (plan->edge[e].to == i && column[plan->edge[e].from] + 1 > column[i])
          column[i] = column[plan->edge[e].from] + 1;
      last = column[i] > last ? column[i] : last;
    }
  return last;
}

/* "high 86 %", and a sentence for who points at it. */
static void
name_node (SlProbe *p, const SlSelectiveLab *s, unsigned i, const SlSelectiveEvaluation *j,
           size_t n)
{
  const SlDagNode *node = &s->net.plan.node[i];
  double           share = 100.0 * j->node[i] / (double) n;
  double           right = 100.0 * j->node_right[i] / j->node[i];
  double           macs = s->dag.facts.macs[i], cost = 100.0 * macs / s->dag.facts.dearest_macs;
  SlMessage        text, name = sl_message_word (node->name);

  if (j->node[i] != (double) n)
    name = sl_message ("%s %.0f %%", sl_message_word (node->name).packed, share);
  if (node->kind == SL_DAG_INPUT)
    text = sl_message ("%zu examples enter", n);
  else if (j->node[i] == 0.0)
    text = sl_message ("no example reaches this node; %.0f multiplications (%.1f %%)", macs, cost);
  else if (node->kind == SL_DAG_OUTPUT)
    text = sl_message ("correct on %.1f %%", right);
  else
    text = sl_message (
      "correct on %.1f %% of the %.1f %% that reach this node; %.0f multiplications (%.1f %%)",
      right, share, macs, cost);
  sl_probe_name (p, "%s\t%s\n", name.packed, text.packed);
}

void
sl_selective_probe_graph (SlProbe *p)
{
  SlSelectiveLab              *s = sl_selective_lab (p->state);
  const SlDagPlan             *plan = &s->net.plan;
  unsigned                     column[SL_DAG_NODES], furthest = find_columns (s, column);
  const SlSelectiveKept       *last = sl_selective_last (s);
  const SlSelectiveEvaluation *evaluation = &last->evaluation;
  size_t                       n = last->n;
  double *row = sl_probe_matrix (p, 1, plan->n_nodes + plan->n_edges, SL_GRAPH_COLUMNS);

  if (row == NULL)
    return;
  for (unsigned i = 0; i < plan->n_nodes; i++, row += SL_GRAPH_COLUMNS)
    {
      row[0] = -1.0;
      row[1] = (double) column[i] / furthest;
      row[2] = s->net.lane[i];
      row[3] = sqrt (evaluation->node[i] / (double) n); /* so that the area says it */
      row[4] = 100.0 * s->dag.facts.macs[i] / s->dag.facts.dearest_macs;
      p->snapshot->hi = fmax (p->snapshot->hi, row[4]);
      name_node (p, s, i, evaluation, n);
    }
  for (unsigned e = 0; e < plan->n_edges; e++, row += SL_GRAPH_COLUMNS)
    {
      row[0] = plan->edge[e].from;
      row[1] = plan->edge[e].to;
      row[2] = plan->edge[e].control ? 2.0 : 1.0;
      row[3] = evaluation->edge[e] / (double) n;
      row[4] = 100.0 * s->dag.facts.macs[plan->edge[e].to] / s->dag.facts.dearest_macs;
    }
  sl_probe_note (p,
                 "%.1f %% correct at %.1f %% of the multiplications, on %zu validation examples "
                 "after update %llu",
                 100.0 - evaluation->error, 100.0 * evaluation->cost, n,
                 (unsigned long long) last->at);
}
