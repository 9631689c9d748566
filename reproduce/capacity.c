/* SPDX-License-Identifier: MIT
 *
 * What Donier 2019 says of scales, by the layer rule at growing depth: with the scale that the
 * paper proposes nothing depends on the depth, without it everything does.  Rows are numbers of layers.  */
#include <math.h>
#include <string.h>

#include "core/labs/capacity/math/capacity.h"
#include "reproduce/measures.h"

enum { POSITIONS = 129, CHANNELS = 16 };

/* Two neighbours, D = 1, at so many times their rate. */
static SlCapacityKernel
neighbours (double times)
{
  return (SlCapacityKernel) { 2, { { -1, times }, { 1, times } } };
}

static SlCapacityShares
shares_of (double times, double scale, double leak)
{
  SlCapacityKernel kernel = neighbours (times);
  SlCapacityLaw    law = { .rule = SL_CAPACITY_SQUARED, .scale = scale, .leak = leak };
  SlCapacityShares shares;

  /* Squared shares have room for any rates. */
  sl_capacity_shares (&kernel, &law, &shares);
  return shares;
}

static double
width (double scale, double layers)
{
  SlCapacityKernel kernel = neighbours (1);
  SlCapacityShares shares = shares_of (1, scale, 0);

  return sqrt (layers * sl_capacity_moments (&kernel, &shares).variance);
}

/* Variance of the mean over all layers' profiles, relative to that of the last one. */
static double
skips (unsigned layers)
{
  SlCapacityKernel  kernel = neighbours (1);
  SlCapacityShares  shares = shares_of (1, 1.0 / layers, 0);
  SlCapacityBuckets buckets = { 0 };
  double here[POSITIONS] = { 0 }, next[POSITIONS], sum[POSITIONS] = { 0 }, mean, all, single;

  here[POSITIONS / 2] = 1;
  for (unsigned m = 0;; m++)
    {
      for (size_t x = 0; x < POSITIONS; x++)
        sum[x] += here[x];
      if (m == layers)
        break;
      sl_capacity_step (&kernel, &shares, POSITIONS, SL_EDGE_PERIODIC, here, next, &buckets);
      memcpy (here, next, sizeof here);
    }
  sl_capacity_spread (POSITIONS, sum, POSITIONS / 2, true, &mean, &all);
  sl_capacity_spread (POSITIONS, here, POSITIONS / 2, true, &mean, &single);
  return 100 * all / single;
}

/* By how many decades squared gradients grow when the squares of the weights are `times` what they should be. */
static double
gain (double times, double layers)
{
  SlCapacityKernel kernel = neighbours (times);
  SlCapacityLaw    law = { .rule = SL_CAPACITY_SQUARED, .scale = 1 / layers };

  return -sl_capacity_log10_skip (&kernel, &law, layers);
}

/* What the column of an id has at so many layers. */
static double
figure (const char *id, double layers)
{
  double side = shares_of (1, 1 / layers, 1).side, unscaled = shares_of (1 / layers, 1, 1).side;
  const struct
  {
    const char *id;
    double      value;
  } figures[] = {
    { "width", width (1 / layers, layers) },
    { "width-unscaled", width (1, layers) },
    { "left", 100 * pow (1 - side, layers) },
    { "left-unscaled", 100 * pow (1 - unscaled, layers) },
    { "half", -100 * M_LN2 / log1p (-side) / layers },
    { "skips", skips ((unsigned) layers) },
    { "gain", gain (1, layers) },
    { "gain-unscaled", gain (CHANNELS, layers) },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (figures); i++)
    if (strcmp (figures[i].id, id) == 0)
      return figures[i].value;
  return (double) NAN;
}

SlExit
sl_measure_capacity (SlReproduction *r)
{
  for (unsigned row = 0; row < r->table->n_rows; row++)
    for (unsigned c = 0; c < r->table->n_columns; c++)
      r->cells->ours[row][c][0]
        = figure (r->table->column[c].id, g_ascii_strtod (r->table->row[row].id, NULL));
  return SL_EXIT_FINE;
}
