/* SPDX-License-Identifier: MIT */
#include "core/labs/routing/math/together.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

void
sl_routes_together (const SlRoutes *r, uint32_t *both)
{
  uint16_t row[SL_ROUTES_SLOTS];

  memset (both, 0, (size_t) r->n * r->n * sizeof *both);
  for (size_t t = 0; t < r->tokens; t++)
    {
      unsigned k = sl_routes_row (r, t, row);

      for (unsigned a = 0; a < k; a++)
        for (unsigned b = 0; b < k; b++)
          both[(size_t) row[a] * r->n + row[b]]++;
    }
}

double
sl_together_lift (size_t tokens, uint32_t both, uint32_t load_i, uint32_t load_j)
{
  double expected = (double) load_i * (double) load_j / (double) tokens;

  return expected >= 5.0 ? (double) both / expected : NAN;
}

/* By falling lift; of equal ones the first in number. */
static bool
is_before (const SlTogetherPair *a, const SlTogetherPair *b)
{
  if (a->lift != b->lift)
    return a->lift > b->lift;
  return a->i != b->i ? a->i < b->i : a->j < b->j;
}

/* Puts a pair where it belongs among the first `room` of the order, or with `backwards` of the
 * opposite one.  */
static void
insert_pair (const SlTogetherPair *pair, bool backwards, unsigned room, SlTogetherPair *list,
             unsigned *n)
{
  unsigned at = *n < room ? (*n)++ : room;

  for (; at > 0 && is_before (pair, &list[at - 1]) != backwards; at--)
    if (at < room)
      list[at] = list[at - 1];
  if (at < room)
    list[at] = *pair;
}

SlTogether
sl_together_summary (unsigned n, unsigned k, size_t tokens, const uint32_t *both)
{
  SlTogether s = { .by_chance = NAN };
  double     sum = 0.0;

  if (k > 1 && n > 1)
    s.by_chance = (double) n * (k - 1) / ((double) k * (n - 1));
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = i + 1; j < n; j++)
      {
        uint32_t c = both[(size_t) i * n + j];
        double   lift
          = sl_together_lift (tokens, c, both[(size_t) i * n + i], both[(size_t) j * n + j]);
        SlTogetherPair pair = { i, j, c, lift };

        s.pairs += c;
        s.never += c == 0;
        if (isnan (lift))
          continue;
        s.tested++;
        sum += fabs (log2 (fmax (lift, 1.0 / 1024) / s.by_chance));
        insert_pair (&pair, false, SL_TOGETHER_MOST, s.most, &s.n_most);
        insert_pair (&pair, true, SL_TOGETHER_LEAST, s.least, &s.n_least);
      }
  s.mean_log2_abs = s.tested > 0 ? sum / (double) s.tested : NAN;
  return s;
}
