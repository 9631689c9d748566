/* SPDX-License-Identifier: MIT */
#include "core/labs/capacity/math/shatter.h"

#include <math.h>

#include "core/nn/dense/act.h"

/* Nodes of the averages of tanh over one and two normal variables.  A quadrature with few nodes
 * fails where the units saturate: it can say correlations above 1.  */
enum { NODES = 160 };
static const double REACH = 7.0;

typedef struct
{
  double point[NODES], weight[NODES];
} Grid;

static void
grid_init (Grid *grid)
{
  double width = 2.0 * REACH / NODES;

  for (int i = 0; i < NODES; i++)
    {
      double x = -REACH + (i + 0.5) * width;

      grid->point[i] = x;
      grid->weight[i] = width * exp (-0.5 * x * x) / sqrt (2.0 * M_PI);
    }
}

/* tanh at a row of inputs, all at once. */
static void
tanh_row (const sl_real *x, double *y)
{
  sl_real row[NODES];

  sl_tanh_forward (NODES, x, row);
  for (int i = 0; i < NODES; i++)
    y[i] = (double) row[i];
}

/* Means of tanh² and of its squared slope for a normal input of this variance. */
static void
tanh_alone (const Grid *grid, double variance, double *energy, double *slope)
{
  sl_real x[NODES];
  double  y[NODES];

  for (int i = 0; i < NODES; i++)
    x[i] = (sl_real) (sqrt (variance) * grid->point[i]);
  tanh_row (x, y);
  *energy = *slope = 0.0;
  for (int i = 0; i < NODES; i++)
    {
      *energy += grid->weight[i] * y[i] * y[i];
      *slope += grid->weight[i] * pow (1.0 - y[i] * y[i], 2.0);
    }
}

/* Means of the products for two inputs of this variance and correlation c.  Both functions turn
 * only their sign when both inputs do, so half of the plane is enough.  */
static void
tanh_together (const Grid *grid, double variance, double c, double *energy, double *slope)
{
  double rest = sqrt (fmax (1.0 - c * c, 0.0)), scale = sqrt (variance);

  *energy = *slope = 0.0;
  for (int i = NODES / 2; i < NODES; i++)
    {
      double  first = tanh (scale * grid->point[i]), y[NODES], product = 0.0, slopes = 0.0;
      sl_real x[NODES];

      for (int j = 0; j < NODES; j++)
        x[j] = (sl_real) (scale * (c * grid->point[i] + rest * grid->point[j]));
      tanh_row (x, y);
      for (int j = 0; j < NODES; j++)
        {
          product += grid->weight[j] * y[j];
          slopes += grid->weight[j] * (1.0 - y[j] * y[j]);
        }
      *energy += 2.0 * grid->weight[i] * first * product;
      *slope += 2.0 * grid->weight[i] * (1.0 - first * first) * slopes;
    }
}

static double
tanh_correlation (double square, size_t layers, double delta)
{
  double variance = 1.0, shared = cos (delta), r = 1.0;
  Grid   grid;

  grid_init (&grid);
  for (size_t l = 0; l < layers; l++)
    {
      double energy, slope, both, slopes;

      tanh_alone (&grid, variance, &energy, &slope);
      tanh_together (&grid, variance, fmax (-1.0, fmin (shared / variance, 1.0)), &both, &slopes);
      r *= (1.0 + square * slopes) / (1.0 + square * slope);
      variance += square * energy;
      shared += square * both;
    }
  return r;
}

static double
sine_correlation (double omega, double square, size_t layers, double delta)
{
  double apart = 2.0 - 2.0 * cos (delta), r = 1.0;

  for (size_t l = 0; l < layers; l++)
    {
      double e = exp (-0.5 * omega * omega * apart);

      r *= (1.0 + square * e) / (1.0 + square);
      apart += 2.0 * square / (omega * omega) * (1.0 - e);
    }
  return r;
}

/* Correlation behind a rectifier of two normal inputs with correlation c (Cho and Saul 2009). */
static double
rectified_correlation (double c, double *theta)
{
  *theta = acos (fmax (-1.0, fmin (c, 1.0)));
  return (sin (*theta) + (M_PI - *theta) * cos (*theta)) / M_PI;
}

static double
rectifier_correlation (double square, size_t layers, double delta)
{
  double c = cos (delta), r = 1.0, theta;

  for (size_t l = 0; l < layers; l++)
    {
      double next = (c + square * rectified_correlation (c, &theta)) / (1.0 + square);

      r *= (1.0 + square * (1.0 - theta / M_PI)) / (1.0 + square);
      c = next;
    }
  return r;
}

double
sl_shatter_correlation (SlShatter activation, double omega, double square, size_t layers,
                        double delta)
{
  switch (activation)
    {
    case SL_SHATTER_LINEAR: break;
    case SL_SHATTER_RECTIFIER: return rectifier_correlation (square, layers, delta);
    case SL_SHATTER_SINE: return sine_correlation (omega, square, layers, delta);
    case SL_SHATTER_TANH: return tanh_correlation (square, layers, delta);
    }
  return 1.0;
}

double
sl_shatter_feed_forward (size_t layers, double delta)
{
  double c = cos (delta), r = 1.0, theta;

  for (size_t l = 0; l < layers; l++)
    {
      double next = rectified_correlation (c, &theta);

      r *= 1.0 - theta / M_PI;
      c = next;
    }
  return r;
}

double
sl_shatter_slope (SlShatter activation, double variance)
{
  double energy, slope;
  Grid   grid;

  if (activation != SL_SHATTER_TANH)
    return 1.0;
  grid_init (&grid);
  tanh_alone (&grid, variance, &energy, &slope);
  return slope;
}

double
sl_shatter_energy (SlShatter activation, double omega, double variance)
{
  double energy, slope;
  Grid   grid;

  switch (activation)
    {
    case SL_SHATTER_LINEAR:
    case SL_SHATTER_RECTIFIER: break; /* with weights of variance 2 ÷ width */
    case SL_SHATTER_SINE: return 1.0 / (omega * omega);
    case SL_SHATTER_TANH:
      grid_init (&grid);
      tanh_alone (&grid, variance, &energy, &slope);
      return energy;
    }
  return variance;
}

double
sl_shatter_whiteness (size_t n, const double *cosine)
{
  double trace = 0.0, square = 0.0;

  for (size_t i = 0; i < n; i++)
    trace += cosine[i * n + i];
  for (size_t i = 0; i < n * n; i++)
    square += cosine[i] * cosine[i];
  return trace * trace / ((double) n * square);
}
