/* SPDX-License-Identifier: MIT
 *
 * What the lab `experts` publishes as it trains, and its figures on whole splits.  */
#include "core/labs/experts/lab.h"

#include <math.h>
#include <string.h>

#include "core/nn/moe/balance.h"

/* What is published of a baseline, by its role. */
static const struct
{
  unsigned    error, cost; /* traces */
  const char *score;
} baseline[NETS] = {
  [NET_TWIN] = { T_ERROR_TWIN, T_COST_TWIN, "error-twin" },
  [NET_WIDE] = { T_ERROR_WIDE, T_COST_WIDE, "error-wide" },
  [NET_DEEP] = { T_ERROR_DEEP, T_COST_DEEP, "error-deep" },
};

/* What score() tells. */
const SlScore sl_experts_score_names[] = {
  { "error", SL_MARK ("error"), "%", 0 },
  { "loss", SL_MARK ("cross entropy"), "nats", 0 },
  { "cv-importance", SL_MARK ("CV of importance"), "", 0 },
  { "cv-load", SL_MARK ("CV of load"), "", 0 },
  { "peak", SL_MARK ("largest load ÷ mean"), "", 0 },
  { "effective", SL_MARK ("effective experts"), "", 0 },
  { "used", SL_MARK ("experts used"), "", 0 },
  { "violation", SL_MARK ("largest load ÷ mean − 1 (MaxVio)"), "", 0 },
  { "dropped", SL_MARK ("dropped in training"), "%", 0 },
  { "executed", SL_MARK ("multiplications"), "% of dense", 0 },
  { "error-twin", SL_MARK ("error of the baseline of equal cost"), "%", 0 },
  { "error-wide", SL_MARK ("error of one wide expert"), "%", 0 },
  { "error-deep", SL_MARK ("error of one deep expert"), "%", 0 },
  { 0 },
};

void
sl_experts_report (SlExpertsLab *s, double same, SlSink *sink)
{
  static const SlMixturePanels panels = {
    .usage = V_USAGE,
    .cv = V_CV,
    .effective = V_EFFECTIVE,
    .noise = V_NOISE,
    .agreement = V_AGREEMENT,
    .loss = V_LOSS,
  };
  const SlMixtureSums  *sums = &s->now->sums;
  const SlMixtureReport report = {
    .panels = &panels,
    .moe = &s->moe,
    .setting = sl_experts_setting (s),
    .batch = sl_count_of (&s->base, P_BATCH),
    .examples = s->base.now.seen,
    .same = same,
  };
  double chosen = sl_mixture_chosen (&s->moe, &report.setting);
  double shared = (double) s->shape.shared;

  sl_sink_value (sink, V_ERROR, T_TRAIN, 0, 100.0 * s->base.now.errors / s->base.now.seen);
  sl_sink_value (sink, V_LOSS, SL_LOSS_TASK, 0, s->base.now.loss / s->base.now.seen);
  sl_mixture_report (sums, &report, sink);
  sl_experts_report_choices (s, sink);
  sl_sink_value (sink, V_COST, T_EXPECTED, 0, sl_mixture_expected_cost (sums, &report));
  sl_sink_value (sink, V_COST, T_EXECUTED, 0, sl_mixture_executed_cost (sums, &report));
  if (s->moe.shape.gate == SL_MOE_SWITCH && s->moe.chooser.places > 0)
    sl_sink_value (sink, V_COST, T_RESERVED, 0,
                   sl_mixture_cost (&report, (double) (s->moe.chooser.places * s->moe.shape.experts)
                                                 / (double) s->moe.chooser.rows
                                               + shared));
  sl_sink_value (sink, V_COST, T_DENSE, 0, 100.0);
  sl_sink_value (sink, V_COST, T_SHARE, 0,
                 100.0 * (chosen + shared) / ((double) s->shape.experts + shared));
  for (unsigned i = 1; i < sl_experts_learning (s); i++)
    sl_sink_value (sink, V_COST, baseline[s->net[i].role].cost, 0,
                   100.0 * sl_stack_macs (&s->net[i].stack) / sl_mixture_dense_macs (&s->moe));
  s->now->sums = (SlMixtureSums) { 0 };
  s->base.now.loss = s->base.now.errors = s->base.now.seen = 0.0;
}

/* Adds what the last pass assigned to the counts by expert and class. */
static void
count_classes (SlExpertsLab *s)
{
  const SlDispatch *dispatch = &s->moe.dispatch;
  size_t            classes = s->base.dataset->classes;

  for (size_t i = 0; i < dispatch->experts; i++)
    for (uint32_t a = dispatch->start[i]; a < dispatch->start[i + 1]; a++)
      s->joint[i * classes + s->label[dispatch->row[a]]]++;
}

static double
evaluate_batch (SlLabState *state, size_t first, size_t n, size_t *errors, void *data)
{
  SlExpertsLab        *s = sl_experts_lab (state);
  SlExpertsEvaluation *evaluation = data;

  sl_dataset_range (state->dataset, first, n, s->x, s->label);
  sl_experts_net_forward (s, NET_MIXTURE, n, false, false);
  for (size_t i = 0; i < s->shape.experts; i++)
    {
      evaluation->importance[i] += (double) s->moe.balance.importance[i];
      evaluation->hard[i] += (double) s->moe.balance.hard[i];
    }
  count_classes (s);
  if (sl_mixture_adapts (&s->moe))
    sl_experts_add_active (s, n, evaluation);
  return sl_experts_loss (s, n, false, errors);
}

void
sl_experts_evaluate (SlExpertsLab *s, size_t first, size_t n, SlExpertsEvaluation *evaluation)
{
  *evaluation = (SlExpertsEvaluation) { 0 };
  memset (s->joint, 0, s->shape.experts * s->base.dataset->classes * sizeof *s->joint);
  evaluation->all = sl_evaluate (&s->base, first, n, MOST_BATCH, evaluate_batch, evaluation);
}

static double
evaluate_baseline_batch (SlLabState *state, size_t first, size_t n, size_t *errors, void *data)
{
  SlExpertsLab   *s = sl_experts_lab (state);
  const unsigned *net = data;

  sl_dataset_range (state->dataset, first, n, s->x, s->label);
  sl_experts_net_forward (s, *net, n, false, false);
  return sl_experts_loss (s, n, false, errors);
}

SlEvaluation
sl_experts_evaluate_baseline (SlExpertsLab *s, unsigned net, size_t first, size_t n)
{
  return sl_evaluate (&s->base, first, n, MOST_BATCH, evaluate_baseline_batch, &net);
}

/* Decided in a batch with the others, as in training. */
static double
evaluate_together (SlLabState *state, size_t first, size_t n, size_t *errors, void *data)
{
  SlExpertsLab *s = sl_experts_lab (state);

  (void) data;
  sl_dataset_range (state->dataset, first, n, s->x, s->label);
  sl_experts_forward_together (s, n);
  return sl_experts_loss (s, n, false, errors);
}

void
sl_experts_report_validation (SlExpertsLab *s, SlSink *sink)
{
  size_t              n = sl_examples (&s->base, SL_VALID, sl_value_of (&s->base, P_EXAMPLES));
  size_t              first = sl_dataset_first (s->base.dataset, SL_VALID);
  SlExpertsEvaluation evaluation;

  if (n == 0)
    return;
  if (s->shape.gate == SL_MOE_SOFT)
    sl_sink_value (
      sink, V_ERROR, T_ERROR_TOGETHER, 0,
      sl_evaluate (&s->base, first, n, sl_count_of (&s->base, P_BATCH), evaluate_together, NULL)
        .error);
  sl_experts_evaluate (s, first, n, &evaluation);
  if (!sl_ok (&s->base.own.failure))
    return;
  sl_sink_value (sink, V_ERROR, T_VALID, 0, evaluation.all.error);
  for (unsigned i = 1; i < sl_experts_learning (s); i++)
    sl_sink_value (sink, V_ERROR, baseline[s->net[i].role].error, 0,
                   sl_experts_evaluate_baseline (s, i, first, n).error);
  if (sl_mixture_adapts (&s->moe))
    sl_experts_report_answers (&evaluation, sink);
  sl_experts_report_flips (s, evaluation.hard, sink);
}

double
sl_experts_executed (const SlExpertsLab *s, double assigned)
{
  SlMoeSetting setting = sl_experts_setting (s);

  return 100.0
         * (sl_moe_gate_macs (&s->moe, &setting)
            + (assigned + (double) s->shape.shared) * sl_moe_expert_macs (&s->moe))
         / sl_mixture_dense_macs (&s->moe);
}

void
sl_experts_score (SlLabState *state, SlSplit split, SlScore *scores, unsigned *n)
{
  SlExpertsLab       *s = sl_experts_lab (state);
  size_t              count = state->dataset->n[split], experts = s->shape.experts, used = 0;
  double              assigned = 0.0;
  sl_real             importance[MOST_EXPERTS], hard[MOST_EXPERTS];
  SlExpertsEvaluation evaluation;

  sl_experts_evaluate (s, sl_dataset_first (state->dataset, split), count, &evaluation);
  for (size_t i = 0; i < experts; i++)
    {
      importance[i] = (sl_real) evaluation.importance[i];
      hard[i] = (sl_real) evaluation.hard[i];
      used += evaluation.hard[i] > 0.0;
      assigned += evaluation.hard[i];
    }
  scores[(*n)++] = sl_score (sl_experts_score_names, "error", evaluation.all.error);
  scores[(*n)++] = sl_score (sl_experts_score_names, "loss", evaluation.all.loss);
  scores[(*n)++]
    = sl_score (sl_experts_score_names, "cv-importance", sl_balance_cv (experts, importance));
  scores[(*n)++] = sl_score (sl_experts_score_names, "cv-load", sl_balance_cv (experts, hard));
  scores[(*n)++] = sl_score (sl_experts_score_names, "peak", sl_balance_peak (experts, hard));
  scores[(*n)++]
    = sl_score (sl_experts_score_names, "effective", sl_balance_effective (experts, hard));
  scores[(*n)++] = sl_score (sl_experts_score_names, "used", (double) used);
  scores[(*n)++]
    = sl_score (sl_experts_score_names, "violation", sl_experts_violation (s, evaluation.hard));
  if (s->shape.gate == SL_MOE_SWITCH)
    scores[(*n)++] = sl_score (sl_experts_score_names, "dropped", s->now->dropped);
  scores[(*n)++] = sl_score (sl_experts_score_names, "executed",
                             sl_experts_executed (s, assigned / (double) count));
  for (unsigned i = 1; i < sl_experts_learning (s); i++)
    scores[(*n)++] = sl_score (
      sl_experts_score_names, baseline[s->net[i].role].score,
      sl_experts_evaluate_baseline (s, i, sl_dataset_first (state->dataset, split), count).error);
}
