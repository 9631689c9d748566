/* SPDX-License-Identifier: MIT
 *
 * Networks of the lab `selective-execution` that its data have, and all of them as files.  */
#include "core/labs/selective-execution/lab.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

SlStatus
sl_selective_plan_own (const SlSelectiveLab *s, SlDagShape input, SlSelectiveNet *net)
{
  const char *text = s->base.dataset->network;
  SlStatus    status = sl_dag_read (&net->plan, &net->file, text, strlen (text), input, s->classes);

  net->own = true;
  memcpy (net->lane, net->file.lane, sizeof net->lane);
  return status;
}

/* What the rules of graphs say about a node is said about its line. */
static SlStatus
locate (const SlSelectiveLab *s, SlStatus status)
{
  if (status.place == SL_NOWHERE && status.position > 0 && status.position <= SL_DAG_NODES)
    {
      status.place = SL_LINE;
      status.position = s->net.file.line[status.position - 1];
    }
  return status;
}

SlStatus
sl_selective_check_own (const SlSelectiveLab *s, SlStatus status)
{
  const SlDagFacts *facts = &s->dag.facts;
  size_t            width;

  if (!sl_ok (&status))
    return locate (s, status);
  width = sl_dag_width (facts->out[facts->output]);
  if (width == s->classes)
    return status;
  status = sl_status_new (SL_EINVAL, "network", sl_message ("an output of %zu numbers", width),
                          sl_message ("one for each of %zu classes", s->classes));
  status.position = facts->output + 1u;
  return locate (s, status);
}

/* How many edges away from the input each node stands at most. */
static void
find_depths (const SlSelectiveLab *s, unsigned *depth)
{
  const SlDagPlan *plan = &s->net.plan;

  for (unsigned at = 0; at < plan->n_nodes; at++)
    {
      unsigned i = s->dag.facts.order[at];

      depth[i] = 0;
      for (unsigned e = 0; e < plan->n_edges; e++)
        if (plan->edge[e].to == i && depth[plan->edge[e].from] + 1 > depth[i])
          depth[i] = depth[plan->edge[e].from] + 1;
    }
}

void
sl_selective_place_own (SlSelectiveLab *s)
{
  unsigned depth[SL_DAG_NODES], n = s->net.plan.n_nodes;

  find_depths (s, depth);
  for (unsigned i = 0; i < n; i++)
    {
      unsigned before = 0, beside = 0;

      if (isfinite (s->net.file.lane[i]))
        continue;
      for (unsigned j = 0; j < n; j++)
        {
          beside += depth[j] == depth[i];
          before += depth[j] == depth[i] && j < i;
        }
      s->net.lane[i] = (before + 0.5) / beside;
    }
}

SlStatus
sl_selective_write_network (const SlDataset *dataset, const SlSettings *settings, char **text)
{
  SlSelectiveLab *s = calloc (1, sizeof *s);
  SlStatus        status;

  *text = NULL;
  if (s == NULL)
    return sl_status_no_memory ("network");
  s->base.dataset = dataset;
  s->base.settings = *settings;
  status = sl_selective_look_at_task (s);
  if (sl_ok (&status) && dataset->network == NULL)
    status = sl_selective_plan (s, &s->net);
  if (sl_ok (&status) && dataset->network == NULL)
    status = sl_dag_write (&s->net.plan, s->net.lane, s->classes, text);
  else if (sl_ok (&status))
    {
      *text = strdup (dataset->network);
      status = *text != NULL ? SL_SUCCESS : sl_status_no_memory ("network");
    }
  free (s);
  return status;
}

SlStatus
sl_selective_check_network (const char *text, size_t length)
{
  SlDagPlan plan;
  SlDagFile file;

  return sl_dag_read (&plan, &file, text, length, (SlDagShape) { 1, 1, 1 }, SL_DAG_CLASSES);
}
