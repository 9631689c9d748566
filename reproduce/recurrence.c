/* SPDX-License-Identifier: MIT
 *
 * Tables 4.2 and 4.4 of Davis 2016: speed-ups of gated recurrent units that copy, in blocks and one by one, as many
 * trials as there are seeds.  */
#include "app/cli/stop.h"
#include "core/nn/kernels/mat.h"
#include "reproduce/measures.h"
#include "reproduce/speed.h"

/* Every row of one column, once. */
static SlExit
measure_column (SlReproduction *r, SlSpeedModel *dense, unsigned column, SlSpeedKind kind,
                unsigned trial)
{
  SlStatus      status;
  SlSpeedModel *gated = sl_speed_model_new (kind, sl_speed_gates[column % SL_SPEED_GATES], &status);
  SlExit        code = SL_EXIT_FINE;

  if (gated == NULL)
    return sl_cli_fail (&status);
  for (unsigned row = 0; row < SL_SPEED_OFFSETS && code == SL_EXIT_FINE; row++)
    {
      SlSpeedCell cell;

      sl_speed_measure (dense, gated, row, false, &cell);
      r->cells->ours[row][column][trial] = cell.ours;
      if (sl_stop_asked ())
        code = SL_EXIT_STOPPED;
    }
  sl_speed_model_free (gated);
  return code;
}

/* The kinds side by side, each with every number of gates. */
static SlExit
measure (SlReproduction *r, const SlSpeedKind *kinds, unsigned n)
{
  SlStatus      status;
  SlSpeedModel *dense;
  SlExit        code = SL_EXIT_FINE;

  sl_blas_set_threads (1);
  dense = sl_speed_model_new (SL_SPEED_DENSE, 0, &status);
  if (dense == NULL)
    return sl_cli_fail (&status);
  for (unsigned trial = 0; trial < r->cells->seeds && code == SL_EXIT_FINE; trial++)
    for (unsigned c = 0; c < n * SL_SPEED_GATES && code == SL_EXIT_FINE; c++)
      code = measure_column (r, dense, c, kinds[c / SL_SPEED_GATES], trial);
  sl_speed_model_free (dense);
  return code;
}

SlExit
sl_measure_blocks (SlReproduction *r)
{
  static const SlSpeedKind kinds[] = { SL_SPEED_BLOCKS, SL_SPEED_MIXED };

  return measure (r, kinds, 2);
}

SlExit
sl_measure_units (SlReproduction *r)
{
  static const SlSpeedKind kinds[] = { SL_SPEED_UNITS };

  return measure (r, kinds, 1);
}
