/* SPDX-License-Identifier: MIT
 *
 * What the lab `selective-execution` publishes as it trains, and its figures on whole splits.  */
#include "core/labs/selective-execution/lab.h"
#include "core/labs/selective-execution/probes.h"

#include <math.h>
#include <string.h>

#include "core/labs/selective-execution/math/dag.h"

/* Multiplications of an example to be expected, as a share of the dearest path, from the share of
 * the examples for which each controller's scores want each action and from how much is left to
 * chance. What several controllers want is taken for independent.  */
static double
expected_cost (const SlSelectiveLab *s, double share[][SL_DAG_ACTIONS])
{
  const SlDagPlan  *plan = &s->net.plan;
  const SlDagFacts *facts = &s->dag.facts;
  double            epsilon = sl_selective_epsilon (s), runs[SL_DAG_NODES], sum = 0.0;

  for (unsigned at = 0; at < plan->n_nodes; at++)
    {
      unsigned i = facts->order[at];
      double   idle = 1.0, fed = 1.0;
      bool     controlled = false;

      for (unsigned e = 0; e < plan->n_edges; e++)
        {
          const SlDagEdge *edge = &plan->edge[e];

          if (edge->to == i && edge->control)
            {
              unsigned c = sl_dag_controller (facts, edge->from);
              double   taken = (1.0 - epsilon) * share[c][sl_dag_action (plan, e)]
                             + epsilon / facts->n_actions[c];

              controlled = true;
              idle *= 1.0 - runs[edge->from] * taken;
            }
          else if (edge->to == i && !edge->has_fallback)
            fed = fmin (fed, runs[edge->from]);
        }
      runs[i] = controlled ? fmin (fed, 1.0 - idle) : fed;
      sum += runs[i] * facts->macs[i];
    }
  return sum / facts->dearest_macs;
}

void
sl_selective_sum (SlSelectiveLab *s, size_t batch, SlSelectiveLoss loss)
{
  SlSelectiveSums *sums = &s->now->sums;
  double           share[MOST_CONTROLLERS][SL_DAG_ACTIONS] = { 0 };

  sums->batches += 1.0;
  sums->seen += (double) batch;
  sums->loss += loss.classes;
  sums->q_loss += loss.controllers;
  for (unsigned c = 0; c < s->dag.facts.n_controllers; c++)
    {
      const SlDagTurn *turn = &s->dag.turn[s->dag.facts.controller[c]];
      unsigned         actions = s->dag.facts.n_actions[c], came = 0;

      for (uint32_t k = 0; k < turn->n; k++)
        if (turn->sent[turn->row[k]])
          {
            share[c][sl_selective_wanted (turn->y + k * actions, actions)] += 1.0;
            came++;
          }
      for (unsigned a = 0; a < actions; a++)
        share[c][a] = came > 0 ? share[c][a] / came : 1.0 / actions;
    }
  sums->expected += expected_cost (s, share);
  for (size_t e = 0; e < batch; e++)
    {
      sums->cost += s->dag.cost[e] / s->dag.facts.dearest_macs;
      sums->path[s->path[e]] += 1.0;
    }
  sl_selective_count (s, batch, s->said, &sums->tally);
}

static void
report_controllers (const SlSelectiveLab *s, SlSink *sink)
{
  const SlSelectiveSums *sums = &s->now->sums;

  for (unsigned c = 0; c < s->dag.facts.n_controllers; c++)
    if (sums->q_bags[c] > 0.0)
      sl_sink_value (sink, V_Q, c, 0, sqrt (sums->q_square[c] / sums->q_bags[c]));
}

void
sl_selective_report (SlSelectiveLab *s, SlSink *sink)
{
  const SlSelectiveSums *sums = &s->now->sums;

  sl_sink_value (sink, V_ERROR, T_TRAIN, 0, sl_selective_error (s, &sums->tally));
  sl_sink_value (sink, V_LOSS, T_CLASSES, 0, sums->loss / sums->batches);
  if (sl_selective_learns (s))
    sl_sink_value (sink, V_LOSS, T_CONTROLLERS, 0, sums->q_loss / sums->batches);
  for (unsigned p = 0; p < s->n_paths; p++)
    sl_sink_value (sink, V_PATHS, p, 0, 100.0 * sums->path[p] / sums->seen);
  sl_sink_value (sink, V_COST, T_TRAINING, 0, 100.0 * sums->cost / sums->seen);
  sl_sink_value (sink, V_COST, T_EXPECTED, 0, 100.0 * sums->expected / sums->batches);
  if (s->net.ranked)
    for (unsigned c = 0; c < s->dag.facts.n_controllers; c++)
      sl_sink_value (sink, V_AGREE, c, 0, 100.0 * sums->agree[c] / sums->batches);
  else
    report_controllers (s, sink);
  s->now->sums = (SlSelectiveSums) { 0 };
}

void
sl_selective_keep (SlSelectiveLab *s, const SlSelectiveEvaluation *evaluation, size_t n,
                   uint64_t at)
{
  s->last.evaluation = *evaluation;
  memcpy (s->last.joint, s->joint, MOST_PATHS * s->classes * sizeof *s->joint);
  memcpy (s->last.routed, s->routed, MOST_CONTROLLERS * s->classes * sizeof *s->routed);
  s->last.n = n;
  s->last.at = at;
}

/* Panels that show one quantity show one evaluation: that of the newest due, or one of the present network,
 * of which the first of them to ask makes all, until the next is due.  */
const SlSelectiveKept *
sl_selective_last (SlSelectiveLab *s)
{
  SlSelectiveEvaluation evaluation;
  size_t                n = sl_examples (&s->base, SL_VALID, sl_value_of (&s->base, P_EXAMPLES));

  if (s->last.n > 0 && s->last.at >= s->base.now.evaluated && s->last.at <= s->base.now.t)
    return &s->last;
  sl_selective_evaluate (s, sl_dataset_first (s->base.dataset, SL_VALID), n, true, &evaluation);
  sl_selective_keep (s, &evaluation, n, s->base.now.t);
  return &s->last;
}

void
sl_selective_report_validation (SlSelectiveLab *s, SlSink *sink)
{
  size_t                n = sl_examples (&s->base, SL_VALID, sl_value_of (&s->base, P_EXAMPLES));
  SlSelectiveEvaluation evaluation;
  double               *trail = s->now->trail[s->now->trail_n % TRAIL];

  if (n == 0)
    return;
  sl_selective_evaluate (s, sl_dataset_first (s->base.dataset, SL_VALID), n, true, &evaluation);
  sl_selective_keep (s, &evaluation, n, s->base.now.t);
  trail[0] = 100.0 * evaluation.cost;
  trail[1] = 100.0 - evaluation.error;
  s->now->trail_n++;
  s->now->best_accuracy = 100.0 - evaluation.best_error;
  s->now->best_cost = 100.0 * evaluation.best_cost;
  for (unsigned p = 0; p < s->n_twins; p++)
    s->now->twin_error[p] = evaluation.twin_error[p];
  sl_sink_value (sink, V_ERROR, T_VALID, 0, evaluation.error);
  sl_sink_value (sink, V_ERROR, T_BEST, 0, evaluation.best_error);
  if (s->net.ranked)
    sl_sink_value (sink, V_ERROR, T_IN_BATCHES, 0, evaluation.batch_error);
  sl_sink_value (sink, V_COST, T_EXECUTED, 0, 100.0 * evaluation.cost);
  if (s->n_twins == 0)
    return;
  sl_sink_value (sink, V_ERROR, T_CHEAPEST, 0, evaluation.twin_error[0]);
  sl_sink_value (sink, V_ERROR, T_DEAREST, 0, evaluation.twin_error[s->n_twins - 1]);
  sl_sink_value (sink, V_COST, T_CHEAPEST_COST, 0, 100.0 * sl_selective_static_cost (s, 0));
  sl_sink_value (sink, V_COST, T_DEAREST_COST, 0,
                 100.0 * sl_selective_static_cost (s, s->n_twins - 1));
}

/* What score() tells. */
const SlScore sl_selective_score_names[] = {
  { "error", SL_MARK ("error"), "%", 0 },
  { "cost", SL_MARK ("cost"), "% of most expensive", 0 },
  { "loss", SL_MARK ("cross entropy"), "nats", 0 },
  { "oracle-error", SL_MARK ("error of the oracle"), "%", 0 },
  { "oracle-cost", SL_MARK ("cost of the oracle"), "% of most expensive", 0 },
  { "static-error-1", SL_MARK ("static net 1, error"), "%", 0 },
  { "static-cost-1", SL_MARK ("static net 1, cost"), "% of most expensive", 0 },
  { "static-error-2", SL_MARK ("static net 2, error"), "%", 0 },
  { "static-cost-2", SL_MARK ("static net 2, cost"), "% of most expensive", 0 },
  { "static-error-3", SL_MARK ("static net 3, error"), "%", 0 },
  { "static-cost-3", SL_MARK ("static net 3, cost"), "% of most expensive", 0 },
  { "static-error-4", SL_MARK ("static net 4, error"), "%", 0 },
  { "static-cost-4", SL_MARK ("static net 4, cost"), "% of most expensive", 0 },
  { "static-error-5", SL_MARK ("static net 5, error"), "%", 0 },
  { "static-cost-5", SL_MARK ("static net 5, cost"), "% of most expensive", 0 },
  { "static-error-6", SL_MARK ("static net 6, error"), "%", 0 },
  { "static-cost-6", SL_MARK ("static net 6, cost"), "% of most expensive", 0 },
  { "static-error-7", SL_MARK ("static net 7, error"), "%", 0 },
  { "static-cost-7", SL_MARK ("static net 7, cost"), "% of most expensive", 0 },
  { "static-error-8", SL_MARK ("static net 8, error"), "%", 0 },
  { "static-cost-8", SL_MARK ("static net 8, cost"), "% of most expensive", 0 },
  { "static-error-9", SL_MARK ("static net 9, error"), "%", 0 },
  { "static-cost-9", SL_MARK ("static net 9, cost"), "% of most expensive", 0 },
  { "way-1", SL_MARK ("on way 1"), "%", 0 },
  { "way-2", SL_MARK ("on way 2"), "%", 0 },
  { "way-3", SL_MARK ("on way 3"), "%", 0 },
  { "way-4", SL_MARK ("on way 4"), "%", 0 },
  { "way-5", SL_MARK ("on way 5"), "%", 0 },
  { "way-6", SL_MARK ("on way 6"), "%", 0 },
  { "way-7", SL_MARK ("on way 7"), "%", 0 },
  { "way-8", SL_MARK ("on way 8"), "%", 0 },
  { "way-9", SL_MARK ("on way 9"), "%", 0 },
  { "way-10+", SL_MARK ("examples on further ways"), "%", 0 },
  { 0 },
};

/* Which part of the examples took each way, from the cheapest on; the last score has all further ways. */
static void
score_ways (const SlSelectiveLab *s, const SlSelectiveEvaluation *evaluation, double examples,
            SlScore *scores, unsigned *n)
{
  static const char *const id[SHARED_WAYS + 1] = { "way-1", "way-2", "way-3", "way-4", "way-5",
                                                   "way-6", "way-7", "way-8", "way-9", "way-10+" };
  double                   rest = 0.0;

  for (unsigned w = 0; w < s->n_ways; w++)
    if (w < SHARED_WAYS)
      scores[(*n)++]
        = sl_score (sl_selective_score_names, id[w], 100.0 * evaluation->way[w] / examples);
    else
      rest += evaluation->way[w];
  if (s->n_ways > SHARED_WAYS)
    scores[(*n)++] = sl_score (sl_selective_score_names, id[SHARED_WAYS], 100.0 * rest / examples);
}

_Static_assert(5 + 2 * MOST_PATHS + SHARED_WAYS + 1 <= SL_SCORES_MAX,
               "there is room for all scores");

void
sl_selective_score (SlLabState *state, SlSplit split, SlScore *scores, unsigned *n)
{
  static const char *const error_id[MOST_PATHS]
    = { "static-error-1", "static-error-2", "static-error-3", "static-error-4", "static-error-5",
        "static-error-6", "static-error-7", "static-error-8", "static-error-9" };
  static const char *const cost_id[MOST_PATHS]
    = { "static-cost-1", "static-cost-2", "static-cost-3", "static-cost-4", "static-cost-5",
        "static-cost-6", "static-cost-7", "static-cost-8", "static-cost-9" };
  SlSelectiveLab       *s = sl_selective_lab (state);
  SlSelectiveEvaluation evaluation;

  sl_selective_evaluate (s, sl_dataset_first (state->dataset, split), state->dataset->n[split],
                         true, &evaluation);
  scores[(*n)++] = sl_score (sl_selective_score_names, "error", evaluation.error);
  scores[(*n)++] = sl_score (sl_selective_score_names, "cost", 100.0 * evaluation.cost);
  scores[(*n)++] = sl_score (sl_selective_score_names, "loss", evaluation.loss);
  scores[(*n)++] = sl_score (sl_selective_score_names, "oracle-error", evaluation.best_error);
  scores[(*n)++] = sl_score (sl_selective_score_names, "oracle-cost", 100.0 * evaluation.best_cost);
  for (unsigned p = 0; p < s->n_twins; p++)
    {
      scores[(*n)++] = sl_score (sl_selective_score_names, error_id[p], evaluation.twin_error[p]);
      scores[(*n)++]
        = sl_score (sl_selective_score_names, cost_id[p], 100.0 * sl_selective_static_cost (s, p));
    }
  score_ways (s, &evaluation, (double) state->dataset->n[split], scores, n);
}
