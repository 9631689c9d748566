/* SPDX-License-Identifier: MIT
 *
 * What several networks lose and what they cost, one under the other: how wrong each is beside a dense
 * one on the same examples, and its costs on a scale from 0 to the dense network's: expected from the
 * gates' probabilities, executed as counted, and timed by the clock.  */
#pragma once

#include <gtk/gtk.h>

#include "core/run/record/outcome.h"
#include "plot/base/theme.h"

#define SL_TYPE_COST_STRIP (sl_cost_strip_get_type ())
G_DECLARE_FINAL_TYPE (SlCostStrip, sl_cost_strip, SL, COST_STRIP, GtkWidget)

enum { SL_COST_ROWS = 8 };

/* Not-a-number where there is no figure yet, or none at all. */
typedef struct
{
  const char *name;
  SlOutcome   outcome; /* error and costs in % */
  double      dense;   /* error in % of a network that computes everything */
  bool        paired;  /* there is such a network */
} SlCostRow;

/* What is shown is copied; colours and type are those of `theme`.  A timed cost has its spread with it
 * where there is room.  */
void sl_cost_strip_show (SlCostStrip *self, const SlCostRow *rows, unsigned n,
                         const SlTheme *theme);
