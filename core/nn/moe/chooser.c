/* SPDX-License-Identifier: MIT
 *
 * Memory, state and first weights; chooser-forward.c and chooser-backward.c have the passes.  */
#include "core/nn/moe/chooser.h"

#include <math.h>
#include <string.h>

#include "core/nn/dense/init.h"
#include "core/nn/kernels/blocks.h"
#include "core/nn/moe/select.h"

static const double LEAST_LAMBDA = 1e-12, MOST_LAMBDA = 1e4;

size_t
sl_chooser_numbers (size_t inputs, size_t experts)
{
  return inputs * experts;
}

void
sl_chooser_carve (SlChooser *choice, SlChooserRule rule, size_t inputs, size_t experts, size_t most,
                  SlArena *kept, SlArena *scratch)
{
  size_t cells = most * experts;

  *choice = (SlChooser) { .rule = rule, .inputs = inputs, .experts = experts, .most = most };
  choice->state = sl_arena_carve (kept, 1, sizeof *choice->state);
  choice->bar = sl_arena_carve (kept, experts, sizeof *choice->bar);
  if (rule == SL_CHOOSER_SWITCH || rule == SL_CHOOSER_BIAS)
    choice->past = sl_arena_carve (kept, SL_CHOOSER_OVER * experts, sizeof *choice->past);
  choice->logits = sl_arena_reals (scratch, cells);
  choice->score = sl_arena_reals (scratch, cells);
  choice->wanted = sl_arena_carve (scratch, cells, 1);
  choice->mask = sl_arena_carve (scratch, cells, 1);
  choice->g = sl_arena_reals (scratch, cells);
  choice->want = sl_arena_carve (scratch, experts, sizeof *choice->want);
  choice->count = sl_arena_carve (scratch, experts, sizeof *choice->count);
  choice->first = sl_arena_carve (scratch, most, sizeof *choice->first);
  choice->z = sl_arena_reals (scratch, most);
  choice->mean = sl_arena_carve (scratch, experts, sizeof *choice->mean);
  choice->counts = sl_arena_carve (scratch, experts, sizeof *choice->counts);
  choice->next = sl_arena_carve (scratch, experts, sizeof *choice->next);
  choice->slope = sl_arena_reals (scratch, cells);
  choice->column = sl_arena_reals (scratch, most * (experts + SL_SELECT_COLUMNS));
  choice->best = sl_arena_carve (scratch, cells, sizeof *choice->best);
  choice->value = sl_arena_reals (scratch, cells);
  choice->bad = sl_arena_carve (scratch, sl_blocks_of (most), sizeof *choice->bad);
}

void
sl_chooser_bind (SlChooser *choice, sl_real *weights, sl_real *gradient)
{
  choice->weights = weights;
  choice->gradient = gradient;
}

void
sl_chooser_init (SlChooser *choice, double lambda, SlRng *rng)
{
  size_t n = choice->experts;

  sl_init_glorot (rng, choice->inputs, n, choice->inputs * n, choice->weights);
  *choice->state = (SlChooserState) { .lambda = lambda };
  for (size_t i = 0; i < n; i++)
    choice->bar[i] = choice->rule == SL_CHOOSER_EXPERTS ? 1.0 / (double) n : 0.0;
}

size_t
sl_chooser_k (const SlChooserSetting *setting, size_t experts)
{
  size_t k = sl_most (setting->k, 1);

  if (setting->groups > 1)
    experts
      = experts / setting->groups * sl_least (sl_most (setting->k_groups, 1), setting->groups);
  return sl_least (k, experts);
}

size_t
sl_chooser_places (const SlChooserSetting *setting, size_t experts, size_t rows)
{
  double places
    = ceil (setting->capacity * (double) setting->k * (double) rows / (double) experts - 1e-9);

  if (!(setting->capacity > 0.0))
    return 0;
  return places < 1.0 ? 1 : places < (double) rows ? (size_t) places : rows;
}

static double
sign_of (double x)
{
  return (x > 0.0) - (x < 0.0);
}

static void
follow_counts (SlChooser *choice, const SlChooserSetting *setting)
{
  double mean = (double) choice->k * (double) choice->rows / (double) choice->experts;

  for (size_t i = 0; i < choice->experts; i++)
    {
      double short_of = mean - (double) choice->want[i];

      if (setting->bias_rule == SL_CHOOSER_SIGN)
        choice->bar[i] += setting->bias_rate * sign_of (short_of);
      else if (setting->bias_rule == SL_CHOOSER_PROPORTIONAL)
        choice->bar[i] += setting->bias_rate * short_of / mean;
    }
}

/* Whole numbers are compared, so that "exactly on target" does not hang on rounding. */
static void
follow_zeros (SlChooser *choice, const SlChooserSetting *setting)
{
  SlChooserState *state = choice->state;
  size_t          target = (choice->experts - choice->k) * choice->rows;

  if (choice->zeros < target)
    state->lambda *= setting->gain;
  else if (choice->zeros > target)
    state->lambda /= setting->gain;
  state->lambda = fmin (fmax (state->lambda, LEAST_LAMBDA), MOST_LAMBDA);
}

/* The choices of this batch take the place of the oldest. */
static void
keep_counts (SlChooser *choice)
{
  size_t n = choice->experts, at = choice->state->batches % SL_CHOOSER_OVER;

  memcpy (choice->past + at * n, choice->want, n * sizeof *choice->want);
  choice->state->pairs[at] = (uint32_t) (choice->k * choice->rows);
}

void
sl_chooser_follow (SlChooser *choice, const SlChooserSetting *setting)
{
  double follow = choice->state->batches > 0 ? setting->follow : 1.0;

  if (choice->rows == 0)
    return;
  if (choice->rule == SL_CHOOSER_BIAS)
    follow_counts (choice, setting);
  else if (choice->rule == SL_CHOOSER_RELU)
    follow_zeros (choice, setting);
  else if (choice->rule == SL_CHOOSER_EXPERTS)
    for (size_t i = 0; i < choice->experts; i++)
      choice->bar[i] += follow * (choice->next[i] - choice->bar[i]);
  if (choice->rule == SL_CHOOSER_SWITCH || choice->rule == SL_CHOOSER_BIAS)
    keep_counts (choice);
  choice->state->batches++;
}

/* v[own] less the k-th largest of the n - 1 others; not-a-number where there are fewer.  Each of them that has k - 1
 * above it is that.  */
static sl_real
lead_of (size_t n, size_t k, const sl_real *v, size_t own)
{
  for (size_t i = 0; i < n; i++)
    {
      size_t above = 0;

      for (size_t j = 0; i != own && j < n; j++)
        above += j != own && j != i && (v[j] > v[i] || (v[j] == v[i] && j < i));
      if (i != own && above == k - 1)
        return v[own] - v[i];
    }
  return (sl_real) NAN;
}

/* Of q = s + b (n), which it changes. */
static sl_real
margin_with_groups (const SlChooser *choice, size_t expert, sl_real *q)
{
  size_t  n = choice->experts, groups = choice->groups, group = expert / (n / groups);
  sl_real score[SL_SELECT_GROUPS], of_group, own;

  sl_select_scores (n, groups, q, score);
  of_group = lead_of (groups, choice->k_groups, score, group);
  if (of_group < 0)
    return of_group;
  sl_select_groups (n, groups, choice->k_groups, q);
  own = lead_of (n, choice->k, q, expert);
  return own > of_group ? of_group : own;
}

/* Of a set that need not be the largest: u less the best that is left out, or of one that is left out less the least chosen. */
static sl_real
lead_of_set (const SlChooser *choice, size_t expert, size_t r)
{
  size_t         n = choice->experts;
  const sl_real *u = choice->logits + r * n;
  const uint8_t *wanted = choice->wanted + r * n;
  sl_real        lead = (sl_real) NAN;

  for (size_t i = 0; i < n; i++)
    if (wanted[i] != wanted[expert]
        && !(wanted[expert] ? u[expert] - u[i] >= lead : u[expert] - u[i] <= lead))
      lead = u[expert] - u[i];
  return lead;
}

/* How many of a row are chosen by order. */
static size_t
chosen_of (const SlChooser *choice, size_t r)
{
  size_t n = choice->experts, k = 0;

  for (size_t i = 0; choice->rule == SL_CHOOSER_TOP_P && i < n; i++)
    k += choice->wanted[r * n + i];
  return choice->rule == SL_CHOOSER_TOP_P ? k : choice->k;
}

sl_real
sl_chooser_margin_of (const SlChooser *choice, size_t expert, size_t r)
{
  size_t         n = choice->experts;
  const sl_real *score = choice->score + r * n;
  sl_real       *q = choice->column;
  size_t         k = chosen_of (choice, r);

  if (choice->rule == SL_CHOOSER_RELU)
    return choice->logits[r * n + expert];
  if (choice->rule == SL_CHOOSER_OWN)
    return lead_of_set (choice, expert, r);
  if (choice->rule == SL_CHOOSER_EXPERTS)
    return score[expert] - (sl_real) choice->bar[expert];
  if (choice->rule == SL_CHOOSER_DENSE || k >= n)
    return (sl_real) NAN;
  if (choice->rule != SL_CHOOSER_BIAS)
    return lead_of (n, k, score, expert);
  for (size_t i = 0; i < n; i++)
    q[i] = score[i] + (sl_real) choice->bar[i];
  return choice->groups > 1 ? margin_with_groups (choice, expert, q) : lead_of (n, k, q, expert);
}
