/* SPDX-License-Identifier: MIT
 *
 * What the lab `experts` does for all its gates alike: settings of those without noise, how even what they
 * want is, who is served, and whose choices change.  */
#include <math.h>
#include <string.h>

#include "core/labs/experts/lab.h"
#include "core/nn/moe/balance.h"

/* The order of the choices of "values". */
enum { AS_PUBLISHED, SUM_TO_ONE, RAW };

/* How fast thresholds of expert choice follow the batches. */
static const double FOLLOW = 0.01;

void
sl_experts_choice_setting (const SlExpertsLab *s, SlMoeSetting *setting)
{
  const SlLabState *state = &s->base;
  bool              bias = s->shape.gate == SL_MOE_BIAS, is_switch = s->shape.gate == SL_MOE_SWITCH;
  unsigned          values = (unsigned) sl_value_of (state, P_VALUES);

  setting->choice = (SlChooserSetting) {
    .sum_to_one = values == SUM_TO_ONE || (values == AS_PUBLISHED && bias),
    .softmax = sl_is_on (state, P_SCORE),
    .capacity = sl_value_of (state, P_CAPACITY),
    .by_value = sl_is_on (state, P_DROP),
    .w_balance
    = is_switch || s->shape.gate == SL_MOE_TOP_P ? sl_value_of (state, P_W_BALANCE) : 0.0,
    .over = sl_count_of (state, P_OVER),
    .groups = bias ? sl_count_of (state, P_GROUPS) : 0,
    .w_z = is_switch ? sl_value_of (state, P_W_Z) : 0.0,
    .bias_rule = (SlChooserBias) sl_value_of (state, P_BIAS_RULE),
    .bias_rate = sl_value_of (state, P_BIAS_RATE),
    .gain = sl_value_of (state, P_L1_GAIN),
    .follow = FOLLOW,
    .p = sl_value_of (state, P_P),
    .w_entropy = sl_value_of (state, P_W_ENTROPY),
  };
  setting->zero_target = sl_value_of (state, P_ZERO_TARGET);
  setting->zero_rate = sl_value_of (state, P_ZERO_RATE);
  setting->gate_rate = sl_value_of (state, P_GATE_RATE) * (bias ? 0.1 : 1.0);
}

/* ---- training ---- */

void
sl_experts_sum_choices (SlExpertsLab *s)
{
  SlExpertsChoices   *sums = &s->now->choices;
  const SlDispatch   *dispatch = &s->moe.dispatch;
  const SlMoeBalance *balance = &s->moe.balance;
  size_t              n = s->shape.experts, batch = s->moe.batch;
  double              wanted[SL_MIXTURE_EXPERTS], all = 0.0;

  for (size_t i = 0; i < n; i++)
    all += wanted[i] = (double) balance->wanted[i];
  sums->batches += 1.0;
  sums->balance_loss += balance->choice_loss;
  sums->z_loss += balance->z_loss;
  sums->l1_loss += balance->l1_loss;
  sums->entropy_loss += balance->entropy_loss;
  sums->wanted += all;
  sums->served += (double) dispatch->total;
  sums->unserved += (double) balance->empty;
  sums->violation += sl_experts_violation (s, wanted);
  sums->zeros += (double) (batch * n) - all;
  for (size_t e = 0; e < batch; e++)
    sums->with[dispatch->first[e + 1] - dispatch->first[e]] += 1.0;
}

double
sl_experts_violation (const SlExpertsLab *s, const double *count)
{
  sl_real load[SL_MIXTURE_EXPERTS];

  for (size_t i = 0; i < s->shape.experts; i++)
    load[i] = (sl_real) count[i];
  return sl_balance_peak (s->shape.experts, load) - 1.0;
}

/* In % of the examples: row i of those with i experts. */
static void
report_per_example (const SlExpertsLab *s, SlSink *sink)
{
  const double *with = s->now->choices.with;
  unsigned      n = (unsigned) s->shape.experts, span = sl_layout_span (n, SL_MIXTURE_ROWS);

  for (unsigned from = 0; from < n; from += span)
    {
      double sum = 0.0;

      for (unsigned i = from; i < from + span && i < n; i++)
        sum += with[i + 1];
      sl_sink_value (sink, V_PER_EXAMPLE, 0, from / span, 100.0 * sum / s->base.now.seen);
    }
}

/* b of each expert or the mean over a range, how far the largest and the smallest are apart, and the same of
 * the scores of an example.  */
static void
report_bias (const SlExpertsLab *s, SlSink *sink)
{
  const SlChooser *gate = &s->moe.chooser;
  unsigned         n = (unsigned) gate->experts, span = sl_layout_span (n, SL_MIXTURE_ROWS);
  double           lo = gate->bar[0], hi = gate->bar[0], spread = 0.0;

  for (unsigned from = 0; from < n; from += span)
    {
      unsigned to = from + span < n ? from + span : n;
      double   sum = 0.0;

      for (unsigned i = from; i < to; i++)
        {
          sum += gate->bar[i];
          lo = fmin (lo, gate->bar[i]);
          hi = fmax (hi, gate->bar[i]);
        }
      sl_sink_value (sink, V_BIAS, 0, from / span, sum / (double) (to - from));
    }
  for (size_t r = 0; r < gate->rows; r++)
    {
      const sl_real *score = gate->score + r * gate->experts;
      sl_real        least = score[0], most = score[0];

      for (size_t i = 1; i < gate->experts; i++)
        {
          least = score[i] < least ? score[i] : least;
          most = score[i] > most ? score[i] : most;
        }
      spread += (double) (most - least);
    }
  sl_sink_value (sink, V_SPREAD, T_SPREAD_BIAS, 0, hi - lo);
  sl_sink_value (sink, V_SPREAD, T_SPREAD_SCORE, 0, spread / (double) gate->rows);
}

static void
report_violation (const SlExpertsLab *s, const SlMoeSetting *setting, SlSink *sink)
{
  const SlExpertsChoices *sums = &s->now->choices;
  size_t                  n = s->shape.experts;
  double                  k = sl_mixture_chosen (&s->moe, setting);

  sl_sink_value (sink, V_VIOLATION, T_VIOLATION, 0, sums->violation / sums->batches);
  if (s->shape.gate == SL_MOE_NOISY)
    sl_sink_value (sink, V_VIOLATION, T_VIOLATION_SMOOTH, 0,
                   s->now->sums.peak_load / s->now->sums.batches - 1.0);
  if (!(k > 0.0 && k < (double) n))
    return;
  sl_sink_value (sink, V_VIOLATION, T_VIOLATION_CHANCE, 0,
                 sl_balance_violation_floor (n, k, sl_count_of (&s->base, P_BATCH)));
  sl_sink_value (sink, V_VIOLATION, T_VIOLATION_COLLAPSE, 0, (double) n / k - 1.0);
}

void
sl_experts_report_choices (SlExpertsLab *s, SlSink *sink)
{
  const SlExpertsChoices *sums = &s->now->choices;
  const SlChooser        *gate = &s->moe.chooser;
  SlMoeSetting            setting = sl_experts_setting (s);
  size_t                  n = s->shape.experts;
  double                  k = sl_mixture_chosen (&s->moe, &setting), seen = s->base.now.seen;

  s->now->dropped = sums->wanted > 0.0 ? 100.0 * (1.0 - sums->served / sums->wanted) : 0.0;
  report_violation (s, &setting, sink);
  report_per_example (s, sink);
  sl_sink_value (sink, V_DROPPED, T_DROPPED, 0, s->now->dropped);
  sl_sink_value (sink, V_DROPPED, T_UNSERVED, 0, 100.0 * sums->unserved / seen);
  if (s->shape.gate == SL_MOE_BIAS)
    report_bias (s, sink);
  if (s->shape.gate == SL_MOE_RELU)
    {
      sl_sink_value (sink, V_CONTROLLER, 0, 0, gate->state->lambda);
      sl_sink_value (sink, V_ZEROS, T_ZEROS, 0, 100.0 * sums->zeros / (seen * (double) n));
      sl_sink_value (sink, V_ZEROS, T_ZEROS_TARGET, 0, 100.0 * ((double) n - k) / (double) n);
      sl_sink_value (sink, V_LOSS, T_LOSS_L1, 0, sums->l1_loss / sums->batches);
    }
  if (s->shape.gate == SL_MOE_SWITCH || s->shape.gate == SL_MOE_TOP_P)
    sl_sink_value (sink, V_LOSS, T_LOSS_BALANCE, 0, sums->balance_loss / sums->batches);
  if (s->shape.gate == SL_MOE_SWITCH)
    sl_sink_value (sink, V_LOSS, T_LOSS_Z, 0, sums->z_loss / sums->batches);
  if (s->shape.gate == SL_MOE_TOP_P)
    sl_sink_value (sink, V_LOSS, T_LOSS_ENTROPY, 0, sums->entropy_loss / sums->batches);
  if (sl_mixture_adapts (&s->moe))
    sl_experts_report_active (s, sink);
  s->now->choices = (SlExpertsChoices) { 0 };
}

/* ---- evaluation ---- */

static size_t
words_of (const SlExpertsLab *s)
{
  return (s->shape.experts + 63) / 64;
}

bool
sl_experts_is_dead (const SlExpertsLab *s, size_t expert)
{
  size_t   words = words_of (s);
  uint64_t any = 0, bit = (uint64_t) 1 << expert % 64;

  for (size_t e = 0; e < s->now->flips; e++)
    any |= s->kept_sets[e * words + expert / 64];
  return s->now->flips > 0 && (any & bit) == 0;
}

void
sl_experts_choices_carve (SlExpertsLab *s, SlArena *kept, SlArena *scratch)
{
  size_t words = FLIPS * words_of (s);

  s->kept_sets = sl_arena_carve (kept, words, sizeof *s->kept_sets);
  s->new_sets = sl_arena_carve (scratch, words, sizeof *s->new_sets);
}

static void
note_sets (SlExpertsLab *s, size_t examples)
{
  const SlDispatch *dispatch = &s->moe.dispatch;
  size_t            words = words_of (s);

  memset (s->new_sets, 0, examples * words * sizeof *s->new_sets);
  for (size_t i = 0; i < dispatch->experts; i++)
    for (uint32_t a = dispatch->start[i]; a < dispatch->start[i + 1]; a++)
      s->new_sets[dispatch->row[a] * words + i / 64] |= (uint64_t) 1 << i % 64;
}

void
sl_experts_report_flips (SlExpertsLab *s, const double *hard, SlSink *sink)
{
  size_t n = sl_experts_run_validation (s, FLIPS), words = words_of (s), changed;
  double rate;

  if (!sl_ok (&s->base.own.failure))
    return;
  sl_sink_value (sink, V_VIOLATION, T_VIOLATION_VALID, 0, sl_experts_violation (s, hard));
  note_sets (s, n);
  if (s->now->flips == n)
    {
      rate = sl_balance_flips (n, words, s->kept_sets, s->new_sets, &changed);
      sl_sink_value (sink, V_FLIPS, T_FLIPS, 0, 100.0 * rate);
      sl_sink_value (sink, V_FLIPS, T_FLIPS_CHANGED, 0, 100.0 * (double) changed / (double) n);
    }
  memcpy (s->kept_sets, s->new_sets, n * words * sizeof *s->kept_sets);
  s->now->flips = n;
}
