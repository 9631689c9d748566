/* SPDX-License-Identifier: MIT
 *
 * The picture of the lab `selective-execution`: what the controllers say about one example, the way that it takes
 * through the network, and what that costs.  */
#include <math.h>
#include <string.h>

#include "core/lab/kit/alive.h"
#include "core/labs/selective-execution/probes.h"
#include "core/nn/dense/loss.h"

enum { SLOT = 0 };

/* Boxes and bars, in shares of what there is for each. */
static const double BOX_WIDTH = 0.62, BOX_HEIGHT = 0.7, MOST_HEIGHT = 0.13;

/* One example behind two passes: its own way, and the most expensive one. */
typedef struct
{
  SlSelectiveLab *s;
  SlProbe        *probe;
  bool            ran[SL_DAG_NODES], full[SL_DAG_NODES];
  bool            otherwise; /* the most expensive way answers otherwise */
  uint8_t         action[SL_DAG_CONTROLLERS];
  double          score[SL_DAG_CONTROLLERS][SL_DAG_ACTIONS];
  double          lo, hi;                  /* of the scores */
  sl_real        *logits;                  /* (C) */
  double          cost;                    /* share of the most expensive path */
  size_t          nodes, computed, missed; /* that multiply */
  SlAliveWriter   w;
} Picture;

static bool
is_closed (const Picture *v, unsigned node)
{
  return v->s->dag.count[node] > 0 && sl_alive_closes (v->probe, 0, node);
}

/* What a rule compares: how sure the exit is, and the threshold; of a rank a guess of it, and one half. */
static void
find_score (Picture *v, unsigned c, const SlDagTurn *turn)
{
  SlSelectiveLab *s = v->s;

  for (unsigned a = 0; a < s->dag.facts.n_actions[c]; a++)
    v->score[c][a] = (double) turn->y[a];
  if (s->net.ruled)
    {
      v->score[c][0] = sl_exit_sureness (s->rule.measure, s->classes, turn->x);
      v->score[c][1] = s->rule.threshold;
    }
  if (s->net.ranked && s->dag.turn[s->net.guess[c]].n > 0)
    v->score[c][1] = 1.0 / (1.0 + exp (-(double) s->dag.turn[s->net.guess[c]].y[0]));
}

static void
keep_own_way (Picture *v)
{
  SlSelectiveLab *s = v->s;

  for (unsigned i = 0; i < s->net.plan.n_nodes; i++)
    v->ran[i] = s->dag.turn[i].n > 0;
  for (unsigned c = 0; c < s->dag.facts.n_controllers; c++)
    {
      const SlDagTurn *turn = &s->dag.turn[s->dag.facts.controller[c]];

      if (turn->n == 0)
        continue;
      v->action[c] = turn->action[0];
      find_score (v, c, turn);
      for (unsigned a = 0; a < s->dag.facts.n_actions[c]; a++)
        {
          v->lo = fmin (v->lo, v->score[c][a]);
          v->hi = fmax (v->hi, v->score[c][a]);
        }
    }
  memcpy (v->logits, s->dag.y, s->classes * sizeof *v->logits);
}

/* Both ways, with nodes that are switched off without weights. */
static void
run (Picture *v)
{
  SlSelectiveLab *s = v->s;
  SlDag          *dag = &s->dag;
  SlAliveAside    aside[SL_SUBJECT_CLOSED];
  unsigned        n = 0;
  sl_real         margin;

  for (unsigned i = 0; i < s->net.plan.n_nodes && n < SL_SUBJECT_CLOSED; i++)
    if (is_closed (v, i))
      n += sl_alive_set_aside (&aside[n], v->probe, dag->weights + dag->first[i], dag->count[i], 1,
                               0);
  memset (s->forced, SL_DAG_FREE, MOST_CONTROLLERS * MOST_BATCH);
  sl_selective_forward (s, 1);
  keep_own_way (v);
  for (unsigned c = 0; c < dag->facts.n_controllers; c++)
    s->forced[c * MOST_BATCH] = dag->facts.dearest[c];
  sl_selective_forward (s, 1);
  v->otherwise
    = sl_decide (s->classes, dag->y, &margin) != sl_decide (s->classes, v->logits, &margin);
  for (unsigned i = 0; i < s->net.plan.n_nodes; i++)
    v->full[i] = dag->turn[i].n > 0;
  memset (s->forced, SL_DAG_FREE, MOST_CONTROLLERS * MOST_BATCH);
  while (n > 0)
    sl_alive_put_back (&aside[--n]);
}

static SlAliveState
state_of (const Picture *v, unsigned node)
{
  return is_closed (v, node)             ? SL_ALIVE_CLOSED
         : v->ran[node]                  ? SL_ALIVE_USED
         : v->full[node] && v->otherwise ? SL_ALIVE_MISSED
                                         : SL_ALIVE_SKIPPED;
}

static void
count (Picture *v)
{
  const SlDagFacts *facts = &v->s->dag.facts;

  for (unsigned i = 0; i < v->s->net.plan.n_nodes; i++)
    {
      SlAliveState state = state_of (v, i);

      if (!(facts->macs[i] > 0.0))
        continue;
      v->nodes++;
      v->computed += state == SL_ALIVE_USED;
      v->missed += state == SL_ALIVE_MISSED;
      v->cost += state == SL_ALIVE_USED ? facts->macs[i] / facts->dearest_macs : 0.0;
    }
}

/* Where an action leads. */
static SlMessage
action_name (const Picture *v, unsigned controller, unsigned action)
{
  const SlDagPlan *plan = &v->s->net.plan;

  for (unsigned e = 0; e < plan->n_edges; e++)
    if (plan->edge[e].control && plan->edge[e].from == v->s->dag.facts.controller[controller]
        && sl_dag_action (plan, e) == action)
      return sl_message_word (plan->node[plan->edge[e].to].name);
  return SL_NO_MESSAGE;
}

/* The actions of a controller stand together. */
static void
place_options (Picture *v, size_t options)
{
  const SlDagFacts *facts = &v->s->dag.facts;
  double            gap = 0.6, row = 1.0 / ((double) options + gap * (facts->n_controllers - 1.0));
  double            y = 0.0;

  for (unsigned c = 0; c < facts->n_controllers; c++, y += gap * row)
    for (unsigned a = 0; a < facts->n_actions[c]; a++, y += row)
      sl_alive_place (&v->w, 0.0, y, 1.0, fmin (row, 1.0 - y), action_name (v, c, a));
}

static void
add_options (Picture *v)
{
  const SlDagFacts *facts = &v->s->dag.facts;
  size_t            options = 0;

  for (unsigned c = 0; c < facts->n_controllers; c++)
    options += facts->n_actions[c];
  if (options == 0)
    return;
  sl_alive_group (&v->w, SL_ALIVE_OPTIONS, options, SLOT, sl_message ("scores"));
  options = 0;
  for (unsigned c = 0; c < facts->n_controllers; c++)
    for (unsigned a = 0; a < facts->n_actions[c]; a++)
      {
        bool ran = v->ran[facts->controller[c]];

        sl_alive_cell (&v->w, ran && a == v->action[c] ? SL_ALIVE_USED : SL_ALIVE_SKIPPED,
                       ran && v->hi > v->lo ? (v->score[c][a] - v->lo) / (v->hi - v->lo) : 0.0, 0.0,
                       options++);
      }
  place_options (v, options);
}

/* How far along each node stands: one further than the furthest of its sources.  Returns the last column. */
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

/* As high as the nearest two of one column allow. */
static double
find_height (const SlSelectiveLab *s, const unsigned *column)
{
  double apart = MOST_HEIGHT / BOX_HEIGHT;

  for (unsigned i = 0; i < s->net.plan.n_nodes; i++)
    for (unsigned k = 0; k < i; k++)
      if (column[i] == column[k])
        apart = fmin (apart, fabs (s->net.lane[i] - s->net.lane[k]));
  return BOX_HEIGHT * apart;
}

static void
place_nodes (Picture *v)
{
  const SlSelectiveLab *s = v->s;
  unsigned              column[SL_DAG_NODES], columns = find_columns (s, column) + 1;
  double                each = 1.0 / columns, h = find_height (s, column), w = BOX_WIDTH * each;

  for (unsigned i = 0; i < s->net.plan.n_nodes; i++)
    sl_alive_place (&v->w, column[i] * each + (each - w) / 2.0, s->net.lane[i] * (1.0 - h), w, h,
                    sl_message_word (s->net.plan.node[i].name));
}

static bool
passes (const Picture *v, const SlDagEdge *edge, unsigned number)
{
  const SlDagFacts *facts = &v->s->dag.facts;

  if (!edge->control)
    return v->ran[edge->from] && v->ran[edge->to];
  return v->ran[edge->from]
         && v->action[sl_dag_controller (facts, edge->from)]
              == sl_dag_action (&v->s->net.plan, number);
}

static void
add_graph (Picture *v)
{
  const SlDagPlan  *plan = &v->s->net.plan;
  const SlDagFacts *facts = &v->s->dag.facts;
  double            most = 0.0;

  sl_alive_group (&v->w, SL_ALIVE_GRAPH, plan->n_nodes, SLOT,
                  sl_message ("network: %zu of %zu nodes", v->computed, v->nodes));
  for (unsigned i = 0; i < plan->n_nodes; i++)
    most = fmax (most, facts->macs[i]);
  for (unsigned i = 0; i < plan->n_nodes; i++)
    sl_alive_cell (&v->w, state_of (v, i), most > 0.0 ? sqrt (facts->macs[i] / most) : 0.0, 0.0, i);
  place_nodes (v);
  for (unsigned e = 0; e < plan->n_edges; e++)
    sl_alive_link (&v->w, plan->edge[e].from, plan->edge[e].to, passes (v, &plan->edge[e], e),
                   plan->edge[e].control);
}

/* From the bottom up, as they run. */
static void
add_meter (Picture *v)
{
  const SlDagFacts *facts = &v->s->dag.facts;
  double            top = 1.0, whole = facts->dearest_macs * fmax (v->cost, 1.0);

  if (v->computed == 0)
    return;
  sl_alive_group (&v->w, SL_ALIVE_METER, v->computed, SLOT,
                  sl_message ("cost: %.0f %%", 100.0 * v->cost));
  for (unsigned at = 0; at < v->s->net.plan.n_nodes; at++)
    if (facts->macs[facts->order[at]] > 0.0 && state_of (v, facts->order[at]) == SL_ALIVE_USED)
      sl_alive_cell (&v->w, SL_ALIVE_USED, facts->macs[facts->order[at]] / facts->dearest_macs, 0.0,
                     facts->order[at]);
  for (unsigned at = 0; at < v->s->net.plan.n_nodes; at++)
    {
      unsigned i = facts->order[at];
      double   h = facts->macs[i] / whole;

      if (!(h > 0.0) || state_of (v, i) != SL_ALIVE_USED)
        continue;
      top = fmax (top - h, 0.0);
      sl_alive_place (&v->w, 0.0, top, 1.0, fmin (h, 1.0 - top),
                      sl_message_word (v->s->net.plan.node[i].name));
    }
}

static void
add_output (Picture *v)
{
  SlSelectiveLab *s = v->s;

  if (s->n_positive > 0)
    sl_alive_one_class (&v->w, v->logits, s->label[0],
                        (unsigned) sl_value_of (&s->base, P_POSITIVE));
  else
    sl_alive_output (&v->w, s->classes, v->logits, s->label[0]);
}

void
sl_selective_probe_alive (SlProbe *p)
{
  SlSelectiveLab *s = sl_selective_lab (p->state);
  Picture         v = { .s = s, .probe = p };
  unsigned        states = 1U << SL_ALIVE_USED | 1U << SL_ALIVE_SKIPPED | 1U << SL_ALIVE_MISSED;

  v.logits = sl_probe_room (p, s->classes, sizeof *v.logits);
  if (v.logits == NULL || !sl_alive_begin (&v.w, p))
    return;
  sl_alive_take (p, s->x, s->label);
  if (s->n_positive > 0)
    s->label[0] = s->label[0] == (uint8_t) sl_value_of (&s->base, P_POSITIVE);
  run (&v);
  if (!sl_ok (&p->status))
    return;
  count (&v);
  sl_alive_input (&v.w, s->x, states);
  add_options (&v);
  add_graph (&v);
  add_meter (&v);
  sl_probe_note (
    p,
    "%zu of %zu nodes computed, %zu missed: %.0f %% of the multiplications of the most "
    "expensive path.",
    v.computed, v.nodes, v.missed, 100.0 * v.cost);
  add_output (&v);
  sl_alive_end (&v.w);
}
