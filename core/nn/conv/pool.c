/* SPDX-License-Identifier: MIT */
#include "core/nn/conv/pool.h"

#include <assert.h>
#include <string.h>

#include "core/nn/kernels/blocks.h"
#include "core/nn/kernels/clones.h"

/* Numbers of all planes from which more threads pay. */
enum { SHARED = 1 << 16 };

static size_t
output_length (size_t size, size_t window, size_t stride, bool ceil)
{
  size_t n = (size - window) / stride + 1;

  /* One more, which is cut off, if it begins inside. */
  if (ceil && (n - 1) * stride + window < size && n * stride < size)
    n++;
  return n;
}

bool
sl_pool_valid (const SlPool *pool)
{
  return pool->tall > 0 && pool->wide > 0 && pool->stride > 0 && pool->tall <= pool->height
         && pool->wide <= pool->width;
}

size_t
sl_pool_height (const SlPool *pool)
{
  return output_length (pool->height, pool->tall, pool->stride, pool->ceil);
}

size_t
sl_pool_width (const SlPool *pool)
{
  return output_length (pool->width, pool->wide, pool->stride, pool->ceil);
}

/* The window of an output: the rows from `top`, columns from `left`, what of it is inside. */
typedef struct
{
  size_t top, left, tall, wide;
} Window;

static inline Window
window_at (const SlPool *pool, size_t p, size_t q)
{
  Window window = { .top = p * pool->stride, .left = q * pool->stride };

  window.tall = sl_least (pool->tall, pool->height - window.top);
  window.wide = sl_least (pool->wide, pool->width - window.left);
  return window;
}

/* NaN wins, and stays. */
static inline bool
is_larger (sl_real a, sl_real best)
{
  return a > best || a != a;
}

static inline sl_real
largest_in (const SlPool *pool, Window window, const sl_real *x, size_t *place)
{
  const sl_real *at = x + window.top * pool->width + window.left;
  sl_real        best = at[0];

  *place = 0;
  for (size_t r = 0; r < window.tall && best == best; r++)
    for (size_t s = 0; s < window.wide && best == best; s++)
      if (is_larger (at[r * pool->width + s], best))
        {
          best = at[r * pool->width + s];
          *place = r * pool->wide + s;
        }
  return best;
}

/* A row of windows of two by two that do not overlap, nearly every network's: without a branch,
 * so that it vectorises.  Returns false when there may be not-a-number among them.  */
SL_CLONES static bool
pairs_of_row (size_t n, const sl_real *restrict upper, const sl_real *restrict lower,
              sl_real *restrict y, uint8_t *restrict where)
{
  unsigned strange = 0;

  for (size_t q = 0; q < n; q++)
    {
      sl_real  a = upper[2 * q], b = upper[2 * q + 1], c = lower[2 * q], d = lower[2 * q + 1];
      sl_real  above = b > a ? b : a, below = d > c ? d : c, sum = a + b + c + d;
      unsigned first = b > a ? 1 : 0, second = d > c ? 3 : 2;

      y[q] = below > above ? below : above;
      where[q] = (uint8_t) (below > above ? second : first);
      strange |= sum != sum;
    }
  return strange == 0;
}

void
sl_pool_max_forward (const SlPool *pool, size_t planes, const sl_real *x, sl_real *y,
                     uint8_t *where)
{
  size_t tall = sl_pool_height (pool), wide = sl_pool_width (pool), place;
  size_t plane = pool->height * pool->width, width = pool->width;
  bool   pairs = pool->tall == 2 && pool->wide == 2 && pool->stride == 2 && 2 * tall <= pool->height
               && 2 * wide <= width && where != NULL;

  assert (sl_pool_valid (pool));
#pragma omp parallel for schedule(static) private(place) if (planes * plane > SHARED)
  for (size_t n = 0; n < planes; n++)
    for (size_t p = 0; p < tall; p++)
      {
        size_t         at = (n * tall + p) * wide;
        const sl_real *from = x + n * plane;

        if (pairs
            && pairs_of_row (wide, from + 2 * p * width, from + (2 * p + 1) * width, y + at,
                             where + at))
          continue;
        for (size_t q = 0; q < wide; q++)
          {
            y[at + q] = largest_in (pool, window_at (pool, p, q), from, &place);
            if (where != NULL)
              where[at + q] = (uint8_t) place;
          }
      }
}

void
sl_pool_max_backward (const SlPool *pool, size_t planes, const sl_real *dy, const uint8_t *where,
                      sl_real *dx)
{
  size_t tall = sl_pool_height (pool), wide = sl_pool_width (pool);
  size_t plane = pool->height * pool->width;

#pragma omp parallel for schedule(static) if (planes * plane > SHARED)
  for (size_t n = 0; n < planes; n++)
    {
      sl_real *to = dx + n * plane;

      memset (to, 0, plane * sizeof *to);
      for (size_t p = 0; p < tall; p++)
        for (size_t q = 0; q < wide; q++)
          {
            size_t at = (n * tall + p) * wide + q;
            size_t row = p * pool->stride + where[at] / pool->wide;

            to[row * pool->width + q * pool->stride + where[at] % pool->wide] += dy[at];
          }
    }
}

static inline sl_real
mean_in (const SlPool *pool, Window window, const sl_real *x)
{
  const sl_real *at = x + window.top * pool->width + window.left;
  sl_real        sum = 0;

  for (size_t r = 0; r < window.tall; r++)
    for (size_t s = 0; s < window.wide; s++)
      sum += at[r * pool->width + s];
  return sum / (sl_real) (window.tall * window.wide);
}

void
sl_pool_mean_forward (const SlPool *pool, size_t planes, const sl_real *x, sl_real *y)
{
  size_t tall = sl_pool_height (pool), wide = sl_pool_width (pool);
  size_t plane = pool->height * pool->width;

#pragma omp parallel for schedule(static) if (planes * plane > SHARED)
  for (size_t n = 0; n < planes; n++)
    for (size_t p = 0; p < tall; p++)
      for (size_t q = 0; q < wide; q++)
        y[(n * tall + p) * wide + q] = mean_in (pool, window_at (pool, p, q), x + n * plane);
}

static inline void
share_out (const SlPool *pool, Window window, sl_real dy, sl_real *dx)
{
  sl_real *at = dx + window.top * pool->width + window.left;
  sl_real  share = dy / (sl_real) (window.tall * window.wide);

  for (size_t r = 0; r < window.tall; r++)
    for (size_t s = 0; s < window.wide; s++)
      at[r * pool->width + s] += share;
}

void
sl_pool_mean_backward (const SlPool *pool, size_t planes, const sl_real *dy, sl_real *dx)
{
  size_t tall = sl_pool_height (pool), wide = sl_pool_width (pool);
  size_t plane = pool->height * pool->width;

#pragma omp parallel for schedule(static) if (planes * plane > SHARED)
  for (size_t n = 0; n < planes; n++)
    {
      memset (dx + n * plane, 0, plane * sizeof *dx);
      for (size_t p = 0; p < tall; p++)
        for (size_t q = 0; q < wide; q++)
          share_out (pool, window_at (pool, p, q), dy[(n * tall + p) * wide + q], dx + n * plane);
    }
}
