/* SPDX-License-Identifier: MIT
 *
 * What Donier 2019 says of scales, in random networks: with the side inputs and channels that the
 * paper proposes and without, the same weights at every step, outputs of all layers, and
 * images.  */
#include <math.h>

#include "reproduce/reproduce.h"

enum {
  SCALED,
  NO_SIDES,
  SIDES_UNSCALED,
  CHANNELS_UNSCALED,
  TIED_IRREGULAR,
  TIED_RECTIFIER,
  IMAGES,
  ROWS
};
enum { WIDTH, LEFT, SIDES, ALL_LAYERS, COLUMNS };

#define COMMON "layers=32 positions=65 radius=1 channels=16 leak=1 gradients=no train=no "

static const char *const rows[ROWS + 1] = {
  "weights and side inputs 1/√L",
  "no side inputs",
  "side inputs unscaled",
  "channels without 1/√C",
  "tied weights, irregular activation",
  "tied weights, rectifier",
  "images, along one axis",
  NULL,
};

static const char *const words[ROWS] = {
  "activation=rectifier",
  "activation=rectifier leak=0",
  "activation=rectifier side-scale=unscaled",
  "activation=rectifier channel-scale=unscaled",
  "tied=yes activation=sine omega=32",
  "tied=yes activation=rectifier",
  "activation=rectifier images=yes leak=0",
};

static const SlTableColumn columns[COLUMNS] = {
  [WIDTH] = { "width at the input", "pixels", SL_SAME_SHAPE },
  [LEFT] = { "at the input", "%", SL_SAME_SHAPE },
  [SIDES] = { "at side inputs", "%", SL_SAME_SHAPE },
  [ALL_LAYERS] = { "width, output of all layers", "pixels", SL_SAME_SHAPE },
};

static void
read_run (SlReproduction *r, unsigned row, const SlSweepResult *result)
{
  sl_reproduction_ours (
    r, row, WIDTH, sl_reproduction_score (result, row == IMAGES ? "std-images" : "std-networks"));
  if (row == IMAGES)
    return;
  sl_reproduction_ours (r, row, LEFT, sl_reproduction_score (result, "left"));
  sl_reproduction_ours (r, row, SIDES, sl_reproduction_score (result, "sides"));
  sl_reproduction_ours (r, row, ALL_LAYERS, sl_reproduction_score (result, "std-all-layers"));
}

static double
together (const SlReproduction *r, unsigned row)
{
  return sl_reproduction_mean (r, row, LEFT) + sl_reproduction_mean (r, row, SIDES);
}

static void
claim (SlReproduction *r)
{
  double wide = sl_reproduction_mean (r, NO_SIDES, WIDTH),
         all = sl_reproduction_mean (r, NO_SIDES, ALL_LAYERS) / wide,
         images = sl_reproduction_mean (r, IMAGES, WIDTH) / wide,
         left = sl_reproduction_mean (r, SIDES_UNSCALED, LEFT),
         channels = sl_reproduction_mean (r, CHANNELS_UNSCALED, WIDTH) / wide;

  sl_reproduction_claim (
    r, left < 0.1, "unscaled side inputs: nothing is left for the input (§4.4): %.2g %%", left);
  sl_reproduction_claim (
    r, channels > 2, "without 1/√C the field is wider than it should be (§4.7): × %.2f", channels);
  sl_reproduction_claim (r, fabs (all - M_SQRT1_2) < 0.05,
                         "an output of all layers has half the variance (§4.2): width × %.3f", all);
  sl_reproduction_claim (r, fabs (images - 1) < 0.1,
                         "images: as wide along an axis as in one dimension (§4.8): × %.3f",
                         images);
  sl_reproduction_claim (r, fabs (together (r, TIED_IRREGULAR) / 100 - 1) < 0.15,
                         "tied weights, irregular activation: as the theory (§4.9): %.4g %% in all",
                         together (r, TIED_IRREGULAR));
  sl_reproduction_claim (r, together (r, TIED_RECTIFIER) > 1000,
                         "ours: tied rectifiers explode at 1/√T: %.3g %% in all",
                         together (r, TIED_RECTIFIER));
}

static SlExit
run (SlReproduction *r)
{
  SlTableRuns runs = { .lab = "capacity",
                       .settings = COMMON,
                       .rows = words,
                       .budget = { .steps = r->quick ? 40 : 300 },
                       .read = read_run };
  SlExit      code = sl_reproduction_runs (r, &runs);

  if (code == SL_EXIT_FINE)
    claim (r);
  return code;
}

/* clang-format off */
const SlPaperTable sl_table_donier_networks = {
  .id = "donier-networks",
  .title = "the same scales in random networks, tied weights, images, outputs of all layers",
  .source = "Donier 2019, section 4",
  .time = "20 s", .quick_time = "3 s",
  .conditions = "The paper has statements, no numbers, and calls local state transitions of recurrent networks untested. "
                "Here: mean squared gradients of 300 random networks a row and seed, 32 layers, 16 channels, two "
                "neighbours (Q = 2), λ = 1; blocks are divided by √Z, so that the shares of one network are 100 % "
                "together in the mean.",
  .needs = SL_NEEDS_NO_FILE, .usual_seeds = 3,
  .rows = rows, .columns = columns, .n_columns = COLUMNS, .run = run,
};
/* clang-format on */
