/* SPDX-License-Identifier: MIT
 *
 * A residual layer; see residual.h.  Its products are those of a convolution unrolled into one
 * matrix product.  */
#include "core/labs/capacity/math/residual.h"

#include <string.h>
#include <tgmath.h>

#include "core/nn/dense/act.h"
#include "core/nn/kernels/clones.h"
#include "core/nn/kernels/mat.h"
#include "core/nn/kernels/special.h"

enum {
  SINE_TERMS = sizeof (sl_real) == sizeof (float) ? 4 : 8,
  COSINE_TERMS = sizeof (sl_real) == sizeof (float) ? 5 : 9,
};

/* Both of an angle up to some thousands: the quarter turns are taken off in two parts, so that what
 * remains is right to a unit in the last place of the angle.  No branches, so that loops over it
 * vectorise.  */
static inline __attribute__ ((always_inline)) void
rotate_phase (sl_real x, sl_real *s, sl_real *c)
{
  const sl_real high = (sl_real) (sizeof (sl_real) == sizeof (float) ? 1.5703125 : 0x1.921fb544p0);
  const sl_real low = (sl_real) (1.57079632679489661923 - (double) high);
  sl_real       quarters = floor (x * (sl_real) 0.636619772367581343076 + (sl_real) 0.5);
  int           q = (int) quarters;
  sl_real       r = (x - quarters * high) - quarters * low, square = r * r, a = 0, b = 0;

  for (int i = SINE_TERMS - 1; i >= 0; i--)
    a = a * square + (sl_real) sl_wave_terms[2 * i + 1];
  for (int i = COSINE_TERMS - 1; i >= 0; i--)
    b = b * square + (sl_real) sl_wave_terms[2 * i];
  a *= r;
  *s = (q & 1) != 0 ? b : a;
  *c = (q & 1) != 0 ? a : b;
  *s = (q & 2) != 0 ? -*s : *s;
  *c = ((q + 1) & 2) != 0 ? -*c : *c;
}

SL_CLONES static void
sine_row (size_t n, sl_real omega, const sl_real *restrict phase, const sl_real *restrict h,
          sl_real *restrict value, sl_real *restrict slope)
{
  const sl_real root = (sl_real) 1.41421356237309504880;

  for (size_t i = 0; i < n; i++)
    {
      sl_real s, c;

      rotate_phase (omega * h[i] + phase[i], &s, &c);
      value[i] = root / omega * s;
      slope[i] = root * c;
    }
}

static void
activate_values (const SlResidual *layer, const sl_real *h, sl_real *value, sl_real *slope)
{
  size_t channels = layer->channels, n = layer->rows * channels;

  switch (layer->activation)
    {
    case SL_SHATTER_LINEAR:
      memcpy (value, h, n * sizeof *value);
      for (size_t i = 0; i < n; i++)
        slope[i] = 1;
      break;
    case SL_SHATTER_RECTIFIER:
      for (size_t i = 0; i < n && !layer->frozen; i++)
        slope[i] = h[i] > 0;
      for (size_t i = 0; i < n; i++)
        value[i] = slope[i] * h[i];
      break;
    case SL_SHATTER_SINE:
      for (size_t r = 0; r < layer->rows; r++)
        sine_row (channels, layer->omega, layer->phase, h + r * channels, value + r * channels,
                  slope + r * channels);
      break;
    case SL_SHATTER_TANH:
      sl_tanh_forward (n, h, value);
      for (size_t i = 0; i < n; i++)
        slope[i] = 1 - value[i] * value[i];
      break;
    }
}

/* What the taps of each row read, side by side: out (rows, taps, channels). */
static void
unroll_taps (const SlResidual *layer, const sl_real *value, sl_real *out)
{
  size_t bytes = layer->channels * sizeof *out;

  for (size_t i = 0; i < layer->rows * layer->taps; i++, out += layer->channels)
    if (layer->from[i] >= 0)
      memcpy (out, value + (size_t) layer->from[i] * layer->channels, bytes);
    else
      memset (out, 0, bytes);
}

/* The way back: what came to each tap is added to where it reads. */
static void
roll_taps (const SlResidual *layer, const sl_real *taps, sl_real *sum)
{
  memset (sum, 0, layer->rows * layer->channels * sizeof *sum);
  for (size_t i = 0; i < layer->rows * layer->taps; i++, taps += layer->channels)
    if (layer->from[i] >= 0)
      {
        sl_real *to = sum + (size_t) layer->from[i] * layer->channels;

        for (size_t c = 0; c < layer->channels; c++)
          to[c] += taps[c];
      }
}

static void
normalise_rows (const SlResidual *layer, sl_real *x)
{
  for (size_t r = 0; layer->norm != NULL && r < layer->rows; r++)
    for (size_t c = 0; c < layer->channels; c++)
      x[r * layer->channels + c] *= layer->norm[r];
}

size_t
sl_residual_work (const SlResidual *layer)
{
  return layer->rows * (layer->taps + 1) * layer->channels;
}

void
sl_residual_forward (const SlResidual *layer, const sl_real *w, const sl_real *extra, sl_real *h,
                     sl_real *slope, sl_real *value, sl_real *work)
{
  size_t   channels = layer->channels, n = layer->rows * channels, wide = layer->taps * channels;
  sl_real *unrolled = work + n;

  if (value == NULL)
    value = work;
  activate_values (layer, h, value, slope);
  if (layer->from != NULL)
    unroll_taps (layer, value, unrolled);
  sl_mat_mul (SL_PLAIN, SL_PLAIN, layer->rows, channels, wide, 1,
              layer->from != NULL ? unrolled : value, wide, w, channels, 1, h, channels);
  for (size_t i = 0; extra != NULL && i < n; i++)
    h[i] += extra[i];
  normalise_rows (layer, h);
}

void
sl_residual_backward (const SlResidual *layer, const sl_real *w, const sl_real *slope,
                      const sl_real *value, sl_real *delta, sl_real *dw, sl_real *work)
{
  size_t   channels = layer->channels, n = layer->rows * channels, wide = layer->taps * channels;
  sl_real *unrolled = work + n, *sum = work;

  normalise_rows (layer, delta);
  if (dw != NULL)
    {
      if (layer->from != NULL)
        unroll_taps (layer, value, unrolled);
      sl_mat_mul (SL_TRANSPOSED, SL_PLAIN, wide, channels, layer->rows, 1,
                  layer->from != NULL ? unrolled : value, wide, delta, channels, 0, dw, channels);
    }
  sl_mat_mul (SL_PLAIN, SL_TRANSPOSED, layer->rows, wide, channels, 1, delta, channels, w, channels,
              0, layer->from != NULL ? unrolled : sum, wide);
  if (layer->from != NULL)
    roll_taps (layer, unrolled, sum);
  for (size_t i = 0; i < n; i++)
    delta[i] += slope[i] * sum[i];
}

void
sl_residual_power (size_t rows, size_t channels, const sl_real *delta, double *power)
{
  for (size_t r = 0; r < rows; r++)
    {
      double sum = 0.0;

      for (size_t c = 0; c < channels; c++)
        sum += (double) delta[r * channels + c] * (double) delta[r * channels + c];
      power[r] = sum;
    }
}
