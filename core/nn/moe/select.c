/* SPDX-License-Identifier: MIT */
#include "core/nn/moe/select.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "core/nn/dense/topk.h"
#include "core/nn/kernels/clones.h"
#include "core/nn/kernels/special.h"

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
