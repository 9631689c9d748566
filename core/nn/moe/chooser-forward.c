/* SPDX-License-Identifier: MIT
 *
 * Who is chosen, and with which gate value; see chooser.h.  */
#include <math.h>
#include <string.h>

#include "core/nn/dense/topk.h"
#include "core/nn/kernels/blocks.h"
#include "core/nn/kernels/special.h"
#include "core/nn/moe/chooser.h"
#include "core/nn/moe/select.h"

static bool
is_sigmoid (const SlChooser *choice, const SlChooserSetting *setting)
{
  return choice->rule == SL_CHOOSER_BASE ? choice->k == 1
                                         : choice->rule == SL_CHOOSER_BIAS && !setting->softmax;
}

/* log Σ e^u without overflow. */
static sl_real
log_sum (size_t n, const sl_real *u)
{
  sl_real top = sl_select_most (n, u);
  double  sum = 0.0;

  for (size_t i = 0; i < n; i++)
    sum += exp ((double) u[i] - (double) top);
  return (sl_real) ((double) top + log (sum));
}

/* −Σ P ln P of a row, with ln P = u − max u + ln max P. */
static sl_real
entropy_of (size_t n, const sl_real *u, const sl_real *p)
{
  sl_real top = sl_select_most (n, u), sum = 0;

  for (size_t i = 0; i < n; i++)
    sum += p[i] > 0 ? p[i] * (top - u[i]) : 0;
  return sum - (sl_real) log ((double) sl_select_most (n, p));
}

static void
score_row (SlChooser *choice, const SlChooserSetting *setting, size_t r)
{
  size_t         n = choice->experts;
  const sl_real *u = choice->logits + r * n;
  sl_real       *score = choice->score + r * n;

  if (choice->rule == SL_CHOOSER_RELU)
    for (size_t i = 0; i < n; i++)
      score[i] = u[i] > 0 ? u[i] : 0;
  else if (is_sigmoid (choice, setting))
    for (size_t i = 0; i < n; i++)
      score[i] = sl_sigmoid (u[i]);
  else
    sl_select_softmax (n, u, NULL, score);
  if (choice->rule == SL_CHOOSER_SWITCH)
    choice->z[r] = log_sum (n, u);
  else if (choice->rule == SL_CHOOSER_TOP_P)
    choice->z[r] = entropy_of (n, u, score);
}

static void
scores_of_block (SlChooser *choice, const SlChooserSetting *setting, size_t block)
{
  size_t n = choice->experts, first = block * SL_BLOCK_ROWS;
  size_t end = sl_least (first + SL_BLOCK_ROWS, choice->rows);

  choice->bad[block] = 0;
  for (size_t r = first; r < end; r++)
    {
      choice->bad[block] += sl_select_finite (n, choice->logits + r * n);
      score_row (choice, setting, r);
    }
}

/* ---- sets ---- */

/* The k largest of `from` (B, n), which has sl_real rows: wanted; choice->best has them in order. */
static void
want_largest (SlChooser *choice, const sl_real *from)
{
  size_t n = choice->experts, k = choice->k;

  if (choice->rows == 0)
    return;
  sl_topk (choice->rows, n, k, from, choice->best, choice->value);
  memset (choice->wanted, 0, choice->rows * n);
  for (size_t r = 0; r < choice->rows; r++)
    for (size_t p = 0; p < k; p++)
      choice->wanted[r * n + choice->best[r * k + p]] = 1;
}

/* The k largest s + b.  An expert whose logit is no number stays out whatever its bias, and where the chosen groups have
 * fewer than k, a row has fewer.  */
static void
want_biased (SlChooser *choice)
{
  size_t n = choice->experts, cells = choice->rows * n;

  for (size_t c = 0; c < cells; c++)
    choice->column[c] = choice->logits[c] > -sl_most_finite
                          ? (sl_real) ((double) choice->score[c] + choice->bar[c % n])
                          : (sl_real) -INFINITY;
  for (size_t r = 0; choice->groups > 1 && r < choice->rows; r++)
    sl_select_groups (n, choice->groups, choice->k_groups, choice->column + r * n);
  want_largest (choice, choice->column);
  for (size_t c = 0; c < cells; c++)
    choice->wanted[c] &= choice->column[c] > (sl_real) -INFINITY;
}

static void
want_reach (SlChooser *choice, double p)
{
  size_t n = choice->experts;

#pragma omp parallel for schedule(static, SL_BLOCK_ROWS) if (choice->rows > SL_BLOCK_ROWS)
  for (size_t r = 0; r < choice->rows; r++)
    if (p < 1.0)
      sl_select_reach (n, choice->score + r * n, p, choice->wanted + r * n);
    else
      memset (choice->wanted + r * n, 1, n);
}

/* The plan d0 e^u d1 whose columns are even, after SL_CHOOSER_ROUNDS rounds from d1 = 1, into choice->column; a row's
 * largest logit is taken off first, which d0 makes up for.  */
static void
plan (SlChooser *choice)
{
  size_t   n = choice->experts, rows = choice->rows;
  sl_real *c = choice->column;
  double  *d1 = choice->next, *sum = choice->mean;

  for (size_t r = 0; r < rows; r++)
    {
      const sl_real *u = choice->logits + r * n;
      sl_real        top = sl_select_most (n, u);

      for (size_t i = 0; i < n; i++)
        c[r * n + i] = sl_exp_fall (top - u[i]);
    }
  for (size_t i = 0; i < n; i++)
    d1[i] = 1.0;
  for (int round = 0; round < SL_CHOOSER_ROUNDS; round++)
    {
      memset (sum, 0, n * sizeof *sum);
      for (size_t r = 0; r < rows; r++)
        {
          double row = 0.0;

          for (size_t i = 0; i < n; i++)
            row += (double) c[r * n + i] * d1[i];
          for (size_t i = 0; i < n; i++)
            sum[i] += (double) c[r * n + i] / ((double) rows * row);
        }
      for (size_t i = 0; i < n; i++)
        d1[i] = sum[i] > 0.0 ? 1.0 / ((double) n * sum[i]) : 0.0;
    }
  /* d0 is the same for a whole row and changes no order. */
  for (size_t r = 0; r < rows; r++)
    for (size_t i = 0; i < n; i++)
      c[r * n + i] = (sl_real) ((double) c[r * n + i] * d1[i]);
}

/* Share of pairs on which two masks agree. */
static double
agreement_of (const SlChooser *choice, const uint8_t *a, const uint8_t *b)
{
  size_t cells = choice->rows * choice->experts, differ = 0;

  for (size_t c = 0; c < cells; c++)
    differ += a[c] != b[c];
  return cells > 0 ? 1.0 - (double) differ / (double) cells : 1.0;
}

static void
choose_base (SlChooser *choice)
{
  if (!choice->training)
    {
      want_largest (choice, choice->logits);
      return;
    }
  want_largest (choice, choice->logits);
  memcpy (choice->mask, choice->wanted, choice->rows * choice->experts);
  plan (choice);
  want_largest (choice, choice->column);
  choice->agreement = agreement_of (choice, choice->mask, choice->wanted);
}

/* Columns from `at` on of `from` (B, n) where `among` allows, else 0, side by side in choice->column. */
static void
lay_out_columns (SlChooser *choice, const uint8_t *among, size_t at, size_t width)
{
  size_t   n = choice->experts;
  sl_real *column = choice->column + at * choice->most;

  for (size_t r = 0; r < choice->rows; r++)
    for (size_t i = 0; i < SL_SELECT_COLUMNS; i++)
      {
        bool there = i < width && (among == NULL || among[r * n + at + i]);

        column[r * SL_SELECT_COLUMNS + i] = there ? choice->score[r * n + at + i] : 0;
      }
}

/* The `places` rows with the largest scores of each of the columns from `at` on, among those that `among`
 * allows, into `into`; cut (SL_SELECT_COLUMNS) are the smallest taken.  */
static void
take_columns (SlChooser *choice, const uint8_t *among, uint8_t *into, size_t at, sl_real *cut)
{
  size_t         n = choice->experts, width = sl_least (n - at, SL_SELECT_COLUMNS);
  const sl_real *column = choice->column + at * choice->most;

  lay_out_columns (choice, among, at, width);
  sl_select_cuts (choice->rows, choice->places, column, cut);
  for (size_t i = 0; i < width; i++)
    {
      size_t ties = choice->places;

      for (size_t r = 0; r < choice->rows; r++)
        ties -= column[r * SL_SELECT_COLUMNS + i] > cut[i];
      for (size_t r = 0; r < choice->rows; r++)
        {
          sl_real value = column[r * SL_SELECT_COLUMNS + i];
          bool    may = among == NULL || among[r * n + at + i];
          bool    taken = may && (value > cut[i] || (value == cut[i] && ties > 0));

          ties -= taken && value == cut[i];
          into[r * n + at + i] = taken;
        }
    }
}

/* Each expert takes rows; T follows the midpoint between the last one taken and the first one left. */
static void
choose_by_experts (SlChooser *choice)
{
  size_t n = choice->experts, rows = choice->rows, c = choice->k * rows / n;

  choice->places = c < 1 ? 1 : sl_least (c, rows);
#pragma omp parallel for schedule(static) if (rows > SL_BLOCK_ROWS)
  for (size_t at = 0; at < n; at += SL_SELECT_COLUMNS)
    {
      sl_real cut[SL_SELECT_COLUMNS], left[SL_SELECT_COLUMNS] = { 0 };

      take_columns (choice, NULL, choice->wanted, at, cut);
      if (choice->places < rows)
        sl_select_cuts (rows, choice->places + 1, choice->column + at * choice->most, left);
      for (size_t i = 0; i < sl_least (n - at, SL_SELECT_COLUMNS); i++)
        choice->next[at + i] = 0.5 * ((double) cut[i] + (double) left[i]);
    }
}

static bool
is_above (const SlChooser *choice, size_t cell)
{
  return (double) choice->score[cell] > choice->bar[cell % choice->experts];
}

/* How the batch and the thresholds would decide each pair. */
static double
agreement_with_bars (const SlChooser *choice)
{
  size_t cells = choice->rows * choice->experts, differ = 0;

  for (size_t c = 0; c < cells; c++)
    differ += is_above (choice, c) != (choice->wanted[c] != 0);
  return cells > 0 ? 1.0 - (double) differ / (double) cells : 1.0;
}

/* Choice by choice, in order of the rows: a second choice never displaces a first. */
static void
serve_by_arrival (SlChooser *choice)
{
  size_t n = choice->experts, k = choice->k;

  memset (choice->mask, 0, choice->rows * n);
  memset (choice->count, 0, n * sizeof *choice->count);
  for (size_t p = 0; p < k; p++)
    for (size_t r = 0; r < choice->rows; r++)
      {
        uint32_t expert = choice->best[r * k + p];

        if (choice->count[expert] >= choice->places)
          continue;
        choice->count[expert]++;
        choice->mask[r * n + expert] = 1;
      }
}

static void
serve (SlChooser *choice, const SlChooserSetting *setting)
{
  choice->places = choice->training && choice->rows > 0
                     ? sl_chooser_places (setting, choice->experts, choice->rows)
                     : 0;
  if (choice->places == 0)
    memcpy (choice->mask, choice->wanted, choice->rows * choice->experts);
  else if (!setting->by_value)
    serve_by_arrival (choice);
  else
    for (size_t at = 0; at < choice->experts; at += SL_SELECT_COLUMNS)
      {
        sl_real cut[SL_SELECT_COLUMNS];

        take_columns (choice, choice->wanted, choice->mask, at, cut);
      }
  if (choice->training)
    choice->agreement = agreement_of (choice, choice->wanted, choice->mask);
}

static void
choose (SlChooser *choice, const SlChooserSetting *setting)
{
  size_t cells = choice->rows * choice->experts;

  choice->places = 0;
  switch (choice->rule)
    {
    case SL_CHOOSER_DENSE: memset (choice->wanted, 1, cells); break;
    case SL_CHOOSER_BASE: choose_base (choice); break;
    case SL_CHOOSER_RELU:
      for (size_t c = 0; c < cells; c++)
        choice->wanted[c] = choice->score[c] > 0;
      break;
    case SL_CHOOSER_EXPERTS:
      if (choice->training && choice->rows > 0)
        choose_by_experts (choice);
      for (size_t c = 0; !choice->training && c < cells; c++)
        choice->wanted[c] = is_above (choice, c);
      if (choice->training)
        choice->agreement = agreement_with_bars (choice);
      break;
    case SL_CHOOSER_SWITCH: want_largest (choice, choice->score); break;
    case SL_CHOOSER_BIAS: want_biased (choice); break;
    case SL_CHOOSER_TOP_P: want_reach (choice, setting->p); break;
    case SL_CHOOSER_OWN: return;
    }
  if (choice->rule == SL_CHOOSER_SWITCH)
    serve (choice, setting);
  else
    memcpy (choice->mask, choice->wanted, cells);
}

/* ---- values and what they cost ---- */

static void
values_of_row (SlChooser *choice, bool sum_to_one, size_t r)
{
  size_t         n = choice->experts;
  const sl_real *score = choice->score + r * n;
  const uint8_t *wanted = choice->wanted + r * n, *mask = choice->mask + r * n;
  sl_real        sum = 0;

  for (size_t i = 0; i < n; i++)
    sum += wanted[i] ? score[i] : 0;
  for (size_t i = 0; i < n; i++)
    choice->g[r * n + i] = !mask[i] ? 0 : !sum_to_one ? score[i] : sum > 0 ? score[i] / sum : 0;
}

static void
count (SlChooser *choice)
{
  size_t   n = choice->experts;
  uint32_t served = 0;

  memset (choice->count, 0, n * sizeof *choice->count);
  memset (choice->want, 0, n * sizeof *choice->want);
  choice->zeros = 0;
  for (size_t r = 0; r < choice->rows; r++)
    {
      choice->first[r] = served;
      for (size_t i = 0; i < n; i++)
        {
          choice->want[i] += choice->wanted[r * n + i];
          choice->count[i] += choice->mask[r * n + i];
          served += choice->mask[r * n + i];
          choice->zeros += !choice->wanted[r * n + i];
        }
    }
}

void
sl_chooser_forward (SlChooser *choice, const SlChooserSetting *setting, size_t rows,
                    const sl_real *x, bool training, bool frozen)
{
  size_t n = choice->experts;

  choice->x = x;
  sl_blocks_rows (SL_PLAIN, rows, n, choice->inputs, x, choice->weights, n, false, choice->logits,
                  n);
  sl_chooser_decide (choice, setting, rows, training, frozen);
}

void
sl_chooser_decide (SlChooser *choice, const SlChooserSetting *setting, size_t rows, bool training,
                   bool frozen)
{
  size_t n = choice->experts, blocks = sl_blocks_of (rows);
  bool   sum_to_one
    = setting->sum_to_one && (choice->rule == SL_CHOOSER_SWITCH || choice->rule == SL_CHOOSER_BIAS);

  choice->rows = rows;
  choice->k = sl_chooser_k (setting, n);
  choice->groups = sl_most (setting->groups, 1);
  choice->k_groups = sl_least (sl_most (setting->k_groups, 1), choice->groups);
  choice->training = training;
#pragma omp parallel for schedule(static) if (blocks > 1)
  for (size_t b = 0; b < blocks; b++)
    scores_of_block (choice, setting, b);
  choice->not_finite = 0;
  for (size_t b = 0; b < blocks; b++)
    choice->not_finite += choice->bad[b];
  if (!frozen)
    {
      choice->agreement = training && choice->rule != SL_CHOOSER_OWN ? 1.0 : NAN;
      choose (choice, setting);
    }
  if (choice->rule == SL_CHOOSER_OWN)
    sl_chooser_call (choice, frozen);
  for (size_t r = 0; choice->rule != SL_CHOOSER_OWN && r < rows; r++)
    values_of_row (choice, sum_to_one, r);
  count (choice);
  sl_chooser_measure (choice, setting);
}
