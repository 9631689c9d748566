/* SPDX-License-Identifier: MIT
 *
 * What the lab `experts-text` publishes as it trains, and its figures on whole splits.  */
#include <math.h>

#include "core/labs/experts-text/lab.h"
#include "core/nn/moe/balance.h"

static const double thousand = 1e3;

double
sl_experts_text_macs (const SlExpertsTextLab *s, const SlExpertsTextNet *net, double chosen)
{
  SlLanguagePass pass = sl_experts_text_pass (s, false);

  return sl_language_recurrent_macs (&net->model)
         + sl_language_middle_macs (&net->model, &pass.experts, chosen);
}

/* Nats per symbol of a split to bits per letter. */
static double
bits_of (const SlExpertsTextLab *s, SlSplit split, double loss)
{
  return loss / M_LN2 * (double) s->words.n[split] / (double) s->words.letters[split];
}

/* A loss in nats per symbol of a split in the two panels that show it. */
static void
publish_loss (const SlExpertsTextLab *s, SlSplit split, unsigned trace, double loss, SlSink *sink)
{
  sl_sink_value (sink, V_PERPLEXITY, trace, 0, exp (loss));
  sl_sink_value (sink, V_BITS, trace, 0, bits_of (s, split, loss));
}

static void
report_mixture (SlExpertsTextLab *s, double same, SlSink *sink)
{
  static const SlMixturePanels panels = {
    .usage = V_USAGE,
    .cv = V_CV,
    .effective = V_EFFECTIVE,
    .noise = V_NOISE,
    .agreement = V_AGREEMENT,
    .loss = V_LOSS,
  };
  SlMixtureReport report = {
    .panels = &panels,
    .moe = &s->net.model.moe,
    .setting = sl_experts_text_pass (s, true).experts,
    .batch = sl_experts_text_rows (s),
    .examples = s->base.now.seen,
    .same = same,
  };

  sl_mixture_report (&s->now->sums, &report, sink);
}

static void
report_cost (SlExpertsTextLab *s, SlSink *sink)
{
  bool   mixes = sl_experts_text_mixes (s);
  double chosen = mixes ? s->now->sums.assignments / s->base.now.seen : 0.0;
  double recurrent = sl_language_recurrent_macs (&s->net.model);
  double executed = sl_experts_text_macs (s, &s->net, chosen);

  sl_sink_value (sink, V_COST, T_EXECUTED, 0, executed / thousand);
  sl_sink_value (sink, V_COST, T_MIDDLE, 0, (executed - recurrent) / thousand);
  if (mixes)
    sl_sink_value (sink, V_COST, T_DENSE, 0,
                   sl_experts_text_macs (s, &s->net, (double) s->net.model.moe.shape.experts)
                     / thousand);
  if (s->has_baseline)
    sl_sink_value (sink, V_COST, T_COST_BASELINE, 0,
                   sl_experts_text_macs (s, &s->baseline, 0.0) / thousand);
}

void
sl_experts_text_report (SlExpertsTextLab *s, double same, SlSink *sink)
{
  double loss = s->base.now.loss / s->base.now.seen;

  publish_loss (s, SL_TRAIN, T_TRAIN, loss, sink);
  publish_loss (s, SL_VALID, T_SINGLE, s->single[SL_VALID], sink);
  sl_sink_value (sink, V_LOSS, SL_LOSS_TASK, 0, loss);
  if (sl_experts_text_mixes (s))
    report_mixture (s, same, sink);
  report_cost (s, sink);
  s->now->sums = (SlMixtureSums) { 0 };
  s->base.now.loss = s->base.now.errors = s->base.now.seen = 0.0;
}

void
sl_experts_text_report_validation (SlExpertsTextLab *s, SlSink *sink)
{
  size_t                first = sl_words_first (&s->words, SL_VALID);
  size_t                n = s->words.n[SL_VALID] - 1; /* the last has no next one */
  SlExpertsTextFindings found;

  n = n < sl_count_of (&s->base, P_EXAMPLES) ? n : sl_count_of (&s->base, P_EXAMPLES);
  sl_experts_text_read (s, &s->net, first, n, &found, NULL, NULL);
  publish_loss (s, SL_VALID, T_VALID, found.loss, sink);
  if (!s->has_baseline)
    return;
  sl_experts_text_read (s, &s->baseline, first, n, &found, NULL, NULL);
  publish_loss (s, SL_VALID, T_BASELINE, found.loss, sink);
}

/* What score() tells. */
const SlScore sl_experts_text_score_names[] = {
  { "cv-load", SL_MARK ("CV of load"), "", 0 },
  { "used", SL_MARK ("experts used"), "", 0 },
  { "perplexity", SL_MARK ("perplexity"), "", 0 },
  { "bits", SL_MARK ("bits per letter"), "", 0 },
  { "error", SL_MARK ("error"), "%", 0 },
  { "operations", SL_MARK ("multiplications per symbol"), "thousand", 0 },
  { "parameters", SL_MARK ("parameters without embedding and softmax"), "thousand", 0 },
  { "perplexity-baseline", SL_MARK ("perplexity of the baseline"), "", 0 },
  { 0 },
};

/* How evenly the experts were used, and what a symbol cost. */
static void
score_mixture (const SlExpertsTextLab *s, const SlExpertsTextFindings *found, SlScore *scores,
               unsigned *n)
{
  size_t  experts = s->net.model.moe.shape.experts, used = 0;
  sl_real hard[SL_MIXTURE_EXPERTS];

  for (size_t i = 0; i < experts; i++)
    {
      hard[i] = (sl_real) found->hard[i];
      used += found->hard[i] > 0.0;
    }
  scores[(*n)++] = sl_score (sl_experts_text_score_names, "cv-load", sl_balance_cv (experts, hard));
  scores[(*n)++] = sl_score (sl_experts_text_score_names, "used", (double) used);
}

static double
chosen_of (const SlExpertsTextLab *s, const SlExpertsTextFindings *found, size_t symbols)
{
  double sum = 0.0;

  for (size_t i = 0; sl_experts_text_mixes (s) && i < s->net.model.moe.shape.experts; i++)
    sum += found->hard[i];
  return sum / (double) (symbols / s->readers * s->readers);
}

void
sl_experts_text_score (SlLabState *state, SlSplit split, SlScore *scores, unsigned *n)
{
  SlExpertsTextLab     *s = sl_experts_text_lab (state);
  size_t                first = sl_words_first (&s->words, split);
  size_t                symbols = s->words.n[split] - 1;
  SlExpertsTextFindings found;

  if (symbols < s->readers)
    return;
  sl_experts_text_read (s, &s->net, first, symbols, &found, NULL, NULL);
  scores[(*n)++] = sl_score (sl_experts_text_score_names, "perplexity", exp (found.loss));
  scores[(*n)++] = sl_score (sl_experts_text_score_names, "bits", bits_of (s, split, found.loss));
  scores[(*n)++] = sl_score (sl_experts_text_score_names, "error", found.error);
  scores[(*n)++]
    = sl_score (sl_experts_text_score_names, "operations",
                sl_experts_text_macs (s, &s->net, chosen_of (s, &found, symbols)) / thousand);
  scores[(*n)++] = sl_score (sl_experts_text_score_names, "parameters",
                             (double) sl_language_inner_numbers (&s->net.model) / thousand);
  if (sl_experts_text_mixes (s))
    score_mixture (s, &found, scores, n);
  if (!s->has_baseline)
    return;
  sl_experts_text_read (s, &s->baseline, first, symbols, &found, NULL, NULL);
  scores[(*n)++] = sl_score (sl_experts_text_score_names, "perplexity-baseline", exp (found.loss));
}
