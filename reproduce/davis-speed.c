/* SPDX-License-Identifier: MIT
 *
 * Tables 4.2 and 4.4 of Davis 2016: speed-ups of gated recurrent units that copy, in blocks and one
 * by one.  The clock is this machine's, so a cell holds when it is at least as fast; what carries
 * over is that fewer units on is faster.  */
#include <math.h>

#include "app/cli/stop.h"
#include "core/nn/kernels/mat.h"
#include "reproduce/reproduce.h"
#include "reproduce/speed.h"

static const char *const rows[SL_SPEED_OFFSETS + 1]
  = { "s = 0", "s = -0.25", "s = -0.5", "s = -0.75", NULL };

/* Smallest number of gates first, as in table 4.4; table 4.2 names units of a block / gates. */
static const SlTableColumn block_columns[SL_SPEED_GATES] = {
  { "64/16", "× dense", SL_AT_LEAST },
  { "32/32", "× dense", SL_AT_LEAST },
  { "16/64", "× dense", SL_AT_LEAST },
};
static const SlTableColumn unit_columns[SL_SPEED_GATES] = {
  { "g = 16", "× dense", SL_AT_LEAST },
  { "g = 32", "× dense", SL_AT_LEAST },
  { "g = 64", "× dense", SL_AT_LEAST },
};

/* Every row of one column, once. */
static SlExit
measure_column (SlReproduction *r, SlSpeedModel *dense, unsigned column, bool blocks)
{
  SlStatus      status;
  SlSpeedModel *gated = sl_speed_model_new (blocks ? SL_SPEED_BLOCKS : SL_SPEED_UNITS,
                                            sl_speed_gates[column], &status);
  SlExit code = SL_EXIT_FINE;

  if (gated == NULL)
    return sl_cli_fail (&status);
  for (unsigned row = 0; row < SL_SPEED_OFFSETS && code == SL_EXIT_FINE; row++)
    {
      SlSpeedCell cell;

      sl_speed_measure (dense, gated, row, &cell);
      sl_reproduction_ours (r, row, column, cell.ours);
      if (sl_stop_asked ())
        code = SL_EXIT_STOPPED;
    }
  sl_speed_model_free (gated);
  return code;
}

static void
claim (SlReproduction *r)
{
  unsigned kept = 0;

  for (unsigned c = 0; c < SL_SPEED_GATES; c++)
    for (unsigned row = 1; row < SL_SPEED_OFFSETS; row++)
      kept += sl_reproduction_mean (r, row, c) > sl_reproduction_mean (r, row - 1, c);
  sl_reproduction_claim (r, kept == SL_SPEED_GATES * (SL_SPEED_OFFSETS - 1),
                         "the smaller s, the faster: %u of %d steps down a column", kept,
                         SL_SPEED_GATES * (SL_SPEED_OFFSETS - 1));
}

static SlExit
measure (SlReproduction *r, bool blocks)
{
  SlStatus      status;
  SlSpeedModel *dense;
  SlExit        code = SL_EXIT_FINE;

  for (unsigned row = 0; row < SL_SPEED_OFFSETS; row++)
    for (unsigned c = 0; c < SL_SPEED_GATES; c++)
      sl_reproduction_published (r, row, c, sl_speed_published (blocks, row, c), NAN);
  sl_blas_set_threads (1);
  dense = sl_speed_model_new (SL_SPEED_DENSE, 0, &status);
  if (dense == NULL)
    return sl_cli_fail (&status);
  for (unsigned i = 0; i < r->seeds && code == SL_EXIT_FINE; i++)
    for (unsigned c = 0; c < SL_SPEED_GATES && code == SL_EXIT_FINE; c++)
      code = measure_column (r, dense, c, blocks);
  sl_speed_model_free (dense);
  if (code == SL_EXIT_FINE)
    claim (r);
  return code;
}

static SlExit
run_blocks (SlReproduction *r)
{
  return measure (r, true);
}

static SlExit
run_units (SlReproduction *r)
{
  return measure (r, false);
}

/* clang-format off */
const SlPaperTable sl_table_davis_42 = {
  .id = "davis-4.2",
  .title = "speed of recurrent units that copy in blocks",
  .source = "Davis 2016, table 4.2",
  .time = "150 s",
  .quick_time = "30 s",
  .conditions = "27-1024-1024-27 with the share of units that s leaves on by a normal "
                "distribution, batch 64, one thread, against our own dense network; published are "
                "ten trials on other hardware.",
  .usual_seeds = 5,
  .rows = rows, .columns = block_columns, .n_columns = SL_SPEED_GATES, .run = run_blocks,
};

const SlPaperTable sl_table_davis_44 = {
  .id = "davis-4.4",
  .title = "speed of recurrent units that copy one by one",
  .source = "Davis 2016, table 4.4",
  .time = "150 s",
  .quick_time = "30 s",
  .conditions = "As in table 4.2, but every unit has its own gate, and one text at a time.",
  .usual_seeds = 5,
  .rows = rows, .columns = unit_columns, .n_columns = SL_SPEED_GATES, .run = run_units,
};
/* clang-format on */
