/* SPDX-License-Identifier: MIT
 *
 * Convolution and pooling against their definitions, and against central differences.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/base/rng.h"
#include "core/nn/conv/conv.h"
#include "core/nn/conv/patches.h"
#include "core/nn/conv/pool.h"
#include "core/nn/kernels/mat.h"
#include "tests/core/nn/reference.h"
#include "tests/support/close.h"

#ifdef SL_DOUBLE
static const double eps = 1e-14;
#else
static const double eps = 4e-6;
#endif

static const sl_real untouched = 12345;

/* n normal numbers, and one behind them that nobody may write. */
static sl_real *
normals (SlRng *rng, size_t n)
{
  sl_real *a = g_new (sl_real, n + 1);

  for (size_t i = 0; i < n; i++)
    a[i] = (sl_real) sl_rng_normal (rng);
  a[n] = untouched;
  return a;
}

static void
check_same (const sl_real *got, const sl_real *want, size_t n, size_t terms)
{
  for (size_t i = 0; i < n; i++)
    sl_assert_near ((double) got[i], (double) want[i], eps, eps * (1 + 4 * sqrt ((double) terms)));
  g_assert_cmpfloat (got[n], ==, untouched);
}

/* Work space of exactly what was asked for. */
static sl_real *
work_for (const SlConv *conv, unsigned passes)
{
  size_t   n = sl_conv_work (conv, passes);
  sl_real *work = g_new (sl_real, n + 1);

  for (size_t i = 0; i < n; i++)
    work[i] = (sl_real) NAN;
  work[n] = untouched;
  return work;
}

static void
check_forward (SlRng *rng, const SlConv *conv, size_t batch, bool relu, bool bias)
{
  size_t              n = batch * sl_conv_outputs (conv);
  g_autofree sl_real *x = normals (rng, batch * sl_conv_inputs (conv));
  g_autofree sl_real *w = normals (rng, sl_conv_weights (conv));
  g_autofree sl_real *b = normals (rng, conv->outputs);
  g_autofree sl_real *y = normals (rng, n), *want = normals (rng, n);
  g_autofree sl_real *work = work_for (conv, SL_CONV_FORWARD);

  sl_conv_forward_ref (conv, batch, x, w, bias ? b : NULL, relu, want);
  sl_conv_forward (conv, batch, x, w, bias ? b : NULL, relu, y, work);
  check_same (y, want, n, conv->inputs * conv->tall * conv->wide);
  g_assert_cmpfloat (work[sl_conv_work (conv, SL_CONV_FORWARD)], ==, untouched);
}

/* The gradients of `passes`, each alone in its work space. */
static void
check_backward (SlRng *rng, const SlConv *conv, size_t batch, unsigned passes, bool add)
{
  size_t              in = batch * sl_conv_inputs (conv), weights = sl_conv_weights (conv);
  size_t              positions = sl_conv_height (conv) * sl_conv_width (conv);
  bool                dw_too = passes & SL_CONV_TO_WEIGHTS, dx_too = passes & SL_CONV_TO_INPUT;
  g_autofree sl_real *x = normals (rng, in), *w = normals (rng, weights);
  g_autofree sl_real *dy = normals (rng, batch * sl_conv_outputs (conv));
  g_autofree sl_real *dw = normals (rng, weights), *dw_want = normals (rng, weights);
  g_autofree sl_real *db = normals (rng, conv->outputs), *db_want = normals (rng, conv->outputs);
  g_autofree sl_real *dx = normals (rng, in), *dx_want = g_memdup2 (dx, (in + 1) * sizeof *dx);
  g_autofree sl_real *work = work_for (conv, passes);

  sl_conv_backward_ref (conv, batch, x, w, dy, dw_want, db_want, dx_want, add);
  sl_conv_backward (conv, batch, dw_too ? x : NULL, dx_too ? w : NULL, dy, dw_too ? dw : NULL,
                    dw_too ? db : NULL, dx_too ? dx : NULL, add, work);
  g_assert_cmpfloat (work[sl_conv_work (conv, passes)], ==, untouched);
  if (dw_too)
    {
      check_same (dw, dw_want, weights, batch * positions);
      check_same (db, db_want, conv->outputs, batch * positions);
    }
  if (dx_too)
    check_same (dx, dx_want, in, conv->outputs * conv->tall * conv->wide);
}

static const SlConv layers[] = {
  { 1, 1, 1, 1, 1, 1, 1, 0 }, /* nothing smaller */
  { 3, 5, 7, 9, 3, 3, 1, 1 }, /* few inputs: columns are added on the way back */
  { 5, 4, 9, 7, 3, 3, 1, 1 }, /* many: the kernel is turned round */
  { 2, 3, 8, 6, 2, 3, 1, 0 }, /* even and odd sides */
  { 4, 3, 6, 8, 3, 2, 1, 1 },
  { 3, 4, 11, 10, 7, 7, 2, 0 }, /* SqueezeNet's first, small */
  { 4, 3, 12, 5, 3, 3, 2, 1 },
  { 2, 2, 7, 8, 3, 3, 3, 2 }, /* pads on both sides beyond the stride */
  { 2, 2, 9, 9, 2, 2, 4, 0 }, /* pixels that no window meets */
  { 6, 3, 5, 4, 1, 1, 1, 0 }, /* one pixel, its own columns */
  { 3, 8, 5, 4, 1, 1, 1, 0 },
  { 3, 8, 5, 6, 1, 1, 2, 0 },
  { 2, 5, 3, 3, 3, 3, 1, 0 },     /* one position */
  { 2, 5, 2, 2, 5, 5, 1, 2 },     /* a kernel larger than the picture */
  { 3, 9, 40, 37, 11, 11, 1, 5 }, /* strips that reach far beyond their neighbours */
  { 3, 2, 90, 50, 5, 5, 1, 2 },   /* several strips */
  { 3, 12, 61, 64, 3, 3, 2, 1 },
  { 70, 72, 24, 30, 3, 3, 1, 1 }, /* channels in shares, several threads */
};

static void
test_forward (void)
{
  SlRng rng;

  sl_rng_init (&rng, 1, "forward");
  for (size_t i = 0; i < G_N_ELEMENTS (layers); i++)
    for (size_t batch = 0; batch <= 3; batch++)
      {
        g_assert_true (sl_conv_valid (&layers[i]));
        check_forward (&rng, &layers[i], batch, batch == 2, batch != 1);
      }
}

static void
test_backward (void)
{
  static const unsigned passes[]
    = { SL_CONV_TO_WEIGHTS, SL_CONV_TO_INPUT, SL_CONV_TO_WEIGHTS | SL_CONV_TO_INPUT };
  SlRng rng;

  sl_rng_init (&rng, 1, "backward");
  for (size_t i = 0; i < G_N_ELEMENTS (layers); i++)
    for (size_t batch = 0; batch <= 3; batch++)
      check_backward (&rng, &layers[i], batch, passes[(i + batch) % 3], batch == 2);
  check_backward (&rng, &layers[1], 2, passes[2], true);
  check_backward (&rng, &layers[2], 2, passes[2], true);
}

/* Layers that are done by tiles: odd sides, strips down and across, channels of all sorts. */
static void
test_tiles (void)
{
  static const SlConv fixed[] = {
    { 16, 16, 13, 14, 3, 3, 1, 1 }, /* the fewest */
    { 17, 19, 15, 13, 3, 3, 1, 1 }, /* odd everywhere */
    { 16, 18, 3, 301, 3, 3, 1, 1 }, /* cut across */
    { 18, 16, 260, 1, 3, 3, 1, 1 }, /* as narrow as can be */
    { 40, 16, 70, 9, 3, 3, 1, 1 },
    { 16, 600, 14, 14, 3, 3, 1, 1 }, /* so many channels that strips are small */
  };
  SlRng rng;

  sl_rng_init (&rng, 1, "tiles");
  for (size_t i = 0; i < G_N_ELEMENTS (fixed) + 8; i++)
    {
      SlConv conv = { .tall = 3, .wide = 3, .stride = 1, .pad = 1 };
      size_t batch = i % 3;

      conv.inputs = 16 + sl_rng_below (&rng, 20);
      conv.outputs = 16 + sl_rng_below (&rng, 20);
      conv.height = 13 + sl_rng_below (&rng, 20);
      conv.width = 13 + sl_rng_below (&rng, 20);
      if (i < G_N_ELEMENTS (fixed))
        conv = fixed[i];
      g_assert_cmpfloat (sl_conv_executed (&conv), <, sl_conv_products (&conv));
      check_forward (&rng, &conv, batch, i % 2 == 0, batch != 1);
      check_backward (&rng, &conv, batch, SL_CONV_TO_INPUT, i % 2 == 0);
      check_backward (&rng, &conv, batch, SL_CONV_TO_INPUT | SL_CONV_TO_WEIGHTS, false);
      conv.direct = true;
      g_assert_cmpfloat (sl_conv_executed (&conv), ==, sl_conv_products (&conv));
      check_forward (&rng, &conv, batch, i % 2 == 0, batch != 1);
      check_backward (&rng, &conv, batch, SL_CONV_TO_INPUT, i % 2 == 0);
    }
}

/* What is asked of a layer, and what it costs. */
static void
test_sizes (void)
{
  SlConv conv = { 64, 128, 256, 200, 3, 3, 1, 1 };

  g_assert_true (sl_conv_valid (&conv));
  g_assert_cmpuint (sl_conv_height (&conv), ==, 256);
  g_assert_cmpfloat (sl_conv_products (&conv), ==, 256.0 * 200 * 128 * 64 * 9);
  g_assert_cmpfloat (sl_conv_executed (&conv), ==, 128.0 * 100 * 128 * 64 * 16);
  conv.stride = 2;
  g_assert_cmpfloat (sl_conv_executed (&conv), ==, sl_conv_products (&conv));
  g_assert_cmpuint (sl_conv_height (&conv), ==, 128);
  g_assert_cmpuint (sl_conv_width (&conv), ==, 100);
  /* Padding as wide as the kernel would add outputs that see nothing. */
  conv = (SlConv) { 1, 1, 9, 9, 3, 5, 1, 3 };
  g_assert_false (sl_conv_valid (&conv));
  conv = (SlConv) { 1, 1, 9, 9, 5, 3, 1, 3 };
  g_assert_false (sl_conv_valid (&conv));
  conv = (SlConv) { 1, 1, 9, 9, 5, 5, 1, 4 };
  g_assert_true (sl_conv_valid (&conv));
  conv = (SlConv) { 1, 1, 2, 9, 3, 3, 1, 0 };
  g_assert_false (sl_conv_valid (&conv));
  conv = (SlConv) { 1, 1, 9, 9, 3, 3, 0, 0 };
  g_assert_false (sl_conv_valid (&conv));
}

/* The work space of a layer whose columns would be 1.2 GB. */
static void
test_flat (void)
{
  const SlConv conv = { 64, 64, 1024, 1024, 3, 3, 1, 1 };
  size_t       each = sl_conv_work (&conv, SL_CONV_FORWARD) / MIN (sl_blas_cores (), 16);

  g_assert_cmpuint (each, <=, 1u << 19);
  g_assert_cmpuint (sl_conv_work (&conv, SL_CONV_TO_INPUT), <=,
                    sl_conv_work (&conv, SL_CONV_FORWARD) + sl_conv_weights (&conv));
}

/* The same bytes whatever the number of threads, by columns or by tiles. */
static void
check_threads (bool direct)
{
  const SlConv        conv = { 48, 40, 33, 31, 3, 3, 1, 1, direct };
  size_t              in = sl_conv_inputs (&conv), out = sl_conv_outputs (&conv);
  size_t              weights = sl_conv_weights (&conv);
  SlRng               rng;
  g_autofree sl_real *x = NULL, *w = NULL, *dy = NULL, *work = NULL;
  sl_real            *y[2], *dw[2], *dx[2];

  sl_rng_init (&rng, 1, "threads");
  x = normals (&rng, 3 * in);
  w = normals (&rng, weights);
  dy = normals (&rng, 3 * out);
  work = work_for (&conv, SL_CONV_FORWARD | SL_CONV_TO_INPUT | SL_CONV_TO_WEIGHTS);
  for (unsigned t = 0; t < 2; t++)
    {
      y[t] = normals (&rng, 3 * out);
      dw[t] = normals (&rng, weights);
      dx[t] = normals (&rng, 3 * in);
      sl_blas_set_threads (t + 1);
      sl_conv_forward (&conv, 3, x, w, NULL, true, y[t], work);
      sl_conv_backward (&conv, 3, x, w, dy, dw[t], NULL, dx[t], false, work);
    }
  g_assert_cmpmem (y[0], 3 * out * sizeof (sl_real), y[1], 3 * out * sizeof (sl_real));
  g_assert_cmpmem (dw[0], weights * sizeof (sl_real), dw[1], weights * sizeof (sl_real));
  g_assert_cmpmem (dx[0], 3 * in * sizeof (sl_real), dx[1], 3 * in * sizeof (sl_real));
  for (unsigned t = 0; t < 2; t++)
    {
      g_free (y[t]);
      g_free (dw[t]);
      g_free (dx[t]);
    }
}

static void
test_threads (void)
{
  check_threads (false);
  check_threads (true);
}

/* Not-a-number arrives, also through relu. */
static void
test_nan (void)
{
  const SlConv        conv = { 1, 1, 4, 4, 3, 3, 1, 1 };
  sl_real             x[16] = { (sl_real) NAN }, w[9] = { 0, 0, 0, 0, 1 }, y[16];
  g_autofree sl_real *work = work_for (&conv, SL_CONV_FORWARD);

  sl_conv_forward (&conv, 1, x, w, NULL, true, y, work);
  g_assert_true (isnan (y[0]));
  g_assert_cmpfloat (y[15], ==, 0);
}

/* Also by tiles: in what reads it, and in nothing that is two pixels further. */
static void
test_nan_tiles (void)
{
  const SlConv        conv = { 16, 16, 16, 16, 3, 3, 1, 1 };
  SlRng               rng;
  g_autofree sl_real *x = NULL, *w = NULL, *y = NULL, *work = work_for (&conv, SL_CONV_FORWARD);

  sl_rng_init (&rng, 1, "not-a-number");
  x = normals (&rng, sl_conv_inputs (&conv));
  w = normals (&rng, sl_conv_weights (&conv));
  y = normals (&rng, sl_conv_outputs (&conv));
  x[5 * 256 + 7 * 16 + 9] = (sl_real) NAN;
  sl_conv_forward (&conv, 1, x, w, NULL, true, y, work);
  for (size_t i = 0; i < sl_conv_outputs (&conv); i++)
    {
      size_t down = i / 16 % 16, across = i % 16;

      if (down >= 6 && down <= 8 && across >= 8 && across <= 10)
        g_assert_true (isnan (y[i]));
      else if (down < 5 || down > 9 || across < 7 || across > 11)
        g_assert_false (isnan (y[i]));
    }
}

static const SlPool windows[] = {
  { 1, 1, 1, 1, 1, false },  { 8, 6, 2, 2, 2, false },  { 9, 7, 2, 2, 2, false },
  { 9, 7, 2, 2, 2, true },   { 11, 10, 3, 3, 2, true }, { 11, 10, 3, 3, 2, false },
  { 12, 12, 3, 3, 2, true }, { 7, 9, 3, 2, 1, false },  { 13, 13, 13, 13, 1, false },
  { 9, 9, 2, 2, 4, true },   { 9, 9, 2, 2, 5, true },   { 130, 128, 2, 2, 2, false },
};

/* y[at] of a plane by its definition; NaN counts as larger than anything. */
static void
pool_naively (const SlPool *pool, const sl_real *x, size_t p, size_t q, double *mean, double *most,
              size_t *place)
{
  size_t count = 0;

  *mean = 0;
  *most = -HUGE_VAL;
  for (size_t r = 0; r < pool->tall; r++)
    for (size_t s = 0; s < pool->wide; s++)
      if (p * pool->stride + r < pool->height && q * pool->stride + s < pool->width)
        {
          double v = (double) x[(p * pool->stride + r) * pool->width + q * pool->stride + s];

          *mean += v;
          count++;
          if (v > *most)
            {
              *most = v;
              *place = r * pool->wide + s;
            }
        }
  *mean /= (double) count;
}

static void
check_pool (SlRng *rng, const SlPool *pool, size_t planes)
{
  size_t              tall = sl_pool_height (pool), wide = sl_pool_width (pool);
  size_t              plane = pool->height * pool->width, n = planes * tall * wide, place = 0;
  g_autofree sl_real *x = normals (rng, planes * plane), *dy = normals (rng, n);
  g_autofree sl_real *most = normals (rng, n), *mean = normals (rng, n);
  g_autofree sl_real *dmost = normals (rng, planes * plane), *dmean = normals (rng, planes * plane);
  g_autofree uint8_t *where = g_new (uint8_t, n);
  double              sums[3] = { 0 };

  sl_pool_max_forward (pool, planes, x, most, where);
  sl_pool_mean_forward (pool, planes, x, mean);
  for (size_t i = 0; i < n; i++)
    {
      double want_mean, want_most;

      pool_naively (pool, x + i / (tall * wide) * plane, i / wide % tall, i % wide, &want_mean,
                    &want_most, &place);
      sl_assert_near ((double) mean[i], want_mean, 4 * eps, 4 * eps);
      g_assert_cmpfloat ((double) most[i], ==, want_most);
      g_assert_cmpuint (where[i], ==, place);
    }

  /* Both are linear where no maximum changes: <dy, pool (x)> = <back (dy), x>. */
  sl_pool_max_backward (pool, planes, dy, where, dmost);
  sl_pool_mean_backward (pool, planes, dy, dmean);
  for (size_t i = 0; i < n; i++)
    {
      sums[0] += (double) dy[i] * (double) most[i];
      sums[1] += (double) dy[i] * (double) mean[i];
      sums[2] += fabs ((double) dy[i] * (double) most[i]);
    }
  for (size_t i = 0; i < planes * plane; i++)
    {
      sums[0] -= (double) dmost[i] * (double) x[i];
      sums[1] -= (double) dmean[i] * (double) x[i];
    }
  sl_assert_near (sums[0], 0, 0, eps * (1 + sums[2]));
  sl_assert_near (sums[1], 0, 0, eps * (1 + sums[2]));
  g_assert_cmpfloat (most[n], ==, untouched);
  g_assert_cmpfloat (dmost[planes * plane], ==, untouched);
  g_assert_cmpfloat (dmean[planes * plane], ==, untouched);
}

static void
test_pool (void)
{
  SlRng rng;

  sl_rng_init (&rng, 1, "pool");
  for (size_t i = 0; i < G_N_ELEMENTS (windows); i++)
    {
      g_assert_true (sl_pool_valid (&windows[i]));
      check_pool (&rng, &windows[i], 1);
      check_pool (&rng, &windows[i], 5);
    }
  /* As Caffe counts: 113 pixels by 3, stride 2, make 56; 12 make 6, the last cut off. */
  g_assert_cmpuint (sl_pool_height (&(SlPool) { 113, 113, 3, 3, 2, true }), ==, 56);
  g_assert_cmpuint (sl_pool_height (&windows[6]), ==, 6);
  g_assert_cmpuint (sl_pool_height (&windows[10]), ==, 2);
  g_assert_false (sl_pool_valid (&(SlPool) { 2, 9, 3, 3, 2, true }));
}

static void
test_pool_nan (void)
{
  const SlPool  pool = { 2, 2, 2, 2, 2, false };
  const sl_real x[] = { 1, (sl_real) NAN, 3, 2 };
  sl_real       y;
  uint8_t       where;

  sl_pool_max_forward (&pool, 1, x, &y, &where);
  g_assert_true (isnan (y));
  g_assert_cmpuint (where, ==, 1);
}

/* From channels last to channels first. */
static void
turn_back (size_t batch, size_t channels, size_t places, const sl_real *x, sl_real *y)
{
  for (size_t e = 0; e < batch; e++)
    for (size_t i = 0; i < places; i++)
      for (size_t c = 0; c < channels; c++)
        y[(e * channels + c) * places + i] = x[(e * places + i) * channels + c];
}

/* A product of the patches with the kernel's weights is the convolution, and what is added back is its
 * gradient.  */
static void
check_patches (SlRng *rng, const SlPatches *patches, size_t outputs, size_t batch)
{
  SlConv              conv = { .inputs = patches->channels,
                               .outputs = outputs,
                               .height = patches->height,
                               .width = patches->width,
                               .tall = patches->side,
                               .wide = patches->side,
                               .stride = patches->stride };
  size_t              k = sl_patches_inputs (patches), channels = patches->channels;
  size_t              places = sl_patches_down (patches) * sl_patches_across (patches);
  size_t              pixels = patches->height * patches->width, in = batch * channels * pixels;
  size_t              out = batch * places * outputs;
  g_autofree sl_real *x = normals (rng, in), *w = normals (rng, outputs * k);
  g_autofree sl_real *turned = normals (rng, in), *turned_w = normals (rng, outputs * k);
  g_autofree sl_real *rows = normals (rng, batch * places * k), *y = normals (rng, out);
  g_autofree sl_real *got = normals (rng, out), *want = normals (rng, out);
  g_autofree sl_real *dx = normals (rng, in), *dx_want = normals (rng, in);
  g_autofree sl_real *dw = normals (rng, outputs * k), *db = normals (rng, outputs);

  g_assert_true (sl_patches_valid (patches));
  g_assert_cmpuint (places * outputs, ==, sl_conv_outputs (&conv));
  sl_patches_turn (batch, channels, pixels, x, turned);
  sl_patches_turn (outputs, channels, patches->side * patches->side, w, turned_w);
  sl_patches_gather (patches, batch, turned, rows);
  sl_mat_mul_ref (SL_PLAIN, SL_TRANSPOSED, batch * places, outputs, k, 1, rows, k, turned_w, k, 0,
                  y, outputs);
  turn_back (batch, outputs, places, y, got);
  sl_conv_forward_ref (&conv, batch, x, w, NULL, false, want);
  check_same (got, want, out, k);

  sl_mat_mul_ref (SL_PLAIN, SL_PLAIN, batch * places, k, outputs, 1, y, outputs, turned_w, k, 0,
                  rows, k);
  sl_patches_add (patches, batch, rows, turned);
  turn_back (batch, channels, pixels, turned, dx);
  sl_conv_backward_ref (&conv, batch, x, w, want, dw, db, dx_want, false);
  /* The slopes are the outputs, sums of k products. */
  for (size_t i = 0; i < in; i++)
    sl_assert_near ((double) dx[i], (double) dx_want[i], 100 * eps, 100 * eps * (double) k);
  g_assert_cmpfloat (dx[in], ==, untouched);
}

static void
test_patches (void)
{
  static const SlPatches fixed[] = {
    { 1, 1, 1, 1, 1 },   { 3, 7, 9, 3, 2 }, { 2, 8, 5, 2, 1 },    { 4, 6, 6, 6, 2 },
    { 1, 28, 28, 5, 2 }, { 5, 9, 9, 2, 4 }, { 12, 50, 40, 5, 2 }, /* shared among threads */
  };
  SlRng rng;

  sl_rng_init (&rng, 1, "patches");
  for (size_t i = 0; i < G_N_ELEMENTS (fixed); i++)
    for (size_t batch = 0; batch <= 3; batch++)
      check_patches (&rng, &fixed[i], 1 + i, batch);
  g_assert_false (sl_patches_valid (&(SlPatches) { 1, 4, 9, 5, 2 }));
  g_assert_false (sl_patches_valid (&(SlPatches) { 1, 9, 4, 5, 2 }));
  g_assert_false (sl_patches_valid (&(SlPatches) { 0, 9, 9, 5, 2 }));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/conv/forward", test_forward);
  g_test_add_func ("/conv/backward", test_backward);
  g_test_add_func ("/conv/tiles", test_tiles);
  g_test_add_func ("/conv/sizes", test_sizes);
  g_test_add_func ("/conv/flat", test_flat);
  g_test_add_func ("/conv/threads", test_threads);
  g_test_add_func ("/conv/nan", test_nan);
  g_test_add_func ("/conv/patches", test_patches);
  g_test_add_func ("/conv/nan-tiles", test_nan_tiles);
  g_test_add_func ("/pool/both", test_pool);
  g_test_add_func ("/pool/nan", test_pool_nan);
  return g_test_run ();
}
