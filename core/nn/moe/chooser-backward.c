/* SPDX-License-Identifier: MIT
 *
 * Slopes of the logits; see chooser.h.  Sets, counts, thresholds, b and λ are constants.  */
#include <math.h>
#include <string.h>

#include "core/nn/kernels/blocks.h"
#include "core/nn/moe/chooser.h"
#include "core/nn/moe/select.h"

/* dloss/dG of a row, 0 for those not served. */
static void
spread (size_t n, const uint8_t *mask, const sl_real *dg, sl_real *slope)
{
  for (size_t i = 0; i < n; i++)
    slope[i] = mask[i] ? *dg++ : 0;
}

/* Through v ÷ Σ v over S: dv = (dG − Σ G dG) ÷ Σ v on S.  Where a pair was dropped its G would have
 * been v ÷ Σ v too, but it is not needed.  */
static void
through_sum (size_t n, const sl_real *score, const uint8_t *wanted, sl_real *slope)
{
  sl_real sum = 0, mean = 0;

  for (size_t i = 0; i < n; i++)
    sum += wanted[i] ? score[i] : 0;
  for (size_t i = 0; sum > 0 && i < n; i++)
    mean += wanted[i] ? score[i] / sum * slope[i] : 0;
  for (size_t i = 0; i < n; i++)
    slope[i] = wanted[i] && sum > 0 ? (slope[i] - mean) / sum : 0;
}

static void
through_softmax (size_t n, const sl_real *p, sl_real *slope)
{
  sl_real mean = 0;

  for (size_t i = 0; i < n; i++)
    mean += p[i] * slope[i];
  for (size_t i = 0; i < n; i++)
    slope[i] = p[i] * (slope[i] - mean);
}

static void
through_sigmoid (size_t n, const sl_real *s, sl_real *slope)
{
  for (size_t i = 0; i < n; i++)
    slope[i] *= s[i] * (1 - s[i]);
}

/* That of the load's loss w n Σ fᵢ Pᵢ, P of scores ÷ their sum, is added. */
static void
add_balance (const SlChooser *choice, double weight, size_t r, sl_real *slope)
{
  size_t         n = choice->experts;
  const sl_real *score = choice->score + r * n;
  double         scale = weight * (double) n / (choice->pairs * (double) choice->rows);
  double         sum = 0.0, mean = 0.0;

  for (size_t i = 0; i < n; i++)
    sum += (double) score[i];
  if (!(weight > 0.0 && sum > 0.0))
    return;
  for (size_t i = 0; i < n; i++)
    mean += (double) score[i] / sum * scale * choice->counts[i];
  for (size_t i = 0; i < n; i++)
    slope[i] += (sl_real) ((scale * choice->counts[i] - mean) / sum);
}

static void
slope_of_relu (const SlChooser *choice, const SlChooserSetting *setting, size_t r, sl_real *slope)
{
  size_t n = choice->experts;
  double rows = (double) choice->rows, lambda = choice->state->lambda / rows;
  double scale = (double) n / ((double) choice->k * rows);

  for (size_t i = 0; i < n; i++)
    if (choice->mask[r * n + i])
      slope[i] += (sl_real) (lambda * (setting->plain ? 1.0 : scale * (double) choice->want[i]));
}

/* That of w mean −Σ P ln P, −w P (ln P + H) ÷ B, is added to the slope of the logits. */
static void
add_entropy (const SlChooser *choice, double weight, size_t r, sl_real *slope)
{
  size_t         n = choice->experts;
  const sl_real *p = choice->score + r * n, *u = choice->logits + r * n;
  sl_real        scale = (sl_real) (weight / (double) choice->rows), top = sl_select_most (n, u);
  sl_real        both = (sl_real) log ((double) sl_select_most (n, p)) + choice->z[r];

  for (size_t i = 0; i < n; i++)
    slope[i] += p[i] > 0 ? scale * p[i] * (top - u[i] - both) : 0;
}

static void
slope_row (SlChooser *choice, const SlChooserSetting *setting, const sl_real *dg, size_t r)
{
  size_t         n = choice->experts;
  const sl_real *score = choice->score + r * n;
  sl_real       *slope = choice->slope + r * n;
  bool switches = choice->rule == SL_CHOOSER_SWITCH, biased = choice->rule == SL_CHOOSER_BIAS;
  bool top_p = choice->rule == SL_CHOOSER_TOP_P;

  spread (n, choice->mask + r * n, dg + choice->first[r], slope);
  if (choice->rule == SL_CHOOSER_RELU)
    {
      slope_of_relu (choice, setting, r, slope);
      return;
    }
  if (choice->rule == SL_CHOOSER_OWN)
    {
      through_softmax (n, choice->g + r * n, slope);
      return;
    }
  if ((switches || biased) && setting->sum_to_one)
    through_sum (n, score, choice->wanted + r * n, slope);
  if (switches || biased || top_p)
    add_balance (choice, setting->w_balance, r, slope);
  if (choice->rule == SL_CHOOSER_BASE ? choice->k == 1 : biased && !setting->softmax)
    through_sigmoid (n, score, slope);
  else
    through_softmax (n, score, slope);
  for (size_t i = 0; switches && setting->w_z > 0.0 && i < n; i++)
    slope[i] += (sl_real) (2.0 * setting->w_z / (double) choice->rows) * choice->z[r] * score[i];
  if (top_p && setting->w_entropy > 0.0)
    add_entropy (choice, setting->w_entropy, r, slope);
}

void
sl_chooser_backward (SlChooser *choice, const SlChooserSetting *setting, const sl_real *dg,
                     bool add, sl_real *dx)
{
  size_t n = choice->experts, rows = choice->rows, known = choice->weighted ? 0 : rows;

#pragma omp parallel for schedule(static, SL_BLOCK_ROWS) if (rows > SL_BLOCK_ROWS)
  for (size_t r = 0; r < known; r++)
    slope_row (choice, setting, dg, r);
  sl_blocks_outer (rows, choice->inputs, n, choice->x, choice->slope, choice->gradient);
  if (dx != NULL)
    sl_blocks_rows (SL_TRANSPOSED, rows, choice->inputs, n, choice->slope, choice->weights, n, add,
                    dx, choice->inputs);
}
