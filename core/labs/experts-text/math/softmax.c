/* SPDX-License-Identifier: MIT */
#include "core/labs/experts-text/math/softmax.h"

#include "core/nn/kernels/clones.h"
#include "core/nn/kernels/special.h"

/* Sums and largest values of a row are taken in lanes, so that they can be computed side by side, in
 * the same order everywhere.  */
enum { LANES = 16 };

SL_CLONES static sl_real
largest_of (size_t n, const sl_real *z)
{
  sl_real lane[LANES], top = z[0];
  size_t  i = 0;

  for (int l = 0; l < LANES; l++)
    lane[l] = z[0];
  for (; i + LANES <= n; i += LANES)
    for (int l = 0; l < LANES; l++)
      lane[l] = z[i + (size_t) l] > lane[l] ? z[i + (size_t) l] : lane[l];
  for (int l = 0; l < LANES; l++)
    top = lane[l] > top ? lane[l] : top;
  for (; i < n; i++)
    top = z[i] > top ? z[i] : top;
  return top;
}

/* Turns a row into e^(z - top); returns the sum. */
SL_CLONES static sl_real
exponentials (size_t n, sl_real top, sl_real *z)
{
  sl_real lane[LANES] = { 0 }, sum = 0;
  size_t  i = 0;

  for (; i + LANES <= n; i += LANES)
    for (int l = 0; l < LANES; l++)
      lane[l] += z[i + (size_t) l] = sl_exp_fall (top - z[i + (size_t) l]);
  for (; i < n; i++)
    sum += z[i] = sl_exp_fall (top - z[i]);
  for (int l = 0; l < LANES; l++)
    sum += lane[l];
  return sum;
}

SL_CLONES static void
scale_row (size_t n, sl_real by, sl_real *z)
{
  for (size_t i = 0; i < n; i++)
    z[i] *= by;
}

/* Whether a value before the label's is as large as the largest, or one behind it when it is not the
 * largest itself.  */
static uint8_t
is_wrong (const sl_real *z, uint16_t label, sl_real top)
{
  if (!(z[label] >= top))
    return 1;
  for (uint16_t i = 0; i < label; i++)
    if (z[i] >= top)
      return 1;
  return 0;
}

static void
finish_row (size_t kinds, sl_real *z, uint16_t label, sl_real scale, sl_real *loss, uint8_t *wrong)
{
  sl_real top = largest_of (kinds, z), at_label = z[label], sum;

  *wrong = is_wrong (z, label, top);
  sum = exponentials (kinds, top, z);
  *loss = log (sum) + top - at_label;
  if (scale == 0)
    return;
  scale_row (kinds, scale / sum, z);
  z[label] -= scale;
}

void
sl_vocabulary_loss (size_t rows, size_t kinds, sl_real *logits, const uint16_t *label,
                    sl_real scale, sl_real *loss, uint8_t *wrong)
{
#pragma omp parallel for schedule(static)
  for (size_t row = 0; row < rows; row++)
    finish_row (kinds, logits + row * kinds, label[row], scale, loss + row, wrong + row);
}
