/* SPDX-License-Identifier: MIT */
#include "core/labs/selective-execution/math/depths.h"

#include <string.h>
#include <tgmath.h>

#include "core/nn/kernels/vector.h"

size_t
sl_depth_places (double share, size_t batch)
{
  double wanted = ceil (share * (double) batch - 1e-9);

  if (!(share > 0.0) || batch == 0)
    return 0;
  if (wanted < 1.0)
    return 1;
  return wanted < (double) batch ? (size_t) wanted : batch;
}

static sl_real
ranked_number (const sl_real *x, size_t row)
{
  return isnan (x[2 * row]) ? (sl_real) -INFINITY : x[2 * row];
}

/* The number of the last row that goes through, and how many rows with exactly it do: *ties.
 * `work` (B).  */
static sl_real
find_last (size_t batch, size_t places, const sl_real *x, sl_real *work, size_t *ties)
{
  sl_real last;

  for (size_t e = 0; e < batch; e++)
    work[e] = ranked_number (x, e);
  last = sl_vector_select (batch, work, batch - places);
  *ties = places;
  for (size_t e = 0; e < batch; e++)
    *ties -= ranked_number (x, e) > last;
  return last;
}

void
sl_depth_rank (const SlDepthRank *rank, size_t batch, const sl_real *x, sl_real *y)
{
  size_t  places = sl_depth_places (rank->share, batch), ties = 0;
  bool    ranked = !rank->alone && places > 0;
  sl_real last = ranked ? find_last (batch, places, x, y, &ties) : (sl_real) INFINITY;

  for (size_t e = 0; e < batch; e++)
    {
      sl_real r = ranked_number (x, e);
      bool    tie = ranked && r == last && ties > 0, taken = ranked && (r > last || tie);

      ties -= tie;
      y[2 * e] = (sl_real) 0.5;
      y[2 * e + 1] = rank->alone ? x[2 * e + 1] > 0 : taken;
    }
}

static sl_real
weight_of (bool squashed, sl_real r)
{
  return squashed ? 1 / (1 + exp (-r)) : r;
}

void
sl_depth_weigh (size_t batch, size_t width, bool squashed, const sl_real *x, sl_real *y)
{
  for (size_t e = 0; e < batch; e++, x += 1 + width)
    sl_vector_scale (width, weight_of (squashed, *x), x + 1, y + e * width);
}

void
sl_depth_weigh_backward (size_t batch, size_t width, bool squashed, const sl_real *x,
                         const sl_real *dy, sl_real *dx)
{
  for (size_t e = 0; e < batch; e++, x += 1 + width, dx += 1 + width, dy += width)
    {
      sl_real weight = weight_of (squashed, *x);

      *dx = sl_vector_dot (width, dy, x + 1);
      if (squashed)
        *dx *= weight * (1 - weight);
      sl_vector_scale (width, weight, dy, dx + 1);
    }
}

void
sl_depth_route_backward (size_t batch, size_t width, const sl_real *x, const sl_real *w,
                         const sl_real *dr, sl_real *dw, sl_real *dx)
{
  memset (dw, 0, width * sizeof *dw);
  for (size_t e = 0; e < batch; e++)
    {
      sl_vector_add_scaled (width, dr[e], x + e * width, dw);
      if (dx != NULL)
        sl_vector_scale (width, dr[e], w, dx + e * width);
    }
}

double
sl_depth_guess_loss (size_t batch, const sl_real *g, const uint8_t *taken, sl_real *dg,
                     double *agree)
{
  double sum = 0.0, same = 0.0;

  for (size_t e = 0; e < batch; e++)
    {
      double score = (double) g[e], small = exp (-fabs (score));
      double p = (score > 0.0 ? 1.0 : small) / (1.0 + small);

      sum += fmax (score, 0.0) - score * taken[e] + log1p (small);
      same += (score > 0.0) == (taken[e] != 0);
      if (dg != NULL)
        dg[e] = (sl_real) ((p - taken[e]) / (double) batch);
    }
  *agree = same / (double) batch;
  return sum / (double) batch;
}
