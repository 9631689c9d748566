/* SPDX-License-Identifier: MIT
 *
 * What the gates without noise add to the objective; see chooser.h.  */
#include <string.h>

#include "core/nn/kernels/blocks.h"
#include "core/nn/moe/chooser.h"

/* P, the mean over the rows of scores that sum to one. */
static void
mean_scores (SlChooser *choice)
{
  size_t n = choice->experts;

  memset (choice->mean, 0, n * sizeof *choice->mean);
  for (size_t r = 0; r < choice->rows; r++)
    {
      const sl_real *score = choice->score + r * n;
      double         sum = 0.0;

      for (size_t i = 0; i < n; i++)
        sum += (double) score[i];
      for (size_t i = 0; sum > 0.0 && i < n; i++)
        choice->mean[i] += (double) score[i] / (sum * (double) choice->rows);
    }
}

static double
l1_loss (const SlChooser *choice, const SlChooserSetting *setting)
{
  size_t n = choice->experts;
  double scale = (double) n / ((double) choice->k * (double) choice->rows), loss = 0.0;

  for (size_t r = 0; r < choice->rows; r++)
    for (size_t i = 0; i < n; i++)
      loss += (double) choice->g[r * n + i]
              * (setting->plain ? 1.0 : scale * (double) choice->want[i]);
  return choice->state->lambda * loss / (double) choice->rows;
}

/* Pairs of row and expert. */
static double
pairs_of (const SlChooser *choice)
{
  double pairs = 0.0;

  if (choice->rule != SL_CHOOSER_TOP_P)
    return (double) choice->k * (double) choice->rows;
  for (size_t i = 0; i < choice->experts; i++)
    pairs += (double) choice->want[i];
  return pairs;
}

/* The choices of the last batches, this one among them. */
static void
gather_counts (SlChooser *choice, const SlChooserSetting *setting)
{
  const SlChooserState *state = choice->state;
  size_t                n = choice->experts, over = sl_least (setting->over, SL_CHOOSER_OVER);

  choice->pairs = pairs_of (choice);
  for (size_t i = 0; i < n; i++)
    choice->counts[i] = (double) choice->want[i];
  for (size_t b = 1; choice->rule != SL_CHOOSER_TOP_P && b < over && b <= state->batches; b++)
    {
      size_t at = (state->batches - b) % SL_CHOOSER_OVER;

      choice->pairs += (double) state->pairs[at];
      for (size_t i = 0; i < n; i++)
        choice->counts[i] += (double) choice->past[at * n + i];
    }
}

/* Mean over the rows. */
static double
entropy (const SlChooser *choice)
{
  double sum = 0.0;

  for (size_t r = 0; r < choice->rows; r++)
    sum += (double) choice->z[r];
  return sum / (double) choice->rows;
}

void
sl_chooser_measure (SlChooser *choice, const SlChooserSetting *setting)
{
  double loss = 0.0;
  bool   with_losses = choice->training && choice->rows > 0;

  choice->balance_loss = choice->z_loss = choice->l1_loss = choice->entropy_loss = 0.0;
  if (!with_losses)
    return;
  if (choice->rule == SL_CHOOSER_TOP_P)
    choice->entropy_loss = setting->w_entropy * entropy (choice);
  if (choice->rule == SL_CHOOSER_RELU)
    choice->l1_loss = l1_loss (choice, setting);
  if (choice->rule < SL_CHOOSER_SWITCH || choice->rule == SL_CHOOSER_OWN)
    return;
  mean_scores (choice);
  gather_counts (choice, setting);
  for (size_t i = 0; i < choice->experts; i++)
    loss += choice->counts[i] / choice->pairs * choice->mean[i];
  choice->balance_loss = setting->w_balance * (double) choice->experts * loss;
  if (choice->rule != SL_CHOOSER_SWITCH)
    return;
  loss = 0.0;
  for (size_t r = 0; r < choice->rows; r++)
    loss += (double) choice->z[r] * (double) choice->z[r];
  choice->z_loss = setting->w_z * loss / (double) choice->rows;
}
