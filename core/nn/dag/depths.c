/* SPDX-License-Identifier: MIT */
#include "core/nn/dag/depths.h"

#include <string.h>
#include <tgmath.h>

#include "core/nn/dense/act.h"
#include "core/nn/dense/dense.h"
#include "core/nn/kernels/mat.h"
#include "core/nn/kernels/vector.h"

/* Where A, a, K and κ begin behind w. */
typedef struct
{
  size_t in, in_bias, out, out_bias;
} Places;

static Places
places_of (const SlDepth *d)
{
  size_t in = d->width, in_bias = in + d->hidden * d->width, out = in_bias + d->hidden;

  return (Places) { in, in_bias, out, out + d->width * d->hidden };
}

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

void
sl_depth_shape (SlDepth *depth, size_t width, size_t hidden, bool squashed)
{
  *depth = (SlDepth) { .width = width, .hidden = hidden, .squashed = squashed };
  depth->n = places_of (depth).out_bias + width;
}

void
sl_depth_tape_carve (SlDepthTape *tape, const SlDepth *depth, size_t most, SlArena *scratch)
{
  tape->r = sl_arena_reals (scratch, most);
  tape->taken = sl_arena_carve (scratch, most, 1);
  tape->row = sl_arena_carve (scratch, most, sizeof *tape->row);
  tape->x = sl_arena_reals (scratch, most * depth->width);
  tape->h = sl_arena_reals (scratch, most * depth->hidden);
  tape->f = sl_arena_reals (scratch, most * depth->width);
  tape->df = sl_arena_reals (scratch, most * depth->width);
  tape->dh = sl_arena_reals (scratch, most * depth->hidden);
}

void
sl_depth_route (const SlDepth *depth, size_t batch, const sl_real *x, SlDepthTape *tape)
{
  sl_mat_vec (batch, depth->width, x, depth->width, depth->weights, tape->r);
}

/* One after the other: places are few, and a batch is small beside the block. */
void
sl_depth_choose (size_t batch, const sl_real *r, size_t places, uint8_t *taken)
{
  memset (taken, 0, batch);
  for (size_t c = 0; c < places && c < batch; c++)
    {
      size_t best = batch;

      for (size_t e = 0; e < batch; e++)
        if (!taken[e] && (best == batch || r[e] > r[best] || (isnan (r[best]) && !isnan (r[e]))))
          best = e;
      taken[best] = 1;
    }
}

static sl_real
weight_of (const SlDepth *depth, sl_real r)
{
  return depth->squashed ? 1 / (1 + exp (-r)) : r;
}

void
sl_depth_forward (const SlDepth *depth, size_t batch, const sl_real *x, SlDepthTape *tape,
                  sl_real *y)
{
  Places         at = places_of (depth);
  const sl_real *w = depth->weights;
  size_t         width = depth->width;

  tape->n = 0;
  for (size_t e = 0; e < batch; e++)
    if (tape->taken[e])
      {
        memcpy (tape->x + tape->n * width, x + e * width, width * sizeof *x);
        tape->row[tape->n++] = (uint32_t) e;
      }
  memcpy (y, x, batch * width * sizeof *y);
  if (tape->n == 0)
    return;
  sl_dense_forward (tape->n, width, depth->hidden, tape->x, w + at.in, w + at.in_bias, tape->h);
  sl_relu_forward (tape->n * depth->hidden, tape->h, tape->h);
  sl_dense_forward (tape->n, depth->hidden, width, tape->h, w + at.out, w + at.out_bias, tape->f);
  for (size_t k = 0; k < tape->n; k++)
    sl_vector_add_scaled (width, weight_of (depth, tape->r[tape->row[k]]), tape->f + k * width,
                          y + tape->row[k] * width);
}

/* What comes back to the router of row k: dr, added to dw and, through w, to dx. */
static void
route_back (SlDepth *depth, const SlDepthTape *tape, size_t k, const sl_real *dy, sl_real *dx)
{
  size_t         width = depth->width;
  const sl_real *f = tape->f + k * width;
  sl_real        weight = weight_of (depth, tape->r[tape->row[k]]), dr = 0;

  for (size_t j = 0; j < width; j++)
    dr += dy[j] * f[j];
  if (depth->squashed)
    dr *= weight * (1 - weight);
  sl_vector_add_scaled (width, dr, tape->x + k * width, depth->gradient);
  sl_vector_add_scaled (width, dr, depth->weights, dx);
}

void
sl_depth_backward (SlDepth *depth, SlDepthTape *tape, sl_real *dy)
{
  Places   at = places_of (depth);
  sl_real *g = depth->gradient, *w = depth->weights;
  size_t   width = depth->width;

  memset (g, 0, depth->n * sizeof *g);
  if (tape->n == 0)
    return;
  for (size_t k = 0; k < tape->n; k++)
    {
      sl_real weight = weight_of (depth, tape->r[tape->row[k]]);

      for (size_t j = 0; j < width; j++)
        tape->df[k * width + j] = weight * dy[tape->row[k] * width + j];
    }
  for (size_t k = 0; k < tape->n; k++)
    {
      sl_real *row = dy + tape->row[k] * width;

      route_back (depth, tape, k, row, row);
    }
  sl_dense_backward (tape->n, depth->hidden, width, tape->h, w + at.out, tape->df, g + at.out,
                     g + at.out_bias, tape->dh);
  sl_relu_backward (tape->n * depth->hidden, tape->h, tape->dh, tape->dh);
  sl_dense_backward (tape->n, width, depth->hidden, tape->x, w + at.in, tape->dh, g + at.in,
                     g + at.in_bias, tape->df);
  for (size_t k = 0; k < tape->n; k++)
    sl_vector_add (width, tape->df + k * width, dy + tape->row[k] * width);
}

void
sl_depth_predict (size_t batch, size_t width, const sl_real *x, const sl_real *v, sl_real *g)
{
  sl_mat_vec (batch, width, x, width, v, g);
  for (size_t e = 0; e < batch; e++)
    g[e] += v[width];
}

double
sl_depth_predictor_loss (size_t batch, size_t width, const sl_real *x, const sl_real *g,
                         const uint8_t *taken, sl_real *gradient, double *agree)
{
  double sum = 0.0, same = 0.0;

  memset (gradient, 0, (width + 1) * sizeof *gradient);
  for (size_t e = 0; e < batch; e++)
    {
      double  score = (double) g[e], small = exp (-fabs (score));
      double  p = (score > 0.0 ? 1.0 : small) / (1.0 + small);
      sl_real slope = (sl_real) ((p - taken[e]) / (double) batch);

      sum += fmax (score, 0.0) - score * taken[e] + log1p (small);
      same += (score > 0.0) == (taken[e] != 0);
      sl_vector_add_scaled (width, slope, x + e * width, gradient);
      gradient[width] += slope;
    }
  *agree = same / (double) batch;
  return sum / (double) batch;
}

double
sl_depth_macs (const SlDepth *depth, double share, bool alone)
{
  double width = (double) depth->width;

  return width + share * 2.0 * width * (double) depth->hidden + (alone ? width : 0.0);
}
