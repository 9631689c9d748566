/* SPDX-License-Identifier: MIT */
#include "core/nn/moe/select.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "core/nn/dense/topk.h"
#include "core/nn/kernels/clones.h"
#include "core/nn/kernels/special.h"

/* Sums along a row run in as many columns, so that they vectorise in one defined order. */
enum { LANES = 16 };

SL_CLONES static void
softmax (size_t n, const sl_real *restrict c, const uint8_t *restrict mask, sl_real *restrict out)
{
  sl_real top = -sl_most_finite, sum = 0;

  for (size_t i = 0; i < n; i++)
    if ((mask == NULL || mask[i]) && c[i] > top)
      top = c[i];
  for (size_t i = 0; i < n; i++)
    {
      out[i] = mask == NULL || mask[i] ? sl_exp_fall (top - c[i]) : 0;
      sum += out[i];
    }
  for (size_t i = 0; sum > 0 && i < n; i++)
    out[i] /= sum;
}

void
sl_select_softmax (size_t n, const sl_real *c, const uint8_t *mask, sl_real *out)
{
  softmax (n, c, mask, out);
}

sl_real
sl_select_most (size_t n, const sl_real *v)
{
  sl_real most = v[0];

  for (size_t i = 1; i < n; i++)
    most = v[i] > most ? v[i] : most;
  return most;
}

uint32_t
sl_select_finite (size_t n, sl_real *c)
{
  uint32_t bad = 0;

  for (size_t i = 0; i < n; i++)
    if (!(fabs (c[i]) <= sl_most_finite))
      {
        c[i] = -sl_most_finite;
        bad++;
      }
  return bad;
}

void
sl_select_scores (size_t n, size_t groups, const sl_real *q, sl_real *score)
{
  size_t size = n / groups;

  for (size_t g = 0; g < groups; g++, q += size)
    {
      sl_real first = (sl_real) -INFINITY, second = first;

      for (size_t i = 0; i < size; i++)
        {
          second = q[i] > first ? first : q[i] > second ? q[i] : second;
          first = q[i] > first ? q[i] : first;
        }
      score[g] = second > (sl_real) -INFINITY ? first + second : first;
    }
}

void
sl_select_groups (size_t n, size_t groups, size_t best, sl_real *q)
{
  size_t   size = n / groups;
  sl_real  score[SL_SELECT_GROUPS], value[SL_SELECT_GROUPS];
  uint32_t chosen[SL_SELECT_GROUPS];
  bool     stays[SL_SELECT_GROUPS] = { false };

  assert (groups <= SL_SELECT_GROUPS);
  sl_select_scores (n, groups, q, score);
  sl_topk (1, groups, best, score, chosen, value);
  for (size_t p = 0; p < best; p++)
    stays[chosen[p]] = true;
  for (size_t i = 0; i < n; i++)
    q[i] = stays[i / size] ? q[i] : (sl_real) -INFINITY;
}

/* Bit by bit from the top: such numbers are ordered as their bits are. */
SL_CLONES static void
cuts (size_t rows, size_t m, const sl_real *restrict column, sl_real *restrict cut)
{
  SlBits found[SL_SELECT_COLUMNS] = { 0 };

  for (int b = sizeof (SlBits) * 8 - 2; b >= 0; b--)
    {
      uint32_t count[SL_SELECT_COLUMNS] = { 0 };
      sl_real  wanted[SL_SELECT_COLUMNS];
      SlBits   bits[SL_SELECT_COLUMNS];

      for (int i = 0; i < SL_SELECT_COLUMNS; i++)
        bits[i] = found[i] | (SlBits) 1 << b;
      memcpy (wanted, bits, sizeof wanted);
      for (size_t r = 0; r < rows; r++)
        for (int i = 0; i < SL_SELECT_COLUMNS; i++)
          count[i] += column[r * SL_SELECT_COLUMNS + i] >= wanted[i];
      for (int i = 0; i < SL_SELECT_COLUMNS; i++)
        found[i] = count[i] >= m && m > 0 ? bits[i] : found[i];
    }
  memcpy (cut, found, sizeof found);
}

void
sl_select_cuts (size_t rows, size_t m, const sl_real *column, sl_real *cut)
{
  cuts (rows, m, column, cut);
}

/* Sum of the numbers from `least` on. */
static inline double
sum_from (size_t n, const sl_real *restrict v, sl_real least)
{
  double lanes[LANES] = { 0 }, sum = 0.0;
  size_t whole = n - n % LANES;

  for (size_t i = 0; i < whole; i += LANES)
    for (size_t j = 0; j < LANES; j++)
      lanes[j] += v[i + j] >= least ? (double) v[i + j] : 0.0;
  for (size_t i = whole; i < n; i++)
    lanes[i - whole] += v[i] >= least ? (double) v[i] : 0.0;
  for (size_t j = 0; j < LANES; j++)
    sum += lanes[j];
  return sum;
}

/* Finds the largest number that with all above it reaches the sum, again bit by bit: fewer numbers never have a larger
 * sum, however it is rounded.  */
SL_CLONES static void
reach (size_t n, const sl_real *restrict v, double wanted, uint8_t *restrict mask)
{
  SlBits  found = 0, above;
  sl_real least;
  double  sum;

  for (int b = sizeof (SlBits) * 8 - 2; b >= 0; b--)
    {
      SlBits bits = found | (SlBits) 1 << b;

      memcpy (&least, &bits, sizeof least);
      if (sum_from (n, v, least) >= wanted)
        found = bits;
    }
  above = found + 1;
  memcpy (&least, &above, sizeof least);
  sum = sum_from (n, v, least);
  for (size_t i = 0; i < n; i++)
    mask[i] = v[i] >= least;
  memcpy (&least, &found, sizeof least);
  for (size_t i = 0; i < n && sum < wanted; i++)
    if (v[i] == least)
      {
        mask[i] = 1;
        sum += (double) v[i];
      }
}

void
sl_select_reach (size_t n, const sl_real *v, double wanted, uint8_t *mask)
{
  reach (n, v, wanted, mask);
}
