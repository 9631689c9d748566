/* SPDX-License-Identifier: MIT
 *
 * A model of a machine that nobody has to time.  */
#pragma once

#include <glib.h>

#include "core/run/cost/model.h"
#include "core/run/cost/table.h"

/* A machine on which every call takes a microsecond and a nanosecond for each multiplication, and
 * predictions are within a tenth.  Free with sl_cost_model_free().  */
static inline SlCostModel *
sl_even_machine (void)
{
  SlCostModel *model = g_new0 (SlCostModel, 1);

  for (unsigned kind = 0; kind < SL_N_COST_KINDS; kind++)
    {
      unsigned points = sl_cost_table_points ((SlCostKind) kind);

      model->seconds[kind] = g_new (double, points);
      for (unsigned i = 0; i < points; i++)
        {
          SlCostCall call = sl_cost_table_call ((SlCostKind) kind, i);

          model->seconds[kind][i]
            = 1e-6 + 1e-9 * call.share * (double) call.m * (double) call.n * (double) call.k;
        }
    }
  for (unsigned i = 0; i < SL_COST_LABS; i++)
    model->learned[i]
      = (SlCostLearned) { { { 1, 1, 1, 1, 1, 0 } }, { { 1, 1, 1, 1, 1, 0 } }, 0.1, 0.1 };
  return model;
}
