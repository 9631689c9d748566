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
sl_chooser_places (const SlChooserSetting *setting, size_t experts, size_t rows)
{
  double places
    = ceil (setting->capacity * (double) setting->k * (double) rows / (double) experts - 1e-9);

  if (!(setting->capacity > 0.0))
    return 0;
  return places < 1.0 ? 1 : places < (double) rows ? (size_t) places : rows;
}

double
sl_chooser_pairs (const SlChooser *choice)
{
  double pairs = 0.0;

  if (choice->rule != SL_CHOOSER_TOP_P)
    return (double) choice->k * (double) choice->rows;
  for (size_t i = 0; i < choice->experts; i++)
    pairs += (double) choice->want[i];
  return pairs;
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
  choice->state->batches++;
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
  bool           biased = choice->rule == SL_CHOOSER_BIAS;
  sl_real        own = score[expert] + (biased ? (sl_real) choice->bar[expert] : 0);
  size_t         k = chosen_of (choice, r), above = 0;
  sl_real        bar = 0;

  if (choice->rule == SL_CHOOSER_RELU)
    return choice->logits[r * n + expert];
  if (choice->rule == SL_CHOOSER_EXPERTS)
    return score[expert] - (sl_real) choice->bar[expert];
  if (choice->rule == SL_CHOOSER_DENSE || k >= n)
    return (sl_real) NAN;
  /* The k-th largest of the others: each that has fewer than k above it is a candidate. */
  bar = -INFINITY;
  for (size_t i = 0; i < n; i++)
    {
      sl_real value = score[i] + (biased ? (sl_real) choice->bar[i] : 0);

      if (i == expert)
        continue;
      above = 0;
      for (size_t j = 0; j < n; j++)
        {
          sl_real other = score[j] + (biased ? (sl_real) choice->bar[j] : 0);

          above += j != expert && j != i && (other > value || (other == value && j < i));
        }
      if (above == k - 1)
        bar = value;
    }
  return own - bar;
}
