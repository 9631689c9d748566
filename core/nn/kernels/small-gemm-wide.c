/* SPDX-License-Identifier: MIT
 *
 * Products of a few examples with a matrix, in registers of 64 bytes; see small-gemm-wide.h.
 *
 * Columns that do not fill a register are loaded and stored under a mask, so that they are summed as the
 * others are.  */
#include "core/nn/kernels/small-gemm-wide.h"

#ifdef SL_WIDE

#include <immintrin.h>
#include <stdbool.h>
#include <string.h>

#ifdef SL_DOUBLE
typedef __m512d  Lanes;
typedef __mmask8 Mask;
#define LOAD(mask, from) _mm512_maskz_loadu_pd (mask, from)
#define STORE(mask, to, lanes) _mm512_mask_storeu_pd (to, mask, lanes)
#define EACH(x) _mm512_set1_pd (x)
#define ADD_PRODUCT(sum, a, b) _mm512_fmadd_pd (a, b, sum)
#else
typedef __m512    Lanes;
typedef __mmask16 Mask;
#define LOAD(mask, from) _mm512_maskz_loadu_ps (mask, from)
#define STORE(mask, to, lanes) _mm512_mask_storeu_ps (to, mask, lanes)
#define EACH(x) _mm512_set1_ps (x)
#define ADD_PRODUCT(sum, a, b) _mm512_fmadd_ps (a, b, sum)
#endif

/* Inlined with constants where these are counts of rows or vectors. */
#define INLINE static inline __attribute__ ((always_inline)) SL_WIDE

enum {
  LANES = 64 / sizeof (sl_real),   /* of a vector */
  AHEAD = 8192 / sizeof (sl_real), /* how far ahead of its use the matrix is fetched */
  FEW = 20,                        /* examples for which W is read row by row; with more of them */
  TILE = 12,                       /* so many at a time meet */
  DEPTH = 128,                     /* so many rows of W */
  STEP = 4,                        /* rows of the matrix that meet an example together, */
  BACK = 8,                        /* in the product with W' */
  OUTER = 8,                       /* and rows of a gradient */
  WIDTH = 2,                       /* vectors that a row of such tiles has */
};

static const Mask all = (Mask) -1;

/* The first `n` lanes. */
INLINE Mask
first_lanes (size_t n)
{
  return n < LANES ? (Mask) ((1u << n) - 1) : all;
}

/* One vector of y of `m` examples += `rows` rows of W. */
INLINE void
add_vector (int m, int rows, bool fetch, Mask mask, size_t columns, const Lanes *each,
            const sl_real *w, sl_real *y)
{
  Lanes here[STEP];

  for (int i = 0; i < rows; i++)
    {
      here[i] = LOAD (mask, w + (size_t) i * columns);
      if (fetch)
        __builtin_prefetch (w + (size_t) i * columns + AHEAD, 0, 2);
    }
  for (int r = 0; r < m; r++)
    {
      Lanes sum = LOAD (mask, y + (size_t) r * columns);

      for (int i = 0; i < rows; i++)
        sum = ADD_PRODUCT (sum, each[r * STEP + i], here[i]);
      STORE (mask, y + (size_t) r * columns, sum);
    }
}

/* y (m, columns) of `m` <= 4 examples += x W for `rows` rows of W. */
INLINE void
add_tile (int m, int rows, bool fetch, size_t columns, const sl_real *x, size_t ldx,
          const sl_real *w, sl_real *y)
{
  Lanes  each[4 * STEP];
  size_t j = 0;

  for (int r = 0; r < m; r++)
    for (int i = 0; i < rows; i++)
      each[r * STEP + i] = EACH (x[(size_t) r * ldx + (size_t) i]);
  for (; j + LANES <= columns; j += LANES)
    add_vector (m, rows, fetch, all, columns, each, w + j, y + j);
  if (j < columns)
    add_vector (m, rows, fetch, first_lanes (columns - j), columns, each, w + j, y + j);
}

/* The same for any m. */
INLINE void
add_rows (int rows, size_t m, size_t columns, const sl_real *x, size_t ldx, const sl_real *w,
          sl_real *y)
{
  for (size_t r = 0; r < m; r += 4, x += 4 * ldx, y += 4 * columns)
    switch (m - r)
      {
      case 1: add_tile (1, rows, r == 0, columns, x, ldx, w, y); break;
      case 2: add_tile (2, rows, r == 0, columns, x, ldx, w, y); break;
      case 3: add_tile (3, rows, r == 0, columns, x, ldx, w, y); break;
      default: add_tile (4, rows, r == 0, columns, x, ldx, w, y); break;
      }
}

/* For so few examples that reading the matrix takes most of the time: whole rows of it in turn, as memory
 * likes it, with sums in the first cache.  */
SL_WIDE static void
forward_few (size_t m, size_t rows, size_t columns, const sl_real *x, const sl_real *w, sl_real *y)
{
  size_t i = 0;

  for (; i + STEP <= rows; i += STEP)
    add_rows (STEP, m, columns, x + i, rows, w + i * columns, y);
  for (; i < rows; i++)
    add_rows (1, m, columns, x + i, rows, w + i * columns, y);
}

/* Some rows and columns of W, copied so that they lie together. */
typedef struct
{
  sl_real number[DEPTH * WIDTH * LANES] __attribute__ ((aligned (64)));
  size_t  rows;
  Mask    mask[WIDTH]; /* columns that there are */
} Panel;

INLINE void
copy_panel (size_t rows, size_t columns, size_t ldw, const sl_real *w, Panel *panel)
{
  panel->rows = rows;
  for (int v = 0; v < WIDTH; v++)
    panel->mask[v] = first_lanes (columns > (size_t) v * LANES ? columns - (size_t) v * LANES : 0);
  for (size_t i = 0; i < rows; i++)
    for (int v = 0; v < WIDTH; v++)
      STORE (all, panel->number + i * WIDTH * LANES + (size_t) v * LANES,
             LOAD (panel->mask[v], w + i * ldw + (size_t) v * LANES));
}

/* y of `m` examples += x times the panel. */
INLINE void
panel_tile (int m, const Panel *panel, const sl_real *x, size_t ldx, sl_real *y, size_t ldy)
{
  Lanes sum[TILE][WIDTH];

  for (int r = 0; r < m; r++)
    for (int v = 0; v < WIDTH; v++)
      sum[r][v] = LOAD (panel->mask[v], y + (size_t) r * ldy + (size_t) v * LANES);
  for (size_t i = 0; i < panel->rows; i++)
    {
      Lanes here[WIDTH];

      for (int v = 0; v < WIDTH; v++)
        here[v] = LOAD (all, panel->number + i * WIDTH * LANES + (size_t) v * LANES);
      for (int r = 0; r < m; r++)
        {
          Lanes each = EACH (x[(size_t) r * ldx + i]);

          for (int v = 0; v < WIDTH; v++)
            sum[r][v] = ADD_PRODUCT (sum[r][v], each, here[v]);
        }
    }
  for (int r = 0; r < m; r++)
    for (int v = 0; v < WIDTH; v++)
      STORE (panel->mask[v], y + (size_t) r * ldy + (size_t) v * LANES, sum[r][v]);
}

INLINE void
panel_rows (size_t m, const Panel *panel, const sl_real *x, size_t ldx, sl_real *y, size_t ldy)
{
  size_t r = 0;

  for (; r + TILE <= m; r += TILE)
    panel_tile (TILE, panel, x + r * ldx, ldx, y + r * ldy, ldy);
  for (; r + 4 <= m; r += 4)
    panel_tile (4, panel, x + r * ldx, ldx, y + r * ldy, ldy);
  for (; r < m; r++)
    panel_tile (1, panel, x + r * ldx, ldx, y + r * ldy, ldy);
}

SL_WIDE static void
forward_many (size_t m, size_t rows, size_t columns, const sl_real *x, const sl_real *w, sl_real *y)
{
  Panel panel;

  for (size_t j = 0; j < columns; j += WIDTH * LANES)
    for (size_t i = 0; i < rows; i += DEPTH)
      {
        copy_panel (rows - i < DEPTH ? rows - i : DEPTH, columns - j, columns, w + i * columns + j,
                    &panel);
        panel_rows (m, &panel, x + i, rows, y + j, columns);
      }
}

SL_WIDE void
sl_small_gemm_forward_wide (size_t m, size_t rows, size_t columns, const sl_real *x,
                            const sl_real *w, const sl_real *b, sl_real *y)
{
  for (size_t r = 0; r < m; r++)
    memcpy (y + r * columns, b, columns * sizeof *y);
  if (m <= FEW)
    forward_few (m, rows, columns, x, w, y);
  else
    forward_many (m, rows, columns, x, w, y);
}

/* to[0] … to[7] = the sums of eight vectors. */
#ifdef SL_DOUBLE
INLINE void
add_lanes (const Lanes *s, sl_real *to)
{
  for (int k = 0; k < BACK; k++)
    to[k]
      = ((s[k][0] + s[k][4]) + (s[k][2] + s[k][6])) + ((s[k][1] + s[k][5]) + (s[k][3] + s[k][7]));
}
#else
INLINE void
add_lanes (const Lanes *s, sl_real *to)
{
  Lanes half[4], quarter[2], eighth, sum;

  for (int k = 0; k < 4; k++)
    half[k]
      = _mm512_shuffle_f32x4 (s[k], s[k + 4], 0x44) + _mm512_shuffle_f32x4 (s[k], s[k + 4], 0xee);
  for (int k = 0; k < 2; k++)
    quarter[k] = _mm512_shuffle_f32x4 (half[k], half[k + 2], 0x88)
                 + _mm512_shuffle_f32x4 (half[k], half[k + 2], 0xdd);
  eighth = _mm512_shuffle_ps (quarter[0], quarter[1], 0x44)
           + _mm512_shuffle_ps (quarter[0], quarter[1], 0xee);
  sum = eighth + _mm512_permute_ps (eighth, 0xb1);
  sum = _mm512_permutexvar_ps (
    _mm512_setr_epi32 (0, 2, 8, 10, 4, 6, 12, 14, 0, 0, 0, 0, 0, 0, 0, 0), sum);
  _mm256_storeu_ps (to, _mm512_castps512_ps256 (sum));
}
#endif

INLINE void
back_vector (int m, int rows, Mask mask, size_t columns, const sl_real *t, const sl_real *w,
             Lanes sum[2][BACK])
{
  Lanes here[2];

  for (int r = 0; r < m; r++)
    here[r] = LOAD (mask, t + (size_t) r * columns);
  for (int i = 0; i < rows; i++)
    {
      Lanes row = LOAD (mask, w + (size_t) i * columns);

      for (int r = 0; r < m; r++)
        sum[r][i] = ADD_PRODUCT (sum[r][i], here[r], row);
    }
}

/* `rows` of the matrix against `m` <= 2 examples. */
INLINE void
back_tile (int m, int rows, size_t columns, const sl_real *t, const sl_real *w, sl_real *p,
           size_t ldp)
{
  Lanes  sum[2][BACK];
  size_t j = 0;

  for (int r = 0; r < m; r++)
    for (int i = 0; i < BACK; i++)
      sum[r][i] = (Lanes) { 0 };
  for (; j + LANES <= columns; j += LANES)
    back_vector (m, rows, all, columns, t + j, w + j, sum);
  if (j < columns)
    back_vector (m, rows, first_lanes (columns - j), columns, t + j, w + j, sum);
  for (int r = 0; r < m; r++)
    {
      sl_real total[BACK];

      add_lanes (sum[r], total);
      memcpy (p + (size_t) r * ldp, total, (size_t) rows * sizeof *p);
    }
}

INLINE void
back_rows (int rows, size_t m, size_t columns, const sl_real *t, const sl_real *w, sl_real *p,
           size_t ldp)
{
  size_t r = 0;

  for (; r + 2 <= m; r += 2)
    back_tile (2, rows, columns, t + r * columns, w, p + r * ldp, ldp);
  if (r < m)
    back_tile (1, rows, columns, t + r * columns, w, p + r * ldp, ldp);
}

SL_WIDE void
sl_small_gemm_back_wide (size_t m, size_t rows, size_t columns, const sl_real *t, const sl_real *w,
                         sl_real *p, size_t ldp)
{
  size_t i = 0;

  for (; i + BACK <= rows; i += BACK)
    back_rows (BACK, m, columns, t, w + i * columns, p + i, ldp);
  for (; i < rows; i++)
    back_rows (1, m, columns, t, w + i * columns, p + i, ldp);
}

/* g of `rows` and `vectors` of columns, the last of them under a mask. */
INLINE void
outer_tile (int rows, int vectors, Mask mask, size_t m, size_t columns, const sl_real *x,
            size_t ldx, const sl_real *t, sl_real *g)
{
  Lanes sum[OUTER][WIDTH];

  for (int i = 0; i < rows; i++)
    for (int v = 0; v < vectors; v++)
      sum[i][v] = (Lanes) { 0 };
  for (size_t r = 0; r < m; r++)
    {
      Lanes here[WIDTH];

      for (int v = 0; v < vectors; v++)
        here[v] = LOAD (v + 1 < vectors ? all : mask, t + r * columns + (size_t) v * LANES);
      for (int i = 0; i < rows; i++)
        {
          Lanes each = EACH (x[r * ldx + (size_t) i]);

          for (int v = 0; v < vectors; v++)
            sum[i][v] = ADD_PRODUCT (sum[i][v], each, here[v]);
        }
    }
  for (int i = 0; i < rows; i++)
    for (int v = 0; v < vectors; v++)
      STORE (v + 1 < vectors ? all : mask, g + (size_t) i * columns + (size_t) v * LANES,
             sum[i][v]);
}

INLINE void
outer_rows (int rows, size_t m, size_t columns, const sl_real *x, size_t ldx, const sl_real *t,
            sl_real *g)
{
  size_t j = 0;

  for (; j + WIDTH * LANES <= columns; j += WIDTH * LANES)
    outer_tile (rows, WIDTH, all, m, columns, x, ldx, t + j, g + j);
  for (; j + LANES <= columns; j += LANES)
    outer_tile (rows, 1, all, m, columns, x, ldx, t + j, g + j);
  if (j < columns)
    outer_tile (rows, 1, first_lanes (columns - j), m, columns, x, ldx, t + j, g + j);
}

SL_WIDE void
sl_small_gemm_outer_wide (size_t m, size_t rows, size_t columns, const sl_real *x, size_t ldx,
                          const sl_real *t, sl_real *g)
{
  size_t i = 0;

  for (; i + OUTER <= rows; i += OUTER)
    outer_rows (OUTER, m, columns, x + i, ldx, t, g + i * columns);
  for (; i < rows; i++)
    outer_rows (1, m, columns, x + i, ldx, t, g + i * columns);
}
#endif
