/* SPDX-License-Identifier: MIT
 *
 * How many experts compute an example, of gates that leave it open: top-p, and among zero-computation experts, which
 * do not count.  */
#include "core/labs/experts/lab.h"

#include <math.h>

#include "core/lab/mixture/margins.h"
#include "core/nn/dense/loss.h"

/* The smallest number that at least this share of the examples do not exceed. */
static double
quantile (const SlExpertsLab *s, double share)
{
  const double *with = s->now->choices.with;
  double        left = share * s->base.now.seen;
  size_t        k = 0;

  for (; k < s->shape.experts && left > with[k]; k++)
    left -= with[k];
  return (double) k;
}

void
sl_experts_report_active (const SlExpertsLab *s, SlSink *sink)
{
  sl_sink_value (sink, V_ACTIVE, T_ACTIVE, 0, s->now->choices.served / s->base.now.seen);
  sl_sink_value (sink, V_ACTIVE, T_ACTIVE_LOW, 0, quantile (s, 0.1));
  sl_sink_value (sink, V_ACTIVE, T_ACTIVE_HIGH, 0, quantile (s, 0.9));
  if (s->shape.zero > 0)
    sl_sink_value (sink, V_ACTIVE, T_ACTIVE_TARGET, 0, sl_value_of (&s->base, P_ZERO_TARGET));
}

void
sl_experts_add_active (const SlExpertsLab *s, size_t batch, SlExpertsEvaluation *evaluation)
{
  const uint32_t *first = s->moe.dispatch.first;

  for (size_t e = 0; e < batch; e++)
    {
      sl_real margin;
      bool    right = sl_decide (s->outputs, s->logits + e * s->outputs, &margin) == s->label[e];

      evaluation->examples[right] += 1.0;
      evaluation->assigned[right] += (double) (first[e + 1] - first[e]);
    }
}

void
sl_experts_report_answers (const SlExpertsEvaluation *evaluation, SlSink *sink)
{
  static const unsigned trace[] = { T_ACTIVE_WRONG, T_ACTIVE_RIGHT };

  for (unsigned right = 0; right < 2; right++)
    if (evaluation->examples[right] > 0.0)
      sl_sink_value (sink, V_ACTIVE, trace[right], 0,
                     evaluation->assigned[right] / evaluation->examples[right]);
}

/* Says which of the classes has most, and which fewest, where they differ. */
static void
note_extremes (SlProbe *p, const SlDataset *data, size_t n, const double *class, const double *mean)
{
  size_t most = 0, fewest = 0;

  for (size_t i = 1; i < n; i++)
    {
      most = mean[i] > mean[most] ? i : most;
      fewest = mean[i] < mean[fewest] ? i : fewest;
    }
  if (mean[most] > mean[fewest])
    sl_probe_note (p, "Most: %s, %.2f. Fewest: %s, %.2f.",
                   sl_experts_class_of (data, (unsigned) class[most]).packed, mean[most],
                   sl_experts_class_of (data, (unsigned) class[fewest]).packed, mean[fewest]);
  else if (n > 0)
    sl_probe_note (p, "Each class: %.2f.", mean[0]);
}

void
sl_experts_probe_by_class (SlProbe *p)
{
  SlExpertsLab    *s = sl_experts_lab (p->state);
  const SlDataset *data = s->base.dataset;
  size_t           n = sl_experts_run_validation (s, MOST_BATCH), there = 0;
  const uint32_t  *first = s->moe.dispatch.first;
  double           sum[256] = { 0 }, examples[256] = { 0 }, class[256], mean[256];

  if (!sl_mixture_has_learned (p))
    return;
  for (size_t e = 0; e < n; e++)
    {
      examples[s->label[e]] += 1.0;
      sum[s->label[e]] += (double) (first[e + 1] - first[e]);
    }
  /* A class without examples has no mean. */
  for (unsigned c = 0; c < data->classes; c++)
    if (examples[c] > 0.0)
      {
        class[there] = c;
        mean[there++] = sum[c] / examples[c];
      }
  sl_probe_points (p, 0, 0, there, class, mean);
  note_extremes (p, data, there, class, mean);
}
