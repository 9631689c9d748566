/* SPDX-License-Identifier: MIT */
#include "core/nn/gater/noise.h"

#include <tgmath.h>

#include "core/nn/kernels/clones.h"
#include "core/nn/kernels/normal.h"
#include "core/nn/kernels/special.h"
#include "core/nn/kernels/streams.h"

enum {
  TURN = 2 * SL_STREAMS, /* numbers of one turn of the streams, two a word */
  CHUNK = 512,           /* gammas made together */
};

/* At most TURN numbers.  Half a word is enough for the product's precision; in double the numbers
 * are as coarse, which changes nothing that a test could see.  */
static inline __attribute__ ((always_inline)) void
next_uniform (SlStreams *streams, sl_real *u)
{
  uint64_t word[SL_STREAMS];

  sl_streams_next (streams, word);
  for (int i = 0; i < SL_STREAMS; i++)
    {
      u[i] = (sl_real) (int32_t) (word[i] >> 40) * (sl_real) 0x1p-24;
      u[SL_STREAMS + i] = (sl_real) (int32_t) (word[i] & 0xffffff) * (sl_real) 0x1p-24;
    }
}

SL_CLONES static void
fill_uniform (uint64_t key, size_t n, sl_real *u)
{
  SlStreams streams;
  sl_real   last[TURN];
  size_t    done = 0;

  sl_streams_init (&streams, key, 0);
  for (; done + TURN <= n; done += TURN)
    next_uniform (&streams, u + done);
  next_uniform (&streams, last);
  memcpy (u + done, last, (n - done) * sizeof *u);
}

void
sl_gater_draw_uniform (SlRng *rng, size_t n, sl_real *u)
{
  fill_uniform (sl_rng_next (rng), n, u);
}

/* The smallest step above 0 replaces 0. */
SL_CLONES static void
to_logistic (sl_real scale, size_t n, sl_real *x)
{
  for (size_t i = 0; i < n; i++)
    {
      sl_real u = x[i] > 0 ? x[i] : (sl_real) 0x1p-25;

      x[i] = scale * (sl_log_of (u) - sl_log_of (1 - u));
    }
}

void
sl_gater_draw_logistic (SlRng *rng, double scale, size_t n, sl_real *x)
{
  sl_gater_draw_uniform (rng, n, x);
  to_logistic ((sl_real) scale, n, x);
}

static double
logit_of (double p)
{
  return log (p) - log1p (-p);
}

SlGaterBeta
sl_gater_beta (double s, double beta, bool as_coded)
{
  SlGaterBeta noise = { .alpha = (s * (beta - 2.0) + 1.0) / (1.0 - s), .beta = beta };

  if (as_coded)
    {
      noise.scale = fabs (logit_of (s * s));
      noise.centre = 0.5;
    }
  else
    noise.scale = logit_of (s) / s;
  return noise;
}

double
sl_gater_beta_mean (const SlGaterBeta *noise)
{
  return noise->scale * (noise->alpha / (noise->alpha + noise->beta) - noise->centre);
}

/* Gamma variates of shape >= 1 from normals x and uniforms u (n); those that Marsaglia and Tsang's
 * method refuses become -1.  */
SL_CLONES static void
propose_gamma (sl_real shape, size_t n, const sl_real *x, const sl_real *u, sl_real *gamma)
{
  sl_real d = shape - (sl_real) 1 / 3, c = 1 / sqrt (9 * d);

  for (size_t i = 0; i < n; i++)
    {
      sl_real root = 1 + c * x[i], cube = root * root * root;
      sl_real v = cube > (sl_real) 1e-30 ? cube : (sl_real) 1e-30;
      sl_real least = u[i] > 0 ? u[i] : (sl_real) 0x1p-25;
      sl_real bound = x[i] * x[i] / 2 + d - d * v + d * sl_log_of (v);

      gamma[i] = cube > 0 && sl_log_of (least) < bound ? d * v : -1;
    }
}

static sl_real
draw_gamma (SlRng *rng, double shape)
{
  double d = shape - 1.0 / 3.0, c = 1.0 / sqrt (9.0 * d);

  for (;;)
    {
      double x = sl_rng_normal (rng), root = 1.0 + c * x, v = root * root * root;

      if (v > 0.0 && log (1.0 - sl_rng_uniform (rng)) < 0.5 * x * x + d - d * v + d * log (v))
        return (sl_real) (d * v);
    }
}

/* n <= CHUNK. */
static void
fill_gamma (SlRng *rng, double shape, size_t n, sl_real *gamma)
{
  sl_real x[CHUNK], u[CHUNK];

  sl_normal_fill (rng, n, x);
  sl_gater_draw_uniform (rng, n, u);
  propose_gamma ((sl_real) shape, n, x, u, gamma);
  for (size_t i = 0; i < n; i++)
    if (gamma[i] < 0)
      gamma[i] = draw_gamma (rng, shape);
}

void
sl_gater_draw_beta (SlRng *rng, const SlGaterBeta *noise, size_t n, sl_real *x)
{
  sl_real first[CHUNK], second[CHUNK];
  sl_real scale = (sl_real) noise->scale, centre = (sl_real) noise->centre;

  for (size_t done = 0; done < n; done += CHUNK)
    {
      size_t take = n - done < CHUNK ? n - done : CHUNK;

      fill_gamma (rng, noise->alpha, take, first);
      fill_gamma (rng, noise->beta, take, second);
      for (size_t i = 0; i < take; i++)
        x[done + i] = scale * (first[i] / (first[i] + second[i]) - centre);
    }
}
