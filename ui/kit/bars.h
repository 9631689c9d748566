/* SPDX-License-Identifier: MIT
 *
 * A few figures as bars, a line for each network: what it costs and how well it does.  Where it is narrow, figures
 * alone.  */
#pragma once

#include <gtk/gtk.h>

#include "core/run/record/outcome.h"

#define SL_TYPE_FIGURE_BARS (sl_figure_bars_get_type ())
G_DECLARE_FINAL_TYPE (SlFigureBars, sl_figure_bars, SL, FIGURE_BARS, GtkWidget)

enum { SL_BARS_ROWS = 8 };

typedef struct
{
  const char *name; /* "": it needs none */
  unsigned    slot; /* of the network's colour in the theme */
  const char *more; /* said behind its figures in words; or NULL */
  unsigned    n;
  SlBar       bar[SL_FRONT_BARS];
} SlBarsRow;

/* What is shown is copied; all rows have the bars of the first. */
void sl_figure_bars_show (SlFigureBars *self, const SlBarsRow *rows, unsigned n);

/* All figures in words, a line for each network; borrowed. */
const char *sl_figure_bars_text (SlFigureBars *self);
