/* SPDX-License-Identifier: MIT
 *
 * Checks the description of a graph, and derives its facts; see dag.h.  */
#include "core/labs/selective-execution/math/dag.h"

#include <stdio.h>
#include <string.h>

#include "core/labs/selective-execution/math/private.h"

/* `found` and `expected` are marked where they are written.  The position is the node, from 1. */
static SlStatus
refuse_node (const SlDagPlan *plan, unsigned node, const char *found, const char *expected)
{
  const char *name = node < SL_DAG_NODES ? plan->node[node].name : NULL;
  char        subject[64];
  SlStatus    status;

  snprintf (subject, sizeof subject, "node %s", name != NULL ? name : "without a name");
  status = sl_status_new (SL_EINVAL, subject, sl_message_word (found), sl_message_word (expected));
  status.position = node + 1u;
  return status;
}

/* How many edges of a kind come into a node, or leave it. */
static unsigned
count_edges (const SlDagPlan *plan, unsigned node, bool in, bool control)
{
  unsigned n = 0;

  for (unsigned e = 0; e < plan->n_edges; e++)
    n += (in ? plan->edge[e].to : plan->edge[e].from) == node && plan->edge[e].control == control;
  return n;
}

static SlStatus
check_sizes (const SlDagPlan *plan)
{
  if (plan->n_nodes > SL_DAG_NODES || plan->n_edges > SL_DAG_EDGES)
    return sl_status_new (SL_EINVAL, "graph",
                          sl_message ("%u nodes and %u edges", plan->n_nodes, plan->n_edges),
                          sl_message ("at most %d and %d", SL_DAG_NODES, SL_DAG_EDGES));
  for (unsigned e = 0; e < plan->n_edges; e++)
    if (plan->edge[e].from >= plan->n_nodes || plan->edge[e].to >= plan->n_nodes)
      return sl_status_new (
        SL_EINVAL, "graph",
        sl_message ("an edge from %u to %u", plan->edge[e].from, plan->edge[e].to),
        sl_message ("numbers of nodes below %u", plan->n_nodes));
  return SL_SUCCESS;
}

/* Inputs inside an example, and at least one of each end. */
static SlStatus
check_ends (const SlDagPlan *plan, SlDagFacts *facts)
{
  unsigned inputs = 0;

  for (unsigned i = 0; i < plan->n_nodes; i++)
    if (plan->node[i].kind == SL_DAG_INPUT)
      {
        size_t end = plan->node[i].first + sl_dag_width (plan->node[i].shape);

        facts->width = end > facts->width ? end : facts->width;
        if (plan->width > 0 && end > plan->width)
          return refuse_node (plan, i, SL_MARK ("an input that reaches beyond the example"),
                              SL_MARK ("numbers of the example"));
        inputs++;
      }
    else if (plan->node[i].kind == SL_DAG_OUTPUT && facts->n_outputs++ == 0)
      facts->output = i;
  if (plan->width > 0)
    facts->width = plan->width;
  if (inputs > 0 && facts->n_outputs > 0)
    return SL_SUCCESS;
  return sl_status_new (SL_EINVAL, "graph",
                        sl_message ("%u inputs and %u outputs", inputs, facts->n_outputs),
                        sl_message ("at least one of each"));
}

/* What may leave and enter a node of each kind. */
static SlStatus
check_edges (const SlDagPlan *plan)
{
  for (unsigned i = 0; i < plan->n_nodes; i++)
    {
      SlDagKind kind = plan->node[i].kind;
      unsigned  data = count_edges (plan, i, false, false),
               control = count_edges (plan, i, false, true);
      unsigned in = count_edges (plan, i, true, false),
               controlled = count_edges (plan, i, true, true);

      if (data > 0 && control > 0)
        return refuse_node (plan, i, SL_MARK ("data edges and control edges out of it"),
                            SL_MARK ("edges of one kind"));
      if (controlled > 0 && control > 0)
        return refuse_node (plan, i,
                            SL_MARK ("a control edge out of a node that is controlled itself"),
                            SL_MARK ("a controller that runs whenever its input is there"));
      if (control > 0 && kind != SL_DAG_CONTROL)
        return refuse_node (plan, i, SL_MARK ("a control edge out of it"),
                            SL_MARK ("a controller there"));
      if (kind == SL_DAG_CONTROL && control == 0)
        return refuse_node (plan, i, SL_MARK ("a controller without control edges"),
                            SL_MARK ("at least one thing to decide about"));
      if (kind == SL_DAG_INPUT && in + controlled > 0)
        return refuse_node (plan, i, SL_MARK ("an edge into the input"), SL_MARK ("none"));
      if (kind == SL_DAG_OUTPUT && data > 0)
        return refuse_node (plan, i, SL_MARK ("an edge out of the output"), SL_MARK ("none"));
      if (kind == SL_DAG_DUMMY && in > 0)
        return refuse_node (plan, i, SL_MARK ("data for a constant"),
                            SL_MARK ("control edges only"));
      if (kind != SL_DAG_INPUT && kind != SL_DAG_DUMMY && in == 0)
        return refuse_node (plan, i, SL_MARK ("no input"),
                            SL_MARK ("at least one data edge into it"));
    }
  for (unsigned e = 0; e < plan->n_edges; e++)
    for (unsigned f = e + 1; f < plan->n_edges; f++)
      if (plan->edge[e].from == plan->edge[f].from && plan->edge[e].to == plan->edge[f].to)
        return refuse_node (plan, plan->edge[e].to, SL_MARK ("the same edge twice"),
                            SL_MARK ("each edge once"));
  return SL_SUCCESS;
}

/* Every node behind its sources, those with low numbers first. */
static SlStatus
sort_nodes (const SlDagPlan *plan, SlDagFacts *facts)
{
  bool done[SL_DAG_NODES] = { false };

  for (unsigned at = 0; at < plan->n_nodes; at++)
    {
      unsigned next = plan->n_nodes;

      for (unsigned i = 0; i < plan->n_nodes && next == plan->n_nodes; i++)
        {
          bool ready = !done[i];

          for (unsigned e = 0; e < plan->n_edges && ready; e++)
            ready = plan->edge[e].to != i || done[plan->edge[e].from];
          if (ready)
            next = i;
        }
      if (next == plan->n_nodes)
        {
          for (next = 0; done[next];)
            next++;
          return refuse_node (plan, next, SL_MARK ("a cycle"),
                              SL_MARK ("edges that never lead back"));
        }
      done[next] = true;
      facts->order[at] = next;
    }
  return SL_SUCCESS;
}

static size_t
weight_places (const SlDagLayer *layer)
{
  size_t n = 0;

  for (size_t j = 0; j < layer->units; j++)
    n += layer->places[j] != 0;
  return n;
}

static SlStatus
check_layers (const SlDagPlan *plan, unsigned i, SlDagFacts *facts)
{
  const SlDagNode *node = &plan->node[i];
  SlDagShape       shape = facts->in[i];

  if (node->n_layers > SL_DAG_LAYERS)
    return refuse_node (plan, i, SL_MARK ("too many layers"), SL_MARK ("at most six"));
  if (node->n_layers > 0 && node->kind != SL_DAG_REGULAR && node->kind != SL_DAG_CONTROL)
    return refuse_node (plan, i, SL_MARK ("layers"), SL_MARK ("a node that computes"));
  for (unsigned l = 0; l < node->n_layers; l++)
    {
      const SlDagLayer *layer = &node->layer[l];

      if (layer->kind != SL_DAG_POOL && layer->units == 0)
        return refuse_node (plan, i, SL_MARK ("a layer without units"), SL_MARK ("at least one"));
      if (layer->kind == SL_DAG_CONV && layer->stride == 0)
        return refuse_node (plan, i, SL_MARK ("a stride of 0"), SL_MARK ("at least 1"));
      if (layer->rectified && layer->kind != SL_DAG_DENSE && layer->kind != SL_DAG_CONV)
        return refuse_node (plan, i, SL_MARK ("a rectifier behind nothing trainable"),
                            SL_MARK ("none there"));
      if (layer->kind == SL_DAG_POOL
          && (layer->stride < 2 || (shape.height < 2 && shape.width < 2)))
        return refuse_node (plan, i, SL_MARK ("means of less than two numbers"),
                            SL_MARK ("a picture and a stride from 2"));
      if ((layer->kind == SL_DAG_RULE || layer->kind == SL_DAG_RANK)
          && (node->kind != SL_DAG_CONTROL || l + 1 < node->n_layers || layer->units != 2
              || (layer->rule == NULL && layer->rank == NULL)))
        return refuse_node (plan, i, SL_MARK ("a rule where none belongs"),
                            SL_MARK ("two scores at the end of a controller"));
      if ((layer->kind == SL_DAG_ROUTER || layer->kind == SL_DAG_GUESS) && layer->units != 1)
        return refuse_node (plan, i, SL_MARK ("several numbers of a router"), SL_MARK ("one"));
      if ((layer->kind == SL_DAG_RANK && sl_dag_width (shape) != 2)
          || (layer->kind == SL_DAG_WEIGH && sl_dag_width (shape) != layer->units + 1))
        return refuse_node (plan, i, SL_MARK ("a wrong number of inputs"),
                            SL_MARK ("the number of a router, then a guess or what it weighs"));
      if (layer->kind == SL_DAG_PLACE && weight_places (layer) != sl_dag_width (shape))
        return refuse_node (plan, i, SL_MARK ("more or fewer places than numbers"),
                            SL_MARK ("one for each"));
      facts->macs[i] += sl_dag_layer_macs (layer, shape);
      shape = sl_dag_layer_shape (layer, shape);
      if (sl_dag_width (shape) > SL_DAG_WIDTH)
        return refuse_node (plan, i, SL_MARK ("more numbers than an edge passes on"),
                            SL_MARK ("at most 16 777 216"));
      facts->layer[i][l] = shape;
    }
  facts->out[i] = shape;
  return SL_SUCCESS;
}

static SlStatus
check_controller (const SlDagPlan *plan, unsigned i, SlDagFacts *facts)
{
  const SlDagNode  *node = &plan->node[i];
  unsigned          edges = count_edges (plan, i, false, true), c = facts->n_controllers++;
  const SlDagLayer *last = node->n_layers > 0 ? &node->layer[node->n_layers - 1] : NULL;
  SlStatus          status;

  if (c >= SL_DAG_CONTROLLERS || edges > SL_DAG_ACTIONS)
    return refuse_node (plan, i, SL_MARK ("too many controllers or control edges"),
                        SL_MARK ("at most eight controllers with four edges each"));
  facts->controller[c] = i;
  facts->n_actions[c] = edges;
  if (last == NULL || last->rectified
      || (last->kind != SL_DAG_DENSE && last->kind != SL_DAG_RULE && last->kind != SL_DAG_RANK))
    return refuse_node (plan, i, SL_MARK ("a controller without scores"),
                        SL_MARK ("a plain dense layer or a rule at its end"));
  if (last->units == edges)
    return SL_SUCCESS;
  status = refuse_node (plan, i, "", SL_MARK ("one for each"));
  status.found = sl_message ("%zu scores for %u control edges", last->units, edges);
  return status;
}

/* What comes in along one more edge. */
static bool
merge_shapes (const SlDagNode *node, bool first, SlDagShape more, SlDagShape *in)
{
  if (first)
    *in = more;
  else if (!node->beside)
    return memcmp (&more, in, sizeof more) == 0;
  else if (more.height == in->height && more.width == in->width)
    in->channels += more.channels;
  else
    *in = (SlDagShape) { sl_dag_width (*in) + sl_dag_width (more), 1, 1 };
  return true;
}

static SlStatus
check_inputs (const SlDagPlan *plan, unsigned i, SlDagFacts *facts)
{
  const SlDagNode *node = &plan->node[i];
  bool             first = true;

  if (node->kind == SL_DAG_INPUT || node->kind == SL_DAG_DUMMY)
    facts->in[i] = node->shape;
  for (unsigned e = 0; e < plan->n_edges; e++)
    if (plan->edge[e].to == i && !plan->edge[e].control)
      {
        if (!merge_shapes (node, first, facts->out[plan->edge[e].from], &facts->in[i]))
          return refuse_node (plan, i, SL_MARK ("inputs that do not fit each other"),
                              SL_MARK ("what can be added up"));
        first = false;
      }
  if (sl_dag_width (facts->in[i]) > SL_DAG_WIDTH)
    return refuse_node (plan, i, SL_MARK ("more numbers than an edge passes on"),
                        SL_MARK ("at most 16 777 216"));
  if (sl_dag_width (facts->in[i]) == 0)
    return refuse_node (plan, i, SL_MARK ("nothing to pass on"),
                        SL_MARK ("a shape of at least one number"));
  return SL_SUCCESS;
}

static SlStatus
check_shapes (const SlDagPlan *plan, SlDagFacts *facts)
{
  SlStatus status = SL_SUCCESS;

  for (unsigned at = 0; at < plan->n_nodes && sl_ok (&status); at++)
    {
      status = check_inputs (plan, facts->order[at], facts);
      if (sl_ok (&status))
        status = check_layers (plan, facts->order[at], facts);
    }
  for (unsigned i = 0; i < plan->n_nodes && sl_ok (&status); i++)
    if (plan->node[i].kind == SL_DAG_CONTROL)
      status = check_controller (plan, i, facts);
  return status;
}

/* The next choice of all controllers, as numbers are counted; false after the last. */
static bool
next_choice (const SlDagFacts *facts, uint8_t *action)
{
  for (unsigned c = 0; c < facts->n_controllers; c++)
    {
      if (++action[c] < facts->n_actions[c])
        return true;
      action[c] = 0;
    }
  return false;
}

static bool
has_answer (const SlDagPlan *plan, const bool *runs)
{
  for (unsigned i = 0; i < plan->n_nodes; i++)
    if (plan->node[i].kind == SL_DAG_OUTPUT && runs[i])
      return true;
  return false;
}

/* Tries every decision, as graphs are small: there has to be an answer, and one is the dearest. */
static SlStatus
try_decisions (const SlDagPlan *plan, SlDagFacts *facts)
{
  uint8_t action[SL_DAG_CONTROLLERS] = { 0 };
  bool    runs[SL_DAG_NODES];

  facts->dearest_macs = -1.0;
  do
    {
      double regular;

      sl_dag_trace (plan, facts, action, runs, &regular);
      if (!has_answer (plan, runs))
        return refuse_node (plan, facts->output, SL_MARK ("an output that may go without a value"),
                            SL_MARK ("defaults on the edges into it"));
      if (regular > facts->dearest_macs)
        {
          facts->dearest_macs = regular;
          memcpy (facts->dearest, action, sizeof facts->dearest);
        }
    }
  while (next_choice (facts, action));
  return SL_SUCCESS;
}

/* What is added up has one shape. */
static SlStatus
check_outputs (const SlDagPlan *plan, const SlDagFacts *facts)
{
  for (unsigned i = 0; i < plan->n_nodes; i++)
    if (plan->node[i].kind == SL_DAG_OUTPUT
        && memcmp (&facts->out[i], &facts->out[facts->output], sizeof facts->out[i]) != 0)
      return refuse_node (plan, i, SL_MARK ("an output of another size than the first one"),
                          SL_MARK ("as many numbers"));
  return SL_SUCCESS;
}

SlStatus
sl_dag_check (const SlDagPlan *plan, SlDagFacts *facts)
{
  SlStatus status = check_sizes (plan);

  *facts = (SlDagFacts) { 0 };
  if (sl_ok (&status))
    status = check_ends (plan, facts);
  if (sl_ok (&status))
    status = check_edges (plan);
  if (sl_ok (&status))
    status = sort_nodes (plan, facts);
  if (sl_ok (&status))
    status = check_shapes (plan, facts);
  if (sl_ok (&status))
    status = check_outputs (plan, facts);
  if (sl_ok (&status))
    status = try_decisions (plan, facts);
  if (sl_ok (&status) && !(facts->dearest_macs > 0.0))
    status = sl_status_new (SL_EINVAL, "graph", sl_message ("regular nodes that multiply nothing"),
                            sl_message ("something that costs"));
  return status;
}
