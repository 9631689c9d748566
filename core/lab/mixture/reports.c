/* SPDX-License-Identifier: MIT */
#include "core/lab/mixture/reports.h"

#include <math.h>

#include "core/nn/moe/balance.h"

void
sl_mixture_sum (SlMixtureSums *sums, const SlMoe *moe)
{
  const SlMoeBalance *balance = &moe->balance;
  size_t              n = moe->shape.experts;
  sl_real             hard[SL_MIXTURE_EXPERTS];

  for (size_t i = 0; i < n; i++)
    {
      hard[i] = (sl_real) balance->hard[i];
      sums->hard[i] += (double) balance->hard[i];
    }
  sums->batches += 1.0;
  sums->assignments += (double) moe->dispatch.total;
  sums->empty += (double) balance->empty;
  sums->importance_loss += balance->importance_loss;
  sums->load_loss += balance->load_loss;
  sums->threshold_loss += balance->threshold_loss;
  sums->cv_importance += sl_balance_cv (n, balance->importance);
  sums->cv_load += sl_balance_cv (n, balance->load);
  sums->cv_hard += sl_balance_cv (n, hard);
  sums->peak_load += sl_balance_peak (n, balance->load);
  sums->noise += balance->noise;
  sums->expected += balance->expected;
  sums->agreement += balance->agreement;
  sums->executed += balance->executed;
}

/* Load ÷ even share, of each expert or the mean over a range. */
static void
report_usage (const SlMixtureSums *sums, const SlMixtureReport *report, SlSink *sink)
{
  unsigned n = (unsigned) report->moe->shape.experts, span = sl_layout_span (n, SL_MIXTURE_ROWS);

  for (unsigned from = 0; from < n; from += span)
    {
      unsigned to = from + span < n ? from + span : n;
      double   hard = 0.0;

      for (unsigned i = from; i < to; i++)
        hard += sums->hard[i];
      /* Where no example had an expert, each had none. */
      sl_sink_value (sink, report->panels->usage, 0, from / span,
                     hard * (double) n / fmax (sums->assignments, 1.0) / (double) (to - from));
    }
}

static void
report_balance (const SlMixtureSums *sums, const SlMixtureReport *report, SlSink *sink)
{
  const SlMixturePanels *panels = report->panels;
  size_t                 n = report->moe->shape.experts, used = 0;
  double                 k = sl_mixture_chosen (report->moe, &report->setting);
  sl_real                hard[SL_MIXTURE_EXPERTS];

  for (unsigned i = 0; i < n; i++)
    {
      hard[i] = (sl_real) sums->hard[i];
      used += sums->hard[i] > 0.0;
    }
  report_usage (sums, report, sink);
  sl_sink_value (sink, panels->cv, SL_CV_IMPORTANCE, 0, sums->cv_importance / sums->batches);
  sl_sink_value (sink, panels->cv, SL_CV_LOAD, 0, sums->cv_load / sums->batches);
  sl_sink_value (sink, panels->cv, SL_CV_HARD, 0, sums->cv_hard / sums->batches);
  if (k > 0.0 && k < (double) n)
    {
      sl_sink_value (sink, panels->cv, SL_CV_FLOOR, 0, sl_balance_floor (n, k, report->batch));
      sl_sink_value (sink, panels->cv, SL_CV_COLLAPSE, 0, sl_balance_collapse (n, k));
    }
  sl_sink_value (sink, panels->effective, SL_EFFECTIVE, 0, sl_balance_effective (n, hard));
  sl_sink_value (sink, panels->effective, SL_EFFECTIVE_USED, 0, (double) used);
  sl_sink_value (sink, panels->effective, SL_EFFECTIVE_THERE, 0, (double) n);
}

static void
report_gate (const SlMixtureSums *sums, const SlMixtureReport *report, SlSink *sink)
{
  const SlMixturePanels *panels = report->panels;
  SlMoeGate              gate = report->moe->shape.gate;

  if (gate != SL_MOE_NOISY)
    {
      if (gate == SL_MOE_BALANCED)
        sl_sink_value (sink, panels->loss, SL_LOSS_THRESHOLD, 0,
                       sums->threshold_loss / sums->batches);
      sl_sink_value (sink, panels->agreement, SL_AGREEMENT_MASKS, 0,
                     100.0 * sums->agreement / sums->batches);
      sl_sink_value (sink, panels->agreement, SL_AGREEMENT_EMPTY, 0,
                     100.0 * sums->empty / report->examples);
    }
  else
    {
      sl_sink_value (sink, panels->loss, SL_LOSS_IMPORTANCE, 0,
                     sums->importance_loss / sums->batches);
      sl_sink_value (sink, panels->loss, SL_LOSS_LOAD, 0, sums->load_loss / sums->batches);
      sl_sink_value (sink, panels->noise, 0, 0, sums->noise / sums->batches);
      if (isfinite (report->same))
        sl_sink_value (sink, panels->agreement, SL_AGREEMENT_SAME, 0, 100.0 * report->same);
    }
}

void
sl_mixture_report (const SlMixtureSums *sums, const SlMixtureReport *report, SlSink *sink)
{
  report_gate (sums, report, sink);
  report_balance (sums, report, sink);
}

double
sl_mixture_dense_macs (const SlMoe *moe)
{
  return (double) (moe->shape.experts + moe->shape.shared) * sl_moe_expert_macs (moe);
}

double
sl_mixture_cost (const SlMixtureReport *report, double experts)
{
  return 100.0
         * (sl_moe_gate_macs (report->moe, &report->setting)
            + experts * sl_moe_expert_macs (report->moe))
         / sl_mixture_dense_macs (report->moe);
}

double
sl_mixture_expected_cost (const SlMixtureSums *sums, const SlMixtureReport *report)
{
  const SlMoeShape *shape = &report->moe->shape;

  return shape->gate == SL_MOE_SOFT
           ? sl_mixture_executed_cost (sums, report)
           : sl_mixture_cost (report, sums->expected / sums->batches + (double) shape->shared);
}

double
sl_mixture_executed_cost (const SlMixtureSums *sums, const SlMixtureReport *report)
{
  return sl_mixture_cost (report, sums->executed / report->examples)
         + 100.0 * sl_moe_batch_macs (report->moe) / sl_mixture_dense_macs (report->moe);
}
