/* SPDX-License-Identifier: MIT
 *
 * What several networks cost and how wrong they are, a line each with three bars: multiplications as counted, time
 * as measured here, and wrong answers with a tick for the network that computes everything.  */
#pragma once

#include <gtk/gtk.h>

#include "core/run/record/outcome.h"
#include "plot/base/theme.h"

#define SL_TYPE_OUTCOME_BARS (sl_outcome_bars_get_type ())
G_DECLARE_FINAL_TYPE (SlOutcomeBars, sl_outcome_bars, SL, OUTCOME_BARS, GtkWidget)

enum { SL_BARS_ROWS = 8 };

/* Not-a-number where there is no figure yet, or none at all. */
typedef struct
{
  const char *name;
  unsigned    slot;    /* of the network's colour in the theme */
  SlOutcome   outcome; /* error and costs in % */
  double      dense;   /* error in % of a network that computes everything */
  bool        paired;  /* there is such a network */
} SlBarsRow;

/* What is shown is copied; colours and type are those of `theme`. */
void sl_outcome_bars_show (SlOutcomeBars *self, const SlBarsRow *rows, unsigned n,
                           const SlTheme *theme);

/* Figures alone, without bars and spreads. */
void sl_outcome_bars_set_tight (SlOutcomeBars *self, gboolean tight);

/* All figures in words, a line for each network; borrowed. */
const char *sl_outcome_bars_text (SlOutcomeBars *self);
