/* SPDX-License-Identifier: MIT
 *
 * What a node of a graph computes, layer by layer; see private.h.  */
#include "core/labs/selective-execution/math/private.h"

#include <string.h>

#include "core/nn/conv/conv.h"
#include "core/nn/conv/pool.h"
#include "core/nn/dense/act.h"
#include "core/nn/dense/dense.h"
#include "core/nn/dense/init.h"
#include "core/nn/kernels/mat.h"

/* By the definition: what a graph says it executed are the multiplications that it did. */
static SlConv
conv_of (const SlDagLayer *layer, SlDagShape in)
{
  return (SlConv) {
    .inputs = in.channels,
    .outputs = layer->units,
    .height = in.height,
    .width = in.width,
    .tall = 3,
    .wide = 3,
    .stride = layer->stride,
    .pad = 1,
    .direct = true,
  };
}

/* A square that is larger than the picture takes all of it. */
static SlPool
pool_of (const SlDagLayer *layer, SlDagShape in)
{
  return (SlPool) {
    .height = in.height,
    .width = in.width,
    .tall = layer->stride < in.height ? layer->stride : in.height,
    .wide = layer->stride < in.width ? layer->stride : in.width,
    .stride = layer->stride,
    .ceil = true,
  };
}

SlDagShape
sl_dag_layer_shape (const SlDagLayer *layer, SlDagShape in)
{
  SlConv conv = conv_of (layer, in);
  SlPool pool = pool_of (layer, in);

  switch (layer->kind)
    {
    case SL_DAG_DENSE:
    case SL_DAG_PLACE:
    case SL_DAG_RULE:
    case SL_DAG_ROUTER:
    case SL_DAG_GUESS:
    case SL_DAG_RANK:
    case SL_DAG_WEIGH: break;
    case SL_DAG_CONV:
      return (SlDagShape) { layer->units, sl_conv_height (&conv), sl_conv_width (&conv) };
    case SL_DAG_POOL:
      return (SlDagShape) { in.channels, sl_pool_height (&pool), sl_pool_width (&pool) };
    }
  return (SlDagShape) { layer->units, 1, 1 };
}

double
sl_dag_layer_macs (const SlDagLayer *layer, SlDagShape in)
{
  SlConv conv = conv_of (layer, in);

  switch (layer->kind)
    {
    case SL_DAG_DENSE:
    case SL_DAG_ROUTER:
    case SL_DAG_GUESS: return (double) sl_dag_width (in) * (double) layer->units;
    case SL_DAG_CONV: return sl_conv_products (&conv);
    case SL_DAG_POOL: /* adds, and scales once */
    case SL_DAG_PLACE:
    case SL_DAG_RULE:
    case SL_DAG_RANK:
    case SL_DAG_WEIGH: break; /* element by element */
    }
  return 0.0;
}

/* Numbers of W alone. */
static size_t
matrix_numbers (const SlDagLayer *layer, SlDagShape in)
{
  SlConv conv = conv_of (layer, in);

  switch (layer->kind)
    {
    case SL_DAG_DENSE:
    case SL_DAG_ROUTER:
    case SL_DAG_GUESS: return sl_dag_width (in) * layer->units;
    case SL_DAG_CONV: return sl_conv_weights (&conv);
    case SL_DAG_POOL:
    case SL_DAG_PLACE:
    case SL_DAG_RULE:
    case SL_DAG_RANK:
    case SL_DAG_WEIGH: break;
    }
  return 0;
}

size_t
sl_dag_layer_count (const SlDagLayer *layer, SlDagShape in)
{
  size_t n = matrix_numbers (layer, in);

  return n > 0 && layer->kind != SL_DAG_ROUTER ? n + layer->units : n;
}

size_t
sl_dag_layer_patch (const SlDagLayer *layer, SlDagShape in)
{
  SlConv conv = conv_of (layer, in);

  return layer->kind == SL_DAG_CONV
           ? sl_conv_work (&conv, SL_CONV_FORWARD | SL_CONV_TO_WEIGHTS | SL_CONV_TO_INPUT)
           : 0;
}

void
sl_dag_layer_init (const SlDagLayer *layer, SlDagShape in, SlRng *rng, sl_real *w)
{
  size_t n = matrix_numbers (layer, in), fan_in = sl_dag_width (in), fan_out = layer->units;

  if (layer->kind == SL_DAG_CONV)
    {
      fan_in = 9 * in.channels;
      fan_out = 9 * layer->units;
    }
  if (n == 0)
    return;
  sl_init_glorot (rng, fan_in, fan_out, n, w);
  memset (w + n, 0, (sl_dag_layer_count (layer, in) - n) * sizeof *w);
}

static void
place_input (const SlDagLayer *layer, size_t n, size_t inputs, const sl_real *x, sl_real *y)
{
  for (size_t e = 0; e < n; e++)
    for (size_t j = 0, k = 0; j < layer->units; j++)
      y[e * layer->units + j] = layer->places[j] ? x[e * inputs + k++] : 0;
}

static void
place_backward (const SlDagLayer *layer, size_t n, size_t inputs, const sl_real *dy, sl_real *dx)
{
  for (size_t e = 0; e < n; e++)
    for (size_t j = 0, k = 0; j < layer->units; j++)
      if (layer->places[j])
        dx[e * inputs + k++] = dy[e * layer->units + j];
}

static void
apply_rule (const SlDagRule *rule, size_t n, size_t classes, const sl_real *x, sl_real *y)
{
  for (size_t e = 0; e < n; e++)
    {
      double sureness = sl_exit_sureness (rule->measure, classes, x + e * classes);

      y[2 * e] = sl_exit_leaves (rule->measure, sureness, rule->threshold);
      y[2 * e + 1] = (sl_real) 0.5;
    }
}

void
sl_dag_layer_forward (const SlDagLayer *layer, SlDagShape in, size_t n, const sl_real *x,
                      const sl_real *w, sl_real *patch, sl_real *y)
{
  const sl_real *b = w + matrix_numbers (layer, in);
  SlConv         conv = conv_of (layer, in);
  SlPool         pool = pool_of (layer, in);

  switch (layer->kind)
    {
    case SL_DAG_DENSE:
      sl_dense_forward (n, sl_dag_width (in), layer->units, x, w, b, y);
      if (layer->rectified)
        sl_relu_forward (n * layer->units, y, y);
      break;
    case SL_DAG_CONV: sl_conv_forward (&conv, n, x, w, b, layer->rectified, y, patch); break;
    case SL_DAG_POOL: sl_pool_mean_forward (&pool, n * in.channels, x, y); break;
    case SL_DAG_PLACE: place_input (layer, n, sl_dag_width (in), x, y); break;
    case SL_DAG_RULE: apply_rule (layer->rule, n, sl_dag_width (in), x, y); break;
    case SL_DAG_ROUTER: sl_mat_vec (n, sl_dag_width (in), x, sl_dag_width (in), w, y); break;
    case SL_DAG_GUESS: sl_dense_forward (n, sl_dag_width (in), 1, x, w, b, y); break;
    case SL_DAG_RANK: sl_depth_rank (layer->rank, n, x, y); break;
    case SL_DAG_WEIGH: sl_depth_weigh (n, layer->units, layer->squashed, x, y); break;
    }
}

void
sl_dag_layer_backward (const SlDagLayer *layer, SlDagShape in, size_t n, const sl_real *x,
                       const sl_real *y, const sl_real *w, sl_real *dy, sl_real *patch, sl_real *dw,
                       sl_real *dx)
{
  size_t matrix_n = matrix_numbers (layer, in);
  SlConv conv = conv_of (layer, in);
  SlPool pool = pool_of (layer, in);

  if (layer->rectified)
    sl_relu_backward (n * sl_dag_width (sl_dag_layer_shape (layer, in)), y, dy, dy);
  switch (layer->kind)
    {
    case SL_DAG_DENSE:
      sl_dense_backward (n, sl_dag_width (in), layer->units, x, w, dy, dw, dw + matrix_n, dx);
      break;
    case SL_DAG_CONV:
      sl_conv_backward (&conv, n, x, w, dy, dw, dw + matrix_n, dx, false, patch);
      break;
    case SL_DAG_POOL:
      if (dx != NULL)
        sl_pool_mean_backward (&pool, n * in.channels, dy, dx);
      break;
    case SL_DAG_PLACE:
      if (dx != NULL)
        place_backward (layer, n, sl_dag_width (in), dy, dx);
      break;
    case SL_DAG_RULE:
    case SL_DAG_RANK:
      if (dx != NULL)
        memset (dx, 0, n * sl_dag_width (in) * sizeof *dx);
      break;
    case SL_DAG_ROUTER: sl_depth_route_backward (n, sl_dag_width (in), x, w, dy, dw, dx); break;
    case SL_DAG_GUESS:
      sl_dense_backward (n, sl_dag_width (in), 1, x, w, dy, dw, dw + matrix_n, NULL);
      if (dx != NULL)
        memset (dx, 0, n * sl_dag_width (in) * sizeof *dx);
      break;
    case SL_DAG_WEIGH:
      if (dx != NULL)
        sl_depth_weigh_backward (n, layer->units, layer->squashed, x, dy, dx);
      break;
    }
}
