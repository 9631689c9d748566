/* SPDX-License-Identifier: MIT */
#include "core/nn/dense/topk.h"

#include <assert.h>
#include <math.h>

#include "core/nn/kernels/clones.h"

/* Numbers that are compared together with the least of those kept so far, the bits of a word; of
 * 256 random ones some 20 get into the best four, and only they are looked at alone.  */
enum { BLOCK = 32 };

static inline sl_real
number_or_least (sl_real v)
{
  return isnan (v) ? (sl_real) -INFINITY : v;
}

/* Puts v, found at i, among the best `count`; the last of a full list falls off. */
static inline void
insert_value (sl_real v, uint32_t i, size_t count, uint32_t *index, sl_real *value)
{
  size_t at = count;

  for (; at > 0 && v > value[at - 1]; at--)
    {
      value[at] = value[at - 1];
      index[at] = index[at - 1];
    }
  value[at] = v;
  index[at] = i;
}

SL_CLONES static void
top_of_row (size_t n, size_t k, const sl_real *v, uint32_t *index, sl_real *value)
{
  size_t i = 0;

  for (; i < k; i++)
    insert_value (number_or_least (v[i]), (uint32_t) i, i, index, value);
  for (; i + BLOCK <= n; i += BLOCK)
    {
      sl_real  least = value[k - 1];
      uint32_t better = 0;

      for (int j = 0; j < BLOCK; j++)
        better |= (uint32_t) (v[i + j] > least) << j;
      for (; better != 0; better &= better - 1)
        {
          size_t j = i + (size_t) __builtin_ctz (better);

          if (v[j] > value[k - 1])
            insert_value (v[j], (uint32_t) j, k - 1, index, value);
        }
    }
  for (; i < n; i++)
    if (v[i] > value[k - 1])
      insert_value (v[i], (uint32_t) i, k - 1, index, value);
}

void
sl_topk (size_t rows, size_t n, size_t k, const sl_real *v, uint32_t *index, sl_real *value)
{
  assert (k >= 1 && k <= n);
  for (size_t r = 0; r < rows; r++)
    top_of_row (n, k, v + r * n, index + r * k, value + r * k);
}
