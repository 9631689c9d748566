/* SPDX-License-Identifier: MIT
 *
 * What several networks cost, one under the other on the same scale from 0 to the dense network's
 * cost: expected from the gates' probabilities, executed as counted, timed by the clock.  */
#pragma once

#include <gtk/gtk.h>

#include "core/run/record/outcome.h"
#include "plot/base/theme.h"

#define SL_TYPE_COST_STRIP (sl_cost_strip_get_type ())
G_DECLARE_FINAL_TYPE (SlCostStrip, sl_cost_strip, SL, COST_STRIP, GtkWidget)

enum { SL_COST_ROWS = 8 };

/* Row by row: a name and its costs in %, not-a-number where there is none yet.  The timed one has its
 * spread with it where there is room.  The names are
 * copied; colours and type are those of `theme`.  */
void sl_cost_strip_show (SlCostStrip *self, const char *const *names, const SlOutcome *costs,
                         unsigned n, const SlTheme *theme);
