/* SPDX-License-Identifier: MIT
 *
 * How the lab `selective-execution` learns: who explores, what is rewarded, the losses.  */
#include "core/labs/selective-execution/lab.h"

#include <math.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/nn/dense/loss.h"

SlDagRule
sl_selective_rule (const SlSelectiveLab *s)
{
  SlExitMeasure measure = (SlExitMeasure) sl_value_of (&s->base, P_CONFIDENCE);
  double        threshold = sl_value_of (&s->base, P_THRESHOLD);

  if (measure == SL_EXIT_ENTROPY)
    threshold *= log ((double) s->classes);
  return (SlDagRule) { measure, threshold };
}

bool
sl_selective_teaches_values (const SlSelectiveLab *s)
{
  return sl_selective_learns (s) && sl_value_of (&s->base, P_TEACH) == TEACH_VALUES;
}

/* The share of the classes' loss that comes from all exits on all examples. */
static double
share_of_exits (const SlSelectiveLab *s)
{
  return s->net.ruled ? 1.0 : sl_value_of (&s->base, P_EVERY_EXIT);
}

double
sl_selective_epsilon (const SlSelectiveLab *s)
{
  if (!sl_selective_learns (s))
    return 0.0;
  return sl_explore (sl_value_of (&s->base, P_EPSILON), sl_value_of (&s->base, P_EXPLORE),
                     (double) s->base.now.t);
}

/* Examples in a bag, as far as the batch goes. */
static size_t
bag_of (const SlSelectiveLab *s, size_t batch)
{
  size_t bag = sl_selective_learns (s) ? sl_count_of (&s->base, P_BAG) : 1;

  return bag < batch ? bag : batch;
}

/* A bag without a positive says nothing about finding them: its first example gives way. */
static void
add_positives (SlSelectiveLab *s, size_t batch)
{
  size_t bag = bag_of (s, batch);

  for (size_t first = 0; bag > 1 && first < batch; first += bag)
    {
      size_t   end = first + bag < batch ? first + bag : batch, e = first;
      uint32_t index;

      while (e < end && !s->label[e])
        e++;
      if (e < end)
        continue;
      index = s->positive[sl_rng_below (&s->now->bags, s->n_positive)];
      sl_dataset_gather (s->base.dataset, &index, 1, s->x + first * s->inputs, s->label + first);
      s->label[first] = 1;
    }
}

void
sl_selective_draw (SlSelectiveLab *s, size_t batch)
{
  double epsilon = sl_selective_epsilon (s);

  sl_batches_next (&s->base.batches, s->base.dataset, batch, s->x, s->label);
  if (s->n_positive > 0)
    {
      for (size_t e = 0; e < batch; e++)
        s->label[e] = s->label[e] == (uint8_t) sl_value_of (&s->base, P_POSITIVE);
      add_positives (s, batch);
    }
  for (unsigned c = 0; c < s->dag.facts.n_controllers; c++)
    for (size_t e = 0; e < batch; e++)
      {
        bool by_chance = sl_rng_uniform (&s->now->explore) < epsilon;

        s->forced[c * MOST_BATCH + e]
          = by_chance ? (uint8_t) sl_rng_below (&s->now->explore, s->dag.facts.n_actions[c])
                      : SL_DAG_FREE;
      }
  /* Classes that are action values are explored like any other action. */
  for (size_t e = 0; e < batch; e++)
    {
      bool by_chance
        = sl_selective_teaches_values (s) && sl_rng_uniform (&s->now->explore) < epsilon;

      s->any[e] = by_chance ? (uint8_t) sl_rng_below (&s->now->explore, s->classes) : SL_DAG_FREE;
    }
}

void
sl_selective_forward (SlSelectiveLab *s, size_t batch)
{
  s->dag.all = s->dag.ask = false;
  s->rule = sl_selective_rule (s);
  s->rank = (SlDepthRank) { sl_value_of (&s->base, P_SHARE), true };
  sl_dag_forward (&s->dag, batch, s->x, s->forced);
}

/* Whether controllers learn the rewards of all actions, those that were not taken too. */
static bool
asks (const SlSelectiveLab *s, size_t batch)
{
  return s->net.exits && !sl_selective_teaches_values (s) && !s->net.ruled
         && sl_value_of (&s->base, P_REWARDS) != REWARDS_TAKEN && bag_of (s, batch) == 1;
}

bool
sl_selective_runs_all (const SlSelectiveLab *s, size_t batch)
{
  return asks (s, batch)
         || (s->net.exits && !sl_selective_teaches_values (s) && share_of_exits (s) > 0.0);
}

void
sl_selective_forward_taught (SlSelectiveLab *s, size_t batch)
{
  s->rule = sl_selective_rule (s);
  s->rank = (SlDepthRank) { sl_value_of (&s->base, P_SHARE), false };
  s->dag.ask = asks (s, batch);
  s->dag.all = sl_selective_runs_all (s, batch);
  sl_dag_forward (&s->dag, batch, s->x, s->forced);
}

void
sl_selective_decide_classes (size_t batch, size_t classes, const sl_real *y, uint8_t *said)
{
  for (size_t e = 0; e < batch; e++)
    {
      size_t best = 0;

      for (size_t c = 1; c < classes; c++)
        if (y[e * classes + c] > y[e * classes + best])
          best = c;
      said[e] = (uint8_t) best;
    }
}

/* What the clock says about an example, as a share of the dearest path. */
static void
fill_timed (SlSelectiveLab *s, size_t batch)
{
  for (size_t e = 0; e < batch; e++)
    {
      bool runs[SL_DAG_NODES];

      for (unsigned i = 0; i < s->net.plan.n_nodes; i++)
        runs[i] = s->dag.turn[i].sent[e];
      s->cost[e] = sl_selective_timed (s, runs);
    }
}

static void
fill_paths (SlSelectiveLab *s, size_t batch)
{
  memset (s->path, 0, batch);
  for (unsigned c = 0; c < s->dag.facts.n_controllers; c++)
    {
      const SlDagTurn *turn = &s->dag.turn[s->dag.facts.controller[c]];

      for (uint32_t k = 0; k < turn->n; k++)
        s->path[turn->row[k]] += turn->sent[turn->row[k]] && turn->action[k] > 0;
    }
}

/* How right a bag is: the measure of the one class, or the share of right answers. */
static double
accuracy_of (const SlSelectiveLab *s, size_t first, size_t end)
{
  size_t right = 0;

  if (s->n_positive > 0 && end - first > 1)
    return sl_detection_score (sl_selective_detection (s), end - first, s->said + first,
                               s->label + first);
  for (size_t e = first; e < end; e++)
    right += s->said[e] == s->label[e];
  return (double) right / (double) (end - first);
}

void
sl_selective_settle (SlSelectiveLab *s, size_t batch, bool frozen)
{
  size_t bag = bag_of (s, batch);

  fill_paths (s, batch);
  for (size_t e = 0; e < batch; e++)
    s->cost[e] = s->dag.cost[e] / s->dag.facts.dearest_macs;
  if (frozen)
    return;
  sl_selective_decide_classes (batch, s->classes, s->dag.y, s->said);
  for (size_t e = 0; e < batch; e++)
    if (s->any[e] != SL_DAG_FREE)
      s->said[e] = s->any[e];
  if (sl_value_of (&s->base, P_COST) == COST_TIMED)
    fill_timed (s, batch);
  for (size_t first = 0; first < batch; first += bag)
    {
      size_t end = first + bag < batch ? first + bag : batch;
      double cost = 0.0;

      for (size_t e = first; e < end; e++)
        cost += s->cost[e] / (double) (end - first);
      s->reward[first / bag]
        = sl_reward (sl_value_of (&s->base, P_LAMBDA), accuracy_of (s, first, end), cost);
    }
  sl_selective_settle_rewards (s, batch);
}

/* The classes by cross entropy: what the paths answered and, beside them, every exit. */
static double
teach_classes (SlSelectiveLab *s, size_t batch, bool slope)
{
  SlDag *dag = &s->dag;
  double share = s->dag.all ? share_of_exits (s) : 0.0, loss;

  loss = sl_softmax_loss (batch, s->classes, dag->y, s->label, slope ? dag->dy : NULL, NULL);
  if (share == 0.0)
    return loss;
  for (size_t i = 0; slope && i < batch * s->classes; i++)
    dag->dy[i] *= (sl_real) (1.0 - share);
  return (1.0 - share) * loss + sl_selective_teach_exits (s, batch, share, slope);
}

/* The squared errors of a controller, summed over bags, times `scale`: of the actions that were
 * taken, or where all are known of every one.  */
static double
learn_controller (SlSelectiveLab *s, unsigned c, size_t batch, double scale, bool slope,
                  size_t *bags)
{
  SlDagTurn  *turn = &s->dag.turn[s->dag.facts.controller[c]];
  SlDecisions scored = { turn->n, s->dag.facts.n_actions[c], turn->row, turn->action, turn->y };

  *bags = batch;
  if (s->dag.ask)
    return sl_selective_learn_rewards (s, c, batch, scale, slope);
  return sl_q_loss (&scored, bag_of (s, batch), s->reward, scale, slope ? turn->dy : NULL, bags);
}

/* Divided by the size of a bag, the loss has the same slopes whatever the size, a ruling of ours; with
 * as many bags as fit it is then divided by the batch.  */
SlSelectiveLoss
sl_selective_loss (SlSelectiveLab *s, size_t batch, bool slope, SlSelectiveSums *sums)
{
  size_t          bag = bag_of (s, batch);
  double          scale = 1.0 / (double) batch, weight = sl_value_of (&s->base, P_Q_WEIGHT) * scale;
  SlSelectiveLoss loss = { 0 };

  if (slope)
    sl_dag_begin_backward (&s->dag);
  if (sl_selective_teaches_values (s))
    {
      SlDecisions scored = { batch, s->classes, s->row, s->said, s->dag.y };

      loss.classes = sl_q_loss (&scored, bag, s->reward, scale, slope ? s->dag.dy : NULL, NULL);
    }
  else
    loss.classes = teach_classes (s, batch, slope);
  for (unsigned c = 0; sl_selective_learns (s) && c < s->dag.facts.n_controllers; c++)
    {
      size_t bags;

      loss.controllers += learn_controller (s, c, batch, weight, slope, &bags);
      if (sums == NULL)
        continue;
      sums->q_bags[c] += (double) bags;
      sums->q_square[c] += learn_controller (s, c, batch, 1.0, false, &bags);
    }
  return loss;
}

double
sl_selective_static_step (SlSelectiveLab *s, unsigned twin, size_t batch, bool slope,
                          const SlOptimSetting *optim)
{
  SlDag *dag = &s->twin[twin];
  double loss;

  sl_dag_forward (dag, batch, s->x, NULL);
  if (slope)
    sl_dag_begin_backward (dag);
  loss = sl_softmax_loss (batch, s->classes, dag->y, s->label, slope ? dag->dy : NULL, NULL);
  if (slope)
    sl_dag_backward (dag, optim);
  return loss;
}

double
sl_selective_timed (const SlSelectiveLab *s, const bool *runs)
{
  const SlDagPlan *plan = &s->net.plan;
  bool             most[SL_DAG_NODES];
  double           sum = 0.0, dearest = 0.0;

  sl_dag_trace (plan, &s->dag.facts, s->dag.facts.dearest, most, NULL);
  for (unsigned i = 0; i < plan->n_nodes; i++)
    {
      sum += runs[i] ? s->now->seconds[i] : 0.0;
      dearest += most[i] && !s->net.aside[i] && plan->node[i].kind == SL_DAG_REGULAR
                   ? s->now->seconds[i]
                   : 0.0;
    }
  return sum / dearest;
}

/* The best of a few rounds: whoever else is on the machine only makes it longer.  The output passes
 * on what it gets; its time, never 0, also says that there are times.  */
void
sl_selective_time (SlSelectiveLab *s)
{
  for (unsigned i = 0; i < s->net.plan.n_nodes; i++)
    {
      SlDagKind kind = s->net.plan.node[i].kind;
      double    best = kind == SL_DAG_REGULAR || kind == SL_DAG_CONTROL ? 1.0 : 0.0;

      for (int round = 0; round < 5 && best > 0.0; round++)
        {
          double begin = sl_clock_wall (), time;

          sl_dag_run_node (&s->dag, i, TIMED_ROWS);
          time = (sl_clock_wall () - begin) / TIMED_ROWS;
          best = time < best ? time : best;
        }
      s->now->seconds[i] = best + 1e-12;
    }
  s->now->timed = s->base.now.t;
}
