/* SPDX-License-Identifier: MIT
 *
 * What Donier 2019 says of scales, by the layer rule at growing depth: with the scale that the
 * paper proposes nothing depends on the depth, without it everything does.  */
#include <math.h>
#include <string.h>

#include "core/labs/capacity/math/capacity.h"
#include "reproduce/reproduce.h"

enum { DEPTHS = 4, POSITIONS = 129, CHANNELS = 16 };
enum { WIDTH, WIDTH_UNSCALED, LEFT, LEFT_UNSCALED, HALF, SKIPS, GAIN, GAIN_UNSCALED, COLUMNS };

static const unsigned depth[DEPTHS] = { 16, 64, 256, 1024 };

static const char *const rows[DEPTHS + 1]
  = { "16 layers or steps", "64 layers or steps", "256 layers or steps", "1024 layers or steps" };

static const SlTableColumn columns[COLUMNS] = {
  [WIDTH] = { "width, weights 1/√L", "pixels", SL_SAME_SHAPE },
  [WIDTH_UNSCALED] = { "width, unscaled", "pixels", SL_SAME_SHAPE },
  [LEFT] = { "at the input, side inputs 1/√L", "%", SL_SAME_SHAPE },
  [LEFT_UNSCALED] = { "at the input, unscaled", "%", SL_SAME_SHAPE },
  [HALF] = { "half forgotten, scales 1/√T", "% of T", SL_SAME_SHAPE },
  [SKIPS] = { "variance with skips to the output", "% of without", SL_SAME_SHAPE },
  [GAIN] = { "gain, weights 1/√(L C)", "decades", SL_SAME_SHAPE },
  [GAIN_UNSCALED] = { "gain, weights 1/√L", "decades", SL_SAME_SHAPE },
};

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

static void
fill (SlReproduction *r, unsigned row)
{
  double layers = depth[row], side = shares_of (1, 1 / layers, 1).side,
         unscaled = shares_of (1 / layers, 1, 1).side;

  sl_reproduction_ours (r, row, WIDTH, width (1 / layers, layers));
  sl_reproduction_ours (r, row, WIDTH_UNSCALED, width (1, layers));
  sl_reproduction_ours (r, row, LEFT, 100 * pow (1 - side, layers));
  sl_reproduction_ours (r, row, LEFT_UNSCALED, 100 * pow (1 - unscaled, layers));
  sl_reproduction_ours (r, row, HALF, -100 * M_LN2 / log1p (-side) / layers);
  sl_reproduction_ours (r, row, SKIPS, skips (depth[row]));
  sl_reproduction_ours (r, row, GAIN, gain (1, layers));
  sl_reproduction_ours (r, row, GAIN_UNSCALED, gain (CHANNELS, layers));
}

/* Whether the deepest is within `most` of `expected`; with the words and the two of them. */
static void
claim_limit (SlReproduction *r, unsigned column, double expected, const char *words)
{
  double deepest = sl_reproduction_mean (r, DEPTHS - 1, column);

  sl_reproduction_claim (r, fabs (deepest / expected - 1) < 0.01,
                         "%s: %.4g at the deepest, %.4g in the limit", words, deepest, expected);
}

static void
claim (SlReproduction *r)
{
  double grows = sl_reproduction_mean (r, DEPTHS - 1, WIDTH_UNSCALED)
                 / sl_reproduction_mean (r, 0, WIDTH_UNSCALED);

  claim_limit (r, WIDTH, M_SQRT2, "weights as 1/√L: a width that depth does not change (§4.1)");
  sl_reproduction_claim (r, fabs (grows / 8 - 1) < 0.01,
                         "unscaled weights: the width grows as √L (§4.1): × %.3g for 64 times the "
                         "layers",
                         grows);
  claim_limit (r, LEFT, 100 * exp (-1),
               "side inputs as 1/√L: e^−λ of the capacity is left for the input (§4.4)");
  sl_reproduction_claim (r, sl_reproduction_mean (r, 0, LEFT_UNSCALED) < 0.1,
                         "unscaled side inputs: nothing is left, %.2g %% after 16 layers (§4.4)",
                         sl_reproduction_mean (r, 0, LEFT_UNSCALED));
  claim_limit (r, HALF, 100 * M_LN2,
               "scales as 1/√T: the memory is as long as T, half is forgotten after T ln 2 (§4.9)");
  claim_limit (r, SKIPS, 50, "skip connections to the output halve the variance (§4.2)");
  claim_limit (r, GAIN, 2 * M_LOG10E,
               "16 channels, weights as 1/√(L C), Xavier's scale: a gain of e^Q (§4.7)");
  sl_reproduction_claim (r, sl_reproduction_mean (r, DEPTHS - 1, GAIN_UNSCALED) > 10,
                         "without the 1/√C gradients explode: %.3g decades (§4.7)",
                         sl_reproduction_mean (r, DEPTHS - 1, GAIN_UNSCALED));
}

static SlExit
run (SlReproduction *r)
{
  for (unsigned row = 0; row < DEPTHS; row++)
    fill (r, row);
  claim (r);
  return SL_EXIT_FINE;
}

/* clang-format off */
const SlPaperTable sl_table_donier = {
  .id = "donier",
  .title = "how weights, side inputs and channels are to be scaled with depth",
  .source = "Donier 2019, section 4",
  .time = "1 s", .quick_time = "1 s",
  .conditions = "The paper has statements, no numbers. Here: the layer rule of squared shares with two neighbours "
                "(q = 1 each, Q = 2, D = 1), λ = 1 and 16 channels; formulas and the limits that the depths are "
                "compared with are ours. Unscaled side inputs stand beside scaled weights.",
  .needs = SL_NEEDS_NO_FILE, .usual_seeds = 1,
  .rows = rows, .columns = columns, .n_columns = COLUMNS, .run = run,
};
/* clang-format on */
