/* SPDX-License-Identifier: MIT
 *
 * The picture of the network of the lab `selective-execution`: who runs for how many.  */
#include "core/labs/selective-execution/lab.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/lab/kit/common.h"

/* How far along each node stands: one further than the furthest of its sources. */
static unsigned
find_columns (const SlLabState *s, unsigned *column)
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

/* Appends to the names as far as whole lines fit. */
static void __attribute__ ((format (printf, 3, 4)))
add_text (SlSnapshot *snapshot, size_t *used, const char *format, ...)
{
  char    text[200];
  size_t  length;
  va_list list;

  va_start (list, format);
  vsnprintf (text, sizeof text, format, list);
  va_end (list);
  length = strlen (text);
  if (*used + length >= sizeof snapshot->names)
    return;
  memcpy (snapshot->names + *used, text, length + 1);
  *used += length;
}

/* "high 86 %", and a sentence for who points at it. */
static void
name_node (const SlLabState *s, unsigned i, const SlSelectiveEvaluation *j, size_t n,
           SlSnapshot *snapshot, size_t *used)
{
  const SlDagNode *node = &s->net.plan.node[i];
  double           share = 100.0 * j->node[i] / (double) n;
  double           macs = s->dag.facts.macs[i], cost = 100.0 * macs / s->dag.facts.dearest_macs;

  if (j->node[i] == (double) n)
    add_text (snapshot, used, "%s", node->name);
  else
    add_text (snapshot, used, "%s %.0f %%", node->name, share);
  if (node->kind == SL_DAG_INPUT)
    add_text (snapshot, used, "\t%zu examples come in\n", n);
  else if (j->node[i] == 0.0)
    add_text (snapshot, used, "\tnobody comes here; %.0f multiplications (%.1f %%)\n", macs, cost);
  else if (node->kind == SL_DAG_OUTPUT)
    add_text (snapshot, used, "\tright on %.1f %%\n", 100.0 * j->node_right[i] / j->node[i]);
  else
    add_text (snapshot, used,
              "\tright on %.1f %% of the %.1f %% that come here; %.0f multiplications (%.1f %%)\n",
              100.0 * j->node_right[i] / j->node[i], share, macs, cost);
}

SlStatus
sl_selective_probe_graph (SlLabState *s, SlSnapshot *snapshot)
{
  const SlDagPlan      *plan = &s->net.plan;
  size_t                n = s->dataset->n[SL_VALID], used = 0;
  unsigned              column[SL_DAG_NODES], last = find_columns (s, column);
  SlSelectiveEvaluation evaluation;
  double *row = sl_snapshot_matrix (snapshot, 1, plan->n_nodes + plan->n_edges, SL_GRAPH_COLUMNS);

  if (row == NULL)
    return sl_probe_no_memory ();
  n = n < PROBE ? n : PROBE;
  sl_selective_evaluate (s, sl_dataset_first (s->dataset, SL_VALID), n, false, &evaluation);
  for (unsigned i = 0; i < plan->n_nodes; i++, row += SL_GRAPH_COLUMNS)
    {
      row[0] = -1.0;
      row[1] = (double) column[i] / last;
      row[2] = s->net.lane[i];
      row[3] = sqrt (evaluation.node[i] / (double) n); /* so that the area says it */
      row[4] = 100.0 * s->dag.facts.macs[i] / s->dag.facts.dearest_macs;
      snapshot->hi = fmax (snapshot->hi, row[4]);
      name_node (s, i, &evaluation, n, snapshot, &used);
    }
  for (unsigned e = 0; e < plan->n_edges; e++, row += SL_GRAPH_COLUMNS)
    {
      row[0] = plan->edge[e].from;
      row[1] = plan->edge[e].to;
      row[2] = plan->edge[e].control ? 2.0 : 1.0;
      row[3] = evaluation.edge[e] / (double) n;
      row[4] = 100.0 * s->dag.facts.macs[plan->edge[e].to] / s->dag.facts.dearest_macs;
    }
  snprintf (snapshot->note, sizeof snapshot->note,
            "%.1f %% right at %.1f %% of the multiplications, on %zu validation examples",
            100.0 - evaluation.error, 100.0 * evaluation.cost, n);
  return SL_SUCCESS;
}
