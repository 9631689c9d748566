/* SPDX-License-Identifier: MIT */
#include "core/labs/style/math/style.h"

#include <math.h>

#include "core/nn/kernels/clones.h"
#include "core/nn/kernels/mat.h"

/* Numbers of a map from which a second thread pays. */
enum { SHARED = 1 << 16 };

void
sl_style_stats_carve (SlStyleStats *stats, size_t n, SlArena *arena)
{
  stats->n = n;
  stats->gram = sl_arena_reals (arena, n * n);
  stats->mean = sl_arena_reals (arena, n);
  stats->sd = sl_arena_reals (arena, n);
}

/* Mean and variance of one channel, in two passes. */
SL_CLONES static void
channel_moments (size_t m, const sl_real *f, double *mean, double *variance)
{
  double sum = 0, squares = 0;

  for (size_t p = 0; p < m; p++)
    sum += (double) f[p];
  *mean = sum / (double) m;
  for (size_t p = 0; p < m; p++)
    squares += ((double) f[p] - *mean) * ((double) f[p] - *mean);
  *variance = squares / (double) m;
}

void
sl_style_moments (size_t m, const sl_real *f, double epsilon, SlStyleStats *stats)
{
  stats->m = m;
#pragma omp parallel for schedule(static) if (stats->n * m > SHARED)
  for (size_t i = 0; i < stats->n; i++)
    {
      double mean, variance;

      channel_moments (m, f + i * m, &mean, &variance);
      stats->mean[i] = (sl_real) mean;
      stats->sd[i] = (sl_real) sqrt (variance + epsilon);
    }
}

void
sl_style_gram (size_t m, const sl_real *f, SlStyleStats *stats)
{
  stats->m = m;
  sl_mat_mul (SL_PLAIN, SL_TRANSPOSED, stats->n, stats->n, m, 1 / (sl_real) m, f, m, f, m, 0,
              stats->gram, stats->n);
}

static double
square_distance (size_t n, const sl_real *a, const sl_real *b)
{
  double sum = 0;

  for (size_t i = 0; i < n; i++)
    sum += ((double) a[i] - (double) b[i]) * ((double) a[i] - (double) b[i]);
  return sum;
}

double
sl_style_loss (SlStyleMethod method, double c, const SlStyleStats *f, const SlStyleStats *s)
{
  size_t n = f->n;

  switch (method)
    {
    case SL_STYLE_GRAM:
      return square_distance (n * n, f->gram, s->gram) / (4.0 * (double) n * (double) n);
    case SL_STYLE_LINEAR: return square_distance (n, f->mean, s->mean);
    case SL_STYLE_POLY:
      return square_distance (n * n, f->gram, s->gram)
             + 2.0 * c * square_distance (n, f->mean, s->mean);
    case SL_STYLE_MOMENTS:
      return (square_distance (n, f->mean, s->mean) + square_distance (n, f->sd, s->sd))
             / (double) n;
    default: return 0.0;
    }
}

/* df (m) += shift + slope (f − mean). */
SL_CLONES static void
add_line (size_t m, sl_real shift, sl_real slope, sl_real mean, const sl_real *restrict f,
          sl_real *restrict df)
{
  for (size_t p = 0; p < m; p++)
    df[p] += shift + slope * (f[p] - mean);
}

/* Adds what the differences of means, times `shift`, and of deviations, times `slope`, ask of each
 * channel.  */
static void
add_moments (double shift, double slope, const SlStyleStats *f, const SlStyleStats *s,
             const sl_real *features, sl_real *df)
{
  size_t m = f->m;

#pragma omp parallel for schedule(static) if (f->n * m > SHARED)
  for (size_t i = 0; i < f->n; i++)
    {
      double apart = (double) f->sd[i] - (double) s->sd[i];
      double steep = f->sd[i] > 0 ? slope * apart / (double) f->sd[i] : 0.0;

      add_line (m, (sl_real) (shift * ((double) f->mean[i] - (double) s->mean[i])), (sl_real) steep,
                f->mean[i], features + i * m, df + i * m);
    }
}

/* df += scale (G/M − A/M_S) F. */
static void
add_gram (double scale, const SlStyleStats *f, const SlStyleStats *s, const sl_real *features,
          sl_real *work, sl_real *df)
{
  size_t n = f->n, m = f->m;

  for (size_t i = 0; i < n * n; i++)
    work[i] = f->gram[i] - s->gram[i];
  sl_mat_mul (SL_PLAIN, SL_PLAIN, n, m, n, (sl_real) scale, work, n, features, m, 1, df, m);
}

void
sl_style_backward (SlStyleMethod method, double c, double scale, const SlStyleStats *f,
                   const SlStyleStats *s, const sl_real *features, sl_real *work, sl_real *df)
{
  double n = (double) f->n, m = (double) f->m;

  switch (method)
    {
    case SL_STYLE_GRAM: add_gram (scale / (n * n * m), f, s, features, work, df); break;
    case SL_STYLE_LINEAR: add_moments (2.0 * scale / m, 0.0, f, s, features, df); break;
    case SL_STYLE_POLY:
      add_gram (4.0 * scale / m, f, s, features, work, df);
      add_moments (4.0 * c * scale / m, 0.0, f, s, features, df);
      break;
    case SL_STYLE_MOMENTS:
      add_moments (2.0 * scale / (n * m), 2.0 * scale / (n * m), f, s, features, df);
      break;
    default: break;
    }
}

double
sl_style_macs (SlStyleMethod method, size_t n, size_t m)
{
  double numbers = (double) n * (double) m;

  switch (method)
    {
    case SL_STYLE_GRAM: return 2.0 * (double) n * numbers;
    case SL_STYLE_LINEAR: return 2.0 * numbers;
    case SL_STYLE_POLY: return (2.0 * (double) n + 2.0) * numbers;
    /* Four distances and four differences of each pair, and there are half as many pairs. */
    case SL_STYLE_GAUSSIAN: return 4.0 * numbers;
    default: return 3.0 * numbers;
    }
}

SL_CLONES double
sl_style_content (size_t n, const sl_real *f, const sl_real *p, double scale, sl_real *df)
{
  double sum = 0;

  for (size_t i = 0; i < n; i++)
    {
      sl_real apart = f[i] - p[i];

      sum += (double) apart * (double) apart;
      if (df != NULL)
        df[i] += (sl_real) scale * apart;
    }
  return 0.5 * sum;
}
