/* SPDX-License-Identifier: MIT
 *
 * What the deployed network of the lab `selective-execution` does with whole ranges of examples,
 * and what an oracle and the static nets would.  */
#include "core/labs/selective-execution/lab.h"

#include <math.h>
#include <string.h>

#include "core/nn/dense/loss.h"

/* Leaves all decisions to the controllers. */
static void
free_all (SlSelectiveLab *s)
{
  memset (s->forced, SL_DAG_FREE, MOST_CONTROLLERS * MOST_BATCH);
}

void
sl_selective_count_one (const SlSelectiveLab *s, uint8_t said, uint8_t label,
                        SlSelectiveTally *tally)
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
sl_selective_count (const SlSelectiveLab *s, size_t batch, const uint8_t *said,
                    SlSelectiveTally *tally)
{
  for (size_t e = 0; e < batch; e++)
    sl_selective_count_one (s, said[e], s->label[e], tally);
}

SlDetection
sl_selective_detection (const SlSelectiveLab *s)
{
  return (SlDetection) sl_value_of (&s->base, P_MEASURE);
}

double
sl_selective_error (const SlSelectiveLab *s, const SlSelectiveTally *tally)
{
  if (s->n_positive > 0)
    return 100.0
           - 100.0
               * sl_detection_score_of (sl_selective_detection (s), tally->true_positives,
                                        tally->false_positives, tally->false_negatives);
  return 100.0 - 100.0 * tally->right / tally->n;
}

double
sl_selective_static_cost (const SlSelectiveLab *s, unsigned path)
{
  return s->twin[path].facts.dearest_macs / s->dag.facts.dearest_macs;
}

void
sl_selective_load (SlSelectiveLab *s, size_t first, size_t n)
{
  sl_dataset_range (s->base.dataset, first, n, s->x, s->label);
  for (size_t e = 0; s->n_positive > 0 && e < n; e++)
    s->label[e] = s->label[e] == (uint8_t) sl_value_of (&s->base, P_POSITIVE);
}

/* Who passed where, and how right they were. */
static void
add_nodes (const SlSelectiveLab *s, SlSelectiveEvaluation *j)
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

/* How many of each class took the dear choice of each controller. */
static void
add_routed (SlSelectiveLab *s)
{
  for (unsigned c = 0; c < s->dag.facts.n_controllers; c++)
    {
      const SlDagTurn *turn = &s->dag.turn[s->dag.facts.controller[c]];

      for (uint32_t k = 0; k < turn->n; k++)
        s->routed[c * s->classes + s->label[turn->row[k]]] += turn->action[k] > 0;
    }
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

/* Choices that differ only in what controllers that do not run would say are one way: the one where
 * these say their first action.  */
static bool
is_first_of_its_kind (const SlDagFacts *facts, const bool *runs, const uint8_t *action)
{
  for (unsigned c = 0; c < facts->n_controllers; c++)
    if (!runs[facts->controller[c]] && action[c] != 0)
      return false;
  return true;
}

/* Keeps the ways in the order of their costs; of equals the one found first comes first. */
static void
insert_way (SlSelectiveLab *s, const SlSelectiveWay *way)
{
  unsigned at = s->n_ways++;

  for (; at > 0 && s->way[at - 1].macs > way->macs; at--)
    s->way[at] = s->way[at - 1];
  s->way[at] = *way;
}

/* The actions as digits of one number; those of controllers that did not run are 0. */
static unsigned
code_of (const SlDagFacts *facts, const uint8_t *action)
{
  unsigned code = 0;

  for (unsigned c = facts->n_controllers; c-- > 0;)
    code = code * facts->n_actions[c] + action[c];
  return code;
}

/* On which way an example of the last pass was. */
static unsigned
way_of (const SlSelectiveLab *s, size_t e)
{
  const SlDagFacts *facts = &s->dag.facts;
  uint8_t           action[SL_DAG_CONTROLLERS] = { 0 };

  for (unsigned c = 0; c < facts->n_controllers; c++)
    {
      const SlDagTurn *turn = &s->dag.turn[facts->controller[c]];

      if (turn->place[e] != SL_DAG_NULL)
        action[c] = turn->action[turn->place[e]];
    }
  return s->way_of[code_of (facts, action)];
}

SlStatus
sl_selective_list_ways (SlSelectiveLab *s, const SlDagFacts *facts)
{
  SlSelectiveWay way = { 0 };
  bool           runs[SL_DAG_NODES];
  unsigned       choices = 1;

  s->n_ways = 0;
  for (unsigned c = 0; c < facts->n_controllers; c++)
    choices *= facts->n_actions[c];
  if (choices > MOST_WAYS)
    return sl_status_new (SL_EUNSUPPORTED, "network", sl_message ("%u ways of deciding", choices),
                          sl_message ("at most %d", MOST_WAYS));
  do
    {
      way.macs = sl_dag_trace (&s->net.plan, facts, way.action, runs, NULL);
      if (is_first_of_its_kind (facts, runs, way.action))
        insert_way (s, &way);
    }
  while (next_choice (facts, way.action));
  for (unsigned w = 0; w < s->n_ways; w++)
    s->way_of[code_of (facts, s->way[w].action)] = (uint8_t) w;
  return SL_SUCCESS;
}

/* Runs the first `left` examples that way. */
static void
take_way (SlSelectiveLab *s, size_t left, const SlSelectiveWay *way)
{
  for (unsigned c = 0; c < s->dag.facts.n_controllers; c++)
    memset (s->forced + c * MOST_BATCH, way->action[c], left);
  sl_selective_forward (s, left);
  sl_selective_decide_classes (left, s->classes, s->dag.y, s->said);
}

/* Counts the examples that were right and moves the others together; returns how many are left. */
static size_t
keep_wrong (SlSelectiveLab *s, size_t left, SlSelectiveTally *tally)
{
  size_t kept = 0;

  for (size_t e = 0; e < left; e++)
    {
      if (s->said[e] == s->label[e])
        {
          sl_selective_count_one (s, s->said[e], s->label[e], tally);
          continue;
        }
      memmove (s->x + kept * s->inputs, s->x + e * s->inputs, s->inputs * sizeof *s->x);
      s->label[kept] = s->label[e];
      s->any[kept++] = s->any[e];
    }
  return kept;
}

/* Dearer ways only see the examples that are not right yet, so that all of them can be asked. */
double
sl_selective_ask_oracle (SlSelectiveLab *s, size_t n, SlSelectiveTally *tally)
{
  size_t left = n;
  double macs = 0.0;

  for (unsigned w = 0; w < s->n_ways && left > 0; w++)
    {
      size_t before = left;

      take_way (s, left, &s->way[w]);
      if (w == 0)
        memcpy (s->any, s->said, n);
      left = keep_wrong (s, left, tally);
      macs += (double) (before - left) * s->way[w].macs;
    }
  for (size_t e = 0; e < left; e++)
    sl_selective_count_one (s, s->any[e], s->label[e], tally);
  return (macs + (double) left * s->way[0].macs) / s->dag.facts.dearest_macs;
}

/* The static nets, and then the oracle, which leaves only what nobody gets right of the batch. */
static void
evaluate_others (SlSelectiveLab *s, size_t n, SlSelectiveTally *best, SlSelectiveTally *twin,
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
sl_selective_evaluate (SlSelectiveLab *s, size_t first, size_t n, bool others,
                       SlSelectiveEvaluation *evaluation)
{
  SlSelectiveTally tally = { 0 }, best = { 0 }, twin[MOST_PATHS] = { 0 };

  *evaluation = (SlSelectiveEvaluation) { 0 };
  memset (s->joint, 0, MOST_PATHS * s->classes * sizeof *s->joint);
  memset (s->routed, 0, MOST_CONTROLLERS * s->classes * sizeof *s->routed);
  for (size_t done = 0; done < n;)
    {
      size_t         take = n - done < MOST_BATCH ? n - done : MOST_BATCH;
      const sl_real *y;

      sl_selective_load (s, first + done, take);
      free_all (s);
      sl_selective_forward (s, take);
      sl_selective_settle (s, take, true);
      y = s->dag.y;
      sl_selective_decide_classes (take, s->classes, y, s->said);
      evaluation->loss
        += sl_softmax_loss (take, s->classes, y, s->label, NULL, NULL) * (double) take;
      sl_selective_count (s, take, s->said, &tally);
      add_nodes (s, evaluation);
      add_routed (s);
      for (size_t e = 0; e < take; e++)
        {
          evaluation->cost += s->cost[e];
          evaluation->path[s->path[e]] += 1.0;
          evaluation->way[way_of (s, e)] += 1.0;
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
  if (others && s->net.ranked)
    sl_selective_evaluate_in_batches (s, first, n, evaluation);
  for (unsigned i = 0; i < s->n_paths; i++)
    {
      bool known = others && i < s->n_twins;

      evaluation->twin_error[i] = known ? sl_selective_error (s, &twin[i]) : NAN;
      evaluation->twin_right[i] = known ? 100.0 * twin[i].right / twin[i].n : NAN;
    }
}
