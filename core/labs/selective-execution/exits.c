/* SPDX-License-Identifier: MIT
 *
 * What the lab `selective-execution` teaches beside the paths that were taken, where each node
 * before the output is an answer alone: all exits on all examples, and controllers the rewards of
 * every action.  Both are ours, and off as published.  */
#include "core/labs/selective-execution/lab.h"

#include <math.h>

#include "core/labs/selective-execution/math/reward.h"
#include "core/nn/dense/loss.h"

enum { LEAVE, GO_ON, CHOICES }; /* the actions of a controller before an exit */

unsigned
sl_selective_exits (const SlSelectiveLab *s, unsigned *node)
{
  const SlDagPlan *plan = &s->net.plan;
  unsigned         n = 0;

  for (unsigned e = 0; e < plan->n_edges; e++)
    if (plan->edge[e].to == s->dag.facts.output)
      node[n++] = plan->edge[e].from;
  return n;
}

/* Each alone is an answer, and all of them ran on the whole batch.  All weigh the same: on
 * Fashion-MNIST each exit, the cheap ones too, erred less than with cheap ones weighing more.  */
double
sl_selective_teach_exits (SlSelectiveLab *s, size_t batch, double share, bool slope)
{
  unsigned node[MOST_PATHS], exits = sl_selective_exits (s, node);
  double   weight = share / exits, loss = 0.0;

  for (unsigned k = 0; k < exits; k++)
    {
      SlDagTurn *turn = &s->dag.turn[node[k]];

      loss
        += weight
           * sl_softmax_loss (batch, s->classes, turn->y, s->label, slope ? turn->dy : NULL, NULL);
      for (size_t i = 0; slope && i < batch * s->classes; i++)
        turn->dy[i] *= (sl_real) weight;
    }
  return loss;
}

double
sl_selective_exit_cost (const SlSelectiveLab *s, unsigned exit)
{
  uint8_t action[SL_DAG_CONTROLLERS] = { LEAVE };
  bool    runs[SL_DAG_NODES];
  double  macs;

  for (unsigned c = 0; c < exit; c++)
    action[c] = GO_ON;
  macs = sl_dag_trace (&s->net.plan, &s->dag.facts, action, runs, NULL);
  return sl_value_of (&s->base, P_COST) == COST_TIMED ? sl_selective_timed (s, runs)
                                                      : macs / s->dag.facts.dearest_macs;
}

/* How right these scores of the classes are. */
static double
accuracy_of (const SlSelectiveLab *s, const sl_real *score, uint8_t label)
{
  double sum = 0.0;

  if (sl_value_of (&s->base, P_REWARDS) == REWARDS_EVERY)
    return sl_selective_wanted (score, (unsigned) s->classes) == label;
  for (size_t c = 0; c < s->classes; c++)
    sum += exp ((double) (score[c] - score[label]));
  return 1.0 / sum;
}

/* From the last exit back: going on earns what the later controllers' scores then want. */
void
sl_selective_settle_rewards (SlSelectiveLab *s, size_t batch)
{
  unsigned node[MOST_PATHS], exits;

  if (!s->dag.ask)
    return;
  exits = sl_selective_exits (s, node);
  for (unsigned k = exits; k-- > 0;)
    {
      double         cost = sl_selective_exit_cost (s, k);
      const sl_real *q = k + 1 < exits ? s->dag.turn[s->dag.facts.controller[k]].y : NULL;

      for (size_t e = 0; e < batch; e++)
        {
          double   right = accuracy_of (s, s->dag.turn[node[k]].y + e * s->classes, s->label[e]);
          sl_real  reward = (sl_real) sl_reward (sl_value_of (&s->base, P_LAMBDA), right, cost);
          sl_real *earned = s->earned + (k * MOST_BATCH + e) * CHOICES;

          if (q != NULL)
            {
              earned[LEAVE] = reward;
              earned[GO_ON] = s->ahead[e];
            }
          if (q == NULL || sl_selective_wanted (q + e * CHOICES, CHOICES) == LEAVE)
            s->ahead[e] = reward;
        }
    }
}

double
sl_selective_learn_rewards (SlSelectiveLab *s, unsigned controller, size_t batch, double scale,
                            bool slope)
{
  SlDagTurn     *turn = &s->dag.turn[s->dag.facts.controller[controller]];
  const sl_real *earned = s->earned + (size_t) controller * MOST_BATCH * CHOICES;
  double         loss = 0.0;

  for (size_t i = 0; i < batch * CHOICES; i++)
    {
      double off = (double) (turn->y[i] - earned[i]);

      loss += scale * off * off / CHOICES;
      if (slope)
        turn->dy[i] += (sl_real) (2.0 * scale * off / CHOICES);
    }
  return loss;
}
