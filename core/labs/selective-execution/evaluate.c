/* SPDX-License-Identifier: MIT
 *
 * What the deployed network of the lab `selective-execution` does with whole ranges of examples,
 * and what an oracle and the static nets would.  */
#include "core/labs/selective-execution/lab.h"

#include <math.h>
#include <string.h>

#include "core/nn/dag/reward.h"
#include "core/nn/dense/loss.h"

/* Leaves all decisions to the controllers. */
static void
free_all (SlLabState *s)
{
  memset (s->forced, SL_DAG_FREE, MOST_DECISIONS * MOST_BATCH);
}

void
sl_route_count_one (const SlLabState *s, uint8_t said, uint8_t label, SlRouteTally *tally)
{
  bool right = said == label;

  tally->n += 1.0;
  tally->right += right;
  if (s->n_positive == 0)
    return;
  tally->true_positives += right && said != 0;
  tally->false_positives += !right && said != 0;
  tally->false_negatives += !right && said == 0;
}

void
sl_route_count (const SlLabState *s, size_t batch, const uint8_t *said, SlRouteTally *tally)
{
  for (size_t e = 0; e < batch; e++)
    sl_route_count_one (s, said[e], s->label[e], tally);
}

double
sl_route_error (const SlLabState *s, const SlRouteTally *tally)
{
  if (s->n_positive > 0)
    return 100.0
           - 100.0
               * sl_f1_of (tally->true_positives, tally->false_positives, tally->false_negatives);
  return 100.0 - 100.0 * tally->right / tally->n;
}

double
sl_route_twin_cost (const SlLabState *s, unsigned path)
{
  return s->twin[path].facts.dearest_macs / s->dag.facts.dearest_macs;
}

/* Loads examples as the task has them. */
static void
load (SlLabState *s, size_t first, size_t n)
{
  sl_dataset_range (s->dataset, first, n, s->x, s->label);
  for (size_t e = 0; s->n_positive > 0 && e < n; e++)
    s->label[e] = s->label[e] == (uint8_t) value_of (s, P_POSITIVE);
}

/* Who passed where, and how right they were. */
static void
add_nodes (const SlLabState *s, SlRouteJudgement *j)
{
  const SlDagPlan *plan = &s->net.plan;

  for (unsigned i = 0; i < plan->n_nodes; i++)
    {
      const SlDagTurn *turn = &s->dag.turn[i];

      j->node[i] += turn->n;
      for (uint32_t k = 0; k < turn->n; k++)
        j->node_right[i] += s->said[turn->row[k]] == s->label[turn->row[k]];
    }
  for (unsigned e = 0; e < plan->n_edges; e++)
    {
      const SlDagTurn *from = &s->dag.turn[plan->edge[e].from];
      const SlDagTurn *to = &s->dag.turn[plan->edge[e].to];
      unsigned         action = sl_dag_action (plan, e);

      for (uint32_t k = 0; k < from->n; k++)
        j->edge[e] += plan->edge[e].control ? from->action[k] == action
                                            : to->place[from->row[k]] != SL_DAG_NULL;
    }
}

/* The static nets, and then the oracle, which leaves only what nobody gets right of the batch. */
static void
judge_others (SlLabState *s, size_t n, SlRouteTally *best, SlRouteTally *twin, SlRouteJudgement *j)
{
  for (unsigned i = 0; i < s->n_twins; i++)
    {
      sl_route_say (n, s->classes, sl_dag_forward (&s->twin[i], n, s->x, NULL), s->said);
      sl_route_count (s, n, s->said, &twin[i]);
    }
  j->best_cost += sl_route_ask_oracle (s, n, best);
}

void
sl_route_judge (SlLabState *s, size_t first, size_t n, bool others, SlRouteJudgement *judgement)
{
  SlRouteTally tally = { 0 }, best = { 0 }, twin[MOST_PATHS] = { 0 };

  *judgement = (SlRouteJudgement) { 0 };
  memset (s->joint, 0, MOST_PATHS * s->classes * sizeof *s->joint);
  for (size_t done = 0; done < n;)
    {
      size_t         take = n - done < MOST_BATCH ? n - done : MOST_BATCH;
      const sl_real *y;

      load (s, first + done, take);
      free_all (s);
      sl_route_forward (s, take);
      sl_route_settle (s, take, true);
      y = s->dag.turn[s->dag.facts.output].y;
      sl_route_say (take, s->classes, y, s->said);
      judgement->loss
        += sl_softmax_loss (take, s->classes, y, s->label, NULL, NULL) * (double) take;
      sl_route_count (s, take, s->said, &tally);
      add_nodes (s, judgement);
      for (size_t e = 0; e < take; e++)
        {
          judgement->cost += s->cost[e];
          judgement->path[s->path[e]] += 1.0;
          judgement->path_right[s->path[e]] += s->said[e] == s->label[e];
          s->joint[s->path[e] * s->classes + s->label[e]]++;
        }
      if (others)
        judge_others (s, take, &best, twin, judgement);
      done += take;
    }
  judgement->loss /= (double) n;
  judgement->cost /= (double) n;
  judgement->best_cost /= (double) n;
  judgement->error = sl_route_error (s, &tally);
  judgement->best_error = others ? sl_route_error (s, &best) : NAN;
  for (unsigned i = 0; i < s->n_paths; i++)
    judgement->twin_error[i] = others && i < s->n_twins ? sl_route_error (s, &twin[i]) : NAN;
}
