/* SPDX-License-Identifier: MIT
 *
 * Convolution with kernels of three by three by the minimal filtering algorithm F(2x2, 3x3): a tile
 * of two by two outputs takes 16 multiplications for each pair of channels, where the definition
 * takes 36.  Source: Lavin and Gray (2016), "Fast algorithms for convolutional neural networks",
 * section 4.1.  With g a kernel and d the four by four inputs under a tile,
 *
 *   y = A' [(G g G') o (B' d B)] A,   o number by number,
 *
 * summed over the channels before A: 16 products, (outputs, inputs) by (inputs, tiles).  */
#include "core/nn/conv/winograd.h"

#include <string.h>

#include "core/nn/conv/private.h"
#include "core/nn/kernels/blocks.h"
#include "core/nn/kernels/clones.h"
#include "core/nn/kernels/mat.h"

enum {
  SIDE = 4, /* of the inputs under a tile */
  POINTS = SIDE * SIDE,
  TILES = 128, /* most of a strip: enough that a product packs its weights for many */
  EDGE = 2 * TILES + 2,
  PATCH = 4 * TILES + 4 * (TILES + 1) + 4, /* inputs under a strip of r by c tiles, r c <= TILES */
  SPACE = 1024 * 1024,                     /* numbers of a thread's work space, */
  FEW_TILES = 16,                          /* even if so many tiles take more */
  PARTS = 4,                               /* into which a small picture is cut for the threads */
  PAYS_CHANNELS = 16, /* on both sides, from which this is faster than columns, */
  PAYS_TILES = 48,    /* with so many tiles */
  CHUNK = 32,         /* kernels transformed at a time */
};

/* How the tiles of a picture are cut into strips of neighbours. */
typedef struct
{
  size_t height, width;         /* of the picture, in and out */
  size_t inputs, outputs;       /* channels read and written */
  size_t down, across;          /* tiles of the picture */
  size_t rows, columns;         /* most tiles of a strip */
  size_t strips_across, strips; /* of an example */
} Cut;

/* One strip: its first tile and how many there are of them. */
typedef struct
{
  size_t top, left, rows, columns;
} Strip;

static size_t
even_share (size_t n, size_t most, size_t *shares)
{
  *shares = sl_conv_ratio_up (n, most);
  return sl_conv_ratio_up (n, *shares);
}

static Cut
cut_tiles (const SlConv *conv, bool back)
{
  Cut cut = {
    .height = conv->height,
    .width = conv->width,
    .inputs = back ? conv->outputs : conv->inputs,
    .outputs = back ? conv->inputs : conv->outputs,
    .down = sl_conv_ratio_up (conv->height, 2),
    .across = sl_conv_ratio_up (conv->width, 2),
  };
  size_t most = SPACE / (POINTS * (conv->inputs + conv->outputs)), strips_down, share;

  if (most > TILES)
    most = TILES;
  if (most < FEW_TILES)
    most = FEW_TILES;
  share = sl_conv_ratio_up (cut.down * cut.across, PARTS);
  if (most > share && share > FEW_TILES)
    most = share;
  cut.columns = even_share (cut.across, most, &cut.strips_across);
  cut.rows = even_share (cut.down, most / cut.columns, &strips_down);
  cut.strips = strips_down * cut.strips_across;
  return cut;
}

static Strip
strip_of (const Cut *cut, size_t i)
{
  Strip strip
    = { .top = i / cut->strips_across * cut->rows, .left = i % cut->strips_across * cut->columns };

  strip.rows = sl_least (cut->rows, cut->down - strip.top);
  strip.columns = sl_least (cut->columns, cut->across - strip.left);
  return strip;
}

bool
sl_conv_by_tiles (const SlConv *conv)
{
  return !conv->direct && conv->tall == 3 && conv->wide == 3 && conv->stride == 1 && conv->pad == 1
         && conv->inputs >= PAYS_CHANNELS && conv->outputs >= PAYS_CHANNELS
         && sl_conv_ratio_up (conv->height, 2) * sl_conv_ratio_up (conv->width, 2) >= PAYS_TILES;
}

double
sl_conv_tiles_products (const SlConv *conv)
{
  return (double) POINTS * (double) sl_conv_ratio_up (conv->height, 2)
         * (double) sl_conv_ratio_up (conv->width, 2) * (double) conv->inputs
         * (double) conv->outputs;
}

/* Numbers of a thread: what goes into the products of a strip and what comes out of them. */
static size_t
space_of (const Cut *cut)
{
  return POINTS * (cut->inputs + cut->outputs) * cut->rows * cut->columns;
}

size_t
sl_conv_tiles_work (const SlConv *conv, size_t threads)
{
  Cut cut = cut_tiles (conv, false);

  return POINTS * conv->outputs * conv->inputs + threads * space_of (&cut);
}

/* G g G' of up to CHUNK kernels that follow one another: point i of kernel k to u[i stride + k]. */
SL_CLONES static void
turn_kernels (size_t n, const sl_real *w, sl_real *u, size_t stride)
{
  sl_real g[9][CHUNK], half[SIDE][3][CHUNK];

  for (size_t k = 0; k < n; k++)
    for (size_t i = 0; i < 9; i++)
      g[i][k] = w[k * 9 + i];
  for (size_t j = 0; j < 3; j++)
    for (size_t k = 0; k < n; k++)
      {
        half[0][j][k] = g[j][k];
        half[1][j][k] = (g[j][k] + g[3 + j][k] + g[6 + j][k]) / 2;
        half[2][j][k] = (g[j][k] - g[3 + j][k] + g[6 + j][k]) / 2;
        half[3][j][k] = g[6 + j][k];
      }
  for (size_t i = 0; i < SIDE; i++, u += SIDE * stride)
    for (size_t k = 0; k < n; k++)
      {
        u[k] = half[i][0][k];
        u[stride + k] = (half[i][0][k] + half[i][1][k] + half[i][2][k]) / 2;
        u[2 * stride + k] = (half[i][0][k] - half[i][1][k] + half[i][2][k]) / 2;
        u[3 * stride + k] = half[i][2][k];
      }
}

/* u (POINTS, O, C) of w (O, C, 3, 3). */
static void
turn_weights (const SlConv *conv, const sl_real *w, sl_real *u)
{
  size_t n = conv->outputs * conv->inputs, chunks = sl_conv_ratio_up (n, CHUNK);

#pragma omp parallel for schedule(static) num_threads(sl_conv_threads(chunks, (double) n * 25))
  for (size_t i = 0; i < chunks; i++)
    turn_kernels (sl_least (CHUNK, n - i * CHUNK), w + i * CHUNK * 9, u + i * CHUNK, n);
}

/* The inputs under a strip, 2 rows + 2 by 2 columns + 2, with zeros around the picture. */
static void
take_patch (const Cut *cut, const Strip *strip, const sl_real *x, sl_real *patch)
{
  size_t wide = 2 * strip->columns + 2, column = 2 * strip->left; /* one more than in the picture */
  size_t skip = column == 0 ? 1 : 0, count = sl_least (wide - skip, cut->width + 1 - column - skip);

  for (size_t r = 0; r < 2 * strip->rows + 2; r++, patch += wide)
    {
      size_t row = 2 * strip->top + r;

      if (row == 0 || row > cut->height)
        {
          memset (patch, 0, wide * sizeof *patch);
          continue;
        }
      patch[0] = 0;
      memcpy (patch + skip, x + (row - 1) * cut->width + column + skip - 1, count * sizeof *patch);
      memset (patch + skip + count, 0, (wide - skip - count) * sizeof *patch);
    }
}

/* B' d B of a row of n tiles whose inputs are rows of 2 n + 2: point i of tile q to
 * v[i stride + q].  */
SL_CLONES static void
turn_inputs (size_t n, const sl_real *x, sl_real *v, size_t stride)
{
  const sl_real *row[SIDE] = { x, x + 2 * n + 2, x + 4 * n + 4, x + 6 * n + 6 };
  sl_real        even[SIDE][TILES + 1], odd[SIDE][TILES + 1];

  for (size_t q = 0; q <= n; q++)
    {
      even[0][q] = row[0][2 * q] - row[2][2 * q];
      odd[0][q] = row[0][2 * q + 1] - row[2][2 * q + 1];
      even[1][q] = row[1][2 * q] + row[2][2 * q];
      odd[1][q] = row[1][2 * q + 1] + row[2][2 * q + 1];
      even[2][q] = row[2][2 * q] - row[1][2 * q];
      odd[2][q] = row[2][2 * q + 1] - row[1][2 * q + 1];
      even[3][q] = row[1][2 * q] - row[3][2 * q];
      odd[3][q] = row[1][2 * q + 1] - row[3][2 * q + 1];
    }
  for (size_t i = 0; i < SIDE; i++, v += SIDE * stride)
    for (size_t q = 0; q < n; q++)
      {
        v[q] = even[i][q] - even[i][q + 1];
        v[stride + q] = odd[i][q] + even[i][q + 1];
        v[2 * stride + q] = even[i][q + 1] - odd[i][q];
        v[3 * stride + q] = odd[i][q] - odd[i][q + 1];
      }
}

/* A' m A of a row of n tiles: two rows of outputs, of 2 n each. */
SL_CLONES static void
turn_outputs (size_t n, const sl_real *m, size_t stride, sl_real *restrict y)
{
  sl_real upper[SIDE][TILES], lower[SIDE][TILES];

  for (size_t j = 0; j < SIDE; j++, m += stride)
    for (size_t q = 0; q < n; q++)
      {
        sl_real middle = m[4 * stride + q], below = m[8 * stride + q];

        upper[j][q] = m[q] + middle + below;
        lower[j][q] = middle - below - m[12 * stride + q];
      }
  for (size_t q = 0; q < n; q++)
    {
      y[2 * q] = upper[0][q] + upper[1][q] + upper[2][q];
      y[2 * q + 1] = upper[1][q] - upper[2][q] - upper[3][q];
      y[2 * n + 2 * q] = lower[0][q] + lower[1][q] + lower[2][q];
      y[2 * n + 2 * q + 1] = lower[1][q] - lower[2][q] - lower[3][q];
    }
}

/* One row of outputs to where it belongs. */
SL_CLONES static void
put_row (size_t n, const sl_real *restrict from, sl_real bias, bool relu, bool add,
         sl_real *restrict to)
{
  if (add)
    for (size_t i = 0; i < n; i++)
      to[i] += from[i];
  else if (relu)
    for (size_t i = 0; i < n; i++)
      to[i] = from[i] + bias < 0 ? 0 : from[i] + bias;
  else
    for (size_t i = 0; i < n; i++)
      to[i] = from[i] + bias;
}

static void
put_outputs (const Cut *cut, const Strip *strip, const sl_real *m, size_t stride, sl_real bias,
             bool relu, bool add, sl_real *y)
{
  size_t  left = 2 * strip->left, wide = 2 * strip->columns;
  size_t  count = sl_least (wide, cut->width - left);
  sl_real pair[2 * EDGE];

  for (size_t r = 0; r < strip->rows; r++)
    {
      size_t row = 2 * (strip->top + r);

      turn_outputs (strip->columns, m + r * strip->columns, stride, pair);
      put_row (count, pair, bias, relu, add, y + row * cut->width + left);
      if (row + 1 < cut->height)
        put_row (count, pair + wide, bias, relu, add, y + (row + 1) * cut->width + left);
    }
}

typedef struct
{
  Cut            cut;
  const sl_real *u, *b;
  bool           back, relu, add;
} Pass;

/* A kernel that is turned round swaps the first point of a side with the last. */
static inline size_t
turned_point (size_t point)
{
  static const size_t swapped[SIDE] = { 3, 1, 2, 0 };

  return swapped[point / SIDE] * SIDE + swapped[point % SIDE];
}

static void
one_strip (const Pass *pass, size_t i, const sl_real *x, sl_real *y, sl_real *work)
{
  const Cut *cut = &pass->cut;
  Strip      strip = strip_of (cut, i % cut->strips);
  size_t     n = strip.rows * strip.columns, plane = cut->height * cut->width;
  size_t     in = cut->inputs, out = cut->outputs;
  sl_real   *v = work + (size_t) omp_get_thread_num () * space_of (cut), *m = v + POINTS * in * n;
  sl_real    patch[PATCH];

  x += i / cut->strips * in * plane;
  y += i / cut->strips * out * plane;
  for (size_t c = 0; c < in; c++)
    {
      take_patch (cut, &strip, x + c * plane, patch);
      for (size_t r = 0; r < strip.rows; r++)
        turn_inputs (strip.columns, patch + 2 * r * (2 * strip.columns + 2),
                     v + c * n + r * strip.columns, in * n);
    }
  for (size_t p = 0; p < POINTS; p++)
    sl_mat_mul (pass->back ? SL_TRANSPOSED : SL_PLAIN, SL_PLAIN, out, n, in, 1,
                pass->u + (pass->back ? turned_point (p) : p) * in * out, pass->back ? out : in,
                v + p * in * n, n, 0, m + p * out * n, n);
  for (size_t o = 0; o < out; o++)
    put_outputs (cut, &strip, m + o * n, out * n, pass->b != NULL ? pass->b[o] : 0, pass->relu,
                 pass->add, y + o * plane);
}

static void
all_strips (const SlConv *conv, Pass *pass, size_t batch, const sl_real *x, const sl_real *w,
            sl_real *y, sl_real *work)
{
  size_t   items = batch * pass->cut.strips;
  sl_real *space = work + POINTS * conv->outputs * conv->inputs;

  turn_weights (conv, w, work);
  pass->u = work;
#pragma omp parallel for schedule(dynamic, 1)                                                      \
  num_threads(sl_conv_threads(items, (double) batch *sl_conv_tiles_products(conv)))
  for (size_t i = 0; i < items; i++)
    one_strip (pass, i, x, y, space);
}

void
sl_conv_tiles_forward (const SlConv *conv, size_t batch, const sl_real *x, const sl_real *w,
                       const sl_real *b, bool relu, sl_real *y, sl_real *work)
{
  Pass pass = { .cut = cut_tiles (conv, false), .b = b, .relu = relu };

  all_strips (conv, &pass, batch, x, w, y, work);
}

void
sl_conv_tiles_to_input (const SlConv *conv, size_t batch, const sl_real *w, const sl_real *dy,
                        sl_real *dx, bool add, sl_real *work)
{
  Pass pass = { .cut = cut_tiles (conv, true), .back = true, .add = add };

  all_strips (conv, &pass, batch, dy, w, dx, work);
}
