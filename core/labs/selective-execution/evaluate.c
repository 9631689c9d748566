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
sl_selective_count_one (const SlLabState *s, uint8_t said, uint8_t label, SlSelectiveTally *tally)
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
sl_selective_count (const SlLabState *s, size_t batch, const uint8_t *said, SlSelectiveTally *tally)
{
  for (size_t e = 0; e < batch; e++)
    sl_selective_count_one (s, said[e], s->label[e], tally);
}

double
sl_selective_error (const SlLabState *s, const SlSelectiveTally *tally)
{
  if (s->n_positive > 0)
    return 100.0
           - 100.0
               * sl_f1_of (tally->true_positives, tally->false_positives, tally->false_negatives);
  return 100.0 - 100.0 * tally->right / tally->n;
}

double
sl_selective_static_cost (const SlLabState *s, unsigned path)
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
add_nodes (const SlLabState *s, SlSelectiveEvaluation *j)
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
evaluate_others (SlLabState *s, size_t n, SlSelectiveTally *best, SlSelectiveTally *twin,
                 SlSelectiveEvaluation *j)
{
  for (unsigned i = 0; i < s->n_twins; i++)
    {
      sl_selective_decide_classes (n, s->classes, sl_dag_forward (&s->twin[i], n, s->x, NULL),
                                   s->said);
      sl_selective_count (s, n, s->said, &twin[i]);
    }
  j->best_cost += sl_selective_ask_oracle (s, n, best);
}

void
sl_selective_evaluate (SlLabState *s, size_t first, size_t n, bool others,
                       SlSelectiveEvaluation *evaluation)
{
  SlSelectiveTally tally = { 0 }, best = { 0 }, twin[MOST_PATHS] = { 0 };

  *evaluation = (SlSelectiveEvaluation) { 0 };
  memset (s->joint, 0, MOST_PATHS * s->classes * sizeof *s->joint);
  for (size_t done = 0; done < n;)
    {
      size_t         take = n - done < MOST_BATCH ? n - done : MOST_BATCH;
      const sl_real *y;

      load (s, first + done, take);
      free_all (s);
      sl_selective_forward (s, take);
      sl_selective_settle (s, take, true);
      y = s->dag.turn[s->dag.facts.output].y;
      sl_selective_decide_classes (take, s->classes, y, s->said);
      evaluation->loss
        += sl_softmax_loss (take, s->classes, y, s->label, NULL, NULL) * (double) take;
      sl_selective_count (s, take, s->said, &tally);
      add_nodes (s, evaluation);
      for (size_t e = 0; e < take; e++)
        {
          evaluation->cost += s->cost[e];
          evaluation->path[s->path[e]] += 1.0;
          evaluation->path_right[s->path[e]] += s->said[e] == s->label[e];
          s->joint[s->path[e] * s->classes + s->label[e]]++;
        }
      if (others)
        evaluate_others (s, take, &best, twin, evaluation);
      done += take;
    }
  evaluation->loss /= (double) n;
  evaluation->cost /= (double) n;
  evaluation->best_cost /= (double) n;
  evaluation->error = sl_selective_error (s, &tally);
  evaluation->best_error = others ? sl_selective_error (s, &best) : NAN;
  for (unsigned i = 0; i < s->n_paths; i++)
    evaluation->twin_error[i] = others && i < s->n_twins ? sl_selective_error (s, &twin[i]) : NAN;
}
